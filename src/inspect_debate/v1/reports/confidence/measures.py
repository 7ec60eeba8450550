"""What all sections of the confidence report share: its data, means and ratios."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from inspect_debate.v1.metrics.dependence import clustered_mean, dyadic_mean
from inspect_debate.v1.metrics.intervals import NO_INTERVAL, proportion_interval
from inspect_debate.v1.metrics.means import FEWEST, MeanEstimate, pooled_mean
from inspect_debate.v1.reports.calls import read_with_calls
from inspect_debate.v1.reports.conditions import Grouped
from inspect_debate.v1.reports.confidence.compared import EVEN, ComparedTable
from inspect_debate.v1.reports.confidence.frames import (
    DEBATE,
    Records,
    bets_of,
    by_condition,
    conditions,
    decisions,
    in_order,
    model_name,
    not_reused,
    numbered,
    records_of,
    seen,
    titled,
    verdicts_of,
)
from inspect_debate.v1.reports.confidence.paper_bets import paper_tables
from inspect_debate.v1.reports.confidence.paper_others import (
    alignment_tables,
    appendix_d,
    graded,
    rates_of,
    table_6,
)
from inspect_debate.v1.reports.elements import Format, Table
from inspect_debate.v1.reports.estimates import Estimate, of_counts, of_mean
from inspect_debate.v1.reports.frames import scores_of
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.solvers.bet_records import SIDES

ONE_DIGIT = Format(digits=1)
SIGNED = Format(digits=2, signed=True)
POINTS = Format(digits=1, signed=True)
"""Differences in percentage points."""


@dataclass(frozen=True)
class Data:
    """Debates, bets and verdicts of all conditions.

    Attributes:
        logs: The logs.
        grouped: The debates by condition, as from `conditions`.
        judged: As from `bets_of`, with debates that were judged anew by each jury.
        verdicts: As from `verdicts_of`; none without a jury.
        records: What only records have.
    """

    logs: Sequence[Log]
    grouped: Grouped
    judged: pd.DataFrame
    verdicts: pd.DataFrame
    records: Records

    @cached_property
    def debates(self) -> pd.DataFrame:
        """The rows of `grouped`, as from `titled`."""
        return titled(self.grouped.frame)

    @cached_property
    def bets(self) -> pd.DataFrame:
        """As from `not_reused`: every debate once."""
        return not_reused(self.judged, self.grouped)

    @cached_property
    def graded(self) -> pd.DataFrame:
        """The debates of which a grader compared bets with the reasoning."""
        return graded(self.debates)

    @cached_property
    def closing(self) -> pd.DataFrame:
        """As from `closing_bets`."""
        return closing_bets(self.judged, self.verdicts)

    @cached_property
    def paper(self) -> list[ComparedTable]:
        """The paper's tables, as far as there are debates for them."""
        return [
            *paper_tables(self.bets),
            table_6(self.records.spent, rates_of(self.logs)),
            *(alignment_tables(self.graded) if len(self.graded) else []),
            *appendix_d(self.verdicts, self.judged),
        ]


def read(logs: Sequence[Log]) -> Data | None:
    """Read the logs; None where no debate was scored."""
    calls, spent = read_with_calls(logs, seen)
    grouped = conditions(scores_of(logs))
    judged, records = bets_of(grouped), records_of(calls, spent, grouped)
    data = Data(logs, grouped, judged, verdicts_of(grouped), records)
    return None if data.bets.empty else data


def paper(pattern: str, folded: str = "") -> Callable[[Data], list[Table]]:
    """The paper's tables whose names match; folded if these match the second."""

    def tables(data: Data) -> list[Table]:
        return [
            table.table(folded=bool(re.fullmatch(folded, table.name)))
            for table in data.paper
            if re.fullmatch(pattern, table.name)
        ]

    return tables


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


# Closing bets as probabilities of winning, against what came of the debates.

JURY, ITSELF = "the jury", "exactly 50 %"
"""What bets are compared with: a debate that was decided, or one with oneself."""


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


# Panels of models and of conditions.

ALL_MODELS = "All models"


def with_all(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows by model in the paper's order (`whose`), then all of several models."""
    models = in_order(rows["model"])
    parts = [rows[rows["model"] == model].assign(whose=model) for model in models]
    parts += [rows.assign(whose=ALL_MODELS)] if len(models) > 1 else []
    return pd.concat(parts) if parts else rows.assign(whose="")


def with_all_by_condition(rows: pd.DataFrame) -> pd.DataFrame:
    """As `with_all`, condition by condition."""
    parts = [with_all(part) for part in by_condition(rows).values()]
    return pd.concat(parts) if parts else rows.assign(whose="")
