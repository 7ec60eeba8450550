"""The report on SR-DCR (arXiv 2506.06020): trust a passage, memory, or neither?"""

import math
from collections.abc import Iterator
from functools import partial

import pandas as pd

from inspect_debate.datasets.clasheval import OFFSETS
from inspect_debate.metrics import calibration, knowledge, paired
from inspect_debate.published import published
from inspect_debate.reports import figures, stats, trust
from inspect_debate.reports.frames import Protocol, finished, scored_by
from inspect_debate.reports.report import Figure, Heading, Headline, Item, Notice, Table

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
    "golden": "Golden, which knows what is perturbed",
}
"""What the same two answers and verdicts can decide, by the scorer's names."""
OUTCOME = "knowledge_conflict.correct"
_COLUMNS = (
    *("correct", "abstained", "perturbed", "severity", "same_answers", "recall"),
    *("contextual_as_passage", "confidence", "confidence_by_tokens", "consistency"),
    *("prior_right", "prior_as_passage", "correct_normalised"),
    *("took_passage", "took_prior", "calls", "tokens", *RULES),
)
_HALVES = {None: "Overall", 0.0: "Standard", 1.0: "Perturbed"}


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """Report on `frames.samples(logs, "srdcr", PROTOCOLS)`; `full` adds the rest."""
    samples = scored_by(samples, OUTCOME)
    rows = read(samples)
    methods = compared(rows)
    main = _main(methods)
    yield Headline(_headline(methods, main))
    yield Notice([*trust.warnings(samples, OUTCOME), *_two_scales(rows)])
    yield _main_figure(methods, main)
    yield from _paper_tables(methods)
    if main:
        yield _paired_table(methods, main[0])
    yield from _rules(rows)
    if full:
        yield Heading("More of the paper, and more about the debates")
        for section in (_figure_4, _figure_2, _figure_3, _prior, _biases):
            yield from section(rows)
    yield from trust.section(samples, OUTCOME)


def read(samples: pd.DataFrame) -> pd.DataFrame:
    """The finished samples, with the scorer's values under their own names."""
    names = {f"knowledge_conflict.{name}": name for name in _COLUMNS}
    rows = finished(samples.drop(columns="tokens"), names)
    rows = rows.rename(columns=lambda name: name.removeprefix("knowledge_conflict."))
    return rows.assign(tier=knowledge.tier(rows["recall"]))


def compared(rows: pd.DataFrame) -> pd.DataFrame:
    """The methods side by side, a row per `Condition` and sample.

    Golden, and Few-shot where it was not run, follow from the answers of another run
    of the model. Judge Debate is also judged after earlier rounds.
    """
    parts = [rows.assign(rule=rows["protocol"], ran=True)]
    for name, of in _groups(rows[rows["protocol"] == "judge_debate"]):
        for n in _rounds(of, "after_")[:-1]:
            parts.append(_instead(of, f"after_{n}", f"{name}, judged after {n}"))
    models = rows[rows["few_shot"].notna()].groupby("debater_a", sort=False)
    for _, of in models:
        own = of[of["protocol"] == "few_shot"]
        name = pd.concat([own, of])["Condition"].iloc[0]
        for rule, title in (("few_shot", "Few-shot"), ("golden", "Golden")):
            if rule == "golden" or own.empty:
                alone = models.ngroups == 1
                title += ", same answers" if alone else f", answers of {name}"
                parts.append(_instead(rows[rows["Condition"] == name], rule, title))
    return pd.concat(parts, ignore_index=True)


def _instead(rows: pd.DataFrame, rule: str, name: str) -> pd.DataFrame:
    """The rows with what a rule would have answered; SR-DCR alone abstains."""
    rows = rows.assign(correct=rows[rule], rule=rule, ran=False, Condition=name)
    silent = rows["abstained"] if rule == "srdcr" else 0.0
    unknown = dict.fromkeys(("correct_normalised", "calls", "tokens"), math.nan)
    return rows.assign(abstained=silent, **unknown)


def _overall(rows: pd.DataFrame, column: str = "correct") -> stats.Measured:
    columns = (rows[name] for name in (column, "perturbed", "cluster"))
    return stats.percent(knowledge.overall(*columns))


def _where(name: str, value: float, column: str, rows: pd.DataFrame) -> float:
    return stats.share(column, rows[rows[name] == value])


_ACCURACIES: stats.Measures = {
    "Standard": partial(_where, "perturbed", 0, "correct"),
    "Perturbed": partial(_where, "perturbed", 1, "correct"),
    "Overall": _overall,
    "Coverage": lambda of: 100 - stats.share("abstained", of[of["correct"].notna()]),
    "Selective": partial(_where, "abstained", 0, "correct"),
    "Unread": lambda of: int(of["correct"].isna().sum()),
}


def _difference(
    rows: pd.DataFrame, treatment: str, baseline: str, half: float | None = None
) -> paired.PairedDifference:
    """Strict accuracy, treatment minus baseline: of a half, or the mean of both."""
    rows = rows.assign(gold=1.0, prediction=rows["correct"])
    rows = rows[rows["perturbed"].isin([0, 1] if half is None else [half])]
    before, after = (rows[rows["Condition"] == n] for n in (baseline, treatment))
    found = paired.detection_difference(before, after, "accuracy", "perturbed")
    if half is None:
        halves = [_difference(rows, treatment, baseline, one) for one in (0.0, 1.0)]
        if not all(one.pairs for one in halves):
            nan = math.nan
            return found._replace(estimate=nan, low=nan, high=nan, p=nan)
    return found


def _groups(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for name, of in rows.groupby("Condition", sort=False):
        yield str(name), of


def _rounds(rows: pd.DataFrame, prefix: str) -> list[int]:
    """The rounds for which there are values in columns such as `after_3`."""
    found = rows.filter(regex=rf"^{prefix}\d+$").dropna(axis=1, how="all")
    return sorted(int(str(name).removeprefix(prefix)) for name in found)


# What is shown by default.


def _main(methods: pd.DataFrame) -> tuple[str, str] | None:
    """Treatment and baseline: SR-DCR and the contextual answer of its model."""
    ran = methods[methods["ran"]]
    debates = ran[ran["protocol"] != "few_shot"]
    first = pd.concat([debates, ran]).iloc[0]
    same = methods["debater_a"] == first["debater_a"]
    contextual = methods[same & (methods["rule"] == "few_shot")]
    names = pd.concat([contextual, ran])["Condition"]
    others = names[names != first["Condition"]]
    return (first["Condition"], others.iloc[0]) if len(others) else None


def _headline(methods: pd.DataFrame, main: tuple[str, str] | None) -> str:
    ran = methods[methods["ran"]]
    values = {name: _overall(of) for name, of in _groups(ran)}
    if not main:
        [(name, one)] = values.items()
        return f"The overall accuracy of {name} is {one.text()} % ({len(ran)} samples)."
    treatment, baseline = main
    found = _difference(methods, treatment, baseline)
    text = stats.difference("overall accuracy", treatment, baseline, found)
    own = values[treatment].value
    above = {v.value: n for n, v in values.items() if v.value > own and n != baseline}
    if above:
        best = max(above)
        text += f" {above[best]} has {best:.1f} %, {treatment} {own:.1f} %."
    return text


def _two_scales(rows: pd.DataFrame) -> Iterator[str]:
    for name, of in _groups(rows):
        known = of["confidence_by_tokens"].dropna()
        if known.nunique() > 1:
            yield (
                f"In {name}, {int(known.sum())} of {len(known)} confidences come from "
                "tokens, the others from further answers: two scales, one threshold."
            )


def _main_figure(methods: pd.DataFrame, main: tuple[str, str] | None) -> Figure:
    values = {name: _overall(of) for name, of in _groups(methods)}
    points = {}
    note = (
        "Mean of both halves, by exact match; abstentions are not right. Lines are "
        "95 % intervals, clustered by question. Filled: SR-DCR."
    )
    if main:
        others = [name for name in values if name != main[1]]
        points = {n: stats.percent(_difference(methods, n, main[1])) for n in others}
        note += f" Right: paired differences, each method minus {main[1]}."
    filled = {*methods.loc[methods["rule"] == "srdcr", "Condition"]}
    panel = figures.Panel("Overall accuracy (%)", values)
    return figures.compared("overall", "Overall accuracy", panel, points, filled, note)


def _paper_tables(methods: pd.DataFrame) -> Iterator[Table]:
    measures: stats.Measures = {
        **_ACCURACIES,
        "Normalised": lambda of: _overall(of, "correct_normalised").value,
        "Calls": lambda of: float(of["calls"].mean()),
        "Tokens": lambda of: round(of["tokens"].mean(), 0),
    }
    title = "Accuracy, coverage and selective accuracy (as in the paper's Table 1)"
    note = (
        "Percent, by exact match. Overall: mean of both halves. Selective: accuracy on "
        "what is answered. Normalised: overall, whatever the spelling and the form of "
        "numbers and units. Calls and tokens: without what was asked for analysis."
    )
    yield _beside_printed("accuracy", title, methods, measures, note)
    wrong = methods[(methods["perturbed"] == 1) & (methods["severity"] > 0)]
    if wrong.empty:
        return
    cells: stats.Measures = {}
    for n, years in OFFSETS.items():
        cells[f"{n} ({years})"] = partial(_where, "severity", n, "correct")
    cells["Perturbed"] = partial(stats.share, "correct")
    title = "Accuracy on perturbed passages by severity (as in the paper's Table 2)"
    note = (
        "Percent. Severities are of all domains; for years they are the offsets in "
        "brackets. That the paper's columns have years alone is our inference."
    )
    yield _beside_printed("severity", title, wrong, cells, note)


def _beside_printed(
    name: str, title: str, rows: pd.DataFrame, measures: stats.Measures, note: str
) -> Table:
    """Measures by condition, with the paper's rows of the same models."""
    frame, group = stats.by(rows, ["Condition"], measures), ""
    printed = published("srdcr")["offsets" if name == "severity" else name].frame
    ran = {stats.plain_model(model) for model in rows["debater_a"].unique()}
    printed = printed[printed["model"].map(stats.plain_model).isin(ran)]
    if len(printed):
        titles = {key: protocol.title for key, protocol in PROTOCOLS.items()}
        titles |= {f"judge_debate_{n}": f"Judge Debate after {n}" for n in (1, 3, 5)}
        names = printed["protocol"].map(titles | {"golden": "Golden"})
        printed = printed.assign(Condition=names + " (" + printed["model"] + ")")
        for _, row in printed[printed["note"] != ""].iterrows():
            note += f" Printed {row['Condition']}: {row['note']}"
        columns = {str(years): f"{n} ({years})" for n, years in OFFSETS.items()}
        printed = printed.rename(columns=lambda c: columns.get(c, c.capitalize()))
        both = {"Run": frame, "Printed": printed.reindex(columns=frame.columns)}
        frame = pd.concat(both, names=["Source"]).reset_index("Source")
        group = "Source"
    frame = frame.astype(dict.fromkeys({"Unread", "Tokens"} & {*frame}, "Int64"))
    return Table(name, title, frame, note, digits=2, group=group)


def _paired_table(methods: pd.DataFrame, treatment: str) -> Table:
    """The main method against all others."""
    pairs = {
        (treatment, baseline): {
            title: _difference(methods, treatment, baseline, half)
            for half, title in _HALVES.items()
        }
        for baseline in methods["Condition"].unique()
        if baseline != treatment
    }
    return figures.paired_table(pairs)


def _rules(rows: pd.DataFrame) -> Iterator[Table]:
    """What else the same answers and verdicts decide."""
    parts = [
        _instead(of, rule, title).assign(Run=name)
        for name, of in _groups(rows)
        for rule, title in RULES.items()
        if of[rule].notna().any()
    ]
    if parts:
        frame = stats.by(pd.concat(parts), ["Run", "Condition"], _ACCURACIES)
        title = "Other rules on the same answers and verdicts"
        note = "Percent; nothing was asked again."
        yield Table("rules", title, frame, note, group="Run")


# The rest of the paper, in the full report.


def _figure_4(rows: pd.DataFrame) -> Iterator[Figure]:
    """Figures 4 and 9: verdicts for the prior answer where the passage is wrong."""
    judged = rows[rows["protocol"].eq("judge_debate") & (rows["severity"] > 0)]
    judged = judged.sort_values("severity", kind="stable")
    measure = partial(stats.mean, "Prior")
    names = judged["severity"].map(lambda n: f"Severity {n:g} ({OFFSETS[n]})")
    for place, (name, of) in enumerate(_groups(judged.assign(Severity=names))):
        rounds = _rounds(of, "verdict_")
        verdicts = of[[f"verdict_{n}" for n in rounds]].set_axis(rounds, axis=1)
        # Equal answers were not debated; they count as the passage's.
        equal = verdicts.isna().all(axis=1) & of["correct"].notna()
        prior = 1 - verdicts.mask(equal, 1.0)
        parts = [of.assign(Round=n, Prior=prior[n]) for n in rounds]
        if parts:
            series = stats.series(pd.concat(parts), "Severity", "Round", measure)
            draw = partial(figures.lines, series, "Round", "Prior answer (%)")
            title = f"{name}: verdicts for the prior (the paper's Figures 4 and 9)"
            yield Figure(f"figure_4_{place}", title, draw, "Perturbed passages.")


def _figure_2(rows: pd.DataFrame) -> Iterator[Figure]:
    """Figures 2 and 8: contextual answers that are a wrong passage's."""
    wrong = rows[rows["tier"].notna() & (rows["severity"] > 0)]
    measure = partial(stats.mean, "contextual_as_passage")
    for place, (name, of) in enumerate(_groups(wrong)):
        series = stats.series(_with_tiers(of), "Tier", "severity", measure)
        draw = partial(figures.lines, series, "Severity", "Passage's answer (%)")
        title = f"{name}: contextual answers that follow a perturbed passage"
        yield Figure(f"figure_2_{place}", title, draw, "The paper's Figures 2, 8.")


def _with_tiers(rows: pd.DataFrame) -> pd.DataFrame:
    """All rows, and once more those of each tier, best known first, as `Tier`."""
    tiers = [*enumerate(knowledge.TIERS)][::-1]
    known = [rows[rows["tier"] == n].assign(Tier=name) for n, name in tiers]
    return pd.concat([rows.assign(Tier="All items"), *known], ignore_index=True)


def _figure_3(rows: pd.DataFrame) -> Iterator[Item]:
    """Figure 3, and where both kinds of confidences are known Figures 6 and 7."""
    tokens = rows["confidence"].where(rows["confidence_by_tokens"] == 1)
    rows = rows.assign(by_tokens=tokens).dropna(subset=["srdcr", "confidence"])
    for place, (name, of) in enumerate(_groups(rows)):
        shown = {3: ("confidence", "")}
        if of["consistency"].notna().any() and of["by_tokens"].notna().any():
            shown[6] = ("consistency", ", by self-consistency")
            shown[7] = ("by_tokens", ", by log-probabilities")
        for figure, (column, source) in shown.items():
            known = _with_tiers(of[of[column].notna()])
            tenth = pd.Series(10 * calibration.bins(known[column]), known.index)
            square = 100 * pd.crosstab(known["Tier"], tenth, normalize="index")
            square = square.reindex(known["Tier"].unique(), columns=range(0, 100, 10))
            square.columns.name = "Confidence (%) from"
            draw = partial(figures.matrix, square.fillna(0.0))
            title = f"{name}: confidence in the prior{source} (paper: Figure {figure})"
            yield Figure(f"figure_{figure}_{place}", title, draw, "Percent of items.")


def _prior(rows: pd.DataFrame) -> Iterator[Item]:
    """The prior answer: Table 3, and whether its confidence is calibrated."""
    if (rows := rows.dropna(subset=["confidence", "prior"])).empty:
        return
    error = calibration.expected_calibration_error
    measures: stats.Measures = {
        "Items": len,
        "Confidence": partial(stats.share, "confidence"),
        "Right": partial(stats.mean, "prior"),
        "ECE": lambda of: 100 * error(of["confidence"], of["prior"]),
        "Brier score": lambda of: 100 * (of["confidence"] - of["prior"]).pow(2).mean(),
        "As the contextual": partial(stats.mean, "same_answers"),
        "Outcome right": partial(stats.mean, "correct"),
    }
    tiers = _with_tiers(rows).sort_values("Condition", kind="stable")
    frame = stats.by(tiers, ["Condition", "Tier"], measures)
    title = "The prior answer, by knowledge (as in the paper's Table 3)"
    note = (
        "Percent. Highly known: at least 85 % of recalls are right; maybe: 30 %. ECE "
        "over ten bins. The Brier score is 25 for always saying 50 %."
    )
    yield Table("prior", title, frame, note, group="Condition")


def _biases(rows: pd.DataFrame) -> Iterator[Table]:
    found = []
    for name, of in _groups(rows[rows["took_prior"].notna()]):
        bias = knowledge.biases(of)
        shares = {
            "Accuracy": stats.percent(bias.accuracy),
            "Context bias": stats.percent(bias.context_bias),
            "Prior bias": stats.percent(bias.prior_bias),
        }
        found.append({"Condition": name, "Samples": bias.items, **shares})
    if found:
        title = "ClashEval's biases, where exactly one of memory and passage is right"
        note = (
            "Percent, answers normalised. Context bias: took a wrong passage; prior "
            "bias: kept a wrong memory."
        )
        yield Table("biases", title, pd.DataFrame(found), note)
