"""Verdicts and answers by the difficulty of questions, debate against consultancy."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from inspect_debate.metrics.means import cluster_means, pooled_mean
from inspect_debate.metrics.paired import cluster_sign_flip, holm
from inspect_debate.metrics.tiers import TIERS, difficulty
from inspect_debate.reports.comparisons import SEED
from inspect_debate.reports.elements import (
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Format,
    Item,
    Notice,
    Table,
    counted,
)
from inspect_debate.reports.estimates import of_mean
from inspect_debate.reports.generative.comparisons import Compared, Comparison
from inspect_debate.reports.generative.frames import cells_of, partner
from inspect_debate.reports.generative.pairing import KEYS, QUESTION, Paired
from inspect_debate.reports.generative.tables import (
    FORMAT,
    MODELS,
    heading,
    second_debater,
    share,
    verdicts_of,
)

TIER = "tier"

_PROPOSERS = {"a": 1, "b": 2}
"""How many proposers there are at least where a seat is taken."""

_LESS = "Difference"
_SAME = "the same"
_FORMATS: dict[Column, Format] = {
    **dict.fromkeys(["Debate", "Consultancy"], PERCENT),
    _LESS: POINTS,
    **dict.fromkeys(["p", "p (Holm)"], P_VALUE),
}


def tiered(items: pd.DataFrame) -> pd.DataFrame:
    """With the tier of each row's question, of each version of the data by itself.

    The answers of one model, epoch and seat weigh the same together, whether several
    formats put one answer to the judge or each had its own.

    Args:
        items: As from `items_of`.

    Returns:
        The rows with a column `tier`: one of `TIERS`; None where a debater has no
        answer to the question of which it is known whether it is right.
    """
    tiers = {
        question: tier
        for rates in _solve_rates(items)
        for question, tier in zip(rates.index, difficulty(rates), strict=True)
    }
    keys = zip(*(items[name] for name in QUESTION), strict=True)
    found = [tiers.get(key) for key in keys]
    return items.assign(**{TIER: pd.Series(found, items.index, dtype=object)})


def tier_items(items: pd.DataFrame, compared: Compared) -> list[Item | None]:
    """Verdict and answer accuracy of debate and consultancy in each tier.

    Args:
        items: As from `items_of` and `tiered`.
        compared: Of them, against consultancy.

    Returns:
        The tables `tiers` of verdicts and `tiers_answers` of answers, or a notice that
        answers are the same; None for one without a debate and a consultancy that share
        samples.
    """
    judged = verdicts_of(items)
    return [_verdicts(judged, compared.made), _answers(judged)]


def _solve_rates(items: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Of each version of the data a table (questions, debaters)."""
    by = [*QUESTION, "debater"]
    models = {"a": items["debater"], "b": second_debater(items)}
    seats = [
        items.loc[items["proposers"] >= least, [*QUESTION, "epoch"]].assign(
            seat=seat, right=items[f"right_{seat}"], debater=models[seat]
        )
        for seat, least in _PROPOSERS.items()
    ]
    answers = pd.concat(seats).dropna(subset="right")
    once = answers.groupby([*by, "epoch", "seat"])["right"].mean()
    rates = once.groupby(by).mean()
    for _, of in rates.groupby(QUESTION[:-1]):
        yield of.unstack("debater")


def _verdicts(items: pd.DataFrame, made: Sequence[Comparison]) -> Table | None:
    rows = [
        _verdict_row(part, tier)
        for one in made
        for tier in TIERS
        if len((part := _within(one, tier)).paired.a)
    ]
    if not rows:
        return None
    return Table(
        name="tiers",
        title="Verdict accuracy by difficulty: debate less consultancy",
        frame=pd.DataFrame(_corrected(rows)),
        groups=MODELS,
        formats=_FORMATS,
        note="Percent and percentage points, on the same answers and with a readable "
        f"verdict in both. {_TIERS}{_without_tier(items)} Intervals: clustered by "
        "question; of differences, of the paired bootstrap, too narrow on few "
        "questions, where p decides. p: McNemar's test, or sign flips where questions "
        f"have several epochs. {_family(rows)}",
    )


def _answers(items: pd.DataFrame) -> Table | Notice | None:
    cells = cells_of(items)
    rows = [
        {MODELS: heading(cell), FORMAT: cell.against(other), **row}
        for cell in cells
        if cell.interaction == "debate"
        if (other := partner(cells, cell, "consultancy")) is not None
        for row in _answer_rows(cells[other], cells[cell])
    ]
    if not rows:
        return None
    if all(row["Answers"] == _SAME for row in rows):
        return Notice(
            "Debate and consultancy put the same answers to the judge: in answer "
            "accuracy they cannot differ. Only answers made anew for each format "
            "(`-T answers=fresh`) can make such a difference a finding.",
            "info",
        )
    return Table(
        name="tiers_answers",
        title="Answer accuracy by difficulty: debate less consultancy",
        frame=pd.DataFrame(_corrected(rows)),
        groups=MODELS,
        formats=_FORMATS,
        note="Percent of the answers put to the judge that are right, on the questions "
        "and epochs that both formats have. Answers are made before anyone speaks: "
        "where both formats have the same ones their accuracy cannot differ, and "
        "nothing is tested. Only where they were made anew for each format "
        "(`-T answers=fresh`) can a difference be a finding. Tiers: as of verdicts. "
        "Intervals: clustered by question; of differences, of the questions' means, "
        f"within -1 and 1. p: sign flips of whole questions. {_family(rows)}",
    )


def _within(one: Comparison, tier: str) -> Comparison:
    """A comparison on the questions of one tier."""
    paired = one.paired
    keep = (paired.a[TIER] == tier).to_numpy()
    part = Paired(paired.a[keep], paired.b[keep], {})
    return Comparison(one.cell, one.other, part)


def _verdict_row(one: Comparison, tier: str) -> dict[str, object]:
    a, b = one.paired.a, one.paired.b
    return {
        MODELS: heading(one.cell),
        FORMAT: one.title,
        "Tier": tier,
        "Questions": one.paired.questions.nunique(),
        "Samples": len(a),
        **share(b, b["verdict_correct"]).columns("Debate"),
        **share(a, a["verdict_correct"]).columns("Consultancy"),
        _LESS: one.difference.difference,
        f"{_LESS} low": one.difference.low,
        f"{_LESS} high": one.difference.high,
        "p": one.p,
    }


def _answer_rows(
    consultancy: pd.DataFrame, debate: pd.DataFrame
) -> Iterator[dict[str, object]]:
    both = consultancy.merge(debate, on=[*KEYS, TIER], suffixes=(" a", " b"))
    known = both.dropna(subset=["answer_right a", "answer_right b"])
    for tier in TIERS:
        of = known[known[TIER] == tier]
        if of.empty:
            continue
        a, b, questions = of["answer_right a"], of["answer_right b"], of["question_id"]
        mean = pooled_mean(cluster_means(b - a, questions))
        same = of["answer_set_id a"] == of["answer_set_id b"]
        flip = cluster_sign_flip(b - a, list(questions), seed=SEED)
        yield {
            "Tier": tier,
            "Answers": _told(same),
            "Questions": questions.nunique(),
            "Samples": len(of),
            **share(of, b).columns("Debate"),
            **share(of, a).columns("Consultancy"),
            **of_mean(mean, (-1, 1)).columns(_LESS),
            "p": np.nan if same.all() else flip,
        }


def _told(same: "pd.Series[bool]") -> str:
    return _SAME if same.all() else "partly the same" if same.any() else "anew"


def _corrected(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    adjusted = holm({n: float(str(row["p"])) for n, row in enumerate(rows)})
    return [row | {"p (Holm)": adjusted[n]} for n, row in enumerate(rows)]


def _family(rows: Sequence[dict[str, object]]) -> str:
    tests = sum(row["p"] == row["p"] for row in rows)
    return f"Holm: corrected over the {counted(tests, 'test')} of this table."


def _without_tier(items: pd.DataFrame) -> str:
    unknown = items.loc[items[TIER].isna(), QUESTION].drop_duplicates()
    if unknown.empty:
        return ""
    return (
        f" Questions without a tier, as some debater has no answer to them: "
        f"{len(unknown)}."
    )


_TIERS = (
    "Tiers are of questions, by the answers in all logs: hard ones no debater mostly "
    "answers right, easy ones all do; with a single debater these are below a third "
    "and above two thirds of its answers. They follow from the answers that are "
    "analysed here and so regress to the mean: a question that was hard by bad luck "
    "would be easier the next time."
)
