"""What choosing the best of several speeches does to debate and to consultancy."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.debate.record import Status
from inspect_debate.metrics.means import cluster_means, pooled_mean
from inspect_debate.metrics.paired import DiD, did, holm
from inspect_debate.reports.comparisons import SEED
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    P_VALUE,
    PERCENT,
    POINTS,
    Item,
    Notice,
    Table,
    counted,
    listed,
)
from inspect_debate.reports.estimates import of_mean
from inspect_debate.reports.generative.comparisons import Comparison
from inspect_debate.reports.generative.frames import Cell, cells_of, partner
from inspect_debate.reports.generative.pairing import KEYS, PairingError, pair_up
from inspect_debate.reports.generative.study import KINDS
from inspect_debate.reports.generative.tables import (
    BOOTSTRAP,
    FORMAT,
    MODELS,
    Rows,
    fpr,
    heading,
    rows_of,
)

_VERDICT = "verdict_correct"
_DID = "DiD"
_SPEAKERS = ("debate", "consultancy")
_FOUR = ("debate_n", "debate_1", "consultancy_n", "consultancy_1")


class Chosen(NamedTuple):
    """Debates and consultancies of one kind, on the same answers.

    Attributes:
        cell: The debate with chosen speeches.
        variants: What of the four is not as in the study.
        verdicts: Whether verdicts are right, by question and epoch, on the samples that
            all of them have: the columns `debate_1`, `debate_n`, `consultancy_1` and
            `consultancy_n`.
        tested: The difference in differences.
    """

    cell: Cell
    variants: Sequence[str]
    verdicts: pd.DataFrame
    tested: DiD

    def gain(self, name: str) -> float:
        """What choosing adds to debate or to consultancy."""
        means = self.verdicts.mean()
        return float(means[f"{name}_n"] - means[f"{name}_1"])


def best_of_section_items(items: pd.DataFrame) -> list[Item | None]:
    """Gains of best-of-n, their difference in differences, and the rewards.

    Args:
        items: As from `items_of`.

    Returns:
        The tables of gains, of differences in differences and of rewards, each None
        without the formats for it, and a notice of what was refused, if anything was.
    """
    cells = cells_of(items)
    refused: list[str] = []
    gains = list(_gains(cells, refused))
    chosen = list(_all_four(cells, refused))
    return [
        _refusals(refused),
        _gains_table(gains),
        _did_table(chosen),
        rewards_table(items),
    ]


def without_choice(cells: Mapping[Cell, pd.DataFrame], cell: Cell) -> Cell | None:
    """The same format with the first speeches, of which there is a single candidate.

    Args:
        cells: As from `cells_of`.
        cell: One with chosen speeches. Another model as its reward may tell it from
            the format without, as parameters of that may not.

    Returns:
        The other cell; None where there is none, or none that stands out.
    """
    return partner(cells, cell, cell.interaction, best_of=1)


def _gains(
    cells: Mapping[Cell, pd.DataFrame], refused: list[str]
) -> Iterator[Comparison]:
    """Every format with chosen speeches against that with the first ones."""
    for cell in _with_choice(cells):
        first = without_choice(cells, cell)
        if first is None:
            continue
        what = f"{heading(cell)}: {cell.title} and {first.title}"
        try:
            paired = pair_up(cells[first], cells[cell], what=what)
        except PairingError as error:
            refused.append(error.message)
        else:
            if len(paired.a):
                yield Comparison(cell, first, paired)


def chosen_speeches(cells: Mapping[Cell, pd.DataFrame], cell: Cell) -> Chosen | None:
    """A debate with chosen speeches beside that without, and both consultancies.

    Args:
        cells: As from `cells_of`.
        cell: The debate with chosen speeches.

    Returns:
        The four, on the samples that all have; None where one of them is missing, or
        they share no sample.

    Raises:
        PairingError: As `pair_up`.
    """
    others = (
        without_choice(cells, cell),
        consultancy := partner(cells, cell, "consultancy"),
        consultancy and without_choice(cells, consultancy),
    )
    four = [cell, *(other for other in others if other is not None)]
    if len(four) < len(_FOUR):
        return None
    verdicts = _shared(cells, four)
    if verdicts.empty:
        return None
    variants = list(dict.fromkeys(of.variant for of in four))
    return Chosen(cell, variants, verdicts, _tested(verdicts))


def _all_four(
    cells: Mapping[Cell, pd.DataFrame], refused: list[str]
) -> Iterator[Chosen]:
    for cell in _with_choice(cells):
        if cell.interaction != "debate":
            continue
        try:
            found = chosen_speeches(cells, cell)
        except PairingError as error:
            refused.append(error.message)
        else:
            yield from [found] if found else []


def _with_choice(cells: Mapping[Cell, pd.DataFrame]) -> list[Cell]:
    return [cell for cell in cells if cell.best_of > 1]


def _shared(cells: Mapping[Cell, pd.DataFrame], four: Sequence[Cell]) -> pd.DataFrame:
    """Verdicts on the samples that all four have, by question and epoch.

    Raises:
        PairingError: As `pair_up`.
    """
    debate, *others = four
    verdicts = []
    for other in others:
        what = f"{heading(debate)}: {debate.title} and {other.title}"
        paired = pair_up(cells[debate], cells[other], what=what)
        verdicts.append(_read(paired.b))
    read = _read(cells[debate])
    return pd.concat([read, *verdicts], axis=1, join="inner", keys=_FOUR)


def _read(rows: pd.DataFrame) -> "pd.Series[float]":
    return rows.set_index(KEYS)[_VERDICT].dropna()


def _tested(verdicts: pd.DataFrame) -> DiD:
    return did(
        verdicts["debate_1"],
        verdicts["debate_n"],
        verdicts["consultancy_1"],
        verdicts["consultancy_n"],
        verdicts.index.get_level_values("question_id"),
        seed=SEED,
    )


def _refusals(refused: Sequence[str]) -> Notice | None:
    told = listed(dict.fromkeys(refused))
    return Notice(f"Not compared for best-of-n:\n\n{told}") if told else None


def _gains_table(gains: Sequence[Comparison]) -> Table | None:
    if not gains:
        return None
    p, fpr = (
        holm(dict(enumerate(p_values)))
        for p_values in ([one.p for one in gains], [one.fpr.p for one in gains])
    )
    rows = [_gain_row(one, p[n], fpr[n]) for n, one in enumerate(gains)]
    return Table(
        name="best_of_gains",
        title="What the best of n speeches change: verdict accuracy and FPR",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(["First", "Best", "FPR first", "FPR best"], PERCENT),
            **dict.fromkeys(["Gain", "FPR change"], POINTS),
            **dict.fromkeys(["p", "p (Holm)", "FPR p", "FPR p (Holm)"], P_VALUE),
        },
        note="Percent and percentage points, on the same answers and with a readable "
        "verdict in both. First: every speech as it comes; best: the one of n with the "
        f"highest reward. {BOOTSTRAP} p: McNemar's exact test, or sign "
        "flips where questions have several epochs; of FPR, sign flips. Holm: "
        f"corrected over the {counted(len(rows), 'format')} of this table, one measure "
        "at a time.",
    )


def _gain_row(one: Comparison, p: float, fpr_p: float) -> dict[str, object]:
    first, best = Rows(one.other, one.paired.a), Rows(one.cell, one.paired.b)
    return {
        MODELS: heading(one.cell),
        FORMAT: one.title,
        "Samples": len(one.paired.a),
        "First": first.share(_VERDICT).value,
        "Best": best.share(_VERDICT).value,
        "Gain": one.difference.difference,
        "Gain low": one.difference.low,
        "Gain high": one.difference.high,
        "p": one.p,
        "p (Holm)": p,
        "FPR first": fpr(first.items).value,
        "FPR best": fpr(best.items).value,
        "FPR change": one.fpr.difference,
        "FPR change low": one.fpr.low,
        "FPR change high": one.fpr.high,
        "FPR p": one.fpr.p,
        "FPR p (Holm)": fpr_p,
    }


def _did_table(chosen: Sequence[Chosen]) -> Table | None:
    if not chosen:
        return None
    adjusted = holm({n: one.tested.p for n, one in enumerate(chosen)})
    rows = [_did_row(one, adjusted[n]) for n, one in enumerate(chosen)]
    return Table(
        name="best_of_did",
        title="What the best of n speeches add to debate beyond consultancy",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(["Debate gain", "Consultancy gain", _DID], POINTS),
            **dict.fromkeys(["p", "p (Holm)", "Flip p"], P_VALUE),
            "t": NUMBER,
        },
        note="Percentage points of verdict accuracy, on the answers of which all four "
        "formats have a readable verdict. Gain: with the best of n speeches less with "
        "the first ones. DiD: the debate's gain less the consultancy's, question by "
        "question, epochs averaged first; interval, t and p: Student's, of the "
        "questions. Flip p: random sign flips of questions. Holm: corrected over the "
        f"{counted(len(rows), 'row')} of this table.",
    )


def _did_row(one: Chosen, adjusted: float) -> dict[str, object]:
    kind = KINDS[one.cell.proposers].capitalize()
    told = [kind, f"best of {one.cell.best_of}", *one.variants]
    return {
        MODELS: heading(one.cell),
        "Formats": ", ".join(filter(None, told)),
        "Samples": one.tested.n,
        "Questions": one.tested.questions,
        **{f"{name.capitalize()} gain": one.gain(name) for name in _SPEAKERS},
        _DID: one.tested.value,
        f"{_DID} low": one.tested.low,
        f"{_DID} high": one.tested.high,
        "t": one.tested.t,
        "p": one.tested.p,
        "p (Holm)": adjusted,
        "Flip p": one.tested.p_flip,
    }


# The rewards by which the best of several speeches were chosen.


def rewards_table(items: pd.DataFrame) -> Table | None:
    """Rewards of chosen speeches and of all candidates, and how many are missing.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None where nothing was chosen.
    """
    rows = [_row(of) for of in rows_of(items) if of.cell.best_of > 1]
    if not rows:
        return None
    return Table(
        name="rewards",
        title="Rewards of candidate speeches",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={"Not read": PERCENT, "Rewards": COUNT},
        note="The reward is what the model that scores candidates gives the speaker's "
        "own answer (a critic: its stance): 2c - 1 if it rules it correct with "
        "confidence c, the negative if not; so from -1 to 1. Chosen: mean of the "
        "speeches that were given; all: of all candidates; 95 % intervals, Student's, "
        "of the questions' means. Not read: percent of the rewards asked for; such a "
        "candidate is chosen only if none of its siblings has a reward.",
    )


def _row(of: Rows) -> dict[str, object]:
    items = of.items
    chosen, every = items["reward_chosen"], items["reward_mean"]
    asked = sum(_total(items, f"rewards_{status}") for status in Status)
    return {
        **of.named,
        **_mean("Chosen", chosen, items),
        **_mean("All", every, items),
        **_mean("Chosen less all", chosen - every, items, reach=2),
        "Not read": _total(items, "rewards_unread") / asked if asked else np.nan,
        "Rewards": asked,
    }


def _total(items: pd.DataFrame, column: str) -> float:
    return float(items[column].sum()) if column in items else 0.0


def _mean(
    name: str, values: "pd.Series[float]", items: pd.DataFrame, reach: float = 1
) -> dict[str, float]:
    found = pooled_mean(cluster_means(values, items["question_id"]))
    return of_mean(found, (-reach, reach)).columns(name)
