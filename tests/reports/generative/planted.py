"""Invented verdicts in numbers that can be worked out by hand, and rows of tables."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from inspect_debate.reports.elements import Item, Table
from tests.reports.generative.made import Round, made_items
from tests.reports.generative.worked import row as row_of


def verdicts(protocol: str, right: Iterable[float], **more: Any) -> pd.DataFrame:
    """A question each, whose answers are all right, and whether the judge sees that."""
    answers = "11" if protocol.startswith("dual") else "1"
    rounds = [
        Round(f"q{n}", answers, answers if of else answers.replace("1", "0"))
        for n, of in enumerate(right)
    ]
    return made_items(protocol, rounds, **more)


def first(number: int, of: int) -> list[float]:
    """So many right ones, then wrong ones."""
    return [1.0] * number + [0.0] * (of - number)


def table(items: Iterable[Item | None], name: str) -> Table:
    """The table of that name."""
    (found,) = (one for one in items if isinstance(one, Table) and one.name == name)
    return found


def row(items: Iterable[Item | None], name: str, **at: object) -> dict[str, Any]:
    """The only row of a table with these values."""
    return row_of(table(items, name), **at)
