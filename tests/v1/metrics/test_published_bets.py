"""Figures of "When Two LLMs Debate" from its released transcripts."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from inspect_debate.v1.metrics.agreement import dissents, repeat_agreement, side_share
from inspect_debate.v1.metrics.bets import BET_CLASSES, bet_class
from inspect_debate.v1.metrics.dependence import clustered_mean, mixed_mean
from inspect_debate.v1.metrics.means import pooled_mean, ranked_above
from tests.v1.support.released import DATA

pytestmark = pytest.mark.released

CROSS = "private_bet_experiments_diff_models"
SELF = "private_self_bet"
INFORMED = "private_self_bet_anchored"
PUBLIC = "public_bets"
NAN = float("nan")

Array = NDArray[np.float64]
OPENING, CLOSING = 0, 2


def debates(condition: str) -> list[dict[str, Any]]:
    folder = DATA / "llms_overconfidence/experiments" / condition
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    assert len(found) == 60
    return found


def bets(condition: str, speech: int) -> Array:
    """Bets (debates, sides) with a speech."""
    rows = [[bet["amount"] for bet in d["debator_bets"]] for d in debates(condition)]
    return np.array(rows, dtype=np.float64)[:, 2 * speech : 2 * speech + 2]


def models(condition: str) -> list[str]:
    sides = ("proposition_model", "opposition_model")
    return [debate[side] for debate in debates(condition) for side in sides]


@pytest.mark.parametrize(
    ("condition", "percentages"),
    [
        (CROSS, [0.0, 6.7, 61.7, 0.0, 0.0, 31.7]),
        (SELF, [0.0, 26.7, 35.0, 5.0, 0.0, 33.3]),
        (INFORMED, [23.3, 56.7, 0.0, 15.0, 0.0, 5.0]),
        (PUBLIC, [1.7, 26.7, 33.3, 3.3, 1.7, 33.3]),
    ],
)
def test_classes_of_table_4(condition: str, percentages: list[float]) -> None:
    found = Counter(bet_class(one, other) for one, other in bets(condition, CLOSING))
    shares = [100 * found[i] / 60 for i in range(len(BET_CLASSES))]
    assert shares == pytest.approx(percentages, abs=0.051)


@pytest.mark.parametrize(
    ("condition", "t", "clustered"),
    [(CROSS, 31.67, 14.54), (SELF, 10.07, 4.42), (PUBLIC, 9.03, 3.54)],
)
def test_opening_bets_are_high_with_dependence_too(
    condition: str, t: float, clustered: float
) -> None:
    """The t of section 4.1, which takes 120 bets as independent, and less without."""
    values, who, debate = bets(condition, OPENING).ravel(), models(condition), range(60)
    both = np.repeat(debate, 2).tolist()
    assert pooled_mean(values).statistic(50) == pytest.approx(t, abs=0.005)
    for mean in (clustered_mean(values, who, both), mixed_mean(values, who, both)):
        assert mean.statistic(50) == pytest.approx(clustered, rel=0.015)
        assert mean.p(50, "greater") < 0.01


def test_wilcoxon_of_table_7() -> None:
    values, who = bets(CROSS, OPENING).ravel(), np.array(models(CROSS))
    of_qwen_max = values[who == "qwen/qwen-max"]
    assert ranked_above(of_qwen_max, 50) == pytest.approx(0.0002, abs=5e-5)
    assert pooled_mean(of_qwen_max).p(50, "greater") == pytest.approx(6.97e-7, rel=1e-3)


def test_bets_that_are_all_equal_have_neither_test() -> None:
    """The dash of Table 7: o3-mini always bets 50 where its prompt says one half."""
    values, who = bets(INFORMED, OPENING).ravel(), np.array(models(INFORMED))
    of_o3_mini = values[who == "openai/o3-mini"]
    assert ranked_above(of_o3_mini, 50) == 1
    assert pooled_mean(of_o3_mini).reason == "all values are equal"


def test_jury() -> None:
    """Two passes of three judges; one debate has a single pass."""
    verdicts = np.full((60, 6), NAN)
    for row, debate in zip(verdicts, debates(CROSS), strict=True):
        won = [result["winner"] == "proposition" for result in debate["judge_results"]]
        row[: len(won)] = won
    assert dissents(verdicts) == {0: 23, 1: 11, 2: 19, 3: 7}
    first, second = np.hsplit(verdicts, 2)
    repeated = [repeat_agreement(first[:, [i]], second[:, [i]]) for i in range(3)]
    assert [(round(59 * each.value), each.n) for each in repeated] == [
        (52, 59),
        (56, 59),
        (43, 59),
    ]
    for_opposition = [side_share(1 - verdicts[:, [i, i + 3]]) for i in range(3)]
    assert [round(119 * each.value) for each in for_opposition] == [66, 108, 59]
    assert for_opposition[1].low > 0.8
