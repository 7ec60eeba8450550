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
    type=click.Choice(["csv", "jsonl", "parquet", "transcripts"]),
    default="csv",
    show_default=True,
    help="The kind of files; `transcripts` is what `import transcripts` reads.",
)
def export(logs: tuple[str, ...], out: str, redact: bool, format: str) -> None:
    """Write the debates and turns of LOGS, files or folders, with all their texts."""
    if format == "transcripts":
        _write_transcripts(logs, out, redact=redact)
        return
    # Loads pandas, which the other subcommands can do without.
    from inspect_debate.reports.export import export as write

    for caution in write(logs, out, redact=redact, format=format):
        click.echo(f"Warning: {caution}", err=True)
    click.echo(f"Wrote {out}/debates.{format} and {out}/turns.{format}.")


def _write_transcripts(logs: tuple[str, ...], out: str, *, redact: bool) -> None:
    from inspect_debate.debate.errors import InputError
    from inspect_debate.debate.paths import user_path
    from inspect_debate.reports.debates import read_debates
    from inspect_debate.transcripts.format import transcript_of

    if redact:
        raise InputError(
            "--redact masks tables of debates and turns: give --format csv, jsonl or "
            "parquet with it."
        )
    folder = user_path(out)
    folder.mkdir(parents=True, exist_ok=True)
    written, without = 0, 0
    with (folder / "transcripts.jsonl").open("w", encoding="utf-8") as file:
        for log, sample, record in read_debates(logs):
            if record is None:
                without += 1
                continue
            name = log.metadata.get("condition", log.path.stem)
            line = transcript_of(record, sample, str(log.metadata["study"]), name)
            file.write(line.model_dump_json(exclude_defaults=True) + "\n")
            written += 1
    click.echo(f"Wrote {written} debates to {out}/transcripts.jsonl.")
    if without:
        click.echo(f"Warning: {without} samples have no debate.", err=True)
