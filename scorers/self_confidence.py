"""How sure was the model of what it said from memory, and does it know it?"""

from collections.abc import Sequence
from typing import get_args

import numpy as np
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from inspect_debate.debate.matching import right_answer
from inspect_debate.debate.record import DebateRecord, TokensStatus
from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.metrics.knowledge import TIERS, p_known_given, tier, tier_shares
from inspect_debate.metrics.shares import share
from inspect_debate.scorers.common import (
    NAN,
    Metrics,
    Values,
    by_bare_name,
    clusters,
    column,
    complete_record,
    keys,
    score_of,
)
from inspect_debate.solvers.clash import CRITIC, DEFENDER, confident
from inspect_debate.solvers.self_confidence import answer_of, enough, estimate, readable

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


SOURCES = {"logprobs": 1.0, "self_consistency": 2.0}
"""Where a confidence was taken from, as the value `source` has it."""


def confidence_values(record: DebateRecord, gold: str) -> Values:
    """Confidences of the two answers, and knowledge recall.

    `confidence` is that of the prior answer, which the gate looks at: the one used, and
    apart those from log-probabilities and from self-consistency (of `draws` answers);
    `contextual_...` likewise of the contextual answer. `source` is 1 for
    log-probabilities, 2 for self-consistency; `confident` tells whether it reaches tau,
    and `tokens_<status>` what came of the request for log-probabilities.

    `recall_strict` and `recall_normalised` are the shares of `recall_draws` answers
    from memory that are right (NaN where less than half of the draws could be read),
    `tier` and `tier_normalised` their tiers: 0 unknown, 1 weakly, 2 maybe, 3 highly
    known. `prior_strict` and `prior_normalised` tell whether the prior answer is right.
    """
    sure, contextual = estimate(record, CRITIC), estimate(record, DEFENDER)
    prior = answer_of(record, CRITIC).value
    given = [turn.field("answer") for turn in record.of_kind("recall")]
    recalled = readable(given)
    known = enough(recalled, given)
    strict = _share([answer == gold for answer in recalled]) if known else NAN
    normalised = (
        _share([right_answer(answer, gold) for answer in recalled]) if known else NAN
    )
    reaches = confident(record)
    status = _tokens_status(record)
    return {
        "confidence": _number(sure.value),
        "confidence_logprobs": _number(sure.logprobs),
        "confidence_consistency": _number(sure.consistency),
        "contextual_confidence": _number(contextual.value),
        "contextual_logprobs": _number(contextual.logprobs),
        "contextual_consistency": _number(contextual.consistency),
        "source": NAN if sure.source is None else SOURCES[sure.source],
        "confident": NAN if reaches is None else float(reaches),
        **{f"tokens_{s}": float(s == status) for s in get_args(TokensStatus)},
        "draws": float(sure.draws),
        "recall_strict": strict,
        "recall_normalised": normalised,
        "recall_draws": float(len(recalled)),
        "tier": float(tier([strict])[0]),
        "tier_normalised": float(tier([normalised])[0]),
        "prior_strict": NAN if prior is None else float(prior == gold),
        "prior_normalised": NAN
        if prior is None
        else float(right_answer(str(prior), gold)),
    }


def _tokens_status(record: DebateRecord) -> TokensStatus | None:
    """What came of asking for the prior answer's log-probabilities; None if unasked."""
    answers = [t for t in record.of_kind("answer") if t.participant == CRITIC]
    tokens = answers[0].tokens if answers else None
    return None if tokens is None else tokens.status


def _share(right: list[bool]) -> float:
    return sum(right) / len(right)


def _number(value: float | None) -> float:
    return NAN if value is None else value


_METRICS: Metrics = CONFIDENCE_METRICS


@scorer(metrics=_METRICS)
def self_confidence() -> Scorer:
    """How sure the model was of its answer from memory, and how often it recalls it.

    Returns:
        A scorer whose values are those of `confidence_values` and the common ones,
        where `correct` is that of the prior answer; the source of the confidence, and
        why it was taken, stand in its metadata.
    """

    async def score(state: TaskState, target: Target) -> Score:
        record = complete_record(state)
        if isinstance(record, Score):
            return record
        sure = estimate(record, CRITIC)
        value = "none" if sure.value is None else f"{sure.value:.3f}"
        values = confidence_values(record, target.text)
        return score_of(
            record,
            target,
            {"correct": values["prior_strict"]} | values,
            explanation=f"**Confidence in the answer from memory:** {value}, from "
            f"{sure.source or 'nowhere'}: {sure.reason}.",
            metadata={"source": sure.source, "reason": sure.reason},
        )

    return score


by_bare_name("self_confidence", self_confidence, _METRICS)
