"""Four debates whose figures can be counted by hand, as frames."""

from functools import cache
from typing import NamedTuple

import pandas as pd

from inspect_debate.reports.srdcr.frames import (
    answers_of,
    conditions,
    items_of,
    rounds_of,
)
from tests.reports.srdcr.made_clash import NONE, Said, joined, scores

TRUSTED = Said("q1", 0, recall=1.0)
"""All is right, and the judge says so."""

DOUBTED = Said("q1", 2, "right", "passage", (1, 0, 0), recall=1.0)
"""The passage is wrong, the prior answer right; the judge comes to see that."""

LEARNED = Said("q2", 0, "other", "right", (0, 1, 1), confidence=0.2, recall=0.1)
"""The passage is right, and SR-DCR abstains before the judge sees that."""

ABSTAINS = Said("q2", 1, "other", "passage", (1, 1, 0), confidence=0.5, recall=0.1)
"""Neither is right; SR-DCR abstains in the end."""

FOUR = (TRUSTED, DOUBTED, LEARNED, ABSTAINS)
UNKNOWN = tuple(said._replace(recall=NONE) for said in FOUR)


class Frames(NamedTuple):
    """What the figures are drawn from."""

    items: pd.DataFrame
    answers: pd.DataFrame
    rounds: pd.DataFrame


def frames(*runs: pd.DataFrame) -> Frames:
    """The frames of runs, the later ones newer."""
    items = items_of(conditions(joined(*runs)))
    return Frames(items, answers_of(items), rounds_of(items))


@cache
def debates() -> Frames:
    """The frames of the four debates."""
    return frames(scores("srdcr", FOUR))


def nothing() -> Frames:
    """The same frames without a row."""
    return Frames(*(frame.head(0) for frame in debates()))
