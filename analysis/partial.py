"""Runs that did not finish: what a report says of them first."""

from collections.abc import Iterator, Sequence

from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Notice
from inspect_debate.analysis.reporting.prose import listed


def partial_notices(logs: Sequence[Log]) -> Iterator[Notice]:
    """Warn of runs that did not finish.

    Args:
        logs: The logs of the report.
    """
    told = [f"{log.path.name}: {log.unfinished}." for log in logs if log.unfinished]
    if told:
        yield Notice(
            "Partial: these runs did not finish, and samples are missing. Finish them "
            f"with `inspect eval-retry LOG`.\n\n{listed(told)}"
        )
