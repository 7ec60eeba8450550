"""How far a modified passage is from the truth: its degree, and what it stands for."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from math import log

from inspect_debate.core.answer_text import unified
from inspect_debate.core.quantities import Quantity, items
from inspect_debate.datasets.clasheval_rows import Row

UNMODIFIED = "0"
"""The degree of a passage that is as it was."""

OFFSETS = {1: 20, 2: 40, 3: 60, 4: 100, 5: 200}
"""The years by which the year of a passage is shifted, by severity (SR-DCR)."""

_FACTORS = {
    **{"0.8": 1, "1.2": 1, "1.5": 2, "0.4": 3, "2": 3},
    **{"0.2": 4, "3": 4, "0.1": 5, "5": 5, "10": 5},
}
_WORDS = {"slight": 1, "significant": 3, "comical": 5}
_NUMBERED = {"1": "slight", "2": "significant", "3": "comical"}
_WORDED = ("names", "locations")
_CLOSE = log(1.15)

FACTORS = tuple(_FACTORS)
"""By what the numbers of drugs, records and news are multiplied."""


def severity(domain: str, degree: str) -> int | None:
    """From 1 (subtle) to 5 (blatant); None for a degree that is not known.

    Args:
        domain: Any but years, whose passages are made, at `OFFSETS`.
        degree: A factor (`0.8`), or `slight`, `significant`, `comical`.
    """
    return (_WORDS if domain in _WORDED else _FACTORS).get(degree)


def with_degrees(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Rows whose degrees say what was done, where the data only number them.

    The published data number the modifications of names and locations 1 to 3. Should
    they number those of another domain, then the factor is measured on the answers.

    Returns:
        The rows, and the domains whose factors were measured.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        found[row.domain].add(row.degree)
    numbered = {name for name, degrees in found.items() if _numbered(name, degrees)}
    told = [
        row._replace(degree=_named(row)) if row.domain in numbered else row
        for row in rows
    ]
    return told, sorted(numbered.difference(_WORDED))


def _numbered(domain: str, degrees: Collection[str]) -> bool:
    modified = {*degrees} - {UNMODIFIED}
    if domain == "years":
        return False
    if domain in _WORDED:
        return modified <= _NUMBERED.keys()
    # A stray degree beside all the factors is just that; rows with it are left out.
    return not (modified <= _FACTORS.keys() or modified >= _FACTORS.keys())


def _named(row: Row) -> str:
    if row.degree == UNMODIFIED:
        return row.degree
    return _NUMBERED[row.degree] if row.domain in _WORDED else _measured(row)


def _measured(row: Row) -> str:
    """The factor that is within 15 % of what the answer became, if there is one."""
    before, after = _value(row.answer), _value(row.says)
    if before and after:
        ratio = after / before
        closest = min(FACTORS, key=lambda factor: abs(log(ratio / float(factor))))
        if abs(log(ratio / float(closest))) <= _CLOSE:
            return closest
    return f"unclear ({row.degree})"


def _value(answer: str) -> float:
    """The one quantity of an answer, in the base of its unit; 0 if there is none."""
    found = [item for item in items(unified(answer)) if isinstance(item, Quantity)]
    if len(found) != 1:
        return 0.0
    value, unit = found[0].value, found[0].unit
    return abs(float(value * unit.factor if unit else value))
