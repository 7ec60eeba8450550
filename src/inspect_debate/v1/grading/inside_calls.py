"""Calls of a solution in the main thread, while its tests run in another.

Runs inside the sandbox. Whatever shows a solution the frames under which it runs shows
it a loop that waits for calls, and nothing of the tests.
"""

from __future__ import annotations

import builtins
import functools
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from inspect_debate.v1.grading.inside_values import found

_PARTS = "what it needs"
# What is called without the object that it was found by.
_BOUND = (functools.partial, MethodType, BuiltinFunctionType)
_NO_PLAIN_FUNCTION = 0x20 | 0x80 | 0x200  # a generator or a coroutine


class Calls:
    """What runs in the main thread, for those in other threads who ask for it.

    Attributes:
        serve: To be called in the main thread; does not return.
    """

    __slots__ = ("_answer", "_ask", "serve")

    def __init__(self) -> None:
        calls: SimpleQueue[Any] = SimpleQueue()
        results: SimpleQueue[Any] = SimpleQueue()
        self._ask, self._answer = calls.put, results.get
        owner = os.getpid(), os.getpid, os._exit
        self.serve = _bare(_serve, (calls.get, results.put, BaseException, *owner))

    def do(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call something in the main thread."""
        self._ask((call, args, kwargs))
        problem, value = self._answer()
        if problem is not None:
            raise problem
        return value

    def wrap(
        self, function: Any, look: Callable[[Any], object], here: bool = False
    ) -> Any:
        """A function that is called in the main thread.

        Other threads than this one call it directly, and so does the main thread, when
        it is called back.

        Args:
            function: Anything; a class, a generator or a coroutine is left as it is.
            look: Gets what the function returns.
            here: Whether to call it in this thread after all.
        """
        if not callable(function) or issubclass(type(function), type):
            return function
        code = getattr(function, "__code__", None)
        if getattr(code, "co_flags", 0) & _NO_PLAIN_FUNCTION:
            return function
        asker = 0 if here else threading.get_ident()
        parts: tuple[Any, ...] = (
            *(function, look, threading.RLock(), asker, threading.get_ident),
            *(self._ask, self._answer, copy_context),
            *([], BaseException.with_traceback),
        )
        return functools.update_wrapper(_bare(_called, parts), function)

    def tame(self, kind: type, names: list[str]) -> None:
        """Have a class's own methods called in the main thread, whoever asks."""
        for name in names:
            where, value = found(kind, name)
            if type(value) is FunctionType:
                wrapped = self.wrap(value, type)
            elif type(value) in _BOUND:
                wrapped = staticmethod(self.wrap(value, type))
            else:
                continue
            with suppress(TypeError):  # a class of C, which does not change
                type.__setattr__(where, name, wrapped)


def _bare(function: Any, parts: tuple[Any, ...]) -> Any:
    """A function without globals; constants cannot be replaced, as cells can.

    Builtins there are, as the compiler looks for them to read names that are not ASCII.
    """
    code = function.__code__
    constants = (parts if const == _PARTS else const for const in code.co_consts)
    space = {"__builtins__": builtins}
    return FunctionType(code.replace(co_consts=tuple(constants)), space)


def _serve() -> None:
    parts: Any = "what it needs"
    take, give, base, owner, process, end = parts
    while True:
        call, args, kwargs = take()
        result: Any
        try:
            result = None, call(*args, **kwargs)
        except base as error:
            result = error, None
        if process() != owner:  # a fork, in which nobody waits
            end(0)
        give(result)
        call = args = kwargs = result = None


def _called(*args: Any, **kwargs: Any) -> Any:
    parts: Any = "what it needs"
    function, look, lock, asker, thread, ask, answer, context, raised, strip = parts
    if thread() != asker:
        value = function(*args, **kwargs)
    else:
        while raised:  # it has the frames of tests by now
            strip(raised.pop(), None)
        own = context()
        ask((own.run, (function, *args), kwargs))
        problem, value = answer()
        for variable in own:
            if variable.get(None) is not own[variable]:
                variable.set(own[variable])
        if problem is not None:
            raised.append(problem)
            try:
                raise problem
            finally:
                problem = None
    with lock:
        look(value)
    return value
