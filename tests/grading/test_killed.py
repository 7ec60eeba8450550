"""Who is killed leaves no process behind, and what is left of files can be removed."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import anyio
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.box import temporary_folder
from inspect_debate.grading.bubblewrap import BubblewrapSandbox
from tests.grading.served import request
from tests.grading.users import Child, ordinary_child, own_child, running


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end


def sent(child: Child, code: str) -> None:
    assert child.stdin is not None
    child.stdin.write(request(code, b""))
    child.stdin.flush()


def only_child(process: int) -> int:
    return int(Path(f"/proc/{process}/task/{process}/children").read_text())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing")
@pytest.mark.parametrize("start", [own_child, ordinary_child])
def test_no_process_outlives_us(tmp_path: Path, start: Callable[[Path], Child]) -> None:
    if start is ordinary_child and os.geteuid() != 0:
        pytest.skip("only root can start one as another user")
    mark = uuid4().hex

    def inside() -> bool:
        return any("python" in name for name in running(mark))

    with start(tmp_path) as child:
        sent(child, f"# {mark}\nimport time; time.sleep(60)")
        until(inside)
        ours = only_child(child.pid) if start is ordinary_child else child.pid
        os.kill(ours, signal.SIGKILL)
        until(lambda: not running(mark))


def test_folders_of_processes_that_are_gone_are_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone, other = 2**22 + 1, tmp_path / "other"
    kept = {other.name, f"inspect-debate-{gone}-link", "inspect-debate-x-y"}
    for name in (f"inspect-debate-{gone}-a1_b", "inspect-debate-x-y", other.name):
        (tmp_path / name / "files").mkdir(parents=True)
    (tmp_path / f"inspect-debate-{gone}-link").symlink_to(other)
    with temporary_folder() as ours:
        anyio.run(BubblewrapSandbox.cli_cleanup, None)
        assert {path.name for path in tmp_path.iterdir()} == {*kept, Path(ours).name}
    assert (other / "files").exists()


def test_without_a_place_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/does/not/exist")
    with pytest.raises(InputError, match=r"/does/not/exist.* set TMPDIR"):
        temporary_folder()
