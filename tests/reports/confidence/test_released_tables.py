"""The paper's tables from the released transcripts, to the printed digit."""

from pathlib import Path

import pandas as pd
import pytest

from inspect_debate.reports.confidence.dependence import (
    BY_MODEL,
    CLUSTERED,
    MIXED,
    POOLED,
    comparisons_table,
    escalation_table,
    openings_table,
)
from inspect_debate.reports.confidence.escalation import missing_table
from inspect_debate.reports.confidence.frames import bets_of, conditions
from inspect_debate.reports.confidence.paper import paper_tables
from inspect_debate.reports.confidence.twins import PaperTable
from inspect_debate.reports.frames import scores_df
from inspect_debate.reports.tables import laid_out
from inspect_debate.transcripts.llms_overconfidence import import_release
from tests.reports.confidence.made_bets import row
from tests.reports.confidence.released import (
    FOLDERS,
    needs_release,
    release_folder,
    released_bets,
)
from tests.support.released import data

pytestmark = needs_release


@pytest.fixture(scope="module")
def tables() -> list[PaperTable]:
    return paper_tables(released_bets())


def test_the_scores_have_the_bets_of_the_files() -> None:
    """Printed cells are counted from the scores; these are read without them."""
    found = data().released
    assert found is not None
    key = ["condition", "debate", "side", "round"]
    ours, expected = (
        bets.drop(columns=["run", "motion"]).sort_values(key, ignore_index=True)
        for bets in (found.bets, released_bets())
    )
    pd.testing.assert_frame_equal(ours, expected)


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
