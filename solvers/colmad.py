"""ColMAD (arXiv 2510.20963): two models debate which of two answers is right."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.debate.ask import Asking, Read, together
from inspect_debate.debate.errors import Count, InputError, Positive, validated
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.readers import choice, number
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.roles import participants
from inspect_debate.debate.seeds import flipped, seeded
from inspect_debate.debate.text import Quote, escape, verified
from inspect_debate.solvers.questions import (
    PAPER,
    PROMPTS,
    Asker,
    Order,
    Parser,
    finish,
    question_of,
    with_options,
)

A, B = "debater_a", "debater_b"
_SPEECHES = Path(__file__).with_suffix(".yaml")
_ARGUMENT = re.compile(
    r"<argument>((?:(?!<argument>).)*?)(</argument>|\Z)", re.S | re.I
)
_CLOSED = re.compile("</argument>", re.I)
_LAST_LINES = re.compile(r"\s*(?:<\w+>\s*)?((?:<?(?:final|conf)\b.*\s*)+)", re.I)


@solver
@validated
def colmad(
    rounds: Count = 2,
    style: Literal["collaborative", "competitive"] = "collaborative",
    skip_if_agree: bool = True,
    sides: Literal["free", "assigned"] = "free",
    turn_order: Literal["simultaneous", "sequential"] = "simultaneous",
    order: Order = "ab",
    show_openings: bool = True,
    judge_sees_problem: bool = True,
    judge_sees_passage: bool = False,
    word_limit: Positive = 300,
    quotes: bool = True,
    quote_limit: Positive | None = None,
    self_audit: bool = True,
    confidence: bool = True,
    parser: Parser = "last_sentence",
    reminders: Count = 1,
    max_tokens: Positive = 4096,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """ColMAD (Algorithm 1). Roles: `debater_a`, `debater_b`, `judge` (may be a panel).

    Args:
        rounds: Rounds of speeches; with 0 the judge decides on the first answers.
        style: Debate with each other, or against each other.
        skip_if_agree: Return an answer on which both agree (lines 4, 13, 14).
        sides: `free`: both answer first and defend their answers; `assigned`: nobody
            answers first, and sides are drawn.
        turn_order: `sequential`: the second speaker has read the first's speech of the
            round (in lines 7 and 8 neither has).
        order: Which answer and debater the judge reads first; `both` asks twice.
        show_openings: The other debater and the judge read the first answers.
        judge_sees_problem: The judge reads the item (Appendix C).
        judge_sees_passage: The judge also reads the passage that a question is about.
        word_limit: The limit that debaters are told; the paper names none.
        quotes: Quotes are asked for, checked and marked.
        quote_limit: How many characters a speech may quote; what goes beyond is cut.
        self_audit: Collaborative debaters say where their own case is weakest.
        confidence: Collaborative debaters state a probability.
        parser: How first answers of error detection are read; `realmistake` is the
            rule of that benchmark's authors.
        reminders: How often an unread reply is asked for again.
        max_tokens: The limit of each reply.
        seed: Seed of all draws.
        prompts: A YAML file that replaces some of the prompts.
    """
    parameters = dict(locals())
    openings = sides == "free" and show_openings
    if not rounds and not openings:
        raise InputError(
            "rounds=0 leaves the judge nothing to read unless sides=free and "
            "show_openings=true; for a judge without a debate use judge_alone."
        )
    prompted = Prompted.of(parameters, PAPER, PROMPTS, _SPEECHES)
    name = "debate" if sides == "assigned" else "copmad"
    name = "colmad" if style == "collaborative" else name

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        with prompted.recorded(name) as debate:
            asker = Asker(question, prompted)
            await hold(state, debate, asker)
        return finish(state, debate, asker.question)

    async def hold(state: TaskState, debate: Debate, asker: Asker) -> None:
        debaters = {role: participants(role)[0] for role in (A, B)}
        asked = debaters.values() if sides == "free" else ()
        first = await together(debate, *map(asker.answer, asked))  # lines 1 to 3
        asker.question = question = with_options(debate, asker.question, first)
        answers = [turn.fields.get("answer") for turn in first]
        skip = skip_if_agree or question.in_words
        if nothing_to_debate(debate, answers, skip):  # lines 4, 13, 14
            return
        debate.defends = defended(state, [*debate.options], answers, seed)
        pair = Pair(debate, show_openings)
        quotable = question.quotable if quotes else ""
        values = asker.values() | {
            "listed": [asker.option(debate.defends[role]) for role in pair.roles],
            "assigned": agreed(debate),
            "collaborative": style == "collaborative",
            "quotes": bool(quotable),
            "quotable": quotable,
            "quote_limit": quote_limit,
            "judge_sees_problem": judge_sees_problem,
            "judge_sees_passage": judge_sees_passage,
            "word_limit": word_limit,
            "self_audit": self_audit,
            "confidence": confidence,
        }

        async def speech(role: str, round: int) -> Turn:
            other = pair.roles[1 - pair.roles.index(role)]
            now = values | {
                "name": pair.names[role],
                "opponent": pair.names[other],
                "own": asker.option(debate.defends[role]),
                "other": asker.option(debate.defends[other]),
                "round": round,
                "turns": pair.transcript(reader=role),
            }
            return await prompted.ask(
                debaters[role]._replace(name=pair.names[role]),
                "speech",
                partial(read_speech, debate, asker),
                now,
                system=style,
                round=round,
            )

        one_by_one = [[role] for role in pair.roles]
        if flipped(state, seed, "who speaks first"):
            one_by_one.reverse()
        steps = [pair.roles] if turn_order == "simultaneous" else one_by_one
        for round in range(1, rounds + 1):  # lines 5 to 10
            for roles in steps:
                await together(debate, *(speech(role, round) for role in roles))
        if rounds and (unheard := pair.unheard()):
            debate.skip_reason = f"no speech by {unheard} could be read"
            return
        await together(debate, *verdicts(debate, asker, state.epoch))  # lines 11, 12
        debate.answer, debate.skip_reason = decide(debate)

    return solve


@solver
@validated
def copmad(
    style: Literal["competitive"] = "competitive",
    skip_if_agree: bool = False,
    show_openings: bool = False,
    **parameters: Any,
) -> Solver:
    """CopMAD, ColMAD's competitive counterpart; further parameters are `colmad`'s.

    Two defaults differ. 10 of the 12 published CopMAD rows are only possible if items
    on which both models agreed were debated, too; and a judge who reads two equal first
    answers has their consensus before it, which published CopMAD overturned. So the
    published difference between the two protocols is also one of this rule: to compare
    the debates alone, run both with both.
    """
    given = dict(locals())
    return colmad(**given.pop("parameters"), **given)


class Pair:
    """Two debaters. Alice argues for the answer that comes first, whoever she is."""

    def __init__(
        self,
        debate: Debate,
        show_openings: bool,
        names: Sequence[str] = ("Alice", "Bob"),
    ) -> None:
        """Name the debaters by what they defend."""
        answers = [*debate.options]
        self.roles = sorted((A, B), key=lambda r: answers.index(debate.defends[r]))
        self.names = dict(zip(self.roles, names, strict=True))
        self._debate, self._show_openings = debate, show_openings

    def transcript(self, order: str = "ab", reader: str = "") -> list[dict[str, str]]:
        """What somebody may read so far, round by round.

        Args:
            order: `ab` shows Alice first in each round, `ba` Bob.
            reader: The debater who reads it, and always knows its own first answer.
        """
        roles = self.roles if order == "ab" else self.roles[::-1]
        turns = [
            turn
            for turn in self._debate.of("answer", "speech")
            if turn.kind == "speech" or self._show_openings or turn.role == reader
        ]
        turns.sort(key=lambda turn: (turn.round, roles.index(turn.role)))
        return [
            {
                "speaker": self.names[turn.role],
                "stage": f"round {turn.round}" if turn.round else "first answer",
                "text": turn.public or "(no speech)",
            }
            for turn in turns
        ]

    def unheard(self) -> str:
        """Who has no speech that anybody could read; empty if both have one."""
        heard = {turn.role for turn in self._debate.of("speech") if turn.public}
        return " and ".join(
            self.names[role] for role in self.roles if role not in heard
        )


def verdicts(
    debate: Debate,
    asker: Asker,
    epoch: int,
    names: Sequence[str] = ("Alice", "Bob"),
    draw: int = 0,
) -> list[Asking]:
    """The decisions of all judges, who read the question and what is in the record.

    Every second epoch mirrors what comes first.
    """
    settings = debate.parameters
    pair = Pair(debate, settings["show_openings"], names)
    quotes = settings["quotes"] and settings["rounds"]
    return asker.verdicts(
        settings["order"],
        epoch,
        among={debate.defends[role]: pair.names[role] for role in pair.roles},
        transcript=pair.transcript,
        draw=draw,
        debated=True,
        assigned=agreed(debate),
        visible=settings["judge_sees_problem"],
        reads_passage=settings["judge_sees_passage"],
        quotable=asker.question.quotable if quotes else "",
    )


def agreed(debate: Debate) -> bool:
    """Whether the debaters gave one first answer, and others read that."""
    first = [turn.fields.get("answer") for turn in debate.of("answer")]
    return len(first) == 2 and len({*first}) == 1 and debate.parameters["show_openings"]


def nothing_to_debate(debate: Debate, answers: list[Any], skip_if_agree: bool) -> bool:
    """Whether first answers lead to no debate; the record then says why."""
    if None in answers:
        debate.skip_reason = "a first answer could not be read"
    elif answers and answers[0] == answers[1] and skip_if_agree:
        debate.skip_reason = "both debaters gave the same first answer"
        debate.answer = answers[0]
    return bool(debate.skip_reason)


def defended(
    state: TaskState, options: list[str], answers: list[Any], seed: int
) -> dict[str, str]:
    """The answer that each debater argues for; drawn if there are no first answers."""
    if len({*answers}) < 2:  # nobody gave the other answer: draw who defends it
        if not answers and len(options) != 2:
            raise InputError(
                f"With assigned sides a question needs two options, and sample "
                f"{state.sample_id!r} has {len(options)}; take the protocol colmad or "
                "copmad, in which debaters argue for their own answers."
            )
        own = answers[0] if answers else options[0]
        others = [option for option in options if option != own]
        other = seeded(seed, "the other answer", str(state.sample_id)).choice(others)
        answers = [own, other]
        if flipped(state, seed, "who defends what"):
            answers.reverse()
    return {A: answers[0], B: answers[1]}


def decide(debate: Debate) -> tuple[str | None, str]:
    """The answer of most verdicts (line 12), and why there is none."""
    votes = [turn.fields["answer"] for turn in debate.of("verdict") if turn.fields]
    if not votes:
        return None, "no verdict could be read"
    most = max(votes, key=votes.count)
    if any(votes.count(v) == votes.count(most) for v in {*votes} - {most}):
        return None, "the verdicts are tied"
    return most, ""


def read_speech(debate: Debate, asker: Asker, reply: str) -> Read:
    """The argument with its quotes checked, and what the speaker now believes.

    Without its tags the whole reply is the argument: its thinking is gone by now. Of
    several arguments, from models that repeat themselves, the last whole one counts.
    """
    settings = debate.parameters
    blocks = [(text.strip(), end) for text, end in _ARGUMENT.findall(reply)]
    said = [text for text, end in blocks if text and end] or [t for t, _ in blocks if t]
    argument = said[-1] if said else "" if blocks else reply
    collaborative = settings.get("style") == "collaborative"
    *before, after = _CLOSED.split(reply)
    lines = _LAST_LINES.match(after)
    if before and lines and collaborative:  # some close it before its last lines
        argument += "\n" + lines[1].strip()
    public, found = escape(argument), list[Quote]()
    if settings["quotes"] and asker.question.sources:
        earlier = [q.text for turn in debate.of("speech") for q in turn.quotes]
        sources, limit = asker.question.sources, settings["quote_limit"]
        public, found = verified(argument, sources, earlier, limit=limit)
    fields: dict[str, Any] = {"words": len(argument.split())}
    if collaborative:  # others are not asked for it
        final = choice(argument, "final", asker.names([*debate.defends.values()]))
        stated = number(argument, "confidence")
        fields["final"] = None if final is None else final.value
        fields["confidence"] = None if stated is None else stated.value
    closed = any(text and end for text, end in blocks)
    quotes = tuple(found)
    return Read(public, fields, bool(said), quotes=quotes, complete=True, closed=closed)
