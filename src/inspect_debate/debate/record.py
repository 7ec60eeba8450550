"""The record of a debate. Scorers, reports and re-judging read nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from inspect_ai.log import EvalSample
from inspect_ai.model import ModelUsage
from inspect_ai.util import store
from pydantic import BaseModel, ConfigDict, Field

from inspect_debate.debate.text import Quote

Status = Literal["ok", "unparsed", "refused", "truncated", "capped", "missing"]
"""How reading a reply went. Only `ok` replies have fields; the rest are counted.

unparsed: not readable, even after a reminder. refused: the model or its provider
declined. truncated: cut off by the token limit or the context window. capped: longer
than we show others, and cut by us. missing: no text at all, or reasoning alone.
"""


class Turn(BaseModel):
    """What one participant said once."""

    model_config = ConfigDict(ser_json_inf_nan="constants")

    speaker: str
    """The name that others read, such as Alice or judge_1."""
    role: str
    """The model role that spoke, such as debater_a."""
    kind: str
    """What was asked for, such as answer, speech or verdict."""
    round: int = 0
    order: str = ""
    """In which order the speaker read the answers, where that was varied."""
    draw: int = 0
    public: str = ""
    """All that others may ever read of it; escaped for their prompts."""
    private: str = ""
    """The replies as they came, reasoning included. For the log alone."""
    fields: dict[str, Any] = Field(default_factory=dict)
    quotes: list[Quote] = Field(default_factory=list)
    status: Status = "missing"
    model: str = ""
    stop_reason: str = ""
    error: str = ""
    """The provider's words where they took the place of a reply."""
    reminded: bool = False
    """Whether the reply was asked for once more."""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    """Of all calls, the reminder's and cached input included."""
    omitted: list[str] = Field(default_factory=list)
    """Settings that the model refused, so that it was asked without them."""
    logprobs: list[float] = Field(default_factory=list)
    """Of the answer's own tokens, where the provider sent them."""
    probabilities: dict[str, float] = Field(default_factory=dict)
    """Of each option at the answer's token, where the provider sent alternatives."""

    def shown(self) -> dict[str, Any]:
        """What others read, for the templates."""
        text = self.public or "(nothing)"
        return {"speaker": self.speaker, "round": self.round, "text": text}


class Debate(BaseModel):
    """A debate as it was held."""

    model_config = ConfigDict(ser_json_inf_nan="constants")

    protocol: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)
    """A hash of each prompt's text."""
    options: dict[str, str] = Field(default_factory=dict)
    """The possible answers, with the text that participants read."""
    turns: list[Turn] = Field(default_factory=list)
    defends: dict[str, str] = Field(default_factory=dict)
    """The answer that each debater's role argues for."""
    grades: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """How each answer was graded, where answers are: `status` and what led to it."""
    answer: str | None = None
    tied: list[str] = Field(default_factory=list)
    """The answers among which a fair draw decides, where the protocol has one."""
    drawn: str | None = None
    """What that draw showed."""
    skip_reason: str = ""
    """Why there was no debate, or no answer."""
    complete: bool = False
    """False where an error or a limit stopped the debate."""

    def of(self, *kinds: str) -> list[Turn]:
        """The turns of some kinds, in the order in which they were recorded."""
        return [turn for turn in self.turns if turn.kind in kinds]

    def probability(self, answer: str) -> float | None:
        """How likely the protocol is to give an answer; None if it gives none."""
        if self.tied:
            return float(answer in self.tied) / len(self.tied)
        return None if self.answer is None else float(self.answer == answer)


KEY = "debate"
"""Where the record is in a sample's store, as JSON.

As one text, of which logs keep one copy: of an object they would write four, value by
value, which costs as much as the debate.
"""


@contextmanager
def recorded(
    protocol: str, parameters: dict[str, Any], prompts: dict[str, str] | None = None
) -> Iterator[Debate]:
    """Hold a debate; it is stored once, at the end, errors and limits included.

    One write instead of one per turn: each write copies the whole record into the log.
    """
    debate = Debate(protocol=protocol, parameters=parameters, prompts=prompts or {})
    try:
        yield debate
        debate.complete = True
    finally:
        store().set(KEY, debate.model_dump_json())


def stored() -> Debate:
    """The record of the sample that is being scored."""
    return Debate.model_validate_json(store().get(KEY, "{}"))


def debate_of(sample: EvalSample) -> Debate | None:
    """The record of a logged sample; None if no protocol of ours ran."""
    found = sample.store.get(KEY)
    return None if found is None else Debate.model_validate_json(found)


def tokens_read(usage: ModelUsage) -> int:
    """Input tokens; Inspect leaves out those that a provider had cached."""
    cached = (usage.input_tokens_cache_read, usage.input_tokens_cache_write)
    return usage.input_tokens + sum(filter(None, cached))
