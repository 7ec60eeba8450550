"""Completions that cost nothing, and the plain task that asks for the same ones."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    modelapi,
)
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import collect

from inspect_debate.debate.calls import TurnDescription, description_of
from inspect_debate.simulator.simulated import Simulated

Key = tuple[str, str, str, int, str]
"""A call: sample, participant, kind of turn, round, draw."""


@dataclass(frozen=True)
class Exchange:
    """A prompt, the settings it was sent with, and its completion."""

    messages: list[ChatMessage]
    config: GenerateConfig
    output: ModelOutput


class Can:
    """Completions of an earlier run, to be replayed at no cost."""

    def __init__(self) -> None:
        self.exchanges: dict[Key, Exchange] = {}
        # By model, prompt and seed: equal requests get equal replies, as from a server.
        self.outputs: dict[tuple[str, str, int | None], ModelOutput] = {}
        # By sample and stage, in the order of the protocol.
        self.stages: dict[str, dict[tuple[str, int], list[Key]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def add(self, description: TurnDescription, exchange: Exchange) -> None:
        key = key_of(description)
        if key not in self.exchanges:
            self.exchanges[key] = exchange
            self.stages[description.sample][description.kind, description.round].append(
                key
            )


def key_of(description: TurnDescription) -> Key:
    return (
        description.sample,
        description.participant,
        description.kind,
        description.round,
        description.draw,
    )


@modelapi(name="canned")
class Canned(ModelAPI):
    """Replays a can; in the first run a simulated model fills it."""

    def __init__(self, model_name: str, can: Can, **args: Any) -> None:
        super().__init__(model_name)
        self.can = can
        self.simulated = Simulated(model_name)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        description = description_of(input)
        assert description is not None
        exchange = self.can.exchanges.get(key_of(description))
        if exchange is None:
            reply = await self.simulated.generate(input, tools, tool_choice, config)
            prompt = "\n\n".join(message.text for message in input)
            asked = (self.model_name, prompt, config.seed)
            output = self.can.outputs.setdefault(asked, reply)
            exchange = Exchange(list(input), config, output)
            self.can.add(description, exchange)
        return exchange.output.model_copy(deep=True)

    def max_connections(self) -> int:
        return 1000


@solver
def plain(can: Can, models: Mapping[str, Model]) -> Solver:
    """The same calls, stage after stage, with messages as Inspect's `generate` adds.

    Args:
        can: The calls.
        models: By participant; that of `debater_a` for those who have none.
    """

    async def replay(key: Key) -> ModelOutput:
        # New messages, as a task that renders its prompts has them.
        prompt: list[ChatMessage] = [
            type(message)(content=message.text, metadata=message.metadata)
            for message in can.exchanges[key].messages
        ]
        model = models.get(key[1], models["debater_a"])
        return await model.generate(prompt, config=can.exchanges[key].config)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for keys in can.stages[str(state.sample_id)].values():
            outputs = await collect(*(replay(key) for key in keys))
            state.messages += [output.message for output in outputs]
            state.output = outputs[-1]
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def plain_scorer() -> Scorer:
    """Whether the last completion names the target."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=float(target.text in state.output.completion))

    return score
