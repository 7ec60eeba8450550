"""Items, answers and rounds, by hand."""

import math
from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.reports.srdcr.rows import OF_SRDCR
from tests.v1.reports.srdcr.made_clash import (
    FOUR,
    MODEL,
    NONE,
    UNKNOWN,
    Case,
    data,
    scores,
)

DOUBTED = Case("q1", 2, "right", "passage", (1, 0, 0))
"""The passage is wrong, the prior answer right; the judge sees that."""

ABSTAINS = Case("q2", 1, "other", "passage", (1, 1, 0), confidence=0.5)
TRUSTED = Case("q3", 0, "other", "right", (0, 1, 1), confidence=0.2)
UNREAD = Case("q4", 0, "right", "right", (1, 1, NONE))
ALL = (DOUBTED, ABSTAINS, TRUSTED, UNREAD)


def cell(answers: pd.DataFrame, key: str, sample: str, **at: Any) -> dict[str, Any]:
    found = answers[(answers["key"] == key) & (answers["sample"].str[:2] == sample)]
    for name, value in at.items():
        found = found[found[name] == value]
    assert len(found) == 1, found
    return {str(name): value for name, value in found.iloc[0].items()}


def test_what_an_item_says() -> None:
    frame = data(scores("srdcr", ALL)).items
    first = frame.iloc[0]
    assert first["model"] == "gpt-4o-2024-08-06"
    assert (first["condition"], first["details"]) == ("srdcr", "")
    assert (first["sample"], first["half"]) == ("q1-perturbed", "perturbed")
    assert (first["severity"], first["answer_set"]) == (2, "srdcr.eval")
    assert first["calls"] == 14  # of the scorer clash, not of the other one
    assert frame.columns.is_unique


@pytest.mark.parametrize(
    ("key", "sample", "strict", "answered", "context", "prior"),
    [
        ("few_shot", "q1", 0, 1, 1, 0),
        ("prior", "q1", 1, 1, 0, 1),
        ("srdcr", "q1", 1, 1, 0, 1),
        ("srdcr", "q2", 0, 0, 0, 0),
        ("acvd_only", "q2", 0, 1, 0, 1),
        ("srdcr", "q3", 1, 1, 1, 0),
        ("srdcr", "q4", NONE, NONE, NONE, NONE),
        ("golden", "q4", 1, 1, 1, 1),
    ],
)
def test_conditions_of_a_run(
    key: str, sample: str, strict: float, answered: float, context: float, prior: float
) -> None:
    found = cell(data(scores("srdcr", ALL)).answers, key, sample)
    values = [found[name] for name in ("strict", "answered", "context", "prior")]
    assert values == pytest.approx([strict, answered, context, prior], nan_ok=True)


def test_calibrated_probabilities_are_ranks_in_the_run() -> None:
    cases = [
        Case("q1", 1, "right", "passage", confidence=0.5, contextual_confidence=0.9),
        Case("q2", 1, "right", "passage", confidence=0.1, contextual_confidence=0.95),
        Case("q3", 1, "right", "passage", confidence=NONE),
    ]
    answers = data(scores("golden", cases)).answers
    # Each is the higher or the lower of its kind: 0.5 outranks 0.9.
    assert cell(answers, "calibrated_token_prob", "q1")["strict"] == 1
    assert cell(answers, "calibrated_token_prob", "q2")["strict"] == 0
    assert math.isnan(cell(answers, "calibrated_token_prob", "q3")["strict"])
    assert cell(answers, "token_prob", "q1")["strict"] == 0


def test_rounds_say_what_would_have_been_decided() -> None:
    rounds = data(scores("srdcr", ALL)).rounds
    assert set(rounds["round"]) == {0, 1, 2}
    series = [cell(rounds, "srdcr", "q1", round=n) for n in range(3)]
    assert [one["strict"] for one in series] == [0, 1, 1]
    assert [one["verdict"] for one in series] == [1, 0, 0]
    series = [cell(rounds, "srdcr", "q2", round=n) for n in range(3)]
    assert [one["answered"] for one in series] == [1, 1, 0]
    assert cell(rounds, "acvd_only", "q2", round=2)["prior"] == 1
    assert math.isnan(cell(rounds, "srdcr", "q4", round=2)["strict"])


def test_the_last_round_is_the_decision() -> None:
    made = data(scores("srdcr", ALL))
    rounds, answers = made.rounds, made.answers
    last = rounds[rounds["round"] == 2]
    for key in ("srdcr", "acvd_only"):
        for one in ("q1", "q2", "q3", "q4"):
            names = ("strict", "answered", "context", "prior")
            found, decided = cell(last, key, one), cell(answers, key, one)
            assert [found[n] for n in names] == pytest.approx(
                [decided[n] for n in names], nan_ok=True
            )


def test_what_was_not_debated_is_what_both_answers_say() -> None:
    agreed = Case("q1", 0, "right", "right", confidence=0.1, debated=False)
    rounds = data(scores("srdcr", [agreed])).rounds
    found = [cell(rounds, "srdcr", "q1", round=n) for n in range(3)]
    assert [one["strict"] for one in found] == [1, 1, 1]
    assert all(math.isnan(one["verdict"]) for one in found)


def test_a_condition_of_two_runs_is_there_once() -> None:
    own = scores("few_shot", [DOUBTED._replace(contextual="other")])
    answers = data(own, scores("srdcr", ALL)).answers
    found = cell(answers, "few_shot", "q1")
    assert (found["run"], found["context"]) == ("srdcr", 1)
    assert len(answers) == len(ALL) * 8
    answers = data(own, scores("golden", ALL)).answers
    found = cell(answers, "few_shot", "q1")
    assert (found["run"], found["context"]) == ("few_shot", 0)  # its own protocol's
    assert cell(answers, "few_shot", "q2")["run"] == "golden"  # the other has no q2
    answers = data(scores("golden", ALL), scores("token_prob", [DOUBTED])).answers
    assert cell(answers, "prior", "q1")["run"] == "token_prob"  # the newest
    assert cell(answers, "prior", "q2")["run"] == "golden"


@pytest.mark.parametrize("protocol", sorted({*OF_SRDCR} - {"prior", "srdcr"}))
def test_conditions_of_two_answers_are_those_of_sr_dcr(protocol: str) -> None:
    anew = scores(protocol, [one._replace(prior="other") for one in ALL])
    answers = data(scores("srdcr", ALL), anew).answers
    assert set(answers["run"]) == {"srdcr"}
    few = scores("srdcr", [DOUBTED], parameters={"rounds": 2})
    answers = data(few, anew).answers
    assert cell(answers, "golden", "q1")["run"] == "srdcr"  # though not as in the study
    assert cell(answers, "golden", "q2")["run"] == protocol  # the other has no q2


def test_other_parameters_are_conditions_beside_sr_dcrs() -> None:
    bold = scores(
        "confidence_only",
        [DOUBTED._replace(confidence=0.1)],
        parameters={"tau": 0.8},
        reuse="srdcr.eval",
    )
    answers = data(scores("srdcr", ALL), bold).answers
    found = cell(answers, "confidence_only", "q1", variant="tau=0.8")
    assert (found["run"], found["strict"]) == ("confidence_only", 0)
    found = cell(answers, "confidence_only", "q1", variant="")
    assert (found["run"], found["strict"]) == ("srdcr", 1)
    assert cell(answers, "few_shot", "q1")["run"] == "srdcr"


def test_other_parameters_of_a_debate_are_variants() -> None:
    seeing = scores(
        "srdcr",
        [DOUBTED._replace(verdicts=(1, 1, 1))],
        run="seeing",
        parameters={"critic_sees_context": True},
    )
    answers = data(scores("srdcr", [DOUBTED]), seeing).answers
    found = answers[answers["key"] == "acvd_only"].set_index("run")
    assert found.loc["seeing", "strict"] == 0
    assert found.loc["srdcr", "strict"] == 1
    assert found["variant"].nunique() == 2
    assert cell(answers, "few_shot", "q1")["variant"] == ""
    rounds = data(scores("srdcr", [DOUBTED]), seeing).rounds
    assert len(rounds) == 2 * 2 * 3


@pytest.mark.parametrize(
    ("protocol", "given", "details"),
    [
        ("srdcr", {}, ""),
        ("srdcr", {"parameters": {"rounds": 5}}, "rounds=5"),
        ("judge_debate", {"parameters": {"rounds": 5}}, ""),
        ("judge_debate", {"parameters": {"judge_after": [1, 3, 5]}}, ""),
        ("judge_debate", {"parameters": {"judge_after": [1]}}, "judge_after=[1]"),
        ("few_shot", {"parameters": {"tau": 0.8, "answer": {"seed": None}}}, "tau=0.8"),
        ("few_shot", {"parameters": {"answer": {"seed": 2}}}, "answer.seed=2"),
        ("few_shot", {"parameters": {"recall_samples": 32, "questions": 3}}, ""),
        ("srdcr", {"parameters": {"confidence_from": "both"}}, ""),
        ("srdcr", {"parameters": {"reuse_until": "answers"}, "reuse": "a.eval"}, ""),
        ("srdcr", {"judge": "openrouter/openai/gpt-4o"}, "judge=gpt-4o"),
        ("srdcr", {"debater_b": "x/y", "seed": 1}, "debater_b=y, seed=1"),
        ("srdcr", {"prompts": "0123456789abcdef"}, "prompts=012345"),
        ("srdcr", {"settings": {"top_p": 0.5}}, "model.top_p=0.5"),
        ("srdcr", {"task_version": "0-A"}, "version=0-A"),
    ],
)
def test_titles_have_what_differs_from_the_study(
    protocol: str, given: dict[str, Any], details: str
) -> None:
    if "settings" in given:
        given = given | {"settings": pd.Series([given["settings"]])}
    frame = data(scores(protocol, [DOUBTED], **given)).items
    assert frame["details"].tolist() == [details]
    assert frame["title"].iloc[0].endswith(details)


def test_another_judge_makes_another_condition() -> None:
    judged = scores("srdcr", [DOUBTED], run="judged", judge="acme/judge")
    frame = data(scores("srdcr", [DOUBTED]), judged).items
    assert set(frame["details"]) == {"", "judge=judge"}
    assert frame["model"].nunique() == 1


def test_answers_that_are_used_again_are_one_set() -> None:
    first = scores("few_shot", [DOUBTED])
    again = scores("srdcr", [DOUBTED], reuse="few_shot.eval")
    third = scores("golden", [DOUBTED], reuse="srdcr.eval")
    fourth = scores("self_ask", [DOUBTED._replace(own="right")])
    frame = data(first, again, third, fourth).items
    sets = dict(zip(frame["run"], frame["answer_set"], strict=True))
    assert sets == {
        "few_shot": "few_shot.eval",
        "srdcr": "few_shot.eval",
        "golden": "few_shot.eval",
        "self_ask": "self_ask.eval",
    }


def test_the_model_of_several_agents_is_theirs() -> None:
    agents = {f"debater_a_{n}": MODEL for n in (1, 2, 3)}
    frame = scores("naive_debate", [DOUBTED._replace(own="right")], debater_a=None)
    assert data(frame.assign(models=pd.Series([agents]))).items["model"].tolist() == [
        "gpt-4o-2024-08-06"
    ]


def test_the_run_with_most_estimates_of_an_item_counts() -> None:
    found = data(scores("srdcr", FOUR), scores("golden", UNKNOWN)).estimates
    assert len(found) == 4
    assert set(found["run"]) == {"srdcr"}  # though the other is newer
    found = data(scores("srdcr", FOUR), scores("golden", FOUR)).estimates
    assert set(found["run"]) == {"golden"}


def test_models_of_the_paper_come_first() -> None:
    other = scores("srdcr", FOUR, run="b", model="acme/other")
    found = data(other, scores("srdcr", FOUR, run="a"))
    for frame in (found.items, found.answers, found.rounds, found.estimates):
        assert list(dict.fromkeys(frame["Model"])) == ["GPT-4o", "acme/other"]
