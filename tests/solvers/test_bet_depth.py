"""Calls of a debate with bets, and how many of them come one after the other."""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.solver import Solver

from inspect_debate.solvers.confidence import confidence
from tests.support.barrier import Barrier, barrier_model
from tests.support.bets import motion
from tests.support.runs import dataset, run


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
def test_depth_is_the_protocols_own(
    solver: Solver, jurors: int, generations: list[int], tmp_path: Path
) -> None:
    barrier = Barrier()
    roles = {"judge": [barrier_model(barrier, "balanced") for _ in range(jurors)]}
    run(
        Task(dataset=dataset(motion()), solver=solver),
        tmp_path,
        model=barrier_model(barrier, "balanced"),
        roles=roles if jurors else None,
    )
    assert barrier.generations == generations
