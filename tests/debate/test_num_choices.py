"""Several draws in one request: the same turns, with the input paid for once."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.model import ModelOutput

from inspect_debate.debate import calls
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord, Turn
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from tests.support.models import calls_of, scripted
from tests.support.runs import records, run

TASKS: dict[str, tuple[Any, dict[str, Any]]] = {
    "self-consistency": (colmad, {"protocol": "self_consistency", "n": 4}),
    "recall": (srdcr, {"recall_samples": 5}),
    "jury": (confidence, {"protocol": "cross_model", "jury_passes": 3}),
    "best of n": (generative, {"protocol": "single_debate", "best_of": 3}),
    "verdicts": (colmad, {"config.verdict.samples": 3}),
}
SELF_CONSISTENCY: dict[str, Any] = {
    "protocol": "self_consistency",
    "source": "sample",
    "config.num_choices": True,
}
PAID = {"usage", "calls", "seconds"}


@pytest.fixture(autouse=True)
def _no_model_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_one_choice", set())


def played(task: Task, log_dir: Path) -> list[DebateRecord]:
    return records(run(task, log_dir, limit=2))


@pytest.mark.parametrize("what", TASKS)
def test_records_are_those_of_separate_requests(what: str, tmp_path: Path) -> None:
    make, given = TASKS[what]
    if make is not confidence:
        given = {**given, "source": "sample"}
    apart = played(make(**given), tmp_path / "apart")
    at_once = played(make(**given, **{"config.num_choices": True}), tmp_path / "once")
    assert apart
    for one, other in zip(apart, at_once, strict=True):
        assert [t.model_dump(exclude=PAID) for t in one.turns] == [
            t.model_dump(exclude=PAID) for t in other.turns
        ]
        drawn = [
            turn
            for turn in other.turns
            if turn.draw > 1 and turn.kind != "reward" and not turn.superseded
        ]
        assert drawn
        assert {turn.calls for turn in drawn} == {0}
        assert sum(map(_read, other.turns)) < sum(map(_read, one.turns))
        assert sum(map(_written, other.turns)) == sum(map(_written, one.turns))


def _read(turn: Turn) -> int:
    return turn.usage.input_tokens + (turn.usage.input_tokens_cache_read or 0)


def _written(turn: Turn) -> int:
    return turn.usage.output_tokens


RIGHT = "The sum is right.\n\nThe response contains an error."


def answers(n: int, texts: list[str], messages: object, _: object) -> ModelOutput:
    """At most `n` choices of what the request asks for."""
    outputs = [ModelOutput.from_content("scripted/x", text) for text in texts[:n]]
    return ModelOutput(
        model="scripted/x", choices=[output.choices[0] for output in outputs]
    )


def test_a_model_that_gives_one_choice_is_asked_for_the_others(tmp_path: Path) -> None:
    model = scripted(partial(answers, 1, [RIGHT]))
    task = colmad(
        protocol="self_consistency",
        n=4,
        source="sample",
        **{"config.num_choices": True},
    )
    log = run(task, tmp_path, model, limit=2, max_samples=1)
    asked = [call.config.num_choices for call in calls_of(model)]
    # The first request shows it; the second sample asks four times at once.
    assert asked == [4, None, None, None, None, None, None, None]
    for record in records(log):
        assert [turn.calls for turn in record.of_kind("answer")] == [1, 1, 1, 1]


class Failed(Exception):
    """A provider's error with a status."""

    def __init__(self, **status: int) -> None:
        super().__init__("n must be 1")
        vars(self).update(status)


def _fails(error: Exception, messages: object, description: TurnDescription) -> str:
    if description.draws:
        raise error
    return RIGHT


@pytest.mark.parametrize(
    ("error", "later"),
    [
        (Failed(status_code=400), [None, None, None]),
        (Failed(code=422), [None, None, None]),
        (Failed(status_code=500), [3, None, None, None]),
        (TimeoutError(), [3, None, None, None]),
    ],
)
def test_a_model_that_refuses_is_asked_separately(
    error: Exception, later: list[int | None], tmp_path: Path
) -> None:
    """From then on; where a request only failed, the next is one for all draws."""
    model = scripted(partial(_fails, error))
    log = run(colmad(**SELF_CONSISTENCY, n=3), tmp_path, model, limit=2, max_samples=1)
    asked = [call.config.num_choices for call in calls_of(model)]
    assert asked == [3, None, None, None, *later]
    for record in records(log):
        assert [turn.calls for turn in record.of_kind("answer")] == [1, 1, 1]


def test_a_choice_that_cannot_be_read_is_asked_for_again_alone(tmp_path: Path) -> None:
    model = scripted(partial(answers, 3, [RIGHT, "Hm.", RIGHT]))
    task = colmad(
        protocol="self_consistency",
        n=3,
        source="sample",
        **{"config.num_choices": True},
    )
    (record,) = records(run(task, tmp_path, model, limit=1))
    first, second, third = record.of_kind("answer")
    assert (first.calls, second.calls, third.calls) == (1, 1, 0)
    assert second.superseded == ("Hm.",)
    assert [call.config.num_choices for call in calls_of(model)] == [3, None]
