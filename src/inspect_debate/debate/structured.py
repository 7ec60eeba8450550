"""Readers of programs and JSON objects in a reply."""

import ast
import re
import textwrap
import warnings
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from inspect_debate.debate.text import Traced

# --- Code -----------------------------------------------------------------------------

_FENCE = re.compile(
    r"^[ \t>]*+(`{3,}|~{3,})[ \t]*+([\w+#.-]*+)[^\n]*$|\[/?PYTHON\]", re.M
)
_CODE_LINE = re.compile(
    r"^(?:import |from \w[\w.]* import |def |class |@|async def |#)"
)
_INDENT = re.compile(r"^[ \t\xa0]+", re.M)


def code(text: str, defines: str = "") -> str | None:
    """The last fenced block that defines a name; fences may be lost or unpaired.

    Args:
        text: A reply.
        defines: The function or class that the program must define.
    """
    text = text.replace("\ufeff", "").replace("\r\n", "\n")
    edges = [0, *(p for m in _FENCE.finditer(text) for p in m.span()), len(text)]
    pieces = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    wanted = re.compile(
        rf"^[ \t\xa0]*+(?:(?:async )?def|class) {re.escape(defines)}\b"
        if defines
        else r"\S",
        re.M,
    )
    # Fenced first: pieces at odd places if fences are paired. Then whatever has it.
    inside = pieces[1::2] or pieces
    having = [p for p in [*reversed(inside), *reversed(pieces)] if wanted.search(p)]
    for piece in having[:4]:
        if program := _program(piece, wanted, len(pieces) > 1):
            return program
    return None


def _program(piece: str, wanted: re.Pattern[str], fenced: bool) -> str | None:
    spaced = _INDENT.sub(lambda m: m[0].replace("\xa0", " "), piece.strip("\n"))
    body = textwrap.dedent(spaced).rstrip()
    if fenced and _bad_line(body) is None:
        return body
    lines = body.split("\n")
    start = next((n for n, one in enumerate(lines) if _CODE_LINE.match(one)), None)
    if start is not None:  # prose may come before, and after
        end = len(lines)
        for _ in range(20):
            part = "\n".join(lines[start:end]).rstrip()
            if not wanted.search(part):
                break
            if (bad := _bad_line(part)) is None:
                return part
            end = min(end - 1, start + bad - 1)
    return body if fenced else None  # wrong code is an answer too; prose is none


def _bad_line(body: str) -> int | None:
    """The number of the line at which a program stops being one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in what a model wrote
            ast.parse(body)
    except SyntaxError as error:
        return error.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return 1
    return None


# --- JSON -----------------------------------------------------------------------------

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


def objects(text: str, start: int = 0, end: int | None = None) -> list[Object]:
    """The JSON objects of a reply in order, those of lists included.

    Also read are Python's spelling, names without quotes, trailing commas, comments,
    bare percentages and line breaks in texts.

    Args:
        text: A reply.
        start: Where to begin.
        end: Where to stop.
    """
    stop = len(text) if end is None else end
    pairs = [_pairs(text, start, stop, quoted) for quoted in (True, False)]
    found: list[Object] = []
    at = start
    for first in sorted({*pairs[0], *pairs[1]}):
        for last in [p[first] for p in pairs if first in p and first >= at]:
            if (value := _value(Traced.of(text).part(first, last))) is not None:
                found += _outermost(value)
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
    known = isinstance(node, ast.Constant) and isinstance(node.value, str | int | float)
    return Scalar(node.value if known else None, start, end)  # type: ignore[attr-defined]


def _outermost(value: Value) -> list[Object]:
    if isinstance(value, list):
        return [one for item in value for one in _outermost(item)]
    return [value] if isinstance(value, Object) else []
