"""What simulated models say of tasks whose answers are graded: answers, cases, rulings.

They know the right answer from the sample, and make wrong ones by changes to it.
"""

import ast
import json
import re
from io import StringIO
from random import Random
from tokenize import NAME, NUMBER, OP, TokenInfo, generate_tokens, untokenize

from inspect_debate.debate.seeds import seeded
from inspect_debate.debate.text import unescape
from inspect_debate.grading.grids import grids, render
from inspect_debate.simulator.beliefs import around
from inspect_debate.simulator.scene import Scene

Words = list[tuple[str, dict[str, float]]]
_ANSWER = re.compile(
    r'<answer by="(\w+)">\n(?:(`{3,})\w*\n(.*?)\n\2|(.*?))\n</answer>', re.S
)
_STANCE = re.compile(r"^Stance: (AGREE|DISAGREE)$", re.M)
_SWAPS = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    **{"+": "-", "-": "+", "//": "%", "+=": "-=", "and": "or", "or": "and"},
    **{"min": "max", "max": "min", "any": "all", "True": "False", "False": "True"},
    "return": "return not",
}


# --- Answers --------------------------------------------------------------------------


def solution(scene: Scene) -> tuple[str, str]:
    """How a model came to its answer, and the answer.

    How hard a task is, is the same for all models.
    """
    rng, hard = scene.draw("solve"), seeded(0, str(scene.sample.id), "difficulty")
    answer, code = _right(scene), _is_code(scene)
    if rng.random() >= around(scene.profile.solves, hard):
        answer = (mistaken if code else recoloured)(answer, rng)
    said = _place(scene, answer, rng)
    text = scene.write("solved_code" if code else "solved_grids", said=said)
    start, parts = ("```python", [answer]) if code else ("```", answer.split("\n\n"))
    return text, "\n\n".join(f"{start}\n{part}\n```" for part in parts)


def _is_code(scene: Scene) -> bool:
    return bool(scene.metadata["answer_kind"] == "code")


def _right(scene: Scene) -> str:
    if _is_code(scene):
        return scene.target.strip()
    found = grids(scene.target, int(scene.metadata.get("grids", 1)))
    return "\n\n".join(map(render, found or []))


def recoloured(text: str, rng: Random) -> str:
    """Grids of which one to three cells have another colour."""
    cells, found = [n for n, one in enumerate(text) if one.isdigit()], [*text]
    for n in rng.sample(cells, min(len(cells), rng.randint(1, 3))):
        found[n] = str((int(text[n]) + rng.randint(1, 9)) % 10)
    return "".join(found)


def mistaken(program: str, rng: Random) -> str:
    """A program with two small mistakes, such as a number that is off by one."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [n for n in ast.parse(program).body if isinstance(n, kinds)]
    body = functions[-1].body[0].lineno
    tokens = [*generate_tokens(StringIO(program).readline)]
    found = [n for n, t in enumerate(tokens) if t.start[0] >= body and _swapped(t)]
    small = [n for n in found if tokens[n].string != "return"]
    for n in rng.sample(small, min(2, len(small))) or found[-1:]:
        tokens[n] = tokens[n]._replace(string=_swapped(tokens[n]))
    return untokenize(tokens)


def _swapped(token: TokenInfo) -> str:
    """What is written in place of a token by mistake; nothing if that is unlikely."""
    if token.type == NUMBER and token.string.isdigit():
        return str(int(token.string) + 1)
    if re.fullmatch(r"(['\"])\w{3,}\1", token.string):
        return token.string[:-2] + token.string[-1]
    return _SWAPS.get(token.string, "") if token.type in (NAME, OP) else ""


# --- Cases for and against answers ----------------------------------------------------


def case(scene: Scene) -> tuple[str, str]:
    """A speech about one's own answer, or a critic's about the only one."""
    answers, rng = _answers(scene), scene.draw("place", scene.asked.round)
    own = answers.pop(scene.asked.name, None)
    if own is None:
        return _review(scene, next(iter(answers.values())), rng)
    lines = [scene.write("case", said=_place(scene, own, rng))]
    for who, text in answers.items():
        here, there = _difference(scene, own, text)
        key = "case_differs" if here else "case_same"
        lines.append(scene.write(key, opponent=who, said=here, theirs=there))
    return "\n\n".join(lines), ""


def _review(scene: Scene, text: str, rng: Random) -> tuple[str, str]:
    """A critic keeps its stance in all rounds, and if it is right names the mistake."""
    wrong, assigned = text != _right(scene), "Stance:" not in scene.prompt
    sees = scene.draw("stance").random() < scene.profile.critic_right
    agrees = sees != wrong and not assigned
    said = _place(scene, text, rng)
    if wrong and not agrees:
        said = _difference(scene, text, _right(scene))[0] or said
    closing = "" if assigned else f"Stance: {'AGREE' if agrees else 'DISAGREE'}"
    return scene.write(f"review_{'agrees' if agrees else 'doubts'}", said=said), closing


def _answers(scene: Scene) -> dict[str, str]:
    """The answers that are shown, by who gave them."""
    found = _ANSWER.findall(scene.prompt)
    return {by: unescape(fenced or plain) for by, _, fenced, plain in found}


def _places(scene: Scene, text: str) -> list[str]:
    """What one can point to in an answer: the lines of a program, the rows of grids."""
    if _is_code(scene):
        return [f"the line “{one.strip()}”" for one in text.splitlines() if one.strip()]
    parts = text.split("\n\n")
    return [
        f"row {row}{f' of output {n}' if len(parts) > 1 else ''}, “{line}”"
        for n, part in enumerate(parts, 1)
        for row, line in enumerate(part.splitlines(), 1)
    ]


def _place(scene: Scene, text: str, rng: Random) -> str:
    found = _places(scene, text)
    return rng.choice(found[len(found) // 3 :])  # further down than imports


def _difference(scene: Scene, text: str, other: str) -> tuple[str, str]:
    """The first place at which two answers differ, in either of them."""
    pairs = zip(_places(scene, text), _places(scene, other), strict=False)
    return next(((one, two) for one, two in pairs if one != two), ("", ""))


# --- Rulings --------------------------------------------------------------------------


def rulings(scene: Scene) -> tuple[str, str, Words]:
    """A judge's reasons, its rulings, and how probable the word of each one was."""
    said, words, lines, speakers = {}, Words(), [], {who for who, _ in scene.turns}
    transcripts, met = scene.prompt.count("<transcript>"), "alone"
    if transcripts:
        met = "debate" if len(speakers) > transcripts else "consultancy"
    for name, text in _answers(scene).items():
        kind = "right" if text == _right(scene) else f"wrong_{met}"
        rng = scene.draw("ruling", met, name, scene.asked.order, scene.asked.round)
        leaning = scene.draw("leaning", name)
        p = around(getattr(scene.profile, f"endorses_{kind}"), leaning)
        verdict = "correct" if rng.random() < p else "incorrect"
        sure = round(scene.profile.confidence + rng.uniform(-0.15, 0.15), 2)
        said[name] = {"verdict": verdict, "confidence": min(max(sure, 0.5), 0.99)}
        words.append((verdict, {"correct": p, "incorrect": 1 - p}))
        place = _place(scene, text, rng)
        lines.append(scene.write(f"ruled_{verdict}", winner=name, said=place))
    for name, text in dict(scene.turns).items():
        for stance in _STANCE.findall(text):  # as right as the ruling on the answer is
            word, p_word = words[0]
            if stance == "DISAGREE":
                p_word = {one: 1 - p for one, p in p_word.items()}
                word = next(one for one in p_word if one != word)
            said[name] = next(iter(said.values())) | {"verdict": word}
            words.append((word, p_word))
    return "\n\n".join(lines), f"```json\n{json.dumps(said)}\n```", words
