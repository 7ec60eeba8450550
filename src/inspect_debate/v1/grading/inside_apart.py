"""The tests of a program that runs in another process.

Runs inside the sandbox. The program's process is made before the tests are read, so
that nothing of them is in its memory; it answers questions (`inside_link`). The
program is never loaded in the process of the tests.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import sys
import types
import unittest
from typing import Any

from inspect_debate.v1.grading.inside_cases import (
    FILE,
    MODULE,
    TEST_CLASS,
    attempt,
    bound,
    described,
    is_class_of_prompt,
    new_space,
    run_test,
)
from inspect_debate.v1.grading.inside_link import Link, Pipe, Program

_PLOTS = "matplotlib.pyplot"
_LINK = 100  # at least: out of the way of a program that closes what it opened


def start_program(modules: list[str]) -> int:
    """Make the process in which a program will run.

    Args:
        modules: What to load before, for both processes.

    Returns:
        The socket to it. It does not return in the new process.
    """
    load_modules(modules)
    ours, theirs = socket.socketpair()
    if os.fork():
        theirs.close()
        return ours.detach()
    import fcntl

    file = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, _LINK)
    ours.close()
    theirs.close()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    sys.argv = [FILE]
    sys.modules["__main__"] = types.ModuleType("__main__")
    for name in [name for name in sys.modules if name.startswith("inspect_debate")]:
        del sys.modules[name]
    sys.path.append(os.getcwd())
    try:
        Program(Pipe(file)).serve(_load)
    finally:
        os._exit(0)


def load_modules(names: list[str]) -> None:
    """Load modules, as far as there are any of the names."""
    for name in names:
        with contextlib.suppress(BaseException):  # what needs it will say so
            importlib.import_module(name)


def _load(first: Any) -> tuple[Any, dict[str, Any], str]:
    """Load a program: its function, its versions of the task's classes, what failed."""
    module = types.ModuleType(MODULE)
    space = vars(module)
    space.update(new_space())
    sys.modules[MODULE] = module
    try:
        code = compile(first["program"], FILE, "exec", 0, True)
    except BaseException as error:
        return None, {}, f"does not compile: {described(error)}"
    problem = attempt(exec, code, space)
    if problem:
        return None, {}, f"when loaded: {problem}"
    imported: dict[str, Any] = {}
    attempt(exec, first["imports"], imported)
    for name, value in imported.items():
        space.setdefault(name, value)
    classes = {name: space[name] for name in first["classes"] if name in space}
    return space.get(first["entry_point"]), classes, ""


class CasesApart:
    """Tests here, and the program there.

    Args:
        link: A socket to the program.
    """

    def __init__(self, link: int) -> None:
        self._link = Link(Pipe(link))
        self._space: dict[str, Any] = new_space()
        self._kind: Any = None
        self._methods: dict[str, Any] = {}
        self._entry_point = ""
        self._classes: dict[str, Any] = {}

    def load_tests(
        self, prompt: str, tests: str, entry_point: str, names: list[str]
    ) -> str:
        """Load the tests; what went wrong, or nothing."""
        space, self._entry_point = self._space, entry_point
        try:
            code = compile(tests, FILE, "exec", dont_inherit=True)
        except BaseException as error:
            return f"the tests do not compile: {described(error)}"
        problem = attempt(lambda: exec(compile(prompt, FILE, "exec", 0, True), space))
        space.pop(entry_point, None)
        self._classes = {n: v for n, v in space.items() if is_class_of_prompt(v)}
        problem = problem or attempt(exec, code, space) or self._take(names)
        return problem and f"the tests cannot be loaded: {problem}"

    def load_program(self, program: str, imports: str, warns: bool) -> str:
        """Have the program loaded, and begin the tests; what went wrong, or nothing."""
        first = {
            **{"program": program, "imports": imports, "warns": warns},
            **{"entry_point": self._entry_point, "classes": [*self._classes]},
        }
        problem = self._link.load(first, self._classes)
        if problem:
            return problem
        self._space[self._entry_point] = self._link.function(0, self._entry_point)
        if _PLOTS in sys.modules:
            self._link.forward(sys.modules[_PLOTS])
        problem = attempt(self._kind.setUpClass)
        return problem and f"when its tests began: {problem}"

    def run(self, name: str) -> str:
        """Run one test; why it did not pass, or nothing if it did."""
        method = self._methods[name]
        if getattr(method, "__unittest_skip__", False):
            return ""  # by a decorator in the tests, whatever the program
        problem = run_test(method.__self__, method)
        return self._link.problem or problem

    def close(self) -> str:
        """What the tests do at their end; what went wrong, or nothing."""
        return (
            attempt(self._kind.tearDownClass)
            or attempt(self._kind.doClassCleanups)
            or self._link.problem
        )

    def _take(self, names: list[str]) -> str:
        kind: Any = self._space.get(TEST_CLASS)
        if not (issubclass(type(kind), type) and issubclass(kind, unittest.TestCase)):
            return f"{TEST_CLASS} is no class of tests"
        self._kind = kind
        return attempt(lambda: self._methods.update(bound(kind, names)))
