"""How far two raters agree beyond chance."""

from collections.abc import Hashable, Sequence

import numpy as np


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Agreement of two raters beyond what their own answers' shares make likely.

    Cohen (1960), unweighted: (observed - expected) / (1 - expected), where the expected
    agreement is that of raters who give each answer as often as these did, without
    regard to the item.

    Args:
        first: One rater's answers, one per item, without missing ones.
        second: The other's about the same items.

    Returns:
        A number up to 1, 0 for agreement by chance. NaN without items, and where both
        give one and the same answer to all, since nothing tells agreement from chance
        then.

    Raises:
        ValueError: lengths differ.
    """
    if len(first) != len(second):
        raise ValueError(f"the raters differ in length: {len(first)}, {len(second)}.")
    if not len(first):
        return float("nan")
    position = {answer: n for n, answer in enumerate({*first, *second})}
    table = np.zeros((len(position), len(position)))
    for one, other in zip(first, second, strict=True):
        table[position[one], position[other]] += 1
    table /= len(first)
    observed = float(np.trace(table))
    expected = float(table.sum(axis=1) @ table.sum(axis=0))
    if np.isclose(expected, 1):
        return float("nan")
    return (observed - expected) / (1 - expected)
