"""Invented samples that the tables are worked out on by hand, and rows of tables."""

from typing import Any

import pandas as pd

from inspect_debate.reports.elements import Table
from inspect_debate.reports.srdcr.frames import (
    answers_of,
    conditions,
    items_of,
    rounds_of,
)
from inspect_debate.reports.tables import laid_out
from tests.reports.srdcr.made_clash import NONE, Said, joined, scores

OTHER = "acme/other"

SAID = (
    # A known answer: the passage is right, then wrong; the judge sees both.
    Said("q1", 0, "right", "right", (1, 1, 1), confidence=0.95),
    Said("q1", 2, "right", "passage", (1, 0, 0), confidence=0.95),
    # An answer that is not known: trusted rightly, then an abstention.
    Said("q2", 0, "other", "right", (0, 1, 1), confidence=0.3),
    Said("q2", 5, "other", "passage", (0, 0, 0), confidence=0.3),
    # A known answer of which the model is not sure: abstains, then is fooled.
    Said("q3", 0, "right", "right", (1, 0, 0), confidence=0.6),
    Said("q3", 1, "right", "passage", (0, 0, 1), confidence=0.6),
    # A verdict that was not read.
    Said("q4", 0, "right", "right", (1, 1, NONE), confidence=0.95),
    Said("q4", 5, "right", "right", (0, 1, 0), confidence=0.95),
)


def items(*frames: pd.DataFrame) -> pd.DataFrame:
    return items_of(conditions(joined(*frames)))


def answers(*frames: pd.DataFrame) -> pd.DataFrame:
    return answers_of(items(*(frames or (scores("srdcr", SAID, model=OTHER),))))


def rounds() -> pd.DataFrame:
    return rounds_of(items(scores("srdcr", SAID, model=OTHER)))


def row(table: Table | None, **at: Any) -> dict[str, Any]:
    """The only row with these values, under the columns' names with _ for spaces."""
    assert table is not None
    assert laid_out(table).bodies[0].rows
    frame = table.frame
    for name, value in at.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1, frame
    return {str(name): value for name, value in frame.iloc[0].items()}
