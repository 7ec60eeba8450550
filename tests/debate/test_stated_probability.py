"""What counts as a stated chance of winning, and what does not."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from inspect_debate.scorers.bets import stated_probability

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
    ("Given the balance of arguments, I see a 0% chance of winning.", (0, 0)),
    ("I have a 100% chance of winning.", (100, 100)),
]
NOT_STATED = [
    "",
    "I am fairly confident of winning.",
    "I will bet 60 tokens.",
    "My confidence of 80 comes from our sources.",
    "Hence my confidence bet of 60%.",
    "I bet on a 75% chance of winning.",
    "My chances of winning are slightly above 50%.",
    "I have at least an 85% chance of winning.",
    "My confidence can't exceed 50%.",
    "I am not 70% confident.",
    "I doubt that I have a 70% chance of winning.",
    "There is an inherent 50% chance of winning.",
    "I face a 50% baseline probability of winning.",
    "Debating an identical copy of me, I have a 50% chance of winning.",
    "If I had more time, I would have an 80% chance of winning.",
    "My opponent has a 60% chance of winning.",
    "I think the opposition has a 60% chance of winning.",
    "I see a 60% chance that the opponent will win.",
    "I have a 40% chance of losing.",
    "Both sides have a 50% chance of winning.",
    "I cited a study with 95% confidence in it.",
    "Our evidence gives a 95% confidence interval.",
    "I showed that the mission has a 95% chance of success.",
    "Public confidence stands at 60%.",
    "The odds are 55/45 in my favour.",
    "My chance is 0.7.",
    "I have a 60% chance of winning, or rather a 70% chance of winning.",
    "I have a 150% chance of winning.",
    "I have an 80-70% chance of winning.",
    "My chances of winning are 1000%.",
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


@pytest.mark.skipif(
    "INSPECT_DEBATE_DATA" not in os.environ, reason="needs the published files"
)
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
