"""Judges' probabilities: ranks, parts of the Brier score, bias, intervals, pairs."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from inspect_debate.v1.metrics.calibration import (
    BrierParts,
    brier,
    brier_parts,
    error_if_calibrated,
    expected_calibration_error,
    log_losses,
    squared_errors,
)
from inspect_debate.v1.metrics.dependence import clustered_mean
from inspect_debate.v1.metrics.intervals import Array
from inspect_debate.v1.metrics.probabilities import (
    ClusteredRows,
    auroc,
    auroc_interval,
    moves,
    paired_auroc,
    paired_scores,
    sharpness,
)

NAN = math.nan

# Probabilities in few steps, so that there are ties, and either class is there.
ROWS = st.lists(
    st.tuples(st.integers(0, 10).map(lambda n: n / 10), st.booleans()), max_size=30
).map(lambda rows: [*rows, (0.4, True), (0.6, False)])
Rows = list[tuple[float, bool]]


def columns(rows: Rows) -> tuple[Array, Array]:
    stated, right = zip(*rows, strict=True)
    return np.array(stated), np.array(right, float)


def drawn(seed: int, size: int = 300) -> tuple[Array, Array]:
    """Whole percents, some of which are 0 and 1, and outcomes that follow them."""
    draw = np.random.default_rng(seed)
    stated = np.round(draw.beta(0.5, 0.7, size), 2)
    return stated, (draw.random(size) < 0.2 + 0.6 * stated).astype(float)


@pytest.mark.parametrize("seed", range(20))
def test_the_same_as_scikit_learn(seed: int) -> None:
    stated, right = drawn(seed)
    inside = np.clip(stated, 0.01, 0.99)
    assert len({*stated}) < len(stated)
    assert brier(stated, right) == pytest.approx(brier_score_loss(right, stated))
    assert log_losses(stated, right).mean() == pytest.approx(log_loss(right, inside))
    assert auroc(stated, right) == pytest.approx(roc_auc_score(right, stated))


@given(ROWS)
def test_the_same_area_as_scikit_learn(rows: Rows) -> None:
    stated, right = columns(rows)
    area = auroc(stated, right)
    assert area == pytest.approx(roc_auc_score(right, stated))
    assert auroc(1 - stated, right) == pytest.approx(1 - area)
    # 1 - (1 - p) ties with p, though it may differ in the last digit.
    assert auroc(1 - (1 - stated), right) == pytest.approx(area)
    both = np.concatenate([stated, 1 - (1 - stated)]), np.concatenate([right, right])
    assert auroc(*both) == pytest.approx(area)


@pytest.mark.parametrize(
    ("stated", "right", "expected"),
    [
        ([0.9, 0.1], [1, 0], 1),
        ([0.1, 0.9], [1, 0], 0),
        ([0.5, 0.5], [1, 0], 0.5),
        # Of right .9 and .5 and wrong .5, .2 and .95: 2 + 1.5 of 6 pairs.
        ([0.9, 0.5, 0.5, 0.2, 0.95], [1, 1, 0, 0, 0], 3.5 / 6),
        ([0.9, NAN, 0.5, 0.2], [1, 0, NAN, 0], 1),
        ([0.9, 0.1], [1, 1], NAN),
        ([0.9, 0.1], [0, 0], NAN),
        ([], [], NAN),
    ],
)
def test_auroc(stated: list[float], right: list[float], expected: float) -> None:
    assert auroc(stated, right) == pytest.approx(expected, nan_ok=True)


# The Brier score in parts.


def test_the_parts_of_a_table_worked_by_hand() -> None:
    """At .2 one of two is right, at .8 two of three, and of all .6."""
    found = brier_parts([0.2, 0.2, 0.8, 0.8, 0.8], [0, 1, 1, 1, 0])
    reliability = (2 * 0.3**2 + 3 * (0.8 - 2 / 3) ** 2) / 5
    resolution = (2 * 0.1**2 + 3 * (2 / 3 - 0.6) ** 2) / 5
    assert found == pytest.approx(BrierParts(0.28, reliability, resolution, 0.24, 0))


def test_what_differs_within_a_bin() -> None:
    """In one bin .61 is wrong and .69 right: a variance .04^2, a covariance .02."""
    found = brier_parts([0.61, 0.69], [0, 1])
    assert found.within == pytest.approx(0.04**2 - 2 * 0.02)
    assert found[1:4] == pytest.approx((0.15**2, 0, 0.25))
    assert brier_parts([0.61, 0.69], [0, 1], None).within == 0


SHARES = st.floats(0, 1)


@given(
    st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=40),
    st.one_of(st.none(), st.integers(1, 12)),
    st.sampled_from(["width", "mass"]),
)
def test_the_parts_add_up(
    rows: list[tuple[float, float]], bins: int | None, kind: str
) -> None:
    """Also where what is right is a probability itself."""
    stated, right = zip(*rows, strict=True)
    found = brier_parts(stated, right, bins, "mass" if kind == "mass" else "width")
    parts = found.reliability - found.resolution + found.uncertainty + found.within
    assert parts == pytest.approx(found.brier) == pytest.approx(brier(stated, right))
    assert min(found[1:4]) >= 0
    if bins is None:
        assert found.within == pytest.approx(0, abs=1e-12)


def test_no_parts_of_nothing() -> None:
    assert all(math.isnan(part) for part in brier_parts([NAN], [1]))
    assert brier_parts([0.5, NAN], [1, 1]) == brier_parts([0.5], [1])


def test_scores_of_rows_stay_in_their_places() -> None:
    assert squared_errors([0.5, NAN, 1], [1, 1, NAN]) == pytest.approx(
        [0.25, NAN, NAN], nan_ok=True
    )
    assert log_losses([1, 0.25, NAN], [0, 1, 1]) == pytest.approx(
        [-math.log(0.01), math.log(4), NAN], nan_ok=True
    )


@pytest.mark.parametrize("scores", [squared_errors, log_losses])
@pytest.mark.parametrize("p", [0.9, 0.99, 1, 0.3])
def test_scores_that_are_the_same_have_no_spread(
    scores: Callable[[list[float], list[float]], Array], p: float
) -> None:
    """Of p where it is right and 1 - p where it is wrong, whose last digits differ."""
    estimate = clustered_mean(scores([p, 1 - p] * 3, [1, 0] * 3), "aabbcc")
    assert estimate.reason == "all values are equal"


# Calibration errors over bins of equal mass, and their bias.


@pytest.mark.parametrize(
    ("stated", "right", "bins", "expected"),
    [
        # Bins .1 and .2, and .3 and .4: sums of differences .3 and -1.3.
        ([0.1, 0.2, 0.3, 0.4], [0, 0, 1, 1], 2, 1.6 / 4),
        ([0.4, 0.1, 0.3, 0.2], [1, 0, 1, 0], 2, 1.6 / 4),
        # What is equal stays together, though half would be two.
        ([0.5, 0.5, 0.5, 0.9], [1, 0, 0, 1], 2, (0.5 + 0.1) / 4),
        # All in one bin of equal width, and each in one of equal mass.
        ([0.81, 0.89], [1, 1], 10, 0.15),
        ([0.81, 0.89], [0, 1], 10, (0.81 + 0.11) / 2),
        ([0.7, NAN], [1, 1], 3, 0.3),
        ([], [], 3, NAN),
    ],
)
def test_equal_mass(
    stated: list[float], right: list[float], bins: int, expected: float
) -> None:
    found = expected_calibration_error(stated, right, bins, "mass")
    assert found == pytest.approx(expected, nan_ok=True)


@given(ROWS, st.integers(1, 12))
def test_bins_of_equal_mass_do_not_depend_on_the_order(rows: Rows, bins: int) -> None:
    one, other = (
        expected_calibration_error(*columns(some), bins, "mass")
        for some in (rows, rows[::-1])
    )
    assert one == pytest.approx(other)


@pytest.mark.parametrize(
    ("stated", "verdicts", "expected"),
    [
        # Right or wrong, one statement of .5 is off by .5; two are even half the time.
        ([0.5], "a", 0.5),
        ([0.5, 0.5], "ab", 0.25),
        # Of two answers of one verdict always one is right.
        ([0.5, 0.5], "aa", 0),
        # In bins of their own: 2 x .3 x .7, for either.
        ([0.3, 0.7], "aa", 2 * 0.3 * 0.7),
        # Right is one of the first two with .4, the third with .15, or none.
        ([0.2, 0.2, 0.15], "aaa", (2 * 0.4 * 0.6 + 2 * 0.15 * 0.85) / 3),
        # They add up to more than 1, as rulings on two answers may.
        ([0.9, 0.9], "aa", (2 * 0.09 * 0.8 + 0.81 * 0.2 + 0.01 * 1.8) / 2),
        ([1, 0, NAN], "abc", 0),
        ([NAN], "a", NAN),
    ],
)
def test_the_error_of_a_calibrated_judge(
    stated: list[float], verdicts: str, expected: float
) -> None:
    found = error_if_calibrated(stated, verdicts, seed=1, draws=20_000)
    assert found.value == pytest.approx(expected, abs=0.01, nan_ok=True)


def test_the_bias_becomes_smaller_with_more_verdicts() -> None:
    """As the mean distance of a binomial share from its expectation."""
    for size in (25, 100, 400):
        found = error_if_calibrated([0.3] * size, range(size), seed=1)
        deviation = math.sqrt(0.21 / size)
        assert found.value == pytest.approx(
            math.sqrt(2 / math.pi) * deviation, rel=0.08
        )
        assert found.low < 0.25 * deviation
        assert found.high == pytest.approx(2.24 * deviation, rel=0.2)


def test_outcomes_come_true_as_stated() -> None:
    """The errors of simulated calibrated judges have the mean that is told."""
    draw = np.random.default_rng(3)
    stated = draw.beta(1, 1, 80)
    for kind in ("width", "mass"):
        told = error_if_calibrated(stated, range(80), 10, kind, seed=1)
        found = [
            expected_calibration_error(stated, draw.random(80) < stated, 10, kind)
            for _ in range(1000)
        ]
        assert told.value == pytest.approx(float(np.mean(found)), rel=0.03)
        inside = [told.low <= error <= told.high for error in found]
        assert 0.92 < np.mean(inside) < 0.98


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ([0.3, 0.3], 0),
        ([0, 1], 0.25),
        ([0.2] * 5, 0),
        ([0.1, 0.9, NAN], 0.16),
        ([NAN], NAN),
    ],
)
def test_sharpness(stated: list[float], expected: float) -> None:
    assert sharpness(stated) == pytest.approx(expected, nan_ok=True)


# Intervals and comparisons.


def test_intervals_of_a_bootstrap() -> None:
    stated, right = drawn(1)
    questions = np.arange(300) // 3
    area = auroc_interval(stated, right, questions, seed=1)
    assert area.value == auroc(stated, right)
    assert area.low < area.value < area.high
    assert area.n == 300
    assert area == auroc_interval(stated, right, questions, seed=1)
    assert area.low != auroc_interval(stated, right, questions, seed=2).low
    # Where each is there twice nothing more is known; of rows apart there would be.
    twice = auroc_interval([*stated] * 2, [*right] * 2, [*questions] * 2, seed=1)
    assert twice[:3] == pytest.approx(area[:3])
    width = twice.high - twice.low
    apart = auroc_interval([*stated] * 2, [*right] * 2, range(600), seed=1)
    assert apart.high - apart.low < 0.9 * width


@pytest.mark.parametrize(
    ("stated", "right", "clusters"),
    [
        # Perfect, one class, two clusters, and nothing: the resamples say nothing.
        ([0.9, 0.8, 0.1, 0.2], [1, 1, 0, 0], "abcd"),
        ([0.9, 0.8, 0.1, 0.2], [1, 1, 1, 1], "abcd"),
        ([0.9, 0.8, 0.1, 0.2], [1, 0, 1, 0], "aabb"),
        ([NAN] * 4, [1, 0, 1, 0], "abcd"),
    ],
)
def test_no_interval(stated: list[float], right: list[float], clusters: str) -> None:
    found = auroc_interval(stated, right, clusters, seed=1)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_scores_on_the_questions_that_both_have() -> None:
    """On b and c: means .3 and .6 against .1 and .2; a and d are in one alone."""
    a = ([0.9, 0.2, 0.4, 0.6, NAN], "abbcb")
    b = ([0.1, 0.2, 0.9], "bcd")
    found = paired_scores(*a, *b, (0, 1), seed=1)
    assert found.difference == pytest.approx(-0.3)
    assert all(math.isnan(part) for part in found[1:])  # two questions
    none = paired_scores([0.1], "a", [0.2], "b", (0, 1), seed=1)
    assert math.isnan(none.difference)


def test_a_paired_difference_of_scores() -> None:
    draw = np.random.default_rng(1)
    questions = np.arange(120) // 2
    easy = draw.random(60)[questions]
    a = easy * 0.5 + draw.random(120) * 0.1
    b = a + 0.05 + draw.random(120) * 0.02
    found = paired_scores(a, questions, b, questions, (0, 1), seed=1)
    assert found.low < 0.06 < found.high
    assert found.high - found.low < 0.01
    assert found.p < 0.001
    back = paired_scores(b, questions, a, questions, (0, 1), seed=1)
    assert back[:3] == pytest.approx((-found.difference, -found.high, -found.low))


def test_a_paired_difference_of_areas() -> None:
    stated, right = drawn(1)
    questions = np.arange(300) // 3
    noise = np.random.default_rng(1).random(300)
    good = ClusteredRows(stated, right, questions)
    bad = ClusteredRows(noise, right, questions)
    found = paired_auroc(good, bad, seed=1)
    assert found.difference == pytest.approx(auroc(noise, right) - auroc(*good[:2]))
    assert found.low < found.difference < found.high < 0
    assert found.p < 0.01
    same = paired_auroc(good, good, seed=1)
    assert same.difference == 0
    assert math.isnan(same.p)
    # Questions that only one has change nothing.
    more = ClusteredRows([*noise, 0.5], [*right, 1], [*questions, 999])
    assert paired_auroc(good, more, seed=1) == found
    apart = paired_auroc(good, ClusteredRows([0.5], [1], ["x"]), seed=1)
    assert all(math.isnan(part) for part in apart)


def test_moves_of_beliefs() -> None:
    towards, away = moves([0.5, 0.5, 0.5, 0.5, NAN], [0.55, 0.56, 0.4, 0.5, 0.5])
    assert towards == pytest.approx([0, 1, 0, 0, NAN], nan_ok=True)
    assert away == pytest.approx([0, 0, 1, 0, NAN], nan_ok=True)
    # .05 by rounding alone is no more than .05.
    assert not moves([0.3], [0.35]).towards.any()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: auroc([0.5, 0.4], [1]), "differ in length"),
        (lambda: auroc([1.5], [1]), "stated holds 1.5"),
        (lambda: auroc([0.5], [0.5]), "right holds 0.5"),
        (lambda: auroc_interval([0.5], [1], "ab", seed=1), "2 labels for 1"),
        (lambda: sharpness([2]), "stated holds 2"),
        (lambda: moves([0.5], [1.5]), "after holds 1.5"),
        (lambda: brier_parts([0.5], [1], 0), "bins is 0"),
        (lambda: error_if_calibrated([2], "a", seed=1), "confidence holds 2"),
        (lambda: error_if_calibrated([0.5], "ab", seed=1), "2 labels for 1"),
    ],
)
def test_refusals(call: Callable[[], object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()
