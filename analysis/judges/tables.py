"""What judges of the same debates have in common, and what not, as tables."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import nan

import numpy as np
import pandas as pd

from inspect_debate.analysis.estimates import Estimate
from inspect_debate.analysis.judges.matrix import Panel
from inspect_debate.analysis.judges.verdicts import DEBATE
from inspect_debate.analysis.known import known_columns
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import COUNT, NUMBER, PERCENT
from inspect_debate.analysis.unread import STATUSES
from inspect_debate.core.measures.kappa import cohen_kappa
from inspect_debate.core.measures.shares import share

PANEL = "Panel"

_TIED = "Orders differ"
_ROWS = 20
"""How many debates of a matrix a page shows; its file has all."""


def judges_table(panels: Sequence[Panel], titles: Sequence[str]) -> Table | None:
    """Every judge by itself: accuracy, verdicts for the side shown first, and none.

    Args:
        panels: The panels, those of a single judge too.
        titles: What readers call what each panel judged.

    Returns:
        The table; None without a verdict.
    """
    rows = [
        {PANEL: title, **_judge(panel, judge)}
        for panel, title in zip(panels, titles, strict=True)
        for judge in panel.judges
    ]
    if not rows:
        return None
    unread = [*STATUSES.values(), _TIED]
    known = [name for name in unread if any(row[name] for row in rows)]
    gone = [name for name in unread if name not in known]
    frame = pd.DataFrame(rows).drop(columns=gone)
    shares = ("Accuracy", "For the first", "Right is first", "Both orders agree")
    table = Table(
        name="judges",
        title="Judges",
        frame=frame,
        groups=PANEL,
        formats={**dict.fromkeys([*shares, *known], PERCENT), "Verdicts": COUNT},
        note="Percent. Accuracy: of the debates with an answer of this judge, whatever "
        "the number of orders; those without one are in the shares that follow, of all "
        "debates it was asked about. For the first: readable verdicts for the answer "
        "whose defender the judge was shown first (or, without two debaters, for the "
        "one listed first); a judge that is always right has the share under “Right is "
        "first”. Both orders agree: of the debates with a readable verdict in each. "
        f"{_CLUSTERED}",
    )
    return known_columns(table)


def pairs_table(panels: Sequence[Panel], titles: Sequence[str]) -> Table | None:
    """How far any two judges of the same debates agree; None without two.

    Args:
        panels: The panels.
        titles: What readers call what each panel judged.
    """
    rows = [
        {PANEL: title, **row}
        for panel, title in zip(panels, titles, strict=True)
        for row in _pairs(panel)
    ]
    if not rows:
        return None
    return Table(
        name="judge_pairs",
        title="Agreement of judges",
        frame=pd.DataFrame(rows),
        groups=PANEL,
        formats={
            "Agreement": PERCENT,
            "Kappa": NUMBER,
            "Only one right": PERCENT,
        },
        note="Debates: those that both judges gave an answer to. Agreement: the same "
        "answer, in percent. Kappa: Cohen's, 0 where they agree as often as by chance, "
        "missing where both give the same answer to all. Only one right: in percent; "
        f"a panel can gain on these alone. {_CLUSTERED}",
    )


def right_table(panels: Sequence[Panel], titles: Sequence[str]) -> Table | None:
    """By how many judges debates were judged rightly; None without two judges.

    Args:
        panels: The panels.
        titles: What readers call what each panel judged.
    """
    rows = [
        {PANEL: title, **row}
        for panel, title in zip(panels, titles, strict=True)
        for row in right_counts(panel).to_dict("records")
    ]
    if not rows:
        return None
    return Table(
        name="judges_right",
        title="How many judges were right",
        frame=pd.DataFrame(rows),
        groups=PANEL,
        formats={"Share": PERCENT, "If independent": PERCENT},
        note="Over the debates that all judges of the panel gave an answer to, in "
        "percent. If independent: what judges of the same accuracies would come to if "
        "the errors of one had nothing to do with those of another; many more debates "
        "than that at both ends say that judges err together, so that a vote of theirs "
        "gains little.",
    )


def matrix_tables(panels: Sequence[Panel], titles: Sequence[str]) -> Iterator[Table]:
    """Every debate with what each judge made of it, panel by panel of two or more.

    Args:
        panels: The panels.
        titles: What readers call what each panel judged.
    """
    for panel, title in zip(panels, titles, strict=True):
        if len(panel.judges) > 1:
            yield Table(
                name=f"judge_matrix_{panel.number}",
                title=f"Debates and judges: {title}",
                frame=_in_words(panel),
                note="Debates that most judges were right about come first. Missing: "
                "this judge was not asked about the debate.",
                first=_ROWS,
            )


def right_counts(panel: Panel) -> pd.DataFrame:
    """Debates by the number of judges that were right, of a panel of several.

    Returns:
        Columns `Judges right` (from 0), `Debates`, their `Share`, and the share `If
        independent`; empty without a debate that all judges gave a known answer to.
    """
    right = panel.matrix().dropna()
    if right.shape[1] < 2 or right.empty:
        return pd.DataFrame()
    judges = right.shape[1]
    counts = np.bincount(right.sum(axis=1).astype(int), minlength=judges + 1)
    chance = np.ones(1)
    for accuracy in right.mean():
        chance = np.convolve(chance, [1 - accuracy, accuracy])
    return pd.DataFrame(
        {
            "Judges right": [f"{n} of {judges}" for n in range(judges + 1)],
            "Debates": counts,
            "Share": counts / len(right),
            "If independent": chance,
        }
    )


def by_number_right(matrix: pd.DataFrame) -> pd.DataFrame:
    """A matrix of 1, 0 and NaN with the debates first that most judges have right.

    Those of as many are sorted by which judges these are, so that alike ones adjoin.
    """
    order = matrix.fillna(0.5).assign(number=matrix.sum(axis=1))
    columns = ["number", *matrix.columns]
    return matrix.loc[order.sort_values(columns, ascending=False, kind="stable").index]


def _judge(panel: Panel, judge: str) -> dict[str, object]:
    cells = panel.judgements[panel.judgements["judge"] == judge]
    verdicts = panel.verdicts[panel.verdicts["judge"] == judge]
    statuses = cells["status"].value_counts(normalize=True)
    return {
        "Judge": judge,
        "Debates": len(cells),
        **_share(cells["right"], cells["group"]).columns("Accuracy"),
        **{name: statuses.get(status, 0.0) for status, name in STATUSES.items()},
        _TIED: statuses.get("tied", 0.0),
        "Verdicts": len(verdicts),
        **_share(verdicts["first"], verdicts["group"]).columns("For the first"),
        "Right is first": verdicts["right_first"].mean(),
        **_orders(verdicts).columns("Both orders agree"),
    }


def _orders(verdicts: pd.DataFrame) -> Estimate:
    """How often a judge gives the same answer in both orders."""
    read = verdicts[verdicts["status"] == "ok"]
    sides = read.pivot_table(
        index=[*DEBATE, "group"], columns="order", values="answer", aggfunc="last"
    )
    if not {"ab", "ba"} <= set(sides):
        return Estimate(nan, nan, nan)
    both = sides.dropna(subset=["ab", "ba"])
    same = (both["ab"] == both["ba"]).astype(float)
    return _share(same, both.index.get_level_values("group").to_series())


def _share(values: "pd.Series[float]", groups: "pd.Series[str]") -> Estimate:
    found = share(values.astype(float), groups)
    return Estimate(found.value, found.low, found.high)


def _pairs(panel: Panel) -> Iterator[dict[str, object]]:
    answers, right = panel.matrix("answer"), panel.matrix()
    groups = panel.judgements.drop_duplicates(DEBATE).set_index(DEBATE)["group"]
    for one, other in combinations(panel.judges, 2):
        both = answers[[one, other]].dropna()
        if both.empty:
            continue
        a, b = both[one], both[other]
        apart = (right.loc[both.index, one] - right.loc[both.index, other]).abs()
        same = (a == b).astype(float)
        yield {
            "Judge": one,
            "Other judge": other,
            "Debates": len(both),
            **_share(same, groups.loc[both.index]).columns("Agreement"),
            "Kappa": cohen_kappa(list(a), list(b)),
            "Only one right": apart.mean(),
        }


def _in_words(panel: Panel) -> pd.DataFrame:
    """One row per debate; in each judge's column what became of its verdict."""
    right, status = panel.matrix(), panel.matrix("status")
    words = status.replace({"ok": "answered", "tied": _TIED.lower()} | _WORDS)
    words = words.mask(right == 1, "right").mask(right == 0, "wrong")
    ordered = by_number_right(right)
    shown = words.loc[ordered.index].reset_index().drop(columns="debate")
    shown.insert(2, "Judges right", ordered.sum(axis=1).astype(int).to_numpy())
    return shown.rename(columns={"id": "Sample", "epoch": "Epoch"})


_WORDS = {status: name.lower() for status, name in STATUSES.items()}
_CLUSTERED = (
    "95 % intervals, which take epochs of a sample, and samples of one group, as one "
    "observation."
)
