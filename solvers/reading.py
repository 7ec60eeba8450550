"""Which answer a text ends with: a label, or the letter of an option."""

from collections.abc import Mapping, Sequence
from typing import Literal

from inspect_debate.core.letters import letter_line
from inspect_debate.core.parsing import (
    choice_line,
    label_sentence,
    realmistake_label,
    verdict,
)
from inspect_debate.core.question import Question
from inspect_debate.core.record import Parsed

_LABELS: Mapping[str, Sequence[str]] = {
    "error": ("1", "error", "an error", "contains an error"),
    "no_error": ("2", "no_error", "no error", "contains no error"),
}


def read_answer(
    text: str, question: Question, parser: Literal["last_sentence", "realmistake"]
) -> Parsed:
    """An answer of one's own: its label sentence, or its line `ANSWER: B`."""
    if question.options:
        return letter_line(text, "answer", question.choices)
    return (
        label_sentence(text) if parser == "last_sentence" else realmistake_label(text)
    )


def read_final(text: str, question: Question, pair: Sequence[str]) -> Parsed:
    """The answer that a debater now believes: its line `Final: ...`.

    Args:
        text: A speech.
        question: What is debated.
        pair: The two answers that are debated.
    """
    if question.options:
        return letter_line(text, "final", pair)
    return choice_line(text, "Final", _LABELS)


def read_verdict(text: str, question: Question, choices: Sequence[str]) -> Parsed:
    """A judge's verdict: its line `Answer: ...`, in error detection else its sentence.

    Args:
        text: A judge's completion.
        question: What is judged.
        choices: The answers between which the judge decides.
    """
    if question.options:
        return letter_line(text, "answer", choices)
    return verdict(text, _LABELS)
