"""Cells of the paper's tables: ours beside the printed ones."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import pandas as pd

from inspect_debate.published.printed import PublishedCell, confidence_tables
from inspect_debate.reports.elements import Cell, Column, Table

Status = Literal[
    "equal", "differs", "not comparable", "not in the paper", "as printed only"
]
STATUSES: tuple[Status, ...] = get_args(Status)

Texts = Mapping[str, Mapping[str, str]]
"""Cells as texts in the paper's conventions, by row and column."""

TwinOf = Callable[[str, str], tuple[str, str] | None]

OURS, PAPER, DIFFERENCE = "ours", "paper", "diff."

_NUMBER = re.compile(r"-?\d+(?:\.(?P<decimals>\d+))?(?P<power>×10\^-?\d+)?")


@dataclass(frozen=True)
class Twin:
    """A cell of ours, as a text in the paper's conventions, and the paper's own.

    `comparable` is false where ours is about other debates than the paper's.
    """

    ours: str | None
    paper: PublishedCell | None = None
    comparable: bool = True

    @property
    def status(self) -> Status:
        """Whether both are there, and the same but for spaces."""
        if self.paper is None:
            return "not in the paper"
        if self.ours is None:
            return "as printed only"
        if not self.comparable:
            return "not comparable"
        return "equal" if _plain(self.ours) == self.paper.plain else "differs"

    @property
    def difference(self) -> str | None:
        """Ours less the paper's, of every number in the cell; None without either.

        "0" where cells are equal, and "≠" where they differ in more than in numbers.
        """
        if self.status == "equal":
            return "0"
        if self.status != "differs" or self.ours is None or self.paper is None:
            return None
        ours = list(_NUMBER.finditer(_plain(self.ours)))
        theirs = list(_NUMBER.finditer(self.paper.plain))
        apart = [_less(a, b) for a, b in zip(ours, theirs, strict=False)]
        comparable = len(ours) == len(theirs) and any(text != "0" for text in apart)
        return " / ".join(apart) if comparable else "≠"

    @property
    def reason(self) -> str:
        """Why the printed cell does not follow from the data, where that is known."""
        if self.paper is None or self.status in ("equal", "not comparable"):
            return ""
        return confidence_tables().reason(self.paper)


@dataclass(frozen=True)
class PaperTable:
    """One of the paper's tables.

    Attributes:
        name: Of the table in the report.
        title: As of a `Table`.
        heading: What its rows are.
        rows: What readers call the rows, by key, in their order.
        columns: What they call the columns.
        cells: The twins by row and column; cells that are not there are left empty.
        groups: Headings of runs of rows, by row.
        grouped_by: What the groups are.
        note: As of a `Table`.
    """

    name: str
    title: str
    heading: str
    rows: Mapping[str, str]
    columns: Mapping[str, str]
    cells: Mapping[tuple[str, str], Twin]
    groups: Mapping[str, str] = field(default_factory=dict)
    grouped_by: str = ""
    note: str = ""

    def table(self) -> Table:
        """For the report: ours, the paper's and the difference under each column."""
        frame = pd.DataFrame(
            [self._row(row) for row in self.rows], columns=self._columns()
        )
        return Table(
            name=self.name,
            title=self.title,
            frame=frame,
            note=self._note(),
            groups=self._plain(self.grouped_by) if self.groups else None,
            marks={at: twin.reason for at, twin in self._last_places() if twin.reason},
            emphasis=[
                at for at, twin in self._last_places() if twin.status == "differs"
            ],
        )

    def _shown(self, column: str) -> list[str]:
        """Which of ours, paper and difference a column has any of."""
        found = {self.cells[at].status for at in self.cells if at[1] == column}
        ours = found & {"equal", "differs", "not comparable", "not in the paper"}
        paper = found - {"not in the paper"}
        both = found & {"equal", "differs"}
        kinds = {OURS: ours or not paper, PAPER: paper, DIFFERENCE: both}
        return [kind for kind, present in kinds.items() if present]

    @property
    def _compared(self) -> bool:
        return any(self._shown(column) != [OURS] for column in self.columns)

    def _plain(self, label: str) -> Column:
        return (label, "") if self._compared else label

    def _place(self, column: str, kind: str) -> Column:
        return (self.columns[column], kind) if self._compared else self.columns[column]

    def _columns(self) -> pd.Index:
        names = [self._plain(self.grouped_by)] if self.groups else []
        names.append(self._plain(self.heading))
        names += [
            self._place(column, kind)
            for column in self.columns
            for kind in self._shown(column)
        ]
        return _index(names)

    def _row(self, row: str) -> list[object]:
        values: list[object] = [self.groups.get(row, "")] if self.groups else []
        values.append(self.rows[row])
        for column in self.columns:
            twin = self.cells.get((row, column), Twin(None))
            known = {
                OURS: twin.ours,
                PAPER: None if twin.paper is None else twin.paper.printed,
                DIFFERENCE: twin.difference,
            }
            values += [known[kind] for kind in self._shown(column)]
        return values

    def _last_places(self) -> Iterator[tuple[Cell, Twin]]:
        """All cells, each with the last of the places in which it is shown."""
        for place, row in enumerate(self.rows):
            for column in self.columns:
                if twin := self.cells.get((row, column)):
                    kind = self._shown(column)[-1]
                    yield Cell(place, self._place(column, kind)), twin

    def _note(self) -> str:
        notes = [self.note, _HOW_COMPARED if self._compared else ""]
        return " ".join(filter(None, notes))


_HOW_COMPARED = (
    "Diff.: ours less the paper's, of every number in the cell; 0 where the cells "
    "are equal to the printed digit."
)


def paired_cells(
    key: str, ours: Texts, twin_of: TwinOf = lambda row, column: (row, column)
) -> dict[tuple[str, str], Twin]:
    """Our cells with their twins.

    Args:
        key: Of the published table.
        ours: Our cells.
        twin_of: The row and column of the published table that a cell of ours has as
            its twin; None where it is not about the same.
    """
    published = confidence_tables()
    cells = {}
    for row, texts in ours.items():
        for column, text in texts.items():
            twin = twin_of(row, column)
            paper = None if twin is None else published.cell(key, *twin)
            cells[row, column] = Twin(text, paper)
    return cells


def printed_cells(key: str) -> dict[tuple[str, str], Twin]:
    """The cells of a published table, with nothing of ours beside them."""
    return {
        (row, column): Twin(None, cell)
        for row, cells in confidence_tables().tables[key].items()
        for column, cell in cells.items()
    }


def counts(tables: Iterable[PaperTable]) -> dict[str, Counter[Status]]:
    """How many cells of each table are equal to the paper's, differ, and so on."""
    return {
        table.name: Counter(twin.status for twin in table.cells.values())
        for table in tables
    }


def _index(names: Sequence[Column]) -> pd.Index:
    """Column names on one level or two."""
    pairs = [name for name in names if isinstance(name, tuple)]
    return pd.MultiIndex.from_tuples(pairs) if pairs else pd.Index(names)


def _plain(text: str) -> str:
    return "".join(text.split())


def _less(ours: re.Match[str], theirs: re.Match[str]) -> str:
    """The difference of two numbers, to the digits of the second."""
    difference = _value(ours) - _value(theirs)
    if theirs["power"]:
        return f"{difference:+.2e}"
    text = f"{difference:+.{len(theirs['decimals'] or '')}f}"
    return text.replace("-", "−") if float(text) else "0"


def _value(number: re.Match[str]) -> float:
    return float(number[0].replace("×10^", "e"))
