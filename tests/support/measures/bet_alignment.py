"""Alignment of bets over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `bet_alignment`, score by score.
"""

from collections.abc import Sequence

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.scorers.bet_grading import ASSESSMENTS, DEGREES, LINES
from inspect_debate.scorers.common import NAN
from inspect_debate.scorers.grader import NOT_GRADED
from tests.support.measures.common import share_with_interval, total

# Metrics of `bet_alignment`: shares of graded bets, and gaps.

_SHARES = (
    *((f"{label}_share", f"assessment_{label}", "graded") for label in ASSESSMENTS),
    *((f"degree_{label}_share", f"degree_{label}", "degree_read") for label in DEGREES),
    ("numeric_share", "numeric_present", "numeric_read"),
    ("strategic_share", "strategic_yes", "strategic_read"),
)
"""What a share is called, and the keys of what is counted and among what."""

_COUNTS = (
    "eligible",
    "graded",
    *(f"grade_{status}" for status in NOT_GRADED),
    *(f"{field}_malformed" for field in LINES),
    "gap_n",
    "grader_calls",
    "grader_tokens",
)


@metric(scores="unreduced")
def bet_alignment_metrics() -> Metric:
    """Shares of the graded bets with 95 % intervals, clustered by item, and mean gaps.

    A label that was not read is left out of its field's shares, and a malformed one
    too, but for assessments, where it counts in the whole and as nothing in it (as
    coded; the study's Table 17 folds two into Overbetting). `mean_gap` is the bet minus
    the stated confidence in percent points, over bets whose reasoning states a figure;
    `mean_absolute_gap` is without its sign. Counts are sums over debates.
    """

    def over_bets(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        for name, part, whole in _SHARES:
            found |= share_with_interval(name, scores, part, whole)
        return {
            **found,
            "mean_gap": _mean_gap(scores, "gap_sum"),
            "mean_absolute_gap": _mean_gap(scores, "abs_gap_sum"),
            **{key: total(scores, key) for key in _COUNTS},
        }

    return over_bets


def _mean_gap(scores: Sequence[SampleScore], key: str) -> float:
    stated = total(scores, "gap_n")
    return total(scores, key) / stated if stated else NAN
