"""`inspect-debate report`: the tables and figures of a study from logs."""

from collections.abc import Callable

import click

_Command = Callable[..., None]


@click.group()
def report() -> None:
    """Write the report of a study from the logs of its runs."""


def _arguments(command: _Command) -> _Command:
    """What the report of every study takes."""
    for decorate in (
        click.option(
            "--allow-partial", is_flag=True, help="Also take runs that did not finish."
        ),
        click.option(
            "--pages",
            is_flag=True,
            help="Also write DIR/debates: a page with the debates of each log.",
        ),
        click.option(
            "--out",
            required=True,
            metavar="DIR",
            help="Where to write; report.html is the page to open.",
        ),
        click.argument("logs", nargs=-1, required=True),
    ):
        command = decorate(command)
    return command


def _command(study: str, subject: str) -> None:
    @_arguments
    def command(
        logs: tuple[str, ...], out: str, allow_partial: bool, pages: bool
    ) -> None:
        # Seconds of import time, which no other command should pay.
        from inspect_debate.v1.debate.paths import any_path
        from inspect_debate.v1.reports.logs import study_logs
        from inspect_debate.v1.reports.page import linked, write_pages
        from inspect_debate.v1.reports.report import write_report
        from inspect_debate.v1.reports.studies import report as made

        found = made(study, logs, allow_partial=allow_partial)
        if pages:
            of_study = study_logs(logs, study, allow_partial=allow_partial)
            paths = [path for log in of_study for path in log.paths]
            write_pages(paths, any_path(out) / "debates", allow_partial=allow_partial)
            found = linked(found, "debates")
        written = write_report(found, out)
        click.echo(f"{len(written)} files; open {written[0]}")

    help = f"Report on {subject} from LOGS: log files, or folders of them."
    report.command(study, help=help)(command)


for study, subject in {
    "debate": "debates over questions",
    "judge_check": "judge checks",
}.items():
    _command(study, subject)
