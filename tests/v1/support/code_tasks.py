"""Programming tasks of a test's own, whose every secret line carries a mark."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from inspect_debate.v1.datasets.bigcodebench import bigcodebench
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.record import DebateRecord
from tests.v1.support.generative import reply_to
from tests.v1.support.models import Script

HEAD = "def task_func(n):"
SECRET = "SECRET"
"""Stands in every line of tests and of the canonical solution's body."""


def adding(number: int, more: int | None = None) -> dict[str, Any]:
    """A task as a record: return `n` and `number` more.

    Args:
        number: Names the task, and what is to be added.
        more: What its tests want to be added instead.
    """
    more = number if more is None else more
    tests = [
        "import unittest",
        "class TestCases(unittest.TestCase):",
        *(
            "    def test_zero(self):",
            f"        self.assertEqual(task_func(0), {more})",
        ),
        "    def test_ten(self):",
        f"        self.assertEqual(task_func(10), {10 + more})",
    ]
    return {
        "task_id": f"BigCodeBench/{number}",
        "complete_prompt": f'{HEAD}\n    """Return n and {number} more."""\n',
        "code_prompt": f"{HEAD}\n",
        "canonical_solution": f"    return n + {number}  # {SECRET}-solution\n",
        "test": "".join(f"{line}  # {SECRET}-test\n" for line in tests),
        "entry_point": "task_func",
        "libs": "[]",
    }


def right(number: int) -> str:
    """A right answer, in other words than the canonical solution."""
    return f"{HEAD}\n    return {number} + n"


def wrong(number: int) -> str:
    """An answer that is right about 0 alone."""
    return f"{HEAD}\n    return {number} - n"


ENDLESS = f"{HEAD}\n    while True:\n        pass"


def written(folder: Path, *records: dict[str, Any]) -> str:
    """A file of tasks, as the path for `source`."""
    path = folder / "tasks.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return str(path)


def loaded(folder: Path, *records: dict[str, Any]) -> list[Sample]:
    """Tasks as the loader makes them, in the order of their ids."""
    found = bigcodebench("bcb_plus", None, written(folder, *records), 0)
    return sorted(found.dataset, key=lambda sample: str(sample.id))


def answering(*programs: str) -> Script:
    """The first proposer answers the first program, the second the last.

    The judge's own answer is the last, too. Everything else is as `said` says it.
    """
    by = {"debater_a": programs[0]}

    def script(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        if description.format != "solution":
            return reply_to(description)
        return f"So:\n\n```python\n{by.get(description.participant, programs[-1])}\n```"

    return script


def statuses(records: Iterable[DebateRecord]) -> list[list[str]]:
    """How the gradings of each record ended, in the order of its answers."""
    return [[grade.status for grade in record.grades] for record in records]
