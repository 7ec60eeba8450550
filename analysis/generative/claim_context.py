"""The rows that a claim of the study is held against, and their comparisons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd

from inspect_debate.analysis.generative.best_of import without_choice
from inspect_debate.analysis.generative.comparisons import (
    Compared,
    Comparison,
    compare,
)
from inspect_debate.analysis.generative.frames import Cell, cells_of, partner
from inspect_debate.analysis.generative.pairing import PairingError, pair_up
from inspect_debate.core.generative import Interaction


@dataclass(frozen=True)
class Context:
    """The rows of one family on some data.

    Attributes:
        items: As from `items_of` and `tiered`.
        pairs: What was compared so far, by the cells; None where it cannot be.
    """

    items: pd.DataFrame
    pairs: dict[tuple[Cell, Cell], Comparison | None] = field(default_factory=dict)

    @cached_property
    def consultancy(self) -> Compared:
        """Debates against consultancies."""
        return compare(self.items, "consultancy")

    @cached_property
    def cells(self) -> Mapping[Cell, pd.DataFrame]:
        """Its cells."""
        return cells_of(self.items)

    def cell(
        self, proposers: int, interaction: Interaction, best_of: int = 1
    ) -> Cell | None:
        """The cell of that format: that without a variant, or else the only one."""
        alike = [
            cell
            for cell in self.cells
            if (cell.proposers, cell.interaction, cell.best_of)
            == (proposers, interaction, best_of)
        ]
        plain = [cell for cell in alike if not cell.variant]
        return next(iter(plain or alike), None)

    def paired(self, cell: Cell | None, other: Cell | None) -> Comparison | None:
        """A cell less another cell; None where there are no pairs."""
        if cell is None or other is None:
            return None
        # Several claims are about the same pairs.
        if (cell, other) not in self.pairs:
            self.pairs[cell, other] = self._paired(cell, other)
        return self.pairs[cell, other]

    def _paired(self, cell: Cell, other: Cell) -> Comparison | None:
        try:
            found = pair_up(self.cells[other], self.cells[cell], what=cell.title)
        except PairingError:
            return None
        return Comparison(cell, other, found) if len(found.a) else None

    def against(self, cell: Cell | None, interaction: Interaction) -> Comparison | None:
        """A cell less the one that it is held against."""
        other = cell and partner(self.cells, cell, interaction)
        return self.paired(cell, other)

    def chosen(self, cell: Cell | None) -> Comparison | None:
        """A cell with the best speeches less that with the first ones."""
        return self.paired(cell, cell and without_choice(self.cells, cell))
