"""What a solution must leave as it is: builtins, unittest and what the tests import.

Runs inside the sandbox.
"""

from __future__ import annotations

import builtins
import sys
import unittest
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import is_
from types import FunctionType, ModuleType
from typing import Any

_HEAP_TYPE = 1 << 9
_OURS = ("builtins", "contextlib", "unittest")
# What unittest asks of other modules.
_ASKED = (
    *("collections", "collections.Counter", "difflib", "difflib.ndiff", "functools"),
    *("pprint", "pprint.pformat", "re", "re.compile", "re.search", "sys", "types"),
)
# Of other modules only what the tests use is watched: one that makes plots show nothing
# is honest. But much rests on these.
_ALL_OF = ("os", "os.path")
# By adding one of these to a class of unittest, a test case would be another.
_ADDED = (
    *("__call__", "__eq__", "__getattr__", "__getattribute__", "__init_subclass__"),
    *("__new__", "__setattr__"),
)
# And by one of these a class of a library would.
_SPECIAL = (
    *("__bool__", "__contains__", "__eq__", "__getattr__", "__getattribute__"),
    *("__getitem__", "__iter__", "__len__", "__ne__"),
)
_BUILTINS = tuple(vars(builtins))
_mro, _space = (vars(type)[name].__get__ for name in ("__mro__", "__dict__"))


class Watch:
    """Functions and classes as they were before a solution was loaded.

    Only what can be called counts, and in other modules than unittest, builtins and os
    only classes, and functions that the tests use: libraries fill in others as they go.

    Args:
        names: What the tests import and use: full names, each after what it is in, and
            names of methods, which begin with a dot. Modules are imported here, as long
            as that works.
    """

    def __init__(self, names: list[str]) -> None:
        # Where it is, how to look it up there, by what, and what was found.
        self._known: list[tuple[str, Callable[..., Any], Sequence[str], Any]] = []
        self._kinds: dict[str, Any] = {}
        self._classes: set[type] = set()
        names = [*names, *_ASKED]
        self._used = {name.rpartition(".")[2] for name in names}
        self._inside: dict[type, set[str]] = {}
        found = _modules([name for name in names if not name.startswith(".")])
        ours = {name for name in sys.modules if name.partition(".")[0] in _OURS}
        found.update((name, sys.modules[name]) for name in ours)
        for label in sorted(found):
            self._module(label, found[label], private=label in ours)
        self._as_now("", sys.modules.get, sorted(found.keys() & sys.modules.keys()))
        self._as_now("the class of ", lambda key: type(self._kinds[key]), self._kinds)
        # Of unittest alone: keras gives its own classes other bases when first used.
        orders = [
            key
            for key, kind in self._kinds.items()
            if _is_class(kind) and key.partition(".")[0] in _OURS
        ]
        self._as_now("the bases of ", lambda key: _mro(self._kinds[key]), orders)

    def add_class(self, label: str, kind: type, also: Iterable[str] = ()) -> None:
        """Watch the functions of a class, and names that must not be added to it."""
        self._classes.add(kind)
        inside: Mapping[str, Any] = _space(kind)
        names = {*(key for key, value in inside.items() if _matters(value)), *also}
        self._as_now(f"{label}.", inside.get, names)

    def add_names(self, space: Mapping[str, Any], names: tuple[str, ...]) -> None:
        """Watch all modules in a namespace, and what else has one of the names."""
        watched = [
            name
            for name, value in space.items()
            if issubclass(type(value), ModuleType)
            or (name in names and callable(value))
        ]
        self._as_now("", space.get, watched)

    def changed(self) -> str:
        """The name of something that is no longer the same; empty if all is."""
        for label, get, names, values in self._known:
            if not all(map(is_, map(get, names), values)):
                same = map(is_, map(get, names), values)
                changes = (names[at] for at, still in enumerate(same) if not still)
                return f"{label}{next(changes, '')}"
        return ""

    def _as_now(
        self, label: str, get: Callable[..., Any], names: Iterable[str]
    ) -> None:
        keys = tuple(names)
        self._known.append((label, get, keys, tuple(map(get, keys))))

    def _module(self, label: str, module: ModuleType, private: bool) -> None:
        space = vars(module)
        every = private or label in _ALL_OF
        names = {"__builtins__", *_BUILTINS}
        for name, value in list(space.items()):
            if private and issubclass(type(value), ModuleType):
                names.add(name)  # through which it works
            if not callable(value) or (name.startswith("_") and not private):
                continue
            if issubclass(type(value), type):
                self._any_class(f"{label}.{name}", value, private)
            elif not every and name not in self._used:
                continue
            elif type(value) is FunctionType and value.__kwdefaults__:
                defaults = value.__kwdefaults__
                self._as_now(f"{label}.{name}:", defaults.get, defaults)
            names.add(name)
        self._kinds[label] = module
        self._as_now(f"{label}.", space.get, names)

    def _any_class(self, label: str, kind: type, private: bool) -> None:
        order = _mro(kind)
        for number, base in enumerate(order):
            if base in self._classes or not base.__flags__ & _HEAP_TYPE:
                continue
            where = f"{label}, {base.__name__}" if number else label
            self._kinds[where] = base
            self.add_class(where, base, also=self._lacking(base, private))

    def _lacking(self, kind: type, private: bool) -> set[str]:
        """What a class may inherit, but must not have of its own."""
        also = set(_ADDED if private else _SPECIAL)
        for base in _mro(kind)[1:-1]:
            if base not in self._inside:
                keys = _space(base).keys()
                self._inside[base] = {*keys} if private else {*keys} & self._used
            also |= self._inside[base]
        return also


def names_of_unittest() -> tuple[str, ...]:
    """What a class of tests would be changed by, if it had it of its own."""
    return (*vars(unittest.TestCase), *_ADDED)


def _modules(names: list[str]) -> dict[str, ModuleType]:
    """Those of the names that are modules, or ways to one (`numpy.testing`)."""
    found: dict[str, ModuleType] = {}
    for name in names:
        parent, _, last = name.rpartition(".")
        if parent and parent not in found:
            continue
        try:
            if not hasattr(found.get(parent), last):
                builtins.__import__(name)
            value = getattr(found[parent], last) if parent else sys.modules[name]
        except BaseException:  # the test that needs it will say so
            continue
        if issubclass(type(value), ModuleType):
            found[name] = value
    return found


def _is_class(value: object) -> bool:
    return issubclass(type(value), type)


def _matters(value: object) -> bool:
    # Not isinstance: it asks the value for its class, and lazy ones then do something.
    return callable(value) or issubclass(
        type(value), (classmethod, staticmethod, property)
    )
