"""Drafts of every form, by the hundred."""

from random import Random

from inspect_debate.core.cue import Format
from inspect_debate.models.passages import Passage
from inspect_debate.models.writing import (
    Draft,
    Speech,
    write_answer,
    write_speech,
    write_verdict,
)

LABELS = ("error", "no_error")
CHOICES = {"error": ("1", "error"), "no_error": ("2", "no_error", "no error")}
QUOTES = (Passage("nine wooden boats", "task"), Passage("ten {boats} left", "response"))


def speech_for(
    defends: str = "error",
    final: str = "error",
    before: str = "error",
    round: int = 1,
    quotes: tuple[Passage, ...] = QUOTES,
) -> Speech:
    return Speech(defends, final, before, 0.72, round, quotes)


def drafts(form: Format, label: str = "error", words: int = 150) -> list[Draft]:
    rngs = [Random(n) for n in range(100)]
    match form:
        case "label_sentence":
            return [write_answer(label, words, rng) for rng in rngs]
        case "verdict":
            return [write_verdict(label, LABELS, words, rng) for rng in rngs]
        case "speech":
            speech = speech_for(final=label)
            return [write_speech(speech, words, rng) for rng in rngs]
