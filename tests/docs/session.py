"""A process that runs the pages' commands one after the other."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.commands import as_installed

PROCESS = Path(__file__).parent / "command_process.py"


class Session:
    """A running process that takes commands."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def do(self, folder: Path, **what: Any) -> str:
        """Run or check a command, or run a script.

        Args:
            folder: The working directory.
            what: `run` or `checked` with a command's words, or `python` with a script.

        Returns:
            What it printed.

        Raises:
            RuntimeError: If it failed.
        """
        assert self._process.stdin
        assert self._process.stdout
        print(
            json.dumps({"folder": str(folder), **what}),
            file=self._process.stdin,
            flush=True,
        )
        done = json.loads(self._process.stdout.readline())
        if done["error"] is not None:
            raise RuntimeError(done["error"])
        return str(done["output"])


@contextmanager
def session(folder: Path) -> Iterator[Session]:
    """A session, which ends with the block.

    Args:
        folder: For its caches and its terminal output.
    """
    own = {"XDG_CACHE_HOME": str(folder / "cache"), "COLUMNS": "100"}
    environment = os.environ | as_installed(folder) | own
    environment.pop("INSPECT_EVAL_MODEL", None)
    with (folder / "shown.txt").open("w") as shown:
        process = subprocess.Popen(
            [sys.executable, str(PROCESS)],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=shown,
            text=True,
        )
        # Leaving closes its standard input, which ends it.
        with process:
            yield Session(process)
