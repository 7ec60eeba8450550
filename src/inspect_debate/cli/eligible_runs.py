"""What `inspect-debate bcb-eligible` does: tasks' own solutions, graded."""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import shorten
from typing import Any, TextIO

import click
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import ValidationError
from tabulate import tabulate

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import CodeGrader
from inspect_debate.grading.eligible import (
    Checked,
    Checklist,
    head_line,
    read_checklist,
)
from inspect_debate.solvers.generative import Grading
from inspect_debate.solvers.generative_answers import (
    INTERPRETER,
    WAY,
    GradingTerms,
    check_program,
    grade_program,
)

AGAIN = ("error",)
_OPTIONS = {"seconds": "--seconds", "memory_mb": "--memory-mb", "parallel": "--workers"}
# More than are graded at once, so that one is always ready.
_AHEAD = 64
# Of a reason in the table; the file has all of it.
_WIDTH = 100


def limits_of(seconds: int, memory_mb: int, workers: int | None) -> Grading:
    """The limits of a grading, from the options.

    Raises:
        InputError: If one is not allowed.
    """
    try:
        return Grading(seconds=seconds, memory_mb=memory_mb, parallel=workers)
    except ValidationError as error:
        first = error.errors()[0]
        option = _OPTIONS[str(first["loc"][0])]
        raise InputError(
            f"{option}={first['input']} is not allowed: {first['msg']}."
        ) from error


def begun(out: str, path: Path, head: Mapping[str, Any]) -> dict[str, Checked]:
    """What a file has so far; one that is not there gets its first line.

    Raises:
        InputError: If the file was begun with other settings.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head_line(**head) + "\n", encoding="utf-8")
        return {}
    found = read_checklist(out, "--out")
    for of, here in head.items():
        there = getattr(found, of)
        other = [name for name in here if there.get(name) != here[name]]
        if other:
            raise InputError(
                f"--out={out} was begun with other settings: {other[0]} was "
                f"{there.get(other[0])!r} there, and is {here[other[0]]!r} here. Give "
                "another file, or the same settings."
            )
    _end_line(path)
    return found.checked


def _end_line(path: Path) -> None:
    """Cut off a last line that was not finished."""
    os.truncate(path, path.read_bytes().rfind(b"\n") + 1)


def grade(
    dataset: MemoryDataset, grader: CodeGrader, limits: Grading, file: TextIO, logs: str
) -> None:
    """Grade tasks, and write each result into a file as it comes."""
    if not len(dataset):
        return

    def record(one: Checked) -> None:
        file.write(one.model_dump_json() + "\n")
        file.flush()

    task = Task(
        name="bcb_eligible",
        dataset=dataset,
        solver=canonical_solution(
            limits.seconds, limits.parallel, record, grader.interpreter
        ),
        sandbox=grader.sandbox,
    )
    eval(task, model="none", log_dir=logs, fail_on_error=False, max_samples=_AHEAD)


def show(found: Checklist, ids: list[str], out: str) -> None:
    """Show which tasks are left out, and count the others.

    Raises:
        ClickException: If tasks are still to be graded.
    """
    checked = {id: found.checked[id] for id in ids if id in found.checked}
    excluded = [one for one in checked.values() if one.status != "pass"]
    if excluded:
        rows = [
            (o.task, o.status, f"{o.seconds:.1f}", shorten(o.note, _WIDTH))
            for o in excluded
        ]
        click.echo(f"\n{tabulate(rows, ('task', 'status', 'seconds', 'why'))}")
    counts = Counter(one.status for one in checked.values())
    counted = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    click.echo(f"\n{len(checked)} of {len(ids)} tasks checked: {counted or 'none'}.")
    missing = len(ids) - len(checked)
    if missing:
        raise click.ClickException(
            f"Tasks still to grade: {missing}. Run the same command again to continue."
        )
    click.echo(f"{out}: give it to the task as -T eligible={out}")


# Grading the tasks' own solutions.


@solver
def canonical_solution(
    seconds: int,
    at_once: int | None,
    record: Callable[[Checked], None],
    interpreter: str = INTERPRETER,
) -> Solver:
    """Grade a sample's target as if it were an answer; no model is asked.

    Args:
        seconds: The time limit of a grading.
        at_once: How many gradings run at once; one for each processor if None.
        record: Called with the result of each.
        interpreter: The Python inside the sandbox.
    """
    # Whether running without a sandbox is allowed was checked before.
    terms = GradingTerms(
        seconds, unsafe_local=True, at_once=at_once, interpreter=interpreter
    )

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        await check_program(state, terms)
        grade = await grade_program(state, terms, "target", state.target.text)
        if grade.status == "fail" and grade.way == "by_value":
            # Its tests may need what cannot be sent.
            state.metadata[WAY] = "in_process"
            grade = await grade_program(state, terms, "target", state.target.text)
        record(
            Checked(
                task=str(state.sample_id),
                status=grade.status,
                seconds=grade.seconds,
                note=grade.note,
                way=grade.way,
            )
        )
        state.output.completion = grade.status
        return state

    return solve
