"""The judge's series of verdicts: when it settles, and how often it turns."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import PERCENT, Format
from inspect_debate.analysis.srdcr.shown import share_of
from inspect_debate.analysis.srdcr.study import HALVES
from inspect_debate.analysis.srdcr.tables import CLUSTERED, HALF_TITLES, with_ends
from inspect_debate.analysis.srdcr.verdict_figures import by_debate
from inspect_debate.core.measures.settling import settling_round

_DEBATE, _FROM = "Debate", "From "


def settling_table(rounds: pd.DataFrame) -> Table | None:
    """From which round on verdicts stay constant, and how often they changed.

    Args:
        rounds: As from `rounds_of`.

    Returns:
        The table; None without debates.
    """
    rows = [
        {_DEBATE: title, **row}
        for title, of in by_debate(rounds).items()
        for row in _by_half(of)
    ]
    if not rows:
        return None
    frame = pd.DataFrame(rows)
    return Table(
        name="settling",
        title="When verdicts settle",
        frame=frame,
        groups=_DEBATE,
        formats={
            **{str(n): PERCENT for n in frame if str(n).startswith(_FROM)},
            "Changes": Format(2),
            "Never changed": PERCENT,
        },
        note="Percent of the debates whose last verdict could be read, by the round "
        "from which their verdicts are what they are at the end (round 0: the opening "
        "speeches). Changes: mean number of times that a verdict differs from the one "
        "before it, of those that could be read. Not judged: equal answers that were "
        "not debated, answers that could not be read, and debates without a verdict "
        "that could.",
    )


def verdicts_table(rounds: pd.DataFrame) -> Table | None:
    """How often the judge found the contextual answer reasonable, by round.

    Args:
        rounds: As from `rounds_of`.

    Returns:
        The table; None without debates.
    """
    rows = [
        {_DEBATE: title, "Round": round, **_reasonable(of[of["round"] == round])}
        for title, of in by_debate(rounds).items()
        for round in sorted(of["round"].unique())
    ]
    if not rows:
        return None
    return Table(
        name="verdicts",
        title="Verdicts for the passage by round",
        frame=pd.DataFrame(rows),
        groups=_DEBATE,
        formats=dict.fromkeys(HALF_TITLES.values(), PERCENT),
        note="Percent of the verdicts that could be read; right ones would be 100 for "
        f"standard and 0 for perturbed passages. {CLUSTERED}",
    )


def _reasonable(rows: pd.DataFrame) -> dict[str, float]:
    cells: dict[str, float] = {}
    for half, title in HALF_TITLES.items():
        part = rows[rows["half"] == half]
        cells |= with_ends(title, share_of(part, "verdict"))
    return cells | {"Verdicts": int(rows["verdict"].notna().sum())}


def _by_half(rounds: pd.DataFrame) -> Iterator[dict[str, object]]:
    for half in HALVES:
        series = (
            rounds[rounds["half"] == half]
            .pivot(index=["sample", "epoch"], columns="round", values="verdict")
            .to_numpy(dtype=float)
        )
        if not len(series):
            continue
        judged = series[~np.isnan(series).all(axis=1)]
        settled, changes = settling_round(judged), _changes(judged)
        known = settled[~np.isnan(settled)]
        shares = {
            f"{_FROM}{round}": float(np.mean(known == round)) if known.size else None
            for round in range(series.shape[1])
        }
        yield {
            "Half": HALF_TITLES[half],
            "Debates": len(judged),
            **shares,
            "Changes": changes.mean() if changes.size else None,
            "Never changed": np.mean(changes == 0) if changes.size else None,
            "Last not read": len(judged) - len(known),
            "Not judged": len(series) - len(judged),
        }


def _changes(series: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often a verdict differs from the last one before it that could be read."""
    filled = pd.DataFrame(series).ffill(axis=1).to_numpy()
    before, after = filled[:, :-1], filled[:, 1:]
    turned = (before != after) & ~np.isnan(before)
    return np.asarray(turned.sum(axis=1), dtype=np.float64)
