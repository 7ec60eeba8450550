"""What the calls of runs say: models asked for and served, and prices."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import pandas as pd

from inspect_debate.debate.participants import PERSON
from inspect_debate.reports.debates import price
from inspect_debate.reports.elements import Notice, Table
from inspect_debate.reports.logs import Log
from inspect_debate.reports.probabilities import ProbabilityRow, probability_rows
from inspect_debate.reports.samples import Held, look_through, nothing

_Seen = TypeVar("_Seen")


class Calls(NamedTuple):
    """What the turns of all runs say.

    `served` counts turns by model asked for and model served; `prices` has the cost of
    a sample by run, id and epoch in US dollars, NaN where a price is unknown; `unread`
    names logs whose records could not be read; `probabilities` are those of judges.
    """

    served: Mapping[tuple[str, str], int]
    prices: Mapping[tuple[str, str, int], float]
    unread: Sequence[str]
    probabilities: Sequence[ProbabilityRow] = ()


class _Told(NamedTuple):
    """What the turns of one debate say."""

    served: Mapping[tuple[str, str], int]
    key: tuple[str, str, int]
    price: float
    probabilities: Sequence[ProbabilityRow]


def read_calls(logs: Sequence[Log]) -> Calls:
    """Go through the records of all logs once, log by log."""
    calls, _ = read_with_calls(logs, nothing)
    return calls


def read_with_calls(
    logs: Sequence[Log], look: Callable[[Held], _Seen]
) -> tuple[Calls, list[_Seen]]:
    """As `read_calls`, with what else there is to see in a debate.

    Args:
        logs: The logs.
        look: What is taken of a debate, as for `look_through`.

    Returns:
        The calls, and what was taken, log by log; of a log whose records could not all
        be read nothing.
    """
    served: Counter[tuple[str, str]] = Counter()
    prices: dict[tuple[str, str, int], float] = {}
    probabilities: list[ProbabilityRow] = []
    read, unread = look_through(logs, partial(_both, look))
    for told, _ in read:
        served.update(told.served)
        prices[told.key] = told.price
        probabilities += told.probabilities
    return Calls(served, prices, unread, probabilities), [found for _, found in read]


def _both(look: Callable[[Held], _Seen], held: Held) -> tuple[_Told, _Seen]:
    return _told(held), look(held)


def _told(held: Held) -> _Told:
    log, sample, record = held
    turns = [] if record is None else record.turns
    return _Told(
        Counter((turn.model, turn.served) for turn in turns),
        (log.header.eval.eval_id, str(sample.id), sample.epoch),
        price(turn for turn in turns if not turn.reused),
        probability_rows(held),
    )


def served_table(calls: Calls) -> Table | None:
    """Models asked for and served; None where people alone took part."""
    rows = [
        {"Asked for": asked, "Served": served, "Turns": turns}
        for (asked, served), turns in sorted(calls.served.items())
        if not asked.startswith(PERSON)
    ]
    if calls.served and not rows:
        return None
    return Table("served", "Models asked for and served", pd.DataFrame(rows))


def call_notices(calls: Calls) -> Iterator[Notice]:
    """Models of several names, and records that could not be read."""
    by_model: dict[str, list[str]] = {}
    for asked, served in sorted(calls.served):
        by_model.setdefault(asked, []).append(served)
    for asked, names in by_model.items():
        if len(names) > 1 or not _alike(asked, names[0]):
            yield Notice(f"{asked} was asked for and served as {', '.join(names)}.")
    for message in calls.unread:
        yield Notice(f"The turns could not be looked at: {message}")


def _alike(asked: str, served: str) -> bool:
    """Whether a provider's name is the model's, but for a date or version after it."""
    return served.rpartition("/")[2].startswith(asked.rpartition("/")[2])
