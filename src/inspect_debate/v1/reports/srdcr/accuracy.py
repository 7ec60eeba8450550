"""How often each condition of the SR-DCR study is right, and beside the paper."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from inspect_debate.v1.metrics.abstention import ByCondition
from inspect_debate.v1.metrics.paired import cluster_sign_flip, holm
from inspect_debate.v1.published.tables import PrintedCell, paper_of
from inspect_debate.v1.reports.comparisons import (
    SEED,
    Pairing,
    accuracy_test,
    difference,
    in_words,
    pair,
)
from inspect_debate.v1.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Format,
    Table,
)
from inspect_debate.v1.reports.estimates import clusters
from inspect_debate.v1.reports.srdcr.measures import (
    ABSTENTIONS,
    ACCURACIES,
    BY,
    CLUSTERED,
    COMMAND,
    HALF_TITLES,
    LIMITS,
    SAMPLES,
    SEVERITY_AXIS,
    SEVERITY_PLACES,
    SRDCR_RUN,
    Data,
    arranged,
    by_half,
    each_sample,
    in_halves,
    joined,
    lines,
    needs,
    of_half,
    on_samples,
    perturbed,
    share_of,
    shared,
    the_share,
)
from inspect_debate.v1.reports.srdcr.rows import (
    CONDITIONS,
    DOMAINS,
    HALVES,
    MODELS,
    OFFSETS,
    PROTOCOL_OF,
    SEVERITIES,
    TWO_ANSWERS,
    model_title,
    titled,
)
from inspect_debate.v1.reports.views import (
    Marked,
    Measure,
    Part,
    Plot,
    View,
    across,
    unknown,
)


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


def _accuracy_by(
    column: str, names: Mapping[Any, str], name: str, title: str, **more: Any
) -> View[Data]:
    """Accuracy with perturbed passages by the values of a column."""

    def rows(data: Data) -> pd.DataFrame:
        answers = data.answers.assign(years=data.answers["offset"].abs())
        return answers[(answers["severity"] > 0) & answers[column].isin([*names])]

    shares = across(column, names, the_share("strict"), PERCENT, total="All")
    return View(name, title, rows, BY, [*shares, SAMPLES], **more)


YEARS = _accuracy_by(
    "years",
    {n: f"{n} years" for n in OFFSETS},
    "offsets",
    "Accuracy with perturbed dates by offset",
    note=f"The domain {DOMAINS['years']} alone, shifted to either side. {CLUSTERED}",
    folded=True,
)

SEVERITY = _accuracy_by(
    "severity",
    {n: f"Severity {n}" for n in SEVERITIES},
    "severity",
    "Accuracy with perturbed passages by severity",
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
    return _share(paper_of("srdcr").cell(table, f"{model} {key}", column))


def _share(cell: PrintedCell | None) -> float:
    return math.nan if cell is None else cell.value / 100


def table_1(data: Data) -> Table:
    """Accuracy in both halves and overall, ours and as printed."""
    title = "The paper's Table 1: accuracy by half"
    columns = {half: half.capitalize() for half in ByCondition._fields}

    def by_half(rows: pd.DataFrame) -> dict[str, float]:
        found = in_halves(rows)._asdict()
        return {half: of.accuracy.value for half, of in found.items()}

    return _beside_paper("table_1", title, columns, data.answers, by_half)


def table_2(data: Data) -> Table:
    """Accuracy with perturbed dates by offset, ours and as printed."""
    title = "The paper's Table 2: accuracy by offset"
    columns = {f"{offset}": f"{offset}" for offset in OFFSETS} | {"overall": "Overall"}
    answers = perturbed(data.answers)

    def by_offset(rows: pd.DataFrame) -> dict[str, float]:
        offsets = rows["offset"].abs()
        found = {f"{n}": share_of(rows[offsets == n], "strict").value for n in OFFSETS}
        return found | {"overall": sum(found.values()) / len(found)}

    dates = answers[answers["domain"] == "years"]
    return _beside_paper("table_2", title, columns, dates, by_offset)


def _beside_paper(
    name: str,
    title: str,
    columns: Mapping[str, str],
    answers: pd.DataFrame,
    of: Callable[[pd.DataFrame], Mapping[str, float]],
) -> Table:
    """A table of the paper; two levels of columns where there are values of ours."""
    published = paper_of("srdcr")
    paper = {
        (model, key, ""): cells
        for row, cells in published.tables[name].rows.items()
        for model, _, key in [row.partition(" ")]
    }
    of_models = answers[answers["model"].isin([*MODELS])]
    groups: Any = of_models.groupby(["model", "key", "variant"], sort=False)
    ours = {at: of(rows) for at, rows in groups}
    places = sorted(
        {*paper, *ours},
        key=lambda at: ([*MODELS].index(at[0]), [*CONDITIONS].index(at[1]), at[2]),
    )

    def level(heading: str, kind: str = "") -> Column:
        return (heading, kind) if ours else heading

    rows: list[dict[Column, object]] = []
    marks: dict[Cell, str] = {}
    for number, (model, key, variant) in enumerate(places):
        cells = paper.get((model, key, variant), {})
        if not cells and (model, key, variant) in paper:
            marks[Cell(number)] = _GARBLED
        row: dict[Column, object] = {
            level("Model"): model_title(model),
            level("Condition"): titled(CONDITIONS[key], variant),
        }
        for column, heading in columns.items():
            cell, theirs = cells.get(column), _share(cells.get(column))
            mine = ours.get((model, key, variant), {}).get(column, math.nan)
            both = {level(heading, OURS): mine} if ours else {}
            row |= {**both, level(heading, PAPER): theirs}
            row |= {level(heading, DIFFERENCE): mine - theirs} if ours else {}
            if cell is not None and cell.note:
                marks[Cell(number, level(heading, PAPER))] = cell.note
        rows.append(row)
    shown = [*rows[0]][2:]
    return Table(
        name=name,
        title=title,
        frame=pd.DataFrame(
            [row.values() for row in rows], columns=pd.Index([*rows[0]])
        ),
        groups=level("Model"),
        formats={at: Format(2, 100, signed=at[1] == DIFFERENCE) for at in shown},
        marks=marks,
        note=f"Percent, printed values from {published.source}. {_ITEMS[bool(ours)]}",
        folded=True,
    )


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


HOLLOW = "Hollow marks are the paper's Table {}, on other items."


def printed_half(rows: pd.DataFrame) -> float:
    """What the paper's Table 1 has of a condition in the half of these rows."""
    row = rows.iloc[0]
    if row["variant"]:
        return math.nan
    return printed("table_1", row["model"], row["key"], row["Half"].lower())


ACCURACY_FIGURE = Plot[Data](
    "figure_accuracy",
    "Accuracy by condition",
    lambda data: by_half(shared(data.answers)),
    "dots",
    x="Condition",
    panel="Half",
    each="Model",
    values={"accuracy": lambda rows: of_half(rows).accuracy},
    printed=printed_half,
    label="strict accuracy (%)",
    limits=LIMITS,
    columns=3,
    note=on_samples(HOLLOW.format(1)),
    missing=needs("The figure of accuracies needs answers that can be read", SRDCR_RUN),
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


def _printed_severity(rows: pd.DataFrame) -> float:
    row = rows.iloc[0]
    if row["Line"] != _OWN or row["variant"]:
        return math.nan
    offset = OFFSETS[int(row["severity"]) - 1]
    return printed("table_2", row["model"], row["key"], f"{offset}")


SEVERITY_FIGURE = lines(
    "figure_severity",
    "Accuracy with perturbed passages by severity",
    lambda data: _beside_few_shot(shared(perturbed(data.answers))),
    x="severity",
    series="Line",
    panel="Panel",
    each="Model",
    values={"accuracy": the_share("strict")},
    printed=_printed_severity,
    label="strict accuracy (%)",
    x_label=SEVERITY_AXIS,
    places=SEVERITY_PLACES,
    note=on_samples(HOLLOW.format("2, by years")),
    missing=needs(
        "The figure of accuracies by severity needs perturbed passages", SRDCR_RUN
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
    rows = [
        row
        for scope in _SCOPES
        for _, of_model in data.answers.groupby("Model", sort=False)
        for row in _family(of_model, scope, failed)
    ]
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


_COMPARED = [
    *("sample", "epoch", "half", "severity", "degree", "question_id", "strict")
]


def _as_detection(answers: pd.DataFrame, failed: pd.DataFrame) -> pd.DataFrame:
    """A condition's answers as `pair` takes them, with its runs' failed samples."""
    model = answers["model"].iloc[0]
    lost = failed[(failed["model"] == model) & failed["run"].isin(answers["run"])]
    both = [answers.assign(scored=True), lost]
    rows = pd.concat(
        [of.reindex(columns=[*_COMPARED, "scored"]) for of in both], ignore_index=True
    )
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


PARTS: Sequence[Part[Data]] = [
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
        [SEVERITY, SEVERITY_FIGURE, YEARS, STRATA],
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
        f"run it:\n\n- `{COMMAND} {SRDCR_RUN}`",
    ),
]
