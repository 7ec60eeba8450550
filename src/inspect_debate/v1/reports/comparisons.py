"""Paired comparisons of conditions on the same samples, and tables of them.

Everything here is about frames with a row per sample and epoch: `id`, `epoch`,
`target`, `scored`, the values `correct`, `gold` and `prediction`, and `input_group`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from inspect_debate.v1.metrics.detection import STATISTICS, Convention
from inspect_debate.v1.metrics.gain import mean_difference
from inspect_debate.v1.metrics.paired import (
    PairedDifference,
    cluster_sign_flip,
    holm,
    mcnemar,
    paired_bootstrap,
)
from inspect_debate.v1.reports.elements import P_VALUE, POINTS, Column, Format, Table
from inspect_debate.v1.reports.estimates import by_cluster, clusters

SEED = 0
"""Of all resampling, so that the same logs give the same report."""

_KEYS = ["id", "epoch"]
_COLUMNS = [*_KEYS, "target", "input_group", "scored", "prediction"]
_ANSWER = [*_KEYS, "input_group", "gold", "prediction", "correct"]


@dataclass(frozen=True)
class Pairing:
    """The samples that two conditions share, row by row, and what was dropped.

    Attributes:
        a: Rows of the one condition, with what identifies a sample and its answer.
        b: Rows of the other, about the same samples in the same order.
        drops: Numbers of samples and epochs of either condition that are left out, by
            cause.
    """

    a: pd.DataFrame
    b: pd.DataFrame
    drops: Mapping[str, int]

    @property
    def independent(self) -> bool:
        """Whether no two of the samples share an item or an input."""
        return not clusters(self.a).duplicated().any()


def pair(a: pd.DataFrame, b: pd.DataFrame) -> Pairing:
    """Pair two conditions on sample id and epoch.

    Left out are samples that only one condition has, or epochs of a sample, samples
    whose labels or inputs differ, that were stopped or failed in either, and those
    without a prediction in either.
    """
    both = a[_COLUMNS].merge(
        b[_COLUMNS], on=_KEYS, suffixes=(" a", " b"), how="outer", indicator=True
    )
    met = both["_merge"] == "both"
    known = both["id"].isin(a["id"]) & both["id"].isin(b["id"])
    same = (both["target a"] == both["target b"]) & (
        both["input_group a"] == both["input_group b"]
    )
    scored = both["scored a"].eq(True) & both["scored b"].eq(True)
    predicted = both["prediction a"].notna() & both["prediction b"].notna()
    left = {
        "in one condition only": ~met & ~known,
        "epochs that only one condition has": ~met & known,
        "of other content": met & ~same,
        "not finished": met & same & ~scored,
        "no prediction": met & same & scored & ~predicted,
    }
    shared = both.loc[met & same & scored & predicted, _KEYS]
    return Pairing(
        a=shared.merge(a[_ANSWER], on=_KEYS, validate="one_to_one"),
        b=shared.merge(b[_ANSWER], on=_KEYS, validate="one_to_one"),
        drops={cause: int(rows.sum()) for cause, rows in left.items() if rows.any()},
    )


class AccuracyTest(NamedTuple):
    """A test of equal accuracy."""

    name: str
    p: float


def accuracy_test(pairing: Pairing) -> AccuracyTest:
    """McNemar's where samples are independent and each right or wrong, or else a flip.

    The other one is the cluster sign-flip test.
    """
    right_a, right_b = pairing.a["correct"], pairing.b["correct"]
    if pairing.a.empty:
        return AccuracyTest("none", float("nan"))
    plain = right_a.isin((0, 1)).all() and right_b.isin((0, 1)).all()
    if plain and pairing.independent:
        return AccuracyTest("McNemar", mcnemar(right_a, right_b).p)
    flip = cluster_sign_flip(right_b - right_a, list(clusters(pairing.a)), seed=SEED)
    return AccuracyTest("sign flip", flip)


def clustered_difference(a: pd.DataFrame, b: pd.DataFrame) -> PairedDifference:
    """The accuracy of b less that of a, of which no sample is the same.

    Samples of both may share a cluster: the test is that of `mean_difference`.

    Returns:
        NaN where no cluster is in both, so that they have nothing in common.
    """
    if not {*clusters(a)} & {*clusters(b)}:
        return PairedDifference(*[float("nan")] * 4)
    both = pd.concat([a, b])
    marks = [0] * len(a) + [1] * len(b)
    found = mean_difference(both["correct"], marks, list(clusters(both)))
    return PairedDifference(found.value, *found.interval(bounds=(-1, 1)), found.p())


def difference(
    pairing: Pairing, statistic: str, convention: Convention = "parsed"
) -> PairedDifference:
    """One of `STATISTICS` of b less that of a, by the paired cluster bootstrap."""
    return paired_bootstrap(
        STATISTICS[statistic],
        by_cluster(pairing.a),
        by_cluster(pairing.b),
        seed=SEED,
        convention=convention,
    )


@dataclass(frozen=True)
class Planned:
    """A comparison that is to be made: of `b` less `a`.

    `question` is what it is to answer, `models` who is compared, and `label` says which
    two conditions. Comparisons in a row that share a question stand under it.
    """

    question: str
    models: str
    label: str
    a: pd.DataFrame
    b: pd.DataFrame


def comparison_tables(planned: Sequence[Planned]) -> tuple[Table, Table]:
    """Comparisons of accuracy, and of F1 and F2; p-values corrected as one family each.

    Args:
        planned: The comparisons; the family is all of them.

    Returns:
        The tables `comparisons_accuracy` and `comparisons_f`.
    """
    pairings = [pair(comparison.a, comparison.b) for comparison in planned]
    return _accuracy_table(planned, pairings), _f_table(planned, pairings)


def unpaired_table(planned: Sequence[Planned]) -> Table:
    """Comparisons of accuracy between conditions that have samples of their own.

    Args:
        planned: The comparisons; the family is all of them.
    """
    found = [clustered_difference(one.a, one.b) for one in planned]
    columns = {
        **_labels(planned),
        "First": [int(one.b["correct"].count()) for one in planned],
        "Second": [int(one.a["correct"].count()) for one in planned],
        "Samples": [
            int(one.a["correct"].count() + one.b["correct"].count()) for one in planned
        ],
        "Common groups": [
            len({*clusters(one.a)} & {*clusters(one.b)}) for one in planned
        ],
        **_differences("Difference", found),
        "p": [one.p for one in found],
        "p (Holm)": _adjusted(found),
        "Test": ["clustered t"] * len(found),
    }
    return Table(
        name="comparisons_unpaired",
        title="Unpaired differences in accuracy",
        frame=pd.DataFrame(columns),
        groups="Question",
        formats={"Difference": POINTS, "p": P_VALUE, "p (Holm)": P_VALUE},
        hidden=["Samples"],
        note="Not paired, as no sample is in both conditions: each has debates of its "
        "own, if on common groups, such as stories. Percentage points, over all "
        "samples with an outcome, whose numbers are in the columns First and Second, "
        "the first named less the second. Clustered t: the "
        "t-test of least squares on the condition with standard errors clustered by "
        "group (Liang and Zeger 1986), and its 95 % interval. "
        f"{_family(len(planned))}",
    )


def _accuracy_table(planned: Sequence[Planned], pairings: Sequence[Pairing]) -> Table:
    tests = [accuracy_test(pairing) for pairing in pairings]
    found = [difference(pairing, "accuracy") for pairing in pairings]
    found = [f._replace(p=test.p) for f, test in zip(found, tests, strict=True)]
    columns = {
        **_labels(planned),
        **_sizes(pairings),
        **_differences("Difference", found),
        "p": [one.p for one in found],
        "p (Holm)": _adjusted(found),
        "Test": [test.name for test in tests],
    }
    return Table(
        name="comparisons_accuracy",
        title="Paired differences in accuracy",
        frame=pd.DataFrame(columns),
        groups="Question",
        formats={"Difference": POINTS, "p": P_VALUE, "p (Holm)": P_VALUE},
        note=f"{_PAIRED} McNemar: its mid-p test, where samples are independent and no "
        "random tie-break decides; or else sign flips of whole clusters. "
        f"{_family(len(planned))}",
    )


def _f_table(planned: Sequence[Planned], pairings: Sequence[Pairing]) -> Table:
    columns: dict[str, Sequence[object]] = {**_labels(planned), **_sizes(pairings)}
    formats: dict[Column, Format] = {}
    for score in ("F1", "F2"):
        found = [difference(pairing, score.lower()) for pairing in pairings]
        p, adjusted = f"{score}: p", f"{score}: p (Holm)"
        columns |= _differences(score, found)
        columns |= {p: [one.p for one in found], adjusted: _adjusted(found)}
        formats |= {score: POINTS, p: P_VALUE, adjusted: P_VALUE}
    return Table(
        name="comparisons_f",
        title="Paired differences in F1 and F2",
        frame=pd.DataFrame(columns),
        groups="Question",
        formats=formats,
        note=f"{_PAIRED} p: at which level the interval would touch 0. "
        f"{_family(len(planned))}",
    )


def _labels(planned: Sequence[Planned]) -> dict[str, Sequence[object]]:
    return {
        "Question": [comparison.question for comparison in planned],
        "Models": [comparison.models for comparison in planned],
        "Compared": [comparison.label for comparison in planned],
    }


def _sizes(pairings: Sequence[Pairing]) -> dict[str, Sequence[object]]:
    return {
        "Samples": [len(pairing.a) for pairing in pairings],
        "Left out": [in_words(pairing.drops) for pairing in pairings],
    }


def _differences(
    name: str, found: Sequence[PairedDifference]
) -> dict[str, Sequence[object]]:
    return {
        name: [one.difference for one in found],
        f"{name} low": [one.low for one in found],
        f"{name} high": [one.high for one in found],
    }


def _adjusted(found: Sequence[PairedDifference]) -> list[float]:
    return list(holm({n: one.p for n, one in enumerate(found)}).values())


def in_words(numbers: Mapping[str, int]) -> str:
    """Numbers by cause, as "3 no prediction, 1 not finished"."""
    return ", ".join(f"{number} {cause}" for cause, number in numbers.items())


_PAIRED = (
    "Percentage points, on the samples that both conditions have and predict, the "
    "first named less the second; 95 % intervals of the paired bootstrap, which draws "
    "whole clusters (epochs of an item, and items on one input)."
)


def _family(size: int) -> str:
    if size == 1:
        return "Holm: of one comparison there is nothing to correct."
    return (
        f"Holm: corrected over the {size} comparisons of this table, one measure at a "
        "time."
    )
