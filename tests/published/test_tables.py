"""What the papers print: complete, by one name everywhere, and with its footnotes."""

from typing import Any

import pytest

from inspect_debate.published.tables import (
    STUDIES,
    Compared,
    PrintedCell,
    content_of,
    paper_from,
    paper_of,
    row_of,
    title_of,
    without_spaces,
)

CONFIDENCE, SRDCR = paper_of("confidence"), paper_of("srdcr")
SONNET = "claude-3-7-sonnet-20250219"
# Cells as the paper has them: rows times columns.
SIZES = {
    "table_2": 11 * 4,
    "table_3": 5 * 6,
    "table_4": 5 * 6,
    "table_5": 11 * 3,
    "table_6": 10 * 3 + 1,  # overall there is only the cost
    "table_7": 40 * 6,
    **{f"table_{n}": 11 * 6 for n in (8, 9, 10, 11, 12, 14, 15, 16)},
    "table_13": 4 * 3,
    "table_17": 9 * 4,
    "table_18": 4 * 6,
    "table_19": 4 * 8,
}


def cell(study: str, *place: str) -> PrintedCell:
    found = paper_of(study).cell(*place)
    assert found is not None
    return found


@pytest.mark.parametrize("table", SIZES)
def test_tables_are_complete(table: str) -> None:
    rows = CONFIDENCE.tables[table].rows.values()
    assert sum(len(row) for row in rows) == SIZES[table]


@pytest.mark.parametrize(
    ("study", "cells"),
    [
        ("colmad", 376),
        ("confidence", 1105),
        ("srdcr", 384),
        ("generative", 41),
        ("human_debate", 83),
    ],
)
def test_every_printed_cell_is_there(study: str, cells: int) -> None:
    found = list(paper_of(study).cells())
    assert len({(one.table, one.row, one.column) for one in found}) == cells
    assert len(found) == cells


def test_models_go_by_one_name() -> None:
    models = set(CONFIDENCE.prices) | {"overall"}
    for table in ("2", "5", "6", "8", "9", "10", "11", "12", "14", "15", "16"):
        assert set(CONFIDENCE.tables[f"table_{table}"].rows) == models
    for name in ("table_1", "table_2"):
        rows = [row.split() for row in SRDCR.tables[name].rows]
        assert len({model for model, _ in rows}) == 5
        assert len({arm for _, arm in rows}) == 9


def test_signs_without_spaces_and_footnotes() -> None:
    starred = cell(
        "confidence", "table_2", "anthropic/claude-3.7-sonnet", "cross_model"
    )
    assert (starred.printed, starred.plain) == ("67.31 ± 3.88*", "67.31±3.88")
    dash = cell("confidence", "table_9", "openai/o3-mini", "open_to_closing")
    assert dash.plain == "Δ=0.00,p=–"
    rise = cell("confidence", "table_3", "informed_self", "rebuttal_to_closing")
    assert rise.plain == "Δ=1.32"
    dash = cell("confidence", "table_7", "informed_self openai/o3-mini", "t_p")
    assert (dash.plain, dash.number) == ("–", None)
    with pytest.raises(ValueError, match="has no number: –"):
        _ = dash.value


@pytest.mark.parametrize(
    ("place", "numbers"),
    [
        (("confidence", "table_6", "qwen/qwq-32b", "total_tokens"), [1150579]),
        (("confidence", "table_3", "cross_model", "opening"), [72.92, 7.89]),
        (("generative", "text", "did.bcb_plus.gpt5", "value"), [-1.9, 0.009]),
        (("srdcr", "table_2", "gpt-3.5-turbo-0125 rci", "20"), [8.3]),
    ],
)
def test_numbers_in_cells(place: tuple[str, ...], numbers: list[float]) -> None:
    assert cell(*place).numbers == numbers


def test_a_row_that_cannot_be_read_has_no_cells() -> None:
    empty = {
        (name, row)
        for name, table in SRDCR.tables.items()
        for row, cells in table.rows.items()
        if not cells
    }
    assert empty == {
        ("table_1", "llama-3.3-70b golden"),
        *(
            (name, f"llama-3.3-70b {arm}")
            for name in SRDCR.tables
            for arm in ("naive_debate", "srdcr")
        ),
    }
    assert SRDCR.cell("table_1", "llama-3.3-70b srdcr", "overall") is None
    assert SRDCR.cell("table_1", "acme/other srdcr", "overall") is None
    assert SRDCR.cell("table_3", "llama-3.3-70b srdcr", "overall") is None


def test_footnotes() -> None:
    """A cell of several has that of the last; whole rows have their own."""
    assert "69.49" in cell("srdcr", "table_1", f"{SONNET} srdcr", "overall").note
    above = cell("srdcr", "table_1", f"{SONNET} srdcr", "perturbed").note
    assert above.startswith("Above Golden")
    assert cell("srdcr", "table_1", f"{SONNET} rci", "overall").note == ""
    first = paper_of("colmad").tables["table_1"]
    copmad = row_of("copmad", "GPT4o-mini", "Llama3.1-70B")
    assert "were kept" in first.row_notes[copmad]
    assert "85 gold errors" in first.rows[copmad]["fact_f1"].note
    assert first.rows[copmad]["math_f1"].note == ""
    assert row_of("human") not in first.row_notes
    assert "swapped" in first.rows["human"]["mean_f2"].note
    assert "90/39 is 2.3" in cell("generative", "text", "fpr.times", "value").note
    assert cell("generative", "text", "fpr.times_none", "value").note == ""
    assert cell("generative", "text", "did.bcb_plus.gpt5", "value").note == ""


def test_claims_are_not_borne_out() -> None:
    claims = {one.id: one.says for one in SRDCR.claims}
    assert len(claims) == 6
    assert "10.18 is the gap to Naive Debate" in claims["gpt-4o-over-judge-debate"]


@pytest.mark.parametrize(
    ("pattern", "cells"),
    [
        ("table_1 / * srdcr / overall", 4),
        ("table_1 / * srdcr, !gpt-4o* / overall", 3),
        ("table_1, table_2 / * rci / overall", 10),
        ("table_1 / gpt-4o-2024-08-06 * / *", 27),
        ("table_3 / * / *", 0),
    ],
)
def test_patterns(pattern: str, cells: int) -> None:
    assert len(SRDCR.matching(pattern)) == cells


@pytest.mark.parametrize("study", STUDIES)
def test_cells_have_places_for_readers(study: str) -> None:
    places = [one.place for one in paper_of(study).cells()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("table", "title"),
    [
        ("table_2", "Table 2"),
        ("section_4_1", "Section 4.1"),
        ("appendix_d", "Appendix D"),
        ("abstract", "Abstract"),
        ("human", "Human baseline"),
    ],
)
def test_tables_have_their_titles(table: str, title: str) -> None:
    assert title_of(table) == title


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"where": "table_9 / * / *"}, "'table_9 / \\* / \\*' names no cell"),
        ({"where": "table_9 / *"}, "is not `table / row / column`"),
        ({"state": "wrong"}, "state"),
    ],
)
def test_an_entry_that_is_wrong_is_an_error(change: dict[str, Any], says: str) -> None:
    content = content_of("srdcr")
    content["inconsistencies"][0].update(change)
    with pytest.raises(ValueError, match=says):
        paper_from("srdcr", content)


def test_a_row_with_a_cell_too_few_is_an_error() -> None:
    content = content_of("srdcr")
    content["tables"]["table_1"]["groups"]["llama-3.3-70b"]["rci"] = "1 | 2"
    with pytest.raises(ValueError, match="has 2 cells in 3 columns"):
        paper_from("srdcr", content)


def printed(text: str, note: str = "") -> PrintedCell:
    return PrintedCell("t", "r", "c", text, without_spaces(text), note)


@pytest.mark.parametrize(
    ("ours", "paper", "status", "difference"),
    [
        ("72.92 ± 7.93", "72.92 ± 7.93", "equal", "0"),
        ("Δ=4.75", "Δ =4.75", "equal", "0"),
        ("True", "True", "equal", "0"),
        ("72.42 ± 7.93", "72.92 ± 7.93", "differs", "−0.50 / 0"),
        ("71.0 (N=10)", "72.5 (N=12)", "differs", "−1.5 / −2"),
        ("Δ=-0.83, p=0.0512", "Δ =1.25, p=0.0012**", "differs", "−2.08 / +0.0500"),
        ("4.00×10^-7", "1.50×10^-7", "differs", "+2.50e-07"),
        ("False", "True", "differs", "≠"),
        ("1.0000", "–", "differs", "≠"),
        ("p<0.001***", "p=0.0012**", "differs", "−0.0002"),
        ("p=0.0500", "p=0.0500*", "differs", "≠"),
    ],
)
def test_a_value_of_ours_beside_a_printed_one(
    ours: str, paper: str, status: str, difference: str
) -> None:
    both = Compared(ours, printed(paper))
    assert (both.status, both.difference) == (status, difference)


def test_values_that_are_alone() -> None:
    ours = Compared("1.00")
    assert (ours.status, ours.difference) == ("not in the paper", None)
    paper = Compared(None, printed("1.00"))
    assert (paper.status, paper.difference) == ("as printed only", None)
    other = Compared("1.00", printed("1.00"), comparable=False)
    assert (other.status, other.difference) == ("not comparable", None)


def test_a_reason_is_given_only_where_values_differ() -> None:
    paper = printed("–", "nothing to rank")
    assert Compared("1.0000", paper).note == "nothing to rank"
    assert Compared("–", paper).note == ""
    assert Compared("1.0000", printed("–")).note == ""
