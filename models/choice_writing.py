"""Texts on a question with options, which go by their letters."""

from collections.abc import Sequence
from random import Random

from inspect_debate.models import phrases
from inspect_debate.models.arguing import evidence
from inspect_debate.models.drafting import Draft, count, impersonal, shuffled, target
from inspect_debate.models.writing import Speech, view_of


def write_choice(
    option: str,
    words: int,
    rng: Random,
    openings: Sequence[str] = phrases.CHOICE_OPENINGS,
) -> Draft:
    """An answer of one's own, which ends with a line `ANSWER: B`.

    Args:
        option: The letter of the answer.
        words: Mean number of words.
        rng: Chooses the sentences.
        openings: First sentences to choose from.
    """
    opening = rng.choice(openings)
    turn = rng.choice(phrases.CHOICE_TURNS).format(n=option)
    closing = f"ANSWER: {option}"
    budget = target(words, rng) - count(opening, turn, closing)
    checks = " ".join(evidence((), budget, rng))
    return Draft(_paragraphs(opening, checks, turn), closing)


def write_choice_speech(speech: Speech, words: int, rng: Random) -> Draft:
    """A debater's speech: private thinking, evidence, `Final:` and `Conf:`.

    Args:
        speech: What it says.
        words: Mean number of words of the argument.
        rng: Chooses the sentences.
    """
    conceded = speech.final != speech.defends
    names = {"n": speech.final, "m": speech.defends, "other": "the other debater"}
    bank = phrases.CONCESSIONS if conceded else phrases.CASES
    head = rng.choice(bank).format(**names)
    tail = [rng.choice(phrases.AUDITS), view_of(speech, rng).format(**names)]
    closing = (
        f"Final: {speech.final}\n"
        f"Conf: {speech.confidence:.2f} - {rng.choice(phrases.REASONS)}"
    )
    budget = target(words, rng) - count(head, *tail, closing)
    points = evidence(speech.quotes, budget, rng)
    if budget < -20 and not points:
        tail = []
    body = _paragraphs(head, " ".join(points), " ".join(tail))
    return Draft(body, closing, rng.choice(impersonal(phrases.PLANS)))


def write_choice_verdict(
    option: str, weighed: Sequence[str], words: int, rng: Random
) -> Draft:
    """A judge's verdict, which weighs options and ends with an `Answer:` line.

    Args:
        option: The letter of the answer.
        weighed: The letters to weigh, in this order.
        words: Mean number of words.
        rng: Chooses the sentences.
    """
    opening = rng.choice(phrases.CHOICE_OPENINGS)
    forms = shuffled(phrases.CHOICE_WEIGHED, rng)
    sides = [next(forms).format(n=letter) for letter in weighed]
    key = rng.choice(phrases.CHOICE_TURNS).format(n=option)
    closing = f"Answer: {option}"
    budget = target(words, rng) - count(opening, *sides, key, closing)
    more = evidence((), budget, rng)
    return Draft(_paragraphs(opening, " ".join([*sides, *more]), key), closing)


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))
