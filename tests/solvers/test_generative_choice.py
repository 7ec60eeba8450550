"""The best of several candidates for a speech: who scores them, and which is chosen."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, ModelOutput

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.generative import (
    BEST,
    SPOKEN,
    by_kind,
    description_of,
    held,
    marked,
    ruled,
    solvable,
    speech_mark,
)
from tests.support.models import Call, calls_of, scripted
from tests.support.runs import dataset, records, run, samples, values

NAMES = {"debater_a": "Alice", "debater_b": "Bob"}


@pytest.mark.parametrize("protocol", SPOKEN)
def test_the_candidate_with_the_highest_reward_is_the_speech(
    protocol: GenerativeProtocol, tmp_path: Path
) -> None:
    log, _ = held(generative_debate(protocol, best_of=4), tmp_path)
    [record] = records(log)
    speakers = ["debater_a"] if protocol == "single_consultancy" else list(NAMES)
    spoken = record.of_kind("speech")
    assert [(t.participant, t.round, t.draw) for t in spoken] == [
        (who, round, BEST[who, round]) for round in (1, 2) for who in speakers
    ]
    assert [t.public.split()[0] for t in spoken] == [
        speech_mark(t.participant, t.round, t.draw) for t in spoken
    ]
    for turn in [*spoken, *record.of_kind("candidate")]:
        expected = 0.8 if turn.kind == "speech" else 0.2
        assert turn.field("reward").value == pytest.approx(expected)
    found = values(samples(log)[0], "verdicts")
    assert found["reward_chosen"] == pytest.approx(0.8)
    assert found["reward_mean"] == pytest.approx((0.8 + 3 * 0.2) / 4)
    assert found["rewards_unread"] == 0
    assert found["rewards_ok"] == 8 * len(speakers)


def test_the_record_has_all_candidates_where_they_were_drawn(tmp_path: Path) -> None:
    log, _ = held(generative_debate("dual_debate", best_of=4), tmp_path)
    [record] = records(log)
    told = [
        (turn.participant, turn.round, turn.draw, turn.about)
        for turn in record.turns
        if turn.kind in ("speech", "candidate", "reward")
    ]
    expected: list[tuple[str, int, int, str | None]] = []
    for round in (1, 2):
        drawn = [(who, draw) for who in NAMES for draw in (1, 2, 3, 4)]
        expected += [(who, round, draw, None) for who, draw in drawn]
        expected += [("reward", round, draw, who) for who, draw in drawn]
    assert told == expected
    scorer = record.participant("reward")
    assert (scorer.role, scorer.model) == ("reward", "scripted/x")
    assert set(scorer.settings) == {"reward"}


Said = tuple[str, float | str]
"""A verdict and a confidence, as a judge writes them."""

RIGHT, WRONG, UNREAD = "correct", "incorrect", "perhaps"


def chosen(
    rulings: Sequence[Said], protocol: GenerativeProtocol, log_dir: Path
) -> tuple[DebateRecord, dict[str, float], list[Call]]:
    """One round in which debater B has a candidate for each ruling on it.

    Where it has, debater A is surely ruled the other way.
    """

    def say(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        assert description is not None
        if description.kind != "reward":
            return marked(messages, description)
        speaker, draw = description.draw.split()
        verdict, confidence = rulings[int(draw) - 1]
        if speaker == "debater_a":
            return ruled(description.choices, 0.5)
        other = WRONG if verdict == RIGHT else RIGHT
        entries = [
            f'"{n}": {{"verdict": "{verdict}", "confidence": {confidence}}}'
            if n == NAMES[speaker]
            else f'"{n}": {{"verdict": "{other}", "confidence": 1.0}}'
            for n in description.choices
        ]
        return f"```json\n{{{', '.join(entries)}}}\n```"

    solver = generative_debate(protocol, rounds=1, best_of=len(rulings))
    log, calls = held(solver, log_dir, script=say)
    [record] = records(log)
    return record, values(samples(log)[0], "verdicts"), by_kind(calls, "reward")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rulings", "rewards", "draw"),
    [
        ([(RIGHT, 0.6), (WRONG, 0.9), (RIGHT, 0.9)], [0.2, -0.8, 0.8], 3),
        ([(WRONG, 0.9), (WRONG, 0.55), (WRONG, 1.0)], [-0.8, -0.1, -1.0], 2),
        ([(WRONG, 0.5), (RIGHT, 0.5), (WRONG, 0.6)], [0.0, 0.0, -0.2], 1),  # a tie
        ([(WRONG, 0.7), (RIGHT, 0.7), (RIGHT, 0.7)], [-0.4, 0.4, 0.4], 2),  # a tie
        ([(UNREAD, 0.9), (WRONG, 1.0), (UNREAD, 0.9)], [None, -1.0, None], 2),
        ([(RIGHT, 1.5), (RIGHT, 0.4), (WRONG, 0.9)], [None, None, -0.8], 3),
        ([(RIGHT, '"high"'), (UNREAD, 1.0), (RIGHT, 90)], [None, None, None], 1),
        ([(UNREAD, 0.9), (RIGHT, 0.6)], [None, 0.2], 2),
    ],
)
@pytest.mark.parametrize("protocol", ["dual_debate", "single_debate"])
def test_rewards_are_signed_and_ties_go_to_the_first(
    protocol: GenerativeProtocol,
    rulings: Sequence[Said],
    rewards: Sequence[float | None],
    draw: int,
    tmp_path: Path,
) -> None:
    """Of a proposer its own answer counts, of a critic its stance."""
    record, found, calls = chosen(rulings, protocol, tmp_path)
    drawn = [
        turn
        for turn in record.turns
        if turn.kind in ("speech", "candidate") and turn.participant == "debater_b"
    ]
    told = [turn.field("reward").value for turn in drawn]
    assert told == [
        value if value is None else pytest.approx(value) for value in rewards
    ]
    [speech] = [turn for turn in drawn if turn.kind == "speech"]
    assert speech.draw == draw
    missing = rewards.count(None)
    assert found["rewards_unread"] == missing
    assert found["rewards_unparsed"] == missing
    again = [call for call in calls if description_of(call).reask]
    assert len(again) == missing, "what can be read is not asked for again"


def test_rewards_come_from_their_own_model_where_one_is_bound(tmp_path: Path) -> None:
    task = Task(
        dataset=dataset(solvable()), solver=generative_debate("dual_debate", best_of=2)
    )
    models = {role: scripted(marked, role) for role in ("judge", "reward")}
    debater = scripted(marked, "debater")
    run(task, tmp_path, model=debater, roles=models)
    kinds = {
        str(model): [description_of(call).kind for call in calls_of(model)]
        for model in (debater, *models.values())
    }
    assert kinds["scripted/judge"] == ["verdict"]
    assert kinds["scripted/reward"] == ["reward"] * 8
    assert set(kinds["scripted/debater"]) == {"answer", "candidate"}
    judge = scripted(marked, "judge")
    run(task, tmp_path, model=debater, roles={"judge": judge})
    assert len(by_kind(calls_of(judge), "reward")) == 8


def test_a_panel_needs_one_model_for_rewards(tmp_path: Path) -> None:
    task = Task(
        dataset=dataset(solvable()), solver=generative_debate("dual_debate", best_of=2)
    )
    debater, *judges = (scripted(marked, name) for name in "abc")
    log = run(task, tmp_path, model=debater, roles={"judge": judges}, success=False)
    assert log.error is not None
    assert "reward is not bound, and judge" in log.error.message
    assert "Bind --model-role reward=MODEL" in log.error.message
    assert not calls_of(debater)
