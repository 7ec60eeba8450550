"""Calibration of confidences and knowledge over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `self_confidence`, score by score.
"""

from collections.abc import Sequence

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.metrics.knowledge import TIERS, p_known_given, tier_shares
from inspect_debate.metrics.shares import share
from inspect_debate.scorers.common import NAN, Metrics, clusters, column, keys

# Metrics over a model's confidence in what it says from memory, and its knowledge.

TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

_SOURCES = {
    "": "confidence",
    "_logprobs": "confidence_logprobs",
    "_consistency": "confidence_consistency",
}


@metric(scores="unreduced")
def calibration() -> Metric:
    """How well the confidence agrees with the prior answer being right (strict).

    Calibration error, Brier and logarithmic score of the confidence used, and of each
    source apart; `base_brier` is the Brier score of always stating the share right.
    """

    def over_items(scores: list[SampleScore]) -> Value:
        right = column(scores, "prior_strict")
        found: dict[str, float] = {}
        for suffix, key in _SOURCES.items():
            stated = column(scores, key)
            found |= {
                f"ece{suffix}": expected_calibration_error(stated, right),
                f"brier{suffix}": brier(stated, right),
                f"log_score{suffix}": log_score(stated, right),
            }
        known = right[~np.isnan(column(scores, "confidence")) & ~np.isnan(right)]
        rate = float(known.mean()) if known.size else NAN
        return found | {"base_brier": rate * (1 - rate), "prior_right": rate}

    return over_items


@metric(scores="unreduced")
def sources() -> Metric:
    """Where confidences came from, and why log-probabilities did not come.

    `confident_share` is the share that reaches tau; `sources_gap` the mean absolute
    difference of the two estimates on items that have both.
    """

    def over_items(scores: list[SampleScore]) -> Value:
        source = column(scores, "source")
        both = column(scores, "confidence_logprobs") - column(
            scores, "confidence_consistency"
        )
        gap = np.abs(both[~np.isnan(both)])
        return {
            "from_logprobs": float(np.sum(source == 1)),
            "from_consistency": float(np.sum(source == 2)),
            "without_confidence": float(np.sum(np.isnan(source))),
            "confident_share": share(
                column(scores, "confident"), clusters(scores)
            ).value,
            "sources_gap": float(gap.mean()) if gap.size else NAN,
            **{k: float(column(scores, k).sum()) for k in keys(scores, "tokens_")},
        }

    return over_items


@metric(scores="unreduced")
def knowledge() -> Metric:
    """Shares of the tiers of knowledge, and P(Highly Known | confidence >= tau).

    Where recall was asked for; by strict answers.
    """

    def over_items(scores: list[SampleScore]) -> Value:
        tiers, names = column(scores, "tier"), clusters(scores)
        found = {
            f"tier_{name.split()[0].lower()}": one.value
            for name, one in zip(TIERS, tier_shares(tiers, names), strict=True)
        }
        stated = column(scores, "confidence")
        given = p_known_given(stated, tiers, TAUS, names)
        return found | _by_tau(given)

    return over_items


def _by_tau(given: Sequence[Share]) -> dict[str, float]:
    return {
        f"known_at_{tau:g}": one.value for tau, one in zip(TAUS, given, strict=True)
    }


CONFIDENCE_METRICS: Metrics = [calibration(), sources(), knowledge()]
