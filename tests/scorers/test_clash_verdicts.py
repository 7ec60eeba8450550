"""Series of verdicts that were made by hand: rounds, panels, orders."""

from collections.abc import Sequence
from math import isnan

import pytest

from inspect_debate.scorers.knowledge_conflict import conflict_values
from tests.support.clash_records import (
    GOLD,
    NAN,
    PERTURBED,
    contextual,
    debate,
    held,
    of_arm,
    picks,
    prior,
    series,
)


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


@pytest.mark.parametrize(
    ("letters", "verdicts", "settled"),
    [
        ("RRRRRR", [1, 1, 1, 1, 1, 1], 0),
        ("UUURRR", [0, 0, 0, 1, 1, 1], 3),
        ("RURURU", [1, 0, 1, 0, 1, 0], 5),
        ("RRRRRU", [1, 1, 1, 1, 1, 0], 5),
        ("RR?RRR", [1, 1, NAN, 1, 1, 1], 3),
        ("?RRRRR", [NAN, 1, 1, 1, 1, 1], 1),
        ("RRRR?R", [1, 1, 1, 1, NAN, 1], 5),
        ("RRRRR?", [1, 1, 1, 1, 1, NAN], NAN),
        ("??????", [NAN] * 6, NAN),
        ("U", [0], 0),
    ],
)
def test_when_verdicts_settle(
    letters: str, verdicts: Sequence[float], settled: float
) -> None:
    found = conflict_values(debate(letters), PERTURBED)
    assert [found[f"verdict_{r}"] for r in range(len(letters))] == near(verdicts)
    assert found["settled"] == near(settled)
    assert found["verdicts_unparsed"] == letters.count("?")
    assert found["verdicts_ok"] == len(letters) - letters.count("?")
    assert isnan(found["strict_srdcr"]) == (letters[-1] == "?"), "unscored, not wrong"


@pytest.mark.parametrize(
    ("letters", "settled"),
    [("CCC", 1), ("PCC", 3), ("CCP", 5), ("C?C", 5), ("CC?", NAN)],
)
def test_verdicts_of_a_judged_debate(letters: str, settled: float) -> None:
    record = held("judge_debate", prior(GOLD), contextual(), picks(letters))
    found = conflict_values(record, PERTURBED)
    for round, letter in zip((1, 3, 5), letters, strict=True):
        number = {"C": 1.0, "P": 0.0, "?": NAN}[letter]
        assert found[f"verdict_{round}"] == near(number)
        # The passage is wrong, memory is right.
        assert found[f"strict_judge_debate_{round}"] == near(1 - number)
        assert found[f"context_judge_debate_{round}"] == near(number)
    assert found["correct"] == near(found["strict_judge_debate_5"])
    assert found["settled"] == near(settled)
    assert "verdict_0" not in found


def test_a_panel_and_each_of_its_judges() -> None:
    bench = ("judge_1", "judge_2", "judge_3")
    votes = [
        t
        for judge, letters in zip(bench, ("RR", "RU", "?U"), strict=True)
        for t in series(letters, judge)
    ]
    record = held(
        "srdcr", prior(GOLD, 0.5), contextual(), votes, judges=bench, rounds=2
    )
    found = conflict_values(record, PERTURBED)
    assert (found["verdict_0"], found["verdict_1"], found["settled"]) == (1, 0, 1)
    told = [found[f"verdict_{r}_{judge}"] for judge in bench for r in range(2)]
    assert told == near([1, 1, 1, 0, NAN, 0])
    assert of_arm(found, "srdcr") == [0, 0, 0, 0, 0]
    assert of_arm(found, "srdcr_judge_1") == [0, 0, 1, 1, 0]
    assert of_arm(found, "srdcr_judge_2") == [0, 0, 0, 0, 0]
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (5, 1)


def test_a_panel_that_is_tied_is_unscored() -> None:
    bench = ("judge_1", "judge_2")
    record = held(
        "acvd_only",
        *(prior(GOLD), contextual(), series("R", "judge_1"), series("U", "judge_2")),
        judges=bench,
        rounds=1,
    )
    found = conflict_values(record, PERTURBED)
    assert of_arm(found, "acvd_only") == near([NAN] * 5)
    assert isnan(found["verdict_0"])
    assert isnan(found["settled"])
    assert of_arm(found, "acvd_only_judge_1") == [0, 0, 1, 1, 0]
    assert of_arm(found, "acvd_only_judge_2") == [1, 1, 1, 0, 1]


def test_a_judge_shown_both_orders() -> None:
    both = [*picks("CCP", order="ab"), *picks("CPP", order="ba")]
    record = held("judge_debate", prior(GOLD), contextual(), both, order="both")
    found = conflict_values(record, PERTURBED)
    assert [found[f"verdict_{r}"] for r in (1, 3, 5)] == near([1, NAN, 0])
    assert found["settled"] == 5
    for arm in ("judge_debate_5", "judge_debate_5_ab", "judge_debate_5_ba"):
        assert of_arm(found, arm) == [1, 1, 1, 0, 1]
    # The orders are tied: half of the right prior, and half of the passage's answer.
    assert of_arm(found, "judge_debate_3") == [0.5, 0.5, 1, 0.5, 0.5]
    assert found["verdicts_ok"] == 6
    apart = [*picks("CCC", order="ab"), *picks("CPP", order="ba")]
    record = held("judge_debate", prior(GOLD), contextual(), apart, order="both")
    found = conflict_values(record, PERTURBED)
    assert of_arm(found, "judge_debate_5") == [0.5, 0.5, 1, 0.5, 0.5]
    assert (found["correct"], found["outcome_tied"]) == (0.5, 1)
    assert found["strict_judge_debate_5_ab"] == 0
    assert found["strict_judge_debate_5_ba"] == 1
