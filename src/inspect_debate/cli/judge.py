"""`inspect-debate judge`: a local page on which a person judges debates."""

import click


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("--judge", "name", required=True, metavar="NAME", help="Who judges.")
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    help="The folder with what judges said, each in a file; several may share it.",
)
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
@click.option(
    "--port",
    type=int,
    default=0,
    metavar="N",
    help="The port on this machine. Default: a free one.",
)
def judge(
    logs: tuple[str, ...],
    name: str,
    out: str,
    limit: int | None,
    per_stratum: int | None,
    seed: int,
    port: int,
) -> None:
    """Let a person judge the debates of LOGS step by step, on a page of this machine.

    Run again, the command goes on where the judge was. `judge-sheet read` reads what
    was said.
    """
    # Loads pandas and the web framework, which the other commands can do without.
    from inspect_debate.debate.paths import local_path
    from inspect_debate.reports.judges.server import serve
    from inspect_debate.reports.judges.sheet import sheet_of, write_key
    from inspect_debate.reports.judges.steps import SUFFIX, Judging, judge_name

    person = judge_name(name)
    folder = local_path(out)
    sheet = sheet_of(logs, seed=seed, limit=limit, per_stratum=per_stratum)
    key = write_key(sheet.key, folder)
    path = folder / f"{person}{SUFFIX}"
    for notice in sheet.notices:
        click.echo(notice)
    debates = {entry.code: entry.shown for entry in sheet.entries}
    judging = Judging(person, debates, path)
    judging.place()  # which reads the file, before anybody opens the page

    def tell(url: str) -> None:
        click.echo(f"For {person}: {url}")
        click.echo("Only this machine can open it. Ctrl+C stops; run again to go on.")

    serve(judging, port, tell)
    if path.exists():
        click.echo(
            f"Saved in {path}. To read it: inspect-debate judge-sheet read {path} "
            f"--key {key} --out DIR --judged-logs"
        )
