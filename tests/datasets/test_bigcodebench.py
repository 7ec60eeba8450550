import io
import json
import os
import re
import sys
import unittest
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets import bigcodebench as module
from inspect_debate.datasets import download
from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.datasets.common import Sourced
from inspect_debate.datasets.download import json_sha256
from inspect_debate.debate.errors import InputError
from inspect_debate.grading.suspicions import suspicions

DATA = os.environ.get("INSPECT_DEBATE_DATA")
Record = dict[str, Any]
HEAD = "import pandas\n\ndef task_func(given):"


def flat(number: int, **changes: Any) -> Record:
    """A task as BigCodeBench has it: to add a number; every other one needs pandas."""
    head = HEAD if number % 2 else HEAD.replace("pandas", "json")
    return {
        "task_id": f"BigCodeBench/{number}",
        "complete_prompt": f'{head}\n    """Add {number}{"." * (number % 5)}"""\n',
        "instruct_prompt": f"Write a function that adds {number}.",
        "canonical_solution": f"    # The sum.\n    return given + {number}\n\n",
        "code_prompt": f"{head}\n",
        "test": "import unittest\nclass TestCases(unittest.TestCase): ...",
        "entry_point": "task_func",
        "libs": "['pandas']" if number % 2 else "['json']",
        **changes,
    }


def nested(number: int, **changes: Any) -> Record:
    """The same as BigCodeBench+ has it, with `libs` as a list."""
    content = flat(number)
    content["libs"] = ["pandas" if number % 2 else "json"]
    head = {"task_id": content.pop("task_id"), "version": 1, "status": "active"}
    return {**head, "exclusion_reason": None, "content": content, **changes}


def write(records: Sequence[object], path: Path) -> str:
    lines = map(json.dumps, records)
    json_list = path.suffix == ".json"
    path.write_text(f"[{','.join(lines)}]" if json_list else "\n".join(lines))
    return str(path)


def about(sample: Sample) -> dict[str, Any]:
    assert sample.metadata is not None
    return sample.metadata


def libraries(sample: Sample) -> set[str]:
    return {*re.findall(r"\w+", str(about(sample)["libs"]))}


def ids(data: Sourced) -> list[str]:
    return [str(sample.id) for sample in data]


@pytest.mark.parametrize("dataset", ["bcb_plus", "bcb"])
@pytest.mark.parametrize("record", [flat(1), nested(1)])
def test_a_sample(dataset: Any, record: Record, tmp_path: Path) -> None:
    source = write([record], tmp_path / "a.jsonl")
    (sample,) = bigcodebench(dataset, source=source)
    texts = flat(1)
    assert sample.id == f"{dataset.replace('_', '')}-1"
    assert sample.input == texts["complete_prompt"]
    assert sample.target == f"{HEAD}\n    # The sum.\n    return given + 1"
    assert sample.metadata == {
        **{"dataset": dataset, "version": "own", "answer_kind": "code"},
        **texts,
        "libs": record.get("content", record)["libs"],
    }
    (instructed,) = bigcodebench(dataset, source=source, split="instruct")
    assert instructed.input == texts["instruct_prompt"]
    assert instructed.metadata == sample.metadata


def test_the_provenance(tmp_path: Path) -> None:
    records = [nested(0), nested(1)]
    data = bigcodebench(source=write(records, tmp_path / "a.json"))
    assert data.provenance == {
        **{"source": "path", "file": "a.json", "dataset": "bcb_plus"},
        **{"version": "own", "split": "complete", "verified": False, "tasks": 2},
        **{"sha256": json_sha256(records), "excluded": {}},
    }


def test_what_is_not_a_task(tmp_path: Path) -> None:
    faults: list[tuple[object, str]] = [
        ([1], "schema"),
        (nested(1, content=None), "complete_prompt"),
        (flat(1, task_id="../a/b"), "task_id"),
        *((flat(1, libs=libs), "libs") for libs in ([1], None)),
        *((flat(1, test=test), "test") for test in ("", " \n", None)),
    ]
    for record, named in faults:
        source = write([flat(0), record], tmp_path / "a.jsonl")
        with pytest.raises(InputError, match=f"a.jsonl, record 2.*{named}"):
            bigcodebench(source=source)


def test_faults_of_the_input(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    lacks = write([flat(1), flat(2, instruct_prompt="")], tmp_path / "lacks.json")
    empty = write([], tmp_path / "none.jsonl")
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("dataset='bcb_pluss'.*bcb_plus", {"dataset": "bcb_pluss"}),
        ("split='complet'", {"split": "complet"}),
        ("instruct", {"split": "instruct", "source": lacks}),
        ("bad.json", {"source": str(tmp_path / "bad.json")}),
        ("no tasks", {"source": empty}),
    ]
    for named, arguments in wrong:
        with pytest.raises(InputError, match=named):
            bigcodebench(**arguments)


RECORDS = [nested(number) for number in (0, 1, 2, 101, 200)]


def zipped(records: Sequence[Record]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("BCBPlus-0123/docs/problems/no.json", "no task")
        for number, record in enumerate(records):
            name = f"BCBPlus-0123/problems/{number:04}.json"
            archive.writestr(name, json.dumps(record, indent=1))
    return packed.getvalue()


def test_v1_0_2(
    server: Any, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = module.RELEASE._replace(sha256=json_sha256(RECORDS))
    monkeypatch.setattr(download, "GITHUB", server.url.rpartition("/")[0])
    monkeypatch.setattr(module, "RELEASE", known)
    right, other = zipped(RECORDS), zipped([nested(3), *RECORDS[1:]])
    failures: dict[str, dict[str, Any]] = {
        **{"sha256": {"body": other}, "404": {"status": 404}},
        "closed": {"status": 200, "body": right[:99], "claimed": len(right)},
    }
    for named, behaviour in failures.items():
        vars(server).update(behaviour)
        with pytest.raises(InputError, match=named):
            bigcodebench()
        assert not [path for path in cache.rglob("*") if path.is_file()]

    vars(server).update(body=right, claimed=None, requests=0)
    path = write(RECORDS[::-1], tmp_path / "a.jsonl")
    for source in ("published", "published", path):
        data = bigcodebench(source=source)
        assert sorted(ids(data)) == ["bcbplus-0", "bcbplus-1", "bcbplus-2"]
        found = data.provenance
        assert (found["version"], found["verified"]) == ("v1.0.2", True)
        assert {"BigCodeBench/101", "BigCodeBench/200"} < found["excluded"].keys()
        assert len(bigcodebench(source=source, ungradable=True)) == 5
    assert server.requests == 1
    with pytest.raises(InputError, match="bcb_plus"):
        bigcodebench("bcb", source=path)


def test_the_original_is_on_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    api, loader = Mock(), Mock()
    api.HfApi().dataset_info().sha = "c0ffee"
    loader.load_dataset.return_value = [flat(0), flat(1)]
    monkeypatch.setitem(sys.modules, "huggingface_hub", api)
    monkeypatch.setitem(sys.modules, "datasets", loader)
    with pytest.raises(InputError, match=r"2 tasks.* 1140"):
        bigcodebench("bcb")
    monkeypatch.setattr(module, "SIZE", 2)
    found = bigcodebench("bcb").provenance
    assert (found["commit"], found["version"]) == ("c0ffee", "v0.1.4")
    asked = {"split": "v0.1.4", "revision": "c0ffee"}
    loader.load_dataset.assert_called_with("bigcode/bigcodebench", **asked)
    loader.load_dataset.side_effect = ValueError("Unknown split.\nMore advice.")
    with pytest.raises(InputError, match="Unknown split"):
        bigcodebench("bcb")


@pytest.mark.skipif(not DATA, reason="needs INSPECT_DEBATE_DATA")
def test_published_counts() -> None:
    source = f"{DATA}/bigcodebench_plus/problems.jsonl"
    data = bigcodebench(source=source, ungradable=True)
    assert (len(data), data.provenance["version"]) == (1136, "v1.0.2")
    assert data.provenance["verified"]
    assert {about(sample)["entry_point"] for sample in data} == {"task_func"}
    libs = Counter(lib for sample in data for lib in libraries(sample))
    assert (libs["pandas"], libs["numpy"], libs["nltk"]) == (424, 334, 26)
    numbers = {int(str(sample.id).removeprefix("bcbplus-")) for sample in data}
    assert {*range(1140)} - numbers == {354, 501, 814, 1040}
    default = bigcodebench(source=source)
    assert {*ids(data)} - {*ids(default)} == {f"bcbplus-{n}" for n in module.UNGRADABLE}
    assert (len(default), len(default.provenance["excluded"])) == (1124, 12)
    assert ids(default) != ids(bigcodebench(source=source, seed=1))
    data_science = [bool(module.SCIENTIFIC & libraries(s)) for s in default]
    share = sum(data_science) / 1124
    assert all(abs(sum(data_science[:n]) - n * share) <= 2 for n in range(1124))


def failed(sample: Sample, program: str) -> list[str]:
    space: dict[str, Any] = {"__name__": "graded"}
    exec(program, space)
    exec(about(sample)["test"], space)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(space["TestCases"]).run(result)
    return [test.id() for test, _ in result.failures + result.errors]


def test_solutions_of_the_sample_pass_and_others_fail() -> None:
    data = bigcodebench(source="sample")
    assert len(data) == 19
    for sample in data:
        assert failed(sample, f"{about(sample)['code_prompt']}    return None")
        assert not suspicions(str(sample.target), about(sample)["code_prompt"])
        # A test of this one contradicts the statement.
        broken = sample.id == "bcbs-loan-days"
        assert bool(failed(sample, str(sample.target))) == broken, sample.id
