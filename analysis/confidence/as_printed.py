"""Published tables that stand alone: of runs that are not among these logs."""

import pandas as pd

from inspect_debate.analysis.confidence.escalation import TABLES
from inspect_debate.analysis.confidence.four_rounds import COLUMNS as FOUR_ROUNDS
from inspect_debate.analysis.confidence.four_rounds import NAME as APPENDIX_O
from inspect_debate.analysis.confidence.four_rounds import PROTOCOL as FOUR_ROUND
from inspect_debate.analysis.confidence.sides import SPEECHES, label, transitions
from inspect_debate.analysis.confidence.study import OVERALL, protocol_of, title
from inspect_debate.analysis.confidence.twins import PaperTable, printed_cells
from inspect_debate.analysis.published import confidence_tables

_ROUNDS = {name: label(name) for name in (*SPEECHES, *transitions(SPEECHES))}


def printed_tables(bets: pd.DataFrame) -> list[PaperTable]:
    """Those of Tables 14 to 16 and Appendix O whose runs are not here."""
    here = set(bets["condition"].map(protocol_of))
    absent = [p for p in ("redteam", "redteam_v2", "deceptive") if p not in here]
    tables = [
        _printed(
            TABLES[protocol].table,
            f"{title(protocol)}, as printed",
            _ROUNDS,
            f"No runs of {protocol} are among these logs.",
        )
        for protocol in absent
    ]
    if FOUR_ROUND not in here:
        told = f"No runs of {FOUR_ROUND} are among these logs."
        name = f"{title(FOUR_ROUND)}, as printed"
        tables.append(_printed(APPENDIX_O, name, FOUR_ROUNDS, told))
    return tables


def _printed(key: str, name: str, columns: dict[str, str], told: str) -> PaperTable:
    published = confidence_tables()
    number = key.replace("_", " ").title()
    return PaperTable(
        name=key,
        title=f"{name} (the paper's {number})",
        heading="Model",
        rows={
            row: "Overall" if row == OVERALL else row for row in published.tables[key]
        },
        columns=columns,
        cells=printed_cells(key),
        note=" ".join(filter(None, (told, published.notes.get(key, "")))),
    )
