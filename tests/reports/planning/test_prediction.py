"""From made-up costs of a few debates to those of many, by hand."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.prediction import QUANTITIES, Prediction, Spent, predict

LENGTHS = {f"item {length}": length for length in (10, 20, 30, 40, 1000)}
FEW = (10, 30, 40)


def shown(
    lengths: Sequence[int] = FEW,
    went_on: Sequence[bool] = (True, True, True),
    *,
    may_skip: bool = True,
    again: int = 0,
    price: float = 1.0,
) -> Spent:
    """A rehearsal in which an answer takes 5 tokens and 2 for each character, and a
    verdict 100.
    """
    stages, costs, debates = [], [], []
    for number, (length, on) in enumerate(zip(lengths, went_on, strict=True)):
        key: dict[str, Any] = {"debate": number, "id": f"item {length}"}
        debates.append(key | {"may_skip": may_skip, "went_on": on})
        rest = "debated" if on else "skipped"
        deep = {"depth": 2 if on else 1}
        stages += [key | {"stage": name} | deep for name in ("answers", rest)]
        who = {"role": "debater_a", "model": "m"}
        costs.append(key | {"stage": "answers"} | who | told(5 + 2 * length, price, 2))
        if on:
            who = {"role": "judge", "model": "m"}
            costs.append(key | {"stage": rest} | who | told(100, price, 1 + again))
    return Spent(pd.DataFrame(stages), pd.DataFrame(costs), pd.DataFrame(debates), 0)


def told(tokens: float, price: float, calls: int) -> dict[str, float]:
    values = dict.fromkeys(QUANTITIES, 0.0)
    turns = min(calls, 2) if tokens != 100 else 1
    return values | {
        "turns": turns,
        "calls": calls,
        "input_tokens": tokens,
        "cost": tokens * price,
    }


def tokens(prediction: Prediction, debated: float) -> float:
    return float(prediction.at(debated)["input_tokens"].sum())


def test_an_item_counts_with_its_own_length() -> None:
    prediction = predict(shown(), LENGTHS, 1)
    answers = 5 * 5 + 2 * 1100
    assert tokens(prediction, 0) == pytest.approx(answers)
    assert tokens(prediction, 5) == pytest.approx(answers + 500)
    assert tokens(prediction, 2) == pytest.approx(answers + 200)
    costs = prediction.at(2)
    assert costs.loc[("judge", "m"), "calls"] == pytest.approx(2)
    assert costs.loc[("debater_a", "m"), "calls"] == pytest.approx(10)


def test_epochs_multiply() -> None:
    once, twice = (predict(shown(), LENGTHS, epochs) for epochs in (1, 2))
    assert (once.samples, twice.samples) == (5, 10)
    assert tokens(twice, 10) == pytest.approx(2 * tokens(once, 5))


def test_two_lengths_do_not_make_a_line() -> None:
    prediction = predict(shown([10, 40], [True, True]), LENGTHS, 1)
    assert tokens(prediction, 0) == pytest.approx(5 * (5 + 2 * 25))


def test_the_share_of_debates_is_that_of_the_rehearsal() -> None:
    prediction = predict(shown(went_on=[True, False, False]), LENGTHS, 1)
    assert prediction.share.value == pytest.approx(1 / 3)
    assert 0 < prediction.share.low < 1 / 3 < prediction.share.high < 1
    assert not prediction.certain
    assert (prediction.depth, prediction.depth_skipped) == (2, 1)


@pytest.mark.parametrize(
    ("may_skip", "went_on", "certain"),
    [
        (False, [True, True, True], True),
        (True, [True, True, True], False),  # others may be skipped
        (False, [True, True, False], False),  # an answer could not be read
    ],
)
def test_whether_it_is_certain_that_all_are_debated(
    may_skip: bool, went_on: list[bool], certain: bool
) -> None:
    spent = shown(went_on=went_on, may_skip=may_skip)
    assert predict(spent, LENGTHS, 1).certain is certain


def test_calls_range_from_none_debated_to_all_with_further_calls() -> None:
    prediction = predict(shown(went_on=[True, True, False]), LENGTHS, 1)
    fewest, most = prediction.calls
    assert fewest == pytest.approx(10)
    assert prediction.asked_again.n == 8
    assert most == pytest.approx(15 * (1 + prediction.asked_again.high))


def test_what_was_asked_again_counts_as_it_was_seen() -> None:
    prediction = predict(shown(again=1, may_skip=False), LENGTHS, 1)
    assert prediction.asked_again.value == pytest.approx(3 / 9)
    assert prediction.at(5)["calls"].sum() == pytest.approx(20)
    assert prediction.calls.low == pytest.approx(15)


def test_what_no_rehearsed_item_showed_is_not_known() -> None:
    prediction = predict(shown(went_on=[False] * 3), LENGTHS, 1)
    assert prediction.debated is None
    assert prediction.at(0)["calls"].sum() == pytest.approx(10)
    assert math.isnan(prediction.at(1)["calls"].sum(skipna=False))


def test_a_price_that_is_not_known_leaves_the_tokens_known() -> None:
    prediction = predict(shown(price=math.nan), LENGTHS, 1)
    assert prediction.at(5)["cost"].isna().all()
    assert tokens(prediction, 5) == pytest.approx(25 + 2200 + 500)


def test_a_falling_line_does_not_lead_below_nothing() -> None:
    spent = shown()
    spent.costs["output_tokens"] = [30.0, 0.0, 10.0, 0.0, 0.0, 0.0]
    assert (predict(spent, LENGTHS, 1).answers["output_tokens"] == 0).all()


def test_an_item_that_the_run_does_not_have_is_an_error() -> None:
    with pytest.raises(InputError, match="1 samples that this task does not have"):
        predict(shown([10, 30, 50]), LENGTHS, 1)
