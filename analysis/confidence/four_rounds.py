"""Debates of four rounds: the paper's Appendix O."""

import pandas as pd

from inspect_debate.analysis.confidence.frames import DEBATE
from inspect_debate.analysis.confidence.printed import fixed
from inspect_debate.analysis.confidence.sides import by_condition, three_speeches
from inspect_debate.analysis.confidence.statistics import paired, spread
from inspect_debate.analysis.confidence.study import (
    OVERALL,
    conditions_of,
    in_order,
    protocol_of,
    slug,
    title,
)
from inspect_debate.analysis.confidence.twins import PaperTable, paired_cells

PROTOCOL = "four_round"
MODELS = (
    *("anthropic/claude-3.7-sonnet", "deepseek/deepseek-chat"),
    *("google/gemini-2.0-flash-001", "openai/o3-mini", "qwen/qwq-32b"),
)
"""The models of the paper's debates of four rounds."""

NAME = "appendix_o"
COLUMNS = {
    "n_debates": "Debates",
    "n_bets": "Bets",
    "opening_mean": "Opening: mean",
    "opening_sd": "Opening: SD (n − 1)",
    "opening_n": "Opening: N",
    "rebuttal_mean": "Rebuttals: mean",
    "rebuttal_sd": "Rebuttals: SD (n)",
    "closing_mean": "Closing: mean",
    "closing_sd": "Closing: SD (n)",
    "open_to_closing_delta": "Opening to closing: Δ",
    "open_to_closing_p": "Opening to closing: p",
}


def four_round_tables(bets: pd.DataFrame) -> list[PaperTable]:
    """The numbers of Appendix O, for every condition with the preset's four rounds."""
    parts = by_condition(bets)
    return [
        _table(condition, parts[condition])
        for condition in conditions_of(parts)
        if protocol_of(condition) == PROTOCOL
    ]


def _table(condition: str, bets: pd.DataFrame) -> PaperTable:
    models = in_order(bets["model"], NAME)
    cells = {model: four_round_cells(bets[bets["model"] == model]) for model in models}
    cells[OVERALL] = four_round_cells(bets)
    whole = set(models) == set(MODELS)
    return PaperTable(
        name=NAME if condition == PROTOCOL else f"{NAME}_{slug(condition)}",
        title=f"{title(condition)} (the paper's Appendix O)",
        heading="Model",
        rows={OVERALL: "Overall"} | {model: model for model in models},
        columns=COLUMNS,
        cells=paired_cells(
            NAME,
            cells,
            lambda row, column: (row, column) if row != OVERALL or whole else None,
        ),
        note=NOTE,
    )


def four_round_cells(bets: pd.DataFrame) -> dict[str, str]:
    """One row of the table, over bets that were made."""
    made = bets[bets["bet"].notna()]
    by_speech = {str(name): rows["bet"] for name, rows in made.groupby("speech")}
    none = made["bet"].iloc[:0]
    opening = spread(by_speech.get("opening", none), ddof=1)
    rebuttals = spread(by_speech.get("rebuttal", none), ddof=0)
    closing = spread(by_speech.get("closing", none), ddof=0)
    sides = three_speeches(bets, "bet")
    rise = paired(sides["opening"], sides["closing"])
    return {
        "n_debates": str(len(bets.drop_duplicates(DEBATE))),
        "n_bets": str(len(made)),
        "opening_mean": fixed(opening.mean),
        "opening_sd": fixed(opening.sd),
        "opening_n": str(opening.n),
        "rebuttal_mean": fixed(rebuttals.mean),
        "rebuttal_sd": fixed(rebuttals.sd),
        "closing_mean": fixed(closing.mean),
        "closing_sd": fixed(closing.sd),
        "open_to_closing_delta": fixed(rise.mean),
        "open_to_closing_p": fixed(rise.p, 4),
    }


NOTE = (
    "Missing bets are left out here, as in the paper. Both rebuttals are pooled; the "
    "paper calls them the first. p: one-sided paired t test."
)
