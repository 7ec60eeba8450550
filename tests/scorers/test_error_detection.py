"""Metrics against a hand count: with epochs, with what could not be read, unscored."""

from math import isnan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, score
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.colmad import colmad
from tests.support.models import scripted
from tests.support.runs import dataset, item, metrics, records, run, samples, values

ERROR = "Therefore, the model response contains an error."
NO_ERROR = "Therefore, the model response contains no error."
UNREAD = "Hard to say."

# Gold label, and what the detector says in epochs 1 and 2.
PLAN = {
    "a": ("error", ERROR, ERROR),
    "b": ("error", ERROR, NO_ERROR),
    "c": ("error", UNREAD, NO_ERROR),
    "d": ("no_error", ERROR, NO_ERROR),
    "e": ("no_error", NO_ERROR, UNREAD),
}
# By hand: tp 3 (a a b), fn 2 (b c), fp 1 (d), tn 2 (d e); unread 2 (c e).


def plan_run(tmp_path: Path, **settings: Any) -> dict[str, float]:
    def detector(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str:
        assert description is not None
        return PLAN[description.sample][description.epoch]

    items = [
        item(id, response=f"Response {id}.", label=label, task=f"Task {id}.")
        for id, (label, *_) in PLAN.items()
    ]
    log = run(
        Task(dataset=dataset(*items), solver=single(), scorer=error_detection()),
        tmp_path,
        model=scripted(detector),
        score_display=True,  # metrics of a run under way: of no score, of one
        **settings,
    )
    return metrics(log, "error_detection")


def test_two_epochs_against_a_hand_count(tmp_path: Path) -> None:
    found = plan_run(tmp_path, epochs=2)
    assert found["items"] == 10
    assert found["no_prediction_rate"] == pytest.approx(2 / 10)
    assert found["unparsed_rate"] == pytest.approx(2 / 10)
    assert found["refused_rate"] == 0
    assert found["precision"] == pytest.approx(3 / 4)
    assert found["recall"] == pytest.approx(3 / 5)
    assert found["f1"] == pytest.approx(6 / 9)
    assert found["f2"] == pytest.approx(15 / 24)
    assert found["accuracy"] == pytest.approx(5 / 8)
    assert found["balanced_accuracy"] == pytest.approx((3 / 5 + 2 / 3) / 2)
    assert found["predicted_error_rate"] == pytest.approx(4 / 8)
    # MCC by its definition: (3*2 - 1*2) / sqrt(4 * 5 * 3 * 4).
    assert found["mcc"] == pytest.approx(4 / (4 * 5 * 3 * 4) ** 0.5)
    assert found["f1_gpt4_math"] == found["f1"]
    assert found["items_gpt4_math"] == 10


def test_the_convention_of_realmistake(tmp_path: Path) -> None:
    found = plan_run(tmp_path, epochs=2)
    # Unread c is a false negative, unread e a true negative; both wrong for accuracy.
    assert found["recall_realmistake"] == pytest.approx(3 / 6)
    assert found["f1_realmistake"] == pytest.approx(6 / 10)
    assert found["accuracy_realmistake"] == pytest.approx(5 / 10)


def test_cells_and_their_means_are_in_both_conventions(tmp_path: Path) -> None:
    found = plan_run(tmp_path, epochs=2)
    assert found["accuracy_gpt4_mean"] == pytest.approx(5 / 8)
    by_hand = {"precision": 3 / 4, "recall": 3 / 6, "f1": 6 / 10, "f2": 15 / 28}
    by_hand |= {"accuracy": 5 / 10, "predicted_error_rate": 4 / 10}
    for name, value in by_hand.items():
        for part in ("", "_gpt4_math", "_gpt4_mean"):
            key = f"{name}_realmistake{part}"
            assert found[key] == pytest.approx(value), key


def test_baselines_stand_on_the_same_items(tmp_path: Path) -> None:
    found = plan_run(tmp_path, epochs=2)
    assert found["f1_always_error"] == pytest.approx(2 * 6 / (2 * 6 + 4))
    assert found["accuracy_always_no_error"] == pytest.approx(4 / 10)
    assert found["accuracy_base_rate"] == pytest.approx(0.6**2 + 0.4**2)


def test_epochs_of_an_item_are_one_cluster(tmp_path: Path) -> None:
    def always(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        return PLAN[description.sample][1]

    items = [
        item(id, response=f"Response {id}.", label=label, task=f"Task {id}.")
        for id, (label, *_) in PLAN.items()
    ]
    widths = []
    for epochs in (1, 4):
        log = run(
            Task(dataset=dataset(*items), solver=single(), scorer=error_detection()),
            tmp_path,
            model=scripted(always),
            epochs=epochs,
        )
        found = metrics(log, "error_detection")
        widths.append(found["accuracy_high"] - found["accuracy_low"])
    # Saying the same four times is no more evidence than saying it once.
    assert widths[1] == pytest.approx(widths[0], rel=0.02)


def test_a_sample_stopped_by_a_limit_is_unscored_with_the_reason(
    tmp_path: Path,
) -> None:
    log = run(
        Task(
            dataset=dataset(item("a"), item("b", response="Other.")),
            solver=colmad(),
            scorer=[error_detection(), debate_process()],
        ),
        tmp_path,
        model="simulated/always_error",
        roles={"debater_b": "simulated/always_no_error"},
        token_limit=1500,
    )
    for sample, record in zip(samples(log), records(log), strict=True):
        assert sample.limit is not None
        assert not record.complete
        assert record.ended_by == "the token limit of 1,500"
        # What was paid for is in the record.
        assert len(record.of_kind("answer")) == 2
        assert sample.scores is not None
        one = sample.scores["error_detection"]
        assert isinstance(one.value, float)
        assert isnan(one.value)
        assert one.explanation == "The debate was stopped by the token limit of 1,500."
    assert log.results is not None
    assert {s.unscored_samples for s in log.results.scores} == {2}


def test_a_first_sample_that_is_unscored_loses_no_key(tmp_path: Path) -> None:
    def costly(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> ModelOutput:
        assert description is not None
        output = ModelOutput.from_content("costly", ERROR)
        tokens = 1000 if description.sample == "first" else 10
        output.usage = ModelUsage(output_tokens=tokens, total_tokens=tokens)
        return output

    log = run(
        Task(
            dataset=dataset(item("first"), item("second", response="Other.")),
            solver=single(),
            scorer=error_detection(),
        ),
        tmp_path,
        model=scripted(costly),
        max_samples=1,
        token_limit=100,
    )
    assert log.results is not None
    (result,) = log.results.scores
    assert (result.scored_samples, result.unscored_samples) == (1, 1)
    assert metrics(log, "error_detection")["items"] == 1
    assert metrics(log, "error_detection")["recall"] == 1


def test_scoring_a_finished_log_again_gives_the_same(tmp_path: Path) -> None:
    scorers = [error_detection(), debate_process()]
    items = [item(str(n), response=f"Response {n}.") for n in range(6)]
    log = run(
        Task(dataset=dataset(*items), solver=colmad(order="both"), scorer=scorers),
        tmp_path,
        roles={"debater_b": "simulated/malformed"},
        epochs=2,
    )
    again = score(log, scorers, action="overwrite", display="none")
    for name in ("error_detection", "debate_process"):
        before, after = metrics(log, name), metrics(again, name)
        assert before.keys() == after.keys()
        for key, value in before.items():
            assert after[key] == value or (isnan(after[key]) and isnan(value)), key
        for one, other in zip(samples(log), samples(again), strict=True):
            assert str(values(one, name)) == str(values(other, name))


def test_every_sample_has_the_same_keys(tmp_path: Path) -> None:
    scorers = [error_detection(), debate_process()]
    items = [item(str(n), response=f"Response {n}.") for n in range(12)]
    log = run(
        Task(dataset=dataset(*items), solver=colmad(order="both"), scorer=scorers),
        tmp_path,
        roles={
            "debater_b": "simulated/malformed",
            "judge": ["simulated/malformed", "simulated/coin"],
        },
    )
    for name in ("error_detection", "debate_process"):
        kinds = {tuple(values(sample, name)) for sample in samples(log)}
        assert len(kinds) == 1, name
        assert {"correct", "debated", "calls", "tokens"} <= set(kinds.pop())
