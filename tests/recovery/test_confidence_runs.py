"""Full runs of the eight conditions find what is planted in five models and a jury.

The runs prove the path, from the provider through parsing, record and scorers. How
often intervals hold what is planted is shown by drawing from the same laws.
"""

from collections.abc import Callable
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from numpy.typing import NDArray

from inspect_debate.evals.confidence import confidence
from inspect_debate.metrics.agreement import repeat_agreement, side_share
from inspect_debate.metrics.dependence import clustered_mean
from inspect_debate.metrics.intervals import Interval
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.confidence import mean_bet, opposition_probability
from inspect_debate.solvers.confidence import CONDITIONS, PRESETS
from tests.support.laws import draw_bets, draw_votes
from tests.support.laws import repeat_agreement as planted_repeats
from tests.support.runs import metrics, records, run, samples

pytestmark = pytest.mark.slow

NAMES = ("ann", "ben", "cid", "dot", "eve")
BETTOR: dict[str, Any] = {
    "bet_opening": 0.55,
    "bet_drift": 0.1,
    "bet_spread": 0.08,
    "bet_debate_spread": 0.04,
    "words": 30,
}
JUROR: dict[str, Any] = {
    "jury_opposition": 0.95,
    "jury_shared": 0.3,
    "jury_repeat": 0.6,
    "words": 30,
}
DEBATES = 30


def model(name: str, **parameters: Any) -> Model:
    return get_model(f"simulated/balanced/{name}", memoize=False, **parameters)


def ran(condition: str, log_dir: Path) -> EvalLog:
    jury = {"judge": [model(f"juror-{n}", **JUROR) for n in range(3)]}
    judged = PRESETS[condition].jury_passes > 0
    return run(
        confidence,
        log_dir,
        model="none/none",
        roles={
            "debater_a": [model(name, **BETTOR) for name in NAMES],
            **(jury if judged else {}),
        },
        task_args={"protocol": condition},
    )


@pytest.fixture(scope="module")
def run_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], EvalLog]:
    """The run of a condition; each is run once."""
    return cache(lambda name: ran(name, tmp_path_factory.mktemp(name)))


def four_errors(half_width: float, n: int) -> float:
    """Four standard errors of a mean of uniform draws: missed once in 16,000."""
    return 4 * half_width / sqrt(3 * n)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_run_finds_what_is_planted(
    condition: str, run_of: Callable[[str], EvalLog]
) -> None:
    log = run_of(condition)
    found, planted = metrics(log, "bets"), Behaviour(**BETTOR)
    rounds = PRESETS[condition].rounds
    assert len(samples(log)) == DEBATES
    assert found["bets_ok"] == DEBATES * 2 * rounds
    # Debates share an offset, and bets have their own and are rounded to fives.
    debates = four_errors(100 * planted.bet_debate_spread, DEBATES)
    own = four_errors(100 * planted.bet_spread, 2 * DEBATES)
    rounding = four_errors(planted.bet_grid, 2 * DEBATES)
    near_mean, near_rise = debates + own + rounding, sqrt(2) * (own + rounding)
    opening, closing = (100 * mean_bet(planted, n) for n in (1, rounds))
    assert found["opening"] == pytest.approx(opening, abs=near_mean)
    assert found["closing"] == pytest.approx(closing, abs=near_mean)
    assert found["rise"] == pytest.approx(closing - opening, abs=near_rise)
    for number in range(2, rounds + 1):
        assert found[f"rise_{number}"] == pytest.approx(10, abs=near_rise)
    sides = [p for each in records(log) for p in each.participants if p.defends]
    by_model = {(p.model, p.defends) for p in sides}
    assert len(by_model) == 2 * len(NAMES)


def test_a_run_finds_the_planted_jury(run_of: Callable[[str], EvalLog]) -> None:
    found = metrics(run_of("cross_model"), "jury")
    planted = Behaviour(**JUROR)
    n = DEBATES * 3
    # Verdicts on a debate depend on each other: as if there were a third of them.
    bias = 1 - opposition_probability(planted)
    wide = 4 * sqrt(bias * (1 - bias) / n) * sqrt(3)
    assert found["for_proposition"] == pytest.approx(bias, abs=wide)
    repeats = planted_repeats(planted)
    wide = 4 * sqrt(repeats * (1 - repeats) / n) * sqrt(2)
    assert found["repeated"] == pytest.approx(repeats, abs=wide)
    assert found["verdicts_ok"] == 2 * n


SEEDS = 200
LAW = Behaviour(
    **BETTOR | {"bet_model_spread": 0.08, "bet_debate_spread": 0.06, "bet_drift": 0.05}
)


def self_debates() -> NDArray[np.int_]:
    """Ten models, each on both sides of six debates."""
    return np.repeat(np.arange(10), 6)[:, None].repeat(2, axis=1)


def cross_debates() -> NDArray[np.int_]:
    """Sixty debates of ten models, each six times on each side."""
    first = np.tile(np.arange(10), 6)
    return np.stack([first, (first + np.repeat(np.arange(1, 7), 10)) % 10], axis=1)


DESIGNS = {"self": self_debates, "cross": cross_debates}


@cache
def bets(design: str) -> list[NDArray[np.float64]]:
    models = DESIGNS[design]()
    return [
        draw_bets(LAW, models, 3, np.random.default_rng(seed)) for seed in range(SEEDS)
    ]


def covers(interval: Interval, value: float) -> bool:
    return interval.low <= value <= interval.high


@pytest.mark.parametrize("what", ["opening", "rise"])
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_of_bets_hold_what_is_planted(design: str, what: str) -> None:
    models = DESIGNS[design]()
    debates = np.arange(len(models))[:, None].repeat(2, axis=1)
    values = {"opening": lambda b: b[..., 0], "rise": lambda b: b[..., 2] - b[..., 0]}
    truth = {"opening": 100 * mean_bet(LAW, 1), "rise": 10.0}
    intervals = [
        clustered_mean(
            values[what](drawn).ravel(), models.ravel(), debates.ravel()
        ).interval()
        for drawn in bets(design)
    ]
    assert 0.9 <= fmean(covers(each, truth[what]) for each in intervals) <= 0.99


def test_intervals_of_a_jury_hold_what_is_planted() -> None:
    juror = Behaviour(**JUROR)
    truths = {
        "bias": 1 - opposition_probability(juror),
        "repeats": planted_repeats(juror),
    }
    covered: dict[str, list[bool]] = {name: [] for name in truths}
    for seed in range(SEEDS):
        votes = draw_votes([juror] * 3, DEBATES, 2, np.random.default_rng(seed))
        first, second = (~votes[..., n].T for n in (0, 1))
        both = side_share(np.concatenate([first, second], axis=1))
        repeats = repeat_agreement(first, second)
        covered["bias"].append(both.low <= truths["bias"] <= both.high)
        covered["repeats"].append(repeats.low <= truths["repeats"] <= repeats.high)
    for name, hits in covered.items():
        assert 0.9 <= fmean(hits) <= 0.99, name
