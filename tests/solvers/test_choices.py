"""Every protocol on questions with options, with models that read their prompts."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage
from inspect_ai.scorer import choice
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.support.choices import choice_item, chooser
from tests.support.models import Script, calls_of, scripted
from tests.support.runs import dataset, record, records, run, samples


def asked(
    solver: Solver, log_dir: Path, *, agreed: bool = False, **settings: Any
) -> EvalLog:
    """A right and a wrong model on a question whose right answer is B."""
    return run(
        Task(dataset=dataset(choice_item()), solver=solver, scorer=choice()),
        log_dir,
        model=scripted(chooser(True), "sharp"),
        roles={"debater_b": scripted(chooser(agreed), "dull")},
        **settings,
    )


def said(held: DebateRecord) -> list[str]:
    return [f"{t.kind} {t.field('answer').value or ''}".strip() for t in held.turns]


@pytest.mark.parametrize(
    ("solver", "turns"),
    [
        (single(), ["answer B"]),
        (judge_alone(order="both"), ["verdict B"] * 2),
        (self_consistency(n=3), ["answer B"] * 3),
        (som(), ["answer B", "answer C", "update B", "update B"]),
        (colmad(), ["answer B", "answer C", *["speech"] * 4, "verdict B"]),
        (copmad(), ["answer B", "answer C", *["speech"] * 4, "verdict B"]),
        (colmad(rounds=0), ["answer B", "answer C", "verdict B"]),
    ],
)
def test_the_right_option_is_found(
    solver: Solver, turns: list[str], tmp_path: Path
) -> None:
    log = asked(solver, tmp_path)
    (held,) = records(log)
    assert said(held) == turns
    assert held.choices == ("A", "B", "C", "D")
    assert held.prompts.name == "choices"
    (sample,) = samples(log)
    assert sample.output.completion == "ANSWER: B"
    assert sample.scores is not None
    assert sample.scores["choice"].value == "C"
    assert sample.scores["choice"].answer == "B"


def test_debaters_hold_their_own_options(tmp_path: Path) -> None:
    (held,) = records(asked(colmad(rounds=1), tmp_path))
    defended = {p.name: p.defends for p in held.participants}
    assert defended == {"Alice": "B", "Bob": "C", "Judge": None}
    finals = [turn.field("final").value for turn in held.of_kind("speech")]
    assert finals == ["B", "C"]
    (verdict,) = held.of_kind("verdict")
    assert (verdict.listed_first, verdict.shown_first) == ("B", "debater_a")


@pytest.mark.parametrize("agreed", [False, True])
def test_an_ensembles_coin_knows_the_two_answers_alone(
    agreed: bool, tmp_path: Path
) -> None:
    log = asked(ensemble(), tmp_path, agreed=agreed, epochs=2)
    drawn = [record(sample).drawn for sample in samples(log)]
    assert sorted(map(str, drawn)) == (["None"] * 2 if agreed else ["B", "C"])
    completions = [sample.output.completion for sample in samples(log)]
    assert completions == [f"ANSWER: {answer or 'B'}" for answer in drawn]


def test_an_agreed_option_is_debated_against_a_distractor(tmp_path: Path) -> None:
    log = asked(copmad(rounds=1), tmp_path, agreed=True, epochs=2)
    first, second = (
        {p.id: p.defends for p in held.participants if p.role != "judge"}
        for held in records(log)
    )
    assert "B" in first.values()
    assert len(set(first.values())) == 2
    assert [*second.values()] == [*first.values()][::-1]


def test_a_debater_may_not_conclude_with_a_third_option(tmp_path: Path) -> None:
    def third(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        if description.kind == "speech":
            return "<argument>It is neither.\nFinal: A\nConf: 0.9</argument>"
        if description.kind == "verdict":
            return "Answer: A"
        return f"ANSWER: {'B' if description.participant == 'debater_a' else 'C'}"

    model = scripted(third)
    log = run(
        Task(dataset=dataset(choice_item()), solver=colmad(1), scorer=choice()),
        tmp_path,
        model=model,
    )
    (held,) = records(log)
    for turn in held.of_kind("speech"):
        assert turn.field("final").value is None
    (verdict,) = held.of_kind("verdict")
    assert verdict.field("answer").status == "unparsed"
    assert verdict.calls == 2
    again = calls_of(model)[-1].messages[-1].text
    assert "B or C" in again
    (sample,) = samples(log)
    assert sample.output.completion == "(unparsed)"
    assert sample.scores is not None
    assert sample.scores["choice"].value == "I"


def voting(*letters: str) -> Script:
    def vote(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        return f"ANSWER: {letters[int(description.draw) - 1]}"

    return vote


@pytest.mark.parametrize(
    ("letters", "completion"),
    [
        ("ABB", "ANSWER: B"),
        ("ABC", "(tied)"),
        ("ABBA", "(tied)"),
        ("DCCA", "ANSWER: C"),
    ],
)
def test_most_of_several_options(letters: str, completion: str, tmp_path: Path) -> None:
    log = run(
        Task(dataset=dataset(choice_item()), solver=self_consistency(n=len(letters))),
        tmp_path,
        model=scripted(voting(*letters)),
    )
    (sample,) = samples(log)
    assert sample.output.completion == completion


@pytest.mark.parametrize(
    ("options", "target", "says"),
    [(["42 km"], "A", "has 1"), (["42 km", "52 km"], ["A", "B"], "2 right ones")],
)
def test_a_question_that_is_none_ends_before_any_call(
    options: list[str], target: str | list[str], says: str, tmp_path: Path
) -> None:
    model = scripted(chooser(True))
    log = run(
        Task(
            dataset=dataset(choice_item(options=options, target=target)),
            solver=colmad(),
        ),
        tmp_path,
        model=model,
        success=False,
    )
    assert log.error is not None
    assert says in log.error.message
    assert not calls_of(model)
