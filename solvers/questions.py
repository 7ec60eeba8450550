"""What every protocol shares: how it is set up, asked on a sample, and recorded."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.solver import Generate, Solver, TaskState

from inspect_debate.debate.calls import Form, Request, ask
from inspect_debate.debate.config import DebateConfig, load_config, split_config
from inspect_debate.debate.conversation import show
from inspect_debate.debate.cue import Cue, Format
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.free_answers import given_answers
from inspect_debate.debate.judge_checks import REPEAT
from inspect_debate.debate.models import check_roles
from inspect_debate.debate.prompts import load_prompt_sets
from inspect_debate.debate.question import PROMPT_SETS, question_of
from inspect_debate.debate.record import DebateRecord, Order, Parsed, Turn
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.reuse import (
    check_models,
    earlier_record,
    open_source,
    reused_turns,
    with_earlier_settings,
)
from inspect_debate.debate.sides import orders
from inspect_debate.debate.spending import check_unread
from inspect_debate.debate.visibility import (
    visible_to_debater,
    visible_to_judge,
    visible_to_peer,
)
from inspect_debate.solvers.asking import BaseAsker, hold_recorded
from inspect_debate.solvers.questions_wording import (
    COLLABORATIVE,
    Forms,
    Manner,
    Wording,
)
from inspect_debate.solvers.seats import Seat, Speaker, as_listed, pair

# What protocols ask: an answer, its update, a speech, a verdict.
#
# `wording` says what stands in the prompts and `forms` how the completions are read;
# protocols decide who is asked, when, and what follows.

# The paper runs everything at temperature 0. It names no limit of tokens.
STUDY_DEFAULT = GenerateConfig(temperature=0.0, max_tokens=4096)


@dataclass(frozen=True)
class Asker(BaseAsker):
    """One question under debate: makes the calls of the protocols."""

    config: DebateConfig
    show_openings: bool = True
    judge_sees_problem: bool = True
    manner: Manner = COLLABORATIVE

    # --- what is asked ---------------------------------------------------------------

    async def answer(self, seat: Seat, draw: int = 0) -> Turn:
        """A participant's own answer to the item, before any debate.

        Args:
            seat: The participant.
            draw: The number of this completion where several are drawn.
        """
        cue = self.cue(seat, "answer", self._answer_format, draw=str(draw or ""))
        messages = _prompt(self._wording.answer())
        request = self._request(seat, messages, cue, self._forms.answer())
        return await ask(replace(request, draw=draw))

    async def update(self, seat: Seat, round: int, turns: Sequence[Turn]) -> Turn:
        """A participant's answer after it has read those of the others.

        It goes on in its own conversation, to which every round adds one message with
        the others' answers of the round before (Du et al. 2024).

        Args:
            seat: The participant.
            round: The round of updates, from 1.
            turns: All turns so far.
        """
        messages = _prompt(self._wording.answer())
        for number in range(1, round + 1):
            earlier = [turn for turn in turns if turn.round < number]
            own = [turn for turn in earlier if turn.participant == seat.id][-1]
            peers = visible_to_peer(seat.id, earlier)
            messages += [
                ChatMessageAssistant(content=own.public or "(no answer)"),
                ChatMessageUser(content=self._wording.update(peers)),
            ]
        answers = {t.participant: t.field("answer").value for t in earlier}
        held = answers.pop(seat.id)
        cue = self.cue(
            seat,
            "update",
            self._answer_format,
            round=round,
            held=None if held is None else str(held),
            shown=tuple(str(answer) for answer in answers.values() if answer),
        )
        return await ask(self._request(seat, messages, cue, self._forms.answer()))

    async def speech(
        self, seat: Seat, opponent: Seat | None, round: int, turns: Sequence[Turn]
    ) -> Turn:
        """A debater's speech in a round, knowing what it may read of `turns`.

        Args:
            seat: The debater.
            opponent: The other one; None for a consultant, who speaks alone.
            round: The round, from 1.
            turns: All turns so far.
        """
        heard = visible_to_debater(seat.id, turns, show_openings=self.show_openings)
        choices = self.question.choices
        if opponent is not None:
            choices = self.question.in_order(pair(seat, opponent))
        earlier = [quote.text for turn in turns for quote in turn.quotes]
        form = self._forms.speech(self.manner, earlier, choices)
        format: Format = "speech" if self.manner.concludes else "argument"
        cue = self.cue(seat, "speech", format, round=round, choices=choices)
        messages = _prompt(
            self._wording.speech(
                seat, opponent, round, heard, assigned=self._assigned(turns)
            ),
            system=self._wording.debater_system(seat, opponent),
        )
        return await ask(self._request(seat, messages, cue, form))

    async def verdict(
        self,
        judge: Seat,
        order: Order,
        debaters: Sequence[Speaker],
        turns: Sequence[Turn],
        *,
        check: str | None = None,
        favours: str | None = None,
    ) -> Turn:
        """A judge's verdict on what it may read of `turns`, shown in an order.

        Args:
            judge: The judge.
            order: `ab` lists the first answer and shows its defender first, `ba` last.
            debaters: Who debated; nobody where the judge decides alone.
            turns: All turns so far.
            check: What the verdict checks of the judge (`debate/judge_checks.py`).
            favours: The answer that the check may help.
        """
        heard = visible_to_judge(turns, show_openings=self.show_openings)
        ordered = as_listed(self.question, debaters, order)
        choices = self.question.choices
        if len(debaters) == 2:  # of one who speaks alone, all answers can be right
            choices = self.question.in_order(pair(*debaters))
        listed = choices if order == "ab" else choices[::-1]
        cue = self.cue(
            judge,
            "verdict",
            "verdict" if choices else "free_answer",
            draw=f"{order} {check}" if check else order,
            shown=tuple(pair(*ordered)),
            choices=choices,
            hidden=self._wording.passage_hidden,
        )
        messages = _prompt(
            self._wording.verdict(
                listed,
                debaters,
                heard,
                order,
                argued=_argued(turns),
                assigned=self._assigned(turns) and _held(turns),
                own=any(turn.kind == "answer" for turn in turns),
            ),
            system=self.prompts.render("judge_system"),
        )
        request = self._request(judge, messages, cue, self._forms.verdict(choices))
        if check == REPEAT and request.config.seed is not None:
            # One seed would draw one answer, however often it is asked.
            request = replace(request, config=_with_next_seed(request.config))
        return await ask(
            replace(
                request,
                about=check,
                favours=favours,
                order=order,
                listed_first=listed[0] if listed else None,
                shown_first=ordered[0].id if len(ordered) == 2 else None,
            )
        )

    def between(self, turns: Sequence[Turn]) -> "Asker":
        """The same, once it is known between which answers a question is debated.

        Where answers are free these are the ones that were given.
        """
        if not self.question.free:
            return self
        return replace(self, question=self.question.between(given_answers(turns)))

    def _assigned(self, turns: Sequence[Turn]) -> bool:
        """Whether readers can see that both debaters gave one answer first."""
        answers = {
            turn.field("answer").value for turn in turns if turn.kind == "answer"
        }
        return self.show_openings and len(answers) == 1

    # --- how it is asked -------------------------------------------------------------

    @cached_property
    def _wording(self) -> Wording:
        return Wording(
            self.question,
            self.prompts,
            self.config,
            self.manner,
            self.judge_sees_problem,
        )

    @cached_property
    def _forms(self) -> Forms:
        return Forms(self.question, self.prompts, self.config)

    @property
    def _answer_format(self) -> Format:
        if self.question.free:
            return "free_answer"
        return "answer_line" if self.question.options else "label_sentence"

    def _request(
        self, seat: Seat, messages: Sequence[ChatMessage], cue: Cue, form: Form
    ) -> Request:
        return Request(
            model=seat.model,
            role=seat.role,
            config=self.settings(seat, cue.kind),
            messages=messages,
            cue=cue,
            form=form,
            max_reasks=self.config.max_reasks,
            max_characters=self.config.max_characters,
        )


def _prompt(user: str, system: str | None = None) -> list[ChatMessage]:
    messages: list[ChatMessage] = [ChatMessageUser(content=user)]
    if system is not None:
        messages.insert(0, ChatMessageSystem(content=system))
    return messages


def _with_next_seed(config: GenerateConfig) -> GenerateConfig:
    return config.model_copy(update={"seed": (config.seed or 0) + 1})


def _argued(turns: Sequence[Turn]) -> bool:
    """Whether each side was argued for: in speeches, or by two answers that differ."""
    answers = {turn.field("answer").value for turn in turns if turn.kind == "answer"}
    return len(answers) > 1 or _held(turns)


def _held(turns: Sequence[Turn]) -> bool:
    """Whether there were speeches."""
    return any(turn.kind == "speech" for turn in turns)


TOLD = "inspect_debate_parameters"

Hold = Callable[[Asker, Recorder, DebateRecord | None], Awaitable[None]]
"""A protocol on one question: asks, and fills the recorder with what was said.

It is given what an earlier run has of the same question, or None if nothing is reused.
"""


def protocol(
    name: str,
    hold: Hold,
    *,
    parameters: Mapping[str, Any],
    seed: int,
    prompts: str | None,
    config: Mapping[str, Any] | None,
    rest: Mapping[str, Any] = MappingProxyType({}),
    manner: Manner = COLLABORATIVE,
    texts: Mapping[str, str] = MappingProxyType({}),
    default: GenerateConfig = STUDY_DEFAULT,
    reuse: str | None = None,
    reuse_until: str = "answers",
) -> Solver:
    """A solver that holds a protocol on each sample.

    Args:
        name: The protocol's name, for the record.
        hold: The protocol.
        parameters: Its effective parameters, for the record.
        seed: Seed of the run.
        prompts: A file laid over the prompts of the kind of question that is asked.
        config: Values of `DebateConfig`.
        rest: Its `config.key=value` parameters; there are no others.
        manner: How debaters are told to debate.
        texts: Prompts of its own by key (`inspect-debate prompts show choices`), over
            which the user's file is laid.
        default: Generation settings where neither role, run nor `config` set them.
        reuse: A log whose answers or debates are used again.
        reuse_until: The last stage to use again.

    Returns:
        A solver for error detection (a task and a response to it) and for questions
        with options; each sample's outcome stands where Inspect's own scorers look.

    Raises:
        InputError: If a setting is not allowed, or there is no such log.
    """
    known = [*parameters, "reuse", "reuse_until", "seed", "prompts", "config"]
    settings = load_config(DebateConfig, config, split_config(rest, known))
    check_roles()
    sets = load_prompt_sets(PROMPT_SETS, prompts, texts)
    source = None if reuse is None else open_source(reuse, reuse_until)
    told = dict(parameters) | settings.told()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        check_unread(settings.max_unparsed, state)
        question = question_of(
            state,
            with_passage=settings.passage != "unused",
            free=settings.answers == "free",
        )
        if (prompt_set := sets.get(question.prompt_set)) is None:
            raise InputError(
                f"prompts={prompts} does not fit the prompts of this kind of question: "
                f"see `inspect-debate prompts show {question.prompt_set}`."
            )
        asker = Asker(
            question,
            prompt_set,
            settings,
            seed,
            rounds=told.get("rounds", 0),
            show_openings=told.get("show_openings", True),
            judge_sees_problem=told.get("judge_sees_problem", True),
            manner=manner,
            default=default,
        )
        earlier = None
        if source is not None:
            earlier = await earlier_record(
                source,
                question,
                protocols=protocols_with(reuse_until, name),
                parameters=shaping(reuse_until, told),
            )
        await hold_recorded(
            state,
            lambda debate: hold(asker, debate, earlier),
            study="colmad",
            protocol=name,
            parameters=told,
            prompts=prompt_set.used(),
            question=question,
            seed=seed,
            source=source,
            available=earlier is not None,
        )
        state = show(state, answer_form=settings.answer_form)
        check_unread(
            settings.max_unparsed, state
        )  # the record and output are in the log
        return state

    setattr(solve, TOLD, told)
    return solve


def told_of(solver: Solver) -> dict[str, Any]:
    """The effective parameters of a protocol's solver, as its records have them."""
    return dict(getattr(solver, TOLD, {}))


# What an earlier run has to have in common with one that uses its stages again.

# Protocols that begin with the debaters' own answers. A debate is used again by its own
# protocol only.
ANSWERED = ("colmad", "copmad", "som", "ensemble", "single")

_ANSWERS = (
    *("parser", "answer", "max_reasks", "max_characters", "quotes", "quote_source"),
)
_DEBATE = (
    *("speech", "rounds", "sides", "skip_if_agree", "turn_order", "show_openings"),
)
_SHAPED = {"answers": _ANSWERS, "debate": (*_ANSWERS, *_DEBATE, "word_limit")}

_ASKED = (
    *("criterion", "item", "passage", "answer", "answer_reminder"),
    *("item_free", "answer_free", "answer_free_reminder"),
)
_DEBATED = (
    *("debater_system", "debater_opening", "debater_rebuttal", "speech_reminder"),
    *("competitor_system", "competitor_opening", "competitor_rebuttal"),
    *("competitor_reminder", "quote_rules", "quoted_input_and_response"),
    *("quoted_input", "position_error", "position_no_error", "assigned_sides"),
    *("quoted_passage", "passage_rules", "problem_rules", "consultant_system"),
    *("consultant_opening", "consultant_further", "consultant_reminder"),
)
_PROMPTED = {"answers": _ASKED, "debate": (*_ASKED, *_DEBATED)}


def protocols_with(until: str, protocol: str) -> tuple[str, ...]:
    """The protocols whose runs have a stage that a protocol can use again."""
    return (*ANSWERED, protocol) if until == "answers" else (protocol,)


def shaping(until: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the parameters that shaped what is used again."""
    return {name: parameters[name] for name in _SHAPED[until] if name in parameters}


def prompting(until: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Those of the prompts with which it was asked for."""
    return {key: texts[key] for key in _PROMPTED[until] if key in texts}


# First answers: what most protocols begin with, and what an earlier run may have.


async def first_answers(
    asker: Asker,
    debate: Recorder,
    earlier: DebateRecord | None,
    seats: Sequence[Seat],
) -> list[Parsed]:
    """Everybody's own answer, all at once; asks for those that no earlier run has.

    Args:
        asker: Asks about the question.
        debate: Records turns; its participants are those on the seats.
        earlier: The record of an earlier run, whose answers are used again.
        seats: Who answers.

    Returns:
        The answers in the order of the seats.

    Raises:
        InputError: If a participant was another model in the earlier run.
    """
    if earlier is not None:
        check_models(earlier, {seat.id: str(seat.model) for seat in seats})
        sitting = {seat.id for seat in seats}
        reused = reused_turns(earlier, "answers")
        debate.turns += [turn for turn in reused if turn.participant in sitting]
        # Their settings are those with which they were asked for.
        debate.participants = [
            with_earlier_settings(p, earlier) for p in debate.participants
        ]
    there = {turn.participant: turn for turn in debate.turns}
    asked = await debate.together(
        *(asker.answer(seat) for seat in seats if seat.id not in there)
    )
    given = there | {turn.participant: turn for turn in asked}
    return [given[seat.id].field("answer") for seat in seats]


# The end of a debate: every judge decides, in each order.

OrderSetting = Literal["ab", "ba", "both"]


async def judged(
    asker: Asker,
    debate: Recorder,
    bench: Sequence[Seat],
    speakers: Sequence[Speaker],
    order: OrderSetting,
) -> None:
    """Seat the judges, and let all decide at once, unless there was no debate.

    Args:
        asker: Asks about the question.
        debate: Records the verdicts.
        bench: The judges.
        speakers: Who debated; nobody where judges decide alone.
        order: Which answer and defender they are shown first; `both` asks for two
            verdicts of each.
    """
    asker = asker.between(debate.turns)
    debate.participants += [asker.participant(judge, "verdict") for judge in bench]
    shown = orders(order, asker.question.epoch)
    if not asker.question.choices:
        shown = shown[:1]  # where nothing is listed, nothing has an order
    if debate.undebated_because is None:
        await debate.together(
            *(
                asker.verdict(judge, one, speakers, debate.turns)
                for judge in bench
                for one in shown
            )
        )
