"""The simulated models, by the effects that are planted in them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from inspect_debate.debate.errors import InputError, check_known


class Profile(NamedTuple):
    """With which probability a simulated model does what.

    Attributes:
        finds_error: Says of an item with an error that it has one, by itself.
        clears: Says of an item without an error that it has none, by itself.
        knows: Answers a question with options, or in words, rightly by itself. Of
            questions with a passage, knows the right answer from memory.
        reads: Takes the answer from a passage that it is given.
        corrected: Corrects a wrong answer after reading another one that is right.
        misled: Gives up a right answer after reading another one.
        judge_collaborative: Judges rightly after a debate in which debaters say what
            they believe by now, if they disagree to the end.
        judge_competitive: Judges rightly after a debate in which they do not say it.
        follows_agreement: Judges for the answer on which the debaters agree at the end.
        first_listed: As a judge takes the answer listed first, without looking.
        concedes: Gives up a wrong side, in each round after the first.
        concedes_wrongly: Gives up a right side likewise.
        verified: Quotes what is there, word for word.
        verified_wrong: The same where its side is wrong.
        confidence: Mean stated probability of a final answer that is right.
        confidence_wrong: The same of one that is wrong.
        grades: Grades rightly, where it grades.
        unreadable: Writes a reply that cannot be read.
        mends: Mends it when reminded.
        refuses: Declines.
        cut_off: Stops in mid-sentence.
    """

    finds_error: float = 0.72
    clears: float = 0.66
    knows: float = 0.7
    reads: float = 0.94
    corrected: float = 0.45
    misled: float = 0.15
    judge_collaborative: float = 0.8
    judge_competitive: float = 0.64
    follows_agreement: float = 0.97
    first_listed: float = 0.05
    concedes: float = 0.35
    concedes_wrongly: float = 0.04
    verified: float = 0.95
    verified_wrong: float = 0.85
    confidence: float = 0.82
    confidence_wrong: float = 0.72
    grades: float = 0.9
    unreadable: float = 0.012
    mends: float = 0.75
    refuses: float = 0.0015
    cut_off: float = 0.0015


_BALANCED = Profile()
_SOUND = {"unreadable": 0.0, "refuses": 0.0, "cut_off": 0.0}

PROFILES: dict[str, Profile] = {
    "balanced": _BALANCED,
    "strong": _BALANCED._replace(
        finds_error=0.88,
        clears=0.84,
        knows=0.88,
        judge_collaborative=0.9,
        judge_competitive=0.76,
        concedes=0.5,
        verified=0.99,
        verified_wrong=0.95,
        confidence=0.9,
        unreadable=0.004,
    ),
    "weak": _BALANCED._replace(
        finds_error=0.58,
        clears=0.54,
        knows=0.5,
        corrected=0.3,
        misled=0.3,
        judge_collaborative=0.64,
        judge_competitive=0.55,
        first_listed=0.15,
        concedes=0.2,
        concedes_wrongly=0.1,
        verified=0.8,
        verified_wrong=0.65,
        confidence=0.86,
        confidence_wrong=0.84,
        grades=0.7,
        unreadable=0.04,
    ),
    "perfect": Profile(
        **dict.fromkeys(Profile._fields, 1.0)
        | dict.fromkeys(("misled", "first_listed", "concedes_wrongly"), 0.0)
        | {"confidence": 0.95, "confidence_wrong": 0.5}
        | _SOUND
    ),
    "always_error": _BALANCED._replace(finds_error=1.0, clears=0.0, **_SOUND),
    "first_listed": _BALANCED._replace(first_listed=1.0),
    "careless": _BALANCED._replace(
        unreadable=0.2, mends=0.5, refuses=0.04, cut_off=0.04
    ),
}
"""By the name after `simulated/`; a label may follow, as in `simulated/weak/anna`."""


def profile_of(name: str, changed: Mapping[str, Any]) -> Profile:
    """The profile of a model's name, with what `-M` changes in it.

    Raises:
        InputError: If there is no such profile, or if a value is no probability.
    """
    profile = name.split("/")[0]
    check_known("simulated model", profile, PROFILES)
    for parameter, value in changed.items():
        check_known("-M parameter", parameter, Profile._fields)
        if isinstance(value, bool) or not isinstance(value, int | float):
            value = -1
        if not 0 <= value <= 1:
            raise InputError(
                f"-M {parameter}={changed[parameter]} is not allowed: it should be a "
                "probability between 0 and 1."
            )
    return PROFILES[profile]._replace(**changed)
