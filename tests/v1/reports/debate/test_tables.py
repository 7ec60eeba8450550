"""Accuracy, outcomes, notices and names, worked by hand."""

from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.reports.debate import REPORT, Data, conditions_of, names_of
from inspect_debate.v1.reports.elements import Table
from inspect_debate.v1.reports.notices import sample_notices
from inspect_debate.v1.reports.tables import laid_out
from inspect_debate.v1.reports.views import Part
from tests.v1.reports.debate.made_items import NONE, condition, rows, tables


def test_accuracy_with_and_without_those_that_have_no_outcome() -> None:
    samples = condition("debate", [1, 1, 0, 0.5, NONE], chance=0.25)
    debate, guessing, *_ = rows(samples, of="accuracy")
    assert debate["Accuracy"] == 2.5 / 4
    assert (debate["Accuracy low"], debate["Accuracy high"]) == pytest.approx(
        proportion_interval(2.5, 4), abs=0.05
    )
    assert debate["No outcome as wrong"] == 0.5
    assert debate["No outcome"] == 0.2
    assert guessing["Accuracy"] == debate["Chance"] == 0.25


def test_baselines_are_of_each_question_once() -> None:
    one = condition(
        "debate", [1, 1, 1], target=["A", "B", "B"], chance=[0.5, 0.25, 0.25]
    )
    found = {
        row["Condition"]: row["Accuracy"]
        for row in rows(one, one.assign(epoch=2), of="accuracy")
    }
    assert found["Guessing"] == pytest.approx(1 / 3)
    assert found["Always the first option"] == pytest.approx(1 / 3)
    assert found["Always the letter that is right most often"] == pytest.approx(2 / 3)


def test_answers_in_words_have_no_chance() -> None:
    items = condition("debate", chance=NONE)
    table = tables(items)["accuracy"]
    assert list(table.frame["Condition"]) == ["debate"]
    assert "Chance" not in laid_out(table).labels
    (part,) = (p for p in REPORT.parts if isinstance(p, Part) and p.title == "Accuracy")
    (found,) = part.section(Data(items)).items
    assert isinstance(found, Table)


def test_causes_of_no_outcome() -> None:
    assert not rows(condition("debate"), of="outcomes")
    tied = condition("debate", [1, NONE, NONE, 0], outcome_tied=[0, 1, 1, 0])
    one, other = rows(tied, condition("judge"), of="outcomes")
    assert (one["No outcome"], one["Tied"]) == (0.5, 0.5)
    assert other["No outcome"] == 0


def test_without_speeches_there_is_no_table_of_them() -> None:
    assert not rows(condition("judge"), condition("answers"), of="debates")
    assert not rows(condition("debate", quotes=0.0), of="quotes")


def test_quotes_are_told_by_source() -> None:
    items = condition(
        "debate",
        quotes=[4.0, 1.0],
        verified=[2.0, 1.0],
        typography=[1.0, 0.0],
        quoting_speeches=[1.0, 1.0],
        duplicate=[1.0, 0.0],
        empty=[1.0, 0.0],
        quoted_from_passage=[1.0, 1.0],
        quoted_from_question=[1.0, NONE],
    )
    (row,) = rows(items, of="quotes")
    assert (row["Quotes"], row["Per speech"], row["Verified"]) == (5, 2.5, 0.75)
    assert (row["Differs in typography"], row["Unverified"]) == (0.25, 0.25)
    assert (row["Found in: Passage"], row["Found in: Question"]) == (0.5, 0.25)
    assert (row["Duplicate"], row["Empty"]) == (0.2, 0.2)


def scores(run: str, protocol: str, **columns: Any) -> pd.DataFrame:
    """One row as `scores_df` has it."""
    usual: dict[str, Any] = {
        "run": run,
        "log": f"{run}.eval",
        "created": pd.Timestamp("2026-01-01"),
        "id": "question",
        "epoch": 1,
        "protocol": protocol,
        "task": "inspect_debate/debate",
        "task_version": "1-A",
        "study": "debate",
        "seed": 0,
        "prompts": "0",
        "parameters": {},
        "settings": {},
        "debater_a": None,
        "debater_b": None,
        "judge": None,
        "reward": None,
        "grader": None,
        "error": None,
        "limit": None,
        "scored": True,
        "question_answering.correct": 1.0,
        "debate_process.correct": 0.0,
        "debate_process.quotes": 2.0,
    }
    return pd.DataFrame([usual | columns])


def facts(*rows: tuple[str, int, int]) -> pd.DataFrame:
    """By run the numbers of speakers and judges."""
    columns = ["run", "id", "epoch", "speakers", "judges"]
    return pd.DataFrame(
        [(run, "question", 1, *told) for run, *told in rows], columns=columns
    )


def test_conditions_are_known_by_what_happened_whatever_they_are_called() -> None:
    rows = [("r1", 2, 1), ("r2", 1, 1), ("r3", 0, 1), ("r4", 2, 0), ("r5", 0, 0)]
    named = [scores(run, f"my/{run}") for run, *_ in rows]
    found = conditions_of(
        pd.concat(named), facts(*rows), {run: "towns" for run, *_ in rows}
    ).frame
    assert dict(zip(found["run"], found["kind"], strict=True)) == {
        "r1": "debate",
        "r2": "consultancy",
        "r3": "judge",
        "r4": "speeches",
        "r5": "answers",
    }
    assert list(found["run"]) == ["r5", "r3", "r2", "r4", "r1"]
    assert set(found["correct"]) == {1.0}
    assert set(found["quotes"]) == {2.0}


def test_conditions_are_called_by_what_differs() -> None:
    made = [
        scores("r1", "copmad", judge="x/strong", parameters={"passage": "hidden"}),
        scores("r2", "copmad", judge="x/weak", parameters={"passage": "hidden"}),
        scores("r3", "judge_alone", judge="x/weak", parameters={"passage": "shown"}),
        scores("r4", "single", debater_a="y/other", parameters={"passage": "hidden"}),
    ]
    told = facts(("r1", 2, 1), ("r2", 2, 1), ("r3", 0, 1), ("r4", 0, 0))
    data = {"r1": "towns", "r2": "towns", "r3": "towns", "r4": "cities"}
    frame = conditions_of(pd.concat(made), told, data).frame.set_index("run")
    assert frame["title"].to_dict() == {
        "r1": "copmad judge=strong",
        "r2": "copmad judge=weak",
        "r3": "judge_alone passage=shown",
        "r4": "single",
    }
    assert list(frame["debates"][["r1", "r2"]]) == ["copmad", "copmad"]
    assert set(names_of(frame).values()) == {
        *("copmad judge=strong (towns)", "copmad judge=weak (towns)"),
        *("judge_alone passage=shown (towns)", "single (cities)"),
    }


def test_models_of_one_name_keep_their_providers() -> None:
    made = [scores("r1", "copmad", judge="x/m"), scores("r2", "copmad", judge="y/m")]
    told = facts(("r1", 2, 1), ("r2", 2, 1))
    frame = conditions_of(
        pd.concat(made), told, dict.fromkeys(("r1", "r2"), "towns")
    ).frame
    assert list(frame["title"]) == ["copmad judge=x/m", "copmad judge=y/m"]


def test_failed_samples_are_said_and_have_a_row() -> None:
    made = [
        scores("r1", "copmad"),
        scores("r1", "copmad", id="failed", error="down", scored=False),
        scores("r1", "copmad", id="lost", scored=False),
    ]
    grouped = conditions_of(pd.concat(made), facts(("r1", 2, 1)), {"r1": "towns"})
    assert len(grouped.frame) == 3
    failed, lost = (
        notice.text for notice in sample_notices(grouped, names_of(grouped.frame))
    )
    assert failed == "copmad: 1 of 3 samples ended with an error or a limit."
    assert lost.startswith("copmad: 1 sample without a score")
