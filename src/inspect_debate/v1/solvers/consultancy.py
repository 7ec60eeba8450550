"""Consultancy: one model argues for an answer, nobody against it; a judge decides."""

from collections.abc import Sequence
from dataclasses import replace

from inspect_debate.v1.debate.engine import Parameters, parameter, protocol
from inspect_debate.v1.debate.participants import (
    Debater,
    answerer,
    assigned_answers,
    judges,
    warn_of_judging_debaters,
)
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import Status
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.reuse import Until
from inspect_debate.v1.solvers.colmad import Sides, check_sides
from inspect_debate.v1.solvers.question_answering import (
    ANSWER,
    CONSULTING,
    STUDY,
    VERDICT,
    OrderSetting,
    first_answers,
    judged,
    speech,
)


class Consultancy(Parameters):
    """A consultancy."""

    rounds: int = parameter(
        2, "How often the consultant speaks.", shapes="debate", ge=1, strict=True
    )
    sides: Sides = parameter(
        "assigned",
        "`assigned`: the answer for which the consultant argues is drawn; `free`: it "
        "answers first and argues for that.",
        shapes="debate",
    )
    order: OrderSetting = parameter(
        "ab", "In which order the answers are listed for the judge."
    )
    judge_sees_problem: bool = parameter(
        True, "Whether the judge is shown the question.", strict=True
    )

    @property
    def show_openings(self) -> bool:
        """A judge who read the first answer would read the consultant's own view."""
        return False

    def logged(self, protocol: str) -> dict[str, object]:
        """The parameters, and that first answers are not shown."""
        return super().logged(protocol) | {"show_openings": False}

    def check_reuse(self, until: Until) -> None:
        """See `check_sides`."""
        check_sides(self.sides, until)


@protocol(
    STUDY,
    Consultancy,
    turns=(ANSWER, CONSULTING, VERDICT),
    shares={"answers": "consultancy", "debate": "consultancy"},
    borrows=("first_answers",),
    until="debate",
)
async def consultancy(debate: Debate[Consultancy, Question]) -> None:
    """One consultant speaks for an answer in every round, then the judge decides.

    The usual baseline of debate (Michael et al. 2023; Khan et al. 2024). Two epochs
    hear a consultant for each of two answers.

    Returns:
        A solver; roles `debater_a` (the consultant) and `judge`.
    """
    p, panel = debate.parameters, judges("debater_a")
    debaters: Sequence[Debater] = ()
    if debate.replays("debate"):
        debaters = debate.replay()
    else:
        warn_of_judging_debaters(debate, [answerer()], panel)
        if (defended := await defended_answer(debate)) is not None:
            consultant = replace(answerer(), defends=defended, called="Consultant")
            debate.know_as(consultant)
            debaters = [consultant]
            for round in range(1, p.rounds + 1):
                await debate.together(
                    speech(debate, CONSULTING, consultant, None, round)
                )
    await judged(debate, panel, debaters, p.order)


async def defended_answer(debate: Debate[Consultancy, Question]) -> str | None:
    """What the consultant is to argue for; None if its own answer cannot be read."""
    participant = answerer()
    if debate.parameters.sides == "assigned":
        debate.takes_part(participant, CONSULTING)
        return assigned_answers(debate.question, debate.seed)[0]
    debate.takes_part(participant, ANSWER, CONSULTING)
    (answer,) = await first_answers(debate, participant)
    if answer.status != Status.OK:
        debate.skip_reason = f"the first answer is {answer.status}"
        return None
    return str(answer.value)
