"""`inspect-debate check` on simulated models, and over a wire with faults."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai.util import registry_info

from inspect_debate.evals.debate import QUESTION_PROTOCOLS
from inspect_debate.v1 import registry
from inspect_debate.v1.cli import check_runs
from inspect_debate.v1.cli.check import check as command
from inspect_debate.v1.cli.check_runs import CHECKS, STUDIES
from tests.v1.support.wire.replies import Reply
from tests.v1.support.wire.requests import ChatRequest
from tests.v1.support.wire.server import KEY, WireServer

OFFERED: Mapping[str, Iterable[str]] = {
    "debate": QUESTION_PROTOCOLS,
}
"""The protocols of each task."""

COVERED: Mapping[str, Mapping[str, str]] = {
    "debate": {
        **dict.fromkeys(("single", "ensemble", "self_consistency"), "som"),
    },
}
"""By study, protocols that are asked for in the forms of another one."""


def check(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def only(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Leave some checks."""
    kept = [check for check in CHECKS if check.name in names]
    assert len(kept) == len(names)
    monkeypatch.setattr(check_runs, "CHECKS", tuple(kept))


def test_every_task_of_the_suite_is_a_study_of_the_check() -> None:
    tasks = set()
    for name in registry.__all__:
        found = getattr(registry, name)
        try:
            tasks |= {name} if registry_info(found).type == "task" else set()
        except ValueError:  # it is not in Inspect's registry
            continue
    # The calls of a judge check are those of the judges of other tasks.
    assert tasks - {"judge_check"} == {*STUDIES} == OFFERED.keys()


@pytest.mark.parametrize("study", STUDIES)
def test_every_protocol_is_checked_or_covered(study: str) -> None:
    checked = {check.protocol for check in CHECKS if check.study == study}
    covered = COVERED.get(study, {})
    assert checked | covered.keys() == {*OFFERED[study]}
    assert not checked & covered.keys()
    assert {*covered.values()} <= checked


def test_checks_have_different_names() -> None:
    names = [check.name for check in CHECKS]
    assert len({*names}) == len(names)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, dict[str, Any]]:
    """All of it, on two models that differ in their answers."""
    folder = tmp_path_factory.mktemp("whole")
    result = check(
        *("--model", "simulated/balanced", "-M", "choice_accuracy=0"),
        *("--model-role", "debater_b=simulated/perfect"),
        *("--log-dir", str(folder / "logs"), "--json", str(folder / "found.json")),
    )
    assert result.exit_code == 0, result.output
    assert list((folder / "logs").glob("*.eval"))
    return result, json.loads((folder / "found.json").read_text(encoding="utf-8"))


def test_all_is_read_of_a_model_that_keeps_to_the_forms(
    whole: tuple[Result, dict[str, Any]],
) -> None:
    result, data = whole
    assert {stage["study"] for stage in data["stages"]} == {*STUDIES}
    for stage in data["stages"]:
        assert stage["ok"] == stage["asked"] > 0, stage
    assert (data["failed"], data["not_reached"], data["advice"]) == ({}, {}, [])
    assert data["checks"] == sorted(check.name for check in CHECKS)
    assert "Warning" not in result.output


def test_every_role_and_kind_of_turn_occurs(
    whole: tuple[Result, dict[str, Any]],
) -> None:
    _, data = whole
    roles = {role for model in data["models"].values() for role in model["roles"]}
    assert roles == {"debater_a", "debater_b", "judge"}
    kinds = {stage["kind"] for stage in data["stages"]}
    assert kinds == {"answer", "update", "speech", "verdict"}
    places = {(cost["model"], cost["study"], cost["kind"]) for cost in data["costs"]}
    asked = {(each["model"], each["study"], each["kind"]) for each in data["stages"]}
    assert places == asked
    assert all(cost["calls"] and cost["output_tokens"] for cost in data["costs"])


def test_the_tables_fit_a_terminal(whole: tuple[Result, dict[str, Any]]) -> None:
    lines = whole[0].output.splitlines()
    first = lines.index("Check of simulated/balanced, simulated/perfect")
    assert max(len(line) for line in lines[first:-1]) <= 100
    models = [line.split() for line in lines[first:] if line.startswith("simulated/")]
    assert models[0] == ["simulated/balanced", "debater_a,", "judge"]
    assert models[1] == ["simulated/perfect", "debater_b"]
    heads = [line.split() for line in lines if line.startswith("Study")]
    assert heads[0] == ["Study", "Asked", "for", "Field", "Asked", "Read"]
    assert lines[-1].startswith("To read everything: inspect view --log-dir /")


@pytest.mark.parametrize(
    ("rate", "shown"),
    [
        ("unreadable_rate", "unparsed: "),
        ("refused_rate", "refused: "),
        ("truncated_rate", "truncated: "),
    ],
)
def test_what_is_not_read_is_reported_and_is_the_exit_code(
    rate: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "debate som", "debate judge_alone")
    arguments = [
        *("--model", "simulated/balanced", "-M", f"{rate}=1", "-M", "reask_success=0"),
        *("--log-dir", str(tmp_path)),
    ]
    result = check(*arguments)
    assert result.exit_code == 1, result.output
    words = " ".join(result.output.split())
    assert f"debate debater answer (answer), 2 {shown}" in words
    assert f"debate judge verdict (answer), 1 {shown}" in words
    assert check(*arguments, "--max-unparsed", "1").exit_code == 0


def test_what_is_not_reached_is_reported_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "debate colmad with free sides")
    result = check(
        *("--model", "simulated/balanced", "-M", "refused_rate=1"),
        *("--log-dir", str(tmp_path)),
    )
    assert result.exit_code == 1
    assert "no speech and no verdict: " in " ".join(result.output.split())


def test_a_missing_key_is_one_sentence_without_markup(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in os.environ if "OPENAI" in name or "AZURE" in name]:
        monkeypatch.delenv(name)
    result = check("--model", "openai/gpt-4o")
    assert result.exit_code == 2
    assert (
        "cannot be used: Unable to initialise OpenAI client: No OPEN" in result.output
    )
    assert "[bold]" not in result.output


def first_call(request: ChatRequest) -> bool:
    return "Answer with the single word" in request.prompt


def judges(request: ChatRequest) -> bool:
    return "You are the judge" in request.messages[0].text


@contextmanager
def serving() -> Iterator[WireServer]:
    """Somebody who takes the first option of every question."""
    with WireServer(
        lambda r: Reply("yes" if first_call(r) else "I see.\nANSWER: A")
    ) as server:
        yield server


def over_wire(server: WireServer, folder: Path, *more: str, key: str = KEY) -> Result:
    return check(
        *("--model", f"openai-api/loopback/{folder.name}"),
        *("-M", f"base_url={server.url}", "-M", f"api_key={key}"),
        *("--max-retries", "0", "--log-dir", str(folder), *more),
    )


@pytest.fixture(autouse=True)
def _loopback_without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_a_wrong_key_is_reported_once_and_nothing_else_is_asked(tmp_path: Path) -> None:
    with serving() as server:
        result = over_wire(server, tmp_path, key="wrong")
    assert result.exit_code == 3
    assert server.rejected == ["wrong key"]
    assert result.output.count("Incorrect API key") == 1
    assert not list(tmp_path.iterdir())


def test_it_goes_by_what_comes_over_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "debate som", "debate judge_alone")
    with serving() as server:
        result = over_wire(server, tmp_path)
    assert result.exit_code == 0, result.output
    # 2 answers and 2 updates; a verdict.
    assert server.counts == {"answered": 1 + 4 + 1}


def test_a_completion_that_is_cut_off_names_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "debate judge_alone")
    with serving() as server:
        server.fault("cut_off", when=judges)
        result = over_wire(server, tmp_path)
    assert result.exit_code == 1, result.output
    words = " ".join(result.output.split())
    assert "debate judge verdict (answer), 1 truncated: 4096 tokens" in words
    assert "-T config.verdict.max_tokens=16384" in words


def test_a_run_that_fails_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "debate som", "debate judge_alone")
    with serving() as server:
        server.fault("server_error", when=judges)
        result = over_wire(server, tmp_path)
    assert result.exit_code == 3, result.output
    listed = [line.partition(":")[0] for line in result.output.splitlines()]
    failed = [line for line in listed if line.startswith("- debate")]
    assert failed == ["- debate judge_alone"]
    assert "It broke." in result.output
    assert "debater update" in result.output
