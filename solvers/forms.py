"""How the completions of error-detection protocols are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspect_debate.core.calls import Form, Reading
from inspect_debate.core.config import DebateConfig
from inspect_debate.core.parsing import (
    choice_line,
    label_sentence,
    realmistake_label,
    stated_confidence,
    verdict,
)
from inspect_debate.core.prompts import PromptSet
from inspect_debate.core.question import Question
from inspect_debate.core.quotes import Verified, verify_quotes
from inspect_debate.core.record import Parsed, Status
from inspect_debate.core.rendering import as_shown, escape_quote_tags, neutralise
from inspect_debate.core.tags import split_argument

CHOICE_TOKENS: Mapping[str, Sequence[str]] = {
    "error": ("1", "error", "an error", "contains an error"),
    "no_error": ("2", "no_error", "no error", "contains no error"),
}


@dataclass(frozen=True)
class Forms:
    """The forms of an answer, a speech and a verdict on one item.

    Public texts come out safe for another prompt, with their quotes checked and tagged.
    """

    question: Question
    prompts: PromptSet
    config: DebateConfig

    def answer(self) -> Form:
        """An answer ends with a sentence that holds its label."""
        return Form(self._read_answer, "answer", self.prompts.render("answer_reminder"))

    def speech(self, earlier: Sequence[str]) -> Form:
        """A speech is a public argument after private thinking.

        Its field `argument` has the number of words as its value; `final` is the answer
        that the speaker now believes and `confidence` its probability.

        Args:
            earlier: Quotes used in the debate so far.
        """
        return Form(
            lambda text: self._read_speech(text, earlier),
            "argument",
            self.prompts.render("speech_reminder"),
        )

    def verdict(self) -> Form:
        """A verdict ends with an answer line."""
        return Form(_read_verdict, "answer", self.prompts.render("verdict_reminder"))

    def _read_answer(self, text: str) -> Reading:
        last = self.config.parser == "last_sentence"
        read = label_sentence if last else realmistake_label
        checked = self._checked(text, ())
        return Reading(checked.text, {"answer": read(text)}, quotes=checked.quotes)

    def _read_speech(self, text: str, earlier: Sequence[str]) -> Reading:
        thinking, argument, status = split_argument(text)
        complete = status == Status.OK
        words = Parsed.ok(len(argument.split())) if complete else Parsed(status=status)
        checked = self._checked(argument, earlier)
        return Reading(
            public=checked.text,
            fields={
                "argument": words,
                "final": choice_line(argument, "Final", CHOICE_TOKENS),
                "confidence": stated_confidence(argument),
            },
            private=thinking,
            quotes=checked.quotes,
        )

    def _checked(self, text: str, earlier: Sequence[str]) -> Verified:
        text = neutralise(text)
        if self.config.quotes == "none":
            return Verified(escape_quote_tags(text), ())
        return verify_quotes(text, self._sources(), earlier)

    def _sources(self) -> dict[str, str]:
        """What may be quoted, as participants were shown it."""
        names = ["input", "response"]
        if self.config.quote_source == "input":
            names = ["input"]
        return {name: as_shown(self.question.sources[name]) for name in names}


def _read_verdict(text: str) -> Reading:
    return Reading(text, {"answer": verdict(text, CHOICE_TOKENS)})
