"""What values are held against in a figure: lines, and marks of published values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from inspect_debate.analysis.reporting.formats import Format
from inspect_debate.analysis.reporting.style import INK, Look

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
