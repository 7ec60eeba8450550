"""The provider behind `--model simulated/<profile>`."""

import re
from hashlib import blake2b
from math import ceil
from random import Random
from typing import Any, Literal, NamedTuple

import anyio
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_debate.v1.debate.calls import TurnDescription, description_of
from inspect_debate.v1.simulator import corruption
from inspect_debate.v1.simulator.behaviour import Behaviour
from inspect_debate.v1.simulator.decisions import decision_logprobs
from inspect_debate.v1.simulator.forms import form_of
from inspect_debate.v1.simulator.policy import Draws
from inspect_debate.v1.simulator.profiles import behaviour_of
from inspect_debate.v1.simulator.texts import Draft, write_reasoning

CHARACTERS_PER_TOKEN = 4

FOREIGN = "I only play the debates of inspect-debate; here I have no part."


Fate = Literal["fine", "unreadable", "refused", "truncated"]


class Reply(NamedTuple):
    """A completion, what was thought before it, and why it ended."""

    text: str
    reasoning: str
    stop_reason: StopReason


class Simulated(ModelAPI):
    """A model that plays a debate by its parameters, without reading its prompt.

    The turn description attached to the last message says what is asked. Simulated
    models serve rehearsals, tests and power analysis; they cannot show that a prompt
    asks for the right thing.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (Inspect's signature)
        **parameters: Any,
    ) -> None:
        """Set up a profile.

        Args:
            model_name: A profile (`inspect_debate.v1.simulator.profiles.PROFILES`).
            base_url: Not used.
            api_key: Not used.
            config: Inspect's settings; only `max_tokens` and `logprobs` have an effect.
            parameters: Those of `Behaviour`, in place of the profile's.

        Raises:
            InputError: If the profile or a parameter is not allowed.
        """
        super().__init__(model_name, base_url, api_key, [], config)
        self.behaviour = behaviour_of(model_name, parameters)
        self.prefixes = PrefixMemory()

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Play the turn that the last message's turn description asks for.

        Tokens are counted as four characters each; what repeats the prefix of an
        earlier prompt counts as read from a cache.

        Raises:
            RuntimeError: If log-probabilities are asked for that the model refuses.
        """
        check_taken(self.behaviour, config)
        if self.behaviour.latency:
            await anyio.sleep(self.behaviour.latency)
        description = description_of(input)
        choice, reply = self._choice(description, input, config)
        output = ModelOutput(model=self.model_name, choices=[choice])
        output.usage = self._usage(input, reply)
        return output

    def _choice(
        self,
        description: TurnDescription | None,
        input: list[ChatMessage],
        config: GenerateConfig,
    ) -> tuple[ChatCompletionChoice, Reply]:
        if description is None:
            reply = Reply(FOREIGN, "", "stop")
        else:
            reply = play(self.behaviour, description, _first_user_text(input))
        if config.max_tokens is not None:
            reply = cut(reply, config.max_tokens)
        content: list[Content] = [ContentText(text=reply.text)]
        if reply.reasoning:
            content.insert(0, ContentReasoning(reasoning=reply.reasoning))
        choice = ModelOutput.from_content(
            self.model_name,
            content if reply.reasoning else reply.text,
            reply.stop_reason,
        ).choices[0]
        if description is not None and config.logprobs:
            draws = Draws(self.behaviour, description)
            pieces = _pieces(reply.text, draws.attempt("tokens"))
            choice.logprobs = decision_logprobs(draws, pieces)
        return choice, reply

    async def count_text_tokens(self, text: str) -> int:
        """Four characters a token; Inspect's own way would download a vocabulary."""
        return tokens(text)

    def max_connections(self) -> int:
        """So many that a limit never shapes a simulation."""
        return 1000

    def connection_key(self) -> str:
        """One pool of connections per profile."""
        return self.model_name

    def _usage(self, input: list[ChatMessage], reply: Reply) -> ModelUsage:
        prompt = "\n".join(message.text for message in input)
        cached = self.prefixes.seen(prompt) // CHARACTERS_PER_TOKEN
        fresh = tokens(prompt) - cached
        thought = tokens(reply.reasoning)
        written = tokens(reply.text) + thought
        return ModelUsage(
            input_tokens=fresh,
            input_tokens_cache_read=cached,
            output_tokens=written,
            reasoning_tokens=thought or None,
            total_tokens=fresh + cached + written,
        )


def tokens(text: str) -> int:
    """The number of tokens that a text counts as."""
    return ceil(len(text) / CHARACTERS_PER_TOKEN)


def cut(reply: Reply, max_tokens: int) -> Reply:
    """A reply that keeps within `max_tokens`; its reasoning is spent first."""
    if tokens(reply.reasoning) + tokens(reply.text) <= max_tokens:
        return reply
    reasoning = reply.reasoning[: max_tokens * CHARACTERS_PER_TOKEN]
    rest = max_tokens - tokens(reasoning)
    text = reply.text[: rest * CHARACTERS_PER_TOKEN]
    return Reply(text, reasoning, "max_tokens")


def _first_user_text(input: list[ChatMessage]) -> str:
    """The message with the item; a re-ask follows in a message of its own."""
    return next((message.text for message in input if message.role == "user"), "")


# Log-probabilities of a completion's tokens, as a provider sends them.

_REFUSED = (
    "Error code: 400 - Unsupported parameter: 'logprobs' is not supported with this "
    "model."
)
_QUOTES = frozenset("\"'")


def check_taken(behaviour: Behaviour, config: GenerateConfig) -> None:
    """End a call that asks for log-probabilities where the model takes no such request.

    Raises:
        RuntimeError: As a provider words it.
    """
    if config.logprobs and behaviour.logprobs == "refused":
        raise RuntimeError(_REFUSED)


def _pieces(text: str, rng: Random) -> list[str]:
    """Pieces of words with the space before them; quotes and line ends may be glued."""
    length = rng.randint(2, 9)
    pieces: list[str] = []
    for piece in re.findall(rf" ?\w{{1,{length}}}| ?[^\w\s]|\s", text):
        after_quote = bool(pieces) and pieces[-1][-1] in _QUOTES
        glues = piece == "\n" or piece in _QUOTES or after_quote
        if pieces and glues and rng.random() < 0.5:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


# How much of the prompts a provider's prefix cache could have served.

BLOCK = 256
"""Characters per block: 64 tokens at four characters each."""

_REMEMBERED = 100_000


class PrefixMemory:
    """Remembers prompts by blocks, each known only together with all before it.

    A bounded number of blocks is remembered; the oldest are forgotten.
    """

    def __init__(self) -> None:
        self._recent: set[bytes] = set()
        self._older: set[bytes] = set()
        self._repeated = 0
        self._all = 0

    def seen(self, text: str) -> int:
        """Characters, in whole blocks, that repeat the beginning of an earlier prompt.

        Args:
            text: The whole prompt; it is remembered for the prompts that follow.
        """
        chain: list[bytes] = []
        digest = b""
        for start in range(0, len(text) - BLOCK + 1, BLOCK):
            block = text[start : start + BLOCK].encode(errors="surrogatepass")
            digest = blake2b(block, key=digest, digest_size=8).digest()
            chain.append(digest)
        known = 0
        while known < len(chain) and self._knows(chain[known]):
            known += 1
        self._remember(chain)
        self._repeated += known * BLOCK
        self._all += len(text)
        return known * BLOCK

    @property
    def share(self) -> float:
        """Share of all characters so far that repeated a prefix; NaN before any."""
        return self._repeated / self._all if self._all else float("nan")

    def _knows(self, digest: bytes) -> bool:
        return digest in self._recent or digest in self._older

    def _remember(self, chain: list[bytes]) -> None:
        self._recent.update(chain)
        if len(self._recent) > _REMEMBERED:
            self._older, self._recent = self._recent, set()


# From a turn description to a completion. What it says does not depend on whether it is
# a re-ask; how it goes wrong does.


def play(behaviour: Behaviour, description: TurnDescription, prompt: str) -> Reply:
    """What a simulated model replies.

    Args:
        behaviour: The model.
        description: What is asked of it.
        prompt: The text from which passages may be quoted; nothing else is read in it.

    Raises:
        InputError: If the form is unknown, or if something is asked of a question in
            words or of a task of which no data set has registered what is right.
    """
    form, draws = form_of(description), Draws(behaviour, description)
    ending = fate(draws)
    if ending == "refused":
        refusal = draws.attempt("refusal").choice(corruption.REFUSALS)
        return Reply(refusal, "", "content_filter")
    content = form.says(draws, prompt)
    draft = form.write(content, behaviour.words, draws.content("text"))
    attacked = draws.content("hostile")
    if content.attack and attacked.random() < behaviour.hostile_rate:
        draft = corruption.hostile(behaviour, draft, content.attack, attacked)
    thought = write_reasoning(behaviour.reasoning_words, draws.content("reasoning"))
    if ending == "truncated":
        text = corruption.truncated(draft, draws.attempt("cut"))
        return Reply(text, thought, "max_tokens")
    if ending == "unreadable":
        rng = draws.attempt("unreadable")
        text = corruption.unreadable(behaviour, draft, form, content, rng)
        return Reply(text, thought, "stop")
    if description.reask and not form.whole:
        draft = Draft("", draft.closing)
    return Reply(draft.text, thought, "stop")


def fate(draws: Draws) -> Fate:
    """How a call goes. A re-ask is never refused or cut."""
    behaviour = draws.behaviour
    u = draws.attempt("fate").random()
    if draws.description.reask:
        return "fine" if u < behaviour.reask_success else "unreadable"
    outcomes: list[tuple[Fate, float]] = [
        ("refused", behaviour.refused_rate),
        ("truncated", behaviour.truncated_rate),
        ("unreadable", behaviour.unreadable_rate),
    ]
    for outcome, rate in outcomes:
        if u < rate:
            return outcome
        u -= rate
    return "fine"
