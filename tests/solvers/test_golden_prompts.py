"""Every prompt of every role and round, against files that show a change of wording.

`UPDATE_GOLDEN=1 uv run pytest tests/solvers/test_golden_prompts.py` writes them again;
a change is a new version of the task.
"""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage
from inspect_ai.solver import Solver

from inspect_debate.core.cue import Cue
from inspect_debate.core.spans import span_name
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.judge_alone import judge_alone
from inspect_debate.solvers.single import single
from tests.support.models import scripted
from tests.support.reader import Script, reader
from tests.support.runs import dataset, item, run

GOLDEN = Path(__file__).parent.parent / "golden" / "colmad"

DEBATES: dict[str, Solver] = {
    "single": single(),
    "judge_alone": judge_alone(order="both"),
    "colmad": colmad(order="both"),
    "colmad_sequential": colmad(turn_order="sequential"),
    "colmad_rounds_0": colmad(rounds=0),
    "colmad_blind": colmad(rounds=1, show_openings=False, judge_sees_problem=False),
    "colmad_no_quotes": colmad(rounds=1, config={"quotes": "none"}),
    "colmad_input_quotes": colmad(
        rounds=1, config={"quote_source": "input", "word_limit": 120}
    ),
}


@pytest.mark.parametrize("name", DEBATES)
def test_prompts_are_as_written_down(name: str, tmp_path: Path) -> None:
    prompts = prompts_of(DEBATES[name], tmp_path)
    text = "\n\n".join(f"##### {turn}\n\n{prompts[turn]}" for turn in sorted(prompts))
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == path.read_text(encoding="utf-8")


def prompts_of(solver: Solver, log_dir: Path) -> dict[str, str]:
    """The prompts of one debate, by span name."""
    prompts: dict[str, str] = {}

    def keeping(script: Script) -> Script:
        def keep(messages: list[ChatMessage], cue: Cue | None) -> str:
            assert cue is not None
            name = span_name(cue.kind, cue.participant, cue.round)
            name += f" {cue.draw}" if cue.draw else ""
            prompts[name] = "\n\n".join(f"[{m.role}]\n{m.text}" for m in messages)
            return answer(name) or script(messages, cue)

        return keep

    def answer(name: str) -> str | None:
        # What a judge reads is shown by the prompt; here it need only be readable.
        return "Answer: 1" if name.startswith("verdict") else speech(name)

    def speech(name: str) -> str | None:
        if not name.startswith("round"):
            return None
        return (
            f"<thinking>secret of {name}</thinking><argument>My case in {name}: "
            "<quote>in one sentence</quote> and <quote>not there</quote>.\n"
            "Final: 1 error\nConf: 0.8 - checked</argument>"
        )

    run(
        Task(dataset=dataset(item()), solver=solver),
        log_dir,
        model=scripted(keeping(reader(True)), "sharp"),
        roles={"debater_b": scripted(keeping(reader(False)), "dull")},
    )
    return prompts


def test_prompts_hold_no_private_text(tmp_path: Path) -> None:
    for name, solver in DEBATES.items():
        for turn, prompt in prompts_of(solver, tmp_path).items():
            assert "secret of" not in prompt, f"{name}, {turn}"


def test_a_participants_prompts_grow_at_the_end(tmp_path: Path) -> None:
    prompts = prompts_of(colmad(rounds=3), tmp_path)
    for debater in ("debater_a", "debater_b"):
        rounds = [prompts[f"round {n}: {debater}"] for n in (1, 2, 3)]
        for earlier, later in pairwise(rounds):
            # All of the earlier prompt up to the end of its transcript.
            assert later.startswith(earlier[: earlier.rindex("</transcript>")])
