"""What the debaters spent: the paper's Table 6, and every condition for itself."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.published.printed import confidence_tables
from inspect_debate.reports.confidence.sides import fixed
from inspect_debate.reports.confidence.study import (
    OVERALL,
    PROTOCOLS,
    conditions_of,
    in_order,
    is_published_pool,
    model_name,
    protocol_of,
    published_models,
    title,
)
from inspect_debate.reports.confidence.twins import PaperTable, Twin
from inspect_debate.reports.elements import COUNT, MISSING, NUMBER, Table
from inspect_debate.reports.logs import Log

NAME = "table_6"
COUNTED = ("cross_model", "self", "informed_self", "public", "redteam")
"""The conditions whose debates of three rounds the paper's table counts."""

SPENT = (
    *("condition", "debate", "rounds", "model", "seats"),
    *("prompt", "completion", "tokens", "cost"),
)
"""Columns: a row per debate and debating model, which had so many `seats`.

`prompt` and `completion` are tokens as a release counted them, NaN in runs; `tokens`
are both; `cost` is what a run paid in US dollars, NaN where no price was known.
"""

Rates = Mapping[str, tuple[float, float]]
"""US dollars per million tokens of prompts and of completions, by model."""

_COLUMNS = {"debates": "Debates", "total_tokens": "Tokens", "cost_usd": "US dollars"}


class Spent(NamedTuple):
    """The last four of the columns `SPENT`."""

    prompt: float
    completion: float
    tokens: float
    cost: float


def of_released(told: Mapping[str, int] | None) -> Spent:
    """What a model spent in one released debate; failed calls count, too.

    Args:
        told: Its counts in the transcript; None where it has none.
    """
    if told is None:
        return Spent(*[math.nan] * 4)
    prompt, completion, tokens = (
        told[f"successful_{kind}_tokens"] + told[f"failed_{kind}_tokens"]
        for kind in ("prompt", "completion", "total")
    )
    return Spent(prompt, completion, tokens, math.nan)


def released_spending(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """What released debates took.

    Args:
        rows: As from `transcripts.logs.score_rows`.

    Returns:
        The columns `SPENT`.
    """
    return pd.DataFrame(
        [spent for row in rows for spent in _released(row)], columns=list(SPENT)
    )


def rates_of(logs: Sequence[Log]) -> Rates:
    """The prices of the authors; of other models those behind a release's costs.

    Args:
        logs: Imported logs tell what the release's file of costs says. Its costs are
            rounded to cents, so prices that follow from it are approximate.
    """
    told = {
        model_name(model): cost
        for log in logs
        for model, cost in (log.metadata.get("import") or {}).get("costs", {}).items()
    }
    behind = {model: _rates(cost) for model, cost in told.items()}
    return {m: r for m, r in behind.items() if r} | dict(confidence_tables().prices)


def table_6(spent: pd.DataFrame, rates: Rates) -> PaperTable:
    """Debates, tokens and cost by model: the paper's Table 6.

    Args:
        spent: The columns `SPENT`.
        rates: As from `rates_of`.

    Returns:
        A table of all debates of three rounds in the conditions that the paper counts.
        Its cells are compared with the printed ones where all five conditions and the
        paper's models are here; a free model costs nothing in any number of debates.
    """
    counted = _counted(spent)
    rows = {str(model): part for model, part in counted.groupby("model")}
    known = published_models(NAME)
    models = in_order([*rows, *(known if rows.keys() & set(known) else ())], NAME)
    missing = _missing(counted)
    texts = {model: _texts(rows[model], rates) for model in models if model in rows}
    texts[OVERALL] = _texts(counted, rates)
    cells = {
        (row, column): Twin(
            texts.get(row, {}).get(column),
            confidence_tables().cell(NAME, row, column) if known[0] in models else None,
            not missing or (column == "cost_usd" and rates.get(row) == (0, 0)),
        )
        for row in (*models, OVERALL)
        for column in _COLUMNS
    }
    return PaperTable(
        name=NAME,
        title="What the debaters spent (the paper's Table 6)",
        heading="Model",
        rows={model: model for model in models} | {OVERALL: "Overall"},
        columns=_COLUMNS,
        cells=cells,
        note=f"{missing} Debates with oneself count twice, once per side, and their "
        "tokens once; jury and grader are left out. Costs of transcripts are at the "
        f"authors' prices. {confidence_tables().notes[NAME]}".strip(),
    )


def spent_table(spent: pd.DataFrame, rates: Rates) -> Table | None:
    """Debates, tokens and cost by condition; None where nothing was spent.

    Args:
        spent: The columns `SPENT`.
        rates: As from `rates_of`.
    """
    if spent.empty:
        return None
    parts = {str(name): part for name, part in spent.groupby("condition")}
    rows = [
        {
            "Condition": title(condition),
            "Debates": parts[condition]["debate"].nunique(),
            "Tokens": parts[condition]["tokens"].sum(skipna=False),
            "US dollars": _cost(parts[condition], rates),
        }
        for condition in conditions_of(parts)
    ]
    return Table(
        name="spent",
        title="What the debaters spent by condition",
        frame=pd.DataFrame(rows),
        formats={"Debates": COUNT, "Tokens": COUNT, "US dollars": NUMBER},
        note="Tokens and cost are missing where they are not known.",
    )


def _released(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    models = list(row["sides"].values())
    for model, told in row["released_tokens"].items():
        rounds, seats = row["parameters"]["rounds"], models.count(model)
        debate = (row["protocol"], row["id"], rounds, model_name(model), seats)
        yield dict(zip(SPENT, (*debate, *of_released(told)), strict=True))


def _rates(cost: Mapping[str, Any]) -> tuple[float, float] | None:
    """Prices that give a model's total cost, which may differ from its rounded parts.

    None where the file has no cost.
    """
    parts = [cost["prompt_cost"], cost["completion_cost"]]
    tokens = [cost["prompt_tokens"], cost["completion_tokens"]]
    total = cost["total_cost"]
    if "unknown" in (*parts, total) or not all(tokens):
        return None
    whole = total / sum(parts) if sum(parts) else 0
    prompt, completion = (
        1e6 * whole * part / n for part, n in zip(parts, tokens, strict=True)
    )
    return prompt, completion


def _counted(spent: pd.DataFrame) -> pd.DataFrame:
    of_paper = spent["condition"].map(protocol_of).isin(COUNTED)
    return spent[of_paper & (spent["rounds"] == 3)]


def _texts(spent: pd.DataFrame, rates: Rates) -> dict[str, str]:
    tokens, cost = spent["tokens"].sum(skipna=False), _cost(spent, rates)
    texts = {
        "debates": f"{int(spent['seats'].sum())}",
        "total_tokens": MISSING if math.isnan(tokens) else f"{tokens:,.0f}",
        "cost_usd": fixed(cost),
    }
    return {column: text for column, text in texts.items() if text != MISSING}


def _cost(spent: pd.DataFrame, rates: Rates) -> float:
    """In US dollars; NaN where a part is unknown."""
    per_prompt, per_completion = (
        spent["model"].map({model: of[n] for model, of in rates.items()})
        for n in range(2)
    )
    priced = (spent["prompt"] * per_prompt + spent["completion"] * per_completion) / 1e6
    return float(spent["cost"].fillna(priced).sum(skipna=False))


def _missing(counted: pd.DataFrame) -> str:
    """What keeps ours from being comparable with the printed; empty where nothing."""
    if not is_published_pool(set(counted["model"])):
        return "Not comparable: other models than the paper's."
    here = set(counted["condition"].map(protocol_of))
    absent = [PROTOCOLS[name] for name in COUNTED if name not in here]
    if not absent:
        return ""
    return (
        "Not comparable: the paper counts five conditions, of which these logs lack "
        f"{', '.join(absent)}."
    )
