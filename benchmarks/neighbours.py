"""Whether busy programs make right ones fail that are graded at the same time.

    uv run python -m benchmarks.neighbours --right 20 --spinners 10

Right programs of a few seconds are graded together with programs of a hundred busy
processes each, in random order. Prints how many right ones passed.
"""

import random
from collections import Counter

import anyio
import click

from inspect_debate.grading.bubblewrap import BubblewrapSandbox
from inspect_debate.grading.code import CodeProblem
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.grade import grade_code

PROBLEM = CodeProblem(
    id="neighbours",
    code_prompt="def task_func():",
    test="""\
import unittest
class TestCases(unittest.TestCase):
    def test_one(self):
        self.assertEqual(task_func(), 1)
""",
    entry_point="task_func",
    tests=("test_one",),
)
RIGHT = """\
import time
def task_func():
    while time.process_time() < {seconds}:
        pass
    return 1
"""
SPINNER = """\
import os
def task_func():
    for _ in range(99):
        if os.fork() == 0:
            os.setsid()
            break
    while True:
        pass
"""


@click.command()
@click.option("--right", default=20, show_default=True)
@click.option("--spinners", default=10, show_default=True)
@click.option("--work", default=3.0, show_default=True, help="Seconds of a right one.")
@click.option(
    "--limit", default=15, show_default=True, help="Seconds that each may take."
)
@click.option("--parallel", type=int, help="Gradings at once. Default: processors.")
def main(
    right: int, spinners: int, work: float, limit: int, parallel: int | None
) -> None:
    answers = [RIGHT.format(seconds=work)] * right + [SPINNER] * spinners
    random.Random(1).shuffle(answers)
    found: Counter[tuple[str, str]] = Counter()
    box = BubblewrapSandbox(BubblewrapConfig(parallel=parallel))

    async def one(answer: str) -> None:
        kind = "spinner" if answer == SPINNER else "right"
        graded = await grade_code(
            box,
            PROBLEM,
            answer,
            interpreter="python3",
            seconds=limit,
            at_once=parallel,
        )
        found[kind, graded.status] += 1

    async def together() -> None:
        async with anyio.create_task_group() as group:
            for answer in answers:
                group.start_soon(one, answer)

    anyio.run(together)
    for (kind, status), count in sorted(found.items()):
        print(f"{kind}: {count} {status}")


if __name__ == "__main__":
    main()
