"""Cross-examination: two debaters question each other before a judge decides.

The idea is that of Barnes and Christiano ("Debate update: Obfuscated arguments
problem", 2020): who can be questioned has to commit to what its claims mean.
"""

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from pathlib import Path

from inspect_debate.debate.engine import Parameters, TurnKind, parameter, protocol
from inspect_debate.debate.participants import (
    Debater,
    judges,
)
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import Turn
from inspect_debate.debate.recording import Debate
from inspect_debate.debate.reuse import Until
from inspect_debate.solvers.asking_judges import (
    ENDS,
    JUDGE_QUESTIONS,
    Asking,
    Ends,
    answering_speech,
    interactive,
    judge_ends,
)
from inspect_debate.solvers.colmad import Sides, check_sides, opposed, rounds_heard
from inspect_debate.solvers.question_answering import (
    ANSWER,
    BELIEF,
    COMPETITIVE,
    STUDY,
    VERDICT,
    OrderSetting,
    beliefs,
    judged,
    speech,
)


class Opposed(Parameters):
    """A debate for two opposite answers, of which first answers are not shown."""

    sides: Sides = parameter(
        "assigned",
        "`assigned`: nobody answers first, and sides are drawn, mirrored in every "
        "second epoch; `free`: both answer first and defend their answers; answers "
        "that agree are debated against another one.",
        shapes="debate",
    )
    order: OrderSetting = parameter(
        "ab", "Which answer and which debater a judge is shown first."
    )
    judge_sees_problem: bool = parameter(
        True, "Whether judges are shown the question.", strict=True
    )

    @property
    def show_openings(self) -> bool:
        """First answers are nobody else's business, as in CopMAD."""
        return False

    @property
    def skip_if_agree(self) -> bool:
        """Answers that agree are debated against another one, as in CopMAD."""
        return False

    def logged(self, protocol: str) -> dict[str, object]:
        """The parameters, and that first answers are not shown."""
        return super().logged(protocol) | {"show_openings": False}

    def check_reuse(self, until: Until) -> None:
        """See `check_sides`."""
        check_sides(self.sides, until)


class CrossExamination(Opposed, Asking):
    """A cross-examination."""

    rounds: int = parameter(
        2,
        "How often each debater questions the other.",
        shapes="debate",
        ge=0,
        strict=True,
    )
    judge_questions: int = JUDGE_QUESTIONS
    ends: Ends = ENDS


def _kind(name: str) -> TurnKind:
    """A kind of turn that is written and read like a competitive speech."""
    return replace(
        COMPETITIVE,
        kind=name,
        prompt=name,
        system="side_system",
        spoken=True,
    )


OPENING, CLOSING = _kind("opening"), _kind("closing")
CROSS_QUESTION, CROSS_ANSWER = _kind("cross_question"), _kind("cross_answer")
SPOKEN = (OPENING, CROSS_QUESTION, CROSS_ANSWER, CLOSING)


@protocol(
    STUDY,
    CrossExamination,
    turns=(ANSWER, *SPOKEN, VERDICT, BELIEF, *interactive(CROSS_ANSWER)),
    shares={"answers": "first_answers", "debate": "cross_examination"},
    until="debate",
    texts=Path(__file__).with_suffix(".yaml"),
)
async def cross_examination(debate: Debate[CrossExamination, Question]) -> None:
    """Both sides open, question each other, answer and close; a judge decides.

    1. Two debaters are given the two answers to defend (as in Michael et al. 2023 and
       Kenton et al. 2024, whose setting this is).
    2. Both open, without having read the other's opening.
    3. In every round each puts one question to the other, at once, and then each
       answers the other's question, at once (cross-examination: Barnes and Christiano
       2020).
    4. Both close, at once.
    5. A judge who has read all of it decides.

    What a judge asks after a round (`judge_questions`) is answered in the next one
    after the other side's question, and a judge who is ready after one (`ends=judge`)
    decides without the rest, closings included.

    Ours are the openings and closings, the number of questions, that both question in
    every round, and the prompts. In the source questions go to a copy of the debater,
    which does not know what was said since the claim that is asked about; here the
    debater itself answers, who has read everything.

    Returns:
        A solver; roles `debater_a`, `debater_b` and `judge`.
    """
    p, panel = debate.parameters, judges("debater_a")
    async with beliefs(debate, panel, p.order) as believe:
        await believe()
        if debate.replays("debate"):
            sides: Sequence[Debater] = debate.replay()
            if openings := opened(debate):
                await believe(0, sides, heard=openings)
            for round in rounds_heard(debate):
                await believe(round, sides)
        elif two := await opposed(debate, panel, *SPOKEN):  # 1
            a, b = sides = two

            def both(kind: TurnKind, round: int) -> Sequence[Awaitable[Turn]]:
                ask = answering_speech if kind is CROSS_ANSWER else speech
                return [ask(debate, kind, *who, round) for who in ((a, b), (b, a))]

            await debate.together(*both(OPENING, 1))  # 2
            await believe(0, sides, heard=opened(debate))
            for round in range(1, p.rounds + 1):  # 3
                await debate.together(*both(CROSS_QUESTION, round))
                await debate.together(*both(CROSS_ANSWER, round))
                await believe(round, sides)
                if await judge_ends(debate, panel, sides, round):
                    break
            else:
                # A round of their own, which judges of reused debates know no sooner.
                await debate.together(*both(CLOSING, p.rounds + 1))  # 4
                await believe(p.rounds + 1, sides)
        else:
            sides = ()
        await judged(debate, panel, sides, p.order)  # 5


def opened(debate: Debate[CrossExamination, Question]) -> list[Turn]:
    """The openings, which have the number of the first round."""
    return [turn for turn in debate.turns if turn.kind == OPENING.kind]
