"""Bets and juries of hand-made debates, scored against hand counts."""

import json
import os
from collections import Counter
from collections.abc import Sequence
from math import isnan, log
from pathlib import Path

import pytest

from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.scorers.bets import (
    bet_values,
    bets,
    stated_probability,
    text_values,
    won_values,
)
from inspect_debate.v1.scorers.common import Values
from inspect_debate.v1.scorers.jury import jury, jury_values
from tests.v1.scorers.recorded import Recorded, score_records
from tests.v1.support.bet_records import Verdict, debate_with_bets, judged
from tests.v1.support.released import needs_data
from tests.v1.support.runs import metrics, samples, score_of, values
from tests.v1.support.tables import cells

PRO, OPP = "proposition", "opposition"
RISING = debate_with_bets((70, 60), (75, 60), (90, 80))


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


def test_sides_are_those_that_are_defended() -> None:
    rounds = ((70.0, 60.0), (75.0, 60.0), (90.0, 80.0))
    assert bet_values(debate_with_bets(*rounds, swapped=True)) == bet_values(RISING)
    two = ("house/one", "house/two")
    assert (
        won_values(debate_with_bets(*rounds, swapped=True, models=two))["self_debate"]
        == 0
    )


def test_a_missing_bet_is_missing_and_a_zero_is_a_zero() -> None:
    found = bet_values(debate_with_bets((0, 60), (None, 60), (50, None)))
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
    found = bet_values(debate_with_bets(closing))
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
    found = won_values(debate_with_bets((60, 60), verdicts=verdicts))
    assert found["proposition_won"] == near(by_sum)
    assert found["proposition_won_majority"] == near(by_majority)


def test_what_texts_hold() -> None:
    text = "The case for lamps. " * 20 + "\n\n**Private Confidence Bet: 75%**"
    thoughts = "I believe I have a 60% chance of winning."
    found = text_values(debate_with_bets((70, 50), texts=text, thoughts=thoughts))
    assert (found["bet_text_stripped"], found["bet_text_left"]) == (2, 0)
    assert found["short_speeches"] == 0
    assert found["stated_n"] == 2
    assert (found["stated_gap_sum"], found["stated_abs_gap_sum"]) == (0, 20)
    assert text_values(debate_with_bets((70, 50), texts="No."))["short_speeches"] == 2


DEBATES = [
    debate_with_bets((70, 60), (75, 60), (90, 80), verdicts=[[(PRO, 80)]]),
    debate_with_bets((50, 60), (50, None), (40, 60), verdicts=[[(OPP, 80)]]),
    debate_with_bets(
        (80, 80), (80, 80), (80, None), verdicts=[[(PRO, 80)], [(OPP, 80)]]
    ),
]


def scored(debates: Sequence[DebateRecord | None], log_dir: Path) -> dict[str, float]:
    log = score_records(debates, bets(), log_dir)
    return metrics(log, "bets")


def test_metrics_of_a_run_are_those_of_a_hand_count(tmp_path: Path) -> None:
    stopped = debate_with_bets((100, 100), (100, 100), (100, 100), complete=False)
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


def test_order_and_sides_do_not_matter(tmp_path: Path) -> None:
    mirrored = [
        debate_with_bets((60, 70), (60, 75), (80, 90), verdicts=[[(OPP, 80)]]),
        debate_with_bets((60, 50), (None, 50), (60, 40), verdicts=[[(PRO, 80)]]),
        debate_with_bets(
            (80, 80), (80, 80), (None, 80), verdicts=[[(PRO, 80)], [(OPP, 80)]]
        ),
    ]
    assert scored(DEBATES, tmp_path) == near_all(scored(mirrored[::-1], tmp_path))


def near_all(found: Values) -> object:
    return pytest.approx(found, nan_ok=True)


def test_a_score_tells_models_and_motion(tmp_path: Path) -> None:
    log = score_records([Recorded("", [RISING], {"motion": "lamps"})], bets(), tmp_path)
    (sample,) = samples(log)
    logged = score_of(sample, "bets").metadata
    assert logged is not None
    assert logged["sides"] == {PRO: "house/one", OPP: "house/two"}
    assert logged["motion"] == "lamps"
    assert isnan(values(sample, "bets")["correct"])


def panel(*jurors: list[Verdict]) -> DebateRecord:
    return debate_with_bets((60, 60), verdicts=jurors, jury_passes=2)


FOR: Verdict = (PRO, 80.0)
AGAINST: Verdict = (OPP, 60.0)
UNREAD: Verdict = (None, None)


def test_the_verdicts_of_one_debate() -> None:
    found = jury_values(panel([FOR, AGAINST], [FOR, UNREAD], [AGAINST, AGAINST]))
    assert (found["verdict_judge_1_1"], found["verdict_judge_1_2"]) == (1, 0)
    assert isnan(found["verdict_judge_2_2"])
    assert isnan(found["confidence_judge_2_2"])
    assert (found[f"votes_{PRO}"], found[f"votes_{OPP}"]) == (2, 3)
    assert (found[f"confidence_{PRO}"], found[f"confidence_{OPP}"]) == (160, 180)
    assert (found["dissent"], found["unanimous"]) == (2, 0)
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (5, 1)


def test_a_verdict_that_was_never_given_has_its_place() -> None:
    full, partial = panel([FOR, FOR], [FOR, FOR]), panel([FOR], [FOR])
    assert jury_values(full).keys() == jury_values(partial).keys()
    assert isnan(jury_values(partial)["verdict_judge_1_2"])
    assert jury_values(partial)["unanimous"] == 1


def test_without_a_vote_there_is_no_unanimity() -> None:
    found = jury_values(panel([UNREAD], [UNREAD]))
    assert isnan(found["unanimous"])
    assert isnan(found["dissent"])


def test_both_orders_are_kept_apart() -> None:
    one = debate_with_bets((60, 60), verdicts=[[FOR]], order="both")
    other = judged("judge", 0, OPP, 70.0).model_copy(update={"order": "ba"})
    found = jury_values(one.model_copy(update={"turns": (*one.turns, other)}))
    assert (found["verdict_judge_1_ab"], found["verdict_judge_1_ba"]) == (1, 0)


DEBATES_JURY = [
    panel([FOR, FOR], [FOR, FOR]),
    panel([FOR, AGAINST], [AGAINST, AGAINST]),
    panel([AGAINST, AGAINST], [AGAINST, UNREAD]),
    panel([FOR, FOR], [(OPP, 80.0), (OPP, 80.0)]),
]


def test_metrics_of_a_run_are_those_of_a_hand_count_jury(tmp_path: Path) -> None:
    log = score_records(DEBATES_JURY, jury(), tmp_path)
    found = metrics(log, "jury")
    assert found["for_proposition"] == pytest.approx(7 / 15)
    assert found["for_proposition_judge_1"] == pytest.approx(5 / 8)
    assert found["for_proposition_judge_2"] == pytest.approx(2 / 7)
    assert found["unanimous"] == pytest.approx(2 / 4)
    # Agreeing pairs among all of a debate, then the mean over debates.
    assert found["agreement"] == pytest.approx((1 + 3 / 6 + 1 + 2 / 6) / 4)
    assert found["repeated"] == pytest.approx(6 / 7)
    assert found["tied"] == 1
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (15, 1)


STATED = [
    ("I give myself a 65% chance of winning here.", (65, 65)),
    ("I take my chances of winning to be around 70%.", (70, 70)),
    ("Overall I'd put our odds at 72.5 percent.", (72.5, 72.5)),
    ("We have about a 75-80% chance of winning.", (75, 80)),
    ("I have a 60% to 70% probability of victory.", (60, 70)),
    ("I rate our chances of winning at 80/100.", (80, 80)),
    ("My confidence is 55 out of 100.", (55, 55)),
    ("**Win probability:** 65–70%", (65, 70)),
    ("I am 90% confident that we will win.", (90, 90)),
    ("I’m 85% sure.", (85, 85)),
    ("So I am 75% likely to prevail.", (75, 75)),
    ("A poll shows 40% trust.\nThat leaves me a 60% win probability.", (60, 60)),
    ("I give us a 70% chance of winning. Yes, a 70% chance.", (70, 70)),
    ("Recorded the balance of arguments, I see a 0% chance of winning.", (0, 0)),
    ("I have a 100% chance of winning.", (100, 100)),
]
NOT_STATED = [
    "",
    *cells("""
        I am fairly confident of winning.   I will bet 60 tokens.
        My confidence of 80 comes from our sources.   Hence my confidence bet of 60%.
        I bet on a 75% chance of winning.
        My chances of winning are slightly above 50%.
        I have at least an 85% chance of winning.   My confidence can't exceed 50%.
        I am not 70% confident.   I doubt that I have a 70% chance of winning.
        There is an inherent 50% chance of winning.
        I face a 50% baseline probability of winning.
        If I had more time, I would have an 80% chance of winning.
        My opponent has a 60% chance of winning.
        I think the opposition has a 60% chance of winning.
        I see a 60% chance that the opponent will win.   I have a 40% chance of losing.
        Both sides have a 50% chance of winning.
        I cited a study with 95% confidence in it.
        Our evidence gives a 95% confidence interval.
        I showed that the mission has a 95% chance of success.
        Public confidence stands at 60%.   The odds are 55/45 in my favour.
        My chance is 0.7.   I have a 150% chance of winning.
        I have an 80-70% chance of winning.   My chances of winning are 1000%.
    """),
    "Debating an identical copy of me, I have a 50% chance of winning.",
    "I have a 60% chance of winning, or rather a 70% chance of winning.",
]


@pytest.mark.parametrize(("text", "range"), STATED)
def test_a_stated_chance(text: str, range: tuple[float, float]) -> None:
    assert stated_probability(text) == range


@pytest.mark.parametrize("text", NOT_STATED)
def test_what_states_none(text: str) -> None:
    assert stated_probability(text) is None


@pytest.mark.parametrize(
    "text",
    ["60% chance " * 10_000, "I " * 50_000, "chance" * 20_000, " " * 100_000 + "5%"],
)
def test_long_texts_are_read_at_once(text: str) -> None:
    assert stated_probability(text) is None


@needs_data
def test_agreement_with_the_published_labels() -> None:
    folder = Path(os.environ["INSPECT_DEBATE_DATA"], "llms_overconfidence")
    found: Counter[tuple[bool, bool | None]] = Counter()
    for file in folder.glob("bet_analysis_results_*.json"):
        for entry in json.loads(file.read_text(encoding="utf-8")):
            label = entry["analysis"]["betting_alignment"]
            ends = [float(end) for end in label["internal_confidence"].split("-")]
            stated = stated_probability(entry["raw_thoughts"])
            same = None if stated is None else stated == (ends[0], ends[-1])
            found[label["numeric_confidence_present"], same] += 1
    assert found == {
        (True, True): 468,
        (True, False): 2,
        (True, None): 149,
        (False, True): 2,
        (False, False): 1,
        (False, None): 777,
    }
