"""The report on "Inference-time Generative Debates" (E. Elasky and F. Nakasako)."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
from scipy.stats import binomtest

from inspect_debate.metrics import paired
from inspect_debate.published import published
from inspect_debate.reports import figures, stats, trust
from inspect_debate.reports.frames import Protocol, scored_by
from inspect_debate.reports.report import Figure, Heading, Headline, Item, Notice, Table
from inspect_debate.solvers.generative import FORMATS

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
GROUP, OUTCOME = "Models and data", "outcome"
_DATA = {"arc": "ARC-AGI", "bcb_plus": "BigCodeBench+", "bcb": "BigCodeBench"}
_SPOKEN = ("rounds", "word_limit", "debater_style")
COUNTS = {
    "Unread answers": "unread_answers",
    "Suspicious passes": "suspicious",
    "Ungraded": "ungraded",
    "Unread rulings": "unread_rulings",
}
"""What is counted in a sample, by its name for people."""
KEYS = ["id", "epoch"]
ALPHA = 0.05
_THIRD = 1 / 3 - 1e-9
_STUDIED = (1, "v0.1.0", "v1.0.2")  # most tasks are unchanged
_ALIKE = ["debater_a", "data_id", "proposers", "judge", "prompts_id", "settings"]
"""What is the same in conditions that are compared."""
_CONDITION = [GROUP, "Condition"]
_Cells = dict[str, Callable[["Pair"], object]]


class Pair(NamedTuple):
    """A condition less the one that it is compared with.

    Attributes:
        first: A row of the condition; `second` is one of the other.
        before: The other's samples, with known outcomes in both; `after` has the
            condition's, in the same order.
        difference: Verdict accuracy, `after` minus `before`.
        refused: How many shared samples were left out: they have other answers.
    """

    first: Any
    second: Any
    before: pd.DataFrame
    after: pd.DataFrame
    difference: paired.PairedDifference
    refused: int

    def moves(self, before: int, after: int) -> int:
        """On how many samples the verdict was right (1) or wrong, and then is."""
        was, now = (one["verdict_correct"] for one in (self.before, self.after))
        return int(((was == before) & (now == after)).sum())

    def changes(self) -> pd.DataFrame:
        """The condition's samples: `gain`, whether they `flip`, and if so, `hurt`."""
        gain = self.after["verdict_correct"] - self.before["verdict_correct"]
        hurt = (1.0 * (gain < 0)).where(gain != 0)
        return self.after.assign(gain=gain, flip=gain.abs(), hurt=hurt)

    def mcnemar(self) -> float:
        """The p-value of McNemar's exact test; NaN if questions have several epochs."""
        if self.before["cluster"].duplicated().any() or self.before.empty:
            return math.nan
        won, lost = self.moves(0, 1), self.moves(1, 0)
        return float(binomtest(won, won + lost).pvalue) if won + lost else 1.0

    def outcome(self) -> str:
        """Whether the condition loses, ties or wins."""
        exact = self.mcnemar()
        if not (self.difference.p if math.isnan(exact) else exact) < ALPHA:
            return "ties"
        return "wins" if self.difference.estimate > 0 else "loses"


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """Report on `frames.samples(logs, "generative", PROTOCOLS)`; `full` adds more."""
    samples = headed(scored_by(samples, "verdicts.verdict_correct"))
    rows = read(samples)
    found = [*pairs(rows)]
    made = [pair for pair in found if pair.difference.pairs]
    yield Headline(_headline(rows, made))
    # Conditions on other data are not meant to have the same samples.
    warnings = trust.warnings(samples, OUTCOME, alike=rows["data_id"].nunique() == 1)
    yield Notice([*warnings, *_notices(rows, found)])
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
    yield from trust.section(samples, OUTCOME, *_grades(rows))


_ACCURACY = partial(stats.mean, "verdict_correct")
_FPR = partial(trust.share, part="fp", whole="n_wrong")
_FNR = partial(trust.share, part="fn", whole="n_right")


def _table(
    name: str, title: str, frame: pd.DataFrame, note: str, signed: bool = False
) -> Iterator[Table]:
    """A table, if it has rows, without columns in which nothing is known."""
    if len(frame):
        frame = frame.loc[:, stats.csv_frame(frame)[[*frame]].notna().any()]
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
        text = stats.difference("verdict accuracy", first, second, pair.difference)
        fpr = [_FPR(one).value for one in (pair.after, pair.before)]
        if not any(map(math.isnan, fpr)):
            ours, theirs = (stats.number(share, 0) for share in fpr)
            text += f" The judge accepts {ours} % of wrong answers, against {theirs} %."
        return text
    first = rows.sort_values("proposers", ascending=False, kind="stable").iloc[0]
    of = rows[rows["condition"] == first["condition"]]
    what = "verdict" if first["proposers"] else "answer"
    value, n = stats.mean(f"{what}_correct", of).text(), of[OUTCOME].notna().sum()
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
            floor = stats.share("answer_correct", alone)
            note += f" Dashed: the judge's own answers (direct QA), {floor:.1f} %."
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
    measures: stats.Measures = {
        "Accuracy": _ACCURACY,
        "Printed": partial(printed, "conditions", "accuracy"),
        "FPR": _FPR,
        "Printed FPR": partial(printed, "conditions", "fpr"),
        "FNR": lambda of: _FNR(of).value,
        "Strict": partial(stats.share, "verdict_strict"),
        "Answers": partial(stats.share, "answer_correct"),
        "Samples": len,
        "No outcome": lambda of: int(of[OUTCOME].isna().sum()),
    }
    frame = stats.by(rows, _CONDITION, measures)
    fnr = "; FNR: right ones ruled incorrect" if frame["FNR"].notna().any() else ""
    note = (
        f"Percent. FPR: wrong answers ruled correct{fnr}. Strict: unread rulings are "
        "wrong. Answers: the right ones; of direct QA, the judge's own."
    )
    if frame[["Printed", "Printed FPR"]].notna().any(axis=None):
        note = " ".join([note, *published("generative")["conditions"].notes[:3]])
    yield from _table("accuracy", "Verdicts and answers by condition", frame, note)


def _paired(made: Sequence[Pair]) -> Iterator[Table]:
    cells: _Cells = {
        "Less": lambda pair: pair.second["condition"],
        "Pairs": lambda pair: pair.difference.pairs,
        "Difference": lambda pair: stats.percent(pair.difference),
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
    measures: stats.Measures = {}
    for name in ("all", "one", "none"):
        measures[f"{name.capitalize()} right"] = partial(
            _accuracy_where, f"{name}_right"
        )
        measures[f"n ({name})"] = partial(_total, f"{name}_right")
    measures |= {
        "Printed": partial(printed, "conditions", "none_right"),
        "Share all right": partial(stats.mean, "all_right"),
        "Printed share": partial(printed, "both_right", "both_right"),
        "Share none right": partial(stats.share, "none_right"),
        "All ruled correct": partial(stats.mean, "accepts"),
    }
    title = "Verdict accuracy by the number of right answers"
    note = (
        "Percent. Printed: none right. The shares of samples in which all or none are "
        "right are the accuracies of judges that call everything correct, or incorrect."
    )
    frame = stats.by(rows[rows["proposers"] > 0], _CONDITION, measures)
    yield from _table("regimes", title, frame, note)


def _accuracy_where(column: str, rows: pd.DataFrame) -> stats.Measured:
    return _ACCURACY(rows[rows[column] == 1])


def _transitions(made: Sequence[Pair]) -> Iterator[Table]:
    silent = [pair for pair in made if pair.second["interaction"] == "none"]
    cells: _Cells = {
        "Flips (%)": lambda pair: stats.mean("flip", pair.changes()),
        "Printed": lambda pair: printed("conditions", "flips", pair.after),
        "Hurt of flips (%)": lambda pair: stats.mean("hurt", pair.changes()),
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
        "Difference": lambda pair: stats.percent(pair.difference),
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
    measures: stats.Measures = {
        "Questions": lambda of: of["cluster"].nunique(),
        "Answers right": partial(stats.mean, "answer_correct"),
        "Verdicts right": _ACCURACY,
    }
    frame = stats.by(rows, [GROUP, "Tier", "Condition"], measures)
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
    measures: stats.Measures = {
        **{name: partial(_total, column) for name, column in COUNTS.items()},
        "Listed first (%)": partial(stats.mean, "first_listed"),
    }
    title = "Answers and rulings that could not be read or graded"
    note = (
        "Numbers of answers and rulings. Unread answers and suspicious passes are "
        "wrong; ungraded answers (grading itself failed) and unread rulings leave a "
        "sample out."
    )
    if rows["first_listed"].notna().any():
        note += (
            " Listed first: of verdicts for one of two answers, those for the first."
        )
    yield from _table("grades", title, stats.by(rows, _CONDITION, measures), note)


def _total(column: str, rows: pd.DataFrame) -> int:
    return int(rows[column].sum())


# Samples, and conditions in pairs on the same answers.


def headed(samples: pd.DataFrame) -> pd.DataFrame:
    """With what samples are shown by.

    `GROUP` names models and data, `Condition` a condition among those with the same,
    and `condition` one among all. `OUTCOME` is whether all rulings are right, or the
    answer of direct QA.
    """
    group = samples["models"] + ", " + samples["data"].map(_data)
    names = samples["condition"]
    alone = samples["protocol"] == "direct_qa"
    answers = samples["verdicts.answer_correct"]
    outcome = samples["verdicts.verdict_correct"].mask(alone, answers)
    return samples.assign(
        condition=names + " (" + group + ")" if group.nunique() > 1 else names,
        **{GROUP: group, "Condition": names, OUTCOME: outcome},
    )


def _data(of: Mapping[str, Any]) -> str:
    name, split = str(of.get("dataset")), of.get("split")
    parts = [_DATA.get(name, name), of.get("version")]
    parts += [] if split in ("both", "complete") else [split]
    return " ".join(str(part) for part in parts if part is not None)


def read(samples: pd.DataFrame) -> pd.DataFrame:
    """The finished samples, by heading, with the scorer's values under their own names.

    Further columns are about the condition, for `compare` and `partner`.
    """
    rows = samples[samples["status"] == "finished"]
    rows = rows.rename(columns=lambda name: name.removeprefix("verdicts."))
    given, data, formats = (rows[n] for n in ("parameters", "data", "protocol"))
    rows = rows.assign(
        proposers=formats.map(lambda name: FORMATS[name].proposers),
        interaction=formats.map(lambda name: FORMATS[name].interaction),
        best_of=given.map(lambda of: of.get("best_of") or 1),
        spoken=given.map(lambda of: str([of.get(name) for name in _SPOKEN])),
        extra=rows["changed"].map(lambda of: str(of | {"best_of": None})),
        dataset=data.map(lambda of: of.get("dataset")),
        version=data.map(lambda of: of.get("version")),
        data_id=data.map(lambda of: f"{_data(of)} {of.get('sha256')}"),
        prompts_id=rows["prompts"].astype(str),
    )
    regime = rows["regime"]
    for name, right in (("all", rows["proposers"]), ("one", 1), ("none", 0)):
        rows[f"{name}_right"] = (1.0 * (regime == right)).where(regime.notna())
    rows["one_right"] = rows["one_right"].where(rows["proposers"] == 2)
    endorsed = rows["endorsed"]
    rows["accepts"] = (1.0 * (endorsed == rows["proposers"])).where(endorsed.notna())
    place = pd.Series(pd.factorize(rows[GROUP])[0], rows.index)
    return rows.loc[place.sort_values(kind="stable").index]


def compare(
    treatment: pd.DataFrame, baseline: pd.DataFrame, same_answers: bool = True
) -> Pair:
    """Pair the samples that two conditions have, from `read`, on the same answers."""
    sides = [of.set_index(KEYS, drop=False) for of in (treatment, baseline)]
    shared = sides[0].index.intersection(sides[1].index)
    after, before = (of.loc[shared].reset_index(drop=True) for of in sides)
    alike = (after["answers_hash"] == before["answers_hash"]) | (not same_answers)
    known = after["verdict_correct"].notna() & before["verdict_correct"].notna()
    after, before = (of[alike & known] for of in (after, before))
    difference = paired.mean_difference(before, after, "verdict_correct")
    ends = treatment.iloc[0], baseline.iloc[0]
    return Pair(*ends, before, after, difference, int((~alike).sum()))


def partner(rows: pd.DataFrame, of: Any, interaction: str, best_of: int) -> Pair | None:
    """Compare the condition of a row with one from which nothing else differs."""
    spoken = [] if interaction == "none" else ["spoken"]
    wanted = {name: of[name] for name in [*_ALIKE, *spoken]}
    wanted |= {"interaction": interaction, "best_of": best_of}
    firsts = rows.drop_duplicates("condition")
    firsts = firsts[firsts["condition"] != of["condition"]]
    for name, value in wanted.items():
        firsts = firsts[firsts[name] == value]
    if firsts.empty:
        return None
    closest = (firsts["extra"] != of["extra"]).idxmin()
    names = (of["condition"], firsts.loc[closest, "condition"])
    return compare(*(rows[rows["condition"] == name] for name in names))


def pairs(rows: pd.DataFrame) -> Iterator[Pair]:
    """What is compared, by what with.

    Debates and consultancies with no transcript; debates with consultancies; chosen
    speeches with the first ones; BigCodeBench+ with BigCodeBench, by task.
    """
    for other in ("none", "consultancy", "itself"):
        for _, of in rows.drop_duplicates("condition").iterrows():
            met, best_of = of["interaction"], of["best_of"]
            if met in ("none", other) or (other == "itself" and best_of == 1):
                continue
            against = met if other == "itself" else other
            chosen = best_of if other == "consultancy" else 1
            if pair := partner(rows, of, against, chosen):
                yield pair
    tasks = rows["id"].str.rpartition("-")[2]
    by_task = rows[rows["proposers"] > 0].assign(id=tasks, cluster=tasks)
    keys = ["debater_a", "judge", "protocol", "best_of", "extra"]
    for _, tasks_of in by_task.groupby(keys, sort=False):
        new, old = (tasks_of[tasks_of["dataset"] == n] for n in ("bcb_plus", "bcb"))
        # With several versions of one it would not be clear which are meant.
        if all(side["condition"].nunique() == 1 for side in (new, old)):
            yield compare(new, old, same_answers=False)


def gains(debate: Pair, consultancy: Pair) -> Pair:
    """What choosing speeches adds to debate, less what it adds to consultancy."""
    shared = compare(debate.after, consultancy.after).after[KEYS]
    theirs, ours = (shared.merge(one.changes()) for one in (consultancy, debate))
    difference = paired.mean_difference(theirs, ours, "gain")
    return debate._replace(difference=difference)


def printed(table: str, column: str, rows: pd.DataFrame) -> Any:
    """What a published table has of the condition of some rows; NaN if nothing."""
    first, frame = rows.iloc[0], published("generative")[table].frame
    if first["version"] not in _STUDIED or {*first["changed"]} - {"best_of"}:
        return math.nan
    for name, role in (("model", "debater_a"), ("judge", "judge")):
        model = stats.plain_model(first[role])
        frame = frame[frame[name].map(stats.plain_model) == model]
    for name in {"dataset", "protocol", "best_of", "proposers"} & {*frame}:
        frame = frame[frame[name] == first[name]]
    return frame[column].iloc[0] if len(frame) else math.nan


def difficulty(rows: pd.DataFrame) -> "pd.Series[Any]":
    """The tier of each row's question, by the share of right answers in these rows."""
    question = ["data_id", "id"]
    judged = rows[rows["proposers"] > 0]
    # Answers of single formats are among those of dual ones.
    most = judged.groupby([*question, "debater_a"])["proposers"].transform("max")
    once = judged[judged["proposers"] == most].drop_duplicates(
        [*question, "debater_a", "epoch", "answers_hash"]
    )
    shares = once.groupby(question)["answer_correct"].mean().rename("share")
    found = rows[question].join(shares, on=question)["share"]
    return pd.cut(found, (-1, _THIRD, 1 - _THIRD, 1), labels=["Hard", "Medium", "Easy"])
