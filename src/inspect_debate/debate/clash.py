"""A question that is asked about a passage which may be wrong (ClashEval)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.solver import TaskState

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.question import Question, fingerprint, text_asked

QUESTION, PASSAGE = "question", "passage"
"""The names of a question's sources."""


@dataclass(frozen=True)
class Exemplar:
    """A solved question of the same domain, as it is shown before the question."""

    question: str
    answer: str


@dataclass(frozen=True)
class ClashQuestion(Question):
    """A question with its passage, and the solved questions that are shown before it.

    The answers are in words, so there are no choices.
    """

    exemplars: tuple[Exemplar, ...] = ()

    @property
    def asked(self) -> str:
        """The question."""
        return self.sources[QUESTION]

    @property
    def passage(self) -> str:
        """The passage."""
        return self.sources[PASSAGE]


def clash_question(state: TaskState) -> ClashQuestion:
    """What a sample asks: its input is the question, its metadata have the passage.

    Args:
        state: A sample with `passage`, and perhaps `exemplars` (mappings with
            `question` and `answer`), in its metadata.

    Raises:
        InputError: If it has no passage.
    """
    asked, passage = text_asked(state), state.metadata.get(PASSAGE)
    if not isinstance(passage, str) or not passage.strip():
        raise InputError(
            f"Sample {state.sample_id!r} has no passage: metadata 'passage' has to be "
            f"a text, not {passage!r}."
        )
    exemplars = tuple(
        Exemplar(str(shown["question"]), str(shown["answer"]))
        for shown in state.metadata.get("exemplars") or ()
    )
    return ClashQuestion(
        id=str(state.sample_id),
        epoch=state.epoch,
        fingerprint=clash_fingerprint(asked, passage, exemplars),
        choices=(),
        sources={QUESTION: asked, PASSAGE: passage},
        exemplars=exemplars,
    )


def clash_fingerprint(
    question: str, passage: str, exemplars: Sequence[Exemplar | Mapping[str, Any]]
) -> str:
    """The hash of all that is asked: the question, its passage and its exemplars."""
    texts = [
        (e.question, e.answer)
        if isinstance(e, Exemplar)
        else (str(e["question"]), str(e["answer"]))
        for e in exemplars
    ]
    return fingerprint(question, passage, *(text for pair in texts for text in pair))
