"""Figures of several panels with common axes: small multiples.

Values come in natural units and are drawn as `format` shows them; a missing value or
interval is not drawn. A name has the same look in all panels.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter

from inspect_debate.v1.reports.drawing import (
    INK,
    LOOKS,
    PRINTED,
    Array,
    Limits,
    Look,
    draw_intervals,
    draw_missing,
    draw_references,
    draw_upright,
    drawing,
    ends,
    grid,
    hollow,
    labelled,
    look,
    scaled,
    ticks,
    value_axis,
    wrapped,
)
from inspect_debate.v1.reports.elements import NUMBER, PERCENT, Format, Series


@drawing()
def line_panels(
    panels: Mapping[str, Series],
    *,
    label: str,
    x_label: str,
    format: Format = NUMBER,
    references: Mapping[str, float] = MappingProxyType({}),
    printed: Mapping[str, pd.DataFrame] = MappingProxyType({}),
    places: Mapping[int, str] = MappingProxyType({}),
    limits: Limits = (None, None),
    columns: int = 4,
) -> Figure:
    """Lines with intervals over a number such as the round.

    Args:
        panels: By title; the index has the places on the x axis, whole numbers.
        label: Of the axis of values, with its unit.
        x_label: Of the x axis.
        format: Of the values.
        references: Dashed lines by name, in all panels.
        printed: By panel, values that others published, as hollow marks; the same
            columns and places as the panel's, or fewer.
        places: What places are called that are not called by their number.
        limits: Of the axis of values; None where the data decide.
        columns: How many panels stand side by side.
    """
    names = _union(panel.values.columns for panel in panels.values())
    shown = [*names, *references, *([PRINTED] if printed else [])]
    figure, all_axes = grid(list(panels), columns, panel=(2.3, 1.9), names=shown)
    handles: dict[str, Artist] = {}
    if printed:
        handles[PRINTED] = hollow(all_axes[0], [], [])
    for axes, (title, panel) in zip(all_axes, panels.items(), strict=True):
        for name in map(str, panel.values.columns):
            position = names.index(name)
            # Side by side, so that no interval hides another.
            shift = (position - (len(names) - 1) / 2) * 0.08
            handles[name] = _line(axes, panel, name, look(position), shift, format)
            if name in printed.get(title, ()):
                values = printed[title][name]
                there = values.index.to_numpy(dtype=float) + shift
                hollow(axes, there, scaled(values, format), look(position))
        lines = draw_references(axes, references, [], format)
        handles |= dict(zip(references, lines, strict=True))
    # The axes are shared: their range has to know all panels.
    for axes in all_axes:
        value_axis(axes, "", format, limits)
        _place_axis(axes, panels.values(), places)
    ordered = {name: handles[name] for name in shown}
    return labelled(figure, ordered, x_label=x_label, y_label=label)


def _place_axis(axes: Axes, panels: Iterable[Series], names: Mapping[int, str]) -> None:
    places = sorted({place for panel in panels for place in panel.values.index})
    axes.set_xlim(places[0] - 0.4, places[-1] + 0.4)
    axes.xaxis.set_major_locator(FixedLocator(places))
    axes.xaxis.set_major_formatter(
        FuncFormatter(lambda place, _: names.get(int(place), f"{place:g}"))
    )


def _union(names: Iterable[Iterable[object]]) -> list[str]:
    """All names of the panels, each once."""
    return list(dict.fromkeys(str(name) for of in names for name in of))


def _line(
    axes: Axes, panel: Series, name: str, looks: Look, shift: float, format: Format
) -> Artist:
    places = panel.values.index.to_numpy(dtype=float) + shift
    heights = scaled(panel.values[name], format)
    known = np.isfinite(heights)
    (line,) = axes.plot(
        places[known],
        heights[known],
        color=looks.colour,
        linestyle=looks.line,
        marker=looks.marker,
        markersize=4,
        linewidth=1.4,
    )
    intervals = ends(panel.low, panel.high, name, format)
    draw_intervals(axes, places, heights, intervals, looks.colour)
    return line


@drawing()
def interval_panels(
    panels: Mapping[str, pd.DataFrame],
    *,
    label: str,
    format: Format = NUMBER,
    references: Mapping[str, float] = MappingProxyType({}),
    limits: Limits = (None, None),
    columns: int = 4,
) -> Figure:
    """Estimates with intervals, one below the other, the same rows in all panels.

    Args:
        panels: By title; columns `estimate`, `low` and `high`, and perhaps `printed`,
            which others published, as hollow marks; the index has the rows.
        label: Of the axis of values, with its unit.
        format: Of the values.
        references: Upright dashed lines by name, in all panels.
        limits: Of the axis of values; None where the data decide.
        columns: How many panels stand side by side.
    """
    names = _union(panel.index for panel in panels.values())
    labels = [wrapped(name, 38) for name in names]
    lines = max((1 + label.count("\n") for label in labels), default=1)
    height = 0.35 + (0.1 + 0.14 * lines) * len(names)
    printed = any("printed" in panel for panel in panels.values())
    shown = [*([PRINTED] if printed else []), *references]
    figure, all_axes = grid(
        list(panels), columns, panel=(2.1, height), margin=1.9, names=shown
    )
    handles: dict[str, Artist] = {}
    if printed:
        handles[PRINTED] = hollow(all_axes[0], [], [])
    for axes, panel in zip(all_axes, panels.values(), strict=True):
        places = np.array([names.index(name) for name in panel.index], dtype=float)
        _rows(axes, panel, places, format)
        handles |= draw_upright(axes, references, format)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_yticks(range(len(names)), labels)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.xaxis.set_major_formatter(ticks(format))
        axes.grid(axis="both")
    low, high = (None if end is None else end * format.scale for end in limits)
    for axes in all_axes:
        axes.set_xlim(low, high)
    ordered = {name: handles[name] for name in shown}
    return labelled(figure, ordered, x_label=label)


def _rows(axes: Axes, panel: pd.DataFrame, places: Array, format: Format) -> None:
    colour = LOOKS[0].colour
    low, high = (scaled(panel[end], format) for end in ("low", "high"))
    known = np.isfinite(low) & np.isfinite(high)
    axes.hlines(places[known], low[known], high[known], color=colour, linewidth=1.4)
    estimates = scaled(panel["estimate"], format)
    axes.plot(estimates, places, color=colour, marker="s", markersize=4, linestyle="")
    if "printed" in panel:
        hollow(axes, scaled(panel["printed"], format), places)


# Grouped bars.

_GROUP = 0.84
"""Width of a group of bars; the middles of two groups are 1 apart."""


@drawing()
def bar_panels(
    panels: Mapping[str, Series],
    *,
    label: str,
    format: Format = PERCENT,
    references: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
    printed: Mapping[str, pd.DataFrame] = MappingProxyType({}),
    limits: Limits = (0, None),
    columns: int = 2,
) -> Figure:
    """Bars with intervals, side by side in groups.

    Args:
        panels: By title; a row per group of bars, the same in all, and a column per
            bar in it. A missing value is drawn as a dash, 0 as a flat mark.
        label: Of the axis of values, with its unit.
        format: Of the values.
        references: Dashed lines: by name, by panel; panels without one have no line.
        printed: By panel, values that others published, as hollow marks; some of the
            panel's rows and columns.
        limits: Of the axis of values; None where the data decide.
        columns: How many panels stand side by side.
    """
    groups = list(map(str, next(iter(panels.values())).values.index))
    bars = _union(panel.values.columns for panel in panels.values())
    drawn = [title for title in panels if title in printed]
    shown = [*bars, *references, *([PRINTED] if drawn else [])]
    width = max(2.9, 0.2 * len(bars) * len(groups) + 0.4)
    across = max(1, min(columns, int(10.5 / width)))
    figure, all_axes = grid(list(panels), across, panel=(width, 2.3), names=shown)
    handles: dict[str, Artist] = {}
    for axes, (title, panel) in zip(all_axes, panels.items(), strict=True):
        handles |= _bars(axes, panel, bars, format)
        for name, values in references.items():
            if np.isfinite(height := values.get(title, np.nan) * format.scale):
                handles[name] = axes.axhline(
                    height, color=INK, linewidth=1.2, linestyle="--"
                )
        if title in drawn:
            placed = printed[title].reindex(groups, columns=bars)
            x = [_bar_places(name, bars, len(groups)) for name in bars]
            y = [scaled(placed[name], format) for name in bars]
            handles[PRINTED] = hollow(axes, np.concatenate(x), np.concatenate(y))
    for axes in all_axes:
        axes.set_xticks(range(len(groups)), [wrapped(name, 14) for name in groups])
        axes.tick_params(axis="x", length=0)
        axes.set_xlim(-0.5, len(groups) - 0.5)
        value_axis(axes, "", format, limits)
    ordered = {name: handles[name] for name in shown if name in handles}
    return labelled(figure, ordered, x_label="", y_label=label)


def _bars(
    axes: Axes, panel: Series, names: list[str], format: Format
) -> dict[str, Artist]:
    handles: dict[str, Artist] = {}
    values, low, high = (frame.reindex(columns=names) for frame in panel)
    for position, name in enumerate(names):
        looks = look(position)
        places = _bar_places(name, names, len(values))
        heights = scaled(values[name], format)
        bars = axes.bar(
            places,
            heights,
            _GROUP / len(names) * 0.92,
            color=looks.colour,
            hatch=looks.hatch,
            edgecolor="white",
            linewidth=0,
        )
        handles[name] = bars.patches[0]
        draw_intervals(axes, places, heights, ends(low, high, name, format))
        draw_missing(axes, places, heights)
        _draw_zeros(axes, places, heights, looks.colour)
    return handles


def _draw_zeros(axes: Axes, places: Array, heights: Array, colour: str) -> None:
    zeros = places[heights == 0]
    if not zeros.size:
        return  # a mark without a place would be laid out at the figure's corner
    axes.plot(
        zeros,
        np.zeros_like(zeros),
        linestyle="none",
        marker="_",
        markersize=9,
        markeredgewidth=3,
        color=colour,
        clip_on=False,
        zorder=3,
    )


def _bar_places(name: str, names: list[str], groups: int) -> Array:
    position = names.index(name) - (len(names) - 1) / 2
    return np.arange(groups) + position * _GROUP / len(names)
