"""What the debaters spent, beside the paper's Table 6."""

import pandas as pd

from inspect_debate.analysis.confidence.study import (
    OVERALL,
    PROTOCOLS,
    in_order,
    is_published_pool,
    protocol_of,
)
from inspect_debate.analysis.published import confidence_tables
from inspect_debate.analysis.reporting.elements import Cell, Table
from inspect_debate.analysis.reporting.formats import COUNT, NUMBER

NAME = "table_6"
COUNTED = ("cross_model", "self", "informed_self", "public", "redteam")
"""The conditions whose debates the paper's table counts."""

_COLUMNS = {"debates": "Debates", "total_tokens": "Tokens", "cost_usd": "US dollars"}
_OURS = {"debates": "seats", "total_tokens": "tokens", "cost_usd": "cost"}


def costs_table(spent: pd.DataFrame) -> Table:
    """Debates, tokens and cost by model, ours and as printed.

    Args:
        spent: As in `Told`.
    """
    published, own = confidence_tables(), _by_model(spent)
    models = in_order({*own, *published.tables[NAME]} - {OVERALL}, NAME)
    rows = []
    for model in [*models, OVERALL]:
        values: list[object] = ["Overall" if model == OVERALL else model]
        for key, ours in _OURS.items():
            printed = published.cell(NAME, model, key)
            values.append(own.get(model, {}).get(ours))
            values.append(None if printed is None else printed.printed)
        rows.append(values)
    columns = [(name, who) for name in _COLUMNS.values() for who in ("ours", "paper")]
    return Table(
        name=NAME,
        title="What the debaters spent (the paper's Table 6)",
        frame=pd.DataFrame(
            rows, columns=pd.MultiIndex.from_tuples([("Model", ""), *columns])
        ),
        formats={
            **{column: COUNT for column in columns if column[0] != "US dollars"},
            ("US dollars", "paper"): NUMBER,
        },
        note=f"{_missing(spent)} Debates with oneself count twice, once per side, and "
        "their tokens once; jury and grader are left out. A cost is missing where a "
        f"price is not known, as in transcripts. {published.notes[NAME]}",
        emphasis=[Cell(len(models))],
    )


def _by_model(spent: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Sums by model and over all; NaN where a part is unknown."""
    parts = {str(model): rows for model, rows in spent.groupby("model")}
    return {
        model: {name: float(rows[name].sum(skipna=False)) for name in _OURS.values()}
        for model, rows in (parts | {OVERALL: spent}).items()
    }


def _missing(spent: pd.DataFrame) -> str:
    """What keeps ours from being comparable with the printed."""
    if not is_published_pool(set(spent["model"])):
        return "Not comparable: other models than the paper's."
    here = set(spent["condition"].map(protocol_of))
    absent = [PROTOCOLS[name] for name in COUNTED if name not in here]
    if not absent:
        return ""
    return (
        "Not comparable: the paper counts five conditions, of which these logs lack "
        f"{', '.join(absent)}."
    )
