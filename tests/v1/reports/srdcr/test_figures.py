"""Figures, counted by hand."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from inspect_debate.v1.reports.elements import Figure, Notice
from inspect_debate.v1.reports.srdcr.measures import Data
from tests.v1.reports.srdcr.drawn import Points, heights, legend, marked, panels
from tests.v1.reports.srdcr.made_clash import (
    FOUR,
    NONE,
    UNKNOWN,
    Case,
    data,
    debates,
    figure_of,
    notice_of,
    scores,
    shown,
)

CONDITIONS = [
    *("Prior answer (closed book)", "Few-shot (contextual answer)"),
    *("Token probability", "Calibrated token probability", "Confidence gate alone"),
    *("Debate alone (ACVD)", "SR-DCR", "Golden"),
]


def estimates(item: Figure, panel: str) -> dict[str, float]:
    """The estimates of a panel by row; rows are named in the first panel alone."""
    first, axes = next(iter(panels(item).values())), panels(item)[panel]
    names = [text.get_text() for text in first.get_yticklabels()]
    (line,) = (line for line in axes.lines if line.get_marker() == "s")
    points = np.asarray(line.get_xydata()).tolist()
    return {names[int(row)]: value for value, row in points}


def of_conditions(*values: float) -> dict[str, float]:
    return dict(zip(CONDITIONS, values, strict=True))


def test_accuracy_of_every_condition_in_both_halves_and_overall() -> None:
    figure = figure_of(debates(), "figure_accuracy")
    assert list(panels(figure)) == ["Standard", "Perturbed", "Overall"]
    assert estimates(figure, "Standard") == of_conditions(50, *7 * [100])
    assert estimates(figure, "Perturbed") == of_conditions(50, 0, *6 * [50])
    assert estimates(figure, "Overall") == of_conditions(50, 50, *6 * [75])
    assert "2 standard and 2 perturbed samples" in figure.note


def test_published_values_are_beside_those_of_the_same_model() -> None:
    figure = figure_of(debates(), "figure_accuracy")
    marks = marked(panels(figure)["Standard"], "o", hollow=True)
    assert [mark for mark in marks if mark[0] == 99] == [(99, 1.0), (99, 7.0)]
    assert (95, 6.0) in marks  # 94.67 of SR-DCR
    assert legend(figure) == ["published"]
    other = data(scores("srdcr", FOUR, model="acme/other"))
    figure = figure_of(other, "figure_accuracy")
    assert not marked(panels(figure)["Standard"], "o", hollow=True)
    assert legend(figure) == []
    assert "Hollow" not in figure.note


def test_conditions_are_compared_on_the_samples_that_all_have() -> None:
    asked = [case._replace(own="right") for case in FOUR[:3]]
    found = data(scores("srdcr", FOUR), scores("self_ask", asked))
    figure = figure_of(found, "figure_accuracy")
    # Without the fourth the doubted passage is the only perturbed one.
    assert estimates(figure, "Perturbed")["SR-DCR"] == 100
    assert estimates(figure, "Perturbed")["Self-Ask"] == 100


def test_a_condition_with_few_of_the_samples_is_left_out_and_named() -> None:
    few = scores("self_ask", [FOUR[0]._replace(own="right")])
    figure = figure_of(data(scores("srdcr", FOUR), few), "figure_accuracy")
    assert list(estimates(figure, "Standard")) == CONDITIONS
    assert "(left out, with too few of these: Self-Ask)" in figure.note
    assert "2 standard and 2 perturbed samples" in figure.note


def test_accuracy_by_severity() -> None:
    figure = figure_of(debates(), "figure_severity")
    axes = panels(figure)["SR-DCR"]
    assert marked(axes, "o") == [(1, 0.0), (2, 100.0)]
    assert marked(axes, "s") == [(1, 0.0), (2, 0.0)]  # the contextual answer's
    printed = [value for _, value in marked(axes, "o", hollow=True)]
    assert printed == pytest.approx([47.5, 47.4])  # at the same severities
    assert not marked(panels(figure)["Few-shot (contextual answer)"], "s")
    names = ["the panel's condition", "Few-shot (contextual answer)", "published"]
    assert legend(figure) == names


def test_a_missing_half_has_no_overall_accuracy() -> None:
    answers = data(scores("few_shot", [Case("q1", 0)]))
    figure = figure_of(answers, "figure_accuracy")
    assert estimates(figure, "Standard")["Golden"] == 100
    assert list(panels(figure)) == ["Standard"]
    notice = notice_of(answers, "figure_severity")
    assert "by severity needs perturbed passages" in notice


RUN = "`inspect eval inspect_debate/srdcr -T protocol="
DEBATES = [
    *("figure_rounds", "figure_verdicts", "figure_settling"),
    "figure_preference_rounds",
]
CONFIDENCES = [
    *("figure_3", "figure_6", "figure_7"),
    *("figure_estimates", "figure_known", "figure_reliability"),
]
PREFERENCES = [
    *("figure_preference_severity", "figure_preference_tiers"),
    *("figure_2_and_8", "figure_4_and_9"),
]


def no_confidence() -> Data:
    return data(scores("self_ask", [case._replace(own="right") for case in UNKNOWN]))


def nothing() -> Data:
    """Neither an answer nor a verdict could be read."""
    unread = Case("q1", 0, None, None, (NONE, NONE, NONE), NONE, NONE)
    return data(scores("srdcr", [unread]))


@pytest.mark.parametrize(
    ("found", "names"),
    [
        (nothing, ["figure_accuracy", "figure_severity", "risk_figures"]),
        (lambda: data(scores("golden", FOUR)), DEBATES),
        (nothing, [*DEBATES, *CONFIDENCES, *PREFERENCES]),
        (no_confidence, ["risk_figures", *CONFIDENCES]),
        (lambda: data(scores("srdcr", UNKNOWN)), PREFERENCES[1:]),
    ],
)
def test_what_to_run_for_a_figure(
    found: Callable[[], Data], names: Sequence[str]
) -> None:
    of = found()
    for name in names:
        for item in shown(of, name):
            assert isinstance(item, Notice), name
            assert RUN in item.text


FEW_SHOT, ACVD, SRDCR = "o", "s", "^"
"""Markers in a figure of the asymmetric debate alone."""


def over_rounds(*values: float) -> Points:
    return list(enumerate(values, start=1))


@pytest.mark.parametrize(
    ("part", "few_shot", "acvd", "srdcr"),
    [
        ("Standard", 100, (50, 100, 100), (50, 100, 100)),
        ("Perturbed", 0, (0, 50, 50), (0, 50, 50)),
        ("Overall", 50, (25, 75, 75), (25, 75, 75)),
    ],
)
def test_accuracy_over_rounds(
    part: str, few_shot: float, acvd: tuple[float, ...], srdcr: tuple[float, ...]
) -> None:
    found = debates()
    figure = figure_of(found, "figure_rounds")
    axes = panels(figure)[part]
    assert marked(axes, FEW_SHOT) == [(0, few_shot)]
    assert marked(axes, ACVD) == over_rounds(*acvd)
    assert marked(axes, SRDCR) == over_rounds(*srdcr)


def test_other_debates_are_at_their_rounds() -> None:
    own = [case._replace(own="right") for case in FOUR]
    found = data(
        scores("srdcr", FOUR),
        scores("judge_debate", own, parameters={"rounds": 5}),
        scores("naive_debate", own, parameters={"rounds": 4}),
    )
    figure = figure_of(found, "figure_rounds")
    axes = panels(figure)["Perturbed"]
    assert figure.alt == (
        "Accuracy (%) over rounds of speeches. Panels: Standard; Perturbed; Overall. "
        "Lines: Few-shot (contextual answer); Judge Debate; Naive Debate; Debate alone "
        "(ACVD); SR-DCR."
    )
    assert legend(figure) == [
        *("Few-shot (contextual answer)", "Judge Debate", "Naive Debate"),
        *("Debate alone (ACVD)", "SR-DCR", "published"),
    ]
    assert marked(axes, "s") == [(1, 100), (3, 100), (5, 100)]
    assert marked(axes, "^") == [(5, 100)]
    # Table 1 has GPT-4o after one, three and five rounds.
    assert marked(axes, "s", hollow=True) == [(1, 57.3), (3, 45.7), (5, 45.3)]
    assert not marked(axes, "v", hollow=True)  # there were no six rounds


def test_what_was_not_read_is_not_counted_as_a_verdict() -> None:
    unread = Case("q3", 0, verdicts=(1, NONE, NONE))
    found = data(scores("srdcr", [*FOUR, unread]))
    axes = panels(figure_of(found, "figure_verdicts"))["GPT-4o"]
    assert marked(axes, "o") == [(0, 66.7), (1, 100), (2, 100)]
    assert list(panels(figure_of(found, "figure_settling"))) == [
        "GPT-4o: standard, n=2",
        "GPT-4o: perturbed, n=2",
    ]


def test_the_round_in_which_verdicts_settle() -> None:
    standard, perturbed = panels(figure_of(debates(), "figure_settling")).values()
    assert heights(standard) == [50, 50, 0]
    assert heights(perturbed) == [0, 50, 50]


def test_variants_of_a_debate_have_lines_and_panels_of_their_own() -> None:
    seeing = scores(
        "srdcr", FOUR, run="seeing", parameters={"critic_sees_context": True}
    )
    found = data(scores("srdcr", FOUR), seeing)
    verdicts = panels(figure_of(found, "figure_verdicts"))
    assert list(verdicts) == ["GPT-4o", "GPT-4o, critic_sees_context=true"]
    figure = figure_of(found, "figure_rounds")
    assert "SR-DCR, critic_sees_context=true" in legend(figure)


CONTEXT, PRIOR, ABSTAINS = "o", "s", "^"


def test_by_tier() -> None:
    figure = figure_of(debates(), "figure_preference_tiers")
    gated = panels(figure)["SR-DCR"]
    assert marked(gated, PRIOR) == [(1, 0), (3, 100)]
    assert marked(gated, ABSTAINS) == [(1, 100), (3, 0)]
    figure.figure.draw_without_rendering()
    names = [text.get_text() for text in gated.get_xticklabels()]
    assert names == ["weakly", "highly"]


# Well known: the passage is believed at severity 1, half of the time at 5. Not known:
# always at 5.
CROSSED = [
    Case("q1", 1, "right", "passage", recall=1.0),
    Case("q2", 5, "right", "passage", recall=0.9),
    Case("q3", 5, "right", "right", recall=1.0),
    Case("q4", 5, "other", "passage", recall=0.1),
    Case("q4", 0, "other", "right", recall=0.1),
]


def test_few_shots_preference_by_severity_and_tier() -> None:
    figure = figure_of(data(scores("srdcr", CROSSED)), "figure_2_and_8")
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
    figure = figure_of(data(made), "figure_4_and_9")
    assert figure.title.startswith("The paper's Figures 4 and 9")
    assert legend(figure) == ["severity 1 (20 years)", "severity 5 (200 years)"]
    found = panels(figure)["GPT-4o"]
    assert marked(found, "o") == [(1, 100), (3, 0), (5, 0)]
    assert marked(found, "s") == [(1, 100), (3, 50), (5, 0)]
    assert "-T protocol=judge_debate" in notice_of(debates(), "figure_4_and_9")


def test_a_condition_without_recall_has_the_tiers_of_the_model() -> None:
    asked = [case._replace(own="passage") for case in UNKNOWN]
    found = data(scores("srdcr", FOUR), scores("self_ask", asked))
    figure = figure_of(found, "figure_preference_tiers")
    assert marked(panels(figure)["Self-Ask"], CONTEXT) == [(1, 100), (3, 100)]


def test_without_recall_there_is_no_figure_by_knowledge() -> None:
    unknown = data(scores("srdcr", UNKNOWN))
    for name in ("figure_preference_tiers", "figure_2_and_8", "figure_known"):
        assert "recall_samples=32" in notice_of(unknown, name)
    assert panels(figure_of(unknown, "figure_preference_severity"))


def drawn(cases: Sequence[Case], *agreeing: float) -> Data:
    """With shares of draws that agree with the prior answer."""
    made = scores("srdcr", cases)
    made["self_confidence.confidence_consistency"] = agreeing
    return data(made)


def both() -> Data:
    """With both estimates; the third item has no draws."""
    return drawn(FOUR, 1.0, 0.75, NONE, 0.5)


def shares(*bins: int) -> list[float]:
    """The heights of bars where each item is in one of the 17 bins."""
    return [100 * bins.count(place) / len(bins) for place in range(17)]


def test_distribution_of_all_and_by_tier() -> None:
    used, figure = (figure_of(debates(), f"figure_{n}") for n in (3, 7))
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
    notice = notice_of(debates(), "figure_6")
    assert "The paper's Figure 6 needs confidence from self-consistency" in notice


def test_both_estimates_are_of_the_same_items() -> None:
    found = both()
    three, six, seven = (panels(figure_of(found, f"figure_{n}")) for n in (3, 6, 7))
    everything = "GPT-4o: All items, n=3"
    assert heights(six[everything]) == pytest.approx(
        [round(share, 1) for share in shares(16, 12, 8)]
    )
    assert heights(seven[everything]) == pytest.approx(
        [round(share, 1) for share in shares(15, 15, 8)]
    )
    assert "GPT-4o: All items, n=4" in three


def test_estimates_against_each_other() -> None:
    figure = figure_of(both(), "figure_estimates")
    (axes,) = panels(figure).values()
    marks = [
        np.asarray(line.get_xydata()).tolist()
        for line in axes.lines
        if line.get_linestyle() == "None"
    ]
    assert marks == [[[50, 50]], [[95, 100], [95, 75]]]
    assert legend(figure) == ["Weakly known", "Highly known", "equal"]


def test_without_recall_all_items_are_together() -> None:
    found = drawn(UNKNOWN, *4 * [0.5])
    for number in (3, 6, 7):
        figure = figure_of(found, f"figure_{number}")
        assert list(panels(figure)) == ["GPT-4o: All items, n=4"]
    assert legend(figure_of(found, "figure_estimates")) == ["All items", "equal"]
    assert notice_of(found, "figure_known")


def test_share_known_above_a_threshold() -> None:
    figure = figure_of(debates(), "figure_known")
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
    (axes,) = panels(figure_of(debates(), "figure_reliability")).values()
    dots = np.asarray(axes.collections[-1].get_offsets())
    assert dots.tolist() == [[20, 0], [50, 0], [pytest.approx(95), 100]]


def test_risk_over_coverage() -> None:
    found = debates()
    figure = figure_of(found, "risk_figures")
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
    found = data(made)
    figure = figure_of(found, "risk_figures")
    assert legend(figure) == [
        "Prior answer (closed book) (0.208)",
        "SR-DCR over all thresholds (0.062)",
        "SR-DCR as it is",
    ]
