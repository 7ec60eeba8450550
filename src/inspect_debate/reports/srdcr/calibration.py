"""How well confidences fit what is right, and where they came from."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.calibration import Curve as RiskCoverage
from inspect_debate.metrics.calibration import (
    area_under,
    brier,
    excess_area,
    expected_calibration_error,
    log_score,
    risk_coverage,
)
from inspect_debate.reports.drawing import (
    Curve,
    curve_panels,
    histogram_panels,
    points,
    reliability,
)
from inspect_debate.reports.elements import (
    COUNT,
    PERCENT,
    Figure,
    Format,
    Notice,
    Table,
)
from inspect_debate.reports.srdcr.shown import (
    Shown,
    by_model,
    halves,
    model_title,
    needs,
    on_shared,
    share_of,
    titled,
)
from inspect_debate.reports.srdcr.study import ARMS, TIERS
from inspect_debate.reports.srdcr.tables import ARM, CLUSTERED, MODEL, with_ends

_SCORE = Format(digits=3)
_TOKENS = {
    "ok": "Log-probabilities",
    "absent": "None were sent",
    "refused": "Request refused",
    "invalid": "Not finite",
    "misaligned": "Tokens do not spell the answer",
    "cut": "Tokens end too early",
    "no_answer": "No answer",
}
"""What came of asking for log-probabilities, by status."""


class Stated(NamedTuple):
    """A confidence, and what it is a confidence in."""

    answer: str
    source: str
    confidence: str
    right: str


_STATED = (
    Stated("Prior", "the one used", "confidence", "prior_strict"),
    Stated("Prior", "log-probabilities", "confidence_logprobs", "prior_strict"),
    Stated("Prior", "self-consistency", "confidence_consistency", "prior_strict"),
    Stated("Contextual", "the one used", "contextual_confidence", "strict_few_shot"),
    Stated("Contextual", "log-probabilities", "contextual_logprobs", "strict_few_shot"),
    Stated(
        "Contextual", "self-consistency", "contextual_consistency", "strict_few_shot"
    ),
)


def calibration_table(estimates: pd.DataFrame) -> Table | None:
    """Scores of each confidence as a probability that its answer is right.

    Args:
        estimates: As from `estimates_of`.

    Returns:
        The table; None where no confidence is known.
    """
    rows = [
        {MODEL: model_title(model), **row}
        for model, of in by_model(estimates).items()
        for row in _scores(of)
    ]
    if not rows:
        return None
    return Table(
        name="calibration",
        title="Confidences as probabilities of being right",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={
            "Mean": PERCENT,
            "Right": PERCENT,
            "ECE": PERCENT,
            "Brier": _SCORE,
            "Brier, base rate": _SCORE,
            "Log score": _SCORE,
        },
        note="Against strict correctness of the answer. ECE: expected calibration "
        "error over ten bins, in percent points. Brier: mean squared error; base rate: "
        "that of always stating the share that is right; log score: in nats, "
        "probabilities no nearer to 0 or 1 than 0.01; all are better when lower. The "
        "contextual answer is right on standard passages wherever it only repeats "
        "them, so that its confidence says little about the passage.",
    )


def sources_table(estimates: pd.DataFrame) -> Table | None:
    """Both estimates of the confidence in the prior answer on the same items.

    Args:
        estimates: As from `estimates_of`.

    Returns:
        The table; None where no item has both.
    """
    both = estimates.dropna(subset=list(SOURCES))
    if both.empty:
        return None
    rows = [
        {MODEL: model_title(model), **_compared(of)}
        for model, of in by_model(both).items()
    ]
    return Table(
        name="sources",
        title="Both estimates of the confidence in the prior answer",
        frame=pd.DataFrame(rows),
        formats={
            **dict.fromkeys(_COMPARED, PERCENT),
            "Spearman": Format(2),
        },
        note="On the items that have both. Spearman: rank correlation, empty where one "
        f"of the two never varies. Same side: both reach tau, or neither. {CLUSTERED}",
    )


def origins_table(estimates: pd.DataFrame) -> Table | None:
    """Where the confidence used came from, and why from there.

    Args:
        estimates: As from `estimates_of`.

    Returns:
        The table; None in runs that asked for no confidence.
    """
    rows = [
        {
            MODEL: model_title(model),
            "Items": len(of),
            "From log-probabilities": int((of["source"] == 1).sum()),
            "From self-consistency": int((of["source"] == 2).sum()),
            "No confidence": int(of["source"].isna().sum()),
            **{
                title: int(of[f"tokens_{status}"].sum())
                for status, title in _TOKENS.items()
                if f"tokens_{status}" in of
            },
            "Not asked for": int(_unasked(of).sum()),
        }
        for model, of in by_model(estimates).items()
        if "source" in of
    ]
    if not rows:
        return None
    return Table(
        name="origins",
        title="Where confidences came from",
        frame=pd.DataFrame(rows),
        note="Items by the source of the confidence in the prior answer, and by what "
        "came of asking for the log-probabilities of its tokens.",
    )


def _scores(rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    for stated in _STATED:
        if not {stated.confidence, stated.right} <= set(rows):
            continue
        known = rows.dropna(subset=[stated.confidence, stated.right])
        confidence, right = known[stated.confidence], known[stated.right]
        if len(known):
            yield {
                "Answer": stated.answer,
                "Confidence from": stated.source,
                "Items": len(known),
                "Mean": confidence.mean(),
                "Right": right.mean(),
                "ECE": expected_calibration_error(confidence, right),
                "Brier": brier(confidence, right),
                "Brier, base rate": right.mean() * (1 - right.mean()),
                "Log score": log_score(confidence, right),
            }


_COMPARED = ("Mean, log-probabilities", "Mean, self-consistency", "Same side of tau")


def _compared(rows: pd.DataFrame) -> dict[str, object]:
    logprobs, consistency = (rows[name] for name in SOURCES)
    tau = rows["parameters"].map(lambda given: float(given["tau"]))
    same = ((logprobs >= tau) == (consistency >= tau)).astype(float)
    return {
        "Items": len(rows),
        _COMPARED[0]: logprobs.mean(),
        _COMPARED[1]: consistency.mean(),
        "Spearman": logprobs.corr(consistency, method="spearman"),
        **with_ends(_COMPARED[2], share_of(rows.assign(same=same), "same")),
    }


def _unasked(rows: pd.DataFrame) -> "pd.Series[bool]":
    asked = [f"tokens_{status}" for status in _TOKENS if f"tokens_{status}" in rows]
    return rows[asked].fillna(0).sum(axis=1) == 0


# Confidence in the prior answer: the paper's figures 3, 6 and 7, and calibration.

SOURCES = {
    "confidence_logprobs": "log-probabilities",
    "confidence_consistency": "self-consistency",
}
"""The estimates of the confidence in the prior answer, as readers see them."""

_NUMBERED = {
    3: ("confidence", ", the estimate used"),
    6: ("confidence_consistency", " from self-consistency"),
    7: ("confidence_logprobs", " from log-probabilities"),
}
"""The paper's figures of distributions: the column, and what it is called."""

_ALL = "All items"
_BOTH = ("-T protocol=srdcr -T confidence_from=both -T recall_samples=32 --model M",)
_EDGES = (np.arange(18) - 0.5) / 16  # the shares of sixteen draws are in the middles
_BINS = np.arange(1, 10) / 10
_KEY = ["model", "sample", "epoch"]


def estimates_of(items: pd.DataFrame) -> pd.DataFrame:
    """One row per model, sample and epoch with what is known of its prior answer.

    Args:
        items: As from `items_of`.

    Returns:
        The columns of the items; those of `SOURCES`, `tier` and `prior_strict` are
        there in any case. Of runs that share a sample, the one that knows most of these
        counts, then the newest.
    """
    wanted = [*SOURCES, "tier", "prior_strict"]
    absent = {name: np.nan for name in wanted if name not in items}
    told = items.assign(**absent)
    known = told[wanted].notna().sum(axis=1)
    best_last = told.assign(known=known).sort_values(["known", "created"])
    return best_last.drop_duplicates(_KEY, keep="last").sort_index()


def confidence_figures(estimates: pd.DataFrame) -> Iterator[Figure | Notice]:
    """Figures 3, 6 and 7: how the confidence is distributed, by tier.

    Figure 3 has the estimate that was used, 6 self-consistency, 7 log-probabilities.

    Args:
        estimates: As from `estimates_of`.
    """
    for number, (column, source) in _NUMBERED.items():
        known = estimates if number == 3 else _same_items(estimates)
        panels = {
            f"{model_title(model)}: {tier}, n={len(values)}": values
            for model, rows in by_model(known).items()
            for tier, of in _by_tier(rows).items()
            if column in of and len(values := of[column].dropna())
        }
        if not panels:
            yield needs(f"The paper's Figure {number}", f"confidence{source}", _BOTH)
            continue
        yield Figure(
            name=f"figure_{number}",
            title=f"The paper's Figure {number}: confidence{source}",
            figure=histogram_panels(
                panels,
                _EDGES,
                label="items (%)",
                x_label="confidence in the prior answer (%)",
                format=PERCENT,
                references=taus(estimates),
                places=(0, 0.5, 1),
                columns=len(_by_tier(known)),
            ),
            alt=f"Distribution of the confidence{source} in the prior answer, a "
            "panel per tier of knowledge.",
            note=f"Shares of each panel's items. {_NOTE} {_RECALLED}",
        )


def estimates_figure(estimates: pd.DataFrame) -> Figure | Notice:
    """Both estimates of the confidence against each other, item by item.

    Args:
        estimates: As from `estimates_of`.
    """
    both = estimates.dropna(subset=list(SOURCES))
    if both.empty:
        return needs("The figure of both estimates", "both on the same items", _BOTH)
    x, y = SOURCES
    groups = both["tier"].map(dict(enumerate(TIERS))).fillna(_ALL)
    made = both.assign(x=100 * both[x], y=100 * both[y], group=groups)
    return Figure(
        name="figure_estimates",
        title="Both estimates of the confidence in the prior answer",
        figure=points(
            {
                f"{model_title(model)}, n={len(rows)}": rows
                for model, rows in by_model(made).items()
            },
            x_label=f"from {SOURCES[x]} (%)",
            y_label=f"from {SOURCES[y]} (%)",
            groups=[name for name in (*TIERS, _ALL) if name in set(groups)],
        ),
        alt="Confidence from self-consistency over that from log-probabilities, a "
        "panel per model, a mark per item and a look per tier of knowledge.",
        note=f"Items with both estimates. {_RECALLED}",
    )


def reliability_figure(estimates: pd.DataFrame) -> Figure | Notice:
    """How often the prior answer is right, by the confidence in it.

    Args:
        estimates: As from `estimates_of`.
    """
    panels = {
        f"{model_title(model)}, {source}, n={len(rows)}": _bins(rows, column)
        for model, of in by_model(estimates).items()
        for column, source in SOURCES.items()
        if len(rows := of.dropna(subset=[column, "prior_strict"]))
    }
    if not panels:
        return needs(
            "The reliability diagram", "prior answers with a confidence", _BOTH
        )
    return Figure(
        name="figure_reliability",
        title="How often prior answers are right, by the confidence in them",
        figure=reliability(
            panels,
            x_label="confidence in the prior answer (%)",
            y_label="right, strictly (%)",
        ),
        alt="Share of right prior answers over the confidence in them in bins of ten, "
        "beside the diagonal of perfect calibration.",
        note="Bins of ten points; areas are proportional to the number of items within "
        "a panel. Lines are 95 % intervals, clustered by question. Confidence is of "
        "the answer's tokens or draws, not a stated probability of being right.",
    )


def taus(items: pd.DataFrame) -> dict[str, float]:
    """The thresholds of the runs, by name."""
    given = {float(p["tau"]) for p in items["parameters"] if p.get("tau") is not None}
    return {f"threshold {100 * tau:g}": tau for tau in sorted(given)}


def _same_items(estimates: pd.DataFrame) -> pd.DataFrame:
    """Of a model that has both estimates, the items with both."""
    both = estimates[list(SOURCES)].notna().all(axis=1)
    some = both.groupby(estimates["model"]).transform("any")
    return estimates[both | ~some]


def _by_tier(estimates: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """All items, and those of each tier that is there."""
    named = estimates["tier"].map(dict(enumerate(TIERS)))
    tiers = {tier: estimates[named == tier] for tier in TIERS if tier in set(named)}
    return {_ALL: estimates, **tiers}


def _bins(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Mean confidence and shares right in percent, by bins of ten points."""
    found = []
    for _, of in rows.groupby(np.digitize(rows[column], _BINS)):
        right = share_of(of, "prior_strict")
        percents = [100 * value for value in (of[column].mean(), *right[:3])]
        found.append([*percents, len(of)])
    return pd.DataFrame(found, columns=["stated", "share", "low", "high", "n"])


_NOTE = (
    "A model that has both estimates has the same items in the paper's Figures 6 and "
    "7. The dashed line is the threshold from which SR-DCR answers from memory."
)
_RECALLED = (
    "Tiers are by the share of recalls that are right: from 85 % highly, from 30 % "
    "maybe, any weakly known; without recall all items stand together."
)


# Answers with the confidence that ranks them, for risk over coverage.

ALWAYS = 2.0
"""Above every confidence: of what is answered whatever the threshold."""

_CONFIDENCES = {
    "prior": ["confidence"],
    "few_shot": ["contextual_confidence"],
    "token_prob": ["p_prior", "p_contextual"],
}
_AREA = Format(digits=3)


def ranked(answers: pd.DataFrame, rounds: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The ways to decide that have a confidence, without their abstentions.

    The prior and the contextual answer are ranked by the confidence in each, token
    probability by the higher of both, the debate alone by that in the answer it gives.
    SR-DCR over all thresholds answers what the judge finds reasonable at once, and the
    rest by the confidence in the prior answer.

    Args:
        answers: As from `answers_of`, of one model.
        rounds: As from `rounds_of`, of the same model.

    Returns:
        By name the rows with the column `ranked`; those without a confidence are left
        out.
    """
    found = {
        ARMS[arm]: rows.assign(ranked=rows[columns].max(axis=1, skipna=False))
        for arm, columns in _CONFIDENCES.items()
        if set(columns) <= set(answers) and len(rows := answers[answers["arm"] == arm])
    }
    last = rounds[rounds["arm"] == "acvd_only"].sort_values("round")
    last = last.drop_duplicates(["sample", "epoch", "variant"], keep="last")
    for variant, rows in last.groupby("variant"):
        trusted, prior = rows["verdict"] == 1, rows["confidence"]
        # Only on one scale can the two be ranked together.
        given = rows["p_contextual"].where(trusted, rows["p_prior"])
        gated = prior.mask(trusted, ALWAYS).where(prior.notna())
        found[titled(ARMS["acvd_only"], variant)] = rows.assign(ranked=given)
        name = titled(f"{ARMS['srdcr']} over all thresholds", variant)
        found[name] = rows.assign(ranked=gated)
    return {name: rows.dropna(subset="ranked") for name, rows in found.items()}


def risk_table(answers: pd.DataFrame, rounds: pd.DataFrame) -> Table | None:
    """The areas under the risk-coverage curves of the ways to decide.

    Args:
        answers: As from `answers_of`.
        rounds: As from `rounds_of`.

    Returns:
        The table; None where nothing has a confidence.
    """
    rows = []
    for model, of_model in by_model(answers).items():
        parts = ranked(of_model, rounds[rounds["model"] == model])
        shown = on_shared({name: of for name, of in parts.items() if len(of)})
        for name, of in shown.parts.items():
            named = {MODEL: model_title(model), ARM: name}
            rows.append({**named, **_areas(of)})
    if not rows:
        return None
    return Table(
        name="risk_coverage",
        title="Area under the risk-coverage curve",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={
            "Samples": COUNT,
            "Wrong": PERCENT,
            "Area": _AREA,
            "Above the least": _AREA,
        },
        note="Items in the order of their confidence, those of one confidence "
        "together, on the samples that all arms of a model have. Area: 0 at best; of a "
        "confidence that tells nothing, the share of wrong answers. Above the least: "
        "the area above that of an order with all right answers first. Ranked by the "
        "confidence in the prior or the contextual answer; token probability by the "
        "higher of both; the debate alone by that in the answer it gives. SR-DCR over "
        "all thresholds answers what the judge finds reasonable at once, and the rest "
        "by the confidence in the prior answer.",
    )


def _areas(rows: pd.DataFrame) -> dict[str, object]:
    confidence, right = rows["ranked"], rows["strict"]
    return {
        "Samples": len(rows),
        "Wrong": 1 - np.mean(right),
        "Area": area_under(risk_coverage(confidence, right)),
        "Above the least": excess_area(confidence, right),
    }


# Risk over coverage: errors among the answers that are given with most confidence.

_RUNS = ("-T protocol=srdcr --model M",)


def risk_figures(
    answers: pd.DataFrame, rounds: pd.DataFrame
) -> Iterator[Figure | Notice]:
    """Risk-coverage curves of the ways to decide that have a confidence, by model.

    Args:
        answers: As from `answers_of`.
        rounds: As from `rounds_of`.
    """
    number = 0
    for model, rows in by_model(answers).items():
        parts = ranked(rows, rounds[rounds["model"] == model])
        shown = on_shared(parts | _as_it_is(rows))
        if any("ranked" in of for of in shown.parts.values()):
            number += 1
            yield _figure(number, model, shown)
    if not number:
        yield needs("The risk-coverage curve", "answers with a confidence", _RUNS)


def _figure(number: int, model: str, shown: Shown) -> Figure:
    curves = {}
    for name, rows in shown.parts.items():
        if "ranked" in rows:
            curve = risk_coverage(rows["ranked"], rows["strict"])
            area = area_under(curve)
            curves[f"{name} ({area:.3f})"] = _steps(curve)
        else:
            curves[name] = _point(rows)
    return Figure(
        name=f"figure_risk_{number}",
        title=f"Risk over coverage, {model_title(model)}",
        figure=curve_panels(
            {halves(next(iter(shown.parts.values()))): curves},
            label="risk: wrong among answered (%)",
            x_label="coverage: answered (%)",
            size=(6.0, 3.0),
        ),
        alt="Share of wrong answers among those given with most confidence over the "
        f"share given, a curve per way to decide: {', '.join(curves)}.",
        note=f"{shown.note} {_RISK_NOTE}",
    )


def _as_it_is(answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """SR-DCR with the abstentions that its threshold makes."""
    gated = answers[answers["arm"] == "srdcr"]
    return {
        titled(f"{ARMS['srdcr']} as it is", variant): rows
        for variant, rows in gated.groupby("variant")
    }


def _steps(curve: RiskCoverage) -> Curve:
    """The step function whose area is told: the risk of the next point that covers."""
    edges = np.concatenate([[0.0], np.repeat(curve.coverage, 2)[:-1]])
    return Curve(edges, np.repeat(curve.risk, 2))


def _point(rows: pd.DataFrame) -> Curve:
    answered = rows["answered"] == 1
    wrong = 1 - rows["strict"][answered].mean()
    return Curve(np.array([answered.mean()]), np.array([wrong]))


_RISK_NOTE = (
    "A curve answers the items with the highest confidence first; items of one "
    "confidence enter together. Ranked are the prior and the contextual answer by the "
    "confidence in each, token probability by the higher of both, the debate alone by "
    "that of the answer it gives. SR-DCR over all thresholds answers what the judge "
    "finds reasonable at once and the rest by the prior answer's confidence; the mark "
    "is where its threshold puts it. In brackets is the area under the curve: 0 at "
    "best; of a confidence that tells nothing, the share of wrong answers."
)
