"""Pairs of ReaLMistake's detectors: what an oracle gains of them, and their Ensemble.

The expectations are loops over the items, from the definitions alone.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import pytest

from inspect_debate.metrics.detection import (
    STATISTICS,
    Counts,
    count,
    expected_statistic,
    oracle_reduction,
)
from tests.metrics.detector_labels import Cell, cells

pytestmark = pytest.mark.released

MATH = "math_word_problem_generation"
FACT = "finegrained_fact_verification"
ANSWERABILITY = "answerability_classification"
GPT_4, LLAMA_13B, LLAMA_70B = (
    "gpt-4-0613",
    "Llama-2-13b-chat-hf",
    "Llama-2-70b-chat-hf",
)
QWEN_14B, QWEN_72B = "Qwen1.5-14B-Chat", "Qwen1.5-72B-Chat"

Cells = dict[tuple[str, str], Cell]


@pytest.fixture(scope="module")
def published() -> Cells:
    found = cells()
    assert {len(cell.gold) for cell in found.values()} == {140, 160}
    assert [len(cell.predicted) for cell in found.values()] == [8] * 6
    return found


def pairs(cell: Cell) -> Iterator[tuple[list[str], list[str]]]:
    """The labels of all pairs of detectors."""
    yield from combinations(cell.predicted.values(), 2)


def right(cell: Cell, predicted: list[str]) -> list[int]:
    """Strictly: a label that could not be read is wrong."""
    return [int(p == g) for p, g in zip(predicted, cell.gold, strict=True)]


def looped(cell: Cell, a: list[str], b: list[str]) -> tuple[int, Fraction, int]:
    """Observed and expected reduction, and the better detector's errors."""
    errors_a = errors_b = both = 0
    in_class = {"error": [0, 0, 0], "no_error": [0, 0, 0]}
    for item, gold in enumerate(cell.gold):
        a_wrong, b_wrong = a[item] != gold, b[item] != gold
        errors_a += a_wrong
        errors_b += b_wrong
        both += a_wrong and b_wrong
        in_class[gold][0] += 1
        in_class[gold][1] += a_wrong
        in_class[gold][2] += b_wrong
    better = min(errors_a, errors_b)
    chance = Fraction(0)
    for n, x, y in in_class.values():
        chance += Fraction(x * y, n)
    return better - both, better - chance, better


def test_every_pair_equals_a_loop_over_the_items(published: Cells) -> None:
    compared = 0
    for cell in published.values():
        gold = [int(g == "error") for g in cell.gold]
        for a, b in pairs(cell):
            observed, expected, better = looped(cell, a, b)
            pair = oracle_reduction(right(cell, a), right(cell, b), gold)
            assert pair.observed == observed
            assert pair.expected == pytest.approx(float(expected), abs=1e-12, rel=0)
            assert pair.better_errors == better
            assert pair.ratio == observed / better
            corrected = float((observed - expected) / better)
            assert pair.corrected_ratio == pytest.approx(corrected, abs=1e-12, rel=0)
            compared += 1
    assert compared == 28 * 6


@pytest.mark.parametrize(
    ("task", "author", "pair", "observed", "better_errors", "ratio"),
    [
        (FACT, GPT_4, (LLAMA_70B, GPT_4), 52, 52, 1.000),
        (FACT, GPT_4, (LLAMA_13B, LLAMA_70B), 1, 52, 0.019),
        (ANSWERABILITY, GPT_4, (LLAMA_13B, QWEN_14B), 3, 53, 0.057),
        (MATH, LLAMA_70B, (LLAMA_13B, LLAMA_70B), 2, 29, 0.069),
        (ANSWERABILITY, LLAMA_70B, (QWEN_72B, GPT_4), 3, 74, 0.041),
    ],
)
def test_known_pairs(
    published: Cells,
    task: str,
    author: str,
    pair: tuple[str, str],
    observed: int,
    better_errors: int,
    ratio: float,
) -> None:
    cell = published[task, author]
    a, b = (right(cell, cell.predicted[name]) for name in pair)
    found = oracle_reduction(a, b, [int(g == "error") for g in cell.gold])
    assert (found.observed, found.better_errors) == (observed, better_errors)
    assert round(float(found.ratio), 3) == ratio


def test_gpt_4_with_llama_2_and_its_correction_for_chance(published: Cells) -> None:
    """The paper's example of a reduction above 30 %; most of it is chance."""
    for cell in published.values():
        a, b = (right(cell, cell.predicted[name]) for name in (GPT_4, LLAMA_70B))
        pair = oracle_reduction(a, b, [int(g == "error") for g in cell.gold])
        assert 0.78 <= float(pair.ratio) <= 1
        assert -0.1 < float(pair.corrected_ratio) < 0.2


def halves(cell: Cell, a: list[str], b: list[str]) -> tuple[Counts, int, int]:
    """Counts of the items with one label, and coins by gold label; unread: no error."""
    agreed: list[tuple[float, float]] = []
    coins = {1.0: 0, 0.0: 0}
    for item, label in enumerate(cell.gold):
        gold = float(label == "error")
        says_a, says_b = a[item] == "error", b[item] == "error"
        if says_a == says_b:
            agreed.append((gold, float(says_a)))
        else:
            coins[gold] += 1
    gold_labels, predicted = zip(*agreed, strict=True)
    return count(gold_labels, predicted), coins[1.0], coins[0.0]


def flagged(cell: Cell, predicted: list[str], gold: str) -> int:
    return sum(
        g == gold and p == "error" for g, p in zip(cell.gold, predicted, strict=True)
    )


def expected_tp(counts: Counts, errors: int, others: int) -> float:
    return expected_statistic(counts, errors, others, lambda c, _: c.tp)


def expected_fp(counts: Counts, errors: int, others: int) -> float:
    return expected_statistic(counts, errors, others, lambda c, _: c.fp)


def test_the_ensemble_flags_as_often_as_its_members_on_average(
    published: Cells,
) -> None:
    for cell in published.values():
        for a, b in pairs(cell):
            ensemble = halves(cell, a, b)
            tp = (flagged(cell, a, "error") + flagged(cell, b, "error")) / 2
            fp = (flagged(cell, a, "no_error") + flagged(cell, b, "no_error")) / 2
            assert expected_tp(*ensemble) == pytest.approx(tp, abs=1e-9, rel=0)
            assert expected_fp(*ensemble) == pytest.approx(fp, abs=1e-9, rel=0)


@pytest.mark.parametrize(
    ("name", "largest"), [("f1", 0.0012), ("f2", 0.0005), ("precision", 0.005)]
)
def test_expected_counts_are_a_close_shortcut_but_no_equal(
    published: Cells, name: str, largest: float
) -> None:
    statistic = STATISTICS[name]
    gaps = []
    for cell in published.values():
        for a, b in pairs(cell):
            counts, errors, others = halves(cell, a, b)
            middle = Counts(
                counts.tp + errors / 2,
                counts.fp + others / 2,
                counts.fn + errors / 2,
                counts.tn + others / 2,
            )
            exact = expected_statistic(counts, errors, others, statistic)
            gaps.append(abs(exact - float(statistic(middle, "parsed"))))
    assert 0.8 * largest < max(gaps) < largest
