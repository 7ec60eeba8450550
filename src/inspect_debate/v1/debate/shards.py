"""Shards: the parts of a run's samples that machines run beside each other."""

from typing import NamedTuple

from inspect_debate.v1.debate.seeds import seeded


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
