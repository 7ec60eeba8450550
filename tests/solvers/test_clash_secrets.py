"""Who reads what of a passage: marks in every prompt, against the rules."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.judge_debate import judge_debate
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.srdcr import srdcr
from inspect_debate.solvers.without_debate import rci
from tests.support.clash import MARK, RIGHT, marked, question
from tests.support.models import Call, calls_of, scripted
from tests.support.runs import dataset, run

PASSAGE = {f"PASSAGE-{n}" for n in ("one", "two", "three")}
ROUNDS = 6


def calls(solver: Solver, log_dir: Path) -> list[tuple[TurnDescription, Call]]:
    model = scripted(marked)
    run(Task(dataset=dataset(question()), solver=solver), log_dir, model=model)
    found = calls_of(model)
    return [(call.description, call) for call in found if call.description is not None]


def pleas(until: int, *also: str) -> set[str]:
    """The marks of all speeches of the rounds before one, and some of its own."""
    both = product(("debater_a", "debater_b"), range(until))
    return {f"PLEA-{who}_{n}" for who, n in both} | set(also)


@pytest.mark.slow
@pytest.mark.parametrize("turn_order", ["sequential", "simultaneous"])
@pytest.mark.parametrize("critic_sees", [False, True])
@pytest.mark.parametrize("judge_sees", [False, True])
def test_each_prompt_of_srdcr_holds_what_its_reader_may_know(
    turn_order: str, critic_sees: bool, judge_sees: bool, tmp_path: Path
) -> None:
    solver = srdcr(
        turn_order="sequential" if turn_order == "sequential" else "simultaneous",
        critic_sees_context=critic_sees,
        judge_sees_context=judge_sees,
        confidence_from="both",
        recall_samples=2,
    )
    asked = calls(solver, tmp_path)
    assert len(asked) == 2 + 16 + 2 + 12 + 6
    for description, call in asked:
        marks = set(MARK.findall(call.prompt))
        assert marks == may_read(description, turn_order, critic_sees, judge_sees), (
            description
        )
        assert RIGHT not in call.prompt


def may_read(
    description: TurnDescription, turn_order: str, critic_sees: bool, judge_sees: bool
) -> set[str]:
    if description.kind in ("answer", "sample", "recall"):
        return PASSAGE if description.participant == "debater_a" else set()
    if description.kind == "verdict":
        heard = pleas(description.round + 1)
        return heard | PASSAGE if judge_sees else heard
    if description.participant == "debater_b":
        heard = pleas(description.round)
        return heard | PASSAGE if critic_sees else heard
    replies = turn_order == "sequential" and description.round > 0
    just_said = [f"PLEA-debater_b_{description.round}"] if replies else []
    return pleas(description.round, *just_said) | PASSAGE


@pytest.mark.parametrize("critic_sees", [False, True, "openings"])
@pytest.mark.parametrize("followups_see", ["all", "transcript"])
def test_what_openings_and_followups_show(
    critic_sees: Any, followups_see: Any, tmp_path: Path
) -> None:
    """In the authors' released code: the passage first, then the transcript."""
    solver = srdcr(
        turn_order="simultaneous",
        critic_sees_context=critic_sees,
        followups_see=followups_see,
        rounds=3,
    )
    asked = [(description, call) for description, call in calls(solver, tmp_path)]
    assert [description.kind for description, _ in asked].count("speech") == 6
    for description, call in asked:
        marks = set(MARK.findall(call.prompt))
        critic = description.participant == "debater_b"
        match description.kind:
            case "verdict":
                assert marks == pleas(description.round + 1)
                assert {"1902", "1911", "lighthouse"} <= words(call.prompt)
            case "speech" if description.round == 0:
                assert marks == (PASSAGE if not critic or critic_sees else set())
                assert "lighthouse" in words(call.prompt)
            case "speech":
                alone = followups_see == "transcript"
                reads = not critic or critic_sees is True
                assert marks == pleas(description.round) | (
                    PASSAGE if reads and not alone else set()
                )
                shown = {"1902", "1911", "lighthouse"} & words(call.prompt)
                own = {"lighthouse", "1902" if critic else "1911"}
                assert own <= shown or alone
                assert not shown or not alone
                # The Defender always has read the passage, the Critic where it may.
                has_read = not critic or bool(critic_sees)
                earlier = has_read and (alone or not reads)
                assert ("passage for your opening" in call.prompt) == earlier


def words(prompt: str) -> set[str]:
    """Its words."""
    return set(re.findall(r"\w+", prompt))


def test_answers_of_the_other_are_shown_when_asked_for_and_to_the_judge(
    tmp_path: Path,
) -> None:
    for shown in (False, True):
        asked = calls(srdcr(rounds=1, show_openings=shown), tmp_path)
        openings = {c.participant: call for c, call in asked if c.kind == "speech"}
        defends = "The answer that you defend: <answer>"
        assert f"{defends}1911" in openings["debater_a"].prompt
        assert f"{defends}1902" in openings["debater_b"].prompt
        assert ("1902" in openings["debater_a"].prompt) == shown
        assert ("1911" in openings["debater_b"].prompt) == shown
        [verdict] = [
            call for description, call in asked if description.kind == "verdict"
        ]
        assert "1902" in verdict.prompt
        assert "1911" in verdict.prompt


def test_all_read_the_passage_in_a_debate_with_a_judge(tmp_path: Path) -> None:
    asked = calls(judge_debate(confidence_from="logprobs"), tmp_path)
    assert len(asked) == 2 + 10 + 3
    for description, call in asked:
        marks = set(MARK.findall(call.prompt))
        if description.kind == "answer":
            assert marks == (
                PASSAGE if description.participant == "debater_a" else set()
            )
            continue
        heard = PASSAGE | {
            m.replace("_0", "_x")
            for m in pleas(description.round)
            if not m.endswith("_0")
        }
        if description.kind == "verdict":
            heard |= {
                f"PLEA-{w}_{description.round}" for w in ("debater_a", "debater_b")
            }
        elif description.participant == "debater_b":
            heard |= {f"PLEA-debater_a_{description.round}"}
        assert marks == heard, description


def test_critique_and_revision_read_their_own_answer_and_the_passage(
    tmp_path: Path,
) -> None:
    answer, critique, revision = (call for _, call in calls(rci(), tmp_path))
    assert set(MARK.findall(answer.prompt)) == PASSAGE
    assert set(MARK.findall(critique.prompt)) == PASSAGE
    assert "Answer: 1911" in critique.prompt
    assert set(MARK.findall(revision.prompt)) == PASSAGE | {"CRITIQUE-debater_a_0"}


def test_agents_read_the_others_answers_of_the_round_before(tmp_path: Path) -> None:
    years = {"debater_a_1": "1901", "debater_a_2": "1902", "debater_a_3": "1903"}

    def differing(messages: object, description: TurnDescription | None) -> str:
        assert description is not None
        who = description.participant
        return f"ANSWER-{who}_{description.round}\nAnswer: {years[who]}"

    model = scripted(differing)
    solver = naive_debate(rounds=2)
    run(Task(dataset=dataset(question()), solver=solver), tmp_path, model=model)
    asked = [(call.description, call) for call in calls_of(model) if call.description]
    assert len(asked) == 9
    for description, call in asked:
        marks = {f"ANSWER-{who}_{n}" for who in years for n in range(description.round)}
        assert set(MARK.findall(call.prompt)) == PASSAGE | marks
        peers = call.prompt.count("<turn speaker=")
        assert peers == 2 * description.round
