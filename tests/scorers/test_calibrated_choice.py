"""Calibrated token probability, which takes a whole run, against a hand count."""

import pytest

from tests.scorers.clash_scores import Item, of, scored
from tests.support.clash_records import GOLD, OTHER
from tests.support.measures.clash import every_arm, own_accuracy, passage_or_prior


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


# Memory is always the more probable. The passage's ranks: 2, 1, 4, 3; memory's: 1 to 4.
CALIBRATED = [
    Item("a", 0, "", OTHER, 0.96, None, 0.6),  # 1 against 2: the passage, right
    Item("b", 0, "", OTHER, 0.97, None, 0.5),  # 2 against 1: memory, wrong
    Item("c", 2, "", GOLD, 0.98, None, 0.8),  # 3 against 4: the passage, wrong
    Item("d", 2, "", GOLD, 0.99, None, 0.7),  # 4 against 3: memory, right
]


@pytest.mark.parametrize("protocol", ["calibrated_token_prob", "token_prob"])
def test_calibrated_token_probability_takes_the_whole_run(protocol: str) -> None:
    found = of(every_arm(), scored(CALIBRATED, protocol))
    assert found["standard_token_prob"] == 0
    assert found["perturbed_token_prob"] == 1
    assert found["standard_calibrated_token_prob"] == 1 / 2
    assert found["perturbed_calibrated_token_prob"] == 1 / 2
    own = of(own_accuracy(), scored(CALIBRATED, protocol))
    assert own["standard"] == (1 / 2 if protocol == "calibrated_token_prob" else 0)
    # Alone, each item has the first rank twice, and a tie is the passage's.
    alone = [of(every_arm(), scored([item], protocol)) for item in CALIBRATED]
    assert [one["standard_calibrated_token_prob"] for one in alone[:2]] == [1, 1]
    assert [one["perturbed_calibrated_token_prob"] for one in alone[2:]] == [0, 0]


def test_the_calibrated_choice_where_a_confidence_is_missing() -> None:
    unsure = [
        CALIBRATED[0]._replace(question="e", sure="absent"),
        CALIBRATED[2]._replace(question="f", passage_sure="cut"),
    ]
    scores = scored([*CALIBRATED, *unsure], "calibrated_token_prob")
    found = of(own_accuracy(), scores)
    assert found["unscored_share"] == near(2 / 6)
    # Memory's ranks now: a 1, b 2, c and f 3.5, d 5, of five; the passage's: b 1,
    # a and e 2.5, d 4, c 5, of five. The choices of before stand.
    assert (found["standard"], found["perturbed"]) == (1 / 2, 1 / 2)
    assert found["coverage"] == 1


def test_whom_the_calibrated_choice_follows() -> None:
    found = of(passage_or_prior(), scored(CALIBRATED, "calibrated_token_prob"))
    assert found["context_bias"] == near(1 / 2)
    assert found["prior_bias"] == near(1 / 2)
    assert found["one_right"] == near(1 / 2)
