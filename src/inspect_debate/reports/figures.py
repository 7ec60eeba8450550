"""Figures, legible in grey and on a phone, and the table of paired differences."""

import math
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.paired import PairedDifference
from inspect_debate.reports import report, stats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH = 4.8  # inches, at which text of 9.5 points is legible on a phone, too
_INK, _SOFT = report.INK, report.SOFT
_STYLES = (
    *(("o", "-", _INK), ("s", "--", "#0b62a4"), ("^", ":", "#b3541e")),
    *(("D", "-.", "#555555"), ("v", "-", "#2f7d4f"), ("X", "--", "#7a4b94")),
)


class Panel(NamedTuple):
    """A column of a dot plot: values by row, and a line that marks what to compare."""

    title: str
    values: Mapping[str, stats.Measured]
    line: float | None = None


def compared(
    name: str,
    title: str,
    panel: Panel,
    gains: Mapping[str, stats.Measured],
    filled: Collection[str],
    note: str,
) -> report.Figure:
    """A figure of values and of paired differences, if any, by condition."""
    panels = [panel, *([Panel("Difference (points)", gains, 0.0)] if gains else [])]
    draw = partial(dots, [*panel.values], panels, {*panel.values} - {*filled})
    return report.Figure(name, title, draw, note)


def paired_table(
    pairs: Mapping[tuple[str, str], Mapping[str, PairedDifference]],
) -> report.Table:
    """Differences by treatment and baseline, and by what is compared."""
    rows = []
    for (treatment, baseline), found in pairs.items():
        row: dict[str, object] = {"Treatment": treatment, "Baseline": baseline}
        for title, one in found.items():
            row |= {"Pairs": one.pairs} if "Pairs" not in row else {}
            row |= {title: stats.percent(one)}
            row |= {f"p ({title})" if len(found) > 1 else "p": one.p}
        rows.append(row)
    title = "Paired differences, treatment minus baseline"
    note = (
        "Percentage points with 95 % intervals, clustered by question, on samples on "
        "which both have an outcome. p-values are two-sided, not corrected for the "
        "number of rows."
    )
    frame = pd.DataFrame(rows)
    return report.Table("paired", title, frame, note, signed=True, group="Treatment")


def dots(
    rows: Sequence[str], panels: Sequence[Panel], hollow: Collection[str] = ()
) -> "Figure":
    """Dots with intervals: a row per name, a column per panel."""
    labels = [fill(name, 24) for name in rows]
    height = 0.75 + sum(0.2 + 0.16 * (1 + label.count("\n")) for label in labels)
    figure = _figure(height)
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for panel, ax in zip(panels, axes, strict=True):
        for place, name in enumerate(rows):
            if name in panel.values:
                value, *ends = panel.values[name]
                ax.plot(ends, [place, place], color=_INK, linewidth=1.4)
                face = "white" if name in hollow else _INK
                ax.plot(value, place, "o", color=_INK, markerfacecolor=face)
        if panel.line is not None:
            ax.axvline(panel.line, color=_SOFT, ls="--", lw=1, zorder=0)
        ax.set_title(panel.title)
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="x", color="#e4e4e4", linewidth=0.7)
        ax.set_axisbelow(True)
        ax.margins(x=0.08)
        ax.locator_params(axis="x", nbins=5 if len(panels) < 3 else 4)
    axes[0].set_yticks(range(len(rows)), labels)
    axes[0].set_ylim(len(rows) - 0.4, -0.6)
    return figure


def matrix(frame: pd.DataFrame, digits: int = 0) -> "Figure":
    """A heat map with its values in the cells."""
    rows, columns = frame.shape
    figure = _figure(0.8 + 0.42 * rows)
    ax = figure.subplots()
    cells = frame.to_numpy(dtype=float)
    known = cells[~np.isnan(cells)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 0.0)
    # From light to medium grey, so that ink is legible on it.
    top = high + 1.2 * (high - low) + 1
    ax.imshow(cells, cmap="Greys", vmin=low, vmax=top, aspect="auto")
    for (row, column), value in np.ndenumerate(cells):
        text = stats.number(float(value), digits)
        ax.text(column, row, text, ha="center", va="center")
    names = [fill(str(name), 14) for name in frame.columns]
    ax.set_xticks(range(columns), names, rotation=0 if columns < 4 else 90)
    ax.set_yticks(range(rows), [fill(str(name), 22) for name in frame.index])
    ax.set_xlabel("" if frame.columns.name is None else str(frame.columns.name))
    ax.set_ylabel("" if frame.index.name is None else str(frame.index.name))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure


def lines(
    series: Mapping[str, Mapping[float, stats.Measured]],
    x_label: str,
    y_label: str,
    level: float = math.nan,
) -> "Figure":
    """Lines with intervals: a line per name, over the keys of its values."""
    figure = _figure(3.4)
    ax = figure.subplots()
    for place, (name, values) in enumerate(series.items()):
        marker, line, color = _STYLES[place % len(_STYLES)]
        xs = sorted(values)
        ys = [values[x].value for x in xs]
        ax.plot(xs, ys, marker=marker, linestyle=line, color=color, label=name)
        for x in xs:
            ax.plot([x, x], values[x][1:], color=color, linewidth=0.9)
    places = sorted({place for values in series.values() for place in values})
    ax.set_xticks(places, [f"{place:g}" for place in places])
    ax.set(xlabel=x_label, ylabel=y_label)
    ax.axhline(level, color=_SOFT, ls="--", lw=1)
    ax.grid(color="#e4e4e4", linewidth=0.7)
    figure.legend(loc="outside upper left", frameon=False, ncols=1)
    return figure


def _figure(height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(_WIDTH, height))
