"""Questions with options, and participants that know what to answer."""

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, Model
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from inspect_debate.v1.debate.calls import TurnDescription
from tests.v1.support.models import Call, Script, calls_of

TOWNS = ["Paris", "Rome", "Bern", "Oslo"]

Answers = dict[str, dict[str, str]]
"""What each participant answers to a question, found by a word of that question."""

Cast = dict[str, str | Model | Sequence[str | Model]]


def answers(**letters: str) -> Answers:
    """`Mars="ABC"`: debater A answers A, debater B answers B, and the judge C."""
    participants = ("debater_a", "debater_b", "judge")
    return {
        word: dict(zip(participants, reply, strict=False))
        for word, reply in letters.items()
    }


def says(participant: str, known: Answers) -> Script:
    """A participant that finds the question in its prompt and defends its side.

    What it knows as one letter it says on an answer line, and all else as it is.
    """

    def script(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        assert description.participant == participant
        asked = next(message.text for message in messages if message.role == "user")
        (word,) = (word for word in known if word in asked)
        if description.kind == "speech":
            return (
                "<thinking>hm</thinking><argument>I defend it.\n"
                f"Final: {description.defends}\nConf: 0.7</argument>"
            )
        reply = known[word][participant]
        return reply if len(reply) > 1 else f"I thought about it.\nANSWER: {reply}"

    return script


def calls(roles: Cast, role: str, kind: str | None = None) -> list[Call]:
    """The calls that reached a role's model, of one kind of turn or all."""
    model = roles[role]
    assert isinstance(model, Model)
    found = calls_of(model)
    return [
        c
        for c in found
        if kind is None or (c.description and c.description.kind == kind)
    ]


def question(word: str, **fields: Any) -> Sample:
    """Which of four towns: Rome is right by default."""
    asked = {"id": word, "input": word, "choices": TOWNS, "target": "B"}
    return Sample(**asked | fields)


def towns(*items: Sample | str, **settings: Any) -> Task:
    """A multiple-choice task as anybody would write it."""
    made = [question(item) if isinstance(item, str) else item for item in items]
    usual: dict[str, Any] = {"solver": multiple_choice(), "scorer": choice()}
    return Task(dataset=MemoryDataset(made), **usual | settings)


def result(log: EvalLog, metric: str = "accuracy", scorer: str = "choice") -> float:
    """One metric of one of the task's own scorers."""
    assert log.results is not None
    (found,) = [s for s in log.results.scores if s.scorer == scorer]
    return float(found.metrics[metric].value)
