"""Who may read what: the only way from turns to a prompt."""

from collections.abc import Sequence
from typing import NamedTuple

from inspect_debate.v1.debate.record import Status, Turn

NO_SPEECH = "(no speech)"
"""What others read in the place of a speech that is empty, or that was refused."""

_SPEECHES = ("speech", "argument")
"""The fields that tell whether there is a speech."""


class VisibleTurn(NamedTuple):
    """The part of a turn that another participant may read."""

    participant: str
    kind: str
    round: int
    text: str

    @property
    def stage(self) -> str:
        """What readers call the time of the turn: `first answer`, `round 2`."""
        if self.kind == "answer":
            return "first answer"
        named = "" if self.kind == "speech" else self.kind.replace("_", " ")
        return ", ".join([named] * bool(named) + [f"round {self.round}"])


def by_stage(
    visible: Sequence[VisibleTurn], debaters: Sequence[str]
) -> list[VisibleTurn]:
    """Turns round by round, and kind by kind as they came.

    Args:
        visible: The turns, in the protocol's order.
        debaters: The ids of those who are put in this order within a stage; turns of
            others stay where they are among the kinds.
    """
    stages: dict[tuple[int, str], int] = {}
    for turn in visible:
        stages.setdefault((turn.round, turn.kind), len(stages))
    places = {id: place for place, id in enumerate(debaters)}

    def place(turn: VisibleTurn) -> tuple[int, int, int]:
        within = places.get(turn.participant, len(places))
        return turn.round, stages[turn.round, turn.kind], within

    return sorted(visible, key=place)


def visible_to_debater(
    participant: str,
    turns: Sequence[Turn],
    *,
    show_openings: bool,
) -> list[VisibleTurn]:
    """What a debater may read of the turns so far: their public texts.

    Args:
        participant: The debater that is about to speak.
        turns: All turns so far, in the protocol's order.
        show_openings: Whether the first answers are shown to the other debater. One's
            own stays one's own.

    Returns:
        Answers and speeches, in order; never a verdict or a belief.
    """
    return [
        _visible(turn)
        for turn in turns
        if turn.is_spoken
        or (
            turn.kind == "answer" and (show_openings or turn.participant == participant)
        )
    ]


def visible_to_peer(participant: str, turns: Sequence[Turn]) -> list[VisibleTurn]:
    """What a member of a society reads before an update: the others' last answers.

    Args:
        participant: Who is about to update its answer.
        turns: All turns so far, in the protocol's order.

    Returns:
        The answers or updates of the round before, without the participant's own.
    """
    last = max((turn.round for turn in turns), default=0)
    return [
        _visible(turn)
        for turn in turns
        if turn.round == last
        and turn.kind in ("answer", "update")
        and turn.participant != participant
    ]


def visible_to_judge(
    turns: Sequence[Turn], *, show_openings: bool
) -> list[VisibleTurn]:
    """What a judge may read: the public texts of the debate, and no other verdict.

    Args:
        turns: All turns so far, in the protocol's order.
        show_openings: Whether the debaters' first answers are part of the transcript.

    Returns:
        Answers and speeches, in order.
    """
    return [
        _visible(turn)
        for turn in turns
        if turn.is_spoken or (turn.kind == "answer" and show_openings)
    ]


def _visible(turn: Turn) -> VisibleTurn:
    """What is read of a turn: a refusal to speak is no argument for either side."""
    refused = any(turn.field(name).status == Status.REFUSED for name in _SPEECHES)
    text = NO_SPEECH if refused and turn.is_spoken else turn.public
    return VisibleTurn(turn.participant, turn.kind, turn.round, text)
