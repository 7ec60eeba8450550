"""The simulated models, by the effects that are planted in them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from inspect_debate.debate.errors import InputError, check_known


class Profile(NamedTuple):
    """With which probability a simulated model does what.

    Attributes:
        finds_error: Says of an item with an error that it has one, by itself.
        clears: Says of an item without an error that it has none, by itself.
        knows: Answers other questions rightly from memory.
        reads: Takes the answer from a passage that it is given.
        corrected: Corrects a wrong answer after reading a different one.
        misled: Gives up a right answer after reading a different one.
        judge_collaborative: Judges rightly after a debate in which debaters say what
            they believe by now, if they disagree to the end.
        judge_competitive: Judges rightly after a debate in which they do not say it.
        first_listed: As a judge takes the answer listed first, without looking.
        concedes: Gives up a wrong side, in each round after the first.
        concedes_wrongly: Gives up a right side likewise.
        verified: Quotes what is there, word for word.
        confidence: The mean probability that it gives to an answer it has argued for,
            or read in a passage.
        bet: The mean bet on winning in the first round of a debate of a motion.
        escalates: By how much bets rise from each round to the next.
        jury_agrees: As a juror votes for the side that had the better of the debate.
        solves: Solves a task whose answers are graded.
        critic_right: As a critic agrees with a right answer, or disagrees with a wrong
            one.
        endorses_right: As a judge rules that a right answer is correct.
        endorses_wrong_alone: Rules so of a wrong one about which it has read nothing.
        endorses_wrong_consultancy: After speeches that nobody replied to.
        endorses_wrong_debate: After a debate.
        unreadable: Writes a reply that cannot be read.
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
    first_listed: float = 0.05
    concedes: float = 0.35
    concedes_wrongly: float = 0.04
    verified: float = 0.93
    confidence: float = 0.8
    bet: float = 0.72
    escalates: float = 0.05
    jury_agrees: float = 0.85
    solves: float = 0.6
    critic_right: float = 0.75
    endorses_right: float = 0.84
    endorses_wrong_alone: float = 0.5
    endorses_wrong_consultancy: float = 0.52
    endorses_wrong_debate: float = 0.34
    unreadable: float = 0.012
    refuses: float = 0.0015
    cut_off: float = 0.0015


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
    """The profile of a model's name, with what `-M` changes in it.

    Raises:
        InputError: If there is no such profile, or if a value is no probability.
    """
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
