"""Using an earlier run again: nothing is asked twice, nothing that does not fit."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from tests.support.models import calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import metrics, records, run, samples, values

SUBSET: dict[str, Any] = {"source": "sample", "subset": "math"}


def simulated_run(log_dir: Path, **parameters: Any) -> EvalLog:
    return run(
        colmad(**(SUBSET | parameters)),
        log_dir,
        model="simulated/balanced",
        roles={"debater_b": "simulated/coin"},
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
        model=never,
        roles={
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


def test_debates_go_on_from_the_same_answers(source: EvalLog, tmp_path: Path) -> None:
    log = simulated_run(
        tmp_path, reuse=source.location, reuse_until="answers", rounds=0
    )
    before = {sample.id: record for sample, record in pairs(source)}
    for sample, record in pairs(log):
        reused = [turn for turn in record.turns if turn.reused]
        answers = before[sample.id].of_kind("answer")
        assert [t.public for t in reused] == [t.public for t in answers]
        assert not record.of_kind("speech")


def test_a_single_answer_is_reused_and_the_other_asked(tmp_path: Path) -> None:
    one = simulated_run(tmp_path, protocol="single")
    log = simulated_run(tmp_path, reuse=one.location, reuse_until="answers")
    for record in records(log):
        first, second = record.of_kind("answer")
        assert (first.participant, first.reused) == ("debater_a", True)
        assert (second.participant, second.reused) == ("debater_b", False)


def test_other_content_is_refused_with_counts(source: EvalLog) -> None:
    with pytest.raises(InputError, match=r"14 missing \(.*, \.\.\.\)") as error:
        colmad(
            source="sample",
            subset="fact",
            response_author="both",
            reuse=source.location,
        )
    assert "of 14 samples" in error.value.message


def test_other_parameters_are_refused_by_name(source: EvalLog) -> None:
    with pytest.raises(InputError, match="rounds is 2 there and 3 here"):
        colmad(**SUBSET, rounds=3, reuse=source.location)
    # A judge's own parameters may differ, and so may the debate after the answers.
    colmad(**SUBSET, order="both", judge_sees_problem=False, reuse=source.location)
    colmad(**SUBSET, rounds=3, reuse=source.location, reuse_until="answers")


def test_other_debaters_are_refused(source: EvalLog, tmp_path: Path) -> None:
    log = run(
        colmad(**SUBSET, reuse=source.location, reuse_until="answers"),
        tmp_path,
        model="simulated/perfect",
        success=False,
    )
    assert log.error is not None
    assert "debater_a was simulated/balanced there" in log.error.message


def test_a_limited_source_is_reused_as_far_as_it_goes(tmp_path: Path) -> None:
    limited = run(colmad(**SUBSET), tmp_path, limit=3)
    task = colmad(**SUBSET, reuse=limited.location)
    assert {str(s.id) for s in task.dataset} == {str(s.id) for s in samples(limited)}


def test_samples_that_failed_are_counted_and_cost_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stopped = run(colmad(**SUBSET), tmp_path, token_limit=700)
    task = colmad(**SUBSET, reuse=stopped.location)
    assert "failed there" in caplog.text
    log = run(task, tmp_path, model=scripted(lambda *_: "Answer: 1", "judge"))
    ended = [record for record in records(log) if not record.complete]
    assert ended
    for record in ended:
        assert not record.turns
        assert record.ended_by is not None
        assert "a failure of this sample" in record.ended_by


def test_a_log_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_text("not a log")
    with pytest.raises(InputError, match="not an Inspect log"):
        colmad(**SUBSET, reuse=str(tmp_path / "x.eval"))


def test_more_epochs_than_a_source_with_several(tmp_path: Path) -> None:
    two = run(colmad(**SUBSET), tmp_path, limit=2, epochs=2)
    log = run(colmad(**SUBSET, reuse=two.location), tmp_path, epochs=2)
    assert len(records(log)) == 4
    log = run(colmad(**SUBSET, reuse=two.location), tmp_path, epochs=3, success=False)
    assert log.error is not None
    assert "has 2 epochs; this is epoch 3" in log.error.message


def pairs(log: EvalLog) -> list[tuple[Any, Any]]:
    return list(zip(samples(log), records(log), strict=True))


def test_reading_prompts_again_makes_no_call(tmp_path: Path) -> None:
    # The judge reads a debate that readers held, with all that its prompt needs.
    first = run(
        colmad(**SUBSET),
        tmp_path,
        model="simulated/always_error",
        roles={"debater_b": "simulated/always_no_error"},
    )
    log = run(
        colmad(**SUBSET, reuse=first.location),
        tmp_path,
        model=scripted(reader(True), "judge"),
    )
    for record in records(log):
        assert [t.kind for t in record.turns if not t.reused] == ["verdict"]
        assert record.turns[-1].field("answer").status == "ok"


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


def test_a_protocol_without_the_stage_is_refused(tmp_path: Path) -> None:
    alone = simulated_run(tmp_path, protocol="judge_alone")
    with pytest.raises(InputError, match="protocol=judge_alone, which has nothing"):
        colmad(**SUBSET, reuse=alone.location, reuse_until="answers")
    single = simulated_run(tmp_path, protocol="single")
    with pytest.raises(InputError, match=r"protocol=single.*allowed: colmad"):
        colmad(**SUBSET, reuse=single.location)


def test_other_prompts_of_the_reused_stage_are_refused(
    source: EvalLog, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("debater_opening: Speak.\n")
    with pytest.raises(InputError, match="prompt 'debater_opening' is another"):
        colmad(**SUBSET, reuse=source.location, prompts=str(mine))
    colmad(**SUBSET, reuse=source.location, reuse_until="answers", prompts=str(mine))
    mine.write_text("judge_system: You judge.\n")
    colmad(**SUBSET, reuse=source.location, prompts=str(mine))


def test_reused_answers_keep_the_settings_they_had(
    source: EvalLog, tmp_path: Path
) -> None:
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
        model="simulated/balanced",
        roles={"debater_b": "simulated/coin"},
        temperature=0.9,
    )
    for record in records(log):
        told = record.participant("debater_a").settings
        assert told["answer"]["temperature"] == 0.0
        assert told["speech"]["temperature"] == 0.9


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


def test_the_way_to_use_only_first_answers_is_named(tmp_path: Path) -> None:
    log = run(colmad(source="sample", protocol="ensemble"), tmp_path, limit=2)
    with pytest.raises(InputError, match="reuse_until=answers uses first answers"):
        colmad(source="sample", reuse=log.location)
