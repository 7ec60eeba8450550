"""What is known, and whether answers follow it or the passage."""

import math
from typing import Any

import numpy as np
import pytest

from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.metrics.knowledge import (
    TIERS,
    biases,
    p_known_given,
    passage_alone,
    tier,
    tier_shares,
)

NAN = math.nan


@pytest.mark.parametrize(
    ("right", "draws", "expected"),
    [
        (0, 32, "Unknown"),
        (1, 32, "Weakly Known"),
        (9, 32, "Weakly Known"),  # .28125
        (10, 32, "Maybe Known"),  # .3125
        (27, 32, "Maybe Known"),  # .84375
        (28, 32, "Highly Known"),  # .875
        (32, 32, "Highly Known"),
        # Where draws could not be read the bounds themselves can be met.
        (3, 10, "Maybe Known"),
        (6, 20, "Maybe Known"),
        (17, 20, "Highly Known"),
    ],
)
def test_tiers_of_counts(right: int, draws: int, expected: str) -> None:
    added, wrong = sum([1 / draws] * right, 0.0), draws - right
    mean = float(np.mean([1.0] * right + [0.0] * wrong))
    shares = [right / draws, mean, added, 1 - wrong / draws]
    assert [TIERS[int(each)] for each in tier(shares)] == [expected] * len(shares)


def test_just_off_a_bound() -> None:
    np.testing.assert_array_equal(
        tier([0, 1e-6, 0.3 - 1e-6, 0.3, 0.85 - 1e-6, 0.85, 1, NAN]),
        [0, 1, 1, 2, 2, 3, 3, NAN],
    )
    assert tier(0.5) == 2
    assert tier([]).size == 0


def test_shares_of_tiers() -> None:
    found = tier_shares([3, 3, 2, 0, NAN, 3, 0, 3], range(8))
    assert [each.value for each in found] == pytest.approx([2 / 7, 0, 1 / 7, 4 / 7])
    assert {each.n for each in found} == {7}
    assert found[3][1:3] == pytest.approx(proportion_interval(4, 7), abs=1e-6)


def test_known_given_confidence() -> None:
    confidence = [0.95, 0.9, 0.9, 0.5, 0.2, NAN, 0.99]
    tiers = [3, 3, 1, 3, 0, 3, NAN]
    found = p_known_given(confidence, tiers, [0, 0.5, 0.9, 0.95, 0.96], range(7))
    assert [each.n for each in found] == [5, 4, 3, 1, 0]
    expected = [3 / 5, 3 / 4, 2 / 3, 1, NAN]
    assert [each.value for each in found] == pytest.approx(expected, nan_ok=True)
    assert found[0][1:3] == pytest.approx(proportion_interval(3, 5), abs=1e-6)
    assert np.isnan(found[-1][1:3]).all()
    assert p_known_given(confidence, tiers, [], range(7)) == []


@pytest.mark.parametrize(
    ("prior_right", "passage_right", "same", "expected"),
    [
        (1, 0, 0, 0),
        (0, 1, 0, 1),
        (1, 1, 1, NAN),
        (0, 0, 0, NAN),
        # The model happens to remember just what the passage was changed to.
        (0, 0, 1, NAN),
        # Strictly, 7 pm is not 19:00; as answers they clash in nothing.
        (0, 1, 1, NAN),
        (NAN, 1, NAN, NAN),
        (NAN, 1, 0, NAN),
        (1, NAN, 0, NAN),
        (1, 0, NAN, NAN),
    ],
)
def test_which_alone_is_right(
    prior_right: float, passage_right: float, same: float, expected: float
) -> None:
    (found,) = passage_alone([prior_right], [passage_right], [same])
    assert found == pytest.approx(expected, nan_ok=True)


# Five items with a right prior and a perturbed passage, which is answered twice, the
# prior once, something else once; one abstains. Four with a wrong prior and the right
# passage: the prior, the passage, something else, not scored. Two in neither case.
ALONE = [0, 0, 0, 0, 0, 1, 1, 1, 1, NAN, NAN]


CORRECT = [0, 0, 1, 0, 0, 0, 1, 0, NAN, 1, 0]


FROM_PASSAGE = [1, 1, 0, 0, 0, 0, 1, 0, NAN, 1, 1]


FROM_PRIOR = [0, 0, 1, 0, 0, 1, 0, 0, NAN, 1, 1]


ANSWERS: dict[str, Any] = {
    "correct": CORRECT,
    "from_passage": FROM_PASSAGE,
    "from_prior": FROM_PRIOR,
}


def test_biases_by_hand() -> None:
    found = biases(ALONE, range(11), **ANSWERS, seed=1)
    assert (found.accuracy.value, found.accuracy.n) == (2 / 8, 8)
    assert (found.context_bias.value, found.context_bias.n) == (2 / 5, 5)
    assert (found.prior_bias.value, found.prior_bias.n) == (1 / 3, 3)
    for each in found:
        assert each.low < each.value < each.high


def test_intervals_are_seeded_and_know_of_questions() -> None:
    many = {name: values * 20 for name, values in ANSWERS.items()}
    found, again, other = (
        biases(ALONE * 20, range(220), **many, seed=seed) for seed in (1, 1, 2)
    )
    assert found == again
    assert found != other
    # The twenty copies are of eleven questions.
    few = biases(ALONE * 20, [*range(11)] * 20, **many, seed=1)
    for one, clustered in zip(found, few, strict=True):
        assert clustered.value == one.value
        assert clustered.high - clustered.low > 3 * (one.high - one.low)


def test_without_a_clash_there_is_no_bias() -> None:
    found = biases([NAN, NAN], "ab", **{n: [1, 0] for n in ANSWERS}, seed=1)
    for each in found:
        assert each.n == 0
        assert math.isnan(each.value)
