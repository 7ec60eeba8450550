from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.datasets.schedules import (
    Debate,
    Extent,
    Pairing,
    balanced,
    family,
    imbalance,
    rebalanced,
    with_sides,
)
from tests.datasets.schedules.brute import (
    meetings_quality,
    motions_quality,
    on_all_motions,
    on_all_sides,
    schedules,
    sides_quality,
)
from tests.datasets.schedules.pools import held, pool

SIX = ["carbon", "lamps", "news", "recall", "shares", "space"]
# Of these sizes all schedules can be looked at.
SMALL = st.sampled_from(
    [(2, 6), (3, 5), (4, 3), (4, 4), (5, 3), (6, 3), (7, 2), (8, 2)]
)


def test_the_studys_pool_by_default() -> None:
    models = pool(10)
    found = imbalance(balanced(models, SIX))
    assert found.debates == 60
    assert {tuple(seats) for seats in found.seats.values()} == {(6, 6)}
    assert found.appearances == Extent(12, 12)
    assert found.motions == Extent(10, 10)
    assert found.motions_per_model == Extent(2, 2)
    # 45 pairs: all meet once, and those 15 that meet again are of two families.
    assert found.rematches == 15
    assert found.same_family == 5


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 9])
def test_by_default_every_model_debates_every_motion_on_both_sides(size: int) -> None:
    schedule = balanced(pool(size), SIX, seed=3)
    for place in (0, 1):
        seats = Counter((debate[place], debate.motion) for debate in schedule)
        assert set(seats.values()) == {1}
        assert len(seats) == size * len(SIX)


@pytest.mark.parametrize(
    ("size", "debates", "rematches", "same_family"),
    [
        (6, 12, 0, 0),  # each meets the four of other families
        (6, 15, 0, 3),  # each meets everybody
        (6, 27, 12, 3),  # and those of other families again
        (6, 30, 15, 6),
        (2, 3, 2, 3),
        (8, 24, 0, 0),
    ],
)
def test_other_families_come_first(
    size: int, debates: int, rematches: int, same_family: int
) -> None:
    found = imbalance(balanced(pool(size), SIX, debates=debates))
    assert (found.rematches, found.same_family) == (rematches, same_family)


def test_families_can_be_told() -> None:
    models = ["a/1", "b/2", "c/3", "d/4"]
    told = {"a/1": "x", "b/2": "x", "c/3": "y", "d/4": "Y"}
    schedule = balanced(models, SIX, debates=4, families=told)
    assert {debate.pair for debate in schedule} == {
        frozenset((a, b)) for a in ("a/1", "b/2") for b in ("c/3", "d/4")
    }


def test_models_change_sides_when_they_meet_again() -> None:
    schedule = balanced(pool(5), ["one"], debates=20)
    assert Counter(debate[:2] for debate in schedule).most_common(1)[0][1] == 1


def test_a_pair_that_meets_again_debates_another_motion() -> None:
    schedule = balanced(pool(6), SIX[:2], debates=30)
    assert len({(debate.pair, debate.motion) for debate in schedule}) == 30


def test_one_rematch_is_better_than_two_of_pairs_that_met_less() -> None:
    times = {
        **dict.fromkeys(("ac", "bd"), 1),
        **dict.fromkeys(("ae", "af", "be", "bf"), 3),
        "ab": 4,
        **dict.fromkeys(("ad", "bc", "ce", "cf", "de", "df"), 5),
    }
    held = [Debate((p[0], p[1]), "m") for p, n in times.items() for _ in range(n)]
    before = with_sides(held, [])
    assert imbalance(before).appearances == Extent(16, 16)
    added = balanced(list("abcdef"), ["m"], debates=3, existing=before)
    # Not a-c, b-d and e-f, though the first two have met only once.
    assert {debate.pair for debate in added} == set(map(frozenset, ("ab", "cd", "ef")))


def test_every_first_part_is_spread_too() -> None:
    schedule = balanced(pool(10), SIX)
    for size in range(1, len(schedule) + 1):
        part = imbalance(schedule[:size], pool(10), SIX)
        assert part.appearances.most - part.appearances.least <= 2
        assert part.motions.most - part.motions.least <= 3


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_no_schedule_is_better(data: st.DataObject) -> None:
    (size, debates), motions = data.draw(SMALL), SIX[: data.draw(st.integers(1, 3))]
    models = pool(size, data.draw(st.integers(1, 3)))
    before = data.draw(held(models, motions, most=6))
    found = balanced(models, motions, debates=debates, existing=before)
    assert len(found) == debates
    seats = [debate[:2] for debate in before]
    assert meetings_quality([*seats, *(d[:2] for d in found)], models) == min(
        meetings_quality([*seats, *chosen], models)
        for chosen in schedules(models, debates)
    )
    assert motions_quality([*before, *found]) == min(
        motions_quality([*before, *chosen]) for chosen in on_all_motions(found, motions)
    )
    assert sides_quality([*before, *found]) == min(
        sides_quality([*before, *chosen]) for chosen in on_all_sides(found)
    )


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(2, 8), st.integers(0, 30), st.integers(1, 6), st.integers(0, 2**32))
def test_from_nothing_all_is_as_even_as_numbers_allow(
    size: int, debates: int, topics: int, seed: int
) -> None:
    models, motions = pool(size), [f"m{n}" for n in range(topics)]
    schedule = balanced(models, motions, debates=debates, seed=seed)
    found = imbalance(schedule, models, motions)
    assert all(debate.proposition != debate.opposition for debate in schedule)
    assert found.appearances.most - found.appearances.least <= 1
    for seats in found.seats.values():
        assert seats.difference == seats.appearances % 2
    assert found.motions.most - found.motions.least <= 1
    # Not always within one: of 29 debates of three models on four motions one motion
    # has 8, and so 16 seats, while three models with 5 each would fill 15.
    for on_motion in found.on_motion.values():
        assert max(on_motion.values()) - min(on_motion.values()) <= 2
    pairs = Counter({frozenset(pair): 0 for pair in combinations(models, 2)})
    pairs.update(debate.pair for debate in schedule)
    assert max(pairs.values()) - min(pairs.values()) <= 1


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_the_order_of_what_is_given_means_nothing(data: st.DataObject) -> None:
    models, motions = pool(data.draw(st.integers(2, 7))), SIX[:4]
    before = data.draw(held(models, motions, most=8))
    debates, seed = data.draw(st.integers(1, 15)), data.draw(st.integers(0, 9))
    first, second = (
        balanced(
            data.draw(st.permutations(models)),
            data.draw(st.permutations(motions)),
            debates=debates,
            existing=data.draw(st.permutations(before)),
            seed=seed,
        )
        for _ in range(2)
    )
    assert first == second


def test_seeds_give_other_schedules_that_are_as_good() -> None:
    models = pool(10)
    schedules = [balanced(models, SIX, seed=seed) for seed in range(3)]
    met = [Counter(debate.pair for debate in schedule) for schedule in schedules]
    assert met[0] != met[1] != met[2]
    assert len({imbalance(schedule)[3:] for schedule in schedules}) == 1


@pytest.mark.parametrize(
    ("before", "further"),
    [
        ([], 0),
        ([("a", "b")], 2),  # c has to catch up: once on each side, as a and b have
        ([("a", "b"), ("b", "c"), ("c", "a")], 0),
        ([("a", "b"), ("b", "a")], 4),  # c debates both of them, twice
        ([("a", "b"), ("a", "c")], 4),
        ([("a", "b")] * 3, 6),
    ],
)
def test_the_fewest_debates_even_out_what_was_held(
    before: list[tuple[str, str]], further: int
) -> None:
    models = ["a", "b", "c"]
    existing = [Pairing(*pair, "m") for pair in before]
    added = rebalanced(existing, models, ["m"])
    assert len(added) == further
    seats = imbalance([*existing, *added], models).seats.values()
    assert len(set(seats)) == 1
    assert {seat.difference for seat in seats} == {0}


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_evened_out_needs_nothing_more_and_less_is_not_enough(
    data: st.DataObject,
) -> None:
    models = pool(data.draw(st.integers(2, 4)))
    existing = data.draw(held(models, ["m"], most=5))
    added = rebalanced(existing, models, ["m"])
    everything = [*existing, *added]
    assert len(set(imbalance(everything, models).seats.values())) == 1
    assert rebalanced(everything, models, ["m"]) == []
    for fewer in range(min(len(added), 4 if len(models) < 4 else 3)):
        for chosen in schedules(models, fewer):
            tried = [*existing, *(Pairing(*seats, "m") for seats in chosen)]
            seats = imbalance(tried, models).seats.values()
            assert len(set(seats)) > 1 or {seat.difference for seat in seats} != {0}


def test_a_tournament_cut_short_is_completed() -> None:
    whole = balanced(pool(10), SIX)
    added = rebalanced(whole[:42], pool(10), SIX)
    found = imbalance([*whole[:42], *added])
    assert len(added) == 18
    assert {tuple(seats) for seats in found.seats.values()} == {(6, 6)}
    assert (found.rematches, found.same_family) == (15, 5)
    assert found.motions == Extent(10, 10)


def test_a_number_of_further_debates_can_be_given() -> None:
    existing = [Pairing("a", "b", "m")] * 3
    added = rebalanced(existing, ["a", "b", "c"], ["m"], debates=2)
    assert [debate.pair for debate in added] == [{"a", "c"}, {"b", "c"}] or [
        debate.pair for debate in added
    ] == [{"b", "c"}, {"a", "c"}]


@pytest.mark.parametrize(
    ("models", "motions", "more", "said"),
    [
        ([], ["m"], {}, "at least two models; given: none"),
        (["a"], ["m"], {}, "at least two models; given: a"),
        (["a", "b", "a"], ["m"], {}, "The model 'a' is given 2 times"),
        (["a", "b"], [], {}, "no motion"),
        (["a", "b"], ["m", "m"], {}, "The motion 'm' is given 2 times"),
        (["a", "b"], ["m"], {"debates": -1}, "debates=-1"),
        (["a", "b"], ["m"], {"debates": 1.5}, "debates=1.5"),
        (["a", "b"], ["m"], {"families": {"c": "x"}}, "families: the model 'c'"),
        (["a", "b"], ["m"], {"existing": [Pairing("a", "c", "m")]}, "'c' is not known"),
        (["a", "b"], ["m"], {"existing": [Pairing("a", "a", "m")]}, "with itself"),
    ],
)
def test_what_cannot_be_paired(
    models: list[str], motions: list[str], more: dict[str, object], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        balanced(models, motions, **more)  # type: ignore[arg-type]  # that is the test


@pytest.mark.parametrize(
    ("name", "maker"),
    [
        ("openai/gpt-4o", "openai"),
        ("openrouter/openai/gpt-4o", "openai"),
        ("openrouter/qwen/qwq-32b:free", "qwen"),
        ("openai/azure/gpt-4o", "openai"),
        ("anthropic/bedrock/claude", "anthropic"),
        ("bedrock/meta.llama", "bedrock"),
        ("OpenRouter/OpenAI/GPT-4o", "openai"),
        ("openai-api/deepseek/chat", "deepseek"),
        ("alone", "alone"),
    ],
)
def test_the_family_is_the_maker_in_the_name(name: str, maker: str) -> None:
    assert family(name) == maker
