"""Paired comparisons, by hand and against other implementations."""

from typing import Any

import pandas as pd
import pytest
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar

from inspect_debate.reports.generative.comparisons import (
    accuracy_table,
    compare,
    fpr_table,
    tally_line,
    tally_table,
)
from tests.reports.generative.made import GPT, QWEN, Round, joined, made_items
from tests.reports.generative.worked import row


def single(protocol: str, right: str, family: str = GPT, **more: Any) -> pd.DataFrame:
    """Wrong answers A, of which the judge is right about some: "1101"."""
    ruled = [str(1 - int(hit)) for hit in right]
    rounds = [Round(f"q{n}", "0", v) for n, v in enumerate(ruled)]
    return made_items(protocol, rounds, family=family, **more)


DEBATE, CONSULTANCY = "1" * 10 + "0" * 10, "1" * 9 + "01" + "1" * 9
"""Only the first: 1; only the second: 10; both: 9."""

ITEMS = joined(
    single("single_debate", DEBATE), single("single_consultancy", CONSULTANCY)
)
COMPARED = "Single debate less Single consultancy"


def test_mcnemar_is_the_studys() -> None:
    found = row(accuracy_table(compare(ITEMS, "consultancy")))
    assert found["Compared"] == COMPARED
    assert (found["Only first"], found["Only second"], found["Samples"]) == (1, 10, 20)
    assert (found["First"], found["Second"]) == (0.5, 0.95)
    assert found["Difference"] == pytest.approx(-0.45)
    assert found["Difference low"] < -0.45 < found["Difference high"] < 0
    theirs = mcnemar([[9, 1], [10, 0]], exact=True).pvalue
    assert found["McNemar p"] == pytest.approx(theirs)
    assert found["McNemar p"] == pytest.approx(binomtest(1, 11).pvalue)
    assert not {"Flip p", "Left out"} & set(found)
    assert found["Outcome"] == "Loses"


def test_with_epochs_whole_questions_flip_and_decide() -> None:
    def twice(protocol: str, right: str) -> pd.DataFrame:
        rounds = [
            Round(f"q{n}", "0", str(1 - int(hit)), epoch=epoch)
            for n, hit in enumerate(right)
            for epoch in (1, 2, 3)
        ]
        return made_items(protocol, rounds)

    items = joined(
        twice("single_debate", "00001"), twice("single_consultancy", "11111")
    )
    found = row(accuracy_table(compare(items, "consultancy")))
    assert found["McNemar p"] == pytest.approx(2 * 0.5**12)  # as if all were questions
    assert found["Flip p"] == pytest.approx(2 * 0.5**4)
    assert found["p (Holm)"] == found["Flip p"]
    assert found["Outcome"] == "Ties"


def test_the_fpr_falls_as_accuracy_on_wrong_answers_rises() -> None:
    found = row(fpr_table(compare(ITEMS, "consultancy")))
    assert (found["First"], found["Second"]) == (0.5, pytest.approx(0.05))
    assert found["Difference"] == pytest.approx(0.45)
    assert found["Difference low"] > 0


def test_p_values_are_corrected_over_the_family_of_a_table() -> None:
    lines = {GPT: ("000000", "111111"), QWEN: ("0000001", "1111111")}
    parts = [
        single(protocol, right, family)
        for family, rights in lines.items()
        for protocol, right in zip(
            ("single_debate", "single_consultancy"), rights, strict=True
        )
    ]
    items = joined(*parts, single("single_no_transcript", "000000"))
    compared = compare(items, "consultancy")
    found = accuracy_table(compared)
    assert found is not None
    p = 2 * 0.5**6
    assert found.frame["McNemar p"].tolist() == pytest.approx([p, p])
    assert found.frame["p (Holm)"].tolist() == pytest.approx([2 * p, 2 * p])
    assert found.frame["Outcome"].tolist() == ["Loses (ties)", "Loses (ties)"]
    # Those with no transcript are another family.
    silent = accuracy_table(compare(items, "none"))
    assert silent is not None
    assert len(silent.frame) == 2
    tally = row(tally_table(compared), Formats="All", Counted="plain")
    assert (tally["Loses"], tally["Ties"], tally["Wins"]) == (2, 0, 0)
    tally = row(tally_table(compared), Formats="Single", Counted="with Holm")
    assert (tally["Loses"], tally["Ties"], tally["Wins"]) == (0, 2, 0)
    assert row(tally_table(compared), Formats="Dual", Counted="plain")["Loses"] == 0


def test_the_tally_is_said_beside_the_studys() -> None:
    assert tally_line(compare(ITEMS, "consultancy")) == (
        "Of 1 comparison with consultancy debate loses 1, ties 0 and wins 0 (in the "
        "study, of 16: 11, 4 and 1)."
    )
    studys = row(
        tally_table(compare(ITEMS, "consultancy")),
        Formats="Single",
        Counted="the study",
    )
    assert (studys["Loses"], studys["Ties"], studys["Wins"]) == (5, 2, 1)
    alone = compare(single("single_debate", "11"), "consultancy")
    assert (tally_line(alone), tally_table(alone), accuracy_table(alone)) == (
        "",
        None,
        None,
    )


def test_formats_are_held_against_their_own_kind() -> None:
    items = joined(
        single("single_debate", "10"),
        single("single_debate", "11", best_of=4),
        single("single_consultancy", "11"),
        single("single_consultancy", "11", best_of=4),
        single("single_no_transcript", "11"),
        made_items("dual_debate", [Round("q0", "00", "00")]),
        made_items("direct_qa", [Round("q0", "1", "")]),
    )
    made = compare(items, "consultancy").made
    assert [(one.cell.best_of, one.other.best_of) for one in made] == [(1, 1), (4, 4)]
    silent = compare(items, "none").made
    assert [one.cell.title for one in silent] == [
        *("Single debate", "Single debate, best of 4"),
        *("Single consultancy", "Single consultancy, best of 4"),
    ]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"judge": "acme/other", "family": "openai/gpt-5-mini > acme/other"}, "judges"),
        ({"version": "2", "data": "published 89"}, "versions of the data"),
        ({"split": "evaluation", "data": "published 89"}, "sources or revisions"),
        ({"prompts": "other"}, "prompts"),
        ({"answer_set_id": "x", "answer_id_a": "x"}, "answers to the judge in 2 of 2"),
    ],
)
def test_what_is_not_compared_is_told(changed: dict[str, str], says: str) -> None:
    debate, other = single("single_debate", "10"), single("single_consultancy", "11")
    compared = compare(joined(debate, other.assign(**changed)), "consultancy")
    assert not compared.made
    (reason,) = compared.refused
    assert says in reason
    assert "Single debate and Single consultancy" in reason


def test_formats_that_could_be_held_against_several_are_told() -> None:
    others = [
        single("single_consultancy", "11", variant=name, run=name)
        for name in ("word_limit=9", "word_limit=99")
    ]
    compared = compare(joined(single("single_debate", "10"), *others), "consultancy")
    (reason,) = compared.refused
    assert "word_limit=9; Single consultancy, word_limit=99" in reason


def test_formats_without_a_shared_sample_are_told() -> None:
    debate = single("single_debate", "1")
    other = made_items("single_consultancy", [Round("elsewhere", "1", "1")])
    (reason,) = compare(joined(debate, other), "consultancy").refused
    assert reason.endswith("share no sample: 2 in one of the two only.")
