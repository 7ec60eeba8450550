"""The studies whose cost is measured, on made-up items of about their real length."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

from benchmarks.made_data import grids, passages
from inspect_debate.datasets.sources import register_truth
from inspect_debate.debate.seeds import fingerprint
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.colmad import colmad


@dataclass(frozen=True)
class Study:
    """What is run.

    Attributes:
        debated: Makes the task, each time a new one.
        profiles: Simulated profiles by role; `debater_a` plays the roles not named.
    """

    debated: Callable[[], Task]
    profiles: Mapping[str, str] = field(
        default_factory=lambda: {"debater_a": "balanced"}
    )


def colmad_study(items: int, folder: Path) -> Study:
    """Three to six calls an item: two answers and, if they differ, a debate."""
    data = _answers_to_check(items)

    def debated() -> Task:
        scorers = [error_detection(), debate_process()]
        return Task(dataset=data, solver=colmad(), scorer=scorers)

    return Study(debated, {"debater_a": "balanced", "debater_b": "coin"})


def srdcr_study(items: int, folder: Path) -> Study:
    """Twenty calls an item: two answers with log-probabilities, speeches, verdicts.

    The items are pairs of a question, with a right and with a perturbed passage.
    """
    questions = items // 2
    path = passages(questions, folder)
    return Study(partial(srdcr, source=str(path), questions=questions))


def generative_study(items: int, folder: Path) -> Study:
    """35 calls an item: two answers, 16 candidates with their rewards, a verdict.

    One model has both roles; seeds distinguish its requests, also at a server.
    """
    seeds = {kind: {"seed": 1} for kind in ("answer", "speech")}
    source = str(grids(items, folder))
    return Study(partial(generative, source=source, best_of=4, config=seeds))


STUDIES: dict[str, Callable[[int, Path], Study]] = {
    "colmad": colmad_study,
    "srdcr": srdcr_study,
    "generative": generative_study,
}
"""Makes a study by its name: of so many items, with a folder for its files."""


def _answers_to_check(count: int) -> MemoryDataset:
    """Items as long as ReaLMistake's: about 300 words of task, 120 of response."""
    samples = []
    for number in range(count):
        task = f"Task {number}. " + "Check the stated requirement with care. " * 50
        response = f"Response {number}. " + "The stated total is 42 km. " * 24
        label = "error" if number % 3 else "no_error"
        content = fingerprint(task, response)
        register_truth(content, label)
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
