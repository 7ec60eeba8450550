"""The papers' printed numbers by table, row and column, with their footnotes.

What reports use of the papers:

    paper = paper_of("confidence")
    cell = paper.cell("table_2", "overall", "opening")
    cell.number        # 72.92
    cell.note          # what is wrong with it, or ""

| study | tables | rows | columns |
|---|---|---|---|
| `colmad` | `table_1`, `table_2` | as from `row_of` | `math_f1`, ..., `mean_f2` |
| `confidence` | `table_2`, ... | a model, a condition, `overall` | `opening`, ... |
`standard` | | `generative` | `text` | the id of a claim: `fpr.debate` | `value` |

Each paper is a file beside this one, `STUDY.yaml`, which is read as a list: the tables
as printed, the rules that their cells should follow, and the inconsistencies, each with
the cells that it is about and the rule that shows it. `engine.py` has the rules.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import translate
from functools import cache, cached_property
from importlib import resources
from typing import Any, Literal, NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

Status = Literal[
    "equal", "differs", "not comparable", "not in the paper", "as printed only"
]
State = Literal["impossible", "contradicted", "convention", "open"]
"""What an inconsistency is.

`impossible`: no numbers of items give what is printed, or other printed cells
contradict it. `contradicted`: the paper's tables, its code or its data say otherwise
than its text. `convention`: right, but by another convention than the stated one.
`open`: what leaves open what a printed number is.
"""


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
        place: Where it is, for readers: "Table 2, overall, opening".
    """

    table: str
    row: str
    column: str
    printed: str
    plain: str
    note: str = ""
    place: str = ""

    @cached_property
    def numbers(self) -> list[float]:
        """All numbers in the cell, in their order."""
        text = re.sub(r"(?<=\d),(?=\d{3})", "", self.plain)
        return [_value(found) for found in _NUMBER.finditer(text)]

    @property
    def number(self) -> float | None:
        """The first number in the cell; None where there is none, as in a dash."""
        return next(iter(self.numbers), None)

    @property
    def value(self) -> float:
        """The first number in the cell.

        Raises:
            ValueError: If there is none.
        """
        if self.number is None:
            raise ValueError(f"{self.place} has no number: {self.printed}")
        return self.number

    @property
    def decimals(self) -> int:
        """How many decimals its first number is printed with, one at least."""
        return max(1, len(self.printed.split()[0].rstrip("%").partition(".")[2]))


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper.

    Attributes:
        rows: The cells by row and column, in the paper's order. A row without cells
            cannot be read in the text that they were taken from.
        note: What to know about the whole table.
        row_notes: What is known to be wrong with whole rows.
        why_open: Why nothing can be computed beside its cells; empty where it can.
    """

    rows: Mapping[str, Mapping[str, PrintedCell]]
    note: str = ""
    row_notes: Mapping[str, str] = field(default_factory=dict)
    why_open: str = ""


class _Entry(BaseModel):
    """An entry of a file; its other keys are the arguments of the rule."""

    model_config = ConfigDict(frozen=True, extra="allow")

    rule: str = ""

    @property
    def arguments(self) -> Mapping[str, Any]:
        return self.model_extra or {}


class CellRule(_Entry):
    """The rule that some cells should follow.

    Attributes:
        cells: Which cells, as `Pattern` reads it.
        rule: A function of `engine.CELL_RULES`.
    """

    cells: str


class Inconsistency(_Entry):
    """An error in what a paper prints, or what leaves a printed number open.

    Attributes:
        id: Its name; `STUDY-ID` where it is looked up.
        says: What is wrong, in a sentence or two.
        claim: What the text says, if it is the text that is wrong.
        state: What it is.
        where: The cells that it is about.
        footnote: Whether reports say it below these cells.
        rule: A function of `engine.CHECKS`; without one `right_if` decides.
        numbers: Names of printed cells and other numbers, for the expressions.
        let: Names of expressions in these, one after the other.
        right_if: An expression that is true where the paper is right. Without one
            it is not arithmetic that shows the inconsistency, but reading.
        shown: The arithmetic, a line each, with expressions in braces.
        paper: What the text says of the method, if it is the code that differs.
        code: What the released code does.
        code_at: The file, and the cell of a notebook.
        deduced: What follows for the printed numbers if this code made them.
    """

    id: str
    says: str
    state: State
    claim: str = ""
    where: tuple[str, ...] = ()
    footnote: bool = True
    numbers: Mapping[str, Any] = Field(default_factory=dict)
    let: Mapping[str, str] = Field(default_factory=dict)
    right_if: str = ""
    shown: tuple[str, ...] = ()
    paper: str = ""
    code: str = ""
    code_at: str = ""
    deduced: str = ""

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, value: Any) -> Any:
        single = {k: [value[k]] for k in ("where", "shown") if _is_text(value.get(k))}
        return {**value, **single}

    @property
    def text(self) -> str:
        """What is wrong, with the claim and with what is deduced from it."""
        claim = f"Claimed: {self.claim} " if self.claim else ""
        deduced = f" Deduced, not stated: {self.deduced}" if self.deduced else ""
        return f"{claim}{self.says}{deduced}"


class Claim(BaseModel):
    """A number or finding of a text, in our words, with its value as it is printed.

    Attributes:
        id: Its name.
        claim: What it is about.
        printed: Its value, with what the text says of its significance.
        derived: Whether it is not printed, but follows.
        convention: What the value follows from, where that is not plain.
        measure: How reports measure it in runs; None where they do not.
        dataset: `arc` or `bcb_plus`; None where it is about both, or not known.
        family: `gpt5` or `qwen3`; the same.
        proposers: How many answers are judged; the same.
        interaction: How the participants interact.
        best_of: Of how many candidates speeches are chosen.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    claim: str
    printed: str
    derived: bool = False
    convention: str = ""
    measure: str | None = None
    dataset: str | None = None
    family: str | None = None
    proposers: int | None = None
    interaction: Literal["debate", "consultancy", "none"] | None = None
    best_of: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _runs(cls, value: Any) -> Any:
        found = dict(value)
        return {**found.pop("runs", {}), **found}


@dataclass(frozen=True)
class Paper:
    """What a paper prints.

    Attributes:
        study: Whose paper it is: the name of the file.
        source: Which paper it is, and which of its tables these are.
        tables: Its tables by name; numbers in the text are in tables of their own.
        rules: What cells should follow from; the first one that names a cell counts.
        inconsistencies: What is wrong, in the order of the file.
        text: The numbers and findings in the text, where the paper has no tables.
        otherwise: What is known of cells that no rule names: a state and the reason.
        prices: US dollars per million tokens of prompts and of completions, by model,
            where the authors computed costs with them.
    """

    study: str
    source: str
    tables: Mapping[str, PaperTable]
    rules: tuple[CellRule, ...] = ()
    inconsistencies: tuple[Inconsistency, ...] = ()
    text: tuple[Claim, ...] = ()
    otherwise: tuple[str, str] = ("open", "")
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def cell(self, table: str, row: str, column: str) -> PrintedCell | None:
        """A cell; None where the paper has none."""
        found = self.tables.get(table)
        return None if found is None else found.rows.get(row, {}).get(column)

    def note_of(self, claim: Claim) -> str:
        """What is wrong with a claim of the text; empty where nothing is known."""
        cell = self.cell("text", claim.id, "value")
        return "" if cell is None else cell.note

    def cells(self) -> Iterator[PrintedCell]:
        """All cells in the paper's order."""
        for table in self.tables.values():
            for row in table.rows.values():
                yield from row.values()

    @property
    def claims(self) -> list[Inconsistency]:
        """What the text claims, and its tables or the data do not bear out."""
        return [one for one in self.inconsistencies if one.claim]

    def matching(self, pattern: str) -> list[PrintedCell]:
        """The cells that a pattern names, in the paper's order."""
        return list(self._found(pattern))

    def found(self, names: Sequence[str]) -> list[PrintedCell]:
        """The cells that any of some patterns name, in the order of the patterns."""
        return [cell for pattern in names for cell in self._found(pattern)]

    def flagged(self, cell: PrintedCell) -> Inconsistency | None:
        """The inconsistency that reports note below a cell; the last one of several."""
        return self._flags.get((cell.table, cell.row, cell.column))

    @cached_property
    def _flags(self) -> dict[tuple[str, str, str], Inconsistency]:
        return {
            (cell.table, cell.row, cell.column): entry
            for entry in self.inconsistencies
            if entry.footnote
            for cell in self.found(entry.where)
        }

    def _found(self, pattern: str) -> Iterator[PrintedCell]:
        parsed = Pattern.of(pattern)
        return (cell for cell in self.cells() if parsed.match(cell) is not None)


class Matched(NamedTuple):
    """What the stars of a pattern match in a cell's row and column."""

    row: str
    column: str


@dataclass(frozen=True)
class Pattern:
    """Which cells a text such as `table_2 / *, !overall / opening` names.

    Each part is a list: `*` stands for anything, and names after `!` are left out.
    """

    tables: str
    rows: str
    columns: str

    @classmethod
    @cache
    def of(cls, text: str) -> "Pattern":
        """Read a pattern; one name alone is that of a claim."""
        parts = text.split(" / ")
        if len(parts) == 1:
            parts = ["text", text, "value"]
        if len(parts) != 3:
            raise ValueError(f"{text!r} is not `table / row / column`")
        return cls(*parts)

    def match(self, cell: PrintedCell) -> Matched | None:
        """What the stars match in a cell; None where the pattern does not name it."""
        if _match(self.tables, cell.table) is None:
            return None
        row, column = _match(self.rows, cell.row), _match(self.columns, cell.column)
        return None if row is None or column is None else Matched(row, column)

    def named(self, cell: PrintedCell, matched: Matched) -> str:
        """The pattern with what is in place of each `=`: the table, or a match."""
        row = self.rows.replace("=", matched.row)
        column = self.columns.replace("=", matched.column)
        return f"{self.tables.replace('=', cell.table)} / {row} / {column}"


@cache  # most cells are matched by most rules
def _match(names: str, name: str) -> str | None:
    """What the star in the first name that fits matches; all of it without a star."""
    parts = [part.strip() for part in names.split(",")]
    if any(_regex(part[1:]).match(name) for part in parts if part[0] == "!"):
        return None
    for part in parts:
        if part[0] != "!" and _regex(part).match(name):
            before, star, after = part.partition("*")
            return name[len(before) : len(name) - len(after)] if star else name
    return None


@cache
def _regex(name: str) -> re.Pattern[str]:
    return re.compile(translate(name))


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
        return "equal" if without_spaces(self.ours) == self.paper.plain else "differs"

    @property
    def difference(self) -> str | None:
        """Ours less the paper's, of every number in the cell; None without either.

        "0" where cells are equal, and "≠" where they differ in more than in numbers.
        """
        if self.status == "equal":
            return "0"
        if self.status != "differs" or self.ours is None or self.paper is None:
            return None
        ours = list(_NUMBER.finditer(without_spaces(self.ours)))
        theirs = list(_NUMBER.finditer(self.paper.plain))
        apart = [_less(a, b) for a, b in zip(ours, theirs, strict=False)]
        comparable = len(ours) == len(theirs) and any(text != "0" for text in apart)
        return " / ".join(apart) if comparable else "≠"

    @property
    def note(self) -> str:
        """Why the printed cell does not follow from the data, where that is known."""
        if self.paper is None or self.status in ("equal", "not comparable"):
            return ""
        return self.paper.note


STUDIES = ("confidence", "generative")
"""The studies, each with a file `STUDY.yaml`."""


@cache
def paper_of(study: str) -> Paper:
    """What the paper of a study prints.

    Args:
        study: One of `STUDIES`.

    Raises:
        FileNotFoundError: If there is no such study.
    """
    return paper_from(study, content_of(study))


def content_of(study: str) -> dict[str, Any]:
    """The content of a study's file; all scalars are texts, as they are printed."""
    file = resources.files("inspect_debate.v1.published") / f"{study}.yaml"
    # PyYAML's own loader takes ten times as long.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    content = yaml.load(file.read_text(encoding="utf-8"), loader)
    return dict(content)


def paper_from(study: str, content: Mapping[str, Any]) -> Paper:
    """A paper of a file's content, as from `content_of`.

    Raises:
        ValueError: If an entry is not as it should be, or names no cell.
    """
    claims = tuple(Claim.model_validate(one) for one in content.get("claims", ()))
    entries = [Inconsistency.model_validate(o) for o in content["inconsistencies"]]
    names = content.get("names", {})
    tables = {
        name: _table(name, table, names)
        for name, table in content.get("tables", {}).items()
    }
    if claims:
        tables["text"] = _text(claims)
    paper = Paper(
        study=study,
        source=content["source"],
        tables=tables,
        rules=tuple(CellRule.model_validate(one) for one in content.get("rules", ())),
        inconsistencies=tuple(entries),
        text=claims,
        otherwise=(content["otherwise"]["state"], content["otherwise"]["why"]),
        prices={
            model: (float(prompts), float(completions))
            for model, (prompts, completions) in content.get("prices", {}).items()
        },
    )
    for pattern in (*(w for one in entries for w in one.where), *_cells_of(paper)):
        if not paper.matching(pattern):
            raise ValueError(f"{study}.yaml: {pattern!r} names no cell")
    return _with_notes(paper)


def _cells_of(paper: Paper) -> Iterator[str]:
    return (rule.cells for rule in paper.rules)


def _table(
    name: str, content: Mapping[str, Any], names: Mapping[str, str]
) -> PaperTable:
    columns = content.get("columns", ("value",))
    titles = columns if isinstance(columns, Mapping) else {key: key for key in columns}
    rows = dict(content.get("rows", {}))
    for group, of_group in content.get("groups", {}).items():
        rows |= {f"{group} {row}": cells for row, cells in of_group.items()}
    mark = content.get("footnote_mark", "")
    made: dict[str, dict[str, PrintedCell]] = {}
    for row, cells in rows.items():
        texts = _texts(cells, tuple(titles))
        title = f"{title_of(name)}, {_row_title(row, names)}"
        made[row] = {
            column: PrintedCell(
                *(name, row, column, text),
                plain=without_spaces(text).removesuffix(mark).rstrip(_SUPERSCRIPTS),
                place=title
                if column == "value"
                else f"{title}, {titles.get(column, column)}",
            )
            for column, text in texts.items()
        }
    return PaperTable(made, content.get("note", ""), {}, content.get("open", ""))


def _texts(cells: Any, columns: tuple[str, ...]) -> Mapping[str, str]:
    """The cells of a row by column: a text with bars between them, or by name."""
    if isinstance(cells, Mapping):
        return cells
    parts = [part.strip() for part in cells.split("|")] if cells else []
    if parts and len(parts) != len(columns):
        raise ValueError(f"{cells!r} has {len(parts)} cells in {len(columns)} columns")
    return dict(zip(columns, parts, strict=False))


def _row_title(row: str, names: Mapping[str, str]) -> str:
    """A row for readers, whose parts have names where the file gives them."""
    if row in names or not names:
        return names.get(row, row)
    first, _, rest = row.partition(" ")
    return f"{names.get(first, first)}, {names.get(rest, rest)}"


def _text(claims: Sequence[Claim]) -> PaperTable:
    return PaperTable(
        {
            one.id: {
                "value": PrintedCell(
                    *("text", one.id, "value", one.printed),
                    plain=without_spaces(one.printed),
                    place=f"Text, {one.claim} ({one.id})",
                )
            }
            for one in claims
        }
    )


def _with_notes(paper: Paper) -> Paper:
    """The paper with the footnotes of its cells and rows."""
    rows: dict[tuple[str, str], list[str]] = {}
    cells: dict[tuple[str, str, str], str] = {}
    for entry in paper.inconsistencies:
        for pattern in entry.where if entry.footnote else ():
            for cell in paper.matching(pattern):
                if pattern.endswith(" / *"):
                    texts = rows.setdefault((cell.table, cell.row), [])
                    texts += [entry.says] if entry.says not in texts else []
                else:
                    cells[cell.table, cell.row, cell.column] = entry.says
    tables = {}
    for name, table in paper.tables.items():
        noted = {
            row: {
                column: replace(cell, note=cells.get((name, row, column), ""))
                for column, cell in of_row.items()
            }
            for row, of_row in table.rows.items()
        }
        notes = {row: " ".join(of) for (at, row), of in rows.items() if at == name}
        tables[name] = replace(table, rows=noted, row_notes=notes)
    return replace(paper, tables=tables)


def title_of(table: str) -> str:
    """Where the paper has a table: "Table 2", "Section 4.1", "Appendix D"."""
    if table == "human":
        return "Human baseline"
    kind, _, number = table.partition("_")
    return f"{kind.capitalize()} {number.replace('_', '.').upper()}".rstrip()


def row_of(protocol: str, debater_a: str = "", debater_b: str | None = None) -> str:
    """The name of a row of ColMAD's tables, with models as printed.

    `single GPT4o-mini`, `colmad GPT4o-mini + Llama3.1-70B` (the first model is the
    judge, too) or `human`.
    """
    if protocol == "human":
        return protocol
    models = debater_a if debater_b is None else f"{debater_a} + {debater_b}"
    return f"{protocol} {models}"


def without_spaces(text: str) -> str:
    """A cell's text as it is compared."""
    return "".join(text.split())


_SUPERSCRIPTS = "¹²³"
"""Marks of footnotes in cells."""

_NUMBER = re.compile(r"[-−+]?\d+(?:\.(?P<decimals>\d+))?(?P<power>×10\^-?\d+)?")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _less(ours: re.Match[str], theirs: re.Match[str]) -> str:
    """The difference of two numbers, to the digits of the second."""
    difference = _value(ours) - _value(theirs)
    if theirs["power"]:
        return f"{difference:+.2e}"
    text = f"{difference:+.{len(theirs['decimals'] or '')}f}"
    return text.replace("-", "−") if float(text) else "0"


def _value(number: re.Match[str]) -> float:
    return float(number[0].replace("×10^", "e").replace("−", "-"))
