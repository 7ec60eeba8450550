"""What the paper prints: complete, and by one name everywhere."""

from collections import Counter

import pytest

from inspect_debate.published.printed import PublishedCell, confidence_tables
from inspect_debate.reports.confidence.study import (
    OVERALL,
    POOLED,
    PROTOCOLS,
    published_models,
)

PUBLISHED = confidence_tables()
# Cells as the paper has them: rows times columns.
SIZES = {
    "table_2": 11 * 4,
    "table_3": 5 * 6,
    "table_4": 5 * 6,
    "table_5": 11 * 3,
    "table_6": 10 * 3 + 1,  # overall there is only the cost
    "table_7": 40 * 6,
    **{f"table_{n}": 11 * 6 for n in (8, 9, 10, 11, 12, 14, 15, 16)},
    "table_13": 4 * 3,
    "table_17": 9 * 4,
    "table_18": 4 * 6,
    "table_19": 4 * 8,
}


def cell(table: str, row: str, column: str) -> PublishedCell:
    found = PUBLISHED.cell(table, row, column)
    assert found is not None
    return found


@pytest.mark.parametrize("table", SIZES)
def test_tables_are_complete(table: str) -> None:
    rows = PUBLISHED.tables[table].values()
    assert sum(len(row) for row in rows) == SIZES[table]


def test_models_and_conditions_go_by_one_name() -> None:
    assert len(published_models()) == 10
    for table in ("table_5", "table_6", *(f"table_{n}" for n in (8, 12, 14, 15, 16))):
        assert set(published_models(table)) == set(published_models())
    for table in ("table_3", "table_4"):
        assert set(PUBLISHED.tables[table]) == {*POOLED, OVERALL}
    assert set(POOLED) <= set(PROTOCOLS)
    rows = {f"{c} {model}" for c in POOLED for model in published_models()}
    assert set(PUBLISHED.tables["table_7"]) == rows


def test_every_flag_is_used_and_told() -> None:
    used = Counter(
        cell.flag
        for rows in PUBLISHED.tables.values()
        for columns in rows.values()
        for cell in columns.values()
        if cell.flag
    )
    assert set(used) == set(PUBLISHED.flags)
    assert set(PUBLISHED.notes) <= set(PUBLISHED.tables)


def test_signs_without_spaces_and_footnotes() -> None:
    starred = cell("table_2", "anthropic/claude-3.7-sonnet", "cross_model")
    assert (starred.printed, starred.plain) == ("67.31 ± 3.88*", "67.31±3.88")
    dash = cell("table_9", "openai/o3-mini", "open_to_closing")
    assert dash.plain == "Δ=0.00,p=–"
    rise = cell("table_3", "informed_self", "rebuttal_to_closing")
    assert rise.plain == "Δ=1.32"
