"""What is wrong in the confidence study's numbers, and which are found again."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.published.faults import Fault, Finding
from inspect_debate.published.printed import (
    PublishedCell,
    PublishedConfidence,
    confidence_tables,
    is_printed_so,
)
from inspect_debate.published.reproduction import Checked, How
from inspect_debate.reports.confidence import sides
from inspect_debate.reports.confidence.alignment import (
    alignment_tables,
    by_condition,
    graded,
    sums_of,
)
from inspect_debate.reports.confidence.costs import rates_of, released_spending, table_6
from inspect_debate.reports.confidence.escalation import change, missing_table
from inspect_debate.reports.confidence.frames import bets_of, conditions, verdicts_of
from inspect_debate.reports.confidence.jury import TIE, appendix_d, decisions
from inspect_debate.reports.confidence.paper import class_shares, paper_tables
from inspect_debate.reports.confidence.sides import fixed, pooled, three_speeches
from inspect_debate.reports.confidence.study import OVERALL, POOLED, published_models
from inspect_debate.reports.confidence.twins import PaperTable
from inspect_debate.solvers.bet_records import SIDES

# The released debates, and what they give for each printed cell.


class Spot(NamedTuple):
    """Where a cell is printed."""

    table: str
    row: str
    column: str

    def __str__(self) -> str:
        column = "" if self.column == "value" else f", {self.column}"
        return f"{_named(self.table)}, {self.row}{column}"


class Released(NamedTuple):
    """The released debates.

    Attributes:
        bets: As from `bets_of`.
        verdicts: As from `verdicts_of`.
        graded: The debates with published grades, as from `graded`.
        spent: What the debaters took, the columns `costs.SPENT`.
        texts: Speeches and the reasoning about bets, by `condition`, `debate`, `side`
            and `round`.
        ours: What they give for printed cells, as texts in the paper's conventions.
    """

    bets: pd.DataFrame
    verdicts: pd.DataFrame
    graded: pd.DataFrame
    spent: pd.DataFrame
    texts: pd.DataFrame
    ours: Mapping[Spot, str]


def released(rows: Sequence[Mapping[str, Any]]) -> Released:
    """What the released debates give.

    Args:
        rows: As from `transcripts.logs.score_rows`.
    """
    grouped = conditions(pd.DataFrame(rows))
    bets, verdicts = bets_of(grouped), verdicts_of(grouped)
    compared = graded(grouped.frame)
    spent = released_spending(rows)
    texts = pd.DataFrame(
        [
            {"condition": row["protocol"], "debate": row["id"], **text}
            for row in rows
            for text in row["texts"]
        ]
    )
    tables = [
        *paper_tables(bets),
        table_6(spent, rates_of([])),
        *(alignment_tables(compared) if len(compared) else []),
        *appendix_d(verdicts, bets),
    ]
    return Released(bets, verdicts, compared, spent, texts, dict(_ours(tables)))


def spots(published: PublishedConfidence) -> Iterator[tuple[Spot, PublishedCell]]:
    """All printed cells, in their order."""
    for table, rows in published.tables.items():
        for row, columns in rows.items():
            for column, cell in columns.items():
                yield Spot(table, row, column), cell


def _named(table: str) -> str:
    """Where the paper has a table: "Table 2", "Section 4.1", "Appendix D"."""
    if table == "human":
        return "Human baseline"
    kind, _, number = table.partition("_")
    return f"{kind.capitalize()} {number.replace('_', '.').upper()}".rstrip()


def _ours(tables: Sequence[PaperTable]) -> Iterator[tuple[Spot, str]]:
    """Ours of every cell that has a published twin, which is known by its object."""
    twins = {
        id(twin.paper): twin.ours
        for table in tables
        for twin in table.cells.values()
        if twin.paper is not None and twin.comparable
    }
    for spot, cell in spots(confidence_tables()):
        if (ours := twins.get(id(cell))) is not None:
            yield spot, ours


# Printed tables whose cells contradict each other.

_BETS = 13
"""The most bets of a model, as in Table 5."""
_FEWEST = 6

# Differences of two means, or a mean of ten, that were rounded to two decimals.
_ROUNDED = 0.0151


def inconsistent(table: str, published: PublishedConfidence) -> Finding:
    """Changes that are not between the printed means, and means not of the rows.

    Args:
        table: `table_15` or `table_16`, of which no transcripts are released.
        published: As printed.

    Returns:
        The printed cells that the others contradict.
    """
    models, lines, places = published_models(table), [], []
    for row in (*models, OVERALL):
        for column, (first, last) in CHANGES.items():
            spot = Spot(table, row, column)
            between = _at(published, table, row, last) - _at(
                published, table, row, first
            )
            if abs(number(published, spot) - between) > _ROUNDED:
                lines.append(
                    f"{spot}: {number(published, spot):.2f}; the printed means are "
                    f"{between:.2f} apart."
                )
                places.append(spot)
    for column in SPEECHES:
        spot = Spot(table, OVERALL, column)
        mean = sum(_at(published, table, row, column) for row in models) / len(models)
        if abs(number(published, spot) - mean) > _ROUNDED:
            lines.append(
                f"{spot}: {number(published, spot):.2f}; the mean of its rows is "
                f"{mean:.2f}."
            )
            places.append(spot)
    return Finding(lines, frozenset(places))


def contradicted(table: str, published: PublishedConfidence) -> frozenset[Spot]:
    """The cells of `inconsistent` that no missing bets explain, either.

    Where rows have 6 to 13 bets, an overall mean may be that of all bets there are,
    and a change that of the debates with both bets.

    Args:
        table: As there.
        published: As printed.
    """
    found = inconsistent(table, published).places
    spots = (spot for spot in found if isinstance(spot, Spot))
    return frozenset(spot for spot in spots if not _explained(spot, published))


def number(published: PublishedConfidence, spot: Spot) -> float:
    """The first number of a printed cell."""
    return numbers(published.cell(*spot))[0]


def _explained(spot: Spot, published: PublishedConfidence) -> bool:
    table, row, column = spot
    if column in CHANGES:
        means = (_at(published, table, row, speech) for speech in CHANGES[column])
        return _of_pairs(number(published, spot), *(_totals(mean) for mean in means))
    sums = {(0, 0)}
    for model in published_models(table):
        of_model = _totals(_at(published, table, model, column)).items()
        sums = {(n + m, all + k) for n, all in sums for m, k in of_model}
    overall = number(published, spot)
    return any(is_printed_so(all / n, overall, 2) for n, all in sums)


def _of_pairs(change: float, first: dict[int, int], last: dict[int, int]) -> bool:
    """Whether a change is that of some debates with both bets, but not of all."""
    return any(
        n in _totals(change) and not n == a == b
        for a in first
        for b in last
        for n in range(max(a + b - _BETS, _FEWEST), min(a, b) + 1)
    )


def _totals(mean: float) -> dict[int, int]:
    """Of each number of bets with such a mean their sum, as bets are whole numbers."""
    sums = {n: round(mean * n) for n in range(_FEWEST, _BETS + 1)}
    return {n: k for n, k in sums.items() if is_printed_so(k / n, mean, 2)}


def _at(published: PublishedConfidence, *spot: str) -> float:
    return number(published, Spot(*spot))


_CLASSES = ("both_51_75", "both_gt75", "51_75_and_gt75")
"""Columns of Table 4 in which both sides end above 50."""

_BOTH_OVER_50 = Spot("section_4_3", "both_gt50 overall", "value")
_ROSE = Spot("section_5_3", "open_to_closing self", "value")

Found = Callable[[], Released | None]
"""Reads the released debates; gives None where they are not at hand."""


def faults(published: PublishedConfidence, found: Found = lambda: None) -> list[Fault]:
    """All faults of the printed numbers.

    Args:
        published: As printed, or corrected.
        found: Reads the released debates, when a check first needs them.
    """
    flagged = {
        name: partial(_flagged, published, found, name)
        for name in published.flags
        if name not in _PRINTED
    }
    printed = {name: partial(check, published) for name, check in _PRINTED.items()}
    data = {
        name: partial(_of_data, check, found) for name, check in DATA_CHECKS.items()
    }
    claims = {one.id: f"Claimed: {one.claim} {one.tables}" for one in published.claims}
    said = {**published.flags, **published.notes, **_SAID, **claims}
    return [
        Fault("confidence", name, said[name], check)
        for name, check in (flagged | printed | data).items()
    ]


def _flagged(published: PublishedConfidence, read: Found, flag: str) -> Finding | None:
    """Cells that are not as printed, or only by the convention that the flag tells."""
    found = read()
    if found is None:
        return None
    lines, places = [], []
    for spot, cell in spots(published):
        if cell.flag != flag:
            continue
        plain, other = _as_stated(found, spot), by_convention(flag, found, spot)
        if not is_printed(plain, cell):
            told = "" if other is None else f"; by the other convention {other}"
            lines.append(f"{spot}: printed {cell.plain}; as stated {plain}{told}.")
            places.append(spot)
    return Finding(lines, frozenset(places))


def _as_stated(found: Released, spot: Spot) -> str:
    """The cell by what the paper states, with malformed labels counting for none."""
    if spot.table != "table_17":
        return found.ours[spot]
    row = found.graded[found.graded["arm"] == spot.column]
    label = spot.row.partition("/")[2].lower()
    own = row[f"bet_alignment.assessment_{label}"].sum()
    return f"{100 * own / row['bet_alignment.graded'].sum():.1f}%"


def _mixed_class_left_out(published: PublishedConfidence) -> Finding:
    printed = number(published, _BOTH_OVER_50)
    shares = [number(published, Spot("table_4", OVERALL, name)) for name in _CLASSES]
    if abs(sum(shares) - printed) <= 0.1:
        return Finding()
    parts = " and ".join(f"{share:g}" for share in shares[:2])
    return Finding(
        [
            f"{_BOTH_OVER_50}: printed {printed:g}. Table 4, overall: {parts} are "
            f"{sum(shares[:2]):.1f}; with the {shares[2]:g} between them "
            f"{sum(shares):.1f}."
        ],
        frozenset({_BOTH_OVER_50}),
    )


def _standard_debate(published: PublishedConfidence) -> Finding:
    """That a rise is not that of the condition which is called standard."""
    printed = number(published, _ROSE)
    rows = [row for row in published.tables["table_3"] if row != OVERALL]
    rises = {
        row: number(published, Spot("table_3", row, "open_to_closing")) for row in rows
    }
    if abs(rises["self"] - printed) <= 0.05 + 1e-9:
        return Finding()
    told = ", ".join(f"{row} {rise:g}" for row, rise in rises.items())
    free = [rise for row, rise in rises.items() if row != "informed_self"]
    return Finding(
        [
            f"{_ROSE}: printed {printed:g}. Table 3, opening to closing: {told}; "
            f"without informed_self {sum(free) / len(free):.2f} on average."
        ],
        frozenset({_ROSE}),
    )


def _table_5_prose(published: PublishedConfidence) -> Finding:
    """Numbers of debates that are not those of Table 5."""
    (claim,) = [one.claim for one in published.claims if one.id == "table_5_prose"]
    own, fewest, most = map(int, re.findall(r"\b\d+\b", claim))
    totals = {
        model: int(number(published, Spot("table_5", model, "total")))
        for model in published_models("table_5")
    }
    mini = totals["openai/gpt-4o-mini"]
    if (own, fewest, most) == (mini, min(totals.values()), max(totals.values())):
        return Finding()
    return Finding(
        [
            f"Table 5: gpt-4o-mini {mini}, all models {min(totals.values())} to "
            f"{max(totals.values())}; the prose has {own}, and {fewest} to {most}."
        ]
    )


def _two_spreads(published: PublishedConfidence) -> Finding:
    """That one spread is printed in two ways."""
    sample = number(published, Spot("section_4_1", "sd cross_model", "value"))
    cell = published.cell("table_3", "cross_model", "opening")
    whole, n = numbers(cell)[1], 120
    if sample == whole:
        return Finding()
    return Finding(
        [
            f"Cross-model openings: {sample:g} in section 4.1, {whole:g} in Table 3; "
            f"{whole:g} times the root of {n}/{n - 1} is "
            f"{whole * sqrt(n / (n - 1)):.2f}, up to rounding the former."
        ]
    )


def _of_data(
    check: Callable[[Released], Finding | None], read: Found
) -> Finding | None:
    found = read()
    return None if found is None else check(found)


_PRINTED: Mapping[str, Callable[[PublishedConfidence], Finding]] = {
    "mixed_class_left_out": _mixed_class_left_out,
    "standard_debate_open": _standard_debate,
    "table_5_prose": _table_5_prose,
    "two_spreads": _two_spreads,
    "table_15": partial(inconsistent, "table_15"),
    "table_16": partial(inconsistent, "table_16"),
}
"""Faults that printed numbers alone show."""

_SAID = {
    "two_spreads": "One spread is printed as two numbers, both right: section 4.1 and "
    "Table 2 divide by n − 1, Tables 3 and 8 to 12 by n, which the paper does not say.",
    "one_juror": "Most of the opposition's share is one juror's, which is for it in "
    "nine of ten debates.",
    "missing_as_zero": "Two bets that the transcripts do not have (a placeholder, a "
    "cut-off completion) are counted as 0, which hides two rises that are significant "
    "without them.",
    "three_motions": "The self-debates are on three motions, not on the six of the "
    "cross-model debates: conditions differ in what was debated, too.",
    "stakes": "Very low bets read as stakes rather than probabilities: the same number "
    "is asked for as both, and where the reasoning before them states a chance, it is "
    "50 to 60 percent. They occur in self-debates alone.",
}


# How far the confidence study's cells follow from its released debates.

_ABSENT = {
    "table_6": "counts debates with red-teaming, too, which are not among these",
    "table_14": "debates with red-teaming are not among these",
    "table_15": "neither code nor transcripts are released",
    "table_16": "neither code nor transcripts are released",
    "appendix_o": "debates of four rounds are not among these",
    "human": "of another study",
}
"""Why there is nothing to compute cells of a table from."""

_OWN_MEANS = ("table_15", "table_16")
"""Tables without released data whose changes and means can be held against rows."""


def checked_cells(
    published: PublishedConfidence, found: Released | None
) -> Iterator[Checked]:
    """Every printed cell, once.

    Args:
        published: As printed.
        found: The released debates, where they are at hand.
    """
    wrong = frozenset[Spot]().union(*(contradicted(t, published) for t in _OWN_MEANS))
    for spot, cell in spots(published):
        if found is not None and spot in found.ours:
            yield _compared(published, found, spot, cell)
        elif (other := follows(published, spot)) is not None:
            equal = other == cell.plain
            how: How = "cells" if equal else "impossible"
            yield _of(spot, cell, how, other, "" if equal else "other printed cells")
        elif spot in wrong:
            yield _of(spot, cell, "impossible", "", "other printed cells")
        elif spot.table in _ABSENT:
            yield _of(spot, cell, "open", "", _ABSENT[spot.table])
        else:
            yield _of(spot, cell, "needs data", "", "the released debates")


def is_printed(ours: str | None, cell: PublishedCell) -> bool:
    """Whether a text of ours is a cell to the printed digit, but for spaces."""
    return ours is not None and "".join(ours.split()) == cell.plain


def _compared(
    published: PublishedConfidence, found: Released, spot: Spot, cell: PublishedCell
) -> Checked:
    ours, why = found.ours[spot], published.reason(cell)
    if cell.flag and is_printed(by_convention(cell.flag, found, spot), cell):
        return _of(spot, cell, "convention", ours, why)
    return _of(spot, cell, "data" if is_printed(ours, cell) else "differs", ours, why)


def _of(spot: Spot, cell: PublishedCell, how: How, ours: str, why: str) -> Checked:
    table, _, place = str(spot).partition(", ")
    return Checked("confidence", table, place, cell.printed, how, ours, why)


# What the released debates show of how the confidence study's numbers came about.

_MOST = 0.8
"""A juror's share of verdicts for one side from which its lean is told."""

_LOW = 10
"""Bets up to which nobody gives a probability of winning."""


def one_juror(found: Released) -> Finding:
    """Jurors that are nearly always for the opposition."""
    read = found.verdicts[found.verdicts["winner"].notna()]
    against = (read["winner"] == SIDES[1]).groupby(read["judge"])
    shares = against.mean()
    if shares.max() < _MOST:
        return Finding()
    votes = zip(shares.index, against.sum(), against.count(), shares, strict=True)
    return Finding(
        [
            f"{who}: {n} of {given} ({100 * share:.1f} %)."
            for who, n, given, share in votes
        ]
    )


def missing_as_zero(found: Released) -> Finding:
    """Cells that a bet which was not made changes."""
    table = missing_table(found.bets)
    if table is None:
        return Finding()
    return Finding(
        [
            f"{row['Condition']}, {row['Model']}, {row['What'].lower()}: "
            f"{row['Counted as 0']}; left out, {row['Left out']}."
            for row in table.frame.to_dict("records")
        ]
    )


def three_motions(found: Released) -> Finding:
    """Conditions that are not on the same motions."""
    bets = found.bets
    motions = {
        condition: set(bets.loc[bets["condition"] == condition, "motion"])
        for condition in POOLED
    }
    if len({frozenset(of) for of in motions.values()}) == 1:
        return Finding()
    told = ", ".join(f"{condition} {len(of)}" for condition, of in motions.items())
    return Finding([f"Motions: {told}."])


def stakes(found: Released) -> Finding:
    """Bets so low that they are no probabilities, by condition."""
    made = found.bets[found.bets["bet"] <= _LOW]
    if made.empty:
        return Finding()
    counts = made["condition"].value_counts()
    told = ", ".join(f"{name} {counts.get(name, 0)}" for name in POOLED)
    models = ", ".join(sorted(set(made["model"])))
    return Finding([f"Bets of up to {_LOW}: {told}; by {models}."])


def table_6_caption(found: Released) -> Finding:
    """That cross-model debates did not take what Table 6 prints."""
    spent = found.spent[found.spent["condition"] == "cross_model"]
    own = table_6(spent, rates_of([])).cells[OVERALL, "cost_usd"].ours
    printed = confidence_tables().tables["table_6"][OVERALL]["cost_usd"].plain
    if own is None or own == printed:
        return Finding()
    return Finding(
        [
            f"Cross-model debates: {own} US dollars at the authors' prices; printed "
            f"{printed}."
        ]
    )


def assessments(found: Released) -> Finding:
    """That another number of bets was assessed."""
    names = {"bet_alignment.graded": "assessed", "bet_alignment.eligible": "eligible"}
    counts = {told: int(found.graded[key].sum()) for key, told in names.items()}
    if counts["assessed"] == _ASSESSMENTS:
        return Finding()
    sides = len(found.graded) * len(SIDES)
    return Finding(
        [
            f"Bets: {counts['assessed']:,} assessed, {counts['eligible']:,} with "
            f"reasoning that is long enough; {sides} sides in {len(found.graded)} "
            "debates."
        ]
    )


def appendix_h(found: Released) -> Finding:
    """That no debater with public bets speaks of a chance of exactly one half."""
    told = found.texts["reasoning"].str.contains(_EXACTLY)
    counts = told.groupby(found.texts["condition"]).agg(["sum", "count"])
    if not {"public", "informed_self"} <= set(counts.index):
        return Finding()
    if counts.loc["public", "sum"] or not counts.loc["informed_self", "sum"]:
        return Finding()
    rows: dict[str, list[int]] = {str(at): list(row) for at, row in counts.iterrows()}
    parts = [
        f"{name} {rows[name][0]} of {rows[name][1]}"
        for name in ("informed_self", "public")
    ]
    return Finding(
        [f"Reasonings with “exactly 50” or “by definition”: {', '.join(parts)}."]
    )


def appendix_o(found: Released) -> Finding | None:
    """That openings share more words with four rounds: one side has read the other.

    None where debates of four rounds are not at hand.
    """
    openings = found.texts[found.texts["round"] == 1]
    if "four_round" not in set(openings["condition"]):
        return None
    shared = {
        condition: _shared_words(openings[openings["condition"] == condition])
        for condition in ("self", "four_round")
    }
    if shared["four_round"] <= _FAR * max(shared["self"], 1):
        return Finding()
    told = ", ".join(f"{name} {mean:.1f}" for name, mean in shared.items())
    return Finding(
        [f"Runs of {_RUN} words in both openings of a debate, on average: {told}."]
    )


def _shared_words(openings: pd.DataFrame) -> float:
    shared = [
        len(set[Any].intersection(*map(_runs, rows["speech"])))
        for _, rows in openings.groupby("debate")
    ]
    return sum(shared) / len(shared) if shared else 0.0


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[n : n + _RUN]) for n in range(len(words) - _RUN + 1)}


_ASSESSMENTS = 480
_EXACTLY = re.compile(r"exactly 50|by definition", re.IGNORECASE)
_RUN, _FAR = 9, 5
"""Length of a run of words, and from which factor on two means are far apart."""

DATA_CHECKS: Mapping[str, Callable[[Released], Finding | None]] = {
    "one_juror": one_juror,
    "missing_as_zero": missing_as_zero,
    "three_motions": three_motions,
    "stakes": stakes,
    "table_6_caption": table_6_caption,
    "assessments": assessments,
    "appendix_h": appendix_h,
    "appendix_o": appendix_o,
}
"""Checks of the released debates, by the name of the fault."""


# Printed cells that follow from the released debates by another convention.


def by_convention(flag: str, found: Released, spot: Spot) -> str | None:
    """What a flagged cell is by the convention that its flag tells.

    Args:
        flag: A key of `PublishedConfidence.flags`.
        found: The released debates.
        spot: Where the cell is printed.

    Returns:
        The cell as a text; None where the flag tells no convention.
    """
    convention = _CONVENTIONS.get(flag)
    return None if convention is None else convention(found, spot)


def _dash(found: Released, spot: Spot) -> str | None:
    """A dash where there is nothing to rank."""
    condition, _, model = spot.row.partition(" ")
    bets = found.bets
    own = bets[(bets["condition"] == condition) & (bets["model"] == model)]
    openings = own.loc[own["speech"] == "opening", "recorded"]
    return "–" if openings.nunique() == 1 else None


def _without_mixed(found: Released, spot: Spot) -> str:
    """Debates with both bets in one class above 50."""
    shares = class_shares(pooled(found.bets))
    parts = [float(shares[name].rstrip("%")) for name in ("both_51_75", "both_gt75")]
    return fixed(sum(parts), 1)


def _strictly(found: Released, spot: Spot) -> str:
    """Debates with both bets strictly above 75."""
    bets = found.bets[found.bets["condition"] == spot.row.split()[-1]]
    return class_shares(bets)["both_gt75"].rstrip("%")


def _without_anchor(found: Released, spot: Spot) -> str:
    """The mean rise of the conditions in which no chance is told."""
    parts = sides.by_condition(found.bets)
    rises = [
        change(three_speeches(parts[name]), ("opening", "closing")).mean
        for name in ("cross_model", "self", "public")
    ]
    return fixed(sum(rises) / len(rises), 1)


def _splits_given_away(found: Released, spot: Spot) -> str:
    """Debates that the opposition wins by majority, with all even splits."""
    won = decisions(found.verdicts)["by_majority"]
    return fixed(100 * float(won.isin([SIDES[1], TIE]).mean()), 1)


def _folded(found: Released, spot: Spot) -> str | None:
    """As the suite's own table has it, which folds malformed labels, too."""
    return found.ours.get(spot)


def _parts_added(found: Released, spot: Spot) -> str:
    """Rounded shares of a label and of the malformed ones that name it, added."""
    flag, _, label = spot.column.lower().partition("/")
    sums = sums_of(by_condition(found.graded)[spot.row])
    of = sums[f"{flag}_graded"]
    parts = [
        round(100 * sums[f"{flag}_assessment_{kind}{label}"] / of, 1)
        for kind in ("", "malformed_")
    ]
    return f"{fixed(sum(parts), 1)}%"


_CONVENTIONS: Mapping[str, Callable[[Released, Spot], str | None]] = {
    "nothing_to_rank": _dash,
    "mixed_class_left_out": _without_mixed,
    "strictly_above_75": _strictly,
    "standard_debate_open": _without_anchor,
    "even_splits_given_away": _splits_given_away,
    "labels_folded": _folded,
    "rounded_parts_added": _parts_added,
}


# Printed cells of the confidence study that follow from other printed cells.

ROUNDS = {
    "cross_model": "table_8",
    "informed_self": "table_9",
    "public": "table_10",
    "self": "table_11",
    OVERALL: "table_12",
}
"""Which table has the rounds of a condition, of all together the last."""

CHANGES = {
    "open_to_rebuttal": ("opening", "rebuttal"),
    "rebuttal_to_closing": ("rebuttal", "closing"),
    "open_to_closing": ("opening", "closing"),
}
"""Columns of changes, and of the means that they are between."""

SPEECHES = ("opening", "rebuttal", "closing")
"""Columns of means."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def numbers(cell: PublishedCell | None) -> list[float]:
    """The numbers in a cell; none of one that is not there."""
    found = "" if cell is None else cell.plain
    return [float(number) for number in _NUMBER.findall(found)]


def follows(published: PublishedConfidence, spot: Spot) -> str | None:
    """What a cell should be by other printed cells.

    Table 13 counts the stars of Tables 8 to 11, Table 3 repeats their overall rows and
    that of Table 12, Table 7 has the means of Table 2, and the overall cost of Table 6
    is that of its rows.

    Returns:
        The cell as it follows, in as many words as it has; None for all others.
    """
    match spot.table:
        case "table_13":
            return _stars(published, spot)
        case "table_3":
            whole = published.cell(ROUNDS[spot.row], OVERALL, spot.column)
            return None if whole is None else _first(whole)
        case "table_6" if spot.row == OVERALL:
            costs = (
                published.cell("table_6", m, spot.column) for m in published_models()
            )
            return f"{sum(sum(numbers(cost)) for cost in costs):.2f}"
        case "table_7" if spot.column == "mean":
            condition, _, model = spot.row.partition(" ")
            other = published.cell("table_2", model, condition)
            return None if other is None else other.plain.partition("±")[0]
    return None


def _first(whole: PublishedCell) -> str:
    """A cell of Tables 8 to 12 as Table 3 has it: without n, p-value and stars."""
    return re.split(r"[(,*]", whole.plain)[0]


def _stars(published: PublishedConfidence, spot: Spot) -> str:
    cells = (
        published.cell(ROUNDS[spot.row], model, spot.column)
        for model in published_models()
    )
    starred = sum(cell is not None and "*" in cell.plain for cell in cells)
    return f"{starred}/{len(published_models())}"
