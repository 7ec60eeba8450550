"""Runs of generative debate in which something stays unreadable, and is counted."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from inspect_ai import Task

from inspect_debate.debate.record import DebateRecord
from tests.support.generative_served import (
    CALLS,
    EACH,
    SCORES,
    STAGES,
    TASKS,
    held,
    serving,
    told,
    total,
)
from tests.support.generative_texts import task_of
from tests.support.generative_world import ALICE
from tests.support.runs import metrics, record, samples
from tests.support.wire.faults import When
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer

REFUSAL = "I am sorry, but that is not something I can say."
GIBBERISH = "Well, who knows?"
UNREAD = (
    "(It is not in the form that was asked for, and stands here as it was written.)"
)


REPLIES = {
    "unparsed": Reply(GIBBERISH),
    "refused": Reply(REFUSAL, finish_reason="content_filter"),
    "truncated": Reply("Let me see. The first", finish_reason="length"),
}
"""What stays unreadable, and why."""


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> SCORES:
    """What comes out where everything can be read."""
    with serving() as (server, task):
        return told(held(server, task, tmp_path_factory.mktemp("clean")))


def of_alice(stage: str) -> When:
    """What is asked at a stage, of Alice's model alone where others are asked too."""
    shared = stage in ("answer", "speech")
    return lambda r: STAGES[stage](r) and (r.model == ALICE or not shared)


def saying(
    replies: Iterable[Reply], stage: str, server: WireServer, task: Task
) -> None:
    """Let a server give replies of its own at a stage: one to each of the tasks."""
    pairs = zip([str(sample.input) for sample in task.dataset], replies, strict=False)
    given, brain, when = dict(pairs), server.brain, of_alice(stage)

    def answer(request: ChatRequest) -> Reply:
        own = given.get(task_of(request.prompt)) if when(request) else None
        return own or brain(request)

    server.brain = answer


class Unread(NamedTuple):
    """An item of which one stage stayed unreadable, for a reason each.

    `before` are its values where everything could be read.
    """

    status: str
    value: dict[str, float | None]
    before: dict[str, float | None]
    debate: DebateRecord


def unread(stage: str, clean: SCORES, log_dir: Path) -> tuple[list[Unread], WireServer]:
    """A run in which a stage stays unreadable; every call is counted."""
    with serving() as (server, task):
        saying(REPLIES.values(), stage, server, task)
        log = held(server, task, log_dir)
    scores, debates = told(log), {str(s.id): record(s) for s in samples(log)}
    assert total(scores, "calls") == len(server.requests)
    ids = [str(sample.id) for sample in task.dataset[: len(REPLIES)]]
    (intact,) = {*scores} - {*ids}
    assert scores[intact] == clean[intact]
    return [
        Unread(status, scores[id], clean[id], debates[id])
        for status, id in zip(REPLIES, ids, strict=True)
    ], server


def test_an_answer_that_cannot_be_read_is_wrong_and_shown_as_it_is(
    clean: SCORES, tmp_path: Path
) -> None:
    found, server = unread("answer", clean, tmp_path)
    for status, value, before, debate in found:
        assert value[f"answers_{status}"] == value["grades_unparsed"] == 1
        assert value["calls"] == CALLS + (status == "unparsed")
        assert (value["right_a"], value["parsed_a"], value["endorsed_a"]) == (0, 0, 0)
        assert (value["right_b"], value["parsed_b"]) == (before["right_b"], 1)
        assert value["regime"] == value["right_b"]
        assert (value["verdict_ok"], value["answers_identical"]) == (1, 0)
        assert value["verdict_correct"] == (value["right_b"] == value["endorsed_b"])
        shown = debate.of_kind("answer")[0].public
        assert shown == REPLIES[status].text
        block = f'{UNREAD}\n\n<answer by="Alice">\n{shown}\n</answer>'
        prompts = "".join(request.prompt for request in server.requests)
        headings = ("Your answer:", "The answer of Alice:")
        times = [prompts.count(f"{heading} {block}") for heading in headings]
        own = EACH["speech"] // 2  # Alice's candidates
        assert times == [own, CALLS - EACH["answer"] - own]


def test_speeches_that_are_none_are_counted_and_the_debate_goes_on(
    clean: SCORES, tmp_path: Path
) -> None:
    for status, value, before, _ in unread("speech", clean, tmp_path)[0]:
        if status != "unparsed":  # no text is unreadable as a speech
            assert value[f"speeches_{status}"] == EACH["speech"] / 2
        assert value["calls"] == CALLS
        assert value["verdicts_ok"] == 1
        for name in ("regime", "n_wrong", "n_right", "verdict_ok"):
            assert value[name] == before[name]


def test_without_rewards_the_first_candidate_is_the_speech(
    clean: SCORES, tmp_path: Path
) -> None:
    for status, value, before, debate in unread("reward", clean, tmp_path)[0]:
        assert value[f"rewards_{status}"] == EACH["reward"]
        assert value["calls"] == CALLS + EACH["reward"] * (status == "unparsed")
        assert value["reward_chosen"] is value["reward_mean"] is None
        assert {speech.draw for speech in debate.of_kind("speech")} == {1}
        # The verdict does not hang on which of the candidates is chosen.
        assert value["verdict_correct"] == before["verdict_correct"]


def test_a_verdict_that_cannot_be_read_is_left_out(
    clean: SCORES, tmp_path: Path
) -> None:
    for status, value, before, _ in unread("verdict", clean, tmp_path)[0]:
        assert value[f"verdicts_{status}"] == 1
        assert value["calls"] == CALLS + (status == "unparsed")
        assert (value["verdict_ok"], value["verdict_correct_strict"]) == (0, 0)
        undecided = ("correct", "verdict_correct", "verdict_correct_mean")
        counts = ("fp", "fn", "n_wrong", "n_right", "wrong_round", "right_round")
        for name in (*undecided, *counts, "endorsed_a", "endorsed_b", "verdict_class"):
            assert value[name] is None
        for name in ("regime", "right_a", "right_b"):
            assert value[name] == before[name]


def test_unread_verdicts_are_in_no_rate(clean: SCORES, tmp_path: Path) -> None:
    with serving(best_of=1) as (server, task):
        saying(REPLIES.values(), "verdict", server, task)
        log = held(server, task, tmp_path)
    (kept,) = [value for value in told(log).values() if value["verdict_ok"]]
    found = metrics(log, "verdicts")
    assert found["accuracy"] == kept["verdict_correct"]
    assert found["verdicts_ok"] == 1


def test_a_verdict_on_one_of_two_answers_is_half_a_verdict(
    clean: SCORES, tmp_path: Path
) -> None:
    half = Reply('```json\n{"Alice": {"verdict": "correct", "confidence": 0.9}}\n```')
    sure = '{"verdict": "correct", "confidence": 95}'
    percents = Reply(f'```json\n{{"Alice": {sure}, "Bob": {sure}}}\n```')
    with serving() as (server, task):
        saying([half, percents, half, percents], "verdict", server, task)
        scores = told(held(server, task, tmp_path))
    ids = [str(sample.id) for sample in task.dataset[:TASKS]]
    for id in ids[::2]:
        value = scores[id]
        assert (value["verdicts_unparsed"], value["calls"]) == (1, CALLS + 1)
        assert (value["endorsed_a"], value["endorsed_b"]) == (1, None)
        for name in ("verdict_correct", "verdict_class", "fp", "n_wrong", "n_right"):
            assert value[name] is None
    # A confidence out of range does not touch the verdict.
    for id in ids[1::2]:
        value = scores[id]
        assert (value["verdict_class"], value["confidence_a"]) == (3, None)
        assert (value["calls"], value["fp"]) == (CALLS, value["n_wrong"])


def test_an_answer_counts_that_was_written_before_the_completion_was_cut_off(
    clean: SCORES, tmp_path: Path
) -> None:
    with serving() as (server, task):
        brain, when = server.brain, of_alice("answer")

        def longer(request: ChatRequest) -> Reply:
            reply = brain(request)
            more = replace(reply, text=f"{reply.text}\nSo", finish_reason="length")
            return more if when(request) else reply

        server.brain = longer
        assert told(held(server, task, tmp_path)) == clean
