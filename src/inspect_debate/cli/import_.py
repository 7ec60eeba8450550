"""`inspect-debate import`: published transcripts as logs."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from inspect_debate.transcripts.importing import Lines


@click.group(name="import")
def import_() -> None:
    """Turn published transcripts into logs."""


@import_.command(name="llms-overconfidence")
@click.argument("folder", metavar="DIR")
@click.option("--out", required=True, metavar="LOGDIR", help="Where the logs go.")
@click.option("--force", is_flag=True, help="Overwrite existing logs.")
def llms_overconfidence(folder: str, out: str, force: bool) -> None:
    """Import the transcripts of "When Two LLMs Debate, Both Think They'll Win".

    DIR is the root of the release, or any folder of its transcripts. Each condition
    becomes one log, already scored. Files that cannot be read are listed with the
    reason and left out; the exit code is then 1.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.evals.confidence import VERSION, bets_view
    from inspect_debate.transcripts.llms_overconfidence import import_release

    done = import_release(folder, out, VERSION, bets_view, force=force)
    if done.counts:
        click.echo(_table(done.counts))
    for condition, found in done.counts.items():
        for zero in found["zeros"]:
            bet = f"{zero['side']} {zero['speech']} of {zero['debate']}"
            click.echo(f"{condition}: the 0 of {bet} is {zero['bet']}.")
    for stopped in done.stopped:
        click.echo(f"Not read: {stopped.file}: {stopped.reason}", err=True)
    click.echo(f"{len(done.logs)} logs in {out}; {len(done.stopped)} files not read.")
    if done.stopped:
        sys.exit(1)


@import_.command(name="transcripts")
@click.argument("file", metavar="FILE.jsonl")
@click.option("--out", required=True, metavar="LOGDIR", help="Where the logs go.")
@click.option("--force", is_flag=True, help="Overwrite existing logs.")
def transcripts(file: str, out: str, force: bool) -> None:
    """Import debates that were held elsewhere, one per line.

    The fields of a line are in docs/transcripts.md; `inspect-debate import schema`
    prints them as JSON Schema. Each condition becomes one log, already scored.
    """
    from functools import partial
    from pathlib import Path

    from inspect_debate.transcripts.importing import transcripts_in

    _import(partial(transcripts_in, file), Path(file).name, out, force=force)


@import_.command(name="schema")
def schema() -> None:
    """Print the JSON Schema of a line of `import transcripts`."""
    import json

    from inspect_debate.transcripts.format import Transcript

    click.echo(json.dumps(Transcript.model_json_schema(), indent=2))


@import_.command(name="nyu-debates")
@click.argument("file", metavar="FILE")
@click.option("--out", required=True, metavar="LOGDIR", help="Where the logs go.")
@click.option("--force", is_flag=True, help="Overwrite existing logs.")
def nyu_debates(file: str, out: str, force: bool) -> None:
    """Import the debates of "Debate Helps Supervise Unreliable Experts".

    FILE is debates.jsonl, or the same packed with xz. The four settings, debate and
    consultancy by people and by GPT-4, become one log each, already scored.
    """
    from functools import partial

    from inspect_debate.transcripts.nyu import SOURCE, rooms_in

    _import(partial(rooms_in, file), SOURCE, out, force=force)


@import_.command(name="realmistake-detectors")
@click.argument("path", metavar="PATH")
@click.option("--out", required=True, metavar="LOGDIR", help="Where the logs go.")
@click.option(
    "--data",
    metavar="SOURCE",
    help="The benchmark, as `-T source=` takes it, for the texts of items and to check "
    "their labels.  [default: data.zip in PATH, else none]",
)
@click.option(
    "--parser",
    type=click.Choice(["realmistake", "last_sentence"]),
    default="realmistake",
    show_default=True,
    help="How outputs are read; published numbers need `realmistake`.",
)
@click.option("--force", is_flag=True, help="Overwrite existing logs.")
def realmistake_detectors(
    path: str,
    out: str,
    data: str | None,
    parser: Literal["realmistake", "last_sentence"],
    force: bool,
) -> None:
    """Import what ReaLMistake's released detectors answered.

    PATH is a table of their labels (detector_labels.csv) or a folder with it, or a
    folder with their outputs as in the authors' repository. Each detector and prompt
    becomes one log of `protocol=single`, already scored. If anything is missing or not
    as released, nothing is imported.
    """
    from functools import partial

    from inspect_debate.transcripts.realmistake_detectors import (
        PARSER,
        SOURCE,
        data_beside,
        detectors_in,
    )

    data = data or data_beside(path)
    read = partial(detectors_in, path, data, parser)
    _import(read, SOURCE, out, force=force, named=False)
    if data is None:
        click.echo("The logs have no texts of items; --data adds them.", err=True)
    if parser != PARSER:
        click.echo(
            f"Their numbers are not the published ones, which need --parser={PARSER}.",
            err=True,
        )


def _import(
    read: "Callable[[], Lines]",
    source: str,
    out: str,
    *,
    force: bool,
    named: bool = True,
) -> None:
    """Write logs of debates, and say where they are."""
    from inspect_debate.evals import (
        colmad,
        confidence,
        debate,
        generative,
        judge_check,
        srdcr,
    )
    from inspect_debate.evals.tasks import answers_view
    from inspect_debate.transcripts.importing import TaskInfo, import_transcripts

    view = answers_view("Questions", "question_answering", debated=True)
    tasks = {
        "debate": TaskInfo(debate.VERSION, view),
        "colmad": TaskInfo(
            colmad.VERSION, answers_view("Items", "error_detection", debated=True)
        ),
        "confidence": TaskInfo(confidence.VERSION),
        "srdcr": TaskInfo(srdcr.VERSION),
        "generative": TaskInfo(generative.VERSION),
        "judge_check": TaskInfo(judge_check.VERSION),
    }
    import_transcripts(
        read, source, out, tasks, named=named, force=force, tell=click.echo
    )


def _table(counts: Mapping[str, Mapping[str, Any]]) -> str:
    """Numbers in rows, conditions in columns."""
    found = list(counts.values())
    names = [name for name, value in found[0].items() if isinstance(value, int)]
    rows = [["", *counts]]
    rows += [[name.replace("_", " "), *(str(f[name]) for f in found)] for name in names]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    )
