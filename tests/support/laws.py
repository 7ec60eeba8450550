"""The laws of simulated models, drawn from by the thousand, straight into measures.

`planted` and the functions beside it say what measures have to find there. True means
"error", or the opposition, in every boolean array.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inspect_debate.simulator.behaviour import (
    Behaviour,
    BetBehaviour,
    answer_probability,
    concession_probability,
    mean_confidence,
    verdict_probability,
)
from inspect_debate.simulator.confidence import (
    Offsets,
    bet_amounts,
    misalignment,
    opposition_probability,
)
from inspect_debate.solvers.formats import Interaction

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Condition(NamedTuple):
    """A format, and of how many candidates each of its speeches is chosen."""

    proposers: int
    interaction: Interaction
    best_of: int = 1


def draw_answers(
    behaviour: Behaviour, truths: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Own answers, one per truth."""
    p_error = np.where(
        truths,
        answer_probability(behaviour, "error"),
        answer_probability(behaviour, "no_error"),
    )
    return rng.random(len(truths)) < p_error


def draw_verdicts(
    behaviour: Behaviour,
    truths: NDArray[np.bool_],
    shown_first_is_error: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Verdicts on debates, one per truth and side that was shown first."""
    p_error = np.select(
        [truths & shown_first_is_error, truths, shown_first_is_error],
        [
            verdict_probability(behaviour, "error", ["error"]),
            verdict_probability(behaviour, "error", ["no_error"]),
            verdict_probability(behaviour, "no_error", ["error"]),
        ],
        verdict_probability(behaviour, "no_error", ["no_error"]),
    )
    return rng.random(len(truths)) < p_error


def draw_finals(
    behaviour: Behaviour,
    truths: NDArray[np.bool_],
    defends_error: NDArray[np.bool_],
    round: int,
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Finals of one round, one per truth and side defended."""
    p_concession = np.where(
        truths == defends_error,
        concession_probability(behaviour, "error", "error", round),
        concession_probability(behaviour, "error", "no_error", round),
    )
    conceded: NDArray[np.bool_] = rng.random(len(truths)) < p_concession
    return defends_error ^ conceded


def draw_confidences(
    behaviour: Behaviour, right: NDArray[np.bool_], round: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Stated confidences of one round, to two decimals, one per Final."""
    means = np.where(
        right,
        mean_confidence(behaviour, True, round),
        mean_confidence(behaviour, False, round),
    )
    offsets = rng.uniform(-1, 1, len(right)) * behaviour.confidence_spread
    return np.round(means + offsets, 2)


class Planted(NamedTuple):
    """What measures have to find where debaters and judge share one behaviour.

    `answer_accuracy` of a single answer; `disagreement` of two first answers;
    `verdict_accuracy` on debates of two answers that differed; `debate_accuracy` where
    answers that agree stand and only the others are debated and judged.
    """

    answer_accuracy: float
    disagreement: float
    verdict_accuracy: float
    debate_accuracy: float


def planted(
    behaviour: Behaviour, share_of_errors: float, shown_first: str | None = None
) -> Planted:
    """The values that a behaviour plants (every completion being read).

    Args:
        behaviour: Of both debaters and the judge.
        share_of_errors: Share of the items whose response has an error.
        shown_first: The answer whose defender judges are shown first; None where
            each comes first in half of the debates.
    """
    orders = [shown_first] if shown_first else ["error", "no_error"]
    right = disagree = agree_right = decided_right = 0.0
    for truth, weight in (
        ("error", share_of_errors),
        ("no_error", 1 - share_of_errors),
    ):
        p_errors = [verdict_probability(behaviour, truth, [first]) for first in orders]
        p_error = sum(p_errors) / len(p_errors)
        p_own = answer_probability(behaviour, truth)
        own, judged = (p_own, p_error) if truth == "error" else (1 - p_own, 1 - p_error)
        right += weight * own
        disagree += weight * 2 * own * (1 - own)
        agree_right += weight * own**2
        decided_right += weight * 2 * own * (1 - own) * judged
    verdict_accuracy = decided_right / disagree if disagree else float("nan")
    return Planted(right, disagree, verdict_accuracy, agree_right + decided_right)


def draw_bets(
    behaviour: BetBehaviour,
    models: NDArray[np.int_],
    rounds: int,
    rng: np.random.Generator,
) -> Floats:
    """The bets of many debates.

    Args:
        behaviour: Of all models, which differ by their offsets.
        models: Which model speaks for each side of each debate, numbered from 0; of
            shape (debates, 2), or (debates, 1) for one side alone.
        rounds: The number of rounds.
        rng: Draws.

    Returns:
        Bets of shape (debates, sides, rounds).
    """
    of_models = rng.uniform(-1, 1, models.max() + 1)[models]
    of_debates = rng.uniform(-1, 1, (len(models), 1))
    bets = [
        bet_amounts(
            behaviour,
            round,
            Offsets(of_models, of_debates, rng.uniform(-1, 1, models.shape)),
            rng.random(models.shape),
        )
        for round in range(1, rounds + 1)
    ]
    return np.stack(bets, axis=-1)


def draw_misalignments(
    behaviour: BetBehaviour, count: int, rng: np.random.Generator
) -> NDArray[np.int_]:
    """So many bets or grades: 1 for overbetting, -1 for underbetting, 0 for aligned."""
    return misalignment(behaviour, rng.random(count))


def juror_agreement(
    one: Behaviour, other: Behaviour, shown: Sequence[str] = ()
) -> float:
    """P(two jurors' first votes on a debate are the same)."""
    p, q = (opposition_probability(juror, shown) for juror in (one, other))
    shared = one.jury_shared * other.jury_shared
    apart = p * q + (1 - p) * (1 - q)
    return shared * (1 - abs(p - q)) + (1 - shared) * apart


def draw_votes(
    jurors: Sequence[Behaviour],
    debates: int,
    passes: int,
    rng: np.random.Generator,
    shown: Sequence[str] = (),
) -> NDArray[np.bool_]:
    """The votes of a jury on many debates.

    Args:
        jurors: The jurors.
        debates: The number of debates.
        passes: How often each juror judges each debate.
        rng: Draws.
        shown: The sides in the order in which jurors are shown them; any if empty.

    Returns:
        Votes of shape (jurors, debates, passes).
    """
    went = rng.random(debates)
    votes = np.empty((len(jurors), debates, passes), dtype=bool)
    for juror, own in zip(jurors, votes, strict=True):
        p = opposition_probability(juror, shown)
        for number in range(passes):
            shared = rng.random(debates) < juror.jury_shared
            vote = np.where(shared, went, rng.random(debates)) < p
            if number:
                repeated = rng.random(debates) < juror.jury_repeat
                vote = np.where(repeated, own[:, 0], vote)
            own[:, number] = vote
    return votes


def draw_jury_confidences(
    behaviour: Behaviour, count: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """So many jurors' confidences in whole percent."""
    offsets = rng.uniform(-1, 1, count) * behaviour.confidence_spread
    return np.round(100 * (behaviour.jury_confidence + offsets))


def repeat_agreement(behaviour: Behaviour, shown: Sequence[str] = ()) -> float:
    """P(a juror's first vote and that of a later pass are the same)."""
    repeat = behaviour.jury_repeat
    return repeat + (1 - repeat) * juror_agreement(behaviour, behaviour, shown)
