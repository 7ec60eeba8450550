"""Record a debate while it runs."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

import anyio
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.debate.calls import together
from inspect_debate.debate.free_answers import given_answers
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import (
    Aggregation,
    DebateRecord,
    Grade,
    Participant,
    PromptsUsed,
    Turn,
    write_record,
)
from inspect_debate.debate.settings import as_sent, say_once


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
    grades: list[Grade] = field(default_factory=list)
    skip_reason: str | None = None
    aggregation: Aggregation = "agreement"
    drawn: str | None = None
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
            grades=tuple(recorder.grades),
            debated=any(turn.is_spoken for turn in recorder.turns),
            skip_reason=recorder.skip_reason,
            aggregation=recorder.aggregation,
            drawn=recorder.drawn,
            complete=recorder.ended_by is None,
            ended_by=recorder.ended_by,
            reused_from=reused_from,
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
