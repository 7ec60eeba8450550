"""How verdicts and speeches were asked for, and what that keeps apart."""

import json
from typing import Any

import pytest

from inspect_debate.reports.generative.comparisons import compare, tally_line
from inspect_debate.reports.generative.frames import differences, judging, speaking
from tests.reports.generative.made import Round, joined, made_items

DUAL = [Round("q1", "10", "11"), Round("q2", "00", "01")]
SINGLE = [Round("q1", "1", "1"), Round("q2", "0", "0")]


def run(**changed: Any) -> dict[str, Any]:
    told = {
        "parameters": {"max_reasks": 1, "order": "hash", "rounds": 2},
        "settings": {},
        "task_version": "1",
        "interaction": "debate",
        "best_of": 1,
        "debater_a": "a",
        "debater_b": "b",
        "reward": None,
    }
    return told | changed


@pytest.mark.parametrize(
    ("settings", "verdict", "found"),
    [
        ({}, {}, {}),
        ({"top_p": 0.9}, {}, {"top_p": 0.9}),
        ({"temperature": 1}, {"temperature": 0, "top_p": None}, {"temperature": 0}),
        ({"judge.temperature": 1.5}, {"temperature": 0}, {"temperature": 1.5}),
        ({"debater_a.temperature": 1.5}, {}, {}),
        (
            {"judge_1.temperature": 1, "judge_2.effort": "high"},
            {"temperature": 0},
            {"temperature": 0, "judge_1.temperature": 1, "judge_2.effort": "high"},
        ),
    ],
)
def test_the_judge_s_own_settings_win_over_those_of_verdicts_and_of_the_run(
    settings: dict[str, Any], verdict: dict[str, Any], found: dict[str, Any]
) -> None:
    parameters = run()["parameters"] | {"verdict": verdict}
    told = json.loads(judging(run(settings=settings, parameters=parameters)))
    assert told == {
        **{"verdict": found, "max_reasks": 1, "order": "hash"},
        "task version": "1",
    }


def test_those_who_speak_have_a_model_and_settings() -> None:
    told = json.loads(
        speaking(
            run(
                settings={"debater_b.temperature": 0.2},
                parameters={"speech": {"max_tokens": 9}, "word_limit": 50},
            )
        )
    )
    assert told == {
        "debater_a": {"model": "a", "max_tokens": 9},
        "debater_b": {"model": "b", "max_tokens": 9, "temperature": 0.2},
        "word_limit": 50,
    }
    assert json.loads(speaking(run(interaction="none"))) == {}
    chosen = run(best_of=4, reward="r", parameters={"reward": {"top_p": 0.5}})
    assert json.loads(speaking(chosen))["reward"] == {"model": "r", "top_p": 0.5}
    assert "reward" not in json.loads(speaking(chosen | {"best_of": 1}))


HOT: dict[str, Any] = {"settings": {"judge.temperature": 1.5}}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (HOT, "verdict.temperature (the default against 1.5)"),
        (
            {"parameters": {"verdict": {"max_tokens": 50}}},
            "verdict.max_tokens (the default against 50)",
        ),
        ({"parameters": {"max_reasks": 3}}, "max_reasks (1 against 3)"),
        ({"parameters": {"order": "ab"}}, "order (hash against ab)"),
        ({"parameters": {"rounds": 5}}, "rounds (2 against 5)"),
        ({"parameters": {"word_limit": 50}}, "word_limit (250 against 50)"),
        (
            {"parameters": {"speech": {"temperature": 0}}},
            "debater_a.temperature (the default against 0); "
            "debater_b.temperature (the default against 0)",
        ),
    ],
)
@pytest.mark.parametrize("variant", ["", "named"])
def test_formats_that_were_not_asked_for_alike_are_not_compared(
    changed: dict[str, Any], said: str, variant: str
) -> None:
    items = joined(
        made_items("dual_debate", DUAL, variant=variant, **changed),
        made_items("dual_consultancy", DUAL),
    )
    found = compare(items, "consultancy")
    assert not found.made
    (reason,) = found.refused
    assert reason.endswith(f"were not asked for alike, so they are not paired: {said}.")
    assert tally_line(found) == ""
    both = joined(items, made_items("dual_consultancy", DUAL, variant="too", **changed))
    (made,) = compare(both, "consultancy").made
    assert made.other.variant == "too"


def test_speeches_do_not_matter_where_the_other_has_none() -> None:
    changed: dict[str, Any] = {"parameters": {"rounds": 5}}
    items = joined(
        made_items("dual_debate", DUAL, variant="rounds=5", **changed),
        made_items("dual_no_transcript", DUAL),
        made_items("single_debate", SINGLE, **HOT),
        made_items("single_no_transcript", SINGLE),
    )
    found = compare(items, "none")
    assert [one.cell.title for one in found.made] == ["Dual debate, rounds=5"]
    (reason,) = found.refused
    assert "Single debate and Single, no transcript were not asked for" in reason


def test_what_the_other_cannot_have_is_said_alone() -> None:
    turns: dict[str, Any] = {"parameters": {"turn_order": "sequential"}}
    debate = made_items("single_debate", SINGLE, variant="turns", **turns)
    consultancy = made_items("single_consultancy", SINGLE)
    assert not differences(debate, consultancy)
    (made,) = compare(joined(debate, consultancy), "consultancy").made
    assert made.cell.title == "Single debate, turns"
    # Of two debates either has an order of turns.
    plain = made_items("single_debate", SINGLE)
    assert differences(plain, debate) == [
        "turn_order (simultaneous against sequential)"
    ]


def test_a_reward_is_no_difference_from_first_speeches() -> None:
    first = made_items("dual_debate", DUAL)
    best = made_items(
        "dual_debate", DUAL, best_of=4, settings={"reward.temperature": 1}
    )
    assert not differences(first, best)
    other = made_items("dual_consultancy", DUAL, best_of=4)
    assert differences(best, other) == ["reward.temperature (1 against the default)"]


def test_several_settings_in_one_condition_differ_as_those_of_two() -> None:
    mixed = joined(
        made_items("dual_debate", DUAL), made_items("dual_debate", DUAL, **HOT)
    )
    assert differences(mixed, mixed) == [
        "verdict.temperature (the default against 1.5)"
    ]


def test_without_a_transcript_the_plain_format_is_preferred() -> None:
    silent = [
        made_items("dual_no_transcript", DUAL, variant=variant, run=variant or "plain")
        for variant in ("dual_consultancy rounds=0", "", "dual_debate x")
    ]
    debate = made_items("dual_debate", DUAL)
    (made,) = compare(joined(debate, *silent), "none").made
    assert made.other.variant == ""
    (alone,) = compare(joined(debate, silent[0]), "none").made
    assert alone.title == (
        "Dual debate (against Dual, no transcript, dual_consultancy rounds=0)"
    )
