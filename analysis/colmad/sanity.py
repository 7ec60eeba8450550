"""Whether the runs can be trusted: statuses, order effects, models, samples."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.analysis.colmad.arms import Arm
from inspect_debate.analysis.colmad.study import DEBATES
from inspect_debate.analysis.estimates import ratio, share
from inspect_debate.analysis.reporting.elements import Notice, Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT
from inspect_debate.analysis.reporting.prose import listed

STAGES = {
    "answer": "First answers",
    "update": "Updates",
    "speech": "Speeches",
    "final": "Final lines",
    "confidence": "Confidence lines",
    "verdict": "Verdicts",
}
STATUSES = {"unparsed": "Unreadable", "refused": "Refused", "truncated": "Cut off"}
LIMIT = 0.1
"""Share of a status over which a report says so first."""


def status_table(arms: Sequence[Arm]) -> Table | None:
    """What could not be read, by arm and stage; None where everything could."""
    rows = [row for arm in arms for row in _statuses(arm) if _lost(row)]
    if not rows:
        return None
    return Table(
        name="statuses",
        title="What could not be read, by stage",
        frame=pd.DataFrame(rows),
        groups="Arm",
        formats={"Asked for": COUNT, **dict.fromkeys(STATUSES.values(), PERCENT)},
        note="Percent of what was asked for at that stage, after re-asking. All else "
        "could be read.",
    )


def sample_table(arms: Sequence[Arm]) -> Table:
    """How many samples each arm has, and what became of them."""
    rows = [
        {
            "Protocol": arm.title,
            "Models": arm.models,
            "Samples": len(arm.samples),
            "Items": arm.samples["id"].nunique(),
            "Epochs": arm.samples["epoch"].nunique(),
            "Failed": int(arm.samples["error"].notna().sum()),
            "Stopped by a limit": int(arm.samples["limit"].notna().sum()),
            "Not scored": int((~arm.samples["scored"]).sum()),
            "No prediction": int(arm.rows["prediction"].isna().sum()),
        }
        for arm in arms
    ]
    return Table("samples", "Samples", pd.DataFrame(rows))


def order_table(arms: Sequence[Arm]) -> Table | None:
    """Whether verdicts depend on who is shown first; None without verdicts."""
    judged = [arm for arm in arms if _sum(arm.rows, "verdict_ok") > 0]
    if not judged:
        return None
    rows = []
    for arm in judged:
        row: dict[str, Any] = {
            "Protocol": arm.title,
            "Models": arm.models,
            "Verdicts": arm.rows["verdict_ok"].sum(),
        }
        row |= ratio(arm.rows, "shown_first", "verdict_ok").columns("For the first")
        row |= share(_agreement(arm.rows), "agree").columns("Both orders agree")
        rows.append(row)
    return Table(
        name="orders",
        title="Order effects",
        frame=pd.DataFrame(rows),
        formats={
            "Verdicts": COUNT,
            "For the first": PERCENT,
            "Both orders agree": PERCENT,
        },
        note="For the first: readable verdicts for the answer that the judge saw "
        "first, in percent. Both orders agree: judged samples on which both gave "
        "the same readable prediction; only where `order=both`.",
    )


def status_notices(arms: Sequence[Arm]) -> Iterator[Notice]:
    """What is over `LIMIT`: statuses of a stage, and samples without a prediction."""
    over = [
        f"{row[words]:.0%} of the {row['Stage'].lower()} {words.lower()}: {arm.name}"
        for arm in arms
        for row in _statuses(arm)
        for words in STATUSES.values()
        if row[words] > LIMIT
    ]
    missing = {arm.name: arm.rows["prediction"].isna().mean() for arm in arms}
    over += [
        f"{share:.0%} of samples without a prediction: {name}"
        for name, share in missing.items()
        if share > LIMIT
    ]
    if over:
        yield Notice(
            f"More than {LIMIT:.0%} is missing, so what is left may be no fair sample."
            f"\n\n{listed(over)}"
        )


def debate_notices(arms: Sequence[Arm]) -> Iterator[Notice]:
    """Debated shares, and judges that are a debater."""
    debates = [arm for arm in arms if arm.protocol in DEBATES]
    for arm in debates:
        if arm.debater_a is not None and arm.debater_a == arm.debater_b:
            yield Notice(f"{arm.name}: one model debates itself.")
    held = [
        f"{arm.rows['debated'].mean():.0%} {arm.name}"
        for arm in debates
        if arm.rounds and len(arm.rows)
    ]
    if held:
        yield Notice(
            "Share of samples that were debated; on the others the outcome is the "
            f"answer that both debaters gave at first.\n\n{listed(held)}",
            "info",
        )
    judges = [a.name for a in debates if set((a.judge or "").split(", ")) & a.debaters]
    if judges:
        yield Notice(
            f"The judge is also a debater, as in the paper.\n\n{listed(judges)}",
            "info",
        )


def reuse_notices(arms: Sequence[Arm]) -> Iterator[Notice]:
    """Arms whose answers or debates are those of an earlier run."""
    again = [
        f"{calls:.1f} calls per sample: {arm.name}"
        for arm in arms
        if (calls := _sum(arm.rows, "reused_calls") / max(len(arm.rows), 1))
    ]
    if again:
        yield Notice(
            "First answers or debates of an earlier run were used again. What they "
            "cost is not in the calls, tokens and prices of these arms.\n\n"
            f"{listed(again)}",
            "info",
        )


def sample_notices(arms: Sequence[Arm]) -> Iterator[Notice]:
    """Samples without a score for no reason that the log tells, and different items.

    Errors and limits are told by `arms`.
    """
    for arm in arms:
        samples = arm.samples
        told = samples["error"].notna() | samples["limit"].notna()
        if lost := int((~samples["scored"] & ~told).sum()):
            yield Notice(
                f"{arm.name}: {lost} of {len(samples)} samples have no score, though "
                "neither an error nor a limit ended them."
            )
    items = [frozenset(arm.samples["id"]) for arm in arms]
    if len(set(items)) > 1:
        first_of_size: dict[int, frozenset[str]] = {}
        sizes = [
            f"{len(ids)} {_items(ids, first_of_size)}: {arm.name}"
            for arm, ids in zip(arms, items, strict=True)
        ]
        yield Notice(
            "The arms are not on the same items: only the paired comparisons, which "
            "take those that both have, hold one against the other."
            f"\n\n{listed(sizes)}"
        )


def _items(ids: frozenset[str], first_of_size: dict[int, frozenset[str]]) -> str:
    same = first_of_size.setdefault(len(ids), ids) == ids
    return "items" if same else "other items (seed or --limit differ)"


def _statuses(arm: Arm) -> Iterator[dict[str, Any]]:
    for stage, words in STAGES.items():
        counts = {s: _sum(arm.rows, f"{stage}_{s}") for s in ("ok", *STATUSES)}
        asked = sum(counts.values())
        if asked:
            yield {
                "Arm": arm.name,
                "Stage": words,
                "Asked for": asked,
                **{name: counts[key] / asked for key, name in STATUSES.items()},
            }


def _lost(row: Mapping[str, Any]) -> bool:
    return any(row[words] > 0 for words in STATUSES.values())


def _sum(rows: pd.DataFrame, column: str) -> float:
    return float(rows[column].sum()) if column in rows else 0.0


def _agreement(rows: pd.DataFrame) -> pd.DataFrame:
    if "prediction_ab" not in rows:
        return rows.assign(agree=np.nan)
    ab, ba = rows["prediction_ab"], rows["prediction_ba"]
    both = (rows["verdicts"] > 0) & ab.notna() & ba.notna()
    return rows.assign(agree=(ab == ba).astype(float).where(both))
