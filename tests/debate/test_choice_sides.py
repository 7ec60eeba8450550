"""Sides and coins where there are more answers than two."""

from collections import Counter
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.debate.participants import defended_answers, random_tie_break
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import Parsed, Status
from tests.support.choices import lettered
from tests.support.made import question

IDS = [f"item-{n}" for n in range(600)]
seeds = st.integers(0, 2**40)


@given(st.text(), st.integers(1, 9), seeds, st.sampled_from("ABCD"))
def test_an_agreed_answer_is_defended_against_another(
    id: str, epoch: int, seed: int, agreed: str
) -> None:
    asked = lettered(id, epoch)
    sides = defended_answers((agreed, agreed), asked, seed)
    assert agreed in sides
    assert len(set(sides)) == 2
    assert set(sides) <= set(asked.choices)
    assert sides == defended_answers((agreed, agreed), lettered(id, epoch), seed)
    mirrored = defended_answers((agreed, agreed), lettered(id, epoch + 1), seed)
    assert mirrored == sides[::-1]


@given(st.text(), st.integers(1, 9), seeds)
def test_own_answers_are_defended(id: str, epoch: int, seed: int) -> None:
    for pair in permutations("ABCD", 2):
        assert defended_answers(pair, lettered(id, epoch), seed) == pair


def test_every_other_answer_is_as_likely_on_either_side() -> None:
    drawn = Counter(defended_answers(("B", "B"), lettered(id), 0) for id in IDS)
    assert set(drawn) == {pair for pair in permutations("ABCD", 2) if "B" in pair}
    # Six pairs of 100 expected; 4 standard deviations are 37.
    assert all(63 <= count <= 137 for count in drawn.values())
    # Who holds the agreed answer does not go with where it stands.
    own = sum(count for (a, _), count in drawn.items() if a == "B")
    assert 250 <= own <= 350


def test_another_seed_draws_another_distractor() -> None:
    def distractors(seed: int) -> list[frozenset[str]]:
        return [frozenset(defended_answers("BB", lettered(id), seed)) for id in IDS]

    same = sum(a == b for a, b in zip(distractors(0), distractors(1), strict=True))
    assert 140 <= same <= 260


def ok(*values: str) -> list[Parsed]:
    return [Parsed.ok(value) for value in values]


@given(st.text(), st.integers(0, 4), seeds)
def test_a_coin_falls_on_one_side_and_then_on_the_other(
    id: str, pair: int, seed: int
) -> None:
    for answers in permutations("ABCD", 2):
        first, second = (
            random_tie_break(ok(*answers), lettered(id, 2 * pair + n), seed)
            for n in (1, 2)
        )
        assert {first, second} == set(answers)


def test_a_coin_knows_its_item_and_seed_only() -> None:
    def sides(letters: str, seed: int) -> list[int]:
        return [
            letters.index(str(random_tie_break(ok(*letters), lettered(id), seed)))
            for id in IDS
        ]

    heads = sides("AB", 0)
    assert sides("DC", 0) == heads
    assert 250 <= sum(heads) <= 350
    same = sum(a == b for a, b in zip(heads, sides("AB", 1), strict=True))
    assert 250 <= same <= 350
    # Of two kinds of question with one id, too.
    pair = ["error", "no_error"]
    assert [
        pair.index(str(random_tie_break(ok(*pair), question(id), 0))) for id in IDS
    ] == heads


def test_later_pairs_of_epochs_are_tossed_anew() -> None:
    first = [random_tie_break(ok("A", "B"), lettered(id, 1), 0) for id in IDS]
    third = [random_tie_break(ok("A", "B"), lettered(id, 3), 0) for id in IDS]
    same = sum(a == b for a, b in zip(first, third, strict=True))
    assert 250 <= same <= 350


@pytest.mark.parametrize("asked", [question(), lettered()])
def test_nothing_is_tossed_where_nothing_is_to_be_drawn(asked: Question) -> None:
    a, b = asked.choices[:2]
    assert random_tie_break(ok(a, a), asked, 0) is None
    for status in set(Status) - {Status.OK}:
        unread = Parsed(status=status)
        for answers in product((unread, Parsed.ok(a)), (unread, Parsed.ok(b))):
            if unread in answers:
                assert random_tie_break(answers, asked, 0) is None
