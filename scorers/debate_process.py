"""What happened on the way: changes of mind, quotes, confidences, failures, cost."""

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric
from inspect_ai.scorer import scorer as register
from inspect_ai.solver import TaskState

from inspect_debate.core.outcome import outcome
from inspect_debate.core.record import DebateRecord, Status, Turn
from inspect_debate.scorers.common import NAN, Values, column, cost, keys, score_record
from inspect_debate.scorers.quotes import quote_shares, quote_values
from inspect_debate.scorers.stated_confidence import calibration, confidence_values

# The field that a turn of a kind is there for.
_FIELDS = {"answer": "answer", "speech": "argument", "verdict": "answer"}
_NOT_OK = (Status.UNPARSED, Status.REFUSED, Status.TRUNCATED)


def process_values(record: DebateRecord, target: str) -> Values:
    """Counts of what happened in one debate.

    `right_to_wrong` and `wrong_to_right` compare the outcome with debater A's first
    answer (the single-model detector that the debate is to improve on); NaN where
    either is missing. A concession is a speech whose final answer is not the one it
    was to defend. `shown_first` counts verdicts for the answer whose defender was
    shown first (or, without debaters, that was listed first). Turns are counted by
    kind and by the status of the field that they are there for.
    """
    speeches, verdicts = record.of_kind("speech"), record.of_kind("verdict")
    limit = record.parameters.get("word_limit", float("inf"))
    spent = cost(record)
    values = {
        **_flips(record, target),
        "speeches": len(speeches),
        "concessions": sum(_concedes(record, turn) for turn in speeches),
        "over_word_limit": sum(_words(turn) > limit for turn in speeches),
        "verdicts": len(verdicts),
        "shown_first": sum(_for_the_first(record, turn) for turn in verdicts),
        "reasks": sum(len(turn.superseded) for turn in record.turns),
        "input_tokens": sum(_input_tokens(turn) for turn in record.turns),
        "cached_tokens": sum(_cached(turn) for turn in record.turns),
        "output_tokens": sum(turn.usage.output_tokens for turn in record.turns),
        "reused_calls": spent.reused_calls,
        "reused_tokens": spent.reused_tokens,
    }
    for kind, field in _FIELDS.items():
        turns = [turn for turn in record.turns if turn.kind == kind]
        values[f"{kind}_turns"] = len(turns)
        for status in _NOT_OK:
            values[f"{kind}_{status}"] = sum(
                turn.field(field).status == status for turn in turns
            )
    return values


@metric(scores="unreduced")
def process() -> Metric:
    """Rates over all debates: what was counted, over what it could have been.

    Shares of speeches, verdicts and turns are ratios of sums; calls and tokens are
    means per sample.
    """

    def rates(scores: list[SampleScore]) -> Value:
        total = {key: float(np.nansum(column(scores, key))) for key in keys(scores)}

        def share(part: str, whole: str) -> float:
            return total[part] / total[whole] if total.get(whole) else NAN

        def mean(key: str) -> float:
            values = column(scores, key)
            return float(np.nanmean(values)) if (~np.isnan(values)).any() else NAN

        found = {key: mean(key) for key in ("right_to_wrong", "wrong_to_right")}
        found |= {
            "concession_rate": share("concessions", "speeches"),
            "over_word_limit_rate": share("over_word_limit", "speeches"),
            "shown_first_rate": share("shown_first", "verdicts"),
            "cached_input_share": share("cached_tokens", "input_tokens"),
        }
        for kind in _FIELDS:
            for status in _NOT_OK:
                found[f"{kind}_{status}_rate"] = share(
                    f"{kind}_{status}", f"{kind}_turns"
                )
        return found | {key: mean(key) for key in ("calls", "tokens", "reasks")}

    return rates


@register(metrics=[process(), quote_shares(), calibration()])
def debate_process() -> Scorer:
    """How the debate went, as counts by sample.

    Returns:
        A scorer whose values are those of `process_values`, `quote_values` and
        `confidence_values`, and the common ones.
    """

    async def score(state: TaskState, target: Target) -> Score:
        return score_record(
            state, target, process_values, quote_values, confidence_values
        )

    return score


def _flips(record: DebateRecord, target: str) -> Values:
    first = [t for t in record.of_kind("answer") if t.participant == "debater_a"]
    before = first[0].field("answer").value if first else None
    after = outcome(record).answer
    if before is None or after is None:
        return {"right_to_wrong": NAN, "wrong_to_right": NAN}
    return {
        "right_to_wrong": float(before == target != after),
        "wrong_to_right": float(before != target == after),
    }


def _concedes(record: DebateRecord, turn: Turn) -> bool:
    final = turn.field("final")
    defended = record.participant(turn.participant).defends
    return final.status == Status.OK and final.value != defended


def _words(turn: Turn) -> float:
    value = turn.field("argument").value
    return float(value) if value is not None else 0.0


def _for_the_first(record: DebateRecord, turn: Turn) -> bool:
    if turn.shown_first is None:
        return turn.field("answer").value == turn.listed_first
    defended = record.participant(turn.shown_first).defends
    return turn.field("answer").value == defended


def _cached(turn: Turn) -> int:
    return turn.usage.input_tokens_cache_read or 0


def _input_tokens(turn: Turn) -> int:
    written = turn.usage.input_tokens_cache_write or 0
    return turn.usage.input_tokens + written + _cached(turn)
