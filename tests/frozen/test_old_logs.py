"""Logs from before the move are read, scored, continued and used again as they were.

What is seen of them comes from `old_logs_seen.py`, in a process of its own.
"""

import json
import zipfile
from functools import cache
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from tests.frozen.comparing import assert_same
from tests.frozen.mapping import EXPECTED, load
from tests.frozen.old_logs import CUT, LOGS, RUNS, apart

pytestmark = pytest.mark.slow

PARTS = tuple(
    sorted(p.stem.removeprefix("old_logs_") for p in EXPECTED.glob("old_logs_*.json"))
)
WANTED: dict[str, dict[str, Any]] = {
    part: load(f"old_logs_{part}.json") for part in PARTS
}
CASES = [(part, case) for part in PARTS for case in WANTED[part]]
# Whether a new run reaches a second of working time depends on how busy the machine is,
# so only that it keeps every sample is compared.
BY_THE_CLOCK = {("retry", "limit debate_working")}
# Begun by versions with other parameters or scores: a retry is refused, and an eval set
# runs all samples again.
OLDER = {f"{task}_cut" for task in ("colmad", "confidence", "debate")} | {
    *("generative_cut", "srdcr_cut", "colmad_tokens")
}


@cache
def all_seen() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(apart("old_logs_seen", *PARTS))
    return found


def seen(part: str) -> dict[str, Any]:
    return all_seen()[part]


@pytest.mark.parametrize(("part", "case"), CASES)
def test_as_it_was(part: str, case: str) -> None:
    found = seen(part)[case]
    assert "crashed" not in found, found["crashed"]
    wanted = WANTED[part][case]
    if part == "retry" and case.removeprefix("retry ") in OLDER:
        went_on = found["samples"]
        errors = [str(sample["error"]) for sample in went_on["samples"].values()]
        refused = any("begun by version" in error for error in errors)
        assert refused or went_on["status"] == "error"
        assert found["calls"] == {}
        return
    if part == "retry" and case.startswith("set "):
        assert found["samples"]["status"] == "success"
        found, wanted = (sorted(of["samples"]["samples"]) for of in (found, wanted))
    if (part, case) in BY_THE_CLOCK:
        found, wanted = (sorted(of["samples"]["samples"]) for of in (found, wanted))
    assert_same(found, wanted)


@pytest.mark.parametrize("part", PARTS)
def test_no_case_is_new_or_gone(part: str) -> None:
    assert set(seen(part)) == set(WANTED[part])


@pytest.mark.parametrize("name", sorted(RUNS))
def test_scoring_again_gives_the_values_in_the_log(name: str) -> None:
    scores = seen("scores")
    assert_same(scores[f"{name} overwrite"], scores[f"{name} logged"])


@pytest.mark.parametrize("name", sorted({*CUT} - OLDER))
def test_a_run_that_went_on_is_as_one_that_was_not_cut_off(name: str) -> None:
    whole = seen("scores")[f"{name.removesuffix('_cut')} logged"]["samples"]
    went_on = seen("retry")[f"retry {name}"]["samples"]
    assert went_on["status"] == "success"
    assert_same(_uncached(went_on["samples"]), _uncached(whole))


def _uncached(values: dict[str, Any]) -> dict[str, Any]:
    without: dict[str, Any] = json.loads(json.dumps(values))
    for sample in without.values():
        sample["scores"].get("debate_process", {}).pop("cached_tokens", None)
    return without


@pytest.mark.parametrize("name", sorted(path.stem for path in LOGS.glob("*.eval")))
def test_logs_tell_nothing_of_the_machine(name: str) -> None:
    path = LOGS / f"{name}.eval"
    log = read_eval_log(str(path), header_only=True)
    assert log.eval.revision is None
    assert log.eval.sandbox is None
    with zipfile.ZipFile(path) as parts:
        for part in parts.namelist():
            text = parts.read(part)
            for private in (b"/root", b"/home/", b"/tmp/", b"github.com", b"Users"):
                assert private not in text, (part, private)
