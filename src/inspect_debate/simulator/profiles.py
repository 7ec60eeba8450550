"""The simulated models, by the effects that are planted in them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from inspect_debate.debate.errors import InputError, check_known


class Profile(NamedTuple):
    """With which probability a simulated model does what."""

    finds_error: float = 0.72  # alone says of an item with an error that it has one
    clears: float = 0.66  # alone says of an item without an error that it has none
    knows: float = 0.7  # answers other questions rightly from memory
    reads: float = 0.94  # takes the answer from a passage that it is given
    corrected: float = 0.45  # corrects a wrong answer after reading a different one
    misled: float = 0.15  # gives up a right answer after reading a different one
    # As a judge is right after a debate between debaters who disagree to the end, and
    # say what they believe by now, or do not say it; takes the answer listed first.
    judge_collaborative: float = 0.8
    judge_competitive: float = 0.64
    first_listed: float = 0.05
    concedes: float = 0.35  # gives up a wrong side, in each round after the first
    concedes_wrongly: float = 0.04  # gives up a right side likewise
    verified: float = 0.93  # quotes what is there, word for word
    confidence: float = 0.8  # mean stated of an answer that it argued for or has read
    bet: float = 0.72  # mean bet on winning in the first round about a motion
    escalates: float = 0.05  # by how much bets rise from each round to the next
    jury_agrees: float = 0.85  # as a juror votes for the side that debated better
    solves: float = 0.6  # solves a task whose answers are graded
    critic_right: float = 0.75  # as a critic has the right stance
    # As a judge rules that a right answer is correct; that a wrong one is, about which
    # it has read nothing, speeches that nobody replied to, or a debate.
    endorses_right: float = 0.84
    endorses_wrong_alone: float = 0.5
    endorses_wrong_consultancy: float = 0.52
    endorses_wrong_debate: float = 0.34
    unreadable: float = 0.012  # writes a reply that cannot be read
    refuses: float = 0.0015  # declines
    cut_off: float = 0.0015  # stops in mid-sentence


PROFILES: dict[str, Profile] = {
    "balanced": Profile(),
    "strong": Profile(
        finds_error=0.88,
        clears=0.84,
        knows=0.88,
        judge_competitive=0.76,
        solves=0.8,
        endorses_wrong_alone=0.3,
        endorses_wrong_consultancy=0.3,
        endorses_wrong_debate=0.2,
    ),
    "weak": Profile(
        finds_error=0.58,
        clears=0.54,
        knows=0.5,
        judge_competitive=0.55,
        solves=0.4,
        endorses_wrong_alone=0.6,
        endorses_wrong_consultancy=0.64,
        endorses_wrong_debate=0.42,
    ),
    "calibrated": Profile(bet=0.5, escalates=0),
    "careless": Profile(unreadable=0.2, refuses=0.04, cut_off=0.04),
}
"""By the name after `simulated/`; a label may follow, as in `simulated/weak/anna`."""


def profile_of(name: str, changed: Mapping[str, Any]) -> Profile:
    """The profile of a model's name, with what `-M` changes in it."""
    profile = name.split("/")[0]
    check_known("simulated model", profile, PROFILES)
    for parameter, value in changed.items():
        check_known("-M parameter", parameter, Profile._fields)
        if not (isinstance(value, int | float) and 0 <= value <= 1):
            raise InputError(
                f"-M {parameter}={value} is not allowed: it should be a probability "
                "between 0 and 1."
            )
    return PROFILES[profile]._replace(**changed)
