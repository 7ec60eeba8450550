"""What the figures of `inspect_debate.analysis.reporting.figures` are drawn with."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from inspect_debate.analysis.reporting.formats import MISSING, Format, interval_text
from inspect_debate.analysis.reporting.style import INK, LOOKS, MUTED, wrapped

Array = NDArray[np.floating]
Limits = tuple[float | None, float | None]


class Ends(NamedTuple):
    """Ends of the intervals of a series, as shown."""

    low: Array
    high: Array


def blank(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure of a size in inches, known to no global state."""
    # At 72 dots per inch parts are placed as SVG and PDF will measure them.
    figure = Figure(figsize=(width, height), dpi=72, layout="constrained")
    return figure, figure.add_subplot()


def grid(
    titles: Sequence[str],
    columns: int,
    *,
    panel: tuple[float, float],
    margin: float = 0.6,
    names: Sequence[object] = (),
) -> tuple[Figure, list[Axes]]:
    """A figure of panels that share their axes.

    Args:
        titles: Of the panels, in rows from the left to the right.
        columns: How many stand side by side, at most.
        panel: The size of one in inches.
        margin: Room at the left for what the shared axes are called, in inches.
        names: Those that the legend above will have.
    """
    across = min(columns, len(titles))
    down = -(-len(titles) // across)
    width, height = panel
    # Not so narrow that a page would blow it up.
    whole = max(margin + across * width, 6.7)
    figure = Figure(
        figsize=(whole, 0.7 + _legend(names, whole).height + down * (height + 0.3)),
        dpi=72,
        layout="constrained",
    )
    places = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    used = list(places.flat)[: len(titles)]
    for axes in list(places.flat)[len(titles) :]:
        axes.remove()
    for axes in used[-across:]:  # where the panel below is none
        axes.tick_params(labelbottom=True)
    for axes, title in zip(used, titles, strict=True):
        axes.set_title(wrapped(title, int(width * 13)), fontsize="medium", loc="left")
    return figure, used


def scaled(values: "pd.Series[float]", format: Format) -> Array:
    """The numbers of a series, in the unit in which they are shown."""
    return values.to_numpy(dtype=float) * format.scale


def ends(
    low: pd.DataFrame | None, high: pd.DataFrame | None, name: str, format: Format
) -> Ends | None:
    """The intervals of one series."""
    if low is None or high is None:
        return None
    return Ends(scaled(low[name], format), scaled(high[name], format))


def draw_intervals(
    axes: Axes, places: Array, heights: Array, given: Ends | None, colour: str = INK
) -> None:
    """Upright intervals about the heights; none where an end is missing."""
    if given is None:
        return
    known = np.isfinite(heights) & np.isfinite(given.low) & np.isfinite(given.high)
    axes.errorbar(
        places[known],
        heights[known],
        # Rounding must not put an estimate outside its interval.
        yerr=np.maximum([heights - given.low, given.high - heights], 0)[:, known],
        fmt="none",
        ecolor=colour,
        elinewidth=1,
        capsize=2.5,
    )


def draw_missing(axes: Axes, places: Array, heights: Array) -> None:
    """A dash on the x axis where there is no value."""
    for place in places[~np.isfinite(heights)]:
        axes.text(
            place,
            0.01,
            MISSING,
            transform=axes.get_xaxis_transform(),
            ha="center",
            color=MUTED,
        )


def value_axis(axes: Axes, label: str, format: Format, limits: Limits) -> None:
    """The y axis: its label, its grid, its range in the unit of the values."""
    low, high = (None if end is None else end * format.scale for end in limits)
    axes.set_ylim(low, high)
    axes.set_ylabel(label, labelpad=6)
    axes.yaxis.set_major_formatter(ticks(format))
    axes.grid(axis="y")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def ticks(format: Format) -> FuncFormatter:
    """Short numbers for an axis that is already in the unit shown."""

    def text(value: float, _: int | None) -> str:
        number = f"{value:+g}" if format.signed and value else f"{value:g}"
        return number.replace("-", "−")

    return FuncFormatter(text)


def legend(figure: Figure, handles: Sequence[Artist], names: Sequence[object]) -> None:
    """What the series and lines are, above the axes."""
    made = _legend(names, figure.get_figwidth())
    figure.legend(
        handles,
        made.labels,
        loc="outside upper left",
        ncols=made.columns,
        handlelength=2.4,
    )


def labelled(
    figure: Figure, handles: Mapping[str, Artist], *, x_label: str, y_label: str = ""
) -> Figure:
    """What the axes that panels share are called, and what the series are by name."""
    names = list(handles)
    above = _legend(names, figure.get_figwidth()).height / figure.get_figheight()
    figure.supxlabel(x_label, fontsize="medium")
    figure.supylabel(y_label, y=(1 - above) / 2, fontsize="medium")
    if names:
        legend(figure, list(handles.values()), names)
    return figure


class _Legend(NamedTuple):
    """Names as they are wrapped, in how many columns, and their height in inches."""

    labels: list[str]
    columns: int
    height: float


def _legend(names: Sequence[object], width: float) -> _Legend:
    # Given one by one: names that start with "_" would be left out otherwise.
    labels = [wrapped(str(name), 28) for name in names]
    longest = max(
        (len(line) for label in labels for line in label.split("\n")), default=1
    )
    columns = max(1, min(len(labels), int(width * 72 / (6 * longest + 36))))
    rows = -(-len(labels) // columns)
    stacks = [
        labels[first : first + rows] for first in range(0, len(labels), rows or 1)
    ]
    lines = max((sum(1 + label.count("\n") for label in s) for s in stacks), default=0)
    return _Legend(labels, columns, 0.16 * lines + 0.06 * rows)


def colour_range(
    shown: Array, limits: Limits, centre: float | None, format: Format
) -> tuple[float, float]:
    """Numbers at the ends of the colours, both equally far from a centre."""
    known = shown[np.isfinite(shown)]
    data = (known.min(), known.max()) if known.size else (0.0, 1.0)
    low, high = (
        float(found) if end is None else end * format.scale
        for end, found in zip(limits, data, strict=True)
    )
    if centre is None:
        return low, high
    middle = centre * format.scale
    reach = max(abs(low - middle), abs(high - middle)) or 1.0
    return middle - reach, middle + reach


def annotate(axes: Axes, row: int, column: int, text: str, behind: Array) -> None:
    """The number of a cell, in whichever of ink and white is easier to read."""
    background = _luminance(behind)
    ink = _luminance(np.array(to_rgb(INK)))
    on_dark = 1.05 / (background + 0.05) > (background + 0.05) / (ink + 0.05)
    colour = "white" if on_dark else INK
    axes.text(column, row, text, ha="center", va="center", color=colour)


def _luminance(colour: Array) -> float:
    """Relative luminance of red, green and blue from 0 to 1 (WCAG 2)."""
    linear = np.where(
        colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4
    )
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def outline(axes: Axes, position: int) -> None:
    """A frame about a cell on the diagonal."""
    corner = (position - 0.47, position - 0.44)
    axes.add_patch(Rectangle(corner, 0.94, 0.88, fill=False, edgecolor=INK, lw=1.4))


def name_cells(axes: Axes, values: pd.DataFrame) -> None:
    """The names of the rows and columns of a matrix, the columns' above."""
    rows, columns = values.shape
    names = [wrapped(str(name), 11) for name in values.columns]
    axes.set_xticks(range(columns), names, fontsize=8)
    axes.set_yticks(range(rows), [wrapped(str(name), 24) for name in values.index])
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(_text(values.columns.name), labelpad=8)
    axes.set_ylabel(_text(values.index.name), labelpad=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    axes.tick_params(which="minor", length=0)
    axes.grid(which="minor", color="white", linewidth=2)


def _text(name: object) -> str:
    return "" if name is None else str(name)


def forest_lines(
    estimates: pd.DataFrame,
) -> Iterator[tuple[str, "pd.Series[float] | None"]]:
    """Name and numbers of each line; a group's heading has no numbers."""
    heading = None
    for position, key in enumerate(estimates.index):
        group, name = key if isinstance(key, tuple) else (None, key)
        if group != heading:
            heading = group
            yield str(group), None
        yield str(name), estimates.iloc[position]


def forest_row(
    axes: Axes, height: int, row: "pd.Series[float]", format: Format
) -> None:
    """One estimate with its interval, and both in numbers at the right."""
    low, estimate, high = (row[name] * format.scale for name in _FOREST)
    if np.isfinite([low, high]).all():
        axes.plot([low, high], [height, height], color=LOOKS[0].colour, linewidth=1.6)
    axes.plot([estimate], [height], marker="s", markersize=5.5, color=LOOKS[0].colour)
    texts = (format(row["estimate"]), interval_text(format, row["low"], row["high"]))
    axes.text(
        1.02,
        height,
        " ".join(filter(None, texts)),
        transform=axes.get_yaxis_transform(),
        va="center",
    )


_FOREST = ("low", "estimate", "high")
