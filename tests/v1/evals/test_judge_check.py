"""Whole runs of the judge check, on the shipped debates and on those of logs."""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesView

from inspect_debate.evals.judge_check import judge_check
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.judge_checks import CHECKS
from tests.v1.support.judge_checks import simulated_moves
from tests.v1.support.models import Messages, scripted
from tests.v1.support.runs import metrics, record, run, samples, score_of, values

LIMIT = 8


def judge(bias: str, **parameters: Any) -> Model:
    return get_model(f"reading_judge/{bias}", memoize=False, **parameters)


def checked(log_dir: Path, model: str | Model = "", **parameters: Any) -> EvalLog:
    settings = parameters.pop("settings", {})
    return run(
        judge_check,
        log_dir,
        model or judge("unbiased"),
        task_args=parameters,
        **settings,
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """All checks on some of the shipped debates, with a judge that obeys."""
    folder = tmp_path_factory.mktemp("whole")
    labels = folder / "labels.csv"
    labels.write_text("id,answer\nhoney-2,The copper ladle\nlamps-1,A\n")
    model = judge("obedient", seed=3)
    settings = {"limit": LIMIT}
    return checked(folder, model, human_labels=str(labels), settings=settings)


@pytest.mark.slow
def test_a_run_finds_what_its_prompts_show(whole: EvalLog) -> None:
    moves, ids = simulated_moves("obedient", 3)
    assert len(samples(whole)) == LIMIT
    for sample in samples(whole):
        found = values(sample, "judge_check")
        place = ids.index(str(sample.id))
        assert {c: found[c] for c in CHECKS} == {c: moves[c][place] for c in CHECKS}
    summary = metrics(whole, "judge_check")
    # A limit takes the first ones, in the order in which they are simulated.
    orders, again = moves["orders"][:LIMIT], moves["repeat"][:LIMIT]
    assert summary["orders_shift"] == pytest.approx(sum(orders) / LIMIT)
    assert summary["repeat_agreement"] == pytest.approx(sum(again) / LIMIT)


def test_the_record_holds_every_verdict_the_first_one_first(whole: EvalLog) -> None:
    for sample in samples(whole):
        finished = record(sample)
        verdicts = finished.of_kind("verdict")
        assert [turn.about for turn in verdicts] == [None, *CHECKS]
        found = values(sample, "judge_check")
        right = verdicts[0].field("answer").value == sample.target
        assert found["correct"] == float(right)
        assert found["calls"] == len(CHECKS) + 1
        assert finished.debated
        assert finished.participant("judge").settings["verdict"]["temperature"] == 0
        explained = score_of(sample, "judge_check").explanation or ""
        assert all(f"| {check} |" in explained for check in CHECKS)


def test_human_labels(whole: EvalLog) -> None:
    known = {
        str(sample.id): found["human"]
        for sample in samples(whole)
        if not math.isnan((found := values(sample, "judge_check"))["human"])
    }
    assert known.keys() == {"honey-2", "lamps-1"}
    assert "human_agreement" in metrics(whole, "judge_check")
    logged = whole.eval.metadata
    assert logged is not None
    assert logged["data"]["human_labels"]["labelled"] == 2


def test_each_check_has_a_column_in_the_viewer(whole: EvalLog) -> None:
    scored = values(samples(whole)[0], "judge_check")
    viewer = judge_check().viewer
    assert viewer is not None
    view = viewer.task_samples_view
    assert isinstance(view, TaskSamplesView)
    shown = [column.id for column in view.columns or []]
    for check in CHECKS:
        assert check in scored
        assert TaskSamplesColumn.score("judge_check", check).id in shown


def test_a_simulated_judge_can_rehearse_it(tmp_path: Path) -> None:
    log = checked(tmp_path, "simulated/balanced", settings={"limit": 2})
    for sample in samples(log):
        found = values(sample, "judge_check")
        assert not any(math.isnan(found[check]) for check in CHECKS)


def test_some_checks_alone_can_be_made(tmp_path: Path) -> None:
    log = checked(tmp_path, checks=["orders", "repeat"], settings={"limit": 1})
    (sample,) = samples(log)
    found = values(sample, "judge_check")
    assert {"repeat", "orders"} <= found.keys()
    assert "padded" not in found
    assert found["calls"] == 3


def test_several_judges_at_once_are_refused(tmp_path: Path) -> None:
    both = [judge("name"), judge("label")]
    with pytest.raises(InputError, match="takes one model in a judge check, given wer"):
        run(judge_check, tmp_path, roles={"judge": both})


def test_a_judge_that_says_nothing(tmp_path: Path) -> None:
    def half(messages: Messages, description: TurnDescription) -> str:
        return "I cannot say." if "padded" in description.draw else "Answer: A"

    log = checked(tmp_path, scripted(half, "half"), settings={"limit": 2})
    for sample in samples(log):
        found = values(sample, "judge_check")
        assert math.isnan(found["padded"])
        assert found["order"] == 0
    assert metrics(log, "judge_check")["padded_unread"] == 1


def test_epochs_mirror_the_order_and_the_manipulated_side(tmp_path: Path) -> None:
    log = checked(tmp_path, settings={"limit": 2, "epochs": 2})
    for one in samples(log):
        (two,) = (s for s in samples(log) if (s.id, s.epoch) == (one.id, 2))
        if one.epoch == 1:
            first, second = (record(sample).of_kind("verdict") for sample in (one, two))
            for before, after in zip(first, second, strict=True):
                assert before.listed_first != after.listed_first
                if before.about in ("order", "padded", "orders"):
                    assert before.favours != after.favours
