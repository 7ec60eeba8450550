"""Values as the papers print them, with what is known to be wrong with them."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Pair(NamedTuple):
    """F1 and F2 in percent, as printed to two decimals."""

    f1: float
    f2: float


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PublishedRow(_Frozen):
    """A row of a table of ColMAD.

    `protocol` is our name of it, or `human`. `debater_a` judges, too; without
    `debater_b` it answered alone. `mean` holds the printed averages over the three
    subsets. `flags` are keys of `PublishedTables.flags`.
    """

    protocol: str
    debater_a: str
    debater_b: str | None
    math: Pair
    fact: Pair
    answerability: Pair
    mean: Pair
    flags: tuple[str, ...]


class PublishedTables(_Frozen):
    """ColMAD's Tables 1 (`gpt4` wrote the responses) and 2 (`llama2`).

    `flags` says in a sentence each what is wrong with a row that has them.
    """

    source: str
    flags: Mapping[str, str]
    gpt4: tuple[PublishedRow, ...]
    llama2: tuple[PublishedRow, ...]

    def rows(self, author: str) -> tuple[PublishedRow, ...]:
        """The table of responses of `gpt4` or `llama2`; no rows for other authors."""
        return {"gpt4": self.gpt4, "llama2": self.llama2}.get(author, ())


class PublishedCell(_Frozen):
    """A cell as it is printed.

    `plain` has its signs without spaces and without the mark of a footnote, "–" where
    the paper has a dash. `flag` is a key of `PublishedConfidence.flags`.
    """

    printed: str
    plain: str
    flag: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        cell = {"printed": value} if isinstance(value, str) else dict(value)
        return {"plain": "".join(cell["printed"].split())} | cell


class Claim(_Frozen):
    """What a text says, and what its own tables, or the data, say of that."""

    id: str
    claim: str
    tables: str


class PublishedConfidence(_Frozen):
    """What "When Two LLMs Debate, Both Think They'll Win" prints.

    Attributes:
        source: Where.
        flags: What is wrong with a cell that has them, in a sentence each.
        notes: What is to be said of a whole table, by its name.
        tables: Cells by table (`table_2`, or `section_4_1` for numbers in the text),
            row and column. Rows are models, conditions or what is told, and `overall`;
            those of Table 7 are a condition and a model. Conditions go by our names.
        claims: Claims of the text that tables or released debates do not bear out.
        prices: US dollars per million tokens of prompts and of completions, by model,
            with which the authors computed Table 6 (`src/scripts/count_costs.py` of
            their repository).
    """

    source: str
    flags: Mapping[str, str]
    notes: Mapping[str, str] = Field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Mapping[str, PublishedCell]]]
    claims: tuple[Claim, ...] = ()
    prices: Mapping[str, tuple[float, float]] = Field(default_factory=dict)

    def cell(self, table: str, row: str, column: str) -> PublishedCell | None:
        """A cell, or None where the paper has none."""
        return self.tables.get(table, {}).get(row, {}).get(column)

    def reason(self, cell: PublishedCell) -> str:
        """What is wrong with a printed cell; empty where nothing is known to be."""
        return "" if cell.flag is None else self.flags[cell.flag]


class PublishedShare(_Frozen):
    """A share in percent as it is printed; None where it cannot be read.

    `flag` is a key of `PublishedClash.flags`.
    """

    value: float | None = None
    flag: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_number(cls, value: Any) -> Any:
        return {"value": value} if isinstance(value, int | float) else value


class CodeClaim(_Frozen):
    """Where a study's released code does otherwise than its text says.

    Attributes:
        id: Its name.
        said: What is wrong, in a sentence or two.
        paper: What the text says.
        code: What the code does.
        where: The file, and the cell of a notebook.
        deduced: What follows for the printed numbers if this code made them; empty
            where nothing is deduced.
    """

    id: str
    said: str
    paper: str
    code: str
    where: str
    deduced: str = ""


class PublishedClash(_Frozen):
    """What "When to Trust Context" prints.

    Attributes:
        source: Where.
        flags: What is wrong with a cell that has them, in a sentence each.
        notes: What is to be said of a whole table, by its name.
        claims: Claims of the text that its tables do not bear out.
        code: Where the released code does otherwise than the text says.
        tables: Cells by table (`table_1`: `standard`, `perturbed`, `overall`;
            `table_2`: the offset in years, `overall`), model, arm and column. An arm
            without cells cannot be read in the text that they were taken from.
    """

    source: str
    flags: Mapping[str, str]
    notes: Mapping[str, str]
    claims: tuple[Claim, ...]
    code: tuple[CodeClaim, ...]
    tables: Mapping[str, Mapping[str, Mapping[str, Mapping[str, PublishedShare]]]]

    def cell(self, table: str, model: str, arm: str, column: str) -> PublishedShare:
        """A cell; without a value where the paper has none."""
        arms = self.tables[table].get(model, {})
        return arms.get(arm, {}).get(column, PublishedShare())

    def reason(self, cell: PublishedShare) -> str:
        """What is wrong with a printed cell; empty where nothing is known to be."""
        return "" if cell.flag is None else self.flags[cell.flag]


class PublishedClaim(_Frozen):
    """A number or finding of a text, in our words, with its value as it is printed.

    Attributes:
        id: Its name.
        claim: What it is about.
        printed: Its value, with what is said of its significance.
        measure: How ours are measured; None where they are not.
        dataset: `arc` or `bcb_plus`; None where it is about both, or not told.
        family: `gpt5` or `qwen3`; the same.
        proposers: How many answers are judged; the same.
        interaction: How those who speak meet.
        best_of: Of how many candidates speeches are chosen.
        convention: What the value follows from, where that is not plain.
        flag: A key of `PublishedGenerative.flags`.
    """

    id: str
    claim: str
    printed: str
    measure: str | None = None
    dataset: str | None = None
    family: str | None = None
    proposers: int | None = None
    interaction: Literal["debate", "consultancy", "none"] | None = None
    best_of: int | None = None
    convention: str = ""
    flag: str | None = None


class PublishedGenerative(_Frozen):
    """What the study of inference-time generative debates says of its results.

    Attributes:
        source: Where.
        flags: What is wrong with, or open about, a claim, in a sentence or two.
        claims: In the order of the text.
    """

    source: str
    flags: Mapping[str, str]
    claims: tuple[PublishedClaim, ...]

    def reason(self, claim: PublishedClaim) -> str:
        """What is wrong with a claim; empty where nothing is known to be."""
        return "" if claim.flag is None else self.flags[claim.flag]


@cache
def colmad_tables() -> PublishedTables:
    """Tables 1 and 2 of ColMAD (arXiv 2510.20963) as printed, in percent."""
    return PublishedTables.model_validate_json(_text("colmad.json"))


@cache
def confidence_tables() -> PublishedConfidence:
    """Tables and numbers of the confidence study (arXiv 2505.19184) as printed."""
    return PublishedConfidence.model_validate_json(_text("confidence.json"))


@cache
def srdcr_tables() -> PublishedClash:
    """Tables 1 and 2 of SR-DCR (arXiv 2506.06020) as printed, in percent."""
    return PublishedClash.model_validate_json(_text("srdcr.json"))


@cache
def generative_claims() -> PublishedGenerative:
    """Claims of the study of inference-time generative debates as printed."""
    return PublishedGenerative.model_validate_json(_text("generative.json"))


def _text(name: str) -> str:
    folder = resources.files("inspect_debate.published")
    return (folder / name).read_text(encoding="utf-8")


# Printed percentages as shares of a number of items, rounded or cut off.

_EXACT = 1e-9


def items_behind(printed: float, n: int, digits: int) -> int | None:
    """How many of n items are printed as so many percent; None where no number is.

    Args:
        printed: In percent.
        n: The number of items.
        digits: How many decimals are printed.
    """
    near = round(printed * n / 100)
    fitting = (
        k for k in (near, near + 1) if is_printed_so(100 * k / n, printed, digits)
    )
    return next(fitting, None)


def is_printed_so(exact: float, printed: float, digits: int) -> bool:
    """Whether a number is printed so, be it rounded or cut off after its decimals."""
    unit = 10.0**-digits
    return -unit / 2 - _EXACT <= exact - printed < unit - _EXACT
