"""The layouts in which models write grids."""

import json
from collections.abc import Callable, Sequence

from inspect_debate.v1.grading.grids import Grid, grid_text

Layout = Callable[[Sequence[Grid]], str]


def _rows(separator: str, before: str = "", after: str = "") -> Callable[[Grid], str]:
    return lambda grid: "\n".join(
        before + separator.join(map(str, row)) + after for row in grid
    )


def _labelled(grids: Sequence[Grid], one: Callable[[Grid], str]) -> str:
    return "\n\n".join(
        f"Test output {number}:\n{one(grid)}" for number, grid in enumerate(grids, 1)
    )


def _fenced(one: Callable[[Grid], str], mark: str = "```") -> Layout:
    return lambda grids: _labelled(grids, lambda grid: f"{mark}\n{one(grid)}\n{mark}")


def _bare(one: Callable[[Grid], str]) -> Layout:
    return lambda grids: _labelled(grids, one) + "\n\nThat is all."


def _in_json(shape: Callable[[list[Grid]], object], indent: int | None) -> Layout:
    return lambda grids: (
        f"So:\n```json\n{json.dumps(shape(list(grids)), indent=indent)}\n```\nDone."
    )


def _table(grid: Grid) -> str:
    rule = "+---" * len(grid[0]) + "+"
    rows = (f"| {' | '.join(map(str, row))} |" for row in grid)
    return f"\n{rule}\n".join(["", *rows, ""]).strip()


def _strings(grids: Sequence[Grid]) -> object:
    return {"outputs": [["".join(map(str, row)) for row in grid] for grid in grids]}


LAYOUTS: dict[str, Layout] = {
    "fences": _fenced(grid_text),
    "tilde fences": _fenced(grid_text, "~~~~"),
    "fences, no spaces": _fenced(_rows("")),
    "fences, commas": _fenced(_rows(", ")),
    "fences, rows in brackets": _fenced(_rows(", ", "[", "],")),
    "one fence, blank lines": lambda grids: (
        "```\n" + "\n\n".join(map(grid_text, grids)) + "\n```"
    ),
    "one fence, labels": lambda grids: f"```grids\n{_labelled(grids, grid_text)}\n```",
    "bare": _bare(grid_text),
    "bare, tabs": _bare(_rows("\t")),
    "bare, pipes": _bare(_rows("|", "|", "|")),
    "bare, numpy": _bare(lambda grid: str([[*row] for row in grid]).replace(",", "")),
    "bold": _bare(_rows(" ", "**", "**")),
    "quoted": _bare(_rows(" ", "> ")),
    "boxes": _bare(_table),
    "Windows": lambda grids: _fenced(grid_text)(grids).replace("\n", "\r\n"),
    "JSON": _in_json(lambda grids: grids, None),
    "JSON, a line each": _in_json(lambda grids: grids, 2),
    "JSON outputs": _in_json(lambda grids: {"note": "[1]", "outputs": grids}, None),
    "JSON, an output each": _in_json(
        lambda grids: [{"output": grid, "input": [[9, 9]]} for grid in grids], 1
    ),
    "JSON, a key each": _in_json(
        lambda grids: {f"test_output_{n}": grid for n, grid in enumerate(grids)}, None
    ),
    "cells in quotes": _in_json(
        lambda grids: [[[str(c) for c in row] for row in grid] for grid in grids], None
    ),
    "Python": lambda grids: f"answer = {{'outputs': {[*map(_lists, grids)]}}}",
}
STRINGS: Layout = _in_json(_strings, 1)
"""Rows as strings: of grids with more than one column."""


def _lists(grid: Grid) -> list[list[int]]:
    return [list(row) for row in grid]
