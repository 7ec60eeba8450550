"""Conditions, what each is compared with, and how samples are paired."""

import json
from typing import Any

import pandas as pd
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.generative.comparisons import (
    PairingError,
    alike,
    differences,
    pair_up,
    partner,
)
from inspect_debate.reports.generative.rows import (
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
from inspect_debate.reports.generative.tables import tally_line
from inspect_debate.solvers.formats import FORMATS
from tests.reports.generative.made import (
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
    items = joined(
        made_items("dual_no_transcript", DUAL, family=OTHER),
        made_items("dual_no_transcript", DUAL, family=QWEN),
        made_items("dual_no_transcript", DUAL),
        made_items("dual_consultancy", DUAL),
        made_items("dual_debate", DUAL, best_of=4),
        made_items("dual_debate", DUAL, variant="turn_order=sequential"),
        made_items("dual_debate", DUAL),
        made_items("dual_debate", DUAL, version="2"),
        made_items("dual_debate", DUAL, split="evaluation"),
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


def test_providers_of_one_family_are_apart() -> None:
    other = GPT.replace("openai/", "azure/")
    items = joined(
        made_items("dual_debate", DUAL), made_items("dual_debate", DUAL, family=other)
    )
    headings = in_order(items)["heading"].unique()
    assert [*headings] == [f"{other}, ARC-AGI-1", f"{GPT}, ARC-AGI-1"]


@pytest.mark.parametrize(
    ("of", "others", "found"),
    [
        (condition("dual_debate"), [condition("dual_consultancy")], 0),
        (condition("dual_debate"), [condition("single_consultancy")], None),
        (condition("dual_debate", 4), [condition("dual_consultancy")], None),
        (condition("dual_debate", variant="x"), [condition("dual_consultancy")], 0),
        (condition("dual_debate"), [condition("dual_consultancy", variant="x")], 0),
        (
            condition("dual_debate", variant="x"),
            [condition("dual_consultancy"), condition("dual_consultancy", variant="x")],
            1,
        ),
        (
            condition("dual_debate", variant="z"),
            [condition("dual_consultancy", variant=name) for name in "xy"],
            None,
        ),
    ],
)
def test_what_a_debate_is_compared_with(
    of: Condition, others: list[Condition], found: int | None
) -> None:
    rows = dict.fromkeys([of, *others], made_items("dual_debate", DUAL))
    wanted = None if found is None else others[found]
    assert partner(rows, of, "consultancy") == wanted


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
    told = json.loads(judging(run(settings=settings, parameters=parameters)))
    assert told == {
        **{"verdict": found, "max_reasks": 1, "order": "hash"},
        "task version": "1",
    }


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
    best = made_items(
        "dual_debate", DUAL, best_of=4, settings={"reward.temperature": 1}
    )
    assert not differences(made_items("dual_debate", DUAL), best)
    other = made_items("dual_consultancy", DUAL, best_of=4)
    assert differences(best, other) == ["reward.temperature (1 against the default)"]


def test_several_settings_in_one_condition_differ_as_those_of_two() -> None:
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


def refusal(a: pd.DataFrame, b: pd.DataFrame) -> str:
    with pytest.raises(PairingError) as refused:
        pair_up(a, b, what="debate and consultancy")
    assert isinstance(refused.value, InputError)
    return refused.value.message


def test_pairs_are_in_the_same_order() -> None:
    paired = pair_up(DEBATE, CONSULTANCY[::-1], what="")
    assert paired.a["question_id"].tolist() == paired.b["question_id"].tolist()
    assert list(paired.a.columns) == list(paired.b.columns)
    assert paired.a["title"].unique().tolist() == ["Dual debate"]
    assert paired.drops == {}
    assert paired.independent


def test_everything_that_is_left_out_is_counted_by_cause() -> None:
    a = made_items(
        "dual_debate",
        [
            *DUAL,
            *(Round(f"only{n}", "11", "11") for n in range(3)),
            *(Round("epochs", "11", "11", epoch=n) for n in (1, 2, 3)),
            Round("failed", "11", "11"),
            Round("unread", "11", "1?"),
            Round("tied", "11", "1?", more={"verdict_ok": 1, "verdict_tied": 1}),
            Round("unknown", "1?", "11"),
        ],
    )
    names = ("epochs", "failed", "unread", "tied")
    b = made_items(
        "dual_consultancy",
        [
            *DUAL,
            *(Round(name, "11", "11") for name in names),
            Round("unknown", "1?", "11"),
            Round("theirs", "11", "11"),
        ],
    )
    paired = pair_up(a, unscored(b, 3), what="")
    assert paired.a["question_id"].tolist() == ["epochs", "q1", "q2"]
    assert paired.drops == {
        "in one of the two only": 4,
        "epochs that only one of them has": 2,
        "failed or not scored": 1,
        "verdict not read": 1,
        "verdict tied": 1,
        "answer of unknown worth": 1,
    }


def test_epochs_of_a_question_are_not_independent() -> None:
    twice = [Round("q1", "11", "11", epoch=epoch) for epoch in (1, 2)]
    a, b = (made_items(name, twice) for name in ("dual_debate", "dual_consultancy"))
    paired = pair_up(a, b, what="")
    assert len(paired.a) == 2
    assert not paired.independent


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("judge", "other/judge", "have different judges"),
        ("prompts", "abc", "have different prompts"),
        ("version", "2", "have different versions of the data"),
        ("dataset", "bcb_plus", "have different data sets"),
        ("data", "published 4567", "have different sources or revisions of the data"),
    ],
)
def test_other_settings_are_refused(column: str, value: str, says: str) -> None:
    was = CONSULTANCY[column].iloc[0]
    said = refusal(DEBATE, CONSULTANCY.assign(**{column: value}))
    assert said == (
        f"debate and consultancy {says}, so they are not paired: {was} against {value}."
    )
    mixed = CONSULTANCY.assign(judge=["one", "two"])
    assert "different judges" in refusal(mixed, mixed)


def test_other_answers_are_refused_however_few() -> None:
    many = [Round(f"q{n}", "10", "11") for n in range(9)]
    other = [Round(f"q{n}", "10", "11", answers="'" if n > 4 else "") for n in range(9)]
    a, b = made_items("dual_debate", many), made_items("dual_consultancy", other)
    assert refusal(a, b) == (
        "debate and consultancy put different answers to the judge in 4 of 9 shared "
        "samples (first: q5 epoch 1, q6 epoch 1, q7 epoch 1, ...), so they are not "
        "paired; run one of them with reuse=LOG of the other and reuse_until=answers."
    )
    assert "in 1 of 5" in refusal(a[1:6], b[1:6])
    assert len(pair_up(a[:5], b[:5], what="").a) == 5
    unknown: Any = [None, None]
    frames = (rows.assign(answer_set_id=unknown) for rows in (DEBATE, CONSULTANCY))
    assert "in 2 of 2 shared samples" in refusal(*frames)
    paired = pair_up(unscored(DEBATE, 0), CONSULTANCY, what="")
    assert paired.drops == {"failed or not scored": 1}


def test_the_second_answer_matters_to_dual_conditions_alone() -> None:
    dual = made_items("dual_debate", [Round("q1", "10", "11")])
    other = made_items("dual_consultancy", [Round("q1", "11", "11")])
    single = made_items("single_debate", [Round("q1", "1", "1")])
    assert "in 1 of 1" in refusal(dual, other)
    assert len(pair_up(dual, single, what="").a) == 1
    wrong = made_items("single_debate", [Round("q1", "0", "1")])
    assert "put different answers A to the judge in 1 of 1" in refusal(wrong, dual)


def test_a_sample_that_is_there_twice_is_refused() -> None:
    twice = joined(DEBATE, DEBATE[:1].assign(log="again.eval"))
    said = refusal(CONSULTANCY, twice)
    assert "1 sample more than once in " in said
    assert "again.eval" in said
    assert "(first: q1 epoch 1)" in said
