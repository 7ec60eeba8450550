"""A call: what is sent, what is asked again, and what becomes of the reply."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.event import ModelEvent, SpanBeginEvent
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.solver import TaskState
from pydantic import ValidationError

from inspect_debate.debate.calls import TurnDescription, ask, description_of, together
from inspect_debate.debate.record import Parsed, Quote, Status, Turn
from tests.support.asking import REMINDER, asked, output, replies, request, texts_of
from tests.support.made import answer, description, step_task
from tests.support.models import calls_of
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
    assert texts_of(call) == FIRST
    assert call.config.temperature == 0.5
    assert call.description == description(
        "judge_2", kind="speech", format="speech", round=3
    )


def test_what_cannot_be_read_is_asked_once_more_in_the_same_conversation() -> None:
    model = replies("<think>hm</think>what?", "OK")
    turn = asked(model)
    first, again = calls_of(model)
    assert texts_of(first) == FIRST
    assert texts_of(again) == [*FIRST, ("assistant", "what?"), ("user", REMINDER)]
    assert (first.description, again.description) == (
        description(reask=0),
        description(reask=1),
    )
    assert first.config == again.config
    assert turn.field("required") == Parsed.ok("yes")
    assert turn.public == "OK"
    assert turn.superseded == ("<think>hm</think>what?",)
    assert turn.calls == 2


@pytest.mark.parametrize(
    ("max_reasks", "replied", "calls"),
    [(0, ["a"], 1), (1, ["a", "b"], 2), (2, ["a", "b", "c"], 3), (2, ["a", "OK"], 2)],
)
def test_number_of_reasks(max_reasks: int, replied: list[str], calls: int) -> None:
    model = replies(*replied, "OK never asked for")
    turn = asked(model, max_reasks=max_reasks)
    assert turn.calls == len(calls_of(model)) == calls
    assert turn.superseded == tuple(replied[:-1])
    assert turn.public == replied[-1].upper()
    read_at_last = replied[-1] == "OK"
    status = Status.OK if read_at_last else Status.UNPARSED
    assert turn.field("required").status == status
    last = texts_of(calls_of(model)[-1])
    assert last.count(("user", REMINDER)) == calls - 1


def test_an_empty_completion_is_asked_again() -> None:
    model = replies("", "OK")
    assert asked(model).superseded == ("",)
    assert texts_of(calls_of(model)[1])[2] == ("assistant", "(no answer)")


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


def test_an_output_without_a_completion_is_an_error_and_not_asked_again() -> None:
    model = replies(ModelOutput(model="x", error="overloaded"), "OK never asked for")
    sentence = r"^scripted/x returned no completion: overloaded$"
    with pytest.raises(RuntimeError, match=sentence):
        asked(model)
    assert len(calls_of(model)) == 1


REFUSAL = "I'm sorry, but I can't help with that."


@pytest.mark.parametrize(
    ("reply", "required", "extra"),
    [
        (output(REFUSAL), Status.REFUSED, Status.REFUSED),
        # A refusal in words leaves what was read as it is.
        (output(REFUSAL + " MORE"), Status.REFUSED, Status.OK),
        (output(REFUSAL + " OK"), Status.OK, Status.UNPARSED),
        (output("blocked", "content_filter"), Status.REFUSED, Status.REFUSED),
        # Of a text that was cut off nothing counts, whatever stood there.
        (output("OK MORE", "content_filter"), Status.REFUSED, Status.REFUSED),
        (output("what", "max_tokens"), Status.TRUNCATED, Status.TRUNCATED),
        (output("OK MORE", "max_tokens"), Status.TRUNCATED, Status.TRUNCATED),
        (output("OK MORE", "model_length"), Status.TRUNCATED, Status.TRUNCATED),
        (output("<think>so long", "max_tokens"), Status.TRUNCATED, Status.TRUNCATED),
    ],
)
def test_never_asked_again(reply: ModelOutput, required: Status, extra: Status) -> None:
    model = replies(reply, "OK never asked for")
    turn = asked(model)
    assert turn.calls == len(calls_of(model)) == 1
    assert turn.field("required").status == required
    assert turn.field("extra").status == extra
    assert turn.stop_reason == reply.stop_reason
    assert turn.superseded == ()
    for field in turn.fields.values():
        assert (field.value is None) == (field.status != Status.OK)


@pytest.mark.parametrize(
    ("second", "status"),
    [(output(REFUSAL), Status.REFUSED), (output("OK", "max_tokens"), Status.TRUNCATED)],
)
def test_a_reask_can_be_refused_or_cut_off(second: ModelOutput, status: Status) -> None:
    turn = asked(replies("what?", second, "OK"), max_reasks=2)
    assert turn.field("required").status == status
    assert (turn.calls, turn.superseded) == (2, ("what?",))


@pytest.mark.parametrize(
    ("text", "required", "extra"),
    [
        ("OK MORE" + "x" * 93, Status.OK, Status.OK),
        # Of what is longer nothing counts, as of what was cut off.
        ("OK MORE" + "x" * 94, Status.CAPPED, Status.CAPPED),
        ("x" * 101, Status.CAPPED, Status.CAPPED),
        ("x" * 1_000_000, Status.CAPPED, Status.CAPPED),
    ],
)
def test_what_is_too_long_is_cut(text: str, required: Status, extra: Status) -> None:
    model = replies(text, "OK never asked for")
    turn = asked(model, max_characters=100)
    assert turn.public == text[:100].upper()
    assert (turn.field("required").status, turn.field("extra").status) == (
        required,
        extra,
    )
    assert turn.calls == len(calls_of(model)) == 1


def test_what_is_too_long_is_cut_in_what_a_reask_replaced() -> None:
    thinking: list[Content] = [
        ContentReasoning(reasoning="r" * 500),
        ContentText(text="what?"),
    ]
    first = ModelOutput.from_message(ChatMessageAssistant(content=thinking))
    turn = asked(replies(first, "OK" + "y" * 500), max_characters=100)
    assert turn.superseded == ("what?",)
    assert turn.field("required").status == Status.CAPPED
    assert {len(turn.reasoning), len(turn.public)} == {100}


def test_a_refusal_goes_before_the_cap() -> None:
    filtered, cut = output("x" * 500, "content_filter"), output("x" * 500, "max_tokens")
    statuses = [
        asked(replies(reply), max_characters=100).field("required").status
        for reply in (filtered, cut)
    ]
    assert statuses == [Status.REFUSED, Status.CAPPED]


REASONED: list[tuple[list[Content], str, str]] = [
    ([ContentReasoning(reasoning="deep"), ContentText(text="OK")], "OK", "deep"),
    (
        [
            ContentReasoning(reasoning="one"),
            ContentText(text="<think>two</think>OK"),
            ContentReasoning(reasoning="three"),
        ],
        "OK",
        "one\n\nthree\n\ntwo",
    ),
    (
        [
            ContentReasoning(reasoning="cipher", redacted=True, summary="in short"),
            ContentReasoning(reasoning="cipher", redacted=True),
            ContentText(text="OK"),
        ],
        "OK",
        "in short",
    ),
    ([ContentText(text="<think>a</think>OK<think>b")], "OK", "a\nb"),
    ([ContentText(text="hidden</think>OK")], "OK", "hidden"),
]


@pytest.mark.parametrize(("content", "public", "reasoning"), REASONED)
def test_reasoning_apart(content: list[Content], public: str, reasoning: str) -> None:
    message = ChatMessageAssistant(content=content)
    turn = asked(replies(ModelOutput.from_message(message)))
    assert turn.public == public
    assert turn.private == f"private {public}"
    assert turn.reasoning.strip() == reasoning
    assert turn.field("required").status == Status.OK


def test_reasoning_before_a_reask_is_kept() -> None:
    def reply(thought: str, text: str) -> ModelOutput:
        thinking: list[Content] = [ContentReasoning(reasoning=thought)]
        message = ChatMessageAssistant(content=[*thinking, ContentText(text=text)])
        return ModelOutput.from_message(message)

    turn = asked(replies(reply("deep", "what?"), reply("deeper", "OK")))
    assert turn.reasoning == "deep\n\ndeeper"
    assert turn.superseded == ("what?",)


def test_an_answer_within_reasoning_is_no_answer() -> None:
    thinking: list[Content] = [
        ContentReasoning(reasoning="OK"),
        ContentText(text="<think>OK"),
    ]
    message = ChatMessageAssistant(content=thinking)
    turn = asked(replies(ModelOutput.from_message(message), "no"))
    assert turn.calls == 2
    assert turn.field("required") == Parsed.unparsed()


FULL = description(
    kind="verdict",
    format="verdict",
    round=2,
    rounds=3,
    draw="ba",
    defends="error",
    shown=("no_error", "error"),
    reask=1,
)


def user(metadata: dict[str, Any] | None) -> ChatMessage:
    return ChatMessageUser(content="?", metadata=metadata)


@pytest.mark.parametrize("sent", [description(), FULL])
def test_a_cue_comes_back(sent: TurnDescription) -> None:
    assert description_of([user(None), user(sent.attach())]) == sent
    # As the cache and the log see it: JSON.
    assert description_of([user(json.loads(json.dumps(sent.attach())))]) == sent


def test_only_the_last_message_counts() -> None:
    asked: list[ChatMessage] = [user(FULL.attach()), ChatMessageAssistant(content="!")]
    assert description_of(asked) is None


def test_a_malformed_cue_is_an_error() -> None:
    data = description().attach()
    (key,) = data
    with pytest.raises(ValidationError):
        description_of([user({key: data[key] | {"hint": "the label"}})])
    with pytest.raises(ValidationError):
        description_of([user({key: {}})])


async def after(seconds: float, turn: Turn | Exception, log: list[str]) -> Turn:
    try:
        await anyio.sleep(seconds)
    except anyio.get_cancelled_exc_class():
        log.append("cancelled")
        raise
    log.append("done")
    if isinstance(turn, Exception):
        raise turn
    return turn


A, B, C = (answer(f"debater_{id}", role="judge") for id in "abc")


def test_a_call_that_fails_neither_cancels_nor_hides_its_siblings() -> None:
    log: list[str] = []
    broken, late = RuntimeError("down"), ExceptionGroup("two", [ValueError("x")])

    async def main() -> list[Turn | Exception]:
        return await together(
            after(0, broken, log), after(0.02, B, log), after(0.03, late, log)
        )

    assert anyio.run(main) == [broken, B, late]
    assert log == ["done"] * 3


def test_a_cancellation_goes_through() -> None:
    log: list[str] = []

    async def main() -> bool:
        with anyio.move_on_after(0.02) as scope:
            await together(after(60, A, log), after(0, B, log), after(60, C, log))
            log.append("went on")
        return scope.cancelled_caught

    assert anyio.run(main)
    assert sorted(log) == ["cancelled", "cancelled", "done"]
