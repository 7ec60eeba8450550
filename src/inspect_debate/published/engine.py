"""The rules that printed cells should follow, and the checks of inconsistencies.

A rule of cells gives for a cell what is known of it; a check of an inconsistency gives
the arithmetic that shows it. Both are looked up by the names in a paper's file; those
of one paper alone are in the Python file of that paper.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from inspect_debate.published.expressions import evaluate, filled_in
from inspect_debate.published.realmistake import Detectors, read_detectors
from inspect_debate.published.shares import (
    Pool,
    common_numbers,
    fewer_items,
    items_behind,
    pool_text,
    pools_of_mean,
    pools_of_share,
    share_text,
)
from inspect_debate.published.tables import (
    CellRule,
    Inconsistency,
    Paper,
    Pattern,
    PrintedCell,
)

if TYPE_CHECKING:
    from inspect_debate.published.confidence import Released
    from inspect_debate.published.human_debate import People

How = Literal[
    "data", "cells", "convention", "differs", "impossible", "open", "needs data"
]
"""What is known of a printed cell; `audit.MEANINGS` says what each is."""

OTHER_CELLS = "other printed cells"
"""Why a cell cannot be that others contradict."""


class Known(NamedTuple):
    """A rule's result for a cell.

    Attributes:
        how: What is known of it.
        ours: Our value; empty where there is none.
        why: What the other convention is, or why it is not reproduced.
        line: The arithmetic, where the cell does not follow the rule.
    """

    how: How
    ours: str = ""
    why: str = ""
    line: str = ""


class Finding(NamedTuple):
    """What a check found.

    Attributes:
        lines: The arithmetic, with the numbers that it was done with; none where the
            printed numbers are right.
        cells: The cells that it is about, where the check looks for them itself.
    """

    lines: Sequence[str] = ()
    cells: Sequence[PrintedCell] = ()


class Data:
    """What was released with the papers, each read when it is first asked for.

    Args:
        folder: The folder of released data; None without one.
        debates: Reads the confidence study's released debates; None where they are
            not at hand.
        people: The same of the debates of people.
    """

    def __init__(
        self,
        folder: Path | None = None,
        debates: "Callable[[], Released] | None" = None,
        people: "Callable[[], People] | None" = None,
    ) -> None:
        self._folder, self._debates, self._people = folder, debates, people

    @cached_property
    def detectors(self) -> Detectors | None:
        """The labels of ReaLMistake's detectors, and what is published of them."""
        return None if self._folder is None else read_detectors(self._folder)

    @cached_property
    def released(self) -> "Released | None":
        """The confidence study's released debates."""
        return None if self._debates is None else self._debates()

    @cached_property
    def people(self) -> "People | None":
        """What the released debates of people give."""
        return None if self._people is None else self._people()


NO_DATA = Data()


@dataclass(frozen=True)
class Audit:
    """A paper, and the data that its numbers are compared with."""

    paper: Paper
    data: Data = NO_DATA
    _known: dict[PrintedCell, Known | None] = field(default_factory=dict)

    def rule(self, cell: PrintedCell) -> CellRule | None:
        """The rule that a cell should follow; None where there is none."""
        for one in self.paper.rules:
            if Pattern.of(one.cells).match(cell) is not None:
                return one
        return None

    def known(self, cell: PrintedCell) -> Known | None:
        """The result of a cell's rule; None without a rule, or without its data."""
        if cell not in self._known:
            rule = self.rule(cell)
            found = rule and CELL_RULES[rule.rule](self, cell, **rule.arguments)
            self._known[cell] = found or None
        return self._known[cell]

    def others(self, cell: PrintedCell, of: str | Sequence[str]) -> list[PrintedCell]:
        """The cells that the rule of a cell names: the same row is `=`, and so on.

        Args:
            cell: The cell.
            of: Patterns; `=` is the table, or what the `*` of the rule's own pattern
                matches in the row and the column.
        """
        rule = self.rule(cell)
        patterns = [of] if isinstance(of, str) else of
        return named_by(self.paper, cell, rule.cells if rule else "", patterns)

    def check(self, entry: Inconsistency) -> Finding | None:
        """Do an inconsistency's arithmetic; None where that needs released data."""
        if entry.rule in CELL_RULES:
            return _of_cells(self, entry)
        check = CHECKS.get(entry.rule or "expression")
        if check is None:
            raise ValueError(f"{entry.id}: there is no rule {entry.rule!r}")
        return check(self, entry, **entry.arguments)


def named_by(
    paper: Paper, cell: PrintedCell, pattern: str, others: Sequence[str]
) -> list[PrintedCell]:
    """The cells of patterns in which `=` is what another pattern matches in a cell."""
    matched = Pattern.of(pattern).match(cell)
    if matched is None:
        raise ValueError(f"{cell.place} is not one of {pattern}")
    return paper.found([Pattern.of(one).named(cell, matched) for one in others])


Rule = Callable[..., Known | None]
Check = Callable[..., Finding | None]

CELL_RULES: dict[str, Rule] = {}
"""Rules of cells by name; those of one paper are added by `audit`."""

CHECKS: dict[str, Check] = {}
"""Checks of inconsistencies by name; those of one paper are added by `audit`."""


# Rules of cells.


def mean(
    audit: Audit,
    cell: PrintedCell,
    of: Sequence[str],
    within: str,
    or_of_all_items: str = "",
) -> Known | None:
    """A cell that is the mean of others.

    Args:
        audit: The paper.
        cell: The cell.
        of: The others.
        within: How far rounding may take it from their mean.
        or_of_all_items: Whether it may be the share of all items behind the others
            instead, which then is another convention.
    """
    parts = [audit.others(cell, one) for one in of]
    if not all(parts):
        return None
    values = [one.value for part in parts for one in part]
    exact = sum(values) / len(values)
    ours = f"{exact:.2f}"
    if abs(cell.value - exact) <= float(within):
        return Known("cells", ours)
    line = f"{cell.place}: printed {cell.value:.2f}; the mean of the printed cells is "
    if not or_of_all_items:
        return Known("impossible", ours, cell.note or OTHER_CELLS, f"{line}{ours}.")
    pool = pooled(audit, cell)
    how: How = "convention" if pool else "impossible"
    result = pool_text(pool, cell.value, cell.decimals)
    return Known(
        "open" if pool and pool.supposed else how,
        ours,
        f"not the mean of the printed cells; {result}",
        f"{line}{ours}; {result}.",
    )


def share(audit: Audit, cell: PrintedCell, n: str) -> Known | None:
    """A cell that is a share of n items, in percent."""
    printed, items, digits = cell.value, int(n), cell.decimals
    if items_behind(printed, items, digits) is not None:
        return None
    near = round(printed * items / 100)
    beside = ", ".join(
        f"{k}/{n} is {100 * k / items:.2f}" for k in (near - 1, near, near + 1)
    )
    fewer = fewer_items(printed, items, digits)
    result = share_text(*fewer, printed, digits) if fewer else "no fewer items give it"
    line = f"{cell.place}: printed {printed}; {beside}; {result}."
    if fewer is None:
        return Known("impossible", "", f"no number of up to {n} items gives it", line)
    ours = "/".join(map(str, fewer))
    return Known("convention", ours, f"of fewer than {n} items", line)


def pooled(audit: Audit, cell: PrintedCell) -> Pool | None:
    """An average as the share of all items behind the printed cells.

    Cells are shares of the stated items or of a tenth fewer at most, rounded or cut
    off, and so is the average. A cell that is none is any share of the stated items.

    Returns:
        The pool of the most items; None where none is printed so.
    """
    return max(_pools(audit, cell), key=lambda pool: pool.items, default=None)


def _pools(audit: Audit, cell: PrintedCell) -> list[Pool]:
    rule = audit.rule(cell)
    found = {} if rule is None else rule.arguments
    if "n" in found:
        return pools_of_share(cell.value, int(found["n"]), cell.decimals)
    parts = [_pools(audit, one) for one in audit.others(cell, found["of"])]
    return pools_of_mean(cell.value, cell.decimals, parts)


def total(audit: Audit, cell: PrintedCell, of: str) -> Known:
    """A cell that is the sum of others, to two decimals."""
    return _follows(cell, f"{sum(one.value for one in audit.others(cell, of)):.2f}")


def repeats(audit: Audit, cell: PrintedCell, of: str, until: str) -> Known | None:
    """A cell that is printed elsewhere, too, up to one of the signs `until`."""
    others = audit.others(cell, of)
    if not others:
        return None
    ends = [at for sign in until if (at := others[0].plain.find(sign)) >= 0]
    return _follows(cell, others[0].plain[: min(ends, default=None)])


def starred(audit: Audit, cell: PrintedCell, of: str) -> Known:
    """A cell that counts how many others have a star: `7/10`."""
    others = audit.others(cell, of)
    return _follows(cell, f"{sum('*' in one.plain for one in others)}/{len(others)}")


def _follows(cell: PrintedCell, text: str) -> Known:
    if text == cell.plain:
        return Known("cells", text)
    return Known("impossible", text, OTHER_CELLS, f"{cell.place}: {text} follows.")


def expression(
    audit: Audit,
    cell: PrintedCell,
    numbers: Mapping[str, Any],
    equals: str,
    within: str,
) -> Known:
    """A cell that an expression of others gives.

    Args:
        audit: The paper.
        cell: The cell.
        numbers: The others by the names that they have in the expression.
        equals: The expression.
        within: How far rounding may take the cell from it.
    """
    exact = evaluate(equals, numbers_of(audit.paper, numbers))
    how: How = "cells" if abs(exact - cell.value) <= float(within) else "impossible"
    ours, of = f"{exact:.3g}", ", ".join(numbers.values())
    return Known(how, ours, f"from {of}", "" if how == "cells" else f"{equals}: {ours}")


CELL_RULES |= {
    "mean": mean,
    "share": share,
    "sum": total,
    "repeats": repeats,
    "starred": starred,
    "expression of others": expression,
}


# Checks of inconsistencies.


def _of_cells(audit: Audit, entry: Inconsistency) -> Finding:
    """The cells of an inconsistency that do not follow their own rule."""
    cells = audit.paper.found(entry.where)
    found = {cell: known.line for cell in cells if (known := audit.known(cell))}
    wrong = {cell: line for cell, line in found.items() if line}
    return Finding(list(dict.fromkeys(wrong.values())), list(wrong))


def numbers_of(paper: Paper, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The values of names: printed cells, numbers, texts, or a table of these.

    A pattern of one cell gives its first number, or with `# 2` at its end its second;
    one of several cells their numbers, a tuple for each of several rows and columns.
    """
    return {name: _number(paper, value) for name, value in numbers.items()}


def _number(paper: Paper, value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_literal(k): _number(paper, inner) for k, inner in value.items()}
    text, _, which = str(value).partition(" # ")
    if " / " not in text and paper.cell("text", text, "value") is None:
        return _literal(text)
    cells = paper.matching(text)
    if not cells:
        raise ValueError(f"{text!r} names no printed cell")
    if len(cells) == 1:
        numbers = cells[0].numbers
        return numbers[int(which or 1) - 1]
    rows: dict[str, list[float]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell.value)
    if len(rows) == 1 or all(len(of) == 1 for of in rows.values()):
        return [value for of in rows.values() for value in of]
    return [tuple(of) for of in rows.values()]


def _literal(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def by_expression(audit: Audit, entry: Inconsistency) -> Finding:
    """An inconsistency that expressions show: `right_if` and `shown`."""
    if entry.code and not entry.shown:
        return _paper_and_code(entry)
    names = numbers_of(audit.paper, entry.numbers)
    for name, text in entry.let.items():
        names[name] = evaluate(text, names)
    if entry.right_if and evaluate(entry.right_if, names):
        return Finding()
    cells = audit.paper.found(entry.where)
    return Finding([filled_in(line, names) for line in entry.shown], cells)


def _paper_and_code(entry: Inconsistency) -> Finding:
    """Released code that does otherwise than the text says."""
    if entry.paper == entry.code:
        return Finding()
    paper, code = f"Paper: {entry.paper}.", f"Code ({entry.code_at}): {entry.code}."
    return Finding([paper, code])


def beside(audit: Audit, entry: Inconsistency, cells: str, of: str) -> Finding:
    """Cells that are not as they should be beside others.

    The names of the entry's `right_if` and `shown` are the `cell`, what the star of
    the pattern matches (`match`), the `column`, and the numbers `ours` and `other`.
    """
    found, lines = [], []
    for cell in audit.paper.matching(cells):
        matched = Pattern.of(cells).match(cell)
        for other in named_by(audit.paper, cell, cells, [of]):
            names = {
                "cell": cell.place,
                "match": matched.row if matched else "",
                "column": cell.column,
                "ours": cell.value,
                "other": other.value,
            }
            if not evaluate(entry.right_if, names):
                lines.append(filled_in(entry.shown[0], names))
                found.append(cell)
    return Finding(lines, found)


def best(audit: Audit, entry: Inconsistency, row: str, among: str) -> Finding:
    """Columns in which other rows than `row` are best.

    The names of the entry's `shown` are the `column`, the `better` rows with their
    numbers, and the number of `row`, `own`.
    """
    lines, found = [], []
    columns: dict[str, list[PrintedCell]] = {}
    for cell in audit.paper.matching(among):
        columns.setdefault(cell.column, []).append(cell)
    for column, cells in columns.items():
        (own,) = [cell for cell in cells if cell.row == row]
        better = [cell for cell in cells if cell.value > own.value]
        if better:
            result = ", ".join(
                f"{one.row.partition(' ')[2]} {one.value:.2f}" for one in better
            )
            names = {"column": column, "better": result, "own": own.value}
            line = filled_in(entry.shown[0], names)
            lines.append(line[0].upper() + line[1:])
            found.append(own)
    return Finding(lines, found)


def one_number_of_items(
    audit: Audit,
    entry: Inconsistency,
    items: str,
    not_items: str,
    fewest: str,
) -> Finding:
    """Percentages that are shares of `items`, but not of `not_items`."""
    cells = audit.paper.found(entry.where)
    values, n = [cell.value for cell in cells], int(items)
    fitting = common_numbers(values, range(int(fewest), n + 1), 1)
    if n not in fitting or int(not_items) in fitting:
        return Finding()
    exact = [100 * (items_behind(value, n, 1) or 0) / n for value in values]
    printed, shares = (", ".join(f"{v:g}" for v in of) for of in (values, exact))
    return Finding(
        [
            f"{printed} are {shares} of {n} tasks, rounded; rounded or cut off, "
            f"{len(fitting)} of the numbers from {fewest} to {n} give them all."
        ],
        cells,
    )


CHECKS |= {
    "expression": by_expression,
    "beside": beside,
    "best": best,
    "one number of items": one_number_of_items,
}
