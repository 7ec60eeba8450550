"""The report on ColMAD (arXiv 2510.20963): error detection by one model or several."""

import math
import re
from collections.abc import Hashable, Iterator
from functools import partial
from itertools import combinations, product

import pandas as pd

from inspect_debate.metrics import detection, paired
from inspect_debate.published import published
from inspect_debate.reports import figures, frames, stats, trust
from inspect_debate.reports.frames import Protocol, finished, scored_by, short
from inspect_debate.reports.report import Figure, Heading, Headline, Item, Notice, Table

TITLE = "ColMAD: error detection by debate"
PROTOCOLS = {
    "colmad": Protocol("ColMAD"),
    "copmad": Protocol("CopMAD"),
    "som": Protocol("Society of Minds", ("debater_a", "debater_b")),
    "ensemble": Protocol("Ensemble", ("debater_a", "debater_b")),
    "self_consistency": Protocol("Self-consistency", ("debater_a",)),
    "single": Protocol("Single", ("debater_a",)),
    "judge_alone": Protocol("Judge alone", ("judge",)),
}
TASKS = {"math": "Math", "fact": "Fact", "answerability": "Answerability"}
AUTHORS = {"gpt4": "GPT-4", "llama2": "Llama 2"}
OUTCOME = "error_detection.prediction"
ALWAYS = "Always “error”"
"""The condition of a detector that does not look."""

_HACKING = "hacked fake_evidence overconfident fallacious"
_SCORES = {
    "error_detection": "prediction correct",
    "process": "first_a first_b debated words concessions speeches speeches_lost "
    "quotes quotes_verified",
    "explanation_alignment": "aligned",
    "debate_hacking": f"graded_speeches {_HACKING}",
}
_COUNTS: stats.Measures = {
    "Samples": len,
    "Unread": lambda of: of["prediction"].isna().sum(),
}


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """Report on `frames.samples(logs, "colmad", PROTOCOLS)`; `full` adds the rest."""
    samples = scored_by(samples, OUTCOME)
    rows = read(samples)
    yield Headline(_headline(rows))
    yield Notice(trust.warnings(samples, OUTCOME))
    yield _main_figure(rows)
    for author, of in rows.groupby("response_author"):
        yield _paper_table(of, str(author))
    if main := _main(rows):
        debates = rows.loc[rows["rounds"] > 0, "Condition"]
        yield _paired_table(rows, [main[0], *(debates if full else ())])
    yield _errors_table(rows)
    if full:
        yield Heading("More of the paper, and more about the debates")
        for section in (_tasks, _process, _rounds, _oracle, _judges, _reasons, _items):
            yield from section(rows)
    yield from trust.section(samples, OUTCOME)


def read(samples: pd.DataFrame) -> pd.DataFrame:
    """The finished samples, and those of a detector that always answers "error"."""
    scores = {f"{s}.{n}": n for s, names in _SCORES.items() for n in names.split()}
    rows = finished(samples, scores)
    for name in ("subset", "categories", "response_author"):
        rows[name] = rows.get(f"metadata.{name}")
    rounds = rows["parameters"].map(lambda given: given.get("rounds", 2))
    rows["rounds"] = rounds.where(rows["protocol"].isin(["colmad", "copmad"]))
    rows["gold"] = (rows["target"] == "error").astype(float)
    rows["response_author"] = rows["response_author"].fillna("unknown")
    rows["Responses of"] = rows["response_author"].replace(AUTHORS)
    rows["Task"] = rows["subset"].replace(TASKS).fillna("all")
    always = rows.drop_duplicates(["id", "epoch"])
    always = always.drop(columns=[*scores.values(), "rounds"])
    always = always.assign(prediction=1.0, protocol="always", Condition=ALWAYS)
    return pd.concat([rows, always])


def _detected(statistic: str, rows: pd.DataFrame) -> stats.Measured:
    """A statistic, averaged over tasks as at a run's end; unread is left out."""
    columns = (rows[name] for name in ("gold", "prediction", "cluster"))
    found = detection.estimate(statistic, *columns, stratum=rows["Task"])
    return stats.percent(found)


def _exact(statistic: str, rows: pd.DataFrame, task: str = "") -> float:
    """A statistic of all rows or of a task; unread samples are “no error”."""
    rows = rows[rows["Task"] == task] if task else rows
    gold, prediction = rows["gold"], rows["prediction"]
    found = detection.expected(statistic, gold, prediction, unread="realmistake")
    return 100 * found if len(rows) else math.nan


def _difference(
    rows: pd.DataFrame, treatment: str, baseline: str, statistic: str = "f1"
) -> paired.PairedDifference:
    before, after = (rows[rows["Condition"] == n] for n in (baseline, treatment))
    return paired.detection_difference(before, after, statistic, stratum="Task")


def _ran(rows: pd.DataFrame) -> pd.DataFrame:
    """The first row of each condition that was run, by its name."""
    ran = rows[rows["protocol"] != "always"]
    return ran.drop_duplicates("Condition").set_index("Condition")


def _main(rows: pd.DataFrame) -> tuple[str, str] | None:
    """Treatment and baseline: ColMAD and its first debater alone, if they were run."""
    ran = _ran(rows)
    protocol, debater = ran["protocol"], ran["debater_a"]
    colmad = ran.index[(protocol == "colmad") & (ran["rounds"] > 0)]
    treatment = [*colmad, *ran.index][0]
    alone = ran.index[protocol == "single"]
    same = [name for name in alone if debater[name] == debater[treatment]]
    others = [name for name in [*same, *alone, *ran.index] if name != treatment]
    return (treatment, others[0]) if others else None


def _headline(rows: pd.DataFrame) -> str:
    always = stats.number(_detected("f1", rows[rows["Condition"] == ALWAYS]).value)
    trivial = f"Always answering “error” has an F1 of {always} %."
    if not (main := _main(rows)):
        of = rows[rows["protocol"] != "always"]
        return (
            f"The F1 of {of['Condition'].iloc[0]} in detecting errors is "
            f"{_detected('f1', of).text()} % ({of['id'].nunique()} items). {trivial}"
        )
    treatment, baseline = main
    found = _difference(rows, treatment, baseline)
    return f"{stats.difference('F1', treatment, baseline, found)} {trivial}"


def _main_figure(rows: pd.DataFrame) -> Figure:
    groups = rows.groupby("Condition", sort=False)
    values = {str(name): _detected("f1", of) for name, of in groups}
    gains = {}
    note = "Lines are 95 % intervals, clustered by input. Filled dots are debates."
    if main := _main(rows):
        others = [name for name in values if name != main[1]]
        gains = {
            name: stats.percent(_difference(rows, name, main[1])) for name in others
        }
        note += f" Right: paired differences, each condition minus {main[1]}."
    debates = {*rows.loc[rows["rounds"] > 0, "Condition"]}
    panel = figures.Panel("F1 (%)", values)
    title = "F1 in detecting errors, average over tasks"
    return figures.compared("f1", title, panel, gains, debates, note)


def _paper_table(rows: pd.DataFrame, author: str) -> Table:
    """F1 and F2 by task, with the printed rows of models that were run."""
    ran = rows["protocol"].map(lambda name: "No model" if name == "always" else "Run")
    measures: stats.Measures = {
        f"{task} {score}": partial(_exact, score.lower(), task=task)
        for task, score in product(TASKS.values(), ("F1", "F2"))
    }
    frame = stats.by(rows.assign(Source=ran), ["Source", "Condition"], measures)
    for score in ("F1", "F2"):
        cells = frame[[f"{task} {score}" for task in TASKS.values()]]
        frame[f"Average {score}"] = cells.mean(axis=1, skipna=False)
    printed = [*_printed(rows, author)]
    notes = [
        "Percent. Average: unweighted, over the three tasks. Unread samples count as "
        "“no error”, as in the paper's benchmark."
    ]
    notes += ["Printed rows are on all responses."] if printed else []
    notes += [f"{row['Condition']}: {row['note']}" for row in printed if row["note"]]
    return Table(
        f"scores_{author}",
        f"{AUTHORS.get(author, author)}'s responses (the paper's Tables 1 and 2)",
        pd.DataFrame([*frame.to_dict("records"), *printed], columns=frame.columns),
        " ".join(notes),
        digits=2,
        group="Source",
    )


def _printed(rows: pd.DataFrame, author: str) -> Iterator[dict[Hashable, object]]:
    """The paper's rows of models that were run, with the columns of our table."""
    ran = _ran(rows)
    ours = {*map(stats.plain_model, [*ran["debater_a"], *ran["debater_b"]])}
    parts = product((TASKS | {"average": "Average"}).items(), ("f1", "f2"))
    names = {f"{s}_{key}": f"{part} {s.upper()}" for (key, part), s in parts}
    frame = published("colmad")["detection"].frame.fillna("").rename(columns=names)
    for row in frame[frame["response_author"] == author].to_dict("records"):
        debaters = [*filter(None, (row["debater_1"], row["debater_2"]))]
        if debaters and {*map(stats.plain_model, debaters)} <= ours:
            title = f"{PROTOCOLS[row['protocol']].title} ({' + '.join(debaters)})"
            yield {**row, "Source": "Printed", "Condition": title}


def _paired_table(rows: pd.DataFrame, treatments: list[str]) -> Table:
    """Each treatment against all conditions but the treatments before it."""
    pairs = {}
    baselines = [*_ran(rows).index]
    for treatment in dict.fromkeys(treatments):
        baselines.remove(treatment)
        for baseline in baselines:
            pairs[treatment, baseline] = {
                title: _difference(rows, treatment, baseline, title.lower())
                for title in ("F1", "F2", "Accuracy")
            }
    return figures.paired_table(pairs)


def _errors_table(rows: pd.DataFrame) -> Table:
    measures = {**_COUNTS}
    for name in ("precision", "recall", "f1", "f2", "balanced_accuracy"):
        measures[name.replace("_", " ").capitalize()] = partial(_detected, name)
    measures["Predicts “error”"] = partial(_detected, "predicted_error_rate")
    title = "Precision and recall, average over tasks (as in the paper's Figure 3)"
    note = (
        "Percent with 95 % intervals, clustered by input; unread samples are left out. "
        "Balanced accuracy is 50 for a detector that ignores the item. Predicts "
        "“error”: on which share of items."
    )
    return Table("errors", title, stats.by(rows, ["Condition"], measures), note)


def _tasks(rows: pd.DataFrame) -> Iterator[Item]:
    measures = {**_COUNTS}
    for name in ("precision", "recall", "f1", "f2", "accuracy"):
        measures[name.capitalize()] = partial(_exact, name)
    frame = stats.by(rows, ["Condition", "Responses of", "Task"], measures)
    note = "Percent. Unread samples count as “no error”, and in accuracy as wrong."
    yield Table("by_task", "Every task", frame, note, group="Condition")


def _process(rows: pd.DataFrame) -> Iterator[Item]:
    """What happened in debates, with a grader's labels as in Figure 4."""
    shown = rows[rows["protocol"].isin(["colmad", "copmad", "som"])]
    measures: stats.Measures = {
        "Debated": partial(stats.mean, "debated"),
        "First answer A": partial(stats.mean, "first_a"),
        "First answer B": partial(stats.mean, "first_b"),
        "Outcome": partial(stats.mean, "correct"),
        **trust.SPEECHES,
    }
    for name in _HACKING.split() if shown["graded_speeches"].any() else ():
        labelled = partial(trust.share, part=name, whole="graded_speeches")
        measures[name.replace("_", " ").capitalize()] = labelled
    if len(shown):
        frame = stats.by(shown, ["Condition"], measures)
        note = (
            f"{trust.SPEECHES_NOTE} First answers, outcome: share right. A grader's "
            "labels, if any (Figure 4), are shares of speeches, unchecked."
        )
        yield Table("debates", "Debates: from first answers to outcomes", frame, note)


def _rounds(rows: pd.DataFrame) -> Iterator[Item]:
    """Figure 6, of debates that differ in their number of rounds alone."""
    debates = rows[rows["rounds"].notna()]
    names = debates["Condition"].str.replace(r", rounds=\d+", "", regex=True)
    differ = debates["rounds"].groupby(names).transform("nunique") > 1
    debates = debates.assign(Line=names)[differ]
    for score in ("F1", "F2") if len(debates) else ():
        measure = partial(_detected, score.lower())
        series = stats.series(debates, "Line", "rounds", measure)
        draw = partial(figures.lines, series, "Rounds of speeches", f"{score} (%)")
        title = f"{score} over rounds of speeches (the paper's Figure 6)"
        note = "With 0 rounds the judge reads the first answers only."
        yield Figure(f"figure_6_{score.lower()}", title, draw, note)


def _oracle(rows: pd.DataFrame) -> Iterator[Item]:
    """Eq. (4) for all pairs of models: Figure 2, and by task Figures 7 and 8."""
    answers, cells = _own_answers(rows), ["Responses of", "Task"]
    found = []
    for (a, of_a), (b, of_b) in combinations(answers.items(), 2):
        for cell, part in of_a.groupby(cells, sort=False):
            gain = paired.oracle_reduction(part, of_b)
            counts = gain.items, int(gain.better_errors), int(gain.reduction)
            shares = 100 * gain.ratio, 100 * gain.independent_ratio
            if gain.items:
                found.append((*cell, short(a), short(b), *counts, *shares))
    if not found:
        return
    columns = [*cells, "Model", "Other model", "Samples", "Errors", "Removed"]
    frame = pd.DataFrame(found, columns=[*columns, "Share (Eq. 4)", "Expected"])
    frame["Corrected"] = frame["Share (Eq. 4)"] - frame["Expected"]
    yield Table(
        "oracle",
        "Errors of the better of two models that an oracle would remove (Eq. 4)",
        frame,
        "Percent; an unread answer is wrong. Expected: if both erred independently "
        "given the gold label, as two models of opposite bias do. Corrected: the rest.",
        group="Responses of",
    )
    if len(answers) < 3:
        return  # a matrix would show one number
    swapped = {"Model": "Other model", "Other model": "Model"}
    both = pd.concat([frame, frame.rename(columns=swapped)])
    both = pd.concat([both.assign(Task="mean over tasks"), both])
    for (author, task), part in both.groupby(cells, sort=False):
        square = part.pivot_table("Share (Eq. 4)", "Model", "Other model")
        name = re.sub(r"\W+", "_", f"oracle_{author}_{task}".lower())
        title = f"Errors removed (%), responses of {author}: {task}"
        note = "As in the paper's Figures 2 (mean over tasks), 7 and 8 (by task)."
        yield Figure(name, title, partial(figures.matrix, square), note)


def _own_answers(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """First answers by model: those of `single` where it was run, else of a debate."""
    found: dict[str, pd.DataFrame] = {}
    single = rows["protocol"] == "single"
    sources = pd.concat([rows[single], rows[~single]])
    for _, of in sources.groupby("Condition", sort=False):
        for who in "ab":
            right, gold = of[f"first_{who}"], of["gold"]
            if right.notna().any():
                said = gold.where(right == 1, 1 - gold).where(right.notna())
                model = of[f"debater_{who}"].iloc[0]
                found.setdefault(model, of.assign(prediction=said))
    return found


def _judges(rows: pd.DataFrame) -> Iterator[Item]:
    """Figure 5a: F2 by judge and other debater, single models on the diagonal."""
    cells: dict[tuple[str, str], float] = {}
    for name, first in _ran(rows).iterrows():
        a, b, judge = (short(first[role]) for role in frames.ROLES)
        if first["protocol"] == "single":
            b = judge = a
        elif first["protocol"] != "colmad" or not first["rounds"] > 0:
            continue
        if judge in (a, b):
            f2 = _detected("f2", rows[rows["Condition"] == name]).value
            cells.setdefault((a if judge == b else b, judge), f2)
    if any(other != judge for other, judge in cells):
        square = pd.Series(cells).rename_axis(["Other debater", "Judge"]).unstack()
        title = "F2 (%) by judge and other debater (the paper's Figure 5a)"
        note = "The judge is also a debater. On the diagonal: the model alone."
        yield Figure("figure_5a", title, partial(figures.matrix, square, 1), note)


def _reasons(rows: pd.DataFrame) -> Iterator[Item]:
    graded = rows[rows["aligned"].notna()].groupby("Condition", sort=False)
    if values := {str(name): stats.mean("aligned", of) for name, of in graded}:
        panel = figures.Panel("Aligned explanations (%)", values)
        title = "Errors found for the experts' reason (the paper's Figure 5b)"
        note = "Our grader's prompt differs from the paper's, which is not printed."
        draw = partial(figures.dots, [*values], [panel])
        yield Figure("figure_5b", title, draw, note)


def _items(rows: pd.DataFrame) -> Iterator[Item]:
    """Table 4, but for the lengths of texts, which are in whole records only."""
    items = rows[rows["protocol"] != "always"].drop_duplicates("id")
    keys = ["Responses of", "Task"]
    groups = items.groupby(keys, sort=False)["gold"]
    frame = pd.DataFrame({"Items": groups.size(), "Errors": 100 * groups.mean()})
    errors = items[items["gold"] == 1].explode("categories")
    kinds = pd.crosstab([errors[key] for key in keys], errors["categories"])
    frame = frame.join(100 * kinds.div(groups.sum(), axis=0)).reset_index()
    title = "The items of these runs (as in the paper's Table 4)"
    note = "Errors in percent of items, their categories in percent of errors."
    yield Table("table_4", title, frame, note)
