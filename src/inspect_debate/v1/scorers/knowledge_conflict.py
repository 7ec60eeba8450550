"""Was the question answered right, whatever its passage says? (ClashEval, SR-DCR)"""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np
from inspect_ai.scorer import SampleScore, Score, Target, Value
from inspect_ai.solver import TaskState
from numpy.typing import NDArray

from inspect_debate.v1.debate.matching import right_answer, same_answer
from inspect_debate.v1.debate.outcome import Outcome, judges_of, own_condition
from inspect_debate.v1.debate.record import DebateRecord, Kind, Status
from inspect_debate.v1.metrics.transitions import settling_round
from inspect_debate.v1.scorers.common import (
    NAN,
    RecordScorer,
    Values,
    by_status,
    column,
    common_values,
    estimate,
    mean,
    over_scores,
    record_scorer,
    score_of,
)
from inspect_debate.v1.solvers.knowledge_conflict import (
    CRITIC,
    DEFENDER,
    TWO_ANSWERS,
    conditions_of,
    decision,
    decision_card,
    judged_rounds,
    verdict_after,
)
from inspect_debate.v1.solvers.naive_debate import all_agree
from inspect_debate.v1.solvers.self_confidence import answer_of, on_one_scale

_FOR_PASSAGE = ("reasonable", "contextual")
"""The verdicts that take the passage's side."""


UNDECIDED = ("abstained", "tied", *(status for status in Status if status != "ok"))
"""Why the protocol's own condition may give no answer."""


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


def decided(record: DebateRecord, condition: str, facts: Facts) -> Outcome:
    """A condition's answer; `golden` takes the passage's where that is right."""
    if condition == "golden" and facts.standard is not None:
        condition = "few_shot" if facts.standard else "prior"
    return decision(record, condition)


def conflict_values(record: DebateRecord, facts: Facts) -> Values:
    """Whether each condition is right, and what it took.

    For each condition: `strict_<condition>` (the very words of the right answer) and
    `normalised_<condition>` (the same answer), 1 or 0, which an abstention is, too; NaN
    where there is no answer because something could not be read. Where the verdicts of
    `judge_debate` are tied, each of its two answers counts half. `answered_<condition>`
    is 0 for an abstention. `context_<condition>` and `prior_<condition>` tell whether
    it answers what the passage says, and what the model says from memory.

    `correct` is `strict` of the protocol's own condition. `agree` tells whether the
    answers from memory and from the passage are the same; `p_prior` and `p_contextual`
    are their confidences. `verdict_<round>` is 1 where the verdict after a round takes
    the passage's side; `settled` the round from which all verdicts are the same. In a
    debate among agents `first_answers_same` is 1 where the first answers of all agents
    say the same, and nothing is left to debate; NaN where one was not read.
    `outcome_<why>` tells why the own condition has no answer; answers, speeches
    (critiques among them) and verdicts are counted by how they were read.
    """
    values: Values = {
        "standard": NAN if facts.standard is None else float(facts.standard),
        "severity": facts.severity,
        "offset": facts.offset,
    }
    for condition in conditions_of(record):
        values |= condition_values(
            record, decided(record, condition, facts), condition, facts
        )
    values["correct"] = values.get(f"strict_{own_condition(record)}", NAN)
    if set(TWO_ANSWERS) <= set(conditions_of(record)):
        values |= _two_answers(record)
    if record.protocol == "naive_debate":
        rounds = {turn.round for turn in record.turns}
        values["rounds_held"] = float(len(rounds))
        first = record.of_kind("answer")
        read = all(turn.field("answer").status == Status.OK for turn in first)
        values["first_answers_same"] = float(all_agree(first)) if read else NAN
    values |= _verdicts(record, facts)
    own = decided(record, own_condition(record), facts)
    values |= {f"outcome_{why}": float(own.status == why) for why in UNDECIDED}
    values |= _statuses(record, "answers", "answer", "answer", "update")
    values |= _statuses(record, "speeches", "speech", "speech", "critique")
    return values


def _statuses(record: DebateRecord, name: str, field: str, *kinds: Kind) -> Values:
    return by_status(name, (t.field(field) for t in record.turns if t.kind in kinds))


def condition_values(
    record: DebateRecord, outcome: Outcome, name: str, facts: Facts
) -> Values:
    """One condition's values, under its name.

    Where verdicts between the two answers of a judged debate are tied, as between the
    orders of `order=both`, each answer counts half.
    """
    if outcome.status == "tied" and record.protocol == "judge_debate":
        sides = [decision(record, condition) for condition in ("few_shot", "prior")]
        each = [condition_values(record, side, name, facts) for side in sides]
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
    own, panel = own_condition(record), judges_of(record)
    if len(panel) > 1:
        for judge in panel:
            values |= {
                f"verdict_{r}_{judge}": _for_passage(verdict_after(record, r, judge))
                for r in rounds
            }
            alone = decision(record, own, judge=judge)
            values |= condition_values(record, alone, f"{own}_{judge}", facts)
    if record.parameters.get("order") == "both":
        for order in ("ab", "ba"):
            shown = decision(record, own, order="ab" if order == "ab" else "ba")
            values |= condition_values(record, shown, f"{own}_{order}", facts)
    field = "answer" if record.protocol == "judge_debate" else "verdict"
    return values | _statuses(record, "verdicts", field, "verdict")


def _for_passage(verdict: Outcome) -> float:
    return NAN if verdict.answer is None else float(verdict.answer in _FOR_PASSAGE)


@over_scores
def accuracy(scores: list[SampleScore]) -> Value:
    """Strict accuracy with right and with perturbed passages, and abstentions.

    `overall` is the mean of `standard` (passages that are right) and `perturbed`
    (passages that are not); an abstention is not right. Where nothing is known of
    passages, `overall` is over all questions. Each with its standard error, clustered
    by question.
    """
    right, standard = column(scores, "correct"), _standard(scores)
    halves = [np.where(standard == half, right, NAN) for half in (1, 0)]
    both = [part for half in halves for part in (half, ~np.isnan(half))]
    known = ~np.isnan(standard).all() if scores else False
    overall = (
        estimate("overall", scores, _mean_of_halves, *both)
        if known
        else mean("overall", scores, right)
    )
    return {
        **overall,
        **mean("standard", scores, halves[0]),
        **mean("perturbed", scores, halves[1]),
        **mean("abstained", scores, column(scores, "abstained")),
    }


def _standard(scores: Sequence[SampleScore]) -> NDArray[np.float64]:
    """1 where the passage is right, 0 where not, NaN where that is not known."""
    of = [facts_of("", score.sample_metadata or {}).standard for score in scores]
    return np.array([NAN if known is None else known for known in of], dtype=float)


def _mean_of_halves(totals: NDArray[np.float64]) -> float:
    right, items = totals[[0, 2]], totals[[1, 3]]
    return float(np.mean(right / items)) if items.all() else NAN


@record_scorer(accuracy, "srdcr")
def clash() -> RecordScorer:
    """Right answers with right and with perturbed passages.

    Returns:
        A scorer with the values `correct` (the very words of the right answer; 0 where
        the protocol abstained, NaN where something could not be read),
        `correct_normalised` (the same answer in other words), `abstained`,
        `same_answers` (from memory and from the passage; in a debate among agents the
        first answers of all), and the new `calls` and `tokens`.
    """

    def score(record: DebateRecord, state: TaskState, target: Target) -> Score:
        facts = facts_of(target.text, state.metadata or {})
        own = decided(record, own_condition(record), facts)
        scored = score_of(
            record,
            _values(record, facts),
            explanation=explanation(record, facts),
            metadata={"arm": own_condition(record), "status": own.status},
        )
        scored.answer = own.answer or f"({own.status})"
        return scored

    return score


def _values(record: DebateRecord, facts: Facts) -> Values:
    found, spent = conflict_values(record, facts), common_values(record, facts.gold)
    own = own_condition(record)
    # `calibrated_token_prob` has no answer before all items are known.
    return {
        "correct": found["correct"],
        "correct_normalised": found.get(f"normalised_{own}", NAN),
        "abstained": 1 - found.get(f"answered_{own}", NAN),
        "same_answers": found.get("agree", found.get("first_answers_same", NAN)),
        "calls": spent["calls"],
        "tokens": spent["tokens"],
    }


def explanation(record: DebateRecord, facts: Facts) -> str:
    """The right answer, what the passage says, and what every condition answers."""
    passage = {
        True: "right",
        False: f"perturbed, severity {facts.severity:g}",
        None: "right or wrong, which is not known",
    }[facts.standard]
    return "\n\n".join(
        [
            f"**Right answer:** {facts.gold}  \n**Passage:** {passage}; "
            f"it says {facts.says or '(not known)'}",
            decision_card(record),
        ]
    )
