"""All values that scorers compute of a record, by scorer.

A score has the few values that people read. Reports need more of them, and compute them
here from the record: so a log has each value once, and old logs gain what was added.
"""

from collections.abc import Callable, Mapping
from typing import Any

from inspect_ai.scorer import Score, Target

from inspect_debate.v1.debate.judge_checks import HUMAN
from inspect_debate.v1.debate.outcome import graded
from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.scorers.common import COUNTS, Values, common_values
from inspect_debate.v1.scorers.debate_process import (
    change_values,
    confidence_values,
    process_values,
    quote_values,
)
from inspect_debate.v1.scorers.judge_check import check_values
from inspect_debate.v1.scorers.question_answering import question_values

Facts = Mapping[str, Any]


def values_of(
    scorer: str, score: Score, record: DebateRecord | None, target: Target, facts: Facts
) -> Values | None:
    """All values that a scorer of this suite knows of a sample.

    Args:
        scorer: Its name, with or without the package.
        score: What it gave.
        record: The sample's record, if it has one.
        target: The sample's target.
        facts: The sample's metadata.

    Returns:
        The values from the record and the score; None where the sample was not scored,
        or the scorer is none of those that score records.
    """
    if not isinstance(score.value, Mapping):
        return None
    if record is None or not record.complete:
        return None
    if scorer.rpartition("/")[2] in _OF_RECORDS:
        found = _recorded(scorer, score, record, target, facts)
    elif (logged := (score.metadata or {}).get(COUNTS)) is not None:
        found = common_values(*graded(record, target))
        found |= {key: _number(value) for key, value in logged.items()}
    else:
        return None
    return found | {k: _number(v) for k, v in score.value.items() if k not in found}


def _recorded(
    scorer: str, score: Score, record: DebateRecord, target: Target, facts: Facts
) -> Values:
    name = scorer.rpartition("/")[2]
    made = _OF_RECORDS[name]
    with_grades, gold = graded(record, target)
    # A human label is in the words of the answers as they were given.
    read = record if name == "judge_check" else with_grades
    return common_values(with_grades, gold) | made(read, gold, facts)


def _process(record: DebateRecord, gold: str, facts: Facts) -> Values:
    return {
        **change_values(record, gold),
        **process_values(record),
        **quote_values(record),
        **confidence_values(record, gold),
    }


_OF_RECORDS: Mapping[str, Callable[[DebateRecord, str, Facts], Values]] = {
    "question_answering": lambda record, gold, _: question_values(record, gold),
    "debate_process": _process,
    "judge_check": lambda record, gold, facts: check_values(record, facts.get(HUMAN)),
}


SCORERS = frozenset(_OF_RECORDS)
"""The scorers of which `values_of` knows more than their scores have."""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")
