"""The paper's tables from the released transcripts, to the printed digit."""

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from inspect_debate.analysis.confidence.dependence import (
    BY_MODEL,
    CLUSTERED,
    MIXED,
    POOLED,
    comparisons_table,
    escalation_table,
    openings_table,
)
from inspect_debate.analysis.confidence.frames import bets_of, conditions
from inspect_debate.analysis.confidence.missing import missing_table
from inspect_debate.analysis.confidence.paper import paper_tables
from inspect_debate.analysis.confidence.twins import PaperTable, counts
from inspect_debate.analysis.frames import scores_df
from inspect_debate.analysis.published import confidence_tables
from inspect_debate.analysis.reporting.tables import laid_out
from inspect_debate.imports.llms_overconfidence import import_release
from tests.analysis.confidence.made_bets import row
from tests.analysis.confidence.released import (
    FOLDERS,
    needs_release,
    release_folder,
    released_bets,
)

pytestmark = needs_release

EQUAL = {
    "table_2": 44,
    "table_3": 30,
    "table_4": 30,
    "table_5": 33,
    "table_7": 239,
    "table_8": 66,
    "table_9": 66,
    "table_10": 66,
    "table_11": 66,
    "table_12": 66,
    "table_13": 12,
    "text_numbers": 24,
}
EXCEPTED = {
    ("table_7", "informed_self openai/o3-mini", "wilcoxon_p"): "nothing_to_rank",
    (
        "text_numbers",
        "abstract: Cross-model: both sides end at 75 or more",
        "value",
    ): "strictly_above_75",
    (
        "text_numbers",
        "section_4_3: Pooled conditions: both sides end above 50",
        "value",
    ): "mixed_class_left_out",
    (
        "text_numbers",
        "section_5_3: Self-debate: opening to closing",
        "value",
    ): "no_such_escalation",
}
TEXT = (
    *("abstract", "section_4_1", "section_4_2", "section_4_3"),
    *("section_5_3", "appendix_j"),
)


@pytest.fixture(scope="module")
def tables() -> list[PaperTable]:
    return paper_tables(released_bets())


def test_every_cell_is_equal_but_for_those_that_are_told(
    tables: list[PaperTable],
) -> None:
    found = {name: count["equal"] for name, count in counts(tables).items()}
    assert found == EQUAL
    flags = confidence_tables().flags
    differing = {
        (table.name, row, column): twin.reason
        for table in tables
        for (row, column), twin in table.cells.items()
        if twin.status == "differs"
    }
    assert differing == {cell: flags[flag] for cell, flag in EXCEPTED.items()}


def test_no_printed_cell_is_left_out(tables: list[PaperTable]) -> None:
    twins = Counter(
        twin.status in ("equal", "differs")
        for table in tables
        for twin in table.cells.values()
    )
    names = [*(name for name in EQUAL if name != "text_numbers"), *TEXT]
    published = confidence_tables().tables
    printed = sum(len(row) for name in names for row in published[name].values())
    assert twins[True] == printed == sum(EQUAL.values()) + len(EXCEPTED)


def test_all_of_them_can_be_shown(tables: list[PaperTable]) -> None:
    for table in tables:
        assert laid_out(table.table()).bodies[0].rows


@pytest.mark.parametrize(
    ("condition", "model", "what", "recorded", "left_out"),
    [
        ("Self-debate", "openai/gpt-4o-mini", "Rebuttal", "67.92", "74.09"),
        ("Self-debate", "openai/gpt-4o-mini", "Opening to rebuttal", ".4534", ".0153"),
        (
            *("Self-debate", "Models that rise (p < 0.05)", "Opening to rebuttal"),
            *("7/10", "8/10"),
        ),
        ("Public bets", "google/gemma-3-27b-it", "Rebuttal", "68.75", "75.00"),
        (
            *("Public bets", "google/gemma-3-27b-it", "Opening to rebuttal"),
            *(".2455", ".0028"),
        ),
        (
            *("Public bets", "Models that rise (p < 0.05)", "Opening to rebuttal"),
            *("7/10", "8/10"),
        ),
    ],
)
def test_what_missing_bets_change(
    condition: str, model: str, what: str, recorded: str, left_out: str
) -> None:
    table = missing_table(released_bets())
    assert table is not None
    found = row(table.frame, condition, model, what)
    assert recorded in found["Counted as 0"]
    assert left_out in found["Left out"]
    assert set(table.frame["Condition"]) == {"Self-debate", "Public bets"}


def test_openings_are_above_50_whichever_way_they_are_tested() -> None:
    frame = openings_table(released_bets()).frame
    assert frame["Bets"].dropna().tolist() == [120] * 4
    ways = [POOLED, CLUSTERED, BY_MODEL, MIXED]
    for condition in ("Cross-model", "Self-debate", "Public bets"):
        assert (row(frame, condition)[ways] < 0.01).all()
    assert (row(frame, "Informed self (told 50 %)")[ways] > 0.4).all()


def test_dependence_makes_escalation_less_sure() -> None:
    table = escalation_table(released_bets())
    assert table is not None
    assert (table.frame[CLUSTERED] > table.frame[POOLED]).all()


def test_model_means_are_compared_as_in_the_paper() -> None:
    table = comparisons_table(released_bets())
    assert table is not None
    informed, public = (
        row(table.frame, "Opening bet", f"Self-debate less {other}")
        for other in ("Informed self (told 50 %)", "Public bets")
    )
    assert informed["Difference"] == pytest.approx(14.075)
    assert informed[BY_MODEL] == pytest.approx(2 * 2.9e-5, rel=0.02)
    assert public[BY_MODEL] == pytest.approx(0.708, abs=0.0005)


def test_logs_of_the_release_give_the_same_bets(tmp_path: Path) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    for name in FOLDERS.values():
        for file in sorted((release_folder() / name).glob("*.json"))[::20]:
            (folder / file.name).symlink_to(file)
    import_release(str(folder), str(tmp_path / "logs"), "1-A")
    grouped = conditions(scores_df(tmp_path / "logs", "confidence"))
    key = ["condition", "debate", "side", "round"]
    found = bets_of(grouped).sort_values(key, ignore_index=True)
    expected = released_bets()
    expected = expected[expected["debate"].isin(found["debate"])]
    expected = expected.sort_values(key, ignore_index=True)
    told = ["run", "motion"]  # which the import names in its own way
    assert len(found) == 4 * 3 * 6
    pd.testing.assert_frame_equal(found.drop(columns=told), expected.drop(columns=told))
