"""What stands in the prompts, put together from the prompt set and the turns so far.

The item comes first and the instruction last, so that prompts of one participant share
their beginning.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from inspect_debate.core.config import DebateConfig
from inspect_debate.core.prompts import PromptSet
from inspect_debate.core.question import Question, indented
from inspect_debate.core.record import Order
from inspect_debate.core.rendering import as_shown, block, paragraphs
from inspect_debate.core.visibility import Heard
from inspect_debate.solvers.manners import Manner
from inspect_debate.solvers.seats import Seat, Speaker, in_order, pair

NUMBERS = {"error": "1", "no_error": "2"}

# Where prompts call a source by another name.
_PLACEHOLDERS = {"input": "task"}


@dataclass(frozen=True)
class Wording:
    """The prompts on one question. What others wrote is given as they may read it."""

    question: Question
    prompts: PromptSet
    config: DebateConfig
    manner: Manner
    rounds: int

    def answer(self) -> str:
        """Asks for an answer of one's own."""
        letters = either(self.question.choices)
        instruction = self.prompts.render("answer", letters=letters)
        return paragraphs([self._item(), instruction])

    def update(self, peers: Sequence[Heard]) -> str:
        """Shows what others answered and asks again."""
        return self.prompts.render(
            "update",
            answers="\n\n".join(
                block(
                    "turn",
                    heard.text or "(no answer)",
                    {"speaker": "another participant"},
                )
                for heard in peers
            ),
            letters=either(self.question.choices),
        )

    def debater_system(self, seat: Seat, opponent: Seat) -> str:
        """Tells a debater who it is, what it defends and how to debate."""
        assert seat.defends is not None
        assert opponent.defends is not None
        listed = self.question.in_order(pair(seat, opponent))
        return self.prompts.render(
            self.manner.system,
            name=seat.name,
            opponent=opponent.name,
            number=_number(seat.defends),
            position=self._position(seat.defends),
            other_number=_number(opponent.defends),
            other_position=self._position(opponent.defends),
            choices=self._choices(listed, ()),
            letters=either(listed),
            quote_rules=self._quote_rules("quote_rules"),
            word_limit=self.config.word_limit,
        )

    def speech(
        self,
        seat: Seat,
        opponent: Seat,
        round: int,
        heard: Sequence[Heard],
        *,
        assigned: bool,
    ) -> str:
        """Asks a debater for its speech in a round.

        Args:
            seat: The debater.
            opponent: The other one.
            round: The round.
            heard: What the debater may read of the debate.
            assigned: Whether both gave one answer first, so that one was assigned
                another.
        """
        instruction = self.manner.opening if round == 1 else self.manner.rebuttal
        return paragraphs(
            [
                self._item(),
                _transcript(heard, (seat, opponent), "ab"),
                self.prompts.render("assigned_sides") if assigned else "",
                self.prompts.render(
                    instruction, opponent=opponent.name, round=round, rounds=self.rounds
                ),
            ]
        )

    def verdict(
        self,
        listed: Sequence[str],
        debaters: Sequence[Speaker],
        heard: Sequence[Heard],
        order: Order,
        *,
        argued: bool,
        assigned: bool,
        see_item: bool,
    ) -> str:
        """Asks a judge for its verdict.

        Args:
            listed: The answers, in the order in which they are listed.
            debaters: Who debated; nobody where the judge decides alone.
            heard: What the judge may read of the debate.
            order: In which order the debaters are shown.
            argued: Whether each answer was argued for.
            assigned: Whether both gave one answer first, so that one was assigned
                another.
            see_item: Whether the judge is shown the item.
        """
        instruction = "judge_instruction" if debaters else "judge_alone_instruction"
        return paragraphs(
            [
                self._item() if see_item else self.prompts.render("item_hidden"),
                _transcript(heard, debaters, order),
                self.prompts.render("assigned_sides") if assigned else "",
                self.prompts.render(
                    instruction,
                    choices=self._choices(listed, debaters if argued else ()),
                    letters=either(self.question.in_order(listed)),
                    quote_rules=self._quote_rules("judge_quote_rules"),
                ),
            ]
        )

    def _item(self) -> str:
        texts = {
            _PLACEHOLDERS.get(name, name): as_shown(text)
            for name, text in self.question.sources.items()
        }
        return self.prompts.render("item", **texts)

    def _quote_rules(self, key: str) -> str:
        if self.config.quotes == "none":
            return ""
        quoted = self.prompts.render(f"quoted_{self.config.quote_source}")
        return self.prompts.render(key, quoted_text=quoted)

    def _choices(self, listed: Sequence[str], debaters: Sequence[Speaker]) -> str:
        speakers = {seat.defends: f" (argued for by {seat.name})" for seat in debaters}
        return "\n".join(
            self.prompts.render(
                "listed_answer",
                number=_number(answer),
                answer=answer,
                position=self._position(answer),
                argued_for=speakers.get(answer, ""),
            )
            for answer in listed
        )

    def _position(self, answer: str) -> str:
        """What an answer says: an option's own text, or the words of the prompts."""
        if self.question.options:
            return as_shown(indented(self.question.options[answer]))
        return self.prompts.render(f"position_{answer}")


def either(choices: Sequence[str]) -> str:
    """The letters of a choice in words: `A or B`, `A, B, C or D`."""
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last


def _number(answer: str) -> str:
    """What an answer is called in prompts: its number, or an option's own letter."""
    return NUMBERS.get(answer, answer)


def _transcript(
    heard: Sequence[Heard], debaters: Sequence[Speaker], order: Order
) -> str:
    """The transcript, stage after stage; within a stage the speakers in order."""
    if not heard:
        return ""
    seats = {seat.id: n for n, seat in enumerate(in_order(debaters, order))}
    names = {seat.id: seat.name for seat in debaters}
    sequence = sorted(heard, key=lambda turn: (turn.round, seats[turn.participant]))
    return block(
        "transcript",
        "\n\n".join(
            block(
                "turn",
                turn.text,
                {
                    "speaker": names[turn.participant],
                    "stage": f"round {turn.round}" if turn.round else "first answer",
                },
            )
            for turn in sequence
        ),
    )
