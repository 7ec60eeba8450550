"""Debate against consultancy, and both against no transcript, on the same answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.analysis.comparisons import SEED, in_words
from inspect_debate.analysis.generative.frames import Cell, alike, cells_of, partner
from inspect_debate.analysis.generative.pairing import Paired, PairingError, pair_up
from inspect_debate.analysis.generative.tables import MODELS, heading
from inspect_debate.core.generative import Interaction
from inspect_debate.core.measures.endorsement import ratio_difference
from inspect_debate.core.measures.paired import (
    McNemar,
    PairedDifference,
    holm,
    mcnemar,
)

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
