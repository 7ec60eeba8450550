"""Faults of the person at the terminal: one sentence, before any call."""

from pathlib import Path
from typing import Annotated, Any

import pytest
from click import Command, Context
from pydantic import Field

from inspect_debate.debate.errors import InputError, validated
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.solvers import baselines
from inspect_debate.solvers.colmad import colmad, copmad

PROTOCOLS = [colmad, copmad, baselines.som, baselines.ensemble, baselines.single,
             baselines.self_consistency, baselines.judge_alone]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"round": 3}, ["'round'", "'rounds'"]),
        ({"rounds": "two"}, ["rounds", "'two'"]),
        ({"rounds": -1}, ["rounds", "-1"]),
        ({"rounds": True}, ["rounds", "True"]),
        ({"rounds": 1.5}, ["rounds", "1.5"]),
        ({"reminders": -1}, ["reminders", "-1"]),
        ({"word_limit": 0}, ["word_limit", "0"]),
        ({"order": "xy"}, ["order", "'xy'", "'both'"]),
        ({"seed": "x"}, ["seed", "'x'"]),
        ({"quotes": "perhaps"}, ["quotes", "'perhaps'"]),
        ({"parser": "llm"}, ["parser", "'realmistake'"]),
        ({"rounds": 0, "sides": "assigned"}, ["rounds=0", "judge_alone"]),
        ({"rounds": 0, "show_openings": False}, ["rounds=0"]),
    ],
)
@pytest.mark.parametrize("protocol", [colmad, copmad, colmad_task])
def test_parameters(protocol: Any, given: dict[str, Any], said: list[str]) -> None:
    source = {"source": "sample"} if protocol is colmad_task else {}
    with pytest.raises(InputError) as raised:
        protocol(**source, **given)
    assert all(part in str(raised.value) for part in said)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("protocol", "given"),
    [
        (baselines.som, {"rounds": 0}),
        (baselines.self_consistency, {"n": 0}),
        (baselines.self_consistency, {"temperature": 0}),
        (baselines.ensemble, {"rounds": 2}),
        (baselines.judge_alone, {"order": "a"}),
        *((protocol, {"reminders": -1}) for protocol in PROTOCOLS),
        *((protocol, {"max_tokens": "many"}) for protocol in PROTOCOLS),
        *((protocol, {"prompts": "/no/such/file.yaml"}) for protocol in PROTOCOLS),
    ],
)
def test_parameters_of_baselines(protocol: Any, given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=str(next(iter(given)))):
        protocol(**given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"protocol": "colmda"}, "'colmad'"),
        ({"grade": "hacking"}, "debate_hacking"),
        ({"subset": "maths"}, "'?math'?"),
        ({"response_author": "gpt5"}, "'?gpt4'?"),
        ({"protocol": "single", "rounds": 2}, "rounds"),
        ({"protocl": "single"}, "'protocol'"),
        ({"source": "no.zip"}, "no.zip"),
        ({"source": "/no/such/folder"}, "/no/such/folder"),
    ],
)
def test_parameters_of_the_task(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        colmad_task(**{"source": "sample", **given})


def test_a_run_without_a_model_ends_before_it_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INSPECT_EVAL_MODEL", "none/none")  # as `inspect eval` has it
    with Context(Command("eval"), info_name="eval"), pytest.raises(InputError) as said:
        colmad_task(source="sample")
    assert "--model" in str(said.value)


def test_numbers_are_never_booleans() -> None:
    @validated
    def f(n: Annotated[int, Field(ge=0)] = 0, share: float = 0, on: bool = True) -> Any:
        return n, share, on

    assert f(n=2, share=1, on=False) == (2, 1.0, False)
    for given in ({"n": True}, {"share": True}):
        with pytest.raises(InputError):
            f(**given)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("speach: hello", "'speech'"),
        ("speech: 'Hello {{ nmae }}'", "'name'"),
        ("speech: 'Hello {{ name'", "speech"),
        ("speech: '{% include \"nothing\" %}'", "nothing"),
        ("speech: [a", "cannot be read"),
        ("speech: 3", "speech"),
        ("1: text", "1"),
        ("- a", "prompts"),
        ("", "prompts"),
    ],
)
def test_prompts_of_the_users_own(tmp_path: Path, text: str, said: str) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text(text)
    with pytest.raises(InputError, match=said) as raised:
        colmad(prompts=str(overlay))
    assert str(overlay) in str(raised.value)
