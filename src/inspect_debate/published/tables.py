"""The papers' printed numbers by table, row and column, with their footnotes.

What reports use of the papers:

    paper = paper_of("srdcr")
    cell = paper.cell("table_1", "gpt-4o-2024-08-06 srdcr", "overall")
    cell.number        # 74.59
    cell.note          # what is wrong with it, or ""

| study | tables | rows | columns |
|---|---|---|---|
| `colmad` | `table_1`, `table_2` | as from `row_of` | `math_f1`, ..., `mean_f2` |
| `confidence` | `table_2`, ... | a model, a condition, `overall` | `opening`, ... |
| `srdcr` | `table_1`, `table_2` | model and arm: `gpt-4o-2024-08-06 rci` | `standard` |
| `generative` | `text` | the id of a claim: `fpr.debate` | `value` |
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from inspect_debate.published.printed import (
    Claim,
    PublishedRow,
    PublishedTables,
    colmad_tables,
    confidence_tables,
    generative_claims,
    srdcr_tables,
)

Status = Literal[
    "equal", "differs", "not comparable", "not in the paper", "as printed only"
]

_NUMBER = re.compile(r"[-−+]?\d+(?:\.(?P<decimals>\d+))?(?P<power>×10\^-?\d+)?")
_DIFFERENCES = re.compile(r"-?\d+(?:\.(?P<decimals>\d+))?(?P<power>×10\^-?\d+)?")


@dataclass(frozen=True)
class PrintedCell:
    """A number, or several, as a paper prints them.

    Attributes:
        table: Its table, or the place in the text: `table_2`, `section_4_1`.
        row: Its row.
        column: Its column.
        printed: As printed.
        plain: Without spaces and the mark of a footnote.
        note: What is known to be wrong with it; empty where nothing is.
    """

    table: str
    row: str
    column: str
    printed: str
    plain: str
    note: str = ""

    @property
    def numbers(self) -> list[float]:
        """All numbers in the cell, in their order."""
        return [_value(found) for found in _NUMBER.finditer(self.plain)]

    @property
    def number(self) -> float | None:
        """The first number in the cell; None where there is none, as in a dash."""
        return next(iter(self.numbers), None)


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper.

    Attributes:
        rows: The cells by row and column, in the paper's order. A row without cells
            cannot be read in the text that they were taken from.
        note: What to know about the whole table.
        row_notes: What is known to be wrong with whole rows.
    """

    rows: Mapping[str, Mapping[str, PrintedCell]]
    note: str = ""
    row_notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Paper:
    """What a paper prints.

    Attributes:
        source: Which paper it is, and which of its tables these are.
        tables: Its tables by name; numbers in the text are in tables of their own.
        claims: What the text says and its tables, or the data, do not bear out.
        prices: US dollars per million tokens of prompts and of completions, by model,
            where the authors computed costs with them.
    """

    source: str
    tables: Mapping[str, PaperTable]
    claims: tuple[Claim, ...] = ()
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def cell(self, table: str, row: str, column: str) -> PrintedCell | None:
        """A cell; None where the paper has none."""
        found = self.tables.get(table)
        return None if found is None else found.rows.get(row, {}).get(column)

    def cells(self) -> Iterator[PrintedCell]:
        """All cells in the paper's order."""
        for table in self.tables.values():
            for row in table.rows.values():
                yield from row.values()


@dataclass(frozen=True)
class Compared:
    """A value of ours beside the paper's.

    Attributes:
        ours: As a text in the paper's form; None where there is none.
        paper: The printed cell; None where the paper has none.
        comparable: False where ours is about other debates than the paper's.
    """

    ours: str | None
    paper: PrintedCell | None = None
    comparable: bool = True

    @property
    def status(self) -> Status:
        """Whether both are there, and the same but for spaces."""
        if self.paper is None:
            return "not in the paper"
        if self.ours is None:
            return "as printed only"
        if not self.comparable:
            return "not comparable"
        return "equal" if _plain(self.ours) == self.paper.plain else "differs"

    @property
    def difference(self) -> str | None:
        """Ours less the paper's, of every number in the cell; None without either.

        "0" where cells are equal, and "≠" where they differ in more than in numbers.
        """
        if self.status == "equal":
            return "0"
        if self.status != "differs" or self.ours is None or self.paper is None:
            return None
        ours = list(_DIFFERENCES.finditer(_plain(self.ours)))
        theirs = list(_DIFFERENCES.finditer(self.paper.plain))
        apart = [_less(a, b) for a, b in zip(ours, theirs, strict=False)]
        comparable = len(ours) == len(theirs) and any(text != "0" for text in apart)
        return " / ".join(apart) if comparable else "≠"

    @property
    def note(self) -> str:
        """Why the printed cell does not follow from the data, where that is known."""
        if self.paper is None or self.status in ("equal", "not comparable"):
            return ""
        return self.paper.note


@cache
def paper_of(study: str) -> Paper:
    """What the paper of a study prints.

    Args:
        study: `colmad`, `confidence`, `srdcr` or `generative`.

    Raises:
        KeyError: If there is no such study.
    """
    return _PAPERS[study]()


def row_of(protocol: str, debater_a: str = "", debater_b: str | None = None) -> str:
    """The name of a row of ColMAD's tables, with models as printed.

    `single GPT4o-mini`, `colmad GPT4o-mini + Llama3.1-70B` (the first model is the
    judge, too) or `human`.
    """
    if protocol == "human":
        return protocol
    models = debater_a if debater_b is None else f"{debater_a} + {debater_b}"
    return f"{protocol} {models}"


def _colmad() -> Paper:
    tables = colmad_tables()
    return Paper(
        tables.source,
        {
            f"table_{n}": PaperTable(
                dict(_colmad_row(tables, f"table_{n}", row) for row in rows),
                row_notes={
                    _row_name(row): note
                    for row in rows
                    if (note := _notes(tables, row, None))
                },
            )
            for n, rows in ((1, tables.gpt4), (2, tables.llama2))
        },
    )


# Of which columns a flag is; others are of whole rows.
_COLUMNS_OF = {
    "averages_swapped": "mean",
    "fact_with_85_errors": "fact",
    "rounded_twice": "math",
}


def _row_name(row: PublishedRow) -> str:
    return row_of(row.protocol, row.debater_a, row.debater_b)


def _colmad_row(
    tables: PublishedTables, table: str, row: PublishedRow
) -> tuple[str, dict[str, PrintedCell]]:
    name = _row_name(row)
    pairs = {
        "math": row.math,
        "fact": row.fact,
        "answerability": row.answerability,
        "mean": row.mean,
    }
    return name, {
        column: PrintedCell(
            table, name, column, text, text, note=_notes(tables, row, subset)
        )
        for subset, pair in pairs.items()
        for score, value in pair._asdict().items()
        for column, text in [(f"{subset}_{score}", f"{value:.2f}")]
    }


def _notes(tables: PublishedTables, row: PublishedRow, column: str | None) -> str:
    found = [flag for flag in row.flags if _COLUMNS_OF.get(flag) == column]
    return " ".join(tables.flags[flag] for flag in found)


def _confidence() -> Paper:
    found = confidence_tables()
    return Paper(
        found.source,
        {
            table: PaperTable(
                {
                    row: {
                        column: PrintedCell(
                            *(table, row, column),
                            *(cell.printed, cell.plain, found.reason(cell)),
                        )
                        for column, cell in cells.items()
                    }
                    for row, cells in rows.items()
                },
                note=found.notes.get(table, ""),
            )
            for table, rows in found.tables.items()
        },
        found.claims,
        found.prices,
    )


def _srdcr() -> Paper:
    found = srdcr_tables()
    return Paper(
        found.source,
        {
            table: PaperTable(
                {
                    f"{model} {arm}": {
                        column: PrintedCell(
                            *(table, f"{model} {arm}", column),
                            *(f"{cell.value:.2f}", f"{cell.value:.2f}"),
                            note=found.reason(cell),
                        )
                        for column, cell in cells.items()
                        if cell.value is not None
                    }
                    for model, arms in models.items()
                    for arm, cells in arms.items()
                },
                note=found.notes.get(table, ""),
            )
            for table, models in found.tables.items()
        },
        found.claims,
    )


def _generative() -> Paper:
    found = generative_claims()
    rows = {
        claim.id: {
            "value": PrintedCell(
                *("text", claim.id, "value"),
                *(claim.printed, _plain(claim.printed), found.reason(claim)),
            )
        }
        for claim in found.claims
    }
    return Paper(found.source, {"text": PaperTable(rows)})


_PAPERS = {
    "colmad": _colmad,
    "confidence": _confidence,
    "srdcr": _srdcr,
    "generative": _generative,
}


def _plain(text: str) -> str:
    return "".join(text.split())


def _less(ours: re.Match[str], theirs: re.Match[str]) -> str:
    """The difference of two numbers, to the digits of the second."""
    difference = _value(ours) - _value(theirs)
    if theirs["power"]:
        return f"{difference:+.2e}"
    text = f"{difference:+.{len(theirs['decimals'] or '')}f}"
    return text.replace("-", "−") if float(text) else "0"


def _value(number: re.Match[str]) -> float:
    return float(number[0].replace("×10^", "e").replace("−", "-"))
