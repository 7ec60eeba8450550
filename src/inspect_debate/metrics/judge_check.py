"""Does a judge change its mind where it should not? Exact tests of changed verdicts.

Under a change that should not matter, verdicts before and after it are exchangeable: a
judge that merely errs at random moves as often one way as the other.
"""

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


def sign_test(moves: ArrayLike, cluster: Iterable[Hashable]) -> float:
    """The exact p-value of moves up against moves down.

    With one move per cluster this is the sign test. With more, the moves of a cluster
    are added up, and their sum is as likely positive as negative; all ways of giving
    signs to the sums are counted.

    Args:
        moves: 1, 0 or -1 for each verdict; NaN does not count.
        cluster: What dependent verdicts share, such as the question.
    """
    values = np.nan_to_num(np.asarray(moves, dtype=np.float64))
    sums = cluster_sums(values[:, None], cluster)[:, 0].astype(int)
    chances = np.ones(1)
    for size in np.abs(sums[sums != 0]):
        chances = np.convolve(chances, [0.5, *[0] * (2 * size - 1), 0.5])
    totals = np.arange(len(chances)) - len(chances) // 2
    return min(float(chances[np.abs(totals) >= abs(sums.sum())].sum()), 1.0)


def too_many(changed: int, n: int) -> float:
    """The exact binomial p-value of `changed` of `n` verdicts, if 15 % are accepted."""
    return float(binom.sf(changed - 1, n, MOST_CHANGED))
