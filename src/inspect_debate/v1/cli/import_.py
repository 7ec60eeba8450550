"""`inspect-debate import`: published transcripts as logs."""

import sys
from collections.abc import Mapping
from typing import Any

import click


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
    from inspect_debate.v1.transcripts.llms_overconfidence import import_release

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
