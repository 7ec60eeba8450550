"""Debates with bets, and a grader's replies, made by hand."""

from typing import Any

from inspect_debate.v1.debate.record import DebateRecord, Parsed, Participant, Turn
from tests.v1.support.made import made_record, speech, verdict

LONG = "The other side will find this hard to answer. " * 3


def bet(
    participant: str, amount: float | None, round: int = 1, private: str = LONG
) -> Turn:
    """A speech with a bet; None is one that could not be read."""
    parsed = Parsed.unparsed() if amount is None else Parsed.ok(amount)
    return speech(participant, round, private=private, fields={"bet": parsed})


def betting(*turns: Turn, jury: bool = True, **changes: Any) -> DebateRecord:
    """A debate in which `debater_b` spoke for the motion, and a verdict on it."""
    verdicts = [verdict("proposition", public="SECRET verdict")] if jury else []
    sides = {"debater_a": "opposition", "debater_b": "proposition"}
    people = tuple(
        Participant(
            id=id,
            role="debater_a" if id == "debater_a" else "debater_b",
            name=side.title(),
            model=f"scripted/{id}",
            defends=side,
        )
        for id, side in sides.items()
    )
    values: dict[str, Any] = {
        "study": "confidence",
        "protocol": "cross_model",
        "parameters": {"rounds": 3},
        "choices": ("proposition", "opposition"),
        "aggregation": "confidence",
        "participants": people,
    }
    return made_record(*turns, *verdicts, **values | changes)


def grade(
    numeric: str = "yes",
    internal: str = "70",
    assessment: str = "Aligned",
    degree: str = "None",
    strategic: str = "no",
    words: str = "It goes by its words.",
) -> str:
    """A grader's reply."""
    return (
        f"{words}\n\nNumeric confidence: {numeric}\nInternal confidence: {internal}\n"
        f"Assessment: {assessment}\nDegree: {degree}\nStrategic: {strategic}"
    )
