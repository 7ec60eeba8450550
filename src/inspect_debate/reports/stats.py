"""Numbers for people: values with intervals, p-values, and groups of rows."""

import math
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd

from inspect_debate.metrics import intervals
from inspect_debate.metrics.intervals import Estimate
from inspect_debate.metrics.paired import PairedDifference

DASH = "–"
Measures = dict[str, Callable[[pd.DataFrame], object]]
"""What is computed of the rows of a group, by the name of its column."""


class Measured(NamedTuple):
    """A value in a table or figure, with its interval (NaN where there is none)."""

    value: float
    low: float = math.nan
    high: float = math.nan

    def text(self, digits: int = 1, signed: bool = False) -> str:
        """The value and its interval, as in `74.1 [68.0, 79.5]`."""
        value, low, high = (number(one, digits, signed) for one in self)
        return value if math.isnan(self.low) else f"{value} [{low}, {high}]"


def by(rows: pd.DataFrame, keys: Sequence[str], measures: Measures) -> pd.DataFrame:
    """A row per group of `keys`, in the order of appearance, with its measures."""
    groups = rows.groupby([*keys], sort=False, dropna=False)
    found = []
    for key, part in groups:
        values = {name: measure(part) for name, measure in measures.items()}
        found.append(dict(zip(keys, key, strict=True)) | values)
    return pd.DataFrame(found)


def mean(column: str, rows: pd.DataFrame) -> Measured:
    """The mean of a column of shares, in percent, with rows in clusters."""
    return percent(intervals.mean(rows[column], rows["cluster"]))


def share(column: str, rows: pd.DataFrame) -> float:
    """The same without an interval."""
    return 100 * float(rows[column].mean())


def percent(found: Estimate | PairedDifference) -> Measured:
    """A share or a difference of shares, in percent."""
    value = found.value if isinstance(found, Estimate) else found.estimate
    return Measured(*(100 * one for one in (value, found.low, found.high)))


def series(
    rows: pd.DataFrame, line: str, x: str, measure: Callable[[pd.DataFrame], Measured]
) -> dict[str, dict[float, Measured]]:
    """A measure by `line` and `x`, for a figure with lines."""
    return {
        str(name): {float(str(n)): measure(part) for n, part in of.groupby(x)}
        for name, of in rows.groupby(line, sort=False)
    }


def number(value: float, digits: int = 1, signed: bool = False) -> str:
    """A number for people; a dash for NaN."""
    if math.isnan(value):
        return DASH
    value = round(value, digits) + 0.0  # no negative zero
    return f"{value:{'+' if signed else ''},.{digits}f}".replace("-", "−")


def p_value(p: float, named: bool = False) -> str:
    """A p-value for people; `named` for use in a sentence."""
    if math.isnan(p):
        return "no p-value" if named else DASH
    text = "< 0.001" if p < 0.001 else f"{p:.{3 if p < 0.1 else 2}f}"
    equal = "" if p < 0.001 else "= "
    return (f"p {equal}{text}" if named else text).replace(" ", "\u00a0")


def difference(
    measure: str, treatment: str, baseline: str, found: PairedDifference
) -> str:
    """A sentence on a paired difference of shares, treatment minus baseline."""
    points = percent(found)
    if math.isnan(points.value):
        return (
            f"{treatment} and {baseline} cannot be compared: the {measure} is not "
            f"defined on the {found.pairs} samples that both answer."
        )
    low, high = (number(end, signed=True) for end in points[1:])
    within = "" if math.isnan(points.low) else f"95 % interval {low} to {high}, "
    size, way = number(abs(points.value)), "lower" if points.value < 0 else "higher"
    compared = f"{size} points {way} than" if float(size) else "the same as"
    return (
        f"The {measure} of {treatment} is {compared} that of {baseline} "
        f"({within}{p_value(found.p, named=True)}; {found.pairs} paired samples)."
    )


def plain_model(model: str) -> str:
    """A model's name without provider, date, and words such as Instruct."""
    name = re.sub(r"20\d\d-?\d\d-?\d\d|-0125", "", model.rsplit("/", 1)[-1].lower())
    dropped = ("meta", "instruct", "chat", "turbo", "latest")
    return "".join(w for w in re.split(r"[^a-z0-9]+", name) if w not in dropped)


def csv_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with values and the ends of their intervals in columns of their own."""
    columns: dict[str, object] = {}
    for name in frame:
        cells = frame[name].tolist()
        if any(isinstance(cell, Measured) for cell in cells):
            ends = [c if isinstance(c, Measured) else Measured(math.nan) for c in cells]
            for place, suffix in enumerate(("", " low", " high")):
                columns[f"{name}{suffix}"] = [end[place] for end in ends]
        else:
            columns[str(name)] = cells
    return pd.DataFrame(columns)
