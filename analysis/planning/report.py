"""The estimate of a run, and what must be known to read it."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from inspect_debate.analysis.debates import read_samples
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.planning.prediction import Prediction
from inspect_debate.analysis.planning.spent import Spent, spent
from inspect_debate.analysis.planning.tables import (
    Pace,
    Seen,
    actual_table,
    power_table,
    role_table,
    run_table,
)
from inspect_debate.analysis.reporting.report import (
    PERCENT,
    Notice,
    Report,
    Section,
)
from inspect_debate.core.measures.agreement import Share
from inspect_debate.core.outcome import outcome


class Planned(NamedTuple):
    """A run as it is planned: its task, and how many items it has how often."""

    task: str
    items: int
    epochs: int


def estimate_report(
    planned: Planned,
    prediction: Prediction,
    shown: Spent,
    rehearsal: Sequence[Log],
    pace: Pace,
    actual: Sequence[Log] = (),
) -> Report:
    """The estimate of a run.

    Args:
        planned: The run.
        prediction: What it takes.
        shown: The rehearsal, from which that was predicted.
        rehearsal: The logs of the rehearsal.
        pace: How fast calls are answered.
        actual: The logs of the run itself, if it is over.

    Raises:
        InputError: If the logs of the run have no complete record of a debate.
    """
    sections = [
        Section(
            "Cost",
            _size(planned, prediction),
            [run_table(prediction, pace), role_table(prediction)],
        ),
        Section(
            "Power",
            items=[power_table(planned.items, changed(rehearsal))],
        ),
    ]
    notices = [*_notices(prediction, shown)]
    if actual:
        run = spent(actual)
        table = actual_table(prediction, run, pace, _minutes(actual))
        sections.insert(0, Section("Afterwards", items=[table]))
        if len(run.debates) != prediction.samples:
            notices.append(
                f"The run has {len(run.debates)} complete debates, and not "
                f"{prediction.samples} as estimated."
            )
    return Report(
        f"Estimate of {planned.task}",
        f"From {len(shown.debates)} of {planned.items} items.",
        notices=[Notice(text) for text in notices],
        sections=sections,
    )


def changed(logs: Sequence[Log]) -> Seen:
    """How many debates ended with another answer than debater A's first.

    Between two possible answers their share is the discordance of debater A alone and
    the debate. Only questions with choices count, where both could be read.
    """
    pairs = []
    for log in logs:
        for _, _, record in read_samples(log):
            if record is None or not record.complete or record.reused_from:
                continue
            answers = [
                turn.field("answer").value
                for turn in record.of_kind("answer")
                if turn.participant == "debater_a" and turn.draw <= 1
            ]
            decided = outcome(record).answer
            if decided in record.choices and {*answers} & {*record.choices}:
                pairs.append(decided != answers[0])
    return Seen(sum(pairs), len(pairs))


def _minutes(logs: Sequence[Log]) -> float:
    """The wall time of runs, one after the other."""
    stats = [log.header.stats for log in logs]
    times = [
        datetime.fromisoformat(s.completed_at) - datetime.fromisoformat(s.started_at)
        for s in stats
        if s.completed_at and s.started_at
    ]
    return sum(time.total_seconds() for time in times) / 60


def _size(planned: Planned, prediction: Prediction) -> str:
    times = f", {planned.epochs} times each" if planned.epochs > 1 else ""
    fewest, most = prediction.calls
    skipped = prediction.depth_skipped
    ended = "" if skipped is None else f", or {skipped} where the answers end it"
    debated = "" if prediction.certain else "all are debated and "
    again = prediction.asked_again
    parts = [
        f"{prediction.samples} samples: {planned.items} items{times}.",
        f"{fewest:,.0f} to {most:,.0f} calls: the most if {debated}"
        f"{PERCENT(again.high)} % of what is asked has to be asked again; in the "
        f"rehearsal {_told(again)} turns had to.",
        f"Calls one after the other in a sample: {prediction.depth}{ended}.",
    ]
    if not prediction.certain:
        parts.append(
            "How many samples are debated is not known; of those in the rehearsal "
            f"{_told(prediction.share)} were, an interval that is `low` and `high` "
            "below."
        )
    return "\n".join(f"- {part}" for part in parts)


def _told(share: Share) -> str:
    low, high = PERCENT(share.low), PERCENT(share.high)
    return f"{share.value * share.n:.0f} of {share.n} ({low} to {high} %)"


def _notices(prediction: Prediction, shown: Spent) -> Iterator[str]:
    if shown.left:
        yield (
            f"{shown.left} samples of the rehearsal have no complete debate and are "
            "left out."
        )
    if prediction.debated is None:
        yield (
            "No item of the rehearsal was debated, so what a debate costs is not "
            "known: rehearse more items."
        )
    parts = [prediction.answers, prediction.debated]
    costs = [part["cost"] for part in parts if part is not None]
    unpriced = sorted({model for cost in costs for _, model in cost[cost.isna()].index})
    if unpriced:
        yield f"No price is known of {', '.join(unpriced)}; give --prices FILE."
    yield from _uneven(shown)


def _uneven(shown: Spent) -> Iterator[str]:
    """Stages in which items took different numbers of turns for no known reason."""
    turns = shown.costs.groupby(["stage", "debate"])["turns"].sum()
    for stage in ("answers", "debated"):
        if stage not in turns.index.get_level_values("stage"):
            continue
        seen = turns.loc[stage]
        if seen.min() != seen.max():
            yield (
                f"Items of the rehearsal took {seen.min():.0f} to {seen.max():.0f} "
                f"turns each ({stage}); the run may have others, and calls are a mean."
            )
