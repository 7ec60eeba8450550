"""Coins as probabilities and their expectations; recall by category."""

from math import isnan
from pathlib import Path

import pytest

from inspect_debate.debate.record import DebateRecord, Parsed
from inspect_debate.scorers.error_detection import error_detection
from tests.scorers.recorded import Held, score_held
from tests.support.made import answer, made_record
from tests.support.measures.error_detection import category_slug
from tests.support.runs import metrics, samples, values

NAME = "error_detection"
E, N, UNREAD = "error", "no_error", Parsed.unparsed()


def ensemble(
    a: str | Parsed, b: str | Parsed, drawn: str | None = None
) -> DebateRecord:
    turns = (answer("debater_a", a), answer("debater_b", b))
    return made_record(*turns, aggregation="coin", drawn=drawn)


def single(value: str | Parsed) -> DebateRecord:
    return made_record(answer("debater_a", value))


def test_a_coin_is_a_probability_and_its_toss_stands_beside_it(tmp_path: Path) -> None:
    held = [
        Held(E, [ensemble(E, E)]),
        Held(E, [ensemble(E, N, drawn=N)]),
        Held(N, [ensemble(N, E, drawn=N)]),
        Held(N, [ensemble(N, UNREAD)]),
    ]
    log = score_held(held, error_detection(), tmp_path)
    found = [values(sample, NAME) for sample in samples(log)]
    assert [one["prediction"] for one in found[:3]] == [1, 0.5, 0.5]
    assert [one["prediction_drawn"] for one in found[:3]] == [1, 0, 0]
    assert [one["correct"] for one in found[:3]] == [1, 0.5, 0.5]
    assert [one["agreed_before"] for one in found[:3]] == [1, 0, 0]
    for key in ("prediction", "prediction_drawn", "correct"):
        assert isnan(found[3][key])
    assert len({tuple(one) for one in found}) == 1
    assert samples(log)[1].scores is not None

    rates = metrics(log, NAME)
    # At expected counts: tp 1.5, fn 0.5, fp 0.5, tn 0.5.
    assert rates["f1"] == pytest.approx(3 / 4)
    assert rates["accuracy"] == pytest.approx(2 / 3)
    assert rates["no_prediction_rate"] == pytest.approx(1 / 4)
    # As drawn: tp 1, fn 1, tn 1.
    assert rates["f1_drawn"] == pytest.approx(2 / 3)
    assert rates["precision_drawn"] == 1
    # All four tosses: (tp, fp, fn) 1 0 1, 1 1 1, 2 0 0, 2 1 0, each of probability 1/4.
    assert rates["coins"] == 2
    assert rates["f1_expected"] == pytest.approx((2 / 3 + 2 / 4 + 1 + 4 / 5) / 4)
    assert rates["f2_expected"] == pytest.approx((5 / 9 + 5 / 10 + 1 + 10 / 11) / 4)
    assert rates["precision_expected"] == pytest.approx((1 + 1 / 2 + 1 + 2 / 3) / 4)
    assert rates["recall_expected"] == pytest.approx(3 / 4)
    assert rates["accuracy_expected"] == pytest.approx(2 / 3)
    assert rates["f1_expected_gpt4_mean"] == rates["f1_expected"]


def test_the_mean_of_the_cells_expectations(tmp_path: Path) -> None:
    fact = {"subset": "fact"}
    held = [
        Held(E, [ensemble(E, N, drawn=E)]),
        Held(N, [ensemble(N, N)]),
        Held(E, [ensemble(E, E)], fact),
        Held(N, [ensemble(E, N, drawn=E)], fact),
    ]
    rates = metrics(score_held(held, error_detection(), tmp_path, epochs=2), NAME)
    # Maths: F1 is 0, 2/3 or 1 with 0, 1 or 2 of two coins on errors. Fact: 1, 4/5, 2/3.
    maths = (0 + 2 * (2 / 3) + 1) / 4
    of_fact = (1 + 2 * (4 / 5) + 2 / 3) / 4
    assert rates["f1_expected_gpt4_mean"] == pytest.approx((maths + of_fact) / 2)
    assert rates["coins"] == 4


def test_without_coins_there_is_nothing_to_expect(tmp_path: Path) -> None:
    log = score_held([Held(E, [single(E)])], error_detection(), tmp_path)
    assert "prediction_drawn" not in values(samples(log)[0], NAME)
    assert "f1_expected" not in metrics(log, NAME)
    assert "coins" not in metrics(log, NAME)


def test_recall_by_category_against_a_hand_count(tmp_path: Path) -> None:
    both = {"categories": ["Reasoning Correctness", "Context-Faithfulness"]}
    reasoning = {"categories": ["Reasoning Correctness"]}
    held = [
        Held(E, [single(E), single(N)], both),
        Held(E, [single(E)], reasoning),
        Held(E, [single(N), single(UNREAD)], reasoning),
        Held(E, [single(N)], {"categories": []}),
        Held(E, [ensemble(E, N, drawn=N)]),
        Held(N, [single(E)], reasoning),
        Held(E, [None], reasoning),
    ]
    found = metrics(score_held(held, error_detection(), tmp_path, epochs=2), NAME)
    assert found["items_category_reasoning_correctness"] == 6
    assert found["recall_category_reasoning_correctness"] == pytest.approx(3 / 5)
    assert found["items_category_context_faithfulness"] == 2
    assert found["recall_category_context_faithfulness"] == pytest.approx(1 / 2)
    assert found["items_category_none"] == 4
    assert found["recall_category_none"] == pytest.approx((0 + 2 * 0.5) / 4)
    low, high = (
        found[f"recall_category_reasoning_correctness_{end}"] for end in ("low", "high")
    )
    assert low < 3 / 5 < high


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Reasoning Correctness", "reasoning_correctness"),
        ("Context-Faithfulness", "context_faithfulness"),
        (" Parameterized_ Knowledge! ", "parameterized_knowledge"),
        ("ÜBUNG 2", "übung_2"),
        ("", "none"),
        ("!?", "none"),
    ],
)
def test_slugs(name: str, slug: str) -> None:
    assert category_slug(name) == slug
