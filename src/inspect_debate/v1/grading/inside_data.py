"""Values as data, between the process of the tests and that of the program.

Runs inside the sandbox, in both. What is sent is JSON: plain values as they are, others
as lists that begin with a word for the type. What comes back is built from a list of
plain and library types, by exact type; nothing that arrives names a function to be
called, and nothing is unpickled. Objects that can be changed are numbered in the order
in which they are met, so that what is one object here is one object there.
"""

from __future__ import annotations

import collections
import contextlib
import datetime
import decimal
import fractions
import importlib
import io
import math
import pathlib
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any

_SMALL = 1 << 53
_PATH = ("__module__", "__qualname__")
_UTC = datetime.timezone(datetime.timedelta())  # it is one object everywhere
# Of modules whose classes may be sent as such; others are named by exceptions alone.
_CLASSES_OF = ("builtins", "numpy", "pandas", "datetime", "decimal", "fractions")


class NotByValueError(TypeError):
    """Something that cannot be sent."""


class Unsent:
    """What a program returned that could not be sent; it equals nothing but itself."""

    __slots__ = ("_kind",)

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __repr__(self) -> str:
        return f"<a {self._kind}, which cannot be sent>"


def path_of(kind: type) -> list[str]:
    """A class by its module and its name."""
    module, name = (type.__dict__[n].__get__(kind) for n in _PATH)
    return [str(module), str(name)]


def class_at(path: Any, among: Callable[[str], bool]) -> Any:
    """A class that is loaded here; None if there is none by that name."""
    module, name = path
    if type(module) is not str or type(name) is not str or not among(module):
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        space = getattr(found, "__dict__", {})
        found = space.get(part)
    return found if isinstance(found, type) else None


class Sender:
    """Turns values into data.

    Args:
        refer: Gets this and what has no other form; gives its data, or raises.
        known: Objects that have a number on the other side, in their order.
    """

    def __init__(
        self, refer: Callable[[Any, Any], Any], known: list[Any] | None = None
    ) -> None:
        self.refer = refer
        self.objects: list[Any] = list(known or ())
        self._numbers = {id(each): at for at, each in enumerate(self.objects)}

    def data(self, value: Any) -> Any:
        """The data of a value, or the number of an object that was met before."""
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is float:
            return ["nan"] if value != value and value is _nan() else value
        if kind is int:
            return value if -_SMALL < value < _SMALL else ["int", hex(value)]
        form = FORMS.get(kind) or library_form(kind)
        if form is not None and not form[1]:
            return form[0](self, value)
        number = self._numbers.get(id(value))
        if number is not None:
            return ["=", number]
        if form is None:
            return self.refer(self, value)
        self.number(value)
        return form[0](self, value)

    def content(self, value: Any) -> Any:
        """The data of an object, though it has a number."""
        form = FORMS.get(type(value)) or library_form(type(value))
        number = self._numbers[id(value)]
        self.number(value)  # the other side makes one anew
        self._numbers[id(value)] = number
        return self.refer(self, value) if form is None else form[0](self, value)

    def knows(self, value: Any) -> bool:
        """Whether an object has a number."""
        return id(value) in self._numbers

    def number(self, value: Any) -> None:
        """Give an object the next number."""
        self._numbers[id(value)] = len(self.objects)
        self.objects.append(value)

    def each(self, values: Any) -> list[Any]:
        """The data of several values."""
        return [self.data(value) for value in values]


class Receiver:
    """Turns data into values.

    Args:
        refer: Gets this and data that begin with one of some other words.
        others: The words.
        known: The objects that have a number here.
        classes: Classes that a value may be of, by name: those of the task.
    """

    def __init__(
        self,
        refer: Callable[[Any, Any], Any],
        others: tuple[str, ...] = (),
        known: list[Any] | None = None,
        classes: dict[str, Any] | None = None,
    ) -> None:
        self._refer, self._others = refer, others
        self.objects: list[Any] = list(known or ())
        self.classes = classes or {}

    def value(self, data: Any) -> Any:
        """The value that the data encode.

        Raises:
            Exception: Of any kind, if they are not as a sender makes them.
        """
        if type(data) is not list:
            return data
        word = data[0]
        if word == "=":
            return self.objects[data[1]]
        if word in self._others:
            return self._refer(self, data)
        make = MAKERS.get(word) or _library_maker(word)
        if make is None:
            raise NotByValueError(f"what is called {word}")
        return make(self, *data[1:])

    def made(self, value: Any) -> Any:
        """Number an object, before what is in it."""
        self.objects.append(value)
        return value

    def each(self, items: list[Any]) -> list[Any]:
        """The values that several data encode."""
        return [self.value(item) for item in items]

    def fill(self, made: Any, items: Any) -> Any:
        """Put pairs into a dict."""
        for key, value in items:
            key = self.value(key)
            made[key] = self.value(value)
        return made


def assign(old: Any, new: Any) -> None:
    """Give an object the content of another of its type.

    Raises:
        NotByValueError: If the other is of another type.
    """
    kind = type(old)
    if kind is not type(new):
        raise NotByValueError(f"a {kind.__name__} became a {type(new).__name__}")
    if issubclass(kind, (dict, set, collections.deque)):
        old.clear()
        _copied(old, new) if issubclass(kind, dict) else _add(old, new)
    elif issubclass(kind, (list, bytearray)):
        old[:] = new
    elif kind in (io.StringIO, io.BytesIO):
        _assign_stream(old, new)
    elif hasattr(old, "_update_inplace"):  # tables
        old._update_inplace(new)
    elif hasattr(old, "dtype"):  # arrays
        if old.shape != new.shape:
            old.resize(new.shape, refcheck=False)
        old[...] = new
    elif hasattr(old, "__dict__") and not issubclass(kind, BaseException):
        vars(old).clear()
        vars(old).update(vars(new))


def _assign_stream(old: Any, new: Any) -> None:
    if new.closed:
        old.close()
    elif not old.closed:
        old.seek(0)
        old.truncate()
        old.write(new.getvalue())
        old.seek(new.tell())


def _add(old: Any, items: Any) -> None:
    (old.update if isinstance(old, set) else old.extend)(items)


def _nan() -> Any:
    """The one that numpy calls so, which tests compare with as an object."""
    return getattr(sys.modules.get("numpy"), "nan", math.nan)


def text_of(data: bytes) -> str:
    """Bytes as JSON can say them."""
    return data.decode("latin-1")


def bytes_of(text: str) -> bytes:
    """The bytes that a text encodes."""
    return text.encode("latin-1")


def items_of(sender: Sender, value: Any) -> list[Any]:
    """The data of a dict's pairs."""
    return [[sender.data(k), sender.data(v)] for k, v in dict.items(value)]


def named(word: str, of: Callable[[Any], Any]) -> Any:
    """How to send values that a text represents."""
    return lambda sender, value: [word, of(value)]


def _zone(sender: Sender, zone: Any) -> Any:
    if zone is None or zone is _UTC:
        return None if zone is None else "utc"
    name = type(zone).__module__
    if type(zone) is datetime.timezone:
        return ["offset", zone.utcoffset(None).total_seconds(), zone.tzname(None)]
    if name.startswith("zoneinfo") and zone.key:
        return ["zoneinfo", zone.key]
    if name.startswith("pytz") and getattr(zone, "zone", None):
        return ["pytz", zone.zone]
    if name.startswith("dateutil"):
        return ["dateutil", type(zone).__name__, getattr(zone, "_filename", "")]
    raise NotByValueError(f"the time zone {name}.{type(zone).__name__}")


def _zone_at(data: Any) -> Any:
    if data is None or data == "utc":
        return data and _UTC
    if data[0] == "offset":
        delta = datetime.timedelta(seconds=data[1])
        return datetime.timezone(delta, str(data[2]))
    if data[0] == "zoneinfo":
        return sys.modules["zoneinfo"].ZoneInfo(data[1])
    if data[0] == "pytz":
        return sys.modules["pytz"].timezone(data[1])
    tz = sys.modules["dateutil.tz"]
    return tz.gettz(data[2]) if data[1] == "tzfile" else getattr(tz, str(data[1]))()


def _send_datetime(sender: Sender, value: Any) -> Any:
    zone = _zone(sender, value.tzinfo)
    if type(zone) is list and zone[0] == "pytz":  # of which one zone has many objects
        value = value.astimezone(_UTC)
    return ["datetime", value.replace(tzinfo=None).isoformat(), zone, value.fold]


def _make_datetime(to: Receiver, text: str, zone: Any, fold: int) -> Any:
    made = datetime.datetime.fromisoformat(text).replace(fold=fold)
    where = _zone_at(zone)
    if type(zone) is list and zone[0] == "pytz":
        return made.replace(tzinfo=_UTC).astimezone(where)
    return made.replace(tzinfo=where)


def _send_time(sender: Sender, value: Any) -> Any:
    zone = _zone(sender, value.tzinfo)
    return ["time", value.replace(tzinfo=None).isoformat(), zone]


def _send_namespace(sender: Sender, value: Any) -> Any:
    return ["namespace", items_of(sender, vars(value))]


def _make_namespace(to: Receiver, items: Any) -> Any:
    made = to.made(types.SimpleNamespace())
    to.fill(vars(made), items)
    return made


def _send_default(sender: Sender, value: Any) -> Any:
    return ["defaultdict", sender.data(value.default_factory), items_of(sender, value)]


def _make_default(to: Receiver, factory: Any, items: Any) -> Any:
    made: Any = to.made(collections.defaultdict())
    factory = to.value(factory)
    made.default_factory = factory if callable(factory) else None
    return to.fill(made, items)


def _send_stream(sender: Sender, value: Any) -> Any:
    if value.closed:
        return [type(value).__name__, None, 0]
    text = value.getvalue()
    return [
        type(value).__name__,
        text if type(text) is str else text_of(text),
        value.tell(),
    ]


def _make_stream(kind: Any) -> Any:
    def make(to: Receiver, text: Any, at: int) -> Any:
        made = to.made(kind())
        if text is None:
            made.close()
        else:
            made.write(text if kind is io.StringIO else bytes_of(text))
            made.seek(at)
        return made

    return make


def _send_class(sender: Sender, value: Any) -> Any:
    path = path_of(value)
    if class_at(path, _is_plain) is value:
        return ["class", *path]
    return sender.refer(sender, value)


def _is_plain(module: str) -> bool:
    return module.partition(".")[0] in _CLASSES_OF


def _make_class(to: Receiver, module: str, name: str) -> Any:
    found = class_at((module, name), _is_plain)
    if found is None:
        raise NotByValueError(f"the class {module}.{name}")
    return found


def _make_namedtuple(to: Receiver, name: str, fields: Any, items: Any) -> Any:
    kind: Any = to.classes.get(name)
    if getattr(kind, "_fields", None) != tuple(fields):
        make: Any = collections.namedtuple
        kind = make(name, [str(field) for field in fields])
    made: Any = tuple.__new__(kind, to.each(items))
    return made


def send_namedtuple(sender: Sender, value: Any) -> Any:
    """An object of a class that `collections.namedtuple` may have made."""
    kind = type(value)
    fields = [str(field) for field in kind._fields]
    return ["namedtuple", kind.__name__, fields, sender.each(tuple.__iter__(value))]


def send_instance(sender: Sender, value: Any) -> Any:
    """An object of a class of the task's own, which has its number."""
    return ["instance", type(value).__name__, items_of(sender, vars(value))]


def _make_instance(to: Receiver, name: str, items: Any) -> Any:
    made = to.made(object.__new__(to.classes[name]))
    to.fill(vars(made), items)
    return made


_VIEWS = {
    type({}.keys()): ("keys", lambda items: dict.fromkeys(items).keys()),
    type({}.values()): ("values", lambda items: dict(enumerate(items)).values()),
    type({}.items()): ("items", lambda items: dict(items).items()),
}


def _send_view(word: str) -> Any:
    return lambda to, value: [word, to.each(value)]


def _make_view(make: Any) -> Any:
    return lambda to, items: make(to.each(items))


# By type: how it is sent, and whether it can be changed and so has a number.
FORMS: dict[Any, Any] = {
    list: (lambda to, value: ["list", to.each(value)], True),
    tuple: (lambda to, value: ["tuple", to.each(value)], False),
    dict: (lambda to, value: ["dict", items_of(to, value)], True),
    set: (lambda to, value: ["set", to.each(value)], True),
    frozenset: (lambda to, value: ["frozenset", to.each(value)], False),
    bytes: (named("bytes", text_of), False),
    bytearray: (named("bytearray", text_of), True),
    complex: (lambda to, value: ["complex", value.real, value.imag], False),
    range: (lambda to, v: ["range", *to.each((v.start, v.stop, v.step))], False),
    slice: (lambda to, v: ["slice", *to.each((v.start, v.stop, v.step))], False),
    type(...): (lambda to, value: ["..."], False),
    object: (lambda to, value: ["object"], True),
    type: (_send_class, False),
    decimal.Decimal: (named("decimal", str), False),
    fractions.Fraction: (
        lambda to, v: ["fraction", hex(v.numerator), hex(v.denominator)],
        False,
    ),
    uuid.UUID: (named("uuid", str), False),
    pathlib.PosixPath: (named("path", str), False),
    pathlib.PurePosixPath: (named("purepath", str), False),
    datetime.date: (named("date", datetime.date.isoformat), False),
    datetime.datetime: (_send_datetime, False),
    datetime.time: (_send_time, False),
    datetime.timedelta: (
        lambda to, v: ["timedelta", v.days, v.seconds, v.microseconds],
        False,
    ),
    datetime.timezone: (lambda to, value: ["zone", _zone(to, value)], False),
    collections.OrderedDict: (lambda to, v: ["ordered", items_of(to, v)], True),
    collections.Counter: (lambda to, v: ["counter", items_of(to, v)], True),
    collections.defaultdict: (_send_default, True),
    collections.deque: (lambda to, v: ["deque", v.maxlen, to.each(v)], True),
    collections.ChainMap: (lambda to, v: ["chain", to.each(v.maps)], False),
    collections.UserList: (lambda to, v: ["userlist", to.data(v.data)], True),
    collections.UserDict: (lambda to, v: ["userdict", to.data(v.data)], True),
    collections.UserString: (lambda to, v: ["userstring", to.data(v.data)], False),
    types.MappingProxyType: (lambda to, v: ["proxy", to.data(dict(v))], False),
    types.SimpleNamespace: (_send_namespace, True),
    io.StringIO: (_send_stream, True),
    io.BytesIO: (_send_stream, True),
    **{kind: (_send_view(word), False) for kind, (word, _) in _VIEWS.items()},
}
MAKERS: dict[str, Callable[..., Any]] = {
    "nan": lambda to: _nan(),
    "int": lambda to, text: int(text, 16),
    "list": lambda to, items: _filled(to.made([]), to, items),
    "tuple": lambda to, items: tuple(to.each(items)),
    "dict": lambda to, items: to.fill(to.made({}), items),
    "set": lambda to, items: _filled(to.made(set()), to, items),
    "frozenset": lambda to, items: frozenset(to.each(items)),
    "bytes": lambda to, text: bytes_of(text),
    "bytearray": lambda to, text: to.made(bytearray(bytes_of(text))),
    "complex": lambda to, real, imaginary: complex(real, imaginary),
    "range": lambda to, *parts: range(*to.each(parts)),
    "slice": lambda to, *parts: slice(*to.each(parts)),
    "...": lambda to: ...,
    "object": lambda to: to.made(object()),
    "class": _make_class,
    "decimal": lambda to, text: decimal.Decimal(text),
    "fraction": lambda to, up, down: fractions.Fraction(int(up, 16), int(down, 16)),
    "uuid": lambda to, text: uuid.UUID(text),
    "path": lambda to, text: pathlib.PosixPath(text),
    "purepath": lambda to, text: pathlib.PurePosixPath(text),
    "date": lambda to, text: datetime.date.fromisoformat(text),
    "datetime": _make_datetime,
    "time": lambda to, text, zone: datetime.time.fromisoformat(text).replace(
        tzinfo=_zone_at(zone)
    ),
    "timedelta": lambda to, *parts: datetime.timedelta(*parts),
    "zone": lambda to, zone: _zone_at(zone),
    "ordered": lambda to, items: to.fill(to.made(collections.OrderedDict()), items),
    "counter": lambda to, items: to.fill(to.made(collections.Counter()), items),
    "defaultdict": _make_default,
    "deque": lambda to, size, items: _filled(
        to.made(collections.deque(maxlen=size)), to, items
    ),
    "chain": lambda to, maps: collections.ChainMap(*to.each(maps)),
    "userlist": lambda to, data: _holder(collections.UserList(), to, data),
    "userdict": lambda to, data: _holder(collections.UserDict(), to, data),
    "userstring": lambda to, data: collections.UserString(str(to.value(data))),
    "proxy": lambda to, item: types.MappingProxyType(to.value(item)),
    "namespace": _make_namespace,
    "namedtuple": _make_namedtuple,
    "instance": _make_instance,
    "StringIO": _make_stream(io.StringIO),
    "BytesIO": _make_stream(io.BytesIO),
    **{word: _make_view(make) for word, make in _VIEWS.values()},
}
# What a value of a class of its own is sent as: the first of these that it is.
PLAIN: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (complex, complex.__complex__ if hasattr(complex, "__complex__") else complex),
    (bytearray, lambda value: bytearray(bytearray.__getitem__(value, slice(None)))),
    (collections.Counter, lambda v: _copied(collections.Counter(), v)),
    (collections.OrderedDict, lambda v: _copied(collections.OrderedDict(), v)),
    (dict, lambda value: _copied({}, value)),
    (list, lambda value: list(list.__iter__(value))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
)


def _holder(made: Any, to: Receiver, data: Any) -> Any:
    to.made(made)
    made.data = to.value(data)
    return made


def _copied(made: Any, value: Any) -> Any:
    for key, item in dict.items(value):
        made[key] = item
    return made


def _filled(made: Any, to: Receiver, items: Any) -> Any:
    _add(made, to.each(items))
    return made


LIBRARIES: dict[str, Callable[[Any], None]] = {}
"""What tells of the types of a module, by its name, until it has."""


def library_form(kind: type) -> Any:
    """How a type of a library is sent, if it is one of them."""
    module = str(kind.__module__)
    for name in [name for name in LIBRARIES if module.startswith(name.split(".")[0])]:
        if name in sys.modules:
            LIBRARIES.pop(name)(sys.modules[name])
    return FORMS.get(kind)


def _library_maker(word: str) -> Any:
    """What makes values of a library, which is loaded if it has not been."""
    while word not in MAKERS and LIBRARIES:
        name = next(iter(LIBRARIES))
        tell = LIBRARIES.pop(name)
        with contextlib.suppress(ImportError):
            tell(importlib.import_module(name))
    return MAKERS.get(word)
