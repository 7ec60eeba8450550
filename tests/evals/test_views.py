"""The sample list shows its own columns and no others."""

from pathlib import Path

from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesView

from inspect_debate.evals.colmad import colmad
from tests.support.runs import run, samples, values


def test_every_score_is_shown_or_hidden_on_purpose(tmp_path: Path) -> None:
    task = colmad(source="sample")
    assert task.viewer is not None
    view = task.viewer.task_samples_view
    assert isinstance(view, TaskSamplesView)
    named = [column.id for column in view.columns or []]
    assert len(named) == len(set(named))
    (sample,) = samples(run(task, tmp_path, limit=1))
    for scorer in ("error_detection", "debate_process"):
        for key in values(sample, scorer):
            assert TaskSamplesColumn.score(scorer, key).id in named, (scorer, key)
