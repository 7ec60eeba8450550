"""What models could gain from each other, and the figures, on conditions by hand."""

import pandas as pd
import pytest
from matplotlib.patches import Rectangle

from inspect_debate.reports.colmad import own_answers
from inspect_debate.reports.colmad_conditions import Condition
from inspect_debate.reports.elements import Figure, Notice
from tests.reports.made_scores import NONE, condition, figures, rows, scores, tables


def drawn_as(name: str, *conditions: Condition) -> list[Figure]:
    found = (item for item in figures(*conditions) if isinstance(item, Figure))
    return [item for item in found if item.name.startswith(name)]


def noticed(*conditions: Condition) -> list[str]:
    return [item.text for item in figures(*conditions) if isinstance(item, Notice)]


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
    held = condition("colmad", debate(), "p/A", "p/B", "p/A")
    found = own_answers([condition("single", scores(ALWAYS), "p/A"), held])
    assert list(found) == ["p/A", "p/B"]
    assert list(found["p/A"]["prediction"]) == [1] * 5
    assert list(found["p/B"]["prediction"]) == [1, 0, 1, 1, 0]


def test_an_unread_first_answer_is_wrong_for_the_oracle() -> None:
    (row,) = rows(condition("colmad", debate(), "p/A", "p/B", "p/A"), of="oracle")
    # A is wrong on c d e, B on b d: of B's two, A has b right.
    assert (row["Errors of the better"], row["Removed"]) == (2, 1)


def test_an_unread_partner_of_the_ensemble_says_no_error_and_a_coin_decides() -> None:
    said = {"a": (1, 1.0), "b": (1, 1.0), "c": (0, 1.0)}
    unread = {"a": (1, 1.0), "b": (1, NONE), "c": (0, NONE)}
    runs = [
        condition("single", scores(of), model)
        for model, of in (("A", said), ("B", unread))
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
            said = {f"{author} {subset} {n}": (1, r) for n, r in enumerate(right)}
            cell = scores(said, subset=subset, response_author=author)
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
    drawn = {of.name: of for of in drawn_as("figure", *two_models())}
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
    held = condition("colmad", pd.concat([math, fact]), "A", "B", "A")
    drawn = drawn_as("figure_3", held)
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


SAID = {"a": (1, 1), "b": (1, 0), "c": (1, 1), "d": (0, 0)}


def test_the_matrix_of_judges_takes_the_published_rounds() -> None:
    always = scores({id: (gold, 1) for id, (gold, _) in SAID.items()})
    conditions = [
        condition("single", scores(SAID), "A"),
        condition("colmad", always, "A", "B", "A", details="1 round", rounds=1),
        condition("colmad", scores(SAID), "A", "B", "A"),
        condition("colmad", always, "A", "B", "J", details="judged by J"),
    ]
    (drawn,) = drawn_as("figure_5a", *conditions)
    # F2 of A alone and of the debate with two rounds, both 10 / 14.
    assert numbers_in(drawn) == {"71.4"}
    missing = noticed(conditions[0], conditions[3])
    assert any("Figure 5a needs" in text for text in missing)


def test_a_figure_is_on_what_all_its_conditions_share() -> None:
    alone = scores({**SAID, "e": (1, 0)})  # e would lower its F2
    elsewhere = scores({"x": (1, 1)})
    (drawn,) = drawn_as(
        "figure_5a",
        condition("single", alone, "A"),
        condition("single", elsewhere, "B"),
        condition("colmad", scores(SAID), "A", "B", "A"),
    )
    assert numbers_in(drawn) == {"71.4"}
    assert "On the 4 samples" in drawn.note
    assert "(without Single agent (B), which shares none of them)" in drawn.note


def test_alignment_is_drawn_where_it_was_graded() -> None:
    graded = scores(
        SAID,
        aligned=[1, NONE, 0, NONE],
        alignment_no_explanation=[0, 1, 0, 0],
        alignment_unparsed=[0, 0, 0, 1],
        alignment_refused=[0, 0, 0, 1],
        alignment_truncated=0,
    )
    (drawn,) = drawn_as("figure_5b", condition("single", graded, "A"))
    assert "n = 2, and 1 without a human explanation, 2 unreadable" in drawn.note
    missing = noticed(condition("single", scores(SAID), "A"))
    assert any("Figure 5b needs" in text for text in missing)
