"""Verdicts, answers, biases of a judge of two answers, and figures, by hand."""

import warnings
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from inspect_debate.v1.reports.drawing import svg_text
from inspect_debate.v1.reports.elements import Figure
from inspect_debate.v1.reports.generative.tables import FIGURES, FLOOR
from inspect_debate.v1.reports.tables import laid_out
from tests.v1.reports.drawn import legend, marked, panels
from tests.v1.reports.generative.made import (
    QWEN,
    Round,
    data,
    joined,
    made_items,
    names,
    row,
    section,
    table,
    unscored,
    verdicts,
)

PAIRS = ("00", "01", "10", "11")
EVERY = made_items(
    "dual_debate", [Round(f"{c}-{v}", c, v) for c, v in product(PAIRS, PAIRS)]
)
"""Each of the 4 x 4 cells of truth and verdict once."""

UNREAD = made_items("dual_debate", [Round("q1", "11", "??"), Round("q2", "11", "11")])
ERRORS, PLACES = "Errors of verdicts", "Places, participants and “both correct”"


def test_the_sixteen_cells_of_a_dual_condition() -> None:
    found = row(EVERY, "formats", Condition="Dual debate")
    # One of four verdicts is right about both; each answer's is by half.
    rates = ("Accuracy", "Per answer", "Strict", "FPR", "FNR")
    assert [found[name] for name in rates] == [0.25, 0.5, 0.25, 0.5, 0.5]
    assert (found["Wrong answers"], found["Right answers"]) == (16, 16)
    regimes = row(EVERY, "regimes")
    for name, share in (("All right", 0.25), ("Contested", 0.5), ("All wrong", 0.25)):
        assert regimes[f"{name}: share"] == share
        assert regimes[name] == 0.25
        assert regimes[f"{name}: rounds"] == 16 * share
    kinds = row(EVERY, "verdict_classes")
    for name in ("Win-win", "A only", "B only", "Loss-loss"):
        assert kinds[name] == 0.25
    rounds = row(EVERY, "error_rounds")
    # Of 12 rounds with a wrong answer: 3 of 4 verdicts on two, 2 of 4 on one.
    assert rounds["Wrong"] == rounds["Right"] == 12
    assert rounds["FPR by round"] == pytest.approx((3 + 2 + 2) / 12)
    assert rounds["FNR by round"] == pytest.approx((3 + 2 + 2) / 12)


def test_the_fpr_is_a_ratio_of_sums() -> None:
    items = made_items(
        "dual_debate",
        [Round("q1", "00", "11"), Round("q2", "10", "10"), Round("q3", "10", "10")],
    )
    found = row(items, "formats", Condition="Dual debate")
    assert found["FPR"] == 0.5  # 2 of 4; the mean of the rounds' rates is a third
    assert row(items, "error_rounds")["FPR by round"] == pytest.approx(1 / 3)


def test_a_verdict_that_was_not_read_is_wrong_only_if_strict() -> None:
    found = row(UNREAD, "formats", Condition="Dual debate")
    assert (found["Accuracy"], found["Strict"]) == (1, 0.5)
    assert (found["Samples"], found["Not read"]) == (1, 1)
    regimes = row(UNREAD, "regimes")
    assert (regimes["All right: share"], regimes["All right: rounds"]) == (1, 1)


@pytest.mark.parametrize(
    ("judge", "rates"),
    [
        ("Always correct", [0.25, 0.5, 1, 0]),
        ("Always incorrect", [0.25, 0.5, 0, 1]),
        ("Guessing at the base rate", [0.25, 0.5, 0.5, 0.5]),
    ],
)
def test_judges_that_look_at_nothing(judge: str, rates: list[float]) -> None:
    found = row(EVERY, "formats", Condition=f"{judge} (dual)")
    columns = ("Accuracy", "Per answer", "FPR", "FNR")
    assert [found[name] for name in columns] == rates


def test_guessing_at_an_uneven_base_rate() -> None:
    rounds = [Round("q1", "11", "11"), Round("q2", "10", "11")]
    again = made_items("dual_consultancy", rounds)
    items = joined(made_items("dual_debate", rounds), again)
    found = row(items, "formats", Condition="Guessing at the base rate (dual)")
    assert found["Samples"] == 2  # answers that conditions share count once
    # Three of four right: both at .75 x .75, one at .75 x .25.
    assert found["Accuracy"] == pytest.approx((0.5625 + 0.1875) / 2)
    assert found["Per answer"] == pytest.approx((0.75 * 3 + 0.25) / 4)
    assert (found["FPR"], found["FNR"]) == (0.75, 0.25)


def test_epochs_of_a_question_widen_intervals() -> None:
    def rounds(questions: int, epochs: int) -> pd.DataFrame:
        made = [
            Round(f"q{n}", "11", "1" + "01"[n % 2], epoch=epoch)
            for n in range(questions)
            for epoch in range(epochs)
        ]
        return made_items("dual_debate", made)

    wide, narrow = (
        row(items, "formats", Condition="Dual debate")
        for items in (rounds(4, 3), rounds(12, 1))
    )
    assert wide["Accuracy"] == narrow["Accuracy"] == 0.5
    assert wide["Accuracy low"] < narrow["Accuracy low"]


def test_an_answer_alone_is_never_contested() -> None:
    single = made_items("single_debate", [Round("q1", "1", "0"), Round("q2", "0", "0")])
    found = row(single, "regimes")
    assert (found["All right"], found["All wrong"]) == (0, 1)
    assert "Contested" not in found
    kinds = row(single, "verdict_classes")
    assert (kinds["Accepted"], kinds["Rejected"], kinds["All right"]) == (0, 1, 0.5)
    assert "Win-win" not in kinds
    both = joined(single, made_items("dual_debate", [Round("q", "11", "11")]))
    at = row(both, "verdict_classes", Condition="Dual debate")
    assert (at["Win-win"], at["Loss-loss"]) == (1, 0)
    assert np.isnan(at["Accepted"])


def test_answers_in_all_variants() -> None:
    rounds = [
        Round("q1", "11", "10", judge_right=1),
        Round("q2", "10", "11", judge_right=0, identical=True),
        Round("q3", "01", "00", judge_right=0),
    ]
    items = joined(
        made_items("dual_debate", rounds),
        made_items("direct_qa", [Round("q1", "1", ""), Round("q2", "0", "")]),
    )
    found = row(items, "answers", Condition="Dual debate")
    assert found["Proposed"] == pytest.approx(4 / 6)
    assert (found["A"], found["B"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert found["Accepted"] == pytest.approx((1 + 0.5) / 2)  # none in the third
    assert found["Judge's own"] == found["Identical"] == pytest.approx(1 / 3)
    assert found["Readable"] == 1
    alone = row(items, "answers", Condition="Direct QA")
    assert (alone["Judge's own"], alone["Samples"]) == (0.5, 2)
    assert pd.isna(alone["Proposed"])


def test_stances() -> None:
    rounds = [
        Round("q1", "1", "1", stance=1, stance_ruled=1),
        Round("q2", "1", "1", stance=0, stance_ruled=0),
        Round("q3", "0", "1", stance=1, stance_ruled=1),
        Round("q4", "0", "1"),
    ]
    found = row(made_items("single_debate", rounds), "stances")
    assert found["Agrees"] == found["Ruled right"] == pytest.approx(2 / 3)
    assert (found["Agrees if right"], found["Agrees if wrong"]) == (0.5, 1)
    assert found["Stance right"] == pytest.approx(1 / 3)
    assert found["Stances"] == 3
    shown = section(made_items("single_consultancy", rounds), "Answers and stances")
    assert names(shown) == ["answers"]


@pytest.mark.parametrize(
    "items",
    [
        made_items("direct_qa", [Round("q1", "1", "")]),
        made_items("single_debate", [Round("q1", "1", "1", stance=1)]),
        unscored(verdicts("dual_debate", [1, 0]), 0, 1),
    ],
)
def test_tables_have_rows_and_columns_or_are_not_there(items: pd.DataFrame) -> None:
    judged = bool(items["proposers"].iloc[0])
    shown = section(items, ERRORS)
    tables = ["regimes", "error_rounds", "verdict_classes"]
    assert names(shown) == (tables if judged else [])
    ruled_on_two = items["scored"].all() and items["proposers"].iloc[0] == 2
    assert bool(section(items, PLACES)) == ruled_on_two
    for name in (*names(shown), "answers"):
        assert laid_out(table(items, name)).bodies[0].rows


# Biases of place, participant and order, and to call both answers correct.


def dual(*rounds: tuple[str, str, str], epochs: bool = False) -> pd.DataFrame:
    """Samples by truth, rulings and order, of a question each, or all of one."""
    made = [
        Round("q" if epochs else f"q{n}", right, ruled, n + 1 if epochs else 1, order)
        for n, (right, ruled, order) in enumerate(rounds)
    ]
    return made_items("dual_debate", made)


FIRST_WINS = (
    # Of equal worth, and the one listed first is called correct, whichever it is.
    *(("00", "10", "ab"), ("00", "01", "ba"), ("11", "10", "ab"), ("11", "01", "ba")),
    # One is right and ruled so; twice it is listed first.
    *(("10", "10", "ab"), ("01", "01", "ba"), ("10", "10", "ba")),
    ("11", "11", "ab"),
)


def test_the_first_place_and_the_participant_differ() -> None:
    found = row(dual(*FIRST_WINS), "places")
    assert found["Verdicts"] == 8
    assert (found["First"], found["Second"]) == (7 / 8, 2 / 8)
    assert found["First less second"] == pytest.approx(5 / 8)
    assert found["One-sided"] == 7 / 8
    assert found["First of these"] == pytest.approx(6 / 7)
    # Six against one: as McNemar's exact test, since each sample is its own question.
    assert found["First less second: p"] == pytest.approx(2 * (1 + 7) / 2**7)
    # Four of the five of equal worth; the fifth has both.
    assert found["Of equal worth"] == pytest.approx(4 / 5)
    assert found["Of equal worth: p"] == pytest.approx(2 / 2**4)
    # A: 10, 10, 10, 10 against B: 01, 01, 01.
    assert found["A less B"] == pytest.approx(1 / 8)
    assert found["A less B: p"] == 1
    swap = {"ab": "ba", "ba": "ab"}
    other = [(right, ruled, swap[order]) for right, ruled, order in FIRST_WINS]
    swapped = row(dual(*other), "places")
    assert (found["First"], found["Second"]) == (swapped["Second"], swapped["First"])
    assert found["First less second"] == -swapped["First less second"]
    assert found["A less B"] == swapped["A less B"]


def test_rulings_that_were_not_read_are_left_out() -> None:
    unread = (("00", "?1", "ab"), ("11", "??", "ba"), ("00", "11", "ab"))
    lost = unscored(dual(*FIRST_WINS, *unread), 10)
    assert row(lost, "places") == row(dual(*FIRST_WINS), "places")
    # Answers of unknown worth have places but are neither right nor wrong.
    items = dual(*FIRST_WINS, ("?0", "01", "ba"))
    assert row(items, "places")["Verdicts"] == 9
    assert row(items, "places")["Of equal worth"] == pytest.approx(4 / 5)
    assert row(items, "both_correct")["Verdicts"] == 8
    assert row(items, "orders")["Verdicts"] == 8


def test_epochs_of_a_question_are_no_evidence_of_their_own() -> None:
    rounds = [("00", "10", "ab")] * 6
    one_question = row(dual(*rounds, epochs=True), "places")
    assert one_question["First less second"] == 1
    assert one_question["First less second: p"] == 1
    assert row(dual(*rounds), "places")["First less second: p"] < 0.05


def test_accuracy_by_order() -> None:
    found = row(dual(*FIRST_WINS), "orders")
    # Listed first, A: 10/00, 10/11, 10/10 and 11/11; B: 01/00, 01/11, 01/01 and 10/10.
    assert found["A first"] == found["B first"] == 2 / 4
    assert found["A first less B first"] == 0
    assert found["A first less B first low"] < 0 < found["A first less B first high"]
    better = [("11", "11", "ab")] * 5 + [("11", "10", "ba")] * 5
    found = row(dual(*better, ("11", "10", "ab")), "orders")
    assert (found["A first"], found["B first"]) == (5 / 6, 0)
    assert found["A first less B first"] == 5 / 6
    assert found["A first less B first: p"] < 0.05
    found = row(dual(("11", "11", "ab"), ("11", "10", "ab")), "orders")
    assert found["A first"] == 0.5
    assert np.isnan([found["B first"], found["A first less B first"]]).all()


def test_what_changes_when_answers_swap_places() -> None:
    rounds = [
        # The first place makes an answer correct, both times.
        Round("q1", "10", "10", order="ab", swapped="01"),
        # So it does for B, while A is never.
        Round("q2", "01", "01", order="ba", swapped="00"),
        Round("q3", "11", "11", order="ab", swapped="11"),
        Round("q4", "00", "10", order="ba", swapped="00"),  # the second place
        Round("q5", "11", "11", order="ba", swapped="1?"),  # not read
    ]
    found = row(made_items("dual_consultancy", rounds), "both_orders")
    assert found["Samples"] == 4
    assert found["Rulings that change"] == 4 / 8
    assert found["Verdicts that change"] == 3 / 4
    assert (found["Right"], found["Right, swapped"]) == (3 / 4, 2 / 4)
    # 1, a half, 0 and minus a half.
    assert found["First less second"] == pytest.approx(1 / 4)
    one_order = section(dual(*FIRST_WINS), PLACES)
    assert names(one_order) == ["places", "orders", "both_correct"]


def test_win_win_against_both_right() -> None:
    rounds = [
        *[("11", "11", "ab")] * 3,
        *[("11", "10", "ab")] * 1,
        *[("10", "11", "ab")] * 4,
        *[("00", "11", "ab")] * 1,
        *[("00", "01", "ab")] * 1,
    ]
    found = row(dual(*rounds), "both_correct")
    assert (found["Win-win"], found["All are right"]) == (0.8, 0.4)
    assert found["Win-win less all right"] == pytest.approx(0.4)
    # Six samples differ, all but one for win-win.
    assert found["Win-win less all right: p"] == pytest.approx(2 * 7 / 2**6)
    assert found["All right"] == 7 / 8
    assert found["Contested: right"] == found["Contested: wrong"] == 1
    assert found["All wrong"] == 3 / 4
    # A is called correct in nine of ten, and so is B.
    assert found["Beyond independence"] == pytest.approx(0.8 - 0.81)
    # Given the truth: nothing among the first eight, as A always is, or both are;
    # of the last two A is called so in one, B in both.
    assert found["Within truth"] == pytest.approx(0)


def test_a_judge_that_rules_on_both_at_once() -> None:
    alike = dual(*[("00", of, "ab") for of in ("11", "00") for _ in range(5)])
    found = row(alike, "both_correct")
    for name in ("Beyond independence", "Within truth"):
        assert found[name] == pytest.approx(0.25)
        assert found[f"{name} low"] > 0.1
    # Answers that are right together are no bias.
    right = dual(*[(of, of, "ab") for of in ("11", "00") for _ in range(10)])
    found = row(right, "both_correct")
    assert found["Beyond independence"] == pytest.approx(0.25)
    assert found["Within truth"] == pytest.approx(0)
    assert found["Win-win less all right"] == 0


# Figures.

PLUS: dict[str, Any] = {"dataset": "bcb_plus", "version": "v1.0.2", "split": ""}
PANEL = "GPT-5-mini > GPT-5-nano, ARC-AGI-1"
"""Its title, before the number of questions."""

RULINGS = {
    "dual_debate": ["11", "10", "11", "01"],
    "dual_consultancy": ["11", "10", "00", "01"],
    "dual_no_transcript": ["11", "10", "00", "00"],
    "single_debate": ["1", "1", "1", "0"],
    "single_consultancy": ["1", "1", "0", "0"],
    "single_no_transcript": ["1", "0", "0", "0"],
}
"""Rulings on the answers 11, 10, 00 and 00, or on their first ones."""


def seven() -> pd.DataFrame:
    frames = []
    for protocol, rulings in RULINGS.items():
        rounds = [
            Round(f"q{n}", right[: len(ruled)], ruled)
            for n, (right, ruled) in enumerate(
                zip(("11", "10", "00", "00"), rulings, strict=True)
            )
        ]
        frames.append(made_items(protocol, rounds))
    alone = [Round(f"q{n}", right, "") for n, right in enumerate("1000")]
    return joined(*frames, made_items("direct_qa", alone))


def drawn(items: pd.DataFrame) -> dict[str, Figure]:
    shown = [item for plot in FIGURES for item in plot(data(items))]
    return {item.name: item for item in shown if isinstance(item, Figure)}


def figure(items: pd.DataFrame, name: str) -> Figure:
    return drawn(items)[f"figure_{name}"]


def bars(axes: Axes, count: int) -> list[list[float]]:
    """Heights by group from the left to the right, NaN where there is none."""
    found = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    placed = sorted(found, key=lambda bar: bar.get_x())
    tall = [round(float(bar.get_height()), 1) for bar in placed]
    return [tall[at : at + count] for at in range(0, len(tall), count)]


def groups(axes: Axes) -> list[str]:
    return [label.get_text().replace("\n", " ") for label in axes.get_xticklabels()]


def only(found: Figure) -> Axes:
    (axes,) = panels(found).values()
    return axes


def test_accuracy_of_seven_conditions() -> None:
    figures = drawn(seven())
    found = figures["figure_accuracy"]
    axes = only(found)
    assert list(panels(found)) == [f"{PANEL} (4 questions)"]
    assert groups(axes) == ["Dual", "Single"]
    assert bars(axes, 3) == [[50, 75, 100], [75, 100, 75]]
    # Direct QA is no bar.
    floor = next(line for line in axes.lines if line.get_linestyle() == "--")
    assert set(np.asarray(floor.get_ydata())) == {25}
    assert legend(found)[:4] == ["Debate", "Consultancy", "No transcript", FLOOR]
    # Of the dual answers five are wrong, of the single ones two.
    rates = only(figures["figure_fpr"])
    assert bars(rates, 3) == [[60, 20, 0], [50, 0, 0]]
    assert bars(only(figures["figure_fnr"]), 3) == [[0, 0, 0], [0, 0, 50]]
    # A bar without height is no empty place.
    unclipped = [line for line in rates.lines if not line.get_clip_on()]
    assert np.concatenate([line.get_ydata() for line in unclipped]).tolist() == [0] * 3
    regimes = only(figures["figure_regimes"])
    assert groups(regimes) == [
        *("Dual: all wrong", "Dual: contested", "Dual: all right"),
        *("Single: all wrong", "Single: all right"),
    ]
    assert bars(regimes, 3) == [
        *([0, 50, 100], [100, 100, 100], [100, 100, 100]),
        *([50, 100, 100], [100, 100, 50]),
    ]
    tiers = only(figures["figure_tiers"])
    assert groups(tiers)[:3] == ["Dual: hard", "Dual: medium", "Dual: easy"]
    # The answers 00 and 00, then 10, then 11.
    assert bars(tiers, 3)[:3] == [[0, 50, 100], [100, 100, 100], [100, 100, 100]]


def test_best_of_is_beside_the_first_speeches() -> None:
    chosen = verdicts("dual_debate", [1, 1, 1, 0], best_of=4)
    found = figure(joined(seven(), chosen), "accuracy")
    listed = ["Debate", "Debate, best of 4", "Consultancy", "No transcript"]
    assert legend(found)[:4] == listed
    both, single = bars(only(found), 4)
    assert both == [50, 75, 75, 100]
    # There is no single one: a dash instead.
    assert [single[0], *single[2:]] == [75, 100, 75]
    assert np.isnan(single[1])
    assert [text.get_text() for text in only(found).texts] == ["–"]


def test_families_have_a_panel_each_and_one_scale() -> None:
    long = "acme/a-debater-with-a-name-that-is-long > other/judge-of-another-house"
    frames = [seven(), verdicts("single_debate", [1, 1, 0], family=long)]
    found = figure(joined(*frames), "accuracy")
    one, two = panels(found).values()
    assert one.get_ylim() == two.get_ylim()
    assert groups(one) == groups(two) == ["Dual", "Single"]
    title = list(panels(found))[1].replace(" ", "")
    assert title.startswith(long.replace(" ", "")[:20])
    assert np.nansum(bars(two, 3)) == pytest.approx(66.7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert svg_text(found.figure).startswith("<svg")
    assert min(axes.get_position().width for axes in found.figure.axes) > 0.3


@pytest.mark.parametrize(
    "change",
    [
        *({"family": QWEN}, {"version": "2"}, {"variant": "order=ab"}),
        *({"dataset": "bcb"}, PLUS | {"version": "sample"}),
    ],
)
def test_published_values_are_not_those_of_others(change: dict[str, str]) -> None:
    found = figure(verdicts("single_debate", [1, 0]).assign(**change), "accuracy")
    assert not marked(only(found), "o", hollow=True)
    assert "published" not in legend(found)


def test_nothing_known_is_nothing_drawn() -> None:
    lost = unscored(verdicts("dual_debate", [1, 0], family=QWEN), 0, 1)
    found = drawn(joined(verdicts("dual_debate", [1, 0]), lost))
    assert list(panels(found["figure_accuracy"])) == [f"{PANEL} (2 questions)"]
    # All answers are right, so that nobody endorses a wrong one.
    assert "figure_fpr" not in found
    assert drawn(lost) == {}
    assert drawn(made_items("direct_qa", [Round("q1", "1", "")])) == {}
