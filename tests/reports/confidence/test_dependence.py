"""Tests that know which bets depend on each other, on bets that were made up."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from inspect_debate.reports.confidence.dependence import (
    BY_MODEL,
    CLUSTERED,
    MIXED,
    POOLED,
    clustered_difference,
    comparisons_table,
    escalation_table,
    openings_table,
)
from tests.reports.confidence.made_bets import NONE, bets, itself, row

MODELS = [f"model {n}" for n in range(6)]


def like_models(shift: float, condition: str) -> pd.DataFrame:
    """Four debates of each model, whose bets are all but the same, around 50."""
    debates = [
        debate
        for place, model in enumerate(MODELS)
        for debate in itself(
            model,
            *(
                [50 + shift + 8 * (place % 3 - 1) + n % 2, 60 + n % 3, 70]
                for n in range(8)
            ),
        )
    ]
    return bets(condition, *debates)


def test_models_that_agree_with_themselves_count_once() -> None:
    found = row(openings_table(like_models(2, "self")).frame, "Self-debate")
    assert (found["Bets"], found["Models"]) == (48, 6)
    assert found["Above 50"] == pytest.approx(2.5)
    means = np.array([42.5, 50.5, 58.5] * 2) + 2
    by_model = stats.ttest_1samp(means, 50, alternative="greater").pvalue
    assert found[BY_MODEL] == pytest.approx(by_model)
    # With clusters of one size that is what clustering by model says, too.
    assert found[CLUSTERED] == pytest.approx(by_model)
    assert found[MIXED] == pytest.approx(by_model, rel=0.01)
    assert found[POOLED] < by_model / 3


def test_humans_stand_below() -> None:
    table = openings_table(like_models(0, "self"))
    last = table.frame.iloc[-1]
    assert (last["Mean"], last["SD"], last["Above 50"]) == (65, 35.1, 15)
    assert last[[POOLED, CLUSTERED]].isna().all()


def test_rises_are_of_sides_that_made_both_bets() -> None:
    assert escalation_table(bets("self", *itself("a", [50], [60]))) is None
    debates = [d for m in MODELS for d in itself(m, [50, 60, NONE], [50, 58, 70])]
    table = escalation_table(bets("self", *debates, recorded=0))
    assert table is not None
    first, _, whole = (
        row(table.frame, "Self-debate", name)
        for name in table.frame["Between"].unique()
    )
    assert (first["Pairs"], whole["Pairs"]) == (12, 6)
    assert first["Change"] == pytest.approx(9)
    assert whole["Change"] == pytest.approx(20)


def test_conditions_are_compared_over_the_models_of_both() -> None:
    stranger = bets("public", *itself("stranger", [90, 90, 90], [90, 90, 91]))
    stranger["run"] = "run of a stranger"
    both = pd.concat([like_models(5, "self"), like_models(0, "public"), stranger])
    table = comparisons_table(both)
    assert table is not None
    found = row(table.frame, "Opening bet", "Self-debate less Public bets")
    assert found["Models"] == 6
    assert found["Difference"] == pytest.approx(5)
    alone = pd.concat([like_models(5, "self"), stranger])
    assert comparisons_table(alone) is None


def test_a_clustered_difference_is_that_of_the_means() -> None:
    rng = np.random.default_rng(0)
    frames = []
    for condition, size, mean in (("self", 30, 60), ("public", 50, 50)):
        frames.append(
            pd.DataFrame(
                {
                    "condition": condition,
                    "run": condition,
                    "debate": range(size),
                    "epoch": 1,
                    "model": [f"{condition} {n}" for n in range(size)],
                    "value": rng.normal(mean, 10, size),
                }
            )
        )
    one, other = frames
    found = clustered_difference(one, other)
    assert found.value == pytest.approx(one["value"].mean() - other["value"].mean())
    # Every bet for itself: the difference of two independent means.
    error = math.sqrt(sum(frame["value"].var(ddof=0) / len(frame) for frame in frames))
    assert found.standard_error == pytest.approx(error, rel=0.01)
    assert math.isnan(clustered_difference(one, other.iloc[:0]).value)
