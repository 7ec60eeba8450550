"""What a simulated model quotes: passages of its prompt."""

from collections.abc import Sequence
from functools import lru_cache
from math import gcd
from random import Random
from typing import Literal, NamedTuple

Source = Literal["task", "response", "question", "options", "passage"]
SOURCES: tuple[Source, ...] = ("task", "response", "question", "options")
"""The blocks of an item: of a response to a task, or of a question with options.

A question may be about a block `passage` beside these."""

_LENGTH = 9
_STEP = 4
_MISQUOTES = ("so to speak", "by and large", "as a matter of fact", "in other words")


class Passage(NamedTuple):
    """Consecutive words of one line of the item, and the block they come from."""

    text: str
    source: Source


def passages(prompt: str, sources: Sequence[Source] = SOURCES) -> tuple[Passage, ...]:
    """Different passages that can be quoted from a prompt.

    Args:
        prompt: A user message with the item in such blocks, whose tags have a line of
            their own.
        sources: The blocks to take passages from.

    Returns:
        Passages of four to nine words, without any "<" or ">"; none where the prompt
        has no such block.
    """
    found: dict[str, Passage] = {}
    for source in sources:
        for text in _windows(_block(prompt, source)):
            found.setdefault(text, Passage(text, source))
    return tuple(found.values())


def dealt(
    deck: Sequence[Passage], hands: int, hand: int, card: int, rng: Random
) -> Passage | None:
    """One passage of a deck that is dealt out, so that no two speakers share one.

    Args:
        deck: The passages.
        hands: Number of speakers.
        hand: Which speaker.
        card: Which of its passages; past its last it starts again.
        rng: Decides the order; the same for all speakers.

    Returns:
        The passage; None where the deck has none for this speaker.
    """
    own = deck[hand::hands]
    if not own:
        return None
    step = max(1, round(len(own) * 0.618))
    while gcd(step, len(own)) != 1:
        step += 1
    return own[(rng.randrange(len(own)) + card * step) % len(own)]


def altered(passage: Passage, rng: Random) -> Passage:
    """A passage with added words that are not in the source."""
    words = passage.text.split(" ")
    words.insert(len(words) // 2, rng.choice(_MISQUOTES))
    return Passage(" ".join(words), passage.source)


def invented(hand: int, card: int) -> Passage:
    """Words for a quote where there is nothing to quote; different for every card."""
    return Passage(f"as point {card + 1} of part {hand + 1} puts it", "task")


@lru_cache(maxsize=512)
def _windows(text: str) -> tuple[str, ...]:
    windows = (
        " ".join(words[start : start + _LENGTH])
        for words in map(str.split, text.splitlines())
        for start in range(0, len(words) - _STEP + 1, _STEP)
    )
    return tuple(w for w in windows if "<" not in w and ">" not in w and _says(w))


def _says(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _block(prompt: str, tag: str) -> str:
    _, opened, rest = f"\n{prompt}".partition(f"\n<{tag}>\n")
    inside, closed, _ = rest.partition(f"\n</{tag}>")
    return inside if opened and closed else ""
