"""What the tables of the report share: rows by family and data, and ratios as cells."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol, TypeVar

import pandas as pd

from inspect_debate.metrics.endorsement import endorsement_rate
from inspect_debate.reports.elements import Column, Format
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.generative.frames import Cell, cells_of
from inspect_debate.reports.generative.study import family_title

MODELS, FORMAT = "Models and data", "Format"

CLUSTERED = "95 % intervals, clustered by question."
BOOTSTRAP = (
    "Intervals: 95 %, of the paired bootstrap, which draws whole questions; none where "
    "all are alike. On few questions they are too narrow, and p decides."
)


class _HasCell(Protocol):
    @property
    def cell(self) -> Cell: ...


_T = TypeVar("_T", bound=_HasCell)


class Rows(NamedTuple):
    """The rows of a cell, with what readers call it."""

    cell: Cell
    items: pd.DataFrame

    @property
    def named(self) -> dict[str, object]:
        """The first cells of its row."""
        return {MODELS: heading(self.cell), FORMAT: self.cell.title}

    def ratio(self, part: str, whole: str) -> Estimate:
        """A ratio of sums of two columns."""
        return ratio(self.items, self.items[part], self.items[whole])

    def share(self, column: str) -> Estimate:
        """The mean of a column of shares where there is one."""
        return share(self.items, self.items[column])


def ratio(
    items: pd.DataFrame, part: "pd.Series[float]", whole: "pd.Series[float]"
) -> Estimate:
    """A ratio of sums of what a row counts to what it could, clustered by question.

    Args:
        items: Rows.
        part: Per row a number; NaN leaves the row out.
        whole: The same, nowhere smaller.
    """
    return Estimate(*endorsement_rate(part, whole, items["question_id"])[:3])


def share(items: pd.DataFrame, values: "pd.Series[float]") -> Estimate:
    """The mean of shares from 0 to 1 over the rows that have one."""
    return ratio(items, values, values.notna().astype(float))


def rows_of(items: pd.DataFrame) -> Iterator[Rows]:
    """All cells in the order in which they are reported.

    Args:
        items: As from `items_of`.
    """
    return (Rows(cell, rows) for cell, rows in cells_of(items).items())


def heading(cell: Cell) -> str:
    """Family and data, as the groups of all tables have them."""
    return f"{family_title(cell.family)}, {cell.benchmark}"


def second_debater(items: pd.DataFrame) -> "pd.Series[str]":
    """The model in seat B, which is that of seat A unless another is bound to it."""
    return items["debater_b"].fillna(items["debater"])


def seats_apart(items: pd.DataFrame) -> bool:
    """Whether two models answer in some dual format.

    Args:
        items: As from `items_of`.
    """
    dual = items[items["proposers"] == 2]
    return bool((second_debater(dual) != dual["debater"]).any())


def fpr(items: pd.DataFrame) -> Estimate:
    """The share of the wrong answers that the judge calls correct."""
    return ratio(items, items["fp"], items["n_wrong"])


def by_heading(found: Iterable[_T]) -> dict[str, list[_T]]:
    """What belongs to each family and data, in the order in which it comes."""
    grouped: dict[str, list[_T]] = {}
    for one in found:
        grouped.setdefault(heading(one.cell), []).append(one)
    return grouped


def verdicts_of(items: pd.DataFrame) -> pd.DataFrame:
    """The rows of formats in which answers are judged."""
    return items[items["proposers"] > 0]


def tied(items: pd.DataFrame) -> int:
    """On how many samples the judges of a panel tie, so that nothing is ruled."""
    return int((items["verdict_tied"] == 1).sum())


def without_empty(frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Without those of some columns that say nothing: no text, no value, or 0."""
    empty = [
        name
        for name in columns
        if not any(pd.notna(value) and value for value in frame[name])
    ]
    return frame.drop(columns=empty)


def shown(
    frame: pd.DataFrame, formats: Mapping[Column, Format]
) -> dict[Column, Format]:
    """The formats of the columns that a table has: not every format has them all."""
    return {column: format for column, format in formats.items() if column in frame}
