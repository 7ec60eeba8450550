"""Calls per sample, and how many of them come one after the other."""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.solver import Solver

from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.support.barrier import Barrier, barrier_model
from tests.support.runs import dataset, item, run


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
        (colmad(turn_order="sequential"), True, [2, 1, 1, 1, 1, 1]),
        (copmad(), True, [2, 2, 2, 1]),
        (copmad(), False, [2, 2, 2, 1]),
        (copmad(rounds=0, show_openings=True), True, [2, 1]),
        (copmad(skip_if_agree=True), False, [2]),
        (copmad(order="both"), True, [2, 2, 2, 2]),
        (copmad(turn_order="sequential"), True, [2, 1, 1, 1, 1, 1]),
        (som(), True, [2, 2]),
        (som(), False, [2, 2]),
        (som(rounds=3), True, [2, 2, 2, 2]),
        (ensemble(), True, [2]),
        (ensemble(), False, [2]),
        (self_consistency(), True, [7]),
        (self_consistency(n=20), True, [20]),
    ],
)
def test_depth_is_the_protocols_own(
    solver: Solver, differ: bool, generations: list[int], tmp_path: Path
) -> None:
    barrier = Barrier()
    other = "always_no_error" if differ else "always_error"
    run(
        Task(dataset=dataset(item()), solver=solver),
        tmp_path,
        model=barrier_model(barrier, "always_error"),
        roles={"debater_b": barrier_model(barrier, other)},
    )
    assert barrier.generations == generations


def test_a_panel_judges_at_once(tmp_path: Path) -> None:
    barrier = Barrier()
    run(
        Task(dataset=dataset(item()), solver=colmad(rounds=1, order="both")),
        tmp_path,
        model=barrier_model(barrier, "always_error"),
        roles={
            "debater_b": barrier_model(barrier, "always_no_error"),
            "judge": [barrier_model(barrier, "balanced") for _ in range(6)],
        },
    )
    assert barrier.generations == [2, 2, 12]
