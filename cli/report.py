"""`inspect-debate report`: the tables and figures of a study from logs."""

from pathlib import Path

import click


@click.group()
def report() -> None:
    """Write the report of a study from the logs of its runs."""


@report.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    help="Where to write; report.html is the page to open.",
)
@click.option(
    "--allow-partial", is_flag=True, help="Take runs that did not finish, too."
)
def colmad(logs: tuple[str, ...], out: str, allow_partial: bool) -> None:
    """Report on ColMAD from LOGS: log files, or folders of them."""
    # Seconds of import time, which no other command should pay.
    from inspect_debate.analysis.colmad.report import colmad_report
    from inspect_debate.analysis.reporting.report import write_report

    written = write_report(colmad_report(logs, allow_partial=allow_partial), Path(out))
    click.echo(f"{len(written)} files; open {written[0]}")
