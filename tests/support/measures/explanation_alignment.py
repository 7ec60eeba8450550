"""Aligned reasoning over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `explanation_alignment`, score by score.
"""

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.scorers.grader import NOT_GRADED
from tests.support.measures.common import share_with_interval, total


@metric(scores="unreduced")
def alignment() -> Metric:
    """The share of aligned reasoning among graded true positives, with its interval.

    Left out are items without an error, errors that were not found, and, counted here,
    those that have no human explanation and those whose grade could not be read. Not
    comparable with the paper's Figure 5b, whose prompt is not printed.
    """

    def over_found_errors(scores: list[SampleScore]) -> Value:
        counted = ("applicable", "graded", "no_explanation", *NOT_GRADED)
        return {
            **share_with_interval(
                "aligned_share", scores, "aligned", "alignment_graded"
            ),
            **{
                f"alignment_{what}": total(scores, f"alignment_{what}")
                for what in counted
            },
            "grader_calls": total(scores, "grader_calls"),
            "grader_tokens": total(scores, "grader_tokens"),
        }

    return over_found_errors
