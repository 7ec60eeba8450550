"""`inspect-debate export`: debates and turns as files."""

import click


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("--out", required=True, metavar="DIR", help="The folder to write into.")
@click.option(
    "--redact",
    is_flag=True,
    help="Mask all runs of words of the data set, for files that others will see.",
)
@click.option(
    "--format",
    type=click.Choice(["csv", "jsonl", "parquet"]),
    default="csv",
    show_default=True,
    help="The kind of files.",
)
def export(logs: tuple[str, ...], out: str, redact: bool, format: str) -> None:
    """Write the debates and turns of LOGS, files or folders, with all their texts."""
    # Loads pandas, which the other subcommands can do without.
    from inspect_debate.reports.export import export as write

    for caution in write(logs, out, redact=redact, format=format):
        click.echo(f"Warning: {caution}", err=True)
    click.echo(f"Wrote {out}/debates.{format} and {out}/turns.{format}.")
