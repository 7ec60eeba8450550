"""What logs say that debates cost."""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.event import ModelEvent

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.planning import changed
from inspect_debate.reports.prediction import spent, summed
from inspect_debate.solvers.colmad import colmad as collaborative
from tests.reports.made_logs import failing, foreign, logged, panel, single
from tests.support.models import scripted
from tests.support.runs import dataset, item, records, run, samples

PROFILES = {"debater_b": "simulated/always_no_error", "judge": "simulated/coin"}


def test_stages_of_a_panel_add_up_to_what_the_run_used() -> None:
    shown = spent(open_logs(panel()))
    assert [*shown.stages["stage"].unique()] == ["answers", "debated"]
    assert len(shown.debates) == 8  # four items, two epochs
    costs = summed(shown.costs)
    assert costs["calls"].to_dict() == {
        ("debater_a", "simulated/balanced"): 8 * 3,
        ("debater_b", "simulated/hesitant"): 8 * 3,
        ("judge", "simulated/balanced"): 8 * 2,
        ("judge", "simulated/first_speaker"): 8 * 2,
    }
    [log] = open_logs(panel())
    by_role = costs.groupby(level="role").sum()
    for role, usage in (log.header.stats.role_usage or {}).items():
        assert by_role.at[role, "output_tokens"] == usage.output_tokens
        assert by_role.at[role, "input_tokens"] == usage.input_tokens
        assert by_role.at[role, "cache_read_tokens"] == usage.input_tokens_cache_read


def test_debates_of_a_second_run_on_the_same_answers(tmp_path: Path) -> None:
    task = colmad(source="sample")
    first = run(task, tmp_path, roles=PROFILES, model="simulated/balanced", limit=6)
    skipped = [
        str(sample.id)
        for sample, record in zip(samples(first), records(first), strict=True)
        if not record.debated
    ]
    assert 0 < len(skipped) < 6
    every = colmad(
        source="sample",
        skip_if_agree=False,
        reuse=str(logged(first)),
        reuse_until="answers",
    )
    run(every, tmp_path, roles=PROFILES, model="simulated/balanced", sample_id=skipped)
    shown = spent(open_logs(tmp_path))
    assert shown.debates["went_on"].sum() == 6 - len(skipped)
    assert len(shown.debates) == 6
    counts = shown.stages["stage"].value_counts().to_dict()
    assert counts == {"answers": 6, "debated": 6, "skipped": len(skipped)}
    answers = shown.costs[shown.costs["stage"] == "answers"]
    assert answers["calls"].sum() == 12
    assert shown.costs["calls"].sum() == 12 + 6 * 5
    depths = shown.stages.groupby("stage")["depth"].agg(["min", "max"])
    assert [*depths.loc["debated"]] == [4, 4]
    assert [*depths.loc["skipped"]] == [1, 1]


def test_a_grader_is_asked_when_a_debate_is_scored(tmp_path: Path) -> None:
    task = colmad(
        source="sample",
        skip_if_agree=False,
        rounds=1,
        grade=["debate_hacking", "explanation_alignment"],
    )
    log = run(task, tmp_path, roles={"grader": "simulated/hesitant"}, limit=2)
    costs = spent(open_logs(tmp_path)).costs
    grader = costs[costs["role"] == "grader"]
    assert {*grader["model"]} == {"simulated/hesitant"}
    usage = (log.stats.role_usage or {})["grader"]
    assert grader["output_tokens"].sum() == usage.output_tokens
    asked = [
        event
        for sample in samples(log)
        for event in sample.events
        if isinstance(event, ModelEvent) and event.role == "grader"
    ]
    assert grader["calls"].sum() == len(asked) >= 4


def test_samples_that_failed_are_counted() -> None:
    shown = spent(open_logs(failing()))
    assert shown.left == 2
    assert len(shown.debates) == 4


def test_how_many_debates_changed_the_first_answer(tmp_path: Path) -> None:
    seen = changed(open_logs(single()))
    assert (seen.ones, seen.n) == (0, 4)
    task = Task(
        dataset=dataset(item("a"), item("b")),
        solver=collaborative(skip_if_agree=False),
    )
    roles = {
        "debater_b": "simulated/always_no_error",
        "judge": "simulated/first_speaker",
    }
    log = run(task, tmp_path, model="simulated/always_error", roles=roles)
    kept = changed(open_logs(tmp_path))
    ends = [r.of_kind("verdict")[0].field("answer").value for r in records(log)]
    assert kept.n == 2
    assert kept.ones == ends.count("no_error")


def test_a_log_without_debates_is_an_error() -> None:
    with pytest.raises(InputError, match="no sample has a complete record"):
        spent(open_logs(foreign()))


def test_a_price_that_is_not_known_is_none(tmp_path: Path) -> None:
    model = scripted(
        lambda messages, description: "The model response contains an error."
    )
    run(colmad(source="sample", protocol="single"), tmp_path, model, limit=1)
    assert spent(open_logs(tmp_path)).costs["cost"].isna().all()
    assert (spent(open_logs(panel())).costs["cost"] == 0).all()
