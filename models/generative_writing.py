"""Solutions, speeches about them, reviews and rulings, as texts."""

import json
from collections.abc import Mapping, Sequence
from random import Random

from inspect_debate.models import generative_phrases as phrases
from inspect_debate.models.drafting import Draft, count, shuffled, target
from inspect_debate.models.generative_deciding import Ruling, Stance

_FENCES = ("```", "```text")


def parts_of(solution: str) -> list[str]:
    """The parts of a solution, each of which stands in a fenced block of its own.

    A solution consists of grids with a blank line between them. One of another kind,
    in which a blank line parts nothing, is to be told apart here.
    """
    return solution.split("\n\n")


def write_solution(solution: str, words: int, rng: Random) -> Draft:
    """A solution: a reasoning, and a fenced block for each of its parts.

    Args:
        solution: The canonical text of the answer.
        words: Mean number of words of the reasoning; at least a sentence is written.
        rng: Chooses the sentences and the form.
    """
    fence = rng.choice(_FENCES)
    blocks = [f"{fence}\n{part}\n```" for part in parts_of(solution)]
    reasoning = _filled(phrases.REASONING, target(words, rng), rng)
    return Draft(" ".join(reasoning), "\n\n".join(blocks))


def write_case(other: str, round: int, words: int, rng: Random) -> Draft:
    """A speech about an answer of one's own.

    Args:
        other: Who else is heard; empty in a consultancy.
        round: From the second on it goes back to what was said.
        words: Mean number of words.
        rng: Chooses the sentences.
    """
    later = phrases.CASE_REPLIES if other else phrases.CASE_LATER
    head = rng.choice(later if round > 1 else phrases.CASE_OPENINGS)
    end = rng.choice(phrases.CASE_CLOSINGS)
    budget = target(words, rng) - count(head, end)
    points = _filled(phrases.CASE_POINTS, budget, rng)
    body = "\n\n".join([head, " ".join(points), end])
    return Draft(body.replace("{other}", other), "")


def write_review(
    stance: Stance, other: str, round: int, words: int, rng: Random
) -> Draft:
    """A critic's speech, which ends with the line `Stance: ...`.

    Args:
        stance: What it holds of the answer.
        other: Whose answer it is.
        round: From the second on it goes back to what was said.
        words: Mean number of words.
        rng: Chooses the sentences.
    """
    heads = phrases.REVIEW_LATER if round > 1 else phrases.REVIEW_OPENINGS
    head = rng.choice(heads[stance]).replace("{other}", other)
    line = f"Stance: {stance.upper()}"
    budget = target(words, rng) - count(head, line)
    points = _filled(phrases.REVIEW_POINTS[stance], budget, rng)
    return Draft("\n\n".join([head, " ".join(points)]), line)


def write_rulings(
    rulings: Mapping[str, Ruling], spoken: bool, words: int, rng: Random
) -> Draft:
    """A judge's reasons, and a JSON object with its rulings.

    Args:
        rulings: Of each name, in the order in which they are listed.
        spoken: Whether there were speeches, which the reasons may mention.
        words: Mean number of words of the reasons.
        rng: Chooses the sentences and the form.
    """
    opening = rng.choice(phrases.RULING_OPENINGS)
    ruled = " ".join(
        rng.choice(phrases.RULED[ruling.correct]).replace("{name}", name)
        for name, ruling in rulings.items()
    )
    bank = phrases.WEIGHED + (phrases.WEIGHED_SPEECHES if spoken else ())
    budget = target(words, rng) - count(opening, ruled)
    weighed = " ".join(_filled(bank, budget, rng))
    verdicts = {
        name: {
            "verdict": "correct" if ruling.correct else "incorrect",
            "confidence": ruling.confidence,
        }
        for name, ruling in rulings.items()
    }
    stated = json.dumps(verdicts, indent=rng.choice((None, 2)))
    return Draft("\n\n".join([opening, weighed, ruled]), fenced_json(stated))


def fenced_json(text: str) -> str:
    """A JSON object in the fenced block in which a judge states it."""
    return f"```json\n{text}\n```"


def _filled(bank: Sequence[str], budget: int, rng: Random) -> list[str]:
    """Sentences, until a number of words is used up; at least one."""
    deck = shuffled(bank, rng)
    chosen = [next(deck)]
    while budget > count(*chosen) + 6:
        chosen.append(next(deck))
    return chosen
