"""What the tables of the report share: rows by model and arm, and shares as cells."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from inspect_debate.metrics.abstention import ByCondition, by_condition
from inspect_debate.metrics.agreement import Share
from inspect_debate.reports.srdcr.shown import by_arm, by_model, model_title
from inspect_debate.reports.srdcr.study import HALVES, PROTOCOL_OF

MODEL, ARM = "Model", "Arm"

CLUSTERED = "95 % intervals, clustered by question."

HALF_TITLES = {half: half.capitalize() for half in HALVES}


class Rows(NamedTuple):
    """The answers of one arm of one model, with what readers call both."""

    model: str
    title: str
    answers: pd.DataFrame

    @property
    def arm(self) -> str:
        """The arm, a key of `ARMS`."""
        return str(self.answers["arm"].iloc[0])

    @property
    def variant(self) -> str:
        """What tells it from other conditions of the arm; mostly empty."""
        return str(self.answers["variant"].iloc[0])

    @property
    def named(self) -> dict[str, object]:
        """The first cells of its row."""
        return {MODEL: model_title(self.model), ARM: self.title}

    @property
    def reuses(self) -> bool:
        """Whether their runs used answers of an earlier one again."""
        return bool((self.answers["answer_set"] != self.answers["log"]).any())

    @property
    def is_own(self) -> bool:
        """Whether they are of runs for the arm's sake, with what those took."""
        return bool((self.answers["protocol"] == PROTOCOL_OF.get(self.arm)).all())


def rows_of(answers: pd.DataFrame) -> Iterator[Rows]:
    """All arms of all models, those of the paper first, in the order of `ARMS`."""
    for model, of_model in by_model(answers).items():
        for title, of_arm in by_arm(of_model).items():
            yield Rows(model, title, of_arm)


def with_ends(name: str, share: Share) -> dict[str, float]:
    """A share as the three columns that a table shows in one."""
    return {name: share.value, f"{name} low": share.low, f"{name} high": share.high}


def in_halves(answers: pd.DataFrame, measure: str = "strict") -> ByCondition:
    """Accuracy, coverage and selective accuracy of an arm in both halves and overall.

    Args:
        answers: Of one arm and model.
        measure: `strict` or `normalised`.
    """
    standard = (answers["half"] == HALVES[0]).astype(float)
    return by_condition(
        answers[measure], answers["answered"], standard, answers["question_id"]
    )
