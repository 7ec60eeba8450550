"""Run the unit tests of one program, inside the sandbox, in a process of its own.

Started as `python -I -c <this file>`, so it needs nothing but the standard library of
Python 3.8 or later. The job comes on standard input. Each report is a line that begins
with the job's secret nonce; what the program prints and how its process ends decide
nothing.
"""

from __future__ import annotations

import builtins

# What the program does to builtins stops at ours (mypy takes the name for a module).
__builtins__ = dict(vars(builtins))  # type: ignore[assignment]  # a program may change its own

import ast
import fcntl
import json
import os
import resource
import sys
import tempfile
import types
import unittest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NAME = "__test__"  # BigCodeBench's name for the module of a program
MB = 1024 * 1024
COROUTINE = 0x80  # of a function's code: a coroutine, which unittest does not run


def main() -> None:
    """Do the job on standard input."""
    job = json.loads(sys.stdin.buffer.read())
    say = channel(job.pop("nonce"))
    limit(**job["limits"])
    os.chdir(tempfile.mkdtemp())
    sys.path.append(os.getcwd())
    # A task may start `python`, and means this one.
    folders = os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = os.pathsep.join(folders)
    prompt, entry_point, tests = job["prompt"], job["entry_point"], job["tests"]
    end, result = os._exit, Result()
    try:
        seen, suite = load_tests(prompt, tests, entry_point)
    except BaseException as error:
        say("broken", 0, "the tests cannot be loaded: " + described(error))
        end(0)
    patched = Patched(seen)
    say("ready", 0, "")  # without this line, the sandbox failed and not the program
    try:
        load_program(prompt, job["program"], tests, entry_point, seen)
    except BaseException as error:
        say("done", 0, "when loaded: " + described(error))
        end(0)
    try:
        suite.run(result)
    except BaseException as error:
        result.why.append(described(error))
    say("done", len(result.passed), "; ".join(result.why[:5]), *patched.names())
    end(0)  # whatever threads and exit handlers the program left behind


def channel(nonce: str) -> Callable[..., None]:
    """Return what reports: the real standard output, which nothing else is given.

    It uses C functions taken now, and is silent in a fork of this process.
    """
    out = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 100)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    write, process, owner = os.write, os.getpid, os.getpid()

    def say(what: str, passed: int, why: str, *patched: str) -> None:
        if process() == owner:
            write(out, ascii((nonce, what, passed, why, patched)).join("\n\n").encode())

    return say


def limit(memory_mb: int, file_mb: int, cpu_seconds: int) -> None:
    """Limit this process; the kernel ends one that runs out of processor time."""
    limits = {
        resource.RLIMIT_DATA: memory_mb * MB,
        resource.RLIMIT_AS: 4 * memory_mb * MB,  # much is reserved and never used
        resource.RLIMIT_FSIZE: file_mb * MB,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        within = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (within, within))
    # A second more until it cannot be ignored.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))


class Result(unittest.TestResult):
    """Counts tests that passed, in methods that no patch of unittest replaces."""

    def __init__(self) -> None:
        super().__init__()
        self.passed: list[Any] = []
        self.why: list[str] = []

    def addSuccess(self, test: Any) -> None:
        """Count a test, unless it is a coroutine that was never run."""
        method = getattr(type(test), test._testMethodName)
        flags = getattr(getattr(method, "__code__", None), "co_flags", 0)
        if flags & COROUTINE and not isinstance(test, unittest.IsolatedAsyncioTestCase):
            self.why.append(f"{test._testMethodName}: a coroutine that is not run")
        else:
            self.passed.append(test)

    def addError(self, test: Any, error: Any) -> None:
        """Note an error of a test, or of what comes before and after a class."""
        name = getattr(test, "_testMethodName", test)
        self.why.append(f"{name}: {described(error[1])}")

    addFailure = addError  # type: ignore[assignment]  # typeshed names the error err

    def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
        """Note the error of a part of a test, if it has one."""
        if error is not None:
            self.addError(test, error)

    def addSkip(self, test: Any, reason: str) -> None:
        """Count a test that its own decorator skips; the program may skip none."""
        method = getattr(type(test), getattr(test, "_testMethodName", ""), None)
        if getattr(method, "__unittest_skip__", False):
            self.passed.append(test)
        else:
            self.why.append(f"skipped: {reason}"[:300])


def described(error: BaseException) -> str:
    """An exception in one line, if the program's own code lets us."""
    try:
        return f"{type(error).__name__}: {error}"[:300]
    except BaseException:
        return "an exception that cannot be shown"


def space() -> dict[str, Any]:
    """A new namespace, with the names that BigCodeBench gives to programs."""
    names = {"sys": sys, "os": os, "environ": os.environ, "__builtins__": builtins}
    return {"__name__": NAME, "__file__": f"{NAME}.py", **names}


def run(source: str, names: dict[str, Any]) -> None:
    """Run a source in a namespace."""
    exec(compile(source, f"{NAME}.py", "exec", dont_inherit=True), names)


def load_tests(prompt: str, tests: str, entry_point: str) -> tuple[dict[str, Any], Any]:
    """Load the tests before the program, which so cannot replace what they are made of.

    They see the imports and constants of the task's head, in a namespace of their own.
    """
    names = space()
    run(f"{prompt}\n    pass\n", names)
    names.pop(entry_point, None)
    run(tests, names)
    return names, unittest.defaultTestLoader.loadTestsFromTestCase(names["TestCases"])


def load_program(
    prompt: str, program: str, tests: str, entry_point: str, seen: dict[str, Any]
) -> None:
    """Load the program, and give the tests its function and nothing else of it.

    In BigCodeBench's one namespace a program may use what the tests import (13 tasks),
    and tests may use the program's version of a class in the head (4 tasks).
    """
    module = sys.modules[NAME] = types.ModuleType(NAME)
    names = vars(module)
    names.update(space())
    for node in ast.parse(tests).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                names[name] = seen[name]
    run(f"{prompt}\n    pass\n", names)
    classes = [n for n, v in names.items() if getattr(v, "__module__", "") == NAME]
    del names[entry_point]
    run(program, names)
    seen.update({n: names[n] for n in (*classes, entry_point) if n in names})


class Patched:
    """Which functions and classes of unittest, and of what the tests use, changed.

    Of all modules it would be too many: libraries patch others when first used.
    """

    def __init__(self, tests: dict[str, Any]) -> None:
        used = [*tests.values(), *vars(unittest.case).values(), builtins, os.path]
        ours = [m for n, m in sys.modules.items() if n.partition(".")[0] == "unittest"]
        modules = [m for m in used if isinstance(m, types.ModuleType)] + ours
        kinds = [k for m in ours for k in vars(m).values() if isinstance(k, type)]
        self.spaces: dict[str, Any] = {m.__name__: vars(m) for m in modules}
        self.spaces.update({f"{k.__module__}.{k.__qualname__}": vars(k) for k in kinds})
        self.before = {
            (place, name): value
            for place, names in self.spaces.items()
            for name, value in list(names.items())
            if callable(value) and (name[0] != "_" or place.startswith("unittest"))
        }

    def names(self) -> list[str]:
        """Some of the names whose values are no longer what they were."""
        pairs = self.before.items()
        changed = [k for k, value in pairs if self.spaces[k[0]].get(k[1]) is not value]
        return [f"{place}.{name}" for place, name in changed[:5]]


main()
