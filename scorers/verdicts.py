"""Did the judge rule rightly on every answer? (generative debate)"""

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from inspect_debate.core.generative import answer_id, answer_set_id
from inspect_debate.core.record import DebateRecord
from inspect_debate.core.rulings import proposers
from inspect_debate.core.rulings_card import rulings_card
from inspect_debate.scorers.common import (
    Metrics,
    by_bare_name,
    complete_record,
    score_of,
)
from inspect_debate.scorers.verdict_metrics import VERDICT_METRICS
from inspect_debate.scorers.verdict_values import verdict_values

_ANSWERED = {1.0: "right", 0.0: "wrong"}
"""What is shown of a judge's own answer, which may be long."""

_METRICS: Metrics = VERDICT_METRICS


@scorer(metrics=_METRICS)
def verdicts() -> Scorer:
    """Verdict accuracy, endorsed wrong answers, and all else that the study reports.

    Returns:
        A scorer whose values are those of `verdict_values` and the common ones.
    """

    async def score(state: TaskState, target: Target) -> Score:
        record = complete_record(state)
        if isinstance(record, Score):
            return record
        values = verdict_values(record)
        scored = score_of(
            record,
            target,
            values,
            explanation=rulings_card(record),
            metadata=_identity(record),
        )
        if not proposers(record):
            scored.answer = _ANSWERED.get(values["answer_right"], "(not known)")
        return scored

    return score


by_bare_name("verdicts", verdicts, _METRICS)


def _identity(record: DebateRecord) -> dict[str, object]:
    """Which answers were judged, with which prompts."""
    ids = {seat: answer_id(record, seat) for seat in proposers(record)}
    return {
        "answer_set_id": answer_set_id(record) if ids else None,
        "answer_ids": ids,
        "prompts": record.prompts.hash,
    }
