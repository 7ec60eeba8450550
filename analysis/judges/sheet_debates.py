"""Which debates can be put before human judges: those between two answers."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from inspect_debate.analysis.debates import Held
from inspect_debate.core.free_answers import right_forms
from inspect_debate.core.record import DebateRecord, Participant

DebateKey = tuple[str, str, int]
"""A debate's run, sample and epoch."""

_OTHERWISE_JUDGED = {
    "rulings": "the judge rules on every answer by itself, not between two",
    "arbitration": "the judge rules on a passage, or on answers in their own words",
}


@dataclass(frozen=True)
class Contest:
    """A debate between two answers, in the order in which they stand among the choices.

    `speakers` are those who argued, in the order of the answers that they defend; in a
    consultancy there is one.
    """

    held: Held
    record: DebateRecord
    answers: tuple[str, str]
    speakers: tuple[Participant, ...]

    @property
    def key(self) -> DebateKey:
        """Which debate of which run."""
        return key_of(self.held)

    @property
    def accepted(self) -> set[str]:
        """The choices that are right, argued for or not; empty if that is not known."""
        target = self.held.sample.target
        targets = [target] if isinstance(target, str) else target
        return right_forms(self.record, targets) & set(self.record.choices)

    @property
    def question(self) -> str:
        """What makes debates dependent: the item's input, or the question itself."""
        known = self.held.sample.metadata
        group = known.get("input_group") or known.get("question_id")
        return str(group or self.record.question)


def key_of(held: Held) -> DebateKey:
    """Which debate of which run."""
    run = held.log.header.eval.eval_id
    return run, str(held.sample.id), held.sample.epoch


class Contests(NamedTuple):
    """The debates that can be judged, and how many cannot, by the reason."""

    found: list[Contest]
    left_out: Counter[str]


def contests(debates: Iterable[Held]) -> Contests:
    """Those of some debates that a person can decide."""
    found, left_out = [], Counter[str]()
    for held in debates:
        one = contest(held)
        if isinstance(one, str):
            left_out[one] += 1
        else:
            found.append(one)
    return Contests(found, left_out)


def contest(held: Held) -> Contest | str:
    """A debate that a person can decide, or why it is none."""
    record = held.record
    if record is None or not record.complete:
        return "it did not end"
    if record.aggregation in _OTHERWISE_JUDGED:
        return _OTHERWISE_JUDGED[record.aggregation]
    if not record.debated:
        return record.undebated_because or "nobody spoke"
    spoke = {turn.participant for turn in record.of_kind("speech")}
    sides = [p for p in record.participants if p.defends and p.id in spoke]
    defended = {p.defends for p in sides}
    pair = [choice for choice in record.choices if choice in defended]
    if len(pair) == 1 and len(record.choices) == 2:
        pair = [*record.choices]
    if len(pair) != 2:
        return "it was not between two answers"
    sides.sort(key=lambda p: pair.index(str(p.defends)))
    return Contest(held, record, (pair[0], pair[1]), tuple(sides))
