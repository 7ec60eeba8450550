"""A report: tables and figures, written as one page and as CSV and SVG files."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from inspect_debate.debate.errors import InputError
from inspect_debate.reports import stats

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

INK, SOFT = "#1b1b1b", "#8a8a8a"
_RC: Any = {
    "svg.fonttype": "none",  # text stays text
    "text.parse_math": False,  # names of models may hold dollar signs
    "svg.hashsalt": "inspect-debate",  # ids do not change between runs
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.titlesize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.constrained_layout.use": True,
    "xtick.color": INK,
    "ytick.color": INK,
}
_LONG = 26
"""Characters of a cell that may be broken into lines."""


class Headline(NamedTuple):
    """The main result, in a sentence or two that can be read out."""

    text: str


class Heading(NamedTuple):
    """The title of a section."""

    text: str


class Notice(NamedTuple):
    """What the reader has to know before trusting the numbers, in a box, if any."""

    texts: Sequence[str]


class Table(NamedTuple):
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


class Figure(NamedTuple):
    """A figure, drawn when it is written as NAME.svg."""

    name: str
    title: str
    draw: Callable[[], "Drawing"]
    note: str = ""


Item = Headline | Heading | Notice | Table | Figure | str
"""A part of a report; a string is a paragraph."""


def write(items: Iterable[Item], out: Path, title: str, command: str = "") -> Path:
    """Write out/report.html, a CSV file per table and an SVG file per figure.

    The page needs no other file. Its last line is the command that made it.
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
            stats.csv_frame(item.frame).to_csv(out / f"{item.name}.csv", index=False)
            part["rows"] = cells(item)
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


def cells(table: Table) -> list[list[tuple[str, str]]]:
    """The cells of a table as text, with their classes."""
    frame = table.frame
    rows = [
        [_cell(value, str(name), table) for name, value in zip(frame, row, strict=True)]
        for row in frame.itertuples(index=False, name=None)
    ]
    if table.group in frame:
        groups = [*frame[table.group]]
        place = [*frame].index(table.group)
        for row, group, before in zip(rows[1:], groups[1:], groups, strict=False):
            if group == before:
                row[place] = ("", "text")
            else:
                row[:] = [(text, f"{kind} first") for text, kind in row]
    return rows


def _cell(value: Any, column: str, table: Table) -> tuple[str, str]:
    if isinstance(value, stats.Measured):
        return value.text(table.digits, table.signed), "number"
    if isinstance(value, str):
        return value or stats.DASH, "text long" if len(value) > _LONG else "text"
    if pd.isna(value):
        return stats.DASH, "number"
    if not hasattr(value, "__float__"):
        return str(value), "text"
    if column == "p" or column.startswith("p "):
        return stats.p_value(float(value)), "number"
    whole = hasattr(value, "__index__")
    return stats.number(float(value), 0 if whole else table.digits), "number"


def _svg(figure: Figure, path: Path) -> Markup:
    """Write the figure, always the same bytes; return its SVG element for the page."""
    import matplotlib

    with matplotlib.rc_context(_RC):
        drawn = figure.draw()
        drawn.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    svg = path.read_text(encoding="utf-8")
    svg = svg[svg.index("<svg") :]
    # The ids of all figures of a page would be the same.
    svg = re.sub(r'\b(id="|href="#)', rf"\1{figure.name}-", svg)
    svg = svg.replace("url(#", f"url(#{figure.name}-")
    return Markup(svg)  # ours; matplotlib escapes the text in it
