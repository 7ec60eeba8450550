"""Statistics of error detection: by hand, against scikit-learn, and as published."""

import json
import math
import os
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn import metrics

from inspect_debate.metrics.detection import (
    STATISTICS,
    Unread,
    estimate,
    expected,
    outcomes,
)

NAN = math.nan
DATA = os.environ.get("INSPECT_DEBATE_DATA")

# Errors: found, found, missed, unread. Others: false alarm, passed, passed, unread.
GOLD = [1, 1, 1, 1, 0, 0, 0, 0]
PREDICTION = [1, 1, 0, NAN, 1, 0, 0, NAN]


@pytest.mark.parametrize(
    ("statistic", "left_out", "realmistake"),
    [
        ("precision", 2 / 3, 2 / 3),
        ("recall", 2 / 3, 2 / 4),
        ("f1", 4 / 6, 4 / 7),
        ("f2", 10 / 15, 10 / 19),
        ("accuracy", 4 / 6, 4 / 8),
        ("balanced_accuracy", 2 / 3, (2 / 4 + 3 / 4) / 2),
        ("predicted_error_rate", 3 / 6, 3 / 8),
    ],
)
def test_by_hand(statistic: str, left_out: float, realmistake: float) -> None:
    assert expected(statistic, GOLD, PREDICTION) == pytest.approx(left_out)
    found = expected(statistic, GOLD, PREDICTION, unread="realmistake")
    assert found == pytest.approx(realmistake)


@pytest.mark.parametrize(
    ("statistic", "gold", "prediction", "left_out", "realmistake"),
    [
        ("f1", [0, 0], [0, 0], NAN, 0),
        ("f1", [1], [NAN], NAN, 0),
        ("precision", [1, 0], [0, 0], NAN, 0),
        ("recall", [0], [1], NAN, 0),
        ("accuracy", [], [], NAN, 0),
        ("accuracy", [1, 0], [NAN, NAN], NAN, 0),
        ("balanced_accuracy", [1, 1], [1, 1], NAN, 0.5),
    ],
)
def test_a_ratio_over_nothing(
    statistic: str,
    gold: list[float],
    prediction: list[float],
    left_out: float,
    realmistake: float,
) -> None:
    assert expected(statistic, gold, prediction) == pytest.approx(left_out, nan_ok=True)
    assert expected(statistic, gold, prediction, unread="realmistake") == realmistake


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gold = rng.random(200) < 0.6
    guess = np.where(rng.random(200) < 0.7, gold, rng.random(200) < 0.5)
    theirs = {
        "precision": metrics.precision_score(gold, guess),
        "recall": metrics.recall_score(gold, guess),
        "f1": metrics.f1_score(gold, guess),
        "f2": metrics.fbeta_score(gold, guess, beta=2),
        "accuracy": metrics.accuracy_score(gold, guess),
        "balanced_accuracy": metrics.balanced_accuracy_score(gold, guess),
        "predicted_error_rate": guess.mean(),
    }
    assert {name: expected(name, gold, guess) for name in STATISTICS} == pytest.approx(
        theirs
    )


@pytest.mark.parametrize(
    ("author", "errors", "f1", "f2"),
    [
        ("gpt4", [(87, 140), (88, 140), (87, 140)], 76.83, 89.24),
        ("llama2", [(128, 160), (129, 160), (130, 160)], 89.27, 95.41),
    ],
)
def test_a_detector_that_always_says_error(
    author: str, errors: list[tuple[int, int]], f1: float, f2: float
) -> None:
    gold = np.concatenate([np.arange(n) < k for k, n in errors])
    tasks = np.concatenate([[i] * n for i, (_, n) in enumerate(errors)])
    always = np.ones(len(gold))
    for name, value in (("f1", f1), ("f2", f2)):
        found = 100 * expected(name, gold, always, stratum=tasks)
        assert round(found, 2) == value
    assert expected("recall", gold, 0 * always) == 0


@pytest.mark.parametrize("unread", ["left_out", "realmistake"])
@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize(
    ("gold", "prediction"),
    [
        ([1, 1, 0, 0, 1], [0.5, 0.5, 0.5, 0.5, 0.5]),
        ([1, 1, 0, 0, 1, 0, 1], [0.5, 1, 0.5, 0, 0.5, NAN, NAN]),
        ([1, 0, 1, 0, 1], [0.2, 0.7, 1 / 3, 0.5, 0.2]),
        ([0, 0], [0.5, 0.5]),
    ],
)
def test_tie_breaks_are_an_exact_expectation(
    gold: list[int], prediction: list[float], statistic: str, unread: Unread
) -> None:
    drawn = [i for i, p in enumerate(prediction) if 0 < p < 1]
    values, weights = [], []
    for coins in product((1, 0), repeat=len(drawn)):
        one, weight = list(prediction), 1.0
        for i, coin in zip(drawn, coins, strict=True):
            one[i] = coin
            weight *= prediction[i] if coin else 1 - prediction[i]
        value = expected(statistic, gold, one, unread=unread)
        if not math.isnan(value):
            values.append(value)
            weights.append(weight)
    by_hand = np.average(values, weights=weights) if values else NAN
    found = expected(statistic, gold, prediction, unread=unread)
    assert found == pytest.approx(by_hand, nan_ok=True)


def test_many_tie_breaks() -> None:
    gold = [1] * 2000 + [0] * 1000
    assert expected("accuracy", gold, [0.5] * 3000) == pytest.approx(0.5)
    # E[F] lies below F at the expected counts, F being concave in the hits.
    found = expected("f1", gold, [0.5] * 3000)
    assert 0.5712 < found < 2000 / 3500


def test_averages_are_unweighted_and_need_every_stratum() -> None:
    gold, guess = [1, 0, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]
    tasks = ["a", "a", "b", "b", "b", "b"]
    by_task = (2 / 3, 2 / 5)
    assert expected("f1", gold, guess, stratum=tasks) == pytest.approx(np.mean(by_task))
    none = expected("f1", [*gold, 0], [*guess, 0], stratum=[*tasks, "c"])
    assert math.isnan(none)


@pytest.mark.parametrize(
    ("gold", "prediction"),
    [([1, 2], [0, 0]), ([1, NAN], [0, 0]), ([1, 0], [1, -0.1]), ([1], [0, 1])],
)
def test_other_values_are_refused(gold: list[float], prediction: list[float]) -> None:
    with pytest.raises(ValueError, match=r"gold|prediction|shape"):
        outcomes(gold, prediction)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_estimates(statistic: str) -> None:
    rng = np.random.default_rng(2)
    gold = rng.random(120) < 0.6
    guess: NDArray[Any] = np.where(rng.random(120) < 0.7, gold, 0.5)
    guess[:5] = NAN
    found = estimate(statistic, gold, guess, np.arange(120))
    assert found.value == expected(statistic, gold, guess)
    assert 0 <= found.low < found.value < found.high <= 1
    again = estimate(
        statistic, np.repeat(gold, 3), np.repeat(guess, 3), np.repeat(range(120), 3)
    )
    assert again.se == pytest.approx(found.se, rel=1e-6)
    assert again.high - again.low == pytest.approx(found.high - found.low, rel=0.02)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 1]),
            st.sampled_from([0, 0.5, 1, NAN]),
            st.integers(0, 3),
        ),
        max_size=12,
    ),
    st.sampled_from([*STATISTICS]),
)
def test_estimates_stay_within_bounds(
    items: list[tuple[int, float, int]], statistic: str
) -> None:
    gold, guess, cluster = ([item[i] for item in items] for i in range(3))
    found = estimate(statistic, gold, guess, cluster)
    if not math.isnan(found.low):
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high
        assert found.se >= 0
    others = estimate(statistic, gold[::-1], guess[::-1], cluster[::-1])
    assert others == pytest.approx(found, nan_ok=True)


def test_an_estimate_of_nothing_or_of_one_question() -> None:
    assert all(map(math.isnan, estimate("f1", [], [], [])))
    value, *others = estimate("f1", [1, 0, 1], [1, 1, 0], ["q", "q", "q"])
    assert value == pytest.approx(0.5)
    assert all(map(math.isnan, others))


@pytest.mark.skipif(DATA is None, reason="needs INSPECT_DEBATE_DATA")
def test_the_published_performance_of_the_released_detectors() -> None:
    folder = Path(DATA or "") / "realmistake"
    labels = pd.read_csv(folder / "detector_labels.csv")
    published = json.loads((folder / "published_performance.json").read_text())
    keys = ["task", "response_model", "detector_model", "prompt"]
    compared = 0
    for (task, author, detector, prompt), rows in labels.groupby(keys):
        cells = next(v for k, v in published[task].items() if k.endswith(author))
        cell = next(
            v
            for k, v in cells.items()
            if k.endswith(("/" + str(detector), f"={detector}"))
        )
        printed = cell[f"prompt={prompt}"]["metrics"]
        gold = rows["gold_label"].eq("error")
        guess = rows["predicted_label"].map({"error": 1.0, "no_error": 0.0})
        for name in ("accuracy", "precision", "recall", "f1"):
            found = expected(name, gold, guess, unread="realmistake")
            assert found == pytest.approx(printed[name], abs=1e-12)
            compared += 1
    assert compared == 768
