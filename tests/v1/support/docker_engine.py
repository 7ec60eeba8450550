"""A program `docker` that answers as an engine would, and runs commands right here.

Only what Inspect's provider of sandboxes asks for is answered; anything else ends with
an error that names it. Every call is written to a file.
"""

import json
import os
import stat
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

_PROGRAM = """#!{python} -IS
import json, os, subprocess, sys
words = sys.argv[1:]
with open({log!r}, "a") as log:
    log.write(json.dumps(words) + "\\n")
options = ("--project-name", "-f", "--ansi", "--progress")

def answer(words):
    if words[:1] == ["version"]:
        return json.dumps({{"Server": {{"Version": "28.2.2"}}}})
    if words[:1] == ["info"] or words[:2] in (["image", "inspect"], ["images", "-q"]):
        return "0"
    if words[:1] != ["compose"]:
        sys.exit(f"fake docker: {{words}}")
    words = words[1:]
    file = None
    while words[0] in options:
        file = words[1] if words[0] == "-f" else file
        words = words[2:]
    match words:
        case ["version", *_]:
            return json.dumps({{"version": "v2.40.0"}})
        case ["config", "--images"]:
            return "inspect-none"
        case ["config"]:
            return open(file).read()
        case ["build"] | ["pull", *_] | ["up", *_] | ["down", *_]:
            return ""
        case ["ps", *rest]:
            running = {{"Service": "default", "ExitCode": 0}}
            return json.dumps(running) if "running" in rest else ""
        case ["ls", *_]:
            return "[]"
        case ["exec", *command]:
            while command[0] in ("--workdir", "--user", "--env"):
                command = command[2:]
            command = command[1:]
            if {python_inside!r}:
                command = [{python_inside!r} if w == "python3" else w for w in command]
            os.execvp(command[0], command)
    sys.exit(f"fake docker: {{words}}")

print(answer(words))
"""


class Engine(NamedTuple):
    """A fake engine, and what it was asked."""

    log: Path

    @property
    def calls(self) -> list[list[str]]:
        """The words of every call so far."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def executed(self) -> list[list[str]]:
        """The commands that ran in containers, without options."""
        found = (
            words[words.index("exec") + 1 :] for words in self.calls if "exec" in words
        )
        return [words[words.index("default") + 1 :] for words in found]


def docker_engine(
    folder: Path, monkeypatch: pytest.MonkeyPatch, python: str = sys.executable
) -> Engine:
    """Put a fake `docker` first on PATH.

    Args:
        folder: Where it is written.
        monkeypatch: Restores PATH.
        python: What `python3` is in its containers.
    """
    log = folder / "docker-calls.jsonl"
    log.touch()
    program = folder / "docker"
    text = _PROGRAM.format(python=sys.executable, log=str(log), python_inside=python)
    program.write_text(text)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return Engine(log)
