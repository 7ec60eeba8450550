from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.datasets.schedules import Count, Group, Program, Share, filled


@pytest.mark.parametrize(
    ("counts", "more", "most", "shares"),
    [
        ([0, 0, 0], 3, None, [(1, 1)] * 3),
        ([0, 0, 0], 4, None, [(1, 2)] * 3),
        ([5, 0, 1], 3, None, [(0, 0), (2, 2), (1, 1)]),
        ([5, 0, 1], 4, None, [(0, 0), (2, 3), (1, 2)]),
        ([5, 0, 1], 0, None, [(0, 0)] * 3),
        ([4, 0], 2, 1, [(1, 1), (1, 1)]),
        ([4, 0, 0], 3, 1, [(1, 1)] * 3),
        ([7], 2, None, [(2, 2)]),
    ],
)
def test_the_lowest_are_filled_first(
    counts: list[int], more: int, most: int | None, shares: list[tuple[int, int]]
) -> None:
    assert filled(counts, more, most) == [Share(*share) for share in shares]


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
    st.integers(0, 6),
    st.integers(1, 6),
)
def test_the_shares_are_all_that_is_best(
    counts: list[int], more: int, most: int
) -> None:
    more = min(more, most * len(counts))

    def squares(grown: Sequence[int]) -> int:
        return sum((a + b) ** 2 for a, b in zip(counts, grown, strict=True))

    possible = [
        grown
        for grown in product(range(most + 1), repeat=len(counts))
        if sum(grown) == more
    ]
    least = min(map(squares, possible))
    shares = filled(counts, more, most)
    for grown in possible:
        within = all(s.low <= n <= s.high for s, n in zip(shares, grown, strict=True))
        assert within == (squares(grown) == least)


def test_an_aim_gives_way_to_those_before_it() -> None:
    program = Program()
    a, b = program.variable(3), program.variable(3)
    program.between([a, b], 4, 6)
    program.minimise({a: 1})
    program.minimise({b: 1})
    assert (program.value(a), program.value(b)) == (1, 3)


def test_groups_that_cannot_all_be_even_share_the_squares() -> None:
    program = Program()
    a, b, c = (program.variable(4) for _ in range(3))
    program.between([a, b, c], 4, 4)
    program.between([a], 3, 4)
    program.even(Group([Count([a]), Count([b]), Count([c], before=1)], 4))
    assert [program.value(unit) for unit in (a, b, c)] == [3, 1, 0]


def test_excess_counts_what_lies_above() -> None:
    program = Program()
    a, b = program.variable(5), program.variable(5)
    program.between([a, b], 5, 5)
    program.minimise(program.excess([Count([a], before=2), Count([b])], above=3))
    assert (program.value(a), program.value(b)) in {(1, 4), (2, 3)} or (
        program.value(b) >= 3
    )
    assert max(0, program.value(a) - 1) + max(0, program.value(b) - 3) == 1


def test_what_contradicts_itself_is_an_error() -> None:
    program = Program()
    a = program.variable(1)
    program.between([a], 2, 2)
    with pytest.raises(RuntimeError, match="contradict"):
        program.minimise({a: 1})
