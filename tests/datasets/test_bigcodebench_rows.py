"""The schema of records, and the errors that name what is wrong."""

import warnings
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets.bigcodebench import (
    TEXTS,
    Task,
    bigcodebench,
    read_record,
    read_task,
)
from inspect_debate.debate.errors import InputError
from tests.datasets.made_bigcodebench import flat, nested, write_jsonl


def read(value: object) -> Task:
    return read_task(read_record(value, "x.jsonl, line 3"))


def test_both_schemas_hold_the_same_task() -> None:
    assert read(flat(1)) == read(nested(1))
    assert read(flat(1)).tests == 2


@pytest.mark.parametrize(
    ("libs", "expected"),
    [
        (["csv", "json"], ("csv", "json")),
        ("['csv', 'json']", ("csv", "json")),
        ('["csv"]', ("csv",)),
        ([], ()),
        ("[]", ()),
    ],
)
def test_libs(libs: object, expected: tuple[str, ...]) -> None:
    assert read(nested(1, libs=libs)).libs == expected


@pytest.mark.parametrize(
    ("imports", "needs"),
    [
        ("", "standard"),
        ("import os.path, cgi\nfrom xml.etree import ElementTree", "standard"),
        ("import distutils.core", "standard"),
        ("import numpy as np", "common"),
        ("from mpl_toolkits.mplot3d import Axes3D\nimport json", "common"),
        ("import numpy\nimport scipy.stats", "other"),
        ("def f():\n    from bs4 import BeautifulSoup", "other"),
        ("from . import numpy", "standard"),
    ],
)
def test_needs(imports: str, needs: str) -> None:
    value = flat(0, test=f"{imports}\n{flat(0)['test']}")
    assert read(value).needs == needs


TEST = flat(1)["test"]
WHERE = r"^x\.jsonl, line 3 \(BigCodeBench/1\)"
SCHEMA: dict[str, tuple[Any, str]] = {
    "a list": ([], r"^x\.jsonl, line 3 holds no task: it is no JSON object"),
    "null": (None, "holds no task"),
    "no id": (flat(1) | {"task_id": None}, "has task_id=None; allowed are a name"),
    "a number": (flat(1) | {"task_id": 1}, "has task_id=1; allowed are a name"),
    "a path": (flat(1) | {"task_id": "../a/b"}, "has task_id='../a/b'"),
    "spaces": (flat(1) | {"task_id": "a b"}, "has task_id='a b'"),
    "no content": (nested(1) | {"content": "x"}, f"{WHERE} has a content that is no"),
    "status": (nested(1, "done"), f"{WHERE} has status='done'; allowed: active, excl"),
    "no status": (nested(1) | {"status": ["x"]}, r"has status=\['x'\]; allowed: act"),
    "libs": (flat(1, libs=None), f"{WHERE} has libs=None; allowed is a list of names"),
    "libs in words": (flat(1, libs="csv, json"), "has libs='csv, json'; allowed is a"),
    "libs of numbers": (flat(1, libs=[1]), r"has libs=\[1\]; allowed is a list"),
    "libs as a number": (flat(1, libs="1"), "has libs='1'; allowed is a list"),
    "libs as code": (flat(1, libs="exit()"), r"has libs='exit\(\)'; allowed is a"),
    "no solution": (
        flat(1, canonical_solution="return +"),
        f"{WHERE}: its canonical solution is no Python",
    ),
    "a head of its own": (
        flat(1, code_prompt="x = [", canonical_solution="]\ndef task_func(): pass"),
        f"{WHERE}: its code_prompt with a body is no Python",
    ),
    "another name": (
        flat(1, entry_point="solve"),
        f"{WHERE}: its canonical solution does not define solve",
    ),
    "only within": (
        flat(1, code_prompt="class A:\n  def task_func():"),
        "does not define task_func",
    ),
    "NUL": (flat(1, canonical_solution="    return '\0'"), "is no Python"),
    "too deep": (flat(1, canonical_solution="    return " + "(" * 9999), "no Python"),
    "tests": (flat(1, test="class"), f"{WHERE}: .* its tests are no Python"),
    "no tests": (
        flat(1, test="class TestCases: pass"),
        f"{WHERE}: .* no class TestCases with a test",
    ),
    "other tests": (
        flat(1, test=TEST.replace("TestCases", "Tests")),
        f"{WHERE}: .* no class TestCases with a test",
    ),
}


@pytest.mark.parametrize(("value", "said"), SCHEMA.values(), ids=SCHEMA)
def test_what_is_no_task(value: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(value)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("value", [None, "", " \n", 5, ["x"]])
def test_texts_that_are_missing(name: str, value: Any) -> None:
    said = f"{WHERE} cannot be graded: it needs {name}, a text .*status=excluded"
    with pytest.raises(InputError, match=said):
        read(nested(1, **{name: value}))


def test_an_error_names_file_and_line(tmp_path: Path) -> None:
    path = write_jsonl([flat(0), flat(1, canonical_solution="")], tmp_path)
    said = r"^tasks\.jsonl, line 2 \(BigCodeBench/1\) cannot be graded"
    for dataset in ("bcb_plus", "bcb"):
        with pytest.raises(InputError, match=said):
            bigcodebench(dataset, source=path)


def test_odd_escapes_are_not_warned_of() -> None:
    body = "    return '\\d'"
    value = flat(1, canonical_solution=body, test=f"ESCAPE = '\\s'\n{TEST}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(value).solution.endswith(body)
