"""Grouped bars by format: what they show, counted by hand."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from inspect_debate.reports.drawing import svg_text
from inspect_debate.reports.elements import Figure
from inspect_debate.reports.generative.difficulty import tiered
from inspect_debate.reports.generative.figures import (
    FLOOR,
    bar_of,
    figure_items,
    looks_of,
)
from inspect_debate.reports.generative.frames import cells_of
from tests.reports.generative.made import (
    QWEN,
    Round,
    joined,
    made_items,
    unscored,
)
from tests.reports.generative.planted import first, verdicts
from tests.reports.srdcr.drawn import legend, marked, panels

PLUS: dict[str, Any] = {"dataset": "bcb_plus", "version": "v1.0.2", "split": ""}

PANEL = "GPT-5-mini > GPT-5-nano, ARC-AGI-1"
"""Its title, before the number of questions."""
CHARTS = ("accuracy", "fpr", "fnr", "regimes", "tiers")

SEVEN = {
    "dual_debate": ["11", "10", "11", "01"],
    "dual_consultancy": ["11", "10", "00", "01"],
    "dual_no_transcript": ["11", "10", "00", "00"],
    "single_debate": ["1", "1", "1", "0"],
    "single_consultancy": ["1", "1", "0", "0"],
    "single_no_transcript": ["1", "0", "0", "0"],
}
"""Rulings on the answers 11, 10, 00 and 00, or on their first ones."""


def seven(**more: Any) -> pd.DataFrame:
    frames = []
    for protocol, rulings in SEVEN.items():
        truths = [
            right[: len(ruled)]
            for right, ruled in zip(("11", "10", "00", "00"), rulings, strict=True)
        ]
        rounds = [
            Round(f"q{n}", right, ruled)
            for n, (right, ruled) in enumerate(zip(truths, rulings, strict=True))
        ]
        frames.append(made_items(protocol, rounds, **more))
    alone = [Round(f"q{n}", right, "") for n, right in enumerate("1000")]
    return joined(*frames, made_items("direct_qa", alone, **more))


def drawn(items: pd.DataFrame) -> list[Figure | None]:
    return figure_items(tiered(items))


def figure(items: pd.DataFrame, name: str) -> Figure:
    found = drawn(items)[CHARTS.index(name)]
    assert found is not None
    assert found.name == f"figure_{name}"
    return found


def bars(axes: Axes, count: int) -> list[list[float]]:
    """Heights by group from the left to the right, NaN where there is none."""
    found = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    placed = sorted(found, key=lambda bar: bar.get_x())
    tall = [round(float(bar.get_height()), 1) for bar in placed]
    return [tall[at : at + count] for at in range(0, len(tall), count)]


def groups(axes: Axes) -> list[str]:
    return [label.get_text().replace("\n", " ") for label in axes.get_xticklabels()]


def only(found: Figure) -> Axes:
    (axes,) = panels(found).values()
    return axes


def test_accuracy_of_seven_formats() -> None:
    found = figure(seven(), "accuracy")
    axes = only(found)
    assert list(panels(found)) == [f"{PANEL} (4 questions)"]
    assert groups(axes) == ["Dual", "Single"]
    assert bars(axes, 3) == [[50, 75, 100], [75, 100, 75]]
    # Direct QA is no bar.
    floor = next(line for line in axes.lines if line.get_linestyle() == "--")
    assert set(np.asarray(floor.get_ydata())) == {25}
    assert legend(found)[:4] == ["Debate", "Consultancy", "No transcript", FLOOR]
    assert "Debate; Consultancy; No transcript" in found.alt


def test_false_verdicts_and_regimes() -> None:
    items = seven()
    # Of the dual answers five are wrong, of the single ones two.
    assert bars(only(figure(items, "fpr")), 3) == [[60, 20, 0], [50, 0, 0]]
    assert bars(only(figure(items, "fnr")), 3) == [[0, 0, 0], [0, 0, 50]]
    regimes = only(figure(items, "regimes"))
    assert groups(regimes) == [
        *("Dual: all wrong", "Dual: contested", "Dual: all right"),
        *("Single: all wrong", "Single: all right"),
    ]
    assert bars(regimes, 3) == [
        *([0, 50, 100], [100, 100, 100], [100, 100, 100]),
        *([50, 100, 100], [100, 100, 50]),
    ]


def test_a_bar_without_height_is_no_empty_place() -> None:
    axes = only(figure(seven(), "fpr"))
    # No transcript in dual formats; consultancy and no transcript in single ones.
    unclipped = [line for line in axes.lines if not line.get_clip_on()]
    assert np.concatenate([line.get_ydata() for line in unclipped]).tolist() == [0] * 3


def test_tiers() -> None:
    tiers = only(figure(seven(), "tiers"))
    assert groups(tiers)[:3] == ["Dual: hard", "Dual: medium", "Dual: easy"]
    # The answers 00 and 00, then 10, then 11.
    assert bars(tiers, 3)[:3] == [[0, 50, 100], [100, 100, 100], [100, 100, 100]]


def test_best_of_stands_beside_the_first_speeches() -> None:
    chosen = verdicts("dual_debate", [1, 1, 1, 0], best_of=4)
    found = figure(joined(seven(), chosen), "accuracy")
    names = ["Debate", "Debate, best of 4", "Consultancy", "No transcript"]
    assert legend(found)[:4] == names
    dual, single = bars(only(found), 4)
    assert dual == [50, 75, 75, 100]
    # There is no single one: a dash instead.
    assert [single[0], *single[2:]] == [75, 100, 75]
    assert np.isnan(single[1])
    assert [text.get_text() for text in only(found).texts] == ["–"]


def test_looks_tell_formats_apart() -> None:
    frames = [
        verdicts(protocol, [1], best_of=best_of, variant=variant)
        for protocol in ("dual_debate", "dual_consultancy")
        for best_of in (1, 4)
        for variant in ("", "turn_order=sequential")
    ]
    cells = list(cells_of(joined(*frames)))
    looks = looks_of(cells)
    assert sorted(looks) == sorted(map(bar_of, cells))
    assert len({(look.colour, look.hatch) for look in looks.values()}) == 8
    debates = [look for name, look in looks.items() if name.startswith("Debate")]
    assert len({look.colour for look in debates}) == 1
    assert debates[0].hatch == ""


def test_families_have_a_panel_each_and_one_scale() -> None:
    long = "acme/a-debater-with-a-name-that-is-long > other/judge-of-another-house"
    frames = [seven(), verdicts("single_debate", [1, 1, 0], family=long)]
    found = figure(joined(*frames), "accuracy")
    one, two = panels(found).values()
    assert one.get_ylim() == two.get_ylim()
    assert groups(one) == groups(two) == ["Dual", "Single"]
    assert (
        list(panels(found))[1].replace(" ", "").startswith(long.replace(" ", "")[:20])
    )
    assert np.nansum(bars(two, 3)) == pytest.approx(66.7)
    assert svg_text(found.figure).startswith("<svg")


def test_published_values_stand_beside_those_of_the_study_s_models() -> None:
    frames = [
        verdicts(f"single_{way}", first(3, 4), best_of=best_of)
        for way in ("debate", "consultancy")
        for best_of in (1, 4)
    ]
    found = figure(joined(*frames), "accuracy")
    marks = [value for _, value in marked(only(found), "o", hollow=True)]
    assert marks == [72.6, 80.1, 78.0, 75.0]
    assert legend(found)[-1] == "published"
    assert found.note.endswith("Hollow marks are the study's.")


def test_published_rates_of_the_other_data() -> None:
    frames = [
        made_items(f"dual_{way}", [Round("q1", "00", "10")], **PLUS)
        for way in ("debate", "consultancy", "no_transcript")
    ]
    items = joined(*frames)
    for name, printed in (("fpr", [90, 39, 30]), ("regimes", [11, 62])):
        marks = marked(only(figure(items, name)), "o", hollow=True)
        # All above the first group: there is no other.
        assert marks == [(0, value) for value in printed]


def test_panels_have_room_beside_each_other() -> None:
    data: list[dict[str, Any]] = [{}, PLUS]
    items = joined(*(verdicts("dual_debate", [1, 1, 0], **of) for of in data))
    found = figure(items, "accuracy").figure
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg_text(found)
    widths = [axes.get_position().width for axes in found.axes]
    assert min(widths) > 0.3
    assert len(widths) == 2


@pytest.mark.parametrize(
    "change",
    [
        *({"family": QWEN}, {"version": "2"}, {"variant": "order=ab"}),
        *({"dataset": "bcb"}, PLUS | {"version": "sample"}),
    ],
)
def test_published_values_are_not_those_of_others(change: dict[str, str]) -> None:
    found = figure(verdicts("single_debate", [1, 0]).assign(**change), "accuracy")
    assert not marked(only(found), "o", hollow=True)
    assert "Hollow" not in found.note


def test_nothing_known_is_nothing_drawn() -> None:
    lost = unscored(verdicts("dual_debate", [1, 0], family=QWEN), 0, 1)
    found = figure(joined(verdicts("dual_debate", [1, 0]), lost), "accuracy")
    assert list(panels(found)) == [f"{PANEL} (2 questions)"]
    assert drawn(lost) == [None] * len(CHARTS)
    # All answers are right, so that nobody endorses a wrong one.
    assert drawn(verdicts("dual_debate", [1, 0]))[CHARTS.index("fpr")] is None


@pytest.mark.parametrize(
    "items", [seven().head(0), made_items("direct_qa", [Round("q1", "1", "")])]
)
def test_without_verdicts_there_is_nothing(items: pd.DataFrame) -> None:
    assert drawn(items) == [None] * len(CHARTS)
