"""Metrics over scores of questions with passages, against a hand count."""

from math import isnan

import pytest
from inspect_ai.scorer import Metric, SampleScore, Score

from inspect_debate.debate.record import Parsed
from inspect_debate.scorers.knowledge_conflict import conflict_values
from tests.scorers.clash_scores import Item, of, scored
from tests.support.clash_records import (
    GOLD,
    OTHER,
    PERTURBED,
    SAYS,
    contextual,
    held,
    prior,
)
from tests.support.measures.clash import (
    CLASH_METRICS,
    by_severity,
    every_arm,
    own_accuracy,
    passage_or_prior,
    read,
    verdicts,
)
from tests.support.measures.self_confidence import CONFIDENCE_METRICS


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


ITEMS = [
    Item("a", 0, "RR"),
    Item("a", 2, "RU"),  # memory kept, and right
    Item("b", 0, "RU", OTHER, 0.5),  # abstained
    Item("b", 2, "UR", OTHER, 0.5),  # the passage followed, both are wrong
    Item("c", 0, "UU", OTHER),  # a wrong memory kept
    Item("c", 5, "?R"),  # a wrong passage followed
    Item("d", 0, "R?", OTHER),  # unread, and so unscored
    Item("d", 5, "UU", GOLD, 0.5),  # abstained
]
SCORES = scored(ITEMS)


def test_accuracy_and_abstentions_in_and_out_of_the_denominator() -> None:
    found = of(own_accuracy(), SCORES)
    # Right passages: a right, b abstained, c wrong; d is unscored.
    assert found["standard"] == near(1 / 3)
    # Perturbed: a right, b and c wrong, d abstained.
    assert found["perturbed"] == near(1 / 4)
    assert found["overall"] == near((1 / 3 + 1 / 4) / 2)
    assert found["coverage"] == near((2 / 3 + 3 / 4) / 2)
    # Of the two and the three answers.
    assert found["selective"] == near(2 / 5)
    assert found["items"] == 8
    assert found["unscored_share"] == 1 / 8
    for half in ("standard", "perturbed", "overall"):
        assert 0 <= found[f"{half}_low"] < found[half] < found[f"{half}_high"] <= 1


def test_normalised_answers_stand_beside_the_strict_ones() -> None:
    items = [
        Item("a", 0, "R", passage="the 1871"),
        Item("a", 2, "U"),
        Item("b", 0, "R", passage="1871"),
        Item("b", 2, "U", "1871.", 0.5),
        Item("c", 2, "U", "1871.", 0.95),
    ]
    found = of(own_accuracy(), scored(items))
    assert (found["standard"], found["perturbed"]) == near((1 / 2, 1 / 3))
    assert found["normalised_standard"] == 1
    assert found["normalised_perturbed"] == near(2 / 3)
    assert found["normalised_overall"] == near((1 + 2 / 3) / 2)
    assert found["selective"] == near(1 / 2)
    assert found["normalised_selective"] == 1


def test_without_perturbed_passages_there_is_no_mean_of_halves() -> None:
    found = of(own_accuracy(), [SCORES[0], SCORES[2]])
    assert found["standard"] == 1 / 2
    assert isnan(found["perturbed"])
    assert isnan(found["overall"])


def test_the_halves_of_a_question_are_one_cluster() -> None:
    def width(questions: str, severities: tuple[int, ...]) -> float:
        items = [
            Item(question, severity, "RU"[number % 2], OTHER, passage=GOLD)
            for number, question in enumerate(questions)
            for severity in severities
        ]
        found = of(own_accuracy(), scored(items))
        return found["standard_high"] - found["standard_low"]

    # Twelve answers in pairs that are alike are no more than six.
    assert width("abcdef", (0, 0)) == near(width("abcdef", (0,)))
    assert width("abcdef", (0, 0)) > 1.2 * width("abcdefghijkl", (0,))


def test_every_arm_of_a_run() -> None:
    found = of(every_arm(), SCORES)
    halves = {
        "prior": (1 / 4, 3 / 4),
        "few_shot": (1, 0),
        "golden": (1, 3 / 4),
        # Memory is the more probable one where it is 0.95: a, a, c, c, d (right).
        "token_prob": (2 / 4, 2 / 4),
        "confidence_only": (2 / 4, 2 / 4),
        "acvd_only": (1 / 3, 2 / 4),
        "srdcr": (1 / 3, 1 / 4),
    }
    for arm, (standard, perturbed) in halves.items():
        assert found[f"standard_{arm}"] == near(standard), arm
        assert found[f"perturbed_{arm}"] == near(perturbed), arm
        assert found[f"overall_{arm}"] == near((standard + perturbed) / 2), arm
    assert found["coverage_srdcr"] == near((2 / 3 + 3 / 4) / 2)
    assert found["selective_srdcr"] == near(2 / 5)
    assert "overall_calibrated_token_prob" in found
    assert len(found) == 3 * 8 + 2


def test_by_severity() -> None:
    found = of(by_severity(), SCORES)
    assert (found["perturbed_2"], found["perturbed_5"]) == (1 / 2, 0)
    assert found["perturbed_2_low"] < 1 / 2 < found["perturbed_2_high"]
    assert found["perturbed_5_high"] > 0
    assert set(found) == {
        f"perturbed_{level}{end}" for level in (2, 5) for end in ("", "_low", "_high")
    }


def test_passage_or_prior() -> None:
    found = of(passage_or_prior(), SCORES)
    # Memory alone is right on the perturbed a, c, d, of which c follows the passage.
    assert found["context_bias"] == near(1 / 3)
    # The passage alone is right on b, c and the unread d; c keeps its memory.
    assert found["prior_bias"] == near(1 / 2)
    # Of these five that are scored, the perturbed a is right.
    assert found["one_right"] == near(1 / 5)
    # Of the four perturbed ones b and c follow the passage, a its memory.
    assert found["context_preference"] == near(2 / 4)
    assert found["prior_preference"] == near(1 / 4)
    # Both answers are the same on the first item only.
    assert found["agree_share"] == near(1 / 8)
    assert found["contested"] == near(1 / 6)
    for bias in ("context_bias", "prior_bias"):
        assert 0 <= found[f"{bias}_low"] <= found[bias] <= found[f"{bias}_high"] <= 1


def test_equal_answers_count_in_neither_bias() -> None:
    contested = [
        Item("a", 2, "R"),
        Item("b", 2, "U"),
        Item("c", 0, "U", OTHER),
        Item("d", 0, "R", OTHER),
    ]
    equal = [
        Item("e", 2, "R", SAYS),
        Item("f", 2, "U", "1911."),
        Item("g", 0, "R", GOLD),
        Item("h", 0, "U", "1871."),
    ]
    names = ("context_bias", "prior_bias", "one_right", "contested")
    found = of(passage_or_prior(), scored(contested))
    assert [found[name] for name in names] == [1 / 2] * 4
    more = of(passage_or_prior(), scored([*contested, *equal]))
    assert [more[name] for name in names] == [1 / 2] * 4
    assert (found["agree_share"], more["agree_share"]) == (0, 1 / 2)
    assert isnan(of(passage_or_prior(), scored(equal))["context_bias"])


def test_an_answer_that_fits_both_sides_counts_in_neither_bias() -> None:
    # "400" names no unit, and so is right, and what the passage says.
    facts = PERTURBED._replace(gold="400 mg", says="400 g")
    record = held("few_shot", prior("400"), contextual("400 g"))
    value = conflict_values(record, facts)
    assert value["normalised_prior"] == value["context_prior"] == 1
    score = Score(value=dict(value), metadata={"arm": "few_shot"})
    found = of(passage_or_prior(), [SampleScore(score=score, sample_id="drug")])
    assert isnan(found["context_bias"])
    assert found["context_preference"] == 1


def test_the_series_of_verdicts() -> None:
    found = of(verdicts(), SCORES)
    # Round 0: a b d of right passages R, c U; of perturbed ones a R, b d U, c unread.
    assert found["for_passage_0_standard"] == near(3 / 4)
    assert found["for_passage_0_perturbed"] == near(1 / 3)
    # Round 1: a R, b c U, d unread; b c R, a d U.
    assert found["for_passage_1_standard"] == near(1 / 3)
    assert found["for_passage_1_perturbed"] == near(2 / 4)
    # 0 (a), 1 (a), 1 (b), 1 (b), 0 (c), 1 (c), and 0 (d).
    assert found["settled"] == near(4 / 7)
    counted = of(read(), SCORES)
    assert (counted["verdicts_ok"], counted["verdicts_unparsed"]) == (14, 2)
    assert (counted["answers_ok"], counted["answers_unparsed"]) == (16, 0)
    # b and d abstain, d is unread.
    assert (counted["outcome_abstained"], counted["outcome_unparsed"]) == (2, 1)


def test_a_judged_debate_has_a_result_after_each_of_its_verdicts() -> None:
    items = [
        Item("a", 0, "CCP", OTHER),
        Item("a", 2, "CPP"),
        Item("b", 0, "CCC", OTHER),
        Item("b", 4, "CC?"),
    ]
    scores = scored(items, "judge_debate")
    found = of(every_arm(), scores)
    assert found["overall_judge_debate_1"] == near((1 + 0) / 2)
    assert found["overall_judge_debate_3"] == near((1 + 1 / 2) / 2)
    assert found["overall_judge_debate_5"] == near((1 / 2 + 1) / 2)
    own = of(own_accuracy(), scores)
    assert own["overall"] == found["overall_judge_debate_5"]
    assert own["unscored_share"] == 1 / 4
    series_of = of(verdicts(), scores)
    assert series_of["for_passage_3_perturbed"] == 1 / 2
    assert series_of["settled"] == near((5 + 3 + 1) / 3)


@pytest.mark.parametrize("metric", [*CLASH_METRICS, *CONFIDENCE_METRICS])
def test_metrics_of_no_score_are_numbers(metric: Metric) -> None:
    found = of(metric, [])
    assert all(isnan(number) or number == 0 for number in found.values()), found


@pytest.mark.parametrize("metric", CLASH_METRICS)
@pytest.mark.parametrize("protocol", ["srdcr", "few_shot", "calibrated_token_prob"])
def test_metrics_of_unread_answers_are_numbers(metric: Metric, protocol: str) -> None:
    letters, unread = "?" if protocol == "srdcr" else "", Parsed.unparsed()
    items = [
        Item("a", severity, letters, unread, "no_answer", unread, "no_answer")
        for severity in (0, 2)
    ]
    counts = (
        "items",
        "unscored_share",
        "outcome_",
        "answers_",
        "speeches_",
        "verdicts_",
    )
    for name, number in of(metric, scored(items, protocol)).items():
        assert isnan(number) != name.startswith(counts), name
