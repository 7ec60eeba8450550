"""What is wrong in ColMAD's printed numbers, and which are found again."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from inspect_debate.metrics.detection import (
    Counts,
    OracleReduction,
    baselines,
    f1,
    f2,
    oracle_reduction,
    precision,
    recall,
)
from inspect_debate.published.faults import Fault, Finding
from inspect_debate.published.printed import Pair, PublishedRow, PublishedTables
from inspect_debate.published.reproduction import Checked, How
from inspect_debate.reports.colmad.detectors import (
    LABELS,
    PUBLISHED,
    SIZES,
    Detectors,
    Labels,
    detector_cells,
)
from inspect_debate.reports.colmad.frames import SUBSETS

# What the printed cells of ColMAD's tables say of each other, and of the data.

AUTHORS = ("gpt4", "llama2")
TABLES = {"gpt4": "Table 1", "llama2": "Table 2"}

ROUNDED = 0.005 + 1e-9
"""How far a value of two decimals may be from the exact one."""

MEAN_ROUNDED = 0.01 + 1e-9
"""How far a mean of three such values may be from theirs, after rounding once more."""


class Gold(NamedTuple):
    """How many responses of a subset have an error, and how many none."""

    errors: int
    others: int


GOLD = {
    ("gpt4", "math"): Gold(87, 53),
    ("gpt4", "fact"): Gold(88, 52),
    ("gpt4", "answerability"): Gold(87, 53),
    ("llama2", "math"): Gold(128, 32),
    ("llama2", "fact"): Gold(129, 31),
    ("llama2", "answerability"): Gold(130, 30),
}
"""The released data, by author of the responses and subset."""

USED_ERRORS = 85
"""The errors with which fact verification was computed on responses of GPT-4."""

GOLD_USED = GOLD | {("gpt4", "fact"): Gold(USED_ERRORS, 140 - USED_ERRORS)}
"""The labels with which the tables were computed, if no response was left out.

If three were, there are 52 without an error, and always saying “error” does better.
"""


class Place(NamedTuple):
    """A row of the tables: ids of models as printed, `b` None for one model alone."""

    author: Literal["gpt4", "llama2"]
    protocol: str
    a: str
    b: str | None

    def __str__(self) -> str:
        models = self.a if self.b is None else f"{self.a} + {self.b}"
        return f"{TABLES[self.author]}, {self.protocol}, {models}"


Rows = dict[Place, PublishedRow]


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


def rows_of(tables: PublishedTables, *, people: bool = False) -> Rows:
    """The rows of both tables, in their order.

    Args:
        tables: As printed.
        people: Whether to take the rows of people instead of those of models.
    """
    return {
        Place(author, row.protocol, row.debater_a, row.debater_b): row
        for author in ("gpt4", "llama2")
        for row in tables.rows(author)
        if (row.protocol == "human") == people
    }


def cell(row: PublishedRow, subset: str) -> Pair:
    """F1 and F2 of a subset as printed."""
    found = {"math": row.math, "fact": row.fact, "answerability": row.answerability}
    return found[subset]


def means(row: PublishedRow) -> Pair:
    """The unweighted means of the printed cells of a row."""
    cells = [cell(row, subset) for subset in SUBSETS]
    return Pair(sum(c.f1 for c in cells) / 3, sum(c.f2 for c in cells) / 3)


def is_mean(row: PublishedRow) -> bool:
    """Whether the printed averages are those of the printed cells."""
    return _near(row.mean, means(row))


def is_swapped(row: PublishedRow) -> bool:
    """Whether the printed averages are each that of the other score."""
    return not is_mean(row) and _near(Pair(row.mean.f2, row.mean.f1), means(row))


def solutions(printed: Pair, gold: Gold) -> list[tuple[int, int]]:
    """All numbers of hits and false alarms that give the printed F1 and F2."""
    tp, fp = np.indices((gold.errors + 1, gold.others + 1)).reshape(2, -1)[:, 1:]
    counts = Counts(tp, fp, gold.errors - tp, gold.others - fp)
    near = np.ones(len(tp), dtype=bool)
    for score, value in ((f1, printed.f1), (f2, printed.f2)):
        near &= np.abs(100 * np.asarray(score(counts)) - value) <= ROUNDED
    found = zip(tp[near], fp[near], strict=True)
    return [(int(hits), int(alarms)) for hits, alarms in found]


def gold_used(author: str, subset: str) -> Gold:
    """The labels that a table was computed with."""
    gold = GOLD[author, subset]
    used = (author, subset) == ("gpt4", "fact")
    return Gold(USED_ERRORS, gold.others) if used else gold


def fits(row: PublishedRow, author: str) -> list[bool]:
    """Whether there are counts behind each cell, with the labels of an author's."""
    return [bool(solutions(cell(row, s), gold_used(author, s))) for s in SUBSETS]


def counts_of(place: Place, row: PublishedRow, subset: str) -> tuple[int, int] | None:
    """Hits and false alarms behind a cell; None where not one pair of counts fits."""
    found = solutions(cell(row, subset), gold_used(place.author, subset))
    return found[0] if len(found) == 1 else None


def bounds(rows: Rows, place: Place) -> Iterator[Bound]:
    """The counts of a pair beside those of its models alone.

    If answers on which both agree are kept, then an item on which both say "error" is
    a hit or a false alarm of the pair, too, and one on which neither does is not.

    Args:
        rows: As from `rows_of`.
        place: A pair whose cells and those of its models fit one pair of counts.
    """
    alone = [Place(place.author, "single", str(m), None) for m in (place.a, place.b)]
    for subset in SUBSETS:
        found = [counts_of(at, rows[at], subset) for at in (place, *alone)]
        gold = gold_used(place.author, subset)
        pair, one, other = ([] if counts is None else counts for counts in found)
        columns = zip(("hits", "false alarms"), pair, one, other, gold, strict=False)
        for what, count, a, b, n in columns:
            yield Bound(subset, what, count, max(0, a + b - n), min(n, a + b))


def _near(printed: Pair, exact: Pair) -> bool:
    return all(abs(a - b) <= MEAN_ROUNDED for a, b in zip(printed, exact, strict=True))


_PEOPLE = 35
"""The most responses of a subset that people labelled."""

_SCANNED = range(80, 96)
"""Numbers of errors that are tried for fact verification."""


def faults(
    tables: PublishedTables, detectors: Callable[[], Detectors | None] = lambda: None
) -> list[Fault]:
    """All faults of the tables, and of what the text says of them.

    Args:
        tables: As printed, or corrected.
        detectors: Reads the released labels; None where they are not at hand.
    """
    return [
        *(
            Fault("colmad", name, tables.flags[name], partial(check, tables))
            for name, check in _CHECKS.items()
        ),
        *(
            Fault("colmad", name, said, partial(check, tables))
            for name, (said, check) in CLAIMS.items()
        ),
        Fault(
            "colmad",
            "opposite_biases",
            "Eq. (4), the errors that an oracle would save two detectors, mostly "
            "measures opposite biases: of one that always says “error” and one that "
            "never does, one is always right.",
            lambda: opposite_biases(detectors()),
        ),
    ]


def averages_swapped(tables: PublishedTables) -> Finding:
    """Rows whose averages are each that of the other score."""
    rows = rows_of(tables) | rows_of(tables, people=True)
    found = {at: row for at, row in rows.items() if is_swapped(row)}
    return _of_rows(found, _told_means)


def rounded_twice(tables: PublishedTables) -> Finding:
    """Rows of people whose mathematics cells no counts give."""
    rows = rows_of(tables, people=True)
    found = {at: row for at, row in rows.items() if not fits_people(row.math)}
    return _of_rows(found, _told_nearest)


def fact_with_85_errors(tables: PublishedTables) -> Finding:
    """Rows whose fact verification cells fit 85 errors and not those of the data."""
    rows = {at: row for at, row in rows_of(tables).items() if at.author == "gpt4"}
    own, others = GOLD["gpt4", "fact"]
    fitting = {
        n: sum(bool(solutions(row.fact, Gold(n, others))) for row in rows.values())
        for n in _SCANNED
    }
    if fitting[own] or fitting[USED_ERRORS] < len(rows):
        return Finding()
    most = max(rows for n, rows in fitting.items() if n != USED_ERRORS)
    return Finding(
        [
            f"Counts that give both F1 and F2 as printed exist with the {own} errors "
            f"of the data for {fitting[own]} of {len(rows)} rows, with {USED_ERRORS} "
            f"for {fitting[USED_ERRORS]}, with any other number from {_SCANNED[0]} to "
            f"{_SCANNED[-1]} for {most} at most."
        ],
        frozenset(rows),
    )


def not_an_ensemble(tables: PublishedTables) -> Finding:
    """Ensembles that no coin between the printed single answers can give."""
    return _outside(tables, "ensemble")


def no_short_cut(tables: PublishedTables) -> Finding:
    """CopMAD rows that are impossible if answers on which both agree were kept."""
    return _outside(tables, "copmad")


def of_the_other_table(tables: PublishedTables) -> Finding:
    """Rows of Table 2 that fit no counts of its data, but those of Table 1."""
    found = {
        at: row
        for at, row in rows_of(tables).items()
        if at.author == "llama2" and not any(fits(row, "llama2"))
    }
    elsewhere = {at: row for at, row in found.items() if all(fits(row, "gpt4"))}
    return _of_rows(elsewhere, _told_counts)


def fits_people(printed: Pair) -> bool:
    """Whether any counts of as many responses as people labelled give both values."""
    return any(
        solutions(printed, Gold(errors, size - errors))
        for size in range(1, _PEOPLE + 1)
        for errors in range(1, size + 1)
    )


_CHECKS: Mapping[str, Callable[[PublishedTables], Finding]] = {
    "fact_with_85_errors": fact_with_85_errors,
    "averages_swapped": averages_swapped,
    "rounded_twice": rounded_twice,
    "not_an_ensemble": not_an_ensemble,
    "of_the_other_table": of_the_other_table,
    "no_short_cut": no_short_cut,
}


def _outside(tables: PublishedTables, protocol: str) -> Finding:
    rows = rows_of(tables)
    asked = [at for at in rows if at.protocol == protocol]
    wrong = {at: [one for one in bounds(rows, at) if one.broken] for at in asked}
    found = {at: broken for at, broken in wrong.items() if broken}
    if not found:
        return Finding()
    lines = [
        f"{at}: {one.found} {one.what} in {SUBSETS[one.subset].lower()}; its models "
        f"alone leave {one.low} to {one.high}."
        for at, (one, *_) in found.items()
    ]
    counts = sum(map(len, found.values()))
    lines.append(f"Such counts: {counts}, in {len(found)} of {len(asked)} rows.")
    return Finding(lines, frozenset(found))


def _told_means(at: Place, row: PublishedRow) -> str:
    own = means(row)
    return (
        f"{at}: printed {row.mean.f1:.2f} and {row.mean.f2:.2f}; the means of the "
        f"printed F1 and F2 are {own.f1:.2f} and {own.f2:.2f}."
    )


def _told_nearest(at: Place, row: PublishedRow) -> str:
    possible = {
        _percent(Counts(tp, fp, errors - tp, 0)): (tp, errors, fp)
        for errors in range(1, _PEOPLE + 1)
        for tp in range(1, errors + 1)
        for fp in range(_PEOPLE - errors + 1)
    }
    near = min(possible, key=lambda p: _apart(p, row.math))
    tp, errors, fp = possible[near]
    own = rounded_before(tp, errors, fp)
    rounded = (
        f"; rounded to one digit, F1 and, by way of precision and recall, F2 are "
        f"{own.f1:.2f} and {own.f2:.2f}"
        if _apart(own, row.math) < ROUNDED
        else ""
    )
    return (
        f"{at}: {row.math.f1:.2f} and {row.math.f2:.2f} follow from no counts of up to "
        f"{_PEOPLE} responses; {tp} of {errors} errors found with {fp} false alarms "
        f"give {near.f1:.2f} and {near.f2:.2f}{rounded}."
    )


def rounded_before(tp: int, errors: int, fp: int) -> Pair:
    """F1 rounded to one digit, and F2 of precision and recall that are."""
    counts = Counts(tp, fp, errors - tp, 0)
    precise, found = (round(100 * float(of(counts)), 1) for of in (precision, recall))
    of_two = 5 * precise * found / (4 * precise + found)
    return Pair(round(100 * float(f1(counts)), 1), round(of_two, 2))


def rounds_people(printed: Pair) -> bool:
    """Whether any counts of people give both values, rounded before."""
    return any(
        _apart(rounded_before(tp, errors, fp), printed) < ROUNDED
        for errors in range(1, _PEOPLE + 1)
        for tp in range(1, errors + 1)
        for fp in range(_PEOPLE - errors + 1)
    )


def _apart(one: Pair, other: Pair) -> float:
    return abs(one.f1 - other.f1) + abs(one.f2 - other.f2)


def _percent(counts: Counts) -> Pair:
    return Pair(100 * float(f1(counts)), 100 * float(f2(counts)))


def _told_counts(at: Place, row: PublishedRow) -> str:
    own, other = (
        [GOLD[author, subset].errors for subset in SUBSETS]
        for author in ("llama2", "gpt4")
    )
    return (
        f"{at}: no counts with {_listed(own)} errors give its cells; with those behind "
        f"Table 1 ({_listed(other)}, of fact verification {USED_ERRORS}) one table of "
        "counts gives each."
    )


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def _of_rows(
    found: Mapping[Place, PublishedRow], told: Callable[[Place, PublishedRow], str]
) -> Finding:
    return Finding([told(at, row) for at, row in found.items()], frozenset(found))


# What ColMAD's text says, beside its own tables and the released labels.

DECREASE = Pair(13, 15)
"""How much the text says that CopMAD loses at most, of F1 and F2."""

_GAIN = 4
"""How much the text says that ColMAD gains at most over single agents."""

_FIRST = Place("gpt4", "copmad", "GPT4o-mini", "Llama3.1-70B")
"""The pair of which the text says it."""

_TOLD = 0.3
"""What the text says that Eq. (4) exceeds for a pair of such models."""

_PROMPT = "baseline_errordetection_prompt_1"
_PAIR = ("gpt-4-0613", "Llama-2-70b-chat-hf")


def always_error(author: str, labels: Mapping[tuple[str, str], Gold] = GOLD) -> Pair:
    """The average scores, in percent, of a detector that always says “error”.

    Args:
        author: Of the responses: `gpt4` or `llama2`.
        labels: The gold labels by author and subset.
    """
    alike = [gold for (of, _), gold in labels.items() if of == author]
    always = [
        baselines(Counts(gold.errors, gold.others, 0, 0))["always_error"]
        for gold in alike
    ]
    scores = [(100 * float(f1(one)), 100 * float(f2(one))) for one in always]
    return Pair(*(sum(column) / len(alike) for column in zip(*scores, strict=True)))


def always_error_is_better(tables: PublishedTables) -> Finding:
    """That the best row of each table is below a detector that does not look."""
    lines = []
    for author in AUTHORS:
        rows = [row for at, row in rows_of(tables).items() if at.author == author]
        own, best = always_error(author).f2, max(row.mean.f2 for row in rows)
        as_used = always_error(author, GOLD_USED).f2
        if min(own, as_used) > best:
            used = "" if as_used == own else f" ({as_used:.2f} with the labels used)"
            lines.append(
                f"{TABLES[author]}: its average F2 is {own:.2f}{used}; the best of "
                f"{len(rows)} rows of models has {best:.2f}."
            )
    return Finding(lines if len(lines) == len(AUTHORS) else [])


def copmad_decrease(tables: PublishedTables) -> Finding:
    """That CopMAD loses more of F2 than the text says, whatever it is held against.

    Its 13 points of F1 are the tables' own, cut off, so that only F2 is tested.
    """
    rows = rows_of(tables)
    copmad = rows[_FIRST]
    others = [*_alone(_FIRST), _FIRST._replace(protocol="ensemble")]
    lost = {
        str(at): Pair(*(a - b for a, b in zip(rows[at].mean, copmad.mean, strict=True)))
        for at in others
    }
    if min(of.f2 for of in lost.values()) < DECREASE.f2 + 1:
        return Finding()
    told = "; ".join(f"{of.f1:.2f} and {of.f2:.2f} ({at})" for at, of in lost.items())
    return Finding(
        [
            f"{_FIRST}: {copmad.mean.f1:.2f} and {copmad.mean.f2:.2f}. F1 and F2 below "
            f"what it may be compared with: {told}."
        ]
    )


def larger_gain(tables: PublishedTables) -> Finding:
    """Pairs in which ColMAD gains more over the better model than the text says."""
    gains = dict(_gains(rows_of(tables)))
    lines = [
        f"{at}: {gain.f1:+.2f} of F1 and {gain.f2:+.2f} of F2."
        for at, gain in gains.items()
        if gain.f2 >= _GAIN + 1
    ]
    most = max(gain.f1 for gain in gains.values())
    if lines and int(most) == _GAIN:
        lines.append(f"The most of F1 is {most:.2f}, which is {_GAIN} if cut off.")
    return Finding(lines)


def small_margin(tables: PublishedTables) -> Finding:
    """Cells in which ColMAD is less than a point above CopMAD."""
    rows = rows_of(tables)
    lines: list[str] = []
    ahead: list[Pair] = []
    for at, row in rows.items():
        if at.protocol == "colmad":
            other = rows[at._replace(protocol="copmad")]
            lines += _margins(at, row, other)
            apart = zip(row.mean, other.mean, strict=True)
            ahead.append(Pair(*(a - b for a, b in apart)))
    if lines:
        least = Pair(*(min(column) for column in zip(*ahead, strict=True)))
        lines.append(
            f"Averages over tasks: {least.f1:+.2f} of F1 and {least.f2:+.2f} of F2 at "
            "least."
        )
    return Finding(lines)


CLAIMS: Mapping[str, tuple[str, Callable[[PublishedTables], Finding]]] = {
    "always_error_is_better": (
        "A detector that always answers “error” has a higher average F2 than every row "
        "of models: read F2 beside `f2_always_error`.",
        always_error_is_better,
    ),
    "copmad_decrease": (
        f"“Up to {DECREASE.f1} %” of F1 and “{DECREASE.f2} %” of F2 is what the text "
        "says that CopMAD loses with GPT4o-mini and Llama3.1. The F1 is the table's, "
        "cut off; of F2 it loses more than 24, against either model and their "
        "ensemble.",
        copmad_decrease,
    ),
    "larger_gain": (
        f"“Up to {_GAIN} %” is what the text says that ColMAD gains over single "
        "agents. That is right of F1, cut off, over the better model; of F2 the table "
        "has larger gains.",
        larger_gain,
    ),
    "small_margin": (
        "The text sees ColMAD ahead of CopMAD by a large margin in all settings. Its "
        "averages are ahead in every row, by 2.8 of F1 and 6.0 of F2 at the least; in "
        "single tasks it is less than a point in some.",
        small_margin,
    ),
}
"""Faults of the text by name: what is wrong, and what shows it."""


def opposite_biases(detectors: Detectors | None) -> Finding | None:
    """Eq. (4) of GPT-4 with Llama 2, and what independent errors leave of it."""
    if detectors is None:
        return None
    found = dict(_reductions(detectors))
    first = [float(one.ratio) for (_, of), one in found.items() if of == _PROMPT]
    ratios = [float(one.ratio) for one in found.values()]
    corrected = [float(one.corrected_ratio) for one in found.values()]
    if min(first) < _TOLD or max(corrected) > min(first) / 2:
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


def _alone(at: Place) -> list[Place]:
    return [Place(at.author, "single", str(m), None) for m in (at.a, at.b)]


def _gains(rows: Rows) -> Iterator[tuple[Place, Pair]]:
    for at, row in rows.items():
        if at.protocol == "colmad":
            alone = [rows[one].mean for one in _alone(at)]
            best = [max(scores) for scores in zip(*alone, strict=True)]
            yield at, Pair(*(a - b for a, b in zip(row.mean, best, strict=True)))


def _margins(at: Place, row: PublishedRow, other: PublishedRow) -> Iterator[str]:
    for subset, name in SUBSETS.items():
        pairs = zip(("F1", "F2"), cell(row, subset), cell(other, subset), strict=True)
        for score, ours, theirs in pairs:
            if ours - theirs < 1:
                yield f"{at}: {ours - theirs:+.2f} of {score} in {name.lower()}."


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


# How far the cells of ColMAD's tables follow from the data and from each other.

_SCORES = ("F1", "F2")
_NEEDS_RUNS = "no answers are released"


def checked_cells(
    tables: PublishedTables, detectors: Detectors | None
) -> Iterator[Checked]:
    """Every printed cell, and every number of ReaLMistake's detectors, once.

    Args:
        tables: As printed.
        detectors: The released labels and metrics, where they are at hand.
    """
    yield from _of_tables(tables)
    yield from _unread() if detectors is None else detector_cells(detectors)


def _of_tables(tables: PublishedTables) -> Iterator[Checked]:
    rows = rows_of(tables)
    impossible = _impossible(tables)
    for at, row in (rows_of(tables, people=True) | rows).items():
        for subset, name in SUBSETS.items():
            flag = impossible.get((at, subset))
            why = _NEEDS_RUNS if flag is None else tables.flags[flag]
            how: How = "open" if flag is None else "impossible"
            if flag == "rounded_twice" and rounds_people(cell(row, subset)):
                how = "convention"
            fits = "" if at.protocol == "human" else _counts_given(at, row, subset)
            yield from _pair(at, name, cell(row, subset), how, why, [fits] * 2)
        yield from _means(at, row, tables.flags["averages_swapped"])


def _means(at: Place, row: PublishedRow, why: str) -> Iterator[Checked]:
    right = is_mean(row)
    ours = [f"{value:.2f}" for value in means(row)]
    how: How = "cells" if right else "impossible"
    yield from _pair(at, "average", row.mean, how, "" if right else why, ours)


def _pair(
    at: Place, name: str, printed: Pair, how: How, why: str, ours: list[str]
) -> Iterator[Checked]:
    row = str(at).partition(", ")[2]
    for score, value, own in zip(_SCORES, printed, ours, strict=True):
        of = f"{row}, {name} {score}"
        table = TABLES[at.author]
        yield Checked("colmad", table, of, f"{value:.2f}", how, own, why)


def _impossible(tables: PublishedTables) -> Mapping[tuple[Place, str], str]:
    """The flags of cells that cannot be, by row and subset."""
    rows = rows_of(tables)
    computed_otherwise = bool(fact_with_85_errors(tables).lines)
    fact = {(at, "fact") for at in rows if at.author == "gpt4" and computed_otherwise}
    people = {
        (at, "math")
        for at, row in rows_of(tables, people=True).items()
        if not fits_people(row.math)
    }
    broken = {
        (at, bound.subset)
        for at in rows
        if at.protocol == "ensemble"
        for bound in bounds(rows, at)
        if bound.broken
    }
    unfit = {
        (at, subset)
        for at, row in rows.items()
        for subset in SUBSETS
        if counts_of(at, row, subset) is None
    }
    return {
        **dict.fromkeys(unfit, "of_the_other_table"),
        **dict.fromkeys(broken, "not_an_ensemble"),
        **dict.fromkeys(people, "rounded_twice"),
        **dict.fromkeys(fact, "fact_with_85_errors"),
    }


def _counts_given(at: Place, row: PublishedRow, subset: str) -> str:
    found = counts_of(at, row, subset)
    return "" if found is None else f"{found[0]} hits, {found[1]} false alarms"


def _unread() -> Iterator[Checked]:
    why = f"{LABELS.name} and {PUBLISHED.name}"
    for table, size in SIZES.items():
        for number in range(1, size + 1):
            yield Checked(
                "colmad", table, f"number {number}", "", "needs data", why=why
            )
