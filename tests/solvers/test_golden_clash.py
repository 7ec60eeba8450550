"""The prompts of SR-DCR and its baselines, against files.

`UPDATE_GOLDEN=1 uv run pytest tests/solvers/test_golden_clash.py` writes them again; a
change is a new version of the task.
"""

import os
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, ModelOutput
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.judge_debate import judge_debate
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.srdcr import srdcr
from inspect_debate.solvers.without_debate import passage_or_memory, rci, self_ask
from tests.support.clash import marked, question
from tests.support.models import scripted
from tests.support.runs import dataset, run

GOLDEN = Path(__file__).parent.parent / "golden" / "srdcr"

SOLVERS = {
    "srdcr": srdcr(rounds=3),
    "srdcr_all_see": srdcr(
        rounds=2,
        turn_order="simultaneous",
        show_openings=True,
        judge_sees_context=True,
        critic_sees_context=True,
    ),
    "srdcr_without_debate": srdcr(rounds=0),
    "srdcr_released": srdcr(
        rounds=2,
        turn_order="simultaneous",
        critic_sees_context="openings",
        followups_see="transcript",
    ),
    "passage_or_memory": passage_or_memory(
        "token_prob", confidence_from="both", consistency_samples=1, recall_samples=1
    ),
    "self_ask": self_ask(),
    "rci": rci(),
    "judge_debate": judge_debate(rounds=2, judge_after=(1,), order="both"),
    "naive_debate": naive_debate(agents=3, rounds=2),
}

PASSAGE = "<passage>"


@pytest.mark.parametrize("name", SOLVERS)
def test_prompts(name: str, tmp_path: Path) -> None:
    prompts = prompts_of(SOLVERS[name], tmp_path)
    path = GOLDEN / f"{name}.txt"
    text = "\n\n".join(f"##### {turn}\n\n{said}" for turn, said in prompts) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SOLVERS)
def test_no_prompt_leans_to_passage_or_memory(name: str, tmp_path: Path) -> None:
    """Whom to trust is what is measured; no clause of ours may say how to find out."""
    leaning = (
        "right or wrong",
        "no reason to believe",
        "well known",
        "check",
        "quantity",
    )
    for turn, said in prompts_of(SOLVERS[name], tmp_path):
        text = " ".join(said.split())
        assert [words for words in leaning if words in text] == [], turn


@pytest.mark.parametrize("name", [n for n in SOLVERS if n.startswith("srdcr")])
def test_debaters_are_asked_for_what_their_prompt_shows(
    name: str, tmp_path: Path
) -> None:
    """Passage, memory and the opponent's words: each is named only where it is had."""
    prompts = prompts_of(SOLVERS[name], tmp_path)
    read = {
        t.split()[-1] for t, p in prompts if t.startswith("speech") and PASSAGE in p
    }
    for turn, said in prompts:
        system, _, user = said.partition("[user]")
        assert max(map(len, system.splitlines()), default=0) <= 88, turn
        if not turn.startswith("speech"):
            continue
        speaker, shown = turn.split()[-1], PASSAGE in user
        assert (speaker == "debater_a" and shown) is ("You may quote from it" in said)
        again = "it is not shown to you again" in system
        assert again is (speaker in read and not shown), turn
        assert (speaker not in read) is ("from what you know" in system), turn
        answers = "Answer what" in said or "Take up what" in said
        assert answers is ("<transcript>" in user), turn


@pytest.mark.parametrize(
    ("answer", "reminder"),
    [
        ("I could\nnot say.", "Reply with one line and nothing else"),
        ("", "Reply with one line and nothing else"),
    ],
)
def test_reminders(answer: str, reminder: str, tmp_path: Path) -> None:
    asked: list[list[ChatMessage]] = []

    def unreadable(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str:
        asked.append(messages)
        return answer

    solver = passage_or_memory()
    model = scripted(unreadable)
    run(Task(dataset=dataset(question()), solver=solver), tmp_path, model=model)
    assert len(asked) == 4
    assert all(reminder in again[-1].text for again in asked if len(again) == 3)


def prompts_of(solver: Solver, log_dir: Path) -> list[tuple[str, str]]:
    """The prompts on one question, by what is asked of whom, in a fixed order."""
    prompts: dict[str, str] = {}

    def keep(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        assert description is not None
        name = (
            f"{description.kind} {description.round} {description.draw}: "
            f"{description.participant}"
        )
        prompts[name] = "\n\n".join(f"[{m.role}]\n{m.text}" for m in messages)
        if description.participant.startswith("debater_a_"):
            number = description.participant[-1]
            return f"ANSWER-{number}_{description.round}\nAnswer: 190{number}"
        return marked(messages, description)

    model = scripted(keep)
    run(Task(dataset=dataset(question()), solver=solver), log_dir, model=model)
    return sorted(prompts.items())
