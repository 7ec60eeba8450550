"""A judge's rulings on named answers, and a critic's stance, as they are written.

A judge reasons freely and ends with one JSON object keyed by display name. Reading is
linear in the text, because the text is written by a model.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from inspect_debate.core.parsing import choice_line
from inspect_debate.core.record import Parsed, Status

_UNPARSED = Parsed.unparsed()


class Ruling(NamedTuple):
    """What a judge says of one answer.

    Attributes:
        verdict: "correct" or "incorrect".
        confidence: The probability that the verdict is right, from 0.5 to 1.
    """

    verdict: Parsed
    confidence: Parsed


def read_rulings(text: str, names: Sequence[str]) -> dict[str, Ruling]:
    """Read the rulings on named answers from the object that a judge ends with.

    The form is `{"Alice": {"verdict": "correct", "confidence": 0.8}, ...}`; the bare
    verdict may stand for the inner object, and the whole in an outer one. Only objects
    that are valid JSON, but for a trailing comma or a bare `.8`, and name somebody
    count: the last in a fenced block if a verdict can be read from it, otherwise the
    last of all. It stands alone, but where objects inside and outside of fenced blocks
    differ in a verdict nothing is read: one of them may quote a debater.

    Args:
        text: A completion.
        names: Whose answers are ruled on. A key names somebody if it is the same but
            for case, underscores and blanks.

    Returns:
        A ruling for each of the names. What is missing, contradictory or out of range
        is unparsed, never guessed or clipped, and does not touch what stands beside it.
    """
    found = _last_rulings(text, names)
    return {name: _of(name, found) for name in names}


def read_stance(text: str) -> Parsed:
    """Read "agree" or "disagree" from the last `Stance:` line of a critic's speech."""
    return choice_line(text, "Stance", {"agree": ["agree"], "disagree": ["disagree"]})


class _Object(tuple[tuple[str, object], ...]):
    """The keys and values of a JSON object, in order, so that repeated keys show."""


_NESTING = 6
"""How deep objects may nest. A bound keeps the search linear and safe from recursion.

A bracket is then looked at from the few around it only, and a quotation mark as
opening and as closing; there are no other readings, as no word has a backslash.
"""

_STRING = r'"(?:[^"\\]|\\.)*+"'


def _bracketed(depth: int) -> str:
    inner = rf"|[{{\[]{_bracketed(depth - 1)}[}}\]]" if depth else ""
    return rf'(?:[^"\\{{}}\[\]]++|{_STRING}{inner})*+'


_CANDIDATE = re.compile(rf"\{{{_bracketed(_NESTING)}\}}", re.S)
_NEARLY = re.compile(
    rf"(?P<kept>{_STRING})|,(?=\s*+[}}\]])|(?P<zero>(?<=[:\s])(?=\.[0-9]))", re.S
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.S)


def _last_rulings(text: str, names: Sequence[str]) -> _Object:
    blocks = _FENCED.findall(text)
    fenced = [found for block in blocks for found in _naming(names, block)]
    if fenced and _readable(fenced[-1], names):
        last, rivals = fenced[-1], [*_naming(names, _FENCED.sub("x", text))]
    else:
        last, rivals = [_Object(), *_naming(names, text)][-1], fenced
    verdicts = _readable(last, names)
    for rival in rivals:
        for name, verdict in _readable(rival, names).items():
            if verdicts.get(name, verdict) != verdict:
                return _Object()
    return last


def _readable(found: _Object, names: Sequence[str]) -> dict[str, Parsed]:
    """The verdicts that can be read from an object."""
    verdicts = {name: _of(name, found).verdict for name in names}
    return {name: v for name, v in verdicts.items() if v.status == Status.OK}


def _naming(names: Sequence[str], text: str) -> Iterator[_Object]:
    """The objects of a text that have one of the names as a key."""
    wanted = {_plain(name) for name in names}
    for found in _objects(text):
        for each in _with_inner(found):
            if any(_plain(key) in wanted for key, _ in each):
                yield each
                break


def _objects(text: str) -> Iterator[_Object]:
    """The outermost JSON objects of a text, in order."""
    start = 0
    while match := _CANDIDATE.search(text, start):
        try:
            yield _loaded(match.group())
        except ValueError:
            start = match.start() + 1
        else:
            start = match.end()


def _loaded(text: str) -> _Object:
    plain = _NEARLY.sub(
        lambda match: match["kept"] or ("" if match["zero"] is None else "0"), text
    )
    found: _Object = json.loads(plain, strict=False, object_pairs_hook=_Object)
    return found


def _with_inner(found: _Object) -> Iterator[_Object]:
    """An object, and the objects in it, outer ones before those that they hold."""
    yield found
    for _, value in reversed(found):
        if isinstance(value, _Object):
            yield from _with_inner(value)


def _of(name: str, rulings: _Object) -> Ruling:
    found = [_ruling(value) for key, value in rulings if _plain(key) == _plain(name)]
    return Ruling(
        _agreed(ruling.verdict for ruling in found),
        _agreed(ruling.confidence for ruling in found),
    )


def _ruling(value: object) -> Ruling:
    if not isinstance(value, _Object):
        return Ruling(_verdict(value), _UNPARSED)
    return Ruling(
        _agreed(_verdict(v) for key, v in value if _plain(key) == "verdict"),
        _agreed(_confidence(v) for key, v in value if _plain(key) == "confidence"),
    )


def _agreed(values: Iterable[Parsed]) -> Parsed:
    """What repeated keys have in common; unparsed if they contradict each other."""
    first, *others = [*values] or [_UNPARSED]
    return first if all(other == first for other in others) else _UNPARSED


_VERDICTS = {
    **dict.fromkeys(("correct", "right", "yes", "true"), Parsed.ok("correct")),
    **dict.fromkeys(("incorrect", "wrong", "no", "false"), Parsed.ok("incorrect")),
}


def _verdict(value: object) -> Parsed:
    if isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return _UNPARSED
    return _VERDICTS.get(_plain(value), _UNPARSED)


_PROBABILITY = re.compile(r"\s*+([0-9]{0,3}\.?[0-9]{1,9})\s*+(%?)\s*+")


def _confidence(value: object) -> Parsed:
    if isinstance(value, str) and (match := _PROBABILITY.fullmatch(value)):
        value = float(match[1]) / (100 if match[2] else 1)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _UNPARSED
    return Parsed.ok(float(value)) if 0.5 <= value <= 1 else _UNPARSED


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())
