"""How a jury decided a debate of two sides, and how far it agreed (Appendix D)."""

import re
from collections.abc import Callable, Iterator, Sequence
from math import isnan

import numpy as np
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState
from numpy.typing import NDArray

from inspect_debate.debate.outcome import judges_of
from inspect_debate.debate.record import DebateRecord, Status, Turn
from inspect_debate.metrics.agreement import (
    krippendorff_alpha,
    pairwise_agreement,
    repeat_agreement,
    side_share,
    unanimity,
)
from inspect_debate.scorers.common import (
    NAN,
    Metrics,
    Values,
    by_bare_name,
    column,
    complete_record,
    keys,
    score_of,
    total,
)
from inspect_debate.solvers.bet_records import SIDES, bets_card

# Metrics over verdicts: how a jury leans, and how far it agrees (Appendix D).

Table = NDArray[np.float64]


@metric(scores="unreduced")
def side_bias() -> Metric:
    """The share of verdicts for the proposition, with its interval, and of each juror.

    A jury without a bias, on debates that either side can win, gives about a half.
    """

    def over_verdicts(scores: list[SampleScore]) -> Value:
        everyone = side_share(table(scores, scored_verdict_keys(scores)))
        each = {
            f"for_proposition_{juror}": side_share(table(scores, names)).value
            for juror, names in by_juror(scores).items()
        }
        return {
            "for_proposition": everyone.value,
            "for_proposition_low": everyone.low,
            "for_proposition_high": everyone.high,
            **each,
        }

    return over_verdicts


@metric(scores="unreduced")
def juror_agreement() -> Metric:
    """How often all verdicts on a debate are the same, how often two are, and `alpha`.

    The last is Krippendorff's: agreement beyond chance, 1 at best.
    """

    def over_verdicts(scores: list[SampleScore]) -> Value:
        verdicts = table(scores, scored_verdict_keys(scores))
        return {
            "unanimous": unanimity(verdicts),
            "agreement": pairwise_agreement(verdicts),
            "alpha": krippendorff_alpha(verdicts),
        }

    return over_verdicts


@metric(scores="unreduced")
def repeated_verdicts() -> Metric:
    """How often a juror gives the same verdict in its second pass as in its first."""

    def over_verdicts(scores: list[SampleScore]) -> Value:
        passes = [names[:2] for names in by_seat(scores).values() if len(names) > 1]
        first, second = (
            table(scores, [names[place] for names in passes]) for place in (0, 1)
        )
        repeated = repeat_agreement(first, second)
        return {
            "repeated": repeated.value,
            "repeated_low": repeated.low,
            "repeated_high": repeated.high,
        }

    return over_verdicts


@metric(scores="unreduced")
def verdict_counts() -> Metric:
    """How many debates are tied, and how many verdicts were read or not, by reason.

    `confidences_missing` are votes without a readable confidence.
    """

    def over_debates(scores: list[SampleScore]) -> Value:
        sums, votes = (
            [column(scores, f"{what}_{side}") for side in SIDES]
            for what in ("confidence", "votes")
        )
        # Where nobody voted, or a vote has no confidence, the sums say nothing.
        summed = (sum(votes) > 0) & (column(scores, "confidences_missing") == 0)
        tied = summed & (sums[0] == sums[1])
        return {
            "tied": float(tied.sum()),
            "confidences_missing": total(scores, "confidences_missing"),
            **{
                f"verdicts_{status}": total(scores, f"verdicts_{status}")
                for status in Status
            },
        }

    return over_debates


JURY_METRICS: Metrics = [
    side_bias(),
    juror_agreement(),
    repeated_verdicts(),
    verdict_counts(),
]


def scored_verdict_keys(scores: Sequence[SampleScore]) -> list[str]:
    """The keys of verdicts, `verdict_judge_1_2` for the second of the first juror's."""
    return keys(scores, "verdict_")


def by_juror(scores: Sequence[SampleScore]) -> dict[str, list[str]]:
    """The keys of each juror's verdicts, in the order of its passes."""
    return _grouped(scores, lambda place: place["juror"])


def by_seat(scores: Sequence[SampleScore]) -> dict[str, list[str]]:
    """The keys of the verdicts that a juror gives on the same view of a debate."""
    return _grouped(scores, lambda place: f"{place['juror']}{place['order'] or ''}")


def table(scores: Sequence[SampleScore], names: Sequence[str]) -> Table:
    """The values of keys as an array (debates, keys)."""
    columns = [column(scores, name) for name in names]
    return np.stack(columns, axis=1) if columns else np.empty((len(scores), 0))


def _grouped(
    scores: Sequence[SampleScore], group: Callable[[re.Match[str]], str]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key in scored_verdict_keys(scores):
        if (place := _KEY.fullmatch(key)) is not None:
            found.setdefault(group(place), []).append(key)
    return found


_KEY = re.compile(r"verdict_(?P<juror>\w+?)_(?P<pass>\d+)(?P<order>_ab|_ba)?")


def jury_values(record: DebateRecord) -> Values:
    """The verdicts of one debate.

    `verdict_{juror}_{pass}` is 1 for the proposition, 0 for the opposition and NaN
    where it could not be read, `confidence_{juror}_{pass}` from 0 to 100; with both
    orders, `_ab` or `_ba` follows. `votes_{side}` and `confidence_{side}` (a sum) are
    over all; votes without a readable confidence add nothing to it and are counted in
    `confidences_missing`.
    `unanimous` is 1 or 0, and `dissent` counts the votes of the minority; both are NaN
    without a vote.
    """
    both = record.parameters.get("order") == "both"
    given = {_key(turn, both): turn for turn in record.of_kind("verdict")}
    values: Values = {}
    for key in verdict_keys(record):
        turn = given.get(key)
        values[f"verdict_{key}"] = vote(turn)
        values[f"confidence_{key}"] = confidence(turn)
    votes = {side: _votes(given, side) for side in SIDES}
    dissent = min(map(len, votes.values())) if any(votes.values()) else NAN
    return {
        **values,
        **{f"votes_{side}": len(turns) for side, turns in votes.items()},
        **{
            f"confidence_{side}": sum(
                found for turn in turns if (found := confidence(turn)) == found
            )
            for side, turns in votes.items()
        },
        "confidences_missing": sum(
            isnan(confidence(turn)) for turns in votes.values() for turn in turns
        ),
        "dissent": dissent,
        "unanimous": NAN if dissent != dissent else float(dissent == 0),
        **{
            f"verdicts_{status}": sum(
                turn.field("answer").status == status for turn in given.values()
            )
            for status in Status
        },
    }


def verdict_keys(record: DebateRecord) -> Iterator[str]:
    """The verdicts that were to be given, `judge_1_2` for the second of a juror's."""
    both = record.parameters.get("order") == "both"
    for juror in judges_of(record):
        for number in range(1, int(record.parameters.get("jury_passes", 1)) + 1):
            for order in ("_ab", "_ba") if both else ("",):
                yield f"{juror}_{number}{order}"


def vote(turn: Turn | None) -> float:
    """1 for the proposition, 0 for the opposition, NaN for none."""
    answer = None if turn is None else turn.field("answer").value
    return NAN if answer is None else float(answer == SIDES[0])


def confidence(turn: Turn | None) -> float:
    """A juror's stated confidence, from 0 to 100; NaN for none."""
    stated = None if turn is None else turn.field("confidence").value
    return NAN if stated is None else float(stated)


_METRICS: Metrics = JURY_METRICS


@scorer(metrics=_METRICS)
def jury() -> Scorer:
    """The verdicts of all jurors, in all their passes.

    Returns:
        A scorer whose values are those of `jury_values` and the common ones; the
        jurors' models stand in its metadata.
    """

    async def score(state: TaskState, target: Target) -> Score:
        record = complete_record(state)
        if isinstance(record, Score):
            return record
        judges = {id: record.participant(id).model for id in judges_of(record)}
        return score_of(
            record,
            target,
            jury_values(record),
            explanation=bets_card(record),
            metadata={"judges": judges},
        )

    return score


by_bare_name("jury", jury, _METRICS)


def _key(turn: Turn, both: bool) -> str:
    """A verdict's place among those that were to be given."""
    order = f"_{turn.order}" if both else ""
    return f"{turn.participant}_{turn.draw or 1}{order}"


def _votes(given: dict[str, Turn], side: str) -> list[Turn]:
    return [t for t in given.values() if t.field("answer").value == side]
