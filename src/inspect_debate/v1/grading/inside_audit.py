"""Notices a solution that reaches into the interpreter, by an audit hook.

Runs inside the sandbox. Frames, tracebacks and the garbage collector would lead a
solution to what the tests expect, and to the runner. An audit hook cannot be taken away
again; this one refuses such access, and remembers it, unless it comes from a library
whose own code asks for it (as `collections.namedtuple` asks for the caller's frame).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any

_CALLS = {
    "ctypes.cdata": "from_address",
    "gc.get_objects": "get_objects",
    "gc.get_referents": "get_referents",
    "gc.get_referrers": "get_referrers",
    "marshal.load": "marshal.load",
    "sys._current_exceptions": "_current_exceptions",
    "sys._current_frames": "_current_frames",
    "sys._getframe": "_getframe",
    "sys.addaudithook": "addaudithook",
    "sys.monitoring.register_callback": "register_callback",
    "sys.setprofile": "setprofile",
    "sys.settrace": "settrace",
}
_OTHER_NAMES = {"from_address": "in_dll"}
_GET = "object.__getattr__"
_FRAMES = frozenset({"tb_frame", "gi_frame", "cr_frame", "ag_frame"})
# What a function does if called with less than all that it takes.
_DEFAULTS = ("__defaults__", "__kwdefaults__")
# Libraries that pass what they are given on to those who call them.
_CTYPES = "ctypes/__init__.py"
_FILES_THAT_PASS_ON = (
    *("/inspect.py", "/bdb.py", "/pdb.py", "/trace.py", "/profile.py"),
    "asyncio/base_tasks.py",
)
_FUNCTIONS_THAT_PASS_ON = frozenset(
    {"walk_stack", "walk_tb", "currentframe", "<lambda>"}
)
_GENERATOR = 0x20
# Makes code objects, which say what file they are from; imports need it.
_FORGERY = "replace"
_COMPILED, _UNPACKED = "compile", "marshal.loads"
_IMPORT = "<frozen importlib"
_HEAD_OF_PYC = 16
# Functions of C that reach into a process.
_SYMBOLS = frozenset(
    {"prctl", "process_vm_readv", "process_vm_writev", "ptrace", "syscall"}
)
_MEMORY = "/proc/self/mem"
_MODE = 0o7777
_open, _stat = open, os.stat
_PROFILER = "profiler"
if TYPE_CHECKING:
    _Args = tuple[Any, ...]
    _Look = Callable[[_Args, FrameType | None], str | None]


class Audit:
    """What a solution reached for, as the hook saw it.

    Args:
        libraries: Folders whose code may look at frames.
    """

    def __init__(self, libraries: tuple[str, ...]) -> None:
        self.seen: list[str] = []
        self._libraries = libraries
        self._marks = tuple(path.encode() for path in (*libraries, "<frozen "))
        self._profiling = _open_profiler()
        self._memory = _status(_MEMORY)

    def start(self) -> None:
        """Watch from here on, until the process ends."""
        sys.addaudithook(self._hook())

    def _hook(self) -> Callable[[str, tuple[Any, ...]], None]:
        getframe, seen, refused = sys._getframe, self.seen, self._refused
        find = {event: _always(name) for event, name in _CALLS.items()}
        find.update(self._sometimes())

        def hook(event: str, args: tuple[Any, ...]) -> None:
            look = find.get(event)
            if look is None or (event == _GET and args[1] not in _FRAMES):
                return  # before the next lines, which get `f_code`
            if event == "sys._getframe" and args[0].f_code is own:
                return
            frame = getframe().f_back
            name = look(args, frame)
            if name is not None and refused(name, frame):
                seen.append(name)
                raise RuntimeError(f"{name} is not for solutions")

        own = hook.__code__
        return hook

    def _sometimes(self) -> dict[str, _Look]:
        """What was reached for by events of which not all matter."""

        def made(args: _Args, frame: FrameType | None) -> str | None:
            return _FORGERY if self._is_library(_text(args[1])) else None

        def symbol(args: _Args, frame: FrameType | None) -> str | None:
            name = _text(args[1])
            inner = name.lstrip("_").startswith("Py") or name in _SYMBOLS
            return name if inner else None

        def changed(args: _Args, frame: FrameType | None) -> str | None:
            function: Any = args[0]
            name: str = args[1]
            if name == "__code__":
                return name
            if name not in _DEFAULTS or type(function) is not FunctionType:
                return None
            where = function.__code__.co_filename
            own = frame is not None and frame.f_code.co_filename == where
            return name if self._is_library(where) and not own else None

        return {
            "code.__new__": made,
            "compile": self._compiled,
            "ctypes.dlsym": symbol,
            "marshal.loads": self._unpacked,
            "object.__delattr__": changed,
            _GET: lambda args, frame: args[1],
            "object.__setattr__": changed,
            "open": self._opened,
        }

    def _opened(self, args: _Args, frame: FrameType | None) -> str | None:
        """Memory of a process, by whatever path."""
        path = args[0]
        if not issubclass(type(path), (str, bytes)):
            return None
        if _text(path).startswith("/proc") and _text(path).endswith("/mem"):
            return _text(path)
        status = _status(path)
        return _MEMORY if status and status == self._memory else None

    def _compiled(self, args: _Args, frame: FrameType | None) -> str | None:
        """Something else that is compiled as if it were a library's file."""
        source, path = args[0], _text(args[1])
        if not self._is_library(path):
            return None
        if issubclass(type(source), str):
            source = str.encode(source, errors="replace")
        content = _content(path)
        same = type(source) is bytes and source in (
            content,
            content.replace(b"\r\n", b"\n"),
        )
        return None if same else _COMPILED

    def _unpacked(self, args: _Args, frame: FrameType | None) -> str | None:
        """Code that names a library's file, and is not what importing that reads."""
        data = args[0]
        if not any(mark in data for mark in self._marks):
            return None
        path = _text(frame.f_locals.get("bytecode_path")) if frame else ""
        is_library = path.startswith(self._libraries)
        same = is_library and _content(path)[_HEAD_OF_PYC:] == data
        return None if same else _UNPACKED

    def _is_library(self, path: str) -> bool:
        if path.startswith("<frozen "):
            return True
        return path.startswith(self._libraries) and path.endswith(".py")

    def _is_profiler(self, frame: FrameType) -> bool:
        return any(frame.f_code is code for code in self._profiling)

    def _refused(self, name: str, frame: FrameType | None) -> bool:
        if name in (_COMPILED, _UNPACKED):
            return True
        if frame and name == "setprofile" and self._is_profiler(frame):
            return False
        within = ""  # the file that what has no name must have been called in
        while frame is not None:
            code = frame.f_code
            path = code.co_filename
            if not self._is_library(path) or within not in ("", path):
                return True
            if name == _FORGERY and path.startswith(_IMPORT):
                return False
            if not path.endswith(_CTYPES):
                if name and not _says(code, name):
                    return True  # it calls what it was given to call
                if not _passes_on(code):
                    return False
                nameless = code.co_flags & _GENERATOR or code.co_name == "<lambda>"
                name, within = ("", path) if nameless else (code.co_name, "")
            frame = frame.f_back
        return True


def _open_profiler() -> tuple[CodeType, ...]:
    """Let `cProfile`, which shows nobody any frame, be what sets a profiler."""
    import cProfile

    codes = []
    for name in ("enable", "disable"):
        function = getattr(cProfile.Profile, name)
        # As a constant it cannot be replaced.
        code = _through.__code__
        constants = [function if each == _PROFILER else each for each in code.co_consts]
        code = code.replace(co_consts=tuple(constants))
        setattr(cProfile.Profile, name, FunctionType(code, {}))
        codes.append(code)
    return tuple(codes)


def _through(*args: Any, **kwargs: Any) -> Any:
    function: Any = "profiler"
    return function(*args, **kwargs)


def _always(name: str) -> _Look:
    return lambda args, frame: name


def _says(code: CodeType, name: str) -> bool:
    names = (*code.co_names, *code.co_consts)
    return name in names or _OTHER_NAMES.get(name, name) in names


def _passes_on(code: CodeType) -> bool:
    return (
        code.co_filename.endswith(_FILES_THAT_PASS_ON)
        or code.co_name in _FUNCTIONS_THAT_PASS_ON
    )


def _content(path: str) -> bytes:
    try:
        with _open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _status(path: Any) -> tuple[int, int] | None:
    """The file system of a file, and its rights."""
    try:
        status = _stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_mode & _MODE


def _text(value: Any) -> str:
    """A path or a name, without calling a method that a solution may have written."""
    if issubclass(type(value), bytes):
        return bytes.decode(value, errors="replace")
    return str.__str__(value) if issubclass(type(value), str) else ""
