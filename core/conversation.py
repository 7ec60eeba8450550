"""What a person sees of a debate: the Messages tab, and a card with its outcome."""

from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
)
from inspect_ai.solver import TaskState

from inspect_debate.core.outcome import outcome
from inspect_debate.core.record import (
    DebateRecord,
    Parsed,
    Status,
    Turn,
    read_record,
)


def show(state: TaskState) -> TaskState:
    """Lay out a finished debate for reading.

    Args:
        state: A sample whose store holds the record, and whose input is the item.

    Returns:
        The same state. Its messages are the item and the public turns, each headed by
        who speaks, for what and when; its output is the outcome; a card with answers,
        stated confidences and verdicts is in the Transcript tab. Private parts stay
        with the model calls in the Transcript tab.
    """
    record = read_record(state.store)
    if record is None:
        return state
    state.messages = [*_item(state), *(_message(record, turn) for turn in record.turns)]
    decided = outcome(record)
    state.output = ModelOutput.from_content(
        model=record.protocol, content=decided.answer or f"({decided.status})"
    )
    transcript().info(outcome_card(record), source="outcome")
    return state


def outcome_card(record: DebateRecord) -> str:
    """The debate at a glance, as Markdown: who answered, believed and decided what."""
    decided = outcome(record)
    lines = [f"**Outcome: {decided.answer or decided.status}**"]
    if record.undebated_because:
        lines.append(f"No debate: {record.undebated_because}.")
    lines += [
        "",
        "| turn | who | answer | confidence | quotes |",
        "|---|---|---|---|---|",
    ]
    lines += [_row(record, turn) for turn in record.turns]
    lines += [f"\n⚠ {warning}" for warning in record.warnings]
    return "\n".join(lines)


def _row(record: DebateRecord, turn: Turn) -> str:
    stage = f"round {turn.round}" if turn.kind == "speech" else turn.kind
    order = f" ({turn.order})" if turn.order else ""
    verified = sum(quote.verified for quote in turn.quotes)
    cells = [
        stage + order,
        _speaker(record, turn),
        _shown(turn.field("final" if turn.kind == "speech" else "answer")),
        _shown(turn.field("confidence")),
        f"{verified} of {len(turn.quotes)} verified" if turn.quotes else "",
    ]
    return f"| {' | '.join(cells)} |"


def _shown(parsed: Parsed) -> str:
    if parsed.status == Status.MISSING:
        return ""
    return str(parsed.value) if parsed.status == Status.OK else f"({parsed.status})"


def _speaker(record: DebateRecord, turn: Turn) -> str:
    participant = record.participant(turn.participant)
    side = f", for {participant.defends}" if participant.defends else ""
    return f"{participant.name} ({participant.id}{side})"


def _item(state: TaskState) -> list[ChatMessage]:
    headings = ("The task given to the model", "The model's response")
    return [
        ChatMessageUser(content=f"### {heading}\n\n{message.text}")
        for heading, message in zip(headings, _input_messages(state), strict=False)
    ]


def _input_messages(state: TaskState) -> list[ChatMessage]:
    if isinstance(state.input, str):
        return [ChatMessageUser(content=state.input)]
    return state.input


def _message(record: DebateRecord, turn: Turn) -> ChatMessage:
    stage = {"answer": "first answer", "verdict": "verdict"}.get(
        turn.kind, f"round {turn.round}"
    )
    order = f", shown {turn.order}" if turn.order else ""
    reused = " · reused" if turn.reused else ""
    heading = f"### {_speaker(record, turn)} · {stage}{order}{reused}\n*{turn.model}*"
    return ChatMessageAssistant(
        content=f"{heading}\n\n{turn.public or '(nothing public)'}"
    )
