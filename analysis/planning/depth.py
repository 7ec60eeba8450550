"""How many calls of a debate have to be made one after the other."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from inspect_debate.core.record import Turn

_UNHEARD = ("verdict", "sample", "recall", "grade")
"""What nobody waits for but the end; no later prompt has it."""


def depth(
    turns: Sequence[Turn], parameters: Mapping[str, Any], *, reused: bool = False
) -> int:
    """The longest chain of turns that wait for each other.

    Turns of one kind and round are asked for at once; where the turn order is
    sequential, speeches after one another (round 0, the openings, excepted). Each such
    step waits for the one before. Verdicts and further answers wait for what was said
    before them, and nothing waits for them. A turn that was asked again counts once.

    Args:
        turns: Of one debate, in the protocol's order.
        parameters: The protocol's, of which `turn_order` and `confidence_from` matter.
        reused: Whether turns count that are used again from another run, and cost no
            time there.

    Returns:
        Number of calls one after the other, 0 where none was made.
    """
    sequential = parameters.get("turn_order") == "sequential"
    # Only there is the first answer looked at before others are drawn.
    waits_for_answers = parameters.get("confidence_from") == "auto"
    said = longest = 0
    before: Hashable = None
    for turn in turns:
        if turn.reused and not reused:
            continue
        if turn.kind in _UNHEARD or (turn.kind == "answer" and turn.role == "judge"):
            drawn = turn.kind in ("sample", "recall") and not (
                turn.kind == "sample" and waits_for_answers
            )
            longest = max(longest, 1 if drawn else said + 1)
            continue
        step = _step(turn, sequential)
        said += step != before
        before = step
        longest = max(longest, said)
    return longest


def _step(turn: Turn, sequential: bool) -> Hashable:
    """What turns have in common that are asked for at once."""
    kind = "speech" if turn.kind == "candidate" else turn.kind
    in_turn = sequential and turn.round > 0 and kind in ("speech", "reward")
    return kind, turn.round, (turn.about or turn.participant) if in_turn else None
