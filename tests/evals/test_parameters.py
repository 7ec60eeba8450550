"""Wrong parameters end with one clear sentence before any call; others are logged."""

import logging
import os
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.generative import VERSION, generative
from inspect_debate.evals.srdcr import PROTOCOLS, srdcr
from inspect_debate.grading.interpreter import resolve_interpreter
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.code_runs import SHIPPED, TASKS, needs_bubblewrap
from tests.support.code_tasks import answering, right
from tests.support.generative import PROTOCOLS as PROTOCOLS_GENERATIVE
from tests.support.generative import SPOKEN
from tests.support.models import calls_of, scripted
from tests.support.runs import metrics, records, run

DEBATE: dict[str, Any] = {
    "rounds": 2,
    "sides": "free",
    "skip_if_agree": True,
    "turn_order": "simultaneous",
    "order": "ab",
    "show_openings": True,
    "judge_sees_problem": True,
    "reuse": None,
    "reuse_until": "debate",
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "colmad": DEBATE,
    "copmad": DEBATE | {"skip_if_agree": False, "show_openings": False},
    "som": {"rounds": 1, "reuse": None},
    "ensemble": {"reuse": None},
    "self_consistency": {"n": 7},
    "single": {},
    "judge_alone": {"order": "ab"},
}
SETTINGS: dict[str, Any] = {
    "quotes": "typography_blind",
    "quote_source": "input_and_response",
    "word_limit": 300,
    "answers": "options",
    "passage": "unused",
    "parser": "last_sentence",
    "max_reasks": 1,
    "max_characters": 120_000,
    **{
        kind: {"temperature": None, "max_tokens": None, "top_p": None, "seed": None}
        for kind in ("answer", "speech", "verdict")
    },
}
OWN = [
    *("rounds", "sides", "skip_if_agree", "turn_order", "order", "show_openings"),
    *("judge_sees_problem", "n", "match", "match_on", "reuse", "reuse_until"),
]


def parameters_of(**given: Any) -> dict[str, Any]:
    """The parameters that stand in the log of a task."""
    task = colmad(**{"source": "sample"} | given)
    assert task.metadata is not None
    parameters: dict[str, Any] = task.metadata["parameters"]
    return parameters


@pytest.mark.parametrize("protocol", DEFAULTS)
def test_each_protocol_logs_its_own_defaults(protocol: str, tmp_path: Path) -> None:
    assert parameters_of(protocol=protocol) == DEFAULTS[protocol] | SETTINGS
    nothing: dict[str, Any] = dict.fromkeys([*OWN, "grade", "prompts", "config"])
    assert parameters_of(protocol=protocol, **nothing) == parameters_of(
        protocol=protocol
    )
    # The log says so, and every record has the same.
    given: dict[str, Any] = {"protocol": protocol, "source": "sample"}
    task = colmad(**given)
    log = run(task, tmp_path, limit=1, roles={"debater_b": "simulated/hesitant"})
    assert log.eval.metadata is not None
    assert log.eval.metadata["protocol"] == protocol
    assert log.eval.metadata["parameters"] == DEFAULTS[protocol] | SETTINGS
    (held,) = records(log)
    assert held.protocol == protocol
    assert held.seed == 0
    reuse = {"reuse", "reuse_until"}
    expected = {k: v for k, v in DEFAULTS[protocol].items() if k not in reuse}
    assert held.parameters == expected | SETTINGS


VALUES: dict[str, Any] = DEBATE | {
    "n": 7,
    "match": "x.eval",
    "match_on": "calls",
    "reuse": "x.eval",
}
TAKEN = {
    "colmad": {*DEBATE},
    "copmad": {*DEBATE},
    "som": {"rounds", "reuse"},
    "ensemble": {"reuse"},
    "self_consistency": {"n", "match", "match_on"},
    "single": set(),
    "judge_alone": {"order"},
}


@pytest.mark.parametrize("protocol", TAKEN)
def test_what_is_foreign_to_a_protocol_is_refused(protocol: str) -> None:
    assert set(VALUES) == set(OWN)
    for name in set(OWN) - TAKEN[protocol] - {"reuse_until"}:
        with pytest.raises(InputError) as error:
            parameters_of(protocol=protocol, **{name: VALUES[name]})
        said = error.value.message
        assert f"{name}={VALUES[name]!r} has no meaning for protocol={protocol}" in said
        assert all(taken in said for taken in TAKEN[protocol])
    for name in TAKEN[protocol] - {"reuse", "reuse_until", "match", "match_on"}:
        assert parameters_of(protocol=protocol, **{name: VALUES[name]})


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


def parameters_logged(**parameters: Any) -> Mapping[str, Any]:
    metadata = confidence(**parameters).metadata
    assert metadata is not None
    found: Mapping[str, Any] = metadata["parameters"]
    return found


def test_a_probability_comes_without_the_rules_of_a_stake() -> None:
    assert parameters_logged(bet_as="probability")["stakes"] is False
    assert parameters_logged(bet_as="probability", stakes=True)["stakes"] is True


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
def test_parameters_stand_in_the_log(protocol: Any) -> None:
    task = srdcr(protocol=protocol, source="sample", questions=6)
    assert task.metadata is not None
    assert task.metadata["protocol"] == protocol
    told = task.metadata["parameters"]
    assert told["questions"] == 6
    assert told["shots"] == 4
    assert len(task.dataset) == 12
    assert task.metadata["data"]["source"] == "sample"
    assert task.metadata["data"]["balance"]


def test_values_typed_on_a_command_line() -> None:
    task = srdcr(
        protocol="judge_debate", source="sample", judge_after="1,2", rounds=3, tau=1
    )
    assert task.metadata is not None
    assert task.metadata["parameters"]["judge_after"] == [1, 2, 3]
    assert task.metadata["parameters"]["tau"] == 1.0


@pytest.mark.slow
def test_every_protocol_runs_on_the_sample(tmp_path: Path) -> None:
    for protocol in PROTOCOLS:
        log = run(
            srdcr,
            tmp_path,
            task_args={"protocol": protocol, "source": "sample"},
            limit=4,
        )
        assert log.results is not None
        assert log.results.completed_samples == 4


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
UNUSED: dict[str, set[str]] = {
    "dual_debate": set(),
    "single_debate": {"order"},
    "dual_consultancy": {"turn_order"},
    "single_consultancy": {"turn_order", "order"},
    "dual_no_transcript": SPEECHES,
    "single_no_transcript": SPEECHES | {"order"},
    "direct_qa": set(GIVEN),
}


@pytest.mark.parametrize("protocol", PROTOCOLS_GENERATIVE)
@pytest.mark.parametrize("name", GIVEN)
def test_what_has_no_meaning_for_a_format_is_refused(
    protocol: GenerativeProtocol, name: str
) -> None:
    """Even its default: whoever types it expects it to do something."""
    given = {"protocol": protocol, name: GIVEN[name]}
    makers: list[Callable[..., object]] = [
        partial(generative, source="sample"),
        generative_debate,
    ]
    for made in makers:
        if name not in UNUSED[protocol]:
            assert made(**given)
            continue
        with pytest.raises(InputError) as caught:
            made(**given)
        message = str(caught.value)
        assert f"no meaning for protocol={protocol}" in message
        allowed = message.partition("it takes: ")[2]
        assert set(allowed.rstrip(".").split(", ")) == (
            {*GIVEN, "answers"} - UNUSED[protocol]
        )


@pytest.mark.parametrize("protocol", PROTOCOLS_GENERATIVE)
def test_parameters_stand_in_the_log_generative(protocol: GenerativeProtocol) -> None:
    task = generative(protocol=protocol, source="sample")
    assert task.metadata is not None
    assert task.metadata["study"] == "generative"
    assert task.metadata["protocol"] == protocol
    told = task.metadata["parameters"]
    assert set(GIVEN) - set(told) == UNUSED[protocol]
    assert (told["answers"], told["dataset"]) == ("reuse", "arc")
    assert (told["word_limit"], told["max_reasks"]) == (250, 1)
    if protocol in SPOKEN:
        assert (told["rounds"], told["best_of"]) == (2, 1)
        assert told["debater_style"] == "neutral"
    if protocol != "direct_qa":
        assert told["judge_style"] == "neutral"
    data = task.metadata["data"]
    assert (data["source"], data["version"]) == ("sample", "sample")
    assert len(task.dataset) == data["tasks"] >= 12
    assert "answer_grids" in task.metadata["prompts"]
    assert task.version == task.metadata["task_version"] == VERSION


def test_values_typed_on_a_command_line_generative() -> None:
    typed: dict[str, Any] = {
        "best_of": 4,
        "judge_answer": True,
        "config": {"word_limit": 100},
        "config.answer.temperature": 0,
        "config.max_reasks": 0,
    }
    task = generative(source="sample", **typed)
    assert task.metadata is not None
    told = task.metadata["parameters"]
    assert (told["best_of"], told["judge_answer"]) == (4, True)
    assert (told["word_limit"], told["max_reasks"]) == (100, 0)
    assert told["answer"]["temperature"] == 0


@pytest.mark.slow
def test_every_format_runs_on_the_sample(tmp_path: Path) -> None:
    for protocol in PROTOCOLS_GENERATIVE:
        more = {"best_of": 2} if protocol in SPOKEN else {}
        log = run(
            generative,
            tmp_path,
            task_args={"protocol": protocol, "source": "sample", **more},
            limit=4,
        )
        assert log.results is not None
        assert log.results.completed_samples == 4
        found = metrics(log, "verdicts")
        assert found["items"] == 4
        assert 0 <= found["accuracy"] <= 1
        assert ("fpr" in found) == (FORMATS[protocol].proposers > 0)


BOX: dict[str, Any] = {"sandbox": "bubblewrap"}


def test_without_a_sandbox_the_error_names_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError) as caught:
        generative(**SHIPPED)
    message = str(caught.value)
    for part in (
        *("bubblewrap", "apt-get install bubblewrap", "'bwrap', which is not on PATH"),
        *("docker", "https://docs.docker.com/engine/install/"),
    ):
        assert part in message
    assert "\n" not in message


def test_a_sandbox_that_was_named_and_is_not_there_ends_before_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    model = scripted(answering(right(1)))
    task = generative("direct_qa", **SHIPPED, sandbox="bubblewrap")
    with pytest.raises(InputError, match="apt-get install bubblewrap"):
        run(task, tmp_path, model, limit=1)
    assert not calls_of(model)


@needs_bubblewrap
@pytest.mark.skipif(os.geteuid() != 0, reason="only root's sandbox is another user's")
def test_an_interpreter_that_works_outside_alone_ends_before_a_call(
    tmp_path: Path,
) -> None:
    bare = tmp_path / "python"
    shutil.copy(resolve_interpreter(None), bare)
    bare.chmod(0o700)
    model = scripted(answering(right(1)))
    task = generative("direct_qa", **SHIPPED, **BOX, interpreter=str(bare))
    with pytest.raises(InputError, match="that every user may read"):
        run(task, tmp_path, model, limit=1)
    assert not calls_of(model)


@pytest.mark.parametrize("dataset", ["bcb_plus", "bcb"])
def test_unchecked_tasks_are_counted(
    dataset: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        task = generative(dataset=dataset, source="sample", **BOX)
    assert f"{TASKS} tasks are unchecked" in caplog.text
    assert "bcb-eligible" in caplog.text
    assert "eligible=FILE" in caplog.text
    assert task.metadata is not None
    assert task.metadata["data"]["unchecked"] == TASKS
    assert task.metadata["data"]["dataset"] == dataset
