"""What a debate's graded bets add up to; sums over debates make the paper's tables."""

from collections.abc import Sequence

from inspect_debate.core.record import Turn
from inspect_debate.scorers.bet_grading import (
    ASSESSMENTS,
    DEGREES,
    LINES,
    YES_NO,
    BetGrade,
)
from inspect_debate.scorers.common import Values
from inspect_debate.scorers.grader import NOT_GRADED, grading_values

FLAGS = {"present": "yes", "absent": "no"}
"""Whether the reasoning states a figure, as the tables call it and as a grade does."""

NAMED = ("overbetting", "underbetting")
"""What a malformed assessment can name: the table folds such into what they name."""


def alignment_values(
    grades: Sequence[BetGrade], eligible: int, turns: Sequence[Turn] = ()
) -> Values:
    """Counts over one debate's bets, to be summed over debates.

    Tables 17 to 19 of the confidence study follow from them: shares of `graded`, in all
    and where the numeric confidence is `present` or `absent`. Labels as coded; Table 17
    folds `assessment_malformed_overbetting` into Overbetting, and Table 18 prints sums
    of rounded parts (10.0 + 0.5 and 15.0 + 0.7, where the shares are 10.45 and 15.65).

    Args:
        grades: A grade for each bet that has one.
        eligible: How many bets were to be graded.
        turns: The grader's turns, where it was asked.

    Returns:
        `eligible`; `graded`, the grades with an assessment, malformed ones among them;
        `assessment_*` (`_aligned`, `_overbetting`, `_underbetting`, `_malformed`, and
        of these `_malformed_overbetting` and `_malformed_underbetting`) and `degree_*`,
        these also under `present_` and `absent_`; `numeric_present`, `numeric_absent`,
        `strategic_yes`, `strategic_no`; for each field how many labels were read,
        malformed, or not read and why (`<field>_read`, `_malformed`, `_unparsed`...);
        `gap_n` bets beside a stated confidence, with `gap_sum` (bet minus confidence)
        and `abs_gap_sum` in percent points; `grade_unparsed`..., the grades of which a
        field was not read; the grader's calls and tokens.
    """
    gaps = [grade.gap for grade in grades if grade.gap is not None]
    values: Values = {"eligible": eligible, **_labels("", grades)}
    for flag, said in FLAGS.items():
        among = [grade for grade in grades if grade.label("numeric") == said]
        values |= {f"numeric_{flag}": len(among), **_labels(f"{flag}_", among)}
    for said in YES_NO:
        values[f"strategic_{said}"] = _count(grades, "strategic", said)
    for field in LINES:
        values |= _reading(field, grades)
    return values | {
        "gap_n": len(gaps),
        "gap_sum": sum(gaps),
        "abs_gap_sum": sum(abs(gap) for gap in gaps),
        **grading_values("grade", turns, "graded"),
    }


def _labels(prefix: str, grades: Sequence[BetGrade]) -> Values:
    """How often each assessment and degree was given."""
    malformed = [
        grade.as_coded["assessment"].lower().split()
        for grade in grades
        if "assessment" in grade.as_coded
    ]
    values: Values = {
        f"assessment_{label}": _count(grades, "assessment", label)
        for label in ASSESSMENTS
    }
    values["assessment_malformed"] = len(malformed)
    values = {"graded": sum(values.values())} | values
    for label in NAMED:
        named = [words for words in malformed if {*ASSESSMENTS} & {*words} == {label}]
        values[f"assessment_malformed_{label}"] = len(named)
    for label in DEGREES:
        values[f"degree_{label}"] = _count(grades, "degree", label)
    return {f"{prefix}{key}": value for key, value in values.items()}


def _reading(field: str, grades: Sequence[BetGrade]) -> Values:
    """How many labels of a field were read, and what became of the others."""
    unread = [g.fields[field].status for g in grades if field not in g.as_coded]
    return {
        f"{field}_read": sum(grade.label(field) is not None for grade in grades),
        f"{field}_malformed": sum(field in grade.as_coded for grade in grades),
        **{f"{field}_{status}": unread.count(status) for status in NOT_GRADED},
    }


def _count(grades: Sequence[BetGrade], field: str, label: str) -> int:
    return sum(grade.label(field) == label for grade in grades)
