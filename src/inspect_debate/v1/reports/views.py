"""What a study's report shows, declared as data, and the engine that makes it.

A study's report is one file. It reads the study's logs into frames, and declares a
`StudyReport` of sections; what a section shows are `View`s (tables: rows, what they are
grouped by, and measures), `Plot`s, and functions where a table is like no other.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    TypeVar,
)

import numpy as np
import pandas as pd

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.reports.elements import (
    PERCENT,
    Cell,
    Column,
    Figure,
    Format,
    Item,
    Main,
    Notice,
    Report,
    Section,
    Series,
    Table,
    is_missing,
    known_columns,
)
from inspect_debate.v1.reports.estimates import ratio, share
from inspect_debate.v1.reports.logs import Log, LogPaths, study_logs
from inspect_debate.v1.reports.tables import end_of

if TYPE_CHECKING:
    import matplotlib.figure

D = TypeVar("D")


class Interval(Protocol):
    """A value with the ends of its interval: an `Estimate` or a `Share`."""

    @property
    def value(self) -> float:
        """The value."""

    @property
    def low(self) -> float:
        """The lower end of its 95 % interval."""

    @property
    def high(self) -> float:
        """The upper end."""


class Marked(NamedTuple):
    """A value with a footnote; without text there is none."""

    value: object
    text: str


@dataclass(frozen=True)
class Measure:
    """A column of a table.

    Attributes:
        title: The column as a reader sees it; (group, column) for two levels.
        of: Takes the rows of a group, returns a number, a text, None, an `Interval`,
            which becomes three columns, or one of these `Marked` with a footnote.
        format: How it is shown.
        optional: Whether the column is left out where no row has a value other than 0.
        hidden: Whether only the CSV file has the column.
    """

    title: Column
    of: Callable[[pd.DataFrame], object]
    format: Format | None = None
    optional: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Columns:
    """Several columns of a table that are computed together.

    Attributes:
        of: Takes the rows of a group, returns values as those of `Measure.of`, by
            title.
        formats: How they are shown, by title; others as `Table.formats` says.
        optional: Titles of those that are left out where no row has a value other
            than 0.
    """

    of: Callable[[pd.DataFrame], Mapping[Column, object]]
    formats: Mapping[Any, Format] = field(default_factory=dict)
    optional: Collection[Column] = ()


def cells(title: Column, value: object) -> dict[Column, object]:
    """A value as columns: with an interval there are three."""
    if not hasattr(value, "low"):
        return {title: value}
    estimate: Any = value
    return {
        title: estimate.value,
        end_of(title, "low"): estimate.low,
        end_of(title, "high"): estimate.high,
    }


def across(
    column: str,
    names: Mapping[Any, str],
    of: Callable[[pd.DataFrame], object],
    format: Format | None = None,
    total: str = "",
) -> list[Measure]:
    """One measure by the values of a column: a measure for each.

    Args:
        column: The column, such as `severity`.
        names: Its values, and what the measures are called.
        of: As `Measure.of`.
        format: Of all of them.
        total: What the measure over all rows is called; there is none if empty.
    """

    def part(value: object) -> Callable[[pd.DataFrame], object]:
        return lambda rows: of(rows[rows[column] == value])

    measures = [Measure(title, part(value), format) for value, title in names.items()]
    return [*measures, Measure(total, of, format)] if total else measures


def mean(column: str) -> Callable[[pd.DataFrame], object]:
    """The mean of a column; missing values do not count."""
    return lambda rows: rows[column].mean()


def total(column: str) -> Callable[[pd.DataFrame], object]:
    """The sum of a column as a whole number."""
    return lambda rows: int(rows[column].sum())


def rate(part: str, whole: str = "") -> Callable[[pd.DataFrame], object]:
    """A share with its interval, clustered by input.

    Args:
        part: A column that counts, or is 1 or 0.
        whole: The column that it is a part of; without one the rows that have `part`.
    """
    if whole:
        return lambda rows: ratio(rows, part, whole)
    return lambda rows: share(rows, part)


def known(column: str) -> Callable[[pd.DataFrame], object]:
    """How many rows have a value in a column."""
    return lambda rows: int(rows[column].notna().sum())


def unknown(column: str) -> Callable[[pd.DataFrame], object]:
    """How many rows have no value in a column."""
    return lambda rows: int(rows[column].isna().sum())


def first(column: str) -> Callable[[pd.DataFrame], object]:
    """The value of a column that all rows of a group share."""
    return lambda rows: rows[column].iloc[0]


Text = str | Callable[[D], str]
"""A text, or what makes it from the data of a report."""


def text_of(text: Text[D], data: D) -> str:
    """A text for the data of a report."""
    return text if isinstance(text, str) else text(data)


@dataclass(frozen=True)
class Rows(Generic[D]):
    """A table of rows that are made one by one.

    Called with the data of a report it gives the table; where there are no rows, a
    notice that says what to run, or nothing.

    Attributes:
        name: As `Table.name`.
        title: As `Table.title`.
        rows: The rows by column, with values as those of `Measure.of` but for marks.
        formats: How columns are shown; those that the table does not have do not count.
        note: As `Table.note`.
        columns: Which columns of the rows the table has, all if empty.
        groups: As `Table.groups`.
        optional: Columns that are left out where no row has a value other than 0.
        hidden: As `Table.hidden`.
        missing: What to run where there are no rows.
        shown: How many rows are shown, as `Table.first`.
        folded: As `Table.folded`.
        known_only: Whether columns without a value in any row are left out.
    """

    name: str
    title: Text[D]
    rows: Callable[[D], Iterable[Mapping[Any, object]]]
    formats: Mapping[Any, Format] | Callable[[D], Mapping[Any, Format]] = field(
        default_factory=dict
    )
    note: Text[D] = ""
    columns: Collection[Column] = ()
    groups: Column | None = None
    optional: Collection[Column] = ()
    hidden: Collection[Column] = ()
    missing: str = ""
    shown: int | None = None
    folded: bool = False
    known_only: bool = False

    def __call__(self, data: D) -> Iterator[Item]:
        """The table, or the notice."""
        yield from _table_or_notice(self.table(data), self.missing)

    def table(self, data: D) -> Table | None:
        """The table; None where there are no rows."""
        rows = [
            {
                column: v
                for title, value in row.items()
                if not self.columns or title in self.columns
                for column, v in cells(title, value).items()
            }
            for row in self.rows(data)
        ]
        if not rows:
            return None
        given = (
            self.formats if isinstance(self.formats, Mapping) else self.formats(data)
        )
        frame = _frame(rows, {*self.optional})
        table = Table(
            name=self.name,
            title=text_of(self.title, data),
            frame=frame,
            note=text_of(self.note, data),
            formats={title: of for title, of in given.items() if title in frame},
            groups=self.groups,
            first=self.shown,
            hidden=self.hidden,
            folded=self.folded,
        )
        return known_columns(table) if self.known_only else table


@dataclass(frozen=True)
class View(Generic[D]):
    """A table: a row for every group of rows, a column for every measure.

    Called with the data of a report it gives the table; where there are no rows, a
    notice that says what to run, or nothing.

    Attributes:
        name: As `Table.name`.
        title: As `Table.title`.
        rows: The rows it is about, in the order in which groups are shown.
        by: What makes a group: the title of a column of the table, and the column of
            `rows` that has its text.
        measures: The other columns.
        note: As `Table.note`.
        heads: Whether the first of `by` heads the groups below it.
        also: Further rows below those of a heading, such as baselines, from its rows.
        keep: Whether a group is shown, from its rows.
        mark: A footnote on a row, from its rows; empty without one.
        missing: What to run where there are no rows.
        shown: How many rows are shown, as `Table.first`.
        folded: As `Table.folded`.
        known_only: Whether columns without a value in any row are left out.
    """

    name: str
    title: str
    rows: Callable[[D], pd.DataFrame]
    by: Mapping[str, str]
    measures: Sequence[Measure | Columns]
    note: str = ""
    heads: bool = True
    also: Callable[[pd.DataFrame], Iterable[Mapping[Column, object]]] | None = None
    keep: Callable[[pd.DataFrame], bool] | None = None
    mark: Callable[[pd.DataFrame], str] | None = None
    missing: str = ""
    shown: int | None = None
    folded: bool = False
    known_only: bool = False

    def __call__(self, data: D) -> Iterator[Item]:
        """The table, or the notice."""
        yield from _table_or_notice(self.table(self.rows(data)), self.missing)

    def table(self, rows: pd.DataFrame) -> Table | None:
        """The table of some rows; None where there are none."""
        if rows.empty:
            return None
        found: list[dict[Column, object]] = []
        marks: dict[Cell, str] = {}
        for of_heading in self._headings(rows):
            for named, group in self._groups(of_heading):
                found.append(self._row(len(found), named, group, marks))
            found += map(dict, self.also(of_heading) if self.also else ())
        if not found:
            return None
        frame = _frame(found, self._optional)
        head = next(iter(self.by), None) if self.heads and len(self.by) > 1 else None
        formats: dict[Column, Format] = {}
        for m in self.measures:
            if isinstance(m, Columns):
                formats |= m.formats
            elif m.format is not None:
                formats[m.title] = m.format
        table = Table(
            name=self.name,
            title=self.title,
            frame=frame,
            note=self.note,
            formats={title: f for title, f in formats.items() if title in frame},
            groups=head,
            marks=marks,
            first=self.shown,
            hidden=[m.title for m in self._single if m.hidden and m.title in frame],
            folded=self.folded,
        )
        return known_columns(table) if self.known_only else table

    def _headings(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        """The rows below each heading: all of them where nothing heads a group."""
        if self.heads and len(self.by) > 1:
            column = next(iter(self.by.values()))
            yield from (of for _, of in rows.groupby(column, **_AS_THEY_ARE))
        elif len(rows):
            yield rows

    def _groups(self, rows: pd.DataFrame) -> Iterator[tuple[list[object], Any]]:
        if not self.by:
            yield [], rows
            return
        for values, group in rows.groupby([*self.by.values()], **_AS_THEY_ARE):
            if self.keep is None or self.keep(group):
                yield list(values), group

    def _row(
        self,
        number: int,
        named: Sequence[object],
        group: pd.DataFrame,
        marks: dict[Cell, str],
    ) -> dict[Column, object]:
        row: dict[Column, object] = dict(zip(self.by, named, strict=True))
        if self.mark is not None and (text := self.mark(group)):
            marks[Cell(number)] = text
        for title, value in self._values(group):
            if isinstance(value, Marked):
                if value.text:
                    marks[Cell(number, title)] = value.text
                value = value.value
            row |= cells(title, value)
        return row

    def _values(self, group: pd.DataFrame) -> Iterator[tuple[Column, object]]:
        for measure in self.measures:
            if isinstance(measure, Columns):
                yield from measure.of(group).items()
            else:
                yield measure.title, measure.of(group)

    @property
    def _single(self) -> Iterator[Measure]:
        return (m for m in self.measures if isinstance(m, Measure))

    @property
    def _optional(self) -> set[Column]:
        return {measure.title for measure in self._single if measure.optional} | {
            title
            for measure in self.measures
            if isinstance(measure, Columns)
            for title in measure.optional
        }


def _table_or_notice(table: Table | None, missing: str) -> Iterator[Item]:
    if table is not None:
        yield table
    elif missing:
        yield Notice(missing, "info")


def _frame(
    found: Sequence[Mapping[Column, object]], optional: Collection[Column]
) -> pd.DataFrame:
    """The rows as a frame, without optional columns that are empty."""
    columns = dict.fromkeys(column for row in found for column in row)
    empty = {
        column
        for column in columns
        if column in optional
        and all(is_missing(v := row.get(column)) or v == 0 for row in found)
    }
    gone = {end_of(column, end) for column in empty for end in ("low", "high")}
    names = [column for column in columns if column not in empty | gone]
    frame = pd.DataFrame(
        [[row.get(column) for column in names] for row in found],
        columns=pd.Index(names, tupleize_cols=False),
    )
    if any(isinstance(name, tuple) for name in names):
        frame.columns = pd.MultiIndex.from_tuples(
            [name if isinstance(name, tuple) else (name, "") for name in names]
        )
    return frame.infer_objects()


# Any, as pandas' types know each of these options only in some combinations.
_AS_THEY_ARE: dict[str, Any] = {"sort": False, "observed": True, "dropna": False}


def series_of(
    rows: pd.DataFrame, x: str, values: Mapping[str, tuple[pd.DataFrame, Any]]
) -> Series:
    """Lines over a column: the measure of the rows of each of its values.

    Args:
        rows: All rows; the values of `x` among them are the places.
        x: A column of numbers, of names, or of categories, all of which are places.
        values: For each line its rows, and what it shows of those of one place: a
            function as `Measure.of` that returns a number or an `Interval`. Where
            there are no rows there is no value.

    Returns:
        Values and ends of intervals: a row for each place, a column for each line.
    """
    places = list(dict.fromkeys(rows[x].dropna()))
    if isinstance(rows[x].dtype, pd.CategoricalDtype):
        places = list(rows[x].cat.categories)
    elif all(isinstance(place, int | float | np.number) for place in places):
        places.sort()
    found = {
        name: [
            cells("y", of(here)) if len(here := part[part[x] == place]) else {}
            for place in places
        ]
        for name, (part, of) in values.items()
    }
    frames = (
        pd.DataFrame(
            {
                name: [row.get(end, np.nan) for row in of_line]
                for name, of_line in found.items()
            },
            index=places,
        ).astype(float)
        for end in ("y", "y low", "y high")
    )
    return Series(*frames)


@dataclass(frozen=True)
class Plot(Generic[D]):
    """A figure of a measure, or of several: panels, in each of them lines over `x`.

    Called with the data of a report it gives the figure; where there is nothing to
    draw, a notice that says what to run, or nothing.

    Attributes:
        name: As `Figure.name`.
        title: As `Figure.title`.
        rows: The rows it is about.
        kind: `lines` over numbers, `bars` in groups, `dots`: estimates one below the
            other, or `forest`: differences about a line at 0. Bars in panels need a
            column `x` of categories, so that all panels have the same groups.
        x: The column of the places: on the x axis of lines, the groups of bars, the
            rows of dots and forests.
        values: What is drawn: functions as `Measure.of`, by name. With `series` there
            is one, whose name is not shown.
        label: Of the axis of values, with its unit.
        alt: As `Figure.alt`; a function of the rows where it names them. Without one
            it has the axes and the names of all that is drawn.
        series: A column with a line (or a bar) for each of its values.
        panel: A column with a panel for each of its values.
        each: A column with a figure for each of its values, which follows the title;
            their names end in 1, 2 and so on.
        printed: As one of `values`: what others published for the same rows, drawn as
            hollow marks; NaN where they have nothing. Bars have it in panels only.
        x_label: Of the x axis.
        format: Of the values.
        limits: Of the axis of values, in their unit; None where the data decide.
        places: What places on the x axis are called.
        references: Dashed lines by name, from the data; of bars in panels a value by
            panel.
        columns: How many panels are side by side.
        note: As `Figure.note`; a function of the rows where it tells numbers.
        missing: What to run where there is nothing to draw.
    """

    name: str
    title: str
    rows: Callable[[D], pd.DataFrame]
    kind: Literal["lines", "bars", "dots", "forest"]
    x: str
    values: Mapping[str, Callable[[pd.DataFrame], object]]
    label: str
    alt: str | Callable[[pd.DataFrame], str] = ""
    series: str | None = None
    panel: str | None = None
    each: str | None = None
    printed: Callable[[pd.DataFrame], object] | None = None
    x_label: str = ""
    format: Format = PERCENT
    limits: tuple[float | None, float | None] = (None, None)
    places: Mapping[int, str] = field(default_factory=dict)
    references: Callable[[D], Mapping[str, Any]] | None = None
    columns: int = 4
    note: str | Callable[[pd.DataFrame], str] = ""
    missing: str = ""

    def __call__(self, data: D) -> Iterator[Item]:
        """The figure, those of each value of `each`, or the notice."""
        rows = self.rows(data)
        references = self.references(data) if self.references else {}
        number = 0
        for title, part in self._parts(rows):
            panels = self._panels(part, self.values)
            if panels:
                number += 1
                yield Figure(
                    name=f"{self.name}_{number}" if self.each else self.name,
                    title=f"{self.title}, {title}" if self.each else self.title,
                    figure=self._draw(part, panels, references),
                    alt=self._alt(part, panels),
                    note=self.note if isinstance(self.note, str) else self.note(part),
                )
        if not number and self.missing:
            yield Notice(self.missing, "info")

    def _alt(self, rows: pd.DataFrame, panels: Mapping[str, Series]) -> str:
        if self.alt:
            return self.alt if isinstance(self.alt, str) else self.alt(rows)
        frames = [of.values for of in panels.values()]
        named = {"panels": [name for name in panels if name]}
        if self.series is not None or len(self.values) > 1:
            named[self.kind] = [name for frame in frames for name in frame.columns]
        if self.kind != "lines":
            named["groups" if self.kind == "bars" else "rows"] = [
                place for frame in frames for place in frame.index
            ]
        over = f" over {self.x_label}" if self.x_label else ""
        said = [f"{self.label}{over}"] + [
            f"{what}: {'; '.join(map(str, dict.fromkeys(of)))}"
            for what, of in named.items()
            if of
        ]
        return " ".join(f"{text[0].upper()}{text[1:]}." for text in said)

    def _parts(self, rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
        if len(rows) and self.each is None:
            yield "", rows
        elif len(rows):
            groups = rows.groupby(self.each, **_AS_THEY_ARE)
            yield from ((str(value), part) for value, part in groups)

    def _panels(
        self, rows: pd.DataFrame, values: Mapping[str, Callable[[pd.DataFrame], object]]
    ) -> dict[str, Series]:
        """The panels that have a value, in them the lines that have one."""
        parts = {"": rows}
        if self.panel is not None:
            groups = rows.groupby(self.panel, **_AS_THEY_ARE)
            parts = {str(name): of for name, of in groups}
        found = {name: self._series(of, values) for name, of in parts.items()}
        return {
            name: _known(of) if self.kind == "lines" else of
            for name, of in found.items()
            if of.values.notna().any(axis=None)
        }

    def _series(
        self, rows: pd.DataFrame, values: Mapping[str, Callable[[pd.DataFrame], object]]
    ) -> Series:
        if self.series is None:
            return series_of(rows, self.x, {n: (rows, of) for n, of in values.items()})
        (of,) = values.values()
        parts = rows.groupby(self.series, **_AS_THEY_ARE)
        return series_of(rows, self.x, {str(name): (part, of) for name, part in parts})

    def _draw(
        self,
        rows: pd.DataFrame,
        panels: Mapping[str, Series],
        references: Mapping[str, Any],
    ) -> "matplotlib.figure.Figure":
        # Slow to import, and a comparison that is printed has no figure.
        from inspect_debate.v1.reports.figures import forest, grouped_bars
        from inspect_debate.v1.reports.panels import (
            bar_panels,
            interval_panels,
            line_panels,
        )

        printed: dict[str, pd.DataFrame] = {}
        if self.printed is not None:
            found = self._panels(rows, {next(iter(self.values)): self.printed})
            printed = {name: of.values for name, of in found.items()}
        if self.kind == "lines":
            return line_panels(
                panels,
                label=self.label,
                x_label=self.x_label,
                format=self.format,
                references=references,
                printed=printed,
                places=self.places,
                limits=self.limits,
                columns=self.columns,
            )
        if self.kind == "bars" and self.panel is not None:
            return bar_panels(
                panels,
                label=self.label,
                format=self.format,
                references=references,
                printed=printed,
                limits=self.limits,
            )
        if self.kind == "bars":
            (only,) = panels.values()
            return grouped_bars(
                only.values,
                only.low,
                only.high,
                label=self.label,
                format=self.format,
                references=references,
                limits=self.limits,
            )
        estimates = {name: _one_column(of) for name, of in panels.items()}
        if self.kind == "forest":
            (frame,) = estimates.values()
            return forest(frame, label=self.label, format=self.format)
        for name, values in printed.items():
            if name in estimates:
                estimates[name] = estimates[name].assign(printed=values.iloc[:, 0])
        return interval_panels(
            estimates,
            label=self.label,
            format=self.format,
            references=references,
            limits=self.limits,
            columns=self.columns,
        )


def _known(series: Series) -> Series:
    """The lines that have a value."""
    known = series.values.columns[series.values.notna().any()]
    return Series(*(frame[known] for frame in series))


def _one_column(series: Series) -> pd.DataFrame:
    """The only line of a panel, as the frames of dots and forests have it."""
    estimate, low, high = (frame.iloc[:, 0] for frame in series)
    return pd.DataFrame({"estimate": estimate, "low": low, "high": high})


@dataclass(frozen=True)
class Panels(Generic[D]):
    """A figure whose panels show rows as they are, such as distributions.

    Called with the data of a report it gives the figure; where there is nothing to
    draw, a notice that says what to run, or nothing.

    Attributes:
        name: As `Figure.name`.
        title: As `Figure.title`.
        rows: The rows it is about.
        panel: A column with a panel for each of its values.
        draw: Takes the rows by panel, and the data.
        alt: As `Figure.alt`.
        note: As `Figure.note`.
        missing: What to run where there is nothing to draw.
        sized: Whether the titles of panels have the number of their rows.
    """

    name: str
    title: str
    rows: Callable[[D], pd.DataFrame]
    panel: str
    draw: "Callable[[Mapping[str, pd.DataFrame], D], matplotlib.figure.Figure]"
    alt: str
    note: str = ""
    missing: str = ""
    sized: bool = True

    def __call__(self, data: D) -> Iterator[Item]:
        """The figure, or the notice."""
        panels = {
            f"{name}, n={len(of)}" if self.sized else str(name): of
            for name, of in self.rows(data).groupby(self.panel, **_AS_THEY_ARE)
        }
        if panels:
            figure = self.draw(panels, data)
            yield Figure(self.name, self.title, figure, self.alt, self.note)
        elif self.missing:
            yield Notice(self.missing, "info")


def binned(
    rows: pd.DataFrame, stated: str, of: Callable[[pd.DataFrame], Interval]
) -> pd.DataFrame:
    """Probabilities beside what came true, in bins of ten points, for `reliability`.

    Args:
        rows: The rows of a panel.
        stated: The column of the probabilities, from 0 to 1.
        of: The share that came true in a bin.

    Returns:
        Percents as `stated` (the mean), `share`, `low` and `high`, and `n`.
    """
    found = []
    for _, here in rows.groupby(np.digitize(rows[stated], np.arange(1, 10) / 10)):
        share = of(here)
        values = (here[stated].mean(), share.value, share.low, share.high)
        found.append([*(100 * value for value in values), len(here)])
    return pd.DataFrame(found, columns=["stated", "share", "low", "high", "n"])


# A report as a whole.

Shows = Callable[[D], Item | Iterable[Item | None] | None]
"""What makes an item of a section, or several, from the data: a view, a plot, panels
or a function."""


@dataclass(frozen=True)
class Part(Generic[D]):
    """A section as it is declared.

    Attributes:
        title: Its heading.
        shows: What makes its items.
        text: As `Section.text`, or a function of the data.
        otherwise: The text where there are no items.
    """

    title: str
    shows: Sequence[Shows[D]] = ()
    text: Text[D] = ""
    otherwise: Text[D] = ""

    def section(self, data: D) -> Section:
        """The section of a report."""
        items = [item for show in self.shows for item in _items(show(data))]
        text = text_of(self.text, data)
        if not items:
            text = text_of(self.otherwise, data) or text
        return Section(self.title, text, items)


def _items(made: Item | Iterable[Item | None] | None) -> Iterator[Item]:
    if isinstance(made, Table | Figure | Notice):
        yield made
    elif made is not None:
        yield from (item for item in made if item is not None)


@dataclass(frozen=True, kw_only=True)
class DataReport(Generic[D]):
    """A report as it is declared.

    Attributes:
        title: As `Report.title`.
        source: What it is about in one line, as `Report.study`.
        summary: As `Report.summary`.
        notices: What must be read first, from the data.
        parts: The sections, those on whether the runs can be trusted included. One
            that has neither text nor items is left out.
        main: As `Report.main`.
        figure: As `Report.figure`.
    """

    title: Text[D]
    source: Text[D] = ""
    summary: Text[D] = ""
    notices: Callable[[D], Iterable[Notice]] = lambda data: ()
    parts: Sequence[Part[D] | Callable[[D], Section]]
    main: Sequence[Main] = ()
    figure: Sequence[str] = ()

    def of(self, data: D) -> Report:
        """The report on some data."""
        sections = [
            part.section(data) if isinstance(part, Part) else part(data)
            for part in self.parts
        ]
        return Report(
            title=text_of(self.title, data),
            study=text_of(self.source, data),
            summary=text_of(self.summary, data),
            notices=[*self.notices(data)],
            sections=[each for each in sections if each.text or each.items],
            main=self.main,
            figure=self.figure,
        )


@dataclass(frozen=True, kw_only=True)
class StudyReport(DataReport[D]):
    """The report of a study, whose data are the logs of its runs.

    Attributes:
        study: The name of its task; None if it takes logs of all.
        read: Reads the logs into the data that all else takes; None where no sample
            was scored.
    """

    study: str | None
    read: Callable[[Sequence[Log]], D | None]

    def __call__(self, logs: LogPaths, *, allow_partial: bool = False) -> Report:
        """The report on some logs.

        Args:
            logs: Log files or folders of them.
            allow_partial: Whether to take logs of runs that did not finish.

        Raises:
            InputError: If there are no such logs, or one of them is of no use.
        """
        data = self.read(study_logs(logs, self.study, allow_partial=allow_partial))
        if data is None:
            raise InputError("No sample of these logs was scored: there is no report.")
        return self.of(data)
