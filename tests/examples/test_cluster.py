"""examples/cluster: slices of a run, in folders of one folder or bucket."""

import argparse
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import s3fs
from click.testing import CliRunner
from inspect_ai.log import (
    EvalLog,
    list_eval_logs,
    read_eval_log,
    write_eval_log,
)

from examples.cluster.ray_slices import run_slice
from inspect_debate.cli import main

SCRIPTS = Path(__file__).parents[2] / "examples" / "cluster"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of S3, on a server of this machine."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(
        ip_address="127.0.0.1", port=0, verbose=False
    )
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().mkdir("bucket")
    yield "s3://bucket"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def options(logs: object) -> argparse.Namespace:
    return argparse.Namespace(
        logs=str(logs),
        task="inspect_debate/colmad",
        task_args=[("source", "sample"), ("subset", "math")],
        model="simulated/balanced",
        model_role=[("debater_b", "simulated/strong")],
    )


def newest(folder: object) -> EvalLog:
    """The log of a slice that counts, as its name begins with its time."""
    return read_eval_log(max(log.name for log in list_eval_logs(str(folder))))


def typed(*args: object) -> None:
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    assert result.exit_code == 0, result.output


@pytest.mark.slow
def test_reports_and_pages_read_slices_in_s3_and_miss_what_is_not_there(
    bucket: str, tmp_path: Path
) -> None:
    logs = f"{bucket}/logs"
    for first, last in ((1, 3), (7, 8)):
        assert run_slice(first, last, options(logs))
    typed("report", "colmad", logs, "--out", tmp_path / "two")
    text = (tmp_path / "two" / "report.html").read_text(encoding="utf-8")
    assert "5 of 8" in text
    assert "4-6" in text

    assert run_slice(4, 6, options(logs))
    typed("report", "colmad", logs, "--out", tmp_path / "three")
    text = (tmp_path / "three" / "report.html").read_text(encoding="utf-8")
    assert "of 8" not in text
    typed("page", logs, "--out", tmp_path / "pages")
    assert len([*(tmp_path / "pages").glob("*.html")]) == 3


def test_a_complete_slice_is_not_run_again(tmp_path: Path) -> None:
    assert run_slice(1, 2, options(tmp_path))
    (before,) = list_eval_logs(str(tmp_path))
    assert run_slice(1, 2, options(tmp_path))
    assert list_eval_logs(str(tmp_path)) == [before]


def test_a_slice_that_died_keeps_the_samples_that_it_had_logged(tmp_path: Path) -> None:
    assert run_slice(3, 6, options(tmp_path))
    log = newest(tmp_path / "3-6")
    assert log.samples
    assert log.eval.dataset.sample_ids
    kept, ran = {sample.uuid for sample in log.samples[:3]}, log.eval.dataset.sample_ids
    log.samples, log.status, log.results = log.samples[:3], "started", None
    write_eval_log(log)

    assert run_slice(3, 6, options(tmp_path))
    log = newest(tmp_path / "3-6")
    assert log.status == "success"
    assert kept < {sample.uuid for sample in log.samples or []}
    assert sorted(str(sample.id) for sample in log.samples or []) == sorted(ran)


def test_each_task_of_a_slurm_array_runs_its_own_slice(tmp_path: Path) -> None:
    (stub := tmp_path / "inspect").write_text('#!/bin/bash\nprintf "%s\\n" "$@"\n')
    stub.chmod(0o755)
    found = []
    for number in range(3):
        environment = os.environ | {
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "SLURM_ARRAY_TASK_ID": str(number),
        }
        script = ["bash", str(SCRIPTS / "slurm.sh"), "s3://bucket/logs", "105"]
        task = ["inspect_debate/colmad", "--model", "a model"]
        done = subprocess.run(
            [*script, *task],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        command, *args = done.stdout.splitlines()
        assert command == "eval-set"
        assert args[:3] == task
        given = dict(zip(args[1::2], args[2::2], strict=True))
        found.append((given["--limit"], given["--log-dir"]))
    slices = ("1-105", "106-210", "211-315")
    assert found == [(one, f"s3://bucket/logs/{one}") for one in slices]
