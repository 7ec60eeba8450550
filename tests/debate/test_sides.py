from collections import Counter
from dataclasses import replace
from typing import Literal

import pytest

from inspect_debate.debate.participants import (
    assigned_answers,
    defended_answers,
    display_orders,
    orders,
)
from inspect_debate.debate.record import Order
from inspect_debate.debate.seeds import BLOCK
from tests.support.made import question

IDS = [f"item-{n}" for n in range(400)]
E, N = "error", "no_error"


@pytest.mark.parametrize("answers", [(E, N), (N, E)])
@pytest.mark.parametrize("epoch", [1, 2])
def test_each_defends_its_own_answer(answers: tuple[str, str], epoch: int) -> None:
    for seed, id in enumerate(IDS[:20]):
        assert defended_answers(answers, question(id, epoch), seed) == answers


def test_where_they_agree_sides_are_opposite_and_balanced() -> None:
    sides = [defended_answers((E, E), question(id), 0) for id in IDS]
    assert set(sides) == {(E, N), (N, E)}
    assert 0.4 < sides.count((E, N)) / len(sides) < 0.6


def test_the_draw_does_not_depend_on_what_they_agree_on() -> None:
    for id in IDS:
        assert defended_answers((E, E), question(id), 3) == defended_answers(
            (N, N), question(id), 3
        )


def test_every_second_epoch_mirrors_the_sides() -> None:
    for id in IDS:
        first, second, third = (
            defended_answers((N, N), question(id, epoch), 0) for epoch in (1, 2, 3)
        )
        assert second == first[::-1]
        assert third == first


def test_another_seed_draws_anew() -> None:
    same = [
        defended_answers((E, E), question(id), 0)
        == defended_answers((E, E), question(id), 1)
        for id in IDS
    ]
    assert 0.4 < sum(same) / len(same) < 0.6


@pytest.mark.parametrize(
    ("order", "epoch", "shown"),
    [
        ("ab", 1, ["ab"]),
        ("ab", 2, ["ba"]),
        ("ab", 3, ["ab"]),
        ("ba", 1, ["ba"]),
        ("ba", 2, ["ab"]),
        ("both", 1, ["ab", "ba"]),
        ("both", 2, ["ab", "ba"]),
    ],
)
def test_orders(
    order: Literal["ab", "ba", "both"], epoch: int, shown: list[Order]
) -> None:
    assert orders(order, epoch) == shown


def drawn(rank: int | None, epoch: int = 1, id: str = "x") -> tuple[bool, bool]:
    """Of an item whether the first answer is shown first, and debater A defends it."""
    asked = replace(question(id, epoch), rank=rank)
    return display_orders("hash", asked)[0] == "ab", assigned_answers(asked, 0)[0] == E


def test_any_first_items_of_a_ranking_are_balanced_within_half_a_block() -> None:
    for epoch in (1, 2, 3):
        fields = zip(*(drawn(rank, epoch) for rank in range(402)), strict=True)
        for first in fields:
            for count in range(1, len(first) + 1):
                assert abs(2 * sum(first[:count]) - count) <= BLOCK // 2


def test_order_and_sides_do_not_follow_each_other() -> None:
    pairs = Counter(drawn(rank) for rank in range(400))
    assert len(pairs) == 4
    assert all(75 <= count <= 125 for count in pairs.values())


def test_draws_by_rank_are_mirrored_and_do_not_depend_on_the_id() -> None:
    for rank in range(40):
        assert drawn(rank, 2) == tuple(not one for one in drawn(rank))
        assert drawn(rank, id="y") == drawn(rank)


def test_items_without_a_rank_are_drawn_by_their_id() -> None:
    """Pinned, since logs of other tasks have these orders and sides."""
    orders, sides = zip(*(drawn(None, id=id) for id in IDS[:8]), strict=True)
    assert [n for n, first in enumerate(orders) if first] == [2, 3, 4]
    assert [n for n, first in enumerate(sides) if first] == [2, 3, 7]
