"""Reports as plain text, for a terminal."""

from collections.abc import Iterator, Sequence
from textwrap import fill, indent

from tabulate import tabulate

from inspect_debate.v1.reports.elements import (
    Figure,
    Notice,
    Report,
    Span,
    Table,
    blocks,
)
from inspect_debate.v1.reports.tables import Shown, laid_out

WIDTH = 100
"""Columns of the terminal."""

_GAP = 2
"""Columns between two of a table."""
_PAD = "  "
"""What tabulate adds to a header."""


def terminal_text(report: Report) -> str:
    """A report without its figures; no line is longer than `WIDTH`."""
    parts = [_wrapped(report.title), *_prose(report.study)]
    parts += _prose(report.headline)
    parts += [_notice(notice) for notice in report.notices]
    parts += _prose(report.summary)
    for section in report.sections:
        parts += [_wrapped(f"## {section.title}"), *_prose(section.text)]
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
    """A table; where rows are in groups, each group below its heading."""
    layout = laid_out(table)
    rows = [
        [_cell(cell) for cell in row] for body in layout.bodies for row in body.rows
    ]
    widths = fitted([[n + _PAD for n in layout.labels], *rows], layout.numeric)
    header = [
        _wrapped(label, width - len(_PAD))
        for label, width in zip(layout.labels, widths, strict=True)
    ]
    wrapped = [list(map(_wrapped, row, widths)) for row in rows]
    lines = tabulate(
        wrapped,
        headers=header,
        tablefmt="simple",
        disable_numparse=True,
        colalign=["right" if numeric else "left" for numeric in layout.numeric],
    ).splitlines()
    heights = [1 + max(cell.count("\n") for cell in row) for row in wrapped]
    place = len(lines) - sum(heights)
    number = 0
    for body in layout.bodies:
        if body.heading:
            heading = [*[""] * (number > 0), _wrapped(body.heading)]
            lines[place:place] = heading
            place += len(heading)
        place += sum(heights[number : number + len(body.rows)])
        number += len(body.rows)
    yield _wrapped(f"{table.title}:")
    yield "\n".join(lines)
    yield from (indent(text, "  ") for text in _prose(table.note, WIDTH - 2))


def fitted(
    rows: Sequence[Sequence[str]], numeric: Sequence[bool] | None = None
) -> list[int]:
    """Widths of columns that fit side by side; the widest are narrowed first.

    Args:
        rows: The texts of the cells, the header first.
        numeric: Which columns have numbers: where narrower headers of these are
            enough, no cell goes on in another line.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    header, *cells = rows
    longest = [
        max(
            len(_PAD) + max(map(len, name.split()), default=0),
            *(len(row[place]) for row in cells),
            0,
        )
        for place, name in enumerate(header)
    ]
    over = sum(widths) + _GAP * (len(widths) - 1) - WIDTH
    loose = [
        max(0, width - longest[place]) if numeric and numeric[place] else 0
        for place, width in enumerate(widths)
    ]
    enough = sum(loose) >= over
    for _ in range(over):
        free = [w if loose[place] else 0 for place, w in enumerate(widths)]
        among = free if enough else widths
        place = among.index(max(among))
        widths[place] -= 1
        loose[place] -= bool(loose[place])
    return widths


def _cell(cell: Shown) -> str:
    return " ".join(filter(None, [cell.text, cell.interval]))


def _prose(text: str, width: int = WIDTH) -> Iterator[str]:
    for block in blocks(text):
        lines = ("".join(map(_span, line)) for line in block.lines)
        yield "\n".join(
            fill(f"- {line}", width, subsequent_indent="  ", break_on_hyphens=False)
            if block.listed
            else _wrapped(line, width)
            for line in lines
        )


def _span(span: Span) -> str:
    return span.text


def _wrapped(text: str, width: int = WIDTH) -> str:
    return fill(text, width, break_on_hyphens=False)
