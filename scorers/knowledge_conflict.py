"""Passage or memory? Whether an answer is right, and what else its record decides."""

from collections.abc import Mapping
from math import nan
from typing import Any

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

from inspect_debate.datasets.matching import (
    canonical,
    exact,
    right_answer,
    same_answer,
)
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.text import unescape
from inspect_debate.debate.view import page
from inspect_debate.metrics import intervals, knowledge
from inspect_debate.scorers.common import Values, clusters, column, debate_to_score
from inspect_debate.solvers.srdcr import (
    ABSTAIN,
    CONTEXTUAL,
    CRITIC,
    DEFENDER,
    PRIOR,
    RULES,
    Confidence,
    Outcome,
    confidence,
    decide,
)
from inspect_debate.solvers.srdcr_baselines import decide_judged

_NEED_VERDICTS = ("srdcr", "acvd_only")
"""The rules that only a debate of SR-DCR decides."""
_RATES = (
    *("overall", "overall_stderr", "standard", "perturbed"),
    *("abstained", "coverage", "selective", "unread"),
)


@metric(scores="unreduced")
def conflict_rates() -> Metric:
    """Strict accuracy on both kinds of passages, and abstentions.

    `overall` is the mean of the accuracies on standard and on perturbed passages, in
    which an abstention is not right. `coverage` is the share of answered samples, and
    `selective` the accuracy on these. Samples whose outcome could not be read count in
    `unread` alone.
    """

    def compute(scores: list[SampleScore]) -> Value:
        if not scores:  # Inspect asks before the first sample
            return {name: nan for name in _RATES}
        right, half = np.array(column(scores, "correct")), column(scores, "perturbed")
        silent, names = column(scores, "abstained"), clusters(scores)
        both = knowledge.overall(right, half, names)
        answered = knowledge.selective(right, silent, names)
        standard, perturbed = (
            intervals.mean(np.where(np.equal(half, one), right, nan), names).value
            for one in (0, 1)
        )
        values = (
            *(both.value, both.se, standard, perturbed),
            *(1 - answered.coverage.value, answered.coverage.value),
            *(answered.accuracy.value, float(np.isnan(right).mean())),
        )
        return dict(zip(_RATES, values, strict=True))

    return compute


@scorer(metrics=[conflict_rates()])
def knowledge_conflict() -> Scorer:
    """Whether the answer is right, and what other rules answer on the same record.

    Returns:
        A scorer with the values of `conflict_values`.
    """

    async def score(state: TaskState, target: Target) -> Score:
        debate = debate_to_score()
        if isinstance(debate, Score):
            return debate
        values = conflict_values(debate, target.text, state.metadata or {})
        return Score(
            value={**values},
            answer="ABSTAIN" if debate.answer == ABSTAIN else _text(debate) or "",
            explanation=page(debate, target.text),
        )

    return score


def conflict_values(debate: Debate, gold: str, about: Mapping[str, Any]) -> Values:
    """What happened on one sample, as numbers; NaN where it is not known.

    Args:
        debate: The record.
        gold: The right answer.
        about: The sample's metadata: `condition`, `severity`, `passage_answer`.

    Returns:
        `correct` (the very words, the paper's exact match; 0 for an abstention, NaN if
        something decisive could not be read), `correct_normalised` (the same in other
        spellings), `abstained`, `answered`, `perturbed`, `severity`, `took_passage`
        (answers what the passage says, and that is wrong), and the `calls` and `tokens`
        that the method needs, beside those of all turns (`all_calls`).

        Where both a contextual and a prior answer were asked for, also whether each
        rule of `outcomes` is right, by its name, and `RULE_abstained` where it may
        abstain; `took_prior` (answers as from memory, and not as the passage says);
        `same_answers`; whether the prior is right in any spelling (`prior_right`), and
        whether either answer is the passage's (`prior_as_passage`,
        `contextual_as_passage`); the prior's `confidence`, whether it comes from tokens
        (1) or draws (0), its share of draws alone (`consistency`), and
        `contextual_confidence`; `recall`, the share of answers from memory that are
        right; `verdict_N` after each round (1 for the passage), and `settled`, the
        round from which verdicts do not change. In a debate of agents `same_answers` is
        about their first answers.
    """
    perturbed = {"standard": 0.0, "perturbed": 1.0}.get(str(about.get("condition")))
    severity, says = about.get("severity"), str(about.get("passage_answer") or "")
    unread, abstains = debate.answer is None, debate.answer == ABSTAIN
    given = _text(debate)
    values: Values = {
        "correct": _correct(debate, Outcome(debate.answer), gold),
        "correct_normalised": nan if unread else _is(given, right_answer, gold),
        "abstained": nan if unread else float(abstains),
        "answered": nan if unread else float(not abstains),
        "perturbed": nan if perturbed is None else perturbed,
        "severity": nan if severity is None else float(severity),
        "took_passage": nan
        if unread
        else _is(given, right_answer, says) * (1 - _is(given, right_answer, gold)),
        "calls": sum(turn.calls for turn in debate.turns if _needed(debate, turn)),
        "tokens": sum(
            turn.input_tokens + turn.output_tokens
            for turn in debate.turns
            if _needed(debate, turn)
        ),
        "all_calls": sum(turn.calls for turn in debate.turns),
    }
    if debate.protocol == "naive_debate":
        first = debate.of("answer")
        forms = {canonical(turn.fields["answer"]) for turn in first if turn.fields}
        read = all(turn.fields for turn in first)
        values["same_answers"] = float(len(forms) == 1) if read else nan
    if debate.protocol in ("srdcr", "few_shot", "judge_debate"):
        values |= _two_answers(debate, gold, says)
        prior = _text(debate, PRIOR)
        kept = _is(given, same_answer, prior) if prior else nan
        values["took_prior"] = (
            nan if unread else kept * (1 - _is(given, right_answer, says))
        )
        for rule, outcome in outcomes(debate, perturbed).items():
            values[rule] = _correct(debate, outcome, gold)
            if rule == "srdcr":
                values[f"{rule}_abstained"] = (
                    nan if outcome.answer is None else float(outcome.answer == ABSTAIN)
                )
        verdicts = _verdicts(debate)
        values |= {f"verdict_{round}": verdict for round, verdict in verdicts.items()}
        if verdicts:
            values["settled"] = settled(verdicts)
    return values


def outcomes(debate: Debate, perturbed: float | None) -> dict[str, Outcome]:
    """What each rule answers on a record with a contextual and a prior answer.

    Args:
        debate: The record.
        perturbed: Whether the passage is wrong, which `golden` alone may know.

    Returns:
        Those of `RULES` for which there are turns; `golden`, the contextual answer on
        standard and the prior on perturbed passages; and for a debate between both
        answers `after_N`, what the judge said after a round.
    """
    tau = debate.parameters["tau"]
    found = {
        rule: decide(debate, tau, rule)
        for rule in RULES
        if debate.protocol == "srdcr" or rule not in _NEED_VERDICTS
    }
    known = Outcome(None, "it is not known whether the passage is right")
    if perturbed is not None:
        known = found["prior" if perturbed else "few_shot"]
    found["golden"] = known
    if debate.protocol == "judge_debate":
        found |= {f"after_{n}": decide_judged(debate, n) for n in judged_rounds(debate)}
    return found


def judged_rounds(debate: Debate) -> list[int]:
    """The rounds after which the judge is asked."""
    given = debate.parameters
    if debate.protocol == "srdcr":
        return list(range(given["rounds"]))
    if debate.protocol != "judge_debate":
        return []
    asked = {*given["judge_after"], given["rounds"]}
    return sorted(n for n in asked if 1 <= n <= given["rounds"])


def settled(verdicts: Mapping[int, float]) -> float:
    """The round from which verdicts stay the same; NaN if the last one is unread."""
    rounds = sorted(verdicts)
    found, last = nan, verdicts[rounds[-1]]
    for round in reversed(rounds):
        if verdicts[round] != last:  # as is NaN
            break
        found = round
    return found


def _two_answers(debate: Debate, gold: str, says: str) -> Values:
    prior, contextual = _text(debate, PRIOR), _text(debate, CONTEXTUAL)
    own, other = _sure(debate, CRITIC), _sure(debate, DEFENDER)
    drawn = _sure(debate, CRITIC, "self_consistency")
    recalls = debate.of("recall")
    read = [turn.fields["answer"] for turn in recalls if turn.status == "ok"]
    known = bool(recalls) and 2 * len(read) >= len(recalls)
    by_tokens = {"logprobs": 1.0, "self_consistency": 0.0}
    return {
        "same_answers": float(same_answer(prior, contextual))
        if prior and contextual
        else nan,
        "prior_right": _is(prior, right_answer, gold) if prior else nan,
        "prior_as_passage": _is(prior, right_answer, says) if prior else nan,
        "contextual_as_passage": _is(contextual, right_answer, says)
        if contextual
        else nan,
        "confidence": nan if own.value is None else own.value,
        "confidence_by_tokens": by_tokens.get(own.source, nan),
        "consistency": nan if drawn.value is None else drawn.value,
        "contextual_confidence": nan if other.value is None else other.value,
        "recall": sum(exact(one, gold) for one in read) / len(read) if known else nan,
    }


def _verdicts(debate: Debate) -> dict[int, float]:
    """By round whether the judge is for the passage; of several judges most."""
    found = {}
    for round in judged_rounds(debate):
        votes = [
            turn.fields.get("verdict", turn.fields.get("answer"))
            for turn in debate.of("verdict")
            if turn.round == round and turn.fields
        ]
        lead = 2 * sum(v in ("reasonable", CONTEXTUAL) for v in votes) - len(votes)
        found[round] = float(lead > 0) if lead else nan
    return found


def _needed(debate: Debate, turn: Turn) -> bool:
    """Whether the protocol's own answer needs a turn that was asked for."""
    match debate.protocol, turn.kind:
        case _, "recall":
            return False
        case "few_shot", _:
            return (turn.kind, turn.role) == ("answer", DEFENDER)
        case "srdcr", "sample":
            return _sure(debate, CRITIC).source != "logprobs"
        case "judge_debate", "sample":
            return False
        case "judge_debate", "verdict":
            return turn.round == int(debate.parameters["rounds"])
    return True


def _sure(debate: Debate, role: str, source: str = "") -> Confidence:
    """`confidence`, which needs an answer; from a source other than the run's."""
    answers = [turn for turn in debate.of("answer") if turn.role == role]
    if not answers or answers[0].status != "ok":
        return Confidence(None, "there is no answer")
    if source:
        given = debate.parameters | {"confidence_from": source}
        debate = debate.model_copy(update={"parameters": given})
    return confidence(debate, role)


def _text(debate: Debate, option: str | None = None) -> str:
    """The words of an option, by default of the answer; empty without them."""
    option = option or debate.answer or ""
    return "" if option == ABSTAIN else unescape(debate.options.get(option, ""))


def _correct(debate: Debate, outcome: Outcome, gold: str) -> float:
    if outcome.answer is None:
        return nan
    return float(exact(_text(debate, outcome.answer), gold))


def _is(given: str, relation: Any, other: str) -> float:
    return float(bool(given and other) and relation(given, other))
