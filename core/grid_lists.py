"""Grids written as lists of lists, in JSON or nearly so, wherever they stand in a text.

Models write the texts, so they may be broken or hostile: they are read in one pass,
with a stack of bounded depth.
"""

import re
from collections import deque
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from inspect_debate.core.grid_text import Grid, grid_of

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
        firm: Whether it is a list that stands by itself on its lines, or in one that
            does, or an output by its key: a list in a sentence may be of coordinates,
            and one in code anything.
    """

    end: int
    grid: Grid | None
    firm: bool = False


class Lists(NamedTuple):
    """The grids that count, in order, and the spans of all lists that are or should be.

    Spans may lie in one another.
    """

    found: list[Found]
    spans: list[tuple[int, int]]


@dataclass
class _Bracket:
    """An open bracket, and what stands in it so far.

    Attributes:
        mark: The bracket.
        start: Its place.
        first: How many grids had been found before it.
        rows: The rows directly in it; empty for what should be one and is not.
        loose: Whether it holds anything else.
        words: Whether it holds words or strings: then it may be code or prose.
        nested: Whether it holds brackets, those of rows left out.
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
        said, kind = token.group(), token.lastgroup
        if kind == "open":
            self.open.append(_Bracket(said, token.start(), len(self.found)))
        elif kind == "strings":
            self._strings(token)
        elif not self.open:
            return
        elif kind == "close":
            self._close(_MATCHING[said], token.end())
        elif kind == "colon" and self.open[-1].mark == "{":
            self._begin_value(self.open[-1], token.end())
        else:
            _hold(self.open[-1], str(kind), said)

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
        """Make the grids of a list firm if it stands by itself."""
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


def _hold(bracket: _Bracket, kind: str, said: str) -> None:
    match kind:
        case "row":
            bracket.rows.append(_digits(said))
        case "quoted" | "word":
            bracket.name, bracket.words = said, True
        case _:
            bracket.loose = True


def _digits(text: str) -> tuple[int, ...]:
    return tuple(int(character) for character in text if character in "0123456789")
