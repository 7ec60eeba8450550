"""People's verdicts as scores: files for Inspect's `precomputed_scores`, and logs."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.scorer import (
    Score,
    Scorer,
    Target,
    mean,
    precomputed_scores,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from inspect_debate.analysis.judges.sheet_key import KeyRow

VALUES = ("correct", "first_answer", "for_first_shown", "confidence")
"""The keys of a score in a log: columns of `decisions_df`."""


def score_files(
    decisions: pd.DataFrame, rows: Mapping[str, KeyRow], folder: Path
) -> dict[str, dict[str, Path]]:
    """Write what `precomputed_scores` reads: a file per log, and person or majority.

    Args:
        decisions: As from `decisions_df`.
        rows: The key's rows, by code.
        folder: Where to write: a folder per log. A record's value is whether the
            verdict is right, so that it has an accuracy; all else is in its metadata.

    Returns:
        The files, by the log's run and the name of the score, such as `human_mary`.
    """
    of_people = decisions[decisions["kind"] != "model"]
    files: dict[str, dict[str, Path]] = {}
    for (run, log, judge), of in of_people.groupby(["run", "log", "judge"], sort=False):
        path = folder / Path(str(log)).stem / f"human_{judge}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        records = [_record(verdict, rows[verdict["code"]]) for verdict in _dicts(of)]
        path.write_text(
            json.dumps(records, indent=1, ensure_ascii=False), encoding="utf-8"
        )
        files.setdefault(str(run), {})[path.stem] = path
    return files


def scored_log(log: Path, files: Mapping[str, Path], out: Path) -> EvalLog:
    """Write a copy of a log with people's scores beside its own.

    No model is asked or needed.

    Args:
        log: The log.
        files: Files by the name of the score, as from `score_files`.
        out: The copy.
    """
    read = read_eval_log(str(log))
    header = read.eval
    # Else Inspect would make the run's models, for which keys may be missing here.
    read.eval = header.model_copy(update={"model_roles": None})
    scored = score(
        read,
        [_scorer(name, path) for name, path in files.items()],
        action="append",
        model="none/none",
        display="none",
        copy=False,
    )
    scored.eval = header.model_copy(update={"scorers": scored.eval.scorers})
    write_eval_log(scored, str(out))
    return scored


def _scorer(name: str, path: Path) -> Scorer:
    """`precomputed_scores` under a name of its own, by which the log tells judges."""

    @scorer(metrics={key: [mean(), stderr()] for key in VALUES}, name=name)
    def human() -> Scorer:
        precomputed = precomputed_scores(str(path))

        async def score(state: TaskState, target: Target) -> Score | None:
            found = await precomputed(state, target)
            if found is None:
                return None
            told = {"correct": found.value, **(found.metadata or {})}
            return found.model_copy(update={"value": {k: told[k] for k in VALUES}})

        return score

    return human()


def _record(verdict: Mapping[str, Any], row: KeyRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "epoch": row.epoch,
        "value": verdict["correct"],
        "answer": verdict["answer"],
        "explanation": verdict["comment"] or None,
        "metadata": {
            "judge": verdict["judge"],
            "code": row.code,
            "order": row.order,
            "shown_first": row.shown_first,
            **{key: verdict[key] for key in VALUES[1:]},
        },
    }


def _dicts(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for row in frame.to_dict("records"):
        yield {str(name): value for name, value in row.items()}
