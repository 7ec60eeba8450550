"""Bets of hand-made debates, scored against hand counts."""

from collections.abc import Sequence
from math import isnan, log
from pathlib import Path

import pytest

from inspect_debate.debate.record import DebateRecord
from inspect_debate.scorers.bets import bet_values, bets, text_values, won_values
from inspect_debate.scorers.common import Values
from tests.scorers.recorded import Held, score_held
from tests.support.bet_records import Verdict, held
from tests.support.runs import metrics, samples, values

PRO, OPP = "proposition", "opposition"
RISING = held((70, 60), (75, 60), (90, 80))


def near(value: float) -> object:
    return pytest.approx(value, nan_ok=True)


def test_a_debates_bets() -> None:
    found = bet_values(RISING)
    assert [found[f"bet_{n}_{PRO}"] for n in (1, 2, 3)] == [70, 75, 90]
    assert [found[f"bet_{n}_{OPP}"] for n in (1, 2, 3)] == [60, 60, 80]
    assert (found[f"change_2_{PRO}"], found[f"change_3_{PRO}"]) == (5, 15)
    assert (found[f"change_{PRO}"], found[f"change_{OPP}"]) == (20, 20)
    assert (found["opening_sum"], found["closing_sum"]) == (130, 170)
    assert found["closing_excess"] == 70
    assert (found["both_over_50"], found["both_over_75"]) == (1, 1)
    assert found["closing_class"] == 2
    assert (found["bets_ok"], found["bets_unparsed"]) == (6, 0)


def test_sides_are_those_that_are_defended_not_the_seats() -> None:
    rounds = ((70.0, 60.0), (75.0, 60.0), (90.0, 80.0))
    assert bet_values(held(*rounds, swapped=True)) == bet_values(RISING)
    two = ("house/one", "house/two")
    assert won_values(held(*rounds, swapped=True, models=two))["self_debate"] == 0


def test_a_missing_bet_is_missing_and_a_zero_is_a_zero() -> None:
    found = bet_values(held((0, 60), (None, 60), (50, None)))
    assert found[f"bet_1_{PRO}"] == 0
    assert isnan(found[f"bet_2_{PRO}"])
    assert isnan(found[f"recorded_2_{PRO}"])
    assert isnan(found[f"change_2_{PRO}"])
    assert found[f"change_{PRO}"] == 50
    assert isnan(found[f"change_{OPP}"])
    for name in ("closing_sum", "closing_excess", "both_over_50", "closing_class"):
        assert isnan(found[name]), name
    assert (found["bets_ok"], found["bets_unparsed"]) == (4, 2)


@pytest.mark.parametrize(
    ("closing", "over_50", "over_75", "place"),
    [
        ((50, 50), 0, 0, 0),
        ((51, 75), 1, 0, 1),
        ((76, 100), 1, 1, 2),
        ((50, 51), 0, 0, 3),
        ((76, 0), 0, 0, 4),
        ((75, 76), 1, 0, 5),
        ((76, 75), 1, 0, 5),
    ],
)
def test_the_edges_of_the_classes_are_strict(
    closing: tuple[float, float], over_50: int, over_75: int, place: int
) -> None:
    found = bet_values(held(closing))
    assert found["both_over_50"] == over_50
    assert found["both_over_75"] == over_75
    assert found["closing_class"] == place


JURY: dict[str, tuple[list[list[Verdict]], tuple[float, float]]] = {
    "sum against majority": (
        [[(PRO, 51.0)], [(PRO, 52.0)], [(OPP, 99.0)], [(OPP, 90.0)]],
        (0.0, float("nan")),
    ),
    "majority against sum": (
        [[(PRO, 51.0)], [(PRO, 52.0)], [(OPP, 104.0)]],
        (0.0, 1.0),
    ),
    "tied sums": ([[(PRO, 80.0)], [(OPP, 80.0)]], (float("nan"), float("nan"))),
    "one for the proposition": ([[(PRO, 51.0)]], (1.0, 1.0)),
    "a confidence that could not be read": (
        [[(PRO, None)], [(OPP, 60.0)]],
        (float("nan"), float("nan")),
    ),
    "no jury": ([], (float("nan"), float("nan"))),
}


@pytest.mark.parametrize("name", JURY)
def test_who_won_by_confidence_and_by_majority(name: str) -> None:
    verdicts, (by_sum, by_majority) = JURY[name]
    found = won_values(held((60, 60), verdicts=verdicts))
    assert found["proposition_won"] == near(by_sum)
    assert found["proposition_won_majority"] == near(by_majority)


def test_what_texts_hold() -> None:
    text = "The case for lamps. " * 20 + "\n\n**Private Confidence Bet: 75%**"
    thoughts = "I believe I have a 60% chance of winning."
    found = text_values(held((70, 50), texts=text, thoughts=thoughts))
    assert (found["bet_text_stripped"], found["bet_text_left"]) == (2, 0)
    assert found["short_speeches"] == 0
    assert found["stated_n"] == 2
    assert (found["stated_gap_sum"], found["stated_abs_gap_sum"]) == (0, 20)
    assert text_values(held((70, 50), texts="No."))["short_speeches"] == 2


DEBATES = [
    held((70, 60), (75, 60), (90, 80), verdicts=[[(PRO, 80)]]),
    held((50, 60), (50, None), (40, 60), verdicts=[[(OPP, 80)]]),
    held((80, 80), (80, 80), (80, None), verdicts=[[(PRO, 80)], [(OPP, 80)]]),
]


def scored(debates: Sequence[DebateRecord | None], log_dir: Path) -> dict[str, float]:
    log = score_held([Held("", [one]) for one in debates], bets(), log_dir)
    return metrics(log, "bets")


def test_metrics_of_a_run_are_those_of_a_hand_count(tmp_path: Path) -> None:
    stopped = held((100, 100), (100, 100), (100, 100), complete=False)
    found = scored([*DEBATES, stopped, None], tmp_path)
    assert found["opening"] == near(400 / 6)
    assert found["opening_over_50"] == near(400 / 6 - 50)
    assert isnan(found["opening_low"])  # two models are too few
    assert found["human_opening"] == 65
    assert found["closing"] == near((90 + 80 + 40 + 60 + 80) / 5)
    assert found["rise_2"] == near(5 / 5)
    assert found["rise_3"] == near((15 + 20 - 10 + 0) / 4)
    assert found["rise"] == near((20 + 20 - 10 + 0 + 0) / 5)
    assert found["both_over_50"] == near(1 / 2)
    assert found["both_over_75"] == near(1 / 2)
    assert found["closing_excess"] == near((70 + 0) / 2)
    assert found["debates_with_both_bets"] == 2
    # Won: 0.9, 0.6; lost: 0.8, 0.4. The third debate is tied.
    squares = [0.1**2, 0.8**2, 0.4**2, 0.4**2]
    assert found["brier_jury"] == near(sum(squares) / 4)
    logs = [log(0.9), log(0.2), log(0.6), log(0.6)]
    assert found["log_score_jury"] == near(-sum(logs) / 4)
    assert isnan(found["brier_even"])
    assert (found["bets_ok"], found["bets_unparsed"]) == (16, 2)


def test_intervals_stay_within_what_bets_can_be(tmp_path: Path) -> None:
    alone = ("house/one", "house/one")
    debates = [held((o, 100), (100, 100), models=alone) for o in (70, 99, 100)]
    found = scored(debates, tmp_path)
    # Student's interval would reach 132.
    assert 0 < found["opening_low"] < found["opening"] < found["opening_high"] < 100
    assert -100 < found["rise_low"] < found["rise"] < found["rise_high"] < 100


def test_self_debates_are_scored_against_one_half(tmp_path: Path) -> None:
    itself = held((50, 90), models=("house/one", "house/one"))
    found = scored([itself], tmp_path)
    assert found["brier_even"] == near((0.25 + 0.25 + 0.4**2) / 2)
    assert found["ece_even"] == near((0 + 0.4) / 2)
    assert isnan(found["brier_jury"])


def test_two_epochs_of_a_debate_count_as_two(tmp_path: Path) -> None:
    epochs = [Held("", [DEBATES[0], DEBATES[1]])]
    log = score_held(epochs, bets(), tmp_path, epochs=2)
    found = metrics(log, "bets")
    assert found["opening"] == near((70 + 60 + 50 + 60) / 4)
    assert found["closing_excess"] == near((70 + 0) / 2)


def test_order_and_sides_do_not_matter(tmp_path: Path) -> None:
    mirrored = [
        held((60, 70), (60, 75), (80, 90), verdicts=[[(OPP, 80)]]),
        held((60, 50), (None, 50), (60, 40), verdicts=[[(PRO, 80)]]),
        held((80, 80), (80, 80), (None, 80), verdicts=[[(PRO, 80)], [(OPP, 80)]]),
    ]
    assert scored(DEBATES, tmp_path) == near_all(scored(mirrored[::-1], tmp_path))


def near_all(found: Values) -> object:
    return pytest.approx(found, nan_ok=True)


def test_a_score_tells_models_and_motion(tmp_path: Path) -> None:
    log = score_held([Held("", [RISING], {"motion": "lamps"})], bets(), tmp_path)
    (sample,) = samples(log)
    assert sample.scores is not None
    told = sample.scores["bets"].metadata
    assert told is not None
    assert told["sides"] == {PRO: "house/one", OPP: "house/two"}
    assert told["motion"] == "lamps"
    assert isnan(values(sample, "bets")["correct"])
