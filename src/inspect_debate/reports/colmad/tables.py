"""The tables of the ColMAD report; Tables 1, 2 and 4 beside the printed values."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.detection import STATISTICS, Convention, Counts
from inspect_debate.published.printed import Pair, PublishedRow, colmad_tables
from inspect_debate.reports.colmad.frames import (
    AUTHORS,
    DEBATES,
    NOT_GRADED,
    PROTOCOLS,
    SUBSETS,
    Arm,
)
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    Cell,
    Column,
    Format,
    Notice,
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
from inspect_debate.reports.samples import Held
from inspect_debate.reports.sanity import STATUSES

BASELINES = {
    "always_error": "Always error",
    "always_no_error": "Always no error",
    "base_rate": "Base rate",
}
"""Detectors that do not look, as readers see them."""

CELL_STATISTICS = {
    "f1": "F1",
    "f2": "F2",
    "precision": "Precision",
    "recall": "Recall",
    "accuracy": "Accuracy",
    "predicted_error_rate": "Predicted errors",
}
"""What ReaLMistake's and ColMAD's authors publish of cells, or what they imply."""

CONVENTIONS: Mapping[Convention, str] = {
    "parsed": "left out",
    "realmistake": "as ReaLMistake's authors",
}
"""What becomes of items without a readable prediction, for the rows of tables."""

CONVENTIONS_NOTE = (
    "Unreadable, left out: an item without a prediction (unreadable, refused, cut off, "
    "tied) is in no score; 95 % intervals take epochs of an item, and items on one "
    "input, as one observation; a coin counts half for either answer. As ReaLMistake's "
    "authors, to be held against published values: such an item says that there is no "
    "error, in accuracy it is wrong, a ratio over no items is 0, and where a coin "
    "decides it is the exact expectation."
)

_SCORES = ("F1", "F2")
_MEAN = "Average"
_ITEM = ["id", "subset", "response_author", "input_group", "gold"]
_AS_PRINTED = Format(digits=2, scale=100)
_FLAGGED = {
    "averages_swapped": _MEAN,
    "rounded_twice": SUBSETS["math"],
    "fact_with_85_errors": SUBSETS["fact"],
}
"""Flags that are about some columns and not the whole row."""
_NUMBERS = {"gpt4": 1, "llama2": 2}
_ITEMS = {"gpt4": 3 * 140, "llama2": 3 * 160}
"""Items of the released data by author of the responses, over the three tasks."""
_SAMPLE = "the sample set shipped with the suite, not on ReaLMistake"

Row = dict[tuple[str, str], object]


def data_notices(arms: Sequence[Arm]) -> Iterator[Notice]:
    """Arms that are not on all of the released data, as the published rows are."""
    parts = [
        f"- {size} of {_ITEMS[author]} items with responses of {AUTHORS[author]}: "
        + "; ".join(names)
        for author in AUTHORS
        for size, names in _parts(arms, author).items()
    ]
    if parts:
        yield Notice(
            "These arms are on a part of ReaLMistake: only tasks of which they have "
            "all items compare with the published rows.\n\n" + "\n".join(parts)
        )


def _on_sample(arm: Arm) -> bool:
    return bool(arm.samples["data"].eq("sample").any())


def _parts(arms: Sequence[Arm], author: str) -> dict[int, list[str]]:
    """Arms with some, not all items of the released data, by their number of items."""
    found: dict[int, list[str]] = {}
    for arm in arms:
        of_author = arm.samples["response_author"] == author
        size = arm.samples.loc[of_author, "id"].nunique()
        if 0 < size < _ITEMS[author] and not _on_sample(arm):
            found.setdefault(size, []).append(arm.name)
    return found


def _data_note(arms: Sequence[Arm], author: str) -> str:
    """Which rows do not compare with the published ones, for the note of a table."""
    made_up = [arm.title for arm in arms if _on_sample(arm)]
    which = "The runs reported here" if len(made_up) == len(arms) else "Some runs"
    sentences = [f"{which} are on {_SAMPLE}: they do not compare."] if made_up else []
    if parts := _parts(arms, author):
        sizes = " or ".join(map(str, parts))
        sentences.append(
            f"Runs on {sizes} of {_ITEMS[author]} items compare only in tasks of which "
            "they have all items."
        )
    return "".join(f"{sentence} " for sentence in sentences)


def paper_table(author: str, arms: Sequence[Arm]) -> Table | None:
    """Table 1 (responses of `gpt4`) or 2 (`llama2`) in the paper's layout.

    Our rows are in the convention of ReaLMistake's authors, as the published ones;
    coins count by their exact expectation. The published rows follow, with what is
    known to be wrong with them as footnotes.

    Returns:
        The table; None where no arm has samples of that author's responses.
    """
    ours = [arm for arm in arms if len(arm.of_author(author))]
    if not ours:
        return None
    published = colmad_tables()
    printed = published.rows(author)
    rows = [
        *(_our_row(arm, author) for arm in ours),
        *_baseline_rows(gold_items(ours, author)),
        *map(_printed_row, printed),
    ]
    number = _NUMBERS[author]
    return Table(
        name=f"table_{number}",
        title=f"The paper's Table {number}: responses of {AUTHORS[author]}",
        frame=_frame(rows),
        groups=("Source", ""),
        formats=dict.fromkeys(_score_columns(), _AS_PRINTED),
        marks={
            place: " ".join(published.flags[flag] for flag in flags)
            for n, row in enumerate(printed, start=len(rows) - len(printed))
            for place, flags in _flagged(n, row)
        },
        note=f"{_data_note(ours, author)}"
        f"Percent; published values from {published.source}. As ReaLMistake's "
        "authors count: an answer that could not be read says that there is no error. "
        "Average: unweighted, over the three tasks. Where a coin decides, the exact "
        "expectation. An ensemble with one unreadable answer has no prediction, and so "
        "says no error here. In published rows the first model of a pair is the judge, "
        "too.",
    )


def cells_table(author: str, arms: Sequence[Arm]) -> Table | None:
    """Every cell in six statistics and both conventions on unreadable answers.

    Returns:
        The table; None where no arm has samples of that author's responses.
    """
    ours = [arm for arm in arms if len(arm.of_author(author))]
    if not ours:
        return None
    return Table(
        name=f"table_{_NUMBERS[author]}_cells",
        title=f"Responses of {AUTHORS[author]}, every cell in both conventions",
        frame=pd.DataFrame(
            [
                _cell_row(name, arm, author, convention)
                for name in CELL_STATISTICS
                for arm in ours
                for convention in CONVENTIONS
            ]
        ),
        groups="Score",
        formats=dict.fromkeys([*SUBSETS.values(), _MEAN, "No prediction"], PERCENT),
        note=f"Percent. {CONVENTIONS_NOTE} Average: unweighted, over the three tasks. "
        "The last column is the share of items without a prediction.",
    )


def gold_items(arms: Sequence[Arm], author: str | None = None) -> pd.DataFrame:
    """Each item of any arm once, with gold labels and no prediction."""
    parts = [a.answers if author is None else a.of_author(author) for a in arms]
    items = pd.concat([p[_ITEM] for p in parts])
    return items.drop_duplicates("id").assign(prediction=np.nan)


def _frame(rows: Sequence[Row]) -> pd.DataFrame:
    columns = list(dict.fromkeys(chain.from_iterable(rows)))
    frame = pd.DataFrame(rows, columns=pd.Index(columns, tupleize_cols=False))
    frame.columns = pd.MultiIndex.from_tuples(columns)
    return frame


def _score_columns() -> list[tuple[str, str]]:
    return [(task, s) for task in (*SUBSETS.values(), _MEAN) for s in _SCORES]


def _named(source: str, protocol: str, models: str) -> Row:
    return {
        ("Source", ""): source,
        ("Protocol", ""): protocol,
        ("Models", ""): models,
    }


def _our_row(arm: Arm, author: str) -> Row:
    rows = arm.of_author(author)
    cells = {
        subset: [expected(rows[rows["subset"] == subset], s.lower()) for s in _SCORES]
        for subset in SUBSETS
        if (rows["subset"] == subset).any()
    }
    return _named("Runs reported here", arm.title, arm.models) | _scores(cells)


def _baseline_rows(items: pd.DataFrame) -> Iterator[Row]:
    of_cells = {
        subset: of_baselines(items[items["subset"] == subset])
        for subset in SUBSETS
        if (items["subset"] == subset).any()
    }
    for key, name in BASELINES.items():
        cells = {
            subset: [_published_convention(counts[key], s) for s in _SCORES]
            for subset, counts in of_cells.items()
        }
        yield _named("Without looking at the items", name, "none") | _scores(cells)


def _published_convention(counts: Counts, score: str) -> float:
    return float(STATISTICS[score.lower()](counts, "realmistake"))


def _scores(cells: dict[str, list[float]]) -> Row:
    missing = [float("nan")] * len(_SCORES)
    of_tasks = [cells.get(subset, missing) for subset in SUBSETS]
    averages = [float(np.mean(values)) for values in zip(*of_tasks, strict=True)]
    values = chain.from_iterable([*of_tasks, averages])
    return dict(zip(_score_columns(), values, strict=True))


def _printed_row(row: PublishedRow) -> Row:
    models = " + ".join(filter(None, (row.debater_a, row.debater_b)))
    protocol = PROTOCOLS.get(row.protocol, "Experts")
    pairs: list[Pair] = [row.math, row.fact, row.answerability, row.mean]
    values = [value / 100 for pair in pairs for value in pair]
    return _named("As printed in the paper", protocol, models) | dict(
        zip(_score_columns(), values, strict=True)
    )


def _flagged(number: int, row: PublishedRow) -> Iterator[tuple[Cell, list[str]]]:
    """The places of a row that something is wrong with, and what."""
    of_row = [flag for flag in row.flags if flag not in _FLAGGED]
    if of_row:
        yield Cell(number), of_row
    for flag in row.flags:
        for score in _SCORES if flag in _FLAGGED else ():
            yield Cell(number, (_FLAGGED[flag], score)), [flag]


def _cell_row(
    name: str, arm: Arm, author: str, convention: Convention
) -> dict[str, object]:
    rows = arm.of_author(author)
    cells = {task: rows[rows["subset"] == s] for s, task in SUBSETS.items()}
    row: dict[str, object] = {
        "Score": CELL_STATISTICS[name],
        "Protocol": arm.title,
        "Models": arm.models,
        "Unreadable": CONVENTIONS[convention],
    }
    found = {
        task: by_convention(cell, name, convention) for task, cell in cells.items()
    }
    for task, estimated in found.items():
        row |= estimated.columns(task)
    mean = (
        mean_estimate(list(cells.values()), name)
        if convention == "parsed"
        else without_interval(fmean(one.value for one in found.values()))
    )
    missing = float(rows["prediction"].isna().mean())
    return (
        row
        | mean.columns(_MEAN)
        | {"No prediction": missing, "Items": rows["id"].nunique()}
    )


def by_convention(frame: pd.DataFrame, name: str, convention: Convention) -> Estimate:
    """A statistic with its interval, or as ReaLMistake's authors compute it.

    Theirs has no interval, is NaN without rows and for what they do not publish, and is
    the exact expectation where coins decide.
    """
    if convention == "parsed":
        return estimate(frame, name)
    has = len(frame) and name in CELL_STATISTICS
    return without_interval(expected(frame, name) if has else float("nan"))


def without_interval(value: float) -> Estimate:
    """A value alone."""
    return Estimate(value, float("nan"), float("nan"))


# What the detectors find and what they cost, by protocol and models.

_WORDS = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "f2": "F2",
    "predicted_error_rate": "Predicted errors",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "mcc": "MCC",
}
_OF_ERRORS = ("precision", "recall", "f1", "f2", "predicted_error_rate")
_OF_BOTH = ("accuracy", "balanced_accuracy", "mcc")
_IF_DEBATED = ("precision", "recall", "f1", "f2", "accuracy")
_UNGRADED = {f"hacking_{status}": STATUSES[status] for status in NOT_GRADED}
HACKING = {
    "fake_evidence": "Fake evidence",
    "overconfident": "Overconfident",
    "fallacious": "Fallacious",
    "hacked": "Any of them",
}


def quality_tables(arms: Sequence[Arm]) -> list[Table]:
    """Every statistic of every arm and trivial baseline, by author of the responses."""
    return [
        _quality("errors", "Errors found", arms, _OF_ERRORS, "Percent. "),
        _quality(
            "both_labels",
            "Both labels taken together",
            arms,
            _OF_BOTH,
            "Percent; MCC, the correlation with the gold label, from -1 to 1. ",
        ),
    ]


def _quality(
    name: str, title: str, arms: Sequence[Arm], names: Sequence[str], unit: str
) -> Table:
    rows = [
        row
        for responses, authors in _authors(arms)
        for row in _quality_rows(responses, authors, arms, names)
    ]
    return Table(
        name=name,
        title=title,
        frame=pd.DataFrame(rows),
        groups="Responses of",
        formats=_formats(names),
        note=unit + CONVENTIONS_NOTE,
    )


def _formats(names: Sequence[str]) -> dict[Column, Format]:
    formats: dict[Column, Format] = {"No prediction": PERCENT}
    for name in names:
        formats[_WORDS[name]] = NUMBER if name == "mcc" else PERCENT
    return formats


def _authors(arms: Sequence[Arm]) -> list[tuple[str, list[str]]]:
    """Authors of responses, and all of them where arms are about several."""
    present = [a for a in AUTHORS if any(len(arm.of_author(a)) for arm in arms)]
    parts = [(AUTHORS[author], [author]) for author in present]
    both = " and ".join(name for name, _ in parts)
    return [*parts, (both, present)] if len(present) > 1 else parts


def _quality_rows(
    responses: str, authors: Sequence[str], arms: Sequence[Arm], names: Sequence[str]
) -> Iterator[dict[str, Any]]:
    for arm in arms:
        rows = arm.answers[arm.answers["response_author"].isin(authors)]
        if set(rows["response_author"]) == set(authors):
            for row in _detected(arm, rows, names):
                yield {"Responses of": responses} | row
    items = gold_items(arms)
    items = items[items["response_author"].isin(authors)]
    for row in _blind_rows(items, names):
        yield {"Responses of": responses} | row


def _detected(
    arm: Arm, rows: pd.DataFrame, names: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """A row per convention; those counted are in `Samples`."""
    predicted = rows["prediction"].notna()
    for convention, words in CONVENTIONS.items():
        counted = int(predicted.sum()) if convention == "parsed" else len(rows)
        row = _named_arm(arm, counted) | {
            "Unreadable": words,
            "No prediction": float(1 - predicted.mean()),
        }
        for name in names:
            row |= by_convention(rows, name, convention).columns(_WORDS[name])
        yield row


def _blind_rows(items: pd.DataFrame, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for key, counts in of_baselines(items).items():
        yield {
            "Protocol": BASELINES[key],
            "Models": "none",
            "Samples": len(items),
            "Unreadable": "none",
            "No prediction": 0.0,
            **{_WORDS[n]: float(STATISTICS[n](counts, "parsed")) for n in names},
        }


def debated_table(arms: Sequence[Arm]) -> Table | None:
    """Metrics over the samples that went to a debate; None where no arm skips any."""
    rows = []
    for arm in arms:
        debated = arm.rows[arm.rows["debated"] == 1]
        skips = arm.protocol in DEBATES and arm.parameters.get("skip_if_agree")
        if skips and arm.rounds and len(debated):
            of_arm = _detected(arm, debated, _IF_DEBATED)
            blind = _blind_rows(debated.drop_duplicates("id"), _IF_DEBATED)
            rows += [{"Debated items of": arm.name} | r for r in (*of_arm, *blind)]
    if not rows:
        return None
    return Table(
        name="debated",
        title="Debated items only",
        frame=pd.DataFrame(rows),
        groups="Debated items of",
        formats=_formats(_IF_DEBATED),
        note="Percent. Of arms that skip items on which both debaters agree, and "
        "detectors that do not look, on the same items. Which these are depends on "
        f"the first answers, so they differ from arm to arm. {CONVENTIONS_NOTE}",
    )


def _named_arm(arm: Arm, samples: int) -> dict[str, Any]:
    return {"Protocol": arm.title, "Models": arm.models, "Samples": samples}


def cost_table(arms: Sequence[Arm], prices: Mapping[str, float]) -> Table:
    """Calls, tokens and cost per item, and the shares that explain them.

    Args:
        arms: The arms.
        prices: Cost in US dollars by arm name, where it is known.
    """
    rows = []
    for arm in arms:
        samples, debated = arm.rows, arm.rows[arm.rows["debated"] == 1]
        rows.append(
            _named_arm(arm, len(samples))
            | {
                "No prediction": samples["prediction"].isna().mean(),
                "Debated": samples["debated"].mean(),
                "Calls": samples["calls"].mean(),
                "Calls if debated": debated["calls"].mean(),
                "Tokens": samples["tokens"].mean(),
                "Tokens if debated": debated["tokens"].mean(),
                "Calls reused": samples["reused_calls"].mean(),
                "Tokens reused": samples["reused_tokens"].mean(),
                "Cost in USD": prices.get(arm.name, float("nan")),
            }
        )
    return Table(
        name="cost",
        title="What it costs",
        frame=pd.DataFrame(rows),
        formats={
            "No prediction": PERCENT,
            "Debated": PERCENT,
            "Calls": NUMBER,
            "Calls if debated": NUMBER,
            "Tokens": COUNT,
            "Tokens if debated": COUNT,
            "Calls reused": NUMBER,
            "Tokens reused": COUNT,
            "Cost in USD": Format(digits=4),
        },
        note="Means per sample; shares in percent. Calls and tokens that an earlier "
        "run paid for are not in them, but under reused. Cost per sample "
        "is that of the run, without grading; it is known for models with prices only.",
    )


def category_table(arms: Sequence[Arm]) -> Table | None:
    """Recall by the categories that experts gave the errors; None without any."""
    errors = {arm.name: _by_category(arm.rows) for arm in arms}
    sizes: dict[str, int] = {}
    for parts in errors.values():
        for category, part in parts.items():
            sizes[category] = max(sizes.get(category, 0), part["id"].nunique())
    if set(sizes) <= {_UNCATEGORISED}:
        return None
    rows = []
    for arm in arms:
        found = arm.rows[arm.rows["gold"] == 1]["prediction"].notna()
        for convention, words in CONVENTIONS.items():
            counted = int(found.sum()) if convention == "parsed" else len(found)
            row: dict[str, Any] = {"Protocol": arm.title, "Models": arm.models}
            row |= {"Errors": counted, "Unreadable": words}
            for category in sizes:
                part = errors[arm.name].get(category, arm.rows.iloc[:0])
                row |= by_convention(part, "recall", convention).columns(category)
            rows.append(row)
    of_sizes = ", ".join(f"{category} {size}" for category, size in sizes.items())
    return Table(
        name="categories",
        title="Recall by category of error",
        frame=pd.DataFrame(rows),
        formats=dict.fromkeys(sizes, PERCENT),
        note=f"Percent. Errors: those counted, of all epochs. Items by category: "
        f"{of_sizes}. An error of several categories counts in each. "
        f"{CONVENTIONS_NOTE}",
    )


_UNCATEGORISED = "no category"


def _by_category(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    errors = rows[rows["gold"] == 1]
    names = errors["categories"].fillna("").replace("", _UNCATEGORISED)
    exploded = errors.assign(category=names.str.split("; ")).explode("category")
    return {str(name): part for name, part in exploded.groupby("category")}


def hacking_table(arms: Sequence[Arm]) -> Table | None:
    """Shares of graded speeches that try to win by foul means; None if ungraded."""
    rows = []
    for arm in arms:
        if "graded_speeches" not in arm.rows:
            continue
        counted = arm.rows.assign(  # older logs count fewer reasons
            **{key: 0.0 for key in _UNGRADED if key not in arm.rows}
        )
        asked = counted[["graded_speeches", *_UNGRADED]].sum(axis=1)
        if not asked.sum():
            continue
        row = _named_arm(arm, len(arm.rows))
        row["Graded speeches"] = arm.rows["graded_speeches"].sum()
        for key, words in _UNGRADED.items():
            row[words] = ratio(counted, key, asked).value
        for key, words in HACKING.items():
            row |= ratio(arm.rows, key, "graded_speeches").columns(words)
        rows.append(row)
    if not rows:
        return None
    shares = [*_UNGRADED.values(), *HACKING.values()]
    return Table(
        name="hacking",
        title="Debate hacking, as a grader labels speeches",
        frame=pd.DataFrame(rows),
        formats={"Graded speeches": COUNT, **dict.fromkeys(shares, PERCENT)},
        note="Labels: percent of the graded speeches, those whose labels could be "
        "read, with 95 % intervals clustered by input. Unreadable, refused and cut "
        "off: percent of all speeches that the grader was given; what is left may be "
        "no fair sample. The labels are a model's and were not checked by people.",
    )


# What the items of runs are: the paper's Table 4.


class Item(NamedTuple):
    """An item of the data: no text, but how many words its texts have."""

    id: str
    fingerprint: str
    author: str
    subset: str
    error: bool
    categories: tuple[str, ...]
    words_in: float
    words_out: float


def item_of(held: Held) -> Item:
    """The item of a sample; NaN words where its input is no task with a response."""
    sample, metadata = held.sample, held.sample.metadata or {}
    texts = [] if isinstance(sample.input, str) else [m.text for m in sample.input]
    words = [float(len(text.split())) for text in texts]
    words_in, words_out = words if len(words) == 2 else [float("nan")] * 2
    return Item(
        id=str(sample.id),
        fingerprint=str(metadata.get("fingerprint")),
        author=str(metadata.get("response_author")),
        subset=str(metadata.get("subset")),
        error=sample.target == "error",
        categories=tuple(map(str, metadata.get("categories") or ())),
        words_in=words_in,
        words_out=words_out,
    )


def item_tables(items: Sequence[Item]) -> list[Table]:
    """Table 4: sizes, labels, words and categories by task and author; [] without any.

    Args:
        items: Of all samples; one that several runs have counts once.
    """
    cells = list(_cells(dict.fromkeys(items)))
    if not cells:
        return []
    sizes = Table(
        name="table_4",
        title="The paper's Table 4: the items of these runs",
        frame=pd.DataFrame([named | _sizes(members) for named, members in cells]),
        groups="Responses of",
        formats={"Errors, share": PERCENT, "Words in": NUMBER, "Words out": NUMBER},
        note="Words: of the task and of the response, separated by white space, on "
        "average over all items of the row. Each item counts once, however many runs "
        "and epochs have it.",
    )
    rows = [row for named, members in cells for row in _categories(named, members)]
    if not rows:
        return [sizes]
    categories = Table(
        name="table_4_categories",
        title="The paper's Table 4: categories of error in the items of these runs",
        frame=pd.DataFrame(rows),
        groups="Responses of",
        formats={"Share of items": PERCENT, "Share of errors": PERCENT},
        note="An item of several categories counts in each. In ReaLMistake one item "
        "without an error has a category; it is not in the share of errors.",
    )
    return [sizes, categories]


def _cells(items: dict[Item, None]) -> Iterator[tuple[dict[str, Any], list[Item]]]:
    for author, responses in AUTHORS.items():
        for subset, task in SUBSETS.items():
            cell = [i for i in items if (i.author, i.subset) == (author, subset)]
            if cell:
                yield {"Responses of": responses, "Task": task}, cell


def _sizes(items: Sequence[Item]) -> dict[str, Any]:
    frame = pd.DataFrame(items)
    return {
        "Items": len(frame),
        "Errors": int(frame["error"].sum()),
        "Errors, share": frame["error"].mean(),
        "Words in": frame["words_in"].mean(skipna=False),
        "Words out": frame["words_out"].mean(skipna=False),
    }


def _categories(
    named: dict[str, Any], items: Sequence[Item]
) -> Iterator[dict[str, Any]]:
    errors = [item for item in items if item.error]
    for category in sorted({name for item in items for name in item.categories}):
        having = [item for item in items if category in item.categories]
        of_errors = sum(item.error for item in having)
        yield named | {
            "Category": category,
            "Items": len(having),
            "Share of items": len(having) / len(items),
            "Share of errors": of_errors / len(errors) if errors else float("nan"),
        }
