"""All tasks of BigCodeBench+, where `INSPECT_DEBATE_DATA` says they are."""

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.v1.datasets.bigcodebench import (
    RELEASES,
    Task,
    bigcodebench,
    read_record,
    read_task,
)
from inspect_debate.v1.datasets.sources import Loaded, in_file
from inspect_debate.v1.debate.record import Parsed
from inspect_debate.v1.grading.code import code_problem, read_code
from tests.v1.datasets.made_bigcodebench import write_folder
from tests.v1.datasets.made_up import metadata, solutions
from tests.v1.support.released import DATA

pytestmark = [
    pytest.mark.released,
    pytest.mark.filterwarnings("ignore:invalid escape sequence"),
]
PATH = DATA / "bigcodebench_plus" / "problems.jsonl"

# Where what is asked for and what is graded with begin otherwise: with other imports or
# another signature, and with another constant.
OTHER_HEADS = {159, 325, 330, 375, 677, 863, 1084} | {229, 656}


@pytest.fixture(scope="module")
def records() -> list[Any]:
    return [entry.record for entry in in_file(PATH)]


@pytest.fixture(scope="module")
def tasks(records: list[Any]) -> dict[int, Task]:
    read = [read_task(read_record(record, "here")) for record in records]
    return {int(task.name): task for task in read}


@pytest.fixture(scope="module")
def released() -> Loaded:
    return bigcodebench(source=str(PATH))


def test_the_pinned_content(
    released: Loaded, records: list[Any], tmp_path: Path
) -> None:
    assert released.provenance == {
        "source": "path",
        "file": "problems.jsonl",
        "dataset": "bcb_plus",
        "version": "v1.0.2",
        "sha256": RELEASES["v1.0.2"].sha256,
        "verified": True,
        "tasks": 1136,
        "tests": 6639,
        "excluded": {},
    }
    folder = write_folder(records[::-1], tmp_path / "problems")
    provenance = bigcodebench(source=str(Path(folder).parent)).provenance
    assert (provenance["version"], provenance["verified"]) == ("v1.0.2", True)


def test_how_many(released: Loaded, records: list[Any]) -> None:
    assert Counter(record["version"] for record in records) == {
        **{0: 374, 1: 678, 2: 68},
        **{3: 13, 4: 1, 5: 2},
    }
    forms = Counter(type(record["content"]["libs"]) for record in records)
    assert forms == {list: 860, str: 276}
    tests = [code_problem("", metadata(s)).tests for s in released.dataset]
    counts = [len(names) for names in tests]
    assert (len(counts), sum(counts), min(counts), max(counts)) == (1136, 6639, 3, 15)


def test_which_tasks(released: Loaded) -> None:
    numbers = {int(str(s.id).removeprefix("bcbplus-")) for s in released.dataset}
    assert {*range(1140)} - numbers == {354, 501, 814, 1040}
    for sample in released.dataset:
        number = str(sample.id).removeprefix("bcbplus-")
        assert metadata(sample)["question_id"] == f"BigCodeBench/{number}"
        assert metadata(sample)["entry_point"] == "task_func"
        assert metadata(sample)["dataset_version"] == "v1.0.2"


def test_what_they_need(tasks: dict[int, Task]) -> None:
    needs = Counter(task.needs for task in tasks.values())
    assert needs == {"standard": 298, "common": 657 - 298, "other": 1136 - 657}
    assert all(task.libs for task in tasks.values())


def head(source: str) -> str:
    """Imports, constants and signature of the function at the end of a source."""
    *before, function = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    function.body = []
    return "\n".join(map(ast.dump, [*before, function]))


def test_heads(tasks: dict[int, Task]) -> None:
    other = {
        number
        for number, task in tasks.items()
        if head(task.prompt) != head(f"{task.code_prompt}\n    pass")
    }
    assert other == OTHER_HEADS


def test_every_prefix_is_balanced(released: Loaded, tasks: dict[int, Task]) -> None:
    needs = [
        tasks[int(str(s.id).removeprefix("bcbplus-"))].needs for s in released.dataset
    ]
    whole = Counter(needs)
    for end in (10, 50, 100, 300, 1000):
        so_far = Counter(needs[:end])
        assert all(abs(so_far[k] - whole[k] * end / 1136) <= 1.5 for k in whole)


def test_solutions_are_read_as_they_stand(released: Loaded) -> None:
    """From a fence after the prompt, as from models; the wrong ones, too."""
    for sample in released.dataset:
        found = solutions(sample)
        assert found.right == sample.target
        programs = (found.right, *found.wrong)
        assert len(set(programs)) == 4
        for program in programs:
            assert read_code(program, "task_func") == Parsed.ok(program), sample.id
        answer = f"Here it is:\n\n```python\n{found.right}\n```\n"
        assert read_code(answer, "task_func") == Parsed.ok(found.right), sample.id


def test_no_two_tasks_ask_the_same(released: Loaded) -> None:
    marks = {metadata(sample)["fingerprint"] for sample in released.dataset}
    assert len(marks) == 1136
