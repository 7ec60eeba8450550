"""How small a difference paired answers can show: the power of McNemar's test.

Two conditions answer the same items. On a share of them, the discordance, only one is
right; what they differ in is how these are divided between them. Powers here are exact
sums over all numbers of discordant items and their divisions, for the test that
`paired.mcnemar` makes.
"""

import numpy as np
from numpy.typing import NDArray

_NEGLIGIBLE = 1e-12
"""Numbers of discordant items less likely than this, on either side, are left out."""


def mcnemar_power(
    n: int, discordance: float, difference: float, *, level: float = 0.05
) -> float:
    """The probability that McNemar's mid-p test, two-sided, shows a difference.

    Args:
        n: independent items that both conditions answered.
        discordance: share of items that exactly one condition gets right, from 0 to 1.
        difference: of the two shares of right answers; at most `discordance`, which
            it is where one condition is never right alone.
        level: of the test.

    Returns:
        The power, from 0 to 1.

    Raises:
        ValueError: a number is not possible.
    """
    # A second of import time, which no run that only parses should pay.
    from scipy.stats import binom

    _check(n, discordance, level)
    if not 0 <= difference <= discordance:
        raise ValueError(
            f"difference is {difference}; it must lie from 0 to the discordance, "
            f"{discordance}."
        )
    if discordance == 0:
        return 0.0
    least = int(binom.ppf(_NEGLIGIBLE, n, discordance))
    most = int(binom.isf(_NEGLIGIBLE, n, discordance))
    discordant = np.arange(least, most + 1)
    critical = _critical(discordant, level)
    to_one = (1 + difference / discordance) / 2
    shown = binom.sf(critical - 1, discordant, to_one)
    shown += binom.cdf(discordant - critical, discordant, to_one)
    return float(binom.pmf(discordant, n, discordance) @ shown)


def smallest_difference(
    n: int, discordance: float, *, power: float = 0.8, level: float = 0.05
) -> float:
    """The smallest difference that `n` items show with a given power.

    Args:
        n: independent items that both conditions answer.
        discordance: share of items that exactly one condition gets right, from 0 to 1.
        power: probability with which it is to be shown; above `level`.
        level: of the test, McNemar's with the mid-p-value, two-sided.

    Returns:
        Difference of the two shares of right answers; NaN where even the greatest that
        the discordance allows is not shown with that power.

    Raises:
        ValueError: a number is not possible.
    """
    from scipy.optimize import brentq

    _check(n, discordance, level)
    if not level < power < 1:
        raise ValueError(f"power is {power}; it must lie between {level} and 1.")

    def beyond(difference: float) -> float:
        return mcnemar_power(n, discordance, difference, level=level) - power

    if beyond(discordance) < 0:
        return float("nan")
    return float(brentq(beyond, 0.0, discordance, xtol=1e-6))


def _critical(discordant: NDArray[np.int_], level: float) -> NDArray[np.int_]:
    """From how many items for one condition the test rejects, by discordant ones.

    The mid-p-value of k items for the condition with more is P(K >= k) + P(K > k):
    twice the tail, of which k itself counts half on either side.
    """
    from scipy.stats import binom

    at = np.asarray(binom.isf(level / 2, discordant, 0.5)).astype(int)
    mid_p = binom.sf(at, discordant, 0.5) + binom.sf(at - 1, discordant, 0.5)
    critical: NDArray[np.int_] = np.where(mid_p <= level, at, at + 1)
    return critical


def _check(n: int, discordance: float, level: float) -> None:
    if n < 1:
        raise ValueError(f"n is {n}; it must be at least 1.")
    if not 0 <= discordance <= 1:
        raise ValueError(f"discordance is {discordance}; it must lie from 0 to 1.")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1.")
