"""What verdicts are: false ones by round, kinds of them, and those by regime."""

import pandas as pd

from inspect_debate.analysis.generative.study import REGIMES, VERDICTS
from inspect_debate.analysis.generative.tables import (
    CLUSTERED,
    FORMAT,
    MODELS,
    Rows,
    rows_of,
    share,
    shown,
    verdicts_of,
)
from inspect_debate.analysis.reporting.elements import Column, Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT, Format

_ALL_RIGHT = "All right"


def regimes_table(items: pd.DataFrame) -> Table | None:
    """How often answers are all right, contested or all wrong, and accuracy in each.

    Args:
        items: As from `items_of`.
    """
    rows = [_regimes(of) for of in rows_of(verdicts_of(items))]
    if not rows:
        return None
    frame, regimes = pd.DataFrame(rows), REGIMES[2]
    formats: dict[Column, Format] = {
        **dict.fromkeys(regimes, PERCENT),
        **{f"{name}: share": PERCENT for name in regimes},
        **{f"{name}: rounds": COUNT for name in regimes},
    }
    return Table(
        name="regimes",
        title="Accuracy where all answers, one or none is right",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, formats),
        note="Percent. Share: of the rounds whose answers are known to be right or "
        "wrong, whether or not the verdict could be read; beside it the verdict "
        "accuracy in them, and the rounds with a readable verdict. Contested: one of "
        f"two answers is right. {CLUSTERED}",
    )


def rounds_table(items: pd.DataFrame) -> Table | None:
    """FPR and FNR by round: whether any wrong answer was endorsed.

    Args:
        items: As from `items_of`.
    """
    judged = verdicts_of(items)
    if judged.empty:
        return None
    rows = [
        {
            **of.named,
            **of.ratio("wrong_round_endorsed", "wrong_round").columns("FPR by round"),
            "Wrong": of.items["wrong_round"].sum(),
            **of.ratio("right_round_rejected", "right_round").columns("FNR by round"),
            "Right": of.items["right_round"].sum(),
        }
        for of in rows_of(judged)
    ]
    return Table(
        name="error_rounds",
        title="False verdicts by round",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(["FPR by round", "FNR by round"], PERCENT),
            **dict.fromkeys(["Wrong", "Right"], COUNT),
        },
        note="Percent of the rounds with a wrong (right) answer in which the judge "
        "calls at least one of them correct (incorrect); wrong, right: how many such "
        f"rounds there are. With one answer it is the rate by answer. {CLUSTERED}",
    )


def classes_table(items: pd.DataFrame) -> Table | None:
    """Which answers the judge endorses: both, A's, B's or none; of one, whether it.

    Args:
        items: As from `items_of`.
    """
    judged = verdicts_of(items)
    rows = [_classes(of) for of in rows_of(judged)]
    if not rows:
        return None
    shares = [name for kinds in VERDICTS.values() for name in kinds]
    ends = ("", " low", " high")
    columns = [MODELS, FORMAT, *(f"{name}{end}" for name in shares for end in ends)]
    frame = pd.DataFrame(rows)
    columns = [name for name in columns if name in frame]
    frame = frame[[*columns, _ALL_RIGHT, "Verdicts"]]
    return Table(
        name="verdict_classes",
        title="Kinds of verdicts by format",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, dict.fromkeys([*shares, _ALL_RIGHT], PERCENT)),
        note="Percent of the verdicts that could be read. Win-win: both answers are "
        "called correct; loss-loss: neither. A single answer is accepted or rejected. "
        "All right: share of the same rounds in which every answer is right, so that "
        "win-win, or to accept, would be the right verdict. "
        f"{CLUSTERED}",
    )


def _regimes(of: Rows) -> dict[str, object]:
    items, cells = of.items, dict(of.named)
    known = items["regime"].notna().sum()
    for name, number in REGIMES[of.cell.proposers].items():
        part = items[items["regime"] == number]
        cells[f"{name}: share"] = len(part) / known if known else None
        cells |= share(part, part["verdict_correct"]).columns(name)
        cells[f"{name}: rounds"] = int(part["verdict_correct"].notna().sum())
    return cells


def _classes(of: Rows) -> dict[str, object]:
    found = of.items[of.items["verdict_class"].notna()]
    cells = dict(of.named)
    for name, number in VERDICTS[of.cell.proposers].items():
        is_kind = (found["verdict_class"] == number).astype(float)
        cells |= share(found, is_kind).columns(name)
    all_right = (found["regime"] == of.cell.proposers).astype(float)
    return cells | {_ALL_RIGHT: all_right.mean(), "Verdicts": len(found)}
