"""CPU of a ColMAD run over that of a plain Inspect task with the same calls.

    uv run python -m benchmarks.overhead [--items 900] [--repeats 3] [--profile]

Both make the same calls with the same prompts and get the same completions from the
same canned provider; the plain task makes those of a stage together through Inspect's
`collect`, appends them to its messages and has one plain scorer. Runs alternate; the
ratio is of the medians.
"""

import argparse
import cProfile
import pstats
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    get_model,
    modelapi,
)
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import collect

from inspect_debate.core.answer_key import register
from inspect_debate.core.cue import Cue, cue_of
from inspect_debate.core.question import fingerprint
from inspect_debate.models.simulated import Simulated
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.colmad import colmad

Key = tuple[str, str, int]


@dataclass(frozen=True)
class Exchange:
    """A prompt and its completion."""

    messages: list[ChatMessage]
    output: ModelOutput


class Can:
    """What was said once, to be said again without work."""

    def __init__(self) -> None:
        self.said: dict[Key, Exchange] = {}
        # By sample and stage, in the order of the protocol.
        self.stages: dict[str, dict[str, list[Key]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def keep(self, cue: Cue, exchange: Exchange) -> None:
        key = key_of(cue)
        if key not in self.said:
            self.said[key] = exchange
            self.stages[cue.sample][f"{cue.kind} {cue.round}"].append(key)


def key_of(cue: Cue) -> Key:
    return (cue.sample, f"{cue.participant} {cue.kind}", cue.round)


@modelapi(name="canned")
class Canned(ModelAPI):
    """Says what is in the can; fills it from a simulated model at first."""

    def __init__(self, model_name: str, can: Can, **args: Any) -> None:
        super().__init__(model_name)
        self.can = can
        self.speaker = Simulated(model_name)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        cue = cue_of(input)
        assert cue is not None
        known = self.can.said.get(key_of(cue))
        if known is None:
            output = await self.speaker.generate(input, tools, tool_choice, config)
            assert isinstance(output, ModelOutput)
            known = Exchange(list(input), output)
            self.can.keep(cue, known)
        return known.output.model_copy(deep=True)

    def max_connections(self) -> int:
        return 1000


@solver
def plain(can: Can, models: dict[str, Model]) -> Solver:
    """The same calls, stage after stage, kept as Inspect's `generate` keeps them."""

    async def speak(key: Key) -> ModelOutput:
        # New messages, as a task that renders its prompts has them.
        prompt: list[ChatMessage] = [
            type(message)(content=message.text, metadata=message.metadata)
            for message in can.said[key].messages
        ]
        return await models[key[1].split()[0]].generate(prompt)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for keys in can.stages[str(state.sample_id)].values():
            outputs = await collect(*(speak(key) for key in keys))
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


def items(count: int) -> MemoryDataset:
    """Items as long as ReaLMistake's: about 300 words of task, 120 of response."""
    samples = []
    for number in range(count):
        task = f"Task {number}. " + "Check the stated requirement with care. " * 50
        response = f"Response {number}. " + "The stated total is 42 km. " * 24
        label = "error" if number % 3 else "no_error"
        content = fingerprint(task, response)
        register(content, label)
        samples.append(
            Sample(
                id=str(number),
                input=[
                    ChatMessageUser(content=task),
                    ChatMessageAssistant(content=response),
                ],
                target=label,
                metadata={
                    "subset": "math",
                    "response_author": "gpt4",
                    "fingerprint": content,
                    "input_group": content,
                },
            )
        )
    return MemoryDataset(samples)


def run(task: Task, models: dict[str, Model], log_dir: str) -> tuple[float, EvalLog]:
    """CPU seconds of a run, and its log."""
    roles = {"debater_b": models["debater_b"]}
    before = time.process_time()
    (log,) = eval(
        task,
        model=models["debater_a"],
        model_roles=roles,
        display="none",
        log_dir=log_dir,
        log_level="error",
    )
    spent = time.process_time() - before
    assert log.status == "success", log.error
    return spent, log


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=900)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()

    can = Can()
    models = {
        name: get_model(f"canned/{profile}", can=can, memoize=False)
        for name, profile in (("debater_a", "balanced"), ("debater_b", "coin"))
    }
    models["judge"] = models["debater_a"]
    data = items(arguments.items)

    def debated() -> Task:
        scorers = [error_detection(), debate_process()]
        return Task(dataset=data, solver=colmad(), scorer=scorers)

    def bare() -> Task:
        return Task(dataset=data, solver=plain(can, models), scorer=plain_scorer())

    with tempfile.TemporaryDirectory() as log_dir:
        run(debated(), models, log_dir)  # fills the can, and imports what is lazy
        seconds: dict[str, list[float]] = {"colmad": [], "plain": []}
        for _ in range(arguments.repeats):
            for name, task in (("plain", bare()), ("colmad", debated())):
                spent, log = run(task, models, log_dir)
                seconds[name].append(spent)
                print(f"{name:7} {spent:6.2f} s CPU  {log.location[-30:]}")
        if arguments.profile:
            profile = cProfile.Profile()
            profile.runcall(run, debated(), models, log_dir)
            pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
    ratio = median(seconds["colmad"]) / median(seconds["plain"])
    calls = len(can.said)
    print(f"{arguments.items} items, {calls} calls: colmad / plain = {ratio:.2f}")


if __name__ == "__main__":
    main()
