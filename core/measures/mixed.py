"""The mean of a linear mixed model with random intercepts of models and debates.

    value = mean + model + debate + residual

A debate between two models crosses the two random effects, and one of a model with
itself nests one in the other: the same equation serves both. It is fitted by
restricted maximum likelihood (Patterson and Thompson 1971) over the variances of the
two effects relative to the residual's, with the mean and the residual's variance
profiled out (as by Bates et al. 2015, "Fitting linear mixed-effects models using
lme4"). As the equation has nothing but an intercept, sums of the values by model and
by debate are all that it needs, and no inverted matrix is larger than the number of
models. A fit takes milliseconds, and agrees with that of statsmodels where the latter
converges.
"""

from collections.abc import Hashable, Iterable
from itertools import product
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.core.measures.arrays import Array
from inspect_debate.core.measures.means import (
    Labels,
    MeanEstimate,
    known_rows,
    no_test,
    untestable,
)

_LARGEST = 1 - 1e-5
"""Share of an effect in variance from which on there is no residual."""

_START = (0.0, 0.3, 0.7, 0.95, 0.999)
"""Shares of which the best two are the start; from afar the search can get lost."""


def mixed_mean(
    values: ArrayLike, model: Iterable[Hashable], debate: Iterable[Hashable]
) -> MeanEstimate:
    """The mean of a linear mixed model; values of many debates do not count for more.

    The reference is a t-distribution with one degree of freedom less than models, as
    in the balanced analysis of variance where models differ; the normal distribution
    that is common for mixed models would reject too often with ten of them. Where
    models do not differ the test rejects somewhat too rarely.

    Args:
        values: flat, say bets or changes of bets; NaN ones are left out.
        model: per value the model that it is from.
        debate: per value the debate that it is from.

    Returns:
        The mean, weighed as its variance is smallest; the plain one without a standard
        error where the model cannot be fitted.

    Raises:
        ValueError: `values` is not flat, or lengths differ.
    """
    # A second of import time, which no run that only parses should pay.
    from scipy.optimize import minimize

    known, (models, debates) = known_rows(values, model, debate)
    if (none := untestable(known)) is not None:
        return none
    if (clusters := int(models.max()) + 1) < 2:
        return no_test(known, "fewer than two models")
    centre, sums = float(known.mean()), _sums(known - known.mean(), models, debates)

    def criterion(shares: Array) -> float:
        return _fit(sums, shares).criterion

    start = min(
        (np.array(shares) for shares in product(_START, repeat=2)), key=criterion
    )
    bounds = [(0.0, _LARGEST)] * 2
    # L-BFGS-B takes up to 50 times as long where other programs use the processor.
    found = minimize(criterion, start, bounds=bounds, method="SLSQP", tol=1e-9)
    if not found.success:
        return no_test(known, "the mixed model does not converge")
    if max(found.x) == _LARGEST:
        return no_test(known, "models and debates leave no residual")
    fit = _fit(sums, found.x)
    return MeanEstimate(centre + fit.mean, sqrt(fit.variance), clusters - 1, len(known))


class _Sums(NamedTuple):
    """All that the fit needs of the data; columns are of ones and of the values."""

    products: Array
    """(2, 2): sums of products of the columns."""
    by_model: Array
    """(models, 2): sums of the columns."""
    by_debate: Array
    """(debates, 2): the same."""
    table: Array
    """(models, debates): number of values."""


class _Fit(NamedTuple):
    """Mean and its variance at given shares, and minus twice the log likelihood."""

    mean: float
    variance: float
    criterion: float


def _sums(values: Array, models: Labels, debates: Labels) -> _Sums:
    columns = np.stack((np.ones_like(values), values), axis=1)
    by_model = np.zeros((models.max() + 1, 2))
    np.add.at(by_model, models, columns)
    by_debate = np.zeros((debates.max() + 1, 2))
    np.add.at(by_debate, debates, columns)
    table = np.zeros((len(by_model), len(by_debate)))
    np.add.at(table, (models, debates), 1)
    return _Sums(columns.T @ columns, by_model, by_debate, table)


def _fit(sums: _Sums, shares: Array) -> _Fit:
    """The best mean and residual variance for given shares of the two effects.

    The covariance is the residual's variance times V = I + a A + b B, where A and B
    say which values share a model and a debate. Woodbury's identity gives products
    with the inverse, first of I + b B, which is a block per debate, then of V.

    Args:
        sums: of the data.
        shares: (2,) of models and of debates: the variance of the effect in the sum of
            it and the residual's, from 0 to below 1.
    """
    a, b = shares / (1 - shares)
    size = sums.by_debate[:, :1]
    shrink = b / (1 + b * size)
    products = sums.products - sums.by_debate.T @ (shrink * sums.by_debate)
    by_model = sums.by_model - sums.table @ (shrink * sums.by_debate)
    within = np.diag(sums.by_model[:, 0]) - sums.table @ (shrink * sums.table.T)
    inner = np.eye(len(within)) + a * within
    products -= a * by_model.T @ np.linalg.solve(inner, by_model)
    (ones, mixed), (_, squares) = products
    mean, free = mixed / ones, sums.products[0, 0] - 1
    residual = (squares - mean * mixed) / free
    determinant = np.log1p(b * size).sum() + np.linalg.slogdet(inner)[1]
    criterion = free * np.log(residual) + determinant + np.log(ones)
    return _Fit(float(mean), float(residual / ones), float(criterion))
