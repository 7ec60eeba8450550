"""Readers of programs and JSON objects in a reply."""

import ast
import json
import re
import textwrap
import warnings
from collections.abc import Sequence
from typing import Any

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


def objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects of a reply in order, those of lists included.

    Python's spelling, trailing commas, comments and bare percentages are read too.
    """
    pairs = [_pairs(text, quoted) for quoted in (True, False)]
    found: list[dict[str, Any]] = []
    at = 0
    for start in sorted({*pairs[0], *pairs[1]}):
        for end in [p[start] for p in pairs if start in p and start >= at]:
            if (value := _value(text[start:end])) is not None:
                listed = value if isinstance(value, list) else [value]
                found += [one for one in listed if isinstance(one, dict)]
                at = end
                break
    return found


def _pairs(text: str, quoted: bool) -> dict[int, int]:
    """Where each bracket's partner ends, in one pass, for those not nested too deep.

    With and without regard to strings: in Python's style apostrophes hide their ends.
    """
    pairs: dict[int, int] = {}
    opened: list[int] = []
    inside = False
    for match in re.finditer(r"\\.|[\[\]{}\"]", text, re.S):
        char = match[0]
        if char == '"' and quoted and opened:
            inside = not inside
        elif char in "{[" and not inside:
            opened.append(match.start())
        elif char in "]}" and not inside and opened:
            start = opened.pop()
            if len(opened) < _DEEPEST:
                pairs[start] = match.end()
    return pairs


def _value(text: str) -> Any:
    repaired = re.sub(r"//[^\n\"]*$|#[^\n\"]*$", "", text, flags=re.M)
    repaired = re.sub(r"(:\s*+)(\d++(?:\.\d++)?\s*+%)", r'\1"\2"', repaired)
    repaired = re.sub(r",(\s*+[}\]])", r"\1", repaired)
    repaired = repaired.translate(str.maketrans("“”", '""'))
    for one in (text, repaired):
        for parse in (json.loads, ast.literal_eval):
            try:
                return parse(one)
            except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                continue
    return None


def by_name(text: str, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What the objects of a reply say of each name; the last word counts.

    Read are `{"Alice": {...}}`, "Alice's answer" as the key, and `{"name": "Alice"}`.
    """
    found: dict[str, dict[str, Any]] = {}
    for one in objects(text):
        pairs = [(key, value) for key, value in one.items() if isinstance(value, dict)]
        pairs += [(str(v), one) for k, v in one.items() if k in ("name", "speaker")]
        for key, value in pairs:
            about = [n for n in names if re.search(rf"\b{re.escape(n)}\b", key, re.I)]
            if len(about) == 1:
                found[about[0]] = value
    return found
