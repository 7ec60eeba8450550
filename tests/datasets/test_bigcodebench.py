"""Samples of BigCodeBench: programs, wrong solutions, order, what is left out."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.datasets.sources import Loaded
from inspect_debate.datasets.sources import SolutionTruth as Solution
from inspect_debate.datasets.sources import solution_truth as solution
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Parsed
from inspect_debate.debate.seeds import fingerprint
from inspect_debate.grading.code import code_problem, read_code
from tests.datasets.made_bigcodebench import (
    IMPORTS,
    flat,
    nested,
    release,
    write_jsonl,
)

HEAD = "import pandas\n\ndef task_func(given):"
PROMPT = f'{HEAD}\n    """Add 1, and nothing else."""\n'
PROGRAM = f"{HEAD}\n    # The sum.\n    return given + 1"


def loaded(records: list[Any], folder: Path, **arguments: Any) -> Loaded:
    return bigcodebench(source=write_jsonl(records, folder), **arguments)


def only(record: Any, folder: Path, **arguments: Any) -> Sample:
    (sample,) = loaded([record], folder, **arguments).dataset
    return sample


def known(sample: Sample) -> Solution:
    found = solution((sample.metadata or {})["fingerprint"])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("dataset", "record", "id"),
    [("bcb_plus", nested(1), "bcbplus-1"), ("bcb", flat(1), "bcb-1")],
)
def test_a_sample(dataset: str, record: Any, id: str, tmp_path: Path) -> None:
    sample = only(record, tmp_path, dataset=dataset, version="v9")
    assert sample.id == id
    assert sample.input == PROMPT
    assert sample.target == PROGRAM
    assert sample.choices is None
    assert sample.metadata == {
        "dataset": dataset,
        "dataset_version": "v9",
        "question_id": "BigCodeBench/1",
        "answer_kind": "code",
        "code_prompt": HEAD,
        "test": flat(1)["test"],
        "entry_point": "task_func",
        "libs": ["pandas"],
        "fingerprint": fingerprint(PROMPT, "1"),
        "rank": 0,
    }
    assert known(sample).right == PROGRAM
    problem = code_problem(id, sample.metadata)
    assert problem.tests == ("test_0", "test_1")


def test_ids_of_ones_own(tmp_path: Path) -> None:
    sample = only(flat(1, task_id="mine/two.words-1"), tmp_path)
    assert sample.id == "bcbplus-two.words-1"
    assert sample.metadata
    assert sample.metadata["question_id"] == "mine/two.words-1"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"dataset": "bcbplus"}, "dataset='bcbplus' is not known.*mean 'bcb_plus'"),
        ({"version": True}, "version=True is not allowed"),
        ({"version": "a b"}, "version='a b' is not allowed"),
        ({"version": ""}, "version='' is not allowed"),
        ({"seed": -1}, "seed=-1 is not allowed"),
        ({"source": "sample", "version": "v1"}, "'v1' is not for source=sample"),
        ({"source": 5}, "5 is no path"),
    ],
)
def test_arguments(arguments: dict[str, Any], said: str, tmp_path: Path) -> None:
    given = {"source": write_jsonl([flat(1)], tmp_path)} | arguments
    with pytest.raises(InputError, match=said):
        bigcodebench(**given)


def test_a_version_that_the_command_line_takes_for_a_number(tmp_path: Path) -> None:
    sample = only(flat(1), tmp_path, version=1234567)
    assert (sample.metadata or {})["dataset_version"] == "1234567"


# --- what is left out ----------------------------------------------------------------


def test_excluded_tasks_are_told(tmp_path: Path) -> None:
    records = [
        nested(0),
        nested(1, "excluded"),
        nested(2, "excluded") | {"exclusion_reason": "needs a network"},
        nested(3) | {"exclusion_reason": None},
        nested(4) | {"exclusion_reason": "flaky"},
        {"task_id": "BigCodeBench/5", "status": "excluded", "content": {}},
    ]
    found = loaded(records, tmp_path)
    assert {sample.id for sample in found.dataset} == {"bcbplus-0", "bcbplus-3"}
    assert found.provenance["excluded"] == {
        "BigCodeBench/1": "no reason given",
        "BigCodeBench/2": "needs a network",
        "BigCodeBench/4": "flaky",
        "BigCodeBench/5": "no reason given",
    }
    assert (found.provenance["tasks"], found.provenance["tests"]) == (2, 4)


def test_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no task that is not excluded"):
        loaded([nested(1, "excluded")], tmp_path)


def test_one_name_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has 2 tasks of name '7'"):
        loaded([flat(7), flat(7, task_id="other/7")], tmp_path)


# --- order ---------------------------------------------------------------------------


def test_every_prefix_is_balanced(tmp_path: Path) -> None:
    samples = list(loaded(release(60), tmp_path).dataset)
    lengths = sorted(len(str(sample.input)) for sample in samples)

    def factors(sample: Sample) -> tuple[str, str]:
        (library,) = (sample.metadata or {})["libs"]
        third = 3 * lengths.index(len(str(sample.input))) // 60
        return library, f"third {third}"

    counted = Counter(factor for sample in samples for factor in factors(sample))
    assert {counted[library] for library in IMPORTS} == {20}
    so_far: Counter[str] = Counter()
    for end, sample in enumerate(samples, start=1):
        so_far.update(factors(sample))
        for library in IMPORTS:
            assert abs(so_far[library] - end / 3) <= 1.5
        # Lengths are repeated, so that thirds have no sharp edges.
        for third in ("third 0", "third 2"):
            assert abs(so_far[third] - counted[third] * end / 60) <= 4


def test_what_tests_import_counts_too(tmp_path: Path) -> None:
    """Whether a task needs more than its `libs` say decides what it is balanced by."""
    test = flat(0)["test"]
    records = [
        flat(3 * n, test=f"import numpy as np\n{test}" if n % 2 else test)
        for n in range(20)
    ]
    plain = [
        (sample.metadata or {})["test"] == test
        for sample in loaded(records, tmp_path).dataset
    ]
    for end in range(2, 21, 2):
        assert abs(sum(plain[:end]) - end / 2) <= 1


def test_the_seed_alone_decides_the_order(tmp_path: Path) -> None:
    records = release()

    def order(records: list[Any], seed: int) -> list[object]:
        return [sample.id for sample in loaded(records, tmp_path, seed=seed).dataset]

    assert order(records, 0) == order(records[::-1], 0) != order(records, 1)
    assert sorted(map(str, order(records, 0))) == sorted(map(str, order(records, 1)))


# --- wrong solutions -----------------------------------------------------------------

BODIES = {
    "a value": ("    return given", "    return [(given)]"),
    "several": (
        "    if given:\n        return 1\n    return given, 2",
        "    if given:\n        return [(1)]\n    return [(given, 2)]",
    ),
    "lines": (
        "    return {\n        'a': 1,\n    }  # all",
        "    return [({\n        'a': 1,\n    })]  # all",
    ),
    "parentheses": ("    return (given\n  + 1)", "    return ([(given\n  + 1)])"),
    "in one line": (
        "    if given: return 'é', 'ü'",
        "    if given: return [('é', 'ü')]",
    ),
    "functions within": (
        "    def f():\n        return 1\n    class A:\n        def g(self): return 2\n"
        "    return [f() for _ in given]",
        "    def f():\n        return 1\n    class A:\n        def g(self): return 2\n"
        "    return [([f() for _ in given])]",
    ),
    "in blocks": (
        "    try:\n        with given: return 1\n    except OSError:\n        return 2",
        "    try:\n        with given: return [(1)]\n    except OSError:\n"
        "        return [(2)]",
    ),
    "nothing": ("    print(given)", "    return []"),
    "no value": ("    print(given)\n    return", "    return []"),
    "None": ("    return None", "    return [(None)]"),
}


@pytest.mark.parametrize(("body", "wrong"), BODIES.values(), ids=BODIES)
def test_wrong_solutions(body: str, wrong: str, tmp_path: Path) -> None:
    found = known(only(flat(1, canonical_solution=body), tmp_path))
    assert found.right == f"{HEAD}\n{body}"
    assert found.wrong == (
        f"{HEAD}\n    return None",
        f"{HEAD}\n    raise NotImplementedError",
        f"{HEAD}\n{wrong}",
    )
    for text in found.wrong:
        assert read_code(text, "task_func") == Parsed.ok(text)


def test_the_last_function_of_a_name_is_the_one_that_is_called(tmp_path: Path) -> None:
    body = "    return 1\n\ndef task_func(given):\n    return 2"
    found = known(only(flat(1, canonical_solution=body), tmp_path))
    assert found.wrong[2] == f"{HEAD}\n{body[:-1]}[(2)]"


def test_functions_that_wait(tmp_path: Path) -> None:
    head = "async def task_func(given):"
    found = known(only(flat(1, code_prompt=head), tmp_path))
    assert found.wrong[0] == f"{head}\n    return None"
    assert found.wrong[2] == f"{head}\n    # The sum.\n    return [(given + 1)]"


@pytest.mark.parametrize("between", ["", "\n", "\n\n", "\r\n", "  \n"])
def test_programs_are_as_answers_are_read(between: str, tmp_path: Path) -> None:
    body = f"{between}    x = given\r\n    return x\n\n  \n"
    found = known(
        only(flat(1, code_prompt=HEAD + between, canonical_solution=body), tmp_path)
    )
    assert read_code(found.right, "task_func") == Parsed.ok(found.right)
    assert found.right.startswith(f"{HEAD}\n")
    assert found.right.endswith("    x = given\n    return x")
    assert "\r" not in "".join([found.right, *found.wrong])
