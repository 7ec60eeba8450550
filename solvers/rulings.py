"""A judge's rulings on named answers: how they are read, and what they come to.

Nothing is guessed: what is missing, contradictory or out of range is None.
"""

import re
from collections.abc import Mapping, Sequence
from statistics import multimode
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
    votes = [turn.fields[name] for turn in readable(debate) if name in turn.fields]
    most = multimode(votes)
    return most[0] == "correct" if len(most) == 1 else None


def readable(debate: Debate) -> list[Turn]:
    """The verdicts that do not contradict themselves."""
    last = last_stance(debate)
    turns = debate.of("verdict")
    return [one for one in turns if not (last and contradicts(one.fields, last))]


def last_stance(debate: Debate) -> Turn | None:
    """The last speech of a critic in which its stance was read."""
    speeches = [turn for turn in debate.of("speech") if turn.fields.get("stance")]
    return speeches[-1] if speeches else None


def contradicts(rulings: Mapping[str, Any], speech: Turn) -> bool:
    """Whether the ruling on a critic's stance contradicts that on the answer."""
    who, stance = speech.speaker, speech.fields.get("stance")
    on_stance = rulings.get(who)
    on_answer = next(rulings.get(name) for name in PROPOSERS if name != who)
    if not (stance and on_stance and on_answer):
        return False
    return bool((on_stance == on_answer) != (stance == "agree"))


def reward(scored: Turn, candidate: Turn) -> float | None:
    """How far a judge sides with the speaker of a candidate, from -1 to 1.

    It is 2c - 1 for a ruling on the speaker's answer, or a critic's stance, with a
    confidence of c, negated if that is "incorrect"; None if something was not read.
    """
    verdict = scored.fields.get(candidate.speaker)
    confidence = scored.fields.get(f"{candidate.speaker}_confidence")
    if candidate.status != "ok" or verdict is None or confidence is None:
        return None
    if contradicts(scored.fields, candidate):
        return None
    signed = 2 * float(confidence) - 1
    return signed if verdict == "correct" else -signed


# --- How rulings are read -------------------------------------------------------------


def read_rulings(reply: str, names: Sequence[str]) -> dict[str, Ruling]:
    """Read the rulings on named answers.

    The form is `{"Alice": {"verdict": "correct", "confidence": 0.8}, "Bob": ...}`. Also
    read are bare verdicts in place of the inner objects, an object for each name and,
    in a reply without objects, last lines such as "Alice: correct, confidence 0.8", if
    there is one for every name.

    The last object counts; if there are some in fenced blocks, the last of these.
    Nothing is read if what is outside of fenced blocks, or the last lines, differ from
    it in a verdict, because one of them may quote a debater.
    """
    unread = dict.fromkeys(names, Ruling())
    spans = [block.span() for block in _FENCED.finditer(reply)]
    inside = [one for span in spans for one in objects(reply, *span)]
    outside = objects(_FENCED.sub(lambda block: " " * len(block[0]), reply))
    fenced, bare = (_naming([*some], names, reply) for some in (inside, outside))
    words = _in_words(reply, names)
    if not fenced and not bare:
        return words if all(one.verdict for one in words.values()) else unread
    found = _last(fenced or bare, reply)
    for rival in [words, *(one.rulings for one in bare if fenced)]:
        for name in rival.keys() & found.keys():
            if {found[name].verdict, rival[name].verdict} == {"correct", "incorrect"}:
                return unread
    return unread | found


_FENCED = re.compile(r"```.*?(?:```|\Z)", re.S)


class _Naming(NamedTuple):
    rulings: dict[str, Ruling]
    start: int
    end: int


def _naming(value: Value, names: Sequence[str], reply: str) -> list[_Naming]:
    """The objects that name somebody, in order, however deep in others."""
    if isinstance(value, list):
        return [one for item in value for one in _naming(item, names, reply)]
    if not isinstance(value, Object):
        return []
    plain, said = {_plain(name): name for name in names}, dict[str, list[Ruling]]()
    for key, inner in value.pairs:
        label, ruled = key, inner
        if isinstance(inner, Scalar) and _plain(key) == "name":
            label, ruled = str(inner.value), value
        if name := plain.get(_plain(label).removesuffix("'s answer")):
            said.setdefault(name, []).append(_ruling(ruled, reply))
    if not said:
        return _naming([inner for _, inner in value.pairs], names, reply)
    rulings = {name: _agreed(many) for name, many in said.items()}
    return [_Naming(rulings, value.start, value.end)]


def _last(naming: Sequence[_Naming], reply: str) -> dict[str, Ruling]:
    """The rulings of the last object, and of those directly before it on others."""
    *before, last = naming
    found, start = last.rulings, last.start
    for one in reversed(before):
        between = reply[one.end : start].replace("json", "")
        if found.keys() & one.rulings.keys() or re.search(r"\w", between):
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
        said = value.value if isinstance(value.value, str | bool) else ""
        return _verdict(str(said), reply, value.start, value.end)
    pairs = value.pairs if isinstance(value, Object) else ()
    fields = [(_plain(key), said) for key, said in pairs if isinstance(said, Scalar)]
    stated = _agreed([_ruling(said, reply) for key, said in fields if key == "verdict"])
    numbers = [_confidence(said.value) for key, said in fields if key == "confidence"]
    return stated._replace(confidence=_same(numbers))


def _verdict(text: str, reply: str, start: int, end: int) -> Ruling:
    verdict = _WORDS.get(_plain(text))
    word = _WORD.search(reply, start, end)
    place = word.span() if word and word[0].lower() == verdict else None
    return Ruling(verdict, None, place)


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


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("’", "'").split())


_LINE = re.compile(
    rf"\W*+(?:\d\W++)?(?P<name>\w++)(?:['’]s answer)?\W*+(?:is\b)?\W*+"
    rf"(?P<said>{'|'.join(_WORDS)})\b[^\w.]*+(?:(?:with )?confidence[^\w.]*+)?"
    r"(?P<sure>(?:\d++(?:\.\d++)?|\.\d++) ?%?)?\W*+",
    re.I,
)


def _in_words(reply: str, names: Sequence[str]) -> dict[str, Ruling]:
    """The rulings of the last lines, as far as these say nothing else."""
    plain = {_plain(name): name for name in names}
    said: dict[str, list[Ruling]] = {name: [] for name in names}
    for line in reversed([*re.finditer(r"[^\n]+", reply)]):
        if not re.search(r"\w", line[0]):
            continue
        match = _LINE.fullmatch(reply, *line.span())
        name = plain.get(_plain(match["name"])) if match else None
        if not match or not name:
            break
        ruling = _verdict(match["said"], reply, *match.span("said"))
        said[name].append(ruling._replace(confidence=_confidence(match["sure"])))
    return {name: _agreed(found) for name, found in said.items()}
