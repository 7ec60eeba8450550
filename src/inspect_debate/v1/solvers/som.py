"""Society of Minds: models read each other's answers and answer again."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from inspect_debate.v1.debate.calls import Reading
from inspect_debate.v1.debate.engine import TurnKind, parameter, protocol
from inspect_debate.v1.debate.participants import (
    ModelParticipant,
    debaters,
    random_tie_break,
    warn_of_shared_models,
)
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import Turn
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.visibility import VisibleTurn, visible_to_peer
from inspect_debate.v1.solvers.question_answering import (
    ANSWER,
    STUDY,
    Plain,
    as_asked,
    first_answers,
    material,
    read_answer,
)

UPDATE = replace(
    ANSWER, kind="update", prompt="update", asked_for_as="answer", stage=None
)


class SoM(Plain):
    """Society of Minds."""

    rounds: int = parameter(
        1,
        "Rounds of updates after the first answers. Du et al. count the first answers "
        "as a round: their 2 rounds are 1 here.",
        ge=1,
        strict=True,
    )


@protocol(STUDY, SoM, turns=(ANSWER, UPDATE), shares={"answers": "first_answers"})
async def som(debate: Debate[SoM, Question]) -> None:
    """Two models answer and update their answers in rounds (Du et al. 2024).

    There are no sides and no judge. In a round both update at once, each in its own
    conversation, knowing the other's answer of the round before. Where their last
    answers differ a coin decides, as in the ensemble: scores take its expectation.

    Returns:
        A solver; roles `debater_a` and `debater_b`.
    """
    participants = debaters()
    warn_of_shared_models(debate, participants)
    for participant in participants:
        debate.takes_part(participant, ANSWER, UPDATE)
    debate.aggregation = "coin"
    answers = await first_answers(debate, *participants)
    for round in range(1, debate.parameters.rounds + 1):
        updates = await debate.together(
            *(update(debate, s, round) for s in participants)
        )
        answers = [turn.field("answer") for turn in updates]
    debate.drawn = random_tie_break(answers, debate.question, debate.seed)


def update(
    debate: Debate[SoM, Question], participant: ModelParticipant, round: int
) -> Awaitable[Turn]:
    """A participant's answer after it has read those of the others."""
    shown = material(debate)
    return answer_again(
        debate,
        participant,
        as_asked(UPDATE, debate.question),
        round,
        asked=debate.prompts.render(ANSWER.prompt, **shown),
        peer=lambda seen: seen.text or "(no answer)",
        read=partial(read_answer, debate.question, debate.config),
        **shown,
    )


def answer_again(
    debate: Debate[Any, Any],
    participant: ModelParticipant,
    turn: TurnKind,
    round: int,
    *,
    asked: str,
    peer: Callable[[VisibleTurn], Any],
    read: Callable[[str], Reading] | None = None,
    apart: int = 0,
    description: Mapping[str, Any] = MappingProxyType({}),
    **shown: Any,
) -> Awaitable[Turn]:
    """Ask for an answer once more, in the participant's own conversation (Du et al.).

    Every round adds one message, with the others' answers of the round before.

    Args:
        debate: The debate.
        participant: Who answers.
        turn: What it is asked for; its prompt shows `peers`.
        round: The round of updates, from 1.
        asked: The prompt of its first answer.
        peer: An answer of another as the prompt shows it.
        read: As in `Debate.ask`, like `apart` and `description`.
        shown: What the prompt shows beside the others' answers.
    """
    so_far: list[tuple[str, str]] = []
    for before in range(round):
        earlier = [turn for turn in debate.turns if turn.round <= before]
        own = [turn for turn in earlier if turn.participant == participant.id][-1]
        so_far.append((asked, own.public or "(no answer)"))
        peers = [peer(seen) for seen in visible_to_peer(participant.id, earlier)]
        asked = debate.prompts.render(turn.prompt, peers=peers, **shown)
    given = {t.participant: t.field("answer").value for t in earlier}
    before_this = given.pop(participant.id)
    return debate.ask(
        participant,
        turn,
        after=so_far,
        round=round,
        apart=apart,
        read=read,
        description={
            "own_answer": None if before_this is None else str(before_this),
            "shown": tuple(str(answer) for answer in given.values() if answer),
            **description,
        },
        peers=peers,
        **shown,
    )
