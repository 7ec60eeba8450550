"""Tasks with grids, and completions of which every part carries a mark."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    Content,
    ContentReasoning,
    ContentText,
    ModelOutput,
)
from inspect_ai.solver import Solver

from inspect_debate.v1.datasets import sources as answer_key
from inspect_debate.v1.datasets.sources import SolutionTruth as Solution
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.seeds import fingerprint
from inspect_debate.v1.scorers.verdicts import verdicts as scorer_of_verdicts
from inspect_debate.v1.solvers.formats import FORMATS
from inspect_debate.v1.solvers.generative_debate import GenerativeProtocol
from tests.v1.support.models import Call, calls_of, scripted
from tests.v1.support.runs import dataset, run

EXAMPLES = """\
Example 1
Input:
1 0 0
Output:
0 0 1

Example 2
Input:
0 2 0
3 0 0
Output:
0 2 0
0 0 3
"""
ONE = f"""{EXAMPLES}
Test input 1:
5 6 0
0 0 7"""
TWO = f"""{ONE}

Test input 2:
8 9"""

# By the number of test inputs: the right answer, and wrong ones.
RIGHT = {1: "0 6 5\n7 0 0", 2: "0 6 5\n7 0 0\n\n9 8"}
WRONG = {1: "0 6 5\n7 0 4", 2: "0 6 5\n7 0 4\n\n9 3"}
WRONG_TOO = {1: "5 6 0\n7 0 3", 2: "5 6 0\n7 0 3\n\n8 4"}
OWN = {1: "7 7\n7 7", 2: "7 7\n7 7\n\n1 1"}

PROTOCOLS: tuple[GenerativeProtocol, ...] = get_args(GenerativeProtocol)
SPOKEN = tuple(name for name in PROTOCOLS if FORMATS[name].spoken)
"""All formats, and those in which somebody speaks."""

ANSWERS = {"debater_a": WRONG, "debater_b": RIGHT}
"""What proposers answer: one is wrong and one right. Judges answer `OWN`."""

BEST = {
    ("debater_a", 1): 3,
    ("debater_a", 2): 1,
    ("debater_b", 1): 4,
    ("debater_b", 2): 2,
}
"""Which candidate has the highest reward, by speaker and round."""

MARK = re.compile(r"(?:SPEECH|REASONS|SOLVING|HIDDEN)-[\w-]+")
"""A mark says what a text is, and whose: SPEECH-debater_a_1, or SPEECH-debater_a_1-d3.

Reasoning before an answer is `SOLVING`; `HIDDEN` is what no other participant may read.
"""


def solvable(
    parts: int = 1, id: str | None = None, target: str | None = None
) -> Sample:
    """A task with one or two test inputs, as the loader makes it."""
    text = ONE if parts == 1 else TWO
    content = fingerprint(text, str(parts))
    wrong = (WRONG[parts], WRONG_TOO[parts], OWN[parts])
    answer_key.register_solution(content, Solution(RIGHT[parts], wrong))
    id = id or f"arcs-mirror{parts}"
    return Sample(
        id=id,
        input=text,
        target=target or RIGHT[parts],
        metadata={
            "dataset": "arc",
            "dataset_version": "sample",
            "split": "sample",
            "question_id": id,
            "answer_kind": "grids",
            "parts": parts,
            "fingerprint": content,
        },
    )


def parts_of(description: TurnDescription) -> int:
    """How many grids the task of a turn description asks for."""
    return 2 if description.question == fingerprint(TWO, "2") else 1


def fenced(answer: str) -> str:
    """Each grid of an answer in a fenced block."""
    return "\n\n".join(f"```\n{grid}\n```" for grid in answer.split("\n\n"))


def marked(
    messages: list[ChatMessage], description: TurnDescription | None
) -> ModelOutput:
    """A completion of which every part tells whose it is, after hidden reasoning.

    Rulings say that all is correct, and that candidates of `BEST` are surely so.
    """
    assert description is not None
    return thinking(
        f"HIDDEN-{description.kind}-{description.participant}",
        reply_to(description),
    )


def thinking(thought: str, text: str) -> ModelOutput:
    """A completion of a reasoning model."""
    content: list[Content] = [
        ContentReasoning(reasoning=thought),
        ContentText(text=text),
    ]
    return ModelOutput.from_content("x", content)


def speakers_of(protocol: str) -> list[str]:
    """Who speaks in a format."""
    proposers, interaction = FORMATS[protocol]
    match interaction:
        case "debate":
            return list(ANSWERS)
        case "consultancy":
            return list(ANSWERS)[:proposers]
        case "critique":
            return ["debater_b"]
    return []


def rounds_of(protocol: str) -> int:
    """In how many rounds there are speeches, where nothing else is asked for."""
    return 1 if protocol == "single_critique" else 2


def reply_to(description: TurnDescription) -> str:
    """The visible text of what `marked` says."""
    match description.format:
        case "solution":
            answer = ANSWERS.get(description.participant, OWN)[parts_of(description)]
            return (
                f"SOLVING-{description.participant} The rule mirrors.\n\n"
                f"{fenced(answer)}"
            )
        case "case":
            mark = speech_mark(
                description.participant, description.round, description.draw
            )
            return f"{mark} I hold to it."
        case "review":
            mark = speech_mark(
                description.participant, description.round, description.draw
            )
            return f"{mark} A cell is off.\n\nStance: DISAGREE"
        case "rulings" | "rulings_first":
            return (
                f"REASONS-{description.participant}\n\n"
                f"{ruled(description.choices, sureness(description))}"
            )
    raise AssertionError(description.format)


def speech_mark(participant: str, round: int, draw: str | int = "") -> str:
    """What marks a speech, or a candidate."""
    return f"SPEECH-{participant}_{round}" + (f"-d{draw}" if draw else "")


def sureness(description: TurnDescription) -> float:
    """How sure a judge is: of candidates, surest of those of `BEST`."""
    if description.kind == "verdict":
        return 0.75
    speaker, draw = description.draw.split()
    return 0.9 if BEST[speaker, description.round] == int(draw) else 0.6


def ruled(names: Sequence[str], confidence: float = 0.75, *verdicts: str) -> str:
    """A judge's object; all are correct where no verdicts are given."""
    given = verdicts or ("correct",) * len(names)
    entries = ", ".join(
        f'"{name}": {{"verdict": "{verdict}", "confidence": {confidence}}}'
        for name, verdict in zip(names, given, strict=True)
    )
    return f"```json\n{{{entries}}}\n```"


def run_tasks(
    solver: Solver,
    log_dir: Path,
    *samples: Sample,
    script: Any = marked,
    **settings: Any,
) -> tuple[EvalLog, list[Call]]:
    """Run a format on hand-made tasks, by default with one test input.

    Returns:
        The log, and every call with its turn description.
    """
    model = scripted(script)
    task = Task(
        dataset=dataset(*(samples or (solvable(),))),
        solver=solver,
        scorer=scorer_of_verdicts(),
    )
    log = run(task, log_dir, model=model, **settings)
    calls = calls_of(model)
    assert all(call.description is not None for call in calls)
    return log, calls


def description_of(call: Call) -> TurnDescription:
    """What was asked by a call."""
    assert call.description is not None
    return call.description


def by_kind(calls: Sequence[Call], kind: str) -> list[Call]:
    """The calls of one kind of turn."""
    return [call for call in calls if description_of(call).kind == kind]
