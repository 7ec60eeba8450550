"""Texts, and lists of them, as cells of data sets hold them."""

import ast
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

_SHOWN = 60


def text_of(value: object) -> str | None:
    """A cell as text without space around it; None if it is empty or no text.

    Numbers are texts, whole ones without a point. True and false are words.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        value = int(value) if value.is_integer() else value
    if not isinstance(value, str | int | float):
        return None
    return str(value).strip() or None


def texts_of(value: object) -> list[str]:
    """The texts of a cell that holds one or a list; empty cells hold none."""
    if isinstance(value, Mapping):
        value = value.get("text")
    several = value if is_list(value) else [value]
    return [text for text in map(text_of, several) if text is not None]


def listed_texts(value: object) -> list[str]:
    """The same of a cell in which a list may be written out, as in `["a", "b"]`.

    A list that does not consist of texts is a text: `[1, 2]` may be an answer.
    """
    found = unpacked(value)
    texts = is_list(found) and all(isinstance(one, str) for one in found)
    return texts_of(found if texts else value)


def unpacked(value: object) -> Any:
    """A cell; a list or mapping where it is written out as a text, as in CSV files."""
    if not (isinstance(value, str) and value.lstrip()[:1] in ("[", "{")):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if is_list(found) or isinstance(found, Mapping):
            return found
    return value


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Whether a value is a list and no text."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def shown(value: object) -> str:
    """A value in quotation marks as errors show it: on one line, and cut if long."""
    text = " ".join(str(value).split())
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")
