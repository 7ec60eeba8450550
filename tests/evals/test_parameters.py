"""Wrong parameters end with one clear sentence before any call; others are logged."""

import logging
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.generative import VERSION, generative
from inspect_debate.evals.srdcr import PROTOCOLS, srdcr
from inspect_debate.grading.interpreter import resolve_interpreter
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.code_runs import SHIPPED, TASKS, needs_bubblewrap
from tests.support.code_tasks import answering, right
from tests.support.models import calls_of, scripted
from tests.support.runs import records, run

# A value of each parameter that some protocol of the study has, and who takes it.
DEBATE: dict[str, Any] = {
    "rounds": 2,
    "sides": "free",
    "skip_if_agree": True,
    "turn_order": "simultaneous",
    "order": "ab",
    "show_openings": True,
    "judge_sees_problem": True,
    "reuse": "x.eval",
    "reuse_until": "debate",
}
VALUES = DEBATE | {"n": 7, "match": "x.eval", "match_on": "calls"}
TAKEN = {
    "colmad": {*DEBATE},
    "copmad": {*DEBATE},
    "som": {"rounds", "reuse"},
    "ensemble": {"reuse"},
    "self_consistency": {"n", "match", "match_on"},
    "single": set(),
    "judge_alone": {"order"},
}


def logged(task: Task) -> dict[str, Any]:
    """The parameters that a task's log has."""
    assert task.metadata is not None
    parameters: dict[str, Any] = task.metadata["parameters"]
    return parameters


@pytest.mark.parametrize("protocol", TAKEN)
def test_a_log_has_the_parameters_of_its_records(protocol: Any, tmp_path: Path) -> None:
    make = partial(colmad, protocol, source="sample")
    nothing: dict[str, Any] = dict.fromkeys([*VALUES, "grade", "prompts", "config"])
    assert logged(make(**nothing)) == logged(make())
    log = run(make(), tmp_path, limit=1, roles={"debater_b": "simulated/hesitant"})
    shown = (log.eval.metadata or {})["parameters"]
    assert shown == logged(make())
    assert shown.keys() & VALUES.keys() == TAKEN[protocol] - {"match", "match_on"}
    (record,) = records(log)
    assert (record.protocol, record.seed) == (protocol, 0)
    assert record.parameters == {k: v for k, v in shown.items() if "reuse" not in k}


@pytest.mark.parametrize("protocol", TAKEN)
def test_what_is_foreign_to_a_protocol_is_refused(protocol: Any) -> None:
    for name in VALUES.keys() - TAKEN[protocol] - {"reuse_until"}:
        given: dict[str, Any] = {name: VALUES[name]}
        with pytest.raises(InputError) as error:
            colmad(protocol, source="sample", **given)
        text = error.value.message
        assert f"{name}={VALUES[name]!r} has no meaning for protocol={protocol}" in text
        assert all(taken in text for taken in TAKEN[protocol])


def test_grades_are_scorers_of_their_own() -> None:
    def count(grade: Any) -> int:
        task = colmad(source="sample", grade=grade)
        assert isinstance(task.scorer, list)
        return len(task.scorer)

    assert count(None) == count([]) == 2
    assert count("debate_hacking") == count(["debate_hacking"]) == 3
    assert count("debate_hacking,explanation_alignment") == 4
    assert count(["debate_hacking", "debate_hacking"]) == 3


MOTIONS = (
    *("carbon-market", "professors", "recall-elections"),
    *("social-media", "space", "tv-news"),
)


def items(**parameters: Any) -> list[Sample]:
    return list(confidence(**parameters).dataset)


def test_a_probability_comes_without_the_rules_of_a_stake() -> None:
    assert logged(confidence(bet_as="probability"))["stakes"] is False
    assert logged(confidence(bet_as="probability", stakes=True))["stakes"] is True


def test_every_motion_is_debated_once() -> None:
    found = items()
    assert sorted(str(item.id) for item in found) == [f"{m}.1" for m in MOTIONS]
    assert all((item.metadata or {})["proposition_burden"] for item in found)
    assert all(item.target == "" for item in found)


def test_repetitions_change_sides() -> None:
    found = {str(item.id): (item.metadata or {}) for item in items(repetitions=2)}
    assert len(found) == 12
    assert not found["space.1"]["swapped"]
    assert found["space.2"]["swapped"]


def test_the_order_is_seeded_and_every_prefix_is_fair() -> None:
    def order(seed: int) -> list[str]:
        return [str(item.id) for item in items(seed=seed, repetitions=3)]

    assert order(1) == order(1)
    assert order(1) != order(2)
    for prefix in (6, 12):
        motions = [id.split(".")[0] for id in order(1)[:prefix]]
        assert {motions.count(motion) for motion in MOTIONS} == {prefix // 6}


def test_motions_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "motions.txt"
    path.write_text("This house would light the harbour\nThis house would not\n")
    texts = {item.input for item in items(motions=str(path))}
    assert texts == {"This house would light the harbour", "This house would not"}


def test_a_jury_has_its_scorer() -> None:
    def scorers(**parameters: Any) -> int:
        return len(confidence(**parameters).scorer or [])

    assert scorers() == 2
    assert scorers(jury_passes=0) == 1
    assert scorers(protocol="self") == 1
    assert scorers(protocol="self", alignment=True) == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_metadata_of_srdcr(protocol: Any) -> None:
    task = srdcr(protocol=protocol, source="sample", questions=6)
    assert logged(task).items() >= {"questions": 6, "shots": 4}.items()
    assert len(task.dataset) == 12
    shown = task.metadata or {}
    assert (shown["protocol"], shown["data"]["source"]) == (protocol, "sample")
    assert shown["data"]["balance"]


@pytest.mark.parametrize(
    ("task", "typed", "expected"),
    [
        (
            srdcr,
            {"protocol": "judge_debate", "judge_after": "1,2", "rounds": 3, "tau": 1},
            {"judge_after": [1, 2, 3], "tau": 1.0},
        ),
        (
            generative,
            {"best_of": 4, "config": {"word_limit": 100}, "config.max_reasks": 0},
            {"best_of": 4, "word_limit": 100, "max_reasks": 0},
        ),
    ],
)
def test_values_typed_on_a_command_line(
    task: Callable[..., Task], typed: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert logged(task(source="sample", **typed)).items() >= expected.items()


GIVEN: dict[str, Any] = {
    "rounds": 2,
    "best_of": 4,
    "turn_order": "simultaneous",
    "order": "hash",
    "judge_answer": False,
    "judge_style": "neutral",
    "debater_style": "neutral",
}
SPEECHES = {"rounds", "best_of", "turn_order", "debater_style"}
UNUSED: dict[GenerativeProtocol, set[str]] = {
    "dual_debate": set(),
    "single_debate": {"order"},
    "dual_consultancy": {"turn_order"},
    "single_consultancy": {"turn_order", "order"},
    "dual_no_transcript": SPEECHES,
    "single_no_transcript": SPEECHES | {"order"},
    "direct_qa": set(GIVEN),
    "single_critique": {"rounds", "turn_order", "order"},
    "critic_alone": SPEECHES | {"order", "judge_answer"},
}


@pytest.mark.parametrize(
    "made", [partial(generative, source="sample"), generative_debate]
)
@pytest.mark.parametrize("protocol", UNUSED)
def test_what_has_no_meaning_for_a_format_is_refused(
    protocol: GenerativeProtocol, made: Callable[..., object]
) -> None:
    """Even its default: whoever types it expects it to do something."""
    for name in GIVEN.keys() - UNUSED[protocol]:
        assert made(protocol, **{name: GIVEN[name]})
    for name in UNUSED[protocol]:
        with pytest.raises(InputError) as caught:
            made(protocol, **{name: GIVEN[name]})
        message = str(caught.value)
        assert f"no meaning for protocol={protocol}" in message
        allowed = message.partition("it takes: ")[2].rstrip(".").split(", ")
        assert {*allowed} == {*GIVEN, "answers"} - UNUSED[protocol]


@pytest.mark.parametrize("protocol", UNUSED)
def test_metadata_of_generative_debate(protocol: GenerativeProtocol) -> None:
    task = generative(protocol, source="sample")
    assert GIVEN.keys() - logged(task).keys() == UNUSED[protocol]
    shown = task.metadata or {}
    assert (shown["study"], shown["protocol"]) == ("generative", protocol)
    assert (shown["data"]["source"], shown["data"]["version"]) == ("sample", "sample")
    assert len(task.dataset) == shown["data"]["tasks"] >= 12
    assert "answer_grids" in shown["prompts"]
    assert task.version == shown["task_version"] == VERSION


BOX: dict[str, Any] = {"sandbox": "bubblewrap"}


def test_missing_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    model = scripted(answering(right(1)))
    task = generative("direct_qa", **SHIPPED, sandbox="bubblewrap")
    with pytest.raises(InputError, match="apt-get install bubblewrap"):
        run(task, tmp_path, model, limit=1)
    assert not calls_of(model)


@needs_bubblewrap
@pytest.mark.skipif(os.geteuid() != 0, reason="only root's sandbox is another user's")
def test_an_interpreter_for_root_alone(tmp_path: Path) -> None:
    bare = tmp_path / "python"
    shutil.copy(resolve_interpreter(None), bare)
    bare.chmod(0o700)
    model = scripted(answering(right(1)))
    task = generative("direct_qa", **SHIPPED, **BOX, interpreter=str(bare))
    with pytest.raises(InputError, match="that every user may read"):
        run(task, tmp_path, model, limit=1)
    assert not calls_of(model)


@pytest.mark.parametrize("dataset", ["bcb_plus", "bcb"])
def test_unchecked_tasks(dataset: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        task = generative(dataset=dataset, source="sample", **BOX)
    assert f"{TASKS} tasks are unchecked" in caplog.text
    assert "bcb-eligible" in caplog.text
    assert "eligible=FILE" in caplog.text
    assert task.metadata is not None
    assert task.metadata["data"]["unchecked"] == TASKS
    assert task.metadata["data"]["dataset"] == dataset
