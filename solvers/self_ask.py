"""Self-Ask: a question to oneself before the answer (Press et al. 2023)."""

from functools import partial

from inspect_debate.debate.answers import line_after, short_answer
from inspect_debate.debate.calls import Reading
from inspect_debate.debate.engine import Debate, Parameters, TurnKind, protocol
from inspect_debate.debate.outcome import Rule, decides
from inspect_debate.debate.participants import answerer
from inspect_debate.debate.question import PassageQuestion
from inspect_debate.debate.record import DebateRecord, Parsed
from inspect_debate.debate.rendering import as_shown
from inspect_debate.solvers.knowledge_conflict import STUDY, item, last_of

_LINES = {"sub_question": "Sub-question", "sub_answer": "Sub-answer"}


class Alone(Parameters):
    """A protocol without parameters."""


def read_lines(text: str) -> Reading:
    """A question asked of oneself, its answer, and the final answer."""
    lines = {field: line_after(text, label) for field, label in _LINES.items()}
    fields = {
        field: Parsed.unparsed() if line is None else Parsed.ok(line)
        for field, line in lines.items()
    }
    return Reading(as_shown(text).strip(), {**fields, "answer": short_answer(text)})


ANSWER = TurnKind(
    "answer",
    prompt="self_ask",
    form="self_ask",
    read=read_lines,
    required="answer",
    reminder="self_ask_reminder",
)


@protocol(STUDY, Alone, turns=(ANSWER,))
async def self_ask(debate: Debate[Alone, PassageQuestion]) -> None:
    """One completion of three lines: a sub-question, its answer, the final answer.

    Returns:
        A solver for samples with a `passage` in their metadata; role `debater_a`.
    """
    participant = answerer()
    debate.takes_part(participant, ANSWER)
    shown = item(debate.question, passage=True)
    await debate.together(
        debate.ask(participant, ANSWER, description={"passage": True}, **shown)
    )


@decides("srdcr", "self_ask")
def rules(record: DebateRecord) -> dict[str, Rule]:
    """Its answer."""
    return {"self_ask": partial(last_of, "answer")}
