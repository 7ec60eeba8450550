"""The tasks that ship: they are our own, and grading tells right from wrong ones."""

import ast
import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets.bigcodebench import (
    Task,
    bigcodebench,
    load,
    read_record,
    read_task,
)
from inspect_debate.datasets.sources import SolutionTruth as Solution
from inspect_debate.datasets.sources import in_file
from inspect_debate.datasets.sources import solution_truth as solution
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Parsed
from inspect_debate.grading.code import code_problem, read_code
from tests.support.released import DATA

RECORDS: dict[str, Any] = {
    record["task_id"].removeprefix("bcbs/"): record
    for _, record in load("bcb_plus", "sample", "").entries
    if isinstance(record, dict)
}
TASKS = {name: read_task(read_record(it, name)) for name, it in RECORDS.items()}
BROKEN, AMBIGUOUS = "loan-days", "split-bill"


@cache
def samples() -> dict[str, Sample]:
    loaded = bigcodebench(source="sample")
    return {str(sample.id).removeprefix("bcbs-"): sample for sample in loaded.dataset}


def known(name: str) -> Solution:
    found = solution((samples()[name].metadata or {})["fingerprint"])
    assert found is not None
    return found


# --- what ships ----------------------------------------------------------------------


def test_what_ships() -> None:
    told = bigcodebench(source="sample").provenance
    assert samples().keys() == TASKS.keys()
    assert told["tasks"] == len(TASKS) >= 14
    assert told["tests"] == sum(task.tests for task in TASKS.values())
    assert (told["source"], told["file"]) == ("sample", "bigcodebench_sample.yaml")
    assert (told["version"], told["verified"], told["excluded"]) == (
        "sample",
        False,
        {},
    )
    for name, sample in samples().items():
        assert (sample.metadata or {})["dataset_version"] == "sample"
        assert (sample.metadata or {})["question_id"] == f"bcbs/{name}"


def test_the_sample_is_the_same_for_both_data_sets() -> None:
    other = bigcodebench("bcb", source="sample").dataset
    assert {str(s.id) for s in other} == {str(s.id) for s in samples().values()}
    assert {(s.metadata or {})["dataset"] for s in other} == {"bcb"}


def test_one_has_broken_tests_and_one_an_ambiguous_statement() -> None:
    marked = {n: it["about"] for n, it in RECORDS.items() if "about" in it}
    assert marked == {BROKEN: "broken_test", AMBIGUOUS: "ambiguous_statement"}
    for name, about in marked.items():
        assert about not in samples()[name].model_dump_json()


def imported(source: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(source)))
    plain = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    return plain | {str(n.module) for n in nodes if isinstance(n, ast.ImportFrom)}


@pytest.mark.parametrize("name", TASKS)
def test_a_task(name: str) -> None:
    task = TASKS[name]
    assert 3 <= task.tests <= 8
    assert task.needs == "standard"
    assert task.prompt.startswith(f"{task.code_prompt}\n")
    assert imported(f"{task.code_prompt}\n    pass") == {*task.libs}
    for heading in ("Parameters", "Returns", "Requirements", "Example"):
        assert f"    {heading}:\n" in task.prompt
    for library in task.libs:
        assert f"    - {library}\n" in task.prompt
    assert imported(task.prompt) == {*task.libs}


@pytest.mark.parametrize("name", TASKS)
def test_solutions_are_as_answers_are_read(name: str) -> None:
    for program in (known(name).right, *known(name).wrong):
        assert read_code(f"```python\n{program}\n```", "task_func") == Parsed.ok(
            program
        )


def test_the_sample_has_no_version() -> None:
    with pytest.raises(
        InputError, match=r"version='v1\.0\.2' is not for source=sample"
    ):
        bigcodebench(version="v1.0.2", source="sample")


# --- what grading says ---------------------------------------------------------------

GRADE = """
import io, json, sys, unittest

def failed(program, test):
    space = {"__name__": "graded"}
    exec(program, space)
    exec(test, space)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(space["TestCases"])
    result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    wrong = result.failures + result.errors
    return sorted(test.id().split(".")[-1] for test, _ in wrong)

print(json.dumps([failed(*pair) for pair in json.load(sys.stdin)]))
"""

# The largest part, and not what was rounded off most, gets the first cent.
OTHER_READING = TASKS[AMBIGUOUS].solution.replace(
    "-(cents * weights[name] % total)", "-weights[name]"
)


def failures(programs: list[tuple[Task, str]]) -> list[set[str]]:
    """The tests that fail, of each program, all run by one other interpreter."""
    pairs = []
    for task, program in programs:
        problem = code_problem(task.id, task._asdict())
        pairs.append((problem.program(program), task.test))
    done = subprocess.run(
        [sys.executable, "-I", "-c", GRADE],
        input=json.dumps(pairs),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [set(names) for names in json.loads(done.stdout)]


def test_canonical_solutions_pass_and_no_others() -> None:
    programs = [
        (TASKS[name], program)
        for name in TASKS
        for program in (known(name).right, *known(name).wrong)
    ]
    found = failures([*programs, (TASKS[AMBIGUOUS], OTHER_READING)])
    for at, name in enumerate(TASKS):
        right, *wrong = found[4 * at : 4 * at + 4]
        assert right == ({"test_one_day"} if name == BROKEN else set()), name
        assert all(wrong), name
    assert TASKS[AMBIGUOUS].solution != OTHER_READING
    assert found[-1] == {"test_one_cent_is_left", "test_two_cents_are_left"}


@pytest.mark.released
def test_no_task_is_a_published_one() -> None:
    """They have no line of a statement, solution or test of any length in common."""

    def lines(content: dict[str, str]) -> set[str]:
        names = ("complete_prompt", "canonical_solution", "test")
        found = {" ".join(x.split()) for n in names for x in content[n].splitlines()}
        return {line for line in found if len(line) > 50}

    published = set[str]()
    path = DATA / "bigcodebench_plus" / "problems.jsonl"
    for _, record in in_file(path):
        assert isinstance(record, dict)
        published |= lines(record["content"])
    assert len(published) > 20_000
    for name, record in RECORDS.items():
        assert not lines(record) & published, name
