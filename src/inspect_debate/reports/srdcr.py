"""The report on SR-DCR (arXiv 2506.06020): trust a passage, memory, or neither?"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd

from inspect_debate.datasets.clasheval import OFFSETS
from inspect_debate.metrics import calibration, intervals, knowledge
from inspect_debate.metrics.intervals import Estimate
from inspect_debate.metrics.knowledge import TIERS
from inspect_debate.metrics.paired import (
    PairedDifference,
    detection_difference,
    mean_difference,
)
from inspect_debate.published import published
from inspect_debate.reports import figures, trust
from inspect_debate.reports.frames import Protocol, short
from inspect_debate.reports.report import (
    Figure,
    Heading,
    Headline,
    Item,
    Measured,
    Notice,
    Table,
    by,
    number,
    p_value,
)

TITLE = "SR-DCR: trust the passage, memory, or neither?"
PROTOCOLS = {
    "srdcr": Protocol("SR-DCR"),
    "few_shot": Protocol("Few-shot", ("debater_a",)),
    "self_ask": Protocol("Self-Ask", ("debater_a",)),
    "rci": Protocol("RCI", ("debater_a",)),
    "naive_debate": Protocol("Naive Debate", ("debater_a",)),
    "judge_debate": Protocol("Judge Debate"),
}
RULES = {
    "srdcr": "SR-DCR",
    "acvd_only": "Debate alone, without confidence",
    "confidence_only": "Confidence alone, without debate",
    "few_shot": "Contextual answer (Few-shot)",
    "prior": "Prior answer",
    "token_prob": "Token probability",
    "calibrated": "Calibrated token probability",
    "golden": "Golden, which knows what is perturbed",
}
"""What the same two answers and verdicts can decide, by the scorer's names."""
OUTCOME = "knowledge_conflict.correct"
_COLUMNS = (
    *("correct", "correct_normalised", "abstained", "perturbed", "severity", "settled"),
    *("took_passage", "took_prior", "same_answers", "prior_right", "prior_as_passage"),
    *("contextual_as_passage", "recall", "confidence", "confidence_by_tokens"),
    *("consistency", "contextual_confidence", "calls", "tokens"),
    *("srdcr_abstained", *RULES),
)
_HALVES = {None: "Overall", 0.0: "Standard", 1.0: "Perturbed"}
_ROUNDS = "The judge is asked after a round; SR-DCR's opening speeches are round 0."
_Measure = Callable[[pd.DataFrame], object]


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """The report on the samples of `frames.samples(logs, "srdcr", PROTOCOLS)`.

    Args:
        samples: The samples.
        full: With every table and figure of the paper for which there are data.
    """
    if OUTCOME not in samples:
        samples = samples.assign(**{OUTCOME: math.nan})
    rows = read(samples)
    methods = compared(rows)
    yield Headline(_headline(methods))
    if warnings := [*trust.warnings(samples, OUTCOME), *_two_scales(rows)]:
        yield Notice(warnings)
    yield _main_figure(methods)
    yield from _paper_tables(methods)
    yield from _paired_table(methods)
    yield from _rules(rows, full)
    if full:
        yield Heading("More of the paper, and more about the debates")
        for section in (_by_round, _figure_2, _distributions, _conflicts):
            yield from section(rows)
        for section in (_tiers, _calibration, _thresholds):
            yield from section(rows)
    yield Heading("Can these runs be trusted?")
    yield from trust.tables(samples, OUTCOME)


def read(samples: pd.DataFrame) -> pd.DataFrame:
    """The finished samples, with the scorer's values under their own names."""
    rows = samples[samples["status"] == "finished"].drop(columns="tokens")
    rows = rows.rename(columns=lambda name: name.removeprefix("knowledge_conflict."))
    rows = rows.reindex(columns=[*dict.fromkeys([*rows.columns, *_COLUMNS])])
    rows[[*_COLUMNS]] = rows[[*_COLUMNS]].astype(float)
    rows = rows.assign(Condition=rows["condition"], tier=knowledge.tier(rows["recall"]))
    for _, of in _groups(rows):  # ranks are those within a run
        of = of[of["token_prob"].notna()]
        sure = of["confidence"], of["contextual_confidence"]
        contextual = knowledge.calibrated_choice(*sure) == 1
        answers = of["few_shot"].where(contextual, of["prior"])
        rows.loc[of.index, "calibrated"] = answers
    return rows


def compared(rows: pd.DataFrame) -> pd.DataFrame:
    """The methods side by side, a row per `Condition` and sample.

    Each comes from its own run, but for Golden and, where it was not run, Few-shot:
    these follow from the answers of another run of the model. `printed` names the
    paper's row. Judge Debate is also judged after earlier rounds.
    """
    parts = []
    for name, of in _groups(rows):
        rounds = [int(column[6:]) for column in _numbered(of, "after_")]
        last = f"judge_debate_{rounds.pop()}" if rounds else of["protocol"].iloc[0]
        parts.append(of.assign(printed=last, ran=True))
        for n in rounds:
            title = f"{name}, judged after {n}"
            parts.append(_instead(of, f"after_{n}", title, f"judge_debate_{n}"))
    for _, of in rows[rows["few_shot"].notna()].groupby("debater_a", sort=False):
        own = of[of["protocol"] == "few_shot"]
        name = (own if len(own) else of)["Condition"].iloc[0]
        source = rows[rows["Condition"] == name]
        for rule, title in (("few_shot", "Few-shot"), ("golden", "Golden")):
            if rule == "golden" or own.empty:
                title += f", from the answers of {name}"
                parts.append(_instead(source, rule, title, rule))
    return pd.concat(parts, ignore_index=True)


def _instead(
    rows: pd.DataFrame, rule: str, name: str, printed: str = ""
) -> pd.DataFrame:
    """The rows with what a rule would have answered; SR-DCR alone abstains."""
    right = rows[rule]
    silent = rows["srdcr_abstained"] if rule == "srdcr" else 0 * right
    rows = rows.assign(correct=right, abstained=silent, calls=math.nan, tokens=math.nan)
    return rows.assign(Condition=name, printed=printed, ran=False)


# What is measured.


def _percent(found: Estimate) -> Measured:
    return Measured.percent(found.value, found.low, found.high)


def _overall(rows: pd.DataFrame) -> Measured:
    columns = (rows[name] for name in ("correct", "perturbed", "cluster"))
    return _percent(knowledge.overall(*columns))


def _mean(column: str, rows: pd.DataFrame) -> Measured:
    return _percent(intervals.mean(rows[column], rows["cluster"]))


def _share(column: str, rows: pd.DataFrame) -> float:
    return 100 * float(rows[column].mean())


def _where(name: str, value: float, column: str, rows: pd.DataFrame) -> float:
    """The share of a column where another has a value."""
    return _share(column, rows[rows[name] == value])


_ACCURACIES: dict[str, _Measure] = {
    "Standard": partial(_where, "perturbed", 0, "correct"),
    "Perturbed": partial(_where, "perturbed", 1, "correct"),
    "Overall": _overall,
    "Coverage": lambda of: 100 - _share("abstained", of[of["correct"].notna()]),
    "Selective": partial(_where, "abstained", 0, "correct"),
    "Unread": lambda of: int(of["correct"].isna().sum()),
}


def _difference(
    rows: pd.DataFrame, treatment: str, baseline: str, half: float | None = None
) -> PairedDifference:
    """Strict accuracy, treatment minus baseline: of a half, or the mean of both."""
    rows = rows[["Condition", "id", "epoch", "cluster", "perturbed", "correct"]]
    rows = rows[rows["perturbed"].isin([0, 1] if half is None else [half])]
    rows = rows.assign(gold=1.0, prediction=rows["correct"])
    before, after = (rows[rows["Condition"] == n] for n in (baseline, treatment))
    found = detection_difference(
        before, after, "accuracy", cluster="cluster", stratum="perturbed"
    )
    pairs = before.dropna().merge(after.dropna(), on=["id", "epoch", "perturbed"])
    if half is None and pairs["perturbed"].nunique() < 2:  # no mean of two halves
        nan = math.nan
        return found._replace(estimate=nan, low=nan, high=nan, p=nan)
    return found


def _points(found: PairedDifference) -> Measured:
    return Measured.percent(found.estimate, found.low, found.high)


def _groups(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for name, of in rows.groupby("Condition", sort=False):
        yield str(name), of


def _numbered(rows: pd.DataFrame, prefix: str) -> list[str]:
    """Columns with a value that end with the number of a round, by round."""
    found = [str(c) for c in rows if re.fullmatch(rf"{prefix}\d+", str(c))]
    found = [name for name in found if rows[name].notna().any()]
    return sorted(found, key=lambda name: int(name.removeprefix(prefix)))


def _lines(
    name: str,
    title: str,
    rows: pd.DataFrame,
    axes: tuple[str, str, str],
    measure: Callable[[pd.DataFrame], Measured],
    note: str,
) -> Figure:
    """A figure with a line for each value of a column (the first axis) over another."""
    line, x, y_label = axes
    series: dict[str, dict[float, Measured]] = {}
    for (label, place), of in rows.groupby([line, x], sort=False):
        series.setdefault(str(label), {})[float(str(place))] = measure(of)
    draw = partial(figures.lines, series, x.capitalize(), y_label)
    return Figure(name, title, draw, note)


# What is shown by default.


def _main(methods: pd.DataFrame) -> tuple[str, str] | None:
    """Treatment and baseline: SR-DCR and the contextual answer of its model."""
    firsts = methods.drop_duplicates("Condition").set_index("Condition")
    ran, printed = firsts[firsts["ran"]], firsts["printed"]
    debates = [*ran.index[ran["protocol"] == "srdcr"]]
    rest = [*ran.index[ran["protocol"] != "few_shot"], *ran.index]
    treatment = str([*debates, *rest][0])
    same = firsts["debater_a"] == firsts["debater_a"][treatment]
    others = [*firsts.index[same & (printed == "few_shot")], *ran.index]
    names = [str(name) for name in others if name != treatment]
    return (treatment, names[0]) if names else None


def _headline(methods: pd.DataFrame) -> str:
    values = {n: _overall(of) for n, of in _groups(methods[methods["ran"]])}
    if not (main := _main(methods)):
        (name, found), *_ = values.items()
        value, low, high = map(number, found)
        return (
            f"The overall accuracy of {name} is {value} % (95 % interval {low} to "
            f"{high}; {methods['Condition'].eq(name).sum()} samples)."
        )
    treatment, baseline = main
    paired = _difference(methods, treatment, baseline)
    if math.isnan(paired.estimate):
        return (
            f"{treatment} and {baseline} cannot be compared: they do not share both "
            "standard and perturbed samples."
        )
    points, *ends = _points(paired)
    than = "higher than" if points > 0 else "lower than" if points < 0 else "equal to"
    by_points = f"{number(abs(points))} points " if points else ""
    low, high = (number(end, signed=True) for end in ends)
    within = "" if math.isnan(paired.low) else f"95 % interval {low} to {high}, "
    text = (
        f"The overall accuracy of {treatment} is {by_points}{than} that of {baseline} "
        f"({within}{p_value(paired.p, named=True)}; {paired.pairs} paired samples)."
    )
    own = values[treatment].value
    above = {v.value: n for n, v in values.items() if v.value > own and n != baseline}
    if above:
        best = max(above)
        text += f" {above[best]} has {number(best)} %, {treatment} {number(own)} %."
    return text


def _two_scales(rows: pd.DataFrame) -> Iterator[str]:
    for name, of in _groups(rows):
        known = of["confidence_by_tokens"].dropna()
        if known.nunique() > 1:
            yield (
                f"In {name}, {int(known.sum())} of {len(known)} confidences are "
                "probabilities of tokens and the others shares of further answers: two "
                "scales under one threshold."
            )


def _main_figure(methods: pd.DataFrame) -> Figure:
    values = {name: _overall(of) for name, of in _groups(methods)}
    panels = [figures.Panel("Overall accuracy (%)", values)]
    note = (
        "Mean of the accuracies on standard and on perturbed passages, by exact match; "
        "abstentions are not right. Lines are 95 % intervals, clustered by question. "
        "Filled: SR-DCR."
    )
    if main := _main(methods):
        others = [name for name in values if name != main[1]]
        points = {n: _points(_difference(methods, n, main[1])) for n in others}
        panels.append(figures.Panel("Difference (points)", points, 0.0))
        note += f" Right: paired differences, each method minus {main[1]}, in points."
    filled = methods.loc[methods["printed"] == "srdcr", "Condition"]
    draw = partial(figures.dots, [*values], panels, {*values} - {*filled})
    return Figure("overall", "Overall accuracy", draw, note)


def _paper_tables(methods: pd.DataFrame) -> Iterator[Table]:
    measures = _ACCURACIES | {
        "Calls": lambda of: float(of["calls"].mean()),
        "Tokens": lambda of: round(of["tokens"].mean(), 0),
    }
    frame, notes = _beside_printed(methods, measures, "accuracy", {})
    frame = frame.astype({"Unread": "Int64", "Tokens": "Int64"})
    yield Table(
        "accuracy",
        "Accuracy, coverage and selective accuracy (as in the paper's Table 1)",
        frame if frame["Unread"].any() else frame.drop(columns="Unread"),
        "Percent, by exact match. Overall: mean of both halves, with a 95 % interval. "
        "Coverage: share answered. Selective: accuracy on what is answered, both "
        "halves pooled. Calls and tokens: what the method needs for a sample, without "
        f"recall and whatever else was asked for analysis. {notes}",
        digits=2,
        group="Source" if "Source" in frame else "",
    )
    wrong = methods[(methods["perturbed"] == 1) & (methods["severity"] > 0)]
    if wrong.empty:
        return
    names = {n: f"{n} ({years})" for n, years in OFFSETS.items()}
    years = {str(years): names[n] for n, years in OFFSETS.items()}
    cells: dict[str, _Measure] = {
        name: partial(_where, "severity", n, "correct") for n, name in names.items()
    }
    cells["Perturbed"] = partial(_share, "correct")
    frame, notes = _beside_printed(wrong, cells, "offsets", years)
    size = wrong.groupby(["Condition", "severity"]).size().median()
    yield Table(
        "severity",
        "Accuracy on perturbed passages by severity (as in the paper's Table 2)",
        frame,
        "Percent. Severities are ours and hold all domains; for years they are the "
        "offsets in brackets, the paper's columns (that the paper has years alone is "
        f"our inference). With {size:.0f} samples in a cell its 95 % interval reaches "
        f"up to {98 / math.sqrt(size):.0f} points to either side. {notes}",
        digits=2,
        group="Source" if "Source" in frame else "",
    )


def _beside_printed(
    rows: pd.DataFrame,
    measures: Mapping[str, _Measure],
    table: str,
    columns: Mapping[str, str],
) -> tuple[pd.DataFrame, str]:
    """Measures by condition with the paper's rows of the same models, and its notes."""
    ours = by(rows, ["Condition"], measures)
    frame = published("srdcr")[table].frame
    ran = {_plain(name) for name in rows["debater_a"].unique()}
    frame = frame[frame["model"].map(_plain).isin(ran)]
    if frame.empty:
        return ours, ""
    titles = {key: kind.title for key, kind in PROTOCOLS.items()} | {"golden": "Golden"}
    titles |= {f"judge_debate_{n}": f"Judge Debate after {n}" for n in (1, 3, 5)}
    names = frame["protocol"].map(titles) + " (" + frame["model"] + ")"
    noted = zip(names, frame["note"], strict=True)
    notes = [f"Printed {name}: {note}" for name, note in noted if note]
    frame = frame.drop(columns=["model", "protocol", "note"]).assign(Condition=names)
    frame = frame.rename(columns=lambda name: columns.get(name, name.capitalize()))
    frame = pd.concat([ours.assign(Source="Run"), frame.assign(Source="Printed")])
    return frame[["Source", *ours]].reset_index(drop=True), " ".join(notes)


def _plain(model: str) -> str:
    """A model's name without provider, date, and words such as Instruct."""
    name = re.sub(r"20\d\d-?\d\d-?\d\d|-0125", "", short(model).lower())
    words = re.split(r"[^a-z0-9]+", name)
    return "".join(w for w in words if w not in ("instruct", "turbo", "latest"))


def _paired_table(methods: pd.DataFrame) -> Iterator[Table]:
    """The main method against all others."""
    treatment, found = (_main(methods) or ("", ""))[0], []
    for name in methods["Condition"].unique() if treatment else ():
        row: dict[str, object] = {"Baseline": name}
        for half, title in _HALVES.items():
            paired = _difference(methods, treatment, name, half)
            row |= {"Pairs": paired.pairs} if half is None else {}
            row |= {title: _points(paired), f"p ({title})": paired.p}
        found += [row] if name != treatment else []
    if found:
        yield Table(
            "paired",
            f"Paired differences: {treatment} minus each baseline",
            pd.DataFrame(found),
            "Points of exact match with 95 % intervals, clustered by question, on "
            "samples for which both have an outcome; abstentions are not right. "
            "p-values are two-sided, not corrected for the number of rows.",
            signed=True,
        )


def _rules(rows: pd.DataFrame, full: bool) -> Iterator[Table]:
    """What else the same answers and verdicts decide: in the first run, or in all."""
    runs = [one for one in _groups(rows) if one[1]["few_shot"].notna().any()]
    parts = [
        _instead(of, rule, title).assign(Run=name)
        for name, of in (runs if full else runs[:1])
        for rule, title in RULES.items()
        if of[rule].notna().any()
    ]
    if parts:
        yield Table(
            "rules",
            "Other rules on the same answers and verdicts",
            by(pd.concat(parts), ["Run", "Condition"], _ACCURACIES),
            "Percent; nothing was asked again. Calibrated token probability compares "
            "percentile ranks within the run (ClashEval).",
            group="Run",
        )


# The rest of the paper, in the full report.


def _table(
    name: str,
    title: str,
    rows: pd.DataFrame,
    measures: Mapping[str, _Measure],
    note: str,
    *keys: str,
) -> Table:
    """Measures by condition, and by further columns."""
    frame = by(rows, ["Condition", *keys], measures)
    return Table(name, title, frame, note, group="Condition" if keys else "")


def _by_round(rows: pd.DataFrame) -> Iterator[Item]:
    """What debates would have answered after each round; Figures 4 and 9."""
    if (decided := _decided(rows)).empty:
        return
    measures = {name: _ACCURACIES[name] for name in _HALVES.values()}
    for title in ("Contextual", "Prior", "Abstained"):
        measures[f"{title}, perturbed"] = partial(_where, "perturbed", 1, title)
    measures["Settled"] = partial(_share, "is_settled")
    title = "What debates would have answered after each round"
    note = f"Percent. {_ROUNDS} Settled: verdicts no longer change."
    yield _table("rounds", title, decided, measures, note, "Round")
    axes = ("Condition", "Round", "Overall accuracy (%)")
    title = "Overall accuracy by round"
    yield _lines("accuracy_by_round", title, decided, axes, _overall, _ROUNDS)
    judged = decided[decided["protocol"].eq("judge_debate") & (decided["severity"] > 0)]
    judged = judged.sort_values("severity", kind="stable")
    lines = judged["severity"].map(lambda n: f"Severity {n:g} ({OFFSETS[n]})")
    for place, (name, of) in enumerate(_groups(judged.assign(Line=lines))):
        title = f"{name}: verdicts for the prior answer (the paper's Figures 4 and 9)"
        axes, measure = ("Line", "Round", "Prior answer (%)"), partial(_mean, "Prior")
        note = "Perturbed passages."
        yield _lines(f"figure_4_{place}", title, of, axes, measure, note)


def _decided(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows once per `Round`, with `correct` and whose answer is given after it.

    Equal answers that were not debated count as the passage's.
    """
    parts = [rows.head(0).assign(Round=0, Prior=0.0)]
    for _, of in _groups(rows[rows["protocol"].isin(["srdcr", "judge_debate"])]):
        columns = _numbered(of, "verdict_")
        skipped = of[columns].isna().all(axis=1) & of["correct"].notna()
        tau = of["parameters"].map(lambda given: given["tau"]).astype(float)
        sure = of["confidence"].where(of["protocol"] == "srdcr", tau)
        trusted = (sure >= tau).astype(float).where(sure.notna())
        for column in columns:
            passage = of[column].where(~skipped, 1.0)
            prior = (1 - passage) * trusted.where(passage == 0, 1.0)
            right = of["few_shot"].where(passage == 1, prior * of["prior"])
            after = int(column.removeprefix("verdict_"))
            given = of.assign(Round=after, Contextual=passage, Prior=prior)
            settled = (of["settled"] <= after).where(of["settled"].notna())
            given = given.assign(Abstained=1 - passage - prior, is_settled=settled)
            parts.append(given.assign(correct=right))
    return pd.concat(parts, ignore_index=True).dropna(subset="Prior")


def _figure_2(rows: pd.DataFrame) -> Iterator[Item]:
    """Figures 2 and 8: contextual answers that are a wrong passage's."""
    wrong = rows[rows["contextual_as_passage"].notna() & (rows["severity"] > 0)]
    axes = ("Tier", "severity", "Passage's answer (%)")
    measure = partial(_mean, "contextual_as_passage")
    note = "By knowledge without the passage (as in the paper's Figures 2 and 8)."
    for place, (name, of) in enumerate(_groups(wrong[wrong["tier"].notna()])):
        title = f"{name}: contextual answers that follow a perturbed passage"
        yield _lines(f"figure_2_{place}", title, _with_tiers(of), axes, measure, note)


def _with_tiers(rows: pd.DataFrame) -> pd.DataFrame:
    """All rows, and once more those of each tier, best known first, as `Tier`."""
    tiers = [rows[rows["tier"] == n].assign(Tier=TIERS[n]) for n in (3, 2, 1, 0)]
    return pd.concat([rows.assign(Tier="All items"), *tiers], ignore_index=True)


def _distributions(rows: pd.DataFrame) -> Iterator[Item]:
    """Figure 3, and where both kinds of confidences are known Figures 6 and 7."""
    tokens = rows["confidence"].where(rows["confidence_by_tokens"] == 1)
    rows = rows.assign(by_tokens=tokens)[rows["srdcr"].notna()]
    for place, (name, of) in enumerate(_groups(rows)):
        both = of["consistency"].notna().any() and of["by_tokens"].notna().any()
        for figure, column, source in (
            (3, "confidence", ""),
            (6, "consistency", ", by self-consistency"),
            (7, "by_tokens", ", by log-probabilities"),
        ):
            known = _with_tiers(of[of[column].notna()])
            if known.empty or (figure > 3 and not both):
                continue
            tenth = pd.Series(10 * calibration.bins(known[column]), known.index)
            square = 100 * pd.crosstab(known["Tier"], tenth, normalize="index")
            square = square.reindex(known["Tier"].unique(), columns=range(0, 100, 10))
            square.columns.name = "Confidence (%) from"
            title = f"{name}: confidence in the prior answer{source}"
            note = f"Percent of a row's items (as in the paper's Figure {figure})."
            draw = partial(figures.matrix, square.fillna(0.0))
            yield Figure(f"figure_{figure}_{place}", title, draw, note)


def _conflicts(rows: pd.DataFrame) -> Iterator[Item]:
    """Where the answers differ, and ClashEval's biases."""
    if (rows := rows[rows["same_answers"].notna()]).empty:
        return
    measures: dict[str, _Measure] = {
        "Same answers": partial(_mean, "same_answers"),
        "Overall where they differ": lambda of: _overall(of[of["same_answers"] == 0]),
        "Normalised accuracy": partial(_share, "correct_normalised"),
        "One right": lambda of: _biases(of).items,
        "Accuracy there": lambda of: _percent(_biases(of).accuracy),
        "Context bias": lambda of: _percent(_biases(of).context_bias),
        "Prior bias": lambda of: _percent(_biases(of).prior_bias),
    }
    title = "Where answers differ, and where exactly one of prior and passage is right"
    note = (
        "Percent. Same: prior and contextual answer; in Naive Debate the first answers "
        "of all agents. Normalised: in any spelling, as all to the right of it, which "
        "are ClashEval's. Context bias: a wrong passage over a right prior. Prior "
        "bias: a wrong prior over a right passage."
    )
    yield _table("conflicts", title, rows, measures, note)


def _biases(rows: pd.DataFrame) -> knowledge.Biases:
    names = ("prior_right", "perturbed", "took_passage", "took_prior", "cluster")
    return knowledge.biases(
        **{name: rows[name] for name in names},
        same=rows["prior_as_passage"],
        correct=rows["correct_normalised"],
    )


def _tiers(rows: pd.DataFrame) -> Iterator[Item]:
    """Table 3."""
    if (known := rows[rows["tier"].notna()]).empty:
        return
    measures: dict[str, _Measure] = {
        "Items": len,
        "Recall": partial(_share, "recall"),
        "Confidence": partial(_share, "confidence"),
        "Prior right": partial(_mean, "prior"),
        "Outcome right": partial(_mean, "correct"),
    }
    title = "Knowledge without the passage (as in the paper's Table 3)"
    note = "Percent. Highly known: at least 85 % of recalls are right; maybe: 30 %."
    tiers = _with_tiers(known).sort_values("Condition", kind="stable")
    yield _table("tiers", title, tiers, measures, note, "Tier")


def _calibration(rows: pd.DataFrame) -> Iterator[Item]:
    if (rows := rows.dropna(subset=["confidence", "prior"])).empty:
        return
    error, brier = calibration.expected_calibration_error, calibration.brier
    measures: dict[str, _Measure] = {
        "Items": len,
        "Confidence": partial(_share, "confidence"),
        "Right": partial(_mean, "prior"),
        "ECE": lambda of: 100 * error(of["confidence"], of["prior"]),
        "Brier score": lambda of: 100 * brier(of["confidence"], of["prior"]),
    }
    title = "Calibration of the confidence in prior answers"
    note = "Percent. ECE over ten bins. The Brier score is 25 for always saying 50 %."
    rows = rows.assign(highly=(rows["tier"] == 3).where(rows["tier"].notna()))
    if rows["highly"].notna().any():
        for tau in (0.9, 0.95):
            measures[f"Highly known from {tau:g}"] = partial(_highly_known, tau)
        note += (
            " Highly known: share among items with at least this confidence; the paper "
            "has more than 88 from 0.9 and more than 95 from 0.95."
        )
    yield _table("calibration", title, rows, measures, note)
    series = {}
    for name, of in _groups(rows):
        table = calibration.reliability(of["confidence"], of["prior"], of["cluster"])
        series[name] = {100 * row.stated: _percent(row.right) for row in table}
    title = "Right prior answers by confidence, in steps of 10 %"
    yield Figure("reliability", title, partial(figures.reliability, series))


def _highly_known(tau: float, rows: pd.DataFrame) -> Measured:
    return _mean("highly", rows[rows["confidence"] >= tau])


def _thresholds(rows: pd.DataFrame) -> Iterator[Item]:
    """Thresholds learned on half of the questions and tested on the other half."""
    found: list[dict[str, object]] = []
    for name, of in _groups(rows[rows["few_shot"].notna()]):
        cases = {"Confidence alone": (of["prior"], of["few_shot"])}
        if of["acvd_only"].notna().any():
            # If errors cost nothing it would always be best never to abstain.
            gain, last = 2 * of["acvd_only"] - 1, _numbered(of, "verdict_")[-1:]
            against = of[last].eq(0).any(axis=1)
            cases["SR-DCR, errors −1"] = gain, gain.where(~against, 0 * gain)
        for rule, (above, below) in cases.items():
            sure, tau = of["confidence"], of["parameters"].iloc[0]["tau"]
            fitted = knowledge.cross_fitted(sure, above, below, of["cluster"])
            fixed = above.where(sure >= tau, below).where(~np.isnan(fitted.values))
            before, after = (of.assign(value=v) for v in (fixed, fitted.values))
            paired = mean_difference(before, after, "value", cluster="cluster")
            row: dict[str, object] = {"Condition": name, "Rule": rule}
            row["Learned"] = ", ".join(f"{t:.2f}" for t in sorted(fitted.thresholds))
            row[f"With {tau:g}"] = _share("value", before)
            row["With learned"] = _share("value", after)
            found.append(row | {"Difference": _points(paired), "p": paired.p})
    if found:
        yield Table(
            "thresholds",
            "Thresholds learned on half of the questions, tested on the other half",
            pd.DataFrame(found),
            "100 for a right answer, 0 for an abstention; for a wrong one 0, or −100 "
            "where said. inf: never trust the prior. The paper names adaptive "
            "thresholds as future work.",
            signed=True,
            group="Condition",
        )
