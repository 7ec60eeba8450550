"""Calls of every protocol, and how many of them come one after the other."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.solver import Solver

from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.confidence import confidence
from inspect_debate.solvers.generative_debate import generative_debate as held_as
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
from tests.support.runs import dataset, item, records, run


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
def test_depth_is_the_protocols_own_bets(
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
def test_depth_is_the_protocols_own_conflict(
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
def test_a_panel_judges_at_once_generative(
    solver: Solver, last: int, tmp_path: Path
) -> None:
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
