"""Wrong settings of graders of code end before any call, and say what is allowed."""

import logging
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import generative
from inspect_debate.grading.interpreter import resolve_interpreter
from tests.support.code_runs import SHIPPED, TASKS, UNSAFE, needs_bubblewrap
from tests.support.code_tasks import answering, right
from tests.support.models import calls_of, scripted
from tests.support.runs import run

ARC: dict[str, Any] = {"dataset": "arc", "source": "sample"}
BOX: dict[str, Any] = {"sandbox": "bubblewrap"}
DOCKER: dict[str, Any] = {"sandbox": "docker"}


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        *(
            (ARC | {name: value}, [f"{name}={value} has no meaning for dataset=arc"])
            for name, value in {
                "sandbox": "bubblewrap",
                "interpreter": "python3",
                "eligible": "list.jsonl",
                "grades": "folder",
                "unsafe_local": True,
            }.items()
        ),
        ({"split": "both"}, ["split=both", "dataset=bcb_plus", "one part"]),
        ({"dataset": "bcb", "split": "test"}, ["split=test", "dataset=bcb"]),
        ({"dataset": "bigcodebench"}, ["dataset='bigcodebench'", "bcb_plus"]),
        ({"sandbox": "local"}, ["unsafe_local=true", "as you", "'bubblewrap'"]),
        ({"sandbox": "podman"}, ["sandbox='podman'", "bubblewrap, docker"]),
        (BOX | {"interpreter": "no/such/python"}, ["interpreter=no/such/python"]),
        (BOX | {"interpreter": __file__}, [__file__, "no Python that runs"]),
        (
            UNSAFE | {"interpreter": "no/such/python"},
            ["interpreter=no/such/python"],
        ),
        (
            UNSAFE | {"config.grading.processes": 99},
            ["config.grading.processes=99", "sandbox=local"],
        ),
        (
            DOCKER | {"config.grading.memory_mb": 999},
            ["config.grading.memory_mb=999", "sandbox=docker", "compose.yaml"],
        ),
        (BOX | {"config.grading.seconds": 0}, ["config.grading.seconds=0"]),
        (BOX | {"config.grading.minutes": 1}, ["config.grading.minutes", "seconds"]),
        (BOX | {"eligible": "no/such.jsonl"}, ["eligible=no/such.jsonl: cannot read"]),
        (BOX | {"grades": f"{__file__}/x"}, ["grades=", "no folder can be made"]),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], told: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        generative(**SHIPPED | parameters)
    message = str(caught.value)
    assert all(part in message for part in told), message
    assert "\n" not in message


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
