"""What measures refuse, with the array or the number that is named."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from inspect_debate.metrics.abstention import by_condition
from inspect_debate.metrics.agreement import (
    cohen_kappa,
    dissents,
    krippendorff_alpha,
    pairwise_agreement,
    repeat_agreement,
    side_share,
    unanimity,
)
from inspect_debate.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
    risk_coverage,
)
from inspect_debate.metrics.dependence import clustered_mean, dyadic_mean, mixed_mean
from inspect_debate.metrics.detection import (
    Counts,
    cluster_counts,
    count,
    expected_statistic,
    f1,
    gap_closed,
    oracle_reduction,
    oracle_reductions,
)
from inspect_debate.metrics.endorsement import endorsement_rate, ratio_difference
from inspect_debate.metrics.intervals import (
    Array,
    check_lengths,
    checked_shares,
    cluster_interval,
    cluster_sums,
    proportion_interval,
    zeros_and_ones,
)
from inspect_debate.metrics.judge_checks import (
    findings,
    least_visible,
    shift,
    sign_test,
)
from inspect_debate.metrics.knowledge import (
    biases,
    p_known_given,
    passage_alone,
    tier,
    tier_shares,
)
from inspect_debate.metrics.means import (
    calibrated_choice,
    cluster_means,
    higher_probability,
    pooled_mean,
)
from inspect_debate.metrics.paired import (
    cluster_sign_flip,
    did,
    equivalence,
    holm,
    mcnemar,
    paired_bootstrap,
)
from inspect_debate.metrics.shares import share
from inspect_debate.metrics.tiers import difficulty
from inspect_debate.metrics.transitions import (
    gated,
    settling_round,
    transition_shares,
    transitions,
)

NAN = math.nan
Arrays = dict[str, Any]
Refused = tuple[Callable[..., object], tuple[Any, ...], Arrays, str]


def no(measure: Callable[..., object], *given: Any, says: str, **more: Any) -> Refused:
    """A call that is refused."""
    return measure, given, more, says


def share_of(totals: Array) -> float:
    return float(totals[0] / (totals[0] + totals[1]))


NOTHING = Counts(0, 0, 0, 0)
ROWS = np.eye(2)
SEEDED: Arrays = {"seed": 1}
SIX = np.ones((3, 6))
ODD: Arrays = {"correct": [1] * 2, "from_passage": [1] * 2, "from_prior": [1]}
ONES: Arrays = {"if_contextual": 1, "if_prior": 1}

REFUSED: list[Refused] = [
    # abstention
    no(by_condition, [1, 0.5], [1, 0], [1, 0], "ab", says="item 1 is right although"),
    no(by_condition, [1, 1], [1, 0], [1, 0], "ab", says="item 1 is right although"),
    no(by_condition, [1], [1, 0], [1], "a", says="length: correct 1, answered 2"),
    no(by_condition, [1], [1], [1, 0], "a", says="length: correct 1, standard 2"),
    no(by_condition, [1.5], [1], [1], "a", says=r"correct holds 1\.5"),
    # agreement
    *(
        no(measure, table, says=says)
        for measure in (
            *(dissents, unanimity, pairwise_agreement, krippendorff_alpha, side_share),
            lambda table: repeat_agreement(table, table),
        )
        for table, says in (
            ([[1, 0.5]], r"holds 0\.5; allowed: 0, 1 and NaN"),
            ([1, 0], "has 1 dimensions instead of 2"),
        )
    ),
    no(repeat_agreement, [[1, 0]], [[1], [0]], says=r"shape: \(1, 2\) and \(2, 1\)"),
    no(cohen_kappa, "AB", "ABA", says="differ in length: 2, 3"),
    # calibration
    *(
        no(measure, confidence, correct, says=says)
        for measure in (brier, expected_calibration_error, log_score)
        for confidence, correct, says in (
            ([0.5, 1.2], [1, 0], r"confidence holds 1\.2; allowed: 0 to 1 and NaN"),
            ([-0.1], [1], r"confidence holds -0\.1"),
            ([85], [1], r"confidence holds 85\.0"),
            ([math.inf], [1], "confidence holds inf"),
            ([1.2], [NAN], r"confidence holds 1\.2"),
            ([0.5], [1.5], r"correct holds 1\.5; allowed: 0 to 1"),
            ([0.5, 0.5], [1, -0.1], r"correct holds -0\.1"),
            ([NAN], [50], r"correct holds 50\.0"),
            ([0.5, 0.5], [1], "differ in length: confidence 2, correct 1"),
            ([[0.5]], [[1]], "confidence has 2 dimensions instead of 1"),
        )
    ),
    no(expected_calibration_error, [0.5], [1], 0, says="bins is 0; it must be at"),
    no(risk_coverage, [0.5, 0.5], [1], says="length: confidence 2, correct 1"),
    no(risk_coverage, [0.5], [0.5], says=r"correct holds 0\.5"),
    no(risk_coverage, [[0.5]], [1], says="confidence has 2 dimensions"),
    # dependence
    no(clustered_mean, [50, 60], says="needs at least one clustering"),
    no(clustered_mean, [50, 60], "ab", "abc", says="3 labels for 2 values"),
    no(clustered_mean, [[50, 60]], "ab", says="values has 2 dimensions"),
    no(dyadic_mean, [50, 60], "ab", "abc", says="labels for"),
    no(mixed_mean, [50, 60], "ab", "x", says="1 labels for 2 values"),
    no(mixed_mean, [[50, 60]], "ab", "xy", says="values has 2 dimensions"),
    # detection
    no(count, [1, 0], [1], says="differ in length: gold 2, predicted 1"),
    no(count, [[1, 0]], [[1, 0]], says="gold has 2 dimensions instead of 1"),
    no(count, [1, NAN], [1, 0], says=r"gold holds nan; allowed: 0 and 1\."),
    no(count, [1, 0.5], [1, 0], says=r"gold holds 0\.5"),
    no(count, [1, 0], [1.5, 0], says=r"predicted holds 1\.5; allowed: 0 to 1 and N"),
    no(count, [1, 0], [1, -1], says=r"predicted holds -1\.0"),
    no(cluster_counts, [1, 0], [1, 1], "a", says="1 cluster names for 2 items"),
    no(expected_statistic, NOTHING, -1, 0, f1, says="neither may be negative"),
    no(expected_statistic, NOTHING, 0, -1, f1, says="neither may be negative"),
    no(oracle_reduction, [1, 0], [1], [1, 0], says="length: right_a 2, right_b 1"),
    no(oracle_reduction, [1], [1], [1, 0], says="length: right 1, gold 2"),
    no(oracle_reduction, [1, NAN], [1, 0], [1, 0], says="right_a holds nan; allowed"),
    no(oracle_reduction, [1, 1], [1, 0], [1, NAN], says="gold holds nan"),
    no(gap_closed, [1, 0.5], [1, 0], [1, 0], says=r"first_a holds 0\.5"),
    no(gap_closed, [1, 0], [NAN, 0], [1, 0], says="first_b holds nan"),
    no(gap_closed, [1, 0], [1, 0], [1, NAN], says="debate must be flat and hold"),
    no(gap_closed, [1, 0], [1, 0], [1, 1.5], says="debate must be flat and hold"),
    no(gap_closed, [1, 0], [1, 0], [[1, 0]], says="debate must be flat and hold"),
    no(gap_closed, [1, 0], [1, 0], [1], says="first_a 2, first_b 2, debate 1"),
    # endorsement
    *(
        row
        for part, whole, clusters, says in (
            (
                [2],
                [1],
                "a",
                "2 of 1 is no share; a part is a number from 0 to its",
            ),
            ([0, -1], [1, 1], "ab", "-1 of 1 is no share"),
            ([1], [math.inf], "a", "1 of inf"),
            ([1, 0], [1], "ab", "differ in length: parts 2, wholes 1"),
            ([[1]], [[1]], "a", "parts has 2 dimensions instead of 1"),
            ([1], [[1]], "a", "wholes has 2 dimensions instead of 1"),
            ([1, 0], [1, 1], "a", "1 cluster names for 2 items"),
        )
        for row in (
            no(endorsement_rate, part, whole, clusters, says=says),
            no(ratio_difference, *(part, whole) * 2, clusters, says=says, **SEEDED),
        )
    ),
    no(
        lambda: ratio_difference([1, 0], [1, 1], [1], [1], "ab", seed=1),
        says="differ in length: part_a 2, part_b 1",
    ),
    # intervals
    no(cluster_interval, share_of, [1.0, 2.0], says="has 1 dimensions instead of 2"),
    no(cluster_interval, share_of, [[1, -1], [1, 1]], says="negative or non-finite"),
    no(cluster_interval, share_of, [[1, NAN], [1, 1]], says="negative or non-finite"),
    no(cluster_interval, lambda t: -share_of(t), ROWS, says=r"its bounds \(0\.0, 1\.0"),
    no(cluster_interval, share_of, ROWS, level=95, says="level is 95"),
    no(proportion_interval, 3, 2, says="3 successes out of 2"),
    no(check_lengths, a=np.zeros(2), b=np.zeros(3), says="differ in length: a 2, b 3"),
    no(cluster_sums, np.zeros((4, 2)), "abc", says="3 cluster names for 4 items"),
    no(zeros_and_ones, "right", [1, 0.5], says=r"right holds 0\.5; allowed: 0 and 1"),
    no(zeros_and_ones, "right", [NAN, 1], says="right holds nan"),
    no(zeros_and_ones, "right", [[1]], says="right has 2 dimensions instead of 1"),
    no(zeros_and_ones, "right", 1, says="right has 0 dimensions instead of 1"),
    # judge_checks
    *(
        row
        for moves in ([0.5], [2.0], [[0.0]])
        for row in (
            no(shift, moves, [1], says=r"^moves"),
            no(sign_test, moves, [1], one_sided=True, says=r"^moves"),
            no(least_visible, moves, [1], 1, one_sided=True, says=r"^moves"),
            no(findings, {"order": moves}, [1], says=r"^moves"),
        )
    ),
    # knowledge
    *(
        no(tier, [0.5, value], says="allowed: 0 to 1 and NaN")
        for value in (-0.1, 1.1, 28, math.inf)
    ),
    no(tier_shares, [3, 0.5], "ab", says=r"tiers holds 0\.5; allowed: 0, 1, 2, 3"),
    no(tier_shares, [3, 2], "a", says="1 cluster names for 2 items"),
    no(p_known_given, [0.5], [3, 2], [0.5], "ab", says="confidence 1, tiers 2"),
    no(p_known_given, [[0.5]], [3], [0.5], "a", says="confidence has 2 dimensions"),
    no(passage_alone, [1], [1, 0], [0], says="prior_right 1, passage_right 2, same 1"),
    no(passage_alone, [1], [0], [0.5], says=r"same holds 0\.5"),
    no(biases, [1, 0], "ab", **ODD, **SEEDED, says="from_prior has 1 values for 2 it"),
    # means
    no(pooled_mean, [[50, 60]], says="values has 2 dimensions instead of 1"),
    no(pooled_mean([50, 60]).interval, 95, says="level is 95"),
    no(pooled_mean([0, 1, 1]).interval, 0, (0, 1), says="level is 0"),
    no(pooled_mean([50, 60, 70]).interval, bounds=(0, 1), says="are not possible"),
    no(cluster_means, [1, NAN, 0], "ab", says="2 labels for 3 values"),
    no(higher_probability, [0.5], [[0.5]], says=r"^p_contextual has 2 dimensions"),
    *(
        no(choice, prior, contextual, says=says)
        for choice in (higher_probability, calibrated_choice)
        for prior, contextual, says in (
            ([0.5], [0.5, 0.4], "p_prior 1, p_contextual 2"),
            ([[0.5]], [[0.5]], "has 2 dimensions"),
        )
    ),
    # paired
    no(mcnemar, [1, 0], [1], says="differ in length: right_a 2, right_b 1"),
    no(mcnemar, [1, 0], [1, NAN], says="right_b holds nan"),
    no(
        cluster_sign_flip, [1, 0], "a", **SEEDED, says="1 cluster names for differences"
    ),
    no(cluster_sign_flip, [[1, 0]], "a", **SEEDED, says="cluster names"),
    no(cluster_sign_flip, [1, NAN], "ab", **SEEDED, says="differences holds a NaN"),
    *(
        no(paired_bootstrap, f1, a, b, says=says, **SEEDED)
        for a, b, says in (
            (SIX, np.ones((2, 6)), r"not \(3, 6\) and \(2, 6\)"),
            (SIX[:, :4], SIX[:, :4], r"\(clusters, 6\)"),
            (np.ones(6), np.ones(6), "must be of one shape"),
            (SIX, -SIX, "negative or non-finite"),
            (SIX * NAN, SIX, "negative or non-finite"),
        )
    ),
    *(
        no(paired_bootstrap, f1, SIX, SIX, says=says, **SEEDED, **settings)
        for settings, says in (
            ({"level": 1.0}, "level is 1.0"),
            ({"level": 0.0}, "level is 0.0"),
            ({"resamples": 38}, "38 resamples are too few for level 0.95"),
        )
    ),
    no(holm, {"copmad": 0.5, "som": -0.1}, says="p-value of som is -0.1"),
    no(holm, {"copmad": 0.5, "som": 1.1}, says="p-value of som is 1.1"),
    *(no(equivalence, [1, 0], "ab", m, says="be above 0") for m in (0, -0.1, NAN)),
    no(equivalence, [1, 0], "a", 0.1, says="1 labels for 2 values"),
    no(did, *([1, 0],) * 4, "a", **SEEDED, says="1 labels for 2 values"),
    # shares
    no(share, [1, -0.5], "ab", says=r"values holds -0\.5; allowed: 0 to 1"),
    no(share, [1, 2, NAN], "abc", says=r"values holds 2\.0"),
    no(share, [[1], [0]], "ab", says="values has 2 dimensions instead of 1"),
    no(share, [1, 0], "a", says="1 cluster names for 2 items"),
    # tiers
    no(difficulty, [0.5, 1], says="solve_rates has 1 dimensions instead of 2"),
    no(difficulty, np.zeros((3, 0)), says="it needs one family at least"),
    no(difficulty, [[0.5, 1.01]], says=r"holds 1\.01; allowed: 0 to 1"),
    no(difficulty, [[-0.1]], says=r"holds -0\.1"),
    # transitions
    *(
        row
        for before, after, says in (
            ([1, 0.5], [1, 0], r"before holds 0\.5"),
            ([1, 0], [1, 2], r"after holds 2\.0"),
            ([1, 0], [1], "differ in length: before 2, after 1"),
        )
        for row in (
            no(transitions, before, after, says=says),
            no(transition_shares, before, after, "ab", says=says),
        )
    ),
    no(transition_shares, [1, 0], [1, 0], "a", says="1 cluster names for 2 items"),
    no(settling_round, [0, 2], says=r"verdicts holds 2\.0"),
    no(gated, [1, 0], [1], **ONES, says="verdicts has 1 dimensions instead of 2"),
    no(gated, [[1], [0]], [1], **ONES, says="verdicts 2, confident 1"),
    no(gated, [[1]], [0.9], **ONES, says=r"confident holds 0\.9"),
    no(gated, [[1], [0]], [1, 0], if_contextual=[1] * 3, if_prior=1, says="shape"),
]


@pytest.mark.parametrize(("measure", "given", "more", "says"), REFUSED)
def test_what_is_refused(
    measure: Callable[..., object], given: tuple[Any, ...], more: Arrays, says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        measure(*given, **more)


CONDITIONS = ("debate_1", "debate_4", "consultancy_1", "consultancy_4")


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_difference_in_differences_names_the_condition(name: str) -> None:
    usual: Arrays = {key: [1.0, 0.0] for key in CONDITIONS}
    for wrong, says in (
        ([1, 0.5], rf"{name} holds 0\.5"),
        ([1], f"differ in length: .*{name} 1"),
    ):
        with pytest.raises(ValueError, match=says):
            did(**usual | {name: wrong}, clusters="ab", seed=1)


ONE, TABLE = [1], [[1]]
CLUSTERS: Arrays = {"clusters": "a"}
FROM: Arrays = {"from_passage": ONE, "from_prior": ONE}
CONFIDENT: Arrays = {"verdicts": TABLE, "confident": ONE}


@pytest.mark.parametrize(
    ("measure", "arrays", "others"),
    [
        (
            by_condition,
            dict.fromkeys(("correct", "answered", "standard"), ONE),
            CLUSTERS,
        ),
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
        (gated, CONFIDENT, ONES),
    ],
)
def test_a_refusal_names_the_array(
    measure: Callable[..., object], arrays: Arrays, others: Arrays
) -> None:
    for name, array in arrays.items():
        wrong = {name: [[7]] if array is TABLE else [7]}
        with pytest.raises(ValueError, match=rf"^{name} holds 7\.0"):
            measure(**arrays | wrong, **others)


def test_zeros_and_ones_of_any_kind_become_floats() -> None:
    for values in ([1, 0], [True, False], np.array([1.0, 0.0])):
        array = zeros_and_ones("right", values)
        assert array.dtype == np.float64
        assert array.tolist() == [1, 0]
    assert zeros_and_ones("right", []).size == 0
    assert checked_shares("right", [True, False]).dtype == np.float64
    assert zeros_and_ones("right", [[1], [0]], dimensions=2).shape == (2, 1)


def test_rows_are_summed_within_clusters_in_their_first_order() -> None:
    check_lengths(a=np.zeros(2), b=np.zeros((2, 5)))
    rows = np.arange(8.0).reshape(4, 2)
    assert cluster_sums(rows, "baab").tolist() == [[6, 8], [6, 8]]
    assert cluster_sums(rows[:, 0], [(2, "x"), 1, 3, 1]).tolist() == [0, 8, 4]
    assert cluster_sums(rows[:, :, np.newaxis], "abcd").shape == (4, 2, 1)
    assert cluster_sums(np.zeros((0, 3)), []).shape == (0, 3)


def test_without_trials_there_is_no_interval() -> None:
    assert all(math.isnan(end) for end in proportion_interval(0, 0))
