"""Values of rulings that were made by hand, against hand counts."""

from collections.abc import Mapping, Sequence
from math import isnan

import pytest

from inspect_debate.scorers.verdicts import verdict_values
from tests.support.generative_records import NAN, held, ruled


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


def some(found: Mapping[str, float], *names: str) -> list[float]:
    return [found[name] for name in names]


JOINT = ("verdict_correct", "verdict_correct_mean", "verdict_correct_strict")
COUNTS = ("fp", "n_wrong", "fn", "n_right")
ROUNDS = (
    "wrong_round",
    "wrong_round_endorsed",
    "right_round",
    "right_round_rejected",
)

# Truth and rulings of A and B: joint, mean of seats, false positives of the wrong
# answers, false negatives of the right ones, the same of the round, the share of right
# ones among the endorsed, and the class.
DUAL = [
    ("RR", "CC", 1, 1.0, (0, 0), (0, 2), (0, 0), (1, 0), 1, 3),
    ("RR", "CI", 0, 0.5, (0, 0), (1, 2), (0, 0), (1, 1), 1, 1),
    ("RR", "IC", 0, 0.5, (0, 0), (1, 2), (0, 0), (1, 1), 1, 2),
    ("RR", "II", 0, 0.0, (0, 0), (2, 2), (0, 0), (1, 1), NAN, 0),
    ("RW", "CC", 0, 0.5, (1, 1), (0, 1), (1, 1), (1, 0), 0.5, 3),
    ("RW", "CI", 1, 1.0, (0, 1), (0, 1), (1, 0), (1, 0), 1, 1),
    ("RW", "IC", 0, 0.0, (1, 1), (1, 1), (1, 1), (1, 1), 0, 2),
    ("RW", "II", 0, 0.5, (0, 1), (1, 1), (1, 0), (1, 1), NAN, 0),
    ("WR", "CC", 0, 0.5, (1, 1), (0, 1), (1, 1), (1, 0), 0.5, 3),
    ("WR", "CI", 0, 0.0, (1, 1), (1, 1), (1, 1), (1, 1), 0, 1),
    ("WR", "IC", 1, 1.0, (0, 1), (0, 1), (1, 0), (1, 0), 1, 2),
    ("WR", "II", 0, 0.5, (0, 1), (1, 1), (1, 0), (1, 1), NAN, 0),
    ("WW", "CC", 0, 0.0, (2, 2), (0, 0), (1, 1), (0, 0), 0, 3),
    ("WW", "CI", 0, 0.5, (1, 2), (0, 0), (1, 1), (0, 0), 0, 1),
    ("WW", "IC", 0, 0.5, (1, 2), (0, 0), (1, 1), (0, 0), 0, 2),
    ("WW", "II", 1, 1.0, (0, 2), (0, 0), (1, 0), (0, 0), NAN, 0),
]


@pytest.mark.parametrize(
    (
        *("truth", "rulings", "joint", "mean", "wrong", "right"),
        *("wrong_round", "right_round", "accepted", "verdict_class"),
    ),
    DUAL,
)
def test_rulings_on_two_answers(
    truth: str,
    rulings: str,
    joint: float,
    mean: float,
    wrong: tuple[float, float],
    right: tuple[float, float],
    wrong_round: tuple[float, float],
    right_round: tuple[float, float],
    accepted: float,
    verdict_class: float,
) -> None:
    found = verdict_values(held(truth, ruled(rulings)))
    assert some(found, *JOINT) == [joint, mean, joint]
    assert some(found, *COUNTS) == [*wrong, *right]
    assert some(found, *ROUNDS) == [*wrong_round, *right_round]
    assert found["accepted_right"] == near(accepted)
    assert found["verdict_class"] == verdict_class
    assert found["correct"] == joint
    assert (found["proposers"], found["regime"]) == (2, truth.count("R"))
    assert some(found, "right_a", "right_b") == [letter == "R" for letter in truth]
    assert some(found, "endorsed_a", "endorsed_b") == [c == "C" for c in rulings]
    assert found["answer_right"] == truth.count("R") / 2
    assert found["verdict_ok"] == 1
    assert found["answers_identical"] == (truth != "RW" and truth != "WR")


@pytest.mark.parametrize(
    ("truth", "ruling", "joint", "counts", "accepted", "verdict_class"),
    [
        ("R", "C", 1, [0, 0, 0, 1], 1, 1),
        ("R", "I", 0, [0, 0, 1, 1], NAN, 0),
        ("W", "C", 0, [1, 1, 0, 0], 0, 1),
        ("W", "I", 1, [0, 1, 0, 0], NAN, 0),
    ],
)
def test_a_ruling_on_one_answer(
    truth: str,
    ruling: str,
    joint: float,
    counts: Sequence[float],
    accepted: float,
    verdict_class: float,
) -> None:
    found = verdict_values(held(truth, ruled(ruling)))
    assert some(found, "correct", *JOINT) == [joint] * 4
    assert some(found, *COUNTS) == counts
    wrong, right = float(truth == "W"), float(truth == "R")
    assert some(found, *ROUNDS) == [wrong, counts[0], right, counts[2]]
    assert found["accepted_right"] == near(accepted)
    assert (found["proposers"], found["regime"]) == (1, right)
    assert (found["verdict_class"], found["answer_right"]) == (verdict_class, right)
    for name in ("right_b", "endorsed_b", "parsed_b", "answers_identical", "a_first"):
        assert isnan(found[name]), name


@pytest.mark.parametrize(
    ("truth", "rulings", "accepted"),
    [
        ("RW", "C?", 1),  # what was ruled on one answer is known
        ("RW", "?C", 0),
        ("WR", "I?", NAN),
        ("RW", "?r", NAN),
        ("W", "?", NAN),
        ("R", "?", NAN),
    ],
)
def test_rulings_that_could_not_be_read(
    truth: str, rulings: str, accepted: float
) -> None:
    found = verdict_values(held(truth, ruled(rulings)))
    assert some(found, "correct", *JOINT) == near([NAN, NAN, NAN, 0])
    assert (found["verdict_ok"], found["verdict_tied"]) == (0, 0)
    assert some(found, *COUNTS, *ROUNDS) == near([NAN] * 8)
    assert found["accepted_right"] == near(accepted)
    assert found["regime"] == truth.count("R")
    assert isnan(found["verdict_class"])
    assert (found["verdicts_ok"], sum(statuses(found, "verdicts"))) == (0, 1)
    first = {"?": "unparsed", "r": "refused"}
    assert found[f"verdicts_{first[rulings.strip('CI')[0]]}"] == 1


def statuses(found: Mapping[str, float], what: str) -> list[float]:
    """All counts of how something was read."""
    return [
        number
        for name, number in found.items()
        if name.startswith(f"{what}_") and name != "answers_identical"
    ]


@pytest.mark.parametrize(
    ("truth", "right", "parsed", "shares", "status"),
    [
        ("UR", (0, 1), (0, 1), (NAN, 1), "unparsed"),
        ("WU", (0, 0), (1, 0), (0.5, NAN), "unparsed"),
        ("TR", (0, 1), (1, 1), (NAN, 1), "timeout"),
    ],
)
def test_answers_without_a_right_solution_are_wrong(
    truth: str,
    right: tuple[float, float],
    parsed: tuple[float, float],
    shares: tuple[float, float],
    status: str,
) -> None:
    found = verdict_values(held(truth, ruled("IC")))
    assert some(found, "right_a", "right_b") == [*right]
    assert some(found, "parsed_a", "parsed_b") == [*parsed]
    assert some(found, "part_share_a", "part_share_b") == near([*shares])
    assert found["regime"] == sum(right)
    assert found[f"grades_{status}"] == 1
    assert sum(statuses(found, "grades")) == 2
    assert found["answers_identical"] == 0
    assert found["answers_unparsed"] == truth.count("U")
    assert found["answers_ok"] == 2 - truth.count("U")
    assert found["verdict_correct"] == (right == (0, 1))


def test_two_answers_that_cannot_be_read_are_not_the_same() -> None:
    found = verdict_values(held("UU", ruled("II")))
    assert found["answers_identical"] == 0
    assert found["verdict_correct"] == 1
    assert (found["fp"], found["n_wrong"]) == (0, 2)


@pytest.mark.parametrize("unknown", ["E", "I"])
def test_where_nobody_knows_which_answer_is_right(unknown: str) -> None:
    found = verdict_values(held(f"{unknown}R", ruled("CC")))
    assert some(found, "right_a", "right_b") == near([NAN, 1])
    assert some(found, "correct", *JOINT) == near([NAN] * 4)
    assert isnan(found["regime"])
    assert some(found, *COUNTS) == [0, 0, 0, 1], "what is known still counts"
    assert some(found, *ROUNDS) == near([NAN] * 4)
    assert (found["answer_right"], found["accepted_right"]) == (1, 1)
    assert (found["verdict_ok"], found["verdict_class"]) == (1, 3)
    alone = verdict_values(held(unknown, ruled("C")))
    assert isnan(alone["answer_right"])
    assert isnan(alone["verdict_correct_strict"])
    assert some(alone, *COUNTS) == [0, 0, 0, 0]


def test_an_always_correct_judge_accepts_every_wrong_answer() -> None:
    table = [verdict_values(held(t, ruled("CC"))) for t in ("RR", "RW", "WR", "WW")]
    assert sum(v["fp"] for v in table) == sum(v["n_wrong"] for v in table) == 4
    assert sum(v["fn"] for v in table) == 0
    assert [v["verdict_correct"] for v in table] == [1, 0, 0, 0]


def test_confidences() -> None:
    found = verdict_values(held("RW", ruled("CI", confidence=(0.9, None))))
    assert found["confidence_a"] == 0.9
    assert isnan(found["confidence_b"])
    assert found["verdict_correct"] == 1, "an unread confidence leaves the verdict"
    assert found["verdicts_ok"] == 1


def test_what_grading_took() -> None:
    record = held("RW", ruled("CI"))
    first, second = record.grades
    assert verdict_values(record)["grade_seconds"] == 3.0
    grades = (first.model_copy(update={"reused": True}), second)
    again = record.model_copy(update={"grades": grades})
    assert verdict_values(again)["grade_seconds"] == 1.5
