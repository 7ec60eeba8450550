"""Further answers are requests of their own, with a cache and without."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.self_confidence import on_one_scale
from inspect_debate.solvers.without_debate import passage_or_memory
from tests.support.clash import question, with_tokens
from tests.support.models import Call, Reply, calls_of, scripted
from tests.support.runs import dataset, records, run

DRAWS = 16 + 32


def drawn(log_dir: Path, name: str, **settings: Any) -> tuple[DebateRecord, list[Call]]:
    """A run in which every call is answered by a year of its own."""
    years = count(1000)

    def next_year(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str:
        return f"Answer: {next(years)}"

    model = scripted(next_year, name)
    solver = passage_or_memory(confidence_from="both", recall_samples=32)
    task = Task(dataset=dataset(question()), solver=solver)
    [record] = records(run(task, log_dir, model=model, **settings))
    return record, calls_of(model)


def answers(record: DebateRecord) -> list[object]:
    return [turn.field("answer").value for turn in record.turns]


@pytest.mark.parametrize("cache", [False, True])
def test_each_draw_is_a_request_of_its_own(
    cache: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    record, calls = drawn(tmp_path, f"once{cache}", cache=cache)
    assert len(calls) == 2 + DRAWS
    assert len(set(answers(record))) == 2 + DRAWS
    kinds = [(t.kind, t.draw) for t in record.turns if t.draw]
    assert kinds == [("sample", n) for n in range(1, 17)] + [
        ("recall", n) for n in range(1, 33)
    ]


def test_a_rerun_from_the_cache_gives_the_same_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    first, _ = drawn(tmp_path, "twice", cache=True)
    second, calls = drawn(tmp_path, "twice", cache=True)
    assert not calls
    assert answers(second) == answers(first)


def test_one_seed_does_not_make_all_draws_the_same(tmp_path: Path) -> None:
    _, calls = drawn(tmp_path, "seeded", seed=7)
    seeds = [
        call.config.seed for call in calls if call.description and call.description.draw
    ]
    assert seeds == [*range(8, 24), *range(1_000_008, 1_000_040)]


def test_draws_are_warm_and_answers_cold(tmp_path: Path) -> None:
    _, calls = drawn(tmp_path, "warm")
    settings = {
        (call.description.kind, call.config.temperature, call.config.logprobs)
        for call in calls
        if call.description
    }
    assert settings == {
        ("answer", 0.0, True),
        ("sample", 0.5, None),
        ("recall", 0.5, None),
    }


@pytest.mark.slow
@pytest.mark.parametrize("fail_on_error", [True, False])
def test_without_log_probabilities_a_run_that_needs_them_ends_with_its_first_sample(
    fail_on_error: bool, tmp_path: Path
) -> None:
    model = scripted(lambda messages, description: "Answer: 1871", "bare")
    task = Task(
        dataset=dataset(*(question(id=f"years-{n}") for n in range(5))),
        solver=passage_or_memory(confidence_from="logprobs"),
    )
    log = run(task, tmp_path, model=model, success=False, fail_on_error=fail_on_error)
    assert len(calls_of(model)) == 2
    told = "scripted/bare sends no log-probabilities; give confidence_from"
    assert log.samples
    errors = [s.error.message for s in log.samples if s.error]
    assert errors
    assert all(told in message for message in errors)
    assert fail_on_error or len(errors) == 5


def test_one_answer_without_log_probabilities_does_not_end_a_run(
    tmp_path: Path,
) -> None:
    """Others had them; this one's confidence is not known, for a reason."""

    def some(messages: list[ChatMessage], description: TurnDescription | None) -> Reply:
        assert description is not None
        if description.sample == "years-3":
            return "Answer: 1871"
        return with_tokens("Answer: 1871")

    model = scripted(some, "some")
    task = Task(
        dataset=dataset(*(question(id=f"years-{n}") for n in range(5))),
        solver=passage_or_memory(confidence_from="logprobs"),
    )
    found = records(run(task, tmp_path, model=model))
    statuses = [
        [turn.tokens.status for turn in r.turns if turn.tokens is not None]
        for r in found
    ]
    assert statuses == [["ok"] * 2] * 3 + [["absent"] * 2] + [["ok"] * 2]


@pytest.mark.parametrize("bound", [True, False])
def test_a_temperature_for_answers_does_not_make_draws_alike(
    bound: bool, tmp_path: Path
) -> None:
    """Draws at temperature 0 would all say the same, and so look sure."""
    model = scripted(
        lambda messages, description: "Answer: 1871",
        "cold",
        config=GenerateConfig(temperature=0.0) if bound else None,
    )
    solver = passage_or_memory(confidence_from="both", recall_samples=2)
    settings: dict[str, Any] = {} if bound else {"temperature": 0.0}
    run(
        Task(dataset=dataset(question()), solver=solver),
        tmp_path,
        model=model,
        **settings,
    )
    found = {
        (c.description.kind, c.config.temperature)
        for c in calls_of(model)
        if c.description
    }
    assert found == {("answer", 0.0), ("sample", 0.5), ("recall", 0.5)}


def test_the_configuration_changes_how_draws_are_made(tmp_path: Path) -> None:
    model = scripted(lambda messages, description: "Answer: 1871", "warmer")
    solver = passage_or_memory(
        confidence_from="both",
        recall_samples=2,
        config={"sample.temperature": 0.8, "recall.temperature": "provider"},
    )
    run(Task(dataset=dataset(question()), solver=solver), tmp_path, model=model)
    found = {
        (c.description.kind, c.config.temperature)
        for c in calls_of(model)
        if c.description
    }
    assert found == {("answer", 0.0), ("sample", 0.8), ("recall", None)}


@pytest.mark.parametrize(("missing", "calls"), [("debater_a", 34), ("debater_b", 34)])
def test_probabilities_are_compared_on_one_scale(
    missing: str, calls: int, tmp_path: Path
) -> None:
    """Where one answer has no tokens both are asked again, and the shares compared."""

    def some(messages: list[ChatMessage], description: TurnDescription | None) -> Reply:
        assert description is not None
        if description.participant == missing:
            return "Answer: 1871"
        return with_tokens("Answer: 1902")

    model = scripted(some, f"without-{missing}")
    task = Task(dataset=dataset(question()), solver=passage_or_memory("token_prob"))
    [record] = records(run(task, tmp_path, model=model))
    assert len(calls_of(model)) == calls
    assert on_one_scale(record, "debater_a", "debater_b") == (
        "self_consistency",
        [1.0, 1.0],
    )


def test_an_unreadable_first_answer_does_not_tell_whether_tokens_come(
    tmp_path: Path,
) -> None:
    def first_unread(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> Reply:
        assert description is not None
        if description.sample == "years-0":
            return ModelOutput.from_content("x", "", stop_reason="content_filter")
        return "Answer: 1871"

    model = scripted(first_unread, "shy")
    task = Task(
        dataset=dataset(*(question(id=f"years-{n}") for n in range(4))),
        solver=passage_or_memory(confidence_from="logprobs"),
    )
    log = run(task, tmp_path, model=model, success=False)
    assert len(calls_of(model)) == 4
    assert log.error is not None
    assert "sends no log-probabilities" in log.error.message


def test_each_model_of_a_task_is_looked_at(tmp_path: Path) -> None:
    task = Task(
        dataset=dataset(question()),
        solver=passage_or_memory(confidence_from="logprobs"),
    )
    bare = scripted(lambda messages, description: "Answer: 1871", "bare-first")
    full = scripted(
        lambda messages, description: with_tokens("Answer: 1871"), "full-second"
    )
    assert run(task, tmp_path, model=bare, success=False).status == "error"
    assert run(task, tmp_path, model=full).status == "success"
    assert run(task, tmp_path, model=bare, success=False).status == "error"


def test_agents_have_seeds_of_their_own(tmp_path: Path) -> None:
    years = {1: "1901", 2: "1902", 3: "1903"}

    def differing(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> Reply:
        assert description is not None
        return f"Answer: {years[int(description.participant[-1])]}"

    model = scripted(differing, "agents")
    task = Task(dataset=dataset(question()), solver=naive_debate(rounds=1))
    run(task, tmp_path, model=model, seed=7)
    assert [call.config.seed for call in calls_of(model)] == [8, 9, 10] * 2
    assert {call.config.temperature for call in calls_of(model)} == {0.0}


def test_agents_differ_by_seed_alone_where_a_temperature_is_set(tmp_path: Path) -> None:
    model = scripted(lambda messages, description: "Answer: 1901", "warm")
    settings = {"answer.temperature": 0.7}
    task = Task(dataset=dataset(question()), solver=naive_debate(config=settings))
    run(task, tmp_path, model=model)
    assert {call.config.temperature for call in calls_of(model)} == {0.7}
