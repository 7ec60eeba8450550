"""Runs the tests of a program inside the sandbox, and reports each on a closed channel.

Needs nothing but the standard library of Python 3.8. Every line of the report is
numbered and signed with a key that only the grader outside knows. The frames under
which a solution runs have neither the key nor what signs with it.
"""

from __future__ import annotations

import _thread
import fcntl
import gc
import hashlib
import json
import os
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, cast

from inspect_debate.v1.grading.inside_apart import (
    CasesApart,
    load_modules,
    start_program,
)
from inspect_debate.v1.grading.inside_audit import Audit
from inspect_debate.v1.grading.inside_calls import Calls
from inspect_debate.v1.grading.inside_cases import FILE, Cases
from inspect_debate.v1.grading.inside_frozen import Mocks
from inspect_debate.v1.grading.inside_values import Lies
from inspect_debate.v1.grading.inside_watch import Watch

_CHANNEL = 100  # at least: out of the way of a program that closes what it opened
_NOT_DUMPABLE = (4, 0, 0, 0, 0)  # prctl(PR_SET_DUMPABLE, 0)


def main(take: Callable[[], Any]) -> Callable[[], None]:
    """Read what is to be graded from standard input, and begin, in another thread.

    Args:
        take: Takes the next part of the input.

    Returns:
        What runs the solution's functions, or, where the solution has a process of its
        own, the tests. It is to be called in the main thread, by
        nobody who keeps anything of this module.
    """
    end = os._exit
    first = take()
    link = start_program(first["modules"]) if first["way"] == "by_value" else None
    payload = json.loads(sys.stdin.read())
    calls = Calls()
    report = _prepare(payload)
    if link is not None:
        messages = _session_apart(link, **payload)
    else:
        messages = _session(calls, **payload)

    def run() -> None:
        try:
            deque(map(report, messages), maxlen=0)
        finally:
            end(0)

    if link is not None:
        return run
    _thread.start_new_thread(run, ())
    return cast("Callable[[], None]", calls.serve)


def _prepare(payload: dict[str, Any]) -> Callable[[tuple[str, ...]], None]:
    """What reports, on a channel that nothing else is given."""
    key = bytes.fromhex(payload.pop("key"))
    channel = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _CHANNEL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    _close_memory()
    sys.argv = [FILE]
    sys.modules["__main__"] = types.ModuleType("__main__")
    for name in [name for name in sys.modules if name.startswith("inspect_debate")]:
        del sys.modules[name]
    return _reporter(channel, key)


def _close_memory() -> None:
    """Keep child processes out of this one's memory."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(*_NOT_DUMPABLE)
    except (ImportError, OSError, AttributeError):
        return


def _reporter(channel: int, key: bytes) -> Callable[[tuple[str, ...]], None]:
    """HMAC-SHA256 by C functions alone, so that nothing here can be replaced later."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block))
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block))
    quote, write = json.encoder.encode_basestring_ascii, os.write
    process, end = os.getpid, os._exit
    owner, number = process(), 0

    def report(fields: tuple[str, ...]) -> None:
        nonlocal number
        if process() != owner:  # a fork
            end(0)
        text = ("[" + ",".join(map(quote, (str(number), *fields))) + "]").encode()
        number += 1
        head, tail = inner.copy(), outer.copy()
        head.update(text)
        tail.update(head.digest())
        write(channel, tail.hexdigest().encode() + b" " + text + b"\n")

    return report


def _session(
    calls: Calls,
    prompt: str,
    program: str,
    tests: str,
    entry_point: str,
    names: list[str],
    imports: list[str],
    modules: list[str],
    stored: list[str],
    given: list[str],
    answer_modules: list[str],
    **others: Any,
) -> Iterator[tuple[str, ...]]:
    libraries = tuple(filter(None, sys.path))
    mock = [name for name in modules if name == "unittest.mock"]
    load_modules([*answer_modules, *mock])  # whose classes are honest
    mocks = Mocks()
    sys.path.append(os.getcwd())
    audit, lies = Audit(libraries), Lies(libraries, calls.tame)
    cases = Cases(calls, Watch(modules), audit, lies, mocks, stored, given)
    yield ("ready", "in_process")
    problem = cases.load_tests(prompt, tests, entry_point, names, imports)
    gc.freeze()
    audit.start()
    problem = problem or cases.load_program(program)
    if problem:
        yield ("load", problem)
        return
    for name in names:
        yield ("test", name, cases.run(name))
    yield ("end", cases.close())


def _session_apart(
    link: int,
    prompt: str,
    program: str,
    tests: str,
    entry_point: str,
    names: list[str],
    import_lines: str,
    warns: bool,
    **others: Any,
) -> Iterator[tuple[str, ...]]:
    yield ("ready", "by_value")
    cases = CasesApart(link)
    problem = cases.load_tests(prompt, tests, entry_point, names)
    problem = problem or cases.load_program(program, import_lines, warns)
    if problem:
        yield ("load", problem)
        return
    for name in names:
        yield ("test", name, cases.run(name))
    yield ("end", cases.close())
