"""What changes when bets that were never made are left out and not counted as 0."""

from collections.abc import Iterator

import pandas as pd

from inspect_debate.analysis.confidence.escalation import (
    OTHER,
    TABLES,
    model_cells,
    rising,
)
from inspect_debate.analysis.confidence.sides import by_condition, by_side, label
from inspect_debate.analysis.confidence.study import (
    conditions_of,
    in_order,
    protocol_of,
    title,
)
from inspect_debate.analysis.reporting.elements import Table


def missing_table(bets: pd.DataFrame) -> Table | None:
    """All cells by condition that a bet which was not made, but recorded, changes.

    Returns:
        The table; None where every recorded bet was made.
    """
    parts = by_condition(bets)
    rows = [
        row for condition in conditions_of(parts) for row in _changed(parts[condition])
    ]
    if not rows:
        return None
    return Table(
        name="missing_bets",
        title="Without the bets that were not made",
        frame=pd.DataFrame(rows),
        groups="Condition",
        note="The released data have 0 where a debater gave no bet, and the paper's "
        "tables count that; here are the cells that change when it is left out. A bet "
        "of 0 that was made stays.",
    )


def _changed(bets: pd.DataFrame) -> Iterator[dict[str, str]]:
    lost = bets[bets["bet"].isna() & bets["recorded"].notna()]
    if lost.empty:
        return
    condition = str(bets["condition"].iloc[0])
    style = TABLES.get(protocol_of(condition), OTHER)
    counted, left_out = by_side(bets, "recorded"), by_side(bets, "bet")
    whose: dict[str, list[str]] = {m: [m] for m in in_order(lost["model"], style.table)}
    whose["Overall"] = list(bets["model"].unique())
    for who, models in whose.items():
        before, after = (
            model_cells(
                wide[wide["model"].isin(models)], style, overall=who == "Overall"
            )
            for wide in (counted, left_out)
        )
        yield from _rows(condition, who, before, after)
    yield from _rows(
        condition,
        "Models that rise (p < 0.05)",
        rising(bets, "recorded"),
        rising(bets, "bet"),
    )


def _rows(
    condition: str, who: str, before: dict[str, str], after: dict[str, str]
) -> Iterator[dict[str, str]]:
    for name, text in before.items():
        if after[name] != text:
            yield {
                "Condition": title(condition),
                "Model": who,
                "What": label(name),
                "Counted as 0": text,
                "Left out": after[name],
            }
