"""What a person sees of a debate: the Messages tab, and a card with its outcome."""

from collections.abc import Callable
from string import ascii_uppercase

from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
)
from inspect_ai.solver import TaskState

from inspect_debate.debate.config import AnswerForm
from inspect_debate.debate.free_answers import given_answers, output_of
from inspect_debate.debate.outcome import outcome
from inspect_debate.debate.parsing import fenced
from inspect_debate.debate.question import text_asked
from inspect_debate.debate.record import DebateRecord, Parsed, Status, Turn, read_record
from inspect_debate.debate.settings import scorers_of_run

# Bets stand in the speeches' own cards; further answers and candidates only count.
_UNSPOKEN = ("bet", "sample", "recall", "candidate", "reward")


Stage = Callable[[DebateRecord, Turn], str]
"""What a speech is called: `opening`."""


def show(
    state: TaskState,
    card: Callable[[DebateRecord], str] | None = None,
    answer_form: AnswerForm = "auto",
    speech: Stage | None = None,
) -> TaskState:
    """Lay out a finished debate for reading.

    Args:
        state: A sample whose store holds the record, and whose input is the item.
        card: Tells the debate at a glance; `outcome_card` where none is given.
        answer_form: How the output gives an answer in words, see `output_of`.
        speech: What a speech is called, where not by its round.

    Returns:
        The same state. Its messages are the item and the public turns, each headed by
        who speaks, for what and when; a card with answers, stated confidences and
        verdicts is in the Transcript tab. Private parts stay with the model calls in
        the Transcript tab. Its output is the outcome; where the item has options, that
        is the line `ANSWER: B`, and every option is marked as chosen or not, which is
        what Inspect's own scorers read.
    """
    record = read_record(state.store)
    if record is None:
        return state
    state.messages = [*_item(state), *conversation(record, speech)]
    decided = outcome(record)
    said = decided.answer or f"({decided.status})"
    if record.answers_free and decided.answer:
        said = given_answers(record.turns).get(said, said)
        said = output_of(said, answer_form, scorers_of_run())
    if len(state.choices):
        said = f"ANSWER: {decided.answer}" if decided.answer else said
        for letter, index in zip(
            record.choices, range(len(state.choices)), strict=True
        ):
            state.choices.mark_choice(index, letter == decided.answer)
    state.output = ModelOutput.from_content(model=record.protocol, content=said)
    transcript().info((card or outcome_card)(record), source="outcome")
    return state


def conversation(
    record: DebateRecord, speech: Stage | None = None
) -> list[ChatMessage]:
    """The public turns as messages, each headed by who speaks, for what and when."""
    return [
        _message(record, turn, speech)
        for turn in record.turns
        if turn.kind not in _UNSPOKEN
    ]


def outcome_card(record: DebateRecord) -> str:
    """The debate at a glance, as Markdown: who answered, believed and decided what."""
    decided = outcome(record)
    lines = [f"**Outcome: {decided.answer or decided.status}**"]
    if record.skip_reason:
        lines.append(f"No debate: {record.skip_reason}.")
    lines += [
        "",
        "| turn | who | answer | confidence | quotes |",
        "|---|---|---|---|---|",
    ]
    lines += [_row(record, turn) for turn in record.turns]
    lines += [f"\n⚠ {warning}" for warning in record.warnings]
    return "\n".join(lines)


def _row(record: DebateRecord, turn: Turn) -> str:
    order = f" ({turn.order})" if turn.order else ""
    quotes = [quote for quote in turn.quotes if not quote.empty]
    verified = sum(quote.verified for quote in quotes)
    cells = [
        stage_of(record, turn) + order,
        _speaker(record, turn),
        shown_value(turn.field("final" if turn.is_spoken else "answer")),
        shown_value(turn.field("confidence")),
        f"{verified} of {len(quotes)} verified" if quotes else "",
    ]
    return f"| {' | '.join(cells)} |"


def stage_of(record: DebateRecord, turn: Turn, speech: Stage | None = None) -> str:
    """When a turn was taken: `round 2`, `update 1`, `answer 3` of several."""
    number = turn.round or turn.draw
    if turn.kind == "speech" and speech is not None:
        return speech(record, turn)
    if record.aggregation == "arbitration" and turn.kind == "verdict":
        return f"verdict after round {turn.round}"
    if turn.kind == "verdict" and turn.about:
        return f"verdict, check {turn.about}"
    if turn.kind == "speech":
        return f"round {turn.round}"
    if turn.is_spoken:
        return f"{turn.kind.replace('_', ' ')}, round {turn.round}"
    return f"{turn.kind} {number}" if number else turn.kind


def shown_value(parsed: Parsed) -> str:
    """A field as a person reads it: its value, or why there is none in brackets."""
    if parsed.status == Status.MISSING:
        return ""
    return str(parsed.value) if parsed.status == Status.OK else f"({parsed.status})"


def _speaker(record: DebateRecord, turn: Turn) -> str:
    participant = record.participant(turn.participant)
    side = f", for {participant.defends}" if participant.defends else ""
    return f"{participant.name} ({participant.id}{side})"


def _item(state: TaskState) -> list[ChatMessage]:
    if len(state.choices):
        letters = ascii_uppercase[: len(state.choices)]
        options = [
            f"{n}) {c.value}" for n, c in zip(letters, state.choices, strict=True)
        ]
        parts = ["### The question", text_asked(state), *options]
        return [ChatMessageUser(content="\n\n".join(parts))]
    if isinstance(passage := state.metadata.get("passage"), str):
        asked = f"### The question\n\n{text_asked(state)}"
        return [ChatMessageUser(content=f"{asked}\n\n### The passage\n\n{passage}")]
    if isinstance(state.input, str) and "answer_kind" in state.metadata:
        # Grids and code have lines that Markdown would run together.
        return [ChatMessageUser(content=f"### The task\n\n{fenced(state.input)}")]
    if isinstance(state.input, str):
        return [ChatMessageUser(content=f"### The motion\n\n{state.input}")]
    headings = ("The task given to the model", "The model's response")
    return [
        ChatMessageUser(content=f"### {heading}\n\n{message.text}")
        for heading, message in zip(headings, state.input, strict=False)
    ]


def _message(record: DebateRecord, turn: Turn, speech: Stage | None) -> ChatMessage:
    stage = stage_of(record, turn, speech)
    if stage == "answer" and record.aggregation != "rulings":
        stage = "first answer"
    order = f", shown {turn.order}" if turn.order else ""
    reused = " · reused" if turn.reused else ""
    heading = f"### {_speaker(record, turn)} · {stage}{order}{reused}\n*{turn.model}*"
    said = turn.public or "(nothing public)"
    if record.aggregation == "rulings" and turn.kind == "answer":
        said = fenced(said)
    return ChatMessageAssistant(content=f"{heading}\n\n{said}")
