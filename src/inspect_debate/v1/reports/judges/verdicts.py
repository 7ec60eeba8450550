"""Verdicts as a data frame: who judged which debate, what for, and was it right?"""

from inspect_ai.log import EvalSample

from inspect_debate.v1.debate.outcome import right_forms
from inspect_debate.v1.debate.record import DebateRecord

DEBATE = ["id", "epoch", "debate"]
"""The columns that say which debate a verdict is about."""


def right_answers(target: str | list[str], record: DebateRecord) -> set[str]:
    """The right answer as the record has it; empty where that is not known."""
    accepted = [target] if isinstance(target, str) else target
    # An arbitration is between sources of answers, whatever these are.
    if not accepted or record.aggregation == "arbitration":
        return set()
    right = right_forms(record, accepted)
    return right if record.answers_free else right & set(record.choices)


def group_of(sample: EvalSample) -> str:
    """What makes verdicts dependent: the input, or else the question."""
    known = sample.metadata
    return str(known.get("input_group", known.get("question_id", sample.id)))
