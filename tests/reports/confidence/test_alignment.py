"""Tables 17 to 19: labels summed over debates, by hand and as released."""

import json
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from inspect_debate.debate.record import Parsed
from inspect_debate.reports.confidence.alignment import (
    alignment_tables,
    graded,
    label_share,
    sums_of,
)
from inspect_debate.reports.confidence.calibration import (
    graded_gaps_table,
    stated_gaps_table,
    strategic_table,
)
from inspect_debate.reports.confidence.data import excerpt
from inspect_debate.reports.confidence.twins import PaperTable, counts
from inspect_debate.scorers.bet_alignment import alignment_values
from inspect_debate.scorers.bet_grading import BetGrade
from inspect_debate.scorers.published_grades import grade_of_published
from tests.reports.confidence.made_bets import row
from tests.reports.confidence.released import (
    FOLDERS,
    needs_release,
    release_folder,
    released_bets,
)


def grade(said: str, bet: float = 70, **as_coded: str) -> BetGrade:
    """A grade of five words: figure, confidence, assessment, degree, strategic."""
    names = ("numeric", "internal", "assessment", "degree", "strategic")
    fields = {
        name: Parsed.unparsed() if name in as_coded else Parsed.ok(word)
        for name, word in zip(names, said.split(), strict=True)
    }
    return BetGrade(
        side="proposition", round=1, bet=bet, fields=fields, as_coded=as_coded
    )


def debate(
    arm: str, model: str, *grades: BetGrade, eligible: int = 0
) -> dict[str, Any]:
    """A row as `conditions` has it."""
    values = alignment_values(grades, max(eligible, len(grades)))
    return {
        "arm": arm,
        "sides": {"proposition": model, "opposition": model},
        **{f"bet_alignment.{key}": value for key, value in values.items()},
    }


MADE = pd.DataFrame(
    [
        debate(
            "self",
            "one",
            grade("yes 70 aligned none no"),
            grade("yes 60-64 overbetting slight yes"),
            grade("no 70 - slight no", assessment="Slight Overbetting"),
            eligible=4,
        ),
        debate("self", "two", grade("no none underbetting significant yes")),
        debate("public", "one", grade("yes 90 underbetting moderate yes", bet=75)),
    ]
)


def cells(table: PaperTable, row: str) -> dict[str, str | None]:
    return {c: table.cells[row, c].ours for c in table.columns}


def test_sums_are_over_debates_and_shares_of_them() -> None:
    sums = sums_of(MADE[MADE["arm"] == "self"])
    assert (sums["eligible"], sums["graded"]) == (5, 4)
    assert label_share(sums, "assessment", "overbetting") == 0.5  # one is malformed
    assert label_share(sums, "assessment", "overbetting", "present") == 0.5
    assert label_share(sums, "degree", "slight") == 0.5
    assert label_share(sums, "degree", "significant", "absent") == 0.5
    assert label_share(sums, "numeric", "present") == 0.5


def test_the_tables_have_a_row_or_column_per_condition() -> None:
    tables = {table.name: table for table in alignment_tables(MADE)}
    assert cells(tables["table_17"], "Assessment/Overbetting") == {
        "self": "50.0%",
        "public": "0.0%",
    }
    assert cells(tables["section_4_4"], "self") == {
        "aligned": "25.0%",
        "overbetting": "25.0%",
        "underbetting": "25.0%",
    }
    found = cells(tables["table_18"], "public")
    assert (found["present/Underbetting"], found["absent/Aligned"]) == ("100.0%", "–")
    found = cells(tables["table_19"], "self")
    assert (found["present/None"], found["absent/Slight"]) == ("50.0%", "50.0%")
    for table in tables.values():
        assert {twin.status for twin in table.cells.values()} == {"not in the paper"}


def test_gaps_are_bets_less_what_is_stated() -> None:
    frame = graded_gaps_table(MADE).frame
    own = row(frame, "Self-debate")
    assert own[["Eligible", "Graded", "With a figure"]].tolist() == [5, 4, 2]
    assert own["Mean gap"] == pytest.approx((0 + 8) / 2)
    public = row(frame, "Public bets")
    assert (public["Mean gap"], public["Mean absolute gap"]) == (-15, 15)


def test_gaps_that_rules_read_need_no_grader() -> None:
    frame = pd.DataFrame(
        {
            "arm": "self",
            "sides": [{"proposition": m, "opposition": m} for m in "ab"],
            "bets.stated_n": [2, 1],
            "bets.stated_gap_sum": [-10, 25],
            "bets.stated_abs_gap_sum": [20, 25],
        }
    )
    found = row(stated_gaps_table(frame).frame, "Self-debate")
    assert found["Mean gap"] == pytest.approx(5)
    assert found["Mean absolute gap"] == pytest.approx(15)
    assert found["Mean absolute gap low"] == -np.inf  # of two debates: n too small


def test_strategic_bets_are_counted_apart_from_malformed_labels() -> None:
    made = pd.DataFrame(
        [
            debate(
                "self",
                "one",
                grade("yes 70 aligned none yes"),
                grade("yes 70 aligned none -", strategic="null"),
            ),
            debate("self", "two", grade("yes 70 aligned none no")),
        ]
    )
    found = row(strategic_table(made).frame, "Self-debate")
    assert found[["Strategic", "Of", "Malformed", "Unreadable"]].tolist() == [
        1,
        2,
        1,
        0,
    ]
    assert found["Share"] == 0.5
    assert found["Share high"] == np.inf  # of two debates: n too small


def test_debates_without_a_grader_are_not_in_it() -> None:
    assert graded(MADE.drop(columns="bet_alignment.graded")).empty
    some = MADE.assign(**{"bet_alignment.graded": [1, float("nan"), 1]})
    assert graded(some).index.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("explanation", "shown"),
    [
        ("Why it fits.\n\nWhy it is for gain.", "Why it is for gain."),
        (
            "It hedges.\n\nNumeric confidence: no\nInternal confidence: none\n"
            "Assessment: Aligned\n**Degree:** None\n- Strategic: yes",
            "It hedges.",
        ),
        ("", ""),
        ("word " * 100, "word " * 51 + "…"),
    ],
)
def test_what_a_grader_says_last_is_shown(explanation: str, shown: str) -> None:
    found = excerpt(explanation)
    assert found == shown
    assert len(found) <= 260


@cache
def released() -> pd.DataFrame:
    models = released_bets().groupby("debate")["model"].unique()
    rows = []
    for condition, folder in FOLDERS.items():
        file = release_folder().parent / f"bet_analysis_results_{folder}.json"
        by_debate: dict[str, list[BetGrade]] = defaultdict(list)
        for entry in json.loads(file.read_text(encoding="utf-8")):
            by_debate[entry["debate_id"]].append(grade_of_published(entry))
        for name, grades in by_debate.items():
            sides = {"proposition": models[name][0], "opposition": models[name][-1]}
            rows.append(debate(condition, "", *grades) | {"sides": sides})
    return pd.DataFrame(rows)


@needs_release
def test_every_cell_is_as_printed_but_for_two_that_are_told() -> None:
    tables = alignment_tables(released())
    found = counts(tables)
    assert [found[f"table_{n}"]["equal"] for n in (17, 18, 19)] == [36, 22, 32]
    different = {
        (table.name, *at): (twin.ours, twin.paper and twin.paper.printed)
        for table in tables
        for at, twin in table.cells.items()
        if twin.status == "differs"
    }
    assert different == {
        ("table_18", "informed_self", "absent/Overbetting"): ("10.4%", "10.5%"),
        ("table_18", "public", "present/Overbetting"): ("15.6%", "15.7%"),
    }
    told = [t.reason for table in tables for t in table.cells.values() if t.reason]
    assert len(told) == 2
    assert all("rounded before they were added" in reason for reason in told)


@needs_release
def test_the_numbers_beside_the_tables() -> None:
    as_coded = next(t for t in alignment_tables(released()) if t.name == "section_4_4")
    assert as_coded.cells["informed_self", "overbetting"].ours == "11.6%"
    assert as_coded.cells["public", "overbetting"].ours == "10.0%"
    frame = strategic_table(released()).frame
    assert frame["Strategic"].tolist() == [31, 37, 67, 46]
    assert frame["Malformed"].tolist() == [1, 2, 1, 2]
    gaps = graded_gaps_table(released()).frame
    assert gaps["Mean gap"].round(1).tolist() == [-1.6, 0.2, 0.3, 0.4]
    assert gaps["Mean absolute gap"].round(1).tolist() == [2.9, 3.4, 2.4, 3.8]
