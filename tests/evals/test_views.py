"""The sample list names columns that exist."""

from pathlib import Path

from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesView

from inspect_debate.evals.colmad import colmad
from tests.support.runs import run, samples, values


def test_every_score_column_is_a_score(tmp_path: Path) -> None:
    task = colmad(source="sample")
    assert task.viewer is not None
    view = task.viewer.task_samples_view
    assert isinstance(view, TaskSamplesView)
    (sample,) = samples(run(task, tmp_path, limit=1))
    scores = {
        TaskSamplesColumn.score(scorer, key).id
        for scorer in ("error_detection", "debate_process")
        for key in values(sample, scorer)
    }
    prefix = TaskSamplesColumn.score("error_detection", "correct").id.split("error")[0]
    named = [column.id for column in view.columns or []]
    assert len(named) == len(set(named))
    shown = {id for id in named if id.startswith(prefix) and prefix}
    assert len(shown) == 7
    assert shown <= scores
