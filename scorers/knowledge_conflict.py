"""Passage or memory? Whether an answer is right, and what else its record decides."""

from collections.abc import Callable, Mapping
from math import nan
from typing import Any

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from inspect_debate.datasets.matching import exact, right_answer, same_answer
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.text import unescape
from inspect_debate.debate.view import result
from inspect_debate.metrics import intervals, knowledge
from inspect_debate.scorers.common import Values, clusters, column, of_debate, scored
from inspect_debate.solvers import srdcr
from inspect_debate.solvers.srdcr import ABSTAIN, CONTEXTUAL, PRIOR, Outcome
from inspect_debate.solvers.srdcr_baselines import JUDGE_AFTER, decide_judged

_SHOWN = (
    *("correct", "correct_normalised", "abstained", "perturbed", "severity"),
    *("took_passage", "same_answers", "confidence"),
)


@metric(scores="unreduced")
def conflict_rates() -> Metric:
    """Strict accuracy on both kinds of passages, and abstentions.

    `overall` is the mean of the accuracies on standard and on perturbed passages, in
    which an abstention is not right. `coverage` is the share of answered samples, and
    `selective` the accuracy on these. Samples whose outcome could not be read count in
    `unread` alone.
    """

    def compute(scores: list[SampleScore]) -> Values:
        right, half = np.array(column(scores, "correct")), column(scores, "perturbed")
        silent, names = column(scores, "abstained"), clusters(scores)
        both = knowledge.overall(right, half, names)
        answered = np.where(np.isnan(right), nan, 1 - np.array(silent))
        coverage = intervals.mean(answered, names).value
        selective = intervals.mean(np.where(answered == 1, right, nan), names).value
        standard, perturbed = (
            intervals.mean(np.where(np.equal(half, one), right, nan), names).value
            for one in (0, 1)
        )
        return {
            "overall": both.value,
            "overall_stderr": both.se or nan,  # no spread, no estimate
            "standard": standard,
            "perturbed": perturbed,
            "abstained": 1 - coverage,
            "coverage": coverage,
            "selective": selective,
            "unread": intervals.mean(np.isnan(right), names).value,
        }

    return compute


@scorer(metrics=[conflict_rates()])
def knowledge_conflict() -> Scorer:
    """Whether the answer is right, with the other values of `conflict_values`."""

    async def score(debate: Debate, state: TaskState, target: Target) -> Score:
        values = conflict_values(debate, target.text, state.metadata or {})
        answer = _words(debate, debate.answer) or debate.answer or ""
        return scored(values, _SHOWN, answer, result(debate, target.text))

    return of_debate(score)


def conflict_values(debate: Debate, gold: str, about: Mapping[str, Any]) -> Values:
    """What happened on one sample, as numbers; NaN where it is not known.

    Args:
        debate: The record.
        gold: The right answer.
        about: The sample's metadata: `condition`, `severity`, `passage_answer`.

    Returns:
        `correct` (the very words, the paper's exact match; 0 for an abstention, NaN if
        something decisive could not be read), `correct_normalised` (the same in other
        spellings), `abstained`, `perturbed`, `severity`, `took_passage` (answers what
        the passage says, and that is wrong), and the `calls` and `tokens` that the
        method needs.

        Where both a contextual and a prior answer were asked for, also what `_answers`
        says of these; `took_prior` (answers as from memory, and not as the passage
        says); whether each rule is right: those of `RULES` for which there are turns,
        `golden`, and of Judge Debate `after_N`, if round N is the last, and
        `verdict_N` after it (1 for the passage).
    """
    given, severity = _words(debate, debate.answer), about.get("severity")
    says = str(about.get("passage_answer") or "")
    right, as_passage = (_is(right_answer, given, one) for one in (gold, says))
    halves = {"standard": 0.0, "perturbed": 1.0}
    needed = [turn for turn in debate.turns if _needed(debate, turn)]
    values: Values = {
        "correct": _is(exact, given, gold),
        "correct_normalised": right,
        "abstained": nan if given is None else float(debate.answer == ABSTAIN),
        "perturbed": halves.get(str(about.get("condition")), nan),
        "severity": nan if severity is None else float(severity),
        "took_passage": as_passage * (1 - right),
        "calls": sum(turn.calls for turn in needed),
        "tokens": sum(_tokens(turn) for turn in needed),
    }
    if debate.protocol not in ("srdcr", "few_shot", "judge_debate"):
        return values
    prior = _words(debate, PRIOR)
    kept = _is(same_answer, given, prior) if prior else nan
    values |= _answers(debate, gold, says) | {"took_prior": kept * (1 - as_passage)}
    for rule, outcome in _outcomes(debate, values["perturbed"]).items():
        values[rule] = _is(exact, _words(debate, outcome.answer), gold)
    return values | {f"verdict_{n}": _verdict(debate, n) for n in _judged(debate)}


def _tokens(turn: Turn) -> float:
    """What a turn took; unknown where the server does not say."""
    counted = turn.input_tokens or not turn.calls
    return turn.input_tokens + turn.output_tokens if counted else nan


def _outcomes(debate: Debate, perturbed: float) -> dict[str, Outcome]:
    """What each rule answers; `golden` alone may know whether the passage is wrong."""
    tau, of_srdcr = debate.parameters["tau"], debate.protocol == "srdcr"
    found = {
        rule: srdcr.decide(debate, tau, rule)
        for rule in srdcr.RULES
        if of_srdcr or rule not in ("srdcr", "acvd_only")  # which need its verdicts
    }
    golden = {0.0: found["few_shot"], 1.0: found["prior"]}
    found["golden"] = golden.get(perturbed, Outcome(None, "the passage is unknown"))
    for n in _judged(debate):
        turns = [turn for turn in debate.turns if turn.round <= n]
        until = debate.model_copy(update={"turns": turns})
        found[f"after_{n}"] = decide_judged(until)
    return found


def _judged(debate: Debate) -> list[int]:
    """The rounds after which the judge of Judge Debate is asked."""
    if debate.protocol != "judge_debate":
        return []
    last = debate.parameters["rounds"]
    return sorted(n for n in {*JUDGE_AFTER, last} if n <= last)


def _verdict(debate: Debate, round: int) -> float:
    """Whether the judge is for the passage after a round; of several judges most."""
    turns = [t for t in debate.of("verdict") if t.round == round and t.fields]
    lead = 2 * sum(t.fields["answer"] == CONTEXTUAL for t in turns) - len(turns)
    return float(lead > 0) if lead else nan


def _answers(debate: Debate, gold: str, says: str) -> Values:
    """What is known of the two answers, by themselves.

    Whether they are the same; whether the prior is right in any spelling, and whether
    either is the passage's; the prior's `confidence`, whether it comes from tokens (1)
    or draws (0), and its share of draws alone (`consistency`); `recall`, the share of
    answers from memory that are right.
    """
    prior, contextual = _words(debate, PRIOR), _words(debate, CONTEXTUAL)
    own = _sure(debate, srdcr.CRITIC)
    drawn = _sure(debate, srdcr.CRITIC, "self_consistency")
    recalls = debate.of("recall")
    read = [turn.fields["answer"] for turn in recalls if turn.status == "ok"]
    known = bool(recalls) and 2 * len(read) >= len(recalls)
    by_tokens = {"logprobs": 1.0, "self_consistency": 0.0}
    return {
        "same_answers": _is(same_answer, prior, contextual) if contextual else nan,
        "prior_right": _is(right_answer, prior, gold),
        "prior_as_passage": _is(right_answer, prior, says),
        "contextual_as_passage": _is(right_answer, contextual, says),
        "confidence": nan if own.value is None else own.value,
        "confidence_by_tokens": by_tokens.get(own.source, nan),
        "consistency": nan if drawn.value is None else drawn.value,
        "recall": sum(exact(one, gold) for one in read) / len(read) if known else nan,
    }


def _needed(debate: Debate, turn: Turn) -> bool:
    """Whether the protocol's own answer needs a turn that was asked for."""
    match debate.protocol, turn.kind:
        case "few_shot", kind:
            return kind == "answer" and turn.role == srdcr.DEFENDER
        case "srdcr", "sample":
            return _sure(debate, srdcr.CRITIC).source != "logprobs"
        case "judge_debate", "verdict":
            return turn.round == int(debate.parameters["rounds"])
        case _, kind:
            return kind not in ("recall", "sample")


def _sure(debate: Debate, role: str, source: str = "") -> srdcr.Confidence:
    """`confidence`, which needs an answer; from a source other than the run's."""
    answers = [turn for turn in debate.of("answer") if turn.role == role]
    if not answers or answers[0].status != "ok":
        return srdcr.Confidence(None, "there is no answer")
    if source:
        given = debate.parameters | {"confidence_from": source}
        debate = debate.model_copy(update={"parameters": given})
    return srdcr.confidence(debate, role)


def _words(debate: Debate, option: str | None) -> str | None:
    """The words of an option; none for an abstention, None if they are not known."""
    if option is None or option == ABSTAIN:
        return "" if option else None
    return unescape(debate.options.get(option, "")) or None


def _is(relation: Callable[[str, str], bool], given: str | None, other: str) -> float:
    """Whether an answer is another one; an abstention is none."""
    if given is None:
        return nan
    return float(bool(given and other) and relation(given, other))
