"""`inspect-debate estimate`."""

import csv
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Self

import pytest
import yaml
from click.testing import CliRunner, Result
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelInfo, set_model_info
from inspect_ai.util import registry_info

from inspect_debate.cli import estimate_runs
from inspect_debate.cli.main import main
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from tests.reports.made_logs import logged
from tests.support.runs import run, samples

EVALS = Path(__file__).parents[2] / "evals"
COLMAD = [str(EVALS / "colmad.py"), "-T", "source=sample"]
MODEL = ["--model", "simulated/balanced"]


def estimate(*given: object) -> Result:
    return CliRunner().invoke(main, ["estimate", *map(str, given)])


def table_rows(out: Path, table: str) -> list[dict[str, str]]:
    """The rows of a table's file."""
    with (out / "tables" / f"{table}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "rehearsals"


def test_a_rehearsal_an_estimate_and_what_came_of_it(
    folder: Path, tmp_path: Path
) -> None:
    named = ["--log-dir", folder, "--rehearse", 4]
    result = estimate(*COLMAD, *MODEL, *named, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "Rehearsing 4 of 21 items" in result.stderr
    [kept] = folder.iterdir()
    assert f"--rehearsal {kept}" in result.output
    logs = [read_eval_log(str(log)) for log in kept.iterdir()]
    first, second = sorted(logs, key=lambda log: bool(log.eval.task_args["reuse"]))
    ids = {sample.id for sample in samples(first)}
    assert len(ids) == 4
    assert {sample.id for sample in samples(second)} < ids
    assert second.eval.task_args["skip_if_agree"] is False

    # The same again, without a call, and with the run itself beside it.
    log = logged(run(colmad(source="sample"), tmp_path / "run"))
    before = sorted(tmp_path.rglob("*.eval"))
    known = ["--rehearsal", kept, "--out", tmp_path / "again"]
    again = estimate(*COLMAD, *known, "--actual", log)
    assert again.exit_code == 0, again.output
    assert sorted(tmp_path.rglob("*.eval")) == before
    assert table_rows(tmp_path / "again", "roles") == table_rows(
        tmp_path / "out", "roles"
    )
    rows = {row["quantity"]: row for row in table_rows(tmp_path / "again", "actual")}
    calls = rows["calls"]
    debated = float(rows["samples debated"]["actual"])
    assert float(calls["actual"]) == 42 + 5 * debated
    assert float(calls["with_as_many_debates"]) == pytest.approx(42 + 5 * debated)
    for what in ("input tokens", "output tokens"):
        assert abs(float(rows[what]["off_by"])) < 0.1
    assert float(rows["calls one after the other"]["off_by"]) == 0


def test_rehearsals_of_the_same_second_have_folders_of_their_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls(2026, 1, 2, 3, 4, 5, tzinfo=tz)

    monkeypatch.setattr(estimate_runs, "datetime", Clock)
    for rounds in (1, 2):
        named = ["-T", f"rounds={rounds}", "--log-dir", folder, "--rehearse", 2]
        result = estimate(*COLMAD, *MODEL, *named)
        assert result.exit_code == 0, result.output
    kept = sorted(path.name for path in folder.iterdir())
    assert kept == ["colmad-20260102T030405", "colmad-20260102T030405-2"]


def test_samples_epochs_and_time(folder: Path, tmp_path: Path) -> None:
    result = estimate(
        registry_info(colmad).name,
        *("-T", "source=sample", "-T", "protocol=ensemble", *MODEL),
        *("--limit", 10, "--epochs", 3, "--rehearse", 2, "--log-dir", folder),
        *("--seconds-per-call", 6, "--connections", 4, "--out", tmp_path / "out"),
    )
    assert result.exit_code == 0, result.output
    assert "From 2 of 10 items: 60 calls, " in result.output
    assert "US$ 0.00 and 1.5 to 1.6 minutes." in " ".join(result.output.split())
    assert "30 samples: 10 items, 3 times each." in result.output
    assert "Calls one after the other in a sample: 1." in result.output
    [row] = table_rows(tmp_path / "out", "run")
    assert row["calls"] == "60.0"
    # 60 calls of 6 seconds on 4 connections are 90 seconds, and at most 6 more.
    assert (row["minutes_low"], row["minutes_high"]) == ("1.5", "1.6")


@pytest.fixture
def priced() -> Iterator[str]:
    """A model whose price a test may set."""
    yield "simulated/talkative"
    set_model_info("simulated/talkative", ModelInfo())


def test_prices_by_role(priced: str, folder: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    each = {"input": 1, "output": 5, "input_cache_write": 0, "input_cache_read": 0.1}
    prices.write_text(yaml.safe_dump({priced: each}), encoding="utf-8")
    every = ["-T", "skip_if_agree=false", "--rehearse", 2, "--log-dir", folder]
    roles = ["--model-role", f"judge={priced}", "--prices", prices]
    result = estimate(*COLMAD, *MODEL, *roles, *every, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    rows = {row["role"]: row for row in table_rows(tmp_path / "out", "roles")}
    assert float(rows["debater_a"]["cost"]) == 0  # simulated models are free
    judge = {name: float(rows["judge"][name]) for name in list(rows["judge"])[2:]}
    cached = judge["of_them_cached"]
    tokens = judge["input_tokens"] - cached + 0.1 * cached + 5 * judge["output_tokens"]
    assert judge["cost"] == pytest.approx(tokens / 1e6)


def test_a_pool_is_paired_as_in_the_run(folder: Path, tmp_path: Path) -> None:
    pool = ["simulated/balanced", "simulated/hesitant", "simulated/overconfident"]
    role = f"debater_a={','.join(pool)}"
    named = ["--rehearse", 2, "--log-dir", folder]
    result = estimate(
        *(EVALS / "confidence.py", "-T", "jury_passes=0"),
        *("--model-role", role, *named),
    )
    assert result.exit_code == 0, result.output
    whole = run(
        confidence,
        tmp_path / "run",
        "none",
        {"debater_a": pool},
        task_args={"jury_passes": 0},
        run_samples=False,
        success=False,
    )
    assert f"Rehearsing 2 of {whole.eval.dataset.samples} items" in result.stderr


def test_another_model_than_the_rehearsal_had_gives_a_warning(tmp_path: Path) -> None:
    log = logged(run(colmad(source="sample", protocol="single"), tmp_path, limit=3))
    given = [*COLMAD, "-T", "protocol=single", "--rehearsal", log]
    result = estimate(*given, "--model", "simulated/hesitant")
    assert "Warning: the rehearsal used simulated/balanced." in result.stderr
    assert "Warning" not in estimate(*given, *MODEL).stderr


def test_a_run_that_fails_is_named_with_its_log(folder: Path) -> None:
    result = estimate(*COLMAD, "--log-dir", folder, "--rehearse", 1)
    assert result.exit_code == 1
    assert "The rehearsal failed: " in result.output
    assert str(folder) in result.output
