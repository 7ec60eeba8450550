"""Debates with bets in which every text and every bet tells whose it is."""

import re
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, Model

from inspect_debate.v1.debate.calls import TurnDescription
from tests.v1.support.models import Script, scripted

MOTION = "This house would let every second lamp of the harbour burn all night"
FILLER = "The lamps cost little and the ships need them. " * 5
MARK = re.compile(r"(?:SPEECH|THOUGHT|REASONS)-[\w]+")
"""A mark says what a text is, whose, and of which round or pass."""

BET = re.compile(r"\b[67]\d\.37\b")
"""Bets differ from all other numbers by their decimals."""


def motion(id: str = "lamps", **metadata: Any) -> Sample:
    """A motion with what each side has to show."""
    return Sample(
        id=id,
        input=MOTION,
        metadata={
            "motion": "lamps",
            "proposition_burden": "that the light is worth its price",
            "opposition_burden": "that the dark has its uses",
            **metadata,
        },
    )


def amount(participant: str, round: int) -> float:
    """What a marked debater bets: 61.37, 62.37, ... or 71.37, 72.37, ..."""
    return (60 if participant == "debater_a" else 70) + round + 0.37


def marked(messages: list[ChatMessage], description: TurnDescription | None) -> str:
    """A completion of which every part carries a mark."""
    assert description is not None
    if description.kind == "verdict":
        return (
            f"REASONS-{description.participant}_{description.draw.replace(' ', '_')}\n"
            "<winnerName>proposition</winnerName>\n<confidence>81.37</confidence>"
        )
    who = f"{description.participant}_{description.round}"
    bet = (
        f"<bet_logic_private>THOUGHT-{who} is mine alone.</bet_logic_private>\n"
        "<bet_amount>"
        f"{amount(description.participant, description.round)}</bet_amount>\n"
    )
    if "stake" in description.asks:
        bet += "<stake_amount>12</stake_amount>"
    if description.kind == "bet":
        return bet
    speech = f"SPEECH-{who} begins. {FILLER}"
    return f"{speech}\n\n{bet}" if description.asks else speech


def marked_model(script: Script = marked, name: str = "x") -> Model:
    """A model that speaks in marks."""
    return scripted(script, name)
