"""What prompts say, from the prompt set and the turns so far, and how replies are read.

The item comes first and the instruction last, so that prompts of one participant share
their beginning.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from inspect_debate.debate.answers import find_answer, letter_line, line_after
from inspect_debate.debate.calls import Form, Reading
from inspect_debate.debate.config import DebateConfig
from inspect_debate.debate.free_answers import SAID
from inspect_debate.debate.matching import canonical
from inspect_debate.debate.parsing import (
    choice_line,
    label_sentence,
    realmistake_label,
    split_argument,
    stated_confidence,
    verdict,
)
from inspect_debate.debate.prompts import PromptSet
from inspect_debate.debate.question import Question, indented
from inspect_debate.debate.quotes import Verified, verify_quotes
from inspect_debate.debate.record import Order, Parsed, Status
from inspect_debate.debate.rendering import (
    as_shown,
    block,
    escape_quote_tags,
    neutralise,
    paragraphs,
)
from inspect_debate.debate.visibility import Heard
from inspect_debate.solvers.seats import Seat, Speaker, as_listed, pair

# How debaters are told to debate: together for the truth, or against each other.


class Manner(NamedTuple):
    """The prompts of a debater, by their keys.

    `concludes` tells whether a speech ends with what its speaker now believes
    (`Final:`) and how firmly (`Conf:`).
    """

    system: str
    opening: str
    rebuttal: str
    reminder: str
    concludes: bool


COLLABORATIVE = Manner(
    system="debater_system",
    opening="debater_opening",
    rebuttal="debater_rebuttal",
    reminder="speech_reminder",
    concludes=True,
)
CONSULTING = Manner(
    system="consultant_system",
    opening="consultant_opening",
    rebuttal="consultant_further",
    reminder="consultant_reminder",
    concludes=False,
)
"""Of one who speaks alone, for a side."""

COMPETITIVE = Manner(
    system="competitor_system",
    opening="competitor_opening",
    rebuttal="competitor_rebuttal",
    reminder="competitor_reminder",
    concludes=False,
)


# Where prompts call a source by another name.
_PLACEHOLDERS = {"input": "task"}


@dataclass(frozen=True)
class Wording:
    """The prompts on one question. What others wrote is given as they may read it."""

    question: Question
    prompts: PromptSet
    config: DebateConfig
    manner: Manner
    judge_sees_problem: bool = True

    def answer(self) -> str:
        """Asks for an answer of one's own."""
        instruction = self.prompts.render(
            "answer_free" if self.question.free else "answer", letters=self._letters()
        )
        return paragraphs([*self._read(), instruction])

    def update(self, peers: Sequence[Heard]) -> str:
        """Shows what others answered and asks again."""
        return self.prompts.render(
            "update_free" if self.question.free else "update",
            answers="\n\n".join(
                block(
                    "turn",
                    heard.text or "(no answer)",
                    {"speaker": "another participant"},
                )
                for heard in peers
            ),
            letters=self._letters(),
        )

    def debater_system(self, seat: Seat, opponent: Seat | None) -> str:
        """Tells a debater who it is, what it defends and how to debate.

        Args:
            seat: The debater.
            opponent: The other one; None for a consultant.
        """
        assert seat.defends is not None
        listed = self.question.choices
        other: dict[str, str] = {}
        if opponent is not None:
            assert opponent.defends is not None
            listed = self.question.in_order(pair(seat, opponent))
            other = {
                "opponent": opponent.name,
                "other_number": self.question.called(opponent.defends),
                "other_position": self._position(opponent.defends),
            }
        return self.prompts.render(
            self.manner.system,
            name=seat.name,
            number=self.question.called(seat.defends),
            position=self._position(seat.defends),
            **other,
            choices=self._choices(listed, ()),
            letters=self._letters(listed),
            quote_rules=self._quote_rules("quote_rules"),
            word_limit=self.config.word_limit,
        )

    def speech(
        self,
        seat: Seat,
        opponent: Seat | None,
        round: int,
        heard: Sequence[Heard],
        *,
        assigned: bool,
    ) -> str:
        """Asks a debater for its speech in a round.

        Args:
            seat: The debater.
            opponent: The other one; None for a consultant.
            round: The round.
            heard: What the debater may read of the debate.
            assigned: Whether both gave one answer first, so that one was assigned
                another.
        """
        instruction = self.manner.opening if round == 1 else self.manner.rebuttal
        return paragraphs(
            [
                *self._read(),
                self._transcript(heard, [s for s in (seat, opponent) if s], "ab"),
                self.prompts.render("assigned_sides") if assigned else "",
                self.prompts.render("passage_rules") if self.passage_hidden else "",
                "" if self.judge_sees_problem else self.prompts.render("problem_rules"),
                self.prompts.render(
                    instruction,
                    opponent=opponent.name if opponent else "",
                    round=round,
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
        own: bool,
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
            own: Whether who debated gave answers first.
        """
        instruction = "judge_instruction" if debaters else "judge_alone_instruction"
        if not listed:
            instruction = "judge_alone_free"
        hidden = "passage_heard" if debaters else "passage_hidden"
        quoted = any(turn.kind == "speech" for turn in heard)
        return paragraphs(
            [
                "" if self.passage_hidden else self._passage(),
                self._criterion(),
                self._item()
                if self.judge_sees_problem
                else self.prompts.render("item_hidden"),
                self.prompts.render(hidden) if self.passage_hidden else "",
                self._transcript(heard, debaters, order),
                self.prompts.render("assigned_sides") if assigned else "",
                self._consulted(debaters, own) if len(debaters) == 1 else "",
                self.prompts.render(
                    instruction,
                    choices=self._choices(listed, debaters if argued else ()),
                    letters=self._letters(self.question.in_order(listed)),
                    quote_rules=self._quote_rules("judge_quote_rules")
                    if quoted
                    else "",
                    **numbers(self.question),
                ),
            ]
        )

    @property
    def passage_hidden(self) -> bool:
        """Whether there is a passage that judges may not read."""
        return self.question.passage is not None and self.config.passage == "hidden"

    def _passage(self) -> str:
        if self.question.passage is None:
            return ""
        return self.prompts.render("passage", passage=as_shown(self.question.passage))

    def _read(self) -> list[str]:
        """What those who answer and debate read first."""
        return [self._passage(), self._criterion(), self._item()]

    def _consulted(self, debaters: Sequence[Speaker], own: bool) -> str:
        (defended,) = pair(*debaters)
        return self.prompts.render(
            "consulted_own" if own else "consulted",
            number=self.question.called(defended),
        )

    def _item(self) -> str:
        texts = {
            _PLACEHOLDERS.get(name, name): as_shown(text)
            for name, text in self.question.sources.items()
        }
        return self.prompts.render(
            "item_free" if self.question.free else "item", **texts
        )

    def _criterion(self) -> str:
        """What an error is; only error detection has a criterion of its own."""
        asks = self.question.prompt_set == "colmad"
        return self.prompts.render("criterion") if asks else ""

    def _letters(self, choices: Sequence[str] | None = None) -> str:
        """Some of the choices, or all, in words."""
        choices = self.question.choices if choices is None else choices
        return either(sorted(self.question.called(choice) for choice in choices))

    def _quote_rules(self, key: str) -> str:
        if not quotable(self.question, self.config):
            return ""
        source = "passage" if self.question.passage else self.config.quote_source
        quoted = self.prompts.render(f"quoted_{source}")
        return self.prompts.render(key, quoted_text=quoted)

    def _choices(self, listed: Sequence[str], debaters: Sequence[Speaker]) -> str:
        speakers = {seat.defends: f" (argued for by {seat.name})" for seat in debaters}
        return "\n".join(
            self.prompts.render(
                "listed_answer",
                number=self.question.called(answer),
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

    def _transcript(
        self, heard: Sequence[Heard], debaters: Sequence[Speaker], order: Order
    ) -> str:
        """The transcript, stage after stage; within a stage the speakers in order."""
        if not heard:
            return ""
        listed = as_listed(self.question, debaters, order)
        seats = {seat.id: n for n, seat in enumerate(listed)}
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


def either(choices: Sequence[str]) -> str:
    """The letters of a choice in words: `A or B`, `A, B, C or D`; empty without any."""
    if not choices:
        return ""
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last


def quotable(question: Question, config: DebateConfig) -> tuple[str, ...]:
    """The sources that may be quoted; none where nobody is asked for quotes.

    Of a question without a passage that is nothing, unless `quote_source=input` says
    that the question itself is the text.
    """
    if config.quotes == "none":
        return ()
    if question.passage is not None:
        return ("passage",)
    if question.prompt_set == "colmad":
        both = config.quote_source == "input_and_response"
        return tuple(question.sources) if both else ("input",)
    return tuple(question.sources) if config.quote_source == "input" else ()


def numbers(question: Question) -> dict[str, str]:
    """What the answers of error detection are called, by placeholder."""
    if question.prompt_set != "colmad":
        return {}
    return {choice: question.called(choice) for choice in question.choices}


# How the completions of a debate are read.


@dataclass(frozen=True)
class Forms:
    """The forms of an answer, a speech and a verdict on one question.

    Public texts come out safe for another prompt, with their quotes checked and tagged.
    """

    question: Question
    prompts: PromptSet
    config: DebateConfig

    def answer(self) -> Form:
        """An answer ends with a sentence or line that holds its label."""
        key = "answer_free_reminder" if self.question.free else "answer_reminder"
        reminder = self._reminder(key, self.question.choices)
        return Form(self._read_answer, "answer", reminder)

    def speech(
        self, manner: Manner, earlier: Sequence[str], pair: Sequence[str]
    ) -> Form:
        """A speech is a public argument after private thinking.

        Its field `argument` has the number of words as its value. Where debaters
        conclude, `final` is the answer that the speaker now believes and `confidence`
        its probability.

        Args:
            manner: How debaters are told to debate.
            earlier: Quotes used in the debate so far.
            pair: The two answers that are debated.
        """
        return Form(
            lambda text: self._read_speech(text, manner, earlier, pair),
            "argument",
            self._reminder(manner.reminder, self.question.in_order(pair)),
            speech="argument",
        )

    def verdict(self, choices: Sequence[str]) -> Form:
        """A verdict ends with an answer line.

        Args:
            choices: The answers between which the judge decides.
        """
        if not choices:  # a judge who answers in words, without a debate
            reminder = self._reminder("answer_free_reminder", ())
            return Form(lambda t: Reading(t, free_answer(t)), "answer", reminder)
        return Form(
            lambda text: Reading(
                text, {"answer": read_verdict(text, self.question, choices)}
            ),
            "answer",
            self._reminder("verdict_reminder", choices),
        )

    def _reminder(self, key: str, choices: Sequence[str]) -> str:
        letters = either(sorted(self.question.called(choice) for choice in choices))
        return self.prompts.render(key, letters=letters, **numbers(self.question))

    def _read_answer(self, text: str) -> Reading:
        checked = self.checked(text, ())
        fields = (
            free_answer(text)
            if self.question.free
            else {"answer": read_answer(text, self.question, self.config.parser)}
        )
        return Reading(checked.text, fields, quotes=checked.quotes)

    def _read_speech(
        self, text: str, manner: Manner, earlier: Sequence[str], pair: Sequence[str]
    ) -> Reading:
        thinking, argument, status = split_argument(text)
        complete = status == Status.OK
        words = Parsed.ok(len(argument.split())) if complete else Parsed(status=status)
        fields = {"argument": words}
        if manner.concludes:
            fields["final"] = read_final(argument, self.question, pair)
            fields["confidence"] = stated_confidence(argument)
        checked = self.checked(argument, earlier)
        return Reading(checked.text, fields, thinking, checked.quotes)

    def checked(self, text: str, earlier: Sequence[str] = ()) -> Verified:
        """A public text as others read it: safe for a prompt, its quotes checked.

        Args:
            text: What a participant wrote.
            earlier: Quotes used in the debate so far.
        """
        text = neutralise(text)
        names = quotable(self.question, self.config)
        if not names or self.config.quotes == "none":
            return Verified(escape_quote_tags(text), ())
        # As participants were shown them.
        sources = {name: as_shown(self.question.sources[name]) for name in names}
        return verify_quotes(text, sources, earlier, self.config.quotes)


# Which answer a text ends with: a label, or the letter of an option.

# Tags that prompts ask for elsewhere, around an answer.
_OWN_TAGS = re.compile(r"</?(?:quote|answer)>", re.I)
_WORDS: Mapping[str, Sequence[str]] = {
    "error": ("error", "an error", "contains an error"),
    "no_error": ("no_error", "no error", "contains no error"),
}
_LABELS: Mapping[str, Sequence[str]] = {
    "error": ("1", *_WORDS["error"]),
    "no_error": ("2", *_WORDS["no_error"]),
}


def read_answer(
    text: str, question: Question, parser: Literal["last_sentence", "realmistake"]
) -> Parsed:
    """An answer of one's own: its label sentence, or its line `ANSWER: B`."""
    if question.options:
        return _chosen(text, "answer", question, question.choices)
    return (
        label_sentence(text) if parser == "last_sentence" else realmistake_label(text)
    )


def read_final(text: str, question: Question, pair: Sequence[str]) -> Parsed:
    """The answer that a debater now believes: its line `Final: ...`.

    Args:
        text: A speech.
        question: What is debated.
        pair: The two answers that are debated.
    """
    if question.options:
        return _chosen(text, "final", question, pair)
    return choice_line(text, "Final", _LABELS)


def read_verdict(text: str, question: Question, choices: Sequence[str]) -> Parsed:
    """A judge's verdict: its line `Answer: ...`, in error detection else its sentence.

    Args:
        text: A judge's completion.
        question: What is judged.
        choices: The answers between which the judge decides.
    """
    if question.options:
        return _chosen(text, "answer", question, choices)
    labels = {c: (question.called(c), *words) for c, words in _WORDS.items()}
    return verdict(text, labels)


def free_answer(text: str) -> dict[str, Parsed]:
    """An answer in words: the form in which it is compared, and how it was put."""
    said = _with_brackets(_OWN_TAGS.sub("", text))
    form = "" if said.value is None else canonical(str(said.value))
    if not form:
        return {"answer": Parsed.unparsed()}
    return {"answer": Parsed.ok(form), SAID: said}


def _with_brackets(text: str) -> Parsed:
    """A short answer; the brackets of an interval or a list are part of it."""
    span = find_answer(text)
    if span is None:
        return Parsed.unparsed()
    start, end = span
    if "," in text[start:end] and (text[start - 1 : start], text[end : end + 1]) == (
        "[",
        "]",
    ):
        start, end = start - 1, end + 1
    return Parsed.ok(text[start:end])


def _chosen(
    text: str, label: str, question: Question, choices: Sequence[str]
) -> Parsed:
    """One of some choices, by its letter, or by what it says.

    "B cells" is not the letter B if it is an answer. Where a lone letter is an answer
    and the letter of another one, nobody knows which is meant.
    """
    letters = {question.called(choice): choice for choice in choices}
    said = line_after(text, label) or ""
    by_text = [c for c in choices if canonical(question.options[c]) == canonical(said)]
    if len(by_text) == 1 and said:
        letter = said.strip(" .*()").upper()
        if letters.get(letter, by_text[0]) == by_text[0]:
            return Parsed.ok(by_text[0])
        if question.free:
            return Parsed.unparsed()
    named = letter_line(text, label, tuple(letters))
    return named if named.value is None else Parsed.ok(letters[str(named.value)])
