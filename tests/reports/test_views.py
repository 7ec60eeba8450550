"""Tables and figures from declared views, on rows by hand."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest

from inspect_debate.reports.drawing import histogram_panels
from inspect_debate.reports.elements import PERCENT, Cell, Figure, Notice, Table
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.views import (
    Columns,
    DataReport,
    Marked,
    Measure,
    Panels,
    Part,
    Plot,
    Rows,
    Shows,
    View,
    across,
    binned,
    known,
    mean,
    series_of,
    total,
)


@pytest.fixture
def rows() -> pd.DataFrame:
    return pd.DataFrame(
        [
            ("B", "debate", 1, 1.0),
            ("B", "debate", 2, 0.0),
            ("B", "single", 1, 1.0),
            ("A", "single", 1, None),
        ],
        columns=["model", "condition", "round", "right"],
    )


def same(data: pd.DataFrame) -> pd.DataFrame:
    return data


def view(*measures: Measure | Columns, **others: Any) -> View[pd.DataFrame]:
    by = {"Model": "model", "Condition": "condition"}
    return View("accuracy", "Accuracy", same, by, measures, **others)


def figure_of(values: Any, x: str = "round", **others: Any) -> Plot[pd.DataFrame]:
    named: dict[str, Any] = {"name": "figure_a", "title": "A figure", "alt": "Shares."}
    return Plot(**named, rows=same, x=x, values=values, label="right (%)", **others)


def interval(rows: pd.DataFrame) -> Estimate:
    return Estimate(rows["right"].mean(), 0.25, 0.75)


def only(items: Any) -> Any:
    (item,) = items
    return item


def test_a_row_for_every_group_in_the_order_of_the_rows(rows: pd.DataFrame) -> None:
    table = only(view(Measure("Right", mean("right"), PERCENT))(rows))
    assert isinstance(table, Table)
    assert table.groups == "Model"
    assert table.formats == {"Right": PERCENT}
    assert table.frame.to_dict("list") == {
        "Model": ["B", "B", "A"],
        "Condition": ["debate", "single", "single"],
        "Right": [0.5, 1.0, pytest.approx(float("nan"), nan_ok=True)],
    }


def test_an_estimate_becomes_three_columns(rows: pd.DataFrame) -> None:
    frame = only(view(Measure("Right", interval))(rows)).frame
    assert [*frame][2:] == ["Right", "Right low", "Right high"]
    assert frame.loc[0, "Right low"] == 0.25


def test_columns_on_two_levels(rows: pd.DataFrame) -> None:
    frame = only(
        View(
            "two",
            "Two levels",
            same,
            {},
            [Measure(("Round 1", "Right"), interval), Measure(("All", "n"), len)],
        )(rows)
    ).frame
    assert [*frame] == [
        *(("Round 1", "Right"), ("Round 1", "Right low"), ("Round 1", "Right high")),
        ("All", "n"),
    ]


def test_columns_that_are_computed_together(rows: pd.DataFrame) -> None:
    def both(of: pd.DataFrame) -> dict[Any, object]:
        return {"n": Marked(len(of), "a note"), "Right": interval(of)}

    table = only(view(Columns(both, {"Right": PERCENT}))(rows))
    assert [*table.frame][2:] == ["n", "Right", "Right low", "Right high"]
    assert table.formats == {"Right": PERCENT}
    assert table.marks[Cell(0, "n")] == "a note"


def test_a_measure_by_the_values_of_a_column(rows: pd.DataFrame) -> None:
    measures = across(
        "round", {1: "Round 1", 2: "Round 2"}, total("right"), total="All"
    )
    frame = only(view(*measures)(rows)).frame
    assert frame.iloc[0, 2:].tolist() == [1, 0, 1]


def test_optional_columns_are_left_out_where_all_are_0(rows: pd.DataFrame) -> None:
    measure = Measure("Tied", lambda rows: 0.0, optional=True)
    assert "Tied" not in only(view(measure)(rows)).frame
    tied = Measure("Tied", lambda rows: len(rows) - 1, optional=True)
    assert "Tied" in only(view(tied)(rows)).frame


def test_optional_ones_of_columns_that_are_computed_together(
    rows: pd.DataFrame,
) -> None:
    def of(part: pd.DataFrame) -> dict[Any, object]:
        return {"Rows": len(part), "Lost": int(part["right"].isna().sum())}

    columns = Columns(of, optional=["Rows", "Lost"])
    assert [*only(view(columns)(rows)).frame][2:] == ["Rows", "Lost"]
    assert [*only(view(columns)(rows[:3])).frame][2:] == ["Rows"]


def test_footnotes_of_rows_and_cells(rows: pd.DataFrame) -> None:
    marked = Measure(
        "n", lambda rows: Marked(len(rows), "few" if len(rows) == 1 else "")
    )
    table = only(
        view(marked, mark=lambda of: "unread" if of["right"].isna().all() else "")(rows)
    )
    assert table.marks == {Cell(1, "n"): "few", Cell(2): "unread", Cell(2, "n"): "few"}


def test_baselines_follow_the_groups_of_their_heading(rows: pd.DataFrame) -> None:
    def always(of: pd.DataFrame) -> list[dict[Any, object]]:
        return [{"Model": of["model"].iloc[0], "Condition": "Always", "n": 0}]

    frame = only(view(Measure("n", len), also=always)(rows)).frame
    assert frame["Condition"].tolist() == [
        *("debate", "single", "Always"),
        *("single", "Always"),
    ]


def test_groups_that_are_not_kept(rows: pd.DataFrame) -> None:
    kept = view(Measure("n", known("right")), keep=lambda of: of["right"].notna().any())
    assert only(kept(rows)).frame["n"].tolist() == [2, 1]


def test_without_rows_there_is_what_to_run_or_nothing(rows: pd.DataFrame) -> None:
    none = rows.head(0)
    assert [*view(Measure("n", len))(none)] == []
    notice = only(view(Measure("n", len), missing="Run `it`.")(none))
    assert notice == Notice("Run `it`.", "info")


def test_lines_over_a_column(rows: pd.DataFrame) -> None:
    lines = series_of(rows, "round", {"right": (rows, interval), "n": (rows, len)})
    assert lines.values.index.tolist() == [1, 2]
    assert lines.values["right"].tolist() == [1.0, 0.0]
    assert lines.low["right"].tolist() == [0.25, 0.25]
    assert lines.low["n"].isna().all()


@pytest.mark.parametrize(
    ("kind", "x", "others"),
    [
        ("lines", "round", {"series": "condition", "panel": "model"}),
        ("lines", "round", {}),
        ("bars", "model", {"series": "condition"}),
        ("dots", "condition", {"panel": "model"}),
        ("forest", "condition", {}),
    ],
)
def test_every_kind_of_figure_is_drawn(
    rows: pd.DataFrame, kind: Any, x: str, others: Any
) -> None:
    note = {"note": lambda of: f"n={len(of)}"}
    plot = figure_of({"Right": interval}, kind=kind, x=x, **note, **others)
    figure = only(plot(rows))
    assert isinstance(figure, Figure)
    assert figure.note == "n=4"
    assert figure.figure.axes[0].lines or figure.figure.axes[0].patches


def test_a_figure_for_each_value_of_a_column(rows: pd.DataFrame) -> None:
    plot = figure_of({"Right": mean("right")}, kind="lines", each="model")
    figure = only(plot(rows))  # of A nothing is known
    assert (figure.name, figure.title) == ("figure_a_1", "A figure, B")


def test_lines_without_a_value_are_left_out(rows: pd.DataFrame) -> None:
    values = {"Right": interval, "n": len, "Nothing": lambda of: float("nan")}
    figure = only(figure_of(values, kind="lines")(rows))
    shown = [text.get_text() for text in figure.figure.legends[0].texts]
    assert shown == ["Right", "n"]


@pytest.mark.parametrize(("kind", "x"), [("lines", "round"), ("dots", "condition")])
def test_printed_values_are_hollow(rows: pd.DataFrame, kind: Any, x: str) -> None:
    def printed(of: pd.DataFrame) -> float:
        return 0.7 if (of["round"] == 1).all() else float("nan")

    rows = rows[rows["model"] == "B"]
    plot = figure_of({"Right": mean("right")}, kind=kind, x=x, printed=printed)
    lines = only(plot(rows)).figure.axes[0].lines
    hollow = [line for line in lines if line.get_markerfacecolor() == "none"]
    assert any(70 in [*line.get_xdata(), *line.get_ydata()] for line in hollow)


def test_bars_in_panels_have_the_same_groups(rows: pd.DataFrame) -> None:
    every = ["debate", "single", "direct"]
    named = rows.assign(
        right=rows["right"].fillna(0.0),
        condition=pd.Categorical(rows["condition"], every),
    )
    plot = figure_of(
        {"": interval},
        "condition",
        kind="bars",
        series="round",
        panel="model",
        references=lambda data: {"Floor": {"A": 0.5}},
        printed=lambda part: 0.9 if (part["model"] == "B").all() else float("nan"),
    )
    one, two = only(plot(named)).figure.axes
    for axes in (one, two):
        assert [label.get_text() for label in axes.get_xticklabels()] == every
    # In B rounds 1 and 2 of each group, in A round 1 of the second; no empty group.
    heights = [float(bar.get_height()) for bar in one.patches]
    assert [h for h in heights if h == h] == [100, 100, 0]
    floors = [line for line in two.lines if line.get_linestyle() == "--"]
    assert [*floors[0].get_ydata()] == [50, 50]
    assert not [line for line in one.lines if line.get_linestyle() == "--"]


def test_rows_that_are_made_one_by_one(rows: pd.DataFrame) -> None:
    made: Rows[pd.DataFrame] = Rows(
        "models",
        lambda data: f"Of {len(data)} rows",
        lambda data: (
            {"Model": name, "Right": interval(of), "Failed": 0, "More": 1}
            for name, of in data.groupby("model")
        ),
        lambda data: {"Right": PERCENT, "Gone": PERCENT},
        columns=("Model", "Right", "Failed"),
        optional=["Failed"],
        missing="Run `it`.",
    )
    table = only(made(rows))
    assert (table.title, table.formats) == ("Of 4 rows", {"Right": PERCENT})
    assert [*table.frame] == ["Model", "Right", "Right low", "Right high"]
    assert [*table.frame["Right high"]] == [0.75, 0.75]
    assert only(made(rows.head(0))) == Notice("Run `it`.", "info")


def test_a_report_of_any_data(rows: pd.DataFrame) -> None:
    report: DataReport[pd.DataFrame] = DataReport(
        title=lambda data: f"{len(data)} rows",
        source="By hand.",
        parts=[
            Part("Accuracy", [view(Measure("n", len))]),
            Part("Text", text=lambda data: "It has text." if len(data) > 1 else ""),
        ],
    )
    assert [section.title for section in report.of(rows).sections] == [
        *("Accuracy", "Text")
    ]
    short = report.of(rows.head(1))
    assert (short.title, short.study) == ("1 rows", "By hand.")
    assert [section.title for section in short.sections] == ["Accuracy"]


def test_nothing_to_draw(rows: pd.DataFrame) -> None:
    plot = figure_of({"Right": mean("right")}, kind="lines", missing="Run `it`.")
    assert only(plot(rows.tail(1))) == Notice("Run `it`.", "info")


def test_a_section_of_what_there_is(rows: pd.DataFrame) -> None:
    shows: list[Shows[pd.DataFrame]] = [
        view(Measure("n", len)),
        lambda data: None,
        lambda data: Notice("Read."),
    ]
    part = Part("Accuracy", shows, "A text.", "Nothing.")
    section = part.section(rows)
    assert (section.text, len(section.items)) == ("A text.", 2)
    assert part.section(rows.head(0)).text == "A text."
    assert Part("Accuracy", shows[:2], "A text.", "Nothing.").section(
        rows.head(0)
    ).text == ("Nothing.")


def test_panels_have_the_rows_of_their_values_and_say_how_many(
    rows: pd.DataFrame,
) -> None:
    drawn: list[str] = []

    def draw(panels: Mapping[str, pd.DataFrame], data: object) -> Any:
        drawn.extend(panels)
        return histogram_panels(
            {n: of["right"] for n, of in panels.items()},
            [0, 1, 2],
            label="%",
            x_label="right",
        )

    made = Panels[pd.DataFrame](
        "figure_b", "A title", lambda of: of, "model", draw, "Bars.", missing="Run it."
    )
    figure = only(made(rows))
    sizes = rows["model"].value_counts(sort=False)
    assert drawn == [f"{name}, n={n}" for name, n in sizes.items()]
    assert (figure.name, figure.alt) == ("figure_b", "Bars.")
    assert only(made(rows.head(0))) == Notice("Run it.", "info")


def test_probabilities_are_in_bins_of_ten_with_their_lower_edge() -> None:
    rows = pd.DataFrame({"stated": [0.3, 0.36, 0.7], "right": [1.0, 0.0, 1.0]})
    found = binned(rows, "stated", lambda of: Estimate(of["right"].mean(), 0.0, 1.0))
    assert found.to_numpy().tolist() == [
        [pytest.approx(33), 50, 0, 100, 2],
        [pytest.approx(70), 100, 0, 100, 1],
    ]
