"""Whether stubs fail the tests of every task, and the tasks' own solutions pass.

    uv run python -m benchmarks.stubs --source published --interpreter DIR
        --out stubs.jsonl [--solutions] [--limit 100]

A stub is the head of a task's function with `return None` below it. Each grade is a
line of the file as soon as it is known; run again, the command goes on where it ended.
With `--solutions` the tasks' own solutions are graded as well, after the stubs. As in
`inspect-debate bcb-eligible`, one that fails by value is tried once more in process;
where that helps, so is the stub.
"""

import asyncio
import json
import os
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import click
from inspect_ai.dataset import Sample

from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.evals.generative import code_grader
from inspect_debate.grading.bubblewrap import BubblewrapSandbox
from inspect_debate.grading.code import CodeProblem, code_problem
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.grade import Graded, Way, grade_code, way_of
from inspect_debate.solvers.generative import Grading

Kind = Literal["stub", "solution"]
Line = dict[str, Any]


class Book:
    """The grades so far, by kind, task and way, which a file has line by line."""

    def __init__(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        self._path = path
        self._lines = {_key(line): line for line in map(json.loads, text.splitlines())}

    def get(self, kind: Kind, task: str, way: Way) -> Line | None:
        return self._lines.get((kind, task, way))

    def add(self, kind: Kind, task: str, graded: Graded) -> Line:
        line = {"kind": kind, "task": task} | asdict(graded)
        self._lines[_key(line)] = line
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return line

    def of(self, kind: Kind, tasks: set[str]) -> list[Line]:
        return [
            line
            for line in self._lines.values()
            if line["kind"] == kind and line["task"] in tasks
        ]


class Grader:
    """Grades answers in bubblewrap, but for those that a book has."""

    def __init__(self, interpreter: str, book: Book, workers: int | None) -> None:
        limits = Grading(parallel=workers)
        found = code_grader("bubblewrap", interpreter, False, limits)
        assert isinstance(found.sandbox.config, BubblewrapConfig)
        self._interpreter, self._limits, self._book = found.interpreter, limits, book
        self._box = BubblewrapSandbox(found.sandbox.config)

    async def grade(
        self, kind: Kind, problem: CodeProblem, answer: str, way: Way
    ) -> Line:
        known = self._book.get(kind, problem.id, way)
        if known is not None and known["status"] != "error":
            return known
        graded = await grade_code(
            self._box,
            problem,
            answer,
            interpreter=self._interpreter,
            seconds=self._limits.seconds,
            at_once=self._limits.parallel,
            way=way,
        )
        return self._book.add(kind, problem.id, graded)


@click.command()
@click.option("--source", default="published", show_default=True)
@click.option("--interpreter", required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--solutions", is_flag=True, help="Grade the tasks' own, too.")
@click.option("--limit", type=int, help="Only the first tasks.")
@click.option("--workers", type=int, help="How many at once. Default: processors.")
def main(
    source: str,
    interpreter: str,
    out: Path,
    solutions: bool,
    limit: int | None,
    workers: int | None,
) -> None:
    samples = list(bigcodebench("bcb_plus", None, source).dataset)[:limit]
    book = Book(out)
    grader = Grader(interpreter, book, workers)
    for grade in (grade_stub, grade_solution)[: 1 + solutions]:
        asyncio.run(each(samples, grade, grader))
    tasks = {str(sample.id) for sample in samples}
    print_counts("stub", book.of("stub", tasks))
    if solutions:
        print_counts("solution", book.of("solution", tasks))


async def each(samples: list[Sample], grade: Any, grader: Grader) -> None:
    ahead = asyncio.Semaphore(2 * (os.cpu_count() or 1))

    async def one(sample: Sample) -> None:
        async with ahead:
            await grade(sample, grader)

    await asyncio.gather(*map(one, samples))


async def grade_stub(sample: Sample, grader: Grader, way: Way | None = None) -> None:
    problem = code_problem(str(sample.id), sample.metadata or {})
    stub = f"{problem.code_prompt}\n    return None\n"
    await grader.grade("stub", problem, stub, way or way_of(problem))


async def grade_solution(sample: Sample, grader: Grader) -> None:
    problem = code_problem(str(sample.id), sample.metadata or {})
    solution, way = str(sample.target), way_of(problem)
    found = await grader.grade("solution", problem, solution, way)
    if found["status"] == "fail" and way == "by_value":
        found = await grader.grade("solution", problem, solution, "in_process")
        if found["status"] == "pass":
            await grade_stub(sample, grader, "in_process")


def print_counts(kind: Kind, lines: list[Line]) -> None:
    """Print counts, and what is wrong."""
    wanted = ("pass",) if kind == "solution" else ("fail", "timeout")
    good = {line["task"] for line in lines if line["status"] in wanted}
    counts = Counter((line["status"], line["way"]) for line in lines)
    print(f"{kind}s of {len({line['task'] for line in lines})} tasks:")
    for (status, way), count in sorted(counts.items()):
        print(f"  {count} {status} {way}")
    odd = {line["task"]: line for line in lines if line["status"] not in wanted}
    for task, line in sorted(odd.items()):
        if kind == "stub" or task not in good:
            print(f"  {task}: {line['status']} {line['way']}: {line['note'][:100]}")


def _key(line: Line) -> tuple[str, str, str]:
    return line["kind"], line["task"], line["way"]


if __name__ == "__main__":
    main()
