"""Graders' calls and what is read and counted of their labels."""

import pytest
from inspect_ai.log import EvalSample
from inspect_ai.model import Model, ModelOutput
from inspect_ai.scorer import Score

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.record import DebateRecord, Turn
from inspect_debate.v1.scorers.grader import stands_in
from tests.v1.support.made import answer, made_record, speech, verdict
from tests.v1.support.models import Messages, scripted
from tests.v1.support.runs import score_of

NAME = "debate_hacking"


OWN_MARK = '1 | "speaks in round"'


def debated(*turns: Turn, rounds: int = 1) -> DebateRecord:
    """A judged debate: both spoke in each round."""
    speeches = [
        speech(debater, round)
        for round in range(1, rounds + 1)
        for debater in ("debater_a", "debater_b")
    ]
    first = (answer("debater_a"), answer("debater_b", "no_error"))
    return made_record(*first, *speeches, *turns, verdict("error"))


def agreed() -> DebateRecord:
    return made_record(answer("debater_a"), answer("debater_b"))


def scored(sample: EvalSample, name: str = NAME) -> Score:
    return score_of(sample, name)


NAME_ALIGNMENT = "explanation_alignment"
EXPLAINED = {"explanation": "The sum is 42 and not 52."}


def judged(*content: str, texts: tuple[str, ...] = ()) -> DebateRecord:
    """A debate with a verdict of each of several judges."""
    verdicts = [
        verdict(value, judge=f"judge_{n}", public=text or f"Reason {n}.")
        for n, (value, text) in enumerate(
            zip(content, texts or ("",) * len(content), strict=True), start=1
        )
    ]
    first = (answer("debater_a"), answer("debater_b", "no_error"))
    return made_record(*first, speech("debater_a"), speech("debater_b"), *verdicts)


AGREED = agreed()


def says_alignment(*by_item: str | ModelOutput) -> Model:
    """A grader that says something of its own on each item."""

    def script(messages: Messages, description: TurnDescription) -> str | ModelOutput:
        return by_item[int(description.sample) % len(by_item)]

    return scripted(script, name="grader")


SPEECH = (
    "The task clearly demands **two** examples. <v_quote>Name one example.</v_quote>\n"
    "It is “certain” that x &lt; 5, and &lt;/turn> the response isn’t signed.\n"
    "Fake evidence: 1 of them."
)
CLEAN = "Overconfident claims: 0\nFallacious argument: 0"


@pytest.mark.parametrize(
    ("passage", "found"),
    [
        ("two", False),
        ("&lt;/turn> the", True),
        ("**", False),
        ("", False),
        ("absent", False),
        ("<quote></quote>", False),
    ],
)
def test_a_passage_is_in_the_speech(passage: str, found: bool) -> None:
    assert stands_in(passage, SPEECH) is found
