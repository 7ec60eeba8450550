"""The numbers in the text on generative debate, and what their notes say about them."""

import math
from typing import Any

import pytest

from inspect_debate.published import published

TABLES = published("generative")


def conditions(column: str) -> dict[Any, Any]:
    frame = TABLES["conditions"].frame.set_index(["protocol", "best_of"])
    return frame[column].dropna().to_dict()


def test_the_rows() -> None:
    sizes = {name: len(table.frame) for name, table in TABLES.items()}
    assert sizes == {
        **{"conditions": 7, "both_right": 4, "differences": 4, "tally": 3},
        "statements": 13,
    }
    assert conditions("fpr") == {
        ("dual_debate", 1): 90,
        ("dual_consultancy", 1): 39,
        ("dual_no_transcript", 1): 30,
    }


def test_the_difference_in_differences_follows_from_the_accuracies() -> None:
    by = conditions("accuracy")
    debate = by["single_debate", 4] - by["single_debate", 1]
    consultancy = by["single_consultancy", 4] - by["single_consultancy", 1]
    first = TABLES["differences"].frame.iloc[0]
    assert (first["dataset"], first["difference"]) == ("arc", 10.5)
    assert debate - consultancy == pytest.approx(first["difference"])
    assert by["single_debate", 4] - by["single_consultancy", 4] == pytest.approx(5.1)


@pytest.mark.parametrize(("tasks", "possible"), [(800, True), (400, False)])
def test_the_number_of_tasks(tasks: int, possible: bool) -> None:
    shares = conditions("accuracy").values()
    found = [round(100 * round(v * tasks / 100) / tasks, 1) == v for v in shares]
    assert all(found) == possible


def test_debate_triples_the_rate_of_one_of_the_others_only() -> None:
    fpr = conditions("fpr")
    ratios = [fpr["dual_debate", 1] / fpr[f"dual_{n}", 1]
              for n in ("no_transcript", "consultancy")]  # fmt: skip
    assert [round(ratio, 1) for ratio in ratios] == [3.0, 2.3]
    right = conditions("none_right")
    assert all(abs(100 - right[key] - fpr[key]) <= 1 for key in right)


def test_the_tally() -> None:
    frame = TABLES["tally"].frame.set_index("proposers")[["loses", "ties", "wins"]]
    assert frame.sum(axis=1).to_dict() == {"dual": 8, "single": 8, "all": 16}
    assert frame.iloc[:2].sum().tolist() == frame.iloc[2].tolist() == [11, 4, 1]


def test_what_printed_flips_come_to() -> None:
    flips, hurt = (conditions(n)["dual_debate", 1] / 100 for n in ("flips", "hurt"))
    assert flips * (1 - 2 * hurt) == pytest.approx(-0.109, abs=0.0005)


def test_the_error_of_the_fourth_difference_is_that_of_pairs() -> None:
    independent = 100 * math.sqrt(4 * 0.85 * 0.15 / 1136)
    assert independent > 2 > 1.9 / 2.612  # 2.612: the normal quantile of p = 0.009
