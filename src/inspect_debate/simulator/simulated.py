"""The provider behind `--model simulated/balanced`."""

import re
from math import ceil, log
from random import Random
from typing import Any

from inspect_ai.log._samples import sample_active
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    TopLogprob,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_debate.debate.ask import asked
from inspect_debate.debate.errors import InputError
from inspect_debate.simulator.knowledge import CONFLICT, in_conflict
from inspect_debate.simulator.profiles import Profile, profile_of
from inspect_debate.simulator.replies import REPLIES, Reply, texts
from inspect_debate.simulator.scene import Scene


class Simulated(ModelAPI):
    """A model that plays its part with planted probabilities.

    It knows the right answer of the sample, and uses it to be right as often as its
    profile says. What it says about the item is written to be read, and proves nothing.
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
            model_name: A profile and possibly a label: `balanced`, `weak/anna`.
            base_url: Not used.
            api_key: Not used.
            config: Inspect's settings; `max_tokens` and `logprobs` have an effect.
            parameters: Probabilities of `Profile` in place of the profile's.

        Raises:
            InputError: If the profile or a probability is not allowed.
        """
        super().__init__(model_name, base_url, api_key, [], config)
        self.parameters = parameters
        self._profile: Profile | None = None
        self._older: ModelAPI | None = None
        try:
            self._profile = profile_of(model_name, parameters)
        except InputError as error:
            try:
                self._older = self._of_older_studies(parameters)
            except ValueError:
                raise error from None

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Write the reply that the call asks for."""
        what, active = asked.get(), sample_active()
        if what is None or active is None:
            self._older = self._older or self._of_older_studies({})
            output = await self._older.generate(input, tools, tool_choice, config)
            assert isinstance(output, ModelOutput)
            return output
        profile = self._profile or profile_of(self.model_name, self.parameters)
        name = self.model_name
        scene = Scene(profile, name, what, input, active.sample, active.epoch)
        output = completion(scene, config)
        read = sum(tokens(message.text) for message in input)
        written = tokens(output.completion)
        output.usage = ModelUsage(
            input_tokens=read, output_tokens=written, total_tokens=read + written
        )
        return output

    async def count_text_tokens(self, text: str) -> int:
        """Four characters a token; Inspect's own way would download a vocabulary."""
        return tokens(text)

    def max_connections(self) -> int:
        """So many that a limit never shapes a run."""
        return 1000

    def _of_older_studies(self, parameters: dict[str, Any]) -> ModelAPI:
        """The model that plays the studies which still ask in the older way."""
        from inspect_debate.v1.simulator.simulated import Simulated as Older

        return Older(self.model_name, **parameters)


def tokens(text: str) -> int:
    """How many tokens a text counts as."""
    return ceil(len(text) / 4)


def completion(scene: Scene, config: GenerateConfig) -> ModelOutput:
    """What a simulated model sends back: a reply, or one of the usual failures.

    Raises:
        InputError: If simulated models do not know the kind of turn.
    """
    replies = CONFLICT if in_conflict(scene) else REPLIES
    if scene.asked.kind not in replies:
        known = ", ".join(replies)
        raise InputError(
            f"simulated models cannot write {scene.asked.kind!r}; they know: {known}."
        )
    reply = replies[scene.asked.kind](scene)
    text, stop_reason = _with_faults(scene, reply)
    if config.max_tokens is not None and tokens(text) > config.max_tokens:
        text, stop_reason = text[: 4 * config.max_tokens], "max_tokens"
    output = ModelOutput.from_content(scene.model, text, stop_reason)
    if config.logprobs:
        rng = scene.draw("tokens", scene.asked.round)
        output.choices[0].logprobs = logprobs(text, reply, config.top_logprobs, rng)
    return output


def _with_faults(scene: Scene, reply: Reply) -> tuple[str, StopReason]:
    """The reply's text, or what came instead; what was reminded of is never refused."""
    profile, what = scene.profile, scene.asked
    rng = scene.draw("fault", what.round, what.order)
    u = rng.random()
    if what.reminder:
        if rng.random() >= profile.mends:
            return rng.choice(texts()["unreadable"]), "stop"
        return reply.closing or reply.full, "stop"
    if u < profile.unreadable:
        return rng.choice(texts()["unreadable"]), "stop"
    if u < profile.unreadable + profile.refuses:
        if rng.random() < 0.5:
            return "", "content_filter"
        return rng.choice(texts()["refusal"]), "stop"
    if u < profile.unreadable + profile.refuses + profile.cut_off:
        return reply.full[: len(reply.full) * 2 // 3], "max_tokens"
    return reply.full, "stop"


def logprobs(text: str, reply: Reply, top: int | None, rng: Random) -> Logprobs:
    """Tokens that spell a text; the answer's own has the probability of the answer.

    Args:
        text: The completion.
        reply: What it was made of.
        top: How many alternatives were asked for.
        rng: Draws what does not matter.
    """
    content: list[Logprob] = []
    before, found, _ = text.rpartition(reply.answer or "\0")
    start, end, at = len(before), len(before + found), 0
    for piece in re.findall(r"\s?\w+|\s?[^\w\s]|\s", text):
        first, at = at, at + len(piece)
        if not piece.strip() or first >= end or at <= start:
            content.append(Logprob(token=piece, logprob=-rng.expovariate(4)))
            continue
        likely = sorted(reply.probabilities.items(), key=lambda one: -one[1])
        options = {name: log(max(p, 1e-9)) for name, p in likely}
        token = Logprob(token=piece, logprob=options[reply.answer])
        if top and piece.strip() == reply.answer:
            space = piece[: -len(reply.answer)]
            token.top_logprobs = [
                TopLogprob(token=space + name, logprob=one)
                for name, one in [*options.items()][:top]
            ]
        content.append(token)
    return Logprobs(content=content)
