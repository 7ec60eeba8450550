"""What a competitor says, and evidence on whatever question."""

from collections.abc import Sequence
from random import Random

from inspect_debate.models import phrases
from inspect_debate.models.drafting import NUMBERS, Draft, count, shuffled, target
from inspect_debate.models.passages import Passage


def write_argument(
    defends: str, round: int, quotes: Sequence[Passage], words: int, rng: Random
) -> Draft:
    """A competitor's speech: private thinking, and a case for its own side alone.

    It concedes nothing, does not audit itself and has no closing lines.

    Args:
        defends: The answer that it argues for: `error`, `no_error` or an option.
        round: The round, from 1; from the second on it rebuts.
        quotes: What it quotes.
        words: Mean number of words of the argument.
        rng: Chooses the sentences.
    """
    own = NUMBERS.get(defends, defends)
    attacks = phrases.REBUTTALS if round > 1 else phrases.ATTACKS
    position, attack, end = (
        rng.choice(bank).format(n=own)
        for bank in (phrases.CASES, attacks, phrases.DEMANDS)
    )
    budget = target(words, rng) - count(position, attack, end)
    points = evidence(quotes, budget, rng)
    parts = [position, " ".join(points), f"{attack} {end}"]
    if budget < -20 and not points:
        parts = [position]
    body = "\n\n".join(filter(None, parts))
    return Draft(body, "", rng.choice(phrases.PLOTS))


def evidence(quotes: Sequence[Passage], budget: int, rng: Random) -> list[str]:
    """A sentence for every quote, and more until a number of words is used up."""
    cited = shuffled(phrases.CITED, rng)
    points = [
        next(cited).format(quote=f"<quote>{passage.text}</quote>") for passage in quotes
    ]
    plain = shuffled(phrases.CHECKS, rng)
    while budget > count(*points) + 5:
        points.append(next(plain))
    return points
