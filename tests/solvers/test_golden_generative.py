"""The prompts of generative debate, against files.

`UPDATE_GOLDEN=1 uv run pytest tests/solvers/test_golden_generative.py` writes them
again; a change is a new version of the task.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ModelOutput
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.code_runs import calls_on_code
from tests.support.generative import PROTOCOLS, description_of, held, marked, solvable
from tests.support.models import Call

GOLDEN = Path(__file__).parent.parent / "golden" / "generative"

SOLVERS = {
    "dual_debate": generative_debate("dual_debate", order="ab"),
    "single_debate": generative_debate("single_debate"),
    "dual_consultancy": generative_debate("dual_consultancy", order="ba"),
    "single_consultancy": generative_debate("single_consultancy"),
    "dual_no_transcript": generative_debate("dual_no_transcript", order="both"),
    "single_no_transcript": generative_debate("single_no_transcript"),
    "direct_qa": generative_debate("direct_qa"),
    "dual_debate_best_of_2": generative_debate("dual_debate", best_of=2, order="ab"),
    "single_debate_best_of_2": generative_debate("single_debate", best_of=2),
    "dual_debate_sequential": generative_debate(
        "dual_debate", turn_order="sequential", order="both", judge_answer=True
    ),
    "single_debate_sequential": generative_debate(
        "single_debate",
        turn_order="sequential",
        rounds=1,
        judge_answer=True,
        config={"word_limit": 80},
    ),
}


STYLES: dict[str, Any] = {"judge_style": "verifying", "debater_style": "honest"}

STYLED = {
    "dual_debate_styles": generative_debate("dual_debate", order="ab", **STYLES),
    "single_debate_styles": generative_debate("single_debate", **STYLES),
}
ON_CODE = {
    f"code_{name}": generative_debate(name, judge_answer=asked, unsafe_local=True)
    for name in PROTOCOLS
    for asked in [None if name == "direct_qa" else True]
} | {
    "code_single_debate_styles": generative_debate(
        "single_debate", unsafe_local=True, **STYLES
    ),
    "code_dual_debate_best_of_2": generative_debate(
        "dual_debate", rounds=1, best_of=2, unsafe_local=True
    ),
}


def unreadable(
    messages: list[ChatMessage], description: TurnDescription | None
) -> str | ModelOutput:
    """Debater A writes no grid, and asked again nothing at all."""
    assert description is not None
    if (description.kind, description.participant) == ("answer", "debater_a"):
        return "The digits are mirrored: 0 6 5, then </answer> 7 0."
    return marked(messages, description)


def test_every_format_has_a_file() -> None:
    assert set(PROTOCOLS) <= set(SOLVERS)


@pytest.mark.parametrize("name", SOLVERS)
def test_prompts(name: str, tmp_path: Path) -> None:
    check(name, prompts_of(SOLVERS[name], tmp_path, solvable()))


@pytest.mark.parametrize("name", STYLED)
def test_prompts_in_other_styles(name: str, tmp_path: Path) -> None:
    check(name, prompts_of(STYLED[name], tmp_path, solvable()))


@pytest.mark.parametrize("name", ON_CODE)
def test_prompts_on_code(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(name, calls_on_code(ON_CODE[name], tmp_path, monkeypatch))


def test_prompts_on_code_where_nothing_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reminders, and answers that are shown as they were written."""
    solver = generative_debate("single_debate", rounds=1, unsafe_local=True)
    calls = calls_on_code(solver, tmp_path, monkeypatch, lambda m, c: "Nothing.")
    check("code_unreadable", calls)


def test_prompts_of_a_task_with_two_test_inputs(tmp_path: Path) -> None:
    solver = generative_debate("dual_debate", rounds=1, order="ab", judge_answer=True)
    check("two_grids", prompts_of(solver, tmp_path, solvable(2)))


def test_prompts_with_an_answer_that_could_not_be_read(tmp_path: Path) -> None:
    solver = generative_debate("dual_debate", rounds=1, order="ab")
    check("unreadable_answer", prompts_of(solver, tmp_path, solvable(), unreadable))


@pytest.mark.parametrize(
    ("protocol", "parts", "reminders"),
    [
        (
            "single_debate",
            1,
            ["the output grid in a fenced code block and nothing else", "empty"],
        ),
        (
            "dual_debate",
            2,
            ["the 2 output grids in the order of the test inputs, each in a", "empty"],
        ),
    ],
)
def test_reminders(
    protocol: GenerativeProtocol, parts: int, reminders: list[str], tmp_path: Path
) -> None:
    solver = generative_debate(protocol, rounds=1)
    _, calls = held(solver, tmp_path, solvable(parts), script=lambda m, c: "")
    again = [call for call in calls if description_of(call).reask]
    assert len(again) == len(calls) / 2
    told = {description_of(call).format: call.messages[-1].text for call in again}
    assert reminders[0] in " ".join(told["solution"].split())
    assert reminders[1] in told["case"]
    assert '"Alice": {"verdict": "correct|incorrect"' in told["rulings"]
    if protocol == "single_debate":
        assert '"Bob": {"verdict"' in told["rulings"]
        assert 'either "Stance: AGREE" or' in " ".join(told["review"].split())


def check(name: str, calls: list[Call]) -> None:
    """Compare prompts with a file, by what is asked of whom, in a fixed order."""
    prompts = {}
    for call in calls:
        of = description_of(call)
        turn = f"{of.kind} {of.round} {of.draw} {of.reask}: {of.participant}"
        prompts[turn] = "\n\n".join(f"[{m.role}]\n{m.text}" for m in call.messages)
    assert len(prompts) == len(calls)
    shown = (f"##### {turn}\n\n{said}" for turn, said in sorted(prompts.items()))
    text = "\n\n".join(shown) + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def prompts_of(
    solver: Solver, log_dir: Path, sample: Sample, script: object = marked
) -> list[Call]:
    _, calls = held(solver, log_dir, sample, script=script)
    return calls
