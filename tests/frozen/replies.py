"""What simulated models replied when the frozen values were written.

How a simulated model words a reply may change; what a run asks of models, and makes of
their replies, may not. So in the tests of this folder the simulated models reply as
they did then: `expected/replies.json.gz` holds the 1,081 replies.
"""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from typing import Any

import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.simulator import simulated
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.knowledge_conflict import StatedAnswer
from inspect_debate.simulator.simulated import Reply, play
from tests.frozen.mapping import EXPECTED


def key(behaviour: Behaviour, description: TurnDescription, prompt: str) -> str:
    """A short name of a call: who is asked, in which turn, with which first message."""
    turn = (
        description.seed,
        description.sample,
        description.epoch,
        description.participant,
        description.kind,
        description.round,
    )
    call = [*turn, description.draw, description.reask]
    asked = [behaviour.model_dump(exclude_defaults=True), call, prompt]
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


@contextmanager
def as_before() -> Iterator[None]:
    """Let simulated models reply as they did, while this lasts.

    A call that was not made then gets a reply of today.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulated, "play", _replayed)
        yield


def _replayed(behaviour: Behaviour, description: TurnDescription, prompt: str) -> Reply:
    kept = _replies().get(key(behaviour, description, prompt))
    if kept is None:
        return play(behaviour, description, prompt)
    text, reasoning, stop_reason, stated = kept
    return Reply(text, reasoning, stop_reason, stated and StatedAnswer(*stated))


@cache
def _replies() -> dict[str, Any]:
    packed = (EXPECTED / "replies.json.gz").read_bytes()
    replies: dict[str, Any] = json.loads(gzip.decompress(packed))
    return replies
