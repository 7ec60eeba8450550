"""The report's tables on conditions made by hand, worked by hand."""

import numpy as np
import pandas as pd
import pytest

from inspect_debate.published.tables import paper_of
from inspect_debate.reports.calls import Calls
from inspect_debate.reports.colmad import data_notices
from inspect_debate.reports.colmad_conditions import Condition
from inspect_debate.reports.elements import Cell, Table
from tests.reports.made_scores import NONE, Said, condition, rows, scores, tables

# By hand: tp 1, fp 1, fn 1, and one gold error that was not read.
MATH = {"a": (1, 1), "b": (0, 1), "c": (1, 0), "d": (1, NONE)}
FACT = {"e": (1, 1), "f": (0, 0)}
ANSWERABILITY = {"g": (1, 0.5), "h": (0, 0)}


def samples(*parts: str) -> pd.DataFrame:
    said: dict[str, Said] = {
        "math": MATH,
        "fact": FACT,
        "answerability": ANSWERABILITY,
    }
    made = [scores(said[subset], subset=subset) for subset in parts or said]
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
        *("table_2", "table_2_cells"),
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


SAID = {"a": (1, 1), "b": (1, 0), "c": (1, 1), "d": (0, 0)}
WORK = {
    "debated": [1, 0, 1, 0],
    "calls": [7, 2, 9, 2],
    "tokens": [700, 200, 900, 200],
    "reused_calls": 1,
    "reused_tokens": 9,
}


def test_cost_per_item_and_per_debated_item() -> None:
    held = condition("colmad", scores(SAID, **WORK), "A", "B", "A")
    prices = {("run", id, 1): 0.5 for id in SAID}
    (row,) = rows(held, of="cost", calls=Calls({}, prices, []))
    assert row["Debated"] == 0.5
    assert (row["Calls"], row["Calls if debated"]) == (5, 8)
    assert (row["Tokens"], row["Tokens if debated"]) == (500, 800)
    assert (row["Calls reused"], row["Cost in USD"]) == (1, 0.5)


def test_samples_are_those_with_a_prediction() -> None:
    said = {**SAID, "e": (1, NONE)}
    found = rows(condition("single", scores(said), "A"), of="errors")
    row, theirs, always, *_ = found
    assert (row["Samples"], row["No prediction"]) == (4, pytest.approx(1 / 5))
    assert (row["Recall"], theirs["Recall"]) == pytest.approx((2 / 3, 2 / 4))
    assert theirs["Samples"] == 5
    assert (always["Samples"], always["No prediction"]) == (5, 0)


def test_debated_items_only_with_baselines_on_the_same_items() -> None:
    samples = scores(SAID, debated=[1, 1, 0, 1])
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
    both = scores(SAID, response_author=["gpt4", "gpt4", "llama2", "llama2"])
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
    samples = scores(SAID, categories=categories)
    table = tables(condition("single", samples, "A"))["categories"]
    row = table.frame.iloc[0]
    # The item without an error is in none.
    assert row["Context"] == 1 / 2
    assert row["Reasoning"] == 1
    assert row["no category"] == 1
    assert "Context 2, Reasoning 1, no category 1" in table.note
    assert not rows(condition("single", scores(SAID), "A"), of="categories")


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
    graded = condition("copmad", scores(SAID, **labels), "A", "B", "A")
    ungraded = condition("colmad", scores(SAID), "A", "B", "A")
    (row,) = rows(graded, ungraded, of="hacking")
    assert row["Graded speeches"] == 6
    assert row["Unreadable"] == pytest.approx(1 / 10)
    assert row["Refused"] == pytest.approx(3 / 10)
    assert row["Cut off"] == 0
    assert row["Fake evidence"] == pytest.approx(3 / 6)
    assert row["Overconfident"] == 0
    assert not rows(ungraded, of="hacking")
