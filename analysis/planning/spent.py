"""What the debates of a run cost, by stage, role and model."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import pandas as pd
from inspect_ai.model import ModelUsage

from inspect_debate.analysis.debates import Held, read_samples
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.planning.depth import depth
from inspect_debate.core.errors import InputError
from inspect_debate.core.record import DebateRecord, Kind
from inspect_debate.core.spending import is_free

Stage = Literal["answers", "debated", "skipped"]

QUANTITIES = (
    *("turns", "calls", "input_tokens", "cache_read_tokens", "cache_write_tokens"),
    *("output_tokens", "cost", "seconds"),
)
"""What is added up; cost is in US dollars, NaN where a price is unknown."""

_ANSWERS: tuple[Kind, ...] = ("answer", "sample", "recall")


class Spent(NamedTuple):
    """What debates cost.

    `stages` has a row per debate and stage that was gone through: `debate` (a running
    number), `id`, `stage`, and the `depth` of the whole debate. Of each debate that is
    `answers`, what the participants said without having read each other, and then
    either `debated`, the rest, or, where a look at the answers ended it, `skipped`.

    `costs` has a row per such stage, role and model, with `QUANTITIES`; what is used
    again from an earlier run costs nothing. `debates` has a row per debate, with `id`,
    `may_skip` (whether a look at the answers may end it) and `went_on` (whether it did
    not); one that was only held to see what it costs has none. `left` counts the
    samples that have no complete record.
    """

    stages: pd.DataFrame
    costs: pd.DataFrame
    debates: pd.DataFrame
    left: int

    @property
    def seconds_per_call(self) -> float:
        """The mean over all calls; 0 where none was made."""
        calls = self.costs["calls"].sum()
        return float(self.costs["seconds"].sum() / calls) if calls else 0.0


def spent(logs: Sequence[Log]) -> Spent:
    """Read what the debates of some logs cost.

    Args:
        logs: Of one task. One that uses the answers of another of them again shows
            what the debates of that one would have cost that it skipped.

    Raises:
        InputError: If no sample has a complete record of a debate.
    """
    runs = {log.header.eval.eval_id for log in logs}
    stages: list[dict[str, Any]] = []
    costs: list[dict[str, Any]] = []
    debates: list[dict[str, Any]] = []
    left = 0
    for number, held in enumerate(
        debate for log in logs for debate in read_samples(log)
    ):
        record = held.record
        if record is None or not record.complete:
            left += 1
            continue
        again = record.reused_from in runs
        key = {"debate": number, "id": str(held.sample.id)}
        deep = {"depth": depth(record.turns, record.parameters, reused=again)}
        went_on = record.undebated_because is None
        rest: Stage = "debated" if went_on else "skipped"
        if not again:
            may_skip = record.parameters.get("skip_if_agree") is True
            debates.append(key | {"may_skip": may_skip, "went_on": went_on})
            stages.append(key | {"stage": "answers"} | deep)
        if went_on or not again:
            stages.append(key | {"stage": rest} | deep)
            costs += [key | row for row in _rows(held, record, rest)]
    if not debates:
        raise InputError(
            f"{', '.join(log.typed for log in logs)}: no sample has a complete record "
            "of a debate."
        )
    keys = ["debate", "id", "stage"]
    columns = [*keys, "role", "model", *QUANTITIES]
    frame = pd.DataFrame(costs, columns=columns)
    return Spent(
        pd.DataFrame(stages),
        summed(frame, [*keys, "role", "model"]).reset_index(),
        pd.DataFrame(debates),
        left,
    )


def summed(costs: pd.DataFrame, by: Sequence[str] = ("role", "model")) -> pd.DataFrame:
    """Sums of `QUANTITIES` by columns or levels of the index, in their first order.

    A price that is unknown once makes the sum unknown.
    """
    return costs.groupby([*by], sort=False)[[*QUANTITIES]].agg(_sum)


def _sum(part: "pd.Series[float]") -> float:
    return float(part.sum(skipna=False))


def _rows(held: Held, record: DebateRecord, rest: Stage) -> Iterator[dict[str, Any]]:
    for turn in record.turns:
        if turn.reused:
            continue
        # A judge may answer, too, after a debate.
        first = turn.kind in _ANSWERS and turn.role != "judge"
        yield {
            "stage": "answers" if first else rest,
            "role": turn.role,
            "model": turn.model,
            "turns": 1,
            "calls": turn.calls,
            "seconds": turn.seconds,
            **_tokens(turn.usage, turn.model),
        }
    yield from _graded(held, rest)


def _graded(held: Held, rest: Stage) -> Iterator[dict[str, Any]]:
    """What a grader cost, which no record has: it is asked when a debate is scored."""
    used = held.sample.role_usage.get("grader")
    if used is None:
        return
    scores = (held.sample.scores or {}).values()
    names = {(score.metadata or {}).get("grader") for score in scores} - {None}
    values = [score.value for score in scores if isinstance(score.value, Mapping)]
    calls = sum(float(told.get("grader_calls") or 0) for told in values)
    model = ", ".join(sorted(map(str, names)))
    yield {
        "stage": rest,
        "role": "grader",
        "model": model,
        "turns": calls,
        "calls": calls,
        "seconds": 0.0,
        **_tokens(used, model),
    }


def _tokens(used: ModelUsage, model: str) -> dict[str, float]:
    unpriced = 0.0 if is_free(model) else float("nan")
    return {
        "input_tokens": used.input_tokens,
        "cache_read_tokens": used.input_tokens_cache_read or 0,
        "cache_write_tokens": used.input_tokens_cache_write or 0,
        "output_tokens": used.output_tokens,
        "cost": unpriced if used.total_cost is None else used.total_cost,
    }
