"""A reader of the JSON objects in a reply."""

import ast
import re
import warnings
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from inspect_debate.debate.text import Traced

_DEEPEST = 50
_COMMENT = re.compile(r"(?://|#)[^\n\"]*$", re.M)
_PERCENT = re.compile(r":\s*+\d++(?:\.\d++)?\s*+%")
_QUOTE = re.compile("[“”]")
_SPACE = re.compile(r"\s")


class Scalar(NamedTuple):
    """A text, number, truth value or None; with its quotes, it is `text[start:end]`."""

    value: str | float | None
    start: int
    end: int


class Object(NamedTuple):
    """Pairs in order, so that repeated keys show; it is `text[start:end]`."""

    pairs: tuple[tuple[str, "Value"], ...]
    start: int
    end: int


Value: TypeAlias = "Scalar | Object | list[Value]"


def objects(text: str, start: int = 0, end: int | None = None) -> list[Value]:
    """The JSON objects in a part of a reply, and lists of them, in order.

    Also read are Python's spelling, names without quotes, trailing commas, comments,
    bare percentages and line breaks in texts.
    """
    stop = len(text) if end is None else end
    pairs = [_pairs(text, start, stop, quoted) for quoted in (True, False)]
    found: list[Value] = []
    at = start
    for first in sorted({*pairs[0], *pairs[1]}):
        for last in [p[first] for p in pairs if first in p and first >= at]:
            if (value := _value(Traced.of(text).part(first, last))) is not None:
                found.append(value)
                at = last
                break
    return found


def _pairs(text: str, start: int, end: int, quoted: bool) -> dict[int, int]:
    """Where each bracket's partner ends, in one pass, for those not nested too deep.

    With and without regard to strings: in Python's style apostrophes hide their ends.
    """
    pairs: dict[int, int] = {}
    opened: list[int] = []
    inside = False
    for match in re.compile(r"\\.|[\[\]{}\"]", re.S).finditer(text, start, end):
        char = match[0]
        if char == '"' and quoted and opened:
            inside = not inside
        elif char in "{[" and not inside:
            opened.append(match.start())
        elif char in "]}" and not inside and opened:
            first = opened.pop()
            if len(opened) < _DEEPEST:
                pairs[first] = match.end()
    return pairs


def _value(text: Traced) -> Object | list[Value] | None:
    repaired = text.sub(_COMMENT).sub(_QUOTE, '"')
    repaired = repaired.sub(_PERCENT, lambda said: f': "{said[1:].strip()}"')
    for one in (text, repaired):
        line = one.sub(_SPACE, " ")  # one line: places, and line breaks in texts
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "\d" in what a model wrote
                tree = ast.parse(line.text, mode="eval").body
            places = [n for n, char in enumerate(line.text) for _ in char.encode()]
            value = _of_node(tree, line, places)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if not isinstance(value, Scalar):
            return value
    return None


_CONSTANTS = {"true": True, "false": False, "null": None, "NaN": None, "Infinity": None}


def _of_node(node: ast.expr, line: Traced, places: Sequence[int]) -> Value:
    """A value; its place is told by that of the bytes, as Python counts them."""
    if isinstance(node, ast.List):
        return [_of_node(one, line, places) for one in node.elts]
    start = line.starts[places[node.col_offset]]
    end = line.ends[places[(node.end_col_offset or 1) - 1]]
    if isinstance(node, ast.Dict):
        keys = [key and _of_node(key, line, places) for key in node.keys]
        values = [_of_node(one, line, places) for one in node.values]
        pairs = (
            (key.value, value)
            for key, value in zip(keys, values, strict=True)
            if isinstance(key, Scalar) and isinstance(key.value, str)
        )
        return Object(tuple(pairs), start, end)
    if isinstance(node, ast.Name):
        return Scalar(_CONSTANTS.get(node.id, node.id), start, end)
    value = node.value if isinstance(node, ast.Constant) else None
    return Scalar(value if isinstance(value, str | int | float) else None, start, end)
