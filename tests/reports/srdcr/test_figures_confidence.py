"""Confidence, knowledge and risk, counted by hand."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest

from inspect_debate.reports.elements import Figure, Notice
from inspect_debate.reports.srdcr.calibration import (
    confidence_figures,
    estimates_figure,
    estimates_of,
    reliability_figure,
    risk_figures,
)
from inspect_debate.reports.srdcr.knowledge import known_figure
from tests.reports.srdcr.drawn import heights, legend, panels
from tests.reports.srdcr.made_clash import NONE, Said, scores
from tests.reports.srdcr.made_debates import (
    FOUR,
    UNKNOWN,
    Frames,
    debates,
    frames,
    nothing,
)


def drawn(said: Sequence[Said], *agreeing: float) -> Frames:
    """With shares of draws that agree with the prior answer."""
    made = scores("srdcr", said)
    made["self_confidence.confidence_consistency"] = agreeing
    return frames(made)


BOTH = drawn(FOUR, 1.0, 0.75, NONE, 0.5)
"""The third item has no draws."""


def shares(*bins: int) -> list[float]:
    """The heights of bars where each item is in one of the 17 bins."""
    return [100 * bins.count(place) / len(bins) for place in range(17)]


def test_distribution_of_all_and_by_tier() -> None:
    used, notice, figure = confidence_figures(estimates_of(debates().items))
    assert isinstance(figure, Figure)
    assert isinstance(used, Figure)
    found = panels(figure)
    assert list(found) == [
        "GPT-4o: All items, n=4",
        "GPT-4o: Weakly known, n=2",
        "GPT-4o: Highly known, n=2",
    ]
    assert [heights(axes) for axes in found.values()] == [
        *(shares(15, 15, 3, 8), shares(3, 8)),
        shares(15, 15),
    ]
    assert legend(figure) == ["threshold 90"]
    assert figure.title == "The paper's Figure 7: confidence from log-probabilities"
    assert used.title == "The paper's Figure 3: confidence, the estimate used"
    assert [heights(axes) for axes in panels(used).values()] == [
        heights(axes) for axes in found.values()
    ]
    assert isinstance(notice, Notice)
    assert "The paper's Figure 6 needs confidence from self-consistency" in notice.text


def test_both_estimates_are_of_the_same_items() -> None:
    three, six, seven = confidence_figures(estimates_of(BOTH.items))
    everything = "GPT-4o: All items, n=3"
    assert heights(panels(six)[everything]) == pytest.approx(
        [round(share, 1) for share in shares(16, 12, 8)]
    )
    assert heights(panels(seven)[everything]) == pytest.approx(
        [round(share, 1) for share in shares(15, 15, 8)]
    )
    assert "GPT-4o: All items, n=4" in panels(three)


def test_estimates_against_each_other() -> None:
    figure = estimates_figure(estimates_of(BOTH.items))
    (axes,) = panels(figure).values()
    marks = [
        np.asarray(line.get_xydata()).tolist()
        for line in axes.lines
        if line.get_linestyle() == "None"
    ]
    assert marks == [[[50, 50]], [[95, 100], [95, 75]]]
    assert legend(figure) == ["Weakly known", "Highly known", "equal"]


def test_without_recall_all_items_stand_together() -> None:
    found = estimates_of(drawn(UNKNOWN, *4 * [0.5]).items)
    for figure in confidence_figures(found):
        assert list(panels(figure)) == ["GPT-4o: All items, n=4"]
    assert legend(estimates_figure(found)) == ["All items", "equal"]
    assert isinstance(known_figure(found), Notice)


def test_share_known_above_a_threshold() -> None:
    figure = known_figure(estimates_of(debates().items))
    (axes,) = panels(figure).values()
    known, above, _ = (np.asarray(line.get_xydata()) for line in axes.lines)

    def at(line: np.ndarray, tau: float) -> float:
        return float(line[np.isclose(line[:, 0], tau), 1][0])

    assert [at(known, tau) for tau in (0, 50, 90)] == pytest.approx([50, 200 / 3, 100])
    assert [at(above, tau) for tau in (0, 50, 90, 100)] == [100, 75, 50, 0]
    assert known[:, 0].max() == pytest.approx(94)  # of nothing there is no share
    (band,) = axes.collections
    assert np.concatenate([path.vertices for path in band.get_paths()]).size


def test_reliability_is_of_the_prior_answer() -> None:
    (axes,) = panels(reliability_figure(estimates_of(debates().items))).values()
    dots = np.asarray(axes.collections[-1].get_offsets())
    assert dots.tolist() == [[20, 0], [50, 0], [pytest.approx(95), 100]]


def test_the_run_that_knows_most_of_an_item_counts() -> None:
    found = estimates_of(frames(scores("srdcr", FOUR), scores("golden", UNKNOWN)).items)
    assert len(found) == 4
    assert set(found["run"]) == {"srdcr"}  # though the other is newer
    found = estimates_of(frames(scores("srdcr", FOUR), scores("golden", FOUR)).items)
    assert set(found["run"]) == {"golden"}


def test_risk_over_coverage() -> None:
    found = debates()
    (figure,) = risk_figures(found.answers, found.rounds)
    assert legend(figure) == [
        "Prior answer (closed book) (0.208)",
        "Few-shot (contextual answer) (0.500)",
        "Token probability (0.125)",
        "Debate alone (ACVD) (0.062)",
        "SR-DCR over all thresholds (0.062)",
        "SR-DCR as it is",
    ]
    (axes,) = panels(figure).values()
    prior, *_, mark = (np.asarray(line.get_xydata()) for line in axes.lines)
    assert prior[:, 0].tolist() == [0, 50, 50, 75, 75, 100]
    assert prior[:, 1].tolist() == pytest.approx([0, 0, 100 / 3, 100 / 3, 50, 50])
    assert mark.tolist() == [[75, 0]]


def test_confidence_of_the_prior_answer_alone_is_enough_for_a_risk_curve() -> None:
    made = scores("srdcr", FOUR)
    # By self-consistency there is none in the contextual answer.
    lacking = ["clash.p_prior", "clash.p_contextual"]
    made[[*lacking, "self_confidence.contextual_confidence"]] = NONE
    found = frames(made)
    (figure,) = risk_figures(found.answers, found.rounds)
    assert legend(figure) == [
        "Prior answer (closed book) (0.208)",
        "SR-DCR over all thresholds (0.062)",
        "SR-DCR as it is",
    ]


def test_answers_without_a_confidence_have_no_risk_curve() -> None:
    unsure = [s._replace(confidence=NONE, contextual_confidence=NONE) for s in FOUR]
    for found in (
        frames(scores("srdcr", unsure)),
        frames(scores("self_ask", [s._replace(own="right") for s in FOUR])),
        nothing(),
    ):
        (notice,) = risk_figures(found.answers, found.rounds)
        assert isinstance(notice, Notice)


def test_two_answers_alone_have_a_risk_curve() -> None:
    found = frames(scores("golden", FOUR))
    (figure,) = risk_figures(found.answers, found.rounds)
    assert len(legend(figure)) == 3
    assert isinstance(figure, Figure)


@pytest.mark.parametrize(
    "found",
    [
        nothing(),
        frames(scores("self_ask", [s._replace(own="right") for s in UNKNOWN])),
    ],
)
def test_without_confidence_a_reason_stands_in_their_place(found: Frames) -> None:
    unknown = found.items.drop(
        columns=[c for c in map(str, found.items) if "confidence" in c or c == "tier"]
    )
    estimates = estimates_of(unknown)
    for item in chain(
        confidence_figures(estimates),
        [estimates_figure(estimates), known_figure(estimates)],
        [reliability_figure(estimates)],
    ):
        assert isinstance(item, Notice)
        assert "`inspect eval inspect_debate/srdcr" in item.text
