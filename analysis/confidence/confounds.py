"""In what conditions differ beside their names."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from inspect_debate.analysis.confidence.alignment import by_condition
from inspect_debate.analysis.confidence.notices import listed
from inspect_debate.analysis.confidence.study import title
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Notice


def confound_notices(debates: pd.DataFrame) -> Iterator[Notice]:
    """What keeps conditions from being compared by their names alone.

    Args:
        debates: As `Arms.frame` from `conditions`.
    """
    parts = by_condition(debates[debates["scored"]])
    shown = {
        c: part.iloc[0]["parameters"]["own_bets_shown"] for c, part in parts.items()
    }
    if len(set(shown.values())) > 1:
        yield Notice(
            "Conditions differ in whether debaters are shown their own earlier bets "
            "and reasoning again. What else differs between them, above all how bets "
            f"rise, may be due to that.\n\n{listed(list(_shown(shown)))}"
        )
    motions = {c: frozenset(part["motion"]) for c, part in parts.items()}
    if len(set(motions.values())) > 1:
        lines = [f"{title(c)}: {len(found)} motions" for c, found in motions.items()]
        yield Notice(
            "Conditions are not on the same motions, so that these are in their "
            f"differences, too.\n\n{listed(lines)}"
        )


def rebuilt_notices(logs: Sequence[Log]) -> Iterator[Notice]:
    """Logs of transcripts, of which prompts and settings are not on record."""
    names = [log.path.name for log in logs if is_rebuilt(log)]
    if names:
        yield Notice(
            "Made of released transcripts, which have neither prompts nor settings of "
            "single calls: the prompts in these logs are rebuilt.\n\n"
            f"{listed([f'`{name}`' for name in names])}",
            "info",
        )


def is_rebuilt(log: Log) -> bool:
    """Whether a log was imported from released transcripts."""
    return bool(log.metadata.get("rebuilt"))


def _shown(shown: Mapping[str, bool]) -> Iterator[str]:
    for value, words in ((True, "Shown"), (False, "Not shown")):
        names = [
            title(condition) for condition, given in shown.items() if given == value
        ]
        yield f"{words}: {'; '.join(names)}"
