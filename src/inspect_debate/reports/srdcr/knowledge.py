"""What a model knows without the passage, and whether its confidence tells."""

import numpy as np
import pandas as pd

from inspect_debate.metrics.knowledge import p_known_given, tier_shares
from inspect_debate.reports.drawing import Curve, curve_panels
from inspect_debate.reports.elements import PERCENT, Figure, Format, Notice, Table
from inspect_debate.reports.srdcr.calibration import SOURCES, taus
from inspect_debate.reports.srdcr.shown import LIMITS, by_model, model_title, needs
from inspect_debate.reports.srdcr.study import TIERS
from inspect_debate.reports.srdcr.tables import CLUSTERED, MODEL, with_ends

TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Thresholds of confidence for the table."""

USED = {"confidence": "the one used", **SOURCES}
"""The estimates of the confidence in the prior answer, as readers see them."""

_TWO_DIGITS = Format(2)


def tiers_table(estimates: pd.DataFrame) -> Table | None:
    """How many items are in each tier of knowledge, and how sure the model is there.

    Args:
        estimates: As from `estimates_of`.

    Returns:
        The table; None where nothing was recalled.
    """
    rows = [row for model in _recalled(estimates) for row in _tiers(*model)]
    if not rows:
        return None
    return Table(
        name="tiers",
        title="Tiers of knowledge, and confidence in them",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={
            "Share": PERCENT,
            "Normalised": PERCENT,
            "Prior right": PERCENT,
            **dict.fromkeys(
                ["Mean", "Lower quarter", "Median", "Upper quarter"], _TWO_DIGITS
            ),
            "Confident": PERCENT,
        },
        note="By the share of answers from memory that are right (strict): highly "
        "known from 85 %, maybe from 30 %, weakly above 0; normalised: by what answers "
        "say. Mean and quarters: of the confidence in the prior answer "
        "that was used, from 0 to 1; confident: at least tau. Items: of both halves, "
        f"each with a prior answer of its own. {CLUSTERED}",
    )


def known_table(estimates: pd.DataFrame) -> Table | None:
    """P(Highly Known | confidence >= tau) over tau, by the estimate of the confidence.

    Args:
        estimates: As from `estimates_of`.

    Returns:
        The table; None where nothing was recalled, or no confidence is known.
    """
    rows = [
        {MODEL: model_title(model), "Confidence from": told, **_known(of, column)}
        for model, of in _recalled(estimates)
        for column, told in USED.items()
        if column in of and of[column].notna().any()
    ]
    if not rows:
        return None
    return Table(
        name="known",
        title="Highly known, given a confidence of at least tau",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={f"{tau:.2f}": PERCENT for tau in TAUS},
        note="Percent of the items whose confidence reaches tau, and their number n. "
        "The paper states more than 88 at 0.90 and more than 95 at 0.95, for all of "
        f"its models. {CLUSTERED}",
    )


def _recalled(estimates: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The models of which answers were recalled, with the items of which they were."""
    known = estimates[estimates["tier"].notna()]
    return list(by_model(known).items())


def _tiers(model: str, rows: pd.DataFrame) -> list[dict[str, object]]:
    shares = tier_shares(rows["tier"], rows["question_id"])
    return [
        {
            MODEL: model_title(model),
            "Tier": TIERS[number],
            "Items": int((rows["tier"] == number).sum()),
            **with_ends("Share", share),
            "Normalised": (rows["tier_normalised"] == number).mean(),
            **_confidence(rows[rows["tier"] == number]),
        }
        for number, share in reversed(list(enumerate(shares)))
    ]


def _confidence(rows: pd.DataFrame) -> dict[str, object]:
    stated = rows["confidence"]
    return {
        "Prior right": rows["prior_strict"].mean(),
        "Mean": stated.mean(),
        "Lower quarter": stated.quantile(0.25),
        "Median": stated.median(),
        "Upper quarter": stated.quantile(0.75),
        "Confident": rows["confident"].mean(),
    }


def _known(rows: pd.DataFrame, column: str) -> dict[str, float]:
    shares = p_known_given(rows[column], rows["tier"], TAUS, rows["question_id"])
    cells: dict[str, float] = {}
    for tau, share in zip(TAUS, shares, strict=True):
        cells |= {**with_ends(f"{tau:.2f}", share), f"{tau:.2f}: n": share.n}
    return cells


# How well confident answers are known, as section 3.2 of the paper asks.

_RECALL = ("-T protocol=srdcr -T recall_samples=32 --model M",)
_TAUS = np.linspace(0, 1, 51)


def known_figure(estimates: pd.DataFrame) -> Figure | Notice:
    """P(Highly Known | confidence >= tau) over tau, and who is above.

    Args:
        estimates: As from `estimates_of`.
    """
    panels = {
        f"{model_title(model)}, {source}, n={len(rows)}": _above(rows, column)
        for model, of in by_model(estimates).items()
        for column, source in SOURCES.items()
        if len(rows := of.dropna(subset=[column, "tier"]))
    }
    if not panels:
        return needs(
            "The figure of what is known", "recall beside a confidence", _RECALL
        )
    return Figure(
        name="figure_known",
        title="Highly known, given confidence",
        figure=curve_panels(
            panels,
            label="items (%)",
            x_label="threshold of confidence (%)",
            references=taus(estimates),
            limits=LIMITS,
        ),
        alt="Share of items that are highly known among those whose confidence reaches "
        "a threshold, and share of items that reach it, over the threshold.",
        note="Items with a confidence and recalls. The band is the 95 % interval, "
        "clustered by question. The paper says of all its models that more than 88 % "
        "are highly known at 90, and more than 95 % at 95.",
    )


def _above(rows: pd.DataFrame, column: str) -> dict[str, Curve]:
    known = p_known_given(rows[column], rows["tier"], _TAUS, rows["question_id"])
    value, low, high, n = (np.array(part) for part in zip(*known, strict=True))
    return {
        "highly known among them": Curve(_TAUS, value, low, high),
        "reach the threshold": Curve(_TAUS, n / len(rows)),
    }
