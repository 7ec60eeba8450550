"""Answers and candidates are requests of their own, with a cache and without."""

from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, GenerateConfig

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.generative import (
    PROTOCOLS,
    by_kind,
    description_of,
    fenced,
    ruled,
    solvable,
)
from tests.support.models import Call, calls_of, scripted
from tests.support.runs import dataset, records, run

BEST_OF_4 = generative_debate("dual_debate", best_of=4)


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings of a run with a cache of its own."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    return {"cache": True}


def drawn(
    solver: Any, log_dir: Path, name: str = "x", **settings: Any
) -> tuple[list[DebateRecord], list[Call]]:
    """A run in which every completion is another one."""
    numbers = count(100)

    def say(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        number = str(next(numbers))
        match description.format:
            case "solution":
                return fenced(" ".join(number))
            case "rulings":
                return f"{number} {ruled(description.choices, 0.6)}"
        return f"Speech {number}.\nStance: AGREE"

    config = settings.pop("config", None)
    model = scripted(say, name, config)
    task = Task(dataset=dataset(solvable()), solver=solver)
    return records(run(task, log_dir, model=model, **settings)), calls_of(model)


def said(found: list[DebateRecord]) -> list[str]:
    return [turn.public for record in found for turn in record.turns]


def test_each_candidate_is_a_request_of_its_own(
    tmp_path: Path, cached: dict[str, Any]
) -> None:
    [record], calls = drawn(BEST_OF_4, tmp_path, **cached)
    assert len(calls) == 2 + 2 * 2 * 4 * 2 + 1
    spoken = [t.public for t in record.turns if t.kind in ("speech", "candidate")]
    assert len(set(spoken)) == 16
    assert len(set(said([record]))) == len(calls)


def test_a_rerun_from_the_cache_gives_the_same(
    tmp_path: Path, cached: dict[str, Any]
) -> None:
    first, asked = drawn(BEST_OF_4, tmp_path, epochs=2, **cached)
    again, calls = drawn(BEST_OF_4, tmp_path, epochs=2, **cached)
    assert len(asked) == 2 * 35
    assert not calls
    assert said(again) == said(first)
    assert len(set(said(first))) == 2 * 35, "epochs differ"


def test_one_seed_does_not_make_all_draws_the_same(tmp_path: Path) -> None:
    _, calls = drawn(BEST_OF_4, tmp_path, seed=7)
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
        _, calls = drawn(solver, tmp_path, seed=7)
        seeds += [call.config.seed for call in by_kind(calls, "answer")]
    assert len(set(seeds)) == len(seeds) == 3 * 2 + 3 + 1


def test_without_a_seed_none_is_sent(tmp_path: Path) -> None:
    _, calls = drawn(BEST_OF_4, tmp_path)
    assert {call.config.seed for call in calls} == {None}


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
    _, calls = drawn(solver, tmp_path, **settings)
    told = {(description_of(call).kind, call.config.temperature) for call in calls}
    assert told == set(expected.items())


def test_candidates_have_the_settings_of_speeches(tmp_path: Path) -> None:
    config = {"speech.temperature": 0.7, "reward.max_tokens": 99, "answer.top_p": 0.9}
    solver = generative_debate("single_debate", rounds=1, best_of=2, config=config)
    [record], calls = drawn(solver, tmp_path)
    told = {description_of(call).kind: call.config for call in calls}
    assert told["candidate"].temperature == 0.7
    assert told["reward"].max_tokens == 99
    assert (told["answer"].top_p, told["verdict"].max_tokens) == (0.9, 8192)
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
def test_what_will_hardly_differ_is_said(
    what: str, settings: dict[str, float], tmp_path: Path
) -> None:
    for best_of, warned in ((2, True), (1, "answers" in what)):
        solver = generative_debate("dual_debate", best_of=best_of, config=settings)
        [record], _ = drawn(solver, tmp_path)
        assert any(what in warning for warning in record.warnings) == warned
    solver = generative_debate("single_consultancy", config=settings)
    [record], _ = drawn(solver, tmp_path)
    assert not any("temperature 0" in warning for warning in record.warnings)


def of_all_formats(
    log_dir: Path, answers: Literal["reuse", "fresh"] | None, settings: dict[str, Any]
) -> tuple[dict[str, list[str]], int]:
    """The proposers' answers in each format, and how often one was asked for."""
    found: dict[str, list[str]] = {}
    asked = 0
    numbers = count(100)

    def say(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        if description.format == "solution":
            return fenced(" ".join(str(next(numbers))))
        return f"{ruled(description.choices)}\nStance: AGREE"

    for protocol in PROTOCOLS:
        model = scripted(say, "all")
        solver = generative_debate(protocol, answers=answers)
        task = Task(dataset=dataset(solvable()), solver=solver)
        [record] = records(run(task, log_dir, model=model, **settings))
        found[protocol] = [t.public for t in record.of_kind("answer")]
        asked += len(by_kind(calls_of(model), "answer"))
    return found, asked


def test_a_cache_serves_the_answers_of_all_formats(
    tmp_path: Path, cached: dict[str, Any]
) -> None:
    found, asked = of_all_formats(tmp_path, None, cached)
    own = found.pop("direct_qa")
    first, second = found["dual_no_transcript"]
    for protocol, answers in found.items():
        dual = protocol.startswith("dual")
        assert answers == ([first, second] if dual else [first]), protocol
    assert own not in ([first], [second]), "the judge's answer is a draw of its own"
    assert asked == 3


@pytest.mark.slow
def test_fresh_answers_differ_between_formats_with_a_cache_too(
    tmp_path: Path, cached: dict[str, Any]
) -> None:
    found, asked = of_all_formats(tmp_path, "fresh", cached)
    answers = [answer for each in found.values() for answer in each]
    assert len(set(answers)) == asked == 3 * 2 + 3 + 1
    again, asked = of_all_formats(tmp_path, "fresh", cached)
    assert (again, asked) == (found, 0)


def test_without_a_cache_answers_are_asked_for_in_each_format(tmp_path: Path) -> None:
    _, asked = of_all_formats(tmp_path, "reuse", {})
    assert asked == 3 * 2 + 3 + 1


@pytest.mark.parametrize("protocol", ["dual_no_transcript", "single_no_transcript"])
def test_fresh_answers_are_asked_for_with_the_same_words(
    protocol: GenerativeProtocol, tmp_path: Path
) -> None:
    prompts = set()
    for answers in (None, "fresh"):
        solver = generative_debate(protocol, answers=answers)
        _, calls = drawn(solver, tmp_path)
        prompts |= {call.prompt for call in by_kind(calls, "answer")}
    assert len(prompts) == 1
