"""Which conditions are compared, and that nothing else is."""

from math import isnan
from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.reports.debate import QUESTIONS
from tests.v1.reports.debate.made_items import NONE, condition, rows

HIDDEN, SHOWN = {"passage": "hidden"}, {"passage": "shown"}


def asked(*parts: pd.DataFrame) -> dict[str, str]:
    """By what is compared, to what question."""
    keys = {text: key for key, text in QUESTIONS.items()}
    found = rows(*parts, of="comparisons")
    return {row["Compared"]: keys[row["Question"]] for row in found}


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        (condition("debate"), condition("judge"), "judge"),
        (condition("consultancy"), condition("judge"), "judge"),
        (
            condition("debate", parameters=HIDDEN),
            condition("judge", parameters=SHOWN),
            "reader",
        ),
        (
            condition("debate", parameters=HIDDEN),
            condition("judge", parameters=HIDDEN),
            "judge",
        ),
        (
            condition("debate", parameters=SHOWN),
            condition("judge", parameters=SHOWN),
            "judge",
        ),
        (condition("debate"), condition("judge", judge="another"), None),
        (condition("debate"), condition("consultancy"), "consultancy"),
        (condition("debate"), condition("consultancy", judge="another"), None),
        (condition("debate"), condition("answers"), "answers"),
        (condition("speeches"), condition("answers"), "answers"),
        (condition("debate"), condition("answers", debater_a="another"), None),
        (condition("answers"), condition("judge"), None),
        (condition("judge", parameters=SHOWN), condition("judge", title="x"), None),
        (
            condition("judge", parameters=SHOWN),
            condition("judge", title="x", parameters=HIDDEN),
            "passage",
        ),
        (
            condition("judge", parameters=SHOWN),
            condition("judge", title="x", parameters=HIDDEN, judge="another"),
            None,
        ),
        (condition("debate"), condition("judge", [NONE, NONE]), None),
        (condition("debate"), condition("judge", data_name="cities"), None),
    ],
)
def test_what_two_conditions_answer(
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
    other = condition("debate", title="other", **usual | changes)
    found = asked(condition("debate", title="plain", **usual), other)
    assert found == ({"other − plain": "variant"} if compared else {})


def test_the_same_samples_are_compared() -> None:
    debate = condition("debate", [1, 1, 1, 0, NONE, 1], tokens=300.0)
    alone = condition("judge", [0, 0, 1, 0, 1])
    (row,) = rows(debate, alone, of="comparisons")
    assert row["Samples"] == 4
    assert row["Left out"] == "1 in one condition only, 1 no prediction"
    assert row["Difference"] == 0.5
    assert row["Test"] == "McNemar"
    assert row["p (Holm)"] == row["p"]
    assert row["Tokens, times"] == 3
    assert (row["Models"], row["Compared"]) == ("a + b + j", "debate − judge")


def test_what_cost_nothing_has_no_ratio() -> None:
    (row,) = rows(condition("debate"), condition("judge", tokens=0.0), of="comparisons")
    assert isnan(row["Tokens, times"])


def test_questions_are_in_order_whatever_the_data_sets() -> None:
    towns = (condition("debate"), condition("judge"), condition("answers"))
    cities = tuple(part.assign(data_name="cities") for part in towns)
    found = rows(*cities, *towns, of="comparisons")
    assert [row["Compared"] for row in found] == [
        *("debate − judge (cities)", "debate − judge (towns)"),
        *("debate − answers (cities)", "debate − answers (towns)"),
    ]
    assert len({row["Question"] for row in found}) == 2
