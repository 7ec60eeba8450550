"""What a call makes of refusals, of texts cut off, and of reasoning."""

import pytest
from inspect_ai.model import (
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    ModelOutput,
)

from inspect_debate.debate.record import Parsed, Status
from tests.support.asking import asked, output, replies
from tests.support.models import calls_of

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
def test_refusals_and_truncations_are_not_asked_again(
    reply: ModelOutput, required: Status, extra: Status
) -> None:
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
    [
        (output(REFUSAL), Status.REFUSED),
        (output("OK", "max_tokens"), Status.TRUNCATED),
    ],
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
    (
        [ContentReasoning(reasoning="deep"), ContentText(text="OK")],
        "OK",
        "deep",
    ),
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
def test_reasoning_is_kept_apart(
    content: list[Content], public: str, reasoning: str
) -> None:
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
