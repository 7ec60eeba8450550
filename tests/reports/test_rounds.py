"""Rounds, quotes and a judge's beliefs of debates that a judge ends."""

from typing import Any

import pandas as pd
import pytest

from inspect_debate.debate.record import DebateRecord
from inspect_debate.reports.rounds import Round, measures, round_facts
from inspect_debate.transcripts.format import Transcript, record_of

STORY = "The tower is red. The bridge is blue."


def belief(round: int, p: float, **fields: Any) -> dict[str, Any]:
    given = {"by": "judge", "kind": "belief", "round": round}
    return given | {"probabilities": {"A": p, "B": 1 - p}} | fields


def speech(by: str, round: int, text: str) -> dict[str, Any]:
    return {"by": by, "round": round, "text": text}


def record(*turns: dict[str, Any], sides: str = "AB") -> DebateRecord:
    seats = zip(("debater_a", "debater_b"), sides, strict=False)
    transcript = Transcript.model_validate(
        {
            "id": "towers",
            "question": "What is red?",
            "options": ["The tower", "The bridge"],
            "passage": STORY,
            "participants": [
                *({"id": id, "defends": side} for id, side in seats),
                {"id": "judge", "kind": "person", "who": "Ann"},
            ],
            "turns": turns,
        }
    )
    return record_of(transcript, {})


DEBATE = record(
    belief(0, 0.5, about="question_alone"),
    speech("debater_a", 1, "See: <quote>tower is red</quote>"),
    speech("debater_b", 1, "<quote>.</quote> No."),
    belief(1, 0.7),
    {"by": "judge", "kind": "judge_question", "round": 1, "text": "Why?", "to": "both"},
    speech("debater_a", 2, "<quote>The tower is red.</quote>"),
    speech("debater_b", 2, "<quote>never said</quote>"),
    belief(2, 0.8),
    {"by": "judge", "kind": "verdict", "probabilities": {"A": 0.9, "B": 0.1}},
)


def test_rounds_have_characters_without_tags_and_new_quotes() -> None:
    facts = round_facts(DEBATE, {"A"}, STORY)
    # "See: tower is red" and ". No."; then "The" and "." are new, and the space is not.
    assert facts["per_round"] == (Round(17 + 5, 12, 12), Round(17 + 10, 4, 17))
    assert facts["consultant"] is None


def test_the_verdict_is_in_place_of_the_last_belief() -> None:
    assert round_facts(DEBATE, {"A"}, STORY)["believed"] == (0.5, 0.7, 0.9)
    assert round_facts(DEBATE, {"B"}, STORY)["believed"] == (0.5, 1 - 0.7, 0.1)


@pytest.mark.parametrize(
    ("side", "right", "kind"),
    [("A", {"A"}, "honest"), ("B", {"A"}, "dishonest"), ("A", set(), None)],
)
def test_a_consultant_is_honest_or_not(side: str, right: set[str], kind: str) -> None:
    consultancy = record(speech("debater_a", 1, "So."), sides=side)
    facts = round_facts(consultancy, right, STORY)
    assert (facts["consultant"], facts["believed"]) == (kind, ())


def test_measures_pool_rounds() -> None:
    debates = pd.DataFrame(
        {
            "id": ["1", "2"],
            "per_round": [(Round(10, 4, 8),), (Round(20, 0, 0),) * 3],
            "believed": [(0.5, 1.0), (0.5, 0.5, 0.5, 0.25)],
        }
    )
    found = {name: getattr(v, "value", v) for name, v in measures(debates).items()}
    assert found == pytest.approx(
        {
            "Debates": 2,
            "Rounds": 2,
            "SD": 1,
            "Characters": 70 / 4,
            "New quotes": 1,
            "Quoted before": 0.5,
            "Bits": (1 - 1) / 4,
            "Judge's score": (-0.05 - 2.15) / 2,
            # 1 right at 1.0, and 0 right at 0.75.
            "ECE": 0.75 / 2,
            # At 0.5 four are half right.
            "ECE, all": 0.75 / 6,
        }
    )
