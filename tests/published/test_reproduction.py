"""Printed cells, counted by how far they are reproduced."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.published.audit import (
    MEANINGS,
    Checked,
    cells_text,
    checked,
    counts_text,
    write_cells,
)
from inspect_debate.published.tables import STUDIES
from tests.support.released import data, needs_data

Counts = dict[tuple[str, str], dict[str, int]]


def _srdcr(*counts: int) -> dict[str, int]:
    hows = ("cells", "convention", "impossible", "open")
    return dict(zip(hows, counts, strict=True))


ALWAYS: Counts = {
    ("colmad", "Table 1"): {"cells": 60, "impossible": 62, "open": 126},
    ("colmad", "Table 2"): {"cells": 32, "convention": 2, "impossible": 10, "open": 84},
    ("srdcr", "Table 1"): _srdcr(81, 3, 1, 41),
    ("srdcr", "Table 2"): _srdcr(41, 12, 3, 202),
    ("generative", "Text"): {"cells": 4, "impossible": 1, "open": 35},
    ("confidence", "Table 6"): {"cells": 1, "open": 30},
    ("confidence", "Table 14"): {"open": 66},
    ("confidence", "Table 15"): {"open": 66},
    ("confidence", "Table 16"): {"open": 66},
    ("confidence", "Appendix O"): {"open": 21},
    ("confidence", "Human baseline"): {"open": 1},
}
"""What printed numbers say of each other, with data and without."""

WITH_DATA: Counts = {
    ("colmad", "ReaLMistake, by prompt"): {"data": 2112},
    ("colmad", "ReaLMistake, averages"): {"data": 1024},
    **{
        ("confidence", f"Table {n}"): {"data": size}
        for n, size in (
            *((2, 44), (3, 30), (4, 30), (5, 33), (8, 66), (9, 66), (10, 66)),
            *((11, 66), (12, 66), (13, 12), (19, 32)),
        )
    },
    # The two models that are free: their cost is 0 on any debates.
    ("confidence", "Table 6"): {"data": 2, "cells": 1, "open": 28},
    ("confidence", "Table 7"): {"data": 239, "convention": 1},
    ("confidence", "Table 17"): {"data": 34, "convention": 2},
    ("confidence", "Table 18"): {"data": 22, "convention": 2},
    ("confidence", "Abstract"): {"data": 7},
    ("confidence", "Introduction"): {"convention": 1},
    ("confidence", "Section 4.1"): {"data": 12},
    ("confidence", "Section 4.2"): {"data": 1},
    ("confidence", "Section 4.3"): {"data": 2, "convention": 1},
    ("confidence", "Section 4.4"): {"data": 2},
    ("confidence", "Section 5.3"): {"convention": 1},
    ("confidence", "Appendix D"): {"data": 12, "convention": 1},
    ("confidence", "Appendix J"): {"data": 3},
    ("human_debate", "Table 1"): {"data": 30, "differs": 2},
    **{("human_debate", f"Figure {n}"): {"data": 4} for n in (3, 4, 5)},
    ("human_debate", "Table 3"): {"data": 17, "differs": 6},
    ("human_debate", "Text"): {"data": 11, "cells": 2, "differs": 3},
}
"""What the released data say."""

REPEATED = {
    ("confidence", "Table 3"): 30,
    ("confidence", "Table 7"): 40,
    ("confidence", "Table 13"): 12,
    ("human_debate", "Text"): 2,
}
"""Cells that follow from other printed cells."""


def counted(cells: list[Checked]) -> Counts:
    found: dict[tuple[str, str], Counter[str]] = {}
    for cell in cells:
        found.setdefault((cell.study, cell.table), Counter())[cell.how] += 1
    return {place: dict(counts) for place, counts in found.items()}


@pytest.fixture(scope="module")
def here() -> list[Checked]:
    return checked(data())


@pytest.fixture(scope="module")
def without() -> list[Checked]:
    """Without released data."""
    return checked()


@needs_data
def test_the_counts_of_every_table(here: list[Checked]) -> None:
    assert counted(here) == ALWAYS | WITH_DATA


@needs_data
def test_what_is_not_as_printed_says_why(here: list[Checked]) -> None:
    for cell in here:
        assert cell.why or cell.how in ("data", "cells"), cell
    apart = {
        cell.cell: (cell.printed, cell.ours) for cell in here if cell.how in _APART
    }
    assert apart["opposition_win_pct"] == ("71.7", "63.3")
    assert apart["both_gt50 overall"] == ("61.7", "87.5")
    assert apart["both_ge75 cross_model"] == ("61.7", "71.7")
    assert apart["open_to_closing self"] == ("10.7", "11.1")


def test_without_data_printed_numbers_are_compared_with_each_other(
    without: list[Checked],
) -> None:
    counts_of = counted(without)
    assert {place: counts_of[place] for place in ALWAYS} == ALWAYS
    for place in WITH_DATA.keys() - ALWAYS.keys():
        counts = WITH_DATA[place]
        repeated = REPEATED.get(place, 0)
        lacking = sum(counts.values()) - repeated
        expected = {"cells": repeated, "needs data": lacking}
        assert counts_of[place] == {how: n for how, n in expected.items() if n}


def test_every_printed_cell_is_counted_once(without: list[Checked]) -> None:
    cells = without
    assert len({cell[:3] for cell in cells}) == len(cells)
    sizes = Counter(c.study for c in cells if not c.table.startswith("ReaLMistake"))
    # One of the claims says what follows and is not printed.
    assert sizes == {
        **{"colmad": 376, "confidence": 1105, "srdcr": 384, "generative": 40},
        "human_debate": 83,
    }


def test_columns_add_up_to_the_printed_cells() -> None:
    cells = checked(studies=["srdcr", "generative"])
    rows = [line.split() for line in counts_text(cells).splitlines()]
    numbers = [[int(t) for t in row if t.isdigit()] for row in rows]
    counts = [row[-7:] for row in numbers if len(row) >= 7]
    assert len(counts) == 3 + 2
    assert all(printed == sum(columns) for printed, *columns in counts)
    assert counts[2] == [sum(column) for column in zip(*counts[:2], strict=True)]


def test_the_legend_tells_the_columns_that_are_there() -> None:
    cells = checked(studies=["srdcr"])
    assert "needs data" not in counts_text(cells)
    lacking = [cells[0]._replace(how="needs data")]
    for meaning in MEANINGS.values():
        assert meaning in counts_text(lacking)


def test_cells_are_listed_and_written(tmp_path: Path) -> None:
    cells = checked(studies=["generative"])
    assert (
        "generative, Text, FPR of debate, as a multiple of that of consultancy "
        "(fpr.times): printed 3 times (“tripling”), ours 2.31: impossible "
        "(from fpr.debate, fpr.consultancy)"
    ) in cells_text(cells).splitlines()
    out = tmp_path / "cells.csv"
    write_cells(cells, str(out))
    with out.open(encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == [Checked._fields, *cells]
    with pytest.raises(InputError, match="can't be written"):
        write_cells(cells, str(tmp_path / "nowhere" / "cells.csv"))


def test_unknown_studies_are_told(without: list[Checked]) -> None:
    with pytest.raises(InputError, match=r"study 'colmda'.*colmad"):
        checked(studies=["colmda"])
    assert list(STUDIES) == list(dict.fromkeys(c.study for c in without))


_APART = ("convention", "differs")
