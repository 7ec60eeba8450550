"""Figures of distributions, in panels with common axes."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator
from numpy.typing import ArrayLike

from inspect_debate.analysis.reporting.drawing import (
    Array,
    grid,
    labelled,
    ticks,
    value_axis,
)
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT, Format
from inspect_debate.analysis.reporting.references import draw_upright
from inspect_debate.analysis.reporting.style import LOOKS, drawing


@drawing()
def histogram_panels(
    panels: Mapping[str, ArrayLike],
    edges: ArrayLike,
    *,
    label: str,
    x_label: str,
    format: Format = COUNT,
    references: Mapping[str, float] = MappingProxyType({}),
    places: Sequence[float] | None = None,
    columns: int = 4,
) -> Figure:
    """How values are distributed, as shares of a panel's values, in percent.

    Args:
        panels: By title, the values; NaN is left out.
        edges: Of the bins, rising; a bin holds its lower edge, the last one both.
        label: Of the axis of shares, with its unit.
        x_label: Of the axis of values, with its unit.
        format: Of the values.
        references: Upright dashed lines by name, in all panels.
        places: Values that are written on the x axis; None where the data decide.
        columns: How many panels stand side by side.
    """
    figure, all_axes = grid(
        list(panels), columns, panel=(2.0, 1.6), names=list(references)
    )
    handles: dict[str, Artist] = {}
    bounds = np.asarray(edges, dtype=float)
    for axes, values in zip(all_axes, panels.values(), strict=True):
        axes.bar(
            bounds[:-1] * format.scale,
            _shares(values, bounds) * PERCENT.scale,
            np.diff(bounds) * format.scale,
            align="edge",
            color=LOOKS[0].colour,
            edgecolor="white",
            linewidth=0.5,
        )
        handles |= draw_upright(axes, references, format)
    # The axes are shared: their range has to know all panels.
    for axes in all_axes:
        value_axis(axes, "", PERCENT, (0, None))
        axes.xaxis.set_major_formatter(ticks(format))
        if places is not None:
            axes.xaxis.set_major_locator(
                FixedLocator([place * format.scale for place in places])
            )
    return labelled(figure, handles, x_label=x_label, y_label=label)


def _shares(values: ArrayLike, bounds: Array) -> Array:
    """The share of the values in each bin; zeros where there are none."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    counts, _ = np.histogram(known, bounds)
    return np.asarray(counts / max(known.size, 1))
