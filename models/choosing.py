"""How an answer is chosen among a question's options, or given up for another's.

The laws are pure, as those in `behaviour` are; what is right is looked up.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspect_debate.core import answer_key
from inspect_debate.core.seeds import seeded
from inspect_debate.models.behaviour import Behaviour

_LABELS = frozenset({"error", "no_error"})


def has_options(choices: Sequence[str]) -> bool:
    """Whether a question brings options of its own: others than `error`, `no_error`."""
    return not _LABELS.issuperset(choices)


def known_truth(question: str, choices: Sequence[str]) -> str:
    """The right answer to a question, by its fingerprint.

    What a loader has registered is right even if it is not among the choices: two
    debaters can both be wrong. Where none has, chance decides, seeded by the
    fingerprint alone, so that it falls alike for all models, seeds and runs. It is a
    coin between labels. Options it puts in an order: the first of them is right, and
    among any of them the first of those.
    """
    registered = answer_key.truth(question)
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


def draw_updates(
    behaviour: Behaviour,
    truths: NDArray[np.bool_],
    held: NDArray[np.bool_],
    others: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Updated answers of one of two participants, True where they say "error".

    Args:
        behaviour: Who updates.
        truths: Where there is an error.
        held: Its own last answers.
        others: The last answers of the other.
        rng: Draws.
    """
    p_yield = np.where(
        held == truths,
        yield_probability(behaviour, True),
        yield_probability(behaviour, False),
    )
    yields = rng.random(len(truths)) < p_yield
    return np.where(yields, others, held)
