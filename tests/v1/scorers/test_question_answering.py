"""Accuracy of debates about questions, against hand counts."""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.solver import Solver

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.scorers.question_answering import question_answering
from inspect_debate.v1.solvers.baselines import ensemble, judge_alone, single
from tests.v1.support.choices import choice_item
from tests.v1.support.models import Messages, Script, scripted
from tests.v1.support.runs import metrics, run_solver, samples, values


def knows(says: str, name: str) -> Model:
    """Answers the questions, in the order of their ids, with the letters it is given.

    "-" is no answer, "!" a refusal.
    """

    def script(messages: Messages, description: TurnDescription) -> str:
        letter = says[int(description.sample)]
        logged = {"-": "I wonder.", "!": "I'm sorry, but I can't help with that."}
        return logged.get(letter, f"ANSWER: {letter}")

    made: Script = script
    return scripted(made, name)


def asked(
    solver: Solver,
    log_dir: Path,
    n: int,
    roles: dict[str, Model | list[Model]],
    groups: str = "",
    **settings: Any,
) -> EvalLog:
    items = [choice_item(id=str(i), asked=f"{i}?", target="B") for i in range(n)]
    for item, group in zip(items, groups, strict=False):
        item.metadata = {"input_group": group}
    return run_solver(
        solver,
        items,
        log_dir,
        "none/none",
        roles,
        **settings,
        scorer=question_answering(),
    )


def test_accuracy_is_over_questions_with_an_outcome(tmp_path: Path) -> None:
    log = asked(single(), tmp_path, 6, {"debater_a": knows("BBBA-!", "one")})
    found = metrics(log, "question_answering")
    assert found["accuracy"] == 3 / 4
    assert found["accuracy_all"] == 3 / 6
    assert found["chance"] == 1 / 4
    assert found["no_outcome_rate"] == pytest.approx(2 / 6)
    assert (found["unparsed_rate"], found["refused_rate"]) == (1 / 6, 1 / 6)
    low, high = proportion_interval(3, 4)
    assert (found["accuracy_low"], found["accuracy_high"]) == pytest.approx((low, high))
    wrong = next(s for s in samples(log) if s.id == "4")
    assert math.isnan(values(wrong, "question_answering")["correct"])


def test_judges_that_differ_each_have_an_accuracy_of_their_own(tmp_path: Path) -> None:
    judges = [knows("BBAA", "one"), knows("BABA", "two")]
    log = asked(judge_alone(), tmp_path, 4, {"judge": judges})
    found = metrics(log, "question_answering")
    # Of two judges who differ none has a majority: two questions are tied.
    assert found["accuracy"] == 1 / 2
    assert found["tied_rate"] == 2 / 4
    assert found["accuracy_judge_1"] == 2 / 4
    assert found["accuracy_judge_2"] == 2 / 4
    assert found["accuracy_judge_1_low"] < 2 / 4 < found["accuracy_judge_1_high"]


def test_a_coin_counts_half(tmp_path: Path) -> None:
    roles: dict[str, Model | list[Model]] = {
        "debater_a": knows("BBA", "one"),
        "debater_b": knows("BAA", "two"),
    }
    log = asked(ensemble(), tmp_path, 3, roles)
    assert metrics(log, "question_answering")["accuracy"] == pytest.approx(1.5 / 3)
    assert metrics(log, "question_answering")["agreed_before_share"] == pytest.approx(
        2 / 3
    )
