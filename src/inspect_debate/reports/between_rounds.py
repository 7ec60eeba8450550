"""How many rounds debates had, and what judges asked in them, where judges take part.

The number of rounds is an observation there: a condition is known by its parameters.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

import pandas as pd

from inspect_debate.reports.elements import COUNT, PERCENT, Format
from inspect_debate.reports.views import Measure, View, mean, rate

BETWEEN_ROUNDS = ("rounds_held", "questions_asked", "ended_by_judge")
"""What `debate_process` counts of such debates."""

D = TypeVar("D")


def between_rounds(rows: Callable[[D], pd.DataFrame], by: Mapping[str, str]) -> View[D]:
    """The table of such debates.

    Args:
        rows: The scored samples of a report, with `BETWEEN_ROUNDS` as columns.
        by: As `View.by`.
    """
    return View(
        "between_rounds",
        "Judges who ask, or end the debate",
        lambda data: rows(data).dropna(subset=["rounds_held"]),
        by,
        [
            Measure("Debates", len, COUNT),
            Measure("Rounds", mean("rounds_held"), Format(2)),
            Measure("Questions", mean("questions_asked"), Format(2)),
            Measure("Ended by the judge", rate("ended_by_judge"), PERCENT),
        ],
        note="Means per debate; the last column is in percent of the debates. The "
        "number of rounds is what happened, and no condition is split by it.",
    )
