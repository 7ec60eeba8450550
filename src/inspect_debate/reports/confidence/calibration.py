"""Closing bets as probabilities of winning, against what came of the debates."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import pandas as pd
from numpy.typing import ArrayLike

from inspect_debate.metrics.bets import both_over, excess
from inspect_debate.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.reports.confidence.alignment import SCORER, sums_of
from inspect_debate.reports.confidence.alignment import (
    by_condition as alignment_by_condition,
)
from inspect_debate.reports.confidence.frames import DEBATE
from inspect_debate.reports.confidence.intervals import (
    BETS,
    CHANGES,
    Bounds,
    mean,
    ratio,
    share,
)
from inspect_debate.reports.confidence.jury import decisions
from inspect_debate.reports.confidence.sides import by_condition, by_debate
from inspect_debate.reports.confidence.study import EVEN, conditions_of, in_order, title
from inspect_debate.reports.elements import COUNT, PERCENT, Column, Format, Table
from inspect_debate.solvers.bet_records import SIDES

JURY, ITSELF = "the jury", "exactly 50 %"
"""What bets are held against: a debate that was decided, or one with oneself."""

ALWAYS_EVEN = "Always 50"

_SCORES: dict[str, Callable[[ArrayLike, ArrayLike], float]] = {
    "Brier": brier,
    "Log score": log_score,
}
_BOUNDS: dict[str, Bounds] = {
    name: (score([1.0], [1.0]), score([1.0], [0.0])) for name, score in _SCORES.items()
}
"""A certain bet that is right has the best of scores, one that is wrong the worst."""
_SCORE = Format(digits=3)


class Part(NamedTuple):
    """The closing bets of a condition that are held against the same."""

    condition: str
    against: str
    rows: pd.DataFrame


def closing_bets(bets: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Closing bets that were made, with what they are held against.

    Args:
        bets: As from `bets_of`.
        verdicts: As from `verdicts_of`.

    Returns:
        What tells debate and side, the `model`, the `bet` as a share from 0 to 1,
        `against`, and `won`: 1 or 0 by the jury's sum of confidences, 0.5 in debates
        with oneself, which may count against both. Ties are in neither.
    """
    made = bets[(bets["round"] == bets["rounds"]) & bets["bet"].notna()]
    closing = made.assign(bet=made["bet"] / 100)
    decided = decisions(verdicts)
    judged = closing.merge(decided[decided["by_sum"].isin(SIDES)], on=DEBATE)
    won = (judged["by_sum"] == judged["side"]).astype(float)
    alone = closing[closing["self_debate"].astype(bool)]
    held = [
        judged.assign(against=JURY, won=won),
        alone.assign(against=ITSELF, won=EVEN / 100),
    ]
    columns = [*DEBATE, "side", "model", "bet", "against", "won"]
    return pd.concat(held, ignore_index=True)[columns]


def parts_of(closing: pd.DataFrame) -> Iterator[Part]:
    """By condition, in the order in which they are reported, and by what is against.

    Args:
        closing: As from `closing_bets`.
    """
    for condition in conditions_of(closing["condition"]):
        of = closing[closing["condition"] == condition]
        for against, rows in of.groupby("against", sort=False):
            yield Part(condition, str(against), rows)


def calibration_table(closing: pd.DataFrame) -> Table:
    """Scores of closing bets as probabilities, by condition.

    Args:
        closing: As from `closing_bets`.
    """
    rows = [
        {"Condition": title(part.condition), "Against": part.against, **_row(part.rows)}
        for part in parts_of(closing)
    ]
    rows.append({"Condition": ALWAYS_EVEN, **_even()})
    return Table(
        name="calibration",
        title="Closing bets as probabilities",
        frame=pd.DataFrame(rows),
        formats=_FORMATS,
        note=_NOTE,
    )


def models_table(closing: pd.DataFrame) -> Table:
    """As `calibration_table`, by model."""
    rows = [
        {
            "Condition": f"{title(part.condition)}, against {part.against}",
            "Model": model,
            **_row(part.rows[part.rows["model"] == model]),
        }
        for part in parts_of(closing)
        for model in in_order(part.rows["model"], "table_2")
    ]
    return Table(
        name="calibration_models",
        title="Closing bets as probabilities, by model",
        frame=pd.DataFrame(rows),
        groups="Condition",
        formats=_FORMATS,
        note="As above; of a single model bets depend on each other by debate alone.",
    )


def _row(rows: pd.DataFrame) -> dict[str, object]:
    stated, won = rows["bet"], rows["won"]
    return {
        "Bets": len(rows),
        "Mean bet": stated.mean(),
        "Won": won.mean(),
        **_scores(rows),
        "ECE": expected_calibration_error(stated, won),
    }


def _scores(rows: pd.DataFrame) -> dict[str, float]:
    columns: dict[str, float] = {}
    for name in _SCORES:
        pairs = zip(rows["bet"], rows["won"], strict=True)
        each = [_score(name, bet, won) for bet, won in pairs]
        found = mean(rows.assign(each=each), "each", _BOUNDS[name])
        columns |= found.columns(name)
    return columns


@lru_cache(maxsize=1024)  # bets are whole percents: the same ones come again
def _score(name: str, bet: float, won: float) -> float:
    return _SCORES[name]([bet], [won])


def _even() -> dict[str, float]:
    """The scores of 0.5, which are the same whatever happens."""
    return {name: measure([0.5], [0.5]) for name, measure in _SCORES.items()}


_FORMATS: dict[Column, Format] = {
    "Bets": COUNT,
    **dict.fromkeys(("Mean bet", "Won", "ECE"), PERCENT),
    **dict.fromkeys(_SCORES, _SCORE),
}
_NOTE = (
    "Closing bets that were made, in percent, against the jury's decision (ties left "
    "out), or in debates with oneself against the chance of exactly 50 %. Brier: mean "
    "squared error; log score: in nats, bets no nearer to 0 or 100 than 1; both are "
    "better when lower, with 95 % intervals by model and debate. ECE: expected "
    "calibration error over ten bins, in percent points. Always betting 50 has the "
    "last row's scores in any debates, and as ECE the distance of Won from 50."
)


# Closing bets that cannot both be right, with intervals.

THRESHOLDS = (50, 60, 75, 90)

_POINTS = Format(digits=1, signed=True)


def excess_table(bets: pd.DataFrame) -> Table | None:
    """By how much closing bets add up to over 100, and how often both are too high.

    Args:
        bets: As from `bets_of`; those that were not made are left out.

    Returns:
        The table; None where no debate has both closing bets.
    """
    parts = by_condition(bets)
    rows = [
        row
        for condition in conditions_of(parts)
        for row in _of_condition(condition, parts[condition])
    ]
    if not rows:
        return None
    return Table(
        name="excess",
        title="Closing bets that cannot both be right",
        frame=pd.DataFrame(rows),
        formats={
            "Mean excess": _POINTS,
            **{_over(threshold): PERCENT for threshold in THRESHOLDS},
        },
        note="Of debates with both closing bets. Mean excess: of their sum over 100, "
        "in percent points. Both over: strictly, percent of debates. 95 % intervals: "
        "debates may depend on each other by their models.",
    )


def _of_condition(condition: str, bets: pd.DataFrame) -> list[dict[str, object]]:
    debates = _debates(bets)
    if debates.empty:
        return []
    columns = ratio(debates, "excess", "one", CHANGES).columns("Mean excess")
    for threshold in THRESHOLDS:
        columns |= share(debates, f"over_{threshold}", "one").columns(_over(threshold))
    return [{"Condition": title(condition), "Debates": len(debates), **columns}]


def _debates(bets: pd.DataFrame) -> pd.DataFrame:
    """One row per debate with both closing bets, and what they exceed."""
    first = bets[bets["round"] == 1].set_index([*DEBATE, "side"])["model"]
    models = first.unstack("side").reindex(columns=list(SIDES))
    sides = models.agg(dict, axis=1).rename("sides").reset_index()
    found = by_debate(bets, "bet").dropna(subset=list(SIDES)).merge(sides, on=DEBATE)
    pairs = list(zip(*(found[side] for side in SIDES), strict=True))
    over = {
        f"over_{threshold}": [both_over(a, b, threshold) for a, b in pairs]
        for threshold in THRESHOLDS
    }
    return found.assign(one=1.0, excess=[excess(a, b) for a, b in pairs], **over)


def _over(threshold: int) -> str:
    return f"Both over {threshold}"


# How far bets are from the confidence that their private reasoning states.

_GAP_FORMATS: dict[Column, Format] = {
    "With a figure": COUNT,
    "Mean gap": Format(digits=1, signed=True),
    "Mean absolute gap": Format(digits=1),
}
_GAP_NOTE = (
    "Bet less stated confidence, in percent points; of a range its middle counts. 95 % "
    "intervals, by debates that may depend on each other by their models."
)


def stated_gaps_table(debates: pd.DataFrame) -> Table:
    """Gaps to a chance of winning that is read from the reasoning, without a grader.

    Args:
        debates: As `Arms.frame` from `conditions`, scored.
    """
    return Table(
        name="stated_gaps",
        title="Bets less the stated confidence, as rules read it",
        frame=_gaps(debates, "bets.stated_n", "bets.stated_gap_sum"),
        formats=_GAP_FORMATS,
        note=f"Of all bets, without a grader. {_GAP_NOTE}",
    )


def graded_gaps_table(debates: pd.DataFrame) -> Table:
    """Gaps to the confidence that a grader reads from the reasoning.

    Args:
        debates: As from `alignment.graded`.
    """
    found = _gaps(debates, f"{SCORER}.gap_n", f"{SCORER}.gap_sum")
    for place, name in enumerate(("eligible", "graded"), start=1):
        sums = [
            part[f"{SCORER}.{name}"].sum()
            for part in alignment_by_condition(debates).values()
        ]
        found.insert(place, name.capitalize(), sums)
    return Table(
        name="graded_gaps",
        title="Bets less the stated confidence, as the grader reads it",
        frame=found,
        formats=_GAP_FORMATS | dict.fromkeys(("Eligible", "Graded"), COUNT),
        note="Eligible are bets above the grader's minimum, with enough reasoning. "
        f"{_GAP_NOTE}",
    )


def _gaps(debates: pd.DataFrame, count: str, signed: str) -> pd.DataFrame:
    """Rows by condition, from the columns that have the sums."""
    absolute = signed.replace("gap_sum", "abs_gap_sum")
    rows = []
    for condition, part in alignment_by_condition(debates).items():
        mean = ratio(part, signed, count, CHANGES)
        distance = ratio(part, absolute, count, BETS)
        rows.append(
            {
                "Condition": title(condition),
                "With a figure": part[count].sum(),
                **mean.columns("Mean gap"),
                **distance.columns(_DISTANCE),
            }
        )
    return pd.DataFrame(rows)


_DISTANCE = "Mean absolute gap"


# Bets that are set for gain: how often, and which.

UNREAD = ("unparsed", "refused", "truncated", "capped")
"""Why a grader's labels may be missing."""


def strategic_table(debates: pd.DataFrame) -> Table:
    """How often the reasoning speaks of setting a bet for gain.

    Args:
        debates: As from `alignment.graded`.
    """
    rows = []
    for condition, part in alignment_by_condition(debates).items():
        sums = sums_of(part)
        found = share(part, f"{SCORER}.strategic_yes", f"{SCORER}.strategic_read")
        rows.append(
            {
                "Condition": title(condition),
                "Strategic": sums["strategic_yes"],
                "Of": sums["strategic_read"],
                **found.columns("Share"),
                "Malformed": sums["strategic_malformed"],
                "Unreadable": sum(sums.get(f"strategic_{why}", 0.0) for why in UNREAD),
            }
        )
    counts = ("Strategic", "Of", "Malformed", "Unreadable")
    return Table(
        name="strategic",
        title="Strategic bets",
        frame=pd.DataFrame(rows),
        formats={"Share": PERCENT, **dict.fromkeys(counts, COUNT)},
        note="Graded bets whose private reasoning speaks of setting the bet for gain: "
        "by what the opponent may bet, to signal, for the risk. Share in percent of "
        "those with a label that could be read, with 95 % intervals, by debates that "
        "may depend on each other by their models.",
    )


def cases_table(cases: pd.DataFrame) -> Table:
    """Every strategic bet, with a link to it and what the grader says.

    Args:
        cases: As in `Told`.
    """
    order = {name: n for n, name in enumerate(conditions_of(cases["condition"]))}
    rows = cases.sort_values("condition", key=lambda c: c.map(order), kind="stable")
    frame = pd.DataFrame(
        {
            "Condition and log": rows["condition"].map(title) + ", " + rows["log"],
            "Debate": rows["debate"],
            "Speech": rows["speech"],
            "Model": rows["model"],
            "Bet": rows["bet"],
            "The grader says": rows["says"],
        }
    )
    return Table(
        name="strategic_cases",
        title="Strategic bets to read",
        frame=frame.reset_index(drop=True),
        groups="Condition and log",
        formats={"Bet": COUNT},
        note="What the grader says is the end of its explanation.",
    )
