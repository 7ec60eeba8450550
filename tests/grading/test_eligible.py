"""The list of tasks whose own solutions were graded."""

from pathlib import Path

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import GradeStatus
from inspect_debate.grading.eligible import (
    Checked,
    checklist_of,
    head_line,
    read_checklist,
)

DATA = {"dataset": "bcb_plus", "version": "v1.0.2", "sha256": "abc"}
GRADER = {"sandbox": "bubblewrap"}


def written(folder: Path, *checked: tuple[str, GradeStatus], end: str = "") -> str:
    lines = [head_line(DATA, GRADER)]
    lines += [Checked(task=t, status=s).model_dump_json() for t, s in checked]
    path = folder / "eligible.jsonl"
    path.write_text("\n".join(lines) + "\n" + end)
    return str(path)


def test_tasks_that_passed_are_eligible(tmp_path: Path) -> None:
    path = written(
        tmp_path, ("a", "pass"), ("b", "fail"), ("c", "error"), ("d", "pass")
    )
    found = read_checklist(path)
    assert found.eligible == {"a", "d"}
    assert found.grader == GRADER


def test_a_task_graded_again_counts_as_it_ended_last(tmp_path: Path) -> None:
    path = written(tmp_path, ("a", "timeout"), ("b", "pass"), ("a", "pass"))
    assert read_checklist(path).eligible == {"a", "b"}


def test_a_line_that_was_cut_off_is_a_task_not_done(tmp_path: Path) -> None:
    path = written(tmp_path, ("a", "pass"), end='{"task": "b", "status": "pass"}')
    assert read_checklist(path).eligible == {"a"}


def test_the_checksum_is_that_of_the_eligible_in_any_order(tmp_path: Path) -> None:
    one = read_checklist(written(tmp_path, ("a", "pass"), ("b", "pass"), ("c", "fail")))
    other = read_checklist(written(tmp_path, ("b", "pass"), ("a", "pass")))
    fewer = read_checklist(written(tmp_path, ("a", "pass"), ("b", "fail")))
    assert one.sha256 == other.sha256 != fewer.sha256


@pytest.mark.parametrize("name", list(DATA))
def test_a_list_of_other_tasks_is_refused(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, ("a", "pass"))
    assert checklist_of(path, DATA, GRADER).eligible == {"a"}
    with pytest.raises(InputError, match=f"their {name} is"):
        checklist_of(path, {**DATA, name: "other"}, GRADER)


def test_a_list_of_another_grader_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, ("a", "pass"))
    with pytest.raises(InputError, match="another grader: its python is None"):
        checklist_of(path, DATA, {**GRADER, "python": "3.11.7"})


def test_a_list_without_an_eligible_task_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="of 1 checked tasks none is eligible"):
        checklist_of(written(tmp_path, ("a", "fail")), DATA, GRADER)


@pytest.mark.parametrize(
    "content", ["", "\n", "[]\n", "{}\n", '{"data": {}}\n', "x\n", '"\udc00"\n']
)
def test_another_kind_of_file_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "eligible.jsonl"
    path.write_text(content, errors="surrogatepass")
    with pytest.raises(InputError, match=r"bcb-eligible|cannot read"):
        read_checklist(str(path))


def test_a_list_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_checklist(str(tmp_path / "none.jsonl"))
