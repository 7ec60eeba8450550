"""The report on ColMAD (arXiv 2510.20963): error detection by one model or several."""

import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from typing import Any

import pandas as pd

from inspect_debate.metrics import intervals
from inspect_debate.metrics.detection import Unread, estimate, expected
from inspect_debate.metrics.paired import (
    PairedDifference,
    detection_difference,
    oracle_reduction,
)
from inspect_debate.published import published
from inspect_debate.reports import figures, frames, trust
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
_PAPER = {"gpt4": ("Table 1", 420), "llama2": ("Table 2", 480)}
"""The paper's table on an author's responses, and how many there are."""

OUTCOME = "error_detection.prediction"
CORRECT = "error_detection.correct"
ALIGNED = "explanation_alignment.aligned"
GRADED = "debate_hacking.graded_speeches"
FIRST = ["process.first_a", "process.first_b"]
HACKING = ("hacked", "fake_evidence", "overconfident", "fallacious")
_PROCESS = (
    *("debated", "verdicts", "words", "concessions", "speeches", "speeches_lost"),
    *("quotes", "quotes_verified"),
    *("confidence_a", "confidence_b", "final_a", "final_b"),
)

ALWAYS = "Always “error”"
"""The condition of a detector that does not look."""
Measures = dict[str, Callable[[pd.DataFrame], object]]


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """The report on the samples of `frames.samples(logs, "colmad", PROTOCOLS)`.

    Args:
        samples: The samples.
        full: With every table and figure of the paper for which there are data.
    """
    if OUTCOME not in samples:
        samples = samples.assign(**{OUTCOME: math.nan})
    rows = read(samples)
    yield Headline(_headline(rows))
    if warnings := trust.warnings(samples, OUTCOME):
        yield Notice(warnings)
    yield _main_figure(rows)
    for author in sorted(rows["author"].unique()):
        yield _paper_table(rows[rows["author"] == author], author)
    if _main(rows):
        yield _paired_table(rows, full)
    yield _errors_table(rows)
    if full:
        yield Heading("More of the paper, and more about the debates")
        for section in (_by_task, _debates, _by_rounds, _oracle, _judges, _grades):
            yield from section(rows)
        for section in (_calibration, _categories, _items, _turns):
            yield from section(rows)
    yield Heading("Can these runs be trusted?")
    yield from trust.tables(samples, OUTCOME)


def read(samples: pd.DataFrame) -> pd.DataFrame:
    """The finished samples, and those of a detector that always answers "error"."""
    rows = samples[samples["status"] == "finished"]
    scores = [CORRECT, ALIGNED, GRADED, *FIRST]
    scores += [f"process.{name}" for name in _PROCESS]
    scores += [f"debate_hacking.{name}" for name in HACKING]
    about = [f"metadata.{name}" for name in ("subset", "categories", "response_author")]
    rows = rows.reindex(columns=[*dict.fromkeys([*rows.columns, *scores, *about])])
    debate, categories = rows["protocol"].isin(["colmad", "copmad"]), about[1]
    rows = rows.assign(
        gold=(rows["target"] == "error").astype(float),
        prediction=rows[OUTCOME].astype(float),
        rounds=rows["parameters"]
        .map(lambda given: given.get("rounds", 2))
        .where(debate),
        author=rows[about[2]].fillna("unknown"),
        Condition=rows["condition"],
        Task=rows[about[0]].replace(TASKS).fillna("all"),
    )
    rows[categories] = [x if isinstance(x, list) else [] for x in rows[categories]]
    always = rows.drop_duplicates(["id", "epoch"]).drop(columns=[*scores, "rounds"])
    always = always.assign(prediction=1.0, protocol="always", Condition=ALWAYS)
    rows = pd.concat([rows, always])
    return rows.assign(**{"Responses of": rows["author"].replace(AUTHORS)})


# What is measured.


def _value(statistic: str, rows: pd.DataFrame) -> Measured:
    """A detection statistic with its interval, averaged over tasks as at a run's end.

    Unread samples are left out.
    """
    found = estimate(
        *(statistic, rows["gold"], rows["prediction"], rows["cluster"]),
        stratum=rows["Task"],
    )
    return Measured.percent(found.value, found.low, found.high)


def _pooled(statistic: str, rows: pd.DataFrame) -> Measured:
    """The same over all rows at once, for parts of the samples."""
    return _value(statistic, rows.assign(Task="all"))


def _exact(statistic: str, rows: pd.DataFrame, unread: Unread = "realmistake") -> float:
    """A statistic without an interval; unread samples are “no error” by default."""
    if rows.empty:
        return math.nan
    return 100 * expected(statistic, rows["gold"], rows["prediction"], unread=unread)


def _mean(column: str, rows: pd.DataFrame) -> Measured:
    known = rows[[column, "cluster"]].dropna().astype({column: float})
    found = intervals.mean(known[column], known["cluster"])
    return Measured.percent(found.value, found.low, found.high)


def _difference(
    rows: pd.DataFrame, treatment: str, baseline: str, statistic: str = "f1"
) -> PairedDifference:
    before, after = (rows[rows["Condition"] == n] for n in (baseline, treatment))
    return detection_difference(
        before, after, statistic, cluster="cluster", stratum="Task"
    )


def _points(found: PairedDifference) -> Measured:
    return Measured.percent(found.estimate, found.low, found.high)


def _firsts(rows: pd.DataFrame) -> pd.DataFrame:
    """The first row of each condition that was run."""
    ran = rows[rows["protocol"] != "always"]
    return ran.groupby("Condition", sort=False).head(1).set_index("Condition")


def _debating(rows: pd.DataFrame) -> list[str]:
    """The conditions with speeches."""
    return [str(name) for name in rows.loc[rows["rounds"] > 0, "Condition"].unique()]


# What is shown by default.


def _main(rows: pd.DataFrame) -> tuple[str, str] | None:
    """Treatment and baseline: ColMAD and its first debater alone, if they were run."""
    firsts, debates = _firsts(rows), _debating(rows)
    protocol = firsts["protocol"]
    treatment = next((n for n in debates if protocol[n] == "colmad"), firsts.index[0])
    others = [name for name in firsts.index if name != treatment]
    alone = [name for name in others if protocol[name] == "single"]
    debater = firsts["debater_a"]
    alone.sort(key=lambda name: debater[name] != debater[treatment])
    return (str(treatment), str((alone or others)[0])) if others else None


def _headline(rows: pd.DataFrame) -> str:
    always = _value("f1", rows[rows["Condition"] == ALWAYS]).value
    trivial = f"Always answering “error” has an F1 of {number(always)} %."
    main = _main(rows)
    if not main:
        name = str(_firsts(rows).index[0])
        of = rows[rows["Condition"] == name]
        value, low, high = (number(end) for end in _value("f1", of))
        return (
            f"The F1 of {name} in detecting errors is {value} % (95 % interval {low} "
            f"to {high}; {of['id'].nunique()} items). {trivial}"
        )
    treatment, baseline = main
    found = _difference(rows, treatment, baseline)
    if math.isnan(found.estimate):
        return (
            f"{treatment} and {baseline} cannot be compared: F1 is not defined on the "
            f"{found.pairs} samples that both predict. {trivial}"
        )
    points, *ends = _points(found)
    than = "higher than" if points > 0 else "lower than" if points < 0 else "equal to"
    by_points = f"{number(abs(points))} points " if points else ""
    low, high = (number(end, signed=True) for end in ends)
    within = "" if math.isnan(found.low) else f"95 % interval {low} to {high}, "
    return (
        f"The F1 of {treatment} is {by_points}{than} that of {baseline} "
        f"({within}{p_value(found.p, named=True)}; "
        f"{found.pairs} paired samples). {trivial}"
    )


def _main_figure(rows: pd.DataFrame) -> Figure:
    values = {str(name): _value("f1", of) for name, of in _groups(rows)}
    panels = [figures.Panel("F1 (%)", values)]
    note = "Lines are 95 % intervals, clustered by input. Filled dots are debates."
    if main := _main(rows):
        differences = {
            name: _points(_difference(rows, name, main[1]))
            for name in values
            if name != main[1]
        }
        panels.append(figures.Panel("Difference (points)", differences, 0.0))
        note += (
            f" Right: paired differences, each condition minus {main[1]}, in points."
        )
    hollow = {*values} - {*_debating(rows)}
    draw = partial(figures.dots, [*values], panels, hollow)
    return Figure("f1", "F1 in detecting errors, average over tasks", draw, note)


def _groups(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for name, of in rows.groupby("Condition", sort=False):
        yield str(name), of


def _paper_table(rows: pd.DataFrame, author: str) -> Table:
    """F1 and F2 by task, with the printed rows of models that were run."""
    parts = [*TASKS.values(), "Average"]
    columns = [f"{part} {score}" for part, score in product(parts, ("F1", "F2"))]
    ran = rows["protocol"].map(lambda name: "No model" if name == "always" else "Run")
    keys = ["Source", "Condition"]
    counts: Measures = {"Unread": _unread}
    frame = by(rows.assign(Source=ran), keys, counts | {c: _cell(c) for c in columns})
    printed, notes = _printed(rows, author)
    frame = pd.concat([frame, printed], ignore_index=True)
    note = "Percent. Average: unweighted, over the three tasks."
    frame["Unread"] = frame["Unread"].astype("Int64")
    if frame["Unread"].any():
        note += " Unread samples count as “no error”, as in the paper's benchmark."
    else:
        frame = frame.drop(columns="Unread")
    title = f"Error detection on responses of {AUTHORS.get(author, author)}"
    if author in _PAPER:
        paper, whole = _PAPER[author]
        title += f" (as in the paper's {paper})"
        if (items := rows["id"].nunique()) < whole and len(printed):
            note += f" Printed rows are on all {whole} responses, not on these {items}."
    note = " ".join([note, *notes])
    return Table(f"scores_{author}", title, frame, note, digits=2, group="Source")


def _cell(column: str) -> Callable[[pd.DataFrame], float]:
    """A column of the paper's tables; the average is NaN if a task lacks."""
    part, score = column.split()
    tasks = [part] if part in TASKS.values() else [*TASKS.values()]

    def of_rows(rows: pd.DataFrame) -> float:
        cells = (_exact(score.lower(), rows[rows["Task"] == task]) for task in tasks)
        return sum(cells) / len(tasks)

    return of_rows


def _unread(rows: pd.DataFrame) -> int:
    return int(rows["prediction"].isna().sum())


def _printed(rows: pd.DataFrame, author: str) -> tuple[pd.DataFrame, list[str]]:
    """The paper's rows of models that were run, and the notes on them."""
    ran = rows.loc[rows["protocol"] != "always", ["debater_a", "debater_b"]]
    ours = {_plain(name) for name in ran.to_numpy().ravel()}
    frame = published("colmad")["detection"].frame
    frame = frame[(frame["response_author"] == author) & (frame["protocol"] != "human")]
    debaters = frame[["debater_1", "debater_2"]]
    met = debaters.isna() | debaters.map(lambda name: _plain(str(name)) in ours)
    frame = frame[met.all(axis=1)]
    names = [
        f"{PROTOCOLS[protocol].title} ({' + '.join(filter(None, who))})"
        for protocol, *who in frame[["protocol", *debaters]].fillna("").to_numpy()
    ]
    parts = {**TASKS, "average": "Average"}
    scores = {
        f"{title} {score.upper()}": frame[f"{score}_{part}"]
        for (part, title), score in product(parts.items(), ("f1", "f2"))
    }
    notes = [
        f"Printed {name}: {note}"
        for name, note in zip(names, frame["note"], strict=True)
        if note
    ]
    return pd.DataFrame({"Source": "Printed", "Condition": names, **scores}), notes


def _plain(model: str) -> str:
    """A model's name without provider, date, and words such as Instruct."""
    name = re.sub(r"20\d\d-?\d\d-?\d\d", "", model.rsplit("/", 1)[-1].lower())
    words = re.split(r"[^a-z0-9]+", name)
    return "".join(w for w in words if w not in ("meta", "instruct", "chat", "turbo"))


def _paired_table(rows: pd.DataFrame, full: bool) -> Table:
    """The main debate against all else; in full, every debate against all else."""
    main, ran = _main(rows), [*_firsts(rows).index.map(str)]
    treatments = dict.fromkeys([*(main or ran)[:1], *(_debating(rows) if full else ())])
    pairs: list[tuple[str, str]] = []
    for one, other in product(treatments, ran):
        if one != other and (other, one) not in pairs:
            pairs.append((one, other))
    found: list[dict[str, object]] = []
    for one, other in pairs:
        row: dict[str, object] = {"Treatment": one, "Baseline": other}
        for name, title in {"f1": "F1", "f2": "F2", "accuracy": "Accuracy"}.items():
            paired = _difference(rows, one, other, name)
            row |= {"Pairs": paired.pairs, title: _points(paired)}
            row[f"p ({title})"] = paired.p
        found.append(row)
    return Table(
        "paired",
        "Paired differences, treatment minus baseline",
        pd.DataFrame(found),
        "Points with 95 % intervals, clustered by input, on the samples that both "
        "predict. p-values are two-sided, not corrected for the number of rows. With "
        "rounds=0 the judge reads the first answers only.",
        signed=True,
        group="Treatment",
    )


def _errors_table(rows: pd.DataFrame) -> Table:
    shown = {"precision": "Precision", "recall": "Recall", "f1": "F1", "f2": "F2"}
    shown["balanced_accuracy"] = "Balanced accuracy"
    shown["predicted_error_rate"] = "Predicts “error”"
    counts: Measures = {"Samples": len, "Unread": _unread}
    values = {title: partial(_value, name) for name, title in shown.items()}
    return Table(
        "errors",
        "Precision and recall, average over tasks (as in the paper's Figure 3)",
        by(rows, ["Condition"], {**counts, **values}),
        "Percent with 95 % intervals, clustered by input; unread samples are left out. "
        "Balanced accuracy is 50 for a detector that does not look.",
    )


# The rest of the paper, in the full report.


def _by_task(rows: pd.DataFrame) -> Iterator[Item]:
    names = ("precision", "recall", "f1", "f2", "accuracy")
    measures: Measures = {"Samples": len, "Unread": _unread}
    measures |= {name.capitalize(): partial(_exact, name) for name in names}
    note = "Percent. Unread samples count as “no error”, and in accuracy as wrong."
    if rows["prediction"].isna().any():
        measures |= {
            f"{name.capitalize()}, unread left out": partial(
                _exact, name, unread="left_out"
            )
            for name in names
        }
    frame = by(rows, ["Condition", "Responses of", "Task"], measures)
    yield Table("by_task", "Every task", frame, note, group="Condition")


def _debates(rows: pd.DataFrame) -> Iterator[Item]:
    """What happened in debates, and between first answers and outcomes."""
    followed = (rows["process.debated"] == 1) | (rows["process.verdicts"] > 0)
    both = rows[FIRST].astype(float).sum(axis=1, skipna=False)
    both = both.where(followed | (rows["protocol"] == "som"))
    rows = rows.assign(
        debated=rows["process.debated"],
        spoken=rows["process.speeches"] - rows["process.speeches_lost"],
        rescued=rows[CORRECT].where(both == 0),
        spoilt=1 - rows[CORRECT].where(both == 2),
    )
    means = {
        "Debated": "debated",
        "First answer A": FIRST[0],
        "First answer B": FIRST[1],
        "Outcome": CORRECT,
        "Both wrong, then right": "rescued",
        "Both right, then wrong": "spoilt",
    }
    shares = {
        "Conceded": ("process.concessions", "spoken"),
        "Quotes verified": ("process.quotes_verified", "process.quotes"),
    }
    measures: Measures = {title: partial(_mean, name) for title, name in means.items()}
    for title, (part, whole) in shares.items():
        measures[title] = partial(trust.share, part=part, whole=whole)
    measures |= {
        "F1 if debated": lambda of: _pooled("f1", of[of["debated"] == 1]),
        "Words a speech": lambda of: float(of["process.words"].mean()),
        "Tokens a sample": lambda of: float(of["tokens"].mean()),
    }
    shown = rows[both.notna().groupby(rows["Condition"]).transform("any")]
    if len(shown):
        yield Table(
            "debates",
            "Debates: from first answers to outcomes",
            by(shown, ["Condition"], measures),
            "Percent, but for words and tokens. First answers, outcome: share right. "
            "Conceded: speeches that end with an answer other than the one defended.",
        )


def _by_rounds(rows: pd.DataFrame) -> Iterator[Item]:
    """Figure 6, of debates that differ in their number of rounds alone."""
    lines: dict[str, dict[float, pd.DataFrame]] = {}
    for condition, of in _groups(rows[rows["rounds"].notna()]):
        name = re.sub(r", rounds=\d+", "", condition)
        lines.setdefault(name, {})[of["rounds"].iloc[0]] = of
    lines = {name: of for name, of in lines.items() if len(of) > 1}
    for score in ("f1", "f2") if lines else ():
        series = {
            name: {rounds: _value(score, part) for rounds, part in of.items()}
            for name, of in lines.items()
        }
        title = f"{score.upper()} over rounds of speeches (the paper's Figure 6)"
        label = f"{score.upper()} (%)"
        draw = partial(figures.lines, series, "Rounds of speeches", label)
        note = "With 0 rounds the judge reads the first answers only."
        yield Figure(f"figure_6_{score}", title, draw, note)


def _oracle(rows: pd.DataFrame) -> Iterator[Item]:
    """Eq. (4) for all pairs of models: Figure 2, and by task Figures 7 and 8."""
    cells, other = ["Responses of", "Task"], "Other model"
    found: list[dict[str, Any]] = []
    for (a, of_a), (b, of_b) in combinations(_own_answers(rows).items(), 2):
        for key, one in of_a.groupby(cells, sort=False):
            also = of_b[(of_b[cells] == [*key]).all(axis=1)]
            gain = oracle_reduction(one, also)
            if gain.items:
                ratios = 100 * gain.ratio, 100 * gain.independent_ratio
                found.append(
                    dict(zip(cells, key, strict=True))
                    | {"Model": short(a), other: short(b)}
                    | {"Samples": gain.items, "Errors": int(gain.better_errors)}
                    | {"Removed": int(gain.reduction), "Share (Eq. 4)": ratios[0]}
                    | {"Expected": ratios[1], "Corrected": ratios[0] - ratios[1]}
                )
    if not found:
        return
    frame = pd.DataFrame(found)
    yield Table(
        "oracle",
        "Errors of the better of two models that an oracle would remove (Eq. 4)",
        frame,
        "Shares in percent; an unread answer is wrong. Expected: if both erred "
        "independently given the gold label, as two models of opposite bias do. "
        "Corrected: what exceeds it.",
        group="Responses of",
    )
    if frame[["Model", other]].stack().nunique() < 3:
        return  # a matrix would show one number
    for author, of in frame.groupby("Responses of", sort=False):
        parts = {"Figure 2, mean over tasks": of}
        parts |= {f"Figures 7 and 8, {t}": part for t, part in of.groupby("Task")}
        for title, part in parts.items():
            mirrored = part.rename(columns=dict([("Model", other), (other, "Model")]))
            square = pd.concat([part, mirrored]).pivot_table(
                values="Share (Eq. 4)", index="Model", columns=other
            )
            name = re.sub(r"\W+", "_", f"{title} {author}".lower())
            title = f"Errors removed (%), responses of {author} (the paper's {title})"
            yield Figure(name, title, partial(figures.matrix, square))


def _own_answers(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Answers of each model: of `single`, or else the first ones of a debate."""
    alone: dict[str, pd.DataFrame] = {}
    first: dict[str, pd.DataFrame] = {}
    for _, of in _groups(rows[rows["protocol"] != "always"]):
        one = of.iloc[0]
        if one["protocol"] == "single":
            alone.setdefault(one["debater_a"], of)
        for role, column in zip(("debater_a", "debater_b"), FIRST, strict=True):
            right = of[column].astype(float)
            if right.notna().any():
                answer = of["gold"].where(right == 1, 1 - of["gold"])
                answers = of.assign(prediction=answer.where(right.notna()))
                first.setdefault(one[role], answers)
    return first | alone


def _judges(rows: pd.DataFrame) -> Iterator[Item]:
    """Figure 5a: F2 by judge and other debater, single models on the diagonal."""
    cells: dict[tuple[str, str], float] = {}
    for name, of in _groups(rows):
        a, b, judge = of.iloc[0][[*frames.ROLES]].map(short)
        protocol = of["protocol"].iloc[0]
        debate = protocol == "colmad" and name in _debating(of) and judge in (a, b)
        if debate or protocol == "single":
            other = a if protocol == "single" or judge == b else b
            judge = a if protocol == "single" else judge
            cells.setdefault((other, judge), _value("f2", of).value)
    if any(other != judge for other, judge in cells):
        square = pd.Series(cells).rename_axis(["Other debater", "Judge"]).unstack()
        title = "F2 (%) by judge and other debater (the paper's Figure 5a)"
        note = "The judge is also a debater. On the diagonal: the model alone."
        yield Figure("figure_5a", title, partial(figures.matrix, square, 1), note)


def _grades(rows: pd.DataFrame) -> Iterator[Item]:
    """What a grader says of explanations (Figure 5b) and of speeches (Figure 4)."""
    graded = rows[rows[ALIGNED].notna()]
    if len(graded):
        values = {name: _mean(ALIGNED, of) for name, of in _groups(graded)}
        panel = figures.Panel("Aligned explanations (%)", values)
        title = "Errors found for the experts' reason (the paper's Figure 5b)"
        note = "Our grader's prompt differs from the paper's, which is not printed."
        draw = partial(figures.dots, [*values], [panel])
        yield Figure("figure_5b", title, draw, note)
    graded = rows[rows[GRADED].groupby(rows["Condition"]).transform("sum") > 0]
    if len(graded):
        shares: Measures = {
            name.replace("_", " ").capitalize(): partial(
                trust.share, part=f"debate_hacking.{name}", whole=GRADED
            )
            for name in HACKING
        }
        counts: Measures = {"Graded speeches": lambda of: int(of[GRADED].sum())}
        title = "Debate hacking, in percent of speeches (as in the paper's Figure 4)"
        frame = by(graded, ["Condition"], {**counts, **shares})
        yield Table("hacking", title, frame, "Labels of a model, checked by nobody.")


def _calibration(rows: pd.DataFrame) -> Iterator[Item]:
    """Debaters' last stated confidence, and whether their final answer is right."""
    parts = [
        rows.assign(
            stated=rows[f"process.confidence_{who}"].astype(float),
            right=rows[f"process.final_{who}"].astype(float),
        )
        for who in "ab"
    ]
    long = pd.concat(parts).dropna(subset=["stated", "right"])
    if long.empty:
        return
    long["brier"] = (long["stated"] - long["right"]) ** 2
    measures: Measures = {
        "Statements": len,
        "Confidence": partial(_mean, "stated"),
        "Right": partial(_mean, "right"),
        "Brier score × 100": partial(_mean, "brier"),
    }
    title = "Calibration of debaters' last stated confidence"
    note = "Percent. The Brier score is 0 at best, and 25 for always saying 50 %."
    yield Table("calibration", title, by(long, ["Condition"], measures), note)
    series = {
        name: {
            100 * float(part["stated"].mean()): _mean("right", part)
            for _, part in of.groupby((10 * of["stated"]).round())
        }
        for name, of in _groups(long)
    }
    title = "Right answers by stated confidence, in steps of 10 %"
    yield Figure("reliability", title, partial(figures.reliability, series))


def _categories(rows: pd.DataFrame) -> Iterator[Item]:
    errors = rows[rows["gold"] == 1].rename(columns={"metadata.categories": "Category"})
    found = errors.explode("Category").dropna(subset=["Category"])
    if len(found):
        measures: Measures = {"Errors": len, "Recall": partial(_pooled, "recall")}
        found = found.sort_values("Category", kind="stable")
        frame = by(found, ["Category", "Condition"], measures)
        note = "Percent. An error counts in each of its categories."
        yield Table(
            "categories", "Recall by category of error", frame, note, group="Category"
        )


def _items(rows: pd.DataFrame) -> Iterator[Item]:
    """Table 4. Texts are in whole records only, as summaries shorten them."""
    items = rows[rows["protocol"] != "always"].drop_duplicates("id")
    found = []
    for row, sample in frames.records(items):
        texts = (str(sample.metadata.get(key, "")) for key in ("task", "response"))
        given, answered = (len(text.split()) for text in texts)
        found.append({**row, "given": given, "answered": answered})
    measures: Measures = {
        "Items": len,
        "Errors": lambda of: 100 * float(of["gold"].mean()),
        "Words in": lambda of: float(of["given"].mean()),
        "Words out": lambda of: float(of["answered"].mean()),
    }
    for category in sorted(items["metadata.categories"].explode().dropna().unique()):
        measures[category] = partial(_having, category)
    title = "The items of these runs (as in the paper's Table 4)"
    frame = by(pd.DataFrame(found), ["Responses of", "Task"], measures)
    note = "Words on average; errors in percent of items, categories of errors."
    yield Table("table_4", title, frame, note)


def _having(category: str, rows: pd.DataFrame) -> float:
    """The share of errors that have a category, in percent."""
    errors = rows.loc[rows["gold"] == 1, "metadata.categories"]
    return 100 * float(errors.map(lambda names: category in names).mean())


def _turns(rows: pd.DataFrame) -> Iterator[Item]:
    turns = frames.turns(rows[rows["protocol"] != "always"])
    if len(turns):
        counts = pd.crosstab([turns["condition"], turns["kind"]], turns["status"])
        frame = counts.reset_index().rename(columns=str.capitalize)
        yield Table("turns", "Turns by kind and status", frame, group="Condition")
