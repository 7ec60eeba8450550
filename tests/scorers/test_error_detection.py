"""Error detection, random tie-breaks and changes of mind, against hand counts."""

from math import isnan, nan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import score
from inspect_ai.model import ModelOutput, ModelUsage

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord, Parsed, Status, Turn
from inspect_debate.scorers.common import first_answers
from inspect_debate.scorers.debate_process import change_values, debate_process
from inspect_debate.scorers.error_detection import detection_values, error_detection
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.colmad import colmad
from tests.scorers.recorded import Recorded, score_records
from tests.support.made import answer, made_record, verdict
from tests.support.models import Messages, scripted
from tests.support.runs import (
    item,
    metrics,
    records,
    run_solver,
    samples,
    score_of,
    values,
)

ERROR = "Therefore, the model response contains an error."
NO_ERROR = "Therefore, the model response contains no error."
VAGUE = "Hard to say."

# Gold label, and what the detector says in epochs 1 and 2.
PLAN = {
    "a": ("error", ERROR, ERROR),
    "b": ("error", ERROR, NO_ERROR),
    "c": ("error", VAGUE, NO_ERROR),
    "d": ("no_error", ERROR, NO_ERROR),
    "e": ("no_error", NO_ERROR, VAGUE),
}
# By hand: tp 3 (a a b), fn 2 (b c), fp 1 (d), tn 2 (d e); unread 2 (c e).


def plan_run(tmp_path: Path, **settings: Any) -> dict[str, float]:
    def detector(messages: Messages, description: TurnDescription) -> str:
        return PLAN[description.sample][description.epoch]

    items = [
        item(id, response=f"Response {id}.", label=label, task=f"Task {id}.")
        for id, (label, *_) in PLAN.items()
    ]
    log = run_solver(
        single(),
        items,
        tmp_path,
        scripted(detector),
        score_display=True,
        **settings,
        scorer=error_detection(),
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


def test_a_sample_stopped_by_a_limit(tmp_path: Path) -> None:
    log = run_solver(
        colmad(),
        [item("a"), item("b", response="Other.")],
        tmp_path,
        "simulated/always_error",
        {"debater_b": "simulated/always_no_error"},
        token_limit=1500,
        scorer=[error_detection(), debate_process()],
    )
    for sample, record in zip(samples(log), records(log), strict=True):
        assert sample.limit is not None
        assert not record.complete
        assert record.ended_by == "the token limit of 1,500"
        # What was paid for is in the record.
        assert len(record.of_kind("answer")) == 2
        one = score_of(sample, "error_detection")
        assert isinstance(one.value, float)
        assert isnan(one.value)
        assert one.explanation == "The debate was stopped by the token limit of 1,500."
    assert log.results is not None
    assert {s.unscored_samples for s in log.results.scores} == {2}


def test_a_first_sample_that_is_unscored_loses_no_key(tmp_path: Path) -> None:
    def costly(messages: Messages, description: TurnDescription) -> ModelOutput:
        output = ModelOutput.from_content("costly", ERROR)
        tokens = 1000 if description.sample == "first" else 10
        output.usage = ModelUsage(output_tokens=tokens, total_tokens=tokens)
        return output

    log = run_solver(
        single(),
        [item("first"), item("second", response="Other.")],
        tmp_path,
        scripted(costly),
        max_samples=1,
        token_limit=100,
        scorer=error_detection(),
    )
    assert log.results is not None
    (result,) = log.results.scores
    assert (result.scored_samples, result.unscored_samples) == (1, 1)
    assert metrics(log, "error_detection")["items"] == 1
    assert metrics(log, "error_detection")["recall"] == 1


def test_scoring_a_finished_log_again_gives_the_same(tmp_path: Path) -> None:
    scorers = [error_detection(), debate_process()]
    items = [item(str(n), response=f"Response {n}.") for n in range(6)]
    log = run_solver(
        colmad(order="both"),
        items,
        tmp_path,
        roles={"debater_b": "simulated/malformed"},
        epochs=2,
        scorer=scorers,
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
    log = run_solver(
        colmad(order="both"),
        items,
        tmp_path,
        roles={
            "debater_b": "simulated/malformed",
            "judge": ["simulated/malformed", "simulated/coin"],
        },
        scorer=scorers,
    )
    for name in ("error_detection", "debate_process"):
        kinds = {tuple(values(sample, name)) for sample in samples(log)}
        assert len(kinds) == 1, name
        assert {"correct", "debated", "calls", "tokens"} <= set(kinds.pop())


NAME = "error_detection"
E, N, UNREAD = "error", "no_error", Parsed.unparsed()


def ensemble(
    a: str | Parsed, b: str | Parsed, drawn: str | None = None
) -> DebateRecord:
    turns = (answer("debater_a", a), answer("debater_b", b))
    return made_record(*turns, aggregation="coin", drawn=drawn)


def test_a_random_tie_break_is_a_probability(tmp_path: Path) -> None:
    given = [
        Recorded(E, [ensemble(E, E)]),
        Recorded(E, [ensemble(E, N, drawn=N)]),
        Recorded(N, [ensemble(N, E, drawn=N)]),
        Recorded(N, [ensemble(N, UNREAD)]),
    ]
    log = score_records(given, error_detection(), tmp_path)
    found = [values(sample, NAME) for sample in samples(log)]
    assert [one["prediction"] for one in found[:3]] == [1, 0.5, 0.5]
    assert [one["prediction_drawn"] for one in found[:3]] == [1, 0, 0]
    assert [one["correct"] for one in found[:3]] == [1, 0.5, 0.5]
    assert [one["agreed_before"] for one in found[:3]] == [1, 0, 0]
    for key in ("prediction", "prediction_drawn", "correct"):
        assert isnan(found[3][key])
    assert len({tuple(one) for one in found}) == 1
    assert samples(log)[1].scores is not None

    rates = metrics(log, NAME)
    # At expected counts: tp 1.5, fn 0.5, fp 0.5, tn 0.5.
    assert rates["f1"] == pytest.approx(3 / 4)
    assert rates["accuracy"] == pytest.approx(2 / 3)
    assert rates["no_prediction_rate"] == pytest.approx(1 / 4)
    # As drawn: tp 1, fn 1, tn 1.
    assert rates["f1_drawn"] == pytest.approx(2 / 3)
    assert rates["precision_drawn"] == 1
    # All four tosses: (tp, fp, fn) 1 0 1, 1 1 1, 2 0 0, 2 1 0, each of probability 1/4.
    assert rates["coins"] == 2
    assert rates["f1_expected"] == pytest.approx((2 / 3 + 2 / 4 + 1 + 4 / 5) / 4)
    assert rates["f2_expected"] == pytest.approx((5 / 9 + 5 / 10 + 1 + 10 / 11) / 4)
    assert rates["precision_expected"] == pytest.approx((1 + 1 / 2 + 1 + 2 / 3) / 4)
    assert rates["recall_expected"] == pytest.approx(3 / 4)
    assert rates["accuracy_expected"] == pytest.approx(2 / 3)
    assert rates["f1_expected_gpt4_mean"] == rates["f1_expected"]


KEYS = (
    "first_right_debater_a",
    "first_right_debater_b",
    "right_to_wrong",
    "wrong_to_right",
    "both_wrong_to_right",
    "both_right_to_wrong",
)


def update(participant: str, value: str | Parsed, round: int = 1) -> Turn:
    return answer(participant, value, kind="update", round=round)


def first(a: str | Parsed, b: str | Parsed) -> tuple[Turn, Turn]:
    return answer("debater_a", a), answer("debater_b", b)


def society(a: str, b: str, then_a: str, then_b: str) -> DebateRecord:
    drawn = then_a if then_a != then_b else None
    return made_record(
        *first(a, b),
        update("debater_a", then_a),
        update("debater_b", then_b),
        aggregation="coin",
        drawn=drawn,
    )


DRAWS = [answer("debater_a", value, draw=n) for n, value in enumerate((E, N, E), 1)]

# The gold label is "error" throughout.
CASES: list[tuple[str, DebateRecord, tuple[float, ...]]] = [
    ("judged right", made_record(*first(E, N), verdict(E)), (1, 0, 0, 0, nan, nan)),
    ("judged wrong", made_record(*first(E, N), verdict(N)), (1, 0, 1, 0, nan, nan)),
    ("A set right", made_record(*first(N, E), verdict(E)), (0, 1, 0, 1, nan, nan)),
    ("both put right", made_record(*first(N, N), verdict(E)), (0, 0, 0, 1, 1, nan)),
    ("both stay wrong", made_record(*first(N, N), verdict(N)), (0, 0, 0, 0, 0, nan)),
    ("both put wrong", made_record(*first(E, E), verdict(N)), (1, 1, 1, 0, nan, 1)),
    ("both stay right", made_record(*first(E, E), verdict(E)), (1, 1, 0, 0, nan, 0)),
    ("agreed", made_record(*first(E, E)), (1, 1, nan, nan, nan, nan)),
    (
        "a tie",
        made_record(*first(N, N), verdict(N), verdict(E, order="ba")),
        (0, 0, nan, nan, nan, nan),
    ),
    ("A unread", made_record(*first(UNREAD, N), verdict(E)), (nan, 0) + (nan,) * 4),
    ("B unread", made_record(*first(N, UNREAD), verdict(E)), (0, nan, 0, 1, nan, nan)),
    ("judge alone", made_record(verdict(E)), (nan,) * 6),
    ("single", made_record(answer("debater_a", N)), (0,) + (nan,) * 5),
    ("several draws", made_record(*DRAWS, aggregation="majority"), (nan,) * 6),
    ("updates agree", society(N, N, E, E), (0, 0, 0, 1, 1, nan)),
    ("updates differ", society(N, N, E, N), (0, 0, 0, 0.5, 0.5, nan)),
    ("updates differ, from right", society(E, E, E, N), (1, 1, 0.5, 0, nan, 0.5)),
    (
        "a coin without updates",
        made_record(*first(E, N), aggregation="coin", drawn=N),
        (1, 0) + (nan,) * 4,
    ),
]


@pytest.mark.parametrize(("name", "record", "expected"), CASES)
def test_values(name: str, record: DebateRecord, expected: tuple[float, ...]) -> None:
    found = change_values(record, "error")
    assert [found[key] for key in KEYS] == pytest.approx(expected, nan_ok=True)
    assert tuple(found) == KEYS


@pytest.mark.parametrize(
    ("record", "agreed"),
    [
        (made_record(*first(E, E)), 1),
        (made_record(*first(E, N)), 0),
        (made_record(*first(E, UNREAD)), nan),
        (society(E, N, N, N), 0),
        (made_record(answer("debater_a", E)), nan),
        (made_record(*DRAWS[:2], aggregation="majority"), nan),
    ],
)
def test_agreement_of_first_answers(record: DebateRecord, agreed: float) -> None:
    found = detection_values(record, "error")["agreed_before"]
    assert found == pytest.approx(agreed, nan_ok=True)


def test_who_answers_several_times_has_no_first_answer() -> None:
    assert first_answers(made_record(*DRAWS)) == {}
    assert first_answers(made_record(*DRAWS[:1])) == {"debater_a": "error"}
    assert first_answers(made_record(*first(E, UNREAD))) == {
        "debater_a": "error",
        "debater_b": None,
    }


def test_updates_are_counted_by_status(tmp_path: Path) -> None:
    record = made_record(
        *first(E, N),
        update("debater_a", E),
        update("debater_b", UNREAD),
        update("debater_a", E, round=2),
        update("debater_b", Parsed(status=Status.REFUSED), round=2),
    )
    log = score_records([Recorded(E, [record])], debate_process(), tmp_path)
    (sample,) = samples(log)
    counted = values(sample, "debate_process")
    statuses = ("ok", "unparsed", "refused", "truncated")
    assert [counted[f"update_{status}"] for status in statuses] == [2, 1, 1, 0]
    assert [counted[f"answer_{status}"] for status in statuses] == [2, 0, 0, 0]
    found = metrics(log, "debate_process")
    assert found["update_unparsed_rate"] == pytest.approx(1 / 4)
