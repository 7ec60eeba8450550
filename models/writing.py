"""Texts on whether a response has an error: answers, speeches, verdicts.

What a text says is decided before; here it is put into words, varied by seeded choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from inspect_debate.models import phrases
from inspect_debate.models.drafting import (
    NUMBERS,
    Draft,
    count,
    impersonal,
    shuffled,
    target,
)
from inspect_debate.models.passages import Passage

_NAMES = {"error": "Alice", "no_error": "Bob"}
_OPPOSITE = {"error": "no_error", "no_error": "error"}


def write_answer(
    label: str,
    words: int,
    rng: Random,
    openings: Sequence[str] = phrases.ANSWER_OPENINGS,
) -> Draft:
    """An answer of one's own, which ends with ReaLMistake's label sentence.

    Args:
        label: `error` or `no_error`.
        words: Mean number of words.
        rng: Chooses the sentences.
        openings: First sentences to choose from.
    """
    opening = rng.choice(openings)
    turn = rng.choice(phrases.ANSWER_TURNS[label])
    closing = phrases.LABEL_SENTENCES[label]
    budget = target(words, rng) - count(opening, turn, closing)
    aspects = shuffled(phrases.ASPECTS, rng)
    checks: list[str] = []
    while budget > count(*checks) + 10 or not checks:
        broken = label == "error" and not checks
        result = rng.choice(phrases.BROKEN if broken else phrases.MET)
        checks.append(f"- {next(aspects)}. {result}")
    rng.shuffle(checks)
    return Draft("\n\n".join([opening, "\n".join(checks), turn]), closing)


@dataclass(frozen=True)
class Speech:
    """What a speech says.

    `final` and `confidence` stand in its last lines; `before` is what the speaker's
    Final was in the round before, or, in round 1, what it defends.
    """

    defends: str
    final: str
    before: str
    confidence: float
    round: int
    quotes: Sequence[Passage]


def write_speech(speech: Speech, words: int, rng: Random) -> Draft:
    """A debater's speech: private thinking, tests with quotes, `Final:` and `Conf:`.

    Args:
        speech: What it says.
        words: Mean number of words of the argument.
        rng: Chooses the sentences.
    """
    names = {
        "other": _NAMES[_OPPOSITE[speech.defends]],
        "n": NUMBERS[speech.final],
        "m": NUMBERS[_OPPOSITE[speech.final]],
    }
    head = [
        line.format(**names) for line in (_position(speech, rng), _fair(speech, rng))
    ]
    tail = [rng.choice(phrases.AUDITS), view_of(speech, rng).format(**names)]
    closing = (
        f"{phrases.FINALS[speech.final]}\n"
        f"Conf: {speech.confidence:.2f} - {rng.choice(phrases.REASONS)}"
    )
    budget = target(words, rng) - count(*head, *tail, closing)
    tests = _tests(speech, budget, rng)
    if budget < -20 and not tests:
        head, tail = head[:1], []
    body = "\n\n".join(filter(None, [*head, "\n".join(tests), " ".join(tail)]))
    return Draft(body, closing, rng.choice(phrases.PLANS).format(**names))


def write_verdict(label: str, shown: Sequence[str], words: int, rng: Random) -> Draft:
    """A judge's verdict, which weighs both sides and ends with an `Answer:` line.

    Args:
        label: `error` or `no_error`.
        shown: The answers in the order in which they are weighed; any order if empty.
        words: Mean number of words.
        rng: Chooses the sentences.
    """
    sides = list(shown) or rng.sample(sorted(NUMBERS), 2)
    weighed = [rng.choice(phrases.WEIGHED[side]) for side in sides]
    opening = rng.choice(phrases.VERDICT_OPENINGS)
    key = rng.choice(phrases.KEY_EVIDENCE[label])
    closing = f"Answer: {NUMBERS[label]}"
    budget = target(words, rng) - count(opening, *weighed, key, closing)
    more = shuffled(phrases.WEIGHED_MORE, rng)
    extra: list[str] = []
    while budget > count(*extra) + 5:
        extra.append(next(more))
    return Draft("\n\n".join([opening, " ".join([*weighed, *extra]), key]), closing)


def write_reasoning(words: int, rng: Random) -> str:
    """What a reasoning model thinks before it writes, in so many words."""
    if not words:
        return ""
    lines = shuffled((*phrases.ASPECTS, *phrases.PLAIN_TESTS), rng)
    thoughts: list[str] = []
    while count(*thoughts) < words:
        thoughts.append(next(lines).rstrip(".") + ".")
    return " ".join(" ".join(thoughts).split()[:words])


def _position(speech: Speech, rng: Random) -> str:
    conceded = speech.final != speech.defends
    return rng.choice(
        phrases.CONCESSIONS if conceded else phrases.POSITIONS[speech.final]
    )


def _fair(speech: Speech, rng: Random) -> str:
    conceded = speech.final != speech.defends
    if conceded:  # then the other side is the one that it had been given
        return rng.choice(impersonal(phrases.FAIR_OPENINGS))
    return rng.choice(
        phrases.FAIR_REBUTTALS if speech.round > 1 else phrases.FAIR_OPENINGS
    )


def view_of(speech: Speech, rng: Random) -> str:
    """What a speech says on whether the speaker's view changed."""
    if speech.final == speech.defends:
        return rng.choice(phrases.UNMOVED)
    if speech.before != speech.defends:
        return rng.choice(phrases.MOVED_BEFORE)
    heard = speech.round > 1
    return rng.choice(phrases.MOVED if heard else impersonal(phrases.MOVED))


def _tests(speech: Speech, budget: int, rng: Random) -> list[str]:
    """Numbered tests, one for every quote and more until the budget is used up."""
    plain = shuffled(phrases.PLAIN_TESTS, rng)
    results = {
        True: shuffled(phrases.FAILED, rng),
        False: shuffled(phrases.PASSED, rng),
    }
    quoted = {
        source: shuffled(forms, rng) for source, forms in phrases.QUOTED_TESTS.items()
    }
    tests: list[str] = []
    used = 0
    while len(tests) < len(speech.quotes) or budget > used + 11:
        number = len(tests)
        if number < len(speech.quotes):
            passage = speech.quotes[number]
            form = next(quoted[passage.source])
            what = form.format(quote=f"<quote>{passage.text}</quote>")
        else:
            what = next(plain)
        fails = speech.final == "error" and (number == 0 or rng.random() < 0.3)
        tests.append(f"Test {number + 1}: {what} {next(results[fails])}")
        used += count(tests[-1])
    return tests
