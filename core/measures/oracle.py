"""What two detectors could gain from each other, and what a debate gains of it.

Oracle collaboration (ColMAD, Eq. 4) asks how many errors of the better of two
detectors an oracle would remove that picks the right answer wherever one of the two
gives it. Alone it mostly measures opposite biases: of two detectors that always
give opposite answers one is always right. So it stands beside the reduction to be
expected if the two erred independently of each other given the gold label.

Right and wrong are 1 and 0. A missing value is refused, as it would compare pairs on
different items: whoever calls either counts an answer that could not be read as
wrong (the strict reading, which ReaLMistake's accuracy takes) or leaves the item
out for all detectors.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.core.measures.arrays import (
    Array,
    check_lengths,
    zeros_and_ones,
)
from inspect_debate.core.measures.detection import Values


class OracleReduction(NamedTuple):
    """Errors that an oracle would remove from the better detector of a pair, in items.

    Fields are numbers for one pair, or arrays (detectors, detectors) for all pairs:
    symmetric, with a detector and itself on the diagonal.

    Attributes:
        observed: items on which the better detector is wrong and the other right,
            Eq. (4): errors of the better one less items on which both are wrong.
        expected: the same if the two erred independently given the gold label.
        better_errors: errors of the better detector.
    """

    observed: Values
    expected: Values
    better_errors: Values

    @property
    def corrected(self) -> Values:
        """Observed less expected; 0 for two detectors that do not look."""
        return self.observed - self.expected

    @property
    def ratio(self) -> Values:
        """Observed as a share of the better detector's errors; NaN without errors."""
        return _share(self.observed, self.better_errors)

    @property
    def corrected_ratio(self) -> Values:
        """Corrected as a share of the better detector's errors; NaN without errors."""
        return _share(self.corrected, self.better_errors)


def oracle_reductions(right: ArrayLike, gold: ArrayLike) -> OracleReduction:
    """Oracle reduction of all pairs of detectors.

    Args:
        right: 1 right, 0 wrong, of shape (items, detectors).
        gold: 1 error, 0 no error, one per item.

    Returns:
        Arrays (detectors, detectors); `observed` is 0 on the diagonal.

    Raises:
        ValueError: shapes do not fit, or a value is neither 0 nor 1.
    """
    wrong = 1 - zeros_and_ones("right", right, dimensions=2)
    truth = zeros_and_ones("gold", gold)
    check_lengths(right=wrong, gold=truth)
    errors = wrong.sum(axis=0)
    better_errors = np.minimum.outer(errors, errors)
    return OracleReduction(
        observed=better_errors - wrong.T @ wrong,
        expected=better_errors - sum(_both_wrong(wrong[truth == g]) for g in (0, 1)),
        better_errors=better_errors,
    )


def oracle_reduction(
    right_a: ArrayLike, right_b: ArrayLike, gold: ArrayLike
) -> OracleReduction:
    """Oracle reduction of one pair; arguments, one per item, as `oracle_reductions`."""
    a = zeros_and_ones("right_a", right_a)
    b = zeros_and_ones("right_b", right_b)
    check_lengths(right_a=a, right_b=b)
    pairs = oracle_reductions(np.stack((a, b), axis=-1), gold)
    return OracleReduction(*(float(np.asarray(field)[0, 1]) for field in pairs))


def gap_closed(first_a: ArrayLike, first_b: ArrayLike, debate: ArrayLike) -> float:
    """Share of the gap between the better first answer and the oracle closed by debate.

    The oracle is right where at least one first answer is. 0 is the accuracy of the
    better first answer; a debate below it is negative, and one that also finds what
    both got wrong can exceed 1.

    Args:
        first_a: first answers of one debater, 1 right, 0 wrong, one per item.
        first_b: those of the other on the same items.
        debate: outcomes on the same items, from 0 to 1: a fair coin is 0.5, and an
            outcome that could not be read whatever the caller takes it for.

    Returns:
        The share; NaN where there is no gap, so without items too.

    Raises:
        ValueError: lengths differ, or a value is none of those above.
    """
    a = zeros_and_ones("first_a", first_a)
    b = zeros_and_ones("first_b", first_b)
    outcome = np.asarray(debate, dtype=np.float64)
    if outcome.ndim != 1 or not ((outcome >= 0) & (outcome <= 1)).all():
        raise ValueError("debate must be flat and hold values from 0 to 1.")
    check_lengths(first_a=a, first_b=b, debate=outcome)
    better = max(a.sum(), b.sum())
    gap = np.maximum(a, b).sum() - better
    return float(_share(outcome.sum() - better, gap))


def _both_wrong(wrong: Array) -> Array:
    """Expected items on which each pair is wrong, erring independently in one class."""
    errors = wrong.sum(axis=0)
    return np.outer(errors, errors) / max(len(wrong), 1)


def _share(part: Values, whole: Values) -> Values:
    empty = np.equal(whole, 0)
    share: Values = np.where(empty, np.nan, part / np.where(empty, 1.0, whole))[()]
    return share
