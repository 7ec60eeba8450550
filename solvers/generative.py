"""How a format of generative debate is set up, held on a sample, and recorded."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import anyio
from inspect_ai.model import ChatMessageUser, GenerateConfig
from inspect_ai.solver import Generate, Solver, TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.debate.config import load_config
from inspect_debate.debate.conversation import show
from inspect_debate.debate.generative import (
    FORMATS,
    Format,
    SolvableTask,
    solvable_task,
)
from inspect_debate.debate.models import check_roles, model_for
from inspect_debate.debate.paths import user_path
from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.record import DebateRecord, Grade, Kind, Order, Status, Turn
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.rendering import as_shown
from inspect_debate.debate.reuse import (
    check_models,
    earlier_record,
    open_source,
    reused_turns,
    with_earlier_settings,
)
from inspect_debate.debate.rulings import (
    confidence_field,
    last_stance,
    rulings_card,
    verdict_field,
)
from inspect_debate.debate.seats import (
    NAMES,
    Seat,
    answerer,
    judges,
    warn_of_judging_debaters,
)
from inspect_debate.debate.sides import display_orders
from inspect_debate.debate.visibility import visible_to_judge, visible_to_proposer
from inspect_debate.solvers.asking import BaseAsker, hold_recorded
from inspect_debate.solvers.generative_answers import INTERPRETER, GradingTerms, kind_of
from inspect_debate.solvers.generative_settings import (
    GenerativeConfig,
    GenerativeParameters,
    as_told,
    held_as,
    study_default,
)
from inspect_debate.solvers.generative_wording import GenerativeForms, GenerativeWording

# What the formats of generative debate ask: answers, speeches, rewards, verdicts.

# What keeps the seeds of like requests of one model apart.
_SECOND, _DRAW, _FORMAT = 1, 1000, 1_000_000


@dataclass(frozen=True)
class GenerativeAsker(BaseAsker):
    """One task, and how the turns of a format are asked for.

    `format` is the one that is held. `seats` are all who answer or speak, in order, and
    `scorer` is who scores candidates.
    """

    question: SolvableTask
    config: GenerativeConfig
    protocol: str
    format: Format
    parameters: GenerativeParameters
    seats: Sequence[Seat]
    judges: Sequence[Seat]
    scorer: Seat | None

    def default_settings(self, kind: Kind) -> GenerateConfig:
        """The settings for a kind of turn where nothing else is set."""
        return study_default(kind)

    @property
    def proposers(self) -> Sequence[Seat]:
        """Those of the seats whose answers are put to the judge."""
        return self.seats[: self.format.proposers]

    # --- answers ---------------------------------------------------------------------

    async def answer(self, seat: Seat) -> Turn:
        """A solution, asked for without a word of the format."""
        # The same request in every format, so that a cache serves all of them.
        anew = self.protocol if self.parameters.answers == "fresh" else ""
        answer = await self._ask(
            seat,
            [ChatMessageUser(content=self._wording.answer())],
            apart=self._apart(seat) + _FORMAT * self._place_of(anew),
            cue=self.cue(seat, "answer", "solution", draw=anew, **self._asked()),
            form=self._forms.answer(),
        )
        return _as_written(answer)

    async def judge_answer(self, judge: Seat, turns: Sequence[Turn]) -> Turn:
        """A judge's own solution, after it has read the answers and the speeches."""
        texts = self._wording.judge_answer(
            self._listed(self.display_orders[0], turns),
            visible_to_judge(turns, show_openings=True),
            unread=_unread(turns),
        )
        cue = self.cue(judge, "answer", "solution", **self._told())
        answer = await self._ask(
            judge, texts.messages(), cue=cue, form=self._forms.answer()
        )
        return _as_written(answer)

    # --- speeches --------------------------------------------------------------------

    async def speech(
        self, seat: Seat, round: int, turns: Sequence[Turn], draw: int = 0
    ) -> Turn:
        """A speech, or a candidate for one, by a speaker who has read what it may.

        Args:
            seat: Who speaks.
            round: The round, from 1.
            turns: What was said before.
            draw: Which of several candidates, from 1.
        """
        interaction = self.format.interaction
        heard = visible_to_proposer(seat.id, turns, interaction)
        others = [side for side in self.seats if side is not seat]
        texts = self._wording.speech(
            seat,
            others if interaction == "debate" else (),
            round,
            heard,
            unread=_unread(turns),
        )
        reviews = seat not in self.proposers
        subject = self.seats[0] if reviews else seat
        cue = self.cue(
            seat,
            "candidate" if draw else "speech",
            "review" if reviews else "case",
            round=round,
            draw=str(draw or ""),
            held=_answer_of(subject, turns),
            **self._told(),
        )
        return await self._ask(
            seat,
            texts.messages(),
            apart=self._apart(seat) + _DRAW * draw,
            cue=cue,
            form=self._forms.review() if reviews else self._forms.speech(),
            draw=draw,
        )

    async def reward(self, candidate: Turn, turns: Sequence[Turn]) -> Turn:
        """How a judge would rule if a candidate were the last speech.

        Args:
            candidate: The candidate.
            turns: What was said in the rounds before.
        """
        speaker = next(s for s in self.seats if s.id == candidate.participant)
        order = self.display_orders[0]
        speech = candidate.model_copy(update={"kind": "speech"})
        assert self.scorer is not None  # there is one wherever candidates are drawn
        return await self._rulings(
            self.scorer,
            "reward",
            order,
            [*turns, speech],
            round=candidate.round,
            draw=f"{speaker.id} {candidate.draw}",
            defends=speaker.name,
            required=[verdict_field(speaker.id), confidence_field(speaker.id)],
            turn={"draw": candidate.draw, "about": speaker.id},
        )

    # --- verdicts --------------------------------------------------------------------

    async def verdict(
        self, judge: Seat, order: Order | None, turns: Sequence[Turn]
    ) -> Turn:
        """A judge's rulings on all answers, and on a critic's stance."""
        required = [verdict_field(seat.id) for seat in self.proposers]
        return await self._rulings(
            judge, "verdict", order, turns, draw=order or "", required=required
        )

    @cached_property
    def display_orders(self) -> list[Order | None]:
        """The orders in which every judge is shown two answers; the first decides."""
        if self.format.proposers < 2:
            return [None]
        return [*display_orders(self.parameters.order, self.question)]

    # --- what several of them share --------------------------------------------------

    async def _rulings(
        self,
        judge: Seat,
        kind: Kind,
        order: Order | None,
        turns: Sequence[Turn],
        *,
        required: Sequence[str],
        turn: Mapping[str, Any] | None = None,
        **what: Any,
    ) -> Turn:
        listed = self._listed(order, turns)
        answered = [side for side in listed if side in self.proposers]
        heard = visible_to_judge(turns, show_openings=True)
        texts = self._wording.judge(listed, heard, unread=_unread(turns))
        cue = self.cue(
            judge,
            kind,
            "rulings",
            choices=tuple(side.name for side in listed),
            shown=tuple(_answer_of(side, turns) or "" for side in answered),
            held=last_stance(turns),
            **what,
            **self._told(),
        )
        names = {side.id: side.name for side in listed}
        return await self._ask(
            judge,
            texts.messages(),
            cue=cue,
            form=self._forms.rulings(names, required),
            order=order,
            listed_first=listed[0].id if order else None,
            shown_first=listed[0].id if order else None,
            **(turn or {}),
        )

    def _listed(self, order: Order | None, turns: Sequence[Turn]) -> list[Seat]:
        """Those who answered as they are shown, and after them a critic who spoke."""
        answered = list(self.proposers)
        shown = answered[::-1] if order == "ba" else answered
        spoke = {turn.participant for turn in turns if turn.kind == "speech"}
        critics = self.seats[self.format.proposers :]
        return [*shown, *(seat for seat in critics if seat.id in spoke)]

    def _asked(self) -> dict[str, Any]:
        """What simulated models are told of the task; the same in every format."""
        return {"answer_kind": self.question.kind}

    def _told(self) -> dict[str, Any]:
        """What simulated models are told of the task and of the format."""
        return {
            **self._asked(),
            "interaction": self.format.interaction,
            "best_of": self.parameters.best_of,
        }

    def _apart(self, seat: Seat) -> int:
        return _SECOND if seat.id == "debater_b" else 0

    def _place_of(self, protocol: str) -> int:
        return 1 + list(FORMATS).index(protocol) if protocol else 0

    @cached_property
    def _wording(self) -> GenerativeWording:
        return GenerativeWording(
            self.question,
            self.prompts,
            self.config,
            self.format,
            one_by_one=self.parameters.turn_order == "sequential",
            judge_style=self.parameters.judge_style,
            debater_style=self.parameters.debater_style,
        )

    @cached_property
    def _forms(self) -> GenerativeForms:
        return GenerativeForms(self.question, self._wording)


def _as_written(answer: Turn) -> Turn:
    """An answer that counts as refused is shown whole, whatever could be read of it."""
    if answer.field("answer").status == Status.OK or not answer.private:
        return answer
    written = as_shown(answer.private).strip()
    return answer.model_copy(update={"public": written, "private": ""})


def _answer_of(seat: Seat, turns: Sequence[Turn]) -> str | None:
    """The answer of a seat, in the form in which it is compared."""
    value = next(
        (
            turn.field("answer").value
            for turn in turns
            if turn.kind == "answer" and turn.participant == seat.id
        ),
        None,
    )
    return None if value is None else str(value)


def _unread(turns: Sequence[Turn]) -> list[str]:
    """Whose answers could not be read."""
    return [
        turn.participant
        for turn in turns
        if turn.kind == "answer" and turn.field("answer").status != Status.OK
    ]


GradeAnswer = Callable[[str, str], Awaitable[Grade]]
"""Finds out whether a participant's answer to the task is right."""

Hold = Callable[
    [GenerativeAsker, Recorder, DebateRecord | None, GradeAnswer], Awaitable[None]
]
"""A format on one task: asks, grades, and fills the recorder.

It is given what an earlier run has of the same task, or None if nothing is reused.
"""


def generative_protocol(
    name: str,
    hold: Hold,
    *,
    parameters: GenerativeParameters,
    seed: int,
    prompts: str | None,
    config: Mapping[str, Any] | None,
    reuse: str | None = None,
    reuse_until: str = "answers",
    unsafe_local: bool = False,
    grades: str | None = None,
    sandbox: str | None = None,
    interpreter: str = INTERPRETER,
) -> Solver:
    """A solver that holds a format on samples with a task.

    Args:
        name: The format's name, for the record.
        hold: The format.
        parameters: Its effective parameters.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `GenerativeConfig`.
        reuse: A log whose answers or debates are used again.
        reuse_until: The last stage to use again.
        unsafe_local: Whether code may run on this machine as the user.
        grades: A folder in which grades of code are kept.
        sandbox: The kind of sandbox that code has to have; any if None.
        interpreter: The Python inside the sandbox.

    Raises:
        InputError: If a setting is not allowed, or there is no such log.
    """
    check_roles()
    settings = load_config(GenerativeConfig, config)
    texts = load_prompts("generative", prompts)
    source = None if reuse is None else open_source(reuse, reuse_until)
    told = as_told(name, parameters, settings)
    format = held_as(name, parameters)
    replays = source is not None and source.until == "debate"
    folder = None if grades is None else user_path(grades)
    limits = settings.grading
    terms = GradingTerms(
        limits.seconds, unsafe_local, folder, limits.parallel, sandbox, interpreter
    )

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = solvable_task(state)
        kind = kind_of(task)
        await kind.check(state, task, terms)
        grade = partial(kind.grade, state, terms)
        asker = GenerativeAsker(
            task,
            texts,
            settings,
            seed,
            protocol=name,
            format=format,
            parameters=parameters,
            seats=speakers(format),
            judges=judges(),
            scorer=None if replays else scorer(format, parameters),
        )
        earlier = None
        if source is not None:
            earlier = await earlier_record(
                source,
                task,
                protocols=protocols_with(reuse_until, name),
                parameters=shaping(reuse_until, told),
            )

        async def recorded(debate: Recorder) -> None:
            debate.aggregation = "rulings"
            await hold(asker, debate, earlier, grade)

        await hold_recorded(
            state,
            recorded,
            study="generative",
            protocol=name,
            parameters=told,
            prompts=texts.used(),
            question=task,
            seed=seed,
            source=source,
            available=earlier is not None,
        )
        return show(state, rulings_card)

    return solve


def speakers(format: Format) -> list[Seat]:
    """Those who answer or speak: the proposers, and in a debate on one answer a critic.

    Debater B is debater A's model where it is not bound: another sample of it.
    """
    first = replace(answerer(), called=NAMES[0])
    match format:
        case Format(0, _):
            return []
        case Format(1, "consultancy" | "none"):
            return [first]
    other = model_for("debater_b", "debater_a")
    return [first, Seat("debater_b", "debater_b", other, called=NAMES[1])]


def scorer(format: Format, parameters: GenerativeParameters) -> Seat | None:
    """Who scores candidates for a speech, where there are any: by default the judge."""
    if format.interaction == "none" or parameters.best_of == 1:
        return None
    return Seat("reward", "reward", model_for("reward", "judge"))


# What an earlier run of a format must share to be used again.

# Grades go with the answers, and so what graded them has to be the same.
_ANSWERS = ("answer", "max_reasks", "max_characters", "grader")
_DEBATE = (
    *("speech_rounds", "best_of", "turn_order", "speech", "reward", "word_limit"),
    "debater_style",
)
_SHAPED = {"answers": _ANSWERS, "debate": (*_ANSWERS, *_DEBATE)}

_SOLVING = ("task_", "answer_", "tests_", "blocks_")
_SPEAKING = (
    *("debater_", "consultant_", "proposer_", "critic_", "own_", "other_", "unread_"),
    *("speech_", "stance", "untrusted"),
)
_PROMPTED = {"answers": _SOLVING, "debate": (*_SOLVING, *_SPEAKING)}


def protocols_with(until: str, protocol: str) -> tuple[str, ...]:
    """The formats whose runs have a stage that a format can use again.

    Formats with one answer use the first of two; a debate is used again by its own
    format alone, for another judge.
    """
    if until == "debate":
        return (protocol,)
    wanted = FORMATS[protocol].proposers
    return tuple(name for name, other in FORMATS.items() if other.proposers >= wanted)


def shaping(until: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the parameters that shaped what is used again."""
    names = _SHAPED[until]
    if until == "debate" and parameters.get("best_of", 1) > 1:
        names += ("judge_style",)  # rewards are asked for as verdicts are
    return {name: parameters[name] for name in names if name in parameters}


def prompting(until: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Those of the prompts with which it was asked for."""
    return {k: text for k, text in texts.items() if k.startswith(_PROMPTED[until])}


# The answers of generative debate: who takes part, what is used again, and grades.

_SPOKEN: tuple[Kind, ...] = ("speech", "candidate", "reward")


def take_seats(asker: GenerativeAsker, debate: Recorder) -> None:
    """Record who takes part, and say what is odd about it."""
    spoken: list[Kind] = ["speech"] if asker.format.interaction != "none" else []
    answered: list[Kind] = ["answer"]
    debate.participants = [
        asker.participant(seat, *(answered if seat in asker.proposers else []), *spoken)
        for seat in asker.seats
    ]
    solves = not asker.proposers or asker.parameters.judge_answer
    ruled: list[Kind] = ["verdict"] if asker.proposers else []
    debate.participants += [
        asker.participant(judge, *ruled, *(answered if solves else []))
        for judge in asker.judges
    ]
    if asker.scorer is not None:
        debate.participants.append(asker.participant(asker.scorer, "reward"))
    warn_of_judging_debaters(debate, asker.seats, asker.judges)
    if asker.proposers and len(asker.judges) % 2 == 0:
        debate.warn(
            f"A panel of {len(asker.judges)} judges can tie; a tie is no verdict."
        )
    for what in _all_alike(asker):
        debate.warn(
            f"{what} are asked for at temperature 0 and will hardly differ; the "
            "format needs different ones."
        )


async def put_answers(
    asker: GenerativeAsker, debate: Recorder, earlier: DebateRecord | None
) -> None:
    """The answers that are put to the judge, from an earlier run where there is one.

    Args:
        asker: Asks for the answers.
        debate: Has the participants.
        earlier: The record of an earlier run, whose answers and grades are used again.

    Raises:
        InputError: If a participant was another model in the earlier run.
    """
    ids = [seat.id for seat in asker.proposers]
    if earlier is None:
        await debate.together(*(asker.answer(seat) for seat in asker.proposers))
        return
    check_models(earlier, {seat.id: str(seat.model) for seat in asker.proposers})
    debate.turns += [
        t for t in reused_turns(earlier, "answers") if t.participant in ids
    ]
    debate.grades += [
        grade.model_copy(update={"reused": True})
        for grade in earlier.grades
        if grade.participant in ids
    ]
    debate.participants = [
        with_earlier_settings(p, earlier) if p.id in ids else p
        for p in debate.participants
    ]


def replay(asker: GenerativeAsker, debate: Recorder, earlier: DebateRecord) -> None:
    """Take over the speeches of an earlier run, their settings, and who scored them.

    Raises:
        InputError: If a speaker was another model in the earlier run.
    """
    check_models(earlier, {seat.id: str(seat.model) for seat in asker.seats})
    debate.turns += [t for t in reused_turns(earlier, "debate") if t.kind in _SPOKEN]
    settings = {
        p.id: {kind: s for kind, s in p.settings.items() if kind in _SPOKEN}
        for p in earlier.participants
    }
    debate.participants = [
        p.model_copy(update={"settings": p.settings | settings.get(p.id, {})})
        for p in debate.participants
    ]
    debate.participants += [p for p in earlier.participants if p.role == "reward"]


@asynccontextmanager
async def graded(debate: Recorder, grade: GradeAnswer) -> AsyncIterator[None]:
    """Grade the answers while a debate goes on, and those that are given in it after.

    A grade never reaches a prompt. What several participants answer alike is graded
    once, and an answer that could not be read is wrong without being graded.

    Args:
        debate: Has the answers; its grades are in the order of its answers.
        grade: Finds out whether an answer is right.

    Raises:
        Exception: That of the debate, or of the grader where it is a limit's, once
            the other has ended.
    """
    errors: list[Exception] = []

    async def grade_those_there() -> None:
        try:
            await _grade_all(debate, tuple(debate.turns), grade)
        except Exception as error:  # the debate goes on to its end
            errors.append(error)

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(grade_those_there)
            try:
                yield
            except Exception as error:  # what was paid for is graded before it goes on
                errors.insert(0, error)
        if not errors:
            await grade_those_there()
    finally:
        places = {turn.participant: n for n, turn in enumerate(debate.turns)}
        debate.grades.sort(key=lambda one: places.get(one.participant, -1))
    if errors:
        raise errors[0]


async def _grade_all(
    debate: Recorder, turns: tuple[Turn, ...], grade: GradeAnswer
) -> None:
    """Grade the answers among some turns that have no grade."""
    known = {one.participant for one in debate.grades}
    answers = [t for t in turns if t.kind == "answer" and t.participant not in known]
    written = {
        t.participant: str(t.field("answer").value)
        for t in turns
        if t.kind == "answer" and t.field("answer").status == Status.OK
    }
    found = {
        written[one.participant]: one
        for one in debate.grades
        if one.participant in written
    }
    for turn in answers:
        answer = turn.field("answer")
        if answer.status != Status.OK:
            made = Grade(participant=turn.participant, status="unparsed")
        elif (same := found.get(str(answer.value))) is not None:
            made = same.model_copy(
                update={"participant": turn.participant, "seconds": 0.0}
            )
        else:
            made = await _grade(turn.participant, str(answer.value), grade)
            found[str(answer.value)] = made
        debate.grades.append(made)


async def _grade(participant: str, answer: str, grade: GradeAnswer) -> Grade:
    """A grade; where the grader itself fails, nobody knows whether it is right."""
    try:
        return await grade(participant, answer)
    except LimitExceededError:
        raise
    except Exception as error:  # a sandbox may fail in any way
        return Grade(participant=participant, status="error", note=str(error))


def _all_alike(asker: GenerativeAsker) -> list[str]:
    """What is drawn several times from one model, and cannot differ."""
    models = {str(seat.model) for seat in asker.proposers}
    cold = {
        "both answers": len(asker.proposers) > len(models),
        "candidates for a speech": asker.scorer is not None,
    }
    kinds: tuple[Kind, ...] = ("answer", "candidate")
    return [
        what
        for (what, drawn), kind in zip(cold.items(), kinds, strict=True)
        if drawn and asker.settings(asker.seats[0], kind).temperature == 0
    ]
