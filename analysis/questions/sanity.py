"""Whether the runs can be trusted: samples, and what could not be read."""

from collections.abc import Iterator

import pandas as pd

from inspect_debate.analysis.questions.frames import ARM, DATA, rows_of
from inspect_debate.analysis.questions.study import STAGES
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.unread import unread_shares, unread_table


def samples_table(frame: pd.DataFrame) -> Table:
    """How many samples each arm has, and what became of them.

    Args:
        frame: `Arms.frame` as from `arms_of`.
    """
    rows = [
        {
            DATA: data,
            ARM: title,
            "Samples": len(rows),
            "Questions": rows["id"].nunique(),
            "Groups": rows["input_group"].fillna(rows["id"]).nunique(),
            "Epochs": rows["epoch"].nunique(),
            "Failed": int(rows["error"].notna().sum()),
            "Stopped by a limit": int(rows["limit"].notna().sum()),
            "Not scored": int((~rows["scored"]).sum()),
            "Logs": rows["run"].nunique(),
        }
        for (data, title), rows in rows_of(frame).items()
    ]
    return Table(
        name="samples",
        title="Samples",
        frame=pd.DataFrame(rows),
        groups=DATA,
        note="Groups: of samples that are no independent observations, such as several "
        "questions on one passage.",
    )


def status_table(items: pd.DataFrame) -> Table | None:
    """What could not be read, by arm and stage; None where everything could.

    Args:
        items: As in `Data`.
    """
    return unread_table(list(statuses(items)), DATA, "")


def statuses(items: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Shares of what was asked for that could not be read, by arm and stage."""
    for (data, title), rows in rows_of(items).items():
        for shares in unread_shares(rows, STAGES):
            yield {DATA: data, ARM: title, **shares}
