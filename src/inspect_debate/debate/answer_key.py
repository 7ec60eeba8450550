"""What is true, for the simulated models alone; nothing else may import this."""

from typing import NamedTuple

_TRUTH: dict[str, str] = {}
_PASSAGES: dict[str, "Passage"] = {}
_SOLUTIONS: dict[str, "Solution"] = {}


class Passage(NamedTuple):
    """What is true of a question that is asked about a passage.

    Attributes:
        answer: The right answer.
        says: The answer that the passage gives.
        severity: How far the passage is from the truth, 1 to 5; 0 where it is right.
        others: Wrong answers of the same kind.
    """

    answer: str
    says: str
    severity: int
    others: tuple[str, ...] = ()


def register(fingerprint: str, truth: str) -> None:
    """Remember the right answer to a question; loaders call this."""
    _TRUTH[fingerprint] = truth


def truth(fingerprint: str) -> str | None:
    """The right answer to a question, or None if no loader registered it."""
    return _TRUTH.get(fingerprint)


def register_passage(fingerprint: str, passage: Passage) -> None:
    """Remember what is true of a question about a passage; loaders call this."""
    _PASSAGES[fingerprint] = passage


def passage(fingerprint: str) -> Passage | None:
    """What is true of a question about a passage, or None if none was registered."""
    return _PASSAGES.get(fingerprint)


class Solution(NamedTuple):
    """What is true of a task that is solved.

    Attributes:
        right: A right solution.
        wrong: Wrong ones of the same form.
    """

    right: str
    wrong: tuple[str, ...]


def register_solution(fingerprint: str, solution: Solution) -> None:
    """Remember a task's solution; loaders call this."""
    _SOLUTIONS[fingerprint] = solution


def solution(fingerprint: str) -> Solution | None:
    """What is true of a task that is solved, or None if none was registered."""
    return _SOLUTIONS.get(fingerprint)
