"""Records of debates with bets, made by hand."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import ModelUsage

from inspect_debate.v1.debate.record import (
    DebateRecord,
    Parsed,
    Participant,
    PromptsUsed,
    Role,
    Turn,
)

Bet = float | None
Verdict = tuple[str | None, float | None]
"""A side and a confidence; None where one could not be read."""


def debate_with_bets(
    *rounds: tuple[Bet, Bet],
    verdicts: Sequence[Sequence[Verdict]] = (),
    models: tuple[str, str] = ("house/one", "house/two"),
    swapped: bool = False,
    texts: str = "A speech on lamps. " * 20,
    thoughts: str = "",
    complete: bool = True,
    **parameters: Any,
) -> DebateRecord:
    """A finished debate.

    Args:
        rounds: The bets of proposition and opposition, round by round.
        verdicts: For each juror, its verdicts in its passes.
        models: Of proposition and opposition.
        swapped: Whether the proposition is debater_b.
        texts: What every speech says.
        thoughts: The private reasoning before every bet.
        complete: Whether it was run to its end.
        parameters: Beside `rounds` and `jury_passes`.
    """
    ids: tuple[Role, Role] = ("debater_a", "debater_b")
    if swapped:
        ids = (ids[1], ids[0])
    sides = ("proposition", "opposition")
    people = [
        Participant(id=id, role=id, name=side.capitalize(), model=model, defends=side)
        for id, side, model in zip(ids, sides, models, strict=True)
    ]
    single = len(verdicts) == 1
    jurors = ["judge" if single else f"judge_{n + 1}" for n in range(len(verdicts))]
    people += [
        Participant(id=id, role="judge", name=id, model=f"court/{id}") for id in jurors
    ]
    turns = [
        spoken(id, number, bet, texts, thoughts)
        for number, pair in enumerate(rounds, start=1)
        for id, bet in zip(ids, pair, strict=True)
    ]
    turns += [
        judged(id, number if len(passes) > 1 else 0, *verdict)
        for id, passes in zip(jurors, verdicts, strict=True)
        for number, verdict in enumerate(passes, start=1)
    ]
    logged = {"rounds": len(rounds), "jury_passes": max(map(len, verdicts), default=0)}
    return DebateRecord(
        study="confidence",
        protocol="cross_model",
        parameters=logged | parameters,
        prompts=PromptsUsed(name="confidence", hash="0" * 16),
        question="f" * 16,
        choices=sides,
        epoch=1,
        seed=0,
        participants=tuple(people),
        turns=tuple(turns),
        debated=True,
        aggregation="confidence",
        complete=complete,
        ended_by=None if complete else "an error: made",
    )


def spoken(id: Role, round: int, bet: Bet, text: str, thoughts: str) -> Turn:
    """A speech with its bet, or one that could not be read."""
    return _turn(
        participant=id,
        role=id,
        kind="speech",
        round=round,
        public=text,
        private=thoughts,
        fields={
            "speech": Parsed.ok(float(len(text))),
            "bet": Parsed.unparsed() if bet is None else Parsed.ok(bet),
        },
    )


def judged(id: str, number: int, side: str | None, sure: float | None) -> Turn:
    """A verdict."""
    return _turn(
        participant=id,
        role="judge",
        kind="verdict",
        round=0,
        public="Reasons.",
        order="ab",
        draw=number,
        fields={
            "answer": Parsed.unparsed() if side is None else Parsed.ok(side),
            "confidence": Parsed.unparsed() if sure is None else Parsed.ok(sure),
        },
    )


def _turn(**what: Any) -> Turn:
    return Turn(
        model="house/x",
        served="x",
        stop_reason="stop",
        usage=ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15),
        seconds=0.1,
        calls=1,
        **what,
    )
