"""A devil's advocate: does an answer survive the best case for another one?

One model answers. Another argues for a different answer, which is drawn, whatever it
thinks itself; the first replies; a judge decides between the two. This file is all that
makes it a protocol of inspect-debate.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.errors import check_whole_number
from inspect_debate.debate.record import DebateRecord, Status
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.sides import defended_answers
from inspect_debate.solvers.asking import Speak, one_by_one
from inspect_debate.solvers.judged_debate import replay
from inspect_debate.solvers.questions import (
    Asker,
    OrderSetting,
    first_answers,
    judged,
    protocol,
)
from inspect_debate.solvers.questions_wording import COMPETITIVE
from inspect_debate.solvers.seats import (
    Seat,
    Speaker,
    debaters,
    judges,
    seated,
    with_sides,
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


@solver
def devils_advocate(
    rounds: int = 1,
    order: OrderSetting = "ab",
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] = "debate",
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> Solver:
    """One model answers, another argues for a drawn alternative, a judge decides.

    Args:
        rounds: Rounds, in each of which the advocate speaks before the author.
        order: Which answer and defender a judge is shown first.
        reuse: A log whose first answers or debates are used again.
        reuse_until: The last stage to use again.
        seed: Seed of the alternative.
        prompts: A file laid over the prompts.
        config: Values of `DebateConfig`.

    Returns:
        A solver; roles `debater_a` (the author), `debater_b` (the advocate), `judge`.
    """
    check_whole_number("rounds", rounds, at_least=1)

    async def hold(
        asker: Asker, debate: Recorder, earlier: DebateRecord | None
    ) -> None:
        bench = judges("debater_a")
        speakers: Sequence[Speaker]
        if earlier is not None and reuse_until == "debate":
            speakers = replay(debate, earlier)
        else:
            speakers = await argue(asker, debate, earlier)
        await judged(asker, debate, bench, speakers, order)

    return protocol(
        "devils_advocate",
        hold,
        parameters={"rounds": rounds, "order": order},
        seed=seed,
        prompts=prompts,
        config=config,
        manner=COMPETITIVE,
        texts=TEXTS,
        reuse=reuse,
        reuse_until=reuse_until,
    )


async def argue(
    asker: Asker, debate: Recorder, earlier: DebateRecord | None
) -> Sequence[Seat]:
    """The author's answer, and the rounds; returns both with their sides."""
    seats = debaters()
    debate.participants = [asker.participant(s, "answer", "speech") for s in seats]
    (answer,) = await first_answers(asker, debate, earlier, seats[:1])
    if answer.status != Status.OK:
        debate.undebated_because = f"the first answer is {answer.status}"
        return ()
    own = str(answer.value)
    drawn = set(defended_answers((own, own), asker.question, asker.seed)) - {own}
    author, advocate = with_sides(seats, (own, drawn.pop()), asker.question)
    debate.participants = seated(debate.participants, (author, advocate))

    def speech(seat: Seat, opponent: Seat, round: int) -> Speak:
        return lambda turns: asker.speech(seat, opponent, round, turns)

    for round in range(1, asker.rounds + 1):
        attack = speech(advocate, author, round)
        reply = speech(author, advocate, round)
        await one_by_one(debate, attack, reply)
    return (author, advocate)
