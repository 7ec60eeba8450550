"""Bets side by side: a row per debate and side, a column per speech."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isnan, nan
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from inspect_debate.metrics.intervals import Array
from inspect_debate.metrics.means import Alternative, pooled_mean
from inspect_debate.reports.confidence.frames import DEBATE
from inspect_debate.reports.confidence.study import (
    EVEN,
    OVERALL,
    POOLED,
    conditions_of,
    is_published_pool,
    protocol_of,
    title,
)
from inspect_debate.reports.elements import MISSING
from inspect_debate.solvers.bet_records import SIDES, speech_name

SPEECHES = ("opening", "rebuttal", "closing")
"""The speeches of the paper's debates, which have three rounds."""

_SIDE = [*DEBATE, "side"]
_ABOUT = ["motion", "model", "self_debate", "rounds"]


class Part(NamedTuple):
    """The bets that a row is about, and the row of the published tables about them."""

    title: str
    bets: pd.DataFrame
    published: str

    @property
    def is_published(self) -> bool:
        """Whether it is about the paper's models and, overall, conditions."""
        if self.published == OVERALL:
            return is_published_whole(self.bets)
        return has_published_pool(self.bets)

    def twin_of(self, column: str) -> tuple[str, str] | None:
        """The place of a cell's twin, if it has one."""
        return (self.published, column) if self.is_published else None


def by_side(bets: pd.DataFrame, value: str = "recorded") -> pd.DataFrame:
    """One row per debate and side, and a column for every speech, in their order.

    Args:
        bets: As from `bets_of`, of one condition.
        value: `recorded`, which the paper's tables count, or `bet`.

    Returns:
        What tells debate and side, `motion`, `model`, `self_debate`, `rounds`, and
        the speeches' bets as `opening`, `rebuttal` (of four rounds and more
        `rebuttal_1`, ...) and `closing`.
    """
    rounds = bets["rounds"]
    names = [speech_name(*at) for at in zip(bets["round"], rounds, strict=True)]
    return _unstacked(bets, [name.replace(" ", "_") for name in names], value)


def three_speeches(bets: pd.DataFrame, value: str = "recorded") -> pd.DataFrame:
    """As `by_side`, of conditions with any number of rounds, by `SPEECHES`.

    Of several rebuttals the first counts; speeches that were not held are NaN.
    """
    kept = bets[(bets["speech"] != "rebuttal") | (bets["round"] == 2)]
    wide = _unstacked(kept, list(kept["speech"]), value)
    return wide.reindex(columns=[*_SIDE, *_ABOUT, *SPEECHES])


def by_debate(bets: pd.DataFrame, value: str = "recorded") -> pd.DataFrame:
    """One row per debate: `condition` and the closing bets of both sides by side."""
    closing = bets[bets["round"] == bets["rounds"]]
    wide = closing.set_index([*DEBATE, "side"])[value].unstack("side")
    return wide.reindex(columns=list(SIDES)).reset_index()


def transitions(speeches: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Pairs of speeches by name: each with the next one, and the first with the last.

    `open_to_rebuttal`, `rebuttal_to_closing` and `open_to_closing` in three rounds.
    """
    pairs = [*pairwise(speeches), *_whole(speeches)]
    return {f"{a.replace('opening', 'open')}_to_{b}": (a, b) for a, b in pairs}


def _whole(speeches: Sequence[str]) -> list[tuple[str, str]]:
    return [(speeches[0], speeches[-1])] if len(speeches) > 2 else []


def speeches_of(wide: pd.DataFrame) -> list[str]:
    """The speeches that a frame of sides has a column for."""
    return [name for name in wide.columns if name.startswith(SPEECHES)]


def label(name: str) -> str:
    """A speech or transition for readers: "Opening to rebuttal"."""
    return name.replace("open_to_", "opening_to_").replace("_", " ").capitalize()


def by_condition(bets: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The bets of each condition, by its label."""
    grouped = bets.groupby("condition", sort=False)
    return {str(condition): rows for condition, rows in grouped}


def model_means(bets: pd.DataFrame, value: str = "recorded") -> "pd.Series[float]":
    """The mean of opening bets by model."""
    return bets[bets["speech"] == "opening"].groupby("model")[value].mean()


def pooled(bets: pd.DataFrame) -> pd.DataFrame:
    """The bets of the conditions that the paper's overall rows pool."""
    return bets[bets["condition"].map(protocol_of).isin(POOLED)]


def has_published_pool(bets: pd.DataFrame) -> bool:
    """Whether bets are by the paper's models, all of them and no others."""
    return is_published_pool(set(bets["model"]))


def is_published_whole(bets: pd.DataFrame) -> bool:
    """Whether bets are of the four pooled conditions, each once and with all models."""
    parts: Mapping[str, pd.DataFrame] = by_condition(bets)
    return sorted(map(protocol_of, parts)) == sorted(POOLED) and all(
        has_published_pool(part) for part in parts.values()
    )


def rows_of(bets: pd.DataFrame, overall: str) -> dict[str, Part]:
    """What the rows of a table by condition are about, by their keys.

    Args:
        bets: As from `bets_of`.
        overall: What readers call the last row, of several conditions that the paper
            pools; it is left out where there is only one.
    """
    parts = by_condition(bets)
    rows = {
        condition: Part(title(condition), parts[condition], protocol_of(condition))
        for condition in conditions_of(parts)
    }
    whole = pooled(bets)
    if len(set(whole["condition"])) > 1:
        rows[OVERALL] = Part(overall, whole, OVERALL)
    return rows


def _unstacked(bets: pd.DataFrame, names: Sequence[str], value: str) -> pd.DataFrame:
    order = list(dict.fromkeys(names))
    about = bets.groupby(_SIDE, sort=False)[_ABOUT].first()
    values = bets.assign(name=names).set_index([*_SIDE, "name"])[value]
    wide = values.unstack("name").reindex(columns=order).reindex(about.index)
    return about.join(wide).reset_index()


# The paper's statistics of bets, in its conventions; NaN where there is too little.


class Spread(NamedTuple):
    """Mean and standard deviation of `n` values."""

    mean: float
    sd: float
    n: int


class TTest(NamedTuple):
    """A t test of the mean of `n` values; NaN where these do not differ at all."""

    mean: float
    t: float
    p: float
    n: int


def spread(values: ArrayLike, *, ddof: Literal[0, 1]) -> Spread:
    """Mean and standard deviation without values that are NaN.

    Args:
        values: One-dimensional.
        ddof: 1 for the sample's standard deviation (Table 2), 0 for the population's
            (all other tables of the paper).
    """
    known = _known(values)
    mean = float(known.mean()) if known.size else nan
    sd = float(known.std(ddof=ddof)) if known.size > ddof else nan
    return Spread(mean, sd, known.size)


def against(
    values: ArrayLike, null: float = EVEN, alternative: Alternative = "greater"
) -> TTest:
    """Student's t test of a mean against `null`, of values that are not NaN."""
    found = pooled_mean(values)
    t, p = found.statistic(null), found.p(null, alternative)
    return TTest(found.value, t, p, found.n)


def paired(
    earlier: ArrayLike, later: ArrayLike, alternative: Alternative = "greater"
) -> TTest:
    """The paired t test of `later` less `earlier`, over pairs that are whole."""
    changes = np.asarray(later, dtype=float) - np.asarray(earlier, dtype=float)
    return against(changes, 0.0, alternative)


def _known(values: ArrayLike) -> Array:
    array = np.asarray(values, dtype=np.float64)
    return array[~np.isnan(array)]


# Numbers as the paper's tables print them.

SIGNIFICANT = 0.05
"""The level below which the paper calls a p-value significant."""

_STARS = {0.001: "***", 0.01: "**", SIGNIFICANT: "*"}
_SMALL = 1e-4


def fixed(value: float, digits: int = 2) -> str:
    """A number with so many decimals, as Python rounds; NaN as a dash."""
    return MISSING if isnan(value) else f"{value:.{digits}f}"


def percent(share: float) -> str:
    """A share as "61.7%"."""
    return MISSING if isnan(share) else f"{100 * share:.1f}%"


def mean_sd(found: Spread, *, n: bool = False) -> str:
    """Mean and spread as "72.92 ± 7.93", with "(N=120)" where asked for."""
    text = f"{fixed(found.mean)} ± {fixed(found.sd)}"
    return f"{text} (N={found.n})" if n else text


def delta(found: TTest) -> str:
    """A change as "Δ=4.75"."""
    return f"Δ={fixed(found.mean)}"


def delta_stars(found: TTest) -> str:
    """A change as "Δ=5.36***"."""
    return delta(found) + stars(found.p)


def delta_p(found: TTest, *, bounded: bool = False) -> str:
    """A change with its p-value and stars, as "Δ=4.75, p=0.0012**".

    Args:
        found: The change.
        bounded: Whether p-values below 0.001 are printed as "p<0.001", as in the
            overall rows of Tables 8 to 11.
    """
    p = "<0.001" if bounded and found.p < 0.001 else f"={fixed(found.p, 4)}"
    return f"{delta(found)}, p{p}{stars(found.p)}"


def stars(p: float) -> str:
    """One to three stars for p-values below 0.05, 0.01 and 0.001."""
    return next((mark for level, mark in _STARS.items() if p < level), "")


def bounded_p(p: float) -> str:
    """A p-value with three decimals, or "<0.001" (the text of section 4.1)."""
    return "<0.001" if p < 0.001 else fixed(p, 3)


def small_p(p: float) -> str:
    """A p-value with four decimals, or below 0.0001 as "6.97×10^-7" (Table 7)."""
    if isnan(p) or p >= _SMALL or p == 0:
        return fixed(p, 4)
    digits, _, exponent = f"{p:.2e}".partition("e")
    return f"{digits}×10^{int(exponent)}"
