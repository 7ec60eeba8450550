"""Values and rates of rulings, against counts by hand."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai.dataset import Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.debate.record import Debate, Turn, recorded
from inspect_debate.scorers.verdicts import verdict_values, verdicts
from tests.support import run

NAMES = ("Alice", "Bob")
GRADES = {"R": "pass", "W": "fail", "U": "unread", "T": "timeout", "S": "suspicious"}
GRADES |= {"E": "error"}
WORDS = {"C": "correct", "I": "incorrect"}


def ruling(letters: str, order: str = "ab", sure: Sequence[float | None] = ()) -> Turn:
    """A verdict on Alice and Bob: correct, incorrect, unread (?)."""
    said = zip(NAMES, letters, strict=False)
    fields: dict[str, Any] = {n: WORDS[c] for n, c in said if c in WORDS}
    stated = zip(NAMES, sure, strict=False)
    fields |= {f"{n}_confidence": c for n, c in stated if c is not None}
    turn = Turn(speaker="judge", role="judge", kind="verdict", order=order)
    turn.fields = fields
    return turn


def record(truth: str, *turns: Turn | str, judges: str = "") -> Debate:
    """Answers, each right, wrong, unread and so on, and what is ruled on them."""
    graded = dict(zip(NAMES, truth, strict=False))
    graded |= {f"judge_{n}": letter for n, letter in enumerate(judges, 1)}
    answers = [
        Turn(speaker=name, role=name, kind="answer", fields={"answer": one})
        for name, one in graded.items()
    ]
    for turn in answers:
        turn.fields = {} if turn.fields["answer"] == "U" else turn.fields
    return Debate(
        protocol="dual_debate",
        complete=True,
        options={name: f"<{letter}>" for name, letter in graded.items()},
        turns=[*answers, *(ruling(t) if isinstance(t, str) else t for t in turns)],
        grades={name: {"status": GRADES[one]} for name, one in graded.items()},
    )


def check(values: Mapping[str, float], **expected: float) -> None:
    np.testing.assert_equal({name: values[name] for name in expected}, expected)


# Truth and rulings of Alice and Bob: joint, false positives of wrong answers, false
# negatives of right ones.
DUAL = """
RR CC 1 0 0 0 2
RR CI 0 0 0 1 2
RR IC 0 0 0 1 2
RR II 0 0 0 2 2
RW CC 0 1 1 0 1
RW CI 1 0 1 0 1
RW IC 0 1 1 1 1
RW II 0 0 1 1 1
WR CC 0 1 1 0 1
WR CI 0 1 1 1 1
WR IC 1 0 1 0 1
WR II 0 0 1 1 1
WW CC 0 2 2 0 0
WW CI 0 1 2 0 0
WW IC 0 1 2 0 0
WW II 1 0 2 0 0
R  C  1 0 0 0 1
R  I  0 0 0 1 1
W  C  0 1 1 0 0
W  I  1 0 1 0 0
"""


@pytest.mark.parametrize("row", DUAL.strip().splitlines())
def test_every_truth_and_every_ruling(row: str) -> None:
    truth, rulings, *numbers = row.split()
    joint, fp, n_wrong, fn, n_right = map(float, numbers)
    values = verdict_values(record(truth, rulings))
    check(values, verdict_correct=joint, verdict_strict=joint)
    check(values, fp=fp, n_wrong=n_wrong, fn=fn, n_right=n_right)
    check(values, regime=truth.count("R"), endorsed=rulings.count("C"))
    check(values, answer_correct=truth.count("R") / len(truth), unread_rulings=0)
    same = float(truth in ("RR", "WW")) if len(truth) == 2 else nan
    check(values, identical=same, unread_answers=0, suspicious=0, ungraded=0)
    one = {"CI": 1.0, "IC": 0.0}.get(rulings, nan)
    check(values, first_listed=one)
    swapped = verdict_values(record(truth, ruling(rulings, "ba")))
    check(swapped, first_listed=1 - one, verdict_correct=joint)


NO_COUNTS = dict.fromkeys(("fp", "n_wrong", "fn", "n_right", "endorsed"), nan)


@pytest.mark.parametrize(
    "row", ["RW C? 1", "RW ?C 1", "WR ?? 2", "R ? 1", "RW CI,IC 0", "RW CC,??,CI 2"]
)
def test_an_unread_ruling_or_a_tie_leaves_the_sample_out(row: str) -> None:
    truth, panel, unread = row.split()
    values = verdict_values(record(truth, *panel.split(",")))
    check(values, verdict_correct=nan, **NO_COUNTS, verdict_strict=0, regime=1)
    check(values, unread_rulings=float(unread), first_listed=nan)


@pytest.mark.parametrize("truth", ["UR", "TR", "SR"])
def test_unread_slow_and_suspicious_answers_are_wrong(truth: str) -> None:
    values = verdict_values(record(truth, "IC"))
    check(values, verdict_correct=1, regime=1, n_wrong=1, fp=0, identical=0)
    check(values, unread_answers=truth == "UR", suspicious=truth == "SR")


def test_two_answers_that_cannot_be_read_are_not_the_same() -> None:
    check(verdict_values(record("UU", "II")), identical=0, regime=0, unread_answers=2)


def test_failed_grading_is_not_a_wrong_answer() -> None:
    values = verdict_values(record("ER", "CC"))
    check(values, verdict_correct=nan, verdict_strict=nan, regime=nan, ungraded=1)
    check(values, fp=0, n_wrong=0, fn=0, n_right=1, endorsed=2)
    check(values, answer_correct=1, unread_rulings=0)
    alone = verdict_values(record("E", "C"))
    check(alone, answer_correct=nan, n_wrong=0, n_right=0)


def test_a_judge_that_answers_itself() -> None:
    whole = verdict_values(record("RW", "CI"))
    for judges, share in (("R", 1), ("W", 0), ("U", 0), ("E", nan), ("RWRE", 2 / 3)):
        values = verdict_values(record("", judges=judges))
        assert values.keys() == whole.keys()
        check(values, verdict_correct=nan, **NO_COUNTS, verdict_strict=nan, regime=nan)
        check(values, answer_correct=share, unread_rulings=nan, identical=nan)
        check(values, unread_answers=judges.count("U"), ungraded=judges.count("E"))


def stance(letter: str) -> Turn:
    """A critic's speech: agrees, disagrees, unread (?)."""
    said = {"a": "agree", "d": "disagree"}.get(letter)
    fields = {"stance": said} if said else {}
    return Turn(speaker="Bob", role="debater_b", kind="speech", fields=fields)


@pytest.mark.parametrize(
    "row",
    ["R aa CC", "R ad IC", "W d CI", "W d? IC", "E a CC", "W ? I?"],
)
def test_a_critics_stance_is_no_part_of_accuracy(row: str) -> None:
    truth, stances, rulings = row.split()
    values = verdict_values(record(truth, *map(stance, stances), rulings))
    accurate = nan if truth == "E" else float((rulings[0] == "C") == (truth == "R"))
    check(values, verdict_correct=accurate)


def test_a_contradictory_pair_of_rulings_is_unread() -> None:
    values = verdict_values(record("R", stance("d"), ruling("CC", sure=(0.9,))))
    check(values, verdict_correct=nan, unread_rulings=1)


def test_probabilities() -> None:
    first = ruling("CI", sure=(0.9, None))
    second = ruling("II", sure=(0.6, 0.7))
    first.probabilities = {"Alice": 0.75, "Bob": 0.25}
    second.probabilities = {"Alice": 0.5}
    values = verdict_values(record("RW", first, second))
    assert values["probability"] == pytest.approx((0.75 + 0.25 + 0.5) / 3)
    check(verdict_values(record("RW", "CI")), probability=nan)


def test_a_hash_of_the_answers() -> None:
    one, other = (record(truth, "CI") for truth in ("RW", "WR"))
    again = record("RW", "II")
    first, second, third = (
        verdict_values(d)["answers_hash"] for d in (one, other, again)
    )
    assert first == third != second
    assert first == int(first) < 2**53


# --- Runs -----------------------------------------------------------------------------


@solver
def replayed(debates: Mapping[tuple[str, int], Debate]) -> Solver:
    """Records made by hand; one is stopped where there is none."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with suppress(KeyError), recorded("dual_debate", {}) as debate:
            found = debates[str(state.sample_id), state.epoch]
            for name in ("options", "turns", "grades"):
                setattr(debate, name, getattr(found, name))
        return state

    return solve


def metrics(
    tmp_path: Path, debates: Sequence[Debate | None], epochs: int = 2
) -> dict[str, float]:
    cells = product(range(len(debates) // epochs), range(1, epochs + 1))
    held = {(f"q{n}", e): d for (n, e), d in zip(cells, debates, strict=True) if d}
    items = [Sample(id=f"q{n}", input="?") for n in range(len(debates) // epochs)]
    own: dict[str, Any] = {"samples": items, "epochs": epochs, "scorer": verdicts()}
    return run(tmp_path, replayed(held), **own).metrics()


def test_rates_of_two_answers_over_epochs(tmp_path: Path) -> None:
    rows = ["RW CI", "WW CC", "WW CI", "RR II", "RW C?", "ER CC", "WU II", "RR CC"]
    found = metrics(tmp_path, [record(*row.split()) for row in rows])
    assert next(iter(found)) == "accuracy"
    # Right: 1 0, 0 0, unread and not graded, 1 1. Means by question: 0.5, 0, 1.
    assert found["accuracy"] == pytest.approx(3 / 6)
    assert found["accuracy_stderr"] == pytest.approx(np.sqrt((1 + 1) / 36 * 3 / 2))
    assert found["fpr"] == pytest.approx((0 + 2 + 1 + 0 + 0 + 0) / (1 + 2 + 2 + 2))
    assert found["both_right"] == pytest.approx(1 / 2)
    assert found["one_right"] == 1
    assert found["none_right"] == pytest.approx(1 / 3)
    assert found["answers"] == pytest.approx((0.5 + 0 + 0 + 1 + 0.5 + 1 + 0 + 1) / 8)
    assert found["unread"] == pytest.approx(2 / 8)


def test_a_judge_that_endorses_everything(tmp_path: Path) -> None:
    debates = [record(truth, "CC") for truth in ("RR", "RW", "WR", "WW")]
    found = metrics(tmp_path, debates, epochs=1)
    assert (found["fpr"], found["accuracy"]) == (1, 0.25)
    assert (found["both_right"], found["one_right"], found["none_right"]) == (1, 0, 0)


def test_rates_of_one_answer(tmp_path: Path) -> None:
    found = metrics(
        tmp_path, [record(*row.split()) for row in ("R C", "W C", "W I")], 1
    )
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert (found["fpr"], found["fnr"], found["unread"]) == (0.5, 0, 0)
    assert not {"both_right", "one_right", "none_right"} & {*found}


def test_rates_of_the_judges_own_answers(tmp_path: Path) -> None:
    found = metrics(tmp_path, [record("", judges=one) for one in "RWUE"], 1)
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert found["unread"] == pytest.approx(2 / 4)
    assert {*found} == {"accuracy", "accuracy_stderr", "unread"}


def test_a_stopped_debate_is_unscored(tmp_path: Path) -> None:
    found = metrics(tmp_path, [record("RW", "CI"), record("RR", "CC"), None], 1)
    assert (found["accuracy"], found["unread"]) == (1, 0)
    assert np.isnan(found["accuracy_stderr"])  # there is no spread
