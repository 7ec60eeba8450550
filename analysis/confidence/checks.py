"""How many cells are equal to the printed ones, and which are not."""

from collections.abc import Iterator, Sequence

import pandas as pd

from inspect_debate.analysis.confidence.twins import PaperTable, Twin, counts
from inspect_debate.analysis.reporting.elements import Table

UNEXPLAINED = "–"
"""Where nothing is known to be wrong with the printed cell."""


def counts_table(tables: Sequence[PaperTable]) -> Table | None:
    """The cells of each of the paper's tables, equal to the printed digit or not.

    Args:
        tables: Ours.

    Returns:
        The table; None where no cell has a twin in the paper.
    """
    titles = {table.name: table.title for table in tables}
    rows = [
        {
            "Table": titles[name],
            "Compared": found["equal"] + found["differs"],
            "Equal": found["equal"],
            "Different": found["differs"],
        }
        for name, found in counts(tables).items()
        if found["equal"] + found["differs"]
    ]
    if not rows:
        return None
    frame = pd.DataFrame(rows)
    whole = {"Table": "All", **frame.sum(numeric_only=True).to_dict()}
    return Table(
        name="cells",
        title="Cells beside the paper's",
        frame=pd.concat([frame, pd.DataFrame([whole])], ignore_index=True),
        note="Equal: to the last printed digit, and in stars and signs.",
    )


def differences_table(tables: Sequence[PaperTable]) -> Table | None:
    """The cells that differ from the printed ones, and why where that is known.

    Args:
        tables: Ours.

    Returns:
        The table; None where all are equal.
    """
    rows = [
        {
            "Table": table.title,
            "Row": _row(table, row),
            "Column": table.columns[column],
            "Ours": twin.ours,
            "Paper": twin.paper.printed if twin.paper else None,
            "Why": twin.reason or UNEXPLAINED,
        }
        for table in tables
        for row, column, twin in _different(table)
    ]
    if not rows:
        return None
    return Table(
        name="differences",
        title="Cells that are not as printed",
        frame=pd.DataFrame(rows),
    )


def _different(table: PaperTable) -> Iterator[tuple[str, str, Twin]]:
    for (row, column), twin in table.cells.items():
        if twin.status == "differs":
            yield row, column, twin


def _row(table: PaperTable, row: str) -> str:
    group = table.groups.get(row)
    return f"{group}: {table.rows[row]}" if group else table.rows[row]
