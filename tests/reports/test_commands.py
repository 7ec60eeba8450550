"""Commands repeat the same samples with the same settings, or are not given."""

import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, ModelConfig

from inspect_debate.reports.logs import Log, open_logs
from inspect_debate.reports.provenance import commands
from tests.reports.made_logs import single


def log(config: Mapping[str, Any], **spec: Any) -> Log:
    opened = open_logs(single())[0]
    header = opened.header.model_copy(deep=True)
    for name, value in ({"limit": None} | dict(config)).items():
        setattr(header.eval.config, name, value)
    for name, value in spec.items():
        setattr(header.eval, name, value)
    return replace(opened, header=header)


@pytest.mark.parametrize(
    ("config", "typed"),
    [
        ({"limit": 1}, "--limit 1"),
        ({"limit": (2, 5)}, "--limit 3-5"),
        ({"sample_id": ["a", "b c"]}, "--sample-id 'a,b c'"),
        ({"sample_shuffle": True}, "--sample-shuffle true"),
        ({"sample_shuffle": 7}, "--sample-shuffle 7"),
        ({"token_limit": 9}, "--token-limit 9"),
        ({"token_limit": 9, "token_limit_type": "output"}, "--token-limit output:9"),
        ({"message_limit": 3, "cost_limit": 0.5}, "--message-limit 3 --cost-limit 0.5"),
    ],
)
def test_which_samples_were_run(config: dict[str, Any], typed: str) -> None:
    (command,) = commands([log(config)])
    assert command.endswith(typed)


@pytest.mark.parametrize("config", [{"sample_id": "a,b"}, {"sample_shuffle": 1}])
def test_what_cannot_be_typed_is_no_command(config: dict[str, Any]) -> None:
    (command,) = commands([log(config)])
    assert command.startswith(f"# {single().name}: not all settings fit")


def test_lists_of_models_with_settings_and_of_texts() -> None:
    set_up = ModelConfig(model="p/x", config=GenerateConfig(temperature=0.5))
    (command,) = commands(
        [
            log(
                {},
                model_roles={"judge": [set_up, ModelConfig(model="p/y")]},
                model_generate_config=GenerateConfig(stop_seqs=["x", "y"]),
            )
        ]
    )
    words = shlex.split(command)
    assert 'judge=[{"model": "p/x", "temperature": 0.5}, "p/y"]' in words
    assert words[words.index("--stop-seqs") + 1] == "x,y"


def test_files_are_named_without_their_folders() -> None:
    (command,) = commands(
        [
            log(
                {},
                task_args_passed={"source": "/home/me/x.jsonl", "prompts": "~/p.yaml"},
            )
        ]
    )
    assert "-T source=x.jsonl -T prompts=p.yaml" in command
