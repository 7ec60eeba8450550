"""Running tasks in-process, quietly, and reading what came out."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, Model
from inspect_ai.scorer import Score, Scorer
from inspect_ai.solver import Solver
from inspect_ai.util import Store

from inspect_debate.v1.datasets import sources as answer_key
from inspect_debate.v1.debate.paths import AnyPath
from inspect_debate.v1.debate.record import DebateRecord, read_record
from inspect_debate.v1.debate.seeds import fingerprint
from tests.v1.support.measures.every import known_of, measures

TASK = (
    "State the sum of 17 and 25 in one sentence. The sentence must name the unit, km."
)
WRONG = "The sum of 17 and 25 is 52 km."
QUIET: dict[str, Any] = {
    "display": "log",
    "log_realtime": False,
    "score_display": False,
}
"""Nothing is computed only to be shown; display "none" would render all metrics."""


def item(
    id: str = "item", response: str = WRONG, label: str = "error", task: str = TASK
) -> Sample:
    """An item of the shape that the loader makes."""
    content = fingerprint(task, response)
    answer_key.register_truth(content, label)
    return Sample(
        id=id,
        input=[ChatMessageUser(content=task), ChatMessageAssistant(content=response)],
        target=label,
        metadata={
            "subset": "math",
            "response_author": "gpt4",
            "fingerprint": content,
            "input_group": fingerprint(task),
        },
    )


def run(
    task: Task | Callable[..., Task],
    log_dir: AnyPath,
    model: str | Model = "simulated/balanced",
    roles: Mapping[str, str | Model | Sequence[str | Model]] | None = None,
    *,
    success: bool = True,
    **settings: Any,
) -> EvalLog:
    """Run a task in this process; checks by default that it succeeded."""
    (log,) = eval(
        task, model=model, model_roles=roles, log_dir=str(log_dir), **QUIET | settings
    )
    if success:
        assert log.status == "success", log.error
    return log


def run_solver(
    solver: Solver,
    samples: Sample | Sequence[Sample],
    log_dir: Path,
    model: str | Model = "simulated/balanced",
    roles: Mapping[str, str | Model | Sequence[str | Model]] | None = None,
    *,
    scorer: Scorer | list[Scorer] | None = None,
    **settings: Any,
) -> EvalLog:
    """Run a task that has these samples and this solver."""
    items = [samples] if isinstance(samples, Sample) else samples
    task = Task(dataset=dataset(*items), solver=solver, scorer=scorer)
    return run(task, log_dir, model, roles, **settings)


def dataset(*samples: Sample) -> MemoryDataset:
    """Items as a data set."""
    return MemoryDataset(list(samples))


def samples(log: EvalLog) -> list[EvalSample]:
    """A log's samples."""
    assert log.samples is not None
    return log.samples


def record(sample: EvalSample) -> DebateRecord:
    """A sample's record."""
    found = read_record(Store(sample.store))
    assert found is not None
    return found


def score_of(sample: EvalSample, scorer: str) -> Score:
    """A sample's score, as the log has it."""
    assert sample.scores is not None
    return sample.scores[scorer]


def records(log: EvalLog) -> list[DebateRecord]:
    """The records of a log's samples."""
    return [record(sample) for sample in samples(log)]


def metrics(log: EvalLog, scorer: str) -> dict[str, float]:
    """All measures of one of a log's scorers, of which the log itself has few."""
    return measures(log, scorer)


def shown(log: EvalLog, scorer: str) -> dict[str, float]:
    """The few numbers of one of a log's scorers that the log itself has."""
    assert log.results is not None
    (score,) = [score for score in log.results.scores if score.scorer == scorer]
    return {name: float(metric.value) for name, metric in score.metrics.items()}


def values(sample: EvalSample, scorer: str) -> dict[str, float]:
    """All that a scorer knows of a sample, of which its score has little."""
    return known_of(sample, scorer)
