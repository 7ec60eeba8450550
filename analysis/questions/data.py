"""What the logs hold, read once for all of a report."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.calls import Calls
from inspect_debate.analysis.frames import scores_of
from inspect_debate.analysis.judges.matrix import Panel, panels
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.questions.data_sets import data_sets
from inspect_debate.analysis.questions.frames import arms_of, names_of
from inspect_debate.analysis.questions.records import KEY, read_records
from inspect_debate.core.errors import InputError


class Data(NamedTuple):
    """Samples of all arms, and what their judges made of them.

    Attributes:
        logs: The logs.
        grouped: All samples by arm, as from `arms_of`.
        items: Those that were scored.
        panels: Judges of the same debates.
        judged: What readers call what each panel judged.
        calls: What the calls say.
    """

    logs: Sequence[Log]
    grouped: Arms
    items: pd.DataFrame
    panels: Sequence[Panel]
    judged: Sequence[str]
    calls: Calls


def read_data(logs: Sequence[Log]) -> Data:
    """Read the logs.

    Raises:
        InputError: If no sample was scored.
    """
    records = read_records(logs)
    grouped = arms_of(scores_of(logs), records.facts, data_sets(logs, records.data))
    frame = grouped.frame
    items = frame[frame["scored"]].reset_index(drop=True)
    if items.empty or "correct" not in items:
        raise InputError("No sample of these logs was scored: there is no report.")
    # What newer logs replaced is in no table.
    verdicts = records.verdicts.merge(frame[[*KEY, "arm"]], on=KEY)
    found = panels(verdicts)
    return Data(logs, grouped, items, found, _judged(found, frame), records.calls)


def _judged(found: Sequence[Panel], frame: pd.DataFrame) -> list[str]:
    """By panel the arms whose debates it judged; where these are the same, numbered."""
    names = names_of(frame, "debates")
    titles = [
        "; ".join(dict.fromkeys(names[arm] for arm in panel.verdicts["arm"]))
        for panel in found
    ]
    return [
        title if titles.count(title) == 1 else f"{title}, panel {panel.number}"
        for panel, title in zip(found, titles, strict=True)
    ]
