"""How far printed numbers are reproduced, and what is wrong with others."""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from textwrap import fill
from typing import Literal, NamedTuple

from tabulate import tabulate

from inspect_debate.debate.errors import InputError, check_name
from inspect_debate.debate.paths import reason_of, user_path
from inspect_debate.published import colmad, confidence, human_debate
from inspect_debate.published.engine import (
    CELL_RULES,
    CHECKS,
    NO_DATA,
    Audit,
    Data,
    Finding,
    How,
    Known,
)
from inspect_debate.published.human_debate import DEBATES
from inspect_debate.published.realmistake import (
    LABELS,
    PUBLISHED,
    SIZES,
    detector_numbers,
)
from inspect_debate.published.tables import (
    STUDIES,
    Inconsistency,
    PrintedCell,
    paper_of,
)

CELL_RULES |= {**colmad.RULES, **confidence.RULES}
CHECKS |= {**colmad.CHECKS, **confidence.CHECKS, **human_debate.CHECKS}

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

RELEASE = "llms_overconfidence"
NEEDED: Mapping[str, Sequence[str]] = {
    "colmad": (LABELS.name, PUBLISHED.name),
    "confidence": (RELEASE,),
    "human_debate": (DEBATES.name,),
}
"""What a study needs in the folder of released data: files, or a folder."""


class Checked(NamedTuple):
    """A printed cell, and whether it is reproduced.

    Attributes:
        study: The study that prints it.
        table: Where: "Table 1", "Section 4.1".
        cell: Its row and column.
        printed: As printed.
        how: What is known of it.
        ours: Our value; empty where there is none.
        why: What the other convention is, or why it is not reproduced.
    """

    study: str
    table: str
    cell: str
    printed: str
    how: How
    ours: str = ""
    why: str = ""


class Checking(NamedTuple):
    """An inconsistency, and how to do its arithmetic.

    Attributes:
        study: The study.
        entry: What is wrong.
        check: Does the arithmetic; gives None where that needs released data.
    """

    study: str
    entry: Inconsistency
    check: Callable[[], Finding | None]

    @property
    def id(self) -> str:
        """What it is called where it is looked up."""
        return f"{self.study}-{self.entry.id}"


class Shown(NamedTuple):
    """An inconsistency as text; `holds` is None where the check needs data."""

    text: str
    holds: bool | None


def checked(data: Data = NO_DATA, studies: Iterable[str] = ()) -> list[Checked]:
    """Every printed cell of some studies, once.

    Args:
        data: The data that there are.
        studies: Of `STUDIES`; by default all.

    Raises:
        InputError: If a study is not known.
    """
    return [
        cell
        for study in _known(studies)
        for cell in checked_cells(Audit(paper_of(study), data))
    ]


def inconsistencies(
    data: Data = NO_DATA, studies: Iterable[str] = ()
) -> list[Checking]:
    """Every known inconsistency of some studies, not yet checked.

    Args:
        data: The data that there are.
        studies: Of `STUDIES`; by default all.

    Raises:
        InputError: If a study is not known.
    """
    return [
        one
        for study in _known(studies)
        for one in checkings(Audit(paper_of(study), data))
    ]


def checkings(audit: Audit) -> list[Checking]:
    """The inconsistencies of one paper, not yet checked."""
    return [
        Checking(audit.paper.study, entry, partial(audit.check, entry))
        for entry in audit.paper.inconsistencies
    ]


def checked_cells(audit: Audit) -> Iterator[Checked]:
    """Every printed cell of one paper, and of ReaLMistake's numbers with ColMAD's."""
    paper = audit.paper
    derived = {claim.id for claim in paper.text if claim.derived}
    # Rows of people come first.
    for cell in sorted(paper.cells(), key=lambda cell: cell.row != "human"):
        if cell.row not in derived:
            table, _, place = cell.place.partition(", ")
            yield Checked(
                paper.study, table, place, cell.printed, *_of(audit, cell)[:3]
            )
    if paper.study == "colmad":
        yield from _of_detectors(audit)


def _of(audit: Audit, cell: PrintedCell) -> Known:
    """The result of the data for a cell, or of its rule, or why there is neither."""
    paper, released = audit.paper, audit.data.released
    if paper.study == "confidence" and released is not None:
        found = confidence.compared(paper, released, cell)
        if found is not None:
            return found
    found = audit.known(cell)
    if found is None and paper.study == "human_debate":
        found = human_debate.compared(audit, cell)
    if found is not None:
        return found
    if why := paper.tables[cell.table].why_open:
        return Known("open", "", why)
    state, why = paper.otherwise
    return Known("open" if state == "open" else "needs data", "", why)


def _of_detectors(audit: Audit) -> Iterator[Checked]:
    """The numbers that are published of ReaLMistake's detectors."""
    if audit.data.detectors is None:
        why = f"{LABELS.name} and {PUBLISHED.name}"
        for table, size in SIZES.items():
            for number in range(1, size + 1):
                cell = f"number {number}"
                yield Checked("colmad", table, cell, "", "needs data", why=why)
        return
    for one in detector_numbers(audit.data.detectors):
        yield Checked(
            study="colmad",
            table=one.table,
            cell=one.cell,
            printed=str(one.published),
            how="data" if one.equal else "differs",
            ours="" if one.ours is None else str(one.ours),
            why="" if one.equal else "from the released labels",
        )


def _known(studies: Iterable[str]) -> list[str]:
    named = list(dict.fromkeys(studies)) or list(STUDIES)
    for name in named:
        check_name("study", name, STUDIES)
    return named


# What is printed.


def shown(one: Checking) -> Shown:
    """Check an inconsistency, and say what was found."""
    finding = one.check()
    if finding is None:
        lines: Sequence[str] = [_NEEDS_DATA]
    else:
        lines = finding.lines or [_NOT_FOUND]
    holds = None if finding is None else bool(finding.lines)
    return Shown("\n".join([one.id, *_wrapped(one.entry.text, lines)]), holds)


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
    path = user_path(out)
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([Checked._fields, *cells])
    except OSError as error:
        raise InputError(
            f"--out={out} can't be written: {reason_of(error)}."
        ) from error


def _wrapped(text: str, lines: Sequence[str]) -> Iterator[str]:
    yield fill(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    for line in lines:
        yield fill(line, _WIDTH, initial_indent="  - ", subsequent_indent="    ")


_WIDTH = 100
_NEEDS_DATA = "Released data are needed to show it: --data DIR, or INSPECT_DEBATE_DATA."
_NOT_FOUND = "Not found: by this check the printed numbers are right."


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
