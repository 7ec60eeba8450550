"""Wrong parameters end with one clear sentence before any call."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task

from inspect_debate.core.errors import InputError
from inspect_debate.evals.colmad import colmad
from tests.support.models import calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import dataset, item, run


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
        ({"config.quotes": "khan"}, ["config.quotes='khan'", "exact"]),
        ({"reuse": "none.eval"}, ["reuse=none.eval", "no log"]),
        ({"reuse_until": "verdict"}, ["reuse_until='verdict'", "answers, debate"]),
        ({"reuse_until": "answers"}, ["reuse_until=answers", "reuse=LOG"]),
        ({"protocol": "single", "reuse_until": "bogus"}, ["reuse_until='bogus'"]),
        ({"protocol": "single", "rounds": 3}, ["rounds=3", "protocol=single"]),
        ({"protocol": "judge_alone", "reuse": "x"}, ["reuse='x'", "judge_alone"]),
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
