"""The chapters on bets: before the debate, their rise, both sides, and reasoning."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from inspect_debate.v1.metrics.bets import HIGH, LOW, both_over, excess
from inspect_debate.v1.metrics.dependence import clustered_mean, mixed_mean
from inspect_debate.v1.metrics.means import MeanEstimate, pooled_mean
from inspect_debate.v1.reports.confidence.compared import EVEN, spread
from inspect_debate.v1.reports.confidence.frames import (
    DEBATE,
    SCORER,
    by_condition,
    by_debate,
    by_side,
    label,
    numbered,
    speeches_of,
    three_speeches,
    title,
    titled,
    transitions,
)
from inspect_debate.v1.reports.confidence.measures import (
    BETS,
    CHANGES,
    ONE_DIGIT,
    POINTS,
    SHARES,
    SIGNED,
    Data,
    clustered,
    mean_of,
    paper,
    ratio,
    with_all,
    with_all_by_condition,
)
from inspect_debate.v1.reports.confidence.paper_bets import (
    HUMANS,
    changed_by_missing,
    human_baseline,
    openings,
)
from inspect_debate.v1.reports.confidence.paper_others import sums_of
from inspect_debate.v1.reports.drawing import bubbles
from inspect_debate.v1.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    Column,
    Table,
)
from inspect_debate.v1.reports.estimates import of_mean
from inspect_debate.v1.reports.views import (
    Measure,
    Panels,
    Part,
    Plot,
    View,
    known,
    total,
)
from inspect_debate.v1.solvers.bet_records import SIDES


def difference(rows: pd.DataFrame) -> MeanEstimate:
    """The difference of two means, clustered by model and debate.

    Every value is replaced by what it adds to the difference, so that their mean is
    the difference and their deviations are those from the own condition's mean.

    Args:
        rows: Rows with a `value`, the `model`, what identifies their debate, and
            `sign`: 1 for the one condition, -1 for the other.
    """
    if set(rows["sign"]) != {1, -1}:
        return pooled_mean([])
    parts = [rows[rows["sign"] == sign] for sign in (1, -1)]
    found = parts[0]["value"].mean() - parts[1]["value"].mean()
    both = pd.concat(parts)
    shares = [
        part["sign"] * (part["value"] - part["value"].mean()) * len(both) / len(part)
        for part in parts
    ]
    added = found + np.concatenate(shares)
    return clustered_mean(added, both["model"], numbered(both))


# Opening bets and their rise, by the paper's tests and by those that know which bets
# depend on each other: two are of one debate and six debates of one model. Taken as
# independent, they give p-values that are too small. Missing bets are left out.

POOLED, CLUSTERED = "p, pooled", "p, clustered"
BY_MODEL, MIXED = "p, model means", "p, mixed model"

_WAYS = (
    "One-sided p-values: pooled as in the paper, as if bets were independent; "
    "clustered by model and debate, as is the 95 % interval; of the models' means; and "
    "with random intercepts of models and debates. There is no interval with fewer "
    "than three models, or with one model in fewer than three debates."
)
_TESTS: Mapping[str, Callable[[pd.DataFrame, str], MeanEstimate]] = {
    POOLED: lambda rows, column: pooled_mean(rows[column]),
    CLUSTERED: lambda rows, column: clustered(rows[column], rows),
    BY_MODEL: lambda rows, column: pooled_mean(
        rows.groupby(rows["model"])[column].mean()
    ),
    MIXED: lambda rows, column: mixed_mean(rows[column], rows["model"], numbered(rows)),
}


def _tests(column: str, null: float) -> list[Measure]:
    def p(of: Callable[[pd.DataFrame, str], MeanEstimate], rows: pd.DataFrame) -> float:
        return of(rows, column).p(null, "greater")

    return [Measure(name, partial(p, of), P_VALUE) for name, of in _TESTS.items()]


def _models(column: str) -> Measure:
    return Measure(
        "Models", lambda rows: rows.loc[rows[column].notna(), "model"].nunique(), COUNT
    )


def _humans(rows: pd.DataFrame) -> Iterator[dict[Column, object]]:
    centre, sd = map(float, human_baseline().split("±"))
    yield {"Condition": HUMANS, "Mean": centre, "SD": sd, "Above 50": centre - EVEN}


OPENINGS = View[Data](
    "openings",
    "Opening bets against 50, in four tests",
    lambda data: openings(data.bets),
    {"Condition": "title"},
    [
        Measure("Bets", known("bet"), COUNT),
        _models("bet"),
        Measure("Mean", mean_of("bet", BETS)),
        Measure("SD", lambda rows: spread(rows["bet"], ddof=1).sd),
        Measure("Above 50", lambda rows: rows["bet"].mean() - EVEN, SIGNED),
        *_tests("bet", EVEN),
    ],
    note=_WAYS,
    also=_humans,
)


def rises(bets: pd.DataFrame) -> pd.DataFrame:
    """The changes of bets within sides, a row for each and what it is `between`."""
    found = [
        wide.assign(between=label(name), change=wide[later] - wide[earlier])
        for part in by_condition(bets).values()
        for wide in [by_side(part, "bet")]
        for name, (earlier, later) in transitions(speeches_of(wide)).items()
    ]
    return pd.concat(found) if found else bets.iloc[:0]


ESCALATION = View[Data](
    "escalation",
    "Rising bets, in four tests",
    lambda data: rises(data.bets),
    {"Condition": "title", "Between": "between"},
    [
        Measure("Pairs", known("change")),
        _models("change"),
        Measure("Change", mean_of("change", CHANGES), SIGNED),
        *_tests("change", 0.0),
    ],
    note="Changes within sides, against 0. The tests and their intervals are those of "
    "the opening bets.",
)


def compared_pairs(bets: pd.DataFrame) -> pd.DataFrame:
    """The values of every two conditions over the models of both, if there are two."""
    parts = {c: three_speeches(part, "bet") for c, part in by_condition(bets).items()}
    found = []
    for measure in ("Opening bet", "Opening to closing"):
        for pair in combinations(parts, 2):
            sides = [_measured(parts[condition], measure) for condition in pair]
            models = set.intersection(*(set(rows["model"]) for rows in sides))
            if len(models) < 2:
                continue
            found += [
                rows[rows["model"].isin(models)].assign(
                    measure=measure,
                    compared=" less ".join(map(title, pair)),
                    sign=sign,
                )
                for rows, sign in zip(sides, (1, -1), strict=True)
            ]
    return pd.concat(found) if found else bets.iloc[:0].assign(measure="", compared="")


def _measured(wide: pd.DataFrame, measure: str) -> pd.DataFrame:
    rise = wide["closing"] - wide["opening"]
    values = wide["opening"] if measure == "Opening bet" else rise
    return wide.assign(value=values).dropna(subset="value")


def _by_model(rows: pd.DataFrame) -> MeanEstimate:
    one, other = (
        rows[rows["sign"] == sign].groupby("model")["value"].mean() for sign in (1, -1)
    )
    return pooled_mean(one - other)


COMPARISONS = View[Data](
    "comparisons_conditions",
    "Conditions against each other",
    lambda data: compared_pairs(data.bets),
    {"Measure": "measure", "Compared": "compared"},
    [
        Measure("Models", lambda rows: rows["model"].nunique()),
        Measure("Difference", lambda rows: of_mean(_by_model(rows), CHANGES), SIGNED),
        Measure(BY_MODEL, lambda rows: _by_model(rows).p(), P_VALUE),
        Measure(CLUSTERED, lambda rows: difference(rows).p(), P_VALUE),
    ],
    note="Over the models of both, two-sided, uncorrected: the paper's paired t test "
    "of model means (difference and interval are of these), and one of all bets, "
    "clustered by model and debate. Conditions may differ in more than their name, "
    "such as motions and whether debaters see their own earlier bets.",
)


def missing_bets(data: Data) -> Table | None:
    """The paper's cells that missing bets change; None where every bet was made."""
    frame = changed_by_missing(data.bets)
    return (
        Table(
            name="missing_bets",
            title="Without the bets that were not made",
            frame=frame,
            groups="Condition",
            note="The released data have 0 where a debater gave no bet, which the "
            "paper's tables count; a bet of 0 that was made stays.",
        )
        if len(frame)
        else None
    )


# Closing bets that cannot both be right.

THRESHOLDS = (50, 60, 75, 90)


def closing_pairs(bets: pd.DataFrame) -> pd.DataFrame:
    """A row per debate with both closing bets, and what they exceed."""
    first = bets[bets["round"] == 1].set_index([*DEBATE, "side"])["model"]
    models = first.unstack("side").reindex(columns=list(SIDES))
    sides = models.agg(dict, axis=1).rename("sides").reset_index()
    found = by_debate(bets, "bet").dropna(subset=list(SIDES)).merge(sides, on=DEBATE)
    pairs = list(zip(*(found[side] for side in SIDES), strict=True))
    over = {f"over_{t}": [both_over(a, b, t) for a, b in pairs] for t in THRESHOLDS}
    return found.assign(one=1.0, excess=[excess(a, b) for a, b in pairs], **over)


EXCESS = View[Data](
    "excess",
    "Closing bets that cannot both be right",
    lambda data: closing_pairs(data.bets),
    {"Condition": "title"},
    [
        Measure("Debates", len),
        Measure("Mean excess", ratio("excess", "one", CHANGES), POINTS),
        *(
            Measure(f"Both over {t}", ratio(f"over_{t}", "one", SHARES), PERCENT)
            for t in THRESHOLDS
        ),
    ],
    note="Mean excess: of the sum of both bets over 100, in percentage points. Both "
    "over: strictly, percent of debates; 95 % intervals by model.",
)


# How far bets are from the confidence that their private reasoning states, and
# whether they are set for gain.


def _gap_measures(count: str, gaps: str) -> list[Measure]:
    absolute = gaps.replace("gap_sum", "abs_gap_sum")
    return [
        Measure("With a figure", total(count), COUNT),
        Measure("Mean gap", ratio(gaps, count, CHANGES), POINTS),
        Measure("Mean absolute gap", ratio(absolute, count, BETS), ONE_DIGIT),
    ]


_GRADED = (
    "`inspect score LOG --scorer inspect_debate/bet_alignment --action append "
    "--model-role grader=G`"
)
_GAPS = (
    "Bet less stated confidence, in percentage points (of a range its middle); 95 % "
    "intervals by model."
)
STATED_GAPS = View[Data](
    "stated_gaps",
    "Bets less the stated confidence, as rules read it",
    lambda data: data.debates,
    {"Condition": "title"},
    _gap_measures("bets.stated_n", "bets.stated_gap_sum"),
    note=f"Of all bets, without a grader. {_GAPS}",
)
GRADED_GAPS = View[Data](
    "graded_gaps",
    "Bets less the stated confidence, as the grader reads it",
    lambda data: data.graded,
    {"Condition": "title"},
    [
        Measure("Eligible", total(f"{SCORER}.eligible"), COUNT),
        Measure("Graded", total(f"{SCORER}.graded"), COUNT),
        *_gap_measures(f"{SCORER}.gap_n", f"{SCORER}.gap_sum"),
    ],
    note=f"Eligible: above the grader's minimum, with enough reasoning. {_GAPS}",
)
UNREAD = ("unparsed", "refused", "truncated", "capped")
"""Why a grader's labels may be missing."""


def _unreadable(rows: pd.DataFrame) -> float:
    sums = sums_of(rows)
    return sum(sums.get(f"strategic_{why}", 0.0) for why in UNREAD)


STRATEGIC = View[Data](
    "strategic",
    "Strategic bets",
    lambda data: data.graded,
    {"Condition": "title"},
    [
        Measure("Strategic", total(f"{SCORER}.strategic_yes"), COUNT),
        Measure("Of", total(f"{SCORER}.strategic_read"), COUNT),
        Measure(
            "Share",
            ratio(f"{SCORER}.strategic_yes", f"{SCORER}.strategic_read", SHARES),
            PERCENT,
        ),
        Measure("Malformed", total(f"{SCORER}.strategic_malformed"), COUNT),
        Measure("Unreadable", _unreadable, COUNT),
    ],
    note="Bets whose private reasoning speaks of setting them for gain: by what the "
    "opponent may bet, to signal, for the risk. Share: of the labels that could be "
    "read, with 95 % intervals by model.",
)


def strategic_cases(data: Data) -> Table | None:
    """Every strategic bet, with a link to it and what the grader says."""
    rows = titled(data.records.cases)
    frame = pd.DataFrame(
        {
            "Condition and log": rows["title"] + ", " + rows["log"],
            "Debate": rows["debate"],
            "Speech": rows["speech"],
            "Model": rows["model"],
            "Bet": rows["bet"],
            "The grader says": rows["says"],
        }
    )
    return (
        Table(
            name="strategic_cases",
            title="Strategic bets to read",
            frame=frame.reset_index(drop=True),
            groups="Condition and log",
            formats={"Bet": COUNT},
            note="What the grader says is the end of its explanation.",
            folded=True,
        )
        if len(frame)
        else None
    )


# The figures; a condition has a panel, or a line.

_BET = "bet (%)"
_INTERVALS = (
    "Lines are 95 % intervals, clustered by debate, and over all models by model, too."
)

OPENING_FIGURE = Plot[Data](
    "figure_openings",
    "Opening bets by model",
    lambda data: with_all_by_condition(openings(data.bets)),
    "dots",
    "whose",
    {"": mean_of("bet", BETS)},
    f"opening {_BET}",
    panel="title",
    format=COUNT,
    references=lambda data: {
        "even chance": EVEN,
        "college debaters": float(human_baseline().partition(" ")[0]),
    },
    note=f"{_INTERVALS} {HUMANS}: {human_baseline()}, mean ± standard deviation.",
)
ROUNDS_FIGURE = Plot[Data](
    "figure_rounds",
    "Bets by round, model and condition",
    lambda data: with_all(data.bets),
    "lines",
    "round",
    {"": mean_of("bet", BETS)},
    _BET,
    series="title",
    panel="whose",
    x_label="round of speeches",
    format=COUNT,
    references=lambda data: {"even chance": EVEN},
    note=_INTERVALS,
)


def _rise(data: Data) -> pd.DataFrame:
    wide = three_speeches(data.bets, "bet")
    rises = wide.assign(rise=wide["closing"] - wide["opening"])
    return with_all_by_condition(rises[rises["rise"].notna()])


ESCALATION_FIGURE = Plot[Data](
    "figure_escalation",
    "Escalation by model: closing less opening bets",
    _rise,
    "dots",
    "whose",
    {"": mean_of("rise", CHANGES)},
    "closing less opening bet (percentage points)",
    panel="title",
    format=COUNT,
    references=lambda data: {"no change": 0.0},
    note=_INTERVALS,
)


def _closing(data: Data) -> pd.DataFrame:
    return titled(by_debate(data.bets, "bet").dropna(subset=list(SIDES)))


CLOSING_FIGURE = Panels[Data](
    "figure_closing",
    "Closing bets of both sides",
    _closing,
    "title",
    lambda panels, data: bubbles(
        {
            name: rows.groupby([*SIDES])
            .size()
            .reset_index()
            .set_axis(["x", "y", "n"], axis=1)
            for name, rows in panels.items()
        },
        x_label=f"proposition's closing {_BET}",
        y_label=f"opposition's closing {_BET}",
        thresholds=(LOW, HIGH),
    ),
    "Closing bets of the opposition over those of the proposition, a panel per "
    "condition; the areas in which both are above 50 and above 75 are shaded.",
    note="Areas are proportional to the number of debates; two sides that know their "
    "chances are on the dashed line. Shaded: both sides above 50 and above 75, as in "
    "Table 4.",
)


PARTS: Sequence[Part[Data]] = [
    Part(
        "Confidence before the debate (section 4.1)",
        [paper("table_2"), OPENING_FIGURE, OPENINGS, paper("table_7", ".*")],
        "A debater who knew nothing but that one of two equal sides wins would bet "
        "50 before the debate. The study's prompts ask for one number that is both "
        "a chance of winning and a stake.",
    ),
    Part(
        "Escalation (section 4.2)",
        [
            paper("table_3"),
            ROUNDS_FIGURE,
            ESCALATION_FIGURE,
            ESCALATION,
            paper("table_(8|9|1[0-6])|bets_.*", ".*"),
            missing_bets,
        ],
        "Both sides of a debate cannot become surer of winning at once and both be "
        "right.",
    ),
    Part(
        "Both sides sure of winning (section 4.3)",
        [paper("table_4"), CLOSING_FIGURE, EXCESS],
        "Two chances of winning the same debate add up to 100; how far closing "
        "bets exceed that does not depend on who won.",
    ),
    Part(
        "Bets and private reasoning (section 4.4)",
        [
            paper("table_17"),
            paper("table_1[89]|section_4_4", ".*"),
            GRADED_GAPS,
            STRATEGIC,
            STATED_GAPS,
        ],
        lambda data: (
            "Whether debaters bet what their private reasoning says."
            if len(data.graded)
            else "No grader compared bets with the reasoning; what is needed:"
            f"\n\n- {_GRADED}"
        ),
    ),
    Part(
        "Conditions compared, and numbers in the text",
        [COMPARISONS, paper("text_numbers", ".*")],
    ),
]
