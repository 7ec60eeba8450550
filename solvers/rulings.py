"""A judge's rulings on named answers: how they are read, and what they come to.

A judge gives its reasons and ends with one JSON object that has a verdict and a
confidence for each name. Rulings in other dress are read too, but nothing is guessed:
what is missing, contradictory or out of range is None.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.structured import Object, Scalar, Value, objects

PROPOSERS = ("Alice", "Bob")
"""Who may put an answer to the judge."""

Verdict = Literal["correct", "incorrect"]


class Ruling(NamedTuple):
    """What a judge says of one answer; None where it could not be read.

    Attributes:
        verdict: Whether the answer is correct.
        confidence: The probability that the verdict is right, from 0.5 to 1.
        place: Where the verdict's word is in the reply, for its log-probabilities; None
            where the judge used another word than "correct" or "incorrect".
    """

    verdict: Verdict | None = None
    confidence: float | None = None
    place: tuple[int, int] | None = None


# --- What rulings come to -------------------------------------------------------------


def ruled(debate: Debate) -> dict[str, bool | None]:
    """Whether each proposer's answer was ruled correct; None if that is not known."""
    return {name: ruling_on(debate, name) for name in proposers(debate)}


def right(debate: Debate) -> dict[str, bool | None]:
    """Whether each graded answer is right; None if grading it failed.

    Wrong are also answers that could not be read, that ran out of time, and programs
    that passed but look as if they tampered with the tests.
    """
    return {
        name: None if grade["status"] == "error" else grade["status"] == "pass"
        for name, grade in debate.grades.items()
    }


def proposers(debate: Debate) -> list[str]:
    """Those whose answers were put to the judge."""
    return [name for name in PROPOSERS if name in debate.options]


def ruling_on(debate: Debate, name: str) -> bool | None:
    """What most judges ruled on an answer, or on a critic's stance.

    None if they are tied, or if no ruling could be read.
    """
    votes = Counter(
        turn.fields[name] for turn in readable(debate) if name in turn.fields
    )
    lead = votes["correct"] - votes["incorrect"]
    return lead > 0 if lead else None


def readable(debate: Debate) -> list[Turn]:
    """The verdicts that do not contradict themselves."""
    last = last_stance(debate)
    stance = last.fields["stance"] if last else None
    return [
        turn
        for turn in debate.of("verdict")
        if not (last and contradicts(turn.fields, last.speaker, stance))
    ]


def last_stance(debate: Debate) -> Turn | None:
    """The last speech of a critic in which its stance was read."""
    speeches = [turn for turn in debate.of("speech") if turn.fields.get("stance")]
    return speeches[-1] if speeches else None


def contradicts(rulings: Mapping[str, Any], critic: str, stance: str | None) -> bool:
    """Whether the ruling on a critic's stance contradicts that on the answer.

    Args:
        rulings: Verdicts by name.
        critic: The critic's name.
        stance: Its last stance on the answer: "agree" or "disagree".
    """
    on_stance = rulings.get(critic)
    on_answer = next((rulings.get(n) for n in PROPOSERS if n != critic), None)
    if not (stance and on_stance and on_answer):
        return False
    return bool(on_stance == on_answer) != (stance == "agree")


def reward(scored: Turn, candidate: Turn) -> float | None:
    """How far a judge sides with the speaker of a candidate, from -1 to 1.

    Args:
        scored: The ruling: on the speaker's answer or, of a critic, its stance.
        candidate: The candidate speech.

    Returns:
        2c - 1 for a confidence of c, negated if the ruling is "incorrect". None if the
        ruling, its confidence or a critic's stance could not be read.
    """
    who, stance = candidate.speaker, candidate.fields.get("stance")
    verdict = scored.fields.get(who)
    confidence = scored.fields.get(f"{who}_confidence")
    if candidate.status != "ok" or verdict is None or confidence is None:
        return None
    if contradicts(scored.fields, who, stance):
        return None
    signed = 2 * float(confidence) - 1
    return signed if verdict == "correct" else -signed


# --- How rulings are read -------------------------------------------------------------


def read_rulings(reply: str, names: Sequence[str]) -> dict[str, Ruling]:
    """Read the rulings on named answers.

    The form is `{"Alice": {"verdict": "correct", "confidence": 0.8}, "Bob": ...}`. Also
    read are bare verdicts in place of the inner objects, an object for each name, and
    objects with a `name`. A reply without any of these may end with lines such as
    "Alice's answer is correct, confidence 0.8", if there is one for every name.

    The last object counts: the last in a fenced block if a verdict can be read from it.
    Nothing is read if what is outside of fenced blocks, or the last lines, differ from
    it in a verdict, because one of them may quote a debater.

    Args:
        reply: A reply without reasoning.
        names: Whose answers are ruled on. A key names somebody if it is the whole name,
            or "Alice's answer" and the like.

    Returns:
        A ruling for each of the names.
    """
    unread = dict.fromkeys(names, Ruling())
    blocks = [*_FENCED.finditer(reply)]
    fenced = [one for b in blocks for one in _naming(reply, names, *b.span())]
    bare = _naming(_FENCED.sub(lambda b: " " * len(b[0]), reply), names)
    words = _in_words(reply, names)
    if not fenced and not bare:
        return words if all(one.verdict for one in words.values()) else unread
    found, rivals = _last(fenced, reply), bare
    if not any(ruling.verdict for ruling in found.values()):
        in_order = sorted([*fenced, *bare], key=lambda one: one.start)
        found, rivals = _last(in_order, reply), fenced
    for other in [words, *(one.rulings for one in rivals)]:
        for name in other.keys() & found.keys():
            if {found[name].verdict, other[name].verdict} == {"correct", "incorrect"}:
                return unread
    return unread | found


_FENCED = re.compile(r"```.*?(?:```|\Z)", re.S)
_GLUE = {"json", "and", "s"}
"""Words that may be between the objects of two names."""


class _Naming(NamedTuple):
    """An object that names answerers: `reply[start:end]`."""

    rulings: dict[str, Ruling]
    start: int
    end: int


def _naming(
    reply: str, names: Sequence[str], start: int = 0, end: int | None = None
) -> list[_Naming]:
    """The objects that name somebody, in order, however deep in others."""
    found: list[_Naming] = []
    waiting: list[Value] = [*reversed(objects(reply, start, end))]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, Object):
            said: dict[str, list[Ruling]] = {}
            for key, value in one.pairs:
                spelt, inner = key, value
                if _plain(key) == "name" and isinstance(value, Scalar):
                    spelt, inner = _text(value), one
                if name := _named(spelt, names):
                    said.setdefault(name, []).append(_ruling(inner, reply))
            if said:
                rulings = {name: _agreed(many) for name, many in said.items()}
                found.append(_Naming(rulings, one.start, one.end))
            else:
                waiting += reversed([value for _, value in one.pairs])
    return found


def _last(naming: Sequence[_Naming], reply: str) -> dict[str, Ruling]:
    """The rulings of the last object, and of those directly before it on others."""
    found: dict[str, Ruling] = {}
    start = len(reply)
    for one in reversed(naming):
        if found:
            between = {*re.findall(r"[^\W\d_]+", reply[one.end : start].lower())}
            if found.keys() & one.rulings.keys() or between - _GLUE:
                break
        found, start = one.rulings | found, one.start
    return found


_WORDS: dict[str, Verdict] = {
    **dict.fromkeys(("correct", "right", "yes", "true"), "correct"),
    **dict.fromkeys(("incorrect", "wrong", "no", "false"), "incorrect"),
}
_WORD = re.compile(r"[a-z]+", re.I)
_PROBABILITY = re.compile(r"\s*+([0-9]{0,3}\.?[0-9]{1,9})\s*+(%?)\s*+")


def _ruling(value: Value, reply: str) -> Ruling:
    if isinstance(value, Scalar):
        return _verdict(_text(value), reply, value.start, value.end)
    pairs = value.pairs if isinstance(value, Object) else ()
    fields = [(_plain(key), said) for key, said in pairs if isinstance(said, Scalar)]
    stated = _agreed([_ruling(v, reply) for key, v in fields if key == "verdict"])
    numbers = [_confidence(v.value) for key, v in fields if "confidence" in key]
    return stated._replace(confidence=_same(numbers))


def _verdict(text: str, reply: str, start: int, end: int) -> Ruling:
    verdict = _WORDS.get(_plain(text))
    word = _WORD.search(reply, start, end)
    place = word.span() if word and word[0].lower() == verdict else None
    return Ruling(verdict, None, place)


def _text(value: Scalar) -> str:
    """Words and truth values as text; numbers are nobody's name and no verdict."""
    return str(value.value) if isinstance(value.value, str | bool) else ""


def _confidence(said: object) -> float | None:
    if isinstance(said, str) and (match := _PROBABILITY.fullmatch(said)):
        said = float(match[1]) / (100 if match[2] else 1)
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return float(said) if 0.5 <= said <= 1 else None


def _agreed(rulings: Sequence[Ruling]) -> Ruling:
    """What repeated keys have in common; unread where they contradict each other."""
    verdict: Verdict | None = _same([one.verdict for one in rulings])
    confidence = _same([one.confidence for one in rulings])
    return Ruling(verdict, confidence, rulings[-1].place if verdict else None)


_Item = TypeVar("_Item")


def _same(values: Sequence[_Item | None]) -> _Item | None:
    return values[0] if len({*values}) == 1 else None


_OWN = r"(?:answer|solution|program|code|grids?|stance)"


def _named(key: str, names: Sequence[str]) -> str | None:
    """Whom a key names: nobody if there is more to it, such as "not Alice"."""
    own = re.compile(rf"(?:['’]s)?(?: (?:final |last )?{_OWN})?")
    plain = _plain(key)
    for name in map(_plain, names):
        if plain.startswith(name) and own.fullmatch(plain, len(name)):
            return next(one for one in names if _plain(one) == name)
    return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


_LONGEST = 200
"""Characters of a line that is a ruling in words; longer ones are prose."""
_D = r"[\s\xa0*_`\"“”|]*+"


def _in_words(reply: str, names: Sequence[str]) -> dict[str, Ruling]:
    """The rulings of the last lines, as far as these say nothing else."""
    form = re.compile(
        rf"\b(?P<name>{'|'.join(map(re.escape, names))})\b(?:['’]s)?{_D}{_OWN}?{_D}"
        rf"(?:[:=→–—-]|is\b|was\b)?{_D}(?P<verdict>{'|'.join(_WORDS)})\b{_D}"
        rf"(?:[,;(–—-]?{_D}(?:with|at)?{_D}(?:a\b)?{_D}(?:confidence)?{_D}(?:of\b)?{_D}"
        rf"[:=]?{_D}(?P<confidence>\d*\.?\d+\s?%?){_D}(?:confidence|confident)?)?",
        re.I | re.A,  # "ı" is no "i"
    )
    said: dict[str, list[Ruling]] = {name: [] for name in names}
    for line in reversed([*re.finditer(r"[^\n]+", reply)]):
        if not re.search(r"\w", line[0]):
            continue
        matches = (
            [*form.finditer(reply, *line.span())] if len(line[0]) < _LONGEST else []
        )
        rest = re.sub(r"\band\b|\A\W*\d\d?[.)]\s", "", form.sub("", line[0]))
        if not matches or re.search(r"[^\W_]", rest):
            break
        for match in matches:
            name = next(n for n in names if n.lower() == match["name"].lower())
            ruling = _verdict(match["verdict"], reply, *match.span("verdict"))
            sure = _confidence(match["confidence"])
            said[name].append(ruling._replace(confidence=sure))
    return {name: _agreed(found) for name, found in said.items()}
