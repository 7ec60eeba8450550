"""Was the question answered right, whatever its passage says? (ClashEval, SR-DCR)"""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState
from numpy.typing import NDArray

from inspect_debate.debate.matching import right_answer, same_answer
from inspect_debate.debate.outcome import Outcome, judges_of
from inspect_debate.debate.record import DebateRecord, Kind, Status
from inspect_debate.metrics.abstention import Answered, by_condition
from inspect_debate.metrics.knowledge import biases, passage_alone, preferences
from inspect_debate.metrics.means import calibrated_choice
from inspect_debate.metrics.shares import share
from inspect_debate.metrics.transitions import settling_round
from inspect_debate.scorers.common import (
    NAN,
    Metrics,
    Values,
    by_bare_name,
    clusters,
    column,
    complete_record,
    keys,
    score_of,
    with_ends,
)
from inspect_debate.solvers.clash import (
    CRITIC,
    DEFENDER,
    TWO_ANSWERS,
    arbitration_card,
    arms_of,
    decision,
    judged_rounds,
    own_arm,
    verdict_after,
)
from inspect_debate.solvers.naive_debate import all_agree
from inspect_debate.solvers.self_confidence import answer_of, on_one_scale

# Metrics over ClashEval's scores: accuracy with right and with perturbed passages.
#
# The values come from the scorer `clash`. Every metric reads unreduced scores, so that
# epochs count as they are; the two halves of a question are a cluster.

Numbers = NDArray[np.float64]

_CALIBRATED = "calibrated_token_prob"


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


_FOR_PASSAGE = ("reasonable", "contextual")
"""The verdicts that take the passage's side."""


UNDECIDED = ("abstained", "tied", *(status for status in Status if status != "ok"))
"""Why the protocol's own arm may give no answer."""


class Facts(NamedTuple):
    """What is known of an item, and to no participant.

    `standard` tells whether the passage is right, None where that is not known.
    `severity` is 0 where the passage is right; `offset` is in years, NaN in other
    domains; `says` is the answer that the passage gives, None where that is not known.
    """

    gold: str
    standard: bool | None
    severity: float
    offset: float
    says: str | None


def facts_of(target: str, metadata: Mapping[str, Any]) -> Facts:
    """The facts of a sample, from its target and metadata."""
    offset, says = metadata.get("offset"), metadata.get("passage_answer")
    known = {"standard": True, "perturbed": False}
    standard = known.get(str(metadata.get("condition")))
    severity = metadata.get("severity")
    return Facts(
        gold=target,
        standard=standard,
        severity=(0.0 if standard else NAN) if severity is None else float(severity),
        offset=NAN if offset is None else float(offset),
        says=None if says is None else str(says),
    )


def decided(record: DebateRecord, arm: str, facts: Facts) -> Outcome:
    """What an arm answers; `golden` takes the passage's answer where that is right."""
    if arm == "golden" and facts.standard is not None:
        arm = "few_shot" if facts.standard else "prior"
    return decision(record, arm)


def clash_values(record: DebateRecord, facts: Facts) -> Values:
    """Whether each arm is right, and what it took.

    For each arm: `strict_<arm>` (the very words of the right answer) and
    `normalised_<arm>` (the same answer), 1 or 0, which an abstention is, too; NaN where
    there is no answer because something could not be read. Where the verdicts of
    `judge_debate` are tied, each of its two answers counts half. `answered_<arm>` is 0
    for an abstention. `context_<arm>` and `prior_<arm>` tell whether it answers what
    the passage says, and what the model says from memory.

    `correct` is `strict` of the protocol's own arm. `agree` tells whether the answers
    from memory and from the passage are the same; `p_prior` and `p_contextual` are
    their confidences. `verdict_<round>` is 1 where the verdict after a round takes the
    passage's side; `settled` the round from which all verdicts are the same.
    In a debate among agents `first_answers_same` is 1 where the first answers of all
    agents say the same, and nothing is left to debate; NaN where one was not read.
    `outcome_<why>` tells why the own arm has no answer; answers, speeches (critiques
    among them) and verdicts are counted by how they were read.
    """
    values: Values = {
        "standard": NAN if facts.standard is None else float(facts.standard),
        "severity": facts.severity,
        "offset": facts.offset,
    }
    for arm in arms_of(record):
        values |= arm_values(record, decided(record, arm, facts), arm, facts)
    values["correct"] = values.get(f"strict_{own_arm(record)}", NAN)
    if set(TWO_ANSWERS) <= set(arms_of(record)):
        values |= _two_answers(record)
    if record.protocol == "naive_debate":
        rounds = {turn.round for turn in record.turns}
        values["rounds_held"] = float(len(rounds))
        first = record.of_kind("answer")
        read = all(turn.field("answer").status == Status.OK for turn in first)
        values["first_answers_same"] = float(all_agree(first)) if read else NAN
    values |= _verdicts(record, facts)
    own = decided(record, own_arm(record), facts)
    values |= {f"outcome_{why}": float(own.status == why) for why in UNDECIDED}
    values |= statuses(record, "answers", "answer", ("answer", "update"))
    values |= statuses(record, "speeches", "speech", ("speech", "critique"))
    return values


def statuses(
    record: DebateRecord, name: str, field: str, kinds: Sequence[Kind]
) -> Values:
    """How many turns of some kinds were read, and how many not, by reason."""
    asked = [turn.field(field).status for turn in record.turns if turn.kind in kinds]
    return {f"{name}_{status}": asked.count(status) for status in Status}


def arm_values(
    record: DebateRecord, outcome: Outcome, name: str, facts: Facts
) -> Values:
    """One arm's values, under its name.

    Where verdicts between the two answers of a judged debate are tied, as between the
    orders of `order=both`, each answer counts half.
    """
    if outcome.status == "tied" and record.protocol == "judge_debate":
        sides = [decision(record, arm) for arm in ("few_shot", "prior")]
        each = [arm_values(record, side, name, facts) for side in sides]
        return {key: (each[0][key] + each[1][key]) / 2 for key in each[0]}
    given, prior = outcome.answer, answer_of(record, CRITIC).value
    says = facts.says
    if given is None:
        abstained = 0.0 if outcome.status == "abstained" else NAN
        strict = normalised = answered = abstained
        context = NAN if says is None else abstained
        kept = NAN if prior is None else abstained
    else:
        strict, answered = float(given == facts.gold), 1.0
        normalised = float(right_answer(given, facts.gold))
        context = NAN if says is None else float(right_answer(given, says))
        kept = NAN if prior is None else float(same_answer(given, str(prior)))
    return {
        f"strict_{name}": strict,
        f"normalised_{name}": normalised,
        f"answered_{name}": answered,
        f"context_{name}": context,
        f"prior_{name}": kept,
    }


def _two_answers(record: DebateRecord) -> Values:
    prior, contextual = answer_of(record, CRITIC), answer_of(record, DEFENDER)
    both = prior.value is not None and contextual.value is not None
    return {
        "agree": float(same_answer(str(prior.value), str(contextual.value)))
        if both
        else NAN,
        **_probabilities(record),
    }


def _probabilities(record: DebateRecord) -> Values:
    """The confidences of both answers, from one source; NaN where none has both."""
    source, found = on_one_scale(record, CRITIC, DEFENDER)
    prior, contextual = found if source is not None else (NAN, NAN)
    return {"p_prior": prior, "p_contextual": contextual}


def _verdicts(record: DebateRecord, facts: Facts) -> Values:
    """The series of verdicts: all judges' and orders', and each one's own."""
    if not record.protocol.startswith(("srdcr", "acvd", "judge_debate")):
        return {}
    rounds = judged_rounds(record)
    series = [_for_passage(verdict_after(record, round)) for round in rounds]
    values: Values = {f"verdict_{r}": v for r, v in zip(rounds, series, strict=True)}
    settled = float(settling_round([series])[0])
    values["settled"] = NAN if isnan(settled) else float(rounds[int(settled)])
    own, bench = own_arm(record), judges_of(record)
    if len(bench) > 1:
        for judge in bench:
            values |= {
                f"verdict_{r}_{judge}": _for_passage(verdict_after(record, r, judge))
                for r in rounds
            }
            alone = decision(record, own, judge=judge)
            values |= arm_values(record, alone, f"{own}_{judge}", facts)
    if record.parameters.get("order") == "both":
        for order in ("ab", "ba"):
            shown = decision(record, own, order="ab" if order == "ab" else "ba")
            values |= arm_values(record, shown, f"{own}_{order}", facts)
    field = "answer" if record.protocol == "judge_debate" else "verdict"
    return values | statuses(record, "verdicts", field, ("verdict",))


def _for_passage(verdict: Outcome) -> float:
    return NAN if verdict.answer is None else float(verdict.answer in _FOR_PASSAGE)


_METRICS: Metrics = CLASH_METRICS


@scorer(metrics=_METRICS)
def clash() -> Scorer:
    """Right answers with right and with perturbed passages, in every arm of the run.

    Returns:
        A scorer whose values are those of `clash_values` and the common ones.
    """

    async def score(state: TaskState, target: Target) -> Score:
        record = complete_record(state)
        if isinstance(record, Score):
            return record
        facts = facts_of(target.text, state.metadata or {})
        scored = score_of(
            record,
            target,
            clash_values(record, facts),
            explanation=explanation(record, facts),
            metadata={"arm": own_arm(record)},
        )
        own = decided(record, own_arm(record), facts)
        scored.answer = own.answer or f"({own.status})"
        return scored

    return score


by_bare_name("clash", clash, _METRICS)


def explanation(record: DebateRecord, facts: Facts) -> str:
    """The right answer, what the passage says, and what every arm answers."""
    passage = {
        True: "right",
        False: f"perturbed, severity {facts.severity:g}",
        None: "right or wrong, which is not known",
    }[facts.standard]
    return "\n\n".join(
        [
            f"**Right answer:** {facts.gold}  \n**Passage:** {passage}; "
            f"it says {facts.says or '(not known)'}",
            arbitration_card(record),
        ]
    )
