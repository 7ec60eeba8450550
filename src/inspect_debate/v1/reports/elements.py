"""What a report is made of."""

import math
import numbers
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:  # slow to import, and what is printed has no figures
    import matplotlib.figure

# How numbers are shown to readers; files of data keep them in full.

MISSING = "–"
"""Shown where there is no value."""


@dataclass(frozen=True)
class Format:
    """How the numbers of a column or a figure are shown.

    Attributes:
        digits: number of digits after the decimal point.
        scale: factor between the value and what is shown: 100 turns a share into
            percent.
        signed: whether positive numbers carry a plus sign, as differences do.
        bounded_below: whether a number that would be rounded to 0 is shown as
            less than the last digit, as p-values are: "<0.001".
    """

    digits: int = 2
    scale: float = 1
    signed: bool = False
    bounded_below: bool = False

    def __call__(self, value: object) -> str:
        """A value as text; what is no number is shown as it is, NaN as a dash."""
        if is_missing(value):
            return MISSING
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        if not isinstance(value, numbers.Real):
            return str(value)
        return self._number(float(value) * self.scale)

    def _number(self, value: float) -> str:
        if math.isinf(value):
            return "∞" if value > 0 else "−∞"
        smallest = 10.0**-self.digits
        if self.bounded_below and value < smallest:
            return f"<{smallest:.{self.digits}f}"
        rounded = round(value, self.digits) or 0.0  # which also turns -0.0 into 0.0
        sign = "+" if self.signed and rounded else "-"
        return f"{rounded:{sign},.{self.digits}f}".replace("-", "−")


TOO_SMALL = "n too small"
"""In place of an interval of too few clusters."""

NUMBER = Format()
COUNT = Format(digits=0)
PERCENT = Format(digits=1, scale=100)
"""A share from 0 to 1, in percent."""
POINTS = Format(digits=1, scale=100, signed=True)
"""A difference of two shares, in percentage points."""
P_VALUE = Format(digits=3, bounded_below=True)


def interval_text(format: Format, low: object, high: object) -> str:
    """An interval as "[65.0, 76.9]".

    Empty where neither end is known, "n too small" where both are infinite.
    """
    if low == -math.inf and high == math.inf:
        return TOO_SMALL
    if is_missing(low) and is_missing(high):
        return ""
    return f"[{format(low)}, {format(high)}]"


def is_missing(value: object) -> bool:
    """Whether a cell holds nothing: None, NaN, or pandas' NA and NaT."""
    # NaN and NaT are the values that do not equal themselves.
    return value is None or value is pd.NA or value != value


Column = str | tuple[str, str]
"""Name of a column: of a plain one, or (group, column) where columns have two levels.

In a frame with two levels, a column that belongs to no group is (name, "").
"""


class Cell(NamedTuple):
    """A place in a table: the row by position, from 0; without a column all of it."""

    row: int
    column: Column | None = None


@dataclass(frozen=True)
class Link:
    """A cell of a table that leads somewhere; files of data have its text alone.

    Attributes:
        text: what is shown.
        target: a URL, quoted.
    """

    text: str
    target: str

    def __str__(self) -> str:
        """The text, which is all that files of data have."""
        return self.text


@dataclass(frozen=True)
class Table:
    """A table, shown rounded and written in full.

    Where the frame has columns `X low` and `X high` beside `X` (with two levels:
    `(g, "X low")` beside `(g, "X")`), the three are shown as one cell,
    "71.2 [65.0, 76.9]", and written as three columns.

    Attributes:
        name: of its files and its anchor; letters a-z, digits and underscores.
        title: what it shows, in one line, without a number and a full stop.
        frame: the values. Columns are named as a reader should see them, on one
            or two levels; named levels of the index become the first columns,
            an unnamed index is left out.
        note: stands below it: units, conventions, what n is.
        formats: by column. Without one whole numbers are shown as counts, other
            numbers with two digits, and text as it is. The ends of an interval
            are shown as their value is.
        groups: a column whose runs of equal values head groups of rows.
        marks: what must be said of a row or a cell ("impossible as printed"),
            shown as footnotes; the CSV file has it in a column `marks`.
        emphasis: rows or cells in bold.
        first: how many rows are shown, all if None; the CSV file has them all.
        hidden: columns that only the CSV file has.
        folded: whether the page shows it only when it is opened, as secondary tables.
    """

    name: str
    title: str
    frame: pd.DataFrame
    note: str = ""
    formats: Mapping[Column, Format] = field(default_factory=dict)
    groups: Column | None = None
    marks: Mapping[Cell, str] = field(default_factory=dict)
    emphasis: Collection[Cell] = ()
    first: int | None = None
    hidden: Collection[Column] = ()
    folded: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)


class Series(NamedTuple):
    """Values with the ends of their intervals: a row per place, a column per series."""

    values: pd.DataFrame
    low: pd.DataFrame
    high: pd.DataFrame


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes:
        name: of its files and its anchor; letters a-z, digits and underscores.
        title: what it shows, in one line, without a number and a full stop.
        figure: as drawn by `inspect_debate.v1.reports.figures`.
        alt: what there is to see, in words, for those who cannot see it.
        note: stands below it: units, what the bars and lines are.
    """

    name: str
    title: str
    figure: "matplotlib.figure.Figure"
    alt: str
    note: str = ""

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(frozen=True)
class Notice:
    """Something to be read before the rest.

    Attributes:
        text: as `Section.text`.
        level: `warning` where the numbers may mislead, `info` where they need
            a word.
    """

    text: str
    level: Literal["warning", "info"] = "warning"


Item = Table | Figure | Notice


@dataclass(frozen=True)
class Section:
    """A section of a report.

    Attributes:
        title: its heading.
        text: paragraphs with an empty line between them. Lines that start with
            "- " are a list, what stands between backticks is code; there is no
            other markup.
        items: what follows the text, in order.
    """

    title: str
    text: str = ""
    items: Sequence[Item] = ()


def section_of(
    title: str, text: str, items: Iterable[Item | None], otherwise: str = ""
) -> Section:
    """A section with those of some items that there are.

    Args:
        title: Its heading.
        text: Its text.
        items: What may follow the text.
        otherwise: The text where there is none of the items.
    """
    found = [item for item in items if item is not None]
    return Section(title, text if found else otherwise, found)


class Main(NamedTuple):
    """Where a report's main result is: in a row of a table.

    Attributes:
        table: its name.
        value: the column of the value, which may have an interval beside it.
        samples: the column that counts what the value is over.
        sentence: what the value is, with names of columns in braces and `{value}`.
        format: how the value is shown.
        unit: what follows the value.
        of: what is counted, in the plural.
        where: a column and how its text begins: the first such row, else the first.
        baseline: a fixed number that the value is compared with: the sentence has the
            difference from it.
    """

    table: str
    value: str
    samples: str
    sentence: str
    format: Format
    unit: str = ""
    of: str = "samples"
    where: tuple[str, str] | None = None
    baseline: float = 0.0

    def told(self, frame: pd.DataFrame) -> str:
        """The sentence, with interval and number; empty where there is no value."""
        row = self._row(frame)
        if row is None or is_missing(row.get(self.value)):
            return ""
        low, high = (
            row.get(f"{self.value} {end}", math.nan) - self.baseline
            for end in ("low", "high")
        )
        shown = replace(self.format, signed=False)
        interval = (
            f"95 % interval {shown(low)} to {shown(high)}"
            if math.isfinite(low) and math.isfinite(high)
            else "too few for an interval"
        )
        n = int(row[self.samples])
        of = self.of.removesuffix("s") if n == 1 else self.of
        number = self.format(row[self.value] - self.baseline)
        value = f"{number}{self.unit} ({interval}; {n:,} {of})"
        columns = {str(name): str(cell) for name, cell in row.items()}
        return self.sentence.format_map(columns | {"value": value})

    def _row(self, frame: pd.DataFrame) -> "pd.Series[Any] | None":
        if self.where is not None:
            column, begins = self.where
            meant = frame[frame[column].astype(str).str.startswith(begins)]
            frame = meant if len(meant) else frame
        return frame.iloc[0] if len(frame) else None


@dataclass(frozen=True)
class Report:
    """A report on the runs of one study.

    Attributes:
        title: its heading.
        study: the study in one line, with its source.
        summary: what was found, above the table of contents; as `Section.text`.
        notices: what must be read first; stand above everything else.
        sections: in order.
        main: where the main result is; the first whose table the report has.
        figure: names of figures, the first of which that the report has stands at the
            top.

    Raises:
        ValueError: two tables or figures have the same name.
    """

    title: str
    study: str
    summary: str = ""
    notices: Sequence[Notice] = ()
    sections: Sequence[Section] = ()
    main: Sequence[Main] = ()
    figure: Sequence[str] = ()

    @property
    def headline(self) -> str:
        """The main result in a sentence; empty where no table has it."""
        frames = {table.name: table.frame for table in self.tables()}
        told = (
            main.told(frames[main.table]) for main in self.main if main.table in frames
        )
        return next(filter(None, told), "")

    @property
    def main_figure(self) -> Figure | None:
        """The figure at the top."""
        there = {figure.name: figure for figure in self.figures()}
        return next((there[name] for name in self.figure if name in there), None)

    def __post_init__(self) -> None:
        names = [table.name for table in self.tables()]
        names += [figure.name for figure in self.figures()]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"Names in a report must differ; twice: {twice}.")

    def tables(self) -> Iterator[Table]:
        """All tables, in the order of the sections."""
        return (item for item in self._items() if isinstance(item, Table))

    def figures(self) -> Iterator[Figure]:
        """All figures, in the order of the sections."""
        return (item for item in self._items() if isinstance(item, Figure))

    def _items(self) -> Iterator[Item]:
        return (item for section in self.sections for item in section.items)


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z0-9_]+", name):
        raise ValueError(
            f"name={name!r} is no name of a file; use letters a-z, digits and _."
        )


# The little markup that the texts of a report may have.


class Span(NamedTuple):
    """A piece of text, as it stands or as code."""

    text: str
    code: bool = False


class Block(NamedTuple):
    """A paragraph, of one line, or a list, of a line per entry."""

    lines: Sequence[Sequence[Span]]
    listed: bool


def blocks(text: str) -> Iterator[Block]:
    """The paragraphs and lists of a text; see `Section.text` for what marks them."""
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in part.splitlines()]
        is_list = bool(lines) and lines[0].startswith("- ")
        entries = _entries(lines) if is_list else [" ".join(lines)]
        if any(entries):
            yield Block([spans(entry) for entry in entries], is_list)


def listed(lines: Iterable[str]) -> str:
    """A list, as texts of reports have it."""
    return "\n".join(f"- {line}" for line in lines)


def counted(number: int, thing: str) -> str:
    """A number of things of which several end in s: "1 sample", "2 samples"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _entries(lines: Sequence[str]) -> list[str]:
    """The entries of a list; a line without "- " continues the one above."""
    entries: list[str] = []
    for line in lines:
        if line.startswith("- "):
            entries.append(line.removeprefix("- "))
        else:
            entries[-1] += f" {line}"
    return entries


def spans(line: str) -> list[Span]:
    """A line cut at its backticks; a backtick without a partner is itself."""
    parts = re.split(r"`([^`]+)`", line)
    return [
        Span(part, code=position % 2 == 1)
        for position, part in enumerate(parts)
        if part
    ]


# Tables without the columns of which nothing is known.


def known_columns(table: Table) -> Table:
    """A table without its columns that have no value in any row, and their formats."""
    frame = table.frame.dropna(axis="columns", how="all")
    formats = {name: of for name, of in table.formats.items() if name in frame}
    return replace(table, frame=frame, formats=formats)
