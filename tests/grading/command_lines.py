"""Reads command lines of bubblewrap as bubblewrap does."""

import itertools
from typing import Any, NamedTuple

from inspect_debate.grading.bubblewrap_command import (
    WORK,
    Channels,
    Limits,
    Tools,
    bubblewrap_command,
)
from inspect_debate.grading.view import Bind, Link, View

TOOLS = Tools(*(f"/bin/{name}" for name in Tools._fields))
SYSTEM = View((Bind("/usr", "/usr"),), (Link("/bin", "usr/bin"),))
SHOWN = View(
    (Bind("/opt/python", "/opt/python"), Bind("/var/x/in.txt", f"{WORK}/in.txt")),
    (Link("/opt/link", "python"),),
)
MB = 1024 * 1024

# How many values follow each option of bubblewrap that may be used.
FLAGS = "unshare-all unshare-user disable-userns new-session die-with-parent clearenv"
SETTINGS = """uid gid cap-drop cap-add hostname proc dev tmpfs size dir remount-ro chdir
    seccomp json-status-fd"""
PAIRS = "setenv ro-bind bind symlink"
OPTIONS = {
    f"--{name}": values
    for values, names in enumerate((FLAGS, SETTINGS, PAIRS))
    for name in names.split()
}


class Call(NamedTuple):
    """A program and its options, up to the command that it runs."""

    program: str
    options: list[tuple[str, ...]]
    rest: list[str]


def command(*words: str, **settings: Any) -> list[str]:
    given = {
        "tools": TOOLS,
        "system": SYSTEM,
        "shown": SHOWN,
        "limits": Limits(),
        "channels": Channels(7, 8),
    }
    return bubblewrap_command(words or ("program", "--flag"), **{**given, **settings})


def bwrap(words: list[str]) -> Call:
    """Read a call of bubblewrap as bubblewrap does; unknown options are an error."""
    assert words[0] == TOOLS.bwrap
    left = iter(words[1:])
    options = []
    for word in itertools.takewhile(lambda word: word != "--", left):
        options.append((word, *itertools.islice(left, OPTIONS[word])))
    return Call(words[0], options, list(left))


def other(words: list[str]) -> Call:
    end = words.index("--")
    return Call(words[0], [(word,) for word in words[1:end]], words[end + 1 :])


def calls(words: list[str]) -> list[Call]:
    """All programs that are called, each by the one before it."""
    found = []
    while words[0] in TOOLS:
        found.append((bwrap if words[0] == TOOLS.bwrap else other)(words))
        words = found[-1].rest
    return found


def inner(**settings: Any) -> Call:
    """The last call of bubblewrap, which runs the command."""
    found = calls(command(**settings))
    return [call for call in found if call.program == TOOLS.bwrap][-1]


def options(program: str, **settings: Any) -> list[list[str]]:
    """The words given to each call of a program."""
    return [
        [word for option in call.options for word in option]
        for call in calls(command(**settings))
        if call.program == program
    ]
