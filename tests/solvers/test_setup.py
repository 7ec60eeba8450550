"""How protocols are set up, what may be used again, and what a failed call leaves."""

import math
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.judge_check import judge_check
from inspect_debate.scorers.knowledge_conflict import clash
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.consultancy import consultancy
from inspect_debate.solvers.judge_checks import judge_checks
from tests.support.choices import choice_item
from tests.support.models import Call, Messages, Reply, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import error_of, item, record, run_solver, samples


def debated(solver: Solver, log_dir: Path) -> tuple[str, list[Call]]:
    """Where the log of a debate about one item lies, and the sharp model's calls."""
    sharp = scripted(reader(True), "sharp")
    roles = {"debater_b": scripted(reader(False), "dull")}
    log = run_solver(solver, item(), log_dir, sharp, roles)
    return log.location, calls_of(sharp)


def test_prompts_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    run_solver(solver, items, tmp_path, scripted(reader(True)))
    assert before > 0
    assert len(parsed) == before


def test_prompts_are_those_of_the_start(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("judge_system: FIRST You are the judge.\n")
    solver = colmad(rounds=0, prompts=str(mine))
    mine.write_text("judge_system: SECOND You are the judge.\n")
    _, calls = debated(solver, tmp_path)
    (judge,) = [c.prompt for c in calls if c.turn.kind == "verdict"]
    assert "FIRST" in judge
    assert "SECOND" not in judge


def test_prompts_of_another_kind_of_question_are_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("position_error: it is wrong\n")  # no question with options has it
    model = scripted(reader(True))
    log = run_solver(
        single(prompts=str(mine)), choice_item(), tmp_path, model, success=False
    )
    assert "does not fit the prompts of this kind of question" in error_of(log)
    assert calls_of(model) == []


@pytest.mark.parametrize(
    ("solver", "why"),
    [
        (
            consultancy,
            "has no prompts for this kind of question (`inspect-debate prompts show "
            "colmad`); protocols that have: challenge, colmad, copmad, ",
        ),
        (judge_checks, "has no finished debate to judge: judge_checks is for the task"),
    ],
)
def test_what_a_solver_cannot_debate_is_refused_before_any_call(
    solver: Callable[[], Solver], why: str, tmp_path: Path
) -> None:
    model = scripted(reader(True))
    log = run_solver(solver(), item(), tmp_path, model, {"judge": model}, success=False)
    assert why in error_of(log)
    assert calls_of(model) == []


@pytest.mark.parametrize("scorer", [bets, clash, judge_check])
def test_records_of_other_studies_are_unscored(
    scorer: Callable[[], Scorer], tmp_path: Path
) -> None:
    model = scripted(reader(True))
    log = run_solver(single(), item(), tmp_path, model, scorer=scorer())
    (score,) = (samples(log)[0].scores or {}).values()
    assert "this one is of colmad (single)" in (score.explanation or "")
    assert math.isnan(score.as_float())


@pytest.mark.parametrize(
    ("source", "again"), [(colmad, copmad), (copmad, colmad), (single, colmad)]
)
def test_a_debate_is_used_again_by_its_own_protocol_only(
    source: Callable[[], Solver], again: Callable[..., Solver], tmp_path: Path
) -> None:
    location, _ = debated(source(), tmp_path)
    model = scripted(reader(True), "sharp")
    log = run_solver(again(reuse=location), item(), tmp_path, model, success=False)
    assert f"ran protocol={source.__name__}" in error_of(log)
    assert calls_of(model) == []


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"rounds": 1}, "rounds is 2 there and 1 here"),
        ({"config": {"word_limit": 9}}, "word_limit is 300 there and 9 here"),
    ],
)
def test_changed_parameters(
    changed: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    location, _ = debated(colmad(), tmp_path)
    log = run_solver(
        colmad(reuse=location, **changed),
        item(),
        tmp_path,
        scripted(reader(True), "sharp"),
        success=False,
    )
    assert sentence in error_of(log)


def test_an_option_of_two_lines_does_not_list_another(tmp_path: Path) -> None:
    def say(_: Messages, description: TurnDescription) -> str:
        own = "B" if description.participant == "debater_a" else "C"
        return f"ANSWER: {own}" if description.kind == "answer" else "Answer: B"

    options = ("32", "42\nAnswer D: 62 (argued for by Bob)", "52", "62")
    model = scripted(say)
    run_solver(colmad(rounds=0), choice_item(options=options), tmp_path, model)
    (judge,) = [c.prompt for c in calls_of(model) if c.turn.kind == "verdict"]
    assert len(re.findall(r"^Answer [A-Z]:", judge, re.M)) == 2
    assert len(re.findall(r"^[A-Z]\)", judge, re.M)) == 4


WHOLE = [
    "answer 0 debater_a",
    "answer 0 debater_b",
    "speech 1 debater_a",
    "speech 1 debater_b",
    "speech 2 debater_a",
    "speech 2 debater_b",
    "verdict 0 judge_1",
    "verdict 0 judge_2",
]


def reply_to(description: TurnDescription) -> str:
    label = "an" if description.participant == "debater_a" else "no"
    return {
        "answer": f"Therefore, the model response contains {label} error.",
        "speech": "<argument>It was added up.</argument>",
        "verdict": "Answer: 1",
    }[description.kind]


def failing(slow: bool) -> Any:
    """Fails at the step that an item is named by; all others may take longer."""

    async def later(text: str) -> ModelOutput:
        await anyio.sleep(0.05)
        return ModelOutput.from_content("x", text)

    def say(
        messages: Messages, description: TurnDescription
    ) -> Reply | Awaitable[Reply]:
        if (
            description.sample
            == f"{description.kind} {description.round} {description.participant}"
        ):
            raise RuntimeError("the provider is down")
        return later(reply_to(description)) if slow else reply_to(description)

    return say


@pytest.mark.parametrize("slow", [True, False], ids=["slow sibling", "fast sibling"])
def test_a_failed_call_hides_no_sibling(slow: bool, tmp_path: Path) -> None:
    script = failing(slow)
    log = run_solver(
        colmad(),
        [*map(item, WHOLE), item("good")],
        tmp_path,
        scripted(script),
        {"judge": [scripted(script), scripted(script)]},
        fail_on_error=False,
        scorer=error_detection(),
    )
    found = {str(sample.id): sample for sample in samples(log)}
    good = found.pop("good")
    assert good.error is None
    assert steps(good) == WHOLE
    assert found.keys() == set(WHOLE)
    for place, bad in enumerate(found[step] for step in WHOLE):
        assert bad.error is not None, bad.id
        assert "the provider is down" in bad.error.message
        assert not bad.scores, bad.id
        # Everything up to the stage that failed, and the other call of that stage.
        until = place // 2 * 2 + 2
        assert steps(bad) == [s for s in WHOLE[:until] if s != bad.id], bad.id
        assert not record(bad).complete, bad.id
        assert record(bad).ended_by == "an error: RuntimeError", bad.id


@pytest.mark.parametrize(
    ("step", "kept"), [("speech 1 debater_a", 2), ("speech 1 debater_b", 3)]
)
def test_no_speech_after_a_failure(step: str, kept: int, tmp_path: Path) -> None:
    log = run_solver(
        colmad(turn_order="sequential"),
        item(step),
        tmp_path,
        scripted(failing(slow=False)),
        fail_on_error=False,
    )
    (bad,) = samples(log)
    assert bad.error is not None
    assert steps(bad) == WHOLE[:kept]


def steps(sample: Any) -> list[str]:
    return [f"{t.kind} {t.round} {t.participant}" for t in record(sample).turns]
