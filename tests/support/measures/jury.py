"""How a jury leans, and how far it agrees, over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `jury`, score by score.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric
from numpy.typing import NDArray

from inspect_debate.debate.record import Status
from inspect_debate.metrics.agreement import (
    krippendorff_alpha,
    pairwise_agreement,
    repeat_agreement,
    side_share,
    unanimity,
)
from inspect_debate.scorers.common import Metrics, column, keys
from inspect_debate.solvers.bet_records import SIDES
from tests.support.measures.common import total

# Metrics over verdicts: how a jury leans, and how far it agrees (Appendix D).

Table = NDArray[np.float64]


@metric(scores="unreduced")
def side_bias() -> Metric:
    """The share of verdicts for the proposition, with its interval, and of each juror.

    A jury without a bias, on debates that either side can win, gives about a half.
    """

    def over_verdicts(scores: list[SampleScore]) -> Value:
        everyone = side_share(table(scores, scored_verdict_keys(scores)))
        each = {
            f"for_proposition_{juror}": side_share(table(scores, names)).value
            for juror, names in by_juror(scores).items()
        }
        return {
            "for_proposition": everyone.value,
            "for_proposition_low": everyone.low,
            "for_proposition_high": everyone.high,
            **each,
        }

    return over_verdicts


@metric(scores="unreduced")
def juror_agreement() -> Metric:
    """How often all verdicts on a debate are the same, how often two are, and `alpha`.

    The last is Krippendorff's: agreement beyond chance, 1 at best.
    """

    def over_verdicts(scores: list[SampleScore]) -> Value:
        verdicts = table(scores, scored_verdict_keys(scores))
        return {
            "unanimous": unanimity(verdicts),
            "agreement": pairwise_agreement(verdicts),
            "alpha": krippendorff_alpha(verdicts),
        }

    return over_verdicts


@metric(scores="unreduced")
def repeated_verdicts() -> Metric:
    """How often a juror gives the same verdict in its second pass as in its first."""

    def over_verdicts(scores: list[SampleScore]) -> Value:
        passes = [names[:2] for names in by_seat(scores).values() if len(names) > 1]
        first, second = (
            table(scores, [names[place] for names in passes]) for place in (0, 1)
        )
        repeated = repeat_agreement(first, second)
        return {
            "repeated": repeated.value,
            "repeated_low": repeated.low,
            "repeated_high": repeated.high,
        }

    return over_verdicts


@metric(scores="unreduced")
def verdict_counts() -> Metric:
    """How many debates are tied, and how many verdicts were read or not, by reason.

    `confidences_missing` are votes without a readable confidence.
    """

    def over_debates(scores: list[SampleScore]) -> Value:
        sums, votes = (
            [column(scores, f"{what}_{side}") for side in SIDES]
            for what in ("confidence", "votes")
        )
        # Where nobody voted, or a vote has no confidence, the sums say nothing.
        summed = (sum(votes) > 0) & (column(scores, "confidences_missing") == 0)
        tied = summed & (sums[0] == sums[1])
        return {
            "tied": float(tied.sum()),
            "confidences_missing": total(scores, "confidences_missing"),
            **{
                f"verdicts_{status}": total(scores, f"verdicts_{status}")
                for status in Status
            },
        }

    return over_debates


JURY_METRICS: Metrics = [
    side_bias(),
    juror_agreement(),
    repeated_verdicts(),
    verdict_counts(),
]


def scored_verdict_keys(scores: Sequence[SampleScore]) -> list[str]:
    """The keys of verdicts, `verdict_judge_1_2` for the second of the first juror's."""
    return keys(scores, "verdict_")


def by_juror(scores: Sequence[SampleScore]) -> dict[str, list[str]]:
    """The keys of each juror's verdicts, in the order of its passes."""
    return _grouped(scores, lambda place: place["juror"])


def by_seat(scores: Sequence[SampleScore]) -> dict[str, list[str]]:
    """The keys of the verdicts that a juror gives on the same view of a debate."""
    return _grouped(scores, lambda place: f"{place['juror']}{place['order'] or ''}")


def table(scores: Sequence[SampleScore], names: Sequence[str]) -> Table:
    """The values of keys as an array (debates, keys)."""
    columns = [column(scores, name) for name in names]
    return np.stack(columns, axis=1) if columns else np.empty((len(scores), 0))


def _grouped(
    scores: Sequence[SampleScore], group: Callable[[re.Match[str]], str]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key in scored_verdict_keys(scores):
        if (place := _KEY.fullmatch(key)) is not None:
            found.setdefault(group(place), []).append(key)
    return found


_KEY = re.compile(r"verdict_(?P<juror>\w+?)_(?P<pass>\d+)(?P<order>_ab|_ba)?")
