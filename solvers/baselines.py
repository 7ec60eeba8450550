"""Baselines without a debate: one answer, several, and the judge alone."""

from collections.abc import Awaitable, Callable
from typing import Any

from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.debate.ask import together
from inspect_debate.debate.errors import Count, InputError, Positive, validated
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.roles import Participant, participants
from inspect_debate.solvers.colmad import decide
from inspect_debate.solvers.questions import (
    PAPER,
    PROMPTS,
    Asker,
    Order,
    Parser,
    finish,
    majority,
    question_of,
    with_options,
)

A, B = "debater_a", "debater_b"


@solver
@validated
def single(
    parser: Parser = "last_sentence",
    reminders: Count = 1,
    max_tokens: Positive = 4096,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """One model answers alone. Role: `debater_a`."""
    parameters = dict(locals())

    async def steps(debate: Debate, asker: Asker, who: list[Participant]) -> list[Turn]:
        return await together(debate, asker.answer(who[0]))

    return _answering("single", parameters, (A,), steps)


@solver
@validated
def ensemble(
    parser: Parser = "last_sentence",
    reminders: Count = 1,
    max_tokens: Positive = 4096,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """Two models answer alone; where they differ, a fair draw decides.

    Scores are expectations over the draw; the record also has what it showed. Roles:
    `debater_a`, `debater_b`.
    """
    parameters = dict(locals())

    async def steps(debate: Debate, asker: Asker, who: list[Participant]) -> list[Turn]:
        return await together(debate, *map(asker.answer, who))

    return _answering("ensemble", parameters, (A, B), steps)


@solver
@validated
def self_consistency(
    n: Positive = 7,
    temperature: float = 0.7,
    parser: Parser = "last_sentence",
    reminders: Count = 1,
    max_tokens: Positive = 4096,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """One model answers n times, and the majority counts. Role: `debater_a`.

    Further parameters are those of `colmad`.

    Args:
        n: How many answers; 7 is what ColMAD asks for on an item with a debate.
        temperature: At 0 all answers would be alike.
        seed: Seed of the draw between tied answers.
    """
    parameters = dict(locals())
    if temperature <= 0 and n > 1:
        raise InputError(
            f"temperature={temperature} would draw one answer {n} times; give one "
            "above 0."
        )

    async def steps(debate: Debate, asker: Asker, who: list[Participant]) -> list[Turn]:
        draws = (asker.answer(who[0], draw=draw) for draw in range(n))
        return await together(debate, *draws)

    return _answering("self_consistency", parameters, (A,), steps)


@solver
@validated
def som(
    rounds: Positive = 2,
    parser: Parser = "last_sentence",
    reminders: Count = 1,
    max_tokens: Positive = 4096,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """Society of Minds (Du et al., arXiv 2305.14325): two models update their answers.

    Each reads the other's answer of the round before, in a chat of its own. Where the
    last answers differ, a fair draw decides, as in `ensemble`. Roles: `debater_a`,
    `debater_b`. Further parameters are those of `colmad`.

    Args:
        rounds: Rounds of answers, the first one included.
        seed: Seed of the draw between tied answers.
    """
    parameters = dict(locals())

    async def steps(debate: Debate, asker: Asker, who: list[Participant]) -> list[Turn]:
        chats = [[turn] for turn in await together(debate, *map(asker.answer, who))]
        for _ in range(1, rounds):
            a, b = chats
            calls = asker.update(who[0], a, [b]), asker.update(who[1], b, [a])
            for chat, turn in zip(chats, await together(debate, *calls), strict=True):
                chat.append(turn)
        return [chat[-1] for chat in chats]

    return _answering("som", parameters, (A, B), steps)


@solver
@validated
def judge_alone(
    order: Order = "ab",
    judge_sees_passage: bool = False,
    reminders: Count = 1,
    max_tokens: Positive = 4096,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """The judge decides on the item, without a debate. Role: `judge` (may be a panel).

    Further parameters are those of `colmad`.

    Args:
        order: Which answer the judge reads first; `both` asks twice.
        judge_sees_passage: The judge reads the passage that a question is about.
        seed: Unused, as nothing is drawn; accepted in all protocols.
    """
    prompted = Prompted.of(dict(locals()), PAPER, PROMPTS)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with prompted.recorded("judge_alone") as debate:
            asker = Asker(question_of(state), prompted, judge_sees_passage)
            if asker.question.in_words:
                judges = participants("judge", fallback=A)
                calls = [asker.answer(judge, kind="verdict") for judge in judges]
                turns = await together(debate, *calls)
                asker.question = with_options(debate, asker.question, turns)
            else:
                asker.question = with_options(debate, asker.question, ())
                await together(debate, *asker.verdicts(order, state.epoch))
            debate.answer, debate.skip_reason = decide(debate)
        return finish(state, debate, asker.question)

    return solve


Steps = Callable[[Debate, Asker, list[Participant]], Awaitable[list[Turn]]]


def _answering(
    name: str, parameters: dict[str, Any], roles: tuple[str, ...], steps: Steps
) -> Solver:
    """A protocol of answers, of which the last ones vote.

    Where each of two models has one vote, both have to be read; of the answers that one
    model drew, those that were not read do not vote.
    """
    prompted = Prompted.of(parameters, PAPER, PROMPTS)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with prompted.recorded(name) as debate:
            asker = Asker(question_of(state), prompted)
            last = await steps(debate, asker, [participants(r)[0] for r in roles])
            asker.question = with_options(debate, asker.question, debate.turns)
            if len(roles) > 1 and any(turn.status != "ok" for turn in last):
                debate.skip_reason = "an answer could not be read"
            else:
                item = str(state.sample_id), state.epoch
                majority(debate, last, parameters["seed"], *item)
        return finish(state, debate, asker.question)

    return solve
