"""Draws and candidates are requests of their own; settings that models refuse."""

from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest
from inspect_ai import Task
from inspect_ai.model import GenerateConfig, Model, ModelOutput

from inspect_debate.debate import settings
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import AnswerTokens, DebateRecord
from inspect_debate.scorers.self_confidence import self_confidence
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.generative_debate import generative_debate
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.self_confidence import on_one_scale
from inspect_debate.solvers.without_debate import passage_or_memory
from tests.support.clash import marked, question, with_tokens
from tests.support.generative import (
    PROTOCOLS,
    by_kind,
    description_of,
    fenced,
    ruled,
    solvable,
)
from tests.support.models import Call, Messages, Reply, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import (
    dataset,
    error_of,
    item,
    record,
    records,
    run,
    run_solver,
    samples,
    values,
)

DRAWS = 16 + 32


def drawn(log_dir: Path, name: str, **settings: Any) -> tuple[DebateRecord, list[Call]]:
    """A run in which every call is answered by a year of its own."""
    years = count(1000)

    def next_year(messages: Messages, description: TurnDescription) -> str:
        return f"Answer: {next(years)}"

    model = scripted(next_year, name)
    solver = passage_or_memory(confidence_from="both", recall_samples=32)
    [record] = records(run_solver(solver, question(), log_dir, model, **settings))
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


def test_one_seed_does_not_make_all_draws_the_same(tmp_path: Path) -> None:
    _, calls = drawn(tmp_path, "seeded", seed=7)
    seeds = [call.config.seed for call in calls if call.turn.draw]
    assert seeds == [*range(8, 24), *range(1_000_008, 1_000_040)]


@pytest.mark.parametrize("bound", [True, False])
def test_temperature_of_draws(bound: bool, tmp_path: Path) -> None:
    """Draws at temperature 0 would all say the same, and so look sure."""
    model = scripted(
        lambda messages, description: "Answer: 1871",
        "cold",
        config=GenerateConfig(temperature=0.0) if bound else None,
    )
    solver = passage_or_memory(confidence_from="both", recall_samples=2)
    settings: dict[str, Any] = {} if bound else {"temperature": 0.0}
    run_solver(solver, question(), tmp_path, model, **settings)
    found = {(c.turn.kind, c.config.temperature) for c in calls_of(model)}
    assert found == {("answer", 0.0), ("sample", 0.5), ("recall", 0.5)}


@pytest.mark.parametrize(("missing", "calls"), [("debater_a", 34), ("debater_b", 34)])
def test_one_scale(missing: str, calls: int, tmp_path: Path) -> None:
    """Where one answer has no tokens both are asked again, and the shares compared."""

    def some(messages: Messages, description: TurnDescription) -> Reply:
        if description.participant == missing:
            return "Answer: 1871"
        return with_tokens("Answer: 1902")

    model = scripted(some, f"without-{missing}")
    [record] = records(
        run_solver(passage_or_memory("token_prob"), question(), tmp_path, model)
    )
    assert len(calls_of(model)) == calls
    assert on_one_scale(record, "debater_a", "debater_b") == (
        "self_consistency",
        [1.0, 1.0],
    )


def test_an_unreadable_first_answer(tmp_path: Path) -> None:
    def first_unread(messages: Messages, description: TurnDescription) -> Reply:
        if description.sample == "years-0":
            return ModelOutput.from_content("x", "", stop_reason="content_filter")
        return "Answer: 1871"

    model = scripted(first_unread, "shy")
    log = run_solver(
        passage_or_memory(confidence_from="logprobs"),
        [question(id=f"years-{n}") for n in range(4)],
        tmp_path,
        model,
        success=False,
    )
    assert len(calls_of(model)) == 4
    assert "sends no log-probabilities" in error_of(log)


def test_each_model_of_a_task_is_looked_at(tmp_path: Path) -> None:
    task = Task(
        dataset=dataset(question()),
        solver=passage_or_memory(confidence_from="logprobs"),
    )
    bare = scripted(lambda messages, description: "Answer: 1871", "bare-first")
    full = scripted(
        lambda messages, description: with_tokens("Answer: 1871"), "full-second"
    )
    assert run(task, tmp_path, bare, success=False).status == "error"
    assert run(task, tmp_path, full).status == "success"
    assert run(task, tmp_path, bare, success=False).status == "error"


def test_agents_have_seeds_of_their_own(tmp_path: Path) -> None:
    years = {1: "1901", 2: "1902", 3: "1903"}

    def differing(messages: Messages, description: TurnDescription) -> Reply:
        return f"Answer: {years[int(description.participant[-1])]}"

    model = scripted(differing, "agents")
    run_solver(naive_debate(rounds=1), question(), tmp_path, model, seed=7)
    assert [call.config.seed for call in calls_of(model)] == [8, 9, 10] * 2
    assert {call.config.temperature for call in calls_of(model)} == {0.0}


BEST_OF_4 = generative_debate("dual_debate", best_of=4)


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings of a run with a cache of its own."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    return {"cache": True}


def drawn_candidates(
    solver: Any, log_dir: Path, name: str = "x", **settings: Any
) -> tuple[list[DebateRecord], list[Call]]:
    """A run in which every completion is another one."""
    numbers = count(100)

    def say(messages: Messages, description: TurnDescription) -> str:
        number = str(next(numbers))
        match description.format:
            case "solution":
                return fenced(" ".join(number))
            case "rulings":
                return f"{number} {ruled(description.choices, 0.6)}"
        return f"Speech {number}.\nStance: AGREE"

    config = settings.pop("config", None)
    model = scripted(say, name, config)
    return records(
        run_solver(solver, solvable(), log_dir, model, **settings)
    ), calls_of(model)


def public_texts(found: list[DebateRecord]) -> list[str]:
    return [turn.public for record in found for turn in record.turns]


def test_candidates_from_cache(tmp_path: Path, cached: dict[str, Any]) -> None:
    first, asked = drawn_candidates(BEST_OF_4, tmp_path, epochs=2, **cached)
    again, calls = drawn_candidates(BEST_OF_4, tmp_path, epochs=2, **cached)
    assert len(asked) == 2 * 35
    assert not calls
    assert public_texts(again) == public_texts(first)
    assert len(set(public_texts(first))) == 2 * 35, "epochs differ"


def test_one_seed_does_not_make_all_draws_the_same_candidates(tmp_path: Path) -> None:
    _, calls = drawn_candidates(BEST_OF_4, tmp_path, seed=7)
    seeds: dict[tuple[str, int], list[int | None]] = {}
    for call in calls:
        place = (description_of(call).kind, description_of(call).round)
        seeds.setdefault(place, []).append(call.config.seed)
    own, other = [1007, 2007, 3007, 4007], [1008, 2008, 3008, 4008]
    assert seeds == {
        ("answer", 0): [7, 8],
        ("candidate", 1): own + other,
        ("candidate", 2): own + other,
        ("reward", 1): [7] * 8,
        ("reward", 2): [7] * 8,
        ("verdict", 0): [7],
    }


def test_one_seed_does_not_make_fresh_answers_the_same(tmp_path: Path) -> None:
    seeds: list[int | None] = []
    for protocol in PROTOCOLS:
        solver = generative_debate(protocol, answers="fresh")
        _, calls = drawn_candidates(solver, tmp_path, seed=7)
        seeds += [call.config.seed for call in by_kind(calls, "answer")]
    assert len(set(seeds)) == len(seeds) == 3 * 2 + 5 + 1


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, {"answer": 1, "candidate": 1, "reward": 0, "verdict": 0}),
        (
            {"temperature": 0.4},
            {"answer": 0.4, "candidate": 0.4, "reward": 0.4, "verdict": 0.4},
        ),
        (
            {"config": GenerateConfig(temperature=0.3)},
            {"answer": 0.3, "candidate": 0.3, "reward": 0.3, "verdict": 0.3},
        ),
    ],
)
def test_temperatures(
    settings: dict[str, Any], expected: dict[str, float], tmp_path: Path
) -> None:
    solver = generative_debate("dual_debate", rounds=1, best_of=2)
    _, calls = drawn_candidates(solver, tmp_path, **settings)
    logged = {(description_of(call).kind, call.config.temperature) for call in calls}
    assert logged == set(expected.items())


def test_candidates_have_the_settings_of_speeches(tmp_path: Path) -> None:
    config = {"speech.temperature": 0.7, "reward.max_tokens": 99, "answer.top_p": 0.9}
    solver = generative_debate("single_debate", rounds=1, best_of=2, config=config)
    [record], calls = drawn_candidates(solver, tmp_path)
    logged = {description_of(call).kind: call.config for call in calls}
    assert logged["candidate"].temperature == 0.7
    assert logged["reward"].max_tokens == 99
    assert (logged["answer"].top_p, logged["verdict"].max_tokens) == (0.9, 8192)
    settings = record.participant("debater_b").settings
    assert settings["speech"]["temperature"] == 0.7
    assert record.parameters["speech"]["temperature"] == 0.7


@pytest.mark.parametrize(
    ("what", "settings"),
    [
        ("both answers are asked for at temperature 0", {"answer.temperature": 0.0}),
        (
            "candidates for a speech are asked for at temperature 0",
            {"speech.temperature": 0.0},
        ),
    ],
)
def test_alike_draws(what: str, settings: dict[str, float], tmp_path: Path) -> None:
    for best_of, warned in ((2, True), (1, "answers" in what)):
        solver = generative_debate("dual_debate", best_of=best_of, config=settings)
        [record], _ = drawn_candidates(solver, tmp_path)
        assert any(what in warning for warning in record.warnings) == warned
    solver = generative_debate("single_consultancy", config=settings)
    [record], _ = drawn_candidates(solver, tmp_path)
    assert not any("temperature 0" in warning for warning in record.warnings)


def of_all_formats(
    log_dir: Path, answers: Literal["reuse", "fresh"] | None, settings: dict[str, Any]
) -> tuple[dict[str, list[str]], int]:
    """The proposers' answers in each format, and how often one was asked for."""
    found: dict[str, list[str]] = {}
    asked = 0
    numbers = count(100)

    def say(messages: Messages, description: TurnDescription) -> str:
        if description.format == "solution":
            return fenced(" ".join(str(next(numbers))))
        return f"{ruled(description.choices)}\nStance: AGREE"

    for protocol in PROTOCOLS:
        model = scripted(say, "all")
        solver = generative_debate(protocol, answers=answers)
        task = Task(dataset=dataset(solvable()), solver=solver)
        [record] = records(run(task, log_dir, model, **settings))
        found[protocol] = [t.public for t in record.of_kind("answer")]
        asked += len(by_kind(calls_of(model), "answer"))
    return found, asked


def test_cached_answers_of_all_formats(tmp_path: Path, cached: dict[str, Any]) -> None:
    found, asked = of_all_formats(tmp_path, None, cached)
    own = found.pop("direct_qa")
    first, second = found["dual_no_transcript"]
    for protocol, answers in found.items():
        dual = protocol.startswith("dual")
        assert answers == ([first, second] if dual else [first]), protocol
    assert own not in ([first], [second]), "the judge's answer is a draw of its own"
    assert asked == 3


@pytest.mark.slow
def test_fresh_answers_with_a_cache(tmp_path: Path, cached: dict[str, Any]) -> None:
    found, asked = of_all_formats(tmp_path, "fresh", cached)
    answers = [answer for each in found.values() for answer in each]
    assert len(set(answers)) == asked == 3 * 2 + 5 + 1
    again, asked = of_all_formats(tmp_path, "fresh", cached)
    assert (again, asked) == (found, 0)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_refused", {"temperature": set(), "logprobs": set()})


def refusing(config: GenerateConfig | None = None) -> Model:
    """Rejects a call with a temperature, as reasoning models do."""
    read = reader(True)

    def answer(messages: Messages, description: TurnDescription) -> str | ModelOutput:
        if calls_of(model)[-1].config.temperature is not None:
            raise ValueError("Unsupported value: 'temperature' does not support 0.0")
        return read(messages, description)

    model = scripted(answer, "thinker", config)
    return model


def test_refused_temperature(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = refusing()
    log = run_solver(
        colmad(),
        item(),
        tmp_path,
        model,
        {"debater_b": scripted(reader(False), "dull")},
    )
    asked = [call.config.temperature for call in calls_of(model)]
    assert asked == [0.0, None, None, None, None]
    assert "takes no temperature" in caplog.text
    (sample,) = samples(log)
    finished = record(sample)
    for participant in ("debater_a", "judge"):
        for sent in finished.participant(participant).settings.values():
            assert sent["temperature"] == "provider"
    assert finished.participant("debater_b").settings["answer"]["temperature"] == 0.0


def test_a_temperature_set_on_the_role_is_not_dropped(tmp_path: Path) -> None:
    model = refusing(GenerateConfig(temperature=0.5))
    log = run_solver(
        colmad(),
        item(),
        tmp_path,
        scripted(reader(False), "dull"),
        {"debater_a": model},
        success=False,
    )
    assert "does not support" in error_of(log)


def thinker(*refuses: str) -> Model:
    """Knows 1902, and rejects calls with these settings, telling of one at a time."""

    def answer(messages: Messages, description: TurnDescription) -> str | ModelOutput:
        for name in refuses:
            if getattr(calls_of(model)[-1].config, name) is not None:
                raise ValueError(f"Unsupported parameter: '{name}' is not supported")
        return marked(messages, description)

    model = scripted(answer, "thinker")
    return model


@pytest.mark.parametrize("refused", [("logprobs",), ("temperature", "logprobs")])
def test_further_answers_take_the_place_of_refused_log_probabilities(
    refused: tuple[str, ...], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = thinker(*refused)
    log = run_solver(
        passage_or_memory(consistency_samples=3),
        [question(id="a"), question(id="b")],
        tmp_path,
        model,
        max_samples=1,
        scorer=self_confidence(),
    )
    assert "takes no request for log-probabilities" in caplog.text
    failed = [call for call in calls_of(model) if call.config.logprobs]
    assert len(failed) == 2 * len(refused), "both answers of the first sample"
    assert len(calls_of(model)) - len(failed) == 2 * (2 + 3)
    for sample in samples(log):
        finished = record(sample)
        logged = finished.participant("debater_b").settings["answer"]
        assert logged["logprobs"] == "refused"
        assert (logged["temperature"] == "provider") == ("temperature" in refused)
        statuses = [turn.tokens for turn in finished.of_kind("answer")]
        assert statuses == [AnswerTokens(status="refused")] * 2
        assert all(turn.calls == 1 for turn in finished.turns)
        found = values(sample, "self_confidence")
        assert (found["tokens_refused"], found["source"]) == (1, 2)
        assert (found["confidence"], found["draws"]) == (1, 3)
