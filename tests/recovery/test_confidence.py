"""Bets that are planted to be too high, and to rise, come back out of whole runs."""

from pathlib import Path

import numpy as np
import pytest
from inspect_ai.dataset import Sample
from numpy.typing import NDArray
from scipy.stats import binomtest, ttest_1samp

from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.jury import jury
from inspect_debate.solvers.bets import SIDES
from inspect_debate.solvers.confidence import confidence
from tests.support import Run, run

pytestmark = pytest.mark.slow

N = 24
SOUND = dict.fromkeys(("unreadable", "refuses", "cut_off", "first_listed"), 0)
PLANTED = {"bet": 0.7, "escalates": 0.08, "jury_agrees": 1}
NOTHING = {"bet": 0.5, "escalates": 0, "jury_agrees": 0.5}
STAGES = ("opening", "rebuttal", "closing")
Array = NDArray[np.float64]


def held(where: Path, planted: dict[str, float]) -> Run:
    samples = [Sample(id=k, input="Towns should be free of cars.") for k in range(N)]
    return run(
        where,
        confidence(),
        samples=samples,
        scorer=[bets(), jury()],
        roles={},
        model="simulated/balanced",
        model_args=SOUND | planted,
    )


def column(ran: Run, name: str, scorer: str = "bets") -> Array:
    return np.array([ran.values(scorer, k)[name] for k in range(N)], dtype=float)


def stage(ran: Run, name: str) -> Array:
    """The mean bet of each debate, as its two depend on each other."""
    sides = np.array([column(ran, f"{name}_{side}") for side in SIDES])
    return np.asarray(sides.mean(axis=0))


def is_mean(values: Array, planted: float) -> bool:
    return bool(ttest_1samp(values, planted).pvalue > 0.001)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    where = tmp_path_factory.mktemp("runs")
    return held(where / "planted", PLANTED), held(where / "nothing", NOTHING)


def test_overconfidence_and_escalation(runs: tuple[Run, Run]) -> None:
    for ran, opening, rise in zip(runs, (70, 50), (8, 0), strict=True):
        found = [stage(ran, name) for name in STAGES]
        for n, values in enumerate(found):
            assert is_mean(values, opening + n * rise)
        assert is_mean(found[0], 50) == (opening == 50)
        assert is_mean(found[2] - found[0], 0) == (rise == 0)
        metrics = ran.metrics()
        assert metrics["opening"] == pytest.approx(found[0].mean())
        assert metrics["escalation"] == pytest.approx((found[2] - found[0]).mean())
        assert (metrics["both_over_50"] > 0.9) == (opening == 70)


def test_bets_tell_nothing_of_the_outcome(runs: tuple[Run, Run]) -> None:
    """None is planted, so the winner's bets are no higher than the loser's."""
    won = column(runs[0], "winner")
    gap = np.subtract(*(column(runs[0], f"closing_{side}") for side in SIDES))
    assert is_mean(gap * (2 * won - 1), 0)


def test_the_jury(runs: tuple[Run, Run]) -> None:
    """Two passes agree as often as is planted, and prefer neither side nor place."""
    planted, nothing = runs
    assert column(planted, "repeats_agree", "jury").all()
    agree = int(column(nothing, "repeats_agree", "jury").sum())
    assert binomtest(agree, N, 0.5).pvalue > 0.001
    first = int((2 * column(nothing, "first_shown", "jury")).sum())
    assert binomtest(first, 2 * N, 0.5).pvalue > 0.001
    won = int(column(planted, "winner").sum())
    assert binomtest(won, N, 0.5).pvalue > 0.001
