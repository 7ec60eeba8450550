"""Figures over the rounds of debates, counted by hand."""

import pytest

from inspect_debate.reports.elements import Figure, Notice
from inspect_debate.reports.srdcr.preference import preference_by_round
from inspect_debate.reports.srdcr.verdicts import (
    rounds_figures,
    settling_figure,
    verdict_figure,
)
from tests.reports.srdcr.drawn import Points, heights, legend, marked, panels
from tests.reports.srdcr.made_clash import NONE, Said, scores
from tests.reports.srdcr.made_debates import (
    DOUBTED,
    FOUR,
    Frames,
    debates,
    frames,
    nothing,
)

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
    (figure,) = rounds_figures(found.answers, found.rounds)
    axes = panels(figure)[part]
    assert marked(axes, FEW_SHOT) == [(0, few_shot)]
    assert marked(axes, ACVD) == over_rounds(*acvd)
    assert marked(axes, SRDCR) == over_rounds(*srdcr)


def test_other_debates_stand_at_their_rounds() -> None:
    own = [said._replace(own="right") for said in FOUR]
    found = frames(
        scores("srdcr", FOUR),
        scores("judge_debate", own, parameters={"rounds": 5}),
        scores("naive_debate", own, parameters={"rounds": 4}),
    )
    (figure,) = rounds_figures(found.answers, found.rounds)
    axes = panels(figure)["Perturbed"]
    assert legend(figure) == [
        *("Few-shot (contextual answer)", "Judge Debate", "Naive Debate"),
        *("Debate alone (ACVD)", "SR-DCR", "published"),
    ]
    assert marked(axes, "s") == [(1, 100), (3, 100), (5, 100)]
    assert marked(axes, "^") == [(5, 100)]
    # Table 1 has GPT-4o after one, three and five rounds.
    assert marked(axes, "s", hollow=True) == [(1, 57.3), (3, 45.7), (5, 45.3)]
    assert not marked(axes, "v", hollow=True)  # six rounds were not held


def test_verdicts_by_round() -> None:
    axes = panels(verdict_figure(debates().rounds))["GPT-4o"]
    assert marked(axes, "o") == [(0, 50), (1, 100), (2, 100)]
    assert marked(axes, "s") == [(0, 100), (1, 50), (2, 0)]


def test_what_was_not_read_is_not_counted_as_a_verdict() -> None:
    unread = Said("q3", 0, verdicts=(1, NONE, NONE))
    found = frames(scores("srdcr", [*FOUR, unread])).rounds
    axes = panels(verdict_figure(found))["GPT-4o"]
    assert marked(axes, "o") == [(0, 66.7), (1, 100), (2, 100)]
    assert list(panels(settling_figure(found))) == [
        "GPT-4o: standard, n=2",
        "GPT-4o: perturbed, n=2",
    ]


def test_the_round_in_which_verdicts_settle() -> None:
    standard, perturbed = panels(settling_figure(debates().rounds)).values()
    assert heights(standard) == [50, 50, 0]
    assert heights(perturbed) == [0, 50, 50]


def test_whose_answer_is_given_by_round() -> None:
    figure = preference_by_round(debates().rounds)
    alone, gated = panels(figure).values()
    assert list(panels(figure)) == ["GPT-4o: Debate alone (ACVD)", "GPT-4o: SR-DCR"]
    assert marked(alone, "o") == [(0, 100), (1, 50), (2, 0)]
    assert marked(alone, "s") == [(0, 0), (1, 50), (2, 100)]
    assert not marked(alone, "^")  # it never abstains
    assert marked(gated, "o") == [(0, 100), (1, 50), (2, 0)]
    assert marked(gated, "s") == [(0, 0), (1, 50), (2, 50)]
    assert marked(gated, "^") == [(0, 0), (1, 0), (2, 50)]


def test_variants_of_a_debate_have_lines_and_panels_of_their_own() -> None:
    seeing = scores(
        "srdcr",
        FOUR,
        run="seeing",
        parameters={"critic_sees_context": True},
    )
    found = frames(scores("srdcr", FOUR), seeing)
    verdicts = panels(verdict_figure(found.rounds))
    assert list(verdicts) == ["GPT-4o", "GPT-4o, critic_sees_context=true"]
    (figure,) = rounds_figures(found.answers, found.rounds)
    assert "SR-DCR, critic_sees_context=true" in legend(figure)


@pytest.mark.parametrize(
    "found",
    [nothing(), frames(scores("golden", FOUR)), frames(scores("few_shot", FOUR))],
)
def test_without_debates_a_reason_stands_in_their_place(found: Frames) -> None:
    _, answers, rounds = found
    (notice,) = rounds_figures(answers, rounds)
    items = [notice, verdict_figure(rounds), settling_figure(rounds)]
    for item in [*items, preference_by_round(rounds)]:
        assert isinstance(item, Notice)
        assert "needs debates" in item.text


def test_one_debate_is_enough() -> None:
    found = frames(scores("srdcr", [DOUBTED]))
    (figure,) = rounds_figures(found.answers, found.rounds)
    assert marked(panels(figure)["Perturbed"], SRDCR) == over_rounds(0, 100, 100)
    assert isinstance(verdict_figure(found.rounds), Figure)
