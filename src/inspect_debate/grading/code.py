"""Programming tasks, and the program that a reply gives as its answer."""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.text import split_reasoning

# --- Tasks ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """A programming task in the form of BigCodeBench.

    Attributes:
        code_prompt: Imports and the head of a function, without its body.
        entry_point: The name of the function.
        test: The source of the hidden tests, a class `TestCases`.
    """

    code_prompt: str
    entry_point: str
    test: str

    @classmethod
    def of(cls, id: object, metadata: Mapping[str, Any]) -> "Problem":
        """The task in a sample's metadata."""
        given = {name: metadata.get(name) for name in cls.__dataclass_fields__}
        for name, value in given.items():
            if not isinstance(value, str) or not value.strip():
                raise InputError(
                    f"Sample {id!r} cannot be graded by tests: metadata[{name!r}] is "
                    f"{value!r}, where a text is needed."
                )
        problem = cls(**given)  # type: ignore[arg-type]  # all are texts
        if problem.count == 0:
            raise InputError(
                f"Sample {id!r} cannot be graded by tests: metadata['test'] has to be "
                "Python with a class TestCases that has a method whose name begins "
                "with 'test'."
            )
        return problem

    @cached_property
    def count(self) -> int:
        """How many tests there are; read, not run, so that no answer can change it."""
        for node in reversed(tree.body if (tree := parsed(self.test)) else []):
            if isinstance(node, ast.ClassDef) and node.name == "TestCases":
                kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
                names = {n.name for n in node.body if isinstance(n, kinds)}
                return sum(name.startswith("test") for name in names)
        return 0


def parsed(source: str) -> ast.Module | None:
    """A text as Python; None if it is none, or too deep or long for the parser."""
    return tree if isinstance(tree := _tried(source), ast.Module) else None


def _tried(source: str) -> ast.Module | int:
    """A text as Python, or the number of the line that is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in what a model wrote
            return ast.parse(source)
    except SyntaxError as error:
        return error.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return 1


# --- Programs in replies --------------------------------------------------------------

_FENCE = re.compile(
    r"(?P<lead>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?+)(?P<marks>`{3,}+|~{3,}+)"
    r"[ \t]*+(?P<info>[^`\n]*+)"
)
_PYTHON = re.compile(r"(?:\{?\.?(?:python|py)3?+(?!\w).*)?", re.I)
_QUOTE = re.compile(r"[ \t]*+> ?")
_BLANK = re.compile(r"\A(?:[ \t]*+\n)++")
_MOST_ENDS = 16  # to how many fences a block is followed, so that time stays linear


def program(reply: str, entry_point: str) -> str | None:
    """The program that a reply gives, or None.

    It is the whole reply, or the last fenced Python block that defines the entry point.
    A block ends where it is Python, as a docstring may hold fences of its own; one that
    never is counts up to its first fence, since a syntax error is a wrong answer. Lost,
    unpaired and oddly named fences are forgiven where there is no such block.
    """
    shown = split_reasoning(reply).public
    text = reply if reply.strip() == shown else shown  # with its first indentation
    text = re.sub(r"\r\n?", "\n", text.replace("\ufeff", "").replace("\0", ""))
    lines = text.split("\n")
    if _defines(whole := _source(lines), entry_point):
        return whole
    found = list(_blocks(lines, entry_point))
    return found[-1] if found else _forgiven(text, entry_point)


def _blocks(lines: Sequence[str], name: str) -> Iterator[str]:
    """The fenced blocks that define a name, or would if they were Python."""
    fences = [(n, m) for n, line in enumerate(lines) if (m := _FENCE.fullmatch(line))]
    start = 0
    for index, (at, fence) in enumerate(fences):
        if at < start or not _PYTHON.fullmatch(fence["info"]):
            continue
        ends = [
            (number, other["info"].strip())
            for number, other in islice(fences, index + 1, index + 1 + _MOST_ENDS)
            if other["marks"].startswith(fence["marks"])
        ]
        closes = bool(ends) and not ends[0][1]
        depth = fence["lead"].count(">")
        if len(fences) - index <= _MOST_ENDS:
            ends.append((len(lines), ""))  # left open
        for end, info in ends:
            source = _source(lines[at + 1 : end], depth)
            if parsed(source) is not None:
                start = end + (not info)
                if _defines(source, name):
                    yield source
                break
            if '"""' not in source and "'''" not in source:
                break  # no other string can hold a fence
        if start <= at and closes:
            start = ends[0][0] + 1
            source = _source(lines[at + 1 : ends[0][0]], depth)
            if re.search(_DEFINING.format(re.escape(name)), source, re.M):
                yield source


# A line that would define a name if the text around it were Python.
_DEFINING = (
    r"^(?:(?:async[ \t]++)?+def[ \t]++{0}[ \t]*+[(\[]|{0}[ \t]*+(?::[^=\n]*+)?+=(?!=))"
)


_LOOSE = re.compile(r"^[ \t>]*+(?:`{3,}|~{3,})[^\n]*$|\[/?PYTHON\]", re.M)
_CODE_LINE = re.compile(r"import |from \w[\w.]* import |(?:async )?def |class |[@#]")


def _forgiven(text: str, name: str) -> str | None:
    """What defines a name, whether it is fenced or not, without the prose around it."""
    pieces = [_source(piece.split("\n")) for piece in _LOOSE.split(text)]
    defining = re.compile(_DEFINING.format(re.escape(name)), re.M)
    # Fenced ones first: those at odd places if fences are paired.
    likely = (*reversed(pieces[1::2]), *reversed(pieces))
    piece = next(filter(defining.search, likely), "")
    lines = piece.split("\n")
    start = next((n for n, one in enumerate(lines) if _CODE_LINE.match(one)), 0)
    end = len(lines)
    for _ in range(20):
        part = "\n".join(lines[start:end]).rstrip()
        if not defining.search(part):
            break
        if isinstance(bad := _tried(part), ast.Module):
            return part
        end = min(end - 1, start + bad - 1)
    # Wrong code is an answer too; prose is none.
    return piece if piece and len(pieces) > 1 else None


def _source(lines: Sequence[str], depth: int = 0) -> str:
    """Lines as the text of a program, without what only their place in a reply adds."""
    for _ in range(depth):
        lines = [_QUOTE.sub("", line, count=1) for line in lines]
    indents = [line[: -len(line.lstrip(" \t"))] for line in lines if line.strip()]
    least = min(indents, key=len, default="")
    shared = least if all(each.startswith(least) for each in indents) else ""
    text = "\n".join(line.removeprefix(shared) for line in lines)
    source = _BLANK.sub("", text).rstrip()
    if "\xa0" in source and parsed(source) is None:
        source = source.replace("\xa0", " ")  # as chat windows write indentation
    return source


def _defines(source: str, name: str) -> bool:
    tree = parsed(source) if name in source else None
    return tree is not None and any(name in _bound(node) for node in tree.body)


def _bound(node: ast.stmt) -> Iterator[str]:
    """The functions and variables that a statement binds, but for those within."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case (
            ast.Assign(targets=targets)
            | ast.AnnAssign(target=targets, value=ast.expr())
        ):
            for target in targets if isinstance(targets, list) else [targets]:
                names = (n for n in ast.walk(target) if isinstance(n, ast.Name))
                yield from (n.id for n in names if isinstance(n.ctx, ast.Store))
        case ast.If() | ast.Try() | ast.With():
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, ast.stmt):
                    yield from _bound(inner)
