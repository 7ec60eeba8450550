"""Debate against consultancy, and both against no transcript, on the same answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.endorsement import ratio_difference
from inspect_debate.metrics.paired import (
    Equivalence,
    McNemar,
    PairedDifference,
    equivalence,
    holm,
    mcnemar,
)
from inspect_debate.reports.comparisons import SEED, in_words
from inspect_debate.reports.elements import (
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Format,
    Table,
    counted,
)
from inspect_debate.reports.generative.frames import Cell, alike, cells_of, partner
from inspect_debate.reports.generative.pairing import Paired, PairingError, pair_up
from inspect_debate.reports.generative.study import ALPHA, KINDS
from inspect_debate.reports.generative.tables import (
    BOOTSTRAP,
    MODELS,
    fpr,
    heading,
    shown,
    without_empty,
)
from inspect_debate.solvers.formats import Interaction

Against = Literal["consultancy", "none"]

COMPARED = "Compared"

_SPEAKING: Mapping[Against, Sequence[Interaction]] = {
    "consultancy": ("debate",),
    "none": ("debate", "consultancy"),
}


@dataclass(frozen=True)
class Comparison:
    """A format less the one that it is held against, on the same answers.

    Attributes:
        cell: The format.
        other: What it is held against.
        paired: The samples of the other and of the format, in this order.
    """

    cell: Cell
    other: Cell
    paired: Paired

    @cached_property
    def test(self) -> McNemar:
        """McNemar's exact test, as the study has it."""
        return mcnemar(*self._right, exact=True)

    @property
    def flip(self) -> float:
        """The p-value of sign flips of whole questions."""
        return self.difference.p

    @property
    def p(self) -> float:
        """What the conclusion follows from: flips where questions have epochs."""
        return self.test.p if self.paired.independent else self.flip

    @cached_property
    def difference(self) -> PairedDifference:
        """Verdict accuracy of the format less that of the other."""
        other, ours = self._right
        every = np.ones(len(ours))
        return ratio_difference(
            other, every, ours, every, self.paired.questions, seed=SEED
        )

    @cached_property
    def fpr(self) -> PairedDifference:
        """FPR of the format less that of the other."""
        a, b = self.paired.a, self.paired.b
        counts = (a["fp"], a["n_wrong"], b["fp"], b["n_wrong"])
        return ratio_difference(*counts, self.paired.questions, seed=SEED)

    @property
    def title(self) -> str:
        """What readers call the format, and the other where that is not plain."""
        return self.cell.against(self.other)

    @property
    def named(self) -> dict[str, object]:
        """The first cells of its row."""
        return {
            MODELS: heading(self.cell),
            COMPARED: f"{self.cell.title} less {self.other.title}",
            "Samples": len(self.paired.a),
        }

    @property
    def _right(self) -> "tuple[pd.Series[float], pd.Series[float]]":
        return self.paired.a["verdict_correct"], self.paired.b["verdict_correct"]


class Compared(NamedTuple):
    """All comparisons of one family of them.

    Attributes:
        against: How those who speak meet in what all formats are held against.
        made: The comparisons that have a sample.
        refused: Why no pairs were made of others, in a sentence each.
    """

    against: Against
    made: Sequence[Comparison]
    refused: Sequence[str]

    def adjusted(self, p_values: Iterable[float]) -> list[float]:
        """Their p-values, corrected over the family."""
        return list(holm(dict(enumerate(p_values))).values())


def compare(items: pd.DataFrame, against: Against) -> Compared:
    """Make the comparisons of every family and data.

    Args:
        items: As from `items_of`.
        against: What formats are held against: `consultancy`, or the format without a
            transcript (`none`).
    """
    cells = cells_of(items)
    made: list[Comparison] = []
    refused: list[str] = []
    for cell in cells:
        if not cell.proposers or cell.interaction not in _SPEAKING[against]:
            continue
        other = partner(cells, cell, against)
        if other is None:
            refused += _reasons(cells, cell, against)
            continue
        what = _named(cell, other)
        try:
            paired = pair_up(cells[other], cells[cell], what=what)
        except PairingError as error:
            refused.append(error.message)
        else:
            if len(paired.a):
                made.append(Comparison(cell, other, paired))
            else:
                refused.append(f"{what} share no sample: {in_words(paired.drops)}.")
    return Compared(against, made, refused)


def _named(cell: Cell, other: Cell) -> str:
    return f"{heading(cell)}: {cell.title} and {other.title}"


def _reasons(
    cells: Mapping[Cell, pd.DataFrame], cell: Cell, against: Against
) -> Iterator[str]:
    """Why a format is held against nothing, though others of that kind are there."""
    near = alike(cells, cell, against)
    if near:
        told = "; ".join(other.title for other in near)
        yield (
            f"{heading(cell)}: {cell.title} could be held against several formats, "
            f"none of which has its parameters: {told}."
        )
        return
    for other in cells:
        if _elsewhere(cells, cell, other, against):
            try:
                pair_up(cells[other], cells[cell], what=_named(cell, other))
            except PairingError as error:
                yield error.message


def _elsewhere(
    cells: Mapping[Cell, pd.DataFrame], cell: Cell, other: Cell, against: Against
) -> bool:
    """Whether another cell is what would be compared, but for its judge or data."""
    debaters = {cells[of]["debater"].iloc[0] for of in (cell, other)}
    place = cell._replace(family=other.family, version=other.version, split=other.split)
    return len(debaters) == 1 and other in alike(cells, place, against)


# The paired comparisons as tables, and how many of them debate loses.

STUDY_TALLY = {"dual": (6, 2, 0), "single": (5, 2, 1), "all": (11, 4, 1)}
"""Losses, ties and wins of debate as printed; those of single formats follow."""

_NAMES: dict[Against, tuple[str, str]] = {
    "consultancy": ("consultancy", "debate less consultancy"),
    "none": ("no_transcript", "with speeches less without a transcript"),
}
_OUTCOMES = ("Loses", "Ties", "Wins")
_P = ("McNemar p", "Flip p", "p (Holm)")


def accuracy_table(compared: Compared) -> Table | None:
    """Verdict accuracy of formats less that of what they are held against.

    Args:
        compared: As from `compare`.

    Returns:
        The table; None where no comparison was made.
    """
    if not compared.made:
        return None
    name, title = _NAMES[compared.against]
    holm = compared.adjusted(one.p for one in compared.made)
    rows = [_row(one, p) for one, p in zip(compared.made, holm, strict=True)]
    frame = without_empty(pd.DataFrame(rows), "Left out", "Flip p")
    formats: dict[Column, Format] = {
        **dict.fromkeys(["First", "Second"], PERCENT),
        "Difference": POINTS,
        **dict.fromkeys(_P, P_VALUE),
    }
    return Table(
        name=f"comparisons_{name}",
        title=f"Paired differences in verdict accuracy: {title}",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, formats),
        note="Percent and percentage points, on the same answers and with a readable "
        "verdict in both; a dual verdict is right only if it is right about both "
        f"answers. {BOOTSTRAP} Only first, "
        "only second: samples that the one or the other alone has right. McNemar: "
        "exact, two-sided, as in the study. Flip: sign flips of whole questions, "
        "where questions have several epochs, which McNemar's test would take for "
        "independent; it decides then. Holm: corrected over the "
        f"{counted(len(rows), 'comparison')} of this table. Outcome: at p below "
        f"{ALPHA:g} without the correction, as the study counts; with it in brackets "
        "where it differs.",
    )


def fpr_table(compared: Compared) -> Table | None:
    """FPR of formats less that of what they are held against.

    Args:
        compared: As from `compare`.

    Returns:
        The table; None where no comparison was made.
    """
    if not compared.made:
        return None
    name, title = _NAMES[compared.against]
    holm = compared.adjusted(one.fpr.p for one in compared.made)
    rows = [
        {
            **one.named,
            "First": fpr(one.paired.b).value,
            "Second": fpr(one.paired.a).value,
            "Difference": one.fpr.difference,
            "Difference low": one.fpr.low,
            "Difference high": one.fpr.high,
            "p": one.fpr.p,
            "p (Holm)": p,
        }
        for one, p in zip(compared.made, holm, strict=True)
    ]
    return Table(
        name=f"comparisons_fpr_{name}",
        title=f"Paired differences in FPR: {title}",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(["First", "Second"], PERCENT),
            "Difference": POINTS,
            **dict.fromkeys(["p", "p (Holm)"], P_VALUE),
        },
        note="Share of the wrong answers that the judge calls correct, a ratio of sums "
        f"over answers, on the same samples as above. {BOOTSTRAP} "
        "p: sign flips of whole questions. Holm: corrected over the "
        f"{counted(len(rows), 'comparison')} of this table.",
    )


def tally_table(compared: Compared) -> Table | None:
    """How often debate loses to consultancy, ties and wins, ours and as printed.

    Args:
        compared: As from `compare`, against consultancy.
    """
    if not compared.made:
        return None
    holm = compared.adjusted(one.p for one in compared.made)
    found = pd.DataFrame(
        {
            "kind": [KINDS[one.cell.proposers] for one in compared.made],
            "plain": [outcome(one, one.p) for one in compared.made],
            "Holm": [
                outcome(one, p) for one, p in zip(compared.made, holm, strict=True)
            ],
        }
    )
    rows = []
    for kind, printed in STUDY_TALLY.items():
        of = found if kind == "all" else found[found["kind"] == kind]
        rows += [
            {"Formats": kind.capitalize(), "Counted": told, "Comparisons": len(of)}
            | {name: int((of[column] == name).sum()) for name in _OUTCOMES}
            for told, column in (("plain", "plain"), ("with Holm", "Holm"))
        ]
        rows.append(
            {
                "Formats": kind.capitalize(),
                "Counted": "the study",
                "Comparisons": sum(printed),
            }
            | dict(zip(_OUTCOMES, printed, strict=True))
        )
    return Table(
        name="tally",
        title="How often debate loses to consultancy, ties and wins",
        frame=pd.DataFrame(rows),
        groups="Formats",
        note=f"Loses, wins: a difference in verdict accuracy at p below {ALPHA:g}; "
        "ties: none, which does not show that the formats are alike (see the "
        "equivalence tests). The study has 2 data sets, 2 families, best of 1 and of "
        "4, and single and dual formats, 16 comparisons in all; it says how dual ones "
        "went, and those of single ones follow from that.",
    )


def tally_line(compared: Compared) -> str:
    """The counts in a sentence; empty without a comparison."""
    table = tally_table(compared)
    if table is None:
        return ""
    frame = table.frame
    row = frame[(frame["Formats"] == "All") & (frame["Counted"] == "plain")].iloc[0]
    loses, ties, wins = STUDY_TALLY["all"]
    return (
        f"Of {counted(row['Comparisons'], 'comparison')} with consultancy debate loses "
        f"{row['Loses']}, ties {row['Ties']} and wins {row['Wins']} (in the study, of "
        f"16: {loses}, {ties} and {wins})."
    )


def outcome(comparison: Comparison, p: float) -> str:
    """Whether the first format loses, ties or wins.

    Args:
        comparison: The comparison.
        p: Its p-value.
    """
    if not p < ALPHA:
        return "Ties"
    return "Wins" if comparison.difference.difference > 0 else "Loses"


def _row(one: Comparison, adjusted: float) -> dict[str, object]:
    plain, corrected = outcome(one, one.p), outcome(one, adjusted)
    difference = one.difference
    return {
        **one.named,
        "Left out": in_words(one.paired.drops),
        "First": one.paired.b["verdict_correct"].mean(),
        "Second": one.paired.a["verdict_correct"].mean(),
        "Difference": difference.difference,
        "Difference low": difference.low,
        "Difference high": difference.high,
        "Only first": one.test.only_b,
        "Only second": one.test.only_a,
        "McNemar p": one.test.p,
        "Flip p": None if one.paired.independent else one.flip,
        "p (Holm)": adjusted,
        "Outcome": plain if plain == corrected else f"{plain} ({corrected.lower()})",
    }


# Whether formats are as good as each other: equivalence tests of paired verdicts.

MARGINS = (0.05, 0.02)
"""Differences in verdict accuracy that would matter, the widest first."""

_TITLES: dict[Against, str] = {
    "consultancy": "Whether debate and consultancy are equivalent",
    "none": "Whether formats with and without a transcript are equivalent",
}
_FORMAT_NAMES: dict[Against, str] = {
    "consultancy": "consultancy",
    "none": "no_transcript",
}


def equivalence_table(
    compared: Compared, margins: Sequence[float] = MARGINS
) -> Table | None:
    """Two one-sided tests for each pair of formats, beside that of a difference.

    Args:
        compared: As from `compare`.
        margins: Differences that would matter, from the widest to the narrowest.

    Returns:
        The table; None without pairs.
    """
    if not compared.made:
        return None
    return _table(compared, margins)


def conclusion(
    p: float, found: Sequence[Equivalence], margins: Sequence[float] = MARGINS
) -> str:
    """What both kinds of tests say together.

    Args:
        p: Of the test of no difference.
        found: Of the equivalence tests.
        margins: Theirs, from the widest to the narrowest.

    Returns:
        "equivalent" (within the narrowest margin for which that is shown), "different",
        both where there is a difference but a small one, or "undecided".
    """
    within = [
        margin for margin, of in zip(margins, found, strict=True) if of.equivalent
    ]
    different = p < ALPHA
    if not within:
        return "different" if different else "undecided"
    told = f"{POINTS(within[-1]).removeprefix('+')} points"
    return (
        f"different, by less than {told}" if different else f"equivalent within {told}"
    )


def _table(compared: Compared, margins: Sequence[float]) -> Table:
    columns = {margin: f"TOST p, ±{margin * 100:g}" for margin in margins}
    rows = [_equivalence_row(one, columns) for one in compared.made]
    refused = len(compared.refused)
    return Table(
        name=f"equivalence_{_FORMAT_NAMES[compared.against]}",
        title=_TITLES[compared.against],
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            "Difference": POINTS,
            **dict.fromkeys([*columns.values(), "p"], P_VALUE),
        },
        note="A difference that is not significant does not show that formats are "
        "alike: that takes a test of its own. Differences of verdict accuracy on the "
        "same answers, in percentage points, with 90 % intervals: Student's, of the "
        "questions' means, or, where none of n questions differs, of the share that "
        "might nevertheless, 1 - 0.05^(1/n). TOST: two one-sided tests that the "
        "difference is at least "
        f"{' or '.join(f'{margin * 100:g}' for margin in margins)} points either way; "
        f"below {ALPHA:g} it is smaller. p: of no difference (McNemar's exact test, or "
        "sign flips where questions have several epochs). Undecided: neither is shown. "
        "Conclusions are not corrected for the number of pairs."
        + (f" Pairs refused, see the comparisons: {refused}." if refused else ""),
    )


def _equivalence_row(one: Comparison, columns: dict[float, str]) -> dict[str, object]:
    apart = one.paired.b["verdict_correct"] - one.paired.a["verdict_correct"]
    found = [equivalence(apart, one.paired.questions, margin) for margin in columns]
    return {
        **one.named,
        "Difference": found[0].difference,
        "Difference low": found[0].low90,
        "Difference high": found[0].high90,
        **{name: of.p for name, of in zip(columns.values(), found, strict=True)},
        "p": one.p,
        "Conclusion": conclusion(one.p, found, list(columns)),
    }
