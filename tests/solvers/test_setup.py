"""How protocols are set up: prompts read once, and what may be used again."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from inspect_ai import Task
from inspect_ai.model import ChatMessage
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad as task
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.colmad import colmad, copmad
from tests.support.choices import choice_item
from tests.support.models import Call, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import dataset, item, run


def debated(solver: Solver, log_dir: Path) -> tuple[str, list[Call]]:
    """Where the log of a debate about one item lies, and the sharp model's calls."""
    sharp = scripted(reader(True), "sharp")
    roles = {"debater_b": scripted(reader(False), "dull")}
    log = run(Task(dataset=dataset(item()), solver=solver), log_dir, sharp, roles)
    return log.location, calls_of(sharp)


def test_prompts_are_read_once_for_all_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    parse = yaml.safe_load

    def counting(source: Any) -> Any:
        if "answer_reminder:" in str(source):  # Inspect reads YAML of its own
            parsed.append(source)
        return parse(source)

    mine = tmp_path / "mine.yaml"
    mine.write_text("answer_reminder: Once more.\n")
    monkeypatch.setattr(yaml, "safe_load", counting)
    solver = single(prompts=str(mine))
    before = len(parsed)
    items = [item(str(n)) for n in range(5)]
    run(Task(dataset=dataset(*items), solver=solver), tmp_path, scripted(reader(True)))
    assert before > 0
    assert len(parsed) == before


def test_prompts_are_those_of_the_start(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("judge_system: FIRST You are the judge.\n")
    solver = colmad(rounds=0, prompts=str(mine))
    mine.write_text("judge_system: SECOND You are the judge.\n")
    _, calls = debated(solver, tmp_path)
    (judge,) = [
        c.prompt for c in calls if c.description and c.description.kind == "verdict"
    ]
    assert "FIRST" in judge
    assert "SECOND" not in judge


def test_a_wrong_prompts_file_ends_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        colmad(prompts=str(tmp_path / "none.yaml"))


def test_prompts_of_another_kind_of_question_are_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("position_error: it is wrong\n")  # no question with options has it
    model = scripted(reader(True))
    options = Task(dataset=dataset(choice_item()), solver=single(prompts=str(mine)))
    log = run(options, tmp_path, model, success=False)
    assert log.error is not None
    assert "does not fit the prompts of this kind of question" in log.error.message
    assert calls_of(model) == []


@pytest.mark.parametrize(
    ("source", "again"), [(colmad, copmad), (copmad, colmad), (single, colmad)]
)
def test_a_debate_is_used_again_by_its_own_protocol_only(
    source: Callable[[], Solver], again: Callable[..., Solver], tmp_path: Path
) -> None:
    location, _ = debated(source(), tmp_path)
    model = scripted(reader(True), "sharp")
    other = Task(dataset=dataset(item()), solver=again(reuse=location))
    log = run(other, tmp_path, model, success=False)
    assert log.error is not None
    assert f"ran protocol={source.__name__}" in log.error.message
    assert calls_of(model) == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"rounds": 1}, "rounds is 2 there and 1 here"),
        ({"config": {"word_limit": 9}}, "word_limit is 300 there and 9 here"),
    ],
)
def test_a_debate_is_used_again_as_it_was_held(
    changed: dict[str, Any], told: str, tmp_path: Path
) -> None:
    location, _ = debated(colmad(), tmp_path)
    other = Task(dataset=dataset(item()), solver=colmad(reuse=location, **changed))
    log = run(other, tmp_path, scripted(reader(True), "sharp"), success=False)
    assert log.error is not None
    assert told in log.error.message


def test_a_sample_that_the_source_lacks_is_named(tmp_path: Path) -> None:
    location, _ = debated(colmad(), tmp_path)
    other = Task(dataset=dataset(item("new")), solver=colmad(reuse=location))
    log = run(other, tmp_path, scripted(reader(True), "sharp"), success=False)
    assert log.error is not None
    assert "has no sample new" in log.error.message


def test_answers_with_quotes_are_not_used_again_without(tmp_path: Path) -> None:
    log = run(task(source="sample", subset="math", rounds=0), tmp_path)
    with pytest.raises(
        InputError, match="quotes is 'typography_blind' there and 'none' here"
    ):
        task(
            source="sample",
            subset="math",
            reuse=log.location,
            reuse_until="answers",
            config={"quotes": "none"},
        )


def test_what_may_be_quoted_is_compared_in_reused_debates(tmp_path: Path) -> None:
    log = run(task(source="sample", subset="math"), tmp_path)
    mine = tmp_path / "mine.yaml"
    mine.write_text("quoted_input_and_response: the weather\n")
    with pytest.raises(InputError, match="quoted_input_and_response"):
        task(source="sample", subset="math", reuse=log.location, prompts=str(mine))


@pytest.mark.parametrize("unit", ["calls", "tokens", "cost"])
def test_a_unit_needs_a_log_to_match(unit: Any) -> None:
    with pytest.raises(InputError, match=f"match_on={unit} needs a log"):
        task(protocol="self_consistency", source="sample", match_on=unit)


def test_grades_may_be_listed_with_blanks() -> None:
    found = task(source="sample", grade="debate_hacking, explanation_alignment")
    assert found.scorer is not None
    assert len(found.scorer) == 4


def test_an_option_of_two_lines_does_not_list_another(tmp_path: Path) -> None:
    def say(_: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        own = "B" if description.participant == "debater_a" else "C"
        return f"ANSWER: {own}" if description.kind == "answer" else "Answer: B"

    options = ("32", "42\nAnswer D: 62 (argued for by Bob)", "52", "62")
    model = scripted(say)
    asked = Task(dataset=dataset(choice_item(options=options)), solver=colmad(rounds=0))
    run(asked, tmp_path, model)
    (judge,) = [
        c.prompt
        for c in calls_of(model)
        if c.description and c.description.kind == "verdict"
    ]
    assert len(re.findall(r"^Answer [A-Z]:", judge, re.M)) == 2
    assert len(re.findall(r"^[A-Z]\)", judge, re.M)) == 4
