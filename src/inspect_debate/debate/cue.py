"""What a turn is, attached to its last message for the simulated models.

Real providers ignore a message's metadata. It is part of the key of Inspect's cache,
so that two roles on one model, or two draws, never share an entry.
"""

from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageBase

from inspect_debate.debate.record import Frozen, Kind

_KEY = "inspect_debate"


class Cue(Frozen):
    """What is asked of a participant, without a word of the prompt.

    `format` is the form of the completion that is asked for, by its name (see
    `inspect_debate.simulator.forms.FORMS`).
    `called` are the names of the `choices`, where they have others than themselves.
    `draw` keeps apart several completions of one prompt. `shown` are the answers
    defended, in the order in which a judge sees their defenders; for an update, the
    answers that the others gave before, and `held` is the participant's own. `asks`
    names what a bet consists of (`bet`, `stake`), and `bet` is one that is graded.
    `passage` tells whether the participant reads the passage that the question is
    about, and `hidden` of a judge that it may not. Of a task that is solved,
    `answer_kind` is what a solution consists of (`grids`, `code`), `interaction`
    how those who speak meet (`debate`, `consultancy` or `none`), and `best_of` of
    how many candidates each speech is chosen.
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
    asks: tuple[str, ...] = ()
    bet: float | None = None
    passage: bool = False
    hidden: bool = False
    answer_kind: str = ""
    interaction: str = ""
    best_of: int = 1
    defends: str | None = None
    held: str | None = None
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


def cue_of(messages: list[ChatMessage]) -> Cue | None:
    """The cue attached to a conversation's last message, or None."""
    last: ChatMessageBase = messages[-1]
    data = (last.metadata or {}).get(_KEY)
    return None if data is None else Cue.model_validate(data)
