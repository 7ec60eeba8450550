"""Tiers of questions and what formats do in them, by hand."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from inspect_debate.reports.elements import Item, Notice
from inspect_debate.reports.generative.comparisons import compare
from inspect_debate.reports.generative.difficulty import TIER, tier_items, tiered
from tests.reports.generative.made import (
    GPT,
    QWEN,
    Round,
    joined,
    made_items,
    unscored,
)
from tests.reports.generative.planted import row, table, verdicts


def single(
    protocol: str, answers: dict[str, str], ruled: str | None = None, **more: Any
) -> pd.DataFrame:
    """By question the worth of the answers of its epochs, all called correct."""
    rounds = [
        Round(question, right, ruled or "1", epoch=epoch)
        for question, of in answers.items()
        for epoch, right in enumerate(of, 1)
    ]
    return made_items(protocol, rounds, **more)


def tables(items: pd.DataFrame) -> list[Item | None]:
    rows = tiered(items)
    return tier_items(rows, compare(rows, "consultancy"))


def tiers(*frames: pd.DataFrame) -> dict[str, str | None]:
    found = tiered(joined(*frames))
    return dict(zip(found["question_id"], found[TIER], strict=True))


def test_a_single_debater_has_thirds() -> None:
    answers = {"q1": "000", "q2": "010", "q3": "110", "q4": "111"}
    # A third and two thirds of the answers are neither hard nor easy.
    assert tiers(single("single_debate", answers)) == {
        **{"q1": "hard", "q2": "medium", "q3": "medium", "q4": "easy"}
    }


def test_several_debaters_are_counted_by_their_majorities() -> None:
    gpt = {"q1": "0", "q2": "1", "q3": "0", "q4": "1", "q5": "10"}
    qwen = {"q1": "0", "q2": "0", "q3": "1", "q4": "1", "q5": "11"}
    found = tiers(
        single("single_debate", gpt), single("single_debate", qwen, family=QWEN)
    )
    assert found == {
        **{"q1": "hard", "q2": "medium", "q3": "medium", "q4": "easy"},
        "q5": "medium",  # half of the answers is no majority
    }


def test_two_judges_of_one_debater_are_no_two_debaters() -> None:
    other = f"{GPT.partition(' > ')[0]} > acme/judge"
    answers = {"q1": "110"}
    # With two debaters, either of them mostly right, it would be easy.
    frames = [single("single_debate", answers, family=of) for of in (GPT, other)]
    assert tiers(*frames) == {"q1": "medium"}


def test_an_answer_counts_once_however_many_formats_use_it() -> None:
    # A is right and B wrong, in one format with B and in five without.
    both = made_items("dual_debate", [Round("q1", "10", "11")])
    alone = [
        made_items(protocol, [Round("q1", "1", "1")], best_of=best_of)
        for protocol in ("single_debate", "single_consultancy")
        for best_of in (1, 2)
    ]
    assert tiers(both, *alone) == {"q1": "medium"}


def test_versions_of_the_data_are_no_one_set_of_questions() -> None:
    later = single("single_debate", {"q1": "1"}).assign(version="2")
    found = tiered(joined(single("single_debate", {"q1": "0"}), later))
    assert found[TIER].tolist() == ["hard", "easy"]


def test_a_question_that_some_debater_was_not_asked_has_no_tier() -> None:
    gpt = single("single_debate", {"q1": "1", "q2": "1"})
    qwen = single("single_debate", {"q1": "1", "q2": "1"}, family=QWEN)
    assert tiers(gpt, unscored(qwen, 1)) == {"q1": "easy", "q2": None}
    consultancy = single("single_consultancy", {"q1": "1", "q2": "1"})
    items = tables(joined(gpt, consultancy, unscored(qwen, 1)))
    assert "some debater has no answer to them: 1." in table(items, "tiers").note


def hard_and_easy() -> pd.DataFrame:
    """Four hard questions with wrong answers, four easy ones; debate misleads."""
    hard = {f"h{n}": "0" for n in range(4)}
    easy = {f"e{n}": "1" for n in range(4)}
    return joined(
        single("single_debate", hard | easy),
        single("single_consultancy", hard, ruled="0", run="c1"),
        single("single_consultancy", easy, run="c2"),
    )


def test_verdicts_in_each_tier() -> None:
    items = tables(hard_and_easy())
    hard = row(items, "tiers", Tier="hard")
    assert (hard["Debate"], hard["Consultancy"], hard["Difference"]) == (0, 1, -1)
    assert (hard["Questions"], hard["Samples"]) == (4, 4)
    assert hard["p"] == pytest.approx(2 * 0.5**4)
    assert hard["p (Holm)"] == pytest.approx(4 * 0.5**4)
    easy = row(items, "tiers", Tier="easy")
    assert (easy["Debate"], easy["Consultancy"], easy["Difference"]) == (1, 1, 0)
    assert easy["p"] == easy["p (Holm)"] == 1
    note = table(items, "tiers").note
    assert "regress to the mean" in note
    assert note.endswith("Holm: corrected over the 2 tests of this table.")


def test_the_same_answers_cannot_differ_and_are_not_tested() -> None:
    said = tables(hard_and_easy())[1]
    assert isinstance(said, Notice)
    assert "cannot differ" in said.text


def test_of_partly_the_same_answers_the_others_are_tested() -> None:
    fresh: dict[str, Any] = {"variant": "answers=fresh"}
    kinds = {"hard": "0", "easy": "1"}
    rounds = {
        way: [
            *(Round(f"e{n}", "1", "1") for n in range(3)),
            *(Round(f"h{n}", "0", "1", answers=way) for n in range(3)),
        ]
        for way in ("single_debate", "single_consultancy")
    }
    items = tables(
        joined(*(made_items(way, of, **fresh) for way, of in rounds.items()))
    )
    hard, easy = (row(items, "tiers_answers", Tier=tier) for tier in kinds)
    assert (hard["Answers"], easy["Answers"]) == ("anew", "the same")
    assert hard["p"] == 1
    assert np.isnan([easy["p"], easy["p (Holm)"]]).all()
    note = table(items, "tiers_answers").note
    assert note.endswith("Holm: corrected over the 1 test of this table.")


def test_the_second_seat_is_of_its_own_model() -> None:
    rounds = [Round("q1", "11", "11"), Round("q1", "10", "11", epoch=2)]
    dual = made_items("dual_debate", rounds)
    # Three of four are more than two thirds; half of the second's are no majority.
    assert tiers(dual) == {"q1": "easy"}
    assert tiers(dual.assign(debater_b="acme/b")) == {"q1": "medium"}


def test_answers_made_anew_for_each_format_are_tested() -> None:
    fresh: dict[str, Any] = {"variant": "answers=fresh"}
    rates = {f"q{n}": "0" for n in range(6)}
    debates = [Round(q, "1", "1", answers="d") for q in rates]
    items = tables(
        joined(
            made_items("single_debate", debates, **fresh),
            single("single_consultancy", rates, **fresh),
        )
    )
    # Half of each question's answers are right.
    found = row(items, "tiers_answers", Tier="medium")
    assert found["Answers"] == "anew"
    assert (found["Debate"], found["Consultancy"], found["Difference"]) == (1, 0, 1)
    assert found["p"] == found["p (Holm)"] == pytest.approx(2 * 0.5**6)
    # Verdicts about other answers are not compared.
    assert items[0] is None


def test_single_and_dual_stand_apart() -> None:
    dual = [verdicts(f"dual_{way}", [1, 0]) for way in ("debate", "consultancy")]
    found = table(tables(joined(hard_and_easy(), *dual)), "tiers").frame
    assert found["Format"].tolist() == ["Dual debate", *["Single debate"] * 2]


@pytest.mark.parametrize("protocols", [(), ("dual_debate",), ("direct_qa",)])
def test_without_both_formats_there_is_nothing(protocols: tuple[str, ...]) -> None:
    frames = [
        made_items(protocol, [Round("q1", "1", "")])
        if protocol == "direct_qa"
        else verdicts(protocol, [1])
        for protocol in protocols
    ]
    items = joined(*frames) if frames else verdicts("dual_debate", [1]).head(0)
    assert tables(items) == [None, None]
