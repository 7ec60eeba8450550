"""What a user types: the README's command, by name, from another folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

ROOT = Path(__file__).parent.parent
INSPECT = Path(sys.executable).parent / "inspect"


def inspect(
    folder: Path, *arguments: str, log_dir: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(INSPECT), *arguments, "--log-dir", str(log_dir)],
        cwd=folder,
        env=os.environ | {"COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_readmes_command_runs_the_main_job(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(
        r"^uv run inspect (eval .* --model simulated/\w+)$", readme, re.M
    )
    done = inspect(ROOT, *command.split(), "--limit", "4", log_dir=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "error_detection" in done.stdout
    (log,) = tmp_path.glob("*.eval")

    again = tmp_path / "again.eval"
    scoring = ("score", str(log), "--action", "overwrite", "--output-file", str(again))
    done = inspect(ROOT, *scoring, log_dir=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    before, after = (
        read_eval_log(str(path), header_only=True).results for path in (log, again)
    )
    assert before is not None
    assert after is not None
    for one, other in zip(before.scores, after.scores, strict=True):
        assert one.metrics.keys() == other.metrics.keys()
        for name, metric in one.metrics.items():
            value = other.metrics[name].value
            assert value == pytest.approx(metric.value, nan_ok=True), name


def test_by_name_with_paths_relative_to_where_it_is_typed(tmp_path: Path) -> None:
    items = ROOT / "datasets" / "data" / "realmistake_sample.jsonl"
    (tmp_path / "mine.jsonl").write_bytes(items.read_bytes())
    done = inspect(
        tmp_path,
        *("eval", "inspect_debate/colmad", "-T", "source=mine.jsonl"),
        *("-T", "protocol=single", "--model", "simulated/perfect", "--limit", "2"),
        log_dir=tmp_path / "logs",
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("task", ["evals/colmad.py", "inspect_debate/colmad"])
def test_a_wrong_parameter_is_one_sentence(task: str, tmp_path: Path) -> None:
    done = inspect(
        ROOT,
        *("eval", task, "-T", "source=sample", "-T", "rouds=3"),
        *("--model", "simulated/balanced"),
        log_dir=tmp_path,
    )
    assert done.returncode == 1
    assert "Error: parameter 'rouds' is not known" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert not list(tmp_path.glob("*.eval"))
