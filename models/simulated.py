"""The provider behind `--model simulated/<profile>`."""

from math import ceil
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_debate.core.cue import cue_of
from inspect_debate.models.deciding import Draws
from inspect_debate.models.logprobs import check_taken, logprobs_of
from inspect_debate.models.playing import Reply, play
from inspect_debate.models.prefixes import PrefixMemory
from inspect_debate.models.profiles import behaviour_of

CHARACTERS_PER_TOKEN = 4
FOREIGN = "I only play the debates of inspect-debate; here I have no part."


class Simulated(ModelAPI):
    """A model that plays a debate by its parameters, without reading its prompt.

    What is asked of it stands in the cue attached to the last message. It serves
    rehearsals, tests and power analysis; what it cannot show is that a prompt asks for
    the right thing.
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
            model_name: A profile (`inspect_debate.models.profiles.PROFILES`).
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
        """Play the turn that the last message's cue asks for.

        Tokens are counted as four characters each; what repeats the prefix of an
        earlier prompt counts as read from a cache.

        Raises:
            RuntimeError: If log-probabilities are asked for that the model refuses.
        """
        check_taken(self.behaviour, config)
        if self.behaviour.latency:
            await anyio.sleep(self.behaviour.latency)
        cue = cue_of(input)
        if cue is None:
            reply = Reply(FOREIGN, "", "stop")
        else:
            reply = play(self.behaviour, cue, _first_user_text(input))
        if config.max_tokens is not None:
            reply = cut(reply, config.max_tokens)
        content: list[Content] = [ContentText(text=reply.text)]
        if reply.reasoning:
            content.insert(0, ContentReasoning(reasoning=reply.reasoning))
        output = ModelOutput.from_content(
            self.model_name,
            content if reply.reasoning else reply.text,
            reply.stop_reason,
        )
        if cue is not None and config.logprobs:
            draws = Draws(self.behaviour, cue)
            output.choices[0].logprobs = logprobs_of(draws, reply.text, reply.told)
        output.usage = self._usage(input, reply)
        return output

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
            reasoning_tokens=thought if reply.reasoning else None,
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
    """Where the item stands; a re-ask follows in a message of its own."""
    return next((message.text for message in input if message.role == "user"), "")
