"""The names of spans: one function makes them, one reads them.

The viewer's outline shows what follows the last slash of a name, so names have none.
"""

import re
from typing import NamedTuple, get_args

from inspect_debate.core.record import Kind, Order

_GRAMMAR = re.compile(
    r"(?P<stage>answer|sample|recall|critique|update|round(?= \d)|candidate|reward|bet"
    r"|verdict|grade)"
    r"(?: (?P<number>\d+))?"
    r": (?P<participant>[a-z]+(?:_[a-z0-9]+)*)(?: (?P<order>ab|ba))?"
)

_ORDERS: dict[str, Order] = {order: order for order in get_args(Order)}
_KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
_STAGES: dict[str, Kind] = {**_KINDS, "round": "speech"}


class SpanName(NamedTuple):
    """What a span's name says.

    `number` is the round of a speech or update, or after which a verdict was given, or
    the draw of an answer, a candidate or its reward; else None. The participant of a
    reward is the one whose candidate it is for.
    """

    kind: Kind
    number: int | None
    participant: str
    order: Order | None


def span_name(
    kind: Kind,
    participant: str,
    number: int | None = None,
    order: Order | None = None,
) -> str:
    """The name of the span around one turn, e.g. `round 2: debater_b`."""
    stage: str = "round" if kind == "speech" else kind
    stage += "" if number is None else f" {number}"
    return f"{stage}: {participant}" + (f" {order}" if order else "")


def best_of_name(round: int) -> str:
    """The name of the span around a round's candidates and their rewards."""
    return f"round {round}, best of several"


def read_span_name(name: str) -> SpanName | None:
    """What a span's name says, or None for a span that is not a turn's."""
    match = _GRAMMAR.fullmatch(name)
    if match is None:
        return None
    kind = _STAGES[match["stage"]]
    order = _ORDERS.get(match["order"])
    number = None if match["number"] is None else int(match["number"])
    return SpanName(kind, number, match["participant"], order)
