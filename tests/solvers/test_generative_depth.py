"""Calls on a task, and how many come one after the other."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.solver import Solver

from inspect_debate.solvers.generative_debate import generative_debate as held_as
from tests.support.barrier import Barrier, barrier_model
from tests.support.generative import solvable
from tests.support.runs import dataset, records, run

ONE_BY_ONE: dict[str, Any] = {"turn_order": "sequential"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "generations"),
    [
        (held_as("dual_debate"), [2, 2, 2, 1]),
        (held_as("single_debate"), [1, 2, 2, 1]),
        (held_as("dual_consultancy"), [2, 2, 2, 1]),
        (held_as("single_consultancy"), [1, 1, 1, 1]),
        (held_as("dual_no_transcript"), [2, 1]),
        (held_as("single_no_transcript"), [1, 1]),
        (held_as("direct_qa"), [1]),
        # Candidates all at once, and after them all of their rewards.
        (held_as("dual_debate", best_of=4), [2, 8, 8, 8, 8, 1]),
        (held_as("single_debate", best_of=4), [1, 8, 8, 8, 8, 1]),
        (held_as("dual_consultancy", best_of=4), [2, 8, 8, 8, 8, 1]),
        (held_as("single_consultancy", best_of=4), [1, 4, 4, 4, 4, 1]),
        (held_as("dual_debate", best_of=1), [2, 2, 2, 1]),
        (held_as("dual_debate", rounds=0), [2, 1]),
        (held_as("single_debate", rounds=0), [1, 1]),
        (held_as("dual_debate", rounds=3), [2, 2, 2, 2, 1]),
        (held_as("dual_debate", **ONE_BY_ONE), [2, 1, 1, 1, 1, 1]),
        (held_as("single_debate", **ONE_BY_ONE), [1, 1, 1, 1, 1, 1]),
        (
            held_as("dual_debate", best_of=3, **ONE_BY_ONE),
            [2, 3, 3, 3, 3, 3, 3, 3, 3, 1],
        ),
        (held_as("dual_debate", judge_answer=True), [2, 2, 2, 2]),
        (held_as("single_no_transcript", judge_answer=True), [1, 2]),
        (held_as("dual_no_transcript", order="both"), [2, 2]),
        (held_as("dual_consultancy", order="both", judge_answer=True), [2, 2, 2, 3]),
    ],
)
def test_depth_is_the_format_s_own(
    solver: Solver, generations: list[int], tmp_path: Path
) -> None:
    barrier = Barrier()
    log = run(
        Task(dataset=dataset(solvable()), solver=solver),
        tmp_path,
        model=barrier_model(barrier, "balanced"),
        max_connections=100,
    )
    assert barrier.generations == generations
    [record] = records(log)
    assert record.complete
    assert len(record.turns) == sum(generations)


@pytest.mark.parametrize(
    ("solver", "last"),
    [
        (held_as("dual_debate"), 3),
        (held_as("dual_debate", order="both"), 6),
        (held_as("dual_debate", order="both", judge_answer=True), 9),
    ],
)
def test_a_panel_judges_at_once(solver: Solver, last: int, tmp_path: Path) -> None:
    barrier = Barrier()
    judges = [barrier_model(barrier, "balanced") for _ in range(3)]
    run(
        Task(dataset=dataset(solvable()), solver=solver),
        tmp_path,
        model=barrier_model(barrier, "balanced"),
        roles={"judge": judges},
        max_connections=100,
    )
    assert barrier.generations == [2, 2, 2, last]


def test_judges_answer_a_task_at_once(tmp_path: Path) -> None:
    barrier = Barrier()
    judges = [barrier_model(barrier, "balanced") for _ in range(3)]
    run(
        Task(dataset=dataset(solvable()), solver=held_as("direct_qa")),
        tmp_path,
        roles={"judge": judges},
    )
    assert barrier.generations == [3]


@pytest.mark.parametrize("protocol", ["dual_debate", "single_consultancy"])
def test_without_candidates_nobody_gives_rewards(protocol: Any, tmp_path: Path) -> None:
    log = run(
        Task(dataset=dataset(solvable()), solver=held_as(protocol, best_of=1)),
        tmp_path,
    )
    [record] = records(log)
    assert not record.of_kind("reward")
    assert not record.of_kind("candidate")
    assert "reward" not in {p.id for p in record.participants}
    assert not any("reward" in turn.fields for turn in record.turns)
    assert not any(turn.draw for turn in record.turns)
