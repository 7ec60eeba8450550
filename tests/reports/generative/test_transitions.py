"""Transitions against no transcript, by hand, and what their diagram shows."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import PathPatch, Rectangle
from scipy.stats import binomtest

from inspect_debate.reports.drawing import svg_text
from inspect_debate.reports.elements import Figure, Table
from inspect_debate.reports.generative.comparisons import compare
from inspect_debate.reports.generative.transitions import transition_items
from tests.reports.generative.made import QWEN, joined
from tests.reports.generative.planted import first, row, table, verdicts
from tests.reports.srdcr.drawn import legend, panels

HURT, HELPED, RIGHT, WRONG = 399, 126, 1675, 300
"""Of 2500 verdicts 21 % change, 76 % of them for the worse, as the study prints."""


def study() -> pd.DataFrame:
    before = first(RIGHT + HURT, RIGHT + HURT + HELPED + WRONG)
    after = [1] * RIGHT + [0] * HURT + [1] * HELPED + [0] * WRONG
    return joined(
        verdicts("dual_no_transcript", before), verdicts("dual_debate", after)
    )


def moves(items: pd.DataFrame) -> list[Table | Figure | None]:
    return transition_items(compare(items, "none"))


def figures(items: pd.DataFrame) -> list[Figure]:
    return [item for item in moves(items) if isinstance(item, Figure)]


def test_the_net_change_follows_from_flips_and_hurt_share() -> None:
    found = row(moves(study()), "transitions")
    assert found["Samples"] == 2500
    assert [found[cell] for cell in ("Right, right", "Hurt", "Helped")] == [
        *(RIGHT, HURT, HELPED)
    ]
    assert found["Wrong, wrong"] == WRONG
    flips, hurt = found["Flips"], found["Hurt share"]
    assert (flips, hurt) == pytest.approx((0.21, 0.76))
    assert (
        found["Net"] == pytest.approx(flips * (1 - 2 * hurt)) == pytest.approx(-0.1092)
    )
    assert found["Net low"] < -0.1092 < found["Net high"] < 0
    assert found["Flips low"] < 0.21 < found["Flips high"]
    assert found["p"] == pytest.approx(binomtest(HURT, HURT + HELPED).pvalue)


def test_the_diagram_s_areas_are_the_numbers() -> None:
    (figure,) = figures(study())
    (axes,) = panels(figure).values()
    stacks = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert [stack.get_height() for stack in stacks] == pytest.approx(
        [0.8296, 0.1704, 0.7204, 0.2796]
    )
    ribbons = [patch for patch in axes.patches if isinstance(patch, PathPatch)]
    widths = [_ends(ribbon) for ribbon in ribbons]
    # Each as wide at the one end as at the other, those that flip crossing.
    kept, wrong, hurt, helped = (RIGHT, WRONG, HURT, HELPED)
    assert widths == [
        pytest.approx(np.array(ends) / 2500)
        for ends in (
            (0, kept, 0, kept),
            (2500 - wrong, 2500, 2500 - wrong, 2500),
            (kept, kept + hurt, kept + helped, kept + helped + hurt),
            (kept + hurt, kept + hurt + helped, kept, kept + helped),
        )
    ]
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["83.0", "17.0", "72.0", "28.0"]
    assert "flips 21.0 %, 76.0 % of them hurt" in axes.get_xlabel()
    assert "net −10.9 [" in axes.get_xlabel()
    assert legend(figure)[2:4] == ["hurt: right → wrong", "helped: wrong → right"]


def _ends(ribbon: PathPatch) -> tuple[float, ...]:
    """Where a ribbon begins and ends at the left, then at the right."""
    corners = np.asarray(ribbon.get_path().vertices)
    low, high = corners[0, 0], corners[3, 0]
    return tuple(
        float(y)
        for x in (low, high)
        for y in sorted({round(y, 9) for at, y in corners if at == x})
    )


def test_every_format_with_speeches_and_every_family() -> None:
    some, other = [1, 1, 0, 0], [1, 0, 1, 0]
    frames = [
        verdicts("dual_no_transcript", some),
        verdicts("dual_debate", other),
        verdicts("dual_debate", some, best_of=4),
        verdicts("dual_consultancy", other),
        verdicts("single_debate", other),
        verdicts("single_no_transcript", some, family=QWEN),
        verdicts("single_consultancy", other, family=QWEN),
    ]
    items = joined(*frames)
    named = table(moves(items), "transitions").frame["Format"].tolist()
    # A single debate has no single format without a transcript in its family.
    assert named == [
        *("Dual debate", "Dual debate, best of 4", "Dual consultancy"),
        "Single consultancy",
    ]
    one, two = figures(items)
    assert [title.split(" (")[0] for title in panels(one)] == named[:3]
    assert one.title.endswith("GPT-5-mini > GPT-5-nano, ARC-AGI-1")
    assert list(panels(two)) == ["Single consultancy (n=4)"]


def test_verdicts_that_never_change_have_no_hurt_share() -> None:
    items = joined(
        verdicts("single_no_transcript", [1, 1, 0]),
        verdicts("single_debate", [1, 1, 0]),
    )
    found = row(moves(items), "transitions")
    assert (found["Flips"], found["Net"], found["p"]) == (0, 0, 1)
    assert np.isnan(found["Hurt share"])
    (figure,) = figures(items)
    (axes,) = panels(figure).values()
    assert axes.get_xlabel().startswith("flips 0.0 %\nnet 0.0")
    assert svg_text(figure.figure).startswith("<svg")


def test_other_answers_are_refused_and_counted() -> None:
    items = joined(
        verdicts("dual_no_transcript", [1, 0]),
        verdicts("dual_debate", [1, 1]),
        verdicts("dual_consultancy", [1, 1], answer_set_id="anew"),
    )
    found = table(moves(items), "transitions")
    assert found.frame["Format"].tolist() == ["Dual debate"]
    assert found.note.endswith("Pairs refused, as is said there: 1.")


def test_without_a_format_to_hold_against_there_is_nothing() -> None:
    alone = verdicts("dual_debate", [1, 0])
    assert moves(alone) == moves(alone.head(0)) == [None]
