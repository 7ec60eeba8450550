"""Programming tasks whose own solutions were graded, as a file with a line for each.

The first line names the data and the grader. A task is eligible if its own solution
passed.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.paths import reason_of, user_path
from inspect_debate.v1.debate.record import Frozen, GradeStatus, GradeWay


class Checked(Frozen):
    """A task whose own solution was graded.

    Attributes:
        task: Its sample's id.
        status: How that ended; the task is eligible if it is `pass`.
        seconds: How long it took.
        note: Why it did not pass, or a remark.
        way: In which way it passes: with the solution in another process than its tests
            (`by_value`), or in theirs (`in_process`).
    """

    task: str
    status: GradeStatus
    seconds: float = 0.0
    note: str = ""
    way: GradeWay = ""


class Checklist(Frozen):
    """The content of such a file.

    Attributes:
        data: `dataset`, `version` and `sha256` of the tasks.
        grader: What else decides about a grade, such as sandbox and interpreter.
        checked: The tasks by their samples' ids.
    """

    data: dict[str, Any]
    grader: dict[str, Any]
    checked: dict[str, Checked]

    @property
    def eligible(self) -> set[str]:
        """The ids of the eligible tasks' samples."""
        return {id for id, one in self.checked.items() if one.status == "pass"}

    @property
    def sha256(self) -> str:
        """The checksum of the list of eligible tasks."""
        return hashlib.sha256("\n".join(sorted(self.eligible)).encode()).hexdigest()


def read_checklist(typed: str, parameter: str = "eligible") -> Checklist:
    """A file of tasks whose own solutions were graded.

    A last line that was cut off is left out: its task was not finished. Where a task
    was graded again, the last line counts.

    Args:
        typed: The path as the user typed it.
        parameter: What names it, for errors.

    Raises:
        InputError: If there is no such file, or it is another kind of file.
    """
    path = user_path(typed)
    try:
        *whole, _ = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(
            f"{parameter}={typed}: cannot read {path}: {reason_of(error)}."
        ) from error
    try:
        head = json.loads(whole[0])
        checked = [Checked.model_validate_json(line) for line in whole[1:]]
        return Checklist(**head, checked={one.task: one for one in checked})
    except (IndexError, ValueError, TypeError, ValidationError) as error:
        raise InputError(
            f"{parameter}={typed} is no list of checked tasks; `inspect-debate "
            "bcb-eligible` writes one."
        ) from error


def checklist_of(
    typed: str, data: Mapping[str, Any], grader: Mapping[str, Any]
) -> Checklist:
    """The list that a user gave for some tasks.

    Args:
        typed: The path as the user typed it.
        data: The `dataset`, `version` and `sha256` of the tasks.
        grader: What decides about a grade here; the list's has to be the same.

    Raises:
        InputError: If it is of other tasks or another grader, or no task is eligible.
    """
    found = read_checklist(typed)
    for name, value in data.items():
        if found.data.get(name) != value:
            raise InputError(
                f"eligible={typed} is for other tasks: their {name} is "
                f"{found.data.get(name)!r}, and here it is {value!r}."
            )
    for name, value in grader.items():
        if found.grader.get(name) != value:
            raise InputError(
                f"eligible={typed} was made by another grader: its {name} is "
                f"{found.grader.get(name)!r}, and here it is {value!r}. Give the same "
                "interpreter, sandbox and config.grading, or make a list for these."
            )
    if not found.eligible:
        raise InputError(
            f"eligible={typed}: of {len(found.checked)} checked tasks none is "
            "eligible; the file has the reasons."
        )
    return found
