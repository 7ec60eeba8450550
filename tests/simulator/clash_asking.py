"""Asking simulated models for turns on questions about passages."""

from typing import Any

from inspect_debate.datasets import sources as answer_key
from inspect_debate.datasets.sources import PassageTruth as Passage
from inspect_debate.debate.answers import picked, reasonable, short_answer
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Kind, Parsed

QUESTIONS = 500
CHOICES = ("contextual", "prior")


def passage(n: int, severity: int = 0) -> Passage:
    """What is true of question `n` with a passage of some severity."""
    right = f"Right {n}"
    says = f"Said {n}" if severity else right
    return Passage(right, says, severity, tuple(f"Other {x} of {n}" for x in "abc"))


def clash_turn(
    kind: Kind, n: int = 1, severity: int = 0, **values: Any
) -> TurnDescription:
    """A turn of the Defender, the Critic or the judge on question `n`."""
    defaults: dict[Kind, dict[str, Any]] = {
        "answer": {"format": "short_answer", "passage": True},
        "sample": {"format": "short_answer", "passage": True, "draw": "1"},
        "recall": {"format": "short_answer", "participant": "debater_b", "draw": "1"},
        "update": {"format": "short_answer", "passage": True},
        "critique": {"format": "critique", "passage": True},
        "speech": {
            "format": "free_speech",
            "passage": True,
            "rounds": 6,
            "defends": "Rome",
        },
        "verdict": {
            **{"format": "reasonable", "participant": "judge"},
            **{"round": 5, "rounds": 6, "shown": ("Rome", "Oslo")},
        },
    }
    question = f"clash {n} at {severity}"
    answer_key.register_passage(question, passage(n, severity))
    asked: dict[str, Any] = {
        **{"question": question, "epoch": 1, "seed": 0, "choices": ()},
        "sample": f"clash{n}-{'perturbed' if severity else 'standard'}",
        **{"participant": "debater_a", "kind": kind},
    }
    return TurnDescription(**{**asked, **defaults[kind], **values})


def prior_turn(n: int = 1, severity: int = 0, **values: Any) -> TurnDescription:
    """The question without its passage, as the Critic is asked."""
    asked = {"participant": "debater_b", "passage": False, **values}
    return clash_turn("answer", n, severity, **asked)


def contextual_turn(n: int = 1, severity: int = 0, **values: Any) -> TurnDescription:
    """The question with its passage, as the Defender is asked."""
    return clash_turn("answer", n, severity, **values)


def pick_turn(n: int = 1, severity: int = 0, **values: Any) -> TurnDescription:
    """A judge's choice between the two answers."""
    asked = {"format": "pick", "choices": CHOICES, "rounds": 5, **values}
    return clash_turn("verdict", n, severity, **asked)


def clash_turns(n: int) -> list[TurnDescription]:
    """All turns of the study, on a right passage and on a wrong one."""
    return [
        turn
        for severity in (0, 1 + n % 5)
        for turn in (
            clash_turn("answer", n, severity),
            clash_turn("answer", n, severity, format="self_ask"),
            prior_turn(n, severity),
            clash_turn("sample", n, severity, draw=str(1 + n % 16)),
            clash_turn("sample", n, severity, participant="debater_b", passage=False),
            clash_turn("recall", n, severity),
            clash_turn("update", n, severity, own_answer=f"Right {n}"),
            clash_turn(
                "update", n, severity, own_answer="Oslo", shown=("Rome", "Rome")
            ),
            clash_turn("update", n, severity, shown=("Rome", "Rome")),
            clash_turn("critique", n, severity),
            clash_turn("speech", n, severity, round=n % 6),
            clash_turn("speech", n, severity, participant="debater_b", defends="Oslo"),
            clash_turn("verdict", n, severity, round=n % 6),
            pick_turn(n, severity),
            pick_turn(n, severity, choices=CHOICES[::-1], round=1),
        )
    ]


def read_clash(form: str, text: str) -> Parsed:
    """What a protocol reads in a completion."""
    match form:
        case "reasonable":
            return reasonable(text)
        case "pick":
            return picked(text)
        case "critique" | "free_speech":
            return Parsed.ok("") if text.strip() else Parsed.unparsed()
        case _:
            return short_answer(text)
