"""Questions about passages, and a model that answers by the text of its prompt alone.

What a prompt has to show is in the golden files; here it only has to be understood.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from inspect_ai.dataset import Sample

from tests.v1.support.wire.replies import Brain, Reply, sure_of
from tests.v1.support.wire.requests import ChatRequest, Message

SURE, UNSURE, CONTEXTUAL = 0.999, 0.3, 0.95
"""Probabilities of what the model knows well and badly, and takes from a passage."""
WRONG = "my guess"


class Sure(NamedTuple):
    """An answer, and the probability of each of its tokens and of giving it again."""

    answer: str
    probability: float


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
    def brain(self) -> Brain:
        """The model behind a wire server; draws at temperatures above 0 differ."""
        return lambda request: self._reply(without_reasks(request.messages), request)

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

    def trusts(self, question: str, round: int) -> bool:
        """Whether it relies on the passage after a round of a debate."""
        number = self._numbers[question]
        trusted = (number % 4 in (1, 2)) ^ (number % 8 >= 4)
        return trusted if round else not trusted

    def _reply(self, messages: Sequence[Message], request: ChatRequest) -> Reply:
        system = "".join(m.text for m in messages if m.role == "system")
        if not system:
            return self._answer(messages, _draw(request))
        user = messages[-1].text
        question, passage = question_of(user), passage_of(user)
        speeches = re.findall(r'<turn speaker="\w+" round="(\d+)">', user)
        own = re.search(
            r"^The answer that you defend: <answer>(.+)</answer>$", user, re.M
        )
        if own:
            return Reply(f"After {len(speeches)} speeches I hold that it is {own[1]}.")
        trusted = self.trusts(question, max(map(int, speeches), default=0))
        if "whether it is reasonable to rely on the passage" in system:
            return Reply(f"I weighed it.\nVerdict: {'' if trusted else 'UN'}REASONABLE")
        listed = re.findall(r"^Answer (\d), .*<answer>(.+)</answer>$", user, re.M)
        assert passage, "the judge sees no passage"
        from_passage = self.reads(question, passage).answer
        chosen = from_passage if trusted else self.knows(question).answer
        (number, *_) = [number for number, answer in listed if answer == chosen]
        return Reply(f"Final answer: {number}\n\nI weighed it.")

    def _answer(self, messages: Sequence[Message], draw: float) -> Reply:
        first, user = messages[0].text, messages[-1].text
        question, passage = question_of(first), passage_of(first)
        memory = self.knows(question)
        sure = memory if passage is None else self.reads(question, passage)
        reply = f"Answer: {sure.answer}"
        if "Answer the last of these questions" in user:
            if draw >= sure.probability:
                return Reply("Answer: something else")
            return sure_of(sure.answer, sure.probability, reply, 0.3)
        if '"Sub-question:"' in user:
            asked = "Sub-question: What does the passage say?\nSub-answer: This.\n"
            return Reply(f"{asked}Final answer: {sure.answer}")
        if "Review your answer" in user:
            return Reply("- The passage may be wrong.")
        if "in the light of your review" in user:
            return Reply(
                reply if self.trusts(question, 0) else f"Answer: {memory.answer}"
            )
        if "what other agents answered" in user:
            answers = re.findall(r"^Answer: (.+)$", user, re.M)
            return Reply(f"They say so.\nAnswer: {max(answers, key=answers.count)}")
        return Reply(f"The passage says so.\n{reply}")

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


def question_of(text: str) -> str:
    """The question that a prompt asks, after those that it shows solved."""
    (asked,) = re.findall(r"^Question: <question>(.+)</question>$", text, re.M)
    return str(asked)


def passage_of(text: str) -> str | None:
    """The passage that a prompt shows, if it shows one."""
    shown = re.search(r"^<passage>\n(.*?)\n</passage>$", text, re.M | re.S)
    return shown[1] if shown else None


def without_reasks(messages: Sequence[Message]) -> Sequence[Message]:
    """A prompt before its completion could not be read and was asked for again."""
    while re.search(r"could not be read|was empty\.", messages[-1].text):
        messages = messages[:-2]
    return messages


def _draw(request: ChatRequest) -> float:
    """0 at temperature 0, else a number from 0 to 1 that hangs on request and seed."""
    if not request.temperature:
        return 0.0
    key = f"{request.identity} {request.attempt} {request.choice}"
    return int(sha256(key.encode()).hexdigest()[:8], 16) / 16**8
