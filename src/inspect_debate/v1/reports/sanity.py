"""The section Sanity of every report: whether its runs can be trusted."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from inspect_debate.v1.reports.calls import Calls, bill_table, served_table
from inspect_debate.v1.reports.conditions import ConditionSamples, group_of
from inspect_debate.v1.reports.elements import (
    COUNT,
    PERCENT,
    Notice,
    Section,
    Table,
    known_columns,
    listed,
    section_of,
)
from inspect_debate.v1.reports.estimates import Estimate, clusters, ratio, share

_FIRST, _AGREE = "For the first", "Both orders agree"


def sanity_section(
    parts: Sequence[ConditionSamples],
    stages: Mapping[str, str],
    calls: Calls,
) -> Section:
    """Samples, what could not be read, order effects, models served, and the bill.

    Args:
        parts: The conditions.
        stages: As in `unread_table`.
        calls: What the calls say.
    """
    items = [
        samples_table(parts),
        unread_table(parts, stages),
        order_table(parts),
        served_table(calls),
        bill_table(parts, calls),
    ]
    return section_of("Sanity", "", items)


def samples_table(parts: Sequence[ConditionSamples]) -> Table:
    """How many samples each condition has, and what became of them."""
    table = Table(
        name="samples",
        title="Samples",
        frame=pd.DataFrame([_samples(part) for part in parts]),
        groups=group_of(parts),
        note="Items of one group are not independent, such as several questions on "
        "one passage. Failed samples ended by an error; they are also among those that "
        "were not scored.",
    )
    return known_columns(table)


def order_table(parts: Sequence[ConditionSamples]) -> Table | None:
    """Whether verdicts depend on who is shown first; None without such verdicts.

    Args:
        parts: The conditions; their samples have the counts `verdict_ok` and
            `shown_first` of readable verdicts and of those for the answer shown first,
            and may have `orders_agree`, 1 where a verdict in either order says the
            same, else 0.
    """
    rows = [
        {
            **part.named,
            "Verdicts": scored["verdict_ok"].sum(),
            **ratio(scored, "shown_first", "verdict_ok").columns(_FIRST),
            **_agreement(scored).columns(_AGREE),
        }
        for part in parts
        if "shown_first" in (scored := part.scored)
        and scored["shown_first"].notna().any()
        and total(scored, "verdict_ok")
    ]
    if not rows:
        return None
    table = Table(
        name="orders",
        title="Order effects",
        frame=pd.DataFrame(rows),
        groups=group_of(parts),
        formats={"Verdicts": COUNT, _FIRST: PERCENT, _AGREE: PERCENT},
        note="For the first: readable verdicts for the answer that the judge saw "
        "first, in percent. Both orders agree: judged samples on which both gave "
        "the same readable verdict; only where `order=both`.",
    )
    return known_columns(table)


def _samples(part: ConditionSamples) -> dict[str, object]:
    samples = part.samples
    return {
        **part.named,
        "Samples": len(samples),
        "Items": samples[part.item].nunique(),
        "Groups": _groups(samples),
        "Epochs": samples["epoch"].nunique(),
        "Failed": int(samples["error"].notna().sum()),
        "Stopped by a limit": int(samples["limit"].notna().sum()),
        "Not scored": len(samples) - len(part.scored),
        "No outcome": part.unknown,
        **part.told,
        "Logs": samples["run"].nunique(),
    }


def _agreement(scored: pd.DataFrame) -> Estimate:
    if "orders_agree" not in scored:
        return Estimate(math.nan, math.nan, math.nan)
    return share(scored, "orders_agree")


def _groups(samples: pd.DataFrame) -> int | None:
    if "input_group" not in samples or samples["input_group"].isna().all():
        return None
    return clusters(samples).nunique()


# What could not be read of what was asked for, stage by stage.

STATUSES = {
    "unparsed": "Unreadable",
    "refused": "Refused",
    "truncated": "Cut off",
    "capped": "Too long",
    "missing": "Missing",
}
"""Why something could not be read, as readers see it."""

STAGES = {
    "answer": "First answers",
    "update": "Updates",
    "speech": "Speeches",
    "final": "Final lines",
    "confidence": "Confidence lines",
    "verdict": "Verdicts",
    "judge_question": "Judges' questions",
    "ready": "Lines of judges on being ready",
}
"""What the scorer `debate_process` counts, as readers see it."""

LIMIT = 0.1
"""Share of what is missing over which a report says so first."""


def unread_table(
    parts: Sequence[ConditionSamples], stages: Mapping[str, str]
) -> Table | None:
    """What could not be read, by condition and stage; None where everything could.

    Args:
        parts: The conditions.
        stages: What readers call the stages that the samples' counts are of.
    """
    lost = [row for row in _rows(parts, stages) if any(map(row.get, STATUSES.values()))]
    if not lost:
        return None
    return Table(
        name="statuses",
        title="What could not be read",
        frame=pd.DataFrame(lost),
        groups=group_of(parts),
        formats={"Asked for": COUNT, **dict.fromkeys(STATUSES.values(), PERCENT)},
        note="Percent of what was asked for, after asking again. All else was read.",
    )


def unread_notices(
    parts: Sequence[ConditionSamples],
    stages: Mapping[str, str],
    also: Iterable[str] = (),
) -> Iterator[Notice]:
    """Whatever is missing too often: what could not be read, and outcomes.

    Args:
        parts: The conditions.
        stages: As in `unread_table`.
        also: What else of a study is missing too often, a line each.
    """
    over = [
        f"{share:.0%} of the {stage.lower()} {status.lower()}: {part.name}"
        for part in parts
        for stage, _, shares in unread_shares(part.samples, stages)
        for status, share in shares.items()
        if share > LIMIT
    ]
    over += [
        f"{share:.0%} of the samples without an outcome: {part.name}"
        for part in parts
        if (share := (part.unknown or 0) / max(len(part.scored), 1)) > LIMIT
    ]
    if over := [*over, *also]:
        yield Notice(
            f"More than {LIMIT:.0%} is missing, so what is left may be no fair sample."
            f"\n\n{listed(over)}"
        )


def unread_shares(
    samples: pd.DataFrame, stages: Mapping[str, str]
) -> Iterator[tuple[str, float, dict[str, float]]]:
    """Shares of what was asked for that could not be read, by stage.

    Args:
        samples: Rows with counts `<stage>_<status>`, and `<stage>_ok` of the rest.
        stages: What readers call the stages.

    Yields:
        The stage, how often something was asked for, and the share under each name of
        `STATUSES`; of stages in which something was asked for.
    """
    for stage, name in stages.items():
        counts = {s: total(samples, f"{stage}_{s}") for s in ("ok", *STATUSES)}
        if asked := sum(counts.values()):
            shares = {told: counts[s] / asked for s, told in STATUSES.items()}
            yield name, asked, shares


def total(samples: pd.DataFrame, column: str) -> float:
    """The sum of a column; 0 where there is none."""
    return float(samples[column].sum()) if column in samples else 0.0


def _rows(
    parts: Sequence[ConditionSamples], stages: Mapping[str, str]
) -> Iterator[dict[str, object]]:
    for part in parts:
        for stage, asked, shares in unread_shares(part.samples, stages):
            yield {**part.named, "Stage": stage, "Asked for": asked, **shares}
