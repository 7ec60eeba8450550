"""A report: tables and figures, written as one page and as CSV and SVG files."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from inspect_debate.debate.errors import InputError
from inspect_debate.metrics.intervals import Estimate
from inspect_debate.metrics.paired import PairedDifference

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

DASH = "–"
_LONG = 26
"""Characters of a cell that may be broken into lines."""


class Measured(NamedTuple):
    """A value in a table or figure, with its interval (NaN where there is none)."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @classmethod
    def percent(cls, value: float, low: float, high: float) -> "Measured":
        """The same of shares, in percent."""
        return cls(100 * value, 100 * low, 100 * high)

    def text(self, digits: int = 1, signed: bool = False) -> str:
        """The value and its interval, as in `74.1 [68.0, 79.5]`."""
        value, low, high = (number(one, digits, signed) for one in self)
        return value if math.isnan(self.low) else f"{value} [{low}, {high}]"


@dataclass(frozen=True)
class Headline:
    """The main result, in a sentence or two that can be read out."""

    text: str


@dataclass(frozen=True)
class Heading:
    """The title of a section."""

    text: str


@dataclass(frozen=True)
class Notice:
    """What the reader has to know before trusting the numbers, in a box."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Table:
    """A data frame.

    Attributes:
        name: The name of its CSV file.
        title: What it shows.
        frame: Its rows; a cell may be `Measured`, which gets three columns in the CSV.
        note: What a reader needs to know to read it.
        digits: Digits after the point; p-values (columns named p) have their own.
        signed: Whether numbers with an interval are differences, shown with their sign.
        group: A column whose repeated values are shown once.
    """

    name: str
    title: str
    frame: pd.DataFrame
    note: str = ""
    digits: int = 1
    signed: bool = False
    group: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure, drawn when it is written as NAME.svg."""

    name: str
    title: str
    draw: Callable[[], "Drawing"]
    note: str = ""


Item = Headline | Heading | Notice | Table | Figure | str
"""A part of a report; a string is a paragraph."""


def write(items: Iterable[Item], out: Path, title: str, command: str = "") -> Path:
    """Write out/report.html, a CSV file per table and an SVG file per figure.

    Args:
        items: The report, from top to bottom.
        out: A folder, made if necessary.
        title: The title of the page.
        command: How the report was made, for its last line.

    Returns:
        The page, which needs no other file.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"Cannot write to {str(out)!r}: {error.strerror}.") from None
    counts = Counter[str]()
    parts = []
    for item in items:
        kind = type(item).__name__
        counts[kind] += 1
        part: dict[str, Any] = {"kind": kind, "item": item, "number": counts[kind]}
        if isinstance(item, Table):
            csv_frame(item.frame).to_csv(out / f"{item.name}.csv", index=False)
            part["rows"] = _rows(item)
        elif isinstance(item, Figure):
            part["svg"] = _svg(item, out / f"{item.name}.svg")
        parts.append(part)
    path = out / "report.html"
    text = rendered("report.html.j2", title=title, parts=parts, command=command)
    path.write_text(text, encoding="utf-8")
    return path


def rendered(template: str, **values: object) -> str:
    """A page from one of the templates beside this file; values are escaped."""
    environment = Environment(
        loader=PackageLoader("inspect_debate.reports", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(values)


def by(
    rows: pd.DataFrame,
    keys: Sequence[str],
    measures: Mapping[str, Callable[[pd.DataFrame], object]],
) -> pd.DataFrame:
    """A row per group of `keys`, in the order of appearance, with its measures."""
    groups = rows.groupby([*keys], sort=False, dropna=False)
    found = []
    for key, part in groups:
        values = {name: measure(part) for name, measure in measures.items()}
        found.append(dict(zip(keys, key, strict=True)) | values)
    return pd.DataFrame(found)


def number(value: float, digits: int = 1, signed: bool = False) -> str:
    """A number for people; a dash for NaN."""
    if math.isnan(value):
        return DASH
    value = round(value, digits) + 0.0  # no negative zero
    return f"{value:{'+' if signed else ''},.{digits}f}".replace("-", "−")


def p_value(p: float, named: bool = False) -> str:
    """A p-value for people; `named` for use in a sentence."""
    if math.isnan(p):
        return "no p-value" if named else DASH
    text = "< 0.001" if p < 0.001 else f"{p:.{3 if p < 0.1 else 2}f}"
    equal = "" if p < 0.001 else "= "
    return (f"p {equal}{text}" if named else text).replace(" ", "\u00a0")


def difference_in_words(
    measure: str, treatment: str, baseline: str, found: PairedDifference
) -> str:
    """A sentence on a paired difference of shares, treatment minus baseline."""
    points = percent(found)
    if math.isnan(points.value):
        return (
            f"{treatment} and {baseline} cannot be compared: the {measure} is not "
            f"defined on the {found.pairs} samples that both answer."
        )
    low, high = (number(end, signed=True) for end in points[1:])
    within = "" if math.isnan(points.low) else f"95 % interval {low} to {high}, "
    size, way = number(abs(points.value)), "lower" if points.value < 0 else "higher"
    compared = f"{size} points {way} than" if float(size) else "the same as"
    return (
        f"The {measure} of {treatment} is {compared} that of {baseline} "
        f"({within}{p_value(found.p, named=True)}; {found.pairs} paired samples)."
    )


def percent(found: Estimate | PairedDifference) -> Measured:
    """A share or a difference of shares, in percent."""
    value = found.value if isinstance(found, Estimate) else found.estimate
    return Measured.percent(value, found.low, found.high)


def plain_model(model: str) -> str:
    """A model's name without provider, date, and words such as Instruct."""
    name = re.sub(r"20\d\d-?\d\d-?\d\d|-0125", "", model.rsplit("/", 1)[-1].lower())
    dropped = ("meta", "instruct", "chat", "turbo", "latest")
    return "".join(w for w in re.split(r"[^a-z0-9]+", name) if w not in dropped)


def csv_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with values and the ends of their intervals in columns of their own."""
    columns: dict[str, Any] = {}
    for name in frame:
        cells = frame[name].tolist()
        if any(isinstance(cell, Measured) for cell in cells):
            ends = [c if isinstance(c, Measured) else Measured(math.nan) for c in cells]
            for place, suffix in enumerate(("", " low", " high")):
                columns[f"{name}{suffix}"] = [end[place] for end in ends]
        else:
            columns[str(name)] = cells
    return pd.DataFrame(columns)


def _rows(table: Table) -> list[list[tuple[str, str]]]:
    """The cells of a table as text, with their classes."""
    names = [str(name) for name in table.frame]
    rows: list[list[tuple[str, str]]] = []
    before: object = None
    for values in table.frame.itertuples(index=False, name=None):
        cells = dict(zip(names, values, strict=True))
        shown = {name: _cell(value, name, table) for name, value in cells.items()}
        group = cells.get(table.group)
        if group is not None and group == before:
            shown[table.group] = ("", "text")
        elif group is not None and rows:
            shown = {n: (text, f"{kind} first") for n, (text, kind) in shown.items()}
        before = group
        rows.append([*shown.values()])
    return rows


def _cell(value: Any, column: str, table: Table) -> tuple[str, str]:
    if isinstance(value, Measured):
        return value.text(table.digits, table.signed), "number"
    if isinstance(value, str):
        return value or DASH, "text long" if len(value) > _LONG else "text"
    if pd.isna(value):
        return DASH, "number"
    if not hasattr(value, "__float__"):
        return str(value), "text"
    if column == "p" or column.startswith("p "):
        return p_value(float(value)), "number"
    whole = hasattr(value, "__index__")
    return number(float(value), 0 if whole else table.digits), "number"


def _svg(figure: Figure, path: Path) -> Markup:
    """Write the figure; return its SVG element for the page."""
    from inspect_debate.reports.figures import save  # which imports this module

    save(figure.draw(), path)
    svg = path.read_text(encoding="utf-8")
    svg = svg[svg.index("<svg") :]
    # The ids of all figures of a page would be the same.
    svg = re.sub(r'\b(id="|href="#)', rf"\1{figure.name}-", svg)
    svg = svg.replace("url(#", f"url(#{figure.name}-")
    return Markup(svg)  # ours; matplotlib escapes the text in it
