"""How SR-DCR and its baselines are set up, asked on a sample, and recorded."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.solver import Generate, Solver, TaskState

from inspect_debate.debate.arbitration import arbitration_card
from inspect_debate.debate.calls import Form
from inspect_debate.debate.clash import ClashQuestion, clash_question
from inspect_debate.debate.config import load_config
from inspect_debate.debate.conversation import show
from inspect_debate.debate.cue import Format
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.matching import same_answer
from inspect_debate.debate.models import check_roles, model_for
from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.record import DebateRecord, Frozen, Kind, Order, Status, Turn
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.reuse import (
    check_models,
    earlier_record,
    open_source,
    reused_turns,
    with_earlier_settings,
)
from inspect_debate.debate.visibility import (
    Heard,
    visible_to_debater,
    visible_to_judge,
    visible_to_peer,
)
from inspect_debate.solvers.asking import BaseAsker, Texts, hold_recorded
from inspect_debate.solvers.clash_settings import (
    PARAMETERS,
    Answered,
    Arbitrated,
    ClashConfig,
    as_told,
    study_default,
)
from inspect_debate.solvers.clash_wording import (
    CRITIC,
    DEFENDER,
    ClashForms,
    ClashWording,
)
from inspect_debate.solvers.seats import Seat, answerer, in_order

# How SR-DCR and its baselines ask: settings, wording, forms, and the call itself.

DRAWN: dict[Kind, int] = {"sample": 0, "recall": 1_000_000}
"""The kinds of draws, with what keeps their seeds apart."""


@dataclass(frozen=True)
class ClashBaseAsker(BaseAsker):
    """One question about a passage, and how its turns are asked for.

    `tokens` tells whether log-probabilities of the first answers are asked for.
    """

    question: ClashQuestion
    config: ClashConfig
    protocol: str
    parameters: Frozen
    tokens: bool = False

    def default_settings(self, kind: Kind) -> GenerateConfig:
        """The study's settings for a kind of turn of this protocol."""
        return study_default(self.protocol, kind, tokens=self.tokens)

    def settings(self, seat: Seat, kind: Kind) -> GenerateConfig:
        """As in every study, but that draws keep a temperature of their own.

        One that is set for answers, on the role or for the run, would make all draws
        the same where it is 0; only `config.sample` and `config.recall` change theirs.
        """
        config = super().settings(seat, kind)
        if kind not in DRAWN:
            return config
        own = getattr(self.config, kind).temperature
        if own is None:
            own = self.default_settings(kind).temperature
        elif own == "provider":
            own = None
        return config.model_copy(update={"temperature": own})

    # --- for those who ask ------------------------------------------------------------

    @cached_property
    def _wording(self) -> ClashWording:
        return ClashWording(self.question, self.prompts, self.config)

    @cached_property
    def _forms(self) -> ClashForms:
        return ClashForms(self.prompts)


# What SR-DCR and its baselines ask: answers, a critique, speeches, verdicts.

READS_PASSAGE = {"debater_a": True, "debater_b": False}
"""Which of the two first answers is given from the passage."""


@dataclass(frozen=True)
class ClashAsker(ClashBaseAsker):
    """One question about a passage: makes the calls of the protocols."""

    # --- answers ---------------------------------------------------------------------

    async def answer(self, seat: Seat) -> Turn:
        """A first answer: the Defender's from the passage, the Critic's from memory."""
        return await self._short(seat, "answer", passage=READS_PASSAGE[seat.id])

    async def sample(self, seat: Seat, draw: int) -> Turn:
        """One of several further answers to what a seat was asked first."""
        return await self._short(
            seat, "sample", passage=READS_PASSAGE[seat.id], draw=draw
        )

    async def recall(self, seat: Seat, draw: int) -> Turn:
        """One of several answers from memory, for knowledge recall."""
        return await self._short(seat, "recall", passage=False, draw=draw)

    async def self_ask(self, seat: Seat) -> Turn:
        """An answer after a question asked of oneself (Press et al. 2023)."""
        text = self._wording.on_passage("self_ask")
        form = self._forms.self_ask()
        return await self._on_passage(seat, "answer", "self_ask", text, form)

    async def unaided(self, seat: Seat) -> Turn:
        """An answer without solved examples."""
        text = self._wording.on_passage("rci_answer")
        form = self._forms.answer()
        return await self._on_passage(seat, "answer", "short_answer", text, form)

    async def critique(self, seat: Seat, answered: Turn) -> Turn:
        """What may be wrong with one's own answer (RCI; Kim et al. 2023)."""
        messages = self._reviewed(answered)
        cue = self.cue(seat, "critique", "critique", passage=True, held=_said(answered))
        return await self._ask(seat, messages, cue=cue, form=self._forms.critique())

    async def revision(self, seat: Seat, answered: Turn, critique: Turn) -> Turn:
        """The answer again, after the critique."""
        messages = [
            *self._reviewed(answered),
            ChatMessageAssistant(content=critique.public or "(nothing)"),
            ChatMessageUser(content=self.prompts.render("rci_revision")),
        ]
        cue = self.cue(
            seat, "update", "short_answer", passage=True, held=_said(answered)
        )
        return await self._ask(seat, messages, cue=cue, form=self._forms.answer())

    async def agent_answer(self, seat: Seat, number: int) -> Turn:
        """An agent's first answer, with its reasons (Du et al. 2024).

        Args:
            seat: The agent.
            number: Which of them, from 1.
        """
        text = self._wording.on_passage("agent_answer")
        cue = self.cue(seat, "answer", "short_answer", passage=True)
        return await self._ask(
            seat,
            [ChatMessageUser(content=text)],
            apart=number,
            cue=cue,
            form=self._forms.explained(),
        )

    async def agent_update(
        self, seat: Seat, number: int, round: int, turns: Sequence[Turn]
    ) -> Turn:
        """An agent's answer after it has read those of the others.

        Args:
            seat: The agent.
            number: Which of them, from 1.
            round: The round of updates, from 1.
            turns: All turns so far.
        """
        first = self._wording.on_passage("agent_answer")
        messages: list[ChatMessage] = [ChatMessageUser(content=first)]
        for update in range(1, round + 1):
            earlier = [turn for turn in turns if turn.round < update]
            own = [turn for turn in earlier if turn.participant == seat.id][-1]
            peers = visible_to_peer(seat.id, earlier)
            messages += [
                ChatMessageAssistant(content=own.public or "(no answer)"),
                ChatMessageUser(content=self._wording.update(peers)),
            ]
        answers = {turn.participant: _said(turn) for turn in earlier}
        held = answers.pop(seat.id)
        cue = self.cue(
            seat,
            "update",
            "short_answer",
            passage=True,
            round=round,
            held=held,
            shown=tuple(answer for answer in answers.values() if answer),
        )
        return await self._ask(
            seat, messages, apart=number, cue=cue, form=self._forms.explained()
        )

    # --- speeches and verdicts -------------------------------------------------------

    async def plea(
        self,
        seat: Seat,
        opponent: Seat,
        round: int,
        turns: Sequence[Turn],
        parameters: Arbitrated,
    ) -> Turn:
        """A speech of the Defender or the Critic, knowing what it may read of `turns`.

        Args:
            seat: Who speaks.
            opponent: Who defends the other answer.
            round: The round, from 0.
            turns: What was said before.
            parameters: Say who reads what.
        """
        heard = visible_to_debater(
            seat.id,
            turns,
            show_openings=parameters.show_openings,
            speeches_alone=parameters.transcript_alone(round),
        )
        texts = self._wording.side(seat, opponent, round, heard, parameters)
        passage = parameters.shows_passage(seat.id, round)
        return await self._speech(seat, round, texts, passage=passage)

    async def argument(
        self, seat: Seat, opponent: Seat, round: int, turns: Sequence[Turn]
    ) -> Turn:
        """A speech of a debater who, as its opponent, has read the passage."""
        heard = visible_to_debater(seat.id, turns, show_openings=True)
        texts = self._wording.debater(seat, opponent, round, heard)
        return await self._speech(seat, round, texts, passage=True)

    async def arbitrate(
        self,
        judge: Seat,
        round: int,
        sides: Sequence[Seat],
        turns: Sequence[Turn],
        *,
        passage: bool,
    ) -> Turn:
        """Whether a judge holds it reasonable to rely on the passage, after a round."""
        heard = _until(round, visible_to_judge(turns, show_openings=True))
        texts = self._wording.arbiter(sides, heard, passage=passage)
        cue = self.cue(judge, "verdict", "reasonable", round=round, passage=passage)
        form = self._forms.reasonable()
        return await self._ask(
            judge, texts.messages(), cue=cue, form=form, in_series=True
        )

    async def pick(
        self,
        judge: Seat,
        round: int,
        order: Order,
        sides: Sequence[Seat],
        turns: Sequence[Turn],
    ) -> Turn:
        """Which of the two answers a judge who reads the passage holds right.

        Args:
            judge: The judge.
            round: After which round.
            order: `ab` lists the contextual answer first, `ba` the prior one.
            sides: The debaters of the contextual and of the prior answer.
            turns: All turns so far.
        """
        heard = _until(round, visible_to_judge(turns, show_openings=True))
        listed = in_order(sides, order)
        which = ("contextual", "prior") if order == "ab" else ("prior", "contextual")
        texts = self._wording.picker(listed, heard)
        cue = self.cue(
            judge,
            "verdict",
            "pick",
            round=round,
            draw=order,
            choices=which,
            shown=tuple(str(side.defends) for side in listed),
            passage=True,
        )
        return await self._ask(
            judge,
            texts.messages(),
            cue=cue,
            form=self._forms.picked(which),
            in_series=True,
            order=order,
            listed_first=which[0],
        )

    # --- what several of them share --------------------------------------------------

    async def _short(
        self, seat: Seat, kind: Kind, *, passage: bool, draw: int = 0
    ) -> Turn:
        text = self._wording.answer(passage=passage)
        cue = self.cue(
            seat, kind, "short_answer", passage=passage, draw=str(draw or "")
        )
        return await self._ask(
            seat,
            [ChatMessageUser(content=text)],
            cue=cue,
            form=self._forms.answer(),
            apart=DRAWN[kind] + draw if kind in DRAWN else 0,
            draw=draw,
            tokens=kind == "answer",
        )

    async def _on_passage(
        self, seat: Seat, kind: Kind, format: Format, text: str, form: Form
    ) -> Turn:
        cue = self.cue(seat, kind, format, passage=True)
        return await self._ask(
            seat, [ChatMessageUser(content=text)], cue=cue, form=form
        )

    def _reviewed(self, answered: Turn) -> list[ChatMessage]:
        """The conversation up to where one's own answer is to be criticised."""
        return [
            ChatMessageUser(content=self._wording.on_passage("rci_answer")),
            ChatMessageAssistant(content=f"Answer: {answered.public or '(none)'}"),
            ChatMessageUser(content=self.prompts.render("rci_critique")),
        ]

    async def _speech(
        self, seat: Seat, round: int, texts: Texts, *, passage: bool
    ) -> Turn:
        cue = self.cue(seat, "speech", "plea", round=round, passage=passage)
        form = self._forms.speech()
        return await self._ask(
            seat, texts.messages(), cue=cue, form=form, in_series=True
        )


def _said(turn: Turn) -> str | None:
    value = turn.field("answer").value
    return None if value is None else str(value)


def _until(round: int, heard: Sequence[Heard]) -> list[Heard]:
    """What was said up to a round: a debate that is judged anew goes on after it."""
    return [h for h in heard if h.kind == "answer" or h.round <= round]


Hold = Callable[[ClashAsker, Recorder, DebateRecord | None], Awaitable[None]]
"""A protocol on one question: asks, and fills the recorder with what was said.

It is given what an earlier run has of the same question, or None if nothing is reused.
"""


def clash_protocol(
    name: str,
    hold: Hold,
    *,
    parameters: Frozen,
    seed: int,
    prompts: str | None,
    config: Mapping[str, Any] | None,
    reuse: str | None = None,
    reuse_until: str = "answers",
) -> Solver:
    """A solver that holds a protocol on samples with a question and a passage.

    Args:
        name: The protocol's name, for the record.
        hold: The protocol.
        parameters: Its effective parameters.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `ClashConfig`.
        reuse: A log whose answers or debates are used again.
        reuse_until: The last stage to use again.

    Raises:
        InputError: If a setting is not allowed, or there is no such log.
    """
    check_roles()
    settings = load_config(ClashConfig, config)
    texts = load_prompts("srdcr", prompts)
    source = None if reuse is None else open_source(reuse, reuse_until)
    told = as_told(parameters, settings)
    tokens = (
        isinstance(parameters, Answered)
        and parameters.confidence_from != "self_consistency"
    )

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = clash_question(state)
        asker = ClashAsker(
            question,
            texts,
            settings,
            seed,
            protocol=name,
            parameters=parameters,
            tokens=tokens,
            rounds=told.get("rounds", 0),
        )
        earlier = None
        if source is not None:
            earlier = await earlier_record(
                source,
                question,
                protocols=protocols_with(reuse_until),
                parameters=shaping(reuse_until, told),
            )

        async def recorded(debate: Recorder) -> None:
            debate.aggregation = "arbitration"
            await hold(asker, debate, earlier)

        await hold_recorded(
            state,
            recorded,
            study="srdcr",
            protocol=name,
            parameters=told,
            prompts=texts.used(),
            question=question,
            seed=seed,
            source=source,
            available=earlier is not None,
        )
        return show(state, arbitration_card)

    return solve


# What an earlier run of SR-DCR or a baseline must share to be used again.

_ANSWERS = ("answer", "sample", "recall", "max_reasks", "max_characters")
_DEBATE = (
    *("rounds", "turn_order", "skip_if_agree", "show_openings"),
    *("critic_sees_context", "followups_see", "speech", "word_limit"),
)
_SHAPED = {"answers": _ANSWERS, "debate": (*_ANSWERS, *_DEBATE)}

_ASKED = ("question", "passage", "exemplar", "answer", "answer_form", "answer_reminder")
_DEBATED = (
    *("defender_system", "critic_system", "untrusted", "own_answer", "other_answer"),
    *("own_sight_without_passage", "own_sight_with_passage", "opening", "rebuttal"),
    *("own_sight_earlier_passage", "transcript_alone"),
    *("defender_task_with_passage", "defender_task_without_passage"),
    *("critic_task_with_passage", "critic_task_without_passage"),
    *("critic_sight_without_passage", "critic_sight_with_passage", "speech_reminder"),
    *("judge_sight_without_passage", "judge_sight_with_passage"),
)
_PROMPTED = {"answers": _ASKED, "debate": (*_ASKED, *_DEBATED)}

ANSWERED = tuple(
    name for name, kind in PARAMETERS.items() if issubclass(kind, Answered)
)
"""The protocols that ask for both answers, from memory and from the passage."""

DEBATED = tuple(name for name, kind in PARAMETERS.items() if kind is Arbitrated)
"""The protocols that hold the same debate and judge it."""


def protocols_with(until: str) -> tuple[str, ...]:
    """The protocols whose runs have a stage that others can use again."""
    return ANSWERED if until == "answers" else DEBATED


def shaping(until: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the parameters that shaped what is used again."""
    return {name: parameters[name] for name in _SHAPED[until] if name in parameters}


def prompting(until: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Those of the prompts with which it was asked for."""
    return {key: texts[key] for key in _PROMPTED[until] if key in texts}


# The two answers that most protocols begin with, and how sure the model is of them.

_BOTH_SURE = ("token_prob", "calibrated_token_prob")
"""Protocols that compare the confidences of both answers."""


class Gate:
    """Lets one sample go first, to see whether the models send log-probabilities."""

    def __init__(self) -> None:
        self._lock = anyio.Lock()
        self._verdicts: dict[str, InputError | None] = {}

    async def pass_through(
        self, models: str, answers: Callable[[], Awaitable[list[Turn]]]
    ) -> list[Turn]:
        """Ask for a sample's answers, when those of a first one have come.

        Args:
            models: Who is asked: a task may run with several.
            answers: Asks for a sample's answers.

        Raises:
            InputError: If there were no log-probabilities; for every sample, and before
                the calls of all but the first whose answers could be read.
        """
        if models not in self._verdicts:
            async with self._lock:
                if models not in self._verdicts:
                    asked = await answers()
                    if tells(asked):
                        self._verdicts[models] = _refusal(asked)
                        self._check(models)
                    return asked
        self._check(models)
        return await answers()

    def _check(self, models: str) -> None:
        if (refusal := self._verdicts[models]) is not None:
            raise refusal


def tells(turns: Sequence[Turn]) -> bool:
    """Whether an answer could be read, and so shows whether tokens come with it."""
    return any(
        turn.kind == "answer" and turn.field("answer").status == Status.OK
        for turn in turns
    )


def two_seats() -> tuple[Seat, Seat]:
    """The Defender and the Critic, who is played by the Defender's model if unbound."""
    critic = Seat("debater_b", "debater_b", model_for("debater_b", "debater_a"))
    return replace(answerer(), called=DEFENDER), replace(critic, called=CRITIC)


async def two_answers(
    asker: ClashAsker,
    debate: Recorder,
    earlier: DebateRecord | None,
    seats: Sequence[Seat],
    gate: Gate,
    *kinds: Kind,
) -> list[Seat]:
    """The contextual and the prior answer, with further answers where those are wanted.

    All are asked for at once, but for those that an earlier run has, and those that
    take the place of log-probabilities: see `in_place_of_tokens`.

    Args:
        asker: Asks about the question.
        debate: Records participants and turns.
        earlier: The record of an earlier run, whose answers are used again.
        seats: The Defender and the Critic.
        gate: Keeps samples back until log-probabilities were seen.
        kinds: What else than answers the seats are asked for.

    Returns:
        The seats, with the answers that they defend.

    Raises:
        InputError: If a participant was another model in the earlier run, or there are
            no log-probabilities, and nothing else is to be asked for.
    """
    held = cast(Answered, asker.parameters)
    sure_of = _sure_of(asker, seats)
    debate.participants = [
        asker.participant(seat, "answer", *_further(held, seat, sure_of), *kinds)
        for seat in seats
    ]
    if earlier is not None:
        check_models(earlier, {seat.id: str(seat.model) for seat in seats})
        debate.turns += [
            turn
            for turn in reused_turns(earlier, "answers")
            if _is_wanted(held, turn, sure_of)
        ]
        debate.participants = [
            with_earlier_settings(p, earlier) for p in debate.participants
        ]
    there = {_key(turn) for turn in debate.turns}

    async def ask() -> list[Turn]:
        wanted = [*_answers(asker, seats, there)]
        if held.confidence_from in ("self_consistency", "both"):
            wanted += samples(asker, sure_of, there)
        for draw in range(1, held.recall_samples + 1):
            if ("debater_b", "recall", draw) not in there:
                wanted.append(asker.recall(seats[1], draw))
        await debate.together(*wanted)
        return debate.turns

    if held.confidence_from == "logprobs":
        await gate.pass_through(" ".join(str(seat.model) for seat in seats), ask)
    else:
        await ask()
    return [replace(seat, defends=_answer_of(seat, debate.turns)) for seat in seats]


def in_place_of_tokens(
    asker: ClashAsker, debate: Recorder, seats: Sequence[Seat]
) -> list[Awaitable[Turn]]:
    """Further answers for those that came without log-probabilities.

    Args:
        asker: Asks about the question.
        debate: Has the first answers.
        seats: The Defender and the Critic.
    """
    held = cast(Answered, asker.parameters)
    if held.confidence_from != "auto":
        return []
    first = {turn.participant: turn for turn in debate.turns if turn.kind == "answer"}
    sure_of = _sure_of(asker, seats)
    answers = [first[seat.id] for seat in sure_of]
    read = all(turn.field("answer").status == Status.OK for turn in answers)
    # Confidences are compared on one scale: where one lacks, both are asked again.
    if not read or all(_has_tokens(turn) for turn in answers):
        return []
    return samples(asker, sure_of, {_key(turn) for turn in debate.turns})


def samples(
    asker: ClashAsker, seats: Sequence[Seat], there: set[tuple[str, Kind, int]]
) -> list[Awaitable[Turn]]:
    """Further answers to what seats were asked first, but for those that are there."""
    held = cast(Answered, asker.parameters)
    return [
        asker.sample(seat, draw)
        for seat in seats
        for draw in range(1, held.consistency_samples + 1)
        if (seat.id, "sample", draw) not in there
    ]


def take_sides(
    asker: ClashAsker,
    debate: Recorder,
    sides: Sequence[Seat],
    bench: Sequence[Seat],
    *,
    skip: bool,
) -> None:
    """Record what the two defend and who judges, or why there is no debate.

    Args:
        asker: Asks about the question.
        debate: Has the two participants and their answers.
        sides: The seats with the answers that they defend.
        bench: The judges.
        skip: Whether answers that say the same are not debated.
    """
    debate.undebated_because = no_debate_because(sides, debate, skip)
    debate.participants = [
        p.model_copy(update={"defends": side.defends, "name": side.name})
        for p, side in zip(debate.participants, sides, strict=True)
    ] + [asker.participant(judge, "verdict") for judge in bench]


def no_debate_because(
    seats: Sequence[Seat], debate: Recorder, skip: bool
) -> str | None:
    """Why two first answers lead to no debate, or None if they do."""
    answers = {t.participant: t for t in debate.turns if t.kind == "answer"}
    for seat in seats:
        status = answers[seat.id].field("answer").status
        if status != Status.OK:
            return f"the {seat.name}'s answer is {status}"
    first, second = (str(seat.defends) for seat in seats)
    return "both answers agree" if skip and same_answer(first, second) else None


def _answers(
    asker: ClashAsker, seats: Sequence[Seat], there: set[tuple[str, Kind, int]]
) -> Iterator[Awaitable[Turn]]:
    for seat in seats:
        if (seat.id, "answer", 0) not in there:
            yield asker.answer(seat)


def _sure_of(asker: ClashAsker, seats: Sequence[Seat]) -> Sequence[Seat]:
    """Who is asked how sure it is: the Critic, or both where both are compared."""
    return seats if asker.protocol in _BOTH_SURE else seats[1:]


def _further(held: Answered, seat: Seat, sure_of: Sequence[Seat]) -> list[Kind]:
    """What else a seat may be asked besides its first answer."""
    asked: dict[Kind, bool] = {
        "sample": held.confidence_from != "logprobs" and seat in sure_of,
        "recall": held.recall_samples > 0 and not READS_PASSAGE[seat.id],
    }
    return [kind for kind, is_asked in asked.items() if is_asked]


def _is_wanted(held: Answered, turn: Turn, sure_of: Sequence[Seat]) -> bool:
    """Whether a turn of an earlier run would be asked for here."""
    match turn.kind:
        case "sample":
            sampled = held.confidence_from != "logprobs"
            sure = turn.participant in [seat.id for seat in sure_of]
            return sampled and sure and turn.draw <= held.consistency_samples
        case "recall":
            return turn.draw <= held.recall_samples
    return True


def _key(turn: Turn) -> tuple[str, Kind, int]:
    return turn.participant, turn.kind, turn.draw


def _answer_of(seat: Seat, turns: Sequence[Turn]) -> str | None:
    answer = next(
        t.field("answer").value
        for t in turns
        if t.kind == "answer" and t.participant == seat.id
    )
    return None if answer is None else str(answer)


def _has_tokens(turn: Turn) -> bool:
    return turn.tokens is not None and turn.tokens.status == "ok"


def _refusal(turns: Sequence[Turn]) -> InputError | None:
    """Why a run that needs log-probabilities cannot go on, if none came at all."""
    read = [t for t in turns if t.kind == "answer" and t.field("answer").value]
    found = {None if t.tokens is None else t.tokens.status for t in read}
    if not found <= {None, "absent", "refused"}:
        return None
    instead = (
        "give confidence_from=self_consistency, or auto, which takes what there is"
    )
    if None in found:
        return InputError(
            "confidence_from=logprobs: the answers that are used again were asked for "
            f"without log-probabilities; {instead}."
        )
    return InputError(
        f"confidence_from=logprobs: {read[0].model} sends no log-probabilities; "
        f"{instead}."
    )
