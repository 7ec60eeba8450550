"""Grades that are stored in a folder, and the list of tasks that may be graded."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import GradeStatus
from inspect_debate.grading.code import CodeProblem
from inspect_debate.grading.eligible import (
    Checked,
    checklist_of,
    head_line,
    read_checklist,
)
from inspect_debate.grading.grade import Graded, Status
from inspect_debate.grading.stored import stored

PROBLEM = CodeProblem(
    id="one",
    code_prompt="def f():",
    test="class TestCases: ...",
    entry_point="f",
    tests=("test_one", "test_two"),
)
ANSWER = "def f():\n    return 1"
GRADED = Graded("fail", tests=2, passed=1, seconds=0.5, note="1 of 2: \ud800 ü")
ANOTHER = replace(GRADED, status="pass", passed=2, note="")

Grade = Callable[[], Awaitable[Graded]]


def saying(graded: Graded) -> Grade:
    async def grade() -> Graded:
        return graded

    return grade


async def never() -> Graded:
    raise AssertionError("it was graded again")


def stored_in(
    folder: Path | None,
    grade: Grade,
    problem: CodeProblem = PROBLEM,
    answer: str = ANSWER,
    seconds: int = 9,
) -> tuple[Graded, bool]:
    return asyncio.run(stored(folder, problem, answer, seconds, grade))


def test_a_grade_is_found_again(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    assert stored_in(folder, saying(GRADED)) == (GRADED, False)
    assert stored_in(folder, never) == (GRADED, True)
    renamed = replace(PROBLEM, id="of another data set")
    assert stored_in(folder, never, renamed) == (GRADED, True)


OTHERS = [
    (PROBLEM, f"{ANSWER}\n", 9),
    (PROBLEM, ANSWER, 10),
    (replace(PROBLEM, test="class TestCases: pass"), ANSWER, 9),
    (replace(PROBLEM, code_prompt="import os\ndef f():"), ANSWER, 9),
]


@pytest.mark.parametrize(("problem", "answer", "seconds"), OTHERS)
def test_what_decides_about_a_grade_has_grades_of_its_own(
    problem: CodeProblem, answer: str, seconds: int, tmp_path: Path
) -> None:
    stored_in(tmp_path, saying(GRADED))
    found = stored_in(tmp_path, saying(ANOTHER), problem, answer, seconds)
    assert found == (ANOTHER, False)
    assert stored_in(tmp_path, never) == (GRADED, True)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("status", ["pass", "fail", "timeout", "error"])
def test_what_is_known_is_stored(status: Status, tmp_path: Path) -> None:
    graded, known = replace(GRADED, status=status), status != "error"
    assert stored_in(tmp_path, saying(graded)) == (graded, False)
    found = stored_in(tmp_path, saying(ANOTHER))
    assert found == ((graded, True) if known else (ANOTHER, False))
    assert stored_in(None, saying(ANOTHER)) == (ANOTHER, False)


BROKEN = {
    "empty": b"",
    "cut off": b'{"status": "pass", "tests": 2, "pas',
    "no text": b"\xff\xfe\x00",
    "a list": b'["pass", 2, 2, 0.5, ""]',
    "a word": b'"pass"',
    "one missing": b'{"status": "pass", "tests": 2, "passed": 2, "note": ""}',
    "no such status": json.dumps(vars(ANOTHER) | {"status": "perfect"}).encode(),
    "no number": json.dumps(vars(ANOTHER) | {"tests": "all"}).encode(),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_read_is_graded_anew(content: bytes, tmp_path: Path) -> None:
    stored_in(tmp_path, saying(GRADED))
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert stored_in(tmp_path, saying(ANOTHER)) == (ANOTHER, False)
    assert stored_in(tmp_path, never) == (ANOTHER, True)


def test_several_that_write_at_once_leave_one_whole_grade(tmp_path: Path) -> None:
    async def all_at_once() -> list[tuple[Graded, bool]]:
        together = asyncio.Barrier(8)

        async def grade() -> Graded:
            await together.wait()
            return GRADED

        writers = (stored(tmp_path, PROBLEM, ANSWER, 9, grade) for _ in range(8))
        return await asyncio.gather(*writers)

    assert asyncio.run(all_at_once()) == [(GRADED, False)] * 8
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_bytes()) == vars(GRADED)


def test_a_reader_never_sees_half_a_grade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever dies while writing leaves nothing that is read."""

    class Died(BaseException):
        """Unlike KeyboardInterrupt, an event loop hands it to who awaits the task."""

    def die(self: Path, *content: object, **how: object) -> None:
        self.touch()
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", die)
        with pytest.raises(Died):
            stored_in(tmp_path, saying(GRADED))
    assert stored_in(tmp_path, saying(ANOTHER)) == (ANOTHER, False)


def test_a_grade_that_cannot_be_stored_is_good(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    with caplog.at_level(logging.WARNING):
        found = stored_in(tmp_path / "file" / "grades", saying(GRADED))
    assert found == (GRADED, False)
    assert "could not be stored" in caplog.text


DATA = {"dataset": "bcb_plus", "version": "v1.0.2", "sha256": "abc"}
GRADER = {"sandbox": "bubblewrap"}


def written(folder: Path, *checked: tuple[str, GradeStatus], end: str = "") -> str:
    lines = [head_line(DATA, GRADER)]
    lines += [Checked(task=t, status=s).model_dump_json() for t, s in checked]
    path = folder / "eligible.jsonl"
    path.write_text("\n".join(lines) + "\n" + end)
    return str(path)


def test_tasks_that_passed_are_eligible(tmp_path: Path) -> None:
    """The last line of a task counts; one that was cut off is a task not done."""
    checked: list[tuple[str, GradeStatus]] = [("a", "timeout"), ("b", "fail")]
    checked += [("c", "error"), ("d", "pass"), ("a", "pass")]
    cut = '{"task": "e", "status": "pass"}'
    found = read_checklist(written(tmp_path, *checked, end=cut))
    assert found.eligible == {"a", "d"}
    assert found.grader == GRADER


def test_the_checksum_is_that_of_the_eligible_in_any_order(tmp_path: Path) -> None:
    one = read_checklist(written(tmp_path, ("a", "pass"), ("b", "pass"), ("c", "fail")))
    other = read_checklist(written(tmp_path, ("b", "pass"), ("a", "pass")))
    fewer = read_checklist(written(tmp_path, ("a", "pass"), ("b", "fail")))
    assert one.sha256 == other.sha256 != fewer.sha256


def test_a_list_of_other_tasks_or_another_grader_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, ("a", "pass"))
    assert checklist_of(path, DATA, GRADER).eligible == {"a"}
    for name in DATA:
        with pytest.raises(InputError, match=f"their {name} is"):
            checklist_of(path, {**DATA, name: "other"}, GRADER)
    with pytest.raises(InputError, match="another grader: its python is None"):
        checklist_of(path, DATA, {**GRADER, "python": "3.11.7"})
    with pytest.raises(InputError, match="of 1 checked tasks none is eligible"):
        checklist_of(written(tmp_path, ("a", "fail")), DATA, GRADER)


@pytest.mark.parametrize(
    "content", ["", "\n", "[]\n", "{}\n", '{"data": {}}\n', "x\n", '"\udc00"\n']
)
def test_another_kind_of_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "eligible.jsonl"
    path.write_text(content, errors="surrogatepass")
    with pytest.raises(InputError, match=r"bcb-eligible|cannot read"):
        read_checklist(str(path))
    with pytest.raises(InputError, match="cannot read"):
        read_checklist(str(tmp_path / "none.jsonl"))
