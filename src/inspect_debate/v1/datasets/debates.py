"""Debates to run: a sample for every motion, pair of models and repetition."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample

from inspect_debate.v1.datasets.motions import Motion, motion_of_text
from inspect_debate.v1.datasets.sources import interleaved
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.seeds import fingerprint


class Pair(NamedTuple):
    """The two models of a debate; both are None where the roles of the run decide."""

    debater_a: str | None = None
    debater_b: str | None = None


class Debated(NamedTuple):
    """A motion, who debates it, and the number of the repetition, from 1.

    Debater A speaks for the proposition, or, if `swapped`, for the opposition.
    """

    motion: Motion
    pair: Pair
    repetition: int = 1
    swapped: bool = False

    @property
    def id(self) -> str:
        """What names the sample: motion, models where they are given, repetition."""
        names = [slug(name) for name in self.pair if name is not None]
        return ".".join([self.motion.id, *names, str(self.repetition)])


def every_motion(
    motions: Sequence[Motion], pairs: Sequence[Pair], repetitions: int
) -> list[Debated]:
    """Every pair debates every motion, as often as asked.

    In every second repetition the two change sides.
    """
    return [
        Debated(motion, pair, number, swapped=number % 2 == 0)
        for motion, pair, number in product(motions, pairs, range(1, repetitions + 1))
    ]


def repeated(
    rows: Sequence[tuple[Motion, Pair]], repetitions: int = 1
) -> list[Debated]:
    """Debates of a schedule, as often as asked; a row that comes again is another one.

    Args:
        rows: The schedule.
        repetitions: How often all of it is debated; every second time the two models
            change sides.
    """
    seen: Counter[tuple[Motion, Pair]] = Counter()
    debates = []
    for number, row in product(range(1, repetitions + 1), rows):
        seen[row] += 1
        debates.append(Debated(*row, seen[row], swapped=number % 2 == 0))
    return debates


def motion_lookup(motions: Sequence[Motion], where: str) -> Callable[[str], Motion]:
    """Finds the motion that a schedule names.

    Args:
        motions: The motions of the run.
        where: The schedule's file, for errors.

    Returns:
        A function of what the schedule says: the id or the text of one of the
        motions, or the text of another, which then is a motion of its own.
    """
    known: Mapping[str, Motion] = {
        name: motion for motion in motions for name in (motion.id, motion.text)
    }

    def find(named: str) -> Motion:
        if named in known:
            return known[named]
        if len(named.split()) < _WORDS_OF_A_MOTION:
            listed = ", ".join(motion.id for motion in motions)
            raise InputError(
                f"{where} names the motion {named!r}, which there is none of; "
                f"allowed: {listed}, or the full text of another."
            )
        return motion_of_text(named)

    return find


_WORDS_OF_A_MOTION = 4


def debates_dataset(debates: Sequence[Debated], seed: int) -> MemoryDataset:
    """Samples in a seeded order of which every prefix is a fair part of the whole.

    Args:
        debates: The debates, in any order.
        seed: Decides the order.
    """
    ordered = interleaved(
        debates,
        identity=lambda debate: debate.id,
        stratum=lambda debate: (debate.motion.id, debate.pair),
        seed=seed,
    )
    return MemoryDataset([sample_of(debate) for debate in ordered], name="motions")


def sample_of(debate: Debated) -> Sample:
    """A debate as a sample: the motion as input, without a target."""
    motion, pair = debate.motion, debate.pair
    return Sample(
        id=debate.id,
        input=motion.text,
        metadata={
            "motion": motion.id,
            "proposition_burden": motion.proposition,
            "opposition_burden": motion.opposition,
            "debater_a": pair.debater_a,
            "debater_b": pair.debater_b,
            "swapped": debate.swapped,
            "repetition": debate.repetition,
            "fingerprint": fingerprint(*motion[1:]),
        },
    )


def slug(name: str) -> str:
    """A model's name as a part of a sample's id: without provider and `:free`."""
    last = name.removesuffix(":free").rpartition("/")[2]
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", last)
