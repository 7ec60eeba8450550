"""Run configurations and study scripts of the checkout, as a user types them."""

import fcntl
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from inspect_debate.cli.whole_study import Study
from tests.support.commands import as_installed

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "configs"
Words = Sequence[str | Path]


class Typed(NamedTuple):
    """Where commands wrote, and what each of them printed, by name."""

    folder: Path
    printed: Mapping[str, str]

    def logs(self, name: str) -> list[EvalLog]:
        """All logs of a command, the oldest first."""
        found = list_eval_logs(str(self.folder / name), descending=False)
        return [read_eval_log(log) for log in found]


def typed_once(
    factory: pytest.TempPathFactory, name: str, commands: Mapping[str, Words]
) -> Typed:
    """Type commands at the root of the checkout, once for all workers of a test run.

    Args:
        factory: Of the tests' folders.
        name: Of the folder.
        commands: Each `inspect` with its arguments, or the path of a script with its.
            In folder `name` lies one for each, with the logs that it writes, unless it
            names another one, where `FOLDER` is folder `name`.
    """
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = base / name
    folder.mkdir(exist_ok=True)
    results = folder / "results.json"
    typed = [
        [str(word).replace("FOLDER", str(folder)) for word in _logging(key, words)]
        for key, words in commands.items()
    ]
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not results.exists():
            _type(typed, folder, results)
    done = json.loads(results.read_text(encoding="utf-8"))
    for each in done:
        assert each["code"] == 0, each["printed"]
    return Typed(
        folder, {key: each["printed"] for key, each in zip(commands, done, strict=True)}
    )


def _logging(name: str, words: Words) -> Words:
    """A command with a folder for its logs."""
    return words if "--log-dir" in words else (*words, "--log-dir", f"FOLDER/{name}")


def _type(commands: list[list[str]], folder: Path, results: Path) -> None:
    # Of its own, because here `inspect_debate` is found twice: as it is installed, and
    # at the root of the checkout, where its tasks have other names.
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("one_process.py"), results],
        cwd=ROOT,
        env=os.environ
        | as_installed(folder)
        | {"INSPECT_CACHE_DIR": str(folder / "cache"), "INSPECT_DISPLAY": "log"},
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def arguments(name: str) -> dict[str, Any]:
    """The arguments of the task in a run configuration."""
    given = configuration(name)["task"]["args"]
    assert isinstance(given, dict)
    return given


def configuration(name: str) -> dict[str, Any]:
    """A run configuration, as it is written."""
    read = yaml.safe_load((CONFIGS / f"{name}.yaml").read_text(encoding="utf-8"))
    assert isinstance(read, dict)
    return read


def study(name: str) -> Study:
    """The study that a script runs."""
    place = CONFIGS / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"configs_{name}", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert isinstance(module.STUDY, Study)
    return module.STUDY
