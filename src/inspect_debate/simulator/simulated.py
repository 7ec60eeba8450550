"""The provider behind `--model simulated/balanced`."""

from math import ceil, log
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
from inspect_debate.simulator.profiles import profile_of
from inspect_debate.simulator.replies import REPLIES, Reply, of_own_kind
from inspect_debate.simulator.scene import Scene, texts


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
        """Set up a profile, with probabilities given by `-M` in place of its own."""
        super().__init__(model_name, base_url, api_key, [], config)
        self.profile = profile_of(model_name, parameters)

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
            raise InputError(
                f"simulated/{self.model_name} answers the protocols of inspect_debate "
                "alone; give another model, or one of these as --solver."
            )
        known = (self.profile, self.model_name, what, input)
        output = completion(Scene(*known, active.sample, active.epoch), config)
        read = sum(tokens(message.text) for message in input)
        written = tokens(output.completion)
        output.usage = ModelUsage(
            input_tokens=read, output_tokens=written, total_tokens=read + written
        )
        return output


def tokens(text: str) -> int:
    """How many tokens a text counts as: any tokenizer would have to be downloaded."""
    return ceil(len(text) / 4)


def completion(scene: Scene, config: GenerateConfig) -> ModelOutput:
    """What a simulated model sends back: a reply, or one of the usual failures."""
    reply = REPLIES.get(scene.asked.kind, of_own_kind)(scene)
    text, stop_reason = _with_faults(scene, reply)
    if config.max_tokens is not None and tokens(text) > config.max_tokens:
        text, stop_reason = text[: 4 * config.max_tokens], "max_tokens"
    output = ModelOutput.from_content(scene.model, text, stop_reason)
    if config.logprobs:
        output.choices[0].logprobs = logprobs(text, reply, config.top_logprobs)
    return output


def _with_faults(scene: Scene, reply: Reply) -> tuple[str, StopReason]:
    """The reply's text, or what came instead."""
    profile, what = scene.profile, scene.asked
    rng = scene.draw("fault", what.round, what.order, what.reminder)
    u = rng.random()
    if what.reminder:
        profile = profile._replace(unreadable=0.25, refuses=0, cut_off=0)
    if u < profile.unreadable:
        return rng.choice(texts()["unreadable"]), "stop"
    if u < profile.unreadable + profile.refuses:
        return rng.choice(texts()["refusal"]), "stop"
    if u < profile.unreadable + profile.refuses + profile.cut_off:
        return reply.full[: len(reply.full) * 2 // 3], "max_tokens"
    return (reply.closing if what.reminder else "") or reply.full, "stop"


def logprobs(text: str, reply: Reply, top: int | None) -> Logprobs:
    """Each answer as one token with its probability, between what is around it."""
    backwards: list[Logprob] = []
    last = (reply.answer, reply.probabilities)
    for answer, probabilities in (last, *reversed(reply.before)):
        text, piece, after = text.rpartition(answer or "\0")
        token = Logprob(token=piece, logprob=-0.1)
        options = [
            TopLogprob(token=name, logprob=log(max(p, 1e-9)))
            for name, p in sorted(probabilities.items(), key=lambda one: -one[1])
        ]
        for option in options:
            if option.token == piece:
                token.logprob = option.logprob
                token.top_logprobs = options[:top] if top else None
        backwards += [Logprob(token=after, logprob=-0.1), token]
    content = [Logprob(token=text, logprob=-0.1), *reversed(backwards)]
    return Logprobs(content=[token for token in content if token.token])
