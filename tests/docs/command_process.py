"""Run commands in one process, which saves the seconds that Python takes to start.

A line of standard input is a JSON object: the `folder` to work in, and a command's
words to `run` or to have `checked`, or a script in `python`. The answer is a line with
what it printed and the error, or null.
"""

import json
import os
import runpy
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import IO, Any

import click
from click.testing import CliRunner

# No display, and no updates while a task runs.
QUIET = ("--display", "none", "--no-log-realtime", "--no-score-display")
EVALUATING = ("eval", "eval-retry", "eval-set")


@cache
def program(name: str) -> click.Group:
    """An installed program."""
    (found,) = entry_points(group="console_scripts", name=name)
    group = found.load()
    if not isinstance(group, click.Group):
        # Inspect and Scout install a function that starts their module's command.
        group = getattr(sys.modules[group.__module__], name)
    assert isinstance(group, click.Group)
    return group


def checked(words: list[str]) -> str:
    """Find a command and parse its options, without running it.

    Raises:
        click.UsageError: If there is no such command or option.
    """
    name, *rest = words
    if name == "python":
        if rest[0] != "-m" and not Path(rest[0]).is_file():
            raise click.UsageError(f"no such file: {rest[0]}")
        return ""
    command: click.Command = program(name)
    while isinstance(command, click.Group) and not rest[0].startswith("-"):
        if rest[0] not in command.commands:
            raise click.UsageError(f"no such command: {name} {rest[0]}")
        name, command = f"{name} {rest[0]}", command.commands[rest.pop(0)]
    command.make_context(name, rest)
    return ""


def run(words: list[str]) -> str:
    """Run a command; what it printed, if it is one of ours.

    Raises:
        RuntimeError: If it failed, or an evaluation that it ran did.
    """
    from inspect_ai.log import list_eval_logs, read_eval_log

    checked(words)
    name, *args = words
    if name == "python":
        sys.argv = args
        runpy.run_path(args[0], run_name="__main__")
        return ""
    if name == "inspect-debate":
        done = CliRunner().invoke(program(name), args)
        if done.exit_code:
            raise RuntimeError(done.output) from done.exception
        return done.output
    before = {log.name for log in list_eval_logs(".")}
    quiet = QUIET if args[0] in EVALUATING else ()
    program(name).main([*args, *quiet], standalone_mode=False)
    for log in list_eval_logs("."):
        header = read_eval_log(log, header_only=True)
        if log.name not in before and header.status != "success":
            raise RuntimeError(header.error and header.error.message)
    return ""


def script(text: str) -> str:
    """Run a script; a whole study only lists its runs."""
    sys.argv = ["script.py", "--list"]
    exec(compile(text, "<page>", "exec"), {"__name__": "__main__"})
    return ""


WAYS: dict[str, Callable[[Any], str]] = {
    "checked": checked,
    "run": run,
    "python": script,
}


def answer(request: dict[str, Any]) -> dict[str, str | None]:
    """Do what a request asks for."""
    from inspect_debate.debate import paths

    os.chdir(request["folder"])
    paths.STARTED_IN = Path.cwd()
    (way,) = WAYS.keys() & request.keys()
    try:
        return {"output": WAYS[way](request[way]), "error": None}
    except SystemExit as ended:
        return {
            "output": "",
            "error": f"exit code {ended.code}" if ended.code else None,
        }
    except Exception as error:
        return {"output": "", "error": f"{type(error).__name__}: {error}"}


def main(requests: IO[str], answers: IO[str]) -> None:
    """Answer every line."""
    for line in requests:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    # Output of commands must not mix with answers, and they get no input.
    channels = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    main(*channels)
