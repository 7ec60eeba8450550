"""Ratings of debaters from the verdicts on debates between them.

The model of Bradley and Terry (1952) with ties as in Rao and Kupper (1967): a
cumulative logit with symmetric thresholds (Agresti 2013, "Categorical Data Analysis",
section 11.6). With L the logistic function and

    eta = rating of the one - rating of the other + effects of their sides,

the one wins with probability L(eta - c) and the other with L(-eta - c); the rest are
ties, and without ties c is 0. P(tie) is (1 - exp(-2c)) L(c - eta) L(c + eta). So the
log-likelihood is a sum of log L over wins, defeats and, twice, ties, plus a term of c
alone. Newton's method maximises it for all resamples of a bootstrap at once, in
milliseconds. `OrderedModel` of statsmodels, with which the tests compare it, takes 14
ms for each resample, and seconds to import.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import inf, log, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.metrics.intervals import Array, check_lengths, checked
from inspect_debate.metrics.means import Labels

ELO = 400 / log(10)
"""Elo points in one unit of the logit scale."""

_RIDGE = 1e-6
"""Keeps steps finite where a resample has no finite estimate."""

_BEYOND = 6.0
"""An estimate of a resample beyond this counts as infinite: odds of 400 to 1."""

_LONGEST = 2.0
"""How far one of Newton's steps may go, on the logit scale."""

_STEPS = 60
_BATCH = 200
"""Resamples that are fitted at once."""


class Rating(NamedTuple):
    """A value on the logit scale with its 95 % interval, whose ends may be infinite."""

    value: float
    low: float
    high: float


_UNKNOWN = Rating(nan, nan, nan)


class Ratings(NamedTuple):
    """What verdicts say of debaters.

    Attributes:
        ratings: By debater, with sum zero; empty where there are none.
        effects: By name, what a side adds to the log odds of whoever has it; NaN where
            nobody has it, or where it cannot be told from ratings and earlier effects.
        threshold: The threshold c; 0 without ties.
        reason: Why there are no ratings; empty where there are.
    """

    ratings: Mapping[str, Rating]
    effects: Mapping[str, Rating]
    threshold: Rating
    reason: str = ""


def rate(
    one: Sequence[str],
    other: Sequence[str],
    outcomes: ArrayLike,
    clusters: Iterable[Hashable],
    effects: Mapping[str, ArrayLike] | None = None,
    *,
    seed: int,
    resamples: int = 1000,
) -> Ratings:
    """Rate debaters by maximum likelihood, with the intervals of a bootstrap.

    Args:
        one: Per verdict a debater.
        other: Its opponent.
        outcomes: Per verdict 1 where the one wins, -1 where the other does, 0 for a
            tie.
        clusters: Per verdict what its dependent ones share, say the question. Clusters
            are resampled, and intervals are percentiles.
        effects: By name, per verdict: 1 where the one has a side (is shown first, say),
            -1 where the other has it, 0 where neither or both have.
        seed: Of the resampling.
        resamples: Number of resamples. Those without a finite estimate count as
            infinite, so that ends of intervals may be.

    Returns:
        The ratings. There are none where debaters are in groups that never met, and
        where ratings and sides can explain some verdicts without error and contradict
        none, as where a debater, or a group against all others, won every debate: the
        likelihood has no maximum then (Albert and Anderson 1984).

    Raises:
        ValueError: A value is none of those above, a debater meets itself, or lengths
            differ.
    """
    y = checked("outcomes", outcomes, (-1, 0, 1), nan=False)
    given = {
        name: checked(name, values, (-1, 0, 1), nan=False)
        for name, values in (effects or {}).items()
    }
    names = sorted({*one, *other})
    first, second = _places(one, names), _places(other, names)
    labels = list(clusters)
    cluster = _places(labels, labels)
    check_lengths(outcomes=y, one=first, other=second, clusters=cluster, **given)
    if (first == second).any():
        raise ValueError(f"{names[first[first == second][0]]} meets itself.")
    unknown = Ratings({}, dict.fromkeys(given, _UNKNOWN), _UNKNOWN)
    if not len(y):
        return unknown._replace(reason="No two debaters met.")
    if apart := _groups(names, first, second):
        return unknown._replace(reason=apart)
    coding = np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)])
    design = coding[first] - coding[second]
    known: list[str] = []
    for name, column in given.items():
        wider = np.column_stack([design, column])
        if np.linalg.matrix_rank(wider) > design.shape[1]:
            design, known = wider, [*known, name]
    sums = _sums(design, y, cluster)
    if (rising := _rising(sums.terms)) is not None:
        strength = coding @ rising[: len(names) - 1]
        return unknown._replace(reason=_unbeaten(names, first, second, y, strength))
    found = np.concatenate(
        [_fit(sums, np.ones((1, len(sums.counts)))), _resampled(sums, seed, resamples)]
    )
    last = -found[:, : len(names) - 1].sum(axis=1, keepdims=True)
    *estimates, threshold = _with_ends(np.insert(found, [len(names) - 1], last, axis=1))
    return Ratings(
        dict(zip(names, estimates, strict=False)),
        {**unknown.effects, **dict(zip(known, estimates[len(names) :], strict=True))},
        threshold,
    )


class _Sums(NamedTuple):
    """The likelihood of all verdicts, by cluster.

    Attributes:
        terms: Rows v of different terms log L(v · parameters); c is the last parameter.
        counts: (clusters, terms), how often a cluster has a term.
        ties: Per cluster.
    """

    terms: Array
    counts: Array
    ties: Array


def _places(labels: Sequence[Hashable], among: Sequence[Hashable]) -> Labels:
    place = {name: number for number, name in enumerate(dict.fromkeys(among))}
    return np.array([place[name] for name in labels], np.intp)


def _sums(design: Array, y: Array, cluster: Labels) -> _Sums:
    tied = np.flatnonzero(y == 0)
    decided = np.flatnonzero(y)
    of = np.concatenate([decided, tied, tied])
    signs = np.concatenate([y[decided], np.ones(len(tied)), -np.ones(len(tied))])
    widths = np.concatenate([-np.ones(len(decided)), np.ones(2 * len(tied))])
    rows = np.column_stack([signs[:, np.newaxis] * design[of], widths])
    terms, which = np.unique(rows, axis=0, return_inverse=True)
    counts = np.zeros((int(cluster.max()) + 1, len(terms)))
    np.add.at(counts, (cluster[of], which), 1)
    ties = np.bincount(cluster[tied], minlength=len(counts)).astype(float)
    return _Sums(terms, counts, ties)


def _fit(sums: _Sums, weights: Array) -> Array:
    """The most likely parameters, in each row for other weights of the clusters."""
    from scipy.special import expit

    terms, counts, ties = sums.terms, weights @ sums.counts, weights @ sums.ties
    number = terms.shape[1]
    squares = (terms[:, :, np.newaxis] * terms[:, np.newaxis]).reshape(len(terms), -1)
    found = np.zeros((len(weights), number))
    tied = ties > 0
    found[tied, -1] = 1.0
    for _ in range(_STEPS):
        missing = expit(-found @ terms.T)
        slope = (counts * missing) @ terms - _RIDGE * found
        bend = ((counts * missing * (1 - missing)) @ squares).reshape(
            -1, number, number
        )
        bend += _RIDGE * np.eye(number)
        c = found[tied, -1]
        slope[tied, -1] += 2 * ties[tied] / np.expm1(2 * c)
        bend[tied, -1, -1] += ties[tied] / np.sinh(c) ** 2
        # Without a tie c stays 0.
        slope[~tied, -1] = bend[~tied, -1] = bend[~tied, :, -1] = 0
        bend[~tied, -1, -1] = 1
        step = np.linalg.solve(bend, slope[..., np.newaxis])[..., 0]
        step *= np.minimum(1, _LONGEST / np.maximum(abs(step).max(axis=1), 1e-12))[
            :, None
        ]
        found += step
        found[tied, -1] = np.maximum(found[tied, -1], c / 2)
        if abs(step).max() < 1e-10:
            break
    return found


def _resampled(sums: _Sums, seed: int, resamples: int) -> Array:
    draws = np.random.default_rng(seed)
    size = len(sums.counts)
    parts = [
        _fit(
            sums, draws.multinomial(size, np.full(size, 1 / size), number).astype(float)
        )
        for number in [*[_BATCH] * (resamples // _BATCH), resamples % _BATCH]
        if number
    ]
    return np.concatenate(parts)


def _with_ends(found: Array) -> list[Rating]:
    """Estimates, of which the first row has the values and the others resamples."""
    draws = np.where(abs(found[1:]) > _BEYOND, np.copysign(inf, found[1:]), found[1:])
    low, high = np.quantile(draws, (0.025, 0.975), axis=0, method="nearest")
    return [Rating(*map(float, of)) for of in zip(found[0], low, high, strict=True)]


def _groups(names: Sequence[str], one: Labels, other: Labels) -> str:
    """The groups of debaters that never met, in a sentence; empty if there is one."""
    # Slow to import, and few reports have debaters to rate.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    shape = (len(names), len(names))
    met = coo_array((np.ones(len(one)), (one, other)), shape)
    number, group = connected_components(met, directed=False)
    if number == 1:
        return ""
    groups = ("{" + ", ".join(np.array(names)[group == g]) + "}" for g in range(number))
    return (
        f"Debaters are in {number} groups that never met, so that no rating compares "
        f"them: {' '.join(groups)}."
    )


def _rising(terms: Array) -> Array | None:
    """A direction in which no term falls and some rise for ever; None without one."""
    from scipy.optimize import linprog

    found = linprog(
        -terms.sum(axis=0),
        A_ub=-terms,
        b_ub=np.zeros(len(terms)),
        bounds=[(-1, 1)] * (terms.shape[1] - 1) + [(0, 1)],
    )
    return np.asarray(found.x) if float(found.fun or 0) < -1e-7 else None


def _unbeaten(
    names: Sequence[str], one: Labels, other: Labels, y: Array, strength: Array
) -> str:
    """Why there is no finite rating, in a sentence; `strength` rises for ever."""
    said = []
    for place, name in enumerate(names):
        of = np.concatenate([y[one == place], -y[other == place]])
        if (abs(of.sum()) == len(of)).all():
            said.append(f"{name} {'won' if of[0] > 0 else 'lost'} all {len(of)}")
    strongest = strength > strength.max() - 1e-6
    inside = strongest[one].astype(int) - strongest[other]
    against = (inside * y)[inside != 0]
    if not said and len(against) and (against == 1).all():
        group = ", ".join(np.array(names)[strongest])
        said = [f"{{{group}}} won all {len(against)} against the others"]
    why = "; ".join(said) or "ratings and sides explain some verdicts without error"
    return f"No finite ratings are the most likely: {why}."


def agreement_with_others(
    judges: Sequence[Hashable], debates: Sequence[Hashable], outcomes: ArrayLike
) -> Array:
    """How far each verdict agrees with those of other judges on the same debate.

    Args:
        judges: Per verdict the judge.
        debates: Per verdict the debate.
        outcomes: Per verdict 1, 0 or -1, as for `rate`.

    Returns:
        Per verdict the share of the other judges' verdicts that are the same; NaN
        without another.

    Raises:
        ValueError: An outcome is none of these, or lengths differ.
    """
    y = checked("outcomes", outcomes, (-1, 0, 1), nan=False)
    by_debate: dict[Hashable, list[tuple[Hashable, float]]] = {}
    for judge, debate, value in zip(judges, debates, y.tolist(), strict=True):
        by_debate.setdefault(debate, []).append((judge, value))
    found = []
    for judge, debate, value in zip(judges, debates, y.tolist(), strict=True):
        others = [theirs for who, theirs in by_debate[debate] if who != judge]
        found.append(others.count(value) / len(others) if others else nan)
    return np.array(found)
