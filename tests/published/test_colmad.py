"""ColMAD's printed tables, and what their notes say about them."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from inspect_debate.metrics.detection import value
from inspect_debate.published import published

TASKS = ("math", "fact", "answerability")
GOLD = {
    ("gpt4", "math"): (87, 53),
    ("gpt4", "fact"): (88, 52),
    ("gpt4", "answerability"): (87, 53),
    ("llama2", "math"): (128, 32),
    ("llama2", "fact"): (129, 31),
    ("llama2", "answerability"): (130, 30),
}
"""Errors and others in the released data."""

USED = GOLD | {("gpt4", "fact"): (85, 52)}
"""With the errors that the paper's numbers fit."""

MISTRAL = "Mistral-7B-v0.3"


def table() -> pd.DataFrame:
    return published("colmad")["detection"].frame


def rows(protocol: str = "", author: str = "") -> list[Any]:
    """Rows of a protocol, or of all models, and of a response author or both."""
    return [
        row
        for row in table().itertuples()
        if (row.protocol == protocol if protocol else row.protocol != "human")
        and author in ("", row.response_author)
    ]


@cache
def solutions(
    f1_: float, f2_: float, errors: int, others: int
) -> list[tuple[int, int]]:
    """Hits and false alarms that give both printed scores."""
    tp, fp = np.indices((errors + 1, others + 1)).reshape(2, -1)
    nothing = np.zeros_like(tp)
    cells = (tp, fp, errors - tp, others - fp, nothing, nothing)
    counts = np.stack(cells, axis=-1).astype(np.float64)
    near = (abs(100 * value("f1", counts) - f1_) <= 0.005 + 1e-9) & (
        abs(100 * value("f2", counts) - f2_) <= 0.005 + 1e-9
    )
    return [(int(a), int(b)) for a, b in counts[near, :2]]


def counts(row: Any, task: str, gold: tuple[int, int]) -> list[tuple[int, int]]:
    return solutions(getattr(row, f"f1_{task}"), getattr(row, f"f2_{task}"), *gold)


def misfits(row: Any) -> int:
    """Counts outside of what keeping the answers that both models share allows."""
    single = {one.debater_1: one for one in rows("single", row.response_author)}
    number = 0
    for task in TASKS:
        gold = USED[row.response_author, task]
        pair, a, b = (
            counts(one, task, gold)
            for one in (row, single[row.debater_1], single[row.debater_2])
        )
        if pair:
            number += sum(
                not max(0, x + y - n) <= found <= min(n, x + y)
                for found, x, y, n in zip(pair[0], a[0], b[0], gold, strict=True)
            )
    return number


def test_the_rows() -> None:
    frame = table()
    keys = ["response_author", "protocol", "debater_1", "debater_2"]
    assert not frame.duplicated(keys).any()
    assert frame.groupby("response_author").size().to_dict() == {
        "gpt4": 31,
        "llama2": 16,
    }
    scores = frame.filter(regex="^f[12]_")
    assert scores.shape == (47, 8)
    assert scores.notna().all(axis=None)
    alone = frame["protocol"].isin(["single", "human"])
    assert frame["debater_2"].isna().eq(alone).all()


def test_averages_are_means_but_for_two_that_are_swapped() -> None:
    frame = table()
    means = pd.DataFrame(
        {s: frame[[f"{s}_{task}" for task in TASKS]].mean(axis=1) for s in ("f1", "f2")}
    )
    off = pd.DataFrame({s: abs(frame[f"{s}_average"] - means[s]) for s in ("f1", "f2")})
    wrong = frame[(off > 0.0101).any(axis=1)]
    assert wrong[["response_author", "protocol"]].to_numpy().tolist() == [
        ["gpt4", "human"]
    ]
    (row,) = rows("human", "gpt4")
    assert round(means["f1"][row.Index], 2) == row.f2_average == 91.98
    assert round(means["f2"][row.Index], 2) == row.f1_average == 89.44
    assert row.note


def test_f1_and_f2_give_one_pair_of_counts() -> None:
    open_ = []
    for row in rows():
        for task in TASKS:
            if len(counts(row, task, USED[row.response_author, task])) != 1:
                open_.append((row.response_author, row.protocol, row.debater_2))
    # All but the row of Table 2 that was scored with the labels of Table 1.
    assert set(open_) == {("llama2", "ensemble", MISTRAL)}
    (row,) = (
        one
        for one in rows("ensemble", "llama2")
        if one.debater_1 == "Llama3.1-70B" and one.debater_2 == MISTRAL
    )
    assert all(len(counts(row, task, USED["gpt4", task])) == 1 for task in TASKS)
    assert row.note


def test_fact_verification_has_85_errors() -> None:
    models = rows(author="gpt4")
    fitting = {
        n: sum(bool(counts(one, "fact", (n, 52))) for one in models)
        for n in range(80, 96)
    }
    assert fitting.pop(85) == len(models) == 30
    assert max(fitting.values()) <= 1
    assert fitting[88] == 0


def test_copmad_did_not_skip_on_agreement() -> None:
    assert [misfits(row) for row in rows("colmad")] == [0] * 12
    copmad = {row.Index: misfits(row) for row in rows("copmad")}
    assert sum(copmad.values()) == 25
    impossible = {index for index, number in copmad.items() if number}
    assert len(impossible) == 10
    noted = table().query("protocol == 'copmad' and note != ''").index
    assert impossible == set(noted)


def test_one_ensemble_is_no_choice_between_its_models() -> None:
    found = {
        (row.response_author, row.debater_1, row.debater_2)
        for row in rows("ensemble")
        if misfits(row)
    }
    assert found == {("llama2", "GPT4o-mini", MISTRAL)}
    assert all(
        row.note
        for row in rows("ensemble")
        if (row.response_author, row.debater_1, row.debater_2) in found
    )


def test_gaps_between_colmad_and_copmad() -> None:
    keys = ["response_author", "debater_1", "debater_2"]
    a, b = (
        table().query(f"protocol == '{p}'").set_index(keys)
        for p in ("colmad", "copmad")
    )
    gaps = (a["f1_average"] - b["f1_average"]).loc["gpt4"]
    assert (len(gaps), round(gaps.mean(), 2)) == (8, 18.74)
    assert (round(gaps.min(), 2), round(gaps.max(), 2)) == (2.81, 44.49)


@pytest.mark.parametrize(
    ("author", "f2_always", "rows_above_in_f1", "f1_always"),
    [("gpt4", 89.24, 2, 76.83), ("llama2", 95.41, 2, 89.27)],
)
def test_always_error_beats_the_models(
    author: str, f2_always: float, rows_above_in_f1: int, f1_always: float
) -> None:
    models = table().query("response_author == @author and protocol != 'human'")
    assert models["f2_average"].max() < f2_always
    assert (models["f1_average"] > f1_always).sum() == rows_above_in_f1


def test_gains_over_the_better_model() -> None:
    gains = {}
    for row in rows("colmad"):
        single = {one.debater_1: one for one in rows("single", row.response_author)}
        pair = (single[row.debater_1], single[row.debater_2])
        gains[row.response_author, row.debater_1, row.debater_2] = tuple(
            round(getattr(row, score) - max(getattr(one, score) for one in pair), 2)
            for score in ("f1_average", "f2_average")
        )
    most = gains["gpt4", "QwQ-32B", "DeepSeek-R1"]
    assert most == (4.64, 7.19) == tuple(map(max, zip(*gains.values(), strict=True)))
    below = {key for key, (gain, _) in gains.items() if gain < 0}
    assert below == {
        ("gpt4", "Llama3.1-70B", MISTRAL),
        ("llama2", "GPT4o-mini", MISTRAL),
    }


def test_people_in_table_2_are_rounded_twice() -> None:
    (row,) = rows("human", "llama2")
    fits = [
        (errors, others)
        for errors in range(20, 36)
        for others in range(15)
        if counts(row, "math", (errors, others))
    ]
    assert fits == []
    # 29 of 30 found without a false alarm is 98.31 and 97.32 in full.
    assert solutions(98.31, 97.32, 30, 5) == [(29, 0)]


def test_tables_are_read_once() -> None:
    assert published("colmad") is published("colmad")
