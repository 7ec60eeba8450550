"""Accuracy with right and with perturbed passages over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `clash`, score by score.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric
from numpy.typing import ArrayLike, NDArray

from inspect_debate.metrics.abstention import Answered, by_condition
from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.knowledge import biases, passage_alone
from inspect_debate.metrics.means import calibrated_choice
from inspect_debate.metrics.shares import share
from inspect_debate.scorers.common import NAN, Metrics, clusters, column, keys
from tests.support.measures.common import with_ends

# Metrics over ClashEval's scores: accuracy with right and with perturbed passages.
#
# The values come from the scorer `clash`. Every metric reads unreduced scores, so that
# epochs count as they are; the two halves of a question are a cluster.

Numbers = NDArray[np.float64]

_CALIBRATED = "calibrated_token_prob"


class Preferences(NamedTuple):
    """How often the passage's answer is given, and how often the prior one."""

    context: Share
    prior: Share


def preferences(
    standard: ArrayLike,
    clusters: Iterable[Hashable],
    *,
    from_passage: ArrayLike,
    from_prior: ArrayLike,
) -> Preferences:
    """Whose answer is given with a perturbed passage, whoever is right."""
    perturbed, names = np.asarray(standard) == 0, list(clusters)
    return Preferences(
        *(
            share(np.where(perturbed, np.asarray(origin, dtype=float), NAN), names)
            for origin in (from_passage, from_prior)
        )
    )


@metric(scores="unreduced")
def own_accuracy() -> Metric:
    """The protocol's own arm: standard, perturbed and overall accuracy, with intervals.

    `standard` is the share right where the passage is right, `perturbed` where it is
    not, `overall` the mean of the two; strict, an abstention is not right. Coverage and
    selective accuracy stand beside them, and the same by normalised answers. Samples
    that a limit or an error stopped are in none of these numbers (Inspect counts them
    as unscored); `unscored_share` is of the others. Of a judge that is shown both
    orders, `overall_ab` and `overall_ba` are by the verdicts in one order alone; where
    the two are tied, each answer counts half in all other numbers.
    """

    def over_items(scores: list[SampleScore]) -> Value:
        arm = own(scores)
        strict = by_condition(*_inputs(scores, arm, "strict"))
        loose = by_condition(*_inputs(scores, arm, "normalised"))
        found: dict[str, float] = {}
        for name, half in strict._asdict().items():
            found |= with_ends(name, half.accuracy)
        found |= _beside(strict.overall)
        found |= {
            f"normalised_{name}": half.accuracy.value
            for name, half in loose._asdict().items()
        }
        found["normalised_selective"] = loose.overall.selective.value
        for order in ("ab", "ba"):
            if keys(scores, f"strict_{arm}_{order}"):
                alone = by_condition(*_inputs(scores, f"{arm}_{order}", "strict"))
                found[f"overall_{order}"] = alone.overall.accuracy.value
        scored = ~np.isnan(_answers(scores, arm, "strict"))
        return found | {
            "items": float(len(scores)),
            "unscored_share": float(np.mean(~scored)) if len(scores) else NAN,
        }

    return over_items


@metric(scores="unreduced")
def every_arm() -> Metric:
    """Each arm of the run by strict answers: overall, and where one may abstain, more.

    `calibrated_token_prob` is decided here, over the whole run.
    """

    def over_items(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {}
        for arm in arms(scores):
            halves = by_condition(*_inputs(scores, arm, "strict"))
            for name, half in halves._asdict().items():
                found[f"{name}_{arm}"] = half.accuracy.value
            if arm == "srdcr":
                found |= {
                    f"{name}_{arm}": value
                    for name, value in _beside(halves.overall).items()
                }
        return found

    return over_items


@metric(scores="unreduced")
def by_severity() -> Metric:
    """The own arm's accuracy by how far the passage is from the truth."""

    def over_items(scores: list[SampleScore]) -> Value:
        strict, severity = (
            _answers(scores, own(scores), "strict"),
            _of(scores, "severity"),
        )
        found: dict[str, float] = {}
        for level in sorted(set(severity[severity > 0])):
            values = np.where(severity == level, strict, np.nan)
            name = f"perturbed_{level:g}"
            found |= with_ends(name, share(values, clusters(scores)))
        return found

    return over_items


@metric(scores="unreduced")
def passage_or_prior() -> Metric:
    """Whom the own arm follows (ClashEval): biases, preferences, and contested items.

    `context_bias` is the share of wrong passages followed against a right prior answer,
    `prior_bias` that of wrong prior answers kept against a right passage, both with
    bootstrap intervals; `one_right` the accuracy on the items of both kinds.
    `context_preference` and `prior_preference` are shares of the perturbed items.
    `contested` is the accuracy where the two answers differ, which are `agree_share`
    short of all. `first_answers_same` (of a debate among agents) is the share of items
    on which the first answers of all agents say the same.
    """

    def over_items(scores: list[SampleScore]) -> Value:
        arm, names = own(scores), clusters(scores)
        strict = _answers(scores, arm, "strict")
        passage, prior = (_answers(scores, arm, kind) for kind in ("context", "prior"))
        standard = _of(scores, "standard")
        alone = passage_alone(
            _of(scores, "normalised_prior"), standard, _of(scores, "context_prior")
        )
        right = _answers(scores, arm, "normalised")
        found = biases(
            alone,
            names,
            correct=right,
            from_passage=passage,
            from_prior=prior,
            seed=0,
        )
        liked = preferences(standard, names, from_passage=passage, from_prior=prior)
        agree = _of(scores, "agree")
        contested = np.where(agree == 0, strict, np.nan)
        same = {
            key: share(_of(scores, key), names).value
            for key in keys(scores, "first_answers_same")
        }
        return {
            "one_right": found.accuracy.value,
            **with_ends("context_bias", found.context_bias),
            **with_ends("prior_bias", found.prior_bias),
            "context_preference": liked.context.value,
            "prior_preference": liked.prior.value,
            "contested": share(contested, names).value,
            "agree_share": share(agree, names).value,
            **same,
        }

    return over_items


@metric(scores="unreduced")
def verdicts() -> Metric:
    """The series of verdicts: the share for the passage by round, and when they settle.

    Apart for right and perturbed passages.
    """

    def over_items(scores: list[SampleScore]) -> Value:
        standard = _of(scores, "standard")
        found: dict[str, float] = {}
        for key in (k for k in keys(scores, "verdict_") if k.count("_") == 1):
            for name, half in (("standard", 1), ("perturbed", 0)):
                values = _of(scores, key)[standard == half]
                found[f"for_passage_{key.rpartition('_')[2]}_{name}"] = _mean(values)
        if "settled" in keys(scores):
            found["settled"] = _mean(_of(scores, "settled"))
        return found

    return over_items


@metric(scores="unreduced")
def read() -> Metric:
    """How many turns could be read, and why the own arm has no answer."""

    def over_items(scores: list[SampleScore]) -> Value:
        names = ("outcome_", "answers_", "speeches_", "verdicts_")
        counted = [key for name in names for key in keys(scores, name)]
        return {key: float(np.nansum(_of(scores, key))) for key in counted}

    return over_items


CLASH_METRICS: Metrics = [
    own_accuracy(),
    every_arm(),
    by_severity(),
    passage_or_prior(),
    verdicts(),
    read(),
]


def own(scores: Sequence[SampleScore]) -> str:
    """The protocol's own arm; empty without scores."""
    known = (score.score.metadata or {} for score in scores)
    return next((str(data["arm"]) for data in known if "arm" in data), "")


def arms(scores: Sequence[SampleScore]) -> Iterator[str]:
    """The arms that the scores hold, and the one that takes all of them."""
    names = keys(scores, "strict_")
    yield from (name.removeprefix("strict_") for name in names)
    if "strict_prior" in names:
        yield _CALIBRATED


def _beside(found: Answered) -> dict[str, float]:
    return {"coverage": found.coverage.value, "selective": found.selective.value}


def _inputs(
    scores: Sequence[SampleScore], arm: str, how: str
) -> tuple[Numbers, Numbers, Numbers, list[str]]:
    """What `by_condition` takes: right, answered, standard, clusters."""
    return (
        _answers(scores, arm, how),
        _answers(scores, arm, "answered"),
        _of(scores, "standard"),
        clusters(scores),
    )


def _answers(scores: Sequence[SampleScore], arm: str, what: str) -> Numbers:
    """A column of an arm; that of the calibrated one is put together from two."""
    if arm != _CALIBRATED:
        return _of(scores, f"{what}_{arm}")
    chosen = calibrated_choice(_of(scores, "p_prior"), _of(scores, "p_contextual"))
    taken = np.where(
        chosen == 1, _of(scores, f"{what}_few_shot"), _of(scores, f"{what}_prior")
    )
    return np.where(np.isnan(chosen), np.nan, taken)


def _of(scores: Sequence[SampleScore], key: str) -> Numbers:
    return column(scores, key)


def _mean(values: Numbers) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else NAN
