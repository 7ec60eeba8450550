"""Conditions, what each is compared with, and how samples are paired."""

import json
from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.reports.generative.comparisons import (
    Comparison,
    alike,
    differences,
    partner,
)
from inspect_debate.v1.reports.generative.rows import (
    PROTOCOLS,
    Condition,
    benchmark_title,
    conditions_in,
    family_key,
    format_of,
    in_order,
    judging,
    speaking,
    titled,
)
from inspect_debate.v1.reports.generative.tables import tally_line
from inspect_debate.v1.solvers.formats import FORMATS
from tests.v1.reports.generative.made import (
    GPT,
    QWEN,
    Round,
    data,
    joined,
    made_items,
    unscored,
)

DUAL = [Round("q1", "10", "11"), Round("q2", "00", "01")]
SINGLE = [Round("q1", "1", "1"), Round("q2", "0", "0")]
OTHER = "acme/one > acme/two"


def condition(protocol: str, best_of: int = 1, variant: str = "") -> Condition:
    proposers, interaction = FORMATS[protocol]
    return Condition(GPT, "arc", "1", "both", proposers, interaction, best_of, variant)


def test_conditions_are_in_the_order_of_the_study() -> None:
    changes: tuple[dict[str, Any], ...] = (
        *({"best_of": 4}, {"variant": "turn_order=sequential"}, {}),
        *({"version": "2"}, {"split": "evaluation"}),
    )
    items = joined(
        *(made_items("dual_no_transcript", DUAL, family=of) for of in (OTHER, QWEN)),
        made_items("dual_no_transcript", DUAL),
        made_items("dual_consultancy", DUAL),
        *(made_items("dual_debate", DUAL, **change) for change in changes),
    )
    found = list(conditions_in(in_order(items)))
    assert list(dict.fromkeys(of.family for of in found)) == [GPT, QWEN, OTHER]
    assert [of.title for of in found[:5]] == [
        "Dual debate",
        "Dual debate, best of 4",
        "Dual debate, turn_order=sequential",
        "Dual consultancy",
        "Dual, no transcript",
    ]
    benchmarks = list(dict.fromkeys(of.benchmark for of in found))
    assert benchmarks == ["ARC-AGI-1", "ARC-AGI-1, evaluation", "ARC-AGI-2"]
    # One family of two providers is two.
    other = GPT.replace("openai/", "azure/")
    of_both = [
        made_items("dual_debate", DUAL, family=family) for family in (GPT, other)
    ]
    headings = in_order(joined(*of_both))["heading"].unique()
    assert [*headings] == [f"{other}, ARC-AGI-1", f"{GPT}, ARC-AGI-1"]


@pytest.mark.parametrize(
    ("of", "others", "found"),
    [
        (("dual_debate",), [("dual_consultancy",)], 0),
        (("dual_debate",), [("single_consultancy",)], None),
        (("dual_debate", 4), [("dual_consultancy",)], None),
        (("dual_debate", 1, "x"), [("dual_consultancy",)], 0),
        (("dual_debate",), [("dual_consultancy", 1, "x")], 0),
        (
            ("dual_debate", 1, "x"),
            [("dual_consultancy",), ("dual_consultancy", 1, "x")],
            1,
        ),
        (
            ("dual_debate", 1, "z"),
            [("dual_consultancy", 1, "x"), ("dual_consultancy", 1, "y")],
            None,
        ),
    ],
)
def test_what_a_debate_is_compared_with(
    of: Any, others: list[Any], found: int | None
) -> None:
    made = [condition(*other) for other in (of, *others)]
    rows = dict.fromkeys(made, made_items("dual_debate", DUAL))
    wanted = None if found is None else made[found + 1]
    assert partner(rows, made[0], "consultancy") == wanted


def test_without_a_transcript_there_is_nothing_to_choose() -> None:
    silent, chosen = condition("dual_no_transcript"), condition("dual_debate", 4)
    rows = dict.fromkeys([chosen, silent], made_items("dual_debate", DUAL))
    assert partner(rows, chosen, "none") == silent
    assert alike(rows, chosen, "none") == [silent]
    assert alike(rows, chosen, "consultancy") == []


def test_names() -> None:
    assert list(PROTOCOLS) == list(FORMATS)
    assert format_of("dual_debate", 0) == "dual_no_transcript"
    assert format_of("single_debate", 2) == "single_debate"
    assert titled("single_debate", 4, "x=1") == "Single debate, best of 4, x=1"
    assert [family_key(name) for name in (GPT, QWEN, OTHER)] == ["gpt5", "qwen3", None]
    assert family_key("gpt-5-nano > gpt-5-mini") is None
    for of, title in {
        ("arc", "sample", "sample"): "ARC, shipped sample",
        ("bcb_plus", "v1.0.2", ""): "BigCodeBench-Plus v1.0.2",
        ("bcb", "v0.1.4", ""): "BigCodeBench v0.1.4",
        ("bcb", "own", ""): "BigCodeBench, own",
        ("bcb_plus", "sample", ""): "BigCodeBench-Plus, shipped sample",
        ("arc", "own", ""): "ARC tasks, own",
        ("arc", "mine", "training"): "ARC tasks, mine, training",
    }.items():
        assert benchmark_title(*of) == title


# How verdicts and speeches were asked for.


def run(**changed: Any) -> dict[str, Any]:
    given = {
        "parameters": {"max_reasks": 1, "order": "hash", "rounds": 2},
        "settings": {},
        "task_version": "1",
        "interaction": "debate",
        "best_of": 1,
        "debater_a": "a",
        "debater_b": "b",
        "reward": None,
    }
    return given | changed


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
    shaped = json.loads(judging(run(settings=settings, parameters=parameters)))
    others = {"max_reasks": 1, "order": "hash", "task version": "1"}
    assert shaped == {"verdict": found, **others}


def test_those_who_speak_have_a_model_and_settings() -> None:
    spoken = run(
        settings={"debater_b.temperature": 0.2},
        parameters={"speech": {"max_tokens": 9}, "word_limit": 50},
    )
    assert json.loads(speaking(spoken)) == {
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
        ({"parameters": {"rounds": 5}}, "rounds (2 against 5)"),
        (
            {"parameters": {"speech": {"temperature": 0}}},
            "debater_a.temperature (the default against 0); "
            "debater_b.temperature (the default against 0)",
        ),
    ],
)
@pytest.mark.parametrize("variant", ["", "named"])
def test_conditions_that_were_not_asked_for_alike_are_not_compared(
    changed: dict[str, Any], said: str, variant: str
) -> None:
    items = joined(
        made_items("dual_debate", DUAL, variant=variant, **changed),
        made_items("dual_consultancy", DUAL),
    )
    found = data(items)
    assert not found.consultancy.made
    (reason,) = found.consultancy.refused
    assert reason.endswith(f"were not asked for alike, so they are not paired: {said}.")
    assert tally_line(found) == ""
    both = joined(items, made_items("dual_consultancy", DUAL, variant="too", **changed))
    (made,) = data(both).consultancy.made
    assert made.other.variant == "too"


def test_speeches_do_not_matter_where_the_other_has_none() -> None:
    changed: dict[str, Any] = {"parameters": {"rounds": 5}}
    items = joined(
        made_items("dual_debate", DUAL, variant="rounds=5", **changed),
        made_items("dual_no_transcript", DUAL),
        made_items("single_debate", SINGLE, **HOT),
        made_items("single_no_transcript", SINGLE),
    )
    found = data(items).no_transcript
    assert [one.condition.title for one in found.made] == ["Dual debate, rounds=5"]
    (reason,) = found.refused
    assert "Single debate and Single, no transcript were not asked for" in reason


def test_what_only_one_of_two_can_have_is_no_difference() -> None:
    turns: dict[str, Any] = {"parameters": {"turn_order": "sequential"}}
    debate = made_items("single_debate", SINGLE, variant="turns", **turns)
    consultancy = made_items("single_consultancy", SINGLE)
    assert not differences(debate, consultancy)
    (made,) = data(joined(debate, consultancy)).consultancy.made
    assert made.condition.title == "Single debate, turns"
    # Of two debates either has an order of turns.
    plain = made_items("single_debate", SINGLE)
    said = "turn_order (simultaneous against sequential)"
    assert differences(plain, debate) == [said]
    rewarded: dict[str, Any] = {"settings": {"reward.temperature": 1}}
    best = made_items("dual_debate", DUAL, best_of=4, **rewarded)
    assert not differences(made_items("dual_debate", DUAL), best)
    other = made_items("dual_consultancy", DUAL, best_of=4)
    assert differences(best, other) == ["reward.temperature (1 against the default)"]
    # Several settings in one condition differ as those of two.
    mixed = joined(
        made_items("dual_debate", DUAL), made_items("dual_debate", DUAL, **HOT)
    )
    said = "verdict.temperature (the default against 1.5)"
    assert differences(mixed, mixed) == [said]


def test_without_a_transcript_the_plain_condition_is_preferred() -> None:
    silent = [
        made_items("dual_no_transcript", DUAL, variant=variant, run=variant or "plain")
        for variant in ("dual_consultancy rounds=0", "", "dual_debate x")
    ]
    debate = made_items("dual_debate", DUAL)
    (made,) = data(joined(debate, *silent)).no_transcript.made
    assert made.other.variant == ""
    (alone,) = data(joined(debate, silent[0])).no_transcript.made
    assert alone.title == (
        "Dual debate (against Dual, no transcript, dual_consultancy rounds=0)"
    )


# Pairs of samples.

DEBATE = made_items("dual_debate", DUAL)
CONSULTANCY = made_items("dual_consultancy", DUAL)
BOTH = "GPT-5-mini > GPT-5-nano, ARC-AGI-1: Dual debate and Dual consultancy"


def paired(*frames: pd.DataFrame) -> Comparison:
    (made,) = data(joined(*frames)).consultancy.made
    return made


def refusal(*frames: pd.DataFrame) -> str:
    found = data(joined(*frames)).consultancy
    assert not found.made
    (reason,) = found.refused
    return reason


def test_pairs_are_in_the_same_order() -> None:
    found = paired(DEBATE, CONSULTANCY[::-1])
    assert found.a["question_id"].tolist() == found.b["question_id"].tolist()
    assert list(found.a.columns) == list(found.b.columns)
    assert found.b["title"].unique().tolist() == ["Dual debate"]
    assert found.drops == {}
    assert found.independent
    twice = [Round("q1", "11", "11", epoch=epoch) for epoch in (1, 2)]
    epochs = [made_items(name, twice) for name in ("dual_debate", "dual_consultancy")]
    assert paired(*epochs).samples == 2
    assert not paired(*epochs).independent


def test_everything_that_is_left_out_is_counted_by_cause() -> None:
    tied = {"verdict_ok": 1, "verdict_tied": 1}
    ours = [
        *(Round(f"only{n}", "11", "11") for n in range(3)),
        *(Round("epochs", "11", "11", epoch=n) for n in (1, 2, 3)),
        Round("failed", "11", "11"),
        Round("unread", "11", "1?"),
        Round("tied", "11", "1?", more=tied),
        Round("unknown", "1?", "11"),
    ]
    names = ("failed", "epochs", "unread", "tied", "theirs")
    theirs = [*(Round(name, "11", "11") for name in names), ours[-1]]
    a = made_items("dual_debate", [*DUAL, *ours])
    b = made_items("dual_consultancy", [*theirs, *DUAL])
    found = paired(a, unscored(b, 0))
    assert sorted(found.questions) == ["epochs", "q1", "q2"]
    assert found.drops == {
        "in one of the two only": 4,
        "epochs that only one of them has": 2,
        "failed or not scored": 1,
        "verdict not read": 1,
        "verdict tied": 1,
        "answer of unknown worth": 1,
    }
    lost = paired(unscored(DEBATE, 0), CONSULTANCY)
    assert lost.drops == {"failed or not scored": 1}


def test_other_answers_are_refused_however_few() -> None:
    many = [Round(f"q{n}", "10", "11") for n in range(9)]
    other = [Round(f"q{n}", "10", "11", answers="'" if n > 4 else "") for n in range(9)]
    a, b = made_items("dual_debate", many), made_items("dual_consultancy", other)
    assert refusal(a, b) == (
        f"{BOTH} put different answers to the judge in 4 of 9 shared "
        "samples (first: q5 epoch 1, q6 epoch 1, q7 epoch 1, ...), so they are not "
        "paired; run one of them with reuse=LOG of the other and reuse_until=answers."
    )
    assert "in 1 of 5" in refusal(a[1:6], b[1:6])
    assert paired(a[:5], b[:5]).samples == 5
    unknown: Any = [None, None]
    frames = (rows.assign(answer_set_id=unknown) for rows in (DEBATE, CONSULTANCY))
    assert "in 2 of 2 shared samples" in refusal(*frames)


def test_a_sample_that_is_there_twice_is_refused() -> None:
    twice = joined(CONSULTANCY, CONSULTANCY[:1].assign(log="again.eval"))
    said = refusal(DEBATE, twice)
    assert said.startswith(f"{BOTH} cannot be paired: 1 sample more than once in ")
    assert "again.eval (first: q1 epoch 1)" in said
