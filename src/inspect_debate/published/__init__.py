"""The numbers that the papers print, with notes on their errors.

A study is a file `STUDY.yaml` beside this one. `tables` maps a name to

* `title`, and `notes` on the table as a whole;
* `columns`, separated by spaces, and `rows`, a line each, cells separated by `|`. An
  empty cell is missing; a column whose cells are all numbers is read as such;
* `row_notes`: `where` (column to value) and the `note` on these rows, which becomes the
  frame's column `note`.
"""

from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Table:
    """A printed table; `frame` has a row per printed row and a column `note`."""

    title: str
    frame: "pd.DataFrame"
    notes: list[str]


@cache
def published(study: str) -> dict[str, Table]:
    """The printed tables of a study's paper, by name."""
    file = Path(__file__).with_name(f"{study}.yaml")
    tables = yaml.safe_load(file.read_text("utf-8"))["tables"]
    return {name: _table(table) for name, table in tables.items()}


def _table(table: dict[str, Any]) -> Table:
    import pandas as pd

    frame = pd.read_csv(
        StringIO(table["rows"]),
        sep=r"\s*\|\s*",
        engine="python",
        names=table["columns"].split(),
        index_col=False,
        keep_default_na=False,
        na_values=[""],
    )
    notes = pd.Series("", index=frame.index)
    for one in table.get("row_notes", ()):
        rows = pd.Series(True, index=frame.index)
        for column, value in one["where"].items():
            rows &= frame[column].isin(value if isinstance(value, list) else [value])
        if not rows.any():
            raise ValueError(f"No row of {table['title']!r} is {one['where']}.")
        notes[rows] = (notes[rows] + " " + one["note"]).str.strip()
    return Table(table["title"], frame.assign(note=notes), table.get("notes", []))
