"""The scores of SR-DCR and its baselines, on records worked out by hand."""

from collections.abc import Mapping, Sequence
from math import exp, log, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai.dataset import Sample

from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.text import escape
from inspect_debate.scorers.knowledge_conflict import (
    conflict_values,
    knowledge_conflict,
)
from inspect_debate.solvers.srdcr import decide
from inspect_debate.solvers.srdcr_baselines import decide_judged, rci
from tests.support import Call, run

GOLD, WRONG = "400 mg", "800 mg"
STANDARD = {"condition": "standard", "severity": 0, "passage_answer": GOLD}
PERTURBED = {"condition": "perturbed", "severity": 3, "passage_answer": WRONG}
A, B = "debater_a", "debater_b"


def turn(role: str, kind: str, said: str = "", **more: Any) -> Turn:
    """A turn of one call and 15 tokens; unread without words."""
    name = "verdict" if kind == "verdict" else "answer"
    fields = {name: said} if said else {}
    if kind == "speech":
        fields = {}
    read = bool(said) or kind == "speech"
    own: dict[str, Any] = {"status": "ok" if read else "unparsed", "fields": fields}
    cost = {"calls": 1, "input_tokens": 10, "output_tokens": 5}
    return Turn(speaker=role, role=role, kind=kind, **own | cost | more)


def record(
    contextual: str,
    prior: str,
    verdicts: Sequence[str] = (),
    *,
    sure: float | None = 0.95,
    contextual_sure: float | None = 0.5,
    samples: Sequence[str] = (),
    recalls: Sequence[str] = (),
    protocol: str = "srdcr",
    **parameters: Any,
) -> Debate:
    """A debate; rounds have two speeches and a verdict: R, U, unread or none (-)."""
    names = {"R": "reasonable", "U": "unreasonable"}
    first = 0 if protocol == "srdcr" else 1
    turns = [
        turn(A, "answer", contextual,
             logprobs=[log(contextual_sure)] if contextual_sure else []),
        turn(B, "answer", prior, logprobs=[log(sure)] if sure else []),
        *(turn(B, "sample", one, draw=n) for n, one in enumerate(samples, 1)),
        *(turn(B, "recall", one, draw=100 + n) for n, one in enumerate(recalls)),
    ]  # fmt: skip
    for round, verdict in enumerate(verdicts, first):
        turns += [turn(role, "speech", round=round) for role in (B, A)]
        if verdict != "-":
            said = turn("judge", "verdict", names.get(verdict, ""), round=round)
            if protocol == "judge_debate":
                side = {"R": "contextual", "U": "prior"}.get(verdict)
                said.fields = {"answer": side} if side else {}
            turns.append(said)
    own = {
        "tau": 0.9,
        "confidence_from": "auto",
        "rounds": len(verdicts) or 3,
    }
    debate = Debate(
        protocol=protocol,
        complete=True,
        parameters=own | parameters,
        options={
            "contextual": escape(contextual),
            "prior": escape(prior),
            "abstain": "abstains",
        },
        turns=turns,
    )
    if protocol == "judge_debate":
        debate.answer, debate.skip_reason = decide_judged(debate)
    else:
        debate.answer, debate.skip_reason = decide(debate, rule=protocol)
    return debate


def check(values: Mapping[str, float], **expected: float) -> None:
    found = {name: values[name] for name in expected}
    np.testing.assert_equal(found, expected)


def test_reasonable_takes_the_passages_answer() -> None:
    debate = record(WRONG, GOLD, ["U", "R", "R"])
    values = conflict_values(debate, GOLD, PERTURBED)
    check(values, correct=0, correct_normalised=0, abstained=0)
    check(values, perturbed=1, severity=3, took_passage=1, took_prior=0)
    check(values, srdcr=0, acvd_only=0, few_shot=0, prior=1)
    check(values, confidence_only=1, token_prob=1, golden=1)
    check(values, same_answers=0, prior_right=1, prior_as_passage=0)
    check(values, contextual_as_passage=1, confidence_by_tokens=1)
    assert values["confidence"] == pytest.approx(0.95)


def test_unreasonable_and_sure_takes_the_prior() -> None:
    values = conflict_values(record(WRONG, GOLD, ["U"] * 3), GOLD, PERTURBED)
    check(values, correct=1, abstained=0, took_passage=0, took_prior=1)
    values = conflict_values(record(GOLD, WRONG, ["U"] * 3), GOLD, STANDARD)
    check(values, correct=0, took_passage=0, took_prior=1, perturbed=0, severity=0)
    check(values, golden=1, few_shot=1, prior=0)


def test_unreasonable_and_unsure_abstains_which_is_not_right() -> None:
    debate = record(WRONG, GOLD, ["U"] * 3, sure=0.5, contextual_sure=0.5)
    values = conflict_values(debate, GOLD, PERTURBED)
    check(values, correct=0, correct_normalised=0, abstained=1)
    check(values, took_passage=0, took_prior=0, srdcr=0)
    check(values, acvd_only=1, confidence_only=0, token_prob=0, golden=1)


def test_an_unread_last_verdict_is_no_abstention() -> None:
    values = conflict_values(record(WRONG, GOLD, ["R", "U", "?"]), GOLD, PERTURBED)
    unread = dict.fromkeys(("correct", "correct_normalised", "abstained"), nan)
    unread |= dict.fromkeys(("took_passage", "took_prior", "srdcr", "acvd_only"), nan)
    check(values, **unread)
    check(values, confidence_only=1, few_shot=0, golden=1)


def test_equal_answers_without_a_debate() -> None:
    values = conflict_values(record(GOLD, "0.4 g"), GOLD, STANDARD)
    check(values, correct=1, abstained=0, same_answers=1, srdcr=1, acvd_only=1)
    check(values, calls=2, tokens=30)
    check(values, prior=0, prior_right=1, prior_as_passage=1, took_prior=0)


def test_strict_and_normalised() -> None:
    for said, strict, normalised in (
        ("400 mg", 1, 1),
        ("400mg", 0, 1),
        ("0.4 g", 0, 1),
        ("40 mg", 0, 0),
    ):
        values = conflict_values(record(said, WRONG, ["R"]), GOLD, STANDARD)
        check(values, correct=strict, correct_normalised=normalised)
    escaped = conflict_values(record("<A & B>", "C", ["R"]), "<A & B>", STANDARD)
    check(escaped, correct=1)


def test_what_cannot_be_read_is_nan_and_keeps_the_keys() -> None:
    whole = conflict_values(record(WRONG, GOLD, ["R"] * 3), GOLD, PERTURBED)
    samples = ["x"] * 4
    for contextual, prior in (("", GOLD), (WRONG, ""), ("", "")):
        for source in ("auto", "self_consistency"):
            debate = record(
                *(contextual, prior),
                sure=None,
                samples=samples,
                confidence_from=source,
            )
            values = conflict_values(debate, GOLD, {})
            assert values.keys() == whole.keys()
            check(values, correct=nan, abstained=nan, perturbed=nan, severity=nan)
            check(values, srdcr=nan, golden=nan, same_answers=nan)
            known = float(contextual == GOLD) if contextual else nan
            check(values, few_shot=known)


def test_confidence_by_draws_costs_their_calls() -> None:
    samples = ["400mg", GOLD, WRONG, ""]
    debate = record(WRONG, GOLD, ["U"], sure=None, samples=samples)
    values = conflict_values(debate, GOLD, PERTURBED)
    check(values, confidence=2 / 3, confidence_by_tokens=0, consistency=2 / 3)
    check(values, abstained=1, calls=2 + 4 + 2 + 1, tokens=135)
    check(values, token_prob=nan)
    # Tokens give the confidence: the same draws are for analysis.
    both = record(WRONG, GOLD, ["U"], samples=samples, confidence_from="both")
    values = conflict_values(both, GOLD, PERTURBED)
    check(values, confidence_by_tokens=1, consistency=2 / 3, calls=5)
    assert values["confidence"] == pytest.approx(exp(log(0.95)))


@pytest.mark.parametrize(
    ("recalls", "share"),
    [
        ([GOLD, GOLD, WRONG, "400mg"], 0.5),
        ([GOLD, "", "", GOLD], 1),
        ([GOLD, "", "", ""], nan),
        ([], nan),
    ],
)
def test_recall(recalls: list[str], share: float) -> None:
    debate = record(WRONG, GOLD, ["R"], recalls=recalls)
    values = conflict_values(debate, GOLD, PERTURBED)
    check(values, recall=share, calls=5)


def test_a_panel_counts_by_majority() -> None:
    debate = record(WRONG, GOLD, ["R", "U"])
    judges = [turn("judge", "verdict", "unreasonable", round=0) for _ in range(2)]
    debate.turns += [*judges, turn("judge", "verdict", "reasonable", round=1)]
    values = conflict_values(debate, GOLD, PERTURBED)
    check(values, srdcr=nan)


def test_few_shot_needs_one_call_of_its_own() -> None:
    debate = record(WRONG, GOLD, protocol="few_shot", samples=[GOLD] * 3)
    values = conflict_values(debate, GOLD, PERTURBED)
    check(values, correct=0, few_shot=0, prior=1, golden=1, confidence_only=1)
    check(values, took_passage=1, calls=1, tokens=15)
    assert not {"srdcr", "acvd_only", "verdict_0"} & {*values}


def test_judge_debate_after_each_of_its_rounds() -> None:
    debate = record(WRONG, GOLD, ["U", "-", "?", "-", "R"], protocol="judge_debate")
    values = conflict_values(debate, GOLD, PERTURBED)
    check(values, after_1=1, after_3=nan, after_5=0, correct=0)
    check(values, verdict_1=0, verdict_3=nan, verdict_5=1, abstained=0)
    assert not {"after_2", "verdict_2", "verdict_0", "srdcr"} & {*values}
    # It needs two answers, ten speeches and the last verdict.
    check(values, calls=13)


def items() -> list[Sample]:
    """Two questions with both passages, and one with a standard passage alone."""
    halves = [(n, about) for n in (0, 1) for about in (STANDARD, PERTURBED)]
    samples = []
    for n, about in [*halves, (2, STANDARD)]:
        own = {"question": f"How much? <{n}>", "question_id": f"q{n}"}
        own |= {"passage": f"Take {about['passage_answer']}."}
        sample = Sample(input=own["question"], target=GOLD, metadata=own | about)
        samples.append(sample)
    return samples


def test_metrics_of_a_run(tmp_path: Path) -> None:
    """Standard: right, right, unread. Perturbed: one right, one wrong."""

    def answer(call: Call) -> str:
        if "<2>" in call.text:
            return ""
        follows = "<1>" in call.text and f"Take {WRONG}" in call.text
        return f"Answer: {WRONG if follows else GOLD}"

    done = run(tmp_path, rci(), answer, samples=items(), scorer=knowledge_conflict())
    metrics = done.metrics()
    assert next(iter(metrics)) == "overall"
    assert metrics["overall"] == pytest.approx((1 + 1 / 2) / 2)
    assert (metrics["standard"], metrics["perturbed"]) == (1, 0.5)
    assert (metrics["abstained"], metrics["coverage"]) == (0, 1)
    assert metrics["selective"] == pytest.approx(3 / 4)
    assert metrics["unread"] == pytest.approx(1 / 5)
    assert metrics["overall_stderr"] > 0
    assert len(metrics) == 8
