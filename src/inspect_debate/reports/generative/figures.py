"""The study's bar charts: accuracy, false verdicts, regimes and tiers by format."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from inspect_debate.metrics.tiers import TIERS
from inspect_debate.published.printed import PublishedClaim, generative_claims
from inspect_debate.reports.drawing import (
    INK,
    LOOKS,
    PRINTED,
    REST,
    Array,
    Limits,
    Look,
    draw_intervals,
    draw_missing,
    drawing,
    ends,
    grid,
    hollow,
    labelled,
    scaled,
    value_axis,
    wrapped,
)
from inspect_debate.reports.elements import PERCENT, Figure, Format, counted
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.generative.difficulty import TIER
from inspect_debate.reports.generative.frames import Cell
from inspect_debate.reports.generative.study import KINDS, REGIMES, family_key, of_study
from inspect_debate.reports.generative.tables import (
    Rows,
    by_heading,
    fpr,
    heading,
    rows_of,
    share,
    verdicts_of,
)
from inspect_debate.reports.panels import Series

FLOOR = "Direct QA (judge alone)"
"""What the dashed line is."""

_SPOKEN = {"debate": "Debate", "consultancy": "Consultancy", "none": "No transcript"}
_COLOURS = (LOOKS[0].colour, LOOKS[1].colour, REST)
"""By way of speaking; pale where nothing is said, so that greys differ in print."""
_HATCHES = ("", "///", "...", "xxx", "---", "+++", "ooo")

_T = TypeVar("_T")

Groups = Mapping[str, Estimate]
"""The bars of one format, by the group in which each stands."""


class _Chart(NamedTuple):
    """A chart.

    Attributes:
        name: Of the figure.
        title: What it shows.
        groups: What it shows of a format.
        note: What stands below it.
        measure: That of the published claims which are drawn, too.
        of_group: The end of the name of the group of bars that they are about.
        floor: Whether direct QA is drawn as a line.
    """

    name: str
    title: str
    groups: Callable[[Rows], Groups]
    note: str
    measure: str = ""
    of_group: str = ""
    floor: bool = False


def figure_items(items: pd.DataFrame) -> list[Figure | None]:
    """Verdict accuracy, FPR, FNR, and accuracy by regime and by tier, by format.

    Args:
        items: As from `items_of` and `tiered`.

    Returns:
        The figures, in this order; None for one of which nothing is known.
    """
    return [_figure(chart, items) for chart in _CHARTS]


def bar_of(cell: Cell) -> str:
    """What a format's bar is called among those with as many answers."""
    chosen = f"best of {cell.best_of}" if cell.best_of > 1 else ""
    return ", ".join(filter(None, (_SPOKEN[cell.interaction], chosen, cell.variant)))


def looks_of(cells: Iterable[Cell]) -> dict[str, Look]:
    """A colour for each way of speaking, and hatches for what else differs.

    Args:
        cells: All formats that are shown.

    Returns:
        Looks by `bar_of`, in the order in which bars stand.
    """
    looks: dict[str, Look] = {}
    for way, colour in zip(_SPOKEN, _COLOURS, strict=True):
        of_way = {cell for cell in cells if cell.interaction == way}
        in_order = sorted(of_way, key=lambda cell: (cell.variant, cell.best_of))
        names = dict.fromkeys(map(bar_of, in_order))
        for place, name in enumerate(names):
            hatch = _HATCHES[place % len(_HATCHES)]
            looks[name] = LOOKS[0]._replace(colour=colour, hatch=hatch)
    return looks


def _figure(chart: _Chart, items: pd.DataFrame) -> Figure | None:
    formats = list(rows_of(verdicts_of(items)))
    drawn: dict[str, dict[str, Groups]] = {}
    for of in formats:
        bars = drawn.setdefault(heading(of.cell), {})
        name = bar_of(of.cell)
        bars[name] = {**bars.get(name, {}), **chart.groups(of)}
    known = {group for bars in drawn.values() for of in bars.values() for group in of}
    groups = [group for group in _GROUPS if group in known]
    panels = {
        title: series
        for title, bars in drawn.items()
        if (series := _series(bars, groups)).values.notna().to_numpy().any()
    }
    if not panels:
        return None
    floor = _floor(items) if chart.floor else {}
    printed = _printed(chart, [of.cell for of in formats], groups)
    titles = _titles(formats)
    looks = looks_of([of.cell for of in formats])
    return Figure(
        name=chart.name,
        title=chart.title,
        figure=bar_panels(
            _renamed(panels, titles),
            looks,
            label=f"{_LABELS.get(chart.name, 'verdict accuracy')} (%)",
            floors={FLOOR: _renamed(floor, titles)} if floor else {},
            printed=_renamed(printed, titles),
            limits=(0, 1.02),
        ),
        alt=f"{chart.title}, a panel for each of: {'; '.join(panels)}. Bars: "
        f"{'; '.join(looks)}.",
        note=f"{chart.note} Lines on bars are 95 % intervals, clustered by question; "
        "a flat mark is a value of 0, a dash none."
        f"{_HOLLOW if printed else ''}",
    )


def _titles(formats: Iterable[Rows]) -> dict[str, str]:
    """By family and data the title of their panel, with the number of questions."""
    return {
        title: f"{title} ({counted(len(questions), 'question')})"
        for title, rows in by_heading(formats).items()
        if (questions := {name for of in rows for name in of.items["question_id"]})
    }


def _renamed(found: Mapping[str, _T], titles: Mapping[str, str]) -> dict[str, _T]:
    return {titles[name]: of for name, of in found.items() if name in titles}


def _series(bars: Mapping[str, Groups], groups: list[str]) -> Series:
    nothing = Estimate(*[np.nan] * 3)
    values, low, high = (
        pd.DataFrame(
            {
                name: [of.get(group, nothing)[end] for group in groups]
                for name, of in bars.items()
            },
            groups,
        )
        for end in range(3)
    )
    return Series(values, low, high)


def _floor(items: pd.DataFrame) -> dict[str, float]:
    """Accuracy of the judge's own answers by family and data."""
    floors: dict[str, float] = {}
    for of in rows_of(items):
        if of.cell.proposers == 0:
            floors.setdefault(heading(of.cell), of.items["answer_right"].mean())
    return floors


def _printed(
    chart: _Chart, cells: Iterable[Cell], groups: list[str]
) -> dict[str, pd.DataFrame]:
    """Published values of the formats that are drawn, as their bars stand."""
    found: dict[str, pd.DataFrame] = {}
    for claim in generative_claims().claims:
        for cell in cells if chart.measure and claim.measure == chart.measure else ():
            if _is_about(claim, cell):
                panel = found.setdefault(heading(cell), pd.DataFrame(index=groups))
                group = f"{KINDS[cell.proposers].capitalize()}{chart.of_group}"
                value = float(claim.printed.removesuffix("%")) / 100
                panel.loc[group, bar_of(cell)] = value
    return found


def _is_about(claim: PublishedClaim, cell: Cell) -> bool:
    """Whether a claim names a format, as it is in the study, of its models and data."""
    return (
        claim.dataset == cell.dataset
        and of_study(cell.dataset, cell.version)
        and claim.family == family_key(cell.family)
        and claim.proposers == cell.proposers
        and claim.interaction == cell.interaction
        and claim.best_of == cell.best_of
        and not cell.variant
    )


def _kind(of: Rows) -> str:
    return KINDS[of.cell.proposers].capitalize()


def _accuracies(of: Rows) -> Groups:
    return {_kind(of): of.share("verdict_correct")}


def _false_positives(of: Rows) -> Groups:
    return {_kind(of): fpr(of.items)}


def _false_negatives(of: Rows) -> Groups:
    return {_kind(of): of.ratio("fn", "n_right")}


def _regimes(of: Rows) -> Groups:
    return {
        _regime(of.cell.proposers, name): _accuracy(of.items[of.items["regime"] == n])
        for name, n in REGIMES[of.cell.proposers].items()
    }


def _regime(proposers: int, name: str) -> str:
    return f"{KINDS[proposers].capitalize()}: {name.lower()}"


def _tiers(of: Rows) -> Groups:
    return {
        f"{_kind(of)}: {tier}": _accuracy(of.items[of.items[TIER] == tier])
        for tier in TIERS
    }


def _accuracy(items: pd.DataFrame) -> Estimate:
    return share(items, items["verdict_correct"])


_KINDS = [kind.capitalize() for kind in KINDS.values()]
_GROUPS = [
    *_KINDS,
    *(_regime(n, name) for n, of in REGIMES.items() for name in [*of][::-1]),
    *(f"{kind}: {tier}" for kind in _KINDS for tier in TIERS),
]
"""All groups of bars, in the order in which they stand."""
_LABELS = {
    "figure_fpr": "wrong answers endorsed",
    "figure_fnr": "right answers rejected",
}
"""Axes of figures that are not of verdict accuracy."""
_HOLLOW = " Hollow marks are the study's."
_CHARTS = (
    _Chart(
        "figure_accuracy",
        "Verdict accuracy by format",
        _accuracies,
        "Of the verdicts that could be read; a dual one is right only if it is right "
        "about both answers. Direct QA has no verdict: the line is the accuracy of "
        "what the judge answers alone, which the study draws as the floor.",
        measure="accuracy",
        floor=True,
    ),
    _Chart(
        "figure_fpr",
        "False positive rate by format",
        _false_positives,
        "Of the wrong answers put to the judge the share that it calls correct.",
        measure="fpr",
    ),
    _Chart(
        "figure_fnr",
        "False negative rate by format",
        _false_negatives,
        "Of the right answers put to the judge the share that it calls incorrect.",
    ),
    _Chart(
        "figure_regimes",
        "Verdict accuracy where no, one or every answer is right",
        _regimes,
        "All: of two answers both, or the one. Contested: one of two is right. What is "
        "true of the answers does not depend on the verdict.",
        measure="all_wrong",
        of_group=": all wrong",
    ),
    _Chart(
        "figure_tiers",
        "Verdict accuracy by difficulty",
        _tiers,
        "Difficulty follows from the answers in all logs, as the table of tiers says. "
        "Formats may have other samples than each other here; the table pairs them.",
    ),
)


# Grouped bars in panels: a panel per family and data set, a bar per format.

_GROUP = 0.84
"""Width of a group of bars, of the 1 between the middles of two."""


@drawing()
def bar_panels(
    panels: Mapping[str, Series],
    looks: Mapping[str, Look],
    *,
    label: str,
    format: Format = PERCENT,
    floors: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
    printed: Mapping[str, pd.DataFrame] = MappingProxyType({}),
    limits: Limits = (0, None),
    columns: int = 2,
) -> Canvas:
    """Bars with intervals, side by side in groups.

    Args:
        panels: By title; a row per group of bars, the same in all, and a column per
            bar in it. A missing value is drawn as a dash, 0 as a flat mark.
        looks: Of the bars, by column, in the order in which they stand.
        label: Of the axis of values, with its unit.
        format: Of the values.
        floors: Values to hold the bars against, as dashed lines: by name, by panel;
            panels without one have no line.
        printed: By panel, values that others published, as hollow marks; some of the
            panel's rows and columns.
        limits: Of the axis of values; None where the data decide.
        columns: How many panels stand side by side.
    """
    groups = list(map(str, next(iter(panels.values())).values.index))
    shown = [*looks, *floors, *([PRINTED] if printed else [])]
    width = max(2.9, 0.2 * len(looks) * len(groups) + 0.4)
    across = max(1, min(columns, int(10.5 / width)))
    figure, all_axes = grid(list(panels), across, panel=(width, 2.3), names=shown)
    handles: dict[str, Artist] = {}
    for axes, (title, panel) in zip(all_axes, panels.items(), strict=True):
        handles |= _bars(axes, panel, groups, looks, format)
        handles |= _floors(axes, title, floors, format)
        if title in printed:
            handles[PRINTED] = _hollow(axes, printed[title], groups, looks, format)
    for axes in all_axes:
        axes.set_xticks(range(len(groups)), [wrapped(name, 14) for name in groups])
        axes.tick_params(axis="x", length=0)
        axes.set_xlim(-0.5, len(groups) - 0.5)
        value_axis(axes, "", format, limits)
    ordered = {name: handles[name] for name in shown if name in handles}
    return labelled(figure, ordered, x_label="", y_label=label)


def _bars(
    axes: Axes,
    panel: Series,
    groups: list[str],
    looks: Mapping[str, Look],
    format: Format,
) -> dict[str, Artist]:
    handles: dict[str, Artist] = {}
    values, low, high = (frame.reindex(columns=list(looks)) for frame in panel)
    for name, look in looks.items():
        places = _places(name, groups, looks)
        heights = scaled(values[name], format)
        bars = axes.bar(
            places,
            heights,
            _GROUP / len(looks) * 0.92,
            color=look.colour,
            hatch=look.hatch,
            edgecolor="white",
            linewidth=0,
        )
        handles[name] = bars.patches[0]
        draw_intervals(axes, places, heights, ends(low, high, name, format))
        draw_missing(axes, places, heights)
        _draw_zeros(axes, places, heights, look.colour)
    return handles


def _draw_zeros(axes: Axes, places: Array, heights: Array, colour: str) -> None:
    """A flat mark in the colour of the bar where it has no height."""
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


def _floors(
    axes: Axes,
    title: str,
    floors: Mapping[str, Mapping[str, float]],
    format: Format,
) -> dict[str, Artist]:
    return {
        name: axes.axhline(
            values[title] * format.scale, color=INK, linewidth=1.2, linestyle="--"
        )
        for name, values in floors.items()
        if np.isfinite(values.get(title, np.nan))
    }


def _hollow(
    axes: Axes,
    values: pd.DataFrame,
    groups: list[str],
    looks: Mapping[str, Look],
    format: Format,
) -> Artist:
    placed = values.reindex(groups, columns=list(looks))
    x = [_places(name, groups, looks) for name in looks]
    y = [scaled(placed[name], format) for name in looks]
    return hollow(axes, np.concatenate(x), np.concatenate(y))


def _places(name: str, groups: list[str], looks: Mapping[str, Look]) -> Array:
    """Where a bar stands in every group."""
    position = list(looks).index(name) - (len(looks) - 1) / 2
    return np.arange(len(groups)) + position * _GROUP / len(looks)
