"""Whose gain: the gap recovered, gains by truth, and rewards by truth."""

from typing import Any

import pandas as pd
import pytest

from inspect_debate.debate.record import Parsed
from inspect_debate.metrics.gain import NO_GAP
from inspect_debate.reports.elements import Table
from inspect_debate.reports.generative import gain
from inspect_debate.reports.generative.comparisons import Data
from inspect_debate.reports.generative.report import REPORT
from inspect_debate.reports.generative.rows import in_order
from inspect_debate.reports.generative.specification import (
    NO_RECORDS,
    REWARD,
    reward_rows,
)
from inspect_debate.reports.views import Part
from tests.reports.generative.made import (
    NONE,
    QWEN,
    Round,
    joined,
    made_items,
    names,
    only_row,
    row,
    section,
)
from tests.support.generative_records import drawn, record_of, ruled, stated

# Of eight questions, both answers, what a judge without and with speeches says.
TRUTH = ["11", "11", "11", "10", "10", "01", "00", "00"]
SILENT = ["11", "10", "01", "10", "01", "01", "00", "11"]
SPOKEN = ["11", "11", "11", "10", "10", "01", "11", "00"]
ALONE = ["1", "0", "0", "0", "0", "0", "0", "0"]


def dual(protocol: str, rulings: list[str], **more: Any) -> pd.DataFrame:
    rounds = zip(TRUTH, rulings, strict=True)
    return made_items(
        protocol, [Round(f"q{n}", *of) for n, of in enumerate(rounds)], **more
    )


def alone(**more: Any) -> pd.DataFrame:
    """The judge's own answers: one of eight is right."""
    own = [Round(f"q{n}", right, "") for n, right in enumerate(ALONE)]
    return made_items("direct_qa", own, **more)


def debates() -> list[pd.DataFrame]:
    return [dual("dual_no_transcript", SILENT), dual("dual_debate", SPOKEN)]


def test_the_gap_recovered_is_of_accepted_answers() -> None:
    """Of 16 answers 9 are right: the gap is from 1/8 to 9/16.

    With speeches the answers called correct are right in all of the first six
    questions, and in none of the others.
    """
    found = row(joined(*debates(), alone()), "recovered", Condition="Dual debate")
    assert (found["Judge alone"], found["Debaters"]) == (1 / 8, 9 / 16)
    assert found["Outcome"] == 6 / 8
    assert found["Gap recovered"] == pytest.approx((6 / 8 - 1 / 8) / (9 / 16 - 1 / 8))
    assert found["FPR"] == 2 / 7
    assert found["Samples"] == 8


def test_a_judge_that_calls_all_correct_recovers_everything() -> None:
    found = row(joined(dual("dual_debate", ["11"] * 8), alone()), "recovered")
    assert (found["Gap recovered"], found["FPR"]) == (1, 1)


def test_unread_verdicts_are_left_out() -> None:
    rulings = ["?1", *SPOKEN[1:]]
    found = row(joined(dual("dual_debate", rulings), alone()), "recovered")
    assert (found["Samples"], found["Outcome"]) == (7, 5 / 7)


def test_no_gap_no_share() -> None:
    own = made_items(
        "direct_qa", [Round(f"q{n}", of[0], "") for n, of in enumerate(TRUTH)]
    )
    found = row(joined(dual("dual_debate", SPOKEN), own), "recovered")
    assert found["Why no share"] == NO_GAP
    assert "Gap recovered" not in found


@pytest.mark.parametrize(
    "own",
    [
        alone(family=f" > {QWEN}"),
        alone(version="2"),
        joined(alone(variant="x"), alone(variant="y")),
    ],
)
def test_another_judge_or_other_data_are_not_the_judge_alone(own: pd.DataFrame) -> None:
    items = joined(dual("dual_debate", SPOKEN), own)
    assert "recovered" not in names(section(items, "Whose gain"))


def test_what_to_run_is_said() -> None:
    (part,) = [
        part
        for part in REPORT.parts
        if isinstance(part, Part) and part.title == "Whose gain"
    ]
    found = part.section(Data(in_order(dual("dual_no_transcript", SILENT))))
    assert not found.items
    assert "-T protocol=direct_qa" in found.text


def test_gains_where_both_one_or_no_answer_is_right() -> None:
    """Verdicts by question: without speeches 1, 0, 0, 1, 0, 1, 1, 0; with them
    1, 1, 1, 1, 1, 1, 0, 1.
    """
    items = joined(*debates(), alone())
    compared = "Dual debate less Dual, no transcript"
    by_hand = {
        "All": (8, 7 / 8 - 4 / 8, 2 / 7 - 3 / 7),
        "All right": (3, 2 / 3, NONE),
        "Contested": (3, 1 / 3, -1 / 3),
        "All wrong": (2, 0, 0),
    }
    for name, (samples, gained, fpr) in by_hand.items():
        found = row(items, "gain_regimes", Compared=compared, Answers=name)
        assert found["Samples"] == samples
        assert found["Gain"] == pytest.approx(gained)
        assert found["FPR change"] == pytest.approx(fpr, nan_ok=True)
    whole = row(items, "gain_regimes", Answers="All")
    assert (whole["Judge alone"], whole["Debaters"]) == (1 / 8, 9 / 16)
    assert "Judge alone" not in row(joined(*debates()), "gain_regimes", Answers="All")


# Rewards.


def test_rewards_of_a_record() -> None:
    """A is right and B wrong; one reward could not be read."""
    record = record_of(
        "RW",
        drawn("debater_a", 1, 0.2, 0.8, chosen=2),
        drawn("debater_b", 1, None, -0.4, chosen=2),
        ruled("CC"),
        protocol="dual_debate",
    )
    assert [*reward_rows(record)] == [
        ("debater_a", 1, 0.2, False, False, 1.0),
        ("debater_a", 1, 0.8, True, False, 1.0),
        ("debater_b", 1, -0.4, True, False, 0.0),
    ]


def test_a_critic_is_right_if_its_stance_is() -> None:
    def critic(graded: str, stance: str) -> list[Any]:
        said = stated("debater_b", 1, stance)
        said = said.model_copy(
            update={"fields": {**said.fields, "reward": Parsed.ok(0.5)}}
        )
        record = record_of(graded, said, ruled("C"), protocol="single_debate")
        return [*reward_rows(record)]

    for graded, stance, right in (("R", "A", 1), ("R", "D", 0), ("W", "D", 1)):
        assert critic(graded, stance) == [("debater_b", 1, 0.5, True, True, right)]
    for graded, stance in (("R", "?"), ("E", "A")):
        ((*_, unknown),) = critic(graded, stance)
        assert unknown != unknown


def rewarded(*rows: tuple[str, str, list[float], float], critic: bool = False) -> Data:
    """Speeches by (question, speaker, rewards with the chosen one first, right)."""
    items = in_order(dual("dual_debate", SPOKEN, best_of=3))
    run = items["run"].iloc[0]
    candidates = [
        (run, question, 1, who, 1, value, place == 0, critic, right)
        for question, who, values, right in rows
        for place, value in enumerate(values)
    ]
    frame = pd.DataFrame(candidates, columns=pd.Index(REWARD))
    return Data(items, records=NO_RECORDS._replace(rewards=frame))


def shown(data: Data, name: str) -> Table:
    (found,) = [
        i
        for show in gain.SHOWS
        for i in show(data)
        if isinstance(i, Table) and i.name == name
    ]
    return found


def test_rewards_by_whether_the_speaker_is_right() -> None:
    data = rewarded(
        ("q0", "debater_a", [0.9, 0.3, 0.3], 1),
        ("q1", "debater_a", [0.6, 0.2, 0.4], 1),
        ("q3", "debater_b", [0.5, 0.1, -0.3], 0),
        ("q4", "debater_b", [0.1, -0.1, 0.1], 0),
        ("q5", "debater_b", [0.7], 0),
        ("q6", "debater_b", [0.7, 0.1], NONE),
    )
    table = shown(data, "reward_truth")
    right, wrong, apart = (
        only_row(table, Speaker=name) for name in ("right", "wrong", "right less wrong")
    )
    assert right["All"] == pytest.approx((0.5 + 0.4) / 2)
    assert right["Chosen"] == pytest.approx(0.75)
    assert right["Rest"] == pytest.approx(0.3)
    assert right["Chosen less rest"] == pytest.approx((0.6 + 0.3) / 2)
    assert right["Variance"] == pytest.approx((0.12 + 0.04) / 2)
    assert (wrong["Speeches"], wrong["Candidates"]) == (2, 6)
    assert wrong["Chosen less rest"] == pytest.approx((0.6 + 0.1) / 2)
    assert apart["All"] == pytest.approx(0.45 - (0.1 + 0.1 / 3) / 2)
    assert apart["Chosen less rest"] == pytest.approx(0.45 - 0.35)
    low, high = apart["All low"], apart["All high"]
    assert low < apart["All"] < high


def test_choosing_among_stances() -> None:
    """Of one critic's candidates two of three are right, and a right one is chosen."""
    rows = [
        ("q0", "debater_b", [0.9, 0.1, 0.2], 1.0),
        ("q1", "debater_b", [0.5, 0.2], 0.0),
    ]
    data = rewarded(*rows, critic=True)
    rewards = data.records.rewards.assign(right=[1.0, 0.0, 1.0, 0.0, 0.0])
    data = Data(data.items, records=NO_RECORDS._replace(rewards=rewards))
    found = only_row(shown(data, "reward_stances"))
    assert found["Candidates right"] == pytest.approx((2 / 3 + 0) / 2)
    assert found["Chosen right"] == 0.5
    assert found["Difference"] == pytest.approx((1 / 3) / 2)
    proposers = rewarded(*rows)
    assert [*gain.STANCES(proposers)] == []
