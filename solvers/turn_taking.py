"""How two debaters take their turns in a round."""

from collections.abc import Awaitable, Callable, Sequence

from inspect_debate.core.record import Turn
from inspect_debate.core.recording import Recorder

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
