import numpy as np
import pandas as pd
import pytest

from inspect_debate.published.printed import colmad_tables
from inspect_debate.reports.colmad.frames import Arm
from inspect_debate.reports.colmad.tables import cells_table, data_notices, paper_table
from inspect_debate.reports.elements import Cell, Table
from tests.reports.made_scores import NONE, Said, arm, scores

# By hand: tp 1, fp 1, fn 1, and one gold error that was not read.
MATH = {"a": (1, 1), "b": (0, 1), "c": (1, 0), "d": (1, NONE)}
FACT = {"e": (1, 1), "f": (0, 0)}
ANSWERABILITY = {"g": (1, 0.5), "h": (0, 0)}


def rows(*parts: str) -> pd.DataFrame:
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


def made(*arms: Arm, author: str = "gpt4") -> Table:
    table = paper_table(author, arms)
    assert table is not None
    return table


def test_our_cells_are_in_the_convention_of_the_published_ones() -> None:
    found = row(made(arm("ensemble", rows(), "A", "B")), "Ensemble")
    # Unread d is a false negative.
    assert found["Mathematics", "F1"] == pytest.approx(2 / (2 + 1 + 2))
    assert found["Mathematics", "F2"] == pytest.approx(5 / (5 + 1 + 4 * 2))
    # A coin: 1 or, without any prediction of error, 0 in this convention.
    assert found["Answerability", "F1"] == pytest.approx(1 / 2)
    assert found["Average", "F1"] == pytest.approx((2 / 5 + 1 + 1 / 2) / 3)


def test_without_a_subset_there_is_no_average() -> None:
    found = row(made(arm("single", rows("math", "fact"), "A")), "Single agent")
    assert found["Fact verification", "F1"] == 1
    assert found[["Answerability", "Average"]].isna().all()


def test_baselines_answer_the_items_of_all_arms() -> None:
    table = made(
        arm("single", rows("math"), "A"), arm("single", rows("math", "fact"), "B")
    )
    always = row(table, "Always error", "Without looking at the items")
    assert always["Mathematics", "F1"] == pytest.approx(2 * 3 / (2 * 3 + 1))
    assert always["Fact verification", "F2"] == pytest.approx(5 / (5 + 1))
    never = row(table, "Always no error", "Without looking at the items")
    assert never["Mathematics", "F1"] == 0


def test_the_published_rows_follow_as_printed_with_their_flags() -> None:
    table = made(arm("single", rows(), "A"))
    printed = table.frame[table.frame["Source", ""] == "As printed in the paper"]
    assert len(printed) == len(colmad_tables().gpt4)
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
    of_llama = rows().assign(response_author="llama2")
    arms = [arm("single", of_llama, "A")]
    assert paper_table("gpt4", arms) is None
    assert cells_table("gpt4", arms) is None
    assert made(*arms, author="llama2").name == "table_2"


def cell(table: Table, score: str, convention: str) -> pd.Series:
    frame = table.frame
    right = (frame["Score"] == score) & frame["Unreadable"].str.startswith(convention)
    return frame[right].iloc[0]


def test_cells_are_in_both_conventions() -> None:
    table = cells_table("gpt4", [arm("single", rows(), "A")])
    assert table is not None
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
        theirs = cell(table, score, "as ReaLMistake's")
        assert theirs["Mathematics"] == pytest.approx(value), score
        assert np.isnan(theirs["Mathematics low"])
    printed = row(made(arm("single", rows(), "A")), "Single agent")
    theirs = cell(table, "F1", "as ReaLMistake's")
    assert theirs["Average"] == pytest.approx(printed["Average", "F1"])


def test_a_task_without_items_has_no_cell_in_either_convention() -> None:
    table = cells_table("gpt4", [arm("single", rows("math"), "A")])
    assert table is not None
    assert table.frame[["Answerability", "Average"]].isna().all(axis=None)


def test_what_is_not_on_the_released_data_is_told() -> None:
    made_up = arm("single", rows().assign(data="sample"), "A")
    part = arm("single", rows(), "B")
    whole = arm("single", scores({str(n): (1, 1) for n in range(420)}), "C")
    assert "not on ReaLMistake: they do not compare" in made(made_up).note
    (small,) = data_notices([made_up, part, whole])
    assert "\n- 8 of 420 items with responses of GPT-4: Single agent (B)" in small.text
    assert "Runs on 8 of 420 items" in made(part, whole).note
    assert list(data_notices([whole])) == []
    assert made(whole).note.startswith("Percent;")
