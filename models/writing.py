"""Texts in the form that is asked for: answers, speeches, verdicts.

What a text says is decided before; here it is put into words, varied by seeded choice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import NamedTuple

from inspect_debate.models import phrases
from inspect_debate.models.passages import Passage

_NAMES = {"error": "Alice", "no_error": "Bob"}
_NUMBERS = {"error": "1", "no_error": "2"}
_OPPOSITE = {"error": "no_error", "no_error": "error"}


class Draft(NamedTuple):
    """A completion in parts: `closing` holds the lines that decide how it is read.

    `thinking` is None where no tags are asked for.
    """

    body: str
    closing: str
    thinking: str | None = None

    @property
    def text(self) -> str:
        """The whole completion."""
        return self.before_closing + self.after_body

    @property
    def before_closing(self) -> str:
        """Everything up to the closing lines."""
        if self.thinking is None:
            return self.body
        return f"<thinking>\n{self.thinking}\n</thinking>\n\n<argument>\n{self.body}"

    @property
    def after_body(self) -> str:
        """The closing lines and whatever tag follows them."""
        gap = "\n\n" if self.body else ""
        end = "" if self.thinking is None else "\n</argument>"
        return f"{gap}{self.closing}{end}"


def write_answer(label: str, words: int, rng: Random) -> Draft:
    """An answer of one's own, which ends with ReaLMistake's label sentence.

    Args:
        label: `error` or `no_error`.
        words: Mean number of words.
        rng: Chooses the sentences.
    """
    opening = rng.choice(phrases.ANSWER_OPENINGS)
    turn = rng.choice(phrases.ANSWER_TURNS[label])
    closing = phrases.LABEL_SENTENCES[label]
    budget = _target(words, rng) - _count(opening, turn, closing)
    aspects = _shuffled(phrases.ASPECTS, rng)
    checks: list[str] = []
    while budget > _count(*checks) + 10 or not checks:
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
        "n": _NUMBERS[speech.final],
        "m": _NUMBERS[_OPPOSITE[speech.final]],
    }
    head = [
        line.format(**names) for line in (_position(speech, rng), _fair(speech, rng))
    ]
    tail = [rng.choice(phrases.AUDITS), _change(speech, rng).format(**names)]
    closing = (
        f"{phrases.FINALS[speech.final]}\n"
        f"Conf: {speech.confidence:.2f} - {rng.choice(phrases.REASONS)}"
    )
    budget = _target(words, rng) - _count(*head, *tail, closing)
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
    sides = list(shown) or rng.sample(sorted(_NUMBERS), 2)
    weighed = [rng.choice(phrases.WEIGHED[side]) for side in sides]
    opening = rng.choice(phrases.VERDICT_OPENINGS)
    key = rng.choice(phrases.KEY_EVIDENCE[label])
    closing = f"Answer: {_NUMBERS[label]}"
    budget = _target(words, rng) - _count(opening, *weighed, key, closing)
    more = _shuffled(phrases.WEIGHED_MORE, rng)
    extra: list[str] = []
    while budget > _count(*extra) + 5:
        extra.append(next(more))
    return Draft("\n\n".join([opening, " ".join([*weighed, *extra]), key]), closing)


def write_reasoning(words: int, rng: Random) -> str:
    """What a reasoning model thinks before it writes, in so many words."""
    if not words:
        return ""
    lines = _shuffled((*phrases.ASPECTS, *phrases.PLAIN_TESTS), rng)
    thoughts: list[str] = []
    while _count(*thoughts) < words:
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
        return rng.choice(_impersonal(phrases.FAIR_OPENINGS))
    return rng.choice(
        phrases.FAIR_REBUTTALS if speech.round > 1 else phrases.FAIR_OPENINGS
    )


def _change(speech: Speech, rng: Random) -> str:
    if speech.final == speech.defends:
        return rng.choice(phrases.UNMOVED)
    if speech.before != speech.defends:
        return rng.choice(phrases.MOVED_BEFORE)
    heard = speech.round > 1
    return rng.choice(phrases.MOVED if heard else _impersonal(phrases.MOVED))


def _impersonal(bank: Sequence[str]) -> list[str]:
    """The sentences that do not speak of the other debater."""
    return [line for line in bank if "{other}" not in line]


def _tests(speech: Speech, budget: int, rng: Random) -> list[str]:
    """Numbered tests, one for every quote and more until the budget is used up."""
    plain = _shuffled(phrases.PLAIN_TESTS, rng)
    results = {
        True: _shuffled(phrases.FAILED, rng),
        False: _shuffled(phrases.PASSED, rng),
    }
    quoted = {
        source: _shuffled(forms, rng) for source, forms in phrases.QUOTED_TESTS.items()
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
        used += _count(tests[-1])
    return tests


def _target(words: int, rng: Random) -> int:
    return round(words * rng.uniform(0.75, 1.25))


def _count(*texts: str) -> int:
    return sum(len(text.split()) for text in texts)


def _shuffled(bank: Sequence[str], rng: Random) -> Iterator[str]:
    return cycle(rng.sample(bank, len(bank)))
