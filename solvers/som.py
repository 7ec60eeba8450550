"""Society of Minds: models read each other's answers and answer again."""

from inspect_debate.debate.engine import parameter, protocol
from inspect_debate.debate.participants import (
    debaters,
    random_tie_break,
    warn_of_shared_models,
)
from inspect_debate.debate.question import Question
from inspect_debate.debate.recording import Debate
from inspect_debate.solvers.question_answering import (
    ANSWER,
    STUDY,
    UPDATE,
    Plain,
    first_answers,
    update,
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
