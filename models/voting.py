"""The laws of a jury's votes. True means the opposition in every boolean array."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspect_debate.models.behaviour import Behaviour


def opposition_probability(behaviour: Behaviour, shown: Sequence[str] = ()) -> float:
    """P(a juror votes for the opposition).

    Args:
        behaviour: The juror.
        shown: The sides in the order in which it is shown them; any if empty.
    """
    alone = behaviour.jury_opposition
    if not shown:
        return alone
    follow = behaviour.follow_first
    return follow * (shown[0] == "opposition") + (1 - follow) * alone


def juror_agreement(
    one: Behaviour, other: Behaviour, shown: Sequence[str] = ()
) -> float:
    """P(two jurors' first votes on a debate are the same)."""
    p, q = (opposition_probability(juror, shown) for juror in (one, other))
    shared = one.jury_shared * other.jury_shared
    apart = p * q + (1 - p) * (1 - q)
    return shared * (1 - abs(p - q)) + (1 - shared) * apart


def repeat_agreement(behaviour: Behaviour, shown: Sequence[str] = ()) -> float:
    """P(a juror's first vote and that of a later pass are the same)."""
    repeat = behaviour.jury_repeat
    return repeat + (1 - repeat) * juror_agreement(behaviour, behaviour, shown)


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


def stated_confidence(behaviour: Behaviour, offset: float) -> int:
    """A juror's confidence in percent; `offset` is uniform in [-1, 1]."""
    spread = behaviour.confidence_spread
    return round(100 * (behaviour.jury_confidence + spread * offset))


def draw_jury_confidences(
    behaviour: Behaviour, count: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """So many jurors' confidences in whole percent."""
    offsets = rng.uniform(-1, 1, count) * behaviour.confidence_spread
    return np.round(100 * (behaviour.jury_confidence + offsets))
