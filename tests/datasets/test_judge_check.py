"""The finished debates of a judge check: those that are shipped."""

from collections import Counter
from random import Random

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets.judge_check import _draw_sides, finished_debates
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.judge_checks import PERTURBED, debate_in_sample
from tests.support.judge_checks import state_of


def shipped(seed: int = 0) -> list[Sample]:
    return list(finished_debates("sample", seed).dataset)


def test_there_are_24_debates_of_two_with_two_speeches_a_side() -> None:
    assert len(shipped()) == 24
    for sample in shipped():
        debate = debate_in_sample(state_of(sample))
        assert debate.rounds == 2
        assert {s.name for s in debate.debaters} == {"Alice", "Bob"}
        assert {s.defends for s in debate.debaters} == {"A", "B"}
        said = [(turn.round, turn.participant) for turn in debate.turns]
        assert said == [(n, f"debater_{who}") for n in (1, 2) for who in "ab"]
        assert not any("{" in turn.public for turn in debate.turns)


def test_the_right_answer_is_balanced_over_places_and_names() -> None:
    places: Counter[tuple[str, str]] = Counter()
    for sample in shipped():
        speakers = debate_in_sample(state_of(sample)).debaters
        (name,) = (s.name for s in speakers if s.defends == sample.target)
        places[str(sample.target), name] += 1
    assert set(places.values()) == {6}
    assert len(places) == 4


def test_a_reader_of_quotes_finds_most_right_answers() -> None:
    better = 0
    for sample in shipped():
        debate = debate_in_sample(state_of(sample))
        (right,) = (s.id for s in debate.debaters if s.defends == sample.target)
        score = sum(
            (1 if quote.verified else -1) * (1 if turn.participant == right else -1)
            for turn in debate.turns
            for quote in turn.quotes
        )
        better += score > 0
    assert 20 <= better < 24


def test_neither_side_speaks_much_longer() -> None:
    for sample in shipped():
        words: Counter[str] = Counter()
        for turn in debate_in_sample(state_of(sample)).turns:
            words[turn.participant] += len(turn.public.split())
        assert max(words.values()) < 1.3 * min(words.values()), sample.id


@pytest.mark.parametrize("limit", [4, 10, 24])
def test_right_and_wrong_sides_are_manipulated_alike_in_any_prefix(limit: int) -> None:
    right = [s.target == (s.metadata or {})[PERTURBED] for s in shipped()[:limit]]
    assert abs(2 * sum(right) - limit) <= 1


@pytest.mark.parametrize("options", [2, 4, 24])
@pytest.mark.parametrize("known", [True, False])
def test_sides_are_manipulated_alike_wherever_the_right_one_stands(
    options: int, known: bool
) -> None:
    for seed in range(50):
        drawn = Random(seed)
        samples = []
        for place in range(24):
            sides = sorted(drawn.sample(range(options), 2))
            right = [drawn.choice(sides)] if known else []
            metadata = {"sides": [*map(str, sides)], "right": [*map(str, right)]}
            samples.append(Sample(input="x", id=place, metadata=metadata))
        stands = [dict(sample.metadata or {}) for sample in samples]
        _draw_sides(samples, seed)
        drawn_sides = [(sample.metadata or {})[PERTURBED] for sample in samples]
        pairs = [*zip(drawn_sides, stands, strict=True)]
        first = sum(side == stood["sides"][0] for side, stood in pairs)
        assert 11 <= first <= 13
        if known:
            assert sum(side in stood["right"] for side, stood in pairs) == 12


def test_the_seed_decides_order_and_sides() -> None:
    def drawn(seed: int) -> list[tuple[object, object]]:
        return [(s.id, (s.metadata or {})[PERTURBED]) for s in shipped(seed)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert sorted(map(str, drawn(1))) != sorted(map(str, drawn(2)))


def test_a_log_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match=r"debates=none\.eval: there is no log"):
        finished_debates("none.eval")
