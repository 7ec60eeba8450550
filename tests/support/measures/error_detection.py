"""Detection of errors: statistics over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `error_detection`, score by score.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric
from numpy.typing import NDArray

from inspect_debate.metrics.detection import (
    BOUNDS,
    STATISTICS,
    Convention,
    Counts,
    Statistic,
    baselines,
    cluster_counts,
    count,
    expected_statistic,
)
from inspect_debate.metrics.intervals import cluster_interval
from inspect_debate.scorers.common import NAN, Metrics, clusters, column, keys

# Precision, recall, F1, F2 and what they must be held against, over scores.
#
# The values come from `error_detection`; every metric reads unreduced scores, so that
# epochs count as they are and the intervals know which belong together.

NO_PREDICTION = ("tied", "unparsed", "refused", "truncated", "capped", "missing")
"""Why a debate may end without a prediction."""

# The paper's own measures first.
_ALL = ("f1", "f2", *(name for name in STATISTICS if name not in ("f1", "f2")))
_OF_BASELINES = ("f1", "f2", "accuracy", "balanced_accuracy")


@metric(scores="unreduced")
def detection() -> Metric:
    """Over all items: each statistic with its 95 % interval, clustered by item.

    Only items with a prediction count; `no_prediction_rate` is the share of the others,
    and the rates after it say why they have none. Where a coin decides, half an item is
    predicted as either, and a statistic is the one at expected counts. Samples that a
    limit or an error stopped are in none of these numbers (Inspect counts them as
    unscored). Not comparable with published numbers: those are under `realmistake`.
    """

    def over_all(scores: list[SampleScore]) -> Value:
        return with_intervals(scores, _ALL) | {
            "items": float(len(scores)),
            "no_prediction_rate": _mean(np.isnan(column(scores, "prediction"))),
            **{
                f"{status}_rate": _mean(column(scores, f"outcome_{status}"))
                for status in NO_PREDICTION
            },
            "debated_share": _mean(column(scores, "debated")),
            "judged_share": _mean((column(scores, "verdicts") > 0).astype(float)),
        }

    return over_all


@metric(scores="unreduced")
def debated() -> Metric:
    """The main statistics over the items that were debated, with intervals.

    Where other items were judged than were debated (`rounds=0`: judged on the first
    answers alone), over those, too.
    """

    def over_debated(scores: list[SampleScore]) -> Value:
        held = [s for s, d in zip(scores, column(scores, "debated"), strict=True) if d]
        found = with_intervals(held, suffix="_debated")
        found["items_debated"] = float(len(held))
        verdicts = column(scores, "verdicts")
        judged = [s for s, asked in zip(scores, verdicts, strict=True) if asked]
        if len(judged) != len(held):
            found |= with_intervals(judged, suffix="_judged")
            found["items_judged"] = float(len(judged))
        return found

    return over_debated


@metric(scores="unreduced")
def by_cell() -> Metric:
    """By subset and author of the response, and the unweighted mean over subsets.

    Only items with a prediction count: `realmistake` has the same cells as ReaLMistake
    and ColMAD publish them.
    """

    def over_cells(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        by_name = cells(scores)
        for (subset, author), members in by_name.items():
            cell = f"_{author}_{subset}"
            found |= with_intervals(members, suffix=cell)
            found[f"items{cell}"] = float(len(members))
        for name in MAIN_STATISTICS:
            of_cells = {
                (subset, author): found[f"{name}_{author}_{subset}"]
                for subset, author in by_name
            }
            found |= author_means(of_cells, name)
        return found

    return over_cells


@metric(scores="unreduced")
def realmistake() -> Metric:
    """In the convention of ReaLMistake's authors, for comparison with published ones.

    What could not be read counts as a prediction of no error in precision, recall and
    F, and as wrong in accuracy; a ratio without a denominator is 0. Over all items, by
    subset and author of the response, and as the unweighted mean over an author's
    subsets, which is what ColMAD's tables call Avg. Where coins decide, the exact
    expectation.
    """

    def published_convention(scores: list[SampleScore]) -> Value:
        by_name = cells(scores)
        found: dict[str, float] = {}
        for name in PUBLISHED_STATISTICS:
            statistic, key = STATISTICS[name], f"{name}_realmistake"
            found[key] = expected(scores, statistic, "realmistake")
            of_cells = {
                cell: expected(members, statistic, "realmistake")
                for cell, members in by_name.items()
            }
            found |= {
                f"{key}_{author}_{subset}": value
                for (subset, author), value in of_cells.items()
            }
            found |= author_means(of_cells, key)
        return dict(found)

    return published_convention


@metric(scores="unreduced")
def trivial_baselines() -> Metric:
    """Detectors that do not look at the item, on the same items."""

    def on_the_same_items(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        for baseline, counts in baselines(totals(scores)).items():
            found |= named(baseline, counts, names=_OF_BASELINES)
        return dict(found)

    return on_the_same_items


@metric(scores="unreduced")
def by_judge_and_order() -> Metric:
    """Each judge's and each order's own statistics, where there are several.

    Where coins decide between answers that differ, those of the tosses that were made
    (`_drawn`), whose luck the other metrics leave out.
    """

    def over_verdicts(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        for key in keys(scores, "prediction_"):
            found |= named(key.removeprefix("prediction_"), totals(scores, key))
        if "prediction_ab" in keys(scores):
            found["order_agreement"] = _order_agreement(scores)
        return found

    return over_verdicts


def _order_agreement(scores: list[SampleScore]) -> float:
    """Share of judged items on which both orders led to the same prediction."""
    judged = column(scores, "verdicts") > 0
    ab, ba = column(scores, "prediction_ab"), column(scores, "prediction_ba")
    both = judged & ~np.isnan(ab) & ~np.isnan(ba)
    return _mean((ab == ba)[both].astype(float))


def _mean(values: NDArray[np.float64]) -> float:
    return float(np.mean(values)) if len(values) else NAN


# Which kinds of error are found? Recall by the categories that experts gave.

UNCATEGORISED = "none"
"""Where errors are counted that have no category."""


@metric(scores="unreduced")
def recall_by_category() -> Metric:
    """Recall on the gold errors of each category, with intervals, and their numbers.

    Categories come from the sample's metadata `categories`. An error of several counts
    in each, so the numbers add up to more than the errors; one of none counts under
    `none`. Items without an error are in none of this, whatever categories they have.
    `items_category_*` counts every error; those without a prediction are left out of
    the recall.
    """

    def over_categories(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        for name, members in _by_category(scores).items():
            suffix = f"_category_{name}"
            found |= with_intervals(members, ("recall",), suffix)
            found[f"items{suffix}"] = float(len(members))
        return found

    return over_categories


def category_slug(name: str) -> str:
    """A category's name as part of a metric's: lower case, words joined by `_`."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_") or UNCATEGORISED


def _by_category(scores: list[SampleScore]) -> dict[str, list[SampleScore]]:
    found: dict[str, list[SampleScore]] = {}
    for score, gold in zip(scores, column(scores, "gold"), strict=True):
        if gold != 1:
            continue
        names = (score.sample_metadata or {}).get("categories") or [UNCATEGORISED]
        for name in {category_slug(str(name)) for name in names}:
            found.setdefault(name, []).append(score)
    return dict(sorted(found.items()))


# What to expect where coins decide, whatever they happened to show.


@metric(scores="unreduced")
def expected_by_coin() -> Metric:
    """The exact expectation of statistics over all tosses of the coins.

    Only where the protocol tosses coins between answers that differ; otherwise nothing.
    Items without a prediction are left out. `detection` has the same statistics at the
    expected counts, with intervals; `by_judge_and_order` has those of the tosses that
    were made. Every score has a coin of its own here, though every second epoch takes
    the other side of its predecessor's.
    """

    def over_tosses(scores: list[SampleScore]) -> Value:
        if "prediction_drawn" not in keys(scores):
            return {}
        found = {
            f"{name}_expected": expected(scores, STATISTICS[name])
            for name in MAIN_STATISTICS
        }
        for name in ("f1", "f2"):
            of_cells = {
                cell: expected(members, STATISTICS[name])
                for cell, members in cells(scores).items()
            }
            found |= author_means(of_cells, f"{name}_expected")
        return found | {"coins": float((column(scores, "prediction") == 0.5).sum())}

    return over_tosses


DETECTION_METRICS: Metrics = [
    detection(),
    debated(),
    by_cell(),
    realmistake(),
    trivial_baselines(),
    by_judge_and_order(),
    expected_by_coin(),
    recall_by_category(),
]


# Counts of predictions over scores, and statistics of them: what metrics share.

MAIN_STATISTICS = ("f1", "f2", "precision", "recall", "accuracy")
"""What is reported of every part of the items."""

PUBLISHED_STATISTICS = (*MAIN_STATISTICS, "predicted_error_rate")
"""What ReaLMistake's and ColMAD's authors publish of cells, or what they imply."""


def with_intervals(
    scores: Sequence[SampleScore],
    names: Sequence[str] = MAIN_STATISTICS,
    suffix: str = "",
) -> dict[str, float]:
    """Statistics of the scores' predictions, each with `_low` and `_high`."""
    counts = _by_cluster(scores)
    found: dict[str, float] = {}
    for name in names:
        statistic = partial(_of_sums, STATISTICS[name])
        low, high = cluster_interval(statistic, counts, bounds=BOUNDS[name])
        found[f"{name}{suffix}"] = statistic(counts.sum(axis=0))
        found[f"{name}{suffix}_low"], found[f"{name}{suffix}_high"] = low, high
    return found


def named(
    what: str,
    totals: Counts,
    convention: Convention = "parsed",
    names: Sequence[str] = MAIN_STATISTICS,
) -> dict[str, float]:
    """Statistics of counts, named after what was counted."""
    return {
        f"{name}_{what}": float(STATISTICS[name](totals, convention)) for name in names
    }


def expected(
    scores: Sequence[SampleScore],
    statistic: Statistic,
    convention: Convention = "parsed",
) -> float:
    """A statistic of the scores, or its exact expectation where coins decide."""
    gold, predicted = column(scores, "gold"), column(scores, "prediction")
    coins = predicted == 0.5
    certain = count(gold[~coins], predicted[~coins])
    if not coins.any():
        return float(statistic(certain, convention))
    return expected_statistic(
        certain,
        int(np.sum(gold[coins])),
        int(np.sum(1 - gold[coins])),
        statistic,
        convention,
    )


def totals(scores: Sequence[SampleScore], key: str = "prediction") -> Counts:
    """The counts of the predictions under a key."""
    return Counts(*_by_cluster(scores, key).sum(axis=0))


def cells(
    scores: Sequence[SampleScore],
) -> Mapping[tuple[str, str], list[SampleScore]]:
    """Scores by subset and author of the response, in alphabetical order."""
    found: dict[tuple[str, str], list[SampleScore]] = {}
    for score in scores:
        metadata = score.sample_metadata or {}
        if "subset" in metadata and "response_author" in metadata:
            cell = (str(metadata["subset"]), str(metadata["response_author"]))
            found.setdefault(cell, []).append(score)
    return dict(sorted(found.items()))


def author_means(
    of_cells: Mapping[tuple[str, str], float], name: str
) -> dict[str, float]:
    """The unweighted means over an author's subsets, as `<name>_<author>_mean`."""
    authors = sorted({author for _, author in of_cells})
    return {
        f"{name}_{author}_mean": float(
            np.mean([value for (_, of), value in of_cells.items() if of == author])
        )
        for author in authors
    }


def _by_cluster(
    scores: Sequence[SampleScore], key: str = "prediction"
) -> NDArray[np.float64]:
    if not scores:
        return np.zeros((0, len(Counts._fields)))
    gold, predicted = column(scores, "gold"), column(scores, key)
    return cluster_counts(gold, predicted, clusters(scores))


def _of_sums(statistic: Statistic, sums: NDArray[np.float64]) -> float:
    return float(statistic(Counts(*sums), "parsed"))
