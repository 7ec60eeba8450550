"""How a report is written: one page of HTML, with CSV and SVG files."""

from collections.abc import Mapping
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.paths import AnyPath, any_path
from inspect_debate.v1.reports.drawing import inline_svg, svg_text
from inspect_debate.v1.reports.elements import (
    COUNT,
    MISSING,
    NUMBER,
    P_VALUE,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Figure,
    Format,
    Item,
    Link,
    Notice,
    Report,
    Section,
    Table,
    blocks,
)
from inspect_debate.v1.reports.tables import Layout, csv_text, laid_out, widths

__all__ = [
    "COUNT",
    "MISSING",
    "NUMBER",
    "PERCENT",
    "POINTS",
    "P_VALUE",
    "Cell",
    "Column",
    "Figure",
    "Format",
    "Item",
    "Link",
    "Notice",
    "Report",
    "Section",
    "Table",
    "write_report",
]


def write_report(report: Report, out: str | AnyPath) -> list[AnyPath]:
    """Write a report as a page, and as files of tables and figures.

    `report.html` holds everything and asks nothing of any other host. Each table is
    also written to `tables/NAME.csv`, unrounded, and each figure to
    `figures/NAME.svg`. The same report gives the same bytes.

    Args:
        report: what to write.
        out: folder; created if need be. Of what is in it only files with the names
            above are replaced.

    Returns:
        The files written, the page first.

    Raises:
        InputError: `out` is no folder.
        ValueError: a table's `formats`, `groups`, `marks` or `emphasis` name a
            place that it does not have, or two of its columns have one name in
            the CSV file.
    """
    out = any_path(out)
    if out.exists() and not out.is_dir():
        raise InputError(f"{str(out)!r} is a file; give a folder for the report.")
    contents = _contents(report)
    for name, content in contents.items():
        file = out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return [out / name for name in contents]


def _contents(report: Report) -> dict[str, bytes]:
    """What goes into each file, so that a table with a fault leaves no half report."""
    svgs = {part.name: svg_text(part.figure) for part in report.figures()}
    texts = {"report.html": html_page(report, svgs)}
    texts |= {f"tables/{table.name}.csv": csv_text(table) for table in report.tables()}
    texts |= {f"figures/{name}.svg": svg for name, svg in svgs.items()}
    return {name: text.encode() for name, text in texts.items()}


# Reports as one page of HTML that needs no other file, no script and no network.

_LINE = 40
"""Characters after which a text in a table goes on in the next line."""
_GAP = 2
"""Characters between two columns."""
_PAPER = 130
"""Characters of a table that stand side by side on paper."""


def html_page(report: Report, svgs: Mapping[str, str]) -> str:
    """A report as a page.

    Args:
        report: what to show.
        svgs: the figures by name, as given by `drawing.svg_text`.
    """
    folder = resources.files("inspect_debate.v1.reports") / "templates"
    environment = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["blocks"] = blocks
    environment.filters["is_wide"] = _is_wide
    template = environment.from_string(
        (folder / "report.html.j2").read_text(encoding="utf-8")
    )
    tables, figures = list(report.tables()), list(report.figures())
    page = template.render(
        report=report,
        main=report.main_figure,
        layouts={table.name: laid_out(table) for table in tables},
        drawings={
            figure.name: Markup(inline_svg(svgs[figure.name], figure.name))
            for figure in figures
        },
        numbers={table.name: f"Table {n}" for n, table in enumerate(tables, 1)}
        | {figure.name: f"Figure {n}" for n, figure in enumerate(figures, 1)},
    )
    return page.lstrip()


def _is_wide(layout: Layout) -> bool:
    """Whether a table needs smaller letters to fit on paper and into a window."""
    words = [max(map(len, label.split()), default=0) for label in layout.labels]
    columns = map(max, widths(layout), words)
    return sum(min(width, _LINE) + _GAP for width in columns) > _PAPER
