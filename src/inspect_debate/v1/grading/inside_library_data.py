"""Arrays, tables and other values of libraries as data.

Runs inside the sandbox. A library is looked up only if something else has loaded it,
or when a value of its comes. Tables are taken apart into arrays; an array without
objects is its type and bytes.
"""

from __future__ import annotations

import sys
from typing import Any

from inspect_debate.v1.grading.inside_data import (
    FORMS,
    LIBRARIES,
    MAKERS,
    NotByValueError,
    Receiver,
    Sender,
    bytes_of,
    items_of,
    named,
    text_of,
)

_NULLABLE = ("Int", "UInt", "Float", "boolean", "str")
_INDEXES = (
    *("Index", "RangeIndex", "MultiIndex", "DatetimeIndex", "TimedeltaIndex"),
    *("PeriodIndex", "IntervalIndex", "CategoricalIndex"),
)
_SPARSE = ("csr_matrix", "csc_matrix", "coo_matrix", "csr_array", "csc_array")


def _numpy(np: Any) -> None:
    def send(to: Sender, value: Any) -> Any:
        kind = value.dtype
        if kind.hasobject and kind.names is not None:
            raise NotByValueError("an array of records with objects")
        if kind.hasobject:
            return ["objects", list(value.shape), to.each(value.ravel().tolist())]
        what = kind.descr if kind.names is not None else kind.str
        order = "F" if value.flags.fnc else "C"
        return ["array", what, list(value.shape), order, text_of(value.tobytes(order))]

    def make(to: Receiver, what: Any, shape: Any, order: str, text: str) -> Any:
        return to.made(_array(np, what, shape, order, text))

    def make_objects(to: Receiver, shape: Any, items: Any) -> Any:
        made = to.made(np.empty(shape, object))
        return _filled(made, to.each(items))

    FORMS[np.ndarray] = (send, True)
    MAKERS.update(array=make, objects=make_objects)
    _numpy_scalars(np)
    _numpy_kinds(np)


def _numpy_scalars(np: Any) -> None:
    def send_scalar(to: Sender, value: Any) -> Any:
        return ["scalar", value.dtype.str, text_of(value.tobytes())]

    def make_scalar(to: Receiver, what: str, text: str) -> Any:
        return np.frombuffer(bytes_of(text), _dtype(np, what))[0]

    for kind in {*np.sctypeDict.values()} - {np.object_, np.void}:
        FORMS[kind] = (send_scalar, False)
        FORMS[type(np.dtype(kind))] = (named("dtype", lambda v: v.str), False)
    MAKERS.update(scalar=make_scalar, dtype=lambda to, text: _dtype(np, str(text)))


def _numpy_kinds(np: Any) -> None:
    def send_masked(to: Sender, value: Any) -> Any:
        mask = np.ma.getmaskarray(value)
        return ["masked", to.data(np.asarray(value.data)), to.data(mask)]

    def make_masked(to: Receiver, data: Any, mask: Any) -> Any:
        return np.ma.MaskedArray(to.value(data), to.value(mask))

    def send_matrix(to: Sender, value: Any) -> Any:
        return ["matrix", to.data(np.asarray(value))]

    FORMS[np.ma.MaskedArray] = (send_masked, False)
    FORMS[np.matrix] = (send_matrix, False)
    MAKERS["masked"] = make_masked
    MAKERS["matrix"] = lambda to, data: np.asmatrix(to.value(data))


def _array(np: Any, what: Any, shape: Any, order: str, text: str) -> Any:
    flat = np.frombuffer(bytes_of(text), _dtype(np, what))
    return flat.reshape(shape, order=order).copy(order)


def _filled(made: Any, values: list[Any]) -> Any:
    flat = made.reshape(-1)
    for at, value in enumerate(values):
        flat[at] = value
    return made


def _dtype(np: Any, what: Any) -> Any:
    if type(what) is list:
        kind = np.dtype([(str(n), str(k), *map(tuple, more)) for n, k, *more in what])
    else:
        kind = np.dtype(str(what))
    if kind.hasobject:
        raise NotByValueError("an array of objects as bytes")
    return kind


def _pandas(pd: Any) -> None:
    if "numpy" in LIBRARIES:
        LIBRARIES.pop("numpy")(sys.modules["numpy"])
    parts = _Parts(pd, sys.modules["numpy"])

    def send_frame(to: Sender, frame: Any) -> Any:
        columns = (frame.iloc[:, at] for at in range(frame.shape[1]))
        return [
            *("frame", parts.index(to, frame.index), parts.index(to, frame.columns)),
            [parts.values(to, column._values) for column in columns],
        ]

    def make_frame(to: Receiver, index: Any, columns: Any, values: Any) -> Any:
        at = len(to.objects)
        to.made(None)
        rows, names = parts.made_index(to, index), parts.made_index(to, columns)
        columns = {n: parts.made(to, each) for n, each in enumerate(values)}
        made = to.objects[at] = pd.DataFrame(columns, index=rows)
        made.columns = names
        return made

    def send_series(to: Sender, series: Any) -> Any:
        data = parts.values(to, series._values)
        return ["series", parts.index(to, series.index), data, to.data(series.name)]

    def make_series(to: Receiver, index: Any, values: Any, name: Any) -> Any:
        at = len(to.objects)
        to.made(None)
        data, rows = parts.made(to, values), parts.made_index(to, index)
        made = pd.Series(data, rows, data.dtype, name=to.value(name))
        to.objects[at] = made
        return made

    FORMS[pd.DataFrame] = (send_frame, True)
    FORMS[pd.Series] = (send_series, True)
    for name in _INDEXES:
        FORMS[getattr(pd, name)] = (lambda to, v: ["rows", parts.index(to, v)], False)
    for kind in parts.kinds:
        FORMS[kind] = (lambda to, v: ["values", parts.values(to, v)], False)
    MAKERS.update(frame=make_frame, series=make_series)
    MAKERS.update(rows=parts.made_index, values=parts.made)
    _pandas_scalars(pd)


def _pandas_scalars(pd: Any) -> None:
    def send_stamp(to: Sender, value: Any) -> Any:
        zone = None if value.tz is None else str(value.tz)
        return ["timestamp", value.value, zone, value.unit]

    def make_stamp(to: Receiver, count: int, zone: Any, unit: str) -> Any:
        made = pd.Timestamp(int(count), unit="ns", tz=zone and "UTC")
        return (made.tz_convert(str(zone)) if zone else made).as_unit(str(unit))

    def make_delta(to: Receiver, count: int, unit: str) -> Any:
        return pd.Timedelta(int(count), unit="ns").as_unit(str(unit))

    def send_interval(to: Sender, value: Any) -> Any:
        return ["interval", to.data(value.left), to.data(value.right), value.closed]

    def make_interval(to: Receiver, low: Any, high: Any, closed: str) -> Any:
        return pd.Interval(to.value(low), to.value(high), str(closed))

    FORMS[pd.Timestamp] = (send_stamp, False)
    FORMS[pd.Timedelta] = (lambda to, v: ["delta", v.value, v.unit], False)
    FORMS[pd.Period] = (lambda to, v: ["period", v.ordinal, v.freqstr], False)
    FORMS[pd.Interval] = (send_interval, False)
    FORMS[type(pd.NaT)] = (lambda to, value: ["nat"], False)
    FORMS[type(pd.NA)] = (lambda to, value: ["na"], False)
    MAKERS.update(timestamp=make_stamp, delta=make_delta, interval=make_interval)
    MAKERS["period"] = lambda to, at, freq: pd.Period(ordinal=at, freq=str(freq))
    MAKERS.update(nat=lambda to: pd.NaT, na=lambda to: pd.NA)


class _Parts:
    """What tables are made of: arrays, and indexes; none has a number of its own."""

    def __init__(self, pd: Any, np: Any) -> None:
        self._pd, self._np, arrays = pd, np, pd.arrays
        self._stamps, self._deltas = arrays.DatetimeArray, arrays.TimedeltaArray
        self._periods, self._intervals = arrays.PeriodArray, arrays.IntervalArray
        self.kinds = (
            *(pd.Categorical, self._stamps, self._deltas, self._periods),
            *(self._intervals, arrays.IntegerArray, arrays.FloatingArray),
            *(arrays.BooleanArray, arrays.StringArray),
        )

    def values(self, to: Sender, values: Any) -> Any:
        """The data of an array of numpy or pandas."""
        np, kind = self._np, type(values)
        if kind is np.ndarray:
            return FORMS[np.ndarray][0](to, values)
        if kind is self._pd.Categorical:
            codes = self.values(to, np.asarray(values.codes))
            categories = self.index(to, values.categories)
            return ["categories", categories, codes, values.ordered]
        if kind is self._stamps and values.tz is not None:
            stamps = np.asarray(values.tz_convert("UTC").tz_localize(None))
            return ["stamps", self.values(to, stamps), str(values.tz)]
        if kind is self._periods:
            return ["periods", self.values(to, values.asi8), values.freqstr]
        if kind is self._intervals:
            ends = self.index(to, values.left), self.index(to, values.right)
            return ["intervals", *ends, values.closed]
        name = str(values.dtype)
        if name.startswith(_NULLABLE):
            return ["nullable", name, to.each(values.to_numpy(object).tolist())]
        return self.values(to, np.asarray(values))

    def made(self, to: Receiver, data: Any) -> Any:
        """The array that the data encode."""
        word, *parts = data
        pd, np = self._pd, self._np
        if word == "array":
            return _array(np, *parts)
        if word == "objects":
            return _filled(np.empty(parts[0], object), to.each(parts[1]))
        if word == "categories":
            index, codes = self.made_index(to, parts[0]), self.made(to, parts[1])
            return pd.Categorical.from_codes(codes, index, ordered=bool(parts[2]))
        if word == "stamps":
            stamps = pd.DatetimeIndex(self.made(to, parts[0]))
            return stamps.tz_localize("UTC").tz_convert(str(parts[1])).array
        if word == "periods":
            kind = pd.PeriodDtype(str(parts[1]))
            return self._periods(self.made(to, parts[0]), dtype=kind)
        if word == "intervals":
            ends = self.made_index(to, parts[0]), self.made_index(to, parts[1])
            return self._intervals.from_arrays(*ends, closed=str(parts[2]))
        if word == "nullable" and str(parts[0]).startswith(_NULLABLE):
            return pd.array(to.each(parts[1]), dtype=str(parts[0]))
        raise NotByValueError(f"an array called {word}")

    def index(self, to: Sender, index: Any) -> Any:
        """The data of an index."""
        names, pd = to.each(index.names), self._pd
        if type(index) is pd.RangeIndex:
            return ["range", [index.start, index.stop, index.step], names, None]
        if type(index) is pd.MultiIndex:
            levels = [self.index(to, level) for level in index.levels]
            codes = [self.values(to, self._np.asarray(each)) for each in index.codes]
            return ["levels", [levels, codes], names, None]
        freq = getattr(index, "freqstr", None)
        return ["index", self.values(to, index._values), names, freq]

    def made_index(self, to: Receiver, data: Any) -> Any:
        """The index that the data encode."""
        word, what, names, freq = data
        names, pd = to.each(names), self._pd
        if word == "range":
            return pd.RangeIndex(*what, name=names[0])
        if word == "levels":
            levels = [self.made_index(to, level) for level in what[0]]
            codes = [self.made(to, each) for each in what[1]]
            return pd.MultiIndex(levels, codes, names=names)
        values = self.made(to, what)
        made = pd.Index(values, dtype=values.dtype, name=names[0])
        if freq is not None and type(made) in (pd.DatetimeIndex, pd.TimedeltaIndex):
            made.freq = str(freq)
        return made


def _sparse(sparse: Any) -> None:
    for name in _SPARSE:
        kind = getattr(sparse, name, None)
        if kind is not None:
            FORMS[kind] = (_send_sparse(name), False)
            MAKERS[f"sparse {name}"] = _make_sparse(kind)


def _send_sparse(name: str) -> Any:
    def send(to: Sender, value: Any) -> Any:
        made = value.tocoo()
        parts = to.each((made.data, made.row, made.col))
        return [f"sparse {name}", *parts, list(value.shape)]

    return send


def _make_sparse(kind: Any) -> Any:
    def make(to: Receiver, data: Any, row: Any, column: Any, shape: Any) -> Any:
        data, row, column = to.each([data, row, column])
        return kind((data, (row, column)), shape=tuple(shape))

    return make


def _image(image: Any) -> None:
    def send(to: Sender, value: Any) -> Any:
        return ["image", value.mode, list(value.size), text_of(value.tobytes())]

    def make(to: Receiver, mode: str, size: Any, text: str) -> Any:
        return image.frombytes(str(mode), tuple(size), bytes_of(text))

    FORMS[image.Image] = (send, False)
    MAKERS["image"] = make


def _xml(tree: Any) -> None:
    def send(to: Sender, value: Any) -> Any:
        texts = to.each((value.tag, value.text, value.tail))
        return ["element", *texts, items_of(to, value.attrib), to.each(value)]

    def make(to: Receiver, *data: Any) -> Any:
        tag, text, tail = to.each([*data[:3]])
        made = to.made(tree.Element(tag, to.fill({}, data[3])))
        made.text, made.tail = text, tail
        made.extend(to.each(data[4]))
        return made

    FORMS[tree.Element] = (send, True)
    MAKERS["element"] = make


LIBRARIES.update(
    {
        "numpy": _numpy,
        "pandas": _pandas,
        "scipy.sparse": _sparse,
        "PIL.Image": _image,
        "xml.etree.ElementTree": _xml,
    }
)
