"""Record a debate while it runs."""

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    TypedDict,
    TypeVar,
    Unpack,
)

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentText,
    GenerateConfig,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.v1.debate import calls
from inspect_debate.v1.debate.calls import (
    Form,
    Reading,
    Request,
    TurnDescription,
    together,
)
from inspect_debate.v1.debate.outcome import given_answers
from inspect_debate.v1.debate.participants import ModelParticipant
from inspect_debate.v1.debate.prompts import INSTEAD, PromptSet
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import (
    Aggregation,
    DebateRecord,
    Donor,
    Order,
    Participant,
    PromptsUsed,
    Turn,
    write_record,
)
from inspect_debate.v1.debate.reuse import (
    Source,
    Until,
    check_models,
    reused_turns,
    with_earlier_settings,
)
from inspect_debate.v1.debate.settings import (
    Sampling,
    as_sent,
    effective_config,
    loggable,
    say_once,
)

if TYPE_CHECKING:
    from inspect_debate.v1.debate.engine import Parameters, TurnKind
    from inspect_debate.v1.debate.study import Study

P = TypeVar("P", bound="Parameters")
QuestionT = TypeVar("QuestionT", bound=Question)


class What(TypedDict):
    """What a record contains before the first turn.

    `protocol` is the name of one of the study's protocols, `parameters` are its
    effective ones, `prompts` those of the debate, and `seed` is the run's.
    """

    study: str
    protocol: str
    parameters: dict[str, Any]
    prompts: PromptsUsed
    question: Question
    seed: int


@dataclass
class Recorder:
    """The turns of a debate that is running, in the protocol's order.

    `ended_by` is set if the debate stops early.
    """

    participants: list[Participant] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    skip_reason: str | None = None
    aggregation: Aggregation = "agreement"
    drawn: str | None = None
    donor: Donor | None = None
    ended_by: str | None = None
    warnings: list[str] = field(default_factory=list)

    async def together(self, *calls: Awaitable[Turn]) -> list[Turn]:
        """Ask for turns at once and record them in the order of the arguments.

        Returns:
            The turns.

        Raises:
            Exception: The error of a call that failed, after all have ended and the
                turns of the others are recorded; a limit goes before other errors.
        """
        outcomes = await together(*calls)
        turns = [outcome for outcome in outcomes if isinstance(outcome, Turn)]
        self.turns += turns
        _raise_first(
            [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        )
        return turns

    @asynccontextmanager
    async def background(self) -> AsyncIterator[Callable[..., None]]:
        """Run calls in the background of the debate, which does not wait for them.

        Yields:
            A function that starts calls. Their turns are recorded at the place in the
            debate at which they were started, once the block has ended; it waits for
            them.

        Raises:
            Exception: That of the block or of a call, once all calls have ended; a
                limit goes before other errors.
        """
        places: list[int] = []
        outcomes: list[list[Turn | Exception]] = []
        errors: list[Exception] = []

        async def run(call: Awaitable[Turn], into: list[Turn | Exception]) -> None:
            into += await together(call)

        try:
            async with anyio.create_task_group() as group:

                def start(*calls: Awaitable[Turn]) -> None:
                    for call in calls:
                        places.append(len(self.turns))
                        outcomes.append([])
                        group.start_soon(run, call, outcomes[-1])

                try:
                    yield start
                except Exception as error:  # the calls beside it were paid for
                    errors.append(error)
        finally:
            for place, ended in reversed(list(zip(places, outcomes, strict=True))):
                self.turns[place:place] = [t for t in ended if isinstance(t, Turn)]
        errors += [e for ended in outcomes for e in ended if isinstance(e, Exception)]
        _raise_first(errors)

    def warn(self, warning: str) -> None:
        """Warn once per run, and in every record to which the warning applies."""
        say_once(warning)
        self.warnings.append(warning)


def _raise_first(errors: list[Exception]) -> None:
    """Raise one of the errors, if there are any; a limit goes before others."""
    errors.sort(key=lambda error: not isinstance(error, LimitExceededError))
    if errors:
        raise errors[0]


@asynccontextmanager
async def recording(
    state: TaskState,
    recorder: Recorder | None = None,
    *,
    reused_from: str | None = None,
    **what: Unpack[What],
) -> AsyncIterator[Recorder]:
    """Record a debate; whatever happens, its record is written once, at the end.

    Args:
        state: The sample, into whose store the record goes.
        recorder: Where the debate is recorded while it runs; a new one by default.
        reused_from: The run whose turns are used again.
        what: What is debated, and how.

    Yields:
        The recorder that the protocol fills.
    """
    question = what["question"]
    recorder = recorder or Recorder()
    ended = False
    try:
        yield recorder
        ended = True
    except LimitExceededError as error:
        recorder.ended_by = f"the {error.type} limit of {error.limit_str}"
        raise
    except anyio.get_cancelled_exc_class():
        recorder.ended_by = "a time limit, or the run was cancelled"
        raise
    except Exception as error:
        recorder.ended_by = f"an error: {type(error).__name__}"
        raise
    finally:
        if not ended and recorder.ended_by is None:
            recorder.ended_by = "an interruption"
        record = DebateRecord(
            study=what["study"],
            protocol=what["protocol"],
            parameters=what["parameters"],
            prompts=what["prompts"],
            question=question.fingerprint,
            choices=_choices(question, recorder.turns),
            epoch=question.epoch,
            seed=what["seed"],
            participants=tuple(_as_run(p) for p in recorder.participants),
            turns=tuple(recorder.turns),
            debated=any(turn.is_spoken for turn in recorder.turns),
            skip_reason=recorder.skip_reason,
            aggregation=recorder.aggregation,
            drawn=recorder.drawn,
            complete=recorder.ended_by is None,
            ended_by=recorder.ended_by,
            reused_from=reused_from,
            donor=recorder.donor,
            warnings=tuple(recorder.warnings),
        )
        write_record(state.store, record)


def _choices(question: Question, turns: Iterable[Turn]) -> tuple[str, ...]:
    """The values that an answer could take, or where it was free those that it took."""
    if question.free:
        return question.between(given_answers(turns)).choices
    return question.choices


def _as_run(participant: Participant) -> Participant:
    """A participant with the settings that its calls really had."""
    sent = {
        kind: as_sent(participant.model, settings)
        for kind, settings in participant.settings.items()
    }
    return participant.model_copy(update={"settings": sent})


@dataclass
class Debate(Recorder, Generic[P, QuestionT]):
    """One debate: what is debated, and how turns are asked for and recorded.

    Attributes:
        question: The question, without its label.
        parameters: The protocol's parameters.
        config: The rarer settings.
        earlier: What an earlier run has of the same question, if it is used again.
        until: The last stage that is used again.
        source: The earlier run, if one is used again.
        state: The sample, by which answers are graded. It holds the label, so nothing
            of it may reach a prompt.
        means: What the solver was given that is no parameter of the protocol.
        shared: What all samples of a run have in common.
    """

    study: "Study[QuestionT]" = field(kw_only=True)
    protocol: str = field(kw_only=True)
    question: QuestionT = field(kw_only=True)
    parameters: P = field(kw_only=True)
    config: Any = field(kw_only=True)
    prompts: PromptSet = field(kw_only=True)
    seed: int = field(kw_only=True)
    earlier: DebateRecord | None = field(kw_only=True, default=None)
    until: Until = field(kw_only=True, default="answers")
    source: Source | None = field(kw_only=True, default=None)
    state: TaskState = field(kw_only=True)
    means: Any = field(kw_only=True, default=None)
    shared: dict[Hashable, Any] = field(kw_only=True, default_factory=dict)
    _configs: dict[tuple[str, str], GenerateConfig] = field(
        kw_only=True, default_factory=dict
    )

    # --- who takes part --------------------------------------------------------------

    def takes_part(
        self, participant: ModelParticipant, *turns: "TurnKind"
    ) -> Participant:
        """Record a participant, with the settings of the turns that it is asked for.

        One that took part before, such as a judge who first asks and then decides,
        gets those of further turns. In a debate that is used again it may have been
        another model's, which its turns say.
        """
        for place, known in enumerate(self.participants):
            if known.id == participant.id:
                more = {t.kind: self._logged(participant, t) for t in turns}
                update = {
                    "settings": known.settings | more,
                    "model": str(participant.model),
                }
                self.participants[place] = known.model_copy(update=update)
                return self.participants[place]
        recorded = Participant(
            id=participant.id,
            role=participant.role,
            name=participant.name,
            model=str(participant.model),
            defends=participant.defends,
            settings={t.kind: self._logged(participant, t) for t in turns},
        )
        self.participants.append(recorded)
        return recorded

    def know_as(self, *participants: ModelParticipant) -> None:
        """Record the names and sides of participants, once they are known."""
        sides = {participant.id: participant for participant in participants}
        self.participants = [
            p.model_copy(update={"name": side.name, "defends": side.defends})
            if (side := sides.get(p.id))
            else p
            for p in self.participants
        ]

    def settings(
        self, participant: ModelParticipant, turn: "TurnKind"
    ) -> GenerateConfig:
        """A participant's generation settings for a kind of turn."""
        if (known := self._configs.get((participant.id, turn.kind))) is not None:
            return known
        chosen: Sampling = getattr(self.config, turn.settings_of)
        default = self.study.default(self.protocol, turn.kind, self.parameters)
        config = effective_config(participant.model, default, chosen)
        if fixed := self.study.fixed(self.config, turn.kind):
            config = config.model_copy(update=dict(fixed))
        self._configs[participant.id, turn.kind] = config
        return config

    def _logged(
        self, participant: ModelParticipant, turn: "TurnKind"
    ) -> dict[str, Any]:
        return loggable(self.settings(participant, turn))

    # --- what is asked ---------------------------------------------------------------

    def ask(
        self,
        participant: ModelParticipant,
        turn: "TurnKind",
        *,
        after: Sequence[tuple[str, str]] = (),
        round: int = 0,
        draw: int = 0,
        order: Order | None = None,
        apart: int = 0,
        description: Mapping[str, Any] = MappingProxyType({}),
        listed_first: str | None = None,
        shown_first: str | None = None,
        about: str | None = None,
        favours: str | None = None,
        read: Callable[[str], Reading] | None = None,
        decided: calls.Decided | None = None,
        **values: Any,
    ) -> Awaitable[Turn]:
        """Ask a participant for a turn.

        The prompt is rendered when this is called, not when the turn is awaited: it
        does not contain what others say in the meantime.

        Args:
            participant: Who is asked.
            turn: What for.
            after: What was asked and replied before in the same conversation.
            round: The round.
            draw: Which of several replies to one prompt, from 1.
            order: In which order a judge is shown the debate.
            apart: Keeps the provider's seed apart from those of like requests.
            description: What a simulated model knows of the turn, beside what is here.
            listed_first: The answer that a judge is listed first.
            shown_first: The participant that a judge is shown first.
            about: Whom or what the turn is about, see `Turn`.
            favours: The answer that a check of the judge may have helped.
            read: Reads the reply, where that takes more than the kind of turn.
            decided: Finds where the reply decides, by the name of the field, where the
                probabilities of the answers are asked for.
            values: What the prompt's template shows.

        Returns:
            The turn, to be recorded by `together` or `background`.
        """
        values |= {"round": round, INSTEAD: dict(turn.instead)}
        messages: list[ChatMessage] = []
        if turn.system is not None:
            system = self.prompts.render(turn.system, **values)
            messages.append(ChatMessageSystem(content=system))
        for asked, replied in after:
            messages.append(ChatMessageUser(content=asked))
            messages.append(ChatMessageAssistant(content=replied))
        asking = [
            self.prompts.render(key, **values) for key in (turn.prompt, *turn.also)
        ]
        messages.append(ChatMessageUser(content="\n\n".join(asking)))
        if self.question.media and self._sees_question(participant):
            first = next(m for m in messages if m.role == "user")
            first.content = [ContentText(text=first.text), *self.question.media]
        read = read or turn.read
        assert read is not None, f"nothing reads a reply of kind {turn.kind}"
        config = self.settings(participant, turn)
        if config.seed is not None and apart:
            # One seed would draw one answer, however often it is asked.
            config = config.model_copy(update={"seed": config.seed + apart})
        return calls.Asked(
            Request(
                model=participant.model,
                role=participant.role,
                config=config,
                messages=messages,
                description=self._describe(participant, turn, round, draw, description),
                form=Form(
                    read,
                    turn.required,
                    partial(self.prompts.render, turn.reminder, **values),
                    turn.combined,
                    speech=turn.speech,
                ),
                max_reasks=self.config.max_reasks,
                max_characters=self.config.max_characters,
                order=order,
                listed_first=listed_first,
                shown_first=shown_first,
                about=about,
                favours=favours,
                draw=draw,
                in_series=turn.in_series,
                tokens=turn.tokens,
                decided=decided,
                spoken=turn.spoken or None,
            )
        )

    def _sees_question(self, participant: ModelParticipant) -> bool:
        hidden = not getattr(self.parameters, "judge_sees_problem", True)
        return participant.role != "judge" or not hidden

    def _describe(
        self,
        participant: ModelParticipant,
        turn: "TurnKind",
        round: int,
        draw: int,
        more: Mapping[str, Any],
    ) -> TurnDescription:
        choices = more.get("choices", self.question.choices)
        named = self.question.free or self.question.names
        return TurnDescription(
            **{
                "called": tuple(map(self.question.called, choices)) if named else (),
                "question": self.question.fingerprint,
                "sample": self.question.id,
                "epoch": self.question.epoch,
                "seed": self.seed,
                "participant": participant.id,
                "kind": turn.kind,
                "format": turn.form,
                "choices": self.question.choices,
                "defends": participant.defends,
                "round": round,
                "rounds": self.parameters.round_count,
                "draw": str(draw or ""),
                **more,
            }
        )

    # --- what an earlier run has -----------------------------------------------------

    def replays(self, stage: Until) -> bool:
        """Whether a stage is taken from an earlier run."""
        return self.earlier is not None and (stage == "answers" or self.until == stage)

    def replay(self) -> list[Participant]:
        """Take over the whole debate of an earlier run, for other judges.

        Returns:
            Its debaters.
        """
        earlier = self.earlier
        assert earlier is not None  # as something is replayed
        debaters = [p for p in earlier.participants if p.role != "judge"]
        hidden = getattr(self.config, "reused_questions", "shown") == "hidden"
        self.turns = [
            turn
            for turn in reused_turns(earlier, "debate")
            if not (hidden and turn.role == "judge")
        ]
        took_part = {turn.participant for turn in self.turns}  # judges who asked, too
        self.participants = [
            p for p in earlier.participants if p in debaters or p.id in took_part
        ]
        self.skip_reason = earlier.skip_reason
        return debaters

    def reuse(
        self, stage: Until, participants: Sequence[ModelParticipant]
    ) -> list[Turn]:
        """The turns of an earlier run up to a stage; empty if nothing is reused.

        Participants get the settings with which these turns were asked for.

        Raises:
            InputError: If a participant was another model in the earlier run.
        """
        earlier = self.earlier
        if earlier is None or not self.replays(stage):
            return []
        check_models(
            earlier,
            {participant.id: str(participant.model) for participant in participants},
        )
        ids = {participant.id for participant in participants}
        self.participants = [
            with_earlier_settings(p, earlier) if p.id in ids else p
            for p in self.participants
        ]
        return reused_turns(earlier, stage)
