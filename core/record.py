"""The record of a debate: the only thing that passes from a protocol to a scorer."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from inspect_ai.model import ModelUsage
from inspect_ai.util import StoreModel
from pydantic import BaseModel, ConfigDict, Field

Role = Literal["debater_a", "debater_b", "judge", "reward", "grader"]
"""The five model roles of the suite; each study's page says who they are."""

Kind = Literal["answer", "speech", "verdict"]
"""What a turn is: an answer of one's own, a speech in a round, a judge's verdict."""


class Status(StrEnum):
    """How a field was read from a completion. Counted apart, never folded."""

    OK = "ok"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    MISSING = "missing"


class Frozen(BaseModel):
    """Base of the record's parts: immutable, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


class Parsed(Frozen):
    """A value read from a completion, with how the reading went.

    `value` is set exactly when `status` is `ok`: what was not read never becomes
    a side, a zero or a wrong answer.
    """

    value: str | float | None = None
    status: Status = Status.MISSING

    @classmethod
    def ok(cls, value: str | float) -> "Parsed":
        """A value that was read."""
        return cls(value=value, status=Status.OK)

    @classmethod
    def unparsed(cls) -> "Parsed":
        """A value that was asked for and could not be read."""
        return cls(status=Status.UNPARSED)


class Quote(Frozen):
    """A passage that a speaker marked as quoted.

    `source` names the text it was found in; it is set exactly when `verified`.
    `duplicate` says that the same passage was quoted earlier in the debate.
    """

    text: str
    verified: bool
    empty: bool = False
    duplicate: bool = False
    source: str | None = None
