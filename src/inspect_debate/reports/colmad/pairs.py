"""What an oracle could make of two models' own answers."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.metrics.detection import oracle_reduction
from inspect_debate.reports.colmad.conditions import AUTHORS, SUBSETS, Condition
from inspect_debate.reports.estimates import expected

FIRST = ["first_right_debater_a", "first_right_debater_b"]
RESPONSES, AVERAGE = "Responses of", "Average"

_KEYS = ["id", "epoch"]
POOLED = "all tasks and authors, pooled"
COUNTS = (
    *("Errors of the better", "Removed"),
    *("Expected", "Observed less expected"),
)
MEANS = ("Share (Eq. 4)", "Corrected share", "Ensemble F1", "Ensemble F2")

Answers = Mapping[str, pd.DataFrame]
"""By model its own answers, indexed by id and epoch; models may have other samples."""


def own_answers(conditions: Sequence[Condition]) -> dict[str, pd.DataFrame]:
    """Each model's own answers, from the condition that has most of them.

    They come from runs of `single`, and for models without one from the first answers
    of a debate.
    """
    alone = {
        model: _answers(most.rows, most.rows["prediction"])
        for model, (most, *_) in conditions_alone(conditions).items()
    }
    debating: dict[str, pd.DataFrame] = {}
    for one in filter(has_first_answers, conditions):
        for model, name in zip((one.debater_a, one.debater_b), FIRST, strict=True):
            if model:
                right, gold = one.rows[name], one.rows["gold"]
                predicted = gold.where(right == 1, 1 - gold).where(right.notna())
                if model not in debating or len(one.rows) > len(debating[model]):
                    debating[model] = _answers(one.rows, predicted)
    return alone | {m: rows for m, rows in debating.items() if m not in alone}


def conditions_alone(conditions: Sequence[Condition]) -> dict[str, list[Condition]]:
    """The conditions of `single` by model, that with most answers first."""
    found: dict[str, list[Condition]] = {}
    for one in conditions:
        if one.protocol == "single" and one.debater_a:
            found.setdefault(one.debater_a, []).append(one)
    for of_model in found.values():
        of_model.sort(key=lambda one: -len(one.rows))
    return found


def has_first_answers(condition: Condition) -> bool:
    """Whether any first answer of both debaters could be read."""
    rows = condition.rows
    return all(name in rows and rows[name].notna().any() for name in FIRST)


def _answers(rows: pd.DataFrame, predicted: pd.Series) -> pd.DataFrame:
    columns = [*_KEYS, "gold", "input_group", "subset", "response_author"]
    return rows[columns].assign(prediction=predicted).set_index(_KEYS)


def pair_rows(answers: Answers) -> pd.DataFrame:
    """What an oracle makes of the answers of two models, by author and task.

    Returns:
        A row for each pair of models `a` and `b`, a model with itself among them: by
        author of the responses each task, and `Average`, the unweighted mean over
        tasks; then all tasks and authors pooled, where these are several.
    """
    present = {
        cell
        for rows in answers.values()
        for cell in zip(rows["response_author"], rows["subset"], strict=True)
    }

    def of_cell(model: str, author: str, subset: str) -> pd.DataFrame:
        rows = answers[model]
        here = (rows["response_author"] == author) & (rows["subset"] == subset)
        return rows[here]

    found: list[dict[str, Any]] = []
    pairs = list(combinations_with_replacement(answers, 2))
    for author, name in AUTHORS.items():
        for a, b in pairs:
            of_tasks = [
                {RESPONSES: name, "a": a, "b": b, "Task": task}
                | _gains(of_cell(a, author, subset), of_cell(b, author, subset))
                for subset, task in SUBSETS.items()
                if (author, subset) in present
            ]
            found += of_tasks
            if len(of_tasks) > 1:
                found.append(_mean_gains(of_tasks))
    if len(present) > 1:
        for a, b in pairs:
            named = {RESPONSES: _NOT_IN_PAPER, "a": a, "b": b, "Task": POOLED}
            found.append(named | _gains(answers[a], answers[b]))
    return pd.DataFrame(found)


_NOT_IN_PAPER = "Pooled, which the paper does not do"


def _gains(one: pd.DataFrame, other: pd.DataFrame) -> dict[str, float]:
    """Eq. (4) of a pair on the samples that both answered.

    An answer that could not be read is wrong. The ensemble says what both say, and
    breaks ties at random; an unreadable answer says `no error` there.
    """
    both = one.index[one.index.isin(other.index)]
    if both.empty:
        return {"Samples": 0, **dict.fromkeys((*COUNTS, *MEANS), math.nan)}
    one, other = one.loc[both], other.loc[both]
    right = [(of["prediction"] == of["gold"]).astype(float) for of in (one, other)]
    gains = oracle_reduction(right[0], right[1], one["gold"])
    read = [of["prediction"].fillna(0.0) for of in (one, other)]
    ensemble = one.assign(prediction=(read[0] + read[1]) / 2)
    counts = (gains.better_errors, gains.observed, gains.expected, gains.corrected)
    scores = [expected(ensemble, score) for score in ("f1", "f2")]
    means = (gains.ratio, gains.corrected_ratio, *scores)
    values = map(float, (*counts, *means))
    return {"Samples": len(both), **dict(zip((*COUNTS, *MEANS), values, strict=True))}


def _mean_gains(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        **rows[0],
        "Task": AVERAGE,
        "Samples": sum(row["Samples"] for row in rows),
        **dict.fromkeys(COUNTS, math.nan),
        **{name: float(np.mean([row[name] for row in rows])) for name in MEANS},
    }
