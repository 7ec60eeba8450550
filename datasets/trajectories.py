"""Questions about what an agent did: the messages of an earlier sample as a passage."""

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.tool import ToolCall

from inspect_debate.debate.errors import InputError


def trajectory_question(
    sample: EvalSample,
    question: str,
    choices: Sequence[str] = ("yes", "no"),
    target: str = "",
) -> Sample:
    """A question about an earlier sample, with its messages as the passage.

    Debate it with `config.passage=shown`, or `hidden` for a judge who reads what the
    debaters quote and no more.

    Args:
        sample: The sample of a log. Its score and its target are not shown.
        question: What is asked about it.
        choices: The answers.
        target: The right one of them, where that is known.

    Returns:
        A sample with the passage in its metadata: every line is numbered; a line in
        brackets says who sent what follows, and tool calls have their arguments.
        What models thought is left out, and of images only their place is shown.

    Raises:
        InputError: If the sample has no messages, or the target is none of the answers.
    """
    if not sample.messages:
        raise InputError(f"Sample {sample.id!r} has no messages to ask about.")
    if target and target not in choices:
        raise InputError(
            f"target={target!r} is none of the answers: {', '.join(choices)}."
        )
    lines = [line for message in sample.messages for line in _lines(message)]
    width = len(str(len(lines)))
    return Sample(
        id=f"{sample.id}_{sample.epoch}",
        input=question,
        choices=[*choices],
        target=ascii_uppercase[choices.index(target)] if target else "",
        metadata={
            "passage": "\n".join(f"{n:>{width}} {s}" for n, s in enumerate(lines, 1)),
            "trajectory": {"sample": sample.id, "epoch": sample.epoch},
        },
    )


def _lines(message: ChatMessage) -> Iterator[str]:
    """A message, headed by who sent it."""
    tool = isinstance(message, ChatMessageTool) and message.function
    yield f"[{message.role} {tool}]" if tool else f"[{message.role}]"
    if isinstance(message.content, str):
        yield from message.content.splitlines()
    else:
        for part in message.content:
            if part.type == "text":
                yield from part.text.splitlines()
            elif part.type != "reasoning":
                yield f"[{part.type}]"
    if isinstance(message, ChatMessageTool) and message.error is not None:
        yield from f"error: {message.error.message}".splitlines()
    if isinstance(message, ChatMessageAssistant):
        for call in message.tool_calls or ():
            yield from _call(call)


def _call(call: ToolCall) -> Iterator[str]:
    """A tool call; each argument on its own lines."""
    yield f"[calls {call.function}]"
    for name, value in call.arguments.items():
        yield from f"{name}: {value}".splitlines()
