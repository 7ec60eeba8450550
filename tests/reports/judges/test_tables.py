"""Worked by hand: three judges of four debates (`made.three`)."""

from typing import Any

import pandas as pd
import pytest

from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.reports.elements import Table
from inspect_debate.reports.judges.matrix import (
    by_number_right,
    judges_table,
    matrix_tables,
    pairs_table,
    panel_figures,
    panels,
    right_counts,
    right_table,
)
from inspect_debate.reports.tables import csv_text, laid_out
from tests.reports.judges.made import said, three, verdicts

PANELS, TITLES = panels(three()), ["debates"]


def rows(table: Table | None) -> list[dict[str, Any]]:
    assert table is not None
    assert laid_out(table).bodies
    return [
        {str(k): v for k, v in row.items()} for row in table.frame.to_dict("records")
    ]


def test_judges_by_themselves() -> None:
    sure, some, half = rows(judges_table(PANELS, TITLES))
    assert [of["Accuracy"] for of in (sure, some, half)] == [1, 1, 0.5]
    assert (half["Accuracy low"], half["Accuracy high"]) == pytest.approx(
        proportion_interval(2, 4)
    )
    assert [of["Debates"] for of in (sure, some, half)] == [4, 3, 4]
    assert [of["Unreadable"] for of in (sure, some, half)] == [0, 1 / 3, 0]
    # For A, which is what is shown first: of two readable verdicts one.
    assert [of["For the first"] for of in (sure, some, half)] == [0.5, 0.5, 0.5]
    # Right is first on the first debate, of the three that it judged.
    assert some["Right is first"] == pytest.approx(1 / 3)
    assert "Refused" not in sure
    assert "Both orders agree" not in sure


def test_epochs_of_a_sample_are_one_observation() -> None:
    twice = verdicts(said("judge", "ABBA"), said("judge", "ABBA", epoch=2))
    (row,) = rows(judges_table(panels(twice), TITLES))
    assert (row["Accuracy low"], row["Accuracy high"]) == pytest.approx(
        proportion_interval(2, 4), abs=1e-3
    )


def test_both_orders_of_a_judge() -> None:
    made = verdicts(said("m", "ABA?", order="ab"), said("m", "ABBB", order="ba"))
    (row,) = rows(judges_table(panels(made), TITLES))
    assert row["Both orders agree"] == pytest.approx(2 / 3)
    assert row["Orders differ"] == 1 / 4
    assert row["Debates"] == 4
    assert row["Verdicts"] == 8
    assert row["Accuracy"] == 1


def test_pairs_of_judges() -> None:
    pairs = {
        (r["Judge"], r["Other judge"]): r for r in rows(pairs_table(PANELS, TITLES))
    }
    found = {
        pair: (r["Debates"], r["Agreement"], r["Kappa"], r["Only one right"])
        for pair, r in pairs.items()
    }
    assert found == {
        ("sure", "some"): (2, 1, 1, 0),
        ("sure", "half"): (4, 0.5, 0, 0.5),
        ("some", "half"): (2, 0.5, 0, 0.5),
    }


def test_how_many_were_right() -> None:
    # All three answered the first and the last debate.
    (panel,) = PANELS
    found = right_counts(panel)
    assert list(found["Judges right"]) == ["0 of 3", "1 of 3", "2 of 3", "3 of 3"]
    assert list(found["Debates"]) == [0, 0, 1, 1]
    assert list(found["If independent"]) == [0, 0, 0.5, 0.5]
    assert len(rows(right_table(PANELS, TITLES))) == 4


def test_judges_that_err_together_are_seen() -> None:
    alike = verdicts(said("one", "ABBA"), said("other", "ABBA"))
    (panel,) = panels(alike)
    found = right_counts(panel)
    assert list(found["Share"]) == [0.5, 0, 0.5]
    assert list(found["If independent"]) == [0.25, 0.5, 0.25]


def test_debates_are_sorted_by_who_was_right() -> None:
    (panel,) = PANELS
    ids = [id for id, *_ in by_number_right(panel.matrix()).index]
    assert ids == ["item 0", "item 3", "item 1", "item 2"]


def test_the_matrix_in_words() -> None:
    (table,) = matrix_tables(PANELS, TITLES)
    found = {row.pop("Sample"): row for row in rows(table)}
    assert list(found) == ["item 0", "item 3", "item 1", "item 2"]
    told = {"Epoch": 1, "sure": "right"}
    assert found["item 3"] == told | {
        "Judges right": 2,
        "some": "right",
        "half": "wrong",
    }
    assert found["item 1"]["some"] == "unreadable"
    assert pd.isna(found["item 2"]["some"])
    assert "item 2,1,1,right,,wrong" in csv_text(table)


def test_what_is_right_need_not_be_known() -> None:
    unknown = verdicts(
        said("one", "AB?B", right=float("nan")),
        said("other", "AA-B", right=float("nan")),
    )
    found = panels(unknown)
    (table,) = matrix_tables(found, TITLES)
    assert {row["one"] for row in rows(table)} == {"answered", "unreadable"}
    assert right_table(found, TITLES) is None
    assert list(panel_figures(found[0], "debates")) == []
    (pair,) = rows(pairs_table(found, TITLES))
    assert pair["Agreement"] == pytest.approx(2 / 3)


def test_a_single_judge_has_no_matrix() -> None:
    alone = panels(verdicts(said("one", "ABAB")))
    assert len(rows(judges_table(alone, TITLES))) == 1
    assert pairs_table(alone, TITLES) is None
    assert right_table(alone, TITLES) is None
    assert list(matrix_tables(alone, TITLES)) == []
    assert list(panel_figures(alone[0], "debates")) == []
    assert judges_table([], []) is None


def test_the_figure_shows_every_cell() -> None:
    (panel,) = PANELS
    matrix, counts = panel_figures(panel, "debates")
    assert (matrix.name, counts.name) == ("judge_map_1", "judges_right_1")
    (axes,) = matrix.figure.axes
    bars = [
        (patch.get_hatch(), box.x0, box.x1, round(box.y0 + box.height / 2))
        for collection in axes.collections
        if collection.get_hatch() is not None or len(collection.get_facecolor())
        for patch, box in [(collection, collection.get_paths()[0].get_extents())]
        if box.height < 1
    ]
    assert sorted(bars, key=lambda bar: (bar[3], bar[1])) == [
        ("", 0, 4, 0),  # sure: right about all
        ("", 0, 2, 1),  # some: right about two,
        ("...", 2, 3, 1),  # unreadable about the third,
        ("xxx", 3, 4, 1),  # and not asked about the last
        ("", 0, 1, 2),  # half: right, wrong, right, wrong
        ("///", 1, 2, 2),
        ("", 2, 3, 2),
        ("///", 3, 4, 2),
    ]
    names = [text.get_text() for text in matrix.figure.legends[0].get_texts()]
    assert names == ["right", "wrong", "no answer", "not asked"]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        *("sure", "some", "half")
    ]
    assert [text.get_text() for text in axes.texts] == ["3 right", "2 right", "1 right"]
