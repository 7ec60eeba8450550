"""A probability of winning that a text states as a figure, read without a model.

Conservative: what may be evidence, somebody else's chance, the bet itself, a bound or
the chance from which any debater starts is not read, and where two figures differ none
is. Against the labels of the confidence study's own grader, for 1,399 published bets:
of 619 whose reasoning is said to state a figure it reads 470, 468 of them as the same
figure or range, and it reads 3 of the other 780.
"""

import re
import unicodedata
from typing import NamedTuple


class Stated(NamedTuple):
    """A probability in percent; both ends are one where no range is stated."""

    low: float
    high: float


_MARKS = str.maketrans("‘’", "''", "*_`\u200b\ufeff")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[\r\n]+")

_NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,9})?"
_FIGURE = re.compile(
    rf"(?<![\w.,/$€£-])(?P<low>{_NUMBER})\s?(?:%|percent\b)?"
    rf"(?:\s?(?:[-‐-―−]|to\b)\s?(?P<high>{_NUMBER}))?"
    r"\s?(?:%|percent\b|/\s?100\b|out of 100\b)(?![\w/])",
    re.I,
)
_TOPIC = r"(?:chances?|probability|likelihood|odds|confidence|confident|certain|sure)"
# "my chances of winning are around 70%", "Win probability: 70%"
_NAMED_BEFORE = re.compile(rf"\b{_TOPIC}\b[^%]{{0,60}}\Z", re.I)
# "a 70% chance of winning", "an 80% win probability", "70% likely to prevail"
_NAMED_AFTER = re.compile(
    rf"[\s-]?(?:(?:overall|estimated|win|winning|of)[\s-]){{0,2}}{_TOPIC}\b"
    r"(?!\s(?:intervals?|levels? in|of (?:los|defeat|failure)|against))"
    r"|\slikely\sto\s(?:win|prevail)\b",
    re.I,
)
_OTHERS_AFTER = re.compile(
    r".{0,40}\b(?:opponents?|opposition|proposition|they|judges?)\s(?:\w+\s){0,2}"
    r"(?:win|prevail|succeed)",
    re.I,
)
_WINNING = re.compile(r"\b(?:win|wins|winning|victory|prevail(?:s|ing)?)\b", re.I)
_PERSON = re.compile(
    r"\b(?:(?P<own>I|me|my|mine|myself|we|our|us)"
    r"|(?P<other>opponents?|opposition|proposition|they|their|them|judges?|you|your"
    r"|his|her|its|both|each|either))\b",
    re.I,
)
_EVIDENCE = re.compile(
    r"\b(?:evidence|stud(?:y|ies)|data|statistics?|examples?|polls?|surveys?|cited?|citing"
    r"|show(?:s|ed|ing)?|public|voters?|trust|threshold|rates?|bets?|betting|stake"
    r"|staking|wager)\b",
    re.I,
)
_BOUND = re.compile(
    r"\b(?:above|over|below|under|than|exceed(?:s|ing)?|least|most|up|from|not|never|no"
    r"|close|near|nearly|almost|beyond|away|given)\W+(?:\w+\W+){0,2}\Z|n't\b",
    re.I,
)
_STARTING = re.compile(
    r"\b(?:theoretical(?:ly)?|inherent(?:ly)?|base(?:line)?|default|prior|initial(?:ly)?"
    r"|start(?:s|ed|ing)?|logical(?:ly)?|rational(?:ly)?|objective(?:ly)?|identical"
    r"|definition|same|copy|clone|doubt|if|unless|whether)\b",
    re.I,
)


def stated_probability(reasoning: str) -> Stated | None:
    """The probability of winning that a debater states in its reasoning.

    Args:
        reasoning: What it wrote before it bet.

    Returns:
        The figure or range; None where none is stated with certainty.
    """
    plain = unicodedata.normalize("NFKC", reasoning).translate(_MARKS)
    found = {
        (float(figure["low"]), float(figure["high"] or figure["low"]))
        for sentence in _SENTENCE_END.split(plain)
        for figure in _FIGURE.finditer(sentence)
        if _is_own_chance(*_around(sentence, figure))
    }
    if len(found) != 1:
        return None
    stated = Stated(*found.pop())
    return stated if stated.low <= stated.high <= 100 else None


def _around(sentence: str, figure: re.Match[str]) -> tuple[str, str]:
    start, end = figure.span()
    return sentence[max(0, start - 200) : start], sentence[end : end + 100]


def _is_own_chance(before: str, after: str) -> bool:
    """Whether a figure is the speaker's chance, by what stands around it."""
    if not (_NAMED_BEFORE.search(before) or _NAMED_AFTER.match(after)):
        return False
    persons = list(_PERSON.finditer(before))
    last = persons[-1] if persons else None
    own = last is not None and last["own"] is not None
    if (last and not own) or not (own or _WINNING.search(before + after)):
        return False
    near = before[last.end() if last else 0 :]
    return not (
        _EVIDENCE.search(near)
        or _STARTING.search(before[-60:] + after[:20])
        or _BOUND.search(before[-25:])
        or _OTHERS_AFTER.match(after)
    )
