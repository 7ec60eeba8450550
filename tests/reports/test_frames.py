from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import GenerateConfig, ModelUsage

from inspect_debate.debate.errors import InputError
from inspect_debate.reports import frames, trust
from inspect_debate.reports.colmad import OUTCOME, PROTOCOLS
from inspect_debate.solvers.colmad import colmad
from tests.reports.conftest import WriteLog, sample
from tests.support import run

ONE = [sample("i1", prediction=1)]
A, B = "openai/gpt-4o-mini", "meta/llama-3"


def read(*logs: str) -> Any:
    return frames.samples(logs, "colmad", PROTOCOLS)


def test_a_sample_is_a_row_of_flat_columns(write_log: WriteLog) -> None:
    path = write_log([sample("i1", "no_error", 0.5, epoch=2, group="g")])
    row = read(path).iloc[0]
    assert (row["id"], row["epoch"], row["target"]) == ("i1", 2, "no_error")
    assert (row["protocol"], row["condition"]) == ("colmad", "ColMAD")
    assert (row["cluster"], row["metadata.subset"]) == ("g", "math")
    assert row["error_detection.prediction"] == 0.5
    assert isnan(row["process.first_a"])
    assert (row["status"], row["tokens"], row["cost"]) == ("finished", 100, 0.5)
    assert row["duration"] == 60
    assert row["debater_b"] == row["judge"] == A


@pytest.mark.parametrize("known", [True, False])
def test_what_is_not_known_is_not_zero(write_log: WriteLog, known: bool) -> None:
    """Some servers do not say what a reply took, and some models have no price."""
    one, two = sample("i1", prediction=1), sample("i2", prediction=1)
    one.model_usage["other"] = ModelUsage(total_tokens=1)
    if not known:
        one.model_usage["m"] = one.model_usage["other"] = ModelUsage()
    rows = read(write_log([one, two]))
    assert rows["cost"].isna().tolist() == [True, False]
    assert rows["tokens"].isna().tolist() == [not known, False]
    _, table, *_ = trust.section(rows, OUTCOME)
    (run,) = table.frame.to_dict("records")  # type: ignore[union-attr]  # a table
    assert isnan(run["Cost (USD)"])
    assert pd.isna(run["Tokens"]) != known


def test_how_samples_ended(write_log: WriteLog) -> None:
    failed = sample("i2", error="Overloaded\nmore")
    path = write_log([*ONE, failed, sample("i3", limit=True)])
    frame = read(path).set_index("id").sort_index()
    assert [*frame["status"]] == ["finished", "failed", "limit"]
    assert frame.loc["i2", "stopped_by"] == "Overloaded"
    assert isnan(frame.loc["i2", "error_detection.prediction"])


def test_folders_files_and_repeats_of_a_log_are_read_once(write_log: WriteLog) -> None:
    path = write_log(ONE)
    assert len(read(path, path, str(Path(path).parent))) == 1


def test_a_retried_log_is_replaced_by_its_newest(write_log: WriteLog) -> None:
    old = write_log([sample("i1", prediction=0)], task_id="t", status="error")
    new = write_log([sample("i1", prediction=1)], task_id="t")
    for order in ((old, new), (new, old)):
        assert [*read(*order)["error_detection.prediction"]] == [1]


def test_logs_of_one_condition_are_pooled(write_log: WriteLog) -> None:
    frame = read(write_log(ONE), write_log([sample("i2", prediction=0)]))
    assert [*frame["condition"].unique()] == ["ColMAD"]
    assert sorted(frame["id"]) == ["i1", "i2"]


def test_of_a_repeated_sample_the_newest_finished_counts(write_log: WriteLog) -> None:
    logs = [
        write_log([sample("i1", prediction=0)]),
        write_log([sample("i1", prediction=1), sample("i1", epoch=2, prediction=1)]),
        write_log([sample("i1", error="lost")]),
    ]
    frame = read(*logs)
    assert [*frame["epoch"]] == [1, 2]
    assert frame.loc[0, "error_detection.prediction"] == 1
    assert len(frame.attrs["notes"]) == 1


NAMES = [
    pytest.param([{}], ["ColMAD"], id="one"),
    pytest.param(
        [{}, {"changed": {"rounds": 3, "quotes": False}}],
        ["ColMAD", "ColMAD, rounds=3, quotes=false"],
        id="parameters",
    ),
    pytest.param(
        [{"protocol": "copmad", "changed": {"rounds": 3}}],
        ["CopMAD, rounds=3"],
        id="a changed one is named even alone",
    ),
    pytest.param(
        [{"protocol": "single", "model": A}, {"protocol": "single", "model": B}],
        ["Single (gpt-4o-mini)", "Single (llama-3)"],
        id="models",
    ),
    pytest.param(
        [{"roles": {"debater_b": B}}, {"protocol": "single"}],
        ["ColMAD", "Single (gpt-4o-mini)"],
        id="which of two models is alone",
    ),
    pytest.param(
        [{}, {"protocol": "single"}], ["ColMAD", "Single"], id="one model in all"
    ),
    pytest.param(
        [{}, {"roles": {"judge": [A, B]}}],
        [
            "ColMAD (gpt-4o-mini)",
            "ColMAD (gpt-4o-mini, judges gpt-4o-mini, llama-3)",
        ],
        id="a panel",
    ),
    pytest.param(
        [{}, {"parameters": {"seed": 1}}],
        ["ColMAD, seed=0", "ColMAD, seed=1"],
        id="seeds",
    ),
    pytest.param(
        [{}, {"protocol": "single", "parameters": {"seed": 1}}],
        ["ColMAD", "Single"],
        id="seeds of different protocols",
    ),
    pytest.param(
        [{}, {"parameters": {"prompts": "mine.yaml"}}],
        ["ColMAD, prompts of the suite", "ColMAD, prompts of mine.yaml"],
        id="prompts",
    ),
    pytest.param(
        [{}, {"settings": {"temperature": 1.0, "max_connections": 5}}],
        ["ColMAD, default settings", "ColMAD, temperature=1.0"],
        id="settings",
    ),
    pytest.param(
        [{}, {"settings": {"max_connections": 5}}], ["ColMAD"], id="not a setting"
    ),
    pytest.param([{"protocol": "mine"}], ["mine"], id="a protocol of one's own"),
]


@pytest.mark.parametrize(("runs", "names"), NAMES)
def test_conditions_are_named_by_what_differs(
    write_log: WriteLog, runs: list[dict[str, object]], names: list[str]
) -> None:
    logs = [write_log([sample(f"i{n}", prediction=1)], **r) for n, r in enumerate(runs)]
    for order in (logs, logs[::-1]):
        assert [*read(*order)["condition"].unique()] == names


def test_a_bound_role_takes_the_place_of_the_main_model(write_log: WriteLog) -> None:
    row = read(write_log(ONE, roles={"debater_a": B})).iloc[0]
    assert (row["debater_a"], row["debater_b"], row["judge"]) == (B, A, B)


@pytest.mark.parametrize(
    ("given", "roles"),
    [
        ({}, (B, A, B)),
        ({"solver": "mine.py@rebut"}, (B, A, A)),
        ({"solver": "inspect_debate/copmad"}, (B, A, B)),
        ({"solver": "inspect_debate/srdcr"}, (B, B, B)),
        ({"solver": "mine.py@rebut", "study": None}, (B, A, A)),
        ({"study": None}, (B, A, A)),
        ({"study": "confidence"}, (B, A, A)),
    ],
)
def test_who_takes_the_roles_that_are_not_bound(
    write_log: WriteLog, given: dict[str, Any], roles: tuple[str, ...]
) -> None:
    log = read_eval_log(write_log(ONE, roles={"debater_a": B}, **given))
    assert tuple(frames.models(log).values()) == roles


def test_debates_judged_again_have_their_debaters(write_log: WriteLog) -> None:
    spoke = {"debater_a": A, "debater_b": A}
    again = {"model": "none/none", "roles": {"judge": B}, "metadata": {"spoke": spoke}}
    row = read(write_log(ONE, **again)).iloc[0]
    assert (row["debater_a"], row["debater_b"], row["judge"]) == (A, A, B)


def test_refusals_name_the_log_and_the_remedy(
    write_log: WriteLog, tmp_path: Path
) -> None:
    (broken := tmp_path / "broken.eval").write_text("no log")
    copmad = "inspect_debate/copmad"
    cases = {
        write_log(ONE, study="debate"): "report debate",
        write_log(ONE, study=None): "report debate",
        write_log(ONE, study=None, solver=copmad): "report debate",
        write_log(ONE, solver=copmad): f"--solver {copmad}",
        write_log([sample("i1", error="x")]): "1 samples",
        write_log([]): "0 samples",
        str(broken): "readable",
    }
    for log, part in cases.items():
        with pytest.raises(InputError, match=part) as error:
            read(log)
        assert "\n" not in str(error.value)


def test_other_logs_of_a_folder_are_left_out_and_named(write_log: WriteLog) -> None:
    others = [write_log(ONE, study="debate"), write_log(ONE, study=None)]
    frame = read(write_log(ONE), *others)
    assert len(frame) == 1
    notes = frame.attrs["notes"]
    assert len(notes) == 1
    assert "2 logs" in notes[0]
    (note,) = read(write_log(ONE), others[0]).attrs["notes"]
    assert Path(others[0]).name in note
    with pytest.raises(InputError, match="report debate"):
        read(*others)


FOREIGN: list[Any] = [
    ({"solver": "own/mine.py@rebut"}, "rebut"),
    ({"solver": "mine.py@rebut", "solver_args": {"n": 3}}, "rebut, n=3"),
    ({"solver": "inspect_debate/colmad", "solver_args": {"seed": 1}}, "ColMAD"),
    ({"solver": "mine.py@rebut", "study": "colmad"}, "rebut"),
    ({}, ""),
]


@pytest.mark.parametrize(("given", "name"), FOREIGN)
def test_report_debate_takes_logs_of_any_task(
    write_log: WriteLog, given: dict[str, Any], name: str
) -> None:
    log = write_log(ONE, **{"study": None, "task": "folder/quiz", **given})
    frame = frames.samples([log], "debate", PROTOCOLS)
    assert frame.loc[0, "condition"] == name
    own = given.get("study")
    assert frame.loc[0, "source"] == ("sample" if own else "quiz")


def test_parameters_of_a_solver_set_in_python(tmp_path: Path) -> None:
    given: dict[str, Any] = {"model": "simulated/balanced", "roles": {}}
    logs = [run(tmp_path, colmad(rounds=n), **given).log.location for n in (1, 3)]
    frame = frames.samples(logs, "debate", PROTOCOLS)
    assert [*frame["condition"]] == ["ColMAD, rounds=1", "ColMAD, rounds=3"]


def test_conditions_on_several_data_sets_are_not_pooled(write_log: WriteLog) -> None:
    logs = [
        *(write_log(ONE, study=None, solver="a.py@x", task=t) for t in ("one", "two")),
        *(
            write_log(ONE, study="debate", metadata={"data": {"candidates": n}})
            for n in ("two", "all")
        ),
    ]
    frame = frames.samples(logs, "debate", PROTOCOLS)
    assert frame["condition"].nunique() == len(frame) == 4


def test_roles_of_others_tell_conditions_apart(write_log: WriteLog) -> None:
    for role, number in (("critic", 2), ("grader", 1)):
        logs = [
            write_log(ONE, study=None, solver="a.py@x", roles={role: model})
            for model in (A, B)
        ]
        frame = frames.samples(logs, "debate", PROTOCOLS)
        assert frame["condition"].nunique() == number


def test_settings_of_a_run_without_a_main_model(write_log: WriteLog) -> None:
    path = write_log(ONE)
    log = read_eval_log(path)
    log.plan.config = GenerateConfig(temperature=0.5, max_retries=3)
    write_eval_log(log, path)
    assert read(path).loc[0, "settings"] == "temperature=0.5"


SCORES: list[Any] = [
    *(("C", 1), ("P", 0.5), ("I", 0), ("N", 0), ("yes", 1), ("False", 0)),
    *((True, 1), ("0.25", 0.25), (2, 2), (None, nan), (inf, nan)),
]


@pytest.mark.parametrize(("value", "number"), SCORES)
def test_scores_are_numbers(value: Any, number: float) -> None:
    assert frames.as_number(value) == pytest.approx(number, nan_ok=True)


@pytest.mark.parametrize("value", ["label", [1, 2], {}])
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises(ValueError, match="number"):
        frames.as_number(value)


def test_a_run_that_was_killed_is_a_warning(write_log: WriteLog) -> None:
    whole, killed = write_log(ONE), write_log(ONE, "single", status="started")
    named = [w for w in trust.warnings(read(whole, killed), OUTCOME) if "finish" in w]
    assert [Path(killed).name in one for one in named] == [True]
    assert not any("not finish" in one for one in trust.warnings(read(whole), OUTCOME))


@pytest.mark.parametrize("folder", ["empty", "nowhere"])
def test_a_folder_without_logs_is_refused_beside_others(
    write_log: WriteLog, tmp_path: Path, folder: str
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=folder):
        read(write_log(ONE), str(tmp_path / folder))


def test_a_log_without_samples_is_noted_beside_others(write_log: WriteLog) -> None:
    frame = read(write_log(ONE), write_log([], "single", status="error"))
    assert len(frame) == 1
    assert len(frame.attrs["notes"]) == 1
