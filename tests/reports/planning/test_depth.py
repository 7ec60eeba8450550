"""The depth read from a record is that which a barrier measures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.solver import Solver

from inspect_debate.reports.prediction import depth
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.confidence import confidence
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
from tests.support.runs import dataset, item, records, run

ONE_BY_ONE: dict[str, Any] = {"turn_order": "sequential"}
EVERY: dict[str, Any] = {"skip_if_agree": False}
NO_LOGPROBS = {"logprobs": "none"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sample", "solver", "expected"),
    [
        (item, single(), 1),
        (item, judge_alone(order="both"), 1),
        (item, self_consistency(), 1),
        (item, ensemble(), 1),
        (item, som(), 2),
        (item, som(rounds=3), 4),
        (item, colmad(), 1),
        (item, colmad(**EVERY), 4),
        (item, colmad(**EVERY, order="both", rounds=0), 2),
        (item, colmad(**EVERY, **ONE_BY_ONE), 6),
        (motion, confidence("self"), 3),
        (motion, confidence("cross_model"), 4),
        (motion, confidence("four_round", bet_call="separate"), 12),
        (motion, confidence("self", bet_call="separate"), 6),
        (question, srdcr(), 13),
        (question, srdcr(turn_order="simultaneous"), 8),
        (question, srdcr(rounds=0, recall_samples=4), 2),
        (question, passage_or_memory(), 1),
        (question, passage_or_memory(confidence_from="both"), 1),
        (question, self_ask(), 1),
        (question, rci(), 3),
        (question, judge_debate(), 12),
        (question, naive_debate(rounds=0), 1),
        (solvable, generative_debate("dual_debate"), 4),
        (solvable, generative_debate("dual_debate", best_of=2), 6),
        (solvable, generative_debate("single_debate", **ONE_BY_ONE), 6),
        (solvable, generative_debate("dual_debate", best_of=2, **ONE_BY_ONE), 10),
        (solvable, generative_debate("single_consultancy"), 4),
        (solvable, generative_debate("single_no_transcript", judge_answer=True), 2),
        (solvable, generative_debate("direct_qa"), 1),
    ],
)
def test_the_depth_of_every_protocol(
    sample: Callable[[], Sample], solver: Solver, expected: int, tmp_path: Path
) -> None:
    assert depth_of_run(sample(), solver, tmp_path) == expected


def test_further_answers_wait_for_the_first_where_log_probabilities_lack(
    tmp_path: Path,
) -> None:
    assert depth_of_run(question(), passage_or_memory(), tmp_path, **NO_LOGPROBS) == 2


def depth_of_run(
    sample: Sample, solver: Solver, folder: Path, **parameters: Any
) -> int:
    """The depth from the record, which has to be that of the barrier."""
    barrier = Barrier()
    judge = barrier_model(barrier, "balanced")
    log = run(
        Task(dataset=dataset(sample), solver=solver),
        folder,
        model=barrier_model(barrier, "always_error", **parameters),
        roles={"judge": judge} if sample.id == motion().id else None,
        max_connections=100,
    )
    [record] = records(log)
    found = depth(record.turns, record.parameters)
    assert found == len(barrier.generations)
    return found


def test_turns_of_another_run_cost_no_time_unless_they_are_to_count(
    tmp_path: Path,
) -> None:
    task = Task(dataset=dataset(item()), solver=colmad(**EVERY))
    [record] = records(run(task, tmp_path))
    turns = [
        turn.model_copy(update={"reused": turn.kind == "answer"})
        for turn in record.turns
    ]
    assert depth(turns, record.parameters) == 3
    assert depth(turns, record.parameters, reused=True) == 4
    assert depth([], {}) == 0
