"""A devil's advocate: does an answer survive the best case for another one?

One model answers. Another argues for a different answer, which is drawn; the first
replies; a judge decides between the two. Nothing but this file makes it a protocol of
inspect-debate.
"""

from inspect_debate.debate.engine import parameter, protocol
from inspect_debate.debate.participants import (
    debaters,
    defended_answers,
    judges,
    with_sides,
)
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import Status
from inspect_debate.debate.recording import Debate
from inspect_debate.solvers.question_answering import (
    ANSWER,
    COMPETITIVE,
    STUDY,
    VERDICT,
    OrderSetting,
    Plain,
    first_answers,
    judged,
    speech,
)

# A protocol's own prompts replace those of the suite under the same keys;
# `inspect-debate prompts show choices` prints these with their placeholders.
TEXTS = {
    "competitor_opening": (
        "This is round {round}. One of you gave an answer by itself; "
        "the other was appointed to argue for another one. Make the strongest honest "
        "case for your side. Private thinking first, then the argument."
    )
}


class DevilsAdvocate(Plain):
    """The parameters; a run that reuses a debate has to have the same rounds."""

    rounds: int = parameter(
        1, "Rounds; the advocate speaks first.", shapes="debate", ge=1, strict=True
    )
    order: OrderSetting = parameter(
        "ab", "Which answer and defender a judge is shown first."
    )


@protocol(
    STUDY,
    DevilsAdvocate,
    turns=(ANSWER, COMPETITIVE, VERDICT),
    shares={"answers": "devils_advocate", "debate": "devils_advocate"},
    borrows=("first_answers",),
    until="debate",
    texts=TEXTS,
)
async def devils_advocate(debate: Debate[DevilsAdvocate, Question]) -> None:
    """One model answers, another argues for a drawn alternative, a judge decides.

    Returns:
        A solver; roles `debater_a` (the author), `debater_b` (the advocate), `judge`.
    """
    p, panel = debate.parameters, judges("debater_a")
    if debate.replays("debate"):
        await judged(debate, panel, debate.replay(), p.order)
        return
    author, advocate = debaters()
    for debater in (author, advocate):
        debate.takes_part(debater, ANSWER, COMPETITIVE)
    (answer,) = await first_answers(debate, author)
    if answer.status != Status.OK:
        debate.skip_reason = f"the first answer is {answer.status}"
        await judged(debate, panel, (), p.order)
        return
    own = str(answer.value)
    drawn = set(defended_answers((own, own), debate.question, debate.seed)) - {own}
    sides = (own, drawn.pop())
    author, advocate = with_sides((author, advocate), sides, debate.question)
    debate.know_as(author, advocate)
    for round in range(1, p.rounds + 1):
        await debate.together(speech(debate, COMPETITIVE, advocate, author, round))
        await debate.together(speech(debate, COMPETITIVE, author, advocate, round))
    await judged(debate, panel, (author, advocate), p.order)
