"""What arms abstain on, and what that spares them."""

import pandas as pd

from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import PERCENT
from inspect_debate.analysis.srdcr.tables import (
    CLUSTERED,
    HALF_TITLES,
    MODEL,
    Rows,
    in_halves,
    rows_of,
    with_ends,
)
from inspect_debate.core.measures.abstention import Answered

_HALVES = (*HALF_TITLES.values(), "Overall")


def abstention_table(answers: pd.DataFrame) -> Table | None:
    """Accuracy, coverage and selective accuracy of the arms that abstain, by half.

    Args:
        answers: As from `answers_of`.

    Returns:
        The table; None where nothing abstained.
    """
    rows = [
        row
        for of in rows_of(answers)
        if (of.answers["answered"] == 0).any()
        for row in _by_half(of)
    ]
    if not rows:
        return None
    return Table(
        name="abstention",
        title="Abstentions",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats=dict.fromkeys(
            ["Accuracy", "Coverage", "Selective", *_SPARED.values()], PERCENT
        ),
        note="Percent; strict. Accuracy counts an abstention as not right, coverage is "
        "the share of answers, selective accuracy the share of right ones among them; "
        "none of the three says enough alone. The other columns: share of the "
        "abstentions where the prior or the contextual answer would have been right, "
        f"or neither. {CLUSTERED}",
    )


_SPARED = {
    "prior": "Prior was right",
    "contextual": "Passage's was right",
    "neither": "Neither was",
}


def _by_half(of: Rows) -> list[dict[str, object]]:
    found = in_halves(of.answers)
    return [
        {
            **of.named,
            "Half": title,
            **_measured(measures),
            **_spared(of.answers, half),
        }
        for half, title, measures in zip(
            (*HALF_TITLES, None), _HALVES, found, strict=True
        )
    ]


def _measured(found: Answered) -> dict[str, float]:
    return {
        **with_ends("Accuracy", found.accuracy),
        **with_ends("Coverage", found.coverage),
        **with_ends("Selective", found.selective),
    }


def _spared(answers: pd.DataFrame, half: str | None) -> dict[str, float]:
    """What the abstentions of a half, or of both together, would have been else."""
    here = answers if half is None else answers[answers["half"] == half]
    silent = here[here["answered"] == 0]
    prior, contextual = silent["strict_prior"] == 1, silent["strict_few_shot"] == 1
    shares = {
        "prior": prior,
        "contextual": contextual,
        "neither": ~(prior | contextual),
    }
    counts = {_SPARED[name]: which.mean() for name, which in shares.items()}
    return {"Abstentions": len(silent), **counts}
