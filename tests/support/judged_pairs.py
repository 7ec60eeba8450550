"""Pairs of critic and judge, simulated answer by answer.

Of each wrong answer somebody who looks at it sees the error or does not; of each right
one somebody may imagine an error. What the audit computes is in none of this.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Study(NamedTuple):
    """What a study of one pair knows, by answer; 1 and 0."""

    right: Floats
    judge: Floats
    critic: Floats
    spoken: Floats
    consultancy: Floats
    verifies_alone: Floats
    verifies_spoken: Floats

    @property
    def questions(self) -> list[int]:
        """One answer to each."""
        return list(range(len(self.right)))


class Pair(NamedTuple):
    """How a critic and a judge go about an answer.

    Attributes:
        critic_sees: P(the critic sees an error), of medium difficulty.
        judge_sees: P(the judge does, where it looks itself).
        imagines: P(either takes a right answer for wrong, looking itself).
        objects_anyway: P(the critic objects in its speech, though it sees nothing).
        looks: P(the judge works through the answer itself, where nobody spoke).
        looks_after_proposer: P(it does, after a consultancy).
        verifies: P(it works through what a critic claims).
        check: P(it is right about a claim that it checks).
        follows_critic: P(where it does not verify, it believes the critic); else it
            believes the proposer, as it does after a consultancy.
        spread: How much harder to see the errors of hard questions are.
        misgraded: P(the grader is wrong about a verdict).
    """

    critic_sees: float = 0.8
    judge_sees: float = 0.45
    imagines: float = 0.1
    objects_anyway: float = 0.15
    looks: float = 0.8
    looks_after_proposer: float = 0.7
    verifies: float = 0.8
    check: float = 0.85
    follows_critic: float = 0.5
    spread: float = 0.3
    misgraded: float = 0.05

    def study(self, answers: int, rng: np.random.Generator) -> Study:
        """A study with so many answers, each to a question of its own."""

        def happens(p: float | Floats) -> Bools:
            found: Bools = rng.random(answers) < p
            return found

        right, hard = happens(0.5), rng.uniform(-1, 1, answers)

        def rejects(sees: float) -> Bools:
            """Whether somebody who looks takes the answer for wrong."""
            seen = np.clip(sees - self.spread * hard, 0, 1)
            return happens(np.where(right, self.imagines, seen))

        judges = rejects(self.judge_sees)  # whenever it looks at this answer itself
        critic = rejects(self.critic_sees)
        looks, verifies = happens(self.looks), happens(self.verifies)
        alone = np.where(looks, judges, happens(0.3))
        consultancy = happens(self.looks_after_proposer) & judges
        objects = critic | happens(self.objects_anyway)
        true = critic & ~right  # the critic has found what is wrong
        believes = np.where(happens(self.check), true, ~true)
        spoken = objects & np.where(verifies, believes, happens(self.follows_critic))

        def graded(does: Bools) -> Floats:
            return (does ^ happens(self.misgraded)).astype(np.float64)

        return Study(
            right=right.astype(np.float64),
            judge=(~alone).astype(np.float64),
            critic=(~critic).astype(np.float64),
            spoken=(~spoken).astype(np.float64),
            consultancy=(~consultancy).astype(np.float64),
            verifies_alone=graded(looks),
            verifies_spoken=graded(verifies),
        )


def balanced(right: Floats, endorsed: Floats) -> float:
    """The mean of two shares: right answers endorsed, wrong ones not."""
    return float(endorsed[right == 1].mean() + (1 - endorsed[right == 0]).mean()) / 2


@cache
def true_gain(pair: Pair, answers: int = 2_000_000) -> float:
    """What a critic's speech adds over a consultancy, from a very large study."""
    found = pair.study(answers, np.random.default_rng(0))
    after, before = (
        balanced(found.right, of) for of in (found.spoken, found.consultancy)
    )
    return after - before
