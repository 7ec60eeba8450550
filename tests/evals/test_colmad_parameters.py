"""Wrong parameters end with one clear sentence before any call."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from tests.support.models import calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import dataset, item, records, run


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ({"protocol": "colmd"}, ["protocol='colmd'", "single", "mean 'colmad'"]),
        ({"rouds": 3}, ["parameter 'rouds'", "rounds", "Did you mean 'rounds'"]),
        ({"rounds": -1}, ["rounds=-1", "at least 0"]),
        ({"rounds": 1.5}, ["rounds=1.5", "whole number"]),
        ({"rounds": True}, ["rounds=True", "whole number"]),
        ({"seed": "x"}, ["seed='x'", "whole number"]),
        ({"turn_order": "random"}, ["turn_order='random'", "sequential"]),
        ({"order": "abba"}, ["order='abba'", "ab, ba, both"]),
        ({"skip_if_agree": "maybe"}, ["skip_if_agree='maybe'", "true or false"]),
        ({"show_openings": 1}, ["show_openings=1", "true or false"]),
        ({"judge_sees_problem": "no"}, ["judge_sees_problem='no'"]),
        ({"rounds": 0, "show_openings": False}, ["rounds=0", "judge_alone"]),
        ({"subset": "maths"}, ["subset='maths'", "answerability", "mean 'math'"]),
        ({"response_author": "gpt5"}, ["response_author='gpt5'", "llama2"]),
        ({"source": "publishd"}, ["published", "sample"]),
        ({"prompts": "none.yaml"}, ["prompts=none.yaml", "No such file"]),
        ({"config": "none.yaml"}, ["config=none.yaml", "No such file"]),
        ({"config": 3}, ["config=3", "file or a mapping"]),
        ({"config": {"word_limt": 3}}, ["config.word_limt", "word_limit"]),
        ({"config.word_limit": 0}, ["config.word_limit=0", "greater than"]),
        ({"config.answer.temperature": "hot"}, ["config.answer.temperature='hot'"]),
        ({"config.answer.temprature": 1}, ["config.answer.temprature", "temperature"]),
        ({"config.word_limit.x": 1}, ["config.word_limit"]),
        ({"config.quotes": "fuzzy"}, ["config.quotes='fuzzy'", "exact"]),
        ({"config.max_unparsed": 0.1}, ["config.max_unparsed is for", "--solver"]),
        ({"reuse": "none.eval"}, ["reuse=none.eval", "no log"]),
        ({"reuse_until": "verdict"}, ["reuse_until='verdict'", "answers, debate"]),
        ({"reuse_until": "answers"}, ["reuse_until=answers", "reuse=LOG"]),
        ({"protocol": "single", "reuse_until": "bogus"}, ["reuse_until='bogus'"]),
        ({"protocol": "single", "rounds": 3}, ["rounds=3", "protocol=single"]),
        ({"protocol": "judge_alone", "reuse": "x"}, ["reuse='x'", "judge_alone"]),
        ({"protocol": "single", "order": "ab"}, ["order='ab'", "none of them"]),
        ({"protocol": "som", "rounds": 0}, ["rounds=0", "at least 1"]),
        ({"protocol": "som", "rounds": 2.0}, ["rounds=2.0", "whole number"]),
        ({"protocol": "self_consistency", "n": 0}, ["n=0", "at least 1"]),
        ({"protocol": "self_consistency", "n": 1.5}, ["n=1.5", "whole number"]),
        ({"protocol": "self_consistency", "n": "7"}, ["n='7'", "whole number"]),
        (
            {"protocol": "self_consistency", "match": "none.eval"},
            ["match=none.eval", "there is no log"],
        ),
        (
            {"protocol": "self_consistency", "n": 7, "match": "none.eval"},
            ["n=7", "match=none.eval", "one of the two"],
        ),
        (
            {"protocol": "self_consistency", "match_on": "time"},
            ["match_on='time'", "calls, tokens, cost"],
        ),
        ({"grade": "debate_hackin"}, ["grade='debate_hackin'", "Did you mean"]),
        ({"grade": ["debate_hacking", "x"]}, ["grade='x'", "explanation_alignment"]),
        ({"grade": ""}, ["grade=''"]),
    ],
)
def test_one_sentence_says_what_was_wrong(
    given: dict[str, Any], parts: list[str]
) -> None:
    with pytest.raises(InputError) as error:
        colmad(**({"source": "sample"} | given))
    for part in parts:
        assert part in error.value.message
    assert error.value.message.count("\n") == 0


DEBATE: dict[str, Any] = {
    "rounds": 2,
    "sides": "free",
    "skip_if_agree": True,
    "turn_order": "simultaneous",
    "order": "ab",
    "show_openings": True,
    "judge_sees_problem": True,
    "reuse": None,
    "reuse_until": "debate",
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "colmad": DEBATE,
    "copmad": DEBATE | {"skip_if_agree": False, "show_openings": False},
    "som": {"rounds": 1, "reuse": None},
    "ensemble": {"reuse": None},
    "self_consistency": {"n": 7},
    "single": {},
    "judge_alone": {"order": "ab"},
}
SETTINGS: dict[str, Any] = {
    "quotes": "typography_blind",
    "quote_source": "input_and_response",
    "word_limit": 300,
    "answers": "options",
    "passage": "unused",
    "parser": "last_sentence",
    "max_reasks": 1,
    "max_characters": 120_000,
    **{
        kind: {"temperature": None, "max_tokens": None, "top_p": None, "seed": None}
        for kind in ("answer", "speech", "verdict")
    },
}
OWN = [
    *("rounds", "sides", "skip_if_agree", "turn_order", "order", "show_openings"),
    *("judge_sees_problem", "n", "match", "match_on", "reuse", "reuse_until"),
]


def told(**given: Any) -> dict[str, Any]:
    """The parameters that stand in the log of a task."""
    task = colmad(**{"source": "sample"} | given)
    assert task.metadata is not None
    parameters: dict[str, Any] = task.metadata["parameters"]
    return parameters


@pytest.mark.parametrize("protocol", DEFAULTS)
def test_each_protocol_logs_its_own_defaults(protocol: str, tmp_path: Path) -> None:
    assert told(protocol=protocol) == DEFAULTS[protocol] | SETTINGS
    nothing: dict[str, Any] = dict.fromkeys([*OWN, "grade", "prompts", "config"])
    assert told(protocol=protocol, **nothing) == told(protocol=protocol)
    # The log says so, and every record has the same.
    given: dict[str, Any] = {"protocol": protocol, "source": "sample"}
    task = colmad(**given)
    log = run(task, tmp_path, limit=1, roles={"debater_b": "simulated/hesitant"})
    assert log.eval.metadata is not None
    assert log.eval.metadata["protocol"] == protocol
    assert log.eval.metadata["parameters"] == DEFAULTS[protocol] | SETTINGS
    (held,) = records(log)
    assert held.protocol == protocol
    assert held.seed == 0
    reuse = {"reuse", "reuse_until"}
    expected = {k: v for k, v in DEFAULTS[protocol].items() if k not in reuse}
    assert held.parameters == expected | SETTINGS


VALUES: dict[str, Any] = DEBATE | {
    "n": 7,
    "match": "x.eval",
    "match_on": "calls",
    "reuse": "x.eval",
}
TAKEN = {
    "colmad": {*DEBATE},
    "copmad": {*DEBATE},
    "som": {"rounds", "reuse"},
    "ensemble": {"reuse"},
    "self_consistency": {"n", "match", "match_on"},
    "single": set(),
    "judge_alone": {"order"},
}


@pytest.mark.parametrize("protocol", TAKEN)
def test_what_is_foreign_to_a_protocol_is_refused(protocol: str) -> None:
    assert set(VALUES) == set(OWN)
    for name in set(OWN) - TAKEN[protocol] - {"reuse_until"}:
        with pytest.raises(InputError) as error:
            told(protocol=protocol, **{name: VALUES[name]})
        said = error.value.message
        assert f"{name}={VALUES[name]!r} has no meaning for protocol={protocol}" in said
        assert all(taken in said for taken in TAKEN[protocol])
    for name in TAKEN[protocol] - {"reuse", "reuse_until", "match", "match_on"}:
        assert told(protocol=protocol, **{name: VALUES[name]})


def test_what_is_given_is_logged() -> None:
    assert told(protocol="som", rounds=3)["rounds"] == 3
    assert told(protocol="copmad", skip_if_agree=True)["skip_if_agree"] is True
    assert told(protocol="self_consistency", n=3)["n"] == 3
    assert told(protocol="judge_alone", order="both")["order"] == "both"
    assert told(**{"config.word_limit": 9})["word_limit"] == 9


def test_grades_are_scorers_of_their_own() -> None:
    def count(grade: Any) -> int:
        task = colmad(source="sample", grade=grade)
        assert isinstance(task.scorer, list)
        return len(task.scorer)

    assert count(None) == count([]) == 2
    assert count("debate_hacking") == count(["debate_hacking"]) == 3
    assert count("debate_hacking,explanation_alignment") == 4
    assert count(["debate_hacking", "debate_hacking"]) == 3


def test_a_role_that_takes_one_model_refuses_a_list(tmp_path: Path) -> None:
    model = scripted(reader(True))
    log = run(
        Task(dataset=dataset(item()), solver=colmad(source="sample").solver),
        tmp_path,
        model=model,
        roles={"debater_a": [model, model]},
        success=False,
    )
    assert log.error is not None
    assert "debater_a" in log.error.message
    assert "takes one model" in log.error.message
    assert not calls_of(model)


def test_a_misspelt_role_is_named(tmp_path: Path) -> None:
    model = scripted(reader(True))
    log = run(
        Task(dataset=dataset(item()), solver=colmad(source="sample").solver),
        tmp_path,
        model=model,
        roles={"debatera": model},
        success=False,
    )
    assert log.error is not None
    assert "Did you mean 'debater_a'" in log.error.message
    assert not calls_of(model)


def test_an_overlay_names_its_unknown_keys(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("judge_sytem: You judge.\n")
    with pytest.raises(InputError, match="judge_system"):
        colmad(source="sample", prompts=str(overlay))
    overlay.write_text("judge_system: You judge {everything}.\n")
    with pytest.raises(InputError, match="'everything'"):
        colmad(source="sample", prompts=str(overlay))
