"""No program passes unmarked without being right; right ones, however odd, pass."""

import pytest

from inspect_debate.grading.grade import Grade, Limits
from tests.grading.liars import liars, liars_task, right_program
from tests.grading.victim import (
    ENDLESS,
    RIGHT,
    SPREAD_WRONG,
    TOTAL_WRONG,
    graded,
    hostile,
    needs_bubblewrap,
)

pytestmark = [needs_bubblewrap, pytest.mark.slow]

SHORT = Limits(cpu_seconds=1)


def unmarked(found: dict[str, Grade]) -> dict[str, Grade]:
    return {name: each for name, each in found.items() if each.status == "pass"}


def test_the_victim_tells_right_from_wrong() -> None:
    programs = {"right": RIGHT, "total": TOTAL_WRONG, "spread": SPREAD_WRONG}
    found = graded(programs)
    assert {name: (each.status, each.passed) for name, each in found.items()} == {
        "right": ("pass", 5),
        "total": ("fail", 4),
        "spread": ("fail", 4),
    }
    assert graded({"right": right_program()}, liars_task())["right"].status == "pass"


def test_all_hostile_programs() -> None:
    programs = hostile()
    assert len(programs) == 255
    endless = {name: programs.pop(name) for name in ENDLESS}
    found = graded(programs, limits=Limits(cpu_seconds=20))
    assert unmarked(found) == {}
    assert {each.status for each in found.values()} == {"fail", "suspicious"}
    found = graded(endless, limits=SHORT)
    assert {each.status for each in found.values()} == {"timeout"}


def test_an_endless_program_runs_out_of_processor_time() -> None:
    assert graded({"": hostile()["loops"]}, limits=SHORT)[""].status == "timeout"


def test_no_drawn_liar_passes_unmarked() -> None:
    found = graded(liars(300, seed=3), liars_task())
    assert unmarked(found) == {}
    assert "suspicious" in {each.status for each in found.values()}


_CALLED = RIGHT.replace("task_func", "answer")
_CALLS = "\ndef task_func(numbers):\n    return answer(numbers)\n"
HONEST = {
    "prints much": "print('x' * 10**6)\n" + RIGHT,
    "prints what is no text": "import os\nos.write(1, bytes(range(256)))\n" + RIGHT,
    "threads that stay": _CALLED
    + """
import threading
from concurrent.futures import ThreadPoolExecutor
threading.Thread(target=threading.Event().wait).start()
def task_func(numbers):
    with ThreadPoolExecutor() as pool:
        return pool.submit(answer, numbers).result()
""",
    "a process that stays": _CALLED
    + """
import subprocess
def task_func(numbers):
    subprocess.Popen(["sleep", "60"])
    return answer(numbers)
""",
    "asyncio": _CALLED
    + """
import asyncio
async def later(numbers):
    await asyncio.sleep(0)
    return answer(numbers)
def task_func(numbers):
    return asyncio.run(later(numbers))
""",
    "a module of its own": _CALLED
    + """
with open("helper_module.py", "w") as file:
    file.write("def same(value): return value")
import helper_module
def task_func(numbers):
    return helper_module.same(answer(numbers))
""",
    "an interpreter by its name": _CALLED
    + """
import subprocess
def task_func(numbers):
    code = "import sys; print(sys.argv[1])"
    said = subprocess.run(["python", "-c", code, "a"], capture_output=True).stdout
    assert said == b"a\\n"
    return answer(numbers)
""",
    "a decorated lambda": _CALLED + "task_func = lambda numbers: answer(numbers)\n",
    "a local server": _CALLED
    + """
import socket
with socket.create_server(("localhost", 0)) as server:
    socket.create_connection(server.getsockname()).close()
"""
    + _CALLS,
    "a byte-order mark, and a future": "\ufefffrom __future__ import annotations\n"
    + RIGHT,
    "line ends of Windows": RIGHT.replace("\n", "\r\n"),
    "old line ends": RIGHT.replace("\n", "\r"),
    "tabs": RIGHT.replace("        ", "\t\t").replace("    ", "\t"),
    "other scripts": _CALLED.replace("answer", "größe")
    + _CALLS.replace("answer", "größe"),
    "a cookie": "#!/usr/bin/python3\n# -*- coding: latin-1 -*-\n" + RIGHT,
    "a main block": RIGHT + "if __name__ == '__main__':\n    raise SystemExit(1)\n",
    "the function twice": "def task_func(numbers):\n    return None\n" + RIGHT,
    "what its head imports": RIGHT + "assert os.path and math.pi\n",
    "what BigCodeBench gives": RIGHT + "assert sys.argv and environ\n",
}


def test_odd_but_honest_programs_pass() -> None:
    found = graded(HONEST)
    assert {name: each for name, each in found.items() if each.status != "pass"} == {}


@pytest.mark.parametrize(
    "program",
    [
        "class Result(dict):\n    def __eq__(self, other):\n"
        "        return dict.__eq__(self, other)\n",
        "import gc\ngc.collect()\n",
    ],
)
def test_a_marked_pass_is_reported_apart(program: str) -> None:
    found = graded({"": program + RIGHT})[""]
    assert (found.status, found.passed) == ("suspicious", 5)
    assert found.marks
