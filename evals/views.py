"""What the viewer shows first."""

from inspect_ai.viewer import (
    SampleScoreView,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

HIDDEN_FIELDS = ("input", "duration", "tokens", "sampleStatus")
_COMMON = ("correct", "debated", "calls", "tokens")
_STATUSES = tuple(
    f"{kind}_{what}"
    for kind in ("answer", "speech", "verdict")
    for what in ("turns", "unparsed", "refused", "truncated")
)
_OUTCOMES = ("tied", "unparsed", "refused", "truncated", "missing")
_DEBATERS = ("debater_a", "debater_b")
HIDDEN_SCORES = {
    "error_detection": (
        *("gold", "prediction", "agreed_before", "verdicts"),
        *(f"outcome_{status}" for status in _OUTCOMES),
    ),
    "debate_process": (
        *(*_COMMON, "right_to_wrong", "wrong_to_right", "speeches", "over_word_limit"),
        *("verdicts", "shown_first", "reasks", "reused_calls", "reused_tokens"),
        *("input_tokens", "cached_tokens", "output_tokens", *_STATUSES),
        *("quoting_speeches", "quotes", "duplicate", "empty"),
        *("from_input", "from_response"),
        *(f"confidence_{debater}" for debater in _DEBATERS),
        *(f"right_{debater}" for debater in _DEBATERS),
    ),
}


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
    # Columns that are not named here would be shown after these.
    columns += [TaskSamplesColumn(id=id, visible=False) for id in HIDDEN_FIELDS]
    columns += [
        TaskSamplesColumn.score(scorer, key, visible=False)
        for scorer, keys in HIDDEN_SCORES.items()
        for key in keys
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
