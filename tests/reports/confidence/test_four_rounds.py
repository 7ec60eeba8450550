"""Appendix O on debates of four rounds that were made up."""

from inspect_debate.reports.confidence.paper import (
    MODELS,
    four_round_cells,
    four_round_tables,
)
from tests.reports.confidence.made_bets import NONE, bets, itself

ONE, TWO = "openai/o3-mini", "mine"
BETS = bets(
    "four_round",
    *itself(ONE, [50, 40, 60, 70], [60, 50, 70, NONE]),
    *itself(TWO, [40, 50, 50, 60], [50, 60, 60, 80]),
    recorded=0,
)


def test_by_hand() -> None:
    assert four_round_cells(BETS) == {
        "n_debates": "2",
        "n_bets": "15",  # the missing one is no 0
        "opening_mean": "50.00",
        "opening_sd": "8.16",  # with n - 1
        "opening_n": "4",
        "rebuttal_mean": "55.00",  # both rebuttals
        "rebuttal_sd": "8.66",  # with n
        "closing_mean": "70.00",
        "closing_sd": "8.16",
        "open_to_closing_delta": "23.33",  # 20, 20 and 30
        "open_to_closing_p": "0.0099",  # t = 7 with two degrees of freedom
    }


def test_models_have_twins_and_the_whole_where_all_five_are_there() -> None:
    (table,) = four_round_tables(BETS)
    assert table.name == "appendix_o"
    assert table.cells[ONE, "opening_mean"].difference == "+1.25"
    assert table.cells["overall", "opening_mean"].paper is None
    everyone = [
        d for m in MODELS for d in itself(m, [50, 50, 50, 50], [60, 60, 60, 60])
    ]
    (table,) = four_round_tables(bets("four_round", *everyone))
    twin = table.cells["overall", "n_debates"]
    assert (twin.ours, twin.difference) == ("5", "−23")


def test_other_conditions_have_no_such_table() -> None:
    assert four_round_tables(bets("self", *itself(TWO, [50] * 4, [50] * 4))) == []
