"""Each sandbox has a processor to itself, and programs cannot leave theirs."""

import json
import os
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from inspect_debate.grading.box import Box, one_processor
from inspect_debate.grading.config import BubblewrapConfig
from tests.grading.users import User


@pytest.fixture(autouse=True)
def own_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_nobody_shares_while_there_are_processors_left() -> None:
    usable = os.sched_getaffinity(0)
    for _ in range(3):  # and all are free again afterwards
        with ExitStack() as stack:
            taken = [stack.enter_context(one_processor()) for _ in usable]
            assert sorted(taken) == sorted(usable)
            assert stack.enter_context(one_processor()) in usable


def test_another_process_counts_and_frees_its_processor_when_it_ends() -> None:
    usable = sorted(os.sched_getaffinity(0))
    ready, done = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:  # takes all but one, then is killed as it holds them
        with ExitStack() as stack:
            taken = [stack.enter_context(one_processor()) for _ in usable[1:]]
            os.write(ready[1], json.dumps(taken).encode() + b"\n")
            os.read(done[0], 1)
        os._exit(1)
    with os.fdopen(ready[0]) as told:
        taken = json.loads(told.readline())
        with one_processor() as left:
            assert sorted([*taken, left]) == usable
    os.kill(child, 9)
    os.waitpid(child, 0)
    with ExitStack() as stack:
        again = [stack.enter_context(one_processor()) for _ in usable]
    assert sorted(again) == usable
    for file in (ready[1], *done):
        os.close(file)


def test_a_file_in_the_way_costs_no_sandbox(tmp_path: Path) -> None:
    for number in os.sched_getaffinity(0):
        name = f"inspect-debate-processor-{os.geteuid()}-{number}.lock"
        (tmp_path / name).symlink_to("/dev/null")
    with one_processor() as first, one_processor() as second:
        assert {first, second} <= os.sched_getaffinity(0)


AFFINITY = """import json, os
before = sorted(os.sched_getaffinity(0))
try:
    os.sched_setaffinity(0, range(os.cpu_count()))
except OSError as error:
    print(json.dumps([before, sorted(os.sched_getaffinity(0)), error.errno]))
"""


def test_a_program_sees_one_processor_and_cannot_take_another(user: User) -> None:
    before, after, _ = json.loads(user.run(AFFINITY).stdout)
    assert len(before) == 1
    assert after == before


SPIN = """import os, sys
for _ in range(99):
    if os.fork() == 0:
        os.setsid()  # the kernel shares processors out by session, too
        break
while True:
    pass
"""


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("bwrap") is None or len(os.sched_getaffinity(0)) < 2,
    reason="bubblewrap is not installed, or there is one processor only",
)
def test_a_hundred_busy_processes_do_not_slow_down_a_neighbour() -> None:
    """Alone it takes 1 s; with shares of two processors it would take over 30."""
    box, stop = Box(BubblewrapConfig()), threading.Event()
    python = box.interpreter

    def spin() -> str:
        spinner = [python, "-I", "-c", SPIN]
        return box.run(spinner, output=10, seconds=120, stop=stop).reason

    def work() -> tuple[str, int]:
        code = "import time\nwhile time.process_time() < 1: pass"
        ended = box.run([python, "-I", "-c", code], output=1000, seconds=20)
        return ended.reason, ended.returncode

    try:
        with ThreadPoolExecutor(2) as pool:
            spinning = pool.submit(spin)
            worked = [pool.submit(work).result() for _ in range(2)]
            stop.set()
            assert spinning.result() == "stopped"
    finally:
        box.close()
    assert worked == [("exit", 0)] * 2
