"""The papers' tables in the form in which reports used to read them.

Only for reports that do not yet read `tables.paper_of`.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from inspect_debate.published.tables import (
    Claim,
    Inconsistency,
    Paper,
    PrintedCell,
    paper_of,
)

PublishedClaim = Claim


class Pair(NamedTuple):
    """F1 and F2 in percent, as printed to two decimals."""

    f1: float
    f2: float


class PublishedRow(NamedTuple):
    """A row of a table of ColMAD; `flags` are names of inconsistencies."""

    protocol: str
    debater_a: str
    debater_b: str | None
    math: Pair
    fact: Pair
    answerability: Pair
    mean: Pair
    flags: tuple[str, ...]


class PublishedTables(NamedTuple):
    """ColMAD's Tables 1 (`gpt4` wrote the responses) and 2 (`llama2`)."""

    source: str
    flags: Mapping[str, str]
    gpt4: tuple[PublishedRow, ...]
    llama2: tuple[PublishedRow, ...]

    def rows(self, author: str) -> tuple[PublishedRow, ...]:
        """The table of responses of `gpt4` or `llama2`; no rows for other authors."""
        return {"gpt4": self.gpt4, "llama2": self.llama2}.get(author, ())


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


class PublishedGenerative(NamedTuple):
    """What the study of inference-time generative debates says of its results."""

    source: str
    claims: tuple[Claim, ...]

    def reason(self, claim: Claim) -> str:
        """What is wrong with a claim; empty where nothing is known to be."""
        cell = paper_of("generative").cell("text", claim.id, "value")
        return "" if cell is None else cell.note


@cache
def colmad_tables() -> PublishedTables:
    """Tables 1 and 2 of ColMAD (arXiv 2510.20963) as printed, in percent."""
    paper = paper_of("colmad")
    flagged = [one for one in paper.inconsistencies if one.where]
    rows = {
        table: tuple(
            _row(name, cells, _flags(paper, flagged, table, name))
            for name, cells in of.rows.items()
        )
        for table, of in paper.tables.items()
    }
    flags = {_key(one): one.says for one in flagged}
    return PublishedTables(paper.source, flags, rows["table_1"], rows["table_2"])


def _key(entry: Inconsistency) -> str:
    return entry.id.replace("-", "_")


def _flags(
    paper: Paper, entries: list[Inconsistency], table: str, row: str
) -> tuple[str, ...]:
    return tuple(
        _key(one)
        for one in entries
        if any((c.table, c.row) == (table, row) for c in paper.found(one.where))
    )


def _row(
    name: str, cells: Mapping[str, PrintedCell], flags: tuple[str, ...]
) -> PublishedRow:
    protocol, _, models = name.partition(" ")
    a, _, b = models.partition(" + ")
    math, fact, answerability, mean = (
        Pair(cells[f"{subset}_f1"].value, cells[f"{subset}_f2"].value)
        for subset in ("math", "fact", "answerability", "mean")
    )
    scores = (math, fact, answerability, mean)
    return PublishedRow(protocol, a or "Human", b or None, *scores, flags)


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


@cache
def generative_claims() -> PublishedGenerative:
    """Claims of the study of inference-time generative debates as printed."""
    paper = paper_of("generative")
    return PublishedGenerative(paper.source, paper.text)
