"""What every protocol asks of models, and what it leaves in its samples, is as it was.

Of each run: every request (messages, metadata for simulated models, settings, tools,
cache policy), how many replies it had to wait for, the record, and the scores.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.frozen.comparing import assert_same, differences
from tests.frozen.mapping import load
from tests.frozen.recorder import hashed, packed, unpacked
from tests.frozen.requests_cases import BOXED, GROUPS, file_name

CASES = [
    pytest.param(
        group,
        name,
        marks=[pytest.mark.skipif(group == "code" and not BOXED, reason="no bwrap")],
    )
    for group, cases in GROUPS.items()
    for name in cases
]


@cache
def expected(group: str) -> Any:
    return load(file_name(group))


@pytest.mark.slow
@pytest.mark.parametrize(("group", "name"), CASES)
def test_requests_and_records_are_as_they_were(
    group: str, name: str, tmp_path: Path
) -> None:
    kept = expected(group)
    found = json.loads(json.dumps(GROUPS[group][name].kept(tmp_path)))
    wanted = unpacked(kept["cases"][name], kept["texts"])
    if GROUPS[group][name].simulated:
        wanted = hashed(wanted)
    assert_same(found, wanted)


@pytest.mark.parametrize("group", GROUPS)
def test_every_run_that_is_kept_is_compared(group: str) -> None:
    assert set(expected(group)["cases"]) == set(GROUPS[group])


def test_what_is_packed_is_unpacked_again() -> None:
    texts: dict[str, str] = {}
    value = {"a": ["x" * 100, 1, None], "b": {"c": "short", "d": "x" * 100}}
    assert unpacked(packed(value, texts), texts) == value
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("found", "difference"),
    [
        ({"a": [1, "x"], "b": 0.5 + 1e-12}, None),
        ({"a": [1, "y"], "b": 0.5}, "/a/1: 'y' instead of 'x'"),
        ({"a": [1], "b": 0.5}, "/a: 1 instead of 2"),
        ({"a": [1, "x"], "b": 0.5 + 1e-6}, "/b: 0.500001 instead of 0.5"),
        ({"a": [1, "x"], "b": "0.5"}, "/b: '0.5' instead of 0.5"),
        ({"a": [1, "x"]}, ": gone ['b'], new []"),
        ({"a": [True, "x"], "b": 0.5}, "/a/0: True instead of 1"),
    ],
)
def test_a_difference_is_found(found: Any, difference: str | None) -> None:
    assert next(differences(found, {"a": [1, "x"], "b": 0.5}), None) == difference


def test_cells_are_compared_as_numbers() -> None:
    assert [*differences(["1.0", "x"], ["1", "y"], cells=True)] == [
        "/1: 'x' instead of 'y'"
    ]
    assert [*differences("1.0", "1")] == [": '1.0' instead of '1'"]
