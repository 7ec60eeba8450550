"""ColMAD's tables, comparisons, figures and notices on conditions by hand."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import Rectangle

from inspect_debate.published.tables import paper_of
from inspect_debate.reports.calls import Calls, call_notices
from inspect_debate.reports.colmad.comparisons import PARTS, main_debates
from inspect_debate.reports.colmad.conditions import Condition
from inspect_debate.reports.colmad.figures import on_shared
from inspect_debate.reports.colmad.measures import Data
from inspect_debate.reports.colmad.pairs import own_answers
from inspect_debate.reports.colmad.report import (
    data_notices,
    debated_notices,
    parts,
)
from inspect_debate.reports.elements import Cell, Figure, Notice, Table
from inspect_debate.reports.notices import judge_notices, self_notices
from tests.reports.made_scores import (
    NONE,
    Items,
    condition,
    figures,
    rows,
    scores,
    tables,
)

# By hand: tp 1, fp 1, fn 1, and one gold error that was not read.
MATH = {"a": (1, 1), "b": (0, 1), "c": (1, 0), "d": (1, NONE)}
FACT = {"e": (1, 1), "f": (0, 0)}
ANSWERABILITY = {"g": (1, 0.5), "h": (0, 0)}


def samples(*parts: str) -> pd.DataFrame:
    items: dict[str, Items] = {
        "math": MATH,
        "fact": FACT,
        "answerability": ANSWERABILITY,
    }
    made = [scores(items[subset], subset=subset) for subset in parts or items]
    return pd.concat(made, ignore_index=True)


def row(table: Table, protocol: str, source: str = "Runs reported here") -> pd.Series:
    frame = table.frame
    right = (frame["Source", ""] == source) & (frame["Protocol", ""] == protocol)
    return frame[right].iloc[0]


def made(*conditions: Condition, author: str = "gpt4") -> Table:
    return tables(*conditions)["table_1" if author == "gpt4" else "table_2"]


def test_our_cells_are_in_the_convention_of_the_published_ones() -> None:
    found = row(made(condition("ensemble", samples(), "A", "B")), "Ensemble")
    # Unread d is a false negative.
    assert found["Mathematics", "F1"] == pytest.approx(2 / (2 + 1 + 2))
    assert found["Mathematics", "F2"] == pytest.approx(5 / (5 + 1 + 4 * 2))
    # A coin: 1 or, without any prediction of error, 0 in this convention.
    assert found["Answerability", "F1"] == pytest.approx(1 / 2)
    assert found["Average", "F1"] == pytest.approx((2 / 5 + 1 + 1 / 2) / 3)


def test_without_a_subset_there_is_no_average() -> None:
    found = row(made(condition("single", samples("math", "fact"), "A")), "Single agent")
    assert found["Fact verification", "F1"] == 1
    assert found[["Answerability", "Average"]].isna().all()


def test_baselines_answer_the_items_of_all_conditions() -> None:
    table = made(
        condition("single", samples("math"), "A"),
        condition("single", samples("math", "fact"), "B"),
    )
    always = row(table, "Always error", "Without looking at the items")
    assert always["Mathematics", "F1"] == pytest.approx(2 * 3 / (2 * 3 + 1))
    assert always["Fact verification", "F2"] == pytest.approx(5 / (5 + 1))
    never = row(table, "Always no error", "Without looking at the items")
    assert never["Mathematics", "F1"] == 0


def test_the_published_rows_follow_as_printed_with_their_flags() -> None:
    table = made(condition("single", samples(), "A"))
    printed = table.frame[table.frame["Source", ""] == "As printed in the paper"]
    assert len(printed) == len(paper_of("colmad").tables["table_1"].rows)
    human = row(table, "Experts", "As printed in the paper")
    assert human["Mathematics", "F1"] == 0.9
    assert table.formats["Mathematics", "F1"](human["Mathematics", "F1"]) == "90.00"
    first = printed.index[0]
    assert "swapped" in table.marks[Cell(first, ("Average", "F1"))]
    assert Cell(first) not in table.marks
    whole_rows = [cell for cell in table.marks if cell.column is None]
    protocols = table.frame["Protocol", ""].iloc[[cell.row for cell in whole_rows]]
    assert list(protocols) == ["CopMAD"] * 7


def test_each_author_has_a_table_and_an_absent_one_has_none() -> None:
    of_llama = samples().assign(response_author="llama2")
    found = tables(condition("single", of_llama, "A"))
    assert [name for name in found if name.startswith(("table_1", "table_2"))] == [
        *("table_2", "table_2_cells")
    ]


def cell(table: Table, score: str, convention: str) -> pd.Series:
    frame = table.frame
    right = (frame["Score"] == score) & frame["Unreadable"].str.startswith(convention)
    return frame[right].iloc[0]


def test_cells_are_in_both_conventions() -> None:
    table = tables(condition("single", samples(), "A"))["table_1_cells"]
    f1, f2 = (cell(table, score, "left out") for score in ("F1", "F2"))
    assert f1["Mathematics"] == pytest.approx(2 / (2 + 1 + 1))
    assert f2["Mathematics"] == pytest.approx(5 / (5 + 1 + 4))
    assert f1["Mathematics low"] < f1["Mathematics"] < f1["Mathematics high"]
    # The coin counts half: tp 1/2, fn 1/2.
    assert f1["Answerability"] == pytest.approx(2 * 0.5 / (2 * 0.5 + 0.5))
    assert f1["Average"] == pytest.approx((1 / 2 + 1 + 2 / 3) / 3)
    assert f1["No prediction"] == pytest.approx(1 / 8)
    # Unread d is a miss, and wrong.
    by_hand = {"F1": 2 / 5, "F2": 5 / 14, "Precision": 1 / 2, "Recall": 1 / 3}
    by_hand |= {"Accuracy": 1 / 4, "Predicted errors": 2 / 4}
    for score, value in by_hand.items():
        theirs = cell(table, score, "as no error")
        assert theirs["Mathematics"] == pytest.approx(value), score
        assert np.isnan(theirs["Mathematics low"])
    printed = row(made(condition("single", samples(), "A")), "Single agent")
    theirs = cell(table, "F1", "as no error")
    assert theirs["Average"] == pytest.approx(printed["Average", "F1"])


def test_a_task_without_items_has_no_cell_in_either_convention() -> None:
    found = tables(condition("single", samples("math"), "A"))
    table = found["table_1_cells"]
    assert table.frame[["Answerability", "Average"]].isna().all(axis=None)


def test_conditions_on_a_part_of_the_released_data_are_reported() -> None:
    made_up = condition("single", samples().assign(data="sample"), "A")
    part = condition("single", samples(), "B")
    whole = condition("single", scores({str(n): (1, 1) for n in range(420)}), "C")
    (small,) = data_notices([made_up, part, whole])
    assert "\n- 8 of 420 items with responses of GPT-4: Single agent (B)" in small.text
    assert list(data_notices([whole])) == []


ITEMS = {"a": (1, 1), "b": (1, 0), "c": (1, 1), "d": (0, 0)}
WORK = {
    "debated": [1, 0, 1, 0],
    "calls": [7, 2, 9, 2],
    "tokens": [700, 200, 900, 200],
    "reused_calls": 1,
    "reused_tokens": 9,
}


def test_cost_per_item_and_per_debated_item() -> None:
    run = condition("colmad", scores(ITEMS, **WORK), "A", "B", "A")
    prices = {("run", id, 1): 0.5 for id in ITEMS}
    (row,) = rows(run, of="cost", calls=Calls({}, prices, []))
    assert row["Debated"] == 0.5
    assert (row["Calls"], row["Calls if debated"]) == (5, 8)
    assert (row["Tokens"], row["Tokens if debated"]) == (500, 800)
    assert (row["Calls reused"], row["Cost in USD"]) == (1, 0.5)


def test_samples_are_those_with_a_prediction() -> None:
    items = {**ITEMS, "e": (1, NONE)}
    found = rows(condition("single", scores(items), "A"), of="errors")
    row, theirs, always, *_ = found
    assert (row["Samples"], row["No prediction"]) == (4, pytest.approx(1 / 5))
    assert (row["Recall"], theirs["Recall"]) == pytest.approx((2 / 3, 2 / 4))
    assert theirs["Samples"] == 5
    assert (always["Samples"], always["No prediction"]) == (5, 0)


def test_debated_items_only_with_baselines_on_the_same_items() -> None:
    samples = scores(ITEMS, debated=[1, 1, 0, 1])
    short = condition("colmad", samples, "A", "B", "A")
    full = condition("copmad", samples, "A", "B", "A")
    found = rows(short, full, of="debated")
    row, _, always, *_ = found
    # By hand: tp 1, fn 1, tn 1; always: tp 2, fp 1.
    assert (row["Samples"], row["Recall"]) == (3, 1 / 2)
    assert row["Accuracy"] == pytest.approx(2 / 3)
    assert always["Precision"] == pytest.approx(2 / 3)
    assert len(found) == 5
    assert not rows(full, of="debated")


def test_a_condition_appears_only_where_it_has_all_authors() -> None:
    both = scores(ITEMS, response_author=["gpt4", "gpt4", "llama2", "llama2"])
    one = scores({"a": (1, 1), "e": (0, 1)})
    frame = tables(condition("single", both, "A"), condition("single", one, "B"))[
        "errors"
    ].frame
    appears = frame.groupby("Models")["Responses of"].agg(list)
    assert appears["A"][::2] == ["GPT-4", "Llama 2", "GPT-4 and Llama 2"]
    assert appears["B"] == ["GPT-4"] * 2
    # The baselines of "both" answer the five items of either condition.
    always = frame[frame["Protocol"] == "Always error"]
    assert list(always["Samples"]) == [3, 2, 5]
    assert always["Precision"].iloc[-1] == pytest.approx(3 / 5)


def test_an_error_of_several_categories_counts_in_each() -> None:
    categories = ["Reasoning; Context", "Context", "", "Context"]
    samples = scores(ITEMS, categories=categories)
    table = tables(condition("single", samples, "A"))["categories"]
    row = table.frame.iloc[0]
    # The item without an error is in none.
    assert row["Context"] == 1 / 2
    assert row["Reasoning"] == 1
    assert row["no category"] == 1
    assert "Context 2, Reasoning 1, no category 1" in table.note
    assert not rows(condition("single", scores(ITEMS), "A"), of="categories")


def test_shares_of_graded_speeches() -> None:
    labels = {
        "graded_speeches": [4, 2, NONE, 0],
        "fake_evidence": [1, 2, NONE, 0],
        "overconfident": [0, 0, NONE, 0],
        "fallacious": [4, 2, NONE, 0],
        "hacked": [4, 2, NONE, 0],
        "hacking_unparsed": [0, 1, NONE, 0],
        "hacking_refused": [0, 0, NONE, 3],
        "hacking_truncated": [0, 0, NONE, 0],
    }
    graded = condition("copmad", scores(ITEMS, **labels), "A", "B", "A")
    ungraded = condition("colmad", scores(ITEMS), "A", "B", "A")
    (row,) = rows(graded, ungraded, of="hacking")
    assert row["Graded speeches"] == 6
    assert row["Unreadable"] == pytest.approx(1 / 10)
    assert row["Refused"] == pytest.approx(3 / 10)
    assert row["Cut off"] == 0
    assert row["Fake evidence"] == pytest.approx(3 / 6)
    assert row["Overconfident"] == 0
    assert not rows(ungraded, of="hacking")


# What models could gain from each other, and the figures, on conditions by hand.


FIGURES = {
    "figure_2": "oracle_figures",
    "figure_3": "protocol_figures",
    "figure_5a": "judge_figures",
    "figure_5b": "figure_5b",
    "figure_6": "rounds_figures",
}
"""By the beginnings of their names, what draws them."""


def drawn_as(name: str, *conditions: Condition) -> list[Figure]:
    found = figures(*conditions, of=FIGURES[name])
    return [item for item in found if isinstance(item, Figure)]


def noticed(name: str, *conditions: Condition) -> str:
    (found,) = figures(*conditions, of=FIGURES[name])
    assert isinstance(found, Notice)
    return found.text


def numbers_in(figure: Figure) -> set[str]:
    texts = (text.get_text() for axes in figure.figure.axes for text in axes.texts)
    return {text for text in texts if text[:1].isdigit()}


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
    always = condition("single", scores(ALWAYS), "p/A")
    never = condition("single", scores(NEVER), "p/N")
    (row,) = rows(always, never, of="oracle")
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
    run = condition("colmad", debate(), "p/A", "p/B", "p/A")
    found = own_answers([condition("single", scores(ALWAYS), "p/A"), run])
    assert list(found) == ["p/A", "p/B"]
    assert list(found["p/A"]["prediction"]) == [1] * 5
    assert list(found["p/B"]["prediction"]) == [1, 0, 1, 1, 0]


def test_an_unread_first_answer_is_wrong_for_the_oracle() -> None:
    (row,) = rows(condition("colmad", debate(), "p/A", "p/B", "p/A"), of="oracle")
    # A is wrong on c d e, B on b d: of B's two, A has b right.
    assert (row["Errors of the better"], row["Removed"]) == (2, 1)


def test_an_unread_partner_of_the_ensemble_says_no_error_and_a_coin_decides() -> None:
    items = {"a": (1, 1.0), "b": (1, 1.0), "c": (0, 1.0)}
    unread = {"a": (1, 1.0), "b": (1, NONE), "c": (0, NONE)}
    runs = [
        condition("single", scores(of), model)
        for model, of in (("A", items), ("B", unread))
    ]
    (row,) = rows(*runs, of="oracle")
    # a is a hit; b, a gold error, and c, none, are coins: F1 over the four tosses.
    tosses = [2 * tp / (tp + fp + 2) for tp in (1, 2) for fp in (0, 1)]
    assert row["Ensemble F1"] == pytest.approx(sum(tosses) / 4)


# By cell, of A and of B: how many of the four items, all errors, each has right.
CELLS = {
    ("gpt4", "math"): ((0, 0, 1, 1), (1, 1, 0, 0)),
    ("gpt4", "fact"): ((0, 0, 0, 1), (0, 0, 0, 1)),
    ("llama2", "math"): ((0, 1, 1, 1), (1, 0, 1, 1)),
}


def two_models() -> list[Condition]:
    parts: dict[str, list[pd.DataFrame]] = {"A": [], "B": []}
    for (author, subset), both in CELLS.items():
        for model, right in zip(parts, both, strict=True):
            items = {f"{author} {subset} {n}": (1, r) for n, r in enumerate(right)}
            cell = scores(items, subset=subset, response_author=author)
            parts[model].append(cell)
    return [condition("single", pd.concat(of), model) for model, of in parts.items()]


def test_equation_4_is_of_a_task_and_author_then_averaged() -> None:
    frame = tables(*two_models())["oracle"].frame
    shares = frame.set_index(["Responses of", "Task"])["Share (Eq. 4)"]
    # By hand: both of B's two errors; none of three shared ones; the only one.
    assert shares["GPT-4"].to_dict() == {
        "Mathematics": 1,
        "Fact verification": 0,
        "Average": 1 / 2,
    }
    assert shares["Llama 2"].to_dict() == {"Mathematics": 1}
    # Pooled: A and B err 2 + 3 + 1 times, on 3 items both.
    (pooled,) = shares["Pooled, which the paper does not do"]
    assert pooled == pytest.approx(3 / 6)


def test_figures_are_by_author_then_by_task_and_pooled_by_name() -> None:
    drawn = {of.name: of for of in drawn_as("figure_2", *two_models())}
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


def test_figure_3_is_the_mean_over_tasks_and_pooled_by_name() -> None:
    math = scores({str(n): (1, n < 1) for n in range(2)}, debated=1.0)
    fact = scores({f"f{n}": (1, n < 6) for n in range(6)}, subset="fact", debated=1.0)
    run = condition("colmad", pd.concat([math, fact]), "A", "B", "A")
    drawn = drawn_as("figure_3", run)
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
    runs = [condition("single", of, model) for model, of in single]
    found = rows(*runs, of="oracle")
    sizes = {row["Models"]: row["Samples"] for row in found}
    assert sizes == {"A + B": 5, "A + C": 1, "B + C": 1}
    matrix, *_ = drawn_as("figure_2", *runs)
    texts = [text.get_text() for axes in matrix.figure.axes for text in axes.texts]
    # A with B, either way; nothing is known of D with A, B, C, and of C, always right.
    assert texts.count("100.0") == 2
    assert not rows(condition("single", few, "B"), of="oracle")
    assert own_answers([condition("judge_alone", few, None, None, "J")]) == {}


def test_what_a_debate_makes_of_first_answers() -> None:
    (row,) = rows(condition("colmad", debate(), "A", "B", "A"), of="gap")
    # On a b c d: A right on 2, B on 2, the oracle on 3, the outcome on a b d.
    assert row["Samples"] == 4
    assert (row["First answer A"], row["Oracle"]) == (2 / 4, 3 / 4)
    assert row["Outcome"] == 3 / 4
    assert row["Gap closed"] == 1
    assert row["Both wrong, then right"] == 1
    assert row["Both right, then wrong"] == 0


def test_older_logs_without_first_answers_have_no_such_table() -> None:
    assert not rows(condition("colmad", scores(ALWAYS), "A", "B", "A"), of="gap")


def test_the_matrix_of_judges_takes_the_published_rounds() -> None:
    always = scores({id: (gold, 1) for id, (gold, _) in ITEMS.items()})
    conditions = [
        condition("single", scores(ITEMS), "A"),
        condition("colmad", always, "A", "B", "A", details="1 round", rounds=1),
        condition("colmad", scores(ITEMS), "A", "B", "A"),
        condition("colmad", always, "A", "B", "J", details="judged by J"),
    ]
    (drawn,) = drawn_as("figure_5a", *conditions)
    # F2 of A alone and of the debate with two rounds, both 10 / 14.
    assert numbers_in(drawn) == {"71.4"}
    assert "Figure 5a needs" in noticed("figure_5a", conditions[0], conditions[3])


def test_a_figure_is_on_what_all_its_conditions_share() -> None:
    alone = scores({**ITEMS, "e": (1, 0)})  # e would lower its F2
    elsewhere = scores({"x": (1, 1)})
    (drawn,) = drawn_as(
        "figure_5a",
        condition("single", alone, "A"),
        condition("single", elsewhere, "B"),
        condition("colmad", scores(ITEMS), "A", "B", "A"),
    )
    assert numbers_in(drawn) == {"71.4"}
    assert "On the 4 samples" in drawn.note
    assert "(without Single agent (B), which shares none of them)" in drawn.note


def test_alignment_is_drawn_where_it_was_graded() -> None:
    graded = scores(
        ITEMS,
        aligned=[1, NONE, 0, NONE],
        alignment_no_explanation=[0, 1, 0, 0],
        alignment_unparsed=[0, 0, 0, 1],
        alignment_refused=[0, 0, 0, 1],
        alignment_truncated=0,
    )
    (drawn,) = drawn_as("figure_5b", condition("single", graded, "A"))
    assert "n = 2, and 1 without a human explanation, 2 unreadable" in drawn.note
    ungraded = condition("single", scores(ITEMS), "A")
    assert "Figure 5b needs" in noticed("figure_5b", ungraded)


SAMPLES = scores({"a": (1, 1), "b": (0, 0), "c": (1, 0)})
TRIO = ("A", "B", "A")


def of_trio(
    protocol: str, *people: str | None, title: str = "", **parameters: object
) -> Condition:
    return condition(protocol, SAMPLES, *people, details=title, **parameters)


COLMAD = of_trio("colmad", *TRIO)
OPENINGS = of_trio("colmad", *TRIO, title="0 rounds", rounds=0)
FULL = of_trio("colmad", *TRIO, title="no skip on agreement", skip_if_agree=False)
COPMAD = of_trio("copmad", *TRIO)
SHOWN = of_trio("copmad", *TRIO, title="shown", show_openings=True)
SHORT = of_trio(
    "copmad", *TRIO, title="skip on agreement", skip_if_agree=True, show_openings=True
)


def compared(*conditions: Condition) -> list[tuple[str, str]]:
    """Each comparison with the first words of its question."""
    found = rows(*conditions, of="comparisons_accuracy")
    assert len(rows(*conditions, of="comparisons_f")) == len(found)
    return [(row["Question"][:13], row["Compared"]) for row in found]


@pytest.mark.parametrize(
    ("other", "question", "label"),
    [
        (OPENINGS, "What do the s", "ColMAD − ColMAD, 0 rounds"),
        (
            of_trio("judge_alone", None, None, "A"),
            "Is it better ",
            "ColMAD − Judge alone (A)",
        ),
        (of_trio("single", "A"), "Is it better ", "ColMAD − Single agent (A)"),
        (of_trio("single", "B"), "Is it better ", "ColMAD − Single agent (B)"),
        (
            of_trio("self_consistency", "B"),
            "Is it better ",
            "ColMAD − Self-consistency (B)",
        ),
        (of_trio("ensemble", "B", "A"), "Is it better ", "ColMAD − Ensemble (B + A)"),
        (of_trio("som", "A", "B"), "Is it better ", "ColMAD − Society of Minds"),
        (SHORT, "Collaboration", "ColMAD − CopMAD, skip on agreement"),
        (COPMAD, "Collaboration", "ColMAD − CopMAD"),
        (SHOWN, "Collaboration", "ColMAD − CopMAD, shown"),
        (FULL, "What does ski", "ColMAD − ColMAD, no skip on agreement"),
    ],
)
def test_a_debate_is_compared_with_what_it_is_to_improve_on(
    other: Condition, question: str, label: str
) -> None:
    assert compared(other, COLMAD) == [(question, label)]


@pytest.mark.parametrize(
    "other",
    [
        of_trio("single", "C"),
        of_trio("judge_alone", None, None, "B"),
        of_trio("ensemble", "A", "C"),
        of_trio("colmad", "A", "B", "J", rounds=0),
        of_trio("colmad", *TRIO, rounds=0, word_limit=100),
        of_trio("copmad", "B", "A", "B"),
    ],
)
def test_other_people_and_settings_are_not_compared(other: Condition) -> None:
    assert compared(other, COLMAD) == []


def test_the_four_combinations_of_the_short_cut() -> None:
    found = compared(SHOWN, SHORT, COLMAD, FULL)
    labels = [label for question, label in found if question == "Collaboration"]
    assert labels == [
        "ColMAD − CopMAD, skip on agreement",
        "ColMAD, no skip on agreement − CopMAD, shown",
        "ColMAD − CopMAD, shown",
        "ColMAD, no skip on agreement − CopMAD, skip on agreement",
    ]
    all = rows(SHOWN, SHORT, COLMAD, FULL, of="comparisons_f")
    assert sum("confounded" in row["Question"] for row in all) == 2


def test_debates_that_differ_in_rounds_alone_are_a_line() -> None:
    drawn = drawn_as("figure_6", OPENINGS, COLMAD, FULL)
    assert [of.name for of in drawn] == ["figure_6_f1_gpt4", "figure_6_f2_gpt4"]
    line, *_ = drawn[0].figure.axes[0].lines
    assert np.asarray(line.get_xdata()).tolist() == [0, 2]
    assert "Figure 6 needs" in noticed("figure_6", COLMAD, FULL)


def test_showing_first_answers_is_compared_by_itself() -> None:
    assert compared(COPMAD, SHOWN) == [("What does it ", "CopMAD, shown − CopMAD")]
    assert ("Collaboration", "ColMAD, no skip on agreement − CopMAD") not in compared(
        FULL, COPMAD
    )


def test_other_protocols_stand_against_the_debate_as_published() -> None:
    single, one_round = of_trio("single", "A"), of_trio("colmad", *TRIO, rounds=1)
    assert main_debates([COLMAD, one_round, FULL]) == [COLMAD]
    assert main_debates([one_round, COPMAD]) == [one_round, COPMAD]
    against_single = [c for c in compared(single, COLMAD, FULL) if "Single" in c[1]]
    assert against_single == [("Is it better ", "ColMAD − Single agent (A)")]


def test_debates_without_a_run_that_shows_what_speeches_add_are_named() -> None:
    (part,) = (part for part in PARTS if part.title == "Paired comparisons")
    assert part.section(Data([COLMAD, OPENINGS])).text == ""
    only_hidden = part.section(Data([COPMAD])).text
    assert "None of the conditions is a debate" in only_hidden
    assert "-T rounds=0" not in only_hidden
    text = part.section(Data([COLMAD, OPENINGS, SHORT])).text
    assert "`-T rounds=0 -T reuse=LOG -T reuse_until=answers`" in text
    assert text.endswith(":\n\n- CopMAD, skip on agreement (A + B)")


def test_conditions_are_restricted_to_samples_that_all_predict() -> None:
    unread = scores({"a": (1, 1), "b": (0, NONE), "d": (1, 1)})
    twice = pd.concat([SAMPLES, SAMPLES.assign(epoch=2)], ignore_index=True)
    changed = SAMPLES.assign(input_group="another input")
    made_of = zip("ABCD", (SAMPLES, unread, twice, changed), strict=True)
    frames = [frame.assign(Condition=name) for name, frame in made_of]
    found, words = on_shared(pd.concat(frames, ignore_index=True))
    assert {name: list(of["id"]) for name, of in found.items()} == {
        name: ["a"] for name in "ABC"
    }
    assert "the 1 sample that all conditions predict (without D," in words


JUDGED = {"a": (1, 1), "b": (0, 0), "c": (1, NONE), "d": (0, 1)}
READ: dict[str, Any] = {
    **{"answer_ok": 2, "answer_unparsed": 0, "answer_refused": 0},
    **{"answer_truncated": 0, "verdict_ok": [1, 1, 0, 0]},
    **{"verdict_unparsed": [0, 0, 1, 0], "shown_first": [1, 0, 0, 0]},
}


def judged(*people: str, **columns: object) -> Condition:
    samples = scores(JUDGED, **READ | {"debated": [1, 1, 1, 0]} | columns)
    return condition("colmad", samples, *(people or ("A", "B", "A")))


def test_orders_agree_where_both_were_judged_and_read() -> None:
    orders = {"prediction_ab": [1, 0, 1, NONE], "prediction_ba": [1, 1, 1, 1]}
    (part,) = parts([judged(**orders, verdicts=[2, 2, 0, 2])])
    agree = part.samples["orders_agree"].tolist()
    assert agree == pytest.approx([1, 0, NONE, NONE], nan_ok=True)


def test_debated_share_and_a_judge_that_debates_are_named() -> None:
    (run,) = debated_notices([judged()])
    assert "75% ColMAD (A + B)" in run.text
    assert not list(debated_notices([condition("single", scores(JUDGED), "A")]))
    (judge,) = judge_notices(parts([judged()]))
    assert judge.text.endswith("- ColMAD (A + B)")
    assert not list(judge_notices(parts([judged("A", "B", "J")])))
    (alone,) = self_notices(parts([judged("A", "A", "J")]))
    assert "debates itself" in alone.text
    unknown = condition("colmad", scores(JUDGED), None, None, "J")
    assert not list(self_notices(parts([judged(), unknown])))


def test_a_replaced_row_is_not_in_the_price() -> None:
    mixed = condition("single", scores(JUDGED, run=["new", "old", "old", "old"]), "A")
    prices = {("old", id, 1): 1.0 for id in JUDGED} | {("new", "a", 1): 3.0}
    (row,) = rows(mixed, of="cost", calls=Calls({}, prices, []))
    assert row["Cost in USD"] == (3 + 1 + 1 + 1) / 4


@pytest.mark.parametrize(
    ("served", "text"),
    [
        ({("openai/gpt-4o-mini", "gpt-4o-mini-2024-07-18"): 9}, ""),
        ({("simulated/balanced", "balanced"): 9}, ""),
        ({("openai/gpt-4o-mini", "gpt-5"): 9}, "served as gpt-5."),
        ({("p/x", "x-1"): 3, ("p/x", "x-2"): 1}, "served as x-1, x-2."),
    ],
)
def test_models_of_another_name_are_named(
    served: dict[tuple[str, str], int], text: str
) -> None:
    texts = [notice.text for notice in call_notices(Calls(served, {}, []))]
    assert len(texts) == bool(text)
    assert all(text in found for found in texts)
