"""Runs of any Inspect tasks compared with each other, from their logs."""

import itertools
import string
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite, isnan, nan
from pathlib import Path
from typing import NamedTuple

import numpy as np
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalSampleSummary, read_eval_log_sample
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, PARTIAL, Value
from numpy.typing import NDArray

from inspect_debate.v1.debate.errors import InputError, did_you_mean
from inspect_debate.v1.debate.participants import PERSON
from inspect_debate.v1.debate.paths import user_path
from inspect_debate.v1.metrics.endorsement import ratio_difference
from inspect_debate.v1.metrics.gain import mean_difference
from inspect_debate.v1.metrics.intervals import cluster_sums
from inspect_debate.v1.metrics.paired import (
    Equivalence,
    McNemar,
    PairedDifference,
    equivalence,
    holm,
    mcnemar,
)
from inspect_debate.v1.reports.compare.facts import (
    CHOICE_OF_SAMPLES,
    SERVED,
    Fact,
    Facts,
    Run,
    Split,
    differences,
    facts_of,
    read_runs,
    shown,
    split,
)
from inspect_debate.v1.reports.comparisons import SEED, in_words
from inspect_debate.v1.reports.frames import models_told

# The conditions that are compared: runs that are the same in everything.

Key = tuple[str, int]
"""A sample's id and epoch."""


class Scored(NamedTuple):
    """A sample of a condition, and its value; NaN with a cause where there is none."""

    sample: EvalSampleSummary
    value: float
    cause: str | None


@dataclass(frozen=True)
class Condition:
    """Runs that are the same in everything but in which samples they have.

    Attributes:
        letter: What tables call it.
        runs: Its runs, in the order in which they were given.
        facts: What characterises it; where its runs differ, all values.
        metrics: What the metric is in each run.
        samples: All of its samples.
        replaced: How many samples of older logs newer ones replaced.
        rows: The samples that all conditions have with a value, in the same order; all
            with a value where conditions are not paired.
        clusters: By row what dependent samples share.
        drops: How many of its samples are left out, by cause.
    """

    letter: str
    runs: Sequence[Run]
    facts: Facts
    metrics: Sequence["Metric"] = ()
    samples: Mapping[Key, Scored] = field(default_factory=dict)
    replaced: int = 0
    rows: Sequence[Scored] = ()
    clusters: Sequence[str] = ()
    drops: Mapping[str, int] = field(default_factory=dict)

    @property
    def logs(self) -> str:
        """The names of its logs."""
        return ", ".join(run.name for run in self.runs)

    @property
    def values(self) -> list[float]:
        """The values of the compared samples."""
        return [row.value for row in self.rows]

    @cached_property
    def cost(self) -> "Cost":
        """What the compared samples cost."""
        return cost_of(self.rows)


def conditions_of(runs: Sequence[Run]) -> list[Condition]:
    """Put runs of one condition together, and name the conditions A, B and so on.

    Where all are of one condition, as when a run was repeated, each is a condition of
    its own.

    Args:
        runs: Two at least.

    Raises:
        InputError: If there is but one run, or more conditions than letters.
    """
    if len(runs) < 2:
        named = ", ".join(run.log.typed for run in runs)
        raise InputError(f"There is nothing to compare {named} with: give two logs.")
    groups: dict[frozenset[object], list[tuple[Run, Facts]]] = {}
    for run in runs:
        facts = facts_of(run)
        identity = (i for i in facts.items() if i[0] not in CHOICE_OF_SAMPLES)
        groups.setdefault(frozenset(identity), []).append((run, facts))
    parts = [*groups.values()]
    if len(parts) == 1:
        parts = [[one] for one in parts[0]]
    letters = string.ascii_uppercase
    if len(parts) > len(letters):
        raise InputError(
            f"These are {len(parts)} conditions; at most {len(letters)} can be "
            "compared at a time."
        )
    return [_condition(*of) for of in zip(letters, parts, strict=False)]


def _condition(letter: str, part: Sequence[tuple[Run, Facts]]) -> Condition:
    found = [facts for _, facts in part] + [served_facts(run) for run, _ in part]
    merged = {
        fact: " / ".join(dict.fromkeys(one[fact] for one in found if fact in one))
        for fact in dict.fromkeys(fact for one in found for fact in one)
    }
    return Condition(letter, [run for run, _ in part], merged)


# The number that is compared: which score of a sample it is, and its value.

_WORDS = {
    CORRECT: 1.0,
    PARTIAL: 0.5,
    INCORRECT: 0.0,
    NOANSWER: 0.0,
    **dict.fromkeys(("yes", "true"), 1.0),
    **dict.fromkeys(("no", "false"), 0.0),
}
"""What Inspect's own metrics make of words."""

_WHOLE_SCORE = ("accuracy", "mean", "correct")
"""Names under which Inspect sums up scores of one value each."""
_RIGHT = {"accuracy": "correct"}
"""The key of our scores whose mean has another name."""


class Metric(NamedTuple):
    """A scorer's score, or one of its values where it has several."""

    scorer: str
    key: str | None = None

    def __str__(self) -> str:
        """As it is typed."""
        return self.scorer if self.key is None else f"{self.scorer}.{self.key}"


def find_metric(run: Run, name: str) -> Metric:
    """What a metric's name means in a run.

    Args:
        run: The run.
        name: A scorer, `scorer.key`, a key, or `accuracy`, `mean` or `correct` for the
            scorer that gives a single value.

    Returns:
        The metric. Of several of a name, the first, if they are the same throughout, or
        else that of the scorer of the task's headline metric.

    Raises:
        InputError: If the run has none of that name, or several that differ.
    """
    known = list(dict.fromkeys(metric for s in run.samples for metric in _metrics(s)))
    headline = run.log.header.eval.headline_metric
    for meant in (
        [metric for metric in known if str(metric) == name],
        [metric for metric in known if metric.key == name],
        [metric for metric in known if metric.key is None and name in _WHOLE_SCORE],
        [metric for metric in known if metric.key == _RIGHT.get(name, name)],
    ):
        if meant and all(_same(run, meant[0], other) for other in meant[1:]):
            return meant[0]
        if of_headline := [
            m for m in meant if headline and m.scorer == headline.scorer
        ]:
            return of_headline[0]
        if meant:
            raise InputError(
                f"{run.log.typed} has {name!r} several times; give one of "
                f"{', '.join(map(str, meant))}."
            )
    raise InputError(
        f"--metric={name!r} is none of {run.log.typed}; it has "
        f"{', '.join(map(str, known)) or 'no scores'}."
        + did_you_mean(name, [*map(str, known), *(m.key for m in known if m.key)])
    )


def _metrics(sample: EvalSampleSummary) -> Iterator[Metric]:
    for scorer, score in (sample.scores or {}).items():
        if isinstance(score.value, Mapping):
            yield from (Metric(scorer, str(key)) for key in score.value)
        elif not isinstance(score.value, list) and score.value == score.value:
            # A score that is NaN as a whole may have keys in other samples.
            yield Metric(scorer)


def _same(run: Run, one: Metric, other: Metric) -> bool:
    """Whether two metrics have the same value in every sample."""
    values = ((value_of(s, one), value_of(s, other)) for s in run.samples)
    return all(a == b or (isnan(a) and isnan(b)) for a, b in values)


def value_of(sample: EvalSampleSummary, metric: Metric) -> float:
    """A sample's value as a number, as Inspect reads it; NaN without a finite one.

    Raises:
        InputError: If it is neither a number nor one of the words for right and wrong.
    """
    score = (sample.scores or {}).get(metric.scorer)
    value: Value | None = None if score is None else score.value
    if metric.key is not None:
        value = value.get(metric.key) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        word = value if value in _WORDS else value.lower()
        try:
            value = _WORDS[word] if word in _WORDS else float(word)
        except ValueError:
            raise InputError(
                f"{metric} of sample {sample.id} is {value!r}; a metric that can be "
                f"compared is a number or one of {', '.join(_WORDS)}."
            ) from None
    if value is None:
        return nan
    if isinstance(value, bool | int | float):
        return float(value) if isfinite(value) else nan
    raise InputError(
        f"{metric} of sample {sample.id} is a list or several values, which have no "
        "one number; name one of its keys."
    )


# The samples that all conditions have, side by side, and why others are left out.
#
# Reports on one study pair two conditions at a time, by the scores of the study's own
# scorer (`reports.comparisons`). Here any number of conditions of any task share one
# set of samples, so that all differences are about the same ones, and every sample left
# out is counted by its cause in each condition.

CAUSES = (
    *("error", "limit", "unscored", "not in another condition"),
    *("of other content", "without a value in another condition"),
)
"""Why samples are left out: the first that applies."""

_GROUPS = ("input_group", "question_id")


def with_samples(condition: Condition, metric: str) -> Condition:
    """A condition with its samples; of the same one in several runs the newest counts.

    Raises:
        InputError: As `find_metric` and `value_of`.
    """
    metrics = [find_metric(run, metric) for run in condition.runs]
    runs = zip(condition.runs, metrics, strict=True)
    found: dict[Key, Scored] = {}
    for run, of_run in sorted(runs, key=lambda one: one[0].log.header.eval.created):
        for sample in run.samples:
            found[str(sample.id), sample.epoch] = _scored(sample, of_run)
    read = sum(len(run.samples) for run in condition.runs)
    return replace(
        condition, metrics=metrics, samples=found, replaced=read - len(found)
    )


def paired(conditions: Sequence[Condition]) -> list[Condition]:
    """Pair the samples of conditions on id and epoch.

    Args:
        conditions: Conditions with their samples.

    Returns:
        The conditions with `rows`, in alphabetical order of ids, their `clusters`, and
        `drops`.
    """
    samples = [condition.samples for condition in conditions]
    causes = [{key: _cause(key, of, samples) for key in of} for of in samples]
    keys = sorted(key for key, cause in causes[0].items() if cause is None)
    clusters = [_cluster(key, samples) for key in keys]
    both = zip(conditions, causes, strict=True)
    return [
        replace(
            condition,
            rows=[condition.samples[key] for key in keys],
            clusters=clusters,
            drops=Counter(cause for cause in of.values() if cause is not None),
        )
        for condition, of in both
    ]


def unpaired(conditions: Sequence[Condition]) -> list[Condition]:
    """Take all samples with a value, where conditions are about the same clusters.

    Args:
        conditions: Conditions with their samples, none of which all of them have.

    Returns:
        As `paired`; nothing where no cluster is in all conditions, as then their
        samples have nothing in common.
    """
    found = []
    for condition in conditions:
        keys = sorted(k for k, one in condition.samples.items() if one.cause is None)
        causes = (one.cause for one in condition.samples.values())
        found.append(
            replace(
                condition,
                rows=[condition.samples[key] for key in keys],
                clusters=[_cluster(key, [condition.samples]) for key in keys],
                drops=Counter(cause for cause in causes if cause is not None),
            )
        )
    return found if set.intersection(*(set(one.clusters) for one in found)) else []


def same_questions(conditions: Sequence[Condition]) -> int:
    """On how many questions, by input, choices and target, all conditions have rows."""
    asked = ({_content(row.sample) for row in one.rows} for one in conditions)
    return len(set.intersection(*asked))


def _scored(sample: EvalSampleSummary, metric: Metric) -> Scored:
    value = value_of(sample, metric)
    if not isnan(value):
        return Scored(sample, value, None)
    cause = "error" if sample.error else "limit" if sample.limit else "unscored"
    return Scored(sample, value, cause)


def _cause(
    key: Key,
    condition: Mapping[Key, Scored],
    conditions: Sequence[Mapping[Key, Scored]],
) -> str | None:
    """Why a sample of a condition is left out; None if it is not."""
    if condition[key].cause is not None:
        return condition[key].cause
    found = [other[key] for other in conditions if key in other]
    if len(found) < len(conditions):
        return "not in another condition"
    if len({_content(one.sample) for one in found}) > 1:
        return "of other content"
    if any(one.cause is not None for one in found):
        return "without a value in another condition"
    return None


def _content(sample: EvalSampleSummary) -> tuple[str, ...]:
    """Input, choices and target, the same in whatever order the choices are listed."""
    choices = sample.choices or []
    target = [sample.target] if isinstance(sample.target, str) else sample.target
    right = (choices[ord(t) - 65] if _lists(choices, t) else t for t in target)
    return (str(sample.input), *sorted(choices), "", *sorted(right))


def _lists(choices: Sequence[str], letter: str) -> bool:
    return len(letter) == 1 and 0 <= ord(letter) - 65 < len(choices)


def _cluster(key: Key, conditions: Sequence[Mapping[Key, Scored]]) -> str:
    metadata = [condition[key].sample.metadata for condition in conditions]
    named = (of[name] for name in _GROUPS for of in metadata if of.get(name))
    return str(next(named, key[0]))


# Two conditions: the difference, its test, and its equivalence to 0.

MCNEMAR, SIGN_FLIP, CLUSTERED_T = "McNemar", "sign flip", "clustered t"

_MANY = 5000
"""From so many samples on resamples are fewer, for the sake of memory."""


class Scale(NamedTuple):
    """The range of a metric, which is 0 to 1 for measures."""

    low: float
    span: float

    def unit(self, values: Sequence[float]) -> NDArray[np.float64]:
        """Values from 0 to 1."""
        return (np.asarray(values, dtype=np.float64) - self.low) / self.span


@dataclass(frozen=True)
class Compared:
    """Condition b less condition a.

    Attributes:
        a: Position of the one condition.
        b: Position of the other.
        mean_a: Its mean over the shared samples.
        mean_b: That of the other.
        difference: Of the means, with the ends of its 95 % interval.
        test: Which test the p-value is of.
        discordant: Samples that only the one or the other has right, where each is
            right or wrong.
        p_holm: The p-value, corrected over all comparisons.
        equivalence: Whether the difference is small for certain, where a margin says
            what small is.
    """

    a: int
    b: int
    mean_a: float
    mean_b: float
    difference: PairedDifference
    test: str
    discordant: McNemar | None
    p_holm: float
    equivalence: Equivalence | None

    @property
    def p(self) -> float:
        """The p-value."""
        return self.difference.p


def scale_of(conditions: Sequence[Condition]) -> Scale:
    """The range of a metric over all conditions: from 0 to 1, or wider."""
    values = [value for condition in conditions for value in condition.values]
    low = min(0.0, *values)
    return Scale(low, max(1.0, *values) - low)


def compare_pairs(
    conditions: Sequence[Condition],
    pairs: Sequence[tuple[int, int]],
    margin: float | None,
    *,
    is_paired: bool = True,
) -> list[Compared]:
    """Compare pairs of conditions, and correct the p-values over all of them.

    Paired: McNemar's mid-p test, where every value is the least or the greatest and no
    two samples share a cluster; else sign flips of whole clusters. The interval is that
    of the paired bootstrap, which draws whole clusters. Not paired: `mean_difference`,
    whose errors are clustered, as clusters may be in both conditions.

    Args:
        conditions: All conditions, as from `paired` or `unpaired`.
        pairs: Positions of the conditions: the second less the first.
        margin: The smallest difference that would matter, in the metric's unit.
        is_paired: Whether rows are the same samples.
    """
    scale = scale_of(conditions)
    found = []
    for a, b in pairs:
        if not is_paired:
            found.append(_apart(conditions, a, b, scale, margin))
            continue
        values = (conditions[a].values, conditions[b].values)
        clusters = conditions[a].clusters
        one, other = map(scale.unit, values)
        difference = _difference(one, other, clusters)
        discordant, test = None, SIGN_FLIP
        if np.isin((one, other), (0, 1)).all():
            discordant = mcnemar(one, other)
            if len(set(clusters)) == len(clusters):
                test, difference = MCNEMAR, difference._replace(p=discordant.p)
        equal = None
        if margin is not None:
            equal = _equivalence(other - one, clusters, margin, scale.span)
        mean_a, mean_b = (float(np.mean(of)) for of in values)
        low, high = (end * scale.span for end in (difference.low, difference.high))
        difference = PairedDifference(mean_b - mean_a, low, high, difference.p)
        found.append(
            Compared(a, b, mean_a, mean_b, difference, test, discordant, nan, equal)
        )
    adjusted = holm({n: one.p for n, one in enumerate(found)})
    return [replace(one, p_holm=adjusted[n]) for n, one in enumerate(found)]


def _apart(
    conditions: Sequence[Condition], a: int, b: int, scale: Scale, margin: float | None
) -> Compared:
    """Two conditions that are not paired."""
    parts = (conditions[a], conditions[b])
    values = np.concatenate([scale.unit(part.values) for part in parts])
    marked = np.repeat([0.0, 1.0], [len(part.rows) for part in parts])
    clusters = [cluster for part in parts for cluster in part.clusters]
    estimate = mean_difference(values, marked, clusters)
    low, high = (scale.span * end for end in estimate.interval(bounds=(-1, 1)))
    equal = None
    if margin is not None:
        small = margin / scale.span
        p = max(estimate.p(-small, "greater"), estimate.p(small, "less"))
        low90, high90 = (scale.span * end for end in estimate.interval(0.9))
        equal = Equivalence(scale.span * estimate.value, low90, high90, p, p < 0.05)
    mean_a, mean_b = (float(np.mean(part.values)) for part in parts)
    difference = PairedDifference(mean_b - mean_a, low, high, estimate.p())
    return Compared(a, b, mean_a, mean_b, difference, CLUSTERED_T, None, nan, equal)


def _difference(
    a: NDArray[np.float64], b: NDArray[np.float64], clusters: Sequence[str]
) -> PairedDifference:
    # What is drawn depends on the order of the conditions, and the result must not.
    if a.tolist() > b.tolist():
        found = _difference(b, a, clusters)
        return PairedDifference(-found.difference, -found.high, -found.low, found.p)
    ones = np.ones(len(a))
    resamples = 9999 if len(a) <= _MANY else 1999
    return ratio_difference(a, ones, b, ones, clusters, seed=SEED, resamples=resamples)


def _equivalence(
    differences: NDArray[np.float64],
    clusters: Sequence[str],
    margin: float,
    span: float,
) -> Equivalence:
    """The test of the mean over samples, in the metric's unit.

    A cluster's sum, times clusters per sample, has the mean over samples as its own
    mean, however many samples clusters have.
    """
    sums = cluster_sums(differences, clusters)
    scaled = sums * (len(sums) / len(differences))
    found = equivalence(scaled, range(len(scaled)), margin / span)
    return found._replace(
        difference=found.difference * span,
        low90=found.low90 * span,
        high90=found.high90 * span,
    )


# What conditions cost on the samples that are compared: calls, tokens and money.

UNEQUAL = 1.25
"""How many times the cheapest a condition may cost without a warning."""


class Cost(NamedTuple):
    """Means over samples; NaN where any sample's is not known.

    Calls and tokens include those of answers and debates that a run used again. Dollars
    do not: they are not known there.
    """

    calls: float
    tokens: float
    dollars: float


def cost_of(rows: Sequence[Scored]) -> Cost:
    """What the samples of a condition cost."""
    of = [_cost(row.sample) for row in rows]
    return Cost(*(sum(column) / len(of) for column in zip(*of, strict=True)))


def unequal(conditions: Sequence[Condition]) -> Iterator[str]:
    """Sentences about what differs by more than a quarter between conditions."""
    for name, show in _SHOWN.items():
        found = [(c.letter, float(getattr(c.cost, name))) for c in conditions]
        known = {letter: value for letter, value in found if not isnan(value)}
        if not known:
            continue
        least = min(known, key=known.__getitem__)
        more = [
            f"{letter} {show(value)}"
            + (f" ({value / known[least]:.1f} times)" if known[least] else "")
            for letter, value in known.items()
            if value > UNEQUAL * known[least]
        ]
        if more:
            yield (
                f"The conditions differ by more than a quarter in {name} per sample: "
                f"{least} {show(known[least])}, {', '.join(more)}. What differs in the "
                "metric may be due to that."
            )


_SHOWN: Mapping[str, Callable[[float], str]] = {
    "calls": "{:,.1f}".format,
    "tokens": "{:,.0f}".format,
    "dollars": "{:,.4f}".format,
}


def _cost(sample: EvalSampleSummary) -> Cost:
    usage = list(sample.model_usage.values())
    values = _values(sample)
    turns = nan if sample.turn_count is None else float(sample.turn_count)
    calls, reused = values.get("calls", turns), values.get("reused_calls", 0.0)
    if not calls + reused and _of_people(sample):
        return Cost(nan, nan, nan)
    # Without any call there is no usage, either.
    known = bool(usage) or calls == 0
    tokens = float(sum(used.total_tokens for used in usage)) if known else nan
    prices = [nan if used.total_cost is None else used.total_cost for used in usage]
    return Cost(
        calls=calls + reused,
        tokens=tokens + values.get("reused_tokens", 0.0),
        dollars=sum(prices) if known and not reused else nan,
    )


def _of_people(sample: EvalSampleSummary) -> bool:
    """Whether people took part, whose turns are no calls."""
    told = models_told((sample.scores or {}).values())
    return any(PERSON in model for model in told.values())


def _values(sample: EvalSampleSummary) -> dict[str, float]:
    """What the suite's own scorers count."""
    return {
        name: float(number)
        for score in (sample.scores or {}).values()
        if isinstance(score.value, Mapping)
        for name in ("calls", "reused_calls", "reused_tokens")
        if isinstance(number := score.value.get(name), int | float)
    }


@dataclass(frozen=True)
class Comparison:
    """All that is found.

    Attributes:
        asked: The metric as it was named.
        margin: The smallest difference that would matter; None without a test of
            equivalence.
        conditions: The conditions, in the order in which their logs were given.
        split: What differs between them.
        compared: Pairs of conditions.
        is_paired: Whether all conditions have the same samples.
    """

    asked: str
    margin: float | None
    conditions: Sequence[Condition]
    split: Split
    compared: Sequence[Compared]
    is_paired: bool = True

    @property
    def clusters(self) -> list[str]:
        """By compared sample what its dependent ones share."""
        every = self.conditions[:1] if self.is_paired else self.conditions
        return [cluster for condition in every for cluster in condition.clusters]

    def called(self, compared: Compared) -> str:
        """A difference by its conditions' letters, and values of a single factor."""
        b, a = compared.b, compared.a
        letters = f"{self.conditions[b].letter} less {self.conditions[a].letter}"
        if len(self.split.factor) != 1:
            return letters
        values = [shown(self.split.factor[0].values[place]) for place in (b, a)]
        return f"{letters} ({' less '.join(values)})"

    @property
    def metric(self) -> str:
        """What is compared, in full if it is the same score in all runs."""
        return self.meanings[0] if len(self.meanings) == 1 else self.asked

    @property
    def meanings(self) -> list[str]:
        """Which scores the metric is in the runs."""
        metrics = (str(metric) for of in self.conditions for metric in of.metrics)
        return list(dict.fromkeys(metrics))


def compare(
    logs: Sequence[str | Path],
    metric: str,
    *,
    factor: Sequence[str] = (),
    baseline: str | Path | None = None,
    margin: float | None = None,
    allow_partial: bool = False,
) -> Comparison:
    """Compare runs on the samples that all of them have.

    Where no sample is in all, but some cluster is, as a passage of which each run has
    other debates, all samples are compared, which are not paired then.

    Args:
        logs: Log files or folders of them, of any Inspect task.
        metric: What is compared, as `find_metric` reads it.
        factor: What the comparison is about, as `split` reads it.
        baseline: A log whose condition all others are compared with; without it every
            condition is compared with every other.
        margin: The smallest difference that would matter, in the metric's unit, above
            0; without it there is no test of equivalence.
        allow_partial: Whether to take runs that did not finish.

    Raises:
        InputError: If a log is of no use, a name is not known, or the conditions share
            neither a sample nor a cluster.
    """
    if margin is not None and not margin > 0:
        raise InputError(f"--margin={margin} is not allowed; give a number above 0.")
    named = conditions_of(read_runs(logs, allow_partial=allow_partial))
    facts = [condition.facts for condition in named]
    found = split(differences(facts), factor, facts[0])
    pairs = _pairs(named, baseline)
    every = [with_samples(one, metric) for one in named]
    conditions = paired(every)
    is_paired = bool(conditions[0].rows)
    apart = [] if is_paired else unpaired(every)
    if not is_paired and not apart:
        causes = "; ".join(
            f"{one.logs}: {in_words(one.drops) or 'no samples'}" for one in conditions
        )
        raise InputError(f"No sample has a value in all conditions ({causes}).")
    conditions = apart or conditions
    return Comparison(
        asked=metric,
        margin=margin,
        conditions=conditions,
        split=found,
        compared=compare_pairs(conditions, pairs, margin, is_paired=is_paired),
        is_paired=is_paired,
    )


def _pairs(
    conditions: Sequence[Condition], baseline: str | Path | None
) -> list[tuple[int, int]]:
    places = range(len(conditions))
    if baseline is None:
        return list(itertools.combinations(places, 2))
    path = user_path(baseline).resolve()
    paths = [
        [path.resolve() for run in one.runs for path in run.log.paths]
        for one in conditions
    ]
    of = [place for place in places if path in paths[place]]
    if not of:
        raise InputError(f"--baseline={baseline} is none of the logs compared.")
    return [(of[0], other) for other in places if other != of[0]]


# Which models answered: providers may serve another than the one that was asked.

LOOKED_AT = 4
"""Samples of a log that are read in full for this, spread over the log."""


def served_facts(run: Run) -> dict[Fact, str]:
    """The names under which models answered, by the name under which they were asked.

    Only `LOOKED_AT` samples are read; a model that served others goes unseen.
    """
    found: dict[str, dict[str, None]] = {}
    for sample in _spread(run):
        for asked, served in _served(run, sample):
            found.setdefault(asked, {})[served] = None
    return {
        Fact(SERVED, asked): ", ".join(sorted(names))
        for asked, names in sorted(found.items())
    }


def _spread(run: Run) -> list[EvalSampleSummary]:
    known = [sample for sample in run.samples if sample.completed]
    last = len(known) - 1
    places = {part * last // (LOOKED_AT - 1) for part in range(LOOKED_AT)}
    return [known[place] for place in sorted(places) if known]


def _served(run: Run, sample: EvalSampleSummary) -> Iterator[tuple[str, str]]:
    read = read_eval_log_sample(
        str(run.log.path_of(sample.id, sample.epoch)),
        sample.id,
        sample.epoch,
        exclude_fields={"store", "messages", "attachments"},
    )
    for event in read.events:
        if isinstance(event, ModelEvent) and event.output.model:
            yield event.model, event.output.model
