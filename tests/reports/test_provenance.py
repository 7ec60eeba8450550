"""Where numbers come from: runs, data, prompts and parameters, each told once."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalRevision

from inspect_debate.reports.elements import Table
from inspect_debate.reports.logs import Log, open_logs
from inspect_debate.reports.provenance import (
    Run,
    by_value,
    command_list,
    data_table,
    parameters_table,
    prompts_table,
    provenance_section,
    ranges,
    run_table,
)
from tests.reports.made_logs import foreign, panel, single


def opened(path: Path, **changes: Any) -> Log:
    """A log with other metadata."""
    (log,) = open_logs(path)
    header = log.header.model_copy(deep=True)
    header.eval.metadata = (header.eval.metadata or {}) | changes
    return replace(log, header=header)


def told(table: Table | None) -> dict[tuple[str, str], str]:
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
    runs = {log.header.eval.eval_id: Run("an arm", 0)}
    first, second = rows(run_table([log, other], runs))
    assert (first["Run"], first["Condition"], first["Status"]) == (
        1,
        "an arm",
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
    assert told(data_table(logs)) == {
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
    found = told(parameters_table([opened(panel()), opened(single())]))
    assert found["order", "both"] == "1"
    assert found["max_reasks", "1"] == "1–2"
    warm = opened(single())
    warm.header.eval.model_generate_config.temperature = 0.5
    assert told(parameters_table([warm]))["model.temperature", "0.5"] == "1"


def test_logs_of_other_tasks_have_what_they_have() -> None:
    (log,) = open_logs(foreign())
    section = provenance_section([log], {})
    names = [item.name for item in section.items if isinstance(item, Table)]
    assert names == ["runs"]
    assert "`inspect eval " in section.text
    assert "None" not in section.text


def test_without_commands_nothing_is_said_of_them() -> None:
    assert command_list("What is missing:", []) == ""
    assert command_list("Missing:", ["a b"]) == "Missing:\n\n- `a b`"
    section = provenance_section([opened(single())], {}, again=[], absent="Missing.")
    assert section.text == "Missing."
