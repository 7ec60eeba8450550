"""How many turns of a debate on answers were read, and how its answers were graded."""

from collections.abc import Sequence
from typing import get_args

from inspect_debate.core.record import (
    DebateRecord,
    GradeStatus,
    Kind,
    Parsed,
    Status,
)
from inspect_debate.core.rulings import proposers, verdict_field
from inspect_debate.scorers.common import Values

_GRADES: tuple[GradeStatus, ...] = get_args(GradeStatus)
_FIELDS: dict[str, tuple[tuple[Kind, ...], str]] = {
    "answers": (("answer",), "answer"),
    "speeches": (("speech", "candidate"), "speech"),
    "stances": (("speech", "candidate"), "stance"),
    "rewards": (("speech", "candidate"), "reward"),
}


COUNTED: dict[str, list[str]] = {
    **{
        group: [f"{group}_{status}" for status in Status]
        for group in (*_FIELDS, "verdicts")
    },
    "grades": [f"grades_{status}" for status in _GRADES],
}
"""The names of all counts, by what is counted."""


def statuses(record: DebateRecord) -> Values:
    """How many turns were read, and how many not, by reason; and answers by grade."""
    values: Values = {}
    for name, (kinds, field) in _FIELDS.items():
        asked = [
            turn.fields[field].status
            for turn in record.turns
            if turn.kind in kinds and field in turn.fields
        ]
        values |= {f"{name}_{status}": float(asked.count(status)) for status in Status}
    seats = proposers(record)
    ruled = [
        _trouble([turn.field(verdict_field(seat)) for seat in seats])
        for turn in record.of_kind("verdict")
    ]
    values |= {f"verdicts_{status}": float(ruled.count(status)) for status in Status}
    graded = [grade.status for grade in record.grades]
    return values | {f"grades_{kind}": float(graded.count(kind)) for kind in _GRADES}


def _trouble(fields: Sequence[Parsed]) -> Status:
    """How the rulings of one turn were read: the first trouble among them, or `ok`."""
    found = [field.status for field in fields]
    return next((status for status in found if status != Status.OK), Status.OK)
