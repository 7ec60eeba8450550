"""The paper's other tables: reasoning (17 to 19), spending (6), and the jury (D)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from inspect_debate.v1.metrics.agreement import dissents
from inspect_debate.v1.published.tables import Compared, paper_of
from inspect_debate.v1.reports.confidence.compared import (
    ComparedRow,
    ComparedTable,
    Row,
    Text,
    compared_table,
    has_pool,
    number,
    own_name,
    percent,
)
from inspect_debate.v1.reports.confidence.frames import (
    OVERALL,
    PROTOCOLS,
    SCORER,
    STUDY,
    by_condition,
    decisions,
    in_order,
    model_name,
    protocol_of,
    published_models,
    seats,
    title,
    with_motion,
)
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.solvers.bet_records import SIDES

# Bets beside the private reasoning before them: Tables 17 to 19 and section 4.4.

Sums = Mapping[str, float]
"""What the bets of a condition add up to, by the keys of the scorer."""

_KINDS = {
    "assessment": ("aligned", "overbetting", "underbetting"),
    "degree": ("none", "slight", "moderate", "significant"),
    "numeric": ("present", "absent"),
}
"""Labels by what they are of; the last says whether the reasoning states a figure."""

_KIND_NAMES = dict(
    zip(_KINDS, ("Assessment", "Degree", "Numeric Confidence"), strict=True)
)
_FOLDED = (
    "A malformed label that names an assessment (“Slight Overbetting”) counts for "
    "it, as in the paper."
)


def graded(debates: pd.DataFrame) -> pd.DataFrame:
    """The debates of which a grader compared bets with the reasoning.

    Args:
        debates: As `Grouped.frame` from `conditions`.
    """
    column = f"{SCORER}.graded"
    if column not in debates:
        return debates.iloc[:0]
    return debates[debates[column].notna()]


def sums_of(debates: pd.DataFrame) -> Sums:
    """The sums of the scorer's values over debates."""
    keys = [name for name in debates.columns if name.startswith(f"{SCORER}.")]
    sums = debates[keys].sum()
    return {str(name).partition(".")[2]: float(value) for name, value in sums.items()}


def _label_share(sums: Sums, kind: str, label: str, flag: str = "") -> Text:
    """The share of a label among the graded bets, or those with a `flag`.

    Malformed labels that name an assessment count for it, as in the paper.
    """
    prefix = f"{flag}_" if flag else ""
    count = sums[f"{prefix}{kind}_{label}"]
    if kind == "assessment":
        count += sums.get(f"{prefix}{kind}_malformed_{label}", 0)
        whole = sums[f"{prefix}graded"]
    else:
        whole = sum(sums[f"{prefix}{kind}_{name}"] for name in _KINDS[kind])
    return percent(count / whole if whole else math.nan)


def alignment_tables(debates: pd.DataFrame) -> list[ComparedTable]:
    """Tables 17 to 19 and the numbers of section 4.4.

    Args:
        debates: As from `graded`, of one condition or several.
    """
    parts = by_condition(debates)
    sums = {condition: sums_of(part) for condition, part in parts.items()}
    known = {condition: has_pool(_models(part)) for condition, part in parts.items()}
    rows = [Row(title(c), sums[c], protocol_of(c) if known[c] else None) for c in parts]
    labels = [
        Row(label.capitalize(), (kind, label), f"{name}/{label.capitalize()}", name)
        for kind, name in _KIND_NAMES.items()
        for label in _KINDS[kind]
    ]
    sizes = ", ".join(f"{title(c)} {of['graded']:.0f}" for c, of in sums.items())
    assessments = {label: label.capitalize() for label in _KINDS["assessment"]}

    def as_coded(of: Sums) -> dict[str, Text]:
        whole = of["graded"] or math.nan
        return {
            label: percent(of[f"assessment_{label}"] / whole) for label in assessments
        }

    return [
        compared_table(
            "table_17",
            "Bets beside private reasoning",
            labels,
            {condition: title(condition) for condition in parts},
            lambda which: {c: _label_share(of, *which) for c, of in sums.items()},
            f"Share of the graded bets: {sizes}. {_FOLDED}",
            heading="Label",
            grouped_by="What",
            known=lambda row, condition: known[condition],
        ),
        _by_figure("table_18", "assessment", rows, f" {_FOLDED}"),
        _by_figure("table_19", "degree", rows),
        compared_table(
            "section_4_4",
            "Assessments as coded",
            rows,
            assessments,
            as_coded,
            "Share of graded bets; a malformed label counts for none here.",
            heading="Condition",
        ),
    ]


def _models(debates: pd.DataFrame) -> pd.DataFrame:
    names = [model_name(m) for sides in debates["sides"] for m in sides.values()]
    return pd.DataFrame({"model": names})


def _by_figure(
    key: str, kind: str, rows: Sequence[Row], note: str = ""
) -> ComparedTable:
    """Table 18 or 19: labels where the reasoning has a figure, and where none."""
    columns = {
        f"{flag}/{label.capitalize()}": (label, flag)
        for flag in _KINDS["numeric"]
        for label in _KINDS[kind]
    }
    return compared_table(
        key,
        f"{_KIND_NAMES[kind]}, with and without a figure in the reasoning",
        rows,
        {c: f"{of.capitalize()}, figure {flag}" for c, (of, flag) in columns.items()},
        lambda sums: {c: _label_share(sums, kind, *of) for c, of in columns.items()},
        "Share of the graded bets whose reasoning states its confidence as a figure, "
        f"and of the others.{note}",
        heading="Condition",
    )


# What the debaters spent: Table 6.

COUNTED = ("cross_model", "self", "informed_self", "public", "redteam")
"""The conditions whose debates of three rounds the paper's table counts."""

Rates = Mapping[str, tuple[float, float]]
"""US dollars per million tokens of prompts and of completions, by model."""


def rates_of(logs: Sequence[Log]) -> Rates:
    """The prices of the authors; of other models those behind a release's costs.

    Args:
        logs: Imported logs have what the release's file of costs says. Its costs are
            rounded to cents, so prices that follow from it are approximate.
    """
    costs = {
        model_name(model): cost
        for log in logs
        for model, cost in (log.metadata.get("import") or {}).get("costs", {}).items()
    }
    behind = {model: _rates(cost) for model, cost in costs.items()}
    return {m: r for m, r in behind.items() if r} | dict(paper_of(STUDY).prices)


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


def dollars(spent: pd.DataFrame, rates: Rates) -> "pd.Series[float]":
    """What each row spent in US dollars; NaN where it is unknown.

    Args:
        spent: The columns `SPENT`.
        rates: As from `rates_of`.
    """
    per_prompt, per_completion = (
        # Without rows pandas takes the result for texts.
        spent["model"].map({model: of[n] for model, of in rates.items()}).astype(float)
        for n in range(2)
    )
    priced = (spent["prompt"] * per_prompt + spent["completion"] * per_completion) / 1e6
    return spent["cost"].astype(float).fillna(priced)


def table_6(spent: pd.DataFrame, rates: Rates) -> ComparedTable:
    """Debates, tokens and cost by model: the paper's Table 6.

    Args:
        spent: The columns `SPENT`.
        rates: As from `rates_of`.

    Returns:
        A table of all debates of three rounds in the conditions that the paper counts.
        Its cells are compared with the printed ones where all five conditions and the
        paper's models are here; a free model costs nothing in any number of debates.
    """
    of_paper = spent["condition"].map(protocol_of).isin(COUNTED)
    counted = spent[of_paper & (spent["rounds"] == 3)]
    published = published_models("table_6")
    here = set(counted["model"])
    models = in_order(here | set(published if here & set(published) else ()), "table_6")
    missing, columns = _not_comparable(counted), ("debates", "total_tokens", "cost_usd")

    def cells(row: str, part: pd.DataFrame) -> dict[str, Compared]:
        paper = paper_of(STUDY)
        texts = _spending(part, rates) if len(part) or row == OVERALL else {}
        free = rates.get(row) == (0, 0)
        return {
            column: Compared(
                texts.get(column),
                paper.cell("table_6", row, column) if here & set(published) else None,
                not missing or (column == "cost_usd" and free),
            )
            for column in columns
        }

    rows = [
        *(ComparedRow(m, cells(m, counted[counted["model"] == m])) for m in models),
        ComparedRow("Overall", cells(OVERALL, counted)),
    ]
    found = compared_table(
        "table_6",
        "What the debaters spent",
        [],
        dict(zip(columns, ("Debates", "Tokens", "US dollars"), strict=True)),
        dict,
        "Debates with oneself count once per side and their tokens once; jury and "
        f"grader are left out{missing and f'; {missing}'}.",
    )
    return replace(found, rows=rows)


def _spending(spent: pd.DataFrame, rates: Rates) -> dict[str, Text]:
    """The cells of a row; none of what is not known."""
    tokens = float(spent["tokens"].sum(skipna=False))
    cost = float(dollars(spent, rates).sum(skipna=False))
    debates = int(spent["seats"].sum())
    cells = {
        "debates": Text(f"{debates}", number=debates),
        "total_tokens": Text(f"{tokens:,.0f}", number=tokens),
        "cost_usd": number(cost),
    }
    return {
        c: text for c, text in cells.items() if not math.isnan(text.numbers["number"])
    }


def _not_comparable(counted: pd.DataFrame) -> str:
    """What keeps ours from being comparable with the printed; empty where nothing."""
    if not has_pool(counted):
        return "not comparable with the paper's, as other models debated"
    here = set(counted["condition"].map(protocol_of))
    absent = [PROTOCOLS[name] for name in COUNTED if name not in here]
    what = "not comparable with the paper's, which counts five conditions: missing are "
    return f"{what}{', '.join(absent)}" if absent else ""


# The jury: Appendix D.

JURY = {"qwen/qwq-32b", "google/gemini-pro-1.5", "deepseek/deepseek-chat"}
"""The models of the paper's jury."""

_MOTIONS = {"social_media": "353dc3", "space": "2f2406"}
"""The motions whose splits the paper gives, by the hashes at the end of their ids."""

_SPLITS = {
    "unanimous": "Unanimous",
    "split": "Split",
    "one_dissent": "One dissenting verdict",
    "two_dissent": "Two dissenting verdicts",
    "three_dissent": "Three dissenting verdicts",
}


def is_published_jury(
    condition: str, verdicts: pd.DataFrame, bets: pd.DataFrame
) -> bool:
    """Whether a condition is the paper's, by its models before its jury."""
    return (
        protocol_of(condition) == "cross_model"
        and has_pool(bets[bets["condition"] == condition])
        and set(verdicts.loc[verdicts["condition"] == condition, "judge"]) == JURY
    )


def appendix_d(verdicts: pd.DataFrame, bets: pd.DataFrame) -> list[ComparedTable]:
    """The numbers of Appendix D, of every condition with a jury.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`, for who debated what.
    """
    return [
        compared_table(
            "appendix_d",
            f"The jury: {title(condition)}",
            _jury_numbers(own, bets),
            {"value": "Value"},
            lambda text: {"value": text},
            "Dissents: verdicts of the minority, or of one side where both have the "
            "same number. Shares are of the debates with two verdicts or more.",
            name=own_name("appendix_d", "appendix_d", condition, "cross_model"),
            heading="What",
            known=is_published_jury(condition, verdicts, bets),
        )
        for condition, own in by_condition(verdicts).items()
    ]


def _jury_numbers(verdicts: pd.DataFrame, bets: pd.DataFrame) -> Iterator[Row]:
    decided = with_motion(decisions(verdicts), bets)
    minorities = dissents(seats(verdicts).to_numpy())
    several = sum(minorities.values())
    counts = [minorities.get(n, 0) for n in range(4)]
    for (key, name), n in zip(
        _SPLITS.items(), [counts[0], several - counts[0], *counts[1:]], strict=True
    ):
        yield Row(f"{name}, debates", Text(str(n), number=n), f"{key}_n")
        share = number(100 * n / several if several else math.nan, 1)
        yield Row(f"{name}, %", share, f"{key}_pct")
    won = 100 * float((decided["by_sum"] == SIDES[1]).mean())
    name = "Won by the opposition, by the sum of confidences, %"
    yield Row(name, number(won, 1), "opposition_win_pct")
    hashes = decided["motion"].map(lambda motion: str(motion).rpartition("-")[2])
    for topic, of_topic in _MOTIONS.items():
        if (hashes == of_topic).any():
            agreed = float(decided.loc[hashes == of_topic, "unanimous"].mean())
            name = f"Split on {topic.replace('_', ' ')}, % of debates"
            yield Row(name, number(100 * (1 - agreed), 0), topic)
