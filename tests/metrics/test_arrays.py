from collections.abc import Callable

import numpy as np
import pytest

from inspect_debate.metrics.abstention import by_condition
from inspect_debate.metrics.agreement import dissents, repeat_agreement, side_share
from inspect_debate.metrics.detection import (
    gap_closed,
    oracle_reduction,
    oracle_reductions,
)
from inspect_debate.metrics.intervals import check_lengths, cluster_sums, zeros_and_ones
from inspect_debate.metrics.knowledge import (
    biases,
    p_known_given,
    passage_alone,
    tier_shares,
)
from inspect_debate.metrics.paired import mcnemar
from inspect_debate.metrics.shares import parts_nans
from inspect_debate.metrics.transitions import gated, settling_round, transition_shares

NAN = float("nan")


def test_zeros_and_ones_of_any_kind_become_floats() -> None:
    for values in ([1, 0], [True, False], np.array([1.0, 0.0])):
        array = zeros_and_ones("right", values)
        assert array.dtype == np.float64
        assert array.tolist() == [1, 0]
    assert zeros_and_ones("right", []).size == 0
    assert parts_nans("right", [True, False]).dtype == np.float64
    assert zeros_and_ones("right", [[1], [0]], dimensions=2).shape == (2, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 0.5], r"right holds 0\.5; allowed: 0 and 1"),
        ([NAN, 1], "right holds nan"),
        ([-1], r"right holds -1\.0"),
        ([[1]], "right has 2 dimensions instead of 1"),
        (1, "right has 0 dimensions instead of 1"),
    ],
)
def test_anything_else_is_refused(values: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        zeros_and_ones("right", values)  # type: ignore[arg-type]  # wrong on purpose


Arrays = dict[str, object]
ONE, TABLE = [1], [[1]]
CLUSTERS: Arrays = {"clusters": "a"}
FROM: Arrays = {"from_passage": ONE, "from_prior": ONE}
MEASURES: list[tuple[Callable[..., object], Arrays, Arrays]] = [
    (by_condition, dict.fromkeys(("correct", "answered", "standard"), ONE), CLUSTERS),
    (dissents, {"verdicts": TABLE}, {}),
    (side_share, {"verdicts": TABLE}, {}),
    (repeat_agreement, {"first": TABLE, "second": TABLE}, {}),
    (oracle_reductions, {"right": TABLE, "gold": ONE}, {}),
    (oracle_reduction, {"right_a": ONE, "right_b": ONE}, {"gold": ONE}),
    (gap_closed, {"first_a": ONE, "first_b": ONE}, {"debate": ONE}),
    (passage_alone, {"prior_right": ONE, "passage_right": ONE, "same": ONE}, {}),
    (biases, {"alone": ONE, "correct": ONE, **FROM}, {**CLUSTERS, "seed": 1}),
    (tier_shares, {"tiers": ONE}, CLUSTERS),
    (p_known_given, {"tiers": ONE}, {"confidence": ONE, "taus": ONE, **CLUSTERS}),
    (mcnemar, {"right_a": ONE, "right_b": ONE}, {}),
    (transition_shares, {"before": ONE, "after": ONE}, CLUSTERS),
    (settling_round, {"verdicts": ONE}, {}),
    (
        gated,
        {"verdicts": TABLE, "confident": ONE},
        {"if_contextual": 1, "if_prior": 1},
    ),
]


@pytest.mark.parametrize(("measure", "arrays", "others"), MEASURES)
def test_a_refusal_names_the_array(
    measure: Callable[..., object], arrays: Arrays, others: Arrays
) -> None:
    for name, array in arrays.items():
        wrong = {name: [[7]] if array is TABLE else [7]}
        with pytest.raises(ValueError, match=rf"^{name} holds 7\.0"):
            measure(**arrays | wrong, **others)


def test_lengths() -> None:
    check_lengths(a=np.zeros(2), b=np.zeros((2, 5)))
    with pytest.raises(ValueError, match="differ in length: a 2, b 3"):
        check_lengths(a=np.zeros(2), b=np.zeros(3))


def test_rows_are_summed_within_clusters_in_their_first_order() -> None:
    rows = np.arange(8.0).reshape(4, 2)
    assert cluster_sums(rows, "baab").tolist() == [[6, 8], [6, 8]]
    assert cluster_sums(rows[:, 0], [(2, "x"), 1, 3, 1]).tolist() == [0, 8, 4]
    assert cluster_sums(rows[:, :, np.newaxis], "abcd").shape == (4, 2, 1)
    assert cluster_sums(np.zeros((0, 3)), []).shape == (0, 3)
    with pytest.raises(ValueError, match="3 cluster names for 4 items"):
        cluster_sums(rows, "abc")
