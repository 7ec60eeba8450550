"""Which of the released zeros were bet, and which stand for a bet that was not made.

Where no bet could be read, a person typed one at the console, mostly 0, and `NA` for
its reasoning; the files have no other sign of it. But a debater may also bet nothing.
"""

import re
from collections.abc import Iterator

_PLACEHOLDERS = {"", "na", "n/a", "nan", "none", "null"}

_BET = r"(?:bet(?:s|ting)?|wager(?:s|ed|ing)?|stak(?:es?|ed|ing))"
_NOTHING = r"(?:zero|nothing|none|no tokens|0)"
# A number of percent is a probability, and not what was bet.
_AMOUNT = rf"(?P<amount>{_NOTHING}|\d{{1,3}})(?![\d%]|[.,]\d|\s*percent)"
_WORDS = r"(?:\s+(?!no\b)[\w'-]+){0,4}?"  # up to four, and not across punctuation

_RANGE = re.compile(r"\b(?:between\s+)?0\s*(?:-|–|to|and)\s*100\b")
_NAMED = re.compile(
    # bet 55; betting any amount other than zero
    rf"\b{_BET}\b{_WORDS}(?:\s*[:=])?\s+{_AMOUNT}"
    # zero is the rational bet; a 0 bet
    rf"|\b(?P<before>{_NOTHING})\b(?:\s+[\w'-]+){{0,4}}?\s+{_BET}\b"
    # I would rather not bet; no bet at all; without betting anything
    r"|(?:\b(?:no|not(?:\s+to)?|never|without|against)|n't|\b(?:refrain|abstain) from)"
    rf"\s+{_BET}"
    r"(?:\s+(?:anything|at all|any\s+\w+))?(?P<refused>)\s*(?=[.,;:!?)]|$)"
)
_DENIED = re.compile(r"(?:\bnot|n't|\bnever|\brather than|\binstead of)\s+$")


def is_placeholder(reasoning: str) -> bool:
    """Whether a reasoning says nothing: `NA` and the like, or no text at all."""
    return reasoning.strip().casefold() in _PLACEHOLDERS


def zero_was_bet(reasoning: str) -> bool:
    """Whether a recorded 0 is a bet of nothing, and not one that is missing.

    It is where the last amount that the reasoning speaks of betting is nothing. A
    placeholder, a reasoning that breaks off before an amount, and one that ends with
    another amount belong to bets that were not read; so do those that leave it open.

    Args:
        reasoning: What the debater thought before the bet, as released.
    """
    if is_placeholder(reasoning):
        return False
    named = list(_amounts(reasoning))
    return bool(named) and named[-1] == 0


def _amounts(reasoning: str) -> Iterator[int]:
    """The amounts that a text speaks of betting, in order."""
    text = re.sub(r"[*_`\"“”<>]", " ", reasoning.casefold().replace("’", "'"))
    text = _RANGE.sub("some amount", text)
    for match in _NAMED.finditer(text):
        if _DENIED.search(text[: match.start()]):
            continue
        amount = match["amount"] or "0"
        yield int(amount) if amount.isdigit() else 0
