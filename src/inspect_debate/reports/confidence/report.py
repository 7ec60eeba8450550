"""The report on the confidence study: two sides that are both sure of winning."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from inspect_debate.metrics.agreement import (
    krippendorff_alpha,
    pairwise_agreement,
    repeat_agreement,
    side_share,
    unanimity,
)
from inspect_debate.metrics.bets import HIGH, LOW, both_over, excess
from inspect_debate.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.metrics.dependence import clustered_mean, dyadic_mean, mixed_mean
from inspect_debate.metrics.intervals import NO_INTERVAL, proportion_interval
from inspect_debate.metrics.means import FEWEST, MeanEstimate, pooled_mean
from inspect_debate.published.tables import title_of
from inspect_debate.reports.calls import call_notices
from inspect_debate.reports.conditions import CONDITION, Grouped
from inspect_debate.reports.conditions import ConditionSamples as Condition
from inspect_debate.reports.confidence.frames import (
    DEBATE,
    PROTOCOLS,
    SCORER,
    STUDY,
    TIE,
    Records,
    bets_of,
    by_condition,
    by_debate,
    by_side,
    conditions,
    decisions,
    in_order,
    label,
    model_name,
    not_reused,
    numbered,
    protocol_of,
    read_records,
    records_of,
    seats,
    speeches_of,
    three_speeches,
    title,
    titled,
    transitions,
    verdicts_of,
    with_motion,
)
from inspect_debate.reports.confidence.paper import (
    EVEN,
    HUMANS,
    ComparedTable,
    alignment_tables,
    appendix_d,
    changed_by_missing,
    dollars,
    graded,
    human_baseline,
    is_published_jury,
    openings,
    paper_tables,
    printed_tables,
    rates_of,
    spread,
    sums_of,
    table_6,
)
from inspect_debate.reports.drawing import bubbles, reliability
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    P_VALUE,
    PERCENT,
    Column,
    Figure,
    Format,
    Main,
    Notice,
    Section,
    Table,
    counted,
    listed,
)
from inspect_debate.reports.estimates import Estimate, of_counts, of_mean
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.logs import Log
from inspect_debate.reports.notices import reuse_notices, run_notices, sample_notices
from inspect_debate.reports.provenance import (
    command_list,
    commands,
    provenance_section,
    runs_of,
)
from inspect_debate.reports.sanity import sanity_section, unread_notices
from inspect_debate.reports.views import (
    Measure,
    Part,
    Plot,
    StudyReport,
    View,
    known,
    total,
)
from inspect_debate.solvers.bet_records import SIDES

ONE_DIGIT = Format(digits=1)
SIGNED = Format(digits=2, signed=True)
POINTS = Format(digits=1, signed=True)
"""Differences in percentage points."""


class Data(NamedTuple):
    """Debates, bets and verdicts of all conditions.

    Attributes:
        logs: The logs.
        grouped: The debates by condition, as from `conditions`.
        debates: Its rows, as from `titled`.
        bets: As from `not_reused`: every debate once.
        judged: As from `bets_of`, with debates that were judged anew by each jury.
        verdicts: As from `verdicts_of`; none without a jury.
        graded: The debates of which a grader compared bets with the reasoning.
        closing: As from `closing_bets`.
        records: What only records have.
        paper: The paper's tables, as far as there are debates for them.
    """

    logs: Sequence[Log]
    grouped: Grouped
    debates: pd.DataFrame
    bets: pd.DataFrame
    judged: pd.DataFrame
    verdicts: pd.DataFrame
    graded: pd.DataFrame
    closing: pd.DataFrame
    records: Records
    paper: Sequence[ComparedTable]


def read_data(logs: Sequence[Log]) -> Data | None:
    """Read the logs; None where no debate was scored."""
    seen = read_records(logs)  # first, as the samples are then read but once
    grouped = conditions(scores_of(logs))
    judged, verdicts = bets_of(grouped), verdicts_of(grouped)
    bets = not_reused(judged, grouped)
    if bets.empty:
        return None
    debates = titled(grouped.frame, "condition")
    with_grades, records = graded(debates), records_of(seen, grouped)
    return Data(
        logs,
        grouped,
        debates,
        bets,
        judged,
        verdicts,
        with_grades,
        closing_bets(judged, verdicts),
        records,
        [
            *paper_tables(bets),
            table_6(records.spent, rates_of(logs)),
            *(alignment_tables(with_grades) if len(with_grades) else []),
            *appendix_d(verdicts, judged),
        ],
    )


# Means of bets and ratios over debates, with intervals that respect dependence.

Bounds = tuple[float, float]

BETS: Bounds = (0.0, 100.0)
"""Where bets are, and distances between them."""
CHANGES: Bounds = (-100.0, 100.0)
"""Where differences of bets are, and by how much two exceed 100."""
SHARES: Bounds = (0.0, 1.0)


def clustered(values: "pd.Series[float]", rows: pd.DataFrame) -> MeanEstimate:
    """A mean by model and debate; where all rows are of one model, by debate alone.

    Args:
        values: NaN is left out.
        rows: What identifies the debate, and `model`.
    """
    several = rows["model"].nunique() > 1
    ways = [numbered(rows, ["model"])] * several + [numbered(rows)]
    return clustered_mean(values, *ways)


def mean_of(column: str, bounds: Bounds) -> Callable[[pd.DataFrame], Estimate]:
    """The mean of a column of bets and the like, as `clustered`, with its interval."""
    return lambda rows: of_mean(clustered(rows[column], rows), bounds)


def ratio(part: str, whole: str, bounds: Bounds) -> Callable[[pd.DataFrame], Estimate]:
    """A ratio of sums, such as a mean over bets, with its 95 % interval.

    Debates that share a model may depend on each other; where all are of the same
    models, each is independent. A share of the whole that does not vary at all is one
    of independent models, or of debates where all are of the same models.

    Args:
        part: The column of what is counted, of a row per debate with its `sides`,
            models by side; NaN counts nothing.
        whole: That of what it is counted among.
        bounds: The smallest and largest possible ratio.
    """

    def of(debates: pd.DataFrame) -> Estimate:
        some = debates[debates[whole] > 0]
        parts, wholes = (some[c].fillna(0.0).to_numpy(float) for c in (part, whole))
        if not wholes.size:
            return of_mean(pooled_mean([]), bounds)
        value = float(parts.sum() / wholes.sum())
        # The ratio as the mean of what every debate adds to it.
        added = value + (parts - value * wholes) / wholes.mean()
        pairs = [tuple(model_name(s[side]) for side in SIDES) for s in some["sides"]]
        alike = len({frozenset(pair) for pair in pairs}) == 1
        ways = zip(*pairs, strict=True)
        found = pooled_mean(added) if alike else dyadic_mean(added, *ways)
        if bounds != SHARES or not found.reason:
            return of_mean(found, bounds)
        size = float(len(pairs) if alike else len({m for pair in pairs for m in pair}))
        if size < FEWEST:
            return of_counts(value, NO_INTERVAL)
        return Estimate(value, *proportion_interval(value * size, size))

    return of


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


# Closing bets as probabilities of winning, against what came of the debates.

JURY, ITSELF = "the jury", "exactly 50 %"
"""What bets are compared with: a debate that was decided, or one with oneself."""

ALWAYS_EVEN = "Always 50"


def closing_bets(bets: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Closing bets that were made, with what they are compared with.

    Args:
        bets: As from `bets_of`.
        verdicts: As from `verdicts_of`.

    Returns:
        What identifies debate and side, `title`, the `model`, the `bet` as a share from
        0 to 1, `against`, and `won`: 1 or 0 by the jury's sum of confidences, 0.5 in
        debates with oneself, which may count against both. Ties are in neither.
    """
    made = bets[(bets["round"] == bets["rounds"]) & bets["bet"].notna()]
    closing = made.assign(bet=made["bet"] / 100)
    decided = decisions(verdicts).drop(columns="title")
    judged = closing.merge(decided[decided["by_sum"].isin(SIDES)], on=DEBATE)
    won = (judged["by_sum"] == judged["side"]).astype(float)
    alone = closing[closing["self_debate"].astype(bool)]
    found = [
        judged.assign(against=JURY, won=won),
        alone.assign(against=ITSELF, won=EVEN / 100),
    ]
    columns = [*DEBATE, "side", "model", "bet", "against", "won"]
    return titled(pd.concat(found, ignore_index=True)[columns])


_SCORES: dict[str, Callable[[ArrayLike, ArrayLike], float]] = {
    "Brier": brier,
    "Log score": log_score,
}


@lru_cache(maxsize=1024)  # bets are whole percents: the same ones come again
def _score(name: str, bet: float, won: float) -> float:
    return _SCORES[name]([bet], [won])


def _mean_score(name: str, rows: pd.DataFrame) -> Estimate:
    pairs = zip(rows["bet"], rows["won"], strict=True)
    each = [_score(name, bet, won) for bet, won in pairs]
    # A certain bet that is right has the best of scores, one that is wrong the worst.
    bounds = (_score(name, 1.0, 1.0), _score(name, 1.0, 0.0))
    return mean_of("each", bounds)(rows.assign(each=each))


def _always_even(rows: pd.DataFrame) -> Iterator[dict[Column, object]]:
    """The scores of 0.5, which are the same whatever happens."""
    yield {
        "Condition": ALWAYS_EVEN,
        **{name: _score(name, 0.5, 0.5) for name in _SCORES},
    }


_CALIBRATION = [
    Measure("Bets", len, COUNT),
    Measure("Mean bet", lambda rows: rows["bet"].mean(), PERCENT),
    Measure("Won", lambda rows: rows["won"].mean(), PERCENT),
    *(Measure(name, partial(_mean_score, name), Format(digits=3)) for name in _SCORES),
    Measure(
        "ECE",
        lambda rows: expected_calibration_error(rows["bet"], rows["won"]),
        PERCENT,
    ),
]
CALIBRATION = View[Data](
    "calibration",
    "Closing bets as probabilities",
    lambda data: data.closing,
    {"Condition": "title", "Against": "against"},
    _CALIBRATION,
    note="Against the jury's decision (ties left out), or in debates with oneself the "
    "chance of exactly 50 %. Brier and log score (in nats, bets no nearer to 0 or 100 "
    "than 1) are better when lower, with 95 % intervals by model and debate; ECE: over "
    "ten bins, in percentage points.",
    heads=False,
    also=_always_even,
)


def _by_condition_and_model(rows: pd.DataFrame) -> pd.DataFrame:
    places = {model: n for n, model in enumerate(in_order(rows["model"]))}
    ordered = rows.assign(of=rows["title"] + ", against " + rows["against"])
    groups = {name: n for n, name in enumerate(dict.fromkeys(ordered["of"]))}
    keys = np.lexsort([ordered["model"].map(places), ordered["of"].map(groups)])
    return ordered.iloc[keys]


CALIBRATION_MODELS = View[Data](
    "calibration_models",
    "Closing bets as probabilities, by model",
    lambda data: _by_condition_and_model(data.closing),
    {"Condition": "of", "Model": "model"},
    _CALIBRATION,
    note="As above, with intervals by debate.",
    folded=True,
)


# What the debaters spent.


SPENT = View[Data](
    "spent",
    "What the debaters spent by condition",
    lambda data: titled(
        data.records.spent.assign(
            dollars=dollars(data.records.spent, rates_of(data.logs))
        )
    ),
    {"Condition": "title"},
    [
        Measure("Debates", lambda rows: rows["debate"].nunique(), COUNT),
        Measure("Tokens", lambda rows: rows["tokens"].sum(skipna=False), COUNT),
        Measure("US dollars", lambda rows: rows["dollars"].sum(skipna=False), NUMBER),
    ],
    note="Tokens and cost are missing where they are not known.",
)


# The jury: who wins by each rule, and its judges.

_PRINTED = "Majority, even splits to the opposition, as printed"


def _by_rule(data: Data) -> pd.DataFrame:
    """Who won, by debate and rule; without a debate where none is judged."""
    found = []
    for condition, own in by_condition(data.verdicts).items():
        decided = decisions(own)
        if decided.empty:
            decided = decided.reindex([0]).assign(title=title(condition))
        rules = {
            "Sum of confidences, as the paper states": decided["by_sum"],
            "Majority of verdicts": decided["by_majority"],
        }
        if is_published_jury(condition, data.verdicts, data.judged):
            rules[_PRINTED] = decided["by_majority"].replace(TIE, SIDES[1])
        found += [decided.assign(rule=rule, won=won) for rule, won in rules.items()]
    return pd.concat(found) if found else data.verdicts


def _why_printed(rows: pd.DataFrame) -> str:
    if rows["rule"].iloc[0] != _PRINTED:
        return ""
    return (
        "The paper states the sum of confidences, but prints 71.7 %, which follows "
        "from a majority vote whose even splits all go to the opposition."
    )


def _won_by(side: str) -> Measure:
    return Measure(side.capitalize(), lambda rows: int((rows["won"] == side).sum()))


def _opposition_wins(rows: pd.DataFrame) -> float:
    won = rows.loc[rows["debate"].notna(), "won"]
    return float((won == SIDES[1]).mean())


JURY_RULES = View[Data](
    "jury_rules",
    "Who wins, by each rule",
    _by_rule,
    {"Condition": "title", "Rule": "rule"},
    [
        *map(_won_by, (*SIDES, TIE)),
        Measure("Opposition wins", _opposition_wins, PERCENT),
    ],
    note="Debates, and percent of them; a tie counts for neither side.",
    mark=_why_printed,
)


def judged_debates(verdicts: pd.DataFrame, bets: pd.DataFrame) -> pd.DataFrame:
    """Verdicts with whether they are on the judge's own model, and for that.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`.

    Returns:
        The rows with `on_itself`, and `for_itself`: NaN where the verdict is not on the
        judge's own model against another.
    """
    models = bets[~bets["self_debate"].astype(bool)].drop_duplicates([*DEBATE, "side"])
    sides = models.set_index([*DEBATE, "side"])["model"].unstack("side")
    sides = sides.reindex(columns=list(SIDES)).reset_index()
    rows = verdicts.merge(sides, on=DEBATE, how="left")
    own = pd.concat([rows[side] == rows["judge"] for side in SIDES], axis=1, keys=SIDES)
    won = pd.concat([rows["winner"] == side for side in SIDES], axis=1, keys=SIDES)
    on_itself = own.any(axis=1) & rows["winner"].notna()
    for_itself = (own & won).any(axis=1).astype(float).where(on_itself)
    return rows.assign(on_itself=on_itself, for_itself=for_itself)


def _repeated(rows: pd.DataFrame) -> Any:
    """How far the second pass of a judge agrees with the first."""
    wide = seats(rows)
    first, second = (
        wide.loc[:, wide.columns.get_level_values("pass") == n].droplevel(
            "pass", axis=1
        )
        for n in (1, 2)
    )
    return repeat_agreement(
        first.to_numpy(float), second.reindex(columns=first.columns).to_numpy(float)
    )


def _for_opposition(rows: pd.DataFrame) -> object:
    return side_share(1 - seats(rows).to_numpy(float))


def _mean_confidence(rows: pd.DataFrame) -> float:
    return float(rows.loc[rows["winner"].notna(), "confidence"].mean())


JUDGES = View[Data](
    "judges",
    "The judges one by one",
    lambda data: judged_debates(data.verdicts, data.judged),
    {"Condition": "title", "Judge": "judge"},
    [
        Measure("Verdicts", known("winner")),
        Measure("For the opposition", _for_opposition, PERCENT),
        Measure("Repeated", _repeated, PERCENT),
        Measure("Pairs", lambda rows: _repeated(rows).n, COUNT),
        Measure("On itself", total("on_itself"), COUNT),
        Measure("For itself", lambda rows: rows["for_itself"].mean(), PERCENT),
        Measure("Mean confidence", _mean_confidence, ONE_DIGIT),
    ],
    note="Repeated: of the pairs of verdicts on one debate in two passes, those that "
    "are the same. For itself: of the verdicts on debates of the judge's own model, "
    "those for that side.",
)


def _of_seats(function: Callable[[Any], float]) -> Callable[[pd.DataFrame], float]:
    return lambda rows: function(seats(rows).to_numpy(float))


AGREEMENT = View[Data](
    "jury_agreement",
    "How far the jury agrees",
    lambda data: data.verdicts,
    {"Condition": "title"},
    [
        Measure("Debates", _of_seats(len)),
        Measure("Verdicts", known("winner")),
        Measure("Unanimous", _of_seats(unanimity), PERCENT),
        Measure("Two verdicts agree", _of_seats(pairwise_agreement), PERCENT),
        Measure("Krippendorff's alpha", _of_seats(krippendorff_alpha)),
        Measure("For the opposition", _for_opposition, PERCENT),
    ],
    note="Alpha: agreement beyond chance, at most 1. A judge's passes count as "
    "verdicts of their own.",
)
MOTIONS = View[Data](
    "jury_motions",
    "The jury by motion",
    lambda data: titled(
        with_motion(decisions(data.verdicts), data.judged).sort_values(
            "motion", kind="stable"
        )
    ),
    {"Condition": "title", "Motion": "motion"},
    [
        Measure("Debates", len),
        Measure("Split", lambda rows: 1 - rows["unanimous"].mean(), PERCENT),
        Measure(
            "Opposition wins", lambda rows: (rows["by_sum"] == SIDES[1]).mean(), PERCENT
        ),
        Measure("Ties", lambda rows: int((rows["by_sum"] == TIE).sum()), COUNT),
    ],
    note="Split: debates in which not all verdicts are for one side, in percent. "
    "Winners by the sum of confidences.",
    folded=True,
)


# The figures; a condition has a panel, or a line.

ALL_MODELS = "All models"

_BET = "bet (%)"
_INTERVALS = (
    "Lines are 95 % intervals, clustered by debate, and over all models by model, too."
)
_BINS = np.arange(0.1, 1.0, 0.1)


def _with_all(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows by model in the paper's order (`whose`), then all of several models."""
    models = in_order(rows["model"])
    parts = [rows[rows["model"] == model].assign(whose=model) for model in models]
    parts += [rows.assign(whose=ALL_MODELS)] if len(models) > 1 else []
    return pd.concat(parts) if parts else rows.assign(whose="")


def _with_all_by_condition(rows: pd.DataFrame) -> pd.DataFrame:
    parts = [_with_all(part) for part in by_condition(rows).values()]
    return pd.concat(parts) if parts else rows.assign(whose="")


OPENING_FIGURE = Plot[Data](
    "figure_openings",
    "Opening bets by model",
    lambda data: _with_all_by_condition(openings(data.bets)),
    "dots",
    "whose",
    {"": mean_of("bet", BETS)},
    f"opening {_BET}",
    "Mean opening bet of every model with its interval, a panel per condition, beside "
    "lines at 50 and at the mean of human debaters.",
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
    lambda data: _with_all(data.bets),
    "lines",
    "round",
    {"": mean_of("bet", BETS)},
    _BET,
    "Mean bets over the rounds of speeches, a panel per model, a line with intervals "
    "per condition.",
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
    return _with_all_by_condition(rises[rises["rise"].notna()])


ESCALATION_FIGURE = Plot[Data](
    "figure_escalation",
    "Escalation by model: closing less opening bets",
    _rise,
    "dots",
    "whose",
    {"": mean_of("rise", CHANGES)},
    "closing less opening bet (percentage points)",
    "Mean rise of bets from opening to closing of every model with its interval, a "
    "panel per condition, beside a line at 0.",
    panel="title",
    format=COUNT,
    references=lambda data: {"no change": 0.0},
    note=_INTERVALS,
)


def closing_figure(data: Data) -> Figure | None:
    """The closing bets of both sides against each other, with Table 4's regions."""
    pairs = by_debate(data.bets, "bet").dropna(subset=list(SIDES))
    if pairs.empty:
        return None
    panels = {
        f"{title(condition)}, n={len(rows)}": rows.groupby(list(SIDES))
        .size()
        .reset_index()
        .set_axis(["x", "y", "n"], axis=1)
        for condition, rows in by_condition(pairs).items()
    }
    return Figure(
        name="figure_closing",
        title="Closing bets of both sides",
        figure=bubbles(
            panels,
            x_label=f"proposition's closing {_BET}",
            y_label=f"opposition's closing {_BET}",
            thresholds=(LOW, HIGH),
        ),
        alt="Closing bets of the opposition over those of the proposition, a panel per "
        "condition; the areas in which both are above 50 and above 75 are shaded.",
        note="Areas are proportional to the number of debates; two sides that know "
        "their chances are on the dashed line. Shaded: both sides above 50 and above "
        "75, as in Table 4.",
    )


def calibration_figure(data: Data) -> Figure | None:
    """How often closing bets won, by what was bet."""
    if data.closing.empty:
        return None
    parts = _by_condition_and_model(data.closing).groupby("of", sort=False)
    return Figure(
        name="figure_calibration",
        title="Calibration of closing bets",
        figure=reliability(
            {str(name): _bins(rows) for name, rows in parts},
            x_label=f"closing {_BET}",
            y_label="debates won (%)",
        ),
        alt="Share of debates won over the closing bet in bins of ten, a panel per "
        "condition, beside the diagonal of perfect calibration.",
        note="Areas are proportional to the number of bets. Against the jury, lines "
        "are 95 % intervals, as if bets were independent.",
    )


def _bins(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean bets and shares won in percent, by bins of ten points."""
    found = []
    for _, of in rows.groupby(np.digitize(rows["bet"], _BINS)):
        share = of["won"].mean()
        low, high = (
            (share, share)
            if of["against"].iloc[0] == ITSELF
            else proportion_interval(of["won"].sum(), len(of))
        )
        percents = [100 * value for value in (of["bet"].mean(), share, low, high)]
        found.append([*percents, len(of)])
    return pd.DataFrame(found, columns=["stated", "share", "low", "high", "n"])


# Cells beside the paper's.

UNEXPLAINED = "–"
"""Where nothing is known to be wrong with the printed cell."""


def cells_table(data: Data) -> Table | None:
    """The cells of each of the paper's tables, equal to the printed digit or not."""
    rows = [
        {
            "Table": table.title,
            "Compared": found["equal"] + found["differs"],
            "Equal": found["equal"],
            "Different": found["differs"],
        }
        for table in data.paper
        for found in [table.counts()]
        if found["equal"] + found["differs"]
    ]
    if not rows:
        return None
    frame = pd.DataFrame(rows)
    whole = {"Table": "All", **frame.sum(numeric_only=True).to_dict()}
    return Table(
        name="cells",
        title="Cells beside the paper's",
        frame=pd.concat([frame, pd.DataFrame([whole])], ignore_index=True),
        note="Equal: to the last printed digit, and in stars and signs.",
    )


def differences_table(data: Data) -> Table | None:
    """The cells of a release that differ from the printed, and why where known."""
    rows = [
        {
            "Table": title_of(cell.paper.table) if cell.paper else table.title,
            "Row": f"{row.group}: {row.title}" if row.group else row.title,
            "Column": table.columns[column],
            "Ours": cell.ours,
            "Paper": cell.paper and cell.paper.printed,
            "Why": cell.note or UNEXPLAINED,
        }
        for table in data.paper
        for row in table.rows
        for column, cell in row.cells.items()
        if cell.status == "differs"
    ]
    if not rows or not any(map(is_rebuilt, data.logs)):
        return None
    title = "Cells that are not as printed"
    return Table("differences", title, pd.DataFrame(rows))


def paper(pattern: str, folded: str = "") -> Callable[[Data], list[Table]]:
    """The paper's tables whose names match; folded if these match the second."""

    def tables(data: Data) -> list[Table]:
        return [
            table.table(folded=bool(re.fullmatch(folded, table.name)))
            for table in data.paper
            if re.fullmatch(pattern, table.name)
        ]

    return tables


# Imported transcripts.


def is_rebuilt(log: Log) -> bool:
    """Whether a log was imported from released transcripts."""
    return bool(log.metadata.get("rebuilt"))


def transcript_notices(logs: Sequence[Log]) -> Iterator[Notice]:
    """Files that could not be read, and what no transcript has."""
    rebuilt = [log for log in logs if is_rebuilt(log)]
    stopped = {
        str(stop["file"]): str(stop["reason"])
        for log in rebuilt
        for stop in (log.metadata.get("import") or {}).get("stopped", ())
    }
    if stopped:
        lines = [f"`{file}`: {reason}" for file, reason in stopped.items()]
        yield Notice(f"Transcripts that could not be read.\n\n{listed(lines)}")
    if rebuilt:
        names = [f"`{log.path.name}`" for log in rebuilt]
        yield Notice(
            "Made of released transcripts, which have neither prompts nor settings of "
            f"single calls: the prompts in these logs are rebuilt.\n\n{listed(names)}",
            "info",
        )


def transcripts_table(logs: Sequence[Log]) -> Table | None:
    """What the import counted in the transcripts; None without any."""
    rebuilt = [log for log in logs if is_rebuilt(log)]
    names = [title(str(log.metadata["protocol"])) for log in rebuilt]
    if len(set(names)) < len(names):
        names = [log.path.name for log in rebuilt]
    counts = {
        name: {
            key: n
            for key, n in (log.metadata.get("import") or {}).items()
            if isinstance(n, int)
        }
        for name, log in zip(names, rebuilt, strict=True)
    }
    if not any(counts.values()):
        return None
    frame = pd.DataFrame(counts)
    words = [str(key).replace("_", " ") for key in frame.index]
    frame.insert(0, "What was found", words)
    return Table(
        name="transcripts",
        title="What is in the transcripts",
        frame=frame.reset_index(drop=True),
        note="Zeros are bets of 0: missing ones were not made. Placeholder reasonings "
        "are “NA”, and the like; repeated debates are of the same models and motion.",
    )


# What must be read before the numbers.


def missing_notices(bets: pd.DataFrame) -> Iterator[Notice]:
    """Bets that were not made.

    Args:
        bets: As from `bets_of`.
    """
    lines = []
    for condition, part in by_condition(bets).items():
        missing = part[part["bet"].isna()]
        numbers = sorted({f"{n:g}" for n in missing["recorded"].dropna()})
        instead = f"; in their place the data have {', '.join(numbers)}"
        if len(missing):
            line = f"{title(condition)}: {len(missing)} of {len(part)} bets"
            lines.append(line + (instead if numbers else ""))
    if lines:
        yield Notice(
            "Some bets were not made. They are left out, but for the paper's own "
            "tables, which count what the data have in their place as a bet."
            f"\n\n{listed(lines)}"
        )


def text_notices(debates: pd.DataFrame) -> Iterator[Notice]:
    """Speeches that speak of bets, which in private debates nobody should read."""
    parts = by_condition(debates[debates["scored"]], "condition")
    left, cut = (
        [
            f"{title(condition)}: {n:.0f} speech{'' if n == 1 else 'es'}"
            for condition, part in parts.items()
            if (n := part[f"bets.bet_text_{which}"].sum())
        ]
        for which in ("left", "stripped")
    )
    if left:
        yield Notice(
            "Speeches that others read still speak of bets, so that these were not "
            f"private.\n\n{listed(left)}"
        )
    if cut:
        yield Notice(
            "Some debaters spoke of bets outside the tags. Here this is cut before "
            "others read a speech; in released transcripts the other side and the jury "
            f"read it.\n\n{listed(cut)}",
            "info",
        )


def jury_notices(verdicts: pd.DataFrame, bets: pd.DataFrame) -> Iterator[Notice]:
    """Ties, verdicts that are missing, and judges that debate as well.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`.
    """
    lines = [
        f"{title(condition)}: {line}"
        for condition, own in by_condition(verdicts).items()
        for line in _ties(own)
    ]
    if lines:
        yield Notice(
            "A tie counts for neither side, and is left out where bets are compared "
            f"with the jury's decision.\n\n{listed(lines)}"
        )
    judged = judged_debates(verdicts, bets)
    if both := sorted(set(judged.loc[judged["on_itself"], "judge"])):
        yield Notice(
            f"Judges that are debaters, too: {', '.join(both)}. The table of judges "
            "has how often they voted for themselves.",
            "info",
        )


def _ties(verdicts: pd.DataFrame) -> Iterator[str]:
    decided = decisions(verdicts)
    tied, even = ((decided[rule] == TIE).sum() for rule in ("by_sum", "by_majority"))
    if tied or even:
        yield (
            f"of {len(decided)} debates {tied} tied in the sum of confidences, {even} "
            "in the number of verdicts"
        )
    votes = seats(verdicts).notna()
    given, most = votes.sum(axis=1), votes.shape[1]
    if fewer := int((given < most).sum()):
        yield f"{fewer} of {len(given)} debates have fewer than {most} verdicts"


def confound_notices(debates: pd.DataFrame) -> Iterator[Notice]:
    """What keeps conditions from being compared by their names alone.

    Args:
        debates: As `Grouped.frame` from `conditions`.
    """
    parts = by_condition(debates[debates["scored"]], "condition")
    shown: dict[bool, list[str]] = {True: [], False: []}
    for condition, part in parts.items():
        shown[part.iloc[0]["parameters"]["own_bets_shown"]].append(title(condition))
    if all(shown.values()):
        lines = [f"Shown: {'; '.join(shown[True])}"]
        lines.append(f"Not shown: {'; '.join(shown[False])}")
        yield Notice(
            "Conditions differ in whether debaters are shown their own earlier bets "
            "and reasoning again. What else differs between them, above all how bets "
            f"rise, may be due to that.\n\n{listed(lines)}"
        )
    motions = {c: frozenset(part["motion"]) for c, part in parts.items()}
    if len(set(motions.values())) > 1:
        lines = [f"{title(c)}: {len(found)}" for c, found in motions.items()]
        yield Notice(
            "Conditions are not on the same motions, which is part of their "
            f"differences. Numbers of motions:\n\n{listed(lines)}"
        )


_REUSED = (
    "If that run is among these logs, too, its debates count twice in what is graded "
    "or stated over all conditions."
)
STAGES = {
    "bets.bets": "Bets",
    "jury.verdicts": "Verdicts",
    f"{SCORER}.assessment": "Grades",
}
"""What is asked for, as readers see it."""


def sanity_parts(debates: pd.DataFrame) -> list[Condition]:
    """The conditions, for the pages on whether runs can be trusted.

    Args:
        debates: As `Grouped.frame` from `conditions`.
    """
    graded = f"{SCORER}.graded"
    if graded in debates:  # under the name that other counts have
        debates = debates.assign(**{f"{SCORER}.assessment_ok": debates[graded]})
    return [
        Condition(
            named={CONDITION: title(condition)},
            samples=part,
            item="motion",
            told={
                "Debaters": len(
                    {
                        model_name(model)
                        for sides in part["sides"].dropna()
                        for model in sides.values()
                    }
                )
            },
        )
        for condition, part in by_condition(debates, "condition").items()
    ]


def notices(data: Data) -> Iterator[Notice]:
    """All notices, the gravest first."""
    names = {c: title(c) for c in data.grouped.frame["condition"].unique()}
    yield from run_notices(data.logs)
    yield from sample_notices(data.grouped, names)
    yield from missing_notices(data.bets)
    yield from unread_notices(sanity_parts(data.debates), STAGES)
    yield from confound_notices(data.debates)
    yield from jury_notices(data.verdicts, data.judged)
    yield from text_notices(data.debates)
    yield from call_notices(data.records.calls)
    yield from reuse_notices(data.grouped.frame, names, _REUSED)
    yield from transcript_notices(data.logs)


# Whether the runs can be trusted, how to repeat them, and which are missing.

TEXTS = View[Data](
    "texts",
    "Speeches with text on bets, and short ones",
    lambda data: data.debates[data.debates["scored"]],
    {CONDITION: "title"},
    [
        Measure("Speak of bets", total("bets.bet_text_stripped"), COUNT),
        Measure("Still do when shown", total("bets.bet_text_left"), COUNT),
        Measure("Short", total("bets.short_speeches"), COUNT),
        Measure("Asked again", total("bets.reasks"), COUNT),
    ],
    note="Text on bets outside the tags is cut before others read a speech; what still "
    "speaks of bets then is counted, too. Short: below 200 characters; asked again: "
    "completions that were replaced.",
)

COMMAND = "inspect eval inspect_debate/confidence"
_POOL = "--model none --model-role debater_a=M1,M2,M3"
_JUDGED = (
    f"`{COMMAND} -T reuse=LOG -T jury_passes=2 --model none --model-role judge=J1,J2`"
)
_GRADED = (
    "`inspect score LOG --scorer inspect_debate/bet_alignment --action append "
    "--model-role grader=G`"
)


def _sanity(data: Data) -> Section:
    own = [*TEXTS(data), transcripts_table(data.logs)]
    return sanity_section(sanity_parts(data.debates), STAGES, data.records.calls, own)


def _provenance(data: Data) -> Section:
    names = {c: title(c) for c in data.grouped.runs["condition"]}
    imports = [
        "inspect-debate import llms-overconfidence "
        f"{log.metadata['data'].get('folder', 'DIR')} --out LOGDIR"
        for log in data.logs
        if is_rebuilt(log)
    ]
    ran = commands([log for log in data.logs if not is_rebuilt(log)])
    again = list(dict.fromkeys([*imports, *ran]))
    return provenance_section(data.logs, runs_of(data.grouped, names), again=again)


def _absent(data: Data) -> str:
    here = set(data.bets["condition"].map(protocol_of))
    lines = [
        f"{COMMAND} -T protocol={protocol} {_POOL}"
        for protocol in PROTOCOLS
        if protocol not in here
    ]
    what = (
        "The study's conditions that these logs do not have, with what runs them. "
        "Below is what the paper prints of them."
    )
    return command_list(what, lines)


def _summary(data: Data) -> str:
    bets = data.bets
    counts = {
        "condition": bets["condition"].nunique(),
        "debate": len(bets.drop_duplicates(DEBATE)),
        "model": bets["model"].nunique(),
        "log": len(data.logs),
    }
    found = ", ".join(counted(count, what) for what, count in counts.items())
    return (
        f"{found}. A condition is a preset of the study with its parameters, prompts "
        "and jury, whoever debates; after its name is what differs from other runs of "
        "the preset. Bets are in percent."
    )


REPORT = StudyReport[Data](
    study=STUDY,
    title="Confidence: two sides that are both sure of winning",
    source="When Two LLMs Debate, Both Think They'll Win (arXiv 2505.19184)",
    read=read_data,
    summary=_summary,
    notices=notices,
    parts=[
        Part(
            "Beside the paper",
            [cells_table, differences_table],
            "Every table of the paper for which these logs have debates, cell by cell.",
            "The paper has no cell about these debates: other models debated.",
        ),
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
            [paper("table_4"), closing_figure, EXCESS],
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
        Part(
            "Who debated, and what it took (Tables 5 and 6)",
            [paper("table_5|seats_.*", ".*"), paper("table_6"), SPENT],
        ),
        Part(
            "The jury (Appendix D)",
            [paper("appendix_d.*"), JURY_RULES, JUDGES, AGREEMENT, MOTIONS],
            otherwise="No debate was judged; what is needed, with the logs in place of "
            f"LOG:\n\n- {_JUDGED}",
        ),
        Part(
            "Calibration",
            [calibration_figure, CALIBRATION, CALIBRATION_MODELS],
            "Bets taken as chances of winning. A jury's decision is not the truth "
            "about a debate; in debates with oneself the chance of one half is.",
            "Bets can be compared with a jury's decision, or in debates with oneself "
            "with the chance of one half. There is neither; what is needed:"
            f"\n\n- {_JUDGED}",
        ),
        Part(
            "Four rounds (Appendix O)",
            [lambda data: paper("appendix_o.*")(data)],
            otherwise="No debates of four rounds are among these logs.",
        ),
        Part(
            "Conditions that are not here",
            [lambda data: [t.table(folded=True) for t in printed_tables(data.bets)]],
            _absent,
        ),
        Part(
            "Strategic bets to read",
            [strategic_cases],
            "For the links, start `inspect view --log-dir FOLDER` with the folder of "
            "the logs; they open the sample's scores. Without it, open the log that is "
            "named and search for the sample.",
            "None was found, or no grader looked.",
        ),
        _sanity,
        _provenance,
    ],
    main=(
        Main(
            *("openings", "Mean", "Bets"),
            "{Condition}: bets before the debate differ by {value} from the 50 % that "
            "one of two equal sides has.",
            SIGNED,
            " points",
            "bets",
            baseline=EVEN,
        ),
    ),
    figure=("figure_rounds", "figure_openings"),
)
"""The report on runs of the confidence study, or on its released transcripts."""
