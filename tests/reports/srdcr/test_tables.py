"""Accuracies and the paper's tables on invented answers, worked out by hand."""

import math
from typing import Any

import pytest

from inspect_debate.reports.elements import Cell, Table
from inspect_debate.reports.srdcr.accuracy import (
    ABSTAIN,
    abstention_table,
    accuracy_table,
    severity_tables,
    strata_table,
)
from inspect_debate.reports.srdcr.calibration import risk_table
from inspect_debate.reports.srdcr.frames import answers_of, rounds_of
from inspect_debate.reports.srdcr.paper_tables import claims_table, table_1, table_2
from inspect_debate.reports.srdcr.study import ARMS, MODELS
from inspect_debate.reports.tables import laid_out
from tests.reports.srdcr.made_clash import NONE, Said, scores
from tests.reports.srdcr.worked import OTHER, SAID, answers, items, row


def line(table: Table, model: str, arm: str) -> dict[Any, Any]:
    """A row of a table on two levels, by model and arm."""
    (found,) = [
        row
        for row in table.frame.to_dict("records")
        if (row["Model", ""], row["Arm", ""]) == (model, arm)
    ]
    return dict(found)


def place(table: Table, model: str, arm: str) -> int:
    named = zip(table.frame["Model", ""], table.frame["Arm", ""], strict=True)
    return list(named).index((model, arm))


def test_the_headline_counts_abstentions_and_what_was_not_read() -> None:
    found = row(accuracy_table(answers()), Arm="SR-DCR")
    # Standard: right, right, abstained, unread; perturbed: right, abstained, fooled,
    # right (the contextual answer is right although the passage is not).
    assert found["Standard"] == pytest.approx(2 / 3)
    assert found["Perturbed"] == pytest.approx(2 / 4)
    assert found["Overall"] == pytest.approx((2 / 3 + 2 / 4) / 2)
    assert found["Coverage"] == pytest.approx((2 / 3 + 3 / 4) / 2)
    assert found["Selective"] == pytest.approx(4 / 5)
    assert (found["Samples"], found["Not scored"]) == (7, 1)
    assert (found["Calls"], found["Tokens"]) == (14, 100)
    assert found["Standard low"] < found["Standard"] < found["Standard high"]


def test_the_trivial_arms_stand_beside() -> None:
    table = accuracy_table(answers())
    assert row(table, Arm=ARMS["prior"])["Overall"] == pytest.approx(0.75)
    few_shot = row(table, Arm=ARMS["few_shot"])
    assert (few_shot["Standard"], few_shot["Perturbed"]) == (1, 0.25)
    assert math.isnan(few_shot["Calls"])  # its answers are those of SR-DCR's run
    golden = row(table, Arm=ARMS["golden"])
    assert (golden["Standard"], golden["Perturbed"]) == (1, 0.75)
    abstaining = row(table, Arm=ABSTAIN)
    assert (abstaining["Overall"], abstaining["Coverage"]) == (0, 0)
    assert math.isnan(abstaining["Selective"])


def test_what_an_arm_took_is_told_of_its_own_runs() -> None:
    alone = scores("few_shot", SAID, model=OTHER)
    assert row(accuracy_table(answers(alone)), Arm=ARMS["few_shot"])["Calls"] == 2
    table = accuracy_table(
        answers(alone, scores("srdcr", SAID, model=OTHER, reuse="few_shot.eval"))
    )
    few_shot = row(table, Arm=ARMS["few_shot"])  # of SR-DCR's run
    assert math.isnan(few_shot["Calls"])
    place = table.frame["Arm"].tolist().index("SR-DCR")
    assert list(table.marks) == [Cell(place, "Calls")]


def test_models_of_the_paper_come_first() -> None:
    found = answers(
        scores("srdcr", SAID, model=OTHER, run="b"), scores("srdcr", SAID, run="a")
    )
    assert list(dict.fromkeys(accuracy_table(found).frame["Model"])) == [
        "GPT-4o",
        OTHER,
    ]


def test_accuracy_by_severity_and_of_dates_by_offset() -> None:
    dates = [one._replace(offset=-40.0 if one.severity else NONE) for one in SAID]
    assert [t.name for t in severity_tables(answers())] == ["severity"]
    severity, offsets = severity_tables(answers(scores("srdcr", dates, domain="years")))
    found = row(severity, Arm="SR-DCR")
    assert [found[f"Severity {n}"] for n in (1, 2, 5)] == [0, 1, 0.5]
    assert math.isnan(found["Severity 3"])
    assert (found["All"], found["Samples"]) == (0.5, 4)
    found = row(offsets, Arm="SR-DCR")
    assert (found["40 years"], found["All"]) == (0.5, 0.5)
    assert math.isnan(found["20 years"])


def test_samples_by_domain() -> None:
    found = row(strata_table(answers()), Domain="Drug dosages")
    assert (found["Standard"], found["Perturbed"]) == (4, 4)
    assert [found[f"Severity {n}"] for n in range(1, 6)] == [1, 1, 0, 0, 2]


def test_table_1_has_ours_beside_the_printed() -> None:
    table = table_1(answers(scores("srdcr", SAID)))
    found = line(table, "GPT-4o", "SR-DCR")
    assert found["Perturbed", "paper"] == pytest.approx(0.5451)
    assert found["Perturbed", "diff."] == pytest.approx(0.5 - 0.5451)
    assert math.isnan(line(table, "GPT-3.5", "SR-DCR")["Standard", "ours"])
    prior = line(table, "GPT-4o", ARMS["prior"])
    assert prior["Overall", "ours"] == 0.75
    assert math.isnan(prior["Overall", "paper"])
    at = Cell(place(table, "GPT-4o", "SR-DCR"), ("Overall", "paper"))
    assert "Above Golden" in table.marks[at]
    garbled = place(table, "Llama 3.3 70B", "SR-DCR")
    assert "garbled" in table.marks[Cell(garbled)]
    assert "items are others" in table.note


def test_table_1_shows_the_printed_alone_without_a_model_of_the_paper() -> None:
    table = table_1(answers())
    assert set(table.frame["Model"]) == set(MODELS.values())
    printed = row(table, Model="Claude Sonnet 3.7", Arm="SR-DCR")
    assert printed["Overall"] == pytest.approx(0.6976)
    assert "No model of the paper" in table.note
    assert laid_out(table).footnotes


def test_a_variant_does_not_stand_beside_the_printed() -> None:
    seeing = scores("srdcr", SAID, parameters={"critic_sees_context": True}, run="b")
    made = answers(scores("srdcr", SAID, run="a"), seeing)
    variant = line(table_1(made), "GPT-4o", "SR-DCR, critic_sees_context=true")
    assert variant["Perturbed", "ours"] == 0.5
    assert math.isnan(variant["Perturbed", "paper"])


def test_table_2_takes_dates_alone() -> None:
    offsets = (20.0, -40.0, 60.0, -100.0, 200.0)
    said = [
        Said(f"q{n}", n, "right", "passage", (0, 0, n % 2), offset=offset)
        for n, offset in enumerate(offsets, start=1)
    ]
    table = table_2(answers(scores("srdcr", said, domain="years")))
    found = line(table, "GPT-4o", "SR-DCR")
    ours = [value for column, value in found.items() if column[1] == "ours"]
    assert ours == [0, 1, 0, 1, 0, pytest.approx(0.4)]
    assert "No model of the paper" in table_2(answers(scores("srdcr", said))).note


def test_claims_are_all_there() -> None:
    assert len(claims_table().frame) == 6


def test_what_was_abstained_on() -> None:
    table = abstention_table(answers())
    assert table is not None
    assert set(table.frame["Arm"]) == {"SR-DCR"}
    standard = row(table, Half="Standard")
    assert (standard["Abstentions"], standard["Prior was right"]) == (1, 1)
    assert standard["Passage's was right"] == 1
    perturbed = row(table, Half="Perturbed")
    assert (perturbed["Abstentions"], perturbed["Neither was"]) == (1, 1)
    assert perturbed["Selective"] == pytest.approx(2 / 3)
    both = row(table, Half="Overall")
    assert (both["Abstentions"], both["Neither was"]) == (2, 0.5)
    sure = scores("srdcr", [SAID[0]], model=OTHER)
    assert abstention_table(answers(sure)) is None


def test_risk_over_coverage() -> None:
    said = [
        Said("q1", 1, "right", "passage", (0, 0, 0), confidence=0.9),
        Said("q2", 1, "other", "passage", (0, 0, 0), confidence=0.8),
        Said("q3", 0, "right", "right", (1, 1, 1), confidence=0.7),
        Said("q4", 1, "right", "passage", (0, 0, 0), confidence=0.6),
    ]
    made = items(scores("srdcr", said, model=OTHER))
    table = risk_table(answers_of(made), rounds_of(made))
    prior = row(table, Arm=ARMS["prior"])
    # Risks from the surest on: 0, 1/2, 1/3, 1/4; the best order has 0, 0, 0, 1/4.
    assert prior["Area"] == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    assert prior["Above the least"] == pytest.approx(prior["Area"] - 1 / 16)
    # The judge's trust comes first, then the prior answer's confidence.
    gated = row(table, Arm="SR-DCR over all thresholds")
    assert gated["Area"] == pytest.approx((0 + 0 + 1 / 3 + 1 / 4) / 4)
    few_shot = row(table, Arm=ARMS["few_shot"])
    assert few_shot["Area"] == few_shot["Wrong"] == 0.75  # all of one confidence
