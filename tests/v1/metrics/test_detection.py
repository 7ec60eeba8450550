"""Statistics of detectors, the expectation over coins, and what an oracle gains."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.metrics import detection as d
from inspect_debate.v1.metrics.detection import (
    STATISTICS,
    Convention,
    Counts,
    expected_statistic,
    f1,
    precision,
)

NAN = math.nan


MIXED = d.Counts(tp=6, fp=2, fn=3, tn=5, unparsed_error=1, unparsed_no_error=3)


SILENT = d.Counts(tp=0, fp=0, fn=0, tn=0, unparsed_error=2, unparsed_no_error=1)


NOTHING = d.Counts(tp=0, fp=0, fn=0, tn=0)


NEVER = d.Counts(tp=0, fp=0, fn=4, tn=6)


ALWAYS = d.Counts(tp=4, fp=6, fn=0, tn=0)


PERFECT = d.Counts(tp=87, fp=0, fn=0, tn=53)


Row = tuple[float, float, float, float, float, float, float, float]
"""Values in the order of STATISTICS."""

PARSED: list[tuple[d.Counts, Row]] = [
    (
        MIXED,
        (
            6 / 8,
            6 / 9,
            12 / 17,
            30 / 44,
            11 / 16,
            (6 / 9 + 5 / 7) / 2,
            (6 * 5 - 2 * 3) / math.sqrt(8 * 9 * 7 * 8),
            8 / 16,
        ),
    ),
    (SILENT, (NAN,) * 8),
    (NOTHING, (NAN,) * 8),
    (NEVER, (NAN, 0, 0, 0, 0.6, 0.5, NAN, 0)),
    (ALWAYS, (0.4, 1, 8 / 14, 20 / 26, 0.4, 0.5, NAN, 1)),
    (PERFECT, (1, 1, 1, 1, 1, 1, 1, 87 / 140)),
]


REALMISTAKE: list[tuple[d.Counts, Row]] = [
    (
        MIXED,  # fn 3 + 1, tn 5 + 3, of 20 items
        (
            6 / 8,
            6 / 10,
            12 / 18,
            30 / 48,
            11 / 20,
            (6 / 10 + 8 / 10) / 2,
            (6 * 8 - 2 * 4) / math.sqrt(8 * 10 * 10 * 12),
            8 / 20,
        ),
    ),
    (SILENT, (0, 0, 0, 0, 0, 0.5, 0, 0)),
    (NOTHING, (0,) * 8),
    (NEVER, (0, 0, 0, 0, 0.6, 0.5, 0, 0)),
    (ALWAYS, (0.4, 1, 8 / 14, 20 / 26, 0.4, 0.5, 0, 1)),
    (PERFECT, (1, 1, 1, 1, 1, 1, 1, 87 / 140)),
]


def table(counts: d.Counts, convention: d.Convention) -> list[float]:
    return [float(f(counts, convention)) for f in d.STATISTICS.values()]


def test_names_and_bounds_of_the_standard_statistics() -> None:
    assert list(d.STATISTICS) == [
        "precision",
        "recall",
        "f1",
        "f2",
        "accuracy",
        "balanced_accuracy",
        "mcc",
        "predicted_error_rate",
    ]
    assert set(d.BOUNDS) == set(d.STATISTICS)
    assert d.BOUNDS["mcc"] == (-1, 1)
    assert {b for name, b in d.BOUNDS.items() if name != "mcc"} == {(0, 1)}


@pytest.mark.parametrize(("counts", "expected"), PARSED)
def test_parsed_convention(counts: d.Counts, expected: Row) -> None:
    assert table(counts, "parsed") == pytest.approx(expected, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize(("counts", "expected"), REALMISTAKE)
def test_realmistake_convention(counts: d.Counts, expected: Row) -> None:
    assert table(counts, "realmistake") == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("convention", ["parsed", "realmistake"])
def test_statistics_take_arrays_and_agree_with_numbers(
    convention: d.Convention,
) -> None:
    every = [MIXED, SILENT, NOTHING, NEVER, ALWAYS, PERFECT]
    stacked = d.Counts(*np.array(every, dtype=float).T.reshape(6, 2, 3))
    for name, statistic in d.STATISTICS.items():
        values = np.asarray(statistic(stacked, convention))
        assert values.shape == (2, 3), name
        single = [float(statistic(counts, convention)) for counts in every]
        np.testing.assert_array_equal(values.ravel(), single)


def test_mcc_reaches_its_ends_exactly_and_does_not_overflow() -> None:
    assert d.mcc(PERFECT) == 1
    assert d.mcc(d.Counts(tp=0, fp=53, fn=87, tn=0)) == -1
    large = d.Counts(tp=5253543, fp=0, fn=0, tn=3338955)  # its root is rounded down
    assert d.mcc(large) == 1
    # The product of the margins is beyond the integers of numpy.
    integers = d.Counts(*np.array([[10**6], [0], [0], [10**6]]))
    np.testing.assert_array_equal(d.mcc(integers), [1])


def test_specificity() -> None:
    assert d.specificity(MIXED) == pytest.approx(5 / 7)
    assert d.specificity(MIXED, "realmistake") == pytest.approx(8 / 10)


def test_count_puts_every_item_into_its_cell() -> None:
    gold = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    pred = [1, 1, 1, 0, 0, NAN, 1, 0, 0, 0, 0, NAN, NAN, NAN, 1]
    assert d.count(gold, pred) == d.Counts(3, 2, 2, 4, 1, 3)
    assert d.count([], []) == NOTHING


def test_a_probability_gives_expected_counts() -> None:
    gold = [1, 1, 0, 0, 1, 0]
    pred = [0.5, 1, 0.5, 0.25, NAN, 0]
    assert d.item_counts(gold, pred).tolist() == [
        [0.5, 0, 0.5, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [0, 0.5, 0, 0.5, 0, 0],
        [0, 0.25, 0, 0.75, 0, 0],
        [0, 0, 0, 0, 1, 0],
        [0, 0, 0, 1, 0, 0],
    ]
    expected = d.count(gold, pred)
    assert expected == d.Counts(1.5, 0.75, 0.5, 2.25, 1, 0)
    assert d.recall(expected) == 1.5 / 2
    assert d.accuracy(expected) == 3.75 / 5


@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.floats(0, 1)), max_size=20))
def test_expected_counts_keep_the_gold_labels(
    pairs: list[tuple[float, float]],
) -> None:
    counts = counted(pairs)
    errors = sum(gold for gold, _ in pairs)
    assert counts.tp + counts.fn == pytest.approx(errors)
    assert counts.fp + counts.tn == pytest.approx(len(pairs) - errors)


def test_cluster_counts_sum_the_epochs_of_an_item() -> None:
    gold = [1, 0, 1, 0, 1]
    predicted = [1, 1, 0, NAN, 1]
    rows = d.cluster_counts(gold, predicted, ["b", "a", "b", "a", "c"])
    assert rows.tolist() == [
        [1, 0, 1, 0, 0, 0],
        [0, 1, 0, 0, 0, 1],
        [1, 0, 0, 0, 0, 0],
    ]
    with pytest.raises(ValueError, match="4 cluster names for 5 items"):
        d.cluster_counts(gold, predicted, "abab")


def test_baselines_answer_the_unparsed_items_too() -> None:
    assert d.baselines(MIXED) == {  # 10 gold errors, 10 others
        "always_error": d.Counts(10, 10, 0, 0),
        "always_no_error": d.Counts(0, 0, 10, 10),
        "base_rate": d.Counts(5, 5, 5, 5),
    }
    assert d.baselines(d.Counts(tp=30, fp=10, fn=0, tn=0))["base_rate"] == d.Counts(
        tp=22.5, fp=7.5, fn=7.5, tn=2.5
    )
    assert d.baselines(NOTHING)["base_rate"] == NOTHING


def test_baselines_of_arrays() -> None:
    both = d.Counts(*np.array([MIXED, PERFECT], dtype=float).T)
    for name, stacked in d.baselines(both).items():
        columns = np.array(stacked).T.tolist()
        assert columns == [list(d.baselines(c)[name]) for c in (MIXED, PERFECT)]


@pytest.mark.parametrize(
    ("errors", "others", "f2", "f1"),
    [  # sizes of ReaLMistake's six cells; percentages worked out apart from this code
        (87, 53, 89.14, 76.65),
        (88, 52, 89.43, 77.19),
        (128, 32, 95.24, 88.89),
        (129, 31, 95.41, 89.27),
        (130, 30, 95.59, 89.66),
    ],
)
def test_always_error_on_realmistake(
    errors: int, others: int, f2: float, f1: float
) -> None:
    gold = [1.0] * errors + [0.0] * others
    always = d.baselines(d.count(gold, [NAN] * len(gold)))["always_error"]
    assert round(100 * float(d.f2(always)), 2) == f2
    assert round(100 * float(d.f1(always)), 2) == f1
    assert d.balanced_accuracy(always) == 0.5


Label = st.sampled_from([0.0, 1.0])


Pairs = st.lists(st.tuples(Label, st.sampled_from([0.0, 1.0, NAN])), max_size=30)


ParsedPairs = st.lists(st.tuples(Label, Label), max_size=30)


Conventions = st.sampled_from(list[d.Convention](["parsed", "realmistake"]))


def counted(pairs: Sequence[tuple[float, float]]) -> d.Counts:
    return d.count([gold for gold, _ in pairs], [pred for _, pred in pairs])


@given(Pairs, Conventions)
def test_values_are_within_bounds_and_every_item_is_counted(
    pairs: list[tuple[float, float]], convention: d.Convention
) -> None:
    counts = counted(pairs)
    assert sum(float(cell) for cell in counts) == len(pairs)
    for name, statistic in d.STATISTICS.items():
        value = float(statistic(counts, convention))
        low, high = d.BOUNDS[name]
        assert low <= value <= high or (math.isnan(value) and convention == "parsed")


@given(ParsedPairs)
def test_swapping_the_classes(pairs: list[tuple[float, float]]) -> None:
    counts = counted(pairs)
    swapped = counted([(1 - gold, 1 - pred) for gold, pred in pairs])
    passed = counts.tn + counts.fn
    npv = counts.tn / passed if passed else NAN
    same: list[tuple[d.Values, d.Values]] = [
        (d.precision(swapped), npv),
        (d.recall(swapped), d.specificity(counts)),
        (d.specificity(swapped), d.recall(counts)),
        (d.accuracy(swapped), d.accuracy(counts)),
        (d.balanced_accuracy(swapped), d.balanced_accuracy(counts)),
        (d.mcc(swapped), d.mcc(counts)),
        (d.predicted_error_rate(swapped), 1 - d.predicted_error_rate(counts)),
    ]
    for left, right in same:
        np.testing.assert_allclose(left, right, rtol=1e-14, atol=1e-14)


@given(ParsedPairs)
def test_flipping_the_predictions(pairs: list[tuple[float, float]]) -> None:
    counts = counted(pairs)
    flipped = counted([(gold, 1 - pred) for gold, pred in pairs])
    np.testing.assert_allclose(d.mcc(flipped), -d.mcc(counts), rtol=1e-14)
    np.testing.assert_allclose(d.accuracy(flipped), 1 - d.accuracy(counts), atol=1e-14)


@given(ParsedPairs)
def test_mcc_is_the_correlation_coefficient(pairs: list[tuple[float, float]]) -> None:
    value = float(d.mcc(counted(pairs)))
    columns = np.array(pairs).reshape(-1, 2).T
    if pairs and columns.std(axis=1).all():
        assert value == pytest.approx(np.corrcoef(columns)[0, 1], abs=1e-12)
    else:
        assert math.isnan(value)


@given(ParsedPairs)
def test_conventions_agree_where_all_is_parsed_and_defined(
    pairs: list[tuple[float, float]],
) -> None:
    counts = counted(pairs)
    for statistic in d.STATISTICS.values():
        ours = float(statistic(counts, "parsed"))
        if not math.isnan(ours):
            assert float(statistic(counts, "realmistake")) == ours


def test_one_coin_by_hand() -> None:
    # The coin is on a gold error: F1 is 4/5 if it says so and 2/4 if not.
    certain = Counts(tp=1, fp=1, fn=0, tn=2)
    assert expected_statistic(certain, 1, 0, f1) == pytest.approx((4 / 5 + 2 / 4) / 2)
    # Another on an item without error.
    four = (4 / 5 + 2 / 4 + 4 / 6 + 2 / 5) / 4
    assert expected_statistic(certain, 1, 1, f1) == pytest.approx(four)


@pytest.mark.parametrize("convention", ["parsed", "realmistake"])
@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize(
    ("certain", "coins_error", "coins_no_error"),
    [
        (Counts(3, 1, 2, 2, 1, 1), 3, 2),
        (Counts(3, 1, 2, 2), 0, 0),
        (Counts(0, 0, 0, 4), 0, 3),
        (NOTHING, 2, 2),
        (NOTHING, 0, 0),
    ],
)
def test_all_draws_one_by_one(
    certain: Counts,
    coins_error: int,
    coins_no_error: int,
    name: str,
    convention: Convention,
) -> None:
    values = []
    for coins in product((0, 1), repeat=coins_error + coins_no_error):
        hits, alarms = sum(coins[:coins_error]), sum(coins[coins_error:])
        drawn = certain._replace(
            tp=certain.tp + hits,
            fn=certain.fn + coins_error - hits,
            fp=certain.fp + alarms,
            tn=certain.tn + coins_no_error - alarms,
        )
        values.append(float(STATISTICS[name](drawn, convention)))
    defined = [value for value in values if not math.isnan(value)]
    expected = sum(defined) / len(defined) if defined else math.nan
    value = expected_statistic(
        certain, coins_error, coins_no_error, STATISTICS[name], convention
    )
    assert value == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_of_many_coins_half_are_heads() -> None:
    certain = Counts(tp=3, fp=0, fn=1, tn=1)
    value = expected_statistic(certain, 20_001, 20_000, lambda drawn, _: drawn.tp)
    assert value == pytest.approx(3 + 20_001 / 2, rel=1e-12)


def test_undefined_draws_are_left_out() -> None:
    # Precision is 1, or without a value where the coin predicts no error.
    certain = Counts(tp=0, fp=0, fn=1, tn=1)
    assert expected_statistic(certain, 1, 0, precision) == 1
    assert expected_statistic(certain, 1, 0, precision, "realmistake") == 0.5
    assert math.isnan(expected_statistic(certain, 0, 0, precision))


GOLD = [1, 1, 1, 1, 0, 0]


Tables = st.integers(1, 4).flatmap(
    lambda detectors: st.lists(
        st.lists(st.integers(0, 1), min_size=detectors + 1, max_size=detectors + 1),
        min_size=1,
        max_size=12,
    )
)


A, B = [1, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0]  # oracle 4/6, better 3/6
