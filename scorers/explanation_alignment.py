"""Was the error found for the right reason? A grader compares it with the experts'."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import SampleScore, Score, Target, Value
from inspect_ai.solver import TaskState

from inspect_debate.debate.outcome import outcome
from inspect_debate.debate.record import DebateRecord, Turn
from inspect_debate.debate.rendering import as_shown, block, paragraphs
from inspect_debate.scorers.common import (
    COUNTS,
    NAN,
    RecordScorer,
    Values,
    column,
    mean,
    over_scores,
    record_scorer,
    score_of,
)
from inspect_debate.scorers.grader import (
    Grader,
    Graders,
    grade_metadata,
    grader_failed,
    grading_values,
    read_alignment,
)


def alignment_values(applicable: bool, grade: Turn | None) -> Values:
    """What was graded, and how.

    Args:
        applicable: Whether there is an error and the debate found it.
        grade: The grader's turn; None where there is nothing to compare with.

    Returns:
        `aligned` (1, 0, NaN where it was not graded or could not be read); 0 or 1 for
        `alignment_applicable`, `alignment_no_explanation` and why a grade could not be
        read; the grader's calls and tokens.
    """
    aligned = None if grade is None else grade.field("aligned").value
    return {
        "aligned": NAN if aligned is None else float(aligned),
        "alignment_graded": float(aligned is not None),
        "alignment_applicable": float(applicable),
        "alignment_no_explanation": float(applicable and grade is None),
        **grading_values("alignment", [grade] if grade else [], "aligned"),
    }


@over_scores
def alignment(scores: list[SampleScore]) -> Value:
    """The share of aligned reasoning among graded true positives, with its error.

    Not comparable with the paper's Figure 5b, whose prompt is not printed.
    """
    return mean("aligned_share", scores, column(scores, "aligned"))


@record_scorer(alignment)
def explanation_alignment(prompts: str | None = None) -> RecordScorer:
    """Does the reasoning behind a found error agree with the human explanation?

    The reasoning is that of the judges who said that there is an error; where no judge
    was asked, of the last answers that say so (ColMAD, Figure 5b). The explanation is
    the sample's metadata `explanation`.

    Args:
        prompts: A YAML file laid over the prompts of `grading`.

    Returns:
        A scorer with the value `aligned`: 1, 0, or NaN where nothing was graded; all
        of `alignment_values` are in the score's metadata under `counts`. The model of
        role `grader` compares, or that of `judge` or `debater_a`, or the main model,
        where it is unbound.
    """
    graders = Graders(prompts)

    async def score(record: DebateRecord, state: TaskState, target: Target) -> Score:
        applicable = target.text == outcome(record).answer == "error"
        explanation = str(state.metadata.get("explanation") or "").strip()
        if not (applicable and explanation):
            return _score(record, applicable, None, _why_not(applicable))
        grader = graders.of(state, record)
        try:
            grade = await _compare(grader, explanation)
        except Exception as error:  # each provider has its own type
            return grader_failed(error)
        facts = grader.logged() | {"grades": [grade_metadata(grade, "aligned")]}
        return _score(record, applicable, grade, grade.public, facts)

    return score


def _score(
    record: DebateRecord,
    applicable: bool,
    grade: Turn | None,
    explanation: str,
    facts: Mapping[str, Any] | None = None,
) -> Score:
    values = alignment_values(applicable, grade)
    return score_of(
        record,
        {"aligned": values["aligned"]},
        explanation,
        {**(facts or {}), COUNTS: values},
    )


async def _compare(grader: Grader, explanation: str) -> Turn:
    texts = (as_shown(turn.public) for turn in _reasoning(grader.record))
    about = {
        "explanation": as_shown(explanation),
        "reasoning": paragraphs(block("argument", text) for text in texts),
    }
    return await grader.grade("alignment", about, read_alignment, "aligned")


def _reasoning(record: DebateRecord) -> list[Turn]:
    """The turns that led to the prediction of an error."""
    decisive = record.of_kind("verdict") or record.last_answers()
    return [turn for turn in decisive if turn.field("answer").value == "error"]


def _why_not(applicable: bool) -> str:
    if applicable:
        return "The error was found, but there is no human explanation to compare with."
    return "Not graded: there is no error, or none was found."
