"""What depends on content alone, never on position, clock or `hash()`.

Draws by a seed and by what they decide, and the fingerprint of what is asked.
"""

import hashlib
import json
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


BLOCK = 4
"""Of so many items in a row, by rank, half fall one way and half the other."""


def heads(seed: int, drawn: str, item: str, rank: int | None, *draw: int) -> bool:
    """A fair coin for an item; of items with ranks, in permuted blocks.

    Any first items of a ranking have as many heads as tails, but for half a block.
    What a coin shows depends on nothing but the item's rank, so subsets keep it.

    Args:
        seed: The seed of the draw.
        drawn: What is drawn; coins for different things are independent of each other.
        item: The item's id, which decides where there is no rank.
        rank: The item's place in its data set, from 0, if that is known.
        draw: Which of several draws for this item.
    """
    if rank is None:
        return seeded(seed, drawn, item, *draw).random() < 0.5
    block, place = divmod(rank, BLOCK)
    sides = [at < BLOCK // 2 for at in range(BLOCK)]
    seeded(seed, drawn, "block", block, *draw).shuffle(sides)
    return sides[place]


def mirrored(epoch: int) -> bool:
    """Whether an epoch takes the mirrored sides and order: every second one does."""
    return epoch % 2 == 0


def fingerprint(*texts: str) -> str:
    """The hash of a question's content: 16 hexadecimal digits of its sha256."""
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
