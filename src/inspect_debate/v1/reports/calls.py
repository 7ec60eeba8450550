"""What the calls of runs say: models asked for and served, and prices."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import pandas as pd
from inspect_ai.model import ModelUsage

from inspect_debate.v1.debate.participants import PERSON
from inspect_debate.v1.debate.record import Turn
from inspect_debate.v1.metrics.prices import rates, uncached
from inspect_debate.v1.reports.conditions import ConditionSamples, group_of
from inspect_debate.v1.reports.debates import price
from inspect_debate.v1.reports.elements import (
    COUNT,
    PERCENT,
    Format,
    Notice,
    Table,
    known_columns,
)
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.reports.probabilities import ProbabilityRow, probability_rows
from inspect_debate.v1.reports.samples import Held, look_through

_Seen = TypeVar("_Seen")


class Calls(NamedTuple):
    """What the turns of all runs say.

    `served` counts turns by model asked for and model served; `prices` has the cost of
    a sample by run, id and epoch in US dollars, NaN where a price is unknown; `unread`
    names logs whose records could not be read; `probabilities` are those of judges.
    `spent` has a row for each sample and role of which a price is known, with `PAID`.
    """

    served: Mapping[tuple[str, str], int]
    prices: Mapping[tuple[str, str, int], float]
    unread: Sequence[str]
    probabilities: Sequence[ProbabilityRow] = ()
    spent: pd.DataFrame = pd.DataFrame()


_TOKENS = ["fresh", "read", "written", "output"]
PAID = ["run", "id", "epoch", "role", "model", "right", "calls", *_TOKENS, "paid"]
"""Columns of what a role spent on a sample.

`right` is what the scorer has as `correct`, NaN where there is none; `fresh` are input
tokens that no cache has a part in, and `paid` is in US dollars.
"""


class _Told(NamedTuple):
    """What the turns of one debate say."""

    served: Mapping[tuple[str, str], int]
    key: tuple[str, str, int]
    price: float
    probabilities: Sequence[ProbabilityRow]
    spent: Sequence[tuple[Any, ...]]


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
    spent = pd.DataFrame([row for told, _ in read for row in told.spent], columns=PAID)
    calls = Calls(served, prices, unread, probabilities, spent)
    return calls, [found for _, found in read]


def _both(look: Callable[[Held], _Seen], held: Held) -> tuple[_Told, _Seen]:
    return _told(held), look(held)


def _told(held: Held) -> _Told:
    log, sample, record = held
    turns = [] if record is None else record.turns
    key = (log.header.eval.eval_id, str(sample.id), sample.epoch)
    new = [turn for turn in turns if not turn.reused]
    return _Told(
        Counter((turn.model, turn.served) for turn in turns),
        key,
        price(new),
        probability_rows(held),
        [(*key, *row) for row in _spent(held, new)],
    )


def _spent(held: Held, turns: Sequence[Turn]) -> Iterator[tuple[Any, ...]]:
    """What each role of each model spent, from `role` on; nothing without a price."""
    if all(turn.usage.total_cost is None for turn in turns):
        return
    values = [score.value for score in (held.sample.scores or {}).values()]
    known = (value.get("correct") for value in values if isinstance(value, Mapping))
    right = next((float(v) for v in known if isinstance(v, int | float)), math.nan)
    for role, model in dict.fromkeys((turn.role, turn.model) for turn in turns):
        own = [turn for turn in turns if (turn.role, turn.model) == (role, model)]
        used = sum((turn.usage for turn in own), ModelUsage())
        read, written = used.input_tokens_cache_read, used.input_tokens_cache_write
        tokens = (used.input_tokens, read or 0, written or 0, used.output_tokens)
        calls = sum(turn.calls for turn in own)
        yield (role, model, right, calls, *tokens, price(own))


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


_COLUMNS = ("Calls", "Input tokens", "Cached", "Paid", "Uncached", "Per right outcome")


def bill_table(parts: Sequence[ConditionSamples], calls: Calls) -> Table | None:
    """What was paid, by condition and role; None where no price is known.

    What it had been without a cache follows from the prices that explain what is paid.
    """
    spent = calls.spent
    if spent.empty:
        return None
    without = pd.Series(math.nan, spent.index)
    for _, own in spent.groupby("model"):
        tokens, paid = own[_TOKENS].to_numpy(float), own["paid"].to_numpy(float)
        without[own.index] = uncached(tokens, paid, rates(tokens, paid))
    spent = spent.assign(uncached=without)
    rows = []
    for part in parts:
        own = spent.merge(_samples(part.samples), on=_SAMPLE)
        by_role = own.groupby("role", sort=False)
        for role, of_role in [*by_role, ("all", own)] if len(own) else ():
            rows.append({**part.named, "Role": role, **_bill(of_role, own)})
    if not rows:
        return None
    table = Table(
        name="bill",
        title="What was paid",
        frame=pd.DataFrame(rows),
        groups=group_of(parts),
        formats={
            **dict.fromkeys(_COLUMNS[:2], COUNT),
            "Cached": PERCENT,
            **dict.fromkeys(_COLUMNS[3:], Format(digits=4)),
        },
        note="US dollars, without grading and without what another run paid for. "
        "Cached: percent of the input tokens that a provider's cache served. Uncached: "
        "what the same calls had cost without it.",
    )
    return known_columns(table)


_SAMPLE = ["run", "id", "epoch"]


def _samples(rows: pd.DataFrame) -> pd.DataFrame:
    """The samples of rows, some of which have an `id` of models and sample."""
    own = next(name for name in ("sample", "debate", "id") if name in rows)
    return rows.assign(id=rows[own].astype(str))[_SAMPLE].drop_duplicates()


def _bill(rows: pd.DataFrame, of_all: pd.DataFrame) -> dict[str, float]:
    """The cells of a role, or of all."""
    fresh, read, written, paid, without = (
        float(rows[name].sum(skipna=False))
        for name in ("fresh", "read", "written", "paid", "uncached")
    )
    samples = of_all.drop_duplicates(_SAMPLE)
    right = float(samples["right"].sum(min_count=1))
    sent = fresh + read + written
    values = (
        *(float(rows["calls"].sum()), sent, read / sent if sent else math.nan),
        *(paid, without, paid / right if right else math.nan),
    )
    return dict(zip(_COLUMNS, values, strict=True))


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
