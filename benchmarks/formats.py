"""The seven formats of the generative study on programming tasks, twice.

    uv run python -m benchmarks.formats [--source sample] [--interpreter DIR]
        [--limit 60] [--out DIR]

First `inspect-debate bcb-eligible` finds the tasks that can be graded. On these,
simulated models run every format with one folder of stored grades, and then all formats
once more. For each run it prints how many answers were graded and how many grades were
found in the folder. The command fails unless every run succeeds, every answer has a
grade, canonical solutions pass and others fail, and the second round grades nothing
anew. In the end it makes the report on all runs.
"""

import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.util import Store
from tabulate import tabulate

from inspect_debate.datasets.sources import solution_truth
from inspect_debate.debate.record import Status, read_record
from inspect_debate.evals.generative import generative
from inspect_debate.solvers.formats import FORMATS

_HEADS = ("round", "format", "tasks", "pass", "fail", "other", "graded", "found", "s")


@click.command()
@click.option("--source", default="sample", show_default=True)
@click.option("--interpreter")
@click.option("--limit", type=int, help="Only the first tasks.")
@click.option("--out", type=click.Path(path_type=Path), help="Keeps logs and report.")
def main(
    source: str,
    interpreter: str | None,
    limit: int | None,
    out: Path | None,
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = out or Path(scratch)
        eligible = folder / "eligible.jsonl"
        list_eligible(source, interpreter, limit, eligible)
        given = {"source": source, "interpreter": interpreter}
        given["eligible"] = str(eligible)
        rows, wrong = [], []
        for turn in (1, 2):
            for protocol in FORMATS:
                begun = time.monotonic()
                log = run_format(protocol, folder, given)
                row, odd = counted(log)
                seconds = f"{time.monotonic() - begun:.0f}"
                rows.append((turn, protocol, *row, seconds))
                click.echo(" ".join(map(str, rows[-1])), err=True)
                wrong += [f"{turn} {protocol}: {each}" for each in odd]
                if turn == 2 and row[-2]:
                    wrong.append(f"{protocol} graded {row[-2]} answers anew")
        print(tabulate(rows, _HEADS))
        report = ["inspect-debate", "report", "generative", str(folder / "logs")]
        subprocess.run([*report, "--out", str(folder / "report")], check=True)
    if wrong:
        raise click.ClickException("\n".join(wrong))


def list_eligible(
    source: str, interpreter: str | None, limit: int | None, out: Path
) -> None:
    command = ["inspect-debate", "bcb-eligible", "--source", source, "--out", str(out)]
    command += ["--log-dir", str(out.with_suffix(""))]
    command += ["--interpreter", interpreter] if interpreter else []
    command += ["--limit", str(limit)] if limit else []
    subprocess.run(command, check=True)


def run_format(protocol: Any, folder: Path, given: dict[str, Any]) -> EvalLog:
    task = generative(
        protocol=protocol,
        dataset="bcb_plus",
        sandbox="bubblewrap",
        grades=str(folder / "grades"),
        **given,
    )
    (log,) = eval(
        task,
        model="simulated/balanced",
        log_dir=str(folder / "logs"),
        display="none",
    )
    return log


def counted(log: EvalLog) -> tuple[tuple[int, ...], list[str]]:
    """A row of the table, and what is wrong."""
    if log.status != "success":
        raise click.ClickException(f"{log.status}: {log.error}")
    statuses, found, odd = Counter[str](), Counter[bool](), list[str]()
    for sample in log.samples or []:
        record = read_record(Store(sample.store))
        solution = solution_truth(sample.metadata["fingerprint"])
        assert record is not None
        assert solution is not None
        answers = {
            turn.participant: turn.field("answer") for turn in record.of_kind("answer")
        }
        grades = {grade.participant: grade for grade in record.grades}
        if not grades or grades.keys() != answers.keys():
            odd.append(f"{sample.id}: grades of {[*grades]} for {[*answers]}")
        for who, grade in grades.items():
            statuses[grade.status] += 1
            found[grade.reused] += 1
            answer = answers[who]
            right = answer.status == Status.OK and answer.value == solution.right
            if right != (grade.status == "pass"):
                odd.append(f"{sample.id}: {who} {grade.status} {grade.note}")
    known = (statuses["pass"], statuses["fail"])
    others = statuses.total() - sum(known)
    count = len(log.samples or [])
    return (count, *known, others, found[False], found[True]), odd


if __name__ == "__main__":
    main()
