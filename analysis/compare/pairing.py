"""The samples that all arms have, side by side, and why others are left out.

Reports on one study pair two arms at a time, by the scores of the study's own scorer
(`analysis.comparisons`). Here any number of arms of any task share one set of samples,
so that all differences are about the same ones, and every sample left out is counted by
its cause in each arm.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

from inspect_ai.log import EvalSampleSummary

from inspect_debate.analysis.compare.metrics import Metric, value_of
from inspect_debate.analysis.compare.runs import Run

CAUSES = (
    *("error", "limit", "unscored", "not in another arm"),
    *("of other content", "without a value in another arm"),
)
"""Why samples are left out: the first that applies."""

_GROUPS = ("input_group", "question_id")

Key = tuple[str, int]
"""A sample's id and epoch."""


class Scored(NamedTuple):
    """A sample of an arm, and its value; NaN with a cause where there is none."""

    sample: EvalSampleSummary
    value: float
    cause: str | None


class Read(NamedTuple):
    """The samples of an arm, and how many of older logs newer ones replaced."""

    samples: Mapping[Key, Scored]
    replaced: int


@dataclass(frozen=True)
class Paired:
    """Samples of all arms.

    Attributes:
        keys: The samples that all arms have with a value, in alphabetical order.
        rows: By arm these samples, in the order of the keys.
        clusters: By sample what its dependent ones share.
        drops: By arm the numbers of its samples that are left out, by cause.
    """

    keys: Sequence[Key]
    rows: Sequence[Sequence[Scored]]
    clusters: Sequence[str]
    drops: Sequence[Mapping[str, int]]

    def values(self, arm: int) -> list[float]:
        """An arm's values, in the order of the keys."""
        return [row.value for row in self.rows[arm]]


def read_arm(runs: Sequence[tuple[Run, Metric]]) -> Read:
    """The samples of an arm; where runs hold the same one, the newest run's counts."""
    found: dict[Key, Scored] = {}
    held = 0
    for run, metric in sorted(runs, key=lambda one: one[0].log.header.eval.created):
        for sample in run.samples:
            found[str(sample.id), sample.epoch] = _scored(sample, metric)
        held += len(run.samples)
    return Read(found, held - len(found))


def pair_all(arms: Sequence[Mapping[Key, Scored]]) -> Paired:
    """Pair the samples of arms on id and epoch.

    Args:
        arms: The samples of each arm.
    """
    causes = [{key: _cause(key, arm, arms) for key in arm} for arm in arms]
    keys = sorted(key for key, cause in causes[0].items() if cause is None)
    return Paired(
        keys=keys,
        rows=[[arm[key] for key in keys] for arm in arms],
        clusters=[_cluster(key, arms) for key in keys],
        drops=[Counter(c for c in of.values() if c is not None) for of in causes],
    )


def _scored(sample: EvalSampleSummary, metric: Metric) -> Scored:
    value = value_of(sample, metric)
    if not isnan(value):
        return Scored(sample, value, None)
    cause = "error" if sample.error else "limit" if sample.limit else "unscored"
    return Scored(sample, value, cause)


def _cause(
    key: Key, arm: Mapping[Key, Scored], arms: Sequence[Mapping[Key, Scored]]
) -> str | None:
    """Why a sample of an arm is left out; None if it is not."""
    if arm[key].cause is not None:
        return arm[key].cause
    found = [other[key] for other in arms if key in other]
    if len(found) < len(arms):
        return "not in another arm"
    if len({_content(one.sample) for one in found}) > 1:
        return "of other content"
    if any(one.cause is not None for one in found):
        return "without a value in another arm"
    return None


def _content(sample: EvalSampleSummary) -> tuple[str, ...]:
    """Input, choices and target, the same in whatever order the choices are listed."""
    given = sample.input
    text = given if isinstance(given, str) else "\n".join(m.text for m in given)
    choices = sample.choices or []
    target = [sample.target] if isinstance(sample.target, str) else sample.target
    right = (choices[ord(t) - 65] if _lists(choices, t) else t for t in target)
    return (text, *sorted(choices), "", *sorted(right))


def _lists(choices: Sequence[str], letter: str) -> bool:
    return len(letter) == 1 and 0 <= ord(letter) - 65 < len(choices)


def _cluster(key: Key, arms: Sequence[Mapping[Key, Scored]]) -> str:
    metadata = [arm[key].sample.metadata for arm in arms]
    named = (of[name] for name in _GROUPS for of in metadata if of.get(name))
    return str(next(named, key[0]))
