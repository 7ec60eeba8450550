"""Logs that were made of released transcripts: what is known of them, and what not."""

from collections.abc import Iterator, Sequence

import pandas as pd

from inspect_debate.analysis.confidence.study import title
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Notice, Table
from inspect_debate.analysis.reporting.prose import listed

_KEY = "import"
_NAME = "What was found"


def is_rebuilt(log: Log) -> bool:
    """Whether a log was imported from released transcripts."""
    return bool(log.metadata.get("rebuilt"))


def transcript_notices(logs: Sequence[Log]) -> Iterator[Notice]:
    """Files that could not be read, and what no transcript has."""
    rebuilt = [log for log in logs if is_rebuilt(log)]
    stopped = {
        str(stop["file"]): str(stop["reason"])
        for log in rebuilt
        for stop in (log.metadata.get(_KEY) or {}).get("stopped", ())
    }
    if stopped:
        lines = [f"`{file}`: {reason}" for file, reason in stopped.items()]
        yield Notice(f"Transcripts that could not be read.\n\n{listed(lines)}")
    if rebuilt:
        names = [f"`{log.path.name}`" for log in rebuilt]
        yield Notice(
            "Made of released transcripts, which have neither prompts nor settings of "
            f"single calls: the prompts in these logs are rebuilt.\n\n{listed(names)}",
            "info",
        )


def transcripts_table(logs: Sequence[Log]) -> Table | None:
    """What the import counted in the transcripts; None without any."""
    rebuilt = [log for log in logs if is_rebuilt(log)]
    names = [title(str(log.metadata["protocol"])) for log in rebuilt]
    if len(set(names)) < len(names):
        names = [log.path.name for log in rebuilt]
    found = {
        name: log.metadata.get(_KEY) or {}
        for name, log in zip(names, rebuilt, strict=True)
    }
    if not any(found.values()):
        return None
    counts = {
        name: {key: n for key, n in told.items() if isinstance(n, int)}
        for name, told in found.items()
    }
    frame = pd.DataFrame(counts)
    frame.insert(0, _NAME, [str(key).replace("_", " ") for key in frame.index])
    return Table(
        name="transcripts",
        title="What is in the transcripts",
        frame=frame.reset_index(drop=True),
        note="Zeros are bets of 0: missing ones were not made. Placeholder reasonings "
        "are “NA”, and the like. Repeated debates are of the same models and motion.",
    )
