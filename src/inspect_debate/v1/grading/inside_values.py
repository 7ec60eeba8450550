"""Values that claim to equal everything, found by comparing them with new values.

Runs inside the sandbox.
"""

from __future__ import annotations

import operator
import sys
import types
import weakref
from _random import Random  # a class of C, which nobody can change
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from typing import Any

DEPTH = 8
ITEMS = 500
BUDGET = 2000

_HEAP_TYPE = 1 << 9
# What a class is, whatever its metaclass says.
_flags, _mro, _space = (
    vars(type)[name].__get__ for name in ("__flags__", "__mro__", "__dict__")
)
# By which a value says what it is like.
_ANSWERS = (
    *("__eq__", "__ne__", "__lt__", "__gt__", "__sub__", "__rsub__", "__contains__"),
    *("__array_function__", "__array_ufunc__", "__getattr__", "__getattribute__"),
    *("__abs__", "__bool__", "__class__", "__le__", "__ge__", "__round__", "equals"),
)
_STEPS = 12
_Proxy = types.MappingProxyType
_INSIDES: tuple[tuple[type, Callable[[Any], Iterable[Any]]], ...] = (
    (list, list.__iter__),
    (tuple, tuple.__iter__),
    (set, set.__iter__),
    (frozenset, frozenset.__iter__),
    (dict, lambda value: chain(dict.keys(value), dict.values(value))),
    (deque, lambda value: deque.copy(value)),
    (_Proxy, lambda value: chain(_Proxy.keys(value), _Proxy.values(value))),
)
# They pass on what they are asked to something that is not seen.
_PASS_ON = (weakref.ProxyType, weakref.CallableProxyType, _Proxy)
_OF_FRACTION = [vars(Fraction)[n].__get__ for n in ("_numerator", "_denominator")]
_OF_DATE = [vars(date)[name].__get__ for name in ("year", "month", "day")]
_OF_DATETIME = [
    *_OF_DATE,
    *(
        vars(datetime)[name].__get__
        for name in ("hour", "minute", "second", "microsecond", "tzinfo")
    ),
]
# What a value of a class of its own would be without it.
_PLAIN: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (list, lambda value: list(list.__iter__(value))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (dict, lambda value: dict(dict.items(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
    (complex, complex.__pos__),
    (Decimal, lambda value: Decimal(Decimal.__str__(value))),
    (Fraction, lambda value: Fraction(*(part(value) for part in _OF_FRACTION))),
    (datetime, lambda value: datetime(*(part(value) for part in _OF_DATETIME))),
    (date, lambda value: date(*(part(value) for part in _OF_DATE))),
)
# What a class has as a method, though it was made for another.
_BORROWED = (type(object.__eq__), type(str.upper))
_BOUND = (*(type("".__eq__), type(len), types.MethodType, staticmethod), partial)
_ORDERED: Any = (operator.lt, operator.le, operator.gt, operator.ge)


class Lies:
    """Finds values that were made to pass for others, in what a solution returns.

    Made before a solution is loaded: classes that are there by then are honest.

    Args:
        libraries: Folders whose functions are honest, in classes that are.
        tame: Gets a class that is not, and the names of what it does of its own.
    """

    def __init__(
        self,
        libraries: tuple[str, ...],
        tame: Callable[[type, list[str]], object] = lambda kind, names: None,
    ) -> None:
        self._libraries = (*libraries, "<frozen ")
        self._known: set[type] = set()
        self._tame = tame
        self._tamed: set[type] = set()
        self.know()
        self._random = Random().random

    def know(self) -> None:
        """Take classes as honest that are there by now, too."""
        self._known.update(_all_classes())

    def __call__(self, value: object) -> bool:
        """Whether the value, or one inside it, claims to equal anything.

        Looks into lists, tuples, sets and dicts, to a limited depth and number.
        """
        waiting = [(value, DEPTH)]
        for _ in range(BUDGET):
            if not waiting:
                return False
            item, left = waiting.pop()
            kind = type(item)
            suspect = _flags(kind) & _HEAP_TYPE or kind in _PASS_ON
            if suspect and self._claims(kind, item):
                return True
            if left:
                waiting.extend((inner, left - 1) for inner in _inside(kind, item))
        return False

    def _claims(self, kind: type, item: Any) -> bool:
        mock = sys.modules.get("unittest.mock")
        if mock is not None:
            if kind is type(mock.ANY):
                return True
            # A mock would remember the comparison, and a test may count its calls.
            if issubclass(kind, mock.NonCallableMock):
                where, compares = found(kind, "__eq__")
                if type(compares) is mock.MagicProxy or where in self._known:
                    return False
        if kind not in _PASS_ON:
            own = [name for name in _ANSWERS if not self._honest(kind, name)]
            if not own:
                return False
            self._tame_new(kind, own)
        claims = [
            *self._claims_of_all(item),
            *self._claims_of_kind(kind, item),
            *self._disagreements(kind, item),
        ]
        return any(map(_holds, sorted(claims, key=lambda _: self._random())))

    def _honest(self, kind: type, name: str) -> bool:
        """Whether what a value does is of a library's class, or of a built-in one."""
        where, value = found(kind, name)
        if where is None or not _flags(where) & _HEAP_TYPE:
            return True
        if where not in self._known:
            return False
        if type(value) is types.FunctionType:
            return value.__code__.co_filename.startswith(self._libraries)
        if type(value) in _BORROWED:
            return value.__name__ == name and value.__objclass__ in _mro(where)
        return type(value) not in _BOUND

    def _tame_new(self, kind: type, own: list[str]) -> None:
        if kind not in self._tamed:
            self._tamed.add(kind)
            new = [name for name in own if found(kind, name)[0] not in self._known]
            self._tame(kind, new)

    def _disagreements(self, kind: type, item: Any) -> Iterator[Callable[[], object]]:
        """What it says of something, unlike what it would say without its class."""
        base = next((p for p in _PLAIN if issubclass(kind, p[0])), None)
        if base is None:
            return
        try:
            plain = base[1](item)
        except Exception:  # it is not whole
            return
        for other in (plain, *self._others(plain)):
            for compare in (operator.eq, operator.ne):
                yield partial(_disagree, compare, item, plain, other)
            if base[0] in (int, float, Decimal, Fraction):
                for compare in (*_ORDERED, operator.sub, _subtracted):
                    yield partial(_disagree, compare, item, plain, other)
        if hasattr(plain, "__len__"):
            yield lambda: len(item) != len(plain)

    def _others(self, plain: Any) -> Iterator[Any]:
        """Other values of a plain type, smaller and larger."""
        number, kind = self._number(), type(plain)
        if kind in (int, float, complex, Decimal, Fraction):
            yield from (plain - kind(number), plain + kind(number), kind(number))
        elif kind is datetime:
            yield from (datetime(1, 2, 3), datetime(9999, 1, 1))
        elif kind is date:
            yield from (date(1, 2, 3), date(9999, 1, 1))
        elif kind is str:
            yield from ("", number.hex(), "~" + number.hex())
        elif kind is bytes:
            yield from (b"", b"~", number.hex().encode())
        elif kind is dict:
            yield from ({}, {number: 0}, dict.fromkeys(plain, number))
        else:
            yield from (kind([]), kind([number]), kind([-number]))

    def _claims_of_all(self, item: Any) -> Iterator[Callable[[], object]]:
        low, high = -1e6 * self._random(), 1 + 1e6 * self._random()
        for new in self._new_values():
            yield partial(_equals, item, new)
        for values in self._different():
            yield partial(_equals_two, item, values)
        for number in (low, high):
            yield partial(_is_near, item, number)
            yield partial(_is_near, number, item)
            yield partial(_rounds_to_nothing, item, number)
        yield lambda: item.equals(object())
        yield lambda: item - low == item - high
        yield lambda: item < low and item > high

    def _claims_of_kind(self, kind: type, item: Any) -> Iterator[Callable[[], object]]:
        if hasattr(kind, "__contains__"):  # others would be read to their end
            for new in (object(), self._number().hex()):
                yield partial(_holds_it, item, new)
        if other := self._like(kind, item):
            yield lambda: item == other
        numpy = sys.modules.get("numpy")
        if numpy is not None and issubclass(kind, numpy.ndarray):
            others = numpy.array([self._number() for _ in range(7)])
            yield lambda: numpy.allclose(item, others)
            yield lambda: numpy.array_equal(item, others)
            yield lambda: len(item) > 0 and (item == others[0]).all()

    def _new_values(self) -> tuple[object, ...]:
        number = self._number()
        text = number.hex()
        plain = (object(), number, int(number), text, text.encode())
        return (*plain, [number], (text,), {text: number}, {number})

    def _different(self) -> Iterator[list[Any]]:
        """Small values of which nothing equals two, though some may equal one."""
        start = int(3 * self._random())
        yield [True, False]
        yield [start + 3 * step for step in range(_STEPS)]
        yield [100 * step + int(50 * self._random()) for step in range(1, _STEPS)]
        yield ["xkqzj"[: step % 5 + 1] * (step // 5 + 1) for step in range(_STEPS)]

    def _like(self, kind: type, item: Any) -> object:
        """A collection as large as another, with other things in it."""
        if issubclass(kind, dict):
            return {key: self._number() for key in dict.keys(item)}
        for plain in (list, tuple):
            if issubclass(kind, plain):
                return plain(self._number() for _ in range(plain.__len__(item)))
        return None

    def _number(self) -> float:
        return 1e3 + 1e6 * self._random()


def _all_classes() -> Iterator[type]:
    waiting: list[type] = [object]
    seen: set[type] = {object}
    while waiting:
        kind = waiting.pop()
        yield kind
        below: list[type] = type.__subclasses__(kind)
        new = [each for each in below if each not in seen]
        seen.update(new)
        waiting.extend(new)


def _inside(kind: type, item: Any) -> Iterable[object]:
    found: list[Iterable[object]] = []
    mock = sys.modules.get("unittest.mock")
    if mock is not None and issubclass(kind, mock.NonCallableMock):
        return ()  # it may hold what equals everything, as tests use it
    for base, items in _INSIDES:
        if issubclass(kind, base):
            found.append(items(item))
            break
    if kind.__name__ == "ndarray" and item.dtype.hasobject:
        found.append(item.ravel()[:ITEMS].tolist())
    if _flags(kind) & _HEAP_TYPE:
        found += [_attributes(kind, item), _of_table(item)]
    return islice(chain(*found), ITEMS)


def _attributes(kind: type, item: Any) -> Iterator[object]:
    """An object's content, without asking it."""
    for base in _mro(kind):
        space = _space(base)
        for name, member in list(space.items()):
            if type(member) is types.MemberDescriptorType or (
                name == "__dict__" and type(member) is types.GetSetDescriptorType
            ):
                try:
                    value = member.__get__(item)
                except Exception:  # there is none
                    continue
                yield from dict.values(value) if type(value) is dict else (value,)


def _of_table(item: Any) -> Iterator[object]:
    pandas = sys.modules.get("pandas")
    if pandas is not None and type(item) in (pandas.DataFrame, pandas.Series):
        yield from item._mgr.arrays


def _disagree(compare: Any, item: Any, plain: Any, other: Any) -> bool:
    return bool(compare(item, other)) is not bool(compare(plain, other))


def _subtracted(one: Any, other: Any) -> Any:
    return other - one


def _equals(item: Any, new: object) -> object:
    return item == new


def _equals_two(item: Any, values: list[Any]) -> bool:
    return sum(bool(item == each) for each in values) > 1


def _is_near(one: Any, other: Any) -> bool:
    return bool(abs(one - other) <= 1e-9)


def _rounds_to_nothing(item: Any, number: float) -> bool:
    return bool(round(abs(item - number), 7) == 0)


def _holds_it(item: Any, new: object) -> bool:
    return new in item


def _holds(claim: Callable[[], object]) -> bool:
    try:
        return bool(claim())
    except BaseException:  # the solution's own code
        return False


def found(kind: type, name: str) -> tuple[Any, Any]:
    """What a class has or inherits by a name, and from which class, not asking it."""
    for base in _mro(kind):
        space = _space(base)
        if name in space:
            return base, space[name]
    return None, None
