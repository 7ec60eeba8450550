"""Runs Python code in a sandbox; as a program, what it is sent, line by line.

As a program it has only a copy of the package beside it.
"""

import base64
import json
import sys
from dataclasses import asdict
from typing import Any

from inspect_debate.v1.grading.box import Box
from inspect_debate.v1.grading.config import BubblewrapConfig
from inspect_debate.v1.grading.supervise import Ended


def run_here(
    code: str,
    *,
    files: dict[str, str] | None = None,
    input: bytes = b"",
    seconds: float = 30,
    output: int = 100_000,
    **config: Any,
) -> Ended:
    """Run code in a sandbox with settings and files of its own."""
    box = Box(BubblewrapConfig(**config))
    try:
        for name, text in (files or {}).items():
            box.write(name, text.encode())
        command = [box.interpreter, "-I", "-c", code]
        return box.run(command, input=input, seconds=seconds, output=output)
    finally:
        box.close()


def request(code: str, input: bytes, **settings: Any) -> bytes:
    """A line that asks for a run."""
    text = base64.b64encode(input).decode()
    return json.dumps({**settings, "code": code, "input": text}).encode() + b"\n"


def answer(line: bytes) -> Ended:
    """What a line says about a run."""
    answered = json.loads(line)
    streams = {name: base64.b64decode(answered[name]) for name in ("stdout", "stderr")}
    return Ended(**{**answered, **streams})


def _served(line: str) -> str:
    asked = json.loads(line)
    ended = run_here(**{**asked, "input": base64.b64decode(asked["input"])})
    streams = {
        "stdout": base64.b64encode(ended.stdout).decode(),
        "stderr": base64.b64encode(ended.stderr).decode(),
    }
    return json.dumps({**asdict(ended), **streams})


if __name__ == "__main__":
    for line in sys.stdin:
        print(_served(line), flush=True)
