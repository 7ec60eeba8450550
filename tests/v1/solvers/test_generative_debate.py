"""The best of several candidates, what is asked again, and which samples fit."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessageUser, ModelOutput
from inspect_ai.util import SandboxEnvironmentSpec

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.record import Kind, Turn
from inspect_debate.v1.grading.config import BubblewrapConfig
from inspect_debate.v1.scorers.verdicts import verdicts
from inspect_debate.v1.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.v1.support.code_runs import needs_bubblewrap
from tests.v1.support.code_tasks import ENDLESS, HEAD, answering, right, statuses, wrong
from tests.v1.support.generative import (
    BEST,
    ONE,
    SPOKEN,
    by_kind,
    description_of,
    fenced,
    marked,
    rounds_of,
    ruled,
    run_tasks,
    solvable,
    speakers_of,
    speech_mark,
)
from tests.v1.support.generative import RIGHT as RIGHT_PROGRAMS
from tests.v1.support.models import Call, Messages, calls_of, scripted
from tests.v1.support.runs import (
    dataset,
    error_of,
    record,
    records,
    run,
    samples,
    values,
)

NAMES = {"debater_a": "Alice", "debater_b": "Bob"}


@pytest.mark.parametrize("protocol", SPOKEN)
def test_highest_reward_is_chosen(protocol: GenerativeProtocol, tmp_path: Path) -> None:
    log, _ = run_tasks(generative_debate(protocol, best_of=4), tmp_path)
    [record] = records(log)
    speakers, rounds = speakers_of(protocol), range(1, 1 + rounds_of(protocol))
    spoken = record.of_kind("speech")
    assert [(t.participant, t.round, t.draw) for t in spoken] == [
        (who, round, BEST[who, round]) for round in rounds for who in speakers
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
    assert found["rewards_ok"] == 4 * len(rounds) * len(speakers)


RIGHT, WRONG, UNREAD = "correct", "incorrect", "perhaps"


def test_rewards_come_from_their_own_model_where_one_is_bound(tmp_path: Path) -> None:
    task = Task(
        dataset=dataset(solvable()), solver=generative_debate("dual_debate", best_of=2)
    )
    models = {role: scripted(marked, role) for role in ("judge", "reward")}
    debater = scripted(marked, "debater")
    run(task, tmp_path, debater, models)
    kinds = {
        str(model): [description_of(call).kind for call in calls_of(model)]
        for model in (debater, *models.values())
    }
    assert kinds["scripted/judge"] == ["verdict"]
    assert kinds["scripted/reward"] == ["reward"] * 8
    assert set(kinds["scripted/debater"]) == {"answer", "candidate"}
    judge = scripted(marked, "judge")
    run(task, tmp_path, debater, {"judge": judge})
    assert len(by_kind(calls_of(judge), "reward")) == 8


def test_a_panel_needs_one_model_for_rewards(tmp_path: Path) -> None:
    task = Task(
        dataset=dataset(solvable()), solver=generative_debate("dual_debate", best_of=2)
    )
    debater, *judges = (scripted(marked, name) for name in "abc")
    log = run(task, tmp_path, debater, {"judge": judges}, success=False)
    assert "reward is not bound, and judge" in error_of(log)
    assert "Bind --model-role reward=MODEL" in error_of(log)
    assert not calls_of(debater)


GRID = RIGHT_PROGRAMS[1]


def turn_of(
    kind: Kind,
    reply: Mapping[int, str],
    log_dir: Path,
    protocol: GenerativeProtocol = "single_debate",
) -> tuple[Turn, list[Call]]:
    """The last turn of a kind, by the reply to each attempt; and all calls.

    Of speeches it is debater B's.
    """

    def say(messages: Messages, description: TurnDescription) -> str | ModelOutput:
        if description.kind == kind and (
            kind != "speech" or description.participant == "debater_b"
        ):
            return reply[description.reask]
        return marked(messages, description)

    solver = generative_debate(protocol, rounds=1)
    log, calls = run_tasks(solver, log_dir, script=say)
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


def test_rulings_that_were_read_are_kept(tmp_path: Path) -> None:
    half = '{"Alice": {"verdict": "incorrect", "confidence": 0.9}}'
    other = '{"Bob": {"verdict": "correct", "confidence": 0.7}}'
    reply = {0: half, 1: other}
    turn, _ = turn_of("verdict", reply, tmp_path, "dual_debate")
    logged = {name: field.value for name, field in turn.fields.items()}
    assert turn.calls == 2
    assert logged == {
        "verdict_debater_a": "incorrect",
        "confidence_debater_a": 0.9,
        "verdict_debater_b": "correct",
        "confidence_debater_b": 0.7,
    }


def test_the_last_rulings_count_where_all_are_given_again(tmp_path: Path) -> None:
    half = '{"Alice": {"verdict": "incorrect", "confidence": 0.9}}'
    reply = {0: half, 1: ruled(["Alice", "Bob"], 0.6, "correct", "correct")}
    turn, _ = turn_of("verdict", reply, tmp_path, "dual_debate")
    assert turn.field("verdict_debater_a").value == "correct"
    assert turn.field("confidence_debater_a").value == 0.6


@pytest.mark.parametrize(
    "reply",
    [
        '{"Alice": {"verdict": "correct"}, "Bob": {"verdict": "correct"}}',
        '{"Alice": "correct"}',
        ruled(["Alice"], 5.0),
    ],
)
def test_what_is_not_asked_again(reply: str, tmp_path: Path) -> None:
    turn, _ = turn_of("verdict", {0: reply}, tmp_path)
    assert turn.calls == 1
    assert turn.field("verdict_debater_a").value == "correct"
    assert turn.field("confidence_debater_a").status == "unparsed"


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
def test_closed_blocks_count(text: str, value: str | None, tmp_path: Path) -> None:
    def say(messages: Messages, description: TurnDescription) -> str | ModelOutput:
        if description.kind == "answer":
            return ModelOutput.from_content("x", text, stop_reason="max_tokens")
        return marked(messages, description)

    solver = generative_debate("single_debate", rounds=1)
    log, _ = run_tasks(solver, tmp_path, script=say)
    [record] = records(log)
    [turn] = record.of_kind("answer")
    status = "truncated" if value is None else "ok"
    assert (turn.field("answer").value, turn.field("answer").status) == (value, status)
    assert turn.calls == 1


def changed(change: Callable[[Sample], None], parts: int = 1) -> Sample:
    """A task with something else about it."""
    sample = solvable(parts)
    change(sample)
    return sample


def with_metadata(**metadata: object) -> Sample:
    """A task that says other things of itself; what is None is left out."""

    def change(sample: Sample) -> None:
        merged = {**(sample.metadata or {}), **metadata}
        sample.metadata = {k: v for k, v in merged.items() if v is not None}

    return changed(change)


def with_target(target: str, parts: int = 1) -> Sample:
    """A task with another target."""
    return changed(lambda sample: setattr(sample, "target", target), parts)


@pytest.mark.parametrize(
    "sample",
    [
        with_metadata(parts=None, question_id=None, dataset=None, fingerprint=None),
        with_target(RIGHT_PROGRAMS[1].replace("\n", "\r\n") + "\n"),
        changed(lambda s: setattr(s, "input", [ChatMessageUser(content=ONE)])),
    ],
)
def test_samples_of_other_loaders(sample: Sample, tmp_path: Path) -> None:
    log, calls = run_tasks(generative_debate("dual_no_transcript"), tmp_path, sample)
    assert all(ONE in call.prompt for call in calls)
    [record] = records(log)
    assert [grade.status for grade in record.grades] == ["fail", "pass"]
    assert values(samples(log)[0], "verdicts")["regime"] == 1


TEST = """\
import unittest
class TestCases(unittest.TestCase):
    def test_one(self):
        self.assertEqual(task_func(1), 4)
"""
PARTS: dict[str, Any] = {
    "answer_kind": "code",
    "code_prompt": HEAD,
    "test": TEST,
    "entry_point": "task_func",
}


def asking(**other: Any) -> Sample:
    """A task as its user writes it, with other metadata; None leaves something out."""
    metadata = {name: v for name, v in (PARTS | other).items() if v is not None}
    return Sample(id="mine", input=f"{HEAD}  # add 3", metadata=metadata)


def run_own_task(
    log_dir: Path,
    sandbox: str | SandboxEnvironmentSpec | None,
    *programs: str,
    sample: Sample | None = None,
    success: bool = True,
    **settings: Any,  # of the solver
) -> tuple[EvalLog, list[Call]]:
    """As `inspect eval TASK --solver inspect_debate/generative_debate` does it."""
    model = scripted(answering(*(programs or (right(3), wrong(3)))))
    task = Task(dataset=dataset(sample or asking()), sandbox=sandbox, scorer=verdicts())
    solver = generative_debate("dual_no_transcript", **settings)
    log = run(task, log_dir, model, success=success, solver=solver)
    return log, calls_of(model)


@needs_bubblewrap
def test_a_task_of_one_s_own_is_graded(tmp_path: Path) -> None:
    log, _ = run_own_task(tmp_path, "bubblewrap")
    assert statuses(records(log)) == [["pass", "fail"]]
    [sample] = samples(log)
    assert values(sample, "verdicts")["regime"] == 1
    assert [grade.parts for grade in record(sample).grades] == [1, 1]


@needs_bubblewrap
def test_the_time_is_the_solver_s_and_the_sandbox_the_task_s(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"config": {"grading": {"seconds": 1}}}
    box = SandboxEnvironmentSpec("bubblewrap", BubblewrapConfig(memory_mb=100))
    greedy = f"{HEAD}\n    return len(bytearray(300 << 20)) and n + 3"
    log, _ = run_own_task(tmp_path, box, ENDLESS, greedy, **settings)
    assert statuses(records(log)) == [["timeout", "fail"]]
    assert statuses(records(run_own_task(tmp_path, "bubblewrap", greedy)[0])) == [
        ["pass"] * 2
    ]


def test_without_a_sandbox_no_model_is_asked(tmp_path: Path) -> None:
    log, calls = run_own_task(tmp_path, None, success=False)
    assert not calls
    message = error_of(log)
    for part in ("'mine'", "no sandbox", "--sandbox bubblewrap", "--sandbox docker"):
        assert part in message


def test_a_user_may_allow_it(tmp_path: Path) -> None:
    log, _ = run_own_task(tmp_path, "local", unsafe_local=True)
    assert statuses(records(log)) == [["pass", "fail"]]
