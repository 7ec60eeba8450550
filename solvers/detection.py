"""The three things that error-detection protocols ask: an answer, a speech, a verdict.

What each prompt holds, in the order in which it stands there. `forms` says how the
completions are read; protocols decide who is asked, when, and what follows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
)

from inspect_debate.core.calls import Form, Request, ask
from inspect_debate.core.config import DebateConfig
from inspect_debate.core.cue import Cue, Format
from inspect_debate.core.prompts import PromptSet
from inspect_debate.core.question import Question
from inspect_debate.core.record import Kind, Order, Participant, Turn
from inspect_debate.core.rendering import as_shown, block, paragraphs
from inspect_debate.core.settings import Sampling, effective_config, loggable
from inspect_debate.core.visibility import Heard, visible_to_debater, visible_to_judge
from inspect_debate.solvers.forms import Forms
from inspect_debate.solvers.seats import Seat, Speaker, in_order

NUMBERS = {"error": "1", "no_error": "2"}

# The paper runs everything at temperature 0. It names no limit of tokens.
STUDY_DEFAULT = GenerateConfig(temperature=0.0, max_tokens=4096)


@dataclass(frozen=True)
class Detection:
    """One item under examination: makes the calls of error-detection protocols."""

    question: Question
    prompts: PromptSet
    config: DebateConfig
    seed: int
    rounds: int = 0
    show_openings: bool = True
    judge_sees_problem: bool = True
    _configs: dict[tuple[str, Kind], GenerateConfig] = field(default_factory=dict)

    # --- what is asked ---------------------------------------------------------------

    async def answer(self, seat: Seat) -> Turn:
        """A participant's own answer to the item, before any debate."""
        user = paragraphs([self._item(), self.prompts.render("answer")])
        cue = self._cue(seat, "answer", "label_sentence")
        return await ask(self._request(seat, None, user, cue, self._forms.answer()))

    async def speech(
        self, seat: Seat, opponent: Seat, round: int, turns: Sequence[Turn]
    ) -> Turn:
        """A debater's speech in a round, knowing what it may read of `turns`."""
        heard = visible_to_debater(seat.id, turns, show_openings=self.show_openings)
        instruction = "debater_opening" if round == 1 else "debater_rebuttal"
        user = paragraphs(
            [
                self._item(),
                self._transcript(heard, (seat, opponent), "ab"),
                self.prompts.render(
                    instruction, opponent=opponent.name, round=round, rounds=self.rounds
                ),
            ]
        )
        earlier = [quote.text for turn in turns for quote in turn.quotes]
        form = self._forms.speech(earlier)
        cue = self._cue(seat, "speech", "speech", round=round)
        system = self._debater_system(seat, opponent)
        return await ask(self._request(seat, system, user, cue, form))

    async def verdict(
        self,
        judge: Seat,
        order: Order,
        debaters: Sequence[Speaker],
        turns: Sequence[Turn],
    ) -> Turn:
        """A judge's verdict on what it may read of `turns`, shown in an order.

        Args:
            judge: The judge.
            order: `ab` lists answer 1 and shows its defender first, `ba` last.
            debaters: Who debated; nobody where the judge decides alone.
            turns: All turns so far.
        """
        heard = visible_to_judge(turns, show_openings=self.show_openings)
        ordered = in_order(debaters, order)
        listed = self.question.choices if order == "ab" else self.question.choices[::-1]
        instruction = "judge_instruction" if debaters else "judge_alone_instruction"
        seen = self.judge_sees_problem
        user = paragraphs(
            [
                self._item() if seen else self.prompts.render("item_hidden"),
                self._transcript(heard, debaters, order),
                self.prompts.render(
                    instruction,
                    choices=self._choices(listed, debaters if _argued(turns) else ()),
                    quote_rules=self._quote_rules("judge_quote_rules"),
                ),
            ]
        )
        form = self._forms.verdict()
        shown = tuple(seat.defends for seat in ordered if seat.defends is not None)
        cue = self._cue(judge, "verdict", "verdict", draw=order, shown=shown)
        request = self._request(
            judge, self.prompts.render("judge_system"), user, cue, form
        )
        first = ordered[0].id if ordered else None
        return await ask(
            replace(request, order=order, listed_first=listed[0], shown_first=first)
        )

    def participant(self, seat: Seat, *kinds: Kind) -> Participant:
        """A seat as it stands in the record, with its effective settings."""
        return Participant(
            id=seat.id,
            role=seat.role,
            name=seat.name,
            model=str(seat.model),
            defends=seat.defends,
            settings={kind: loggable(self._settings(seat, kind)) for kind in kinds},
        )

    # --- how it is asked -------------------------------------------------------------

    @property
    def _forms(self) -> Forms:
        return Forms(self.question, self.prompts, self.config)

    def _settings(self, seat: Seat, kind: Kind) -> GenerateConfig:
        if (known := self._configs.get((seat.id, kind))) is not None:
            return known
        chosen: Sampling = getattr(self.config, kind)
        config = effective_config(seat.model, STUDY_DEFAULT, chosen)
        self._configs[seat.id, kind] = config
        return config

    def _request(
        self, seat: Seat, system: str | None, user: str, cue: Cue, form: Form
    ) -> Request:
        messages: list[ChatMessage] = [ChatMessageUser(content=user)]
        if system is not None:
            messages.insert(0, ChatMessageSystem(content=system))
        return Request(
            model=seat.model,
            role=seat.role,
            config=self._settings(seat, cue.kind),
            messages=messages,
            cue=cue,
            form=form,
            max_reasks=self.config.max_reasks,
        )

    def _cue(
        self,
        seat: Seat,
        kind: Kind,
        format: Format,
        *,
        round: int = 0,
        draw: str = "",
        shown: tuple[str, ...] = (),
    ) -> Cue:
        return Cue(
            question=self.question.fingerprint,
            sample=self.question.id,
            epoch=self.question.epoch,
            seed=self.seed,
            participant=seat.id,
            kind=kind,
            format=format,
            choices=self.question.choices,
            round=round,
            rounds=self.rounds,
            draw=draw,
            defends=seat.defends,
            shown=shown,
        )

    def _item(self) -> str:
        return self.prompts.render(
            "item",
            task=as_shown(self.question.sources["input"]),
            response=as_shown(self.question.sources["response"]),
        )

    def _debater_system(self, seat: Seat, opponent: Seat) -> str:
        assert seat.defends is not None
        assert opponent.defends is not None
        return self.prompts.render(
            "debater_system",
            name=seat.name,
            opponent=opponent.name,
            number=NUMBERS[seat.defends],
            position=self.prompts.render(f"position_{seat.defends}"),
            other_number=NUMBERS[opponent.defends],
            other_position=self.prompts.render(f"position_{opponent.defends}"),
            quote_rules=self._quote_rules("quote_rules"),
            word_limit=self.config.word_limit,
        )

    def _quote_rules(self, key: str) -> str:
        if self.config.quotes == "none":
            return ""
        quoted = self.prompts.render(f"quoted_{self.config.quote_source}")
        return self.prompts.render(key, quoted_text=quoted)

    def _choices(self, listed: Sequence[str], debaters: Sequence[Speaker]) -> str:
        speakers = {seat.defends: f" (argued for by {seat.name})" for seat in debaters}
        return "\n".join(
            f"Answer {NUMBERS[answer]} ({answer}): "
            f"{self.prompts.render(f'position_{answer}')}{speakers.get(answer, '')}."
            for answer in listed
        )

    def _transcript(
        self, heard: Sequence[Heard], debaters: Sequence[Speaker], order: Order
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
                        "stage": f"round {turn.round}"
                        if turn.round
                        else "first answer",
                    },
                )
                for turn in sequence
            ),
        )


def _argued(turns: Sequence[Turn]) -> bool:
    """Whether each side was argued for: in speeches, or by two answers that differ."""
    answers = {turn.field("answer").value for turn in turns if turn.kind == "answer"}
    return len(answers) > 1 or any(turn.kind == "speech" for turn in turns)
