"""Shards: the parts of a run's samples that machines run beside each other."""

import re
from typing import NamedTuple

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.seeds import seeded

_FORM = re.compile(r"([0-9]+)/([0-9]+)")


class Shard(NamedTuple):
    """One of several equal parts of a run's samples; the first has number 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def places(self, samples: int) -> list[int]:
        """The places of its samples, of so many in their interleaved order.

        Each gets one of every `of` samples, by lot, as what takes turns in that order,
        such as subsets, would else be in one shard alone.
        """
        found: list[int] = []
        for start in range(0, samples, self.of):
            dealt = list(range(start, start + self.of))
            seeded(0, "shards", start).shuffle(dealt)
            found.append(dealt[self.number - 1])
        return [place for place in found if place < samples]


def read_shard(option: str, given: object) -> Shard:
    """A shard as a user types it.

    Args:
        option: The option or parameter, for errors.
        given: Such as `2/4`, the second of four.

    Raises:
        InputError: If it is not of that form, or there is no such shard.
    """
    typed = _FORM.fullmatch(given) if isinstance(given, str) else None
    shard = Shard(*map(int, typed.groups())) if typed else Shard(0, 0)
    if not 1 <= shard.number <= shard.of:
        raise InputError(
            f"{option}={given!r} is not allowed; give I/K, such as 2/4 for the second "
            "of four shards."
        )
    return shard
