"""The provider, as Inspect uses it."""

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentSpec,
    SandboxUnavailableError,
    SandboxUserUnsupportedError,
    override_sandbox_output_limit,
    sandbox,
)

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.grading.bubblewrap import ENDED, BubblewrapSandbox
from inspect_debate.v1.grading.config import BubblewrapConfig
from inspect_debate.v1.grading.supervise import Ended, Reason
from inspect_debate.v1.grading.watch import Watch
from tests.v1.grading.users import running, wait_until

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None,
    reason="bubblewrap is not installed (apt-get install bubblewrap)",
)


@pytest.fixture
def box() -> Iterator[BubblewrapSandbox]:
    made = BubblewrapSandbox(BubblewrapConfig(memory_mb=100, parallel=1))
    kept = made._box.path("file").parents[1]
    assert kept.exists()
    yield made
    given: dict[str, SandboxEnvironment] = {"default": made}
    anyio.run(BubblewrapSandbox.sample_cleanup, "task", None, given, True)
    assert not kept.exists()


def result(box: BubblewrapSandbox, *command: str, **named: Any) -> ExecResult[str]:
    return anyio.run(partial(box.exec, [*command], **named))


def test_a_command_with_all_that_can_be_given(box: BubblewrapSandbox) -> None:
    anyio.run(box.write_file, "sub/file", "text")
    code = 'cat; cat file; echo "$NAME" >&2; exit 3'
    given = {"input": "in ", "cwd": "sub", "env": {"NAME": "a value"}}
    ended = result(box, "sh", "-c", code, **given)
    assert ended == ExecResult(False, 3, "in text", "a value\n")


def test_bytes_come_in_and_nothing_is_left_for_the_next_command(
    box: BubblewrapSandbox,
) -> None:
    assert result(box, "cat", input=b"a\xff").stdout == "a\N{REPLACEMENT CHARACTER}"
    assert result(box, "sh", "-c", "echo > left; ls").stdout == "left\n"
    assert result(box, "ls").stdout == ""


def test_files(box: BubblewrapSandbox) -> None:
    anyio.run(box.write_file, "a/b", "line\r\n")
    anyio.run(box.write_file, "c", b"\xff")
    assert anyio.run(box.read_file, "a/b") == "line\r\n"
    assert anyio.run(box.read_file, "c", False) == b"\xff"
    with pytest.raises(UnicodeDecodeError):
        anyio.run(box.read_file, "c")
    with pytest.raises(IsADirectoryError):
        anyio.run(box.read_file, "a")
    with pytest.raises(IsADirectoryError):
        anyio.run(box.write_file, "a", "")
    with pytest.raises(PermissionError):
        anyio.run(box.read_file, "/etc/passwd")
    with pytest.raises(FileNotFoundError, match="gone when it ends"):
        anyio.run(box.read_file, "d")
    with (
        override_sandbox_output_limit(5, "read_file"),
        pytest.raises(OutputLimitExceededError),
    ):
        anyio.run(box.read_file, "a/b")


def test_too_much_memory_shows_as_a_kill_with_a_note(box: BubblewrapSandbox) -> None:
    code = "import os, time\nos.fork()\nkept = bytearray(80 * 2**20)\ntime.sleep(20)"
    ended = result(box, box._box.interpreter, "-c", code)
    assert (ended.success, ended.returncode) == (False, 137)
    assert ended.stderr.splitlines()[-1] == f"{ENDED}more than 100 MB of memory"


def test_time_and_output(box: BubblewrapSandbox) -> None:
    with pytest.raises(TimeoutError, match="took too long"):
        result(box, "sleep", "60", timeout=1)
    with (
        override_sandbox_output_limit(1000, "exec"),
        pytest.raises(OutputLimitExceededError) as caught,
    ):
        result(box, "yes", "ab")
    assert caught.value.truncated_output == ("ab\n" * 400)[:1000]


UNAVAILABLE = [
    (Ended("exit", 1, b"", b"bwrap: no\n", started=False), "start .*bwrap: no"),
    (Ended("blind", 137, b"", b"", started=True), "could not be watched"),
]


@pytest.mark.parametrize(("ended", "words"), UNAVAILABLE)
def test_a_failure_of_the_sandbox_is_not_the_commands(
    monkeypatch: pytest.MonkeyPatch, box: BubblewrapSandbox, ended: Ended, words: str
) -> None:
    monkeypatch.setattr(box._box, "run", lambda *given, **named: ended)
    with pytest.raises(SandboxUnavailableError, match=words):
        result(box, "true")


REASONS: dict[Reason, str] = {
    "memory": f"said\n{ENDED}more than 100 MB of memory\n",
    "processes": f"said\n{ENDED}more than 512 processes\n",
}


@pytest.mark.parametrize(("reason", "stderr"), REASONS.items())
def test_the_last_line_says_what_was_too_much(
    monkeypatch: pytest.MonkeyPatch,
    box: BubblewrapSandbox,
    reason: Reason,
    stderr: str,
) -> None:
    ended = Ended(reason, 137, b"out", b"said", started=True)
    monkeypatch.setattr(box._box, "run", lambda *given, **named: ended)
    assert result(box, "true") == ExecResult(False, 137, "out", stderr)


def test_failures_of_commands_are_none_of_bubblewrap(box: BubblewrapSandbox) -> None:
    ended = result(box, "sh", "-c", "echo bwrap: no >&2; exit 1")
    assert ended == ExecResult(False, 1, "", "bwrap: no\n")
    with pytest.raises(SandboxUnavailableError, match="chdir"):
        result(box, "true", cwd="nowhere")
    ended = result(box, "no-such-program")
    assert ended.returncode == 127
    assert "no-such-program" in ended.stderr
    with pytest.raises(OSError, match="too long"):
        result(box, "echo", "x" * 2**18)
    with pytest.raises(SandboxUserUnsupportedError, match="user='root'"):
        result(box, "true", user="root")


def test_a_cancelled_command_is_ended(box: BubblewrapSandbox) -> None:
    async def cancelled() -> bool:
        with anyio.move_on_after(0.2) as scope:
            await box.exec(["sleep", "47110815"])
        return scope.cancelled_caught

    assert anyio.run(cancelled)
    assert not running("47110815")


def test_a_command_is_ended_whatever_goes_wrong_with_us(
    monkeypatch: pytest.MonkeyPatch, box: BubblewrapSandbox
) -> None:
    def fail(watch: Watch, first: str | None) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Watch, "excess", fail)
    with pytest.raises(ZeroDivisionError):
        result(box, "sleep", "47120815")
    wait_until(lambda: not running("47120815"))


@pytest.mark.parametrize(("waits", "most"), [(True, 1), (False, 4)])
def test_a_command_waits_for_its_turn_and_its_time_begins_then(
    monkeypatch: pytest.MonkeyPatch, box: BubblewrapSandbox, waits: bool, most: int
) -> None:
    together = threading.Barrier(most)
    seen: list[tuple[int, float | None]] = []
    running = 0

    def run(*command: Any, seconds: float | None, **named: Any) -> Ended:
        nonlocal running
        running += 1
        together.wait(10)
        seen.append((running, seconds))
        together.wait(10)
        running -= 1
        return Ended("exit", 0, b"", b"", started=True)

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(partial(box.exec, ["x"], timeout=5, concurrency=waits))

    monkeypatch.setattr(box._box, "run", run)
    anyio.run(all_at_once)
    assert seen == [(most, 5)] * 4


def test_a_task_does_not_begin_where_sandboxes_do_not_work() -> None:
    with pytest.raises(InputError, match=r"'a.yaml' is not allowed"):
        anyio.run(BubblewrapSandbox.task_init, "task", "a.yaml")
    config = BubblewrapConfig(interpreter="/nowhere/python")
    with pytest.raises(InputError, match="nowhere"):
        anyio.run(BubblewrapSandbox.task_init, "task", config)


@solver
def asks() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        ended = await sandbox().exec(["cat", "given.txt"])
        state.output.completion = ended.stdout
        return state

    return solve


@pytest.mark.slow
def test_inspect_finds_it_by_name(tmp_path: Path) -> None:
    config = BubblewrapConfig(memory_mb=77)
    spec = SandboxEnvironmentSpec("bubblewrap", config)
    sample = Sample("q", files={"given.txt": "text"})
    (log,) = eval(
        Task([sample], solver=asks(), sandbox=spec),
        model="mockllm/model",
        display="none",
        log_dir=str(tmp_path),
    )
    again = read_eval_log(log.location)
    assert again.status == "success"
    assert again.samples is not None
    assert again.samples[0].output.completion == "text"
    assert again.eval.sandbox == spec
