"""`inspect-debate bcb-eligible`: which programming tasks can be graded here."""

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

from inspect_debate.debate.errors import InputError, check_whole_number
from inspect_debate.debate.paths import user_path
from inspect_debate.evals.generative import (
    CODED,
    CodeGrader,
    code_grader,
    load,
    of_data,
)
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

_AGAIN = ("error",)
_OPTIONS = {"seconds": "--seconds", "memory_mb": "--memory-mb", "parallel": "--workers"}
# More than are graded at once, so that one is always ready.
_AHEAD = 64
# Of a reason in the table; the file has all of it.
_WIDTH = 100
_USUAL = Grading()


@click.command("bcb-eligible")
@click.option(
    "--out",
    default="eligible.jsonl",
    show_default=True,
    metavar="FILE",
    help="The list to write, for -T eligible=FILE; an existing one is continued.",
)
@click.option(
    "--dataset",
    type=click.Choice(CODED),
    default=CODED[0],
    show_default=True,
    help="Whose tasks to grade.",
)
@click.option("--version", metavar="VERSION", help="Which release, as in -T version=.")
@click.option(
    "--source",
    default="published",
    show_default=True,
    metavar="WORD|PATH",
    help="As in -T source=.",
)
@click.option(
    "--sandbox",
    metavar="NAME",
    help="As in -T sandbox=.",
)
@click.option(
    "--interpreter", metavar="DIR|FILE", help="What `inspect-debate bcb-env` made."
)
@click.option(
    "--unsafe-local", is_flag=True, help="Allow --sandbox local, which is no sandbox."
)
@click.option(
    "--seconds",
    default=_USUAL.seconds,
    show_default=True,
    help="Time limit of a task, as in -T config.grading.seconds=.",
)
@click.option(
    "--memory-mb",
    default=_USUAL.memory_mb,
    show_default=True,
    help="Memory limit, as in -T config.grading.memory_mb=.",
)
@click.option(
    "--workers",
    type=int,
    metavar="N",
    help="Tasks to grade at once. Default: one per processor.",
)
@click.option("--limit", type=int, metavar="N", help="Only the first N tasks.")
@click.option(
    "--again",
    is_flag=True,
    help="Grade again the tasks that did not pass so far. Those whose grading itself "
    "failed (error) are graded again in any case.",
)
@click.option(
    "--log-dir",
    default="logs/bcb-eligible",
    show_default=True,
    metavar="DIR",
    help="Where Inspect keeps its log of the gradings.",
)
def bcb_eligible(
    out: str,
    dataset: str,
    version: str | None,
    source: str,
    sandbox: str | None,
    interpreter: str | None,
    unsafe_local: bool,
    seconds: int,
    memory_mb: int,
    workers: int | None,
    limit: int | None,
    again: bool,
    log_dir: str,
) -> None:
    """Grade every task's own solution here; tasks that pass are eligible."""
    limits = _limits(seconds, memory_mb, workers)
    if limit is not None:
        check_whole_number("--limit", limit, at_least=1)
    loaded = load(dataset, version, None, source, seed=0)
    grader = code_grader(sandbox, interpreter, unsafe_local, limits)
    path = user_path(out)
    head = {"data": of_data(loaded), "grader": grader.logged}
    try:
        known = _begun(out, path, head)
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise InputError(f"--out={out} cannot be written: {error.strerror}.") from error
    done = {
        id
        for id, one in known.items()
        if one.status not in _AGAIN and (one.status == "pass" or not again)
    }
    samples = list(loaded.dataset)[:limit]
    left = [sample for sample in samples if str(sample.id) not in done]
    with file:
        _grade(MemoryDataset(left, name=dataset), grader, limits, file, log_dir)
    _show(read_checklist(out), [str(sample.id) for sample in samples], out)


def _limits(seconds: int, memory_mb: int, workers: int | None) -> Grading:
    try:
        return Grading(seconds=seconds, memory_mb=memory_mb, parallel=workers)
    except ValidationError as error:
        first = error.errors()[0]
        option = _OPTIONS[str(first["loc"][0])]
        raise InputError(
            f"{option}={first['input']} is not allowed: {first['msg']}."
        ) from error


def _begun(out: str, path: Path, head: Mapping[str, Any]) -> dict[str, Checked]:
    """What a file has so far; one that is not there gets its first line."""
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


def _grade(
    dataset: MemoryDataset, grader: CodeGrader, limits: Grading, file: TextIO, logs: str
) -> None:
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


def _show(found: Checklist, ids: list[str], out: str) -> None:
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
