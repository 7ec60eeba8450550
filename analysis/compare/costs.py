"""What arms cost on the samples that are compared: calls, tokens and money."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan, nan
from typing import NamedTuple

from inspect_ai.log import EvalSampleSummary

from inspect_debate.analysis.compare.pairing import Scored

UNEQUAL = 1.25
"""How many times the cheapest an arm may cost before that is said."""


class Cost(NamedTuple):
    """Means over samples; NaN where any sample's is not known.

    Calls and tokens include those of answers and debates that a run used again. Dollars
    do not: they are not known there.
    """

    calls: float
    tokens: float
    dollars: float


def cost_of(rows: Sequence[Scored]) -> Cost:
    """What the samples of an arm cost."""
    of = [_cost(row.sample) for row in rows]
    return Cost(*(sum(column) / len(of) for column in zip(*of, strict=True)))


def unequal(costs: Mapping[str, Cost]) -> Iterator[str]:
    """Sentences about what differs by more than a quarter between arms.

    Args:
        costs: Of each arm, by its letter.
    """
    for name, show in _SHOWN.items():
        known = {
            arm: value
            for arm, cost in costs.items()
            if not isnan(value := getattr(cost, name))
        }
        if not known:
            continue
        least = min(known, key=known.__getitem__)
        more = [
            f"{arm} {show(value)}{_times(value, known[least])}"
            for arm, value in known.items()
            if value > UNEQUAL * known[least]
        ]
        if more:
            yield (
                f"The arms differ by more than a quarter in {name} per sample: "
                f"{least} {show(known[least])}, {', '.join(more)}. What differs in the "
                "metric may be due to that."
            )


def _times(value: float, least: float) -> str:
    return f" ({value / least:.1f} times)" if least else ""


_SHOWN: Mapping[str, Callable[[float], str]] = {
    "calls": "{:,.1f}".format,
    "tokens": "{:,.0f}".format,
    "dollars": "{:,.4f}".format,
}


def _cost(sample: EvalSampleSummary) -> Cost:
    usage = list(sample.model_usage.values())
    values = _values(sample)
    turns = nan if sample.turn_count is None else float(sample.turn_count)
    calls, reused = values.get("calls", turns), values.get("reused_calls", 0.0)
    # Without any call there is no usage, either.
    known = bool(usage) or calls == 0
    tokens = float(sum(used.total_tokens for used in usage)) if known else nan
    prices = [nan if used.total_cost is None else used.total_cost for used in usage]
    return Cost(
        calls=calls + reused,
        tokens=tokens + values.get("reused_tokens", 0.0),
        dollars=sum(prices) if known and not reused else nan,
    )


def _values(sample: EvalSampleSummary) -> dict[str, float]:
    """What the suite's own scorers count."""
    return {
        name: float(number)
        for score in (sample.scores or {}).values()
        if isinstance(score.value, Mapping)
        for name in ("calls", "reused_calls", "reused_tokens")
        if isinstance(number := score.value.get(name), int | float)
    }
