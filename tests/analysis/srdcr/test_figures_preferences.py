"""Whose answer is given, by severity and by tier, counted by hand."""

from inspect_debate.analysis.reporting.elements import Figure, Notice
from inspect_debate.analysis.srdcr.preference_figures import (
    preference_by_severity,
    preference_by_tier,
)
from tests.analysis.srdcr.drawn import marked, panels
from tests.analysis.srdcr.made_clash import scores
from tests.analysis.srdcr.made_debates import (
    FOUR,
    UNKNOWN,
    debates,
    frames,
    nothing,
)

CONTEXT, PRIOR, ABSTAINS = "o", "s", "^"


def test_by_severity() -> None:
    (figure,) = preference_by_severity(debates().answers)
    found = panels(figure)
    assert "Golden" not in found  # whose answer it gives is its definition
    assert "Prior answer (closed book)" not in found
    few_shot, gated = found["Few-shot (contextual answer)"], found["SR-DCR"]
    assert marked(few_shot, CONTEXT) == [(1, 100), (2, 100)]
    assert marked(few_shot, PRIOR) == [(1, 0), (2, 0)]
    assert not marked(few_shot, ABSTAINS)
    assert marked(gated, CONTEXT) == [(1, 0), (2, 0)]
    assert marked(gated, PRIOR) == [(1, 0), (2, 100)]
    assert marked(gated, ABSTAINS) == [(1, 100), (2, 0)]


def test_by_tier() -> None:
    (figure,) = preference_by_tier(debates().answers)
    assert isinstance(figure, Figure)
    gated = panels(figure)["SR-DCR"]
    assert marked(gated, PRIOR) == [(1, 0), (3, 100)]
    assert marked(gated, ABSTAINS) == [(1, 100), (3, 0)]
    figure.figure.draw_without_rendering()
    names = [text.get_text() for text in gated.get_xticklabels()]
    assert names == ["weakly", "highly"]


def test_an_arm_without_recall_has_the_tiers_of_the_model() -> None:
    asked = [said._replace(own="passage") for said in UNKNOWN]
    found = frames(scores("srdcr", FOUR), scores("self_ask", asked)).answers
    (figure,) = preference_by_tier(found)
    assert marked(panels(figure)["Self-Ask"], CONTEXT) == [(1, 100), (3, 100)]


def test_what_is_missing_is_said() -> None:
    unknown = frames(scores("srdcr", UNKNOWN)).answers
    (notice,) = preference_by_tier(unknown)
    assert isinstance(notice, Notice)
    assert "recall_samples=32" in notice.text
    (figure,) = preference_by_severity(unknown)
    assert isinstance(figure, Figure)
    for of in (preference_by_severity, preference_by_tier):
        (notice,) = of(nothing().answers)
        assert isinstance(notice, Notice)
    without = unknown.drop(columns="tier")
    assert all(isinstance(item, Notice) for item in preference_by_tier(without))
