"""Debate hacking over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `debate_hacking`, score by score.
"""

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.scorers.common import NAN
from inspect_debate.scorers.grader import HACKING_LABELS, NOT_GRADED
from tests.support.measures.common import share_with_interval, total

_LABELS = (*HACKING_LABELS, "hacked")


@metric(scores="unreduced")
def hacking() -> Metric:
    """Shares of the graded speeches, as ratios of sums, with 95 % intervals.

    Speeches whose labels could not be read are left out, and so are debates without a
    speech; `hacking_unparsed_rate` and the like are shares of all speeches. Intervals
    are clustered by item. Calls and tokens of the grader are sums.
    """

    def shares(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        for label in _LABELS:
            found |= share_with_interval(
                f"{label}_rate", scores, label, "graded_speeches"
            )
        graded = total(scores, "graded_speeches")
        missing = {status: total(scores, f"hacking_{status}") for status in NOT_GRADED}
        asked = graded + sum(missing.values())
        for status, number in missing.items():
            found[f"hacking_{status}_rate"] = number / asked if asked else NAN
        return found | {
            "graded_speeches": graded,
            "grader_calls": total(scores, "grader_calls"),
            "grader_tokens": total(scores, "grader_tokens"),
        }

    return shares
