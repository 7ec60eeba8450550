"""A list of eligible tasks holds for every format alike, and stands in the log."""

import hashlib
import logging
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import generative, load
from inspect_debate.grading.eligible import Checked
from inspect_debate.grading.grade import Status
from tests.support.code_runs import BROKEN, SHIPPED, TASKS, listed
from tests.support.generative import PROTOCOLS

IDS = [str(sample.id) for sample in load("bcb_plus", None, None, "sample", 0).dataset]
RESULTS: dict[str, Status] = {id: "fail" if id == BROKEN else "pass" for id in IDS}
EXCLUDED: dict[str, Status] = {IDS[1]: "fail", IDS[4]: "timeout", IDS[9]: "error"}


def asked(eligible: str, **other: Any) -> Task:
    return generative(**SHIPPED | {"sandbox": "bubblewrap"} | other, eligible=eligible)


def data_of(task: Task) -> dict[str, Any]:
    assert task.metadata is not None
    found: dict[str, Any] = task.metadata["data"]
    return found


def ids_of(task: Task) -> list[str]:
    return [str(sample.id) for sample in task.dataset]


def test_every_format_has_the_same_tasks(tmp_path: Path) -> None:
    path = listed(tmp_path / "list.jsonl", RESULTS | EXCLUDED)
    wanted = [id for id in IDS if id not in {BROKEN, *EXCLUDED}]
    assert len(wanted) >= TASKS - 4
    for protocol in PROTOCOLS:
        assert ids_of(asked(path, protocol=protocol)) == wanted


def test_the_list_decides_about_no_order(tmp_path: Path) -> None:
    backwards = dict(reversed(RESULTS.items()))
    path = listed(tmp_path / "list.jsonl", backwards)
    for seed in (0, 7):
        everything = ids_of(generative(**SHIPPED, sandbox="bubblewrap", seed=seed))
        wanted = [id for id in everything if id != BROKEN]
        assert ids_of(asked(path, seed=seed)) == wanted


def test_the_log_tells_which_list_it_was(tmp_path: Path) -> None:
    told = data_of(asked(listed(tmp_path / "list.jsonl", RESULTS)))
    lines = "\n".join(sorted(id for id in IDS if id != BROKEN))
    wanted = {
        "eligible": "list.jsonl",
        "eligible_sha256": hashlib.sha256(lines.encode()).hexdigest(),
        "ineligible": 1,
        "unchecked_left_out": 0,
        "tasks": TASKS,
    }
    assert told == told | wanted
    assert "unchecked" not in told


def test_the_same_tasks_are_the_same_list(tmp_path: Path) -> None:
    """However they were graded, and whatever else was."""
    sums = set()
    for number, results in enumerate(
        [RESULTS, dict(reversed(RESULTS.items())), RESULTS | {BROKEN: "timeout"}]
    ):
        told = data_of(asked(listed(tmp_path / f"{number}.jsonl", results)))
        sums.add(told["eligible_sha256"])
    assert len(sums) == 1
    fewer = listed(tmp_path / "fewer.jsonl", RESULTS | EXCLUDED)
    assert data_of(asked(fewer))["eligible_sha256"] not in sums


@pytest.mark.parametrize("cut", [b"", b'{"task": "bcbs-sh', b'{"note": "\xc3'])
def test_tasks_that_are_not_on_the_list_are_left_out(
    cut: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    some = {id: RESULTS[id] for id in IDS[:6]}
    path = Path(listed(tmp_path / "list.jsonl", some))
    path.write_bytes(path.read_bytes() + cut)
    with caplog.at_level(logging.WARNING):
        task = asked(str(path))
    assert ids_of(task) == [id for id in IDS[:6] if id != BROKEN]
    assert (
        f"{TASKS - 6} of {TASKS} tasks are not on it, and are left out" in caplog.text
    )
    told = data_of(task)
    assert told["unchecked_left_out"] == TASKS - 6
    assert told["ineligible"] == (BROKEN in IDS[:6])


def test_of_a_task_that_was_graded_again_the_last_line_counts(tmp_path: Path) -> None:
    path = Path(listed(tmp_path / "list.jsonl", RESULTS))
    again = (Checked(task=BROKEN, status="pass"), Checked(task=IDS[3], status="fail"))
    with path.open("a") as file:
        file.writelines(one.model_dump_json() + "\n" for one in again)
    assert ids_of(asked(str(path))) == [id for id in IDS if id != IDS[3]]


def test_a_whole_list_needs_no_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        asked(listed(tmp_path / "list.jsonl", RESULTS))
    assert not caplog.records


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"dataset": "bcb"}, "their dataset is 'bcb', and here it is 'bcb_plus'"),
        ({"version": "v1.0.2"}, "their version is 'v1.0.2', and here it is 'sample'"),
        ({"sha256": "0" * 64}, "their sha256 is"),
    ],
)
def test_a_list_of_other_tasks_is_refused(
    other: dict[str, str], told: str, tmp_path: Path
) -> None:
    path = listed(tmp_path / "list.jsonl", RESULTS, **other)
    with pytest.raises(InputError) as caught:
        asked(path)
    assert f"eligible={path} is for other tasks: {told}" in str(caught.value)


def test_a_list_without_an_eligible_task_is_refused(tmp_path: Path) -> None:
    path = listed(tmp_path / "list.jsonl", dict.fromkeys(IDS, "error"))
    with pytest.raises(InputError, match=f"of {TASKS} checked tasks none is eligible"):
        asked(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"bcbs-night-shifts\n",
        b"\x89PNG\r\n\x1a\n\0\n",
        b'{"data": {}, "grader": {}, "more": 1}\n',
        b'{"data": {}, "grader": {}}\n{"task": "a", "status": "good"}\n',
        b'{"data": {}, "grader": {}}\n{"task": "a"}\n',
        b'["data"]\n',
    ],
)
def test_what_is_no_list_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is no list of checked tasks"):
        asked(str(path))
