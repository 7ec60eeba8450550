"""ColMAD's printed F1 and F2 as counts of hits and false alarms.

What the tables' cells say of each other and of the data, beyond plain arithmetic: which
counts give both scores of a cell, and which counts of two models leave a pair's.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from inspect_debate.metrics.detection import (
    Counts,
    OracleReduction,
    f1,
    f2,
    oracle_reduction,
    precision,
    recall,
)
from inspect_debate.published.engine import Audit, Check, Finding, How, Known, Rule
from inspect_debate.published.realmistake import Detectors, Labels
from inspect_debate.published.tables import (
    Inconsistency,
    Paper,
    PrintedCell,
    row_of,
    title_of,
)

SUBSETS = {
    "math": "mathematics",
    "fact": "fact verification",
    "answerability": "answerability",
}
ROUNDED = 0.005 + 1e-9
"""How far a value of two decimals may be from the exact one."""


class Pair(NamedTuple):
    """F1 and F2 in percent, as printed to two decimals."""

    f1: float
    f2: float


class Gold(NamedTuple):
    """How many responses of a subset have an error, and how many none."""

    errors: int
    others: int


GOLD = {
    ("table_1", "math"): Gold(87, 53),
    ("table_1", "fact"): Gold(88, 52),
    ("table_1", "answerability"): Gold(87, 53),
    ("table_2", "math"): Gold(128, 32),
    ("table_2", "fact"): Gold(129, 31),
    ("table_2", "answerability"): Gold(130, 30),
}
"""The released data. Table 1 is of responses of GPT-4, Table 2 of Llama 2."""

USED_ERRORS = 85
"""The errors with which fact verification was computed in Table 1."""

GOLD_USED = GOLD | {("table_1", "fact"): Gold(USED_ERRORS, 140 - USED_ERRORS)}
"""The labels with which the tables were computed, if no response was left out."""

_SCANNED = range(80, 96)
"""Numbers of errors that are tried for fact verification."""

_PEOPLE = 35
"""The most responses of a subset that people labelled."""


class Row(NamedTuple):
    """A row of the tables, with its cells by subset, `mean` among them."""

    table: str
    name: str
    pairs: Mapping[str, Pair]

    @property
    def protocol(self) -> str:
        """`single`, `colmad`, ...; `human` for people."""
        return self.name.partition(" ")[0]

    @property
    def models(self) -> list[str]:
        """The models as printed, the judge first."""
        return self.name.partition(" ")[2].split(" + ")

    def __str__(self) -> str:
        models = self.name.partition(" ")[2] or "Human"
        return f"{title_of(self.table)}, {self.protocol}, {models}"


Rows = dict[tuple[str, str], Row]


def rows_of(paper: Paper, table: str = "", protocol: str = "") -> Rows:
    """The rows of both tables, or those of one or of a protocol, by their names.

    Rows of people are left out, unless they are asked for as `human`.
    """
    rows = {}
    for name, of_table in paper.tables.items():
        for row, cells in of_table.rows.items():
            pairs = {
                subset: Pair(cells[f"{subset}_f1"].value, cells[f"{subset}_f2"].value)
                for subset in (*SUBSETS, "mean")
            }
            one = Row(name, row, pairs)
            asked = one.protocol == protocol if protocol else one.protocol != "human"
            if asked and table in ("", name):
                rows[name, row] = one
    return rows


@cache
def solutions(printed: Pair, gold: Gold) -> list[tuple[int, int]]:
    """All numbers of hits and false alarms that give the printed F1 and F2."""
    tp, fp = np.indices((gold.errors + 1, gold.others + 1)).reshape(2, -1)[:, 1:]
    counts = Counts(tp, fp, gold.errors - tp, gold.others - fp)
    near = np.ones(len(tp), dtype=bool)
    for score, value in ((f1, printed.f1), (f2, printed.f2)):
        near &= np.abs(100 * np.asarray(score(counts)) - value) <= ROUNDED
    found = zip(tp[near], fp[near], strict=True)
    return [(int(hits), int(alarms)) for hits, alarms in found]


def counts_of(row: Row, subset: str) -> tuple[int, int] | None:
    """Hits and false alarms behind a cell; None where not one pair of counts fits."""
    found = solutions(row.pairs[subset], GOLD_USED[row.table, subset])
    return found[0] if len(found) == 1 else None


class Bound(NamedTuple):
    """A count of a pair, and the least and most that shared answers leave it."""

    subset: str
    what: str
    found: int
    low: int
    high: int

    @property
    def broken(self) -> bool:
        """Whether the count is outside."""
        return not self.low <= self.found <= self.high


def bounds(rows: Rows, row: Row) -> Iterator[Bound]:
    """The counts of a pair beside those of its models alone.

    If answers on which both agree are kept, then an item on which both say "error" is
    a hit or a false alarm of the pair, too, and one on which neither does is not.
    """
    alone = [rows[row.table, row_of("single", model)] for model in row.models]
    for subset in SUBSETS:
        found = [counts_of(one, subset) for one in (row, *alone)]
        gold = GOLD_USED[row.table, subset]
        pair, one, other = ([] if counts is None else counts for counts in found)
        columns = zip(("hits", "false alarms"), pair, one, other, gold, strict=False)
        for what, count, a, b, n in columns:
            yield Bound(subset, what, count, max(0, a + b - n), min(n, a + b))


def people_counts() -> Iterator[tuple[int, int, int]]:
    """Hits, errors and false alarms of as many responses as people labelled."""
    for errors in range(1, _PEOPLE + 1):
        for tp in range(1, errors + 1):
            for fp in range(_PEOPLE - errors + 1):
                yield tp, errors, fp


@cache
def fits_people(printed: Pair) -> bool:
    """Whether any counts of as many responses as people labelled give both values."""
    return any(
        solutions(printed, Gold(errors, size - errors))
        for size in range(1, _PEOPLE + 1)
        for errors in range(1, size + 1)
    )


def rounded_before(tp: int, errors: int, fp: int) -> Pair:
    """F1 rounded to one digit, and F2 of precision and recall that are."""
    counts = Counts(tp, fp, errors - tp, 0)
    precise, found = (round(100 * float(of(counts)), 1) for of in (precision, recall))
    of_two = 5 * precise * found / (4 * precise + found)
    return Pair(round(100 * float(f1(counts)), 1), round(of_two, 2))


@cache
def rounds_people(printed: Pair) -> bool:
    """Whether any counts of people give both values, rounded before."""
    return any(
        _apart(rounded_before(*counts), printed) < ROUNDED for counts in people_counts()
    )


# Rules of cells.


def implied_counts(audit: Audit, cell: PrintedCell) -> Known:
    """F1 and F2 that whole numbers of hits and false alarms give.

    An ensemble's are also as a coin between the answers of its models leaves them.
    """
    rows = rows_of(audit.paper)
    row, subset = rows[cell.table, cell.row], cell.column.rpartition("_")[0]
    counts = counts_of(row, subset)
    ours = "" if counts is None else f"{counts[0]} hits, {counts[1]} false alarms"
    fits = bool(solutions(row.pairs[subset], GOLD[row.table, subset]))
    if fits and row.protocol == "ensemble":
        found = bounds(rows, row)
        fits = not any(one.broken for one in found if one.subset == subset)
    if fits:
        return Known("open", ours, audit.paper.otherwise[1])
    notes = audit.paper.tables[cell.table].row_notes
    return Known("impossible", ours, cell.note or notes.get(cell.row, ""))


def counts_of_people(audit: Audit, cell: PrintedCell) -> Known:
    """F1 and F2 that counts of as few responses as people labelled give."""
    row = rows_of(audit.paper, protocol="human")[cell.table, cell.row]
    printed = row.pairs[cell.column.rpartition("_")[0]]
    if fits_people(printed):
        return Known("open", "", audit.paper.otherwise[1])
    how: How = "convention" if rounds_people(printed) else "impossible"
    return Known(how, "", cell.note, _nearest_text(row, printed))


RULES: Mapping[str, Rule] = {
    "implied counts": implied_counts,
    "counts of people": counts_of_people,
}


# Checks of inconsistencies.


def fact_with_85_errors(audit: Audit, entry: Inconsistency) -> Finding:
    """Rows whose fact verification cells fit 85 errors and not those of the data."""
    rows = rows_of(audit.paper, "table_1")
    pairs = [row.pairs["fact"] for row in rows.values()]
    own, others = GOLD["table_1", "fact"]
    fitting = {
        n: sum(bool(solutions(pair, Gold(n, others))) for pair in pairs)
        for n in _SCANNED
    }
    if fitting[own] or fitting[USED_ERRORS] < len(rows):
        return Finding()
    most = max(found for n, found in fitting.items() if n != USED_ERRORS)
    line = (
        f"Counts that give both F1 and F2 as printed exist with the {own} errors "
        f"of the data for {fitting[own]} of {len(rows)} rows, with {USED_ERRORS} "
        f"for {fitting[USED_ERRORS]}, with any other number from {_SCANNED[0]} to "
        f"{_SCANNED[-1]} for {most} at most."
    )
    return _of_rows(audit, rows.values(), lambda row: line, ("fact",))


def outside_of_bounds(audit: Audit, entry: Inconsistency, protocol: str) -> Finding:
    """Pairs of a protocol that cannot have kept the answers on which both agree."""
    rows = rows_of(audit.paper)
    asked = [row for row in rows.values() if row.protocol == protocol]
    broken = {
        str(row): of
        for row in asked
        if (of := [bound for bound in bounds(rows, row) if bound.broken])
    }
    if not broken:
        return Finding()
    found = [row for row in asked if str(row) in broken]
    of_rows = _of_rows(audit, found, lambda row: _bound_text(row, broken[str(row)][0]))
    counts = sum(map(len, broken.values()))
    total = f"Such counts: {counts}, in {len(found)} of {len(asked)} rows."
    return Finding([*of_rows.lines, total], of_rows.cells)


def of_the_other_table(audit: Audit, entry: Inconsistency) -> Finding:
    """Rows of Table 2 that fit no counts of its data, but those of Table 1."""
    found = (
        row
        for row in rows_of(audit.paper, "table_2").values()
        if not any(solutions(row.pairs[s], GOLD["table_2", s]) for s in SUBSETS)
        and all(solutions(row.pairs[s], GOLD_USED["table_1", s]) for s in SUBSETS)
    )
    return _of_rows(audit, found, _labels_text)


def larger_gain(audit: Audit, entry: Inconsistency, claimed: str) -> Finding:
    """Pairs in which ColMAD gains more over the better model than the text says."""
    rows, most = rows_of(audit.paper), int(claimed)
    gains = {
        str(row): _less(row.pairs["mean"], _best_alone(rows, row))
        for row in rows_of(audit.paper, protocol="colmad").values()
    }
    lines = [
        f"{row}: {gain.f1:+.2f} of F1 and {gain.f2:+.2f} of F2."
        for row, gain in gains.items()
        if gain.f2 >= most + 1
    ]
    of_f1 = max(gain.f1 for gain in gains.values())
    if lines and int(of_f1) == most:
        lines.append(f"The most of F1 is {of_f1:.2f}, which is {most} if cut off.")
    return Finding(lines)


def small_margin(audit: Audit, entry: Inconsistency) -> Finding:
    """Cells in which ColMAD is less than a point above CopMAD."""
    others = rows_of(audit.paper, protocol="copmad")
    lines: list[str] = []
    ahead: list[Pair] = []
    for (table, name), row in rows_of(audit.paper, protocol="colmad").items():
        other = others[table, name.replace("colmad", "copmad")]
        ahead.append(_less(row.pairs["mean"], other.pairs["mean"]))
        for subset, of in SUBSETS.items():
            margins = _less(row.pairs[subset], other.pairs[subset])
            lines += [
                f"{row}: {margin:+.2f} of {score.upper()} in {of}."
                for score, margin in margins._asdict().items()
                if margin < 1
            ]
    if lines:
        least = Pair(*(min(column) for column in zip(*ahead, strict=True)))
        lines.append(
            f"Averages over tasks: {least.f1:+.2f} of F1 and {least.f2:+.2f} of F2 at "
            "least."
        )
    return Finding(lines)


_PROMPT = "baseline_errordetection_prompt_1"
_PAIR = ("gpt-4-0613", "Llama-2-70b-chat-hf")


def opposite_biases(
    audit: Audit, entry: Inconsistency, at_least: str
) -> Finding | None:
    """Eq. (4) of GPT-4 with Llama 2, and what independent errors leave of it."""
    if audit.data.detectors is None:
        return None
    found = dict(_reductions(audit.data.detectors))
    first = [float(one.ratio) for (_, of), one in found.items() if of == _PROMPT]
    ratios = [float(one.ratio) for one in found.values()]
    corrected = [float(one.corrected_ratio) for one in found.values()]
    if min(first) < float(at_least) or max(corrected) > min(first) / 2:
        return Finding()
    return Finding(
        [
            f"{' with '.join(_PAIR)}, in {len(first)} cells: {min(first):.2f} to "
            f"{max(first):.2f} of the better one's errors are saved with the first "
            f"prompt, {min(ratios):.2f} to {max(ratios):.2f} with all; less what "
            f"errors independent of each other would save, {min(corrected):.2f} to "
            f"{max(corrected):.2f}."
        ]
    )


CHECKS: Mapping[str, Check] = {
    "counts with 85 errors": fact_with_85_errors,
    "counts outside of bounds": outside_of_bounds,
    "counts of the other table": of_the_other_table,
    "larger gain": larger_gain,
    "small margin": small_margin,
    "opposite biases": opposite_biases,
}


def _reductions(
    detectors: Detectors,
) -> Iterator[tuple[tuple[str, str], OracleReduction]]:
    """By cell and prompt."""
    for detector, by_prompt in detectors.labels.items():
        if detector.model == _PAIR[0]:
            other = detectors.labels[detector._replace(model=_PAIR[1])]
            for prompt, labels in by_prompt.items():
                gold = [int(error) for error, _ in labels]
                both = (_right(labels), _right(other[prompt]))
                cell = f"{detector.task} / {detector.author}"
                yield (cell, prompt), oracle_reduction(*both, gold)


def _right(labels: Labels) -> list[int]:
    """Strictly: a label that could not be read is wrong."""
    return [int(predicted == gold) for gold, predicted in labels]


def _of_rows(
    audit: Audit,
    rows: Iterable[Row],
    text: Callable[[Row], str],
    subsets: Collection[str] = (*SUBSETS, "mean"),
) -> Finding:
    """The text of every row, and its cells of some subsets."""
    found = list(rows)
    cells = [
        cell
        for row in found
        for name, cell in audit.paper.tables[row.table].rows[row.name].items()
        if name.rpartition("_")[0] in subsets
    ]
    return Finding(list(dict.fromkeys(map(text, found))), cells)


def _nearest_text(row: Row, printed: Pair) -> str:
    possible = {
        _percent(Counts(tp, fp, errors - tp, 0)): (tp, errors, fp)
        for tp, errors, fp in people_counts()
    }
    near = min(possible, key=lambda pair: _apart(pair, printed))
    tp, errors, fp = possible[near]
    own = rounded_before(tp, errors, fp)
    rounded = (
        f"; rounded to one digit, F1 and, by way of precision and recall, F2 are "
        f"{own.f1:.2f} and {own.f2:.2f}"
        if _apart(own, printed) < ROUNDED
        else ""
    )
    return (
        f"{row}: {printed.f1:.2f} and {printed.f2:.2f} follow from no counts of up to "
        f"{_PEOPLE} responses; {tp} of {errors} errors found with {fp} false alarms "
        f"give {near.f1:.2f} and {near.f2:.2f}{rounded}."
    )


def _labels_text(row: Row) -> str:
    own, other = (
        ", ".join(str(GOLD[table, subset].errors) for subset in SUBSETS)
        for table in ("table_2", "table_1")
    )
    return (
        f"{row}: no counts with {own} errors give its cells; with those behind "
        f"Table 1 ({other}, of fact verification {USED_ERRORS}) one table of "
        "counts gives each."
    )


def _bound_text(row: Row, bound: Bound) -> str:
    return (
        f"{row}: {bound.found} {bound.what} in {SUBSETS[bound.subset]}; its models "
        f"alone leave {bound.low} to {bound.high}."
    )


def _best_alone(rows: Rows, row: Row) -> Pair:
    alone = [rows[row.table, row_of("single", m)].pairs["mean"] for m in row.models]
    return Pair(*(max(scores) for scores in zip(*alone, strict=True)))


def _less(one: Pair, other: Pair) -> Pair:
    return Pair(one.f1 - other.f1, one.f2 - other.f2)


def _apart(one: Pair, other: Pair) -> float:
    return abs(one.f1 - other.f1) + abs(one.f2 - other.f2)


def _percent(counts: Counts) -> Pair:
    return Pair(100 * float(f1(counts)), 100 * float(f2(counts)))
