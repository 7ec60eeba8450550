"""How the time that something takes grows with the length of a text."""

import time
from collections.abc import Callable

_NOISE = 0.01
"""Seconds that a busy machine may add."""


def check_linear(work: Callable[[int], object], size: int = 12_000) -> None:
    """Check that four times the size takes less than eight times as long.

    What grows with the square takes sixteen times as long.

    Args:
        work: What is measured, given a size.
        size: The larger of both sizes.
    """
    for _ in range(3):
        small, large = _seconds(work, size // 4), _seconds(work, size)
        if large < 8 * small + _NOISE:
            return
    raise AssertionError(f"{size // 4}: {small:.3f} s, {size}: {large:.3f} s")


def _seconds(work: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    work(size)
    return time.process_time() - started
