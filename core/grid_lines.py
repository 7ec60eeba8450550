"""Grids written as rows of digits, a row on each line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from inspect_debate.core.grid_lists import Found
from inspect_debate.core.grid_text import grid_of

_LINE = re.compile(r"[^\n]*+\n?+")
_DECORATION = " \t\r>*`_"
_ROW = re.compile(
    r"""(?:-\s++)?+(?P<open>\[)?+\s*+\|?+\s*+
    (?:(?(open)[0-9]|[0-9]++)|[0-9](?:(?:\s*+[,|]\s*+|\s++)[0-9])++)
    \s*+\|?+\s*+(?(open)\]),?+""",
    re.X,
)
_RULE = re.compile(r"(?=.*[|+])[-|+:=\s]+")
_WORD = re.compile(r"[^\s,|\[\]]++")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_ELISION = re.compile(r"[.\s…⋮]+")


class _Piece(NamedTuple):
    """Rows on consecutive lines.

    Attributes:
        end: Where they end in the text.
        rows: Empty ones for those that could not be read.
        blanks: How many blank lines stand before them.
    """

    end: int
    rows: list[tuple[int, ...]]
    blanks: int


def lined_grids(text: str, count: int) -> Iterator[Found]:
    """The grids that are written as rows of digits on lines of their own.

    Cells are separated by spaces, tabs, commas, `|` or nothing; rows may stand in
    brackets or in a table. What ends a grid is a blank line, or one with a label. A
    line that seems to be a row and is none makes its grid one that cannot be read.

    Single rows of one width that only blank lines part are the rows of one grid if they
    are more than `count`. They cannot be read if `count` is not one, or if the gaps are
    uneven: nothing tells then where a grid ends.

    Args:
        text: A completion, or a part of one.
        count: How many grids are asked for.
    """
    for run in _runs(text):
        rows = [row for piece in run for row in piece.rows]
        widths = {len(row) for row in rows if row}
        if len(rows) == len(run) > count and len(widths) <= 1:
            even = len({piece.blanks for piece in run[1:]}) == 1
            yield Found(run[-1].end, grid_of(rows) if count == 1 and even else None)
        else:
            yield from (Found(piece.end, grid_of(piece.rows)) for piece in run)


def _runs(text: str) -> Iterator[list[_Piece]]:
    """The rows of a text, by what parts them: labels, and then blank lines."""
    run: list[_Piece] = []
    rows: list[tuple[int, ...]] = []
    end = blanks = 0
    for line in _LINE.finditer(text):
        said = line.group().strip().strip(_DECORATION)
        if _ROW.fullmatch(said):
            rows.append(tuple(int(c) for c in said if c in "0123456789"))
        elif _malformed(said):
            rows.append(())
        elif not rows or not _RULE.fullmatch(said):
            if rows:
                run.append(_Piece(end, rows, blanks))
                rows, blanks = [], 0
            if said:
                yield run
                run = []
            blanks += 1
        end = line.end()
    if rows:
        run.append(_Piece(end, rows, blanks))
    yield run


def _malformed(line: str) -> bool:
    if not _LETTER.search(line):
        return bool(_DIGIT.search(line) or _ELISION.fullmatch(line))
    words = _WORD.findall(line)
    return 2 * sum(map(str.isdigit, words)) > len(words)
