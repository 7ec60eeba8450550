"""Grids of colours as answers: what a reply says, and how much of it is right."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from inspect_debate.debate.text import split_reasoning

Grid = tuple[tuple[int, ...], ...]
"""Rows of equal length from top to bottom; a cell is a colour, 0 to 9 (ARC-AGI)."""

LARGEST = 30
"""A grid has 1 to 30 rows and 1 to 30 columns."""


def grid_of(rows: Iterable[Sequence[int]]) -> Grid | None:
    """The grid that rows of colours make, or None if they make none."""
    grid = tuple(map(tuple, rows))
    widths = {len(row) for row in grid}
    sizes = {len(grid), *widths}
    fits = len(widths) == 1 and 1 <= min(sizes) <= max(sizes) <= LARGEST
    return grid if fits else None


def render(grid: Sequence[Sequence[int]]) -> str:
    """A grid as text: a row on each line, its digits separated by spaces."""
    return "\n".join(" ".join(map(str, row)) for row in grid)


def grids_right(answer: Sequence[Grid], target: Sequence[Grid]) -> int:
    """How many grids of an answer equal the target's at the same place."""
    return sum(given == right for given, right in zip(answer, target, strict=False))


class _Found(NamedTuple):
    """A grid, or what should be one and is not.

    Attributes:
        end: Where it ends.
        grid: None if it could not be read.
        rank: How surely it is meant as an answer: 2 for rows in a fenced block, and for
            a list on lines of its own or under a label such as `output`; 1 for other
            lists, as those in a sentence may be of coordinates and those in code
            anything; 0 for bare rows of digits.
        number: That of its label, as in `output 2`.
    """

    end: int
    grid: Grid | None
    rank: int
    number: int | None = None


_LINE_END = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_FENCE = re.compile(r"[ \t>]*+(?P<marks>`{3,}+|~{3,}+)(?P<info>[^\n]*+)")
_CODE = re.compile(r"\s*+(?:python|py)3?+\b", re.I)


def grids(reply: str, count: int) -> list[Grid] | None:
    """Read the last `count` grids of a reply.

    The last ones count, because models restate the examples first.

    Returns:
        The grids, or None if there are fewer or one of them is malformed (ragged, too
        large, elided): no earlier one takes its place, as that may be an input.
    """
    text = _LINE_END.sub("\n", split_reasoning(reply).public)
    found = [each for part in _parts(text) for each in _found(*part, count)]
    # Of the highest rank that enough of them have.
    least = sorted([0] * count + [each.rank for each in found])[-count]
    last = [each for each in found if each.rank >= least][-count:]
    numbers = [each.number for each in last if each.number is not None]
    if len(set(numbers)) == count:
        last.sort(key=lambda each: each.number or 0)
    read = [each.grid for each in last if each.grid is not None]
    return read if len(read) == count else None


def _parts(text: str) -> Iterator[tuple[str, bool, bool]]:
    """The parts of a text, with whether they are fenced, and whether as code."""
    part: list[str] = []
    marks, code = "", False
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        if not marks and fence:
            yield "\n".join(part), False, False
            marks, info = fence["marks"], fence["info"]
            code = _CODE.match(info) is not None
            # What follows the marks is the first row if it names no language.
            part = [] if re.search(r"[^\W\d_]", info) else [info]
        elif marks and (ended := line.rstrip()).endswith(marks):
            part.append(ended.rstrip(marks[0]))
            yield (whole := "\n".join(part)), True, code and "=" in whole
            part, marks = [], ""
        else:
            part.append(line)
    yield (whole := "\n".join(part)), bool(marks), code and "=" in whole


def _found(text: str, fenced: bool, code: bool, count: int) -> list[_Found]:
    lists = list(_lists(text))
    pieces, at = [], 0
    for start, each in lists:  # a letter is no row
        pieces += [text[at:start], "x" * (each.end - start)]
        at = each.end
    rows = _lines("".join([*pieces, text[at:]]), count, 2 if fenced else 0)
    found = sorted([*(each for _, each in lists), *rows], key=lambda each: each.end)
    return [each._replace(rank=min(each.rank, 1 if code else 2)) for each in found]


# --- Lists of lists, in JSON or nearly so ---------------------------------------------

_BETWEEN = r"(?:\s*+,\s*+|\s++)"
_END = r"\s*+,?+\s*+\]"
_DIGITS = r"""(?:"[0-9][0-9 ,|\t]*+"|'[0-9][0-9 ,|\t]*+')"""
_ROW = rf"\[\s*+(?:[0-9](?:{_BETWEEN}[0-9])*+|{_DIGITS}(?:{_BETWEEN}{_DIGITS})*+){_END}"
_GRIDS = [
    (row, re.compile(rf"\[\s*+{row}(?:{_BETWEEN}{row})*+{_END}"))
    for row in (_ROW, _DIGITS)
]
_OUTPUT = r"(?:[a-z]++[ _-])*?outputs?+(?:[ _-]?grids?)?+[ _-]?+(?P<number>[0-9]{0,4}+)"
# What may begin a grid: brackets before another or before a digit's quotation mark, or
# the key of an output.
_START = re.compile(
    rf"(?P<brackets>(?:\[\s*+(?=\[|[\"'][0-9]))++\[?+)|[\"']{_OUTPUT}[0-9]*+[\"']\s*+:",
    re.I,
)
_NESTED = re.compile(r"\s*+\[\s*+[\[\"']")
_KEY = re.compile(
    r"""(?:(?P<quote>["'])|(?<=[{,])\s*+)(?P<key>[a-z][\w -]*+)(?(quote)(?P=quote))
    \s*+:[\s\[`*]*+\Z""",
    re.I | re.X,
)
_OUTPUT_KEY = re.compile(rf"\s*+{_OUTPUT}[0-9]*+\s*+", re.I)
_NEAR = 80
_BEFORE = re.compile(
    r"""[\s>*_`\#$\\(\[-]*+(?:[0-9]++[.)])?+[\s*_`]*+
    (?:
        (?:(?:so|thus|the|my|final|test|predicted)[\s,*_]++)*+
        (?:outputs?+|answers?+|solutions?+)(?:\s++grids?+)?+(?:\s*+[0-9]++)?+
        [*_]*+(?:\s++is(?:\s*+:)?+|\s*+:)
    )?+
    [\s*_`$\\(\[]*+(?:boxed)?+[{\s\[]*+""",
    re.I | re.X,
)
_AFTER = re.compile(r"""[ \t.,;:!)*_`$\\"'\]}]*+(?=\n|\Z)""")
_OPERATION = re.compile(r"\bfor\b|[*=()]")


def _lists(text: str) -> Iterator[tuple[int, _Found]]:
    """The grids that are written as lists, each with where it begins."""
    found = list(_scanned(text))
    before = (text[max(0, start - _NEAR) : start] for start, _ in found)
    keys = [m["key"] if (m := _KEY.search(each)) else "" for each in before]
    numbers = [_OUTPUT_KEY.fullmatch(key) for key in keys]
    for (start, each), key, number in zip(found, keys, numbers, strict=True):
        if number:
            counted = int(number["number"]) if number["number"] else None
            yield start, each._replace(rank=2, number=counted)
        elif not key or not (any(numbers) or "input" in key.lower()):
            yield start, each  # beside outputs by their keys, no other key has one


def _scanned(text: str) -> Iterator[tuple[int, _Found]]:
    closings, at = _closings(text), 0
    while start := _START.search(text, at):
        begin, at = start.span()
        if not start["brackets"]:  # a key, and what has to follow it
            if not _NESTED.match(text, at):
                yield begin, _Found(at, None, 2)
            continue
        inner = [n for n in range(begin, at) if text[n] == "["][-2:]
        matches = (
            (row, m) for n in inner for row, g in _GRIDS if (m := g.match(text, n))
        )
        row, whole = next(matches, ("", None))
        grid = None
        if whole:
            begin, at = whole.span()
            rows = (re.sub(r"\D", "", each) for each in re.findall(row, whole[0]))
            grid = grid_of([*map(int, each)] for each in rows)
        elif _OPERATION.search(text, at, at + 2000) or _quoted(text, begin):
            continue
        else:
            at = closings.get(begin, len(text))
        yield begin, _Found(at, grid, 2 if _alone(text, begin, at) else 1)


def _closings(text: str) -> dict[int, int]:
    """Where the list that begins at a bracket ends, unless it is cut off."""
    opened: list[int] = []
    ends = {}
    for bracket in re.finditer(r"[\[\]]", text):
        if bracket[0] == "[":
            opened.append(bracket.start())
        elif opened:
            ends[opened.pop()] = bracket.end()
    return ends


def _quoted(text: str, at: int) -> bool:
    """Whether a place seems to be within a string, as of an explanation."""
    before = text[max(0, at - 1000) : at].rpartition("\n")[2]
    return before.replace('\\"', "").count('"') % 2 == 1


def _alone(text: str, start: int, end: int) -> bool:
    """Whether a list has but decoration, or an answer's label, beside it."""
    before = text[max(0, start - _NEAR) : start].rpartition("\n")[2]
    alone = len(before) < _NEAR and _BEFORE.fullmatch(before)
    return bool(alone) and _AFTER.match(text, end) is not None


# --- Rows of digits, a row on each line -----------------------------------------------

_DECORATION = " \t\r>*`_"
_LINE = re.compile(
    r"""(?:-\s++)?+(?P<open>\[)?+\s*+\|?+\s*+
    (?:(?(open)[0-9]|[0-9]++)|[0-9](?:(?:\s*+[,|]\s*+|\s++)[0-9])++)
    \s*+\|?+\s*+(?(open)\]),?+""",
    re.X,
)
_RULE = re.compile(r"(?=.*[|+])[-|+:=\s]+")  # of a table
_ELISION = re.compile(r"[.\s…⋮]+")


class _Rows(NamedTuple):
    end: int
    rows: list[list[int]]  # on consecutive lines; empty for what could not be read
    blanks: int  # lines before them


def _lines(text: str, count: int, rank: int) -> Iterator[_Found]:
    """The grids that are written in lines; blank lines and labels end a grid.

    Single rows of one width that only blank lines part are the rows of one grid, if
    they are more than `count`; they cannot be read if nothing tells where a grid ends.
    """
    for run in _runs(text):
        rows = [row for piece in run for row in piece.rows]
        widths = {len(row) for row in rows if row}
        if len(rows) == len(run) > count and len(widths) <= 1:
            even = count == 1 and len({piece.blanks for piece in run[1:]}) == 1
            yield _Found(run[-1].end, grid_of(rows) if even else None, rank)
        else:
            yield from (_Found(each.end, grid_of(each.rows), rank) for each in run)


def _runs(text: str) -> Iterator[list[_Rows]]:
    """The rows of a text, by what parts them: labels, and then blank lines."""
    run: list[_Rows] = []
    rows: list[list[int]] = []
    end = blanks = 0
    for line in text.split("\n"):
        written = line.strip(_DECORATION)
        if _LINE.fullmatch(written):
            rows.append([int(c) for c in written if c in "0123456789"])
        elif _malformed(written):
            rows.append([])
        elif not rows or not _RULE.fullmatch(written):
            if rows:
                run.append(_Rows(end, rows, blanks))
                rows, blanks = [], 0
            if written:
                yield run
                run = []
            blanks += 1
        end += len(line) + 1
    if rows:
        run.append(_Rows(end, rows, blanks))
    yield run


def _malformed(line: str) -> bool:
    """Whether a line seems to be a row and is none."""
    if not re.search(r"[^\W\d_]", line):
        return bool(re.search(r"\d", line) or _ELISION.fullmatch(line))
    words = re.findall(r"[^\s,|\[\]]++", line)
    return 2 * sum(map(str.isdigit, words)) > len(words)
