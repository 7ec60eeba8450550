"""Records of generative debates, made by hand.

Answers are written by how they are graded, as in `RW`: (R)ight, (W)rong, not read (U),
(T)imed out, an (E)rror of the grader, or a task that is (I)neligible; rulings on them
as in `CI`: (C)orrect, (I)ncorrect, or not read (? or r).
"""

from collections.abc import Sequence
from typing import Any

from inspect_debate.v1.debate.record import (
    DebateRecord,
    Grade,
    GradeStatus,
    Kind,
    Order,
    Parsed,
    Participant,
    PromptsUsed,
    Role,
    Status,
    Turn,
)
from inspect_debate.v1.solvers.rulings import confidence_field, verdict_field
from tests.v1.support.made import answer

NAN = float("nan")
DEBATERS: tuple[Role, ...] = ("debater_a", "debater_b")
GRADES: dict[str, GradeStatus] = {
    "R": "pass",
    "W": "fail",
    "U": "unparsed",
    "T": "timeout",
    "E": "error",
    "I": "ineligible",
}
VERDICTS = {
    "C": Parsed.ok("correct"),
    "I": Parsed.ok("incorrect"),
    "?": Parsed.unparsed(),
    "r": Parsed(status=Status.REFUSED),
}
STANCES = {"A": Parsed.ok("agree"), "D": Parsed.ok("disagree"), "?": Parsed.unparsed()}


def record_of(
    graded: str,
    *turns: Turn | list[Turn],
    protocol: str | None = None,
    own: str = "",
    judges: Sequence[str] = ("judge",),
    **changes: Any,
) -> DebateRecord:
    """A finished run of a format on a task.

    Args:
        graded: The proposers' answers, by their grades.
        turns: What came after them, in order.
        protocol: The format; without a transcript by default.
        own: The judges' own answers, by their grades.
        judges: The judges' ids.
        changes: Of the record.
    """
    flat = [t for part in turns for t in (part if isinstance(part, list) else [part])]
    names = ("direct_qa", "single_no_transcript", "dual_no_transcript")
    answered = list(zip(DEBATERS, graded, strict=False))
    judged = list(zip(judges, own, strict=False))
    speaking = {t.participant for t in flat if t.role in DEBATERS}
    taking_part = speaking | {who for who, _ in answered}
    people: dict[str, Role] = {id: id for id in DEBATERS if id in taking_part}
    people |= dict.fromkeys(judges, "judge")
    values: dict[str, Any] = {
        "study": "generative",
        "protocol": protocol or names[len(graded)],
        "parameters": {"best_of": 1},
        "prompts": PromptsUsed(name="generative", hash="0" * 16),
        "question": "f" * 16,
        "choices": (),
        "epoch": 1,
        "seed": 0,
        "participants": tuple(
            Participant(id=id, role=role, name=id.title(), model="scripted/x")
            for id, role in people.items()
        ),
        "turns": tuple(
            [
                *(solved(who, letter) for who, letter in answered),
                *flat,
                *(solved(who, letter) for who, letter in judged),
            ]
        ),
        "grades": tuple(grade(who, letter) for who, letter in answered + judged),
        "debated": bool(speaking),
        "aggregation": "rulings",
        "complete": True,
    }
    return DebateRecord(**values | changes)


def grade(who: str, letter: str, **changes: Any) -> Grade:
    """What was found out about an answer, of two parts."""
    status = GRADES[letter]
    right = {"pass": 2, "fail": 1}.get(status, 0)
    values: dict[str, Any] = {
        "participant": who,
        "status": status,
        "parts": 2 if status in ("pass", "fail") else 0,
        "parts_right": right,
        "seconds": 1.5,
    }
    return Grade(**values | changes)


def solved(who: str, letter: str) -> Turn:
    """An answer; answers of one grade are the same."""
    reply = f"0 {list(GRADES).index(letter)}"
    given = Parsed.unparsed() if letter == "U" else Parsed.ok(reply)
    role = who if who in DEBATERS else "judge"
    return answer(who, given, role=role, public=reply)


def ruled(
    letters: str,
    judge: str = "judge",
    order: Order | None = None,
    confidence: float | Sequence[float | None] = 0.8,
    kind: Kind = "verdict",
    **changes: Any,
) -> Turn:
    """A judge's rulings on A, and on B or its stance."""
    if isinstance(confidence, float):
        confidence = [None if letter == "?" else confidence for letter in letters]
    fields: dict[str, Parsed] = {}
    for who, letter, sure in zip(DEBATERS, letters, confidence, strict=False):
        fields[verdict_field(who)] = VERDICTS[letter]
        stated = Parsed.unparsed() if sure is None else Parsed.ok(sure)
        fields[confidence_field(who)] = stated
    values: dict[str, Any] = {
        "role": "judge" if kind == "verdict" else "reward",
        "kind": kind,
        "order": order or ("ab" if len(letters) > 1 else None),
        "fields": fields,
    }
    return answer(judge, **values | changes)


def stated(who: str, round: int, stance: str = "", **fields: Parsed) -> Turn:
    """A speech; a critic's with its stance: (A)gree, (D)isagree, or unread (?)."""
    read = {"speech": Parsed.ok(20.0), **fields}
    if stance:
        read["stance"] = STANCES[stance]
    return answer(who, kind="speech", round=round, fields=read)


def drawn(who: Role, round: int, *rewards: float | None, chosen: int) -> list[Turn]:
    """Candidates for a speech with their rewards, and the rulings behind these."""
    candidates, rulings = [], []
    for draw, value in enumerate(rewards, start=1):
        reward = Parsed.unparsed() if value is None else Parsed.ok(value)
        turn = stated(who, round, reward=reward)
        kind = "speech" if draw == chosen else "candidate"
        candidates.append(turn.model_copy(update={"kind": kind, "draw": draw}))
        fields = {
            verdict_field(who): VERDICTS["?" if value is None else "IC"[value >= 0]],
            confidence_field(who): Parsed.ok((1 + abs(value or 0)) / 2),
        }
        changes: dict[str, Any] = {"round": round, "draw": draw, "about": who}
        changes["fields"] = fields
        rulings.append(answer("reward", kind="reward", **changes))
    return candidates + rulings
