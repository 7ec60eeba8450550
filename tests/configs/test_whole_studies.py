"""configs/*.py: every study as a whole, on the sample and without a key."""

import re
from collections.abc import Callable, Mapping
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from inspect_debate.cli.whole_study import LogOf, Run, Study, whole_study
from inspect_debate.reports.colmad.report import REPORT as colmad_report
from inspect_debate.reports.debate import REPORT as debate_report
from inspect_debate.reports.elements import Report, Table
from inspect_debate.reports.generative.report import REPORT as GENERATIVE
from tests.support.configurations import CONFIGS, ROOT, Typed, study
from tests.support.runs import records, samples

pytestmark = pytest.mark.slow

STUDIES = sorted(path.stem for path in CONFIGS.glob("*.py"))
WEAK = "generative_weak_judges"
REPORTS: dict[str, Callable[[list[str]], Report]] = {
    "colmad": colmad_report,
    "generative": GENERATIVE,
    "generative_weak_judges": GENERATIVE,
    "debate": debate_report,
}
Logs = dict[str, dict[str, EvalLog]]


@pytest.fixture(scope="module")
def made(typed: Typed) -> Logs:
    """The logs of every study, by run."""
    return {
        name: {(log.eval.tags or [""])[0]: log for log in typed.logs(f"study {name}")}
        for name in STUDIES
    }


@pytest.mark.parametrize("name", STUDIES)
def test_every_run_has_a_log_and_comes_after_those_it_uses(
    name: str, made: Logs
) -> None:
    runs, logs = study(name).runs(paper=False), made[name]
    assert logs.keys() == runs.keys()
    for run, log in logs.items():
        assert log.status == "success"
        assert log.eval.task == study(name).task
        passed = log.eval.task_args_passed
        used = {Path(passed[key]).name for key in ("reuse", "match") if key in passed}
        assert used == {Path(logs[each].location).name for each in runs[run].needs}
        for each in runs[run].needs:
            assert logs[each].stats.completed_at <= log.stats.started_at


@pytest.mark.parametrize("name", STUDIES)
def test_runs_share_what_is_to_be_paired(name: str, made: Logs) -> None:
    logs = made[name].values()
    metadata = [log.eval.metadata or {} for log in logs]
    for what in ("data", "seed", "prompts", "task_version"):
        found = [each[what] for each in metadata]
        # A second round of the same motions is more of the same data.
        assert all(each == found[0] for each in found), what
    assert len({log.eval.config.epochs for log in logs}) == 1
    assert not any(log.eval.config.log_realtime for log in logs)
    if name != "confidence":  # whose pools pair models
        ids = [{sample.id for sample in samples(log)} for log in logs]
        assert all(each == ids[0] for each in ids)


def answers(log: EvalLog) -> dict[object, list[str]]:
    """The first answers of every sample."""
    return {
        sample.id: [turn.public for turn in record.turns if turn.kind == "answer"]
        for sample, record in zip(samples(log), records(log), strict=True)
    }


@pytest.mark.parametrize("name", ["colmad", "srdcr", "generative", WEAK])
def test_runs_that_reuse_a_log_have_its_answers(name: str, made: Logs) -> None:
    runs, logs = study(name).runs(paper=False), made[name]
    again = [run for run in runs if "reuse" in runs[run].arguments]
    assert again
    for run in again:
        source = answers(logs[runs[run].arguments["reuse"].run])
        for id, found in answers(logs[run]).items():
            assert found == source[id][: len(found)]
            assert found


def test_a_role_may_have_the_model_of_another(made: Logs) -> None:
    logs = made["colmad"]

    def alone(run: str) -> set[str]:
        found = records(logs[run])
        return {each.model for record in found for each in record.participants}

    assert alone("single_a") == {"simulated/balanced"}
    assert alone("single_b") == {"simulated/hesitant"}


SINGLE = {"protocol": "single"}
SAME = {"a": Run(SINGLE), "b": Run(SINGLE, {"debater_a": "debater_b"})}


def typed_here(runs: Mapping[str, Run], logs: Path, *words: str) -> Result:
    """Run a study in this process, with one model."""
    options = [*("-T", "source=sample", "--limit", "1"), *("--log-dir", str(logs))]
    command = whole_study(Study("colmad", runs))
    # In a context of its own: Inspect leaves the settings of a set to what runs next.
    return copy_context().run(
        CliRunner().invoke,
        command,
        ["--model", "simulated/balanced", *options, *words],
    )


def test_runs_that_one_model_makes_the_same_are_made_once(tmp_path: Path) -> None:
    runs = SAME | {"c": Run({"protocol": "ensemble", "reuse": LogOf("b")})}
    for _ in range(2):
        ended = typed_here(runs, tmp_path)
        assert "b: with these models the same as a" in ended.output
        assert "All 3 runs are in" in ended.output
        tags = [read_eval_log(each).eval.tags for each in list_eval_logs(str(tmp_path))]
        assert sorted(tag or [] for tag in tags) == [["a"], ["c"]]


def test_runs_that_are_made_once_are_planned_once(tmp_path: Path) -> None:
    (tmp_path / "intent.yaml").write_text("primary: f1 of a")
    words = ["--plan", str(tmp_path / "intent.yaml")]
    assert "1 runs are planned" in typed_here(SAME, tmp_path / "logs", *words).output


def test_what_inspect_refuses_is_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.cli.whole_study._twins", lambda *_: {})
    ended = typed_here(SAME, tmp_path)
    assert ended.exit_code == 1
    assert "is not distinct" in ended.output


def test_running_a_study_again_runs_nothing(typed: Typed) -> None:
    runs = study("generative").runs(paper=False)
    # Twice as many, had anything been run again.
    logs = typed.logs("study generative")
    assert sorted(log.eval.tags or [] for log in logs) == [[r] for r in sorted(runs)]
    folder = typed.folder / "study generative"
    line = f"The report: inspect-debate report generative {folder} --out DIR"
    assert line in " ".join(typed.printed["study generative"].split("\n"))
    assert line in " ".join(typed.printed["again"].split("\n"))


def test_a_list_shows_runs_and_samples_and_calls_nothing(typed: Typed) -> None:
    lines = typed.printed["listed"].splitlines()
    # Ten models and six motions; without the keys of any of them.
    assert [line for line in lines if re.match(r"  \w+: ", line)] == [
        f"  {run}: 60 samples; protocol={run}"
        for run in study("confidence").runs(paper=True)
    ]
    assert not (typed.folder / "listed").exists()


def test_the_conditions_for_weak_judges_are_audited(typed: Typed) -> None:
    report = GENERATIVE([str(typed.folder / f"study {WEAK}")])
    (found,) = [s for s in report.sections if s.title == "Will debate help this pair?"]
    assert {item.name for item in found.items if isinstance(item, Table)} == {
        *("debate_help", "single_rulings"),
    }


@pytest.mark.parametrize("name", ["colmad", "generative", WEAK, "debate"])
def test_the_report_sets_all_of_them_side_by_side(name: str, typed: Typed) -> None:
    report = REPORTS[name]([str(typed.folder / f"study {name}")])
    runs = study(name).runs(paper=False)
    assert re.search(rf"\b{len(runs)} logs", report.summary)
    notices = " ".join(notice.text for notice in report.notices).lower()
    # Warnings about runs that should be paired and cannot be.
    for warning in ("refused", "other items", "not on the same", "differ in"):
        assert warning not in notices


def flat(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments without those that name logs."""
    return {k: v for k, v in arguments.items() if k not in ("reuse", "match")}


@pytest.mark.parametrize("name", STUDIES)
def test_the_papers_runs_have_no_parameters_but_those_that_it_varies(name: str) -> None:
    varied = {"protocol", "best_of", "recall_samples", "reuse_until"}
    for run in study(name).paper.values():
        assert {*flat(run.arguments)} <= varied


def test_the_docs_name_all_studies() -> None:
    page = (ROOT / "docs" / "configurations.md").read_text(encoding="utf-8")
    _, _, part = page.partition("## All runs of a study")
    assert sorted(re.findall(r"^\| `(\w+)` \|", part, re.M)) == STUDIES


def test_the_docs_commands_name_casts_that_there_are() -> None:
    page = (ROOT / "docs" / "configurations.md").read_text(encoding="utf-8")
    named = re.findall(r"configs/(\w+)\.py.*--cast (\S+)", page)
    assert named
    for name, cast in named:
        assert cast in {"all", *study(name).casts}
