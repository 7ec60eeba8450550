"""The paper's Tables 1 and 2: ours beside the printed values, and their faults."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from inspect_debate.published.printed import PublishedShare, srdcr_tables
from inspect_debate.reports.elements import Cell, Column, Format, Table
from inspect_debate.reports.srdcr.shown import model_title, share_of, titled
from inspect_debate.reports.srdcr.study import ARMS, MODELS, OFFSETS, in_order
from inspect_debate.reports.srdcr.tables import ARM, MODEL, in_halves, rows_of

OURS, PAPER, DIFFERENCE = "ours", "paper", "diff."

_AS_PRINTED = Format(digits=2, scale=100)
_APART = Format(digits=2, scale=100, signed=True)
_GARBLED = "The row is garbled in the text from which these values were taken."
_NOT_ITEMS = (
    "The items are others than the paper's, which are not published: a difference is "
    "one of items, too."
)


class Row(NamedTuple):
    """Which row it is: model, arm, and what tells conditions of an arm apart."""

    model: str
    arm: str
    variant: str = ""


class Line(NamedTuple):
    """A row of a table: ours, if there are answers, and the paper's, if it has it.

    `ours` are shares by column; `paper` cells by column, none where the row cannot be
    read, and None where the paper has no such row.
    """

    row: Row
    ours: Mapping[str, float]
    paper: Mapping[str, PublishedShare] | None


Shares = Mapping[Row, Mapping[str, float]]
"""Our shares by row and column."""


def table_1(answers: pd.DataFrame) -> Table:
    """Accuracy of every arm in both halves and overall, ours and as printed.

    Args:
        answers: As from `answers_of`; models that the paper has not are left out.
    """
    columns = {part: part.capitalize() for part in ("standard", "perturbed", "overall")}
    ours = {
        Row(of.model, of.arm, of.variant): {
            part: found.accuracy.value
            for part, found in in_halves(of.answers)._asdict().items()
        }
        for of in rows_of(answers[answers["model"].isin(MODELS)])
    }
    return _table("table_1", "The paper's Table 1: accuracy by half", columns, ours)


def table_2(answers: pd.DataFrame) -> Table:
    """Accuracy with perturbed dates by offset, ours and as printed.

    Args:
        answers: As from `answers_of`; other domains than dates, and models that
            the paper has not, are left out.
    """
    columns = {f"{offset}": f"{offset}" for offset in OFFSETS} | {"overall": "Overall"}
    dates = (answers["severity"] > 0) & (answers["domain"] == "years")
    years = answers[dates & answers["model"].isin(MODELS)]
    ours = {
        Row(of.model, of.arm, of.variant): _by_offset(of.answers)
        for of in rows_of(years)
    }
    return _table("table_2", "The paper's Table 2: accuracy by offset", columns, ours)


def claims_table() -> Table:
    """What the paper's text says that its tables do not bear out."""
    rows = [
        {"The text": claim.claim, "Its tables": claim.tables}
        for claim in srdcr_tables().claims
    ]
    return Table(
        name="claims",
        title="Claims that the printed tables do not bear out",
        frame=pd.DataFrame(rows),
    )


def _by_offset(answers: pd.DataFrame) -> dict[str, float]:
    offsets = answers["offset"].abs()
    found = {
        f"{offset}": share_of(answers[offsets == offset], "strict").value
        for offset in OFFSETS
    }
    return found | {"overall": sum(found.values()) / len(found)}


def _table(
    name: str,
    title: str,
    columns: Mapping[str, str],
    ours: Shares,
) -> Table:
    lines = list(_lines(name, ours))
    kinds = (OURS, PAPER, DIFFERENCE) if ours else (PAPER,)
    places: dict[tuple[str, str], Column] = {
        (column, kind): _column(heading, kind, ours)
        for column, heading in columns.items()
        for kind in kinds
    }
    labels: list[Column] = [_column(name, "", ours) for name in (MODEL, ARM)]
    frame = pd.DataFrame(
        [[*_named(line.row), *(_value(line, *at) for at in places)] for line in lines],
    )
    frame.columns = pd.Index([*labels, *places.values()])
    published = srdcr_tables()
    what = _NOT_ITEMS if ours else "No model of the paper is among these runs."
    return Table(
        name=name,
        title=title,
        frame=frame,
        groups=labels[0],
        formats={
            place: _APART if kind == DIFFERENCE else _AS_PRINTED
            for (_, kind), place in places.items()
        },
        marks=dict(_marks(lines, places)),
        note=f"Percent; strict, an abstention is not right. Printed values: "
        f"{published.source}. {published.notes[name]} {what}",
    )


def _column(name: str, kind: str, ours: Shares) -> Column:
    """A column on two levels where there is more than the paper's cell to show."""
    return (name, kind) if ours else name


def _lines(table: str, ours: Shares) -> Iterator[Line]:
    """Our rows and the paper's, by model and in the order of `ARMS`."""
    printed = {
        Row(model, arm): cells
        for model, arms in srdcr_tables().tables[table].items()
        for arm, cells in arms.items()
    }
    models = in_order(row.model for row in (*printed, *ours))
    arms = list(ARMS)
    for row in sorted(
        {*printed, *ours},
        key=lambda row: (models.index(row.model), arms.index(row.arm), row.variant),
    ):
        yield Line(row, ours.get(row, {}), printed.get(row))


def _named(row: Row) -> list[str]:
    return [model_title(row.model), titled(ARMS[row.arm], row.variant)]


def _value(line: Line, column: str, kind: str) -> float | None:
    ours, paper = line.ours.get(column), _printed(line, column)
    if kind == OURS:
        return ours
    if kind == PAPER:
        return paper
    return None if ours is None or paper is None else ours - paper


def _printed(line: Line, column: str) -> float | None:
    value = (line.paper or {}).get(column, PublishedShare()).value
    return None if value is None else value / 100


def _marks(
    lines: list[Line], places: Mapping[tuple[str, str], Column]
) -> Iterator[tuple[Cell, str]]:
    published = srdcr_tables()
    for row, line in enumerate(lines):
        if line.paper is not None and not line.paper:
            yield Cell(row), _GARBLED
        for column, cell in (line.paper or {}).items():
            if reason := published.reason(cell):
                yield Cell(row, places[column, PAPER]), reason
