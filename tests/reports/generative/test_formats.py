"""Formats, verdicts and answers, by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from inspect_debate.reports.generative.verdicts import (
    answers_table,
    classes_table,
    formats_table,
    regimes_table,
    rounds_table,
    stances_table,
)
from inspect_debate.reports.tables import laid_out
from tests.reports.generative.made import Round, joined, made_items
from tests.reports.generative.worked import row

PAIRS = ("00", "01", "10", "11")
EVERY = made_items(
    "dual_debate",
    [Round(f"{c}-{v}", c, v) for c, v in product(PAIRS, PAIRS)],
)
"""Each of the 4 x 4 cells of truth and verdict once."""

UNREAD = made_items("dual_debate", [Round("q1", "11", "??"), Round("q2", "11", "11")])


def test_the_sixteen_cells_of_a_dual_format() -> None:
    found = row(formats_table(EVERY), Format="Dual debate")
    # One of four verdicts is right about both; each answer's is by half.
    assert (found["Accuracy"], found["Per answer"], found["Strict"]) == (
        0.25,
        0.5,
        0.25,
    )
    assert (found["FPR"], found["FNR"]) == (0.5, 0.5)
    assert (found["Wrong answers"], found["Right answers"]) == (16, 16)
    regimes = row(regimes_table(EVERY))
    for name, share in (("All right", 0.25), ("Contested", 0.5), ("All wrong", 0.25)):
        assert regimes[f"{name}: share"] == share
        assert regimes[name] == 0.25
        assert regimes[f"{name}: rounds"] == 16 * share
    kinds = row(classes_table(EVERY))
    assert [kinds[k] for k in ("Win-win", "A only", "B only", "Loss-loss")] == [
        0.25
    ] * 4
    rounds = row(rounds_table(EVERY))
    # Of 12 rounds with a wrong answer: 3 of 4 verdicts on two, 2 of 4 on one.
    assert rounds["Wrong"] == rounds["Right"] == 12
    assert rounds["FPR by round"] == pytest.approx((3 + 2 + 2) / 12)
    assert rounds["FNR by round"] == pytest.approx((3 + 2 + 2) / 12)


def test_the_fpr_is_a_ratio_of_sums() -> None:
    items = made_items(
        "dual_debate",
        [Round("q1", "00", "11"), Round("q2", "10", "10"), Round("q3", "10", "10")],
    )
    found = row(formats_table(items), Format="Dual debate")
    assert found["FPR"] == 0.5  # 2 of 4; the mean of the rounds' rates is a third
    assert row(rounds_table(items))["FPR by round"] == pytest.approx(1 / 3)


def test_a_verdict_that_was_not_read_is_wrong_only_if_strict() -> None:
    found = row(formats_table(UNREAD), Format="Dual debate")
    assert (found["Accuracy"], found["Strict"]) == (1, 0.5)
    assert (found["Samples"], found["Not read"]) == (1, 1)
    regimes = row(regimes_table(UNREAD))
    assert (regimes["All right: share"], regimes["All right: rounds"]) == (1, 1)


@pytest.mark.parametrize(
    ("judge", "accuracy", "per_answer", "fpr", "fnr"),
    [
        ("Always correct", 0.25, 0.5, 1, 0),
        ("Always incorrect", 0.25, 0.5, 0, 1),
        ("Guessing at the base rate", 0.25, 0.5, 0.5, 0.5),
    ],
)
def test_judges_that_look_at_nothing(
    judge: str, accuracy: float, per_answer: float, fpr: float, fnr: float
) -> None:
    found = row(formats_table(EVERY), Format=f"{judge} (dual)")
    assert [found[k] for k in ("Accuracy", "Per answer", "FPR", "FNR")] == [
        *(accuracy, per_answer, fpr, fnr)
    ]


def test_guessing_at_an_uneven_base_rate() -> None:
    rounds = [Round("q1", "11", "11"), Round("q2", "10", "11")]
    again = made_items("dual_consultancy", rounds)
    items = joined(made_items("dual_debate", rounds), again)
    found = row(formats_table(items), Format="Guessing at the base rate (dual)")
    assert found["Samples"] == 2  # answers that formats share count once
    # Three of four right: both at .75 x .75, one at .75 x .25.
    assert found["Accuracy"] == pytest.approx((0.5625 + 0.1875) / 2)
    assert found["Per answer"] == pytest.approx((0.75 * 3 + 0.25) / 4)
    assert (found["FPR"], found["FNR"]) == (0.75, 0.25)


def test_epochs_of_a_question_widen_intervals() -> None:
    alone = made_items(
        "dual_debate", [Round(f"q{n}", "11", "1" + "01"[n % 2]) for n in range(12)]
    )
    same = [
        Round(f"q{n}", "11", "1" + "01"[n % 2], epoch=e)
        for n in range(4)
        for e in (1, 2, 3)
    ]
    wide, narrow = (
        row(formats_table(items), Format="Dual debate")
        for items in (made_items("dual_debate", same), alone)
    )
    assert wide["Accuracy"] == narrow["Accuracy"] == 0.5
    assert wide["Accuracy low"] < narrow["Accuracy low"]


def test_an_answer_alone_is_never_contested() -> None:
    single = made_items("single_debate", [Round("q1", "1", "0"), Round("q2", "0", "0")])
    found = regimes_table(single)
    assert found is not None
    assert "Contested" not in found.frame
    assert (row(found)["All right"], row(found)["All wrong"]) == (0, 1)
    kinds = row(classes_table(single))
    assert (kinds["Accepted"], kinds["Rejected"], kinds["All right"]) == (0, 1, 0.5)
    assert "Win-win" not in kinds
    both = classes_table(
        joined(single, made_items("dual_debate", [Round("q", "11", "11")]))
    )
    at = row(both, Format="Dual debate")
    assert (at["Win-win"], at["Loss-loss"]) == (1, 0)
    assert np.isnan(at["Accepted"])


def test_answers_in_all_variants() -> None:
    items = joined(
        made_items(
            "dual_debate",
            [
                Round("q1", "11", "10", judge_right=1),
                Round("q2", "10", "11", judge_right=0, identical=True),
                Round("q3", "01", "00", judge_right=0),
            ],
        ),
        made_items("direct_qa", [Round("q1", "1", ""), Round("q2", "0", "")]),
    )
    found = row(answers_table(items), Format="Dual debate")
    assert found["Proposed"] == pytest.approx(4 / 6)
    assert (found["A"], found["B"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert found["Accepted"] == pytest.approx((1 + 0.5) / 2)  # none in the third
    assert found["Judge's own"] == found["Identical"] == pytest.approx(1 / 3)
    assert found["Readable"] == 1
    alone = row(answers_table(items), Format="Direct QA")
    assert (alone["Judge's own"], alone["Samples"]) == (0.5, 2)
    assert pd.isna(alone["Proposed"])


def test_stances() -> None:
    rounds = [
        Round("q1", "1", "1", stance=1, stance_ruled=1),
        Round("q2", "1", "1", stance=0, stance_ruled=0),
        Round("q3", "0", "1", stance=1, stance_ruled=1),
        Round("q4", "0", "1"),
    ]
    found = row(stances_table(made_items("single_debate", rounds)))
    assert found["Agrees"] == found["Ruled right"] == pytest.approx(2 / 3)
    assert (found["Agrees if right"], found["Agrees if wrong"]) == (0.5, 1)
    assert found["Stance right"] == pytest.approx(1 / 3)
    assert found["Stances"] == 3
    assert stances_table(made_items("single_consultancy", rounds)) is None


def test_without_verdicts_there_are_no_tables() -> None:
    alone = made_items("direct_qa", [Round("q1", "1", "")])
    for made in (formats_table, regimes_table, rounds_table, classes_table):
        assert made(alone) is None


@pytest.mark.parametrize("protocol", ["single_debate", "direct_qa"])
def test_tables_have_the_columns_of_their_formats_alone(protocol: str) -> None:
    ruled = "1" if protocol == "single_debate" else ""
    items = made_items(protocol, [Round("q1", "1", ruled, stance=1)])
    made = (formats_table, regimes_table, rounds_table, classes_table)
    for found in (*(table(items) for table in made), answers_table(items)):
        assert found is None or laid_out(found).bodies[0].rows
