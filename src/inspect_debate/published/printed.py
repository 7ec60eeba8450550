"""The papers' tables in the form in which reports used to read them.

Only for reports that do not yet read `tables.paper_of`.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from inspect_debate.published.tables import paper_of


class PublishedShare(NamedTuple):
    """A share in percent as it is printed; None where it cannot be read."""

    value: float | None = None
    note: str = ""


class _Claim(NamedTuple):
    claim: str
    tables: str


class PublishedClash(NamedTuple):
    """What "When to Trust Context" prints."""

    source: str
    notes: Mapping[str, str]
    claims: tuple[_Claim, ...]
    tables: Mapping[str, Mapping[str, Mapping[str, Mapping[str, PublishedShare]]]]

    def cell(self, table: str, model: str, arm: str, column: str) -> PublishedShare:
        """A cell; without a value where the paper has none."""
        arms = self.tables[table].get(model, {})
        return arms.get(arm, {}).get(column, PublishedShare())

    def reason(self, cell: PublishedShare) -> str:
        """What is wrong with a printed cell; empty where nothing is known to be."""
        return cell.note


@cache
def srdcr_tables() -> PublishedClash:
    """Tables 1 and 2 of SR-DCR (arXiv 2506.06020) as printed, in percent."""
    paper = paper_of("srdcr")
    tables: dict[str, dict[str, dict[str, dict[str, PublishedShare]]]] = {}
    for name, table in paper.tables.items():
        for row, cells in table.rows.items():
            model, _, arm = row.partition(" ")
            tables.setdefault(name, {}).setdefault(model, {})[arm] = {
                column: PublishedShare(cell.value, cell.note)
                for column, cell in cells.items()
            }
    claims = tuple(_Claim(one.claim, one.says) for one in paper.claims)
    notes = {name: table.note for name, table in paper.tables.items()}
    return PublishedClash(paper.source, notes, claims, tables)
