"""The judges of a panel and its debates in one picture."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import matplotlib.figure
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from inspect_debate.analysis.judges.matrix import Panel
from inspect_debate.analysis.judges.tables import by_number_right, right_counts
from inspect_debate.analysis.reporting.drawing import blank, legend
from inspect_debate.analysis.reporting.elements import Figure
from inspect_debate.analysis.reporting.figures import grouped_bars
from inspect_debate.analysis.reporting.prose import counted
from inspect_debate.analysis.reporting.style import (
    EMPTY,
    INK,
    LOOKS,
    MUTED,
    drawing,
    wrapped,
)

_HEIGHT = 0.86
_APART = 100
"""Up to how many debates are told apart by lines."""

_ROOM = 0.06
"""Share of the width that a word above a group of debates needs."""

_LOOKS = {
    "right": (LOOKS[0].colour, ""),
    "wrong": (LOOKS[1].colour, "///"),
    "no answer": (EMPTY, "..."),
    "not asked": ("white", "xxx"),
}
"""Colour and hatch of a cell, so that colour alone tells nothing apart."""


class _Stretch(NamedTuple):
    """Debates side by side with the same value."""

    value: str
    start: int
    length: int


def panel_figures(panel: Panel, title: str) -> Iterator[Figure]:
    """The matrix of a panel, and by how many judges debates were judged rightly.

    Args:
        panel: The panel.
        title: What readers call what it judged.

    Yields:
        Nothing for a single judge, or where nobody knows what is right.
    """
    known = panel.judgements["right"].notna().any()
    if len(panel.judges) < 2 or not known:
        return
    words = _in_words(panel)
    debates, judges = words.shape
    yield Figure(
        name=f"judge_map_{panel.number}",
        title=f"Judges and debates: {title}",
        figure=_matrix(words, panel.matrix().loc[words.index].sum(axis=1)),
        alt=f"A row for each of {judges} judges and a column for each of "
        f"{counted(debates, 'debate')}: right, wrong, no answer or not asked.",
        note="A column is a debate; those that most judges were right about stand at "
        "the left, between lines those that as many were right about. Judges that "
        "were right most often stand on top.",
    )
    counts = right_counts(panel)
    if counts.empty:
        return
    yield Figure(
        name=f"judges_right_{panel.number}",
        title=f"How many judges were right: {title}",
        figure=grouped_bars(
            counts.set_index("Judges right")[["Share", "If independent"]].rename(
                columns={"Share": "Debates"}
            ),
            label="debates (%)",
        ),
        alt="Bars of the share of debates by the number of judges that were right, "
        "beside what independent judges would come to.",
        note=f"Over the {counted(int(counts['Debates'].sum()), 'debate')} that all "
        "judges gave an answer to.",
    )


def _in_words(panel: Panel) -> pd.DataFrame:
    """What each judge made of each debate, a row per debate in the figure's order."""
    right = by_number_right(panel.matrix())
    asked = panel.matrix("status").loc[right.index].notna()
    words = asked.replace({True: "no answer", False: "not asked"})
    return words.mask(right == 1, "right").mask(right == 0, "wrong")


@drawing()
def _matrix(words: pd.DataFrame, right: "pd.Series[float]") -> matplotlib.figure.Figure:
    debates, judges = words.shape
    figure, axes = blank(width=7.4, height=1.5 + 0.36 * judges)
    for row, judge in enumerate(words):
        for value, start, length in _stretches(words[judge]):
            colour, hatch = _LOOKS[value]
            axes.broken_barh(
                [(start, length)],
                (row - _HEIGHT / 2, _HEIGHT),
                facecolor=colour,
                hatch=hatch,
                edgecolor=MUTED if hatch and colour in (EMPTY, "white") else "white",
                linewidth=0,
            )
    _divide(axes, right, judges)
    axes.set_yticks(range(judges), [wrapped(str(name), 32) for name in words])
    axes.set_xlim(0, debates)
    axes.set_ylim(judges - 0.5, -0.5)
    axes.set_xlabel("debates")
    axes.tick_params(axis="y", length=0)
    axes.spines[:].set_visible(False)
    found = [name for name in _LOOKS if (words == name).any(axis=None)]
    legend(figure, [_patch(name) for name in found], found)
    return figure


def _stretches(values: "pd.Series[Any]") -> Iterator[_Stretch]:
    start = 0
    for value, same in groupby(values):
        length = len(list(same))
        yield _Stretch(str(value), start, length)
        start += length


def _divide(axes: Axes, right: "pd.Series[float]", judges: int) -> None:
    """Lines between debates, and between those that other numbers were right about."""
    debates = len(right)
    if debates <= _APART:
        axes.vlines(range(1, debates), -0.5, judges - 0.5, color="white", linewidth=0.8)
    for number, start, length in _stretches(right.astype(int)):
        if start:
            axes.vlines(start, -0.5, judges - 0.5, color=INK, linewidth=1.2)
        if length > _ROOM * debates:
            middle = start + length / 2
            axes.text(middle, -0.55, f"{number} right", ha="center", va="bottom")


def _patch(name: str) -> Patch:
    colour, hatch = _LOOKS[name]
    edge = MUTED if hatch and colour in (EMPTY, "white") else "white"
    return Patch(facecolor=colour, hatch=hatch, edgecolor=edge, linewidth=0.5)
