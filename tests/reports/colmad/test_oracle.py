import math

import pandas as pd
import pytest
from matplotlib.patches import Rectangle

from inspect_debate.reports.colmad.comparisons import (
    detectors,
    gap_table,
    mean_ratios,
    oracle_table,
    ratios,
)
from inspect_debate.reports.colmad.figures import oracle_figures, protocol_figures
from inspect_debate.reports.colmad.frames import Arm
from inspect_debate.reports.elements import Figure
from tests.reports.made_scores import NONE, arm, scores

GOLD = {"a": 1, "b": 1, "c": 1, "d": 0, "e": 0}
ALWAYS = {id: (gold, 1.0) for id, gold in GOLD.items()}
NEVER = {id: (gold, 0.0) for id, gold in GOLD.items()}
# Both right on a, only A on b, only B on c, neither on d; A's answer on e is unread.
FIRST_A, FIRST_B = [1, 1, 0, 0, NONE], [1, 0, 1, 0, 1]


def debate(**columns: object) -> pd.DataFrame:
    ended = {"a": (1, 1), "b": (1, 1), "c": (1, 0), "d": (0, 0), "e": (0, 0)}
    return scores(
        ended,
        first_right_debater_a=FIRST_A,
        first_right_debater_b=FIRST_B,
        both_wrong_to_right=[NONE, NONE, NONE, 1, NONE],
        both_right_to_wrong=[0, NONE, NONE, NONE, NONE],
        **columns,
    )


def test_opposite_biases_fill_the_matrix_and_are_what_was_to_be_expected() -> None:
    found = detectors(
        [arm("single", scores(ALWAYS), "p/A"), arm("single", scores(NEVER), "p/N")]
    )
    table = oracle_table(found)
    assert table is not None
    (row,) = table.frame.to_dict("records")
    assert (row["Models"], row["Task"]) == ("A + N", "Mathematics")
    assert row["Errors of the better"] == 2
    assert row["Removed"] == 2
    assert row["Share (Eq. 4)"] == 1
    assert row["Corrected share"] == 0
    # Five coins, three of them on errors: by hand over the two binomials.
    chances = {0: 1 / 8, 1: 3 / 8, 2: 3 / 8, 3: 1 / 8}
    alarms = {0: 1 / 4, 1: 1 / 2, 2: 1 / 4}
    by_hand = sum(
        p * q * 2 * tp / (tp + fp + 3)
        for tp, p in chances.items()
        for fp, q in alarms.items()
    )
    assert row["Ensemble F1"] == pytest.approx(by_hand)


def test_first_answers_stand_in_where_a_model_has_no_run_of_its_own() -> None:
    held = arm("colmad", debate(), "p/A", "p/B", "p/A")
    found = detectors([arm("single", scores(ALWAYS), "p/A"), held])
    assert list(found) == ["p/A", "p/B"]
    assert list(found["p/A"]["prediction"]) == [1] * 5
    assert list(found["p/B"]["prediction"]) == [1, 0, 1, 1, 0]


def test_an_unread_first_answer_is_wrong_for_the_oracle() -> None:
    found = detectors([arm("colmad", debate(), "p/A", "p/B", "p/A")])
    table = oracle_table(found)
    assert table is not None
    (row,) = table.frame.to_dict("records")
    # A is wrong on c d e, B on b d: of B's two, A has b right.
    assert (row["Errors of the better"], row["Removed"]) == (2, 1)


def test_an_unread_partner_of_the_ensemble_says_no_error_and_a_coin_decides() -> None:
    said = {"a": (1, 1.0), "b": (1, 1.0), "c": (0, 1.0)}
    unread = {"a": (1, 1.0), "b": (1, NONE), "c": (0, NONE)}
    runs = [
        arm("single", scores(of), model) for model, of in (("A", said), ("B", unread))
    ]
    table = oracle_table(detectors(runs))
    assert table is not None
    (row,) = table.frame.to_dict("records")
    # a is a hit; b, a gold error, and c, none, are coins: F1 over the four tosses.
    tosses = [2 * tp / (tp + fp + 2) for tp in (1, 2) for fp in (0, 1)]
    assert row["Ensemble F1"] == pytest.approx(sum(tosses) / 4)


# By cell, of A and of B: how many of the four items, all errors, each has right.
CELLS = {
    ("gpt4", "math"): ((0, 0, 1, 1), (1, 1, 0, 0)),
    ("gpt4", "fact"): ((0, 0, 0, 1), (0, 0, 0, 1)),
    ("llama2", "math"): ((0, 1, 1, 1), (1, 0, 1, 1)),
}


def two_models() -> list[Arm]:
    parts: dict[str, list[pd.DataFrame]] = {"A": [], "B": []}
    for (author, subset), both in CELLS.items():
        for model, right in zip(parts, both, strict=True):
            said = {f"{author} {subset} {n}": (1, r) for n, r in enumerate(right)}
            cell = scores(said, subset=subset, response_author=author)
            parts[model].append(cell)
    return [arm("single", pd.concat(of), model) for model, of in parts.items()]


def test_equation_4_is_of_a_task_and_author_then_averaged() -> None:
    found = detectors(two_models())
    table = oracle_table(found)
    assert table is not None
    frame = table.frame.set_index(["Responses of", "Task"])["Share (Eq. 4)"]
    # By hand: both of B's two errors; none of three shared ones; the only one.
    assert frame["GPT-4"].to_dict() == {
        "Mathematics": 1,
        "Fact verification": 0,
        "Average": 1 / 2,
    }
    assert frame["Llama 2"].to_dict() == {"Mathematics": 1}
    # Pooled: A and B err 2 + 3 + 1 times, on 3 items both.
    (pooled,) = frame["Pooled, which the paper does not do"]
    assert pooled == pytest.approx(3 / 6)
    assert mean_ratios(found, "gpt4").loc["A", "B"] == 1 / 2


def test_figures_are_by_author_then_by_task_and_pooled_by_name() -> None:
    figures = oracle_figures(detectors(two_models()))
    drawn = {of.name: of for of in figures if isinstance(of, Figure)}
    assert list(drawn) == [
        "figure_2_gpt4",
        "figures_7_8_gpt4_math",
        "figures_7_8_gpt4_fact",
        "figure_2_llama2",
        "figures_7_8_llama2_math",
        "figure_2_pooled",
    ]
    numbers = {name: numbers_in(figure) for name, figure in drawn.items()}
    assert numbers["figure_2_gpt4"] == {"0.0", "50.0"}
    assert numbers["figures_7_8_gpt4_math"] == {"0.0", "100.0"}


def numbers_in(figure: Figure) -> set[str]:
    texts = (text.get_text() for axes in figure.figure.axes for text in axes.texts)
    return {text for text in texts if text[:1].isdigit()}


def test_figure_3_is_the_mean_over_tasks_and_pooled_by_name() -> None:
    math = scores({str(n): (1, n < 1) for n in range(2)}, debated=1.0)
    fact = scores({f"f{n}": (1, n < 6) for n in range(6)}, subset="fact", debated=1.0)
    held = arm("colmad", pd.concat([math, fact]), "A", "B", "A")
    drawn = [f for f in protocol_figures([held]) if isinstance(f, Figure)]
    assert [figure.name for figure in drawn] == ["figure_3_1_gpt4", "figure_3_1_pooled"]
    heights = [
        sorted(
            round(bar.get_height(), 1)
            for bar in figure.figure.axes[0].patches
            if isinstance(bar, Rectangle)
        )
        for figure in drawn
    ]
    # Recall 1/2 and 1, precision 1, F1 2/3 and 1; of all eight 7/8, 1 and 14/15.
    assert heights == [[75.0, 83.3, 100.0], [87.5, 93.3, 100.0]]


def test_each_pair_is_on_the_items_that_both_answered() -> None:
    few, none = scores({"a": (1, 1), "z": (1, 1)}), scores({"y": (1, 1)})
    single = [("A", scores(ALWAYS)), ("B", scores(NEVER)), ("C", few), ("D", none)]
    found = detectors([arm("single", rows, model) for model, rows in single])
    table = oracle_table(found)
    assert table is not None
    sizes = dict(zip(table.frame["Models"], table.frame["Samples"], strict=True))
    assert sizes == {"A + B": 5, "A + C": 1, "B + C": 1}
    assert "A + C (1)" in table.note
    assert "C + D (0)" in table.note
    matrix = ratios(found).astype(float).to_dict()
    assert matrix["A"]["B"] == matrix["B"]["A"] == 1
    assert math.isnan(matrix["A"]["D"])
    assert oracle_table(detectors([arm("single", few, "B")])) is None
    assert detectors([arm("judge_alone", few, None, None, "J")]) == {}


def test_what_a_debate_makes_of_first_answers() -> None:
    table = gap_table([arm("colmad", debate(), "A", "B", "A")])
    assert table is not None
    (row,) = table.frame.to_dict("records")
    # On a b c d: A right on 2, B on 2, the oracle on 3, the outcome on a b d.
    assert row["Samples"] == 4
    assert (row["First answer A"], row["Oracle"]) == (2 / 4, 3 / 4)
    assert row["Outcome"] == 3 / 4
    assert row["Gap closed"] == 1
    assert row["Both wrong, then right"] == 1
    assert row["Both right, then wrong"] == 0


def test_older_logs_without_first_answers_have_no_such_table() -> None:
    assert gap_table([arm("colmad", scores(ALWAYS), "A", "B", "A")]) is None
