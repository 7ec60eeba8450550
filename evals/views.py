"""What the viewer shows first."""

from inspect_ai.viewer import (
    SampleScoreView,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)


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
        TaskSamplesColumn(id="input", visible=False),
        TaskSamplesColumn(id="duration", visible=False),
        TaskSamplesColumn(id="tokens", visible=False),
    ]
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name="Items",
            multiline=False,
            columns=columns,
            sort=[TaskSamplesSort.score("error_detection", "correct", dir="asc")],
        ),
        sample_score_view=SampleScoreView(default="chips"),
    )
