"""Will debate help this pair of critic and judge, and did it?

By the abstract of "Debate helps weak judges reward stronger models" (arXiv 2605.27483)
debate helps a weaker judge over consultancy where the critic classifies answers better
than the judge, and the judge treats the critic's speeches as claims to verify and not
as testimony; where there was no effect, verification fell by tens of points once a
critic spoke. The paper was not read: how these two conditions are measured, and from
where on they count as met, is our reading of those sentences.
"""

from collections.abc import Hashable, Sequence
from math import nan
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.metrics.detection import (
    Convention,
    Counts,
    Statistic,
    Values,
    balanced_accuracy,
    cluster_counts,
    f1,
)
from inspect_debate.metrics.intervals import (
    Array,
    check_lengths,
    checked,
    checked_shares,
)
from inspect_debate.metrics.means import cluster_means, pooled_mean
from inspect_debate.metrics.paired import PairedDifference, paired_bootstrap

BETTER = 0.05
"""The critic's advantage in balanced accuracy from which on it counts as better.

The abstract names no size. A critic that is better by less may be no help to a judge
that errs in its checks.
"""

KEPT = 0.1
"""The fall of the share of verdicts that verify, from which on it is not kept.

The abstract has falls "by tens of points" where debate had no effect; the smallest of
these is ten.
"""

Prediction = Literal["helps", "no gain", "open"]
Observed = Literal["helps", "no difference shown", "hurts"]


class Audit(NamedTuple):
    """The two conditions, what they predict, and what was observed.

    Attributes:
        critic_better: Balanced accuracy of the critic's rulings less that of the
            judge's, neither with a transcript.
        verifies_alone: The share of the judge's verdicts that verify where nobody
            spoke; NaN where they were not graded.
        verifies_spoken: The share where a critic had spoken, on the same answers.
        kept: The second less the first.
        predicted: Whether debate is predicted to help.
        gain: Balanced accuracy of the judge's rulings after the critic spoke less that
            after a consultancy.
        observed: What the interval of the gain shows.
    """

    critic_better: PairedDifference
    verifies_alone: float
    verifies_spoken: float
    kept: PairedDifference
    predicted: Prediction
    gain: PairedDifference
    observed: Observed


def audit(
    right: ArrayLike,
    judge: ArrayLike,
    critic: ArrayLike,
    spoken: ArrayLike,
    consultancy: ArrayLike,
    verifies_alone: ArrayLike,
    verifies_spoken: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    seed: int,
    resamples: int = 4000,
) -> Audit:
    """Audit a pair of critic and judge on the same answers.

    Each difference is of the rows in which it knows both sides.

    Args:
        right: per answer 1 if it is right, 0 if not, NaN where nobody knows.
        judge: whether the judge endorsed it without a transcript, 1 or 0; NaN where
            the ruling is not known, here and below.
        critic: whether the critic endorsed it, by the same prompt.
        spoken: whether the judge did after a debate, or a critique.
        consultancy: whether the judge did after a consultancy.
        verifies_alone: the share of the verdicts without a transcript that verify.
        verifies_spoken: the share of those after the debate.
        clusters: per answer its question.
        seed: of the bootstraps.
        resamples: number of resamples of each.

    Returns:
        Differences with 95 % intervals, NaN where there are none, and what follows.

    Raises:
        ValueError: lengths differ, or a value is none of those above.
    """
    better = balanced_difference(
        right, judge, critic, clusters, seed=seed, resamples=resamples
    )
    gain = balanced_difference(
        right, consultancy, spoken, clusters, seed=seed, resamples=resamples
    )
    alone = checked_shares("verifies_alone", verifies_alone)
    after = checked_shares("verifies_spoken", verifies_spoken)
    check_lengths(verifies_alone=alone, verifies_spoken=after)
    both = ~np.isnan(alone + after)
    before, then = (
        float(of[both].mean()) if both.any() else nan for of in (alone, after)
    )
    kept = mean_difference(alone, after, clusters)
    predicted = prediction(better, kept)
    return Audit(better, before, then, kept, predicted, gain, observation(gain))


def prediction(better: PairedDifference, kept: PairedDifference) -> Prediction:
    """What the two conditions predict; the rule is ours, see the module.

    Debate `helps` where the 95 % interval of the critic's advantage lies above
    `BETTER`, and that of the change in verification above -`KEPT`. There is `no gain`
    where one of them lies below. All else is `open`, also what is not known.
    """
    if better.low > BETTER and kept.low > -KEPT:
        return "helps"
    if better.high < BETTER or kept.high < -KEPT:
        return "no gain"
    return "open"


def observation(gain: PairedDifference) -> Observed:
    """What the 95 % interval of a gain shows."""
    if gain.low > 0:
        return "helps"
    return "hurts" if gain.high < 0 else "no difference shown"


def balanced_difference(
    right: ArrayLike,
    endorsed_a: ArrayLike,
    endorsed_b: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    seed: int,
    resamples: int = 4000,
) -> PairedDifference:
    """Balanced accuracy of b's rulings less that of a's, on the same answers.

    Args:
        right: per answer 1 if it is right, 0 if not; NaN leaves it out.
        endorsed_a: whether a ruled it correct, 1 or 0; NaN leaves it out.
        endorsed_b: whether b did.
        clusters: per answer its question.
        seed: of the bootstrap of questions.
        resamples: number of resamples.

    Returns:
        As `paired_bootstrap`; NaN where all answers are right, or none.

    Raises:
        ValueError: lengths differ, or a value is neither 0, 1 nor NaN.
    """
    truth, a, b = (
        checked(name, values)
        for name, values in (
            ("right", right),
            ("endorsed_a", endorsed_a),
            ("endorsed_b", endorsed_b),
        )
    )
    check_lengths(right=truth, endorsed_a=a, endorsed_b=b)
    known = ~np.isnan(truth + a + b)
    names = [name for name, keep in zip(clusters, known, strict=True) if keep]
    tables = (cluster_counts(1 - truth[known], 1 - of[known], names) for of in (a, b))
    return paired_bootstrap(balanced_accuracy, *tables, seed=seed, resamples=resamples)


def mean_difference(
    a: Array, b: Array, clusters: Sequence[Hashable]
) -> PairedDifference:
    """The mean of b less a over questions, of shares, with Student's interval.

    Where no question differs there is no spread to go by. But had more than a share of
    1 - 0.05^(1/n) of them another difference, one of n would show it with 95 %
    confidence, and the mean is no larger than that share.

    Args:
        a: shares per row, from 0 to 1; NaN leaves the row out.
        b: those of the other side.
        clusters: per row its question.
    """
    means = cluster_means(b - a, clusters)
    if len(means) and not means.any():
        half = 1 - 0.05 ** (1 / len(means))
        return PairedDifference(0.0, -half, half, 1.0)
    found = pooled_mean(means)
    return PairedDifference(found.value, *found.interval(bounds=(-1, 1)), found.p())


def macro_f1(counts: Counts, convention: Convention = "parsed") -> Values:
    """The mean of F1 of "incorrect" and F1 of "correct" rulings.

    Args:
        counts: with wrong answers as errors, and rulings "incorrect" as predictions
            of one.
        convention: as for `f1`.
    """
    other = Counts(
        *(counts.tn, counts.fn, counts.fp, counts.tp),
        *(counts.unparsed_no_error, counts.unparsed_error),
    )
    return (f1(counts, convention) + f1(other, convention)) / 2


def ruled(statistic: Statistic, right: ArrayLike, endorsed: ArrayLike) -> float:
    """A statistic of rulings on answers that are known to be right or wrong.

    Args:
        statistic: such as `macro_f1` and `balanced_accuracy`.
        right: per answer 1 if it is right, 0 if not; NaN leaves it out.
        endorsed: 1 where it was ruled correct, 0 where not; NaN leaves it out.
    """
    truth, rulings = checked("right", right), checked("endorsed", endorsed)
    check_lengths(right=truth, endorsed=rulings)
    known = ~np.isnan(truth + rulings)
    one = [0] * int(known.sum())
    table = cluster_counts(1 - truth[known], 1 - rulings[known], one)
    return float(statistic(Counts(*table.sum(axis=0)), "parsed"))
