"""BigCodeBench: programs, wrong solutions, order, schema, sources, and what ships."""

import ast
import json
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.dataset import Sample

from inspect_debate.v1.datasets.bigcodebench import (
    RELEASES,
    Task,
    bigcodebench,
    load,
    read_record,
    read_task,
)
from inspect_debate.v1.datasets.sources import Loaded, in_file
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.record import Parsed
from inspect_debate.v1.debate.seeds import fingerprint
from inspect_debate.v1.grading.code import code_problem, read_code
from tests.v1.datasets.made_bigcodebench import (
    IMPORTS,
    flat,
    jsonl,
    nested,
    release,
    sha256,
    write_folder,
    write_jsonl,
)
from tests.v1.datasets.made_up import ids, metadata, solutions
from tests.v1.support.released import DATA

HEAD = "import pandas\n\ndef task_func(given):"
PROMPT = f'{HEAD}\n    """Add 1, and nothing else."""\n'
PROGRAM = f"{HEAD}\n    # The sum.\n    return given + 1"
TEST = flat(1)["test"]
CONTENT = release()


def loaded(records: list[Any], folder: Path, **arguments: Any) -> Loaded:
    return bigcodebench(source=write_jsonl(records, folder), **arguments)


def only(record: Any, folder: Path, **arguments: Any) -> Sample:
    (sample,) = loaded([record], folder, **arguments).dataset
    return sample


def read(value: object) -> Task:
    return read_task(read_record(value, "x.jsonl, line 3"))


@pytest.mark.parametrize(
    ("dataset", "record", "id"),
    [("bcb_plus", nested(1), "bcbplus-1"), ("bcb", flat(1), "bcb-1")],
)
def test_a_sample(dataset: str, record: Any, id: str, tmp_path: Path) -> None:
    sample = only(record, tmp_path, dataset=dataset, version="v9")
    assert (sample.id, sample.input, sample.choices) == (id, PROMPT, None)
    assert sample.target == solutions(sample).right == PROGRAM
    assert sample.metadata == {
        "dataset": dataset,
        "dataset_version": "v9",
        "question_id": "BigCodeBench/1",
        "answer_kind": "code",
        "code_prompt": HEAD,
        "test": TEST,
        "entry_point": "task_func",
        "libs": ["pandas"],
        "fingerprint": fingerprint(PROMPT, "1"),
        "rank": 0,
    }
    assert code_problem(id, sample.metadata).tests == ("test_0", "test_1")


def test_ids_of_ones_own_and_a_version_that_is_a_number(tmp_path: Path) -> None:
    """The command line takes a version such as 1234567 for a number."""
    sample = only(flat(1, task_id="mine/two.words-1"), tmp_path, version=1234567)
    assert sample.id == "bcbplus-two.words-1"
    assert metadata(sample)["question_id"] == "mine/two.words-1"
    assert metadata(sample)["dataset_version"] == "1234567"


def test_excluded_tasks_are_in_the_provenance(tmp_path: Path) -> None:
    records = [
        nested(0),
        nested(1, "excluded"),
        nested(2, "excluded") | {"exclusion_reason": "needs a network"},
        nested(3) | {"exclusion_reason": None},
        nested(4) | {"exclusion_reason": "flaky"},
        {"task_id": "BigCodeBench/5", "status": "excluded", "content": {}},
    ]
    found = loaded(records, tmp_path)
    assert {*ids(found.dataset)} == {"bcbplus-0", "bcbplus-3"}
    assert found.provenance["excluded"] == {
        "BigCodeBench/1": "no reason given",
        "BigCodeBench/2": "needs a network",
        "BigCodeBench/4": "flaky",
        "BigCodeBench/5": "no reason given",
    }
    assert (found.provenance["tasks"], found.provenance["tests"]) == (2, 4)


def test_every_prefix_is_balanced(tmp_path: Path) -> None:
    samples = list(loaded(release(60), tmp_path).dataset)
    lengths = sorted(len(str(sample.input)) for sample in samples)

    def factors(sample: Sample) -> tuple[str, str]:
        (library,) = metadata(sample)["libs"]
        return library, f"third {3 * lengths.index(len(str(sample.input))) // 60}"

    counted = Counter(factor for sample in samples for factor in factors(sample))
    assert {counted[library] for library in IMPORTS} == {20}
    so_far: Counter[str] = Counter()
    for end, sample in enumerate(samples, start=1):
        so_far.update(factors(sample))
        assert all(abs(so_far[library] - end / 3) <= 1.5 for library in IMPORTS)
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
    samples = loaded(records, tmp_path).dataset
    plain = [metadata(sample)["test"] == test for sample in samples]
    for end in range(2, 21, 2):
        assert abs(sum(plain[:end]) - end / 2) <= 1


def test_the_seed_alone_decides_the_order(tmp_path: Path) -> None:
    first, same, second = (
        ids(loaded(records, tmp_path, seed=seed).dataset)
        for records, seed in ((CONTENT, 0), (CONTENT[::-1], 0), (CONTENT, 1))
    )
    assert first == same != second
    assert sorted(map(str, first)) == sorted(map(str, second))


# The body of a function, and what it returns in lists.
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
    "the last function of a name": (
        "    return 1\n\ndef task_func(given):\n    return 2",
        "    return 1\n\ndef task_func(given):\n    return [(2)]",
    ),
}


@pytest.mark.parametrize(("body", "wrong"), BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("head", [HEAD, "async def task_func(given):"])
def test_wrong_solutions(body: str, wrong: str, head: str, tmp_path: Path) -> None:
    record = flat(1, code_prompt=head, canonical_solution=body)
    found = solutions(only(record, tmp_path))
    assert found.right == f"{head}\n{body}"
    assert found.wrong == (
        f"{head}\n    return None",
        f"{head}\n    raise NotImplementedError",
        f"{head}\n{wrong}",
    )
    for text in found.wrong:
        assert read_code(text, "task_func") == Parsed.ok(text)


@pytest.mark.parametrize("between", ["", "\n", "\n\n", "\r\n", "  \n"])
def test_programs_are_as_answers_are_read(between: str, tmp_path: Path) -> None:
    body = f"{between}    x = given\r\n    return x\n\n  \n"
    record = flat(1, code_prompt=HEAD + between, canonical_solution=body)
    found = solutions(only(record, tmp_path))
    assert read_code(found.right, "task_func") == Parsed.ok(found.right)
    assert found.right.startswith(f"{HEAD}\n")
    assert found.right.endswith("    x = given\n    return x")
    assert "\r" not in "".join([found.right, *found.wrong])


def test_both_schemas_hold_the_same_task() -> None:
    assert read(flat(1)) == read(nested(1))
    assert read(flat(1)).tests == 2


LIBS = [
    (["csv", "json"], ("csv", "json")),
    ("['csv', 'json']", ("csv", "json")),
    ('["csv"]', ("csv",)),
    ([], ()),
    ("[]", ()),
]


@pytest.mark.parametrize(("libs", "expected"), LIBS)
def test_libs(libs: object, expected: tuple[str, ...]) -> None:
    assert read(nested(1, libs=libs)).libs == expected


NEEDS = [
    ("", "standard"),
    ("import os.path, cgi\nfrom xml.etree import ElementTree", "standard"),
    ("import distutils.core", "standard"),
    ("import numpy as np", "common"),
    ("from mpl_toolkits.mplot3d import Axes3D\nimport json", "common"),
    ("import numpy\nimport scipy.stats", "other"),
    ("def f():\n    from bs4 import BeautifulSoup", "other"),
    ("from . import numpy", "standard"),
]


@pytest.mark.parametrize(("imports", "needs"), NEEDS)
def test_needs(imports: str, needs: str) -> None:
    assert read(flat(0, test=f"{imports}\n{flat(0)['test']}")).needs == needs


HOSTILE: dict[str, tuple[Any, str]] = {
    "a path as id": (flat(1) | {"task_id": "../a/b"}, "has task_id='../a/b'"),
    "libs of numbers": (flat(1, libs=[1]), r"has libs=\[1\]; allowed is a list"),
    "libs as code": (flat(1, libs="exit()"), r"has libs='exit\(\)'; allowed is a"),
    "only within": (
        flat(1, code_prompt="class A:\n  def task_func():"),
        "does not define task_func",
    ),
    "NUL": (flat(1, canonical_solution="    return '\0'"), "is no Python"),
    "too deep": (flat(1, canonical_solution="    return " + "(" * 9999), "no Python"),
    "other tests": (
        flat(1, test=TEST.replace("TestCases", "Tests")),
        r"^x\.jsonl, line 3 \(BigCodeBench/1\): .* no class TestCases with a test",
    ),
}


@pytest.mark.parametrize(("value", "message"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_records(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(value)


def test_odd_escapes_cause_no_warning() -> None:
    body = "    return '\\d'"
    value = flat(1, canonical_solution=body, test=f"ESCAPE = '\\s'\n{TEST}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(value).solution.endswith(body)


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """v1.0.2 is the made-up one."""
    known = RELEASES["v1.0.2"]._replace(sha256=sha256(CONTENT))
    monkeypatch.setitem(RELEASES, "v1.0.2", known)


def write_parquet(records: list[Any], folder: Path) -> str:
    path = folder / "tasks.parquet"
    pd.DataFrame(records).to_parquet(path)
    return str(path)


def write_json(value: object, folder: Path) -> str:
    path = folder / "tasks.json"
    path.write_text(json.dumps(value))
    return str(path)


def test_the_same_tasks_from_every_kind_of_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.v1.debate.paths.STARTED_IN", tmp_path)
    records = [flat(number) for number in range(6)]
    expected = loaded(records, tmp_path)
    assert expected.provenance == {
        "source": "path",
        "file": "tasks.jsonl",
        "dataset": "bcb_plus",
        "version": "own",
        "sha256": sha256(records),
        "verified": False,
        "tasks": 6,
        "tests": 12,
        "excluded": {},
    }
    lines = tmp_path / "lines.json"
    lines.write_text(jsonl(records))
    write_folder(records, tmp_path / "clone/problems")
    (tmp_path / "clone/other.json").write_text("{}")
    for source in (
        *(write_json(records, tmp_path), write_parquet(records, tmp_path), str(lines)),
        *("clone", "clone/problems", "tasks.jsonl"),
    ):
        found = bigcodebench(source=source)
        assert ids(found.dataset) == ids(expected.dataset)
        assert found.provenance["sha256"] == sha256(records)


def test_one_task_and_parquet_with_content(tmp_path: Path) -> None:
    for source in (write_json(flat(4), tmp_path), write_jsonl([flat(4)], tmp_path)):
        assert ids(bigcodebench("bcb", source=source).dataset) == ["bcb-4"]
    records = [nested(number) for number in (1, 3, 5)]
    found = bigcodebench(source=write_parquet(records, tmp_path))
    assert found.provenance["sha256"] == sha256(records)
    assert all(metadata(sample)["libs"] for sample in found.dataset)


@pytest.mark.usefixtures("pinned")
def test_published_tasks_are_known_wherever_they_lie(tmp_path: Path) -> None:
    def version(source: str, **given: Any) -> tuple[str, bool]:
        found = bigcodebench(source=source, **given).provenance
        return found["version"], found["verified"]

    for source in (
        write_jsonl(CONTENT[::-1], tmp_path),
        write_json(CONTENT, tmp_path),
        write_folder(CONTENT, tmp_path / "folder"),
    ):
        assert version(source) == ("v1.0.2", True)
    assert version(write_json(CONTENT, tmp_path), version="v9") == ("v9", False)
    with pytest.raises(InputError, match=r"holds v1\.0\.2 of BigCodeBench\+.*not data"):
        bigcodebench("bcb", source=write_json(CONTENT, tmp_path))
    part = write_jsonl(CONTENT[1:], tmp_path)
    assert version(part) == ("own", False)
    assert version(part, version="v1.0.2") == ("v1.0.2", False)


def test_a_folder_with_the_ending_of_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "tasks.json"
    found = bigcodebench(source=write_folder([flat(1)], folder))
    assert ids(found.dataset) == ["bcbplus-1"]
    (folder / "more.json").mkdir()
    with pytest.raises(InputError, match=r"more\.json cannot be read: .*directory"):
        bigcodebench(source=str(folder))


def test_the_checksum_is_of_content_alone() -> None:
    one, other = nested(1), nested(2)
    turned = json.loads(json.dumps(dict(reversed(one.items())), indent=3))
    assert sha256([one, other]) == sha256([other, turned])
    assert len({sha256([one]), sha256([other]), sha256([one, other]), sha256([])}) == 4


# The tasks that ship.

RECORDS: dict[str, Any] = {
    record["task_id"].removeprefix("bcbs/"): record
    for _, record in load("bcb_plus", "sample", "").entries
    if isinstance(record, dict)
}
TASKS = {name: read_task(read_record(it, name)) for name, it in RECORDS.items()}
BROKEN, AMBIGUOUS = "loan-days", "split-bill"


@pytest.fixture(scope="module")
def samples() -> dict[str, Sample]:
    dataset = bigcodebench(source="sample").dataset
    return {str(sample.id).removeprefix("bcbs-"): sample for sample in dataset}


def test_what_ships(samples: dict[str, Sample]) -> None:
    provenance = bigcodebench(source="sample").provenance
    assert samples.keys() == TASKS.keys()
    assert provenance["tasks"] == len(TASKS) >= 14
    assert provenance["tests"] == sum(task.tests for task in TASKS.values())
    assert (
        provenance.items()
        >= {
            **{"source": "sample", "file": "bigcodebench_sample.yaml"},
            **{"version": "sample", "verified": False, "excluded": {}},
        }.items()
    )
    for name, sample in samples.items():
        assert metadata(sample)["dataset_version"] == "sample"
        assert metadata(sample)["question_id"] == f"bcbs/{name}"
    other = bigcodebench("bcb", source="sample").dataset
    assert {*ids(other)} == {*ids(samples.values())}
    assert {metadata(s)["dataset"] for s in other} == {"bcb"}


def test_one_has_broken_tests_and_one_an_ambiguous_statement(
    samples: dict[str, Sample],
) -> None:
    marked = {n: it["about"] for n, it in RECORDS.items() if "about" in it}
    assert marked == {BROKEN: "broken_test", AMBIGUOUS: "ambiguous_statement"}
    for name, about in marked.items():
        assert about not in samples[name].model_dump_json()


def imported(source: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(source)))
    plain = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    return plain | {str(n.module) for n in nodes if isinstance(n, ast.ImportFrom)}


@pytest.mark.parametrize("name", TASKS)
def test_a_task_that_ships(name: str, samples: dict[str, Sample]) -> None:
    task, found = TASKS[name], solutions(samples[name])
    assert 3 <= task.tests <= 8
    assert task.needs == "standard"
    assert task.prompt.startswith(f"{task.code_prompt}\n")
    assert imported(f"{task.code_prompt}\n    pass") == {*task.libs}
    for heading in ("Parameters", "Returns", "Requirements", "Example"):
        assert f"    {heading}:\n" in task.prompt
    assert all(f"    - {library}\n" in task.prompt for library in task.libs)
    assert imported(task.prompt) == {*task.libs}
    for program in (found.right, *found.wrong):
        answer = f"```python\n{program}\n```"
        assert read_code(answer, "task_func") == Parsed.ok(program)


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


def failures(programs: list[tuple[Task, str]]) -> list[set[str]]:
    """The tests that fail, of each program, all run by one other interpreter."""
    pairs = [
        (code_problem(task.id, task._asdict()).program(program), task.test)
        for task, program in programs
    ]
    done = subprocess.run(
        [sys.executable, "-I", "-c", GRADE],
        input=json.dumps(pairs),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [set(names) for names in json.loads(done.stdout)]


def test_canonical_solutions_pass_and_no_others(samples: dict[str, Sample]) -> None:
    # The largest part, and not what was rounded off most, gets the first cent.
    other_reading = TASKS[AMBIGUOUS].solution.replace(
        "-(cents * weights[name] % total)", "-weights[name]"
    )
    assert TASKS[AMBIGUOUS].solution != other_reading
    programs = [
        (TASKS[name], program)
        for name, found in ((n, solutions(s)) for n, s in samples.items())
        for program in (found.right, *found.wrong)
    ]
    found = failures([*programs, (TASKS[AMBIGUOUS], other_reading)])
    for at, name in enumerate(samples):
        right, *wrong = found[4 * at : 4 * at + 4]
        assert right == ({"test_one_day"} if name == BROKEN else set()), name
        assert all(wrong), name
    assert found[-1] == {"test_one_cent_is_left", "test_two_cents_are_left"}


@pytest.mark.released
def test_no_task_is_a_published_one() -> None:
    """They have no line of a statement, solution or test of any length in common."""

    def lines(content: dict[str, str]) -> set[str]:
        names = ("complete_prompt", "canonical_solution", "test")
        found = {" ".join(x.split()) for n in names for x in content[n].splitlines()}
        return {line for line in found if len(line) > 50}

    path = DATA / "bigcodebench_plus" / "problems.jsonl"
    records = [record for _, record in in_file(path) if isinstance(record, dict)]
    published = {line for record in records for line in lines(record["content"])}
    assert len(published) > 20_000
    for name, record in RECORDS.items():
        assert not lines(record) & published, name
