"""Drawing the rows of a sheet: which debates, in which order, under which codes."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from inspect_debate.analysis.judges.sheet_debates import Contest, DebateKey
from inspect_debate.core.record import Order
from inspect_debate.core.seeds import seeded

# Without vowels and digits no code is a word, a number, or a date to a spreadsheet.
_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
_LENGTH = 5


class Row(NamedTuple):
    """A debate on a sheet, with the order in which its sides are shown."""

    code: str
    contest: Contest
    order: Order


def drawn(
    contests: Sequence[Contest],
    *,
    seed: int,
    limit: int | None = None,
    per_stratum: int | None = None,
) -> list[Row]:
    """Draw the rows of a sheet.

    A stratum is a run and which of the two answers is right: the first, the second, or
    neither as far as is known. What is drawn depends on the seed and on the debates,
    not on their order.

    Args:
        contests: The debates that there are.
        seed: Of all draws.
        limit: How many to take in all, as equally from the strata as they allow.
        per_stratum: How many to take from a stratum at most.

    Returns:
        Rows in random order. Of each stratum, and in all, half are shown in either
        order, or one more in one of them.
    """
    strata = _strata(sorted(contests, key=lambda c: c.key))
    for name, members in strata.items():
        seeded(seed, "stratum", *name).shuffle(members)
        strata[name] = members[:per_stratum]
    kept = _in_turn(strata.values())[:limit]
    orders = _orders(kept, seed)
    runs = sorted({contest.key[0] for contest in kept})
    seeded(seed, "rows", *runs).shuffle(kept)
    codes = _codes(seeded(seed, "codes", *runs))
    return [
        Row(code, contest, orders[contest.key])
        for code, contest in zip(codes, kept, strict=False)
    ]


def _strata(contests: Iterable[Contest]) -> dict[tuple[str, str], list[Contest]]:
    """Debates by run and by which of the answers are right."""
    strata: dict[tuple[str, str], list[Contest]] = defaultdict(list)
    for contest in contests:
        right = [answer in contest.accepted for answer in contest.answers]
        strata[contest.key[0], str(right)].append(contest)
    return strata


def _in_turn(strata: Iterable[Sequence[Contest]]) -> list[Contest]:
    """One of every stratum, then another of every stratum, and so on."""
    rounds = zip_longest(*strata)
    return [contest for round in rounds for contest in round if contest is not None]


def _orders(kept: Iterable[Contest], seed: int) -> dict[DebateKey, Order]:
    """Both orders by turns within each stratum; strata of odd size take turns, too."""
    turn = int(seeded(seed, "first order").random() < 0.5)
    orders: dict[DebateKey, Order] = {}
    for members in _strata(kept).values():
        for contest in members:
            orders[contest.key] = "ba" if turn % 2 else "ab"
            turn += 1
    return orders


def _codes(draws: random.Random) -> Iterator[str]:
    """Codes that tell nothing, each once, without end."""
    given = set[str]()
    while True:
        code = "".join(draws.choices(_LETTERS, k=_LENGTH))
        if code not in given:
            given.add(code)
            yield code
