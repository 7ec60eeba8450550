"""Schedules of debates: balanced ones, tournaments, and the program that finds them."""

import json
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.datasets.pairings import pairings_file, pairings_text, read_pairings
from inspect_debate.datasets.schedules import (
    Debate,
    Extent,
    Pairing,
    Result,
    Seats,
    balanced,
    family,
    imbalance,
    rebalanced,
    standings,
    swiss,
    with_sides,
)
from tests.datasets.brute import (
    earlier_debates,
    matchings,
    meetings_quality,
    motions_quality,
    on_all_motions,
    on_all_sides,
    pool,
    results,
    round_quality,
    schedules,
    sides_quality,
)
from tests.support.released import DATA

SIX = ["carbon", "lamps", "news", "recall", "shares", "space"]
# Of these sizes all schedules can be looked at.
SMALL = st.sampled_from(
    [(2, 6), (3, 5), (4, 3), (4, 4), (5, 3), (6, 3), (7, 2), (8, 2)]
)


@pytest.fixture(scope="module")
def study() -> list[Pairing]:
    """The study's pool: ten models and six motions."""
    return balanced(pool(10), SIX)


def test_the_studys_pool_by_default(study: list[Pairing]) -> None:
    found = imbalance(study)
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


def test_families_can_be_given() -> None:
    models = ["a/1", "b/2", "c/3", "d/4"]
    given = {"a/1": "x", "b/2": "x", "c/3": "y", "d/4": "Y"}
    schedule = balanced(models, SIX, debates=4, families=given)
    assert {debate.pair for debate in schedule} == {
        frozenset((a, b)) for a in ("a/1", "b/2") for b in ("c/3", "d/4")
    }
    schedule = [Pairing("x/a", "x/b", "lamps"), Pairing("x/a", "y/c", "lamps")]
    assert imbalance(schedule, families={"x/b": "q", "y/c": "X"}).same_family == 1


def test_who_meets_again_changes_sides_and_motions() -> None:
    schedule = balanced(pool(5), ["one"], debates=20)
    assert len({debate[:2] for debate in schedule}) == 20
    schedule = balanced(pool(6), SIX[:2], debates=30)
    assert len({(debate.pair, debate.motion) for debate in schedule}) == 30


def test_one_rematch_is_better_than_two_of_pairs_that_met_less() -> None:
    times = {1: "ac bd", 3: "ae af be bf", 4: "ab", 5: "ad bc ce cf de df"}
    pairs = [(p[0], p[1]) for n, met in times.items() for p in met.split() * n]
    several = [Debate(pair, "m") for pair in pairs]
    before = with_sides(several, [])
    assert imbalance(before).appearances == Extent(16, 16)
    added = balanced(list("abcdef"), ["m"], debates=3, existing=before)
    # Not a-c, b-d and e-f, though the first two have met only once.
    assert {debate.pair for debate in added} == set(map(frozenset, ("ab", "cd", "ef")))


def test_every_first_part_is_spread_too(study: list[Pairing]) -> None:
    for size in range(1, len(study) + 1):
        part = imbalance(study[:size], pool(10), SIX)
        assert part.appearances.most - part.appearances.least <= 2
        assert part.motions.most - part.motions.least <= 3


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_no_schedule_is_better(data: st.DataObject) -> None:
    (size, debates), motions = data.draw(SMALL), SIX[: data.draw(st.integers(1, 3))]
    models = pool(size, data.draw(st.integers(1, 3)))
    before = data.draw(earlier_debates(models, motions, most=6))
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
    before = data.draw(earlier_debates(models, motions, most=8))
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


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_evened_out_needs_nothing_more_and_less_is_not_enough(
    data: st.DataObject,
) -> None:
    models = pool(data.draw(st.integers(2, 4)))
    existing = data.draw(earlier_debates(models, ["m"], most=5))
    added = rebalanced(existing, models, ["m"])
    everything = [*existing, *added]
    assert len(set(imbalance(everything, models).seats.values())) == 1
    assert rebalanced(everything, models, ["m"]) == []
    for fewer in range(min(len(added), 4 if len(models) < 4 else 3)):
        for chosen in schedules(models, fewer):
            tried = [*existing, *(Pairing(*seats, "m") for seats in chosen)]
            seats = imbalance(tried, models).seats.values()
            assert len(set(seats)) > 1 or {seat.difference for seat in seats} != {0}


def test_a_tournament_cut_short_is_completed(study: list[Pairing]) -> None:
    whole = study
    added = rebalanced(whole[:42], pool(10), SIX)
    found = imbalance([*whole[:42], *added])
    assert len(added) == 18
    assert {tuple(seats) for seats in found.seats.values()} == {(6, 6)}
    assert (found.rematches, found.same_family) == (15, 5)
    assert found.motions == Extent(10, 10)


def test_a_number_of_further_debates_can_be_given() -> None:
    existing = [Pairing("a", "b", "m")] * 3
    added = rebalanced(existing, ["a", "b", "c"], ["m"], debates=2)
    assert {debate.pair for debate in added} == {frozenset("ac"), frozenset("bc")}


@pytest.mark.parametrize(
    ("models", "motions", "more", "message"),
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
    models: list[str], motions: list[str], more: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        balanced(models, motions, **more)  # type: ignore[arg-type]  # that is the test


MAKERS = {
    "openai/gpt-4o": "openai",
    "openrouter/openai/gpt-4o": "openai",
    "openrouter/qwen/qwq-32b:free": "qwen",
    "openai/azure/gpt-4o": "openai",
    "anthropic/bedrock/claude": "anthropic",
    "bedrock/meta.llama": "bedrock",
    "OpenRouter/OpenAI/GPT-4o": "openai",
    "openai-api/deepseek/chat": "deepseek",
    "alone": "alone",
}


def test_the_family_is_the_maker_in_the_name() -> None:
    assert {name: family(name) for name in MAKERS} == MAKERS


def test_an_imbalance_by_hand() -> None:
    found = imbalance(
        [
            Pairing("x/a", "x/b", "lamps"),
            Pairing("x/b", "x/a", "ships", round=2),
            Pairing("x/a", "y/c", "lamps"),
            Pairing("x/a", "x/b", "lamps"),
        ],
        models=["z/d"],
        motions=["tides"],
    )
    assert found.debates == 4
    assert found.seats == {
        "x/a": Seats(3, 1),
        "x/b": Seats(1, 2),
        "y/c": Seats(0, 1),
        "z/d": Seats(0, 0),
    }
    assert found.sides == 2
    assert found.appearances == Extent(0, 4)
    assert found.rematches == 2
    assert found.same_family == 3
    assert found.motions == Extent(0, 3)
    assert found.motions_per_model == Extent(0, 3)
    assert found.on_motion["x/b"] == {"lamps": 2, "ships": 1, "tides": 0}


def test_nothing_is_even() -> None:
    found = imbalance([], ["a", "b"], ["lamps"])
    assert (found.debates, found.sides, found.appearances) == (0, 0, Extent(0, 0))


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


def test_margins_of_ties_count_and_add_up_to_the_same_in_any_order() -> None:
    table = standings([result("a", "b", None, -3)], ["a", "b"])
    assert [(one.model, one.margin) for one in table] == [("b", 3.0), ("a", -3.0)]
    margins = [0.1, 0.2, 0.3, 1e9]
    sums = {
        standings([result("a", "b", None, m) for m in order], ["a", "b"])[0].margin
        for order in permutations(margins)
    }
    assert len(sums) == 1


# What was debated, and who meets next.
ROUNDS: dict[str, tuple[str, str]] = {
    "winners meet winners": ("ab+ cd-", "ad bc"),
    # After two rounds a has won twice and d lost twice, and both met b and c.
    "no rematch comes before the score group": ("ab+ cd+ ac+ bd+", "ad bc"),
}


@pytest.mark.parametrize("aim", ROUNDS)
def test_who_meets_next(aim: str) -> None:
    before, expected = ROUNDS[aim]
    signs = {"+": (True, 10.0), "-": (False, -20.0)}
    first = [result(r[0], r[1], *signs[r[2]]) for r in before.split()]
    second = swiss(first, list("abcd"), MOTIONS)
    assert {debate.pair for debate in second.pairings} == {
        *map(frozenset, expected.split())
    }
    assert {debate.round for debate in second.pairings} == {1 + len(first) // 2}
    assert second.bye is None
    # Those that were for the proposition are now for the opposition.
    seats = imbalance([*(r.debate for r in first), *second.pairings]).seats
    assert max(seat.difference for seat in seats.values()) <= len(first) // 2 - 1


def test_the_score_group_comes_before_sides() -> None:
    before = [result(p[0], p[1], p[0] in "ab", 1) for p in ("ax", "by", "xc", "yd")]
    # a and b both were for the proposition, c and d against it; all of them won.
    for seed in range(3):
        paired = swiss(before, list("abcdxy"), MOTIONS, seed=seed).pairings
        assert frozenset("xy") in {debate.pair for debate in paired}
        # Within the group sides decide: each pair has one of either kind.
        for debate in paired:
            assert debate.pair & set("ab") == frozenset() or debate.pair & set("cd")


def test_rank_decides_last_and_large_gaps_weigh_more() -> None:
    # All have tied; by margin the order is a, b, c, d; neighbours have met.
    margins = {"ab": 0, "cd": 0, "ex": 0, "xf": 0, "ef": 0, "ae": 9, "be": 6}
    margins |= {"ec": 6, "ed": 9}
    before = [result(p[0], p[1], None, margin) for p, margin in margins.items()]
    for seed in range(3):
        paired = swiss(before, list("abcd"), MOTIONS, seed=seed).pairings
        assert {debate.pair for debate in paired} == {frozenset("ac"), frozenset("bd")}


def test_the_bye_goes_to_the_last_that_had_none() -> None:
    models = list("abc")
    before: list[Result] = []
    byes = []
    for _ in range(6):
        paired = swiss(before, models, MOTIONS)
        assert paired.bye is not None
        byes.append(paired.bye)
        (debate,) = paired.pairings
        assert debate.pair == set(models) - {paired.bye}
        a_won = "a" in debate.pair and debate.proposition == "a"
        before.append(Result(debate, a_won or "a" not in debate.pair, 0))
        if len(byes) == 1:  # it counts as nothing
            (out,) = (o for o in standings(before, models) if o.model == paired.bye)
            assert out[1:] == (0, 0.0, 0)
    assert set(byes[:3]) == set(byes[3:]) == set(models)


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


@settings(max_examples=12, deadline=None)
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
def test_the_order_of_results_means_nothing(data: st.DataObject) -> None:
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
    models, before, byes = pool(size), list[Result](), list[str | None]()
    strength = {name: n for n, name in enumerate(models)}
    for number in range(1, rounds + 1):
        paired = swiss(before, models, MOTIONS, seed=1)
        assert {debate.round for debate in paired.pairings} == {number}
        byes.append(paired.bye)
        for debate in paired.pairings:
            gap = strength[debate.proposition] - strength[debate.opposition]
            before.append(Result(debate, gap > 0, gap))
    found = imbalance([one.debate for one in before], models, MOTIONS)
    assert found.rematches == max(0, rounds - 1 if size == 2 else 0)
    assert found.sides <= 2
    assert found.motions.most - found.motions.least <= 1
    if size % 2:
        assert len(set(byes)) == rounds
    else:
        assert set(byes) == {None}
    if size > 2:
        table = standings(before, models)
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


OURS = [
    Pairing("openai/a", "qwen/b:free", "lamps"),
    Pairing("qwen/b:free", "openai/a", 'This house, at last, says "no"', 2),
]


def written(folder: Path, text: str, name: str = "pairings.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_file_is_plain_and_read_again(tmp_path: Path) -> None:
    assert read_pairings(written(tmp_path, pairings_text(OURS))) == OURS
    assert pairings_text(OURS[:1]) == (
        "round,motion,proposition,opposition\n,lamps,openai/a,qwen/b:free\n"
    )


names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)


rounds = st.none() | st.integers(1, 99)


@settings(max_examples=30)
@given(st.lists(st.builds(Pairing, names, names, names, rounds), min_size=1))
def test_names_of_all_kinds_survive(
    tmp_path_factory: pytest.TempPathFactory, pairings: list[Pairing]
) -> None:
    path = written(tmp_path_factory.getbasetemp(), pairings_text(pairings))
    assert read_pairings(path) == pairings


FILES = [
    "motion,proposition,opposition\nlamps,openai/a,qwen/b:free\n",
    "round,opposition,proposition,motion\n,qwen/b:free,openai/a,lamps",
    "\ufeffround;motion;proposition;opposition\r\n;lamps;openai/a;qwen/b:free\r\n",
    "round\tmotion\tproposition\topposition\n\tlamps\topenai/a\tqwen/b:free\n",
    " motion , proposition,opposition\n\n  lamps , openai/a ,qwen/b:free\n,,\n",
]


@pytest.mark.parametrize("text", FILES)
def test_files_are_edited_in_many_ways(text: str, tmp_path: Path) -> None:
    assert read_pairings(written(tmp_path, text)) == OURS[:1]


def test_a_debate_twice_is_two_debates(tmp_path: Path) -> None:
    row = "lamps,a,b\n"
    path = written(tmp_path, f"motion,proposition,opposition\n{row}{row}")
    assert read_pairings(path) == [Pairing("a", "b", "lamps")] * 2


def test_the_released_form(tmp_path: Path) -> None:
    topic = {"topic_description": "This  house would\n light every lamp – 🏮"}
    row = {"proposition": "p/a", "opposition": "q/b:free", "topic": topic}
    path = written(tmp_path, json.dumps([row, row]), "pairings.json")
    found = Pairing("p/a", "q/b:free", "This house would light every lamp – 🏮")
    assert read_pairings(path) == [found] * 2


def test_schedules_are_distinguished_from_logs(tmp_path: Path) -> None:
    assert pairings_file("none.csv")
    assert pairings_file(written(tmp_path, " [", "x.json"))
    assert not pairings_file(written(tmp_path, "{}", "y.json"))
    assert not pairings_file("none.json")
    assert not pairings_file("x.eval")
    assert not pairings_file(str(tmp_path))


@pytest.mark.released
def test_the_released_file_as_it_is() -> None:
    folder = DATA / "llms_overconfidence"
    pairings = read_pairings(str(folder / "private_bet_experiment_pairings.json"))
    assert len(pairings) == 60
    assert sorted(Counter(pairings).values())[-2:] == [1, 2]
    assert sorted(Counter(Counter(d.pair for d in pairings).values()).items()) == [
        (1, 21),
        (2, 18),
        (3, 1),
    ]
    assert {*Counter(debate.motion for debate in pairings).values()} == {9, 10, 12}
    assert {debate.round for debate in pairings} == {None}
    # The debates that took place, with each model and motion in its transcript.
    transcripts = Counter(
        (
            debate["proposition_model"],
            debate["opposition_model"],
            _motion(debate),
        )
        for path in (folder / "experiments").glob("*diff_models/*.json")
        if (debate := json.loads(path.read_text(encoding="utf-8")))
    )
    assert transcripts == Counter(debate[:3] for debate in pairings)


def _motion(debate: dict[str, dict[str, str]]) -> str:
    return " ".join(debate["motion"]["topic_description"].split())
