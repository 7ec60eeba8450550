"""All measures of all scorers, over the scores of a log."""

from collections.abc import Mapping, Sequence

from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import Metric, SampleScore, Target
from inspect_ai.util import Store

from inspect_debate.debate.record import read_record
from inspect_debate.scorers.values import values_of
from tests.support.measures import (
    bet_alignment,
    debate_hacking,
    debate_process,
    explanation_alignment,
    judge_check,
    question_answering,
)
from tests.support.measures.bets import BET_METRICS
from tests.support.measures.clash import CLASH_METRICS
from tests.support.measures.error_detection import DETECTION_METRICS
from tests.support.measures.jury import JURY_METRICS
from tests.support.measures.self_confidence import CONFIDENCE_METRICS
from tests.support.measures.verdicts import VERDICT_METRICS

MEASURES: Mapping[str, Sequence[Metric | dict[str, list[Metric]]]] = {
    "error_detection": DETECTION_METRICS,
    "question_answering": [question_answering.answering()],
    "debate_process": [
        debate_process.changes(),
        debate_process.process(),
        debate_process.quote_shares(),
        debate_process.calibration(),
    ],
    "debate_hacking": [debate_hacking.hacking()],
    "explanation_alignment": [explanation_alignment.alignment()],
    "bets": BET_METRICS,
    "jury": JURY_METRICS,
    "bet_alignment": [bet_alignment.bet_alignment_metrics()],
    "clash": CLASH_METRICS,
    "self_confidence": CONFIDENCE_METRICS,
    "verdicts": VERDICT_METRICS,
    "judge_check": [judge_check.judge_changes()],
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
    scores = [
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
    return {
        name: float(str(number))
        for metric in MEASURES[_bare(scorer)]
        for name, number in _of(metric, scores).items()
    }


def _bare(scorer: str) -> str:
    """A scorer's name without its package, and the number of one that came twice."""
    return scorer.rpartition("/")[2].rstrip("0123456789")


def _of(
    metric: Metric | dict[str, list[Metric]], scores: list[SampleScore]
) -> Mapping[str, object]:
    assert callable(metric)
    found = metric(scores)  # type: ignore[arg-type]  # the union has the old form, too
    assert isinstance(found, Mapping)
    return found
