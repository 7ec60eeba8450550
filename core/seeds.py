"""Randomness that depends on what it decides, never on position, clock or `hash()`."""

import hashlib
import random


def seeded(seed: int, *purpose: str | int) -> random.Random:
    """A generator determined by the seed and the purpose of the draw.

    Args:
        seed: The run's seed.
        purpose: What is drawn, for whom and which draw, e.g. `"sides", sample_id`.

    Returns:
        A generator; equal arguments give equal draws on every machine.
    """
    key = "\x1f".join(str(part) for part in (seed, *purpose))
    return random.Random(hashlib.sha256(key.encode()).digest())


def mirrored(epoch: int) -> bool:
    """Whether an epoch takes the mirrored sides and order: every second one does."""
    return epoch % 2 == 0
