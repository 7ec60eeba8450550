"""Recursive criticism and improvement (RCI; Kim et al. 2023), once."""

from functools import partial

from inspect_debate.debate.engine import Debate, Parameters, TurnKind, protocol
from inspect_debate.debate.outcome import Rule, decides
from inspect_debate.debate.participants import answerer
from inspect_debate.debate.question import PassageQuestion
from inspect_debate.debate.record import DebateRecord
from inspect_debate.solvers.knowledge_conflict import (
    STUDY,
    item,
    last_of,
    read_answer,
)
from inspect_debate.solvers.srdcr import SPEECH_LENGTH, read_text


class Alone(Parameters):
    """A protocol without parameters."""


ANSWER = TurnKind(
    "answer",
    prompt="rci_answer",
    form="short_answer",
    read=read_answer,
    required="answer",
    reminder="answer_reminder",
)
CRITIQUE = TurnKind(
    "critique",
    prompt="rci_critique",
    form="critique",
    read=read_text,
    required=SPEECH_LENGTH,
    reminder="critique_reminder",
    speech=SPEECH_LENGTH,
)
REVISION = TurnKind(
    "update",
    prompt="rci_revision",
    form="short_answer",
    read=read_answer,
    required="answer",
    reminder="answer_reminder",
    asked_for_as="answer",
)


@protocol(STUDY, Alone, turns=(ANSWER, CRITIQUE, REVISION))
async def rci(debate: Debate[Alone, PassageQuestion]) -> None:
    """An answer from the passage, a critique of it in bullet points, and a revision.

    Returns:
        A solver for samples with a `passage` in their metadata; role `debater_a`.
    """
    participant, shown = answerer(), item(debate.question, passage=True)
    debate.takes_part(participant, ANSWER, CRITIQUE, REVISION)
    [answered] = await debate.together(
        debate.ask(participant, ANSWER, description={"passage": True}, **shown)
    )
    value = answered.field("answer").value
    known = {"passage": True, "own_answer": None if value is None else str(value)}
    asked = debate.prompts.render("rci_answer", **shown)
    so_far = [(asked, f"Answer: {answered.public or '(none)'}")]
    [critique] = await debate.together(
        debate.ask(participant, CRITIQUE, after=so_far, description=known)
    )
    asked = debate.prompts.render("rci_critique")
    so_far.append((asked, critique.public or "(nothing)"))
    await debate.together(
        debate.ask(participant, REVISION, after=so_far, description=known)
    )


@decides("srdcr", "rci")
def rules(record: DebateRecord) -> dict[str, Rule]:
    """The answer, and its revision."""
    return {"rci_first": partial(last_of, "answer"), "rci": partial(last_of, "update")}
