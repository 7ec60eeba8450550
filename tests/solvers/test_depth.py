"""Calls of every protocol, and how many of them come one after the other."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.solver import Solver

from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.challenge import challenge
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.confidence import confidence
from inspect_debate.solvers.cross_examination import cross_examination
from inspect_debate.solvers.generative_debate import generative_debate
from inspect_debate.solvers.judge_debate import judge_debate
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from inspect_debate.solvers.srdcr import srdcr
from inspect_debate.solvers.without_debate import passage_or_memory, rci, self_ask
from tests.support.barrier import Barrier, barrier_model
from tests.support.bets import motion
from tests.support.clash import question
from tests.support.generative import solvable
from tests.support.runs import item, records, run_solver

# 13 generations of 20 calls; a verdict goes out with the next round's first speech.
SIX_ROUNDS = [2, 2, *([2, 1] * 5), 1]
BELIEFS: dict[str, Any] = {"beliefs": "every_round"}
SHOWN: dict[str, Any] = {"beliefs_shown": True}
ONE_BY_ONE: dict[str, Any] = {"turn_order": "sequential"}


def depth(
    solver: Solver,
    sample: Sample,
    log_dir: Path,
    profiles: tuple[str, str] = ("balanced", "balanced"),
    judges: int = 0,
    **parameters: Any,
) -> list[int]:
    """How many calls each generation has, none of which waits for another."""
    barrier = Barrier()
    main, other = (barrier_model(barrier, p, **parameters) for p in profiles)
    roles: dict[str, Any] = {} if profiles[0] == profiles[1] else {"debater_b": other}
    if judges:
        panel = [barrier_model(barrier, "balanced") for _ in range(judges)]
        roles["judge"] = panel
    log = run_solver(solver, sample, log_dir, main, roles, max_connections=100)
    (record,) = records(log)
    assert record.complete
    assert len(record.turns) == sum(barrier.generations)
    return barrier.generations


DIFFER = ("always_error", "always_no_error")


@pytest.mark.parametrize(
    ("solver", "differ", "generations"),
    [
        (single(), True, [1]),
        (judge_alone(), True, [1]),
        (judge_alone(order="both"), True, [2]),
        (colmad(), True, [2, 2, 2, 1]),
        (colmad(rounds=0), True, [2, 1]),
        (colmad(), False, [2]),
        (colmad(skip_if_agree=False), False, [2, 2, 2, 1]),
        (colmad(order="both"), True, [2, 2, 2, 2]),
        (colmad(rounds=3), True, [2, 2, 2, 2, 1]),
        # Beliefs go out with the next round, and the last with the verdict.
        (colmad(config=BELIEFS), True, [3, 3, 3, 2]),
        (colmad(config=BELIEFS), False, [3]),
        (colmad(turn_order="sequential", config=BELIEFS), True, [3, 2, 1, 2, 1, 2]),
        (copmad(config=BELIEFS), True, [3, 2, 3, 2]),
        (colmad(config=BELIEFS | SHOWN), True, [3, 1, 2, 1, 2, 1, 1]),
        (cross_examination(config=BELIEFS), True, [3, 3, 2, 3, 2, 3, 2]),
        (colmad(turn_order="sequential"), True, [2, 1, 1, 1, 1, 1]),
        (copmad(), True, [2, 2, 2, 1]),
        (copmad(), False, [2, 2, 2, 1]),
        (copmad(rounds=0, show_openings=True), True, [2, 1]),
        (copmad(skip_if_agree=True), False, [2]),
        (copmad(order="both"), True, [2, 2, 2, 2]),
        (copmad(turn_order="sequential"), True, [2, 1, 1, 1, 1, 1]),
        # The loser accepts, or challenges.
        (challenge(), True, [2, 2, 1, 1]),
        (challenge(rounds=1, sides="free"), True, [2, 2, 1, 1, 1]),
        (cross_examination(), True, [2, 2, 2, 2, 2, 2, 1]),
        (cross_examination(rounds=0), True, [2, 2, 1]),
        (cross_examination(rounds=1, sides="free"), False, [2, 2, 2, 2, 2, 1]),
        (cross_examination(rounds=1, order="both"), True, [2, 2, 2, 2, 2]),
        (som(), True, [2, 2]),
        (som(), False, [2, 2]),
        (som(rounds=3), True, [2, 2, 2, 2]),
        (ensemble(), True, [2]),
        (ensemble(), False, [2]),
        (self_consistency(), True, [7]),
        (self_consistency(n=20), True, [20]),
    ],
)
def test_error_detection(
    solver: Solver, differ: bool, generations: list[int], tmp_path: Path
) -> None:
    profiles = DIFFER if differ else ("always_error", "always_error")
    assert depth(solver, item(), tmp_path, profiles) == generations


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "jurors", "generations"),
    [
        (confidence(), 3, [2, 2, 2, 6]),
        (confidence(), 1, [2, 2, 2, 2]),
        (confidence(order="both"), 3, [2, 2, 2, 12]),
        (confidence(protocol="self"), 0, [2, 2, 2]),
        (confidence(protocol="public"), 0, [2, 2, 2]),
        (confidence(protocol="redteam_v2", rounds=1), 0, [2]),
        (confidence(protocol="four_round"), 0, [1] * 8),
        (confidence(protocol="self", bet_call="separate"), 0, [2] * 6),
        (confidence(protocol="four_round", bet_call="separate"), 0, [1, 1, 2] * 4),
        (confidence(protocol="self", jury_passes=1, rounds=2), 2, [2, 2, 2]),
    ],
)
def test_bets(
    solver: Solver, jurors: int, generations: list[int], tmp_path: Path
) -> None:
    assert depth(solver, motion(), tmp_path, judges=jurors) == generations


@pytest.mark.parametrize(
    ("solver", "generations"),
    [
        (passage_or_memory(), [2]),
        (passage_or_memory("calibrated_token_prob"), [2]),
        (passage_or_memory(confidence_from="both"), [18]),
        (passage_or_memory("token_prob", confidence_from="both"), [34]),
        (passage_or_memory(confidence_from="self_consistency"), [18]),
        (passage_or_memory(recall_samples=32), [34]),
        (srdcr(), SIX_ROUNDS),
        (srdcr("acvd_only"), SIX_ROUNDS),
        (srdcr(recall_samples=32), [34, *SIX_ROUNDS[1:]]),
        (srdcr(turn_order="simultaneous"), [2, 2, 3, 3, 3, 3, 3, 1]),
        (srdcr(rounds=1), [2, 2, 1]),
        (srdcr(rounds=0), [2, 1]),
        (self_ask(), [1]),
        (rci(), [1, 1, 1]),
        (judge_debate(), [2, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1]),
        (judge_debate(rounds=0), [2, 1]),
        (judge_debate(rounds=1, order="both"), [2, 1, 1, 2]),
        (naive_debate(rounds=0), [3]),
    ],
)
def test_conflicts(solver: Solver, generations: list[int], tmp_path: Path) -> None:
    assert depth(solver, question(), tmp_path) == generations


def test_further_answers_run_beside_the_debate(tmp_path: Path) -> None:
    """They take the place of log-probabilities, which this model does not send."""
    found = depth(srdcr(), question(), tmp_path, logprobs="none")
    assert found == [2, 18, *SIX_ROUNDS[2:]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "generations"),
    [
        (generative_debate("dual_debate"), [2, 2, 2, 1]),
        (generative_debate("single_debate"), [1, 2, 2, 1]),
        (generative_debate("dual_consultancy"), [2, 2, 2, 1]),
        (generative_debate("single_consultancy"), [1, 1, 1, 1]),
        (generative_debate("dual_no_transcript"), [2, 1]),
        (generative_debate("single_no_transcript"), [1, 1]),
        (generative_debate("direct_qa"), [1]),
        (generative_debate("single_critique"), [1, 1, 1]),
        (generative_debate("critic_alone"), [1, 1]),
        # Candidates all at once, and after them all of their rewards.
        (generative_debate("dual_debate", best_of=4), [2, 8, 8, 8, 8, 1]),
        (generative_debate("single_debate", best_of=4), [1, 8, 8, 8, 8, 1]),
        (generative_debate("dual_consultancy", best_of=4), [2, 8, 8, 8, 8, 1]),
        (generative_debate("single_consultancy", best_of=4), [1, 4, 4, 4, 4, 1]),
        (generative_debate("single_critique", best_of=4), [1, 4, 4, 1]),
        (generative_debate("dual_debate", best_of=1), [2, 2, 2, 1]),
        (generative_debate("dual_debate", rounds=0), [2, 1]),
        (generative_debate("single_debate", rounds=0), [1, 1]),
        (generative_debate("dual_debate", rounds=3), [2, 2, 2, 2, 1]),
        (generative_debate("dual_debate", **ONE_BY_ONE), [2, 1, 1, 1, 1, 1]),
        (generative_debate("single_debate", **ONE_BY_ONE), [1, 1, 1, 1, 1, 1]),
        (
            generative_debate("dual_debate", best_of=3, **ONE_BY_ONE),
            [2, 3, 3, 3, 3, 3, 3, 3, 3, 1],
        ),
        (generative_debate("dual_debate", judge_answer=True), [2, 2, 2, 2]),
        (generative_debate("single_no_transcript", judge_answer=True), [1, 2]),
        (generative_debate("dual_no_transcript", order="both"), [2, 2]),
        (
            generative_debate("dual_consultancy", order="both", judge_answer=True),
            [2, 2, 2, 3],
        ),
    ],
)
def test_generative(solver: Solver, generations: list[int], tmp_path: Path) -> None:
    assert depth(solver, solvable(), tmp_path) == generations


@pytest.mark.parametrize(
    ("solver", "sample", "judges", "generations"),
    [
        (colmad(rounds=1, order="both"), item(), 6, [2, 2, 12]),
        (generative_debate("dual_debate"), solvable(), 3, [2, 2, 2, 3]),
        (generative_debate("dual_debate", order="both"), solvable(), 3, [2, 2, 2, 6]),
        (
            generative_debate("dual_debate", order="both", judge_answer=True),
            solvable(),
            3,
            [2, 2, 2, 9],
        ),
        (generative_debate("direct_qa"), solvable(), 3, [3]),
    ],
)
def test_a_panel_judges_at_once(
    solver: Solver, sample: Sample, judges: int, generations: list[int], tmp_path: Path
) -> None:
    assert depth(solver, sample, tmp_path, DIFFER, judges) == generations
