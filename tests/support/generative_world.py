"""Tasks of a data set, and models that solve some of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from inspect_ai.dataset import Sample

from inspect_debate.solvers.formats import FORMATS
from tests.support.generative_reader import GenerativeReader, generative_brain
from tests.support.wire.client import wire_model
from tests.support.wire.replies import Brain
from tests.support.wire.server import WireServer

ALICE, BOB, JUDGE, SCORER = "alice", "bob", "judge", "scorer"
"""The models, by the names under which they are asked."""
BOUND = {"debater_a": ALICE, "debater_b": BOB, "judge": JUDGE, "reward": SCORER}
"""Which of them has which role."""
DOUBTS = {ALICE: 0, BOB: 1}
"""Of each five tasks, the number of that to which they doubt their answer."""


@dataclass(frozen=True)
class World:
    """A data set in its order, and how four models go about each task.

    Of each four tasks Alice is right about the first two, and Bob about the first and
    third. Where both are wrong their answers are the same on the first four of eight.
    The judge and the scorer of candidates are wrong about each third task, as Alice is
    where she is. Alice doubts her answer to the first of each five tasks, and Bob his
    to the second.
    """

    samples: tuple[Sample, ...]
    one_by_one: bool = False

    @classmethod
    def of(cls, samples: Iterable[Sample], one_by_one: bool = False) -> "World":
        """The world of a data set."""
        return cls(tuple(samples), one_by_one)

    @cached_property
    def readers(self) -> dict[str, GenerativeReader]:
        """The models by name."""
        return {
            model: GenerativeReader(
                solves=partial(self._solves, model),
                doubts=partial(self._doubts, model),
                one_by_one=self.one_by_one,
            )
            for model in BOUND.values()
        }

    @property
    def brain(self) -> Brain:
        """The models behind a server."""
        return generative_brain(self.readers)

    def number(self, task: str) -> int:
        """The place of a task, from 0."""
        return self._numbers[task]

    def solves(self, model: str, number: int) -> str:
        """A model's answer to a task: the right one, or one of two others."""
        wrong = {
            ALICE: int(number % 4 >= 2),
            BOB: (1 + (number % 8 >= 4)) * (number % 4 in (1, 3)),
        }.get(model, int(number % 3 == 0))
        target = str(self.samples[number].target)
        return f"{(int(target[0]) + wrong) % 10}{target[1:]}"

    def expected(self, number: int, protocol: str) -> dict[str, float]:
        """The values of a task's score that the rules imply."""
        target = str(self.samples[number].target)
        a, b, own = (self.solves(model, number) for model in (ALICE, BOB, JUDGE))
        seats, met = FORMATS[protocol]
        if not seats:
            return {"correct": own == target, "answer_right": own == target}
        debated = met == "debate"
        gives_up = {
            "a": debated and a != b and number % 5 == DOUBTS[ALICE],
            "b": debated and a != b and number % 5 == DOUBTS[BOB],
        }
        answers = {"a": a, "b": b} if seats == 2 else {"a": a}
        right = {seat: answer == target for seat, answer in answers.items()}
        endorsed = {
            seat: answer == own and not gives_up[seat]
            for seat, answer in answers.items()
        }
        correct = right == endorsed
        wrong = [seat for seat in right if not right[seat]]
        stance = {}
        if protocol == "single_debate":
            stance = {
                "stance": a == b,
                "stance_right": (a == b) == right["a"],
                "stance_endorsed": (a == b) == endorsed["a"],
            }
        return {
            "correct": correct,
            "verdict_correct": correct,
            "regime": sum(right.values()),
            "verdict_class": endorsed["a"] + 2 * endorsed.get("b", 0),
            "fp": sum(endorsed[seat] for seat in wrong),
            "n_wrong": len(wrong),
            "fn": sum(right[s] and not endorsed[s] for s in right),
            "n_right": sum(right.values()),
            **{f"right_{seat}": value for seat, value in right.items()},
            **{f"endorsed_{seat}": value for seat, value in endorsed.items()},
            **({"answers_identical": a == b} if seats == 2 else {}),
            **stance,
        }

    def _solves(self, model: str, task: str) -> str:
        return self.solves(model, self._numbers[task])

    def _doubts(self, model: str, task: str) -> bool:
        return self._numbers[task] % 5 == DOUBTS.get(model)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {str(s.input): number for number, s in enumerate(self.samples)}


def calls_of(protocol: str, best_of: int = 1, rounds: int = 2) -> int:
    """Calls of an item in a format, with so many rounds of speeches."""
    proposers, met = FORMATS[protocol]
    speakers = 0 if met == "none" else 1 if protocol == "single_consultancy" else 2
    drawn = 1 if best_of == 1 else 2 * best_of  # each candidate has its reward
    return proposers + rounds * speakers * drawn + 1


def roles(server: WireServer, **settings: Any) -> dict[str, Any]:
    """The models of a world, each in its seat."""
    return {role: wire_model(server, name, **settings) for role, name in BOUND.items()}
