"""A provider that measures how many calls a protocol makes one after the other."""

from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    get_model,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_debate.simulator.simulated import Simulated
from tests.frozen.waiting import others_wait


class Barrier:
    """Releases a generation of calls when nothing else can go on.

    `generations` counts the calls of each; its length is the depth in calls.
    """

    def __init__(self) -> None:
        self.generations: list[int] = []
        self._release: anyio.Event | None = None

    async def arrive(self) -> int:
        """Wait for the release; the number of the call's generation, from 1."""
        if self._release is None:
            self._release = release = anyio.Event()
            self.generations.append(1)
            number = len(self.generations)
            await others_wait()
            self._release = None
            release.set()
        else:
            self.generations[-1] += 1
            number = len(self.generations)
            await self._release.wait()
        return number


@modelapi(name="barrier")
class BarrierAPI(ModelAPI):
    """Speaks like a simulated model, once the barrier lets it."""

    def __init__(self, model_name: str, barrier: Barrier, **args: Any) -> None:
        super().__init__(model_name)
        self.barrier = barrier
        self.speaker = Simulated(model_name, **args)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        await self.barrier.arrive()
        output = await self.speaker.generate(input, tools, tool_choice, config)
        assert isinstance(output, ModelOutput)
        return output

    def max_connections(self) -> int:
        return 1000


def barrier_model(barrier: Barrier, profile: str, **parameters: Any) -> Model:
    """A simulated model behind a barrier."""
    return get_model(f"barrier/{profile}", barrier=barrier, memoize=False, **parameters)
