"""The few kinds of figures that reports draw; legible in grey and on a phone."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.reports.report import Measured, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH = 4.8  # inches, at which text of 9.5 points is legible on a phone, too
_INK, _SOFT = "#1b1b1b", "#8a8a8a"
_STYLES = (
    *(("o", "-", _INK), ("s", "--", "#0b62a4"), ("^", ":", "#b3541e")),
    *(("D", "-.", "#555555"), ("v", "-", "#2f7d4f"), ("X", "--", "#7a4b94")),
)
_RC: Any = {
    "svg.fonttype": "none",  # text stays text
    "text.parse_math": False,  # names of models may hold dollar signs
    "svg.hashsalt": "inspect-debate",  # ids do not change between runs
    "font.size": 9.5,
    "text.color": _INK,
    "axes.edgecolor": _SOFT,
    "axes.labelcolor": _INK,
    "axes.titlesize": 9.5,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


class Panel(NamedTuple):
    """One of the columns of a dot plot.

    Attributes:
        title: What is measured.
        values: By row; rows without a value have no dot.
        line: Where a vertical line marks what to compare with.
    """

    title: str
    values: Mapping[str, Measured]
    line: float | None = None


def save(figure: "Figure", path: Path) -> None:
    """Write a figure as SVG, the same bytes whenever it is drawn."""
    import matplotlib

    with matplotlib.rc_context(_RC):
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def dots(
    rows: Sequence[str], panels: Sequence[Panel], hollow: Collection[str] = ()
) -> "Figure":
    """Dots with intervals: a row per name, a column per panel.

    Args:
        rows: Names of rows, from top to bottom.
        panels: What is measured.
        hollow: Rows with hollow dots, such as baselines.
    """
    labels = [fill(name, 24) for name in rows]
    height = 0.75 + sum(0.2 + 0.16 * (1 + label.count("\n")) for label in labels)
    with _figure(height) as figure:
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
    with _figure(0.8 + 0.42 * rows) as figure:
        ax = figure.subplots()
        cells = frame.to_numpy(dtype=float)
        low, high = np.nanmin(cells), np.nanmax(cells)
        # From light to medium grey, so that ink is legible on it.
        top = high + 1.2 * (high - low) + 1
        ax.imshow(cells, cmap="Greys", vmin=low, vmax=top, aspect="auto")
        for (row, column), value in np.ndenumerate(cells):
            text = number(float(value), digits)
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
    series: Mapping[str, Mapping[float, Measured]], x_label: str, y_label: str
) -> "Figure":
    """Lines with intervals: a line per name, over the keys of its values."""
    with _figure(3.4) as figure:
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
        ax.grid(color="#e4e4e4", linewidth=0.7)
        figure.legend(loc="outside upper left", frameon=False, ncols=1)
    return figure


@contextmanager
def _figure(height: float) -> "Iterator[Figure]":
    """An empty figure, and our style while it is drawn."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_RC):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        yield figure
        for ax in figure.axes:
            ax.spines[["top", "right"]].set_visible(False)
