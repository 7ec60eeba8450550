"""Runs of the confidence task: two models, a pool, and debates used again."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from inspect_debate.evals.confidence import confidence
from inspect_debate.v1.debate.errors import InputError
from tests.v1.support.bets import marked_model
from tests.v1.support.models import calls_of, scripted
from tests.v1.support.runs import metrics, record, records, run, samples, values


@pytest.fixture(scope="module")
def two_models(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """Three debates of two models, without a jury."""
    return run(
        confidence(jury_passes=0),
        tmp_path_factory.mktemp("held"),
        marked_model(name="one"),
        {"debater_b": marked_model(name="two")},
        limit=3,
    )


def juror(side: str, sure: int) -> Model:
    message = f"<winnerName>{side}</winnerName><confidence>{sure}</confidence>"
    return scripted(lambda messages, description: message, name=side)


def test_another_jury_on_the_same_debates(two_models: EvalLog, tmp_path: Path) -> None:
    debater, other = marked_model(name="one"), marked_model(name="two")
    jury = [juror("proposition", 60), juror("opposition", 90)]
    log = run(
        confidence(reuse=two_models.location, order="both"),
        tmp_path,
        debater,
        {"debater_b": other, "judge": jury},
    )
    assert calls_of(debater) == calls_of(other) == []
    # Three debates, two passes, two orders.
    assert [len(calls_of(model)) for model in jury] == [12, 12]
    assert len(samples(log)) == 3
    for again, sample in zip(records(log), samples(log), strict=True):
        assert again.reused_from == two_models.eval.eval_id
        assert all(turn.reused for turn in again.of_kind("speech"))
        assert values(sample, "bets")["proposition_won"] == 0
        assert values(sample, "jury")["votes_proposition"] == 4
        assert values(sample, "bets")["calls"] == 8
    before, after = metrics(two_models, "bets"), metrics(log, "bets")
    assert after["opening"] == before["opening"] == (61.37 + 71.37) / 2


def test_prompts_of_a_new_jury(two_models: EvalLog, tmp_path: Path) -> None:
    other = tmp_path / "prompts.yaml"
    other.write_text("opening_line: Speak first.\njuror_format: Decide.\n")
    log = run(
        confidence(reuse=two_models.location, jury_passes=1, prompts=str(other)),
        tmp_path,
        juror("proposition", 60),
    )
    first = record(samples(two_models)[0]).prompts
    assert two_models.eval.metadata is not None
    assert log.eval.metadata is not None
    assert log.eval.metadata["prompts"] == two_models.eval.metadata["prompts"]
    assert log.eval.metadata["jury_prompts"]["juror_format"] == "Decide."
    for again in records(log):
        assert again.prompts == first
        assert again.parameters["jury_prompts"] != first.hash


def test_a_new_jurys_settings_are_its_own(two_models: EvalLog, tmp_path: Path) -> None:
    log = run(
        confidence(
            reuse=two_models.location,
            jury_passes=1,
            config={"juror_sees_motion": True, "structure_in": "instruction"},
        ),
        tmp_path,
        juror("proposition", 60),
    )
    assert log.eval.metadata is not None
    for logged in (log.eval.metadata["parameters"], records(log)[0].parameters):
        assert logged["juror_sees_motion"] is True
        # How the speeches were asked for is what it was.
        assert logged["structure_in"] == "system"


def test_a_pool_debates_itself_on_every_motion(tmp_path: Path) -> None:
    pool = [marked_model(name=name) for name in ("ann", "ben")]
    log = run(
        confidence,
        tmp_path,
        "none/none",
        {"debater_a": pool},
        task_args={"protocol": "self"},
    )
    found = {
        (record(sample).participants[0].model, record(sample).participants[1].model)
        for sample in samples(log)
    }
    assert found == {("scripted/ann",) * 2, ("scripted/ben",) * 2}
    assert len(samples(log)) == 12
    assert metrics(log, "bets")["brier_even"] > 0


def test_a_pool_is_paired_in_a_balanced_way(tmp_path: Path) -> None:
    pool = [marked_model(name=name) for name in ("ann", "ben", "cid")]
    log = run(
        confidence,
        tmp_path,
        "none/none",
        {"debater_a": pool},
        task_args={"jury_passes": 0},
    )
    sides: dict[str, list[str]] = {}
    for two_models in records(log):
        first, second = two_models.participants
        assert first.model != second.model
        for person in (first, second):
            sides.setdefault(person.model, []).append(str(person.defends))
    for spoken in sides.values():
        assert spoken.count("proposition") == spoken.count("opposition")


def test_a_schedule_says_who_debates_what(tmp_path: Path) -> None:
    schedule = tmp_path / "pairings.csv"
    schedule.write_text(
        "round,motion,proposition,opposition\n1,space,ann,ben\n2,professors,ben,ann\n"
    )
    pool = [marked_model(name=name) for name in ("ann", "ben")]
    log = run(
        confidence,
        tmp_path,
        "none/none",
        {"debater_a": pool},
        task_args={"pairings": str(schedule), "jury_passes": 0},
    )
    found = {
        str(sample.metadata["motion"]): [p.model for p in record(sample).participants]
        for sample in samples(log)
    }
    assert found == {
        "space": ["scripted/ann", "scripted/ben"],
        "professors": ["scripted/ben", "scripted/ann"],
    }


def made(roles: dict[str, Any], log_dir: Path, **parameters: Any) -> EvalLog:
    """A run whose task Inspect makes, with its roles."""
    return run(confidence, log_dir, "none/none", roles, task_args=parameters)


ONE, TWO = "simulated/balanced/one", "simulated/balanced/two"


@pytest.mark.parametrize(
    ("roles", "parameters", "message"),
    [
        ({"debater_b": ONE}, {"jury_passes": 0}, "debater_a has no model"),
        (
            {"debater_a": [ONE, TWO], "judge": [ONE, TWO]},
            {"alignment": True},
            "Bind --model-role grader=MODEL",
        ),
    ],
)
def test_roles_are_checked_when_the_task_is_made(
    roles: dict[str, Any], parameters: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r".") as caught:
        made(roles, tmp_path, **parameters)
    assert message in str(caught.value)


def test_a_jury_that_is_bound_judges_debates_that_had_none(tmp_path: Path) -> None:
    first = made({"debater_a": ONE}, tmp_path / "first", protocol="self")
    again = made({"judge": TWO}, tmp_path / "again", reuse=first.location)
    assert {len(finished.of_kind("verdict")) for finished in records(again)} == {2}
    assert metrics(again, "jury")["verdicts_ok"] == 12


def test_an_unused_jury(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log = made({"debater_a": ONE, "judge": TWO}, tmp_path, protocol="self")
    assert not any(finished.of_kind("verdict") for finished in records(log))
    assert "give -T jury_passes=2" in caplog.text


def test_a_schedule_may_name_the_models_of_both_roles(tmp_path: Path) -> None:
    schedule = tmp_path / "pairings.csv"
    schedule.write_text("motion,proposition,opposition\nspace,two,one\n")
    log = made(
        {"debater_a": ONE, "debater_b": TWO},
        tmp_path,
        pairings=str(schedule),
        jury_passes=0,
    )
    assert log.eval.metadata is not None
    assert log.eval.metadata["data"]["pairings"] == "pairings.csv"
    (two_models,) = records(log)
    assert [p.model for p in two_models.participants] == [TWO, ONE]
