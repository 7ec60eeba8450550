"""What a judge ruled on each answer, from the record alone."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf, nan
from typing import NamedTuple

from inspect_debate.v1.debate.answers import Decision, Span
from inspect_debate.v1.debate.conversation import RIGHT
from inspect_debate.v1.debate.outcome import Outcome, majority
from inspect_debate.v1.debate.parsing import choice_line
from inspect_debate.v1.debate.record import (
    DebateRecord,
    GradeStatus,
    Order,
    Parsed,
    Status,
    Turn,
    order_shown,
    without_answer,
)
from inspect_debate.v1.debate.rendering import table, table_cell

PROPOSERS = ("debater_a", "debater_b")
"""Who may have put an answer to the judge."""

CORRECT = "correct"
"""The ruling that an answer is right; the other is `incorrect`."""

CLASSES = {
    (True, True): "win-win",
    (True, False): "A alone",
    (False, True): "B alone",
    (False, False): "loss-loss",
    (True,): "accepted",
    (False,): "rejected",
}
"""What rulings on both answers, or on the one, come to."""


def verdict_field(participant: str) -> str:
    """The field with the ruling on a participant's answer, or on a critic's stance."""
    return f"verdict_{participant}"


def confidence_field(participant: str) -> str:
    """The field with the probability that the ruling is right."""
    return f"confidence_{participant}"


def proposers(record: DebateRecord) -> list[str]:
    """The participants whose answers were put to the judge, in order."""
    answered = {turn.participant for turn in record.of_kind("answer")}
    return [participant for participant in PROPOSERS if participant in answered]


def critic(record: DebateRecord) -> str | None:
    """The participant that spoke about another's answer, if there is one."""
    spoke = {turn.participant for turn in record.of_kind("speech")}
    silent = set(PROPOSERS) - set(proposers(record))
    return next(iter(spoke & silent), None)


def last_stance(turns: Iterable[Turn]) -> str | None:
    """The stance that a critic took last, `agree` or `disagree`, if one was read."""
    stances = [turn.field("stance").value for turn in turns if turn.kind == "speech"]
    known = [str(stance) for stance in stances if stance is not None]
    return known[-1] if known else None


def deciding_order(record: DebateRecord) -> Order | None:
    """The order of the verdicts that decide: that of each judge's first."""
    return next((turn.order for turn in record.of_kind("verdict")), None)


def ruling(
    record: DebateRecord,
    participant: str,
    judge: str | None = None,
    order: Order | None = None,
) -> Outcome:
    """What was ruled on a participant's answer (or, of a critic, on its stance).

    Args:
        record: The debate.
        participant: Whose answer.
        judge: Count this judge's verdict only; that of most judges by default, where a
            tie is given to nobody.
        order: Count verdicts given in this order; by default those that decide.
    """
    field = verdict_field(participant)
    return majority(turn.field(field) for turn in _verdicts(record, judge, order))


def stated_confidence(
    record: DebateRecord, participant: str, order: Order | None = None
) -> float:
    """The mean confidence of the judges' rulings on an answer; NaN if none was read."""
    field = confidence_field(participant)
    stated = [turn.field(field).value for turn in _verdicts(record, None, order)]
    known = [float(value) for value in stated if value is not None]
    return sum(known) / len(known) if known else nan


def ruled(
    record: DebateRecord, judge: str | None = None, order: Order | None = None
) -> Outcome:
    """What the rulings on all answers come to, as one word of `CLASSES`.

    The judge's own answer, or why there is none, where no other was put to it.
    """
    found = [
        ruling(record, participant, judge, order) for participant in proposers(record)
    ]
    if not found:
        return majority(turn.field("answer") for turn in record.of_kind("answer"))
    unread = next((one for one in found if one.answer is None), None)
    if unread is not None:
        return unread
    return Outcome(CLASSES[tuple(one.answer == CORRECT for one in found)], "ok")


def reward(scored: Turn, candidate: Turn) -> Parsed:
    """The reward of a candidate: how far the judge sides with its speaker, -1 to 1.

    The judge's confidence c that the speaker's answer (a critic's stance) is right
    counts as 2c - 1, and its confidence that it is not as -(2c - 1). There is none for
    a critic's candidate in which no stance could be read.

    Args:
        scored: The turn in which the candidate was ruled on.
        candidate: The candidate.
    """
    about, stance = str(scored.about), candidate.fields.get("stance")
    if stance is not None and stance.status != Status.OK:
        return Parsed(status=stance.status)
    verdict = scored.field(verdict_field(about))
    confidence = scored.field(confidence_field(about))
    for field in (verdict, confidence):
        if field.value is None:
            return Parsed(status=field.status)
    signed = 2 * float(confidence.value or 0) - 1
    return Parsed.ok(signed if verdict.value == CORRECT else -signed)


def best(rewards: Sequence[Parsed]) -> int:
    """The index of the highest reward; of several, and without any, the lowest."""
    values = [
        -inf if reward.value is None else float(reward.value) for reward in rewards
    ]
    return values.index(max(values))


def _verdicts(
    record: DebateRecord, judge: str | None, order: Order | None
) -> list[Turn]:
    wanted = order or deciding_order(record)
    return [
        turn
        for turn in record.of_kind("verdict")
        if judge in (None, turn.participant) and turn.order == wanted
    ]


# A judge's rulings on named answers, and a critic's stance, as they are written.
#
# A judge reasons freely and ends with one JSON object keyed by display name. Reading is
# linear in the text, because the text is written by a model.

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
    verdict may take the place of the inner object, and the whole may be in an outer
    one. Only objects that are valid JSON, but for a trailing comma or a bare `.8`, and
    name somebody count: the last in a fenced block if a verdict can be read from it,
    otherwise the last of all. It alone counts, but where objects inside and outside of
    fenced blocks differ in a verdict nothing is read: one of them may quote a debater.

    Args:
        text: A completion.
        names: Whose answers are ruled on. A key names somebody if it is the same but
            for case, underscores and blanks.

    Returns:
        A ruling for each of the names. What is missing, contradictory or out of range
        is unparsed, never guessed or clipped, and leaves the other field as it is.
    """
    found = _last_rulings(text, names)
    return {name: _of(name, found) for name in names}


def read_stance(text: str) -> Parsed:
    """Read "agree" or "disagree" from the last `Stance:` line of a critic's speech."""
    return choice_line(text, "Stance", {"agree": ["agree"], "disagree": ["disagree"]})


_NAMES = {
    CORRECT: ("correct", "right", "yes", "true"),
    "incorrect": ("incorrect", "wrong", "no", "false"),
}


def decisions_of(text: str, names: Mapping[str, str]) -> dict[str, Decision | None]:
    """Where a judge rules on each of some participants, by the field of the ruling.

    Args:
        text: A completion.
        names: Whose answers are ruled on: what each is called, by id.
    """
    blocks = [*_FENCED.finditer(text)]
    block = blocks[-1].span() if blocks else (text.find("{"), len(text))
    found: dict[str, Decision | None] = {}
    for id, name in names.items():
        spelt = r"[\s_]+".join(map(re.escape, re.split(r"[\s_]+", name)))
        key = rf'"{spelt}"\s*:\s*(?:\{{\s*"verdict"\s*:\s*)?"?(?P<said>[^\s",}}]+)'
        said = [*re.compile(key, re.I).finditer(text, *block)] if block[0] >= 0 else []
        place = Span(*said[-1].span("said")) if said else None
        found[verdict_field(id)] = place and Decision(place, block[0], _NAMES)
    return found


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
    said: Parsed.ok(verdict) for verdict, words in _NAMES.items() for said in words
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


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


# A debate on answers at a glance.


def rulings_card(record: DebateRecord) -> str:
    """Answers with their grades, speeches, and who ruled what, as Markdown."""
    ended = f"{ruled_in_words(record)}{RIGHT[_all_right(record)]}"
    lines = [f"**Outcome: {ended}**", "", *_answers(record)]
    if record.of_kind("verdict"):
        lines += ["", *_verdict_lines(record)]
    if any(t.fields.keys() & {"stance", "reward"} for t in record.of_kind("speech")):
        lines += ["", *_speeches(record)]
    lines += [f"\n⚠ {warning}" for warning in record.warnings]
    return "\n".join(lines)


def ruled_in_words(record: DebateRecord) -> str:
    """What was ruled on each answer: `Alice's answer endorsed, Bob's rejected`."""
    decided, answerers = ruled(record), proposers(record)
    if decided.answer is None:
        return without_answer(decided.status)
    if not answerers:
        return "the judge's own answer"
    words = {True: "endorsed", False: "rejected"}
    rulings = [
        words[ruling(record, participant).answer == CORRECT]
        for participant in answerers
    ]
    first, *others = (record.participant(participant).name for participant in answerers)
    names = [f"{first}'s answer", *(f"{name}'s" for name in others)]
    return ", ".join(
        f"{name} {word}" for name, word in zip(names, rulings, strict=True)
    )


def _all_right(record: DebateRecord) -> bool | None:
    """Whether all rulings are right, or without proposers the answers of all judges."""
    answerers, found = proposers(record), set[bool | None]()
    for grade in record.grades:
        if not answerers:
            found.add(grade.right)
        elif grade.participant in answerers:
            ruled_on = ruling(record, grade.participant).answer
            known = grade.right is not None and ruled_on is not None
            found.add((ruled_on == CORRECT) == grade.right if known else None)
    if None in found or not found:
        return None
    return False not in found


_RESULTS: dict[GradeStatus, str] = {
    "pass": "right",
    "fail": "wrong",
    "unparsed": "could not be read",
    "timeout": "ran out of time",
    "error": "could not be graded",
    "ineligible": "not graded: the task is not eligible",
}


def _answers(record: DebateRecord) -> list[str]:
    rows = []
    grades = {grade.participant: grade for grade in record.grades}
    for turn in record.of_kind("answer"):
        grade = grades.get(turn.participant)
        read = turn.field("answer").status
        result = "" if read == "ok" else str(read)
        cells = [result, "", ""]
        if grade is not None:
            parts = f"{grade.parts_right} of {grade.parts}"
            cells = [_RESULTS[grade.status], parts, table_cell(grade.note)]
        rows.append([_name(record, turn.participant), *cells])
    return table(["answer of", "result", "parts right", "note"], rows)


def _verdict_lines(record: DebateRecord) -> list[str]:
    rival = critic(record)
    ruled_on = [*proposers(record), *([rival] if rival else [])]
    names = [_name(record, id) for id in ruled_on]
    if rival:
        names[-1] += ", whose stance"
    rows = []
    for turn in record.of_kind("verdict"):
        order = f" ({order_shown(record, turn)})" if turn.order else ""
        name = _name(record, turn.participant)
        rows.append([f"{name}{order}", *(_ruling_line(turn, id) for id in ruled_on)])
    return table(["ruling on", *names], rows)


def _ruling_line(turn: Turn, id: str) -> str:
    verdict, confidence = (
        turn.field(verdict_field(id)),
        turn.field(confidence_field(id)),
    )
    sure = f" {confidence.value:g}" if isinstance(confidence.value, float) else ""
    return f"{_shown(verdict)}{sure}"


def _speeches(record: DebateRecord) -> list[str]:
    rows = []
    candidates = record.of_kind("candidate")
    for turn in record.of_kind("speech"):
        passed = [
            c
            for c in candidates
            if (c.participant, c.round) == (turn.participant, turn.round)
        ]
        rows.append(
            [
                str(turn.round),
                _name(record, turn.participant),
                _shown(turn.field("stance")),
                _shown(turn.field("reward")),
                str(len(passed) + 1) if passed else "",
            ]
        )
    return table(["round", "speech of", "stance", "reward", "of candidates"], rows)


def _name(record: DebateRecord, id: str) -> str:
    return record.participant(id).name


def _shown(parsed: Parsed) -> str:
    if parsed.value is None:
        return "" if parsed.status == "missing" else f"({parsed.status})"
    return f"{parsed.value:g}" if isinstance(parsed.value, float) else parsed.value
