"""The estimate of a run, and what must be known to read it."""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.power import smallest_difference
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    POINTS,
    Format,
    Notice,
    Report,
    listed,
)
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.logs import Log
from inspect_debate.reports.prediction import Prediction, Spent, spent, summed
from inspect_debate.reports.views import DataReport, Part, Rows

# How long a run takes at a given latency.


class Minutes(NamedTuple):
    """At least and at most how long a run takes, in minutes."""

    low: float
    high: float


def minutes(
    calls: Iterable[float], depth: int, *, seconds: float, connections: int
) -> Minutes:
    """How long calls take whose waiting for each other is known.

    Calls are made as soon as they can be, each model with its own connections. Then a
    run takes at least as long as its busiest model and as one sample, and at most as
    long as all calls on one model's connections and then one more sample (Graham's
    bounds of list scheduling, 1966).

    Args:
        calls: Number of calls of each model.
        depth: Calls one after the other in a sample.
        seconds: That a call takes.
        connections: Of each model at once.
    """
    numbers = [*calls]
    alone = depth * seconds
    busiest, all = (n * seconds / connections for n in (max(numbers), sum(numbers)))
    return Minutes(max(busiest, alone) / 60, (all + alone) / 60)


# The tables of an estimate.

DISCORDANCES = (0.05, 0.1, 0.2, 0.3, 0.5)
"""For which shares of items the table of power has the smallest difference."""

_MINUTES = Format(digits=1)
_FORMATS = {
    **dict.fromkeys(("samples debated", "calls", "input tokens"), COUNT),
    **dict.fromkeys(("of them cached", "output tokens"), COUNT),
    **dict.fromkeys(("cost", "cost uncached"), Format(digits=2)),
    "minutes": _MINUTES,
}
_OFF = "off by, %"
_AS_MANY = "with as many debates"


class Planned(NamedTuple):
    """A run as it is planned: its task, and how many items it has how often."""

    task: str
    items: int
    epochs: int


class Pace(NamedTuple):
    """How fast calls are answered: seconds of each, and how many at once per model."""

    seconds: float
    connections: int


class Estimated(NamedTuple):
    """All that the report of an estimate is about.

    Attributes:
        planned: The run.
        prediction: What it takes.
        shown: The rehearsal, from which that was predicted.
        pace: How fast calls are answered.
        actual: What the run itself took, if it is over.
        took: How long it took, in minutes.
    """

    planned: Planned
    prediction: Prediction
    shown: Spent
    pace: Pace
    actual: Spent | None = None
    took: float = 0.0

    def minutes(self, debated: float) -> Minutes:
        """How long the run takes, if so many of its samples are debated."""
        prediction = self.prediction
        skips = debated == 0 and prediction.depth_skipped is not None
        depth = prediction.depth_skipped if skips else prediction.depth
        return minutes(
            prediction.at(debated).groupby(level="model")["calls"].sum(),
            depth or 0,
            seconds=self.pace.seconds,
            connections=self.pace.connections,
        )


def _scenarios(prediction: Prediction) -> dict[str, float]:
    """How many samples may be debated, by what each number is."""
    n, share = prediction.samples, prediction.share
    if prediction.certain:
        return {"all samples": n}
    return {
        "none debated": 0.0,
        "low (95 %)": share.low * n,
        "as rehearsed": share.value * n,
        "high (95 %)": share.high * n,
        "all debated": n,
    }


def _sums(costs: pd.DataFrame) -> dict[str, float]:
    summed = costs.sum(skipna=False)
    cached = summed["cache_read_tokens"]
    read = summed["input_tokens"] + cached + summed["cache_write_tokens"]
    return {
        "calls": float(summed["calls"]),
        "input tokens": float(read),
        "of them cached": float(cached),
        "output tokens": float(summed["output_tokens"]),
        "cost": float(summed["cost"]),
        "cost uncached": float(summed["uncached_cost"]),
    }


def _run(of: Estimated) -> Iterator[dict[str, object]]:
    for name, debated in _scenarios(of.prediction).items():
        took = of.minutes(debated)
        yield {
            "scenario": name,
            "samples debated": debated,
            **_sums(of.prediction.at(debated)),
            "minutes": Estimate(sum(took) / 2, *took),
        }


def _roles(of: Estimated) -> Iterator[dict[str, object]]:
    """By role and model, at the rehearsal's share of debates."""
    costs = of.prediction.at(of.prediction.share.value * of.prediction.samples)
    for role, model in costs.index:
        yield {"role": role, "model": model, **_sums(costs.loc[[(role, model)]])}


def _power(of: Estimated) -> Iterator[dict[str, object]]:
    """The smallest paired difference that the items show, if they are independent."""
    shares = dict.fromkeys(DISCORDANCES, "")
    changed = of.shown.debates["changed"].dropna()
    if ones := int(changed.sum()):
        shares[ones / len(changed)] = f"{ones} of {len(changed)}"
    for share in sorted(shares):
        row: dict[str, object] = {
            "only one condition right, %": share,
            "smallest difference, points": smallest_difference(of.planned.items, share),
        }
        yield row | ({"in the rehearsal": shares[share]} if ones else {})


def _debated(of: Estimated) -> dict[str, float]:
    """How many samples were estimated to be debated, and how many there were."""
    at = {"estimated": of.prediction.share.value * of.prediction.samples}
    if not of.prediction.certain and of.actual is not None:
        at[_AS_MANY] = float(of.actual.debates["went_on"].sum())
    return at


def _actual(of: Estimated) -> Iterator[dict[str, object]]:
    """A row per quantity of a run that is over, beside its estimate.

    What was estimated for the number of debates that there really were has a column of
    its own, where that number was not known before.
    """
    if of.actual is None:
        return
    at = _debated(of)
    costs = {name: of.prediction.at(debated) for name, debated in at.items()}
    costs["actual"] = summed(of.actual.costs)
    sums = {name: _sums(each) for name, each in costs.items()}
    cents = {name: 100 * each["cost"] for name, each in sums.items()}
    rows: dict[str, dict[str, Any]] = {
        "samples debated": at | {"actual": int(of.actual.debates["went_on"].sum())},
        **{what: {n: each[what] for n, each in sums.items()} for what in _COMPARED},
        "cost, US cents": cents,
    }
    for role, model in dict.fromkeys(
        pair for of in costs.values() for pair in of.index
    ):
        rows[f"tokens of {role} ({model})"] = {
            name: _tokens(each, role, model) for name, each in costs.items()
        }
    depth = int(of.actual.stages["depth"].max())
    rows["calls one after the other"] = dict.fromkeys(at, of.prediction.depth) | {
        "actual": depth
    }
    rows["minutes"] = {name: sum(of.minutes(n)) / 2 for name, n in at.items()} | {
        "actual": of.took
    }
    nearest = [*at][-1]
    for quantity, values in rows.items():
        actual = values["actual"]
        off = values[nearest] / actual - 1 if actual else math.nan
        yield {"quantity": quantity, **values, _OFF: off}


_COMPARED = ("calls", "input tokens", "of them cached", "output tokens")


def _tokens(costs: pd.DataFrame, role: str, model: str) -> float:
    if (role, model) not in costs.index:
        return 0.0
    sums = _sums(costs.loc[[(role, model)]])
    return sums["input tokens"] + sums["output tokens"]


# The report.


def _size(of: Estimated) -> str:
    planned, prediction = of.planned, of.prediction
    times = f", {planned.epochs} times each" if planned.epochs > 1 else ""
    fewest, most = prediction.calls
    skipped = prediction.depth_skipped
    ended = "" if skipped is None else f", or {skipped} where the answers end it"
    debated = "" if prediction.certain else "all are debated and "
    again = prediction.asked_again
    parts = [
        f"{prediction.samples} samples: {planned.items} items{times}.",
        f"{fewest:,.0f} to {most:,.0f} calls: the most if {debated}"
        f"{PERCENT(again.high)} % of what is asked has to be asked again; in the "
        f"rehearsal {_in_words(again)} turns had to.",
        f"Calls one after the other in a sample: {prediction.depth}{ended}.",
    ]
    if not prediction.certain:
        parts.append(
            "How many samples are debated is not known; of those in the rehearsal "
            f"{_in_words(prediction.share)} were, an interval that is `low` and `high` "
            "below."
        )
    return listed(parts)


def _in_short(of: Estimated) -> str:
    """The main result: what the run takes, if as many are debated as rehearsed."""
    samples = of.prediction.samples
    debated = of.prediction.share.value * samples
    sums, took = _sums(of.prediction.at(debated)), of.minutes(debated)
    tokens = sums["input tokens"] + sums["output tokens"]
    cost, without = (NUMBER(sums[name]) for name in ("cost", "cost uncached"))
    cached = "" if without == cost else f" ({without} uncached)"
    takes = (
        f"{COUNT(sums['calls'])} calls, {COUNT(tokens)} tokens, US$ {cost}{cached} and "
        f"{_MINUTES(took.low)} to {_MINUTES(took.high)} minutes"
    )
    if not of.prediction.certain:
        takes += f", if {COUNT(debated)} of {samples} samples are debated"
    return f"From {len(of.shown.debates)} of {of.planned.items} items: {takes}."


def _in_words(share: Share) -> str:
    low, high = PERCENT(share.low), PERCENT(share.high)
    return f"{share.value * share.n:.0f} of {share.n} ({low} to {high} %)"


def _notices(of: Estimated) -> Iterator[Notice]:
    yield from map(Notice, _warnings(of.prediction, of.shown))
    samples = of.prediction.samples
    if of.actual is not None and len(of.actual.debates) != samples:
        yield Notice(
            f"The run has {len(of.actual.debates)} complete debates, and not {samples} "
            "as estimated."
        )


def _warnings(prediction: Prediction, shown: Spent) -> Iterator[str]:
    if shown.varied:
        yield (
            "Votes are asked for only as long as they can matter: calls are those of "
            "the rehearsal's debates, no bounds, and of votes that wait for others "
            "none is among the calls one after the other."
        )
    if shown.left:
        yield (
            f"{shown.left} samples of the rehearsal have no complete debate and are "
            "left out."
        )
    if prediction.debated is None:
        yield (
            "No item of the rehearsal was debated, so what a debate costs is not "
            "known: rehearse more items."
        )
    parts = [prediction.answers, prediction.debated]
    costs = [part["cost"] for part in parts if part is not None]
    unpriced = sorted({model for cost in costs for _, model in cost[cost.isna()].index})
    if unpriced:
        yield f"No price is known of {', '.join(unpriced)}; give --prices FILE."
    turns = shown.costs.groupby(["stage", "debate"])["turns"].sum()
    for stage in ("answers", "debated"):
        if stage not in turns.index.get_level_values("stage"):
            continue
        seen = turns.loc[stage]
        if seen.min() != seen.max():
            yield (
                f"Items of the rehearsal took {seen.min():.0f} to {seen.max():.0f} "
                f"turns each ({stage}); the run may have others, and calls are a mean."
            )


REPORT: DataReport[Estimated] = DataReport(
    title=lambda of: f"Estimate of {of.planned.task}",
    source=_in_short,
    notices=_notices,
    parts=[
        Part(
            "Afterwards",
            [
                Rows[Estimated](
                    *("actual", "The run beside its estimate", _actual),
                    {
                        **dict.fromkeys(("estimated", _AS_MANY, "actual"), COUNT),
                        _OFF: POINTS,
                    },
                    note=lambda of: (
                        f"The last column is the difference between "
                        f"`{[*_debated(of)][-1]}` and `actual`, in percent of `actual`."
                    ),
                )
            ],
        ),
        Part(
            "Cost",
            [
                Rows[Estimated](
                    *("run", "What the run takes", _run, _FORMATS),
                    note=lambda of: (
                        f"At {of.pace.seconds:.3g} seconds a call and "
                        f"{of.pace.connections} connections per model; the minutes in "
                        "brackets are bounds. Input tokens include those read from a "
                        "provider's cache and written to it; simulated models read "
                        "what OpenAI would serve. Costs are in US dollars."
                    ),
                ),
                Rows[Estimated](
                    "roles",
                    lambda of: (
                        "What each role takes"
                        if of.prediction.certain
                        else "What each role takes, with the rehearsal's share of "
                        "debates"
                    ),
                    *(_roles, _FORMATS),
                ),
            ],
            _size,
        ),
        Part(
            "Power",
            [
                Rows[Estimated](
                    "power",
                    lambda of: (
                        f"The smallest difference that {of.planned.items} items show"
                    ),
                    _power,
                    {
                        "only one condition right, %": PERCENT,
                        "smallest difference, points": POINTS,
                    },
                    note="With 80 % power, by McNemar's mid-p test, two-sided at 5 %, "
                    "between two conditions on the same items of which exactly one "
                    "gets the share in the first column right. A dash: not even if it "
                    "is always the same one.",
                )
            ],
            "Items that share an input or a passage count for less; epochs add little.",
        ),
    ],
)
"""The report of an estimate."""


def estimate_report(
    planned: Planned,
    prediction: Prediction,
    shown: Spent,
    pace: Pace,
    actual: Sequence[Log] = (),
) -> Report:
    """The estimate of a run.

    Args:
        planned: The run.
        prediction: What it takes.
        shown: The rehearsal, from which that was predicted.
        pace: How fast calls are answered.
        actual: The logs of the run itself, if it is over.

    Raises:
        InputError: If the logs of the run have no complete record of a debate.
    """
    found = Estimated(planned, prediction, shown, pace)
    if actual:
        found = found._replace(actual=spent(actual), took=_minutes(actual))
    return REPORT.of(found)


def _minutes(logs: Sequence[Log]) -> float:
    """The wall time of runs, one after the other."""
    stats = [log.header.stats for log in logs]
    times = [
        datetime.fromisoformat(s.completed_at) - datetime.fromisoformat(s.started_at)
        for s in stats
        if s.completed_at and s.started_at
    ]
    return sum(time.total_seconds() for time in times) / 60
