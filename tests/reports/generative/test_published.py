"""Published claims beside ours."""

from typing import Any

import pandas as pd
import pytest

from inspect_debate.published.tables import Claim, paper_of
from inspect_debate.reports.elements import Table
from inspect_debate.reports.generative.claims import (
    MEASURES,
    Context,
    ours,
    published_tables,
    values_of,
)
from inspect_debate.reports.generative.comparisons import Data
from inspect_debate.reports.generative.rows import in_order
from tests.reports.generative.made import GPT, Round, joined, made_items, only_row

CLAIMS = {claim.id: claim for claim in paper_of("generative").text}
OTHER = "acme/a > acme/b"


def many(of: dict[tuple[str, str], int]) -> list[Round]:
    """So many rounds of each truth and ruling."""
    kinds = [kind for kind, n in of.items() for _ in range(n)]
    return [Round(f"q{n}", *kind) for n, kind in enumerate(kinds)]


def measured(measure: str, items: Any, **claim: Any) -> str:
    about = Claim(id="x", claim="x", printed="x", measure=measure, **claim)
    return ours(values_of(Context(Data(in_order(items))), about), about)


def test_claims_are_facts_that_can_be_measured() -> None:
    found = paper_of("generative")
    assert len(CLAIMS) == len(found.text)
    assert {claim.measure for claim in found.text} <= {None, *MEASURES}
    assert CLAIMS["fpr.debate"].printed == "90 %"


def test_what_is_known_to_be_wrong_is_a_footnote() -> None:
    said = {id: paper_of("generative").note_of(claim) for id, claim in CLAIMS.items()}
    assert "90/39 is 2.3" in said["fpr.times"]
    assert said["fpr.times_none"] == ""
    assert "k/800" in said["accuracy.debate.1"]
    assert "answers=fresh" in said["hard.answers"]
    # 1 - 0.62 is 0.38 beside 0.39, 1 - 0.11 is 0.89 beside 0.90.
    assert "by answer from one by round" in said["fpr.consultancy"]


def accuracy(protocol: str, best_of: int, right: int) -> Any:
    rounds = many({("1", "1"): right, ("1", "0"): 1000 - right})
    return made_items(protocol, rounds, best_of=best_of)


def test_the_printed_accuracies_give_the_printed_differences() -> None:
    items = joined(
        accuracy("single_debate", 1, 726),
        accuracy("single_debate", 4, 801),
        accuracy("single_consultancy", 1, 780),
        accuracy("single_consultancy", 4, 750),
    )
    frame = published_tables(Data(in_order(items)))[0]
    assert isinstance(frame, Table)
    shown = dict(zip(CLAIMS, frame.frame["Ours"], strict=True))
    assert shown["accuracy.debate.1"] == "72.6 % [69.8, 75.3], n=1000"
    assert shown["accuracy.consultancy.4"].startswith("75.0 % [")
    assert shown["did.arc.gpt5"].startswith("+10.5 points [")
    assert shown["only_win"].startswith("+5.1 points [")
    assert shown["gain.debate.gpt5"].startswith("single: +7.5 points [")
    assert shown["gain.consultancy.gpt5"].startswith("single: −3.0 points [")
    assert (shown["loses"], shown["wins"]) == ("1, n=2",) * 2
    for id in ("did.arc.qwen3", "did.bcb_plus.gpt5", "fpr.debate", "hard.verdicts"):
        assert shown[id] == "", id
    numbers = dict(zip(CLAIMS, frame.frame["Our value"], strict=True))
    assert numbers["accuracy.debate.1"] == pytest.approx(0.726)
    assert numbers["did.arc.gpt5"] == pytest.approx(0.105)
    assert pd.isna(numbers["fpr.debate"])
    assert set(frame.frame["Our n"].dropna()) == {1000, 2}


def test_other_models_and_data_have_a_heading_of_their_own() -> None:
    rounds = many({("00", "11"): 9, ("00", "00"): 1})
    here = made_items("dual_debate", rounds, family=OTHER)
    claims, elsewhere = published_tables(Data(in_order(here)))
    assert isinstance(claims, Table)
    assert set(claims.frame["Ours"]) == {""}
    assert claims.frame["Our value"].isna().all()
    found = only_row(elsewhere, Claim="FPR", Condition="Dual debate")
    assert found["Models and data"] == f"{OTHER}, ARC-AGI-1"
    # Of the twenty wrong answers of ten rounds.
    assert found["Here"] == "90.0 % [59.6, 98.2], n=20"
    assert found["Printed"] == "90 % (BigCodeBench-Plus, GPT-5-mini > GPT-5-nano)"
    assert (found["Our value"], found["Our n"]) == (0.9, 20)


@pytest.mark.parametrize(
    ("version", "family", "matches"),
    [("1", GPT, True), ("2", GPT, False), ("sample", GPT, False), ("1", OTHER, False)],
)
def test_ours_only_where_models_and_data_are_the_studys(
    version: str, family: str, matches: bool
) -> None:
    rounds = many({("11", "11"): 44, ("00", "00"): 56})
    items = made_items("dual_debate", rounds, version=version, family=family)
    claims = published_tables(Data(in_order(items)))[0]
    assert isinstance(claims, Table)
    shown = dict(zip(CLAIMS, claims.frame["Ours"], strict=True))
    said = shown["both_right.arc.gpt5"]
    assert said == ("44.0 % [34.7, 53.8], n=100" if matches else "")


def test_measures_of_pairs() -> None:
    truth = ("00",) * 8 + ("11",) * 2
    ruled = {
        "dual_no_transcript": ("00",) * 8 + ("11",) * 2,
        "dual_debate": ("11",) * 4 + ("00",) * 4 + ("11",) * 2,
        "dual_consultancy": ("11",) * 2 + ("00",) * 6 + ("10",) * 2,
    }
    items = joined(
        *(
            made_items(
                name,
                [
                    Round(f"q{n}", *of)
                    for n, of in enumerate(zip(truth, said, strict=True))
                ],
            )
            for name, said in ruled.items()
        )
    )
    dual: dict[str, Any] = {"proposers": 2, "best_of": 1}
    for measure, said in (
        *(
            ("flip", "40.0 % [16.8, 68.7], n=10"),
            ("hurt", "100.0 % [51.0, 100.0], n=4"),
        ),
        *(("net", "−40.0 points ["), ("all_wrong", "50.0 % [")),
        ("difference", "0.0 points ["),
    ):
        found = measured(measure, items, interaction="debate", **dual)
        assert found.startswith(said)
    assert measured("all_wrong_gap", items, **dual) == "+25.0 points, n=8"
    against = {
        way: measured("fpr_times", items, interaction=way, **dual)
        for way in ("consultancy", "none")
    }
    assert against == {"consultancy": "2.00 times, n=16", "none": ""}
    assert measured("best_less_none", items) == "dual: −40.0 points, n=10"
    assert measured("all_right", items).startswith("20.0 % [")
    assert measured("hard_answers", items, proposers=1) == ""


def test_what_is_about_both_kinds_of_formats_says_which_is_which() -> None:
    items = joined(
        *(
            made_items(f"{kind}_{way}", many({("1" * n, "1" * n): right, hurt: 4}))
            for kind, n, hurt, right in (
                ("dual", 2, ("11", "00"), 4),
                ("single", 1, ("1", "0"), 6),
            )
            for way in ("debate",)
        )
    )
    dual, single = measured("accuracy", items, interaction="debate").split("; ")
    assert dual.startswith("dual: 50.0 %")
    assert single.startswith("single: 60.0 %")
