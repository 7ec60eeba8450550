"""The estimate of a run, and what must be known to read it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from inspect_debate.debate.outcome import outcome
from inspect_debate.metrics.agreement import Share
from inspect_debate.reports.logs import Log
from inspect_debate.reports.prediction import Prediction, Spent, spent, summed
from inspect_debate.reports.report import (
    COUNT,
    PERCENT,
    POINTS,
    Column,
    Format,
    Notice,
    Report,
    Section,
    Table,
)
from inspect_debate.reports.samples import read_samples

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
"""For which shares of items the smallest difference is told."""

_DOLLARS, _MINUTES = Format(digits=2), Format(digits=1)
_FORMATS = {
    "samples debated": COUNT,
    "calls": COUNT,
    "input tokens": COUNT,
    "of them cached": COUNT,
    "output tokens": COUNT,
    "cost": _DOLLARS,
    "minutes": _MINUTES,
}


_OFF = "off by, %"


class Seen(NamedTuple):
    """How many of `n` debates changed the answer of debater A."""

    ones: int
    n: int


class Pace(NamedTuple):
    """How fast calls are answered: seconds of each, and how many at once per model."""

    seconds: float
    connections: int


def scenarios(prediction: Prediction) -> dict[str, float]:
    """How many samples may be debated, and what each number stands for."""
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


def run_table(prediction: Prediction, pace: Pace) -> Table:
    """What the run takes, by how many of its samples are debated."""
    rows = []
    for name, debated in scenarios(prediction).items():
        took = _time(prediction, debated, pace)
        rows.append(
            {"scenario": name, "samples debated": debated}
            | _sums(prediction.at(debated))
            | {
                "minutes": sum(took) / 2,
                "minutes low": took.low,
                "minutes high": took.high,
            }
        )
    return _table(
        "run",
        "What the run takes",
        rows,
        note=f"At {pace.seconds:.3g} seconds a call and {pace.connections} connections "
        "per model; the minutes in brackets are bounds. Input tokens include those "
        "read from a cache and written to it. Costs are in US dollars.",
    )


def role_table(prediction: Prediction) -> Table:
    """What the run takes by role and model, at the rehearsal's share of debates."""
    costs = prediction.at(prediction.share.value * prediction.samples)
    rows = [
        {"role": role, "model": model} | _sums(costs.loc[[(role, model)]])
        for role, model in costs.index
    ]
    how = "" if prediction.certain else ", with the rehearsal's share of debates"
    return _table("roles", f"What each role takes{how}", rows)


def power_table(n: int, seen: Seen) -> Table:
    """The smallest paired difference that items can show.

    Args:
        n: Number of items, which are taken to be independent.
        seen: A discordance that was seen.
    """
    shares = dict.fromkeys(DISCORDANCES, "")
    if seen.ones:
        shares[seen.ones / seen.n] = f"{seen.ones} of {seen.n}"
    rows = [
        {
            "only one condition right, %": share,
            "smallest difference, points": smallest_difference(n, share),
            "in the rehearsal": shares[share],
        }
        for share in sorted(shares)
    ]
    frame = pd.DataFrame(rows)
    return Table(
        "power",
        f"The smallest difference that {n} items show",
        frame if seen.ones else frame.drop(columns="in the rehearsal"),
        note="With 80 % power, by McNemar's mid-p test, two-sided at 5 %, between two "
        "conditions on the same items. The first column is the share of items that "
        "exactly one gets right. A dash: not even if it is always the same one. "
        "Items that share an input or a passage count for less; epochs add little.",
        formats={
            "only one condition right, %": PERCENT,
            "smallest difference, points": POINTS,
        },
    )


def actual_table(prediction: Prediction, run: Spent, pace: Pace, took: float) -> Table:
    """What a run took beside its estimate.

    Args:
        prediction: The estimate.
        run: What the finished run took.
        pace: How fast calls were taken to be answered.
        took: The run's wall time in minutes.

    Returns:
        A row per quantity; what was estimated for the number of debates that there
        really were stands in a column of its own, where that was not known before.
    """
    went_on = int(run.debates["went_on"].sum())
    at = {"estimated": prediction.share.value * prediction.samples}
    if not prediction.certain:
        at["with as many debates"] = went_on
    told = {name: prediction.at(debated) for name, debated in at.items()}
    ended = {name: _time(prediction, n, pace) for name, n in at.items()}
    told["actual"] = summed(run.costs)
    depths = dict.fromkeys(at, prediction.depth)
    rows: list[dict[str, object]] = [
        {"quantity": "samples debated", **at, "actual": went_on},
        *_beside(told),
        {
            "quantity": "calls one after the other",
            **depths,
            "actual": run.stages["depth"].max(),
        },
        {
            "quantity": "minutes",
            **{name: sum(bounds) / 2 for name, bounds in ended.items()},
            "actual": took,
        },
    ]
    frame = pd.DataFrame(rows)
    nearest = [*at][-1]
    frame[_OFF] = frame[nearest] / frame["actual"].where(frame["actual"] != 0) - 1
    return Table(
        "actual",
        "The run beside its estimate",
        frame,
        note=f"Of what stands under `{nearest}` the last column says by how much it is "
        "more or less than what there was.",
        formats={**dict.fromkeys((*at, "actual"), COUNT), _OFF: POINTS},
    )


def _beside(told: Mapping[str, pd.DataFrame]) -> Iterator[dict[str, object]]:
    sums = {name: _sums(costs) for name, costs in told.items()}
    for what in ("calls", "input tokens", "of them cached", "output tokens"):
        yield {"quantity": what} | {name: values[what] for name, values in sums.items()}
    yield {"quantity": "cost, US cents"} | {
        name: 100 * values["cost"] for name, values in sums.items()
    }
    every = dict.fromkeys(pair for costs in told.values() for pair in costs.index)
    for role, model in every:
        yield {"quantity": f"tokens of {role} ({model})"} | {
            name: _tokens(costs, role, model) for name, costs in told.items()
        }


def _time(prediction: Prediction, debated: float, pace: Pace) -> Minutes:
    skips = debated == 0 and prediction.depth_skipped is not None
    depth = prediction.depth_skipped if skips else prediction.depth
    return minutes(
        prediction.at(debated).groupby(level="model")["calls"].sum(),
        depth or 0,
        seconds=pace.seconds,
        connections=pace.connections,
    )


def _tokens(costs: pd.DataFrame, role: str, model: str) -> float:
    if (role, model) not in costs.index:
        return 0.0
    sums = _sums(costs.loc[[(role, model)]])
    return sums["input tokens"] + sums["output tokens"]


def _sums(costs: pd.DataFrame) -> dict[str, float]:
    summed = costs.sum(skipna=False)
    cached = summed["cache_read_tokens"]
    return {
        "calls": float(summed["calls"]),
        "input tokens": float(
            summed["input_tokens"] + cached + summed["cache_write_tokens"]
        ),
        "of them cached": float(cached),
        "output tokens": float(summed["output_tokens"]),
        "cost": float(summed["cost"]),
    }


def _table(
    name: str, title: str, rows: Iterable[Mapping[str, object]], note: str = ""
) -> Table:
    frame = pd.DataFrame(list(rows))
    shown: dict[Column, Format] = {c: f for c, f in _FORMATS.items() if c in frame}
    return Table(name, title, frame, note=note, formats=shown)


class Planned(NamedTuple):
    """A run as it is planned: its task, and how many items it has how often."""

    task: str
    items: int
    epochs: int


def estimate_report(
    planned: Planned,
    prediction: Prediction,
    shown: Spent,
    rehearsal: Sequence[Log],
    pace: Pace,
    actual: Sequence[Log] = (),
) -> Report:
    """The estimate of a run.

    Args:
        planned: The run.
        prediction: What it takes.
        shown: The rehearsal, from which that was predicted.
        rehearsal: The logs of the rehearsal.
        pace: How fast calls are answered.
        actual: The logs of the run itself, if it is over.

    Raises:
        InputError: If the logs of the run have no complete record of a debate.
    """
    sections = [
        Section(
            "Cost",
            _size(planned, prediction),
            [run_table(prediction, pace), role_table(prediction)],
        ),
        Section(
            "Power",
            items=[power_table(planned.items, changed(rehearsal))],
        ),
    ]
    notices = [*_notices(prediction, shown)]
    if actual:
        run = spent(actual)
        table = actual_table(prediction, run, pace, _minutes(actual))
        sections.insert(0, Section("Afterwards", items=[table]))
        if len(run.debates) != prediction.samples:
            notices.append(
                f"The run has {len(run.debates)} complete debates, and not "
                f"{prediction.samples} as estimated."
            )
    return Report(
        f"Estimate of {planned.task}",
        f"From {len(shown.debates)} of {planned.items} items.",
        notices=[Notice(text) for text in notices],
        sections=sections,
    )


def changed(logs: Sequence[Log]) -> Seen:
    """How many debates ended with another answer than debater A's first.

    Between two possible answers their share is the discordance of debater A alone and
    the debate. Only questions with choices count, where both could be read.
    """
    pairs = []
    for log in logs:
        for _, _, record in read_samples(log):
            if record is None or not record.complete or record.reused_from:
                continue
            answers = [
                turn.field("answer").value
                for turn in record.of_kind("answer")
                if turn.participant == "debater_a" and turn.draw <= 1
            ]
            decided = outcome(record).answer
            if decided in record.choices and {*answers} & {*record.choices}:
                pairs.append(decided != answers[0])
    return Seen(sum(pairs), len(pairs))


def _minutes(logs: Sequence[Log]) -> float:
    """The wall time of runs, one after the other."""
    stats = [log.header.stats for log in logs]
    times = [
        datetime.fromisoformat(s.completed_at) - datetime.fromisoformat(s.started_at)
        for s in stats
        if s.completed_at and s.started_at
    ]
    return sum(time.total_seconds() for time in times) / 60


def _size(planned: Planned, prediction: Prediction) -> str:
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
        f"rehearsal {_told(again)} turns had to.",
        f"Calls one after the other in a sample: {prediction.depth}{ended}.",
    ]
    if not prediction.certain:
        parts.append(
            "How many samples are debated is not known; of those in the rehearsal "
            f"{_told(prediction.share)} were, an interval that is `low` and `high` "
            "below."
        )
    return "\n".join(f"- {part}" for part in parts)


def _told(share: Share) -> str:
    low, high = PERCENT(share.low), PERCENT(share.high)
    return f"{share.value * share.n:.0f} of {share.n} ({low} to {high} %)"


def _notices(prediction: Prediction, shown: Spent) -> Iterator[str]:
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
    yield from _uneven(shown)


def _uneven(shown: Spent) -> Iterator[str]:
    """Stages in which items took different numbers of turns for no known reason."""
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


# How small a difference paired answers can show: the power of McNemar's test.
#
# Two conditions answer the same items. On a share of them, the discordance, only one is
# right; what they differ in is how these are divided between them. Powers here are
# exact sums over all numbers of discordant items and their divisions, for the test that
# `paired.mcnemar` makes.

_NEGLIGIBLE = 1e-12
"""Numbers of discordant items less likely than this, on either side, are left out."""


def mcnemar_power(
    n: int, discordance: float, difference: float, *, level: float = 0.05
) -> float:
    """The probability that McNemar's mid-p test, two-sided, shows a difference.

    Args:
        n: independent items that both conditions answered.
        discordance: share of items that exactly one condition gets right, from 0 to 1.
        difference: of the two shares of right answers; at most `discordance`, which
            it is where one condition is never right alone.
        level: of the test.

    Returns:
        The power, from 0 to 1.

    Raises:
        ValueError: a number is not possible.
    """
    # A second of import time, which no run that only parses should pay.
    from scipy.stats import binom

    _check(n, discordance, level)
    if not 0 <= difference <= discordance:
        raise ValueError(
            f"difference is {difference}; it must lie from 0 to the discordance, "
            f"{discordance}."
        )
    if discordance == 0:
        return 0.0
    least = int(binom.ppf(_NEGLIGIBLE, n, discordance))
    most = int(binom.isf(_NEGLIGIBLE, n, discordance))
    discordant = np.arange(least, most + 1)
    critical = _critical(discordant, level)
    to_one = (1 + difference / discordance) / 2
    shown = binom.sf(critical - 1, discordant, to_one)
    shown += binom.cdf(discordant - critical, discordant, to_one)
    return float(binom.pmf(discordant, n, discordance) @ shown)


def smallest_difference(
    n: int, discordance: float, *, power: float = 0.8, level: float = 0.05
) -> float:
    """The smallest difference that `n` items show with a given power.

    Args:
        n: independent items that both conditions answer.
        discordance: share of items that exactly one condition gets right, from 0 to 1.
        power: probability with which it is to be shown; above `level`.
        level: of the test, McNemar's with the mid-p-value, two-sided.

    Returns:
        Difference of the two shares of right answers; NaN where even the greatest that
        the discordance allows is not shown with that power.

    Raises:
        ValueError: a number is not possible.
    """
    from scipy.optimize import brentq

    _check(n, discordance, level)
    if not level < power < 1:
        raise ValueError(f"power is {power}; it must lie between {level} and 1.")

    def beyond(difference: float) -> float:
        return mcnemar_power(n, discordance, difference, level=level) - power

    if beyond(discordance) < 0:
        return float("nan")
    return float(brentq(beyond, 0.0, discordance, xtol=1e-6))


def _critical(discordant: NDArray[np.int_], level: float) -> NDArray[np.int_]:
    """From how many items for one condition the test rejects, by discordant ones.

    The mid-p-value of k items for the condition with more is P(K >= k) + P(K > k):
    twice the tail, of which k itself counts half on either side.
    """
    from scipy.stats import binom

    at = np.asarray(binom.isf(level / 2, discordant, 0.5)).astype(int)
    mid_p = binom.sf(at, discordant, 0.5) + binom.sf(at - 1, discordant, 0.5)
    critical: NDArray[np.int_] = np.where(mid_p <= level, at, at + 1)
    return critical


def _check(n: int, discordance: float, level: float) -> None:
    if n < 1:
        raise ValueError(f"n is {n}; it must be at least 1.")
    if not 0 <= discordance <= 1:
        raise ValueError(f"discordance is {discordance}; it must lie from 0 to 1.")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1.")
