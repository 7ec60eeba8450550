"""The report on generative debate, on logs whose numbers were worked out by hand."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalSample
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar

from inspect_debate.reports import frames
from inspect_debate.reports.generative import PROTOCOLS, TITLE, compare, gains, report
from inspect_debate.reports.report import Figure, Item, Table, write
from inspect_debate.scorers.verdicts import verdict_values
from tests.reports.conftest import WriteLog, sample
from tests.scorers.test_verdicts import record

MINI, NANO = "openai/gpt-5-mini-2025-08-07", "openai/gpt-5-nano"
STUDIED = {"arc": 1, "bcb_plus": "v1.0.2", "bcb": "v0.1.4"}


def judged(id: Any, truth: str, rulings: str, epoch: int = 1,
           **more: float) -> EvalSample:  # fmt: skip
    """A sample as the scorer leaves it.

    Answers are right (R), wrong (W), or could not be graded (E); rulings on them
    "correct" (C), "incorrect" (I), or unread (?).
    """
    values = verdict_values(record(truth, rulings))
    values |= {"answers_hash": hash((id, epoch, len(truth))), **more}
    return sample(f"t-{id}", "", epoch=epoch, scores={"verdicts": values})


def alone(id: Any, right: bool) -> EvalSample:
    """A sample of direct QA."""
    values = verdict_values(record("", judges="WR"[right]))
    return sample(f"t-{id}", "", scores={"verdicts": values})


def many(
    truths: Sequence[str], rulings: Sequence[str], **more: Any
) -> list[EvalSample]:
    return [
        judged(k, *one, **more)
        for k, one in enumerate(zip(truths, rulings, strict=True))
    ]


def hits(right: str) -> list[EvalSample]:
    """Samples with one wrong answer, on which verdicts are right (1) or not."""
    return [judged(k, "W", "CI"[int(hit)]) for k, hit in enumerate(right)]


@pytest.fixture
def log(write_log: WriteLog) -> WriteLog:
    def write_one(
        samples: Sequence[EvalSample],
        protocol: str,
        best_of: int = 1,
        dataset: str = "bcb_plus",
        **options: Any,
    ) -> str:
        chosen = {"best_of": best_of} if best_of > 1 else {}
        data = {"dataset": dataset, "version": STUDIED[dataset], "sha256": dataset}
        spoken = "word_limit" if protocol.endswith(("debate", "consultancy")) else "_"
        given: dict[str, Any] = {
            "study": "generative",
            "changed": chosen,
            "model": MINI,
            "roles": {"judge": NANO},
            "parameters": {"rounds": 2, spoken: 250},
            "metadata": {"data": data},
        }
        return write_log(samples, protocol, **given | options)

    return write_one


def found(logs: Iterable[str], full: bool = True) -> dict[str, Item]:
    items = report(frames.samples([*logs], "generative", PROTOCOLS), full)
    return {getattr(one, "name", type(one).__name__): one for one in items}


def table(items: dict[str, Item], name: str, *index: str) -> Any:
    one = items[name]
    assert isinstance(one, Table)
    return one.frame.set_index(list(index) or "Condition")


def said(items: dict[str, Item], what: str = "Headline") -> str:
    return str(items[what])


DUAL = [("RR", "CC"), ("RR", "CI"), ("RW", "CC"), ("RW", "CI"), ("WW", "CI"),
        ("WW", "II"), ("WW", "C?"), ("RE", "CC")]  # fmt: skip


def test_rates_by_hand(log: WriteLog) -> None:
    items = found([log(many(*zip(*DUAL, strict=True)), "dual_debate")])
    row = table(items, "accuracy").loc["Dual debate"]
    assert row["Accuracy"].value == pytest.approx(100 * 3 / 6)
    assert row["FPR"].value == pytest.approx(100 * 2 / 6)
    assert row["FNR"] == pytest.approx(100 * 1 / 7)
    assert (row["Samples"], row["No outcome"]) == (8, 2)
    regimes = table(items, "regimes").loc["Dual debate"]
    for name, n, value in (("All", 2, 50), ("One", 2, 50), ("None", 3, 50)):
        assert regimes[f"{name} right"].value == value
        assert regimes[f"n ({name.lower()})"] == n
    assert regimes["Share all right"].value == pytest.approx(100 * 2 / 7)
    assert regimes["Share none right"] == pytest.approx(100 * 3 / 7)
    assert regimes["All ruled correct"].value == pytest.approx(100 * 3 / 7)
    grades = table(items, "grades").loc["Dual debate"]
    assert (grades["Ungraded"], grades["Unread rulings"]) == (1, 1)


def test_single_formats_have_no_contested_answers(log: WriteLog) -> None:
    items = found([log(many(["R", "W"], ["C", "C"]), "single_debate")])
    row = table(items, "regimes").loc["Single debate"]
    assert (row["All right"].value, row["None right"].value) == (100, 0)
    assert (row["n (all)"], row["n (one)"], row["n (none)"]) == (1, 0, 1)


DEBATE, NONE = "1" * 10 + "0" * 10, "1" * 9 + "0" + "1" * 8 + "00"
"""Right only in the debate: 1; only without: 8; in both: 9; in neither: 2."""


def test_mcnemar_and_transitions(log: WriteLog) -> None:
    items = found([log(hits(NONE), "single_no_transcript"),
                   log(hits(DEBATE), "single_debate")])  # fmt: skip
    row = table(items, "paired").loc["Single debate"]
    assert (row["Less"], row["Pairs"]) == ("Single without transcript", 20)
    assert (row["Won"], row["Lost"], row["Outcome"]) == (1, 8, "loses")
    assert row["Difference"].value == pytest.approx(-35)
    theirs = mcnemar([[9, 1], [8, 2]], exact=True).pvalue
    assert row["p (McNemar)"] == pytest.approx(theirs)
    assert theirs == pytest.approx(binomtest(1, 9).pvalue)
    assert row["Difference"].high < 0
    assert row["p"] < row["p (McNemar)"]  # the mid-p-value
    moved = table(items, "transitions").loc["Single debate"]
    assert moved["Flips (%)"].value == pytest.approx(45)
    assert moved["Hurt of flips (%)"].value == pytest.approx(100 * 8 / 9)
    text = said(items)
    assert text.index("Single debate") < text.index("35.0 points lower")
    assert "50 % of wrong answers, against 15 %" in text


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [("1" * 6 + "0" * 6, "0" * 12, "wins"), ("1" * 5, "0" * 5, "ties"),
     ("1010", "1010", "ties")],
)  # fmt: skip
def test_the_tally(log: WriteLog, first: str, second: str, outcome: str) -> None:
    items = found([log(hits(first), "single_debate"),
                   log(hits(second), "single_consultancy")])  # fmt: skip
    assert f"{outcome} 1 (" in said(items, "str")
    assert table(items, "paired")["Outcome"]["Single debate"] == outcome


def test_with_epochs_questions_decide(log: WriteLog) -> None:
    """One question differs in eight epochs, which is no evidence."""

    def epochs(ruling: str) -> list[EvalSample]:
        same = [judged(0, "W", ruling, epoch=k) for k in range(1, 9)]
        return [*same, *(judged(k, "W", "I") for k in range(1, 9))]

    items = found([log(epochs("I"), "single_debate"),
                   log(epochs("C"), "single_consultancy")])  # fmt: skip
    row = table(items, "paired").loc["Single debate"]
    assert (row["Pairs"], row["Won"], row["Lost"]) == (16, 8, 0)
    assert "p (McNemar)" not in row
    assert row["Outcome"] == "ties"


def test_only_the_same_answers_are_compared(log: WriteLog) -> None:
    debate = many(["RW"] * 6, ["CI"] * 6)
    other = [judged(k, "RW", "CC", answers_hash=v) for k, v in enumerate((nan, 5.0))]
    other += debate[2:]
    items = found([log(debate, "dual_debate"), log(other, "dual_no_transcript")])
    assert table(items, "paired")["Pairs"]["Dual debate"] == 4
    assert "2 samples" in said(items, "Notice")


DIFFERENT: list[dict[str, Any]] = [
    {"roles": {"judge": "openai/gpt-4o"}},
    {"metadata": {"data": {"dataset": "bcb_plus", "sha256": "x"}}},
    {"metadata": {"data": {"dataset": "bcb_plus", "version": "v1.0.2",
                           "sha256": "bcb_plus"}, "prompts": {"judge": "1"}},
     "parameters": {"rounds": 2, "word_limit": 250, "prompts": "mine.yaml"}},
    {"settings": {"temperature": 0.5}},
    {"parameters": {"rounds": 2, "word_limit": 9}, "changed": {"word_limit": 9}},
]  # fmt: skip


def test_what_differs_is_not_compared(log: WriteLog) -> None:
    first = many(["RW"] * 3, ["CI"] * 3)
    alike = [log(first, name) for name in ("dual_debate", "dual_consultancy")]
    for options in DIFFERENT:
        other = log(first, "dual_consultancy", **options)
        items = found([alike[0], other])
        assert "paired" not in items
        assert "Dual debate" in said(items, "Notice")
        # Another one that differs in nothing is found.
        assert table(found([*alike, other]), "paired")["Pairs"].tolist() == [3]


def test_the_difference_in_differences_of_the_study() -> None:
    """72.6 and 80.1 % in debate, 78.0 and 75.0 % in consultancy."""
    frame = pd.DataFrame({"id": range(1000), "cluster": range(1000)})
    frame = frame.assign(epoch=1, answers_hash=1)
    d1, d4, c1, c4 = (
        frame.assign(verdict_correct=1.0 * (frame["id"] < right))
        for right in (726, 801, 780, 750)
    )
    both = gains(compare(d4, d1), compare(c4, c1)).difference
    assert both.estimate == pytest.approx(0.105)
    assert both.low > 0
    assert both.p < 0.001


def test_gains_by_the_best_of_several_speeches(log: WriteLog) -> None:
    """By question: 1 − 0 twice, 0 − −1 once, and one other answer is left out."""
    elsewhere = judged(3, "W", "I", answers_hash=5.0)
    logs = [
        log(hits("0000"), "single_debate", 1, "arc"),
        log(hits("1100"), "single_debate", 4, "arc"),
        log([*hits("001"), elsewhere], "single_consultancy", 1, "arc"),
        log([*hits("000"), elsewhere], "single_consultancy", 4, "arc"),
    ]
    items = found(logs)
    row = table(items, "differences").loc["Single debate, best_of=4"]
    assert (row["Samples"], row["Difference"].value) == (3, pytest.approx(100))
    assert (row["Printed"], row["Printed p"]) == (10.5, "< 0.001")
    assert table(items, "accuracy")["Printed"].tolist() == [72.6, 80.1, 78.0, 75.0]
    cells = table(items, "paired", "Condition", "Less")[["Pairs", "Won", "Lost"]]
    for one in ("debate", "consultancy"):
        ends = (f"Single {one}, best_of=4", f"Single {one}")
        assert cells.loc[ends].tolist() == ([4, 2, 0] if one == "debate" else [4, 0, 1])


def test_printed_values_of_the_same_condition_alone(log: WriteLog) -> None:
    rows = many(["RR", "WW"], ["CC", "CC"])
    logs = [log(rows, "dual_debate"), log(rows, "dual_no_transcript")]
    items = found(logs)
    assert table(items, "accuracy")["Printed FPR"].tolist() == [90, 30]
    assert table(items, "regimes")["Printed share"].tolist() == [82, 82]
    assert table(items, "transitions")["Printed"].tolist() == [21]
    assert table(items, "regimes")["Printed"]["Dual debate"] == 11
    for options in (
        {"model": "openai/gpt-5"},
        {"roles": {"judge": "openai/gpt-5-mini"}},
        {"changed": {"rounds": 3}},
        {"metadata": {"data": {"dataset": "bcb_plus", "version": "sample"}}},
    ):
        other = table(found([log(rows, "dual_debate", **options)]), "accuracy")
        assert not {"Printed", "Printed FPR"} & {*other}


def test_difficulty(log: WriteLog) -> None:
    """Answers of a single format are among those of dual ones, and count once."""
    dual = log(many(["RR", "RW", "WW"], ["CC"] * 3), "dual_debate")
    single = log(many(["R", "R", "W"], ["C"] * 3), "single_debate")
    frame = table(found([dual, single]), "tiers", "Tier", "Condition")
    for tier, both, one in (("Easy", 100, 100), ("Medium", 50, 100), ("Hard", 0, 0)):
        assert frame.loc[(tier, "Dual debate"), "Answers right"].value == both
        assert frame.loc[(tier, "Single debate"), "Answers right"].value == one
    # With two debaters the answers of both count: here 4, 3 and 0 of 4 are right.
    other = log(many(["RR", "RR", "WW"], ["CC"] * 3), "dual_debate", model="x/other")
    frame = table(found([dual, other]), "tiers", "Tier", "Condition")
    counts = frame["Questions"].groupby("Tier").first().to_dict()
    assert counts == {"Easy": 2, "Hard": 1}


def test_cleaned_and_original_tasks_are_paired_by_number(log: WriteLog) -> None:
    def tasks(prefix: str, rulings: str) -> list[EvalSample]:
        rows = hits(rulings)
        return [one.model_copy(update={"id": f"{prefix}-{one.id}"}) for one in rows]

    logs = [log(tasks("bcbplus", "1111"), "single_debate"),
            log(tasks("bcb", "10000"), "single_debate", dataset="bcb")]  # fmt: skip
    row = table(found(logs), "paired").loc["Single debate"]
    assert (row["Pairs"], row["Won"], row["Lost"]) == (4, 3, 0)
    assert "v0.1.4" in row["Less"]


def test_models_and_data_are_told_apart(log: WriteLog) -> None:
    logs = [
        log([judged(f"{data}{k}", "RW", "CI") for k in range(4)], protocol,
            dataset=data, model=model)
        for data, model in product(("arc", "bcb_plus"), (MINI, "x/other"))
        for protocol in ("dual_debate", "dual_no_transcript")
    ]  # fmt: skip
    items = found(logs)
    assert len(table(items, "paired")) == 4
    assert table(items, "accuracy")["Models and data"].nunique() == 4
    assert len([one for one in items.values() if isinstance(one, Figure)]) == 4
    assert "judge gpt-5-nano, ARC-AGI 1)" in said(items)


def test_direct_qa_alone_and_as_a_line(log: WriteLog) -> None:
    own = [alone(k, k < 3) for k in range(4)]
    items = found([log(own, "direct_qa", model=NANO, roles={})])
    assert "75.0" in said(items)
    assert "4 samples" in said(items)
    assert not {"paired", "accuracy_0", "differences"} & {*items}
    debate = log(many(["RW"] * 4, ["CI"] * 4), "dual_debate")
    for judge, there in ((NANO, True), ("x/other", False)):
        items = found([debate, log(own, "direct_qa", model=judge, roles={})])
        assert ("75.0 %" in said(items, "accuracy_0")) == there
        assert "100.0" in said(items)


def test_suspicious_passes_are_told(log: WriteLog) -> None:
    rows = [judged(0, "W", "I", suspicious=1.0), judged(1, "W", "I")]
    items = found([log(rows, "single_debate")], full=False)
    assert table(items, "grades")["Suspicious passes"]["Single debate"] == 1
    assert "suspiciously" in said(items, "Notice")
    assert "regimes" not in items


def test_the_page_in_full(log: WriteLog, tmp_path: Path) -> None:
    pairs = [("dual_debate", 1), ("dual_debate", 4), ("dual_consultancy", 1)]
    pairs += [("dual_consultancy", 4), ("dual_no_transcript", 1)]
    rows = many(["RR", "RW", "WW"], ["CC", "CI", "C?"])
    logs = [log(rows, *one) for one in pairs]
    frame = frames.samples(logs, "generative", PROTOCOLS)
    page = write(report(frame, full=True), tmp_path / "out", TITLE)
    files = {one.stem for one in page.parent.iterdir()}
    tables = ["accuracy", "paired", "regimes", "transitions", "tiers", "differences"]
    tables += ["statements", "grades"]
    assert {*tables, "accuracy_0", "runs", "samples"} <= files
