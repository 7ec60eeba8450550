"""The share of the gap between a judge and debaters that protocols recover, as a table.

Which conditions are put together is up to each study's report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from inspect_debate.metrics.dependence import clustered_mean
from inspect_debate.metrics.endorsement import endorsement_rate
from inspect_debate.metrics.gain import recovered
from inspect_debate.reports.elements import COUNT, PERCENT, POINTS, Column
from inspect_debate.reports.estimates import Estimate, clusters, of_mean
from inspect_debate.reports.views import Rows

GAP = ["protocol", "alone", "debaters"]
"""The columns of `Gap.rows` that are numbers from 0 to 1."""


class Gap(NamedTuple):
    """A protocol beside its judge alone and its debaters alone, on the same samples.

    Attributes:
        named: The first cells of its row.
        rows: Per sample how right the outcome of the `protocol`, the judge `alone` and
            the `debaters` are, and its `cluster`; perhaps also its `n_wrong` wrong
            answers, of which `fp` are called correct.
    """

    named: Mapping[str, str]
    rows: pd.DataFrame


FIRST = ["first_right_debater_a", "first_right_debater_b"]
_KEY = ["id", "epoch"]


def gap_of(
    named: Mapping[str, str],
    rows: pd.DataFrame,
    alone: pd.DataFrame,
    answers: Sequence[pd.DataFrame] = (),
) -> Gap:
    """The gap of a protocol that answers questions.

    Args:
        named: As `Gap.named`.
        rows: The protocol's samples, with `correct`, and the debaters' first answers
            where they gave any.
        alone: Those of its judge alone.
        answers: Those of its debaters alone, which count where it has no first answers.
    """
    found = rows[[*_KEY, "correct"]].assign(
        cluster=clusters(rows), first=rows.reindex(columns=FIRST).mean(axis=1)
    )
    own = {"alone": [alone], "debaters": answers}
    for name, given in own.items():
        if given:
            means = pd.concat(given).groupby(_KEY)["correct"].mean().rename(name)
            found = found.merge(means.reset_index(), on=_KEY, how="left")
    if found["first"].notna().any() or not answers:
        found["debaters"] = found["first"]
    return Gap(named, found.rename(columns={"correct": "protocol"}))


def recovered_rows(gaps: Iterable[Gap]) -> Iterator[dict[Column, object]]:
    """A row for each protocol that has a sample with all three values."""
    for named, every in gaps:
        rows = every.dropna(subset=GAP)
        if rows.empty:
            continue
        protocol, alone, debaters = (rows[name] for name in GAP)
        of = rows["cluster"].tolist()
        found = recovered(protocol, alone, debaters, of)
        row: dict[Column, object] = {
            **{column: name for column, name in named.items()},
            "Judge alone": alone.mean(),
            "Debaters": debaters.mean(),
            # Student's interval, as that of the share has it.
            "Gap": of_mean(clustered_mean(debaters - alone, of)),
            "Outcome": protocol.mean(),
            "Gain": of_mean(clustered_mean(protocol - alone, of)),
            "Gap recovered": Estimate(*found[:3]),
            "Why no share": found.reason or None,
            "Samples": len(rows),
        }
        if "n_wrong" in rows:
            rate = endorsement_rate(rows["fp"], rows["n_wrong"], of)
            row["FPR"] = Estimate(*rate[:3])
        yield row


NOTE = (
    "Accuracies in percent; gap (debaters less judge alone) and gain (outcome less "
    "judge alone) in percentage points, on the samples that all three have. The share "
    "of the gap that is recovered has Fieller's 95 % interval, clustered by question; "
    "there is none where the gap's own interval includes 0."
)


OWN_ANSWERS = (
    "Debaters: the mean accuracy of their first answers, or else of their answers in "
    "conditions without a debate. Judge alone: the same judge without speeches."
)


def recovered_view(groups: Column, note: str = "") -> Rows[Iterable[Gap]]:
    """The table of what protocols recover.

    Args:
        groups: The first of the columns in `Gap.named`.
        note: What the three accuracies are.
    """
    percents = ["Judge alone", "Debaters", "Outcome", "Gap recovered", "FPR"]
    return Rows(
        "recovered",
        "The gap between the judge and the debaters that a protocol recovers",
        recovered_rows,
        {
            **dict.fromkeys(percents, PERCENT),
            **dict.fromkeys(["Gap", "Gain"], POINTS),
            "Samples": COUNT,
        },
        groups=groups,
        note=f"{NOTE} {note}".strip(),
        known_only=True,
    )
