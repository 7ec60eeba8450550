"""Paired differences and the oracle over two detectors."""

import math
import os
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from inspect_debate.metrics.detection import STATISTICS, expected
from inspect_debate.metrics.paired import (
    PairedDifference,
    detection_difference,
    mean_difference,
    oracle_reduction,
)

NAN = math.nan
DATA = os.environ.get("INSPECT_DEBATE_DATA")


def rows(**columns: Any) -> pd.DataFrame:
    """A condition; ids count up and the epoch is 1 unless given."""
    frame = pd.DataFrame(columns)
    ids = {} if "id" in frame else {"id": range(len(frame))}
    frame = frame.assign(**ids, **({} if "epoch" in frame else {"epoch": 1}))
    return frame if "cluster" in frame else frame.assign(cluster=frame["id"])


def of_means(
    before: Sequence[float], after: Sequence[float], clusters: Sequence[str] = ()
) -> PairedDifference:
    names = [*clusters] or [*map(str, range(len(before)))]
    return mean_difference(
        rows(correct=before, cluster=names),
        rows(correct=after, cluster=names),
        "correct",
    )


@pytest.mark.parametrize(
    ("differences", "clusters", "p"),
    [
        # All signs of (1, 2, 4) / 7 are less extreme; half of the observed counts.
        ([1 / 7, 2 / 7, 4 / 7], "abc", 1 / 8),
        ([1 / 7, 2 / 7, -4 / 7], "abc", 7 / 8),
        ([-1 / 7, 2 / 7, 4 / 7], "abc", 3 / 8),
        # What shares a cluster is one observation, and epochs add up.
        ([1, 1, 1, 1], "aaab", 1 / 4),
        ([1, 1, 1, 1], "abcd", 1 / 16),
        ([0.5, 0.5, 0.25, 0.25], "aabb", 1 / 4),
        # A cluster without a difference takes no part in the test.
        ([1, 1, 0, 0, 0], "abcde", 1 / 4),
        ([0, 0, 0], "abc", 1),
        ([1], "a", NAN),
        ([], "", NAN),
    ],
)
def test_sign_flips_by_hand(differences: list[float], clusters: str, p: float) -> None:
    found = of_means([0] * len(differences), differences, clusters)
    assert found.p == pytest.approx(p, nan_ok=True)
    assert found.pairs == len(differences)
    assert found.clusters == len(set(clusters))


@pytest.mark.parametrize(
    ("worse", "better", "p"),
    [
        (0, 0, 1),
        (1, 0, 1 / 2),
        (0, 5, 1 / 32),
        (2, 2, 1),
        (3, 1, 1 - 6 / 16 - 4 / 16),
        # The example of Fagerland et al. 2013: exact 0.0703, mid-p 0.0391.
        (1, 7, 2 * 9 / 256 - 8 / 256),
    ],
)
@pytest.mark.parametrize("same", [3, 40])
def test_mcnemar_by_hand(worse: int, better: int, p: float, same: int) -> None:
    before = [1] * worse + [0] * better + [1, 0] * same
    after = [0] * worse + [1] * better + [1, 0] * same
    found = of_means(before, after)
    assert found.p == pytest.approx(p)
    assert found.estimate == pytest.approx((better - worse) / len(before))


@pytest.mark.parametrize(("worse", "better"), [(6, 16), (20, 10), (40, 41), (60, 90)])
def test_of_many_items_it_is_mcnemars_mid_p(worse: int, better: int) -> None:
    n = worse + better
    mid = stats.binomtest(worse, n).pvalue - stats.binom.pmf(worse, n, 0.5)
    found = of_means([1] * worse + [0] * better, [0] * worse + [1] * better)
    assert found.p == pytest.approx(mid, abs=0.01 if mid < 0.1 else 0.025)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [9, 40])
def test_sign_flips_are_those_of_scipy(seed: int, n: int) -> None:
    differences = np.random.default_rng(seed).normal(0.1, 0.2, n).clip(-1, 1)
    theirs = stats.permutation_test(
        (differences,),
        lambda values, axis: values.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    found = of_means([0] * n, differences.tolist())
    # scipy counts the observed result in full.
    assert found.p == pytest.approx(theirs.pvalue - 2**-n, abs=1e-9 if n < 12 else 0.02)


def two_runs(
    seed: int, items: int, epochs: int = 1
) -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    frame = rows(
        id=np.repeat(range(items), epochs), epoch=[*range(epochs)] * items
    ).assign(gold=np.repeat(rng.random(items) < 0.6, epochs).astype(float))
    a, b = (
        frame.assign(
            prediction=np.where(rng.random(len(frame)) < skill, frame["gold"], 0.5)
        )
        for skill in rng.uniform(0.3, 0.95, 2)
    )
    return a, b


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10**6),
    st.sampled_from([3, 5, 8, 30]),
    st.integers(1, 2),
    st.sampled_from([*STATISTICS]),
)
def test_interval_and_p_never_contradict(
    seed: int, items: int, epochs: int, statistic: str
) -> None:
    a, b = two_runs(seed, items, epochs)
    found = detection_difference(a, b, statistic)
    if not math.isnan(found.low):
        assert (found.low <= 0 <= found.high) == (found.p >= 0.05 - 1e-9)
        assert -1 <= found.low < found.high <= 1
    swapped = detection_difference(b, a, statistic)
    turned = (-found.estimate, -found.high, -found.low, found.p)
    assert swapped[:4] == pytest.approx(turned, nan_ok=True)
    shuffled = detection_difference(a.sample(frac=1, random_state=1), b, statistic)
    assert shuffled[:4] == pytest.approx(found[:4], nan_ok=True)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_estimate_is_the_difference_of_the_reported_values(statistic: str) -> None:
    a, b = two_runs(7, 60, epochs=2)
    found = detection_difference(a, b, statistic, stratum="epoch")
    before, after = (
        expected(statistic, one["gold"], one["prediction"], stratum=one["epoch"])
        for one in (a, b)
    )
    assert found.estimate == pytest.approx(after - before)
    assert found.low < found.estimate < found.high
    assert (found.pairs, found.clusters) == (120, 60)


def test_repeated_epochs_add_nothing() -> None:
    a, b = two_runs(3, 25)
    once = detection_difference(a, b, "f1")
    a3, b3 = (pd.concat([one.assign(epoch=e) for e in range(3)]) for one in (a, b))
    assert detection_difference(a3, b3, "f1")[1:4] == pytest.approx(once[1:4])


def test_what_is_dropped() -> None:
    a = rows(id=[*"abcdef"], gold=[1, 0, 1, 0, 1, 0], prediction=[1, 0, NAN, 0, 1, 1])
    b = rows(id=[*"bcdefg"], gold=[0, 1, 0, 0, 0, 1], prediction=[1, 1, 0, 1, NAN, 1])
    found = detection_difference(a, b, "accuracy")
    assert found.pairs == 2  # b and d
    assert found.estimate == pytest.approx(-0.5)


def test_a_sample_that_occurs_twice_is_refused() -> None:
    a = rows(id=["a", "a"], correct=[1, 0])
    with pytest.raises(pd.errors.MergeError):
        mean_difference(a, a, "correct")


@pytest.mark.parametrize("n", [2, 20])
def test_runs_that_agree_have_no_interval(n: int) -> None:
    a, _ = two_runs(1, n)
    found = detection_difference(a, a, "accuracy")
    assert (found.estimate, found.p) == (0, 1)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_an_undefined_statistic_has_no_test() -> None:
    none = rows(gold=[0, 0, 0], prediction=[0, 0, 0])
    assert all(map(math.isnan, detection_difference(none, none, "f1")[:4]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statistic", "skills", "epochs"),
    [("accuracy", (0.6, 0.8), 2), ("f1", (0.7, 0.7), 1)],
)
def test_intervals_hold_the_truth(
    statistic: str, skills: tuple[float, float], epochs: int
) -> None:
    rng, held, items, runs = np.random.default_rng(0), 0, 50, 100
    frame = rows(id=np.repeat(range(items), epochs), epoch=[*range(epochs)] * items)
    frame["gold"] = (frame["id"] % 5 < 3).astype(float)
    # F1 with a share s right of 3 errors and 2 others: 6 s / (3 + 3 s + 2 (1 - s)).
    scores = [s if statistic == "accuracy" else 6 * s / (5 + s) for s in skills]
    for _ in range(runs):
        hard = np.repeat(rng.choice([-0.15, 0.15], items), epochs)
        a, b = (
            frame.assign(
                prediction=np.where(
                    rng.random(len(frame)) < skill + hard,
                    frame["gold"],
                    1 - frame["gold"],
                )
            )
            for skill in skills
        )
        found = detection_difference(a, b, statistic)
        held += found.low <= scores[1] - scores[0] <= found.high
    assert 0.91 <= held / runs <= 0.99


@pytest.mark.parametrize(
    ("first", "second", "expected_"),
    [
        # Opposite constants: an oracle is always right, and chance explains all of it.
        ([1, 1, 1, 1], [0, 0, 0, 0], (4, 1, 1, 1)),
        # Both miss the second; the first also the fourth, which the second gets.
        ([1, 0, 1, 1], [0, 0, 1, 0], (4, 2, 1, 2 - 2 * 1 / 3 - 0)),
        # Unread is wrong.
        ([NAN, 1, 1, 0], [1, 1, NAN, 0], (4, 1, 1, 1 - 1 / 3)),
        ([1, 1, 1, 0], [1, 1, 1, 0], (4, 0, 0, 0)),
    ],
)
def test_oracle_by_hand(
    first: list[float], second: list[float], expected_: tuple[float, ...]
) -> None:
    gold = [1, 1, 1, 0]
    a, b = rows(gold=gold, prediction=first), rows(gold=gold, prediction=second)
    found = oracle_reduction(a, b)
    assert found == pytest.approx(expected_)
    assert oracle_reduction(b, a) == pytest.approx(found)
    if found.better_errors:
        assert found.ratio == pytest.approx(expected_[2] / expected_[1])
    else:
        assert math.isnan(found.ratio)


def test_the_expectation_under_independence_by_enumeration() -> None:
    gold = [1, 1, 1, 0, 0]
    a = rows(gold=gold, prediction=[1, 0, 0, 1, 0])
    # The second's answers in any order within the errors and within the others.
    found = [
        oracle_reduction(a, rows(gold=gold, prediction=[*errors, *others]))
        for errors, others in product(permutations([1, 1, 0]), permutations([1, 0]))
    ]
    mean = np.mean([one.reduction for one in found])
    assert {round(one.independent, 9) for one in found} == {round(float(mean), 9)}


def test_only_shared_pairs_count() -> None:
    a = rows(id=["x", "y", "y"], epoch=[1, 1, 2], gold=[1, 1, 1], prediction=[0, 0, 1])
    b = rows(id=["y", "y", "z"], epoch=[2, 3, 1], gold=[1, 1, 1], prediction=[0, 0, 0])
    assert oracle_reduction(a, b)[:3] == (1, 0, 0)


@pytest.mark.skipif(DATA is None, reason="needs INSPECT_DEBATE_DATA")
def test_the_oracle_over_the_released_detectors() -> None:
    path = Path(DATA or "") / "realmistake" / "detector_labels.csv"
    labels = pd.read_csv(path).query("prompt == 'baseline_errordetection_prompt_1'")
    labels = labels.rename(columns={"index": "id"}).assign(
        epoch=1,
        gold=labels["gold_label"].eq("error").astype(float),
        prediction=labels["predicted_label"].map({"error": 1.0, "no_error": 0.0}),
    )
    cells = {
        (str(task).split("_")[0], str(author).split("-")[0]): dict(
            [*cell_rows.groupby("detector_model")]
        )
        for (task, author), cell_rows in labels.groupby(["task", "response_model"])
    }
    small, large, gpt4 = "Llama-2-13b-chat-hf", "Llama-2-70b-chat-hf", "gpt-4-0613"
    for cell, a, b, ratio in (
        (("finegrained", "gpt"), large, gpt4, 1.0),
        (("finegrained", "gpt"), small, large, 0.019),
        (("answerability", "gpt"), small, "Qwen1.5-14B-Chat", 0.057),
        (("math", "Llama"), small, large, 0.069),
        (("answerability", "Llama"), "Qwen1.5-72B-Chat", gpt4, 0.041),
    ):
        found = oracle_reduction(cells[cell][a], cells[cell][b])
        assert round(found.ratio, 3) == ratio
    opposite = [oracle_reduction(cell[large], cell[gpt4]) for cell in cells.values()]
    assert len(opposite) == 6
    assert min(one.ratio for one in opposite) > 0.775
