"""Errors in printed numbers, each with the arithmetic that shows it."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from textwrap import fill
from typing import NamedTuple


class Finding(NamedTuple):
    """What a check found.

    Attributes:
        lines: The arithmetic, with the numbers that it was done with; none where the
            printed numbers are right.
        places: The cells or rows that it is about.
    """

    lines: Sequence[str] = ()
    places: frozenset[Hashable] = frozenset()


class Fault(NamedTuple):
    """An error in what a study prints, or what leaves a printed number open.

    Attributes:
        study: The study.
        name: A key of the study's flags, which stand below the tables of reports, or a
            name beside them.
        said: What is wrong, in a sentence or two.
        check: Does the arithmetic, from the printed numbers or the data; returns None
            where released data are needed that are not at hand.
    """

    study: str
    name: str
    said: str
    check: Callable[[], Finding | None]

    @property
    def id(self) -> str:
        """What the fault is called where it is looked up."""
        return f"{self.study}-{self.name.replace('_', '-')}"


class Shown(NamedTuple):
    """A fault as text; `holds` is None where the check needs data."""

    text: str
    holds: bool | None


def shown(fault: Fault) -> Shown:
    """Do a fault's check, and say what it found."""
    finding = fault.check()
    if finding is None:
        lines: Sequence[str] = [_NEEDS_DATA]
    else:
        lines = finding.lines or [_NOT_FOUND]
    holds = None if finding is None else bool(finding.lines)
    return Shown("\n".join([fault.id, *_wrapped(fault.said, lines)]), holds)


def _wrapped(said: str, lines: Sequence[str]) -> Iterator[str]:
    yield fill(said, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    for line in lines:
        yield fill(line, _WIDTH, initial_indent="  - ", subsequent_indent="    ")


_WIDTH = 100
_NEEDS_DATA = "Released data are needed to show it: --data DIR, or INSPECT_DEBATE_DATA."
_NOT_FOUND = "Not found: by this check the printed numbers are right."
