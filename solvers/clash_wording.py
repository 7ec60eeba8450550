"""What the prompts of SR-DCR and its baselines say, and how replies are read.

The Critic's prompts are made without the passage: it reads of it what the Defender
writes, and nothing else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from inspect_debate.debate.answers import line_after, picked, reasonable, short_answer
from inspect_debate.debate.calls import Form, Reading
from inspect_debate.debate.clash import ClashQuestion
from inspect_debate.debate.prompts import PromptSet
from inspect_debate.debate.record import Parsed
from inspect_debate.debate.rendering import as_shown, block, paragraphs
from inspect_debate.debate.visibility import Heard
from inspect_debate.solvers.asking import Texts
from inspect_debate.solvers.clash_settings import Arbitrated, ClashConfig
from inspect_debate.solvers.seats import Speaker

DEFENDER, CRITIC = "Defender", "Critic"
"""What the sides of SR-DCR are called."""

_WITH = {True: "with", False: "without"}


@dataclass(frozen=True)
class ClashWording:
    """The prompts about one question. Texts of others come in neutralised."""

    question: ClashQuestion
    prompts: PromptSet
    config: ClashConfig

    def answer(self, *, passage: bool) -> str:
        """Asks for an answer after solved examples, from memory or from the passage."""
        solved = [
            self.prompts.render(
                "exemplar",
                question=as_shown(shown.question),
                answer=as_shown(shown.answer),
            )
            for shown in self.question.exemplars
        ]
        return paragraphs(
            [
                self.prompts.render("answer"),
                *solved,
                self._item(passage=passage),
                self.prompts.render("answer_form"),
            ]
        )

    def on_passage(self, key: str) -> str:
        """Asks for an answer from the passage in the form that a prompt describes."""
        return self.prompts.render(key, item=self._item(passage=True))

    def update(self, peers: Sequence[Heard]) -> str:
        """Asks an agent to answer again, after the others' answers."""
        answers = "\n\n".join(
            block(
                "turn",
                peer.text,
                {"speaker": f"agent {peer.participant.rpartition('_')[2]}"},
            )
            for peer in peers
        )
        return self.prompts.render("agent_update", answers=answers)

    def side(
        self,
        own: Speaker,
        other: Speaker,
        round: int,
        heard: Sequence[Heard],
        parameters: Arbitrated,
    ) -> Texts:
        """Asks the Defender or the Critic for a speech.

        Args:
            own: Who speaks.
            other: The opponent.
            round: The round, from 0.
            heard: What the speaker may read: its own answer, and the debate.
            parameters: Say who reads the passage, and what follow-ups show.
        """
        passage = parameters.shows_passage(own.id, round)
        read = bool(parameters.critic_sees_context)
        if own.name == DEFENDER:
            sights = {
                "critic_sight": self._sight("critic_sight", read),
                "task": self._sight("defender_task", passage),
            }
        else:
            had = "earlier" if read and not passage else _WITH[read]
            sights = {
                "own_sight": self.prompts.render(f"own_sight_{had}_passage"),
                "task": self._sight("critic_task", read),
            }
        sees = parameters.judge_sees_context
        sights["judge_sight"] = self._sight("judge_sight", sees)
        return Texts(
            self.prompts.render(
                f"{own.name.lower()}_system",
                word_limit=self.config.word_limit,
                untrusted=self.prompts.render("untrusted"),
                **sights,
            ),
            self._speech(
                own,
                other,
                round,
                heard,
                passage=passage,
                first=0,
                alone=parameters.transcript_alone(round),
            ),
        )

    def debater(
        self, own: Speaker, other: Speaker, round: int, heard: Sequence[Heard]
    ) -> Texts:
        """Asks a debater who, as its opponent, has read the passage for a speech.

        Args:
            own: Who speaks.
            other: The opponent.
            round: The round, from 1.
            heard: What the speaker may read: both answers, and the debate.
        """
        return Texts(
            self.prompts.render(
                "debater_system",
                name=own.name,
                opponent=other.name,
                word_limit=self.config.word_limit,
                untrusted=self.prompts.render("untrusted"),
            ),
            self._speech(own, other, round, heard, passage=True, first=1),
        )

    def arbiter(
        self, sides: Sequence[Speaker], heard: Sequence[Heard], *, passage: bool
    ) -> Texts:
        """Asks a judge whether it is reasonable to rely on the passage.

        Args:
            sides: The Defender and the Critic.
            heard: Both answers, and the debate so far.
            passage: Whether the judge reads the passage.
        """
        contextual, prior = (_answer_of(side, heard) for side in sides)
        return Texts(
            self.prompts.render(
                "arbiter_system",
                sight=self._sight("arbiter", passage),
                untrusted=self.prompts.render("untrusted"),
            ),
            paragraphs(
                [
                    self._item(passage=passage),
                    self.prompts.render(
                        "candidates", contextual=contextual, prior=prior
                    ),
                    _transcript(sides, heard),
                    self.prompts.render("arbiter"),
                ]
            ),
        )

    def picker(self, listed: Sequence[Speaker], heard: Sequence[Heard]) -> Texts:
        """Asks a judge who has read the passage which of two answers is right.

        Args:
            listed: The debaters, in the order in which their answers are listed.
            heard: Both answers, and the debate so far.
        """
        first, second = listed
        return Texts(
            self.prompts.render(
                "picker_system", untrusted=self.prompts.render("untrusted")
            ),
            paragraphs(
                [
                    self._item(passage=True),
                    self.prompts.render(
                        "listed",
                        first=_answer_of(first, heard),
                        first_name=first.name,
                        second=_answer_of(second, heard),
                        second_name=second.name,
                    ),
                    _transcript(listed, heard),
                    self.prompts.render("picker"),
                ]
            ),
        )

    # --- parts -----------------------------------------------------------------------

    def _speech(
        self,
        own: Speaker,
        other: Speaker,
        round: int,
        heard: Sequence[Heard],
        *,
        passage: bool,
        first: int,
        alone: bool = False,
    ) -> str:
        answers = {h.participant: h.text for h in heard if h.kind == "answer"}
        name, opponent = _called(own), _called(other)
        stated = [] if alone else [self._item(passage=passage)]
        if (given := answers.get(own.id)) is not None:
            stated.append(self.prompts.render("own_answer", answer=given))
        if (given := answers.get(other.id)) is not None:
            stated.append(
                self.prompts.render("other_answer", name=opponent, answer=given)
            )
        return paragraphs(
            [
                *stated,
                _transcript((own, other), heard),
                self.prompts.render("transcript_alone") if alone else "",
                self.prompts.render("opening", name=name)
                if round == first
                else self.prompts.render(
                    "rebuttal", name=name, opponent=opponent, round=round
                ),
            ]
        )

    def _item(self, *, passage: bool) -> str:
        """The question, after the passage where that is read."""
        asked = self.prompts.render("question", question=as_shown(self.question.asked))
        if not passage:
            return asked
        read = self.prompts.render("passage", passage=as_shown(self.question.passage))
        return paragraphs([read, asked])

    def _sight(self, who: str, passage: bool) -> str:
        return self.prompts.render(f"{who}_{_WITH[passage]}_passage")


def _called(side: Speaker) -> str:
    """What a side is called within a sentence: `the Critic`, `Alice`."""
    return f"the {side.name}" if side.name in (DEFENDER, CRITIC) else side.name


def _answer_of(side: Speaker, heard: Sequence[Heard]) -> str:
    return next(
        h.text for h in heard if h.kind == "answer" and h.participant == side.id
    )


def _transcript(sides: Sequence[Speaker], heard: Sequence[Heard]) -> str:
    """The speeches in the order in which they were given."""
    speeches = [h for h in heard if h.kind == "speech"]
    names = {side.id: side.name for side in sides}
    turns = [
        block("turn", h.text, {"speaker": names[h.participant], "round": h.round})
        for h in speeches
    ]
    return block("transcript", "\n\n".join(turns)) if turns else ""


# How answers in words, speeches and verdicts on a passage are read.

SPEECH = "speech"
"""The field that tells whether there is a speech or a critique: its characters."""


@dataclass(frozen=True)
class ClashForms:
    """The forms of SR-DCR and its baselines; public texts come out safe for prompts."""

    prompts: PromptSet

    def answer(self) -> Form:
        """A line with the answer, which alone is public: no reason goes with it."""
        return self._form(_read_answer, "answer", "answer_reminder")

    def explained(self) -> Form:
        """An answer with its reasons, which others may read."""
        return self._form(_read_explained, "answer", "answer_reminder")

    def self_ask(self) -> Form:
        """A question asked of oneself, its answer, and the final answer."""
        return self._form(_read_self_ask, "answer", "self_ask_reminder")

    def critique(self) -> Form:
        """A text without a form."""
        return self._spoken("critique_reminder")

    def speech(self) -> Form:
        """A text without a form."""
        return self._spoken("speech_reminder")

    def reasonable(self) -> Form:
        """Reasons, and a line whether it is reasonable to rely on the passage."""
        return self._form(
            lambda text: Reading(as_shown(text), {"verdict": reasonable(text)}),
            "verdict",
            "arbiter_reminder",
        )

    def picked(self, listed: tuple[str, ...]) -> Form:
        """Reasons, and a line with the number of an answer.

        Args:
            listed: What the two answers are, in the order in which they are listed.
        """

        def read(text: str) -> Reading:
            number = picked(text)
            which = (
                number
                if number.value is None
                else Parsed.ok(listed[int(number.value) - 1])
            )
            return Reading(as_shown(text), {"answer": which})

        return self._form(read, "answer", "picker_reminder")

    def _spoken(self, reminder: str) -> Form:
        reads = self._form(_read_text, SPEECH, reminder)
        return replace(reads, speech=SPEECH)

    def _form(
        self, read: Callable[[str], Reading], required: str, reminder: str
    ) -> Form:
        return Form(read, required, self.prompts.render(reminder))


def _read_answer(text: str) -> Reading:
    answer = short_answer(text)
    public = text if answer.value is None else str(answer.value)
    return Reading(as_shown(public).strip(), {"answer": answer})


def _read_explained(text: str) -> Reading:
    return Reading(as_shown(text).strip(), {"answer": short_answer(text)})


def _read_self_ask(text: str) -> Reading:
    lines = {
        field: line_after(text, label)
        for field, label in (
            ("sub_question", "Sub-question"),
            ("sub_answer", "Sub-answer"),
        )
    }
    fields = {
        field: Parsed.unparsed() if line is None else Parsed.ok(line)
        for field, line in lines.items()
    }
    return Reading(as_shown(text).strip(), {**fields, "answer": short_answer(text)})


def _read_text(text: str) -> Reading:
    said = as_shown(text).strip()
    length = Parsed.ok(float(len(said))) if said else Parsed.unparsed()
    return Reading(said, {SPEECH: length})
