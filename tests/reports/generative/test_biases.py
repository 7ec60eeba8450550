"""Biases of place, seat and order, and to call both answers correct, by hand."""

import numpy as np
import pandas as pd
import pytest

from inspect_debate.reports.generative.biases import bias_items, excess, ruled_pairs
from tests.reports.generative.made import Round, joined, made_items, unscored
from tests.reports.generative.planted import row, table, verdicts


def dual(*rounds: tuple[str, str, str], epochs: bool = False) -> pd.DataFrame:
    """Samples by truth, rulings and order, of a question each, or all of one."""
    made = [
        Round("q" if epochs else f"q{n}", right, ruled, n + 1 if epochs else 1, order)
        for n, (right, ruled, order) in enumerate(rounds)
    ]
    return made_items("dual_debate", made)


FIRST_WINS = (
    # Of equal worth, and the one listed first is called correct, whichever it is.
    *(("00", "10", "ab"), ("00", "01", "ba"), ("11", "10", "ab"), ("11", "01", "ba")),
    # One is right and said to be; twice it is listed first.
    *(("10", "10", "ab"), ("01", "01", "ba"), ("10", "10", "ba")),
    ("11", "11", "ab"),
)


def test_the_first_place_is_told_from_the_seat() -> None:
    found = row(bias_items(dual(*FIRST_WINS)), "places")
    assert found["Verdicts"] == 8
    assert (found["First"], found["Second"]) == (7 / 8, 2 / 8)
    assert found["First less second"] == pytest.approx(5 / 8)
    assert found["One-sided"] == 7 / 8
    assert found["First of these"] == pytest.approx(6 / 7)
    # Six against one: as McNemar's exact test, since each sample is its own question.
    assert found["First less second: p"] == pytest.approx(2 * (1 + 7) / 2**7)
    # Four of the five of equal worth; the fifth has both.
    assert found["Of equal worth"] == pytest.approx(4 / 5)
    assert found["Of equal worth: p"] == pytest.approx(2 / 2**4)
    # A: 10, 10, 10, 10 against B: 01, 01, 01.
    assert found["A less B"] == pytest.approx(1 / 8)
    assert found["A less B: p"] == 1


def test_swapping_who_is_listed_first_swaps_the_places() -> None:
    swap = {"ab": "ba", "ba": "ab"}
    other = [(right, ruled, swap[order]) for right, ruled, order in FIRST_WINS]
    one, two = (row(bias_items(dual(*of)), "places") for of in (FIRST_WINS, other))
    assert (one["First"], one["Second"]) == (two["Second"], two["First"])
    assert one["First less second"] == -two["First less second"]
    assert one["Of equal worth"] == -two["Of equal worth"]
    assert one["A less B"] == two["A less B"]


def test_rulings_that_were_not_read_are_left_out() -> None:
    frame = dual(
        *FIRST_WINS, ("00", "?1", "ab"), ("11", "??", "ba"), ("00", "11", "ab")
    )
    lost = unscored(frame, 10)
    assert row(bias_items(lost), "places") == row(
        bias_items(dual(*FIRST_WINS)), "places"
    )


def test_answers_of_unknown_worth_have_places_but_no_regime() -> None:
    items = bias_items(dual(*FIRST_WINS, ("?0", "01", "ba")))
    places = row(items, "places")
    assert places["Verdicts"] == 9
    assert places["Of equal worth"] == pytest.approx(4 / 5)
    assert row(items, "both_correct")["Verdicts"] == 8
    assert row(items, "orders")["Verdicts"] == 8


def test_epochs_of_a_question_are_no_evidence_of_their_own() -> None:
    rounds = [("00", "10", "ab")] * 6
    one_question = row(bias_items(dual(*rounds, epochs=True)), "places")
    assert one_question["First less second"] == 1
    assert one_question["First less second: p"] == 1
    assert row(bias_items(dual(*rounds)), "places")["First less second: p"] < 0.05


def test_accuracy_by_order() -> None:
    found = row(bias_items(dual(*FIRST_WINS)), "orders")
    # Listed first, A: 10/00, 10/11, 10/10 and 11/11; B: 01/00, 01/11, 01/01 and 10/10.
    assert found["A first"] == found["B first"] == 2 / 4
    assert found["A first less B first"] == 0
    assert found["A first less B first low"] < 0 < found["A first less B first high"]
    better = [("11", "11", "ab")] * 5 + [("11", "10", "ba")] * 5
    found = row(bias_items(dual(*better, ("11", "10", "ab"))), "orders")
    assert (found["A first"], found["B first"]) == (5 / 6, 0)
    assert found["A first less B first"] == 5 / 6
    assert found["A first less B first: p"] < 0.05


def test_one_order_alone_has_no_difference() -> None:
    found = row(bias_items(dual(("11", "11", "ab"), ("11", "10", "ab"))), "orders")
    assert found["A first"] == 0.5
    assert np.isnan([found["B first"], found["A first less B first"]]).all()


def test_what_changes_when_answers_swap_places() -> None:
    rounds = [
        # The first place makes an answer correct, both times.
        Round("q1", "10", "10", order="ab", swapped="01"),
        # So it does for B, while A is never.
        Round("q2", "01", "01", order="ba", swapped="00"),
        Round("q3", "11", "11", order="ab", swapped="11"),
        Round("q4", "00", "10", order="ba", swapped="00"),  # the second place
        Round("q5", "11", "11", order="ba", swapped="1?"),  # not read
    ]
    found = row(bias_items(made_items("dual_consultancy", rounds)), "both_orders")
    assert found["Samples"] == 4
    assert found["Rulings that change"] == 4 / 8
    assert found["Verdicts that change"] == 3 / 4
    assert (found["Right"], found["Right, swapped"]) == (3 / 4, 2 / 4)
    # 1, a half, 0 and minus a half.
    assert found["First less second"] == pytest.approx(1 / 4)


def test_without_both_orders_there_is_no_such_table() -> None:
    items = bias_items(dual(*FIRST_WINS))
    assert items[2] is None
    assert table(items, "orders").frame["Format"].tolist() == ["Dual debate"]


def test_win_win_against_both_right() -> None:
    rounds = [
        *[("11", "11", "ab")] * 3,
        *[("11", "10", "ab")] * 1,
        *[("10", "11", "ab")] * 4,
        *[("00", "11", "ab")] * 1,
        *[("00", "01", "ab")] * 1,
    ]
    found = row(bias_items(dual(*rounds)), "both_correct")
    assert (found["Win-win"], found["All are right"]) == (0.8, 0.4)
    assert found["Win-win less all right"] == pytest.approx(0.4)
    # Six samples differ, all but one for win-win.
    assert found["Win-win less all right: p"] == pytest.approx(2 * 7 / 2**6)
    assert found["All right"] == 7 / 8
    assert found["Contested: right"] == found["Contested: wrong"] == 1
    assert found["All wrong"] == 3 / 4
    # A is called correct in nine of ten, and so is B.
    assert found["Beyond independence"] == pytest.approx(0.8 - 0.81)
    # Given the truth: nothing among the first eight, as A always is, or both are;
    # of the last two A is called so in one, B in both.
    assert found["Within truth"] == pytest.approx(0)


def test_a_judge_that_rules_on_both_at_once() -> None:
    alike = [("00", ruled, "ab") for ruled in ("11", "00") for _ in range(5)]
    (of,) = ruled_pairs(dual(*alike))
    for within_truth in (False, True):
        found = excess(of.items, within_truth=within_truth)
        assert found.value == pytest.approx(0.25)
        assert found.low > 0.1


def test_answers_that_are_right_together_are_no_bias() -> None:
    truthful = [(of, of, "ab") for of in ("11", "00") for _ in range(10)]
    (of,) = ruled_pairs(dual(*truthful))
    assert excess(of.items, within_truth=False).value == pytest.approx(0.25)
    assert excess(of.items, within_truth=True).value == pytest.approx(0)
    found = row(bias_items(of.items), "both_correct")
    assert found["Win-win less all right"] == 0


@pytest.mark.parametrize(
    "items",
    [
        dual(*FIRST_WINS).head(0),
        verdicts("single_debate", [1, 0]),
        dual(("11", "??", "ab")),
        made_items("direct_qa", [Round("q1", "1", "")]),
    ],
)
def test_without_rulings_on_two_answers_there_is_nothing(items: pd.DataFrame) -> None:
    assert bias_items(items) == [None] * 4


def test_formats_stand_apart() -> None:
    frames = [dual(*FIRST_WINS), verdicts("dual_no_transcript", [1, 0])]
    for name in ("places", "orders", "both_correct"):
        found = table(bias_items(joined(*frames)), name).frame["Format"].tolist()
        assert found == ["Dual debate", "Dual, no transcript"]
