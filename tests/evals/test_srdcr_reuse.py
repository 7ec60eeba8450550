"""Two answers that serve every protocol: nothing is asked twice."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.solvers.knowledge_conflict import STUDY
from tests.support.barrier import Barrier, barrier_model
from tests.support.models import calls_of, scripted
from tests.support.runs import metrics, records, run, samples, values

FEW: dict[str, Any] = {"source": "sample", "questions": 6}


def held(
    log_dir: Path, model: str | Model = "simulated/balanced", **what: Any
) -> EvalLog:
    return run(srdcr(**(FEW | what)), log_dir, model=model)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    return held(
        tmp_path_factory.mktemp("answers"),
        protocol="few_shot",
        confidence_from="both",
        recall_samples=4,
    )


@pytest.fixture(scope="module")
def debates(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    return held(tmp_path_factory.mktemp("debates"), rounds=2)


SAME = ("golden", "token_prob", "calibrated_token_prob", "confidence_only", "few_shot")


@pytest.mark.slow
@pytest.mark.parametrize("protocol", SAME)
def test_two_answers_serve_every_rule_without_a_call(
    answers: EvalLog, protocol: Any, tmp_path: Path
) -> None:
    barrier = Barrier()
    log = run(
        srdcr(**FEW, protocol=protocol, reuse=answers.location),
        tmp_path,
        model="simulated/balanced",
        roles={"judge": barrier_model(barrier, "balanced")},
    )
    for sample in samples(log):
        assert values(sample, "clash")["calls"] == 0
    for arm in ("few_shot", "prior", "golden", "token_prob", "confidence_only"):
        key = f"overall_{arm}"
        assert metrics(log, "clash")[key] == metrics(answers, "clash")[key]
    assert not barrier.generations


def test_a_debate_goes_on_from_the_answers(answers: EvalLog, tmp_path: Path) -> None:
    log = held(tmp_path, rounds=2, recall_samples=4, reuse=answers.location)
    before = {r.question: r for r in records(answers)}
    for record in records(log):
        there = before[record.question]
        reused = [turn for turn in record.turns if turn.reused]
        assert [t.model_copy(update={"reused": False}) for t in reused] == list(
            there.turns
        )
        kinds = [turn.kind for turn in record.turns if not turn.reused]
        assert sorted(kinds) == ["speech"] * 4 + ["verdict"] * 2
        assert record.reused_from == answers.eval.eval_id
    for arm in ("few_shot", "prior", "golden"):
        key = f"overall_{arm}"
        assert metrics(log, "clash")[key] == metrics(answers, "clash")[key]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "calls"),
    [
        ({"confidence_from": "both", "consistency_samples": 18}, 2),
        ({"confidence_from": "both", "consistency_samples": 8}, 0),
        ({"recall_samples": 6}, 2),
        ({"recall_samples": 2}, 0),
        ({"protocol": "token_prob", "confidence_from": "both"}, 16),
    ],
)
def test_only_what_an_earlier_run_lacks_is_asked_for(
    answers: EvalLog, asked: dict[str, Any], calls: int, tmp_path: Path
) -> None:
    what = {"protocol": "few_shot"} | asked
    log = held(tmp_path, reuse=answers.location, **what)
    assert {values(s, "clash")["calls"] for s in samples(log)} == {calls}


@pytest.mark.slow
def test_another_judge_on_the_same_debates(debates: EvalLog, tmp_path: Path) -> None:
    never = scripted(_fail, "balanced")
    log = run(
        srdcr(
            **FEW,
            protocol="acvd_only",
            rounds=2,
            reuse=debates.location,
            reuse_until="debate",
        ),
        tmp_path,
        model="simulated/balanced",
        roles={"judge": ["simulated/sceptic", "simulated/credulous", "simulated/coin"]},
        epochs=2,
    )
    assert not calls_of(never)
    before = {r.question: r for r in records(debates)}
    for sample, record in zip(samples(log), records(log), strict=True):
        there = [t for t in before[record.question].turns if t.kind != "verdict"]
        assert [t.public for t in record.turns if t.reused] == [t.public for t in there]
        new = [turn for turn in record.turns if not turn.reused]
        assert {turn.kind for turn in new} == {"verdict"}
        assert len(new) == 2 * 3
        score = values(sample, "clash")
        assert score["verdict_1_judge_1"] == 0
        assert score["verdict_1_judge_2"] == 1
        assert score["verdict_1"] == score["verdict_1_judge_3"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"seed": 1}, "with other content"),
        ({"questions": 8}, "missing"),
        ({"shots": 2}, "with other content"),
        ({"source": "sample", "domains": "years"}, "missing"),
        ({"config.answer.temperature": 0.7}, "answer is"),
        ({"config.max_reasks": 0}, "max_reasks is 1 there and 0 here"),
    ],
)
def test_what_does_not_fit_is_refused(
    answers: EvalLog, asked: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError) as caught:
        srdcr(**(FEW | {"reuse": answers.location} | asked))
    assert told in str(caught.value)


def test_debates_of_other_rounds_are_refused(debates: EvalLog) -> None:
    with pytest.raises(InputError, match="rounds is 2 there and 6 here"):
        srdcr(**FEW, reuse=debates.location, reuse_until="debate")


def test_protocols_without_the_two_answers_have_nothing_to_reuse(
    tmp_path: Path,
) -> None:
    log = held(tmp_path, protocol="self_ask")
    with pytest.raises(InputError) as caught:
        srdcr(**FEW, reuse=log.location)
    assert "self_ask" in str(caught.value)
    assert all(
        name in str(caught.value)
        for name, p in STUDY.protocols.items()
        if "answers" in p.shares
    )


def test_other_models_are_refused(answers: EvalLog, tmp_path: Path) -> None:
    log = run(
        srdcr(**FEW, reuse=answers.location),
        tmp_path,
        model="simulated/perfect",
        success=False,
    )
    assert log.status == "error"
    assert log.error is not None
    assert "was simulated/balanced there and is simulated/perfect" in log.error.message


def _fail(*_: object) -> str:
    raise AssertionError("asked again")


def test_draws_made_with_other_settings_are_refused(answers: EvalLog) -> None:
    warmer = {"sample": {"temperature": 0.9}}
    with pytest.raises(InputError, match="sample is"):
        srdcr(**FEW, reuse=answers.location, config=warmer)


def test_no_more_draws_are_used_than_asked_for(
    answers: EvalLog, tmp_path: Path
) -> None:
    log = held(
        tmp_path,
        protocol="few_shot",
        confidence_from="both",
        consistency_samples=3,
        recall_samples=2,
        reuse=answers.location,
    )
    for sample in samples(log):
        value = values(sample, "self_confidence")
        assert (value["draws"], value["recall_draws"]) == (3, 2)


@pytest.mark.slow
def test_participants_keep_the_settings_of_what_is_reused(
    answers: EvalLog, debates: EvalLog, tmp_path: Path
) -> None:
    again = held(
        tmp_path,
        rounds=2,
        confidence_from="both",
        reuse=debates.location,
        reuse_until="debate",
    )
    for record in records(again):
        critic = record.participant("debater_b")
        assert set(critic.settings) == {"answer", "sample", "speech"}
