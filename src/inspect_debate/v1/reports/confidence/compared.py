"""The paper's tables: how it prints numbers, and ours beside its cells."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.means import Alternative, pooled_mean
from inspect_debate.v1.published.tables import (
    Compared,
    PrintedCell,
    Status,
    paper_of,
    title_of,
)
from inspect_debate.v1.reports.confidence.frames import (
    OVERALL,
    POOLED,
    STUDY,
    by_condition,
    in_order,
    is_published_pool,
    pooled,
    protocol_of,
    slug,
    title,
)
from inspect_debate.v1.reports.elements import MISSING, Cell, Column, Table

EVEN = 50.0
"""The chance of winning in percent that a side has before anything is known."""

SIGNIFICANT = 0.05
"""The level below which the paper calls a p-value significant."""

# The paper's statistics of bets, in its conventions; NaN where there is too little.


class Spread(NamedTuple):
    """Mean and standard deviation of `n` values."""

    mean: float
    sd: float
    n: int


class TTest(NamedTuple):
    """A t test of the mean of `n` values; NaN where these do not differ at all."""

    mean: float
    t: float
    p: float
    n: int


def spread(values: ArrayLike, *, ddof: Literal[0, 1]) -> Spread:
    """Mean and standard deviation without values that are NaN.

    Args:
        values: One-dimensional.
        ddof: 1 for the sample's standard deviation (Table 2), 0 for the population's
            (all other tables of the paper).
    """
    array = np.asarray(values, dtype=np.float64)
    known = array[~np.isnan(array)]
    mean = float(known.mean()) if known.size else math.nan
    sd = float(known.std(ddof=ddof)) if known.size > ddof else math.nan
    return Spread(mean, sd, known.size)


def against(
    values: ArrayLike, null: float = EVEN, alternative: Alternative = "greater"
) -> TTest:
    """Student's t test of a mean against `null`, of values that are not NaN."""
    found = pooled_mean(values)
    t, p = found.statistic(null), found.p(null, alternative)
    return TTest(found.value, t, p, found.n)


def paired(
    earlier: ArrayLike, later: ArrayLike, alternative: Alternative = "greater"
) -> TTest:
    """The paired t test of `later` less `earlier`, over pairs that are whole."""
    changes = np.asarray(later, dtype=float) - np.asarray(earlier, dtype=float)
    return against(changes, 0.0, alternative)


def change(wide: pd.DataFrame, pair: tuple[str, str]) -> TTest:
    """The change of bets from one speech to another, within sides."""
    return paired(wide[pair[0]], wide[pair[1]])


# Cells as the paper prints them, with their numbers in full.


class Text(str):
    """A cell in the paper's form.

    Attributes:
        numbers: Its numbers at full precision, by what they are.
    """

    numbers: Mapping[str, float]

    def __new__(cls, text: str, **numbers: float) -> "Text":
        """A text with its numbers."""
        made = super().__new__(cls, text)
        made.numbers = numbers
        return made


def fixed(value: float, digits: int = 2) -> str:
    """A number with so many decimals, as Python rounds; NaN as a dash."""
    return MISSING if math.isnan(value) else f"{value:.{digits}f}"


def number(value: float, digits: int = 2) -> Text:
    """A number with so many decimals."""
    return Text(fixed(value, digits), number=value)


def percent(share: float) -> Text:
    """A share as "61.7%"."""
    text = MISSING if math.isnan(share) else f"{100 * share:.1f}%"
    return Text(text, share=share)


def mean_sd(found: Spread, *, n: bool = False) -> Text:
    """Mean and spread as "72.92 ± 7.93", with "(N=120)" where asked for."""
    text = f"{fixed(found.mean)} ± {fixed(found.sd)}"
    text = f"{text} (N={found.n})" if n else text
    return Text(text, mean=found.mean, sd=found.sd, n=found.n)


def stars(p: float) -> str:
    """One to three stars for p-values below 0.05, 0.01 and 0.001."""
    levels = {0.001: "***", 0.01: "**", SIGNIFICANT: "*"}
    return next((mark for level, mark in levels.items() if p < level), "")


PStyle = Literal["none", "stars", "bounded", "full"]
"""How a change gives its p-value: as stars alone, with "p<0.001", or in full."""


def delta(found: TTest, p: PStyle) -> Text:
    """A change as "Δ=4.75", "Δ=4.75**" or "Δ=4.75, p=0.0012**"."""
    text = f"Δ={fixed(found.mean)}"
    if p in ("bounded", "full"):
        below = p == "bounded" and found.p < 0.001
        text += ", p<0.001" if below else f", p={fixed(found.p, 4)}"
    text += "" if p == "none" else stars(found.p)
    return Text(text, change=found.mean, p=found.p)


def small_p(p: float) -> Text:
    """A p-value with four decimals, or below 0.0001 as "6.97×10^-7" (Table 7)."""
    if math.isnan(p) or p >= 1e-4 or p == 0:
        return number(p, 4)
    digits, _, exponent = f"{p:.2e}".partition("e")
    return Text(f"{digits}×10^{int(exponent)}", number=p)


# A table of the paper, with ours beside the printed cells.

OURS, PAPER, DIFFERENCE = "ours", "paper", "diff."


class ComparedRow(NamedTuple):
    """A row: its title, its cells by column, and what heads the rows of its group."""

    title: str
    cells: Mapping[str, Compared]
    group: str = ""


@dataclass(frozen=True)
class ComparedTable:
    """One of the paper's tables, ours beside the printed one.

    Attributes:
        name: As `Table.name`.
        title: As `Table.title`.
        heading: What its rows are.
        rows: The rows; columns without a cell are left empty.
        columns: What readers call the columns.
        grouped_by: What heads groups of rows; empty where nothing does.
        note: As `Table.note`.
    """

    name: str
    title: str
    heading: str
    rows: Sequence[ComparedRow]
    columns: Mapping[str, str]
    grouped_by: str = ""
    note: str = ""

    def cells(self) -> Iterator[Compared]:
        """All cells, row by row."""
        return (cell for row in self.rows for cell in row.cells.values())

    def counts(self) -> Counter[Status]:
        """How many cells are equal to the paper's, differ, and so on."""
        return Counter(cell.status for cell in self.cells())

    def table(self, *, folded: bool = False) -> Table:
        """For the report: ours, the paper's and the difference under each column.

        Only the CSV file has the numbers of our cells, and the paper's columns in which
        all cells are equal.
        """
        kinds = {column: self._kinds(column) for column in self.columns}
        wide = any(shown != [OURS] for shown in kinds.values())
        data: dict[tuple[str, str], list[object]] = {}
        if self.grouped_by:
            data[self.grouped_by, ""] = [row.group for row in self.rows]
        data[self.heading, ""] = [row.title for row in self.rows]
        hidden: list[tuple[str, str]] = []
        at: dict[tuple[int, tuple[str, str]], Compared] = {}
        for column, words in self.columns.items():
            cells = [row.cells.get(column, Compared(None)) for row in self.rows]
            for kind in kinds[column]:
                data[words, kind] = [_SHOWN[kind](cell) for cell in cells]
            at |= {(n, (words, kinds[column][-1])): c for n, c in enumerate(cells)}
            if {c.status for c in cells if c.paper is not None} == {"equal"}:
                hidden += [(words, PAPER), (words, DIFFERENCE)]
            numbers = [getattr(cell.ours, "numbers", {}) for cell in cells]
            for what in dict.fromkeys(name for of in numbers for name in of):
                hidden.append((words, what))
                data[words, what] = [of.get(what, math.nan) for of in numbers]

        def place(column: tuple[str, str]) -> Column:
            if wide:
                return column
            words, kind = column
            return f"{words} {kind}" if column in hidden else words

        index = (
            pd.MultiIndex.from_tuples([*data])
            if wide
            else pd.Index([*map(place, data)])
        )
        return Table(
            name=self.name,
            title=self.title,
            frame=pd.DataFrame([*zip(*data.values(), strict=True)], columns=index),
            note=f"{self.note} {self._compared_note()}".strip(),
            groups=place((self.grouped_by, "")) if self.grouped_by else None,
            marks={Cell(n, place(c)): of.note for (n, c), of in at.items() if of.note},
            emphasis=[
                Cell(n, place(c)) for (n, c), of in at.items() if of.status == "differs"
            ],
            hidden=[*map(place, hidden)],
            folded=folded,
        )

    def _compared_note(self) -> str:
        found = {cell.status for cell in self.cells()}
        if "differs" in found:
            return "Diff.: ours less the paper's; other columns are as printed."
        return "All cells are as printed." if "equal" in found else ""

    def _kinds(self, column: str) -> list[str]:
        """Which of ours, paper and difference a column has any of."""
        cells = (row.cells[column] for row in self.rows if column in row.cells)
        found = {cell.status for cell in cells}
        paper, both = found - {"not in the paper"}, found & {"equal", "differs"}
        kinds = {OURS: found - {"as printed only"} or not paper}
        kinds |= {PAPER: paper, DIFFERENCE: both}
        return [kind for kind, present in kinds.items() if present]


_SHOWN: Mapping[str, Callable[[Compared], object]] = {
    OURS: lambda cell: cell.ours,
    PAPER: lambda cell: cell.paper and cell.paper.printed,
    DIFFERENCE: lambda cell: cell.difference,
}


class Row(NamedTuple):
    """What a row is about; `printed` is the paper's row about the same, if any."""

    title: str
    of: Any
    printed: str | None
    group: str = ""


def compared_table(
    key: str,
    title: str,
    rows: Iterable[Row],
    columns: Mapping[str, str],
    texts: Callable[[Any], Mapping[str, str]],
    note: str = "",
    *,
    name: str = "",
    heading: str = "Model",
    grouped_by: str = "",
    known: bool | Callable[[str, str], bool] = True,
) -> ComparedTable:
    """A table of the cells that `texts` gives of each row.

    `known` is whether the paper's cell is about the same, in its row and our column.
    """
    paper = paper_of(STUDY)

    def printed(row: str | None, column: str) -> PrintedCell | None:
        if row is None or not (
            known if isinstance(known, bool) else known(row, column)
        ):
            return None
        return paper.cell(key, row, protocol_of(column))

    return ComparedTable(
        name or key,
        f"{title} (the paper's {title_of(key)})" if key else title,
        heading,
        [
            ComparedRow(
                row.title,
                {
                    column: Compared(text, printed(row.printed, column))
                    for column, text in texts(row.of).items()
                },
                row.group,
            )
            for row in rows
        ],
        columns,
        grouped_by,
        f"{note} {_paper_note(key)}".strip(),
    )


def _paper_note(key: str) -> str:
    found = paper_of(STUDY).tables.get(key)
    return found.note if found is not None else ""


def own_name(key: str, prefix: str, condition: str, protocol: str) -> str:
    """The paper's name for the condition that it is about, else one of our own."""
    return key if condition == protocol else f"{prefix}_{slug(condition)}"


def has_pool(rows: pd.DataFrame) -> bool:
    """Whether rows are of the paper's ten models and no others."""
    return is_published_pool(set(rows["model"]))


def is_whole(bets: pd.DataFrame) -> bool:
    """Whether bets are of the four pooled conditions, each once and with all models."""
    parts = by_condition(bets)
    return sorted(map(protocol_of, parts)) == sorted(POOLED) and all(
        map(has_pool, parts.values())
    )


def model_rows(
    rows: pd.DataFrame, key: str, overall: str = "Overall", *, whole: bool | None = None
) -> list[Row]:
    """A row per model, then one of all, which is the paper's if these are its pool."""
    models = in_order(rows["model"], key)
    found = [Row(model, rows[rows["model"] == model], model) for model in models]
    whole = has_pool(rows) if whole is None else whole
    return [*found, Row(overall, rows, OVERALL if whole else None)]


def condition_rows(bets: pd.DataFrame, overall: str = "") -> list[Row]:
    """A row per condition, then one of those that the paper pools, if several are."""
    rows = [
        Row(title(condition), part, protocol_of(condition) if has_pool(part) else None)
        for condition, part in by_condition(bets).items()
    ]
    whole = pooled(bets)
    if overall and whole["condition"].nunique() > 1:
        rows.append(Row(overall, whole, OVERALL if is_whole(whole) else None))
    return rows
