"""Our protocols on tasks that are not ours, graded by those tasks' own scorers."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Epochs, Task, score
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig
from inspect_ai.scorer import accuracy, answer, choice, grouped
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.support.models import scripted
from tests.support.options import (
    Answers,
    answers,
    calls,
    cast,
    grades,
    question,
    result,
    towns,
)
from tests.support.runs import record, records, run, samples, values


def played(
    task: Task, by: Solver, log_dir: Path, known: Answers, **settings: Any
) -> EvalLog:
    """As `inspect eval TASK --solver ...` does: the task keeps all but its solver."""
    return run(task, log_dir, "none", cast(known), solver=by, **settings)


PROTOCOLS = [
    # The answers of A, B and the judge (B is right), the grade, and the turns.
    (colmad(rounds=1), "BAB", "C", "answer answer speech speech verdict"),
    (colmad(rounds=1), "AA", "I", "answer answer"),
    (copmad(rounds=1), "BAA", "I", "answer answer speech speech verdict"),
    (som(), "BB", "C", "answer answer update update"),
    (som(), "AC", "I", "answer answer update update"),
    (ensemble(), "BB", "C", "answer answer"),
    (ensemble(), "DC", "I", "answer answer"),
    (self_consistency(n=3), "B", "C", "answer answer answer"),
    (single(), "D", "I", "answer"),
    (judge_alone(), "AAB", "C", "verdict"),
    (judge_alone(order="both"), "BBD", "I", "verdict verdict"),
]


@pytest.mark.parametrize(("by", "letters", "grade", "turns"), PROTOCOLS)
def test_every_protocol_ends_where_scorers_look(
    by: Solver, letters: str, grade: str, turns: str, tmp_path: Path
) -> None:
    task = towns("Italy", scorer=[choice(), answer("letter")])
    log = played(task, by, tmp_path, answers(Italy=letters))
    assert grades(log) == grades(log, "answer") == {"Italy": grade}
    (sample,) = samples(log)
    held = record(sample)
    assert " ".join(turn.kind for turn in held.turns) == turns
    assert (held.choices, held.prompts.name) == (("A", "B", "C", "D"), "choices")
    assert re.fullmatch("ANSWER: [ABCD]", sample.output.completion)


def test_a_coin_gives_one_of_two_answers(tmp_path: Path) -> None:
    names = [f"Italy {n:02}" for n in range(24)]
    known = answers(**dict.fromkeys(names, "BD"))
    log = played(towns(*names), ensemble(), tmp_path, known)
    counts = Counter(grades(log).values())
    assert set(counts) == {"C", "I"}
    assert counts["C"] == sum(r.drawn == "B" for r in records(log))
    assert {r.drawn for r in records(log)} == {"B", "D"}


def refuses(messages: list[ChatMessage], description: TurnDescription | None) -> str:
    return "I'm sorry, but I can't help with that."


def wavers(messages: list[ChatMessage], description: TurnDescription | None) -> str:
    assert description is not None
    return f"ANSWER: {'B' if description.draw == '1' else 'C'}"


@pytest.mark.parametrize(("script", "status"), [(refuses, "refused"), (wavers, "tied")])
def test_no_outcome_is_incorrect_for_the_task_and_nothing_for_us(
    script: Callable[[list[ChatMessage], TurnDescription | None], str],
    status: str,
    tmp_path: Path,
) -> None:
    task = towns("Italy", scorer=[choice(), answer("letter"), debate_process()])
    log = run(task, tmp_path, scripted(script), solver=self_consistency(n=2))
    assert samples(log)[0].output.completion == f"({status})"
    assert grades(log) == grades(log, "answer") == {"Italy": "I"}
    correct = values(samples(log)[0], "debate_process")["correct"]
    assert correct == pytest.approx(float("nan"), nan_ok=True)


def test_a_stopped_debate_is_no_answer_for_the_task(tmp_path: Path) -> None:
    known = answers(Italy="BAB")
    log = played(towns("Italy"), colmad(), tmp_path, known, token_limit=50)
    assert grades(log) == {"Italy": "N"}
    assert records(log)[0].ended_by == "the token limit of 50"


def test_the_tasks_settings_reach_the_debate(tmp_path: Path) -> None:
    roles = cast(answers(Italy="B"))
    task = towns("Italy", config=GenerateConfig(top_p=0.5, temperature=0.3))
    run(task, tmp_path, "none", roles, solver=single(), temperature=0.2)
    (call,) = calls(roles, "debater_a")
    assert (call.config.top_p, call.config.temperature) == (0.5, 0.2)


def test_grouped_metrics_and_mirrored_epochs(tmp_path: Path) -> None:
    items = [question(name, metadata={"land": name[0]}) for name in ("Xa", "Xb", "Ya")]
    task = towns(*items, metrics=[grouped(accuracy(), "land")], epochs=Epochs(2))
    known = answers(Xa="BAB", Xb="BAA", Ya="BB")
    log = played(task, colmad(rounds=0), tmp_path, known)
    assert (result(log, "X"), result(log, "Y")) == (0.5, 1.0)
    orders = {
        sample.epoch: record(sample).of_kind("verdict")[0].order
        for sample in samples(log)
        if sample.id == "Xa"
    }
    assert orders == {1: "ab", 2: "ba"}


def test_what_happened_is_scored_afterwards_and_judged_again(tmp_path: Path) -> None:
    names = ("Mars", "Venus", "Pluto")
    known = answers(Mars="ABB", Venus="BAA", Pluto="BBB")
    log = played(towns(*names), colmad(rounds=1), tmp_path, known)
    again = score(log, debate_process(), action="append", display="none")
    found = {str(s.id): values(s, "debate_process") for s in samples(again)}
    assert grades(again) == {"Mars": "C", "Venus": "I", "Pluto": "C"}
    correct = {id: value["correct"] for id, value in found.items()}
    assert correct == {"Mars": 1, "Venus": 0, "Pluto": 1}
    assert (found["Mars"]["wrong_to_right"], found["Venus"]["right_to_wrong"]) == (1, 1)
    assert (found["Mars"]["speeches"], found["Pluto"]["speeches"]) == (2, 0)

    roles = cast(answers(Mars="BAA", Venus="ABB"))
    by = colmad(rounds=1, reuse=log.location)
    log = run(towns(*names), tmp_path, "none", roles, solver=by)
    assert grades(log) == {"Mars": "I", "Venus": "C", "Pluto": "C"}
    assert not calls(roles, "debater_a")
    assert len(calls(roles, "judge")) == 2
