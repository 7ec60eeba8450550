"""Inference-time generative debate: the seven formats of the study, and two more."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from inspect_ai.util import span

from inspect_debate.v1.debate.engine import Parameters, parameter, protocol
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.outcome import Rule, decides
from inspect_debate.v1.debate.participants import ModelParticipant, display_orders
from inspect_debate.v1.debate.probabilities import as_drawn
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Order,
    Turn,
    answer_given,
    best_of_name,
)
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.reuse import Until
from inspect_debate.v1.debate.seeds import mirrored
from inspect_debate.v1.debate.visibility import visible_to_judge, visible_to_proposer
from inspect_debate.v1.solvers.formats import FORMATS, Format, SolvableTask
from inspect_debate.v1.solvers.generative import (
    ANSWER,
    CASE,
    CRITIQUE,
    CRITIQUE_TEXTS,
    JUDGE_ANSWER,
    RANDOM_SEEDS,
    REVIEW,
    REWARD,
    STUDY,
    VERDICT,
    GradingMeans,
    Table,
    add_participants,
    as_candidate,
    as_written,
    debaters,
    graded,
    grader_of,
    read_solution,
    ruling,
    ruling_on,
    speaker_values,
    take_over_answers,
    take_over_speeches,
    values_for_judge,
    values_of,
)
from inspect_debate.v1.solvers.rulings import (
    best,
    decisions_of,
    last_stance,
    reward,
    ruled,
)

GenerativeProtocol = Literal[
    "dual_debate",
    "single_debate",
    "dual_consultancy",
    "single_consultancy",
    "dual_no_transcript",
    "single_no_transcript",
    "direct_qa",
    "single_critique",
    "critic_alone",
]


class GenerativeParameters(Parameters):
    """The parameters of the formats; each takes those that it has a use for."""

    rounds: int = parameter(
        2,
        "Rounds of speeches.",
        shapes="debate",
        ge=0,
        strict=True,
    )
    best_of: int = parameter(
        1,
        "The number of candidates from which each speech is chosen; the study also "
        "has 4.",
        shapes="debate",
        ge=1,
        strict=True,
    )
    turn_order: Literal["simultaneous", "sequential"] = parameter(
        "simultaneous",
        "In a debate both speak at once, or the second has read the first's speech of "
        "the round (`sequential`).",
        shapes="debate",
    )
    order: Literal["hash", "ab", "ba", "both"] = parameter(
        "hash",
        "Which of two answers the judge reads first: drawn (`hash`), Alice's (`ab`), "
        "Bob's (`ba`); every second epoch has the other order. `both` adds a second "
        "verdict, which decides nothing.",
    )
    judge_answer: bool = parameter(
        False,
        "The judge also solves the task, after the debate.",
        strict=True,
    )
    answers: Literal["reuse", "fresh"] = parameter(
        "reuse",
        "`reuse`: all formats have the same answers; `fresh`: each asks anew.",
    )
    judge_style: Literal["neutral", "verifying"] = parameter(
        "neutral",
        "`verifying` asks the judge, and whoever scores candidates, to check claims "
        "and to distrust confidence.",
    )
    debater_style: Literal["neutral", "honest"] = parameter(
        "neutral",
        "`honest` asks debaters to say what they believe and what can be checked.",
        shapes="debate",
    )

    @classmethod
    def taken_by(cls, protocol: str) -> tuple[str, ...]:
        """The parameters that a format has a use for."""
        format = FORMATS[protocol]
        spoken = format.spoken
        uses = {
            "rounds": spoken and format.interaction != "critique",
            "best_of": spoken,
            "turn_order": format.interaction == "debate",
            "order": format.proposers == 2,
            "judge_answer": format.proposers > 0 and format.interaction != "critic",
            "answers": True,
            "judge_style": format.proposers > 0,
            "debater_style": spoken,
        }
        return tuple(name for name, used in uses.items() if used)

    @classmethod
    def has_judge(cls, protocol: str) -> bool:
        """Nothing is proposed to the judge of `direct_qa`, who answers itself."""
        return FORMATS[protocol].proposers > 0

    @classmethod
    def check_given(cls, given: Mapping[str, Any]) -> None:
        """Check that no parameter of speeches is given for a format without them."""
        for name in ("best_of", "turn_order", "debater_style"):
            if given.get("rounds") == 0 and name in given:
                raise InputError(
                    f"{name}={given[name]!r} has no meaning with rounds=0, in "
                    "which nobody speaks."
                )

    def check_reuse(self, until: Until) -> None:
        """Answers that are used again are not fresh."""
        if self.answers == "fresh":
            raise InputError(
                "answers=fresh asks for answers of this run's own, and reuse=LOG for "
                "those of another; give one of the two."
            )

    def format(self, protocol: str) -> Format:
        """The format that is run: without rounds, that without a transcript."""
        format = FORMATS[protocol]
        if self.rounds == 0:
            return format._replace(interaction="none")
        return format


Debated = Debate[GenerativeParameters, SolvableTask]


def stages_of(protocol: str) -> dict[str, str]:
    """What runs of a format have for others: answers, and debates for its own."""
    format = FORMATS[protocol]
    if not format.proposers:
        return {}
    answers = {"answers": f"answers of {format.proposers}"}
    spoken = {"debate": protocol} if format.spoken else {}
    return answers | spoken


@protocol(
    STUDY,
    GenerativeParameters,
    *FORMATS,
    turns=(
        *(ANSWER, CASE, REVIEW, CRITIQUE, REWARD, VERDICT),
        *(replace(VERDICT, system="critique_judge"), JUDGE_ANSWER),
    ),
    shares=stages_of,
    # One answer is the first of two.
    borrows=lambda name: ("answers of 2",) if FORMATS[name].proposers == 1 else (),
    presets=dict.fromkeys(FORMATS, GenerativeParameters()),
    means=GradingMeans,
    # The study's formats have the study's prompts alone, by which runs are compared.
    texts=lambda name: CRITIQUE_TEXTS if name == "single_critique" else {},
)
async def generative_debate(debate: Debated) -> None:
    """One or two proposers answer and speak; a judge rules on each answer by itself.

    Answers come first, by a prompt that knows of no debate, and are frozen. In a debate
    the proposers, or the one proposer and a critic, then hear each other; in a
    consultancy each speaks for itself. Nobody is assigned a side, and all answers may
    be correct, or none. Answers are graded while the debate goes on.

    Two formats are not the study's. In a single critique the critic reads task and
    answer and speaks once, and nobody else does. In `critic_alone` nobody speaks, and
    the critic rules by the prompt of a judge without a transcript.

    Returns:
        A solver for samples with an `answer_kind` in their metadata; roles `debater_a`,
        `debater_b` (a proposer or the critic, by default the same model), `judge`,
        which may be a list, and `reward` (by default the judge). Answers that are code
        are graded in the sample's sandbox.
    """
    p, format = debate.parameters, debate.parameters.format(debate.protocol)
    grade = await grader_of(debate)
    table = Table(format, debaters(format), ruling(format))
    scorer = add_participants(debate, table, p.best_of, solves=p.judge_answer)
    if not table.proposers:  # direct QA: the judge answers alone
        async with graded(debate, grade):
            await debate.together(*(solve(debate, judge) for judge in table.judges))
        return
    # Answers first, in a call that knows of no debate.
    if debate.replays("answers"):
        take_over_answers(debate, table.proposers)
    else:
        await debate.together(
            *(solve(debate, participant) for participant in table.proposers)
        )
    async with graded(debate, grade):
        if debate.replays("debate"):
            take_over_speeches(debate, table.participants)
        elif format.spoken:
            rounds = 1 if format.interaction == "critique" else p.rounds
            for round in range(1, rounds + 1):
                for speaking in turns_of(debate, table):
                    await speak(debate, table, speaking, round, scorer)
        # A verdict on each answer and, apart from it, the judge's own answer.
        await debate.together(
            *(
                rule(debate, table, judge, order, draw)
                for judge in table.judges
                for order in orders_of(debate, format)
                for draw in debate.config.verdict.draws
            ),
            *(solve_after(debate, table, j) for j in table.judges if p.judge_answer),
        )


@decides("generative", *FORMATS)
def rules(record: DebateRecord) -> dict[str, Rule]:
    """What the rulings on all answers come to."""
    return {record.protocol: ruled}


def turns_of(debate: Debated, table: Table) -> list[Sequence[ModelParticipant]]:
    """Who speaks at once in a round: all, or one who has heard the other."""
    if debate.parameters.turn_order == "simultaneous":
        return [table.speakers]
    dual = table.format.proposers == 2
    turned = dual and mirrored(debate.question.epoch)  # a critic always speaks last
    return [
        [participant]
        for participant in (table.participants[::-1] if turned else table.participants)
    ]


async def speak(
    debate: Debated,
    table: Table,
    speaking: Sequence[ModelParticipant],
    round: int,
    scorer: ModelParticipant | None,
) -> None:
    """Speeches of some at once; where candidates are drawn, the best of each."""
    if scorer is None:
        await debate.together(*(say(debate, table, s, round) for s in speaking))
        return
    draws = range(1, debate.parameters.best_of + 1)
    async with span(best_of_name(round), type="round"):
        visible = tuple(debate.turns)
        drawn = await debate.together(
            *(say(debate, table, s, round, draw) for s in speaking for draw in draws)
        )
        scored = await debate.together(
            *(score(debate, table, scorer, one, visible) for one in drawn)
        )
    choose(debate, drawn, scored)


def choose(
    debate: Debate[Any, Any], candidates: Sequence[Turn], scored: Sequence[Turn]
) -> None:
    """Make a speech of each speaker's candidate with the highest reward."""
    places = {id(turn): n for n, turn in enumerate(debate.turns)}
    rewards = [reward(*both) for both in zip(scored, candidates, strict=True)]
    for speaker in dict.fromkeys(turn.participant for turn in candidates):
        own = [n for n, c in enumerate(candidates) if c.participant == speaker]
        chosen = own[best([rewards[n] for n in own])]
        for n in own:
            fields = {**candidates[n].fields, "reward": rewards[n]}
            kind = "speech" if n == chosen else "candidate"
            turn = candidates[n].model_copy(update={"kind": kind, "fields": fields})
            debate.turns[places[id(candidates[n])]] = turn


# --- What is asked --------------------------------------------------------------------


def solve(debate: Debated, participant: ModelParticipant) -> Awaitable[Turn]:
    """A solution, asked for without a word of the format.

    It is the same request in every format, so that a cache serves all of them.
    """
    anew = debate.protocol if debate.parameters.answers == "fresh" else ""
    place = 1 + list(FORMATS).index(anew) if anew else 0
    return as_written(
        debate.ask(
            participant,
            ANSWER,
            read=partial(read_solution, task=debate.question),
            apart=apart(participant) + RANDOM_SEEDS.format * place,
            description={
                "draw": anew,
                "answer_kind": debate.question.kind,
                "rounds": 0,
            },
            **values_of(debate.question),
        )
    )


def say(
    debate: Debated,
    table: Table,
    participant: ModelParticipant,
    round: int,
    draw: int = 0,
) -> Awaitable[Turn]:
    """A speech, or a candidate for one, by a speaker who has read what it may.

    Args:
        debate: The debate.
        table: Who takes part.
        participant: Who speaks.
        round: The round, from 1.
        draw: Which of several candidates, from 1.
    """
    reviews = participant not in table.proposers
    alone = table.format.interaction == "critique"
    kind = CRITIQUE if alone else REVIEW if reviews else CASE
    own_alone = table.format.interaction == "consultancy"
    visible = visible_to_proposer(participant.id, debate.turns, own_alone=own_alone)
    return debate.ask(
        participant,
        as_candidate(kind) if draw else kind,
        round=round,
        draw=draw,
        apart=apart(participant) + RANDOM_SEEDS.draw * draw,
        description={
            **task_facts(debate, table),
            "own_answer": answer_given(
                debate.turns, (table.participants[0] if reviews else participant).id
            ),
        },
        **speaker_values(debate, table, participant, visible),
    )


def score(
    debate: Debated,
    table: Table,
    scorer: ModelParticipant,
    candidate: Turn,
    turns: Sequence[Turn],
) -> Awaitable[Turn]:
    """How a judge would rule if a candidate were the last speech.

    Args:
        debate: The debate.
        table: Who takes part.
        scorer: Who scores.
        candidate: The candidate.
        turns: The turns of earlier rounds.
    """
    speaker = next(s for s in table.participants if s.id == candidate.participant)
    speech = candidate.model_copy(update={"kind": "speech"})
    return rulings(
        debate,
        table,
        scorer,
        orders_of(debate, table.format)[0],
        [*turns, speech],
        about=speaker,
        round=candidate.round,
        draw=candidate.draw,
        description={"draw": f"{speaker.id} {candidate.draw}", "defends": speaker.name},
    )


def rule(
    debate: Debated,
    table: Table,
    judge: ModelParticipant,
    order: Order | None,
    draw: int = 0,
) -> Awaitable[Turn]:
    """A judge's rulings on all answers, and on a critic's stance.

    Args:
        debate: The debate.
        table: Who takes part.
        judge: The judge.
        order: In which order it is shown two answers.
        draw: The number of a further draw of the same rulings, from 1.
    """
    told = " ".join(filter(None, (order, str(draw or ""))))
    return rulings(
        debate,
        table,
        judge,
        order,
        debate.turns,
        description={"draw": told},
        draw=draw,
        apart=draw,
    )


def rulings(
    debate: Debated,
    table: Table,
    judge: ModelParticipant,
    order: Order | None,
    turns: Sequence[Turn],
    *,
    description: Mapping[str, Any],
    about: ModelParticipant | None = None,
    draw: int = 0,
    **which: Any,
) -> Awaitable[Turn]:
    """Rulings on all answers, or what they would be after a candidate for a speech."""
    listed = table.listed(order, turns)
    answered = [participant for participant in listed if participant in table.proposers]
    visible = visible_to_judge(turns, show_openings=True)
    ruled_on = table.proposers if about is None else [about]
    turn = ruling_on(listed, ruled_on, about, judge_prompt(table.format))
    if about is None:
        turn = as_drawn(turn, draw)
        if debate.config.verdict.first:
            first = (("ruling", "ruling_first"),)
            turn = replace(turn, instead=first, form=f"{turn.form}_first")
    return debate.ask(
        judge,
        turn,
        decided=partial(decisions_of, names={p.id: p.name for p in listed}),
        order=order,
        listed_first=listed[0].id if order else None,
        shown_first=listed[0].id if order else None,
        about=None if about is None else about.id,
        draw=draw,
        description={
            **task_facts(debate, table),
            "choices": tuple(participant.name for participant in listed),
            "shown": tuple(
                answer_given(turns, participant.id) or "" for participant in answered
            ),
            "own_answer": last_stance(turns),
            **description,
        },
        **values_for_judge(debate, table, listed, visible),
        **which,
    )


def solve_after(
    debate: Debated, table: Table, judge: ModelParticipant
) -> Awaitable[Turn]:
    """A judge's own solution, after it has read the answers and the speeches."""
    listed = table.listed(orders_of(debate, table.format)[0], debate.turns)
    visible = visible_to_judge(debate.turns, show_openings=True)
    return as_written(
        debate.ask(
            judge,
            replace(JUDGE_ANSWER, system=judge_prompt(table.format)),
            read=partial(read_solution, task=debate.question),
            description=task_facts(debate, table),
            **values_for_judge(debate, table, listed, visible),
        )
    )


def orders_of(debate: Debated, format: Format) -> list[Order | None]:
    """The orders in which every judge is shown two answers; the first decides."""
    if format.proposers < 2:
        return [None]
    return [*display_orders(debate.parameters.order, debate.question)]


def judge_prompt(format: Format) -> str:
    """The key of a judge's system prompt."""
    return "critique_judge" if format.interaction == "critique" else "judge"


def task_facts(debate: Debated, table: Table) -> dict[str, Any]:
    """What simulated models know of the task and of the format."""
    format = table.format
    return {
        "answer_kind": debate.question.kind,
        "interaction": format.interaction if format.spoken else "none",
        "best_of": debate.parameters.best_of,
        "rounds": 0,
    }


def apart(participant: ModelParticipant) -> int:
    """What keeps the seeds of like requests of one model apart."""
    return RANDOM_SEEDS.second if participant.id == "debater_b" else 0
