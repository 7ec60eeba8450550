"""Asking a model for a turn, and asking several at once."""

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from json import JSONDecodeError
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageBase,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.util import span

from inspect_debate.v1.debate.answers import Decision
from inspect_debate.v1.debate.parsing import (
    declines_to_speak,
    looks_refused,
    repaired,
    split_reasoning,
)
from inspect_debate.v1.debate.record import (
    AnswerTokens,
    Frozen,
    Kind,
    Order,
    Parsed,
    Quote,
    Role,
    Status,
    TokenProbabilities,
    Turn,
    span_name,
)
from inspect_debate.v1.debate.rendering import as_shown
from inspect_debate.v1.debate.settings import (
    cache_policy,
    fewer_alternatives,
    perhaps_for_logprobs,
    refused_setting,
    refuses,
    runs_without_logprobs,
    say_once,
    sendable,
)
from inspect_debate.v1.debate.spending import note_read
from inspect_debate.v1.debate.tokens import answer_tokens, decision_probabilities

MAX_CHARACTERS = 120_000
"""At about 6 a word, 20 times the longest speech asked for, and twice what an answer's
16,384 tokens can be."""


# The description of a turn, attached to its last message for simulated models. Real
# providers ignore a message's metadata. It is part of the key of Inspect's cache, so
# that two roles on one model, or two draws, never share an entry.

_KEY = "inspect_debate"


class TurnDescription(Frozen):
    """What is asked of a participant, without the text of the prompt.

    `format` is the form of the completion that is asked for, by its name (see
    `inspect_debate.v1.simulator.forms.FORMS`).
    `called` are the names of the `choices`, where they have others than themselves.
    `draw` keeps apart several completions of one prompt. `shown` are the answers
    defended, in the order in which a judge sees their defenders; for an update, the
    answers that the others gave before, and `own_answer` is the participant's own.
    `passage` says whether the participant reads the passage that the question
    is about, and `hidden` of a judge that it may not.
    """

    question: str
    sample: str
    epoch: int
    seed: int
    participant: str
    kind: Kind
    format: str
    choices: tuple[str, ...]
    called: tuple[str, ...] = ()
    round: int = 0
    rounds: int = 0
    draw: str = ""
    passage: bool = False
    hidden: bool = False
    defends: str | None = None
    own_answer: str | None = None
    shown: tuple[str, ...] = ()
    reask: int = 0

    def name(self, choice: str) -> str:
        """What a choice is called in the completion that is asked for."""
        if not self.called:
            return choice
        return self.called[self.choices.index(choice)]

    def attach(self) -> dict[str, Any]:
        """The metadata of the message that asks for the turn."""
        return {_KEY: self.model_dump()}


def description_of(messages: list[ChatMessage]) -> TurnDescription | None:
    """The turn description attached to a conversation's last message, or None."""
    last: ChatMessageBase = messages[-1]
    data = (last.metadata or {}).get(_KEY)
    return None if data is None else TurnDescription.model_validate(data)


@dataclass(frozen=True)
class Reading:
    """A completion as its form reads it."""

    public: str
    fields: dict[str, Parsed]
    private: str = ""
    quotes: tuple[Quote, ...] = ()


SPEECH_LENGTH = "speech"
"""The field with the length of a free text in characters; not `ok` without a text."""


def read_text(text: str) -> Reading:
    """A text without a form, such as a speech."""
    speech = as_shown(text).strip()
    length = Parsed.ok(float(len(speech))) if speech else Parsed.unparsed()
    return Reading(speech, {SPEECH_LENGTH: length})


def replaced(earlier: Reading, later: Reading) -> Reading:
    """The reading of a re-ask in place of an earlier one."""
    return later


@dataclass(frozen=True)
class Form:
    """How a completion is read, and what is asked again where it cannot be.

    `required` names the field without which the turn is useless, or several;
    `reminder` gives the format line of the re-ask. `combined` makes one reading of an
    earlier one and that of a re-ask, which otherwise stands alone.
    `speech` names the field that any text at all would fill, a refusal in words, too.
    """

    read: Callable[[str], Reading]
    required: str | tuple[str, ...]
    reminder: Callable[[], str]
    combined: Callable[[Reading, Reading], Reading] = replaced
    speech: str | None = None

    def status(self, reading: Reading) -> Status:
        """The status of the required fields: the first that is not `ok`, else `ok`."""
        found = self.statuses(reading)
        return next((status for status in found if status != Status.OK), Status.OK)

    def statuses(self, reading: Reading) -> list[Status]:
        """How each of the required fields was read."""
        names = (self.required,) if isinstance(self.required, str) else self.required
        return [reading.fields[name].status for name in names]


Decided = Callable[[str], Mapping[str, Decision | None]]
"""Finds where a completion decides, by the name of the field that is decided."""


@dataclass(frozen=True)
class Request:
    """One turn to be asked for.

    What a completion has beyond `max_characters` is cut, and none of its fields is
    read. With `in_series` there is a verdict after every round. With `tokens` the
    tokens of the answer are kept, where `config` asks for log-probabilities; and where
    it asks for alternatives, `decided` finds where a completion decides, by field.
    `spoken` is the turn's, see `Turn`.
    """

    model: Model
    role: Role
    config: GenerateConfig
    messages: Sequence[ChatMessage]
    description: TurnDescription
    form: Form
    max_reasks: int = 1
    order: Order | None = None
    listed_first: str | None = None
    shown_first: str | None = None
    draw: int = 0
    about: str | None = None
    favours: str | None = None
    max_characters: int = MAX_CHARACTERS
    in_series: bool = False
    tokens: bool = False
    decided: Decided | None = None
    spoken: bool | None = None


@dataclass(frozen=True)
class Asked:
    """A turn, which is asked for once it is awaited."""

    request: Request

    def __await__(self) -> Generator[Any, None, Turn]:
        return ask(self.request).__await__()


@dataclass
class _Attempts:
    """The completions of one turn so far, and their cost."""

    completions: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    usage: ModelUsage = field(default_factory=ModelUsage)
    seconds: float = 0.0
    broken: int = 0

    @property
    def calls(self) -> int:
        return len(self.completions) + self.broken

    def add(self, output: ModelOutput, thought: str, limit: int) -> None:
        self.completions.append(repaired(output.completion)[:limit])
        thoughts = (repaired(_reasoning(output)), thought)
        self.reasoning += [text[:limit] for text in thoughts if text]
        used = output.usage or ModelUsage()
        self.usage = self.usage + used if len(self.completions) > 1 else used
        self.seconds += output.time or 0.0


async def ask(request: Request) -> Turn:
    """Ask for a turn; ask once more where its required field cannot be read.

    Args:
        request: What is asked of whom.

    Returns:
        The turn, with the status of every field. A refused or truncated completion
        is not asked again.
    """
    description = request.description
    name = span_name(
        description.kind,
        description.participant,
        description.round,
        request.draw,
        order=request.order,
        shown_first=request.shown_first,
        about=request.about,
        in_series=request.in_series,
    )
    attempts = _Attempts()
    messages = list(request.messages)
    reading: Reading | None = None
    async with span(name, type=description.kind):
        while True:
            output = await _generate(request, messages, attempts)
            visible, thought = split_reasoning(output.completion)
            attempts.add(output, thought, request.max_characters)
            latest = _read(request, visible, output)
            reading = request.form.combined(reading, latest) if reading else latest
            status = request.form.status(reading)
            asked_again = len(attempts.completions) - 1
            if status != Status.UNPARSED or asked_again >= request.max_reasks:
                break
            messages += [
                ChatMessageAssistant(content=visible.strip() or "(no answer)"),
                ChatMessageUser(content=request.form.reminder()),
            ]
    note_read(request.form.statuses(reading))
    return Turn(
        participant=description.participant,
        role=request.role,
        kind=description.kind,
        round=description.round,
        model=str(request.model),
        served=output.model,
        public=reading.public,
        private=reading.private,
        reasoning="\n\n".join(attempts.reasoning),
        fields=reading.fields,
        quotes=reading.quotes,
        order=request.order,
        listed_first=request.listed_first,
        shown_first=request.shown_first,
        draw=request.draw,
        about=request.about,
        favours=request.favours,
        spoken=request.spoken,
        tokens=_tokens(request, reading, output),
        probabilities=_probabilities(request, reading, output, attempts),
        superseded=tuple(attempts.completions[:-1]),
        stop_reason=output.stop_reason,
        usage=attempts.usage,
        seconds=attempts.seconds,
        calls=attempts.calls,
    )


_PAUSES = (0.1, 0.5, 2.0)
"""Seconds before a reply that is no completion is asked for again, each time."""

_MALFORMED = (JSONDecodeError, TypeError, AttributeError)
"""What Inspect raises at a reply that is no JSON, or no completion.

Some gateways answer with status 200 and `{"error": ...}`.
"""


async def _generate(
    request: Request, messages: list[ChatMessage], attempts: _Attempts
) -> ModelOutput:
    """A completion. A reply that is none is asked for again; Inspect does not."""
    reask = len(attempts.completions)
    description = request.description
    if reask:
        description = description.model_copy(update={"reask": reask})
    asking = messages[-1].model_copy(update={"metadata": description.attach()})
    prompt = [*messages[:-1], asking]
    for pause in (*_PAUSES, None):
        malformed: Exception | None = None
        try:
            output = await _reply(request, prompt, attempts)
            if output.choices:
                return output
            if output.error:
                break
        except _MALFORMED as error:
            malformed = error
            kind = type(error).__name__
            say_once(f"{request.model} sent a reply without a completion ({kind}).")
        if pause is not None:
            attempts.broken += 1
            await anyio.sleep(pause)
    reason = output.error if malformed is None else repr(malformed)
    raise RuntimeError(
        f"{request.model} returned no completion: {reason}"
    ) from malformed


async def _reply(
    request: Request, prompt: list[ChatMessage], attempts: _Attempts
) -> ModelOutput:
    """A reply; where the model refuses settings, one without them."""

    async def reply(config: GenerateConfig) -> ModelOutput:
        return await request.model.generate(prompt, config=config, cache=cache)

    description = request.description
    while True:
        config = sendable(request.model, request.config)
        cache = cache_policy(
            config, role=description.participant, draw=description.draw
        )
        try:
            return await reply(config)
        except Exception as error:  # each provider has its own type; others go on
            # A model may refuse several settings, and tells of one at a time.
            if refused_setting(request.model, config, error):
                continue
            if not perhaps_for_logprobs(config, error):
                raise
            if fewer_alternatives(request.model, config):
                continue
            bare = config.model_copy(update={"logprobs": None, "top_logprobs": None})
            try:
                output = await reply(bare)
            except Exception:  # they were not the reason, so the first error counts
                raise error from None
            runs_without_logprobs(request.model)
            return output


def _tokens(
    request: Request, reading: Reading, output: ModelOutput
) -> AnswerTokens | None:
    """The answer's own tokens, where they were asked for, or why there are none."""
    if not (request.tokens and request.config.logprobs):
        return None
    if refuses(request.model, "logprobs"):
        return AnswerTokens(status="refused")
    answer = reading.fields["answer"].value
    return answer_tokens(output, None if answer is None else str(answer))


def _probabilities(
    request: Request, reading: Reading, output: ModelOutput, attempts: _Attempts
) -> dict[str, TokenProbabilities] | None:
    """Those of the answers between which a turn decides, where they were asked for."""
    if request.decided is None or request.config.top_logprobs is None:
        return None
    places = request.decided(split_reasoning(output.completion).visible.strip())
    if refuses(request.model, "logprobs"):
        return {name: TokenProbabilities(status="refused") for name in places}
    thought = attempts.usage.reasoning_tokens
    reasoned = bool(attempts.reasoning or thought or attempts.completions[1:])
    return {
        name: decision_probabilities(
            output, place, reading.fields[name], reasoned=reasoned
        )
        for name, place in places.items()
    }


def _read(request: Request, visible: str, output: ModelOutput) -> Reading:
    """Read a completion; fields lost to a refusal or a cut-off have that status."""
    form, limit = request.form, request.max_characters
    capped, visible = len(visible) > limit, visible[:limit]
    reading = form.read(visible)
    if output.stop_reason == "content_filter" or _flagged(output):
        return _because(reading, Status.REFUSED, [*reading.fields])
    if capped or output.stop_reason in ("max_tokens", "model_length"):
        status = Status.CAPPED if capped else Status.TRUNCATED
        return _because(reading, status, [*reading.fields])
    if form.speech and declines_to_speak(reading.public):
        return _because(reading, Status.REFUSED, [form.speech])
    if form.status(reading) == Status.UNPARSED and looks_refused(visible):
        return _because(reading, Status.REFUSED)
    return reading


def _flagged(output: ModelOutput) -> bool:
    """Whether a provider says that the model refused, as OpenAI's `refusal` field does.

    Inspect marks the text of such a message, too; but it marks every text where a
    server sends `"refusal": ""`, so the mark alone says nothing.
    """
    details = output.choices[0].stop_details
    return details is not None and details.type == "refusal"


def _because(reading: Reading, status: Status, names: Sequence[str] = ()) -> Reading:
    """The reading with a status for the named fields, and for unparsed ones."""
    fields = {
        name: Parsed(status=status)
        if name in names or parsed.status == Status.UNPARSED
        else parsed
        for name, parsed in reading.fields.items()
    }
    return Reading(reading.public, fields, reading.private, reading.quotes)


def _reasoning(output: ModelOutput) -> str:
    content = output.message.content
    if isinstance(content, str):
        return ""
    return "\n\n".join(
        (part.summary or "") if part.redacted else part.reasoning
        for part in content
        if isinstance(part, ContentReasoning)
    )


async def together(*calls: Awaitable[Turn]) -> list[Turn | Exception]:
    """Run calls that do not depend on each other at once.

    Args:
        calls: The calls, each of which makes one turn.

    Returns:
        Turns in the order of the arguments; an exception in the place of a call that
        failed, so that one failure neither cancels nor hides a sibling that was paid
        for. A cancellation goes through at once.
    """
    outcomes: list[Any] = [None] * len(calls)

    async def run(index: int) -> None:
        try:
            outcomes[index] = await calls[index]
        except Exception as error:  # raised by the recorder, once all have ended
            outcomes[index] = error

    async with anyio.create_task_group() as group:
        for index in range(len(calls)):
            group.start_soon(run, index)
    return outcomes
