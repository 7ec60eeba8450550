"""The chapters on error detection: items, the paper's tables, metrics, and grades."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean

import numpy as np
import pandas as pd

from inspect_debate.metrics.detection import STATISTICS, Convention
from inspect_debate.published.tables import paper_of
from inspect_debate.reports.between_rounds import between_rounds
from inspect_debate.reports.challenges import challenge_view
from inspect_debate.reports.colmad.conditions import AUTHORS, PROTOCOLS, SUBSETS
from inspect_debate.reports.colmad.measures import (
    BY,
    COMMAND,
    LABELS,
    UNGRADED,
    Data,
)
from inspect_debate.reports.colmad.pairs import AVERAGE, RESPONSES
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    Cell,
    Column,
    Format,
    Item,
    Table,
)
from inspect_debate.reports.estimates import (
    Estimate,
    estimate,
    expected,
    mean_estimate,
    of_baselines,
    ratio,
)
from inspect_debate.reports.views import Measure, Part, View, first, mean, rate, total

# The items of the runs: the paper's Table 4.

ITEMS: View[Data] = View(
    "table_4",
    "The paper's Table 4: the items of these runs",
    lambda data: data.items,
    {"Responses of": "responses", "Task": "task"},
    [
        Measure("Items", len),
        Measure("Errors", total("error")),
        Measure("Errors, share", mean("error"), PERCENT),
        Measure("Words in", lambda of: of["words_in"].mean(skipna=False), NUMBER),
        Measure("Words out", lambda of: of["words_out"].mean(skipna=False), NUMBER),
    ],
    note="Words of the task and of the response, on average over the items. Each item "
    "counts once, however many runs and epochs have it.",
)


def _by_category(data: Data) -> pd.DataFrame:
    exploded = data.items.explode("categories").dropna(subset="categories")
    keys = ["responses", "task", "categories"]
    places = {name: n for n, name in enumerate([*AUTHORS.values(), *SUBSETS.values()])}
    return exploded.sort_values(keys, key=lambda c: c.map(lambda v: places.get(v, v)))


def _of_errors(rows: pd.DataFrame) -> float:
    errors = rows["of_errors"].iloc[0]
    return rows["error"].sum() / errors if errors else math.nan


ITEM_CATEGORIES: View[Data] = View(
    "table_4_categories",
    "The paper's Table 4: categories of error in the items of these runs",
    _by_category,
    {"Responses of": "responses", "Task": "task", "Category": "categories"},
    [
        Measure("Items", len),
        Measure("Share of items", lambda of: len(of) / of["of_items"].iloc[0], PERCENT),
        Measure("Share of errors", _of_errors, PERCENT),
    ],
    note="An item of several categories counts in each. In ReaLMistake one item "
    "without an error has a category; it is not in the share of errors.",
)

# Statistics, in two conventions on items without a readable prediction.

CONVENTIONS: Mapping[Convention, str] = {
    "parsed": "left out",
    "realmistake": "as no error",
}
_CONVENTIONS = (
    "Unreadable, left out: an item without a prediction (unreadable, refused, cut off "
    "or tied) is in no score, and 95 % intervals are clustered by input. As no error: "
    "the convention of ReaLMistake's authors, to compare with published values, in "
    "which such an item says `no error`, and in accuracy is wrong."
)
BASELINES = {
    "always_error": "Always error",
    "always_no_error": "Always no error",
    "base_rate": "Base rate",
}
"""Detectors that do not look at the items."""

CELL_STATISTICS = {
    "f1": "F1",
    "f2": "F2",
    "precision": "Precision",
    "recall": "Recall",
    "accuracy": "Accuracy",
    "predicted_error_rate": "Predicted errors",
}
"""What ReaLMistake's and ColMAD's authors publish of cells, or what these imply."""

_TITLES = CELL_STATISTICS | {"balanced_accuracy": "Balanced accuracy", "mcc": "MCC"}


def by_convention(rows: pd.DataFrame, name: str, convention: str) -> Estimate:
    """A statistic with its interval, or as ReaLMistake's authors compute it.

    Theirs has no interval, is NaN without rows and for what they do not publish, and is
    the exact expectation where random tie-breaks decide.
    """
    if convention == "parsed":
        return estimate(rows, name)
    has = len(rows) and name in CELL_STATISTICS
    return _alone(expected(rows, name) if has else math.nan)


def _alone(value: float) -> Estimate:
    return Estimate(value, math.nan, math.nan)


def twice(rows: pd.DataFrame, *by: str) -> pd.DataFrame:
    """Rows once for each convention, with the number of those it counts."""
    if rows.empty:
        return rows
    rows = rows.reset_index(drop=True)
    predicted = rows.groupby(["Condition", *by])["prediction"]
    sizes = {
        "parsed": predicted.transform("count"),
        "realmistake": predicted.transform("size"),
    }
    parts = [
        rows.assign(convention=convention, Unreadable=words, Samples=sizes[convention])
        for convention, words in CONVENTIONS.items()
    ]
    return pd.concat(parts).sort_values("place", kind="stable")


def _statistic(
    name: str, part: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows
) -> Callable[[pd.DataFrame], Estimate]:
    """A statistic of a group of `twice`, or of a part of it."""
    return lambda rows: by_convention(part(rows), name, rows["convention"].iloc[0])


def _format(name: str) -> Format:
    return NUMBER if name == "mcc" else PERCENT


NO_PREDICTION = Measure(
    "No prediction", lambda rows: rows["prediction"].isna().mean(), PERCENT
)


def _blind(
    head: str, names: Sequence[str], rows: pd.DataFrame
) -> Iterator[dict[Column, object]]:
    """The rows of detectors that do not look, on the items of some rows."""
    items = rows.drop_duplicates("id")
    for key, counts in of_baselines(items).items():
        yield {
            head: rows[head].iloc[0],
            "Protocol": BASELINES[key],
            "Models": "none",
            "Samples": len(items),
            "Unreadable": "none",
            "No prediction": 0.0,
            **{_TITLES[n]: float(STATISTICS[n](counts, "parsed")) for n in names},
        }


def _detection(
    name: str,
    title: str,
    head: str,
    rows: Callable[[Data], pd.DataFrame],
    names: Sequence[str],
    note: str,
    keep: Callable[[pd.DataFrame], bool] | None = None,
) -> View[Data]:
    """Statistics of conditions in both conventions, and of trivial baselines."""
    samples = {"Samples": "Samples", "Unreadable": "Unreadable"}
    return View(
        name,
        title,
        lambda data: twice(rows(data), head),
        {head: head, **BY, **samples},
        [
            NO_PREDICTION,
            *(Measure(_TITLES[n], _statistic(n), _format(n)) for n in names),
        ],
        also=partial(_blind, head, names),
        keep=keep,
        note=note,
    )


def _by_author(data: Data) -> pd.DataFrame:
    """The rows by author of the responses, and all again where there are several."""
    authors = data.rows["response_author"]
    present = [author for author in AUTHORS if author in set(authors)]
    parts = {AUTHORS[author]: [author] for author in present}
    if len(present) > 1:
        parts[" and ".join(parts)] = present
    return pd.concat(
        data.rows[authors.isin(of)].assign(authors=len(of), **{RESPONSES: words})
        for words, of in parts.items()
    )


def _has_all_authors(rows: pd.DataFrame) -> bool:
    return bool(rows["response_author"].nunique() == rows["authors"].iloc[0])


_DEBATED = "Debated items of"


def _debated(data: Data) -> pd.DataFrame:
    """Debated samples, where agreeing first answers are returned without a debate."""
    skipping = [c for c in data.conditions if c.rounds and c.shape.get("skip_if_agree")]
    rows = data.of(skipping)
    return rows[rows["debated"] == 1].assign(**{_DEBATED: lambda of: of["Condition"]})


ERRORS = _detection(
    "errors",
    "Errors found",
    *(RESPONSES, _by_author),
    ("precision", "recall", "f1", "f2", "predicted_error_rate"),
    "Percent. Conditions on responses of both authors appear in each part.",
    _has_all_authors,
)
BOTH_LABELS = _detection(
    "both_labels",
    "Both labels taken together",
    *(RESPONSES, _by_author),
    ("accuracy", "balanced_accuracy", "mcc"),
    "Percent; MCC, the correlation with the gold label, ranges from -1 to 1.",
    _has_all_authors,
)
DEBATED = _detection(
    "debated",
    "Debated items only",
    *(_DEBATED, _debated),
    ("precision", "recall", "f1", "f2", "accuracy"),
    "Percent. Which items are debated depends on the first answers, so they differ "
    "between conditions; the baselines are on the same items.",
)

CHALLENGES: View[Data] = challenge_view(lambda data: data.rows, BY)
BETWEEN: View[Data] = between_rounds(lambda data: data.rows, BY)

# The paper's Tables 1 and 2, and each of their cells in both conventions.

_NUMBERS = {"gpt4": 1, "llama2": 2}
_SCORES = ("F1", "F2")


def _sections(author: str) -> list[Callable[[Data], Iterator[Item]]]:
    """The paper's table of an author's responses, and its cells."""
    return [partial(_paper_table, author), _cells(author)]


def _paper_table(author: str, data: Data) -> Iterator[Table]:
    """Table 1 or 2: our rows in the convention of the published rows, which follow."""
    rows = data.rows[data.rows["response_author"] == author]
    if rows.empty:
        return
    items = rows.drop_duplicates("id")
    found = [
        _row("Runs reported here", *_named(of), _task_scores(of, _expected))
        for _, of in rows.groupby("place")
    ]
    for key, name in BASELINES.items():
        scores = _task_scores(items, partial(_blind_scores, key))
        found.append(_row("Without looking at the items", name, "none", scores))
    paper = paper_of("colmad")
    printed = paper.tables[f"table_{_NUMBERS[author]}"]
    marks: dict[Cell, str] = {}
    for name, cells in printed.rows.items():
        if note := printed.row_notes.get(name):
            marks[Cell(len(found))] = note
        for column, cell in zip(_SCORE_COLUMNS, cells.values(), strict=True):
            if cell.note:
                marks[Cell(len(found), column)] = cell.note
        protocol, _, models = name.partition(" ")
        scores = [float(cell.plain) / 100 for cell in cells.values()]
        title = PROTOCOLS.get(protocol, "Experts")
        found.append(_row("As printed in the paper", title, models or "Human", scores))
    columns = pd.MultiIndex.from_tuples(list(found[0]))
    yield Table(
        name=f"table_{_NUMBERS[author]}",
        title=f"The paper's Table {_NUMBERS[author]}: responses of {AUTHORS[author]}",
        frame=pd.DataFrame([list(row.values()) for row in found], columns=columns),
        groups=("Source", ""),
        formats=dict.fromkeys(_SCORE_COLUMNS, Format(digits=2, scale=100)),
        marks=marks,
        note=f"Percent; published values from {paper.source}, where the first model of "
        "a pair is also the judge. Average: unweighted, over the three tasks.",
    )


_SCORE_COLUMNS = [
    (task, score) for task in (*SUBSETS.values(), AVERAGE) for score in _SCORES
]


def _row(
    source: str, protocol: str, models: str, scores: Sequence[float]
) -> dict[tuple[str, str], object]:
    return {
        ("Source", ""): source,
        ("Protocol", ""): protocol,
        ("Models", ""): models,
        **dict(zip(_SCORE_COLUMNS, scores, strict=True)),
    }


def _named(rows: pd.DataFrame) -> tuple[str, str]:
    return rows["Protocol"].iloc[0], rows["Models"].iloc[0]


def _task_scores(
    rows: pd.DataFrame, of: Callable[[pd.DataFrame], Sequence[float]]
) -> list[float]:
    """F1 and F2 by task, NaN without rows, then their averages."""
    parts = [rows[rows["subset"] == subset] for subset in SUBSETS]
    found = [of(part) if len(part) else [math.nan] * 2 for part in parts]
    averages = [float(np.mean(values)) for values in zip(*found, strict=True)]
    return [value for pair in (*found, averages) for value in pair]


def _expected(rows: pd.DataFrame) -> list[float]:
    return [expected(rows, score.lower()) for score in _SCORES]


def _blind_scores(baseline: str, rows: pd.DataFrame) -> list[float]:
    counts = of_baselines(rows)[baseline]
    return [float(STATISTICS[s.lower()](counts, "realmistake")) for s in _SCORES]


def _of_task(subset: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda rows: rows[rows["subset"] == subset]


def _task_statistic(subset: str) -> Callable[[pd.DataFrame], Estimate]:
    return lambda rows: _statistic(rows["score"].iloc[0], _of_task(subset))(rows)


def _average(rows: pd.DataFrame) -> Estimate:
    """The unweighted mean over the tasks."""
    name, convention = rows["score"].iloc[0], rows["convention"].iloc[0]
    parts = [_of_task(subset)(rows) for subset in SUBSETS]
    if convention == "parsed":
        return mean_estimate(parts, name)
    return _alone(fmean(by_convention(p, name, convention).value for p in parts))


def _cells(author: str) -> View[Data]:
    """Every cell of a table in six statistics and both conventions."""

    def rows(data: Data) -> pd.DataFrame:
        # Of a hundred columns those that are read, as each row is there twelve times.
        items = ["id", "subset", "input_group", "gold", "prediction"]
        read = [*items, *BY.values(), "Condition", "place"]
        both = twice(data.rows.loc[data.rows["response_author"] == author, read])
        parts = (
            both.assign(score=name, Score=title)
            for name, title in CELL_STATISTICS.items()
        )
        return pd.concat(parts)

    tasks = [Measure(t, _task_statistic(s), PERCENT) for s, t in SUBSETS.items()]
    return View(
        f"table_{_NUMBERS[author]}_cells",
        f"Responses of {AUTHORS[author]}, every cell in both conventions",
        rows,
        {"Score": "Score", **BY, "Unreadable": "Unreadable"},
        [
            *tasks,
            Measure(AVERAGE, _average, PERCENT),
            NO_PREDICTION,
            Measure("Items", lambda rows: rows["id"].nunique()),
        ],
        note="Percent. Average: unweighted, over the three tasks.",
        folded=True,
    )


def _if_debated(column: str) -> Callable[[pd.DataFrame], object]:
    return lambda rows: rows.loc[rows["debated"] == 1, column].mean()


COST: View[Data] = View(
    "cost",
    "What it costs",
    lambda data: data.rows,
    BY,
    [
        Measure("Samples", len),
        NO_PREDICTION,
        Measure("Debated", mean("debated"), PERCENT),
        Measure("Calls", mean("calls"), NUMBER),
        Measure("Calls if debated", _if_debated("calls"), NUMBER),
        Measure("Tokens", mean("tokens"), COUNT),
        Measure("Tokens if debated", _if_debated("tokens"), COUNT),
        Measure("Calls reused", mean("reused_calls"), NUMBER),
        Measure("Tokens reused", mean("reused_tokens"), COUNT),
        Measure("Cost in USD", first("usd"), Format(digits=4)),
    ],
    heads=False,
    note="Means per sample, shares in percent; calls and tokens that an earlier run "
    "paid for are counted as reused only. The cost leaves out grading, and is known "
    "for models with prices only.",
)


def _categories(data: Data) -> Iterator[Item]:
    """Recall by the categories that experts gave the errors; nothing without any."""
    errors = data.rows[data.rows["gold"] == 1]
    names = errors["categories"].fillna("").replace("", _UNCATEGORISED)
    errors = errors.assign(named=names.str.split("; "))
    each = errors.explode("named").sort_values(["place", "named"])
    sizes = each.groupby("named", sort=False)["id"].nunique()
    if set(sizes.index) <= {_UNCATEGORISED}:
        return
    of_sizes = ", ".join(f"{category} {size}" for category, size in sizes.items())
    yield from View[Data](
        "categories",
        "Recall by category of error",
        lambda _: twice(errors),
        {**BY, "Errors": "Samples", "Unreadable": "Unreadable"},
        [
            Measure(str(c), _statistic("recall", _having(str(c))), PERCENT)
            for c in sizes.index
        ],
        heads=False,
        note=f"Percent of the errors, which count in each of their categories. "
        f"Items by category: {of_sizes}.",
    )(data)


_UNCATEGORISED = "no category"


def _having(category: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda rows: rows[[category in names for names in rows["named"]]]


# What speeches are graded as: debate hacking.


def _asked(rows: pd.DataFrame) -> "pd.Series[float]":
    """How many speeches the grader was given; older logs count fewer reasons."""
    return rows[["graded_speeches", *UNGRADED]].sum(axis=1)


def _ungraded(status: str) -> Callable[[pd.DataFrame], float]:
    return lambda rows: ratio(rows, status, _asked(rows)).value


HACKING: View[Data] = View(
    "hacking",
    "Debate hacking, as a grader labels speeches",
    lambda data: data.rows,
    BY,
    [
        Measure("Samples", len),
        Measure("Graded speeches", total("graded_speeches"), COUNT),
        *(Measure(words, _ungraded(s), PERCENT) for s, words in UNGRADED.items()),
        *(
            Measure(words, rate(label, "graded_speeches"), PERCENT)
            for label, words in LABELS.items()
        ),
    ],
    heads=False,
    keep=lambda rows: bool(_asked(rows).sum()),
    note="Labels are in percent of the graded speeches, with 95 % intervals clustered "
    "by input; unreadable, refused and cut off replies of the grader are in percent of "
    "all speeches it was given. The labels are a model's, and no person checked them.",
)


_TABLES = (
    "Compare with the trivial baselines first: always saying that there is an error is "
    "hard to beat in F2, as most responses have one. Rows from the paper are as "
    "printed, with known errors as footnotes.\n\n"
    "Our rows follow the convention of ReaLMistake's authors: an answer that could not "
    "be read says `no error`, and where a random tie-break decides, the value is the "
    "exact expectation. An ensemble with one unreadable answer has no prediction."
)
_METRICS = (
    "Balanced accuracy is 50 for any detector that does not look at the items; F1 and "
    "F2 are not, so a gain in them may be no more than a higher share of predicted "
    f"errors.\n\n{_CONVENTIONS}"
)
_NO_HACKING = (
    "No speech was graded. What is needed, for ColMAD and CopMAD:\n\n"
    f"- `{COMMAND} -T grade=debate_hacking --model-role grader=G ...`"
)

PARTS: Sequence[Part[Data]] = [
    Part("The items", [ITEMS, ITEM_CATEGORIES]),
    Part("Tables 1 and 2", [*_sections("gpt4"), *_sections("llama2")], _TABLES),
    Part("Metrics", [ERRORS, BOTH_LABELS, DEBATED, CHALLENGES, BETWEEN], _METRICS),
    Part("Cost", [COST]),
]

GRADES: Sequence[Part[Data]] = [
    Part(
        "Categories of error",
        [_categories],
        otherwise="No item has a category of error in its metadata.",
    ),
    Part("Debate hacking", [HACKING], otherwise=_NO_HACKING),
]
