"""The figures of the confidence study."""

from collections.abc import Iterator, Mapping

import pandas as pd

from inspect_debate.analysis.confidence.calibration import Part, parts_of
from inspect_debate.analysis.confidence.dependence import HUMANS
from inspect_debate.analysis.confidence.frames import DEBATE
from inspect_debate.analysis.confidence.sides import (
    by_condition,
    by_debate,
    three_speeches,
)
from inspect_debate.analysis.confidence.study import (
    EVEN,
    HUMANS,
    conditions_of,
    in_order,
    title,
)
