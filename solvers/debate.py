"""Debate and consultancy before a judge who has not read what the debaters have.

As in Khan et al. (2024, arXiv 2402.06782), sides are drawn, there are three rounds, and
the judge sees which quotes are verified. As in Michael et al. (2023, arXiv 2311.08702),
the characters that a speech may quote are limited.
"""

from functools import partial
from pathlib import Path
from typing import Any, Literal

from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.debate.ask import together
from inspect_debate.debate.errors import Count, InputError, Positive, validated
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.record import Debate
from inspect_debate.debate.roles import participants
from inspect_debate.solvers.colmad import colmad, decide, defended, read_speech
from inspect_debate.solvers.questions import (
    PAPER,
    PROMPTS,
    Asker,
    Order,
    finish,
    question_of,
    with_options,
)

_SPEECHES = Path(__file__).with_name("colmad.yaml")
_CONSULTANT = Path(__file__).with_suffix(".yaml")


@solver
@validated
def debate(
    rounds: int = 3,
    style: Literal["competitive"] = "competitive",
    sides: Literal["assigned"] = "assigned",
    skip_if_agree: bool = False,
    show_openings: bool = False,
    word_limit: int = 100,
    quote_limit: Positive | None = 250,
    **parameters: Any,
) -> Solver:
    """Two debaters argue for an answer each; further parameters are `colmad`'s.

    Args:
        rounds: Rounds of speeches (Khan et al.: 3).
        style: Each tries to convince the judge.
        sides: Who argues for which answer is drawn; in every second epoch they change.
        skip_if_agree: Nobody answers first, so that there is nothing to agree on.
        show_openings: Likewise.
        word_limit: The limit that debaters are told (Khan et al.: 100).
        quote_limit: How many characters a speech may quote (Michael et al.: 250).
        parameters: Of `colmad`, such as `judge_sees_passage`.
    """
    given = dict(locals())
    return colmad(**given.pop("parameters"), **given)


@solver
@validated
def consultancy(
    rounds: Positive = 3,
    order: Order = "ab",
    judge_sees_problem: bool = True,
    judge_sees_passage: bool = False,
    word_limit: Positive = 200,
    quotes: bool = True,
    quote_limit: Positive | None = 500,
    reminders: Count = 1,
    max_tokens: Positive = 4096,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """One consultant argues for an answer that was drawn, and the judge decides.

    In every second epoch it argues for the other answer. It may say twice as much as a
    debater, so that judges read as much (Michael et al. 2023). Roles: `debater_a`, the
    consultant, and `judge` (may be a panel).

    Args:
        rounds: How often the consultant speaks.
        order: Which answer the judge reads first; `both` asks twice.
        judge_sees_problem: The judge reads the question.
        judge_sees_passage: The judge also reads the passage that it is about.
        word_limit: The limit of a speech that the consultant is told.
        quotes: Quotes are asked for, checked and marked.
        quote_limit: How many characters a speech may quote; what goes beyond is cut.
        reminders: How often an unread reply is asked for again.
        max_tokens: The limit of each reply.
        seed: Seed of all draws.
        prompts: A YAML file that replaces some of the prompts.
    """
    prompted = Prompted.of(dict(locals()), PAPER, PROMPTS, _SPEECHES, _CONSULTANT)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question.in_words:
            raise InputError(
                f"a consultant argues for one of two options, and sample "
                f"{state.sample_id!r} has none; use judge_alone or single."
            )
        with prompted.recorded("consultancy") as debate:
            asker = Asker(question, prompted)
            await consult(state, debate, asker)
        return finish(state, debate, question)

    async def consult(state: TaskState, debate: Debate, asker: Asker) -> None:
        question = with_options(debate, asker.question, ())
        consultant = participants("debater_a", name="Consultant")[0]
        sides = defended(state, [*debate.options], [], seed)
        debate.defends = {"debater_a": sides["debater_a"]}
        own, other = map(asker.option, sides.values())
        argued_for = {own["key"]: consultant.name, other["key"]: ""}
        quotable = question.quotable if quotes else ""
        values = asker.values() | {
            "name": consultant.name,
            "own": own,
            "other": other,
            "quotable": quotable,
            "quotes": bool(quotable),
            "quote_limit": quote_limit,
            "judge_sees_problem": judge_sees_problem,
            "judge_sees_passage": judge_sees_passage,
            "word_limit": word_limit,
            "collaborative": False,
            "assigned": False,
        }
        for round in range(1, rounds + 1):
            now = values | {"round": round, "turns": transcript(debate)}
            speech = prompted.ask(
                consultant,
                "speech",
                partial(read_speech, debate, asker),
                now,
                prompt="consultation",
                system="consultant",
                reminder="speech_reminder",
                round=round,
            )
            await together(debate, speech)
        if not any(turn.public for turn in debate.turns):
            debate.skip_reason = "no speech could be read"
            return
        verdicts = asker.verdicts(
            order,
            state.epoch,
            transcript=lambda order: transcript(debate),
            among=argued_for,
            debated=True,
            consulted=consultant.name,
            visible=judge_sees_problem,
            reads_passage=judge_sees_passage,
            quotable=quotable,
        )
        await together(debate, *verdicts)
        debate.answer, debate.skip_reason = decide(debate)

    return solve


def transcript(debate: Debate) -> list[dict[str, Any]]:
    """What the judge, and the consultant itself, read of its speeches."""
    speeches = debate.of("speech")
    return [turn.shown() | {"stage": f"round {turn.round}"} for turn in speeches]
