"""Where numbers come from, and commands that repeat runs."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalRevision, read_eval_log, write_eval_log
from inspect_ai.model import GenerateConfig, ModelConfig

from inspect_debate.reports.elements import Table
from inspect_debate.reports.logs import Log, open_logs
from inspect_debate.reports.provenance import (
    Run,
    by_value,
    commands,
    data_table,
    parameters_table,
    prompts_table,
    provenance_section,
    ranges,
    run_table,
)
from tests.reports.made_logs import foreign, panel, sharded, single


def opened(path: Path, **changes: Any) -> Log:
    """A log with other metadata."""
    (log,) = open_logs(path)
    header = log.header.model_copy(deep=True)
    header.eval.metadata = (header.eval.metadata or {}) | changes
    return replace(log, header=header)


def runs_by_value(table: Table | None) -> dict[tuple[str, str], str]:
    assert table is not None
    return {(row["Name"], row["Value"]): row["Runs"] for row in rows(table)}


def rows(table: Table | None) -> list[dict[Any, Any]]:
    assert table is not None
    return table.frame.to_dict("records")


@pytest.mark.parametrize(
    ("numbers", "said"),
    [([], ""), ([3], "3"), ([1, 2], "1–2"), ([1, 2, 3, 5, 7, 8], "1–3, 5, 7–8")],
)
def test_runs_are_named_by_their_numbers(numbers: Sequence[int], said: str) -> None:
    assert ranges(numbers) == said


def test_each_value_is_told_once_in_its_own_order() -> None:
    values = [{"b": 1, "a": 2}, None, {"a": 2, "b": 1}, {"a": 3}]
    found = list(by_value(values))
    assert found == [("1, 3", {"b": 1, "a": 2}), ("4", {"a": 3})]
    assert list(found[0][1]) == ["b", "a"]


def test_runs_have_their_versions_and_what_became_of_them() -> None:
    log, other = opened(panel(), seed=3), opened(single())
    log.header.eval.revision = EvalRevision(
        type="git", origin="somewhere", commit="0123456789abcdef", dirty=True
    )
    runs = {log.header.eval.eval_id: Run("a condition", 0)}
    first, second = rows(run_table([log, other], runs))
    assert (first["Run"], first["Condition"], first["Status"]) == (
        1,
        "a condition",
        "superseded",
    )
    assert (first["Revision"], first["Suite"]) == (
        "0123456789+",
        version("inspect-debate"),
    )
    assert (first["Seed"], first["Task version"]) == (3, log.metadata["task_version"])
    assert first["Models"] == (
        "simulated/balanced; debater_b: simulated/hesitant; "
        "judge: simulated/balanced, simulated/first_speaker"
    )
    assert (second["Run"], second["Status"]) == (2, "success")
    assert pd.isna(second["Condition"])
    plain = run_table([other], {other.header.eval.eval_id: Run("it", 4)})
    assert {"Revision", "Uses again"}.isdisjoint(plain.frame)


def test_data_are_told_with_their_source_and_counts() -> None:
    data: dict[str, Any] = {
        "source": "published",
        "revision": "0123456789abcdef",
        "left_out": {"short": 2, "odd": 1},
        "balance": {"asked": 9, "by_kind": {"x": {"y": 1}}},
        "nothing": None,
        "none": {},
        "no": [],
    }
    logs = [opened(single(), data=data), opened(panel(), data={"source": "published"})]
    assert runs_by_value(data_table(logs)) == {
        ("Source", "published"): "1–2",
        ("Revision", "0123456789abcdef"): "1",
        ("Left out", "short: 2, odd: 1"): "1",
        ("Balance: asked", "9"): "1",
    }
    assert data_table([opened(single(), data=None)]) is None


def test_prompts_go_by_their_hash_and_file() -> None:
    log, other = opened(single()), opened(single(), prompts={"one": "Say it."})
    other.header.eval.task_args = {"prompts": "/folder/of/mine.yaml"}
    own, laid = rows(prompts_table([log, other, log]))
    assert (own["Runs"], laid["Runs"], laid["Texts"]) == ("1, 3", "2", 1)
    assert pd.isna(own["File"])
    assert laid["File"] == "mine.yaml"
    assert own["Hash"] != laid["Hash"]
    assert "File" not in rows(prompts_table([log]))[0]


def test_parameters_are_those_that_the_runs_had() -> None:
    found = runs_by_value(parameters_table([opened(panel()), opened(single())]))
    assert found["order", "both"] == "1"
    assert found["max_reasks", "1"] == "1–2"
    warm = opened(single())
    warm.header.eval.model_generate_config.temperature = 0.5
    assert runs_by_value(parameters_table([warm]))["model.temperature", "0.5"] == "1"


def test_logs_of_other_tasks_have_what_they_have() -> None:
    (log,) = open_logs(foreign())
    section = provenance_section([log], {})
    names = [item.name for item in section.items if isinstance(item, Table)]
    assert names == ["runs"]
    assert "`inspect eval " in section.text
    assert "None" not in section.text


# Commands repeat the same samples with the same settings, or are not given.


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


def test_a_run_in_shards_takes_the_logs_of_all_shards(tmp_path: Path) -> None:
    for path in sharded(single(), tmp_path).rglob("*.eval"):
        part = read_eval_log(str(path))
        part.eval.task_args_passed |= {"reuse": f"logs/{path.parent.name}.eval"}
        part.eval.config.limit = len(part.eval.dataset.sample_ids or [])
        write_eval_log(part, str(path))
    (log,) = open_logs(tmp_path)
    (command,) = commands([log])
    ids = command.partition(" --sample-id ")[2].split(",")
    assert sorted(ids) == sorted(str(summary.id) for summary in log.summaries)
    assert "--limit" not in command
    assert " -T reuse=1_of_2.eval,2_of_2.eval " in command
    assert "shard" not in command


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
