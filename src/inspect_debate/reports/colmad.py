"""The report on the ColMAD study: error detection by one model, two, and debates."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations_with_replacement, groupby
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.detection import (
    STATISTICS,
    Convention,
    gap_closed,
    oracle_reduction,
)
from inspect_debate.published.tables import paper_of
from inspect_debate.reports.calls import Calls, read_with_calls
from inspect_debate.reports.colmad_conditions import (
    AUTHORS,
    DEBATES,
    PROTOCOLS,
    SUBSETS,
    Condition,
    short,
    study_conditions,
)
from inspect_debate.reports.comparisons import Planned, comparison_tables
from inspect_debate.reports.conditions import (
    CONDITION,
    MODELS,
    ConditionSamples,
    Grouped,
    group_conditions,
)
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Figure,
    Format,
    Item,
    Main,
    Notice,
    Section,
    Table,
    counted,
    listed,
)
from inspect_debate.reports.estimates import (
    Estimate,
    clusters,
    estimate,
    expected,
    mean_estimate,
    of_baselines,
    ratio,
    share,
)
from inspect_debate.reports.figures import grouped_bars, heatmap, lines_over
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.logs import Log
from inspect_debate.reports.notices import study_notices
from inspect_debate.reports.panels import Series
from inspect_debate.reports.provenance import provenance_section, runs_of
from inspect_debate.reports.samples import Held
from inspect_debate.reports.sanity import STAGES, STATUSES, sanity_section
from inspect_debate.reports.views import (
    Measure,
    StudyReport,
    View,
    first,
    mean,
    rate,
    total,
)
from inspect_debate.reports.views import Part as Declared

# How samples become rows: those of a condition, with its protocol and its models.

BY = {"Protocol": "Protocol", "Models": "Models"}
_FIRST = ["first_right_debater_a", "first_right_debater_b"]
_CHANGES = {
    "both_wrong_to_right": "Both wrong, then right",
    "both_right_to_wrong": "Both right, then wrong",
}
_NOT_GRADED = ("unparsed", "refused", "truncated", "capped")
_UNGRADED = {f"hacking_{status}": STATUSES[status] for status in _NOT_GRADED}
_LABELS = {
    "fake_evidence": "Fake evidence",
    "overconfident": "Overconfident",
    "fallacious": "Fallacious",
    "hacked": "Any of them",
}
_IF_SCORED = [
    *(*_FIRST, *_CHANGES, "graded_speeches", *_UNGRADED, *_LABELS, "aligned"),
    *(f"alignment_{status}" for status in (*_NOT_GRADED, "no_explanation")),
    *("debated", "calls", "tokens", "reused_calls", "reused_tokens"),
]
"""Scores that not all runs have."""


@dataclass(frozen=True)
class Data:
    """What the logs of the study hold.

    Attributes:
        conditions: In the order in which they are reported.
        logs: The logs.
        grouped: All samples by condition.
        calls: What the calls say.
        seen: The items of all samples, as from `item_of`.
    """

    conditions: Sequence[Condition]
    logs: Sequence[Log] = ()
    grouped: Grouped | None = None
    calls: Calls = field(default_factory=lambda: Calls({}, {}, []))
    seen: Sequence[Mapping[str, Any]] = ()

    @cached_property
    def rows(self) -> pd.DataFrame:
        """The scored samples of all conditions, with what readers call these."""
        rows = pd.concat(
            [
                one.rows.assign(
                    place=place,
                    Condition=one.name,
                    Protocol=one.title,
                    Models=one.models,
                    rounds=one.rounds,
                    usd=_usd(one.samples, self.calls),
                )
                for place, one in enumerate(self.conditions)
            ],
            ignore_index=True,
        )
        known = dict.fromkeys([*rows.columns, *_IF_SCORED])
        return rows.reindex(columns=[*known]).copy()

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """All pairs of models by task, as from `pair_rows`."""
        return pair_rows(own_answers(self.conditions))

    @cached_property
    def items(self) -> pd.DataFrame:
        """The items of the data, each once, whatever runs and epochs have it."""
        columns = ["author", "subset", "error", "categories", "words_in", "words_out"]
        items = pd.DataFrame(self.seen, columns=pd.Index(["id", "print", *columns]))
        items = items.drop_duplicates()
        items = items[items["author"].isin(AUTHORS) & items["subset"].isin(SUBSETS)]
        places = [*AUTHORS, *SUBSETS].index
        items = items.sort_values(
            ["author", "subset"], key=lambda column: column.map(places), kind="stable"
        )
        cells = items.groupby(["author", "subset"])["error"]
        return items.assign(
            of_items=cells.transform("size"),
            of_errors=cells.transform("sum"),
            responses=items["author"].map(AUTHORS),
            task=items["subset"].map(SUBSETS),
        )

    def of(self, conditions: Iterable[Condition]) -> pd.DataFrame:
        """The rows of some conditions, in their order."""
        by_name = dict(tuple(self.rows.groupby("Condition")))
        names = (one.name for one in conditions)
        found = [by_name[name] for name in names if name in by_name]
        return pd.concat(found) if found else self.rows.head(0)


def read(logs: Sequence[Log]) -> Data | None:
    """Read the logs; None if no sample was scored."""
    calls, seen = read_with_calls(logs, item_of)
    grouped = group_conditions(scores_of(logs))
    conditions = study_conditions(grouped)
    if not any(len(one.rows) for one in conditions):
        return None
    return Data(conditions, logs, grouped, calls, seen)


def item_of(held: Held) -> dict[str, Any]:
    """The item of a sample: no text, but how many words its texts have."""
    sample, metadata = held.sample, held.sample.metadata or {}
    texts = [] if isinstance(sample.input, str) else [m.text for m in sample.input]
    words = [float(len(text.split())) for text in texts]
    words_in, words_out = words if len(words) == 2 else [math.nan] * 2
    return {
        "id": str(sample.id),
        "print": str(metadata.get("fingerprint")),
        "author": str(metadata.get("response_author")),
        "subset": str(metadata.get("subset")),
        "error": sample.target == "error",
        "categories": tuple(map(str, metadata.get("categories") or ())),
        "words_in": words_in,
        "words_out": words_out,
    }


def _usd(samples: pd.DataFrame, calls: Calls) -> float:
    """The mean price of a condition's samples, those that newer logs replaced apart."""
    keys = zip(samples["run"], samples["id"], samples["epoch"], strict=True)
    return float(np.mean([calls.prices.get(key, math.nan) for key in keys]))


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
_AVERAGE = "Average"


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


def _twice(rows: pd.DataFrame, *by: str) -> pd.DataFrame:
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
    """A statistic of a group of `_twice`, or of a part of it."""
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
        lambda data: _twice(rows(data), head),
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
        data.rows[authors.isin(of)].assign(authors=len(of), **{_RESPONSES: words})
        for words, of in parts.items()
    )


def _has_all_authors(rows: pd.DataFrame) -> bool:
    return bool(rows["response_author"].nunique() == rows["authors"].iloc[0])


_RESPONSES = "Responses of"
_DEBATED = "Debated items of"


def _debated(data: Data) -> pd.DataFrame:
    """Debated samples, where agreeing first answers are returned without a debate."""
    skipping = [c for c in data.conditions if c.rounds and c.shape["skip_if_agree"]]
    rows = data.of(skipping)
    return rows[rows["debated"] == 1].assign(**{_DEBATED: lambda of: of["Condition"]})


ERRORS = _detection(
    "errors",
    "Errors found",
    *(_RESPONSES, _by_author),
    ("precision", "recall", "f1", "f2", "predicted_error_rate"),
    "Percent. Conditions on responses of both authors appear in each part.",
    _has_all_authors,
)
BOTH_LABELS = _detection(
    "both_labels",
    "Both labels taken together",
    *(_RESPONSES, _by_author),
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

# The paper's Tables 1 and 2, and each of their cells in both conventions.

_NUMBERS = {"gpt4": 1, "llama2": 2}
_SCORES = ("F1", "F2")
_ITEMS_OF = {"gpt4": 3 * 140, "llama2": 3 * 160}
"""Items of the released data by author of the responses, over the three tasks."""


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
    (task, score) for task in (*SUBSETS.values(), _AVERAGE) for score in _SCORES
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
        of_author = data.rows[data.rows["response_author"] == author]
        both = _twice(of_author)
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
            Measure(_AVERAGE, _average, PERCENT),
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
        lambda _: _twice(errors),
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
    return rows[["graded_speeches", *_UNGRADED]].sum(axis=1)


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
        *(Measure(words, _ungraded(s), PERCENT) for s, words in _UNGRADED.items()),
        *(
            Measure(words, rate(label, "graded_speeches"), PERCENT)
            for label, words in _LABELS.items()
        ),
    ],
    heads=False,
    keep=lambda rows: bool(_asked(rows).sum()),
    note="Labels are in percent of the graded speeches, with 95 % intervals clustered "
    "by input; unreadable, refused and cut off replies of the grader are in percent of "
    "all speeches it was given. The labels are a model's, and no person checked them.",
)

# Which conditions are compared.

QUESTIONS = {
    "speeches": "What do the speeches add? Against the same judge on first answers "
    "alone",
    "judge_alone": "Is it better than the judge alone?",
    "single": "Is it better than one of its debaters alone?",
    "self_consistency": "Is it better than a vote over answers of one model?",
    "pair": "Is it better than both models without a judge?",
    "equal": "Collaboration against competition, both with or both without skip on "
    "agreement",
    "confounded": "Collaboration against competition, confounded: only one has skip on "
    "agreement",
    "skip_if_agree": "What does skip on agreement change?",
    "show_openings": "What does it change to show the first answers?",
}
"""What is asked of two conditions, in the order of the table."""


def _questions(debate: Condition, other: Condition) -> Iterator[str]:
    """What two variants of a debate, or the two kinds of debate, answer."""
    differ = debate.differs(other)
    if debate.people != other.people:
        return
    if debate.protocol == other.protocol:
        if not other.rounds and differ <= {"rounds"}:
            yield "speeches"
        for name in ("skip_if_agree", "show_openings"):
            if differ == {name} and debate.parameters.get(name):
                yield name
    elif (debate.protocol, other.protocol) == ("colmad", "copmad"):
        if not differ:
            yield "equal"
        elif {"skip_if_agree"} <= differ <= {"skip_if_agree", "show_openings"}:
            yield "confounded"


def _questions_beside(debate: Condition, other: Condition) -> Iterator[str]:
    """What a debate and another protocol with its models answer."""
    match other.protocol:
        case "judge_alone" if other.judge == debate.judge:
            yield "judge_alone"
        case "single" | "self_consistency" if other.debaters <= debate.debaters:
            yield other.protocol
        case "ensemble" | "som" if other.debaters == debate.debaters:
            yield "pair"


def main_debates(debates: Sequence[Condition]) -> list[Condition]:
    """Debates as published, and all of a protocol and its models that has none."""
    published = {(one.protocol, one.people) for one in debates if one.as_published}
    return [
        one
        for one in debates
        if one.as_published or (one.protocol, one.people) not in published
    ]


def _planned(conditions: Sequence[Condition]) -> list[Planned]:
    """All comparisons; other protocols are compared only with the debate as published,
    to keep the family of tests small."""
    debates = [one for one in conditions if one.rounds]
    main = [one.name for one in main_debates(debates)]
    return [
        Planned(
            words, debate.models, _label(debate, other), other.samples, debate.samples
        )
        for question, words in QUESTIONS.items()
        for debate in debates
        for other in conditions
        if question in _questions(debate, other)
        or (debate.name in main and question in _questions_beside(debate, other))
    ]


def _label(debate: Condition, other: Condition) -> str:
    of_others = f" ({other.models})" if other.models != debate.models else ""
    return f"{debate.title} − {other.title}{of_others}"


def _comparisons(data: Data) -> Sequence[Table]:
    planned = _planned(data.conditions)
    return comparison_tables(planned) if planned else ()


def _comparisons_text(data: Data) -> str:
    """Whether there is a comparison, and which runs show what speeches add."""
    lacking = [
        debate.name
        for debate in data.conditions
        if debate.rounds and debate.parameters.get("show_openings")
        if not any("speeches" in _questions(debate, one) for one in data.conditions)
    ]
    none = "" if _planned(data.conditions) else _NO_COMPARISON
    more = f"{_NO_OPENINGS}\n\n{listed(lacking)}" if lacking else ""
    return "\n\n".join(filter(None, [none, more]))


# What models could gain from each other, and what debates make of it.

_KEYS = ["id", "epoch"]
_POOLED = "all tasks and authors, pooled"
_COUNTS = (
    *("Errors of the better", "Removed"),
    *("Expected", "Observed less expected"),
)
_MEANS = ("Share (Eq. 4)", "Corrected share", "Ensemble F1", "Ensemble F2")

Answers = Mapping[str, pd.DataFrame]
"""By model its own answers, indexed by id and epoch; models may have other samples."""


def own_answers(conditions: Sequence[Condition]) -> dict[str, pd.DataFrame]:
    """Each model's own answers, from the condition that has most of them.

    They come from runs of `single`, and for models without one from the first answers
    of a debate.
    """
    alone: dict[str, pd.DataFrame] = {}
    debating: dict[str, pd.DataFrame] = {}
    for one in conditions:
        if one.protocol == "single" and one.debater_a:
            _keep_most(alone, one.debater_a, one.rows, one.rows["prediction"])
        if not _has_first_answers(one):
            continue
        for model, name in zip((one.debater_a, one.debater_b), _FIRST, strict=True):
            if model:
                right, gold = one.rows[name], one.rows["gold"]
                said = gold.where(right == 1, 1 - gold).where(right.notna())
                _keep_most(debating, model, one.rows, said)
    return alone | {m: rows for m, rows in debating.items() if m not in alone}


def _has_first_answers(condition: Condition) -> bool:
    rows = condition.rows
    return all(name in rows and rows[name].notna().any() for name in _FIRST)


def _keep_most(
    found: dict[str, pd.DataFrame], model: str, rows: pd.DataFrame, said: pd.Series
) -> None:
    if model not in found or len(rows) > len(found[model]):
        columns = [*_KEYS, "gold", "input_group", "subset", "response_author"]
        frame = rows[columns].assign(prediction=said)
        found[model] = frame.set_index(_KEYS)


def pair_rows(answers: Answers) -> pd.DataFrame:
    """What an oracle makes of the answers of two models, by author and task.

    Returns:
        A row for each pair of models `a` and `b`, a model with itself among them: by
        author of the responses each task, and `Average`, the unweighted mean over
        tasks; then all tasks and authors pooled, where these are several.
    """
    present = {
        cell
        for rows in answers.values()
        for cell in zip(rows["response_author"], rows["subset"], strict=True)
    }
    found: list[dict[str, Any]] = []
    pairs = list(combinations_with_replacement(answers, 2))
    for author, name in AUTHORS.items():
        subsets = [subset for subset in SUBSETS if (author, subset) in present]
        for a, b in pairs:
            of_tasks = []
            for subset in subsets:
                both = [
                    rows[
                        (rows["response_author"] == author) & (rows["subset"] == subset)
                    ]
                    for rows in (answers[a], answers[b])
                ]
                named = {_RESPONSES: name, "a": a, "b": b, "Task": SUBSETS[subset]}
                of_tasks.append(named | _gains(*both))
            found += of_tasks
            if len(of_tasks) > 1:
                found.append(_mean_gains(of_tasks))
    if len(present) > 1:
        for a, b in pairs:
            named = {_RESPONSES: _NOT_IN_PAPER, "a": a, "b": b, "Task": _POOLED}
            found.append(named | _gains(answers[a], answers[b]))
    return pd.DataFrame(found)


_NOT_IN_PAPER = "Pooled, which the paper does not do"


def _gains(one: pd.DataFrame, other: pd.DataFrame) -> dict[str, float]:
    """Eq. (4) of a pair on the samples that both answered.

    An answer that could not be read is wrong. The ensemble says what both say, and
    breaks ties at random; an unreadable answer says `no error` there.
    """
    both = one.index[one.index.isin(other.index)]
    if both.empty:
        return {"Samples": 0, **dict.fromkeys((*_COUNTS, *_MEANS), math.nan)}
    one, other = one.loc[both], other.loc[both]
    right = [(of["prediction"] == of["gold"]).astype(float) for of in (one, other)]
    gains = oracle_reduction(right[0], right[1], one["gold"])
    read = [of["prediction"].fillna(0.0) for of in (one, other)]
    ensemble = one.assign(prediction=(read[0] + read[1]) / 2)
    counts = (gains.better_errors, gains.observed, gains.expected, gains.corrected)
    scores = [expected(ensemble, score) for score in ("f1", "f2")]
    means = (gains.ratio, gains.corrected_ratio, *scores)
    values = map(float, (*counts, *means))
    return {"Samples": len(both), **dict(zip((*_COUNTS, *_MEANS), values, strict=True))}


def _mean_gains(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        **rows[0],
        "Task": _AVERAGE,
        "Samples": sum(row["Samples"] for row in rows),
        **dict.fromkeys(_COUNTS, math.nan),
        **{name: float(np.mean([row[name] for row in rows])) for name in _MEANS},
    }


def _oracle(data: Data) -> Iterator[Table]:
    """Eq. (4) and the ensemble's expectation for pairs that share a sample."""
    pairs = data.pairs
    if pairs.empty:
        return
    met = pairs.groupby([_RESPONSES, "a", "b"])["Samples"].transform("sum") > 0
    shown = pairs[met & (pairs["a"] != pairs["b"])]
    if shown.empty:
        return
    models = shown["a"].map(short) + " + " + shown["b"].map(short)
    columns = [_RESPONSES, "Models", "Task", "Samples", *_COUNTS, *_MEANS]
    yield Table(
        name="oracle",
        title="What an oracle could make of two models' own answers",
        frame=shown.assign(Models=models)[columns].reset_index(drop=True),
        groups=_RESPONSES,
        formats={
            **dict.fromkeys(_COUNTS[:2], COUNT),
            "Expected": NUMBER,
            "Observed less expected": Format(digits=2, signed=True),
            **dict.fromkeys(_MEANS, PERCENT),
            "Corrected share": POINTS,
        },
        note="Removed: errors of the better model on which the other is right (Eq. 4); "
        "expected: the same if both erred independently given the gold label. The "
        "ensemble breaks ties at random.",
    )


def _answered(of: Callable[[pd.DataFrame], object]) -> Callable[[pd.DataFrame], object]:
    """On the samples with both first answers and an outcome."""
    return lambda rows: of(rows.dropna(subset=[*_FIRST, "correct"]))


def _gap_closed(rows: pd.DataFrame) -> float:
    a, b = _FIRST
    return gap_closed(rows[a], rows[b], rows["correct"])


GAP: View[Data] = View(
    "gap",
    "From first answers to outcomes",
    lambda data: data.of(filter(_has_first_answers, data.conditions)),
    BY,
    [
        Measure("Samples", _answered(len)),
        Measure("First answer A", _answered(mean(_FIRST[0])), PERCENT),
        Measure("First answer B", _answered(mean(_FIRST[1])), PERCENT),
        Measure(
            "Oracle", _answered(lambda rows: rows[_FIRST].max(axis=1).mean()), PERCENT
        ),
        Measure("Outcome", _answered(mean("correct")), PERCENT),
        Measure("Gap closed", _answered(_gap_closed), PERCENT),
        *(Measure(words, rate(name), PERCENT) for name, words in _CHANGES.items()),
    ],
    heads=False,
    note="Accuracies in percent; the oracle is right where either first answer is, and "
    "gap closed is the outcome's gain over the better debater as a share of the "
    "oracle's. The last two columns are shares of the samples that both had wrong, or "
    "both right, and on which a verdict or an update followed.",
)

# The paper's figures from runs; in place of one without data, the runs it needs.

COMMAND = "inspect eval inspect_debate/colmad"
_PAIR = "--model-role debater_a=A --model-role debater_b=B"
_SINGLES = [f"{COMMAND} -T protocol=single --model-role debater_a={m}" for m in "AB"]
_SHOWN = ("precision", "recall", "f1")


def _needs(figure: str, what: str, commands: Sequence[str]) -> Notice:
    runs = listed(f"`{command}`" for command in commands)
    return Notice(f"{figure} {what}, on the same items:\n\n{runs}", "info")


def _oracle_figures(data: Data) -> Iterator[Figure | Notice]:
    """Figures 2, 7 and 8: Eq. (4) as a share of the better model's errors."""
    pairs = data.pairs
    if pairs.empty or not pairs.loc[pairs["a"] != pairs["b"], "Samples"].any():
        what = "answers of two models"
        yield _needs("Figures 2, 7 and 8 need", what, _SINGLES)
        return
    for author, name in AUTHORS.items():
        own = pairs[pairs[_RESPONSES] == name]
        tasks = {s: t for s, t in SUBSETS.items() if t in set(own["Task"])}
        average = _AVERAGE if len(tasks) > 1 else next(iter(tasks.values()), "")
        for figure, paper, task in [
            (f"figure_2_{author}", "Figure 2", average),
            *(
                (f"figures_7_8_{author}_{s}", "Figures 7 and 8", tasks[s])
                for s in tasks
            ),
        ]:
            where = "" if paper == "Figure 2" else f", {task.lower()}"
            title = f"The paper's {paper}: {_REMOVED}, responses of {name}{where}"
            yield from _matrix(figure, title, own[own["Task"] == task])
    title = f"{_REMOVED.capitalize()}, {_POOLED} (not in the paper)"
    yield from _matrix("figure_2_pooled", title, pairs[pairs["Task"] == _POOLED])


_REMOVED = "errors that an oracle would remove"


def _matrix(name: str, title: str, pairs: pd.DataFrame) -> Iterator[Figure]:
    if pairs.empty:
        return
    models = list(dict.fromkeys(pairs["a"]))
    matrix = pairs.pivot(index="a", columns="b", values=_MEANS[0]).astype(float)
    matrix = matrix.reindex(index=models, columns=models)
    matrix = matrix.fillna(matrix.T).rename(index=short, columns=short)
    yield Figure(
        name=name,
        title=title,
        figure=heatmap(
            matrix.rename_axis("Model").rename_axis("Other model", axis=1),
            label="share of the better model's errors (%)",
            limits=(0, 1),
        ),
        alt="Matrix of all pairs of models: share of the better model's errors on "
        "which the other model is right.",
        note="A dash: the better model makes no error, or no item is shared. Two "
        "models of opposite bias fill this matrix without knowing anything: compare "
        "with the corrected shares in the table.",
    )


def on_shared(rows: pd.DataFrame) -> tuple[dict[str, pd.DataFrame], str]:
    """Restrict conditions to the samples and epochs that all of them predict.

    Args:
        rows: Those of the most important condition first: one that shares no sample
            with all before it is left out. A sample of the same id but of other content
            is another one.

    Returns:
        The rows by condition, and what samples these are.
    """
    parts = zip(rows["id"], rows["epoch"], rows["gold"], clusters(rows), strict=True)
    keys = pd.Series(list(parts), rows.index, dtype=object)
    kept: list[str] = []
    shared: set[Hashable] = set()
    predicted = rows["prediction"].notna()
    for name, of in keys[predicted].groupby(rows["Condition"][predicted], sort=False):
        common = shared & {*of} if kept else {*of}
        if common:
            kept.append(str(name))
            shared = common
    out = [name for name in rows["Condition"].unique() if name not in kept]
    rows = rows[keys.map(shared.__contains__).astype(bool)]
    found = {name: rows[rows["Condition"] == name] for name in kept}
    left = f" (without {'; '.join(out)}, which shares none of them)" if out else ""
    words = f"On the {counted(len(shared), 'sample')} that all conditions predict{left}"
    return found, words


class _Part(NamedTuple):
    """What a figure is on: an author's responses, or all samples at once."""

    key: str
    words: str
    conditions: Mapping[str, pd.DataFrame]
    estimate: Callable[[pd.DataFrame, str], Estimate]
    note: str


def _figure_parts(rows: pd.DataFrame, *, pooled: bool = False) -> Iterator[_Part]:
    cells = 0
    for author, name in AUTHORS.items():
        conditions, note = on_shared(rows[rows["response_author"] == author])
        if conditions:
            cells += next(iter(conditions.values()))["subset"].nunique()
            words, note = f"responses of {name}", f"{note}, averaged over tasks."
            yield _Part(author, words, conditions, _over_tasks, note)
    if pooled and cells > 1:
        conditions, note = on_shared(rows)
        yield _Part("pooled", _POOLED, conditions, estimate, f"{note}, pooled.")


def _over_tasks(rows: pd.DataFrame, name: str) -> Estimate:
    return mean_estimate([of for _, of in rows.groupby("subset", sort=False)], name)


def _series(found: Mapping[str, Mapping[Any, Estimate]]) -> Series:
    """Estimates by name and place, as figures take them."""
    ends = (
        {
            name: {place: one[end] for place, one in of.items()}
            for name, of in found.items()
        }
        for end in range(3)
    )
    return Series(*(pd.DataFrame(end).sort_index() for end in ends))


def _protocol_figures(data: Data) -> Iterator[Figure | Notice]:
    """Figure 3: precision, recall and F1 by protocol, for each pair of models."""
    conditions = data.conditions
    debates = [c for c in conditions if c.rounds and c.rows["prediction"].notna().any()]
    ordered = sorted(main_debates(debates), key=lambda one: one.models)
    pairs = [list(of) for _, of in groupby(ordered, key=lambda one: one.models)]
    names = {c.name: c.name if c.protocol == "single" else c.title for c in conditions}
    for number, of_pair in enumerate(pairs, start=1):
        others = [
            one
            for one in conditions
            if one.protocol in ("single", "som")
            and [*_questions_beside(of_pair[0], one)]
        ]
        order = [one.name for one in (*others, *of_pair)]
        for part in _figure_parts(data.of([*of_pair, *others]), pooled=True):
            found = {
                names[name]: {
                    score: part.estimate(part.conditions[name], score)
                    for score in _SHOWN
                }
                for name in order
                if name in part.conditions
            }
            values = _series(found)
            yield Figure(
                name=f"figure_3_{number}_{part.key}",
                title=f"The paper's Figure 3, with {of_pair[0].models}, {part.words}"
                + (" (not in the paper)" if part.key == "pooled" else ""),
                figure=grouped_bars(
                    *(frame.loc[[*_SHOWN]].rename(str.title) for frame in values),
                    label="share (%)",
                    references={"Always error": _always_error(part)},
                    limits=(0, 1),
                ),
                alt="Bars of precision, recall and F1, one series per protocol: "
                f"{', '.join(found)}.",
                note=f"{part.note} Lines are 95 % intervals; the dashed line always "
                "says that there is an error.",
            )
    if not pairs:
        protocols = (f"{COMMAND} -T protocol={p} {_PAIR}" for p in ("som", *DEBATES))
        what = "single models and debates of them"
        yield _needs("Figure 3 needs", what, [*_SINGLES, *protocols])


def _always_error(part: _Part) -> dict[str, float]:
    items = next(iter(part.conditions.values())).drop_duplicates("id")
    cells = (
        [items] if part.key == "pooled" else [of for _, of in items.groupby("subset")]
    )
    blind = [of_baselines(of)["always_error"] for of in cells]
    return {
        name.title(): fmean(float(STATISTICS[name](of, "parsed")) for of in blind)
        for name in _SHOWN
    }


def _judge_figures(data: Data) -> Iterator[Figure | Notice]:
    """Figure 5a: F2 by judge and other debater, single models on the diagonal."""
    places: dict[tuple[str, str], Condition] = {}
    as_in_paper = sorted(data.conditions, key=lambda c: (not c.rounds, c.rounds != 2))
    for one in as_in_paper:
        if place := _place(one):
            places.setdefault(place, one)
    names = {one.name: place for place, one in places.items()}
    drawn = False
    for part in _figure_parts(data.of(places.values())):
        cells = {
            names[name]: part.estimate(rows, "f2").value
            for name, rows in part.conditions.items()
        }
        if all(debater == judge for debater, judge in cells):
            continue
        drawn = True
        models = sorted({model for place in cells for model in place})
        values = [[cells.get((a, b), math.nan) for b in models] for a in models]
        frame = pd.DataFrame(values, models, models).rename_axis("Other debater")
        yield Figure(
            name=f"figure_5a_{part.key}",
            title="The paper's Figure 5a: F2 of ColMAD by judge and other debater, "
            + part.words,
            figure=heatmap(
                frame.rename_axis("Judge and debater", axis=1),
                label="F2 (%)",
                diagonal="the model alone",
            ),
            alt="Matrix of F2: a column per judge, who debates as well, a row per "
            "other debater; models alone on the diagonal.",
            note=f"{part.note} Of several conditions of the same models the first one "
            "with the paper's two rounds is shown.",
        )
    if not drawn:
        what = "ColMAD with the judge among the debaters"
        yield _needs("Figure 5a needs", what, [f"{COMMAND} {_PAIR}", *_SINGLES])


def _place(condition: Condition) -> tuple[str, str] | None:
    """Row and column in the matrix of debaters and judges."""
    if condition.protocol == "single" and condition.debater_a:
        return short(condition.debater_a), short(condition.debater_a)
    judge, debaters = condition.judge, condition.debaters
    if condition.protocol != "colmad" or not condition.rounds or judge not in debaters:
        return None
    others = debaters - {judge}
    return (short(min(others)), short(judge)) if others else None


def _alignment_figure(data: Data) -> Figure | Notice:
    """Figure 5b: how often an error was found for the experts' reason."""
    graded = {
        str(name): rows
        for name, rows in data.rows.groupby("Condition", sort=False)
        if rows["aligned"].notna().any()
    }
    if not graded:
        run = f"{COMMAND} -T grade=explanation_alignment {_PAIR} --model-role grader=G"
        return _needs("Figure 5b needs", "graded explanations", [run])
    found = {name: {"Aligned": share(rows, "aligned")} for name, rows in graded.items()}
    sizes = "; ".join(f"{name} {_graded(rows)}" for name, rows in graded.items())
    return Figure(
        name="figure_5b",
        title="The paper's Figure 5b: errors found for the experts' reason",
        figure=grouped_bars(
            *_series(found), label="aligned explanations (%)", limits=(0, 1)
        ),
        alt="A bar per condition: share of found errors whose explanation agrees with "
        "the experts'.",
        note=f"Of the errors that were found and graded: {sizes}. The grader's prompt "
        "is ours, as the paper prints none: not comparable with the printed figure.",
    )


def _graded(rows: pd.DataFrame) -> str:
    unread = rows[[f"alignment_{status}" for status in _NOT_GRADED]].sum().sum()
    unexplained = rows["alignment_no_explanation"].sum()
    return (
        f"n = {rows['aligned'].count()}, and {unexplained:.0f} without a human "
        f"explanation, {unread:.0f} unreadable"
    )


def _rounds_figures(data: Data) -> Iterator[Figure | Notice]:
    """Figure 6: F1 and F2 over rounds of speeches, 0 being first answers alone."""
    lines = _by_rounds(data.conditions)
    drawn = False
    for part in _figure_parts(data.of(one for line in lines for one in line)):
        there = [[one for one in line if one.name in part.conditions] for line in lines]
        longer = [line for line in there if len({one.rounds for one in line}) > 1]
        for score in ("F1", "F2") if longer else ():
            drawn = True
            found = {
                line[-1].name: {
                    one.rounds: part.estimate(part.conditions[one.name], score.lower())
                    for one in line
                }
                for line in longer
            }
            yield Figure(
                name=f"figure_6_{score.lower()}_{part.key}",
                title=f"The paper's Figure 6: {score} over rounds, {part.words}",
                figure=lines_over(
                    *_series(found), label=f"{score} (%)", x_label="rounds of speeches"
                ),
                alt=f"{score} over the number of rounds, a line per debate: "
                f"{', '.join(found)}.",
                note=f"{part.note} With 0 rounds the judge sees the first answers "
                "only; lines are 95 % intervals.",
            )
    if not drawn:
        runs = [f"{COMMAND} -T rounds={n} {_PAIR}" for n in (0, 1, 2)]
        yield _needs("Figure 6 needs", "debates that differ in rounds alone", runs)


def _by_rounds(conditions: Sequence[Condition]) -> list[list[Condition]]:
    """The debates that differ in rounds alone, together."""

    def line(one: Condition) -> str:
        shape = {k: v for k, v in one.shape.items() if k != "rounds"}
        return repr((one.protocol, one.models, one.judge, sorted(shape.items())))

    debates = sorted((c for c in conditions if c.protocol in DEBATES), key=line)
    lines = [list(of) for _, of in groupby(debates, key=line)]
    return [of for of in lines if len({one.rounds for one in of}) > 1]


# What must be read first, and whether the runs can be trusted.


def parts(conditions: Sequence[Condition]) -> list[ConditionSamples]:
    """The conditions, as the sections and notices that all reports share have them."""
    return [
        ConditionSamples(
            named={MODELS: one.models, CONDITION: one.title},
            samples=_with_agreement(one.samples),
            unknown=int(one.rows["prediction"].isna().sum()),
            debaters=[model for model in one.people[:2] if model and one.is_debate],
            judges=(one.judge or "").split(", ") if one.is_debate else (),
        )
        for one in conditions
    ]


def _with_agreement(samples: pd.DataFrame) -> pd.DataFrame:
    """With `orders_agree`, where a judge was asked in both orders."""
    if "prediction_ab" not in samples:
        return samples
    ab, ba = samples["prediction_ab"], samples["prediction_ba"]
    both = (samples["verdicts"] > 0) & ab.notna() & ba.notna()
    agree = (ab == ba).astype(float).where(both, np.nan)
    return samples.assign(orders_agree=agree)


def _names(data: Data) -> dict[str, str]:
    return {one.label: one.name for one in data.conditions}


def _notices(data: Data) -> Iterator[Notice]:
    assert data.grouped is not None
    yield from study_notices(
        data.logs,
        data.grouped,
        _names(data),
        parts(data.conditions),
        data.calls,
        judging="This is also the case in the paper.",
    )
    yield from data_notices(data.conditions)
    yield from debated_notices(data.conditions)


def data_notices(conditions: Sequence[Condition]) -> Iterator[Notice]:
    """Conditions that are on a part of the released data, unlike the published rows."""
    found: dict[str, list[str]] = {}
    for author, whole in _ITEMS_OF.items():
        for one in conditions:
            samples = one.samples[one.samples["response_author"] == author]
            size = samples["id"].nunique()
            if 0 < size < whole and not one.samples["data"].eq("sample").any():
                of = f"{size} of {whole} items with responses of {AUTHORS[author]}"
                found.setdefault(of, []).append(one.name)
    if found:
        yield Notice(
            "These conditions are on a part of ReaLMistake: only tasks of which they "
            "have all items compare with the published rows.\n\n"
            + listed(f"{of}: {'; '.join(names)}" for of, names in found.items())
        )


def debated_notices(conditions: Sequence[Condition]) -> Iterator[Notice]:
    """On how many samples there was a debate."""
    debates = [one for one in conditions if one.rounds and len(one.rows)]
    if debates:
        yield Notice(
            "Share of samples that were debated; on the others the outcome is the "
            "answer that both debaters gave at first.\n\n"
            + listed(f"{c.rows['debated'].mean():.0%} {c.name}" for c in debates),
            "info",
        )


def _sanity(data: Data) -> Section:
    return sanity_section(parts(data.conditions), STAGES, data.calls)


def _provenance(data: Data) -> Section:
    assert data.grouped is not None
    return provenance_section(data.logs, runs_of(data.grouped, _names(data)))


# The report.


def _summary(data: Data) -> str:
    items = len({item for one in data.conditions for item in one.samples["id"]})
    return (
        f"{counted(len(data.conditions), 'condition')} on {counted(items, 'item')}, "
        f"from {counted(len(data.logs), 'log')}. A condition is a protocol with its "
        "models and parameters. A protocol's name alone means the published "
        "parameters: two rounds of speeches, both debaters speaking at once, answer 1 "
        "shown first; ColMAD with skip on agreement (an answer on which both debaters "
        "agree is returned without a debate), CopMAD without it. Other parameters, "
        "settings, prompts and seeds follow the name. The first debater's model "
        "judges, unless a judge is named."
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
_NO_COMPARISON = (
    "None of the conditions is a debate for which there is another condition of the "
    "same models to compare it with."
)
_NO_OPENINGS = (
    "What the speeches add to the first answers is not known for the debates below. It "
    "takes the command of each run under Provenance, again with `-T rounds=0 "
    "-T reuse=LOG -T reuse_until=answers`, where LOG is the log of that run:"
)
_NO_HACKING = (
    "No speech was graded. What is needed, for ColMAD and CopMAD:\n\n"
    f"- `{COMMAND} -T grade=debate_hacking --model-role grader=G ...`"
)

REPORT: StudyReport[Data] = StudyReport(
    study="colmad",
    title="ColMAD: error detection by debate",
    source="Towards Scalable Oversight with Collaborative Multi-Agent Debate in Error "
    "Detection (arXiv 2510.20963), on ReaLMistake (arXiv 2404.03602)",
    read=read,
    summary=_summary,
    notices=_notices,
    parts=[
        Declared("The items", [ITEMS, ITEM_CATEGORIES]),
        Declared("Tables 1 and 2", [*_sections("gpt4"), *_sections("llama2")], _TABLES),
        Declared("Metrics", [ERRORS, BOTH_LABELS, DEBATED], _METRICS),
        Declared("Cost", [COST]),
        Declared("Paired comparisons", [_comparisons], _comparisons_text),
        Declared(
            "Oracle collaboration",
            [_oracle, GAP],
            otherwise="This needs the own answers of two models: runs of "
            "`protocol=single`, or debates.",
        ),
        Declared(
            "Figures",
            [
                *(_oracle_figures, _protocol_figures, _judge_figures),
                *(_alignment_figure, _rounds_figures),
            ],
        ),
        Declared(
            "Categories of error",
            [_categories],
            otherwise="No item has a category of error in its metadata.",
        ),
        Declared("Debate hacking", [HACKING], otherwise=_NO_HACKING),
        _sanity,
        _provenance,
    ],
    main=(
        Main(
            *("comparisons_f", "F1", "Samples"),
            "{Compared} ({Models}): F1 differs by {value}.",
            POINTS,
            " points",
            where=("Compared", "ColMAD"),
        ),
        Main(
            *("errors", "F1", "Samples"),
            "{Protocol} ({Models}): F1 in finding errors is {value}.",
            PERCENT,
            " %",
            where=("Protocol", "ColMAD"),
        ),
    ),
    figure=("figure_3_1_gpt4", "figure_3_1_llama2"),
)
