"""Questions with options, and two models that answer them: one adds up."""

import re
from collections.abc import Sequence

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.question import Question
from tests.v1.support.reader import Script, turns_of

ASKED = "A train goes 17 km, and then 25 km more. What is the sum of 17 and 25?"
OPTIONS = ("32 km.", "42 km.", "52 km.", "62 km.")


def choice_item(
    id: str = "item",
    asked: str | list[ChatMessage] = ASKED,
    options: Sequence[str] = OPTIONS,
    target: str | list[str] = "B",
) -> Sample:
    """A multiple-choice sample of no study of ours."""
    return Sample(id=id, input=asked, choices=list(options), target=target)


def lettered(id: str = "item", epoch: int = 1, letters: str = "ABCD") -> Question:
    """A question with as many options as letters."""
    options = {letter: f"option {letter}" for letter in letters}
    return Question(
        id=id,
        epoch=epoch,
        fingerprint="c" * 16,
        choices=tuple(letters),
        sources={"question": "Which?", "options": "\n".join(options.values())},
        options=options,
    )


def chooser(adds_up: bool) -> Script:
    """A model that adds up, or one that is ten too high until it is told better."""

    def reply(messages: list[ChatMessage], turn: TurnDescription | None) -> str:
        assert turn is not None
        prompt = "\n".join(message.text for message in messages)
        sums = dict(re.findall(r"^([A-Z])\) (\d+) km", prompt, re.M))
        (own,) = (k for k, km in sums.items() if km == ("42" if adds_up else "52"))
        if turn.kind == "speech":
            final = own if own in turn.choices else turn.defends
            return f"<argument>It is {final}.\nFinal: {final}\nConf: 0.9</argument>"
        if turn.kind == "verdict":
            return f"Answer: {turn.choices[0]}"
        peers = turns_of(messages[-1].text) if turn.kind == "update" else []
        better = [p.rsplit("ANSWER: ", 1)[1] for p in peers if "I added up" in p]
        if adds_up:
            return f"I added up.\n\nANSWER: {own}"
        return f"I guessed.\n\nANSWER: {(better or [own])[0]}"

    return reply
