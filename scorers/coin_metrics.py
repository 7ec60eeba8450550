"""What to expect where coins decide, whatever they happened to show."""

from collections.abc import Sequence

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.core.measures.detection import STATISTICS, Statistic, count
from inspect_debate.core.measures.ensemble import expected_statistic
from inspect_debate.scorers.common import column, keys
from inspect_debate.scorers.detection_counts import (
    MAIN_STATISTICS,
    author_means,
    cells,
)


@metric(scores="unreduced")
def expected_by_coin() -> Metric:
    """The exact expectation of statistics over all tosses of the coins.

    Only where the protocol tosses coins between answers that differ; otherwise nothing.
    Items without a prediction are left out. `detection` has the same statistics at the
    expected counts, with intervals; `by_judge_and_order` has those of the tosses that
    were made. Every score has a coin of its own here, though every second epoch takes
    the other side of its predecessor's.
    """

    def over_tosses(scores: list[SampleScore]) -> Value:
        if "prediction_drawn" not in keys(scores):
            return {}
        found = {
            f"{name}_expected": _expected(scores, STATISTICS[name])
            for name in MAIN_STATISTICS
        }
        for name in ("f1", "f2"):
            of_cells = {
                cell: _expected(members, STATISTICS[name])
                for cell, members in cells(scores).items()
            }
            found |= author_means(of_cells, f"{name}_expected")
        return found | {"coins": float((column(scores, "prediction") == 0.5).sum())}

    return over_tosses


def _expected(scores: Sequence[SampleScore], statistic: Statistic) -> float:
    gold, predicted = column(scores, "gold"), column(scores, "prediction")
    coins = predicted == 0.5
    return expected_statistic(
        certain=count(gold[~coins], predicted[~coins]),
        coins_error=int(np.sum(gold[coins])),
        coins_no_error=int(np.sum(1 - gold[coins])),
        statistic=statistic,
    )
