"""Values and measures of rulings, against hand counts."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import isnan
from typing import NamedTuple

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.record import Order, Role, Turn
from inspect_debate.v1.scorers.verdicts import verdict_values, verdicts
from inspect_debate.v1.solvers.generative_debate import generative_debate
from tests.v1.support.generative import PROTOCOLS, RIGHT, WRONG, fenced, solvable
from tests.v1.support.generative import ruled as rulings_reply
from tests.v1.support.generative_records import NAN, drawn, record_of, ruled, stated
from tests.v1.support.models import Messages, scripted
from tests.v1.support.runs import (
    metrics,
    records,
    run_solver,
    samples,
    score_of,
    values,
)


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


def some(found: Mapping[str, float], *names: str) -> list[float]:
    return [found[name] for name in names]


JOINT = ("verdict_correct", "verdict_correct_mean", "verdict_correct_strict")
COUNTS = ("fp", "n_wrong", "fn", "n_right")
ROUNDS = ("wrong_round", "wrong_round_endorsed", "right_round", "right_round_rejected")

# Truth and rulings of A and B: joint, mean over answers, false positives of the wrong
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
    found = verdict_values(record_of(truth, ruled(rulings)))
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
    found = verdict_values(record_of(truth, ruled(ruling)))
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
def test_unread_rulings(truth: str, rulings: str, accepted: float) -> None:
    found = verdict_values(record_of(truth, ruled(rulings)))
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
    found = verdict_values(record_of(truth, ruled("IC")))
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
    found = verdict_values(record_of("UU", ruled("II")))
    assert found["answers_identical"] == 0
    assert found["verdict_correct"] == 1
    assert (found["fp"], found["n_wrong"]) == (0, 2)


@pytest.mark.parametrize("unknown", ["E", "I"])
def test_where_nobody_knows_which_answer_is_right(unknown: str) -> None:
    found = verdict_values(record_of(f"{unknown}R", ruled("CC")))
    assert some(found, "right_a", "right_b") == near([NAN, 1])
    assert some(found, "correct", *JOINT) == near([NAN] * 4)
    assert isnan(found["regime"])
    assert some(found, *COUNTS) == [0, 0, 0, 1], "what is known still counts"
    assert some(found, *ROUNDS) == near([NAN] * 4)
    assert (found["answer_right"], found["accepted_right"]) == (1, 1)
    assert (found["verdict_ok"], found["verdict_class"]) == (1, 3)
    alone = verdict_values(record_of(unknown, ruled("C")))
    assert isnan(alone["answer_right"])
    assert isnan(alone["verdict_correct_strict"])
    assert some(alone, *COUNTS) == [0, 0, 0, 0]


def test_an_always_correct_judge_accepts_every_wrong_answer() -> None:
    table = [
        verdict_values(record_of(t, ruled("CC"))) for t in ("RR", "RW", "WR", "WW")
    ]
    assert sum(v["fp"] for v in table) == sum(v["n_wrong"] for v in table) == 4
    assert sum(v["fn"] for v in table) == 0
    assert [v["verdict_correct"] for v in table] == [1, 0, 0, 0]


def test_confidences() -> None:
    found = verdict_values(record_of("RW", ruled("CI", confidence=(0.9, None))))
    assert found["confidence_a"] == 0.9
    assert isnan(found["confidence_b"])
    assert found["verdict_correct"] == 1, "an unread confidence leaves the verdict"
    assert found["verdicts_ok"] == 1


def test_what_grading_took() -> None:
    record = record_of("RW", ruled("CI"))
    first, second = record.grades
    assert verdict_values(record)["grade_seconds"] == 3.0
    grades = (first.model_copy(update={"reused": True}), second)
    again = record.model_copy(update={"grades": grades})
    assert verdict_values(again)["grade_seconds"] == 1.5


THREE = ("judge_1", "judge_2", "judge_3")


def panel(*letters: str) -> list[Turn]:
    """A verdict of each judge."""
    judges = (f"judge_{n}" for n in range(1, len(letters) + 1))
    return [ruled(reply, judge) for reply, judge in zip(letters, judges, strict=True)]


@pytest.mark.parametrize(
    ("letters", "endorsed", "joint", "each"),
    [
        (("CI", "CI", "II"), [1, 0], 1, [1, 1, 0]),
        (("CC", "CI", "IC"), [1, 1], 0, [0, 1, 0]),
        # Each answer has its own majority: nobody ruled what the panel does.
        (("CC", "II", "CI"), [1, 0], 1, [0, 0, 1]),
        (("CC", "IC", "II"), [0, 1], 0, [0, 0, 0]),
        (("C?", "CI", "II"), [1, 0], 1, [NAN, 1, 0]),  # of those that could be read
        (("??", "CI", "??"), [1, 0], 1, [NAN, 1, NAN]),
        (("??", "??", "??"), [NAN, NAN], NAN, [NAN] * 3),
    ],
)
def test_most_judges_rule(
    letters: tuple[str, ...], endorsed: list[float], joint: float, each: list[float]
) -> None:
    record = record_of("RW", panel(*letters), judges=THREE)
    found = verdict_values(record)
    assert some(found, "endorsed_a", "endorsed_b") == near(endorsed)
    assert some(found, "correct", "verdict_correct") == near([joint] * 2)
    assert found["verdict_ok"] == (joint == joint)
    assert found["verdict_correct_strict"] == (joint == 1)
    assert [found[f"verdict_correct_{judge}"] for judge in THREE] == near(each)
    assert found["verdicts_ok"] == sum("?" not in reply for reply in letters)
    assert found["verdicts_unparsed"] == sum("?" in reply for reply in letters)
    for judge, reply in zip(THREE, letters, strict=True):
        own = [{"C": 1.0, "I": 0.0, "?": NAN}[letter] for letter in reply]
        names = (f"endorsed_a_{judge}", f"endorsed_b_{judge}")
        assert some(found, *names) == near(own)


@pytest.mark.parametrize(
    ("letters", "endorsed", "read"),
    [
        (("CI", "II"), [NAN, 0], 2),
        (("CC", "??", "CI"), [1, NAN], 2),  # a tie of those that could be read
        (("CI", "IC"), [NAN, NAN], 2),
    ],
)
def test_a_tied_panel_was_read_and_decides_nothing(
    letters: tuple[str, ...], endorsed: list[float], read: int
) -> None:
    record = record_of("RW", panel(*letters), judges=THREE[: len(letters)])
    found = verdict_values(record)
    assert some(found, "endorsed_a", "endorsed_b") == near(endorsed)
    assert some(found, "correct", "verdict_correct") == near([NAN, NAN])
    assert (found["verdict_ok"], found["verdict_tied"]) == (1, 1)
    assert found["verdict_correct_strict"] == 0
    assert found["verdicts_ok"] == read
    assert some(found, "fp", "n_wrong", "fn", "n_right") == near([NAN] * 4)


def test_no_tie_where_nothing_could_be_read() -> None:
    found = verdict_values(record_of("RW", panel("??", "??"), judges=THREE[:2]))
    assert (found["verdict_ok"], found["verdict_tied"]) == (0, 0)
    mixed = verdict_values(record_of("RW", panel("C?", "I?"), judges=THREE[:2]))
    assert (mixed["verdict_ok"], mixed["verdict_tied"]) == (0, 1)


def test_a_panel_on_one_answer() -> None:
    found = verdict_values(record_of("W", panel("C", "I", "C"), judges=THREE))
    assert (found["verdict_correct"], found["fp"], found["n_wrong"]) == (0, 1, 1)
    assert [found[f"verdict_correct_{judge}"] for judge in THREE] == [0, 1, 0]
    assert [found[f"endorsed_b_{judge}"] for judge in THREE] == near([NAN] * 3)


def test_a_panel_s_confidence_is_the_mean() -> None:
    turns = [
        ruled("CI", "judge_1", confidence=0.9),
        ruled("CI", "judge_2", confidence=(0.6, None)),
    ]
    found = verdict_values(record_of("RW", turns, judges=THREE[:2]))
    assert some(found, "confidence_a", "confidence_b") == near([0.75, 0.9])


def test_one_judge_has_no_values_of_its_own() -> None:
    found = verdict_values(record_of("RW", ruled("CI")))
    assert not [name for name in found if "judge_1" in name or name.endswith("_judge")]


@pytest.mark.parametrize(
    ("order", "letters", "a_first", "first", "second"),
    [
        ("ab", "CI", 1, 1, 0),
        ("ba", "CI", 0, 0, 1),
        ("ab", "I?", 1, 0, NAN),
        ("ba", "I?", 0, NAN, 0),
    ],
)
def test_the_order_of_display(
    order: Order, letters: str, a_first: float, first: float, second: float
) -> None:
    found = verdict_values(record_of("RW", ruled(letters, order=order)))
    names = ("a_first", "endorsed_first", "endorsed_second")
    assert some(found, *names) == near([a_first, first, second])
    swapped = ("verdict_correct_swapped", "endorsed_a_swapped", "endorsed_b_swapped")
    assert some(found, *swapped) == near([NAN] * 3)


def test_a_second_verdict_decides_nothing() -> None:
    turns = [ruled("CI", order="ba"), ruled("IC", order="ab", confidence=0.6)]
    found = verdict_values(record_of("RW", turns))
    assert (found["verdict_correct"], found["a_first"]) == (1, 0)
    assert some(found, "endorsed_first", "endorsed_second") == [0, 1]
    assert some(found, "confidence_a", "confidence_b") == [0.8, 0.8]
    swapped = ("verdict_correct_swapped", "endorsed_a_swapped", "endorsed_b_swapped")
    assert some(found, *swapped) == [0, 0, 1]
    assert found["verdicts_ok"] == 2


def test_a_panel_in_both_orders() -> None:
    turns = [
        *(ruled("CI", judge, "ab") for judge in THREE[:2]),
        ruled("CC", THREE[2], "ab"),
        *(ruled("CC", judge, "ba") for judge in THREE),
    ]
    found = verdict_values(record_of("RW", turns, judges=THREE))
    assert (found["verdict_correct"], found["verdict_correct_swapped"]) == (1, 0)
    assert [found[f"verdict_correct_{judge}"] for judge in THREE] == [1, 1, 0]


@pytest.mark.parametrize(
    ("truth", "stances", "stance", "right"),
    [
        ("R", "AA", 1, 1),
        ("R", "AD", 0, 0),
        ("W", "AD", 0, 1),
        ("W", "DA", 1, 0),
        ("W", "D?", 0, 1),  # the last that could be read
        ("W", "??", NAN, NAN),
        ("E", "DD", 0, NAN),
        ("U", "DD", 0, 1),
    ],
)
@pytest.mark.parametrize(("rulings", "endorsed"), [("CC", 1), ("II", 0), ("C?", NAN)])
def test_a_critic_s_stance(
    truth: str, stances: str, stance: float, right: float, rulings: str, endorsed: float
) -> None:
    speeches = [
        turn
        for round, letter in enumerate(stances, start=1)
        for turn in (stated("debater_a", round), stated("debater_b", round, letter))
    ]
    # A verdict on one answer is shown in no order, although it rules on two names.
    verdict = ruled(rulings).model_copy(update={"order": None})
    found = verdict_values(
        record_of(truth, speeches, verdict, protocol="single_debate")
    )
    names = ("stance", "stance_right", "stance_endorsed")
    known = endorsed if stance == stance else NAN
    assert some(found, *names) == near([stance, right, known])
    # What is ruled on the critic is no part of whether the verdict is right.
    accepted = rulings[0] == "C"
    joint = NAN if truth == "E" else float(accepted == (truth == "R"))
    assert some(found, "correct", "verdict_correct") == near([joint] * 2)
    assert (found["verdict_ok"], found["proposers"]) == (1, 1)
    assert found["verdict_class"] == accepted
    assert isnan(found["endorsed_b"])
    assert isnan(found["confidence_b"])
    assert found["stances_unparsed"] == stances.count("?")
    assert found["speeches_ok"] == 2 * len(stances)


def test_without_a_critic_there_is_no_stance() -> None:
    speeches = [stated("debater_a", 1), stated("debater_b", 1)]
    found = verdict_values(
        record_of("RW", speeches, ruled("CC"), protocol="dual_debate")
    )
    names = ("stance", "stance_right", "stance_endorsed")
    assert some(found, *names) == near([NAN] * 3)
    assert found["speeches_ok"] == 2


@pytest.mark.parametrize(
    ("own", "share", "status"),
    [("R", 1, "pass"), ("W", 0, "fail"), ("U", 0, "unparsed"), ("E", NAN, "error")],
)
def test_a_judge_that_answers_alone(own: str, share: float, status: str) -> None:
    found = verdict_values(record_of("", own=own))
    assert some(found, "correct", "answer_right") == near([share, share])
    assert (found["proposers"], found[f"grades_{status}"]) == (0, 1)
    undefined = ("verdict_correct", "verdict_ok", "regime", "fp", "n_wrong")
    assert some(found, *undefined) == near([NAN] * 5)
    assert isnan(found["judge_answer_right"])
    assert isnan(found["accepted_right"])
    assert sum(found[f"verdicts_{s}"] for s in ("ok", "unparsed", "missing")) == 0


def test_judges_that_answer_alone() -> None:
    found = verdict_values(record_of("", own="RWR", judges=THREE))
    assert found["answer_right"] == found["correct"] == near(2 / 3)
    assert [found[f"answer_right_{judge}"] for judge in THREE] == [1, 0, 1]
    assert found["grades_pass"] == 2


def test_a_judge_that_also_answers() -> None:
    found = verdict_values(record_of("WW", ruled("CC"), own="R"))
    assert (found["judge_answer_right"], found["answer_right"]) == (1, 0)
    assert (found["verdict_correct"], found["answers_identical"]) == (0, 1)
    assert (found["n_wrong"], found["proposers"], found["answers_ok"]) == (2, 2, 3)
    three = verdict_values(
        record_of("W", panel("I", "I", "C"), own="RWE", judges=THREE)
    )
    assert three["judge_answer_right"] == near(1 / 2)
    assert (three["verdict_correct"], three["answer_right"]) == (1, 0)


def test_rewards() -> None:
    turns = [
        *drawn("debater_a", 1, 0.2, -0.4, 0.6, chosen=3),
        *drawn("debater_b", 1, None, -1.0, None, chosen=2),
    ]
    record = record_of("RW", turns, ruled("CI"), parameters={"best_of": 3})
    found = verdict_values(record)
    assert found["best_of"] == 3
    assert found["reward_chosen"] == near((0.6 - 1.0) / 2)
    assert found["reward_mean"] == near((0.2 - 0.4 + 0.6 - 1.0) / 4)
    assert some(found, "rewards_ok", "rewards_unparsed", "rewards_unread") == [4, 2, 2]
    assert found["speeches_ok"] == 6, "candidates were asked for, too"
    plain = verdict_values(record_of("RW", stated("debater_a", 1), ruled("CI")))
    assert some(plain, "reward_chosen", "reward_mean") == near([NAN, NAN])
    assert some(plain, "rewards_ok", "rewards_unread", "best_of") == [0, 0, 1]


PANELS = [("judge",), ("judge_1", "judge_2")]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("judges", PANELS)
@pytest.mark.parametrize("both", [False, True])
def test_keys_of_samples(protocol: str, judges: tuple[str, ...], both: bool) -> None:
    answers = 0 if protocol == "direct_qa" else 2 if "dual" in protocol else 1
    ruled_on = 2 if protocol == "single_debate" else answers
    orders = ("ba", "ab") if both and answers == 2 else ("ab",)
    keys = set()
    for graded in map("".join, product("RWUE", repeat=answers)):
        for letter, own in zip("CI?r", "RWUE", strict=True):
            rulings = [
                ruled(letter * ruled_on, judge).model_copy(update={"order": order})
                for judge in judges
                for order in (orders if answers == 2 else (None,))
                if answers
            ]
            record = record_of(
                graded,
                *(speeches(protocol, letter), rulings),
                protocol=protocol,
                judges=judges,
                own=own * len(judges) if both or not answers else "",
            )
            found = verdict_values(record)
            keys.add(tuple(found))
            assert all(isinstance(number, int | float) for number in found.values())
    [names] = keys
    assert names[0] == "correct"
    assert ("verdict_correct_judge_2" in names) == (len(judges) == 2)


def speeches(protocol: str, letter: str) -> list[Turn]:
    """A round of speeches as a format has it; of candidates some could not be read."""
    rewards = (0.2, None) if letter in "C?" else (None, None)
    speakers: list[Role] = ["debater_a"] if "single" in protocol else []
    speakers = speakers or ["debater_a", "debater_b"]
    if protocol.endswith("consultancy"):
        return [t for who in speakers for t in drawn(who, 1, *rewards, chosen=1)]
    if protocol == "dual_debate":
        return [stated(who, 1) for who in speakers]
    if protocol == "single_debate":
        stance = {"C": "A", "I": "D"}.get(letter, "?")
        return [stated("debater_a", 1), stated("debater_b", 1, stance)]
    return []


class Planned(NamedTuple):
    """Whose answers are right, and what the judge rules on them."""

    right: str
    rulings: str


PLAN = {
    ("lamp", 1): Planned("RW", "CI"),
    ("lamp", 2): Planned("WW", "CC"),
    ("bell", 1): Planned("WW", "CI"),
    ("bell", 2): Planned("RR", "II"),
    ("rope", 1): Planned("RW", "C?"),  # unread
    ("rope", 2): Planned("WU", "II"),
    ("sail", 1): Planned("RR", "CC"),  # stopped
    ("sail", 2): Planned("RR", "CC"),
}
STOPPED = ("sail", 1)
WORDS = {"C": "correct", "I": "incorrect", "?": "perhaps"}


def says(messages: Messages, description: TurnDescription) -> str | ModelOutput:
    planned = PLAN[description.sample, description.epoch]
    if description.format == "solution":
        letter = planned.right[description.participant == "debater_b"]
        return {"R": fenced(RIGHT[1]), "W": fenced(WRONG[1]), "U": "None."}[letter]
    if description.format == "rulings":
        words = dict(zip(("Alice", "Bob"), planned.rulings, strict=True))
        return rulings_reply(
            description.choices,
            0.7,
            *(WORDS[words[name]] for name in description.choices),
        )
    output = ModelOutput.from_content("x", "I hold to it.")
    if (description.sample, description.epoch) == STOPPED:
        output.usage = ModelUsage(output_tokens=5000, total_tokens=5000)
    return output


@pytest.fixture(scope="module")
def log_of_run(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    return run_solver(
        generative_debate("dual_debate"),
        [solvable(id=id) for id, epoch in PLAN if epoch == 1],
        tmp_path_factory.mktemp("logs"),
        scripted(says),
        epochs=2,
        token_limit=4000,
        score_display=True,
        scorer=verdicts(),
    )


def near_run(number: float) -> object:
    return pytest.approx(number, nan_ok=True)


def test_accuracy_run(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "verdicts")
    # lamp right, wrong; bell wrong, wrong; rope unread, right; sail stopped, right.
    assert found["accuracy"] == near_run(3 / 6)
    assert found["mean_of_seats"] == near_run((2 + 0 + 1 + 0 + 2 + 2) / 12)
    assert found["strict"] == near_run(3 / 7)
    assert found["unread_share"] == near_run(1 / 7)
    assert found["items"] == 7
    assert log_of_run.results is not None
    [score] = log_of_run.results.scores
    assert (score.scored_samples, score.unscored_samples) == (7, 1)


def test_samples(log_of_run: EvalLog) -> None:
    logged = {(str(s.id), s.epoch): s for s in samples(log_of_run)}
    stopped = logged.pop(STOPPED)
    score = score_of(stopped, "verdicts")
    assert isinstance(score.value, float)
    assert isnan(score.value)
    assert "token limit" in (score.explanation or "")
    assert len(logged) == 7
    assert len({tuple(values(sample, "verdicts")) for sample in logged.values()}) == 1
    # Two answers, four speeches, a verdict; two were asked for again.
    calls = {place: values(s, "verdicts")["calls"] for place, s in logged.items()}
    again = (("rope", 1), ("rope", 2))
    assert calls == {place: 7 + (place in again) for place in logged}
    for sample in logged.values():
        assert values(sample, "verdicts")["debated"] == 1
        assert values(sample, "verdicts")["tokens"] > 0
    shown = {place: score_of(s, "verdicts").answer for place, s in logged.items()}
    assert shown["lamp", 1] == "A alone"
    assert shown["lamp", 2] == "win-win"
    assert shown["bell", 2] == "loss-loss"
    assert shown["rope", 1] == "(unparsed)"


def test_a_sample_that_was_stopped_is_graded(log_of_run: EvalLog) -> None:
    """What was paid for is kept, whatever became of the debate."""
    [stopped] = [r for r in records(log_of_run) if not r.complete]
    assert [grade.status for grade in stopped.grades] == ["pass", "pass"]
    assert "token limit" in str(stopped.ended_by)


def test_which_answers_were_judged(log_of_run: EvalLog) -> None:
    ids: dict[tuple[str, int], str] = {}
    answer_ids: dict[tuple[str, int], dict[str, str]] = {}
    prompts = set()
    for sample in samples(log_of_run):
        if (place := (str(sample.id), sample.epoch)) == STOPPED:
            continue
        metadata = score_of(sample, "verdicts").metadata or {}
        ids[place], answer_ids[place] = (
            metadata["answer_set_id"],
            metadata["answer_ids"],
        )
        prompts.add(metadata["prompts"])
        assert metadata["models"] == dict.fromkeys(
            ("debater_a", "debater_b", "judge"), "scripted/x"
        )
    assert len(prompts) == 1
    # All tasks have one text; equal answers of the same participants have one id.
    assert ids["lamp", 1] == ids["rope", 1]
    assert ids["lamp", 2] == ids["bell", 1]
    assert ids["bell", 2] == ids["sail", 2]
    assert len(set(ids.values())) == 4
    assert answer_ids["lamp", 1]["debater_a"] == answer_ids["bell", 2]["debater_b"]
    assert len({id for each in answer_ids.values() for id in each.values()}) == 3
