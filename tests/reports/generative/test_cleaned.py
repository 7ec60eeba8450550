"""Cleaned tasks against original ones, by hand."""

from typing import Any

import pandas as pd
import pytest
from scipy.stats import binomtest

from inspect_debate.reports.elements import Notice, Table
from inspect_debate.reports.generative.claims import published_tables
from inspect_debate.reports.generative.comparisons import compare
from inspect_debate.reports.generative.difficulty import TIER, tiered
from inspect_debate.reports.generative.verdicts import PRINTED, cleaned_items
from tests.reports.generative.made import GPT, QWEN, Round, joined, made_items
from tests.reports.generative.worked import row

PLUS: dict[str, Any] = {"dataset": "bcb_plus", "version": "v1.0.2", "split": ""}
BCB: dict[str, Any] = {"dataset": "bcb", "version": "v0.1.4", "split": ""}


def made(protocol: str, seen: str, data: dict[str, Any], **more: Any) -> pd.DataFrame:
    """By task whether the judge sees that an answer is wrong: "1101"."""
    rounds = [
        Round(f"BigCodeBench/{n}", "0", str(1 - int(hit)), answers=data["dataset"])
        for n, hit in enumerate(seen)
    ]
    return made_items(protocol, rounds, data=f"made {data['dataset']}", **data, **more)


def both(**more: Any) -> pd.DataFrame:
    return joined(
        made("single_debate", "1" * 8 + "01", PLUS, **more),
        made("single_debate", "1" * 2 + "0" * 6 + "10", BCB, **more),
    )


def table(items: pd.DataFrame) -> Table:
    refused, found = cleaned_items(items)
    assert refused is None
    assert isinstance(found, Table)
    return found


def refusal(items: pd.DataFrame) -> str:
    refused, found = cleaned_items(items)
    assert found is None
    assert isinstance(refused, Notice)
    return refused.text


def test_tasks_are_paired_though_answers_are_others() -> None:
    found = row(table(both()))
    assert found["Models and data"] == (
        "GPT-5-mini > GPT-5-nano, BigCodeBench-Plus v1.0.2 less BigCodeBench v0.1.4"
    )
    assert (found["Format"], found["Tasks"], found["Samples"]) == (
        *("Single debate", 10, 10),
    )
    # The first two both; six and the last cleaned only; the last but one original only.
    assert (found["Cleaned"], found["Original"]) == (0.9, 0.3)
    assert found["Difference"] == pytest.approx(0.6)
    assert found["Difference low"] < 0.6 < found["Difference high"]
    assert (found["Only cleaned"], found["Only original"]) == (7, 1)
    assert found["McNemar p"] == pytest.approx(binomtest(1, 8).pvalue)
    assert found["In the study"] == PRINTED
    assert (found["Answers cleaned"], found["Answers original"]) == (0, 0)
    assert not {"Flip p", "Left out"} & set(found)


def test_answers_are_those_of_either_data() -> None:
    cleaned = [Round(f"q{n}", "11", "11") for n in range(4)]
    original = [Round(f"q{n}", "10", "11") for n in range(3)]
    items = joined(
        made_items("dual_debate", cleaned, **PLUS),
        made_items("dual_debate", original, **BCB),
    )
    found = row(table(items))
    assert (found["Answers cleaned"], found["Answers original"]) == (1, 0.5)
    assert (found["Samples"], found["Left out"]) == (3, "1 in one of the two only")
    # All verdicts differ alike, which no interval is made of; signs can still flip.
    assert (found["Cleaned"], found["Original"], found["p (Holm)"]) == (1, 0, 0.25)


def test_formats_families_and_epochs_are_pairs_of_their_own() -> None:
    epochs = [
        Round(f"q{n}", "0", str(n % 2), epoch=epoch)
        for n in range(4)
        for epoch in (1, 2)
    ]
    items = joined(
        both(),
        both(family=QWEN),
        both(best_of=4),
        made("single_debate", "11", PLUS, variant="order=ab"),
        made("single_debate", "10", BCB, variant="order=ab"),
        *(made_items("single_consultancy", epochs, **data) for data in (PLUS, BCB)),
        made("direct_qa", "11", PLUS),
        made("direct_qa", "11", BCB),
    )
    found = table(items).frame
    assert found["Format"].tolist() == [
        "Single debate",
        "Single debate, best of 4",
        "Single debate, order=ab",
        "Single consultancy",
        "Single debate",
    ]
    consultancy = row(table(items), Format="Single consultancy")
    assert (consultancy["Tasks"], consultancy["Samples"]) == (4, 8)
    assert consultancy["Flip p"] == 1
    assert found["Flip p"].notna().sum() == 1
    assert (found["p (Holm)"] >= found["McNemar p"]).all()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"variant": "order=ab"}, "have different parameters."),
        ({"judge": "acme/other"}, "have different judges"),
        ({"prompts": "other"}, "have different prompts"),
        (
            {"judging": '{"verdict": {"temperature": 1}}'},
            "were not asked for alike, so they are not paired",
        ),
        ({"speaking": '{"word_limit": 100}'}, "were not asked for alike"),
        ({"question_id": "elsewhere"}, "elsewhere epoch 1"),
    ],
)
def test_what_was_asked_differently_is_refused(
    change: dict[str, Any], says: str
) -> None:
    items = joined(
        made("single_debate", "11", PLUS),
        made("single_debate", "10", BCB).assign(**change),
    )
    said = refusal(items)
    assert says in said
    assert "GPT-5-mini > GPT-5-nano: Single debate on BigCodeBench-Plus v1.0.2" in said


def test_tasks_that_are_all_others_are_told() -> None:
    other = made("single_debate", "11", BCB)
    items = joined(
        made("single_debate", "11", PLUS),
        other.assign(question_id=other["question_id"] + "x"),
    )
    assert "share no sample: 4 in one of the two only." in refusal(items)


@pytest.mark.parametrize(
    "items",
    [
        made("single_debate", "11", PLUS),
        made("single_debate", "11", BCB),
        joined(
            made("single_debate", "11", PLUS), made("single_consultancy", "11", BCB)
        ),
        joined(
            made("single_debate", "11", PLUS, family=GPT),
            made("single_debate", "11", BCB, family=QWEN),
        ),
        joined(
            made("single_debate", "11", PLUS),
            made_items("single_debate", [Round("BigCodeBench/0", "1", "1")]),
        ),
    ],
)
def test_without_both_there_is_nothing(items: pd.DataFrame) -> None:
    assert cleaned_items(items) == [None, None]


def test_several_versions_of_either_are_all_compared() -> None:
    items = joined(both(), made("single_debate", "11", PLUS | {"version": "v0.1.0"}))
    assert [
        name.rpartition(", ")[2] for name in table(items).frame["Models and data"]
    ] == [
        "BigCodeBench-Plus v0.1.0 less BigCodeBench v0.1.4",
        "BigCodeBench-Plus v1.0.2 less BigCodeBench v0.1.4",
    ]


def test_tasks_of_one_id_are_not_pooled_elsewhere() -> None:
    right = [Round(f"q{n}", "11", "11") for n in range(3)]
    wrong = [Round(f"q{n}", "00", "11") for n in range(3)]
    items = joined(
        *(
            made_items(f"dual_{way}", rounds, **data)
            for rounds, data in ((right, PLUS), (wrong, BCB))
            for way in ("debate", "consultancy")
        )
    )
    tiers = tiered(items).groupby("dataset")[TIER].unique()
    assert [list(of) for of in (tiers["bcb_plus"], tiers["bcb"])] == [
        ["easy"],
        ["hard"],
    ]
    made_ = compare(items, "consultancy").made
    assert [len(one.paired.a) for one in made_] == [3, 3]
    claims, elsewhere = published_tables(tiered(items))
    assert isinstance(claims, Table)
    about = {"Claim": "Rounds in which both proposers are right"}
    shown = claims.frame[claims.frame["Claim"] == about["Claim"]]["Ours"].tolist()
    assert [said.partition(" [")[0] for said in shown] == ["100.0 %", "", "", ""]
    other = row(elsewhere, **about)
    assert other["Models and data"] == "GPT-5-mini > GPT-5-nano, BigCodeBench v0.1.4"
    assert other["Here"].startswith("0.0 %")
