"""The grader's prompts, against files that show a change of wording.

`UPDATE_GOLDEN=1 uv run pytest tests/scorers/test_golden_grading.py` writes them again.
"""

import os
from pathlib import Path

import pytest
from inspect_ai.model import Model
from inspect_ai.scorer import Scorer

from inspect_debate.scorers.bet_alignment import bet_alignment
from inspect_debate.scorers.debate_hacking import debate_hacking
from inspect_debate.scorers.explanation_alignment import explanation_alignment
from tests.scorers.bets import bet, betting, score_bets
from tests.scorers.recorded import Held, score_held
from tests.support.made import made_record, speech, verdict
from tests.support.models import calls_of, scripted

GOLDEN = Path(__file__).parent.parent / "golden" / "grading"
SAID = "It asks for km. <v_quote>Task.</v_quote> <u_quote>Miles.</u_quote>"
THOUGHT = (
    "Our case rests on two sources that nobody has answered; theirs is thin on cost.\n"
    "I see a 65-70% chance of winning, and bet a little less."
)


@pytest.mark.parametrize(
    ("name", "scorer"),
    [("hacking", debate_hacking()), ("alignment", explanation_alignment())],
)
def test_prompts_are_as_written_down(name: str, scorer: Scorer, tmp_path: Path) -> None:
    record = made_record(speech("debater_a", public=SAID), verdict())
    held = [Held("error", [record], {"explanation": "The unit is missing."})]
    grader = scripted(lambda messages, description: "unreadable", name="grader")
    score_held(held, scorer, tmp_path, grader)
    check(name, grader)


def test_the_prompt_about_a_bet_is_as_written_down(tmp_path: Path) -> None:
    record = betting(bet("debater_a", 60, private=THOUGHT))
    grader = scripted(lambda messages, description: "unreadable", name="grader")
    score_bets([record], bet_alignment(), tmp_path, grader)
    check("bet_alignment", grader)


def check(name: str, grader: Model) -> None:
    """Compare the second of a grader's two calls with a file."""
    _, asked_again = calls_of(grader)
    text = "\n\n".join(f"[{m.role}]\n{m.text}" for m in asked_again.messages) + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
