"""Does a judge change its mind where it should not? Exact tests of changed verdicts.

Under a change that should not matter, verdicts before and after it are exchangeable: a
judge that merely errs at random moves as often one way as the other.
"""

import math
from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binom

from inspect_debate.metrics.intervals import cluster_sums

LEVEL = 0.05
LEAST_EFFECT = 0.1
"""The least effect, as a share of verdicts, that matters."""
MOST_CHANGED = 0.15
"""The share of verdicts that a judge may change when it is asked the same again."""


def sign_test(moves: ArrayLike, cluster: Iterable[Hashable], sides: int = 2) -> float:
    """The exact p-value of moves up against moves down.

    With one move per cluster this is the sign test, or McNemar's exact test. With more,
    the moves of a cluster are added up, and their sum is as likely positive as
    negative; all ways of giving signs to the sums are counted.

    Args:
        moves: 1, 0 or -1 for each verdict; NaN does not count.
        cluster: What dependent verdicts share, such as the question.
        sides: 1 if only moves up count.
    """
    values = np.nan_to_num(np.asarray(moves, dtype=np.float64))
    sums = cluster_sums(values[:, None], cluster)[:, 0].astype(int)
    chances = np.ones(1)
    for size in np.abs(sums[sums != 0]):
        chances = np.convolve(chances, [0.5, *[0] * (2 * size - 1), 0.5])
    totals, observed = np.arange(len(chances)) - len(chances) // 2, sums.sum()
    beyond = totals >= observed if sides == 1 else np.abs(totals) >= abs(observed)
    return min(float(chances[beyond].sum()), 1.0)


def too_many(changed: int, n: int) -> float:
    """The exact binomial p-value of `changed` of `n` verdicts, if 15 % are accepted."""
    return float(binom.sf(changed - 1, n, MOST_CHANGED))


def smallest_shift(n: int, clusters: int, tests: int, sides: int = 2) -> float:
    """The smallest share of verdicts whose moves, all one way, raise an alarm.

    Each is in a cluster of its own, and Holm's correction is for a number of `tests`.
    NaN if not even a move in every cluster would do.
    """
    needed = math.ceil(math.log2(sides * tests / LEVEL))
    enough = max(needed, math.ceil(LEAST_EFFECT * n - 1e-9))
    return enough / n if needed <= clusters else math.nan
