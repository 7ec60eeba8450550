"""Samples of ARC tasks: texts, solutions, wrong solutions, order; and the schema."""

from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets.arc_agi import Pair, Task, arc, read_task, wrong_solutions
from inspect_debate.datasets.sources import SolutionTruth as Solution
from inspect_debate.datasets.sources import solution_truth as solution
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.seeds import fingerprint
from inspect_debate.grading.grids import grids_text, parse_grids_text
from tests.datasets.made_arc import made, release, written

TEXT = """\
Example 1
Input:
1 0 2
0 0 1
Output:
0 0 1
1 0 2

Example 2
Input:
1 0 3
0 0 1
Output:
0 0 1
1 0 3

Test input 1:
1 0 4
0 0 1

Test input 2:
1 0 5
0 0 1"""
SOLUTION = "0 0 1\n1 0 4\n\n0 0 1\n1 0 5"


def only(folder: Path, version: int | str = 1) -> Sample:
    (sample,) = arc(version, source=str(folder)).dataset
    return sample


def known(sample: Sample) -> Solution:
    assert sample.metadata is not None
    found = solution(sample.metadata["fingerprint"])
    assert found is not None
    return found


def test_a_sample(tmp_path: Path) -> None:
    sample = only(
        written({"training/007bbfb7.json": made(1, 2)}, tmp_path) / "training"
    )
    assert sample.id == "arc1-007bbfb7"
    assert sample.input == TEXT
    assert sample.target == SOLUTION
    assert sample.choices is None
    assert sample.metadata == {
        "dataset": "arc",
        "dataset_version": 1,
        "split": "training",
        "question_id": "arc1-007bbfb7",
        "answer_kind": "grids",
        "parts": 2,
        "fingerprint": fingerprint(TEXT, "2"),
        "rank": 0,
    }
    assert known(sample).right == SOLUTION


@pytest.mark.parametrize(
    ("version", "label"), [(1, 1), ("1", 1), (2, 2), ("2", 2), ("my_2.0", "my_2.0")]
)
def test_the_version_labels(
    version: int | str, label: int | str, tmp_path: Path
) -> None:
    sample = only(written({"a.json": made(1)}, tmp_path), version)
    assert sample.id == f"arc{label}-a"
    assert (sample.metadata or {})["dataset_version"] == label


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"version": ""}, "version='' is not allowed"),
        ({"source": 5}, "5 is no path"),
    ],
)
def test_arguments(arguments: dict[str, Any], said: str, tmp_path: Path) -> None:
    given = {"source": str(written({"a.json": made(1)}, tmp_path))} | arguments
    with pytest.raises(InputError, match=said):
        arc(**given)


# --- order ---------------------------------------------------------------------------


def test_every_prefix_is_balanced(tmp_path: Path) -> None:
    folder = str(written(release(40, 20), tmp_path))
    samples = list(arc(source=folder).dataset)
    kinds = [
        ((s.metadata or {})["split"], (s.metadata or {})["parts"]) for s in samples
    ]
    whole = Counter(kinds)
    for end in range(1, 61):
        so_far = Counter(kinds[:end])
        for kind, count in whole.items():
            assert abs(so_far[kind] - count * end / 60) <= 1.5


def test_the_seed_alone_decides_the_order(tmp_path: Path) -> None:
    content = release()
    one = str(written(content, tmp_path / "one"))
    other = str(written(dict(reversed(content.items())), tmp_path / "other"))

    def order(source: str, seed: int) -> list[object]:
        return [sample.id for sample in arc(source=source, seed=seed).dataset]

    assert order(one, 0) == order(other, 0) != order(one, 1)
    assert sorted(map(str, order(one, 0))) == sorted(map(str, order(one, 1)))


def test_a_split_alone_keeps_its_tasks_order_and_ranks(tmp_path: Path) -> None:
    folder = str(written(release(40, 20), tmp_path))

    def ranks(split: str) -> dict[object, int]:
        samples = arc(split=split, source=folder).dataset
        return {sample.id: (sample.metadata or {})["rank"] for sample in samples}

    both = ranks("both")
    for split, first in (("training", 0), ("evaluation", 1_000_000)):
        alone = ranks(split)
        assert [*alone.values()] == [*range(first, first + len(alone))]
        assert [pair for pair in both.items() if pair[0] in alone] == [*alone.items()]


# --- wrong solutions -----------------------------------------------------------------


def test_three_wrong_solutions(tmp_path: Path) -> None:
    for sample in arc(source=str(written(release(), tmp_path))).dataset:
        found = known(sample)
        assert len({found.right, *found.wrong}) == 4
        for text in found.wrong:
            grids = parse_grids_text(text)
            assert len(grids) == (sample.metadata or {})["parts"]


def task(name: str, *pairs: Pair) -> Task:
    return Task(name, "own", pairs, pairs)


HARD = {
    "one cell": Pair(((5,),), ((5,),)),
    "nothing to turn": Pair(((1, 1), (1, 1)), ((1, 1), (1, 1))),
    "the input is right": Pair(((0, 1), (2, 0)), ((0, 1), (2, 0))),
    "the largest": Pair(((0,) * 30,) * 30, ((9,) * 30,) * 30),
    "a row": Pair(((1, 2, 1),), ((1, 2, 1),)),
}


@pytest.mark.parametrize("pair", HARD.values(), ids=HARD)
def test_wrong_solutions_where_few_are_at_hand(pair: Pair) -> None:
    for number in range(20):
        asked = task(f"name {number}", pair)
        wrong = wrong_solutions(asked)
        assert len({asked.solution, *wrong}) == 4
        assert wrong == wrong_solutions(asked)


def test_wrong_solutions_are_of_every_kind() -> None:
    pair = Pair(((1, 2), (0, 3)), ((1, 2, 0), (0, 0, 3)))
    right = "1 2 0\n0 0 3"
    turned = ("0 2 1\n3 0 0", "0 0 3\n1 2 0", "1 0\n2 0\n0 3")

    def kind(text: str) -> str:
        if text in turned:
            return "turned"
        if text == "1 2\n0 3":
            return "input"
        changed = sum(a != b for a, b in zip(text, right, strict=True))
        return "one cell" if changed == 1 else "recoloured"

    wrong = [wrong_solutions(task(str(number), pair)) for number in range(60)]
    kinds = Counter(kind(text) for three in wrong for text in three)
    # A colour of one cell that becomes a new one is counted as the cell.
    assert kinds.keys() == {"turned", "input", "one cell", "recoloured"}
    assert min(kinds.values()) >= 20
    assert {text for three in wrong for text in three} >= {*turned}


# --- the schema ----------------------------------------------------------------------


def read(value: object) -> Task:
    return read_task(value, "x", "own", "x.json")


def test_a_task_is_read() -> None:
    value = made(1, 2) | {"name": "left alone"}
    assert read(value).solution == SOLUTION
    assert read(value).train[0].output == ((0, 0, 1), (1, 0, 2))
    largest = [[9] * 30] * 30
    pairs: list[Any] = [{"input": [[0]], "output": largest}]
    assert read({"train": pairs, "test": pairs}).solution == grids_text(
        [tuple(map(tuple, largest))]
    )


WHERE = r"x\.json: test\[1\]"
SCHEMA: dict[str, tuple[Any, str]] = {
    "no list": ("1 2", r"\.output is no grid: it is no list of rows"),
    "no lists": ([1, 2], r"\.output is no grid: it is no list of rows"),
    "null": (None, r"\.output is no grid: it is no list of rows"),
    "no rows": ([], r"\.output is no grid: it has 0 rows, and 1 to 30"),
    "no cells": ([[]], r"\.output is no grid: it has rows of 0 cells, and 1 to 30"),
    "too high": ([[1]] * 31, r"\.output is no grid: it has 31 rows"),
    "too wide": ([[1] * 31], r"\.output is no grid: it has rows of 31 cells"),
    "ragged": ([[1, 2], [3]], r"\.output is no grid: it has rows of 1 and of 2 cells"),
    "ten": ([[10]], r"\.output is no grid: it has a cell that is no whole number"),
    "minus": ([[-1]], "has a cell that is no whole number from 0 to 9"),
    "a fraction": ([[1.0]], "has a cell that is no whole number from 0 to 9"),
    "truth": ([[True]], "has a cell that is no whole number from 0 to 9"),
    "text": ([["1"]], "has a cell that is no whole number from 0 to 9"),
}


@pytest.mark.parametrize(("grid", "said"), SCHEMA.values(), ids=SCHEMA)
def test_what_is_no_grid(grid: Any, said: str) -> None:
    value = made(1, 2)
    value["test"][1]["output"] = grid
    with pytest.raises(InputError, match=f"{WHERE}.*{said}"):
        read(value)


def test_what_is_no_task() -> None:
    no_tasks: tuple[Any, ...] = ([], None, "x", 1)
    for value in no_tasks:
        with pytest.raises(
            InputError, match=r"x\.json holds no task: it is no JSON obj"
        ):
            read(value)
    no_pairs: tuple[Any, ...] = ([], None, {}, "x")
    for key in ("train", "test"):
        for pairs in no_pairs:
            with pytest.raises(InputError, match=f"it has no list of pairs '{key}'"):
                read(made(1) | {key: pairs})
        with pytest.raises(InputError, match=rf"x\.json: {key}\[0\] has no input"):
            read(made(1) | {key: [[[1]]]})


def test_private_solutions() -> None:
    value = deepcopy(made(1, 2))
    del value["test"][1]["output"]
    with pytest.raises(
        InputError, match=f"{WHERE} has no output.*solutions are private"
    ):
        read(value)
