"""`inspect-debate check` on simulated models."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ModelOutput

from inspect_debate.check import STUDIES, turns
from inspect_debate.cli import main
from inspect_debate.grading.grade import available_sandbox
from inspect_debate.simulator import simulated
from inspect_debate.simulator.simulated import Simulated

pytestmark = pytest.mark.slow


def check(folder: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ["check", "--log-dir", str(folder), *args])


def frame(folder: Path) -> pd.DataFrame:
    return turns(read_eval_log(log) for log in list_eval_logs(str(folder)))


def table(result: Result) -> dict[tuple[str, str, str], dict[str, int]]:
    """The printed rows, by study, kind and role."""
    lines = iter([line.split() for line in result.output.splitlines()])
    head = next(line for line in lines if line[:1] == ["study"])[4:]
    return {
        (study, kind, role): dict(zip(head, map(int, counts), strict=True))
        for study, kind, role, _, *counts in iter(lambda: next(lines), [])
    }


def simulating(role: str, **changed: float) -> tuple[str, str]:
    arguments = ", ".join(f"{name}: {value}" for name, value in changed.items())
    model = f"{{model: simulated/balanced, model_args: {{{arguments}}}}}"
    return "--model-role", f"{role}={model}"


SOUND: dict[str, float] = {"unreadable": 0, "refuses": 0, "cut_off": 0}
DEBATERS = (*simulating("debater_a", **SOUND), *simulating("debater_b", **SOUND))
JUDGES = (*simulating("judge", **SOUND), *simulating("reward", **SOUND))


def test_all_protocols_are_asked_and_read(tmp_path: Path) -> None:
    result = check(tmp_path, *DEBATERS, *JUDGES)
    assert result.exit_code == 0, result.output
    logs = [read_eval_log(log, True) for log in list_eval_logs(str(tmp_path))]
    about = [log.eval.metadata or {} for log in logs]
    ran = [(each["study"], each["protocol"]) for each in about]
    every = [(study, name) for study, (_, names) in STUDIES.items() for name in names]
    every += [("generative", "dual_debate")] if available_sandbox() else []  # programs
    assert sorted(ran) == sorted(every)
    rows, asked = table(result).values(), frame(tmp_path)
    assert all(row["asked"] == row["read"] for row in rows)
    assert sum(row["asked"] for row in rows) == len(asked)
    assert "unknown" not in result.output
    assert {*asked["role"]} == {"debater_a", "debater_b", "judge", "reward"}
    kinds = "answer update speech verdict sample recall critique candidate reward"
    assert {*asked["kind"]} >= {*kinds.split()}


@pytest.mark.parametrize(
    ("fault", "status", "shown"),
    [
        ("unreadable", "unparsed", "stop reason stop"),
        ("refuses", "refused", "stop reason stop"),
        ("cut_off", "truncated", "stop reason max_tokens"),
    ],
)
def test_what_is_not_read_is_counted_and_shown(
    tmp_path: Path, fault: str, status: str, shown: str
) -> None:
    judge = simulating("judge", **SOUND | {fault: 1})
    result = check(tmp_path, *DEBATERS, *judge, "--study", "colmad", "--items", "3")
    assert result.exit_code == 1
    turns = frame(tmp_path)
    unread = turns[turns["status"] != "ok"]
    assert {*unread["status"]} == {status}
    row = table(result)["colmad", "verdict", "judge"]
    assert row[status] == row["asked"] - row["read"] == len(unread)
    assert f"colmad verdict, judge: {status}, {shown}" in result.output
    assert unread.iloc[0]["private"][:20].split()[0] in result.output


def test_at_most_five_unread_replies_are_shown(tmp_path: Path) -> None:
    result = check(tmp_path, "--model", "simulated/careless", "--items", "3")
    assert result.exit_code == 1
    missed = sum(row["asked"] - row["read"] for row in table(result).values())
    assert f"Not read: {missed}." in result.output
    assert result.output.count(", stop reason ") == 5


def test_a_token_limit_reaches_every_role(tmp_path: Path) -> None:
    limit = ("--study", "srdcr", "--max-tokens", "1")
    assert check(tmp_path, *DEBATERS, *JUDGES, *limit).exit_code == 1
    assert {*frame(tmp_path)["status"]} == {"truncated"}


def test_a_failing_model_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> ModelOutput:
        raise RuntimeError("no quota \x1b[31m left")

    monkeypatch.setattr(simulated, "completion", fail)
    result = check(tmp_path, "--model", "simulated/weak", "--study", "colmad")
    assert result.exit_code == 3
    # Inspect's log handler of an earlier test may write lines of its own above.
    lines = [line for line in result.output.splitlines() if line.startswith("colmad, ")]
    assert ["no quota" in line for line in lines] == [True]
    assert "\x1b" not in lines[0]


def test_tokens_of_replies_without_usage_are_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate = Simulated.generate

    async def without(*args: Any, **options: Any) -> ModelOutput:
        output = await generate(*args, **options)
        output.usage = None
        return output

    monkeypatch.setattr(Simulated, "generate", without)
    result = check(tmp_path, *DEBATERS, *JUDGES, "--study", "colmad")
    assert result.exit_code == 0, result.output
    assert result.output.count("unknown") == 2  # input and output, of one model


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--model", "nobody/x"],
        ["--model-role", "judge=simulated/weak"],
        ["--model", "simulated/weak", "--model-role", "judge"],
        ["--model", "simulated/weak", "--model-role", "jugde=simulated/weak"],
        ["--model", "simulated/weak", "--model-role", "judge={model: a/b, top: 1}"],
        ["--model-role", "debater_a=simulated/weak,simulated/strong"],
        ["--model", "simulated/weak", "--log-dir", __file__],
    ],
)
def test_a_wrong_command_runs_nothing(tmp_path: Path, args: list[str]) -> None:
    result = check(tmp_path, *args)
    assert result.exit_code == 2
    assert result.stderr.count("Error: ") == 1
    assert not [*tmp_path.iterdir()]
