"""Which arms are compared, and that nothing else is."""

from math import isnan
from typing import Any

import pandas as pd
import pytest

from inspect_debate.reports.questions.results import QUESTIONS, comparisons
from tests.reports.questions.made_items import NONE, arm, arms

HIDDEN, SHOWN = {"passage": "hidden"}, {"passage": "shown"}


def asked(*parts: pd.DataFrame) -> dict[str, str]:
    """By what is compared, to what question."""
    table = comparisons(arms(*parts))
    if table is None:
        return {}
    keys = {text: key for key, text in QUESTIONS.items()}
    rows = zip(table.frame["Compared"], table.frame["Question"], strict=True)
    return {str(compared): keys[str(question)] for compared, question in rows}


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        (arm("debate"), arm("judge"), "judge"),
        (arm("consultancy"), arm("judge"), "judge"),
        (arm("debate", parameters=HIDDEN), arm("judge", parameters=SHOWN), "reader"),
        (arm("debate", parameters=HIDDEN), arm("judge", parameters=HIDDEN), "judge"),
        (arm("debate", parameters=SHOWN), arm("judge", parameters=SHOWN), "judge"),
        (arm("debate"), arm("judge", judge="another"), None),
        (arm("debate"), arm("consultancy"), "consultancy"),
        (arm("debate"), arm("consultancy", judge="another"), None),
        (arm("debate"), arm("answers"), "answers"),
        (arm("speeches"), arm("answers"), "answers"),
        (arm("debate"), arm("answers", debater_a="another"), None),
        (arm("answers"), arm("judge"), None),
        (arm("judge", parameters=SHOWN), arm("judge", title="x"), None),
        (
            arm("judge", parameters=SHOWN),
            arm("judge", title="x", parameters=HIDDEN),
            "passage",
        ),
        (
            arm("judge", parameters=SHOWN),
            arm("judge", title="x", parameters=HIDDEN, judge="another"),
            None,
        ),
        (arm("debate"), arm("judge", [NONE, NONE]), None),
        (arm("debate"), arm("judge", data_name="cities"), None),
    ],
)
def test_what_two_arms_answer(
    one: pd.DataFrame, other: pd.DataFrame, question: str | None
) -> None:
    titles = f"{one['title'].iloc[0]} − {other['title'].iloc[0]}"
    found = {} if question is None else {titles: question}
    assert asked(one, other) == asked(other, one) == found


@pytest.mark.parametrize(
    ("changes", "compared"),
    [
        ({"parameters": {"rounds": 3}}, True),
        ({"judge": "another"}, True),
        ({"prompts": "1"}, True),
        ({"seed": 1}, True),
        ({"settings": {"temperature": 1}}, True),
        ({"protocol": "another"}, True),
        ({"protocol": "another", "parameters": {"rounds": 3}}, True),
        ({"protocol": "another", "judge": "another"}, False),
        ({"protocol": "another", "debater_b": "another"}, False),
        ({"judge": "another", "parameters": {"rounds": 3}}, False),
    ],
)
def test_debates_that_differ_in_one_thing(
    changes: dict[str, object], compared: bool
) -> None:
    usual: dict[str, Any] = {"parameters": {"rounds": 2}}
    other = arm("debate", title="other", **usual | changes)
    found = asked(arm("debate", title="plain", **usual), other)
    assert found == ({"other − plain": "variant"} if compared else {})


def test_the_same_samples_are_compared() -> None:
    debate = arm("debate", [1, 1, 1, 0, NONE, 1], tokens=300.0)
    alone = arm("judge", [0, 0, 1, 0, 1])
    table = comparisons(arms(debate, alone))
    assert table is not None
    (row,) = table.frame.to_dict("records")
    assert row["Samples"] == 4
    assert row["Left out"] == "1 in one arm only, 1 no prediction"
    assert row["Difference"] == 0.5
    assert row["Test"] == "McNemar"
    assert row["p (Holm)"] == row["p"]
    assert row["Tokens, times"] == 3
    assert (row["Models"], row["Compared"]) == ("a + b + j", "debate − judge")


def test_what_cost_nothing_has_no_ratio() -> None:
    table = comparisons(arms(arm("debate"), arm("judge", tokens=0.0)))
    assert table is not None
    assert isnan(table.frame["Tokens, times"].iloc[0])


def test_questions_are_in_order_whatever_the_data_sets() -> None:
    towns = (arm("debate"), arm("judge"), arm("answers"))
    cities = tuple(part.assign(data_name="cities") for part in towns)
    table = comparisons(arms(*cities, *towns))
    assert table is not None
    assert list(table.frame["Compared"]) == [
        *("debate − judge (cities)", "debate − judge (towns)"),
        *("debate − answers (cities)", "debate − answers (towns)"),
    ]
    assert table.frame["Question"].drop_duplicates().size == 2
