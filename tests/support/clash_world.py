"""Questions of a data set, and a model that knows some of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from inspect_ai.dataset import Sample

from tests.support.clash_reader import ClashReader, Hearing, Sure

SURE, UNSURE, CONTEXTUAL = 0.999, 0.3, 0.95
"""Probabilities of what the model knows well and badly, and takes from a passage."""
WRONG = "my guess"


@dataclass(frozen=True)
class World:
    """A data set in its order, and how its model goes about each question.

    Of each four questions it is right about the first two from memory, and sure of the
    first and third. It relies on the passages of the second and third, and of each
    second four questions on those of the others; verdicts on round 0 are the contrary.
    """

    samples: tuple[Sample, ...]

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> "World":
        """The world of a data set."""
        return cls(tuple(samples))

    @property
    def reader(self) -> ClashReader:
        """The model."""
        return ClashReader(self.knows, self.reads, self.trusts)

    def knows(self, question: str) -> Sure:
        """What it answers from memory."""
        number = self._numbers[question]
        return Sure(
            self._golds[question] if number % 4 < 2 else WRONG,
            UNSURE if number % 2 else SURE,
        )

    def reads(self, question: str, passage: str) -> Sure:
        """What it answers from a passage: what that says."""
        return Sure(self._says[question, passage], CONTEXTUAL)

    def trusts(self, hearing: Hearing) -> bool:
        """Whether it relies on the passage."""
        number = self._numbers[hearing.question]
        trusted = (number % 4 in (1, 2)) ^ (number % 8 >= 4)
        return trusted if hearing.round else not trusted

    @cached_property
    def _golds(self) -> dict[str, str]:
        return {str(s.input): str(s.target) for s in self.samples}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {question: number for number, question in enumerate(self._golds)}

    @cached_property
    def _says(self) -> dict[tuple[str, str], str]:
        facts = [(s, s.metadata or {}) for s in self.samples]
        return {(str(s.input), m["passage"]): m["passage_answer"] for s, m in facts}
