"""Tasks of a data set, and models that act on nothing but their prompts' texts.

What a prompt has to show is in the golden files; here it only has to be understood.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from inspect_ai.dataset import Sample

from inspect_debate.v1.solvers.formats import FORMATS
from tests.v1.support.generative import rounds_of, speakers_of
from tests.v1.support.wire.client import wire_model
from tests.v1.support.wire.replies import Brain, Reply
from tests.v1.support.wire.requests import ChatRequest, Message
from tests.v1.support.wire.server import WireServer

ALICE, BOB, JUDGE, SCORER = "alice", "bob", "judge", "scorer"
"""The models, by the names under which they are asked."""
BOUND = {"debater_a": ALICE, "debater_b": BOB, "judge": JUDGE, "reward": SCORER}
"""Which of them has which role."""
DOUBTS = {ALICE: 0, BOB: 1}
"""Of each five tasks, the number of that to which they doubt their answer."""
GIVEN_UP = "I give my answer up"
AGREES, DISAGREES = "Stance: AGREE", "Stance: DISAGREE"


class Shown(NamedTuple):
    """An answer that a prompt shows: whether as one's own, and without its labels."""

    own: bool
    text: str


@dataclass(frozen=True)
class World:
    """A data set in its order, and how four models go about each task.

    Of each four tasks Alice is right about the first two, and Bob about the first and
    third. Where both are wrong their answers are the same on the first four of eight.
    The judge and the scorer of candidates are wrong about each third task, as Alice is
    where she is. Alice doubts her answer to the first of each five tasks, and Bob his
    to the second.

    - A proposer says that its answer is right. It gives it up where it is one who
      doubts, and the other's answer is not its own, or the critic has disagreed.
    - A critic agrees with the answer that it would have given itself.
    - A judge rules an answer correct that it would have given itself, unless it was
      given up, and a critic's stance where it rules the same. It is the surer of a
      ruling on somebody, the more often that one says "surely", as candidates do more
      or less often.
    """

    samples: tuple[Sample, ...]

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> "World":
        """The world of a data set."""
        return cls(tuple(samples))

    @property
    def brain(self) -> Brain:
        """The models behind a server; their draws of one prompt differ."""
        return lambda request: Reply(self._reply(request))

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
        proposers, met = FORMATS[protocol]
        rules = BOB if met == "critic" else JUDGE
        a, b, own = (self.solves(model, number) for model in (ALICE, BOB, rules))
        if not proposers:
            return {"correct": own == target, "answer_right": own == target}
        debated = met == "debate"
        gives_up = {
            "a": debated and a != b and number % 5 == DOUBTS[ALICE],
            "b": debated and a != b and number % 5 == DOUBTS[BOB],
        }
        answers = {"a": a, "b": b} if proposers == 2 else {"a": a}
        right = {who: answer == target for who, answer in answers.items()}
        endorsed = {
            who: answer == own and not gives_up[who] for who, answer in answers.items()
        }
        correct = right == endorsed
        wrong = [who for who in right if not right[who]]
        stance = {}
        if protocol in ("single_debate", "single_critique"):
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
            "fp": sum(endorsed[who] for who in wrong),
            "n_wrong": len(wrong),
            "fn": sum(right[s] and not endorsed[s] for s in right),
            "n_right": sum(right.values()),
            **{f"right_{who}": value for who, value in right.items()},
            **{f"endorsed_{who}": value for who, value in endorsed.items()},
            **({"answers_identical": a == b} if proposers == 2 else {}),
            **stance,
        }

    def _reply(self, request: ChatRequest) -> str:
        model, messages = request.model, without_reasks(request.messages)
        system, user = (" ".join(m.text.split()) for m in (messages[0], messages[-1]))
        if len(messages) == 1 or "solve the task yourself" in user:
            return self._solution(model, messages)
        if system.startswith("You judge answers to a task."):
            return self._judged(model, messages[-1].text)
        return self._spoken(
            model, messages[-1].text, "surely " * int(9 * _draw(request))
        )

    def _solution(self, model: str, messages: Sequence[Message]) -> str:
        solution = self.solves(model, self._numbers[task_of(messages[-1].text)])
        grids = "\n\n".join(f"```\n{grid}\n```" for grid in solution.split("\n\n"))
        return f"I looked at the examples.\n\n{grids}"

    def _spoken(self, model: str, user: str, surely: str) -> str:
        number, answers = self._numbers[task_of(user)], answers_of(user)
        own = [answer.text for answer in answers.values() if answer.own]
        others = [answer.text for answer in answers.values() if not answer.own]
        if not own:  # a critic
            stance = AGREES if others == [self.solves(model, number)] else DISAGREES
            return f"I {surely}solved it myself.\n\n{stance}"
        speeches = speeches_of(user)
        contradicted = any(other not in own for other in others) or any(
            DISAGREES in speech for _, _, speech in speeches
        )
        gives_up = contradicted and number % 5 == DOUBTS.get(model)
        reply = GIVEN_UP if gives_up else "I say that my answer is right"
        return f"After {len(speeches)} speeches, {surely}{reply}."

    def _judged(self, model: str, user: str) -> str:
        solution = self.solves(model, self._numbers[task_of(user)])
        answers, speeches = answers_of(user), speeches_of(user)
        last = {speaker: text for speaker, _, text in speeches}
        right = {
            name: answer.text == solution and GIVEN_UP not in last.get(name, "")
            for name, answer in answers.items()
        }
        critics = [name for name in last if name not in answers]
        (first, *_) = right.values()
        right |= {name: (DISAGREES not in last[name]) == first for name in critics}
        rulings = {
            name: {
                "verdict": "correct" if is_right else "incorrect",
                "confidence": confidence(t for s, _, t in speeches if s == name),
            }
            for name, is_right in right.items()
        }
        return f"I weighed it.\n\n```json\n{json.dumps(rulings)}\n```"

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {str(s.input): number for number, s in enumerate(self.samples)}


def calls_of(protocol: str, best_of: int = 1, rounds: int = 2) -> int:
    """Calls of an item in a format, with so many rounds of speeches."""
    proposers = FORMATS[protocol].proposers
    speakers = len(speakers_of(protocol))
    rounds = min(rounds, rounds_of(protocol))
    drawn = 1 if best_of == 1 else 2 * best_of  # each candidate has its reward
    return proposers + rounds * speakers * drawn + 1


def roles(server: WireServer, **settings: Any) -> dict[str, Any]:
    """The models of a world, each in its seat."""
    return {role: wire_model(server, name, **settings) for role, name in BOUND.items()}


def task_of(text: str) -> str:
    """The task that a prompt shows."""
    (task,) = re.findall(r"^<task>\n(.*?)\n</task>$", text, re.M | re.S)
    return str(task)


def answers_of(text: str) -> dict[str, Shown]:
    """The answers that a prompt shows, by whom, in their order."""
    found = re.findall(
        r"^(Your answer:|The answer of \w+:)(?: \(It is not in the form.*\))?\n\n"
        r'<answer by="(\w+)">\n(.*?)\n</answer>$',
        text,
        re.M | re.S,
    )
    return {
        by: Shown(
            heading == "Your answer:", re.sub(r"^Output \d+:\n", "", answer, flags=re.M)
        )
        for heading, by, answer in found
    }


def speeches_of(text: str) -> list[tuple[str, int, str]]:
    """The speeches that a prompt shows: speaker, round and text, by round."""
    found = re.findall(
        r'<turn speaker="(\w+)" round="(\d+)">\n(.*?)\n</turn>', text, re.S
    )
    speeches = [(speaker, int(round), reply) for speaker, round, reply in found]
    return sorted(speeches, key=lambda speech: speech[1])


def confidence(speeches: Iterable[str]) -> float:
    """How sure a judge is of its ruling on one who said this."""
    count = sum(len(re.findall("surely", speech)) for speech in speeches)
    return round(0.6 + 0.01 * count, 2)


def _draw(request: ChatRequest) -> float:
    """A number from 0 to 1: the seed's, if there is one, or else the attempt's."""
    attempt = request.attempt if request.seed is None else 0
    key = f"{request.identity} {attempt}"
    return int(sha256(key.encode()).hexdigest()[:8], 16) / 16**8


def without_reasks(messages: Sequence[Message]) -> Sequence[Message]:
    """A prompt before its completion could not be read and was asked for again."""
    while re.search(r"could not be read|was empty\.", messages[-1].text):
        messages = messages[:-2]
    return messages
