"""Schedules of debates: balanced ones, tournaments, and the program that finds them."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.v1.datasets.pairings import (
    pairings_file,
    pairings_text,
    read_pairings,
)
from inspect_debate.v1.datasets.schedules import (
    Pairing,
    balanced,
    family,
)
from tests.v1.datasets.brute import (
    earlier_debates,
    meetings_quality,
    motions_quality,
    on_all_motions,
    on_all_sides,
    pool,
    schedules,
    sides_quality,
)
from tests.v1.support.released import DATA

SIX = ["carbon", "lamps", "news", "recall", "shares", "space"]
# Of these sizes all schedules can be looked at.
SMALL = st.sampled_from(
    [(2, 6), (3, 5), (4, 3), (4, 4), (5, 3), (6, 3), (7, 2), (8, 2)]
)


@pytest.fixture(scope="module")
def study() -> list[Pairing]:
    """The study's pool: ten models and six motions."""
    return balanced(pool(10), SIX)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 9])
def test_by_default_every_model_debates_every_motion_on_both_sides(size: int) -> None:
    schedule = balanced(pool(size), SIX, seed=3)
    for place in (0, 1):
        seats = Counter((debate[place], debate.motion) for debate in schedule)
        assert set(seats.values()) == {1}
        assert len(seats) == size * len(SIX)


def test_who_meets_again_changes_sides_and_motions() -> None:
    schedule = balanced(pool(5), ["one"], debates=20)
    assert len({debate[:2] for debate in schedule}) == 20
    schedule = balanced(pool(6), SIX[:2], debates=30)
    assert len({(debate.pair, debate.motion) for debate in schedule}) == 30


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


MOTIONS = ["lamps", "ships", "tides"]


# What was debated, and who meets next.
ROUNDS: dict[str, tuple[str, str]] = {
    "winners meet winners": ("ab+ cd-", "ad bc"),
    # After two rounds a has won twice and d lost twice, and both met b and c.
    "no rematch comes before the score group": ("ab+ cd+ ac+ bd+", "ad bc"),
}


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
