"""What a protocol is given: a question without label, gold answer or explanation."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from string import ascii_uppercase
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentAudio,
    ContentDocument,
    ContentImage,
    ContentText,
    ContentVideo,
)
from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.seeds import fingerprint

PROMPT_SETS = ("colmad", "choices")
"""The prompts for a response to a task, and for any other question."""

_NUMBERS = {"error": "1", "no_error": "2"}


RANK = "rank"
"""The key in a sample's metadata of its place in the data set, from 0."""


@dataclass(frozen=True)
class Question:
    """One item as participants may know it.

    `sources` are the texts that quotes are checked against, by name; `choices` are
    the values that an answer can take, in the order of their numbers. `options` holds
    what each choice says where the item brings its own, by letter; it is empty in error
    detection. Where answers are `free`, in words, there are no choices until some were
    given: a choice is then an answer's canonical form, and its option how it was
    written. `names` are what choices are called, where not by their own number or
    letter. `rank` is the item's place in its data set, where that is known. `media` are
    the images and other parts of the question that are no text; in the text there is
    `[image 1]` in the place of one.
    """

    id: str
    epoch: int
    fingerprint: str
    choices: tuple[str, ...]
    sources: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)
    free: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    rank: int | None = None
    media: tuple[Content, ...] = ()

    @property
    def passage(self) -> str | None:
        """What the question is about, where that is one of its sources."""
        return self.sources.get("passage")

    @property
    def prompt_set(self) -> str:
        """The prompts in which this kind of question is asked."""
        return "choices" if self.options or self.free else "colmad"

    def called(self, choice: str) -> str:
        """What prompts call a choice: its number, or its letter."""
        if choice in self.names:
            return self.names[choice]
        if self.free:
            return ascii_uppercase[self.choices.index(choice)]
        return _NUMBERS.get(choice, choice)

    def between(self, answers: Mapping[str, str]) -> "Question":
        """The same question with answers that were given to it as its options.

        Args:
            answers: How each was written, by its canonical form.
        """
        # In no order that goes with what they say.
        listed = sorted(answers, key=lambda a: fingerprint(self.fingerprint, a))
        options = {choice: answers[choice] for choice in listed}
        return replace(self, choices=tuple(options), options=options)

    def relabelled(self, one: str, other: str) -> "Question":
        """The same question, of which two choices are called by each other's name."""
        question = replace(
            self, names={one: self.called(other), other: self.called(one)}
        )
        if "options" not in self.sources:
            return question
        listed = listed_options(
            {question.called(c): self.options[c] for c in self.choices}
        )
        return replace(question, sources={**self.sources, "options": listed})

    def in_order(self, answers: Collection[str]) -> tuple[str, ...]:
        """Those of the choices that are among some answers, in their own order."""
        return tuple(choice for choice in self.choices if choice in answers)


def choice_fingerprint(
    asked: str, options: Sequence[str], passage: str | None = None
) -> str:
    """The hash of a question with options, and of the passage that it is about."""
    return fingerprint(asked, *options, *([] if passage is None else [passage]))


def question_of(
    state: TaskState, with_passage: bool = False, free: bool = False
) -> Question:
    """What a sample asks: a question with options, or about a response to a task.

    Args:
        state: The sample.
        with_passage: Whether the passage in its metadata belongs to the question.
        free: Whether it is answered in words where it has no options.

    Raises:
        InputError: If the sample asks for neither, or for something that a debate of
            two cannot give.
    """
    if len(state.choices):
        return choice_question(state, with_passage)
    if free:
        return free_question(state, with_passage)
    return error_detection_question(state)


def choice_question(state: TaskState, with_passage: bool = False) -> Question:
    """The question of a multiple-choice sample, its options under their letters.

    Args:
        state: A sample with choices, in the order in which they stand there.
        with_passage: Whether the passage in its metadata belongs to the question.

    Returns:
        The question, with the sources `question` and `options`.

    Raises:
        InputError: If there are not 2 to 26 options, several right ones, more than text
            to read, or options that a solver before shuffled.
    """
    where = f"sample {state.sample_id!r}"
    if not 2 <= len(state.choices) <= len(ascii_uppercase):
        raise InputError(
            f"A debate takes 2 to {len(ascii_uppercase)} options; "
            f"{where} has {len(state.choices)}."
        )
    right = _right_letters(state)
    if len(right) > 1:
        raise InputError(
            "A debate ends with one answer; "
            f"{where} has {len(right)} right ones ({', '.join(right)})."
        )
    if any(c.original_position != n for n, c in enumerate(state.choices)):
        # Letters would no longer be those of the target.
        raise InputError(
            f"A solver shuffled the options of {where}; shuffle them in the dataset, "
            "where its right answer moves along (shuffle_choices)."
        )
    asked, media = text_asked(state, media=True), media_asked(state)
    options = {
        letter: str(choice.value)
        for letter, choice in zip(ascii_uppercase, state.choices, strict=False)
    }
    passage = passage_of(state) if with_passage else None
    return Question(
        **identity(state),
        fingerprint=choice_fingerprint(
            asked, [*options.values(), *_hashed(media)], passage
        ),
        media=media,
        choices=tuple(options),
        sources={"question": asked, "options": listed_options(options)}
        | _source(passage),
        options=options,
    )


def free_question(state: TaskState, with_passage: bool = False) -> Question:
    """The question of a sample without options, which is answered in words.

    Args:
        state: The sample.
        with_passage: Whether the passage in its metadata belongs to the question.

    Raises:
        InputError: If there is more than text to read.
    """
    asked, media = text_asked(state, media=True), media_asked(state)
    passage = passage_of(state) if with_passage else None
    return Question(
        **identity(state),
        fingerprint=choice_fingerprint(asked, _hashed(media), passage),
        media=media,
        choices=(),
        sources={"question": asked} | _source(passage),
        free=True,
    )


def identity(state: TaskState) -> dict[str, Any]:
    """A sample's id and epoch, and its place in its data set, if that is known."""
    rank = (state.metadata or {}).get(RANK)
    known = isinstance(rank, int) and not isinstance(rank, bool)
    return {
        "id": str(state.sample_id),
        "epoch": state.epoch,
        "rank": rank if known else None,
    }


def passage_of(state: TaskState) -> str | None:
    """The passage that a sample's question is about, from its metadata."""
    passage = (state.metadata or {}).get("passage")
    return passage if isinstance(passage, str) and passage.strip() else None


def listed_options(options: Mapping[str, str]) -> str:
    """Options as they are listed, each under its letter."""
    return "\n".join(f"{name}) {indented(text)}" for name, text in options.items())


def _source(passage: str | None) -> dict[str, str]:
    return {} if passage is None else {"passage": passage}


def indented(option: str) -> str:
    """An option as it is listed: its further lines can't pose as other options."""
    first, *further = option.splitlines() or [""]
    return "\n".join([first, *(f"    {line}" for line in further)])


def _right_letters(state: TaskState) -> list[str]:
    """The right answers of a target, which may be one text: `AC`, `A, C`.

    A text that is not made of this sample's letters, such as an option's own, is one.
    """
    text = state.target.text
    letters = [*text.replace(",", "").replace(" ", "")]
    known = set(letters) <= set(ascii_uppercase[: len(state.choices)])
    own_text = any(text == choice.value for choice in state.choices)
    return letters if known and not own_text else [*state.target]


_MEDIA = (ContentImage, ContentAudio, ContentVideo, ContentDocument)


def text_asked(state: TaskState, media: bool = False) -> str:
    """What a sample with options asks, as one text.

    Where its input is a conversation (instructions, solved examples, the question
    itself), every message is headed by who says it.

    Args:
        state: The sample.
        media: Whether there may be more than text: `[image 1]` is in the place of one.

    Raises:
        InputError: If there is something that participants could not be shown.
    """
    if isinstance(state.input, str):
        return state.input
    for message in state.input:
        if other := _beside_text(message, _MEDIA if media else ()):
            read = f"no {other}" if media else "text only"
            raise InputError(
                f"Debates read {read}; "
                f"sample {state.sample_id!r} has {other} in its input."
            )
    number = count(1)
    texts = [
        "\n".join(
            part.text
            if isinstance(part, ContentText)
            else f"[{part.type} {next(number)}]"
            for part in _parts(message)
        )
        for message in state.input
    ]
    if len(texts) == 1:
        return texts[0]
    return "\n\n".join(
        f"{message.role.capitalize()}: {text}"
        for message, text in zip(state.input, texts, strict=True)
    )


def media_asked(state: TaskState) -> tuple[Content, ...]:
    """The images, sounds, films and documents in a sample's input, in their order."""
    messages = () if isinstance(state.input, str) else state.input
    parts = [part for message in messages for part in _parts(message)]
    return tuple(part for part in parts if isinstance(part, _MEDIA))


def _hashed(media: Sequence[Content]) -> list[str]:
    return [part.model_dump_json(exclude={"internal"}) for part in media]


def _parts(message: ChatMessage) -> list[Content]:
    content = message.content
    return [ContentText(text=content)] if isinstance(content, str) else content


def _beside_text(message: ChatMessage, also: tuple[type[Content], ...]) -> str | None:
    """What a message holds that is no text, nor of some other kinds, e.g. `image`."""
    if isinstance(message, ChatMessageAssistant) and message.tool_calls:
        return "tool calls"
    shown = (ContentText, *also)
    parts = () if isinstance(message.content, str) else message.content
    return next((part.type for part in parts if not isinstance(part, shown)), None)


def error_detection_question(state: TaskState) -> Question:
    """The question of an error-detection sample.

    Args:
        state: A sample whose input is a conversation: the task given to the model
            under test (user) and its response (assistant).

    Returns:
        The question whether the response contains an error, with the sources
        `input` and `response`.

    Raises:
        InputError: If the sample's input is not such a conversation.
    """
    match state.input:
        case [ChatMessageUser() as task, ChatMessageAssistant() as response]:
            media = media_asked(state)
            texts = (task.text, response.text, *_hashed(media))
        case _:
            raise InputError(
                f"Sample {state.sample_id!r} has no options, and is no response to "
                "judge (a user message and an assistant message): if it is a question "
                "to be answered in words, give -S config.answers=free."
            )
    return Question(
        **identity(state),
        fingerprint=fingerprint(*texts),
        media=media,
        choices=("error", "no_error"),
        sources={"input": texts[0], "response": texts[1]},
    )
