"""What the paper prints: complete, consistent with itself, and wrong where told."""

import re
from collections import Counter

import pytest

from inspect_debate.analysis.confidence.study import (
    OVERALL,
    POOLED,
    PROTOCOLS,
    published_models,
)
from inspect_debate.analysis.published import PublishedCell, confidence_tables

PUBLISHED = confidence_tables()
ROUNDS = {
    "cross_model": "table_8",
    "informed_self": "table_9",
    "public": "table_10",
    "self": "table_11",
}
TRANSITIONS = ("open_to_rebuttal", "rebuttal_to_closing", "open_to_closing")
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


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


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


@pytest.mark.parametrize("condition", ROUNDS)
@pytest.mark.parametrize("transition", TRANSITIONS)
def test_table_13_counts_the_stars_of_tables_8_to_11(
    condition: str, transition: str
) -> None:
    starred = sum(
        "*" in cell(ROUNDS[condition], model, transition).plain
        for model in published_models()
    )
    assert cell("table_13", condition, transition).printed == f"{starred}/10"


@pytest.mark.parametrize("condition", ROUNDS)
def test_table_3_repeats_the_overall_rows(condition: str) -> None:
    for column, found in PUBLISHED.tables["table_3"][condition].items():
        whole = cell(ROUNDS[condition], OVERALL, column)
        assert whole.plain.startswith(found.plain)


def test_table_2_and_table_7_have_the_same_means() -> None:
    for model in published_models():
        for condition in POOLED:
            mean = cell("table_7", f"{condition} {model}", "mean").plain
            assert cell("table_2", model, condition).plain.startswith(f"{mean}±")


def test_the_share_of_both_above_50_leaves_out_a_class() -> None:
    classes = ("both_51_75", "both_gt75", "51_75_and_gt75")
    shares = [numbers(cell("table_4", OVERALL, c).plain)[0] for c in classes]
    printed = cell("section_4_3", "both_gt50 overall", "value")
    assert printed.flag == "mixed_class_left_out"
    assert numbers(printed.plain)[0] == pytest.approx(sum(shares[:2]))
    assert sum(shares) == pytest.approx(87.5, abs=0.05)


@pytest.mark.parametrize(
    ("table", "column", "printed", "rows"),
    [("table_15", "opening", 71.00, 71.13), ("table_16", "closing", 70.62, 70.25)],
)
def test_overall_rows_that_are_no_means_of_their_rows(
    table: str, column: str, printed: float, rows: float
) -> None:
    means = [numbers(cell(table, m, column).plain)[0] for m in published_models()]
    assert numbers(cell(table, OVERALL, column).plain)[0] == printed
    assert sum(means) / 10 == pytest.approx(rows, abs=0.005)
    for told in (f"{printed:.2f}", f"{rows:.2f}"):
        assert told in PUBLISHED.notes[table]
