"""The report on "Inference-time Generative Debates" (E. Elasky and F. Nakasako)."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pandas as pd

from inspect_debate.metrics import intervals
from inspect_debate.published import published
from inspect_debate.reports import figures, trust
from inspect_debate.reports.frames import Protocol, scored_by
from inspect_debate.reports.generative_rows import (
    ALPHA,
    COUNTS,
    GROUP,
    OUTCOME,
    Pair,
    difficulty,
    gains,
    headed,
    pairs,
    printed,
    read,
)
from inspect_debate.reports.report import (
    Figure,
    Heading,
    Headline,
    Item,
    Measured,
    Notice,
    Table,
    by,
    difference_in_words,
    number,
    percent,
)

TITLE = "Generative debate: does it help a weaker judge?"
PROTOCOLS = {
    "dual_debate": Protocol("Dual debate", ()),
    "dual_consultancy": Protocol("Dual consultancy", ()),
    "dual_no_transcript": Protocol("Dual without transcript", ()),
    "single_debate": Protocol("Single debate", ()),
    "single_consultancy": Protocol("Single consultancy", ()),
    "single_no_transcript": Protocol("Single without transcript", ()),
    "direct_qa": Protocol("Direct QA", ()),
}
"""Without roles: models and data head groups of conditions."""
_CONDITION = [GROUP, "Condition"]
_Measure = Callable[[pd.DataFrame], object]
_Measures = dict[str, _Measure]
_Cells = dict[str, Callable[[Pair], object]]


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """Report on `frames.samples(logs, "generative", PROTOCOLS)`; `full` adds more."""
    samples = headed(scored_by(samples, "verdicts.verdict_correct"))
    rows = read(samples)
    found = [*pairs(rows)]
    made = [pair for pair in found if pair.difference.pairs]
    yield Headline(_headline(rows, made))
    # Conditions on other data are not meant to have the same samples.
    alike = samples.assign(id="", epoch=1) if rows["data_id"].nunique() > 1 else samples
    if texts := [*trust.warnings(alike, OUTCOME), *_notices(rows, found)]:
        yield Notice(texts)
    yield from _figures(rows)
    yield from _accuracy(rows)
    yield from _paired(made)
    yield from _tally(made)
    if full:
        yield Heading("More of the paper, and more about answers and judges")
        yield from _regimes(rows)
        yield from _transitions(made)
        yield from _gains(made)
        yield from _tiers(rows)
        yield _statements()
    yield Heading("Can these runs be trusted?")
    yield from _grades(rows)
    yield from trust.tables(samples, OUTCOME)


def _mean(column: str, rows: pd.DataFrame) -> Measured:
    return percent(intervals.mean(rows[column], rows["cluster"]))


def _share(column: str, rows: pd.DataFrame) -> float:
    return 100 * float(rows[column].mean())


_ACCURACY = partial(_mean, "verdict_correct")
_FPR = partial(trust.share, part="fp", whole="n_wrong")
_FNR = partial(trust.share, part="fn", whole="n_right")


def _table(
    name: str, title: str, frame: pd.DataFrame, note: str, signed: bool = False
) -> Iterator[Table]:
    """A table, if it has rows, without columns in which nothing is known."""
    if len(frame):
        known = frame.map(lambda one: one[0] if isinstance(one, Measured) else one)
        frame = frame.loc[:, known.notna().any()]
        if frame[GROUP].nunique() == 1:
            frame = frame.drop(columns=GROUP)
        first = str(frame.columns[0])
        yield Table(name, title, frame, note, signed=signed, group=first)


def _of_pairs(made: Sequence[Pair], cells: _Cells) -> pd.DataFrame:
    """A row for each pair, under the name of its first condition."""
    return pd.DataFrame(
        {name: pair.first[name] for name in _CONDITION}
        | {name: cell(pair) for name, cell in cells.items()}
        for pair in made
    )


# What is shown by default.


def _headline(rows: pd.DataFrame, made: Sequence[Pair]) -> str:
    if made:
        pair = made[0]
        first, second = pair.first["condition"], pair.second["condition"]
        text = difference_in_words("verdict accuracy", first, second, pair.difference)
        fpr = [_FPR(one).value for one in (pair.after, pair.before)]
        if not any(map(math.isnan, fpr)):
            ours, theirs = (number(share, 0) for share in fpr)
            text += f" The judge accepts {ours} % of wrong answers, against {theirs} %."
        return text
    first = rows.sort_values("proposers", ascending=False, kind="stable").iloc[0]
    of = rows[rows["condition"] == first["condition"]]
    what = "verdict" if first["proposers"] else "answer"
    value, n = _mean(f"{what}_correct", of).text(), of[OUTCOME].notna().sum()
    return f"The {what} accuracy of {first['condition']} is {value} % ({n} samples)."


def _notices(rows: pd.DataFrame, found: Sequence[Pair]) -> Iterator[str]:
    for pair in found:
        if pair.refused:
            yield (
                f"{pair.refused} samples of {pair.first['condition']} are left out "
                f"against {pair.second['condition']}: they have other answers. With "
                "`-T answers=LOG` a run takes over the answers of another."
            )
    spoken = rows.loc[rows["interaction"] != "none", "condition"]
    ends = {end["condition"] for pair in found for end in (pair.first, pair.second)}
    alone = [name for name in spoken.unique() if name not in ends]
    if alone and rows["condition"].nunique() > 1:
        yield (
            f"Not compared: {', '.join(alone)}. No other run has the same models, "
            "data, prompts, settings, rounds and word limit."
        )
    marked = rows[rows["suspicious"] > 0].groupby(["data_id", "id"])
    if n := marked.ngroups:
        where = f"{n} tasks" if n > 1 else "one task"
        yield f"A program passed suspiciously in {where}, which counts as wrong."


def _figures(rows: pd.DataFrame) -> Iterator[Figure]:
    judged = rows[rows["proposers"] > 0]
    for place, (heading, of) in enumerate(judged.groupby(GROUP, sort=False)):
        parts = {str(name): p for name, p in of.groupby("Condition", sort=False)}
        floor = None
        note = (
            "Verdicts are right if they are on every answer. FPR: wrong answers ruled "
            "correct. 95 % intervals by question. Hollow: without a transcript."
        )
        alone = rows[rows["proposers"] == 0]
        for name in ("judge", "data_id"):
            alone = alone[alone[name] == of[name].iloc[0]]
        if len(alone):
            floor = _share("answer_correct", alone)
            note += f" Dashed: the judge's own answers (direct QA), {number(floor)} %."
        panels = [
            figures.Panel(
                "Accuracy (%)", {k: _ACCURACY(p) for k, p in parts.items()}, floor
            ),
            figures.Panel("FPR (%)", {k: _FPR(p) for k, p in parts.items()}),
        ]
        silent = of.loc[of["interaction"] == "none", "Condition"]
        draw = partial(figures.dots, [*parts], panels, {*silent})
        yield Figure(f"accuracy_{place}", f"Verdicts: {heading}", draw, note)


def _accuracy(rows: pd.DataFrame) -> Iterator[Table]:
    measures: _Measures = {
        "Accuracy": _ACCURACY,
        "Printed": partial(printed, "conditions", "accuracy"),
        "FPR": _FPR,
        "Printed FPR": partial(printed, "conditions", "fpr"),
        "FNR": lambda of: _FNR(of).value,
        "Strict": partial(_share, "verdict_strict"),
        "Answers": partial(_share, "answer_correct"),
        "Samples": len,
        "No outcome": lambda of: int(of[OUTCOME].isna().sum()),
    }
    note = (
        "Percent. FPR: wrong answers ruled correct; FNR: right ones ruled incorrect. "
        "Strict: unread rulings are wrong. Answers: the right ones; of direct QA, the "
        "judge's own."
    )
    frame = by(rows, _CONDITION, measures)
    if frame[["Printed", "Printed FPR"]].notna().any(axis=None):
        note = " ".join([note, *published("generative")["conditions"].notes[:3]])
    yield from _table("accuracy", "Verdicts and answers by condition", frame, note)


def _paired(made: Sequence[Pair]) -> Iterator[Table]:
    cells: _Cells = {
        "Less": lambda pair: pair.second["condition"],
        "Pairs": lambda pair: pair.difference.pairs,
        "Difference": lambda pair: percent(pair.difference),
        "p": lambda pair: pair.difference.p,
        "Won": lambda pair: pair.moves(0, 1),
        "Lost": lambda pair: pair.moves(1, 0),
        "p (McNemar)": Pair.mcnemar,
        "Outcome": Pair.outcome,
    }
    note = (
        "Points of verdict accuracy with 95 % intervals, clustered by question; p is "
        "of the same test. Won, lost: samples on which only the condition, or only the "
        "other, is right. McNemar's exact test is the study's; it decides the outcome, "
        f"at {ALPHA:g}, where questions have one epoch. No p-value is corrected."
    )
    frame = _of_pairs(made, cells)
    yield from _table("paired", "Paired differences", frame, note, signed=True)


def _tally(made: Sequence[Pair]) -> Iterator[str]:
    against = (pair for pair in made if pair.second["interaction"] == "consultancy")
    found = Counter(pair.outcome() for pair in against)
    if n := found.total():
        theirs = published("generative")["tally"].frame.set_index("proposers")
        counts = ", ".join(
            f"{word} {found[word]} (printed: {theirs[word]['all']} of 16)"
            for word in ("loses", "ties", "wins")
        )
        yield f"Of {n} comparisons with consultancy, debate {counts}."


# The rest of the paper, in the full report.


def _regimes(rows: pd.DataFrame) -> Iterator[Table]:
    measures: _Measures = {}
    for name in ("all", "one", "none"):
        where = partial(_where, f"{name}_right")
        measures[f"{name.capitalize()} right"] = partial(where, _ACCURACY)
        measures[f"n ({name})"] = partial(where, len)
    measures |= {
        "Printed": partial(printed, "conditions", "none_right"),
        "Share all right": partial(_mean, "all_right"),
        "Printed share": partial(printed, "both_right", "both_right"),
        "Share none right": partial(_share, "none_right"),
        "All ruled correct": partial(_mean, "accepts"),
    }
    title = "Verdict accuracy by the number of right answers"
    note = (
        "Percent. Printed: none right. The shares of samples in which all or none are "
        "right are the accuracies of judges that call everything correct, or incorrect."
    )
    frame = by(rows[rows["proposers"] > 0], _CONDITION, measures)
    yield from _table("regimes", title, frame, note)


def _where(column: str, of: _Measure, rows: pd.DataFrame) -> object:
    return of(rows[rows[column] == 1])


def _transitions(made: Sequence[Pair]) -> Iterator[Table]:
    silent = [pair for pair in made if pair.second["interaction"] == "none"]
    cells: _Cells = {
        "Flips (%)": lambda pair: _mean("flip", pair.changes()),
        "Printed": lambda pair: printed("conditions", "flips", pair.after),
        "Hurt of flips (%)": lambda pair: _mean("hurt", pair.changes()),
        "Printed hurt": lambda pair: printed("conditions", "hurt", pair.after),
    }
    title = "What speeches change, against no transcript on the same answers"
    note = "A verdict flips if it becomes right, or wrong (hurt)."
    yield from _table("transitions", title, _of_pairs(silent, cells), note)


def _gains(made: Sequence[Pair]) -> Iterator[Table]:
    ends = {(pair.first["condition"], pair.second["condition"]): pair for pair in made}
    chosen = {
        name: pair
        for (name, _), pair in ends.items()
        if pair.first["interaction"] == pair.second["interaction"]
        and pair.first["best_of"] > pair.second["best_of"]
    }
    both = [gains(chosen[a], chosen[b]) for a, b in ends if {a, b} <= chosen.keys()]
    cells: _Cells = {
        "Samples": lambda pair: pair.difference.pairs,
        "Difference": lambda pair: percent(pair.difference),
        "p": lambda pair: pair.difference.p,
        "Printed": lambda pair: printed("differences", "difference", pair.after),
        "Printed p": lambda pair: printed("differences", "p", pair.after),
    }
    title = "Gain of debate by chosen speeches, less that of consultancy"
    note = "Points, on the samples of all four. The difference is taken by question."
    frame = _of_pairs(both, cells)
    yield from _table("differences", title, frame, note, signed=True)


def _tiers(rows: pd.DataFrame) -> Iterator[Table]:
    rows = rows.assign(Tier=difficulty(rows)).dropna(subset="Tier")
    rows = rows.sort_values([GROUP, "Tier"], kind="stable").astype({"Tier": str})
    measures: _Measures = {
        "Questions": lambda of: of["cluster"].nunique(),
        "Answers right": partial(_mean, "answer_correct"),
        "Verdicts right": _ACCURACY,
    }
    frame = by(rows, [GROUP, "Tier", "Condition"], measures)
    title = "Answers and verdicts by difficulty"
    note = (
        "Percent. Hard: less than a third of a question's answers are right; easy: "
        "more than two thirds. Tiers come from these same answers, whose accuracy "
        "therefore regresses to the mean; in formats that share answers it cannot "
        "differ."
    )
    yield from _table("tiers", title, frame, note)


def _statements() -> Table:
    """What cannot be shown beside a run, and what is wrong or open in the text."""
    tables = published("generative")
    frame = tables["statements"].frame.set_axis(["About", "Printed", "Note"], axis=1)
    notes = [note for table in tables.values() for note in table.notes]
    notes += [n for table in tables.values() for n in table.frame["note"].unique()]
    return Table("statements", tables["statements"].title, frame, " ".join(notes))


def _grades(rows: pd.DataFrame) -> Iterator[Table]:
    measures: _Measures = {
        **{name: partial(_total, column) for name, column in COUNTS.items()},
        "Listed first (%)": partial(_mean, "first_listed"),
    }
    title = "Answers and rulings that could not be read or graded"
    note = (
        "Numbers of answers and rulings. Unread answers and suspicious passes are "
        "wrong; ungraded answers (grading itself failed) and unread rulings leave a "
        "sample out. Listed first: of verdicts for one of two answers, those for the "
        "first."
    )
    yield from _table("grades", title, by(rows, _CONDITION, measures), note)


def _total(column: str, rows: pd.DataFrame) -> int:
    return int(rows[column].sum())
