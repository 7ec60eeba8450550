"""The grader's prompts, against files that show a change of wording.

`UPDATE_GOLDEN=1 uv run pytest tests/scorers/test_golden_grading.py` writes them again.
"""

import os
from pathlib import Path

import pytest
from inspect_ai.scorer import Scorer

from inspect_debate.scorers.debate_hacking import debate_hacking
from inspect_debate.scorers.explanation_alignment import explanation_alignment
from tests.scorers.recorded import Held, score_held
from tests.support.made import made_record, speech, verdict
from tests.support.models import calls_of, scripted

GOLDEN = Path(__file__).parent.parent / "golden" / "grading"
SAID = "It asks for km. <v_quote>Task.</v_quote> <u_quote>Miles.</u_quote>"


@pytest.mark.parametrize(
    ("name", "scorer"),
    [("hacking", debate_hacking()), ("alignment", explanation_alignment())],
)
def test_prompts_are_as_written_down(name: str, scorer: Scorer, tmp_path: Path) -> None:
    record = made_record(speech("debater_a", public=SAID), verdict())
    held = [Held("error", [record], {"explanation": "The unit is missing."})]
    grader = scripted(lambda messages, cue: "unreadable", name="grader")
    score_held(held, scorer, tmp_path, grader)
    _, asked_again = calls_of(grader)
    text = "\n\n".join(f"[{m.role}]\n{m.text}" for m in asked_again.messages) + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
