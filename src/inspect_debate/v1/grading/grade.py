"""Grading an answer to a programming task by its unit tests, in a sandbox.

Nothing of the answer runs in this process. Only messages that the runner inside has
signed count; printed output and exit codes do not.
"""

import ast
import hashlib
import hmac
import json
import marshal
import os
import random
import re
import secrets
import sys
import time
import warnings
from base64 import b64encode
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from typing import Literal, get_args

from inspect_ai.util import LimitExceededError, SandboxEnvironment, concurrency

from inspect_debate.v1.grading.code import TEST_CLASS, CodeProblem
from inspect_debate.v1.grading.suspicions import (
    Salted,
    add_canaries,
    given_names,
    import_lines,
    imported_modules,
    imported_names,
    stored_names,
    suspicions,
    used_names,
)

# Whether a task's tests can be run in another process than the program.
#
# This depends on the text of its tests alone, never on an answer, which could choose.

Way = Literal["by_value", "in_process"]
WAYS: tuple[Way, ...] = get_args(Way)

# What of `unittest.mock` leads nowhere but to what is printed.
_PRINTED = ("sys.stdout", "sys.stderr")
_MOCKS = frozenset(
    {"patch", "mock", "Mock", "MagicMock", "PropertyMock", "mock_open", "call"}
)
# They read code from files, which the program may have written.
_READ_CODE = {
    **dict.fromkeys(("pickle", "joblib", "shelve", "dill", "marshal"), "unpickles"),
    **dict.fromkeys(("importlib", "runpy", "exec", "eval"), "runs what it reads"),
    **dict.fromkeys(("read_pickle", "allow_pickle", "load_model"), "unpickles"),
}
_MEANS_PROCESS = {
    "sqlite3": "database connections",
    "socket": "sockets",
    "socketserver": "sockets",
    "HTTPServer": "sockets",
    "threading": "threads",
    "freeze_time": "changes the clock",
    "pyfakefs": "mocks",
    "getcontext": "a context of decimals",
    "setcontext": "a context of decimals",
}
_ASK_FOR_CLASS = ("assertIsInstance", "isinstance")
_NOT_SENT = frozenset(
    {"sklearn", "statsmodels", "wordcloud", "folium", "gensim", "keras", "tensorflow"}
    | {"rsa", "geopandas", "flask", "prettytable", "docx", "openpyxl"}
)


# Tasks of BigCodeBench whose own solutions do not pass by value, for other reasons that
# reading does not find.
_FOUND: dict[str, str] = {
    **dict.fromkeys(("78", "79", "181", "183"), "objects of libraries"),  # Django
    **dict.fromkeys(("185", "187", "234", "289", "445"), "objects of libraries"),
    **dict.fromkeys(("516", "534", "546", "595", "690"), "objects of libraries"),
    **dict.fromkeys(("583", "585", "586", "587", "750"), "objects of libraries"),
    **dict.fromkeys(("571", "967"), "hands over functions"),
    **dict.fromkeys(("85", "307", "660"), "the exact class of a plot"),
}
_TASK = re.compile(r"bcb(?:plus)?-(\d+)")


def way_of(problem: CodeProblem) -> Way:
    """How a task is graded, as its tests allow."""
    return "in_process" if why_in_process(problem) else "by_value"


@lru_cache(maxsize=4096)
def why_in_process(problem: CodeProblem) -> str:
    """Why a task's tests need the program in their process; empty if they do not."""
    number = _TASK.fullmatch(problem.id)
    if number and number[1] in _FOUND:
        return _FOUND[number[1]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nodes = list(ast.walk(ast.parse(problem.test)))
    functions = {n.name for n in nodes if isinstance(n, ast.FunctionDef)}
    reasons = (why for node in nodes for why in _reasons(node, problem, functions))
    return next(reasons, "") or _library_objects(nodes, problem)


def _by_name(node: ast.AST) -> Iterator[str]:
    name = _name(node)
    if name in _MOCKS and not isinstance(node, ast.alias):
        if not getattr(node, "of_printed", False):
            yield "mocks"
    elif name in _READ_CODE:
        yield _READ_CODE[name]
    elif name in _MEANS_PROCESS:
        yield _MEANS_PROCESS[name]


def _reasons(node: ast.AST, problem: CodeProblem, local: set[str]) -> Iterator[str]:
    yield from _by_name(node)
    match node:
        case ast.ClassDef(name=name) if name != TEST_CLASS:
            yield "objects of the tests' own classes"
        case ast.Attribute(value=ast.Name(id="sys"), attr="path"):
            yield "the path of modules"
    if isinstance(node, ast.Call) and _patches_printed(node):
        for inner in ast.walk(node.func):
            inner.of_printed = True  # type: ignore[attr-defined]  # our mark
    if isinstance(node, ast.Call) and _name(node.func) == problem.entry_point:
        yield from _functions(node, local)


def _library_objects(nodes: list[ast.AST], problem: CodeProblem) -> str:
    """Whether tests ask for an object of a library's class that is not sent."""
    head = ast.walk(ast.parse(f"{problem.code_prompt}\n    pass\n"))
    froms = {
        alias.asname or alias.name: node.module or ""
        for node in (*nodes, *head)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in nodes:
        if isinstance(node, ast.Call) and _name(node.func) in _ASK_FOR_CLASS:
            for kind in ast.walk(node.args[1]) if len(node.args) > 1 else ():
                library = froms.get(_name(kind), "").partition(".")[0]
                if library in _NOT_SENT:
                    return "objects of libraries"
    return ""


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            return name
        case ast.alias(name=name):
            return name.partition(".")[0]
        case ast.ImportFrom(module=str(name)):
            return name.partition(".")[0]
    return ""


def _patches_printed(node: ast.Call) -> bool:
    if _name(node.func) != "patch" or not node.args:
        return False
    first = node.args[0]
    return isinstance(first, ast.Constant) and first.value in _PRINTED


def _functions(call: ast.Call, local: set[str]) -> Iterator[str]:
    values = [*call.args, *(each.value for each in call.keywords)]
    if any(_is_callable(value, local) for value in values):
        yield "hands over functions"


def _is_callable(node: ast.AST, local: set[str]) -> bool:
    return isinstance(node, ast.Lambda) or (
        isinstance(node, ast.Name) and node.id in local
    )


Status = Literal["pass", "fail", "timeout", "error"]

_PACKAGE = "inspect_debate.v1.grading"
_INSIDE = (
    "values",
    "audit",
    "watch",
    "calls",
    "data",
    "library_data",
    "frozen",
    "cases",
    "link",
    "apart",
    "runner",
)  # each needs only those before
# Modules from the beginning of the input; built-in functions as they are now. A Python
# like ours takes them compiled, which takes it half of the time.
BOOT = f"""\
import binascii, builtins, json, marshal, os, sys, types
def take():
    rest, parts = int(os.read(0, 8)), []
    while rest:
        parts.append(os.read(0, rest))
        rest -= len(parts[-1])
    return json.loads(b"".join(parts))
def start():
    version, modules = take()
    for name, source, compiled in modules:
        module = sys.modules[name] = types.ModuleType(name)
        module.__dict__["__builtins__"] = dict(vars(builtins))
        if version == sys.version:
            code = marshal.loads(binascii.a2b_base64(compiled))
        else:
            code = compile(source, name, "exec")
        exec(code, module.__dict__)
    return sys.modules["{_PACKAGE}.inside_runner"].main
start()(take)()
"""

_LONGEST_NOTE = 500
_BUSY = 0.8
"""The share of its time for which an endless loop has the processor, at the least."""
# A task, and a program that is known to be right.
CONTROL = CodeProblem(
    id="control",
    code_prompt="def task_func():",
    test="""\
import unittest
class TestCases(unittest.TestCase):
    def test_one(self):
        self.assertEqual(task_func(), 1)
""",
    entry_point="task_func",
    tests=("test_one",),
)
RIGHT = "def task_func():\n    return 1\n"


@dataclass(frozen=True)
class Graded:
    """The result of grading one answer.

    Attributes:
        status: `fail` and `timeout` are wrong answers; `error` means that the sandbox
            did not work, so that the answer is not graded.
        tests: The number of tests.
        passed: The number of tests that passed.
        seconds: How long it took.
        note: Why it did not pass, or what to look at in an answer that passed.
        processor_seconds: Processor time of an answer that ran out of time; 0 where the
            sandbox does not measure it.
        way: Whether the tests ran in another process than the answer (`by_value`).
    """

    status: Status
    tests: int
    passed: int
    seconds: float
    note: str
    processor_seconds: float = 0.0
    way: Way = "in_process"


async def grade_code(
    box: SandboxEnvironment,
    problem: CodeProblem,
    answer: str,
    *,
    interpreter: str,
    seconds: int,
    at_once: int | None = None,
    way: Way | None = None,
) -> Graded:
    """Run the tests of a task on an answer.

    Waiting for a turn does not count as time. An answer that leaves no report fails, if
    the same sandbox grades a program that is known to be right. One that ran out of
    time without having had the processor for most of it is graded once more, with no
    other grading of this process at the same time: others may have kept it waiting.

    Args:
        box: Where the answer is run.
        problem: The task.
        answer: The program text.
        interpreter: The path of a Python (3.8 or later) inside the sandbox.
        seconds: How long all tests together may take.
        at_once: How many gradings run at once, in all samples; as many as there are
            processors for us if None.
        way: In which way the task is graded; what its tests allow if None.
    """
    chosen = way or way_of(problem)
    places = at_once or len(os.sched_getaffinity(0))
    async with _turn(1, places):
        begun = time.monotonic()
        graded = await _graded_and_checked(
            box, problem, answer, interpreter, seconds, chosen
        )
    if graded.status == "timeout" and graded.processor_seconds < _BUSY * seconds:
        async with _turn(places, places):
            begun = time.monotonic()
            graded = await _graded_and_checked(
                box, problem, answer, interpreter, seconds, chosen
            )
    return replace(graded, seconds=time.monotonic() - begun)


@asynccontextmanager
async def _turn(wanted: int, places: int) -> AsyncIterator[None]:
    """Wait for some of the places at which gradings run; all of them are one alone."""
    async with AsyncExitStack() as taken:
        # One waits at a time, so that whoever wants all places gets them.
        async with concurrency("waiting to be graded", 1, visible=False):
            for _ in range(wanted):
                await taken.enter_async_context(concurrency("code grading", places))
        yield


async def _graded_and_checked(
    box: SandboxEnvironment,
    problem: CodeProblem,
    answer: str,
    interpreter: str,
    seconds: int,
    way: Way,
) -> Graded:
    graded = await _graded_once(box, problem, answer, interpreter, seconds, way)
    if graded.status == "error":
        control = await _graded_once(box, CONTROL, RIGHT, interpreter, seconds, way)
        if control.status == "pass":
            graded = await _graded_once(box, problem, answer, interpreter, seconds, way)
            if graded.status == "error":
                graded = replace(graded, status="fail")
    return graded


async def _graded_once(
    box: SandboxEnvironment,
    problem: CodeProblem,
    answer: str,
    interpreter: str,
    seconds: int,
    way: Way,
) -> Graded:
    tests, key = problem.tests, secrets.token_bytes(32)
    salted = add_canaries(problem.test, tests, random.SystemRandom())

    def judged(output: str) -> tuple[bool, Verdict]:
        report = read_report(output, key)
        return report.way == way, judge(report, tests, salted.canaries)

    def graded(status: Status, passed: int, note: str) -> Graded:
        words = " ".join(note.split())
        return Graded(status, len(tests), passed, 0.0, words, way=way)

    try:
        result = await box.exec(
            [interpreter, "-I", "-c", BOOT],
            input=_input(problem, answer, salted, key, way),
            timeout=seconds,
            timeout_retry=False,
            concurrency=False,
        )
    except LimitExceededError:
        raise
    except TimeoutError as error:
        _, verdict = judged(getattr(error, "truncated_output", None) or "")
        had: float = getattr(error, "processor_seconds", 0.0)  # of our own sandbox
        late = graded("timeout", verdict.passed, f"not done after {seconds} seconds")
        return replace(late, processor_seconds=had)
    except Exception as error:  # each provider of sandboxes has its own types
        return graded("error", 0, f"{type(error).__name__}: {error}"[:_LONGEST_NOTE])
    started, verdict = judged(result.stdout)
    if not started:
        why = result.stderr[-_LONGEST_NOTE:].strip() or f"exit code {result.returncode}"
        return graded("error", 0, f"left no report: {why}")
    if verdict.note:
        sandbox = result.stderr.strip().rpartition("\n")[-1]  # closed to the solution
        ending = f" ({sandbox[:_LONGEST_NOTE]})" if sandbox else ""
        return graded("fail", verdict.passed, f"{verdict.note}{ending}")
    reaches = suspicions(answer, problem.program(""))
    note = f"reaches for {', '.join(reaches)}" if reaches else ""
    return graded("pass", verdict.passed, note)


def _input(
    problem: CodeProblem, answer: str, salted: Salted, key: bytes, way: Way
) -> bytes:
    payload = {
        "key": key.hex(),
        "prompt": f"{problem.code_prompt}\n    pass\n",
        "program": problem.program(answer),
        "tests": salted.test,
        "entry_point": problem.entry_point,
        "names": sorted({*problem.tests, *salted.canaries}),
        "imports": imported_names(problem.test),
        "modules": used_names(problem.test),
        "import_lines": import_lines(problem.test),
        "stored": stored_names(problem.test),
        "given": given_names(problem.test),
        "answer_modules": _answer_modules(answer),
        "warns": "warn" in problem.test.lower(),
    }
    # What the process of the program gets to see before the tests are read.
    first = {"way": way, "modules": _modules(problem)}
    # Bytes, which Inspect's log does not show: the tests and the key stay out of it.
    heads = [_modules_sent(), json.dumps(first).encode()]
    return b"".join(
        [
            *(b"%08d%s" % (len(head), head) for head in heads),
            json.dumps(payload).encode(),
        ]
    )


def _modules(problem: CodeProblem) -> list[str]:
    """What the head of a task and its tests import."""
    head = f"{problem.code_prompt}\n    pass\n"
    try:
        found = imported_modules(head)
    except SyntaxError:  # the runner will say so
        found = []
    return list(dict.fromkeys([*found, *imported_modules(problem.test)]))


def _answer_modules(answer: str) -> list[str]:
    try:
        return imported_modules(answer, everywhere=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # the runner will say so


@cache
def _sources() -> list[tuple[str, str]]:
    names = [f"inside_{part}" for part in _INSIDE]
    package = resources.files(_PACKAGE)
    return [
        (f"{_PACKAGE}.{name}", package.joinpath(f"{name}.py").read_text("utf-8"))
        for name in names
    ]


@cache
def _modules_sent() -> bytes:
    """Our version of Python, and each module's name, source and code in base64."""
    modules = []
    for name, source in _sources():
        code = compile(source, name, "exec", dont_inherit=True, optimize=0)
        modules.append((name, source, b64encode(marshal.dumps(code)).decode()))
    return json.dumps((sys.version, modules)).encode()


# What came back from the sandbox, and whether a solution passed by it.

_SHOWN = 3


@dataclass(frozen=True)
class Report:
    """The authentic messages of one grading.

    Attributes:
        started: Whether the runner was there before any of the solution was.
        way: How it grades; empty if it has not started.
        problem: Why the tests were not run, or what failed after the last of them.
        outcomes: Why each test did not pass, by its name; empty if it passed.
        ended: Whether the last message is there.
        foreign: Whether anything else was on the channel.
    """

    started: bool
    way: str
    problem: str
    outcomes: dict[str, str]
    ended: bool
    foreign: bool


@dataclass(frozen=True)
class Verdict:
    """The verdict on a solution.

    Attributes:
        passed: The number of tests that passed, of those that count.
        note: Why the solution did not pass; empty if it did.
    """

    passed: int
    note: str


def read_report(output: str, key: bytes) -> Report:
    """The messages in what came through the channel, as far as they are authentic.

    Args:
        output: Lines of an HMAC-SHA256 in hexadecimal, and a JSON list of a running
            number, a kind and its fields.
        key: What the messages are signed with.
    """
    messages: list[tuple[str, str, str]] = []
    lines = output.split("\n")
    foreign = lines.pop() != ""
    for line in lines:
        message = _message(line, key, len(messages))
        foreign = foreign or message is None
        if message is not None:
            messages.append(message)
    outcomes = {name: problem for kind, name, problem in messages if kind == "test"}
    tests = sum(kind == "test" for kind, *_ in messages)
    problems = [first for kind, first, _ in messages if kind in ("load", "end")]
    return Report(
        started=bool(messages),
        way=messages[0][1] if messages else "",
        problem=next(filter(None, problems), ""),
        outcomes=outcomes,
        ended=bool(messages) and messages[-1][0] in ("load", "end"),
        foreign=foreign or tests != len(outcomes),
    )


def judge(report: Report, tests: Collection[str], canaries: Collection[str]) -> Verdict:
    """Whether a report says that a solution passed, and why not.

    Every test has passed once, every canary (a test that cannot be passed) has failed,
    the report has its end, and nothing else came with it.

    Args:
        report: The messages.
        tests: The names of the tests that count.
        canaries: The names of the tests that must fail.
    """
    outcomes = report.outcomes
    done = [name for name in tests if name in outcomes]
    failed = [name for name in done if outcomes[name]]
    if report.foreign or {*outcomes} - {*tests, *canaries}:
        return Verdict(0, "the report was tampered with")
    if any(outcomes.get(name) == "" for name in canaries):
        return Verdict(0, "made tests pass that cannot be passed")
    passed = len(done) - len(failed)
    if failed:
        shown = "; ".join(f"{name}: {outcomes[name]}" for name in failed[:_SHOWN])
        note = f"{len(failed)} of {len(tests)} tests failed: {shown}"
    else:
        note = report.problem
    if not report.ended:
        note = f"ended after {len(done)} of {len(tests)} tests" + (note and f"; {note}")
    elif not note and not {*tests, *canaries} <= {*outcomes}:
        note = f"ran {len(done)} of {len(tests)} tests"
    return Verdict(passed, note)


def _message(line: str, key: bytes, number: int) -> tuple[str, str, str] | None:
    signature, _, text = line.partition(" ")
    expected = hmac.new(key, text.encode(errors="replace"), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected.encode(), signature.encode(errors="replace")):
        return None
    fields: list[str] = json.loads(text)
    count, kind, *rest = fields
    if count != str(number) or (kind == "ready") != (number == 0):
        return None
    first, second, *_ = (*rest, "", "")
    return kind, first, second
