"""Wrong parameters end before any call, with one sentence that says what is allowed."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import VERSION, generative
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.generative import PROTOCOLS, SPOKEN
from tests.support.runs import metrics, run


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"protocol": "dual_debates"}, ["protocol=", "Did you mean 'dual_debate'?"]),
        ({"protocol": "debate"}, ["protocol='debate'", "direct_qa"]),
        ({"dataset": "bcbs"}, ["dataset='bcbs'", "arc"]),
        ({"source": "samples"}, ["samples", "sample"]),
        ({"source": "no/such/folder"}, ["no/such/folder"]),
        ({"source": "x", "version": "1 or 2"}, ["version='1 or 2'"]),
        ({"version": 2}, ["version=2", "source=sample"]),
        ({"split": "test"}, ["split='test'", "training", "evaluation"]),
        ({"seed": -1}, ["seed=-1", "at least 0"]),
        ({"seed": 0.5}, ["seed=0.5"]),
        ({"rounds": -1}, ["rounds=-1", "at least 0"]),
        ({"rounds": True}, ["rounds=True"]),
        ({"rounds": 1.5}, ["rounds=1.5"]),
        ({"rounds": "two"}, ["rounds='two'"]),
        ({"best_of": 0}, ["best_of=0", "at least 1"]),
        ({"best_of": "4x"}, ["best_of='4x'"]),
        ({"best_of": True}, ["best_of=True"]),
        (
            {"rounds": 0, "best_of": 4},
            ["best_of=4", "rounds=0", "nobody speaks"],
        ),
        (
            {"rounds": 0, "turn_order": "sequential"},
            ["turn_order='sequential'", "rounds=0"],
        ),
        ({"turn_order": "parallel"}, ["turn_order='parallel'", "sequential"]),
        ({"order": "random"}, ["order='random'", "hash", "both"]),
        ({"judge_answer": "yes"}, ["judge_answer='yes'", "true or false"]),
        ({"judge_answer": 1}, ["judge_answer=1", "true or false"]),
        ({"judge_style": "strict"}, ["judge_style='strict'", "neutral", "verifying"]),
        ({"debater_style": "true"}, ["debater_style='true'", "neutral", "honest"]),
        (
            {"rounds": 0, "debater_style": "honest"},
            ["debater_style='honest'", "rounds=0"],
        ),
        ({"answers": "same"}, ["answers='same'", "reuse", "fresh"]),
        ({"reuse_until": "answers"}, ["reuse_until=answers needs a log", "reuse=LOG"]),
        ({"reuse": "none.eval"}, ["none.eval"]),
        ({"reuse": "x", "reuse_until": "speech"}, ["reuse_until='speech'", "debate"]),
        ({"reuse_until": "all"}, ["reuse_until='all'", "answers"]),
        (
            {"reuse": "x.eval", "answers": "fresh"},
            ["answers=fresh", "reuse=LOG", "one of the two"],
        ),
        (
            {"protocol": "direct_qa", "reuse": "x.eval"},
            ["reuse=x.eval has no meaning for protocol=direct_qa"],
        ),
        (
            {
                "protocol": "dual_no_transcript",
                "reuse": "x.eval",
                "reuse_until": "debate",
            },
            ["reuse_until=debate", "dual_no_transcript", "allowed for dual_debate"],
        ),
        ({"config": {"word_limit": 0}}, ["config.word_limit=0"]),
        ({"config": {"words": 1}}, ["config.words", "word_limit"]),
        ({"config.max_reasks": -1}, ["config.max_reasks=-1"]),
        ({"config.answer.temperature": -1}, ["config.answer.temperature=-1"]),
        ({"config.candidate.temperature": 1}, ["config.candidate", "reward"]),
        ({"prompts": "no/such.yaml"}, ["no/such.yaml"]),
        ({"speech_rounds": 2}, ["speech_rounds", "rounds"]),
        ({"temperature": 0}, ["temperature"]),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], told: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        generative(**{"source": "sample"} | parameters)
    message = str(caught.value)
    assert all(part in message for part in told), message
    assert "\n" not in message


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


@pytest.mark.parametrize("protocol", PROTOCOLS)
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


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_parameters_stand_in_the_log(protocol: GenerativeProtocol) -> None:
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


def test_values_typed_on_a_command_line() -> None:
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
    for protocol in PROTOCOLS:
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
