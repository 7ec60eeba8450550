"""Which conditions are compared, on which samples, and what a report is made of.

Two conditions are paired only where their samples put the same answers to the same
judge, asked in the same way.
"""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.metrics.endorsement import ratio_difference
from inspect_debate.v1.metrics.paired import (
    DiD,
    Equivalence,
    McNemar,
    PairedDifference,
    did,
    equivalence,
    mcnemar,
)
from inspect_debate.v1.metrics.transitions import (
    Transitions,
    TransitionShares,
    transition_shares,
    transitions,
)
from inspect_debate.v1.reports.calls import Calls, read_with_calls
from inspect_debate.v1.reports.comparisons import SEED, in_words
from inspect_debate.v1.reports.conditions import (
    CONDITION,
    ConditionSamples,
    Grouped,
    text,
)
from inspect_debate.v1.reports.elements import counted
from inspect_debate.v1.reports.generative.rows import (
    ALPHA,
    CLEANED,
    KEYS,
    ORIGINAL,
    SAMPLE,
    TIER,
    Condition,
    Conditions,
    Rows,
    chosen,
    conditions,
    conditions_in,
    heading_of,
    items_of,
    joined,
    read_scores,
    tied,
)
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.reports.samples import Held
from inspect_debate.v1.solvers.formats import Interaction

MODELS = "Models and data"
"""The column of tables that heads groups of conditions."""

MARGINS = (0.05, 0.02)
"""Differences in verdict accuracy that would matter, the widest first."""

_SPEAKING: Mapping[Interaction, Sequence[Interaction]] = {
    "consultancy": ("debate",),
    "none": ("debate", "consultancy", "critique"),
}
"""What is compared with conditions of a way of speaking."""

# Which condition another is compared with.


def partner(
    found: Conditions,
    condition: Condition,
    interaction: Interaction,
    best_of: int | None = None,
) -> Condition | None:
    """The condition that another is compared with, with as many proposers.

    Of several, those whose verdicts and speeches were asked for alike are preferred,
    then the one with the same variant, then that without any, since not every format
    has every parameter.

    Args:
        found: As from `conditions_in`.
        condition: One of them.
        interaction: The way of speaking of the other.
        best_of: Its `best_of`; by default the same.

    Returns:
        The other; None where there is none, or several that fit equally well.
    """
    near = alike(found, condition, interaction, best_of)
    fitting = [of for of in near if not differences(found[condition], found[of])]
    left = fitting or near
    for variant in (condition.variant, ""):
        for other in left:
            if other.variant == variant:
                return other
    return left[0] if len(left) == 1 else None


def alike(
    found: Conditions,
    condition: Condition,
    interaction: Interaction,
    best_of: int | None = None,
) -> list[Condition]:
    """As `partner`, all that one could be compared with, whatever their variant."""
    # Without a transcript nothing is chosen, so `best_of` does not matter.
    number = 1 if interaction == "none" else best_of or condition.best_of
    wanted = condition._replace(interaction=interaction, best_of=number)
    return [of for of in found if of._replace(variant=condition.variant) == wanted]


def differences(a: Rows, b: Rows) -> list[str]:
    """What was set differently for the verdicts or speeches of two conditions.

    What only one of them has does not count: speeches where the other has none, the
    critic or the order of turns of a debate where the other is a consultancy, and the
    reward where the other has no candidates to choose from.

    Args:
        a: Rows of one condition.
        b: Rows of another.

    Returns:
        A few words for each, such as "verdict.temperature (0.5 against the default)".
    """
    found = [
        words
        for column in ("judging", "speaking")
        # Several in one condition differ as much as those of two.
        for one, other in itertools.combinations(
            dict.fromkeys([*a[column], *b[column]]), 2
        )
        for words in _apart(json.loads(one), json.loads(other))
    ]
    return list(dict.fromkeys(found))


def _apart(
    one: Mapping[str, Any], other: Mapping[str, Any], within: str = ""
) -> Iterator[str]:
    # Within the settings of a model, those that are not set are the default.
    names = [*one, *(name for name in other if name not in one)] if within else one
    for name in names:
        if not within and name not in other:
            continue
        a, b = one.get(name), other.get(name)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            yield from _apart(a, b, f"{name}.")
        elif a != b:
            values = ("the default" if of is None else text(of) for of in (a, b))
            yield f"{within}{name} ({' against '.join(values)})"


# Pairs of samples.


class PairingError(InputError):
    """Two conditions that must not be paired, and why."""


_ASKED = {"judge": "judges", "prompts": "prompts"}
_SAME = {
    "dataset": "data sets",
    "version": "versions of the data",
    "data": "sources or revisions of the data",
    **_ASKED,
}
_EXAMPLES = 3


def _states(rows: Rows) -> Rows:
    return rows[[*KEYS, "answer_set_id"]].assign(
        scored=rows["scored"] == 1,
        read=rows["verdict_ok"] == 1,
        decided=rows["verdict_tied"] != 1,
        known=rows["verdict_correct"].notna(),
    )


def _check_alike(
    a: Rows, b: Rows, what: str, same: Mapping[str, str], *, settings: bool = True
) -> None:
    for rows in (a, b):
        again = rows[rows.duplicated(KEYS)]
        if len(again):
            logs = ", ".join(sorted(rows["log"].unique()))
            raise PairingError(
                f"{what} cannot be paired: {counted(len(again), 'sample')} more than "
                f"once in {logs} (first: {_places(again)}); give one run of each "
                "condition, or runs of different samples."
            )
    for column, named in same.items():
        one, other = ({str(value) for value in rows[column]} for rows in (a, b))
        # Several in one run would differ as much as those of two.
        if len(one | other) > 1:
            raise PairingError(
                f"{what} have different {named}, so they are not paired: "
                f"{_listed(sorted(one))} against {_listed(sorted(other))}."
            )
    if settings and (apart := differences(a, b)):
        raise PairingError(
            f"{what} were not asked for alike, so they are not paired: "
            f"{'; '.join(apart)}."
        )


def _check_answers(both: Rows, what: str) -> None:
    one, other = both["answer_set_id a"], both["answer_set_id b"]
    apart = both[(one != other) | one.isna() | other.isna()]
    if len(apart):
        raise PairingError(
            f"{what} put different answers to the judge in {len(apart)} of "
            f"{len(both)} shared samples (first: {_places(apart)}), so they are not "
            "paired; run one of them with reuse=LOG of the other and "
            "reuse_until=answers."
        )


def _places(rows: Rows) -> str:
    places = zip(rows["question_id"], rows["epoch"], strict=True)
    return _listed([f"{question} epoch {epoch}" for question, epoch in places])


def _listed(names: Sequence[str]) -> str:
    more = ["..."] if len(names) > _EXAMPLES else []
    return ", ".join([*names[:_EXAMPLES], *more]) or "none"


# Comparisons of conditions, on the same answers.


@dataclass(frozen=True)
class Comparison:
    """A condition less the one that it is compared with, on the samples of both.

    Attributes:
        condition: The condition.
        other: What it is compared with.
        a: Rows of the other, each with a verdict of which it is known if it is right.
        b: Rows of the condition, on the same questions and epochs in the same order.
        drops: How many samples of either are left out, by cause.
    """

    condition: Condition
    other: Condition
    a: Rows
    b: Rows
    drops: Mapping[str, int]

    @property
    def samples(self) -> int:
        """How many samples both share."""
        return len(self.a)

    @property
    def left_out(self) -> str | None:
        """How many samples are left out, by cause; None where none is."""
        return in_words(self.drops) or None

    @property
    def questions(self) -> "pd.Series[str]":
        """The question of each sample, of which there may be several epochs."""
        return self.a["question_id"]

    @property
    def independent(self) -> bool:
        """Whether no two samples are about one question."""
        return not self.questions.duplicated().any()

    @property
    def verdicts(self) -> "tuple[pd.Series[float], pd.Series[float]]":
        """Whether the verdicts of the other and of the condition are right."""
        return self.a["verdict_correct"], self.b["verdict_correct"]

    @cached_property
    def test(self) -> McNemar:
        """McNemar's exact test, as in the study."""
        return mcnemar(*self.verdicts, exact=True)

    @property
    def p(self) -> float:
        """McNemar's p, or that of sign flips where questions have several epochs."""
        return self.test.p if self.independent else self.difference.p

    @property
    def flip_p(self) -> float | None:
        """The p of sign flips of questions where these have several epochs."""
        return None if self.independent else self.difference.p

    @cached_property
    def difference(self) -> PairedDifference:
        """Verdict accuracy of the condition less that of the other."""
        other, ours = self.verdicts
        every = np.ones(len(ours))
        return ratio_difference(other, every, ours, every, self.questions, seed=SEED)

    @cached_property
    def fpr(self) -> PairedDifference:
        """FPR of the condition less that of the other."""
        a, b = self.a, self.b
        counts = (a["fp"], a["n_wrong"], b["fp"], b["n_wrong"])
        return ratio_difference(*counts, self.questions, seed=SEED)

    @cached_property
    def moved(self) -> Transitions:
        """How verdicts move from the other condition to this one."""
        return transitions(*self.verdicts)

    @cached_property
    def shares(self) -> TransitionShares:
        """The shares of `moved`, with intervals."""
        return transition_shares(*self.verdicts, self.questions)

    @cached_property
    def equivalences(self) -> Sequence[Equivalence]:
        """Two one-sided tests for each of `MARGINS`."""
        other, ours = self.verdicts
        questions = self.questions
        return [equivalence(ours - other, questions, margin) for margin in MARGINS]

    @property
    def heading(self) -> str:
        """Models and data, as readers see them."""
        return heading_of(self.b)

    @property
    def title(self) -> str:
        """As `against` has it."""
        return against(self.condition, self.other)

    @property
    def compared(self) -> str:
        """The names of both."""
        return f"{self.condition.title} less {self.other.title}"

    def outcome(self, p: float) -> str:
        """Whether the condition loses, ties or wins at this p-value."""
        if not p < ALPHA:
            return "Ties"
        return "Wins" if self.difference.difference > 0 else "Loses"

    def within(self, tier: str) -> "Comparison":
        """The comparison on the questions of one tier."""
        keep = (self.a[TIER] == tier).to_numpy()
        return replace(self, a=self.a[keep], b=self.b[keep], drops={})


def against(condition: Condition, other: Condition) -> str:
    """A condition's name, with that of the other where that has own parameters."""
    if other.variant in ("", condition.variant):
        return condition.title
    return f"{condition.title} (against {other.title})"


def pair(
    found: Conditions, condition: Condition, other: Condition, *, tasks: bool = False
) -> Comparison:
    """Compare two conditions on question and epoch, on the same answers.

    Left out are samples and epochs that only one has, that failed or were not scored in
    either, without a readable verdict or with a tied one in either, and those with an
    answer that could not be graded.

    Args:
        found: The rows of all conditions.
        condition: One of them.
        other: What it is compared with.
        tasks: Whether the two are on tasks of two data sets with the same ids, so that
            data and answers may differ.

    Raises:
        PairingError: If either has a question and epoch twice; if data, judges,
            prompts, settings (see `differences`), or the answers that were put to the
            judge differ; or if no sample is left.
    """
    a, b, what = found[other], found[condition], _both_named(found, condition, other)
    _check_alike(a, b, what, _ASKED if tasks else _SAME)
    both = _states(a).merge(
        _states(b), on=KEYS, suffixes=(" a", " b"), how="outer", indicator=True
    )
    scored, read, decided, known = (
        both[f"{state} a"].eq(True) & both[f"{state} b"].eq(True)
        for state in ("scored", "read", "decided", "known")
    )
    if not tasks:
        _check_answers(both[scored], what)
    met = both["_merge"] == "both"
    question = both["question_id"]
    twice = question.isin(a["question_id"]) & question.isin(b["question_id"])
    causes = {
        "in one of the two only": ~met & ~twice,
        "epochs that only one of them has": ~met,
        "failed or not scored": ~scored,
        "verdict not read": ~read,
        "verdict tied": ~decided,
        "answer of unknown worth": ~known,
    }
    cause = np.select([*causes.values()], [*causes], default="")
    shared = both.loc[cause == "", KEYS]
    drops = {name: int((cause == name).sum()) for name in causes}
    drops = {name: number for name, number in drops.items() if number}
    if shared.empty:
        raise PairingError(f"{what} share no sample: {in_words(drops)}.")
    a, b = (shared.merge(of, on=KEYS, validate="one_to_one") for of in (a, b))
    return Comparison(condition, other, a, b, drops)


class Compared(NamedTuple):
    """All comparisons of one family of them.

    Attributes:
        made: The comparisons that have a sample.
        refused: Why others could not be made, in a sentence each.
    """

    made: Sequence[Comparison]
    refused: Sequence[str]


def _compare(
    found: Conditions,
    pairs: Iterable[tuple[Condition, Condition]],
    *,
    tasks: bool = False,
) -> Compared:
    """Compare the first condition of each pair with the second, as `pair` does."""
    made: list[Comparison] = []
    refused: list[str] = []
    for condition, other in pairs:
        try:
            made.append(pair(found, condition, other, tasks=tasks))
        except PairingError as error:
            refused.append(error.message)
    return Compared(made, refused)


def _both_named(found: Conditions, condition: Condition, other: Condition) -> str:
    """Models, data and the names of two conditions, with their data if it differs."""
    elsewhere = condition.benchmark != other.benchmark
    names = (
        f"{of.title} on {of.benchmark}" if elsewhere else of.title
        for of in (condition, other)
    )
    return f"{heading_of(found[condition])}: {' and '.join(names)}"


def _reasons(
    found: Conditions, condition: Condition, against: Interaction
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
            yield from _compare(found, [(condition, other)]).refused


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
    verdicts: Rows

    @property
    def title(self) -> str:
        """What it is about: "Dual, best of 4"."""
        kind = self.condition.kind.capitalize()
        return joined(kind, chosen(self.condition.best_of), *self.variants)

    @property
    def debate_gain(self) -> float:
        """What choosing adds to the accuracy of debate."""
        return self._gain("debate")

    @property
    def consultancy_gain(self) -> float:
        """What choosing adds to the accuracy of consultancy."""
        return self._gain("consultancy")

    def _gain(self, name: str) -> float:
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


def _four_of(found: Conditions, condition: Condition) -> Four | None:
    """A debate with chosen speeches beside the other three, on the samples of all.

    Returns:
        None where one of the four is missing, or they share no sample.

    Raises:
        PairingError: As `pair`.
    """
    first = partner(found, condition, "debate", best_of=1)
    consultancy = partner(found, condition, "consultancy")
    if first is None or consultancy is None:
        return None
    unchosen = partner(found, consultancy, "consultancy", best_of=1)
    if unchosen is None:
        return None
    others = {
        "debate_1": first,
        "consultancy_n": consultancy,
        "consultancy_1": unchosen,
    }
    rows = {"debate_n": found[condition]}
    rows |= {name: pair(found, condition, of).a for name, of in others.items()}
    verdicts = pd.concat(
        {n: of.set_index(KEYS)["verdict_correct"].dropna() for n, of in rows.items()},
        axis=1,
        join="inner",
    )
    if verdicts.empty:
        return None
    variants = list(dict.fromkeys(of.variant for of in (condition, *others.values())))
    return Four(condition, heading_of(found[condition]), variants, verdicts)


# The data of a report.

REACHING = pd.Index([*SAMPLE, "reaching"])
_REACHES = "reaches for"
"""What the note of a grade says where a solution uses what no solution needs."""


def _reaching(held: Held) -> list[tuple[object, ...]]:
    """How many passing answers of a debate reach for what no solution needs."""
    if held.record is None:
        return []
    found = sum(
        grade.status == "pass" and _REACHES in grade.note and not grade.reused
        for grade in held.record.grades
    )
    key = (held.log.header.eval.eval_id, str(held.sample.id), held.sample.epoch)
    return [(*key, found)] if found else []


@dataclass(frozen=True)
class Data:
    """All that a report shows.

    Attributes:
        items: As from `items_of`.
        logs: The logs.
        grouped: All samples by condition, as from `conditions`.
        calls: What the calls say.
        reaching: By sample how many answers passed and reach for what no solution
            needs.
    """

    items: Rows
    logs: Sequence[Log] = ()
    grouped: Grouped | None = None
    calls: Calls = field(default_factory=lambda: Calls({}, {}, ()))
    reaching: Rows = field(default_factory=lambda: pd.DataFrame(columns=REACHING))

    @property
    def judged(self) -> Rows:
        """The rows of conditions in which answers are judged."""
        return self.items[self.items["proposers"] > 0]

    @property
    def dual(self) -> Rows:
        """The rows of conditions in which two answers are judged."""
        return self.items[self.items["proposers"] == 2]

    @cached_property
    def conditions(self) -> Conditions:
        """The rows of each condition."""
        return conditions_in(self.items)

    @cached_property
    def consultancy(self) -> Compared:
        """Debates compared with consultancies."""
        return self._compared("consultancy")

    @cached_property
    def no_transcript(self) -> Compared:
        """Conditions with speeches compared with those without."""
        return self._compared("none")

    def _compared(self, against: Interaction) -> Compared:
        pairs: list[tuple[Condition, Condition]] = []
        reasons: list[str] = []
        for condition in self.conditions:
            if condition.interaction in _SPEAKING[against]:
                other = partner(self.conditions, condition, against)
                if other is None:
                    reasons += _reasons(self.conditions, condition, against)
                else:
                    pairs.append((condition, other))
        made, refused = _compare(self.conditions, pairs)
        return Compared(made, [*reasons, *refused])

    @cached_property
    def gains(self) -> Compared:
        """Conditions with chosen speeches compared with the same without a choice."""
        pairs = [
            (one, other)
            for one in self.conditions
            if one.best_of > 1
            and (other := partner(self.conditions, one, one.interaction, best_of=1))
        ]
        return _compare(self.conditions, pairs)

    @cached_property
    def fours(self) -> tuple[Sequence[Four], Sequence[str]]:
        """Differences in differences, and why others could not be made."""
        made: list[Four] = []
        refused: list[str] = []
        for condition in self.conditions:
            if condition.best_of > 1 and condition.interaction == "debate":
                try:
                    four = _four_of(self.conditions, condition)
                except PairingError as error:
                    refused.append(error.message)
                else:
                    made += [four] if four else []
        return made, refused

    @cached_property
    def cleaned(self) -> Compared:
        """Conditions on cleaned tasks compared with the same on the original ones."""
        found = self.conditions
        pairs: list[tuple[Condition, Condition]] = []
        reasons: list[str] = []
        for one in found:
            place = one._replace(dataset=ORIGINAL)
            others = [
                other
                for other in found
                if other._replace(version=one.version, variant=one.variant) == place
            ]
            if one.dataset == CLEANED and one.proposers:
                same = [other for other in others if other.variant == one.variant]
                pairs += [(one, other) for other in same]
                reasons += [
                    f"{_both_named(found, one, other)} have different parameters."
                    for other in others
                    if not same
                ]
        made, refused = _compare(found, pairs, tasks=True)
        return Compared(made, [*reasons, *refused])

    @cached_property
    def samples(self) -> list[ConditionSamples]:
        """The conditions, for the sections that all reports have."""
        return [_samples(of, rows) for of, rows in self.conditions.items()]


def _samples(condition: Condition, rows: Rows) -> ConditionSamples:
    one = rows.iloc[0]
    ties = tied(rows)
    return ConditionSamples(
        named={MODELS: heading_of(rows), CONDITION: condition.title},
        samples=rows,
        item="question_id",
        unknown=int((rows["verdict_ok"] == 0).sum()) if condition.proposers else None,
        told={"Tied": ties} if ties else {},
        debaters=[m for m in (one["debater"], one["debater_b"]) if m and m == m],
        judges=str(one["judge"]).split(", "),
    )


def read_data(logs: Sequence[Log]) -> Data | None:
    """Read the logs of a report; None where no sample was scored."""
    calls, seen = read_with_calls(
        logs, _reaching
    )  # first, as it reads what else is to be read beside
    grouped = conditions(read_scores(logs))
    if not grouped.frame["scored"].any():
        return None
    reaching = pd.DataFrame([row for one in seen for row in one], columns=REACHING)
    return Data(items_of(grouped), logs, grouped, calls, reaching)
