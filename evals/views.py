"""What the viewer shows first."""

from inspect_ai.viewer import (
    SampleScoreView,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

# The viewer shows what is not named here after our columns; scores it always shows.
HIDDEN_FIELDS = ("input", "duration", "tokens", "sampleStatus")


def detection_view(debated: bool) -> ViewerConfig:
    """The sample list of an error-detection run: what was predicted, and how it went.

    Args:
        debated: Whether the protocol holds debates.
    """
    columns = [
        TaskSamplesColumn(id="sampleId"),
        TaskSamplesColumn(id="target"),
        TaskSamplesColumn(id="answer"),
        TaskSamplesColumn.score("error_detection", "correct"),
    ]
    if debated:
        columns += [
            TaskSamplesColumn.score("error_detection", "debated"),
            TaskSamplesColumn.score("debate_process", "concessions"),
            TaskSamplesColumn.score("debate_process", "verified"),
            TaskSamplesColumn.score("debate_process", "unverified"),
        ]
    columns += [
        TaskSamplesColumn.score("error_detection", "calls"),
        TaskSamplesColumn.score("error_detection", "tokens"),
    ]
    columns += [TaskSamplesColumn(id=id, visible=False) for id in HIDDEN_FIELDS]
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name="Items",
            multiline=False,
            columns=columns,
            sort=[TaskSamplesSort.score("error_detection", "correct", dir="asc")],
        ),
        sample_score_view=SampleScoreView(default="chips"),
    )
