"""What all askers share: settings of a seat's turns, and what a turn is."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.solver import TaskState

from inspect_debate.debate.calls import Request, ask
from inspect_debate.debate.config import AskerConfig
from inspect_debate.debate.cue import Cue, Format
from inspect_debate.debate.prompts import PromptSet
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import Kind, Participant, Turn
from inspect_debate.debate.recording import Recorder, What, recording
from inspect_debate.debate.reuse import Source
from inspect_debate.debate.seats import Seat
from inspect_debate.debate.settings import Sampling, effective_config, loggable

# Updates are answers, candidates are speeches, and asked for with their settings.
_SET_AS: dict[Kind, Kind] = {"update": "answer", "candidate": "speech"}


@dataclass(frozen=True)
class BaseAsker:
    """One question under debate, and how its turns are asked for.

    `default` are the study's generation settings; what a user sets for a kind of turn
    stands in `config` under its name.
    """

    question: Question
    prompts: PromptSet
    config: AskerConfig
    seed: int
    default: GenerateConfig = field(kw_only=True, default_factory=GenerateConfig)
    rounds: int = field(kw_only=True, default=0)
    _configs: dict[tuple[str, Kind], GenerateConfig] = field(
        kw_only=True, default_factory=dict
    )

    def participant(self, seat: Seat, *kinds: Kind) -> Participant:
        """A seat as it stands in the record, with its effective settings."""
        return Participant(
            id=seat.id,
            role=seat.role,
            name=seat.name,
            model=str(seat.model),
            defends=seat.defends,
            settings={kind: loggable(self.settings(seat, kind)) for kind in kinds},
        )

    def settings(self, seat: Seat, kind: Kind) -> GenerateConfig:
        """The generation settings with which a seat's turns of a kind are asked for."""
        if (known := self._configs.get((seat.id, kind))) is not None:
            return known
        chosen: Sampling = getattr(self.config, _SET_AS.get(kind, kind))
        config = effective_config(seat.model, self.default_settings(kind), chosen)
        self._configs[seat.id, kind] = config
        return config

    def default_settings(self, kind: Kind) -> GenerateConfig:
        """The study's settings for a kind of turn; here the same for all kinds."""
        return self.default

    def cue(self, seat: Seat, kind: Kind, format: Format, **what: Any) -> Cue:
        """What a turn is; `what` are further fields of the cue."""
        given = {"choices": self.question.choices, "defends": seat.defends} | what
        if self.question.free or self.question.names:
            given["called"] = tuple(map(self.question.called, given["choices"]))
        return Cue(
            question=self.question.fingerprint,
            sample=self.question.id,
            epoch=self.question.epoch,
            seed=self.seed,
            participant=seat.id,
            kind=kind,
            format=format,
            rounds=self.rounds,
            **given,
        )

    async def _ask(
        self, seat: Seat, messages: Sequence[ChatMessage], apart: int = 0, **what: Any
    ) -> Turn:
        """Ask for a turn; `apart` keeps its seed apart from those of like requests."""
        config = self.settings(seat, what["cue"].kind)
        if config.seed is not None and apart:
            # One seed would draw one answer, however often it is asked.
            config = config.model_copy(update={"seed": config.seed + apart})
        request = Request(
            model=seat.model,
            role=seat.role,
            config=config,
            messages=messages,
            max_reasks=self.config.max_reasks,
            max_characters=self.config.max_characters,
            **what,
        )
        return await ask(request)


# Holding a debate, or saying why there is nothing to hold it on.


async def hold_recorded(
    state: TaskState,
    hold: Callable[[Recorder], Awaitable[None]],
    *,
    source: Source | None,
    available: bool,
    **what: Unpack[What],
) -> None:
    """Hold a debate and write its record, or say why there is nothing to hold it on.

    Args:
        state: The sample.
        hold: Asks, and fills the recorder.
        source: The earlier run whose stages are used again, if any.
        available: Whether that run has them for this sample.
        what: What is debated, and how, as for `recording`.
    """
    reused_from = None if source is None else source.run
    async with recording(state, **what, reused_from=reused_from) as debate:
        if source is not None and not available:
            log = Path(source.typed).name  # folders are nobody else's business
            debate.ended_by = f"a failure of this sample in {log}"
        else:
            await hold(debate)


# A prompt of a system message and a user message.


@dataclass(frozen=True)
class Texts:
    """The two texts of a prompt."""

    system: str
    user: str

    def messages(self) -> list[ChatMessage]:
        """The prompt as messages."""
        return [
            ChatMessageSystem(content=self.system),
            ChatMessageUser(content=self.user),
        ]


# How two debaters take their turns in a round.

Speak = Callable[[Sequence[Turn]], Awaitable[Turn]]
"""Asks a debater for a speech, given what was said before."""


async def at_once(debate: Recorder, first: Speak, second: Speak) -> None:
    """Both speak, and neither hears the other's speech of the round."""
    before = tuple(debate.turns)
    await debate.together(first(before), second(before))


async def one_by_one(debate: Recorder, first: Speak, second: Speak) -> None:
    """Both speak, and the second has heard the first."""
    await debate.together(first(tuple(debate.turns)))
    await debate.together(second(tuple(debate.turns)))
