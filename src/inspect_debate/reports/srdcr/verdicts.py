"""The judge's series of verdicts: when it settles, and how often it turns."""

from collections.abc import Iterator, Mapping
from math import isnan
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from inspect_debate.metrics.abstention import ByCondition
from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.transitions import settling_round
from inspect_debate.reports.drawing import histogram_panels
from inspect_debate.reports.elements import PERCENT, Figure, Format, Notice, Table
from inspect_debate.reports.panels import Series, line_panels
from inspect_debate.reports.srdcr.shown import (
    INTERVALS,
    LIMITS,
    TABLE_1,
    by_arm,
    by_model,
    debated,
    model_title,
    needs,
    on_shared,
    printed,
    series,
    share_of,
    titled,
)
from inspect_debate.reports.srdcr.shown import halves as halves_of
from inspect_debate.reports.srdcr.study import (
    ARMS,
    DEBATES,
    HALVES,
    JUDGE_DEBATES,
    arms_in_order,
)
from inspect_debate.reports.srdcr.tables import (
    CLUSTERED,
    HALF_TITLES,
    in_halves,
    with_ends,
)

_DEBATE, _FROM = "Debate", "From "


def settling_table(rounds: pd.DataFrame) -> Table | None:
    """From which round on verdicts stay constant, and how often they changed.

    Args:
        rounds: As from `rounds_of`.

    Returns:
        The table; None without debates.
    """
    rows = [
        {_DEBATE: title, **row}
        for title, of in by_debate(rounds).items()
        for row in _by_half(of)
    ]
    if not rows:
        return None
    frame = pd.DataFrame(rows)
    return Table(
        name="settling",
        title="When verdicts settle",
        frame=frame,
        groups=_DEBATE,
        formats={
            **{str(n): PERCENT for n in frame if str(n).startswith(_FROM)},
            "Changes": Format(2),
            "Never changed": PERCENT,
        },
        note="Percent of the debates whose last verdict could be read, by the round "
        "from which their verdicts are what they are at the end (round 0: the opening "
        "speeches). Changes: mean number of times that a verdict differs from the one "
        "before it, of those that could be read. Not judged: equal answers that were "
        "not debated, answers that could not be read, and debates without a verdict "
        "that could.",
    )


def verdicts_table(rounds: pd.DataFrame) -> Table | None:
    """How often the judge found the contextual answer reasonable, by round.

    Args:
        rounds: As from `rounds_of`.

    Returns:
        The table; None without debates.
    """
    rows = [
        {_DEBATE: title, "Round": round, **_reasonable(of[of["round"] == round])}
        for title, of in by_debate(rounds).items()
        for round in sorted(of["round"].unique())
    ]
    if not rows:
        return None
    return Table(
        name="verdicts",
        title="Verdicts for the passage by round",
        frame=pd.DataFrame(rows),
        groups=_DEBATE,
        formats=dict.fromkeys(HALF_TITLES.values(), PERCENT),
        note="Percent of the verdicts that could be read; right ones would be 100 for "
        f"standard and 0 for perturbed passages. {CLUSTERED}",
    )


def _reasonable(rows: pd.DataFrame) -> dict[str, float]:
    cells: dict[str, float] = {}
    for half, title in HALF_TITLES.items():
        part = rows[rows["half"] == half]
        cells |= with_ends(title, share_of(part, "verdict"))
    return cells | {"Verdicts": int(rows["verdict"].notna().sum())}


def _by_half(rounds: pd.DataFrame) -> Iterator[dict[str, object]]:
    for half in HALVES:
        series = (
            rounds[rounds["half"] == half]
            .pivot(index=["sample", "epoch"], columns="round", values="verdict")
            .to_numpy(dtype=float)
        )
        if not len(series):
            continue
        judged = series[~np.isnan(series).all(axis=1)]
        settled, changes = settling_round(judged), _changes(judged)
        known = settled[~np.isnan(settled)]
        shares = {
            f"{_FROM}{round}": float(np.mean(known == round)) if known.size else None
            for round in range(series.shape[1])
        }
        yield {
            "Half": HALF_TITLES[half],
            "Debates": len(judged),
            **shares,
            "Changes": changes.mean() if changes.size else None,
            "Never changed": np.mean(changes == 0) if changes.size else None,
            "Last not read": len(judged) - len(known),
            "Not judged": len(series) - len(judged),
        }


def _changes(series: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often a verdict differs from the last one before it that could be read."""
    filled = pd.DataFrame(series).ffill(axis=1).to_numpy()
    before, after = filled[:, :-1], filled[:, 1:]
    turned = (before != after) & ~np.isnan(before)
    return np.asarray(turned.sum(axis=1), dtype=np.float64)


# The judge's verdicts on the contextual answer, and when they settle.

ROUND = "round (0: opening speeches)"
"""Of the axis of rounds, which are counted as in the scores."""

_RUNS = ("-T protocol=srdcr --model M",)


def verdict_figure(rounds: pd.DataFrame) -> Figure | Notice:
    """How often the judge found the contextual answer reasonable, by round.

    Args:
        rounds: As from `rounds_of`.
    """
    debates = by_debate(rounds)
    if not debates:
        return needs("The figure of verdicts", "debates with a judge", _RUNS)
    sizes = "; ".join(f"{halves_of(debated(of))} ({t})" for t, of in debates.items())
    return Figure(
        name="figure_verdicts",
        title="Verdicts for the contextual answer by round",
        figure=line_panels(
            {
                title: series(
                    {
                        half.title(): {
                            int(str(round)): share_of(of, "verdict")
                            for round, of in rows[rows["half"] == half].groupby("round")
                        }
                        for half in HALVES
                        if half in set(rows["half"])
                    }
                )
                for title, rows in debates.items()
            },
            label="reasonable (%)",
            x_label=ROUND,
            format=PERCENT,
            limits=LIMITS,
        ),
        alt="Share of verdicts that find the contextual answer reasonable over the "
        "rounds, a line for standard and one for perturbed passages, a panel per "
        "debate: " + ", ".join(debates) + ".",
        note="Of the verdicts that could be read. Right verdicts would be 100 % on "
        f"standard passages and 0 % on perturbed ones. {INTERVALS} Debates: {sizes}.",
    )


def settling_figure(rounds: pd.DataFrame) -> Figure | Notice:
    """From which round on verdicts are what they are at the end.

    Args:
        rounds: As from `rounds_of`.
    """
    debates = by_debate(rounds)
    settled = {
        f"{title}: {half}": known
        for title, rows in debates.items()
        for half in HALVES
        if len(known := _settled(rows[rows["half"] == half]))
    }
    if not settled:
        return needs("The figure of settling", "debates with a judge", _RUNS)
    last = int(rounds["round"].max())
    return Figure(
        name="figure_settling",
        title="The round from which verdicts stay constant",
        figure=histogram_panels(
            {f"{name}, n={len(known)}": known for name, known in settled.items()},
            np.arange(last + 2) - 0.5,
            label="debates (%)",
            x_label=ROUND,
            places=range(last + 1),
            columns=4 if len(debates) > 1 else 2,
        ),
        alt="Distribution of the round from which verdicts do not change any more, a "
        "panel per debate and half.",
        note="Debates whose last verdict could be read. At 0 no verdict was another "
        f"than the last one; at {last} the verdict before the last was.",
    )


def by_debate(rounds: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rounds of each model's debates and of their variants, each debate once.

    Args:
        rounds: As from `rounds_of`.
    """
    return {
        titled(model_title(model), variant): _first_arm(of)
        for model, rows in by_model(rounds).items()
        for variant, of in rows.groupby("variant")
    }


def _first_arm(rounds: pd.DataFrame) -> pd.DataFrame:
    """Both arms of a debate have its verdicts: the rows of one of them."""
    return rounds[rounds["arm"] == arms_in_order(rounds["arm"])[0]]


def _settled(rounds: pd.DataFrame) -> "pd.Series[float]":
    series = rounds.pivot(index=["sample", "epoch"], columns="round", values="verdict")
    return pd.Series(settling_round(series.to_numpy(dtype=float))).dropna()


# Accuracy by round of the debates.

_PAPER_ROUNDS = 6
_ROUND_RUNS = ("-T protocol=srdcr --model M", "-T protocol=judge_debate --model M")


class _Point(NamedTuple):
    """A point of a line: what is drawn, and the rounds of speeches before it."""

    line: str
    held: int


def rounds_figures(
    answers: pd.DataFrame, rounds: pd.DataFrame
) -> Iterator[Figure | Notice]:
    """Accuracy over rounds of speeches, a figure per model.

    Args:
        answers: As from `answers_of`.
        rounds: As from `rounds_of`.
    """
    number = 0
    for model, rows in by_model(answers).items():
        points = _points(rows, rounds[rounds["model"] == model])
        if len({point.line for point in points}) < len(points):
            number += 1
            yield _figure(number, model, points)
    if not number:
        yield needs(
            "The figure of accuracies over rounds",
            "debates judged after more than one round",
            _ROUND_RUNS,
        )


def _figure(number: int, model: str, points: Mapping[_Point, pd.DataFrame]) -> Figure:
    named = {f"{line}, {held} rounds": _Point(line, held) for line, held in points}
    shown = on_shared({name: points[point] for name, point in named.items()})
    found = {named[name]: in_halves(rows) for name, rows in shown.parts.items()}
    lines = dict.fromkeys(point.line for point in found)
    published = {
        part.title(): values
        for part in ByCondition._fields
        if not (values := _printed(model, part, points)).empty
    }
    return Figure(
        name=f"figure_rounds_{number}",
        title=f"Accuracy over rounds, {model_title(model)}",
        figure=line_panels(
            {part.title(): _over_rounds(found, part) for part in ByCondition._fields},
            label="accuracy (%)",
            x_label="rounds of speeches",
            format=PERCENT,
            printed=published,
            limits=LIMITS,
            columns=3,
        ),
        alt="Strict accuracy over the rounds of speeches on standard and perturbed "
        "passages and overall, a line per way to decide: " + ", ".join(lines) + ".",
        note=f"{shown.note} Strict accuracy, abstentions not right. SR-DCR's rounds 0 "
        "to 5 are six rounds of speeches, the first of them openings. Naive Debate "
        "stands at the most rounds that it may take, first answers among them. "
        f"{INTERVALS}"
        f"{TABLE_1 if published else ''}",
    )


def _over_rounds(found: Mapping[_Point, ByCondition], part: str) -> Series:
    lines: dict[str, dict[int, Share]] = {}
    for point, halves in found.items():
        share = halves._asdict()[part].accuracy
        lines.setdefault(point.line, {})[point.held] = share
    return series(lines)


def _printed(
    model: str, part: str, points: Mapping[_Point, pd.DataFrame]
) -> pd.DataFrame:
    """Values of Table 1 by line and rounds, as far as it has such rounds."""
    values: dict[str, dict[int, float]] = {}
    for point, rows in points.items():
        arm = str(rows["arm"].iloc[0])
        value = printed("table_1", model, arm, part)
        if not isnan(value) and (arm not in DEBATES or point.held == _PAPER_ROUNDS):
            values.setdefault(point.line, {})[point.held] = value
    return pd.DataFrame(values)


def _points(answers: pd.DataFrame, rounds: pd.DataFrame) -> dict[_Point, pd.DataFrame]:
    points: dict[_Point, pd.DataFrame] = {}
    for arm in arms_in_order(answers["arm"]):
        for variant, rows in answers[answers["arm"] == arm].groupby("variant"):
            if (held := _rounds_held(arm, rows)) is not None:
                points[_Point(titled(_LINES.get(arm, ARMS[arm]), variant), held)] = rows
    for title, of_arm in by_arm(rounds).items():
        for round, rows in of_arm.groupby("round"):
            points[_Point(title, int(str(round)) + 1)] = rows
    return points


def _rounds_held(arm: str, rows: pd.DataFrame) -> int | None:
    """The rounds before an answer, at most; None for arms that are not shown."""
    if arm == "few_shot":
        return 0
    if arm == "naive_debate":
        return int(rows["parameters"].iloc[0]["rounds"]) + 1
    return int(arm.rpartition("_")[2]) if arm in JUDGE_DEBATES else None


_LINES = dict.fromkeys(JUDGE_DEBATES, "Judge Debate")
