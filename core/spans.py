"""The names of spans: one function makes them, one reads them.

The viewer's outline shows what follows the last slash of a name, so names have none.
"""

import re
from typing import NamedTuple

from inspect_debate.core.record import Kind, Order

_GRAMMAR = re.compile(
    r"(?:(?P<answer>answer)|round (?P<round>\d+)|(?P<verdict>verdict))"
    r": (?P<participant>[a-z]+(?:_[a-z0-9]+)*)(?: (?P<order>ab|ba))?"
)


class SpanName(NamedTuple):
    """What a span's name says; `round` is 0 for answers and verdicts."""

    kind: Kind
    round: int
    participant: str
    order: Order | None


def span_name(
    kind: Kind, participant: str, round: int = 0, order: Order | None = None
) -> str:
    """The name of the span around one turn, e.g. `round 2: debater_b`."""
    stage = f"round {round}" if kind == "speech" else kind
    return f"{stage}: {participant}" + (f" {order}" if order else "")


def read_span_name(name: str) -> SpanName | None:
    """What a span's name says, or None for a span that is not a turn's."""
    match = _GRAMMAR.fullmatch(name)
    if match is None:
        return None
    kind: Kind = (
        "answer" if match["answer"] else "verdict" if match["verdict"] else "speech"
    )
    order: Order | None = (
        "ab" if match["order"] == "ab" else "ba" if match["order"] == "ba" else None
    )
    return SpanName(kind, int(match["round"] or 0), match["participant"], order)
