"""How a jury decided a debate of two sides, and how far it agreed (Appendix D)."""

from collections.abc import Iterator
from math import isnan

import numpy as np
from inspect_ai.scorer import SampleScore, Score, Target, Value
from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.outcome import judges_of
from inspect_debate.v1.debate.record import DebateRecord, Turn
from inspect_debate.v1.scorers.common import (
    NAN,
    RecordScorer,
    Values,
    by_status,
    column,
    mean,
    over_scores,
    ratio,
    reasons_told,
    record_scorer,
    score_of,
)
from inspect_debate.v1.solvers.bet_records import SIDES, bets_card, jury_table


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
        **by_status("verdicts", (turn.field("answer") for turn in given.values())),
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


@over_scores
def votes(scores: list[SampleScore]) -> Value:
    """The share of votes for the proposition, and that of unanimous juries.

    A jury without a bias, on debates that either side can win, gives about a half. Each
    with its standard error, clustered by motion.
    """
    won, lost = (column(scores, f"votes_{side}") for side in SIDES)
    whole = won + lost
    unanimous = np.where(whole > 0, (won == 0) | (lost == 0), NAN)
    return ratio("for_proposition", scores, won, whole) | mean(
        "unanimous", scores, unanimous
    )


@record_scorer(votes)
def jury() -> RecordScorer:
    """The verdicts of all jurors, in all their passes.

    Returns:
        A scorer with the values `votes_proposition` and `votes_opposition`; the jurors'
        models are in its metadata.
    """

    def score(record: DebateRecord, state: TaskState, target: Target) -> Score:
        judges = {id: record.participant(id).model for id in judges_of(record)}
        values = jury_values(record)
        return score_of(
            record,
            {f"votes_{side}": values[f"votes_{side}"] for side in SIDES},
            explanation=_told(record),
            metadata={"judges": judges},
        )

    return score


def _told(record: DebateRecord) -> str:
    """The outcome, the votes, and what each juror said."""
    if not record.of_kind("verdict"):
        return "No jury was asked."
    ended = bets_card(record).partition("\n")[0]
    votes = "\n".join(jury_table(record))
    return "\n\n".join([ended, votes, *reasons_told(record)])


def _key(turn: Turn, both: bool) -> str:
    """A verdict's place among those that were to be given."""
    order = f"_{turn.order}" if both else ""
    return f"{turn.participant}_{turn.draw or 1}{order}"


def _votes(given: dict[str, Turn], side: str) -> list[Turn]:
    return [t for t in given.values() if t.field("answer").value == side]
