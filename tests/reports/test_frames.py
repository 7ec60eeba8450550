"""Scores of logs as a frame, and the conditions that they make."""

import logging
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai import task_with
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import GenerateConfig, ModelConfig

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.conditions import group_conditions
from inspect_debate.reports.frames import RUN_COLUMNS, SAMPLE_COLUMNS, scores_df
from inspect_debate.reports.logs import TRIALS
from tests.reports.made_logs import (
    JUDGES,
    changed,
    copied,
    failing,
    foreign,
    logged,
    panel,
    ran,
    single,
)
from tests.support.measures.every import known_of
from tests.support.runs import run, samples


def test_every_value_of_every_score_is_there_once() -> None:
    frame = scores_df([panel(), single()])
    expected = {}
    for path in (panel(), single()):
        for sample in samples(read_eval_log(str(path))):
            for scorer, score in (sample.scores or {}).items():
                assert isinstance(score.value, dict)
                known = known_of(sample, scorer)
                assert score.value.keys() < known.keys()
                for key, number in known.items():
                    place = (path.name, sample.id, sample.epoch, f"{scorer}.{key}")
                    expected[place] = float(number)
    scores = [c for c in frame.columns if c not in (*RUN_COLUMNS, *SAMPLE_COLUMNS)]
    found = {
        (row["log"], row["id"], row["epoch"], name): row[name]
        for row in frame.to_dict("records")
        for name in scores
    }
    assert len(frame) == 4 * 2 + 4
    for place, value in expected.items():
        assert found.pop(place) == pytest.approx(value, nan_ok=True), place
    assert all(math.isnan(value) for value in found.values())  # keys of the other log
    assert set(map(str, frame.dtypes[scores])) == {"float64"}
    assert "error_detection.prediction_judge_2" in scores


def test_what_a_row_says_of_its_run_and_sample() -> None:
    frame = scores_df([panel(), single()])
    row = frame[frame["protocol"] == "colmad"].iloc[0]
    header = read_eval_log(str(panel()), header_only=True)
    assert row["log"] == panel().name
    assert row["run"] == header.eval.eval_id
    assert row["study"] == "colmad"
    assert row["task"] == "inspect_debate/colmad"
    assert row["task_version"] == header.eval.task_version
    assert (row["rounds"], row["order"]) == (2, "both")
    assert row["skip_if_agree"] is False
    assert row["parameters"]["word_limit"] == 300
    assert row["data"] == "sample"
    assert row["debater_a"] == "simulated/balanced"  # unbound: the main model
    assert row["debater_b"] == "simulated/hesitant"
    assert row["judge"] == ", ".join(JUDGES)
    alone = frame[frame["protocol"] == "single"].iloc[0]
    assert alone["debater_a"] == "simulated/balanced"
    assert alone[["debater_b", "judge", "grader", "rounds"]].isna().all()
    (sample,) = (
        s
        for s in samples(read_eval_log(str(panel())))
        if (s.id, s.epoch) == (row["id"], row["epoch"])
    )
    for name in ("subset", "response_author", "input_group", "difficulty"):
        assert row[name] == sample.metadata[name]
    assert row["categories"] == "; ".join(sample.metadata["categories"])
    assert row["target"] == sample.target
    assert "explanation" not in "".join(frame.columns)
    assert not frame["id"].str.contains("/tmp").any()


def test_samples_that_failed_have_rows_that_say_so() -> None:
    frame = scores_df(failing())
    assert len(frame) == 6
    assert frame["scored"].tolist().count(True) == 4
    (error,) = frame["error"].dropna()
    assert "the provider is down" in error
    (limited,) = frame[frame["limit"].notna()].to_dict("records")
    assert limited["limit"] == "token"
    for failed in frame[~frame["scored"]].to_dict("records"):
        assert math.isnan(failed["error_detection.prediction"])
    assert frame["error_detection.outcome_refused"].sum() == 1
    assert any(
        "2 of 6 samples ended" in notice for notice in group_conditions(frame).notices()
    )


def test_a_panel_that_is_not_scored_is_as_it_was_bound(tmp_path: Path) -> None:
    log = read_eval_log(str(panel()))
    for sample in samples(log):
        sample.scores = None
    frame = scores_df(changed(panel(), tmp_path, samples=log.samples))
    whole = scores_df(panel())
    for role in ("debater_a", "debater_b", "judge", "grader"):
        assert frame[role].equals(whole[role])
    assert not frame["scored"].any()


def test_an_old_log_lacks_what_is_new(tmp_path: Path) -> None:
    metadata = dict(read_eval_log(str(single())).eval.metadata or {})
    old = {key: metadata[key] for key in ("study", "protocol")}
    frame = scores_df(changed(single(), tmp_path, metadata=old))
    assert frame[["rounds", "prompts", "data"]].isna().all(axis=None)
    assert frame["parameters"].tolist() == [{}] * 4
    assert group_conditions(frame).overview["condition"].tolist() == ["single"]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("none.eval", None, "there is no log or folder at"),
        ("text.eval", "x", "is not an Inspect log"),
        ("other.json", '{"a": 1}', "is not an Inspect log"),
        ("notes.txt", "x", "is not an Inspect log"),
    ],
)
def test_what_is_no_log(
    name: str, content: str | None, says: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=says):
        scores_df(tmp_path / name)


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no log in"):
        scores_df(tmp_path)


def test_folders_are_searched_and_what_does_not_belong_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    copied(tmp_path / "inner", single(), foreign())
    (tmp_path / "settings.json").write_text('{"a": 1}')
    with caplog.at_level(logging.WARNING):
        frame = scores_df(tmp_path)
    assert set(frame["log"]) == {single().name}
    assert (
        f"1 log is not of the suite's tasks and left out: {foreign().name}."
        in caplog.text
    )
    with pytest.raises(InputError, match="not the log of one of this suite's tasks"):
        scores_df([single(), foreign()])
    with pytest.raises(InputError, match="is of study 'colmad', and not of 'sr_dcr'"):
        scores_df(single(), study="sr_dcr")
    with pytest.raises(InputError, match="None of the logs is of study 'sr_dcr'"):
        scores_df(tmp_path, study="sr_dcr")
    (tmp_path / "broken.eval").write_text("x")
    with pytest.raises(InputError, match=r"broken\.eval is not an Inspect log"):
        scores_df(tmp_path)


def test_trials_below_a_folder_count_only_where_they_are_named(tmp_path: Path) -> None:
    for name in TRIALS:
        (tmp_path / name / "inner").mkdir(parents=True)
        copied(tmp_path / name / "inner", single())
        assert set(scores_df(tmp_path / name)["log"]) == {single().name}
    with pytest.raises(InputError, match="There is no log in"):
        scores_df(tmp_path)
    (tmp_path / "mine" / "check").mkdir(parents=True)
    copied(tmp_path / "mine" / "check", single())
    assert set(scores_df(tmp_path)["log"]) == {single().name}


def test_a_log_in_json_reads_the_same(tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    read_log = read_eval_log(str(single()))
    write_eval_log(read_log, str(log))
    here, there = (scores_df(path).drop(columns="log") for path in (log, single()))
    assert list(here["id"]) == sorted(here["id"])
    pd.testing.assert_frame_equal(here, there)


@pytest.mark.parametrize("status", ["error", "cancelled", "started"])
def test_an_unfinished_run_is_refused_unless_allowed(
    status: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    partial = changed(single(), tmp_path, status=status)
    with pytest.raises(InputError, match=f"has status '{status}'"):
        scores_df(partial)
    with caplog.at_level(logging.WARNING):
        assert len(scores_df(partial, allow_partial=True)) == 4
    assert f"has status '{status}': samples may be missing" in caplog.text


def test_of_a_run_that_was_retried_the_newer_log_counts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    old = changed(single(), tmp_path, status="error", created="2020-01-01T00:00:00Z")
    copied(tmp_path, single())
    with caplog.at_level(logging.WARNING):
        frame = scores_df(tmp_path)
    assert set(frame["log"]) == {single().name}
    assert f"the same run as {old.name}, which is left out" in caplog.text


def test_arms_differ_in_what_their_labels_say(tmp_path: Path) -> None:
    logs = [
        ran(tmp_path, rounds=0),
        ran(tmp_path, rounds=1),
        ran(tmp_path, rounds=1, seed=1),
        single(),
    ]
    found = group_conditions(scores_df(logs))
    assert sorted(found.overview["condition"]) == [
        "colmad seed=0 rounds=0",
        "colmad seed=0 rounds=1",
        "colmad seed=1 rounds=1",
        "single",
    ]
    assert found.overview["samples"].tolist() == [4] * 4
    assert found.notices() == []


def test_logs_of_one_arm_are_put_together_and_the_newest_row_counts(
    tmp_path: Path,
) -> None:
    first, second = ran(tmp_path, limit=2), ran(tmp_path, limit=4)
    again = ran(tmp_path, reuse=str(second), reuse_until="answers")
    found = group_conditions(scores_df([second, again, first]))
    (row,) = found.overview.to_dict("records")
    assert (row["condition"], row["logs"], row["samples"]) == ("colmad", 1, 4)
    assert set(found.frame["log"]) == {again.name}
    (notice,) = found.notices()
    assert notice.startswith("colmad: 6 rows of older logs are left out")

    found = group_conditions(scores_df([first, second]))
    assert set(found.frame["log"]) == {second.name}
    assert not found.frame.duplicated(["condition", "id", "epoch"]).any()


def test_arms_of_a_task_of_ones_own_are_those_of_plain_runs(tmp_path: Path) -> None:
    plain = ran(tmp_path)
    task = task_with(colmad(source="sample", skip_if_agree=True), name="my_colmad")
    other = logged(run(task, tmp_path, limit=4))
    found = group_conditions(scores_df([plain, other]))
    assert found.overview["condition"].tolist() == ["colmad"]
    old = scores_df([plain, other])
    old["seed"] = [None] * 4 + [0] * 4
    assert group_conditions(old).overview["condition"].tolist() == ["colmad"]


def test_models_make_an_arm_of_their_own(tmp_path: Path) -> None:
    other = ran(tmp_path, {"debater_a": "simulated/perfect"}, protocol="single")
    found = group_conditions(scores_df([single(), other]))
    assert found.overview["condition"].tolist() == [
        "single debater_a=simulated/balanced",
        "single debater_a=simulated/perfect",
    ]


WARM = GenerateConfig(temperature=0.7)


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"model_generate_config": WARM}, "model.temperature=0.7"),
        ({"model_args": {"sensitivity": 0.9}}, "model.sensitivity=0.9"),
        (
            {"model_roles": {"debater_a": ModelConfig(model="x", config=WARM)}},
            "model.debater_a.temperature=0.7",
        ),
        (
            {"model_roles": {"debater_a": ModelConfig(model="x", args={"seed": 2})}},
            "model.debater_a.seed=2",
        ),
        # What shapes no answer makes no condition, nor do roles that nobody played.
        ({"model_generate_config": GenerateConfig(max_retries=3)}, None),
        ({"model_roles": {"judge": ModelConfig(model="x", config=WARM)}}, None),
    ],
)
def test_settings_make_an_arm_of_their_own(
    changes: dict[str, Any], label: str | None, tmp_path: Path
) -> None:
    other = changed(single(), tmp_path, eval_id="other", task_id="other", **changes)
    found = group_conditions(scores_df([single(), other]))
    if label is None:
        assert found.overview["condition"].tolist() == ["single"]
    else:
        # What is at its default is not part of the other's name.
        assert set(found.overview["condition"]) == {f"single {label}", "single"}
        assert found.overview["samples"].tolist() == [4, 4]


def test_settings_of_the_run_reach_every_role(tmp_path: Path) -> None:
    plan = read_eval_log(str(single())).plan.model_copy(update={"config": WARM})
    frame = scores_df(changed(single(), tmp_path, plan=plan))
    assert frame["settings"].tolist() == [{"temperature": 0.7}] * 4


def test_a_run_of_which_nothing_remains_is_told(tmp_path: Path) -> None:
    old = changed(
        *(single(), tmp_path),
        eval_id="old",
        task_id="old",
        created="2020-01-01T00:00:00+00:00",
    )
    found = group_conditions(scores_df([single(), old]))
    kept = dict(zip(found.runs["log"], found.runs["kept"], strict=True))
    assert kept == {old.name: 0, single().name: 4}
    assert found.notices({"single": "One model"}) == [
        "One model: 4 rows of older logs are left out, because newer ones hold the "
        f"same samples and epochs; nothing remains of {old.name}."
    ]
