"""What `from inspect_debate import ...` gives, and what importing the package costs."""

import ast
import re
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.solver import Solver

import inspect_debate
from tests.support.commands import loaded_with

ROOT = Path(__file__).parents[1]
SOURCE = Path(inspect_debate.__file__).read_text(encoding="utf-8")


def test_every_name_is_loaded_and_is_what_type_checkers_see() -> None:
    (types,) = (n for n in ast.parse(SOURCE).body if isinstance(n, ast.If))
    seen = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in types.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen.keys() == set(inspect_debate.__all__)
    for name, path in seen.items():
        value = getattr(inspect_debate, name)
        assert f"{value.__module__}.{value.__name__}" == path
        assert value.__doc__


def test_the_page_has_every_name() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    named = {
        name
        for row in page.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert named == set(inspect_debate.__all__)


def test_no_name_is_one_of_our_folders() -> None:
    folders = {path.name for path in Path(inspect_debate.__file__).parent.iterdir()}
    assert not folders & set(inspect_debate.__all__)


def test_the_names_do_what_they_say() -> None:
    assert isinstance(inspect_debate.colmad_task(source="sample", rounds=1), Task)
    assert isinstance(inspect_debate.som(seed=1), Solver)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(ImportError, match="no_such"):
        exec("from inspect_debate import no_such")


def test_a_report_that_is_not_there() -> None:
    with pytest.raises(inspect_debate.InputError, match="no report 'x'; there are"):
        inspect_debate.report("x", "logs")


def test_the_package_alone_is_light() -> None:
    assert not loaded_with("inspect_debate") & {"inspect_ai", "pandas", "numpy"}
