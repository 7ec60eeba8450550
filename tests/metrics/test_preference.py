import math
from typing import Any

import pytest

from inspect_debate.metrics.knowledge import biases, passage_alone

NAN = math.nan


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
def test_cases(
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


def test_refusals() -> None:
    with pytest.raises(ValueError, match="prior_right 1, passage_right 2, same 1"):
        passage_alone([1], [1, 0], [0])
    with pytest.raises(ValueError, match=r"same holds 0\.5"):
        passage_alone([1], [0], [0.5])
    with pytest.raises(ValueError, match="from_prior has 10 values for 11 items"):
        biases(ALONE, range(11), **{**ANSWERS, "from_prior": [1] * 10}, seed=1)
