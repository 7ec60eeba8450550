"""Best of n, by hand: gains, differences in differences, refusals and rewards."""

import pandas as pd
import pytest
from scipy.stats import ttest_1samp

from inspect_debate.reports.elements import Item, Notice, Table
from inspect_debate.reports.generative.best_of import best_of_section_items
from tests.reports.generative.made import QWEN, Round, joined, made_items, unscored
from tests.reports.generative.planted import first, row, table, verdicts

STUDY = {
    ("single_debate", 1): 581,
    ("single_debate", 4): 641,
    ("single_consultancy", 1): 624,
    ("single_consultancy", 4): 600,
}
"""Right verdicts of 800 behind the printed 72.6, 80.1, 78.0 and 75.0 %."""

FOUR = {
    ("dual_debate", 1): [0, 0, 1, 0, 1, 1],
    ("dual_debate", 4): [1, 1, 1, 1, 1, 0],
    ("dual_consultancy", 1): [1, 0, 1, 1, 1, 1],
    ("dual_consultancy", 4): [0, 0, 1, 1, 0, 1],
}
DIFFERENCES = [2, 1, 0, 1, 1, -1]


def study() -> pd.DataFrame:
    return joined(
        *(
            verdicts(protocol, first(right, 800), best_of=best_of)
            for (protocol, best_of), right in STUDY.items()
        )
    )


def four(**replaced: pd.DataFrame) -> list[pd.DataFrame]:
    made = {
        f"{protocol}_{best_of}": verdicts(protocol, right, best_of=best_of)
        for (protocol, best_of), right in FOUR.items()
    }
    return list((made | replaced).values())


def names(items: list[Item | None]) -> list[str]:
    return [item.name for item in items if isinstance(item, Table)]


def test_the_study_s_difference_in_differences() -> None:
    found = row(best_of_section_items(study()), "best_of_did")
    assert found["Formats"] == "Single, best of 4"
    assert found["Debate gain"] == pytest.approx(0.075)
    assert found["Consultancy gain"] == pytest.approx(-0.03)
    assert found["DiD"] == pytest.approx(0.105)
    assert found["p"] < 0.001
    assert found["Flip p"] < 0.001
    assert found["Questions"] == found["Samples"] == 800


def test_gains_are_of_each_format_by_itself() -> None:
    items = best_of_section_items(study())
    debate = row(items, "best_of_gains", Format="Single debate, best of 4")
    assert (debate["First"], debate["Best"]) == (0.72625, 0.80125)
    assert debate["Gain"] == pytest.approx(0.075)
    # The sixty that differ all gain.
    assert debate["p"] == pytest.approx(2 * 0.5**60)
    assert debate["p (Holm)"] == pytest.approx(2 * debate["p"])
    lost = row(items, "best_of_gains", Format="Single consultancy, best of 4")
    assert lost["Gain"] == pytest.approx(-0.03)
    assert lost["p (Holm)"] == pytest.approx(2 * 0.5**24)


def test_the_test_is_that_of_the_questions_differences() -> None:
    found = row(best_of_section_items(joined(*four())), "best_of_did")
    plain = ttest_1samp(DIFFERENCES, 0)
    assert found["DiD"] == pytest.approx(sum(DIFFERENCES) / 6)
    assert found["t"] == pytest.approx(plain.statistic)
    assert found["p"] == found["p (Holm)"] == pytest.approx(plain.pvalue)
    assert -2 < found["DiD low"] < found["DiD"] < found["DiD high"] < 2
    # Of the 32 signs of 2, 1, 1, 1 and -1 eight sum to 4 or more on either side.
    assert found["Flip p"] == pytest.approx(2 * _tail() / 32)


def _tail() -> int:
    sums = [0]
    for size in (2, 1, 1, 1, 1):
        sums = [s + sign * size for s in sums for sign in (1, -1)]
    return sum(s >= 4 for s in sums)


def test_p_values_are_corrected_over_all_families() -> None:
    other = [frame.assign(family=QWEN) for frame in four()]
    frame = table(best_of_section_items(joined(*four(), *other)), "best_of_did").frame
    assert frame["p"].nunique() == 1
    assert frame["p (Holm)"].tolist() == pytest.approx([2 * frame["p"].iloc[0]] * 2)


def test_every_n_is_held_against_the_first_speeches() -> None:
    two = [
        verdicts("dual_debate", [1, 0, 1, 0, 1, 1], best_of=2),
        verdicts("dual_consultancy", FOUR["dual_consultancy", 1], best_of=2),
    ]
    items = best_of_section_items(joined(*four(), *two))
    of_two = row(items, "best_of_did", Formats="Dual, best of 2")
    assert of_two["DiD"] == pytest.approx(1 / 6)
    assert row(items, "best_of_did", Formats="Dual, best of 4")["DiD"] == 4 / 6


def test_samples_that_one_of_four_lacks_are_left_out() -> None:
    lost = unscored(verdicts("dual_debate", FOUR["dual_debate", 1]), 0)
    items = best_of_section_items(joined(*four(dual_debate_1=lost)))
    found = row(items, "best_of_did")
    assert (found["Samples"], found["DiD"]) == (5, pytest.approx(2 / 5))
    gains = row(items, "best_of_gains", Format="Dual consultancy, best of 4")
    assert gains["Samples"] == 6


def test_without_all_four_there_are_gains_alone() -> None:
    items = best_of_section_items(joined(*four()[:3]))
    assert names(items) == ["best_of_gains", "rewards"]
    assert len(table(items, "best_of_gains").frame) == 1


@pytest.mark.parametrize("frames", [four()[::2], [four()[0].head(0)]])
def test_without_a_choice_there_is_nothing(frames: list[pd.DataFrame]) -> None:
    assert best_of_section_items(joined(*frames)) == [None] * 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"judge": "acme/other"}, "different judges"),
        ({"prompts": "others"}, "different prompts"),
        ({"data": "published 9999"}, "different sources or revisions of the data"),
        ({"answer_set_id": "anew"}, "put different answers to the judge"),
    ],
)
def test_what_differs_otherwise_is_refused_and_named(
    change: dict[str, str], said: str
) -> None:
    odd = verdicts("dual_debate", FOUR["dual_debate", 4], best_of=4).assign(**change)
    items = best_of_section_items(joined(*four(dual_debate_4=odd)))
    (notice,) = (item for item in items if isinstance(item, Notice))
    assert said in notice.text
    assert "Dual debate, best of 4 and Dual debate" in notice.text
    # What it does not touch is still there.
    (left,) = table(items, "best_of_gains").frame["Format"]
    assert left == "Dual consultancy, best of 4"
    assert "best_of_did" not in names(items)


def test_change_of_fpr() -> None:
    def rounds(ruled: list[str]) -> list[Round]:
        return [Round(f"q{n}", "00", of) for n, of in enumerate(ruled)]

    items = best_of_section_items(
        joined(
            made_items("dual_debate", rounds(["11", "11", "10", "11"])),
            made_items("dual_debate", rounds(["10", "11", "00", "01"]), best_of=4),
        )
    )
    found = row(items, "best_of_gains")
    assert (found["FPR first"], found["FPR best"]) == (7 / 8, 4 / 8)
    assert found["FPR change"] == pytest.approx(-3 / 8)
    assert found["FPR change low"] <= -3 / 8 <= found["FPR change high"]
    assert 0 < found["FPR p"] == found["FPR p (Holm)"] <= 1


def test_a_reward_model_of_its_own_makes_no_other_format() -> None:
    own = [
        frame.assign(variant=frame["best_of"].map({1: "", 4: "reward=other"}))
        for frame in four()
    ]
    found = row(best_of_section_items(joined(*own)), "best_of_did")
    assert found["Formats"] == "Dual, best of 4, reward=other"
    assert found["DiD"] == pytest.approx(4 / 6)


def test_rewards() -> None:
    rounds = [
        Round("q1", "1", "1", reward=0.8, reward_mean=0.2),
        Round("q1", "1", "1", reward=0.4, reward_mean=0.2, epoch=2),
        Round("q2", "1", "1", reward=0.2, reward_mean=-0.2),
    ]
    counted = {"rewards_unread": [1, 0, 2], "rewards_ok": [7, 8, 6]}
    frame = made_items("single_consultancy", rounds, best_of=4).assign(
        **counted, rewards_unparsed=[1, 0, 1], rewards_truncated=[0, 0, 1]
    )
    found = row(best_of_section_items(frame), "rewards")
    # Epochs of a question are averaged first.
    assert found["Chosen"] == pytest.approx((0.6 + 0.2) / 2)
    assert found["All"] == pytest.approx(0)
    assert found["Chosen less all"] == pytest.approx(0.4)
    assert found["Not read"] == pytest.approx(3 / 24)
    assert found["Rewards"] == 24
