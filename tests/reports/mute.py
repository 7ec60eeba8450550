"""Simulated models whose every reply to some kinds of turn says nothing readable."""

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

from inspect_debate.debate.calls import description_of
from inspect_debate.simulator.simulated import Simulated

UNREADABLE = "?"


class Mute(Simulated):
    """Plays its profile, but for turns of some kinds: every attempt at those fails."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        kinds: tuple[str, ...] = (),
        **parameters: Any,
    ) -> None:
        given = config or GenerateConfig()
        super().__init__(model_name, base_url, api_key, given, **parameters)
        self.kinds = kinds

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        description = description_of(input)
        if description is None or description.kind not in self.kinds:
            return await super().generate(input, tools, tool_choice, config)
        output = ModelOutput.from_content(self.model_name, UNREADABLE)
        output.usage = ModelUsage(input_tokens=10, output_tokens=1, total_tokens=11)
        return output


@modelapi(name="mute")
def _provider() -> type[ModelAPI]:
    return Mute


def mute(*kinds: str, profile: str = "balanced") -> Model:
    """A model that plays a profile, but says nothing readable in some kinds of turn."""
    return get_model(f"mute/{profile}", memoize=False, kinds=kinds)
