"""A comparison for programs: plain values that JSON can hold."""

from math import isfinite
from typing import Any

from inspect_debate.analysis.compare.comparison import Comparison
from inspect_debate.analysis.compare.differences import Difference
from inspect_debate.analysis.compare.notices import notices_of
from inspect_debate.analysis.compare.pairs import Compared


def plain_values(of: Comparison) -> dict[str, Any]:
    """All that the tables show, unrounded; null where there is no value.

    Values that differ, numbers and pairs of arms go by the arms' letters.
    """
    values = {
        "metric": of.asked,
        "margin": of.margin,
        "arms": [_arm(of, place) for place in range(len(of.arms))],
        "chosen": of.split.chosen,
        "factor": [_difference(of, one) for one in of.split.factor],
        "confounds": [_difference(of, one) for one in of.split.confounds],
        "samples": len(of.paired.keys),
        "clusters": len(set(of.paired.clusters)),
        "comparisons": [_compared(of, one) for one in of.compared],
        "notices": [notice.text for notice in notices_of(of)],
    }
    return {name: _clean(value) for name, value in values.items()}


def _arm(of: Comparison, place: int) -> dict[str, Any]:
    arm, values = of.arms[place], of.paired.values(place)
    return {
        "arm": arm.letter,
        "logs": [run.name for run in arm.runs],
        "metrics": [str(metric) for metric in of.metrics[place]],
        "samples": len(of.read[place].samples),
        "left_out": dict(of.paired.drops[place]),
        "mean": sum(values) / len(values),
        **{f"{name}_per_sample": n for name, n in of.costs[place]._asdict().items()},
    }


def _difference(of: Comparison, one: Difference) -> dict[str, Any]:
    letters = [arm.letter for arm in of.arms]
    return {**one.fact._asdict(), "values": dict(zip(letters, one.values, strict=True))}


def _compared(of: Comparison, one: Compared) -> dict[str, Any]:
    found = {
        "a": of.arms[one.a].letter,
        "b": of.arms[one.b].letter,
        "mean_a": one.mean_a,
        "mean_b": one.mean_b,
        **one.difference._asdict(),
        "p_holm": one.p_holm,
        "test": one.test,
    }
    if one.discordant is not None:
        found |= {
            "only_a": one.discordant.only_a,
            "only_b": one.discordant.only_b,
        }
    if one.equivalence is not None:
        found["equivalence"] = one.equivalence._asdict()
    return found


def _clean(value: Any) -> Any:
    """Without numbers that JSON does not have."""
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value
