"""Changes from first answers to the outcome, on records written by hand."""

from math import isnan, nan
from pathlib import Path

import pytest

from inspect_debate.debate.record import DebateRecord, Parsed, Status, Turn
from inspect_debate.scorers.changes_of_mind import change_values, first_answers
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import detection_values
from tests.scorers.recorded import Held, score_held
from tests.support.made import answer, made_record, verdict
from tests.support.runs import metrics, samples, values

E, N, UNREAD = "error", "no_error", Parsed.unparsed()
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
def test_agreement_is_between_two_debaters_first_answers(
    record: DebateRecord, agreed: float
) -> None:
    found = detection_values(record, "error")["agreed_before"]
    assert found == pytest.approx(agreed, nan_ok=True)


def test_who_answers_several_times_has_no_first_answer() -> None:
    assert first_answers(made_record(*DRAWS)) == {}
    assert first_answers(made_record(*DRAWS[:1])) == {"debater_a": "error"}
    assert first_answers(made_record(*first(E, UNREAD))) == {
        "debater_a": "error",
        "debater_b": None,
    }


def test_means_and_the_oracle_against_a_hand_count(tmp_path: Path) -> None:
    held = [
        # A right, B wrong; the judge follows A in epoch 1, B in epoch 2.
        Held(E, [made_record(*first(E, N), verdict(value)) for value in (E, N)]),
        # A wrong, B right; set right in both epochs.
        Held(N, [made_record(*first(E, N), verdict(N))]),
        # Both wrong; put right in epoch 2.
        Held(N, [made_record(*first(E, E), verdict(value)) for value in (E, N)]),
        # Left out of the oracle: unread, without an outcome, without a record.
        Held(E, [made_record(*first(UNREAD, E), verdict(E))]),
        Held(E, [made_record(*first(E, N), verdict(UNREAD))]),
        Held(E, [None]),
    ]
    log = score_held(held, debate_process(), tmp_path, epochs=2)
    found = metrics(log, "debate_process")
    assert found["oracle_items"] == 6
    assert found["oracle_accuracy"] == pytest.approx(4 / 6)
    assert found["best_first_accuracy"] == pytest.approx(2 / 6)
    # Right in the end: 1 + 2 + 1 of 6; the oracle gains 2 over the better, they gain 2.
    assert found["oracle_gap_closed"] == pytest.approx((4 - 2) / (4 - 2))
    assert found["right_to_wrong"] == pytest.approx(1 / 6)
    assert found["wrong_to_right"] == pytest.approx(3 / 6)
    assert found["both_wrong_to_right"] == pytest.approx(1 / 2)
    assert isnan(found["both_right_to_wrong"])
    # A: right twice and twice more where the verdict is unread, of 8 that can be read.
    assert found["first_right_debater_a"] == pytest.approx(4 / 8)
    assert found["first_right_debater_b"] == pytest.approx(4 / 10)


def test_without_first_answers_there_is_no_oracle(tmp_path: Path) -> None:
    log = score_held([Held(E, [made_record(verdict(E))])], debate_process(), tmp_path)
    found = metrics(log, "debate_process")
    assert found["oracle_items"] == 0
    for key in (*KEYS, "oracle_accuracy", "best_first_accuracy", "oracle_gap_closed"):
        assert isnan(found[key]), key


def test_updates_are_counted_by_status(tmp_path: Path) -> None:
    record = made_record(
        *first(E, N),
        update("debater_a", E),
        update("debater_b", UNREAD),
        update("debater_a", E, round=2),
        update("debater_b", Parsed(status=Status.REFUSED), round=2),
    )
    log = score_held([Held(E, [record])], debate_process(), tmp_path)
    (sample,) = samples(log)
    counted = values(sample, "debate_process")
    statuses = ("ok", "unparsed", "refused", "truncated")
    assert [counted[f"update_{status}"] for status in statuses] == [2, 1, 1, 0]
    assert [counted[f"answer_{status}"] for status in statuses] == [2, 0, 0, 0]
    found = metrics(log, "debate_process")
    assert found["update_unparsed_rate"] == pytest.approx(1 / 4)
