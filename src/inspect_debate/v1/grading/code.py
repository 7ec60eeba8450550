"""Programming tasks that unit tests grade, in the schema of BigCodeBench."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.parsing import Fence, fence_of, split_reasoning
from inspect_debate.v1.debate.record import Parsed

TEST_CLASS = "TestCases"
"""The one class of tests that a task has; the loader takes no others."""

_MARK = "\ufeff"  # of byte order, which a file may begin with, but no line in it
_ENDS = re.compile(r"\s*+(?:#.*)?\Z")
_TEXTS = ("code_prompt", "test", "entry_point")


@dataclass(frozen=True)
class CodeProblem:
    """What grading an answer to a programming task takes.

    Attributes:
        id: The task.
        code_prompt: Imports, and the head of the function, without its body.
        test: The source of the tests, which only the grader sees.
        entry_point: The name of the function.
        tests: The names of the tests, in the order in which they run.
    """

    id: str
    code_prompt: str
    test: str
    entry_point: str
    tests: tuple[str, ...]

    def program(self, answer: str) -> str:
        """The source that is loaded before the tests.

        The imports of the task are always there, as an answer may rely on them
        (BigCodeBench's calibrated form; "BigCodeBench", Zhuo et al. 2024). Imports from
        `__future__`, which Python allows at the top alone, go there.
        """
        future, rest = _future_first(answer.lstrip(_MARK))
        return f"{future}{self.code_prompt}\n    pass\n{rest}\n"


def code_problem(id: str, metadata: Mapping[str, Any]) -> CodeProblem:
    """The programming task in a sample's metadata.

    Raises:
        InputError: If something is missing, or there are no tests.
    """
    texts = {name: metadata.get(name) for name in _TEXTS}
    for name, value in texts.items():
        if not isinstance(value, str) or not value.strip():
            raise InputError(
                f"Sample {id!r} cannot be graded by tests: its metadata need {name} "
                f"(a text; given: {value!r})."
            )
    code_prompt, test, entry_point = (str(value) for value in texts.values())
    try:
        tests = test_names(test)
    except ValueError as error:
        raise InputError(f"Sample {id!r} cannot be graded by tests: {error}") from error
    return CodeProblem(id, code_prompt, test, entry_point, tests)


def test_names(test: str) -> tuple[str, ...]:
    """The names of the tests in a source, in the order in which they run.

    They are read, not run: how many there are must not depend on what was answered.

    Raises:
        ValueError: If it is no Python, or has no class `TestCases` with a test.
    """
    try:
        tree = _parsed(test)
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"its tests are no Python ({error}).") from error
    names = {
        item.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == TEST_CLASS
        for item in node.body
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
        and item.name.startswith("test")
    }
    if not names:
        raise ValueError(f"its tests have no class {TEST_CLASS} with a test.")
    return tuple(sorted(names))


def _future_first(answer: str) -> tuple[str, str]:
    """An answer's imports from `__future__`, and the answer without them."""
    tree = _parsed_program(answer)
    if tree is None:
        return "", answer  # the runner will notice, too
    found = [n for n in tree.body if getattr(n, "module", None) == "__future__"]
    lines = answer.split("\n")
    for node in found:
        last = node.end_lineno or node.lineno
        if not _ENDS.match(lines[last - 1], node.end_col_offset or 0):
            return "", answer  # more on the line: left as it is
        lines[node.lineno - 1 : last] = [""] * (last - node.lineno + 1)
    return "".join(f"{ast.unparse(node)}\n" for node in found), "\n".join(lines)


def _parsed(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as those about odd escapes
        return ast.parse(source)


# Programs as answers: what a model's completion says.


def read_code(text: str, entry_point: str) -> Parsed:
    """Read the program that a completion gives.

    It is the last fenced Python block that defines the entry point at its top level, by
    `def`, `async def` or an assignment. No earlier block is joined to it: models give a
    whole program in the end, and earlier blocks may be the task once more, a first
    attempt or a helper that the last block has, too.

    Fences are those of CommonMark, also in lists and quotations, and the language is
    `python`, `py`, `python3` or not named. A block ends at the first closing fence up
    to which it is Python, since a docstring may hold fences of its own. If it is Python
    up to none of them, it ends at the first one, and is an answer all the same if a
    line of it defines the entry point: a syntax error is a wrong answer, which grading
    finds. It ends, too, where a fence opens another block; then, and where it is never
    closed, it is an answer only if it is Python.

    A completion that is a program itself needs no fences.

    Args:
        text: A completion; its reasoning blocks are left out.
        entry_point: The name that the program has to define.

    Returns:
        The source as it is written, but for line ends (LF), indentation that all of its
        lines share, blank lines before it, white space after it, and NUL characters.
        Unparsed if no block qualifies.
    """
    visible = split_reasoning(text).visible.replace("\0", "")
    lines = _LINE_END.sub("\n", visible).split("\n")
    whole = _source(lines)
    if entry_point in _names(_parsed_program(whole)):
        return Parsed.ok(whole)
    programs = [block.program for block in _blocks(lines, entry_point) if block.program]
    return Parsed.ok(programs[-1]) if programs else Parsed.unparsed()


_LINE_END = re.compile(r"\r\n?")
_ITEM = re.compile(r"\A([ \t>]*+)([-*+]|[0-9]{1,9}[.)])(?=[ \t]++[`~]{3})")
_PYTHON = re.compile(r"\s*+(?:\{?\.?(?:python|py)3?+(?!\w).*+)?", re.I | re.S)
_TRIPLE = re.compile("\"\"\"|'''")
_BLANK = re.compile(r"\A(?:[ \t]*+\n)++")
_CODE_COLUMNS = 4
"""A line that is indented by so many columns is code, and no fence (CommonMark)."""
_TRIED = 16
"""Up to how many closing fences a block is tried, so that the time stays linear."""


class _Block(NamedTuple):
    """The program in a fenced block, if there is one, and the line after the block."""

    program: str | None
    end: int


class _End(NamedTuple):
    """Where a block may end.

    Attributes:
        line: The first line after its text.
        closes: Whether that is a closing fence; else it opens another block, or there
            is no more of the text.
        plain: Whether it ends the block whatever its content.
    """

    line: int
    closes: bool
    plain: bool

    @property
    def after(self) -> int:
        return self.line + self.closes


def _blocks(lines: Sequence[str], name: str) -> Iterator[_Block]:
    at = 0
    while at < len(lines):
        fence = fence_of(_ITEM.sub(_blanked, lines[at]))
        at += 1
        if fence is not None:
            block = _block(lines, at, fence, name)
            yield block
            at = block.end


def _blanked(item: re.Match[str]) -> str:
    return item[1] + " " * len(item[2])


def _block(lines: Sequence[str], start: int, fence: Fence, name: str) -> _Block:
    """The block that a fence before a line opens."""
    python = _PYTHON.fullmatch(fence.info) is not None
    for end in islice(_ends(lines, start, fence), _TRIED if python else 0):
        text = _source(lines[start : end.line], fence)
        if (tree := _parsed_program(text)) is not None:
            return _Block(text if name in _names(tree) else None, end.after)
        if not _TRIPLE.search(text):
            break  # a fence can be a part of a program in such a string alone
    end = next(end for end in _ends(lines, start, fence) if end.plain)
    text = _source(lines[start : end.line], fence) if python and end.closes else ""
    return _Block(text if _defining(name).search(text) else None, end.after)


def _ends(lines: Sequence[str], start: int, fence: Fence) -> Iterator[_End]:
    for at in range(start, len(lines)):
        found = fence_of(lines[at])
        if found is None or not found.marks.startswith(fence.marks):
            continue
        closes = not found.info.strip()
        plain = _columns(found) < _columns(fence) + _CODE_COLUMNS
        if closes or plain:
            yield _End(at, closes, plain)
    yield _End(len(lines), closes=False, plain=True)


def _columns(fence: Fence) -> int:
    return len(fence.before.expandtabs(_CODE_COLUMNS))


def _source(lines: Sequence[str], fence: Fence | None = None) -> str:
    """Lines as the text of a program, without what only their place adds."""
    if fence and (depth := fence.before.count(">")):
        quoted = re.compile(rf"\A(?:[ \t]*+>){{{depth}}} ?")
        lines = [quoted.sub("", line) for line in lines]
    shared = _indentation(lines)
    text = "\n".join(line.removeprefix(shared) for line in lines)
    return _BLANK.sub("", text).rstrip()


def _indentation(lines: Iterable[str]) -> str:
    """The indentation that all lines share which are not blank."""
    found = {line[: -len(line.lstrip(" \t"))] for line in lines if line.strip()}
    least = min(found, key=len, default="")
    return least if all(each.startswith(least) for each in found) else ""


def _parsed_program(text: str) -> ast.Module | None:
    """A text as Python; None if it is none, or too deep or long for Python's parser."""
    try:
        return _parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _names(program: ast.Module | None) -> set[str]:
    """What a program defines at its top level, but for classes and imports."""
    names: set[str] = set()
    for node in program.body if program else ():
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names.update(name for each in targets for name in _stored(each))
            case ast.AnnAssign(target=target, value=ast.expr()):
                names.update(_stored(target))
    return names


def _stored(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _defining(name: str) -> re.Pattern[str]:
    """A line that would define a name if the text around it were Python."""
    return re.compile(
        rf"^(?:(?:async[ \t]++)?def[ \t]++{re.escape(name)}[ \t]*+[(\[]"
        rf"|{re.escape(name)}[ \t]*+(?::[^=\n]*+)?=(?!=))",
        re.M,
    )
