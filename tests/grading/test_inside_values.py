"""What passes for a lie; run here, as nothing hostile is in it."""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import io
import pathlib
import re
import sysconfig
from typing import Any
from unittest.mock import ANY, MagicMock, Mock, call

import numpy as np
import pandas as pd
import pytest

from inspect_debate.grading.inside_values import DEPTH, ITEMS, Lies

LIES = Lies((sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")))


Pair = collections.namedtuple("Pair", "a b")


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


@pytest.mark.parametrize("what", HONEST)
def test_honest_values(what: str) -> None:
    assert not LIES(HONEST[what])


@pytest.mark.filterwarnings("ignore:Operation with:DeprecationWarning")
@pytest.mark.parametrize("what", DISHONEST)
def test_dishonest_values(what: str) -> None:
    assert LIES(DISHONEST[what])


def test_a_mock_that_was_told_to_lie() -> None:
    lie: Any = MagicMock()
    lie.__eq__ = lambda self, other: True
    assert LIES(lie)


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
