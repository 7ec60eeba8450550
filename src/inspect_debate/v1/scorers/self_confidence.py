"""How sure was the model of what it said from memory, and does it know it?"""

from typing import get_args

from inspect_ai.scorer import SampleScore, Score, Target, Value
from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.conversation import RIGHT, shown_value
from inspect_debate.v1.debate.matching import right_answer
from inspect_debate.v1.debate.record import DebateRecord, TokensStatus, first_answer
from inspect_debate.v1.metrics.knowledge import tier
from inspect_debate.v1.scorers.common import (
    NAN,
    RecordScorer,
    Values,
    column,
    mean,
    over_scores,
    record_scorer,
    score_of,
)
from inspect_debate.v1.solvers.knowledge_conflict import CRITIC, DEFENDER, confident
from inspect_debate.v1.solvers.self_confidence import (
    answer_of,
    enough,
    estimate,
    readable,
)

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
    answer = first_answer(record.turns, CRITIC)
    tokens = None if answer is None else answer.tokens
    return None if tokens is None else tokens.status


def _share(right: list[bool]) -> float:
    return sum(right) / len(right)


def _number(value: float | None) -> float:
    return NAN if value is None else value


@over_scores
def calibration(scores: list[SampleScore]) -> Value:
    """How often the answer from memory is right, and the confidence's Brier score.

    By strict answers, each with its standard error, clustered by question.
    """
    right, stated = column(scores, "memory_right"), column(scores, "confidence")
    return mean("memory_right", scores, right) | mean(
        "brier", scores, (stated - right) ** 2
    )


@record_scorer(calibration)
def self_confidence() -> RecordScorer:
    """How sure the model was of its answer from memory, and whether that is right.

    Returns:
        A scorer with the values `memory_right` (the very words of the right answer) and
        `confidence`, a probability; where it comes from, and why from there, are in
        the score's metadata.
    """

    def score(record: DebateRecord, state: TaskState, target: Target) -> Score:
        sure = estimate(record, CRITIC)
        value = "none" if sure.value is None else f"{sure.value:.3f}"
        memory = answer_of(record, CRITIC)
        right = None if memory.value is None else memory.value == target.text
        scored = score_of(
            record,
            {
                "memory_right": NAN if right is None else float(right),
                "confidence": _number(sure.value),
            },
            explanation=f"**Answer from memory:** {shown_value(memory)}{RIGHT[right]}"
            f"  \n**Confidence:** {value} ({sure.reason})",
            metadata={"source": sure.source, "reason": sure.reason},
        )
        scored.answer = shown_value(memory)
        return scored

    return score
