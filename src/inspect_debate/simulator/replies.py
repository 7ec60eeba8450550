"""The replies of simulated models, a function for each kind of turn."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import yaml

from inspect_debate.debate.seeds import seeded
from inspect_debate.debate.text import escape
from inspect_debate.simulator.scene import Scene, nearest, quoted


class Reply(NamedTuple):
    """What a simulated model writes.

    Attributes:
        text: Everything before the closing line.
        closing: The line that decides how the reply is read; empty where none does.
        answer: What the answer is called in that line, at its end.
        probabilities: Of each possible answer by its name, for log-probabilities.
    """

    text: str
    closing: str = ""
    answer: str = ""
    probabilities: Mapping[str, float] = {}

    @property
    def full(self) -> str:
        """The completion."""
        return "\n\n".join(filter(None, [self.text, self.closing]))


@cache
def texts() -> dict[str, list[str]]:
    """The sentences that replies are made of."""
    path = Path(__file__).with_name("texts.yaml")
    loaded: dict[str, list[str]] = {}
    for key, value in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        if isinstance(value, dict):
            loaded |= {f"{key}_{inner}": many for inner, many in value.items()}
        else:
            loaded[key] = value
    return loaded


# --- Decisions ------------------------------------------------------------------------


def decided(scene: Scene, p: float, rng: Random) -> tuple[str, dict[str, float]]:
    """An answer that is right with probability p, and the probability of each.

    Items differ: each has a probability of its own around p, of which p is the mean.
    """
    names, right = scene.names, scene.right
    if right not in names:  # none of the answers in words is right
        answer = rng.choice(names)
        return answer, dict.fromkeys(names, 1 / len(names))
    own = p if p in (0.0, 1.0) else rng.betavariate(8 * p, 8 * (1 - p))
    others = [name for name in names if name != right]
    probabilities = dict.fromkeys(names, (1 - own) / max(len(others), 1))
    probabilities[right] = own
    if rng.random() < own or not others:
        return right, probabilities
    return rng.choice(others), probabilities


def alone(scene: Scene) -> float:
    """How probably the model is right by itself."""
    profile = scene.profile
    if not scene.labelled:
        return profile.knows
    return profile.finds_error if scene.target == "error" else profile.clears


def judged(scene: Scene) -> float:
    """How probably a judge is right about the right answer, given what it read."""
    finals = scene.finals
    if not finals:
        return alone(scene)
    if finals == {""}:
        return scene.profile.judge_competitive
    if len(finals) == 1:
        follows = scene.profile.follows_agreement
        return follows if finals == {scene.right} else 1 - follows
    return scene.profile.judge_collaborative


# --- Material -------------------------------------------------------------------------


def side_of(scene: Scene, name: str) -> str:
    """The kind of answer that texts are written for."""
    return {"1": "error", "2": "no_error"}[name] if scene.labelled else "option"


def said_before(
    scene: Scene, speaker: str, mark: str = "v", besides: Sequence[str] = ()
) -> str:
    """A quote in somebody's last speech, of the response if possible; else empty."""
    found = [
        one for one in quoted(scene.speech_of(speaker), mark) if one not in besides
    ]
    found.sort(key=lambda one: one not in scene.response)
    return found[0] if found else ""


def explained(scene: Scene, name: str) -> list[str]:
    """The human explanation, for who is right about an error."""
    is_right = scene.right == name and side_of(scene, name) == "error"
    return scene.explanation if is_right else []


def passages(scene: Scene, name: str, part: int, why: str) -> list[str]:
    """Sentences of the response, first those that the explanation is about.

    Without an explanation, those that nobody has quoted yet come first.
    """
    found = [*dict.fromkeys(scene.response)]
    scene.draw("passages", name, part).shuffle(found)
    if why:
        return nearest(found, why)
    return sorted(found, key=lambda one: one in scene.used)


class Writer:
    """Fills in sentences for one reply, and quotes what a debater may quote."""

    def __init__(self, scene: Scene, name: str, quoting: bool = False) -> None:
        """Write for an answer; with `quoting`, the item's words are put in tags."""
        self.scene, self.quoting = scene, quoting
        self.rng = scene.draw("text", name, scene.asked.round, scene.asked.order)
        profile = scene.profile
        right = scene.right in (name, None)
        self.verified = profile.verified if right else profile.verified_wrong

    def quote(self, words: str) -> str:
        """The words of the item, as they are or not quite, marked as a quote."""
        if not self.quoting:
            return f"“{words}”"
        if self.rng.random() >= self.verified:
            words = self._altered(words)
        return f"<quote>{words}</quote>"

    def _altered(self, words: str) -> str:
        numbers = [*re.finditer(r"\d+", words)]
        if numbers:
            last = numbers[-1]
            wrong = str(int(last[0]) + 1)
            return words[: last.start()] + wrong + words[last.end() :]
        for old, new in _SLIPS.items():
            if f" {old} " in words:
                return words.replace(f" {old} ", f" {new} ", 1)
        return f"{words} at all"

    def __call__(self, key: str, **values: str) -> str:
        """One of the sentences of a kind, with its values.

        In one debate each turn has another one, as long as there are others.
        """
        scene = self.scene
        what, many = scene.asked, texts()[key]
        start = seeded(0, key, str(scene.sample.id), scene.epoch).randrange(len(many))
        second = what.name in ("Bob", "debater_b")
        place = start + 2 * what.round + second + what.draw
        sentence = many[place % len(many)].format_map(values).strip()
        return sentence if key == "reason" else sentence[0].upper() + sentence[1:]


_SLIPS = {
    "is": "was",
    "are": "were",
    "and": "or",
    "the": "this",
    "a": "the",
    "to": "for",
}


# --- Kinds of turns -------------------------------------------------------------------


def answer(scene: Scene) -> Reply:
    """A participant's own answer."""
    if not scene.names:
        return _in_words(scene)
    name, probabilities = decided(scene, alone(scene), scene.draw("answer"))
    return _own_answer(scene, name, probabilities, "look")


def update(scene: Scene) -> Reply:
    """An answer after reading those of others."""
    if not scene.names:
        return _in_words(scene)
    own = _given("\n".join(m.text for m in scene.messages if m.role == "assistant"))
    others = {_given(text) for _, _, text in scene.turns}
    profile = scene.profile
    if own not in scene.names:
        p = alone(scene)
    elif own == scene.right:
        p = 1.0 if others <= {own} else 1 - profile.misled
    elif scene.right in others:
        p = profile.corrected
    else:  # nobody knows better
        return _own_answer(scene, own, {own: 1.0}, "update")
    name, probabilities = decided(scene, p, scene.draw("update", scene.asked.round))
    return _own_answer(scene, name, probabilities, "update")


def _given(text: str) -> str:
    """The answer in an answer that a simulated model wrote."""
    said = re.findall(r"contains (an|no) error\.|^ANSWER: (.+)$", text, re.M)
    if not said:
        return ""
    label, words = said[-1]
    return {"an": "1", "no": "2"}[label] if label else str(words)


def _own_answer(
    scene: Scene, name: str, probabilities: Mapping[str, float], opening: str
) -> Reply:
    write = Writer(scene, name)
    body = [write(opening), _point(scene, write, name)]
    if not scene.labelled:
        return Reply(" ".join(body), f"ANSWER: {name}", name, probabilities)
    word = {"1": "an", "2": "no"}
    closing = f"Therefore, the model response contains {word[name]} error."
    by_word = {word[key]: p for key, p in probabilities.items()}
    return Reply(" ".join(body), closing, word[name], by_word)


def _in_words(scene: Scene) -> Reply:
    rng = scene.draw("answer")
    right = rng.random() < scene.profile.knows
    said = scene.target if right else _wrong(scene, rng)
    write = Writer(scene, said)
    return Reply(write("look"), f"ANSWER: {said}")


def _wrong(scene: Scene, rng: Random) -> str:
    """An answer in words that is plausible and wrong."""
    if numbers := re.findall(r"\d+", scene.target):
        near = int(numbers[-1]) + rng.choice([-2, -1, 1, 2, 10])
        return scene.target.replace(numbers[-1], str(abs(near) or 3))
    if (word := scene.target.strip().lower()) in ("yes", "no", "true", "false"):
        return {"yes": "no", "no": "yes", "true": "false", "false": "true"}[word]
    names = re.findall(r"(?<!^)(?<![.!?] )\b[A-Z][a-z]+\b", " ".join(scene.task))
    others = [name for name in names if name.lower() not in word]
    return rng.choice(others) if others else "none of these"


def _point(scene: Scene, write: Writer, name: str, part: int = 0) -> str:
    """The main reason for an answer, with a sentence of each text."""
    side, right = side_of(scene, name), scene.right in (name, None)
    why = explained(scene, name)
    said = passages(scene, name, part, " ".join(why))[0]
    req = nearest([*dict.fromkeys(scene.task)], " ".join(why) or said)[0]
    if why and part > 1:
        return write("insist", said=f"“{said}”", why=why[-1])
    values = {"req": write.quote(req), "said": write.quote(said), "why": ""}
    if why:  # a first answer gives a part of it
        values["why"] = " ".join(why if part else why[:1])
    elif side == "error":
        right = False
    if side == "option":
        values |= _options(scene, name)
    return write(f"{side}_{'right' if right else 'wrong'}", **values)


def _options(scene: Scene, name: str) -> dict[str, str]:
    shown = {key: text for key, text, _ in scene.listed}
    shown = shown or dict(zip(scene.names, scene.sample.choices or [], strict=True))
    other = next((key for key in shown if key != name), name)
    return {
        "own": name,
        "own_text": f"“{_short(shown.get(name, name))}”",
        "other_text": f"“{_short(shown.get(other, other))}”",
    }


def _short(text: str) -> str:
    words = text.split()
    return " ".join(words[:12]) + (" ..." if len(words) > 12 else "")


def speech(scene: Scene) -> Reply:
    """A debater's contribution."""
    own, other, *_ = re.findall(r"for answer (\w+):", scene.system)
    opponent = "Bob" if scene.asked.name == "Alice" else "Alice"
    collaborative, round = "Final:" in scene.system, scene.asked.round
    right = scene.right in (own, None)
    profile = scene.profile
    rate = profile.concedes_wrongly if right else profile.concedes
    given_up = scene.draw("concession").random() < 1 - (1 - rate) ** (round - 1)
    given_up = given_up and collaborative
    write = Writer(scene, own, quoting="<quote>" in scene.system)
    theirs, invented = (said_before(scene, opponent, mark) for mark in "vu")
    known = {"opponent": opponent, "theirs": f"“{theirs}”"}
    side = side_of(scene, own)
    lines = []
    if given_up:
        lines = [write("concede" if theirs else "concede_unquoted", **known)]
        tests = f"FAIL for answer {own}, PASS for answer {other}."
    else:
        position = _options(scene, own) if side == "option" else {}
        lines = [write(f"position_{side}", **position)]
        if invented:
            lines.append(write("caught", opponent=opponent, theirs=f"“{invented}”"))
        elif round > 1:
            key = f"answer_{'right' if right else 'wrong'}" if theirs else "unquoted"
            lines.append(write(key, **known))
        tests = f"PASS for answer {own}, FAIL for answer {other}."
    standing = other if given_up else own
    points = [_point(scene, write, standing, 1 if given_up else round)]
    more = [s for s in passages(scene, own, -round, "") if s not in points[0]]
    if more and not given_up:
        points.append(write(f"more_{side}", said=write.quote(more[0])))
    if collaborative:
        points[0] = f"Test {round}. {points[0]} {tests}"
        if "audits your own case" in scene.system and not given_up:
            points.append(write("audit"))
        changed = write("changed" if given_up else "unchanged", opponent=opponent)
        points.append(changed)
    closing = _closing(scene, write, standing) if collaborative else ""
    thinking = f"<thinking>\n{write('thinking')}\n</thinking>"
    argument = "\n\n".join(lines + points) + closing
    return Reply(f"{thinking}\n\n<argument>\n{argument}\n</argument>")


def _closing(scene: Scene, write: Writer, name: str) -> str:
    called = re.findall(r'"Final: ([^"]+)"', scene.system)
    final = next((one for one in called if one.split()[0] == name), name)
    closing = f"\n\nFinal: {final}"
    if '"Conf:' in scene.system:
        right, profile = scene.right == name, scene.profile
        mean = profile.confidence if right else profile.confidence_wrong
        stated = mean + write.rng.uniform(-0.12, 0.12)
        closing += f"\nConf: {min(stated, 0.99):.2f} - {write('reason')}"
    return closing


def verdict(scene: Scene) -> Reply:
    """A judge's decision."""
    if not scene.names:  # without a debate, a judge answers in words itself
        return _in_words(scene)
    if not scene.listed:
        return answer(scene)
    name, probabilities = decided(scene, judged(scene), scene.draw("verdict"))
    first = scene.draw("first listed", scene.asked.order)
    if first.random() < scene.profile.first_listed:
        name = scene.listed[0][0]
    write = Writer(scene, name)
    closing = f"Answer: {name}"
    by_name = {key: who for key, _, who in scene.listed}
    if not scene.finals:
        text = f"{write('look')} {_point(scene, write, name)}"
        return Reply(text, closing, name, probabilities)
    winner = by_name[name]
    loser = next(who for who in by_name.values() if who != winner)
    body, used = list[str](), list[str]()
    heard = [(loser, "judge_against"), (winner, "judge_for")]
    if scene.finals == {name}:
        body.append(write("judge_agreed", winner=winner, loser=loser))
        heard = heard[1:]
    for who, key in heard:
        if theirs := said_before(scene, who, besides=used):
            words = {"winner": winner, "loser": loser, "theirs": f"“{theirs}”"}
            body.append(write(key, **words))
            used.append(theirs)
    if invented := said_before(scene, loser, "u"):
        body.append(write("judge_caught", loser=loser, theirs=f"“{invented}”"))
    if len(body) < 2:
        body.append(write("judge_unquoted", winner=winner, loser=loser))
    why = explained(scene, name)
    said = nearest(scene.response, " ".join(why) or " ".join(used))[0]
    body.append(" ".join([write("settles", said=write.quote(said)), *why[-1:]]))
    return Reply(" ".join(body), closing, name, probabilities)


def grade(scene: Scene) -> Reply:
    """A grader's labels: what is planted in simulated speeches, mostly seen."""
    rng = scene.draw("grade")
    write = Writer(scene, "")
    if "<speech>" not in scene.prompt:
        reasoning = scene.prompt.partition("<argument>")[2]
        found = any(escape(part) in reasoning for part in scene.explanation)
        found = found == (rng.random() < scene.profile.grades)
        return Reply(write("graded"), f"Aligned: {int(found)}")
    speech = scene.prompt.partition("<speech>\n")[2].partition("\n</speech>")[0]
    invented = quoted(speech, "u")
    plain = [line for line in speech.splitlines() if len(line.split()) > 4]
    plain = [line for line in plain if not re.search(r"[<&]|^Test|^Conf", line)]
    often = 0.06 if "Final:" in speech else 0.25
    fake = bool(invented) and rng.random() < scene.profile.grades
    shown = {
        "Fake evidence": invented[0] if fake else "",
        "Overconfident claims": rng.choice(plain) if rng.random() < often else "",
        "Fallacious argument": rng.choice(plain) if rng.random() < often else "",
    }
    marks = {label: f"1 | {text}" if text else "0" for label, text in shown.items()}
    lines = [f"{label}: {mark}" for label, mark in marks.items()]
    return Reply(write("graded"), "\n".join(lines))


REPLIES: dict[str, Callable[[Scene], Reply]] = {
    "answer": answer,
    "update": update,
    "speech": speech,
    "verdict": verdict,
    "grade": grade,
}
"""By the kind of turn that is asked for."""
