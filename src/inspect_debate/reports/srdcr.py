"""The report on the SR-DCR study: tables, comparisons and figures from logs.

A condition is a way to an answer: a protocol, or a part of one that several protocols
share, such as the prior answer. Of each, the standard half (the passage is right) and
the perturbed half (it is wrong) are reported, and overall the mean of both.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.abstention import ByCondition, by_condition
from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.calibration import (
    area_under,
    brier,
    excess_area,
    expected_calibration_error,
    log_score,
    risk_coverage,
)
from inspect_debate.metrics.knowledge import (
    Biases,
    biases,
    p_known_given,
    passage_alone,
    tier_shares,
)
from inspect_debate.metrics.paired import cluster_sign_flip, holm
from inspect_debate.metrics.shares import share
from inspect_debate.metrics.transitions import settling_round
from inspect_debate.published.tables import paper_of
from inspect_debate.reports.calls import Calls, call_notices, read_calls
from inspect_debate.reports.comparisons import (
    SEED,
    Pairing,
    accuracy_test,
    difference,
    in_words,
    pair,
)
from inspect_debate.reports.conditions import CONDITION, MODELS, Grouped
from inspect_debate.reports.conditions import ConditionSamples as Run
from inspect_debate.reports.drawing import (
    Curve,
    curve_panels,
    histogram_panels,
    points,
    reliability,
)
from inspect_debate.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Figure,
    Format,
    Main,
    Notice,
    Section,
    Table,
    counted,
    listed,
)
from inspect_debate.reports.estimates import clusters
from inspect_debate.reports.logs import Log
from inspect_debate.reports.notices import (
    item_notices,
    made_up_notices,
    reuse_notices,
    run_notices,
    sample_notices,
)
from inspect_debate.reports.provenance import (
    RUNS,
    by_value,
    command_list,
    provenance_section,
    runs_of,
)
from inspect_debate.reports.sanity import LIMIT, sanity_section, unread_notices
from inspect_debate.reports.srdcr_conditions import (
    CONDITIONS,
    DEBATES,
    DOMAINS,
    HALVES,
    JUDGE_DEBATES,
    MEASURES,
    OF_SRDCR,
    OFFSETS,
    PROTOCOL_OF,
    PROTOCOLS,
    SEVERITIES,
    SOURCES,
    STUDY,
    TIERS,
    TWO_ANSWERS,
    answers_of,
    conditions,
    estimates_of,
    in_order,
    items_of,
    model_title,
    read_scores,
    rounds_of,
    stacked,
    titled,
)
from inspect_debate.reports.srdcr_conditions import MODELS as PAPER_MODELS
from inspect_debate.reports.views import (
    Columns,
    Marked,
    Measure,
    Part,
    Plot,
    StudyReport,
    View,
    across,
    known,
    mean,
    unknown,
)


class Data(NamedTuple):
    """All that the logs contain.

    Attributes:
        logs: The logs.
        grouped: All samples by what was run, as from `conditions`.
        items: As from `items_of`.
        answers: As from `answers_of`.
        rounds: As from `rounds_of`.
        estimates: As from `estimates_of`.
        calls: What is known of the calls.
    """

    logs: Sequence[Log]
    grouped: Grouped
    items: pd.DataFrame
    answers: pd.DataFrame
    rounds: pd.DataFrame
    estimates: pd.DataFrame
    calls: Calls

    @property
    def titles(self) -> dict[str, str]:
        """What readers call that which was run, by label."""
        known = self.grouped.frame.drop_duplicates("condition")
        return dict(zip(known["condition"], known["title"], strict=True))


def read(logs: Sequence[Log]) -> Data | None:
    """Read the logs; None where no sample was scored."""
    calls = read_calls(logs)  # first, as the samples are then read but once
    grouped = conditions(read_scores(logs))
    items = items_of(grouped)
    if items.empty:
        return None
    answers, rounds = answers_of(items), rounds_of(items)
    return Data(logs, grouped, items, answers, rounds, estimates_of(items), calls)


# Measures.

BY = {"Model": "Model", "Condition": "Condition"}
HALF_TITLES = {half: half.capitalize() for half in HALVES}
CLUSTERED = "Intervals are 95 %, clustered by question."
ABSTENTIONS = "Percent; an abstention counts as not right."

Rows = Callable[[pd.DataFrame], object]
"""A measure: takes the rows of a group."""


def share_of(rows: pd.DataFrame, column: str) -> Share:
    """The share of ones in a column, clustered by question; NaN is left out."""
    return share(rows[column], rows["question_id"])


def the_share(column: str) -> Rows:
    """The measure of `share_of`."""
    return lambda rows: share_of(rows, column)


def in_halves(rows: pd.DataFrame, measure: str = "strict") -> ByCondition:
    """Accuracy, coverage and selective accuracy in both halves and overall."""
    standard = (rows["half"] == HALVES[0]).astype(float)
    return by_condition(rows[measure], rows["answered"], standard, rows["question_id"])


def _accuracies(rows: pd.DataFrame) -> dict[Column, object]:
    found = in_halves(rows)
    return {
        "Standard": found.standard.accuracy,
        "Perturbed": found.perturbed.accuracy,
        "Overall": found.overall.accuracy,
        "Coverage": found.overall.coverage.value,
    }


ACCURACIES = Columns(
    _accuracies,
    dict.fromkeys(("Standard", "Perturbed", "Overall", "Coverage"), PERCENT),
)
SAMPLES = Measure("Samples", known("strict"), COUNT)


def by_half(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of every condition by `Half`: Standard, Perturbed, and Overall."""
    parts = {title: rows["half"] == half for half, title in HALF_TITLES.items()}
    return stacked(rows, "Half", parts | {"Overall": pd.Series(True, rows.index)})


def of_half(rows: pd.DataFrame) -> Any:
    """Accuracy, coverage and selective accuracy of rows from `by_half`."""
    return getattr(in_halves(rows), str(rows["Half"].iloc[0]).lower())


def perturbed(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with a perturbed passage."""
    return rows[rows["half"] == "perturbed"]


def arranged(
    rows: pd.DataFrame, column: str, title: str, names: Mapping[Any, str]
) -> pd.DataFrame:
    """Rows by model and the values of a column, in the order of their names.

    Args:
        rows: Rows with `Model`; those with other values are left out.
        column: The column.
        title: The new column, with the names.
        names: By value.
    """
    kept = rows[rows[column].isin([*names])]
    by = {
        "model": kept.groupby("Model", sort=False).ngroup(),
        "value": kept[column].map([*names].index),
    }
    order = pd.DataFrame(by).sort_values([*by]).index
    return kept.assign(**{title: kept[column].map(names)}).loc[order]


def each_sample(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each sample and epoch of a model."""
    return rows.drop_duplicates(["model", "sample", "epoch"])


def joined(parts: Iterable[pd.DataFrame], otherwise: pd.DataFrame) -> pd.DataFrame:
    """Frames below each other; none of the other one's rows where there is none."""
    found = list(parts)
    return pd.concat(found, ignore_index=True) if found else otherwise.head(0)


# Accuracy.


def _is_own(rows: pd.DataFrame) -> bool:
    """Whether the condition's own protocol was run, so that the calls are its own."""
    return bool((rows["protocol"] == PROTOCOL_OF.get(rows["key"].iloc[0])).all())


def _calls(rows: pd.DataFrame) -> Marked:
    own, reused = _is_own(rows), (rows["answer_set"] != rows["log"]).any()
    text = "Without the answers, which are those of an earlier run." if own else ""
    return Marked(rows["calls"].mean() if own else None, text if reused else "")


def _abstaining(rows: pd.DataFrame) -> Iterator[dict[Column, object]]:
    row: dict[Column, object] = {"Model": rows["Model"].iloc[0]}
    row["Condition"] = "Always abstaining"
    nothing = ("Standard", "Perturbed", "Overall", "Coverage", "Normalised")
    yield row | dict.fromkeys(nothing, 0.0)


ACCURACY = View[Data](
    "accuracy",
    "Accuracy with right and with perturbed passages",
    lambda data: data.answers,
    BY,
    [
        ACCURACIES,
        Measure("Selective", lambda rows: in_halves(rows).overall.selective, PERCENT),
        Measure(
            "Normalised",
            lambda rows: in_halves(rows, "normalised").overall.accuracy.value,
            PERCENT,
        ),
        Measure("Calls", _calls, Format(1)),
        Measure(
            "Tokens",
            lambda rows: rows["tokens"].mean() if _is_own(rows) else None,
            COUNT,
        ),
        SAMPLES,
        Measure("Not scored", unknown("strict"), COUNT),
    ],
    note=f"{ABSTENTIONS} {CLUSTERED}",
    also=_abstaining,
    missing="No answer of these logs could be read.",
)

_YEARS = View[Data](
    "offsets",
    "Accuracy with perturbed dates by offset",
    lambda data: data.answers.assign(years=data.answers["offset"].abs()).loc[
        lambda rows: (rows["severity"] > 0) & rows["years"].isin(OFFSETS)
    ],
    BY,
    [
        *across(
            "years",
            {n: f"{n} years" for n in OFFSETS},
            the_share("strict"),
            PERCENT,
            total="All",
        ),
        SAMPLES,
    ],
    note=f"The domain {DOMAINS['years']} alone, shifted to either side. {CLUSTERED}",
    folded=True,
)

SEVERITY = View[Data](
    "severity",
    "Accuracy with perturbed passages by severity",
    lambda data: data.answers[data.answers["severity"] > 0],
    BY,
    [
        *across(
            "severity",
            {n: f"Severity {n}" for n in SEVERITIES},
            the_share("strict"),
            PERCENT,
            total="All",
        ),
        SAMPLES,
    ],
    note=f"{ABSTENTIONS} {CLUSTERED}",
)

STRATA = View[Data](
    "strata",
    "Samples by domain and severity",
    lambda data: arranged(each_sample(data.answers), "domain", "Domain", DOMAINS),
    {"Model": "Model", "Domain": "Domain"},
    [
        *across("half", HALF_TITLES, len),
        *across("severity", {n: f"Severity {n}" for n in SEVERITIES}, len),
    ],
    note="Samples and epochs with an answer in any condition.",
    folded=True,
)

CONTESTED = View[Data](
    "contested",
    "Accuracy where prior and contextual answer differ",
    lambda data: data.answers[data.answers["agree"] == 0],
    BY,
    [ACCURACIES, SAMPLES],
    note=f"{ABSTENTIONS} {CLUSTERED}",
)


# The paper's Tables 1 and 2: ours beside the printed values, with their errors.

OURS, PAPER, DIFFERENCE = "ours", "paper", "diff."


def printed(table: str, model: str, key: str, column: str) -> float:
    """A share that the paper prints; NaN where it has none.

    Args:
        table: `table_1` or `table_2`.
        model: As in the frames.
        key: Of `CONDITIONS`.
        column: `standard`, `perturbed` or `overall`; in `table_2` an offset in years.
    """
    cell = paper_of("srdcr").cell(table, f"{model} {key}", column)
    return math.nan if cell is None else cell.value / 100


def table_1(data: Data) -> Table:
    """Accuracy in both halves and overall, ours and as printed."""
    columns = {half: half.capitalize() for half in ByCondition._fields}
    return _beside_paper(
        *("table_1", "The paper's Table 1: accuracy by half", columns, data.answers),
        lambda rows: {
            half: of.accuracy.value for half, of in in_halves(rows)._asdict().items()
        },
    )


def table_2(data: Data) -> Table:
    """Accuracy with perturbed dates by offset, ours and as printed."""
    columns = {f"{offset}": f"{offset}" for offset in OFFSETS} | {"overall": "Overall"}
    years = (data.answers["severity"] > 0) & (data.answers["domain"] == "years")

    def by_offset(rows: pd.DataFrame) -> dict[str, float]:
        offsets = rows["offset"].abs()
        found = {f"{n}": share_of(rows[offsets == n], "strict").value for n in OFFSETS}
        return found | {"overall": sum(found.values()) / len(found)}

    title = "The paper's Table 2: accuracy by offset"
    answers = data.answers[years]
    return _beside_paper("table_2", title, columns, answers, by_offset)


def _beside_paper(
    name: str,
    title: str,
    columns: Mapping[str, str],
    answers: pd.DataFrame,
    of: Callable[[pd.DataFrame], Mapping[str, float]],
) -> Table:
    """A table of the paper; two levels of columns where there are values of ours."""
    published, by = paper_of("srdcr"), ["model", "key", "variant"]
    paper = {
        (model, key, ""): cells
        for row, cells in published.tables[name].rows.items()
        for model, _, key in [row.partition(" ")]
    }
    answers = answers[answers["model"].isin([*PAPER_MODELS])]
    groups: Any = answers.groupby(by, sort=False)
    ours: dict[tuple[str, str, str], Mapping[str, float]]
    ours = {at: of(rows) for at, rows in groups}
    keys = [*CONDITIONS]
    places = sorted(
        {*paper, *ours},
        key=lambda at: ([*PAPER_MODELS].index(at[0]), keys.index(at[1]), at[2]),
    )
    rows: list[dict[Column, object]] = []
    marks: dict[Cell, str] = {}
    for number, (model, key, variant) in enumerate(places):
        cells = paper.get((model, key, variant))
        if cells is not None and not cells:
            marks[Cell(number)] = _GARBLED
        row: dict[Column, object] = {
            _level("Model", "", ours): model_title(model),
            _level("Condition", "", ours): titled(CONDITIONS[key], variant),
        }
        for column, heading in columns.items():
            mine = ours.get((model, key, variant), {}).get(column, math.nan)
            cell = (cells or {}).get(column)
            theirs = math.nan if cell is None else cell.value / 100
            at = _level(heading, PAPER, ours)
            row[at] = theirs
            if cell is not None and cell.note:
                marks[Cell(number, at)] = cell.note
            if ours:
                row |= {(heading, OURS): mine, (heading, DIFFERENCE): mine - theirs}
        rows.append(row)
    kinds = (OURS, PAPER, DIFFERENCE) if ours else (PAPER,)
    names = [
        _level(heading, kind, ours) for heading in columns.values() for kind in kinds
    ]
    labels = [_level("Model", "", ours), _level("Condition", "", ours)]
    frame = pd.DataFrame([[row[at] for at in (*labels, *names)] for row in rows])
    frame.columns = pd.Index([*labels, *names])
    return Table(
        name=name,
        title=title,
        frame=frame,
        groups=labels[0],
        formats={at: Format(2, 100, signed=at[1] == DIFFERENCE) for at in names},
        marks=marks,
        note=f"Percent, printed values from {published.source}. {_ITEMS[bool(ours)]}",
        folded=True,
    )


def _level(name: str, kind: str, ours: object) -> Column:
    return (name, kind) if ours else name


_GARBLED = "The row is garbled in the text from which these values were taken."
_ITEMS = {
    True: "The paper's items are not published, so differences are also of items.",
    False: "No model of the paper is among these runs.",
}


def claims(data: Data) -> Table:
    """What the paper's text says that its tables contradict."""
    found = [
        {"The text": c.claim, "Its tables": c.says} for c in paper_of("srdcr").claims
    ]
    return Table(
        name="claims",
        title="Claims that the printed tables contradict",
        frame=pd.DataFrame(found),
        folded=True,
    )


# Conditions on the same samples, for figures and risk-coverage curves.


def shared(rows: pd.DataFrame, by: str = "Condition") -> pd.DataFrame:
    """Restrict each model's conditions to the samples on which all are scored.

    A condition that would leave less than half of the samples of the largest is left
    out.

    Args:
        rows: As from `answers_of`, at most one per `by`, sample and epoch.
        by: What is compared.

    Returns:
        The rows, with the names that were left out of a model as `left_out`.
    """
    return joined(
        (_shared(of, by) for _, of in rows.groupby("Model", sort=False)), rows
    )


def _shared(rows: pd.DataFrame, by: str) -> pd.DataFrame:
    scored = rows[rows["strict"].notna()]
    keys = scored["sample"] + " " + scored["epoch"].astype(str)
    sets = {name: {*of} for name, of in keys.groupby(scored[by], sort=False)}
    sizes = [*map(len, sets.values())]
    common: set[str] = set()
    kept: list[object] = []
    for name in sorted(sets, key=lambda name: -len(sets[name])):
        both = sets[name] & common if kept else sets[name]
        if both and len(both) >= max(sizes) / 2:
            common = both
            kept.append(name)
    of_all = scored[keys.isin([*common]) & scored[by].isin(kept)]
    left_out = [str(name) for name in rows[by].unique() if name not in kept]
    return of_all.assign(left_out="; ".join(left_out))


def samples_in(rows: pd.DataFrame) -> str:
    """How many samples each half has: "300 standard and 300 perturbed samples"."""
    counts = rows.drop_duplicates(["sample", "epoch"])["half"].value_counts()
    parts = [f"{counts[half]} {half}" for half in HALVES if half in counts]
    return f"{' and '.join(parts)} samples"


def on_samples(more: str = "") -> Callable[[pd.DataFrame], str]:
    """The note of a figure of rows from `shared`."""

    def note(rows: pd.DataFrame) -> str:
        hollow, of_paper = "Hollow" in more, rows["model"].iloc[0] in PAPER_MODELS
        left_out = rows["left_out"].iloc[0]
        out = f" (left out, with too few of these: {left_out})" if left_out else ""
        return (
            f"On the {samples_in(rows)} that every condition shown has a readable "
            f"answer to{out}, with 95 % intervals clustered by question. "
            f"{'' if hollow and not of_paper else more}"
        ).strip()

    return note


def names_of(column: str, text: str) -> Callable[[pd.DataFrame], str]:
    """The alt text of a figure, which ends in the names of its panels or rows."""
    return lambda rows: f"{text}: {'; '.join(map(str, rows[column].unique()))}."


COMMAND = "inspect eval inspect_debate/srdcr"
_SRDCR = "-T protocol=srdcr --model M"
_RECALL = "-T protocol=srdcr -T recall_samples=32 --model M"
_BOTH = "-T protocol=srdcr -T confidence_from=both -T recall_samples=32 --model M"
_JUDGE = "-T protocol=judge_debate --model M"


def needs(figure: str, what: str, *runs: str) -> str:
    """That a figure is left out, and what to run for it."""
    return f"{figure} needs {what}:\n\n{listed(f'`{COMMAND} {run}`' for run in runs)}"


LIMITS = (-0.02, 1.02)
SEVERITY_AXIS = "severity (below: years by which dates are shifted)"
PLACES = {n: f"{n}\n{years}" for n, years in zip(SEVERITIES, OFFSETS, strict=True)}
_TABLE = "Hollow marks are the paper's Table {}, on other items."


def _printed_1(rows: pd.DataFrame) -> float:
    row = rows.iloc[0]
    return (
        math.nan
        if row["variant"]
        else printed("table_1", row["model"], row["key"], row["Half"].lower())
    )


ACCURACY_FIGURE = Plot[Data](
    "figure_accuracy",
    "Accuracy by condition",
    lambda data: by_half(shared(data.answers)),
    "dots",
    x="Condition",
    panel="Half",
    each="Model",
    values={"accuracy": lambda rows: of_half(rows).accuracy},
    printed=_printed_1,
    label="strict accuracy (%)",
    limits=LIMITS,
    columns=3,
    alt=names_of(
        "Condition", "Accuracy by condition with its interval, by half and overall"
    ),
    note=on_samples(_TABLE.format(1)),
    missing=needs("The figure of accuracies", "answers that can be read", _SRDCR),
)

FEW_SHOT, _OWN = CONDITIONS["few_shot"], "the panel's condition"


def _beside_few_shot(rows: pd.DataFrame) -> pd.DataFrame:
    """Every condition in a panel of its own, beside the contextual answer."""
    parts = []
    groups: Any = rows.groupby(["Model", "Condition"], sort=False)
    for (model, name), of in groups:
        parts.append(of.assign(Panel=name, Line=_OWN))
        few = rows[(rows["Model"] == model) & (rows["Condition"] == FEW_SHOT)]
        if name != FEW_SHOT:
            parts.append(few.assign(Panel=name, Line=FEW_SHOT))
    return joined(parts, rows)


def _printed_2(rows: pd.DataFrame) -> float:
    row = rows.iloc[0]
    if row["Line"] != _OWN or row["variant"]:
        return math.nan
    offset = OFFSETS[int(row["severity"]) - 1]
    return printed("table_2", row["model"], row["key"], f"{offset}")


SEVERITY_FIGURE = Plot[Data](
    "figure_severity",
    "Accuracy with perturbed passages by severity",
    lambda data: _beside_few_shot(shared(perturbed(data.answers))),
    "lines",
    x="severity",
    series="Line",
    panel="Panel",
    each="Model",
    values={"accuracy": the_share("strict")},
    printed=_printed_2,
    label="strict accuracy (%)",
    x_label=SEVERITY_AXIS,
    places=PLACES,
    limits=LIMITS,
    alt=names_of("Panel", "Accuracy over severity, beside the contextual answer's"),
    note=on_samples(_TABLE.format("2, by years")),
    missing=needs(
        "The figure of accuracies by severity",
        "answers to questions with a perturbed passage",
        _SRDCR,
    ),
)


# Paired comparisons: SR-DCR against every other condition of a model.

_SCOPES = {
    "overall": "balanced_accuracy",
    "standard": "accuracy",
    "perturbed": "accuracy",
}
# Being right is detecting whether the passage is: the mean of both halves' accuracies
# is the balanced accuracy.


def comparisons(data: Data) -> Table | None:
    """SR-DCR minus every other condition of a model, overall and in either half."""
    failed = data.grouped.frame[~data.grouped.frame["scored"]]
    rows: list[dict[str, object]] = []
    for scope in _SCOPES:
        for _, of_model in data.answers.groupby("Model", sort=False):
            rows += _family(of_model, scope, failed)
    if not rows:
        return None
    return Table(
        name="comparisons",
        title="Paired differences in accuracy: SR-DCR minus another condition",
        frame=pd.DataFrame(rows),
        groups="Model",
        formats={
            "SR-DCR": PERCENT,
            "Other condition": PERCENT,
            "Difference": POINTS,
            "p": P_VALUE,
            "p (Holm)": P_VALUE,
        },
        note="Percentage points on the samples that both conditions have, with the "
        "intervals of a paired bootstrap of questions. p: McNemar's mid-p test where "
        "no two samples share a question, else sign flips of whole questions; Holm's "
        "correction is over the rows of one model and scope.",
    )


def _family(
    answers: pd.DataFrame, scope: str, failed: pd.DataFrame
) -> list[dict[str, object]]:
    """The comparisons of the plain SR-DCR of a model, or else of its first variant."""
    found = [of for _, of in answers.groupby("place", sort=False)]
    ours = next((of for of in found if of["key"].iloc[0] == "srdcr"), None)
    if ours is None:
        return []
    rows = [_compared(ours, of, scope, failed) for of in found if of is not ours]
    adjusted = holm({n: float(str(row["p"])) for n, row in enumerate(rows)})
    return [row | {"p (Holm)": adjusted[n]} for n, row in enumerate(rows)]


def _compared(
    ours: pd.DataFrame, other: pd.DataFrame, scope: str, failed: pd.DataFrame
) -> dict[str, object]:
    a, b = (_as_detection(of, failed) for of in (other, ours))
    if scope in HALVES:
        a, b = (frame[frame["half"] == scope] for frame in (a, b))
    pairing = pair(a, b)
    found = difference(pairing, _SCOPES[scope])
    p, test = _test(pairing, scope)
    causes = {"no prediction": "not read", "not finished": "failed"}
    drops = {causes.get(cause, cause): n for cause, n in pairing.drops.items()}
    return {
        "Model": f"{ours['Model'].iloc[0]}: {scope}",
        "Compared with": other["Condition"].iloc[0],
        "Samples": len(pairing.a),
        "Left out": in_words(drops),
        "SR-DCR": _accuracy(pairing.b, scope),
        "Other condition": _accuracy(pairing.a, scope),
        "Difference": found.difference,
        "Difference low": found.low,
        "Difference high": found.high,
        "p": p,
        "p (Holm)": math.nan,
        "Test": test,
        "Answers": _whose_answers(ours, other),
    }


def _whose_answers(ours: pd.DataFrame, other: pd.DataFrame) -> str:
    """Whether both follow from the same prior and contextual answers."""
    if other["key"].iloc[0] not in TWO_ANSWERS:
        return "own"
    item = ["sample", "epoch"]
    both = ours[[*item, "answer_set"]].merge(other[[*item, "answer_set"]], on=item)
    same = both["answer_set_x"] == both["answer_set_y"]
    return "same" if same.all() else "partly the same" if same.any() else "anew"


def _as_detection(answers: pd.DataFrame, failed: pd.DataFrame) -> pd.DataFrame:
    """A condition's answers as `pair` takes them, with its runs' failed samples."""
    model = answers["model"].iloc[0]
    lost = failed[(failed["model"] == model) & failed["run"].isin(answers["run"])]
    rows = pd.concat([answers.assign(scored=True), lost], ignore_index=True)
    gold, right = (rows["half"] != HALVES[0]).astype(float), rows["strict"]
    return pd.DataFrame(
        {
            "id": rows["sample"],
            "epoch": rows["epoch"],
            "half": rows["half"],
            # The same question may be perturbed otherwise in another run.
            "target": rows["severity"].map(str) + " " + rows["degree"].map(str),
            "input_group": rows["question_id"],
            "scored": rows["scored"],
            "gold": gold,
            "prediction": gold.where(right == 1, 1 - gold).where(right.notna()),
            "correct": right,
        }
    )


def _test(pairing: Pairing, scope: str) -> tuple[float, str]:
    if scope in HALVES:
        test = accuracy_test(pairing)
        return test.p, test.name
    gold = pairing.a["gold"]
    if gold.nunique() < 2:
        return math.nan, "none"
    # Halves of unequal size weigh the same.
    weights = 1 / gold.map(gold.value_counts())
    apart = (pairing.b["correct"] - pairing.a["correct"]) * weights
    flip = cluster_sign_flip(apart, list(clusters(pairing.a)), seed=SEED)
    return flip, "sign flip"


def _accuracy(rows: pd.DataFrame, scope: str) -> float:
    halves = rows.groupby("gold")["correct"].mean()
    return float(halves.mean()) if len(halves) > (scope not in HALVES) else math.nan


# Abstention.


def _that_abstain(data: Data) -> pd.DataFrame:
    least = data.answers.groupby("place")["answered"].transform("min")
    return by_half(data.answers[least == 0])


def _abstention(rows: pd.DataFrame) -> dict[Column, object]:
    found, silent = of_half(rows), rows[rows["answered"] == 0]
    prior, contextual = silent["strict_prior"] == 1, silent["strict_few_shot"] == 1
    return {
        "Accuracy": found.accuracy,
        "Coverage": found.coverage,
        "Selective": found.selective,
        "Abstentions": len(silent),
        "Prior was right": prior.mean(),
        "Passage's was right": contextual.mean(),
        "Neither was": (~(prior | contextual)).mean(),
    }


_PERCENTS = ("Accuracy", "Coverage", "Selective", "Prior was right")

ABSTENTION = View[Data](
    "abstention",
    "Abstentions",
    _that_abstain,
    {**BY, "Half": "Half"},
    [
        Columns(
            _abstention,
            dict.fromkeys((*_PERCENTS, "Passage's was right", "Neither was"), PERCENT),
        )
    ],
    note="The last columns are shares of the abstentions: whether the prior or the "
    f"contextual answer would have been right, or neither. {CLUSTERED}",
)

_CONFIDENCES = {
    "prior": ["confidence"],
    "few_shot": ["contextual_confidence"],
    "token_prob": ["p_prior", "p_contextual"],
}


def ranked(data: Data) -> pd.DataFrame:
    """The conditions that have a confidence, with it as `ranked`, without abstentions.

    The prior and the contextual answer are ranked by the confidence in each, token
    probability by the higher of both, the debate alone by that in the answer it gives.
    SR-DCR over all thresholds answers what the judge finds reasonable at once, and the
    rest by the confidence in the prior answer.
    """
    parts = []
    for key, columns in _CONFIDENCES.items():
        rows = data.answers[data.answers["key"] == key]
        confidence = rows[columns].max(axis=1, skipna=False)
        named = rows.assign(Condition=CONDITIONS[key], ranked=confidence)
        parts.append(named.drop_duplicates(["model", "sample", "epoch", "variant"]))
    last = data.rounds[data.rounds["key"] == "acvd_only"].sort_values("round")
    item = ["model", "sample", "epoch", "variant"]
    last = last.drop_duplicates(item, keep="last")
    trusted, prior = last["verdict"] == 1, last["confidence"]
    # The two can be ranked together only on one scale.
    given = last["p_contextual"].where(trusted, last["p_prior"])
    # What is trusted comes before all that has a confidence, which is at most 1.
    gate = prior.mask(trusted, 2.0).where(prior.notna())
    over_all = [titled(_OVER_ALL, variant) for variant in last["variant"]]
    both = [last.assign(ranked=given), last.assign(Condition=over_all, ranked=gate)]
    parts.append(pd.concat(both).sort_values("place", kind="stable"))
    return pd.concat(parts, ignore_index=True).dropna(subset="ranked")


_OVER_ALL, _AS_IT_IS = "SR-DCR over all thresholds", "SR-DCR as it is"

RISK = View[Data](
    "risk_coverage",
    "Area under the risk-coverage curve",
    lambda data: shared(ranked(data)),
    BY,
    [
        Measure("Samples", len),
        Measure("Wrong", lambda rows: 1 - rows["strict"].mean(), PERCENT),
        Measure(
            "Area",
            lambda rows: area_under(risk_coverage(rows["ranked"], rows["strict"])),
            Format(3),
        ),
        Measure(
            "Above the least",
            lambda rows: excess_area(rows["ranked"], rows["strict"]),
            Format(3),
        ),
    ],
    note="On the samples that all conditions of a model have; an uninformative "
    "confidence has the share of wrong answers as area. Above the least: the area "
    "above that of an order with all right answers first.",
    folded=True,
)


def risk_figures(data: Data) -> Iterator[Figure | Notice]:
    """Risk over coverage, a figure for each model."""
    as_it_is = data.answers[data.answers["key"] == "srdcr"]
    names = [titled(_AS_IT_IS, variant) for variant in as_it_is["variant"]]
    rows = shared(pd.concat([ranked(data), as_it_is.assign(Condition=names)]))
    number = 0
    for model, of in rows.groupby("Model", sort=False):
        if of.get("ranked", pd.Series(dtype=float)).notna().any():
            number += 1
            yield _risk_figure(number, str(model), of)
    if not number:
        text = needs("The risk-coverage curve", "answers with a confidence", _SRDCR)
        yield Notice(text, "info")


def _risk_figure(number: int, model: str, rows: pd.DataFrame) -> Figure:
    curves = {}
    for name, of in rows.groupby("Condition", sort=False):
        if of["ranked"].notna().all():
            curve = risk_coverage(of["ranked"], of["strict"])
            # Steps: the risk of the next point holds up to it.
            edges = np.concatenate([[0.0], np.repeat(curve.coverage, 2)[:-1]])
            steps = Curve(edges, np.repeat(curve.risk, 2))
            curves[f"{name} ({area_under(curve):.3f})"] = steps
        else:
            answered = of["answered"] == 1
            wrong = 1 - of["strict"][answered].mean()
            curves[str(name)] = Curve(np.array([answered.mean()]), np.array([wrong]))
    return Figure(
        name=f"figure_risk_{number}",
        title=f"Risk over coverage, {model}",
        figure=curve_panels(
            {samples_in(rows): curves},
            label="risk: wrong among answered (%)",
            x_label="coverage: answered (%)",
            size=(6.0, 3.0),
        ),
        alt="Share of wrong answers among those given with most confidence over the "
        f"share given: {', '.join(curves)}.",
        note=f"{on_samples()(rows)} A curve answers the items with the highest "
        "confidence first, and its area is in brackets; the mark is SR-DCR with its "
        "own threshold.",
    )


# Passage or memory: whose answer is given.


def _one_right(rows: pd.DataFrame) -> Biases:
    """ClashEval's measures: where exactly one of prior and passage is right."""
    standard = (rows["half"] == "standard").astype(float)
    # Whether two answers are the same goes by what they say, so right does, too.
    return biases(
        passage_alone(rows["normalised_prior"], standard, rows["context_prior"]),
        rows["question_id"],
        correct=rows["normalised"],
        from_passage=rows["context"],
        from_prior=rows["prior"],
        seed=SEED,
    )


_BIASES = ("Accuracy", "Context bias", "Prior bias")


def _biases(rows: pd.DataFrame) -> dict[Column, object]:
    cells: dict[Column, object] = {}
    for name, found in zip(_BIASES, _one_right(rows), strict=True):
        cells |= {name: found, f"{name}: n": found.n}
    return cells


BIASES = View[Data](
    "biases",
    "Context bias and prior bias",
    lambda data: data.answers,
    BY,
    [Columns(_biases, dict.fromkeys(_BIASES, PERCENT))],
    note="Percent, with intervals of a bootstrap of questions. Self-Ask, RCI and Naive "
    "Debate ask for no prior answer and are compared with that of the model's newest "
    "run; whether they repeat it is not known.",
    keep=lambda rows: bool(_one_right(rows).accuracy.n),
)

AGREEMENT = View[Data](
    "agreement",
    "Prior and contextual answer say the same",
    lambda data: arranged(
        each_sample(data.answers[data.answers["agree"].notna()]),
        *("half", "Half", HALF_TITLES),
    ),
    {"Model": "Model", "Half": "Half"},
    [Measure("Agree", the_share("agree"), PERCENT), Measure("Samples", len)],
    note=f"Percent of the samples whose two answers could both be read. {CLUSTERED}",
    heads=False,
)


def _given(data: Data) -> pd.DataFrame:
    """Answers to perturbed passages, twice: whether the passage's, and the prior."""
    rows = data.answers
    rows = rows[(rows["severity"] > 0) & rows["context"].notna()]
    has_prior = rows["prior"].notna().groupby(rows["place"]).transform("any")
    parts = {"Passage's": rows["context"].notna(), "Prior": has_prior.astype(bool)}
    found = stacked(rows, "Given", parts)
    from_passage = found["Given"] == "Passage's"
    return found.assign(value=found["context"].where(from_passage, found["prior"]))


def _preference(
    name: str, rows: Callable[[Data], pd.DataFrame], names: Mapping[Any, str]
) -> View[Data]:
    return View(
        f"preference_{name}",
        f"Whose answer is given with perturbed passages, by {name}",
        rows,
        {**BY, "Given": "Given"},
        [
            Measure("All", the_share("value"), PERCENT),
            *across(name, names, the_share("value"), PERCENT),
            Measure("Samples", known("value")),
        ],
        note="Percent of the answers and abstentions; other answers are neither, equal "
        f"answers both. {CLUSTERED}",
        folded=True,
    )


PREFERENCE_BY_SEVERITY = _preference(
    "severity", _given, {n: f"Severity {n}" for n in SEVERITIES}
)
PREFERENCE_BY_TIER = _preference(
    "tier",
    lambda data: (rows := _given(data))[rows["tier"].notna()],
    dict(enumerate(TIERS)),
)

GIVEN: Mapping[str, Rows] = {
    "the passage's answer": the_share("context"),
    "the prior answer": the_share("prior"),
    "none (it abstains)": the_share("abstained"),
}
_BY_DEFINITION = ("prior", "golden")
_GIVEN_NOTE = (
    "Where the prior answer is the passage's it counts for both; other answers count "
    "for neither."
)
_TIER_PLACES = {n: tier.removesuffix(" known").lower() for n, tier in enumerate(TIERS)}


def _with_abstentions(rows: pd.DataFrame) -> pd.DataFrame:
    """Perturbed samples with `abstained`, for conditions that abstain at all."""
    rows = perturbed(rows)
    abstained = 1 - rows["answered"]
    ever = abstained.groupby(rows["place"]).transform("max") > 0
    titles = zip(rows["Model"], rows["Condition"], strict=True)
    panels = [f"{model}: {condition}" for model, condition in titles]
    return rows.assign(abstained=abstained.where(ever), Panel=panels)


def _with_tiers(answers: pd.DataFrame) -> pd.DataFrame:
    """The answers to questions whose tier is known from any run of the model."""
    tier = answers.groupby(["model", "sample"])["tier"].transform("first")
    return answers.assign(tier=tier)[tier.notna()]


def _choosing(answers: pd.DataFrame) -> pd.DataFrame:
    """Conditions that choose whose answer to give, on the same perturbed samples."""
    free = answers[~answers["key"].isin(_BY_DEFINITION)]
    return _with_abstentions(shared(perturbed(free)))


_BY_ROUND = Plot[Data](
    "figure_preference_rounds",
    "Whose answer is given, by round of SR-DCR's debate",
    lambda data: _with_abstentions(data.rounds),
    "lines",
    x="round",
    panel="Panel",
    values=GIVEN,
    label="decisions (%)",
    x_label="round (0: opening speeches)",
    limits=LIMITS,
    alt=names_of(
        "Panel",
        "Shares of decisions that are the passage's wrong answer, "
        "the prior one, or an abstention, over the rounds",
    ),
    note=lambda rows: (
        f"{_GIVEN_NOTE} Of the rounds whose verdict could be read, in "
        f"{_sizes(rows, 'Panel')}."
    ),
    missing=needs(
        "The figure of whose answer is given by round",
        "debates on perturbed passages",
        _SRDCR,
    ),
)

PREFERENCE_FIGURES = (
    _BY_ROUND,
    replace(
        _BY_ROUND,
        name="figure_preference_severity",
        title="Whose answer is given, by severity",
        rows=lambda data: _choosing(data.answers),
        x="severity",
        panel="Condition",
        each="Model",
        label="answers (%)",
        x_label=SEVERITY_AXIS,
        places=PLACES,
        alt=names_of(
            "Condition",
            "Shares of answers that are the passage's wrong one, "
            "the prior one, or an abstention, over severity",
        ),
        note=on_samples(_GIVEN_NOTE),
        missing=needs(
            "The figure of whose answer is given by severity",
            "answers on perturbed passages",
            _SRDCR,
        ),
    ),
    replace(
        _BY_ROUND,
        name="figure_preference_tiers",
        title="Whose answer is given, by knowledge",
        rows=lambda data: _choosing(_with_tiers(data.answers)),
        x="tier",
        panel="Condition",
        each="Model",
        label="answers (%)",
        x_label="how well the right answer is known without the passage",
        places=_TIER_PLACES,
        alt=names_of(
            "Condition",
            "Shares of answers that are the passage's wrong one, "
            "the prior one, or an abstention, over tiers of knowledge",
        ),
        note=on_samples(_GIVEN_NOTE),
        missing=needs(
            "The figure of whose answer is given by knowledge",
            "recall on perturbed passages",
            _RECALL,
        ),
    ),
)


def _by_variant(rows: pd.DataFrame) -> pd.DataFrame:
    titles = zip(rows["Model"], rows["variant"], strict=True)
    return rows.assign(Panel=[titled(model, variant) for model, variant in titles])


def _few_shots(data: Data) -> pd.DataFrame:
    rows = perturbed(_with_tiers(data.answers))
    rows = rows[(rows["key"] == "few_shot") & rows["context"].notna()]
    best_first = {n: TIERS[n] for n in reversed(range(len(TIERS)))}
    return _by_variant(arranged(rows, "tier", "Line", best_first))


def _judged(data: Data) -> pd.DataFrame:
    rows = perturbed(data.answers)
    rows = rows[rows["key"].isin(JUDGE_DEBATES) & rows["prior"].notna()]
    rows = rows.assign(after=[int(key.rpartition("_")[2]) for key in rows["key"]])
    lines = zip(SEVERITIES, OFFSETS, strict=True)
    names = {n: f"severity {n} ({years} years)" for n, years in lines}
    return _by_variant(arranged(rows, "severity", "Line", names))


def _sizes(rows: pd.DataFrame, panel: str) -> str:
    """How many samples each panel has."""
    found = rows.groupby(panel, sort=False)
    return "; ".join(f"{samples_in(of)} ({name})" for name, of in found)


FIGURES_2_AND_8 = Plot[Data](
    "figure_2_and_8",
    "The paper's Figures 2 and 8: the passage's answer, by severity and knowledge "
    "(few-shot)",
    _few_shots,
    "lines",
    x="severity",
    series="Line",
    panel="Panel",
    values={"passage": the_share("context")},
    label="answers that are the passage's (%)",
    x_label=SEVERITY_AXIS,
    places=PLACES,
    limits=LIMITS,
    alt=names_of(
        "Panel",
        "Share of contextual answers that say what the perturbed "
        "passage says, over its severity, a line per tier of knowledge",
    ),
    note=lambda rows: (
        f"On {_sizes(rows, 'Panel')}. The paper has dates alone, by offset."
    ),
    missing=needs(
        "The paper's Figures 2 and 8", "recall on perturbed passages", _RECALL
    ),
)

FIGURES_4_AND_9 = Plot[Data](
    "figure_4_and_9",
    "The paper's Figures 4 and 9: the prior answer, by round and severity (Judge "
    "Debate)",
    _judged,
    "lines",
    x="after",
    series="Line",
    panel="Panel",
    values={"prior": the_share("prior")},
    label="decisions for the prior answer (%)",
    x_label="rounds of speeches before the verdict",
    limits=LIMITS,
    alt=names_of(
        "Panel",
        "Share of Judge Debate's decisions that are the prior "
        "answer, over the rounds, a line per severity of the perturbation",
    ),
    note=lambda rows: (
        f"On {_sizes(rows, 'Panel')}. The paper has dates alone, by offset."
    ),
    missing=needs(
        "The paper's Figures 4 and 9", "Judge Debate on perturbed passages", _JUDGE
    ),
)


# Rounds and verdicts.


def _by_rounds(rows: pd.DataFrame) -> dict[Column, object]:
    wrong = perturbed(rows)
    return {
        "Passage's": share_of(wrong, "context").value,
        "Prior": share_of(wrong, "prior").value,
    }


DECISIONS = View[Data](
    "rounds",
    "Decisions by round of the debate",
    lambda data: data.rounds,
    {**BY, "Round": "round"},
    [ACCURACIES, Columns(_by_rounds, dict.fromkeys(("Passage's", "Prior"), PERCENT))],
    note="What the verdict after a round would have decided; round 0 are the opening "
    "speeches. Passage's and prior: shares of the decisions with perturbed passages.",
)


def _debates(data: Data) -> pd.DataFrame:
    """Each debate once, although two conditions have its verdicts."""
    first = data.rounds.groupby("Debate")["key"].transform("first")
    return data.rounds[data.rounds["key"] == first]


VERDICTS = View[Data](
    "verdicts",
    "Verdicts for the passage by round",
    _debates,
    {"Debate": "Debate", "Round": "round"},
    [
        *across("half", HALF_TITLES, the_share("verdict"), PERCENT),
        Measure("Verdicts", known("verdict")),
    ],
    note="Percent of the readable verdicts; perfect ones would be 100 for standard and "
    f"0 for perturbed passages. {CLUSTERED}",
)

VERDICT_FIGURE = Plot[Data](
    "figure_verdicts",
    "Verdicts for the contextual answer by round",
    lambda data: arranged(_debates(data), "half", "Half", HALF_TITLES),
    "lines",
    x="round",
    series="Half",
    panel="Debate",
    values={"verdict": the_share("verdict")},
    label="reasonable (%)",
    x_label="round (0: opening speeches)",
    limits=LIMITS,
    alt=names_of(
        "Debate",
        "Share of verdicts that find the contextual answer "
        "reasonable over the rounds, by half",
    ),
    note=lambda rows: (
        f"Debates: {_sizes(rows, 'Debate')}. Perfect verdicts would be "
        "100 % on standard passages and 0 % on perturbed ones."
    ),
    missing=needs("The figure of verdicts", "debates with a judge", _SRDCR),
)


def _series(rows: pd.DataFrame) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Verdicts: a row for each debate, a column for each round."""
    found = rows.pivot(index=["sample", "epoch"], columns="round", values="verdict")
    return found.to_numpy(dtype=float)


def _settling(rows: pd.DataFrame) -> dict[Column, object]:
    series = _series(rows)
    judged = series[~np.isnan(series).all(axis=1)]
    settled = settling_round(judged)
    known = settled[~np.isnan(settled)]
    # A verdict differs from the last one before it that could be read.
    filled = pd.DataFrame(judged).ffill(axis=1).to_numpy()
    before, after = filled[:, :-1], filled[:, 1:]
    changes = ((before != after) & ~np.isnan(before)).sum(axis=1)
    return {
        "Debates": len(judged),
        **{
            f"From {round}": float(np.mean(known == round)) if known.size else None
            for round in range(series.shape[1])
        },
        "Changes": changes.mean() if changes.size else None,
        "Never changed": np.mean(changes == 0) if changes.size else None,
        "Last not read": len(judged) - len(known),
        "Not judged": len(series) - len(judged),
    }


SETTLING = View[Data](
    "settling",
    "When verdicts settle",
    lambda data: arranged(_debates(data), "half", "Half", HALF_TITLES),
    {"Debate": "Debate", "Half": "Half"},
    [
        Columns(
            _settling,
            {"Changes": Format(2), "Never changed": PERCENT}
            | dict.fromkeys([f"From {n}" for n in range(31)], PERCENT),
        )
    ],
    note="Percent of the debates with a readable last verdict, by the round from which "
    "verdicts do not change. Not judged: equal answers that were not debated, and "
    "debates without a readable verdict.",
    folded=True,
)


def settling_figure(data: Data) -> Figure | Notice:
    """From which round on verdicts do not change."""
    rows = arranged(_debates(data), "half", "Half", HALF_TITLES)
    panels = {}
    for (debate, half), of in rows.groupby(["Debate", "half"], sort=False):
        settled = pd.Series(settling_round(_series(of))).dropna()
        if len(settled):
            panels[f"{debate}: {half}, n={len(settled)}"] = settled
    if not panels:
        text = needs("The figure of settling", "debates with a judge", _SRDCR)
        return Notice(text, "info")
    last = int(data.rounds["round"].max())
    return Figure(
        name="figure_settling",
        title="The round from which verdicts do not change",
        figure=histogram_panels(
            panels,
            np.arange(last + 2) - 0.5,
            label="debates (%)",
            x_label="round (0: opening speeches)",
            places=range(last + 1),
            columns=4 if rows["Debate"].nunique() > 1 else 2,
        ),
        alt="Distribution of the round from which verdicts do not change any more, a "
        "panel per debate and half.",
        note="Debates with a readable last verdict.",
    )


def _over_rounds(data: Data) -> pd.DataFrame:
    """Conditions by the rounds of speeches before the answer, as `after`."""
    named = data.answers
    after = [_rounds_before(*of) for of in named[["key", "parameters"]].to_numpy()]
    lines = [
        titled("Judge Debate" if key in JUDGE_DEBATES else CONDITIONS[key], variant)
        for key, variant in named[["key", "variant"]].to_numpy()
    ]
    others = named.assign(after=after, Line=lines).dropna(subset="after")
    debates = data.rounds.assign(after=data.rounds["round"] + 1)
    debates = debates.assign(Line=debates["Condition"])
    rows = pd.concat([others, debates], ignore_index=True)
    points = rows["Line"] + " " + rows["after"].astype(int).astype(str)
    place = rows.assign(point=points).groupby(["Model", "point"], sort=False).ngroup()
    rows = rows.assign(point=points, place=place)
    # Figures are of models with a line of more than one point.
    sizes = rows.groupby("Model")[["Line", "point"]].transform("nunique")
    return by_half(shared(rows[sizes["Line"] < sizes["point"]], "point"))


def _rounds_before(key: str, parameters: Mapping[str, Any]) -> float:
    """The rounds before an answer, at most; NaN for conditions that are not shown."""
    if key == "few_shot":
        return 0
    if key == "naive_debate":
        return int(parameters["rounds"]) + 1
    return int(key.rpartition("_")[2]) if key in JUDGE_DEBATES else math.nan


def _printed_rounds(rows: pd.DataFrame) -> float:
    row = rows.iloc[0]  # SR-DCR has six rounds in the paper
    return math.nan if row["key"] in DEBATES and row["after"] != 6 else _printed_1(rows)


ROUNDS_FIGURE = Plot[Data](
    "figure_rounds",
    "Accuracy over rounds",
    _over_rounds,
    "lines",
    x="after",
    series="Line",
    panel="Half",
    each="Model",
    values={"accuracy": lambda rows: of_half(rows).accuracy},
    printed=_printed_rounds,
    label="accuracy (%)",
    x_label="rounds of speeches",
    limits=LIMITS,
    columns=3,
    alt=names_of("Line", "Accuracy over the rounds of speeches, by half and overall"),
    note=on_samples(
        f"Naive Debate is at the most rounds that it may take. {_TABLE.format(1)}"
    ),
    missing=needs(
        "The figure of accuracies over rounds",
        "debates judged after more than one round",
        *(_SRDCR, _JUDGE),
    ),
)

AGENTS = View[Data](
    "agents",
    "Agents whose first answers are the same",
    lambda data: (
        data.items.dropna(subset="first_answers_same")
        if "first_answers_same" in data.items
        else data.items.head(0)
    ),
    {"Model": "Model", "Condition": "title"},
    [
        Measure("The same", the_share("first_answers_same"), PERCENT),
        Measure("Samples", len),
    ],
    note="Percent of the samples on which all first answers could be read. The "
    "paper's agents share one prompt at temperature 0 and differ only by the "
    "provider's randomness.",
    folded=True,
)

_ALONE = re.compile(
    r"strict_((?P<key>srdcr|acvd_only|judge_debate_\d+)_(?P<which>judge_\d+|ab|ba))"
)
_ORDERS = {"ab": "passage's answer first", "ba": "prior answer first"}


def _alone(data: Data) -> pd.DataFrame:
    """What the verdicts of one judge, or in one order, would decide alone."""
    parts = []
    for (_, _, details), of in data.items.groupby(
        ["Model", "condition", "details"], sort=False
    ):
        for name in of.columns[of.notna().any()]:
            if found := _ALONE.fullmatch(str(name)):
                parts.append(
                    of[["Model", "half", "question_id"]].assign(
                        Condition=titled(CONDITIONS[found["key"]], details),
                        Verdicts=_whose(found["which"], of["models"].iloc[0]),
                        **{
                            measure: of[f"{measure}_{found[1]}"] for measure in MEASURES
                        },
                    )
                )
    return joined(parts, data.items)


def _whose(which: str, models: Mapping[str, str]) -> str:
    """An order in words, or a judge with its model, where it is known."""
    if which in _ORDERS:
        return _ORDERS[which]
    return f"{which.replace('_', ' ')} ({models[which]})" if which in models else which


PANEL = View[Data](
    "panel",
    "What each judge, or each order, would decide alone",
    _alone,
    {**BY, "Verdicts": "Verdicts"},
    [ACCURACIES, SAMPLES],
    note="The conditions take the majority of judges and orders. In a tie each answer "
    "of Judge Debate counts half, and SR-DCR is not scored.",
    folded=True,
)


# What the model knows, and how well its confidence fits.

TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def tiers(data: Data) -> Table | None:
    """How many items are in each tier of knowledge, and how confident the model is."""
    known = data.estimates[data.estimates["tier"].notna()]
    rows = [
        {
            "Model": model,
            "Tier": TIERS[n],
            "Items": len(in_tier := of[of["tier"] == n]),
            "Share": found.value,
            "Share low": found.low,
            "Share high": found.high,
            "Normalised": (of["tier_normalised"] == n).mean(),
            "Prior right": in_tier["prior_strict"].mean(),
            "Mean": in_tier["confidence"].mean(),
            "Lower quarter": in_tier["confidence"].quantile(0.25),
            "Median": in_tier["confidence"].median(),
            "Upper quarter": in_tier["confidence"].quantile(0.75),
            "Confident": in_tier["confident"].mean(),
        }
        for model, of in known.groupby("Model", sort=False)
        for n, found in [*enumerate(tier_shares(of["tier"], of["question_id"]))][::-1]
    ]
    if not rows:
        return None
    percents = ("Share", "Normalised", "Prior right", "Confident")
    return Table(
        name="tiers",
        title="Tiers of knowledge, and confidence in them",
        frame=pd.DataFrame(rows),
        groups="Model",
        formats=dict.fromkeys(percents, PERCENT),
        note="By the share of recalls that are right: highly known from 85 %, maybe "
        "from 30 %, weakly above 0. Mean and quarters are of the confidence in the "
        f"prior answer; confident: at least tau. {CLUSTERED}",
    )


def _by_source(data: Data) -> pd.DataFrame:
    """Items that were recalled, once for every estimate of the confidence."""
    rows = data.estimates[data.estimates["tier"].notna()]
    columns = {"confidence": "the one used", **SOURCES}
    parts = (
        rows.assign(Source=source, stated=rows[column])
        for column, source in columns.items()
        if column in rows
    )
    return joined(parts, rows).sort_values("place", kind="stable")


def _known(rows: pd.DataFrame) -> dict[Column, object]:
    found = p_known_given(rows["stated"], rows["tier"], TAUS, rows["question_id"])
    cells: dict[Column, object] = {}
    for tau, of in zip(TAUS, found, strict=True):
        cells |= {f"{tau:.2f}": of, f"{tau:.2f}: n": of.n}
    return cells


KNOWN = View[Data](
    "known",
    "Highly known, given a confidence of at least tau",
    _by_source,
    {"Model": "Model", "Confidence from": "Source"},
    [Columns(_known, {f"{tau:.2f}": PERCENT for tau in TAUS})],
    note="Percent of the items whose confidence reaches tau, and their number n. The "
    "paper reports more than 88 at 0.90 and more than 95 at 0.95 for all its models.",
    keep=lambda rows: bool(rows["stated"].notna().any()),
)


def thresholds(data: Data) -> dict[str, float]:
    """The thresholds of the runs, by name."""
    found = {p["tau"] for p in data.estimates["parameters"] if p.get("tau") is not None}
    return {f"threshold {100 * tau:g}": float(tau) for tau in sorted(found)}


def _by_estimate(data: Data, *columns: str) -> dict[str, tuple[str, pd.DataFrame]]:
    """By model and estimate of the confidence: its column, and items that have it."""
    return {
        f"{model}, {source}, n={len(rows)}": (column, rows)
        for model, of in data.estimates.groupby("Model", sort=False)
        for column, source in SOURCES.items()
        if len(rows := of.dropna(subset=[column, *columns]))
    }


def known_figure(data: Data) -> Figure | Notice:
    """P(Highly Known | confidence >= tau) over tau, and how many items reach it."""
    taus = np.linspace(0, 1, 51)
    panels = {}
    for name, (column, rows) in _by_estimate(data, "tier").items():
        found = p_known_given(rows[column], rows["tier"], taus, rows["question_id"])
        value, low, high, n = (np.array(part) for part in zip(*found, strict=True))
        panels[name] = {
            "highly known among them": Curve(taus, value, low, high),
            "reach the threshold": Curve(taus, n / len(rows)),
        }
    if not panels:
        what = "recall beside a confidence"
        return Notice(needs("The figure of what is known", what, _RECALL), "info")
    return Figure(
        name="figure_known",
        title="Highly known, given confidence",
        figure=curve_panels(
            panels,
            label="items (%)",
            x_label="threshold of confidence (%)",
            references=thresholds(data),
            limits=LIMITS,
        ),
        alt="Share of items that are highly known among those whose confidence reaches "
        "a threshold, and share of items that reach it, over the threshold.",
        note="The band is the 95 % interval, clustered by question. The paper reports "
        "more than 88 % at 90 and more than 95 % at 95 for all its models.",
    )


_NUMBERED = {
    3: ("confidence", ", the estimate used"),
    6: ("confidence_consistency", " from self-consistency"),
    7: ("confidence_logprobs", " from log-probabilities"),
}
_ALL = "All items"


def confidence_figures(data: Data) -> Iterator[Figure | Notice]:
    """The paper's figures 3, 6 and 7: how confidences are distributed, by tier."""
    both = data.estimates[[*SOURCES]].notna().all(axis=1)
    some = both.groupby(data.estimates["model"]).transform("any")
    for number, (column, source) in _NUMBERED.items():
        # A model with both estimates has the same items in Figures 6 and 7.
        rows = data.estimates if number == 3 else data.estimates[both | ~some]
        panels = {
            f"{model}: {tier}, n={len(values)}": values
            for model, of in rows.groupby("Model", sort=False)
            for tier, in_tier in _by_tier(of).items()
            if column in of and len(values := in_tier[column].dropna())
        }
        if not panels:
            what = needs(f"The paper's Figure {number}", f"confidence{source}", _BOTH)
            yield Notice(what, "info")
            continue
        yield Figure(
            name=f"figure_{number}",
            title=f"The paper's Figure {number}: confidence{source}",
            figure=histogram_panels(
                panels,
                # The shares of sixteen draws are in the middles of the bins.
                (np.arange(18) - 0.5) / 16,
                label="items (%)",
                x_label="confidence in the prior answer (%)",
                format=PERCENT,
                references=thresholds(data),
                places=(0, 0.5, 1),
                columns=len(_by_tier(rows)),
            ),
            alt=f"Distribution of the confidence{source} in the prior answer, a panel "
            "per tier of knowledge.",
            note="Shares of each panel's items, by tier where there is recall. The "
            "dashed line is the threshold from which SR-DCR answers from memory.",
        )


def _by_tier(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """All items, and those of each tier that has any."""
    found = {tier: rows[rows["tier"] == n] for n, tier in enumerate(TIERS)}
    return {_ALL: rows, **{tier: of for tier, of in found.items() if len(of)}}


def _stated(data: Data) -> pd.DataFrame:
    """Every confidence with whether its answer is right, as `stated` and `right`."""
    estimates = data.estimates
    parts = (
        estimates.assign(
            Answer=answer,
            Source=source,
            stated=estimates[column],
            right=estimates[right],
        ).dropna(subset=["stated", "right"])
        for answer, kind, right in (
            ("Prior", "confidence", "prior_strict"),
            ("Contextual", "contextual", "strict_few_shot"),
        )
        for source, column in _CONFIDENCE_COLUMNS[kind].items()
        if {column, right} <= set(estimates)
    )
    return joined(parts, estimates).sort_values("place", kind="stable")


_CONFIDENCE_COLUMNS = {
    "confidence": {
        "the one used": "confidence",
        "log-probabilities": "confidence_logprobs",
        "self-consistency": "confidence_consistency",
    },
    "contextual": {
        "the one used": "contextual_confidence",
        "log-probabilities": "contextual_logprobs",
        "self-consistency": "contextual_consistency",
    },
}

CALIBRATION = View[Data](
    "calibration",
    "Confidences as probabilities of being right",
    _stated,
    {"Model": "Model", "Answer": "Answer", "Confidence from": "Source"},
    [
        Measure("Items", len),
        Measure("Mean", mean("stated"), PERCENT),
        Measure("Right", mean("right"), PERCENT),
        Measure(
            "ECE",
            lambda rows: expected_calibration_error(rows["stated"], rows["right"]),
            PERCENT,
        ),
        Measure("Brier", lambda rows: brier(rows["stated"], rows["right"]), Format(3)),
        Measure(
            "Brier, base rate",
            lambda rows: rows["right"].mean() * (1 - rows["right"].mean()),
            Format(3),
        ),
        Measure(
            "Log score",
            lambda rows: log_score(rows["stated"], rows["right"]),
            Format(3),
        ),
    ],
    note="Lower is better; ECE is over ten bins in percentage points, the log score in "
    "nats with probabilities kept within 0.01 and 0.99. Base rate: the Brier score of "
    "always stating the share that is right.",
)


def reliability_figure(data: Data) -> Figure | Notice:
    """How often the prior answer is right, by the confidence in it."""
    panels = {
        name: _bins(rows, column)
        for name, (column, rows) in _by_estimate(data, "prior_strict").items()
    }
    if not panels:
        what = "prior answers with a confidence"
        return Notice(needs("The reliability diagram", what, _BOTH), "info")
    return Figure(
        name="figure_reliability",
        title="How often prior answers are right, by the confidence in them",
        figure=reliability(
            panels,
            x_label="confidence in the prior answer (%)",
            y_label="right, strictly (%)",
        ),
        alt="Share of right prior answers over the confidence in them in bins of ten, "
        "beside the diagonal of perfect calibration.",
        note="Bins of ten points; areas are proportional to the number of items within "
        "a panel, lines are 95 % intervals, clustered by question.",
    )


def _bins(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Mean confidence and shares right in percent, by bins of ten points."""
    found = []
    for _, of in rows.groupby(np.digitize(rows[column], np.arange(1, 10) / 10)):
        right = share_of(of, "prior_strict")
        percents = [100 * value for value in (of[column].mean(), *right[:3])]
        found.append([*percents, len(of)])
    return pd.DataFrame(found, columns=["stated", "share", "low", "high", "n"])


def _with_both(data: Data) -> pd.DataFrame:
    return data.estimates.dropna(subset=[*SOURCES])


def _same_side(rows: pd.DataFrame) -> Share:
    """How often both estimates reach the threshold, or neither."""
    tau = rows["parameters"].map(lambda given: float(given["tau"]))
    first, second = (rows[column] >= tau for column in SOURCES)
    return share((first == second).astype(float), rows["question_id"])


BOTH_SOURCES = View[Data](
    "sources",
    "Both estimates of the confidence in the prior answer",
    _with_both,
    {"Model": "Model"},
    [
        Measure("Items", len),
        *(
            Measure(f"Mean, {s}", mean(column), PERCENT)
            for column, s in SOURCES.items()
        ),
        Measure(
            "Spearman",
            lambda rows: rows[[*SOURCES]].corr("spearman").iloc[0, 1],
            Format(2),
        ),
        Measure("Same side of tau", _same_side, PERCENT),
    ],
    note="On the items that have both. Same side: both reach tau, or neither does.",
    folded=True,
)


def estimates_figure(data: Data) -> Figure | Notice:
    """Both estimates of the confidence against each other, item by item."""
    both = _with_both(data)
    if both.empty:
        what = "both on the same items"
        return Notice(needs("The figure of both estimates", what, _BOTH), "info")
    x, y = SOURCES
    groups = both["tier"].map(dict(enumerate(TIERS))).fillna(_ALL)
    rows = both.assign(x=100 * both[x], y=100 * both[y], group=groups)
    return Figure(
        name="figure_estimates",
        title="Both estimates of the confidence in the prior answer",
        figure=points(
            {
                f"{model}, n={len(of)}": of
                for model, of in rows.groupby("Model", sort=False)
            },
            x_label=f"from {SOURCES[x]} (%)",
            y_label=f"from {SOURCES[y]} (%)",
            groups=[name for name in (*TIERS, _ALL) if name in set(groups)],
        ),
        alt="Confidence from self-consistency over that from log-probabilities, a "
        "panel per model, a mark per item and a look per tier of knowledge.",
        note="Items with both estimates, by tier where there is recall.",
    )


_TOKENS = {
    "ok": "Log-probabilities",
    "absent": "None were sent",
    "refused": "Request refused",
    "invalid": "Not finite",
    "misaligned": "Tokens do not spell the answer",
    "cut": "Tokens end too early",
    "no_answer": "No answer",
}


def _origins(rows: pd.DataFrame) -> dict[Column, object]:
    columns = {f"tokens_{status}": title for status, title in _TOKENS.items()}
    asked = rows[[column for column in columns if column in rows]].fillna(0)
    counts = asked.rename(columns=columns).sum().astype(int)
    return {
        "Items": len(rows),
        "From log-probabilities": int((rows["source"] == 1).sum()),
        "From self-consistency": int((rows["source"] == 2).sum()),
        "No confidence": int(rows["source"].isna().sum()),
        **{str(title): count for title, count in counts.items()},
        "Not asked for": int((asked.sum(axis=1) == 0).sum()),
    }


ORIGINS = View[Data](
    "origins",
    "Where confidences came from",
    lambda data: (
        data.estimates if "source" in data.estimates else data.estimates.head(0)
    ),
    {"Model": "Model"},
    [Columns(_origins)],
    note="Items by the source of the confidence in the prior answer, and by the result "
    "of asking for the log-probabilities of its tokens.",
    folded=True,
)


# Whether the runs can be trusted, and where they come from.

STAGES = {"clash.answers": "Answers", "clash.verdicts": "Verdicts"}


def runs(frame: pd.DataFrame) -> list[Run]:
    """What was run, by protocol with its parameters and model.

    Args:
        frame: `Grouped.frame` as from `conditions`.
    """
    return [
        Run(
            named={MODELS: model_title(model), CONDITION: str(title)},
            samples=(samples := of[of["model"] == model]),
            item="question_id",
            told={
                name: int((samples["half"] == half).sum())
                for half, name in HALF_TITLES.items()
            },
        )
        for title, of in frame.groupby("title", sort=False)
        for model in in_order(of["model"])
    ]


def _origin(rows: pd.DataFrame) -> dict[Column, object]:
    found = {*rows["key"]}
    log, origin = rows["log"].iloc[0], rows["answer_set"].iloc[0]
    return {
        "Run as": rows["title"].iloc[0],
        "Conditions": "; ".join(CONDITIONS[key] for key in CONDITIONS if key in found),
        "Samples": len(each_sample(rows)),
        "Answers first asked for in": "" if origin == log else origin,
    }


ANSWER_LOGS = View[Data](
    "answer_logs",
    "Which logs the answers are taken from",
    lambda data: data.answers,
    {"Model": "Model", "Log": "log"},
    [Columns(_origin)],
    note="A condition that several runs contain is taken from the run of SR-DCR, else "
    "from the run of its own protocol, else from the newest. Runs of its own protocol "
    "with other parameters are conditions of their own.",
    folded=True,
)


def balance(data: Data) -> Table | None:
    """The perturbed samples by domain and severity, as the logs have drawn them."""
    rows = [
        {
            RUNS: f"Run {numbers}",
            "Domain": title,
            **{f"Severity {n}": of.get(str(n), 0) for n in SEVERITIES},
            "All": sum(of.values()),
        }
        for numbers, found in by_value(
            log.metadata.get("data") or {} for log in data.logs
        )
        for domain, title in DOMAINS.items()
        if (of := (found.get("balance") or {}).get("domain_severity", {}).get(domain))
    ]
    if not rows:
        return None
    return Table(
        name="balance",
        title="Perturbed samples as they were drawn",
        frame=pd.DataFrame(rows),
        groups=RUNS,
        note="Before a run's limit; each question has a standard sample, too.",
        folded=True,
    )


def absent(data: Data) -> str:
    """The commands of the study's protocols whose results these logs do not have."""
    reusing = {key for key in OF_SRDCR if key not in ("prior", *DEBATES)}
    here = {*data.items["protocol"]}
    included = {"acvd_only", *reusing}  # in a run of SR-DCR
    lines = [
        f"{COMMAND} -T protocol={protocol} --model M"
        for protocol in ("srdcr", *PROTOCOLS)
        if protocol not in here | included
    ]
    lines = list(dict.fromkeys(lines))
    return command_list("Baselines of the study that these logs do not have:", lines)


def sanity(data: Data) -> Section:
    """Samples, what could not be read, and the logs of the conditions."""
    return sanity_section(
        runs(data.grouped.frame),
        STAGES,
        data.calls,
        ANSWER_LOGS(data),
        unread="Further answers, for self-consistency and recall, are not in it.",
    )


def provenance(data: Data) -> Section:
    """Commands, runs, data, prompts and parameters."""
    found = runs_of(data.grouped, data.titles)
    return provenance_section(data.logs, found, [balance(data)], absent=absent(data))


# What must be read before the numbers.


def notices(data: Data) -> Iterator[Notice]:
    """What may overturn the numbers, and what explains them."""
    frame, of_runs = data.grouped.frame, runs(data.grouped.frame)
    yield from run_notices(data.logs)
    yield from made_up_notices(frame, data.titles)
    for model in in_order(frame["model"]):
        there = {*frame["half"][frame["model"] == model]}
        for half in [half for half in HALVES if half not in there][:1]:
            yield Notice(
                f"{model_title(model)} has no {half} samples, so it has no overall "
                "results."
            )
    yield from item_notices(of_runs)
    yield from sample_notices(data.grouped, data.titles)
    yield from unread_notices(of_runs, STAGES, _unscored(data.answers))
    yield from _answer_notices(data.answers)
    yield from _confidence_notices(data.estimates)
    yield from _agreement_notices(data.answers)
    yield from call_notices(data.calls)
    yield from reuse_notices(frame, data.titles)


def _unscored(answers: pd.DataFrame) -> list[str]:
    """Conditions with too many samples that are not scored."""
    return [
        f"{missing:.0%} of the samples not scored: {name} ({model})"
        for (model, name), of in answers.groupby(["Model", "Condition"], sort=False)
        if (missing := of["strict"].isna().mean()) > LIMIT
    ]


def _answer_notices(answers: pd.DataFrame) -> Iterator[Notice]:
    """Conditions of one model that follow from different answers."""
    lines = []
    rows = answers[answers["key"].isin(TWO_ANSWERS)]
    for model, of in rows.groupby("Model", sort=False):
        sets = of.groupby("answer_set", sort=False)["key"].unique()
        if len(sets) > 1:
            lines += [
                f"{model}, `{log}`: {', '.join(CONDITIONS[key] for key in keys)}"
                for log, keys in sets.items()
            ]
    if lines:
        yield Notice(
            "The prior and contextual answers of a model were asked for several times, "
            "so differences between its conditions include chance. With `reuse` they "
            f"are asked for once.\n\n{listed(lines)}"
        )


def _agreement_notices(answers: pd.DataFrame) -> Iterator[Notice]:
    lines = [
        f"{agreed.mean():.0%}: {model}"
        for model, of in each_sample(answers).groupby("Model", sort=False)
        if len(agreed := of["agree"].dropna())
    ]
    if lines:
        yield Notice(
            "Share of samples whose prior and contextual answer say the same, so that "
            "it does not matter whose is given; for the others see “Accuracy where "
            f"prior and contextual answer differ”.\n\n{listed(lines)}",
            "info",
        )


def _confidence_notices(estimates: pd.DataFrame) -> Iterator[Notice]:
    """Prior answers without a confidence, and models with two kinds of confidence."""
    rows = estimates[estimates["prior_strict"].notna()]
    if "source" not in rows:
        return
    mixed, lacking = [], []
    for model, of in rows.groupby("Model", sort=False):
        names = dict(enumerate(SOURCES.values(), start=1))
        counts = of["source"].map(names).value_counts()
        if len(counts) > 1:
            parts = ", ".join(f"{n} from {source}" for source, n in counts.items())
            mixed.append(f"{model}: {parts}")
        if missing := of["source"].isna().mean():
            lacking.append(f"{missing:.0%}: {model}")
    if mixed:
        yield Notice(
            "Confidences of one model come from two sources, for which one threshold "
            f"means different things.\n\n{listed(mixed)}"
        )
    if lacking:
        yield Notice(
            "Share of the prior answers without a confidence, which are not scored "
            f"where the judge is against the passage.\n\n{listed(lacking)}"
        )


# The report.


def summary(data: Data) -> str:
    """What the logs contain, and the terms of the report."""
    models, questions = (data.items[c].nunique() for c in ("model", "question_id"))
    return (
        f"{counted(models, 'model')}, {counted(questions, 'question')}, "
        f"{counted(len(data.logs), 'log')}. Each question is asked with a right "
        "(standard) and with a wrong (perturbed) passage. Several conditions share the "
        "prior answer, given without the passage, and the contextual answer, given "
        "with it. Parameters that differ from the study's follow a condition's name. "
        "The model is that of all participants unless others are named."
    )


REPORT = StudyReport[Data](
    study=STUDY,
    title="SR-DCR: when to trust a passage",
    source="When to Trust Context: Self-Reflective Debates for Context Reliability "
    "(arXiv 2506.06020), on ClashEval (arXiv 2404.10198)",
    read=read,
    summary=summary,
    notices=notices,
    parts=[
        Part(
            "Accuracy",
            [ACCURACY, ACCURACY_FIGURE],
            "Strict: exact match; normalised: spelling, numbers and times compared by "
            "meaning. Coverage: answers that are not abstentions; selective: accuracy "
            "among these. Of the baselines, the prior answer never follows the "
            "passage, few-shot always does, and golden knows which passages are right. "
            "Calls and tokens are means per sample of the condition's own runs. A "
            "condition that trusts passages less gains on the perturbed half and loses "
            "on the standard half.",
        ),
        Part(
            "The paper's Tables 1 and 2",
            [table_1, table_2, claims],
            "Footnotes say what is known to be wrong with a printed value. The paper's "
            "SR-DCR was not scored on the same items as its baselines, and golden not "
            "on the same answers as few-shot.",
        ),
        Part(
            "By severity",
            [SEVERITY, SEVERITY_FIGURE, _YEARS, STRATA],
            "Severity 1 to 5: dates are shifted by "
            f"{', '.join(map(str, OFFSETS))} years, as in the paper; values are "
            "multiplied by 0.8 or 1.2, 1.5, 0.4 or 2, 0.2 or 3, and 0.1, 5 or 10; "
            "names and places are slightly (1), significantly (3) and comically (5) "
            "wrong. So severities 2 and 4 come from four domains only, and severity is "
            "confounded with domain.",
        ),
        Part(
            "Paired comparisons",
            [comparisons],
            "Overall is the mean of both halves. Answers: whether both conditions "
            "follow from the same prior and contextual answers, or from others "
            "(“anew”), so that the difference includes chance; “own”: the condition "
            "asks for its own.",
            otherwise="SR-DCR is not among these logs, or is the only condition; to "
            f"run it:\n\n- `{COMMAND} {_SRDCR}`",
        ),
        Part(
            "Abstention",
            [ABSTENTION, RISK, risk_figures],
            "An abstention is neither right nor wrong, so accuracy over all items, "
            "coverage, and accuracy over the answered ones belong together. In the "
            "risk-coverage curves, items are answered in the order of confidence: the "
            "prior and the contextual answer by the confidence in each, token "
            "probability by the higher of both, the debate alone by that in the answer "
            "it gives. SR-DCR over all thresholds answers what the judge finds "
            "reasonable at once, and the rest by the confidence in the prior answer.",
        ),
        Part(
            "Passage or memory",
            [
                *(AGREEMENT, CONTESTED, BIASES),
                *(PREFERENCE_BY_SEVERITY, PREFERENCE_BY_TIER),
                *(*PREFERENCE_FIGURES, FIGURES_2_AND_8, FIGURES_4_AND_9),
            ],
            "It matters whose answer is given only where prior and contextual answer "
            "differ. Biases are ClashEval's: accuracy where exactly one of the prior "
            "answer and the passage is right; context bias: answers of a wrong passage "
            "over a right prior answer; prior bias: a wrong prior answer kept over a "
            "right passage. Answers are compared by meaning.",
        ),
        Part(
            "Rounds and verdicts",
            [
                *(DECISIONS, ROUNDS_FIGURE, AGENTS, VERDICTS, VERDICT_FIGURE),
                *(SETTLING, PANEL, settling_figure),
            ],
        ),
        Part(
            "What the model knows",
            [tiers, KNOWN, known_figure, confidence_figures],
            "Tiers of knowledge need answers recalled from memory: "
            f"`{COMMAND} {_RECALL}`.",
        ),
        Part(
            "Confidence",
            [
                *(CALIBRATION, reliability_figure),
                *(BOTH_SOURCES, estimates_figure, ORIGINS),
            ],
        ),
        sanity,
        provenance,
    ],
    main=[
        Main(
            *("comparisons", "Difference", "Samples"),
            "The accuracy of SR-DCR differs by {value} from that of {Compared with}, "
            "{Model}.",
            POINTS,
            " points",
            where=("Compared with", "Few-shot"),
        ),
        Main(
            *("accuracy", "Overall", "Samples"),
            "{Condition} ({Model}): accuracy is {value}.",
            PERCENT,
            " %",
            where=("Condition", "SR-DCR"),
        ),
    ],
    figure=["figure_accuracy_1"],
)
