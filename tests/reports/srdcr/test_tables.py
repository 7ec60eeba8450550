"""Tables on invented answers, worked out by hand."""

import math
from math import log
from typing import Any

import pandas as pd
import pytest

from inspect_debate.reports.elements import Cell, Table
from inspect_debate.reports.srdcr import Data
from inspect_debate.reports.srdcr_conditions import CONDITIONS, MEASURES, MODELS
from inspect_debate.reports.tables import laid_out
from tests.reports.srdcr.made_clash import (
    NONE,
    OTHER,
    SAID,
    Said,
    data,
    row,
    scores,
    shown,
    worked,
)


def the_table(data: Data, name: str) -> Table:
    (found,) = shown(data, name)
    assert isinstance(found, Table)
    return found


def line(table: Table, model: str, condition: str) -> dict[Any, Any]:
    """A row of a table on two levels, by model and condition."""
    (found,) = [
        row
        for row in table.frame.to_dict("records")
        if (row["Model", ""], row["Condition", ""]) == (model, condition)
    ]
    return dict(found)


def place(table: Table, model: str, condition: str) -> int:
    named = zip(table.frame["Model", ""], table.frame["Condition", ""], strict=True)
    return list(named).index((model, condition))


def test_the_headline_counts_abstentions_and_what_was_not_read() -> None:
    found = row(the_table(worked(), "accuracy"), Condition="SR-DCR")
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


def test_baselines_are_rows_too() -> None:
    table = the_table(worked(), "accuracy")
    assert row(table, Condition=CONDITIONS["prior"])["Overall"] == pytest.approx(0.75)
    few_shot = row(table, Condition=CONDITIONS["few_shot"])
    assert (few_shot["Standard"], few_shot["Perturbed"]) == (1, 0.25)
    assert math.isnan(few_shot["Calls"])  # its answers are those of SR-DCR's run
    golden = row(table, Condition=CONDITIONS["golden"])
    assert (golden["Standard"], golden["Perturbed"]) == (1, 0.75)
    abstaining = row(table, Condition="Always abstaining")
    assert (abstaining["Overall"], abstaining["Coverage"]) == (0, 0)
    assert math.isnan(abstaining["Selective"])


def test_calls_are_those_of_a_conditions_own_runs() -> None:
    alone = scores("few_shot", SAID, model=OTHER)
    assert (
        row(the_table(data(alone), "accuracy"), Condition=CONDITIONS["few_shot"])[
            "Calls"
        ]
        == 2
    )
    table = the_table(
        data(alone, scores("srdcr", SAID, model=OTHER, reuse="few_shot.eval")),
        "accuracy",
    )
    few_shot = row(table, Condition=CONDITIONS["few_shot"])  # of SR-DCR's run
    assert math.isnan(few_shot["Calls"])
    place = table.frame["Condition"].tolist().index("SR-DCR")
    assert list(table.marks) == [Cell(place, "Calls")]


def test_accuracy_by_severity_and_of_dates_by_offset() -> None:
    dates = [one._replace(offset=-40.0 if one.severity else NONE) for one in SAID]
    assert not shown(worked(), "offsets")
    made = data(scores("srdcr", dates, domain="years"))
    found = row(the_table(made, "severity"), Condition="SR-DCR")
    assert [found[f"Severity {n}"] for n in (1, 2, 5)] == [0, 1, 0.5]
    assert math.isnan(found["Severity 3"])
    assert (found["All"], found["Samples"]) == (0.5, 4)
    found = row(the_table(made, "offsets"), Condition="SR-DCR")
    assert (found["40 years"], found["All"]) == (0.5, 0.5)
    assert math.isnan(found["20 years"])


def test_samples_by_domain() -> None:
    found = row(the_table(worked(), "strata"), Domain="Drug dosages")
    assert (found["Standard"], found["Perturbed"]) == (4, 4)
    assert [found[f"Severity {n}"] for n in range(1, 6)] == [1, 1, 0, 0, 2]


def test_table_1_has_ours_beside_the_printed() -> None:
    table = the_table(data(scores("srdcr", SAID)), "table_1")
    found = line(table, "GPT-4o", "SR-DCR")
    assert found["Perturbed", "paper"] == pytest.approx(0.5451)
    assert found["Perturbed", "diff."] == pytest.approx(0.5 - 0.5451)
    assert math.isnan(line(table, "GPT-3.5", "SR-DCR")["Standard", "ours"])
    prior = line(table, "GPT-4o", CONDITIONS["prior"])
    assert prior["Overall", "ours"] == 0.75
    assert math.isnan(prior["Overall", "paper"])
    at = Cell(place(table, "GPT-4o", "SR-DCR"), ("Overall", "paper"))
    assert "Above Golden" in table.marks[at]
    garbled = place(table, "Llama 3.3 70B", "SR-DCR")
    assert "garbled" in table.marks[Cell(garbled)]
    assert "not published" in table.note


def test_table_1_shows_the_printed_alone_without_a_model_of_the_paper() -> None:
    table = the_table(worked(), "table_1")
    assert set(table.frame["Model"]) == set(MODELS.values())
    printed = row(table, Model="Claude Sonnet 3.7", Condition="SR-DCR")
    assert printed["Overall"] == pytest.approx(0.6976)
    assert "No model of the paper" in table.note
    assert laid_out(table).footnotes


def test_a_variant_has_no_printed_values() -> None:
    seeing = scores("srdcr", SAID, parameters={"critic_sees_context": True}, run="b")
    made = data(scores("srdcr", SAID, run="a"), seeing)
    variant = line(
        the_table(made, "table_1"), "GPT-4o", "SR-DCR, critic_sees_context=true"
    )
    assert variant["Perturbed", "ours"] == 0.5
    assert math.isnan(variant["Perturbed", "paper"])


def test_table_2_takes_dates_alone() -> None:
    offsets = (20.0, -40.0, 60.0, -100.0, 200.0)
    said = [
        Said(f"q{n}", n, "right", "passage", (0, 0, n % 2), offset=offset)
        for n, offset in enumerate(offsets, start=1)
    ]
    table = the_table(data(scores("srdcr", said, domain="years")), "table_2")
    found = line(table, "GPT-4o", "SR-DCR")
    ours = [value for column, value in found.items() if column[1] == "ours"]
    assert ours == [0, 1, 0, 1, 0, pytest.approx(0.4)]
    assert (
        "No model of the paper"
        in the_table(data(scores("srdcr", said)), "table_2").note
    )


def test_what_was_abstained_on() -> None:
    table = the_table(worked(), "abstention")
    assert set(table.frame["Condition"]) == {"SR-DCR"}
    standard = row(table, Half="Standard")
    assert (standard["Abstentions"], standard["Prior was right"]) == (1, 1)
    assert standard["Passage's was right"] == 1
    perturbed = row(table, Half="Perturbed")
    assert (perturbed["Abstentions"], perturbed["Neither was"]) == (1, 1)
    assert perturbed["Selective"] == pytest.approx(2 / 3)
    both = row(table, Half="Overall")
    assert (both["Abstentions"], both["Neither was"]) == (2, 0.5)
    sure = scores("srdcr", [SAID[0]], model=OTHER)
    assert not shown(data(sure), "abstention")


def test_risk_over_coverage() -> None:
    said = [
        Said("q1", 1, "right", "passage", (0, 0, 0), confidence=0.9),
        Said("q2", 1, "other", "passage", (0, 0, 0), confidence=0.8),
        Said("q3", 0, "right", "right", (1, 1, 1), confidence=0.7),
        Said("q4", 1, "right", "passage", (0, 0, 0), confidence=0.6),
    ]
    made = data(scores("srdcr", said, model=OTHER))
    table = the_table(made, "risk_coverage")
    prior = row(table, Condition=CONDITIONS["prior"])
    # Risks from the surest on: 0, 1/2, 1/3, 1/4; the best order has 0, 0, 0, 1/4.
    assert prior["Area"] == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    assert prior["Above the least"] == pytest.approx(prior["Area"] - 1 / 16)
    # The judge's trust comes first, then the prior answer's confidence.
    gated = row(table, Condition="SR-DCR over all thresholds")
    assert gated["Area"] == pytest.approx((0 + 0 + 1 / 3 + 1 / 4) / 4)
    few_shot = row(table, Condition=CONDITIONS["few_shot"])
    assert few_shot["Area"] == few_shot["Wrong"] == 0.75  # all of one confidence


def test_whose_answer_is_given() -> None:
    table = the_table(worked(), "preference_severity")
    assert not shown(worked(), "preference_tier")
    context = row(table, Condition="SR-DCR", Given="Passage's")
    # The prior; an abstention; the passage's; the right answer, which the prior is.
    assert (context["All"], context["Samples"]) == (0.25, 4)
    assert [context[f"Severity {n}"] for n in (1, 2, 5)] == [1, 0, 0]
    assert math.isnan(context["Severity 3"])
    prior = row(table, Condition="SR-DCR", Given="Prior")
    assert (prior["All"], prior["Severity 5"]) == (0.5, 0.5)
    known = [one._replace(recall=0.9 if one.severity == 1 else 0.1) for one in SAID]
    asking = [one._replace(own="passage") for one in known]
    made = data(scores("srdcr", known), scores("self_ask", asking))
    by_tier = the_table(made, "preference_tier")
    context = row(by_tier, Condition="SR-DCR", Given="Passage's")
    assert (context["Highly known"], context["Weakly known"]) == (1, 0)
    assert row(by_tier, Condition="Self-Ask")["Given"] == "Passage's"


def test_biases_where_one_of_both_is_right() -> None:
    found = row(the_table(worked(), "biases"), Condition="SR-DCR")
    # The prior alone is right on three perturbed items (kept, fooled, kept), the
    # passage on one (followed). Of q2 perturbed neither is.
    assert (found["Accuracy: n"], found["Accuracy"]) == (4, 0.75)
    assert (found["Context bias: n"], found["Context bias"]) == (
        3,
        pytest.approx(1 / 3),
    )
    assert (found["Prior bias: n"], found["Prior bias"]) == (1, 0)


def test_conditions_without_a_prior_answer_have_the_models() -> None:
    own = [one._replace(own="passage") for one in SAID if one.severity]
    made = data(scores("srdcr", SAID), scores("self_ask", own))
    found = row(the_table(made, "biases"), Condition="Self-Ask")
    assert (found["Context bias: n"], found["Context bias"]) == (3, 1)
    contested = row(the_table(made, "contested"), Condition="Self-Ask")
    assert contested["Samples"] == 3
    alone = data(scores("self_ask", own))
    assert not shown(alone, "biases")
    assert not shown(alone, "contested")
    assert not shown(alone, "agreement")


def test_where_prior_and_contextual_answer_differ() -> None:
    found = row(the_table(worked(), "contested"), Condition="SR-DCR")
    # Standard: q2 (right). Perturbed: q1 (right), q2 (abstained), q3 (fooled).
    assert (found["Standard"], found["Perturbed"]) == (1, pytest.approx(1 / 3))
    assert found["Coverage"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["Samples"] == 4
    table = the_table(worked(), "agreement")
    assert row(table, Half="Standard")["Agree"] == 0.75
    assert row(table, Half="Perturbed")["Agree"] == 0.25


def test_agents_whose_first_answers_are_the_same() -> None:
    debates = scores("naive_debate", SAID)
    debates["clash.first_answers_same"] = [1, 1, 0, math.nan, 1, 1, 1, 1]
    made = data(debates, scores("srdcr", SAID))
    found = row(the_table(made, "agents"), Condition="Naive Debate")
    # Six of the seven of which all could be read.
    assert (found["The same"], found["Samples"]) == (pytest.approx(6 / 7), 7)
    assert not shown(data(scores("srdcr", SAID)), "agents")


def test_decisions_by_round() -> None:
    table = the_table(worked(), "rounds")
    first = row(table, Condition="SR-DCR", Round=0)
    # Standard: right, abstained, right, right; perturbed: fooled, abstained,
    # abstained, right (the prior, of which the model is sure).
    assert (first["Standard"], first["Perturbed"]) == (0.75, 0.25)
    assert first["Coverage"] == pytest.approx((3 / 4 + 2 / 4) / 2)
    assert (first["Passage's"], first["Prior"]) == (0.25, 0.25)
    ungated = row(table, Condition=CONDITIONS["acvd_only"], Round=0)
    assert (ungated["Perturbed"], ungated["Coverage"]) == (0.5, 1)
    assert not shown(data(scores("few_shot", SAID)), "rounds")


def test_verdicts_by_round() -> None:
    first = row(the_table(worked(), "verdicts"), Round=0)
    assert (first["Standard"], first["Perturbed"]) == (0.75, 0.25)
    last = row(the_table(worked(), "verdicts"), Round=2)
    assert (last["Standard"], last["Perturbed"]) == (pytest.approx(2 / 3), 0.25)
    assert last["Verdicts"] == 7
    assert not shown(data(scores("few_shot", SAID)), "verdicts")


def test_when_verdicts_settle() -> None:
    table = the_table(worked(), "settling")
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


def test_each_judge_of_a_panel_alone() -> None:
    judges = {"judge_1": "x/one", "judge_2": "x/two"}
    made = scores("srdcr", SAID[:2], model=OTHER, judge="x/one, x/two")
    made["models"] = made["models"].map(lambda models: models | judges)
    for judge, right in (("judge_1", [1.0, 0.0]), ("judge_2", [1.0, 1.0])):
        for name in MEASURES:
            value = right if name in ("strict", "normalised") else 1.0
            made[f"clash.{name}_srdcr_{judge}"] = value
    table = the_table(data(made), "panel")
    first = row(table, Verdicts="judge 1 (x/one)")
    assert (first["Standard"], first["Perturbed"], first["Overall"]) == (1, 0, 0.5)
    assert first["Condition"] == "SR-DCR, judge=one, two"
    assert row(table, Verdicts="judge 2 (x/two)")["Perturbed"] == 1
    assert not shown(data(scores("srdcr", SAID)), "panel")


def test_equal_answers_that_were_not_debated_are_not_judged() -> None:
    agreed = Said("q1", 0, "right", "right", debated=False)
    read = SAID[2]
    table = the_table(data(scores("srdcr", [agreed, read])), "settling")
    found = row(table, Half="Standard")
    assert (found["Debates"], found["Not judged"]) == (1, 1)


KNOWN = (
    Said("q1", 0, "right", "right", confidence=0.95, recall=1.0),
    Said("q2", 0, "right", "right", confidence=0.9, recall=0.9),
    Said("q3", 0, "other", "right", confidence=0.92, recall=0.5),
    Said("q4", 1, "other", "passage", confidence=0.3, recall=0.1),
    Said("q5", 1, "other", "passage", confidence=0.2, recall=0.0),
)


def estimated(*said: Said, **columns: Any) -> Data:
    made = scores("srdcr", said or KNOWN)
    return data(made.assign(**{f"self_confidence.{n}": v for n, v in columns.items()}))


def test_tiers_and_the_confidence_in_them() -> None:
    table = the_table(estimated(), "tiers")
    highly = row(table, Tier="Highly known")
    assert (highly["Items"], highly["Share"]) == (2, 0.4)
    assert (highly["Mean"], highly["Prior right"]) == (pytest.approx(0.925), 1)
    assert highly["Confident"] == 1
    maybe = row(table, Tier="Maybe known")
    assert (maybe["Prior right"], maybe["Confident"]) == (0, 1)
    assert row(table, Tier="Unknown")["Median"] == 0.2
    assert not shown(estimated(KNOWN[0]._replace(recall=NONE)), "tiers")


def test_highly_known_given_a_confidence() -> None:
    found = row(the_table(estimated(), "known"), **{"Confidence from": "the one used"})
    assert (found["0.90"], found["0.90: n"]) == (pytest.approx(2 / 3), 3)
    assert (found["0.95"], found["0.95: n"]) == (1, 1)
    assert found["0.50: n"] == 3
    assert not shown(estimated(KNOWN[0]._replace(recall=NONE)), "known")


def test_confidences_against_what_is_right() -> None:
    table = the_table(estimated(), "calibration")
    at = {"Answer": "Prior", "Confidence from": "the one used"}
    found = row(table, **at)
    wrong = [0.05, 0.1, 0.92, 0.3, 0.2]
    assert found["Items"] == 5
    assert found["Right"] == 0.4
    assert found["Brier"] == pytest.approx(sum(w**2 for w in wrong) / 5)
    assert found["Brier, base rate"] == pytest.approx(0.4 * 0.6)
    assert found["Log score"] == pytest.approx(-sum(log(1 - w) for w in wrong) / 5)
    # Bins of 0.9 (three items), 0.3 and 0.2 (one each).
    gaps = [abs(0.95 + 0.9 + 0.92 - 2), 0.3, 0.2]
    assert found["ECE"] == pytest.approx(sum(gaps) / 5)
    contextual = row(table, **(at | {"Answer": "Contextual"}))
    assert (contextual["Right"], contextual["Mean"]) == (0.6, pytest.approx(0.8))
    unknown = [one._replace(prior=None, contextual=None) for one in KNOWN]
    assert not shown(estimated(*unknown), "calibration")


def test_both_sources_on_the_same_items() -> None:
    shares = [0.95, 0.5, 1.0, 0.1, NONE]
    found = row(the_table(estimated(confidence_consistency=shares), "sources"), Items=4)
    assert found["Mean, log-probabilities"] == pytest.approx(3.07 / 4)
    assert found["Mean, self-consistency"] == pytest.approx(2.55 / 4)
    assert found["Same side of tau"] == 0.75  # all but the second
    assert found["Spearman"] == pytest.approx(0.8)  # ranks 4231 and 3241
    assert not shown(estimated(), "sources")


def test_where_confidences_came_from() -> None:
    found = row(
        the_table(
            estimated(
                source=[1.0, 1.0, 2.0, 2.0, NONE],
                tokens_ok=[1.0, 1.0, 0.0, 0.0, 0.0],
                tokens_absent=[0.0, 0.0, 1.0, 0.0, 0.0],
                tokens_misaligned=[0.0, 0.0, 0.0, 0.0, 1.0],
            ),
            "origins",
        )
    )
    assert found["From log-probabilities"] == found["From self-consistency"] == 2
    assert found["No confidence"] == 1
    assert found["None were sent"] == found["Tokens do not spell the answer"] == 1
    assert found["Not asked for"] == 1
    own = scores("self_ask", [KNOWN[0]._replace(own="right")])
    assert not shown(data(own), "origins")


SEEN = [Said(f"q{n}", 1, "right", "passage", (0, 0, 0)) for n in range(8)]
"""Perturbed passages that SR-DCR sees through."""

REJECTED = [Said(f"q{n}", 0, "other", "right", (0, 0, 0)) for n in range(4)]
"""Right passages that it rejects: half as many, so that halves and items differ."""


def compared(*frames: pd.DataFrame) -> Table:
    return the_table(data(*frames), "comparisons")


def found(table: Table, other: str, scope: str = "overall") -> dict[str, Any]:
    return row(table, **{"Compared with": other, "Model": f"GPT-4o: {scope}"})


def test_overall_is_the_mean_of_both_halves() -> None:
    table = compared(scores("srdcr", SEEN + REJECTED))
    overall = found(table, CONDITIONS["few_shot"])
    # Eight gained of eight, four lost of four.
    assert (overall["SR-DCR"], overall["Other condition"]) == (0.5, 0.5)
    assert (overall["Difference"], overall["Samples"]) == (0, 12)
    assert overall["Test"] == "sign flip"
    perturbed = found(table, CONDITIONS["few_shot"], "perturbed")
    assert (perturbed["Difference"], perturbed["Samples"]) == (1, 8)
    assert perturbed["Test"] == "McNemar"
    assert perturbed["p"] == pytest.approx(0.5**8)  # mid-p of eight to none
    standard = found(table, CONDITIONS["few_shot"], "standard")
    assert standard["Difference"] == -1
    assert standard["p"] == pytest.approx(0.5**4)
    assert overall["p"] > 0.9


def test_p_values_are_corrected_over_the_conditions_of_a_scope() -> None:
    table = compared(scores("srdcr", SEEN + REJECTED))
    family = table.frame[table.frame["Model"] == "GPT-4o: perturbed"]
    assert len(family) == 7  # all conditions but SR-DCR itself
    # Few-shot alone is told apart, or ties with others that took the passage's answer.
    least = family["p"].min()
    first = family[family["p"] == least].iloc[0]
    assert first["p (Holm)"] == pytest.approx(min(1, 7 * least))
    assert set(table.frame["Answers"]) == {"same"}


def test_samples_that_are_left_out_are_counted_by_cause() -> None:
    ours = [*SEEN[:4], Said("q9", 1, "right", "passage", (0, 0, NONE))]
    failed = scores("srdcr", [Said("q7", 1)], run="b", scored=False)
    others = [one._replace(own="passage") for one in SEEN]
    others[0] = others[0]._replace(severity=3)
    table = compared(
        pd.concat([scores("srdcr", ours, run="b"), failed]),
        scores("self_ask", [*others, Said("q9", 1, own="right")]),
    )
    against = found(table, "Self-Ask", "perturbed")
    assert against["Samples"] == 3
    assert against["Left out"] == (
        "3 in one condition only, 1 of other content, 1 failed, 1 not read"
    )
    assert against["Answers"] == "own"


def test_whether_conditions_share_their_answers() -> None:
    ours = scores("srdcr", SEEN)
    table = compared(ours, scores("few_shot", SEEN), scores("golden", SEEN))
    assert set(table.frame["Answers"]) == {"same"}  # those of SR-DCR's run
    bold: dict[str, Any] = {"parameters": {"tau": 0.8}}
    named = f"{CONDITIONS['confidence_only']}, tau=0.8"
    for reuse, told in ((None, "anew"), ("srdcr.eval", "same")):
        gated = scores("confidence_only", SEEN, reuse=reuse, **bold)
        assert found(compared(ours, gated), named)["Answers"] == told
    mixed = pd.concat(
        [
            scores("confidence_only", SEEN[:4], run="a", reuse="srdcr.eval", **bold),
            scores("confidence_only", SEEN[4:], run="b", **bold),
        ]
    )
    assert found(compared(ours, mixed), named)["Answers"] == "partly the same"


def test_another_variant_is_a_condition_like_others() -> None:
    seeing = scores("srdcr", SEEN, run="b", parameters={"critic_sees_context": True})
    table = compared(scores("srdcr", SEEN, run="a"), seeing)
    told = set(table.frame["Compared with"])
    assert "SR-DCR, critic_sees_context=true" in told
    assert "SR-DCR" not in told


def test_without_sr_dcr_nothing_is_compared() -> None:
    assert not shown(data(scores("few_shot", SEEN)), "comparisons")
    one_half = found(compared(scores("srdcr", SEEN)), CONDITIONS["few_shot"])
    assert one_half["Test"] == "none"  # there is no mean of both halves
    assert pd.isna(one_half["Difference"])
