"""Time to grade the tasks' own solutions by value, over that of plain files.

    uv run python -m benchmarks grading --source published --interpreter DIR
        [--limit 284] [--minutes 30]

For each task whose tests can be graded by value, its solution and tests run as a cold
`python file.py` in the sandbox, and are graded; which comes first alternates, so that
other load affects both. The order of the data set is balanced, so its first tasks are a
fair sample. It prints the sums over the tasks that pass, and both times of a task that
does nothing, which is the grader's own share.
"""

import asyncio
import time
from statistics import median

import click

from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.evals.generative import code_grader
from inspect_debate.grading.box import Box
from inspect_debate.grading.bubblewrap import BubblewrapSandbox
from inspect_debate.grading.code import CodeProblem, code_problem
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.grade import Graded, grade_code, way_of
from inspect_debate.solvers.generative import Grading

_MAIN = "\nif __name__ == '__main__':\n    unittest.main()\n"
_SECONDS = Grading().seconds
_NOTHING = CodeProblem(
    id="nothing",
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
_REPEATS = 20


class Timer:
    """Runs programs and gradings in bubblewrap."""

    def __init__(self, interpreter: str) -> None:
        found = code_grader("bubblewrap", interpreter, False, Grading())
        assert isinstance(found.sandbox.config, BubblewrapConfig)
        self._config, self._interpreter = found.sandbox.config, found.interpreter
        self._box = BubblewrapSandbox(self._config)

    def pair(
        self, problem: CodeProblem, solution: str, cold_first: bool
    ) -> tuple[float, Graded]:
        """Seconds of a task as a cold file, and its grade."""
        cold = self._cold(problem, solution) if cold_first else 0.0
        graded = asyncio.run(
            grade_code(
                self._box,
                problem,
                solution,
                interpreter=self._interpreter,
                seconds=_SECONDS,
                way="by_value",
            )
        )
        return cold or self._cold(problem, solution), graded

    def _cold(self, problem: CodeProblem, solution: str) -> float:
        box = Box(self._config)
        text = f"{problem.program(solution)}\n{problem.test}\nimport unittest{_MAIN}"
        box.write("file.py", text.encode())
        begun = time.monotonic()
        box.run(["python3", "file.py"], output=1 << 20, seconds=_SECONDS)
        taken = time.monotonic() - begun
        box.close()
        return taken


@click.command()
@click.option("--source", default="published", show_default=True)
@click.option("--interpreter", required=True)
@click.option("--limit", type=int, help="Only the first tasks.")
@click.option("--minutes", type=float, help="Begin no task after so long.")
def main(
    source: str, interpreter: str, limit: int | None, minutes: float | None
) -> None:
    samples = list(bigcodebench("bcb_plus", None, source).dataset)[:limit]
    timer, pairs, begun = Timer(interpreter), list[tuple[float, Graded]](), time.time()
    for sample in samples:
        if minutes is not None and time.time() - begun > 60 * minutes:
            break
        problem = code_problem(str(sample.id), sample.metadata or {})
        if way_of(problem) == "by_value":
            cold, graded = timer.pair(problem, str(sample.target), len(pairs) % 2 == 0)
            pairs.append((cold, graded))
            times = f"{cold:.2f} {graded.seconds:.2f}"
            click.echo(f"{sample.id} {graded.status} {times}", err=True)
    good = [(cold, graded.seconds) for cold, graded in pairs if graded.status == "pass"]
    files, gradings = (sum(seconds) for seconds in zip(*good, strict=True))
    print(f"{len(pairs)} tasks by value, {len(good)} pass")
    print(f"files {files:.0f} s, gradings {gradings:.0f} s: {gradings / files:.2f}")
    ratio = median(seconds / cold for cold, seconds in good)
    print(f"median of the tasks' ratios {ratio:.2f}")
    solved = "def task_func():\n    return 1\n"
    nothing = [timer.pair(_NOTHING, solved, n % 2 == 0) for n in range(_REPEATS)]
    cold = median(cold for cold, _ in nothing)
    graded_in = median(graded.seconds for _, graded in nothing)
    print(f"a task that does nothing: cold {cold:.3f} s, graded {graded_in:.3f} s")


if __name__ == "__main__":
    main()
