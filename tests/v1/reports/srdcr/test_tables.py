"""Tables on invented answers, worked out by hand."""

import math
from collections.abc import Callable
from functools import cache
from math import log
from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.reports.elements import Cell, Table
from inspect_debate.v1.reports.srdcr.measures import Data
from inspect_debate.v1.reports.srdcr.rows import CONDITIONS, MEASURES, MODELS
from inspect_debate.v1.reports.tables import laid_out
from tests.v1.reports.reported import Expected, expected
from tests.v1.reports.srdcr.made_clash import (
    CASES,
    NONE,
    OTHER,
    Case,
    data,
    row,
    scores,
    shown,
    table_of,
    worked,
)

PRIOR, FEW_SHOT = CONDITIONS["prior"], CONDITIONS["few_shot"]

KNOWN = (
    Case("q1", 0, "right", "right", confidence=0.95, recall=1.0),
    Case("q2", 0, "right", "right", confidence=0.9, recall=0.9),
    Case("q3", 0, "other", "right", confidence=0.92, recall=0.5),
    Case("q4", 1, "other", "passage", confidence=0.3, recall=0.1),
    Case("q5", 1, "other", "passage", confidence=0.2, recall=0.0),
)
RANKED = (
    Case("q1", 1, "right", "passage", (0, 0, 0), confidence=0.9),
    Case("q2", 1, "other", "passage", (0, 0, 0), confidence=0.8),
    Case("q3", 0, "right", "right", (1, 1, 1), confidence=0.7),
    Case("q4", 1, "right", "passage", (0, 0, 0), confidence=0.6),
)
DATES = [one._replace(offset=-40.0 if one.severity else NONE) for one in CASES]
RECALLED = [one._replace(recall=0.9 if one.severity == 1 else 0.1) for one in CASES]
FOOLED = [one._replace(own="passage") for one in CASES if one.severity]
AGREED = Case("q1", 0, "right", "right", debated=False)


def with_confidence(*cases: Case, **columns: Any) -> Data:
    made = scores("srdcr", cases or KNOWN)
    return data(made.assign(**{f"self_confidence.{n}": v for n, v in columns.items()}))


def panel() -> Data:
    """Two judges, the first of which is fooled."""
    judges = {"judge_1": "x/one", "judge_2": "x/two"}
    made = scores("srdcr", CASES[:2], model=OTHER, judge="x/one, x/two")
    made["models"] = made["models"].map(lambda models: models | judges)
    for name in MEASURES:
        first = [1.0, 0.0] if name in ("strict", "normalised") else 1.0
        made[f"clash.{name}_srdcr_judge_1"] = first
        made[f"clash.{name}_srdcr_judge_2"] = 1.0
    return data(made)


def debating() -> Data:
    same = {"clash.first_answers_same": [1, 1, 0, NONE, 1, 1, 1, 1]}
    return data(scores("naive_debate", CASES).assign(**same), scores("srdcr", CASES))


DATA: dict[str, Callable[[], Data]] = {
    "worked": worked,
    "dates": lambda: data(scores("srdcr", DATES, domain="years")),
    "ranked": lambda: data(scores("srdcr", RANKED, model=OTHER)),
    "recalled": lambda: data(
        scores("srdcr", RECALLED),
        scores("self_ask", [one._replace(own="passage") for one in RECALLED]),
    ),
    "fooled": lambda: data(scores("srdcr", CASES), scores("self_ask", FOOLED)),
    "debating": debating,
    "panel": panel,
    "agreed": lambda: data(scores("srdcr", [AGREED, CASES[2]])),
    "known": with_confidence,
    "both": lambda: with_confidence(confidence_consistency=[0.95, 0.5, 1, 0.1, NONE]),
    "origins": lambda: with_confidence(
        source=[1, 1, 2, 2, NONE],
        tokens_ok=[1, 1, 0, 0, 0],
        tokens_absent=[0, 0, 1, 0, 0],
        tokens_misaligned=[0, 0, 0, 0, 1],
    ),
}

ROWS = """
# Standard: right, right, abstained, unread; perturbed: right, abstained, fooled, right
# (the contextual answer is right although the passage is not).
worked | accuracy | Condition=SR-DCR | Standard=2/3; Perturbed=2/4; Overall=7/12
worked | accuracy | Condition=SR-DCR | Coverage=17/24; Selective=4/5; Samples=7
worked | accuracy | Condition=SR-DCR | Not scored=1; Calls=14; Tokens=100
# The answers of the baselines are those of SR-DCR's run.
worked | accuracy | Condition=Prior answer (closed book) | Overall=3/4
worked | accuracy | Condition=Few-shot (contextual answer) | Standard=1; Perturbed=1/4
worked | accuracy | Condition=Few-shot (contextual answer) | Calls=nan
worked | accuracy | Condition=Golden | Standard=1; Perturbed=3/4
worked | accuracy | Condition=Always abstaining | Overall=0; Coverage=0; Selective=nan
worked | strata | Domain=Drug dosages | Standard=4; Perturbed=4; Severity 1=1
worked | strata | Domain=Drug dosages | Severity 2=1; Severity 3=0; Severity 5=2
dates | severity | Condition=SR-DCR | Severity 1=0; Severity 2=1; Severity 3=nan
dates | severity | Condition=SR-DCR | Severity 5=1/2; All=1/2; Samples=4
dates | offsets | Condition=SR-DCR | 40 years=1/2; All=1/2; 20 years=nan
worked | abstention | Half=Standard | Abstentions=1; Prior was right=1
worked | abstention | Half=Standard | Passage's was right=1
worked | abstention | Half=Perturbed | Abstentions=1; Neither was=1; Selective=2/3
worked | abstention | Half=Overall | Abstentions=2; Neither was=1/2
# Risks from the surest on: 0, 1/2, 1/3, 1/4; the best order has 0, 0, 0, 1/4.
ranked | risk_coverage | Condition=Prior answer (closed book) | Area=13/48
ranked | risk_coverage | Condition=Prior answer (closed book) | Above the least=10/48
# The judge's trust comes first, then the prior answer's confidence.
ranked | risk_coverage | Condition=SR-DCR over all thresholds | Area=7/48
# All contextual answers have one confidence.
ranked | risk_coverage | Condition=Few-shot (contextual answer) | Area=3/4; Wrong=3/4
# The prior; an abstention; the passage's; the right answer, which the prior is.
worked | preference_severity | Given=Passage's; Condition=SR-DCR | All=1/4; Samples=4
worked | preference_severity | Given=Passage's; Condition=SR-DCR | Severity 1=1
worked | preference_severity | Given=Passage's; Condition=SR-DCR | Severity 2=0
worked | preference_severity | Given=Passage's; Condition=SR-DCR | Severity 3=nan
worked | preference_severity | Given=Prior; Condition=SR-DCR | All=1/2; Severity 5=1/2
recalled | preference_tier | Given=Passage's; Condition=SR-DCR | Highly known=1
recalled | preference_tier | Given=Passage's; Condition=SR-DCR | Weakly known=0
recalled | preference_tier | Condition=Self-Ask | Given=Passage's
# The prior alone is right on three perturbed items (kept, fooled, kept), the passage on
# one (followed). Of q2 perturbed neither is.
worked | biases | Condition=SR-DCR | Accuracy=3/4; Accuracy: n=4; Context bias=1/3
worked | biases | Condition=SR-DCR | Context bias: n=3; Prior bias=0; Prior bias: n=1
# A condition without a prior answer has the model's.
fooled | biases | Condition=Self-Ask | Context bias=1; Context bias: n=3
fooled | contested | Condition=Self-Ask | Samples=3
# Standard: q2 (right). Perturbed: q1 (right), q2 (abstained), q3 (fooled).
worked | contested | Condition=SR-DCR | Standard=1; Perturbed=1/3; Coverage=5/6
worked | contested | Condition=SR-DCR | Samples=4
worked | agreement | Half=Standard | Agree=3/4
worked | agreement | Half=Perturbed | Agree=1/4
# Six of the seven of which all could be read.
debating | agents | Condition=Naive Debate | The same=6/7; Samples=7
# Standard: right, abstained, right, right; perturbed: fooled, abstained, abstained,
# right (the prior, of which the model is sure).
worked | rounds | Condition=SR-DCR; Round=0 | Standard=3/4; Perturbed=1/4; Coverage=5/8
worked | rounds | Condition=SR-DCR; Round=0 | Passage's=1/4; Prior=1/4
worked | rounds | Condition=Debate alone (ACVD); Round=0 | Perturbed=1/2; Coverage=1
worked | verdicts | Round=0 | Standard=3/4; Perturbed=1/4
worked | verdicts | Round=2 | Standard=2/3; Perturbed=1/4; Verdicts=7
# (1,1,1) from 0, (0,1,1) and (1,0,0) from 1, one whose end was not read.
worked | settling | Half=Standard | From 0=1/3; From 1=2/3; From 2=0; Debates=4
worked | settling | Half=Standard | Last not read=1; Changes=2/4
# (1,0,0), (0,0,0), (0,0,1), (0,1,0)
worked | settling | Half=Perturbed | From 0=1/4; From 1=1/4; From 2=1/2; Changes=1
worked | settling | Half=Perturbed | Never changed=1/4
agreed | settling | Half=Standard | Debates=1; Not judged=1
panel | panel | Verdicts=judge 1 (x/one) | Standard=1; Perturbed=0; Overall=1/2
panel | panel | Verdicts=judge 1 (x/one) | Condition=SR-DCR, judge=one, two
panel | panel | Verdicts=judge 2 (x/two) | Perturbed=1
known | tiers | Tier=Highly known | Items=2; Share=2/5; Mean=37/40; Confident=1
known | tiers | Tier=Highly known | Prior right=1
known | tiers | Tier=Maybe known | Prior right=0; Confident=1
known | tiers | Tier=Unknown | Median=1/5
known | known | Confidence from=the one used | 0.50: n=3; 0.90=2/3; 0.90: n=3
known | known | Confidence from=the one used | 0.95=1; 0.95: n=1
# Bins of 0.9 (three items), 0.3 and 0.2: gaps of 0.77, 0.3 and 0.2, over five items.
known | calibration | Answer=Prior; Confidence from=the one used | Items=5; Right=2/5
known | calibration | Answer=Prior; Confidence from=the one used | ECE=127/500
# Off by 0.05, 0.1, 0.92, 0.3 and 0.2.
known | calibration | Answer=Prior; Confidence from=the one used | Brier=9889/50000
known | calibration | Answer=Prior; Confidence from=the one used | Brier, base rate=6/25
known | calibration | Answer=Contextual; Confidence from=the one used | Right=3/5
known | calibration | Answer=Contextual; Confidence from=the one used | Mean=4/5
# On the same side of tau: all but the second; ranks are 4231 and 3241.
both | sources | Items=4 | Same side of tau=3/4; Spearman=4/5
both | sources | Items=4 | Mean, log-probabilities=307/400
both | sources | Items=4 | Mean, self-consistency=255/400
origins | origins | Items=5 | From log-probabilities=2; From self-consistency=2
origins | origins | Items=5 | No confidence=1; None were sent=1; Not asked for=1
origins | origins | Items=5 | Tokens do not spell the answer=1
"""


@cache
def made(name: str) -> Data:
    return DATA[name]()


@pytest.mark.parametrize("line", expected(ROWS))
def test_rows(line: Expected) -> None:
    line.check(table_of(made(line.data), line.table))


def of(protocol: str, *cases: Case) -> Callable[[], Data]:
    return lambda: data(scores(protocol, cases or CASES))


@pytest.mark.parametrize(
    ("found", "names"),
    [
        (worked, ["offsets", "preference_tier"]),
        (of("srdcr", CASES[0]), ["abstention"]),
        (of("self_ask", *FOOLED), ["biases", "contested", "agreement"]),
        (of("srdcr"), ["agents", "panel"]),
        (of("few_shot"), ["rounds", "verdicts", "comparisons"]),
        (of("srdcr", KNOWN[0]._replace(recall=NONE)), ["tiers", "known"]),
        (with_confidence, ["sources"]),
        (of("self_ask", KNOWN[0]._replace(own="right")), ["origins"]),
        (
            of("srdcr", *(s._replace(prior=None, contextual=None) for s in KNOWN)),
            ["calibration"],
        ),
    ],
)
def test_tables_of_which_there_is_nothing(
    found: Callable[[], Data], names: list[str]
) -> None:
    assert {name: shown(found(), name) for name in names} == {n: [] for n in names}


def test_values_are_in_their_intervals() -> None:
    found = row(table_of(worked(), "accuracy"), Condition="SR-DCR")
    assert found["Standard low"] < found["Standard"] < found["Standard high"]


def test_log_score() -> None:
    at = {"Answer": "Prior", "Confidence from": "the one used"}
    found = row(table_of(made("known"), "calibration"), **at)
    misses = [0.05, 0.1, 0.92, 0.3, 0.2]
    assert found["Log score"] == pytest.approx(-sum(log(1 - w) for w in misses) / 5)


def test_calls_are_those_of_a_conditions_own_runs() -> None:
    alone = scores("few_shot", CASES, model=OTHER)
    few_shot = row(table_of(data(alone), "accuracy"), Condition=FEW_SHOT)
    assert few_shot["Calls"] == 2
    again = scores("srdcr", CASES, model=OTHER, reuse="few_shot.eval")
    table = table_of(data(alone, again), "accuracy")
    assert math.isnan(row(table, Condition=FEW_SHOT)["Calls"])  # of SR-DCR's run
    place = table.frame["Condition"].tolist().index("SR-DCR")
    assert list(table.marks) == [Cell(place, "Calls")]


# The paper's tables, on two levels.


def place(table: Table, model: str, condition: str) -> int:
    named = zip(table.frame["Model", ""], table.frame["Condition", ""], strict=True)
    return list(named).index((model, condition))


def line(table: Table, model: str, condition: str) -> dict[Any, Any]:
    """A row by model and condition."""
    return dict(table.frame.iloc[place(table, model, condition)])


def test_table_1_has_ours_beside_the_printed() -> None:
    table = table_of(data(scores("srdcr", CASES)), "table_1")
    found = line(table, "GPT-4o", "SR-DCR")
    assert found["Perturbed", "paper"] == pytest.approx(0.5451)
    assert found["Perturbed", "diff."] == pytest.approx(0.5 - 0.5451)
    assert math.isnan(line(table, "GPT-3.5", "SR-DCR")["Standard", "ours"])
    prior = line(table, "GPT-4o", PRIOR)
    assert prior["Overall", "ours"] == 0.75
    assert math.isnan(prior["Overall", "paper"])
    at = Cell(place(table, "GPT-4o", "SR-DCR"), ("Overall", "paper"))
    assert "Above Golden" in table.marks[at]
    garbled = place(table, "Llama 3.3 70B", "SR-DCR")
    assert "garbled" in table.marks[Cell(garbled)]
    assert "not published" in table.note


def test_table_1_shows_the_printed_alone_without_a_model_of_the_paper() -> None:
    table = table_of(worked(), "table_1")
    assert set(table.frame["Model"]) == set(MODELS.values())
    printed = row(table, Model="Claude Sonnet 3.7", Condition="SR-DCR")
    assert printed["Overall"] == pytest.approx(0.6976)
    assert "No model of the paper" in table.note
    assert laid_out(table).footnotes


def test_a_variant_has_no_printed_values() -> None:
    seeing = scores("srdcr", CASES, parameters={"critic_sees_context": True}, run="b")
    table = table_of(data(scores("srdcr", CASES, run="a"), seeing), "table_1")
    variant = line(table, "GPT-4o", "SR-DCR, critic_sees_context=true")
    assert variant["Perturbed", "ours"] == 0.5
    assert math.isnan(variant["Perturbed", "paper"])


def test_table_2_takes_dates_alone() -> None:
    offsets = (20.0, -40.0, 60.0, -100.0, 200.0)
    cases = [
        Case(f"q{n}", n, "right", "passage", (0, 0, n % 2), offset=offset)
        for n, offset in enumerate(offsets, start=1)
    ]
    table = table_of(data(scores("srdcr", cases, domain="years")), "table_2")
    found = line(table, "GPT-4o", "SR-DCR")
    ours = [value for column, value in found.items() if column[1] == "ours"]
    assert ours == [0, 1, 0, 1, 0, pytest.approx(0.4)]
    drugs = table_of(data(scores("srdcr", cases)), "table_2")
    assert "No model of the paper" in drugs.note


# Paired comparisons.

SEEN = [Case(f"q{n}", 1, "right", "passage", (0, 0, 0)) for n in range(8)]
"""Perturbed passages that SR-DCR sees through."""

REJECTED = [Case(f"q{n}", 0, "other", "right", (0, 0, 0)) for n in range(4)]
"""Right passages that it rejects: half as many, so that halves and items differ."""


def compared(*frames: pd.DataFrame) -> Table:
    return table_of(data(*frames), "comparisons")


def found(table: Table, other: str, scope: str = "overall") -> dict[str, Any]:
    return row(table, **{"Compared with": other, "Model": f"GPT-4o: {scope}"})


@cache
def both_halves() -> Table:
    return compared(scores("srdcr", SEEN + REJECTED))


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        # Eight gained of eight, four lost of four.
        ("overall", {"SR-DCR": 0.5, "Other condition": 0.5, "Difference": 0}),
        ("overall", {"Samples": 12, "Test": "sign flip"}),
        ("perturbed", {"Difference": 1, "Samples": 8, "Test": "McNemar"}),
        ("perturbed", {"p": 0.5**8}),  # mid-p of eight to none
        ("standard", {"Difference": -1, "p": 0.5**4}),
    ],
)
def test_overall_is_the_mean_of_both_halves(
    scope: str, expected: dict[str, Any]
) -> None:
    against = found(both_halves(), FEW_SHOT, scope)
    assert {name: against[name] for name in expected} == pytest.approx(expected)
    assert found(both_halves(), FEW_SHOT)["p"] > 0.9


def test_p_values_are_corrected_over_the_conditions_of_a_scope() -> None:
    frame = both_halves().frame
    family = frame[frame["Model"] == "GPT-4o: perturbed"]
    assert len(family) == 7  # all conditions but SR-DCR itself
    # Few-shot alone differs, or ties with others that took the passage's answer.
    least = family["p"].min()
    first = family[family["p"] == least].iloc[0]
    assert first["p (Holm)"] == pytest.approx(min(1, 7 * least))
    assert set(frame["Answers"]) == {"same"}


def test_samples_that_are_left_out_are_counted_by_cause() -> None:
    ours = [*SEEN[:4], Case("q9", 1, "right", "passage", (0, 0, NONE))]
    failed = scores("srdcr", [Case("q7", 1)], run="b", scored=False)
    others = [one._replace(own="passage") for one in SEEN]
    others[0] = others[0]._replace(severity=3)
    table = compared(
        pd.concat([scores("srdcr", ours, run="b"), failed]),
        scores("self_ask", [*others, Case("q9", 1, own="right")]),
    )
    against = found(table, "Self-Ask", "perturbed")
    assert (against["Samples"], against["Answers"]) == (3, "own")
    assert against["Left out"] == (
        "3 in one condition only, 1 of other content, 1 failed, 1 not read"
    )


def test_whether_conditions_share_their_answers() -> None:
    ours = scores("srdcr", SEEN)
    table = compared(ours, scores("few_shot", SEEN), scores("golden", SEEN))
    assert set(table.frame["Answers"]) == {"same"}  # those of SR-DCR's run
    bold: dict[str, Any] = {"parameters": {"tau": 0.8}}
    named = f"{CONDITIONS['confidence_only']}, tau=0.8"
    first = scores("confidence_only", SEEN[:4], run="a", reuse="srdcr.eval", **bold)
    mixed = pd.concat([first, scores("confidence_only", SEEN[4:], run="b", **bold)])
    anew, same = (
        scores("confidence_only", SEEN, reuse=reuse, **bold)
        for reuse in (None, "srdcr.eval")
    )
    for gated, answers in ((anew, "anew"), (same, "same"), (mixed, "partly the same")):
        assert found(compared(ours, gated), named)["Answers"] == answers


def test_another_variant_is_a_condition_like_others() -> None:
    seeing = scores("srdcr", SEEN, run="b", parameters={"critic_sees_context": True})
    others = set(
        compared(scores("srdcr", SEEN, run="a"), seeing).frame["Compared with"]
    )
    assert "SR-DCR, critic_sees_context=true" in others
    assert "SR-DCR" not in others


def test_one_half_has_no_overall_comparison() -> None:
    one_half = found(compared(scores("srdcr", SEEN)), FEW_SHOT)
    assert one_half["Test"] == "none"
    assert pd.isna(one_half["Difference"])
