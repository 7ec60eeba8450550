"""The whole report, of small runs of simulated models."""

from functools import cache
from inspect import signature
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, ModelOutput

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.srdcr import PROTOCOLS, srdcr
from inspect_debate.evals.srdcr import VERSION as OF_THE_TASK
from inspect_debate.reports.elements import Notice, Report, Section, Table
from inspect_debate.reports.srdcr.report import srdcr_report
from inspect_debate.reports.srdcr.study import ARMS, DEFAULTS, VERSIONS
from inspect_debate.reports.tables import csv_text, laid_out
from inspect_debate.solvers.knowledge_conflict import STUDY, ConflictConfig
from tests.reports.made_logs import logged
from tests.reports.srdcr.worked import row
from tests.support.models import scripted
from tests.support.runs import metrics, run

MODEL = "simulated/balanced"
DRAWS: dict[str, Any] = {
    "confidence_from": "both",
    "consistency_samples": 3,
    "recall_samples": 3,
}


def ran(
    folder: Path, protocol: Any, model: str | Model = MODEL, **given: Any
) -> EvalLog:
    settings: dict[str, Any] = {"limit": given.pop("limit", 12)}
    settings["token_limit"] = given.pop("token_limit", None)
    return run(srdcr(protocol, source="sample", **given), folder, model, **settings)


@cache
def logs() -> dict[str, EvalLog]:
    folder = Path(mkdtemp())
    first = ran(folder, "srdcr", rounds=2, **DRAWS)
    reused = {"reuse": str(logged(first)), "reuse_until": "answers", **DRAWS}
    return {
        "srdcr": first,
        "few_shot": ran(folder, "few_shot", **reused),
        "judge_debate": ran(folder, "judge_debate", judge_after="1", rounds=1),
        "naive_debate": ran(folder, "naive_debate", agents=2, rounds=1),
    }


@cache
def report() -> Report:
    return srdcr_report(logged(logs()["srdcr"]).parent)


def table(name: str) -> Table:
    (found,) = [table for table in report().tables() if table.name == name]
    return found


def section(title: str) -> Section:
    (found,) = [found for found in report().sections if found.title == title]
    return found


def notice(said: str) -> Notice:
    (found,) = [found for found in report().notices if said in found.text]
    return found


@pytest.mark.slow
def test_every_table_can_be_shown_and_written() -> None:
    for found in report().tables():
        assert laid_out(found).bodies[0].rows, found.name
        assert csv_text(found).count("\n") > 1, found.name


ARM = {
    "few_shot": f"{ARMS['few_shot']}, consistency_samples=3",
    "srdcr": "SR-DCR, consistency_samples=3, rounds=2",
    "judge_debate": "Judge Debate, 1 round, rounds=1, judge_after=[1]",
    "naive_debate": "Naive Debate, agents=2, rounds=1",
}


@pytest.mark.parametrize("protocol", ARM)
def test_accuracies_are_those_of_the_log(protocol: str) -> None:
    in_log = metrics(logs()[protocol], "clash")
    found = row(table("accuracy"), Arm=ARM[protocol])
    for column, name in (
        ("Standard", "standard"),
        ("Perturbed", "perturbed"),
        ("Overall", "overall"),
        ("Coverage", "coverage"),
        ("Selective", "selective"),
        ("Normalised", "normalised_overall"),
    ):
        assert found[column] == pytest.approx(in_log[name], nan_ok=True), column


def test_other_measures_are_those_of_the_log() -> None:
    in_log = metrics(logs()["srdcr"], "clash")
    for arm in ("prior", "golden", "token_prob", "calibrated_token_prob"):
        found = row(table("accuracy"), Arm=ARMS[arm])
        assert found["Overall"] == pytest.approx(in_log[f"overall_{arm}"]), arm
    found = row(table("biases"), Arm=ARM["srdcr"])
    for column, name in (
        ("Accuracy", "one_right"),
        ("Context bias", "context_bias"),
        ("Prior bias", "prior_bias"),
        ("Context bias low", "context_bias_low"),
    ):
        assert found[column] == pytest.approx(in_log[name], nan_ok=True), column
    found = row(table("preference_severity"), Arm=ARM["srdcr"], Given="Passage's")
    assert found["All"] == pytest.approx(in_log["context_preference"])
    last = row(table("rounds"), Arm=ARM["srdcr"], Round=1)
    assert last["Overall"] == pytest.approx(in_log["overall"])
    judged = row(table("verdicts"), Round=0)
    assert judged["Standard"] == pytest.approx(in_log["for_passage_0_standard"])
    in_log = metrics(logs()["srdcr"], "self_confidence")
    found = row(
        table("calibration"), Answer="Prior", **{"Confidence from": "the one used"}
    )
    assert (found["Brier"], found["ECE"]) == (
        pytest.approx(in_log["brier"]),
        pytest.approx(in_log["ece"]),
    )
    shares = table("tiers").frame.set_index("Tier")["Share"]
    assert shares["Highly known"] == pytest.approx(in_log["tier_highly"])


def test_sections_are_in_order() -> None:
    assert [section.title for section in report().sections] == [
        *("Accuracy", "The paper's Tables 1 and 2", "By severity"),
        *("Paired comparisons", "Abstention", "Passage or memory"),
        *("Rounds and verdicts", "What the model knows", "Confidence"),
        *("Sanity", "Provenance"),
    ]


def test_what_has_to_be_known_is_told_first() -> None:
    assert notice("sample set shipped").level == "warning"
    log = logged(logs()["srdcr"]).name
    assert f"- `{log}`, in" in notice("used again").text
    anew = notice("asked for several times").text
    assert f"`{logged(logs()['judge_debate']).name}`: Judge Debate" in anew
    assert logged(logs()["few_shot"]).name not in anew  # its answers are SR-DCR's


def test_arms_on_the_same_answers_are_compared_as_such() -> None:
    frame = table("comparisons").frame
    told = dict(zip(frame["Compared with"], frame["Answers"], strict=True))
    assert told[ARM["few_shot"]] == told[ARMS["golden"]] == "same"
    assert told[ARM["judge_debate"]] == "anew"
    assert told[ARM["naive_debate"]] == "own"
    assert (frame["Left out"] == "").all()


def test_runs_can_be_repeated_and_data_found() -> None:
    text = section("Provenance").text
    assert (
        "`inspect eval inspect_debate/srdcr -T protocol=srdcr -T source=sample" in text
    )
    assert "-T protocol=self_ask --model M`" in text
    assert "-T protocol=golden" not in text  # SR-DCR's run holds it
    assert "-T protocol=naive_debate --model M`" not in text
    found = row(table("runs"), Arm=ARM["srdcr"])
    assert (found["Samples"], found["Models"], found["Seed"]) == (12, MODEL, 0)
    assert row(table("runs"), Arm=ARM["few_shot"])
    assert row(table("data"), Name="Source")["Value"] == "sample"
    drawn = row(table("data"), Name="Balance: questions")["Value"]
    assert table("balance").frame["All"].sum() == int(drawn)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_names_leave_out_are_the_defaults_of_the_task(protocol: str) -> None:
    own = STUDY.protocols[protocol].parameters().logged(protocol)
    rare = ConflictConfig().model_dump(mode="json", exclude_none=True)
    given = {name: value for name, value in (own | rare).items() if value != {}}
    given.pop("recall_samples", None)  # changes no answer
    shots = signature(srdcr).parameters["shots"].default
    assert DEFAULTS[protocol] == given | {"shots": shots}


def test_the_version_is_that_of_the_task() -> None:
    assert VERSIONS[-1] == OF_THE_TASK


def test_logs_without_a_score_make_no_report(tmp_path: Path) -> None:
    ran(tmp_path, "few_shot", limit=2, token_limit=1)
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        srdcr_report(tmp_path)


def test_logs_without_a_readable_answer_have_a_report(tmp_path: Path) -> None:
    refused = ModelOutput.from_content("x", "No.", "content_filter")
    ran(tmp_path, "self_ask", scripted(lambda messages, description: refused), limit=2)
    found = srdcr_report(tmp_path)
    assert any("100% of the answers refused" in notice.text for notice in found.notices)
    (accuracy,) = [table for table in found.tables() if table.name == "accuracy"]
    assert accuracy.frame.empty


def test_a_baseline_alone_has_a_report(tmp_path: Path) -> None:
    ran(tmp_path, "self_ask", limit=2)
    found = srdcr_report(tmp_path)
    assert all(laid_out(table).bodies[0].rows for table in found.tables())
    assert "-T protocol=srdcr --model M`" in found.sections[-1].text
