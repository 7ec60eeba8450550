"""The report's own tables, figures and notices, on bets and verdicts by hand."""

import math
from collections.abc import Callable
from math import log, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from scipy import stats

from inspect_debate.v1.metrics.dependence import clustered_mean
from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.reports.confidence.bets import (
    BY_MODEL,
    CLUSTERED,
    MIXED,
    POOLED,
    difference,
)
from inspect_debate.v1.reports.confidence.frames import TIE, decisions, excerpt, title
from inspect_debate.v1.reports.confidence.jury import PARTS
from inspect_debate.v1.reports.confidence.measures import (
    ALL_MODELS,
    BETS,
    ITSELF,
    JURY,
    SHARES,
    Data,
    closing_bets,
    mean_of,
    ratio,
)
from inspect_debate.v1.reports.confidence.report import (
    REPORT,
    STAGES,
    TEXTS,
    confound_notices,
    jury_notices,
    missing_notices,
    sanity_parts,
    text_notices,
)
from inspect_debate.v1.reports.elements import NUMBER, Notice, interval_text
from inspect_debate.v1.reports.sanity import unread_notices
from tests.v1.reports import reported
from tests.v1.reports.confidence.made import (
    NONE,
    Debate,
    bets,
    data,
    itself,
    row,
    verdicts,
)
from tests.v1.reports.confidence.test_paper import GRADED, debate, grade
from tests.v1.reports.drawn import legend, panels
from tests.v1.reports.reported import Expected, expected

# Tests that know which bets depend on each other.

MODELS = [f"model {n}" for n in range(6)]


def like_models(shift: float, condition: str) -> pd.DataFrame:
    """Four debates of each model, whose bets are all but the same, around 50."""
    debates = [
        debate
        for place, model in enumerate(MODELS)
        for debate in itself(
            model,
            *(
                [50 + shift + 8 * (place % 3 - 1) + n % 2, 60 + n % 3, 70]
                for n in range(8)
            ),
        )
    ]
    return bets(condition, *debates)


def frame_of(name: str, made: pd.DataFrame) -> pd.DataFrame:
    """A table of the report on some bets."""
    return reported.table_of(REPORT, data(made), name).frame


def test_models_that_agree_with_themselves_count_once() -> None:
    frame = frame_of("openings", like_models(2, "self"))
    found = row(frame, "Self-debate")
    assert (found["Bets"], found["Models"]) == (48, 6)
    assert found["Above 50"] == pytest.approx(2.5)
    means = np.array([42.5, 50.5, 58.5] * 2) + 2
    by_model = stats.ttest_1samp(means, 50, alternative="greater").pvalue
    assert found[BY_MODEL] == pytest.approx(by_model)
    # With clusters of one size that is what clustering by model gives, too.
    assert found[CLUSTERED] == pytest.approx(by_model)
    assert found[MIXED] == pytest.approx(by_model, rel=0.01)
    assert found[POOLED] < by_model
    humans = frame.iloc[-1]
    assert (humans["Mean"], humans["SD"], humans["Above 50"]) == (65, 35.1, 15)
    assert humans[[POOLED, CLUSTERED]].isna().all()


def test_rises_are_of_sides_that_made_both_bets() -> None:
    short = data(bets("self", *itself("a", [50], [60])))
    assert not reported.shown(REPORT, short, "escalation")
    debates = [d for m in MODELS for d in itself(m, [50, 60, NONE], [50, 58, 70])]
    frame = frame_of("escalation", bets("self", *debates, recorded=0))
    first, _, whole = (row(frame, "Self-debate", n) for n in frame["Between"].unique())
    assert (first["Pairs"], whole["Pairs"]) == (12, 6)
    assert first["Change"] == pytest.approx(9)
    assert whole["Change"] == pytest.approx(20)


def test_conditions_are_compared_over_the_models_of_both() -> None:
    stranger = bets("public", *itself("stranger", [90, 90, 90], [90, 90, 91]))
    stranger["run"] = "run of a stranger"
    both = pd.concat([like_models(5, "self"), like_models(0, "public"), stranger])
    frame = frame_of("comparisons_conditions", both)
    found = row(frame, "Opening bet", "Self-debate less Public bets")
    assert found["Models"] == 6
    assert found["Difference"] == pytest.approx(5)
    alone = data(pd.concat([like_models(5, "self"), stranger]))
    assert not reported.shown(REPORT, alone, "comparisons_conditions")


def test_a_clustered_difference_is_that_of_the_means() -> None:
    rng = np.random.default_rng(0)
    one, other = (
        pd.DataFrame(
            {
                "condition": condition,
                "run": condition,
                "debate": range(size),
                "epoch": 1,
                "model": [f"{condition} {n}" for n in range(size)],
                "value": rng.normal(mean, 10, size),
                "sign": sign,
            }
        )
        for condition, size, mean, sign in (("self", 30, 60, 1), ("public", 50, 50, -1))
    )
    found = difference(pd.concat([one, other]))
    assert found.value == pytest.approx(one["value"].mean() - other["value"].mean())
    # Every bet for itself: the difference of two independent means.
    error = sqrt(sum(frame["value"].var(ddof=0) / len(frame) for frame in (one, other)))
    assert found.standard_error == pytest.approx(error, rel=0.01)
    assert math.isnan(difference(one).value)


# Means of bets, and ratios over debates, by hand and at their bounds.

POOL = ("a", "b", "c", "d")
STUDENT = {2: 4.302653, 3: 3.182446}
"""Student's 97.5 % quantile by degrees of freedom."""


def counts(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    """Of the models of both sides, what is counted, and among what."""
    return pd.DataFrame(
        {
            "sides": [{"proposition": a, "opposition": b} for a, b, _, _ in rows],
            "part": [part for *_, part, _ in rows],
            "whole": [whole for *_, whole in rows],
        }
    )


SHARE = ratio("part", "whole", SHARES)


def of_share(value: float, error: float, df: int) -> tuple[float, float]:
    """Wilson's interval for as many values as have the error, widened by t."""
    error *= STUDENT[df] / 1.959964
    size = value * (1 - value) / error**2
    return proportion_interval(value * size, size)


def test_a_mean_over_models_is_clustered_by_model_and_debate() -> None:
    made = bets(
        "cross_model",
        Debate("a", "b", ([60.0], [70.0])),
        Debate("b", "c", ([75.0], [50.0])),
        Debate("c", "a", ([40.0], [NONE])),
    )
    expected = clustered_mean(made["bet"], made["model"], made["debate"])
    found = mean_of("bet", BETS)(made)
    assert found == pytest.approx((59, *expected.interval(bounds=(0, 100))))


def test_a_mean_of_one_model_is_clustered_by_debate() -> None:
    made = bets("self", *[Debate("a", "a", ([b], [b])) for b in (50.0, 60.0, 70.0)])
    low, high = of_share(0.6, 0.1 / sqrt(3), 2)
    expected = (60, 100 * low, 100 * high)
    assert mean_of("bet", BETS)(made) == pytest.approx(expected, abs=1e-4)


def test_bets_of_two_models_are_too_few() -> None:
    made = bets("cross_model", *[Debate("a", "b", ([95.0], [70.0]))] * 2)
    found = mean_of("bet", BETS)(made)
    assert found == (82.5, -np.inf, np.inf)
    assert interval_text(NUMBER, found.low, found.high) == "n too small"


def test_a_ratio_of_sums() -> None:
    rows = counts(*[("a", "a", 2, 4), ("b", "b", 6, 6), ("c", "c", 0, 0)])
    assert SHARE(rows) == pytest.approx((0.8, -np.inf, np.inf))
    more = pd.concat([rows, counts(("d", "d", 4, 5))])
    # Every debate adds 0.8 and its share of the residuals, -1.2, 1.2 and 0, over 5.
    spread = float(np.std([0.8 - 0.24, 0.8 + 0.24, 0.8], ddof=1)) / sqrt(3)
    assert SHARE(more) == pytest.approx((0.8, *of_share(0.8, spread, 2)), abs=1e-5)


def test_debates_of_the_same_models_are_independent() -> None:
    rows = counts(*[("a", "b", part, 1) for part in (0, 0, 1, 1)])
    turned = counts(*[("b", "a", part, 1) for part in (0, 0, 1, 1)])
    expected = (0.5, *of_share(0.5, sqrt(1 / 3) / 2, 3))
    for made in (rows, turned, pd.concat([rows[:2], turned[2:]])):
        assert SHARE(made) == pytest.approx(expected, abs=1e-5)


def test_debates_of_the_same_model_widen_the_interval() -> None:
    alike = counts(*[(m, m, float(m in "ab"), 1) for m in POOL for _ in range(5)])
    mixed = counts(*[(m, m, float(n % 2), 1) for m in POOL for n in range(6)])
    widths = [found.high - found.low for found in map(SHARE, (alike, mixed))]
    assert widths[0] > 1.5 * widths[1]


@pytest.mark.parametrize("value", [0, 1])
def test_where_nothing_varies_models_are_what_is_counted(value: int) -> None:
    rows = counts(*[(m, m, value, 1) for m in POOL for _ in range(5)])
    assert SHARE(rows) == pytest.approx((value, *proportion_interval(value * 4, 4)))
    single = counts(*[("a", "a", value, 1)] * 5)
    assert SHARE(single) == pytest.approx((value, *proportion_interval(value * 5, 5)))


def test_nothing_to_count() -> None:
    for found in (SHARE(counts(("a", "b", 0, 0))), SHARE(counts())):
        assert np.isnan(found.value)
        assert not np.isfinite([found.low, found.high]).any()


@given(
    st.lists(
        st.tuples(st.sampled_from(POOL), st.sampled_from(POOL), st.integers(0, 6)),
        min_size=1,
        max_size=12,
    )
)
def test_shares_stay_within_their_bounds(rows: list[tuple[str, str, int]]) -> None:
    found = SHARE(counts(*[(a, b, float(part), 6.0) for a, b, part in rows]))
    inside = 0 <= found.low <= found.value <= found.high <= 1
    assert inside or (found.low, found.high) == (-np.inf, np.inf)


# Closing bets against the jury and against one half.

CROSS = bets(
    "cross_model",
    Debate("one", "two", ([10.0, 90.0], [10.0, 80.0])),
    Debate("two", "one", ([10.0, 70.0], [10.0, 60.0])),
    Debate("one", "two", ([10.0, 95.0], [10.0, 95.0])),  # a tie
    Debate("one", "two", ([10.0, 95.0], [10.0, 95.0])),  # not judged
)
SELF = bets(
    "self", *itself("one", [50.0, 80.0], [50.0, NONE], [50.0, 60.0], [50.0, 40.0])
)
VERDICTS = verdicts(
    "cross_model",
    {"judge": [("P", 60)]},
    {"judge": [("O", 60)]},
    {"judge": [("P", 60), ("O", 60)]},
    {"judge": [None]},
)
CLOSING = closing_bets(pd.concat([CROSS, SELF]), VERDICTS)


def test_bets_are_compared_with_the_side_that_won() -> None:
    judged = CLOSING[CLOSING["against"] == JURY]
    assert judged[["debate", "side", "bet", "won"]].to_numpy().tolist() == [
        ["debate 0", "proposition", 0.9, 1],
        ["debate 0", "opposition", 0.8, 0],
        ["debate 1", "proposition", 0.7, 0],
        ["debate 1", "opposition", 0.6, 1],
    ]
    alone = CLOSING[CLOSING["against"] == ITSELF]
    assert alone["bet"].tolist() == [0.8, 0.6, 0.4]
    assert alone["won"].unique().tolist() == [0.5]
    judged_alone = verdicts("self", {"judge": [("P", 60)]})
    both = closing_bets(SELF, judged_alone)["against"].tolist()
    assert both == [JURY, ITSELF, ITSELF, ITSELF]
    assert closing_bets(CROSS, VERDICTS.iloc[:0]).empty


def test_proper_scores_of_bets() -> None:
    made = data(pd.concat([CROSS, SELF]), VERDICTS)
    found = row(reported.table_of(REPORT, made, "calibration").frame, "Cross-model")
    logs = log(0.9) + log(0.2) + log(0.3) + log(0.6)
    assert found["Log score"] == pytest.approx(-logs / 4)
    assert found["Brier low"] < found["Brier"] < found["Brier high"]


# The jury.

SERIES = ([60.0], [60.0])
# Judge `two` debates as well: for the proposition in the second debate.
JUDGED = bets(
    "cross_model",
    Debate("one", "two", SERIES),
    Debate("two", "one", SERIES),
    Debate("one", "three", SERIES),
    Debate("one", "three", SERIES),
)
VOTES = verdicts(
    "cross_model",
    # Three votes to one for the opposition, sums 80 and 180.
    {"two": [("O", 60), ("O", 60)], "wise": [("P", 80), ("O", 60)]},
    # An even split, sums 100 and 110.
    {"two": [("P", 50), ("O", 60)], "wise": [("P", 50), ("O", 50)]},
    # Unanimous.
    {"two": [("P", 90), ("P", 90)], "wise": [("P", 90), None]},
    # A tie in votes and sums, of those that could be read.
    {"two": [("P", 70), None], "wise": [("O", 70), None]},
)


def test_who_wins_by_each_rule() -> None:
    decided = decisions(VOTES).set_index("debate")
    assert decided["by_sum"].tolist() == ["opposition"] * 2 + ["proposition", TIE]
    assert decided["by_majority"].tolist() == ["opposition", TIE, "proposition", TIE]
    assert decided["unanimous"].tolist() == [0, 0, 1, 0]
    frame = reported.table_of(REPORT, data(JUDGED, VOTES), "jury_rules").frame
    found = frame[["Proposition", "Opposition", "Tie"]].to_numpy().tolist()
    assert found == [[1, 2, 1], [1, 1, 2]]
    assert frame["Opposition wins"].tolist() == [0.5, 0.25]


def test_without_a_jury_the_report_says_what_to_run() -> None:
    (part,) = (p for p in PARTS if p.title.startswith("The jury"))
    assert "-T reuse=LOG -T jury_passes=2" in part.section(data(JUDGED)).text


def test_a_single_verdict_is_not_unanimous_and_none_is_no_decision() -> None:
    decided = decisions(
        verdicts("cross_model", {"a": [("P", 60), None]}, {"a": [None, None]})
    )
    assert decided["debate"].tolist() == ["debate 0"]
    assert decided["by_sum"].tolist() == ["proposition"]
    assert decided["unanimous"].isna().all()


def test_a_jury_that_cannot_be_read_decides_nothing() -> None:
    unread = verdicts("cross_model", {"a": [None, None]}, {"a": [None, None]})
    frame = reported.table_of(REPORT, data(JUDGED, unread), "jury_rules").frame
    assert frame["Opposition"].tolist() == [0, 0]
    assert frame["Opposition wins"].isna().all()


def test_the_numbers_of_appendix_d() -> None:
    (table,) = (t for t in data(JUDGED, VOTES).paper if t.name == "appendix_d")
    assert [(of.title, of.cells["value"].ours) for of in table.rows] == [
        ("Unanimous, debates", "1"),
        ("Unanimous, %", "25.0"),
        ("Split, debates", "3"),
        ("Split, %", "75.0"),
        ("One dissenting verdict, debates", "2"),
        ("One dissenting verdict, %", "50.0"),
        ("Two dissenting verdicts, debates", "1"),
        ("Two dissenting verdicts, %", "25.0"),
        ("Three dissenting verdicts, debates", "0"),
        ("Three dissenting verdicts, %", "0.0"),
        ("Won by the opposition, by the sum of confidences, %", "50.0"),
    ]


def test_a_jury_of_one_pass_repeats_nothing() -> None:
    once = verdicts("cross_model", {"a": [("P", 60)], "b": [("O", 70)]})
    frame = reported.table_of(REPORT, data(JUDGED, once), "judges").frame
    assert frame["Repeated"].isna().all()
    assert frame["Pairs"].tolist() == [0, 0]


# Bets and the reasoning before them.


MALFORMED = grade("yes 70 aligned none -", strategic="null")
DATA: dict[str, Callable[[], Data]] = {
    "closing": lambda: data(pd.concat([CROSS, SELF]), VERDICTS),
    "jury": lambda: data(JUDGED, VOTES),
    "itself": lambda: data(
        bets("self", *itself("one", [60], [60])),
        verdicts("self", {"one": [("P", 60), ("O", 60)]}),
    ),
    "graded": lambda: data(JUDGED, graded=GRADED),
    "stated": lambda: data(
        JUDGED,
        graded=GRADED.iloc[:2].assign(
            **{
                "bets.stated_n": [2, 1],
                "bets.stated_gap_sum": [-10, 25],
                "bets.stated_abs_gap_sum": [20, 25],
            }
        ),
    ),
    "strategic": lambda: data(
        JUDGED,
        graded=pd.DataFrame(
            [
                debate("self", "one", grade("yes 70 aligned none yes"), MALFORMED),
                debate("self", "two", grade("yes 70 aligned none no")),
            ]
        ),
    ),
}

ROWS = """
# Bets of 90 and 60 won, of 80 and 70 lost; each bin has one of them.
closing | calibration | Condition=Cross-model | Bets=4; Mean bet=3/4; Won=1/2
closing | calibration | Condition=Cross-model | Brier=1.3/4; ECE=2/4
# Against one half: 80, 60 and 40.
closing | calibration | Condition=Self-debate | Brier=0.86/3; ECE=0.5/3
closing | calibration | Condition=Always 50 | Brier=1/4
# Of one model, which won both of its two debates: n too small.
closing | calibration_models | Bets=2; Won=1 | Brier=0.17/2; Brier high=inf
jury | judges | Judge=two | Verdicts=7; For the opposition=3/7; Repeated=2/3; Pairs=3
jury | judges | Judge=two | On itself=4; For itself=3/4
jury | judges | Judge=wise | Verdicts=6; For the opposition=3/6; Repeated=0; Pairs=2
jury | judges | Judge=wise | On itself=0; For itself=nan; Mean confidence=400/6
# Where both sides are its model, no judge votes for itself.
itself | judges | Condition=Self-debate | On itself=0
jury | jury_agreement | Condition=Cross-model | Debates=4; Verdicts=13; Unanimous=1/4
# Pairs that agree: 3 of 6, 2 of 6, all 3, and 0 of 1.
jury | jury_agreement | Condition=Cross-model | Two verdicts agree=11/24
# The first and the last debate.
jury | jury_motions | Motion=motion 0 | Debates=2; Split=1; Ties=1; Opposition wins=1/2
graded | graded_gaps | Condition=Self-debate | Eligible=5; Graded=4; With a figure=2
# Bets less what is stated: 0 and 8.
graded | graded_gaps | Condition=Self-debate | Mean gap=4
graded | graded_gaps | Condition=Public bets | Mean gap=-15; Mean absolute gap=15
stated | stated_gaps | Condition=Self-debate | Mean gap=5; Mean absolute gap=15
# Of two debates: n too small.
stated | stated_gaps | Condition=Self-debate | Mean absolute gap low=-inf
strategic | strategic | Condition=Self-debate | Strategic=1; Of=2; Malformed=1
strategic | strategic | Condition=Self-debate | Unreadable=0; Share=1/2; Share high=inf
"""


@pytest.mark.parametrize("line", expected(ROWS))
def test_rows(line: Expected) -> None:
    line.check(reported.table_of(REPORT, DATA[line.data](), line.table))


@pytest.mark.parametrize(
    ("explanation", "shown"),
    [
        ("Why it fits.\n\nWhy it is for gain.", "Why it is for gain."),
        (
            "It hedges.\n\nNumeric confidence: no\nInternal confidence: none\n"
            "Assessment: Aligned\n**Degree:** None\n- Strategic: yes",
            "It hedges.",
        ),
        ("", ""),
        ("word " * 100, "word " * 51 + "…"),
    ],
)
def test_what_a_grader_says_last_is_shown(explanation: str, shown: str) -> None:
    found = excerpt(explanation)
    assert found == shown
    assert len(found) <= 260


# Figures.

DRAWN = pd.concat(
    [
        bets(
            "cross_model",
            Debate("one", "two", ([60.0, 70.0, 80.0], [70.0, 75.0, 80.0])),
            Debate("two", "one", ([50.0, NONE, 60.0], [60.0, 80.0, 80.0])),
            Debate("one", "two", ([60.0, 70.0, 80.0], [70.0, 75.0, 80.0])),
        ),
        bets("self", *itself("one", [50.0, 60.0, 90.0], [40.0, 60.0, NONE])),
    ],
    ignore_index=True,
)
WON = verdicts("cross_model", *[{"judge": [("P", 60)]}] * 3)


def drawn(axes: Axes, marker: str) -> list[list[float]]:
    lines = [line for line in axes.lines if line.get_marker() == marker]
    part = "get_xdata" if marker == "s" else "get_ydata"
    return [np.asarray(getattr(line, part)()).tolist() for line in lines]


def places(axes: Axes) -> list[list[float]]:
    """The middles of the bubbles."""
    return [
        [float(x), float(y)] for x, y in np.asarray(axes.collections[-1].get_offsets())
    ]


def test_rounds_have_a_panel_per_model_and_a_line_per_condition() -> None:
    figure = reported.figure_of(REPORT, data(DRAWN), "figure_rounds")
    assert list(panels(figure)) == ["one", "two", ALL_MODELS]
    assert legend(figure) == ["Cross-model", "Self-debate", "even chance"]
    # Missing bets are left out of a mean.
    assert drawn(panels(figure)["two"], "o") == [pytest.approx([190 / 3, 75, 220 / 3])]
    # Rises are of sides with both bets.
    rises = panels(reported.figure_of(REPORT, data(DRAWN), "figure_escalation"))
    assert drawn(rises["Self-debate"], "s") == [[40]]


def test_closing_bets_are_pairs_of_a_debate() -> None:
    found = panels(reported.figure_of(REPORT, data(DRAWN), "figure_closing"))
    assert list(found) == ["Cross-model, n=3"]  # of the other a bet is missing
    (axes,) = found.values()
    assert places(axes) == [[60, 80], [80, 80]]
    sizes = np.asarray(axes.collections[-1].get_sizes()).tolist()  # type: ignore[attr-defined]  # of a PathCollection
    assert sizes[1] == 2 * sizes[0]


def test_calibration_shows_shares_won_by_what_was_bet() -> None:
    made = data(DRAWN, WON)
    found = panels(reported.figure_of(REPORT, made, "figure_calibration"))
    assert list(found) == [
        "Cross-model, against the jury",
        "Self-debate, against exactly 50 %",
    ]
    # 60 won; of the five bets of 80 two did.
    assert places(found["Cross-model, against the jury"]) == [
        [60, 100],
        [pytest.approx(80), 40],
    ]


# What has to be read before the numbers.


def sample(condition: str = "self", **changes: Any) -> dict[str, Any]:
    """A row as `conditions` has it, of which nothing is worth a notice."""
    texts = ("bet_text_stripped", "bet_text_left", "short_speeches", "reasks")
    return {
        "condition": condition,
        "title": title(condition),
        "run": "run",
        "epoch": 1,
        "motion": "lamps",
        "parameters": {"own_bets_shown": True},
        "sides": {"proposition": "a", "opposition": "b"},
        "scored": True,
        "error": None,
        "limit": None,
        "bets.bets_ok": 6,
        **{
            f"bets.bets_{s}": 0 for s in ("unparsed", "refused", "truncated", "missing")
        },
        **{f"bets.{name}": 0 for name in texts},
    } | changes


def frame(*rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(rows)


def only(notices: list[Notice]) -> Notice:
    (found,) = notices
    return found


CLEAN = frame(sample(), sample(condition="public"))
PLAIN = bets("self", Debate("a", "b", ([60.0], [60.0])))


@pytest.mark.parametrize(
    "notices",
    [
        lambda: missing_notices(PLAIN),
        lambda: unread_notices(sanity_parts(CLEAN), STAGES),
        lambda: text_notices(CLEAN),
        lambda: confound_notices(CLEAN),
        lambda: jury_notices(verdicts("self", {"c": [("P", 60)]}), PLAIN),
    ],
)
def test_where_all_is_well_there_is_no_notice(notices: Callable[[], Any]) -> None:
    assert list(notices()) == []


def test_missing_bets_are_counted_with_what_was_recorded() -> None:
    made = pd.concat(
        [
            bets("self", Debate("a", "a", ([60.0, NONE], [NONE, 60.0])), recorded=0),
            bets("public", Debate("a", "a", ([60.0, NONE], [60.0, 60.0]))),
        ]
    )
    text = only(list(missing_notices(made))).text
    assert "- Self-debate: 2 of 4 bets; in their place the data have 0\n" in text
    assert text.endswith("- Public bets: 1 of 4 bets")


def test_text_on_bets_that_others_read_is_a_warning() -> None:
    made = frame(
        sample() | {"bets.bet_text_stripped": 2, "bets.bet_text_left": 1},
        sample() | {"bets.bet_text_stripped": 1},
        sample(condition="public"),
    )
    left, cut = text_notices(made)
    assert (left.level, cut.level) == ("warning", "info")
    assert left.text.endswith("- Self-debate: 1 speech")
    assert cut.text.endswith("- Self-debate: 3 speeches")
    table = TEXTS.table(made)
    assert table is not None
    found = row(table.frame, "Self-debate")
    assert found[["Speak of bets", "Still do when shown"]].tolist() == [3, 1]


def test_ties_missing_verdicts_and_judges_that_debate() -> None:
    judged = verdicts(
        "self",
        {"a": [("P", 60)], "c": [("O", 60)]},
        {"a": [("P", 60)], "c": [("O", 50)]},
        {"a": [("P", 60)], "c": [None]},
    )
    made = bets("self", *[Debate("a", "b", ([60.0], [60.0]))] * 3)
    ties, both = jury_notices(judged, made)
    assert "of 3 debates 1 tied in the sum of confidences, 2 in the number" in ties.text
    assert "1 of 3 debates have fewer than 2 verdicts" in ties.text
    assert both.level == "info"
    assert "debaters, too: a." in both.text


def test_conditions_that_differ_beside_their_names() -> None:
    other = sample(
        condition="informed_self", parameters={"own_bets_shown": False}, motion="tides"
    )
    shown, motions = confound_notices(frame(sample(), other))
    assert "- Not shown: Informed self" in shown.text
    assert "- Self-debate: 1\n- Informed self (told 50 %): 1" in motions.text
