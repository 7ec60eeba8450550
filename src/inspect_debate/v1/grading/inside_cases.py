"""The test cases of a program: loaded as BigCodeBench does, and run one by one.

Runs inside the sandbox. A test passes by returning, which is noticed here and not by
unittest, whose objects a solution could change.
"""

from __future__ import annotations

import builtins
import os
import sys
import unittest
from collections.abc import Callable, Generator
from types import CoroutineType, FunctionType, MethodType, ModuleType
from typing import Any

from inspect_debate.v1.grading.inside_audit import Audit
from inspect_debate.v1.grading.inside_calls import Calls
from inspect_debate.v1.grading.inside_frozen import Frozen, Mocks
from inspect_debate.v1.grading.inside_values import Lies
from inspect_debate.v1.grading.inside_watch import Watch, names_of_unittest

MODULE = "__test__"
FILE = f"{MODULE}.py"
TEST_CLASS = "TestCases"
LONGEST_DETAIL = 300

_LIES = "gave a value that claims to equal everything"
_BUILTINS = frozenset(vars(builtins))
# What they make may be used only in the thread that made it.
_BOUND_TO_THREADS = ("sqlite3", "tkinter", "turtle")


class Cases:
    """A program with its tests.

    Args:
        calls: Where the solution runs.
        watch: Modules as they were.
        audit: What the solution reached for.
        lies: Detects values that claim to equal everything.
        mocks: The mocks that are made.
        stored: Names that the tests give values to when they run.
        given: Names of what they hand over.
    """

    __slots__ = (
        *("_asserts", "_audit", "_calls", "_caught", "_entry_point", "_imports"),
        *("_frozen", "_given", "_mocks", "_stored"),
        *("_kind", "_lies", "_methods", "_shadows", "_shared", "_skipped", "_space"),
        "_watch",
    )

    def __init__(
        self,
        calls: Calls,
        watch: Watch,
        audit: Audit,
        lies: Lies,
        mocks: Mocks,
        stored: list[str],
        given: list[str],
    ) -> None:
        self._stored, self._given = {*stored}, {*given}
        self._mocks = mocks
        self._frozen: Frozen | None = None
        self._calls, self._watch, self._audit, self._lies = calls, watch, audit, lies
        self._caught: list[str] = []
        self._asserts = {
            name: function
            for name, function in vars(unittest.TestCase).items()
            if name.startswith(("assert", "fail", "_"))
            and not name.startswith("__")
            and isinstance(function, FunctionType)
        }
        self._kind: Any = None
        self._methods: dict[str, Any] = {}
        self._skipped: set[str] = set()
        self._space: dict[str, Any] = new_space()
        self._shadows: set[str] = set()
        self._shared: list[str] = []
        self._entry_point = ""
        self._imports: list[str] = []

    def load_tests(
        self,
        prompt: str,
        tests: str,
        entry_point: str,
        names: list[str],
        imports: list[str],
    ) -> str:
        """Load the tests, before any of the solution; what went wrong, or nothing.

        They see the imports and constants of the prompt, in a namespace of their own.
        """
        space, self._entry_point, self._imports = self._space, entry_point, imports
        try:
            code = compile(tests, FILE, "exec", dont_inherit=True)
        except BaseException as error:
            return f"the tests do not compile: {described(error)}"
        problem = (
            attempt(lambda: exec(compile(prompt, FILE, "exec", 0, True), space))
            or self._note_shared()
            or attempt(exec, code, space)
            or self._take(space, names)
        )
        self._watch.add_names(space, tuple(space.keys() - {*self._shared}))
        self._shadows = _shadows(space)
        self._lies.know()
        if not problem:
            left_out = {entry_point, *self._shared, TEST_CLASS}
            self._frozen = Frozen(
                space, self._kind, self._stored, self._given, left_out
            )
        return problem and f"the tests cannot be loaded: {problem}"

    def load_program(self, program: str) -> str:
        """Load the solution, and begin the tests; what went wrong, or nothing."""
        module = ModuleType(MODULE)
        space = vars(module)
        space.update(new_space())
        sys.modules[MODULE] = module
        try:
            code = self._calls.do(compile, program, FILE, "exec", 0, True)
        except BaseException as error:
            return f"does not compile: {described(error)}"
        problem = attempt(self._calls.do, exec, code, space)
        problem = self._alarm() or (problem and f"when loaded: {problem}")
        if problem:
            return problem
        self._share(space)
        problem = attempt(self._kind.setUpClass)
        if self._frozen is not None:
            self._frozen.note()
        return problem and f"when its tests began: {problem}"

    def run(self, name: str) -> str:
        """Run one test; why it did not pass, or nothing if it did."""
        method = self._methods[name]
        if name in self._skipped:
            return ""  # by a decorator in the tests, whatever the solution
        test = method.__self__
        guards = self._guard(test)
        problem = run_test(test, method)
        if type(test) is not self._kind or any(
            vars(test).get(name) is not guard for name, guard in guards.items()
        ):
            problem = "changed the test case"
        return self._alarm() or problem

    def close(self) -> str:
        """What the tests do at their end; what went wrong, or nothing."""
        return (
            attempt(self._kind.tearDownClass)
            or attempt(self._kind.doClassCleanups)
            or self._alarm()
        )

    def _alarm(self) -> str:
        if self._audit.seen:
            return f"reached for {self._audit.seen[0]}"
        if self._caught:
            return self._caught[0]
        if not _shadows(self._space) <= self._shadows:
            return "changed the names of the tests"
        if self._mocks.disarmed():
            return "changed what a mock asserts"
        changed = self._watch.changed()
        if not changed and self._frozen is not None:
            changed = self._frozen.changed()
        return changed and f"changed {changed}"

    def _share(self, space: dict[str, Any]) -> None:
        """Give the tests what they ask of a solution, and nothing else of it.

        That is its function, and its versions of classes in the prompt.
        """
        tests, entry_point, shared = self._space, self._entry_point, self._shared
        # In BigCodeBench's one namespace a solution may rely on imports of the tests.
        for name in {*self._imports} & tests.keys():
            space.setdefault(name, tests[name])
        tests.update((name, space[name]) for name in shared if name in space)
        if entry_point in space:
            looks = _looking(self._lies, self._caught)
            next(looks)
            one_thread = any(map(_bound_to_thread, tests.values()))
            tests[entry_point] = self._calls.wrap(
                space[entry_point], looks.send, here=one_thread
            )
        self._watch.add_names(tests, (entry_point, *shared))

    def _note_shared(self) -> str:
        space = self._space
        space.pop(self._entry_point, None)
        self._shared = [
            name for name, value in space.items() if is_class_of_prompt(value)
        ]
        return ""

    def _take(self, space: dict[str, Any], names: list[str]) -> str:
        """Take the tests out of their class, where a solution would find them."""
        kind: Any = space.get(TEST_CLASS)
        if not (issubclass(type(kind), type) and issubclass(kind, unittest.TestCase)):
            return f"{TEST_CLASS} is no class of tests"
        self._kind = kind
        problem = attempt(lambda: self._methods.update(bound(kind, names)))
        if problem:
            return problem
        for name, method in self._methods.items():
            if getattr(method, "__unittest_skip__", False):
                self._skipped.add(name)
            if name in vars(kind):
                delattr(kind, name)
        self._watch.add_class(TEST_CLASS, kind, also=names_of_unittest())
        own = {name for base in _before_unittest(kind) for name in vars(base)}
        self._asserts = {
            name: function
            for name, function in self._asserts.items()
            if name not in own
        }
        return ""

    def _guard(self, test: Any) -> dict[str, Callable[..., Any]]:
        """Give a test assert methods of its own, which no patched class changes."""
        guards = {
            name: self._checked(MethodType(function, test))
            if name.startswith("assert")
            else MethodType(function, test)
            for name, function in self._asserts.items()
        }
        vars(test).update(guards)
        return guards

    def _checked(self, method: Callable[..., Any]) -> Callable[..., Any]:
        lies, caught = self._lies, self._caught

        def checked(*args: Any, **kwargs: Any) -> Any:
            if any(map(lies, (*args, *kwargs.values()))):
                caught.append(_LIES)
            return method(*args, **kwargs)

        return checked


def _looking(lies: Lies, caught: list[str]) -> Generator[None, object, None]:
    """Takes values; being a generator, it shows a solution nothing of its own."""
    while True:
        value = yield
        if lies(value):
            caught.append(_LIES)


def new_space() -> dict[str, Any]:
    """A namespace, as a file that is run has it."""
    return {
        "__name__": MODULE,
        "__builtins__": builtins,
        "__file__": FILE,
        "__package__": None,
        "sys": sys,
        "os": os,
        "environ": os.environ,
    }


def _shadows(space: dict[str, Any]) -> set[str]:
    """The names of built-in functions that mean something else in a namespace."""
    return {*space} & _BUILTINS


def is_class_of_prompt(value: object) -> bool:
    """Whether a value is a class that the head of the task defines."""
    is_class = issubclass(type(value), type)
    return is_class and vars(value).get("__module__") == MODULE


def _bound_to_thread(value: object) -> bool:
    where = vars(value) if issubclass(type(value), ModuleType) else {}
    return where.get("__name__") in _BOUND_TO_THREADS


def bound(kind: type[unittest.TestCase], names: list[str]) -> dict[str, Any]:
    """The tests of a class, each of an object of its own."""
    return {name: getattr(kind(name), name) for name in names}


def _before_unittest(kind: type) -> list[type]:
    order = list(kind.__mro__)
    return order[: order.index(unittest.TestCase)]


def run_test(test: Any, method: Callable[[], object]) -> str:
    """Run a test with what is before and after it; why it did not pass, or nothing."""
    problem = attempt(test.setUp)
    if not problem:
        problem = attempt(method)
        after = attempt(test.tearDown)
        problem = problem or after
    while test._cleanups:
        function, args, kwargs = test._cleanups.pop()
        after = attempt(function, *args, **kwargs)
        problem = problem or after
    return problem


def attempt(call: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    """Call something; what it raised, or nothing if it returned."""
    try:
        if type(call(*args, **kwargs)) is CoroutineType:
            return "is a coroutine, which nobody awaits"
    except BaseException as error:
        return described(error)
    return ""


def described(error: BaseException) -> str:
    """The kind of an error, and what it says."""
    try:
        text = f"{type(error).__name__}: {error}"
    except BaseException:  # the solution's own code
        text = "raised something that cannot be shown"
    return text[:LONGEST_DETAIL]
