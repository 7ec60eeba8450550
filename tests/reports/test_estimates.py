from itertools import product

import numpy as np
import pandas as pd
import pytest

from inspect_debate.reports.estimates import (
    Estimate,
    clusters,
    estimate,
    expected,
    mean_estimate,
    of_baselines,
    ratio,
    share,
)
from tests.reports.made_scores import NONE, scores

# tp 2, fp 1, fn 1, tn 1; one gold error unread.
SAID = {"a": (1, 1), "b": (1, 1), "c": (0, 1), "d": (1, 0), "e": (0, 0), "f": (1, NONE)}


@pytest.mark.parametrize(
    ("name", "value"),
    [("precision", 2 / 3), ("recall", 2 / 3), ("f2", 10 / 15), ("accuracy", 3 / 5)],
)
def test_a_statistic_over_items_with_a_prediction(name: str, value: float) -> None:
    found = estimate(scores(SAID), name)
    assert found.value == pytest.approx(value)
    assert 0 < found.low < value < found.high < 1


def test_items_on_one_input_count_as_one_observation() -> None:
    apart = scores({str(n): (n % 2, n % 4 < 2) for n in range(40)})
    twice = pd.concat([apart, apart.assign(epoch=2)])
    one, two = estimate(apart, "accuracy"), estimate(twice, "accuracy")
    assert two.value == one.value
    assert two.high - two.low == pytest.approx(one.high - one.low, rel=0.05)


def test_rows_without_an_input_are_their_own_cluster() -> None:
    frame = scores(SAID, input_group=["x", "x", None, None, "y", "y"])
    assert list(clusters(frame)) == ["x", "x", "c", "d", "y", "y"]


def test_coins_count_by_exact_expectation() -> None:
    said = {"a": (1, 1), "b": (1, 0.5), "c": (0, 0.5), "d": (1, NONE)}
    tosses = [2 * tp / (tp + fp + 3) for tp, fp in product((1, 2), (0, 1))]
    # Unread d is a gold error that ReaLMistake's authors take for "no error".
    assert expected(scores(said), "f1") == pytest.approx(np.mean(tosses))
    assert expected(scores(SAID), "f1") == pytest.approx(2 * 2 / (2 * 2 + 1 + 2))


def test_the_mean_over_parts_is_unweighted() -> None:
    one = scores({"a": (1, 1), "b": (0, 1), "c": (0, 0), "g": (1, 1)})
    other = scores({"d": (1, 0), "e": (0, 0)})
    found = mean_estimate([one, other], "accuracy")
    assert found.value == pytest.approx((3 / 4 + 1 / 2) / 2)
    assert found.low < found.value < found.high
    whole = mean_estimate([one], "accuracy")
    assert whole == pytest.approx(estimate(one, "accuracy"))


def test_a_ratio_of_sums_leaves_out_what_is_missing() -> None:
    frame = scores(SAID, yes=[1, 0, 2, 0, 1, NONE], whole=[2, 2, 3, 0, 1, NONE])
    assert ratio(frame, "yes", "whole").value == pytest.approx(4 / 8)
    assert share(frame.assign(yes=[1, 0, 1, NONE, 0, 0]), "yes").value == 2 / 5
    nothing = ratio(frame.assign(whole=0, yes=0), "yes", "whole")
    assert np.isnan(nothing).all()


def test_baselines_answer_every_item() -> None:
    always = of_baselines(scores(SAID))["always_error"]
    assert (always.tp, always.fp) == (4, 2)


def test_an_estimate_is_three_columns() -> None:
    found = Estimate(0.5, 0.4, 0.6).columns("F1")
    assert found == {"F1": 0.5, "F1 low": 0.4, "F1 high": 0.6}
