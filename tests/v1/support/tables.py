"""Long tables of short texts, several to a line."""

import re
from typing import TypeVar

T = TypeVar("T")


def cells(table: str) -> list[str]:
    """The texts of a table, with three blanks or a line's end between them."""
    return re.split(r" {3,}|\n *", table.strip())


def rows(value: T, table: str) -> list[tuple[str, T]]:
    """The texts of a table, each with the same value."""
    return [(text, value) for text in cells(table)]
