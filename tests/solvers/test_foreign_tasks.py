"""Protocols on tasks of others, graded by those tasks' own scorers."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Epochs, Task, score
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, StopReason
from inspect_ai.scorer import accuracy, answer, choice, grouped
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.generative_debate import generative_debate
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.support.generative import solvable
from tests.support.models import Messages, calls_of, scripted
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
from tests.support.runs import dataset, error_of, record, records, run, samples, values


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
    done = record(sample)
    assert " ".join(turn.kind for turn in done.turns) == turns
    assert (done.choices, done.prompts.name) == (
        ("A", "B", "C", "D"),
        "choices",
    )
    assert re.fullmatch("ANSWER: [ABCD]", sample.output.completion)


def refuses(messages: Messages, description: TurnDescription) -> str:
    return "I'm sorry, but I can't help with that."


def wavers(messages: Messages, description: TurnDescription) -> str:
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


MANY = [f"Rome {n:02}" for n in range(40)]


@pytest.mark.parametrize("roles", [True, False])
def test_a_tasks_own_token_limit(roles: bool, tmp_path: Path) -> None:
    task = towns("Italy", config=GenerateConfig(max_tokens=64))
    model = scripted(lambda messages, description: "ANSWER: B")
    bound = {"debater_a": model, "debater_b": model} if roles else None
    main = "none" if roles else model
    log = run(task, tmp_path, main, bound, solver=colmad(), success=False)
    assert error_of(log) == (
        "The task limits replies to 64 tokens (its max_tokens), and debates take "
        "several hundred, so that every reply would be cut off: type --max-tokens 4096."
    )
    assert not calls_of(model)


@pytest.mark.parametrize(
    ("limit", "config"), [(64, {"answer": {"max_tokens": 64}}), (512, {}), (None, {})]
)
def test_a_limit_that_was_set_for_the_debate_is_kept(
    limit: int | None, config: dict[str, Any], tmp_path: Path
) -> None:
    task = towns("Italy", config=GenerateConfig(max_tokens=limit))
    run(task, tmp_path, "none", cast(answers(Italy="B")), solver=single(config=config))


def cut_off(messages: Messages, description: TurnDescription) -> ModelOutput:
    return reply("I think that", "max_tokens")


def reply(text: str, stop: StopReason) -> ModelOutput:
    return ModelOutput.from_content("x", text, stop_reason=stop)


def test_a_run_of_which_nothing_can_be_read_ends_early(tmp_path: Path) -> None:
    model = scripted(cut_off)
    log = run(
        *(towns(*MANY), tmp_path, model), solver=single(), max_samples=2, success=False
    )
    assert re.fullmatch(
        r"max_unparsed=0\.5 is passed: (\d+) of \1 fields that were asked for could "
        r"not be read \(\1 truncated\)\. Read the replies in the log; type "
        r"--max-tokens 4096, or give -S config\.max_unparsed=1 to go on regardless\.",
        error_of(log),
    )
    assert len(calls_of(model)) <= 22


def test_a_run_whose_samples_all_start_together_ends_too(tmp_path: Path) -> None:
    log = run(
        *(towns(*MANY), tmp_path, scripted(cut_off)),
        solver=single(),
        max_samples=40,
        success=False,
    )
    assert error_of(log).startswith("max_unparsed=0.5 is passed")
    done = [s for s in samples(log) if s.error and "max_unparsed" in s.error.message]
    assert done
    for sample in done:
        assert record(sample).complete, "what was paid for is in the log"
        assert sample.output.completion == "(truncated)"


TOLD = (
    "{0} of {0} fields that were asked for could not be read ({0} truncated), a larger "
    "share than 0.5: scores may count them as wrong answers. Type --max-tokens 4096. "
    "Read the replies in the log."
)


@pytest.mark.parametrize("n", [1, 6, 15])
def test_small_runs(n: int, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run(towns(*MANY[:n]), tmp_path, scripted(cut_off), solver=single())
    assert [r.getMessage() for r in caplog.records].count(TOLD.format(n)) == 1


@pytest.mark.parametrize(
    ("share", "cap", "warned"),
    [(0.5, 0.5, False), (0.7, 0.5, True), (0.3, 0.2, True), (1, 1, False)],
)
def test_the_warning_is_of_the_share_that_was_set(
    share: float,
    cap: float,
    warned: bool,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    solver = single(config={"max_reasks": 0, "max_unparsed": cap})
    run(towns(*MANY[:10]), tmp_path, some(share), solver=solver)
    assert (f"a larger share than {cap:g}" in caplog.text) == warned


def test_unread_generative(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    task = Task(dataset=dataset(solvable()), scorer=verdicts())
    run(task, tmp_path, scripted(cut_off), solver=generative_debate("direct_qa"))
    assert TOLD.format(1) in caplog.text


def some(share: float) -> Any:
    """A model of whose replies a share says nothing."""
    asked: list[None] = []

    def script(messages: Messages, description: TurnDescription) -> str:
        asked.append(None)
        n = len(asked)
        return "Hm." if int(n * share) > int((n - 1) * share) else "ANSWER: B"

    return scripted(script)


@pytest.mark.slow
@pytest.mark.parametrize(("cap", "stopped"), [(0.1, True), (None, False), (1, False)])
def test_the_cap_can_be_set(cap: float | None, stopped: bool, tmp_path: Path) -> None:
    share = 0.4 if stopped else 1.0
    given: dict[str, Any] = {"config.max_unparsed": cap}
    solver = single(config={"max_reasks": 0}, **given)
    log = run(
        *(towns(*MANY), tmp_path, some(share)),
        solver=solver,
        max_samples=2,
        success=not stopped,
    )
    assert (log.error is not None) == stopped
    if log.error is not None:
        assert error_of(log).startswith("max_unparsed=0.1 is passed")


def test_what_was_paid_for_outlives_a_retry(tmp_path: Path) -> None:
    log = run(
        *(towns(*MANY), tmp_path, scripted(cut_off)),
        solver=single(),
        max_samples=40,
        retry_on_error=1,
        fail_on_error=False,
        success=False,
    )
    assert len(records(log)) == 40
    assert all(r.complete for r in records(log))
