"""Statistics of detectors."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.metrics import detection as d

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
