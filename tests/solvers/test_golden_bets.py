"""The prompts of every condition of the confidence study, against files.

`UPDATE_GOLDEN=1 uv run pytest tests/solvers/test_golden_bets.py` writes them again; a
change is a new version of the task. System prompts, which hold the structures of the
speeches, are the same in all conditions and stand in a file of their own.
"""

import os
from collections.abc import Mapping
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.confidence import CONDITIONS, confidence
from tests.support.bets import marked, marked_model, motion
from tests.support.runs import dataset, run

GOLDEN = Path(__file__).parent.parent / "golden" / "confidence"

# What else can be asked, beside the presets.
VARIANTS: dict[str, dict[str, Any]] = {
    **{condition: {"protocol": condition} for condition in CONDITIONS},
    "separate_bets": {"protocol": "self", "bet_call": "separate", "rounds": 2},
    "bet_as_probability": {"protocol": "self", "bet_as": "probability", "rounds": 2},
    "bet_as_apart": {"protocol": "self", "bet_as": "apart", "rounds": 2},
    "order_both": {"rounds": 1, "order": "both", "jury_passes": 1},
    "juror_sees_motion": {
        "rounds": 1,
        "jury_passes": 1,
        "config": {"juror_sees_motion": True},
    },
}


class Prompt(NamedTuple):
    """The texts of one call."""

    system: str
    user: str


def prompts_of(log_dir: Path, parameters: Mapping[str, Any]) -> dict[str, Prompt]:
    """The prompts of one debate, by what is asked of whom."""
    prompts: dict[str, Prompt] = {}

    def keep(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        assert not description.reask
        name = (
            f"{description.kind} {description.round or description.draw}: "
            f"{description.participant}"
        )
        system, user = (message.text for message in messages)
        prompts[name] = Prompt(system, user)
        return marked(messages, description)

    roles = {
        "debater_b": marked_model(keep, "two"),
        "judge": marked_model(keep, "jury"),
    }
    itself = parameters.get("protocol", "cross_model") != "cross_model"
    run(
        Task(dataset=dataset(motion()), solver=confidence(**parameters)),
        log_dir,
        model=marked_model(keep, "one"),
        roles=None if itself else roles,
    )
    return prompts


def compare(name: str, prompts: Mapping[str, str]) -> None:
    path = GOLDEN / f"{name}.txt"
    text = "\n\n".join(f"##### {turn}\n\n{prompts[turn]}" for turn in prompts) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VARIANTS)
def test_prompts_are_as_written_down(name: str, tmp_path: Path) -> None:
    prompts = prompts_of(tmp_path, VARIANTS[name])
    # The second pass of a juror is asked in the words of the first.
    compare(
        name,
        {turn: prompts[turn].user for turn in sorted(prompts) if "ab 2" not in turn},
    )


def test_system_prompts_are_the_same_in_all_conditions(tmp_path: Path) -> None:
    found = {
        condition: {
            turn: prompt.system
            for turn, prompt in prompts_of(
                tmp_path, {"protocol": condition, "rounds": 3}
            ).items()
        }
        for condition in CONDITIONS
    }
    base = found["cross_model"]
    compare("system", {turn: base[turn] for turn in sorted(base) if "2: j" not in turn})
    for condition, texts in found.items():
        assert texts == {turn: base[turn] for turn in texts}, condition


def cacheable(earlier: Prompt, later: Prompt) -> float:
    """The share of a prompt that is as in the one before it, from the first character.

    The user prompt counts only where the system prompts are the same.
    """
    one, two = (f"{prompt.system}\0{prompt.user}" for prompt in (earlier, later))
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))
    return len(list(same)) / len(two)


@pytest.mark.parametrize(
    "parameters",
    [{"protocol": "self"}, {"protocol": "public", "bet_call": "separate"}],
)
def test_prompts_can_be_cached_up_to_the_instruction(
    parameters: dict[str, Any], tmp_path: Path
) -> None:
    told = parameters | {"config": {"structure_in": "instruction"}}
    prompts = prompts_of(tmp_path, told)
    for debater in ("debater_a", "debater_b"):
        asked = [prompts[f"speech {n}: {debater}"] for n in (1, 2, 3)]
        assert len({prompts[t].system for t in prompts if debater in t}) == 1
        for earlier, later in pairwise(asked):
            history = earlier.user[: max(earlier.user.rfind("</turn>"), 0)]
            assert later.user.startswith(history)
            # Speeches are a line each here; with longer ones it is more.
            assert cacheable(earlier, later) > 0.4


def test_prompts_that_can_be_cached_are_as_written_down(tmp_path: Path) -> None:
    told = {"protocol": "self", "config": {"structure_in": "instruction"}}
    prompts = prompts_of(tmp_path, told)
    written = {"system": prompts["speech 1: debater_a"].system}
    written |= {turn: prompts[turn].user for turn in sorted(prompts)}
    compare("structure_in_instruction", written)


def test_the_study_s_own_prompts_cannot_be_cached(tmp_path: Path) -> None:
    prompts = prompts_of(tmp_path, {"protocol": "self"})
    first, second = (prompts[f"speech {n}: debater_a"] for n in (1, 2))
    assert cacheable(first, second) < 0.15
