"""What scorers share."""

from math import nan

from inspect_ai.scorer import SampleScore, Score

from inspect_debate.debate.record import Debate, stored

Values = dict[str, float]


def debate_to_score() -> Debate | Score:
    """The record of the sample that is being scored, or why it is unscored.

    A debate that a limit or an error stopped is never scored as a whole one.
    """
    debate = stored()
    if not debate.protocol:
        reason = (
            "The solver of this task recorded no debate; use one of inspect_debate."
        )
    elif not debate.complete:
        reason = "The debate was stopped before its end."
    else:
        return debate
    return Score.unscored(reason="scoring_failed", explanation=reason)


def column(scores: list[SampleScore], name: str) -> list[float]:
    """A number in the value of each score; NaN where it is not scored."""
    values = [score.score.value for score in scores]
    dicts = [value if isinstance(value, dict) else {} for value in values]
    found = [value.get(name) for value in dicts]
    return [float(n) if isinstance(n, int | float) else nan for n in found]


def clusters(scores: list[SampleScore]) -> list[str]:
    """What the samples are clustered by: their input where it recurs, else their id."""
    metadata = [score.sample_metadata or {} for score in scores]
    return [
        str(own.get("input_group") or own.get("question_id") or score.sample_id)
        for own, score in zip(metadata, scores, strict=True)
    ]
