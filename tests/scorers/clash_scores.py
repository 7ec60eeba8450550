"""Scores of hand-made records about passages, as metrics are given them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from inspect_ai.scorer import Metric, SampleScore, Score

from inspect_debate.debate.outcome import own_condition
from inspect_debate.debate.record import DebateRecord
from inspect_debate.scorers.knowledge_conflict import conflict_values
from tests.support.clash_records import (
    GOLD,
    PERTURBED,
    RIGHT_PASSAGE,
    SAYS,
    Said,
    Sure,
    contextual,
    held,
    picks,
    prior,
    series,
)


class Item(NamedTuple):
    """A half of a question, with what a run makes of it; severity 0: right passage."""

    question: str
    severity: int
    letters: str
    memory: Said = GOLD
    sure: Sure = 0.95
    passage: Said = None
    passage_sure: Sure = 0.8


def made(item: Item, protocol: str = "srdcr") -> DebateRecord:
    """The record of an item."""
    passage = item.passage or (SAYS if item.severity else GOLD)
    judged = picks if protocol == "judge_debate" else series
    votes = judged(item.letters) if item.letters else []
    rounds = {} if protocol != "srdcr" else {"rounds": len(item.letters)}
    answers = [prior(item.memory, item.sure), contextual(passage, item.passage_sure)]
    return held(protocol, *answers, *votes, **rounds)


def scored(items: Sequence[Item], protocol: str = "srdcr") -> list[SampleScore]:
    """Scores as Inspect gives them to a metric that takes them unreduced."""
    found = []
    for item in items:
        facts = RIGHT_PASSAGE
        if item.severity:
            facts = PERTURBED._replace(severity=item.severity)
        record = made(item, protocol)
        found.append(
            SampleScore(
                score=Score(
                    value=conflict_values(record, facts),
                    metadata={"arm": own_condition(record)},
                ),
                sample_id=f"{item.question}-{item.severity}",
                sample_metadata={"question_id": item.question},
            )
        )
    return found


def of(metric: Metric, scores: list[SampleScore]) -> dict[str, float]:
    """A metric's numbers."""
    value = metric(scores)  # type: ignore[arg-type]  # the union has the old form, too
    assert isinstance(value, Mapping)
    return {name: float(str(number)) for name, number in value.items()}
