"""The paper's tables, computed anew from these logs and set beside the printed ones."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product, starmap
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from inspect_debate.metrics.agreement import dissents
from inspect_debate.metrics.bets import BET_CLASSES, bet_class
from inspect_debate.metrics.means import Alternative, pooled_mean, ranked_above
from inspect_debate.published.tables import (
    Compared,
    PrintedCell,
    Status,
    paper_of,
    title_of,
)
from inspect_debate.reports.confidence.frames import (
    DEBATE,
    OVERALL,
    POOLED,
    PROTOCOLS,
    SCORER,
    SPEECHES,
    STUDY,
    by_condition,
    by_debate,
    by_side,
    decisions,
    in_order,
    is_published_pool,
    label,
    model_name,
    pooled,
    protocol_of,
    published_models,
    seats,
    slug,
    speeches_of,
    three_speeches,
    title,
    transitions,
    with_motion,
)
from inspect_debate.reports.elements import MISSING, Cell, Column, Table
from inspect_debate.reports.logs import Log
from inspect_debate.solvers.bet_records import SIDES

EVEN = 50.0
"""The chance of winning in percent that a side has before anything is known."""

SIGNIFICANT = 0.05
"""The level below which the paper calls a p-value significant."""

# The paper's statistics of bets, in its conventions; NaN where there is too little.


class Spread(NamedTuple):
    """Mean and standard deviation of `n` values."""

    mean: float
    sd: float
    n: int


class TTest(NamedTuple):
    """A t test of the mean of `n` values; NaN where these do not differ at all."""

    mean: float
    t: float
    p: float
    n: int


def spread(values: ArrayLike, *, ddof: Literal[0, 1]) -> Spread:
    """Mean and standard deviation without values that are NaN.

    Args:
        values: One-dimensional.
        ddof: 1 for the sample's standard deviation (Table 2), 0 for the population's
            (all other tables of the paper).
    """
    array = np.asarray(values, dtype=np.float64)
    known = array[~np.isnan(array)]
    mean = float(known.mean()) if known.size else math.nan
    sd = float(known.std(ddof=ddof)) if known.size > ddof else math.nan
    return Spread(mean, sd, known.size)


def against(
    values: ArrayLike, null: float = EVEN, alternative: Alternative = "greater"
) -> TTest:
    """Student's t test of a mean against `null`, of values that are not NaN."""
    found = pooled_mean(values)
    t, p = found.statistic(null), found.p(null, alternative)
    return TTest(found.value, t, p, found.n)


def paired(
    earlier: ArrayLike, later: ArrayLike, alternative: Alternative = "greater"
) -> TTest:
    """The paired t test of `later` less `earlier`, over pairs that are whole."""
    changes = np.asarray(later, dtype=float) - np.asarray(earlier, dtype=float)
    return against(changes, 0.0, alternative)


def change(wide: pd.DataFrame, pair: tuple[str, str]) -> TTest:
    """The change of bets from one speech to another, within sides."""
    return paired(wide[pair[0]], wide[pair[1]])


# Cells as the paper prints them, with their numbers in full.


class Text(str):
    """A cell in the paper's form.

    Attributes:
        numbers: Its numbers at full precision, by what they are.
    """

    numbers: Mapping[str, float]

    def __new__(cls, text: str, **numbers: float) -> "Text":
        """A text with its numbers."""
        made = super().__new__(cls, text)
        made.numbers = numbers
        return made


def fixed(value: float, digits: int = 2) -> str:
    """A number with so many decimals, as Python rounds; NaN as a dash."""
    return MISSING if math.isnan(value) else f"{value:.{digits}f}"


def number(value: float, digits: int = 2) -> Text:
    """A number with so many decimals."""
    return Text(fixed(value, digits), number=value)


def percent(share: float) -> Text:
    """A share as "61.7%"."""
    text = MISSING if math.isnan(share) else f"{100 * share:.1f}%"
    return Text(text, share=share)


def mean_sd(found: Spread, *, n: bool = False) -> Text:
    """Mean and spread as "72.92 ± 7.93", with "(N=120)" where asked for."""
    text = f"{fixed(found.mean)} ± {fixed(found.sd)}"
    text = f"{text} (N={found.n})" if n else text
    return Text(text, mean=found.mean, sd=found.sd, n=found.n)


def stars(p: float) -> str:
    """One to three stars for p-values below 0.05, 0.01 and 0.001."""
    levels = {0.001: "***", 0.01: "**", SIGNIFICANT: "*"}
    return next((mark for level, mark in levels.items() if p < level), "")


PStyle = Literal["none", "stars", "bounded", "full"]
"""How a change gives its p-value: as stars alone, with "p<0.001", or in full."""


def delta(found: TTest, p: PStyle) -> Text:
    """A change as "Δ=4.75", "Δ=4.75**" or "Δ=4.75, p=0.0012**"."""
    text = f"Δ={fixed(found.mean)}"
    if p in ("bounded", "full"):
        below = p == "bounded" and found.p < 0.001
        text += ", p<0.001" if below else f", p={fixed(found.p, 4)}"
    text += "" if p == "none" else stars(found.p)
    return Text(text, change=found.mean, p=found.p)


def small_p(p: float) -> Text:
    """A p-value with four decimals, or below 0.0001 as "6.97×10^-7" (Table 7)."""
    if math.isnan(p) or p >= 1e-4 or p == 0:
        return number(p, 4)
    digits, _, exponent = f"{p:.2e}".partition("e")
    return Text(f"{digits}×10^{int(exponent)}", number=p)


# A table of the paper, with ours beside the printed cells.

OURS, PAPER, DIFFERENCE = "ours", "paper", "diff."


class ComparedRow(NamedTuple):
    """A row: its title, its cells by column, and what heads the rows of its group."""

    title: str
    cells: Mapping[str, Compared]
    group: str = ""


@dataclass(frozen=True)
class ComparedTable:
    """One of the paper's tables, ours beside the printed one.

    Attributes:
        name: As `Table.name`.
        title: As `Table.title`.
        heading: What its rows are.
        rows: The rows; columns without a cell are left empty.
        columns: What readers call the columns.
        grouped_by: What heads groups of rows; empty where nothing does.
        note: As `Table.note`.
    """

    name: str
    title: str
    heading: str
    rows: Sequence[ComparedRow]
    columns: Mapping[str, str]
    grouped_by: str = ""
    note: str = ""

    def cells(self) -> Iterator[Compared]:
        """All cells, row by row."""
        return (cell for row in self.rows for cell in row.cells.values())

    def counts(self) -> Counter[Status]:
        """How many cells are equal to the paper's, differ, and so on."""
        return Counter(cell.status for cell in self.cells())

    def table(self, *, folded: bool = False) -> Table:
        """For the report: ours, the paper's and the difference under each column.

        Only the CSV file has the numbers of our cells, and the paper's columns in which
        all cells are equal.
        """
        kinds = {column: self._kinds(column) for column in self.columns}
        wide = any(shown != [OURS] for shown in kinds.values())
        data: dict[tuple[str, str], list[object]] = {}
        if self.grouped_by:
            data[self.grouped_by, ""] = [row.group for row in self.rows]
        data[self.heading, ""] = [row.title for row in self.rows]
        hidden: list[tuple[str, str]] = []
        at: dict[tuple[int, tuple[str, str]], Compared] = {}
        for column, words in self.columns.items():
            cells = [row.cells.get(column, Compared(None)) for row in self.rows]
            for kind in kinds[column]:
                data[words, kind] = [_SHOWN[kind](cell) for cell in cells]
            at |= {(n, (words, kinds[column][-1])): c for n, c in enumerate(cells)}
            if {c.status for c in cells if c.paper is not None} == {"equal"}:
                hidden += [(words, PAPER), (words, DIFFERENCE)]
            numbers = [getattr(cell.ours, "numbers", {}) for cell in cells]
            for what in dict.fromkeys(name for of in numbers for name in of):
                hidden.append((words, what))
                data[words, what] = [of.get(what, math.nan) for of in numbers]

        def place(column: tuple[str, str]) -> Column:
            if wide:
                return column
            words, kind = column
            return f"{words} {kind}" if column in hidden else words

        index = (
            pd.MultiIndex.from_tuples([*data])
            if wide
            else pd.Index([*map(place, data)])
        )
        return Table(
            name=self.name,
            title=self.title,
            frame=pd.DataFrame([*zip(*data.values(), strict=True)], columns=index),
            note=f"{self.note} {self._compared_note()}".strip(),
            groups=place((self.grouped_by, "")) if self.grouped_by else None,
            marks={Cell(n, place(c)): of.note for (n, c), of in at.items() if of.note},
            emphasis=[
                Cell(n, place(c)) for (n, c), of in at.items() if of.status == "differs"
            ],
            hidden=[*map(place, hidden)],
            folded=folded,
        )

    def _compared_note(self) -> str:
        found = {cell.status for cell in self.cells()}
        if "differs" in found:
            return "Diff.: ours less the paper's; other columns are as printed."
        return "All cells are as printed." if "equal" in found else ""

    def _kinds(self, column: str) -> list[str]:
        """Which of ours, paper and difference a column has any of."""
        cells = (row.cells[column] for row in self.rows if column in row.cells)
        found = {cell.status for cell in cells}
        paper, both = found - {"not in the paper"}, found & {"equal", "differs"}
        kinds = {OURS: found - {"as printed only"} or not paper}
        kinds |= {PAPER: paper, DIFFERENCE: both}
        return [kind for kind, present in kinds.items() if present]


_SHOWN: Mapping[str, Callable[[Compared], object]] = {
    OURS: lambda cell: cell.ours,
    PAPER: lambda cell: cell.paper and cell.paper.printed,
    DIFFERENCE: lambda cell: cell.difference,
}


class _Row(NamedTuple):
    """What a row is about; `printed` is the paper's row about the same, if any."""

    title: str
    of: Any
    printed: str | None
    group: str = ""


def _table(
    key: str,
    title: str,
    rows: Iterable[_Row],
    columns: Mapping[str, str],
    texts: Callable[[Any], Mapping[str, str]],
    note: str = "",
    *,
    name: str = "",
    heading: str = "Model",
    grouped_by: str = "",
    known: Callable[[str, str], bool] = lambda row, column: True,
) -> ComparedTable:
    """A table of the cells that `texts` gives of each row.

    `known` is whether the paper's cell in its row and our column is about the same.
    """
    paper = paper_of(STUDY)

    def printed(row: str | None, column: str) -> PrintedCell | None:
        if row is None or not known(row, column):
            return None
        return paper.cell(key, row, protocol_of(column))

    return ComparedTable(
        name or key,
        f"{title} (the paper's {title_of(key)})" if key else title,
        heading,
        [
            ComparedRow(
                row.title,
                {
                    column: Compared(text, printed(row.printed, column))
                    for column, text in texts(row.of).items()
                },
                row.group,
            )
            for row in rows
        ],
        columns,
        grouped_by,
        f"{note} {_paper_note(key)}".strip(),
    )


def _paper_note(key: str) -> str:
    found = paper_of(STUDY).tables.get(key)
    return found.note if found is not None else ""


def _own_name(key: str, prefix: str, condition: str, protocol: str) -> str:
    """The paper's name for the condition that it is about, else one of our own."""
    return key if condition == protocol else f"{prefix}_{slug(condition)}"


def _has_pool(rows: pd.DataFrame) -> bool:
    return is_published_pool(set(rows["model"]))


def _is_whole(bets: pd.DataFrame) -> bool:
    """Whether bets are of the four pooled conditions, each once and with all models."""
    parts = by_condition(bets)
    return sorted(map(protocol_of, parts)) == sorted(POOLED) and all(
        map(_has_pool, parts.values())
    )


def _model_rows(
    rows: pd.DataFrame, key: str, overall: str = "Overall", *, whole: bool | None = None
) -> list[_Row]:
    """A row per model, then one of all, which is the paper's if these are its pool."""
    models = in_order(rows["model"], key)
    found = [_Row(model, rows[rows["model"] == model], model) for model in models]
    whole = _has_pool(rows) if whole is None else whole
    return [*found, _Row(overall, rows, OVERALL if whole else None)]


def _condition_rows(bets: pd.DataFrame, overall: str = "") -> list[_Row]:
    """A row per condition, then one of those that the paper pools, if several are."""
    rows = [
        _Row(
            title(condition), part, protocol_of(condition) if _has_pool(part) else None
        )
        for condition, part in by_condition(bets).items()
    ]
    whole = pooled(bets)
    if overall and whole["condition"].nunique() > 1:
        rows.append(_Row(overall, whole, OVERALL if _is_whole(whole) else None))
    return rows


def paper_tables(bets: pd.DataFrame) -> list[ComparedTable]:
    """The paper's Tables 2 to 5, 7 to 16, Appendix O, and the numbers in its text.

    Args:
        bets: As from `bets_of`; missing bets count as they are recorded.

    Returns:
        Those that these conditions give, in the paper's order.
    """
    parts, whole = by_condition(bets), pooled(bets)
    return [
        _table_2(bets),
        _table_3(bets),
        _table_4(bets),
        *(_table_5(c, of) for c, of in parts.items() if not of["self_debate"].all()),
        _table_7(bets),
        *(_rounds_table(condition, part) for condition, part in parts.items()),
        *([_rounds_table("", whole)] if whole["condition"].nunique() > 1 else []),
        _table_13(bets),
        *(
            _appendix_o(condition, part)
            for condition, part in parts.items()
            if protocol_of(condition) == FOUR_ROUNDS
        ),
        text_numbers(bets),
    ]


# Opening bets: Tables 2 and 7.

HUMANS = "College debaters (Meer and Van Wesep 2007)"
"""The human baseline of opening confidence."""


def human_baseline() -> str:
    """Mean and standard deviation of college debaters, as printed."""
    cell = paper_of(STUDY).cell("human", "opening", "value")
    assert cell is not None
    return cell.printed


def openings(bets: pd.DataFrame) -> pd.DataFrame:
    """The rows of opening bets."""
    return bets[bets["speech"] == "opening"]


def _table_2(bets: pd.DataFrame) -> ComparedTable:
    first = openings(bets)
    parts = by_condition(first)

    def by_protocol(rows: pd.DataFrame) -> dict[str, Text]:
        return {
            condition: mean_sd(spread(part["recorded"], ddof=1))
            for condition, part in by_condition(rows).items()
        }

    return _table(
        "table_2",
        "Opening bets",
        _model_rows(first, "table_2", "Overall average", whole=True),
        {condition: title(condition) for condition in parts},
        by_protocol,
        f"Mean ± standard deviation (divided by n − 1); {HUMANS}: {human_baseline()}.",
        known=lambda row, column: row != OVERALL or _has_pool(parts[column]),
    )


def _table_7(bets: pd.DataFrame) -> ComparedTable:
    rows = [
        _Row(
            model,
            part.loc[part["model"] == model, "recorded"],
            f"{protocol_of(condition)} {model}",
            title(condition),
        )
        for condition, part in by_condition(openings(bets)).items()
        for model in in_order(part["model"], "table_7")
    ]
    columns = {
        "N": "N",
        "mean": "Mean",
        "t_p": "t test: p",
        "t_significant": "t test: significant",
        "wilcoxon_p": "Wilcoxon: p",
        "wilcoxon_significant": "Wilcoxon: significant",
    }
    return _table(
        "table_7",
        "Are opening bets above 50?",
        rows,
        columns,
        _above_50,
        "Student's t test and Wilcoxon's signed-rank test, p < 0.05, uncorrected.",
        grouped_by="Condition",
    )


def _above_50(values: "pd.Series[float]") -> dict[str, str]:
    t_test, wilcoxon = against(values), ranked_above(values, EVEN)
    return {
        "N": str(t_test.n),
        "mean": number(t_test.mean),
        "t_p": small_p(t_test.p),
        "t_significant": str(t_test.p < SIGNIFICANT),
        "wilcoxon_p": small_p(wilcoxon),
        "wilcoxon_significant": str(wilcoxon < SIGNIFICANT),
    }


# Bets by round and closing bets by condition: Tables 3, 4 and 13.

_POOL = "Overall pools cross-model, self-debate, informed self and public bets."


def _table_3(bets: pd.DataFrame) -> ComparedTable:
    in_turn = (
        *("opening", "open_to_rebuttal", "rebuttal"),
        *("rebuttal_to_closing", "closing", "open_to_closing"),
    )
    return _table(
        "table_3",
        "Bets by round and condition",
        _condition_rows(bets, "Grand overall"),
        {column: label(column) for column in in_turn},
        lambda part: _rounds(three_speeches(part), "none"),
        "Mean ± standard deviation (divided by n), and the mean change Δ of a side. "
        f"{_POOL}",
        heading="Condition",
    )


def _table_4(bets: pd.DataFrame) -> ComparedTable:
    labels = (
        *("Both ≤ 50", "Both 51–75", "Both > 75"),
        *("≤ 50 and 51–75", "≤ 50 and > 75", "51–75 and > 75"),
    )
    return _table(
        "table_4",
        "Closing bets of both sides",
        _condition_rows(bets, "Overall"),
        dict(zip(BET_CLASSES, labels, strict=True)),
        class_shares,
        "Debates with both closing bets; 75 itself is in 51–75, and which side bets "
        f"more does not matter. {_POOL}",
        heading="Condition",
    )


def class_shares(bets: pd.DataFrame) -> dict[str, Text]:
    """The share of debates in every class of Table 4."""
    pairs = by_debate(bets)[list(SIDES)].dropna()
    found = Counter(starmap(bet_class, pairs.itertuples(index=False)))
    return {
        name: percent(found[place] / len(pairs) if len(pairs) else math.nan)
        for place, name in enumerate(BET_CLASSES)
    }


def _table_13(bets: pd.DataFrame) -> ComparedTable:
    parts = sorted(by_condition(bets).items())
    return _table(
        "table_13",
        "Models whose bets rise significantly",
        [row for _, part in parts for row in _condition_rows(part)],
        {name: label(name) for name in transitions(SPEECHES)},
        rising,
        "One-sided paired t test, p < 0.05, uncorrected.",
        heading="Condition",
    )


def rising(bets: pd.DataFrame, value: str = "recorded") -> dict[str, Text]:
    """By transition in how many models of a condition bets rise, as "6/10"."""
    models = [own for _, own in three_speeches(bets, value).groupby("model")]
    counts = {
        name: sum(change(own, pair).p < SIGNIFICANT for own in models)
        for name, pair in transitions(SPEECHES).items()
    }
    return {
        name: Text(f"{n}/{len(models)}", rising=n, models=len(models))
        for name, n in counts.items()
    }


# Bets by round and model: Tables 8 to 12 and 14 to 16.


class Style(NamedTuple):
    """How one of the paper's tables prints its cells.

    `n` is whether it prints the number of bets; `overall` how its overall row gives
    p-values.
    """

    table: str
    n: bool = True
    overall: PStyle = "bounded"


STYLES = {
    "cross_model": Style("table_8"),
    "informed_self": Style("table_9"),
    "public": Style("table_10"),
    "self": Style("table_11"),
    "": Style("table_12", overall="stars"),
    "redteam": Style("table_14", n=False, overall="full"),
    "redteam_v2": Style("table_15", n=False, overall="full"),
    "deceptive": Style("table_16", n=False, overall="full"),
}
"""The tables of conditions by protocol; without one of those that the paper pools."""


def _style(condition: str) -> Style:
    return STYLES.get(protocol_of(condition), Style(""))


def _rounds(wide: pd.DataFrame, p: PStyle, *, n: bool = False) -> dict[str, Text]:
    """Cells by speech and transition, from the sides they are about."""
    speeches = speeches_of(wide)
    means = {name: mean_sd(spread(wide[name], ddof=0), n=n) for name in speeches}
    pairs = transitions(speeches)
    return means | {name: delta(change(wide, pair), p) for name, pair in pairs.items()}


def _rounds_table(condition: str, bets: pd.DataFrame) -> ComparedTable:
    """Bets by model and speech of a condition, or, without one, of those pooled."""
    style = _style(condition)
    wide = by_side(bets) if condition else three_speeches(bets)
    whole = _has_pool(bets) if condition else _is_whole(bets)
    *models, overall = _model_rows(wide, style.table, whole=whole)
    rows = [row._replace(of=(row.of, "full")) for row in models]
    rows.append(overall._replace(of=(overall.of, style.overall)))
    speeches = speeches_of(wide)
    own = condition and condition not in STYLES
    return _table(
        style.table,
        f"Bets by round: {title(condition) if condition else 'pooled conditions'}",
        rows,
        {c: label(c) for c in (*speeches, *transitions(speeches))},
        lambda of: _rounds(*of, n=style.n),
        "Mean ± standard deviation (divided by n) of N bets; Δ: mean change within "
        "sides, with a one-sided paired t test (* p < 0.05, ** 0.01, *** 0.001).",
        name=f"bets_{slug(condition)}" if own else "",
    )


# Who debated on which side, and how often: Table 5.


def _table_5(condition: str, bets: pd.DataFrame) -> ComparedTable:
    first = bets[(bets["round"] == 1) & ~bets["self_debate"].astype(bool)]
    rows = _model_rows(first, "table_5", "Total debates")
    is_papers = protocol_of(condition) == "cross_model"
    return _table(
        "table_5",
        f"Debates by model and side: {title(condition)}",
        rows if is_papers else [row._replace(printed=None) for row in rows],
        {name: name.capitalize() for name in (*SIDES, "total")},
        _seat_counts,
        name=_own_name("table_5", "seats", condition, "cross_model"),
    )


def _seat_counts(first: pd.DataFrame) -> dict[str, str]:
    sides = first["side"].value_counts()
    counts = {side: str(sides.get(side, 0)) for side in SIDES}
    return counts | {"total": str(len(first))}


# Debates of four rounds: Appendix O.

FOUR_ROUNDS = "four_round"
FOUR_ROUND_MODELS = (
    *("anthropic/claude-3.7-sonnet", "deepseek/deepseek-chat"),
    *("google/gemini-2.0-flash-001", "openai/o3-mini", "qwen/qwq-32b"),
)
"""The models of the paper's debates of four rounds."""

_FOUR_ROUND_COLUMNS = {
    "n_debates": "Debates",
    "n_bets": "Bets",
    "opening_mean": "Opening: mean",
    "opening_sd": "Opening: SD (n − 1)",
    "opening_n": "Opening: N",
    "rebuttal_mean": "Rebuttals: mean",
    "rebuttal_sd": "Rebuttals: SD (n)",
    "closing_mean": "Closing: mean",
    "closing_sd": "Closing: SD (n)",
    "open_to_closing_delta": "Opening to closing: Δ",
    "open_to_closing_p": "Opening to closing: p",
}


def _appendix_o(condition: str, bets: pd.DataFrame) -> ComparedTable:
    whole = set(bets["model"]) == set(FOUR_ROUND_MODELS)
    *models, overall = _model_rows(bets, "appendix_o", whole=whole)
    return _table(
        "appendix_o",
        title(condition),
        [overall, *models],
        _FOUR_ROUND_COLUMNS,
        _four_round_cells,
        "Missing bets are left out here, as in the paper, and both rebuttals are "
        "pooled. p: one-sided paired t test.",
        name=_own_name("appendix_o", "appendix_o", condition, FOUR_ROUNDS),
    )


def _four_round_cells(bets: pd.DataFrame) -> dict[str, str]:
    """One row of the table, over bets that were made."""
    made = bets[bets["bet"].notna()]
    speeches = {name: made.loc[made["speech"] == name, "bet"] for name in SPEECHES}
    opening = spread(speeches["opening"], ddof=1)
    rebuttal, closing = (spread(speeches[name], ddof=0) for name in SPEECHES[1:])
    rise = change(three_speeches(bets, "bet"), ("opening", "closing"))
    return {
        "n_debates": str(len(bets.drop_duplicates(DEBATE))),
        "n_bets": str(len(made)),
        "opening_mean": number(opening.mean),
        "opening_sd": number(opening.sd),
        "opening_n": str(opening.n),
        "rebuttal_mean": number(rebuttal.mean),
        "rebuttal_sd": number(rebuttal.sd),
        "closing_mean": number(closing.mean),
        "closing_sd": number(closing.sd),
        "open_to_closing_delta": number(rise.mean),
        "open_to_closing_p": number(rise.p, 4),
    }


# Bets beside the private reasoning before them: Tables 17 to 19 and section 4.4.

Sums = Mapping[str, float]
"""What the bets of a condition add up to, by the keys of the scorer."""

_KINDS = {
    "assessment": ("aligned", "overbetting", "underbetting"),
    "degree": ("none", "slight", "moderate", "significant"),
    "numeric": ("present", "absent"),
}
"""Labels by what they are of; the last says whether the reasoning states a figure."""

_KIND_NAMES = dict(
    zip(_KINDS, ("Assessment", "Degree", "Numeric Confidence"), strict=True)
)
_FOLDED = (
    "A malformed label that names an assessment (“Slight Overbetting”) counts for "
    "it, as in the paper."
)


def graded(debates: pd.DataFrame) -> pd.DataFrame:
    """The debates of which a grader compared bets with the reasoning.

    Args:
        debates: As `Grouped.frame` from `conditions`.
    """
    column = f"{SCORER}.graded"
    if column not in debates:
        return debates.iloc[:0]
    return debates[debates[column].notna()]


def sums_of(debates: pd.DataFrame) -> Sums:
    """The sums of the scorer's values over debates."""
    keys = [name for name in debates.columns if name.startswith(f"{SCORER}.")]
    sums = debates[keys].sum()
    return {str(name).partition(".")[2]: float(value) for name, value in sums.items()}


def _label_share(sums: Sums, kind: str, label: str, flag: str = "") -> Text:
    """The share of a label among the graded bets, or those with a `flag`.

    Malformed labels that name an assessment count for it, as in the paper.
    """
    prefix = f"{flag}_" if flag else ""
    count = sums[f"{prefix}{kind}_{label}"]
    if kind == "assessment":
        count += sums.get(f"{prefix}{kind}_malformed_{label}", 0)
        whole = sums[f"{prefix}graded"]
    else:
        whole = sum(sums[f"{prefix}{kind}_{name}"] for name in _KINDS[kind])
    return percent(count / whole if whole else math.nan)


def alignment_tables(debates: pd.DataFrame) -> list[ComparedTable]:
    """Tables 17 to 19 and the numbers of section 4.4.

    Args:
        debates: As from `graded`, of one condition or several.
    """
    parts = by_condition(debates, "condition")
    sums = {condition: sums_of(part) for condition, part in parts.items()}
    known = {condition: _has_pool(_models(part)) for condition, part in parts.items()}
    rows = [
        _Row(title(c), sums[c], protocol_of(c) if known[c] else None) for c in parts
    ]
    labels = [
        _Row(label.capitalize(), (kind, label), f"{name}/{label.capitalize()}", name)
        for kind, name in _KIND_NAMES.items()
        for label in _KINDS[kind]
    ]
    sizes = ", ".join(f"{title(c)} {of['graded']:.0f}" for c, of in sums.items())
    assessments = {label: label.capitalize() for label in _KINDS["assessment"]}

    def as_coded(of: Sums) -> dict[str, Text]:
        whole = of["graded"] or math.nan
        return {
            label: percent(of[f"assessment_{label}"] / whole) for label in assessments
        }

    return [
        _table(
            "table_17",
            "Bets beside private reasoning",
            labels,
            {condition: title(condition) for condition in parts},
            lambda which: {c: _label_share(of, *which) for c, of in sums.items()},
            f"Share of the graded bets: {sizes}. {_FOLDED}",
            heading="Label",
            grouped_by="What",
            known=lambda row, condition: known[condition],
        ),
        _by_figure("table_18", "assessment", rows, f" {_FOLDED}"),
        _by_figure("table_19", "degree", rows),
        _table(
            "section_4_4",
            "Assessments as coded",
            rows,
            assessments,
            as_coded,
            "Share of graded bets; a malformed label counts for none here.",
            heading="Condition",
        ),
    ]


def _models(debates: pd.DataFrame) -> pd.DataFrame:
    names = [model_name(m) for sides in debates["sides"] for m in sides.values()]
    return pd.DataFrame({"model": names})


def _by_figure(
    key: str, kind: str, rows: Sequence[_Row], note: str = ""
) -> ComparedTable:
    """Table 18 or 19: labels where the reasoning has a figure, and where none."""
    columns = {
        f"{flag}/{label.capitalize()}": (label, flag)
        for flag in _KINDS["numeric"]
        for label in _KINDS[kind]
    }
    return _table(
        key,
        f"{_KIND_NAMES[kind]}, with and without a figure in the reasoning",
        rows,
        {c: f"{of.capitalize()}, figure {flag}" for c, (of, flag) in columns.items()},
        lambda sums: {c: _label_share(sums, kind, *of) for c, of in columns.items()},
        "Share of the graded bets whose reasoning states its confidence as a figure, "
        f"and of the others.{note}",
        heading="Condition",
    )


# What the debaters spent: Table 6.

COUNTED = ("cross_model", "self", "informed_self", "public", "redteam")
"""The conditions whose debates of three rounds the paper's table counts."""

Rates = Mapping[str, tuple[float, float]]
"""US dollars per million tokens of prompts and of completions, by model."""


def rates_of(logs: Sequence[Log]) -> Rates:
    """The prices of the authors; of other models those behind a release's costs.

    Args:
        logs: Imported logs have what the release's file of costs says. Its costs are
            rounded to cents, so prices that follow from it are approximate.
    """
    costs = {
        model_name(model): cost
        for log in logs
        for model, cost in (log.metadata.get("import") or {}).get("costs", {}).items()
    }
    behind = {model: _rates(cost) for model, cost in costs.items()}
    return {m: r for m, r in behind.items() if r} | dict(paper_of(STUDY).prices)


def _rates(cost: Mapping[str, Any]) -> tuple[float, float] | None:
    """Prices that give a model's total cost, which may differ from its rounded parts.

    None where the file has no cost.
    """
    parts = [cost["prompt_cost"], cost["completion_cost"]]
    tokens = [cost["prompt_tokens"], cost["completion_tokens"]]
    total = cost["total_cost"]
    if "unknown" in (*parts, total) or not all(tokens):
        return None
    whole = total / sum(parts) if sum(parts) else 0
    prompt, completion = (
        1e6 * whole * part / n for part, n in zip(parts, tokens, strict=True)
    )
    return prompt, completion


def dollars(spent: pd.DataFrame, rates: Rates) -> "pd.Series[float]":
    """What each row spent in US dollars; NaN where it is unknown.

    Args:
        spent: The columns `SPENT`.
        rates: As from `rates_of`.
    """
    per_prompt, per_completion = (
        spent["model"].map({model: of[n] for model, of in rates.items()})
        for n in range(2)
    )
    priced = (spent["prompt"] * per_prompt + spent["completion"] * per_completion) / 1e6
    return spent["cost"].astype(float).fillna(priced)


def table_6(spent: pd.DataFrame, rates: Rates) -> ComparedTable:
    """Debates, tokens and cost by model: the paper's Table 6.

    Args:
        spent: The columns `SPENT`.
        rates: As from `rates_of`.

    Returns:
        A table of all debates of three rounds in the conditions that the paper counts.
        Its cells are compared with the printed ones where all five conditions and the
        paper's models are here; a free model costs nothing in any number of debates.
    """
    of_paper = spent["condition"].map(protocol_of).isin(COUNTED)
    counted = spent[of_paper & (spent["rounds"] == 3)]
    published = published_models("table_6")
    here = set(counted["model"])
    models = in_order(here | set(published if here & set(published) else ()), "table_6")
    missing, columns = _not_comparable(counted), ("debates", "total_tokens", "cost_usd")

    def cells(row: str, part: pd.DataFrame) -> dict[str, Compared]:
        paper = paper_of(STUDY)
        texts = _spending(part, rates) if len(part) or row == OVERALL else {}
        free = rates.get(row) == (0, 0)
        return {
            column: Compared(
                texts.get(column),
                paper.cell("table_6", row, column) if here & set(published) else None,
                not missing or (column == "cost_usd" and free),
            )
            for column in columns
        }

    rows = [
        *(ComparedRow(m, cells(m, counted[counted["model"] == m])) for m in models),
        ComparedRow("Overall", cells(OVERALL, counted)),
    ]
    found = _table(
        "table_6",
        "What the debaters spent",
        [],
        dict(zip(columns, ("Debates", "Tokens", "US dollars"), strict=True)),
        dict,
        "Debates with oneself count once per side and their tokens once; jury and "
        f"grader are left out{missing and f'; {missing}'}.",
    )
    return replace(found, rows=rows)


def _spending(spent: pd.DataFrame, rates: Rates) -> dict[str, Text]:
    """The cells of a row; none of what is not known."""
    tokens = float(spent["tokens"].sum(skipna=False))
    cost = float(dollars(spent, rates).sum(skipna=False))
    debates = int(spent["seats"].sum())
    cells = {
        "debates": Text(f"{debates}", number=debates),
        "total_tokens": Text(f"{tokens:,.0f}", number=tokens),
        "cost_usd": number(cost),
    }
    return {
        c: text for c, text in cells.items() if not math.isnan(text.numbers["number"])
    }


def _not_comparable(counted: pd.DataFrame) -> str:
    """What keeps ours from being comparable with the printed; empty where nothing."""
    if not _has_pool(counted):
        return "not comparable with the paper's, as other models debated"
    here = set(counted["condition"].map(protocol_of))
    absent = [PROTOCOLS[name] for name in COUNTED if name not in here]
    what = "not comparable with the paper's, which counts five conditions: missing are "
    return f"{what}{', '.join(absent)}" if absent else ""


# Single numbers: of the jury (Appendix D), and in the text.

JURY = {"qwen/qwq-32b", "google/gemini-pro-1.5", "deepseek/deepseek-chat"}
"""The models of the paper's jury."""

_MOTIONS = {"social_media": "353dc3", "space": "2f2406"}
"""The motions whose splits the paper gives, by the hashes at the end of their ids."""

_SPLITS = {
    "unanimous": "Unanimous",
    "split": "Split",
    "one_dissent": "One dissenting verdict",
    "two_dissent": "Two dissenting verdicts",
    "three_dissent": "Three dissenting verdicts",
}


def is_published_jury(
    condition: str, verdicts: pd.DataFrame, bets: pd.DataFrame
) -> bool:
    """Whether a condition is the paper's, by its models before its jury."""
    return (
        protocol_of(condition) == "cross_model"
        and _has_pool(bets[bets["condition"] == condition])
        and set(verdicts.loc[verdicts["condition"] == condition, "judge"]) == JURY
    )


def appendix_d(verdicts: pd.DataFrame, bets: pd.DataFrame) -> list[ComparedTable]:
    """The numbers of Appendix D, of every condition with a jury.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`, for who debated what.
    """
    return [
        _numbers_table(
            "appendix_d",
            f"The jury: {title(condition)}",
            _jury_numbers(own, bets),
            "Dissents: verdicts of the minority, or of one side where both have the "
            "same number. Shares are of the debates with two verdicts or more.",
            name=_own_name("appendix_d", "appendix_d", condition, "cross_model"),
            known=is_published_jury(condition, verdicts, bets),
        )
        for condition, own in by_condition(verdicts).items()
    ]


def _jury_numbers(verdicts: pd.DataFrame, bets: pd.DataFrame) -> Iterator[_Row]:
    decided = with_motion(decisions(verdicts), bets)
    minorities = dissents(seats(verdicts).to_numpy())
    several = sum(minorities.values())
    counts = [minorities.get(n, 0) for n in range(4)]
    for (key, name), n in zip(
        _SPLITS.items(), [counts[0], several - counts[0], *counts[1:]], strict=True
    ):
        yield _Row(f"{name}, debates", Text(str(n), number=n), f"{key}_n")
        share = number(100 * n / several if several else math.nan, 1)
        yield _Row(f"{name}, %", share, f"{key}_pct")
    won = 100 * float((decided["by_sum"] == SIDES[1]).mean())
    name = "Won by the opposition, by the sum of confidences, %"
    yield _Row(name, number(won, 1), "opposition_win_pct")
    hashes = decided["motion"].map(lambda motion: str(motion).rpartition("-")[2])
    for topic, of_topic in _MOTIONS.items():
        if (hashes == of_topic).any():
            agreed = float(decided.loc[hashes == of_topic, "unanimous"].mean())
            name = f"Split on {topic.replace('_', ' ')}, % of debates"
            yield _Row(name, number(100 * (1 - agreed), 0), topic)


def _numbers_table(
    key: str, title: str, rows: Iterable[_Row], note: str, *, name: str, known: bool
) -> ComparedTable:
    return _table(
        key,
        title,
        rows,
        {"value": "Value"},
        lambda text: {"value": text},
        note,
        name=name,
        heading="What",
        known=lambda row, column: known,
    )


SECTIONS = {
    "abstract": "Abstract",
    "introduction": "Introduction",
    "section_4_1": "Section 4.1",
    "section_4_2": "Section 4.2",
    "section_4_3": "Section 4.3",
    "section_5_3": "Section 5.3",
    "appendix_j": "Appendix J",
}
"""Where the paper's text has numbers of bets, by the names of the published cells."""

_OfBets = Callable[[pd.DataFrame], float]
_InText = tuple[str, str, str, int, _OfBets]
"""A number in the text: section, key, what it is, decimals, and how it follows."""


def _test(name: str) -> _OfBets:
    return lambda bets: float(getattr(against(openings(bets)["recorded"]), name))


def _mean(speech: str) -> _OfBets:
    return lambda bets: spread(three_speeches(bets)[speech], ddof=0).mean


def _rise(name: str, first: str) -> _OfBets:
    pair = (first, "closing")
    return lambda bets: float(getattr(change(three_speeches(bets), pair), name))


def _both(threshold: float, *, or_equal: bool = False) -> _OfBets:
    """Debates in percent whose closing bets are both above a threshold, or reach it."""

    def share(bets: pd.DataFrame) -> float:
        lower = by_debate(bets)[list(SIDES)].dropna().min(axis=1)
        over = lower >= threshold if or_equal else lower > threshold
        return 100 * float(over.mean())

    return share


def _above_50_by_model(bets: pd.DataFrame) -> list[bool]:
    groups = openings(bets).groupby(["condition", "model"])["recorded"]
    return [against(values).p < SIGNIFICANT for _, values in groups]


_OPENS = ("abstract", "opening", "mean opening bet", 1, _mean("opening"))
_CLOSES = ("abstract", "closing", "mean closing bet", 1, _mean("closing"))
_OVER_75 = ("both_gt75", "both sides end above 75", 1, _both(75))
_REACH_75 = ("both_ge75", "both sides end at 75 or more", 1, _both(75, or_equal=True))
_MODELS_ABOVE = "models that open above 50 (t test, p < 0.05)"
_NUMBERS: Mapping[str, Sequence[_InText]] = {
    "cross_model": [
        _OPENS,
        ("abstract", "closing", "mean closing bet", 0, _mean("closing")),
        ("abstract", *_OVER_75),
        ("introduction", *_REACH_75),
        (
            *("section_4_1", "sd", "openings, standard deviation", 2),
            lambda bets: spread(openings(bets)["recorded"], ddof=1).sd,
        ),
        ("section_4_3", *_OVER_75),
        ("appendix_j", "t", "openings, t", 3, _test("t")),
        ("appendix_j", "mean", "openings, mean", 2, _test("mean")),
        ("appendix_j", "n", "openings, n", 0, _test("n")),
    ],
    "self": [
        *(_OPENS, _CLOSES),
        (
            *("section_5_3", "open_to_closing", "opening to closing", 1),
            _rise("mean", "opening"),
        ),
    ],
    "informed_self": [
        *(_OPENS, _CLOSES),
        (
            *("section_4_2", "p_rebuttal_to_closing", "rebuttal to closing, p", 4),
            _rise("p", "rebuttal"),
        ),
    ],
    OVERALL: [
        (
            *("section_4_1", "significant", _MODELS_ABOVE, 0),
            lambda bets: sum(_above_50_by_model(bets)),
        ),
        (
            *("section_4_1", "tested", "models", 0),
            lambda bets: len(_above_50_by_model(bets)),
        ),
        ("section_4_3", "both_gt50", "both sides end above 50", 1, _both(50)),
        ("section_4_3", *_OVER_75),
    ],
}
"""By protocol, and of the conditions that the paper pools."""

_PAIRS: dict[tuple[str, str], Alternative] = {
    ("self", "informed_self"): "greater",
    ("self", "public"): "two-sided",
}
"""Conditions whose models' opening bets the text compares, and how it tests them."""


def text_numbers(bets: pd.DataFrame) -> ComparedTable:
    """The numbers in the text, with those of the conditions that there are."""
    order, paper = list(SECTIONS), paper_of(STUDY)
    found = sorted(_in_text(bets), key=lambda one: order.index(one[0]))

    def cell(section: str, key: str | None) -> PrintedCell | None:
        return None if key is None else paper.cell(section, key, "value")

    return ComparedTable(
        "text_numbers",
        "Numbers in the text",
        "What",
        [
            ComparedRow(
                row.title,
                {"value": Compared(row.of, cell(section, row.printed))},
                SECTIONS[section],
            )
            for section, row in found
        ],
        {"value": "Value"},
        "Where",
        "Bets in percentage points, shares of debates in percent; models are compared "
        "by their mean opening bets. The difference of self-debate and informed self, "
        "14.075, is printed as 14.08.",
    )


def _in_text(bets: pd.DataFrame) -> Iterator[tuple[str, _Row]]:
    """Numbers by their section."""
    parts, whole = by_condition(bets), pooled(bets)
    openings_t: _InText = ("section_4_1", "t", "openings against 50, t", 2, _test("t"))
    of = [
        (c, protocol_of(c), title(c), part, _has_pool(part))
        for c, part in parts.items()
    ]
    for _, protocol, name, part, known in of:
        for section, key, what, digits, how in (
            openings_t,
            *_NUMBERS.get(protocol, ()),
        ):
            own = key if section == "appendix_j" else f"{key} {protocol}"
            text = number(how(part), digits)
            yield section, _Row(f"{name}: {what}", text, own if known else None)
    for (_, one, name, part, known), (_, two, other, base, both) in product(of, of):
        if (one, two) in _PAIRS:
            for key, what, text in _of_pair(part, base, _PAIRS[one, two]):
                place = f"{key} {one} {two}" if known and both else None
                yield "section_4_1", _Row(f"{name} less {other}: {what}", text, place)
    if whole["condition"].nunique() > 1:
        for section, key, what, digits, how in _NUMBERS[OVERALL]:
            place = f"{key} overall" if section == "section_4_3" else key
            text = number(how(whole), digits)
            printed = place if _is_whole(whole) else None
            yield section, _Row(f"Pooled conditions: {what}", text, printed)


def _of_pair(
    part: pd.DataFrame, base: pd.DataFrame, alternative: Alternative
) -> Iterator[tuple[str, str, Text]]:
    """What is compared of the models' mean opening bets."""
    later, earlier = (
        openings(bets).groupby("model")["recorded"].mean() for bets in (part, base)
    )
    earlier, later = earlier.align(later, join="inner")
    test = paired(earlier, later, alternative)
    yield "difference", "mean difference", number(later.mean() - earlier.mean())
    yield "paired_t", "paired t", number(test.t)
    text = "<0.001" if test.p < 0.001 else fixed(test.p, 3)
    yield "paired_p", f"p ({alternative})", Text(text, number=test.p)


# Printed tables of runs that are not among these logs.


def printed_tables(bets: pd.DataFrame) -> list[ComparedTable]:
    """Those of Tables 14 to 16 and Appendix O whose runs are not here."""
    here = set(bets["condition"].map(protocol_of))
    by_round = {name: label(name) for name in (*SPEECHES, *transitions(SPEECHES))}
    columns = {
        protocol: (STYLES[protocol].table, by_round)
        for protocol in ("redteam", "redteam_v2", "deceptive")
    } | {FOUR_ROUNDS: ("appendix_o", _FOUR_ROUND_COLUMNS)}
    paper = paper_of(STUDY)
    return [
        replace(
            _table(key, f"{title(protocol)}, as printed", [], names, dict),
            rows=[
                ComparedRow(
                    "Overall" if row == OVERALL else row,
                    {column: Compared(None, cell) for column, cell in cells.items()},
                )
                for row, cells in paper.tables[key].rows.items()
            ],
        )
        for protocol, (key, names) in columns.items()
        if protocol not in here
    ]


# What changes when bets that were never made are left out and not counted as 0.


def changed_by_missing(bets: pd.DataFrame) -> pd.DataFrame:
    """All cells by condition that a bet which was not made, but recorded, changes.

    Returns:
        A row per cell: `Condition`, `Model`, `What`, `Counted as 0`, `Left out`.
    """
    rows = [
        row
        for condition, part in by_condition(bets).items()
        for row in _changed(condition, part)
    ]
    names = ("Condition", "Model", "What", "Counted as 0", "Left out")
    return pd.DataFrame(rows, columns=list(names))


def _changed(condition: str, bets: pd.DataFrame) -> Iterator[tuple[str, ...]]:
    lost = bets[bets["bet"].isna() & bets["recorded"].notna()]
    if lost.empty:
        return
    style = _style(condition)
    recorded, left_out = (by_side(bets, value) for value in ("recorded", "bet"))

    def both(who: str, p: PStyle, models: Sequence[str]) -> Iterator[tuple[str, ...]]:
        before, after = (
            _rounds(wide[wide["model"].isin(models)], p, n=style.n)
            for wide in (recorded, left_out)
        )
        yield from _differing(condition, who, before, after)

    for model in in_order(lost["model"], style.table):
        yield from both(model, "full", [model])
    yield from both("Overall", style.overall, list(bets["model"].unique()))
    who = "Models that rise (p < 0.05)"
    yield from _differing(condition, who, rising(bets), rising(bets, "bet"))


def _differing(
    condition: str, who: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    for name, text in before.items():
        if after[name] != text:
            yield title(condition), who, label(name), str(text), str(after[name])
