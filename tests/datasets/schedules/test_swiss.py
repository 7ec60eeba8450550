from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.datasets.schedules import (
    Pairing,
    Result,
    imbalance,
    standings,
    swiss,
)
from tests.datasets.schedules.brute import (
    matchings,
    motions_quality,
    on_all_motions,
    round_quality,
)
from tests.datasets.schedules.pools import pool, results

MOTIONS = ["lamps", "ships", "tides"]


def result(
    proposition: str, opposition: str, won: bool | None, margin: float
) -> Result:
    return Result(Pairing(proposition, opposition, "lamps"), won, margin)


def test_rank_is_by_wins_and_losses_then_by_margin() -> None:
    table = standings(
        [
            result("a", "b", True, 10),
            result("c", "d", False, -40),
            result("a", "c", None, 0),  # a tie is nobody's win
            result("b", "d", False, -5),
            result("b", "c", True, 90),
        ],
        ["a", "b", "c", "d", "new"],
    )
    assert [one[1:] for one in table] == [
        (2, 45.0, 2),  # d
        (1, 10.0, 2),  # a
        (0, 0.0, 0),  # new
        (-1, 75.0, 3),  # b: lost two, won one
        (-2, -130.0, 3),
    ]
    assert [one.model for one in table] == ["d", "a", "new", "b", "c"]


def test_the_margin_of_a_tie_counts() -> None:
    table = standings([result("a", "b", None, -3)], ["a", "b"])
    assert [(one.model, one.margin) for one in table] == [("b", 3.0), ("a", -3.0)]


def test_margins_add_up_to_the_same_in_any_order() -> None:
    margins = [0.1, 0.2, 0.3, 1e9]
    sums = {
        standings([result("a", "b", None, m) for m in order], ["a", "b"])[0].margin
        for order in permutations(margins)
    }
    assert len(sums) == 1


def test_winners_meet_winners() -> None:
    first = [result("a", "b", True, 10), result("c", "d", False, -20)]
    second = swiss(first, list("abcd"), MOTIONS)
    assert {debate.pair for debate in second.pairings} == {
        frozenset("ad"),
        frozenset("bc"),
    }
    assert {debate.round for debate in second.pairings} == {2}
    assert second.bye is None
    # The two that were for the proposition are now for the opposition.
    seats = imbalance([*(r.debate for r in first), *second.pairings]).seats
    assert {seat.difference for seat in seats.values()} == {0}


def test_no_rematch_comes_before_the_score_group() -> None:
    # After two rounds a has won twice and d lost twice, and both met b and c.
    held = [
        result("a", "b", True, 1),
        result("c", "d", True, 1),
        result("a", "c", True, 1),
        result("b", "d", True, 1),
    ]
    paired = swiss(held, list("abcd"), MOTIONS).pairings
    assert {debate.pair for debate in paired} == {frozenset("ad"), frozenset("bc")}


def test_the_score_group_comes_before_sides() -> None:
    held = [
        result("a", "x", True, 1),
        result("b", "y", True, 1),
        result("x", "c", False, -1),
        result("y", "d", False, -1),
    ]
    # a and b both were for the proposition, c and d against it; all of them won.
    for seed in range(5):
        paired = swiss(held, list("abcdxy"), MOTIONS, seed=seed).pairings
        assert frozenset("xy") in {debate.pair for debate in paired}
        # Within the group sides decide: each pair has one of either kind.
        for debate in paired:
            assert debate.pair & set("ab") == frozenset() or debate.pair & set("cd")


def test_rank_decides_last_and_large_gaps_weigh_more() -> None:
    # All have tied; by margin the order is a, b, c, d; neighbours have met.
    held = [
        *(result("a", "b", None, 0), result("c", "d", None, 0)),
        *(result(x, y, None, 0) for x, y in ("ex", "xf", "ef")),
        *(result("a", "e", None, 9), result("b", "e", None, 6)),
        *(result("e", "c", None, 6), result("e", "d", None, 9)),
    ]
    for seed in range(3):
        paired = swiss(held, list("abcd"), MOTIONS, seed=seed).pairings
        assert {debate.pair for debate in paired} == {frozenset("ac"), frozenset("bd")}


def test_the_bye_goes_to_the_last_that_had_none() -> None:
    models = list("abc")
    held: list[Result] = []
    byes = []
    for _ in range(6):
        paired = swiss(held, models, MOTIONS)
        assert paired.bye is not None
        byes.append(paired.bye)
        (debate,) = paired.pairings
        assert debate.pair == set(models) - {paired.bye}
        a_won = "a" in debate.pair and debate.proposition == "a"
        held.append(Result(debate, a_won or "a" not in debate.pair, 0))
    assert set(byes[:3]) == set(byes[3:]) == set(models)


def test_a_bye_counts_as_nothing() -> None:
    paired = swiss([], list("abcde"), MOTIONS)
    table = standings(
        [Result(debate, True, 5) for debate in paired.pairings], list("abcde")
    )
    (out,) = (one for one in table if one.model == paired.bye)
    assert out[1:] == (0, 0.0, 0)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_no_round_is_better(data: st.DataObject) -> None:
    models = pool(data.draw(st.integers(2, 8)))
    so_far = data.draw(results(models, MOTIONS, most=14))
    seed = data.draw(st.integers(0, 99))
    paired = swiss(so_far, models, MOTIONS, seed=seed)
    before = [one.debate for one in so_far]
    table = [one for one in standings(so_far, models, seed) if one.model != paired.bye]
    assert round_quality([d[:2] for d in paired.pairings], table, before) == min(
        round_quality(chosen, table, before)
        for chosen in matchings([one.model for one in table])
    )
    assert motions_quality([*before, *paired.pairings]) == min(
        motions_quality([*before, *chosen])
        for chosen in on_all_motions(paired.pairings, MOTIONS)
    )


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_everybody_debates_once_or_sits_out(data: st.DataObject) -> None:
    models = pool(data.draw(st.integers(2, 9)))
    so_far = data.draw(results(models, MOTIONS, most=14))
    paired = swiss(so_far, models, MOTIONS)
    seen = Counter(name for debate in paired.pairings for name in debate[:2])
    out = [] if paired.bye is None else [paired.bye]
    assert sorted([*seen.elements(), *out]) == sorted(models)
    assert (paired.bye is None) == (len(models) % 2 == 0)
    if paired.bye is not None:
        table = standings(so_far, models)
        most = max(one.debates for one in table)
        assert paired.bye == [one.model for one in table if one.debates == most][-1]


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_the_order_of_what_is_given_means_nothing(data: st.DataObject) -> None:
    models = pool(data.draw(st.integers(2, 8)))
    so_far = data.draw(results(models, MOTIONS, most=12))
    first, second = (
        swiss(
            data.draw(st.permutations(so_far)),
            data.draw(st.permutations(models)),
            data.draw(st.permutations(MOTIONS)),
            seed=4,
        )
        for _ in range(2)
    )
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize(("size", "rounds"), [(10, 5), (9, 5), (7, 7), (2, 4), (20, 4)])
def test_a_whole_tournament(size: int, rounds: int) -> None:
    models, held, byes = pool(size), list[Result](), list[str | None]()
    strength = {name: n for n, name in enumerate(models)}
    for number in range(1, rounds + 1):
        paired = swiss(held, models, MOTIONS, seed=1)
        assert {debate.round for debate in paired.pairings} == {number}
        byes.append(paired.bye)
        for debate in paired.pairings:
            gap = strength[debate.proposition] - strength[debate.opposition]
            held.append(Result(debate, gap > 0, gap))
    found = imbalance([one.debate for one in held], models, MOTIONS)
    assert found.rematches == max(0, rounds - 1 if size == 2 else 0)
    assert found.sides <= 2
    assert found.motions.most - found.motions.least <= 1
    if size % 2:
        assert len(set(byes)) == rounds
    else:
        assert set(byes) == {None}
    if size > 2:
        table = standings(held, models)
        assert models[-1] == table[0].model


def test_seeds_draw_the_first_round() -> None:
    rounds = {
        frozenset(
            debate.pair for debate in swiss([], pool(8), MOTIONS, seed=n).pairings
        )
        for n in range(6)
    }
    assert len(rounds) > 3


def test_a_pool_of_one_has_nobody_to_meet() -> None:
    with pytest.raises(ValueError, match="at least two models; given: a"):
        swiss([], ["a"], MOTIONS)
