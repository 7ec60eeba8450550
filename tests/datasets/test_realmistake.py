import importlib
import json
import os
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets import realmistake as module
from inspect_debate.datasets.realmistake import (
    FILES,
    FOLDERS,
    SIZES,
    Cell,
    realmistake,
    record_to_sample,
    sample_id,
)
from inspect_debate.debate.errors import InputError

DATA = os.environ.get("INSPECT_DEBATE_DATA")
released = pytest.mark.skipif(not DATA, reason="needs INSPECT_DEBATE_DATA")
MODELS = {"gpt4": "gpt-4-0613", "llama2": "meta-llama/Llama-2-70b-chat-hf"}
SMALL = {cell: (5, 3) for cell in SIZES}


FIRST = Cell("math", "gpt4")


def record(cell: Cell = FIRST, number: int = 1) -> dict[str, Any]:
    task = "math_problem_generation" if cell.subset == "math" else FOLDERS[cell.subset]
    wrong = number <= 3
    return {
        "input": f"Task {number} of {cell.subset}.",
        "llm_response": f"  Response {number} of {cell.author}. ",
        "error_label": "error" if wrong else "no_error",
        "human_explanation": "It is wrong." if wrong else "",
        "error_categories": ["Reasoning Correctness"] if wrong else [],
        "metadata": {
            "id": f"{task}_{number}_{MODELS[cell.author]}",
            "task_name": task,
            "task_source": "here",
            "llm_response_model": MODELS[cell.author],
            "dataset": "realmistake",
            "difficulty": "easy",
        },
    }


def records(cell: Cell) -> list[dict[str, Any]]:
    return [record(cell, number) for number in range(1, 6)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An unpacked archive of five items a cell."""
    monkeypatch.setattr(module, "SIZES", SMALL)
    for cell in SMALL:
        path = tmp_path / "data" / FOLDERS[cell.subset] / FILES[cell.author]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(one)}\n" for one in records(cell)))
    return tmp_path


def about(sample: Sample) -> dict[str, Any]:
    assert sample.metadata is not None
    return sample.metadata


def contents(dataset: Any) -> list[tuple[Any, ...]]:
    return [(one.id, one.input, one.target, about(one)) for one in dataset]


# --- Records --------------------------------------------------------------------------


def test_a_record_becomes_a_sample() -> None:
    sample = record_to_sample(record(Cell("math", "llama2")))
    assert sample.id == "math_llama2_1"
    assert sample.target == "error"
    assert {k: v for k, v in about(sample).items() if k != "input_group"} == {
        "task": "Task 1 of math.",
        "response": "  Response 1 of llama2. ",  # nothing is stripped
        "subset": "math",
        "response_author": "llama2",
        "categories": ["Reasoning Correctness"],
        "explanation": "It is wrong.",
        "difficulty": "easy",
    }
    shown = str(sample.input)
    assert "Task 1 of math." in shown
    assert "  Response 1 of llama2. " in shown
    assert "error" not in shown
    assert "It is wrong." not in shown


def test_the_label_is_what_the_record_says() -> None:
    given = record()
    given["error_categories"], given["human_explanation"] = [], ""
    assert record_to_sample(given).target == "error"
    given["label"] = given.pop("error_label")
    assert record_to_sample(given).target == "error"
    given |= {"label": "error", "error_label": "no_error"}
    assert record_to_sample(given).target == "no_error"


def test_responses_to_one_task_share_a_group() -> None:
    groups = [
        about(record_to_sample(record(cell, number)))["input_group"]
        for cell in (Cell("math", "gpt4"), Cell("math", "llama2"))
        for number in (1, 2)
    ]
    assert groups[:2] == groups[2:]
    assert groups[0] != groups[1]


def test_ids() -> None:
    task = "finegrained_fact_verification"
    for author, model in MODELS.items():
        found = sample_id(f"{task}_wice_test7_{model}", task, model)
        assert found == f"fact_{author}_wice_test7"


def without(key: str) -> Callable[[Any], Any]:
    return lambda r: {k: v for k, v in r.items() if k != key}


MALFORMED: dict[str, tuple[Callable[[Any], object], str]] = {
    "not an object": (lambda r: ["secret"], "the record"),
    "no label": (without("error_label"), "label"),
    "no response": (without("llm_response"), "llm_response"),
    "no metadata": (without("metadata"), "metadata"),
    "empty input": (lambda r: r | {"input": ""}, "input"),
    "unknown label": (lambda r: r | {"error_label": "secret"}, "label"),
    "label as a number": (lambda r: r | {"error_label": 1}, "label"),
    "response as a list": (lambda r: r | {"llm_response": ["secret"]}, "llm_response"),
    "unknown task": (
        lambda r: r | {"metadata": r["metadata"] | {"task_name": "secret"}},
        "metadata.task_name",
    ),
    "unknown model": (
        lambda r: r | {"metadata": r["metadata"] | {"llm_response_model": "secret"}},
        "metadata.llm_response_model",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_record_is_named_and_not_quoted(name: str) -> None:
    change, key = MALFORMED[name]
    with pytest.raises(InputError) as caught:
        record_to_sample(change(record()), "file.jsonl, line 7")
    assert "file.jsonl, line 7" in caught.value.message
    assert key in caught.value.message
    assert "secret" not in caught.value.message


# --- Sources --------------------------------------------------------------------------


def test_every_form_of_the_archive_gives_the_same(folder: Path) -> None:
    archive = folder / "data.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (folder / "data").rglob("*.jsonl"):
            packed.write(path, path.relative_to(folder))
    expected = contents(realmistake(str(folder), response_author="both"))
    assert len(expected) == 30
    for source in (folder / "data", archive):
        assert contents(realmistake(str(source), response_author="both")) == expected
    one = folder / "data" / FOLDERS["fact"] / FILES["llama2"]
    found = contents(realmistake(str(one), response_author="llama2"))
    assert sorted(found) == sorted(c for c in expected if c[0].startswith("fact_llama"))


@pytest.mark.parametrize(
    ("subset", "author", "expected"),
    [("all", "gpt4", 15), ("math", "llama2", 5), ("fact", "both", 10)],
)
def test_parts(folder: Path, subset: str, author: str, expected: int) -> None:
    found = realmistake(str(folder), subset, author)
    assert len(found) == expected
    for sample in found:
        assert subset in ("all", about(sample)["subset"])
        assert author in ("both", about(sample)["response_author"])


def first_file(folder: Path) -> Path:
    return folder / "data" / FOLDERS["math"] / FILES["gpt4"]


def lines_of(folder: Path) -> list[str]:
    return first_file(folder).read_text().splitlines(keepends=True)


FAULTS: dict[str, Callable[[list[str]], list[str]]] = {
    "one missing": lambda lines: lines[1:],
    "one twice": lambda lines: [*lines, lines[0]],
    "another label": lambda lines: [lines[0].replace('"error"', '"no_error"'), *lines],
    "not JSON": lambda lines: ["{", *lines],
    "empty": lambda lines: [],
}


@pytest.mark.parametrize("name", FAULTS)
def test_data_that_are_not_realmistake_are_refused(name: str, folder: Path) -> None:
    first_file(folder).write_text("".join(FAULTS[name](lines_of(folder))))
    with pytest.raises(InputError):
        realmistake(str(folder))


def test_a_missing_file(folder: Path) -> None:
    first_file(folder).unlink()
    with pytest.raises(InputError):
        realmistake(str(folder))
    assert len(realmistake(str(folder), "fact")) == 5  # not needed here


@pytest.mark.parametrize(
    "given",
    [
        {"source": "publishd"},
        {"subset": "maths"},
        {"response_author": "gpt-4"},
        {"source": "sample", "response_author": "llama2"},
        {"source": __file__},
    ],
)
def test_arguments_that_are_refused(given: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"source": "sample"} | given
    with pytest.raises(InputError):
        realmistake(**arguments)


def test_hugging_face(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = importlib.import_module("datasets")
    asked = []

    def load_dataset(path: str, revision: str, **how: str) -> list[dict[str, Any]]:
        asked.append((path, how))
        short = next(k for k, v in FOLDERS.items() if v == how["name"])
        rows = records(Cell(short, how["split"]))
        return [*rows, json.loads(json.dumps(rows[2]))]  # an example of the paper

    monkeypatch.setattr(hub, "load_dataset", load_dataset)
    monkeypatch.setattr("huggingface_hub.HfApi", Mock())
    found = contents(realmistake("huggingface"))
    assert found == contents(realmistake(str(folder)))
    assert asked == [
        ("ryokamoi/realmistake", {"name": folder, "split": "gpt4"})
        for folder in FOLDERS.values()
    ]


@pytest.mark.parametrize("kind", [ConnectionError, ValueError, RuntimeError, KeyError])
def test_hugging_face_out_of_reach(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise kind("Gated.\nAsk.")

    monkeypatch.setattr(importlib.import_module("datasets"), "load_dataset", fail)
    monkeypatch.setattr("huggingface_hub.HfApi", Mock())
    with pytest.raises(InputError) as caught:
        realmistake("huggingface")
    assert "Gated" in caught.value.message
    assert "\n" not in caught.value.message


def test_nothing_slow_is_imported() -> None:
    code = (
        "import sys, inspect_ai.solver, inspect_ai.dataset; before = set(sys.modules);"
        "import inspect_debate.datasets.realmistake;"
        "print(*{m.split('.')[0] for m in set(sys.modules) - before})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"datasets", "pandas", "httpx", "platformdirs"} & set(
        done.stdout.split()
    )


# --- Order ----------------------------------------------------------------------------


def check_prefixes(samples: list[Sample], bound: float) -> None:
    def margins(sample: Sample) -> list[tuple[str, ...]]:
        a, label = about(sample), str(sample.target)
        subset, author = a["subset"], a["response_author"]
        pairs = [(subset, author), (subset, label), (author, label)]
        return [(subset,), (author,), (label,), *pairs, (subset, author, label)]

    whole = Counter(m for sample in samples for m in margins(sample))
    so_far = Counter[tuple[str, ...]]()
    for place, sample in enumerate(samples, start=1):
        so_far.update(margins(sample))
        for margin, count in whole.items():
            share = place * count / len(samples)
            assert abs(so_far[margin] - share) <= bound, (place, margin)


@pytest.mark.parametrize("seed", range(5))
def test_every_prefix_of_the_sample_is_balanced(seed: int) -> None:
    check_prefixes(list(realmistake("sample", seed=seed)), 1.0)


def test_the_seed_alone_decides_the_order(folder: Path) -> None:
    before = contents(realmistake(str(folder), seed=3))
    lines = lines_of(folder)
    first_file(folder).write_text("".join(reversed(lines)))
    assert contents(realmistake(str(folder), seed=3)) == before
    other = contents(realmistake(str(folder), seed=4))
    assert other != before
    assert sorted(other) == sorted(before)


# --- The sample -----------------------------------------------------------------------


def test_the_sample() -> None:
    samples = list(realmistake("sample", response_author="both"))
    assert Counter((about(s)["subset"], s.target) for s in samples) == {
        (subset, label): count
        for subset in FOLDERS
        for label, count in (("error", 5), ("no_error", 3))
    }
    for sample in samples:
        wrong = sample.target == "error"
        assert bool(about(sample)["explanation"]) == wrong
        assert bool(about(sample)["categories"]) == wrong
    assert len({about(s)["input_group"] for s in samples}) == len(samples) == 24


# --- The released data ----------------------------------------------------------------


def archive() -> str:
    return str(Path(DATA or "") / "realmistake" / "data.zip")


# Table 4 of the paper: items, and the mean number of words of task and response. The
# error shares are those of the released data.
TABLE_4 = {
    Cell("math", "gpt4"): (140, 0.6214, 252, 151),
    Cell("fact", "gpt4"): (140, 0.6286, 523, 83),
    Cell("answerability", "gpt4"): (140, 0.6214, 119, 75),
    Cell("math", "llama2"): (160, 0.8000, 235, 163),
    Cell("fact", "llama2"): (160, 0.8063, 511, 168),
    Cell("answerability", "llama2"): (160, 0.8125, 119, 96),
}


@released
@pytest.mark.parametrize("cell", TABLE_4)
def test_released_cells(cell: Cell) -> None:
    samples = list(realmistake(archive(), cell.subset, cell.author))
    shares = [sum(s.target == "error" for s in samples) / len(samples)]
    words = [
        round(sum(len(about(s)[key].split()) for s in samples) / len(samples))
        for key in ("task", "response")
    ]
    assert (len(samples), round(shares[0], 4), *words) == TABLE_4[cell]


@released
def test_released_data_as_a_whole() -> None:
    samples = list(realmistake(archive(), response_author="both"))
    assert len({s.id for s in samples}) == len(samples) == 900
    groups = [about(s)["input_group"] for s in samples]
    assert set(Counter(groups).values()) == {1, 2}
    gpt4 = [about(s)["input_group"] for s in samples if "_gpt4_" in str(s.id)]
    assert sum(groups.count(group) == 2 for group in gpt4) == 420
    # Label and categories disagree in six records; the label is kept.
    assert (
        sum((s.target == "error") != bool(about(s)["categories"]) for s in samples) == 6
    )
    spaces = Counter(
        about(s)["response_author"]
        for s in samples
        if about(s)["response"] != about(s)["response"].strip()
    )
    assert spaces == {"llama2": 145 + 140 + 90}


@released
@pytest.mark.parametrize(("author", "bound"), [("gpt4", 1.0), ("both", 1.5)])
def test_every_prefix_of_the_released_data_is_balanced(
    author: str, bound: float
) -> None:
    for seed in (0, 1):
        found = realmistake(archive(), response_author=author, seed=seed)
        check_prefixes(list(found), bound)


@released
def test_the_published_archive_is_fetched(
    server: Any, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.body = Path(archive()).read_bytes()
    monkeypatch.setattr(module, "URL", server.url)
    assert contents(realmistake()) == contents(realmistake(archive()))
    stored = [path for path in cache.rglob("*") if path.is_file()]
    assert [path.name for path in stored] == ["data.zip"]
    assert zipfile.ZipFile(stored[0]).infolist()[1].flag_bits & 1  # still encrypted
