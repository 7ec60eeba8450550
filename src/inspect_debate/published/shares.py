"""Printed percentages as shares of a number of items, rounded or cut off."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

_EXACT = 1e-9
_MISSING = 10
"""At most one in so many items is missing from a cell, as in SR-DCR's own: 30/54."""


def items_behind(printed: float, n: int, digits: int) -> int | None:
    """How many of n items are printed as so many percent; None where no number is.

    Args:
        printed: In percent.
        n: The number of items.
        digits: How many decimals are printed.
    """
    near = round(printed * n / 100)
    fitting = (
        k for k in (near, near + 1) if is_printed_so(100 * k / n, printed, digits)
    )
    return next(fitting, None)


def is_printed_so(exact: float, printed: float, digits: int) -> bool:
    """Whether a number is printed so, be it rounded or cut off after its decimals."""
    unit = 10.0**-digits
    return -unit / 2 - _EXACT <= exact - printed < unit - _EXACT


def fewer_items(printed: float, n: int, digits: int) -> tuple[int, int] | None:
    """The share of the most items below n that is printed so: how many of how many."""
    for size in range(n - 1, 0, -1):
        if (k := items_behind(printed, size, digits)) is not None:
            return k, size
    return None


def share_text(right: int, items: int, printed: float, digits: int) -> str:
    """A share beside what is printed: "28/59 is 47.46", "24/55 is 43.636, cut off"."""
    exact = 100 * right / items
    if round(exact, digits) == printed:
        return f"{right}/{items} is {exact:.{digits}f}"
    return f"{right}/{items} is {exact:.{digits + 1}f}, cut off"


class Pool(NamedTuple):
    """Right answers among the items of one cell or several.

    Attributes:
        right: How many.
        items: Of how many.
        supposed: Shares put for printed cells that no number of items gives.
    """

    right: int
    items: int
    supposed: tuple[str, ...] = ()


def pools_of_share(printed: float, n: int, digits: int) -> list[Pool]:
    """All counts behind a cell that is a share of n items or a tenth fewer at most.

    A cell that is none is any share of the n items.
    """
    counts = {
        size: items_behind(printed, size, digits)
        for size in range(n - n // _MISSING, n + 1)
    }
    found = [Pool(k, size) for size, k in counts.items() if k is not None]
    return found or [Pool(k, n, (f"{k}/{n}",)) for k in range(n + 1)]


def pools_of_mean(
    printed: float, digits: int, parts: Sequence[Sequence[Pool]]
) -> list[Pool]:
    """All counts that give an average as the share of all items behind its parts."""
    sums = {_sum(pools) for pools in product(*parts)}
    return [
        pool
        for pool in sums
        if is_printed_so(100 * pool.right / pool.items, printed, digits)
    ]


def pool_text(pool: Pool | None, printed: float, digits: int) -> str:
    """What the share of all items says of an average, as a part of a sentence."""
    if pool is None:
        return "no share of the items behind them gives it"
    where = " and ".join(
        f"{share} for the cell that no number of items gives" for share in pool.supposed
    )
    share = share_text(pool.right, pool.items, printed, digits)
    return f"the share of all items{where and f', with {where},'} gives it: {share}"


def common_numbers(printed: Sequence[float], sizes: range, digits: int) -> list[int]:
    """The numbers of items of which every one of some percentages is a share."""
    return list(_common(printed, sizes, digits))


def _common(printed: Sequence[float], sizes: range, digits: int) -> Iterator[int]:
    for n in sizes:
        if all(items_behind(one, n, digits) is not None for one in printed):
            yield n


def _sum(pools: Sequence[Pool]) -> Pool:
    supposed = tuple(share for pool in pools for share in pool.supposed)
    right, items = sum(pool.right for pool in pools), sum(pool.items for pool in pools)
    return Pool(right, items, supposed)
