"""Debates of an earlier run are judged again, and nobody else is asked."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import generative
from tests.support.generative import description_of, marked
from tests.support.generative_runs import SAMPLE, TASKS, held_on_tasks, who_is_graded
from tests.support.models import calls_of, scripted
from tests.support.runs import records, samples, values


@pytest.fixture(scope="module")
def debates(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    log_dir = tmp_path_factory.mktemp("debates")
    return held_on_tasks(log_dir, protocol="single_debate", best_of=2)


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who was graded."""
    return who_is_graded(monkeypatch)


def test_another_judge_on_the_same_debates(
    debates: EvalLog, graded: list[str], tmp_path: Path
) -> None:
    judge = scripted(marked, "other-judge")
    log = held_on_tasks(
        tmp_path,
        protocol="single_debate",
        best_of=2,
        reuse=debates.location,
        reuse_until="debate",
        roles={"judge": judge},
    )
    assert not graded
    calls = calls_of(judge)
    assert [description_of(call).kind for call in calls] == ["verdict"] * TASKS
    shown = {description_of(call).sample: call.prompt for call in calls}
    before = {record.question: record for record in records(debates)}
    for sample, record in zip(samples(log), records(log), strict=True):
        there = before[record.question]
        prompt = shown[str(sample.id)]
        assert all(turn.public in prompt for turn in there.of_kind("speech"))
        assert not any(turn.public in prompt for turn in there.of_kind("candidate"))
        reused = [t.model_copy(update={"reused": False}) for t in record.turns[:-1]]
        assert tuple(reused) == there.turns[:-1]
        assert all(turn.reused for turn in record.turns[:-1])
        assert values(sample, "verdicts")["calls"] == 1
        # Who scored the candidates is not who judges now.
        assert record.participant("reward") == there.participant("reward")
        assert record.participant("judge").model == "scripted/other-judge"


def test_a_panel_on_the_same_debates(debates: EvalLog, tmp_path: Path) -> None:
    """It needs no model for rewards, which were given."""
    log = held_on_tasks(
        tmp_path,
        protocol="single_debate",
        best_of=2,
        reuse=debates.location,
        reuse_until="debate",
        roles={"judge": ["simulated/perfect", "simulated/coin"]},
        limit=1,
    )
    [record] = records(log)
    assert [t.kind for t in record.turns if not t.reused] == ["verdict"] * 2
    assert record.participant("reward").model == "simulated/balanced"


@pytest.mark.parametrize(
    ("best_of", "changed", "refused"),
    [
        (1, {"debater_style": "honest"}, True),
        (1, {"judge_style": "verifying"}, False),
        # Rewards, by which speeches were chosen, were asked for in the judge's style.
        (2, {"judge_style": "verifying"}, True),
    ],
)
def test_debates_serve_another_style_of_the_judge_alone(
    best_of: int, changed: dict[str, Any], refused: bool, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"protocol": "single_consultancy", "best_of": best_of}
    log = held_on_tasks(tmp_path, **given)
    again: dict[str, Any] = {"reuse": log.location, "reuse_until": "debate", **changed}
    if not refused:
        generative(**SAMPLE, **given, **again)
        return
    [name] = changed
    with pytest.raises(InputError, match=f"{name} is .neutral. there"):
        generative(**SAMPLE, **given, **again)


def test_another_critic_is_refused(debates: EvalLog, tmp_path: Path) -> None:
    log = held_on_tasks(
        tmp_path,
        protocol="single_debate",
        best_of=2,
        reuse=debates.location,
        reuse_until="debate",
        roles={"debater_b": "simulated/perfect"},
        success=False,
    )
    assert log.status == "error"
    assert log.error is not None
    assert "debater_b was simulated/balanced there" in log.error.message


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"best_of": 1}, "best_of is 2 there and 1 here"),
        ({"rounds": 3}, "rounds is 2 there and 3 here"),
        ({"turn_order": "sequential"}, "turn_order is 'simultaneous' there"),
        ({"config.word_limit": 100}, "word_limit is 250 there and 100 here"),
        ({"config.speech.temperature": 0.5}, "speech is"),
        ({"config.reward.temperature": 0.5}, "reward is"),
        ({"protocol": "single_consultancy"}, "ran protocol=single_debate"),
    ],
)
def test_debates_of_another_kind_are_refused(
    debates: EvalLog, asked: dict[str, Any], told: str
) -> None:
    what: dict[str, Any] = {"protocol": "single_debate", "best_of": 2}
    what |= {"reuse": debates.location, "reuse_until": "debate"}
    with pytest.raises(InputError) as caught:
        generative(**(SAMPLE | what | asked))
    assert told in str(caught.value)
