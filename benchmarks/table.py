"""A row of the table that benchmarks print, and the table."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import NamedTuple

from tabulate import tabulate


class Row(NamedTuple):
    """What a benchmark measured.

    Attributes:
        measure: What was measured.
        value: Of our code.
        reference: Of what it is compared with, in the same unit.
        unit: Of both.
        against: What it is compared with.
        goal: What the ratio, or else the value, should be.
    """

    measure: str
    value: float
    reference: float | None
    unit: str
    against: str
    goal: str

    def cells(self) -> tuple[str, ...]:
        """The row in words and figures."""
        ratio = "" if self.reference is None else f"{self.value / self.reference:.2f}"
        return (
            self.measure,
            figure(self.value, self.unit),
            "" if self.reference is None else figure(self.reference, self.unit),
            self.against,
            ratio,
            self.goal,
        )


HEADS = ("measure", "value", "reference", "of", "ratio", "goal")


def figure(value: float, unit: str) -> str:
    """A number and its unit."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f} {unit}".strip()


def table(rows: Iterable[Row]) -> str:
    """The rows as a table in Markdown."""
    return tabulate(
        [row.cells() for row in rows], HEADS, tablefmt="github", disable_numparse=True
    )


def in_turn(repeats: int, *measured: Callable[[], float]) -> Sequence[float]:
    """The medians of several measurements, each repeated in turn with the others."""
    taken = [[measure() for measure in measured] for _ in range(repeats)]
    return [median(values) for values in zip(*taken, strict=True)]
