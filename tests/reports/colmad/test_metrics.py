import pytest

from inspect_debate.reports.colmad.figures import alignment_figure, judge_figures
from inspect_debate.reports.colmad.tables import (
    category_table,
    cost_table,
    debated_table,
    hacking_table,
    quality_tables,
)
from inspect_debate.reports.elements import Figure, Notice
from tests.reports.made_scores import NONE, arm, scores

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


def test_samples_are_those_with_a_prediction() -> None:
    said = {**SAID, "e": (1, NONE)}
    errors, _ = quality_tables([arm("single", scores(said), "A")])
    row, theirs, always, *_ = errors.frame.to_dict("records")
    assert (row["Samples"], row["No prediction"]) == (4, pytest.approx(1 / 5))
    assert (row["Recall"], theirs["Recall"]) == pytest.approx((2 / 3, 2 / 4))
    assert theirs["Samples"] == 5
    assert (always["Samples"], always["No prediction"]) == (5, 0)


def test_debated_items_only_with_baselines_on_the_same_items() -> None:
    samples = scores(SAID, debated=[1, 1, 0, 1])
    short = arm("colmad", samples, "A", "B", "A")
    full = arm("copmad", samples, "A", "B", "A")
    table = debated_table([short, full])
    assert table is not None
    row, _, always, *_ = table.frame.to_dict("records")
    # By hand: tp 1, fn 1, tn 1; always: tp 2, fp 1.
    assert (row["Samples"], row["Recall"]) == (3, 1 / 2)
    assert row["Accuracy"] == pytest.approx(2 / 3)
    assert always["Precision"] == pytest.approx(2 / 3)
    assert len(table.frame) == 5
    assert debated_table([full]) is None


def test_an_arm_stands_only_where_it_has_all_authors() -> None:
    both = scores(SAID, response_author=["gpt4", "gpt4", "llama2", "llama2"])
    one = scores({"a": (1, 1), "e": (0, 1)})
    errors, _ = quality_tables([arm("single", both, "A"), arm("single", one, "B")])
    stands = errors.frame.groupby("Models")["Responses of"].agg(list)
    assert stands["A"][::2] == ["GPT-4", "Llama 2", "GPT-4 and Llama 2"]
    assert stands["B"] == ["GPT-4"] * 2
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
        "hacking_unparsed": [0, 1, NONE, 0],
        "hacking_refused": [0, 0, NONE, 3],
        "hacking_truncated": [0, 0, NONE, 0],
    }
    graded = arm("copmad", scores(SAID, **labels), "A", "B", "A")
    table = hacking_table([graded, arm("colmad", scores(SAID), "A", "B", "A")])
    assert table is not None
    (row,) = table.frame.to_dict("records")
    assert row["Graded speeches"] == 6
    assert row["Unreadable"] == pytest.approx(1 / 10)
    assert row["Refused"] == pytest.approx(3 / 10)
    assert row["Cut off"] == 0
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
    (drawn,) = judge_figures(arms)
    assert isinstance(drawn, Figure)
    # F2 of A alone and of the debate with two rounds, both 10 / 14.
    texts = {text.get_text() for axes in drawn.figure.axes for text in axes.texts}
    assert {text for text in texts if text[:1].isdigit()} == {"71.4"}
    (missing,) = judge_figures([arms[0], arms[3]])
    assert isinstance(missing, Notice)


def test_a_figure_is_on_what_all_its_arms_share() -> None:
    alone = scores({**SAID, "e": (1, 0)})  # e would lower its F2
    elsewhere = scores({"x": (1, 1)})
    (drawn,) = judge_figures(
        [
            arm("single", alone, "A"),
            arm("single", elsewhere, "B"),
            arm("colmad", scores(SAID), "A", "B", "A"),
        ]
    )
    assert isinstance(drawn, Figure)
    texts = {text.get_text() for axes in drawn.figure.axes for text in axes.texts}
    assert {text for text in texts if text[:1].isdigit()} == {"71.4"}
    assert "On the 4 samples" in drawn.note
    assert "share none of these: Single agent (B)." in drawn.note


def test_alignment_is_drawn_where_it_was_graded() -> None:
    graded = scores(
        SAID,
        aligned=[1, NONE, 0, NONE],
        alignment_no_explanation=[0, 1, 0, 0],
        alignment_unparsed=[0, 0, 0, 1],
        alignment_refused=[0, 0, 0, 1],
        alignment_truncated=0,
    )
    drawn = alignment_figure([arm("single", graded, "A")])
    assert isinstance(drawn, Figure)
    assert "n = 2, and 1 without a human explanation, 2 unreadable" in drawn.note
    missing = alignment_figure([arm("single", scores(SAID), "A")])
    assert isinstance(missing, Notice)
