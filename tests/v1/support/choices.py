"""Questions with options, and two models that answer them: one adds up."""

from collections.abc import Sequence

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from inspect_debate.v1.debate.question import Question

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
