"""The paper's tables of bets of one's own: by hand, and where there is too little."""

import warnings
from collections.abc import Callable

import pandas as pd
import pytest

from inspect_debate.reports.confidence.dependence import (
    comparisons_table,
    escalation_table,
    openings_table,
)
from inspect_debate.reports.confidence.escalation import (
    condition_tables,
    missing_table,
    table_3,
    table_12,
    table_13,
)
from inspect_debate.reports.confidence.paper import (
    paper_tables,
    printed_tables,
    schedule_tables,
    table_2,
    table_4,
    table_7,
    text_numbers,
)
from inspect_debate.reports.confidence.twins import PaperTable, counts
from inspect_debate.reports.tables import csv_text, laid_out
from tests.reports.confidence.made_bets import NONE, Debate, bets, itself, row

# Two models of one's own; every bet rises by 10 or 20, those of `one` in both debates.
CROSS = bets(
    "cross_model",
    Debate("one", "two", ([60, 70, 80], [70, 80, 90])),
    Debate("two", "one", ([50, 60, 80], [60, 80, 90])),
)
SELF = bets("self", *itself("one", [50, 50, 50], [60, 70, 76]))
INFORMED = bets("informed_self", *itself("one", [50, 50, 50], [40, 40, 40]))
MINE = pd.concat([CROSS, SELF, INFORMED])


def texts(table: PaperTable, row: str) -> list[str | None]:
    return [
        twin.ours
        for column in table.columns
        if (twin := table.cells.get((row, column))) is not None
    ]


def test_table_2_by_hand() -> None:
    table = table_2(MINE)
    assert list(table.rows) == ["one", "two", "overall"]
    assert texts(table, "one") == ["60.00 ± 0.00", "55.00 ± 7.07", "45.00 ± 7.07"]
    assert texts(table, "two") == ["60.00 ± 14.14"]
    assert texts(table, "overall")[0] == "60.00 ± 8.16"


def test_table_3_by_hand() -> None:
    table = table_3(MINE)
    assert texts(table, "cross_model") == [
        *("60.00 ± 7.07", "Δ=12.50", "72.50 ± 8.29"),
        *("Δ=12.50", "85.00 ± 5.00", "Δ=25.00"),
    ]
    # (4 * 60 + 2 * 55 + 2 * 45) / 8
    assert str(texts(table, "overall")[0]).startswith("55.00")


def test_tables_of_conditions_by_hand() -> None:
    cross, own, informed = condition_tables(MINE)
    assert [cross.name, own.name, informed.name] == ["table_8", "table_11", "table_9"]
    assert texts(cross, "overall")[:3] == [
        *("60.00 ± 7.07 (N=4)", "72.50 ± 8.29 (N=4)", "85.00 ± 5.00 (N=4)"),
    ]
    # Rises of 10, 10, 10 and 20: t = 12.5 / (5 / 2) = 5 with 3 degrees of freedom.
    assert texts(cross, "overall")[3] == "Δ=12.50, p=0.0077**"
    # Model one: 20 and 30 from opening to closing: t = 25 / 5 with 1 degree.
    assert texts(cross, "one")[5] == "Δ=25.00, p=0.0628"
    assert texts(informed, "overall")[5] == "Δ=0.00, p=–"


def test_table_4_by_hand() -> None:
    table = table_4(MINE)
    shares = dict(zip(table.columns.values(), texts(table, "cross_model"), strict=True))
    assert shares["Both > 75"] == "100.0%"
    assert texts(table, "self") == ["0.0%", "0.0%", "0.0%", "0.0%", "100.0%", "0.0%"]
    assert texts(table, "informed_self")[0] == "100.0%"
    assert texts(table, "overall") == [
        "25.0%",
        "0.0%",
        "50.0%",
        "0.0%",
        "25.0%",
        "0.0%",
    ]


def test_table_5_is_of_debates_between_models() -> None:
    (table,) = schedule_tables(MINE)
    assert texts(table, "one") == ["1", "1", "2"]
    assert texts(table, "overall") == ["2", "2", "4"]


def test_table_7_by_hand() -> None:
    table = table_7(MINE)
    # Two bets of 50 and 60: t = 1 with one degree of freedom; 50 is not ranked.
    assert texts(table, "self one") == [
        *("2", "55.00", "0.2500", "False", "0.5000", "False"),
    ]
    assert texts(table, "cross_model one")[2:4] == ["–", "False"]


def test_tables_12_and_13() -> None:
    table = table_12(MINE)
    assert table is not None
    assert texts(table, "one")[0] == "53.33 ± 7.45 (N=6)"
    # Four rises of 20 to 30, and 0, 16, 0 and 0: t = 3.2 with seven degrees.
    assert texts(table, "overall")[5] == "Δ=14.50**"
    assert table_12(CROSS) is None
    counted = table_13(MINE)
    assert texts(counted, "cross_model") == ["0/2", "0/2", "0/2"]


def test_table_13_counts_significant_rises() -> None:
    rising = itself("one", *([50, 60, 70 + n] for n in range(6)))
    falling = itself("two", *([50, 45 - n, 40 - n**2] for n in range(6)))
    table = table_13(bets("self", *rising, *falling))
    # Where every bet rises by the same there is no t.
    assert texts(table, "self") == ["0/2", "1/2", "1/2"]


def test_numbers_in_the_text_by_hand() -> None:
    table = text_numbers(MINE)
    told = {table.rows[row]: twin.ours for (row, _), twin in table.cells.items()}
    assert told["Cross-model: both sides end above 75"] == "100.0"
    assert told["Pooled conditions: both sides end above 50"] == "50.0"
    assert told["Self-debate: opening to closing"] == "8.0"
    difference = "Self-debate less Informed self (told 50 %): mean difference"
    assert told[difference] == "10.00"
    assert told["Pooled conditions: models"] == "4"
    assert "Self-debate less Public bets: p (two-sided)" not in told


def test_bets_of_ones_own_models_have_no_twins() -> None:
    for found in counts(paper_tables(MINE)).values():
        assert set(found) == {"not in the paper"}


def test_the_paper_s_models_have_twins_but_the_pool_is_another() -> None:
    debates = itself("openai/o3-mini", [70, 80, 90], [60, 70, 80])
    (table,) = condition_tables(bets("self", *debates))
    assert table.cells["openai/o3-mini", "opening"].status == "differs"
    assert table.cells["overall", "opening"].status == "not in the paper"
    of_condition = table_3(bets("self", *debates))
    assert of_condition.cells["self", "opening"].status == "not in the paper"


def test_several_conditions_of_one_protocol_have_tables_of_their_own() -> None:
    twice = [
        bets(f"self rounds={n}", *itself("one", [50] * n, [60] * n)) for n in (3, 4)
    ]
    tables = condition_tables(pd.concat(twice))
    assert [table.name for table in tables] == [
        "bets_self_rounds_3",
        "bets_self_rounds_4",
    ]
    assert list(tables[1].columns) == [
        *("opening", "rebuttal_1", "rebuttal_2", "closing"),
        *("open_to_rebuttal_1", "rebuttal_1_to_rebuttal_2", "rebuttal_2_to_closing"),
        "open_to_closing",
    ]


def test_a_missing_bet_is_left_out_where_nothing_was_recorded() -> None:
    debates = itself("one", [50, NONE, 70], [60, 70, 80])
    (table,) = condition_tables(bets("self", *debates))
    assert texts(table, "one")[1] == "70.00 ± 0.00 (N=1)"
    assert missing_table(bets("self", *debates)) is None


def test_a_missing_bet_counts_as_it_was_recorded() -> None:
    debates = itself("one", [50, NONE, 70], [60, 70, 80])
    recorded = bets("self", *debates, recorded=0)
    (table,) = condition_tables(recorded)
    assert texts(table, "one")[1] == "35.00 ± 35.00 (N=2)"
    changed = missing_table(recorded)
    assert changed is not None
    found = row(changed.frame, "Self-debate", "one", "Rebuttal")
    assert found["Counted as 0"] == "35.00 ± 35.00 (N=2)"
    assert found["Left out"] == "70.00 ± 0.00 (N=1)"
    # Openings and closings are as they were.
    assert set(changed.frame["What"]) == {
        *("Rebuttal", "Opening to rebuttal", "Rebuttal to closing"),
    }


def test_what_the_paper_prints_of_other_runs() -> None:
    names = [table.name for table in printed_tables(MINE)]
    assert names == ["table_14", "table_15", "table_16", "appendix_o"]
    redteam = bets("redteam", *itself("one", [50, 60, 70], [60, 70, 80]))
    assert "table_14" not in [table.name for table in printed_tables(redteam)]
    (table,) = condition_tables(redteam)
    assert table.name == "table_14"
    assert texts(table, "one")[0] == "55.00 ± 5.00"
    for alone in printed_tables(MINE):
        assert set(counts([alone])[alone.name]) == {"as printed only"}
        assert laid_out(alone.table()).bodies[0].rows


SMALL: dict[str, Callable[[], pd.DataFrame]] = {
    "nothing": lambda: MINE.iloc[:0],
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
    made = frame()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = [table.table() for table in paper_tables(made)]
        others = [
            openings_table(made),
            escalation_table(made),
            comparisons_table(made),
            missing_table(made),
        ]
        for table in (*tables, *(other for other in others if other is not None)):
            laid_out(table)
            assert "nan" not in csv_text(table)
