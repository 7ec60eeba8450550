"""Values sent and received; run here, as nothing hostile is in it."""

import collections
import datetime
import decimal
import fractions
import io
import json
import pathlib
import types
import uuid
import xml.etree.ElementTree as tree
import zoneinfo
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from inspect_debate.grading import inside_library_data
from inspect_debate.grading.inside_data import NotByValueError, Receiver, Sender, assign

assert inside_library_data.__name__  # it tells of the types of libraries
Pair = collections.namedtuple("Pair", "a b")


def refuse(sender: object, value: object) -> Any:
    raise NotByValueError(type(value).__name__)


def sent(value: Any) -> Any:
    """What arrives of a value."""
    data = json.loads(json.dumps(Sender(refuse).data(value)))
    return Receiver(refuse).value(data)


PLAIN: dict[str, Any] = {
    "nothing": None,
    "true": True,
    "a large number": -(10**400),
    "a number": -3,
    "a fraction of one": 0.1,
    "infinity": float("inf"),
    "complex": 1 - 2j,
    "text": "ü \ud800 \0",
    "bytes": bytes(range(256)),
    "changeable bytes": bytearray(b"a"),
    "a list": [1, [2.5, "a"], (3,), {4}, frozenset({5})],
    "a dict": {"b": 1, (1, 2): [None], 3: {}},
    "a range": range(3, 10, 2),
    "a slice": slice(1, None),
    "decimal": decimal.Decimal("1.50"),
    "a fraction": fractions.Fraction(-3, 7),
    "an id": uuid.UUID(int=7),
    "a path": pathlib.Path("a/b"),
    "a date": datetime.date(2020, 2, 29),
    "a time": datetime.time(1, 2, 3, 4),
    "a moment": datetime.datetime(2020, 1, 2, 3, 4, 5, 6),
    "one of a zone": datetime.datetime(
        2020, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Rome")
    ),
    "one of UTC": datetime.datetime(2020, 7, 1, tzinfo=datetime.UTC),
    "one off": datetime.datetime(
        2020, 7, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=-3), "there")
    ),
    "a while": datetime.timedelta(1, 2, 3),
    "in order": collections.OrderedDict([("b", 1), ("a", 2)]),
    "counted": collections.Counter("abca"),
    "with a default": collections.defaultdict(list, {"a": [1]}),
    "a queue": collections.deque([1, 2], maxlen=3),
    "maps": collections.ChainMap({"a": 1}, {"b": 2}),
    "a list of a class": collections.UserList([1, [2]]),
    "a dict of a class": collections.UserDict(a=1),
    "a text of a class": collections.UserString("a"),
    "a namespace": types.SimpleNamespace(a=1, b=[2]),
    "a class": int,
    "a class of numpy": np.float32,
}
ARRAYS: dict[str, Any] = {
    "numbers": np.arange(6.0).reshape(2, 3),
    "in columns": np.asfortranarray(np.arange(6).reshape(2, 3)),
    "none": np.zeros((0, 3), "i4"),
    "words": np.array(["a", "bcd"]),
    "objects": np.array([1, "a", None, [2]], object),
    "days": np.array(["2020-01-01"], "M8[D]"),
    "records": np.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")]),
    "one number": np.float64(1.5),
    "one day": np.datetime64("2020-01-01"),
    "a truth": np.bool_(True),
}
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


@pytest.mark.parametrize("what", PLAIN)
def test_plain_values(what: str) -> None:
    found = sent(PLAIN[what])
    assert type(found) is type(PLAIN[what])
    assert found == PLAIN[what]
    assert repr(found) == repr(PLAIN[what])


@pytest.mark.parametrize("what", ARRAYS)
def test_arrays(what: str) -> None:
    found, given = sent(ARRAYS[what]), ARRAYS[what]
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


@pytest.mark.parametrize(
    "value",
    [
        pd.Timestamp("2020-01-01 00:00:00.000000001"),
        pd.Timestamp("2020-07-01", tz="Europe/Rome"),
        pd.Timedelta("1D"),
        pd.Period("2020-01", "M"),
        pd.Interval(0, 1, "left"),
    ],
)
def test_numbers_of_tables(value: Any) -> None:
    assert sent(value) == value
    assert type(sent(value)) is type(value)
    assert sent([pd.NaT, pd.NA]) == [pd.NaT, pd.NA] or sent(pd.NaT) is pd.NaT


def test_other_values() -> None:
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


@pytest.mark.parametrize("value", [len, print, object.__eq__, io, test_tables])
def test_what_is_not_sent(value: Any) -> None:
    with pytest.raises(NotByValueError):
        sent([value])


class Number(int):
    pass


def test_only_exact_types_are_sent() -> None:
    with pytest.raises(NotByValueError):
        sent(Number(1))


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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([1], [2, 3]),
        ({"a": 1}, {"b": 2}),
        (collections.OrderedDict(a=1), collections.OrderedDict(c=2, b=1)),
        (collections.Counter("a"), collections.Counter("bb")),
        ({1}, {2}),
        (collections.deque([1]), collections.deque([2])),
        (bytearray(b"a"), bytearray(b"bc")),
        (types.SimpleNamespace(a=1), types.SimpleNamespace(b=1)),
    ],
)
def test_arguments_are_changed_in_place(old: Any, new: Any) -> None:
    assign(old, new)
    assert old == new


def test_tables_and_arrays_are_changed_in_place() -> None:
    table, array = pd.DataFrame({"a": [1]}), np.zeros(2)
    assign(table, pd.DataFrame({"b": ["x", "y"]}))
    assert table.to_dict("list") == {"b": ["x", "y"]}
    assign(array, np.ones(2))
    assert array.tolist() == [1, 1]
    with pytest.raises(NotByValueError):
        assign([], {})
