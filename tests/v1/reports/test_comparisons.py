from math import isnan

import pandas as pd
import pytest

from inspect_debate.v1.reports.comparisons import (
    Planned,
    accuracy_test,
    comparison_tables,
    difference,
    in_words,
    pair,
)
from tests.v1.reports.made_scores import NONE, scores

A = {"a": (1, 1), "b": (1, 0), "c": (0, 0), "d": (0, 1), "e": (1, 1), "f": (1, 1)}


def test_only_samples_of_both_arms_are_compared_and_drops_are_counted() -> None:
    one = scores({**A, "g": (1, NONE), "h": (1, 1)})
    other = scores({**A, "g": (1, 1), "i": (1, 0)})
    other = other.iloc[::-1]  # another order changes nothing
    one.loc[one["id"] == "b", "scored"] = False
    other.loc[other["id"] == "c", "target"] = "error"
    other.loc[other["id"] == "d", "input_group"] = "another input"
    found = pair(one, other)
    assert list(found.a["id"]) == list(found.b["id"]) == ["a", "e", "f"]
    assert found.drops == {
        "in one condition only": 2,  # h and i
        "of other content": 2,  # c and d
        "not finished": 1,  # b
        "no prediction": 1,  # g
    }
    assert in_words(found.drops).startswith(
        "2 in one condition only, 2 of other content"
    )


def test_epochs_are_paired_with_epochs() -> None:
    once = scores(A)
    twice = pd.concat([scores(A), scores(A, epoch=2)])
    found = pair(once, twice)
    assert len(found.a) == len(A)
    assert found.drops == {"epochs that only one condition has": len(A)}


def plain(better: int, worse: int, same: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two conditions: the second is right where the first is not, and the reverse."""
    numbers = range(better + worse + same)
    one = scores({str(n): (1, float(n >= better)) for n in numbers})
    other = scores(
        {str(n): (1, float(not better <= n < better + worse)) for n in numbers}
    )
    return one, other


def test_accuracy_by_mcnemar_where_samples_are_independent() -> None:
    found = accuracy_test(pair(*plain(better=5, worse=1, same=4)))
    # Of 6 discordant pairs 5 to 1: two tails, the observed one by half.
    assert found.name == "McNemar"
    assert found.p == pytest.approx(2 * (1 / 64 + 6 / 64 / 2))


def test_accuracy_by_sign_flips_where_samples_are_not() -> None:
    one, other = plain(better=3, worse=0, same=4)
    clustered = [
        frame.assign(input_group=["x", "x", *"abcde"]) for frame in (one, other)
    ]
    found = accuracy_test(pair(*clustered))
    # Two clusters differ (2 and 1): of 4 swaps 2 are as far from 0.
    assert found.name == "sign flip"
    assert found.p == pytest.approx(2 / 4)
    coins = other.assign(correct=[0.5, *other["correct"][1:]])
    assert accuracy_test(pair(one, coins)).name == "sign flip"


def test_without_a_shared_sample_there_is_no_difference() -> None:
    found = pair(scores({"a": (1, 1)}), scores({"b": (1, 1)}))
    name, p = accuracy_test(found)
    assert name == "none"
    assert isnan(p)
    assert isnan(difference(found, "f1").difference)


def test_tables_correct_over_their_family() -> None:
    strong, weak = plain(9, 0, 5), plain(4, 3, 5)
    planned = [
        Planned("Which?", "A + B", "debate − single", *strong),
        Planned("Which?", "A + B", "debate − judge", *weak),
    ]
    accuracy, of_f = comparison_tables(planned)
    frame = accuracy.frame
    assert list(frame["Difference"]) == pytest.approx([9 / 14, 1 / 12])
    assert frame["p (Holm)"][0] == pytest.approx(2 * frame["p"][0])
    assert frame["p (Holm)"][1] == pytest.approx(frame["p"][1])
    assert frame["Test"].eq("McNemar").all()
    assert (frame["Difference low"] <= frame["Difference"]).all()
    # Recall of the first pair: 5 of 14 against all of them; no false alarm.
    assert of_f.frame["F2"][0] == pytest.approx(1 - 25 / (25 + 4 * 9))
    assert "over the 2 comparisons" in accuracy.note
