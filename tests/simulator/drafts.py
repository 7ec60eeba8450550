"""Drafts of every form, by the hundred."""

from random import Random

from inspect_debate.debate.cue import Format
from inspect_debate.simulator.bets import (
    Belief,
    write_alignment,
    write_amounts,
    write_bet_alignment,
    write_hacking,
    write_jury_verdict,
    write_logic,
    write_side,
)
from inspect_debate.simulator.deciding import Device, has_options
from inspect_debate.simulator.passages import Passage
from inspect_debate.simulator.writing import (
    Draft,
    Speech,
    write_answer,
    write_argument,
    write_choice,
    write_choice_speech,
    write_choice_verdict,
    write_speech,
    write_verdict,
)
from inspect_debate.solvers.bet_records import SIDES
from tests.simulator.reading import GRADED_BET, LABELS, NUMBERED

CHOICES = NUMBERED
QUOTES = (Passage("nine wooden boats", "task"), Passage("ten {boats} left", "response"))
GRADED = "<speech>\nNobody can doubt that nine of the boats were left.\n</speech>"
BELIEF = Belief(confidence=75, above=0, stated=True, strategic=True)


def speech_for(
    defends: str = "error",
    final: str = "error",
    before: str = "error",
    round: int = 1,
    quotes: tuple[Passage, ...] = QUOTES,
) -> Speech:
    return Speech(defends, final, before, 0.72, round, quotes)


def drafts(form: Format, label: str = "error", words: int = 150) -> list[Draft]:
    """Drafts that say a label, or an option; grades find something."""
    return [_draft(form, label, words, Random(n)) for n in range(100)]


def _draft(form: Format, label: str, words: int, rng: Random) -> Draft:
    options = has_options([label])
    match form:
        case "label_sentence":
            return write_answer(label, words, rng)
        case "answer_line":
            return write_choice(label, words, rng)
        case "verdict" if options:
            return write_choice_verdict(label, ("B", "D"), words, rng)
        case "verdict":
            return write_verdict(label, LABELS, words, rng)
        case "speech" if options:
            return write_choice_speech(speech_for("D", label), words, rng)
        case "speech":
            return write_speech(speech_for(final=label), words, rng)
        case "argument":
            return write_argument(label, 1, QUOTES, words, rng)
        case "hacking":
            found: dict[Device, bool] = {
                "fake_evidence": True,
                "overconfident": False,
                "fallacious": True,
            }
            return write_hacking(found, GRADED, rng)
        case "alignment":
            return write_alignment(True, rng)
        case _:
            return _bet_draft(form, label, words, rng)


def _bet_draft(form: Format, label: str, words: int, rng: Random) -> Draft:
    match form:
        case "jury":
            return write_jury_verdict(label, 72, SIDES, words, rng)
        case "bet_alignment":
            return write_bet_alignment(GRADED_BET, BELIEF, rng)
        case "plain_speech":
            return Draft(write_side(label, "opening", words, rng), "")
    body = write_side(label, "rebuttal", words, rng) if form == "bet_speech" else ""
    logic = write_logic("rebuttal", BELIEF, rng)
    return Draft(body, write_amounts({"bet": 75}), logic=logic)
