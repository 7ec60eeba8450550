"""The printed tables of the confidence study, and what their notes say about them."""

import re
from typing import Any

import pytest

from inspect_debate.published import published

STEPS = ["Open_to_rebuttal", "Rebuttal_to_closing", "Open_to_closing"]
ROUNDS = ["Opening", "Rebuttal", "Closing"]


def table(name: str) -> Any:
    frame = published("confidence")[name].frame.drop(columns="note")
    return frame.set_index(frame.columns[0])


def by_model(condition: str) -> Any:
    return table("tables_8_to_16").loc[condition].set_index("model")


def test_the_rows() -> None:
    sizes = table("tables_8_to_16").groupby("condition").size()
    assert sizes.tolist() == [11] * 8
    models = {*table("table_2").index}
    assert models == {*table("table_7").index, "all"}


def test_tables_3_and_13_repeat_those_by_model() -> None:
    for condition, row in table("table_3").iterrows():
        overall = by_model(str(condition)).loc["all"]
        for column in (*ROUNDS, *STEPS):
            assert re.split(r" \(|,|\*", overall[column])[0] == row[column]
    for condition, row in table("table_13").iterrows():
        models = by_model(str(condition)).drop(index="all")
        for step in STEPS:
            assert row[step] == f"{models[step].str.endswith('*').sum()}/10"


@pytest.mark.parametrize("condition", ["redteam", "redteam_v2", "deceptive"])
def test_what_is_off_where_nothing_is_released(condition: str) -> None:
    """The notes on Tables 15 and 16; Table 14 has no such rows."""
    cells = by_model(condition)
    numbers = cells.apply(
        lambda of: of.str.extract(r"^(?:Δ=)?(-?[\d.]+)", expand=False)
    )
    frame = numbers.astype(float)
    mean, overall = frame.drop(index="all")["Opening"].mean(), frame["Opening"]["all"]
    assert (abs(mean - overall) > 0.0101) == (condition != "redteam")
    rise = frame["Closing"] - frame["Opening"]
    off = (rise - frame["Open_to_closing"]).abs() > 0.0151
    changed = {"google/gemini-2.0-flash-001", "qwen/qwen-max"}
    assert {*frame.index[off]} <= changed
    assert off.any() == (condition == "deceptive")
