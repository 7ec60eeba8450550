"""Who won the debates of finished runs, as the next round of a tournament needs it.

Apart from the report, which takes seconds to import.
"""

import math
from collections.abc import Iterator, Mapping
from itertools import chain
from logging import getLogger
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSampleSummary

from inspect_debate.datasets.schedules import Pairing, Result
from inspect_debate.reports.logs import Log, LogPaths, study_logs
from inspect_debate.reports.samples import full_summaries
from inspect_debate.solvers.bet_records import SIDES

logger = getLogger(__name__)


def debate_results(logs: LogPaths, *, allow_partial: bool = False) -> list[Result]:
    """The debates between different models, with what their juries decided.

    Args:
        logs: Files or folders, as in `study_logs`. A log whose debates another of them
            uses again, with another jury, is left out in favour of that.
        allow_partial: Whether to take logs of runs that did not finish.

    Returns:
        A result per sample and epoch; the winner is the side with the greater sum of
        confidences. Debates that failed are left out with a warning; debates of models
        with themselves do not belong in a tournament and are left out, too.

    Raises:
        InputError: As `study_logs`.
    """
    found = study_logs(logs, "confidence", allow_partial=allow_partial)
    reused = (log.header.eval.task_args.get("reuse") for log in found)
    judged_again = {Path(path).name for path in reused if path}
    results: list[Result] = []
    for log in found:
        if log.path.name not in judged_again:
            results += _results(log)
            continue
        logger.warning(
            f"{log.path.name} is left out: another of the logs judges its debates "
            "again."
        )
    return results


def _results(log: Log) -> Iterator[Result]:
    (files,) = full_summaries([log])
    summaries, unscored = [*chain.from_iterable(files)], 0
    for summary in summaries:
        values, about = _score(summary, "bets")
        sides = about.get("sides")
        if not values or not sides:
            unscored += 1
        elif sides["proposition"] != sides["opposition"]:
            jury, _ = _score(summary, "jury")
            won = _number(values, "proposition_won")
            sums = [_number(jury, f"confidence_{side}") for side in SIDES]
            lead = [0.0 if math.isnan(total) else total for total in sums]
            yield Result(
                Pairing(sides["proposition"], sides["opposition"], about["motion"]),
                None if math.isnan(won) else won == 1,
                lead[0] - lead[1],
            )
    if unscored:
        logger.warning(
            f"{log.path.name}: {unscored} of {len(summaries)} debates failed or "
            "have no score; they are left out."
        )


def _score(
    summary: EvalSampleSummary, name: str
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The values and the metadata of a score; both empty where there is none."""
    score = (summary.scores or {}).get(name)
    if score is None or not isinstance(score.value, Mapping):
        return {}, {}
    return score.value, score.metadata or {}


def _number(values: Mapping[str, Any], key: str) -> float:
    number = values.get(key)
    return math.nan if number is None else float(number)
