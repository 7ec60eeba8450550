"""`inspect-debate judge-sheet`: debates for human judges, and their verdicts back."""

import click


@click.group("judge-sheet")
def judge_sheet() -> None:
    """Give debates to human judges, blinded, and read their verdicts."""


@judge_sheet.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("--out", required=True, metavar="DIR", help="The folder to write into.")
@click.option("--limit", type=int, metavar="N", help="How many debates to take in all.")
@click.option(
    "--per-stratum",
    type=int,
    metavar="N",
    help="How many debates to take at most of a run with the same right answer.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of what is drawn."
)
def write(
    logs: tuple[str, ...],
    out: str,
    limit: int | None,
    per_stratum: int | None,
    seed: int,
) -> None:
    """Write the debates of LOGS, files or folders, as a form and as a table."""
    # Loads pandas, which the other subcommands can do without.
    from inspect_debate.reports.judges.sheet import write_sheet

    written = write_sheet(logs, out, seed=seed, limit=limit, per_stratum=per_stratum)
    for notice in written.notices:
        click.echo(notice)
    click.echo(
        f"For the judges: {out}/{written.form.name} (a page to fill in) or "
        f"{out}/{written.table.name} (for a spreadsheet)."
    )
    click.echo(f"For you alone: {out}/{written.key.name}, which tells what is what.")


@judge_sheet.command()
@click.argument("filled", nargs=-1, required=True)
@click.option("--key", required=True, metavar="FILE", help="The key.json of the sheet.")
@click.option("--out", required=True, metavar="DIR", help="The folder to write into.")
@click.option(
    "--log",
    "logs",
    multiple=True,
    metavar="LOG",
    help="A log of the sheet, if it has been moved.",
)
@click.option(
    "--scored-logs",
    is_flag=True,
    help="Also write copies of the logs with people's scores in them.",
)
@click.option(
    "--judged-logs",
    is_flag=True,
    help="Also write logs in which people are the judges, one per person and log.",
)
def read(
    filled: tuple[str, ...],
    key: str,
    out: str,
    logs: tuple[str, ...],
    scored_logs: bool,
    judged_logs: bool,
) -> None:
    """Read FILLED sheets, one file per judge, named by the judge.

    Files of `inspect-debate judge` (.jsonl) are read, too.
    """
    # Loads pandas, which the other subcommands can do without.
    from inspect_debate.reports.judges.sheet_back import read_sheets
    from inspect_debate.reports.terminal import terminal_text

    back = read_sheets(
        *(filled, key, out),
        logs=logs,
        scored_logs=scored_logs,
        judged_logs=judged_logs,
    )
    click.echo(terminal_text(back.report))
    click.echo(f"Wrote {out}: the tables, and {len(back.scores)} files of scores.")
    for path in back.logs:
        click.echo(f"With people's scores: {path}")
    for path in back.judged:
        click.echo(f"Judged by a person: {path}")
