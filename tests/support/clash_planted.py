"""What measures have to find where one simulated model has all seats of SR-DCR."""

from collections.abc import Sequence
from math import ceil, comb
from typing import NamedTuple

import numpy as np

from inspect_debate.metrics.knowledge import HIGHLY, MAYBE
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.knowledge_conflict import (
    Floats,
    credulity,
    follow_probability,
    mean_certainty,
    recall_rates,
    tier_shares,
)

STRATA = (1, 2, 3, 4, 5)
"""The severities of perturbed passages, in equal shares."""

_ROUNDING = 1e-9


class PlantedCondition(NamedTuple):
    """P(right) and P(answered) of a condition, on right and on perturbed passages."""

    standard: float
    perturbed: float
    coverage_standard: float
    coverage_perturbed: float


class PlantedClash(NamedTuple):
    """The values that a behaviour plants.

    Attributes:
        tiers: Shares of the questions as the recalls show them: unknown, weakly, maybe
            and highly known.
        confident: P(the confidence of the prior answer reaches tau).
        known_if_confident: P(highly known, as the recalls show it | it does); NaN where
            it never does.
        conditions: Of each condition what it gets right. `judge_debate` is judged after
            its last round, by a judge that goes by no order; the answers of `rci_first`
            and `self_ask` follow the law of `few_shot`.
    """

    tiers: tuple[float, float, float, float]
    confident: float
    known_if_confident: float
    conditions: dict[str, PlantedCondition]


def planted_clash(
    behaviour: Behaviour,
    tau: float = 0.9,
    severities: Sequence[int] = STRATA,
    recall_samples: int = 32,
    consistency_samples: int | None = None,
) -> PlantedClash:
    """The values that a behaviour plants (every completion being read).

    Args:
        behaviour: Of the one model in all seats.
        tau: The confidence from which a prior answer counts as sure.
        severities: Those of the perturbed passages, all equally common.
        recall_samples: The number of recalls from which tiers are estimated.
        consistency_samples: The number of further draws that confidence is taken from;
            None where it is taken from log-probabilities.
    """
    shares, rates = tier_shares(behaviour), recall_rates(behaviour)
    measured = np.array([_measured_tiers(recall_samples, rate) for rate in rates])
    sure = {
        right: _confidence(behaviour, right, False, consistency_samples).reaches(tau)
        for right in (True, False)
    }
    confident = shares * (rates * sure[True] + (1 - rates) * sure[False])
    unknown, weakly, maybe, highly = map(float, shares @ measured)
    p_sure = float(confident.sum())
    known = float(confident @ measured[:, 3])
    standard = _conditions(behaviour, 0, sure, consistency_samples)
    perturbed = [
        _conditions(behaviour, s, sure, consistency_samples) for s in severities
    ]
    return PlantedClash(
        tiers=(unknown, weakly, maybe, highly),
        confident=p_sure,
        known_if_confident=known / p_sure if p_sure else float("nan"),
        conditions={
            condition: PlantedCondition(
                right,
                float(np.mean([strata[condition][0] for strata in perturbed])),
                answered,
                float(np.mean([strata[condition][1] for strata in perturbed])),
            )
            for condition, (right, answered) in standard.items()
        },
    )


class _Confidence:
    """The law of a measured confidence: values with probabilities, or uniform."""

    def __init__(self, mean: float, spread: float, draws: int | None) -> None:
        self.mean, self.spread = mean, spread
        self.pmf = None if draws is None else _repeats(draws, mean, spread)

    def reaches(self, tau: float) -> float:
        """P(the confidence is at least tau)."""
        if self.pmf is not None:
            draws = len(self.pmf) - 1
            return float(self.pmf[_least(draws, tau) :].sum())
        if not self.spread:
            return float(self.mean >= tau)
        above = (self.mean + self.spread - tau) / (2 * self.spread)
        return min(max(above, 0.0), 1.0)

    def exceeds(self, other: "_Confidence") -> float:
        """P(the confidence is greater than another of the same kind)."""
        if self.pmf is not None and other.pmf is not None:
            return float(np.tril(np.outer(self.pmf, other.pmf), -1).sum())
        gap, width = self.mean - other.mean, 2 * self.spread
        if abs(gap) >= width:
            return float(gap > 0)
        tail = (1 - abs(gap) / width) ** 2 / 2  # the difference has a triangular law
        return 1 - tail if gap > 0 else tail


def _confidence(
    behaviour: Behaviour, right: bool, passage: bool, draws: int | None
) -> _Confidence:
    mean = float(mean_certainty(behaviour, right, passage))
    return _Confidence(mean, behaviour.certainty_spread, draws)


def _conditions(
    behaviour: Behaviour, severity: int, sure: dict[bool, float], draws: int | None
) -> dict[str, tuple[float, float]]:
    """P(right) and P(answered) of each condition on passages of one severity."""
    p_right = float(tier_shares(behaviour) @ recall_rates(behaviour))
    cases = [
        (weight, _cases(behaviour, severity, right, sure[right], draws))
        for weight, right in ((p_right, True), (1 - p_right, False))
    ]
    return {
        condition: (
            sum(weight * case[condition][0] for weight, case in cases),
            sum(weight * case[condition][1] for weight, case in cases),
        )
        for condition in cases[0][1]
    }


def _cases(
    behaviour: Behaviour, severity: int, prior: bool, sure: float, draws: int | None
) -> dict[str, tuple[float, float]]:
    """The same, where the prior answer is known to be right or wrong."""
    follow = float(follow_probability(behaviour, severity))
    trust = float(credulity(behaviour, severity))
    says_truth = severity == 0
    contextual = follow * says_truth + (1 - follow) * prior
    surer = _confidence(behaviour, prior, False, draws).exceeds(
        _confidence(behaviour, says_truth, True, draws)
    )
    apart = surer * prior + (1 - surer) * says_truth  # where the two answers may differ
    most = follow**2 * (3 - 2 * follow)  # of three agents follow the passage
    judged = trust * contextual + (1 - trust) * prior
    revised = contextual * (1 - behaviour.yield_right)
    revised += (1 - contextual) * behaviour.yield_wrong
    always = {
        "prior": prior,
        "few_shot": contextual,
        "golden": contextual if says_truth else prior,
        "token_prob": follow * apart + (1 - follow) * prior,
        "confidence_only": sure * prior + (1 - sure) * contextual,
        "acvd_only": judged,
        "judge_debate": judged,
        "self_ask": contextual,
        "rci_first": contextual,
        "rci": revised,
        "naive_debate": most * says_truth + (1 - most) * prior,
    }
    gated = trust * contextual + (1 - trust) * sure * prior
    return {condition: (float(right), 1.0) for condition, right in always.items()} | {
        "srdcr": (gated, trust + (1 - trust) * sure)
    }


def _measured_tiers(draws: int, rate: float) -> list[float]:
    """P(each tier is found by so many recalls that are right at a rate)."""
    pmf = _binomial(draws, rate)
    bounds = [1, _least(draws, MAYBE), _least(draws, HIGHLY)]
    return [float(part.sum()) for part in np.split(pmf, bounds)]


def _least(draws: int, share: float) -> int:
    """The least count of draws whose share reaches a bound."""
    return ceil(draws * share - _ROUNDING)


def _repeats(draws: int, mean: float, spread: float) -> Floats:
    """P(each number of repeats), of a probability uniform around its mean.

    A quadrature of so many nodes is exact for polynomials of that degree.
    """
    nodes, weights = np.polynomial.legendre.leggauss(draws // 2 + 1)
    pmfs = [_binomial(draws, mean + spread * float(node)) for node in nodes]
    return np.asarray(weights @ np.array(pmfs) / 2, dtype=np.float64)


def _binomial(draws: int, p: float) -> Floats:
    ways = [comb(draws, k) * p**k * (1 - p) ** (draws - k) for k in range(draws + 1)]
    return np.array(ways)
