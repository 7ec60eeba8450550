"""Paired comparisons, by hand and against other implementations."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import PathPatch, Rectangle
from scipy.stats import binomtest, t, ttest_1samp
from statsmodels.stats.contingency_tables import mcnemar

from inspect_debate.v1.metrics.paired import Equivalence
from inspect_debate.v1.reports.drawing import svg_text
from inspect_debate.v1.reports.elements import Figure
from inspect_debate.v1.reports.generative.rows import TIER, in_order
from inspect_debate.v1.reports.generative.tables import (
    conclusion,
    tally_line,
    transition_figures,
)
from tests.v1.reports.drawn import legend, panels
from tests.v1.reports.generative.made import (
    GPT,
    QWEN,
    Round,
    data,
    first,
    joined,
    made_items,
    names,
    row,
    section,
    table,
    text,
    unscored,
    verdicts,
)


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
AGAINST = "Debate against consultancy"


def test_mcnemar_is_the_studys() -> None:
    found = row(ITEMS, "comparisons_consultancy")
    assert found["Compared"] == "Single debate less Single consultancy"
    assert (found["Only first"], found["Only second"], found["Samples"]) == (1, 10, 20)
    assert (found["First"], found["Second"]) == (0.5, 0.95)
    assert found["Difference"] == pytest.approx(-0.45)
    assert found["Difference low"] < -0.45 < found["Difference high"] < 0
    theirs = mcnemar([[9, 1], [10, 0]], exact=True).pvalue
    assert found["McNemar p"] == pytest.approx(theirs)
    assert found["McNemar p"] == pytest.approx(binomtest(1, 11).pvalue)
    assert not {"Flip p", "Left out"} & set(found)
    assert found["Outcome"] == "Loses"
    rate = row(ITEMS, "comparisons_fpr_consultancy")
    assert (rate["First"], rate["Second"]) == (0.5, pytest.approx(0.05))
    assert rate["Difference"] == pytest.approx(0.45)
    assert rate["Difference low"] > 0


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
    found = row(items, "comparisons_consultancy")
    assert found["McNemar p"] == pytest.approx(2 * 0.5**12)  # as if all were questions
    assert found["Flip p"] == pytest.approx(2 * 0.5**4)
    assert found["p (Holm)"] == found["Flip p"]
    assert found["Outcome"] == "Ties"


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
    found = table(items, "comparisons_consultancy").frame
    p = 2 * 0.5**6
    assert found["McNemar p"].tolist() == pytest.approx([p, p])
    assert found["p (Holm)"].tolist() == pytest.approx([2 * p, 2 * p])
    assert found["Outcome"].tolist() == ["Loses (ties)", "Loses (ties)"]
    # Those with no transcript are another family.
    assert len(table(items, "comparisons_no_transcript").frame) == 2
    for at, counts in {
        ("All", "plain"): (2, 0, 0),
        ("Single", "with Holm"): (0, 2, 0),
        ("Dual", "plain"): (0, 0, 0),
        ("Single", "the study"): (5, 2, 1),
    }.items():
        kind, counted = at
        tally = row(items, "tally", Conditions=kind, Counted=counted)
        assert (tally["Loses"], tally["Ties"], tally["Wins"]) == counts


def test_the_tally_is_in_the_summary() -> None:
    assert tally_line(data(ITEMS)) == (
        "Of 1 comparison with consultancy debate loses 1, ties 0 and wins 0 (in the "
        "study, of 16: 11, 4 and 1)."
    )
    alone = single("single_debate", "11")
    assert tally_line(data(alone)) == ""
    assert section(alone, AGAINST) == []


def test_conditions_are_compared_with_their_own_kind() -> None:
    items = joined(
        single("single_debate", "10"),
        single("single_debate", "11", best_of=4),
        single("single_consultancy", "11"),
        single("single_consultancy", "11", best_of=4),
        single("single_no_transcript", "11"),
        made_items("dual_debate", [Round("q0", "00", "00")]),
        made_items("direct_qa", [Round("q0", "1", "")]),
    )
    assert table(items, "comparisons_consultancy").frame["Compared"].tolist() == [
        "Single debate less Single consultancy",
        "Single debate, best of 4 less Single consultancy, best of 4",
    ]
    assert table(items, "transitions").frame["Condition"].tolist() == [
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
        ({"judge": ["acme/one", "acme/two"]}, "judges"),
        ({"answer_set_id": "x", "answer_id_a": "x"}, "answers to the judge in 2 of 2"),
    ],
)
def test_what_is_not_compared_is_reported(changed: dict[str, Any], says: str) -> None:
    debate, other = single("single_debate", "10"), single("single_consultancy", "11")
    found = data(joined(debate, other.assign(**changed))).consultancy
    assert not found.made
    (reason,) = found.refused
    assert says in reason
    assert "Single debate" in reason
    assert "and Single consultancy" in reason


def test_conditions_that_could_be_compared_with_several_are_reported() -> None:
    others = [
        single("single_consultancy", "11", variant=name, run=name)
        for name in ("word_limit=9", "word_limit=99")
    ]
    found = data(joined(single("single_debate", "10"), *others)).consultancy
    (reason,) = found.refused
    assert "word_limit=9; Single consultancy, word_limit=99" in reason
    elsewhere = made_items("single_consultancy", [Round("elsewhere", "1", "1")])
    found = data(joined(single("single_debate", "1"), elsewhere)).consultancy
    (reason,) = found.refused
    assert reason.endswith("share no sample: 2 in one of the two only.")


# Whether conditions are as good as each other.


@pytest.mark.parametrize(
    ("p", "equivalent", "said"),
    [
        (0.6, (False, False), "undecided"),
        (0.6, (True, False), "equivalent within 5.0 points"),
        (0.6, (True, True), "equivalent within 2.0 points"),
        (0.01, (False, False), "different"),
        (0.01, (True, False), "different, by less than 5.0 points"),
        (0.05, (False, False), "undecided"),
    ],
)
def test_conclusions(p: float, equivalent: tuple[bool, ...], said: str) -> None:
    tests = [Equivalence(0.01, -0.01, 0.03, 0.01 if e else 0.4, e) for e in equivalent]
    assert conclusion(p, tests) == said


def apart(gained: int, lost: int, same: int) -> tuple[list[float], list[float]]:
    """Verdicts of two conditions on the same answers."""
    one = [1.0] * gained + [0.0] * lost + [1.0] * same
    return one, [0.0] * gained + [1.0] * lost + [1.0] * same


def test_two_one_sided_tests() -> None:
    debate, consultancy = apart(9, 12, 379)
    items = joined(
        verdicts("dual_debate", debate), verdicts("dual_consultancy", consultancy)
    )
    one = row(items, "equivalence_consultancy")
    differences = [a - b for a, b in zip(debate, consultancy, strict=True)]
    assert one["Compared"] == "Dual debate less Dual consultancy"
    assert (one["Samples"], one["Difference"]) == (400, -3 / 400)
    low, high = ttest_1samp(differences, 0).confidence_interval(0.9)
    ends = (one["Difference low"], one["Difference high"])
    assert ends == pytest.approx((low, high))
    error = (high - low) / 2 / t.isf(0.05, 399)
    for margin in (5, 2):
        nearer = (margin / 100 - 3 / 400) / error
        assert one[f"TOST p, ±{margin}"] == pytest.approx(t.sf(nearer, 399), abs=1e-9)
    assert one["p"] == pytest.approx(0.66362, abs=1e-4)  # 9 against 12
    assert one["Conclusion"] == "equivalent within 5.0 points"
    assert names(section(items, "Are conditions alike?")) == ["equivalence_consultancy"]


def test_few_samples_are_undecided_and_a_large_difference_is_one() -> None:
    debate, consultancy = apart(2, 3, 15)
    few = joined(
        verdicts("single_debate", debate), verdicts("single_consultancy", consultancy)
    )
    assert row(few, "equivalence_consultancy")["Conclusion"] == "undecided"
    many = joined(
        verdicts("single_debate", first(60, 100)),
        verdicts("single_no_transcript", first(90, 100)),
    )
    one = row(many, "equivalence_no_transcript")
    assert (one["Conclusion"], one["Difference"]) == ("different", pytest.approx(-0.3))
    assert one["TOST p, ±5"] > 0.99


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        (10, "undecided"),
        (58, "undecided"),
        (59, "equivalent within 5.0 points"),
        (149, "equivalent within 2.0 points"),
    ],
)
def test_of_verdicts_that_are_all_alike_the_number_decides(
    samples: int, said: str
) -> None:
    some = first(samples // 2, samples)
    made = [verdicts(f"dual_{way}", some) for way in ("debate", "consultancy")]
    one = row(joined(*made), "equivalence_consultancy")
    assert (one["Difference"], one["p"]) == (0, 1)
    assert one["Difference high"] == -one["Difference low"] == 1 - 0.05 ** (1 / samples)
    assert one["Conclusion"] == said


# What speeches change.

HURT, HELPED, RIGHT, WRONG = 399, 126, 1675, 300
"""Of 2500 verdicts 21 % change, 76 % of them for the worse, as the study prints."""

BEFORE = first(RIGHT + HURT, RIGHT + HURT + HELPED + WRONG)
AFTER = [1] * RIGHT + [0] * HURT + [1] * HELPED + [0] * WRONG
MOVED = joined(verdicts("dual_no_transcript", BEFORE), verdicts("dual_debate", AFTER))


def figures(items: pd.DataFrame) -> list[Figure]:
    return list(transition_figures(data(items)))


def test_the_net_change_follows_from_flips_and_hurt_share() -> None:
    found = row(MOVED, "transitions")
    counts = ("Samples", "Right, right", "Hurt", "Helped", "Wrong, wrong")
    assert [found[name] for name in counts] == [2500, RIGHT, HURT, HELPED, WRONG]
    flips, hurt = found["Flips"], found["Hurt share"]
    assert (flips, hurt) == pytest.approx((0.21, 0.76))
    assert found["Net"] == pytest.approx(flips * (1 - 2 * hurt))
    assert found["Net"] == pytest.approx(-0.1092)
    assert found["Net low"] < -0.1092 < found["Net high"] < 0
    assert found["Flips low"] < 0.21 < found["Flips high"]
    assert found["p"] == pytest.approx(binomtest(HURT, HURT + HELPED).pvalue)


def test_the_diagram_s_areas_are_the_numbers() -> None:
    (figure,) = figures(MOVED)
    (axes,) = panels(figure).values()
    stacks = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert [stack.get_height() for stack in stacks] == pytest.approx(
        [0.8296, 0.1704, 0.7204, 0.2796]
    )
    ribbons = [patch for patch in axes.patches if isinstance(patch, PathPatch)]
    # Each as wide at the one end as at the other, those that flip crossing.
    kept, wrong, hurt, helped = (RIGHT, WRONG, HURT, HELPED)
    assert [_ends(ribbon) for ribbon in ribbons] == [
        pytest.approx(np.array(ends) / 2500)
        for ends in (
            (0, kept, 0, kept),
            (2500 - wrong, 2500, 2500 - wrong, 2500),
            (kept, kept + hurt, kept + helped, kept + helped + hurt),
            (kept + hurt, kept + hurt + helped, kept, kept + helped),
        )
    ]
    assert [text.get_text() for text in axes.texts] == ["83.0", "17.0", "72.0", "28.0"]
    assert "flips 21.0 %, 76.0 % of them hurt" in axes.get_xlabel()
    assert "net −10.9 [" in axes.get_xlabel()
    assert legend(figure)[2:4] == ["hurt: right → wrong", "helped: wrong → right"]


def _ends(ribbon: PathPatch) -> tuple[float, ...]:
    """Where a ribbon begins and ends at the left, then at the right."""
    corners = np.asarray(ribbon.get_path().vertices)
    low, high = corners[0, 0], corners[3, 0]
    return tuple(
        float(y)
        for x in (low, high)
        for y in sorted({round(y, 9) for at, y in corners if at == x})
    )


def test_every_condition_with_speeches_and_every_family() -> None:
    some, other = [1, 1, 0, 0], [1, 0, 1, 0]
    items = joined(
        verdicts("dual_no_transcript", some),
        verdicts("dual_debate", other),
        verdicts("dual_consultancy", other),
        verdicts("single_debate", other),
        verdicts("single_no_transcript", some, family=QWEN),
        verdicts("single_consultancy", some, family=QWEN),
    )
    # A single debate has no single condition without a transcript in its family.
    listed = table(items, "transitions").frame["Condition"].tolist()
    assert listed == ["Dual debate", "Dual consultancy", "Single consultancy"]
    one, two = figures(items)
    assert [title.split(" (")[0] for title in panels(one)] == listed[:2]
    assert one.title.endswith("GPT-5-mini > GPT-5-nano, ARC-AGI-1")
    # Verdicts that never change have no hurt share.
    found = row(items, "transitions", Condition="Single consultancy")
    assert (found["Flips"], found["Net"], found["p"]) == (0, 0, 1)
    assert np.isnan(found["Hurt share"])
    (axes,) = panels(two).values()
    assert axes.get_xlabel().startswith("flips 0.0 %\nnet 0.0")
    assert svg_text(two.figure).startswith("<svg")


# Best of n speeches.

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
BEST = "Best of n speeches"


def four(**replaced: pd.DataFrame) -> list[pd.DataFrame]:
    made = {
        f"{protocol}_{best_of}": verdicts(protocol, right, best_of=best_of)
        for (protocol, best_of), right in FOUR.items()
    }
    return list((made | replaced).values())


def test_the_study_s_gains_and_difference_in_differences() -> None:
    study = [
        verdicts(protocol, first(right, 800), best_of=best_of)
        for (protocol, best_of), right in STUDY.items()
    ]
    items = joined(*study)
    found = row(items, "best_of_did")
    assert found["Conditions"] == "Single, best of 4"
    assert found["Debate gain"] == pytest.approx(0.075)
    assert found["Consultancy gain"] == pytest.approx(-0.03)
    assert found["DiD"] == pytest.approx(0.105)
    assert found["p"] < 0.001
    assert found["Flip p"] < 0.001
    assert found["Questions"] == found["Samples"] == 800
    debate = row(items, "best_of_gains", Condition="Single debate, best of 4")
    assert (debate["First"], debate["Best"]) == (0.72625, 0.80125)
    assert debate["Gain"] == pytest.approx(0.075)
    # The sixty that differ all gain.
    assert debate["p"] == pytest.approx(2 * 0.5**60)
    assert debate["p (Holm)"] == pytest.approx(2 * debate["p"])
    lost = row(items, "best_of_gains", Condition="Single consultancy, best of 4")
    assert lost["Gain"] == pytest.approx(-0.03)
    assert lost["p (Holm)"] == pytest.approx(2 * 0.5**24)


def test_the_test_is_that_of_the_questions_differences() -> None:
    found = row(joined(*four()), "best_of_did")
    plain = ttest_1samp(DIFFERENCES, 0)
    assert found["DiD"] == pytest.approx(sum(DIFFERENCES) / 6)
    assert found["t"] == pytest.approx(plain.statistic)
    assert found["p"] == found["p (Holm)"] == pytest.approx(plain.pvalue)
    assert -2 < found["DiD low"] < found["DiD"] < found["DiD high"] < 2
    # Of the 32 signs of 2, 1, 1, 1 and -1 so many sum to 4 or more on either side.
    sums = [0]
    for size in (2, 1, 1, 1, 1):
        sums = [s + sign * size for s in sums for sign in (1, -1)]
    assert found["Flip p"] == pytest.approx(2 * sum(s >= 4 for s in sums) / 32)
    other = [frame.assign(family=QWEN) for frame in four()]
    frame = table(joined(*four(), *other), "best_of_did").frame
    assert frame["p (Holm)"].tolist() == pytest.approx([2 * plain.pvalue] * 2)


def test_every_n_is_compared_with_the_first_speeches() -> None:
    two = [
        verdicts("dual_debate", [1, 0, 1, 0, 1, 1], best_of=2),
        verdicts("dual_consultancy", FOUR["dual_consultancy", 1], best_of=2),
    ]
    items = joined(*four(), *two)
    of_two = row(items, "best_of_did", Conditions="Dual, best of 2")
    assert of_two["DiD"] == pytest.approx(1 / 6)
    assert row(items, "best_of_did", Conditions="Dual, best of 4")["DiD"] == 4 / 6


def test_what_one_of_four_lacks_is_left_out() -> None:
    lost = unscored(verdicts("dual_debate", FOUR["dual_debate", 1]), 0)
    items = joined(*four(dual_debate_1=lost))
    found = row(items, "best_of_did")
    assert (found["Samples"], found["DiD"]) == (5, pytest.approx(2 / 5))
    gains = row(items, "best_of_gains", Condition="Dual consultancy, best of 4")
    assert gains["Samples"] == 6
    three = section(joined(*four()[:3]), BEST)
    assert names(three) == ["best_of_gains", "rewards"]
    assert section(joined(*four()[::2]), BEST) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"judge": "acme/other"}, "different judges"),
        ({"answer_set_id": "anew"}, "put different answers to the judge"),
    ],
)
def test_what_differs_otherwise_is_refused_and_named(
    change: dict[str, str], said: str
) -> None:
    odd = verdicts("dual_debate", FOUR["dual_debate", 4], best_of=4).assign(**change)
    items = joined(*four(dual_debate_4=odd))
    shown = section(items, BEST)
    assert said in text(shown)
    assert "Dual debate, best of 4 and Dual debate" in text(shown)
    # What it does not touch is still there.
    (left,) = table(items, "best_of_gains").frame["Condition"]
    assert left == "Dual consultancy, best of 4"
    assert "best_of_did" not in names(shown)


def test_change_of_fpr_and_a_reward_model_of_its_own() -> None:
    def rounds(ruled: list[str]) -> list[Round]:
        return [Round(f"q{n}", "00", of) for n, of in enumerate(ruled)]

    items = joined(
        made_items("dual_debate", rounds(["11", "11", "10", "11"])),
        made_items("dual_debate", rounds(["10", "11", "00", "01"]), best_of=4),
    )
    found = row(items, "best_of_gains")
    assert (found["FPR first"], found["FPR best"]) == (7 / 8, 4 / 8)
    assert found["FPR change"] == pytest.approx(-3 / 8)
    assert found["FPR change low"] <= -3 / 8 <= found["FPR change high"]
    assert 0 < found["FPR p"] == found["FPR p (Holm)"] <= 1
    own = [
        frame.assign(variant=frame["best_of"].map({1: "", 4: "reward=other"}))
        for frame in four()
    ]
    named = [
        frame.assign(title=frame["title"] + ", reward=other") if n % 2 else frame
        for n, frame in enumerate(own)
    ]
    found = row(joined(*named), "best_of_did")
    assert found["Conditions"] == "Dual, best of 4, reward=other"
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
    found = row(frame, "rewards")
    # Epochs of a question are averaged first.
    assert found["Chosen"] == pytest.approx((0.6 + 0.2) / 2)
    assert found["All"] == pytest.approx(0)
    assert found["Chosen less all"] == pytest.approx(0.4)
    assert found["Not read"] == pytest.approx(3 / 24)
    assert found["Rewards"] == 24


# By difficulty.


def answered(
    protocol: str, answers: dict[str, str], ruled: str = "1", **more: Any
) -> pd.DataFrame:
    """By question the worth of the answers of its epochs, all called correct."""
    rounds = [
        Round(question, right, ruled, epoch=epoch)
        for question, of in answers.items()
        for epoch, right in enumerate(of, 1)
    ]
    return made_items(protocol, rounds, **more)


def tiers(*frames: pd.DataFrame) -> dict[str, str | None]:
    found = in_order(joined(*frames))
    return dict(zip(found["question_id"], found[TIER], strict=True))


def test_tiers_of_one_debater_and_of_several() -> None:
    answers = {"q1": "000", "q2": "010", "q3": "110", "q4": "111"}
    # A third and two thirds of the answers are neither hard nor easy.
    assert tiers(answered("single_debate", answers)) == {
        **{"q1": "hard", "q2": "medium", "q3": "medium", "q4": "easy"}
    }
    gpt = {"q1": "0", "q2": "1", "q3": "0", "q4": "1", "q5": "10"}
    qwen = {"q1": "0", "q2": "0", "q3": "1", "q4": "1", "q5": "11"}
    found = tiers(
        answered("single_debate", gpt), answered("single_debate", qwen, family=QWEN)
    )
    assert found == {
        **{"q1": "hard", "q2": "medium", "q3": "medium", "q4": "easy"},
        "q5": "medium",  # half of the answers is no majority
    }
    other = f"{GPT.partition(' > ')[0]} > acme/judge"
    # Two judges of one debater: with two debaters it would be easy.
    frames = [
        answered("single_debate", {"q1": "110"}, family=of) for of in (GPT, other)
    ]
    assert tiers(*frames) == {"q1": "medium"}


def test_an_answer_counts_once_however_many_conditions_use_it() -> None:
    # A is right and B wrong, in one condition with B and in four without.
    both = made_items("dual_debate", [Round("q1", "10", "11")])
    alone = [
        made_items(protocol, [Round("q1", "1", "1")], best_of=best_of)
        for protocol in ("single_debate", "single_consultancy")
        for best_of in (1, 2)
    ]
    assert tiers(both, *alone) == {"q1": "medium"}


def test_each_version_of_the_data_and_each_model_has_its_own_tiers() -> None:
    later = answered("single_debate", {"q1": "1"}).assign(version="2")
    found = in_order(joined(answered("single_debate", {"q1": "0"}), later))
    assert found[TIER].tolist() == ["hard", "easy"]
    rounds = [Round("q1", "11", "11"), Round("q1", "10", "11", epoch=2)]
    dual = made_items("dual_debate", rounds)
    # Three of four are more than two thirds; half of the second's are no majority.
    assert tiers(dual) == {"q1": "easy"}
    assert tiers(dual.assign(debater_b="acme/b")) == {"q1": "medium"}


def test_a_question_that_some_debater_was_not_asked_has_no_tier() -> None:
    gpt = answered("single_debate", {"q1": "1", "q2": "1"})
    qwen = answered("single_debate", {"q1": "1", "q2": "1"}, family=QWEN)
    assert tiers(gpt, unscored(qwen, 1)) == {"q1": "easy", "q2": None}
    consultancy = answered("single_consultancy", {"q1": "1", "q2": "1"})
    shown = section(joined(gpt, consultancy, unscored(qwen, 1)), "By difficulty")
    assert "a debater has no answer to them: 1." in str(shown)


def hard_and_easy() -> pd.DataFrame:
    """Four hard questions with wrong answers, four easy ones; debate misleads."""
    hard = {f"h{n}": "0" for n in range(4)}
    easy = {f"e{n}": "1" for n in range(4)}
    return joined(
        answered("single_debate", hard | easy),
        answered("single_consultancy", hard, ruled="0", run="c1"),
        answered("single_consultancy", easy, run="c2"),
    )


def test_verdicts_in_each_tier() -> None:
    items = hard_and_easy()
    hard = row(items, "tiers", Tier="hard")
    assert (hard["Debate"], hard["Consultancy"], hard["Difference"]) == (0, 1, -1)
    assert (hard["Questions"], hard["Samples"]) == (4, 4)
    assert hard["p"] == pytest.approx(2 * 0.5**4)
    assert hard["p (Holm)"] == pytest.approx(4 * 0.5**4)
    easy = row(items, "tiers", Tier="easy")
    assert (easy["Debate"], easy["Consultancy"], easy["Difference"]) == (1, 1, 0)
    assert easy["p"] == easy["p (Holm)"] == 1
    assert "regress to the mean" in table(items, "tiers").note
    # The same answers cannot differ, and are not tested.
    assert "cannot differ" in text(section(items, "By difficulty"))
    dual = [verdicts(f"dual_{way}", [1, 0]) for way in ("debate", "consultancy")]
    found = table(joined(items, *dual), "tiers").frame
    assert found["Condition"].tolist() == ["Dual debate", *["Single debate"] * 2]


def test_answers_made_anew_are_tested() -> None:
    fresh: dict[str, Any] = {"variant": "answers=fresh"}
    rounds = {
        way: [
            *(Round(f"e{n}", "1", "1") for n in range(3)),
            *(Round(f"h{n}", "0", "1", answers=way) for n in range(3)),
        ]
        for way in ("single_debate", "single_consultancy")
    }
    partly = joined(*(made_items(way, of, **fresh) for way, of in rounds.items()))
    hard, easy = (row(partly, "tiers_answers", Tier=tier) for tier in ("hard", "easy"))
    assert (hard["Answers"], easy["Answers"]) == ("anew", "the same")
    assert hard["p"] == 1
    assert np.isnan([easy["p"], easy["p (Holm)"]]).all()
    rates = {f"q{n}": "0" for n in range(6)}
    debates = [Round(q, "1", "1", answers="d") for q in rates]
    items = joined(
        made_items("single_debate", debates, **fresh),
        answered("single_consultancy", rates, **fresh),
    )
    # Half of each question's answers are right.
    found = row(items, "tiers_answers", Tier="medium")
    assert found["Answers"] == "anew"
    assert (found["Debate"], found["Consultancy"], found["Difference"]) == (1, 0, 1)
    assert found["p"] == found["p (Holm)"] == pytest.approx(2 * 0.5**6)
    # Verdicts about other answers are not compared.
    assert names(section(items, "By difficulty")) == ["tiers_answers"]


# Cleaned against original tasks.

PLUS: dict[str, Any] = {"dataset": "bcb_plus", "version": "v1.0.2", "split": ""}
BCB: dict[str, Any] = {"dataset": "bcb", "version": "v0.1.4", "split": ""}
CLEANED = "Cleaned against original tasks"


def on_tasks(protocol: str, seen: str, of: dict[str, Any], **more: Any) -> pd.DataFrame:
    """By task whether the judge sees that an answer is wrong: "1101"."""
    rounds = [
        Round(f"BigCodeBench/{n}", "0", str(1 - int(hit)), answers=of["dataset"])
        for n, hit in enumerate(seen)
    ]
    return made_items(protocol, rounds, data=f"made {of['dataset']}", **of, **more)


def both(**more: Any) -> pd.DataFrame:
    return joined(
        on_tasks("single_debate", "1" * 8 + "01", PLUS, **more),
        on_tasks("single_debate", "1" * 2 + "0" * 6 + "10", BCB, **more),
    )


def test_tasks_are_paired_though_answers_are_others() -> None:
    found = row(both(), "cleaned")
    assert found["Models and data"] == (
        "GPT-5-mini > GPT-5-nano, BigCodeBench-Plus v1.0.2 less BigCodeBench v0.1.4"
    )
    assert found["Condition"] == "Single debate"
    assert (found["Tasks"], found["Samples"]) == (10, 10)
    # The first two both; six and the last cleaned only; the last but one original only.
    assert (found["Cleaned"], found["Original"]) == (0.9, 0.3)
    assert found["Difference"] == pytest.approx(0.6)
    assert found["Difference low"] < 0.6 < found["Difference high"]
    assert (found["Only cleaned"], found["Only original"]) == (7, 1)
    assert found["McNemar p"] == pytest.approx(binomtest(1, 8).pvalue)
    assert found["In the study"] == "+20 to +25"
    assert (found["Answers cleaned"], found["Answers original"]) == (0, 0)
    assert not {"Flip p", "Left out"} & set(found)


def test_answers_are_those_of_either_data() -> None:
    cleaned = [Round(f"q{n}", "11", "11") for n in range(4)]
    original = [Round(f"q{n}", "10", "11") for n in range(3)]
    items = joined(
        made_items("dual_debate", cleaned, **PLUS),
        made_items("dual_debate", original, **BCB),
    )
    found = row(items, "cleaned")
    assert (found["Answers cleaned"], found["Answers original"]) == (1, 0.5)
    assert (found["Samples"], found["Left out"]) == (3, "1 in one of the two only")
    # All verdicts differ alike, which no interval is made of; signs can still flip.
    assert (found["Cleaned"], found["Original"], found["p (Holm)"]) == (1, 0, 0.25)


def test_conditions_families_and_epochs_are_pairs_of_their_own() -> None:
    epochs = [
        Round(f"q{n}", "0", str(n % 2), epoch=epoch)
        for n in range(4)
        for epoch in (1, 2)
    ]
    items = joined(
        both(),
        both(family=QWEN),
        on_tasks("single_debate", "11", PLUS, variant="order=ab"),
        on_tasks("single_debate", "10", BCB, variant="order=ab"),
        *(made_items("single_consultancy", epochs, **of) for of in (PLUS, BCB)),
        on_tasks("direct_qa", "11", PLUS),
        on_tasks("direct_qa", "11", BCB),
    )
    found = table(items, "cleaned").frame
    assert found["Condition"].tolist() == [
        "Single debate",
        "Single debate, order=ab",
        "Single consultancy",
        "Single debate",
    ]
    consultancy = row(items, "cleaned", Condition="Single consultancy")
    assert (consultancy["Tasks"], consultancy["Samples"]) == (4, 8)
    assert consultancy["Flip p"] == 1
    assert found["Flip p"].notna().sum() == 1
    older = on_tasks("single_debate", "11", PLUS | {"version": "v0.1.0"})
    headings = table(joined(both(), older), "cleaned").frame["Models and data"]
    assert [name.rpartition(", ")[2] for name in headings] == [
        "BigCodeBench-Plus v0.1.0 less BigCodeBench v0.1.4",
        "BigCodeBench-Plus v1.0.2 less BigCodeBench v0.1.4",
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"variant": "order=ab"}, "have different parameters."),
        ({"judge": "acme/other"}, "have different judges"),
        ({"prompts": "other"}, "have different prompts"),
        ({"judging": '{"verdict": {"temperature": 1}}'}, "were not asked for alike"),
        ({"speaking": '{"word_limit": 100}'}, "were not asked for alike"),
        ({"question_id": "elsewhere"}, "elsewhere epoch 1"),
        ({"question_id": ["x", "y"]}, "share no sample: 4 in one of the two only."),
    ],
)
def test_what_was_asked_differently_is_refused(
    change: dict[str, Any], says: str
) -> None:
    items = joined(
        on_tasks("single_debate", "11", PLUS),
        on_tasks("single_debate", "10", BCB).assign(**change),
    )
    shown = section(items, CLEANED)
    assert names(shown) == []
    assert says in text(shown)
    assert "Single debate on BigCodeBench-Plus v1.0.2" in text(shown)


@pytest.mark.parametrize(
    "items",
    [
        on_tasks("single_debate", "11", PLUS),
        joined(
            on_tasks("single_debate", "11", PLUS),
            on_tasks("single_consultancy", "11", BCB),
        ),
        joined(
            on_tasks("single_debate", "11", PLUS),
            made_items("single_debate", [Round("BigCodeBench/0", "1", "1")]),
        ),
    ],
)
def test_without_both_data_there_is_nothing(items: pd.DataFrame) -> None:
    assert section(items, CLEANED) == []


def test_tasks_of_one_id_are_not_pooled_elsewhere() -> None:
    right = [Round(f"q{n}", "11", "11") for n in range(3)]
    wrong = [Round(f"q{n}", "00", "11") for n in range(3)]
    of_report = data(
        joined(
            *(
                made_items(f"dual_{way}", rounds, **of)
                for rounds, of in ((right, PLUS), (wrong, BCB))
                for way in ("debate", "consultancy")
            )
        )
    )
    found = of_report.items.groupby("dataset")[TIER].unique()
    assert [list(of) for of in (found["bcb_plus"], found["bcb"])] == [
        ["easy"],
        ["hard"],
    ]
    assert len(of_report.consultancy.made) == 2
