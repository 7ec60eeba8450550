import math

import pandas as pd
import pytest

from inspect_debate.analysis.colmad.oracle import (
    detectors,
    gap_table,
    oracle_table,
    ratios,
)
from tests.analysis.made_scores import NONE, arm, scores

GOLD = {"a": 1, "b": 1, "c": 1, "d": 0, "e": 0}
ALWAYS = {id: (gold, 1.0) for id, gold in GOLD.items()}
NEVER = {id: (gold, 0.0) for id, gold in GOLD.items()}
# Both right on a, only A on b, only B on c, neither on d; A's answer on e is unread.
FIRST_A, FIRST_B = [1, 1, 0, 0, NONE], [1, 0, 1, 0, 1]


def debate(**columns: object) -> pd.DataFrame:
    ended = {"a": (1, 1), "b": (1, 1), "c": (1, 0), "d": (0, 0), "e": (0, 0)}
    return scores(
        ended,
        first_right_debater_a=FIRST_A,
        first_right_debater_b=FIRST_B,
        both_wrong_to_right=[NONE, NONE, NONE, 1, NONE],
        both_right_to_wrong=[0, NONE, NONE, NONE, NONE],
        **columns,
    )


def test_opposite_biases_fill_the_matrix_and_are_what_was_to_be_expected() -> None:
    found = detectors(
        [arm("single", scores(ALWAYS), "p/A"), arm("single", scores(NEVER), "p/N")]
    )
    table = oracle_table(found)
    assert table is not None
    (row,) = table.frame.to_dict("records")
    assert row["Models"] == "A + N"
    assert row["Errors of the better"] == 2
    assert row["Removed"] == 2
    assert row["Share (Eq. 4)"] == 1
    assert row["Corrected share"] == 0
    # Five coins, three of them on errors: by hand over the two binomials.
    chances = {0: 1 / 8, 1: 3 / 8, 2: 3 / 8, 3: 1 / 8}
    alarms = {0: 1 / 4, 1: 1 / 2, 2: 1 / 4}
    by_hand = sum(
        p * q * 2 * tp / (tp + fp + 3)
        for tp, p in chances.items()
        for fp, q in alarms.items()
    )
    assert row["Ensemble F1"] == pytest.approx(by_hand)


def test_first_answers_stand_in_where_a_model_has_no_run_of_its_own() -> None:
    held = arm("colmad", debate(), "p/A", "p/B", "p/A")
    found = detectors([arm("single", scores(ALWAYS), "p/A"), held])
    assert list(found) == ["p/A", "p/B"]
    assert list(found["p/A"]["prediction"]) == [1] * 5
    assert list(found["p/B"]["prediction"]) == [1, 0, 1, 1, 0]


def test_an_unread_first_answer_is_wrong_for_the_oracle() -> None:
    found = detectors([arm("colmad", debate(), "p/A", "p/B", "p/A")])
    table = oracle_table(found)
    assert table is not None
    (row,) = table.frame.to_dict("records")
    # A is wrong on c d e, B on b d: of B's two, A has b right.
    assert (row["Errors of the better"], row["Removed"]) == (2, 1)


def test_each_pair_is_on_the_items_that_both_answered() -> None:
    few, none = scores({"a": (1, 1), "z": (1, 1)}), scores({"y": (1, 1)})
    single = [("A", scores(ALWAYS)), ("B", scores(NEVER)), ("C", few), ("D", none)]
    found = detectors([arm("single", rows, model) for model, rows in single])
    table = oracle_table(found)
    assert table is not None
    sizes = dict(zip(table.frame["Models"], table.frame["Samples"], strict=True))
    assert sizes == {"A + B": 5, "A + C": 1, "B + C": 1}
    assert "A + C (1)" in table.note
    assert "C + D (0)" in table.note
    matrix = ratios(found).astype(float).to_dict()
    assert matrix["A"]["B"] == matrix["B"]["A"] == 1
    assert math.isnan(matrix["A"]["D"])
    assert oracle_table(detectors([arm("single", few, "B")])) is None
    assert detectors([arm("judge_alone", few, None, None, "J")]) == {}


def test_what_a_debate_makes_of_first_answers() -> None:
    table = gap_table([arm("colmad", debate(), "A", "B", "A")])
    assert table is not None
    (row,) = table.frame.to_dict("records")
    # On a b c d: A right on 2, B on 2, the oracle on 3, the outcome on a b d.
    assert row["Samples"] == 4
    assert (row["First answer A"], row["Oracle"]) == (2 / 4, 3 / 4)
    assert row["Outcome"] == 3 / 4
    assert row["Gap closed"] == 1
    assert row["Both wrong, then right"] == 1
    assert row["Both right, then wrong"] == 0


def test_older_logs_without_first_answers_have_no_such_table() -> None:
    assert gap_table([arm("colmad", scores(ALWAYS), "A", "B", "A")]) is None
