"""How right the judge is in each format, and how right it would be unlooking."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from inspect_debate.analysis.estimates import Array
from inspect_debate.analysis.generative.pairing import KEYS
from inspect_debate.analysis.generative.study import KINDS
from inspect_debate.analysis.generative.tables import (
    CLUSTERED,
    FORMAT,
    MODELS,
    Rows,
    by_heading,
    fpr,
    rows_of,
    shown,
    tied,
    verdicts_of,
    without_empty,
)
from inspect_debate.analysis.reporting.elements import Column, Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT, Format

BASELINES = ("Always correct", "Always incorrect", "Guessing at the base rate")
"""Judges that look at nothing."""

_TIED = "Tied"
_SHARES = ("Accuracy", "Per answer", "Strict", "FPR", "FNR")
_COUNTS = ("Samples", "Not read", _TIED, "Wrong answers", "Right answers")


def formats_table(items: pd.DataFrame) -> Table | None:
    """Verdict accuracy, FPR and FNR by format, and judges that look at nothing.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None without a format in which answers are judged.
    """
    judged = verdicts_of(items)
    if judged.empty:
        return None
    grouped = by_heading(rows_of(judged)).values()
    rows = [row for of in grouped for row in _with_baselines(of)]
    frame = without_empty(pd.DataFrame(rows), _TIED)
    formats: dict[Column, Format] = {
        **dict.fromkeys(_SHARES, PERCENT),
        **dict.fromkeys(_COUNTS, COUNT),
    }
    return Table(
        name="formats",
        title="Verdicts by format",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, formats),
        note="Percent. Accuracy: of the rounds whose verdict could be read, those in "
        "which the judge is right about every answer; per answer: mean over answers; "
        "strict: a verdict that could not be read, or on which the judges of a panel "
        "tie, is wrong. FPR: share of the wrong answers that the judge calls correct; "
        "FNR: share of the right ones that it calls incorrect; both ratios of sums "
        "over answers. Guessing at the base rate calls each answer correct by chance, "
        "as often as answers are right; baselines are of the same answers, those of "
        "rounds without a readable verdict included. "
        f"{CLUSTERED}",
    )


def _with_baselines(rows: list[Rows]) -> Iterator[dict[str, object]]:
    yield from (_row(of) for of in rows)
    for proposers, kind in KINDS.items():
        of_kind = [of for of in rows if of.cell.proposers == proposers]
        if of_kind:
            for name, found in _baselines(of_kind).items():
                title = f"{name} ({kind})"
                yield {MODELS: of_kind[0].named[MODELS], FORMAT: title, **found}


def _row(of: Rows) -> dict[str, object]:
    items = of.items
    return {
        **of.named,
        **of.share("verdict_correct").columns("Accuracy"),
        "Per answer": of.share("verdict_correct_mean").value,
        "Strict": of.share("verdict_correct_strict").value,
        **fpr(of.items).columns("FPR"),
        **of.ratio("fn", "n_right").columns("FNR"),
        "Samples": int(items["verdict_correct"].notna().sum()),
        "Not read": int((items["verdict_ok"] == 0).sum()),
        _TIED: tied(items),
        "Wrong answers": items["n_wrong"].sum(),
        "Right answers": items["n_right"].sum(),
    }


def _baselines(rows: list[Rows]) -> dict[str, dict[str, float]]:
    """What judges score on these answers that do not look at them."""
    once = pd.concat([of.items for of in rows]).drop_duplicates(
        [*KEYS, "answer_set_id"]
    )
    seats = ("right_a", "right_b")[: rows[0].cell.proposers]
    truths = once[list(seats)].dropna().to_numpy(dtype=float)
    base = float(truths.mean()) if truths.size else np.nan
    chances = dict(zip(BASELINES, (1.0, 0.0, base), strict=True))
    return {name: _of_chance(truths, chance) for name, chance in chances.items()}


def _of_chance(truths: Array, chance: float) -> dict[str, float]:
    """The expected row of a judge that endorses each answer with some chance."""
    hits = truths * chance + (1 - truths) * (1 - chance)
    rounds = len(truths)
    joint = float(hits.prod(axis=1).mean()) if rounds else np.nan
    return {
        "Accuracy": joint,
        "Per answer": float(hits.mean()) if rounds else np.nan,
        "Strict": joint,
        "FPR": chance,
        "FNR": 1 - chance,
        "Samples": rounds,
        "Wrong answers": float((truths == 0).sum()),
        "Right answers": float((truths == 1).sum()),
    }
