"""Whether the runs can be trusted: samples, statuses, and what texts hold."""

from collections.abc import Iterator, Mapping

import pandas as pd

from inspect_debate.analysis.confidence.alignment import SCORER, by_condition
from inspect_debate.analysis.confidence.study import model_name, title
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT

STATUSES = {
    "unparsed": "Unreadable",
    "refused": "Refused",
    "truncated": "Cut off",
    "missing": "Missing",
}
STAGES: Mapping[str, tuple[str, str]] = {
    "bets.bets": ("Bets", "bets.bets_ok"),
    "jury.verdicts": ("Verdicts", "jury.verdicts_ok"),
    f"{SCORER}.assessment": ("Grades", f"{SCORER}.graded"),
}
"""What is asked for, with its name and the column that counts what was read."""

_TEXTS = {
    "bets.bet_text_stripped": "Speak of bets",
    "bets.bet_text_left": "Still do when shown",
    "bets.short_speeches": "Short",
    "bets.reasks": "Asked again",
}


def samples_table(debates: pd.DataFrame) -> Table:
    """How many debates each condition has, and what became of them.

    Args:
        debates: As `Arms.frame` from `conditions`.
    """
    rows = [
        {
            "Condition": title(condition),
            "Debates": len(part),
            "Scored": int(part["scored"].sum()),
            "Failed": int(part["error"].notna().sum()),
            "Stopped by a limit": int(part["limit"].notna().sum()),
            "Models": len(_models(part)),
            "Motions": part["motion"].nunique(),
            "Epochs": part["epoch"].nunique(),
            "Logs": part["run"].nunique(),
        }
        for condition, part in by_condition(debates).items()
    ]
    return Table("samples", "Debates", pd.DataFrame(rows))


def status_table(debates: pd.DataFrame) -> Table | None:
    """What could not be read, by condition and stage; None where everything could."""
    rows = [row for row in statuses(debates) if any(row[s] for s in STATUSES.values())]
    if not rows:
        return None
    return Table(
        name="statuses",
        title="What could not be read",
        frame=pd.DataFrame(rows),
        groups="Condition",
        formats={"Asked for": COUNT, **dict.fromkeys(STATUSES.values(), PERCENT)},
        note="Percent of what was asked for, after asking again. All else could be "
        "read.",
    )


def text_table(debates: pd.DataFrame) -> Table:
    """Speeches that speak of bets outside the tags, or are short, by condition."""
    rows = [
        {
            "Condition": title(condition),
            **{name: part[column].sum() for column, name in _TEXTS.items()},
        }
        for condition, part in by_condition(debates[debates["scored"]]).items()
    ]
    return Table(
        name="texts",
        title="Speeches with text on bets, and short ones",
        frame=pd.DataFrame(rows),
        formats=dict.fromkeys(_TEXTS.values(), COUNT),
        note="Speeches. Text on bets outside the tags is cut before others read a "
        "speech; what still speaks of bets then is counted, too. Short: below 200 "
        "characters. Asked again: completions that were replaced.",
    )


def statuses(debates: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Shares of what was asked for that could not be read, by condition and stage."""
    for condition, part in by_condition(debates[debates["scored"]]).items():
        for prefix, (stage, read) in STAGES.items():
            counts = {s: _sum(part, f"{prefix}_{s}") for s in STATUSES}
            asked = _sum(part, read) + sum(counts.values())
            if asked:
                shares = {name: counts[s] / asked for s, name in STATUSES.items()}
                yield {
                    "Condition": title(condition),
                    "Stage": stage,
                    "Asked for": asked,
                    **shares,
                }


def _models(debates: pd.DataFrame) -> set[str]:
    told = debates["sides"].dropna()
    return {model_name(model) for sides in told for model in sides.values()}


def _sum(rows: pd.DataFrame, column: str) -> float:
    return float(rows[column].sum()) if column in rows else 0.0
