"""Prices of tokens, from what calls cost."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rates(tokens: Array, costs: Array) -> Array:
    """The prices of tokens by which each call costs what it does.

    Args:
        tokens: Of each call by kind, of shape (calls, kinds).
        costs: Of each call.

    Returns:
        A price per kind. NaN for kinds of which no call has tokens; NaN for all where
        a cost is not known, where there are no more calls than kinds, and where the
        costs follow from no prices or from several.
    """
    used = tokens.any(axis=0)
    prices = np.full(tokens.shape[1], np.nan)
    if np.isnan(costs).any() or not used.any():
        return prices
    if not costs.any():
        return np.zeros(len(prices))
    if len(costs) <= used.sum():  # any costs would follow from some prices
        return prices
    found, _, rank, _ = np.linalg.lstsq(tokens[:, used], costs)
    explained = tokens[:, used] @ found
    if rank == used.sum() and np.allclose(explained, costs, rtol=1e-6, atol=0):
        prices[used] = found
    return prices


def uncached(tokens: Array, costs: Array, prices: Array) -> Array:
    """What calls had cost without a cache.

    Args:
        tokens: Of each call: input, read from a cache, written to it; of shape
            (calls, 3 or more).
        costs: Of each call.
        prices: As from `rates`, of the same kinds.

    Returns:
        A cost per call; NaN where it is not known.
    """
    saved = np.where(tokens[:, 1:3] == 0, 0.0, prices[0] - prices[1:3])
    added: Array = (tokens[:, 1:3] * saved).sum(axis=1)
    return costs + added
