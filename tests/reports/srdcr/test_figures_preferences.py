"""Whose answer is given, by severity and by tier, counted by hand."""

from inspect_debate.reports.elements import Figure, Notice
from inspect_debate.reports.srdcr.preference import (
    preference_by_round_and_severity,
    preference_by_severity,
    preference_by_severity_and_tier,
    preference_by_tier,
)
from tests.reports.srdcr.drawn import legend, marked, panels
from tests.reports.srdcr.made_clash import Said, scores
from tests.reports.srdcr.made_debates import (
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


# Well known: the passage is believed at severity 1, half of the time at 5. Not known:
# always at 5.
CROSSED = [
    Said("q1", 1, "right", "passage", recall=1.0),
    Said("q2", 5, "right", "passage", recall=0.9),
    Said("q3", 5, "right", "right", recall=1.0),
    Said("q4", 5, "other", "passage", recall=0.1),
    Said("q4", 0, "other", "right", recall=0.1),
]


def test_few_shots_preference_by_severity_and_tier() -> None:
    figure = preference_by_severity_and_tier(frames(scores("srdcr", CROSSED)).answers)
    assert isinstance(figure, Figure)
    assert figure.title.startswith("The paper's Figures 2 and 8")
    assert legend(figure) == ["Highly known", "Weakly known"]
    found = panels(figure)["GPT-4o"]
    assert marked(found, "o") == [(1, 100), (5, 50)]
    assert marked(found, "s") == [(5, 100)]


def test_judge_debates_preference_by_round_and_severity() -> None:
    nan = float("nan")
    # After 1, 3 and 5 rounds: severity 1 keeps the prior answer once; of the three
    # with severity 5 all, two (one of which cannot be read), none.
    kept: dict[int, list[float]] = {
        1: [1, 1, 1, 1, 1],
        3: [0, 1, 0, nan, 1],
        5: [0, 0, 0, 0, 1],
    }
    made = scores("judge_debate", [s._replace(own="passage") for s in CROSSED])
    for n, of in kept.items():
        made[f"clash.prior_judge_debate_{n}"] = of
    figure = preference_by_round_and_severity(frames(made).answers)
    assert isinstance(figure, Figure)
    assert figure.title.startswith("The paper's Figures 4 and 9")
    assert legend(figure) == ["severity 1 (20 years)", "severity 5 (200 years)"]
    found = panels(figure)["GPT-4o"]
    assert marked(found, "o") == [(1, 100), (3, 0), (5, 0)]
    assert marked(found, "s") == [(1, 100), (3, 50), (5, 0)]
    missing = preference_by_round_and_severity(debates().answers)
    assert isinstance(missing, Notice)
    assert "-T protocol=judge_debate" in missing.text


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
    assert isinstance(preference_by_severity_and_tier(unknown), Notice)
    assert isinstance(preference_by_severity_and_tier(nothing().answers), Notice)
    assert isinstance(preference_by_round_and_severity(nothing().answers), Notice)
    without = unknown.drop(columns="tier")
    assert all(isinstance(item, Notice) for item in preference_by_tier(without))
