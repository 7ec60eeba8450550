"""What is planted in questions with passages, the measures of SR-DCR find.

200 data sets are drawn of 300 questions, each with the right and with a perturbed
passage. A question's tier of knowledge, its prior answer, the confidence of it, and how
easily its judge is convinced are the same in both halves.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta, sem

from inspect_debate.metrics.abstention import Answered, by_condition
from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.knowledge import (
    TIERS,
    biases,
    p_known_given,
    passage_alone,
    tier,
    tier_shares,
)
from inspect_debate.metrics.transitions import gated
from tests.support.measures.knowledge import preferences

pytestmark = pytest.mark.slow

Array = NDArray[np.float64]
SEEDS, QUESTIONS, TAUS, TAU = range(200), 300, (0.5, 0.9), 0.9

# By tier, from unknown to highly known.
SHARES = np.array([0.2, 0.25, 0.2, 0.35])
RECALLED = [(0, 0), (1, 9), (10, 27), (28, 32)]
PRIOR_RIGHT = np.array([0.05, 0.2, 0.55, 0.95])
CONFIDENCE = np.array([(4, 1), (5, 1), (6, 0.8), (12, 0.7)])
CONVINCED = {
    "standard": np.array([0.6, 0.6, 0.65, 0.7]),
    "perturbed": np.array([0.55, 0.5, 0.4, 0.2]),
}


class Items(NamedTuple):
    """Both halves, one after the other."""

    question: Array
    standard: Array
    tier: Array
    confidence: Array
    prior_right: Array
    verdict: Array


def draw(rng: np.random.Generator) -> Items:
    known = rng.choice(len(TIERS), QUESTIONS, p=SHARES)
    low, high = np.array(RECALLED)[known].T
    recalled = rng.integers(low, high, endpoint=True) / 32
    hard = rng.random(QUESTIONS)
    right = rng.random(QUESTIONS) < PRIOR_RIGHT[known]
    verdicts = [hard < chance[known] for chance in CONVINCED.values()]
    return Items(
        question=np.tile(np.arange(1.0 * QUESTIONS), 2),
        standard=np.repeat([1.0, 0.0], QUESTIONS),
        tier=np.tile(tier(recalled), 2),
        confidence=np.tile(rng.beta(*CONFIDENCE[known].T), 2),
        prior_right=np.tile(1.0 * right, 2),
        verdict=np.concatenate(verdicts).astype(np.float64),
    )


def confident(tau: float) -> Array:
    """The chance that the confidence reaches a threshold, by tier."""
    return np.asarray(beta.sf(tau, *CONFIDENCE.T))


def planted() -> dict[str, float]:
    """The values of all measures in the population."""
    memory = confident(TAU)
    wrong = 1 - PRIOR_RIGHT
    standard, perturbed = CONVINCED.values()
    right = {
        "standard": standard + (1 - standard) * memory * PRIOR_RIGHT,
        "perturbed": (1 - perturbed) * memory * PRIOR_RIGHT,
    }
    values = {f"share {name}": SHARES[i] for i, name in enumerate(TIERS)}
    for tau in TAUS:
        above = SHARES * confident(tau)
        values[f"known given {tau}"] = above[-1] / above.sum()
    for half, chance in CONVINCED.items():
        accuracy = SHARES @ right[half]
        coverage = SHARES @ (chance + (1 - chance) * memory)
        values[f"{half} accuracy"] = accuracy
        values[f"{half} coverage"] = coverage
        values[f"{half} selective"] = accuracy / coverage
    for measure in Answered._fields:
        both = [values[f"{half} {measure}"] for half in CONVINCED]
        values[f"overall {measure}"] = np.mean(both)
    values["overall selective"] = (
        values["overall accuracy"] / values["overall coverage"]
    )
    knows, lacks = SHARES * PRIOR_RIGHT, SHARES * wrong
    values["clash accuracy"] = knows @ ((1 - perturbed) * memory) + lacks @ standard
    values["context bias"] = knows @ perturbed / knows.sum()
    values["prior bias"] = lacks @ ((1 - standard) * memory) / lacks.sum()
    values["prefers context"] = SHARES @ perturbed
    values["prefers prior"] = SHARES @ ((1 - perturbed) * memory)
    return {name: float(value) for name, value in values.items()}


def measured(items: Items) -> Iterator[tuple[str, Share]]:
    """The same measures of one data set; the contextual answer is the passage's."""
    sure, standard = items.confidence >= TAU, items.standard

    def decided(if_contextual: Array | float, if_prior: Array | float) -> Array:
        verdicts = items.verdict[:, np.newaxis]
        return gated(
            verdicts, sure, if_contextual=if_contextual, if_prior=if_prior
        ).ravel()

    # A right prior is what the right passage says.
    same = standard * items.prior_right
    correct = decided(standard, items.prior_right)
    origins = {"from_passage": decided(1, same), "from_prior": decided(same, 1)}
    names = items.question.tolist()
    for name, share in zip(TIERS, tier_shares(items.tier, names), strict=True):
        yield f"share {name}", share
    known = p_known_given(items.confidence, items.tier, TAUS, names)
    for tau, share in zip(TAUS, known, strict=True):
        yield f"known given {tau}", share
    conditions = by_condition(correct, decided(1, 1), standard, names)
    for condition, answered in conditions._asdict().items():
        for measure, share in answered._asdict().items():
            yield f"{condition} {measure}", share
    alone = passage_alone(items.prior_right, standard, same)
    found = biases(alone, names, correct=correct, **origins, seed=1)
    yield from zip(("clash accuracy", "context bias", "prior bias"), found, strict=True)
    preferred = preferences(standard, names, **origins)
    yield from zip(("prefers context", "prefers prior"), preferred, strict=True)


def holds(shares: list[Share], value: float) -> float:
    """The share of 95 % intervals that hold a value."""
    return float(np.mean([share.low <= value <= share.high for share in shares]))


def test_what_was_planted_is_found() -> None:
    values, found = planted(), defaultdict(list)
    for seed in SEEDS:
        for name, share in measured(draw(np.random.default_rng(seed))):
            found[name].append(share)
    assert found.keys() == values.keys()
    covered = {name: holds(found[name], values[name]) for name in values}
    assert {n: c for n, c in covered.items() if not 0.90 <= c <= 0.99} == {}
    estimates = {name: np.array([s.value for s in found[name]]) for name in values}
    off = {name: abs(e.mean() - values[name]) / sem(e) for name, e in estimates.items()}
    assert {n: z for n, z in off.items() if z > 4} == {}


def test_halves_taken_for_independent_hold_too_little() -> None:
    values = planted()
    found = [
        tier_shares(draw(np.random.default_rng(seed)).tier, range(2 * QUESTIONS))
        for seed in SEEDS
    ]
    for name, shares in zip(TIERS, zip(*found, strict=True), strict=True):
        assert holds(list(shares), values[f"share {name}"]) < 0.90
