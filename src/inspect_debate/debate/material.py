"""What a debate is about, as a person reads it: question, options, passage, task."""

from typing import NamedTuple

from inspect_ai.solver import TaskState

from inspect_debate.debate.question import (
    choice_question,
    error_detection_question,
    passage_of,
    text_asked,
)
from inspect_debate.debate.record import DebateRecord

_TITLES = {
    "input": "The task given to the model",
    "response": "The model's response",
    "question": "The question",
    "options": "The options",
    "passage": "The passage",
    "motion": "The motion",
    "task": "The task",
    "proposition_burden": "What the proposition has to show",
    "opposition_burden": "What the opposition has to show",
}
_ONE_TEXT = {"confidence": "motion", "rulings": "task"}
"""What a sample's input is, by how its debates are decided; else it is a question."""


class Part(NamedTuple):
    """A text that a debate is about, by the name under which it can be quoted."""

    name: str
    title: str
    text: str


def material(state: TaskState, record: DebateRecord) -> list[Part]:
    """All that a debate is about, whoever of its participants may read it.

    Args:
        state: The sample.
        record: Its debate.

    Raises:
        InputError: If the sample's input is nothing that can be debated.
    """
    known = state.metadata or {}
    if len(state.choices):
        found = dict(choice_question(state).sources)
    elif "no_error" in record.choices:
        found = dict(error_detection_question(state).sources)
    else:
        found = {_ONE_TEXT.get(record.aggregation, "question"): text_asked(state)}
    if record.parameters.get("passage") != "unused" and (passage := passage_of(state)):
        found["passage"] = passage
    for burden in ("proposition_burden", "opposition_burden"):
        if known.get(burden):
            found[burden] = str(known[burden])
    return [Part(name, _TITLES[name], text) for name, text in found.items()]
