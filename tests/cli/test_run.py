"""Several workers of one study: what is done with each, however it ends."""

import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from inspect_debate.cli import run as runs
from inspect_debate.cli.run import LEFT, PROGRESS, Output, Work, output_of

KILLED = -signal.SIGKILL
DONE = f"{PROGRESS}2/2 runs, 4/4 samples\nAll 2 runs are there.\n"
Ends = Mapping[str, Sequence[tuple[str, int]]]


class Engine:
    """In place of processes: what each shard writes and ends with, life after life."""

    def __init__(self, folder: Path, ends: Ends) -> None:
        self.folder = folder
        self.ends = {shard: list(lives) for shard, lives in ends.items()}

    def __call__(self, work: Work) -> Output:
        if "--list" in work.options:
            yield 0
            return
        text, code = self.ends[work.shard].pop(0)
        if code == 0:
            logs = self.folder / work.shard.replace("/", "_of_")
            logs.mkdir(exist_ok=True)
            (logs / "log.eval").touch()
        for part in text[:5], text[5:]:
            yield part.encode()
        yield code


def typed(*words: str) -> Result:
    return CliRunner().invoke(runs.run, list(words))


def watched(folder: Path, ends: Ends, monkeypatch: pytest.MonkeyPatch) -> Result:
    engine = Engine(folder, ends)
    monkeypatch.setattr(runs, "output_of", engine)
    result = typed("colmad", "--log-dir", str(folder), "--model", "mockllm/a")
    assert not any(engine.ends.values())
    return result


def test_a_worker_that_died_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = (f"{PROGRESS}1/2 runs, 3/4 samples\n", KILLED)
    ends = {"1/2": [half, (DONE, 0)], "2/2": [("", KILLED), (DONE, 0)]}
    result = watched(tmp_path, ends, monkeypatch)
    assert result.exit_code == 0, result.output
    assert (
        "Shard 1/2 died (1/2 runs, 3/4 samples), and is started again." in result.stderr
    )
    assert "Shard 2/2 died, and is started again." in result.stderr
    assert result.stdout == "All 2 runs are there.\n"
    assert (tmp_path / "1_of_2.log").read_text() == half[0] + DONE


def test_what_needs_all_shards_runs_once_all_are_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = (f"{LEFT}matched\n", 0)
    ends = {"1/2": [left, (DONE, 0)], "2/2": [(DONE, 0)]}
    assert watched(tmp_path, ends, monkeypatch).exit_code == 0


@pytest.mark.parametrize(
    ("lives", "says"),
    [
        ([("Error: No key.\n", 1)], "Shard 2/2 failed (No key)"),
        ([("", KILLED)] * 4, "Shard 2/2 failed (it died 4 times, last of SIGKILL)"),
    ],
)
def test_a_shard_that_failed_is_named_with_its_output(
    lives: Sequence[tuple[str, int]],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = watched(tmp_path, {"1/2": [(DONE, 0)], "2/2": lives}, monkeypatch)
    assert result.exit_code == 1
    assert result.stderr.endswith(
        f"Error: {says}; its output is in {tmp_path}/2_of_2.log.\n"
        "Run the same command again.\n"
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "Error: No model is named. Give --model, "),
        (("--cast", "nobody"), "Error: --cast 'nobody' is not known"),
        (("--model", "mockllm/a", "-T", "source=smaple"), "Error: source='smaple' is "),
    ],
)
def test_what_no_worker_can_run_is_said_once(
    words: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    result = typed("colmad", "--log-dir", str(tmp_path / "logs"), *words)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Checking what would run.\n{says}")
    assert "Shard" not in result.output
    assert not (tmp_path / "logs").exists()


def test_logs_that_were_written_elsewhere_are_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.setattr(
        runs,
        "output_of",
        Engine(tmp_path / "there", {"1/1": [(DONE, 0)]}),
    )
    here = str(tmp_path / "here")
    result = typed("colmad", "--workers", "1", "--log-dir", here, "--model", "m/a")
    assert result.exit_code == 1
    assert f"it wrote its logs elsewhere; {here} has to be shared" in result.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("colmat",), "STUDY 'colmat' is not known"),
        (("no.py",), "STUDY no.py: there is no script at"),
        (("colmad", "--shard", "1/2"), "python configs/colmad.py --shard ..."),
        (("colmad", "--list"), "to list the runs: python configs/colmad.py --list"),
        (("colmad", "--plan", "x"), "make the plan first: python configs/colmad.py"),
        (("colmad", "--limit", "1"), "take --workers 1 or fewer"),
        (("colmad", "--limits", "2"), "No such option '--limits'"),
        (("colmad", "--workers", "0"), "--workers=0 is not allowed"),
        (("colmad", "--address", "auto"), "--address auto is for --engine ray"),
        (("colmad", "--engine", "ray"), "install it with `uv pip install 'ray"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    words: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = typed(*words)
    assert result.exit_code in (1, 2)
    assert says in result.output


def work(folder: Path, script: str) -> Work:
    (folder / "mine.py").write_text(script)
    return Work(str(folder / "mine.py"), ["--mine"], str(folder), "1/2")


def test_a_workers_output_and_exit_code(tmp_path: Path) -> None:
    script = "import os, sys; print(*sys.argv[1:], os.getcwd()); sys.exit(3)"
    *written, code = output_of(work(tmp_path, script))
    assert written == [f"--mine --shard 1/2 {tmp_path}\n".encode()]
    assert code == 3


def test_a_worker_that_is_killed(tmp_path: Path) -> None:
    script = f"import os; os.kill(os.getpid(), {signal.SIGKILL})"
    assert [*output_of(work(tmp_path, script))][-1] == KILLED


def test_a_folder_that_another_machine_does_not_have(tmp_path: Path) -> None:
    message, code = output_of(Work("colmad", (), str(tmp_path / "none"), "1/2"))
    assert isinstance(message, bytes)
    assert message.startswith(f"Error: there is no {tmp_path / 'none'} on ".encode())
    assert code == 1


WAITS = """
import time
from inspect_debate.cli.worker import end_with_starter
end_with_starter()
try:
    print("waits", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    open("ended", "w").close()
"""


def test_a_worker_ends_with_who_started_it(tmp_path: Path) -> None:
    output = output_of(work(tmp_path, WAITS))
    while next(output) != b"waits\n":
        pass
    output.close()
    assert (tmp_path / "ended").exists()
