"""What the viewer shows first."""

from collections.abc import Sequence

from inspect_ai.viewer import (
    SampleScoreView,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

from inspect_debate.solvers.formats import Format

# The viewer shows what is not named here after our columns; scores it always shows.
HIDDEN_FIELDS = ("input", "duration", "tokens", "sampleStatus")


def detection_view(debated: bool) -> ViewerConfig:
    """The sample list of an error-detection run: what was predicted, and how it went.

    Args:
        debated: Whether the protocol holds debates.
    """
    return _answers_view("Items", "error_detection", debated)


def question_view(debated: bool) -> ViewerConfig:
    """The sample list of debates about questions.

    Args:
        debated: Whether the protocol holds speeches.
    """
    return _answers_view("Questions", "question_answering", debated)


def _answers_view(name: str, scorer: str, debated: bool) -> ViewerConfig:
    columns = [
        TaskSamplesColumn(id="sampleId"),
        TaskSamplesColumn(id="target"),
        TaskSamplesColumn(id="answer"),
        TaskSamplesColumn.score(scorer, "correct"),
    ]
    if debated:
        columns += [
            TaskSamplesColumn.score(scorer, "debated"),
            TaskSamplesColumn.score("debate_process", "concessions"),
            TaskSamplesColumn.score("debate_process", "verified"),
            TaskSamplesColumn.score("debate_process", "unverified"),
        ]
    columns += [
        TaskSamplesColumn.score(scorer, "calls"),
        TaskSamplesColumn.score(scorer, "tokens"),
    ]
    sort = TaskSamplesSort.score(scorer, "correct", dir="asc")
    return _samples_view(name, columns, sort)


def clash_view(arm: str, judged: bool, answered: bool) -> ViewerConfig:
    """The sample list of questions about passages: what was answered, and how.

    Args:
        arm: The protocol's own arm.
        judged: Whether a judge decides.
        answered: Whether both answers are asked for.
    """
    columns = [
        TaskSamplesColumn(id="sampleId"),
        TaskSamplesColumn(id="target"),
        TaskSamplesColumn(id="answer"),
        TaskSamplesColumn.score("clash", "correct"),
        TaskSamplesColumn.score("clash", "standard"),
        TaskSamplesColumn.score("clash", "severity"),
        TaskSamplesColumn.score("clash", f"context_{arm}"),
    ]
    if answered:
        columns += [
            TaskSamplesColumn.score("clash", "agree"),
            TaskSamplesColumn.score("self_confidence", "confidence"),
        ]
    if judged:
        columns.append(TaskSamplesColumn.score("clash", "settled"))
    columns += [
        TaskSamplesColumn.score("clash", "calls"),
        TaskSamplesColumn.score("clash", "tokens"),
    ]
    sort = TaskSamplesSort.score("clash", "correct", dir="asc")
    return _samples_view("Questions", columns, sort)


def verdicts_view(format: Format) -> ViewerConfig:
    """The sample list of judged answers: which were right, and what was ruled.

    Args:
        format: How many answers are judged, and how it is spoken about them.
    """
    seats = ("a", "b")[: format.proposers]
    keys = ["correct", *(f"{of}_{s}" for s in seats for of in ("right", "endorsed"))]
    keys += ["answers_identical"] * (format.proposers == 2)
    keys += ["stance"] * (format == Format(1, "debate"))
    columns = [TaskSamplesColumn(id="sampleId"), TaskSamplesColumn(id="answer")]
    columns += [
        TaskSamplesColumn.score("verdicts", key) for key in (*keys, "calls", "tokens")
    ]
    sort = TaskSamplesSort.score("verdicts", "correct", dir="asc")
    return _samples_view("Tasks", columns, sort)


def bets_view(rounds: int, jury: bool) -> ViewerConfig:
    """The sample list of debates with bets: opening and closing bets, and who won.

    Args:
        rounds: The number of rounds, of which the last has the closing bets.
        jury: Whether there is one.
    """
    numbers = dict.fromkeys((1, rounds))  # of a single round there is one
    keys = [
        f"bet_{n}_{side}" for n in numbers for side in ("proposition", "opposition")
    ]
    keys += ["closing_excess", "bets_missing", "calls", "tokens"]
    columns = [TaskSamplesColumn(id="sampleId")]
    columns += [TaskSamplesColumn(id="answer")] * jury
    columns += [TaskSamplesColumn.score("bets", key) for key in keys]
    if jury:
        columns.append(TaskSamplesColumn.score("jury", "unanimous"))
    sort = TaskSamplesSort.score("bets", "closing_excess", dir="desc")
    return _samples_view("Debates", columns, sort)


def judge_check_view(checks: Sequence[str], labelled: bool) -> ViewerConfig:
    """The sample list of a judge check: a column for each check.

    Args:
        checks: What is changed.
        labelled: Whether there are human labels.
    """
    columns = [TaskSamplesColumn(id="sampleId"), TaskSamplesColumn(id="answer")]
    keys = ["correct", *checks, *["human"] * labelled, "calls", "tokens"]
    columns += [TaskSamplesColumn.score("judge_check", key) for key in keys]
    sort = TaskSamplesSort.score("judge_check", checks[-1], dir="desc")
    return _samples_view("Debates", columns, sort)


def _samples_view(
    name: str, columns: list[TaskSamplesColumn], sort: TaskSamplesSort
) -> ViewerConfig:
    hidden = [TaskSamplesColumn(id=id, visible=False) for id in HIDDEN_FIELDS]
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name=name, multiline=False, columns=[*columns, *hidden], sort=[sort]
        ),
        sample_score_view=SampleScoreView(default="chips"),
    )
