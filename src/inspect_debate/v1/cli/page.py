"""`inspect-debate page`: debates to read in a browser."""

import click


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("--out", required=True, metavar="DIR", help="The folder to write into.")
@click.option(
    "--viewer",
    default="http://127.0.0.1:7575",
    show_default=True,
    metavar="URL",
    help="Where `inspect view` serves the logs, to which each debate has a link.",
)
@click.option(
    "--allow-partial", is_flag=True, help="Also take runs that did not finish."
)
def page(logs: tuple[str, ...], out: str, viewer: str, allow_partial: bool) -> None:
    """Write a page with the debates of each of LOGS, files or folders."""
    # Loads pandas, which the other subcommands can do without.
    from inspect_debate.v1.reports.page import write_pages

    written = write_pages(logs, out, viewer=viewer, allow_partial=allow_partial)
    for notice in written.notices:
        click.echo(f"Warning: {notice}", err=True)
    for file in written.files:
        click.echo(f"Open {file} in a browser.")
