"""Cells of ours beside those of the paper."""

from collections import Counter

from inspect_debate.reports.confidence.twins import (
    PaperTable,
    counts,
    paired_cells,
    printed_cells,
)
from inspect_debate.reports.elements import Cell, Table
from inspect_debate.reports.tables import csv_text, laid_out

ROWS = {"google/gemma-3-27b-it": "Gemma", "mine": "Mine"}


def table(**cells: str) -> PaperTable:
    """Table 5 of Gemma with these cells, and of a model of one's own."""
    ours = {"google/gemma-3-27b-it": cells, "mine": {"proposition": "3"}}
    return PaperTable(
        name="table_5",
        title="Seats",
        heading="Model",
        rows=ROWS,
        columns={name: name for name in ("proposition", "opposition", "own")},
        cells=paired_cells("table_5", ours),
        note="What it is.",
    )


def shown(made: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in laid_out(made).bodies[0].rows]


def test_ours_paper_and_difference_stand_under_each_column() -> None:
    made = table(proposition="6", opposition="5", own="x").table()
    layout = laid_out(made)
    assert list(layout.labels) == [
        "Model",
        *("proposition ours", "proposition paper", "proposition diff."),
        *("opposition ours", "opposition paper", "opposition diff."),
        "own ours",
    ]
    assert shown(made) == [
        ["Gemma", "6", "6", "0", "5", "6", "−1", "x"],
        ["Mine", "3", "–", "–", "–", "–", "–", "–"],
    ]
    assert made.emphasis == [Cell(0, ("opposition", "diff."))]
    assert made.note.startswith("What it is. Diff.: ours less the paper's")


def test_without_twins_there_is_a_plain_table() -> None:
    made = PaperTable(
        name="mine",
        title="Mine",
        heading="Model",
        rows=ROWS,
        columns={"a": "A"},
        cells=paired_cells("table_5", {"mine": {"a": "1"}}),
        groups={"google/gemma-3-27b-it": "Old", "mine": "New"},
        grouped_by="Age",
        note="What it is.",
    ).table()
    assert list(laid_out(made).labels) == ["Model", "A"]
    assert [body.heading for body in laid_out(made).bodies] == ["Old", "New"]
    assert made.note == "What it is."
    assert csv_text(made) == "age,model,a\nOld,Gemma,\nNew,Mine,1\n"


def test_rows_may_have_another_twin_or_none() -> None:
    ours = {"here": {"total": "12"}, "there": {"total": "12"}}
    names = {"here": "google/gemma-3-27b-it"}
    cells = paired_cells(
        "table_5",
        ours,
        lambda row, column: (names[row], column) if row in names else None,
    )
    assert cells["here", "total"].status == "equal"
    assert cells["there", "total"].status == "not in the paper"


def test_a_printed_table_alone() -> None:
    cells = printed_cells("table_16")
    made = PaperTable(
        name="table_16",
        title="As printed",
        heading="Model",
        rows={"overall": "Overall"},
        columns={"opening": "Opening"},
        cells=cells,
    )
    assert shown(made.table()) == [["Overall", "63.92 ± 12.88"]]
    assert counts([made]) == {"table_16": Counter({"as printed only": 66})}


def test_what_is_wrong_with_a_printed_cell_is_a_footnote() -> None:
    row = "informed_self openai/o3-mini"
    made = PaperTable(
        name="table_7",
        title="Tests",
        heading="Model",
        rows={row: "o3-mini"},
        columns={"wilcoxon_p": "p"},
        cells=paired_cells("table_7", {row: {"wilcoxon_p": "1.0000"}}),
    ).table()
    place = Cell(0, ("p", "diff."))
    assert list(made.marks) == [place]
    assert "nothing to rank" in made.marks[place]


def test_counts_by_table() -> None:
    found = counts([table(proposition="6", opposition="5", own="x")])
    assert found == {
        "table_5": Counter({"equal": 1, "differs": 1, "not in the paper": 2})
    }
