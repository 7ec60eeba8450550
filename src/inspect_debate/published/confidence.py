"""The confidence study's numbers beside its released debates.

What the debates give for the cells of the paper's tables comes from the report, in
`Released.ours`; here are the conventions by which others follow, and what the debates
show of how the numbers came about.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.metrics.bets import BET_CLASSES, bet_class
from inspect_debate.published.engine import (
    OTHER_CELLS,
    Audit,
    Check,
    Finding,
    Known,
    Rule,
)
from inspect_debate.published.shares import is_printed_so
from inspect_debate.published.tables import (
    Inconsistency,
    Paper,
    PrintedCell,
    paper_of,
    without_spaces,
)

POOLED = ("cross_model", "self", "informed_self", "public")
"""The conditions of the released debates, which the paper's overall rows pool."""

Spot = tuple[str, str, str]
"""A table, row and column."""


class Released(NamedTuple):
    """The released debates.

    Attributes:
        bets: A row per debate, side and speech: `condition`, `model`, `debate`,
            `motion`, `side`, `speech`, the `bet` and the one that was `recorded`.
        verdicts: A row per verdict: `debate`, `judge`, and the `winner`.
        graded: The debates with published grades of their bets.
        spent: What the debaters took: `condition`, `model`, tokens as `prompt` and
            `completion`, and the `cost` in US dollars where it is known.
        texts: Speeches and the reasoning about bets, by `condition`, `debate`, `side`
            and `round`.
        missing: What changes if bets that were not made are left out: `Condition`,
            `Model`, `What`, `Counted as 0` and `Left out`.
        ours: What the debates give for printed cells, in the paper's form.
    """

    bets: pd.DataFrame
    verdicts: pd.DataFrame
    graded: pd.DataFrame
    spent: pd.DataFrame
    texts: pd.DataFrame
    missing: pd.DataFrame
    ours: Mapping[Spot, str]


def compared(paper: Paper, found: Released, cell: PrintedCell) -> Known | None:
    """A cell beside the debates' value; None where they have none."""
    spot = (cell.table, cell.row, cell.column)
    ours, entry = found.ours.get(spot), paper.flagged(cell)
    if ours is None:
        return None
    if entry is not None and entry.id in CONVENTIONS:
        other = CONVENTIONS[entry.id](found, cell)
        if other is not None and without_spaces(other) == cell.plain:
            return Known("convention", ours, cell.note)
    equal = without_spaces(ours) == cell.plain
    return Known("data" if equal else "differs", ours, cell.note)


# Tables 15 and 16, of which nothing is released, beside their own rows.

_BETS = 13
"""The most bets of a model, as in Table 5."""
_FEWEST = 6
_ROUNDED = 0.0151
"""Of differences of two means, or a mean of ten, that were rounded to two decimals."""


def change(audit: Audit, cell: PrintedCell, of: Sequence[str]) -> Known:
    """A change, which is the difference of two means that are printed beside it.

    It may be that of the debates with both bets, where rows have 6 to 13 bets.
    """
    last, first = (audit.others(cell, one)[0].value for one in of)
    between = last - first
    if abs(cell.value - between) <= _ROUNDED:
        return _open(audit, cell)
    line = f"{cell.place}: {cell.value:.2f}; the printed means are {between:.2f} apart."
    return _open(audit, cell, line, _of_pairs(cell.value, _sums(first), _sums(last)))


def overall(audit: Audit, cell: PrintedCell, of: str) -> Known:
    """An overall mean, which is that of the rows above it.

    It may be that of all bets there are, where rows have 6 to 13 bets.
    """
    rows = [one.value for one in audit.others(cell, of)]
    mean = sum(rows) / len(rows)
    if abs(cell.value - mean) <= _ROUNDED:
        return _open(audit, cell)
    line = f"{cell.place}: {cell.value:.2f}; the mean of its rows is {mean:.2f}."
    sums = {(0, 0)}
    for row in rows:
        sums = {(n + m, all + k) for n, all in sums for m, k in _sums(row).items()}
    explained = any(is_printed_so(all / n, cell.value, 2) for n, all in sums)
    return _open(audit, cell, line, explained)


def _open(
    audit: Audit, cell: PrintedCell, line: str = "", explained: bool = True
) -> Known:
    if explained:
        return Known("open", "", audit.paper.tables[cell.table].why_open, line)
    return Known("impossible", "", OTHER_CELLS, line)


def _of_pairs(change: float, first: dict[int, int], last: dict[int, int]) -> bool:
    """Whether a change is that of some debates with both bets, but not of all."""
    return any(
        n in _sums(change) and not n == a == b
        for a in first
        for b in last
        for n in range(max(a + b - _BETS, _FEWEST), min(a, b) + 1)
    )


def _sums(mean: float) -> dict[int, int]:
    """Of each number of bets with such a mean their sum, as bets are whole numbers."""
    sums = {n: round(mean * n) for n in range(_FEWEST, _BETS + 1)}
    return {n: k for n, k in sums.items() if is_printed_so(k / n, mean, 2)}


RULES: Mapping[str, Rule] = {"change": change, "overall": overall}


# Cells that follow from the debates by another convention than the stated one.


def convention(audit: Audit, entry: Inconsistency) -> Finding | None:
    """Cells that are not as stated, beside their values by another convention."""
    found = audit.data.released
    if found is None:
        return None
    lines, cells = [], []
    for cell in audit.paper.found(entry.where):
        stated = _as_stated(found, cell)
        if without_spaces(stated) != cell.plain:
            other = CONVENTIONS[entry.id](found, cell)
            listed = "" if other is None else f"; by the other convention {other}"
            lines.append(
                f"{cell.place}: printed {cell.plain}; as stated {stated}{listed}."
            )
            cells.append(cell)
    return Finding(lines, cells)


def _as_stated(found: Released, cell: PrintedCell) -> str:
    """The cell by what the paper states, with malformed labels counting for none."""
    if cell.table != "table_17":
        return found.ours[cell.table, cell.row, cell.column]
    rows = found.graded[found.graded["condition"] == cell.column]
    label = cell.row.partition("/")[2].lower()
    own = rows[f"bet_alignment.assessment_{label}"].sum()
    return f"{100 * own / rows['bet_alignment.graded'].sum():.1f}%"


def _dash(found: Released, cell: PrintedCell) -> str | None:
    """A dash where there is nothing to rank."""
    condition, _, model = cell.row.partition(" ")
    bets = found.bets
    own = bets[(bets["condition"] == condition) & (bets["model"] == model)]
    return (
        "–" if own.loc[own["speech"] == "opening", "recorded"].nunique() == 1 else None
    )


def _without_mixed(found: Released, cell: PrintedCell) -> str:
    """Debates with both closing bets in one class above 50."""
    shares = _both_in(found.bets)
    return f"{sum(round(shares[name], 1) for name in _ABOVE_50):.1f}"


def _strictly(found: Released, cell: PrintedCell) -> str:
    """Debates with both closing bets strictly above 75."""
    bets = found.bets[found.bets["condition"] == cell.row.split()[-1]]
    return f"{_both_in(bets)['both_gt75']:.1f}"


def _both_in(bets: pd.DataFrame) -> dict[str, float]:
    """Percent of debates by the class of both closing bets, as in Table 4."""
    closing = bets[bets["speech"] == "closing"]
    sides = closing.set_index([*_DEBATE, "side"])["recorded"].unstack("side").dropna()
    classes = [bet_class(a, b) for a, b in sides.itertuples(index=False)]
    return {
        name: 100 * classes.count(place) / len(classes)
        for place, name in enumerate(BET_CLASSES)
    }


def _without_anchor(found: Released, cell: PrintedCell) -> str:
    """The mean rise of the conditions whose prompts name no chance."""
    speeches = found.bets.groupby(["condition", "speech"])["recorded"].mean()
    rises = [
        speeches[name, "closing"] - speeches[name, "opening"]
        for name in ("cross_model", "self", "public")
    ]
    return f"{sum(rises) / len(rises):.1f}"


def _splits_given_away(found: Released, cell: PrintedCell) -> str:
    """Debates that the opposition wins by majority, with all even splits."""
    read = found.verdicts[found.verdicts["winner"].notna()]
    against = (
        (read["winner"] == "opposition").groupby([read[n] for n in _DEBATE]).mean()
    )
    return f"{100 * (against >= 1 / 2).mean():.1f}"


def _folded(found: Released, cell: PrintedCell) -> str | None:
    """As the suite's own table has it, which folds malformed labels, too."""
    return found.ours.get((cell.table, cell.row, cell.column))


def _parts_added(found: Released, cell: PrintedCell) -> str:
    """Rounded shares of a label and of the malformed ones that name it, added."""
    flag, _, label = cell.column.lower().partition("/")
    rows = found.graded[found.graded["condition"] == cell.row]
    of = rows[f"bet_alignment.{flag}_graded"].sum()
    parts = [
        round(
            100 * rows[f"bet_alignment.{flag}_assessment_{kind}{label}"].sum() / of, 1
        )
        for kind in ("", "malformed_")
    ]
    return f"{sum(parts):.1f}%"


_ABOVE_50 = ("both_51_75", "both_gt75")
_DEBATE = ["condition", "run", "debate", "epoch"]

CONVENTIONS: Mapping[str, Callable[[Released, PrintedCell], str | None]] = {
    "nothing-to-rank": _dash,
    "mixed-class-left-out": _without_mixed,
    "strictly-above-75": _strictly,
    "standard-debate-open": _without_anchor,
    "even-splits-given-away": _splits_given_away,
    "labels-folded": _folded,
    "rounded-parts-added": _parts_added,
}


# What the debates show of how the numbers came about.

_MOST = 0.8
"""A juror's share of verdicts for one side from which on it leans to that side."""

_LOW = 10
"""Bets up to which nobody gives a probability of winning."""

_EXACTLY = re.compile(r"exactly 50|by definition", re.IGNORECASE)
_RUN, _FAR = 9, 5
"""Length of a run of words, and from which factor on two means are far apart."""


def one_juror(found: Released) -> Finding:
    """Jurors that are nearly always for the opposition."""
    read = found.verdicts[found.verdicts["winner"].notna()]
    against = (read["winner"] == "opposition").groupby(read["judge"])
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
    """Cells that change if a missing bet counts as 0."""
    return Finding(
        [
            f"{row['Condition']}, {row['Model']}, {row['What'].lower()}: "
            f"{row['Counted as 0']}; left out, {row['Left out']}."
            for row in found.missing.to_dict("records")
        ]
    )


def three_motions(found: Released) -> Finding:
    """Conditions that are not on the same motions."""
    motions = {
        condition: set(rows["motion"])
        for condition, rows in found.bets.groupby("condition", sort=False)
        if condition in POOLED
    }
    if len({frozenset(of) for of in motions.values()}) == 1:
        return Finding()
    listed = ", ".join(f"{name} {len(motions.get(name, ()))}" for name in POOLED)
    return Finding([f"Motions: {listed}."])


def stakes(found: Released) -> Finding:
    """Bets so low that they are no probabilities, by condition."""
    made = found.bets[found.bets["bet"] <= _LOW]
    if made.empty:
        return Finding()
    counts = made["condition"].value_counts()
    listed = ", ".join(f"{name} {counts.get(name, 0)}" for name in POOLED)
    models = ", ".join(sorted(set(made["model"])))
    return Finding([f"Bets of up to {_LOW}: {listed}; by {models}."])


def table_6_caption(found: Released, printed: str) -> Finding:
    """That cross-model debates did not take what Table 6 prints."""
    spent = found.spent[found.spent["condition"] == "cross_model"]
    prices = paper_of("confidence").prices
    per_prompt, per_completion = (
        spent["model"].map({model: of[n] for model, of in prices.items()})
        for n in range(2)
    )
    priced = spent["prompt"] * per_prompt + spent["completion"] * per_completion
    own = f"{spent['cost'].fillna(priced / 1e6).sum():.2f}"
    if own == printed:
        return Finding()
    return Finding(
        [
            f"Cross-model debates: {own} US dollars at the authors' prices; printed "
            f"{printed}."
        ]
    )


def assessments(found: Released, claimed: str) -> Finding:
    """That another number of bets was assessed."""
    names = {"bet_alignment.graded": "assessed", "bet_alignment.eligible": "eligible"}
    counts = {name: int(found.graded[key].sum()) for key, name in names.items()}
    if counts["assessed"] == int(claimed):
        return Finding()
    return Finding(
        [
            f"Bets: {counts['assessed']:,} assessed, {counts['eligible']:,} with "
            f"reasoning that is long enough; {2 * len(found.graded)} sides in "
            f"{len(found.graded)} debates."
        ]
    )


def appendix_h(found: Released) -> Finding:
    """That no debater with public bets speaks of a chance of exactly one half."""
    named = found.texts["reasoning"].str.contains(_EXACTLY)
    counts = named.groupby(found.texts["condition"]).agg(["sum", "count"])
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
    listed = ", ".join(f"{name} {mean:.1f}" for name, mean in shared.items())
    return Finding(
        [f"Runs of {_RUN} words in both openings of a debate, on average: {listed}."]
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


def _of_data(check: Callable[..., Finding | None]) -> Check:
    """A check of the released debates; None where they are not at hand."""

    def of(audit: Audit, entry: Inconsistency, **given: str) -> Finding | None:
        found = audit.data.released
        return None if found is None else check(found, **given)

    return of


DATA_CHECKS: Mapping[str, Callable[..., Finding | None]] = {
    "one juror": one_juror,
    "missing bets as zero": missing_as_zero,
    "motions of conditions": three_motions,
    "very low bets": stakes,
    "cost of cross-model debates": table_6_caption,
    "number of assessments": assessments,
    "who speaks of one half": appendix_h,
    "shared words of openings": appendix_o,
}
"""Checks of the released debates, by the name of the rule."""

CHECKS: Mapping[str, Check] = {
    "convention": convention,
    **{name: _of_data(check) for name, check in DATA_CHECKS.items()},
}
