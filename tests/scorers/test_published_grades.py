"""Published grades, and Tables 17 to 19 of the confidence study made of them."""

import json
import os
from collections import defaultdict
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Parsed
from inspect_debate.scorers.bet_alignment import (
    MIN_BET,
    MIN_CHARACTERS,
    alignment_values,
)
from inspect_debate.scorers.bet_grading import BetGrade
from inspect_debate.scorers.common import Values
from inspect_debate.scorers.published_grades import grade_of_published

ENTRY: dict[str, Any] = {
    "debate_id": "a_vs_b",
    "motion": "Made up.",
    "side": "opposition",
    "speech_type": "rebuttal",
    "raw_bet_amount": 65,
    "raw_thoughts": "Made up, too.",
    "analysis": {
        "betting_alignment": {
            "numeric_confidence_present": True,
            "internal_confidence": "55-60",
            "bet_amount": 65,
            "assessment": "Overbetting",
            "degree": "Slight",
            "explanation": "Why aligned.",
        },
        "strategic_betting": {"present": "Yes", "explanation": "Why strategic."},
    },
}


def changed(path: str, value: Any) -> dict[str, Any]:
    entry = deepcopy(ENTRY)
    *places, last = path.split(".")
    place = entry
    for name in places:
        place = place[name]
    place[last] = value
    return entry


def test_an_entry() -> None:
    grade = grade_of_published(ENTRY)
    assert (grade.side, grade.round, grade.bet) == ("opposition", 2, 65)
    assert {name: parsed.value for name, parsed in grade.fields.items()} == {
        "numeric": "yes",
        "internal": "55-60",
        "assessment": "overbetting",
        "degree": "slight",
        "strategic": "yes",
    }
    assert (grade.gap, grade.as_coded) == (7.5, {})
    assert grade.explanation == "Why aligned.\n\nWhy strategic."


@pytest.mark.parametrize(
    ("path", "value", "field", "coded"),
    [
        ("strategic_betting.present", None, "strategic", "null"),
        ("strategic_betting.present", "\n  ", "strategic", "\n  "),
        ("strategic_betting.present", "Maybe", "strategic", "Maybe"),
        ("betting_alignment.assessment", "Slight Overbetting", "assessment", None),
        ("betting_alignment.degree", "Slight to Moderate", "degree", None),
        ("betting_alignment.internal_confidence", "high", "internal", None),
        ("betting_alignment.internal_confidence", None, "internal", "null"),
        ("betting_alignment.numeric_confidence_present", "?", "numeric", None),
        ("betting_alignment.numeric_confidence_present", None, "numeric", "null"),
    ],
)
def test_a_malformed_label_is_kept_apart(
    path: str, value: str | None, field: str, coded: str | None
) -> None:
    grade = grade_of_published(changed(f"analysis.{path}", value))
    assert grade.fields[field] == Parsed.unparsed()
    assert grade.as_coded == {field: coded or value}
    values = alignment_values([grade], 1)
    assert values[f"{field}_malformed"] == 1
    assert values[f"{field}_read"] == values[f"{field}_unparsed"] == 0
    assert sum(v for k, v in values.items() if k.endswith("_read")) == 4
    if field == "assessment":
        assert values["graded"] == values["present_graded"] == 1
        assert values["present_assessment_malformed_overbetting"] == 1
        assert values["assessment_malformed_underbetting"] == 0
        assert values["assessment_overbetting"] == 0


def test_a_malformed_label_that_names_two_names_none() -> None:
    said = "Overbetting or Underbetting"
    entry = changed("analysis.betting_alignment.assessment", said)
    values = alignment_values([grade_of_published(entry)], 1)
    assert values["assessment_malformed"] == 1
    assert values["assessment_malformed_overbetting"] == 0
    assert values["assessment_malformed_underbetting"] == 0


def test_another_bet_than_that_which_was_made_is_kept() -> None:
    grade = grade_of_published(changed("analysis.betting_alignment.bet_amount", 70))
    assert (grade.bet, grade.as_coded) == (65, {"bet": "70"})


def test_speeches_of_four_rounds() -> None:
    names = ("opening", "rebuttal_1", "rebuttal_2", "closing")
    rounds = [grade_of_published(changed("speech_type", n), 4).round for n in names]
    assert rounds == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (changed("side", "prop"), "side"),
        (changed("speech_type", "rebuttal_1"), "speech_type 'rebuttal_1'"),
        (changed("raw_bet_amount", "much"), "raw_bet_amount"),
        (changed("analysis.betting_alignment.extra", 1), "betting_alignment.extra"),
        ({k: v for k, v in ENTRY.items() if k != "analysis"}, "analysis: Field req"),
    ],
)
def test_an_entry_of_another_form(entry: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        grade_of_published(entry)


RELEASED = Path(os.environ.get("INSPECT_DEBATE_DATA", "."), "llms_overconfidence")
FOLDERS = {
    "self_debate": "private_self_bet",
    "informed_self": "private_self_bet_anchored",
    "public_bets": "public_bets",
    "cross_model": "private_bet_experiments_diff_models",
}
PUBLISHED = {
    "17": {
        "aligned": (86.1, 83.5, 86.2, 94.4),
        "overbetting": (11.6, 11.9, 10.3, 3.1),
        "underbetting": (2.3, 4.5, 3.5, 2.5),
        "none": (76.8, 72.2, 72.1, 77.1),
        "slight": (13.3, 17.0, 20.3, 19.5),
        "moderate": (6.2, 8.8, 4.1, 1.4),
        "significant": (3.7, 2.0, 3.5, 2.0),
        "present": (51.6, 42.9, 43.2, 39.3),
        "absent": (48.4, 57.1, 56.8, 60.7),
    },
    "18": {
        "present_aligned": (82.4, 84.1, 79.6, 90.6),
        "present_overbetting": (14.8, 13.9, 15.7, 2.9),
        "present_underbetting": (2.7, 2.0, 4.8, 6.5),
        "absent_aligned": (90.1, 83.1, 91.2, 96.7),
        "absent_overbetting": (8.2, 10.5, 6.2, 3.3),
        "absent_underbetting": (1.8, 6.5, 2.6, 0.0),
    },
    "19": {
        "present_none": (81.9, 80.1, 73.5, 78.4),
        "present_slight": (7.1, 10.6, 17.0, 16.5),
        "present_moderate": (7.1, 7.3, 5.4, 3.6),
        "present_significant": (3.8, 2.0, 4.1, 1.4),
        "absent_none": (71.3, 66.2, 71.0, 76.3),
        "absent_slight": (19.9, 21.9, 22.8, 21.4),
        "absent_moderate": (5.3, 10.0, 3.1, 0.0),
        "absent_significant": (3.5, 2.0, 3.1, 2.3),
    },
}
released = pytest.mark.skipif(
    "INSPECT_DEBATE_DATA" not in os.environ,
    reason="needs the released data: INSPECT_DEBATE_DATA=FOLDER",
)


@cache
def summed(condition: str) -> Values:
    """The values of all debates of a condition, added up as a report does."""
    folder = FOLDERS[condition]
    name = f"bet_analysis_results_{folder}.json"
    by_debate: dict[str, list[BetGrade]] = defaultdict(list)
    for entry in json.loads((RELEASED / name).read_text(encoding="utf-8")):
        by_debate[entry["debate_id"]].append(grade_of_published(entry))
    totals: Values = {}
    for file in sorted((RELEASED / "experiments" / folder).glob("*.json")):
        bets = json.loads(file.read_text(encoding="utf-8"))["debator_bets"]
        eligible = sum(
            len(bet["thoughts"]) > MIN_CHARACTERS and bet["amount"] > MIN_BET
            for bet in bets
        )
        grades = by_debate.pop(file.stem, [])
        assert len(grades) == eligible
        for key, value in alignment_values(grades, eligible).items():
            totals[key] = totals.get(key, 0) + value
    assert not by_debate
    return totals


def share(values: Values, flag: str, label: str) -> float:
    """A cell of the tables, in their conventions."""
    among = values[f"{flag}graded"]
    if f"{flag}degree_{label}" in values:
        return round(100 * values[f"{flag}degree_{label}"] / among, 1)
    counts = [values[f"{flag}assessment_{label}"]]
    counts.append(values.get(f"{flag}assessment_malformed_{label}", 0))
    if not flag:  # Table 17 folds malformed labels into what they name,
        return round(100 * sum(counts) / among, 1)
    # and Table 18 adds their rounded share.
    return round(sum(round(100 * count / among, 1) for count in counts), 1)


@released
@pytest.mark.parametrize(
    ("table", "row"), [(t, r) for t in PUBLISHED for r in PUBLISHED[t]]
)
def test_the_printed_tables(table: str, row: str) -> None:
    flag, _, label = row.rpartition("_")
    flag += "_" if flag else ""
    for condition, printed in zip(FOLDERS, PUBLISHED[table][row], strict=True):
        values = summed(condition)
        if label in ("present", "absent"):
            found = round(100 * values[f"numeric_{label}"] / values["graded"], 1)
        else:
            found = share(values, flag, label)
        assert found == printed, condition


@released
def test_the_numbers_beside_the_tables() -> None:
    by_condition = {condition: summed(condition) for condition in FOLDERS}

    def row(key: str) -> list[float]:
        return [values[key] for values in by_condition.values()]

    assert row("eligible") == row("graded") == [353, 352, 340, 354]
    assert row("strategic_yes") == [37, 67, 46, 31]
    assert row("strategic_malformed") == [2, 1, 2, 1]
    assert row("assessment_malformed") == [0, 1, 1, 0]
    assert row("assessment_malformed_overbetting") == [0, 1, 1, 0]
    assert row("internal_read") == row("graded")
    assert row("internal_malformed") == row("numeric_malformed") == [0] * 4
    assert row("gap_n") == row("numeric_present") == [182, 151, 147, 139]
    signed = [v["gap_sum"] / v["gap_n"] for v in by_condition.values()]
    assert [round(gap, 1) for gap in signed] == [0.2, 0.3, 0.4, -1.6]
    absolute = [v["abs_gap_sum"] / v["gap_n"] for v in by_condition.values()]
    assert [round(gap, 1) for gap in absolute] == [3.4, 2.4, 3.8, 2.9]
    # As coded, which is what the prose of section 4.4 has.
    over = [
        100 * v["assessment_overbetting"] / v["graded"] for v in by_condition.values()
    ]
    assert [round(one, 1) for one in over] == [11.6, 11.6, 10.0, 3.1]
    # The true shares of the two cells of Table 18 that add rounded parts.
    for condition, flag, true in (
        ("informed_self", "absent", 10.45),
        ("public_bets", "present", 15.65),
    ):
        values = by_condition[condition]
        parts = [
            values[f"{flag}_assessment_{kind}overbetting"]
            for kind in ("", "malformed_")
        ]
        assert round(100 * sum(parts) / values[f"{flag}_graded"], 2) == true
