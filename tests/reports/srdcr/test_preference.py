"""Whose answer is given, on invented answers, worked out by hand."""

import math

import pytest

from inspect_debate.reports.srdcr.frames import rounds_of
from inspect_debate.reports.srdcr.preference import (
    agents_table,
    agreement_table,
    biases_table,
    contested_table,
    preference_tables,
    rounds_table,
)
from inspect_debate.reports.srdcr.study import ARMS
from tests.reports.srdcr.made_clash import scores
from tests.reports.srdcr.worked import SAID, answers, items, rounds, row


def test_whose_answer_is_given() -> None:
    (table,) = preference_tables(answers())
    context = row(table, Arm="SR-DCR", Given="Passage's")
    # The prior; an abstention; the passage's; the right answer, which the prior is.
    assert (context["All"], context["Samples"]) == (0.25, 4)
    assert [context[f"Severity {n}"] for n in (1, 2, 5)] == [1, 0, 0]
    assert math.isnan(context["Severity 3"])
    prior = row(table, Arm="SR-DCR", Given="Prior")
    assert (prior["All"], prior["Severity 5"]) == (0.5, 0.5)
    known = [one._replace(recall=0.9 if one.severity == 1 else 0.1) for one in SAID]
    asking = [one._replace(own="passage") for one in known]
    made = answers(scores("srdcr", known), scores("self_ask", asking))
    _, by_tier = preference_tables(made)
    context = row(by_tier, Arm="SR-DCR", Given="Passage's")
    assert (context["Highly known"], context["Weakly known"]) == (1, 0)
    assert row(by_tier, Arm="Self-Ask")["Given"] == "Passage's"


def test_biases_are_told_where_one_of_both_is_right() -> None:
    found = row(biases_table(answers()), Arm="SR-DCR")
    # The prior alone is right on three perturbed items (kept, fooled, kept), the
    # passage on one (followed). Of q2 perturbed neither is.
    assert (found["Accuracy: n"], found["Accuracy"]) == (4, 0.75)
    assert (found["Context bias: n"], found["Context bias"]) == (
        3,
        pytest.approx(1 / 3),
    )
    assert (found["Prior bias: n"], found["Prior bias"]) == (1, 0)


def test_arms_without_a_prior_answer_are_held_against_the_models() -> None:
    own = [one._replace(own="passage") for one in SAID if one.severity]
    made = answers(scores("srdcr", SAID), scores("self_ask", own))
    found = row(biases_table(made), Arm="Self-Ask")
    assert (found["Context bias: n"], found["Context bias"]) == (3, 1)
    contested = row(contested_table(made), Arm="Self-Ask")
    assert contested["Samples"] == 3
    alone = answers(scores("self_ask", own))
    assert biases_table(alone) is None
    assert contested_table(alone) is None
    assert agreement_table(alone) is None


def test_only_contested_items_can_be_arbitrated() -> None:
    found = row(contested_table(answers()), Arm="SR-DCR")
    # Standard: q2 (right). Perturbed: q1 (right), q2 (abstained), q3 (fooled).
    assert (found["Standard"], found["Perturbed"]) == (1, pytest.approx(1 / 3))
    assert found["Coverage"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["Samples"] == 4
    table = agreement_table(answers())
    assert row(table, Half="Standard")["Agree"] == 0.75
    assert row(table, Half="Perturbed")["Agree"] == 0.25


def test_agents_whose_first_answers_are_the_same() -> None:
    debates = scores("naive_debate", SAID)
    debates["clash.first_answers_same"] = [1, 1, 0, math.nan, 1, 1, 1, 1]
    made = items(debates, scores("srdcr", SAID))
    found = row(agents_table(made), Arm="Naive Debate")
    # Six of the seven of which all could be read.
    assert (found["The same"], found["Samples"]) == (pytest.approx(6 / 7), 7)
    assert agents_table(items(scores("srdcr", SAID))) is None


def test_decisions_by_round() -> None:
    table = rounds_table(rounds())
    first = row(table, Arm="SR-DCR", Round=0)
    # Standard: right, abstained, right, right; perturbed: fooled, abstained,
    # abstained, right (the prior, of which the model is sure).
    assert (first["Standard"], first["Perturbed"]) == (0.75, 0.25)
    assert first["Coverage"] == pytest.approx((3 / 4 + 2 / 4) / 2)
    assert (first["Passage's"], first["Prior"]) == (0.25, 0.25)
    ungated = row(table, Arm=ARMS["acvd_only"], Round=0)
    assert (ungated["Perturbed"], ungated["Coverage"]) == (0.5, 1)
    assert rounds_table(rounds_of(items(scores("few_shot", SAID)))) is None
