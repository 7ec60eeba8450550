"""`inspect-debate compare`: runs of any Inspect tasks, paired."""

import json

import click


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "--metric",
    required=True,
    metavar="M",
    help="What is compared: a scorer, SCORER.KEY, or a key or `accuracy` where that is "
    "unambiguous.",
)
@click.option(
    "--factor",
    multiple=True,
    metavar="F",
    help="What the comparison is about, such as protocol, model or temperature; all "
    "else that differs is a confound. Repeatable. Default: the only thing that "
    "differs, or else the protocol.",
)
@click.option(
    "--baseline",
    metavar="LOG",
    help="Compare the others only with this one, and not with each other.",
)
@click.option(
    "--margin",
    type=float,
    metavar="X",
    help="Test whether the difference is smaller than this, in the metric's unit: 0.05 "
    "for five percentage points.",
)
@click.option(
    "--out", metavar="DIR", help="Also write the report there, as HTML and CSV files."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, unrounded.")
@click.option(
    "--allow-partial", is_flag=True, help="Also take runs that did not finish."
)
def compare(
    logs: tuple[str, ...],
    metric: str,
    factor: tuple[str, ...],
    baseline: str | None,
    margin: float | None,
    out: str | None,
    as_json: bool,
    allow_partial: bool,
) -> None:
    """Compare LOGS, files or folders, on the samples that all of them have.

    The report first lists everything that differs between the runs. Logs of any Inspect
    task will do.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.v1.reports.compare.comparison import compare as compared
    from inspect_debate.v1.reports.compare.report import comparison_report, plain_values
    from inspect_debate.v1.reports.terminal import terminal_text

    found = compared(
        logs,
        metric,
        factor=factor,
        baseline=baseline,
        margin=margin,
        allow_partial=allow_partial,
    )
    if as_json:
        click.echo(json.dumps(plain_values(found), indent=2, ensure_ascii=False))
    else:
        click.echo(terminal_text(comparison_report(found)), nl=False)
    if out is not None:
        from inspect_debate.v1.reports.report import write_report

        written = write_report(comparison_report(found, provenance=True), out)
        click.echo(f"{len(written)} files; open {written[0]}", err=as_json)
