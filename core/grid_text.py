"""Grids of colours, and the one way in which the suite writes them as text."""

from collections.abc import Iterable, Sequence

Grid = tuple[tuple[int, ...], ...]
"""Rows of equal length, from top to bottom; a cell is a colour, 0 to 9 (ARC-AGI)."""

LARGEST = 30
"""A grid has 1 to 30 rows and 1 to 30 columns."""

_COLOURS = {str(colour): colour for colour in range(10)}


def grid_of(rows: Iterable[Sequence[int]]) -> Grid | None:
    """The grid that some rows make; None if they make none.

    They make none if they are ragged, too few or too many, or hold something that is no
    whole number from 0 to 9.
    """
    grid = tuple(tuple(row) for row in rows)
    widths = {len(row) for row in grid}
    if not 1 <= len(grid) <= LARGEST or len(widths) != 1:
        return None
    if not 1 <= widths.pop() <= LARGEST:
        return None
    cells = (cell for row in grid for cell in row)
    return grid if all(type(cell) is int and 0 <= cell <= 9 for cell in cells) else None


def grid_text(grid: Grid) -> str:
    """A grid as text: a row on each line, its digits separated by one space."""
    return "\n".join(" ".join(map(str, row)) for row in grid)


def grids_text(grids: Iterable[Grid]) -> str:
    """Grids as text, in the canonical form: a blank line between two of them."""
    return "\n\n".join(map(grid_text, grids))


def parse_grids_text(text: str) -> list[Grid]:
    """The grids of a canonical text.

    Raises:
        ValueError: If it is not what `grids_text` writes of one grid or more.
    """
    read = []
    for part in text.split("\n\n"):
        cells = (line.split(" ") for line in part.split("\n"))
        grid = grid_of([_COLOURS.get(cell, -1) for cell in row] for row in cells)
        if grid is None:
            raise ValueError(f"{text[:80]!r} is no canonical text of grids")
        read.append(grid)
    return read


def parts_right(answer: str, target: str) -> int:
    """How many grids of an answer equal the target's grid at the same place.

    Args:
        answer: Canonical text of grids.
        target: Canonical text of the right ones, as many or not.

    Returns:
        A number from 0 to that of the target's grids; equal grids have the same shape.

    Raises:
        ValueError: If either text is not canonical.
    """
    pairs = zip(parse_grids_text(answer), parse_grids_text(target), strict=False)
    return sum(given == right for given, right in pairs)
