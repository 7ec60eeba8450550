"""Grids as answers: what a model's completion says, and how much of it is right."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from inspect_debate.v1.debate.parsing import fence_of, split_reasoning
from inspect_debate.v1.debate.record import Parsed

__all__ = [
    "LARGEST",
    "Grid",
    "grid_of",
    "grid_text",
    "grids_text",
    "parse_grids_text",
    "parts_right",
    "read_grids",
]

# Grids of colours, and the one way in which the suite writes them as text.

Grid = tuple[tuple[int, ...], ...]
"""Rows of equal length, from top to bottom; a cell is a colour, 0 to 9 (ARC-AGI)."""

LARGEST = 30
"""A grid has 1 to 30 rows and 1 to 30 columns."""

_COLOURS = {str(colour): colour for colour in range(10)}


def grid_of(rows: Iterable[Sequence[int]]) -> Grid | None:
    """The grid that some rows make; None if they make none.

    They make none if they are ragged, too few or too many, or hold something that is no
    whole number from 0 to 9.
    """
    grid = tuple(tuple(row) for row in rows)
    widths = {len(row) for row in grid}
    if not 1 <= len(grid) <= LARGEST or len(widths) != 1:
        return None
    if not 1 <= widths.pop() <= LARGEST:
        return None
    cells = [*chain(*grid)]
    if {*map(type, cells)} != {int} or min(cells) < 0 or max(cells) > 9:
        return None
    return grid


def grid_text(grid: Grid) -> str:
    """A grid as text: a row on each line, its digits separated by one space."""
    return "\n".join(" ".join(map(str, row)) for row in grid)


def grids_text(grids: Iterable[Grid]) -> str:
    """Grids as text, in the canonical form: a blank line between two of them."""
    return "\n\n".join(map(grid_text, grids))


def parse_grids_text(text: str) -> list[Grid]:
    """The grids of a canonical text.

    Raises:
        ValueError: If it is not what `grids_text` writes of one grid or more.
    """
    read = []
    for part in text.split("\n\n"):
        cells = (line.split(" ") for line in part.split("\n"))
        grid = grid_of([_COLOURS.get(cell, -1) for cell in row] for row in cells)
        if grid is None:
            raise ValueError(f"{text[:80]!r} is no canonical text of grids")
        read.append(grid)
    return read


def parts_right(answer: str, target: str) -> int:
    """How many grids of an answer equal the target's grid at the same place.

    Args:
        answer: Canonical text of grids.
        target: Canonical text of the right ones, as many or not.

    Returns:
        A number from 0 to that of the target's grids; equal grids have the same shape.

    Raises:
        ValueError: If either text is not canonical.
    """
    pairs = zip(parse_grids_text(answer), parse_grids_text(target), strict=False)
    return sum(given == right for given, right in pairs)


_PYTHON = re.compile(r"\s*+(?:python|py)3?+\b", re.I)
_LINE_END = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")


def read_grids(text: str, count: int) -> Parsed:
    """Read the last grids of a completion.

    Grids are read from the rows in fenced blocks and from lists (JSON, or nearly so) on
    lines of their own or under a key such as `output`. Only if those are too few are
    they read from other lists as well, those of sentences and of code; and only if
    these are too few, from bare rows of digits. The last ones count, because models
    restate the examples first.

    Args:
        text: A completion; its reasoning blocks are left out.
        count: How many grids are asked for.

    Returns:
        The canonical text of `count` grids. Unparsed if there are fewer, or if one of
        the last `count` is malformed (ragged, of more than 30 rows or columns, with
        anything but whole numbers from 0 to 9): no earlier one takes its place.
    """
    text = _LINE_END.sub("\n", split_reasoning(text).visible)
    found = [each for part in _parts(text) for each in _ranked(part, count)]
    # The highest rank that enough of them have.
    least = sorted([0] * count + [rank for rank, _ in found])[-count]
    last = [grid for rank, grid in found if rank >= least][-count:]
    grids = [grid for grid in last if grid is not None]
    return Parsed.ok(grids_text(grids)) if len(grids) == count else Parsed.unparsed()


class _Part(NamedTuple):
    """A part of a text: the content of a fenced block, or of the space between two."""

    text: str
    fenced: bool = False
    code: bool = False


def _ranked(part: _Part, count: int) -> list[tuple[int, Grid | None]]:
    """The grids of a part, each with how surely it is meant as an answer: 0, 1, 2."""
    listed = listed_grids(part.text)
    lined = lined_grids(_masked(part.text, listed.spans), count)
    ranked = [(2 if each.firm else 1, each) for each in listed.found]
    ranked += [(2 if part.fenced else 0, each) for each in lined]
    ranked.sort(key=lambda pair: pair[1].end)
    most = 1 if part.code else 2
    return [(min(rank, most), each.grid) for rank, each in ranked]


def _parts(text: str) -> Iterator[_Part]:
    start, marks, info = 0, "", ""
    for line in re.finditer(r"[^\n]*+\n?+", text):
        written = line.group().rstrip()
        if marks:
            inside = written.rstrip(marks[0])
            if len(written) - len(inside) >= len(marks):
                yield _block(text[start : line.start()] + inside, info)
                start, marks = line.end(), ""
        elif fence := fence_of(written):
            yield _Part(text[start : line.start()])
            marks, info = fence.marks, fence.info
            # What follows the marks is the first row if it names no language.
            named = any(map(str.isalpha, info))
            start = line.end() if named else line.start() + len(fence.before + marks)
    yield _block(text[start:], info) if marks else _Part(text[start:])


def _block(text: str, info: str) -> _Part:
    return _Part(text, True, _PYTHON.match(info) is not None and "=" in text)


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    """A text in which letters of the same number take the place of some spans."""
    pieces, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            pieces += [text[at:start], "x" * (end - max(at, start))]
            at = end
    return "".join([*pieces, text[at:]])


# Grids written as lists of lists, in JSON or nearly so, anywhere in a text.
#
# Models write the texts, so they may be broken or hostile: they are read in one pass,
# with a stack of bounded depth.

_DEEPEST = 16

_CELLS = r"[0-9](?:(?:\s*+,\s*+|\s++)[0-9])*+"
_DIGITS = r"""(?:"[0-9][0-9 ,|\t]*+"|'[0-9][0-9 ,|\t]*+')"""
_OPENING = rf"""
    (?P<index>(?<=[\w)\]])\[[^\[\]{{}}"'\n]*+\])
    | (?P<row>\[\s*+{_CELLS}\s*+,?+\s*+\])
    | (?P<strings>\[\s*+{_DIGITS}(?:\s*+,\s*+{_DIGITS})*+\s*+,?+\s*+\])
    | (?P<open>[\[{{])
    """
_OUTSIDE = re.compile(_OPENING, re.X)
_INSIDE = re.compile(
    rf"""{_OPENING}
    | (?P<close>[\]}}])
    | (?P<quoted>"(?:[^"\\\n]|\\.)*+"?+ | '[^'"\n\[\]{{}}]*+')
    | (?P<colon>:)
    | (?P<value>(?i:true|false|null|none|nan)\b)
    | (?P<word>[^\W\d_]\w*+)
    | (?P<other>[^\s,](?:[^\w\[\]{{}}"':]|[\d_])*+)
    """,
    re.X,
)
_OUTPUT = re.compile(
    r"""["']?+(?:[a-z]++[ _-])*?outputs?+(?:[ _-]?grids?)?+[ _-]?+
    (?P<number>[0-9]{0,4}+)["']?+""",
    re.I | re.X,
)
_NEAR = 80
_BEFORE = re.compile(
    r"""[\s>*_`\#$\\(-]*+(?:[0-9]++[.)])?+[\s*_`]*+
    (?:
        (?:(?:so|thus|the|my|final|test|predicted)[\s,*_]++)*+
        (?:outputs?+|answers?+|solutions?+)(?:\s++grids?+)?+(?:\s*+[0-9]++)?+
        [*_]*+(?:\s++is(?:\s*+:)?+|\s*+:)
    )?+
    [\s*_`$\\(]*+(?:boxed)?+""",
    re.I | re.X,
)
_AFTER = re.compile(r"""[ \t.,;:!)*_`$\\"']*+(?=\n|\Z)""")
_MATCHING = {"]": "[", "}": "{"}
_STRING = re.compile(r"""["']([^"']*+)["']""")


class Found(NamedTuple):
    """A grid of a text, or what should be one and is not.

    Attributes:
        end: Where it ends; for an output by its key, where its object does.
        grid: None if it could not be read.
        firm: Whether it is a list on lines of its own, or in one that
            does, or an output by its key: a list in a sentence may be of coordinates,
            and one in code anything.
    """

    end: int
    grid: Grid | None
    firm: bool = False


class Lists(NamedTuple):
    """The grids that count, in order, and the spans of all lists that are or should be.

    Spans may be nested.
    """

    found: list[Found]
    spans: list[tuple[int, int]]


@dataclass
class _Bracket:
    """An open bracket, and its content so far.

    Attributes:
        mark: The bracket.
        start: Its place.
        first: How many grids had been found before it.
        rows: The rows directly in it; empty for what should be one and is not.
        loose: Whether it has any other content.
        words: Whether it has words or strings: then it may be code or prose.
        nested: Whether it has brackets, those of rows left out.
        name: What becomes a key if a colon follows.
        output: The number of the value being read if it is an output by its key, 0 if
            the key has none; None if it is no output.
        value: How many grids had been found before that value.
        outputs: The grids of such values, by number; None without any.
    """

    mark: str
    start: int
    first: int
    rows: list[tuple[int, ...]] = field(default_factory=list)
    loose: bool = False
    words: bool = False
    nested: bool = False
    name: str = ""
    output: int | None = None
    value: int = 0
    outputs: list[tuple[int, Found]] | None = None


def listed_grids(text: str) -> Lists:
    """The grids that are written as lists in a text.

    A grid is a list of rows, and a row a list of digits or a string of them. Commas may
    be missing, and what stands around a grid need not be JSON. Where an object has keys
    such as `output` only their grids count, ordered by the numbers of the keys, and
    such a key without one is a grid that could not be read.

    Args:
        text: A completion, or a part of one.
    """
    reader = _Reader(text)
    # Outside of brackets a quotation mark says nothing: it may be an inch.
    token = _OUTSIDE.search(text)
    while token:
        reader.read(token)
        token = (_INSIDE if reader.open else _OUTSIDE).search(text, token.end())
    reader.end(len(text))
    return Lists(reader.found, reader.spans)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        # Of too many brackets the outermost is forgotten.
        self.open: deque[_Bracket] = deque(maxlen=_DEEPEST)
        self.found: list[Found] = []
        self.spans: list[tuple[int, int]] = []

    def read(self, token: re.Match[str]) -> None:
        """Take in the next token."""
        written, kind = token.group(), token.lastgroup
        if kind == "open":
            self.open.append(_Bracket(written, token.start(), len(self.found)))
        elif kind == "strings":
            self._strings(token)
        elif not self.open:
            return
        elif kind == "close":
            self._close(_MATCHING[written], token.end())
        elif kind == "colon" and self.open[-1].mark == "{":
            self._begin_value(self.open[-1], token.end())
        else:
            _hold(self.open[-1], str(kind), written)

    def end(self, end: int) -> None:
        """Close what the text left open."""
        while self.open:
            self.open[-1].loose = True
            self._close_last(end)

    def _close(self, mark: str, end: int) -> None:
        if all(bracket.mark != mark for bracket in self.open):
            self.open[-1].loose = True
            return
        while self.open[-1].mark != mark:
            self.open[-1].loose = True
            self._close_last(end)
        self._close_last(end)

    def _close_last(self, end: int) -> None:
        bracket = self.open.pop()
        malformed = False
        if bracket.mark == "{":
            self._end_value(bracket, end)
            if bracket.outputs is not None:
                outputs = sorted(bracket.outputs, key=itemgetter(0))
                self.found[bracket.first :] = [
                    Found(end, found.grid, firm=True) for _, found in outputs
                ]
        elif bracket.rows:
            # One row among words is code, such as `[[0] * n for _ in rows]`.
            if not bracket.words or len(bracket.rows) > 1:
                rows = [] if bracket.loose or bracket.words else bracket.rows
                self._add(bracket.start, end, rows)
        else:
            malformed = not (bracket.nested or bracket.words)
        self._confirm(bracket.first, bracket.start, end)
        if self.open and malformed:
            self.open[-1].rows.append(())
        elif self.open:
            self.open[-1].nested = self.open[-1].loose = True

    def _begin_value(self, bracket: _Bracket, at: int) -> None:
        self._end_value(bracket, at)
        named = _OUTPUT.fullmatch(bracket.name)
        bracket.output = int(named["number"] or 0) if named else None
        bracket.name = ""
        bracket.value = len(self.found)

    def _end_value(self, bracket: _Bracket, at: int) -> None:
        if bracket.output is not None:
            bracket.outputs = bracket.outputs or []
            found = self.found[bracket.value :] or [Found(at, None)]
            bracket.outputs += [(bracket.output, each) for each in found]

    def _strings(self, token: re.Match[str]) -> None:
        rows = [_digits(string) for string in _STRING.findall(token.group())]
        if all(len(row) == 1 for row in rows):
            # Strings of one digit are the cells of a row, not the rows of a column.
            if self.open:
                self.open[-1].rows.append(tuple(row[0] for row in rows))
            return
        first = len(self.found)
        self._add(token.start(), token.end(), rows)
        self._confirm(first, token.start(), token.end())
        if self.open:
            self.open[-1].nested = self.open[-1].loose = True

    def _add(self, start: int, end: int, rows: list[tuple[int, ...]]) -> None:
        self.found.append(Found(end, grid_of(rows)))
        self.spans.append((start, end))

    def _confirm(self, first: int, start: int, end: int) -> None:
        """Make the grids of a list firm if it is on lines of its own."""
        found = self.found[first:]
        if found and _by_itself(self.text, start, end):
            self.found[first:] = [each._replace(firm=True) for each in found]


def _by_itself(text: str, start: int, end: int) -> bool:
    """Whether a list has but decoration, or an answer's label, beside it."""
    # A bounded look back: a line may hold very many lists.
    before = text[max(0, start - _NEAR) : start].rpartition("\n")[2]
    if len(before) == _NEAR or not _BEFORE.fullmatch(before):
        return False
    return _AFTER.match(text, end) is not None


def _hold(bracket: _Bracket, kind: str, written: str) -> None:
    match kind:
        case "row":
            bracket.rows.append(_digits(written))
        case "quoted" | "word":
            bracket.name, bracket.words = written, True
        case _:
            bracket.loose = True


def _digits(text: str) -> tuple[int, ...]:
    return tuple(int(character) for character in text if character in "0123456789")


# Grids written as rows of digits, a row on each line.

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
        blanks: The number of blank lines before them.
    """

    end: int
    rows: list[tuple[int, ...]]
    blanks: int


def lined_grids(text: str, count: int) -> Iterator[Found]:
    """The grids that are written as rows of digits on lines of their own.

    Cells are separated by spaces, tabs, commas, `|` or nothing; rows may be in
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
        written = line.group().strip().strip(_DECORATION)
        if _ROW.fullmatch(written):
            rows.append(tuple(int(c) for c in written if c in "0123456789"))
        elif _malformed(written):
            rows.append(())
        elif not rows or not _RULE.fullmatch(written):
            if rows:
                run.append(_Piece(end, rows, blanks))
                rows, blanks = [], 0
            if written:
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
