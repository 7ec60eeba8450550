"""The policy of a simulated model: every decision about the content of a turn.

Each has a generator of its own, seeded by what is decided for whom, so that nothing
depends on the order of calls.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from inspect_debate.v1.datasets.sources import truth_of
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.matching import canonical
from inspect_debate.v1.debate.seeds import seeded
from inspect_debate.v1.simulator.behaviour import (
    Behaviour,
    concession_probability,
    mean_confidence,
    verdict_probability,
)

JUDGED = ("verdict", "verdict_sample", "second_verdict", "belief")
"""The kinds of turn in which a judge decides."""


@dataclass(frozen=True)
class Draws:
    """The generators of one turn's decisions."""

    behaviour: Behaviour
    description: TurnDescription

    def content(self, purpose: str, round: int | None = None) -> Random:
        """Randomness of the content; the same in every re-ask."""
        return self._rng(self.description.round if round is None else round, 0, purpose)

    def attempt(self, purpose: str) -> Random:
        """Randomness of this very call."""
        return self._rng(self.description.round, self.description.reask, purpose)

    def _rng(self, round: int, reask: int, purpose: str) -> Random:
        description = self.description
        who = (
            description.seed,
            description.sample,
            description.epoch,
            description.participant,
            description.kind,
        )
        return seeded(
            self.behaviour.seed, *who, round, description.draw, reask, purpose
        )


def right_answer(description: TurnDescription) -> str:
    """The right answer for the participant that is asked."""
    truth = known_truth(description.question, description.choices)
    return canonical(truth) if description.called else truth


def label(draws: Draws) -> str:
    """The label or option that an answer, an update or a verdict gives.

    A participant whose first answer was unparsed answers again.
    """
    description = draws.description
    if description.kind == "update" and description.own_answer is not None:
        return _updated(draws, description.own_answer)
    shown = description.shown if description.kind in JUDGED else ()
    # Beliefs of all rounds come from one draw, so that a judge moves only one way.
    believes = description.kind == "belief"
    rng = draws.content("label", round=0 if believes else None)
    right, behaviour = right_answer(description), able(draws)
    if believes and shown:
        ahead = behaviour.belief_gain * (description.rounds - description.round)
        accuracy = min(max(behaviour.judge_accuracy - ahead, 0.0), 1.0)
        behaviour = behaviour.model_copy(update={"judge_accuracy": accuracy})
    if has_options(description.choices):
        law = choice_probabilities(behaviour, right, description.choices, shown)
        return rng.choices(list(law), list(law.values()))[0]
    p_error = verdict_probability(behaviour, right, shown)
    return "error" if rng.random() < p_error else "no_error"


def able(draws: Draws) -> Behaviour:
    """Whose ability it is: who may not read the passage can by itself only guess."""
    if not draws.description.hidden:
        return draws.behaviour
    return draws.behaviour.model_copy(update={"choice_accuracy": "chance"})


def final(draws: Draws, round: int) -> str:
    """A debater's Final in a round; in round 0, what it defends.

    One draw decides all rounds: who has conceded does not take it back.
    """
    description = draws.description
    if description.defends is None:
        return label(draws)
    p_concession = concession_probability(
        draws.behaviour, right_answer(description), description.defends, round
    )
    conceded = round > 0 and draws.content("final", round=0).random() < p_concession
    if not conceded:
        return description.defends
    return next(
        choice for choice in description.choices if choice != description.defends
    )


def confidence(draws: Draws, right: bool) -> float:
    """The stated confidence of this round, to two decimals."""
    behaviour = draws.behaviour
    offset = draws.content("confidence").uniform(-1, 1) * behaviour.confidence_spread
    return round(
        mean_confidence(behaviour, right, draws.description.round or 1) + offset, 2
    )


def judge_confidence(draws: Draws, right: bool) -> float:
    """How probable a judge holds its own verdict or belief, in whole percents."""
    behaviour = draws.behaviour
    mean = (
        behaviour.judge_confidence_right if right else behaviour.judge_confidence_wrong
    )
    offset = draws.content("judge_confidence").uniform(-1, 1)
    within = min(max(mean + offset * behaviour.confidence_spread, 0.0), 1.0)
    return round(within, 2)


def _updated(draws: Draws, current: str) -> str:
    """The current answer, or one of the others'; frequent ones are likelier."""
    description = draws.description
    others = [answer for answer in description.shown if answer != current]
    rng = draws.content("update")
    p_yield = yield_probability(draws.behaviour, current == right_answer(description))
    return rng.choice(others) if others and rng.random() < p_yield else current


# How an answer is chosen among a question's options, or given up for another's.
#
# The laws are pure, as those in `behaviour` are; what is right is looked up.

_LABELS = frozenset({"error", "no_error"})


def has_options(choices: Sequence[str]) -> bool:
    """Whether a question brings options of its own: others than `error`, `no_error`."""
    return not _LABELS.issuperset(choices)


def known_truth(question: str, choices: Sequence[str]) -> str:
    """The right answer to a question, by its fingerprint.

    What a loader has registered is right even if it is not among the choices: two
    debaters can both be wrong. Where none has, chance decides, seeded by the
    fingerprint alone, so that the result is the same for all models, seeds and runs:
    either label, or the first option in a random order. Of a subset of the options the
    first in that order is right.
    """
    registered = truth_of(question)
    if registered is not None:
        return registered
    if has_options(choices):
        return min(choices, key=lambda c: seeded(0, "rank", question, c).random())
    return "error" if seeded(0, "truth", question).random() < 0.5 else "no_error"


def choice_probabilities(
    behaviour: Behaviour,
    truth: str,
    choices: Sequence[str],
    shown: Sequence[str] = (),
) -> dict[str, float]:
    """P(answer or verdict) for each of a question's options.

    Args:
        behaviour: Who answers or judges.
        truth: The right answer. Where it is not among the choices all are equally
            likely.
        choices: The options to choose from.
        shown: For a judge the answers defended, in the order in which it sees their
            defenders; empty where it decides alone, and for answers.
    """
    accuracy = behaviour.judge_accuracy if shown else behaviour.choice_accuracy
    if accuracy == "chance" or truth not in choices:
        own = dict.fromkeys(choices, 1 / len(choices))
    else:
        wrong = (1 - accuracy) / (len(choices) - 1)
        own = {choice: accuracy if choice == truth else wrong for choice in choices}
    if not shown:
        return own
    follow = behaviour.follow_first
    return {
        choice: follow * (choice == shown[0]) + (1 - follow) * p
        for choice, p in own.items()
    }


def yield_probability(behaviour: Behaviour, right: bool) -> float:
    """P(an update takes another's differing answer), by whether its own is right."""
    return behaviour.yield_right if right else behaviour.yield_wrong
