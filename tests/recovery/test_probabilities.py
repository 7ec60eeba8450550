"""Judges whose calibration is planted: their scores' intervals hold the true values.

`uv run python -m tests.recovery.test_probabilities` prints how often.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from numpy.random import Generator, default_rng
from scipy.special import expit, logit
from scipy.stats import beta

from inspect_debate.metrics.calibration import (
    FLOOR,
    error_if_calibrated,
    expected_calibration_error,
    log_losses,
    squared_errors,
)
from inspect_debate.metrics.dependence import clustered_mean
from inspect_debate.metrics.intervals import Array, Interval
from inspect_debate.metrics.means import Labels
from inspect_debate.metrics.probabilities import (
    ClusteredRows,
    auroc_interval,
    paired_auroc,
    paired_scores,
)

pytestmark = pytest.mark.slow

RUNS, QUESTIONS, EACH = 200, 60, 3
CHANCES = (1.2, 0.9)
"""Of an answer to be right, by question: the parameters of a beta distribution."""
ALIKE = 0.4
"""How often the answers to one question are right or wrong together."""
LOG_BOUNDS = (float(-np.log1p(-FLOOR)), float(-np.log(FLOOR)))


def _scaled(by: float) -> Callable[[Array], Array]:
    return lambda chance: np.asarray(expit(by * logit(chance)), dtype=np.float64)


JUDGES: dict[str, Callable[[Array], Array] | None] = {
    "calibrated": lambda chance: chance,
    "overconfident": _scaled(2.0),
    "underconfident": _scaled(0.5),
    "uninformative": None,
}
"""What a judge states where an answer has a chance of being right; None draws it."""


class Rows(NamedTuple):
    """A run: what the judge states, what is right, and the questions."""

    stated: Array
    right: Array
    questions: Labels


def run_of(draw: Generator, judge: str, chances: Array) -> Rows:
    """Answers to each question, each right with its chance, some of them together."""
    questions = np.repeat(np.arange(QUESTIONS), EACH)
    together = (draw.random(QUESTIONS) < chances)[questions]
    apart = draw.random(questions.size) < chances[questions]
    right = np.where(draw.random(questions.size) < ALIKE, together, apart)
    states = JUDGES[judge]
    if states is None:
        stated = draw.beta(*CHANCES, questions.size)
    else:
        stated = states(chances)[questions]
    return Rows(stated, right.astype(float), questions)


def truth_of(judge: str) -> dict[str, float]:
    """The measures over the distribution of chances itself, by its quantiles."""
    quantiles = (np.arange(20_000) + 0.5) / 20_000
    chance = beta.ppf(quantiles, *CHANCES)
    states = JUDGES[judge]
    if states is None:
        mean = CHANCES[0] / sum(CHANCES)
        stated, chance = chance, np.full(chance.shape, mean)
    else:
        stated = states(chance)
    gaps = np.bincount(np.digitize(stated, np.arange(1, 10) / 10), stated - chance)
    # In the order of what is stated, right ones above each wrong one.
    right, wrong = chance / chance.sum(), (1 - chance) / (1 - chance).sum()
    return {
        "brier": float(squared_errors(stated, chance).mean()),
        "log": float(log_losses(stated, chance).mean()),
        "auroc": float(right @ (wrong.cumsum() - wrong / 2)),
        "ece": float(np.abs(gaps).sum() / stated.size),
    }


def intervals_of(rows: Rows, seed: int) -> dict[str, Interval]:
    stated, right, questions = rows
    names = questions.tolist()
    squared, losses = squared_errors(stated, right), log_losses(stated, right)
    area = auroc_interval(stated, right, names, seed=seed, resamples=400)
    return {
        "brier": clustered_mean(squared, names).interval(bounds=(0, 1)),
        "log": clustered_mean(losses, names).interval(bounds=LOG_BOUNDS),
        "auroc": Interval(area.low, area.high),
    }


def differences_of(a: Rows, b: Rows, seed: int) -> dict[str, Interval]:
    """The intervals alone, so that few sign flips are drawn for the p-values."""
    names = a.questions.tolist(), b.questions.tolist()
    found = {
        name: paired_scores(
            *(of(a.stated, a.right), names[0], of(b.stated, b.right), names[1]),
            *(bounds,),
            seed=seed,
            resamples=99,
        )
        for name, of, bounds in (
            ("brier", squared_errors, (0.0, 1.0)),
            ("log", log_losses, LOG_BOUNDS),
        )
    }
    found["auroc"] = paired_auroc(
        ClusteredRows(a.stated, a.right, names[0]),
        ClusteredRows(b.stated, b.right, names[1]),
        seed=seed,
        resamples=200,
    )
    return {name: Interval(of.low, of.high) for name, of in found.items()}


def coverage(
    found: Iterator[dict[str, Interval]], truth: dict[str, float]
) -> dict[str, float]:
    """Of all runs, the share whose interval holds the true value, by measure."""
    held = [
        {name: low <= truth[name] <= high for name, (low, high) in each.items()}
        for each in found
    ]
    return {name: float(np.mean([of[name] for of in held])) for name in held[0]}


def coverage_of(judge: str) -> dict[str, float]:
    def runs() -> Iterator[dict[str, Interval]]:
        for seed in range(RUNS):
            draw = default_rng(seed)
            chances = draw.beta(*CHANCES, QUESTIONS)
            yield intervals_of(run_of(draw, judge, chances), seed)

    return coverage(runs(), truth_of(judge))


def coverage_of_difference(judge: str, other: str) -> dict[str, float]:
    def runs() -> Iterator[dict[str, Interval]]:
        for seed in range(RUNS):
            draw = default_rng(seed)
            chances = draw.beta(*CHANCES, QUESTIONS)
            one, two = (run_of(draw, name, chances) for name in (judge, other))
            yield differences_of(one, two, seed)

    truth, of_other = truth_of(judge), truth_of(other)
    return coverage(runs(), {name: of_other[name] - truth[name] for name in truth})


PAIRS = (
    ("calibrated", "calibrated"),
    ("calibrated", "overconfident"),
    ("underconfident", "uninformative"),
)


@pytest.mark.parametrize("judge", JUDGES)
def test_intervals_hold_what_is_planted(judge: str) -> None:
    found = coverage_of(judge)
    assert {*found} == {"brier", "log", "auroc"}
    assert all(0.9 <= share <= 0.99 for share in found.values()), found


@pytest.mark.parametrize(("judge", "other"), PAIRS)
def test_intervals_of_differences_hold_what_is_planted(judge: str, other: str) -> None:
    found = coverage_of_difference(judge, other)
    assert {*found} == {"brier", "log", "auroc"}
    assert all(0.9 <= share <= 0.99 for share in found.values()), found


def test_judges_that_are_alike_seldom_differ() -> None:
    """At 5 %, with as few as ten questions, two calibrated judges."""
    rejected = {"brier": 0.0, "auroc": 0.0}
    for seed in range(RUNS):
        draw = default_rng(seed)
        chances = draw.beta(*CHANCES, QUESTIONS)
        found = []
        for _ in range(2):
            rows = run_of(draw, "calibrated", chances)
            stated = np.clip(rows.stated + draw.normal(0, 0.1, rows.stated.size), 0, 1)
            few = rows.questions < 10
            names = rows.questions[few].tolist()
            found.append(ClusteredRows(stated[few], rows.right[few], names))
        scores = [squared_errors(of.stated, of.right) for of in found]
        names = found[0].clusters
        brier = paired_scores(scores[0], names, scores[1], names, (0, 1), seed=seed)
        area = paired_auroc(*found, seed=seed, resamples=200)
        rejected["brier"] += (brier.p < 0.05) / RUNS
        rejected["auroc"] += (area.p < 0.05) / RUNS
    assert all(share < 0.09 for share in rejected.values()), rejected


def test_the_error_shows_who_is_not_calibrated() -> None:
    """Against the range of a calibrated judge, in runs of one answer to a question."""
    beyond = dict.fromkeys(JUDGES, 0.0)
    for seed, judge in product(range(RUNS), JUDGES):
        draw = default_rng(seed)
        rows = run_of(draw, judge, draw.beta(*CHANCES, QUESTIONS))
        stated, right = rows.stated[::EACH], rows.right[::EACH]
        error = expected_calibration_error(stated, right)
        range_of = error_if_calibrated(stated, range(QUESTIONS), seed=seed, draws=200)
        beyond[judge] += (error > range_of.high) / RUNS
    assert beyond["calibrated"] < 0.06
    assert beyond["uninformative"] > 0.9
    assert beyond["overconfident"] > 0.4
    # Who states little more than one half shows it in more than 60 answers only.
    assert beyond["underconfident"] < 0.15


def test_judges_rank_as_planted() -> None:
    """By the Brier score; the area cannot tell how sure a judge is of its ranks."""
    truth = {judge: truth_of(judge) for judge in JUDGES}
    ranked = sorted(truth, key=lambda judge: truth[judge]["brier"])
    assert (ranked[0], ranked[-1]) == ("calibrated", "uninformative")
    areas = [round(truth[judge]["auroc"], 6) for judge in JUDGES]
    assert areas[0] == areas[1] == areas[2] > areas[3] == 0.5
    assert truth["calibrated"]["ece"] < 1e-9


if __name__ == "__main__":
    for judge in JUDGES:
        print(judge, truth_of(judge), coverage_of(judge))
    for pair in PAIRS:
        print(*pair, coverage_of_difference(*pair))
