"""Questions about a passage: who reads it, what may be quoted, whose side is drawn."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import DebateRecord
from inspect_debate.solvers.baselines import judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.consultancy import consultancy
from inspect_debate.solvers.som import som
from tests.support.choices import choice_item
from tests.support.models import Call, calls_of, scripted
from tests.support.runs import dataset, record, records, run, samples

MARK = "SECRET-OF-THE-PASSAGE"
PASSAGE = f"The bridge was closed in spring. {MARK} it was opened again in autumn."
TWO = ("In spring.", "In autumn.")


def says(messages: list[ChatMessage], description: TurnDescription | None) -> str:
    """Quotes the passage and the question; never writes what it has read itself."""
    assert description is not None
    if description.kind == "speech":
        return (
            "<thinking>t</thinking><argument>As it says: <quote>opened again in autumn"
            "</quote>, <quote>When was it opened</quote>.\n"
            f"Final: {description.defends}\nConf: 0.7</argument>"
        )
    return (
        "I see.\nANSWER: "
        f"{description.choices[0 if description.participant != 'debater_b' else 1]}"
    )


def held(
    solver: Solver, log_dir: Path, options: tuple[str, ...] = TWO, **settings: Any
) -> tuple[EvalLog, list[Call]]:
    sample = choice_item(asked="When was it opened?", options=options, target="B")
    sample.metadata = {"passage": PASSAGE}
    model = scripted(says, "one")
    log = run(Task(dataset=dataset(sample), solver=solver), log_dir, model, **settings)
    return log, calls_of(model)


SOLVERS = {
    "copmad": lambda config: copmad(sides="assigned", config=config),
    "colmad": lambda config: colmad(order="both", config=config),
    "consultancy": lambda config: consultancy(config=config),
    "judge_alone": lambda config: judge_alone(config=config),
    "single": lambda config: single(config=config),
    "som": lambda config: som(config=config),
}


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize(
    ("passage", "readers"),
    [
        ("unused", set[str]()),
        ("hidden", {"debater_a", "debater_b"}),
        ("shown", {"debater_a", "debater_b", "judge"}),
    ],
)
def test_only_those_read_the_passage_who_may(
    name: str, passage: str, readers: set[str], tmp_path: Path
) -> None:
    log, calls = held(SOLVERS[name]({"passage": passage}), tmp_path)
    (debate,) = records(log)
    assert debate.parameters["passage"] == passage
    seen: dict[str, set[bool]] = {}
    for call in calls:
        assert call.description is not None
        seen.setdefault(call.description.participant, set()).add(MARK in call.prompt)
    assert seen == {who: {who in readers} for who in seen}
    assert seen


def test_what_is_quoted_is_checked_against_the_passage_alone(tmp_path: Path) -> None:
    log, _ = held(
        copmad(rounds=1, sides="assigned", config={"passage": "hidden"}), tmp_path / "a"
    )
    (debate,) = records(log)
    first = debate.of_kind("speech")[0]
    assert [(q.verified, q.source) for q in first.quotes] == [
        (True, "passage"),
        (False, None),
    ]
    # Without a passage the question may be quoted where that is asked for.
    for config, sources in (
        ({"quote_source": "input"}, [None, "question"]),
        ({}, []),
    ):
        solver = copmad(rounds=1, sides="assigned", config=config)
        log, _ = held(solver, tmp_path / f"b{len(sources)}")
        (debate,) = records(log)
        quotes = debate.of_kind("speech")[0].quotes
        assert [quote.source for quote in quotes] == sources


def test_the_same_question_on_another_passage_is_another(tmp_path: Path) -> None:
    hashes = {
        passage: records(held(single(config={"passage": passage}), tmp_path)[0])[-1]
        for passage in ("unused", "hidden", "shown")
    }
    assert hashes["hidden"].question == hashes["shown"].question
    assert hashes["hidden"].question != hashes["unused"].question


def test_a_judge_who_reads_the_passage_can_judge_the_same_debates(
    tmp_path: Path,
) -> None:
    log, _ = held(copmad(sides="assigned", config={"passage": "hidden"}), tmp_path)
    again = copmad(sides="assigned", config={"passage": "shown"}, reuse=log.location)
    judged, calls = held(again, tmp_path / "again")
    (debate,) = records(judged)
    assert [t.reused for t in debate.turns] == [True] * 4 + [False]
    assert len(calls) == 1
    assert MARK in calls[0].prompt


# --- sides that are drawn -------------------------------------------------------------


def sides(debate: DebateRecord) -> dict[str, str | None]:
    return {p.id: p.defends for p in debate.participants}


def test_assigned_sides_are_mirrored_in_the_second_epoch(tmp_path: Path) -> None:
    log, calls = held(copmad(sides="assigned", rounds=1), tmp_path, epochs=2)
    one, other = (record(s) for s in sorted(samples(log), key=lambda s: s.epoch))
    assert {sides(one)["debater_a"], sides(one)["debater_b"]} == {"A", "B"}
    assert sides(one)["debater_a"] == sides(other)["debater_b"]
    assert not {call.description.kind for call in calls if call.description} & {
        "answer"
    }
    assert one.parameters["sides"] == "assigned"


def test_sides_are_drawn_by_the_samples_id(tmp_path: Path) -> None:
    items = [choice_item(id=f"q{n}", options=TWO, target="A") for n in range(40)]
    model = scripted(says, "one")
    log = run(
        Task(
            dataset=dataset(*items),
            solver=[copmad(sides="assigned", rounds=1)],
        ),
        tmp_path,
        model,
    )
    defended = [sides(debate)["debater_a"] for debate in records(log)]
    assert 10 <= defended.count("A") <= 30


def test_assigned_sides_need_two_answers(tmp_path: Path) -> None:
    log, calls = held(
        copmad(sides="assigned"), tmp_path, ("a", "b", "c"), success=False
    )
    assert log.status == "error"
    assert log.error is not None
    assert "has 3" in log.error.message
    assert not calls


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"sides": "drawn"}, "sides='drawn'"),
        ({"sides": "assigned", "rounds": 0}, "rounds=0 with sides=assigned"),
        ({"sides": "assigned", "reuse": "x", "reuse_until": "answers"}, "nobody"),
    ],
)
def test_what_assigned_sides_do_not_go_with(
    arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        copmad(**arguments)


# --- one who speaks alone -------------------------------------------------------------


def test_a_consultant_speaks_alone_and_the_judge_can_choose_any(tmp_path: Path) -> None:
    log, calls = held(consultancy(rounds=2, order="both"), tmp_path, epochs=2)
    one, other = (record(s) for s in sorted(samples(log), key=lambda s: s.epoch))
    kinds = [(t.kind, t.participant) for t in one.turns]
    assert kinds == [("speech", "debater_a")] * 2 + [("verdict", "judge")] * 2
    defended = [sides(debate)["debater_a"] for debate in (one, other)]
    assert sorted(map(str, defended)) == ["A", "B"]
    for verdict in one.of_kind("verdict"):
        assert verdict.shown_first is None
    assert [v.listed_first for v in one.of_kind("verdict")] == ["A", "B"]
    judged = [
        call
        for call in calls
        if call.description and call.description.kind == "verdict"
    ]
    assert all(
        call.description and call.description.choices == ("A", "B") for call in judged
    )
    assert all("Only one participant was heard" in call.prompt for call in judged)


def test_a_free_consultant_argues_for_its_own_answer(tmp_path: Path) -> None:
    log, calls = held(
        consultancy(rounds=1, sides="free"), tmp_path, ("a", "b", "c", "d")
    )
    (debate,) = records(log)
    assert [t.kind for t in debate.turns] == ["answer", "speech", "verdict"]
    assert sides(debate)["debater_a"] == debate.turns[0].field("answer").value == "A"
    last = calls[-1]
    assert last.description is not None
    assert last.description.choices == ("A", "B", "C", "D")
    assert "its own first answer" in " ".join(last.prompt.split())
    # The answer itself is not part of what the judge reads.
    assert 'stage="first answer"' not in last.prompt


def test_a_consultancy_is_judged_again(tmp_path: Path) -> None:
    log, _ = held(consultancy(), tmp_path)
    judged, calls = held(consultancy(reuse=log.location), tmp_path / "again")
    (debate,) = records(judged)
    assert [t.reused for t in debate.turns] == [True, True, False]
    assert len(calls) == 1
