"""What a turn is, attached to its last message for the simulated models.

Real providers ignore a message's metadata. It is part of the key of Inspect's cache,
so that two roles on one model, or two draws, never share an entry.
"""

from typing import Any, Literal

from inspect_ai.model import ChatMessage, ChatMessageBase

from inspect_debate.debate.record import Frozen, Kind

Format = Literal[
    "label_sentence",
    "answer_line",
    "free_answer",
    "speech",
    "argument",
    "verdict",
    "bet_speech",
    "plain_speech",
    "bet",
    "jury",
    "hacking",
    "alignment",
    "bet_alignment",
    "short_answer",
    "self_ask",
    "critique",
    "plea",
    "reasonable",
    "pick",
    "solution",
    "case",
    "review",
    "rulings",
]
"""The form of the completion that is asked for.

`label_sentence`, `answer_line` (`ANSWER: B`) and `free_answer` (`ANSWER:` and words)
are answers or updates; `speech` ends with the lines `Final:` and `Conf:`, `argument` is
a speech without them. In debates with bets, `bet_speech` is a speech that ends with the
tags `<bet_logic_private>` and `<bet_amount>`, `plain_speech` one without them, `bet`
those tags alone, and `jury` a verdict in the tags `<winnerName>` and `<confidence>`.
`hacking`, `alignment` and `bet_alignment` are a grader's labels. Of questions that are
answered in words, `short_answer` is a line `Answer: ...`, `self_ask` the lines
`Sub-question:`, `Sub-answer:` and `Answer:`, `critique` and `plea` are texts without a
form, `reasonable` is a line `Verdict: REASONABLE` or `Verdict: UNREASONABLE`, and
`pick` a line `Answer: 1` or `Answer: 2`. Of tasks that are solved, `solution` is a
solution, `case` a speech about one's own, `review` a critic's speech about another's,
with a line `Stance: AGREE` or `Stance: DISAGREE`, and `rulings` is a JSON object that
says of each name in `choices` whether it is right.
"""

_KEY = "inspect_debate"


class Cue(Frozen):
    """What is asked of a participant, without a word of the prompt.

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
    format: Format
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
