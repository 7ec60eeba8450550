"""Self-consistency: one model, several samples, the answer of most of them.

How many samples may be what a debate costs.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from statistics import fmean
from typing import Any, Literal, NamedTuple, get_args

from inspect_ai.log import read_eval_log_samples
from pydantic import model_validator

from inspect_debate.v1.debate.engine import parameter, protocol
from inspect_debate.v1.debate.errors import InputError, check_choice, check_whole_number
from inspect_debate.v1.debate.participants import answerer
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import DebateRecord, Turn
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.reuse import Logs, check_whole, logged_record, opened
from inspect_debate.v1.solvers.question_answering import (
    ANSWER,
    STUDY,
    Plain,
    answer,
    cast_votes,
)

# Equal budgets: how many single answers cost as much as one debated item did.

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


def matched_draws(typed: Logs, unit: Unit) -> Budget:
    """How many answers of debater A cost as much as a debated item of an earlier run.

    Everything that the item cost counts, also what was reused from another run.

    Args:
        typed: The log of the debates, as the user typed it, or those of its shards.
        unit: What is to cost the same.

    Raises:
        InputError: If there is no such log, nothing was debated in it, or it has no
            prices where money is to be matched.
    """
    return _matched_draws((typed,) if isinstance(typed, str) else tuple(typed), unit)


@lru_cache  # the task and its solver both ask
def _matched_draws(typed: tuple[str, ...], unit: Unit) -> Budget:
    logs = opened("match", [*typed])
    check_whole("match", logs)
    records = [r for log in logs.values() for r in _records(log.location) if r.debated]
    answers = [
        turn
        for record in records
        for turn in record.of_kind("answer")
        if turn.participant == "debater_a"
    ]
    if not answers:
        raise InputError(
            f"match={','.join(typed)} holds no debated item; give the log of a debate."
        )
    per_debate = [sum(_spent(record.turns, unit)) for record in records]
    per_answer = _spent(answers, unit)
    if not all(per_debate) or not all(per_answer):
        raise InputError(
            f"match={','.join(typed)} has calls without known {unit}; "
            "use match_on=calls, or =tokens where the provider counts them."
        )
    first = next(iter(logs.values()))
    return Budget(first.eval.eval_id, unit, fmean(per_debate), fmean(per_answer))


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


# As many calls as a debated item has by default: 2 answers, 4 speeches, 1 verdict.
CALLS_OF_A_DEBATE = 7


class SelfConsistency(Plain):
    """Several answers of one model."""

    n: int | None = parameter(
        None,
        "How many answers are drawn; by default 7, the calls of a debated item.",
    )
    match: Logs | None = parameter(
        None,
        "The log of a debate (of a run in shards all, with commas): draw as many "
        "answers as cost the same as one of its debated items.",
    )
    match_on: Unit | None = parameter(
        None, "What has to cost the same: `calls` (the default), `tokens` or `cost`."
    )

    @model_validator(mode="before")
    @classmethod
    def _number(cls, given: dict[str, Any]) -> dict[str, Any]:
        number_of_draws(*(given.get(name) for name in ("n", "match", "match_on")))
        return given

    def logged(self, protocol: str) -> dict[str, Any]:
        """How many answers are drawn, and what they match."""
        return number_of_draws(self.n, self.match, self.match_on)


@protocol(STUDY, SelfConsistency, turns=(ANSWER,))
async def self_consistency(debate: Debate[SelfConsistency, Question]) -> None:
    """One model answers several times; the answer of most is taken (Wang et al. 2023).

    A tie is recorded as a tie and has no winner. Settings are the study's, but
    for the temperature, which is 0.7.

    Returns:
        A solver; role `debater_a` answers, or the main model where it is unbound.
    """
    participant = answerer()
    draws = range(1, debate.parameters.logged(debate.protocol)["n"] + 1)
    debate.takes_part(participant, ANSWER)
    debate.aggregation = "majority"
    if debate.settings(participant, ANSWER).temperature == 0 and len(draws) > 1:
        debate.warn(
            f"{participant.model} draws {len(draws)} answers at temperature 0: "
            "they will "
            "hardly differ. Set config.answer.temperature above 0."
        )
    await cast_votes(debate, [[answer(debate, participant, draw)] for draw in draws])


def number_of_draws(
    n: int | None, match: Logs | None, match_on: Unit | None
) -> dict[str, Any]:
    """The number of answers as logged: `n`, and what it matches.

    Raises:
        InputError: If a parameter is not allowed, or the log cannot be matched.
    """
    if match_on is not None:
        check_choice("match_on", match_on, get_args(Unit))
    if match_on is not None and match is None:
        raise InputError(f"match_on={match_on} needs a log: give match=LOG.")
    if match is None:
        draws = CALLS_OF_A_DEBATE if n is None else n
        check_whole_number("n", draws, at_least=1)
        return {"n": draws}
    if n is not None:
        raise InputError(f"n={n} and match={match}: give one of the two.")
    budget = matched_draws(match, match_on or "calls")
    return {"n": budget.draws, "matched": budget._asdict()}
