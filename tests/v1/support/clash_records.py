"""Records of questions about passages, made by hand.

The right answer is 1871, and a perturbed passage says 1911.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, Literal

from inspect_debate.v1 import registry  # noqa: F401 (all protocols of the study)
from inspect_debate.v1.debate.record import (
    AnswerTokens,
    DebateRecord,
    Kind,
    Order,
    Parsed,
    Participant,
    PromptsUsed,
    TokensStatus,
    Turn,
)
from inspect_debate.v1.scorers.knowledge_conflict import Facts
from inspect_debate.v1.solvers.knowledge_conflict import STUDY
from tests.v1.support.made import answer, speech

GOLD, SAYS, OTHER = "1871", "1911", "1902"
NAN = float("nan")

RIGHT_PASSAGE = Facts(GOLD, standard=True, severity=0, offset=NAN, says=GOLD)
PERTURBED = Facts(GOLD, standard=False, severity=2, offset=40, says=SAYS)

Said = str | Parsed | None
"""An answer, how else it was read, or None where it could not be read."""

Sure = float | Sequence[float] | TokensStatus | None
"""The probabilities of an answer's tokens, or why there are none; None if unasked."""


def record_of(protocol: str, *turns: Turn | list[Turn], **changes: Any) -> DebateRecord:
    """A finished run of a protocol on a question, with its default parameters.

    Args:
        protocol: The protocol.
        turns: Its turns, in order.
        changes: Of the record; `judges` are their ids, and parameters of the protocol
            replace the defaults.
    """
    flat = [t for part in turns for t in (part if isinstance(part, list) else [part])]
    kind = STUDY.protocols[protocol].parameters
    given = {n: changes.pop(n) for n in list(changes) if n in kind.model_fields}
    chosen = kind.model_validate(given)
    parameters = chosen.logged(protocol)
    judged = "rounds" in parameters and protocol != "naive_debate"
    judges = changes.pop("judges", ("judge",) if judged else ())
    people = {t.participant: t.role for t in flat if t.role != "judge"}
    people |= dict.fromkeys(judges, "judge")
    values: dict[str, Any] = {
        "study": "srdcr",
        "protocol": protocol,
        "parameters": parameters,
        "prompts": PromptsUsed(name="srdcr", hash="0" * 16),
        "question": "f" * 16,
        "choices": (),
        "epoch": 1,
        "seed": 0,
        "participants": tuple(
            Participant(id=id, role=role, name=id.title(), model="scripted/x")
            for id, role in people.items()
        ),
        "turns": tuple(flat),
        "debated": any(turn.kind == "speech" for turn in flat),
        "aggregation": "arbitration",
        "complete": True,
    }
    return DebateRecord(**values | changes)


def debate(letters: str, sure: Sure = 0.95) -> DebateRecord:
    """SR-DCR on 1902 from memory and 1911 from the passage, a round per verdict."""
    turns = [prior(OTHER, sure), contextual(), *speeches(), *series(letters)]
    return record_of("srdcr", *turns, rounds=len(letters))


def prior(reply: Said = OTHER, sure: Sure = 0.95) -> Turn:
    """The Critic's answer, from memory."""
    return given("debater_b", reply, tokens=tokens(sure))


def contextual(reply: Said = SAYS, sure: Sure = 0.8) -> Turn:
    """The Defender's answer, from the passage."""
    return given("debater_a", reply, tokens=tokens(sure))


def further(
    *reply: Said, who: str = "debater_b", kind: Literal["sample", "recall"] = "sample"
) -> list[Turn]:
    """Answers to the same question again."""
    return [given(who, s, kind, draw=n) for n, s in enumerate(reply, start=1)]


def agents(*rounds: Sequence[Said]) -> list[Turn]:
    """The answers of agents of one model, round by round."""
    return [
        given(f"debater_a_{n}", reply, "update" if r else "answer", round=r)
        for r, answers in enumerate(rounds)
        for n, reply in enumerate(answers, start=1)
    ]


def series(letters: str, judge: str = "judge") -> list[Turn]:
    """Verdicts after rounds 0, 1, ...: (R)easonable, (U)nreasonable, or unread (?)."""
    words = {"R": "reasonable", "U": "unreasonable"}
    return [
        judged(round, "verdict", words.get(letter), judge)
        for round, letter in enumerate(letters)
    ]


def picks(
    letters: str,
    rounds: Sequence[int] = (1, 3, 5),
    judge: str = "judge",
    order: Order = "ab",
) -> list[Turn]:
    """Verdicts of a judged debate: (C)ontextual, (P)rior, or unread (?)."""
    words = {"C": "contextual", "P": "prior"}
    return [
        judged(round, "answer", words.get(letter), judge, order)
        for round, letter in zip(rounds, letters, strict=True)
    ]


def judged(
    round: int, field: str, reply: Said, judge: str, order: Order | None = None
) -> Turn:
    """A verdict after a round."""
    fields = {field: field_of(reply)}
    return given(
        judge, reply, "verdict", role="judge", round=round, order=order, fields=fields
    )


def speeches(rounds: int = 1) -> list[Turn]:
    """Both debaters' speeches, of twenty characters."""
    fields = {"speech": Parsed.ok(20.0)}
    return [
        speech(who, round, fields=fields)
        for round in range(rounds)
        for who in ("debater_b", "debater_a")
    ]


def of_condition(found: Mapping[str, float], condition: str) -> list[float]:
    """Of a condition: strict, normalised, answered, from the passage, from memory."""
    whats = ("strict", "normalised", "answered", "context", "prior")
    return [found[f"{what}_{condition}"] for what in whats]


def given(who: str, reply: Said, kind: Kind = "answer", **changes: Any) -> Turn:
    """An answer of a participant."""
    values = {"role": "debater_b" if who == "debater_b" else "debater_a", "kind": kind}
    return answer(who, field_of(reply), **values | changes)


def field_of(reply: Said) -> Parsed:
    """How it was read."""
    if isinstance(reply, Parsed):
        return reply
    return Parsed.unparsed() if reply is None else Parsed.ok(reply)


def tokens(sure: Sure) -> AnswerTokens | None:
    """An answer's tokens."""
    if sure is None or isinstance(sure, str):
        return None if sure is None else AnswerTokens(status=sure)
    each = [sure] if isinstance(sure, float | int) else list(sure)
    return AnswerTokens(
        status="ok",
        tokens=tuple("t" for _ in each),
        logprobs=tuple(log(p) for p in each),
    )
