"""How a report is written: one page of HTML, Markdown, CSV, LaTeX and figures."""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from tabulate import tabulate

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import AnyPath, any_path
from inspect_debate.reports.drawing import inline_svg, pdf_bytes, svg_text
from inspect_debate.reports.elements import (
    COUNT,
    MISSING,
    NUMBER,
    P_VALUE,
    PERCENT,
    POINTS,
    Block,
    Cell,
    Column,
    Figure,
    Format,
    Item,
    Link,
    Notice,
    Report,
    Section,
    Span,
    Table,
    blocks,
)
from inspect_debate.reports.latex import latex_table
from inspect_debate.reports.tables import Layout, Shown, csv_text, laid_out, widths

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
    """Write a report as a page, as Markdown, and as files of tables and figures.

    `report.html` holds everything and asks nothing of any other host; `report.md`
    shows the figures from `figures/NAME.svg`. Each table is also written to
    `tables/NAME.csv`, unrounded, and to `tables/NAME.md` and `tables/NAME.tex` (for
    papers) as the page shows it, each figure to
    `figures/NAME.svg` and `figures/NAME.pdf`. The same report gives the same bytes.

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
    texts = {
        "report.html": html_page(report, svgs),
        "report.md": markdown_report(report),
    }
    for table in report.tables():
        texts[f"tables/{table.name}.csv"] = csv_text(table)
        texts[f"tables/{table.name}.md"] = markdown_table(table)
        texts[f"tables/{table.name}.tex"] = latex_table(table)
    texts |= {f"figures/{name}.svg": svg for name, svg in svgs.items()}
    pdfs = {
        f"figures/{part.name}.pdf": pdf_bytes(part.figure) for part in report.figures()
    }
    return {name: text.encode() for name, text in texts.items()} | pdfs


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
    folder = resources.files("inspect_debate.reports") / "templates"
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


# Reports and tables in Markdown.


def markdown_report(report: Report) -> str:
    """A whole report, its figures by their relative paths, its tables in full."""
    number = _numbering(report)
    parts = [f"# {escaped(report.title)}", escaped(report.study)]
    parts += [f"**{escaped(report.headline)}**"] if report.headline else []
    parts += [_notice(notice) for notice in report.notices]
    parts += _text(report.summary)
    for section in report.sections:
        parts += [f"## {escaped(section.title)}", *_text(section.text)]
        parts += [_item(item, number) for item in section.items]
    return "\n\n".join(parts) + "\n"


def markdown_table(table: Table) -> str:
    """One table with its title and what stands below it."""
    return _table(table, escaped(table.title)) + "\n"


def escaped(text: str) -> str:
    """Text in one line, so that no renderer takes any of it for markup or HTML."""
    line = " ".join(text.split())
    line = re.sub(r"([\\`*\[\]<>|&~$])", r"\\\1", line)
    # Within a word an underscore is no markup, and names are full of them.
    line = re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", line)
    # What makes a heading, a list or a rule of a line.
    return re.sub(r"^(#*|[-+=]*|\d+)([-+=#.)])(?=\s|$)", r"\1\\\2", line)


def _numbering(report: Report) -> Callable[[Table | Figure], str]:
    names = {table.name: f"Table {n}" for n, table in enumerate(report.tables(), 1)}
    names |= {part.name: f"Figure {n}" for n, part in enumerate(report.figures(), 1)}
    return lambda item: f"{names[item.name]}. {escaped(item.title)}"


def _item(item: Item, number: Callable[[Table | Figure], str]) -> str:
    match item:
        case Table():
            return _table(item, number(item))
        case Figure():
            image = f"![{escaped(item.alt)}](figures/{item.name}.svg)"
            return "\n\n".join([f"**{number(item)}.**", image, *_text(item.note)])
        case Notice():
            return _notice(item)


def _notice(notice: Notice) -> str:
    first = "Warning" if notice.level == "warning" else "Note"
    text = "\n\n".join([f"**{first}.**", *_text(notice.text)])
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _text(text: str) -> Iterator[str]:
    yield from map(_block, blocks(text))


def _block(block: Block) -> str:
    lines = ["".join(map(_span, line)) for line in block.lines]
    return "\n".join(f"- {line}" if block.listed else line for line in lines)


def _span(span: Span) -> str:
    if span.code:
        return f"`{span.text}`"
    # The spaces beside code are the text's own.
    before, after = span.text[:1].isspace(), span.text[-1:].isspace()
    return " " * before + escaped(span.text) + " " * (after and len(span.text) > 1)


def _table(table: Table, title: str) -> str:
    layout = laid_out(table)
    groups = [escaped(layout.groups)] if layout.groups else []
    shown = tabulate(
        [
            [escaped(body.heading)] * len(groups) + [_cell(cell) for cell in row]
            for body in layout.bodies
            for row in body.rows
        ],
        headers=groups + [escaped(text) for text in layout.labels],
        tablefmt="pipe",
        disable_numparse=True,
        colalign=["left"] * len(groups)
        + ["right" if numeric else "left" for numeric in layout.numeric],
    )
    parts = [f"**{title}.**", shown, *_text(table.note)]
    parts += [f"({letter}) {escaped(text)}" for letter, text in layout.footnotes]
    parts += [escaped(layout.rest)] if layout.rest else []
    return "\n\n".join(parts)


def _cell(cell: Shown) -> str:
    text = escaped(cell.text)
    if cell.target:
        text = f"[{text}](<{cell.target}>)"
    if cell.strong:
        text = f"**{text}**"
    letters = f"({cell.letters})" if cell.letters else ""
    return " ".join(filter(None, [text, cell.interval, letters]))
