"""Asking a model for a turn."""

import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from json import JSONDecodeError
from logging import getLogger
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import anyio
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
)
from inspect_ai.util import LimitExceededError, span
from pydantic import ValidationError

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.logprobs import answer_tokens, option_probabilities
from inspect_debate.debate.readers import declines
from inspect_debate.debate.record import Debate, Status, Turn, tokens_read
from inspect_debate.debate.roles import Participant, replayed
from inspect_debate.debate.text import Quote, Reply, escape, split_reasoning

logger = getLogger(__name__)

MAX_CHARACTERS = 120_000
"""Longer public text is cut before others read it."""


class Read(NamedTuple):
    """What a protocol's reader made of a reply.

    Attributes:
        public: What others may read, escaped.
        fields: What was read.
        ok: False where something that the reply has to say could not be read; the
            model is asked once more.
        strict: Whether the form is one that no refusal has. Free text and short answers
            are not: "I can't help with that" would be a speech, or an answer.
        quotes: The quotes in the public text.
        place: Where the answer is in the reply, for its log-probabilities.
        names: What each option is called in the reply, for its probability.
        places: Where several answers are in the reply, by what they are about. Of each
            the probability of the first of `names` is kept.
        reminder: What to answer an unread reply with, in place of the call's own. It
            asks for what is missing alone, so it is sent after a cut as well.
        complete: Whether a reply to the reminder stands alone. Otherwise it only adds
            the line that was missing, and others read both.
        closed: Whether it ended before the reply did, so that a cut takes nothing away.
    """

    public: str
    fields: Mapping[str, Any]
    ok: bool = True
    strict: bool = False
    quotes: tuple[Quote, ...] = ()
    place: tuple[int, int] | None = None
    names: Mapping[str, str] = {}
    places: Mapping[str, tuple[int, int]] = {}
    reminder: str = ""
    complete: bool = False
    closed: bool = False


Asking = Coroutine[Any, Any, Turn]
Start = Callable[[Asking], None]
Parse = Callable[[str], Read]
"""Reads a reply. It never sees reasoning, so it cannot make it public."""


class Asked(NamedTuple):
    """What a call asks for. Simulated models answer it; nothing of it is sent."""

    kind: str
    role: str
    name: str
    round: int
    draw: int
    order: str
    reminder: bool


asked: ContextVar[Asked | None] = ContextVar("asked", default=None)

typed_settings: ContextVar[GenerateConfig | None] = ContextVar("typed", default=None)
"""The generation settings that the user gave for the run (`run.py`)."""


async def ask(
    who: Participant,
    kind: str,
    prompt: str,
    parse: Parse,
    *,
    reminder: str,
    reminders: int = 1,
    system: str = "",
    history: list[ChatMessage] | None = None,
    config: GenerateConfig | None = None,
    fixed: GenerateConfig | None = None,
    round: int = 0,
    order: str = "",
    draw: int = 0,
) -> Turn:
    """Ask for a turn, and once more if the reply cannot be read.

    Args:
        who: Who is asked.
        kind: What is asked for.
        prompt: The message.
        parse: Reads the reply.
        reminder: What an unread reply is answered with.
        reminders: How often; 0 turns it off.
        system: The system message.
        history: The participant's own earlier messages, where the protocol is a chat.
        config: What the study prescribes. What the user sets for the run, and above
            that on the role, wins.
        fixed: What makes the call what it is, such as a temperature at which draws
            differ; nothing overrides it.
        round: The round of the debate, from 1; 0 before it.
        order: In which order the speaker reads the answers, where that varies.
        draw: The number of this reply where several are drawn.

    Returns:
        The turn. It is not recorded yet: see `together`.
    """
    turn = Turn(speaker=who.name, role=who.role, kind=kind, round=round, order=order)
    turn.draw, turn.model = draw, str(who.model)
    if (earlier := replayed.get()) is not None and who.role != "judge":
        return _earlier(turn, earlier)
    settings = GenerateConfig()  # Inspect's own `merge` copies all of it each time
    for given in filter(None, (config, typed_settings.get(), who.model.config, fixed)):
        own = {name: getattr(given, name) for name in given.model_fields_set}
        known = {name: value for name, value in own.items() if value is not None}
        settings = settings.model_copy(update=known)
    if settings.seed is not None:  # one seed for all draws would give one answer
        settings.seed += draw
    if settings.cache:
        settings.cache = _scoped(settings, who, draw)
    messages: list[ChatMessage] = [ChatMessageSystem(content=system)] if system else []
    messages += [*(history or []), ChatMessageUser(content=prompt)]
    shown: list[str] = []
    title = f"{kind}, {who.name}" + (f", round {round}" if round else "")
    async with span(title, type=kind):
        for attempt in range(reminders + 1):
            turn.reminded = attempt > 0
            what = Asked(kind, who.role, who.name, round, draw, order, turn.reminded)
            output = await _generate(who.model, messages, settings, what)
            reply = _reply(output)
            read = parse(reply.public)
            turn.status = _status(output, reply, read)
            turn.calls += 1
            if output.usage:
                turn.input_tokens += tokens_read(output.usage)
                turn.output_tokens += output.usage.output_tokens
            turn.private += f"{reply.private}\n{output.completion}".strip() + "\n\n"
            shown = [read.public] if read.complete else [*shown, read.public]
            cut = turn.status == "truncated" and output.stop_reason == "max_tokens"
            if cut and read.reminder:
                turn.stop_reason = "max_tokens"  # stays, though the reminder is read
            elif turn.status not in ("unparsed", "missing"):
                break
            said = ChatMessageAssistant(content=reply.public or "(no answer)")
            messages += [said, ChatMessageUser(content=read.reminder or reminder)]
    _fill(turn, output, reply, read, "\n\n".join(filter(None, shown)))
    turn.omitted = sorted(_refused.get(who.model.api, ()))
    return turn


@contextmanager
def replaying(debate: Debate) -> Iterator[None]:
    """Within it, all turns but the judges' are those of an earlier debate."""
    earlier: dict[tuple[Any, ...], list[Turn]] = {}
    for turn in debate.turns:
        earlier.setdefault(_place(turn), []).append(turn)
    token = replayed.set(earlier)
    try:
        yield
    finally:
        replayed.reset(token)


def _place(turn: Turn) -> tuple[Any, ...]:
    kind = turn.kind.replace("candidate", "speech")  # which it was asked for as
    return (turn.role, turn.speaker, kind, turn.round, turn.order, turn.draw)


def _earlier(turn: Turn, earlier: Mapping[tuple[Any, ...], list[Turn]]) -> Turn:
    """The next turn in that place: rewards of several candidates share one."""
    if not (found := earlier.get(_place(turn))):
        raise InputError(
            f"the earlier debate has no {turn.kind} of {turn.speaker} in round "
            f"{turn.round}; only what its judges read and are asked can be changed."
        )
    return found.pop(0).model_copy(deep=True)


def _fill(
    turn: Turn, output: ModelOutput, reply: Reply, read: Read, shown: str
) -> None:
    """Complete a turn by what its status allows."""
    turn.private = turn.private.strip()
    ended = output.stop_reason if output.choices else ""
    turn.stop_reason = turn.stop_reason or ended
    if ended == "model_length":  # the text may be the provider's message
        turn.error = output.completion
    elif not output.choices:
        turn.error = output.error or "no completion"
    elif turn.status not in ("refused", "missing"):
        # Whatever a reader left: escaping twice changes nothing.
        turn.public = shown if read.quotes else escape(shown)
        turn.quotes = [*read.quotes]
    if len(turn.public) > MAX_CHARACTERS:
        turn.public = _cut(turn.public) + " [...]"
        turn.status = "capped" if turn.status == "ok" else turn.status
    if turn.status == "ok":
        turn.fields = dict(read.fields)
        if read.place:
            tokens = answer_tokens(output, reply.public, *read.place)
            # Some servers send 1e-9.
            turn.logprobs = [min(token.logprob, 0.0) for token in tokens]
            turn.probabilities = option_probabilities(tokens, read.names)
        for about, place in read.places.items():
            tokens = answer_tokens(output, reply.public, *place)
            if found := option_probabilities(tokens, read.names):
                turn.probabilities[about] = next(iter(found.values()))


def _cut(text: str) -> str:
    """The beginning of a text, without a quote that would stay open, or half a tag."""
    text = re.sub(r"<[^<>]{0,9}\Z", "", text[:MAX_CHARACTERS])
    opened, closed = (
        max(text.rfind(f"<{end}{kind}_quote>") for kind in "vu") for end in ("", "/")
    )
    return text[:opened] if opened > closed else text


def free_text(reply: str) -> Read:
    """A reply of which others read everything."""
    return Read(escape(reply), {}, ok=bool(reply), complete=True)


@asynccontextmanager
async def background(debate: Debate) -> AsyncIterator["Start"]:
    """Start calls that nobody waits for before the block ends.

    Then all are awaited, even if one of them or the block failed, since they are paid
    for; they are recorded in the order in which they were started, and the first
    failure is raised. A task group alone, or Inspect's `collect`, would cancel them.
    """
    done: list[Turn | Exception | None] = []

    async def finish(place: int, call: Asking) -> None:
        try:
            done[place] = await call
        except Exception as error:
            done[place] = error

    try:
        async with anyio.create_task_group() as group:

            def start(call: Asking) -> None:
                done.append(None)
                group.start_soon(finish, len(done) - 1, call)

            try:
                yield start
            except Exception as error:
                done.append(error)
    finally:  # a time limit cancels the calls that are not done
        debate.turns += [turn for turn in done if isinstance(turn, Turn)]
    failures = [error for error in done if isinstance(error, Exception)]
    # A limit ends the sample in good order, which another error would hide.
    failures.sort(key=lambda error: not isinstance(error, LimitExceededError))
    if failures:
        raise failures[0]


async def together(debate: Debate, *calls: Asking) -> list[Turn]:
    """Ask for turns at once, and return them in the order of the calls."""
    before = len(debate.turns)
    async with background(debate) as start:
        for call in calls:
            start(call)
    return debate.turns[before:]


# --- The call itself ------------------------------------------------------------------

_OPTIONAL = ("temperature", "logprobs", "top_logprobs", "seed")
_refused: WeakKeyDictionary[ModelAPI, set[str]] = WeakKeyDictionary()
_PAUSES = (0.1, 0.5, 2.0)
# What Inspect raises where a gateway answers with status 200 and no completion.
_MALFORMED = (JSONDecodeError, TypeError, AttributeError)
_CONTEXT = re.compile(
    r"context.{0,40}(?:length|size|window)|exceed.{0,40}context"
    r"|(?:input|prompt) is too long",
    re.I,
)


async def _generate(
    model: Model, messages: list[ChatMessage], config: GenerateConfig, what: Asked
) -> ModelOutput:
    """A completion; replies that are none are asked for again, which Inspect does not.

    Settings that the model has refused before are left out.
    """
    output, malformed = None, None
    for pause in (*_PAUSES, None):
        sent = config.model_copy(update=dict.fromkeys(_refused.get(model.api, ())))
        token = asked.set(what)
        try:
            output = await model.generate(list(messages), config=sent)
            if output.choices or output.error:
                return output
        except _MALFORMED as error:
            malformed = error
        except Exception as error:
            return await _mended(model, messages, sent, what, error)
        finally:
            asked.reset(token)
        if pause is not None:
            await anyio.sleep(pause)
    if output is not None:
        return output
    raise RuntimeError(f"{model} returned no completion: {malformed!r}") from malformed


async def _mended(
    model: Model,
    messages: list[ChatMessage],
    sent: GenerateConfig,
    what: Asked,
    error: Exception,
) -> ModelOutput:
    """The same call without the optional settings that a bad request is about.

    Providers refuse a temperature in many words ("is deprecated", "only 1 is allowed"),
    so every one that is named counts. Inspect's own message ends with the whole
    request, hence `provider_message`. Log-probabilities are refused in any words, or
    sent as null, which Inspect cannot read. Context errors that Inspect does not
    recognise get the stop reason that they should have.
    """
    said = str(getattr(error, "provider_message", None) or "")
    null = isinstance(error, ValidationError) and "Logprob" in error.title
    if not null and getattr(error, "status_code", None) not in (400, 413, 422):
        raise error
    # What the user set, on the role or for the run, is the user's to mend.
    users = (typed_settings.get() or GenerateConfig()).merge(model.config)
    ours = [name for name in _OPTIONAL if getattr(users, name) is None]
    ours = [name for name in ours if getattr(sent, name) is not None]
    named = [name for name in ours if name in said.lower()]
    if not named and _CONTEXT.search(said):
        return ModelOutput.from_content(str(model), said, "model_length")
    names = named or [name for name in ours if "logprobs" in name]
    if not named and "logprobs" not in names:
        raise error
    without = sent.model_copy(update=dict.fromkeys(names))
    try:
        output = await _generate(model, messages, without, what)
    except Exception as another:
        raise (another if named else error) from None
    _refused.setdefault(model.api, set()).update(names)
    logger.warning("%s refuses %s and runs without.", model, ", ".join(names))
    return output


def _scoped(config: GenerateConfig, who: Participant, draw: int) -> CachePolicy:
    """The user's cache policy, with entries of their own for each participant and draw.

    Inspect's cache key has neither the role nor the model's arguments, which may hold
    keys and are therefore hashed.
    """
    policy = config.cache if isinstance(config.cache, CachePolicy) else CachePolicy()
    # Objects by their type: their repr has an address, which is another in each run.
    arguments = json.dumps(
        who.model.model_args, sort_keys=True, default=lambda one: type(one).__name__
    )
    scopes = {
        "participant": f"{who.role}/{who.name}",
        "arguments": hashlib.sha256(arguments.encode()).hexdigest()[:12],
        "draw": str(draw),
    }
    return policy.model_copy(update={"scopes": policy.scopes | scopes})


def _reply(output: ModelOutput) -> Reply:
    """The public and private parts of a reply, in whichever field they came."""
    if not output.choices:
        return Reply("", output.error or "")
    content = output.message.content
    parts = content if isinstance(content, list) else []
    apart = [p.reasoning for p in parts if isinstance(p, ContentReasoning)]
    public, inline = split_reasoning(output.completion)
    return Reply(public, "\n".join([*apart, inline]).strip())


def _status(output: ModelOutput, reply: Reply, read: Read) -> Status:
    """Flags come first: a flagged reply has no fields, and one cut in what is read."""
    if not output.choices:
        return "missing"
    details = getattr(output.choices[0], "stop_details", None)
    flags = {output.stop_reason, getattr(details, "type", "")}
    if flags & {"refusal", "content_filter"}:
        return "refused"
    cut = {"model_length"} if read.closed else {"max_tokens", "model_length"}
    if output.stop_reason in cut:
        return "truncated"
    if not reply.public:
        return "missing"
    if declines(reply.public) and not (read.ok and read.strict):
        return "refused"
    return "ok" if read.ok else "unparsed"
