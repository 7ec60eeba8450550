"""What the figures of the study show."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from inspect_debate.reports.confidence.calibration import closing_bets
from inspect_debate.reports.confidence.figures import (
    ALL_MODELS,
    calibration_figure,
    closing_figure,
    escalation_figure,
    opening_figure,
    rounds_figure,
)
from inspect_debate.reports.elements import Figure
from tests.reports.confidence.made_bets import NONE, Debate, bets, itself
from tests.reports.confidence.made_verdicts import verdicts

CROSS = bets(
    "cross_model",
    Debate("one", "two", ([60.0, 70.0, 80.0], [70.0, 75.0, 80.0])),
    Debate("two", "one", ([50.0, NONE, 60.0], [60.0, 80.0, 80.0])),
    Debate("one", "two", ([60.0, 70.0, 80.0], [70.0, 75.0, 80.0])),
)
SELF = bets("self", *itself("one", [50.0, 60.0, 90.0], [40.0, 60.0, NONE]))
MADE = pd.concat([CROSS, SELF], ignore_index=True)


def panels(figure: Figure | None) -> dict[str, Axes]:
    assert figure is not None
    return {axes.get_title(loc="left"): axes for axes in figure.figure.axes}


def legend(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.figure.legends[0].get_texts()]


def places(axes: Axes) -> list[list[float]]:
    """The middles of the bubbles."""
    return [
        [float(x), float(y)] for x, y in np.asarray(axes.collections[-1].get_offsets())
    ]


def test_openings_have_a_row_per_model_and_stand_beside_humans() -> None:
    figure = opening_figure(MADE)
    found = panels(figure)
    assert list(found) == ["Cross-model", "Self-debate"]
    rows = [text.get_text() for text in found["Cross-model"].get_yticklabels()]
    assert rows == ["one", "two", ALL_MODELS]
    drawn = [line for line in found["Cross-model"].lines if line.get_marker() == "s"]
    assert np.asarray(drawn[0].get_xdata()).tolist() == pytest.approx(
        [60, 190 / 3, 370 / 6]
    )
    assert legend(figure) == ["even chance", "college debaters"]
    assert "65.00 ± 35.10" in figure.note


def test_rounds_have_a_panel_per_model_and_a_line_per_condition() -> None:
    figure = rounds_figure(MADE)
    assert list(panels(figure)) == ["one", "two", ALL_MODELS]
    assert legend(figure) == ["Cross-model", "Self-debate", "even chance"]
    heights = [
        np.asarray(line.get_ydata()).tolist()
        for line in panels(figure)["two"].lines
        if line.get_marker() == "o"
    ]
    # Missing bets are left out of a mean.
    assert heights == [pytest.approx([190 / 3, 75, 220 / 3])]


def test_escalation_is_of_sides_with_both_bets() -> None:
    found = panels(escalation_figure(MADE))
    drawn = [line for line in found["Self-debate"].lines if line.get_marker() == "s"]
    assert np.asarray(drawn[0].get_xdata()).tolist() == [40]


def test_closing_bets_are_pairs_of_a_debate() -> None:
    found = panels(closing_figure(MADE))
    assert list(found) == ["Cross-model, n=3"]  # of the other a bet is missing
    (axes,) = found.values()
    assert places(axes) == [[60, 80], [80, 80]]
    sizes = np.asarray(axes.collections[-1].get_sizes()).tolist()  # type: ignore[attr-defined]  # of a PathCollection
    assert sizes[1] == 2 * sizes[0]


def test_calibration_shows_shares_won_by_what_was_bet() -> None:
    judged = verdicts("cross_model", *[{"judge": [("P", 60)]}] * 3)
    found = panels(calibration_figure(closing_bets(MADE, judged)))
    assert list(found) == [
        "Cross-model, against the jury",
        "Self-debate, against exactly\n50 %",
    ]
    # 60 won; of the five bets of 80 two did.
    assert places(found["Cross-model, against the jury"]) == [
        [60, 100],
        [pytest.approx(80), 40],
    ]


def test_without_what_they_show_there_are_none() -> None:
    one_round = bets("cross_model", Debate("one", "two", ([60.0], [NONE])))
    assert escalation_figure(one_round) is None
    assert closing_figure(one_round) is None
    assert calibration_figure(closing_bets(one_round, verdicts("cross_model"))) is None
    assert panels(opening_figure(one_round))
    assert panels(rounds_figure(one_round))
