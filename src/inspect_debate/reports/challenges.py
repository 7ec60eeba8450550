"""What became of verdicts that could be challenged, for reports of several studies."""

from collections.abc import Callable, Mapping

import pandas as pd

from inspect_debate.reports.elements import COUNT, PERCENT
from inspect_debate.reports.estimates import Estimate, share
from inspect_debate.reports.views import D, Measure, View, known, rate

SCORER = "challenges"
"""Whose values are reported, under their own names."""


def challenge_view(rows: Callable[[D], pd.DataFrame], by: Mapping[str, str]) -> View[D]:
    """A table of challenges: how often, how often grounded, and with what success.

    Args:
        rows: The scored samples of a report, with the values of the scorer.
        by: As for `View`.
    """

    def challengeable(data: D) -> pd.DataFrame:
        found = rows(data)
        if "first_verdict_right" not in found:
            return found.head(0)
        return found[found["first_verdict_right"].notna()]

    return View(
        "challenges",
        "Challenges of verdicts",
        challengeable,
        by,
        [
            Measure("Verdicts", known("first_verdict_right"), COUNT),
            *(
                Measure(title, rate(column), PERCENT)
                for title, column in {
                    "Wrong verdicts challenged": "challenged_if_wrong",
                    "Right verdicts challenged": "challenged_if_right",
                    "Grounded challenges overturned": "overturned_if_grounded",
                    "Specious challenges overturned": "overturned_if_specious",
                }.items()
            ),
            Measure("Accuracy before", _before, PERCENT),
            Measure("Accuracy after", rate("last_verdict_right"), PERCENT),
        ],
        note="Percent of the first verdicts and of the challenges that could be read. "
        "A challenge is grounded if the verdict was wrong, and specious if it was "
        "right. Before and after are on the same samples: those with a last verdict. "
        "95 % intervals are clustered by sample and by group of samples.",
    )


def _before(rows: pd.DataFrame) -> Estimate:
    """How often first verdicts are right where there is a last one."""
    return share(rows[rows["last_verdict_right"].notna()], "first_verdict_right")
