"""Which kinds of error are found? Recall by the categories that experts gave."""

import re

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.scorers.common import column
from inspect_debate.scorers.detection_counts import with_intervals

UNCATEGORISED = "none"
"""Where errors are counted that have no category."""


@metric(scores="unreduced")
def recall_by_category() -> Metric:
    """Recall on the gold errors of each category, with intervals, and their numbers.

    Categories come from the sample's metadata `categories`. An error of several counts
    in each, so the numbers add up to more than the errors; one of none counts under
    `none`. Items without an error are in none of this, whatever categories they have.
    `items_category_*` counts every error; those without a prediction are left out of
    the recall.
    """

    def over_categories(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        for name, members in _by_category(scores).items():
            suffix = f"_category_{name}"
            found |= with_intervals(members, ("recall",), suffix)
            found[f"items{suffix}"] = float(len(members))
        return found

    return over_categories


def category_slug(name: str) -> str:
    """A category's name as part of a metric's: lower case, words joined by `_`."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_") or UNCATEGORISED


def _by_category(scores: list[SampleScore]) -> dict[str, list[SampleScore]]:
    found: dict[str, list[SampleScore]] = {}
    for score, gold in zip(scores, column(scores, "gold"), strict=True):
        if gold != 1:
            continue
        names = (score.sample_metadata or {}).get("categories") or [UNCATEGORISED]
        for name in {category_slug(str(name)) for name in names}:
            found.setdefault(name, []).append(score)
    return dict(sorted(found.items()))
