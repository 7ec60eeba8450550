"""The judge's verdicts on the contextual answer, and when they settle."""

import numpy as np
import pandas as pd

from inspect_debate.analysis.reporting.elements import Figure, Notice
from inspect_debate.analysis.reporting.formats import PERCENT
from inspect_debate.analysis.reporting.histograms import histogram_panels
from inspect_debate.analysis.reporting.panels import line_panels
from inspect_debate.analysis.srdcr.shown import (
    INTERVALS,
    LIMITS,
    by_model,
    debated,
    halves,
    model_title,
    needs,
    series,
    share_of,
    titled,
)
from inspect_debate.analysis.srdcr.study import HALVES, arms_in_order
from inspect_debate.core.measures.settling import settling_round

ROUND = "round (0: opening speeches)"
"""Of the axis of rounds, which are counted as in the scores."""

_RUNS = ("-T protocol=srdcr --model M",)


def verdict_figure(rounds: pd.DataFrame) -> Figure | Notice:
    """How often the judge found the contextual answer reasonable, by round.

    Args:
        rounds: As from `rounds_of`.
    """
    debates = by_debate(rounds)
    if not debates:
        return needs("The figure of verdicts", "debates with a judge", _RUNS)
    sizes = "; ".join(f"{halves(debated(of))} ({t})" for t, of in debates.items())
    return Figure(
        name="figure_verdicts",
        title="Verdicts for the contextual answer by round",
        figure=line_panels(
            {
                title: series(
                    {
                        half.title(): {
                            int(str(round)): share_of(of, "verdict")
                            for round, of in rows[rows["half"] == half].groupby("round")
                        }
                        for half in HALVES
                        if half in set(rows["half"])
                    }
                )
                for title, rows in debates.items()
            },
            label="reasonable (%)",
            x_label=ROUND,
            format=PERCENT,
            limits=LIMITS,
        ),
        alt="Share of verdicts that find the contextual answer reasonable over the "
        "rounds, a line for standard and one for perturbed passages, a panel per "
        "debate: " + ", ".join(debates) + ".",
        note="Of the verdicts that could be read. Right verdicts would be 100 % on "
        f"standard passages and 0 % on perturbed ones. {INTERVALS} Debates: {sizes}.",
    )


def settling_figure(rounds: pd.DataFrame) -> Figure | Notice:
    """From which round on verdicts are what they are at the end.

    Args:
        rounds: As from `rounds_of`.
    """
    debates = by_debate(rounds)
    settled = {
        f"{title}: {half}": known
        for title, rows in debates.items()
        for half in HALVES
        if len(known := _settled(rows[rows["half"] == half]))
    }
    if not settled:
        return needs("The figure of settling", "debates with a judge", _RUNS)
    last = int(rounds["round"].max())
    return Figure(
        name="figure_settling",
        title="The round from which verdicts stay constant",
        figure=histogram_panels(
            {f"{name}, n={len(known)}": known for name, known in settled.items()},
            np.arange(last + 2) - 0.5,
            label="debates (%)",
            x_label=ROUND,
            places=range(last + 1),
            columns=4 if len(debates) > 1 else 2,
        ),
        alt="Distribution of the round from which verdicts do not change any more, a "
        "panel per debate and half.",
        note="Debates whose last verdict could be read. At 0 no verdict was another "
        f"than the last one; at {last} the verdict before the last was.",
    )


def by_debate(rounds: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rounds of each model's debates and of their variants, each debate once.

    Args:
        rounds: As from `rounds_of`.
    """
    return {
        titled(model_title(model), variant): _first_arm(of)
        for model, rows in by_model(rounds).items()
        for variant, of in rows.groupby("variant")
    }


def _first_arm(rounds: pd.DataFrame) -> pd.DataFrame:
    """Both arms of a debate have its verdicts: the rows of one of them."""
    return rounds[rounds["arm"] == arms_in_order(rounds["arm"])[0]]


def _settled(rounds: pd.DataFrame) -> "pd.Series[float]":
    series = rounds.pivot(index=["sample", "epoch"], columns="round", values="verdict")
    return pd.Series(settling_round(series.to_numpy(dtype=float))).dropna()
