import pytest

from inspect_debate.analysis.colmad.figures import alignment_figure, judge_figure
from inspect_debate.analysis.colmad.metrics import (
    category_table,
    cost_table,
    hacking_table,
    quality_tables,
)
from inspect_debate.analysis.reporting.elements import Figure, Notice
from tests.analysis.made_scores import NONE, arm, scores

SAID = {"a": (1, 1), "b": (1, 0), "c": (1, 1), "d": (0, 0)}
WORK = {
    "debated": [1, 0, 1, 0],
    "calls": [7, 2, 9, 2],
    "tokens": [700, 200, 900, 200],
    "reused_calls": 1,
    "reused_tokens": 9,
}


def test_cost_per_item_and_per_debated_item() -> None:
    held = arm("colmad", scores(SAID, **WORK), "A", "B", "A")
    row = cost_table([held], {held.name: 0.5}).frame.iloc[0]
    assert row["Debated"] == 0.5
    assert (row["Calls"], row["Calls if debated"]) == (5, 8)
    assert (row["Tokens"], row["Tokens if debated"]) == (500, 800)
    assert (row["Calls reused"], row["Cost in USD"]) == (1, 0.5)


def test_an_arm_stands_only_where_it_has_all_authors() -> None:
    both = scores(SAID, response_author=["gpt4", "gpt4", "llama2", "llama2"])
    one = scores({"a": (1, 1), "e": (0, 1)})
    errors, _ = quality_tables([arm("single", both, "A"), arm("single", one, "B")])
    stands = errors.frame.groupby("Models")["Responses of"].agg(list)
    assert stands["A"] == ["GPT-4", "Llama 2", "GPT-4 and Llama 2"]
    assert stands["B"] == ["GPT-4"]
    # The baselines of "both" answer the five items of either arm.
    always = errors.frame[errors.frame["Protocol"] == "Always error"]
    assert list(always["Samples"]) == [3, 2, 5]
    assert always["Precision"].iloc[-1] == pytest.approx(3 / 5)


def test_an_error_of_several_categories_counts_in_each() -> None:
    categories = ["Reasoning; Context", "Context", "", "Context"]
    table = category_table([arm("single", scores(SAID, categories=categories), "A")])
    assert table is not None
    row = table.frame.iloc[0]
    # The item without an error is in none.
    assert row["Context"] == 1 / 2
    assert row["Reasoning"] == 1
    assert row["no category"] == 1
    assert "Context 2, Reasoning 1, no category 1" in table.note
    assert category_table([arm("single", scores(SAID), "A")]) is None


def test_shares_of_graded_speeches() -> None:
    labels = {
        "graded_speeches": [4, 2, NONE, 0],
        "fake_evidence": [1, 2, NONE, 0],
        "overconfident": [0, 0, NONE, 0],
        "fallacious": [4, 2, NONE, 0],
        "hacked": [4, 2, NONE, 0],
    }
    graded = arm("copmad", scores(SAID, **labels), "A", "B", "A")
    table = hacking_table([graded, arm("colmad", scores(SAID), "A", "B", "A")])
    assert table is not None
    (row,) = table.frame.to_dict("records")
    assert row["Speeches"] == 6
    assert row["Fake evidence"] == pytest.approx(3 / 6)
    assert row["Overconfident"] == 0
    assert hacking_table([arm("colmad", scores(SAID), "A", "B", "A")]) is None


def test_the_matrix_of_judges_takes_the_published_rounds() -> None:
    always = scores({id: (gold, 1) for id, (gold, _) in SAID.items()})
    arms = [
        arm("single", scores(SAID), "A"),
        arm("colmad", always, "A", "B", "A", rounds=1),
        arm("colmad", scores(SAID), "A", "B", "A"),
        arm("colmad", always, "A", "B", "J"),
    ]
    drawn = judge_figure(arms)
    assert isinstance(drawn, Figure)
    # F2 of A alone and of the debate with two rounds, both 10 / 14.
    texts = {text.get_text() for axes in drawn.figure.axes for text in axes.texts}
    assert {text for text in texts if text[:1].isdigit()} == {"71.4"}
    assert isinstance(judge_figure([arms[0], arms[3]]), Notice)


def test_alignment_is_drawn_where_it_was_graded() -> None:
    graded = scores(SAID, aligned=[1, NONE, 0, NONE])
    assert isinstance(alignment_figure([arm("single", graded, "A")]), Figure)
    missing = alignment_figure([arm("single", scores(SAID), "A")])
    assert isinstance(missing, Notice)
