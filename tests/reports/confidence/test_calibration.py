"""Closing bets against the jury and against one half, by hand."""

from math import log

import numpy as np
import pandas as pd
import pytest

from inspect_debate.reports.confidence.calibration import (
    ALWAYS_EVEN,
    ITSELF,
    JURY,
    calibration_table,
    closing_bets,
    models_table,
    parts_of,
)
from tests.reports.confidence.made_bets import NONE, Debate, bets, itself, row
from tests.reports.confidence.made_verdicts import verdicts

CROSS = bets(
    "cross_model",
    Debate("one", "two", ([10.0, 90.0], [10.0, 80.0])),
    Debate("two", "one", ([10.0, 70.0], [10.0, 60.0])),
    Debate("one", "two", ([10.0, 95.0], [10.0, 95.0])),  # a tie
    Debate("one", "two", ([10.0, 95.0], [10.0, 95.0])),  # not judged
)
SELF = bets(
    "self", *itself("one", [50.0, 80.0], [50.0, NONE], [50.0, 60.0], [50.0, 40.0])
)
VERDICTS = verdicts(
    "cross_model",
    {"judge": [("P", 60)]},
    {"judge": [("O", 60)]},
    {"judge": [("P", 60), ("O", 60)]},
    {"judge": [None]},
)
CLOSING = closing_bets(pd.concat([CROSS, SELF]), VERDICTS)


def test_bets_are_held_against_the_side_that_won() -> None:
    judged = CLOSING[CLOSING["against"] == JURY]
    found = judged[["debate", "side", "bet", "won"]].to_numpy().tolist()
    assert found == [
        ["debate 0", "proposition", 0.9, 1],
        ["debate 0", "opposition", 0.8, 0],
        ["debate 1", "proposition", 0.7, 0],
        ["debate 1", "opposition", 0.6, 1],
    ]


def test_in_debates_with_oneself_each_side_wins_every_other_time() -> None:
    alone = CLOSING[CLOSING["against"] == ITSELF]
    assert alone["bet"].tolist() == [0.8, 0.6, 0.4]
    assert alone["won"].unique().tolist() == [0.5]
    assert [part[:2] for part in parts_of(CLOSING)] == [
        ("cross_model", JURY),
        ("self", ITSELF),
    ]


def test_the_scores_by_condition() -> None:
    frame = calibration_table(CLOSING).frame
    judged = row(frame, "Cross-model", JURY)
    assert (judged["Bets"], judged["Mean bet"], judged["Won"]) == (
        4,
        pytest.approx(0.75),
        0.5,
    )
    assert judged["Brier"] == pytest.approx((0.01 + 0.64 + 0.49 + 0.16) / 4)
    logs = log(0.9) + log(0.2) + log(0.3) + log(0.6)
    assert judged["Log score"] == pytest.approx(-logs / 4)
    assert judged["Brier low"] < judged["Brier"] < judged["Brier high"]
    # Each bin has one bet: of 0.9, 0.8, 0.7 and 0.6.
    assert judged["ECE"] == pytest.approx((0.1 + 0.8 + 0.7 + 0.4) / 4)
    alone = row(frame, "Self-debate", ITSELF)
    assert alone["Brier"] == pytest.approx(0.25 + (0.09 + 0.01 + 0.01) / 3)
    assert alone["ECE"] == pytest.approx((0.3 + 0.1 + 0.1) / 3)
    even = row(frame, ALWAYS_EVEN)
    assert (even["Brier"], even["Log score"]) == (0.25, pytest.approx(log(2)))


def test_the_scores_by_model() -> None:
    frame = models_table(CLOSING).frame
    one = row(frame, f"Cross-model, against {JURY}", "one")
    assert (one["Bets"], one["Won"]) == (2, 1)
    assert one["Brier"] == pytest.approx((0.01 + 0.16) / 2)
    assert one["Brier high"] == np.inf  # of two debates: n too small
    assert len(frame) == 3


def test_a_debate_with_oneself_that_was_judged_counts_against_both() -> None:
    judged = verdicts("self", {"judge": [("P", 60)]})
    closing = closing_bets(SELF, judged)
    assert closing["against"].tolist() == [JURY, ITSELF, ITSELF, ITSELF]


def test_without_jury_and_oneself_there_is_nothing() -> None:
    assert closing_bets(CROSS, VERDICTS.iloc[:0]).empty
