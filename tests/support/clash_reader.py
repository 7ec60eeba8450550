"""A model that answers questions about passages from nothing but its prompt's text.

It fails with an assertion where a prompt lacks what a participant needs, or has what it
must not see: the question, the passage, the answer to defend, the debate so far,
the form of the answer. What it knows, takes from passages and believes a test gives it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from tests.support.clash_texts import (
    Said,
    Spoken,
    check_complete,
    check_round,
    defended,
    passage_of,
    question_of,
    speeches_of,
    without_reasks,
)
from tests.support.wire.replies import Brain, Reply, sure_of
from tests.support.wire.requests import ChatRequest


class Sure(NamedTuple):
    """An answer, and the probability of each of its tokens and of giving it again."""

    answer: str
    probability: float


class Hearing(NamedTuple):
    """What is decided on: the question, and the debate so far, which may be empty."""

    question: str
    speeches: tuple[Spoken, ...] = ()

    @property
    def round(self) -> int:
        """The last round that was held."""
        return max((speech.round for speech in self.speeches), default=0)


@dataclass(frozen=True)
class ClashReader:
    """A model that reads its prompts.

    Attributes:
        knows: What it answers a question from memory.
        reads: What it answers a question from a passage: (question, passage).
        trusts: Whether it relies on the passage, as a judge and when it reviews itself.
    """

    knows: Callable[[str], Sure]
    reads: Callable[[str, str], Sure]
    trusts: Callable[[Hearing], bool]

    def reply(self, messages: Sequence[Said], draw: float = 0.0) -> Reply:
        """What it says to a prompt.

        Args:
            messages: The prompt.
            draw: From 0 to 1; an answer is given if its probability is larger, else
                another one that is wrong.
        """
        messages = without_reasks(messages)
        system = "".join(m.text for m in messages if m.role == "system")
        user = messages[-1].text
        for mark, answer in (
            ("You are the Defender", self._defend),
            ("You are the Critic", self._criticise),
            ("whether it is reasonable to rely on the passage", self._judge),
            ("You debate with", self._argue),
            ("Decide which answer is right", self._pick),
        ):
            if mark in system:
                return Reply(answer(system, user))
        assert not system, "the prompt's system message fits no participant"
        return self._answer(messages, draw)

    # --- answers ---------------------------------------------------------------------

    def _answer(self, messages: Sequence[Said], draw: float) -> Reply:
        roles = ["user", *["assistant", "user"] * (len(messages) // 2)]
        assert [m.role for m in messages] == roles
        first, user = messages[0].text, messages[-1].text
        question, passage = question_of(first), passage_of(first)
        if "Answer the last of these questions" in user:
            return self._short(user, question, passage, draw)
        assert passage is not None, "the prompt shows no passage"
        sure = self.reads(question, passage)
        labels = re.search(r'"(?:Final\s)?Answer:"', user, re.I)
        assert labels or "Review your answer" in user, "no form is given"
        if '"Sub-question:"' in user:
            asked = "Sub-question: What does the passage say?\nSub-answer: This.\n"
            return Reply(f"{asked}Final answer: {sure.answer}")
        if "Review your answer" in user:
            assert messages[-2].text == f"Answer: {sure.answer}", "whose answer is it?"
            return Reply("- The passage may be wrong.")
        if "in the light of your review" in user:
            assert messages[-2].text == "- The passage may be wrong."
            kept = self.trusts(Hearing(question))
            return Reply(f"Answer: {sure.answer if kept else self._prior(question)}")
        if "what other agents answered" in user:
            return self._updated(user)
        assert len(messages) == 1, "the prompt fits no participant"
        reason = "The passage says so.\n" if "two sentences why" in user else ""
        return Reply(f"{reason}Answer: {sure.answer}")

    def _short(
        self, user: str, question: str, passage: str | None, draw: float
    ) -> Reply:
        assert len(re.findall(r"^Question: .", user, re.M)) == 5, "not four examples"
        assert len(re.findall(r"^Answer: .", user, re.M)) == 4, "not four examples"
        assert 'begins with the word "Answer:"' in user, "no form is given"
        sure = (
            self.knows(question) if passage is None else self.reads(question, passage)
        )
        if draw >= sure.probability:
            return Reply("Answer: something else")
        return sure_of(sure.answer, sure.probability, f"Answer: {sure.answer}", 0.3)

    def _updated(self, user: str) -> Reply:
        peers = re.findall(r'<turn speaker="agent (\d)">\n(.*?)\n</turn>', user, re.S)
        assert len(peers) == 2, "the prompt does not show two others' answers"
        answers = re.findall(r"^Answer: (.+)$", user, re.M)
        assert len(answers) == 2, "the others' answers cannot be read"
        return Reply(f"They say so.\nAnswer: {max(answers, key=answers.count)}")

    def _prior(self, question: str) -> str:
        return self.knows(question).answer

    # --- speeches --------------------------------------------------------------------

    def _defend(self, system: str, user: str) -> str:
        passage, own = passage_of(user), defended(user)
        assert passage is not None, "the Defender sees no passage"
        assert own == self.reads(question_of(user), passage).answer
        round = check_round(user, "Defender", "Critic")
        return f"In round {round} I show from the passage that it is {own}."

    def _criticise(self, system: str, user: str) -> str:
        assert passage_of(user) is None, "the Critic sees a passage"
        own = defended(user)
        assert own == self._prior(question_of(user))
        round = check_round(user, "Critic", "Defender")
        return f"In round {round} I remember that it is {own}."

    def _argue(self, system: str, user: str) -> str:
        who = re.search(r"You are (\w+)\. You debate with (\w+)", system)
        assert who, "the prompt does not say who is who"
        passage, question, own = passage_of(user), question_of(user), defended(user)
        assert passage is not None, "the debater sees no passage"
        other = re.search(
            rf"^The answer that (?:the )?{who[2]} defends: <answer>(.+)</answer>$",
            user,
            re.M,
        )
        assert other, "the prompt does not show the other's answer"
        both = {self._prior(question), self.reads(question, passage).answer}
        assert {own, other[1]} == both, "these are not the two answers"
        round = check_round(user, who[1], who[2], first=1)
        return f"In round {round} {who[1]} holds that it is {own}."

    # --- verdicts --------------------------------------------------------------------

    def _judge(self, system: str, user: str) -> str:
        assert passage_of(user) is None, "the judge sees a passage"
        question, speeches = question_of(user), speeches_of(user)
        prior = re.search(
            r"^The Critic's answer, from memory: <answer>(.+)</answer>$", user, re.M
        )
        assert prior, "the judge is not shown the prior answer"
        assert prior[1] == self._prior(question)
        assert re.search(
            r"^The Defender's answer, from the passage: <answer>.", user, re.M
        )
        assert speeches, "the judge is shown no debate"
        check_complete(speeches, {"Defender", "Critic"}, first=0)
        for verdict in ("REASONABLE", "UNREASONABLE"):
            assert f"\nVerdict: {verdict}" in user, "the prompt gives no form"
        trusted = self.trusts(Hearing(question, speeches))
        return f"I weighed it.\nVerdict: {'' if trusted else 'UN'}REASONABLE"

    def _pick(self, system: str, user: str) -> str:
        passage, question = passage_of(user), question_of(user)
        assert passage is not None, "the judge sees no passage"
        listed = re.findall(
            r"^Answer (\d), argued for by (\w+): <answer>(.+)</answer>$", user, re.M
        )
        assert [number for number, _, _ in listed] == ["1", "2"], (
            "no answers are listed"
        )
        speeches = speeches_of(user)
        assert speeches, "the judge is shown no debate"
        check_complete(speeches, {name for _, name, _ in listed}, first=1)
        assert re.search(r"^Final answer: 1\nFinal answer: 2", user, re.M), (
            "no form is given"
        )
        trusted = self.trusts(Hearing(question, speeches))
        chosen = self.reads(question, passage).answer if trusted else None
        chosen = chosen or self._prior(question)
        (number, *_) = [number for number, _, answer in listed if answer == chosen]
        return f"Final answer: {number}\n\nI weighed it."


def clash_brain(reader: ClashReader) -> Brain:
    """A reader behind a wire server; its draws at temperatures above 0 differ."""

    def answer(request: ChatRequest) -> Reply:
        return reader.reply(request.messages, _draw(request))

    return answer


def _draw(request: ChatRequest) -> float:
    """0 at temperature 0, else a number from 0 to 1 that hangs on request and seed."""
    if not request.temperature:
        return 0.0
    key = f"{request.identity} {request.attempt} {request.choice}"
    return int(sha256(key.encode()).hexdigest()[:8], 16) / 16**8
