"""Values sent, what passes for a lie, changed modules; run here, as none is hostile."""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import io
import json
import pathlib
import re
import sys
import sysconfig
import types
import unittest
import uuid
import xml.etree.ElementTree as tree
import zoneinfo
from types import ModuleType
from typing import Any
from unittest.mock import ANY, MagicMock, Mock, call

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from inspect_debate.grading import inside_library_data
from inspect_debate.grading.inside_data import NotByValueError, Receiver, Sender, assign
from inspect_debate.grading.inside_values import DEPTH, ITEMS, Lies
from inspect_debate.grading.inside_watch import Watch, names_of_unittest
from inspect_debate.grading.suspicions import used_names

assert inside_library_data.__name__  # it tells of the types of libraries
Pair = collections.namedtuple("Pair", "a b")


def refuse(sender: object, value: object) -> Any:
    raise NotByValueError(type(value).__name__)


def sent(value: Any) -> Any:
    """What arrives of a value."""
    data = json.loads(json.dumps(Sender(refuse).data(value)))
    return Receiver(refuse).value(data)


PLAIN: list[Any] = [
    None,
    True,
    -(10**400),
    -3,
    0.1,
    float("inf"),
    1 - 2j,
    "ü \ud800 \0",
    bytes(range(256)),
    bytearray(b"a"),
    [1, [2.5, "a"], (3,), {4}, frozenset({5})],
    {"b": 1, (1, 2): [None], 3: {}},
    range(3, 10, 2),
    slice(1, None),
    decimal.Decimal("1.50"),
    fractions.Fraction(-3, 7),
    uuid.UUID(int=7),
    pathlib.Path("a/b"),
    datetime.date(2020, 2, 29),
    datetime.time(1, 2, 3, 4),
    datetime.datetime(2020, 1, 2, 3, 4, 5, 6),
    datetime.datetime(2020, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Rome")),
    datetime.datetime(2020, 7, 1, tzinfo=datetime.UTC),
    datetime.datetime(
        2020, 7, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=-3), "there")
    ),
    datetime.timedelta(1, 2, 3),
    collections.OrderedDict([("b", 1), ("a", 2)]),
    collections.Counter("abca"),
    collections.defaultdict(list, {"a": [1]}),
    collections.deque([1, 2], maxlen=3),
    collections.ChainMap({"a": 1}, {"b": 2}),
    collections.UserList([1, [2]]),
    collections.UserDict(a=1),
    collections.UserString("a"),
    types.SimpleNamespace(a=1, b=[2]),
    int,
    np.float32,
    pd.Timestamp("2020-01-01 00:00:00.000000001"),
    pd.Timestamp("2020-07-01", tz="Europe/Rome"),
    pd.Timedelta("1D"),
    pd.Period("2020-01", "M"),
    pd.Interval(0, 1, "left"),
]
ARRAYS: list[Any] = [
    np.arange(6.0).reshape(2, 3),
    np.asfortranarray(np.arange(6).reshape(2, 3)),
    np.zeros((0, 3), "i4"),
    np.array(["a", "bcd"]),
    np.array([1, "a", None, [2]], object),
    np.array(["2020-01-01"], "M8[D]"),
    np.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")]),
    np.float64(1.5),
    np.datetime64("2020-01-01"),
    np.bool_(True),
]
_DAYS = pd.date_range("2020-01-01", periods=3, freq="D")
TABLES: dict[str, Any] = {
    "mixed": pd.DataFrame({"a": [1, 2], "b": ["x", None], 3: [True, False]}),
    "empty": pd.DataFrame(),
    "no rows": pd.DataFrame({"a": pd.Series([], dtype="float64")}),
    "twice the name": pd.DataFrame([[1, 2]], columns=["a", "a"]),
    "days": pd.DataFrame({"a": [1, 2, 3]}, index=_DAYS),
    "zones": pd.DataFrame({"a": _DAYS.tz_localize("Europe/Rome")}),
    "levels": pd.DataFrame(
        {"a": [1, 2]},
        index=pd.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["k", "l"]),
    ),
    "categories": pd.DataFrame({"a": pd.Categorical(["x", "y"], ordered=True)}),
    "intervals": pd.DataFrame({"a": pd.cut([1, 5], [0, 3, 6])}),
    "periods": pd.DataFrame({"a": pd.period_range("2020-01", periods=2, freq="M")}),
    "nullable": pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}),
    "strings": pd.DataFrame({"a": pd.array(["x", None], dtype="string")}),
    "lists": pd.DataFrame({"a": [[1], [2, 3]]}),
}


@pytest.mark.parametrize("value", PLAIN)
def test_plain_values(value: Any) -> None:
    found = sent(value)
    assert type(found) is type(value)
    assert found == value
    assert repr(found) == repr(value)


@pytest.mark.parametrize("given", ARRAYS)
def test_arrays(given: Any) -> None:
    found = sent(given)
    assert (type(found), found.dtype) == (type(given), given.dtype)
    assert found.flags.f_contiguous == given.flags.f_contiguous
    np.testing.assert_array_equal(found, given)


@pytest.mark.parametrize("what", TABLES)
def test_tables(what: str) -> None:
    found, given = sent(TABLES[what]), TABLES[what]
    pd.testing.assert_frame_equal(found, given, check_freq=True)
    for column in range(given.shape[1]):
        series = given.iloc[:, column]
        pd.testing.assert_series_equal(sent(series), series)
    pd.testing.assert_index_equal(sent(given.index), given.index, exact=True)


def test_other_values() -> None:
    assert sent([pd.NaT, pd.NA]) == [pd.NaT, pd.NA] or sent(pd.NaT) is pd.NaT
    matrix = scipy.sparse.csr_matrix(np.eye(3))
    assert type(sent(matrix)) is type(matrix)
    assert (sent(matrix) != matrix).nnz == 0
    element = tree.fromstring("<a b='c'>d<e/>f</a>")
    assert tree.tostring(sent(element)) == tree.tostring(element)
    assert np.isnan(sent(float("nan")))
    assert list(sent({"a": 1}.keys())) == ["a"]
    assert type(sent(Pair(1, 2).__class__._fields)) is tuple
    text = io.StringIO("abc")
    text.read(1)
    assert sent(text).read() == "bc"


def test_what_is_one_object_is_one() -> None:
    inner: list[Any] = []
    found = sent([inner, {"a": inner}, (inner,)])
    found[0].append(1)
    assert found[1]["a"] is found[0] is found[2][0]
    inner.append(inner)
    found = sent(inner)
    assert found[0] is found


class Number(int):
    """Only exact types are sent."""


@pytest.mark.parametrize(
    "value", [len, print, object.__eq__, io, test_tables, Number(1)]
)
def test_what_is_not_sent(value: Any) -> None:
    with pytest.raises(NotByValueError):
        sent([value])


@pytest.mark.parametrize(
    "data",
    [
        ["class", "os", "system"],
        ["class", "unittest.mock", "_ANY"],
        ["class", "builtins", "print"],
        ["array", "|O", [1], "C", "12345678"],
        ["array", [["a", "|O"]], [1], "C", "12345678"],
        ["array", "<f8", [100], "C", "12345678"],
        ["scalar", "|O", "12345678"],
        ["nullable", "object", [1]],
        ["namedtuple", "x y", ["a"], [1]],
        ["namedtuple", "x", ["__class__"], [1]],
        ["pickle", "cos\nsystem\n"],
        ["instance", "dict", []],
        ["=", 3],
        ["values", ["no", 1]],
        [[1]],
        [],
    ],
)
def test_data_that_no_sender_makes(data: Any) -> None:
    with pytest.raises((ValueError, TypeError, LookupError)):
        Receiver(refuse).value(data)


CHANGED: list[tuple[Any, Any]] = [
    ([1], [2, 3]),
    ({"a": 1}, {"b": 2}),
    (collections.OrderedDict(a=1), collections.OrderedDict(c=2, b=1)),
    (collections.Counter("a"), collections.Counter("bb")),
    ({1}, {2}),
    (collections.deque([1]), collections.deque([2])),
    (bytearray(b"a"), bytearray(b"bc")),
    (types.SimpleNamespace(a=1), types.SimpleNamespace(b=1)),
]


def test_arguments_are_changed_in_place() -> None:
    for old, new in CHANGED:
        assign(old, new)
        assert old == new
    table, array = pd.DataFrame({"a": [1]}), np.zeros(2)
    assign(table, pd.DataFrame({"b": ["x", "y"]}))
    assert table.to_dict("list") == {"b": ["x", "y"]}
    assign(array, np.ones(2))
    assert array.tolist() == [1, 1]
    with pytest.raises(NotByValueError):
        assign([], {})


LIES = Lies((sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")))


@dataclasses.dataclass
class Point:
    x: int


class Colour(enum.IntEnum):
    RED = 1


class Near(float):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, float) and abs(float(self) - other) < 1e-9

    __hash__ = float.__hash__


class Loud:
    def __eq__(self, other: object) -> bool:
        raise ValueError

    __contains__ = __sub__ = __lt__ = __eq__


class Liar:
    def __eq__(self, other: object) -> bool:
        return True


class OfItsKind(dict[Any, Any]):
    def __eq__(self, other: object) -> bool:
        return type(other) is dict


class Nothing(float):
    def __sub__(self, other: object) -> float:
        return 0.0


class Container:
    def __contains__(self, item: object) -> bool:
        return True


class Between:
    def __lt__(self, other: object) -> bool:
        return True

    __gt__ = __lt__


Frame = type("Frame", (pd.DataFrame,), {"equals": lambda self, other: True})


HONEST: dict[str, Any] = {
    "none": None,
    "a number": 1.5,
    "true": True,
    "a function": len,
    "a class": Point,
    "a dataclass": Point(1),
    "an enumeration": Colour.RED,
    "a named tuple": Pair(1, 2),
    "a counter": collections.Counter("abc"),
    "a defaultdict": collections.defaultdict(lambda: 1),
    "nearly equal": Near(1.5),
    "one that raises": Loud(),
    "a decimal": decimal.Decimal("1.5"),
    "not a number": float("nan"),
    "a fraction": fractions.Fraction(1, 2),
    "a date": datetime.datetime(2020, 1, 1),
    "a path": pathlib.Path("a"),
    "a match": re.match("a", "a"),
    "a mock": MagicMock(),
    "a plain mock": Mock(),
    "a call": call(1),
    "an array": np.arange(3),
    "an empty array": np.array([]),
    "a scalar": np.float64(1.5),
    "a table": pd.DataFrame({"a": [1]}),
    "a series": pd.Series([True]),
    "a timestamp": pd.Timestamp("2020-01-01"),
    "itself inside": [],
}
HONEST["itself inside"].append(HONEST["itself inside"])
DISHONEST: dict[str, Any] = {
    "equals all": Liar(),
    "equals all of its kind": OfItsKind(),
    "has no difference": Nothing(),
    "contains all": Container(),
    "larger and smaller": Between(),
    "a table equal to all": Frame({"a": [1]}),
    "in a list": [1, [2, Liar()]],
    "in a dict": {"a": (Liar(),)},
    "as a key": {Near(1.0): 1, OfItsKind.__call__: OfItsKind()},
    "ANY": ANY,
    "in a table of lists": [[[Liar()]]],
}


@pytest.mark.filterwarnings("ignore:Operation with:DeprecationWarning")
def test_honest_and_dishonest_values() -> None:
    lying: Any = MagicMock()
    lying.__eq__ = lambda self, other: True
    assert [what for what in HONEST if LIES(HONEST[what])] == []
    assert [what for what in DISHONEST if not LIES(DISHONEST[what])] == []
    assert LIES(lying)


def test_looking_leaves_no_trace() -> None:
    mock, lines, numbers = MagicMock(), io.StringIO("a\nb\n"), iter([1, 2])
    kept = collections.defaultdict[str, int](int)
    assert not LIES([mock, lines, numbers, kept])
    assert mock.mock_calls == []
    assert lines.read() == "a\nb\n"
    assert list(numbers) == [1, 2]
    assert not kept


def test_looking_has_an_end() -> None:
    deep: Any = Liar()
    for _ in range(DEPTH + 1):
        deep = [deep]
    assert not LIES(deep)
    assert LIES(deep[0])
    assert not LIES([0] * ITEMS + [Liar()])


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


# What is imported, what of it is changed, and how that is called.
CHANGES = {
    "a submodule": ("import os\nos.path.exists(1)", "os.path.isdir", "os.path.isdir"),
    "a builtin shadowed in unittest": ("", *["unittest.case.issubclass"] * 2),
    "what a mock inherits": (
        "import unittest.mock",
        "unittest.mock.MagicMock.assert_called_once_with",
        "MagicMock.assert_called_once_with",
    ),
    "a private name of unittest": (
        *("", "unittest.TestCase._baseAssertEqual", "TestCase._baseAssertEqual"),
    ),
    "what unittest lacks": ("", *["unittest.TestCase.__getattribute__"] * 2),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_watched(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    imports, changed, label = CHANGES[what]
    watch = Watch(used_names(imports))
    own = object.__getattribute__ if "lacks" in what else print
    monkeypatch.setattr(changed, own, raising=False)
    assert watch.changed().endswith(label.rpartition("TestCase.")[2])
    monkeypatch.undo()
    assert watch.changed() == ""


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
