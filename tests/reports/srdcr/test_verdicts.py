"""Series of verdicts and panels, on invented answers, worked out by hand."""

import pytest

from inspect_debate.reports.srdcr.accuracy import panel_table
from inspect_debate.reports.srdcr.frames import MEASURES, rounds_of
from inspect_debate.reports.srdcr.verdicts import settling_table, verdicts_table
from tests.reports.srdcr.made_clash import Said, scores
from tests.reports.srdcr.worked import OTHER, SAID, items, rounds, row


def test_verdicts_by_round() -> None:
    first = row(verdicts_table(rounds()), Round=0)
    assert (first["Standard"], first["Perturbed"]) == (0.75, 0.25)
    last = row(verdicts_table(rounds()), Round=2)
    assert (last["Standard"], last["Perturbed"]) == (pytest.approx(2 / 3), 0.25)
    assert last["Verdicts"] == 7
    assert verdicts_table(rounds_of(items(scores("few_shot", SAID)))) is None


def test_when_verdicts_settle() -> None:
    table = settling_table(rounds())
    standard = row(table, Half="Standard")
    # (1,1,1) from 0, (0,1,1) and (1,0,0) from 1, one whose end was not read.
    assert [standard[f"From {n}"] for n in range(3)] == pytest.approx([1 / 3, 2 / 3, 0])
    assert (standard["Last not read"], standard["Debates"]) == (1, 4)
    assert standard["Changes"] == pytest.approx((0 + 1 + 1 + 0) / 4)
    perturbed = row(table, Half="Perturbed")
    # (1,0,0), (0,0,0), (0,0,1), (0,1,0)
    assert [perturbed[f"From {n}"] for n in range(3)] == [0.25, 0.25, 0.5]
    assert perturbed["Changes"] == 1
    assert perturbed["Never changed"] == 0.25


def test_each_judge_of_a_panel_stands_apart() -> None:
    judges = {"judge_1": "x/one", "judge_2": "x/two"}
    made = scores("srdcr", SAID[:2], model=OTHER, judge="x/one, x/two")
    made["models"] = made["models"].map(lambda models: models | judges)
    for judge, right in (("judge_1", [1.0, 0.0]), ("judge_2", [1.0, 1.0])):
        for name in MEASURES:
            value = right if name in ("strict", "normalised") else 1.0
            made[f"clash.{name}_srdcr_{judge}"] = value
    table = panel_table(items(made))
    first = row(table, Verdicts="judge 1 (x/one)")
    assert (first["Standard"], first["Perturbed"], first["Overall"]) == (1, 0, 0.5)
    assert first["Arm"] == "SR-DCR, judge=one, two"
    assert row(table, Verdicts="judge 2 (x/two)")["Perturbed"] == 1
    assert panel_table(items(scores("srdcr", SAID))) is None


def test_equal_answers_that_were_not_debated_are_not_judged() -> None:
    agreed = Said("q1", 0, "right", "right", debated=False)
    read = SAID[2]
    table = settling_table(rounds_of(items(scores("srdcr", [agreed, read]))))
    found = row(table, Half="Standard")
    assert (found["Debates"], found["Not judged"]) == (1, 1)
