"""The link between the process of the tests and that of the program.

Runs inside the sandbox. The tests ask, one question at a time: for a call, an
attribute, an item. What comes back is data (`inside_data`). With each question and
answer goes what tests and programs share without noticing: the states of random
generators, the working directory, environment variables, what was printed, and changes
of arguments.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import json
import os
import random
import struct
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from inspect_debate.v1.grading.inside_data import (
    PLAIN,
    NotByValueError,
    Receiver,
    Sender,
    Unsent,
    assign,
    class_at,
    path_of,
    send_instance,
    send_namedtuple,
)

# Whose objects stay where they are: the tests ask them one question after the other.
_DESCRIBED = ("matplotlib", "mpl_toolkits", "seaborn")
_FUNCTIONS = (
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodType, partial),
    *(type(str.upper), type("".__add__)),
)
_ITERATORS: dict[Any, str] = {
    types.GeneratorType: "generator",
    map: "map",
    filter: "filter",
    zip: "zip",
    enumerate: "enumerate",
    reversed: "other",
    **{type(iter(kind())): "other" for kind in (list, tuple, dict, set, str)},
    **{kind: "other" for kind in vars(itertools).values() if isinstance(kind, type)},
}
_REFERENCES = ("handle", "function", "iterator", "unsent", "error")
_LARGEST = 1 << 28
_WARNINGS = 1000
_HEAP_TYPE = 1 << 9
_NEVER = ("unittest",)
"""Modules whose exceptions mean something to those who run tests."""


class LinkError(BaseException):
    """The program's process has ended, or what came from it cannot be read."""


class Pipe:
    """Whole messages on a socket."""

    def __init__(self, file: int) -> None:
        self._file = file

    def send(self, message: Any) -> None:
        """Send something that JSON can say."""
        data = json.dumps(message).encode()
        data = struct.pack(">Q", len(data)) + data
        view = memoryview(data)
        while view:
            view = view[os.write(self._file, view) :]

    def receive(self) -> Any:
        """The next message.

        Raises:
            EOFError: If the other side is gone, or says too much.
        """
        (size,) = struct.unpack(">Q", self._read(8))
        if size > _LARGEST:
            raise EOFError("too large")
        return json.loads(self._read(size))

    def _read(self, count: int) -> bytes:
        parts: list[bytes] = []
        while count:
            part = os.read(self._file, min(count, 1 << 20))
            if not part:
                raise EOFError("ended")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


class Shared:
    """What each process has of its own, and tests and programs take for one thing."""

    def __init__(self) -> None:
        self._last: dict[str, Any] = {}

    def changes(self) -> dict[str, Any]:
        """What has changed here since the last exchange."""
        now = {
            "random": _random_state(),
            "numpy": _numpy_state(),
            "folder": _folder(),
            "environment": dict(os.environ),
        }
        news = {n: v for n, v in now.items() if v != self._last.get(n) and v}
        self._last.update(news)
        return news

    def adopt(self, news: Any) -> None:
        """Take over what has changed there."""
        for name in ("random", "numpy", "folder", "environment"):
            if news.get(name):
                _TAKE[name](news[name])
                self._last[name] = news[name]


def _random_state() -> Any:
    version, numbers, gauss = random.getstate()
    return [version, list(numbers), gauss]


def _take_random(state: Any) -> None:
    random.setstate((state[0], tuple(state[1]), state[2]))


def _numpy_state() -> Any:
    numpy = sys.modules.get("numpy.random")
    if numpy is None:
        return None
    name, keys, *rest = numpy.get_state()
    return [name, keys.tolist(), *rest] if name == "MT19937" else None


def _take_numpy(state: Any) -> None:
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        name, keys, at, has_gauss, gauss = state
        numpy.set_state((name, keys, at, has_gauss, gauss))


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""


def _take_folder(path: Any) -> None:
    with contextlib.suppress(OSError):
        os.chdir(path)


def _take_environment(values: Any) -> None:
    for name in os.environ.keys() - values.keys():
        del os.environ[name]
    os.environ.update(values)


_TAKE = {
    "random": _take_random,
    "numpy": _take_numpy,
    "folder": _take_folder,
    "environment": _take_environment,
}


def _numbered(send: Callable[..., Any], sender: Sender, value: Any) -> Any:
    if not sender.knows(value):
        sender.number(value)
    return send(sender, value)


def error_data(sender: Sender, error: BaseException) -> Any:
    """An exception by its class, what it was made with, and its text."""
    paths = [path_of(kind) for kind in type.mro(type(error))]
    try:
        text = str(error)
    except Exception:
        text = ""
    try:
        arguments: Any = sender.each(error.args)
    except Exception:
        arguments = None
    more = [[name, sender.data(getattr(error, name))] for name in _more(error)]
    return ["error", paths, arguments, text, more]


def _more(error: BaseException) -> Iterator[str]:
    names = [*vars(error), *("filename" for _ in "1" if isinstance(error, OSError))]
    for name in names:
        if type(vars(error).get(name)) in (*_SIMPLE, type(None)):
            yield name


_SIMPLE = (str, int, float, bool)


def made_error(receiver: Receiver, data: Any) -> BaseException:
    """The exception that the data encode: of the first of its classes known here."""
    _, paths, arguments, text, more = data
    at_last = len(receiver.objects)
    receiver.made(None)
    kinds = (
        (at, _error_class(path, receiver.classes)) for at, path in enumerate(paths)
    )
    at, kind = next((at, kind) for at, kind in kinds if kind is not None)
    given = (text,) if at or arguments is None else tuple(receiver.each(arguments))
    base = next(k for k in kind.__mro__ if not k.__flags__ & _HEAP_TYPE)
    made: BaseException = base.__new__(kind, *given)
    base.__init__(made, *given)
    made.args = given
    for name, value in more:
        if type(name) is str and type(value) in (*_SIMPLE, type(None)):
            with contextlib.suppress(AttributeError, TypeError):
                setattr(made, name, value)
    receiver.objects[at_last] = made
    return made


def _error_class(path: Any, classes: dict[str, Any]) -> Any:
    if path[0] == "__test__":
        found = classes.get(path[1])
    else:
        found = class_at(path, lambda module: module.partition(".")[0] not in _NEVER)
    return found if found is not None and issubclass(found, BaseException) else None


class Program:
    """The side of the program, in a process of its own.

    Args:
        pipe: To the tests.
    """

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._shared = Shared()
        self._kept: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._classes: dict[str, Any] = {}
        self._warns = False

    def serve(self, load: Callable[[Any], tuple[Any, dict[str, Any], str]]) -> None:
        """Load the program, and answer until the tests end.

        Args:
            load: Gets the first message, and gives the function, the task's classes
                and what went wrong.
        """
        owner = os.getpid()
        first = self._pipe.receive()
        self._shared.adopt(first["shared"])
        self._warns = bool(first["warns"])
        function, self._classes, problem = load(first)
        self._keep(function)
        if os.getpid() != owner:
            os._exit(0)
        self._pipe.send({"problem": problem, "shared": self._shared.changes()})
        while True:
            question = self._pipe.receive()
            answer = self._answer(question)
            if os.getpid() != owner:  # a fork, in which nobody asks
                os._exit(0)
            self._pipe.send(answer)

    def _answer(self, question: Any) -> Any:
        self._shared.adopt(question["shared"])
        receiver = Receiver(self._referred, _REFERENCES, classes=self._classes)
        sent = question["args"], question["kwargs"]
        args = receiver.each(sent[0])
        kwargs = {name: receiver.value(item) for name, item in sent[1]}
        target = self._target(question["on"])
        answer: dict[str, Any] = {}
        value, error = None, None
        with self._watched(question["captured"], answer):
            try:
                value = _DO[question["do"]](target, question["name"], args, kwargs)
            except BaseException as raised:
                error = raised
        sender = Sender(self._refer, receiver.objects)
        answer["changed"] = self._changed(sender, receiver.objects, sent, args, kwargs)
        if error is None:
            answer["value"] = self._data(sender, value)
        else:
            answer["error"] = sender.data(error)
        answer["shared"] = self._shared.changes()
        return answer

    def _changed(
        self, sender: Sender, objects: list[Any], sent: Any, args: Any, kwargs: Any
    ) -> list[Any]:
        """The arguments' values now, if they differ from those that came."""
        if not objects:
            return []
        new = Sender(self._refer)
        try:
            now = new.each(args), [[n, new.data(v)] for n, v in kwargs.items()]
            if list(now) == list(sent):
                return []
        except Exception:
            pass
        changed = []
        for at, each in enumerate(objects):
            with contextlib.suppress(NotByValueError):
                changed.append([at, sender.content(each)])
        return changed

    @contextlib.contextmanager
    def _watched(self, captured: Any, answer: dict[str, Any]) -> Iterator[None]:
        """Record printed output and warnings, if the tests may look at them."""
        outputs = {name: io.StringIO() for name in captured}
        before = {name: getattr(sys, name) for name in captured}
        for name in captured:
            setattr(sys, name, outputs[name])
        recorder = warnings.catch_warnings(record=True)
        seen = recorder.__enter__() if self._warns else None
        if seen is not None:
            warnings.simplefilter("always")
        try:
            yield
        finally:
            if seen is not None:
                recorder.__exit__(None, None, None)
                answer["warnings"] = [_warning(each) for each in seen[:_WARNINGS]]
            for name, output in outputs.items():
                if getattr(sys, name) is output:
                    setattr(sys, name, before[name])
                answer[name] = output.getvalue()

    def _data(self, sender: Sender, value: Any) -> Any:
        try:
            return sender.data(value)
        except Exception as error:
            return ["unsent", f"{type(value).__name__} ({type(error).__name__})"]

    def _refer(self, sender: Sender, value: Any) -> Any:
        """The data of what has no form of its own."""
        kind = type(value)
        if kind in _ITERATORS:
            return ["iterator", self._keep(value), _ITERATORS[kind]]
        if kind in _FUNCTIONS:
            name = getattr(value, "__name__", "")
            return ["function", self._keep(value), name if type(name) is str else ""]
        if _is_described(kind):
            paths = [path_of(each) for each in type.mro(kind)]
            return ["handle", self._keep(value), paths]
        if issubclass(kind, BaseException):
            return _numbered(error_data, sender, value)
        if self._classes.get(kind.__name__) is kind:
            return _numbered(send_instance, sender, value)
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return send_namedtuple(sender, value)
        for plain, made in PLAIN:
            if issubclass(kind, plain):
                return sender.data(made(value))
        return ["unsent", kind.__name__]

    def _keep(self, value: Any) -> int:
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._kept)
            self._kept.append(value)
        return number

    def _target(self, on: Any) -> Any:
        if type(on) is str:
            return importlib.import_module(on)
        return self._kept[on]

    def _referred(self, receiver: Receiver, data: Any) -> Any:
        if data[0] == "error":
            return made_error(receiver, data)
        return self._kept[data[1]]


def _is_described(kind: type) -> bool:
    return any(
        path_of(each)[0].partition(".")[0] in _DESCRIBED for each in type.mro(kind)
    )


def _warning(seen: Any) -> Any:
    paths = [path_of(kind) for kind in type.mro(seen.category)]
    return [paths, str(seen.message), seen.filename, seen.lineno]


_DO: dict[str, Callable[..., Any]] = {
    "call": lambda target, name, args, kwargs: target(*args, **kwargs),
    "attribute": lambda target, name, args, kwargs: getattr(target, name),
    "method": lambda target, name, args, kwargs: getattr(target, name)(*args, **kwargs),
    "item": lambda target, name, args, kwargs: target[args[0]],
    "length": lambda target, name, args, kwargs: len(target),
    "truth": lambda target, name, args, kwargs: bool(target),
    "text": lambda target, name, args, kwargs: str(target),
    "next": lambda target, name, args, kwargs: next(target),
}


class Handle:
    """An object of a plot, in the program's process; what it is asked is asked there.

    It cannot be changed by setting attributes, and equals nothing but itself.
    """

    __slots__ = ("__weakref__", "_ask", "_kind", "_number")

    def __init__(self, ask: Callable[..., Any], number: int, kind: Any) -> None:
        self._ask, self._number, self._kind = ask, number, kind

    @property  # type: ignore[misc]  # a class is no property elsewhere
    def __class__(self) -> Any:
        """The class it has there, for `isinstance`."""
        return self._kind

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._ask("attribute", self._number, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it there."""
        return self._ask("call", self._number, "", *args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._ask("item", self._number, "", key)

    def __len__(self) -> int:
        return int(self._ask("length", self._number, ""))

    def __iter__(self) -> Iterator[Any]:
        for at in itertools.count():
            if at >= len(self):
                return
            yield self[at]

    def __bool__(self) -> bool:
        return self._ask("truth", self._number, "") is True

    def __str__(self) -> str:
        return str(self._ask("text", self._number, ""))

    __repr__ = __str__


class Link:
    """The side of the tests.

    Args:
        pipe: To the program.

    Attributes:
        problem: Why grading by value cannot go on, or what the tests do that cannot be
            done by value; empty as long as all is well.
    """

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._lock = threading.RLock()
        self._shared = Shared()
        self._things: dict[int, Any] = {}
        self._classes: dict[str, Any] = {}
        self._outputs = {"stdout": sys.stdout, "stderr": sys.stderr}
        self.problem = ""

    def load(self, first: dict[str, Any], classes: dict[str, Any]) -> str:
        """Have the program loaded; what went wrong, or nothing.

        Args:
            first: What the other side needs for it.
            classes: The task's own, by name.
        """
        self._classes = classes
        try:
            self._pipe.send({**first, "shared": self._shared.changes()})
            answer = self._pipe.receive()
            self._shared.adopt(answer["shared"])
            return str(answer["problem"])
        except Exception as error:
            self._broken(error)
            return self.problem

    def ask(self, do: str, on: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """Ask the program, and give back or raise what it says."""
        with self._lock:
            sender = Sender(self._refer)
            try:
                sent = (
                    sender.each(args),
                    [[n, sender.data(v)] for n, v in kwargs.items()],
                )
            except Exception as error:
                self.problem = f"hands over what cannot be sent: {error}"
                raise LinkError(self.problem) from None
            question = {"do": do, "on": on, "name": name}
            captured = [
                n for n, at in self._outputs.items() if getattr(sys, n) is not at
            ]
            try:
                self._pipe.send(
                    {
                        **{**question, "args": sent[0], "kwargs": sent[1]},
                        **{"captured": captured, "shared": self._shared.changes()},
                    }
                )
                answer = self._pipe.receive()
                value, raised = self._read(answer, sender.objects, captured)
            except Exception as broken:
                self._broken(broken)
                raise LinkError(self.problem) from None
        self._warn(answer.get("warnings", ()))
        if raised is not None:
            raise raised
        return value

    def function(self, number: int, name: str) -> Any:
        """A function here for one there."""

        def called(*args: Any, **kwargs: Any) -> Any:
            return self.ask("call", number, "", *args, **kwargs)

        called.__name__ = called.__qualname__ = name or "called"
        return called

    def forward(self, module: types.ModuleType) -> None:
        """Have all of a module's functions called in the program's process."""
        for name, value in list(vars(module).items()):
            if type(value) is types.FunctionType and not name.startswith("_"):
                asked = partial(self.ask, "method", module.__name__, name)
                setattr(module, name, _plain(asked, name))

    def _read(self, answer: Any, objects: list[Any], captured: list[str]) -> Any:
        receiver = Receiver(self._referred, _REFERENCES, objects, self._classes)
        new = [(at, receiver.value(data)) for at, data in answer["changed"]]
        error = answer.get("error")
        if error is None:
            value, raised = receiver.value(answer["value"]), None
        else:
            value, raised = None, receiver.value(error)
            if not isinstance(raised, BaseException):
                raise NotByValueError("no exception")
        for at, content in new:
            assign(objects[at], content)
        self._shared.adopt(answer["shared"])
        for name in captured:
            getattr(sys, name).write(str(answer[name]))
        return value, raised

    def _broken(self, error: Exception) -> None:
        if isinstance(error, (EOFError, OSError)):
            self.problem = "ended the program's process"
        else:
            self.problem = f"cannot be read: {type(error).__name__}: {error}"

    def _warn(self, seen: Any) -> None:
        for paths, text, file, line in seen:
            kinds = (class_at(path, lambda module: True) for path in paths)
            kind = next((k for k in kinds if k and issubclass(k, Warning)), UserWarning)
            warnings.warn_explicit(str(text), kind, str(file), int(line))

    def _refer(self, sender: Sender, value: Any) -> Any:
        kind = type(value)
        if kind is Handle:
            return ["handle", object.__getattribute__(value, "_number")]
        if issubclass(kind, BaseException):
            return _numbered(error_data, sender, value)
        if self._classes.get(kind.__name__) is kind:
            return _numbered(send_instance, sender, value)
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return send_namedtuple(sender, value)
        for number, thing in self._things.items():
            if thing is value:
                return ["function", number]
        raise NotByValueError(kind.__name__)

    def _referred(self, receiver: Receiver, data: Any) -> Any:
        word, number = data[:2]
        if word == "unsent":
            return Unsent(str(number))
        if word == "error":
            return made_error(receiver, data)
        if type(number) is not int:
            raise NotByValueError(str(word))
        if number not in self._things:
            self._things[number] = self._made(word, number, data[2])
        return self._things[number]

    def _made(self, word: str, number: int, more: Any) -> Any:
        if word == "handle":
            kinds = (class_at(path, _of_plots) for path in more)
            kind = next((each for each in kinds if each is not None), object)
            return Handle(self.ask, number, kind)
        if word == "function":
            return self.function(number, str(more))
        iterated = _ITERATED.get(str(more), _Iterated)
        return iterated(partial(self.ask, "next", number, ""))


def _of_plots(module: str) -> bool:
    if module.partition(".")[0] not in _DESCRIBED:
        return False
    with contextlib.suppress(ImportError):
        importlib.import_module(module)
    return True


def _plain(call: Callable[..., Any], name: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        return call(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    return function


def _generated(ask: Callable[[], Any]) -> Any:
    while True:
        try:
            value = ask()
        except StopIteration:
            return
        yield value


class _Iterated:
    """An iterator of no special type."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        self._ask = ask

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self._ask()


_ITERATED: dict[str, Callable[..., Any]] = {
    "generator": _generated,
    "map": lambda ask: map(lambda _: ask(), itertools.repeat(None)),
    "filter": lambda ask: filter(lambda _: True, _generated(ask)),
    "zip": lambda ask: _Iterated(ask),
    "enumerate": lambda ask: _Iterated(ask),
    "other": _Iterated,
}
