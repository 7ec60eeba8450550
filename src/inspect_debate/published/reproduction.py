"""How far printed numbers are reproduced: cell by cell, and counted by table."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from tabulate import tabulate

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import user_path

How = Literal[
    "data", "cells", "convention", "differs", "impossible", "open", "needs data"
]
"""What is known of a printed cell; `MEANINGS` says what each is."""

MEANINGS: dict[How, str] = {
    "data": "as printed, from released data, by the functions of scorers and reports",
    "cells": "follows from other printed cells, as a mean, a difference or a count",
    "convention": "as printed, but by another convention than the stated one",
    "differs": "released data give another number, and no convention known to us this",
    "impossible": "no numbers of items give it, or other printed cells contradict it",
    "open": "nothing that it could be computed from is released, or at hand",
    "needs data": "released data would tell: --data DIR, or INSPECT_DEBATE_DATA",
}
"""Of each `How`, in the order of the columns."""


class Checked(NamedTuple):
    """A printed cell, and what is known of it.

    Attributes:
        study: The study that prints it.
        table: Where: "Table 1", "Section 4.1".
        cell: Its row and column.
        printed: As printed.
        how: What is known of it.
        ours: What was computed beside it; empty where nothing was.
        why: What the other convention is, or why it is not reproduced.
    """

    study: str
    table: str
    cell: str
    printed: str
    how: How
    ours: str = ""
    why: str = ""


def counts_text(cells: Sequence[Checked]) -> str:
    """The cells counted by study and table, with what the columns mean.

    Args:
        cells: Every printed cell once, so that columns add up to the printed cells.
    """
    columns = [how for how in MEANINGS if how != "needs data" or _lacking(cells)]
    rows: list[list[object]] = [["study", "table", "printed", *columns]]
    for study, of_study in _grouped(cells, "study"):
        for table, part in _grouped(of_study, "table"):
            rows.append([study, table, *_counts(part, columns)])
        rows.append([study, "all", *_counts(of_study, columns)])
    sides = ["left", "left", *["right"] * (len(columns) + 1)]
    table = tabulate(rows, tablefmt="plain", colalign=sides, disable_numparse=True)
    legend = "\n".join(f"{how}: {MEANINGS[how]}" for how in columns)
    return f"{table}\n\n{legend}"


def cells_text(cells: Iterable[Checked]) -> str:
    """A line for each cell."""
    return "\n".join(map(_line, cells))


def write_cells(cells: Iterable[Checked], out: str) -> None:
    """Write cells to a CSV file.

    Args:
        cells: The cells.
        out: The file, as typed.

    Raises:
        InputError: If it cannot be written.
    """
    path: Path = user_path(out)
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([Checked._fields, *cells])
    except OSError as error:
        raise InputError(f"--out={out} can't be written: {error.strerror}.") from error


def _lacking(cells: Iterable[Checked]) -> bool:
    return any(cell.how == "needs data" for cell in cells)


def _grouped(
    cells: Sequence[Checked], field: Literal["study", "table"]
) -> Iterator[tuple[str, list[Checked]]]:
    for name in dict.fromkeys(getattr(cell, field) for cell in cells):
        yield name, [cell for cell in cells if getattr(cell, field) == name]


def _counts(cells: Sequence[Checked], columns: Sequence[How]) -> list[int]:
    found = Counter(cell.how for cell in cells)
    return [len(cells), *(found[how] for how in columns)]


def _line(cell: Checked) -> str:
    ours = f", ours {cell.ours}" if cell.ours else ""
    why = f" ({cell.why})" if cell.why else ""
    place = f"{cell.study}, {cell.table}, {cell.cell}"
    return f"{place}: printed {cell.printed}{ours}: {cell.how}{why}"
