"""All of the paper's tables that bets give."""

import pandas as pd

from inspect_debate.analysis.confidence.escalation import (
    condition_tables,
    table_3,
    table_12,
    table_13,
)
from inspect_debate.analysis.confidence.four_rounds import four_round_tables
from inspect_debate.analysis.confidence.openings import table_2, table_7
from inspect_debate.analysis.confidence.schedule import schedule_tables
from inspect_debate.analysis.confidence.text import text_numbers
from inspect_debate.analysis.confidence.twins import PaperTable
from inspect_debate.analysis.confidence.zero_sum import table_4


def paper_tables(bets: pd.DataFrame) -> list[PaperTable]:
    """The paper's Tables 2 to 5, 7 to 16, Appendix O, and the numbers in its text.

    Args:
        bets: As from `bets_of`; missing bets count as they are recorded.

    Returns:
        Those that these conditions give, in the paper's order. `.table()` of each is
        for a report, and `twins.counts` says how many cells are as printed.
    """
    whole = table_12(bets)
    return [
        table_2(bets),
        table_3(bets),
        table_4(bets),
        *schedule_tables(bets),
        table_7(bets),
        *condition_tables(bets),
        *([] if whole is None else [whole]),
        table_13(bets),
        *four_round_tables(bets),
        text_numbers(bets),
    ]
