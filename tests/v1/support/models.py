"""A provider whose completions a test writes, call by call."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_debate.v1.debate.calls import TurnDescription, description_of

Reply = str | ModelOutput
Messages = list[ChatMessage]
Script = Callable[[Messages, Any], Reply | Awaitable[Reply]]
"""Makes a completion of a prompt and its turn's description.

It may be async (to wait), and may raise. Prompts of others have no description.
"""

USAGE = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
"""What every call costs, unless the script's own output says otherwise."""


@dataclass(frozen=True)
class Call:
    """One call as it reached the provider."""

    model: str
    messages: list[ChatMessage]
    config: GenerateConfig
    description: TurnDescription | None

    @property
    def prompt(self) -> str:
        """The whole text of the prompt, message after message."""
        return "\n\n".join(message.text for message in self.messages)

    @property
    def turn(self) -> TurnDescription:
        """The description of the turn, which a prompt of this suite has."""
        assert self.description is not None
        return self.description


class Scripted(ModelAPI):
    """Answers what its script says, and keeps every call in `calls`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        script: Script = lambda messages, description: "scripted",
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        self.script = script
        self.calls: list[Call] = []

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        description = description_of(input)
        messages = [message.model_copy(deep=True) for message in input]
        self.calls.append(
            Call(self.model_name, messages, config.model_copy(), description)
        )
        given = self.script(input, description)
        reply = await given if isawaitable(given) else given
        if isinstance(reply, str):
            reply = ModelOutput.from_content(self.model_name, reply)
        if reply.usage is None:
            reply.usage = USAGE.model_copy()
        return reply

    async def count_text_tokens(self, text: str) -> int:
        return len(text.split())  # tiktoken would download its table


@modelapi(name="scripted")
def _provider() -> type[ModelAPI]:
    return Scripted


def scripted(
    script: Script = lambda messages, description: "scripted",
    name: str = "x",
    config: GenerateConfig | None = None,
) -> Model:
    """A model of its own (never memoized) that answers what the script says."""
    return get_model(f"scripted/{name}", config=config, memoize=False, script=script)


def calls_of(model: Model) -> list[Call]:
    """The calls that reached a scripted model so far."""
    assert isinstance(model.api, Scripted)
    return model.api.calls
