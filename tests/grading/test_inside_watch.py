"""What is noticed of changed modules; run here, with modules of our own."""

import sys
import types
import unittest
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from inspect_debate.grading.inside_watch import Watch, names_of_unittest
from inspect_debate.grading.suspicions import used_names


class Tool:
    size = 1

    def use(self) -> int:
        return self.size

    @property
    def area(self) -> int:
        return self.size**2


def make_tuned() -> Any:
    def tuned(*, by: int = 1) -> int:
        return by

    return tuned


USED = ["tools", "tools.join", "tools.tuned", ".use", ".base"]


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    made = ModuleType("tools")
    kind = type("Tool", (), dict(vars(Tool)))
    tuned = make_tuned()
    base = type("Base", (), {"base": lambda self: 1})
    small = type("Small", (kind, base), {})
    vars(made).update(join=len, split=len, tuned=tuned, _private=len)
    vars(made).update(Tool=kind, Small=small, LIMIT=3, kept=[])
    monkeypatch.setitem(sys.modules, "tools", made)
    return made


@pytest.mark.parametrize(
    ("change", "label"),
    [
        ("tools.join = print", "tools.join"),
        ("del tools.join", "tools.join"),
        ("tools.Tool.use = print", "tools.Tool.use"),
        ("tools.Tool.area = 3", "tools.Tool.area"),
        ("del tools.Tool.use", "tools.Tool.use"),
        ("tools.Tool = dict", "tools.Tool"),
        ("sys.modules['tools'] = sys", "tools"),
        ("tools.Small.use = print", "tools.Small.use"),
        ("tools.Small.__eq__ = print", "tools.Small.__eq__"),
        ("tools.Small.__bases__[1].base = print", "tools.Small, Base.base"),
        ("tools.len = print", "tools.len"),
        ("tools.tuned.__kwdefaults__['by'] = 2", "tools.tuned:by"),
        (
            "tools.__class__ = type('M', (types.ModuleType,), {})",
            "the class of tools",
        ),
    ],
)
def test_changes_are_noticed(module: Any, change: str, label: str) -> None:
    watch = Watch(USED)
    assert watch.changed() == ""
    exec(change, {"tools": module, "sys": sys, "types": types})
    assert watch.changed() == label


@pytest.mark.parametrize(
    "change",
    [
        "tools.LIMIT = 4",
        "tools.new = print",
        "tools._private = print",
        "tools.kept.append(1)",
        "tools.Tool.size = 2",
        "tools.Tool.new = print",
        "tools.split = print",
        "del tools.split",
        "tools.Small.area = print",
    ],
)
def test_what_libraries_do_is_no_change(module: Any, change: str) -> None:
    watch = Watch(USED)
    exec(change, {"tools": module})
    assert watch.changed() == ""


def test_what_cannot_be_imported_is_left_out() -> None:
    assert Watch(["no_such_module", "json.dumps", "json.no_such"]).changed() == ""


def test_names_of_submodules_lead_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(used_names("import os\nos.path.exists(1)"))
    monkeypatch.setattr("os.path.isdir", print)
    assert watch.changed() == "os.path.isdir"


def test_a_builtin_shadowed_in_unittest(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch([])
    monkeypatch.setattr("unittest.case.issubclass", print, raising=False)
    assert watch.changed() == "unittest.case.issubclass"


def test_what_a_mock_inherits(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(["unittest", "unittest.mock"])
    monkeypatch.setattr(mock.MagicMock, "assert_called_once_with", print)
    assert watch.changed().endswith("MagicMock.assert_called_once_with")


def test_unittest_is_watched_with_its_private_names_and_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = Watch([])
    monkeypatch.setattr(unittest.TestCase, "_baseAssertEqual", print)
    assert watch.changed().endswith("TestCase._baseAssertEqual")
    monkeypatch.undo()
    assert watch.changed() == ""
    monkeypatch.setattr(
        unittest.TestCase, "__getattribute__", object.__getattribute__, raising=False
    )
    assert watch.changed() != ""


def test_a_class_of_tests_must_not_get_what_it_lacks() -> None:
    class Cases(unittest.TestCase):
        def setUp(self) -> None:
            return

    watch = Watch([])
    watch.add_class("Cases", Cases, also=names_of_unittest())
    assert watch.changed() == ""
    changed: Any = Cases
    changed.helper = print
    assert watch.changed() == ""
    changed.assertEqual = print
    assert watch.changed() == "Cases.assertEqual"


def test_names_of_a_namespace() -> None:
    space: dict[str, object] = {"np": sys, "helper": len, "own": len, "limit": 3}
    watch = Watch([])
    watch.add_names(space, ("helper", "limit"))
    space.update(own=print, limit=4)
    assert watch.changed() == ""
    space["np"] = 1
    assert watch.changed() == "np"
    space.update(np=sys, helper=print)
    assert watch.changed() == "helper"
