"""The replies of simulated models, a function for each kind of turn."""

import re
from collections.abc import Callable, Mapping, Sequence
from textwrap import shorten
from typing import NamedTuple

from inspect_debate.datasets.matching import same_answer
from inspect_debate.debate.text import unescape
from inspect_debate.simulator.beliefs import believed, judged, recalled
from inspect_debate.simulator.motions import speech_on_motion, verdict_on_motion
from inspect_debate.simulator.scene import DOUBTS, RELIES, Scene, nearest, quotes
from inspect_debate.simulator.solutions import case, rulings, solution

_WORDS = ("wrong", "right")
_OPPONENT = {"Alice": "Bob", "Bob": "Alice", "Defender": "the Critic"}
_OPPONENT["Consultant"] = _NOBODY = "the other side"
_ANSWER = re.compile(r"contains (an|no) error\.|^(?:Final )?Answer: (.+)$", re.M | re.I)


class Reply(NamedTuple):
    """What a simulated model writes."""

    text: str
    closing: str = ""  # the line that decides how the reply is read, if one does
    answer: str = ""  # what the answer is called in that line
    probabilities: Mapping[str, float] = {}  # of possible answers by their names
    before: Sequence[tuple[str, Mapping[str, float]]] = ()  # earlier answers, likewise

    @property
    def full(self) -> str:
        """The completion."""
        return "\n\n".join(filter(None, [self.text, self.closing]))


# --- One's own answer -----------------------------------------------------------------


def answer(scene: Scene) -> Reply:
    """A participant's own answer, or a further draw of it."""
    if scene.is_graded:
        return Reply(*solution(scene))
    return _own_answer(scene, "look", *believed(scene))


def update(scene: Scene) -> Reply:
    """An answer after reading those of others, or after thinking again."""
    spoken = "\n".join(m.text for m in scene.messages if m.role == "assistant")
    own = _answer_in(spoken) or believed(scene)[0]
    others = [_answer_in(text) for _, text in scene.turns]
    if scene.with_passage and not others:
        others = [recalled(scene)[0]]
    said, profile = own, scene.profile
    p = profile.misled if scene.is_right(own) else profile.corrected
    if scene.draw("update", scene.asked.round).random() < p:
        said = [own, *(one for one in others if not same_answer(one, own))][-1]
    return _own_answer(scene, "update", said, {said: 1.0})


def _answer_in(text: str) -> str:
    found = _ANSWER.findall(text)
    return unescape("".join(found[-1])) if found else ""


def _own_answer(
    scene: Scene, opening: str, held: str, probabilities: Mapping[str, float]
) -> Reply:
    """An answer in the form that is asked for."""
    if scene.with_passage:
        text, label = "", "Answer"
        if "Sub-question:" in scene.prompt:
            label = "Final answer"
            text = f"Sub-question: {scene.write('sub_question')}\n"
            text += f"Sub-answer: {scene.source()}."
        elif "one or two sentences why" in scene.prompt:
            text = scene.write("because", said=scene.source())
        return Reply(text, f"{label}: {held}", held, probabilities)
    text, closing = scene.write(opening), f"ANSWER: {held}"
    if scene.options:
        text += f" {_point(scene, held)}"
    if scene.labelled:
        closing = f"Therefore, the model response contains {held} error."
    return Reply(text, closing, held, probabilities)


def critique(scene: Scene) -> Reply:
    """What may be wrong with the model's own answer."""
    points = [scene.write(key, said=scene.source()) for key in ("doubt", "doubt_more")]
    return Reply("\n".join(f"- {point}" for point in points))


# --- Reasons --------------------------------------------------------------------------


def _point(scene: Scene, name: str, round: int = 0) -> str:
    """The reasons for an answer, with sentences of the task and the response.

    They are about the error, or have not been quoted yet.
    """
    side, right = scene.side(name), scene.is_right(name)
    why = scene.explanation if side == "error" else []
    if side == "error":  # the sentences for a real error rely on its explanation
        right = bool(why)
    found, used = [*scene.response], quotes(scene.prompt)
    scene.draw("passages", scene.asked.round).shuffle(found)
    found.sort(key=used.__contains__)
    said, *rest = nearest(found, " ".join(why)) if why else found
    req = nearest(scene.task, " ".join(why) or said)[0]
    why = {0: why[:1], 1: why}.get(round, why[-1:])
    point = scene.write(
        f"{side}_{_WORDS[right]}",
        req=scene.quote(req),
        said=scene.quote(said),
        why=" ".join(why),
        **_options(scene, name),
    )
    if round and rest:
        point += "\n\n" + scene.write("more", said=scene.quote(rest[0]))
    return point


def _options(scene: Scene, name: str) -> dict[str, str]:
    """The texts of an answer and of another one."""
    found = {key: f"“{shorten(t, 80)}”" for key, t in scene.options.items()}
    own = found.pop(name, "")
    return {"own": name, "own_text": own, "other_text": [*found.values(), ""][0]}


def _quoted_by(scene: Scene, speaker: str) -> str:
    """What somebody quoted last, of the response if possible."""
    found = quotes(dict(scene.turns).get(speaker.removeprefix("the "), ""))
    found.sort(key=lambda one: scene.labelled and one not in scene.response)
    unquoted = "memory" if scene.with_passage else "the wording"
    return f"“{found[0]}”" if found else unquoted


# --- Debates --------------------------------------------------------------------------


def speech(scene: Scene) -> Reply:
    """A debater's contribution."""
    if scene.is_graded:
        return Reply(*case(scene))
    if "<motion>" in scene.prompt:
        return Reply(speech_on_motion(scene))
    if scene.with_passage:
        return _speech_on_passage(scene)
    sides = re.findall(r"for answer (\w+):", scene.system)
    if not sides:  # in a protocol of the user's own
        return Reply(_point(scene, believed(scene)[0], scene.asked.round))
    own, other, *_ = sides
    opponent, round = _OPPONENT[scene.asked.name], scene.asked.round
    collaborative = '"Final"' in scene.system
    right, profile = scene.is_right(own), scene.profile
    rate = profile.concedes_wrongly if right else profile.concedes
    drawn = scene.draw("concession").random()
    conceded = collaborative and drawn < 1 - (1 - rate) ** (round - 1)
    known = {"opponent": opponent, "theirs": _quoted_by(scene, opponent)}
    if conceded:
        lines = [scene.write("concede", **known), _point(scene, other, 1)]
    else:
        lines = [scene.write(f"position_{scene.side(own)}", **_options(scene, own))]
        if round > 1:
            lines.append(scene.write(f"answer_{_WORDS[right]}", **known))
        lines.append(_point(scene, own, round))
    if collaborative:
        believes, rejects = (other, own) if conceded else (own, other)
        lines.append(f"Test: PASS for answer {believes}, FAIL for answer {rejects}.")
        if "audits your own case" in scene.system and not conceded:
            lines.append(scene.write("audit"))
        lines.append(scene.write("changed" if conceded else "unchanged", **known))
        lines.append(_closing(scene, believes))
    thinking = f"<thinking>\n{scene.write('thinking')}\n</thinking>"
    argument = "\n\n".join(lines)
    return Reply(f"{thinking}\n\n<argument>\n{argument}\n</argument>")


def _closing(scene: Scene, name: str) -> str:
    closing = f"Final: {name}" + (f" {scene.side(name)}" if scene.labelled else "")
    if '"Conf"' in scene.system:
        rng = scene.draw("confidence", scene.asked.round)
        stated = min(scene.profile.confidence + rng.uniform(-0.12, 0.12), 0.99)
        closing += f"\nConf: {stated:.2f} - {scene.write('reason')}"
    return closing


def _speech_on_passage(scene: Scene) -> Reply:
    """A speech for the passage's answer, or for that from memory."""
    name = scene.asked.name
    opponent, side = _OPPONENT.get(name, "the Defender"), "critic"
    own = scene.prompt.partition("you defend: <answer>")[2].partition("</answer>")[0]
    said = _quoted_by(scene, opponent)
    if name in ("Defender", "Alice"):
        side, said = "defender", scene.source(scene.asked.round)
    key = f"{side}_{'answers' if scene.turns else 'opens'}"
    return Reply(scene.write(key, own_text=unescape(own), opponent=opponent, said=said))


def verdict(scene: Scene) -> Reply:
    """A judge's decision."""
    if scene.is_graded:
        text, closing, [*before, last] = rulings(scene)
        return Reply(text, closing, *last, before)
    if scene.asked.name.startswith("juror"):
        return Reply(*verdict_on_motion(scene))
    debated = scene.listed or (scene.turns and scene.with_passage)
    if not scene.options or not debated:  # also in a protocol of the user's own
        return answer(scene)  # without a debate
    name, probabilities = judged(scene)
    sides, label = {key: who or _NOBODY for key, _, who in scene.listed}, "Answer"
    if scene.with_passage:
        label = "Final answer" if sides else "Verdict"
        sides = sides or {RELIES: "the Defender", DOUBTS: "the Critic"}
    closing = f"{label}: {name}"
    if not scene.turns:
        text = f"{scene.write('look')} {_point(scene, name)}"
        return Reply(text, closing, name, probabilities)
    winner = sides[name]
    loser = next(who for who in sides.values() if who != winner)
    known = {"winner": winner, "loser": loser}
    quoted = _quoted_by(scene, winner)
    first = "judge_agreed" if scene.finals == {name} else "judge_against"
    lines = [
        scene.write(first, theirs=_quoted_by(scene, loser), **known),
        scene.write("judge_for", theirs=quoted, **known),
    ]
    if scene.labelled:
        why = scene.explanation[-1:] if scene.side(name) == "error" else []
        said = nearest(scene.response, " ".join(why) or quoted)[0]
        lines += [scene.write("settles", said=f"“{said}”"), *why]
    return Reply(" ".join(lines), closing, name, probabilities)


def grade(scene: Scene) -> Reply:
    """The labels of all graded scores, which find no fault."""
    labels = {"Aligned": "0", "Fake evidence": "0", "Overconfident claims": "0"}
    labels["Fallacious argument"] = "0"
    if "Stated confidence:" in scene.prompt:
        why = scene.prompt.partition("<reasoning>")[2].partition("</reasoning>")[0]
        stated = ["none", *re.findall(r"(\d+)(?:%| percent)", why)][-1]
        labels = {"Stated confidence": stated, "Assessment": "Aligned"}
        labels |= {"Degree": "None", "Strategic": "no"}
    return Reply("", "\n".join(f"{name}: {label}" for name, label in labels.items()))


def of_own_kind(scene: Scene) -> Reply:
    """A turn of a kind that only a protocol of the user's own has."""
    asked = scene.messages[-1].text
    return answer(scene) if "Reasons: your reasoning" in asked else speech(scene)


REPLIES: dict[str, Callable[[Scene], Reply]] = {
    "answer": answer,
    "sample": answer,
    "recall": answer,
    "critique": critique,
    "update": update,
    "speech": speech,
    "verdict": verdict,
    "reward": verdict,
    "grade": grade,
}
"""By the kind of turn that is asked for."""
