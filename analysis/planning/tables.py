"""The tables of an estimate."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from inspect_debate.analysis.planning.clock import Minutes, minutes
from inspect_debate.analysis.planning.prediction import Prediction
from inspect_debate.analysis.planning.spent import Spent, summed
from inspect_debate.analysis.reporting.report import (
    COUNT,
    PERCENT,
    POINTS,
    Column,
    Format,
    Table,
)
from inspect_debate.core.measures.power import smallest_difference

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
            "only one arm right, %": share,
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
        "arms on the same items. The first column is the share of items that "
        "exactly one arm gets right. A dash: not even if it is always the same arm. "
        "Items that share an input or a passage count for less; epochs add little.",
        formats={
            "only one arm right, %": PERCENT,
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
