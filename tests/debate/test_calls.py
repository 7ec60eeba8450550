from pathlib import Path

import pytest
from inspect_ai.event import ModelEvent, SpanBeginEvent
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.solver import TaskState

from inspect_debate.debate.calls import ask
from inspect_debate.debate.record import Parsed, Quote, Status, Turn
from tests.support.asking import REMINDER, asked, output, replies, request, said
from tests.support.made import description, step_task
from tests.support.models import calls_of, scripted
from tests.support.runs import run, samples

FIRST = [("system", "sys"), ("user", "Q")]


def test_a_turn_that_is_read_at_once() -> None:
    model = replies(output("OK MORE"))
    turn = asked(
        model,
        role="judge",
        description=description("judge_2", kind="speech", format="speech", round=3),
        order="ba",
        listed_first="no_error",
        shown_first="debater_b",
    )
    assert turn == Turn(
        participant="judge_2",
        role="judge",
        kind="speech",
        round=3,
        model="scripted/x",
        served="served-x",
        public="OK MORE",
        private="private OK MORE",
        reasoning="",
        fields={
            "required": Parsed.ok("yes"),
            "extra": Parsed.ok(1.0),
            "unasked": Parsed(),
        },
        quotes=(Quote(text="OK MORE", verified=False),),
        order="ba",
        listed_first="no_error",
        shown_first="debater_b",
        superseded=(),
        stop_reason="stop",
        usage=ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15),
        seconds=turn.seconds,
        calls=1,
        reused=False,
    )
    (call,) = calls_of(model)
    assert said(call) == FIRST
    assert call.config.temperature == 0.5
    assert call.description == description(
        "judge_2", kind="speech", format="speech", round=3
    )


def test_what_cannot_be_read_is_asked_once_more_in_the_same_conversation() -> None:
    model = replies("<think>hm</think>what?", "OK")
    turn = asked(model)
    first, again = calls_of(model)
    assert said(first) == FIRST
    assert said(again) == [*FIRST, ("assistant", "what?"), ("user", REMINDER)]
    assert (first.description, again.description) == (
        description(reask=0),
        description(reask=1),
    )
    assert first.config == again.config
    assert turn.field("required") == Parsed.ok("yes")
    assert turn.public == "OK"
    assert turn.superseded == ("<think>hm</think>what?",)
    assert turn.calls == 2


def test_only_the_required_field_is_asked_for_again() -> None:
    model = replies("OK")
    turn = asked(model)
    assert turn.field("extra") == Parsed.unparsed()
    assert turn.calls == len(calls_of(model)) == 1


@pytest.mark.parametrize(
    ("max_reasks", "replied", "calls"),
    [
        (0, ["a"], 1),
        (1, ["a", "b"], 2),
        (2, ["a", "b", "c"], 3),
        (2, ["a", "OK"], 2),
    ],
)
def test_how_often_it_is_asked_again(
    max_reasks: int, replied: list[str], calls: int
) -> None:
    model = replies(*replied, "OK never asked for")
    turn = asked(model, max_reasks=max_reasks)
    assert turn.calls == len(calls_of(model)) == calls
    assert turn.superseded == tuple(replied[:-1])
    assert turn.public == replied[-1].upper()
    read_at_last = replied[-1] == "OK"
    status = Status.OK if read_at_last else Status.UNPARSED
    assert turn.field("required").status == status
    last = said(calls_of(model)[-1])
    assert last.count(("user", REMINDER)) == calls - 1


def test_an_empty_completion_is_asked_again_with_something_said() -> None:
    model = replies("", "OK")
    assert asked(model).superseded == ("",)
    assert said(calls_of(model)[1])[2] == ("assistant", "(no answer)")


def test_usage_is_summed_over_the_calls_of_a_turn() -> None:
    first = ModelUsage(
        input_tokens=1, output_tokens=2, total_tokens=3, reasoning_tokens=2
    )
    second = ModelUsage(
        input_tokens=10, output_tokens=20, total_tokens=30, input_tokens_cache_read=4
    )
    turn = asked(replies(output("what?", usage=first), output("OK", usage=second)))
    assert turn.usage == ModelUsage(
        input_tokens=11,
        output_tokens=22,
        total_tokens=33,
        reasoning_tokens=2,
        input_tokens_cache_read=4,
    )


def test_seconds_and_spans_and_cues_as_the_log_has_them(tmp_path: Path) -> None:
    turns: list[Turn] = []
    model = replies("what?", "OK")

    async def step(_: TaskState) -> None:
        speaking = description(kind="speech", format="speech", round=2)
        turns.append(await ask(request(model, description=speaking, order="ba")))

    (sample,) = samples(run(step_task(step), tmp_path, "scripted/main"))
    calls = [event for event in sample.events if isinstance(event, ModelEvent)]
    spans = [
        (event.name, event.type)
        for event in sample.events
        if isinstance(event, SpanBeginEvent) and event.type == "speech"
    ]
    assert spans == [("Round 2, debater A (second answer shown first)", "speech")], (
        "one span for both calls"
    )
    times = [event.output.time or 0 for event in calls]
    assert len(times) == 2
    assert turns[0].seconds == pytest.approx(sum(times))


def test_a_providers_error_is_no_answer() -> None:
    def fail(messages: list[ChatMessage], description: object) -> str:
        raise RuntimeError("down")

    with pytest.raises(RuntimeError, match="down"):
        asked(scripted(fail))


def test_an_output_without_a_completion_is_an_error_and_not_asked_again() -> None:
    model = replies(ModelOutput(model="x", error="overloaded"), "OK never asked for")
    sentence = r"^scripted/x returned no completion: overloaded$"
    with pytest.raises(RuntimeError, match=sentence):
        asked(model)
    assert len(calls_of(model)) == 1


def test_the_callers_messages_are_left_alone() -> None:
    messages = [ChatMessageUser(content="Q", metadata={"own": 1})]
    asked(replies("what?", "OK"), messages=messages)
    assert messages == [
        ChatMessageUser(id=messages[0].id, content="Q", metadata={"own": 1})
    ]
