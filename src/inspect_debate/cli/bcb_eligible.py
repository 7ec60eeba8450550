"""`inspect-debate bcb-eligible`: which programming tasks can be graded here."""

import click

from inspect_debate.debate.errors import InputError, check_whole_number
from inspect_debate.debate.paths import local_path


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
    type=click.Choice(["bcb_plus", "bcb"]),
    default="bcb_plus",
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
    default=240,
    show_default=True,
    help="Time limit of a task, as in -T config.grading.seconds=.",
)
@click.option(
    "--memory-mb",
    default=2048,
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
    # Seconds of import time, which no other command should pay.
    from inspect_ai.dataset import MemoryDataset

    from inspect_debate.cli.eligible_runs import AGAIN, begun, grade, limits_of, show
    from inspect_debate.evals.generative import code_grader, load, of_data
    from inspect_debate.grading.eligible import read_checklist

    limits = limits_of(seconds, memory_mb, workers)
    if limit is not None:
        check_whole_number("--limit", limit, at_least=1)
    loaded = load(dataset, version, None, source, seed=0)
    grader = code_grader(sandbox, interpreter, unsafe_local, limits)
    path = local_path(out)
    head = {"data": of_data(loaded), "grader": grader.logged}
    try:
        known = begun(out, path, head)
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise InputError(f"--out={out} cannot be written: {error.strerror}.") from error
    done = {
        id
        for id, one in known.items()
        if one.status not in AGAIN and (one.status == "pass" or not again)
    }
    samples = list(loaded.dataset)[:limit]
    left = [sample for sample in samples if str(sample.id) not in done]
    with file:
        grade(MemoryDataset(left, name=dataset), grader, limits, file, log_dir)
    show(read_checklist(out), [str(sample.id) for sample in samples], out)
