"""Debates as data frames: a row per debate and a row per turn, with their texts."""

import math
import re
from collections.abc import Sequence
from logging import getLogger
from pathlib import Path

from inspect_ai.log import EvalSample
from inspect_ai.model import ModelName
from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.record import Turn

logger = getLogger(__name__)

_REUSED = "a failure of this sample in "
_FOLDERS = re.compile(r"(?<![\w/:.])~?/(?:[^\s/]+/)*(?=[^\s/])")


def state_of(sample: EvalSample) -> TaskState:
    """A sample as protocols were given it."""
    return TaskState(
        model=ModelName("none/none"),
        sample_id=sample.id,
        epoch=sample.epoch,
        input=sample.input,
        messages=[],
        choices=sample.choices,
        metadata=sample.metadata,
    )


def price(turns: Sequence[Turn]) -> float:
    """What turns cost in US dollars; NaN where a price is unknown.

    A draw that came with the reply to another is no call, and paid for there.
    """
    prices = [turn.usage.total_cost for turn in turns if turn.calls]
    if turns and not prices:
        return math.nan
    return sum(math.nan if price is None else price for price in prices)


def named_only(told: str) -> str:
    """A sentence with files named without their folders."""
    before, reused, path = told.partition(_REUSED)
    return before + reused + Path(path).name if reused else _FOLDERS.sub("", told)
