"""Two answers, no debate; a coin only where they differ."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, Model

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.outcome import Outcome, outcome, probability
from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.seeds import seeded
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.solvers.baselines import ensemble
from inspect_debate.solvers.colmad import colmad
from tests.support.models import Script, calls_of, scripted
from tests.support.runs import dataset, item, records, run, samples, values


def says(words: str) -> Script:
    return lambda messages, description: words


ERROR = "Therefore, the model response contains an error."
NONE = "Therefore, the model response contains no error."
UNREAD = "I see it both ways."
REFUSED = "I'm sorry, but I can't help with that."


def held(a: str, b: str, log_dir: Path) -> DebateRecord:
    log = run(
        Task(dataset=dataset(item()), solver=ensemble()),
        log_dir,
        roles={
            "debater_a": scripted(says(a), "a"),
            "debater_b": scripted(says(b), "b"),
        },
    )
    (found,) = records(log)
    assert [turn.participant for turn in found.turns] == ["debater_a", "debater_b"]
    assert {turn.kind for turn in found.turns} == {"answer"}
    return found


@pytest.mark.parametrize(
    ("a", "b", "status", "error"),
    [
        (ERROR, ERROR, "ok", 1.0),
        (NONE, NONE, "ok", 0.0),
        (ERROR, NONE, "coin", 0.5),
        (NONE, ERROR, "coin", 0.5),
        (ERROR, UNREAD, "unparsed", None),
        (UNREAD, NONE, "unparsed", None),
        (REFUSED, NONE, "refused", None),
    ],
)
def test_agreement_is_kept_and_difference_tossed(
    a: str, b: str, status: str, error: float | None, tmp_path: Path
) -> None:
    found = held(a, b, tmp_path)
    assert outcome(found).status == status
    assert probability(found, "error") == error
    assert (found.drawn is not None) == (status == "coin")
    if status == "ok":
        assert outcome(found) == Outcome("error" if error else "no_error", "ok")
    assert found.complete
    assert not found.debated


def test_a_models_own_ensemble_is_warned_of(tmp_path: Path) -> None:
    log = run(
        Task(dataset=dataset(item()), solver=ensemble()),
        tmp_path,
        model=scripted(says(ERROR), "alone"),
    )
    (found,) = records(log)
    assert any("both debater_a and debater_b" in w for w in found.warnings)


def test_scores_take_the_expectation_whatever_was_drawn(tmp_path: Path) -> None:
    def opposite(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str:
        assert description is not None
        return ERROR if description.participant == "debater_a" else NONE

    model = scripted(opposite)
    task = colmad_task(protocol="ensemble", source="sample")
    log = run(task, tmp_path, model=model)
    assert len({record.drawn for record in records(log)}) == 2
    for sample in samples(log):
        assert values(sample, "error_detection")["prediction"] == 0.5
    assert len(calls_of(model)) == 2 * len(samples(log))


def test_answers_of_a_debate_make_an_ensemble_without_a_call(tmp_path: Path) -> None:
    roles = {
        "debater_a": scripted(says(ERROR), "a"),
        "debater_b": scripted(says(ERROR), "b"),
    }
    task = Task(dataset=dataset(item()), solver=colmad())
    source = run(task, tmp_path / "source", roles=roles)
    used = {role: len(calls_of(model)) for role, model in roles.items()}
    task = Task(dataset=dataset(item()), solver=ensemble(reuse=source.location))
    log = run(task, tmp_path / "again", roles=roles)
    assert {role: len(calls_of(model)) for role, model in roles.items()} == used
    (found,) = records(log)
    assert all(turn.reused for turn in found.turns)
    assert outcome(found) == Outcome("error", "ok")


def by_name(name: str) -> Model:
    """A model whose answers depend on its name and the item, not on its seat."""

    def answer(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        return seeded(0, name, description.sample).choice([ERROR, NONE])

    return scripted(answer, name)


@pytest.mark.slow
def test_expected_counts_are_the_mean_of_both_alone(tmp_path: Path) -> None:
    """E[tp] and E[fp], against three runs of their own."""

    def counts(protocol: Any, **roles: Model) -> list[float]:
        task = colmad_task(protocol=protocol, source="sample", response_author="both")
        found = [
            values(sample, "error_detection")
            for sample in samples(run(task, tmp_path, roles=roles))
        ]
        return [
            sum(value["prediction"] for value in found if value["gold"] == gold)
            for gold in (1, 0)
        ]

    one, other = by_name("one"), by_name("other")
    alone = [counts("single", debater_a=model) for model in (one, other)]
    both = counts("ensemble", debater_a=one, debater_b=other)
    assert alone[0] != alone[1]
    assert both == [sum(pair) / 2 for pair in zip(*alone, strict=True)]
    assert both == counts("ensemble", debater_a=other, debater_b=one)
