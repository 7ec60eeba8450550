"""The accuracy of all arms on a data set in one picture."""

from collections.abc import Iterator

import pandas as pd

from inspect_debate.analysis.estimates import share
from inspect_debate.analysis.questions.frames import rows_of, value
from inspect_debate.analysis.questions.study import KINDS
from inspect_debate.analysis.reporting.elements import Figure
from inspect_debate.analysis.reporting.figures import forest
from inspect_debate.analysis.reporting.formats import PERCENT


def accuracy_figures(items: pd.DataFrame) -> Iterator[Figure]:
    """Accuracy with its interval, arm by arm, about that of guessing.

    Args:
        items: As in `Data`.

    Yields:
        A figure per data set of which the accuracy of guessing is known.
    """
    for number, (data, of_data) in enumerate(
        items.groupby("data_name", sort=False), start=1
    ):
        chance = value(of_data.drop_duplicates("id"), "chance").mean()
        if pd.isna(chance):
            continue
        estimates = _estimates(of_data)
        yield Figure(
            name=f"accuracy_{number}",
            title=f"Accuracy on {data}",
            figure=forest(
                estimates, label="accuracy (%)", format=PERCENT, zero=float(chance)
            ),
            alt="Accuracy of each arm with its interval: "
            + "; ".join(title for _, title in estimates.index)
            + ".",
            note="Lines are 95 % intervals, clustered as in the table. The dashed line "
            "is guessing.",
        )


def _estimates(items: pd.DataFrame) -> pd.DataFrame:
    rows = {
        (KINDS[rows["kind"].iloc[0]], title): share(rows, "correct")
        for (_, title), rows in rows_of(items).items()
    }
    return pd.DataFrame(
        [(found.value, found.low, found.high) for found in rows.values()],
        index=pd.MultiIndex.from_tuples(rows),
        columns=["estimate", "low", "high"],
    )
