"""What a call makes of replies that are refusals, or no completions, over HTTP."""

from collections.abc import Callable
from typing import Any

import anyio
import pytest

from inspect_debate.debate.calls import Form, Reading, ask
from inspect_debate.debate.record import Parsed, Status, Turn
from tests.support.asking import request
from tests.support.wire.client import wire_model
from tests.support.wire.faults import Kind, first
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer

SPEECH = "The sum is 8, since 3 and 5 are added."
DECLINED = "I'm sorry, but I can't help with that."


def spoken(text: str) -> Reading:
    length = Parsed.ok(float(len(text))) if text else Parsed.unparsed()
    return Reading(text, {"speech": length})


PLAIN = Form(spoken, "speech", lambda: "Write a speech.", speech="speech")


def turn_over(
    brain: Callable[[ChatRequest], Reply], *faults: tuple[Kind, int], **changes: Any
) -> tuple[Turn, WireServer]:
    """A plain speech asked for over HTTP, where the first replies are broken."""
    with WireServer(brain) as server:
        for kind, times in faults:
            server.fault(kind, when=first(times))

        async def asked() -> Turn:
            model = wire_model(server)
            try:
                return await ask(request(model, form=PLAIN, **changes))
            finally:
                await model.api.aclose()

        return anyio.run(asked), server


@pytest.mark.parametrize(
    ("text", "refusal", "status"),
    [
        (SPEECH, None, Status.OK),
        (SPEECH, "", Status.OK),  # some servers send it with every message
        ("", "No.", Status.REFUSED),
        ("", "That would be against the rules of this place.", Status.REFUSED),
        (SPEECH, "No.", Status.REFUSED),
        (DECLINED, None, Status.REFUSED),
        (DECLINED, "", Status.REFUSED),
        ("I cannot agree. " + SPEECH, None, Status.OK),
    ],
)
def test_a_plain_speech_that_was_refused(
    text: str, refusal: str | None, status: Status
) -> None:
    turn, server = turn_over(lambda asked: Reply(text, refusal=refusal))
    assert turn.field("speech").status == status
    assert turn.calls == len(server.requests) == 1


BROKEN: list[Kind] = ["error_object", "no_message", "malformed", "empty_choice"]


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_reply_without_a_completion_is_asked_for_again(
    kind: Kind, times: int
) -> None:
    turn, server = turn_over(lambda asked: Reply(SPEECH), (kind, times))
    assert turn.public == SPEECH
    assert turn.field("speech").status == Status.OK
    assert turn.calls == len(server.requests) == times + 1
    assert server.counts == {kind: times, "answered": 1}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_server_that_never_sends_one_is_named(kind: Kind) -> None:
    with pytest.raises(RuntimeError, match="loopback/m returned no completion"):
        turn_over(lambda asked: Reply(SPEECH), (kind, 100))


def test_broken_replies_of_several_kinds_in_a_row() -> None:
    kinds: list[tuple[Kind, int]] = [("malformed", 1), ("error_object", 2)]
    turn, server = turn_over(lambda asked: Reply(SPEECH), *kinds)
    assert turn.public == SPEECH
    assert turn.calls == len(server.requests) == 3
