"""What the writers of texts share: a completion in parts, and counting its words."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from random import Random
from typing import NamedTuple

NUMBERS = {"error": "1", "no_error": "2"}
"""What prompts call the labels; the letter of an option stands for itself."""


class Draft(NamedTuple):
    """A completion in parts: `closing` holds the lines that decide how it is read.

    `thinking` is None where no tags are asked for. With tags, `closing` may be empty.
    `logic` is the reasoning of a bet, which stands in tags of its own after the body.
    """

    body: str
    closing: str
    thinking: str | None = None
    logic: str | None = None

    @property
    def text(self) -> str:
        """The whole completion."""
        return self.before_closing + self.after_body

    @property
    def before_closing(self) -> str:
        """Everything up to the closing lines."""
        if self.logic is not None:
            logic = f"<bet_logic_private>\n{self.logic}\n</bet_logic_private>"
            return f"{self.body}\n\n{logic}" if self.body else logic
        if self.thinking is None:
            return self.body
        return f"<thinking>\n{self.thinking}\n</thinking>\n\n<argument>\n{self.body}"

    @property
    def after_body(self) -> str:
        """The closing lines and whatever tag follows them."""
        gap = "\n\n" if self.body and self.closing else ""
        gap = gap if self.logic is None else "\n"
        end = "" if self.thinking is None else "\n</argument>"
        return f"{gap}{self.closing}{end}"


def target(words: int, rng: Random) -> int:
    """The length of one text among many of a mean length."""
    return round(words * rng.uniform(0.75, 1.25))


def count(*texts: str) -> int:
    """The number of words."""
    return sum(len(text.split()) for text in texts)


def shuffled(bank: Sequence[str], rng: Random) -> Iterator[str]:
    """Sentences without end; none comes again before all others did."""
    return cycle(rng.sample(bank, len(bank)))


def impersonal(bank: Sequence[str]) -> list[str]:
    """The sentences that do not speak of the other debater."""
    return [line for line in bank if "{other}" not in line]
