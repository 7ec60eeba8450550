"""Earlier runs that are used again: nothing is asked twice that fits."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import Model
from inspect_ai.solver import TaskState

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Grade
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_answers import KINDS, GradingTerms
from inspect_debate.solvers.generative_debate import GenerativeProtocol
from tests.support.barrier import Barrier, barrier_model
from tests.support.generative import PROTOCOLS, SPOKEN, description_of, marked
from tests.support.models import calls_of, scripted
from tests.support.runs import error_of, metrics, records, run, samples, values

SAMPLE: dict[str, Any] = {"source": "sample"}
TASKS = 3
"""How many tasks a run has by default."""

_SETTINGS = ("roles", "success", "limit", "epochs")


def run_on_tasks(
    log_dir: Path, model: str | Model = "simulated/balanced", **what: Any
) -> EvalLog:
    """A run; `what` are parameters of the task, and settings of the run."""
    settings = {"limit": TASKS} | {n: what.pop(n) for n in _SETTINGS if n in what}
    return run(generative(**(SAMPLE | what)), log_dir, model=model, **settings)


def who_is_graded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows by a participant whenever an answer is graded."""
    asked: list[str] = []
    kind = KINDS["grids"]

    async def grade(
        state: TaskState, terms: GradingTerms, participant: str, answer: str
    ) -> Grade:
        asked.append(participant)
        return await kind.grade(state, terms, participant, answer)

    monkeypatch.setitem(KINDS, "grids", replace(kind, grade=grade))
    return asked


def identity(sample: EvalSample) -> tuple[str, dict[str, str]]:
    """Which answers were judged, all together and by participant."""
    assert sample.scores is not None
    metadata = sample.scores["verdicts"].metadata
    assert metadata is not None
    return metadata["answer_set_id"], metadata["answer_ids"]


SUBSET: dict[str, Any] = {"source": "sample", "subset": "math"}


def simulated_run(log_dir: Path, **parameters: Any) -> EvalLog:
    return run(
        colmad(**(SUBSET | parameters)),
        log_dir,
        "simulated/balanced",
        {"debater_b": "simulated/coin"},
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    return simulated_run(tmp_path_factory.mktemp("source"))


def unused() -> Model:
    def fail(*_: object) -> str:
        raise AssertionError("a debater was asked again")

    return scripted(fail, "unused")


def test_two_judges_three_epochs_no_debater(source: EvalLog, tmp_path: Path) -> None:
    never = unused()
    log = run(
        colmad(**SUBSET, reuse=source.location, reuse_until="debate"),
        tmp_path,
        never,
        {
            "debater_a": never,
            "debater_b": never,
            "judge": ["simulated/coin", "simulated/balanced"],
        },
        epochs=3,
    )
    assert not calls_of(never)
    before = {sample.id: record for sample, record in pairs(source)}
    draws: dict[str, list[object]] = {}
    for sample, record in pairs(log):
        earlier = before[sample.id]
        assert record.reused_from == source.eval.eval_id
        kept = [turn for turn in record.turns if turn.reused]
        assert [t.public for t in kept] == [
            t.public for t in earlier.turns if t.kind != "verdict"
        ]
        new = [turn for turn in record.turns if not turn.reused]
        assert [t.participant for t in new] == (
            ["judge_1", "judge_2"] if record.debated else []
        )
        if record.debated:
            answer = new[0].field("answer").value
            draws.setdefault(str(sample.id), []).append(answer)
        score = values(sample, "error_detection")
        assert {"prediction_judge_1", "prediction_judge_2"} <= set(score)
        assert score["calls"] == len(new)
        assert values(sample, "debate_process")["reused_calls"] == len(kept)
    # A coin thrown three times for each of several debates does not always agree.
    assert any(len(set(answers)) > 1 for answers in draws.values())
    assert {"f1_judge_1", "f1_judge_2"} <= set(metrics(log, "error_detection"))


def test_other_content_is_refused_with_counts(source: EvalLog) -> None:
    with pytest.raises(InputError, match=r"14 missing \(.*, \.\.\.\)") as error:
        colmad(
            source="sample",
            subset="fact",
            response_author="both",
            reuse=source.location,
        )
    assert "of 14 samples" in error.value.message


def test_failed_samples(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    stopped = run(colmad(**SUBSET), tmp_path, token_limit=700)
    task = colmad(**SUBSET, reuse=stopped.location)
    assert "failed there" in caplog.text
    log = run(task, tmp_path, scripted(lambda *_: "Answer: 1", "judge"))
    ended = [record for record in records(log) if not record.complete]
    assert ended
    for record in ended:
        assert not record.turns
        assert record.ended_by is not None
        assert "a failure of this sample" in record.ended_by


def test_more_epochs_than_a_source_with_several(tmp_path: Path) -> None:
    two = run(colmad(**SUBSET), tmp_path, limit=2, epochs=2)
    log = run(colmad(**SUBSET, reuse=two.location), tmp_path, epochs=2)
    assert len(records(log)) == 4
    log = run(colmad(**SUBSET, reuse=two.location), tmp_path, epochs=3, success=False)
    assert "has 2 epochs; this is epoch 3" in error_of(log)


def pairs(log: EvalLog) -> list[tuple[Any, Any]]:
    return list(zip(samples(log), records(log), strict=True))


def test_the_same_id_with_other_content_is_refused(tmp_path: Path) -> None:
    def items(response: str) -> str:
        path = tmp_path / "items.jsonl"
        lines = [
            {
                "input": "Add 1 and 2.",
                "llm_response": response,
                "error_label": "error",
                "human_explanation": "",
                "error_categories": [],
                "metadata": {
                    "id": "one",
                    "task_name": "math_word_problem_generation",
                    "task_source": "test",
                    "llm_response_model": "gpt-4-0613",
                    "dataset": "test",
                    "difficulty": "easy",
                },
            }
        ]
        path.write_text("\n".join(json.dumps(line) for line in lines))
        return str(path)

    log = run(colmad(source=items("4")), tmp_path)
    colmad(source=items("4"), reuse=log.location)
    with pytest.raises(InputError, match=r"1 with other content \(one\)"):
        colmad(source=items("5"), reuse=log.location)


def test_settings_of_reused_answers(source: EvalLog, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answer is"):
        colmad(
            **SUBSET,
            reuse=source.location,
            reuse_until="answers",
            config={"answer.temperature": 0.9},
        )
    log = run(
        colmad(**SUBSET, reuse=source.location, reuse_until="answers"),
        tmp_path,
        "simulated/balanced",
        {"debater_b": "simulated/coin"},
        temperature=0.9,
    )
    for record in records(log):
        logged = record.participant("debater_a").settings
        assert logged["answer"]["temperature"] == 0.0
        assert logged["speech"]["temperature"] == 0.9


def test_a_limit_is_handed_down_a_chain_of_reuse(tmp_path: Path) -> None:
    first = run(colmad(source="sample", protocol="ensemble"), tmp_path, limit=4)
    debates = colmad(
        source="sample",
        protocol="copmad",
        rounds=1,
        reuse=first.location,
        reuse_until="answers",
    )
    second = run(debates, tmp_path)
    judged = colmad(source="sample", protocol="copmad", rounds=1, reuse=second.location)
    third = run(judged, tmp_path, roles={"judge": "simulated/coin"})
    ids = {sample.id for sample in samples(first)}
    assert len(ids) == 4
    assert {s.id for s in samples(second)} == {s.id for s in samples(third)} == ids


FEW: dict[str, Any] = {"source": "sample", "questions": 4}


def run_srdcr(
    log_dir: Path, model: str | Model = "simulated/balanced", **what: Any
) -> EvalLog:
    return run(srdcr(**(FEW | what)), log_dir, model)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    return run_srdcr(
        tmp_path_factory.mktemp("answers"),
        protocol="few_shot",
        confidence_from="both",
        recall_samples=4,
    )


@pytest.fixture(scope="module")
def debates(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    return run_srdcr(tmp_path_factory.mktemp("debates"), rounds=2)


SAME = ("golden", "token_prob", "calibrated_token_prob", "confidence_only", "few_shot")


@pytest.mark.slow
@pytest.mark.parametrize("protocol", SAME)
def test_rules_of_srdcr(answers: EvalLog, protocol: Any, tmp_path: Path) -> None:
    barrier = Barrier()
    log = run(
        srdcr(**FEW, protocol=protocol, reuse=answers.location),
        tmp_path,
        "simulated/balanced",
        {"judge": barrier_model(barrier, "balanced")},
    )
    for sample in samples(log):
        assert values(sample, "clash")["calls"] == 0
    for condition in ("few_shot", "prior", "golden", "token_prob", "confidence_only"):
        key = f"overall_{condition}"
        assert metrics(log, "clash")[key] == metrics(answers, "clash")[key]
    assert not barrier.generations


def test_a_debate_goes_on_from_the_answers(answers: EvalLog, tmp_path: Path) -> None:
    log = run_srdcr(tmp_path, rounds=2, recall_samples=4, reuse=answers.location)
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
    for condition in ("few_shot", "prior", "golden"):
        key = f"overall_{condition}"
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
    log = run_srdcr(tmp_path, reuse=answers.location, **what)
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
        "simulated/balanced",
        {"judge": ["simulated/sceptic", "simulated/credulous", "simulated/coin"]},
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


def _fail(*_: object) -> str:
    raise AssertionError("asked again")


@pytest.mark.slow
def test_settings_kept(answers: EvalLog, debates: EvalLog, tmp_path: Path) -> None:
    again = run_srdcr(
        tmp_path,
        rounds=2,
        confidence_from="both",
        reuse=debates.location,
        reuse_until="debate",
    )
    for record in records(again):
        critic = record.participant("debater_b")
        assert set(critic.settings) == {"answer", "sample", "speech"}


JUDGED = [name for name in PROTOCOLS if FORMATS[name].proposers]


@pytest.fixture(scope="module")
def reused_answers(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    log_dir = tmp_path_factory.mktemp("answers")
    return run_on_tasks(log_dir, protocol="dual_no_transcript")


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who was graded."""
    return who_is_graded(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "best_of"),
    [*((name, None) for name in JUDGED), *((name, 4) for name in SPOKEN)],
)
def test_answers_of_one_run_serve_every_format(
    protocol: GenerativeProtocol,
    best_of: int | None,
    reused_answers: EvalLog,
    graded: list[str],
    tmp_path: Path,
) -> None:
    log = run_on_tasks(
        tmp_path, protocol=protocol, reuse=reused_answers.location, best_of=best_of
    )
    assert not graded
    earlier = {sample.id: identity(sample) for sample in samples(reused_answers)}
    assert len(samples(log)) == TASKS
    for sample, record in zip(samples(log), records(log), strict=True):
        asked = [turn for turn in record.turns if not turn.reused]
        assert not [turn for turn in asked if turn.kind == "answer"]
        assert values(sample, "verdicts")["calls"] == sum(turn.calls for turn in asked)
        assert all(grade.reused for grade in record.grades)
        assert len(record.grades) == FORMATS[protocol].proposers
        assert record.reused_from == reused_answers.eval.eval_id
        answer_set, by_seat = identity(sample)
        set_there, by_seat_there = earlier[sample.id]
        assert by_seat["debater_a"] == by_seat_there["debater_a"]
        if FORMATS[protocol].proposers == 2:
            assert (answer_set, by_seat) == (set_there, by_seat_there)
        else:
            assert set(by_seat) == {"debater_a"}
            assert answer_set != set_there


def test_grades_of_the_earlier_run(reused_answers: EvalLog, tmp_path: Path) -> None:
    log = run_on_tasks(tmp_path, protocol="dual_debate", reuse=reused_answers.location)
    names = ("right_a", "right_b", "regime", "part_share_a", "answers_identical")
    there = {
        sample.id: values(sample, "verdicts") for sample in samples(reused_answers)
    }
    for sample in samples(log):
        found = values(sample, "verdicts")
        assert [found[n] for n in names] == [there[sample.id][n] for n in names]
        assert found["grade_seconds"] == 0


def test_one_answer_serves_no_format_with_two(tmp_path: Path) -> None:
    log = run_on_tasks(tmp_path, protocol="single_no_transcript", limit=2)
    with pytest.raises(InputError) as caught:
        generative(**SAMPLE, protocol="dual_debate", reuse=log.location)
    message = str(caught.value)
    assert "ran protocol=single_no_transcript" in message
    allowed = message.partition("allowed: ")[2]
    assert allowed == "dual_consultancy, dual_debate, dual_no_transcript."
    generative(**SAMPLE, protocol="single_debate", reuse=log.location)


def test_fresh_answers_of_another_run_can_be_used_again(tmp_path: Path) -> None:
    fresh = run_on_tasks(tmp_path, protocol="single_no_transcript", answers="fresh")
    log = run_on_tasks(tmp_path, protocol="single_debate", reuse=fresh.location)
    assert list(map(identity, samples(log))) == list(map(identity, samples(fresh)))


def orders_of(log: EvalLog) -> dict[str, set[object]]:
    logged = zip(samples(log), records(log), strict=True)
    return {str(s.id): {t.order for t in r.of_kind("verdict")} for s, r in logged}


def test_a_task_keeps_its_order_in_every_part_of_the_data_set(tmp_path: Path) -> None:
    def orders_in(name: str, seed: int = 0, **part: Any) -> dict[str, set[object]]:
        settings = {"source": "sample", "protocol": "dual_no_transcript", "seed": seed}
        log = run(generative, tmp_path / name, task_args=settings, **part)
        return orders_of(log)

    whole = orders_in("whole")
    assert len(whole) > 8
    first = sum(order == {"ab"} for order in whole.values())
    assert abs(2 * first - len(whole)) <= 2
    parts = [
        orders_in("limit", limit=3),
        orders_in("range", limit=(4, 7)),
        orders_in("shuffled", sample_shuffle=5, limit=4),
        orders_in("named", sample_id=[*whole][5:8]),
        orders_in("seed", seed=7, limit=3),
    ]
    for part in parts:
        assert part == {id: whole[id] for id in part}
    assert len({id for part in parts for id in part}) > 8


@pytest.fixture(scope="module")
def reused_debates(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    log_dir = tmp_path_factory.mktemp("debates")
    return run_on_tasks(log_dir, protocol="single_debate", best_of=2)


def test_another_judge_on_the_same_debates_debates(
    reused_debates: EvalLog, graded: list[str], tmp_path: Path
) -> None:
    judge = scripted(marked, "other-judge")
    log = run_on_tasks(
        tmp_path,
        protocol="single_debate",
        best_of=2,
        reuse=reused_debates.location,
        reuse_until="debate",
        roles={"judge": judge},
    )
    assert not graded
    calls = calls_of(judge)
    assert [description_of(call).kind for call in calls] == ["verdict"] * TASKS
    shown = {description_of(call).sample: call.prompt for call in calls}
    before = {record.question: record for record in records(reused_debates)}
    for sample, record in zip(samples(log), records(log), strict=True):
        there = before[record.question]
        prompt = shown[str(sample.id)]
        assert all(turn.public in prompt for turn in there.of_kind("speech"))
        assert not any(turn.public in prompt for turn in there.of_kind("candidate"))
        reused = [t.model_copy(update={"reused": False}) for t in record.turns[:-1]]
        assert tuple(reused) == there.turns[:-1]
        assert all(turn.reused for turn in record.turns[:-1])
        assert values(sample, "verdicts")["calls"] == 1
        # Who scored the candidates is not who judges now.
        assert record.participant("reward") == there.participant("reward")
        assert record.participant("judge").model == "scripted/other-judge"


def test_a_panel_on_the_same_debates(reused_debates: EvalLog, tmp_path: Path) -> None:
    """It needs no model for rewards, which were given."""
    log = run_on_tasks(
        tmp_path,
        protocol="single_debate",
        best_of=2,
        reuse=reused_debates.location,
        reuse_until="debate",
        roles={"judge": ["simulated/perfect", "simulated/coin"]},
        limit=1,
    )
    [record] = records(log)
    assert [t.kind for t in record.turns if not t.reused] == ["verdict"] * 2
    assert record.participant("reward").model == "simulated/balanced"


# --- what does not fit ----------------------------------------------------------------

UNTIL_ANSWERS: dict[str, Any] = {"reuse_until": "answers"}
UNTIL_DEBATE: dict[str, Any] = {"reuse_until": "debate"}
TASK_OF: dict[str, Callable[..., Task]] = {
    "source": partial(colmad, **SUBSET),
    "answers": partial(srdcr, **FEW),
    "debates": partial(srdcr, **FEW, **UNTIL_DEBATE),
    "reused_answers": partial(generative, **SAMPLE),
    "reused_debates": partial(
        generative, protocol="single_debate", **SAMPLE, best_of=2, **UNTIL_DEBATE
    ),
}
"""What uses the logs of this module again, by their fixtures."""

UNFIT: list[tuple[str, dict[str, Any], str]] = [
    ("source", {"rounds": 3}, "rounds is 2 there and 3 here"),
    ("source", UNTIL_ANSWERS | {"config.answer.temperature": 0.9}, "answer is"),
    ("answers", {"seed": 1}, "with other content"),
    ("answers", {"questions": 8}, "missing"),
    ("answers", {"shots": 2}, "with other content"),
    ("answers", {"domains": "years"}, "missing"),
    ("answers", {"config.answer.temperature": 0.7}, "answer is"),
    ("answers", {"config": {"sample": {"temperature": 0.9}}}, "sample is"),
    ("answers", {"config.max_reasks": 0}, "max_reasks is 1 there and 0 here"),
    ("debates", {}, "rounds is 2 there and 6 here"),
    ("reused_answers", {"config.answer.temperature": 0.7}, "answer is"),
    ("reused_answers", {"config.answer.max_tokens": 100}, "answer is"),
    ("reused_answers", {"config.max_reasks": 0}, "max_reasks is 1 there and 0 here"),
    ("reused_debates", {"best_of": 1}, "best_of is 2 there and 1 here"),
    ("reused_debates", {"rounds": 3}, "rounds is 2 there and 3 here"),
    ("reused_debates", {"turn_order": "sequential"}, "turn_order is 'simultaneous'"),
    ("reused_debates", {"config.word_limit": 100}, "word_limit is 250 there and 100"),
    ("reused_debates", {"config.speech.temperature": 0.5}, "speech is"),
    ("reused_debates", {"config.reward.temperature": 0.5}, "reward is"),
    ("reused_debates", {"protocol": "single_consultancy"}, "ran protocol=single_deb"),
    ("reused_debates", {"debater_style": "honest"}, "debater_style is 'neutral' there"),
    # Rewards, by which speeches were chosen, were asked for in the judge's style.
    ("reused_debates", {"judge_style": "verifying"}, "judge_style is 'neutral' there"),
]


@pytest.mark.parametrize(("log", "given", "logged"), UNFIT)
def test_what_does_not_fit_is_refused(
    log: str, given: dict[str, Any], logged: str, request: pytest.FixtureRequest
) -> None:
    earlier: EvalLog = request.getfixturevalue(log)
    with pytest.raises(InputError) as caught:
        TASK_OF[log](reuse=earlier.location, **given)
    assert logged in str(caught.value)


@pytest.mark.parametrize(
    ("log", "given"),
    [
        # A judge's own parameters may differ, and so may the debate after the answers.
        ("source", {"order": "both", "judge_sees_problem": False}),
        ("source", UNTIL_ANSWERS | {"rounds": 3}),
        (
            "reused_answers",
            {
                "config.speech.temperature": 0.2,
                "config.verdict.temperature": 0.2,
                "config.word_limit": 50,
                "rounds": 1,
                "best_of": 2,
                "turn_order": "sequential",
                "order": "both",
                "judge_answer": True,
                "judge_style": "verifying",
            },
        ),
    ],
)
def test_what_comes_after_the_reused_stage_may_differ(
    log: str, given: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    earlier: EvalLog = request.getfixturevalue(log)
    TASK_OF[log](reuse=earlier.location, **given)


@pytest.mark.parametrize(
    ("log", "given", "key", "text", "refused"),
    [
        ("source", {}, "debater_opening", "Speak.", True),
        ("source", UNTIL_ANSWERS, "debater_opening", "Speak.", False),
        ("source", {}, "judge_system", "You judge.", False),
        ("reused_answers", {}, "answer_grids", "{item} End with {blocks}.", True),
        ("reused_answers", {}, "blocks_one", "the grid", True),
        ("reused_answers", {}, "untrusted", "Trust nothing.", False),
        ("reused_answers", {}, "speech_first", "Speak, {name}.", False),
        ("reused_answers", {}, "ruling", "Rule: {form}", False),
    ],
)
def test_only_other_prompts_of_what_is_reused_are_refused(
    log: str,
    given: dict[str, Any],
    key: str,
    text: str,
    refused: bool,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    earlier: EvalLog = request.getfixturevalue(log)
    path = tmp_path / "prompts.yaml"
    path.write_text(f"{key}: |\n  {text}\n", encoding="utf-8")
    again = partial(TASK_OF[log], reuse=earlier.location, prompts=str(path), **given)
    if not refused:
        again()
        return
    with pytest.raises(InputError, match=f"the prompt '{key}' is another one there"):
        again()


PERFECT = "simulated/perfect"


@pytest.mark.parametrize(
    ("log", "given", "model", "roles", "logged"),
    [
        ("source", UNTIL_ANSWERS, PERFECT, {}, "debater_a was simulated/balanced"),
        ("answers", {}, PERFECT, {}, "was simulated/balanced there and is simulated/p"),
        ("reused_answers", {}, PERFECT, {}, "balanced there and is simulated/perfect"),
        (
            "reused_debates",
            {},
            "simulated/balanced",
            {"debater_b": PERFECT},
            "debater_b was simulated/balanced there",
        ),
        # Whoever takes no part may be anybody.
        (
            "reused_answers",
            {"protocol": "single_no_transcript"},
            "simulated/balanced",
            {"judge": PERFECT, "debater_b": PERFECT},
            None,
        ),
    ],
)
def test_other_models_are_refused(
    log: str,
    given: dict[str, Any],
    model: str,
    roles: dict[str, str],
    logged: str | None,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    earlier: EvalLog = request.getfixturevalue(log)
    task = TASK_OF[log](reuse=earlier.location, **given)
    again = run(task, tmp_path, model, roles, limit=TASKS, success=logged is None)
    assert logged is None or logged in error_of(again)
