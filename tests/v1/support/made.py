"""Records, turns and questions made by hand, and steps run inside an evaluation."""

from typing import Any

from inspect_ai.model import ModelUsage

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Order,
    Parsed,
    Participant,
    PromptsUsed,
    Turn,
)


def question(id: str = "item", epoch: int = 1) -> Question:
    """An error-detection question."""
    return Question(
        id=id,
        epoch=epoch,
        fingerprint="f" * 16,
        choices=("error", "no_error"),
        sources={"input": "Add.", "response": "It is 4."},
    )


def description(participant: str = "debater_a", **changes: Any) -> TurnDescription:
    """What a first answer is."""
    values: dict[str, Any] = {
        "question": "f" * 16,
        "sample": "item",
        "epoch": 1,
        "seed": 0,
        "participant": participant,
        "kind": "answer",
        "format": "label_sentence",
        "choices": ("error", "no_error"),
    }
    return TurnDescription(**values | changes)


def answered(value: str | Parsed) -> Parsed:
    """A field that was read, or as given."""
    return value if isinstance(value, Parsed) else Parsed.ok(value)


def answer(participant: str, value: str | Parsed = "error", **changes: Any) -> Turn:
    """A first answer."""
    values: dict[str, Any] = {
        "participant": participant,
        "role": participant,
        "kind": "answer",
        "round": 0,
        "model": "scripted/x",
        "served": "x",
        "public": f"{participant} answers",
        "fields": {"answer": answered(value)},
        "stop_reason": "stop",
        "usage": ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15),
        "seconds": 0.5,
        "calls": 1,
    }
    return Turn(**values | changes)


def speech(participant: str, round: int = 1, **changes: Any) -> Turn:
    """A speech."""
    values: dict[str, Any] = {
        "kind": "speech",
        "round": round,
        "public": f"{participant} speaks in round {round}",
        "private": f"SECRET scratchpad {participant}",
        "reasoning": f"SECRET reasoning {participant}",
        "superseded": (f"SECRET superseded {participant}",),
        "fields": {"final": Parsed.ok("error"), "confidence": Parsed.ok(0.75)},
    }
    return answer(participant, **values | changes)


def verdict(
    value: str | Parsed = "error",
    judge: str = "judge",
    order: Order = "ab",
    **changes: Any,
) -> Turn:
    """A judge's verdict."""
    values: dict[str, Any] = {
        "role": "judge",
        "kind": "verdict",
        "order": order,
        "public": f"{judge} decides",
    }
    return answer(judge, value, **values | changes)


def made_record(*turns: Turn, **changes: Any) -> DebateRecord:
    """A complete record of turns, with their participants."""
    people = {turn.participant: turn for turn in turns}
    values: dict[str, Any] = {
        "study": "colmad",
        "protocol": "colmad",
        "parameters": {"rounds": 1},
        "prompts": PromptsUsed(name="colmad", hash="0" * 16),
        "question": "f" * 16,
        "choices": ("error", "no_error"),
        "epoch": 1,
        "seed": 0,
        "participants": tuple(
            Participant(id=id, role=turn.role, name=id.title(), model=turn.model)
            for id, turn in people.items()
        ),
        "turns": turns,
        "debated": any(turn.kind == "speech" for turn in turns),
        "complete": True,
    }
    return DebateRecord(**values | changes)
