"""What the figures of `inspect_debate.v1.reports.figures` are drawn with."""

import io
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib
import matplotlib.figure
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter
from numpy.typing import ArrayLike, NDArray

from inspect_debate.v1.reports.elements import (
    MISSING,
    Format,
    interval_text,
)

# How figures look, and how they become files.

if TYPE_CHECKING:  # not there before matplotlib 3.11
    from matplotlib.typing import RcKeyType

INK = "#1f2328"
MUTED = "#6a737d"
RULE = "#d8dee4"


class Look(NamedTuple):
    """How a series is told from the others, in colour and in grey."""

    colour: str
    hatch: str
    marker: str
    line: str


LOOKS = (
    Look("#0072B2", "", "o", "-"),
    Look("#E69F00", "///", "s", "--"),
    Look("#009E73", "...", "^", "-."),
    Look("#CC79A7", "xxx", "D", ":"),
    Look("#56B4E9", "\\\\\\", "v", "-"),
    Look("#D55E00", "---", "P", "--"),
    Look("#F0E442", "+++", "X", "-."),
    Look("#666666", "ooo", "*", ":"),
)
"""Okabe and Ito's colours (2008), which the colour-blind can tell apart, and a grey.

Light greys are not to be told from the reddish purple by those who see no green.
"""

_SETTINGS: "dict[RcKeyType, Any]" = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    # Room at the sides, as a reader's font may be wider than the one measured.
    "figure.constrained_layout.w_pad": 0.12,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "inspect-debate",
    "pdf.fonttype": 42,
}


@contextmanager
def drawing() -> Iterator[None]:
    """The settings under which figures are drawn and saved."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def look(position: int) -> Look:
    """The look of a series by its position; colours and marks come round apart.

    After eight series the colours start again with the next hatch, marker and line.
    """
    turn, place = divmod(position, len(LOOKS))
    other = LOOKS[(place + turn) % len(LOOKS)]
    return other._replace(colour=LOOKS[place].colour)


def wrapped(name: str, width: int) -> str:
    """A name in lines of about `width` characters, nothing of it left out.

    It breaks at spaces and after the signs that join the parts of a model's name.
    """
    parts = re.findall(r"[^\s/_:@-]+[/_:@-]*\s*|[\s/_:@-]+", name)
    lines = [""]
    for part in parts:
        if lines[-1] and len((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
    long = (textwrap.wrap(line.strip(), width + width // 3) for line in lines)
    return "\n".join(piece for pieces in long for piece in pieces)


def svg_text(figure: matplotlib.figure.Figure) -> str:
    """A figure as SVG: no date, no reference to a host, text as text."""
    saved = _saved(
        figure, "svg", {"Date": None, "Creator": None, "Format": None, "Type": None}
    ).decode()
    return saved[saved.index("<svg") :]


def inline_svg(svg: str, name: str) -> str:
    """An SVG for use in a page, its identifiers made the figure's own by its name."""
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return svg.replace("<svg ", '<svg aria-hidden="true" ', 1)


def _saved(
    figure: matplotlib.figure.Figure, format: str, metadata: Mapping[str, None]
) -> bytes:
    buffer = io.BytesIO()
    with drawing():
        if (layout := figure.get_layout_engine()) is not None:
            # Every further drawing would move the parts again by a little.
            layout.execute(figure)
            figure.set_layout_engine(None)
        figure.savefig(buffer, format=format, metadata=dict(metadata))
    return buffer.getvalue()


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
    room = int((whole - margin) / across * 13)
    for axes, title in zip(used, titles, strict=True):
        axes.set_title(wrapped(title, room), fontsize="medium", loc="left")
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


# What values are held against in a figure: lines, and marks of published values.

PRINTED = "published"
"""What hollow marks are, in a legend."""

_LINES = ("--", ":", "-.")


def draw_references(
    axes: Axes,
    references: Mapping[str, float | Mapping[str, float]],
    groups: Sequence[str],
    format: Format,
) -> list[Artist]:
    """Dashed lines over all groups, or a piece of one over each group."""
    drawn: list[Artist] = []
    for position, values in enumerate(references.values()):
        style: dict[str, Any] = {
            "color": INK,
            "linewidth": 1.2,
            "linestyle": _LINES[position % len(_LINES)],
        }
        if isinstance(values, int | float):
            drawn.append(axes.axhline(values * format.scale, **style))
            continue
        heights = [values[group] * format.scale for group in groups]
        middles = np.arange(len(groups))
        drawn.append(axes.hlines(heights, middles - 0.46, middles + 0.46, **style))
    return drawn


def draw_upright(
    axes: Axes, references: Mapping[str, float], format: Format
) -> dict[str, Artist]:
    """Upright dashed lines at values of the x axis, by name."""
    return {
        name: axes.axvline(
            value * format.scale,
            color=INK,
            linewidth=1,
            linestyle=_LINES[place % len(_LINES)],
        )
        for place, (name, value) in enumerate(references.items())
    }


def hollow(axes: Axes, x: ArrayLike, y: ArrayLike, looks: Look | None = None) -> Line2D:
    """Marks of values that others published, in the look of a series or in ink."""
    (line,) = axes.plot(
        x,
        y,
        color=looks.colour if looks else INK,
        marker=looks.marker if looks else "o",
        markersize=7,
        markerfacecolor="none",
        linestyle="",
    )
    return line


# Figures of pairs of numbers from 0 to 100, in panels with common axes.

_WHOLE = 100.0

_CALIBRATED = "calibrated"


@drawing()
def reliability(
    panels: Mapping[str, pd.DataFrame],
    *,
    x_label: str,
    y_label: str,
    columns: int = 4,
) -> Figure:
    """Shares of what came true over the probabilities that were stated, in percent.

    Args:
        panels: By title; columns `stated`, `share`, `low`, `high`, and `n`, to which
            areas are proportional.
        x_label: Of the x axis.
        y_label: Of the y axis.
        columns: How many panels stand side by side.
    """
    figure, all_axes = grid(
        list(panels), columns, panel=(2.3, 2.0), names=[_CALIBRATED]
    )
    handles: dict[str, Artist] = {}
    for axes, panel in zip(all_axes, panels.values(), strict=True):
        (handles[_CALIBRATED],) = axes.plot(
            [0, _WHOLE], [0, _WHOLE], color=INK, linewidth=1, linestyle="--"
        )
        stated, share, low, high, n = (
            panel[name].to_numpy(dtype=float)
            for name in ("stated", "share", "low", "high", "n")
        )
        draw_intervals(axes, stated, share, Ends(low, high), MUTED)
        largest = max(n.max(), 1.0) if n.size else 1.0
        _dots(axes, stated, share, 20 + 160 * n / largest)
    return labelled(figure, handles, x_label=x_label, y_label=y_label)


def _dots(axes: Axes, x: ArrayLike, y: ArrayLike, areas: ArrayLike) -> None:
    axes.scatter(
        x,
        y,
        s=areas,
        color=LOOKS[0].colour,
        alpha=0.8,
        edgecolors="white",
        linewidths=0.5,
        zorder=3,
    )
    _square(axes)


def _square(axes: Axes) -> None:
    """Both axes from 0 to 100, with room for what lies at the ends."""
    axes.set_xlim(-4, _WHOLE + 4)
    axes.set_ylim(-4, _WHOLE + 4)
    axes.set_aspect("equal", anchor="W")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(np.arange(0, _WHOLE + 1, 25))
    axes.grid(axis="both")
