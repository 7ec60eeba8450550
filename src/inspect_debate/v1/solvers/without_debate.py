"""Baselines of SR-DCR without a debate: rules for two answers, Self-Ask, and RCI."""

from functools import partial

from inspect_debate.v1.debate.answers import line_after, short_answer
from inspect_debate.v1.debate.calls import SPEECH_LENGTH, Reading, read_text
from inspect_debate.v1.debate.engine import Parameters, TurnKind, protocol
from inspect_debate.v1.debate.outcome import Rule, decides
from inspect_debate.v1.debate.participants import answerer
from inspect_debate.v1.debate.question import PassageQuestion
from inspect_debate.v1.debate.record import DebateRecord, Parsed
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.rendering import as_shown
from inspect_debate.v1.solvers.knowledge_conflict import (
    ANSWER,
    RECALL,
    SAMPLE,
    STUDY,
    Answered,
    answer_rules,
    defender_and_critic,
    in_place_of_tokens,
    item,
    last_of,
    read_answer,
    two_answers,
)

# Two answers, and a rule to choose between them.


RULES = (
    *("few_shot", "golden", "token_prob", "calibrated_token_prob"),
    "confidence_only",
)
"""The rules, which the protocol below explains."""


@protocol(
    STUDY,
    Answered,
    *RULES,
    turns=(ANSWER, SAMPLE, RECALL),
    shares={"answers": "two_answers"},
)
async def passage_or_memory(debate: Debate[Answered, PassageQuestion]) -> None:
    """Two answers to a question, from memory and from the passage; a rule takes one.

    All rules ask the same, and one run holds the results of all of them. `protocol` is
    the rule: `few_shot`, the answer from the passage; `golden`, that from the passage
    where it is right, else that from memory; `token_prob`, the more probable one;
    `calibrated_token_prob`, that of higher rank in probability among its kind;
    `confidence_only`, that from memory where the model is confident of it, else that
    from the passage.

    Returns:
        A solver for samples with a `passage` in their metadata; roles `debater_a`
        (from the passage) and `debater_b` (from memory; else the same model).
    """
    participants = defender_and_critic()
    await two_answers(debate, participants)
    await debate.together(*in_place_of_tokens(debate, participants))


decides("srdcr", *RULES)(answer_rules)


# Self-Ask: a question to oneself before the answer (Press et al. 2023).


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


SELF_ASK = TurnKind(
    "answer",
    prompt="self_ask",
    form="self_ask",
    read=read_lines,
    required="answer",
    reminder="self_ask_reminder",
)


@protocol(STUDY, Alone, turns=(SELF_ASK,))
async def self_ask(debate: Debate[Alone, PassageQuestion]) -> None:
    """One completion of three lines: a sub-question, its answer, the final answer.

    Returns:
        A solver for samples with a `passage` in their metadata; role `debater_a`.
    """
    participant = answerer()
    debate.takes_part(participant, SELF_ASK)
    shown = item(debate.question, passage=True)
    await debate.together(
        debate.ask(participant, SELF_ASK, description={"passage": True}, **shown)
    )


@decides("srdcr", "self_ask")
def self_ask_rules(record: DebateRecord) -> dict[str, Rule]:
    """Its answer."""
    return {"self_ask": partial(last_of, "answer")}


# Recursive criticism and improvement (RCI; Kim et al. 2023), once.


RCI_ANSWER = TurnKind(
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


@protocol(STUDY, Alone, turns=(RCI_ANSWER, CRITIQUE, REVISION))
async def rci(debate: Debate[Alone, PassageQuestion]) -> None:
    """An answer from the passage, a critique of it in bullet points, and a revision.

    Returns:
        A solver for samples with a `passage` in their metadata; role `debater_a`.
    """
    participant, shown = answerer(), item(debate.question, passage=True)
    debate.takes_part(participant, RCI_ANSWER, CRITIQUE, REVISION)
    [answered] = await debate.together(
        debate.ask(participant, RCI_ANSWER, description={"passage": True}, **shown)
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
def rci_rules(record: DebateRecord) -> dict[str, Rule]:
    """The answer, and its revision."""
    return {"rci_first": partial(last_of, "answer"), "rci": partial(last_of, "update")}
