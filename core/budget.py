"""Equal budgets: how many single answers cost as much as one debated item did."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from statistics import fmean
from typing import Literal, NamedTuple

from inspect_ai.log import read_eval_log_samples

from inspect_debate.core.errors import InputError
from inspect_debate.core.logged import logged_record
from inspect_debate.core.paths import existing_log
from inspect_debate.core.record import DebateRecord, Turn

Unit = Literal["calls", "tokens", "cost"]


class Budget(NamedTuple):
    """How many answers match a debate, and by what reckoning.

    `per_debate` is the mean of a debated item, `per_answer` the mean of one first
    answer of debater A there, both in `unit`; cost is in US dollars.
    """

    run: str
    unit: Unit
    per_debate: float
    per_answer: float

    @property
    def draws(self) -> int:
        """The nearest whole number of answers, at least 1."""
        return max(1, round(self.per_debate / self.per_answer))


@lru_cache  # the task and its solver both ask
def matched_draws(typed: str, unit: Unit) -> Budget:
    """How many answers of debater A cost as much as a debated item of an earlier run.

    Everything that the item cost counts, also what was reused from another run.

    Args:
        typed: The log of the debates, as the user typed it.
        unit: What is to cost the same.

    Raises:
        InputError: If there is no such log, nothing was debated in it, or it has no
            prices where money is to be matched.
    """
    log = existing_log("match", typed)
    records = [r for r in _records(log.location) if r.debated]
    answers = [
        turn
        for record in records
        for turn in record.of_kind("answer")
        if turn.participant == "debater_a"
    ]
    if not answers:
        raise InputError(
            f"match={typed} holds no debated item; give the log of a debate."
        )
    per_debate = [sum(_spent(record.turns, unit)) for record in records]
    per_answer = _spent(answers, unit)
    if not all(per_debate) or not all(per_answer):
        raise InputError(
            f"match={typed} has calls without known {unit}; "
            "use match_on=calls, or =tokens where the provider counts them."
        )
    return Budget(log.eval.eval_id, unit, fmean(per_debate), fmean(per_answer))


def _records(path: str) -> Iterator[DebateRecord]:
    for sample in read_eval_log_samples(
        path,
        all_samples_required=False,
        exclude_fields={"events", "messages", "attachments"},
        resolve_attachments="full",
    ):
        record = logged_record(path, sample)
        if record is not None and record.complete:
            yield record


def _spent(turns: Sequence[Turn], unit: Unit) -> list[float]:
    match unit:
        case "calls":
            return [turn.calls for turn in turns]
        case "tokens":
            return [turn.usage.total_tokens for turn in turns]
        case "cost":
            return [turn.usage.total_cost or 0.0 for turn in turns]
