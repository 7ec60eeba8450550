"""Roles that are played by an agent, or by a model with tools."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import Any, NamedTuple, cast, get_args

from inspect_ai.agent import Agent, AgentState
from inspect_ai.event import ModelEvent, SpanBeginEvent
from inspect_ai.log import transcript
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import Tool, ToolDef, ToolSource
from inspect_ai.util import (
    Limit,
    apply_limits,
    current_span_id,
    message_limit,
    registry_info,
    token_limit,
)

from inspect_debate.debate.errors import InputError, check_name, check_whole_number
from inspect_debate.debate.record import Role

Tools = Sequence[Tool | ToolDef | ToolSource]
By = Agent | partial[Agent] | Tools

MESSAGES = 50
"""Messages of a turn after its prompt, at most, where no other limit is given."""


class Reply(NamedTuple):
    """The last output of a turn, with the usage of all its calls, and how many."""

    output: ModelOutput
    calls: int


@dataclass(frozen=True)
class Equipped:
    """Who takes the turns of a role, and how long each of them may be.

    Attributes:
        by: Tools of the role's model; an agent, which has a model of its own; or a
            `partial` that makes an agent of the role's model, given as `model`.
        messages: Messages of a turn after its prompt, at most.
        tokens: Tokens of a turn, prompts of all its calls included; None for any.
    """

    by: By
    messages: int = MESSAGES
    tokens: int | None = None

    async def reply(
        self,
        model: Model,
        prompt: list[ChatMessage],
        config: GenerateConfig,
        cache: CachePolicy | bool,
    ) -> Reply:
        """Take a turn: call tools as often as it takes, and then speak.

        A turn that reaches a limit ends like one whose tokens ran out.

        Args:
            model: The role's.
            prompt: What is asked.
            config: The role's settings.
            cache: Whether replies of the role's model are cached.
        """
        with_settings = copy(model)
        with_settings.config = config.merge(GenerateConfig(cache=cache or None))
        state = AgentState(messages=[*prompt])
        limits: list[Limit] = [
            message_limit(len(prompt) + self.messages),
            token_limit(self.tokens),
        ]
        before, own = len(transcript().events), current_span_id()
        with apply_limits(limits, catch_errors=True) as reached:
            state = await self._agent(with_settings)(state)
        made = [event.output for event in _calls(before, own)]
        output = state.output.model_copy()
        if reached.limit_error is not None:
            output = ModelOutput.from_content(str(model), "", stop_reason="max_tokens")
        output.usage = sum((o.usage for o in made if o.usage), ModelUsage())
        output.time = fsum(o.time or 0.0 for o in made)
        return Reply(output, len(made))

    def _agent(self, model: Model) -> Agent:
        if isinstance(self.by, partial):
            return self.by(model=model)
        if not isinstance(self.by, Sequence):
            return self.by
        tools = self.by

        async def execute(state: AgentState) -> AgentState:
            more, state.output = await model.generate_loop(state.messages, tools)
            state.messages += more
            return state

        return cast(Agent, execute)

    def logged(self) -> dict[str, Any]:
        """What a record says of it, beside the settings of generation."""
        if isinstance(self.by, Sequence):
            names = {"tools": [_name(tool) for tool in self.by]}
        else:
            made = self.by.func if isinstance(self.by, partial) else self.by
            names = {"agent": [_name(made)]}
        limits = {"turn_messages": self.messages, "turn_tokens": self.tokens}
        return {**names, **{n: v for n, v in limits.items() if v is not None}}


def _calls(since: int, span: str | None) -> Iterator[ModelEvent]:
    """The calls of models in a span, and in those within it.

    Args:
        since: How many events there were before the first of them.
        span: The span's id.
    """
    within = {span}
    for event in transcript().events[since:]:
        if isinstance(event, SpanBeginEvent) and event.parent_id in within:
            within.add(event.id)
        elif isinstance(event, ModelEvent) and event.span_id in within:
            yield event


def _name(made: object) -> str:
    if isinstance(made, ToolDef):
        return made.name
    try:
        return registry_info(made).name.rpartition("/")[2]
    except ValueError:  # it was not made by a decorator
        return str(getattr(made, "__name__", type(made).__name__))


def _are_tools(by: object) -> bool:
    listed = by if isinstance(by, list | tuple) else [None]
    return all(
        callable(tool) or isinstance(tool, ToolDef | ToolSource) for tool in listed
    )


def take_equipped(rest: MutableMapping[str, Any]) -> dict[Role, Equipped]:
    """Who plays which role, from what a solver was given; it is taken out of it.

    Args:
        rest: With `agents`, by role, and perhaps `agent_messages` and `agent_tokens`.

    Raises:
        InputError: If something else was given.
    """
    agents = rest.pop("agents", None)
    messages = rest.pop("agent_messages", MESSAGES)
    tokens = rest.pop("agent_tokens", None)
    check_whole_number("agent_messages", messages, 1)
    if tokens is not None:
        check_whole_number("agent_tokens", tokens, 1)
    if agents is None:
        return {}
    if not isinstance(agents, Mapping):
        raise InputError(
            f"agents={agents!r} has to be a mapping of roles to agents or tools, which "
            "can be given in Python alone."
        )
    for role, by in agents.items():
        check_name("role of an agent", role, get_args(Role))
        if not callable(by) and not _are_tools(by):
            raise InputError(
                f"agents[{role!r}]={by!r} has to be an agent, a partial that makes one "
                "of a model, or a list of tools."
            )
    return {role: Equipped(by, messages, tokens) for role, by in agents.items()}
