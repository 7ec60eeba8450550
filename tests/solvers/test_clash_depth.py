"""Calls on a question about a passage, and how many come one after the other."""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.solver import Solver

from inspect_debate.solvers.judge_debate import judge_debate
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.srdcr import srdcr
from inspect_debate.solvers.without_debate import passage_or_memory, rci, self_ask
from tests.support.barrier import Barrier, barrier_model
from tests.support.clash import question
from tests.support.runs import dataset, run

# 13 generations of 20 calls; a verdict goes out with the next round's first speech.
SIX_ROUNDS = [2, 2, *([2, 1] * 5), 1]


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
def test_depth_is_the_protocols_own(
    solver: Solver, generations: list[int], tmp_path: Path
) -> None:
    barrier = Barrier()
    run(
        Task(dataset=dataset(question()), solver=solver),
        tmp_path,
        model=barrier_model(barrier, "balanced"),
        max_connections=100,  # by themselves connections begin at 20
    )
    assert barrier.generations == generations


def test_further_answers_instead_of_log_probabilities_run_beside_the_debate(
    tmp_path: Path,
) -> None:
    barrier = Barrier()
    model = barrier_model(barrier, "balanced", logprobs="none")
    run(Task(dataset=dataset(question()), solver=srdcr()), tmp_path, model=model)
    assert barrier.generations == [2, 18, *SIX_ROUNDS[2:]]
