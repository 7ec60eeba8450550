"""Who won the debates of finished runs, as the next round of a tournament needs it."""

import math
from collections.abc import Iterator, Mapping
from logging import getLogger
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSampleSummary

from inspect_debate.datasets.schedules import Pairing, Result
from inspect_debate.reports.logs import Log, LogPaths, study_logs
from inspect_debate.reports.samples import full_summaries

logger = getLogger(__name__)


def debate_results(logs: LogPaths, *, allow_partial: bool = False) -> list[Result]:
    """The debates between different models, with what their juries decided.

    Args:
        logs: Files or folders, as in `study_logs`. A log whose debates another of them
            uses again, with another jury, is left out in favour of that.
        allow_partial: Whether to take logs of runs that did not finish.

    Returns:
        A result per sample and epoch; the winner is the side with the greater sum of
        confidences. Debates that failed are left out, and that is said; debates of
        models with themselves do not belong in a tournament and are left out, too.

    Raises:
        InputError: As `study_logs`.
    """
    found = study_logs(logs, "confidence", allow_partial=allow_partial)
    judged_again = {name for log in found if (name := _reused(log))}
    return [
        result
        for log in found
        if not _left_out(log, judged_again)
        for result in _results(log)
    ]


def _reused(log: Log) -> str | None:
    reuse = log.header.eval.task_args.get("reuse")
    return Path(reuse).name if reuse else None


def _left_out(log: Log, judged_again: set[str]) -> bool:
    if log.path.name not in judged_again:
        return False
    logger.warning(
        f"{log.path.name} is left out: another of the logs judges its debates again."
    )
    return True


def _results(log: Log) -> Iterator[Result]:
    unscored = 0
    (summaries,) = full_summaries([log])
    for summary in summaries:
        values, told = _score(summary, "bets")
        sides = told.get("sides")
        if not values or not sides:
            unscored += 1
        elif sides["proposition"] != sides["opposition"]:
            jury, _ = _score(summary, "jury")
            won = _number(values, "proposition_won")
            yield Result(
                Pairing(sides["proposition"], sides["opposition"], told["motion"]),
                None if math.isnan(won) else won == 1,
                _sum(jury, "proposition") - _sum(jury, "opposition"),
            )
    if unscored:
        logger.warning(
            f"{log.path.name}: {unscored} of {len(log.summaries)} debates failed or "
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


def _sum(jury: Mapping[str, Any], side: str) -> float:
    total = _number(jury, f"confidence_{side}")
    return 0.0 if math.isnan(total) else total


def _number(values: Mapping[str, Any], key: str) -> float:
    number = values.get(key)
    return math.nan if number is None else float(number)
