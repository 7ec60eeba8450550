"""The report of each task, and of several, by its name."""

from importlib import import_module

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.reports.elements import Report
from inspect_debate.v1.reports.logs import LogPaths

# Each report's module and function; loaded when it is made, since that takes seconds.
REPORTS = {
    "debate": ("debate", "REPORT"),
    "judge_check": ("judges.check_report", "REPORT"),
}


def report(study: str, logs: LogPaths, *, allow_partial: bool = False) -> Report:
    """The report of a study, for `write_report`.

    Args:
        study: `debate` or `judge_check`.
        logs: Log files, or folders of them.
        allow_partial: Whether to take runs that did not finish, too.

    Raises:
        InputError: If there is no such study, or no log of it that can be read.
    """
    if study not in REPORTS:
        raise InputError(
            f"There is no report {study!r}; there are {', '.join(sorted(REPORTS))}."
        )
    module, function = REPORTS[study]
    make = getattr(import_module(f"inspect_debate.v1.reports.{module}"), function)
    made: Report = make(logs, allow_partial=allow_partial)
    return made
