"""Equivalence of formats, by hand, and what is concluded from both kinds of tests."""

from collections.abc import Sequence

import pandas as pd
import pytest
from scipy.stats import t, ttest_1samp

from inspect_debate.metrics.paired import Equivalence
from inspect_debate.reports.elements import Table
from inspect_debate.reports.generative.comparisons import (
    MARGINS,
    Against,
    compare,
    conclusion,
    equivalence_table,
)
from tests.reports.generative.made import joined
from tests.reports.generative.planted import first, row, table, verdicts


def tables(
    items: pd.DataFrame, margins: Sequence[float] = MARGINS
) -> list[Table | None]:
    """Against consultancy, and against no transcript."""
    both: tuple[Against, ...] = ("consultancy", "none")
    return [equivalence_table(compare(items, against), margins) for against in both]


def found(*equivalent: bool) -> list[Equivalence]:
    return [Equivalence(0.01, -0.01, 0.03, 0.01 if e else 0.4, e) for e in equivalent]


@pytest.mark.parametrize(
    ("p", "equivalent", "said"),
    [
        (0.6, (False, False), "undecided"),
        (0.6, (True, False), "equivalent within 5.0 points"),
        (0.6, (True, True), "equivalent within 2.0 points"),
        (0.01, (False, False), "different"),
        (0.01, (True, False), "different, by less than 5.0 points"),
        (0.05, (False, False), "undecided"),
    ],
)
def test_conclusions(p: float, equivalent: tuple[bool, ...], said: str) -> None:
    assert conclusion(p, found(*equivalent)) == said


def apart(gained: int, lost: int, same: int) -> list[list[float]]:
    """Verdicts of two formats on the same answers."""
    one = [1.0] * gained + [0.0] * lost + [1.0] * same
    other = [0.0] * gained + [1.0] * lost + [1.0] * same
    return [one, other]


def test_two_one_sided_tests() -> None:
    debate, consultancy = apart(9, 12, 379)
    items = tables(
        joined(
            verdicts("dual_debate", debate), verdicts("dual_consultancy", consultancy)
        )
    )
    one = row(items, "equivalence_consultancy")
    differences = [a - b for a, b in zip(debate, consultancy, strict=True)]
    assert one["Compared"] == "Dual debate less Dual consultancy"
    assert (one["Samples"], one["Difference"]) == (400, -3 / 400)
    low, high = ttest_1samp(differences, 0).confidence_interval(0.9)
    ends = (one["Difference low"], one["Difference high"])
    assert ends == pytest.approx((low, high))
    error = (high - low) / 2 / t.isf(0.05, 399)
    for margin in (5, 2):
        nearer = (margin / 100 - 3 / 400) / error
        assert one[f"TOST p, ±{margin}"] == pytest.approx(t.sf(nearer, 399), abs=1e-9)
    assert one["p"] == pytest.approx(0.66362, abs=1e-4)  # 9 against 12
    assert one["Conclusion"] == "equivalent within 5.0 points"
    assert items[1] is None


def test_a_null_result_of_few_samples_is_undecided() -> None:
    debate, consultancy = apart(2, 3, 15)
    items = tables(
        joined(
            verdicts("single_debate", debate),
            verdicts("single_consultancy", consultancy),
        )
    )
    assert row(items, "equivalence_consultancy")["Conclusion"] == "undecided"


def test_a_large_difference_is_one() -> None:
    items = tables(
        joined(
            verdicts("single_debate", first(60, 100)),
            verdicts("single_no_transcript", first(90, 100)),
        )
    )
    one = row(items, "equivalence_no_transcript")
    assert one["Conclusion"] == "different"
    assert one["Difference"] == pytest.approx(-0.3)
    assert one["TOST p, ±5"] > 0.99


def test_other_margins() -> None:
    debate, consultancy = apart(9, 12, 379)
    made = joined(
        verdicts("dual_debate", debate), verdicts("dual_consultancy", consultancy)
    )
    one = row(tables(made, margins=(0.1,)), "equivalence_consultancy")
    assert one["Conclusion"] == "equivalent within 10.0 points"
    assert "TOST p, ±10" in one
    assert not {"TOST p, ±5", "TOST p, ±2"} & set(one)


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        (10, "undecided"),
        (58, "undecided"),
        (59, "equivalent within 5.0 points"),
        (149, "equivalent within 2.0 points"),
        (800, "equivalent within 2.0 points"),
    ],
)
def test_of_verdicts_that_are_all_alike_the_number_decides(
    samples: int, said: str
) -> None:
    some = first(samples // 2, samples)
    made = [verdicts(f"dual_{way}", some) for way in ("debate", "consultancy")]
    one = row(tables(joined(*made)), "equivalence_consultancy")
    assert (one["Difference"], one["p"]) == (0, 1)
    assert one["Difference high"] == -one["Difference low"] == 1 - 0.05 ** (1 / samples)
    assert one["Conclusion"] == said


def test_pairs_of_other_answers_are_refused_and_counted() -> None:
    anew = verdicts("dual_consultancy", [1, 0, 1], answer_set_id="anew")
    made = [verdicts("dual_debate", [1, 0, 1]), anew]
    silent = verdicts("dual_no_transcript", [1, 1, 0])
    items = tables(joined(*made, silent))
    assert items[0] is None
    left = table(items, "equivalence_no_transcript")
    assert left.frame["Compared"].tolist() == ["Dual debate less Dual, no transcript"]
    assert left.note.endswith("Pairs refused, see the comparisons: 1.")


def test_without_pairs_there_is_nothing() -> None:
    alone = verdicts("dual_debate", [1, 0])
    assert tables(alone) == tables(alone.head(0)) == [None] * 2
