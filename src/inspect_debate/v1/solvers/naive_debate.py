"""A debate among agents of one model, without sides or judge (Du et al. 2024)."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace

from inspect_debate.v1.debate.answers import short_answer
from inspect_debate.v1.debate.calls import Reading
from inspect_debate.v1.debate.engine import Parameters, TurnKind, parameter, protocol
from inspect_debate.v1.debate.matching import canonical
from inspect_debate.v1.debate.outcome import Outcome, Rule, decides
from inspect_debate.v1.debate.participants import ModelParticipant, answerer
from inspect_debate.v1.debate.question import PassageQuestion
from inspect_debate.v1.debate.record import DebateRecord, Parsed, Status, Turn
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.rendering import as_shown
from inspect_debate.v1.solvers.knowledge_conflict import STUDY, item
from inspect_debate.v1.solvers.som import answer_again


class Agents(Parameters):
    """A debate among agents of one model."""

    agents: int = parameter(3, "How many agents answer.", ge=1, strict=True)
    rounds: int = parameter(
        4,
        "Rounds of updates after the first answers, at most (5 rounds in the paper, "
        "which counts the first answers); it ends when all agree.",
        ge=0,
        strict=True,
    )


def read_explained(text: str) -> Reading:
    """An answer with its reasons, which others may read."""
    return Reading(as_shown(text).strip(), {"answer": short_answer(text)})


ANSWER = TurnKind(
    "answer",
    prompt="agent_answer",
    form="short_answer",
    read=read_explained,
    required="answer",
    reminder="answer_reminder",
)
UPDATE = replace(ANSWER, kind="update", prompt="agent_update", asked_for_as="answer")


@protocol(STUDY, Agents, turns=(ANSWER, UPDATE))
async def naive_debate(debate: Debate[Agents, PassageQuestion]) -> None:
    """Agents answer from the passage, read each other's answers, and answer again.

    It ends when all say the same, or after the last round with the answer of most; a
    tie goes to the agent with the lowest number. As in the paper, all agents are asked
    at temperature 0, so that most of their first answers are the same; the score
    `first_answers_same` tells where they are.

    Returns:
        A solver for samples with a `passage` in their metadata; role `debater_a`.
    """
    p = debate.parameters
    agents = {
        number: replace(answerer(), id=f"debater_a_{number}")
        for number in range(1, p.agents + 1)
    }
    for participant in agents.values():
        debate.takes_part(participant, ANSWER, UPDATE)
    shown = item(debate.question, passage=True)
    last = await debate.together(
        *(
            debate.ask(
                participant, ANSWER, apart=n, description={"passage": True}, **shown
            )
            for n, participant in agents.items()
        )
    )
    for round in range(1, p.rounds + 1):
        if all_agree(last):
            break
        last = await debate.together(
            *(
                update(debate, participant, n, round)
                for n, participant in agents.items()
            )
        )


def update(
    debate: Debate[Agents, PassageQuestion],
    participant: ModelParticipant,
    number: int,
    round: int,
) -> Awaitable[Turn]:
    """An agent's answer after those of the others, in its own conversation."""
    shown = item(debate.question, passage=True)
    return answer_again(
        debate,
        participant,
        UPDATE,
        round,
        asked=debate.prompts.render("agent_answer", **shown),
        peer=lambda seen: {
            "speaker": f"agent {seen.participant.rpartition('_')[2]}",
            "text": seen.text,
        },
        apart=number,
        description={"passage": True},
    )


@decides("srdcr", "naive_debate")
def rules(record: DebateRecord) -> dict[str, Rule]:
    """The answer of most agents at the end."""
    return {
        "naive_debate": lambda record, *_: most_common(
            [turn.field("answer") for turn in record.last_answers()]
        )
    }


def all_agree(turns: Sequence[Turn]) -> bool:
    """Whether all answers could be read and say the same."""
    answers = [turn.field("answer") for turn in turns]
    read = {canonical(str(a.value)) for a in answers if a.status == Status.OK}
    return len(read) == 1 and all(a.status == Status.OK for a in answers)


def most_common(answers: Sequence[Parsed]) -> Outcome:
    """The answer of most of those that could be read, by what they say in any spelling.

    Ties go to the answer of the participant with the lowest number, in whose words it
    is given.
    """
    read = [str(a.value) for a in answers if a.status == Status.OK]
    if not read:
        return Outcome(None, answers[0].status.value if answers else "missing")
    forms = [canonical(answer) for answer in read]
    return Outcome(max(read, key=lambda answer: forms.count(canonical(answer))), "ok")
