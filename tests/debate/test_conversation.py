"""What a person reads of a debate in the viewer."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.scorer import Scorer, includes

from inspect_debate.debate.conversation import with_marked_quotes
from inspect_debate.debate.record import span_name
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.colmad import colmad
from tests.support.made import speech
from tests.support.models import scripted
from tests.support.reader import reader
from tests.support.runs import WRONG, item, run_solver, samples


def test_quotes_have_signs_in_place_of_tags() -> None:
    reply = "It says <v_quote>52 km</v_quote>, not <u_quote>42</u_quote>; 1 < 2."
    turn = speech("debater_a").model_copy(update={"public": reply})
    assert with_marked_quotes(turn) == (
        "It says “52 km” ✓, not “42” ✗ (not found); 1 < 2."
    )


@pytest.mark.parametrize(
    ("scorers", "target", "outcome"),
    [
        ([error_detection()], "error", "### Outcome: error (right)"),
        ([error_detection()], "no_error", "### Outcome: error (wrong)"),
        ([error_detection(), includes()], "error", "### Outcome: error"),
    ],
)
def test_messages_end_with_the_outcome(
    scorers: list[Scorer], target: str, outcome: str, tmp_path: Path
) -> None:
    """A scorer of another package may read the messages: they do not tell the truth."""
    sample = item(response=WRONG)
    sample.target = target
    log = run_solver(
        colmad(), sample, tmp_path, scripted(reader(True), "sharp"), scorer=scorers
    )
    (finished,) = samples(log)
    assert finished.messages[-1].text == outcome
    assert sum("Outcome" in message.text for message in finished.messages) == 1


NAMES: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    (("answer", "debater_a"), {}, "Answer, debater A"),
    (("answer", "debater_a", 0, 3), {}, "Answer 3, debater A"),
    (("speech", "debater_b", 12), {}, "Round 12, debater B"),
    (("speech", "debater_a", 0), {}, "Opening, debater A"),
    (("critique", "debater_a"), {}, "Critique, debater A"),
    (("update", "debater_c", 1), {}, "Update 1, debater C"),
    (("bet", "debater_a", 2), {}, "Bet, round 2, debater A"),
    (("cross_question", "debater_a", 2), {}, "Cross question, round 2, debater A"),
    (("verdict", "judge"), {}, "Verdict, judge"),
    (("verdict", "judge", 0), {"in_series": True}, "Verdict after the openings, judge"),
    (("verdict", "judge", 3), {"in_series": True}, "Verdict after round 3, judge"),
    (("verdict", "judge_2", 0, 1), {}, "Verdict 1, judge 2"),
    (
        ("verdict", "judge_10"),
        {"order": "ba", "shown_first": "debater_b"},
        "Verdict, judge 10 (debater B shown first)",
    ),
    (
        ("verdict", "judge"),
        {"order": "ba"},
        "Verdict, judge (second answer shown first)",
    ),
    (
        ("verdict", "judge"),
        {"about": "forged_quote"},
        "Verdict, check “forged quote”, judge",
    ),
    (
        ("reward", "judge", 2, 1),
        {"about": "debater_b"},
        "Reward of candidate 1, round 2, debater B",
    ),
    (("grade", "grader", 2), {"about": "debater_b"}, "Grade, round 2, debater B"),
    (("grade", "grader"), {}, "Grade, grader"),
]


@pytest.mark.parametrize(("turn", "more", "name"), NAMES)
def test_names_of_turns(turn: tuple[Any, ...], more: dict[str, Any], name: str) -> None:
    assert span_name(*turn, **more) == name
