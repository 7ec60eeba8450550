"""The paper's tables: by hand, beside printed cells, and where there is too little."""

import math
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from scipy import stats

from inspect_debate.v1.debate.record import Parsed
from inspect_debate.v1.published.tables import paper_of
from inspect_debate.v1.reports.confidence.compared import (
    ComparedTable,
    Spread,
    TTest,
    against,
    delta,
    fixed,
    mean_sd,
    paired,
    percent,
    small_p,
    spread,
)
from inspect_debate.v1.reports.confidence.frames import SPENT, published_models
from inspect_debate.v1.reports.confidence.paper_bets import (
    FOUR_ROUND_MODELS,
    changed_by_missing,
    printed_tables,
)
from inspect_debate.v1.reports.confidence.paper_others import (
    COUNTED,
    JURY,
    alignment_tables,
    appendix_d,
    graded,
    rates_of,
    sums_of,
    table_6,
)
from inspect_debate.v1.reports.elements import Cell
from inspect_debate.v1.reports.tables import csv_text, laid_out
from inspect_debate.v1.scorers.bet_alignment import alignment_values
from inspect_debate.v1.scorers.bet_grading import BetGrade
from tests.v1.reports.confidence.made import (
    NONE,
    Debate,
    bets,
    data,
    items,
    itself,
    paper,
    row,
    texts,
    verdicts,
)

# Two models of one's own; every bet rises by 10 or 20, those of `one` in both debates.
CROSS = bets(
    "cross_model",
    Debate("one", "two", ([60, 70, 80], [70, 80, 90])),
    Debate("two", "one", ([50, 60, 80], [60, 80, 90])),
)
SELF = bets("self", *itself("one", [50, 50, 50], [60, 70, 76]))
INFORMED = bets("informed_self", *itself("one", [50, 50, 50], [40, 40, 40]))
MINE = (CROSS, SELF, INFORMED)
O3, FREE = "openai/o3-mini", "qwen/qwq-32b"
NAN = float("nan")


def ours(table: ComparedTable, title: str, group: str = "") -> list[str | None]:
    return [*texts(table, title, group).values()]


# Statistics, and how the paper prints them.


def test_spread_leaves_out_what_is_missing() -> None:
    assert spread([60, 80, NAN], ddof=1) == pytest.approx((70, math.sqrt(200), 2))
    assert spread([60, 80, NAN], ddof=0) == pytest.approx((70, 10, 2))
    one = spread([60], ddof=1)
    assert (one.mean, one.n) == (60, 1)
    assert math.isnan(one.sd)
    assert spread([60], ddof=0).sd == 0
    assert all(math.isnan(x) for x in spread([NAN], ddof=0)[:2])


def test_t_test_by_hand() -> None:
    # Mean 60 and standard error 20 / sqrt(4) of four bets: t = 1 with 3 df.
    found = against([40, 40, 80, 80], 50)
    error = math.sqrt(1600 / 3) / 2
    assert found[:2] == pytest.approx((60, 10 / error))
    assert found.p == pytest.approx(float(stats.t.sf(10 / error, 3)))
    assert against([40, 40, 80, 80], 50, "two-sided").p == pytest.approx(2 * found.p)


def test_pairs_are_whole() -> None:
    found = paired([50, 50, NAN, 60], [60, NAN, 70, 60])
    assert (found.mean, found.n) == (5, 2)


@pytest.mark.parametrize("values", [[], [60], [70, 70], [NAN, NAN]])
def test_too_little_for_a_t_test(values: list[float]) -> None:
    found = against(values)
    assert math.isnan(found.t)
    assert math.isnan(found.p)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (fixed(14.085, 1), "14.1"),
        (fixed(NAN), "–"),
        (percent(0.6166), "61.7%"),
        (percent(NAN), "–"),
        (mean_sd(Spread(72.9166, 7.894, 120)), "72.92 ± 7.89"),
        (mean_sd(Spread(72.9166, 7.894, 120), n=True), "72.92 ± 7.89 (N=120)"),
        (mean_sd(Spread(NAN, NAN, 0), n=True), "– ± – (N=0)"),
        (delta(TTest(2.083, 1, 0.0500, 12), "none"), "Δ=2.08"),
        (delta(TTest(2.083, 1, 0.0500, 12), "full"), "Δ=2.08, p=0.0500"),
        (delta(TTest(2.083, 1, 0.04999, 12), "full"), "Δ=2.08, p=0.0500*"),
        (delta(TTest(-0.83, 1, 0.0099, 12), "full"), "Δ=-0.83, p=0.0099**"),
        (delta(TTest(5, 1, 0.00099, 12), "full"), "Δ=5.00, p=0.0010***"),
        (delta(TTest(5, 1, 0.00099, 12), "bounded"), "Δ=5.00, p<0.001***"),
        (delta(TTest(5, 1, 0.0012, 12), "bounded"), "Δ=5.00, p=0.0012**"),
        (delta(TTest(0, NAN, NAN, 12), "full"), "Δ=0.00, p=–"),
        (delta(TTest(5, 1, 0.00099, 12), "stars"), "Δ=5.00***"),
        (small_p(6.97e-7), "6.97×10^-7"),
        (small_p(1.0e-4), "0.0001"),
        (small_p(0.5), "0.5000"),
        (small_p(0.0), "0.0000"),
        (small_p(NAN), "–"),
    ],
)
def test_as_the_paper_prints(shown: str, expected: str) -> None:
    assert shown == expected


# Tables of bets by hand.


def test_table_2_by_hand() -> None:
    table = paper(*MINE)["table_2"]
    assert [of.title for of in table.rows] == ["one", "two", "Overall average"]
    assert ours(table, "one") == ["60.00 ± 0.00", "55.00 ± 7.07", "45.00 ± 7.07"]
    assert ours(table, "two") == ["60.00 ± 14.14"]
    assert ours(table, "Overall average")[0] == "60.00 ± 8.16"


def test_table_3_by_hand() -> None:
    table = paper(*MINE)["table_3"]
    assert [texts(table, "Cross-model")[column] for column in table.columns] == [
        *("60.00 ± 7.07", "Δ=12.50", "72.50 ± 8.29"),
        *("Δ=12.50", "85.00 ± 5.00", "Δ=25.00"),
    ]
    # (4 * 60 + 2 * 55 + 2 * 45) / 8
    assert str(texts(table, "Grand overall")["opening"]).startswith("55.00")


def test_tables_of_conditions_by_hand() -> None:
    tables = paper(*MINE)
    cross = tables["table_8"]
    assert ours(cross, "Overall")[:3] == [
        *("60.00 ± 7.07 (N=4)", "72.50 ± 8.29 (N=4)", "85.00 ± 5.00 (N=4)")
    ]
    # Rises of 10, 10, 10 and 20: t = 12.5 / (5 / 2) = 5 with 3 degrees of freedom.
    assert ours(cross, "Overall")[3] == "Δ=12.50, p=0.0077**"
    # Model one: 20 and 30 from opening to closing: t = 25 / 5 with 1 degree.
    assert ours(cross, "one")[5] == "Δ=25.00, p=0.0628"
    assert ours(tables["table_9"], "Overall")[5] == "Δ=0.00, p=–"
    assert {"table_11", "table_12"} <= set(tables)
    assert "table_12" not in paper(CROSS)


def test_numbers_are_in_the_file_in_full() -> None:
    text = csv_text(paper(CROSS)["table_8"].table())
    names, one, *_ = text.splitlines()
    assert names.startswith("model,opening,opening_mean,opening_sd,opening_n,rebuttal,")
    assert one.startswith("one,60.00 ± 0.00 (N=2),60.0,0.0,2,75.00 ± 5.00 (N=2),75.0,5")
    found = dict(zip(names.split(","), text.splitlines()[-1].split(","), strict=False))
    assert found["opening_sd"] == "7.0710678118654755"
    assert "7.0710" not in str(laid_out(paper(CROSS)["table_8"].table()).bodies)


def test_table_4_by_hand() -> None:
    table = paper(*MINE)["table_4"]
    assert texts(table, "Cross-model")["both_gt75"] == "100.0%"
    assert ours(table, "Self-debate") == ["0.0%"] * 4 + ["100.0%", "0.0%"]
    assert ours(table, "Informed self (told 50 %)")[0] == "100.0%"
    assert ours(table, "Overall") == [
        *("25.0%", "0.0%", "50.0%", "0.0%", "25.0%", "0.0%")
    ]


def test_table_7_by_hand() -> None:
    table = paper(*MINE)["table_7"]
    # Two bets of 50 and 60: t = 1 with one degree of freedom; 50 is not ranked.
    assert ours(table, "one", "Self-debate") == [
        *("2", "55.00", "0.2500", "False", "0.5000", "False")
    ]
    assert ours(table, "one", "Cross-model")[2:4] == ["–", "False"]


def test_numbers_in_the_text_by_hand() -> None:
    found = {
        of.title: of.cells["value"].ours for of in paper(*MINE)["text_numbers"].rows
    }
    assert found["Cross-model: both sides end above 75"] == "100.0"
    assert found["Pooled conditions: both sides end above 50"] == "50.0"
    assert found["Self-debate: opening to closing"] == "8.0"
    difference = "Self-debate less Informed self (told 50 %): mean difference"
    assert found[difference] == "10.00"
    assert found["Pooled conditions: models"] == "4"
    assert "Self-debate less Public bets: p (two-sided)" not in found


def test_four_rounds_by_hand() -> None:
    table = paper(
        bets(
            "four_round",
            *itself(O3, [50, 40, 60, 70], [60, 50, 70, NONE]),
            *itself("mine", [40, 50, 50, 60], [50, 60, 60, 80]),
            recorded=0,
        )
    )["appendix_o"]
    assert texts(table, "Overall") == {
        "n_debates": "2",
        "n_bets": "15",  # the missing one is no 0
        "opening_mean": "50.00",
        "opening_sd": "8.16",  # with n - 1
        "opening_n": "4",
        "rebuttal_mean": "55.00",  # both rebuttals
        "rebuttal_sd": "8.66",  # with n
        "closing_mean": "70.00",
        "closing_sd": "8.16",
        "open_to_closing_delta": "23.33",  # 20, 20 and 30
        "open_to_closing_p": "0.0099",  # t = 7 with two degrees of freedom
    }
    by_model = {of.title: of.cells["opening_mean"] for of in table.rows}
    assert by_model[O3].difference == "+1.25"
    assert by_model["Overall"].paper is None
    everyone = [
        debate
        for model in FOUR_ROUND_MODELS
        for debate in itself(model, [50, 50, 50, 50], [60, 60, 60, 60])
    ]
    whole = paper(bets("four_round", *everyone))["appendix_o"].rows[0]
    assert (whole.cells["n_debates"].ours, whole.cells["n_debates"].difference) == (
        "5",
        "−23",
    )


# Which of the paper's cells are about the same.


def test_bets_of_ones_own_models_are_not_compared() -> None:
    for table in paper(*MINE).values():
        assert set(table.counts()) == {"not in the paper"}


def test_the_paper_s_models_are_compared_but_the_pool_is_another() -> None:
    tables = paper(bets("self", *itself(O3, [70, 80, 90], [60, 70, 80])))
    by_model = {of.title: of.cells["opening"] for of in tables["table_11"].rows}
    assert by_model[O3].status == "differs"
    assert by_model["Overall"].status == "not in the paper"
    assert tables["table_3"].rows[0].cells["opening"].status == "not in the paper"


def test_ours_paper_and_difference_are_under_each_column() -> None:
    debates = itself(O3, [70, 80, 90], [60, 70, 80])
    made = paper(bets("self", *debates))["table_11"].table()
    layout = laid_out(made)
    assert list(layout.labels)[:4] == [
        *("Model", "Opening ours", "Opening paper", "Opening diff.")
    ]
    one, overall = layout.bodies[0].rows
    assert one[1].text == "65.00 ± 5.00 (N=2)"
    assert overall[2].text == "–"
    assert Cell(0, ("Opening", "diff.")) in made.emphasis
    assert made.note.endswith("less the paper's; other columns are as printed.")


def test_the_paper_s_columns_are_shown_where_a_cell_differs() -> None:
    even = bets("informed_self", *itself(O3, *[[50, 50, 50]] * 12))
    made = paper(even)["table_9"].table()
    labels = list(laid_out(made).labels)
    assert labels[:3] == ["Model", "Opening ours", "Rebuttal ours"]
    assert "Rebuttal paper" in labels
    assert csv_text(made).startswith("model,opening_ours,opening_paper,opening_diff,")


def test_what_is_wrong_with_a_printed_cell_is_a_footnote() -> None:
    even = bets("informed_self", *itself(O3, [50], [50]))
    table = paper(even)["table_7"].table()
    place = Cell(0, ("Wilcoxon: p", "diff."))
    assert "nothing to rank" in table.marks[place]


def test_several_conditions_of_one_protocol_have_tables_of_their_own() -> None:
    twice = [
        bets(f"self rounds={n}", *itself("one", [50] * n, [60] * n)) for n in (3, 4)
    ]
    tables = paper(*twice)
    assert {"bets_self_rounds_3", "bets_self_rounds_4"} <= set(tables)
    assert list(tables["bets_self_rounds_4"].columns) == [
        *("opening", "rebuttal_1", "rebuttal_2", "closing"),
        *("open_to_rebuttal_1", "rebuttal_1_to_rebuttal_2", "rebuttal_2_to_closing"),
        "open_to_closing",
    ]


def test_what_the_paper_prints_of_other_runs() -> None:
    alone = {table.name: table for table in printed_tables(pd.concat(MINE))}
    assert list(alone) == ["table_14", "table_15", "table_16", "appendix_o"]
    for name, table in alone.items():
        assert table.counts() == Counter(
            {
                "as printed only": sum(
                    map(len, paper_of("confidence").tables[name].rows.values())
                )
            }
        )
        assert laid_out(table.table()).bodies[0].rows
    redteam = bets("redteam", *itself("one", [50, 60, 70], [60, 70, 80]))
    assert "table_14" not in {table.name for table in printed_tables(redteam)}
    assert ours(paper(redteam)["table_14"], "one")[0] == "55.00 ± 5.00"


# Bets that were not made.


def test_a_missing_bet_is_left_out_where_nothing_was_recorded() -> None:
    made = bets("self", *itself("one", [50, NONE, 70], [60, 70, 80]))
    assert ours(paper(made)["table_11"], "one")[1] == "70.00 ± 0.00 (N=1)"
    assert changed_by_missing(made).empty


def test_a_missing_bet_counts_as_it_was_recorded() -> None:
    recorded = bets("self", *itself("one", [50, NONE, 70], [60, 70, 80]), recorded=0)
    assert ours(paper(recorded)["table_11"], "one")[1] == "35.00 ± 35.00 (N=2)"
    changed = changed_by_missing(recorded)
    found = row(changed, "Self-debate", "one", "Rebuttal")
    assert found["Counted as 0"] == "35.00 ± 35.00 (N=2)"
    assert found["Left out"] == "70.00 ± 0.00 (N=1)"
    # Openings and closings are as they were.
    assert set(changed["What"]) == {
        *("Rebuttal", "Opening to rebuttal", "Rebuttal to closing")
    }


SMALL: dict[str, Callable[[], pd.DataFrame]] = {
    "one debate": lambda: CROSS[CROSS["debate"] == "debate 0"],
    "one round": lambda: bets("self", *itself("one", [50], [60])),
    "two rounds": lambda: bets("self", *itself("one", [50, 60], [60, 70])),
    "four rounds": lambda: bets(
        "four_round", *itself("one", [50, 60, 70, 80], [60, 70, NONE, 90])
    ),
    "rounds that differ": lambda: pd.concat(
        [CROSS, bets("public", *itself("one", [50], [60]))]
    ),
    "no bet at all": lambda: bets("self", *itself("one", [NONE] * 3, [NONE] * 3)),
    "all the same": lambda: bets("self", *itself("one", *([50] * 3 for _ in range(4)))),
    "a protocol of one's own": lambda: bets("mine", *itself("one", [50], [60])),
}


@pytest.mark.parametrize("frame", SMALL.values(), ids=SMALL)
def test_too_little_is_no_failure(frame: Callable[[], pd.DataFrame]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = items(
            data(frame()), "Beside", "Conf", "Esc", "Both", "Cond", "Who", "Four"
        )
        tables = [it for it in made.values() if hasattr(it, "frame")]
        assert len(tables) > 5
        for table in tables:
            laid_out(table)
            assert "nan" not in csv_text(table)


# Bets beside reasoning: Tables 17 to 19.


def grade(words: str, bet: float = 70, **as_coded: str) -> BetGrade:
    """A grade of five words: figure, confidence, assessment, degree, strategic."""
    names = ("numeric", "internal", "assessment", "degree", "strategic")
    fields = {
        name: Parsed.unparsed() if name in as_coded else Parsed.ok(word)
        for name, word in zip(names, words.split(), strict=True)
    }
    return BetGrade(
        side="proposition", round=1, bet=bet, fields=fields, as_coded=as_coded
    )


def debate(
    condition: str, model: str, *grades: BetGrade, eligible: int = 0
) -> dict[str, Any]:
    """A row as `conditions` has it."""
    values = alignment_values(grades, max(eligible, len(grades)))
    return {
        "condition": condition,
        "sides": {"proposition": model, "opposition": model},
        **{f"bets.stated_{name}": 0.0 for name in ("n", "gap_sum", "abs_gap_sum")},
        **{f"bet_alignment.{key}": value for key, value in values.items()},
    }


GRADED = pd.DataFrame(
    [
        debate(
            "self",
            "one",
            grade("yes 70 aligned none no"),
            grade("yes 60-64 overbetting slight yes"),
            grade("no 70 - slight no", assessment="Slight Overbetting"),
            eligible=4,
        ),
        debate("self", "two", grade("no none underbetting significant yes")),
        debate("public", "one", grade("yes 90 underbetting moderate yes", bet=75)),
    ]
)


def test_labels_are_summed_over_debates() -> None:
    sums = sums_of(GRADED[GRADED["condition"] == "self"])
    assert (sums["eligible"], sums["graded"]) == (5, 4)
    tables = {table.name: table for table in alignment_tables(GRADED)}
    assert texts(tables["table_17"], "Overbetting", "Assessment") == {
        "self": "50.0%",  # one is malformed
        "public": "0.0%",
    }
    assert texts(tables["section_4_4"], "Self-debate") == {
        "aligned": "25.0%",
        "overbetting": "25.0%",
        "underbetting": "25.0%",
    }
    found = texts(tables["table_18"], "Public bets")
    assert (found["present/Underbetting"], found["absent/Aligned"]) == ("100.0%", "–")
    assert texts(tables["table_18"], "Self-debate")["present/Overbetting"] == "50.0%"
    found = texts(tables["table_19"], "Self-debate")
    assert (found["present/None"], found["absent/Slight"]) == ("50.0%", "50.0%")
    for table in tables.values():
        assert set(table.counts()) == {"not in the paper"}


def test_debates_without_a_grader_are_not_in_it() -> None:
    assert graded(GRADED.drop(columns="bet_alignment.graded")).empty
    some = GRADED.assign(**{"bet_alignment.graded": [1, float("nan"), 1]})
    assert graded(some).index.tolist() == [0, 2]


# Table 6.


def spent(*rows: tuple[Any, ...]) -> pd.DataFrame:
    """Rows of condition, rounds, model, seats, prompt and completion tokens, cost."""
    return pd.DataFrame(
        [
            (condition, f"d{n}", rounds, model, seats, prompt, completion, tokens, cost)
            for n, (condition, rounds, model, seats, prompt, completion, cost) in (
                enumerate(rows)
            )
            for tokens in [prompt + completion]
        ],
        columns=list(SPENT),
    )


def cells_6(*rows: tuple[Any, ...]) -> dict[tuple[str, str], Any]:
    table = table_6(spent(*rows), rates_of([]))
    return {(of.title, c): cell for of in table.rows for c, cell in of.cells.items()}


def test_prices_are_the_authors_and_costs_are_worked_by_hand() -> None:
    # 2 million at 1.1 dollars and half a million at 4.4 are 2.2 + 2.2.
    cells = cells_6(("self", 3, O3, 2, 2_000_000, 500_000, math.nan))
    assert cells[O3, "cost_usd"].ours == "4.40"
    assert cells[O3, "total_tokens"].ours == "2,500,000"
    assert cells["Overall", "cost_usd"].ours == "4.40"


def test_a_run_s_own_cost_counts_and_an_unknown_one_is_none() -> None:
    cells = cells_6(
        ("self", 3, "mine/a", 2, 10, 5, 0.25), ("self", 3, "mine/b", 2, 10, 5, math.nan)
    )
    assert cells["mine/a", "cost_usd"].ours == "0.25"
    assert cells["mine/b", "cost_usd"].ours is None
    assert cells["Overall", "cost_usd"].ours is None
    assert cells["Overall", "total_tokens"].ours == "30"


@pytest.mark.parametrize(
    ("condition", "rounds", "counted"),
    [
        ("cross_model", 3, True),
        ("redteam judge=a", 3, True),
        ("four_round", 4, False),
        ("self rounds=4", 4, False),
        ("deceptive", 3, False),
    ],
)
def test_what_the_paper_counts(condition: str, rounds: int, counted: bool) -> None:
    cells = cells_6(
        ("self", 3, O3, 2, 1, 1, 0.0), (condition, rounds, O3, 2, 10, 10, 0)
    )
    assert cells[O3, "debates"].ours == ("4" if counted else "2")
    assert cells[O3, "total_tokens"].ours == ("22" if counted else "2")


def test_other_debates_than_the_papers_are_shown_beside_it_but_not_compared() -> None:
    parts = [("self", 3, m, 2, 1000, 1, math.nan) for m in published_models("table_6")]
    table, cells = table_6(spent(*parts), rates_of([])), cells_6(*parts)
    assert cells[O3, "debates"].status == "not comparable"
    assert "Debates with oneself" in table.note
    assert "missing are Cross-model, Informed self" in table.note
    shown = table.table().frame.set_index(("Model", "")).loc[O3]
    assert shown["Debates"].to_dict() == {"ours": "2", "paper": "60", "number": 2}
    # What a free model costs does not depend on how many debates there are.
    assert cells[FREE, "cost_usd"].status == "equal"
    assert table.counts()["equal"] == 2
    whole = [(c, *part[1:]) for part in parts for c in COUNTED]
    found = table_6(spent(*whole), rates_of([])).counts()
    assert found["equal"] + found["differs"] == 31
    assert cells_6(*whole)[O3, "debates"].difference == "−50"


# The jury.


def test_another_jury_is_not_compared() -> None:
    models = published_models()
    pairs = zip(models, models[1:] + models[:1], strict=True)
    series = ([60.0], [60.0])
    pool = bets("cross_model", *(Debate(a, b, series) for a, b in pairs))
    for judges, known in ((JURY, True), (JURY | {"another"}, False)):
        judged = verdicts(
            "cross_model", *[{judge: [("O", 60)] for judge in judges}] * 10
        )
        (table,) = appendix_d(judged, pool)
        status = table.rows[0].cells["value"].status
        assert status == ("differs" if known else "not in the paper")
        rules = items(data(pool, judged), "The jury")["jury_rules"]
        assert rules.frame["Rule"].str.endswith("as printed").any() == known
        assert bool(rules.marks) == known
