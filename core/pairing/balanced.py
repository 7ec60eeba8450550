"""Schedules in which every model meets many others and speaks for both sides."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

from inspect_debate.core.errors import InputError, check_name, check_whole_number
from inspect_debate.core.pairing.families import families_of
from inspect_debate.core.pairing.meetings import meetings
from inspect_debate.core.pairing.motions import on_motions
from inspect_debate.core.pairing.schedule import Pairing, check_pool, seats_of
from inspect_debate.core.pairing.sides import with_sides
from inspect_debate.core.seeds import seeded


def balanced(
    models: Sequence[str],
    motions: Sequence[str],
    *,
    debates: int | None = None,
    families: Mapping[str, str] | None = None,
    seed: int = 0,
    existing: Sequence[Pairing] = (),
) -> list[Pairing]:
    """Debates in which models appear, take sides and debate motions equally often.

    The aims, each as far as those before it allow: models appear equally often; each
    on both sides equally often; no rematch; pairs meet equally often; none within a
    family; motions are debated equally often; by every model; by every pair; models
    speak for both sides of each motion; and change sides when they meet again.

    Args:
        models: The pool, in any order.
        motions: Ids of the motions, in any order.
        debates: How many. By default every model debates every motion twice, which
            for ten models and six motions gives the study's 60.
        families: Families by model, where they are not told by the name.
        seed: Chooses among schedules that are equally good.
        existing: Debates that were held before, and count.

    Returns:
        The debates, without `existing`. Every first part of the list spreads over
        models and motions, too.

    Raises:
        InputError: If there are fewer than two models, no motion, or one comes twice;
            if there are to be fewer than no debates; if `existing` has other models.
    """
    check_pool(models, motions)
    if debates is None:
        debates = len(models) * len(motions)
    check_whole_number("debates", debates, at_least=0)
    _check_known(existing, models)
    if debates == 0:
        return []
    pool, topics = sorted(models), sorted(motions)
    seeded(seed, "pool").shuffle(pool)
    seeded(seed, "motions").shuffle(topics)
    family = families_of(pool, families)
    pairs = meetings(pool, debates, existing, family)
    return _spread(with_sides(on_motions(pairs, topics, existing), existing), seed)


def rebalanced(
    existing: Sequence[Pairing],
    models: Sequence[str],
    motions: Sequence[str],
    *,
    debates: int | None = None,
    families: Mapping[str, str] | None = None,
    seed: int = 0,
) -> list[Pairing]:
    """Further debates that even out what was held.

    Args:
        existing: The debates that were held.
        models: The pool; it may have models that took no part so far.
        motions: Ids of the motions for the further debates.
        debates: How many; by default the fewest after which every model was equally
            often on each side.
        families: Families by model, where they are not told by the name.
        seed: Chooses among schedules that are equally good.

    Returns:
        The further debates, chosen as in `balanced`; none if there is nothing to do.

    Raises:
        InputError: As `balanced`.
    """
    check_pool(models, motions)
    _check_known(existing, models)
    if debates is None:
        debates = _fewest(existing, models)
    return balanced(
        models,
        motions,
        debates=debates,
        families=families,
        seed=seed,
        existing=existing,
    )


def _fewest(existing: Sequence[Pairing], models: Sequence[str]) -> int:
    """The fewest debates after which every model was equally often on each side.

    Seats can be filled without a self-pair if no model needs more than one per debate.
    """
    seats = list(seats_of(existing, models).values())

    def further(times: int) -> int:
        return times * len(models) - len(existing)

    return next(
        further(times)
        for times in count(max(max(seat) for seat in seats))
        if all(2 * times - seat.appearances <= further(times) for seat in seats)
    )


def _check_known(existing: Sequence[Pairing], models: Sequence[str]) -> None:
    for debate in existing:
        for name in debate[:2]:
            check_name("The model of a debate that was held,", name, models)
        if debate.proposition == debate.opposition:
            raise InputError(
                f"A debate that was held is of {debate.proposition!r} with itself; "
                "only debates between two models can be balanced."
            )


def _spread(debates: Sequence[Pairing], seed: int) -> list[Pairing]:
    """Put next whose models and motion have come least so far."""
    left = list(debates)
    seeded(seed, "order").shuffle(left)
    came: Counter[str] = Counter()
    topics: Counter[str] = Counter()

    def so_far(debate: Pairing) -> tuple[int, int, int]:
        models = [came[name] for name in debate[:2]]
        return max(models), sum(models), topics[debate.motion]

    order = []
    while left:
        order.append(min(left, key=so_far))
        left.remove(order[-1])
        came.update(order[-1][:2])
        topics[order[-1].motion] += 1
    return order
