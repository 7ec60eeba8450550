from typing import Literal

import pytest

from inspect_debate.core.record import Order
from inspect_debate.core.sides import defended_answers, orders
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
