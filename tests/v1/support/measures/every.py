"""All measures of all scorers, over the scores of a log."""

from collections.abc import Mapping, Sequence

from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import SampleScore, Target
from inspect_ai.util import Store

from inspect_debate.v1.debate.record import read_record
from inspect_debate.v1.scorers.values import values_of
from tests.v1.support.measures import questions
from tests.v1.support.measures.columns import Measure, Scores

MEASURES: Mapping[str, Sequence[Measure]] = {
    "question_answering": [questions.accuracy],
    "debate_process": questions.PROCESS,
    "judge_check": [questions.judge_changes],
}


def known_of(sample: EvalSample, scorer: str) -> dict[str, float]:
    """All that a scorer knows of a sample; empty where it was not scored."""
    assert sample.scores is not None
    record = read_record(Store(sample.store))
    target = Target(sample.target)
    score = sample.scores[scorer]
    return values_of(_bare(scorer), score, record, target, sample.metadata) or {}


def measures(log: EvalLog, scorer: str) -> dict[str, float]:
    """All measures of one of a log's scorers; of another package's what the log has."""
    assert log.samples is not None
    if _bare(scorer) not in MEASURES:
        assert log.results is not None
        return {
            name: float(metric.value)
            for found in log.results.scores
            if found.name == scorer
            for name, metric in found.metrics.items()
        }
    scores = Scores(
        [
            SampleScore(
                score=sample.scores[scorer].model_copy(update={"value": values}),
                sample_id=sample.id,
                sample_metadata=sample.metadata,
            )
            for sample in log.samples
            if sample.scores
            and scorer in sample.scores
            and (values := known_of(sample, scorer))
        ]
    )
    return {
        name: float(number)
        for measure in MEASURES[_bare(scorer)]
        for name, number in measure(scores).items()
    }


def _bare(scorer: str) -> str:
    """A scorer's name without its package, and the number of one that came twice."""
    return scorer.rpartition("/")[2].rstrip("0123456789")
