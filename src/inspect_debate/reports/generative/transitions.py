"""What speeches do to verdicts: every format against that without a transcript."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path

from inspect_debate.metrics.transitions import (
    Transitions,
    transition_shares,
    transitions,
)
from inspect_debate.reports.drawing import (
    INK,
    LOOKS,
    PALE,
    REST,
    RULE,
    drawing,
    grid,
    labelled,
)
from inspect_debate.reports.elements import (
    P_VALUE,
    PERCENT,
    POINTS,
    Figure,
    Table,
    interval_text,
)
from inspect_debate.reports.generative.comparisons import Compared, Comparison
from inspect_debate.reports.generative.tables import FORMAT, MODELS, by_heading, heading

# Transition diagrams: how verdicts move between two formats, in panels.

_STACK = 0.17
"""Width of a stack, where the panel is 1 wide."""

_LEGIBLE = 0.06
"""The smallest share that has room for its number."""


class Flow(NamedTuple):
    """How verdicts move from the one format to the other, as shares of all.

    Attributes:
        kept: Right in both.
        hurt: Right before, wrong after.
        helped: Wrong before, right after.
        wrong: Wrong in both.
        caption: What stands below.
    """

    kept: float
    hurt: float
    helped: float
    wrong: float
    caption: str = ""


class _Ribbon(NamedTuple):
    """From where to where a share flows, and how it is drawn."""

    name: str
    share: float
    start: float
    end: float
    colour: str
    hatch: str


@drawing()
def flow_panels(
    panels: Mapping[str, Flow], stacks: tuple[str, str], columns: int = 4
) -> Canvas:
    """Two stacks of right and wrong verdicts, and what flows between them.

    Args:
        panels: By title.
        stacks: What the left and the right stack are called.
        columns: How many stand side by side, at most.
    """
    names = [ribbon.name for ribbon in _ribbons(next(iter(panels.values())))]
    figure, all_axes = grid(
        list(panels), columns, panel=(2.3, 2.6), names=[*names, *_STACKS]
    )
    handles: dict[str, Artist] = {}
    for axes, flow in zip(all_axes, panels.values(), strict=True):
        handles |= {ribbon.name: _ribbon(axes, ribbon) for ribbon in _ribbons(flow)}
        _stack(axes, 0, flow.kept + flow.hurt)
        _stack(axes, 1 - _STACK, flow.kept + flow.helped)
        _frame(axes, stacks, flow.caption)
    handles |= {name: Patch(color=colour) for name, colour in _STACKS.items()}
    return labelled(figure, handles, x_label="", y_label="verdicts (%)")


def _ribbons(flow: Flow) -> list[_Ribbon]:
    after_hurt = flow.kept + flow.hurt
    after_helped = flow.kept + flow.helped
    unsettled = after_hurt + flow.helped
    hurt, helped = LOOKS[5].colour, LOOKS[2].colour
    return [
        _Ribbon("stays right", flow.kept, 0, 0, PALE, ""),
        _Ribbon("stays wrong", flow.wrong, unsettled, unsettled, RULE, ""),
        _Ribbon("hurt: right → wrong", flow.hurt, flow.kept, after_helped, hurt, "///"),
        _Ribbon(
            "helped: wrong → right", flow.helped, after_hurt, flow.kept, helped, "..."
        ),
    ]


def _ribbon(axes: Axes, ribbon: _Ribbon) -> Artist:
    left, right, middle = _STACK, 1 - _STACK, 0.5
    low, high = (
        np.array([ribbon.start, ribbon.end]) + up for up in (0.0, ribbon.share)
    )
    corners = [
        *((left, low[0]), (middle, low[0]), (middle, low[1]), (right, low[1])),
        *((right, high[1]), (middle, high[1]), (middle, high[0]), (left, high[0])),
        (left, low[0]),
    ]
    curve = [Path.CURVE4] * 3
    codes = [Path.MOVETO, *curve, Path.LINETO, *curve, Path.CLOSEPOLY]
    if ribbon.share:
        path = Path(corners, codes)
        axes.add_patch(PathPatch(path, alpha=0.9, **_look(ribbon)))
    return Patch(**_look(ribbon))


def _look(ribbon: _Ribbon) -> dict[str, Any]:
    return {
        "facecolor": ribbon.colour,
        "hatch": ribbon.hatch,
        "edgecolor": "white",
        "linewidth": 0,
    }


def _stack(axes: Axes, left: float, right: float) -> None:
    """A stack at a place: the share of right verdicts below, of wrong ones above."""
    parts = zip((0, right), (right, 1 - right), _STACKS.values(), strict=True)
    for bottom, share, colour in parts:
        axes.add_patch(
            Rectangle((left, bottom), _STACK, share, color=colour, linewidth=0)
        )
        if share >= _LEGIBLE:
            axes.text(
                left + _STACK / 2,
                bottom + share / 2,
                PERCENT(share),
                ha="center",
                va="center",
                color="white" if colour == LOOKS[0].colour else INK,
                fontsize="small",
            )


def _frame(axes: Axes, stacks: tuple[str, str], caption: str) -> None:
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xticks([0, 1], stacks)
    axes.tick_params(length=0, labelbottom=True)
    first, last = axes.get_xticklabels()
    first.set_horizontalalignment("left")
    last.set_horizontalalignment("right")
    axes.set_xlabel(caption, fontsize="small", color=INK)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)


_STACKS = {"right": LOOKS[0].colour, "wrong": REST}
"""The colours of both parts of a stack."""


_FLIP, _HURT, _NET = "Flips", "Hurt share", "Net"


def transition_items(compared: Compared) -> list[Table | Figure | None]:
    """How verdicts move from no transcript to each format with speeches.

    Args:
        compared: As from `compare`, against no transcript.

    Returns:
        The table, and a diagram for each family and data; a single None where no
        samples can be paired.
    """
    if not compared.made:
        return [None]
    return [_table(compared), *_figures(compared.made)]


def moved(one: Comparison) -> Transitions:
    """The transitions from the format without a transcript to that with speeches."""
    before, after = one.paired.a, one.paired.b
    return transitions(before["verdict_correct"], after["verdict_correct"])


def _table(compared: Compared) -> Table:
    refused = len(compared.refused)
    return Table(
        name="transitions",
        title="What becomes of verdicts when speeches are added",
        frame=pd.DataFrame([_row(one) for one in compared.made]),
        groups=MODELS,
        formats={_FLIP: PERCENT, _HURT: PERCENT, _NET: POINTS, "p": P_VALUE},
        note="Samples by their verdict without a transcript and with the format's "
        "speeches, on the same answers and read in both: right before and wrong after "
        "is hurt, the other way round helped. Flips: percent of all that changed. "
        "Hurt share: percent of those. Net: the change of verdict accuracy in "
        "percentage points, flips x (1 - 2 x hurt share). Intervals: 95 %, clustered "
        "by question; of the net change, of the paired bootstrap, too narrow on few "
        "questions, where p decides. p: McNemar's exact test of hurt against helped, "
        "or sign flips where questions have several epochs; corrected p-values are "
        "among the paired comparisons."
        + (f" Pairs refused, as is said there: {refused}." if refused else ""),
    )


def _row(one: Comparison) -> dict[str, object]:
    before, after = one.paired.a, one.paired.b
    found = moved(one)
    shares = transition_shares(
        before["verdict_correct"], after["verdict_correct"], one.paired.questions
    )
    return {
        MODELS: heading(one.cell),
        FORMAT: one.title,
        "Samples": found.n,
        "Right, right": found.right_right,
        "Hurt": found.hurt,
        "Helped": found.helped,
        "Wrong, wrong": found.wrong_wrong,
        _FLIP: shares.flip.value,
        f"{_FLIP} low": shares.flip.low,
        f"{_FLIP} high": shares.flip.high,
        _HURT: shares.hurt.value,
        f"{_HURT} low": shares.hurt.low,
        f"{_HURT} high": shares.hurt.high,
        _NET: found.net,
        f"{_NET} low": one.difference.low,
        f"{_NET} high": one.difference.high,
        "p": one.p,
    }


def _figures(made: Sequence[Comparison]) -> Iterator[Figure]:
    for number, (title, of) in enumerate(by_heading(made).items(), 1):
        panels = {f"{one.title} (n={moved(one).n})": _flow(one) for one in of}
        yield Figure(
            name=f"figure_transitions_{number}",
            title=f"Verdicts without and with speeches, {title}",
            figure=flow_panels(panels, ("no transcript", "with speeches")),
            alt="Two stacks of right and wrong verdicts, without a transcript and with "
            "speeches, and the shares that flow from one to the other: "
            + "; ".join(f"{name}: {flow.caption}" for name, flow in panels.items())
            + ".",
            note="Percent of the verdicts on the same answers that could be read in "
            "both. Net: the change of verdict accuracy in percentage points, with its "
            "95 % interval and the p-value of the table.",
        )


def _flow(one: Comparison) -> Flow:
    found = moved(one)
    hurt = f", {PERCENT(found.hurt_share)} % of them hurt" if found.flip_rate else ""
    interval = interval_text(POINTS, one.difference.low, one.difference.high)
    net = " ".join(filter(None, (POINTS(found.net), interval)))
    return Flow(
        kept=found.right_right / found.n,
        hurt=found.hurt / found.n,
        helped=found.helped / found.n,
        wrong=found.wrong_wrong / found.n,
        caption=f"flips {PERCENT(found.flip_rate)} %{hurt}\n"
        f"net {net}, p {P_VALUE(one.p)}",
    )
