"""Accuracy by arm and by severity, counted by hand."""

import numpy as np
import pytest

from inspect_debate.reports.elements import Figure, Notice
from inspect_debate.reports.srdcr.figures import accuracy_figures, severity_figures
from inspect_debate.reports.srdcr.shown import by_arm, on_shared
from tests.reports.srdcr.drawn import legend, marked, panels
from tests.reports.srdcr.made_clash import Said, scores
from tests.reports.srdcr.made_debates import FOUR, debates, frames, nothing

ARMS = [
    *("Prior answer (closed book)", "Few-shot (contextual answer)"),
    *("Token probability", "Calibrated token probability", "Confidence gate alone"),
    *("Debate alone (ACVD)", "SR-DCR", "Golden"),
]


def estimates(item: Figure | Notice, panel: str) -> dict[str, float]:
    """The estimates of a panel by row; rows are named in the first panel alone."""
    first, axes = next(iter(panels(item).values())), panels(item)[panel]
    names = [text.get_text() for text in first.get_yticklabels()]
    (line,) = (line for line in axes.lines if line.get_marker() == "s")
    points = np.asarray(line.get_xydata()).tolist()
    return {names[int(row)]: value for value, row in points}


def of_arms(*values: float) -> dict[str, float]:
    return dict(zip(ARMS, values, strict=True))


def test_accuracy_of_every_arm_in_both_halves_and_overall() -> None:
    (figure,) = accuracy_figures(debates().answers)
    assert list(panels(figure)) == ["Standard", "Perturbed", "Overall"]
    assert estimates(figure, "Standard") == of_arms(50, *7 * [100])
    assert estimates(figure, "Perturbed") == of_arms(50, 0, *6 * [50])
    assert estimates(figure, "Overall") == of_arms(50, 50, *6 * [75])
    assert isinstance(figure, Figure)
    assert "2 standard and 2 perturbed samples" in figure.note


def test_published_values_stand_beside_those_of_the_same_model() -> None:
    (figure,) = accuracy_figures(debates().answers)
    marks = marked(panels(figure)["Standard"], "o", hollow=True)
    assert [mark for mark in marks if mark[0] == 99] == [(99, 1.0), (99, 7.0)]
    assert (95, 6.0) in marks  # 94.67 of SR-DCR
    assert legend(figure) == ["published"]
    other = frames(scores("srdcr", FOUR, model="acme/other")).answers
    (figure,) = accuracy_figures(other)
    assert not marked(panels(figure)["Standard"], "o", hollow=True)
    assert isinstance(figure, Figure)
    assert "Hollow" not in figure.note


def test_arms_are_compared_on_the_samples_that_all_have() -> None:
    asked = [said._replace(own="right") for said in FOUR[:3]]
    found = frames(scores("srdcr", FOUR), scores("self_ask", asked)).answers
    (figure,) = accuracy_figures(found)
    # Without the fourth the doubted passage is the only perturbed one.
    assert estimates(figure, "Perturbed")["SR-DCR"] == 100
    assert estimates(figure, "Perturbed")["Self-Ask"] == 100


def test_an_arm_with_few_of_the_samples_is_left_out_and_named() -> None:
    found = frames(
        scores("srdcr", FOUR), scores("self_ask", [FOUR[0]._replace(own="right")])
    ).answers
    shown = on_shared(by_arm(found))
    assert list(shown.parts) == ARMS
    assert shown.left_out == ["Self-Ask"]
    assert shown.note.endswith("Left out, as too few of these are: Self-Ask.")
    assert {len(rows) for rows in shown.parts.values()} == {4}


def test_models_have_a_figure_each() -> None:
    other = scores("srdcr", FOUR, run="other", model="acme/other")
    figures = list(accuracy_figures(frames(other, scores("srdcr", FOUR)).answers))
    titles = [figure.title for figure in figures if isinstance(figure, Figure)]
    assert [title.rpartition(", ")[2] for title in titles] == ["GPT-4o", "acme/other"]


def test_accuracy_by_severity() -> None:
    (figure,) = severity_figures(debates().answers)
    axes = panels(figure)["SR-DCR"]
    assert marked(axes, "o") == [(1, 0.0), (2, 100.0)]
    assert marked(axes, "s") == [(1, 0.0), (2, 0.0)]  # the contextual answer's
    printed = [value for _, value in marked(axes, "o", hollow=True)]
    assert printed == pytest.approx([47.5, 47.4, 52.7, 55.0, 70.0])
    assert not marked(panels(figure)["Few-shot (contextual answer)"], "s")
    names = ["the panel's arm", "Few-shot (contextual answer)", "published"]
    assert legend(figure) == names


def test_an_arm_alone_has_its_figures() -> None:
    asked = [Said("q1", 0, own="right"), Said("q1", 3, own="passage")]
    answers = frames(scores("self_ask", asked, model="acme/other")).answers
    (figure,) = accuracy_figures(answers)
    assert estimates(figure, "Overall") == {"Self-Ask": 50}
    (figure,) = severity_figures(answers)
    assert marked(panels(figure)["Self-Ask"], "o") == [(3, 0.0)]


def test_a_missing_half_has_no_overall_accuracy() -> None:
    answers = frames(scores("few_shot", [Said("q1", 0)])).answers
    (figure,) = accuracy_figures(answers)
    assert estimates(figure, "Standard")["Golden"] == 100
    assert np.isnan(estimates(figure, "Overall")["Golden"])
    (notice,) = severity_figures(answers)
    assert isinstance(notice, Notice)
    assert "by severity needs answers to questions with a perturbed" in notice.text


def test_without_answers_a_reason_stands_in_their_place() -> None:
    for figures in (accuracy_figures, severity_figures):
        (notice,) = figures(nothing().answers)
        assert isinstance(notice, Notice)
        assert "`inspect eval inspect_debate/srdcr -T protocol=srdcr" in notice.text
