"""Reports as plain text, for a terminal."""

from collections.abc import Iterator, Sequence
from textwrap import fill, indent

from tabulate import tabulate

from inspect_debate.reports.elements import Figure, Notice, Report, Span, Table, blocks
from inspect_debate.reports.tables import Shown, laid_out

WIDTH = 100
"""Columns of the terminal."""

_GAP = 2
"""Columns between two of a table."""
_PAD = "  "
"""What tabulate adds to a header."""


def terminal_text(report: Report) -> str:
    """A report without its figures; no line is longer than `WIDTH`."""
    parts = [report.title, *_prose(report.study)]
    parts += _prose(report.headline)
    parts += [_notice(notice) for notice in report.notices]
    parts += _prose(report.summary)
    for section in report.sections:
        parts += [f"## {section.title}", *_prose(section.text)]
        for item in section.items:
            match item:
                case Table():
                    parts += _table(item)
                case Notice():
                    parts.append(_notice(item))
                case Figure():
                    pass
    return "\n\n".join(parts) + "\n"


def _notice(notice: Notice) -> str:
    mark = "Warning: " if notice.level == "warning" else "Note: "
    return "\n".join(_prose(mark + notice.text))


def _table(table: Table) -> Iterator[str]:
    layout = laid_out(table)
    rows = [
        [_cell(cell) for cell in row] for body in layout.bodies for row in body.rows
    ]
    widths = fitted([[label + _PAD for label in layout.labels], *rows])
    header = [
        _wrapped(label, width - len(_PAD))
        for label, width in zip(layout.labels, widths, strict=True)
    ]
    wrapped = [list(map(_wrapped, row, widths)) for row in rows]
    yield _wrapped(f"{table.title}:")
    yield tabulate(
        wrapped,
        headers=header,
        tablefmt="simple",
        disable_numparse=True,
        colalign=["right" if numeric else "left" for numeric in layout.numeric],
    )
    yield from (indent(text, "  ") for text in _prose(table.note, WIDTH - 2))


def fitted(rows: Sequence[Sequence[str]]) -> list[int]:
    """Widths of columns that fit side by side; the widest are narrowed first.

    Args:
        rows: The texts of the cells, the header's too.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + _GAP * (len(widths) - 1) > WIDTH:
        widths[widths.index(max(widths))] -= 1
    return widths


def _cell(cell: Shown) -> str:
    return " ".join(filter(None, [cell.text, cell.interval]))


def _prose(text: str, width: int = WIDTH) -> Iterator[str]:
    for block in blocks(text):
        lines = ("".join(map(_span, line)) for line in block.lines)
        yield "\n".join(
            _wrapped(f"- {line}" if block.listed else line, width) for line in lines
        )


def _span(span: Span) -> str:
    return span.text


def _wrapped(text: str, width: int = WIDTH) -> str:
    return fill(text, width, break_on_hyphens=False)
