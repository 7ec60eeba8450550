"""What tests hold that a solution must leave as it is: constants, attributes, mocks.

Runs inside the sandbox, where tests and solution share a process.
"""

from __future__ import annotations

import json
import sys
import weakref
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from inspect_debate.v1.grading.inside_data import NotByValueError, Sender

_space = vars(type)["__dict__"].__get__
_OF_UNITTEST = ("_class_cleanups", "_classSetupFailed", "tearDown_exceptions")
_IMMUTABLE = (int, float, complex, str, bytes, bool, type(None), tuple, frozenset)


class Frozen:
    """The tests' globals and the attributes of their class, by value.

    Args:
        space: The globals.
        kind: The class.
        stored: Names that the tests themselves give values to.
        given: Names of what they hand over, which may be changed if it can be.
        left_out: Names that are looked at elsewhere.
    """

    def __init__(
        self,
        space: Mapping[str, Any],
        kind: type,
        stored: set[str],
        given: set[str],
        left_out: set[str],
    ) -> None:
        self._stored, self._given = {*stored, *_OF_UNITTEST}, given
        self._left_out = left_out
        self._of: list[tuple[str, Callable[[], Mapping[str, Any]]]] = [
            ("", lambda: space),
            (f"{kind.__name__}.", lambda: _space(kind)),
        ]
        self._kind = kind
        self.note()

    def note(self) -> None:
        """Take everything to be as it should be."""
        self._before = [self._values(of()) for _, of in self._of]
        self._names = {*_space(self._kind)}

    def changed(self) -> str:
        """The name of something that is no longer the same; empty if all is."""
        for (label, of), before in zip(self._of, self._before):  # noqa: B905 (alike)
            now = self._values(of())
            for name, value in before.items():
                if name not in now or not _same(now[name], value):
                    return f"{label}{name}"
        for name, value in _space(self._kind).items():
            new = name not in self._names and name not in self._stored
            if new or (name not in self._names and _is_descriptor(value)):
                return f"{self._kind.__name__}.{name}"
        return ""

    def _values(self, space: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: _content(value)
            for name, value in space.items()
            if not name.startswith("__")
            and name not in self._stored | self._left_out
            and not isinstance(value, ModuleType)
            and (name not in self._given or type(value) in _IMMUTABLE)
        }


def _is_descriptor(value: object) -> bool:
    return hasattr(type(value), "__set__") or type(value) is FunctionType


def _refuse(sender: object, value: object) -> Any:
    raise NotByValueError


def _content(value: Any) -> Any:
    """A value, and its content if that is known."""
    try:
        return value, json.dumps(Sender(_refuse).data(value))
    except Exception:
        return value, None


def _same(now: Any, before: Any) -> bool:
    return now[0] is before[0] and now[1] == before[1]


class Mocks:
    """The mocks that are made from here on, and whether they still assert."""

    def __init__(self) -> None:
        self._made: list[Any] = []
        module = sys.modules.get("unittest.mock")
        if module is None:
            return
        base: Any = module.NonCallableMock
        make, made = base.__new__, self._made

        def new(cls: type, /, *args: Any, **kwargs: Any) -> Any:
            mock = make(cls, *args, **kwargs)
            made.append(weakref.ref(mock))
            return mock

        base.__new__ = new

    def disarmed(self) -> bool:
        """Whether a mock has an assertion of its own, in place of the library's."""
        for reference in self._made:
            mock = reference()
            if mock is None:
                continue
            names = [*object.__getattribute__(mock, "__dict__"), *_space(type(mock))]
            if any(name.startswith("assert") for name in names):
                return True
        return False
