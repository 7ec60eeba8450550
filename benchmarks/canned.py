"""Completions that cost nothing, and plain tasks that ask for the same ones."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
from inspect_ai import Task
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

from inspect_debate.debate.calls import TurnDescription, description_of
from inspect_debate.simulator.simulated import Simulated
from tests.support.barrier import Barrier

Together = Callable[..., Awaitable[Sequence[ModelOutput]]]
"""Awaits several calls at once."""


@dataclass(frozen=True)
class Call:
    """A prompt, the settings it was sent with, and its completion as JSON.

    Calls of one stage were under way at once.
    """

    model: str
    messages: list[ChatMessage]
    config: GenerateConfig
    output: str
    stage: int


Asked = tuple[str, tuple[str, ...], int | None]
"""What a server can tell calls apart by: the model, the prompt's texts, the seed."""


class Can:
    """The calls of an earlier run: by what asked for them, and sample by sample."""

    def __init__(self) -> None:
        self.calls: dict[object, Call] = {}
        # Equal requests get equal replies, as from a server.
        self.replies: dict[Asked, str] = {}
        self.samples: dict[tuple[str, int], dict[int, list[Call]]] = {}
        self.barrier = Barrier()

    def add(self, of: TurnDescription, call: Call) -> Call:
        self.calls[_key(of)] = call
        stages = self.samples.setdefault((of.sample, of.epoch), {})
        stages.setdefault(call.stage, []).append(call)
        return call

    @property
    def models(self) -> set[str]:
        """The names of the models."""
        return {call.model for call in self.calls.values()}

    @property
    def depth(self) -> int:
        """The most stages that a sample has."""
        return max(map(len, self.samples.values()))


def _key(of: TurnDescription) -> object:
    return of.sample, of.epoch, of.participant, of.kind, of.round, of.draw, of.reask


@modelapi(name="canned")
class Canned(ModelAPI):
    """Replays a can; in the first run a simulated model fills it."""

    def __init__(self, model_name: str, can: Can, **_: Any) -> None:
        super().__init__(model_name)
        self.can, self.simulated = can, Simulated(model_name)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        of = description_of(input)
        assert of is not None
        call = self.can.calls.get(_key(of))
        if call is None:
            stage = await self.can.barrier.arrive()
            reply = await self.simulated.generate(input, tools, tool_choice, config)
            texts = tuple(message.text for message in input)
            output = self.can.replies.setdefault(
                (self.model_name, texts, config.seed), reply.model_dump_json()
            )
            call = Call(self.model_name, [*input], config, output, stage)
            self.can.add(of, call)
        return ModelOutput.model_validate_json(call.output)

    def max_connections(self) -> int:
        return 1000


def plain_task(
    like: Task, can: Can, model: Callable[[str], Model], together: Together
) -> Task:
    """A task on the same samples that makes the calls of a can, with models by name."""
    return Task(
        dataset=like.dataset,
        epochs=like.epochs,
        solver=plain(can, {n: model(n) for n in can.models}, together),
        scorer=plain_scorer(),
    )


@solver
def plain(can: Can, models: Mapping[str, Model], together: Together) -> Solver:
    """The same calls, stage after stage, with messages as Inspect's `generate` adds."""

    async def replay(call: Call) -> ModelOutput:
        # New messages, as a task that renders its prompts has them.
        prompt: list[ChatMessage] = [
            type(message)(content=message.text, metadata=message.metadata)
            for message in call.messages
        ]
        return await models[call.model].generate(prompt, config=call.config)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for calls in can.samples[str(state.sample_id), state.epoch].values():
            outputs = await together(*map(replay, calls))
            state.messages += [output.message for output in outputs]
            state.output = outputs[-1]
        return state

    return solve


async def in_group(*calls: Awaitable[ModelOutput]) -> list[ModelOutput]:
    """Like `collect`, without its spans."""
    outputs: dict[int, ModelOutput] = {}

    async def run(number: int, call: Awaitable[ModelOutput]) -> None:
        outputs[number] = await call

    async with anyio.create_task_group() as group:
        for number, call in enumerate(calls):
            group.start_soon(run, number, call)
    return [outputs[number] for number in range(len(calls))]


@scorer(metrics=[accuracy(), stderr()])
def plain_scorer() -> Scorer:
    """Whether the last completion names the target."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=float(target.text in state.output.completion))

    return score
