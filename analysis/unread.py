"""What could not be read of what was asked for, stage by stage."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT

STATUSES = {
    "unparsed": "Unreadable",
    "refused": "Refused",
    "truncated": "Cut off",
    "missing": "Missing",
}
"""Why something could not be read, as readers see it."""


def unread_shares(
    items: pd.DataFrame, stages: Mapping[str, str]
) -> Iterator[dict[str, object]]:
    """Shares of what was asked for that could not be read, by stage.

    Args:
        items: Rows with counts `<stage>_<status>`.
        stages: What readers call the stages.

    Yields:
        `Stage`, `Asked for`, and a share under each name of `STATUSES`, of every stage
        in which something was asked for.
    """
    for stage, name in stages.items():
        counts = {s: total(items, f"{stage}_{s}") for s in ("ok", *STATUSES)}
        if asked := sum(counts.values()):
            shares = {told: counts[s] / asked for s, told in STATUSES.items()}
            yield {"Stage": name, "Asked for": asked, **shares}


def unread_table(
    rows: Sequence[Mapping[str, object]], groups: str, what: str
) -> Table | None:
    """What could not be read; None where everything could.

    Args:
        rows: As from `unread_shares`, with what they are of.
        groups: The column by which rows are grouped.
        what: What else there is to say.
    """
    told = [row for row in rows if any(row[name] for name in STATUSES.values())]
    if not told:
        return None
    return Table(
        name="statuses",
        title="What could not be read",
        frame=pd.DataFrame(told),
        groups=groups,
        formats={"Asked for": COUNT, **dict.fromkeys(STATUSES.values(), PERCENT)},
        note="Percent of what was asked for, after asking again. All else could be "
        f"read. {what}",
    )


def total(items: pd.DataFrame, column: str) -> float:
    """The sum of a column; 0 where there is none."""
    return float(items[column].sum()) if column in items else 0.0
