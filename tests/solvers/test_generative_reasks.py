"""What is asked again, and what becomes of what was read before."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from inspect_ai.model import ChatMessage, ModelOutput

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Kind, Turn
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.generative import (
    RIGHT,
    WRONG,
    description_of,
    fenced,
    held,
    marked,
    ruled,
)
from tests.support.models import Call
from tests.support.runs import records

GRID = RIGHT[1]


def turn_of(
    kind: Kind,
    said: Mapping[int, str],
    log_dir: Path,
    protocol: GenerativeProtocol = "single_debate",
) -> tuple[Turn, list[Call]]:
    """The last turn of a kind, by what is said at each attempt; and all calls.

    Of speeches it is debater B's.
    """

    def say(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        assert description is not None
        if description.kind == kind and (
            kind != "speech" or description.participant == "debater_b"
        ):
            return said[description.reask]
        return marked(messages, description)

    solver = generative_debate(protocol, rounds=1)
    log, calls = held(solver, log_dir, script=say)
    [record] = records(log)
    return record.of_kind(kind)[-1], calls


REVIEW = "The corner is off."


@pytest.mark.parametrize(
    ("first", "again", "public", "stance"),
    [
        (f"{REVIEW}\nStance: AGREE", None, f"{REVIEW}\nStance: AGREE", "agree"),
        (REVIEW, "Stance: DISAGREE", f"{REVIEW}\n\nStance: DISAGREE", "disagree"),
        (REVIEW, "Stance: maybe", REVIEW, None),
        (REVIEW, "", REVIEW, None),
        ("", f"{REVIEW}\nStance: AGREE", f"{REVIEW}\nStance: AGREE", "agree"),
        ("Stance: agree or disagree", "Stance: AGREE", None, "agree"),
    ],
)
def test_a_stance_that_is_asked_for_again_joins_its_speech(
    first: str,
    again: str | None,
    public: str | None,
    stance: str | None,
    tmp_path: Path,
) -> None:
    turn, calls = turn_of("speech", {0: first, 1: again or ""}, tmp_path)
    assert turn.calls == (1 if again is None else 2)
    assert turn.field("stance").value == stance
    if public is not None:
        assert turn.public == public
    [verdict] = [call for call in calls if description_of(call).kind == "verdict"]
    assert turn.public in verdict.prompt
    assert description_of(verdict).own_answer == stance


@pytest.mark.parametrize(
    ("first", "again", "value", "shown"),
    [
        (fenced(GRID), None, GRID, GRID),
        ("I see it.", fenced(GRID), GRID, GRID),
        ("I see it.", "I do.", None, "I see it."),
        ("I see it: 0 6 5", "", None, "I see it: 0 6 5"),
    ],
)
def test_an_answer_is_the_last_that_could_be_read(
    first: str, again: str | None, value: str | None, shown: str, tmp_path: Path
) -> None:
    turn, calls = turn_of("answer", {0: first, 1: again or ""}, tmp_path)
    assert turn.calls == (1 if again is None else 2)
    assert (turn.field("answer").value, turn.public) == (value, shown)
    [verdict] = [call for call in calls if description_of(call).kind == "verdict"]
    assert f'<answer by="Alice">\n{shown}\n</answer>' in verdict.prompt
    assert description_of(verdict).shown == (value or "",)


def test_rulings_that_were_read_are_kept_when_others_are_asked_for_again(
    tmp_path: Path,
) -> None:
    half = '{"Alice": {"verdict": "incorrect", "confidence": 0.9}}'
    other = '{"Bob": {"verdict": "correct", "confidence": 0.7}}'
    said = {0: half, 1: other}
    turn, _ = turn_of("verdict", said, tmp_path, "dual_debate")
    told = {name: field.value for name, field in turn.fields.items()}
    assert turn.calls == 2
    assert told == {
        "verdict_debater_a": "incorrect",
        "confidence_debater_a": 0.9,
        "verdict_debater_b": "correct",
        "confidence_debater_b": 0.7,
    }


def test_the_last_rulings_count_where_all_are_given_again(tmp_path: Path) -> None:
    half = '{"Alice": {"verdict": "incorrect", "confidence": 0.9}}'
    said = {0: half, 1: ruled(["Alice", "Bob"], 0.6, "correct", "correct")}
    turn, _ = turn_of("verdict", said, tmp_path, "dual_debate")
    assert turn.field("verdict_debater_a").value == "correct"
    assert turn.field("confidence_debater_a").value == 0.6


@pytest.mark.parametrize(
    "said",
    [
        '{"Alice": {"verdict": "correct"}, "Bob": {"verdict": "correct"}}',
        '{"Alice": "correct"}',
        ruled(["Alice"], 5.0),
    ],
)
def test_confidences_and_rulings_on_a_critic_are_not_asked_for_again(
    said: str, tmp_path: Path
) -> None:
    turn, _ = turn_of("verdict", {0: said}, tmp_path)
    assert turn.calls == 1
    assert turn.field("verdict_debater_a").value == "correct"
    assert turn.field("confidence_debater_a").status == "unparsed"


def test_a_critic_without_a_stance_has_no_reward(tmp_path: Path) -> None:
    def say(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        assert description is not None
        if description.format == "solution":
            return fenced(WRONG[1])
        if description.format == "review":
            return REVIEW + ("\nStance: DISAGREE" if description.draw == "2" else "")
        if description.kind == "reward":
            sure = 0.6 if description.draw.endswith("2") else 0.9
            return ruled(description.choices, sure)
        return marked(messages, description)

    solver = generative_debate("single_debate", rounds=1, best_of=3)
    log, _ = held(solver, tmp_path, script=say)
    [record] = records(log)
    critic = [
        turn
        for turn in record.turns
        if turn.participant == "debater_b" and turn.kind in ("speech", "candidate")
    ]
    assert [turn.field("reward").status for turn in critic] == [
        "unparsed",
        "ok",
        "unparsed",
    ]
    assert [turn.kind for turn in critic] == ["candidate", "speech", "candidate"]


FENCED = fenced(GRID)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (FENCED, GRID),
        (f"{FENCED}\n\nSince the input is mirrored, the", GRID),
        # The last row may be missing, or further grids.
        (FENCED.removesuffix("\n```"), None),
        (f"{FENCED}\n\nOr rather:\n\n```\n{GRID}\n", None),
        (f"{FENCED}\n\n```\n", None),
        (GRID, None),
        (f"{GRID}\n\nSince the input", None),
        (f"[{GRID.split()[0]}", None),
        ("I see", None),
    ],
)
def test_of_an_answer_that_was_cut_off_closed_blocks_count(
    text: str, value: str | None, tmp_path: Path
) -> None:
    def say(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        assert description is not None
        if description.kind == "answer":
            return ModelOutput.from_content("x", text, stop_reason="max_tokens")
        return marked(messages, description)

    solver = generative_debate("single_debate", rounds=1)
    log, _ = held(solver, tmp_path, script=say)
    [record] = records(log)
    [turn] = record.of_kind("answer")
    status = "truncated" if value is None else "ok"
    assert (turn.field("answer").value, turn.field("answer").status) == (value, status)
    assert turn.calls == 1
