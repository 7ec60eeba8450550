"""What the models of the SR-DCR study know, and how well their confidence fits."""

from collections.abc import Mapping, Sequence

import matplotlib.figure
import numpy as np
import pandas as pd

from inspect_debate.v1.metrics.agreement import Share
from inspect_debate.v1.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.v1.metrics.knowledge import p_known_given, tier_shares
from inspect_debate.v1.metrics.shares import share
from inspect_debate.v1.reports.drawing import (
    Curve,
    curve_panels,
    histogram_panels,
    points,
    reliability,
)
from inspect_debate.v1.reports.elements import (
    PERCENT,
    Column,
    Format,
    Table,
)
from inspect_debate.v1.reports.srdcr.measures import (
    BOTH_RUN,
    CLUSTERED,
    COMMAND,
    LIMITS,
    RECALL_RUN,
    Data,
    joined,
    needs,
    share_of,
    with_value,
)
from inspect_debate.v1.reports.srdcr.rows import SOURCES, TIERS, stacked
from inspect_debate.v1.reports.views import (
    Columns,
    Measure,
    Panels,
    Part,
    View,
    binned,
    mean,
)

TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def tiers(data: Data) -> Table | None:
    """How many items are in each tier of knowledge, and how confident the model is."""
    known = data.estimates[data.estimates["tier"].notna()]
    rows = [
        {
            "Model": model,
            "Tier": TIERS[n],
            "Items": len(in_tier := of[of["tier"] == n]),
            "Share": found.value,
            "Share low": found.low,
            "Share high": found.high,
            "Normalised": (of["tier_normalised"] == n).mean(),
            "Prior right": in_tier["prior_strict"].mean(),
            "Mean": in_tier["confidence"].mean(),
            "Lower quarter": in_tier["confidence"].quantile(0.25),
            "Median": in_tier["confidence"].median(),
            "Upper quarter": in_tier["confidence"].quantile(0.75),
            "Confident": in_tier["confident"].mean(),
        }
        for model, of in known.groupby("Model", sort=False)
        for n, found in [*enumerate(tier_shares(of["tier"], of["question_id"]))][::-1]
    ]
    if not rows:
        return None
    percents = ("Share", "Normalised", "Prior right", "Confident")
    return Table(
        name="tiers",
        title="Tiers of knowledge, and confidence in them",
        frame=pd.DataFrame(rows),
        groups="Model",
        formats=dict.fromkeys(percents, PERCENT),
        note="By the share of recalls that are right: highly known from 85 %, maybe "
        "from 30 %, weakly above 0. Mean and quarters are of the confidence in the "
        f"prior answer; confident: at least tau. {CLUSTERED}",
    )


_USED = "the one used"
_COLUMNS = {
    ("Prior", "prior_strict"): {
        _USED: "confidence",
        **{source: column for column, source in SOURCES.items()},
    },
    ("Contextual", "strict_few_shot"): {
        _USED: "contextual_confidence",
        "log-probabilities": "contextual_logprobs",
        "self-consistency": "contextual_consistency",
    },
}
"""By answer, and whether it is right, the estimates of the confidence in it."""


def _stated(data: Data) -> pd.DataFrame:
    """Every confidence as `stated`, with whether its answer is `right`."""
    rows = data.estimates
    parts = (
        rows.assign(
            Answer=answer, Source=source, stated=rows[column], right=rows[right]
        )
        for (answer, right), columns in _COLUMNS.items()
        for source, column in columns.items()
        if {column, right} <= {*rows}
    )
    found = joined(parts, rows).sort_values("place", kind="stable")
    return found.dropna(subset="stated")


def _in_prior(data: Data, *columns: str) -> pd.DataFrame:
    """The confidences in prior answers, of items with values in some columns."""
    rows = _stated(data)
    return rows[rows["Answer"] == "Prior"].dropna(subset=[*columns])


def _by_estimate(data: Data, *columns: str) -> pd.DataFrame:
    """As `_in_prior`, by model and estimate."""
    rows = _in_prior(data, *columns)
    rows = rows[rows["Source"] != _USED]
    return rows.assign(Panel=rows["Model"] + ", " + rows["Source"])


def _known(rows: pd.DataFrame) -> dict[Column, object]:
    found = p_known_given(rows["stated"], rows["tier"], TAUS, rows["question_id"])
    cells: dict[Column, object] = {}
    for tau, of in zip(TAUS, found, strict=True):
        cells |= {f"{tau:.2f}": of, f"{tau:.2f}: n": of.n}
    return cells


KNOWN = View[Data](
    "known",
    "Highly known, given a confidence of at least tau",
    lambda data: _in_prior(data, "tier"),
    {"Model": "Model", "Confidence from": "Source"},
    [Columns(_known, {f"{tau:.2f}": PERCENT for tau in TAUS})],
    note="Percent of the items whose confidence reaches tau, and their number n. The "
    "paper reports more than 88 at 0.90 and more than 95 at 0.95 for all its models.",
)


def _thresholds(data: Data) -> dict[str, float]:
    """The thresholds of the runs, by name."""
    found = {p["tau"] for p in data.estimates["parameters"] if p.get("tau") is not None}
    return {f"threshold {100 * tau:g}": float(tau) for tau in sorted(found)}


def _known_curves(rows: pd.DataFrame) -> dict[str, Curve]:
    """P(Highly Known | confidence >= tau) over tau, and how many items reach it."""
    taus = np.linspace(0, 1, 51)
    found = p_known_given(rows["stated"], rows["tier"], taus, rows["question_id"])
    value, low, high, n = (np.array(part) for part in zip(*found, strict=True))
    return {
        "highly known among them": Curve(taus, value, low, high),
        "reach the threshold": Curve(taus, n / len(rows)),
    }


KNOWN_FIGURE = Panels[Data](
    "figure_known",
    "Highly known, given confidence",
    lambda data: _by_estimate(data, "tier"),
    "Panel",
    lambda panels, data: curve_panels(
        {name: _known_curves(rows) for name, rows in panels.items()},
        label="items (%)",
        x_label="threshold of confidence (%)",
        references=_thresholds(data),
        limits=LIMITS,
    ),
    "Share of items that are highly known among those whose confidence reaches a "
    "threshold, and share of items that reach it, over the threshold.",
    note="The band is the 95 % interval, clustered by question. The paper reports more "
    "than 88 % at 90 and more than 95 % at 95 for all its models.",
    missing=needs(
        "The figure of what is known needs recall beside a confidence", RECALL_RUN
    ),
)

_ALL = "All items"


def _confidences(number: int, column: str, source: str) -> Panels[Data]:
    """The paper's Figures 3, 6 and 7: how confidences are distributed, by tier."""

    def rows(data: Data) -> pd.DataFrame:
        items = data.estimates
        both = items[[*SOURCES]].notna().all(axis=1)
        some = both.groupby(items["model"]).transform("any")
        # A model with both estimates has the same items in Figures 6 and 7.
        items = with_value(items if number == 3 else items[both | ~some], column)
        parts = {_ALL: pd.Series(True, items.index)}
        parts |= {tier: items["tier"] == n for n, tier in enumerate(TIERS)}
        found = stacked(items, "Tier", parts)
        return found.assign(Panel=found["Model"] + ": " + found["Tier"])

    def draw(
        panels: Mapping[str, pd.DataFrame], data: Data
    ) -> matplotlib.figure.Figure:
        return histogram_panels(
            {name: of[column] for name, of in panels.items()},
            # The shares of sixteen draws are in the middles of the bins.
            (np.arange(18) - 0.5) / 16,
            label="items (%)",
            x_label="confidence in the prior answer (%)",
            format=PERCENT,
            references=_thresholds(data),
            places=(0, 0.5, 1),
            columns=pd.concat(panels)["Tier"].nunique(),
        )

    return Panels(
        f"figure_{number}",
        f"The paper's Figure {number}: confidence{source}",
        rows,
        "Panel",
        draw,
        f"Distribution of the confidence{source} in the prior answer, a panel per tier "
        "of knowledge.",
        note="Shares of each panel's items, by tier where there is recall. The dashed "
        "line is the threshold from which SR-DCR answers from memory.",
        missing=needs(
            f"The paper's Figure {number} needs confidence{source}", BOTH_RUN
        ),
    )


CONFIDENCES = [
    _confidences(3, "confidence", ", the estimate used"),
    _confidences(6, "confidence_consistency", " from self-consistency"),
    _confidences(7, "confidence_logprobs", " from log-probabilities"),
]

CALIBRATION = View[Data](
    "calibration",
    "Confidences as probabilities of being right",
    lambda data: _stated(data).dropna(subset="right"),
    {"Model": "Model", "Answer": "Answer", "Confidence from": "Source"},
    [
        Measure("Items", len),
        Measure("Mean", mean("stated"), PERCENT),
        Measure("Right", mean("right"), PERCENT),
        Measure(
            "ECE",
            lambda rows: expected_calibration_error(rows["stated"], rows["right"]),
            PERCENT,
        ),
        Measure("Brier", lambda rows: brier(rows["stated"], rows["right"]), Format(3)),
        Measure(
            "Brier, base rate",
            lambda rows: rows["right"].mean() * (1 - rows["right"].mean()),
            Format(3),
        ),
        Measure(
            "Log score",
            lambda rows: log_score(rows["stated"], rows["right"]),
            Format(3),
        ),
    ],
    note="Lower is better; ECE is over ten bins in percentage points, the log score in "
    "nats with probabilities kept within 0.01 and 0.99. Base rate: the Brier score of "
    "always stating the share that is right.",
)


RELIABILITY = Panels[Data](
    "figure_reliability",
    "How often prior answers are right, by the confidence in them",
    lambda data: _by_estimate(data, "right"),
    "Panel",
    lambda panels, data: reliability(
        {
            name: binned(rows, "stated", lambda of: share_of(of, "right"))
            for name, rows in panels.items()
        },
        x_label="confidence in the prior answer (%)",
        y_label="right, strictly (%)",
    ),
    "Share of right prior answers over the confidence in them in bins of ten, beside "
    "the diagonal of perfect calibration.",
    note="Bins of ten points; areas are proportional to the number of items within a "
    "panel, lines are 95 % intervals, clustered by question.",
    missing=needs(
        "The reliability diagram needs prior answers with a confidence", BOTH_RUN
    ),
)


def _with_both(data: Data) -> pd.DataFrame:
    return data.estimates.dropna(subset=[*SOURCES])


def _same_side(rows: pd.DataFrame) -> Share:
    """How often both estimates reach the threshold, or neither."""
    tau = rows["parameters"].map(lambda given: float(given["tau"]))
    first, second = (rows[column] >= tau for column in SOURCES)
    return share((first == second).astype(float), rows["question_id"])


BOTH_SOURCES = View[Data](
    "sources",
    "Both estimates of the confidence in the prior answer",
    _with_both,
    {"Model": "Model"},
    [
        Measure("Items", len),
        *(
            Measure(f"Mean, {s}", mean(column), PERCENT)
            for column, s in SOURCES.items()
        ),
        Measure(
            "Spearman",
            lambda rows: rows[[*SOURCES]].corr("spearman").iloc[0, 1],
            Format(2),
        ),
        Measure("Same side of tau", _same_side, PERCENT),
    ],
    note="On the items that have both. Same side: both reach tau, or neither does.",
    folded=True,
)


def _points(data: Data) -> pd.DataFrame:
    """Both estimates in percent, as `x` and `y`, by tier where there is recall."""
    both = _with_both(data)
    x, y = (100 * both[column] for column in SOURCES)
    groups = both["tier"].map(dict(enumerate(TIERS))).fillna(_ALL)
    return both.assign(x=x, y=y, group=groups)


ESTIMATES_FIGURE = Panels[Data](
    "figure_estimates",
    "Both estimates of the confidence in the prior answer",
    _points,
    "Model",
    lambda panels, data: points(
        panels,
        x_label="from log-probabilities (%)",
        y_label="from self-consistency (%)",
        groups=[n for n in (*TIERS, _ALL) if n in {*pd.concat(panels)["group"]}],
    ),
    "Confidence from self-consistency over that from log-probabilities, a panel per "
    "model, a mark per item and a look per tier of knowledge.",
    note="Items with both estimates, by tier where there is recall.",
    missing=needs(
        "The figure of both estimates needs both on the same items", BOTH_RUN
    ),
)

_TOKENS = {
    "ok": "Log-probabilities",
    "absent": "None were sent",
    "refused": "Request refused",
    "invalid": "Not finite",
    "misaligned": "Tokens do not spell the answer",
    "cut": "Tokens end too early",
    "no_answer": "No answer",
}


def _origins(rows: pd.DataFrame) -> dict[Column, object]:
    columns = {f"tokens_{status}": title for status, title in _TOKENS.items()}
    asked = rows[[column for column in columns if column in rows]].fillna(0)
    counts = asked.rename(columns=columns).sum().astype(int)
    return {
        "Items": len(rows),
        "From log-probabilities": int((rows["source"] == 1).sum()),
        "From self-consistency": int((rows["source"] == 2).sum()),
        "No confidence": int(rows["source"].isna().sum()),
        **{str(title): count for title, count in counts.items()},
        "Not asked for": int((asked.sum(axis=1) == 0).sum()),
    }


ORIGINS = View[Data](
    "origins",
    "Where confidences came from",
    lambda data: (
        data.estimates if "source" in data.estimates else data.estimates.head(0)
    ),
    {"Model": "Model"},
    [Columns(_origins)],
    note="Items by the source of the confidence in the prior answer, and by the result "
    "of asking for the log-probabilities of its tokens.",
    folded=True,
)


PARTS: Sequence[Part[Data]] = [
    Part(
        "What the model knows",
        [tiers, KNOWN, KNOWN_FIGURE, *CONFIDENCES],
        "Tiers of knowledge need answers recalled from memory: "
        f"`{COMMAND} {RECALL_RUN}`.",
    ),
    Part(
        "Confidence",
        [
            *(CALIBRATION, RELIABILITY),
            *(BOTH_SOURCES, ESTIMATES_FIGURE, ORIGINS),
        ],
    ),
]
