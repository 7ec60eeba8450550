"""Rates with intervals and paired comparisons, and all data that a report shows."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.dependence import clustered_mean
from inspect_debate.metrics.endorsement import endorsement_rate, ratio_difference
from inspect_debate.metrics.intervals import Array, cluster_interval, cluster_sums
from inspect_debate.metrics.means import cluster_means, pooled_mean
from inspect_debate.metrics.paired import (
    DiD,
    Equivalence,
    McNemar,
    PairedDifference,
    cluster_sign_flip,
    did,
    equivalence,
    mcnemar,
)
from inspect_debate.metrics.transitions import (
    Transitions,
    TransitionShares,
    transition_shares,
    transitions,
)
from inspect_debate.reports.comparisons import SEED, in_words
from inspect_debate.reports.conditions import CONDITION, ConditionSamples, Grouped
from inspect_debate.reports.estimates import Estimate, of_mean
from inspect_debate.reports.generative.rows import (
    ALPHA,
    CLEANED,
    KEYS,
    KINDS,
    ORIGINAL,
    TIER,
    Condition,
    Conditions,
    Paired,
    PairingError,
    alike,
    conditions,
    conditions_in,
    items_of,
    pair_tasks,
    pair_up,
    partner,
    read_scores,
)
from inspect_debate.reports.generative.specification import (
    NO_RECORDS,
    Records,
    read_records,
)
from inspect_debate.reports.logs import Log
from inspect_debate.solvers.formats import Interaction

MODELS = "Models and data"
"""The column of tables that heads groups of conditions."""

# Statistics of rows, clustered by question.

Rows = pd.DataFrame


def ratio(rows: Rows, part: "pd.Series[float]", whole: "pd.Series[float]") -> Estimate:
    """A ratio of sums, clustered by question; rows with NaN in `part` do not count."""
    return Estimate(*endorsement_rate(part, whole, rows["question_id"])[:3])


def share(rows: Rows, values: "pd.Series[float]") -> Estimate:
    """The mean of shares from 0 to 1 over the rows that have one."""
    return ratio(rows, values, values.notna().astype(float))


def fpr(rows: Rows) -> Estimate:
    """The share of the wrong answers that the judge calls correct."""
    return ratio(rows, rows["fp"], rows["n_wrong"])


def fnr(rows: Rows) -> Estimate:
    """The share of the right answers that the judge calls incorrect."""
    return ratio(rows, rows["fn"], rows["n_right"])


def accuracy(rows: Rows) -> Estimate:
    """The share of the readable verdicts that are right about every answer."""
    return share(rows, rows["verdict_correct"])


def tied(rows: Rows) -> int:
    """On how many samples the judges of a panel tie, so that there is no verdict."""
    return int((rows["verdict_tied"] == 1).sum())


def flip_test(rows: Rows, values: "pd.Series[float]") -> tuple[Estimate, float]:
    """The mean of differences from -1 to 1 within samples, and the p of sign flips."""
    questions, known = rows["question_id"], values.notna()
    mean = of_mean(clustered_mean(values, questions), (-1, 1))
    if not known.any():
        return mean, np.nan
    return mean, cluster_sign_flip(values[known], list(questions[known]), seed=SEED)


def interval(found: Sequence[float]) -> Estimate:
    """A difference with its interval, without its p-value."""
    return Estimate(*found[:3])


def question_mean(rows: Rows, values: "pd.Series[float]", reach: float = 1) -> Estimate:
    """The mean of the questions' means of values from -`reach` to `reach`."""
    found = pooled_mean(cluster_means(values, rows["question_id"]))
    return of_mean(found, (-reach, reach))


def excess(rows: Rows, *, within_truth: bool) -> Estimate:
    """Win-win verdicts beyond those of a judge that rules on each answer by itself.

    Args:
        rows: Samples with rulings on both answers, of known worth.
        within_truth: Whether rulings are taken as independent given which of the
            answers are right, or altogether.

    Returns:
        The share of win-win verdicts less the product of the shares in which A and in
        which B is called correct (given the truth: the mean of that over samples), from
        -0.25 to 0.25, clustered by question.
    """
    worth = (2 * rows["right_a"] + rows["right_b"]) * within_truth
    kinds = itertools.product(range(4), repeat=2)
    cells = [(worth == w) & (rows["verdict_class"] == v) for w, v in kinds]
    table = np.stack(cells, axis=1).astype(float)
    counts = cluster_sums(table, rows["question_id"])
    if not len(counts):
        return Estimate(*[np.nan] * 3)
    low, high = cluster_interval(_excess, counts, bounds=(-0.25, 0.25))
    return Estimate(_excess(counts.sum(axis=0)), low, high)


def _excess(totals: Array) -> float:
    """Of the numbers (4 truths x none, A, B, both endorsed), flat."""
    cells = totals.reshape(4, 4)
    cells = cells[cells.sum(axis=1) > 0]
    rounds = cells.sum(axis=1)
    a, b = cells[:, [1, 3]].sum(axis=1), cells[:, [2, 3]].sum(axis=1)
    return float((cells[:, 3] - a * b / rounds).sum() / rounds.sum())


# Comparisons of conditions, on the same answers.

Against = Literal["consultancy", "none"]

_SPEAKING: Mapping[Against, Sequence[Interaction]] = {
    "consultancy": ("debate",),
    "none": ("debate", "consultancy"),
}

MARGINS = (0.05, 0.02)
"""Differences in verdict accuracy that would matter, the widest first."""


@dataclass(frozen=True)
class Comparison:
    """A condition less the one that it is compared with.

    Attributes:
        condition: The condition.
        other: What it is compared with.
        paired: The samples of the other and of the condition, in this order.
    """

    condition: Condition
    other: Condition
    paired: Paired

    @cached_property
    def test(self) -> McNemar:
        """McNemar's exact test, as in the study."""
        return mcnemar(*self._right, exact=True)

    @property
    def p(self) -> float:
        """McNemar's p, or that of sign flips where questions have several epochs."""
        return self.test.p if self.paired.independent else self.difference.p

    @cached_property
    def difference(self) -> PairedDifference:
        """Verdict accuracy of the condition less that of the other."""
        other, ours = self._right
        every = np.ones(len(ours))
        return ratio_difference(
            other, every, ours, every, self.paired.questions, seed=SEED
        )

    @cached_property
    def fpr(self) -> PairedDifference:
        """FPR of the condition less that of the other."""
        a, b = self.paired.a, self.paired.b
        counts = (a["fp"], a["n_wrong"], b["fp"], b["n_wrong"])
        return ratio_difference(*counts, self.paired.questions, seed=SEED)

    @cached_property
    def moved(self) -> Transitions:
        """How verdicts move from the other condition to this one."""
        return transitions(*self._right)

    @cached_property
    def shares(self) -> TransitionShares:
        """The shares of `moved`, with intervals."""
        return transition_shares(*self._right, self.paired.questions)

    @cached_property
    def equivalences(self) -> Sequence[Equivalence]:
        """Two one-sided tests for each of `MARGINS`."""
        other, ours = self._right
        questions = self.paired.questions
        return [equivalence(ours - other, questions, margin) for margin in MARGINS]

    @property
    def heading(self) -> str:
        """Models and data, as readers see them."""
        return heading_of(self.paired.b)

    @property
    def title(self) -> str:
        """The name of the condition, and of the other where that has own parameters."""
        if self.other.variant in ("", self.condition.variant):
            return self.condition.title
        return f"{self.condition.title} (against {self.other.title})"

    @property
    def compared(self) -> str:
        """The names of both."""
        return f"{self.condition.title} less {self.other.title}"

    def within(self, tier: str) -> "Comparison":
        """The comparison on the questions of one tier."""
        a, b = self.paired.a, self.paired.b
        keep = (a[TIER] == tier).to_numpy()
        return Comparison(self.condition, self.other, Paired(a[keep], b[keep], {}))

    @property
    def _right(self) -> "tuple[pd.Series[float], pd.Series[float]]":
        return self.paired.a["verdict_correct"], self.paired.b["verdict_correct"]


class Compared(NamedTuple):
    """All comparisons of one family of them.

    Attributes:
        made: The comparisons that have a sample.
        refused: Why others could not be made, in a sentence each.
    """

    made: Sequence[Comparison]
    refused: Sequence[str]


def heading_of(rows: pd.DataFrame) -> str:
    """Models and data of some rows, as readers see them."""
    return str(rows["heading"].iloc[0])


def compare(items: pd.DataFrame, against: Against) -> Compared:
    """Compare conditions with a consultancy, or with one without a transcript.

    Args:
        items: As from `items_of`.
        against: The way of speaking of what conditions are compared with.
    """
    found = conditions_in(items)
    pairs: list[tuple[Condition, Condition]] = []
    reasons: list[str] = []
    for condition in found:
        if condition.proposers and condition.interaction in _SPEAKING[against]:
            other = partner(found, condition, against)
            if other is None:
                reasons += _reasons(found, condition, against)
            else:
                pairs.append((condition, other))
    made, refused = compared(found, pairs)
    return Compared(made, [*reasons, *refused])


def compared(
    found: Conditions,
    pairs: Iterable[tuple[Condition, Condition]],
    pairing: Callable[..., Paired] = pair_up,
) -> Compared:
    """Compare the conditions of each pair.

    Args:
        found: The rows of all conditions.
        pairs: A condition, and what it is compared with.
        pairing: `pair_up` or `pair_tasks`.
    """
    made: list[Comparison] = []
    refused: list[str] = []
    for condition, other in pairs:
        what = both_named(found, condition, other)
        try:
            paired = pairing(found[other], found[condition], what=what)
        except PairingError as error:
            refused.append(error.message)
            continue
        if len(paired.a):
            made.append(Comparison(condition, other, paired))
        else:
            refused.append(f"{what} share no sample: {in_words(paired.drops)}.")
    return Compared(made, refused)


def both_named(found: Conditions, condition: Condition, other: Condition) -> str:
    """Models, data and the names of two conditions, with their data if it differs."""
    elsewhere = condition.benchmark != other.benchmark
    names = (
        f"{of.title} on {of.benchmark}" if elsewhere else of.title
        for of in (condition, other)
    )
    return f"{heading_of(found[condition])}: {' and '.join(names)}"


def _reasons(
    found: Conditions, condition: Condition, against: Against
) -> Iterator[str]:
    """Why a condition is compared with nothing, though there are others of that kind.

    These are several with other parameters, or one with another judge or other data.
    """
    if near := alike(found, condition, against):
        yield (
            f"{heading_of(found[condition])}: {condition.title} could be compared with "
            "several conditions, none of which has its parameters: "
            f"{'; '.join(other.title for other in near)}."
        )
        return
    for other in found:
        debaters = {found[of]["debater"].iloc[0] for of in (condition, other)}
        elsewhere = condition._replace(
            family=other.family, version=other.version, split=other.split
        )
        if len(debaters) == 1 and other in alike(found, elsewhere, against):
            what = both_named(found, condition, other)
            try:
                pair_up(found[other], found[condition], what=what)
            except PairingError as error:
                yield error.message


def outcome(comparison: Comparison, p: float) -> str:
    """Whether the condition loses, ties or wins at this p-value."""
    if not p < ALPHA:
        return "Ties"
    return "Wins" if comparison.difference.difference > 0 else "Loses"


@dataclass(frozen=True)
class Four:
    """A debate with chosen speeches, that without, and both consultancies.

    Attributes:
        condition: The debate with chosen speeches.
        heading: Its models and data.
        variants: What of the four differs from the study's defaults.
        verdicts: Whether verdicts are right, by question and epoch, on the samples that
            all have: the columns `debate_1`, `debate_n`, `consultancy_1` and
            `consultancy_n`.
    """

    condition: Condition
    heading: str
    variants: Sequence[str]
    verdicts: pd.DataFrame

    @property
    def title(self) -> str:
        """What it is about: "Dual, best of 4"."""
        kind = KINDS[self.condition.proposers].capitalize()
        told = [kind, f"best of {self.condition.best_of}", *self.variants]
        return ", ".join(filter(None, told))

    def gain(self, name: str) -> float:
        """What choosing adds to the accuracy of `debate` or `consultancy`."""
        means = self.verdicts.mean()
        return float(means[f"{name}_n"] - means[f"{name}_1"])

    @cached_property
    def tested(self) -> DiD:
        """The difference in differences."""
        found = self.verdicts
        return did(
            found["debate_1"],
            found["debate_n"],
            found["consultancy_1"],
            found["consultancy_n"],
            found.index.get_level_values("question_id"),
            seed=SEED,
        )


def without_choice(found: Conditions, condition: Condition) -> Condition | None:
    """The same condition with the first speeches, not the best of several."""
    return partner(found, condition, condition.interaction, best_of=1)


def four_of(found: Conditions, condition: Condition) -> Four | None:
    """A debate with chosen speeches beside the other three, on the samples of all.

    Args:
        found: As from `conditions_in`.
        condition: The debate with chosen speeches.

    Returns:
        None where one of the four is missing, or they share no sample.

    Raises:
        PairingError: As `pair_up`.
    """
    consultancy = partner(found, condition, "consultancy")
    others = (
        without_choice(found, condition),
        consultancy,
        consultancy and without_choice(found, consultancy),
    )
    there = [other for other in others if other is not None]
    if len(there) < len(others):
        return None
    rows = [found[condition]]
    for other in there:
        what = both_named(found, condition, other)
        rows.append(pair_up(found[condition], found[other], what=what).b)
    verdicts = pd.concat(
        [of.set_index(KEYS)["verdict_correct"].dropna() for of in rows],
        axis=1,
        join="inner",
        keys=("debate_n", "debate_1", "consultancy_n", "consultancy_1"),
    )
    if verdicts.empty:
        return None
    variants = list(dict.fromkeys(of.variant for of in (condition, *there)))
    return Four(condition, heading_of(found[condition]), variants, verdicts)


def cleaned_pairs(found: Conditions) -> Iterator[tuple[Condition, Condition]]:
    """Conditions on either data; those of other parameters only without any other."""
    for condition in found:
        if condition.dataset != CLEANED or not condition.proposers:
            continue
        place = condition._replace(dataset=ORIGINAL)
        others = [
            other
            for other in found
            if other._replace(version=condition.version, variant=condition.variant)
            == place
        ]
        same = [other for other in others if other.variant == condition.variant]
        yield from ((condition, other) for other in same or others)


# The data of a report.


@dataclass(frozen=True)
class Data:
    """All that a report shows.

    Attributes:
        items: As from `items_of`.
        logs: The logs.
        grouped: All samples by condition, as from `conditions`.
        records: What the records say.
    """

    items: pd.DataFrame
    logs: Sequence[Log] = ()
    grouped: Grouped | None = None
    records: Records = NO_RECORDS

    @property
    def judged(self) -> pd.DataFrame:
        """The rows of conditions in which answers are judged."""
        return self.items[self.items["proposers"] > 0]

    @property
    def ruled(self) -> pd.DataFrame:
        """The rows with a readable ruling on either of two answers."""
        items = self.items
        return items[(items["proposers"] == 2) & items["verdict_class"].notna()]

    @cached_property
    def conditions(self) -> Conditions:
        """The rows of each condition."""
        return conditions_in(self.items)

    @cached_property
    def consultancy(self) -> Compared:
        """Debates compared with consultancies."""
        return compare(self.items, "consultancy")

    @cached_property
    def no_transcript(self) -> Compared:
        """Conditions with speeches compared with those without."""
        return compare(self.items, "none")

    @cached_property
    def gains(self) -> Compared:
        """Conditions with chosen speeches compared with the same without a choice."""
        pairs = [
            (condition, other)
            for condition in self.conditions
            if condition.best_of > 1
            and (other := without_choice(self.conditions, condition)) is not None
        ]
        return compared(self.conditions, pairs)

    @cached_property
    def fours(self) -> tuple[Sequence[Four], Sequence[str]]:
        """Differences in differences, and why others could not be made."""
        made: list[Four] = []
        refused: list[str] = []
        for condition in self.conditions:
            if condition.best_of > 1 and condition.interaction == "debate":
                try:
                    four = four_of(self.conditions, condition)
                except PairingError as error:
                    refused.append(error.message)
                else:
                    made += [four] if four else []
        return made, refused

    @cached_property
    def cleaned(self) -> Compared:
        """Conditions on cleaned tasks compared with the same on the original ones."""
        pairs = list(cleaned_pairs(self.conditions))
        alike = [(one, other) for one, other in pairs if one.variant == other.variant]
        made, refused = compared(self.conditions, alike, pair_tasks)
        others = [
            f"{both_named(self.conditions, *pair)} have different parameters."
            for pair in pairs
            if pair not in alike
        ]
        return Compared(made, [*others, *refused])

    @cached_property
    def samples(self) -> list[ConditionSamples]:
        """The conditions, for the sections that all reports have."""
        return [
            _samples(condition, rows) for condition, rows in self.conditions.items()
        ]


def read_data(logs: Sequence[Log]) -> Data | None:
    """Read the logs of a report; None where no sample was scored."""
    records = read_records(logs)  # first, as it reads what else is to be read beside
    grouped = conditions(read_scores(logs))
    if not grouped.frame["scored"].any():
        return None
    return Data(items_of(grouped), logs, grouped, records)


def _samples(condition: Condition, rows: pd.DataFrame) -> ConditionSamples:
    one = rows.iloc[0]
    split = tied(rows)
    return ConditionSamples(
        named={MODELS: heading_of(rows), CONDITION: condition.title},
        samples=rows,
        item="question_id",
        unknown=int((rows["verdict_ok"] == 0).sum()) if condition.proposers else None,
        told={"Tied": split} if split else {},
        debaters=[m for m in (one["debater"], one["debater_b"]) if m and m == m],
        judges=str(one["judge"]).split(", "),
    )
